//! What staff recorded by mistake about goods and money is undone.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use shop_base::config::smtp::SmtpSettings;
use shop_demo::mailbox::Mailbox;
use shop_domain::retention::service::clean;
use shop_domain::sales::flows::remind_pickups::remind_and_release;
use shop_domain::sales::order_links;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::desk::columbus;
use super::{Desk, chosen, parcel};
use crate::checkout::bench::{BUTANE, Bench, PAPERS, PIPE_TOOL};
use crate::checkout::emails::{emails, open};
use crate::notifications::{everything, made};
use crate::support::{OnPostgres, Receiver, Test, TestShop, temporary_folder, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_parcel_that_never_left_is_undone_and_its_buyer_told,
    who_was_not_told_of_a_shipment_is_told_of_no_correction,
    what_was_shipped_again_or_canceled_needs_no_correction,
    a_delivery_is_undone_before_its_shipment,
    what_came_back_has_left,
    what_can_be_sent_to_nobody_is_canceled,
    a_payment_and_a_pickup_of_another_order_are_undone,
    staff_are_told_when_nobody_picks_up_what_is_not_paid_after_all,
    an_order_that_is_just_open_again_is_not_forgotten,
    staff_are_told_when_nobody_picks_up_what_costs_nothing,
    who_was_told_too_early_to_pick_up_is_told_so,
    who_was_not_told_to_pick_up_is_told_of_no_correction,
    who_is_reminded_too_late_is_told_of_no_former_day,
    who_may_have_been_told_to_pick_up_is_told_of_the_correction,
    what_was_picked_up_was_ready,
];

const DAY_MS: i64 = 86_400_000;

