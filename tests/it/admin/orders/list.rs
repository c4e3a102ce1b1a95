//! The list of orders, and the props of one order's page.

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{HttpBody, to_bytes};
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use shop::registry::fill_search_terms;
use shop_base::db::list;
use shop_domain::sales::order_links;
use shop_http::admin::list::query::ListQuery;
use shop_http::admin::list::spec::ROWS;
use shop_http::admin::orders::queries::{SPEC, filter};
use shop_platform::staff_search::model::Kind;
use uuid::Uuid;

use super::{Desk, parcel};
use crate::checkout::bench::{BUTANE, PIPE_TOOL};
use crate::support::{Database, OnPostgres, OnSqlite, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    each_axis_narrows_the_list,
    orders_are_found_by_their_words,
    the_orders_of_a_buyer_are_listed,
    old_orders_are_found_once_their_words_are_filled_in,
    the_file_holds_what_the_list_shows,
    an_order_that_changes_during_an_export_is_in_it_once,
    the_page_offers_what_may_be_done,
    the_page_tells_when_the_age_was_declared,
    an_id_is_checked_with_money_or_goods,
    every_sort_and_filter_has_its_index,
    a_phone_number_is_looked_up_on_postgres,
    a_common_word_finds_what_a_rare_one_does,
];

const HOUR_MS: i64 = 3_600_000;

impl Desk {
    async fn props(&self, who: &str, href: &str) -> Value {
        let (path, query) = href.split_once('?').unwrap_or((href, ""));
        let path = format!("{path}/_payload.json?{query}");
        self.bench.shop.call("GET", &path, who, Value::Null).await.assert_status(200).json()["props"].clone()
    }

    /// What an order's page tells of its rules and of the buyer's age.
    async fn facts(&self, number: &str) -> Value {
        self.props(&self.staff, &format!("/admin/orders/{number}")).await["order"]["compliance"].clone()
    }

    async fn listed(&self, query: &str) -> Vec<String> {
        let props = self.props(&self.staff, &format!("/admin/orders?{query}")).await;
        props["orders"].as_array().unwrap().iter().map(|order| order["number"].as_str().unwrap().to_owned()).collect()
    }
}

async fn each_axis_narrows_the_list(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let sent = desk.paid(&[(PIPE_TOOL, 2)]).await;
    desk.bench.shop.clock.advance(1_000);
    let canceled = desk.paid(&[(BUTANE, 1)]).await;
    desk.bench.shop.clock.advance(1_000);
    let due = desk
        .placed(&[(PIPE_TOOL, 1)], |body| {
            body["shipping_method"] = json!("pickup");
            body["payment_method"] = json!("pickup");
        })
        .await;
    let line = desk.line(&sent, PIPE_TOOL).await;
    desk.act(&desk.staff, &sent, "shipment", parcel(&[(line, 1)])).await.assert_status(204);
    let body = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &canceled, "cancellation", body).await.assert_status(204);
    desk.settle().await;
    // A declined card leaves a draft, which is not yet an order.
    let mut draft = desk.bench.order(PIPE_TOOL, 1).await;
    draft["source_id"] = json!("cnon:card-nonce-declined");
    desk.bench.pay(&draft).await.assert_status(402);

    assert_eq!(desk.listed("").await, [&*due, &*canceled, &*sent]);
    for (query, found) in [
        ("status=placed", vec![&due, &sent]),
        ("status=canceled", vec![&canceled]),
        ("payment=not_paid", vec![&due]),
        ("payment=refunded&payment=paid", vec![&canceled, &sent]),
        ("fulfillment=partially_fulfilled", vec![&sent]),
        ("delivery=pickup", vec![&due]),
        ("attention=yes", vec![]),
        ("all_refunded=yes", vec![&canceled]),
        ("all_refunded=no", vec![&due, &sent]),
        ("placed_from=2026-11-21&placed_to=2026-11-21&status=placed&delivery=shipping", vec![&sent]),
        ("placed_to=2026-11-20", vec![]),
        ("sort=-total&status=placed", vec![&sent, &due]),
        ("sort=total", vec![&due, &canceled, &sent]),
    ] {
        let found: Vec<String> = found.into_iter().cloned().collect();
        assert_eq!(desk.listed(query).await, found, "{query}");
    }
    // Begun on the eve, placed after midnight.
    desk.bench.execute("UPDATE orders SET created_at = created_at - 86400000 WHERE picked_up").await;
    assert_eq!(desk.listed("placed_from=2026-11-21&delivery=pickup").await, [&*due]);
    assert!(desk.listed("placed_to=2026-11-20&delivery=pickup").await.is_empty());
    desk.bench.execute("UPDATE orders SET attention = 'Look.' WHERE status = 'draft'").await;
    assert_eq!(desk.listed("attention=yes").await.len(), 1, "what needs a hand is listed, placed or not");
}

