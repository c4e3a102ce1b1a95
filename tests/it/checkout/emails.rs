//! Emails to buyers and account owners, over real SMTP.

use serde_json::{Value, json};
use shop_base::money::Money;
use shop_demo::mailbox::Mailbox;
use shop_demo::square::faults::{Operation, Point};

use super::bench::{BUTANE, Bench, PIPE_TOOL};
use super::comparing::{MINUTE, later, pay_late};
use crate::admin::orders::{Desk, chosen, parcel};
use crate::support::{Test, TestShop, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![
    buyers_are_written_to,
    staff_ship_and_the_buyer_is_told,
    who_may_send_goods_back_is_told_so,
    who_sends_goods_back_is_promised_what_is_due,
    who_may_not_send_goods_back_is_told_what_staff_wrote_to_them,
    who_paid_is_told_what_waits_and_what_comes_back,
    who_is_paid_back_by_a_bank_is_promised_no_refund,
    who_lost_the_payment_is_told_so,
    a_second_payment_goes_back_to_its_own_card,
    who_loses_a_part_without_a_refund_is_told_so,
    who_loses_a_part_is_told_before_its_refund_has_settled,
    what_is_canceled_is_no_longer_confirmed,
    who_would_come_in_vain_is_not_called,
    an_email_that_cannot_be_sent_now_is_sent_later_and_once,
    an_email_that_is_refused_for_good_waits_for_staff,
    account_owners_are_written_to,
];

pub async fn open(shop: &TestShop) -> (Bench, Mailbox) {
    let mailbox = Mailbox::start(&temporary_folder(), 0).await.unwrap();
    (Bench::writing(shop.database, mailbox.settings("care@shop.example")).await, mailbox)
}

/// Subjects and texts of the emails to an address, the oldest first.
pub async fn emails(mailbox: &Mailbox, to: &str) -> Vec<(String, String)> {
    let all: Value = reqwest::get(format!("{}/messages.json", mailbox.origin())).await.unwrap().json().await.unwrap();
    let all = all.as_array().unwrap_or_else(|| all["messages"].as_array().unwrap());
    let text = |email: &Value, field: &str| email[field].as_str().unwrap_or_default().to_owned();
    let mut own: Vec<_> = all
        .iter()
        .filter(|email| email["to"].as_array().unwrap().iter().any(|each| each == to))
        .map(|email| (text(email, "subject"), text(email, "text")))
        .collect();
    own.reverse();
    own
}

async fn buyers_are_written_to(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let mut order = bench.order(PIPE_TOOL, 2).await;
    order["promo_code"] = json!("WELCOME10");
    order["expected_total"] = bench.quote(&order).await["total"].clone();
    let placed = bench.pay(&order).await.assert_status(200).json();
    bench.work().await;
    let number = placed["number"].as_str().unwrap();
    let got = emails(&mailbox, order["email"].as_str().unwrap()).await;
    let [(subject, text)] = got.as_slice() else { panic!("{got:?}") };
    assert_eq!(*subject, format!("Your order {number}"));
    for part in [
        "Promo code WELCOME10",
        "-$1.20",
        "Ohio sales tax, Franklin County",
        "Visa ending in 1111",
        "12 High Street",
        "We’ll email you again when it’s on its way.",
        placed["href"].as_str().unwrap(),
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }

    // An order whose items are sold out when the payment succeeds.
    let order = bench.order(PIPE_TOOL, 1).await;
    let mut hold = bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeAnswer);
    let (answer, ()) = tokio::join!(bench.pay(&order), async {
        assert!(hold.reached().await);
        bench.execute("UPDATE stock_reservations SET state = 'released' WHERE state = 'held'").await;
        bench.execute("UPDATE stock_levels SET reserved = 0, on_hand = 0 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
        hold.release();
    });
    answer.assert_problem(409, "stock_lost");
    bench.work().await;
    let got = emails(&mailbox, order["email"].as_str().unwrap()).await;
    assert_eq!(got.len(), 1, "{got:?}");
    assert!(got[0].0.to_lowercase().contains("cancel"), "{got:?}");
    assert!(!got[0].1.contains("/order-confirmation"), "an order that was never placed has no page: {got:?}");
}

async fn who_paid_is_told_what_waits_and_what_comes_back(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let mut buyer = String::new();
    let number = desk
        .placed(&[(PIPE_TOOL, 2), (BUTANE, 1)], |body| {
            body["shipping_method"] = json!("pickup");
            buyer = body["email"].as_str().unwrap().to_owned();
        })
        .await;
    desk.bench.work().await;
    let (tool, butane) = (desk.line(&number, PIPE_TOOL).await, desk.line(&number, BUTANE).await);
    let part = json!({ "lines": chosen(&[(tool, 1), (butane, 1)]), "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", part).await.assert_status(204);
    desk.settle().await;
    desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
    desk.bench.work().await;
    let got = emails(&mailbox, &buyer).await;
    let (_, ready) = got.iter().find(|(subject, _)| subject.ends_with("is ready for pickup")).unwrap();
    assert!(ready.contains("Three-Way Pipe Tool, Single · Quantity 1:") && !ready.contains("Butane"), "{ready}");

    let ready = json!({ "mail": "pickup_ready" });
    desk.act(&desk.staff, &number, "mails", ready.clone()).await.assert_status(204);
    let cash = json!({ "restock": true, "by_shopper": true, "given_as": "cash" });
    desk.act(&desk.admin, &number, "cancellation", cash).await.assert_problem(422, "invalid");
    let whole = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", whole).await.assert_status(204);
    desk.act(&desk.staff, &number, "mails", ready).await.assert_problem(409, "not_written");
    desk.settle().await;
    let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
    assert_eq!(desk.given_back(), total);
    let got = emails(&mailbox, &buyer).await;
    let told = format!("Your order {number} was canceled");
    let (_, canceled) = got.iter().find(|(subject, _)| *subject == told).unwrap();
    let promise = format!("We’re refunding {} in all.", Money::usd(total).dollars());
    assert!(canceled.contains(&promise), "{promise} is not in {canceled}");

    assert!(canceled.contains("seven days"), "it goes back to a card");

    desk.bench.execute("UPDATE orders SET email = ''").await;
    desk.act(&desk.staff, &number, "mails", json!({ "mail": "canceled" })).await.assert_problem(409, "no_address");
}

async fn who_is_paid_back_by_a_bank_is_promised_no_refund(shop: TestShop) {
    const A_PART: &str =
        "INSERT INTO disputes (provider, provider_dispute_id, order_id, attempt_id, state, reason, amount, created_at,
        updated_at) SELECT provider, 'D1', order_id, id, 'EVIDENCE_REQUIRED', 'NO_KNOWLEDGE', 200, 0, 0
        FROM payment_attempts WHERE status = 'captured'";
    const ALL: &str =
        "INSERT INTO disputes (provider, provider_dispute_id, order_id, attempt_id, state, reason, amount, created_at,
        updated_at) SELECT provider, 'D2', order_id, id, 'LOST', 'NO_KNOWLEDGE', amount, 0, 0
        FROM payment_attempts WHERE status = 'captured' AND id NOT IN (SELECT attempt_id FROM disputes)";
    const CLAIMED: &str = "SELECT d.amount FROM disputes d JOIN orders o ON o.id = d.order_id WHERE o.number = $1";
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let mut canceled = Vec::new();
    for claim in [A_PART, ALL] {
        let mut buyer = String::new();
        let number = desk.placed(&[(PIPE_TOOL, 1)], |body| buyer = body["email"].as_str().unwrap().to_owned()).await;
        desk.bench.work().await;
        desk.bench.execute(claim).await;
        let whole = json!({ "restock": true, "by_shopper": false });
        desk.act(&desk.admin, &number, "cancellation", whole).await.assert_status(204);
        desk.settle().await;
        let got = emails(&mailbox, &buyer).await;
        let (_, text) = got.iter().find(|(subject, _)| subject.ends_with("was canceled")).unwrap();
        // The page that the email opens knows of it, too.
        let href = text.split_whitespace().find(|word| word.contains("/order-confirmation?order=")).unwrap();
        let href = &href[href.find("/order-confirmation").unwrap()..];
        let page = desk.bench.confirmation(&json!({ "href": href })).await;
        assert_eq!((&page["reclaimed"], &page["email"]), (&json!(desk.figure(CLAIMED, &number).await), &json!(buyer)));
        let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
        canceled.push((total, text.clone()));
    }
    let [(of_part, a_part), (of_all, all)] = canceled.as_slice() else { panic!("{canceled:?}") };
    assert_eq!(desk.given_back(), of_part - 200);
    let rest = Money::usd(of_part - 200).dollars();
    assert!(a_part.contains(&format!("We’re refunding {rest} in all.")), "{a_part}");
    assert!(a_part.contains("Your bank has claimed back $2.00"), "{a_part}");
    let total = Money::usd(*of_all).dollars();
    assert!(all.contains(&format!("Your bank has claimed back {total}")), "{all}");
    assert!(!all.contains("We’re refunding") && !all.contains("charged"), "{all}");
}

