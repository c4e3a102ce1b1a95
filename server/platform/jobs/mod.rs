//! Work that must happen even if the process is killed: a row written in the same transaction as its cause, picked up by a worker.
//!
//! Invariants: a job runs on one node at a time (its lease names the holder, who renews it); it may run more than once, so each is
//! idempotent; a job that keeps failing is kept as dead until staff retry or discard it, or it is added again. Two jobs with the same
//! content are one; if one is added again while it runs, it runs once more. Jobs of one lane never wait for those of another, nor for a
//! slow job of their own lane, nor for many of another group.

pub mod ends;
pub mod model;
pub mod registry;
pub mod rows;
pub mod run;
pub mod service;
pub mod state;
pub mod store;
pub mod worker;
