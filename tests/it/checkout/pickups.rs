//! Orders that are paid at pickup: confirmed through a link in an email, reminded of, and released. Their limits are in `pickup_limits`.

use std::sync::Arc;

use serde_json::{Value, json};
use shop_demo::mailbox::Mailbox;
use shop_domain::identity::model::Profile;
use shop_domain::retention::service::clean;
use shop_domain::sales::flows::reconcile::release_stock;
use shop_domain::sales::flows::remind_pickups::remind_and_release;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::bench::{Bench, PAPERS, PIPE_TOOL};
use super::crowd::in_a_crowd;
use super::emails::{emails, open};
use crate::admin::orders::Desk;
use crate::support::{Answer, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_guest_confirms_an_order_by_the_emails_link,
    a_link_that_nobody_follows_frees_the_goods,
    a_link_of_a_clock_that_was_ahead_ends_with_its_hold,
    a_change_of_mind_makes_the_former_link_worthless,
    a_link_is_used_once_by_however_many,
    who_is_signed_in_with_the_address_needs_no_email,
    an_order_for_nothing_is_confirmed_as_well,
    without_mail_a_guest_signs_in_to_pay_in_the_store,
    what_nobody_picks_up_is_reminded_of_and_then_free,
    who_was_never_told_loses_no_order,
    what_is_not_sent_any_more_has_told_nobody,
    without_mail_nobody_loses_an_order,
    what_a_clock_that_was_ahead_reminded_of_is_left_to_staff,
    what_may_not_be_handed_over_is_not_reminded_of,
    what_costs_nothing_is_held_no_longer,
    what_is_shipped_after_all_is_not_waited_for,
    what_was_never_ready_is_left_to_staff,
    who_picks_up_is_told_once_that_it_is_ready,
    what_staff_have_a_hand_in_is_left_to_them,
    what_was_paid_is_neither_reminded_of_nor_freed,
];

const HOUR: i64 = 60 * 60 * 1000;
pub const DAY: i64 = 24 * HOUR;
const OPEN: &str = "SELECT COUNT(*) FROM orders WHERE status = 'placed'";
pub const HELD: &str = "SELECT COUNT(*) FROM stock_reservations WHERE state = 'held'";

impl Bench {
    /// The body that a guest sends to pick up `quantity` of one item.
    pub async fn pickup(&self, sku: &str, quantity: i64) -> Value {
        let mut body = self.order(sku, quantity).await;
        body["shipping_method"] = json!("pickup");
        body["payment_method"] = json!("pickup");
        body["source_id"] = json!("");
        body["expected_total"] = self.quote(&body).await["total"].clone();
        body
    }

    pub async fn confirm(&self, link: &str) -> Answer {
        self.shop.call("POST", "/api/checkout/confirm", "", json!({ "link": link })).await
    }

    async fn status(&self, body: &Value) -> Answer {
        self.shop.get(&format!("/api/checkout/{}", body["checkout_id"].as_str().unwrap())).await
    }
}

/// The tokens of the links that were sent to an address, the oldest first.
pub async fn links(bench: &Bench, mailbox: &Mailbox, body: &Value) -> Vec<String> {
    bench.work().await;
    let got = emails(mailbox, body["email"].as_str().unwrap()).await;
    let token = |text: &str| {
        let from = text.find("/checkout/confirm?link=")? + "/checkout/confirm?link=".len();
        text[from..].split_whitespace().next().map(str::to_owned)
    };
    got.iter().filter_map(|(_, text)| token(text)).collect()
}

async fn only_link(bench: &Bench, mailbox: &Mailbox, body: &Value) -> String {
    let mut links = links(bench, mailbox, body).await;
    assert_eq!(links.len(), 1);
    links.remove(0)
}

/// The body that a guest sends to have one item shipped that costs nothing, with a code and without a rate.
pub async fn shipped_for_nothing(bench: &Bench) -> Value {
    for free in [
        "UPDATE promo_codes SET value = 10000 WHERE code = 'WELCOME10'",
        "UPDATE shipping_rates SET price = 0",
        "UPDATE shipping_methods SET signature_fee = 0",
    ] {
        bench.execute(free).await;
    }
    let mut body = bench.order(PIPE_TOOL, 1).await;
    (body["promo_code"], body["source_id"], body["expected_total"]) = (json!("WELCOME10"), json!(""), json!(0));
    body
}

pub fn another_click(body: &mut Value) {
    body["click_id"] = json!(Uuid::now_v7());
}

