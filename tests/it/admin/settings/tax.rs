//! Tax rates and counties.

use serde_json::{Value, json};

use super::{count_entries, last_entry, props};
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::reports::execute;
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_rate_follows_another_and_both_are_kept,
    a_rate_with_an_end_needs_a_successor,
    a_rate_is_ended_and_a_coming_one_taken_back,
    what_is_sent_again_is_answered_like_the_first,
    a_county_is_one_however_it_was_written,
    a_county_is_not_called_so_twice,
    shipping_is_taxed_by_those_that_tax_it,
    counties_are_tried_before_they_count,
    a_rate_of_a_county_that_has_no_zip_code_is_told,
    a_file_of_a_large_state_is_taken,
];

const CALL: &str = "/api/admin/settings/tax";
const PAGE: &str = "/admin/settings/tax";
const DAY: i64 = 24 * 60 * 60 * 1000;

async fn version(shop: &TestShop, cookie: &str) -> Value {
    props(shop, cookie, PAGE).await["version"].clone()
}

async fn rate_of(shop: &TestShop, cookie: &str, county: &str, phase: &str) -> Value {
    let page = props(shop, cookie, PAGE).await;
    let rates = page["rates"].as_array().unwrap();
    rates.iter().find(|rate| rate["county"] == county && rate["phase"] == phase).cloned().unwrap_or_default()
}

async fn a_rate_follows_another_and_both_are_kept(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = shop.sign_in("taxer", &["admin"]).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    let before = bench.quote(&order).await["tax"].as_i64().unwrap();
    let rate = json!({
        "version": version(shop, &cookie).await, "state": "OH", "county": "Franklin", "rate": 922_500 - 500_000,
        "taxes_shipping": true, "valid_from": "2026-11-21", "source": "A test's own law",
    });
    shop.call("POST", &format!("{CALL}/rates"), &cookie, rate.clone()).await.assert_status(204);
    assert_eq!(last_entry(shop).await.0, "tax.add_rate");
    let after = bench.quote(&order).await["tax"].as_i64().unwrap();
    assert!(after > before * 5, "{before} and {after}: from 8% to 48 %");
    let old = rate_of(shop, &cookie, "Franklin County", "past").await;
    assert_eq!((&old["rate"], &old["valid_until"]), (&json!(22_500), &json!("2026-11-21")));
    // Sent again, because the answer was lost.
    shop.call("POST", &format!("{CALL}/rates"), &cookie, rate.clone()).await.assert_status(204);
    let rates = props(shop, &cookie, PAGE).await["rates"].clone();
    let of_county = rates.as_array().unwrap().iter().filter(|rate| rate["county"] == "Franklin County").count();
    assert_eq!(of_county, 2, "{rates}");
    // The version has changed.
    let mut other = rate.clone();
    other["source"] = json!("Another law");
    let refused = shop.call("POST", &format!("{CALL}/rates"), &cookie, other).await;
    refused.assert_problem(409, "changed_meanwhile");
    for (field, value) in [
        ("state", json!("ZZ")),
        ("rate", json!(-1)),
        ("valid_from", json!("2026-11-20")),
        ("valid_until", json!("2026-11-21")),
        ("source", json!("")),
    ] {
        let mut wrong = rate.clone();
        wrong["version"] = version(shop, &cookie).await;
        wrong[field] = value;
        let answer = shop.call("POST", &format!("{CALL}/rates"), &cookie, wrong).await;
        assert!(answer.assert_problem(422, "invalid").json()["errors"][field].is_array(), "{field}");
    }
}

async fn a_rate_with_an_end_needs_a_successor(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = shop.sign_in("taxer", &["admin"]).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    let before = bench.quote(&order).await["tax"].clone();
    let add = async |rate: u32, from: &str, until: Option<&str>| {
        let rate = json!({
            "version": version(shop, &cookie).await, "state": "OH", "county": "", "rate": rate, "taxes_shipping": true,
            "valid_from": from, "valid_until": until, "source": "A test's own holiday",
        });
        shop.call("POST", &format!("{CALL}/rates"), &cookie, rate).await
    };
    let refused = add(0, "2026-11-22", Some("2026-11-29")).await.assert_problem(422, "invalid").json();
    assert!(refused["errors"]["valid_until"].is_array(), "{refused}");
    add(57_500, "2026-11-29", None).await.assert_status(204);
    add(0, "2026-11-22", Some("2026-11-29")).await.assert_status(204);
    for (later, is_taxed) in [(1, false), (7, true)] {
        shop.clock.advance(later * DAY);
        assert_eq!(bench.quote(&order).await["tax"] == before, is_taxed, "{later} days later");
    }
}

