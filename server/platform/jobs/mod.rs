//! Work that must happen even if the process is killed: a row written in the same transaction as its cause, taken by a worker.
//!
//! Invariants: a job runs on one node at a time (its lease names the holder, who renews it); it may run more than once, so each is
//! idempotent; a job that keeps failing is kept as dead until staff retry or discard it. Two jobs of the same content are one; one that
//! is added while it runs, runs once more. Jobs of one lane never wait for those of another, nor for a slow one of their own.

pub mod model;
pub mod registry;
pub mod rows;
pub mod run;
pub mod service;
pub mod state;
pub mod store;
pub mod worker;
