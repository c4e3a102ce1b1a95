//! Background jobs of draft orders.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{Job, Kind, Lane};
use uuid::Uuid;

/// Emails the recipient of a draft order; `sending` identifies the email across retries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendDraftMail {
    pub draft: Uuid,
    pub sending: Uuid,
}

impl Job for SendDraftMail {
    const KIND: Kind = Kind::new("draft_mail", Lane::Mail, 36);
}
