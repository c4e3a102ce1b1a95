//! What webhooks leave to the worker.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::jobs::model::{HOUR, Job, Kind, Lane};

/// Sends an endpoint what it is told. It decides by itself when it has been tried for long enough; nobody of the shop waits for it, and its
/// receiver may be away for days.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendDispatch {
    pub dispatch: Uuid,
}

impl Job for SendDispatch {
    const KIND: Kind = Kind::new("dispatch", Lane::Dispatches, i64::MAX).longest_delay(8 * HOUR);
}
