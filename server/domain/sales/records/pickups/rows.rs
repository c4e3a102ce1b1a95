//! Rows of links to pickup orders, as [`super::store`] reads and writes them.

use sqlx::FromRow;
use uuid::Uuid;

/// A link sent by email.
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
    /// When it was invalidated because the shopper's checkout changed.
    pub replaced_at: Option<i64>,
}
