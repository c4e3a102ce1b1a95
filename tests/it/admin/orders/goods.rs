//! Packages and handovers.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use shop::registry::fill_search_terms;
use shop_domain::sales::order_links;
use shop_platform::staff_search::model::Kind;
use uuid::Uuid;

use super::{Desk, chosen, parcel};
use crate::admin::overview::props;
use crate::checkout::bench::{BUTANE, PAPERS, PIPE_TOOL};
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    an_order_leaves_in_parcels,
    an_order_is_found_by_its_number_and_its_parcels,
    an_order_is_found_by_its_buyers_phone,
    nothing_leaves_without_what_its_goods_call_for,
    what_todays_rules_forbid_leaves_only_as_an_exception,
    a_signature_that_a_new_rule_requires_is_asked_for,
    a_corrected_class_counts_for_what_has_not_left,
    what_todays_rules_forbid_is_not_handed_over,
    what_somebody_else_changed_is_not_overwritten,
    two_parcels_at_once_hold_no_more_than_there_is,
    goods_are_handed_over_to_adults_who_paid,
];

async fn an_order_leaves_in_parcels(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 3), (BUTANE, 1)]).await;
    let (tool, butane) = (desk.line(&number, PIPE_TOOL).await, desk.line(&number, BUTANE).await);
    let ship = async |lines: &[(Uuid, i64)]| desk.act(&desk.staff, &number, "shipment", parcel(lines)).await;
    for (wrong, says) in [
        (vec![], "Choose at least one item."),
        (vec![(tool, 4)], "That’s more than the order has."),
        (vec![(tool, -1)], "That’s more than the order has."),
        (vec![(Uuid::nil(), 1)], "This order has no such item."),
    ] {
        let problem = ship(&wrong).await.assert_problem(422, "invalid").json();
        assert_eq!(problem["errors"]["lines"][0], says);
    }
    ship(&[(tool, 2)]).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "partially_fulfilled");
    ship(&[(tool, 2)]).await.assert_problem(422, "invalid");
    ship(&[(tool, 1), (butane, 1)]).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
    ship(&[(tool, 1)]).await.assert_problem(409, "nothing_open");

    let parcels = "SELECT COUNT(*) FROM fulfillments f JOIN orders o ON o.id = f.order_id WHERE o.number = $1";
    assert_eq!(desk.figure(parcels, &number).await, 2);
    for (left, status) in [(1, "fulfilled"), (0, "delivered")] {
        let id: Uuid = {
            let mut reader = desk.bench.shop.app.db.read().await.unwrap();
            let mut conn = reader.conn();
            shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM fulfillments WHERE delivered_at IS NULL LIMIT 1")
                .fetch_one(c).await)
            .unwrap()
        };
        let act = format!("fulfillments/{id}/delivery");
        desk.act(&desk.staff, &number, &act, json!({})).await.assert_status(204);
        assert_eq!(desk.fulfillment_status(&number).await, status, "{left} on its way");
        desk.act(&desk.staff, &number, &act, json!({})).await.assert_problem(409, "not_on_its_way");
    }
    assert_eq!((desk.audited("order.ship").await, desk.audited("order.deliver").await), (2, 2));
    desk.assert_log_is_sound().await;
}

async fn an_order_is_found_by_its_number_and_its_parcels(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let mut numbers = Vec::new();
    for (carrier, tracking) in [("UPS", "1Z 999 AA1"), ("USPS", "9400111"), ("USPS\u{200b}", "9400 1118 99\u{202c}")] {
        let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
        let mut body = parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
        (body["carrier"], body["tracking_number"]) = (json!(carrier), json!(tracking));
        desk.act(&desk.staff, &number, "shipment", body).await.assert_status(204);
        numbers.push(number);
    }
    let list = async |typed: &str| {
        let path = format!("/admin/orders/_payload.json?q={typed}");
        let page = desk.bench.shop.call("GET", &path, &desk.staff, Value::Null).await;
        page.assert_status(200).json()["props"]["orders"].clone()
    };
    let plain = numbers[0].replace('-', "").to_lowercase();
    for (typed, number) in [
        (plain.as_str(), &numbers[0]),
        (numbers[1].as_str(), &numbers[1]),
        ("1Z%20999%20AA1", &numbers[0]),
        ("9400%20111", &numbers[1]),
        ("9400111899", &numbers[2]),
        ("9400-1118-99", &numbers[2]),
    ] {
        let listed = list(typed).await;
        let listed: Vec<_> = listed.as_array().unwrap().iter().map(|order| order["number"].clone()).collect();
        assert_eq!(listed, [json!(number)], "{typed}");
        let found =
            desk.bench.shop.call("GET", &format!("/api/admin/search?q={typed}"), &desk.staff, Value::Null).await;
        assert_eq!(found.json()["orders"][0]["label"], json!(number), "{typed}");
    }
    assert_eq!(list("9400112").await, json!([]));
    let path = format!("/admin/orders/{}", numbers[2]);
    let parcel = props(&desk.bench.shop, &desk.staff, &path).await["order"]["parcels"][0].clone();
    let page = "https://tools.usps.com/go/TrackConfirmAction?tLabels=9400111899";
    assert_eq!((&parcel["carrier"], &parcel["tracking_url"]), (&json!("USPS"), &json!(page)));
}

