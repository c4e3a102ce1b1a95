//! Background jobs of the reports.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{Job, Kind, Lane, SECOND};

/// Updates the shop's figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollUp {}

impl Job for RollUp {
    const KIND: Kind = Kind::recurring("roll_up", Lane::Maintenance, 15 * SECOND);
}
