//! Rows of draft orders, as [`super::store`] reads and writes them.

use jiff::tz::TimeZone;
use shop_base::address::Address;
use shop_base::clock;
use shop_base::db::DbError;
use shop_platform::audit::model::Subject;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::{DraftState, DraftStatus};
use crate::shipping::model::PICKUP;

/// A draft order without its lines.
#[derive(Clone, Debug, FromRow)]
pub struct Draft {
    pub id: Uuid,
    pub number: String,
    #[sqlx(try_from = "String")]
    pub status: DraftStatus,
    pub token_sealed: Vec<u8>,
    pub checkout_id: Uuid,
    pub order_id: Option<Uuid>,
    pub user_id: Option<Uuid>,
    pub email: String,
    pub phone: String,
    /// JSON of a `customers::address::Address`.
    pub address: String,
    pub shipping_method: String,
    pub promo_code: Option<String>,
    pub message: String,
    /// At the time when the prices were promised, minor units.
    pub total: i64,
    pub made_by: Uuid,
    /// Counts changes by staff.
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
    pub expires_at: i64,
    pub mailed_at: Option<i64>,
}

impl Draft {
    pub fn state(&self, now: i64) -> DraftState {
        self.status.at(now, self.expires_at)
    }

    /// Whether the only change since a version is that the link was mailed, after a time, UTC milliseconds.
    pub fn was_mailed(&self, version: i64, since: i64) -> bool {
        self.version - 1 == version && self.mailed_at == Some(self.updated_at) && self.updated_at > since
    }

    pub fn address(&self) -> Result<Address, DbError> {
        Address::stored(&self.address)
    }

    pub fn picked_up(&self) -> bool {
        self.shipping_method == PICKUP
    }

    /// The last day on which its prices are valid, `YYYY-MM-DD`.
    pub fn last_day(&self, zone: &TimeZone) -> String {
        clock::timestamp(self.expires_at - 1).to_zoned(zone.clone()).date().to_string()
    }

    pub fn subject(&self) -> Subject {
        Subject::new("draft_order", self.id, &self.number)
    }
}
