//! Background jobs of the catalog.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{Job, Kind, Lane};
use uuid::Uuid;

/// Publishes products that are due. The time makes each run a separate job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishProducts {
    /// UTC milliseconds.
    pub at: i64,
}

impl Job for PublishProducts {
    const KIND: Kind = Kind::new("publish_products", Lane::Maintenance, 60);

    fn due(&self) -> Option<i64> {
        Some(self.at)
    }
}

/// Writes a batch of an import's products, or undoes them. The step makes each batch a separate job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportProducts {
    pub import: Uuid,
    pub step: Uuid,
}

impl Job for ImportProducts {
    const KIND: Kind = Kind::new("import_products", Lane::Maintenance, 60);
}
