//! Compliance rules.

use serde_json::{Value, json};

use super::{last_entry, props};
use crate::checkout::bench::{Bench, PIPE_TOOL, problems};
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_rule_closes_a_state_at_once_and_an_order_keeps_what_it_was_sold_under,
    a_mistake_is_corrected_on_its_first_day_without_a_trace_being_lost,
    a_withdrawn_rule_extends_no_other,
    what_an_earlier_release_ended_has_no_end_of_its_own,
    a_rule_with_an_end_needs_a_successor,
    an_excise_is_a_tax_line_of_its_own,
    a_rule_that_makes_no_sense_is_refused_by_field,
];

const CALL: &str = "/api/admin/settings/compliance/rules";
const PAGE: &str = "/admin/settings/compliance";

async fn rule(shop: &TestShop, cookie: &str, state: &str) -> Value {
    json!({
        "version": props(shop, cookie, PAGE).await["version"], "class": "smoking_accessory", "state": state,
        "valid_from": "2026-11-21", "may_ship": false, "may_pick_up": false, "may_pay_online": false,
        "adult_signature": true, "ground_only": false, "reason": "Not into this state, says a test.",
        "source": "A test's own law",
    })
}

fn of_state<'a>(page: &'a Value, state: &str) -> Vec<&'a Value> {
    let rules = page["rules"].as_array().unwrap();
    rules.iter().filter(|rule| rule["class"] == "smoking_accessory" && rule["state"] == state).collect()
}

async fn a_rule_closes_a_state_at_once_and_an_order_keeps_what_it_was_sold_under(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = shop.sign_in("ruler", &["admin"]).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&order).await.assert_status(200);
    let decided = "SELECT COUNT(*) FROM orders WHERE compliance LIKE '%Shipping policy of 2026-11-01%'";
    assert_eq!(bench.count(decided).await, 1);

    let page = props(shop, &cookie, PAGE).await;
    let class = page["classes"].as_array().unwrap().iter().find(|class| class["code"] == "smoking_accessory").unwrap();
    assert!(class["products"].as_i64().unwrap() > 0, "who is affected is told");
    let closed = rule(shop, &cookie, "OH").await;
    shop.call("POST", CALL, &cookie, closed).await.assert_status(204);
    let (action, _, after) = last_entry(shop).await;
    assert_eq!((action.as_str(), &after["may_ship"]), ("compliance.add_rule", &json!(false)));
    let quote = bench.quote(&order).await;
    assert_eq!(quote["problems"][0]["code"], "restricted");
    assert!(quote["problems"][0]["message"].as_str().unwrap().contains("Not into this state"));
    let mut next = bench.order(PIPE_TOOL, 1).await;
    next["expected_total"] = json!(1);
    assert_eq!(bench.pay(&next).await.status, 409);
    assert_eq!(bench.count(decided).await, 1);
}

async fn a_mistake_is_corrected_on_its_first_day_without_a_trace_being_lost(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("ruler", &["admin"]).await;
    let wrong = rule(&shop, &cookie, "TX").await;
    shop.call("POST", CALL, &cookie, wrong.clone()).await.assert_status(204);
    shop.call("POST", CALL, &cookie, wrong.clone()).await.assert_status(204);
    let mut other = wrong;
    other["source"] = json!("Another law");
    shop.call("POST", CALL, &cookie, other).await.assert_problem(409, "changed_meanwhile");
    let mut right = rule(&shop, &cookie, "TX").await;
    (right["may_ship"], right["reason"]) = (json!(true), json!(""));
    shop.call("POST", CALL, &cookie, right).await.assert_status(204);
    let page = props(&shop, &cookie, PAGE).await;
    let rules = of_state(&page, "TX");
    let phases: Vec<_> = rules.iter().map(|rule| (rule["phase"].as_str().unwrap(), &rule["may_ship"])).collect();
    assert_eq!(phases, [("in_force", &json!(true)), ("past", &json!(false))]);
    let path = format!("{CALL}/{}/end", rules[0]["id"].as_str().unwrap());
    let body = json!({ "version": page["version"], "valid_until": "2026-11-22" });
    shop.call("POST", &path, &cookie, body).await.assert_status(204);
    let (action, before, after) = last_entry(&shop).await;
    assert_eq!(
        (action.as_str(), before, after),
        ("compliance.end_rule", json!({ "valid_until": null }), json!({ "valid_until": "2026-11-22" }))
    );
}