async fn a_rate_is_ended_and_a_coming_one_taken_back(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("taxer", &["admin"]).await;
    for by_an_earlier_release in [false, true] {
        let coming = json!({
            "version": version(&shop, &cookie).await, "state": "OH", "county": "Franklin", "rate": 25_000,
            "taxes_shipping": true, "valid_from": "2027-01-01", "source": "A test's own law",
        });
        shop.call("POST", &format!("{CALL}/rates"), &cookie, coming).await.assert_status(204);
        assert_eq!(rate_of(&shop, &cookie, "Franklin County", "in_force").await["valid_until"], "2027-01-01");
        if by_an_earlier_release {
            execute(&shop, "UPDATE settings SET value = '{}' WHERE name = 'tax'").await;
        }
        let id = rate_of(&shop, &cookie, "Franklin County", "coming").await["id"].as_str().unwrap().to_owned();
        let path = format!("{CALL}/rates/{id}/withdraw");
        let body = json!({ "version": version(&shop, &cookie).await });
        shop.call("POST", &path, &cookie, body.clone()).await.assert_status(204);
        let now = rate_of(&shop, &cookie, "Franklin County", "in_force").await;
        assert!(now["valid_until"].is_null(), "it holds on: {now}");
        shop.call("POST", &path, &cookie, body).await.assert_status(204);
        let body = json!({ "version": version(&shop, &cookie).await });
        shop.call("POST", &path, &cookie, body).await.assert_problem(404, "not_found");
    }

    let now = rate_of(&shop, &cookie, "Franklin County", "in_force").await;
    let path = format!("{CALL}/rates/{}", now["id"].as_str().unwrap());
    let body = json!({ "version": version(&shop, &cookie).await });
    shop.call("POST", &format!("{path}/withdraw"), &cookie, body).await.assert_problem(409, "in_force");
    let mut body = json!({ "version": version(&shop, &cookie).await, "valid_until": "2026-11-20" });
    shop.call("POST", &format!("{path}/end"), &cookie, body.clone()).await.assert_problem(422, "invalid");
    body["valid_until"] = json!("2026-12-01");
    shop.call("POST", &format!("{path}/end"), &cookie, body).await.assert_status(204);
    let (action, before, after) = last_entry(&shop).await;
    assert_eq!(
        (action.as_str(), before, after),
        ("tax.end_rate", json!({ "valid_until": null }), json!({ "valid_until": "2026-12-01" }))
    );
}

async fn what_is_sent_again_is_answered_like_the_first(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("taxer", &["admin"]).await;
    let add = format!("{CALL}/rates");
    let rate = async |from: &str| {
        json!({
            "version": version(&shop, &cookie).await, "state": "OH", "county": "Franklin", "rate": 25_000,
            "taxes_shipping": true, "valid_from": from, "source": "A test's own law",
        })
    };
    let first = rate("2026-11-21").await;
    shop.call("POST", &add, &cookie, first.clone()).await.assert_status(204);
    // A later one ends it earlier than it would end by itself.
    shop.call("POST", &add, &cookie, rate("2027-01-01").await).await.assert_status(204);
    shop.clock.advance(DAY);
    let cookie = shop.sign_in("taxer", &["admin"]).await;
    shop.call("POST", &add, &cookie, first.clone()).await.assert_status(204);
    let mut other = first;
    other["rate"] = json!(30_000);
    shop.call("POST", &add, &cookie, other).await.assert_problem(409, "changed_meanwhile");

    let now = rate_of(&shop, &cookie, "Franklin County", "in_force").await;
    assert_eq!((&now["rate"], &now["valid_until"]), (&json!(25_000), &json!("2027-01-01")));
    let end = format!("{add}/{}/end", now["id"].as_str().unwrap());
    let body = json!({ "version": version(&shop, &cookie).await, "valid_until": "2026-11-22" });
    shop.call("POST", &end, &cookie, body.clone()).await.assert_status(204);
    shop.clock.advance(DAY);
    let cookie = shop.sign_in("taxer", &["admin"]).await;
    shop.call("POST", &end, &cookie, body.clone()).await.assert_status(204);
    let mut other = body;
    other["valid_until"] = json!("2026-11-23");
    shop.call("POST", &end, &cookie, other).await.assert_problem(409, "changed_meanwhile");
}

