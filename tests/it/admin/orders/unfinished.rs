//! Unfinished checkouts: listed with their reason, and linked to the order that followed, if any.

use serde_json::{Value, json};
use shop::registry::fill_search_terms;
use shop_demo::square::faults::{Fault, Operation, Rule};
use shop_platform::staff_search::model::Kind;

use super::Desk;
use crate::checkout::bench::{BUTANE, PIPE_TOOL};
use crate::support::{Database, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_refused_card_is_found_and_explained,
    what_was_finished_later_is_linked,
    each_end_has_its_reason,
    what_the_provider_refuses_the_shop_is_listed_as_failed,
    many_unfinished_checkouts_are_listed_by_an_index,
    guests_who_bought_are_listed_once,
];

const LIST: &str = "/admin/orders/unfinished";

impl Desk {
    async fn see(&self, href: &str) -> Value {
        let (path, query) = href.split_once('?').unwrap_or((href, ""));
        let path = format!("{path}/_payload.json?{query}");
        self.bench.shop.call("GET", &path, &self.staff, Value::Null).await.assert_status(200).json()["props"].clone()
    }

    async fn unfinished(&self, query: &str) -> Vec<String> {
        let page = self.see(&format!("{LIST}?{query}")).await;
        page["checkouts"].as_array().unwrap().iter().map(|row| row["number"].as_str().unwrap().to_owned()).collect()
    }

    /// A guest's click on Pay with this card, which fails.
    async fn declined(&self, source: &str, change: impl FnOnce(&mut Value)) -> Value {
        let mut body = self.bench.order(PIPE_TOOL, 2).await;
        body["source_id"] = json!(source);
        change(&mut body);
        self.bench.pay(&body).await.assert_status(402);
        body
    }
}

async fn a_refused_card_is_found_and_explained(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let body = desk
        .declined("cnon:card-nonce-rejected-cvv", |body| {
            body["email"] = json!("zoe.smith@mail.example");
            body["phone"] = json!("(614) 555-0142");
            body["address"]["last_name"] = json!("Ångström");
        })
        .await;
    desk.bench.shop.clock.advance(1_000);
    desk.declined("cnon:card-nonce-declined", |_| {}).await;
    let placed = desk.paid(&[(PIPE_TOOL, 1)]).await;

    let page = desk.see(&format!("{LIST}?q=zoe.smith@mail.example")).await;
    let row = &page["checkouts"][0];
    assert_eq!((page["list"]["total"].as_i64(), &row["customer"]), (Some(1), &json!("Ada Ångström")));
    assert_eq!((&row["phone"], &row["goods"]), (&json!("(614) 555-0142"), &json!("2 × Three-Way Pipe Tool")));
    assert_eq!((&row["why"], &row["payment"]), (&json!("The security code was wrong"), &json!("failed")));
    assert_eq!((&row["is_open"], &row["total"], &row["later"]), (&json!(true), &body["expected_total"], &Value::Null));
    let number = row["number"].as_str().unwrap().to_owned();
    for words in [number.as_str(), "angstrom", "614+555+0142", "zoe", "ada+twt"] {
        assert!(desk.unfinished(&format!("q={words}")).await.contains(&number), "{words}");
    }
    assert_eq!(desk.unfinished("").await.len(), 2);
    assert_eq!(desk.unfinished("payment=failed&state=open").await.len(), 2);
    assert_eq!(desk.unfinished("payment=voided").await.len(), 0);
    assert_eq!(desk.unfinished("state=over").await.len(), 0);
    assert_eq!(desk.unfinished("started_from=2026-11-21&started_to=2026-11-21").await.len(), 2);
    assert!(desk.unfinished(&format!("q={placed}")).await.is_empty(), "an order is finished");
    // Saved views from the time when these were states of orders.
    for (old, new) in [("status=draft", "state=open"), ("payment=failed", "payment=failed")] {
        let answer = desk.bench.shop.call("GET", &format!("/admin/orders?{old}"), &desk.staff, Value::Null).await;
        assert_eq!(answer.assert_status(303).header("location"), format!("{LIST}?{new}"));
    }
    // All staff can see them, and nobody else.
    let customer = desk.bench.shop.sign_in("just-a-customer", &["customer"]).await;
    desk.bench.shop.call("GET", LIST, &customer, Value::Null).await.assert_status(403);

    let order = desk.see(&format!("/admin/orders/{number}")).await["order"].clone();
    let story = &order["unfinished"];
    assert_eq!((&story["started"], &story["is_open"]), (&json!("2026-11-21T12:00:00"), &json!(true)));
    let obstacle = &story["obstacles"][0];
    assert_eq!((&obstacle["why"], &obstacle["code"]), (&row["why"], &json!("CVV_FAILURE")));
    assert!(obstacle["means"].as_str().unwrap().contains("do not belong to the card number"));
    let again = desk.bench.pay(&body).await;
    let detail = again.assert_status(402).json()["detail"].as_str().unwrap().to_owned();
    assert_eq!(obstacle["buyer_saw"], json!(format!("The customer read: “{detail}”")), "word for word");
    let html = desk.bench.shop.call("GET", &format!("/admin/orders/{number}"), &desk.staff, Value::Null).await;
    assert!(html.text().contains("Unfinished checkout") && !html.text().contains("Packing slip"));
    let found = desk.bench.shop.call("GET", "/api/admin/search?q=zoe", &desk.staff, Value::Null).await.json();
    assert_eq!((found["checkouts"][0]["label"].as_str(), &found["orders"]), (Some(&*number), &json!([])));

    // Rows that are older than the search terms get them.
    desk.bench.execute("DELETE FROM search_terms").await;
    fill_search_terms(&desk.bench.shop.app, Kind::Order).await.unwrap();
    assert_eq!(desk.unfinished("q=zoe").await, [&*number]);
}