async fn orders_are_found_by_their_words(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk
        .placed(&[(PIPE_TOOL, 1)], |body| {
            body["email"] = json!("zoe.smith@mail.example");
            body["address"]["last_name"] = json!("Ångström");
        })
        .await;
    desk.paid(&[(BUTANE, 1)]).await;
    let half = number.split('-').next().unwrap().to_lowercase();
    for words in [number.as_str(), &half, "zoe", "smith+mail", "angstr", "TWT", "ada+twt"] {
        assert_eq!(desk.listed(&format!("q={words}")).await, [&*number], "{words}");
    }
    assert_eq!(desk.listed("q=ada").await.len(), 2);
    assert!(desk.listed("q=nobody").await.is_empty());
    // The recipient's name changes.
    desk.bench.work().await;
    let address = json!({
        "first_name": "Bo", "last_name": "Lind", "line1": "80 Broad Street", "city": "Columbus", "state": "OH",
        "postal_code": "43215",
    });
    desk.act(&desk.staff, &number, "address", json!({ "address": address })).await.assert_status(204);
    assert_eq!((desk.listed("q=lind").await.len(), desk.listed("q=angstrom").await.len()), (1, 0));
}

/// The words of a search begin those of other customers, too.
async fn the_orders_of_a_buyer_are_listed(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let mut numbers = Vec::new();
    for email in ["an@mail.example", "anna@mail.example"] {
        numbers.push(desk.placed(&[(PIPE_TOOL, 1)], |body| body["email"] = json!(email)).await);
    }
    assert_eq!(desk.listed("q=an").await.len(), 2);
    assert_eq!(desk.listed(&format!("email_of={}", numbers[0])).await, [&*numbers[0]]);
    assert!(desk.listed("email_of=NONE-NONE").await.is_empty());
    // Whoever types the address in other capitals is the same.
    let typed = desk.placed(&[(PIPE_TOOL, 1)], |body| body["email"] = json!("An@Mail.example")).await;
    for number in [&numbers[0], &typed] {
        assert_eq!(desk.listed(&format!("email_of={number}")).await.len(), 2, "{number}");
        let order = desk.props(&desk.staff, &format!("/admin/orders/{number}")).await["order"].clone();
        assert_eq!(order["customer"]["orders"], json!(2), "{number}");
    }
    // An account with the address of a guest is another buyer.
    let guest = desk.placed(&[(PIPE_TOOL, 1)], |body| body["email"] = json!("an@shop.example")).await;
    let account = desk
        .placed(&[(PIPE_TOOL, 1)], |body| {
            body["email"] = json!("an@shop.example");
            body["shipping_method"] = json!("pickup");
            body["payment_method"] = json!("pickup");
        })
        .await;
    assert_eq!(desk.listed(&format!("email_of={guest}")).await, [&*guest]);
    assert_eq!(desk.listed(&format!("email_of={account}")).await.len(), 2);
    let known = desk.to_pick_up(PIPE_TOOL).await;
    let order = desk.props(&desk.staff, &format!("/admin/orders/{known}")).await["order"].clone();
    let account = order["customer"]["href"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    assert_eq!(desk.listed(&format!("customer={account}")).await, [&*known]);
    assert!(desk.listed("customer=nobody").await.is_empty());
    // What is chosen is shown, and can be taken back.
    let props = desk.props(&desk.staff, &format!("/admin/orders?email_of={}", numbers[0])).await;
    let filters = props["list"]["filters"].as_array().unwrap().clone();
    let shown = filters.iter().find(|filter| filter["name"] == "email_of").unwrap();
    assert_eq!(shown["options"], json!([{ "value": numbers[0], "label": numbers[0], "is_on": true }]));
}

async fn old_orders_are_found_once_their_words_are_filled_in(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    for _ in 0..3 {
        desk.paid(&[(PIPE_TOOL, 1)]).await;
    }
    desk.bench.execute("DELETE FROM search_terms").await;
    assert!(desk.listed("q=ada").await.is_empty());
    fill_search_terms(&desk.bench.shop.app, Kind::Order).await.unwrap();
    assert_eq!(desk.listed("q=ada").await.len(), 3);
    fill_search_terms(&desk.bench.shop.app, Kind::Order).await.unwrap();
    assert_eq!(desk.listed("q=ada").await.len(), 3, "and once");
    // After the first fill has finished, later starts do not scan the orders again.
    desk.bench.execute("DELETE FROM search_terms").await;
    fill_search_terms(&desk.bench.shop.app, Kind::Order).await.unwrap();
    assert!(desk.listed("q=ada").await.is_empty());
    // After an interruption, the fill resumes behind the last order that it processed.
    let last = "UPDATE search_term_fills SET is_done = FALSE,
        after_id = (SELECT id FROM orders WHERE placed_at IS NOT NULL ORDER BY id LIMIT 1)";
    desk.bench.execute(last).await;
    fill_search_terms(&desk.bench.shop.app, Kind::Order).await.unwrap();
    assert_eq!(desk.listed("q=ada").await.len(), 2);
}

async fn the_file_holds_what_the_list_shows(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    desk.placed(&[(BUTANE, 1)], |body| body["address"]["first_name"] = json!("=cmd")).await;
    let file = desk.bench.shop.call("GET", "/api/admin/orders.csv?sort=placed", &desk.admin, Value::Null).await;
    let text = file.assert_status(200).text().trim_start_matches('\u{feff}').to_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[1].starts_with(&format!("{number},")) && lines[1].contains(",18.31,USD"), "{text}");
    assert!(lines[2].contains(",'=cmd Reed,"), "no formula: {text}");
    let none = desk.bench.shop.call("GET", "/api/admin/orders.csv?status=canceled", &desk.admin, Value::Null).await;
    assert_eq!(none.text().lines().count(), 1);
}