async fn a_county_is_one_however_it_was_written(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = shop.sign_in("taxer", &["admin"]).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    let before = bench.quote(&order).await["tax"].clone();
    // Former releases stored what staff had typed, and compared it with the setting as it was.
    execute(shop, "UPDATE tax_rates SET county = 'franklin County' WHERE county = 'Franklin'").await;
    assert_eq!(bench.quote(&order).await["tax"], before);
    let rate = json!({
        "version": version(shop, &cookie).await, "state": "OH", "county": "Franklin", "rate": 22_500,
        "taxes_shipping": true, "valid_from": "2026-11-21", "source": "A test's own law",
    });
    shop.call("POST", &format!("{CALL}/rates"), &cookie, rate).await.assert_status(204);
    assert_eq!(bench.quote(&order).await["tax"], before, "one of both");
    assert_eq!(rate_of(shop, &cookie, "franklin County", "past").await["valid_until"], "2026-11-21");
    // Of two that began on one day, the newer has ended.
    execute(
        shop,
        "UPDATE tax_rates SET valid_from = '2026-11-01', valid_until = NULL WHERE county = 'franklin County'",
    )
    .await;
    execute(
        shop,
        "UPDATE tax_rates SET valid_from = '2026-11-01', valid_until = '2026-11-20' WHERE county = 'Franklin'",
    )
    .await;
    assert_eq!(bench.quote(&order).await["tax"], before, "the one in force");
    // Nor does one that began later and has ended hide it.
    execute(shop, "UPDATE tax_rates SET valid_from = '2026-10-01' WHERE county = 'franklin County'").await;
    assert_eq!(bench.quote(&order).await["tax"], before, "the older one is still in force");
}

async fn a_county_is_not_called_so_twice(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = shop.sign_in("taxer", &["admin"]).await;
    let csv = "NY,10001,New York County\nNY,11201,Kings\nLA,70112,Orleans Parish\nVA,22301,Alexandria city\nNM,88001,DOÑA ANA COUNTY\n";
    let counties = json!({ "version": version(shop, &cookie).await, "csv": csv, "dry_run": false });
    shop.call("POST", &format!("{CALL}/counties"), &cookie, counties).await.assert_status(200);
    for (state, county) in
        [("NY", "New York"), ("NY", "Kings County"), ("LA", "Orleans"), ("VA", "Alexandria city"), ("NM", "Doña Ana")]
    {
        let rate = json!({
            "version": version(shop, &cookie).await, "state": state, "county": county, "rate": 48_750,
            "taxes_shipping": true, "valid_from": "2026-11-21", "source": "A test's own law",
        });
        shop.call("POST", &format!("{CALL}/rates"), &cookie, rate).await.assert_status(204);
    }
    assert_eq!(rate_of(shop, &cookie, "Kings County", "in_force").await["rate"], 48_750);
    let mut order = bench.order(PIPE_TOOL, 1).await;
    for (state, zip, name) in [
        ("NY", "10001", "New York sales tax, New York County"),
        ("NY", "11201", "New York sales tax, Kings County"),
        ("LA", "70112", "Louisiana sales tax, Orleans Parish"),
        ("VA", "22301", "Virginia sales tax, Alexandria city"),
        ("NM", "88001", "New Mexico sales tax, DOÑA ANA County"),
    ] {
        order["address"]["state"] = json!(state);
        order["address"]["postal_code"] = json!(zip);
        assert_eq!(bench.quote(&order).await["tax_name"], name);
    }
}

async fn shipping_is_taxed_by_those_that_tax_it(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = shop.sign_in("taxer", &["admin"]).await;
    let rate = json!({
        "version": version(shop, &cookie).await, "state": "OH", "county": "Franklin", "rate": 22_500,
        "taxes_shipping": false, "valid_from": "2026-11-21", "source": "A test's own law",
    });
    shop.call("POST", &format!("{CALL}/rates"), &cookie, rate).await.assert_status(204);
    let order = bench.order(PIPE_TOOL, 1).await;
    let quote = bench.quote(&order).await;
    let tax = |name: &str, ppm: i64| (quote[name].as_i64().unwrap() * ppm + 500_000) / 1_000_000;
    assert!(tax("shipping", 57_500) < tax("shipping", 80_000));
    assert_eq!(quote["tax"], tax("subtotal", 80_000) + tax("shipping", 57_500));
    bench.pay(&order).await.assert_status(200);
    let shipping = "SELECT amount FROM order_tax_lines WHERE line_id IS NULL AND rate = 57500";
    assert_eq!(bench.count(shipping).await, tax("shipping", 57_500));
    bench.work().await;
    bench.assert_books_balance().await;
}

