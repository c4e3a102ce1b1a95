//! Background jobs of webhooks.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::jobs::model::{HOUR, Job, Kind, Lane};

/// Sends a dispatch. The dispatch itself decides when to stop retrying; nobody in the shop waits for it, and its receiver may be down for
/// days.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendDispatch {
    pub dispatch: Uuid,
    /// None in jobs of a former release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<Uuid>,
}

impl Job for SendDispatch {
    const KIND: Kind = Kind::new("dispatch", Lane::Dispatches, i64::MAX).longest_delay(8 * HOUR);

    fn group(&self) -> Option<Uuid> {
        self.endpoint
    }
}