async fn an_order_is_found_by_its_buyers_phone(shop: TestShop) {
    const WRITTEN: [&str; 4] = ["6145550142", "+16145550142", "(614) 555-0142", "614.555.0142"];
    let desk = Desk::open(&shop).await;
    let mut numbers = BTreeSet::new();
    for phone in WRITTEN {
        numbers.insert(desk.placed(&[(PIPE_TOOL, 1)], |body| body["phone"] = json!(phone)).await);
        numbers.insert(desk.placed(&[(PIPE_TOOL, 1)], |body| body["address"]["phone"] = json!(phone)).await);
    }
    desk.placed(&[(PIPE_TOOL, 1)], |body| body["phone"] = json!("614-555-0199")).await;
    let found = async |typed: &str| -> BTreeSet<String> {
        let typed: String = form_urlencoded::byte_serialize(typed.as_bytes()).collect();
        let path = format!("/admin/orders/_payload.json?q={typed}");
        let page = desk.bench.shop.call("GET", &path, &desk.staff, Value::Null).await.assert_status(200).json();
        let orders = page["props"]["orders"].as_array().unwrap();
        orders.iter().map(|order| order["number"].as_str().unwrap().to_owned()).collect()
    };
    for typed in WRITTEN.into_iter().chain(["1 614\u{a0}555\u{2013}0142"]) {
        assert_eq!(found(typed).await, numbers, "{typed}");
    }
    // Those of a former release, which has looked at all orders, are found by their words until they are filled in.
    desk.bench
        .execute(
            "DELETE FROM search_terms WHERE term = '6145550142'
                AND subject_id NOT IN (SELECT id FROM orders WHERE phone = '614.555.0142')",
        )
        .await;
    desk.bench
        .execute(
            "INSERT INTO search_term_fills (kind, after_id, is_done)
                SELECT 'order or checkout', id, TRUE FROM orders ORDER BY id DESC LIMIT 1",
        )
        .await;
    assert_eq!(found("614 555 0142").await.len(), 4, "those with separators");
    fill_search_terms(&desk.bench.shop.app, Kind::Order).await.unwrap();
    assert_eq!(found("614 555 0142").await, numbers);
}

async fn nothing_leaves_without_what_its_goods_call_for(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.placed(&[(BUTANE, 1)], |_| {}).await;
    let line = desk.line(&number, BUTANE).await;
    let whole = parcel(&[(line, 1)]);
    desk.act(&desk.staff, &number, "shipment", whole.clone()).await.assert_problem(409, "not_paid");
    desk.bench.work().await;
    for field in ["adult_signature", "label"] {
        let mut missing = whole.clone();
        missing[field] = json!(false);
        let problem = desk.act(&desk.staff, &number, "shipment", missing).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"].get(field).is_some(), "{problem}");
    }
    for url in ["https://ups.example/\n1".to_owned(), format!("https://ups.example/{}", "1".repeat(500))] {
        let mut odd = whole.clone();
        odd["tracking_url"] = json!(url);
        let problem = desk.act(&desk.staff, &number, "shipment", odd).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"].get("tracking_url").is_some(), "{problem}");
    }
    // All errors are reported at once.
    let nothing = json!({ "lines": [], "carrier": "", "tracking_number": "", "tracking_url": "ups" });
    let problem = desk.act(&desk.staff, &number, "shipment", nothing).await.assert_problem(422, "invalid").json();
    for field in ["lines", "carrier", "tracking_number", "tracking_url", "adult_signature", "label"] {
        assert!(problem["errors"].get(field).is_some(), "{field}: {problem}");
    }
    desk.act(&desk.staff, &number, "handover", json!({ "id_checked": true }))
        .await
        .assert_problem(409, "not_to_hand_over");
    desk.act(&desk.staff, &number, "shipment", whole).await.assert_status(204);
    // A package without fuel needs no hazmat label.
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let mut plain = parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
    plain["label"] = json!(false);
    desk.act(&desk.staff, &number, "shipment", plain).await.assert_status(204);
}

