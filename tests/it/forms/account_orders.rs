//! Orders on the account page in browsers without JavaScript: they go into the cart again, and older ones are on further pages.

use serde_json::{Value, json};
use shop_base::clock::Clock;
use shop_base::sql;
use uuid::Uuid;

use super::account::{after, main, props, refused, signed_in};
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{Test, TestShop, statements};
use crate::tests;

pub const TESTS: &[Test] = tests![
    an_order_goes_into_the_cart_again,
    an_order_goes_into_the_cart_beside_what_a_checkout_holds,
    staff_are_told_of_older_orders,
    older_orders_are_on_further_pages,
    of_each_order_is_read_what_is_shown,
];

async fn an_order_goes_into_the_cart_again(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    let mut browser = signed_in(&bench.shop, "again").await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    browser.form("/cart", &[("do", "add"), ("id", &tool), ("qty", "2")]).await.assert_status(303);
    let order = [
        ("delivery", "pickup"),
        ("payment", "pickup"),
        ("email", "again@shop.example"),
        ("address.first_name", "Ada"),
        ("address.last_name", "Reed"),
        ("do", "order"),
    ];
    let mut asked = browser.get("/checkout").await.envelope()["props"].clone();
    for status in [409, 303] {
        let total = asked["quote"]["total"].as_i64().map(|total| total.to_string()).unwrap_or_default();
        let [checkout, click] = ["checkout_id", "click_id"].map(|name| asked[name].as_str().unwrap().to_owned());
        let names = [("checkout_id", checkout.as_str()), ("click_id", &click), ("expected_total", &total)];
        let answer = browser.form("/checkout", &[&names[..], &order].concat()).await;
        answer.assert_status(status);
        if status == 409 {
            asked = answer.envelope()["props"].clone();
        }
    }
    let number = props(&mut browser).await["orders"][0]["number"].as_str().unwrap().to_owned();
    let again = [("do", "order_again"), ("number", number.as_str())];
    let answer = browser.form("/account", &again).await;
    assert_eq!(answer.assert_status(303).header("location"), "/cart");
    let lines = browser.get("/cart").await.envelope()["props"]["quote"]["lines"].clone();
    assert_eq!((&lines[0]["sku"], &lines[0]["qty"]), (&json!(PIPE_TOOL), &json!(2)));

    browser.form("/cart", &[("do", "remove"), ("id", &tool)]).await.assert_status(303);
    bench.stock(PIPE_TOOL, 1).await;
    let few = refused(&mut browser, &again).await;
    assert!(after(&few, "orders").contains("Only 1 of “Three-Way Pipe Tool” left."), "{}", after(&few, "orders"));
    assert!(after(&few, "orders").contains("<a href=\"/cart\">your cart</a>"));
    let lines = browser.get("/cart").await.envelope()["props"]["quote"]["lines"].clone();
    assert_eq!(lines[0]["qty"], 1);
    browser.form("/cart", &[("do", "remove"), ("id", &tool)]).await.assert_status(303);
    bench.execute("UPDATE product_variants SET archived_at = 1 WHERE sku = 'TWT-SIN'").await;
    let gone = refused(&mut browser, &again).await;
    assert!(after(&gone, "orders").contains("Some items are no longer available."));
    assert!(!after(&gone, "orders").contains("in your cart"), "it was not");
    let mut other = signed_in(&bench.shop, "again-other").await;
    other.form("/account", &again).await.assert_status(400);
    assert!(other.get("/cart").await.envelope()["props"]["quote"].is_null());
}

/// Of the three pieces that are left, an unfinished checkout of the account holds two.
async fn an_order_goes_into_the_cart_beside_what_a_checkout_holds(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 4).await;
    let mut browser = signed_in(&bench.shop, "again-held").await;
    let body = bench.order(PIPE_TOOL, 1).await;
    browser.call("POST", "/api/checkout/pay", body).await.assert_status(200);
    let number = props(&mut browser).await["orders"][0]["number"].as_str().unwrap().to_owned();
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    browser.form("/cart", &[("do", "add"), ("id", &tool), ("qty", "2")]).await.assert_status(303);
    let mut body = bench.order(PIPE_TOOL, 2).await;
    body["source_id"] = json!("cnon:card-nonce-declined");
    browser.call("POST", "/api/checkout/pay", body).await.assert_problem(402, "declined");
    // On another device, which has not heard of that checkout.
    let mut phone = signed_in(&bench.shop, "again-held").await;
    let answer = phone.form("/account", &[("do", "order_again"), ("number", number.as_str())]).await;
    assert_eq!(answer.assert_status(303).header("location"), "/cart");
    // The device with that checkout can buy all of them.
    let lines = browser.get("/cart").await.envelope()["props"]["quote"]["lines"].clone();
    assert_eq!((&lines[0]["sku"], &lines[0]["qty"]), (&json!(PIPE_TOOL), &json!(3)));
}

