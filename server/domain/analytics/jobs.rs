//! What the reports leave to the worker.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{Job, Kind, Lane, SECOND};

/// Brings the figures of the shop up to date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollUp {}

impl Job for RollUp {
    const KIND: Kind = Kind::recurring("roll_up", Lane::Maintenance, 15 * SECOND);
}
