//! Emails to the owners of accounts, sent by the worker.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::model::Mail;
use crate::jobs::model::{Job, Kind, Lane};

/// Sends a mail to an account's owner; because of the id, all tries are the same email.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendAccountMail {
    pub id: Uuid,
    pub to: String,
    pub mail: Mail,
}

impl Job for SendAccountMail {
    const KIND: Kind = Kind::new("account_mail", Lane::Mail, 36);
}