async fn who_lost_the_payment_is_told_so(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&order).await.assert_status(200);
    let id = bench.stand_in.payments()[0]["id"].as_str().unwrap().to_owned();
    bench.shop.app.parts.providers.square.as_ref().unwrap().void(&id).await.unwrap();
    bench.work().await;
    let got = emails(&mailbox, order["email"].as_str().unwrap()).await;
    let (_, text) = got.iter().find(|(subject, _)| subject.ends_with("was canceled")).expect("an email");
    assert!(text.contains("because the payment didn’t go through.") && text.contains("weren’t charged"), "{text}");
}

async fn a_second_payment_goes_back_to_its_own_card(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let mut order = pay_late(&bench).await;
    // The buyer then orders two pieces with another card, which is declined, so the order is never placed.
    order["items"][0]["qty"] = json!(2);
    order["click_id"] = json!(uuid::Uuid::now_v7());
    order["source_id"] = json!("cnon:card-nonce-declined");
    order["expected_total"] = bench.quote(&order).await["total"].clone();
    bench.pay(&order).await.assert_status(402);
    for _ in 0..4 {
        later(&bench, 6 * MINUTE).await;
    }
    let got = emails(&mailbox, order["email"].as_str().unwrap()).await;
    let (_, text) = got.iter().find(|(subject, _)| subject.starts_with("Refund for")).expect("an email");
    assert!(text.contains("Visa ending in 1111"), "{text}");
    assert!(!text.contains("/order-confirmation"), "an order that was never placed has no page: {text}");
}