async fn a_guest_confirms_an_order_by_the_emails_link(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let body = bench.pickup(PAPERS, 3).await;
    let answer = bench.pay(&body).await;
    assert_eq!(answer.assert_status(202).json(), json!({ "status": "to_confirm", "number": null, "href": null }));
    assert_eq!(bench.pay(&body).await.assert_status(202).json()["status"], "to_confirm", "the same click again");
    assert_eq!(bench.status(&body).await.assert_status(202).json()["status"], "to_confirm");
    assert_eq!((bench.count(OPEN).await, bench.count(HELD).await), (0, 1), "held, and not sold");
    let link = only_link(&bench, &mailbox, &body).await;
    let email = body["email"].as_str().unwrap();
    let got = emails(&mailbox, email).await;
    let (subject, text) = &got[0];
    assert_eq!(subject, "Confirm your pickup order");
    for part in ["Quantity 3", "$6.48", "November 21, 2:00", "pay in the store"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    for typed in ["Ada", "Reed", "High Street", "order-confirmation"] {
        assert!(!text.contains(typed), "{typed} is in an email to whom it may not concern: {text}");
    }
    // Link scanners do not place the order.
    for _ in 0..2 {
        let page = bench.shop.get_verified(&format!("/checkout/confirm?link={link}")).await;
        let props = page.assert_status(200).envelope()["props"].clone();
        assert_eq!((&props["pickup"]["total"], &props["order"]), (&json!(648), &Value::Null));
        assert!(page.header("cache-control").contains("no-store"));
        assert!(!page.text().contains(email), "the page names nobody");
    }
    assert_eq!(bench.count(OPEN).await, 0);

    let placed = bench.confirm(&link).await.assert_status(200).json();
    assert_eq!(bench.confirm(&link).await.assert_status(200).json(), placed, "an answer may get lost");
    assert_eq!(bench.status(&body).await.assert_status(200).json(), placed, "the first browser hears of it");
    assert_eq!(bench.pay(&body).await.assert_status(200).json(), placed);
    let order = bench.confirmation(&placed).await;
    assert_eq!((&order["status"], &order["payment_status"]), (&json!("placed"), &json!("not_paid")));
    let page = bench.shop.get_verified(&format!("/checkout/confirm?link={link}")).await.assert_status(200).envelope();
    assert_eq!(page["props"]["order"]["label"], placed["number"]);
    bench.work().await;
    let subjects: Vec<String> = emails(&mailbox, email).await.into_iter().map(|(subject, _)| subject).collect();
    assert_eq!(subjects[1..], [format!("Your order {}", placed["number"].as_str().unwrap())]);
    assert_eq!((bench.count(OPEN).await, bench.count(HELD).await), (1, 0));
    bench.confirm("another").await.assert_problem(409, "link_over");
    bench.shop.get_verified("/checkout/confirm?link=another").await.assert_status(410);
    // Once the link is deleted, the shop doesn't know what came of it.
    bench.shop.clock.advance(2 * DAY);
    clean(&bench.shop.app).await.unwrap();
    let page = bench.shop.get_verified(&format!("/checkout/confirm?link={link}")).await;
    let said = page.assert_status(410).root();
    assert!(said.contains("was used before") && !said.contains("No order was placed"), "{said}");
    let refused = bench.confirm(&link).await;
    assert!(!refused.assert_problem(409, "link_over").text().contains("order again"));
    bench.assert_books_balance().await;
}

async fn a_link_that_nobody_follows_frees_the_goods(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let mut body = bench.pickup(PIPE_TOOL, 2).await;
    bench.pay(&body).await.assert_status(202);
    let link = only_link(&bench, &mailbox, &body).await;
    bench.shop.clock.advance(2 * HOUR - 1000);
    bench.work().await;
    assert_eq!(bench.count(HELD).await, 1, "longer than for a card");
    bench.shop.clock.advance(1000);
    bench.work().await;
    bench.let_pass(35).await;
    assert_eq!(bench.count(HELD).await, 0);
    bench.confirm(&link).await.assert_problem(409, "link_over");
    bench.shop.get_verified(&format!("/checkout/confirm?link={link}")).await.assert_status(410);
    bench.status(&body).await.assert_problem(409, "not_confirmed");
    bench.assert_stock_is_exact().await;
    // They can try again in the same checkout.
    another_click(&mut body);
    bench.pay(&body).await.assert_status(202);
    let second = links(&bench, &mailbox, &body).await.remove(1);
    bench.confirm(&second).await.assert_status(200);
    bench.assert_books_balance().await;
}

async fn a_link_of_a_clock_that_was_ahead_ends_with_its_hold(shop: TestShop) {
    const COUNTED: &str = "SELECT COUNT(*) FROM open_pickups WHERE held_until > created_at";
    // More than the clocks of two nodes may differ.
    const AHEAD: i64 = 3 * 60 * 1000;
    let (bench, mailbox) = open(&shop).await;
    bench.shop.clock.advance(AHEAD);
    let body = bench.pickup(PIPE_TOOL, 2).await;
    bench.pay(&body).await.assert_status(202);
    let link = only_link(&bench, &mailbox, &body).await;
    assert_eq!((bench.count(HELD).await, bench.count(COUNTED).await), (1, 1));
    bench.shop.clock.advance(-AHEAD);
    release_stock(&bench.shop.app).await.unwrap();
    assert_eq!((bench.count(HELD).await, bench.count(COUNTED).await), (0, 0), "it counts for no limit any more");
    bench.confirm(&link).await.assert_problem(409, "link_over");
    bench.status(&body).await.assert_problem(409, "not_confirmed");
    // The same click holds the goods anew, and mails another link.
    bench.pay(&body).await.assert_status(202);
    assert_eq!(bench.count(HELD).await, 1);
    let second = links(&bench, &mailbox, &body).await.into_iter().find(|other| *other != link).unwrap();
    bench.confirm(&second).await.assert_status(200);
    bench.assert_stock_is_exact().await;
}

async fn a_change_of_mind_makes_the_former_link_worthless(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    bench.pay(&body).await.assert_status(202);
    let first = only_link(&bench, &mailbox, &body).await;
    // Another email address and a larger quantity in the same checkout.
    let typo = body.clone();
    body["email"] = json!(format!("right-{}@shop.example", Uuid::now_v7().simple()));
    body["items"][0]["qty"] = json!(2);
    body["expected_total"] = bench.quote(&body).await["total"].clone();
    another_click(&mut body);
    bench.pay(&body).await.assert_status(202);
    bench.confirm(&first).await.assert_problem(409, "link_over");
    let second = only_link(&bench, &mailbox, &body).await;
    let placed = bench.confirm(&second).await.assert_status(200).json();
    bench.confirm(&first).await.assert_problem(409, "link_over");
    // As in another tab, which waits for the first link.
    bench.ask(&typo).await.assert_problem(409, "checkout_over");
    assert_eq!(bench.ask(&body).await.assert_status(200).json(), placed);
    let page = bench.shop.get_verified(&format!("/checkout/confirm?link={first}")).await.assert_status(410).envelope();
    assert_eq!(page["props"]["order"], Value::Null, "whoever has the wrong address sees nothing of the order");
    assert_eq!(emails(&mailbox, typo["email"].as_str().unwrap()).await.len(), 1);
    assert_eq!(bench.confirmation(&placed).await["lines"][0]["quantity"], 2);
    // Paying by card instead of using the link.
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    bench.pay(&body).await.assert_status(202);
    let link = only_link(&bench, &mailbox, &body).await;
    another_click(&mut body);
    body["payment_method"] = json!("square");
    body["source_id"] = json!("cnon:card-nonce-declined");
    bench.pay(&body).await.assert_status(402);
    bench.confirm(&link).await.assert_problem(409, "link_over");
    bench.status(&body).await.assert_status(402);
    another_click(&mut body);
    body["source_id"] = json!("cnon:card-nonce-ok");
    bench.pay(&body).await.assert_status(200);
    bench.confirm(&link).await.assert_problem(409, "link_over");
    bench.work().await;
    bench.assert_books_balance().await;
}

async fn a_link_is_used_once_by_however_many(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let body = bench.pickup(PIPE_TOOL, 1).await;
    bench.pay(&body).await.assert_status(202);
    let link = only_link(&bench, &mailbox, &body).await;
    let bench = Arc::new(bench);
    let mut clicks = JoinSet::new();
    for _ in 0..10 {
        let (bench, link) = (Arc::clone(&bench), link.clone());
        clicks.spawn(async move { in_a_crowd(|| bench.confirm(&link)).await.assert_status(200).json() });
    }
    let answers = clicks.join_all().await;
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert_eq!(bench.count("SELECT COUNT(*) FROM payment_attempts").await, 1);
    bench.work().await;
    bench.assert_books_balance().await;
}

async fn who_is_signed_in_with_the_address_needs_no_email(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let cookies = format!("{}; {}", bench.shop.sign_in("known", &["customer"]).await, bench.shop.age_cookie());
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    body["email"] = json!("Known@shop.example");
    bench.pay_as(&cookies, &body).await.assert_status(200);
    // Being signed in does not confirm another person's email address.
    let body = bench.pickup(PIPE_TOOL, 1).await;
    bench.pay_as(&cookies, &body).await.assert_status(202);
    let link = only_link(&bench, &mailbox, &body).await;
    bench.confirm(&link).await.assert_status(200);
    // Nor one that the provider reports as unverified.
    bench.execute("UPDATE users SET email_verified = FALSE WHERE email = 'known@shop.example'").await;
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    body["email"] = json!("known@shop.example");
    bench.pay_as(&cookies, &body).await.assert_status(202);
    // Some browsers write the address otherwise than the provider.
    let profile = Profile {
        issuer: "https://id.example".to_owned(),
        subject: "international".to_owned(),
        email: "ada@exämple.example".to_owned(),
        email_verified: true,
        name: "Ada".to_owned(),
        roles: Vec::new(),
    };
    let session = bench.shop.begin_session(profile).await.unwrap();
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    body["email"] = json!("ada@xn--exmple-cua.example");
    let cookies = format!("{session}; {}", bench.shop.age_cookie());
    bench.pay_as(&cookies, &body).await.assert_status(200);
    bench.assert_stock_is_exact().await;
}

async fn an_order_for_nothing_is_confirmed_as_well(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    bench.execute("UPDATE promo_codes SET value = 10000 WHERE code = 'WELCOME10'").await;
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    body["promo_code"] = json!("WELCOME10");
    body["payment_method"] = json!("square");
    body["expected_total"] = json!(0);
    bench.pay(&body).await.assert_status(202);
    let link = only_link(&bench, &mailbox, &body).await;
    let page = bench.shop.get_verified(&format!("/checkout/confirm?link={link}")).await;
    assert!(page.root().contains("Pick up these items in our store.") && !page.root().contains("pay there"));
    let placed = bench.confirm(&link).await.assert_status(200).json();
    assert_eq!(bench.confirmation(&placed).await["payment_status"], "paid");
    bench.work().await;
    let got = emails(&mailbox, body["email"].as_str().unwrap()).await;
    let [(_, asked), (_, confirmed)] = got.as_slice() else { panic!("{got:?}") };
    assert!(!asked.contains("pay in the store"), "{asked}");
    assert!(confirmed.contains("Payment: Nothing to pay"), "{confirmed}");
    bench.assert_books_balance().await;
}

async fn without_mail_a_guest_signs_in_to_pay_in_the_store(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let body = bench.pickup(PAPERS, 1).await;
    let quote = bench.quote(&body).await;
    assert_eq!(quote["payment_methods"], json!([]));
    assert!(quote["problems"][0]["message"].as_str().unwrap().starts_with("Sign in to place this order"), "{quote}");
    bench.pay(&body).await.assert_problem(409, "sign_in_first");
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders").await, 0);
    let tool = bench.pickup(PIPE_TOOL, 1).await;
    let quote = bench.quote(&tool).await;
    assert_eq!((&quote["payment_methods"], &quote["problems"]), (&json!(["square"]), &json!([])), "a card does");
    bench.pay_known(&body).await.assert_status(200);
    // So does who pays nothing for what is shipped.
    let body = shipped_for_nothing(&bench).await;
    let quote = bench.quote(&body).await;
    assert_eq!(quote["total"], 0);
    assert!(quote["problems"][0]["message"].as_str().unwrap().starts_with("Sign in to place this order"), "{quote}");
    bench.pay(&body).await.assert_problem(409, "sign_in_first");
    bench.pay_known(&body).await.assert_status(200);
}

/// An order that waits for pickup: its number and the email address.
pub async fn waiting(bench: &Bench) -> (String, String) {
    let body = bench.pickup(PIPE_TOOL, 2).await;
    let placed = bench.pay_known(&body).await.assert_status(200).json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&placed["number"]), text(&body["email"]))
}

