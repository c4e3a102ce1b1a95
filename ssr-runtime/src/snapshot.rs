//! The startup snapshot: the heap of an isolate that has run the app's bundle and rendered each of its pages once.

use std::future::poll_fn;
use std::task::Poll;

use deno_core::{JsRuntimeForSnapshot, PollEventLoopOptions};

use crate::isolate::{self, Fault, Functions};
use crate::memory::Memory;
use crate::origin::Origin;
use crate::platform;

/// Why no snapshot was created.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    #[error("V8 does not start: {0}")]
    Engine(String),
    /// The bundle threw while it was loaded or warmed up. Positions refer to the bundle.
    #[error("the bundle failed: {message}\n{stack}")]
    Program { message: String, stack: String },
    #[error("a timer or a job is still pending after warm(): it would be lost with the snapshot")]
    Pending,
    #[error(transparent)]
    Thread(#[from] std::io::Error),
}

/// Runs the bundle, awaits its `globalThis.warm?.()`, and returns the heap that results.
///
/// Meant for build scripts. The first use of V8 decides whether a process runs it in its slow, deterministic mode for snapshots: in a
/// process that serves pages, this must not come first. Waits until no renderer exists.
pub fn create(script: &str) -> Result<Box<[u8]>, SnapshotError> {
    let script = script.to_owned();
    let _alone = Origin::of_snapshot();
    platform::run(move || {
        // If this is the first use of V8, deno_core initializes it for snapshots.
        platform::V8.call_once(|| {});
        let tokio = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        tokio.block_on(take(script))
    })?
}

async fn take(script: String) -> Result<Box<[u8]>, SnapshotError> {
    let mut runtime =
        JsRuntimeForSnapshot::try_new(isolate::options()).map_err(|error| SnapshotError::Engine(error.to_string()))?;
    let outcome = load(&mut runtime, script).await;
    // Needed even if the snapshot is discarded: an isolate created for a snapshot cannot be dropped otherwise.
    let heap = runtime.snapshot();
    outcome.map(|()| heap)
}

async fn load(runtime: &mut JsRuntimeForSnapshot, script: String) -> Result<(), SnapshotError> {
    let loaded = async {
        let functions = Functions::find(runtime, Memory::new(usize::MAX))?;
        functions.load(runtime, script).await
    };
    loaded.await.map_err(|fault| match fault {
        Fault::Thrown(thrown) => SnapshotError::Program { message: thrown.message, stack: thrown.stack },
        Fault::Terminated => SnapshotError::Engine("terminated".into()),
    })?;
    match poll_fn(|cx| Poll::Ready(runtime.poll_event_loop(cx, PollEventLoopOptions::default()))).await {
        Poll::Ready(Ok(())) => Ok(()),
        Poll::Ready(Err(error)) => Err(SnapshotError::Program { message: error.to_string(), stack: String::new() }),
        Poll::Pending => Err(SnapshotError::Pending),
    }
}
