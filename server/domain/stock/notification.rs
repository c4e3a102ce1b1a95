//! Webhook notifications about stock.

use serde_json::json;
use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError};
use shop_platform::webhooks::model::NotificationKind;
use shop_platform::webhooks::service::listeners;
use uuid::Uuid;

use super::store;

/// Notifies subscribers of those variants that have just become low in stock, within the transaction that takes the goods. Each variant
/// comes with the quantity taken: variants that were already low are not announced again. `former_threshold` is that of before the
/// transaction, if this has set it.
pub(super) async fn announce_low(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    taken: &[(Uuid, i64)],
    former_threshold: Option<i64>,
) -> Result<(), DbError> {
    let listeners = listeners(conn, NotificationKind::StockLow).await?;
    if listeners.is_empty() {
        return Ok(());
    }
    for (variant, quantity) in taken {
        let Some(level) = store::find_level(conn, *variant).await? else { continue };
        let was_low = level.on_hand + quantity <= former_threshold.unwrap_or(level.low_stock_threshold);
        if was_low || level.on_hand > level.low_stock_threshold {
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
