//! Background jobs of pickups.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{Job, Kind, Lane, MINUTE};
use uuid::Uuid;

/// Emails the link of a pickup order; the link's id identifies the email across retries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendPickupMail {
    pub link: Uuid,
}

impl Job for SendPickupMail {
    const KIND: Kind = Kind::new("pickup_mail", Lane::Mail, 36);
}

/// Sends reminders for orders that wait in the store, and releases overdue ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemindPickups {}

impl Job for RemindPickups {
    const KIND: Kind = Kind::recurring("remind_pickups", Lane::Maintenance, 10 * MINUTE);
}
