//! What popularity leaves to the worker.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{HOUR, Job, Kind, Lane};

/// Orders lists by what sells, and learns what sells together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankProducts {}

impl Job for RankProducts {
    const KIND: Kind = Kind::recurring("rank_products", Lane::Maintenance, 24 * HOUR);
}