async fn what_todays_rules_forbid_leaves_only_as_an_exception(shop: TestShop) {
    let mut desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1), (BUTANE, 1)]).await;
    let (tool, butane) = (desk.line(&number, PIPE_TOOL).await, desk.line(&number, BUTANE).await);
    desk.bench
        .execute(
            "UPDATE compliance_rules SET may_ship = FALSE, adult_signature = TRUE, reason = 'No fuel goes to Ohio.' WHERE class = 'lighter_fluid_hazmat'",
        )
        .await;
    let body = parcel(&[(tool, 1), (butane, 1)]);
    let problem = desk.act(&desk.staff, &number, "shipment", body).await.assert_problem(409, "rules_forbid").json();
    let detail = problem["detail"].as_str().unwrap().to_owned();
    let title = desk.text("SELECT title FROM order_lines WHERE sku = $1", BUTANE).await;
    for part in [title.as_str(), "No fuel goes to Ohio.", "Cancel and refund"] {
        assert!(detail.contains(part), "{part} is not in {detail}");
    }
    // What the rules allow leaves as before.
    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 1)])).await.assert_status(204);
    // Only who may edit the rules, and has signed in recently, confirms an exception.
    let mut body = parcel(&[(butane, 1)]);
    body["adult_signature"] = json!(false);
    // Not what was read: nothing.
    body["confirm_rules"] = json!("Today’s rules don’t let these items leave.");
    desk.act(&desk.admin, &number, "shipment", body.clone()).await.assert_problem(409, "rules_forbid");
    body["confirm_rules"] = json!(detail);
    desk.act(&desk.staff, &number, "shipment", body.clone()).await.assert_problem(403, "forbidden");
    desk.bench.shop.clock.advance(16 * 60 * 1000);
    desk.act(&desk.admin, &number, "shipment", body.clone()).await.assert_problem(403, "stale_sign_in");
    desk.sign_in().await;
    // The rule that forbids it also says how it would have to travel.
    desk.act(&desk.admin, &number, "shipment", body.clone()).await.assert_problem(422, "invalid");
    body["adult_signature"] = json!(true);
    desk.act(&desk.admin, &number, "shipment", body).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
    let told = "SELECT h.data FROM order_history h JOIN orders o ON o.id = h.order_id
        WHERE o.number = $1 AND h.kind = 'rules_confirmed' AND h.actor LIKE 'staff %' AND h.is_public = FALSE";
    assert!(desk.text(told, &number).await.contains("No fuel goes to Ohio."));
    let logged =
        desk.text("SELECT after FROM audit_entries WHERE action = $1 ORDER BY seq DESC LIMIT 1", "order.ship").await;
    assert!(logged.contains("\"confirmed_rules\"") && logged.contains("No fuel goes to Ohio."), "{logged}");
    let page = props(&desk.bench.shop, &desk.admin, &format!("/admin/orders/{number}")).await;
    assert!(page["order"]["timeline"].to_string().contains("No fuel goes to Ohio."), "{}", page["order"]["timeline"]);
    desk.assert_log_is_sound().await;
}

