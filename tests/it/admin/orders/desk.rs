//! Notes, orders that need attention, address changes, resent emails, and archived orders.

use serde_json::{Value, json};
use shop_domain::sales::records::orders;

use super::{Desk, chosen, parcel};
use crate::checkout::bench::{BUTANE, PAPERS, PIPE_TOOL};
use crate::checkout::emails::open;
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    notes_are_kept_for_staff,
    what_needs_a_hand_is_not_cleared_unseen,
    what_needed_a_hand_is_cleared_with_a_word,
    a_street_is_corrected_whatever_has_changed_since,
    an_order_can_go_elsewhere_for_the_same_price,
    what_was_canceled_does_not_change_the_price_of_another_address,
    an_order_goes_nowhere_that_changes_its_price_or_breaks_a_rule,
    an_order_whose_shipping_a_code_made_free_goes_farther,
    an_order_for_nothing_goes_where_it_could_be_paid_for,
    an_order_with_an_excise_goes_where_it_is_taxed_the_same,
    a_click_resends_an_email_once,
    an_email_is_resent_a_few_times_a_day,
    what_is_over_is_put_away,
    staff_make_an_order_for_who_picks_it_up,
    quantities_that_were_exchanged_are_another_order,
    staff_get_all_that_they_asked_for_or_nothing,
];

async fn notes_are_kept_for_staff(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let note = async |text: &str| desk.act(&desk.staff, &number, "notes", json!({ "text": text })).await;
    note("  Called about the color.\nWants brown.  ").await.assert_status(204);
    for wrong in ["", "  ", "\u{7}", &"x".repeat(2_001)] {
        let problem = note(wrong).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"].get("text").is_some(), "{problem}");
    }
    let kept = "SELECT h.data FROM order_history h JOIN orders o ON o.id = h.order_id
        WHERE o.number = $1 AND h.kind = 'note' AND h.actor LIKE 'staff %' AND h.is_public = FALSE";
    let data: Value = serde_json::from_str(&desk.text(kept, &number).await).unwrap();
    assert_eq!(data["text"], "Called about the color.\nWants brown.");
    let log = "SELECT after FROM audit_entries WHERE action = 'order.note' AND subject_label = $1";
    assert_eq!(desk.text(log, &number).await, "{\"characters\":36}", "not what it says");
    // Sent again because the answer was lost, it is the same note; said again later, it is another.
    note("Called about the color.\nWants brown.").await.assert_status(204);
    let notes = "SELECT COUNT(*) FROM order_history WHERE kind = 'note'";
    assert_eq!((desk.bench.count(notes).await, desk.audited("order.note").await), (1, 1));
    desk.bench.shop.clock.advance(60_000);
    note("Called about the color.\nWants brown.").await.assert_status(204);
    assert_eq!((desk.bench.count(notes).await, desk.audited("order.note").await), (2, 2));
}

async fn what_needs_a_hand_is_not_cleared_unseen(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let flag = async |why: &str| {
        let mut tx = desk.bench.shop.app.db.begin().await.unwrap();
        let mut conn = tx.conn();
        let order = orders::service::find_by_number(&mut conn, &number).await.unwrap().unwrap();
        orders::service::lock(&mut conn, order.id).await.unwrap();
        orders::service::flag_for_review(&mut conn, desk.bench.shop.clock.as_ref(), order.id, why).await.unwrap();
        tx.commit().await.unwrap();
    };
    flag("A refund failed.").await;
    let seen = desk.version(&number).await;
    flag("The bank asks for its money back.").await;
    flag("A refund failed.").await;
    let path = format!("/api/admin/orders/{number}/attention");
    let stale = json!({ "version": seen, "note": "Paid by check" });
    let answer = desk.bench.shop.call("POST", &path, &desk.staff, stale).await;
    answer.assert_problem(409, "changed_meanwhile");
    let both = desk.text("SELECT attention FROM orders WHERE number = $1", &number).await;
    assert_eq!(both, "A refund failed. The bank asks for its money back.");
    // Another refund fails, with the same words.
    let seen = desk.version(&number).await;
    flag("A refund failed.").await;
    let stale = json!({ "version": seen, "note": "Paid by check" });
    let answer = desk.bench.shop.call("POST", &path, &desk.staff, stale).await;
    answer.assert_problem(409, "changed_meanwhile");
    assert_eq!(desk.text("SELECT attention FROM orders WHERE number = $1", &number).await, both);
    desk.act(&desk.staff, &number, "attention", json!({ "note": "Both seen to" })).await.assert_status(204);
}

