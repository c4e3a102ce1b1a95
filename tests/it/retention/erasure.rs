//! What is erased with an account is found nowhere.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use shop_base::clock::Clock;
use shop_base::db::Db;
use shop_base::role::Role;
use shop_domain::activity::model::{ActivityType, CheckedEvent, Reporter, StoredEvent};
use shop_domain::cart::service::{Sync, sync};
use shop_domain::identity::service::find_session;
use shop_domain::retention::personal;
use shop_domain::retention::personal::End;
use shop_domain::retention::service::clean;
use shop_domain::sales::flows::payment_webhook;
use shop_domain::sales::privacy::{erase_closed, forget_payers};
use shop_domain::sales::records::draft_orders;
use shop_domain::sales::records::payments::rows::WebhookEvent;
use shop_domain::saved_views::model::NewView;
use shop_domain::saved_views::service::save;
use shop_platform::audit::model::Actor;
use shop_platform::jobs;
use shop_platform::mail::jobs::SendAccountMail;
use shop_platform::mail::model::{AccountDeletedMail, Mail};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::{columns, personal_columns};
use crate::activity::insert_many;
use crate::admin::orders::{Desk, chosen, parcel};
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::reports::execute;
use crate::support::{OnPostgres, Test, TestShop, log, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    an_erased_account_is_nowhere_but_where_the_law_wants_it,
    an_order_keeps_its_address_until_it_has_arrived,
    what_comes_after_an_erasure_goes,
    activity_goes_in_batches_after_the_account,
    orders_go_in_batches_after_the_account,
    a_draft_goes_with_the_account_that_paid_it,
    who_tried_to_pay_anothers_order_is_forgotten,
    an_order_that_is_just_no_longer_sent_keeps_its_address,
    a_draft_that_is_just_renewed_stays,
    what_is_to_be_erased_is_searched_without_the_writer,
];

/// The columns that contain a word, as `table.column`, searching every column of every table.
async fn found(db: &Db, word: &str) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    for (table, column) in columns(db).await {
        let mut reader = db.read().await.unwrap();
        let sql = format!("SELECT COUNT(*) FROM \"{table}\" WHERE LOWER(CAST(\"{column}\" AS TEXT)) LIKE '%{word}%'");
        let sql = AssertSqlSafe(sql);
        let count: i64 = shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(sql).fetch_one(c).await).unwrap();
        if count > 0 {
            places.insert(format!("{table}.{column}"));
        }
    }
    places
}

/// The texts in these columns of an order.
async fn text_of(db: &Db, number: &str, columns: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    for column in columns {
        let mut reader = db.read().await.unwrap();
        let sql = AssertSqlSafe(format!("SELECT CAST({column} AS TEXT) FROM orders WHERE number = $1"));
        let text: String =
            shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(sql).bind(number).fetch_one(c).await).unwrap();
        texts.push(text);
    }
    texts
}