async fn an_order_that_changes_during_an_export_is_in_it_once(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    multiply(&desk, &number, 119).await;
    // So long that most of the file waits for the one who downloads it.
    let mut tx = desk.bench.shop.app.db.begin().await.unwrap();
    let text = "x".repeat(15_000);
    const FILL: &str = "UPDATE orders SET shipping_name = $1";
    shop_base::sql!(&mut tx.conn(), c => sqlx::query(FILL).bind(&text).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    let numbers = "SELECT number FROM orders ORDER BY total, id";
    let mut reader = desk.bench.shop.app.db.read().await.unwrap();
    let numbers: Vec<String> =
        shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(numbers).fetch_all(c).await).unwrap();
    drop(reader);

    let mut download = desk.bench.shop.begin("/api/admin/orders.csv?sort=total", &desk.admin).await.into_body();
    let begun = poll_fn(|task| Pin::new(&mut download).poll_frame(task)).await.unwrap().unwrap();
    // The first comes last, and the last first.
    for (number, change) in [
        (&numbers[0], "UPDATE orders SET total = total + 100000, subtotal = subtotal + 100000 WHERE number = $1"),
        (&numbers[119], "UPDATE orders SET total = total - 100, subtotal = subtotal - 100 WHERE number = $1"),
    ] {
        let mut tx = desk.bench.shop.app.db.begin().await.unwrap();
        shop_base::sql!(&mut tx.conn(), c => sqlx::query(change).bind(number).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
    }
    let rest = to_bytes(download, usize::MAX).await.unwrap();
    let file = [begun.into_data().unwrap(), rest].concat();
    let written = csv::Reader::from_reader(file.as_slice()).into_records().map(|row| row.unwrap()[0].to_owned());
    assert_eq!(written.collect::<Vec<_>>(), numbers);
}

async fn the_page_offers_what_may_be_done(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 3)]).await;
    let line = desk.line(&number, PIPE_TOOL).await;
    let href = format!("/admin/orders/{number}");
    let order = async |who: &str| desk.props(who, &href).await["order"].clone();
    let seen = order(&desk.staff).await;
    let acts = |order: &Value| -> Vec<String> {
        let offered = order["acts"].as_object().unwrap().iter().filter(|(_, may)| **may == json!(true));
        let mut offered: Vec<String> = offered.map(|(act, _)| act.clone()).collect();
        offered.sort();
        offered
    };
    assert_eq!(acts(&seen), ["change_address", "decide_return", "deliver", "note", "ship"]);
    assert_eq!(
        acts(&order(&desk.admin).await),
        ["cancel", "change_address", "confirm_rules", "decide_return", "deliver", "note", "refund", "ship"]
    );
    // The displayed shares are the amounts that are refunded.
    assert_eq!(seen["lines"][0]["shares"], json!([648, 1296, 1944]));
    let refund = json!({
        "request_id": uuid::Uuid::now_v7(), "lines": [{ "line_id": line, "quantity": 2 }], "expected_amount": 1296,
    });
    desk.act(&desk.admin, &number, "refunds", refund).await.assert_status(200);
    desk.act(&desk.staff, &number, "shipment", parcel(&[(line, 3)])).await.assert_status(204);
    desk.act(&desk.staff, &number, "notes", json!({ "text": "Fragile" })).await.assert_status(204);
    let seen = order(&desk.staff).await;
    assert_eq!((&seen["lines"][0]["shares"], &seen["lines"][0]["open"]), (&json!([648]), &json!(0)));
    assert_eq!(acts(&seen), ["archive", "decide_return", "deliver", "note", "request_return"]);
    let note = &seen["timeline"][0];
    assert_eq!(
        (&note["text"], &note["note"], &note["who"]),
        (&json!("Note"), &json!("Fragile"), &json!("Test packer"))
    );
    assert_eq!(seen["timeline"][1]["text"], "Shipped with UPS Ground, 1Z999: 3 × TWT-SIN");
    let facts = &seen["compliance"];
    assert_eq!((&facts["age_proved_on"], &facts["age_method"]), (&json!("2026-11-21"), &json!("declared")));
    assert_eq!(facts["rules"][0]["class"], "smoking_accessory");
    let placed = desk.bench.id("SELECT id FROM orders ORDER BY created_at LIMIT 1").await;
    assert!(!seen.to_string().contains(&order_links::token(&desk.bench.shop.app.config, placed)));
    desk.bench.shop.call("GET", "/admin/orders/NONE-SUCH", &desk.staff, Value::Null).await.assert_status(404);
    for sheet in ["packing-slip", "invoice"] {
        let page = desk.bench.shop.call("GET", &format!("{href}/{sheet}"), &desk.staff, Value::Null).await;
        assert!(page.assert_status(200).root().contains(&number), "{sheet}");
    }
}

