//! Rows of the stock.

use sqlx::FromRow;
use uuid::Uuid;

#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Reservation {
    pub variant_id: Uuid,
    pub quantity: i64,
    /// `held`, `sold` or `released`.
    pub state: String,
}

impl Reservation {
    pub fn is_held(&self) -> bool {
        self.state == "held"
    }

    /// The goods may have been sold to somebody else.
    pub fn is_released(&self) -> bool {
        self.state == "released"
    }
}
