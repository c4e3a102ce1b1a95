//! What everything stands on. It knows no noun of the shop.
//!
//! - [`clock`], [`ids`], [`money`], [`weight`], [`address`], [`slug`], [`html`], [`role`], [`validity`] (what holds from a day to a day), [`csv`]
//! - [`config`]: the settings of this installation; [`context`]: what use cases work with; [`db`]: SQLite and PostgreSQL
//! - [`error`]: what can go wrong, on the wire; [`fields`], [`email`], [`phone`]: what is wrong with a field; [`recent_errors`]: what was logged last, for staff; [`seal`]: what only this shop can read

pub mod address;
pub mod clock;
pub mod config;
pub mod context;
pub mod csv;
pub mod db;
pub mod email;
pub mod error;
pub mod fields;
pub mod html;
pub mod ids;
pub mod money;
pub mod phone;
pub mod recent_errors;
pub mod role;
pub mod seal;
pub mod slug;
pub mod validity;
pub mod weight;