/// Staff mark an order as ready for pickup.
pub async fn readied(bench: Bench, number: &str) -> Bench {
    let desk = Desk::at(bench).await;
    desk.act(&desk.staff, number, "ready", json!({})).await.assert_status(204);
    desk.bench
}

/// Emails about orders, the oldest first; the first sign-in also sends a welcome email.
async fn told(bench: &Bench, mailbox: &Mailbox, email: &str) -> Vec<(String, String)> {
    bench.work().await;
    emails(mailbox, email).await.into_iter().filter(|(subject, _)| subject.starts_with("Your order")).collect()
}

async fn what_nobody_picks_up_is_reminded_of_and_then_free(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let left =
        "SELECT on_hand FROM stock_levels WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')";
    let before = bench.count(left).await;
    let (number, email) = waiting(&bench).await;
    assert_eq!(bench.count(left).await, before - 2);
    assert_eq!(told(&bench, &mailbox, &email).await.len(), 1);
    // Both run from when it is ready, however long after the order that is.
    bench.shop.clock.advance(2 * DAY);
    let bench = readied(bench, &number).await;
    let got = told(&bench, &mailbox, &email).await;
    assert_eq!(got.len(), 2);
    assert!(got[1].1.contains("November 29"), "{}", got[1].1);
    bench.shop.clock.advance(3 * DAY - 1000);
    assert_eq!(told(&bench, &mailbox, &email).await.len(), 2);
    bench.shop.clock.advance(1000 + 600_000);
    let got = told(&bench, &mailbox, &email).await;
    assert_eq!(got[2].0, format!("Your order {number} is waiting for you"));
    assert!(got[2].1.contains("November 29"), "{}", got[2].1);
    bench.shop.clock.advance(DAY);
    assert_eq!(told(&bench, &mailbox, &email).await.len(), 3, "reminded of once");
    bench.shop.clock.advance(3 * DAY);
    let got = told(&bench, &mailbox, &email).await;
    assert_eq!(got[3].0, format!("Your order {number} was canceled"));
    assert!(got[3].1.contains("You weren’t charged."), "{}", got[3].1);
    assert_eq!(bench.count(left).await, before, "on the shelf again");
    let canceled = "SELECT COUNT(*) FROM orders WHERE status = 'canceled' AND cancel_reason = 'not_picked_up' AND payment_status = 'voided'";
    assert_eq!(bench.count(canceled).await, 1);
    assert_eq!(bench.count("SELECT COUNT(*) FROM open_pickups").await, 0);
    let public =
        "SELECT COUNT(*) FROM order_history WHERE kind IN ('pickup_reminded', 'canceled') AND is_public = TRUE";
    assert_eq!(bench.count(public).await, 2);
    bench.shop.clock.advance(DAY);
    assert_eq!(told(&bench, &mailbox, &email).await.len(), 4);
    bench.assert_books_balance().await;
}