async fn what_needed_a_hand_is_cleared_with_a_word(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let clear = async |note: &str| desk.act(&desk.staff, &number, "attention", json!({ "note": note })).await;
    clear("Done").await.assert_problem(409, "no_attention");
    desk.bench.execute("UPDATE orders SET attention = 'A reason.'").await;
    clear(" ").await.assert_problem(422, "invalid");
    clear("Paid back by hand").await.assert_status(204);
    let seen = desk.bench.shop.call("GET", "/api/admin/attention", &desk.staff, Value::Null).await.json();
    assert_eq!(seen["orders"], json!([]));
    assert_eq!(desk.audited("order.clear_attention").await, 1);
}

pub fn columbus() -> Value {
    json!({
        "first_name": "Ada", "last_name": "Reed", "line1": "80 Broad Street", "city": "Columbus", "state": "OH",
        "postal_code": "43215",
    })
}

async fn an_order_can_go_elsewhere_for_the_same_price(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let go = async |address: Value| desk.act(&desk.staff, &number, "address", json!({ "address": address })).await;
    go(columbus()).await.assert_status(204);
    let address = desk.text("SELECT address FROM orders WHERE number = $1", &number).await;
    assert!(address.contains("80 Broad Street"), "{address}");
    // Sent again, or saved without a change, it is no change.
    go(columbus()).await.assert_status(204);
    assert_eq!(desk.audited("order.change_address").await, 1);
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM order_history WHERE kind = 'address_changed'").await, 1);
    let log = "SELECT after FROM audit_entries WHERE action = 'order.change_address' AND subject_label = $1";
    assert_eq!(desk.text(log, &number).await, "{\"fields\":[\"line1\"],\"state\":\"OH\"}", "names of fields only");

    let mut wrong = columbus();
    wrong["postal_code"] = json!("90210");
    wrong["city"] = json!("");
    let problem = go(wrong).await.assert_problem(422, "invalid").json();
    assert_eq!(problem["errors"]["address.postal_code"][0], "That ZIP code isn’t in Ohio.");
    assert!(problem["errors"].get("address.city").is_some());
    for (line, text) in [("line1", "PO Box 12"), ("line1", "80 Broad St, PO Box 12"), ("line2", "P.O.B. 9")] {
        let mut box_at_the_post = columbus();
        box_at_the_post[line] = json!(text);
        let problem = go(box_at_the_post).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"]["address.line1"][0].as_str().unwrap().contains("sign"), "{text}");
    }

    desk.act(&desk.staff, &number, "shipment", parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]))
        .await
        .assert_status(204);
    go(columbus()).await.assert_problem(409, "left_already");
}

async fn what_was_canceled_does_not_change_the_price_of_another_address(shop: TestShop) {
    const NEEDS_NO_SIGNATURE: &str = "BMS-POL";
    let desk = Desk::open(&shop).await;
    let without_tool = async || {
        let number = desk.paid(&[(PIPE_TOOL, 1), (NEEDS_NO_SIGNATURE, 1)]).await;
        let tool = desk.line(&number, PIPE_TOOL).await;
        let broken = json!({ "lines": chosen(&[(tool, 1)]), "restock": false, "by_shopper": false });
        desk.act(&desk.admin, &number, "cancellation", broken).await.assert_status(204);
        desk.settle().await;
        number
    };
    let go = async |number: &str, city: &str, state: &str, zip: &str| {
        let mut address = columbus();
        (address["city"], address["state"], address["postal_code"]) = (json!(city), json!(state), json!(zip));
        desk.act(&desk.staff, number, "address", json!({ "address": address })).await
    };
    let signed = without_tool().await;
    desk.bench.execute("UPDATE compliance_rules SET adult_signature = FALSE WHERE class = 'smoking_accessory'").await;
    let unsigned = without_tool().await;
    desk.bench.execute("UPDATE compliance_rules SET adult_signature = TRUE WHERE class = 'smoking_accessory'").await;
    for number in [&signed, &unsigned] {
        for zip in ["43201", "43215"] {
            go(number, "Columbus", "OH", zip).await.assert_status(204);
        }
    }
    let problem = go(&signed, "Denver", "CO", "80202").await.assert_problem(409, "price_changes").json();
    assert!(problem["detail"].as_str().unwrap().starts_with("Shipping to that address"), "{problem}");
}