async fn a_signature_that_a_new_rule_requires_is_asked_for(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    const WITHOUT: &str = "UPDATE compliance_rules SET adult_signature = FALSE WHERE class = 'smoking_accessory'";
    const WITH: &str = "UPDATE compliance_rules SET adult_signature = TRUE WHERE class = 'smoking_accessory'";
    desk.bench.execute(WITHOUT).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let shown =
        async || props(&desk.bench.shop, &desk.staff, &format!("/admin/orders/{number}")).await["order"].clone();
    assert_eq!(shown().await["adult_signature"], false);
    let order = desk.bench.id("SELECT id FROM orders").await;
    let link = json!({ "href": order_links::href(&desk.bench.shop.app.config, order) });
    assert_eq!(desk.bench.confirmation(&link).await["adult_signature"], false);
    desk.bench.execute(WITH).await;
    assert_eq!(shown().await["adult_signature"], true, "the dialog asks for it");
    let mut body = parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
    body["adult_signature"] = json!(false);
    let problem = desk.act(&desk.staff, &number, "shipment", body.clone()).await.assert_problem(422, "invalid").json();
    assert!(problem["errors"].get("adult_signature").is_some(), "{problem}");
    body["adult_signature"] = json!(true);
    desk.act(&desk.staff, &number, "shipment", body).await.assert_status(204);
    let signed = "SELECT COUNT(*) FROM fulfillments f JOIN orders o ON o.id = f.order_id
        WHERE o.number = $1 AND f.adult_signature = TRUE";
    assert_eq!(desk.figure(signed, &number).await, 1);
    assert_eq!(desk.bench.confirmation(&link).await["adult_signature"], true, "as the email says");
}

async fn a_corrected_class_counts_for_what_has_not_left(shop: TestShop) {
    const PAPERS_NOW: &str = "UPDATE products SET compliance_class = 'rolling_papers'";
    const GENERAL_NOW: &str = "UPDATE products SET compliance_class = 'general_merchandise'";
    const ACCESSORY_NOW: &str = "UPDATE products SET compliance_class = 'smoking_accessory'";
    let desk = Desk::open(&shop).await;
    let paid = async || {
        let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
        let body = parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
        (number, body)
    };
    let recorded =
        async |class: &str| desk.figure("SELECT COUNT(*) FROM delivery_records WHERE class = $1", class).await;
    let (number, body) = paid().await;
    desk.bench.execute(PAPERS_NOW).await;
    let refused = desk.act(&desk.staff, &number, "shipment", body).await.assert_problem(409, "rules_forbid").json();
    assert!(refused["detail"].as_str().unwrap().contains("handed over in our store only"), "{refused}");
    let address = json!({
        "first_name": "Ada", "last_name": "Reed", "line1": "80 Broad Street", "city": "Columbus", "state": "OH",
        "postal_code": "43201",
    });
    let elsewhere = desk.act(&desk.staff, &number, "address", json!({ "address": address })).await;
    assert!(elsewhere.assert_problem(422, "invalid").json()["errors"].get("address.state").is_some());

    desk.bench.execute(GENERAL_NOW).await;
    let (number, mut body) = paid().await;
    desk.bench.execute(ACCESSORY_NOW).await;
    body["adult_signature"] = json!(false);
    let unsigned = desk.act(&desk.staff, &number, "shipment", body.clone()).await.assert_problem(422, "invalid").json();
    assert!(unsigned["errors"].get("adult_signature").is_some(), "{unsigned}");
    body["adult_signature"] = json!(true);
    desk.act(&desk.staff, &number, "shipment", body).await.assert_status(204);
    assert_eq!(recorded("smoking_accessory").await, 1);

    // What was sold as regulated goods is recorded all the same.
    let (number, body) = paid().await;
    desk.bench.execute(GENERAL_NOW).await;
    desk.act(&desk.staff, &number, "shipment", body).await.assert_status(204);
    assert_eq!(recorded("general_merchandise").await, 1);
}

async fn what_todays_rules_forbid_is_not_handed_over(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.to_pick_up(PAPERS).await;
    let cash = json!({ "tender": "cash", "id_checked": true });
    desk.act(&desk.staff, &number, "payment", cash).await.assert_status(204);
    // It no longer goes to any address, which does not matter here.
    desk.bench.execute("UPDATE compliance_rules SET may_pick_up = FALSE, may_ship = FALSE, reason = 'Recalled.'").await;
    // Nobody is asked to come for it, and staff see why before anything is paid.
    desk.act(&desk.admin, &number, "ready", json!({})).await.assert_problem(409, "rules_forbid");
    let mut body = json!({ "id_checked": true });
    let refused = desk.act(&desk.admin, &number, "handover", body.clone()).await;
    let problem = refused.assert_problem(409, "rules_forbid").json();
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("Recalled."));
    let page = props(&desk.bench.shop, &desk.staff, &format!("/admin/orders/{number}")).await;
    assert_eq!(page["order"]["forbidden"], detail);
    body["confirm_rules"] = json!(detail);
    desk.act(&desk.staff, &number, "handover", body.clone()).await.assert_problem(403, "forbidden");
    assert_eq!(desk.fulfillment_status(&number).await, "unfulfilled");
    desk.act(&desk.admin, &number, "handover", body).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
    let confirmed = "SELECT COUNT(*) FROM order_history h JOIN orders o ON o.id = h.order_id
        WHERE o.number = $1 AND h.kind = 'rules_confirmed'";
    assert_eq!(desk.figure(confirmed, &number).await, 1);
    desk.assert_log_is_sound().await;
}

