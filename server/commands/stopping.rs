//! Signals while a command works: one would end the process at once and leave unfinished files, and the first process of a container hears
//! none that it does not wait for.

use std::io::{self, Read};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering};

use shop::serve::{Stop, stop_signal};
use tokio::sync::watch;

use super::env_file::Failure;

/// The exit code of a command that has failed. After a signal it is 128 and the signal's number, as if that had ended the process.
static FAILED: AtomicU8 = AtomicU8::new(1);

pub fn failed() -> ExitCode {
    ExitCode::from(FAILED.load(Ordering::Relaxed))
}

/// Runs a command that may end anywhere, since it leaves nothing half done.
pub async fn until_told<T>(
    says: &'static str,
    command: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    Stopping::listen(says)?.unless_told(command).await
}

/// Whether a signal has told the command to stop, and what the command says then.
pub struct Stopping {
    told: watch::Receiver<bool>,
    says: &'static str,
}

impl Stopping {
    /// From now on a signal does not end the process.
    pub fn listen(says: &'static str) -> io::Result<Self> {
        let (tell, told) = watch::channel(false);
        let (signal, hang_up) = (stop_signal()?, hang_up()?);
        tokio::spawn(async move {
            let number = tokio::select! {
                stop = signal => match stop {
                    Stop::Now => 2,
                    Stop::Drained => 15,
                },
                () = hang_up => 1,
            };
            FAILED.store(128 + number, Ordering::Relaxed);
            tell.send_replace(true);
        });
        Ok(Self { told, says })
    }

    /// What comes of some work, unless the command is told to stop before.
    pub async fn unless_told<T>(&self, working: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        tokio::select! {
            done = working => done,
            stopped = self.wait() => Err(stopped.into()),
        }
    }

    /// Waits until the command is told to stop.
    pub async fn wait(&self) -> io::Error {
        let mut told = self.told.clone();
        drop(told.wait_for(|told| *told).await);
        io::Error::other(self.says)
    }

    /// Fails if the command was told to stop.
    pub fn check(&self) -> io::Result<()> {
        if *self.told.borrow() { Err(io::Error::other(self.says)) } else { Ok(()) }
    }

    /// The bytes of a part until the command is told to stop: a large one is copied without a pause in which that would be noticed.
    pub fn until<'a>(&'a self, bytes: &'a mut dyn Read) -> Until<'a> {
        Until { stopping: self, bytes }
    }
}

/// Resolves when the terminal is closed (SIGHUP). From the call on, that does not end the process by itself; nor does it where the command was
/// told to survive it (`nohup`).
#[cfg(target_os = "linux")]
fn hang_up() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    // The lowest bit is that of SIGHUP.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let heard = match ignored {
        Some(ignored) if ignored & 1 == 0 => Some(signal(SignalKind::hangup())?),
        _ => None,
    };
    Ok(async move {
        match heard {
            Some(mut heard) => drop(heard.recv().await),
            None => std::future::pending().await,
        }
    })
}

/// Elsewhere the process cannot tell whether it was told to survive it, so it is as without this.
#[cfg(not(target_os = "linux"))]
fn hang_up() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(std::future::pending())
}

pub struct Until<'a> {
    stopping: &'a Stopping,
    bytes: &'a mut dyn Read,
}

impl Read for Until<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stopping.check()?;
        self.bytes.read(into)
    }
}