async fn a_street_is_corrected_whatever_has_changed_since(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let paid = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
    desk.bench.execute("UPDATE tax_rates SET rate = rate + 100").await;
    desk.bench.execute("UPDATE shipping_rates SET price = price + 100").await;
    let go = async |address: Value| desk.act(&desk.staff, &number, "address", json!({ "address": address })).await;
    go(columbus()).await.assert_status(204);
    let mut elsewhere = columbus();
    elsewhere["postal_code"] = json!("43201");
    go(elsewhere).await.assert_problem(409, "price_changes");
    let mut box_at_the_post = columbus();
    box_at_the_post["line1"] = json!("PO Box 12");
    go(box_at_the_post).await.assert_problem(422, "invalid");
    assert_eq!(desk.figure("SELECT total FROM orders WHERE number = $1", &number).await, paid);
}

async fn an_order_goes_nowhere_that_changes_its_price_or_breaks_a_rule(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let elsewhere = |city: &str, state: &str, zip: &str| {
        let mut address = columbus();
        (address["city"], address["state"], address["postal_code"]) = (json!(city), json!(state), json!(zip));
        json!({ "address": address })
    };
    let number = desk.paid(&[(BUTANE, 1)]).await;
    let go = async |body: Value| desk.act(&desk.staff, &number, "address", body).await;
    // Fuel must not go by air.
    let problem = go(elsewhere("Honolulu", "HI", "96813")).await.assert_problem(422, "invalid").json();
    assert!(problem["errors"]["address.state"][0].as_str().unwrap().contains("Hawaii"), "{problem}");
    // A more distant zone costs more; the same zone without Ohio's tax costs less.
    for (body, says) in [
        (elsewhere("Denver", "CO", "80202"), "Shipping to that address"),
        (elsewhere("Indianapolis", "IN", "46204"), "Tax on “"),
    ] {
        let problem = go(body).await.assert_problem(409, "price_changes").json();
        assert!(problem["detail"].as_str().unwrap().starts_with(says), "{problem}");
    }
    assert_eq!(desk.audited("order.change_address").await, 0);
    // A pickup order has no delivery address.
    let number = desk.to_pick_up(PIPE_TOOL).await;
    let body = json!({ "address": columbus() });
    desk.act(&desk.staff, &number, "address", body).await.assert_problem(409, "not_to_ship");
}

async fn an_order_whose_shipping_a_code_made_free_goes_farther(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    desk.bench.execute("UPDATE promo_codes SET min_subtotal = 0 WHERE code = 'SHIPFREE'").await;
    let mut addresses = [columbus(), columbus()];
    for (address, (city, state, zip)) in
        addresses.iter_mut().zip([("Indianapolis", "IN", "46204"), ("Denver", "CO", "80202")])
    {
        (address["city"], address["state"], address["postal_code"]) = (json!(city), json!(state), json!(zip));
    }
    let [near, far] = addresses;
    for (code, list_price_matters) in [(Value::Null, true), (json!("SHIPFREE"), false)] {
        let to_indiana = |body: &mut Value| {
            body["address"] = near.clone();
            body["promo_code"] = code.clone();
        };
        let number = desk.placed(&[(BUTANE, 1)], to_indiana).await;
        desk.bench.work().await;
        let paid = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
        let gone = desk.act(&desk.staff, &number, "address", json!({ "address": far })).await;
        if list_price_matters {
            let problem = gone.assert_problem(409, "price_changes").json();
            assert!(problem["detail"].as_str().unwrap().starts_with("Shipping to that address"), "{problem}");
        } else {
            gone.assert_status(204);
        }
        assert_eq!(desk.figure("SELECT total FROM orders WHERE number = $1", &number).await, paid);
    }
    desk.bench.assert_books_balance().await;
}

async fn an_order_for_nothing_goes_where_it_could_be_paid_for(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    for change in [
        "UPDATE promo_codes SET value = 10000 WHERE code = 'WELCOME10'",
        "UPDATE shipping_rates SET price = 0",
        "UPDATE shipping_methods SET signature_fee = 0",
    ] {
        desk.bench.execute(change).await;
    }
    let mut body = desk.bench.order(PIPE_TOOL, 1).await;
    (body["promo_code"], body["source_id"], body["expected_total"]) = (json!("WELCOME10"), json!(""), json!(0));
    let placed = desk.bench.pay_known(&body).await.assert_status(200).json();
    let number = placed["number"].as_str().unwrap();
    let mut address = columbus();
    (address["city"], address["state"], address["postal_code"]) = (json!("Indianapolis"), json!("IN"), json!("46204"));
    let go = async || desk.act(&desk.staff, number, "address", json!({ "address": address })).await;
    desk.bench.execute("UPDATE compliance_rules SET may_pay_online = FALSE WHERE class = 'smoking_accessory'").await;
    let problem = go().await.assert_problem(422, "invalid").json();
    assert!(problem["errors"]["address.state"][0].as_str().unwrap().contains("in our store"), "{problem}");
    desk.bench.execute("UPDATE compliance_rules SET may_pay_online = TRUE WHERE class = 'smoking_accessory'").await;
    go().await.assert_status(204);
}

