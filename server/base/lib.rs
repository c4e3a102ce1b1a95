//! Foundations of all other crates. It knows no noun of the shop.
//!
//! - [`clock`], [`ids`], [`money`], [`weight`], [`address`], [`counties`], [`slug`], [`html`], [`role`], [`validity`] (periods of days),
//!   [`csv`]
//! - [`config`]: the settings of this installation; [`context`]: the environment of use cases; [`db`]: SQLite and PostgreSQL
//! - [`error`]: errors of requests and their responses; [`fields`], [`email`], [`phone`]: validation of fields; [`recent_errors`]: the last
//!   logged errors, for staff; [`metrics`]: counters for monitoring; [`trace`]: spans of traces; [`private_file`]: files for their owner
//!   alone; [`seal`], [`mac`]: encryption and signatures with the shop's secret; [`security`]: the security log; [`record`]: lines of the
//!   log that are always written; [`loggable`]: text of strangers for the log; [`supervise`]: tasks that last as long as the node

pub mod address;
pub mod clock;
pub mod config;
pub mod context;
pub mod counties;
pub mod csv;
pub mod db;
pub mod email;
pub mod error;
pub mod fields;
pub mod html;
pub mod ids;
pub mod loggable;
pub mod mac;
pub mod metrics;
pub mod money;
pub mod phone;
pub mod private_file;
pub mod recent_errors;
pub mod record;
pub mod role;
pub mod seal;
pub mod security;
pub mod slug;
pub mod supervise;
pub mod trace;
pub mod validity;
pub mod weight;