/// The first days of the rules for a state that have not ended, in their order, with the days on which they end.
fn days(page: &Value, state: &str) -> Vec<(String, Option<String>)> {
    let day = |rule: &Value, name: &str| rule[name].as_str().map(str::to_owned);
    let rules = of_state(page, state).into_iter().filter(|rule| rule["phase"] != "past");
    let mut days: Vec<_> = rules.map(|rule| (day(rule, "valid_from").unwrap(), day(rule, "valid_until"))).collect();
    days.sort();
    days
}

async fn a_withdrawn_rule_extends_no_other(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("ruler", &["admin"]).await;
    let add = async |from: &str, until: Option<&str>| {
        let mut new = rule(&shop, &cookie, "TX").await;
        (new["valid_from"], new["valid_until"]) = (json!(from), json!(until));
        shop.call("POST", CALL, &cookie, new).await.assert_status(204);
    };
    let change = async |from: &str, act: &str, until: Option<&str>, status: u16| {
        let page = props(&shop, &cookie, PAGE).await;
        let rules = of_state(&page, "TX");
        let found = rules.iter().find(|rule| rule["valid_from"] == from && rule["phase"] != "past").unwrap();
        let path = format!("{CALL}/{}/{act}", found["id"].as_str().unwrap());
        let body = json!({ "version": page["version"], "valid_until": until });
        shop.call("POST", &path, &cookie, body).await.assert_status(status);
    };
    let hold = async |expected: &[(&str, Option<&str>)]| {
        let expected: Vec<_> =
            expected.iter().map(|(from, until)| ((*from).to_owned(), until.map(str::to_owned))).collect();
        assert_eq!(days(&props(&shop, &cookie, PAGE).await, "TX"), expected);
    };
    // What ended by itself ends again when it would have.
    add("2026-11-21", Some("2027-01-01")).await;
    add("2026-12-01", None).await;
    hold(&[("2026-11-21", Some("2026-12-01")), ("2026-12-01", None)]).await;
    let page = props(&shop, &cookie, PAGE).await;
    let own_ends: Vec<_> = of_state(&page, "TX").into_iter().map(|rule| rule["own_end"].clone()).collect();
    assert_eq!(own_ends, [Value::Null, json!("2027-01-01")], "with what the one in force is to be replaced");
    change("2026-12-01", "end", Some("2026-12-01"), 422).await;
    let ends =
        |recorded: &Value| (recorded["ends"][0]["valid_from"].clone(), recorded["ends"][0]["valid_until"].clone());
    let [ended, holds_on] = ["2026-12-01", "2027-01-01"].map(|until| (json!("2026-11-21"), json!(until)));
    let (_, before, after) = last_entry(&shop).await;
    assert_eq!((ends(&before), ends(&after)), (holds_on.clone(), ended.clone()), "what the new one ended");
    change("2026-12-01", "withdraw", None, 204).await;
    hold(&[("2026-11-21", Some("2027-01-01"))]).await;
    let (_, before, after) = last_entry(&shop).await;
    assert_eq!((ends(&before), ends(&after)), (ended, holds_on), "what its withdrawal extended");
    // What staff ended stays ended.
    change("2026-11-21", "end", Some("2026-12-20"), 204).await;
    add("2026-12-20", None).await;
    change("2026-12-20", "withdraw", None, 204).await;
    hold(&[("2026-11-21", Some("2026-12-20"))]).await;
    // What was corrected before it began holds again, and not its predecessor.
    add("2026-12-05", None).await;
    add("2026-12-05", None).await;
    add("2026-12-10", None).await;
    change("2026-12-05", "withdraw", None, 204).await;
    let both = [("2026-11-21", Some("2026-12-05")), ("2026-12-05", Some("2026-12-10")), ("2026-12-10", None)];
    hold(&both).await;
    change("2026-12-10", "withdraw", None, 204).await;
    hold(&[("2026-11-21", Some("2026-12-05")), ("2026-12-05", None)]).await;
    change("2026-12-05", "withdraw", None, 204).await;
    hold(&[("2026-11-21", Some("2026-12-20"))]).await;
    // What follows one that ends by itself is withdrawn after it, or nothing would hold.
    add("2026-11-21", None).await;
    add("2026-12-15", None).await;
    add("2026-12-01", Some("2026-12-15")).await;
    change("2026-12-15", "withdraw", None, 409).await;
    change("2026-12-01", "withdraw", None, 204).await;
    hold(&[("2026-11-21", Some("2026-12-15")), ("2026-12-15", None)]).await;
    change("2026-12-15", "withdraw", None, 204).await;
    hold(&[("2026-11-21", None)]).await;
    // So is what one follows that would end by itself on a later day.
    add("2026-12-15", None).await;
    add("2026-12-01", Some("2026-12-31")).await;
    change("2026-12-15", "withdraw", None, 409).await;
    change("2026-12-01", "withdraw", None, 204).await;
    change("2026-12-15", "withdraw", None, 204).await;
    hold(&[("2026-11-21", None)]).await;
    // What was replaced before staff ended its successor would not hold again.
    add("2026-11-21", None).await;
    change("2026-11-21", "end", Some("2026-12-05"), 204).await;
    add("2026-12-05", None).await;
    change("2026-12-05", "withdraw", None, 204).await;
    hold(&[("2026-11-21", Some("2026-12-05"))]).await;
}

