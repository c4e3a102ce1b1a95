//! Ends the process when its runtime stands still, such as when all of its threads wait for a disk that hangs: it would go on accepting
//! connections and answer none, while nobody starts it again.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tokio::time::sleep;

/// Between two signs of life.
const EVERY: Duration = Duration::from_secs(1);
/// After so many that were missed one after the other the process is ended.
const MOST_MISSED: u32 = 30;
/// As that of a process that is aborted.
#[cfg(unix)]
const EXIT_CODE: i32 = 134;
/// How long the end waits for the log, which may be what everything waits for.
const LOG_WITHIN: Duration = Duration::from_secs(2);

/// Watches the runtime from which this is called, until that ends.
pub fn start() {
    let (sign, signs) = channel();
    let watching = thread::Builder::new().name("watchdog".to_owned()).spawn(move || watch(&signs));
    if let Err(error) = watching {
        return tracing::warn!(%error, "nothing will end this process if it stands still");
    }
    tokio::spawn(async move {
        while sign.send(()).is_ok() {
            sleep(EVERY).await
        }
    });
}

/// On a thread of its own. It counts its waits, not the time, which passes for a process that is stopped or debugged and on a machine that is
/// suspended, too. One that took much longer than it should tells of that, or of a machine that is too slow for everybody.
fn watch(signs: &Receiver<()>) {
    let mut missed = 0;
    while missed < MOST_MISSED {
        let begun = Instant::now();
        match signs.recv_timeout(EVERY) {
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) if begun.elapsed() < 2 * EVERY => missed += 1,
            _ => missed = 0,
        }
    }
    let (telling, told) = channel::<()>();
    thread::spawn(move || {
        tracing::error!(seconds = MOST_MISSED, "the program stands still: it ends itself, so that it is started again");
        drop(telling);
    });
    // Either way.
    let _ = told.recv_timeout(LOG_WITHIN);
    end();
}

/// Ends the process, whatever its threads do, without a file of its memory, which has keys in it, and as one that failed.
#[cfg(unix)]
#[expect(unsafe_code, reason = "_exit is a C function; it is safe to call on any thread")]
fn end() -> ! {
    unsafe { libc::_exit(EXIT_CODE) }
}

#[cfg(not(unix))]
fn end() -> ! {
    std::process::abort()
}
