//! How long what is in the database is kept. [`model::TABLES`] names every table; the daily cleaning goes by it.

pub mod jobs;
pub mod model;
pub mod service;