async fn who_loses_a_part_without_a_refund_is_told_so(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    bench.execute("UPDATE promo_codes SET value = 10000 WHERE code = 'WELCOME10'").await;
    let mut free = bench.pickup(PIPE_TOOL, 2).await;
    (free["promo_code"], free["expected_total"]) = (json!("WELCOME10"), json!(0));
    let placed = bench.pay_known(&free).await.assert_status(200).json();
    let desk = Desk::at(bench).await;
    let mut buyer = json!(null);
    let refunded = desk.placed(&[(PIPE_TOOL, 2)], |body| buyer = body["email"].clone()).await;
    desk.bench.work().await;
    let cancel = async |number: &str| {
        let one = chosen(&[(desk.line(number, PIPE_TOOL).await, 1)]);
        let part = json!({ "lines": one, "restock": true, "by_shopper": false });
        desk.act(&desk.admin, number, "cancellation", part).await.assert_status(204);
        desk.settle().await;
    };
    cancel(placed["number"].as_str().unwrap()).await;
    let refund = json!({
        "request_id": uuid::Uuid::now_v7(), "lines": chosen(&[(desk.line(&refunded, PIPE_TOOL).await, 1)]),
        "expected_amount": 648,
    });
    desk.act(&desk.admin, &refunded, "refunds", refund).await.assert_status(200);
    desk.settle().await;
    cancel(&refunded).await;
    for (number, email) in [(placed["number"].as_str().unwrap(), &free["email"]), (refunded.as_str(), &buyer)] {
        let got = emails(&mailbox, email.as_str().unwrap()).await;
        let (subject, text) = got.last().unwrap();
        assert_eq!(*subject, format!("Part of your order {number} was canceled"));
        assert!(text.contains("Three-Way Pipe Tool") && text.contains("Quantity 1"), "{text}");
    }
}

