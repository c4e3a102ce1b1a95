//! The cart of a signed-in shopper on two devices.

use serde_json::{Value, json};
use shop_base::sql;
use uuid::Uuid;

use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_cart_needs_somebody,
    a_guests_cart_joins_the_users,
    two_devices_end_with_the_same_cart,
    a_line_that_comes_back_is_where_it_was,
    sending_at_once_loses_and_doubles_nothing,
    what_changes_nothing_waits_for_nobody_who_writes,
    what_changed_meanwhile_is_told,
    what_an_account_is_about_to_pay_for_is_there_on_its_other_devices,
    fields_are_checked,
    a_code_stays_with_the_cart,
];

async fn variant(shop: &TestShop, sku: &str) -> Uuid {
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM product_variants WHERE sku = $1").bind(sku).fetch_one(c).await)
        .unwrap()
}

/// One device of a user: its session and the last cart from the server.
struct Phone {
    shop: TestShop,
    session: String,
    base: Option<Value>,
}

impl Phone {
    async fn of(shop: &TestShop, user: &str) -> Self {
        Self { session: shop.sign_in(user, &["customer"]).await, shop: shop.clone(), base: None }
    }

    /// Syncs these items; returns the merged cart as pairs of SKU and quantity.
    async fn sync(&mut self, items: &[(Uuid, i64)]) -> Vec<(String, i64)> {
        let items: Vec<Value> = items.iter().map(|(id, qty)| json!({ "id": id, "qty": qty })).collect();
        let mut body = json!({ "items": items });
        if let Some(base) = &self.base {
            body["base"] = base.clone();
        }
        let cart = self.shop.call("POST", "/api/cart/sync", &self.session, body).await.assert_status(200).json();
        self.base = Some(cart["items"].clone());
        contents(&cart)
    }

    async fn cart(&self) -> Value {
        self.shop.call("GET", "/api/cart", &self.session, Value::Null).await.assert_status(200).json()
    }
}

fn contents(cart: &Value) -> Vec<(String, i64)> {
    let items = cart["items"].as_array().unwrap().iter();
    items.map(|item| (item["sku"].as_str().unwrap().to_owned(), item["qty"].as_i64().unwrap())).collect()
}

fn is(pairs: &[(&str, i64)]) -> Vec<(String, i64)> {
    pairs.iter().map(|(sku, qty)| ((*sku).to_owned(), *qty)).collect()
}