impl Desk {
    /// The newest package or handover of an order.
    pub async fn fulfillment(&self, number: &str) -> Uuid {
        let mut reader = self.bench.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        shop_base::sql!(&mut conn, c => sqlx::query_scalar(
            "SELECT f.id FROM fulfillments f JOIN orders o ON o.id = f.order_id WHERE o.number = $1
             ORDER BY f.shipped_at DESC, f.id DESC LIMIT 1").bind(number).fetch_one(c).await)
        .unwrap()
    }

    /// What the page of the order offers to undo: packages and handovers, and the payment.
    async fn undoable(&self, number: &str) -> (usize, bool) {
        let page = self.bench.shop.call("GET", &format!("/admin/orders/{number}"), &self.admin, Value::Null).await;
        let order = &page.envelope()["props"]["order"];
        let parcels = order["parcels"].as_array().unwrap().iter().filter(|parcel| parcel["may_undo"] == true);
        (parcels.count(), order["acts"]["undo_payment"] == true)
    }

    /// Discards the only email, which was given up.
    async fn discard_email(&self) {
        let id = self.bench.id("SELECT id FROM jobs WHERE name = 'order_mail'").await;
        let path = format!("/api/admin/jobs/{id}");
        self.bench.shop.call("DELETE", &path, &self.admin, Value::Null).await.assert_status(204);
    }
}

/// What staff do with an email that was given up, before they undo what it tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Nothing,
    Discard,
    Resend,
}

async fn a_parcel_that_never_left_is_undone_and_its_buyer_told(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let number = desk.paid(&[(PIPE_TOOL, 2), (BUTANE, 1)]).await;
    let (tool, butane) = (desk.line(&number, PIPE_TOOL).await, desk.line(&number, BUTANE).await);
    let stock = desk.on_hand(PIPE_TOOL).await;
    let ship = async |lines: &[(Uuid, i64)], tracking: &str| {
        let mut body = parcel(lines);
        body["tracking_number"] = json!(tracking);
        desk.act(&desk.staff, &number, "shipment", body).await.assert_status(204);
        desk.bench.shop.clock.advance(1_000);
    };
    ship(&[(tool, 1)], "1ZRIGHT").await;
    ship(&[(tool, 1), (butane, 1)], "1ZWRONG").await;
    desk.bench.work().await;
    const REPORTED: &str = "SELECT CAST(SUM(quantity) AS BIGINT) FROM delivery_records WHERE order_number = $1";
    let reported = desk.figure(REPORTED, &number).await;
    let undo = format!("fulfillments/{}/undo", desk.fulfillment(&number).await);
    assert_eq!(desk.undoable(&number).await, (2, false), "the money came by card");
    desk.act(&desk.staff, &number, &undo, json!({})).await.assert_status(204);
    desk.act(&desk.staff, &number, &undo, json!({})).await.assert_status(404);
    assert_eq!(desk.fulfillment_status(&number).await, "partially_fulfilled");
    assert_eq!(desk.figure(REPORTED, &number).await, 1, "of {reported}: the other package has left");
    assert_eq!(desk.on_hand(PIPE_TOOL).await, stock, "the goods are still sold");

    // The buyer was told that it had shipped.
    desk.bench.work().await;
    let to = desk.text("SELECT email FROM orders WHERE number = $1", &number).await;
    let got = emails(&mailbox, &to).await;
    let (_, text) = got.iter().find(|(subject, _)| subject.starts_with("Correction")).expect("a correction");
    assert!(text.contains("1ZWRONG") && text.contains("hasn’t left yet"), "{text}");
    assert!(!text.contains("1ZRIGHT"), "{text}");
    let page = desk.bench.shop.call("GET", &format!("/admin/orders/{number}"), &desk.admin, Value::Null).await;
    let timeline = page.envelope()["props"]["order"]["timeline"].to_string();
    assert!(timeline.contains("Undone: shipped with UPS Ground, 1ZWRONG"), "{timeline}");

    // What never left can be shipped, or canceled and paid back.
    ship(&[(butane, 1)], "1ZAGAIN").await;
    let cancellation = json!({ "lines": chosen(&[(tool, 1)]), "restock": true, "by_shopper": false });
    desk.act(&desk.admin, &number, "cancellation", cancellation).await.assert_status(204);
    desk.settle().await;
    assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
    assert_eq!(desk.given_back(), 648);
    assert_eq!(desk.audited("order.undo_shipment").await, 1);
    desk.bench.assert_stock_is_exact().await;
    desk.assert_log_is_sound().await;
}

async fn who_was_not_told_of_a_shipment_is_told_of_no_correction(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    const DUE: &str = "UPDATE jobs SET attempts = 0 WHERE name = 'order_mail'";
    // The mail server was away, so it is tried again in a minute, or was given up.
    const PUT_OFF: &str = "UPDATE jobs SET run_at = run_at + 60000 WHERE name = 'order_mail'";
    const DEAD: &str = "UPDATE jobs SET dead_at = 1 WHERE name = 'order_mail'";
    for (state, then) in [
        (DUE, Then::Nothing),
        (PUT_OFF, Then::Nothing),
        (DEAD, Then::Nothing),
        (DEAD, Then::Discard),
        (DEAD, Then::Resend),
    ] {
        let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
        let all = parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
        desk.act(&desk.staff, &number, "shipment", all).await.assert_status(204);
        desk.bench.execute(state).await;
        let shipped = desk.fulfillment(&number).await;
        if then == Then::Discard {
            desk.discard_email().await;
        }
        if then == Then::Resend {
            let again = json!({ "mail": "shipped", "fulfillment_id": shipped });
            desk.act(&desk.staff, &number, "mails", again).await.assert_status(204);
            desk.bench.work().await;
        }
        let undo = format!("fulfillments/{shipped}/undo");
        desk.act(&desk.staff, &number, &undo, json!({})).await.assert_status(204);
        desk.bench.let_pass(120).await;
        let to = desk.text("SELECT email FROM orders WHERE number = $1", &number).await;
        let subjects: Vec<String> = emails(&mailbox, &to).await.into_iter().map(|(subject, _)| subject).collect();
        let mut expected = vec![format!("Your order {number}")];
        if then == Then::Resend {
            expected.push(format!("Your order {number} is on its way"));
            expected.push(format!("Correction: part of your order {number} hasn’t shipped yet"));
        }
        assert_eq!(subjects, expected, "{state}");
        assert_eq!(desk.bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'order_mail'").await, 0);
    }
}

async fn what_was_shipped_again_or_canceled_needs_no_correction(shop: TestShop) {
    const PUT_OFF: &str = "UPDATE jobs SET run_at = run_at + 60000 WHERE name = 'order_mail'";
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    for case in ["all", "part", "canceled"] {
        let number = desk.paid(&[(PIPE_TOOL, 1), (BUTANE, 1)]).await;
        let (tool, butane) = (desk.line(&number, PIPE_TOOL).await, desk.line(&number, BUTANE).await);
        let all = [(tool, 1), (butane, 1)];
        let ship = async |lines: &[(Uuid, i64)]| {
            desk.act(&desk.staff, &number, "shipment", parcel(lines)).await.assert_status(204);
        };
        ship(&all).await;
        desk.bench.work().await;
        let undo = format!("fulfillments/{}/undo", desk.fulfillment(&number).await);
        desk.act(&desk.staff, &number, &undo, json!({})).await.assert_status(204);
        // The mail server is away for a minute.
        desk.bench.execute(PUT_OFF).await;
        match case {
            "all" => ship(&all).await,
            "part" => ship(&all[..1]).await,
            _ => {
                let whole = json!({ "restock": true, "by_shopper": true });
                desk.act(&desk.admin, &number, "cancellation", whole).await.assert_status(204);
            }
        }
        desk.bench.let_pass(120).await;
        let to = desk.text("SELECT email FROM orders WHERE number = $1", &number).await;
        let got = emails(&mailbox, &to).await;
        let shipped = got.iter().filter(|(subject, _)| subject.ends_with("is on its way"));
        assert_eq!(shipped.count(), if case == "canceled" { 1 } else { 2 }, "{case}: {got:?}");
        let corrections: Vec<_> = got.iter().filter(|(subject, _)| subject.starts_with("Correction")).collect();
        match corrections[..] {
            [] => assert_ne!(case, "part", "{got:?}"),
            [(_, text)] => {
                assert_eq!(case, "part", "{got:?}");
                assert!(text.contains("Butane") && !text.contains("Pipe Tool"), "{text}");
            }
            _ => panic!("{got:?}"),
        }
        assert_eq!(desk.bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'order_mail'").await, 0);
    }
}

async fn a_delivery_is_undone_before_its_shipment(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let tool = desk.line(&number, PIPE_TOOL).await;
    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 1)])).await.assert_status(204);
    let at = format!("fulfillments/{}", desk.fulfillment(&number).await);
    let act = async |act: &str| desk.act(&desk.staff, &number, &format!("{at}/{act}"), json!({})).await;
    act("delivery").await.assert_status(204);
    // Each with the version that was seen: a second click undoes nothing else.
    let seen = json!({ "version": desk.version(&number).await });
    for status in [204, 409] {
        let path = format!("{number}/{at}/undo");
        desk.call(&desk.staff, "POST", &path, seen.clone()).await.assert_status(status);
    }
    assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
    act("delivery").await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "delivered");
    act("undo").await.assert_status(204);
    act("undo").await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "unfulfilled");
    assert_eq!((desk.audited("order.undo_delivery").await, desk.audited("order.undo_shipment").await), (2, 1));
    // An order that is over stays as it is.
    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 1)])).await.assert_status(204);
    desk.act(&desk.staff, &number, "archive", json!({})).await.assert_status(204);
    let undo = format!("fulfillments/{}/undo", desk.fulfillment(&number).await);
    desk.act(&desk.staff, &number, &undo, json!({})).await.assert_problem(409, "not_placed");
}

