//! Promo codes.

use serde_json::{Value, json};

use super::{count_entries, last_entry, props};
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::reports::execute;
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_code_is_made_used_and_switched_off,
    a_code_that_is_sent_again_is_made_once,
    a_change_that_is_sent_again_is_made_once,
    a_code_that_makes_no_sense_is_refused_by_field,
    two_who_change_a_code_do_not_overwrite_each_other,
    codes_are_listed_by_state_kind_uses_and_days,
];

const CALL: &str = "/api/admin/settings/promotions";
const PAGE: &str = "/admin/settings/promotions";

fn quarter_off(code: &str) -> Value {
    json!({ "code": code, "kind": "percent", "value": 2_500, "active": true })
}

async fn entry(shop: &TestShop, cookie: &str, code: &str) -> Value {
    props(shop, cookie, &format!("{PAGE}?q={code}")).await["codes"][0].clone()
}

async fn a_code_is_made_used_and_switched_off(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = shop.sign_in("promoter", &["admin"]).await;
    shop.call("POST", CALL, &cookie, quarter_off(" autumn25 ")).await.assert_status(204);
    let (action, _, after) = last_entry(shop).await;
    assert_eq!((action.as_str(), &after["value"]), ("promo.create", &json!(2_500)));

    let mut order = bench.order(PIPE_TOOL, 1).await;
    order["promo_code"] = json!("AUTUMN25");
    let quote = bench.quote(&order).await;
    assert_eq!(quote["promo"]["label"], "25% off");
    order["expected_total"] = quote["total"].clone();
    bench.pay(&order).await.assert_status(200);
    bench.work().await;
    let used = entry(shop, &cookie, "AUTUMN25").await;
    assert_eq!((&used["used"], &used["state"]), (&json!(1), &json!("active")));

    let off = json!({ "kind": "percent", "value": 2_500, "active": false, "version": used["version"] });
    let path = format!("{CALL}/{}", used["id"].as_str().unwrap());
    shop.call("PUT", &path, &cookie, off).await.assert_status(204);
    let (action, before, after) = last_entry(shop).await;
    assert_eq!(
        (action.as_str(), before, after),
        ("promo.update", json!({ "active": true }), json!({ "active": false }))
    );
    assert_eq!(bench.quote(&order).await["problems"][0]["code"], "promo_code");
}

async fn a_code_that_is_sent_again_is_made_once(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("promoter", &["admin"]).await;
    for _ in 0..2 {
        shop.call("POST", CALL, &cookie, quarter_off("LOST-ANSWER")).await.assert_status(204);
    }
    assert_eq!(count_entries(&shop, "promo.create").await, 1);
    let mut other = quarter_off("LOST-ANSWER");
    other["value"] = json!(1_000);
    let refused = shop.call("POST", CALL, &cookie, other).await;
    assert!(refused.assert_problem(422, "invalid").json()["errors"]["code"].is_array());
}

async fn a_change_that_is_sent_again_is_made_once(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("promoter", &["admin"]).await;
    shop.call("POST", CALL, &cookie, quarter_off("LOST-CHANGE")).await.assert_status(204);
    let seen = entry(&shop, &cookie, "LOST-CHANGE").await;
    let path = format!("{CALL}/{}", seen["id"].as_str().unwrap());
    let mut body = quarter_off("");
    (body["version"], body["value"], body["max_uses"]) = (seen["version"].clone(), json!(1_000), json!(5));
    for _ in 0..2 {
        shop.call("PUT", &path, &cookie, body.clone()).await.assert_status(204);
    }
    assert_eq!(count_entries(&shop, "promo.update").await, 1);
    let (_, before, after) = last_entry(&shop).await;
    assert_eq!((&before["kind"], &before["value"]), (&json!("percent"), &json!(2_500)));
    assert_eq!((&after["kind"], &after["value"]), (&json!("percent"), &json!(1_000)));
    body["max_uses"] = json!(0);
    shop.call("PUT", &path, &cookie, body).await.assert_problem(409, "changed_meanwhile");
}

