//! What every use case works with.

use std::sync::Arc;

use super::clock::Clock;
use super::config::Config;
use super::db::{Db, Purpose};

/// The time, the settings of this installation and its database. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    pub clock: Arc<dyn Clock>,
    pub config: Arc<Config>,
    /// Through the connections of those for whom the work is done.
    pub db: Db,
}

impl Context {
    /// The same, with the database connections of another purpose.
    #[must_use]
    pub fn of(&self, purpose: Purpose) -> Self {
        Self { db: self.db.of(purpose), ..self.clone() }
    }
}
