//! Background jobs of statistics.

use serde::{Deserialize, Serialize};

use crate::jobs::model::{HOUR, Job, Kind, Lane};

/// Analyzes the tables that have changed much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateStatistics {}

impl Job for UpdateStatistics {
    const KIND: Kind = Kind::recurring("update_statistics", Lane::Maintenance, 6 * HOUR);
}
