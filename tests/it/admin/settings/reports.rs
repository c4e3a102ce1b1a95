//! Delivery reports.

use serde_json::{Value, json};
use shop_domain::retention::service::purge;
use uuid::Uuid;

use super::props;
use crate::admin::orders::{Desk, parcel, version};
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_parcel_is_reported_and_outlives_its_buyers_account,
    values_add_up_after_a_shipment_is_undone,
    a_shipment_of_a_closed_month_is_not_undone,
    only_reported_classes_are_written_down
];

const PAGE: &str = "/admin/settings/reports";
const CSV: &str = "/api/admin/reports/deliveries.csv";
const DAY_MS: i64 = 86_400_000;
const YEAR_MS: i64 = 366 * DAY_MS;

/// Buys two of an item as this buyer, and ships each separately.
async fn deliver(bench: &Bench, buyer: &str, staff: &str) -> String {
    let order = bench.order(PIPE_TOOL, 2).await;
    let placed = bench.pay_as(&format!("{buyer}; {}", bench.shop.age_cookie()), &order).await.assert_status(200).json();
    bench.work().await;
    let number = bench.confirmation(&placed).await["number"].as_str().unwrap().to_owned();
    let mut reader = bench.shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    let line: Uuid = shop_base::sql!(&mut conn, c => sqlx::query_scalar(
        "SELECT l.id FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE o.number = $1")
        .bind(&number).fetch_one(c).await)
    .unwrap();
    drop(reader);
    // In two packages, whose values are added.
    for _ in 0..2 {
        let mut shipment = parcel(&[(line, 1)]);
        shipment["version"] = json!(version(&bench.shop, &number).await);
        let path = format!("/api/admin/orders/{number}/shipment");
        bench.shop.call("POST", &path, staff, shipment).await.assert_status(204);
    }
    number
}

async fn csv(shop: &TestShop, cookie: &str, query: &str) -> Vec<String> {
    let answer = shop.call("GET", &format!("{CSV}?{query}"), cookie, Value::Null).await;
    answer.assert_status(200).text().trim_end().split("\r\n").map(str::to_owned).collect()
}

async fn a_parcel_is_reported_and_outlives_its_buyers_account(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let staff = shop.sign_in("reporter", &["admin"]).await;
    let buyer = shop.sign_in("reported", &["customer"]).await;
    let number = deliver(&bench, &buyer, &staff).await;

    let lines = csv(shop, &staff, "month=2026-11&state=OH").await;
    assert_eq!(lines.len(), 3, "{lines:?}");
    let begin =
        format!("2026-11-21,{number},\"Reed, Ada\",12 High Street,Columbus,OH,43215,smoking_accessory,{PIPE_TOOL},");
    assert!(lines[1].starts_with(&begin), "{}", lines[1]);
    assert!(lines[1].ends_with(",UPS Ground,1Z999,yes"), "{}", lines[1]);
    let page = props(shop, &staff, PAGE).await;
    let month = &page["months"][0];
    assert_eq!((&month["month"], &month["state"], &month["quantity"]), (&json!("2026-11"), &json!("OH"), &json!(2)));
    let paid = bench.count("SELECT CAST(SUM(total - tax) AS BIGINT) FROM order_lines").await;
    assert_eq!(month["value"], paid);
    assert_eq!(csv(shop, &staff, "month=2026-11&state=NY").await.len(), 1);
    assert_eq!(csv(shop, &staff, "month=2026-11").await, lines);
    for query in ["month=2026-13", "month=", "month=2026-11&state=ZZ"] {
        shop.call("GET", &format!("{CSV}?{query}"), &staff, Value::Null).await.assert_problem(422, "invalid");
    }

    shop.call("DELETE", "/api/me", &buyer, json!({ "confirm": "reported@shop.example" })).await.assert_status(204);
    assert_eq!(csv(shop, &staff, "month=2026-11").await, lines, "the law keeps it");
    let now = shop_base::clock::Clock::now_ms(shop.clock.as_ref());
    purge(&shop.app.db, "delivery_records", now + 4 * YEAR_MS).await.unwrap();
    assert_eq!(bench.count("SELECT COUNT(*) FROM delivery_records").await, 2, "until the end of 2030");
    purge(&shop.app.db, "delivery_records", now + 5 * YEAR_MS).await.unwrap();
    assert_eq!(bench.count("SELECT COUNT(*) FROM delivery_records").await, 0);
}

