//! The outside world, behind traits that the nouns own. Wire types stay in here.

pub mod square;