async fn a_code_that_makes_no_sense_is_refused_by_field(shop: TestShop) {
    let cookie = shop.sign_in("promo-checker", &["admin"]).await;
    for (field, change) in [
        ("code", json!({ "code": "A!" })),
        ("code", json!({ "code": "WELCOME10" })),
        ("value", json!({ "value": 10_001 })),
        ("value", json!({ "value": 0 })),
        ("value", json!({ "kind": "amount", "value": -1 })),
        ("value", json!({ "kind": "free_shipping" })),
        ("kind", json!({ "kind": "all" })),
        ("min_subtotal", json!({ "min_subtotal": -1 })),
        ("max_uses", json!({ "max_uses": 0 })),
        ("starts_on", json!({ "starts_on": "2026-02-30" })),
        ("starts_on", json!({ "starts_on": "9999-12-31" })),
        ("ends_on", json!({ "starts_on": "2026-12-02", "ends_on": "2026-12-01" })),
    ] {
        let mut body = quarter_off("CHECKED");
        for (name, value) in change.as_object().unwrap() {
            body[name] = value.clone();
        }
        let answer = shop.call("POST", CALL, &cookie, body).await;
        assert!(answer.assert_problem(422, "invalid").json()["errors"][field].is_array(), "{field}: {change}");
    }
}

async fn two_who_change_a_code_do_not_overwrite_each_other(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("promoter", &["admin"]).await;
    shop.call("POST", CALL, &cookie, quarter_off("TWICE")).await.assert_status(204);
    let seen = entry(&shop, &cookie, "TWICE").await;
    let path = format!("{CALL}/{}", seen["id"].as_str().unwrap());
    let mut body = quarter_off("");
    body["version"] = seen["version"].clone();
    body["value"] = json!(1_000);
    shop.call("PUT", &path, &cookie, body.clone()).await.assert_status(204);
    body["value"] = json!(2_000);
    shop.call("PUT", &path, &cookie, body).await.assert_problem(409, "changed_meanwhile");
    assert_eq!(entry(&shop, &cookie, "TWICE").await["value"], 1_000);
}

async fn codes_are_listed_by_state_kind_uses_and_days(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("promoter", &["admin"]).await;
    for (code, starts_on, ends_on, active) in [
        ("LISTED-OLD", Value::Null, json!("2026-11-20"), true),
        ("LISTED-NEW", json!("2026-11-22"), Value::Null, true),
        ("LISTED-NOW", json!("2026-11-21"), json!("2026-11-21"), true),
        ("LISTED-OFF", Value::Null, json!("2026-11-20"), false),
        ("LISTED-OUT", json!("2026-11-22"), Value::Null, true),
    ] {
        let mut body = quarter_off(code);
        (body["starts_on"], body["ends_on"], body["active"]) = (starts_on, ends_on, json!(active));
        shop.call("POST", CALL, &cookie, body).await.assert_status(204);
    }
    let found = async |query: &str| {
        let page = props(&shop, &cookie, &format!("{PAGE}?q=listed&sort=code{query}")).await;
        let codes: Vec<String> = page["codes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|code| format!("{} {}", code["code"].as_str().unwrap(), code["state"].as_str().unwrap()))
            .collect();
        codes.join(", ")
    };
    execute(&shop, "UPDATE promo_codes SET max_uses = 1, used = 1 WHERE code = 'LISTED-OUT'").await;
    let all = "LISTED-NEW early, LISTED-NOW active, LISTED-OFF off, LISTED-OLD expired, LISTED-OUT used_up";
    assert_eq!(found("").await, all);
    // A filter finds what the column shows in its words.
    for code in all.split(", ") {
        let (_, state) = code.split_once(' ').unwrap();
        assert_eq!(found(&format!("&state={state}")).await, code);
    }
    assert_eq!(found("&state=off&state=early").await, "LISTED-NEW early, LISTED-OFF off");
    assert_eq!(found("&valid_from=2026-11-21&valid_to=2026-11-21").await, "LISTED-NOW active");
    assert_eq!(found("&valid_to=2026-11-20&state=expired&state=used_up").await, "LISTED-OLD expired");
    assert_eq!(found("&kind=amount").await, "");
    assert_eq!(found("&uses=some").await, "LISTED-OUT used_up");
}