async fn what_came_back_has_left(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 2)]).await;
    let tool = desk.line(&number, PIPE_TOOL).await;
    desk.act(&desk.staff, &number, "shipment", parcel(&[(tool, 2)])).await.assert_status(204);
    let undo = format!("fulfillments/{}/undo", desk.fulfillment(&number).await);
    let wanted = json!({ "lines": chosen(&[(tool, 1)]), "reason": "Too small" });
    desk.act(&desk.staff, &number, "returns", wanted).await.assert_status(200);
    assert_eq!(desk.undoable(&number).await, (0, false));
    desk.act(&desk.staff, &number, &undo, json!({})).await.assert_problem(409, "returned");
    assert_eq!(desk.fulfillment_status(&number).await, "fulfilled");
}

async fn what_can_be_sent_to_nobody_is_canceled(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let buyer = desk.bench.shop.sign_in("leaver", &["customer"]).await;
    let body = desk.bench.order(PIPE_TOOL, 1).await;
    let visitor = format!("{buyer}; {}", desk.bench.shop.age_cookie());
    let placed = desk.bench.pay_as(&visitor, &body).await.assert_status(200).json();
    let number = placed["number"].as_str().unwrap().to_owned();
    desk.bench.work().await;
    let all = parcel(&[(desk.line(&number, PIPE_TOOL).await, 1)]);
    desk.act(&desk.staff, &number, "shipment", all.clone()).await.assert_status(204);
    let confirm = json!({ "confirm": "leaver@shop.example" });
    desk.bench.shop.call("DELETE", "/api/me", &buyer, confirm).await.assert_status(204);
    let undo = async || {
        let undo = format!("fulfillments/{}/undo", desk.fulfillment(&number).await);
        desk.act(&desk.staff, &number, &undo, json!({})).await.assert_status(204);
    };
    undo().await;
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM delivery_records").await, 0);
    // On its way, it has kept its address.
    desk.act(&desk.staff, &number, "shipment", all.clone()).await.assert_status(204);
    desk.deliver(&number).await;
    clean(&desk.bench.shop.app).await.unwrap();
    undo().await;
    undo().await;
    desk.act(&desk.staff, &number, "shipment", all).await.assert_problem(409, "no_address");
    // Nobody would erase an address that is typed now.
    let elsewhere = json!({ "address": columbus() });
    desk.act(&desk.staff, &number, "address", elsewhere).await.assert_problem(409, "no_address");
    let page = desk.bench.shop.call("GET", &format!("/admin/orders/{number}"), &desk.staff, Value::Null).await;
    assert_eq!(page.envelope()["props"]["order"]["acts"]["change_address"], false);
    let cancellation = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", cancellation).await.assert_status(204);
    desk.settle().await;
    let total = desk.figure("SELECT total FROM orders WHERE number = $1", &number).await;
    assert_eq!(desk.given_back(), total);
    desk.assert_log_is_sound().await;
}

