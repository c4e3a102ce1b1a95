//! Background jobs of statistics.

use serde::{Deserialize, Serialize};

use crate::jobs::model::{Job, Kind, Lane, MINUTE};

/// Analyzes the tables that have changed much. Looking for them costs little, and a rush or an import may fill a table within minutes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateStatistics {}

impl Job for UpdateStatistics {
    const KIND: Kind = Kind::recurring("update_statistics", Lane::Maintenance, 10 * MINUTE);
}
