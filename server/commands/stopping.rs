//! Signals while a command has unfinished files: one would end the process at once, and leave them.

use std::io::{self, Read};

use shop::serve::stop_signal;
use tokio::sync::watch;

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
            tokio::select! { _ = signal => {} () = hang_up => {} }
            tell.send_replace(true);
        });
        Ok(Self { told, says })
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