async fn an_order_with_an_excise_goes_where_it_is_taxed_the_same(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let taxed = async |state: &str, name: &str| {
        let page = "/admin/settings/compliance/_payload.json";
        let page = desk.bench.shop.call("GET", page, &desk.admin, Value::Null).await.json();
        let rule = json!({
            "version": page["props"]["version"], "class": "smoking_accessory", "state": state, "valid_from": "2026-11-21",
            "may_ship": true, "may_pick_up": true, "may_pay_online": true, "adult_signature": true, "ground_only": false,
            "source": "A test's own law", "excise": { "name": name, "ppm": 170_000 },
        });
        let path = "/api/admin/settings/compliance/rules";
        desk.bench.shop.call("POST", path, &desk.admin, rule).await.assert_status(204);
    };
    taxed("OH", "Ohio excise").await;
    let taxes = "SELECT COUNT(*) FROM order_tax_lines t JOIN orders o ON o.id = t.order_id
        WHERE o.number = $1 AND t.name LIKE '%excise'";
    let number = desk.paid(&[(PIPE_TOOL, 2)]).await;
    assert_eq!(desk.figure(taxes, &number).await, 1);
    // Staff see each tax by its name: 17% of 2 × $6.00 beside the sales tax.
    let page = desk.bench.shop.call("GET", &format!("/admin/orders/{number}"), &desk.admin, Value::Null).await;
    let totals = page.envelope()["props"]["order"]["totals"].clone();
    let shown = totals["taxes"].as_array().unwrap();
    assert!(shown.contains(&json!({ "name": "Ohio excise", "amount": 204 })), "{totals}");
    let sum: i64 = shown.iter().map(|tax| tax["amount"].as_i64().unwrap()).sum();
    assert_eq!((shown.len(), &json!(sum)), (2, &totals["tax"]), "{totals}");
    let go = async |number: &str, city: &str, state: &str, zip: &str| {
        let mut address = columbus();
        (address["city"], address["state"], address["postal_code"]) = (json!(city), json!(state), json!(zip));
        desk.act(&desk.staff, number, "address", json!({ "address": address })).await
    };
    go(&number, "Columbus", "OH", "43215").await.assert_status(204);
    // The same zone, but without either tax.
    go(&number, "Indianapolis", "IN", "46204").await.assert_problem(409, "price_changes");

    let sent_to_indiana = async || {
        let indiana = |body: &mut Value| {
            body["address"]["city"] = json!("Indianapolis");
            (body["address"]["state"], body["address"]["postal_code"]) = (json!("IN"), json!("46204"));
        };
        let number = desk.placed(&[(PIPE_TOOL, 2)], indiana).await;
        desk.bench.work().await;
        number
    };
    // From a state that does not tax these goods into one that does.
    let number = sent_to_indiana().await;
    assert_eq!(desk.figure(taxes, &number).await, 0);
    taxed("MI", "Michigan excise").await;
    let problem = go(&number, "Detroit", "MI", "48201").await.assert_problem(409, "price_changes").json();
    assert!(problem["detail"].as_str().unwrap().contains("but the customer paid $0.00"), "{problem}");
    // When a tax of the same amount has another name, the order keeps the name in its destination state.
    taxed("IN", "Indiana excise").await;
    let number = sent_to_indiana().await;
    go(&number, "Detroit", "MI", "48201").await.assert_status(204);
    let kept = "SELECT t.name FROM order_tax_lines t JOIN orders o ON o.id = t.order_id WHERE o.number = $1";
    assert_eq!(desk.text(kept, &number).await, "Michigan excise");
    let sum = "SELECT CAST((SELECT SUM(amount) FROM order_tax_lines) - SUM(tax_total) AS BIGINT) FROM orders WHERE number <> $1";
    assert_eq!(desk.figure(sum, "").await, 0, "the tax lines add up to the orders' tax");
    desk.bench.assert_books_balance().await;
}