async fn a_payment_and_a_pickup_of_another_order_are_undone(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let receiver = Receiver::open().await;
    made(&desk.bench.shop, &desk.admin, everything(&receiver.url)).await;
    let number = desk.to_pick_up(PAPERS).await;
    desk.act(&desk.admin, &number, "payment/undo", json!({})).await.assert_problem(409, "not_taken");
    let cash = json!({ "tender": "cash", "id_checked": true });
    desk.act(&desk.staff, &number, "payment", cash.clone()).await.assert_status(204);
    desk.act(&desk.staff, &number, "handover", json!({ "id_checked": true })).await.assert_status(204);
    // Goods that left were paid for.
    desk.act(&desk.admin, &number, "payment/undo", json!({})).await.assert_problem(409, "left_already");
    assert_eq!(desk.undoable(&number).await, (1, false));
    let undo = format!("fulfillments/{}/undo", desk.fulfillment(&number).await);
    desk.act(&desk.staff, &number, &undo, json!({})).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "unfulfilled");
    assert_eq!(desk.undoable(&number).await, (0, true));
    // It takes money out of the books.
    desk.act(&desk.staff, &number, "payment/undo", json!({})).await.assert_problem(403, "forbidden");
    desk.act(&desk.admin, &number, "payment/undo", json!({})).await.assert_status(204);
    assert_eq!(desk.payment_status(&number).await, "not_paid");
    desk.act(&desk.staff, &number, "handover", json!({ "id_checked": true })).await.assert_problem(409, "not_paid");
    desk.act(&desk.admin, &number, "payment/undo", json!({})).await.assert_problem(409, "not_taken");
    desk.bench.work().await;

    // It is paid for when its buyer really comes.
    desk.act(&desk.staff, &number, "payment", cash).await.assert_status(204);
    assert_eq!(desk.payment_status(&number).await, "paid");
    desk.bench.work().await;
    let told = receiver.of_kind("order.paid");
    let mut attempts: Vec<i64> = told.iter().map(|told| told.json()["data"]["attempt"].as_i64().unwrap()).collect();
    attempts.sort_unstable();
    assert_eq!(attempts, [1, 2], "another payment");
    let taken =
        "SELECT CAST(SUM(a.amount) AS BIGINT) - o.total FROM payment_attempts a JOIN orders o ON o.id = a.order_id
        WHERE o.number = $1 AND a.status = 'captured' GROUP BY o.total";
    assert_eq!(desk.figure(taken, &number).await, 0, "once");
    desk.act(&desk.staff, &number, "handover", json!({ "id_checked": true })).await.assert_status(204);
    assert_eq!((desk.audited("order.undo_payment").await, desk.audited("order.undo_handover").await), (1, 1));

    // What was given back is not undone.
    let number = desk.to_pick_up(PAPERS).await;
    desk.act(&desk.staff, &number, "payment", json!({ "tender": "terminal", "id_checked": true }))
        .await
        .assert_status(204);
    let refund = json!({
        "request_id": Uuid::now_v7(), "extra": 100, "reason": "A scratch", "expected_amount": 100, "given_as": "cash",
    });
    desk.act(&desk.admin, &number, "refunds", refund).await.assert_status(200);
    desk.act(&desk.admin, &number, "payment/undo", json!({})).await.assert_problem(409, "refunded");
    assert_eq!(desk.undoable(&number).await, (0, false));
    desk.bench.assert_stock_is_exact().await;
    desk.assert_log_is_sound().await;
}

