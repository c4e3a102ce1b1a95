//! The statistics by which SQLite plans statements, updated by a recurring job while the shop's tables grow.

pub mod jobs;