async fn what_was_finished_later_is_linked(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let mut body = desk.declined("cnon:card-nonce-declined", |body| body["email"] = json!("Ada@Mail.example")).await;
    let number = desk.unfinished("").await.remove(0);
    desk.bench.shop.clock.advance(60_000);
    // Other goods, or the same goods for another buyer, do not count as the later order.
    desk.placed(&[(BUTANE, 1)], |body| body["email"] = json!("ada@mail.example")).await;
    desk.placed(&[(PIPE_TOOL, 1)], |_| {}).await;
    // Nor does one that was canceled.
    let canceled = desk.placed(&[(PIPE_TOOL, 1)], |body| body["email"] = json!("ada@mail.example")).await;
    let cancellation = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &canceled, "cancellation", cancellation).await.assert_status(204);
    assert_eq!(desk.see(LIST).await["checkouts"][0]["later"], Value::Null);
    let later = desk.placed(&[(PIPE_TOOL, 1)], |body| body["email"] = json!("ada@mail.example")).await;
    assert_eq!(desk.see(LIST).await["checkouts"][0]["later"], json!(later));
    let order = desk.see(&format!("/admin/orders/{number}")).await["order"].clone();
    assert_eq!(order["unfinished"]["later"], json!({ "number": later, "placed": "2026-11-21T12:01:00" }));
    // A second card in the same checkout turns it into an order.
    body["click_id"] = json!(uuid::Uuid::now_v7());
    body["source_id"] = json!("cnon:card-nonce-ok");
    let placed = desk.bench.pay(&body).await.assert_status(200).json();
    assert_eq!((placed["number"].as_str(), desk.unfinished("").await.len()), (Some(&*number), 0));
    let order = desk.see(&format!("/admin/orders/{number}")).await["order"].clone();
    assert_eq!(order["unfinished"], Value::Null);
}

