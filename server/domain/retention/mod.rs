//! How long data in the database is kept. [`model::TABLES`] lists every table and controls the daily cleanup, [`personal::COLUMNS`] every
//! column with personal data.

pub mod jobs;
pub mod model;
pub mod personal;
pub mod service;
