//! The environment of every use case.

use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::clock;
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

    /// The shop's time zone.
    pub fn zone(&self) -> &TimeZone {
        &self.config.company.time_zone
    }

    /// Today's date in the shop's time zone.
    pub fn today(&self) -> Date {
        clock::today(self.clock.as_ref(), self.zone())
    }
}