const NEVER_TOLD: &str = "SELECT COUNT(*) FROM orders WHERE status = 'placed' AND attention LIKE '%was never told%'";

/// As of a mail server that refuses them.
const DEAD: &str = "UPDATE jobs SET dead_at = run_at WHERE name = 'order_mail'";

async fn who_was_never_told_loses_no_order(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let (number, _) = waiting(&bench).await;
    bench.work().await;
    let bench = readied(bench, &number).await;
    bench.execute(DEAD).await;
    bench.shop.clock.advance(3 * DAY + 600_000);
    remind_and_release(&bench.shop.app).await.unwrap();
    bench.execute(DEAD).await;
    bench.shop.clock.advance(4 * DAY + 600_000);
    bench.work().await;
    assert_eq!((bench.count(OPEN).await, bench.count(NEVER_TOLD).await), (1, 1));
    // A reminder that arrives alone is enough.
    let (number, _) = waiting(&bench).await;
    bench.work().await;
    let bench = readied(bench, &number).await;
    bench.execute(DEAD).await;
    for days in [3, 4] {
        bench.shop.clock.advance(days * DAY + 600_000);
        bench.work().await;
    }
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE cancel_reason = 'not_picked_up'").await, 1);
    assert_eq!(bench.count(NEVER_TOLD).await, 1);
    bench.assert_stock_is_exact().await;
}

