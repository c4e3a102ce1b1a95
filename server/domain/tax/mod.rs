//! Sales tax. An Ohio seller's sales within Ohio are taxed at the seller's location; elsewhere at the destination, if the shop is
//! registered there at all: a state without rates is not taxed.

pub mod editing;
pub mod model;
pub mod service;
pub mod store;
