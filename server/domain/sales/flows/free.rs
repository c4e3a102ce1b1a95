//! Frees what an unpaid checkout holds.

use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use uuid::Uuid;

use crate::{promotions, stock};

/// Gives back the promo code and releases the stock of a draft, whose row the caller holds. Paying takes both again.
pub async fn free(conn: &mut Conn<'_>, cx: &Context, order: Uuid) -> Result<(), DbError> {
    promotions::service::hold(conn, order, None).await?;
    promotions::service::give_back(conn, order).await?;
    stock::service::release(conn, cx.clock.as_ref(), order).await
}
