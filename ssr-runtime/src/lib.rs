//! V8 isolates that render pages: props in as one JSON string, HTML out as one string.
//!
//! - [`snapshot`]: runs the app's bundle once, at build time, and stores the resulting heap
//! - [`Renderer`]: a pool of isolates started from that heap, each on its own thread (`pool`)
//! - `isolate`: one V8 isolate and the call into it; `memory`, `watchdog`: terminate a render that exceeds its limits
//! - [`Fragments`]: HTML that was rendered before, by what it shows; `reuse`: makes pages of it
//! - [`Props`]: what a page shows, with markers for the parts that the isolate does not get
//! - `platform`: the thread from which all V8 threads are started; `origin`: keeps different programs from running in a process at once
//! - `stack`: maps positions in the bundle to positions in the sources
//!
//! The bundle defines `globalThis.render(json: string): string | Promise<string>`. See README.md for the whole contract.

mod error;
mod fragments;
mod isolate;
mod memory;
mod origin;
mod parts;
mod platform;
mod pool;
mod reuse;
pub mod snapshot;
mod stack;
mod stats;
mod watchdog;

pub use error::{RenderError, StartError};
pub use fragments::{Fragments, Occurrence};
pub use parts::{Data, Marker, Parts, Props};
pub use pool::{Html, Options, Program, Renderer};
pub use reuse::Reused;
pub use stats::{Bucket, IsolateStats, State, Stats, Times};