async fn who_loses_a_part_is_told_before_its_refund_has_settled(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let cancel = async |number: &str| {
        let one = chosen(&[(desk.line(number, PIPE_TOOL).await, 1)]);
        let part = json!({ "lines": one, "restock": true, "by_shopper": false });
        desk.act(&desk.admin, number, "cancellation", part).await.assert_status(204);
    };
    let subjects = async |buyer: &Value| -> Vec<String> {
        emails(&mailbox, buyer.as_str().unwrap()).await.into_iter().map(|(subject, _)| subject).collect()
    };
    let mut buyer = json!(null);
    let number = desk.placed(&[(PIPE_TOOL, 2)], |body| buyer = body["email"].clone()).await;
    desk.bench.work().await;
    // What is left is less than the piece has cost.
    let extra = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await - 400;
    let refund = json!({
        "request_id": uuid::Uuid::now_v7(), "lines": [], "extra": extra, "reason": "A scratch", "expected_amount": extra,
    });
    desk.act(&desk.admin, &number, "refunds", refund).await.assert_status(200);
    desk.settle().await;
    cancel(&number).await;
    desk.settle().await;
    let told = format!("Part of your order {number} was canceled");
    let got = emails(&mailbox, buyer.as_str().unwrap()).await;
    let (_, text) = got.iter().find(|(subject, _)| *subject == told).expect("an email");
    assert!(text.contains("Three-Way Pipe Tool") && text.contains("We’re refunding $4.00 for them."), "{text}");
    assert!(text.contains("we refunded before"), "{text}");
    assert!(!text.contains("nothing to refund"), "{text}");
    // Staff see it, and can send it again.
    let sent = async |number: &str| -> Vec<Value> {
        let path = format!("/admin/orders/{number}");
        let page = desk.bench.shop.call("GET", &path, &desk.staff, Value::Null).await;
        let emails = page.envelope()["props"]["order"]["emails"].as_array().unwrap().clone();
        emails.into_iter().filter(|email| email["mail"] == "goods_canceled").collect()
    };
    let listed = sent(&number).await;
    assert_eq!(listed.iter().map(|email| &email["label"]).collect::<Vec<_>>(), ["Items canceled: 1 × TWT-SIN"]);
    let again = json!({ "mail": "goods_canceled", "cancellation_id": listed[0]["id"] });
    desk.act(&desk.staff, &number, "mails", again).await.assert_status(204);
    desk.bench.work().await;
    assert_eq!(subjects(&buyer).await.iter().filter(|subject| **subject == told).count(), 2);
    // The refund is of exactly these goods. It is sent a minute later.
    let number = desk.placed(&[(PIPE_TOOL, 2)], |body| buyer = body["email"].clone()).await;
    desk.bench.work().await;
    cancel(&number).await;
    desk.bench.execute("UPDATE jobs SET run_at = run_at + 60000 WHERE name = 'refund'").await;
    desk.bench.work().await;
    let told = format!("Part of your order {number} was canceled");
    let got = emails(&mailbox, buyer.as_str().unwrap()).await;
    let [_, (subject, text)] = got.as_slice() else { panic!("{got:?}") };
    assert_eq!(*subject, told);
    assert!(text.contains("Three-Way Pipe Tool") && text.contains("We’re refunding $6.48 for them."), "{text}");
    assert!(!text.contains("we refunded before"), "nothing was: {text}");
    desk.bench.let_pass(120).await;
    let expected = [format!("Your order {number}"), told, format!("Refund for your order {number}")];
    assert_eq!(subjects(&buyer).await, expected);
}

async fn what_is_canceled_is_no_longer_confirmed(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    // The mailbox responds to this recipient with a temporary error.
    let number = desk.placed(&[(PIPE_TOOL, 1)], |body| body["email"] = json!("busy@shop.example")).await;
    desk.bench.work().await;
    let whole = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", whole).await.assert_status(204);
    desk.bench.execute("UPDATE orders SET email = 'free@shop.example'").await;
    desk.bench.let_pass(60).await;
    let subjects = async || -> Vec<String> {
        emails(&mailbox, "free@shop.example").await.into_iter().map(|(subject, _)| subject).collect()
    };
    let (confirmed, canceled) = (format!("Your order {number}"), format!("Your order {number} was canceled"));
    let got = subjects().await;
    assert!(got.contains(&canceled) && !got.contains(&confirmed), "{got:?}");
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'order_mail'").await, 0);
    desk.act(&desk.staff, &number, "mails", json!({ "mail": "placed" })).await.assert_status(204);
    desk.bench.work().await;
    assert!(subjects().await.contains(&confirmed), "staff may send it on purpose");
    let got = emails(&mailbox, "free@shop.example").await;
    let (_, text) = got.iter().find(|(subject, _)| *subject == confirmed).unwrap();
    assert!(text.contains("It has been canceled since.") && !text.contains("email you again"), "{text}");
}