async fn what_the_provider_refuses_the_shop_is_listed_as_failed(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    desk.bench.stand_in.faults.add(Rule::once(Operation::CreatePayment, Fault::Unauthorized));
    let mut body = desk.declined("cnon:card-nonce-ok", |_| {}).await;
    assert_eq!(desk.unfinished("payment=failed").await.len(), 1);
    body["click_id"] = json!(uuid::Uuid::now_v7());
    body["source_id"] = json!("cnon:card-nonce-declined");
    desk.bench.pay(&body).await.assert_status(402);
    assert_eq!(desk.unfinished("payment=failed").await.len(), 1);
    assert!(desk.unfinished("payment=voided").await.is_empty());
}

async fn each_end_has_its_reason(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    desk.declined("cnon:card-nonce-declined", |_| {}).await;
    let number = desk.unfinished("").await.remove(0);
    let why = async || {
        let order = desk.see(&format!("/admin/orders/{number}")).await["order"].clone();
        let first = order["unfinished"]["obstacles"][0].clone();
        assert_eq!(desk.see(LIST).await["checkouts"][0]["why"], first["why"], "the list says the same");
        (first["why"].as_str().unwrap().to_owned(), first["buyer_saw"].as_str().unwrap().to_owned())
    };
    let (bank, told) = why().await;
    assert_eq!(bank, "The bank declined the card and gave no reason");
    assert!(told.contains("“Your bank declined this card."), "{told}");
    for (state, expected, is_told) in [
        (
            "UPDATE payment_attempts SET status = 'unknown', decline_code = NULL",
            "The card provider’s answer was lost",
            false,
        ),
        ("UPDATE payment_attempts SET status = 'voided'", "The payment did not get through", true),
        (
            "UPDATE orders SET status = 'canceled', cancel_reason = 'stock_lost' WHERE placed_at IS NULL",
            "The items sold out in the meantime",
            true,
        ),
        ("DELETE FROM payment_attempts", "No payment was tried", false),
        ("UPDATE orders SET picked_up = TRUE", "The link in the confirmation email was not followed", false),
    ] {
        desk.bench.execute(state).await;
        let (why, told) = why().await;
        assert_eq!((why.as_str(), told.contains('“')), (expected, is_told), "{state}");
    }
    assert_eq!(desk.unfinished("state=over").await, [&*number]);
}

/// The list scans an index in order: however many there are, a page reads only what it shows.
async fn many_unfinished_checkouts_are_listed_by_an_index(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    desk.declined("cnon:card-nonce-declined", |_| {}).await;
    let (id, hex) = match desk.bench.shop.database {
        Database::Sqlite => ("randomblob(16)", "hex(randomblob(6))"),
        Database::Postgres => ("gen_random_uuid()", "md5(random()::text || i)"),
    };
    let copy = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
         INSERT INTO orders (id, number, token, checkout_id, email, phone, status, payment_status, fulfillment_status,
         currency, subtotal, discount_total, shipping_total, tax_total, total, shipping_method, shipping_name, picked_up,
         address, adult_signature, compliance, age_proof, version, created_at, updated_at)
         SELECT {id}, {hex}, {hex}, {id}, 'b' || i || '@shop.example', '', 'canceled',
         CASE WHEN i % 1000 = 0 THEN 'voided' ELSE 'failed' END, 'canceled', currency, subtotal, discount_total,
         shipping_total, tax_total, total, shipping_method, shipping_name, picked_up, address, adult_signature, compliance,
         age_proof, 0, created_at - i * 1000, updated_at FROM orders, n"
    );
    let mut tx = desk.bench.shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let copy = sqlx::AssertSqlSafe(copy);
    shop_base::sql!(&mut conn, c => sqlx::query(copy).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    assert_eq!(desk.unfinished("payment=voided").await.len(), 3);
    // Across all pages, each checkout appears once.
    let (mut href, mut seen) = (LIST.to_owned(), std::collections::BTreeSet::new());
    loop {
        let page = desk.see(&href).await;
        assert_eq!(page["list"]["total"], json!(3_001));
        for row in page["checkouts"].as_array().unwrap() {
            assert!(seen.insert(row["number"].as_str().unwrap().to_owned()), "{row} comes again");
        }
        let Some(next) = page["list"]["next"].as_str() else { break };
        href = next.to_owned();
    }
    assert_eq!(seen.len(), 3_001);
    if desk.bench.shop.database == Database::Sqlite {
        let mut reader = desk.bench.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        for condition in ["1 = 1", "o.payment_status IN ('voided')", "o.status <> 'draft'"] {
            let sql = sqlx::AssertSqlSafe(format!(
                "EXPLAIN QUERY PLAN SELECT o.number FROM orders o WHERE (COALESCE(o.placed_at, 0) = 0) AND ({condition})
                 ORDER BY o.created_at DESC, o.id DESC LIMIT 51"
            ));
            let plan: Vec<(i64, i64, i64, String)> =
                shop_base::sql!(&mut conn, c => sqlx::query_as(sql).fetch_all(c).await).unwrap();
            let plan: Vec<String> = plan.into_iter().map(|step| step.3).collect();
            assert!(plan.iter().any(|step| step.contains("orders_unfinished_idx")), "{condition}: {plan:?}");
            assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{condition}: {plan:?}");
        }
    }
}