const DROPPED: &str = "SELECT COUNT(*) FROM order_history WHERE kind = 'email_dropped'";

async fn what_is_not_sent_any_more_has_told_nobody(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let (number, email) = waiting(&bench).await;
    bench.work().await;
    let bench = readied(bench, &number).await;
    bench.execute(DEAD).await;
    let desk = Desk::at(bench).await;
    let dead = desk.bench.id("SELECT id FROM jobs WHERE name = 'order_mail'").await;
    let discarded = desk.bench.shop.call("DELETE", &format!("/api/admin/jobs/{dead}"), &desk.admin, Value::Null).await;
    discarded.assert_status(204);
    assert_eq!(desk.bench.count(DROPPED).await, 1);
    // The reminder waits until the day that it names is over.
    desk.bench.shop.clock.advance(3 * DAY + 600_000);
    remind_and_release(&desk.bench.shop.app).await.unwrap();
    desk.bench.shop.clock.advance(3 * DAY + 600_000);
    assert_eq!(told(&desk.bench, &mailbox, &email).await.len(), 1, "only of what was ordered");
    assert_eq!((desk.bench.count(DROPPED).await, desk.bench.count(NEVER_TOLD).await), (2, 0));
    desk.bench.shop.clock.advance(DAY);
    desk.bench.work().await;
    assert_eq!((desk.bench.count(OPEN).await, desk.bench.count(NEVER_TOLD).await), (1, 1));
    desk.bench.assert_stock_is_exact().await;
}

