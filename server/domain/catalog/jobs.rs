//! What the catalog leaves to the worker.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{Job, Kind, Lane};
use uuid::Uuid;

/// Makes products active whose time has come. The time makes it a job of its own.
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

/// Writes some products of a file, or takes them back. The step makes it a job of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportProducts {
    pub import: Uuid,
    pub step: Uuid,
}

impl Job for ImportProducts {
    const KIND: Kind = Kind::new("import_products", Lane::Maintenance, 60);
}
