//! Settings: changes take effect at once and are audited, and nobody overwrites a version that they have not seen.

pub mod compliance;
pub mod promotions;
pub mod reports;
pub mod shipping;
pub mod tax;
pub mod texts;
pub mod webhooks;

use serde_json::Value;
use shop_base::sql;

use crate::support::TestShop;

/// The props of a settings page.
pub async fn props(shop: &TestShop, cookie: &str, path: &str) -> Value {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let answer = shop.call("GET", &format!("{path}/_payload.json?{query}"), cookie, Value::Null).await;
    answer.assert_status(200).json()["props"].clone()
}

/// The newest audit entry: action, before and after.
pub async fn last_entry(shop: &TestShop) -> (String, Value, Value) {
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    const SQL: &str = "SELECT action, before, after FROM audit_entries ORDER BY seq DESC LIMIT 1";
    let (action, before, after): (String, String, String) =
        sql!(&mut conn, c => sqlx::query_as(SQL).fetch_one(c).await).unwrap();
    (action, serde_json::from_str(&before).unwrap(), serde_json::from_str(&after).unwrap())
}

/// How many audit entries an action has.
pub async fn count_entries(shop: &TestShop, action: &str) -> i64 {
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    const SQL: &str = "SELECT COUNT(*) FROM audit_entries WHERE action = $1";
    sql!(&mut conn, c => sqlx::query_scalar(SQL).bind(action).fetch_one(c).await).unwrap()
}
