//! How long data in the database is kept. [`model::TABLES`] lists every table and controls the daily cleanup.

pub mod jobs;
pub mod model;
pub mod service;