async fn a_click_resends_an_email_once(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    for (again, emails) in [(uuid::Uuid::now_v7(), 1), (uuid::Uuid::now_v7(), 2)] {
        let body = json!({ "mail": "placed", "request_id": again });
        for _ in 0..2 {
            desk.act(&desk.staff, &number, "mails", body.clone()).await.assert_status(204);
            // The first has been sent when the request arrives once more.
            desk.bench.work().await;
        }
        assert_eq!(desk.audited("order.write_again").await, emails);
    }
}

async fn an_email_is_resent_a_few_times_a_day(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let other = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let resend = async |number: &str| desk.act(&desk.staff, number, "mails", json!({ "mail": "placed" })).await;
    for _ in 0..3 {
        resend(&number).await.assert_status(204);
    }
    let refused = resend(&number).await.assert_problem(409, "resent_often").json();
    assert_eq!(refused["detail"], "That email was sent again 3 times within a day. Try again tomorrow.");
    for (preview, sent) in [(true, 3), (false, 4)] {
        let body = json!({ "act": "confirm", "numbers": [number, other], "preview": preview });
        let done = desk.call(&desk.staff, "POST", "bulk", body).await.assert_status(200).json();
        assert_eq!(done["changed"], json!([other]));
        assert_eq!(done["unchanged"], json!([{ "number": number, "why": refused["detail"] }]));
        assert_eq!(desk.audited("order.write_again").await, sent);
    }
    desk.bench.shop.clock.advance(24 * 3_600_000);
    let staff = desk.bench.shop.sign_in("morning", &["staff"]).await;
    desk.act(&staff, &number, "mails", json!({ "mail": "placed" })).await.assert_status(204);
}

async fn what_is_over_is_put_away(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let archive = async || desk.act(&desk.staff, &number, "archive", json!({})).await;
    archive().await.assert_problem(409, "not_over");
    desk.act(&desk.staff, &number, "shipment", parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]))
        .await
        .assert_status(204);
    archive().await.assert_status(204);
    assert_eq!(desk.text("SELECT status FROM orders WHERE number = $1", &number).await, "archived");
    assert_eq!(desk.payment_status(&number).await, "paid");
    archive().await.assert_problem(409, "not_over");
    // Its payment can still be refunded, which shows in the order's status.
    let refund = json!({ "request_id": uuid::Uuid::now_v7(), "extra": 100, "reason": "Late", "expected_amount": 100 });
    desk.act(&desk.admin, &number, "refunds", refund).await.assert_status(200);
    desk.settle().await;
    assert_eq!(desk.payment_status(&number).await, "partially_refunded");
}

async fn staff_make_an_order_for_who_picks_it_up(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let order = json!({
        "checkout_id": uuid::Uuid::now_v7(), "click_id": uuid::Uuid::now_v7(),
        "lines": [{ "sku": PIPE_TOOL, "quantity": 1 }, { "sku": PIPE_TOOL, "quantity": 1 }],
        "email": "walk-in@shop.example", "first_name": "Bo", "last_name": "Lind", "promo_code": "WELCOME10",
    });
    let make =
        async |who: &str, body: &Value| desk.bench.shop.call("POST", "/api/admin/orders", who, body.clone()).await;
    make(&desk.staff, &order).await.assert_problem(403, "forbidden");
    let told = make(&desk.admin, &order).await.assert_status(200).json();
    // 2 × $6.00 less 10%, plus 8% of that.
    assert_eq!((&told["quote"]["total"], &told["number"]), (&json!(1_166), &Value::Null));
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM orders").await, 0, "asking places nothing");
    for (field, value, names) in [
        ("lines", json!([{ "sku": "NONE-SUCH", "quantity": 1 }]), "lines"),
        ("email", json!("nobody"), "email"),
        ("last_name", json!(" "), "last_name"),
        ("phone", json!("1"), "phone"),
    ] {
        let mut wrong = order.clone();
        wrong["expected_total"] = json!(1_166);
        wrong[field] = value;
        let problem = make(&desk.admin, &wrong).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"].get(names).is_some(), "{problem}");
    }
    let mut placed = order.clone();
    placed["expected_total"] = json!(1);
    let changed = make(&desk.admin, &placed).await.assert_problem(409, "total_changed").json();
    assert_eq!(changed["detail"], "The total has changed. Review it, then try again.", "staff do not pay");
    placed["expected_total"] = json!(1_166);
    let number = make(&desk.admin, &placed).await.assert_status(200).json()["number"].clone();
    assert_eq!(make(&desk.admin, &placed).await.assert_status(200).json()["number"], number, "one click, one order");
    // The answer was lost, and the form was changed.
    for (field, value, total) in [
        ("lines", json!([{ "sku": PIPE_TOOL, "quantity": 1 }]), 583),
        ("email", json!("next-in-line@shop.example"), 1_166),
    ] {
        let mut changed = placed.clone();
        (changed[field], changed["expected_total"]) = (value, json!(total));
        let problem = make(&desk.admin, &changed).await.assert_problem(409, "placed_already").json();
        assert!(problem["detail"].as_str().unwrap().contains(number.as_str().unwrap()), "{problem}");
    }
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM orders").await, 1);
    let number = number.as_str().unwrap();
    assert_eq!((desk.payment_status(number).await.as_str(), desk.audited("order.create").await), ("not_paid", 1));
    let act = async |act: &str, body| desk.act(&desk.staff, number, act, body).await;
    act("payment", json!({ "tender": "terminal", "id_checked": true })).await.assert_status(204);
    act("handover", json!({ "id_checked": true })).await.assert_status(204);
    assert_eq!(
        (desk.payment_status(number).await, desk.fulfillment_status(number).await),
        ("paid".into(), "fulfilled".into())
    );
    desk.bench.assert_stock_is_exact().await;
    desk.assert_log_is_sound().await;
}

