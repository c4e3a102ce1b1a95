//! What retention leaves to the worker.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{HOUR, Job, Kind, Lane};

/// Deletes what is kept for a time only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clean {}

impl Job for Clean {
    const KIND: Kind = Kind::recurring("clean", Lane::Maintenance, 24 * HOUR);
}