async fn who_would_come_in_vain_is_not_called(shop: TestShop) {
    const PUT_OFF: &str = "UPDATE jobs SET run_at = run_at + 60000 WHERE name = 'order_mail'";
    const WAITING: &str = "SELECT COUNT(*) FROM jobs WHERE name = 'order_mail' AND dead_at IS NULL";
    const FLAGGED: &str = "SELECT COUNT(*) FROM order_history h JOIN orders o ON o.id = h.order_id
        WHERE o.number = $1 AND h.kind = 'attention'";
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    for case in ["unchanged", "refunded", "allowed again", "forbidden"] {
        let mut buyer = String::new();
        let number = desk
            .placed(&[(PIPE_TOOL, 1)], |body| {
                body["shipping_method"] = json!("pickup");
                buyer = body["email"].as_str().unwrap().to_owned();
            })
            .await;
        desk.bench.work().await;
        desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
        // The mail server is away for a minute.
        desk.bench.execute(PUT_OFF).await;
        if case == "refunded" {
            let all = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
            let refund = json!({
                "request_id": uuid::Uuid::now_v7(), "lines": [], "extra": all, "reason": "A scratch", "expected_amount": all,
            });
            desk.act(&desk.admin, &number, "refunds", refund).await.assert_status(200);
        }
        if ["allowed again", "forbidden"].contains(&case) {
            desk.bench.execute("UPDATE compliance_rules SET may_pick_up = FALSE, reason = 'Recalled.'").await;
        }
        desk.bench.let_pass(120).await;
        let ready = format!("Your order {number} is ready for pickup");
        let is_told = async || emails(&mailbox, &buyer).await.iter().any(|(subject, _)| *subject == ready);
        let mut is_called = is_told().await;
        assert_eq!(is_called, case == "unchanged", "{case}");
        assert_eq!(desk.bench.count(WAITING).await, i64::from(!is_called), "{case}: it is tried again");
        assert_eq!(desk.figure(FLAGGED, &number).await, i64::from(!is_called), "{case}: staff are told, once");
        let attention = desk.text("SELECT COALESCE(attention, '') FROM orders WHERE number = $1", &number).await;
        let why = match case {
            "unchanged" => "",
            "refunded" => "its money was being refunded",
            _ => "Recalled.",
        };
        assert!(attention.contains(why) && attention.is_empty() == is_called, "{case}: {attention}");
        let path = format!("/admin/orders/{number}");
        let page = desk.bench.shop.call("GET", &path, &desk.staff, Value::Null).await.envelope();
        let listed = page["props"]["order"]["emails"].as_array().unwrap();
        assert_eq!(listed.iter().any(|email| email["mail"] == "pickup_ready"), is_called, "{case}");
        if case == "allowed again" {
            desk.bench.execute("UPDATE compliance_rules SET may_pick_up = TRUE").await;
            desk.bench.let_pass(120).await;
            is_called = is_told().await;
            assert!(is_called, "the reason is gone");
        }
        // Only who was told that it is ready is told that it is not.
        desk.act(&desk.staff, &number, "ready/undo", json!({})).await.assert_status(204);
        desk.bench.work().await;
        let got = emails(&mailbox, &buyer).await;
        let is_corrected = got.iter().any(|(subject, _)| subject.starts_with("Correction: "));
        assert_eq!(is_corrected, is_called, "{case}: {got:?}");
    }
}

