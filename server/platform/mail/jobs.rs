//! Emails to the owners of accounts, sent by the worker.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::model::Mail;
use crate::jobs::model::{Job, Kind, Lane};

/// Sends a mail to an account's owner; because of the id, all tries are the same email.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendAccountMail {
    pub id: Uuid,
    /// None in jobs of a former release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<Uuid>,
    pub to: String,
    pub mail: Mail,
}

impl Job for SendAccountMail {
    const KIND: Kind = Kind::new("account_mail", Lane::Mail, 36);
}
