//! The checks that staff run against external services.

use serde_json::{Value, json};

use crate::checkout::bench::{BUTANE, Bench, PAPERS, PIPE_TOOL};
use crate::reports::execute;
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    settings_are_checked_part_by_part,
    a_test_payment_is_held_taken_and_given_back,
    no_test_payment_is_made_where_money_is_real,
    a_webhook_is_understood_once_more,
    rules_are_tried_for_a_cart_and_a_state,
];

async fn settings_are_checked_part_by_part(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let cookie = bench.shop.sign_in("operator", &["admin"]).await;
    let checks = bench.shop.call("POST", "/api/admin/testing/settings", &cookie, json!({})).await;
    let checks = checks.assert_status(200).json();
    let state = |name: &str| {
        let check = checks.as_array().unwrap().iter().find(|check| check["name"] == name);
        check.unwrap_or_else(|| panic!("{name} in {checks}"))["state"].clone()
    };
    assert_eq!(state("Database"), "works");
    assert_eq!(state("Images"), "works");
    assert_eq!(state("Card payment"), "works");
    // There is no server at the identity provider's address.
    assert_eq!(state("Sign-in"), "fails");
    assert_eq!(state("Email"), "off");
}

async fn a_test_payment_is_held_taken_and_given_back(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let cookie = bench.shop.sign_in("operator", &["admin"]).await;
    let steps = bench.shop.call("POST", "/api/admin/testing/payment", &cookie, json!({})).await;
    let steps = steps.assert_status(200).json();
    let states: Vec<&Value> = steps.as_array().unwrap().iter().map(|step| &step["state"]).collect();
    assert_eq!(states, ["works", "works", "works"], "{steps}");
    assert_eq!(bench.payments(), ["COMPLETED"]);
    // The payment belongs to no order and is not reported as a problem.
    bench.let_pass(60).await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE attention IS NOT NULL").await, 0);
    assert_eq!(bench.count("SELECT COUNT(*) FROM audit_entries WHERE action = 'testing.payment'").await, 1);
}

async fn no_test_payment_is_made_where_money_is_real(shop: TestShop) {
    let shop = TestShop::with(shop.database, |config| {
        let mut square = shop_demo::square_config(&config.http.origin, &config.http.origin).unwrap();
        square.application_id = "sq0idp-real".to_owned();
        config.square = Some(square);
    })
    .await;
    let cookie = shop.sign_in("operator", &["admin"]).await;
    let refused = shop.call("POST", "/api/admin/testing/payment", &cookie, json!({})).await;
    refused.assert_problem(409, "not_sandbox");
    let page = shop.call("GET", "/admin/testing/_payload.json", &cookie, Value::Null).await.json();
    assert_eq!(page["props"]["payment"], "production");
}

async fn a_webhook_is_understood_once_more(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let cookie = bench.shop.sign_in("operator", &["admin"]).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    bench.execute(
        "INSERT INTO webhook_events (provider, event_id, kind, subject, body, received_at, processed_at, outcome)
         SELECT 'square', 'event-1', 'payment.updated', provider_payment_id, '{}', 1795280400000, 1795280400000, 'settled'
         FROM payment_attempts",
    )
    .await;
    let page = async || {
        let page = bench.shop.call("GET", "/admin/testing/_payload.json", &cookie, Value::Null).await.json();
        page["props"]["events"].clone()
    };
    assert_eq!(page().await[0]["is_understood"], true);
    let event = json!({ "provider": "square", "event_id": "event-1", "kind": "payment.updated" });
    bench.shop.call("POST", "/api/admin/testing/webhooks", &cookie, event).await.assert_status(204);
    assert_eq!(page().await[0]["is_understood"], false);
    bench.work().await;
    assert_eq!((page().await[0]["outcome"].as_str(), bench.payments().len()), (Some("settled"), 1));
    bench.assert_books_balance().await;
    let unknown = json!({ "provider": "square", "event_id": "none", "kind": "payment.updated" });
    let refused = bench.shop.call("POST", "/api/admin/testing/webhooks", &cookie, unknown).await;
    refused.assert_problem(404, "not_found");
}

async fn rules_are_tried_for_a_cart_and_a_state(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("rule-trier", &["admin"]).await;
    let ask = async |state: &str, skus: &[&str]| {
        let body = json!({ "state": state, "skus": skus });
        shop.call("POST", "/api/admin/testing/compliance", &cookie, body).await
    };
    let verdict = ask("OH", &[PIPE_TOOL, BUTANE]).await.assert_status(200).json();
    assert_eq!(
        (verdict["ship"]["is_allowed"].as_bool(), verdict["ship"]["ground_only"].as_bool()),
        (Some(true), Some(true))
    );
    let verdict = ask("HI", &[BUTANE]).await.assert_status(200).json();
    assert_eq!(verdict["ship"]["is_allowed"], false);
    assert!(verdict["ship"]["refusals"][0].as_str().unwrap().contains("Hawaii"), "{verdict}");
    let verdict = ask("OH", &[PAPERS]).await.assert_status(200).json();
    assert_eq!(
        (verdict["ship"]["is_allowed"].as_bool(), verdict["pickup"]["is_allowed"].as_bool()),
        (Some(false), Some(true))
    );
    // What must be paid for in the store is not shipped.
    execute(&shop, "UPDATE compliance_rules SET may_pay_online = FALSE WHERE class = 'smoking_accessory'").await;
    let verdict = ask("OH", &[PIPE_TOOL]).await.assert_status(200).json();
    assert_eq!(
        (verdict["ship"]["is_allowed"].as_bool(), verdict["pickup"]["is_allowed"].as_bool()),
        (Some(false), Some(true))
    );
    assert!(verdict["ship"]["refusals"][0].as_str().unwrap().contains("paid for in our store"), "{verdict}");
    for (field, state, skus) in [("state", "XX", &[PIPE_TOOL][..]), ("skus", "OH", &["NO-SUCH"]), ("skus", "OH", &[])] {
        let problem = ask(state, skus).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"][field].is_array(), "{problem}");
    }
}
