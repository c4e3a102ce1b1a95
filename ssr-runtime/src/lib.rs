//! V8 isolates that render pages: props in as one JSON string, HTML out as one string.
//!
//! - [`snapshot`]: runs the app's bundle once, at build time, and keeps the resulting heap
//! - [`Renderer`]: a pool of isolates started from that heap, each on a thread of its own (`pool`)
//! - `isolate`: one V8 isolate and the call into it; `memory`, `watchdog`: what stops a render that asks for too much
//! - `platform`: the thread that every V8 thread descends from; `origin`: programs of a process take turns
//! - `stack`: positions in the bundle back to positions in the sources
//!
//! The bundle defines `globalThis.render(json: string): string | Promise<string>`. See README.md for the whole contract.

mod error;
mod isolate;
mod memory;
mod origin;
mod platform;
mod pool;
pub mod snapshot;
mod stack;
mod stats;
mod watchdog;

pub use error::{RenderError, StartError};
pub use pool::{Html, Options, Program, Renderer};
pub use stats::{Bucket, IsolateStats, State, Stats};