async fn values_add_up_after_a_shipment_is_undone(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let promo = "UPDATE promo_codes SET kind = 'amount', value = 101, min_subtotal = 0 WHERE code = 'WELCOME10'";
    desk.bench.execute(promo).await;
    let number = desk.placed(&[(PIPE_TOOL, 2)], |body| body["promo_code"] = json!("WELCOME10")).await;
    desk.bench.work().await;
    let tool = desk.line(&number, PIPE_TOOL).await;
    let ship = async || {
        desk.bench.shop.clock.advance(1_000);
        desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 1)])).await.assert_status(204);
    };
    ship().await;
    let undo = format!("fulfillments/{}/undo", desk.fulfillment(&number).await);
    ship().await;
    desk.act(&desk.staff, &number, &undo, json!({})).await.assert_status(204);
    ship().await;
    let paid = desk.bench.count("SELECT CAST(SUM(total - tax) AS BIGINT) FROM order_lines").await;
    assert_eq!(paid % 2, 1, "a test of rounding");
    assert_eq!(props(&desk.bench.shop, &desk.admin, PAGE).await["months"][0]["value"], paid);
}

async fn a_shipment_of_a_closed_month_is_not_undone(shop: TestShop) {
    let mut desk = Desk::open(&shop).await;
    let number = desk.placed(&[(PIPE_TOOL, 2)], |_| {}).await;
    desk.bench.work().await;
    let tool = desk.line(&number, PIPE_TOOL).await;
    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 1)])).await.assert_status(204);
    let first = format!("fulfillments/{}/undo", desk.fulfillment(&number).await);
    let page = format!("/admin/orders/{number}");
    let is_offered = async |desk: &Desk| {
        props(&desk.bench.shop, &desk.staff, &page).await["order"]["parcels"][0]["may_undo"].clone()
    };
    // December 9 in the shop.
    desk.bench.shop.clock.advance(18 * DAY_MS);
    desk.sign_in().await;
    assert_eq!(is_offered(&desk).await, true);
    desk.act(&desk.staff, &number, &first, json!({})).await.assert_status(204);
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM delivery_records").await, 0);

    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 2)])).await.assert_status(204);
    let second = format!("fulfillments/{}/undo", desk.fulfillment(&number).await);
    desk.bench.shop.clock.advance(32 * DAY_MS);
    desk.sign_in().await;
    assert_eq!(is_offered(&desk).await, false);
    let refused = desk.act(&desk.staff, &number, &second, json!({})).await.assert_problem(409, "month_closed").json();
    assert!(
        refused["detail"].as_str().unwrap().contains("for December 2026, which closed on January 10, 2027"),
        "{refused}"
    );
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM delivery_records").await, 1);
}

async fn only_reported_classes_are_written_down(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let staff = shop.sign_in("reporter", &["admin"]).await;
    let version = props(shop, &staff, PAGE).await["version"].clone();
    let body = |is_reported: bool| json!({ "version": version, "is_reported": is_reported });
    let path = "/api/admin/settings/compliance/classes/smoking_accessory";
    shop.call("PUT", path, &staff, body(false)).await.assert_status(204);
    // The same again, because its answer was lost, is what is stored.
    shop.call("PUT", path, &staff, body(false)).await.assert_status(204);
    shop.call("PUT", path, &staff, body(true)).await.assert_problem(409, "changed_meanwhile");
    deliver(&bench, &shop.sign_in("unreported", &["customer"]).await, &staff).await;
    assert_eq!(csv(shop, &staff, "month=2026-11").await.len(), 1);
    assert!(props(shop, &staff, PAGE).await["months"].as_array().unwrap().is_empty());
}
