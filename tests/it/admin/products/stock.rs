//! Manual stock changes.

use serde_json::{Value, json};
use shop_domain::stock::counts;
use shop_domain::stock::counts::Count;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::desk::Desk;
use crate::support::TestShop;

pub async fn stock_changes_have_reasons_and_never_break_promises(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let made = desk.create(&desk.rack().await).await;
    let variant = made["content"]["variants"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("stock/{variant}");
    let change = async |body: Value| desk.call("POST", &path, body).await;

    let came = change(json!({ "seen": 7, "delta": 5, "reason": "received", "note": "from the joiner" })).await;
    assert_eq!(came.json(), json!({ "on_hand": 12, "reserved": 0, "low_stock_threshold": 5 }));
    change(json!({ "seen": 7, "delta": 5, "reason": "received" })).await.assert_problem(409, "changed_meanwhile");
    let counted = change(json!({ "seen": 12, "count": 10, "reason": "counted", "low_stock_threshold": 3 })).await;
    assert_eq!(counted.json(), json!({ "on_hand": 10, "reserved": 0, "low_stock_threshold": 3 }));
    for (body, field) in [
        (json!({ "seen": 10, "delta": -11, "reason": "lost" }), "delta"),
        (json!({ "seen": 10, "count": 1, "delta": 1, "reason": "lost" }), "count"),
        (json!({ "seen": 10, "delta": 1, "reason": "because" }), "reason"),
        (json!({ "seen": 10, "delta": i64::MAX, "reason": "found" }), "delta"),
    ] {
        let answer = change(body).await;
        answer.assert_problem(422, "invalid");
        assert!(answer.json()["errors"][field].is_array(), "{field}: {}", answer.text());
    }
    let movements = "SELECT COUNT(*) FROM stock_movements WHERE actor_id IS NOT NULL AND reason IS NOT NULL";
    assert_eq!(desk.count(movements).await, 3, "what it began with, what came, what was counted");

    // Four are reserved for orders: the stock never goes below that.
    let promised = format!(
        "UPDATE stock_levels SET reserved = 4 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = '{}')",
        "RACK-D"
    );
    let mut tx = desk.shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    shop_base::sql!(&mut conn, c => sqlx::query(sqlx::AssertSqlSafe(promised)).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    let refused = change(json!({ "seen": 10, "count": 3, "reason": "counted" })).await;
    assert!(refused.json()["errors"]["count"][0].as_str().unwrap().contains("4 are reserved"));

    // Staff and buyers concurrently: each change is either applied or refused, and the sum is right.
    let mut tasks = JoinSet::new();
    for _ in 0..10 {
        let (shop, cookie, path) = (desk.shop.clone(), desk.cookie().await.clone(), format!("/api/admin/{path}"));
        tasks.spawn(async move {
            let mut seen = 10;
            loop {
                let body = json!({ "seen": seen, "delta": 1, "reason": "found" });
                let answer = shop.call("POST", &path, &cookie, body).await;
                match answer.status.as_u16() {
                    200 => return,
                    409 => seen += 1,
                    other => panic!("{other}: {}", answer.text()),
                }
                if seen > 30 {
                    seen = 10;
                }
            }
        });
    }
    tasks.join_all().await;
    let level =
        "SELECT on_hand FROM stock_levels WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'RACK-D')";
    assert_eq!(desk.count(level).await, 20);
    let sum = "SELECT CAST(SUM(quantity) AS BIGINT) FROM stock_movements WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'RACK-D')";
    assert_eq!(desk.count(sum).await, 20);
    // A count in a file is applied as a difference: refused below the reserved quantity, and after a manual change.
    let variant: Uuid = variant.parse().unwrap();
    let mut tx = desk.shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let adjustments = counts::list_adjustments(&mut conn, &[variant]).await.unwrap()[&variant];
    let count = |wanted, adjustments| Count { variant_id: variant, seen: 20, wanted, adjustments };
    let held = counts::hold(&mut conn, &[count(5, adjustments)]).await.unwrap();
    assert_eq!(held.refusal(&count(5, adjustments)), None);
    assert!(held.refusal(&count(3, adjustments)).unwrap().contains("reserved"));
    assert!(held.refusal(&count(5, adjustments - 1)).unwrap().contains("Someone else has changed"));
}
