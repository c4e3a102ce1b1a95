//! Webhook notifications about products.

use serde_json::{Value, json};
use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError};
use shop_platform::webhooks::model::NotificationKind;
use shop_platform::webhooks::service::listeners;
use uuid::Uuid;

use super::model::StoredProduct;
use super::store;

/// Notifies subscribers of changes to these products, within the transaction that makes them.
pub(super) async fn announce(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    kind: NotificationKind,
    products: &[Uuid],
) -> Result<(), DbError> {
    let listeners = listeners(conn, kind).await?;
    if listeners.is_empty() || products.is_empty() {
        return Ok(());
    }
    for product in store::list_products(conn, products).await? {
        listeners.announce(conn, clock, &product.content.handle, &described(&product)).await?;
    }
    Ok(())
}

/// Amounts are minor units.
fn described(product: &StoredProduct) -> Value {
    let content = &product.content;
    let variants: Vec<Value> = content
        .variants
        .iter()
        .map(|variant| {
            json!({
                "id": variant.id, "sku": variant.sku, "price": variant.price,
                "compare_at_price": variant.compare_at_price,
            })
        })
        .collect();
    json!({ "product": {
        "id": product.id, "version": product.version, "handle": content.handle, "title": content.title,
        "status": content.status, "compliance_class": content.compliance_class, "currency": "USD",
        "variants": variants,
    } })
}
