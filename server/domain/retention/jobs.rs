//! Background jobs of retention.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{HOUR, Job, Kind, Lane};

/// Deletes expired rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clean {}

impl Job for Clean {
    const KIND: Kind = Kind::recurring("clean", Lane::Maintenance, 24 * HOUR);
}