async fn staff_ship_and_the_buyer_is_told(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let mut buyer = json!(null);
    let number = desk.placed(&[(PIPE_TOOL, 3), (BUTANE, 1)], |body| buyer = body["email"].clone()).await;
    desk.bench.work().await;
    let (tool, butane) = (desk.line(&number, PIPE_TOOL).await, desk.line(&number, BUTANE).await);
    let path = format!("/api/admin/orders/{number}/shipment");
    let customer = desk.bench.shop.sign_in("curious", &["customer"]).await;
    desk.bench.shop.call("POST", &path, "", parcel(&[])).await.assert_problem(401, "unauthorized");
    desk.bench.shop.call("POST", &path, &customer, parcel(&[])).await.assert_problem(403, "forbidden");
    desk.call(&desk.staff, "POST", "NONE-SUCH/shipment", {
        let mut body = parcel(&[(tool, 1)]);
        body["version"] = json!(0);
        body
    })
    .await
    .assert_status(404);
    for (field, value) in [("carrier", json!(" ")), ("tracking_url", json!("javascript:1"))] {
        let mut wrong = parcel(&[(tool, 1)]);
        wrong[field] = value;
        let problem = desk.act(&desk.staff, &number, "shipment", wrong).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"].get(field).is_some(), "{problem}");
    }
    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 2)])).await.assert_status(204);
    let mut second = parcel(&[(tool, 1), (butane, 1)]);
    second["tracking_number"] = json!("1Z888");
    desk.act(&desk.staff, &number, "shipment", second).await.assert_status(204);
    desk.bench.work().await;
    let got = emails(&mailbox, buyer.as_str().unwrap()).await;
    assert_eq!(got.len(), 3, "each parcel has its email: {got:?}");
    // Jobs run concurrently, so the order of the emails is undefined.
    let of = |number: &str| &got.iter().find(|email| email.1.contains(number)).expect("an email").1;
    let (first, second) = (of("1Z999"), of("1Z888"));
    let page = "https://www.ups.com/track?tracknum=1Z999";
    for part in ["UPS Ground", page, "12 High Street", "21 or older", "Quantity 2"] {
        assert!(first.contains(part), "{part} is not in {first}");
    }
    assert!(
        !first.contains("Butane") && second.contains("Butane") && second.contains("Quantity 1"),
        "{first} {second}"
    );

    // A partial refund: the email lists the item, and it can be sent again.
    let refund = json!({
        "request_id": uuid::Uuid::now_v7(), "lines": [{ "line_id": tool, "quantity": 1 }], "expected_amount": 648,
    });
    let refund = desk.act(&desk.admin, &number, "refunds", refund).await.assert_status(200).json();
    desk.settle().await;
    let again = json!({ "mail": "refunded", "refund_id": refund["id"] });
    desk.act(&desk.staff, &number, "mails", again).await.assert_status(204);
    desk.act(&desk.staff, &number, "mails", json!({ "mail": "canceled" })).await.assert_problem(409, "not_written");
    desk.bench.work().await;
    let got = emails(&mailbox, buyer.as_str().unwrap()).await;
    assert_eq!(got.len(), 5, "{got:?}");
    for (subject, text) in &got[3..] {
        assert_eq!(*subject, format!("Refund for your order {number}"));
        assert!(text.contains("$6.48") && text.contains("Quantity 1"), "{text}");
    }
}

async fn who_may_send_goods_back_is_told_so(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let mut buyer = json!(null);
    let number = desk.placed(&[(PIPE_TOOL, 3)], |body| buyer = body["email"].clone()).await;
    desk.bench.work().await;
    let tool = desk.line(&number, PIPE_TOOL).await;
    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 3)])).await.assert_status(204);
    let wanted = json!({ "lines": [{ "line_id": tool, "quantity": 2 }], "reason": "They do not fit" });
    let id = desk.act(&desk.staff, &number, "returns", wanted).await.assert_status(200).json()["id"].clone();
    let again = json!({ "mail": "return_approved", "return_id": id });
    desk.act(&desk.staff, &number, "mails", again.clone()).await.assert_problem(409, "not_written");
    let step = format!("returns/{}/approval", id.as_str().unwrap());
    desk.act(&desk.staff, &number, &step, json!({ "note": "Known customer" })).await.assert_status(204);
    desk.act(&desk.staff, &number, "mails", again).await.assert_status(204);
    desk.bench.work().await;
    let got = emails(&mailbox, buyer.as_str().unwrap()).await;
    let about: Vec<_> = got.iter().filter(|(subject, _)| subject.contains("Return approved")).collect();
    assert_eq!(about.len(), 2, "{got:?}");
    for (_, text) in about {
        assert!(text.contains("Quantity 2") && text.contains("48 Gay Street") && text.contains(&number), "{text}");
        assert!(text.contains("We’ll refund you up to $12.96 when they arrive."), "{text}");
        assert!(!text.contains("Known customer") && !text.contains("do not fit"), "what staff note is theirs: {text}");
    }
}