async fn staff_are_told_of_older_orders(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    signed_in(&shop, "often-canceled").await;
    let email = "often-canceled@shop.example";
    insert_orders(&shop, email, 20).await;
    let boss = shop.sign_in("boss", &["admin"]).await;
    let mut reader = shop.app.db.read().await.unwrap();
    let id: Uuid =
        sql!(&mut reader.conn(), c => sqlx::query_scalar("SELECT id FROM users WHERE email = $1").bind(email)
        .fetch_one(c).await)
        .unwrap();
    drop(reader);
    let path = format!("/admin/users/{id}/_payload.json");
    let shown = async || {
        let props = shop.call("GET", &path, &boss, Value::Null).await.assert_status(200).json()["props"].clone();
        (props["orders"].as_array().unwrap().len(), props["has_older_orders"].clone())
    };
    assert_eq!(shown().await, (20, json!(false)));
    // Canceled ones are listed, too, but not counted.
    let mut tx = shop.app.db.begin().await.unwrap();
    const OLDER: &str = "UPDATE orders SET number = 'OLD' || number, token = 'OLD' || token, status = 'canceled'";
    sql!(&mut tx.conn(), c => sqlx::query(OLDER).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    insert_orders(&shop, email, 1).await;
    assert_eq!(shown().await, (20, json!(true)));
}

/// Stores so many orders of a user, two at a time; returns their numbers, the newest first.
async fn insert_orders(shop: &TestShop, email: &str, count: i64) -> Vec<String> {
    let mut tx = shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let user: Uuid = sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM users WHERE email = $1").bind(email)
        .fetch_one(c).await)
    .unwrap();
    let mut orders = Vec::new();
    for index in 0..count {
        let (id, number) = (Uuid::now_v7(), format!("MANY-{index:04}"));
        let placed_at = shop.clock.now_ms() - index / 2 * 1_000;
        sql!(&mut conn, c => sqlx::query("INSERT INTO orders (id, number, token, checkout_id, user_id, email, phone, status,
            payment_status, fulfillment_status, currency, subtotal, discount_total, shipping_total, tax_total, total,
            shipping_method, shipping_name, picked_up, address, adult_signature, compliance, age_proof, version, created_at,
            updated_at, placed_at) VALUES ($1, $2, $2, $1, $3, $4, '', 'placed', 'paid', 'unfulfilled', 'USD', 0, 0, 0, 0, 0,
            'pickup', 'Pickup', TRUE, '{}', FALSE, '{}', '{}', 0, $5, $5, $5)")
            .bind(id).bind(&number).bind(user).bind(email).bind(placed_at).execute(c).await.map(drop))
        .unwrap();
        // Of goods that are no longer sold.
        sql!(&mut conn, c => sqlx::query("INSERT INTO order_lines (id, order_id, variant_id, sku, title, variant_title, href,
            picture, compliance_class, weight_grams, quantity, unit_price, discount, tax, total, position)
            VALUES ($1, $1, NULL, 'GONE', 'A thing', '', '/', $2, '', 0, 1, 0, 0, 0, 0, 0)")
            .bind(id).bind(r#"{"src":"/images/none","alt":"","width":1,"height":1}"#).execute(c).await.map(drop))
        .unwrap();
        orders.push((placed_at, id, number));
    }
    tx.commit().await.unwrap();
    orders.sort();
    orders.into_iter().rev().map(|(.., number)| number).collect()
}

async fn older_orders_are_on_further_pages(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let mut browser = signed_in(&shop, "often").await;
    let orders = insert_orders(&shop, "often@shop.example", 45).await;
    let numbers = |props: &Value| -> Vec<String> {
        let orders = props["orders"].as_array().unwrap().iter();
        orders.map(|order| order["number"].as_str().unwrap().to_owned()).collect()
    };
    let (mut seen, mut path) = (Vec::new(), "/account".to_owned());
    for (count, is_last) in [(20, false), (20, false), (5, true)] {
        let page = browser.get(&path).await;
        let envelope = page.assert_status(200).envelope();
        let props = &envelope["props"];
        assert_eq!((numbers(props).len(), &envelope["url"]), (count, &json!(path)));
        assert_eq!((props["newest_href"].is_null(), props["older_href"].is_null()), (seen.is_empty(), is_last));
        seen.extend(numbers(props));
        if let Some(older) = props["older_href"].as_str() {
            assert!(main(&page).contains(&format!("href=\"{older}\"")));
            path = older.trim_end_matches("#orders").to_owned();
        }
    }
    assert_eq!(seen, orders, "each once");

    // A refusal is shown on a page with its order.
    let again = refused(&mut browser, &[("do", "order_again"), ("number", orders[40].as_str())]).await;
    assert_eq!(numbers(&again.envelope()["props"])[0], orders[40]);
    assert!(after(&again, "orders").contains("Some items are no longer available."));
    let newest = again.envelope()["props"]["newest_href"].as_str().unwrap().to_owned();
    assert_ne!(newest.split('#').next(), Some("/account"), "a link that only differs by its fragment loads nothing");

    // Nobody's orders are on anybody else's pages.
    let mut other = signed_in(&shop, "seldom").await;
    for from in [orders[3].as_str(), "NONE-SUCH", "%00"] {
        let props = other.get(&format!("/account?from={from}")).await.assert_status(200).envelope()["props"].clone();
        assert_eq!((&props["orders"], &props["newest_href"]), (&json!([]), &Value::Null), "{from}");
    }
}

async fn of_each_order_is_read_what_is_shown(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let mut browser = signed_in(&shop, "reads-little").await;
    insert_orders(&shop, "reads-little@shop.example", 20).await;
    let order = props(&mut browser).await["orders"][0].clone();
    let mut told: Vec<&str> = order.as_object().unwrap().keys().map(String::as_str).collect();
    told.sort_unstable();
    assert_eq!(told, ["href", "lines", "number", "placed_on", "timeline", "total"]);
    let (page, ran) = statements::of(browser.get("/account")).await;
    page.assert_status(200);
    assert!(ran.len() <= 8, "session, orders, lines, history, age, profile, addresses and devices: {ran:#?}");
    let (_, taken) = statements::takings(browser.get("/account")).await;
    assert_eq!(taken, 2, "one for the session, one for the page");
}
