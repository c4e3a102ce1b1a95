//! Why a render, or the start of a renderer, failed.

use std::time::Duration;

/// Why a page was not rendered. Only `Thrown` is certainly caused by the page itself.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RenderError {
    /// JavaScript threw. `stack` names the original sources when the renderer has a source map.
    #[error("{message}")]
    Thrown { message: String, stack: String },
    #[error("the render took longer than {0:?}")]
    TimedOut(Duration),
    #[error("the render needed more memory than an isolate may have")]
    OutOfMemory,
    /// The queue is full: the caller should respond with something cheap, at once.
    #[error("too many renders are waiting")]
    Overloaded,
    /// The renderer is shutting down, or the isolate's thread was lost.
    #[error("the renderer has stopped")]
    Stopped,
}

/// Why a renderer did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program failed while it was loaded or warmed up.
    #[error("the program does not start: {0}")]
    Program(#[from] RenderError),
    #[error("V8 does not start: {0}")]
    Engine(String),
    #[error("no thread for an isolate: {0}")]
    Thread(#[from] std::io::Error),
}