async fn the_page_tells_when_the_age_was_declared(shop: TestShop) {
    let mut desk = Desk::open(&shop).await;
    let buy = async |desk: &Desk, cookies: &str| {
        let body = desk.bench.order(PIPE_TOOL, 1).await;
        let placed = desk.bench.pay_as(cookies, &body).await.assert_status(200).json();
        placed["number"].as_str().unwrap().to_owned()
    };
    // A guest passes the gate at noon and buys after midnight.
    let gate = desk.bench.shop.age_cookie();
    desk.bench.shop.clock.advance(13 * HOUR_MS);
    desk.sign_in().await;
    let number = buy(&desk, &gate).await;
    assert_eq!(desk.facts(&number).await["age_proved_on"], "2026-11-21");
    // A customer whose account has a proof buys a month later.
    let buyer = desk.bench.shop.sign_in("regular", &["customer"]).await;
    let proof = json!({ "birth_date": "1980-05-17", "user_id": "regular" });
    desk.bench.shop.call("POST", "/api/verify-age", &buyer, proof).await.assert_status(200);
    desk.bench.shop.clock.advance(30 * 24 * HOUR_MS);
    desk.sign_in().await;
    let buyer = desk.bench.shop.sign_in("regular", &["customer"]).await;
    let number = buy(&desk, &buyer).await;
    assert_eq!(desk.facts(&number).await["age_proved_on"], "2026-11-22");
}