async fn who_sends_goods_back_is_promised_what_is_due(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    bench.execute("UPDATE promo_codes SET value = 5000 WHERE code = 'WELCOME10'").await;
    let desk = Desk::at(bench).await;
    for case in ["refunded", "reduced", "ended"] {
        let mut buyer = String::new();
        let number = desk
            .placed(&[(PIPE_TOOL, 2)], |body| {
                buyer = body["email"].as_str().unwrap().to_owned();
                if case == "reduced" {
                    body["promo_code"] = json!("WELCOME10");
                }
            })
            .await;
        desk.bench.work().await;
        let tool = desk.line(&number, PIPE_TOOL).await;
        desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 2)])).await.assert_status(204);
        if case == "refunded" {
            let all = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
            let refund = json!({
                "request_id": uuid::Uuid::now_v7(), "lines": [], "extra": all, "reason": "Late", "expected_amount": all,
            });
            desk.act(&desk.admin, &number, "refunds", refund).await.assert_status(200);
        }
        desk.settle().await;
        let wanted = json!({ "lines": chosen(&[(tool, 2)]), "reason": "They do not fit" });
        let id = desk.act(&desk.staff, &number, "returns", wanted).await.assert_status(200).json()["id"].clone();
        let step = |step: &str| format!("returns/{}/{step}", id.as_str().unwrap());
        desk.act(&desk.staff, &number, &step("approval"), json!({})).await.assert_status(204);
        if case == "ended" {
            // The mail server is away for a minute, and the goods are here.
            desk.bench.execute("UPDATE jobs SET run_at = run_at + 60000 WHERE name = 'order_mail'").await;
            let came = json!({ "lines": [{ "line_id": tool, "restocked": 2, "written_off": 0 }] });
            desk.act(&desk.admin, &number, &step("receipt"), came).await.assert_status(204);
            let closure = json!({ "note": "Refunded by phone" });
            desk.act(&desk.admin, &number, &step("closure"), closure).await.assert_status(204);
        }
        desk.bench.let_pass(120).await;
        let got = emails(&mailbox, &buyer).await;
        let about: Vec<_> = got.iter().filter(|(subject, _)| subject.contains("Return approved")).collect();
        assert_eq!(about.len(), usize::from(case != "ended"), "{case}: {got:?}");
        for (_, text) in about {
            match case {
                "refunded" => assert!(!text.contains("refund you"), "{text}"),
                _ => assert!(text.contains("up to $6.48") && !text.contains("$12.00"), "{text}"),
            }
        }
        let again = json!({ "mail": "return_approved", "return_id": id });
        let status = if case == "ended" { 409 } else { 204 };
        desk.act(&desk.staff, &number, "mails", again).await.assert_status(status);
    }
}

