//! What pickups leave to the worker.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{Job, Kind, Lane, MINUTE};
use uuid::Uuid;

/// Writes to whom an order to be picked up waits for; the link makes it one email at every try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendPickupMail {
    pub link: Uuid,
}

impl Job for SendPickupMail {
    const KIND: Kind = Kind::new("pickup_mail", Lane::Mail, 36);
}

/// Reminds of orders that wait in the store, and frees what has waited too long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemindPickups {}

impl Job for RemindPickups {
    const KIND: Kind = Kind::recurring("remind_pickups", Lane::Maintenance, 10 * MINUTE);
}
