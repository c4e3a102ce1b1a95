//! Rows of links to orders that wait in the store, as [`super::store`] reads and writes them.

use sqlx::FromRow;
use uuid::Uuid;

/// An email's link.
#[derive(Clone, Debug, FromRow)]
pub struct Link {
    pub id: Uuid,
    pub order_id: Uuid,
    pub click_id: Uuid,
    pub token_sealed: Vec<u8>,
    pub email: String,
    pub network: String,
    pub expires_at: i64,
    pub used_at: Option<i64>,
    /// When the shopper's checkout became another one.
    pub replaced_at: Option<i64>,
}
