//! Manual stock changes.

use serde_json::{Value, json};
use shop_domain::stock::counts;
use shop_domain::stock::counts::Count;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::desk::Desk;
use crate::admin::orders;
use crate::admin::orders::{chosen, parcel};
use crate::checkout::bench::PIPE_TOOL;
use crate::checkout::crowd::in_a_crowd;
use crate::support::{Answer, TestShop};

pub async fn stock_changes_have_reasons_and_never_break_promises(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let made = desk.create(&desk.rack().await).await;
    let variant = made["content"]["variants"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("stock/{variant}");
    let change = async |body: Value| desk.call("POST", &path, body).await;

    let came = change(json!({ "seen": 7, "delta": 5, "reason": "received", "note": "from the joiner" })).await;
    assert_eq!(came.json(), json!({ "on_hand": 12, "reserved": 0, "to_hand_over": 0, "low_stock_threshold": 5 }));
    let again = change(json!({ "seen": 7, "delta": 5, "reason": "received" })).await;
    let detail = again.assert_problem(409, "changed_meanwhile").json()["detail"].clone();
    assert!(detail.as_str().unwrap().contains("an earlier try of yours"), "five more would be ten: {detail}");
    let counted = change(json!({ "seen": 12, "counted": 10, "reason": "counted", "low_stock_threshold": 3 })).await;
    assert_eq!(counted.json(), json!({ "on_hand": 10, "reserved": 0, "to_hand_over": 0, "low_stock_threshold": 3 }));
    for (body, field) in [
        (json!({ "seen": 10, "delta": -11, "reason": "lost" }), "delta"),
        (json!({ "seen": 10, "counted": 1, "delta": 1, "reason": "lost" }), "counted"),
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
    let refused = change(json!({ "seen": 10, "counted": 3, "reason": "counted" })).await;
    assert!(refused.json()["errors"]["counted"][0].as_str().unwrap().contains("Reserved for orders: 4."));

    // Staff and buyers concurrently: each change is either applied or refused, and the sum is right.
    let mut tasks = JoinSet::new();
    for _ in 0..10 {
        let (shop, cookie, path) = (desk.shop.clone(), desk.cookie().await.clone(), format!("/api/admin/{path}"));
        tasks.spawn(async move {
            let mut seen = 10;
            loop {
                let body = json!({ "seen": seen, "delta": 1, "reason": "found" });
                let answer = in_a_crowd(|| shop.call("POST", &path, &cookie, body.clone())).await;
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
    let product: Uuid = serde_json::from_value(made["id"].clone()).unwrap();
    let adjustments = counts::list_adjustments(&mut conn, &[product]).await.unwrap()[&variant];
    let count = |wanted, adjustments| Count { variant_id: variant, seen: 20, wanted, adjustments };
    let held = counts::hold(&mut conn, &[count(5, adjustments)]).await.unwrap();
    assert_eq!(held.refusal(&count(5, adjustments)), None);
    assert!(held.refusal(&count(3, adjustments)).unwrap().contains("reserved"));
    assert!(held.refusal(&count(5, adjustments - 1)).unwrap().contains("Someone else has changed"));
}

/// A shop with thirty pipe tools, sold by orders and counted in the stock dialog.
struct Shelf {
    desk: orders::Desk,
    variant: Uuid,
    product: Uuid,
}

impl Shelf {
    async fn open(shop: &TestShop) -> Self {
        let mut desk = orders::Desk::open(shop).await;
        desk.bench.stock(PIPE_TOOL, 30).await;
        let variant = desk.bench.variant(PIPE_TOOL).await;
        let product = desk.bench.id("SELECT product_id FROM product_variants WHERE sku = 'TWT-SIN'").await;
        Self { desk, variant, product }
    }

    /// What the dialog shows: pieces on hand, and pieces to hand over.
    async fn shown(&self) -> (i64, i64) {
        let path = format!("/api/admin/products/{}", self.product);
        let view =
            self.desk.bench.shop.call("GET", &path, &self.desk.admin, Value::Null).await.assert_status(200).json();
        let variants = view["content"]["variants"].as_array().unwrap();
        let at = variants.iter().position(|variant| variant["id"] == json!(self.variant)).unwrap();
        let stock = &view["stock"][at];
        (stock["on_hand"].as_i64().unwrap(), stock["to_hand_over"].as_i64().unwrap())
    }

    async fn change(&self, body: Value) -> Answer {
        let path = format!("/api/admin/stock/{}", self.variant);
        self.desk.bench.shop.call("POST", &path, &self.desk.admin, body).await
    }

    /// Counts as somebody to whom the dialog has shown these figures.
    async fn count(&self, (on_hand, to_hand_over): (i64, i64), count: i64) -> Answer {
        let body = json!({
            "seen": on_hand, "seen_to_hand_over": to_hand_over, "counted": count, "reason": "counted",
        });
        self.change(body).await
    }

    async fn ship(&self, number: &str, pieces: i64) {
        let line = self.desk.line(number, PIPE_TOOL).await;
        self.desk.act(&self.desk.staff, number, "shipment", parcel(&[(line, pieces)])).await.assert_status(204);
    }
}

/// Goods that are sold are on the shelf until they leave: who counts them puts none of them on sale again.
pub async fn a_count_leaves_sold_what_is_sold(shop: TestShop) {
    let shelf = Shelf::open(&shop).await;
    let number = shelf.desk.paid(&[(PIPE_TOOL, 3)]).await;
    shelf.desk.to_pick_up(PIPE_TOOL).await;
    assert_eq!(shelf.shown().await, (26, 4));
    // Thirty are on the shelf, as before anything was sold.
    let counted = shelf.count((26, 4), 30).await.assert_status(200).json();
    assert_eq!((&counted["on_hand"], &counted["to_hand_over"]), (&json!(26), &json!(4)));
    // Some have left, some will never leave.
    shelf.ship(&number, 1).await;
    assert_eq!(shelf.shown().await, (26, 3));
    let line = shelf.desk.line(&number, PIPE_TOOL).await;
    let part = json!({ "lines": chosen(&[(line, 1)]), "restock": true, "by_shopper": true });
    shelf.desk.act(&shelf.desk.admin, &number, "cancellation", part).await.assert_status(204);
    assert_eq!(shelf.shown().await, (27, 2));
    let counted = shelf.count((27, 2), 28).await.assert_status(200).json();
    assert_eq!(counted["on_hand"], 26, "one is missing");
    // Once all of an order has left, none of it is on the shelf.
    shelf.ship(&number, 1).await;
    assert_eq!(shelf.shown().await, (26, 1));
    let counted = shelf.count((26, 1), 27).await.assert_status(200).json();
    assert_eq!(counted["on_hand"], 26);
    // An adjustment concerns what is on hand only.
    let found = json!({ "seen": 26, "delta": 2, "reason": "found" });
    assert_eq!(shelf.change(found).await.assert_status(200).json()["on_hand"], 28);
    // Fewer than the orders need.
    let refused = shelf.count((28, 1), 0).await;
    refused.assert_problem(422, "invalid");
    let message = refused.json()["errors"]["counted"][0].as_str().unwrap().to_owned();
    assert!(message.contains("1 sold but not yet shipped") && message.contains("Missing: 1."), "{message}");
    assert_eq!(shelf.shown().await, (28, 1));
}

pub async fn a_count_notices_what_was_sold_or_sent_meanwhile(shop: TestShop) {
    let shelf = Shelf::open(&shop).await;
    let seen = shelf.shown().await;
    assert_eq!(seen, (30, 0));
    let number = shelf.desk.paid(&[(PIPE_TOOL, 3)]).await;
    shelf.count(seen, 30).await.assert_problem(409, "changed_meanwhile");
    // Who has read only the pieces on hand may not know that sold ones are there.
    let half = json!({ "seen": 27, "counted": 30, "reason": "counted" });
    shelf.change(half).await.assert_problem(409, "changed_meanwhile");
    let seen = shelf.shown().await;
    assert_eq!(seen, (27, 3));
    shelf.ship(&number, 3).await;
    shelf.count(seen, 30).await.assert_problem(409, "changed_meanwhile");
    assert_eq!(shelf.shown().await, (27, 0));
    shelf.desk.bench.assert_stock_is_exact().await;
    // An adjustment does not depend on what has left.
    let found = json!({ "seen": 27, "seen_to_hand_over": 3, "delta": 1, "reason": "found" });
    shelf.change(found).await.assert_status(200);
    assert_eq!(shelf.count((28, 0), 27).await.assert_status(200).json()["on_hand"], 27);
    // Whose field has another name is not told that all went well.
    shelf.change(json!({ "seen": 27, "count": 30, "reason": "counted" })).await.assert_problem(422, "invalid");
}