async fn a_cart_needs_somebody(shop: TestShop) {
    shop.get("/api/cart").await.assert_problem(401, "unauthorized");
    shop.post_json("/api/cart/sync", r#"{"items":[]}"#).await.assert_problem(401, "unauthorized");
    let fresh = Phone::of(&shop, "cart-fresh").await.cart().await;
    assert_eq!(fresh, json!({ "items": [], "updated_at": 0, "promo_code": null, "changes": [] }));
}

async fn a_guests_cart_joins_the_users(shop: TestShop) {
    let (tool, brush) = (variant(&shop, "TWT-SIN").await, variant(&shop, "SBB").await);
    let mut laptop = Phone::of(&shop, "cart-guest").await;
    assert_eq!(laptop.sync(&[(tool, 2)]).await, is(&[("TWT-SIN", 2)]));
    let mut phone = Phone::of(&shop, "cart-guest").await;
    assert_eq!(
        phone.sync(&[(tool, 1), (brush, 3)]).await,
        is(&[("TWT-SIN", 2), ("SBB", 3)]),
        "nothing is lost or doubled"
    );
    phone.base = None;
    assert_eq!(
        phone.sync(&[(tool, 1), (brush, 3)]).await,
        is(&[("TWT-SIN", 2), ("SBB", 3)]),
        "nor by sending it again"
    );
    let cart = laptop.cart().await;
    assert_eq!(contents(&cart), is(&[("TWT-SIN", 2), ("SBB", 3)]));
    assert_eq!((&cart["items"][0]["price"], &cart["items"][0]["saved"]), (&json!(600), &json!(false)));
    assert!(cart["updated_at"].as_i64().unwrap() > 0);
}

async fn two_devices_end_with_the_same_cart(shop: TestShop) {
    let (tool, brush, filters) =
        (variant(&shop, "TWT-SIN").await, variant(&shop, "SBB").await, variant(&shop, "CF9-40").await);
    let (mut laptop, mut phone) = (Phone::of(&shop, "cart-two").await, Phone::of(&shop, "cart-two").await);
    laptop.sync(&[(tool, 1), (brush, 1)]).await;
    phone.sync(&[]).await;
    // The laptop removes the brush; the phone, which has not synced since, increases the tool and adds filters.
    laptop.sync(&[(tool, 1)]).await;
    assert_eq!(phone.sync(&[(tool, 4), (brush, 1), (filters, 2)]).await, is(&[("TWT-SIN", 4), ("CF9-40", 2)]));
    assert_eq!(laptop.sync(&[(tool, 1)]).await, is(&[("TWT-SIN", 4), ("CF9-40", 2)]));
    let before = laptop.cart().await["updated_at"].clone();
    laptop.sync(&[(tool, 4), (filters, 2)]).await;
    assert_eq!(laptop.cart().await["updated_at"], before, "what changes nothing is no change");
}

async fn a_line_that_comes_back_is_where_it_was(shop: TestShop) {
    let (tool, brush) = (variant(&shop, "TWT-SIN").await, variant(&shop, "SBB").await);
    let mut phone = Phone::of(&shop, "cart-undo").await;
    phone.sync(&[(tool, 2), (brush, 1)]).await;
    phone.sync(&[(brush, 1)]).await;
    assert_eq!(phone.sync(&[(tool, 2), (brush, 1)]).await, is(&[("TWT-SIN", 2), ("SBB", 1)]));
    assert_eq!(contents(&phone.cart().await), is(&[("TWT-SIN", 2), ("SBB", 1)]));
}

async fn sending_at_once_loses_and_doubles_nothing(shop: TestShop) {
    let skus = ["TWT-SIN", "SBB", "CF9-40", "CPC-50", "BPC-50", "CWC-25", "PF6-50", "FLT-ONTU"];
    let mut devices = tokio::task::JoinSet::new();
    for sku in skus {
        let (mut phone, id) = (Phone::of(&shop, "cart-rush").await, variant(&shop, sku).await);
        devices.spawn(async move {
            phone.sync(&[(id, 2)]).await;
        });
    }
    devices.join_all().await;
    let mut got = contents(&Phone::of(&shop, "cart-rush").await.cart().await);
    got.sort();
    let mut expected = is(&skus.map(|sku| (sku, 2)));
    expected.sort();
    assert_eq!(got, expected);
}

async fn what_changes_nothing_waits_for_nobody_who_writes(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let (tool, brush) = (variant(&shop, "TWT-SIN").await, variant(&shop, "SBB").await);
    let mut phone = Phone::of(&shop, "cart-unchanged").await;
    let both = phone.sync(&[(tool, 2), (brush, 1)]).await;
    // SQLite has one writer, and PostgreSQL a lock for each cart.
    let mut tx = shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    sql!(&mut conn, c => sqlx::query("UPDATE carts SET updated_at = updated_at").execute(c).await.map(drop)).unwrap();
    assert_eq!(phone.sync(&[(tool, 2), (brush, 1)]).await, both);
    tx.commit().await.unwrap();
    // A change is stored, as always.
    assert_eq!(phone.sync(&[(tool, 3), (brush, 1)]).await, is(&[("TWT-SIN", 3), ("SBB", 1)]));
    assert_eq!(contents(&phone.cart().await), is(&[("TWT-SIN", 3), ("SBB", 1)]));
}

async fn what_changed_meanwhile_is_told(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let (tool, brush) = (variant(&shop, "TWT-SIN").await, variant(&shop, "SBB").await);
    let mut phone = Phone::of(&shop, "cart-change").await;
    phone.sync(&[(tool, 3), (brush, 1)]).await;
    for statement in [
        "UPDATE product_variants SET price = 650 WHERE sku = 'TWT-SIN'",
        "UPDATE stock_levels SET on_hand = 2 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')",
        "UPDATE products SET status = 'draft' WHERE id = (SELECT product_id FROM product_variants WHERE sku = 'SBB')",
    ] {
        let mut tx = shop.app.db.begin().await.unwrap();
        let mut conn = tx.conn();
        sql!(&mut conn, c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
    }
    let cart = phone.cart().await;
    assert_eq!(contents(&cart), is(&[("TWT-SIN", 2)]));
    let kinds: Vec<&Value> = cart["changes"].as_array().unwrap().iter().map(|change| &change["kind"]).collect();
    assert_eq!(kinds, ["not_enough_stock", "price_changed", "unavailable"]);
    // Changes that the device has synced are not reported again.
    phone.sync(&[(tool, 2)]).await;
    assert_eq!(phone.cart().await["changes"], json!([]));
}

async fn what_an_account_is_about_to_pay_for_is_there_on_its_other_devices(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 6).await;
    let (tool, five) = (bench.variant(PIPE_TOOL).await, is(&[("TWT-SIN", 5)]));
    let mut laptop = Phone::of(&bench.shop, "cart-held").await;
    assert_eq!(laptop.sync(&[(tool, 5)]).await, five);
    let mut order = bench.order(PIPE_TOOL, 5).await;
    order["source_id"] = json!("cnon:card-nonce-declined");
    let payer = format!("{}; {}", laptop.session, bench.shop.age_cookie());
    bench.pay_as(&payer, &order).await.assert_status(402);
    // It has no cookie that names the checkout.
    let mut phone = Phone::of(&bench.shop, "cart-held").await;
    let cart = phone.cart().await;
    assert_eq!((contents(&cart), &cart["changes"]), (five.clone(), &json!([])));
    assert_eq!(phone.sync(&[(tool, 5)]).await, five);
    assert_eq!(contents(&laptop.cart().await), five);
    let mut other = Phone::of(&bench.shop, "cart-other").await;
    assert_eq!(other.sync(&[(tool, 5)]).await, is(&[("TWT-SIN", 1)]), "the account alone holds them");
}

async fn fields_are_checked(shop: TestShop) {
    let tool = variant(&shop, "TWT-SIN").await;
    let phone = Phone::of(&shop, "cart-fields").await;
    for (items, field) in [
        (json!([{ "id": tool, "qty": 0 }]), "items[0].qty"),
        (json!([{ "id": tool, "qty": -1 }]), "items[0].qty"),
        (json!([{ "id": tool, "qty": 1 }, { "id": tool, "qty": 2 }]), "items[1].id"),
        (json!([{ "id": "tool", "qty": 1 }]), "items[0].id"),
        (json!([{ "id": tool, "qty": 1.5 }]), "items[0].qty"),
        (Value::Array(vec![json!({ "id": tool, "qty": 1 }); 101]), "items"),
    ] {
        let answer = phone.shop.call("POST", "/api/cart/sync", &phone.session, json!({ "items": items })).await;
        let problem = answer.assert_problem(422, "invalid").json();
        assert_eq!(problem["errors"].as_object().unwrap().keys().next().unwrap(), field);
    }
    let kept = json!({ "items": [{ "id": tool, "qty": 1, "title": "of another shop", "price": 1 }] });
    let cart = phone.shop.call("POST", "/api/cart/sync", &phone.session, kept).await.assert_status(200).json();
    assert_eq!(
        (&cart["items"][0]["price"], &cart["items"][0]["title"]),
        (&json!(600), &json!("Three-Way Pipe Tool")),
        "the server decides"
    );
}

async fn a_code_stays_with_the_cart(shop: TestShop) {
    let phone = Phone::of(&shop, "cart-code").await;
    let body = json!({ "items": [], "promo_code": " welcome10" });
    phone.shop.call("POST", "/api/cart/sync", &phone.session, body).await.assert_status(200);
    assert_eq!(Phone::of(&shop, "cart-code").await.cart().await["promo_code"], "WELCOME10");
    let body = json!({ "items": [], "base": [] });
    phone.shop.call("POST", "/api/cart/sync", &phone.session, body).await.assert_status(200);
    assert!(phone.cart().await["promo_code"].is_null(), "a device that was told of it has removed it");
}