/// The answer was lost, and the form was changed to what costs the same.
async fn quantities_that_were_exchanged_are_another_order(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    desk.bench.execute("UPDATE product_variants SET price = 600 WHERE sku IN ('TWT-SIN', 'UPK-ONBO')").await;
    let lines = |tools: i64, papers: i64| json!([{ "sku": PIPE_TOOL, "quantity": tools }, { "sku": PAPERS, "quantity": papers }]);
    let mut order = json!({
        "checkout_id": uuid::Uuid::now_v7(), "click_id": uuid::Uuid::now_v7(), "lines": lines(2, 1),
        "email": "walk-in@shop.example", "first_name": "Bo", "last_name": "Lind",
    });
    let make = async |body: &Value| desk.bench.shop.call("POST", "/api/admin/orders", &desk.admin, body.clone()).await;
    order["expected_total"] = make(&order).await.assert_status(200).json()["quote"]["total"].clone();
    let number = make(&order).await.assert_status(200).json()["number"].clone();
    order["lines"] = lines(1, 2);
    let problem = make(&order).await.assert_problem(409, "placed_already").json();
    assert!(problem["detail"].as_str().unwrap().contains(number.as_str().unwrap()), "{problem}");
}

async fn staff_get_all_that_they_asked_for_or_nothing(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    desk.bench.execute("UPDATE stock_levels SET on_hand = 2, reserved = 0 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    let mut order = json!({
        "checkout_id": uuid::Uuid::now_v7(), "click_id": uuid::Uuid::now_v7(), "email": "walk-in@shop.example",
        "first_name": "Bo", "last_name": "Lind", "lines": [{ "sku": PIPE_TOOL, "quantity": 3 }],
    });
    let mut terms = json!({
        "lines": order["lines"], "email": "ada@shop.example", "address": columbus(), "shipping_method": "ground",
    });
    let make = async |body: &Value| desk.bench.shop.call("POST", "/api/admin/orders", &desk.admin, body.clone()).await;
    let draft = async |terms: &Value| {
        let body = json!({ "draft_id": uuid::Uuid::now_v7(), "terms": terms });
        desk.call(&desk.admin, "POST", "drafts", body).await
    };
    // The price is that of what is left, and the quote says so.
    let told = make(&order).await.assert_status(200).json()["quote"].clone();
    assert!(told["changes"][0]["message"].as_str().unwrap().starts_with("Only 2 of"), "{told}");
    order["expected_total"] = told["total"].clone();
    terms["expected_total"] = draft(&terms).await.assert_status(200).json()["quote"]["total"].clone();
    for answer in [make(&order).await, draft(&terms).await] {
        let problem = answer.assert_problem(409, "cart_changed").json();
        assert!(problem["detail"].as_str().unwrap().starts_with("Only 2 of"), "{problem}");
    }
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM orders").await, 0);
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM draft_orders").await, 0);
    order["lines"][0]["quantity"] = json!(2);
    make(&order).await.assert_status(200);
    assert_eq!(desk.bench.count("SELECT CAST(SUM(quantity) AS BIGINT) FROM order_lines").await, 2);
}
