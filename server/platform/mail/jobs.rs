//! What is written to accounts' owners, by the worker.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::model::Mail;
use crate::jobs::model::{Job, Kind, Lane};

/// Writes to an account's owner; the id makes it one email at every try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendAccountMail {
    pub id: Uuid,
    pub to: String,
    pub mail: Mail,
}

impl Job for SendAccountMail {
    const KIND: Kind = Kind::new("account_mail", Lane::Mail, 36);
}