async fn without_mail_nobody_loses_an_order(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let (number, _) = waiting(&bench).await;
    let bench = readied(bench, &number).await;
    for days in [3, 4] {
        bench.shop.clock.advance(days * DAY + 600_000);
        bench.work().await;
    }
    assert_eq!((bench.count(OPEN).await, bench.count(NEVER_TOLD).await), (1, 1));
    const REMINDED: &str = "SELECT COUNT(*) FROM order_history WHERE kind = 'pickup_reminded'";
    assert_eq!(bench.count(REMINDED).await, 0);
}

/// The reminder may have named a day that is far off.
async fn what_a_clock_that_was_ahead_reminded_of_is_left_to_staff(shop: TestShop) {
    const LEFT: &str =
        "SELECT COUNT(*) FROM orders WHERE status = 'placed' AND attention LIKE 'This order hasn’t been picked up%'";
    let (bench, mailbox) = open(&shop).await;
    let (number, email) = waiting(&bench).await;
    let bench = readied(bench, &number).await;
    assert_eq!(told(&bench, &mailbox, &email).await.len(), 2);
    bench.shop.clock.advance(10 * DAY);
    let got = told(&bench, &mailbox, &email).await;
    assert_eq!(got[2].0, format!("Your order {number} is waiting for you"));
    // Once the clock is right, staff are told as late as of any other order.
    bench.shop.clock.advance(-3 * DAY - HOUR);
    for left in [0, 1] {
        remind_and_release(&bench.shop.app).await.unwrap();
        assert_eq!(bench.count(LEFT).await, left);
        bench.shop.clock.advance(2 * HOUR);
    }
    assert_eq!(told(&bench, &mailbox, &email).await.len(), 3, "it is held as long as the buyer was told");
    bench.assert_stock_is_exact().await;
}

async fn what_may_not_be_handed_over_is_not_reminded_of(shop: TestShop) {
    const QUEUED: &str = "SELECT COUNT(*) FROM jobs WHERE name = 'order_mail'";
    const LEFT: &str = "SELECT COUNT(*) FROM orders WHERE attention LIKE '%Recalled.%'";
    let (bench, mailbox) = open(&shop).await;
    let [(first, first_email), (number, email)] = [waiting(&bench).await, waiting(&bench).await];
    let bench = readied(bench, &first).await;
    assert_eq!(told(&bench, &mailbox, &first_email).await.len(), 2);
    bench.shop.clock.advance(DAY);
    let bench = readied(bench, &number).await;
    assert_eq!(told(&bench, &mailbox, &email).await.len(), 2);
    // A reminder is queued before it is forbidden, and sent after that.
    bench.shop.clock.advance(2 * DAY + 600_000);
    remind_and_release(&bench.shop.app).await.unwrap();
    assert_eq!(bench.count(QUEUED).await, 1);
    bench.execute("UPDATE compliance_rules SET may_pick_up = FALSE, reason = 'Recalled.'").await;
    assert_eq!(told(&bench, &mailbox, &first_email).await.len(), 2, "nobody comes in vain");
    assert_eq!((bench.count(QUEUED).await, bench.count(LEFT).await, bench.count(DROPPED).await), (0, 1, 1));
    // One that is due later is not queued.
    bench.shop.clock.advance(DAY);
    assert_eq!(told(&bench, &mailbox, &email).await.len(), 2);
    assert_eq!(bench.count(LEFT).await, 2);
    let desk = Desk::at(bench).await;
    let again = desk.act(&desk.staff, &number, "mails", json!({ "mail": "pickup_ready" })).await;
    again.assert_problem(409, "rules_forbid");
}