async fn who_may_not_send_goods_back_is_told_what_staff_wrote_to_them(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let mut buyer = json!(null);
    let number = desk.placed(&[(PIPE_TOOL, 3)], |body| buyer = body["email"].clone()).await;
    desk.bench.work().await;
    let tool = desk.line(&number, PIPE_TOOL).await;
    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 3)])).await.assert_status(204);
    let mut rejected = Vec::new();
    for message in ["", "It shows marks of use.\n\nWe are sorry."] {
        let wanted = json!({ "lines": [{ "line_id": tool, "quantity": 1 }], "reason": "They do not fit" });
        let id = desk.act(&desk.staff, &number, "returns", wanted).await.assert_status(200).json()["id"].clone();
        let step = format!("returns/{}/rejection", id.as_str().unwrap());
        let long = json!({ "note": "Difficult customer", "message": "x".repeat(2_001) });
        let problem = desk.act(&desk.staff, &number, &step, long).await.assert_problem(422, "invalid").json();
        assert!(problem["errors"].get("message").is_some(), "{problem}");
        let rejection = json!({ "note": "Difficult customer", "message": message });
        desk.act(&desk.staff, &number, &step, rejection).await.assert_status(204);
        rejected.push(json!({ "mail": "return_rejected", "return_id": id }));
    }
    desk.act(&desk.staff, &number, "mails", rejected.remove(0)).await.assert_problem(409, "not_written");
    desk.act(&desk.staff, &number, "mails", rejected.remove(0)).await.assert_status(204);
    desk.bench.work().await;
    let got = emails(&mailbox, buyer.as_str().unwrap()).await;
    let about: Vec<_> = got.iter().filter(|(subject, _)| subject.contains("About the return")).collect();
    assert_eq!(about.len(), 2, "one, and once more: {got:?}");
    for (_, text) in about {
        for part in ["marks of use.", "We are sorry.", "Quantity 1", &number] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert!(!text.contains("Difficult") && !text.contains("do not fit"), "what staff note is theirs: {text}");
    }
}

async fn an_email_that_cannot_be_sent_now_is_sent_later_and_once(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let mut order = bench.order(PIPE_TOOL, 1).await;
    // The mailbox responds to this recipient with a temporary error.
    order["email"] = json!("busy@shop.example");
    bench.pay(&order).await.assert_status(200);
    bench.work().await;
    assert_eq!(
        bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'order_mail' AND attempts > 0 AND dead_at IS NULL").await,
        1
    );
    bench.execute("UPDATE orders SET email = 'free@shop.example'").await;
    bench.let_pass(60).await;
    assert_eq!(emails(&mailbox, "free@shop.example").await.len(), 1);
    assert_eq!(bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'order_mail'").await, 0);
}

async fn an_email_that_is_refused_for_good_waits_for_staff(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let mut order = bench.order(PIPE_TOOL, 1).await;
    order["email"] = json!("refused@shop.example");
    bench.pay(&order).await.assert_status(200);
    bench.work().await;
    let dead = shop_platform::jobs::service::list(&bench.shop.app.db).await.unwrap().remove(0);
    assert_eq!((dead.name.as_str(), dead.dead_at.is_some()), ("order_mail", true));
    assert!(!dead.last_error.unwrap().contains("refused@"), "no addresses in what staff and logs see");
    bench.execute("UPDATE orders SET attention = 'A reason.'").await;
    bench.shop.get("/api/admin/attention").await.assert_problem(401, "unauthorized");
    let staff = bench.shop.sign_in("watch", &["staff"]).await;
    let seen = bench.shop.call("GET", "/api/admin/attention", &staff, Value::Null).await.assert_status(200).json();
    assert_eq!((&seen["orders"][0]["why"], &seen["dead_jobs"][0]["name"]), (&json!("A reason."), &json!("order_mail")));
    bench.assert_books_balance().await;
}

async fn account_owners_are_written_to(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let session = bench.shop.sign_in("ann", &["customer"]).await;
    bench.shop.sign_in("ann", &["customer"]).await;
    bench.work().await;
    let got = emails(&mailbox, "ann@shop.example").await;
    assert_eq!(got.len(), 1, "welcome once: {got:?}");
    let renamed = bench.shop.call("PATCH", "/api/me", &session, json!({ "name": "Another Name" })).await;
    renamed.assert_status(200);
    bench.execute("UPDATE user_devices SET name = 'Safari on iPhone'").await;
    bench.shop.sign_in("ann", &["customer"]).await;
    bench.work().await;
    let got = emails(&mailbox, "ann@shop.example").await;
    assert!(got[1].1.contains("Firefox on Linux"), "a new device is told: {got:?}");
    assert!(got[1].1.contains("Hello Another Name,"), "by the account's name: {got:?}");
    let confirm = json!({ "confirm": "ann@shop.example" });
    bench.shop.call("DELETE", "/api/me", &session, confirm).await.assert_status(204);
    bench.work().await;
    assert_eq!(emails(&mailbox, "ann@shop.example").await.len(), 3, "and the farewell");
    assert_eq!(bench.count("SELECT COUNT(*) FROM user_devices").await, 0);
}
