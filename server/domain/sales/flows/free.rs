//! Frees what unpaid checkouts hold.

use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use uuid::Uuid;

use crate::{promotions, stock};

/// Gives back the promo codes and releases the stock of drafts, whose rows the caller holds. Paying takes both again.
pub async fn free(conn: &mut Conn<'_>, cx: &Context, orders: &[Uuid]) -> Result<(), DbError> {
    if orders.is_empty() {
        return Ok(());
    }
    promotions::service::hold_all(conn, orders).await?;
    for order in orders {
        promotions::service::give_back(conn, *order).await?;
    }
    stock::service::release(conn, cx.clock.as_ref(), orders).await
}
