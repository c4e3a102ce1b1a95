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
        let signal = stop_signal()?;
        tokio::spawn(async move {
            signal.await;
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
