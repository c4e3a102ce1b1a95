//! What other systems are told of the stock.

use serde_json::json;
use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError};
use shop_platform::webhooks::model::NotificationKind;
use shop_platform::webhooks::service::listeners;
use uuid::Uuid;

use super::store;

/// Tells those who want to know of which of these variants only a little is left now, within the transaction that takes them. Each comes
/// with how many were taken: what was scarce before is not told again.
pub(super) async fn announce_low(conn: &mut Conn<'_>, clock: &dyn Clock, taken: &[(Uuid, i64)]) -> Result<(), DbError> {
    let listeners = listeners(conn, NotificationKind::StockLow).await?;
    if listeners.is_empty() {
        return Ok(());
    }
    for (variant, quantity) in taken {
        let Some(level) = store::find_level(conn, *variant).await? else { continue };
        let is_low = |on_hand: i64| on_hand <= level.low_stock_threshold;
        if !is_low(level.on_hand) || is_low(level.on_hand + quantity) {
            continue;
        }
        let data = json!({
            "variant": { "id": variant, "product_id": level.product_id, "sku": level.sku },
            "on_hand": level.on_hand, "reserved": level.reserved, "low_stock_threshold": level.low_stock_threshold,
        });
        listeners.announce(conn, clock, &level.sku, &data).await?;
    }
    Ok(())
}