async fn an_id_is_checked_with_money_or_goods(shop: TestShop) {
    let mut desk = Desk::open(&shop).await;
    let order = json!({
        "checkout_id": Uuid::now_v7(), "click_id": Uuid::now_v7(), "lines": [{ "sku": PIPE_TOOL, "quantity": 1 }],
        "email": "walk-in@shop.example", "first_name": "Bo", "last_name": "Lind", "expected_total": 648,
    });
    let made = desk.bench.shop.call("POST", "/api/admin/orders", &desk.admin, order).await.assert_status(200).json();
    let number = made["number"].as_str().unwrap();
    let facts = desk.facts(number).await;
    assert_eq!(
        (&facts["age_method"], &facts["age_proved_on"], &facts["id_checked_on"]),
        (&json!("id_at_pickup"), &Value::Null, &Value::Null)
    );
    let cash = json!({ "tender": "cash", "id_checked": true });
    desk.act(&desk.staff, number, "payment", cash.clone()).await.assert_status(204);
    assert_eq!(desk.facts(number).await["id_checked_on"], "2026-11-21");
    desk.act(&desk.admin, number, "payment/undo", json!({})).await.assert_status(204);
    assert_eq!(desk.facts(number).await["id_checked_on"], Value::Null);
    desk.act(&desk.staff, number, "payment", cash).await.assert_status(204);

    desk.bench.shop.clock.advance(24 * HOUR_MS);
    desk.sign_in().await;
    desk.act(&desk.staff, number, "handover", json!({ "id_checked": true })).await.assert_status(204);
    assert_eq!(desk.facts(number).await["id_checked_on"], "2026-11-22");
    let undo = format!("fulfillments/{}/undo", desk.fulfillment(number).await);
    desk.act(&desk.staff, number, &undo, json!({})).await.assert_status(204);
    assert_eq!(desk.facts(number).await["id_checked_on"], "2026-11-21", "the money was taken");
}

/// Copies of an order with other ids, times and totals, and their search terms.
async fn multiply(desk: &Desk, number: &str, times: usize) {
    let (id, hex) = match desk.bench.shop.database {
        Database::Sqlite => ("randomblob(16)", "hex(randomblob(6))"),
        Database::Postgres => ("gen_random_uuid()", "md5(random()::text || i)"),
    };
    let copy = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {times})
         INSERT INTO orders (id, number, token, checkout_id, email, phone, status, payment_status, fulfillment_status,
         currency, subtotal, discount_total, shipping_total, tax_total, total, shipping_method, shipping_name, picked_up,
         address, adult_signature, compliance, age_proof, version, created_at, updated_at, placed_at)
         SELECT {id}, {hex}, {hex}, {id}, 'b' || i || '@shop.example', '',
         CASE WHEN i % 50 = 0 THEN 'canceled' ELSE 'placed' END, CASE WHEN i % 1000 = 0 THEN 'failed' ELSE 'paid' END,
         CASE WHEN i % 10 = 0 THEN 'unfulfilled' ELSE 'delivered' END, currency, subtotal, discount_total, shipping_total,
         tax_total, total, shipping_method, shipping_name, picked_up, address, adult_signature, compliance, age_proof, 0,
         created_at - i * 1000, updated_at, placed_at - i * 1000 FROM orders, n WHERE number = $1"
    );
    let words = "INSERT INTO search_terms (kind, term, subject_id) SELECT 'order', w.term, o.id FROM orders o,
         (SELECT 'ada' AS term UNION ALL SELECT 'reed' UNION ALL SELECT 'twt') w WHERE o.number <> $1";
    let mut tx = desk.bench.shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    for statement in [copy, words.to_owned()] {
        let statement = sqlx::AssertSqlSafe(statement);
        shop_base::sql!(&mut conn, c => sqlx::query(statement).bind(number).execute(c).await.map(drop)).unwrap();
    }
    tx.commit().await.unwrap();
}