async fn staff_are_told_when_nobody_picks_up_what_is_not_paid_after_all(shop: TestShop) {
    let mut desk = Desk::open(&shop).await;
    let number = desk.to_pick_up(PAPERS).await;
    let cash = json!({ "tender": "cash", "id_checked": true });
    desk.act(&desk.staff, &number, "payment", cash).await.assert_status(204);
    desk.bench.shop.clock.advance(2 * DAY_MS);
    clean(&desk.bench.shop.app).await.unwrap();
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM open_pickups").await, 0, "it is paid");
    desk.sign_in().await;
    desk.act(&desk.admin, &number, "payment/undo", json!({})).await.assert_status(204);
    for days in [3, 4, 1] {
        desk.bench.shop.clock.advance(days * DAY_MS + 600_000);
        desk.bench.work().await;
    }
    let why = desk.text("SELECT COALESCE(attention, '') FROM orders WHERE number = $1", &number).await;
    assert!(why.starts_with("This order hasn’t been picked up"), "{why}");
}

/// The payment is undone while the daily cleaning runs, which may come first or not.
/// With SQLite one of the two would wait for the other to end.
async fn an_order_that_is_just_open_again_is_not_forgotten(OnPostgres(shop): OnPostgres) {
    const WAITING: &str =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let mut desk = Desk::open(&shop).await;
    let (first, second) = (desk.to_pick_up(PAPERS).await, desk.to_pick_up(PAPERS).await);
    for number in [&first, &second] {
        let cash = json!({ "tender": "cash", "id_checked": true });
        desk.act(&desk.staff, number, "payment", cash).await.assert_status(204);
    }
    desk.bench.shop.clock.advance(2 * DAY_MS);
    desk.sign_in().await;
    let app = &desk.bench.shop.app;
    let so_many_wait = async |waiting: i64| {
        until("they wait", async || desk.bench.count(WAITING).await == waiting).await;
    };
    let hold = async |statement: &'static str| {
        let mut tx = app.db.begin().await.unwrap();
        shop_base::sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
        tx
    };
    let cleaning = hold("DELETE FROM open_pickups").await;
    let (undone, ()) = tokio::join!(desk.act(&desk.admin, &first, "payment/undo", json!({})), async {
        so_many_wait(1).await;
        cleaning.commit().await.unwrap();
    });
    undone.assert_status(204);
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM open_pickups").await, 1);

    // Here the undo is first, and ends with the audit log.
    desk.bench
        .execute(
            "INSERT INTO open_pickups (order_id, email, network, units, held_until, created_at)
        SELECT id, email, '', 1, 0, 0 FROM orders WHERE id NOT IN (SELECT order_id FROM open_pickups)",
        )
        .await;
    let log = hold("LOCK TABLE audit_entries IN EXCLUSIVE MODE").await;
    let undo = async {
        let undone = desk.act(&desk.admin, &second, "payment/undo", json!({}));
        undone.await.assert_status(204);
    };
    let cleaning = async {
        so_many_wait(1).await;
        let (cleaned, ()) = tokio::join!(clean(app), async {
            so_many_wait(2).await;
            log.commit().await.unwrap();
        });
        cleaned.unwrap();
    };
    tokio::join!(undo, cleaning);
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM open_pickups").await, 2);
}