async fn an_erased_account_is_nowhere_but_where_the_law_wants_it(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let bench = &desk.bench;
    let (shop, db) = (&bench.shop, &bench.shop.app.db);
    let buyer = shop.sign_in("zqxvk", &["customer"]).await;
    let address = json!({
        "first_name": "Zqxvk", "last_name": "Zqxvkson", "company": "Zqxvk Inc", "line1": "1 Zqxvk Street", "line2": "Zqxvk", "city": "Columbus",
        "state": "OH", "postal_code": "43215", "phone": "614 555 0142",
    });
    shop.call("POST", "/api/me/addresses", &buyer, address.clone()).await.assert_status(201);
    shop.call("PATCH", "/api/me", &buyer, json!({ "name": "Zqxvk Zqxvkson" })).await.assert_status(200);
    let event = json!({ "type": "search", "action": "zqxvk@shop.example", "page": "/", "session_id": Uuid::now_v7() });
    shop.call("POST", "/api/me/activity", &buyer, event).await.assert_status(202);
    shop.app.parts.activity.queue.flush().await;
    shop_domain::analytics::service::refresh(&shop.app).await.unwrap();
    // A delivered order with texts from everybody involved, and one that has not left.
    let mut numbers = Vec::new();
    for _ in 0..2 {
        let mut body = bench.order(PIPE_TOOL, 2).await;
        body["email"] = json!("zqxvk@shop.example");
        body["phone"] = json!("614 555 0142");
        body["address"] = address.clone();
        let placed = bench.pay_as(&format!("{buyer}; {}", shop.age_cookie()), &body).await.assert_status(200).json();
        numbers.push(placed["number"].as_str().unwrap().to_owned());
        bench.work().await;
    }
    let [come, open] = &numbers[..] else { panic!("two orders") };
    desk.act(&desk.staff, come, "notes", json!({ "text": "Zqxvk called" })).await.assert_status(204);
    let line = desk.line(come, PIPE_TOOL).await;
    desk.act(&desk.staff, come, "shipment", parcel(&[(line, 2)])).await.assert_status(204);
    desk.deliver(come).await;
    let refund = |reason: &str| {
        let lines = chosen(&[(line, 1)]);
        json!({ "request_id": Uuid::now_v7(), "lines": lines, "expected_amount": 648, "reason": reason })
    };
    desk.act(&desk.admin, come, "refunds", refund("Zqxvk complained")).await.assert_status(200);
    desk.settle().await;
    let back = json!({ "lines": chosen(&[(line, 1)]), "reason": "Zqxvk does not like it" });
    let back = desk.act(&desk.staff, come, "returns", back).await.assert_status(200).json()["id"].clone();
    let refusal = format!("returns/{}/rejection", back.as_str().unwrap());
    desk.act(&desk.admin, come, &refusal, json!({ "note": "Zqxvk was rude", "message": "Dear Zqxvk" }))
        .await
        .assert_status(204);
    bench
        .execute(
            "INSERT INTO promo_codes (id, code, kind, value, min_subtotal, used, once_per_customer, active)
        SELECT id, 'ONCE', 'percent', 100, 0, 1, TRUE, TRUE FROM orders LIMIT 1",
        )
        .await;
    bench.execute("INSERT INTO promo_redemptions (order_id, promo_id, customer)
        SELECT o.id, p.id, o.email FROM orders o, promo_codes p, fulfillments f WHERE p.code = 'ONCE' AND f.order_id = o.id").await;
    bench
        .execute(
            "INSERT INTO saved_views (id, user_id, list, name, query, is_shared, created_at)
        SELECT id, id, '/admin/orders', 'Zqxvk', 'q=zqxvk', FALSE, 0 FROM users WHERE subject = 'zqxvk'",
        )
        .await;
    let told = WebhookEvent {
        provider: "square".to_owned(),
        event_id: "told".to_owned(),
        kind: "payment.updated".to_owned(),
        subject: "P".to_owned(),
        body:
            json!({ "data": { "object": { "payment": { "id": "P", "buyer_email_address": "zqxvk@shop.example" } } } })
                .to_string(),
        received_at: shop.clock.now_ms(),
    };
    payment_webhook::receive(&shop.app, &told).await.unwrap();
    for list in ["users", "orders"] {
        let found = format!("/api/admin/{list}.csv?q=zqxvk");
        shop.call("GET", &found, &desk.admin, Value::Null).await.assert_status(200);
        let label = "SELECT subject_label FROM audit_entries WHERE action = $1 || '.export_list'";
        assert_eq!(desk.text(label, &list[..list.len() - 1]).await, "q=5+characters", "not what was searched for");
    }
    // An email that could not be sent.
    let email = Mail::AccountDeleted(AccountDeletedMail { name: "Zqxvk".to_owned() });
    let to = "zqxvk@shop.example".to_owned();
    let email = SendAccountMail { id: Uuid::now_v7(), user_id: None, to, mail: email };
    let mut tx = db.begin().await.unwrap();
    jobs::service::add(&mut tx.conn(), shop.clock.as_ref(), &email).await.unwrap();
    tx.commit().await.unwrap();
    let before = found(db, "zqxvk").await;
    for place in [
        "addresses.line1",
        "users.email",
        "orders.email",
        "orders.address",
        "order_history.data",
        "returns.reason",
        "returns.message",
        "refunds.reason",
        "promo_redemptions.customer",
        "search_terms.term",
        "activity_events.action",
        "saved_views.query",
        "jobs.payload",
        "delivery_records.consignee",
    ] {
        assert!(before.contains(place), "the test puts something into {place}: {before:?}");
    }
    let unlisted: Vec<_> = before.difference(&personal_columns()).cloned().collect();
    assert!(unlisted.is_empty(), "say in server/domain/retention/personal.rs what these are for: {unlisted:?}");
    assert!(!before.contains("webhook_events.body"), "what providers tell of buyers is not kept at all");

    let export = shop.call("GET", "/api/me/export", &buyer, Value::Null).await.assert_status(200).text().to_owned();
    for told in ["614 555 0142", "Zqxvk does not like it", "Dear Zqxvk", "q=zqxvk", "age_proof", "Firefox on Linux"] {
        assert!(export.contains(told), "{told}: {export}");
    }
    let exported: Value = serde_json::from_str(&export).unwrap();
    let bought = exported["orders"].as_array().unwrap().iter().find(|order| order["number"] == *come).unwrap();
    let delivery = &bought["deliveries"][0];
    assert_eq!(
        (&delivery["consignee"], &delivery["carrier"]),
        (&json!("Zqxvkson, Zqxvk"), &json!("UPS Ground")),
        "{bought}"
    );
    let network = "SELECT a.network FROM payment_attempts a JOIN orders o ON o.id = a.order_id WHERE o.number = $1";
    let payment = &bought["payments"][0];
    assert_eq!(payment["network"], desk.text(network, come).await);
    assert!(payment["card_fingerprint"].is_string(), "{payment}");
    // What stays is said before.
    let page = shop.call("GET", "/account", &buyer, Value::Null).await;
    for told in [
        "An order that isn’t finished keeps your name and address until it is; one that is on its way, until it arrives, but no more than 60 days after it ships.",
        "Records of deliveries that the law asks for keep your name and address until",
    ] {
        assert!(page.root().contains(told), "{told}");
    }
    let blanked = personal::COLUMNS.iter().filter(|each| each.table == "orders" && each.end == End::Erasure);
    let blanked: Vec<&str> = blanked.flat_map(|each| each.columns).copied().collect();
    let kept = text_of(db, come, &blanked).await;
    // By which limits know who has tried a card.
    let traces = "SELECT COUNT(*) FROM payment_attempts a JOIN orders o ON o.id = a.order_id
        WHERE o.number = $1 AND (a.network <> '' OR a.card_fingerprint IS NOT NULL)";
    assert_eq!(desk.figure(traces, come).await, 1);
    shop.call("DELETE", "/api/me", &buyer, json!({ "confirm": "zqxvk@shop.example" })).await.assert_status(204);
    // On a busy machine the rest of it goes on after the answer.
    let events = "SELECT COUNT(*) FROM activity_events WHERE user_id IS NOT NULL";
    until("orders and activity are erased", async || {
        text_of(db, come, &["email"]).await == [""] && bench.count(events).await == 0
    })
    .await;
    for ((column, before), after) in blanked.iter().zip(kept).zip(text_of(db, come, &blanked).await) {
        assert_ne!(before, after, "orders.{column} is erased");
    }
    assert_eq!((desk.figure(traces, come).await, desk.figure(traces, open).await), (0, 1));
    // The last email confirms the deletion; once it has been sent, the address is erased, too.
    let stays = |more: &[&str]| -> BTreeSet<String> {
        // By law, deliveries must be reported for years: to whom, and where.
        let law = ["delivery_records.consignee", "delivery_records.street"];
        law.iter().chain(more).map(|&place| place.to_owned()).collect()
    };
    assert_eq!(bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'account_mail'").await, 1);
    let on_its_way = ["orders.email", "orders.address", "search_terms.term", "jobs.payload"];
    assert_eq!(found(db, "zqxvk").await, stays(&on_its_way));
    let named =
        async |number: &str| desk.text("SELECT address FROM orders WHERE number = $1", number).await.contains("Zqxvk");
    assert!(!named(come).await && named(open).await, "an order that has not left keeps its address");
    let payers = "SELECT COUNT(*) FROM payment_attempts WHERE user_id IS NOT NULL";
    clean(&shop.app).await.unwrap();
    assert_eq!(bench.count(payers).await, 2, "limits count whose cards were tried");
    bench.execute("UPDATE payment_attempts SET created_at = created_at - 86400000").await;
    clean(&shop.app).await.unwrap();
    assert_eq!(bench.count(payers).await, 0);
    assert!(named(open).await);
    let line = desk.line(open, PIPE_TOOL).await;
    desk.act(&desk.staff, open, "shipment", parcel(&[(line, 2)])).await.assert_status(204);
    desk.deliver(open).await;
    clean(&shop.app).await.unwrap();
    bench.execute("DELETE FROM jobs WHERE name = 'account_mail'").await;
    assert_eq!(found(db, "zqxvk").await, stays(&[]));
    // What staff write later.
    desk.act(&desk.staff, open, "notes", json!({ "text": "Zqxvk called again" })).await.assert_status(204);
    let line = desk.line(come, PIPE_TOOL).await;
    let back = json!({ "lines": chosen(&[(line, 1)]), "reason": "Zqxvk has changed his mind" });
    let back = desk.act(&desk.staff, come, "returns", back).await.assert_status(200).json()["id"].clone();
    clean(&shop.app).await.unwrap();
    assert_eq!(found(db, "zqxvk").await, stays(&["order_history.data", "returns.reason"]), "a return is under way");
    let refusal = format!("returns/{}/rejection", back.as_str().unwrap());
    desk.act(&desk.admin, come, &refusal, json!({ "note": "Zqxvk was late" })).await.assert_status(204);
    // What the provider reports after a refund has the card again.
    desk.act(&desk.admin, come, "refunds", refund("Zqxvk has called once more")).await.assert_status(200);
    desk.settle().await;
    assert!(found(db, "zqxvk").await.contains("refunds.reason"));
    clean(&shop.app).await.unwrap();
    assert_eq!(found(db, "zqxvk").await, stays(&[]));
    assert_eq!((desk.figure(traces, come).await, desk.figure(traces, open).await), (0, 0));
    assert!(found(db, "555 0142").await.iter().all(|place| place.starts_with("delivery_records")), "nor the phone");
    // The financial records remain complete.
    for number in [come, open] {
        let kept = desk.text("SELECT address FROM orders WHERE number = $1", number).await;
        assert!(kept.contains("Columbus") && kept.contains("43215"), "the place that decided the tax: {kept}");
        assert!(desk.figure("SELECT total FROM orders WHERE number = $1", number).await > 0);
        let search = shop.call("GET", &format!("/api/admin/search?q={number}"), &desk.staff, Value::Null).await;
        assert!(search.assert_status(200).text().contains(number.as_str()), "staff find it by its number");
    }
    // The rest goes back, too: shipping with its tax.
    let rest = json!({ "request_id": Uuid::now_v7(), "shipping": 1183, "expected_amount": 1183, "reason": "" });
    desk.act(&desk.admin, come, "refunds", rest).await.assert_status(200);
    desk.settle().await;
    bench.assert_books_balance().await;
}

async fn an_order_keeps_its_address_until_it_has_arrived(shop: TestShop) {
    const DAY_MS: i64 = 86_400_000;
    let desk = Desk::open(&shop).await;
    let bench = &desk.bench;
    let shop = &bench.shop;
    let buyer = shop.sign_in("zqxvk", &["customer"]).await;
    let buying = format!("{buyer}; {}", shop.age_cookie());
    let mut numbers = Vec::new();
    for _ in 0..3 {
        let placed = bench.pay_as(&buying, &bench.order(PIPE_TOOL, 1).await).await.assert_status(200).json();
        let number = placed["number"].as_str().unwrap().to_owned();
        bench.work().await;
        let line = desk.line(&number, PIPE_TOOL).await;
        desk.act(&desk.staff, &number, "shipment", parcel(&[(line, 1)])).await.assert_status(204);
        numbers.push(number);
    }
    let [delivered, _, archived] = &numbers[..] else { panic!("three orders") };
    desk.act(&desk.staff, archived, "archive", json!({})).await.assert_status(204);
    shop.call("DELETE", "/api/me", &buyer, json!({ "confirm": "zqxvk@shop.example" })).await.assert_status(204);
    let kept = async || {
        clean(&shop.app).await.unwrap();
        let mut kept = Vec::new();
        for number in &numbers {
            let texts = text_of(&shop.app.db, number, &["email", "address"]).await;
            let is_kept = !texts[0].is_empty();
            assert_eq!(texts[1].contains("High Street"), is_kept, "{number}");
            kept.push(is_kept);
        }
        kept
    };
    assert_eq!(kept().await, [true, true, true], "they are on their way");
    desk.deliver(delivered).await;
    assert_eq!(kept().await, [false, true, true]);
    // Nobody records that the others have arrived.
    shop.clock.advance(60 * DAY_MS);
    assert_eq!(kept().await, [false, true, true]);
    shop.clock.advance(DAY_MS);
    assert_eq!(kept().await, [false, false, false]);
}

async fn what_comes_after_an_erasure_goes(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let bench = &desk.bench;
    let shop = &bench.shop;
    let cookie = shop.sign_in("overtaken", &["customer"]).await;
    let user = find_session(&shop.app, &cookie["session=".len()..]).await.unwrap().unwrap().user_id;
    let confirm = json!({ "confirm": "overtaken@shop.example" });
    insert_many(shop, "overtaken", 1).await;
    shop.call("DELETE", "/api/me", &cookie, confirm).await.assert_status(204);
    until("the erasure is over", async || bench.count("SELECT COUNT(*) FROM activity_events").await == 0).await;
    // Requests that were let in before the erasure, beside those of another account.
    let stays = shop.sign_in("stays", &["customer"]).await;
    let stays = find_session(&shop.app, &stays["session=".len()..]).await.unwrap().unwrap().user_id;
    for user in [user, stays] {
        let cart = Sync { items: Vec::new(), base: None, promo_code: Some("WELCOME10".to_owned()), keeps_code: false };
        sync(&shop.app, user, &cart, &[]).await.unwrap();
        let view = NewView {
            list: "/admin/orders".to_owned(),
            name: "Mine".to_owned(),
            query: String::new(),
            is_shared: false,
            replace: false,
        };
        let actor = Actor { user_id: user, role: Role::Customer, network: String::new(), device: String::new() };
        save(&shop.app, &actor, view, |_, query| query.to_owned()).await.unwrap();
        let event = StoredEvent {
            id: Uuid::now_v7(),
            event: CheckedEvent {
                kind: ActivityType::ProfileView,
                page: None,
                feature: None,
                action: None,
                session_duration: None,
                session_id: None,
                occurred_at: shop.clock.now_ms(),
                reported_at: None,
            },
            reporter: Reporter { user_id: Some(user), network: "203.0.113.0".to_owned() },
            results: None,
            received_at: shop.clock.now_ms(),
        };
        assert!(shop.app.parts.activity.queue.push(event));
    }
    shop.app.parts.activity.queue.flush().await;
    // A sign-in, and drafts by staff, one of which was paid.
    shop.sign_in("late", &["customer"]).await;
    for email in ["overtaken@shop.example", "paid@shop.example", "stays@shop.example"] {
        desk.drafted(json!({
            "lines": [{ "sku": PIPE_TOOL, "quantity": 1 }], "email": email, "phone": "614 555 0142",
            "address": {
                "first_name": "Ada", "last_name": "Reed", "line1": "12 High Street", "city": "Columbus", "state": "OH",
                "postal_code": "43215",
            },
            "shipping_method": "ground", "user_id": stays, "message": "",
        }))
        .await;
    }
    for late in [
        "UPDATE sessions SET user_id = (SELECT id FROM users WHERE subject LIKE 'deleted %')
            WHERE user_id = (SELECT id FROM users WHERE subject = 'late')",
        "UPDATE draft_orders SET user_id = (SELECT id FROM users WHERE subject LIKE 'deleted %')
            WHERE email <> 'stays@shop.example'",
        "UPDATE draft_orders SET status = 'placed' WHERE email = 'paid@shop.example'",
    ] {
        bench.execute(late).await;
    }
    let kept = async || {
        let carts = bench.count("SELECT COUNT(*) FROM carts").await;
        let views = bench.count("SELECT COUNT(*) FROM saved_views").await;
        let events = bench.count("SELECT COUNT(*) FROM activity_events").await;
        let sessions = "SELECT COUNT(*) FROM sessions s JOIN users u ON u.id = s.user_id
            WHERE u.subject LIKE 'deleted %' OR u.subject = 'stays'";
        let sessions = bench.count(sessions).await;
        (carts, views, events, sessions, bench.count("SELECT COUNT(*) FROM draft_orders").await)
    };
    assert_eq!(kept().await, (2, 2, 2, 2, 3));
    clean(&shop.app).await.unwrap();
    assert_eq!(kept().await, (1, 1, 1, 1, 1), "of the account that was not erased");
}

async fn activity_goes_in_batches_after_the_account(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let count = async || -> i64 {
        let mut reader = shop.app.db.read().await.unwrap();
        let count = "SELECT COUNT(*) FROM activity_events";
        shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(count).fetch_one(c).await).unwrap()
    };
    let delete = async |subject: &str, cookie: &str| {
        let confirm = json!({ "confirm": format!("{subject}@shop.example") });
        shop.call("DELETE", "/api/me", cookie, confirm).await.assert_status(204);
    };
    let [first, second] = [shop.sign_in("first", &["customer"]).await, shop.sign_in("second", &["customer"]).await];
    insert_many(&shop, "first", 1_200).await;
    insert_many(&shop, "second", 1_200).await;
    delete("first", &first).await;
    until("the rest of the erasure is done", async || count().await == 1_200).await;
    // As if the program had been killed after the account was erased: its transaction needs no events.
    let user = find_session(&shop.app, &second["session=".len()..]).await.unwrap().unwrap().user_id.to_string();
    execute(&shop, "ALTER TABLE activity_events RENAME TO away").await;
    delete("second", &second).await;
    until("the rest has failed", async || log::says(&[user.as_str(), "is left to the daily cleanup"])).await;
    execute(&shop, "ALTER TABLE away RENAME TO activity_events").await;
    assert_eq!(count().await, 1_200);
    clean(&shop.app).await.unwrap();
    assert_eq!(count().await, 0);
}

async fn orders_go_in_batches_after_the_account(shop: TestShop) {
    const ORDERS: i64 = 120;
    const INSERT: &str = "INSERT INTO orders (id, number, token, checkout_id, user_id, email, phone, status,
        payment_status, fulfillment_status, currency, subtotal, discount_total, shipping_total, tax_total, total,
        shipping_method, shipping_name, picked_up, address, adult_signature, compliance, age_proof, version, created_at,
        updated_at, placed_at)
        VALUES ($1, $2, $2, $1, $3, 'regular@shop.example', '614 555 0142', 'placed', 'paid', 'fulfilled', 'USD', 0, 0, 0, 0, 0,
        '', '', TRUE, '{\"last_name\":\"Reed\"}', FALSE, '{}', '{}', 0, $4, $4, $4)";
    const NAMED: &str = "SELECT COUNT(*) FROM orders WHERE email <> '' OR phone <> '' OR address LIKE '%Reed%' OR address = 'unreadable'";
    let bench = Bench::start(shop.database).await;
    let (shop, db) = (&bench.shop, &bench.shop.app.db);
    let buyer = shop.sign_in("regular", &["customer"]).await;
    let user = find_session(&shop.app, &buyer["session=".len()..]).await.unwrap().unwrap().user_id;
    let mut tx = db.begin().await.unwrap();
    for at in 0..ORDERS {
        let (number, now) = (format!("T-{at}"), shop.clock.now_ms());
        shop_base::sql!(&mut tx.conn(), c => sqlx::query(INSERT).bind(Uuid::now_v7()).bind(&number).bind(user).bind(now)
            .execute(c).await.map(drop))
        .unwrap();
    }
    tx.commit().await.unwrap();
    assert_eq!(bench.count(NAMED).await, ORDERS);
    // Stops the erasure in its last batch, as if the program had been killed.
    bench
        .execute("UPDATE orders SET address = 'unreadable' WHERE id = (SELECT id FROM orders ORDER BY id DESC LIMIT 1)")
        .await;
    let confirm = json!({ "confirm": "regular@shop.example" });
    shop.call("DELETE", "/api/me", &buyer, confirm).await.assert_status(204);
    shop.call("GET", "/api/me", &buyer, Value::Null).await.assert_problem(401, "unauthorized");
    assert_eq!(bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'account_mail'").await, 1);
    // On a busy machine it goes on after the answer.
    until("all batches but the last are erased", async || bench.count(NAMED).await < ORDERS / 2).await;
    assert!(bench.count(NAMED).await > 0);
    bench.execute("UPDATE orders SET address = '{\"last_name\":\"Reed\"}' WHERE address = 'unreadable'").await;
    clean(&shop.app).await.unwrap();
    assert_eq!(bench.count(NAMED).await, 0);
}

async fn a_draft_goes_with_the_account_that_paid_it(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let bench = &desk.bench;
    let (shop, db) = (&bench.shop, &bench.shop.app.db);
    let buyer = shop.sign_in("zqxvk", &["customer"]).await;
    let buying = format!("{buyer}; {}", shop.age_cookie());
    shop.sign_in("other", &["customer"]).await;
    let draft = async |email: &str, name: &str, user: Value| {
        let terms = json!({
            "lines": [{ "sku": PIPE_TOOL, "quantity": 1 }], "email": email, "phone": "614 555 0142",
            "address": {
                "first_name": name, "last_name": "Reed", "line1": "12 High Street", "city": "Columbus", "state": "OH",
                "postal_code": "43215",
            },
            "shipping_method": "ground", "user_id": user, "message": format!("Dear {name}"),
        });
        desk.link(&desk.drafted(terms).await).await
    };
    let ship = async |order: &str| {
        let line = desk.line(order, PIPE_TOOL).await;
        desk.act(&desk.staff, order, "shipment", parcel(&[(line, 1)])).await.assert_status(204);
        desk.deliver(order).await;
    };
    let order_of = |answer: Value| answer["number"].as_str().unwrap().to_owned();
    // Made for nobody in particular; the order of one has been delivered, that of the other has not been sent.
    let sent = draft("zqxvk@shop.example", "Zqxvk", Value::Null).await;
    let sent = order_of(bench.pay_as(&buying, &desk.click(&sent).await).await.assert_status(200).json());
    let open = draft("zqxvk@shop.example", "Zqxvk", Value::Null).await;
    bench.pay_as(&buying, &desk.click(&open).await).await.assert_status(200);
    // Made for somebody else, and paid by the buyer.
    let other = bench.id("SELECT id FROM users WHERE subject = 'other'").await;
    let given = draft("other@shop.example", "Other", json!(other)).await;
    bench.pay_as(&buying, &desk.click(&given).await).await.assert_status(200);
    // Stands for one whose payment is settled after the account is deleted.
    let late = draft("zqxvk@shop.example", "Zqxvk", Value::Null).await;
    let late = order_of(bench.pay(&desk.click(&late).await).await.assert_status(200).json());
    bench.work().await;
    ship(&sent).await;

    let export = shop.call("GET", "/api/me/export", &buyer, Value::Null).await.assert_status(200).json();
    assert_eq!(export["draft_orders"].as_array().unwrap().len(), 2, "{}", export["draft_orders"]);
    shop.call("DELETE", "/api/me", &buyer, json!({ "confirm": "zqxvk@shop.example" })).await.assert_status(204);
    let drafts = "SELECT COUNT(*) FROM draft_orders WHERE email = 'zqxvk@shop.example'";
    assert_eq!(bench.count(drafts).await, 1, "that of the order that is not the account's yet");
    bench
        .execute(
            "UPDATE orders SET user_id = (SELECT id FROM users WHERE deleted_at IS NOT NULL) WHERE user_id IS NULL",
        )
        .await;
    clean(&shop.app).await.unwrap();
    assert_eq!(bench.count(drafts).await, 1, "its order has not been sent");
    bench.execute("UPDATE orders SET fulfillment_status = 'fulfilled' WHERE fulfillment_status = 'unfulfilled'").await;
    clean(&shop.app).await.unwrap();
    bench.execute("DELETE FROM jobs").await;
    let left = found(db, "zqxvk").await;
    assert!(left.iter().all(|place| place.starts_with("delivery_records.")), "{left:?}");
    assert_eq!(bench.count("SELECT COUNT(*) FROM draft_orders WHERE email = 'other@shop.example'").await, 1);
    assert_eq!(desk.figure("SELECT COUNT(*) FROM orders WHERE number = $1", &late).await, 1, "the sale stays");
}

async fn who_tried_to_pay_anothers_order_is_forgotten(shop: TestShop) {
    const TRACES: &str = "SELECT COUNT(*) FROM payment_attempts
        WHERE status = $1 AND network <> '' AND card_fingerprint IS NOT NULL AND user_id IS NOT NULL";
    const LEFT: &str = "SELECT COUNT(*) FROM payment_attempts
        WHERE status = $1 AND (network <> '' OR card_fingerprint IS NOT NULL OR user_id IS NOT NULL)";
    let desk = Desk::open(&shop).await;
    let bench = &desk.bench;
    let shop = &bench.shop;
    let terms = json!({
        "lines": [{ "sku": PIPE_TOOL, "quantity": 1 }], "email": "ada@shop.example", "phone": "614 555 0142",
        "address": {
            "first_name": "Ada", "last_name": "Reed", "line1": "12 High Street", "city": "Columbus", "state": "OH",
            "postal_code": "43215",
        },
        "shipping_method": "ground", "message": "",
    });
    let link = desk.link(&desk.drafted(terms).await).await;
    let (first, second) = (shop.sign_in("first", &["customer"]).await, shop.sign_in("second", &["customer"]).await);
    let mut declined = desk.click(&link).await;
    declined["source_id"] = json!("cnon:card-nonce-declined");
    bench.pay_as(&format!("{first}; {}", shop.age_cookie()), &declined).await.assert_problem(402, "declined");
    let confirm = json!({ "confirm": "first@shop.example" });
    shop.call("DELETE", "/api/me", &first, confirm).await.assert_status(204);
    clean(&shop.app).await.unwrap();
    assert_eq!(desk.figure(TRACES, "declined").await, 1, "limits count it while the checkout is open");
    let paying = desk.click(&link).await;
    bench.pay_as(&format!("{second}; {}", shop.age_cookie()), &paying).await.assert_status(200);
    bench.work().await;
    clean(&shop.app).await.unwrap();
    assert_eq!(desk.figure(TRACES, "declined").await, 1, "limits count it for an hour");
    shop.clock.advance(25 * 60 * 60 * 1000);
    clean(&shop.app).await.unwrap();
    assert_eq!((desk.figure(LEFT, "declined").await, desk.figure(TRACES, "captured").await), (0, 1));
}

const WAITING: &str =
    "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/// With SQLite one of the two would wait for the other to end.
async fn an_order_that_is_just_no_longer_sent_keeps_its_address(OnPostgres(shop): OnPostgres) {
    let desk = Desk::open(&shop).await;
    let bench = &desk.bench;
    let (shop, db) = (&bench.shop, &bench.shop.app.db);
    let buyer = shop.sign_in("zqxvk", &["customer"]).await;
    let buying = format!("{buyer}; {}", shop.age_cookie());
    let placed = bench.pay_as(&buying, &bench.order(PIPE_TOOL, 1).await).await.assert_status(200).json();
    let number = placed["number"].as_str().unwrap();
    bench.work().await;
    shop.call("DELETE", "/api/me", &buyer, json!({ "confirm": "zqxvk@shop.example" })).await.assert_status(204);
    let line = desk.line(number, PIPE_TOOL).await;
    desk.act(&desk.staff, number, "shipment", parcel(&[(line, 1)])).await.assert_status(204);
    desk.deliver(number).await;
    let kept = text_of(db, number, &["email", "address"]).await;

    // Staff take the package back while the cleanup runs.
    let mut undoing = db.begin().await.unwrap();
    let undo = "UPDATE orders SET fulfillment_status = 'unfulfilled' WHERE fulfillment_status = 'delivered'";
    shop_base::sql!(&mut undoing.conn(), c => sqlx::query(undo).execute(c).await.map(drop)).unwrap();
    let (erased, ()) = tokio::join!(erase_closed(&shop.app), async {
        until("the erasure waits for the staff", async || bench.count(WAITING).await > 0).await;
        undoing.commit().await.unwrap();
    });
    erased.unwrap();
    assert_eq!(text_of(db, number, &["email", "address"]).await, kept, "where the goods go");

    bench.execute("UPDATE orders SET fulfillment_status = 'delivered' WHERE fulfillment_status = 'unfulfilled'").await;
    erase_closed(&shop.app).await.unwrap();
    assert_eq!(text_of(db, number, &["email"]).await, [""]);
}

/// On SQLite only one of the two writes.
async fn a_draft_that_is_just_renewed_stays(OnPostgres(shop): OnPostgres) {
    const END: &str = "UPDATE draft_orders SET expires_at = 1";
    let desk = Desk::open(&shop).await;
    let bench = &desk.bench;
    let (shop, db) = (&bench.shop, &bench.shop.app.db);
    desk.drafted(json!({
        "lines": [{ "sku": PIPE_TOOL, "quantity": 1 }], "email": "ada@shop.example", "phone": "614 555 0142",
        "address": {
            "first_name": "Ada", "last_name": "Reed", "line1": "12 High Street", "city": "Columbus", "state": "OH",
            "postal_code": "43215",
        },
        "shipping_method": "ground", "message": "",
    }))
    .await;
    let left = async || {
        let drafts = bench.count("SELECT COUNT(*) FROM draft_orders").await;
        (drafts, bench.count("SELECT COUNT(*) FROM search_terms WHERE kind = 'draft' AND term = 'ada'").await)
    };
    assert_eq!(left().await, (1, 1));
    bench.execute(END).await;

    // Staff save it while the cleanup runs.
    let mut saving = db.begin().await.unwrap();
    let renew = "UPDATE draft_orders SET expires_at = $1";
    let until_when = shop.clock.now_ms() + 1;
    shop_base::sql!(&mut saving.conn(), c => sqlx::query(renew).bind(until_when).execute(c).await.map(drop)).unwrap();
    let (purged, ()) = tokio::join!(draft_orders::service::purge(&shop.app), async {
        until("the cleanup waits for the staff", async || bench.count(WAITING).await > 0).await;
        saving.commit().await.unwrap();
    });
    purged.unwrap();
    assert_eq!(left().await, (1, 1));

    bench.execute(END).await;
    draft_orders::service::purge(&shop.app).await.unwrap();
    assert_eq!(left().await, (0, 0));
}

async fn what_is_to_be_erased_is_searched_without_the_writer(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let (shop, db) = (&bench.shop, &bench.shop.app.db);
    let buyer = shop.sign_in("zqxvk", &["customer"]).await;
    let buying = format!("{buyer}; {}", shop.age_cookie());
    bench.pay_as(&buying, &bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    bench.execute("UPDATE orders SET fulfillment_status = 'fulfilled'").await;
    shop.call("DELETE", "/api/me", &buyer, json!({ "confirm": "zqxvk@shop.example" })).await.assert_status(204);
    clean(&shop.app).await.unwrap();
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE email = ''").await, 1);

    // Nothing is left to be erased.
    let writing = db.begin().await.unwrap();
    erase_closed(&shop.app).await.unwrap();
    forget_payers(&shop.app).await.unwrap();
    draft_orders::service::purge(&shop.app).await.unwrap();
    writing.commit().await.unwrap();
}
