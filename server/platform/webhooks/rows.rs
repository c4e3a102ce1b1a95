//! Rows of webhooks, as [`super::store`] reads and writes them.

use shop_base::db::{DbError, decoded};
use sqlx::FromRow;
use uuid::Uuid;

use super::model::{DispatchStatus, EndpointInput, NotificationKind, OffReason};

/// A receiver of notifications.
#[derive(Clone, Debug, FromRow)]
pub struct Endpoint {
    pub id: Uuid,
    pub name: String,
    pub url: String,
    /// JSON list of kinds.
    events: String,
    pub is_enabled: bool,
    off_why: Option<String>,
    /// Encrypted.
    pub secret: Vec<u8>,
    /// The request that made the secret, as the browser named it.
    pub secret_request_id: Option<Uuid>,
    pub former_secret: Option<Vec<u8>>,
    pub former_until: Option<i64>,
    pub failing_since: Option<i64>,
    pub resting_until: i64,
    pub version: i64,
    pub created_at: i64,
}

impl Endpoint {
    /// The kinds it is subscribed to, without those that no longer exist.
    pub fn events(&self) -> Result<Vec<NotificationKind>, DbError> {
        let names: Vec<String> = decoded("events", serde_json::from_str(&self.events))?;
        Ok(names.iter().filter_map(|name| name.parse().ok()).collect())
    }

    pub fn off_why(&self) -> Result<Option<OffReason>, DbError> {
        self.off_why.as_ref().map(|text| decoded("off_why", text.parse())).transpose()
    }

    /// Its current settings.
    pub fn input(&self) -> Result<EndpointInput, DbError> {
        let (name, url) = (self.name.clone(), self.url.clone());
        Ok(EndpointInput { name, url, events: self.events()?, is_enabled: self.is_enabled })
    }

    /// The secret that it had before, if that still signs at a time (UTC milliseconds), and until when.
    pub fn former(&self, at: i64) -> Option<(&[u8], i64)> {
        let until = self.former_until.filter(|until| at < *until)?;
        Some((self.former_secret.as_deref()?, until))
    }
}

/// A secret that an endpoint had before its former one.
#[derive(Clone, Debug, FromRow)]
pub struct OlderSecret {
    pub id: Uuid,
    /// Encrypted, and bound to this row's `id`.
    pub secret: Vec<u8>,
    /// UTC milliseconds.
    pub signs_until: i64,
}

/// A notification on its way to an endpoint.
#[derive(Clone, Debug, FromRow)]
pub struct Dispatch {
    pub id: Uuid,
    pub notification_id: Uuid,
    pub endpoint_id: Uuid,
    /// The text of a [`NotificationKind`], perhaps of one that only a newer release knows.
    pub kind: String,
    /// The order's number, the product's handle or the sku that it is about.
    pub subject: String,
    /// JSON, as sent.
    pub payload: String,
    #[sqlx(try_from = "String")]
    pub status: DispatchStatus,
    /// Requested by staff.
    pub by_hand: bool,
    pub attempts: i64,
    /// Time of the first attempt, UTC milliseconds.
    pub first_at: Option<i64>,
}

impl Dispatch {
    pub fn is_test(&self) -> bool {
        self.kind == NotificationKind::Test.text()
    }
}