async fn staff_are_told_when_nobody_picks_up_what_costs_nothing(shop: TestShop) {
    const PROMO: &str = "UPDATE promo_codes SET value = 10000, once_per_customer = FALSE WHERE code = 'WELCOME10'";
    const TOLD: &str = "SELECT COUNT(*) FROM orders WHERE attention LIKE 'This order hasn’t been picked up%'";
    let mut desk = Desk::open(&shop).await;
    desk.bench.execute(PROMO).await;
    let free = async |desk: &Desk| {
        desk.placed(&[(PIPE_TOOL, 2)], |body| {
            body["shipping_method"] = json!("pickup");
            body["payment_method"] = json!("pickup");
            body["source_id"] = json!("");
            body["promo_code"] = json!("WELCOME10");
        })
        .await
    };
    let number = free(&desk).await;
    desk.act(&desk.staff, &number, "handover", json!({ "id_checked": true })).await.assert_status(204);
    free(&desk).await;
    desk.bench
        .execute(
            "UPDATE orders SET fulfillment_status = 'partially_fulfilled' WHERE fulfillment_status = 'unfulfilled'",
        )
        .await;
    desk.bench.shop.clock.advance(2 * DAY_MS);
    clean(&desk.bench.shop.app).await.unwrap();
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM open_pickups").await, 1, "one is not over");
    desk.sign_in().await;
    let undo = format!("fulfillments/{}/undo", desk.fulfillment(&number).await);
    desk.act(&desk.staff, &number, &undo, json!({})).await.assert_status(204);
    for days in [3, 4, 1] {
        desk.bench.shop.clock.advance(days * DAY_MS + 600_000);
        desk.bench.work().await;
    }
    assert_eq!(desk.bench.count(TOLD).await, 2);
}

async fn who_was_told_too_early_to_pick_up_is_told_so(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let mut desk = Desk::at(bench).await;
    let number = desk.to_pick_up(PAPERS).await;
    let to = desk.text("SELECT email FROM orders WHERE number = $1", &number).await;
    let told = async |part: &str| {
        let got = emails(&mailbox, &to).await;
        got.iter().filter(|(subject, _)| subject.contains(part)).count()
    };
    const READY: &str = "is ready for pickup";
    const UNDONE: &str = "isn’t ready yet";
    const REMINDER: &str = "is waiting for you";
    desk.act(&desk.staff, &number, "ready/undo", json!({})).await.assert_problem(409, "not_ready");
    desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
    desk.bench.work().await;
    // With the version that was seen: a second click undoes nothing else.
    let seen = json!({ "version": desk.version(&number).await });
    for status in [204, 409] {
        desk.call(&desk.staff, "POST", &format!("{number}/ready/undo"), seen.clone()).await.assert_status(status);
    }
    desk.act(&desk.staff, &number, "mails", json!({ "mail": "pickup_ready" })).await.assert_problem(409, "not_written");
    desk.bench.work().await;
    assert_eq!((told(READY).await, told(UNDONE).await), (1, 1));
    let page = desk.bench.shop.call("GET", &format!("/admin/orders/{number}"), &desk.staff, Value::Null).await;
    let order = page.envelope()["props"]["order"].clone();
    assert_eq!((&order["acts"]["make_ready"], &order["acts"]["undo_ready"]), (&json!(true), &json!(false)));
    assert!(order["timeline"].to_string().contains("Undone: ready for pickup"), "{}", order["timeline"]);
    let id = desk.bench.id("SELECT id FROM orders").await;
    let link = json!({ "href": order_links::href(&desk.bench.shop.app.config, id) });
    let shown = desk.bench.confirmation(&link).await;
    assert_eq!(shown["ready_at"], Value::Null);
    assert!(shown["timeline"].to_string().contains("it isn’t ready for pickup yet"), "{}", shown["timeline"]);

    // What is not ready is not waited for. Marked again, it is told again, and reminder and release count from then.
    desk.bench.shop.clock.advance(3 * DAY_MS + 600_000);
    desk.bench.work().await;
    assert_eq!(told(REMINDER).await, 0);
    desk.sign_in().await;
    desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
    assert_eq!(desk.bench.confirmation(&link).await["ready_at"], json!(desk.bench.shop.app.clock.now_ms()));
    desk.bench.shop.clock.advance(3 * DAY_MS + 600_000);
    desk.bench.work().await;
    assert_eq!((told(READY).await, told(REMINDER).await), (2, 1));
    desk.sign_in().await;
    desk.act(&desk.staff, &number, "ready/undo", json!({})).await.assert_status(204);
    desk.bench.work().await;
    desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
    desk.bench.work().await;
    for (days, status) in [(3, "placed"), (4, "canceled")] {
        desk.bench.shop.clock.advance(days * DAY_MS + 600_000);
        desk.bench.work().await;
        assert_eq!(desk.text("SELECT status FROM orders WHERE number = $1", &number).await, status);
    }
    assert_eq!((told(READY).await, told(UNDONE).await, told(REMINDER).await), (3, 2, 2));
    // A mail program shows one email of those with the same name.
    let all: Vec<Value> =
        reqwest::get(format!("{}/messages.json", mailbox.origin())).await.unwrap().json().await.unwrap();
    let mut names: Vec<&str> = all.iter().map(|email| email["message_id"].as_str().unwrap()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all.len());
    assert_eq!((desk.audited("order.make_ready").await, desk.audited("order.undo_ready").await), (3, 2));
    desk.bench.assert_stock_is_exact().await;
    desk.assert_log_is_sound().await;
}