async fn what_somebody_else_changed_is_not_overwritten(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 2)]).await;
    let line = desk.line(&number, PIPE_TOOL).await;
    let seen = desk.version(&number).await;
    desk.act(&desk.staff, &number, "shipment", parcel(&[(line, 1)])).await.assert_status(204);
    let call = async |act: &str, mut body: serde_json::Value| {
        body["version"] = json!(seen);
        let method = if act == "address" { "PUT" } else { "POST" };
        desk.call(&desk.admin, method, &format!("{number}/{act}"), body).await
    };
    let address = json!({
        "first_name": "Ada", "last_name": "Reed", "line1": "14 High Street", "city": "Columbus", "state": "OH",
        "postal_code": "43215",
    });
    let refund = json!({ "request_id": Uuid::now_v7(), "lines": chosen(&[(line, 1)]), "expected_amount": 648 });
    for (act, body) in [
        ("shipment", parcel(&[(line, 1)])),
        ("cancellation", json!({ "restock": true, "by_shopper": true })),
        ("address", json!({ "address": address })),
        ("refunds", refund),
        ("returns", json!({ "lines": chosen(&[(line, 1)]), "reason": "Too small" })),
        ("archive", json!({})),
        ("attention", json!({ "note": "Done" })),
    ] {
        call(act, body).await.assert_problem(409, "changed_meanwhile");
    }
    // Nothing was changed, and none of it is in the audit log.
    assert_eq!(desk.version(&number).await, seen + 1);
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM audit_entries").await, 1);
    desk.bench.work().await;
    assert_eq!(desk.given_back(), 0);
}

async fn two_parcels_at_once_hold_no_more_than_there_is(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let body = parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
    let ship = || desk.act(&desk.staff, &number, "shipment", body.clone());
    let (first, second) = tokio::join!(ship(), ship());
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 409]);
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM fulfillments").await, 1);
    assert_eq!(desk.audited("order.ship").await, 1);
}

async fn goods_are_handed_over_to_adults_who_paid(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.to_pick_up(PAPERS).await;
    let act = async |act: &str, body| desk.act(&desk.staff, &number, act, body).await;
    act("handover", json!({ "id_checked": true })).await.assert_problem(409, "not_paid");
    let problem = act("payment", json!({ "tender": "cash" })).await.assert_problem(422, "invalid").json();
    assert!(problem["errors"]["id_checked"][0].as_str().unwrap().contains("21"));
    act("payment", json!({ "tender": "cash", "id_checked": true })).await.assert_status(204);
    act("payment", json!({ "tender": "cash", "id_checked": true })).await.assert_problem(409, "nothing_due");
    assert_eq!(desk.payment_status(&number).await, "paid");
    act("shipment", parcel(&[])).await.assert_problem(409, "not_to_ship");
    act("handover", json!({})).await.assert_problem(422, "invalid");
    act("handover", json!({ "id_checked": true })).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
    act("handover", json!({ "id_checked": true })).await.assert_problem(409, "nothing_open");

    // Cash is refunded over the counter, too.
    let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
    let mut refund = json!({
        "request_id": Uuid::now_v7(), "lines": chosen(&[(desk.line(&number, PAPERS).await, 1)]), "expected_amount": total,
    });
    desk.act(&desk.admin, &number, "refunds", refund.clone()).await.assert_problem(422, "invalid");
    refund["given_as"] = json!("cash");
    desk.act(&desk.admin, &number, "refunds", refund).await.assert_status(200);
    assert_eq!(desk.payment_status(&number).await, "refunded", "at once");
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'refund'").await, 0);
    assert_eq!((desk.audited("order.take_payment").await, desk.audited("order.hand_over").await), (1, 1));
}
