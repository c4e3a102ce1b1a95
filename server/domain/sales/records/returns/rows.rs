//! Rows of returns, as [`super::store`] reads and writes them.

use sqlx::FromRow;
use uuid::Uuid;

use super::model::ReturnStatus;

#[derive(Clone, Debug, FromRow)]
pub struct Return {
    pub id: Uuid,
    pub order_id: Uuid,
    #[sqlx(try_from = "String")]
    pub status: ReturnStatus,
    pub reason: String,
    /// The text sent to the buyer on rejection; empty if none.
    pub message: String,
    pub refund_id: Option<Uuid>,
    pub created_at: i64,
}

impl Return {
    /// Whether staff have closed it without a refund.
    pub fn is_closed(&self) -> bool {
        self.status == ReturnStatus::Refunded && self.refund_id.is_none()
    }
}

/// A quantity of a line, and what was received of it.
#[derive(Clone, Debug, FromRow)]
pub struct ReturnLine {
    pub return_id: Uuid,
    pub line_id: Uuid,
    pub quantity: i64,
    pub restocked: i64,
    pub written_off: i64,
}
