//! The thread on which V8 is initialized. V8 protects its code pages with memory-protection keys, whose access rights a thread inherits
//! from its parent: every thread that uses V8 must descend from the one that initialized it, or the process crashes on processors with such
//! keys. So all of them are started from here.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::sync::{LazyLock, Once};
use std::thread::{self, JoinHandle};

/// V8's own limit is about 1 MB of JavaScript frames; the rest is for native code.
pub(crate) const STACK_BYTES: usize = 8 << 20;

type Work = Box<dyn FnOnce() + Send>;

static V8_THREAD: LazyLock<io::Result<Sender<Work>>> = LazyLock::new(|| {
    let (sender, work) = mpsc::channel::<Work>();
    thread::Builder::new()
        .name("v8".into())
        .stack_size(STACK_BYTES)
        .spawn(move || work.into_iter().for_each(|work| work()))?;
    Ok(sender)
});

/// V8 is initialized once, by whichever comes first: a rendering thread, or a snapshot, which initializes it differently.
pub(crate) static V8: Once = Once::new();

/// Runs `work` on the V8 thread and waits for its result.
pub(crate) fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    let (sender, result) = mpsc::channel();
    let thread = V8_THREAD.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
    let lost = |_| io::Error::other("the V8 thread is gone");
    thread.send(Box::new(move || drop(sender.send(work())))).map_err(|_| lost(mpsc::RecvError))?;
    result.recv().map_err(lost)
}

/// Starts a thread that may use V8.
pub(crate) fn spawn(name: String, body: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    run(move || {
        V8.call_once(|| {
            let flags = [
                "",
                // Otherwise V8 discards the code of a page that was not requested for three minutes, and has to compile it again.
                "--no-flush-bytecode",
                // Otherwise V8 optimizes the code of the first pages while they are made, on the same core if there is only one.
                "--invocation-count-for-maglev=8000",
                "--invocation-count-for-maglev-osr=4000",
            ];
            deno_core::v8_set_flags(flags.map(str::to_owned).into());
            deno_core::JsRuntime::init_platform(None);
        });
        thread::Builder::new().name(name).stack_size(STACK_BYTES).spawn(body)
    })?
}