async fn what_costs_nothing_is_held_no_longer(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    bench.execute("UPDATE promo_codes SET value = 10000 WHERE code = 'WELCOME10'").await;
    let mut body = bench.pickup(PIPE_TOOL, 2).await;
    (body["promo_code"], body["expected_total"]) = (json!("WELCOME10"), json!(0));
    body["payment_method"] = json!("square");
    let placed = bench.pay_known(&body).await.assert_status(200).json();
    let (number, email) = (placed["number"].as_str().unwrap(), body["email"].as_str().unwrap());
    assert_eq!(told(&bench, &mailbox, email).await.len(), 1);
    let bench = readied(bench, number).await;
    let got = told(&bench, &mailbox, email).await;
    assert!(got[1].1.contains("hold it until November 27") && !got[1].1.contains("To pay"), "{}", got[1].1);
    bench.shop.clock.advance(3 * DAY + 600_000);
    let got = told(&bench, &mailbox, email).await;
    assert_eq!(got[2].0, format!("Your order {number} is waiting for you"));
    bench.shop.clock.advance(4 * DAY + 600_000);
    let got = told(&bench, &mailbox, email).await;
    assert_eq!(got[3].0, format!("Your order {number} was canceled"));
    assert!(got[3].1.contains("You weren’t charged."), "{}", got[3].1);
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE cancel_reason = 'not_picked_up'").await, 1);
    bench.assert_stock_is_exact().await;
}

async fn what_is_shipped_after_all_is_not_waited_for(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let mut body = shipped_for_nothing(&bench).await;
    body["shipping_method"] = json!("pickup");
    bench.pay(&body).await.assert_status(202);
    another_click(&mut body);
    body["shipping_method"] = json!("ground");
    bench.pay(&body).await.assert_status(202);
    bench.confirm(&only_link(&bench, &mailbox, &body).await).await.assert_status(200);
    for days in [3, 4] {
        bench.shop.clock.advance(days * DAY + 600_000);
        bench.work().await;
    }
    let flagged = "SELECT COUNT(*) FROM orders WHERE attention IS NOT NULL";
    assert_eq!((bench.count(OPEN).await, bench.count(flagged).await), (1, 0));
}

async fn what_was_never_ready_is_left_to_staff(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let (number, email) = waiting(&bench).await;
    let pass = async |bench: &Bench| {
        for days in [3, 4] {
            bench.shop.clock.advance(days * DAY + 600_000);
            bench.work().await;
        }
    };
    pass(&bench).await;
    assert_eq!(told(&bench, &mailbox, &email).await.len(), 1, "it could not be picked up");
    let left =
        "SELECT COUNT(*) FROM orders WHERE status = 'placed' AND attention LIKE 'This order was placed a week ago%'";
    assert_eq!((bench.count(left).await, bench.count("SELECT COUNT(*) FROM open_pickups").await), (1, 1));
    // However late it is ready, the buyer learns until when it is held, and staff when nobody comes.
    let bench = readied(bench, &number).await;
    let got = told(&bench, &mailbox, &email).await;
    assert_eq!(got[1].0, format!("Your order {number} is ready for pickup"));
    assert!(got[1].1.contains("December 4"), "{}", got[1].1);
    bench.execute("UPDATE orders SET attention = NULL").await;
    pass(&bench).await;
    assert_eq!(told(&bench, &mailbox, &email).await.len(), 2);
    let again =
        "SELECT COUNT(*) FROM orders WHERE status = 'placed' AND attention LIKE 'This order hasn’t been picked up%'";
    assert_eq!(bench.count(again).await, 1);
    bench.assert_stock_is_exact().await;
}

