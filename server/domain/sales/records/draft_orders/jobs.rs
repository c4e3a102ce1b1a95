//! What draft orders leave to the worker.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{Job, Kind, Lane};
use uuid::Uuid;

/// Writes to whom a draft order is for; `sending` makes it one email at every try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendDraftMail {
    pub draft: Uuid,
    pub sending: Uuid,
}

impl Job for SendDraftMail {
    const KIND: Kind = Kind::new("draft_mail", Lane::Mail, 36);
}
