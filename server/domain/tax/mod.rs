//! Sales tax. An Ohio seller's sales within Ohio are taxed where the seller is; elsewhere the destination counts, where the
//! shop is registered at all: a state without rates is not taxed.

pub mod editing;
pub mod model;
pub mod service;
pub mod store;