async fn who_was_not_told_to_pick_up_is_told_of_no_correction(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    const PUT_OFF: &str = "UPDATE jobs SET run_at = run_at + 60000 WHERE name = 'order_mail'";
    const DEAD: &str = "UPDATE jobs SET dead_at = 1 WHERE name = 'order_mail'";
    for (state, then) in [(PUT_OFF, Then::Nothing), (DEAD, Then::Nothing), (DEAD, Then::Discard), (DEAD, Then::Resend)]
    {
        let number = desk.to_pick_up(PAPERS).await;
        desk.bench.work().await;
        desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
        desk.bench.execute(state).await;
        let mut expected = vec![format!("Your order {number}")];
        if then == Then::Discard {
            desk.discard_email().await;
        }
        if then == Then::Resend {
            desk.act(&desk.staff, &number, "mails", json!({ "mail": "pickup_ready" })).await.assert_status(204);
            desk.bench.work().await;
            expected.push(format!("Your order {number} is ready for pickup"));
            expected.push(format!("Correction: your order {number} isn’t ready yet"));
        }
        desk.act(&desk.staff, &number, "ready/undo", json!({})).await.assert_status(204);
        desk.bench.let_pass(120).await;
        // The next email is the only one that says it is ready.
        desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
        desk.bench.work().await;
        expected.push(format!("Your order {number} is ready for pickup"));
        let to = desk.text("SELECT email FROM orders WHERE number = $1", &number).await;
        let subjects = emails(&mailbox, &to).await.into_iter().map(|(subject, _)| subject);
        let subjects: Vec<String> = subjects.filter(|subject| subject.contains(&number)).collect();
        assert_eq!(subjects, expected, "{state}");
        assert_eq!(desk.bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'order_mail'").await, 0);
    }
}

async fn who_is_reminded_too_late_is_told_of_no_former_day(shop: TestShop) {
    const DEAD: &str = "UPDATE jobs SET dead_at = run_at WHERE name = 'order_mail'";
    let (bench, mailbox) = open(&shop).await;
    let mut desk = Desk::at(bench).await;
    let number = desk.to_pick_up(PAPERS).await;
    desk.bench.work().await;
    let to = desk.text("SELECT email FROM orders WHERE number = $1", &number).await;
    let told = async |part: &str| {
        let got = emails(&mailbox, &to).await;
        got.iter().filter(|(subject, _)| subject.contains(part)).count()
    };
    const REMINDER: &str = "is waiting for you";
    desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
    desk.bench.execute(DEAD).await;
    desk.bench.shop.clock.advance(3 * DAY_MS + 600_000);
    remind_and_release(&desk.bench.shop.app).await.unwrap();
    // What has not left is taken back with the mark.
    desk.bench.execute(DEAD).await;
    desk.sign_in().await;
    desk.act(&desk.staff, &number, "ready/undo", json!({})).await.assert_status(204);
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'order_mail'").await, 0);
    // One that leaves after its day is dropped, and the first one is discarded.
    desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
    desk.bench.execute(DEAD).await;
    desk.discard_email().await;
    desk.bench.shop.clock.advance(3 * DAY_MS + 600_000);
    remind_and_release(&desk.bench.shop.app).await.unwrap();
    desk.bench.execute("UPDATE jobs SET run_at = run_at + 302400000 WHERE name = 'order_mail'").await;
    // Staff keep the order for longer.
    desk.sign_in().await;
    desk.act(&desk.staff, &number, "notes", json!({ "text": "Comes on Friday." })).await.assert_status(204);
    desk.bench.shop.clock.advance(4 * DAY_MS);
    desk.bench.work().await;
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'order_mail'").await, 0);
    desk.sign_in().await;
    desk.act(&desk.staff, &number, "ready/undo", json!({})).await.assert_status(204);
    desk.bench.work().await;
    assert_eq!((told("Correction").await, told(REMINDER).await), (0, 0));
}

/// The mail server takes the email, but its answer is lost; when it is to be sent again, the server is away.
async fn who_may_have_been_told_to_pick_up_is_told_of_the_correction(shop: TestShop) {
    let mailbox = Mailbox::start(&temporary_folder(), 0).await.unwrap();
    let line = Line::to(mailbox.smtp_address()).await;
    let settings = SmtpSettings { port: line.port, ..mailbox.settings("care@shop.example") };
    let desk = Desk::at(Bench::writing(shop.database, settings).await).await;
    let number = desk.to_pick_up(PAPERS).await;
    desk.bench.work().await;
    desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
    for (fault, tries) in [(Fault::AnswerIsLost, 1), (Fault::Away, 2)] {
        line.set(fault);
        desk.bench.let_pass(5).await;
        assert_eq!(desk.bench.count("SELECT attempts FROM jobs WHERE name = 'order_mail'").await, tries);
    }
    line.set(Fault::None);
    desk.act(&desk.staff, &number, "ready/undo", json!({})).await.assert_status(204);
    desk.bench.let_pass(120).await;
    desk.act(&desk.staff, &number, "ready", json!({})).await.assert_status(204);
    desk.bench.work().await;
    let to = desk.text("SELECT email FROM orders WHERE number = $1", &number).await;
    let subjects = emails(&mailbox, &to).await.into_iter().map(|(subject, _)| subject);
    let subjects: Vec<String> = subjects.filter(|subject| subject.contains(&number)).collect();
    let ready = format!("Your order {number} is ready for pickup");
    let undone = format!("Correction: your order {number} isn’t ready yet");
    assert_eq!(subjects, [format!("Your order {number}"), ready.clone(), undone, ready]);
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'order_mail'").await, 0);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// The connection breaks when the mailbox answers the message.
    AnswerIsLost,
    Away,
}

/// What is between the shop and the mailbox.
struct Line {
    port: u16,
    fault: Arc<Mutex<Fault>>,
    _task: JoinSet<()>,
}

impl Line {
    async fn to(mailbox: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let fault = Arc::new(Mutex::new(Fault::None));
        let mut task = JoinSet::new();
        let set = Arc::clone(&fault);
        task.spawn(async move {
            loop {
                let (shop, _) = listener.accept().await.unwrap();
                let fault = *set.lock().unwrap();
                // Either side may hang up.
                let _ = pass_on(shop, mailbox, fault).await;
            }
        });
        Self { port, fault, _task: task }
    }

    fn set(&self, fault: Fault) {
        *self.fault.lock().unwrap() = fault;
    }
}

async fn pass_on(mut shop: TcpStream, mailbox: SocketAddr, fault: Fault) -> io::Result<()> {
    if fault == Fault::Away {
        return Ok(());
    }
    let mut mailbox = TcpStream::connect(mailbox).await?;
    let (mut from_shop, mut to_shop) = shop.split();
    let (from_mailbox, mut to_mailbox) = mailbox.split();
    let answers = async {
        let (mut lines, mut is_message) = (BufReader::new(from_mailbox).lines(), false);
        while let Some(line) = lines.next_line().await? {
            if is_message && fault == Fault::AnswerIsLost {
                break;
            }
            is_message = line.starts_with("354 ");
            to_shop.write_all(format!("{line}\r\n").as_bytes()).await?;
        }
        io::Result::Ok(())
    };
    tokio::select! {
        ended = answers => ended,
        ended = tokio::io::copy(&mut from_shop, &mut to_mailbox) => ended.map(drop),
    }
}

async fn what_was_picked_up_was_ready(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.to_pick_up(PAPERS).await;
    let act = async |act: &str, body: Value| desk.act(&desk.staff, &number, act, body).await;
    act("ready", json!({})).await.assert_status(204);
    act("payment", json!({ "tender": "cash", "id_checked": true })).await.assert_status(204);
    act("handover", json!({ "id_checked": true })).await.assert_status(204);
    act("ready/undo", json!({})).await.assert_problem(409, "left_already");
    let undo = format!("fulfillments/{}/undo", desk.fulfillment(&number).await);
    act(&undo, json!({})).await.assert_status(204);
    act("ready/undo", json!({})).await.assert_status(204);
    assert_eq!(desk.fulfillment_status(&number).await, "unfulfilled");
}
