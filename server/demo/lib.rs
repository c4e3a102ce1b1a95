//! A shop to try out: settings for this machine only, pictures drawn by the project, and stand-ins for external services: an identity
//! provider, a mailbox, a card provider. Never part of a production shop.

pub mod identity;
pub mod illustrations;
pub mod mailbox;
mod setup;
pub mod square;

pub use setup::{config, square_config, start_identity, start_square, tour};