async fn what_an_earlier_release_ended_has_no_end_of_its_own(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = shop.sign_in("ruler", &["admin"]).await;
    for from in ["2026-11-21", "2027-01-01"] {
        let mut new = rule(shop, &cookie, "TX").await;
        new["valid_from"] = json!(from);
        shop.call("POST", CALL, &cookie, new).await.assert_status(204);
    }
    bench.execute("UPDATE settings SET value = '{}' WHERE name = 'compliance'").await;
    let page = props(shop, &cookie, PAGE).await;
    let rules = of_state(&page, "TX");
    assert_eq!((&rules[1]["valid_until"], &rules[1]["own_end"]), (&json!("2027-01-01"), &Value::Null));
}

async fn a_rule_with_an_end_needs_a_successor(shop: TestShop) {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = shop.sign_in("ruler", &["admin"]).await;
    let ban = rule(shop, &cookie, "TX").await;
    shop.call("POST", CALL, &cookie, ban).await.assert_status(204);
    let mut permission = rule(shop, &cookie, "TX").await;
    (permission["valid_from"], permission["valid_until"]) = (json!("2026-12-01"), json!("2026-12-15"));
    for allowed in ["may_ship", "may_pick_up", "may_pay_online"] {
        permission[allowed] = json!(true);
    }
    let refused = shop.call("POST", CALL, &cookie, permission.clone()).await.assert_problem(422, "invalid").json();
    assert!(refused["errors"]["valid_until"].is_array(), "{refused}");
    let mut again = rule(shop, &cookie, "TX").await;
    again["valid_from"] = json!("2026-12-15");
    shop.call("POST", CALL, &cookie, again).await.assert_status(204);
    permission["version"] = props(shop, &cookie, PAGE).await["version"].clone();
    shop.call("POST", CALL, &cookie, permission).await.assert_status(204);
    let page = props(shop, &cookie, PAGE).await;
    let firsts: Vec<_> = days(&page, "TX").into_iter().map(|(from, _)| from).collect();
    assert_eq!(firsts, ["2026-11-21", "2026-12-01", "2026-12-15"]);
    let rules = of_state(&page, "TX");
    let last = rules.iter().find(|rule| rule["valid_from"] == "2026-12-15").unwrap();
    let path = format!("{CALL}/{}/withdraw", last["id"].as_str().unwrap());
    let refused = shop.call("POST", &path, &cookie, json!({ "version": page["version"] })).await;
    let refused = refused.assert_problem(409, "leaves_gap").json();
    assert!(refused["detail"].as_str().unwrap().contains("on December 15, 2026"), "{refused}");
    let mut order = bench.order(PIPE_TOOL, 1).await;
    (order["address"]["state"], order["address"]["postal_code"]) = (json!("TX"), json!("75201"));
    for (later, is_banned) in [(0, true), (15, false), (14, true)] {
        shop.clock.advance(later * DAY);
        let found = problems(&bench.quote(&order).await);
        assert_eq!(found.iter().any(|(code, _)| code == "restricted"), is_banned, "{later} days later: {found:?}");
    }
}

