//! Shipping methods, zones and rates.

use serde_json::{Value, json};

use super::{last_entry, props};
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_new_price_holds_at_once,
    a_table_with_gaps_is_refused_by_cell,
    the_table_of_another_is_not_overwritten,
    a_table_is_the_same_in_any_order,
];

const CALL: &str = "/api/admin/settings/shipping";
const PAGE: &str = "/admin/settings/shipping";

/// The page's props, which are also the body of a change.
async fn seen(shop: &TestShop, cookie: &str) -> Value {
    props(shop, cookie, PAGE).await
}

async fn a_new_price_holds_at_once(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = shop.sign_in("shipper", &["admin"]).await;
    let mut change = seen(shop, &cookie).await;
    let ground = &change["table"]["methods"][0];
    assert_eq!((&ground["code"], &ground["weights"]), (&json!("ground"), &json!([500, 2_000, 10_000, 30_000])));
    let near = ground["rates"].as_array().unwrap().iter().position(|rates| rates["zone"] == "near").unwrap();
    change["table"]["methods"][0]["rates"][near]["prices"][0] = json!(1_234);
    change["table"]["methods"][0]["signature_fee"] = json!(0);
    shop.call("PUT", CALL, &cookie, change.clone()).await.assert_status(204);
    let quote = bench.quote(&bench.order(PIPE_TOOL, 1).await).await;
    assert_eq!(quote["shipping"], 1_234);
    let saved = seen(shop, &cookie).await;
    assert_eq!(saved["table"], change["table"], "what was sent is what is kept");
    let (action, before, after) = last_entry(shop).await;
    assert_eq!(action, "shipping.update");
    assert!(before["zones"].is_null() && after["methods"].is_array(), "only what differs is told");
}

async fn a_table_with_gaps_is_refused_by_cell(shop: TestShop) {
    let cookie = shop.sign_in("shipping-checker", &["admin"]).await;
    let sound = seen(&shop, &cookie).await;
    let fault = async |change: &dyn Fn(&mut Value)| {
        let mut body = sound.clone();
        change(&mut body["table"]);
        let answer = shop.call("PUT", CALL, &cookie, body).await;
        let errors = answer.assert_problem(422, "invalid").json()["errors"].clone();
        errors.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        fault(&|table| table["methods"][0]["rates"][1]["prices"][2] = json!(-1)).await,
        "methods[0].rates[1].prices[2]"
    );
    assert_eq!(fault(&|table| drop(table["zones"][0]["states"].as_array_mut().unwrap().pop())).await, "zones");
    assert_eq!(fault(&|table| table["methods"][0]["weights"][0] = json!(0)).await, "methods[0].weights[0]");
    assert_eq!(fault(&|table| table["methods"][0]["name"] = json!("")).await, "methods[0].name");
    assert_eq!(seen(&shop, &cookie).await, sound);
}

async fn the_table_of_another_is_not_overwritten(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("shipper", &["admin"]).await;
    let mut change = seen(&shop, &cookie).await;
    change["table"]["methods"][0]["estimate"] = json!("3 business days");
    shop.call("PUT", CALL, &cookie, change.clone()).await.assert_status(204);
    // The same again, because its answer was lost, is what is stored.
    shop.call("PUT", CALL, &cookie, change.clone()).await.assert_status(204);
    assert_eq!(seen(&shop, &cookie).await["version"], json!(change["version"].as_i64().unwrap() + 1));
    change["table"]["methods"][0]["estimate"] = json!("4 business days");
    shop.call("PUT", CALL, &cookie, change).await.assert_problem(409, "changed_meanwhile");
    assert_eq!(seen(&shop, &cookie).await["table"]["methods"][0]["estimate"], "3 business days");
}

async fn a_table_is_the_same_in_any_order(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("shipper", &["admin"]).await;
    let mut change = seen(&shop, &cookie).await;
    let stored = change["table"].clone();
    let table = &mut change["table"];
    table["methods"][0]["rates"].as_array_mut().unwrap().reverse();
    let zones = table["zones"].as_array_mut().unwrap();
    zones.reverse();
    zones[0]["states"].as_array_mut().unwrap().reverse();
    assert_ne!(*table, stored);
    table["methods"][0]["estimate"] = json!(" 3 business days ");
    // Sent again before and after the answer.
    let (one, other) =
        tokio::join!(shop.call("PUT", CALL, &cookie, change.clone()), shop.call("PUT", CALL, &cookie, change.clone()));
    one.assert_status(204);
    other.assert_status(204);
    shop.call("PUT", CALL, &cookie, change.clone()).await.assert_status(204);
    let saved = seen(&shop, &cookie).await;
    assert_eq!(saved["version"], json!(change["version"].as_i64().unwrap() + 1));
    assert_eq!(
        (&saved["table"]["zones"], &saved["table"]["methods"][0]["rates"]),
        (&stored["zones"], &stored["methods"][0]["rates"])
    );
    assert_eq!(saved["table"]["methods"][0]["estimate"], "3 business days");
    assert!(last_entry(&shop).await.2["zones"].is_null(), "only what differs is told");
}
