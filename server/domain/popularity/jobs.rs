//! Background jobs of popularity.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{HOUR, Job, Kind, Lane};

/// Updates the popularity and related products of all products.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankProducts {}

impl Job for RankProducts {
    const KIND: Kind = Kind::recurring("rank_products", Lane::Maintenance, 24 * HOUR);
}
