//! The environment of every use case.

use std::sync::Arc;

use super::clock::Clock;
use super::config::Config;
use super::db::{Db, Purpose};

/// The clock, the settings of this installation and its database. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    pub clock: Arc<dyn Clock>,
    pub config: Arc<Config>,
    /// Uses the connections of the purpose that the work is done for.
    pub db: Db,
}

impl Context {
    /// The same context, with the database connections of another purpose.
    #[must_use]
    pub fn of(&self, purpose: Purpose) -> Self {
        Self { db: self.db.of(purpose), ..self.clone() }
    }
}
