//! V8 isolates that render pages: props in as one JSON string, HTML out as one string.
//!
//! - [`snapshot`]: runs the app's bundle once, at build time, and stores the resulting heap
//! - [`Renderer`]: a pool of isolates started from that heap, each on its own thread (`pool`)
//! - `isolate`: one V8 isolate and the call into it; `memory`, `watchdog`: terminate a render that exceeds its limits
//! - [`Fragments`]: the HTML of components that show the same thing on many pages
//! - `platform`: the thread from which all V8 threads are started; `origin`: keeps different programs from running in a process at once
//! - `stack`: maps positions in the bundle to positions in the sources
//!
//! The bundle defines `globalThis.render(json: string): string | Promise<string>`. See README.md for the whole contract.

mod error;
mod fragments;
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
pub use fragments::{Fragments, Missing, Occurrence};
pub use pool::{Html, Options, Program, Renderer};
pub use stats::{Bucket, IsolateStats, State, Stats};