async fn guests_who_bought_are_listed_once(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    for typed in ["Zoe@Mail.example", "zoe@mail.example"] {
        desk.placed(&[(PIPE_TOOL, 1)], |body| body["email"] = json!(typed)).await;
        desk.bench.shop.clock.advance(60_000);
    }
    let first = desk.text("SELECT number FROM orders WHERE email = $1", "Zoe@Mail.example").await;
    desk.bench.work().await;
    desk.declined("cnon:card-nonce-declined", |body| body["email"] = json!("nobody@mail.example")).await;
    let known = desk.bench.order(BUTANE, 1).await;
    desk.bench.pay_known(&known).await.assert_status(200);
    let page = desk.see("/admin/users/guests").await;
    let guests = page["guests"].as_array().unwrap();
    assert_eq!((guests.len(), page["list"]["total"].as_i64()), (1, Some(1)), "{guests:?}");
    assert_eq!((&guests[0]["email"], &guests[0]["orders"]), (&json!("zoe@mail.example"), &json!(2)));
    assert_eq!((&guests[0]["name"], &guests[0]["last"]), (&json!("Ada Reed"), &json!("2026-11-21T12:01:00")));
    let spent = desk.figure("SELECT total FROM orders WHERE number = $1", guests[0]["last_number"].as_str().unwrap());
    assert_eq!(guests[0]["spent"], json!(2 * spent.await));
    for (words, count) in
        [("zoe", 1), ("reed", 1), ("reed%20zoe", 1), ("reed%20nobody", 0), (first.as_str(), 1), ("nobody", 0)]
    {
        let found = desk.see(&format!("/admin/users/guests?q={words}")).await;
        assert_eq!(found["guests"].as_array().unwrap().len(), count, "{words}");
    }
    // Begun on the eve, placed after midnight.
    desk.bench
        .execute("UPDATE orders SET created_at = created_at - 86400000 WHERE lower(email) = 'zoe@mail.example'")
        .await;
    for (days, count) in [("last_from=2026-11-21", 1), ("last_to=2026-11-20", 0)] {
        let found = desk.see(&format!("/admin/users/guests?{days}")).await["guests"].clone();
        assert_eq!(found.as_array().unwrap().len(), count, "{days}");
        assert!(found.as_array().unwrap().iter().all(|guest| guest["last"] == "2026-11-21T12:01:00"), "{found}");
    }

    let whole = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, guests[0]["last_number"].as_str().unwrap(), "cancellation", whole).await.assert_status(204);
    desk.settle().await;
    let left = desk.see("/admin/users/guests").await["guests"][0].clone();
    assert_eq!((&left["orders"], &left["spent"]), (&json!(1), &json!(guests[0]["spent"].as_i64().unwrap() / 2)));
}