async fn counties_are_tried_before_they_count(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("taxer", &["admin"]).await;
    let version = version(&shop, &cookie).await;
    let send = async |csv: &str, dry_run: bool, version: &Value| {
        let body = json!({ "version": version, "csv": csv, "dry_run": dry_run });
        shop.call("POST", &format!("{CALL}/counties"), &cookie, body).await
    };
    let counts = |report: &Value| ["added", "changed", "removed"].map(|name| report[name].as_i64().unwrap());
    let first = "state,postal_code,county\nNY,10001,New York\nNY,11201,Kings\n";
    let report = send(first, true, &version).await.assert_status(200).json();
    assert_eq!(counts(&report), [2, 0, 0]);
    assert!(props(&shop, &cookie, PAGE).await["counties"].as_array().unwrap().is_empty(), "it was a trial");
    send(first, false, &version).await.assert_status(200);
    // Sent again, because the answer was lost.
    let report = send(first, false, &version).await.assert_status(200).json();
    assert_eq!((counts(&report), &report["problems"]), ([0, 0, 0], &json!([])));
    assert_eq!(count_entries(&shop, "tax.import_counties").await, 1);
    send("NY,10001,Manhattan\n", false, &version).await.assert_problem(409, "changed_meanwhile");
    let page = props(&shop, &cookie, PAGE).await;
    assert_eq!(page["counties"], json!([{ "state": "NY", "zip_codes": 2 }]));

    let wrong = send("NY,10001,New York\nNY,43215,Franklin\n", false, &page["version"]).await.assert_status(200).json();
    assert_eq!(wrong["problems"][0]["line"], 2);
    let next = "NY,10001,Manhattan\nNY,10002,New York\n";
    let report = send(next, false, &page["version"]).await.assert_status(200).json();
    assert_eq!(counts(&report), [1, 1, 1], "a file with mistakes has changed nothing");
    let (_, before, after) = last_entry(&shop).await;
    assert_eq!(before, json!({ "NY": { "Kings": ["11201"], "New York": ["10001"] } }), "what orders were taxed by");
    assert_eq!(after["NY"], json!({ "Manhattan": ["10001"], "New York": ["10002"] }));
}

/// Otherwise it would apply to no sale.
async fn a_rate_of_a_county_that_has_no_zip_code_is_told(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("taxer", &["admin"]).await;
    let add = async |state: &str, county: &str| {
        let rate = json!({
            "version": version(&shop, &cookie).await, "state": state, "county": county, "rate": 48_750,
            "taxes_shipping": true, "valid_from": "2026-11-21", "source": "A test's own law",
        });
        shop.call("POST", &format!("{CALL}/rates"), &cookie, rate).await
    };
    let send = async |csv: &str| {
        let body = json!({ "version": version(&shop, &cookie).await, "csv": csv, "dry_run": false });
        shop.call("POST", &format!("{CALL}/counties"), &cookie, body).await.assert_status(200).json()
    };
    add("NY", "Kngs").await.assert_status(204);
    assert_eq!(send("NY,11201,Kings County\n").await["idle_rates"], json!(["Kngs County, NY"]));
    let refused = add("NY", "Kigns").await.assert_problem(422, "invalid").json();
    assert_eq!(refused["errors"]["county"], json!(["No ZIP code on file is in this county."]));
    add("NY", "kings").await.assert_status(204);
    add("NY", "").await.assert_status(204);
    // What is not on file yet may come, and at home the county is a setting.
    add("LA", "Orleans").await.assert_status(204);
    add("OH", "Delaware").await.assert_status(204);
    assert_eq!(send("LA,70112,Orleans Parish\nOH,43215,Franklin\n").await["idle_rates"], json!([]));
}

async fn a_file_of_a_large_state_is_taken(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("taxer", &["admin"]).await;
    let lines = (93_000..95_700).map(|zip| format!("\"CA\",\"{zip}\",\"Los Angeles County\"\r\n"));
    let csv: String = lines.collect();
    for dry_run in [true, false] {
        let body = json!({ "version": version(&shop, &cookie).await, "csv": csv, "dry_run": dry_run });
        let report = shop.call("POST", &format!("{CALL}/counties"), &cookie, body).await.assert_status(200).json();
        assert_eq!((&report["added"], &report["problems"]), (&json!(2_700), &json!([])));
    }
    let page = props(&shop, &cookie, PAGE).await;
    assert_eq!(page["counties"], json!([{ "state": "CA", "zip_codes": 2_700 }]));
}