async fn who_picks_up_is_told_once_that_it_is_ready(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let (number, email) = waiting(&bench).await;
    let mut desk = Desk::at(bench).await;
    let customer = desk.bench.shop.sign_in("impatient", &["customer"]).await;
    desk.act(&customer, &number, "ready", json!({})).await.assert_problem(403, "forbidden");
    let body = json!({ "mail": "pickup_ready" });
    desk.act(&desk.staff, &number, "mails", body.clone()).await.assert_problem(409, "not_written");
    let stale = json!({ "version": 7 });
    let path = format!("{number}/ready");
    desk.call(&desk.staff, "POST", &path, stale).await.assert_problem(409, "changed_meanwhile");
    desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
    desk.act(&desk.staff, &number, "ready", json!({})).await.assert_problem(409, "ready_already");
    assert_eq!(desk.audited("order.make_ready").await, 1);
    let got = told(&desk.bench, &mailbox, &email).await;
    // Two emails that are due at the same time arrive in any order.
    let subject = format!("Your order {number} is ready for pickup");
    let (ready, others): (Vec<_>, Vec<_>) = got.iter().partition(|email| email.0 == subject);
    let ([ready], [confirmed]) = (&ready[..], &others[..]) else { panic!("{got:?}") };
    // No mention of a carrier in pickup orders.
    for part in ["Bring a valid photo ID", "21 or older", desk.bench.shop.app.texts().company.address.as_str()] {
        assert!(confirmed.1.contains(part), "{part} is not in {}", confirmed.1);
    }
    assert!(!confirmed.1.contains("sign for the package") && !confirmed.1.contains("carrier"), "{}", confirmed.1);
    for part in ["Bring a valid photo ID", "To pay at pickup: $12.96", "November 27", "/order-confirmation?order="] {
        assert!(ready.1.contains(part), "{part} is not in {}", ready.1);
    }
    let href = ready.1.split_whitespace().find(|word| word.contains("/order-confirmation?order=")).unwrap();
    let href = &href[href.find("/order-confirmation").unwrap()..];
    let order = desk.bench.confirmation(&json!({ "href": href })).await;
    assert_eq!(order["ready_at"], json!(desk.bench.shop.app.clock.now_ms()));
    assert!(order["timeline"].to_string().contains("Ready for pickup"), "{}", order["timeline"]);
    assert_eq!(order["adult_signature"], false);
    desk.act(&desk.staff, &number, "mails", body).await.assert_status(204);
    assert_eq!(told(&desk.bench, &mailbox, &email).await.len(), 3, "written again by hand");

    // What nobody picks up although it is ready is reminded of and released.
    for days in [3, 4] {
        desk.bench.shop.clock.advance(days * DAY + 600_000);
        desk.bench.work().await;
    }
    let got = told(&desk.bench, &mailbox, &email).await;
    assert!(got.iter().any(|email| email.0.ends_with("is waiting for you")), "{got:?}");
    assert_eq!(desk.text("SELECT status FROM orders WHERE number = $1", &number).await, "canceled");
    desk.sign_in().await;
    desk.act(&desk.staff, &number, "ready", json!({})).await.assert_problem(409, "not_to_hand_over");
    // Staff and the buyer see that nothing is left to hand over.
    let page = desk.bench.shop.call("GET", &format!("/admin/orders/{number}"), &desk.staff, Value::Null).await;
    let line = page.envelope()["props"]["order"]["lines"][0].clone();
    assert_eq!((&line["canceled"], &line["open"]), (&json!(2), &json!(0)));
    assert_eq!(desk.bench.confirmation(&json!({ "href": href })).await["lines"][0]["canceled"], 2);
    let shipped = desk.paid(&[(PIPE_TOOL, 1)]).await;
    desk.act(&desk.staff, &shipped, "ready", json!({})).await.assert_problem(409, "not_to_hand_over");
    desk.bench.assert_books_balance().await;
}

async fn what_staff_have_a_hand_in_is_left_to_them(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let (number, email) = waiting(&bench).await;
    let desk = Desk::at(bench).await;
    desk.act(&desk.staff, &number, "notes", json!({ "text": "Comes on Friday week." })).await.assert_status(204);
    for days in [3, 4, 1] {
        desk.bench.shop.clock.advance(days * DAY + 600_000);
        assert_eq!(told(&desk.bench, &mailbox, &email).await.len(), 1, "no email behind staff's back");
    }
    assert_eq!(desk.text("SELECT status FROM orders WHERE number = $1", &number).await, "placed");
    assert!(
        desk.text("SELECT attention FROM orders WHERE number = $1", &number)
            .await
            .starts_with("This order hasn’t been picked up")
    );
    // Orders that are left to staff no longer count as open pickups.
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM open_pickups").await, 0);
    // Once they have made it ready, they are told again when nobody comes.
    desk.bench.execute("UPDATE orders SET attention = NULL").await;
    let bench = readied(desk.bench, &number).await;
    assert_eq!(told(&bench, &mailbox, &email).await.len(), 2);
    for days in [3, 4] {
        bench.shop.clock.advance(days * DAY + 600_000);
        assert_eq!(told(&bench, &mailbox, &email).await.len(), 2, "no reminder behind staff's back");
    }
    let again =
        "SELECT COUNT(*) FROM orders WHERE status = 'placed' AND attention LIKE 'This order hasn’t been picked up%'";
    assert_eq!(bench.count(again).await, 1);
    bench.assert_stock_is_exact().await;
}

async fn what_was_paid_is_neither_reminded_of_nor_freed(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let (number, email) = waiting(&bench).await;
    let desk = Desk::at(bench).await;
    let body = json!({ "tender": "cash", "id_checked": true });
    desk.act(&desk.staff, &number, "payment", body).await.assert_status(204);
    for _ in 0..9 {
        desk.bench.shop.clock.advance(DAY);
        desk.bench.work().await;
    }
    assert_eq!(told(&desk.bench, &mailbox, &email).await.len(), 1);
    assert_eq!(desk.text("SELECT status FROM orders WHERE number = $1", &number).await, "placed");
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM open_pickups").await, 0, "forgotten after a day");
}
