//! `/metrics` for Prometheus, on an address of its own. Whoever counts does so in memory, without locks; a scrape reads the counters, the
//! state of this node's parts, and, from the database, what is the same on each node.

mod database;
pub mod endpoint;
mod exposition;
mod node;
mod process;
mod queries;
pub mod requests;