async fn an_excise_is_a_tax_line_of_its_own(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookie = shop.sign_in("ruler", &["admin"]).await;
    let before = bench.quote(&bench.order(PIPE_TOOL, 3).await).await;
    assert_eq!(before["taxes"].as_array().unwrap().len(), 1);
    let mut taxed = rule(shop, &cookie, "OH").await;
    for allowed in ["may_ship", "may_pick_up", "may_pay_online"] {
        taxed[allowed] = json!(true);
    }
    taxed["excise"] = json!({ "name": "Ohio test excise", "ppm": 170_000, "per_unit": 25 });
    shop.call("POST", CALL, &cookie, taxed).await.assert_status(204);

    let order = bench.order(PIPE_TOOL, 3).await;
    let quote = bench.quote(&order).await;
    let goods = quote["subtotal"].as_i64().unwrap();
    let excise = (goods * 17 + 50) / 100 + 3 * 25;
    assert_eq!(quote["taxes"][1], json!({ "name": "Ohio test excise", "amount": excise }));
    assert_eq!(quote["tax"].as_i64().unwrap(), before["tax"].as_i64().unwrap() + excise);
    assert_eq!(quote["total"].as_i64().unwrap(), before["total"].as_i64().unwrap() + excise);
    let placed = bench.pay(&order).await.assert_status(200).json();
    bench.work().await;
    let bought = bench.confirmation(&placed).await;
    assert_eq!((&bought["taxes"], &bought["total"]), (&quote["taxes"], &quote["total"]));
    let kept = "SELECT CAST(SUM(amount) AS BIGINT) FROM order_tax_lines WHERE name = 'Ohio test excise'";
    assert_eq!(bench.count(kept).await, excise);
    let all = "SELECT CAST((SELECT SUM(amount) FROM order_tax_lines) - SUM(tax_total) AS BIGINT) FROM orders";
    assert_eq!(bench.count(all).await, 0, "the tax lines add up to the order's tax");
    bench.assert_books_balance().await;

    for (field, excise) in [
        ("excise.name", json!({ "ppm": 1 })),
        ("excise.name", json!({ "name": "Nothing" })),
        ("excise.ppm", json!({ "name": "Too much", "ppm": 1_000_001 })),
        ("excise.per_unit", json!({ "name": "Too little", "ppm": 1, "per_unit": -1 })),
    ] {
        let mut wrong = rule(shop, &cookie, "OH").await;
        wrong["excise"] = excise;
        let answer = shop.call("POST", CALL, &cookie, wrong).await;
        assert!(answer.assert_problem(422, "invalid").json()["errors"][field].is_array(), "{field}");
    }
}

async fn a_rule_that_makes_no_sense_is_refused_by_field(shop: TestShop) {
    let cookie = shop.sign_in("rule-checker", &["admin"]).await;
    for (field, value) in [
        ("class", json!("cigarettes")),
        ("state", json!("ZZ")),
        ("reason", json!("")),
        ("source", json!(" ")),
        ("valid_from", json!("")),
        ("valid_from", json!("2026-11-20")),
        ("valid_until", json!("2026-11-21")),
    ] {
        let mut wrong = rule(&shop, &cookie, "OH").await;
        wrong[field] = value;
        let answer = shop.call("POST", CALL, &cookie, wrong).await;
        assert!(answer.assert_problem(422, "invalid").json()["errors"][field].is_array(), "{field}");
    }
}