/// The query plan of each view of the list: an index gives the order, nothing is sorted.
async fn every_sort_and_filter_has_its_index(OnSqlite(shop): OnSqlite) {
    let listed = "(o.placed_at IS NOT NULL OR o.attention IS NOT NULL)";
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    for (condition, order, index) in [
        ("1 = 1", "o.created_at DESC, o.id DESC", "orders_listed_idx"),
        ("1 = 1", "o.total DESC, o.id DESC", "orders_total_idx"),
        ("1 = 1", "o.email, o.id", "orders_email_idx"),
        ("o.payment_status IN ('failed')", "o.created_at DESC, o.id DESC", "orders_payment_status_idx"),
        ("o.fulfillment_status IN ('unfulfilled')", "o.created_at DESC, o.id DESC", "orders_fulfillment_status_idx"),
        ("o.status IN ('canceled')", "o.created_at DESC, o.id DESC", "orders_status_idx"),
    ] {
        let sql = format!(
            "EXPLAIN QUERY PLAN SELECT o.number FROM orders o WHERE {listed} AND ({condition}) ORDER BY {order} LIMIT 51"
        );
        let sql = sqlx::AssertSqlSafe(sql);
        let plan: Vec<(i64, i64, i64, String)> =
            shop_base::sql!(&mut conn, c => sqlx::query_as(sql).fetch_all(c).await).unwrap();
        let plan: Vec<String> = plan.into_iter().map(|step| step.3).collect();
        assert!(plan.iter().any(|step| step.contains(index)), "{condition}, {order}: {plan:?}");
        assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{condition}, {order}: {plan:?}");
    }
    // Only orders with refunds are read.
    let query = ListQuery::parse(&SPEC, "all_refunded=yes");
    let filter = filter(&mut conn, &query, &TimeZone::UTC).await.unwrap();
    let select = "EXPLAIN QUERY PLAN SELECT o.number FROM orders o";
    let page = list::page(select, &filter, &query.order(), &query.window, ROWS);
    let plan = shop_base::fetch_all!(&mut conn, (i64, i64, i64, String), page).unwrap();
    assert!(!plan.iter().any(|step| step.3.starts_with("SCAN o")), "{plan:?}");
}

/// A typed phone number is looked for by its words or by its digits, and neither reads all orders.
async fn a_phone_number_is_looked_up_on_postgres(OnPostgres(shop): OnPostgres) {
    let desk = Desk::open(&shop).await;
    let other = desk.paid(&[(PIPE_TOOL, 1)]).await;
    multiply(&desk, &other, 20_000).await;
    let called = desk.placed(&[(PIPE_TOOL, 1)], |body| body["phone"] = json!("(614) 555-0142")).await;
    desk.bench.execute("ANALYZE orders, search_terms").await;
    let mut reader = desk.bench.shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    for typed in ["614-555-0142", "6145550142", "614-555-0142+twt"] {
        let query = ListQuery::parse(&SPEC, &format!("q={typed}"));
        let filter = filter(&mut conn, &query, &TimeZone::UTC).await.unwrap();
        let counted = list::statement("EXPLAIN SELECT 1 FROM orders o", &filter, " LIMIT 10000");
        let select = "EXPLAIN SELECT o.number FROM orders o";
        let shown = list::page(select, &filter.first_of(1), &query.order(), &query.window, ROWS);
        for statement in [counted, shown] {
            let plan = shop_base::fetch_all!(&mut conn, (String,), statement).unwrap();
            let plan: Vec<String> = plan.into_iter().map(|(step,)| step).collect();
            let reads_all = |step: &String| step.contains("Seq Scan on orders") || step.contains("orders_listed_idx");
            assert!(plan.iter().any(|step| step.contains("orders_pkey")), "{typed}: {plan:#?}");
            assert!(!plan.iter().any(reads_all), "{typed}: {plan:#?}");
        }
    }
    drop(reader);
    assert_eq!(desk.listed("q=614-555-0142").await, [&*called]);
}

/// With any number of matches: above 20,000 the list is scanned in order, otherwise it is built from the matches.
async fn a_common_word_finds_what_a_rare_one_does(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
    multiply(&desk, &number, 20_999).await;
    let total = async |query: &str| {
        let props = desk.props(&desk.staff, &format!("/admin/orders?{query}")).await;
        props["list"]["total"].as_i64().unwrap()
    };
    assert_eq!(
        (total("").await, total("q=ada").await, total("q=ad").await),
        (10_000, 10_000, 10_000),
        "counted so far"
    );
    assert_eq!(total("q=ada+reed&fulfillment=unfulfilled").await, 2_100);
    assert_eq!(desk.listed(&format!("q=ada+{number}")).await, [&*number]);
    assert_eq!((total("q=ada+nobody").await, total("q=ada+b20999").await), (0, 0));
    // Across all pages, each order appears once.
    let (mut href, mut seen) =
        ("/admin/orders?q=ada&fulfillment=unfulfilled&sort=total".to_owned(), std::collections::BTreeSet::new());
    loop {
        let props = desk.props(&desk.staff, &href).await;
        for order in props["orders"].as_array().unwrap() {
            assert!(seen.insert(order["number"].as_str().unwrap().to_owned()), "{order} comes again");
        }
        let Some(next) = props["list"]["next"].as_str() else { break };
        href = next.to_owned();
    }
    assert_eq!(seen.len(), 2_100);
}
