//! Every table has a retention period or is explicitly kept forever, and what is over goes.

pub mod erasure;

use std::collections::BTreeSet;

use serde_json::json;
use shop_base::clock::Clock;
use shop_base::db::{Conn, Db};
use shop_domain::retention::model::{Kept, TABLES, handbook};
use shop_domain::retention::personal;
use shop_domain::retention::personal::End;
use shop_domain::retention::service::clean;
use shop_platform::jobs::service::{add_recurring, tend};
use shop_platform::jobs::worker::run_due;
use uuid::Uuid;

use crate::admin::orders::Desk;
use crate::checkout::bench::PIPE_TOOL;
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    every_table_is_kept_for_ever_by_name_or_has_an_end,
    every_column_with_personal_data_has_a_purpose_and_an_end,
    the_privacy_policy_tells_what_is_stored_of_shoppers,
    what_is_over_goes_and_the_rest_stays,
    what_cannot_be_deleted_holds_up_nothing_else,
    what_a_clock_that_is_ahead_would_delete_stays,
    orders_that_nobody_paid_go_and_paid_ones_stay,
];

const DAY: i64 = 24 * 3_600_000;

/// Table and column names of the whole database.
async fn columns(db: &Db) -> Vec<(String, String)> {
    let mut reader = db.read().await.unwrap();
    match reader.conn() {
        Conn::Sqlite(mut conn) => sqlx::query_as(
            "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE '\\_sqlx%' ESCAPE '\\'",
        )
        .fetch_all(&mut *conn)
        .await
        .unwrap(),
        Conn::Postgres(mut conn) => sqlx::query_as(
            "SELECT table_name::text, column_name::text FROM information_schema.columns
             WHERE table_schema = 'public' AND table_name NOT LIKE '\\_sqlx%'",
        )
        .fetch_all(conn.unlimited())
        .await
        .unwrap(),
    }
}

async fn every_table_is_kept_for_ever_by_name_or_has_an_end(shop: TestShop) {
    let there: BTreeSet<String> = columns(&shop.app.db).await.into_iter().map(|(table, _)| table).collect();
    let listed: BTreeSet<String> = TABLES.iter().map(|(table, _)| (*table).to_owned()).collect();
    let unknown: Vec<_> = there.difference(&listed).collect();
    assert!(unknown.is_empty(), "say in server/domain/retention/model.rs how long these are kept: {unknown:?}");
    assert_eq!(listed, there, "a table is listed that is not there");
    for (table, kept) in TABLES {
        match kept {
            Kept::With(other) => assert!(there.contains(*other), "{table} goes with {other}, which is not there"),
            Kept::Until(rules) => assert!(!rules.is_empty(), "{table}"),
            Kept::ForEver(why) | Kept::UntilNoun(_, why) | Kept::UntilEvent(why) => {
                assert!(!why.is_empty(), "{table}");
            }
        }
    }
    assert!(TABLES.is_sorted_by_key(|(table, _)| table), "in the order of the alphabet");
    let text = include_str!("../../docs/OPERATIONS.md");
    assert!(text.contains(&handbook()), "put this into docs/OPERATIONS.md:\n\n{}", handbook());
    clean(&shop.app).await.unwrap();
}

/// Parts of names of columns that tell of a person.
const HINTS: [&str; 20] = [
    "_by",
    "actor",
    "address",
    "birth",
    "block_reason",
    "card_",
    "city",
    "consignee",
    "customer",
    "device",
    "email",
    "first_name",
    "last_name",
    "line1",
    "network",
    "phone",
    "street",
    "tracking",
    "user_id",
    "who",
];

/// Columns that are named so and tell of nobody.
const HARMLESS: [&str; 2] = ["promo_codes.once_per_customer", "users.email_verified"];

/// The listed columns, as `table.column`.
fn personal_columns() -> BTreeSet<String> {
    let columns = personal::COLUMNS.iter();
    columns.flat_map(|each| each.columns.iter().map(|column| format!("{}.{column}", each.table))).collect()
}

async fn every_column_with_personal_data_has_a_purpose_and_an_end(shop: TestShop) {
    let there: BTreeSet<String> =
        columns(&shop.app.db).await.into_iter().map(|(table, column)| format!("{table}.{column}")).collect();
    let listed = personal_columns();
    let gone: Vec<_> = listed.difference(&there).collect();
    assert!(gone.is_empty(), "columns are listed that are not there: {gone:?}");
    let is_hinted = |place: &&String| {
        let column = place.split_once('.').map_or("", |(_, column)| column);
        HINTS.iter().any(|hint| column.contains(hint))
            && !listed.contains(*place)
            && !HARMLESS.contains(&place.as_str())
    };
    let unknown: Vec<_> = there.iter().filter(is_hinted).collect();
    assert!(unknown.is_empty(), "say in server/domain/retention/personal.rs what these are for: {unknown:?}");
    for each in personal::COLUMNS {
        let kept = TABLES.iter().find(|(table, _)| *table == each.table).map(|(_, kept)| kept);
        let ends = !matches!(kept, Some(Kept::ForEver(_)));
        assert!(each.end != End::Row || ends, "{} is kept forever", each.table);
        assert!(!each.owner.is_empty() && !each.purpose.is_empty(), "{}", each.table);
    }
    assert!(personal::COLUMNS.is_sorted_by_key(|each| each.table), "in the order of the alphabet");
    let text = include_str!("../../docs/OPERATIONS.md");
    assert!(text.contains(&personal::handbook()), "put this into docs/OPERATIONS.md:\n\n{}", personal::handbook());
}

/// Tables whose personal data is of staff alone.
const OF_STAFF: [&str; 5] =
    ["legal_versions", "product_import_progress", "product_imports", "saved_views", "stock_movements"];

/// Where the privacy policy tells of a table with data of shoppers.
const TOLD: [(&str, &str); 27] = [
    ("activity_events", "Activity events: 90 days"),
    ("addresses", "saved addresses"),
    ("age_proofs", "we note that the age check was passed and when"),
    ("audit_entries", "Changes by our staff are logged"),
    ("carts", "your cart, so that it follows you"),
    ("delivery_records", "we keep a <strong>delivery record:</strong> the recipient’s name, company and address"),
    ("dispatches", "Other programs that we run the shop with"),
    ("draft_orders", "the draft of the order that our staff prepare for you"),
    ("erased_subjects", "A mark of the deleted account"),
    ("fulfillments", "the tracking number of a package"),
    ("jobs", "Emails that we send"),
    ("open_pickups", "email address and network until a day after the order is settled"),
    ("order_history", "What happens to the order"),
    ("orders", "email address, phone number and address"),
    ("payment_attempts", "With every try to pay by card we store the network"),
    ("pickup_links", "or the email was written"),
    ("promo_redemptions", "the promo code that you used"),
    ("refunds", "the reason of a refund"),
    ("returns", "the reason of a return"),
    ("search_terms", "the index by which our staff find them"),
    ("sessions", "For each sign-in we store the kind of browser and device"),
    ("user_devices", "the kinds of devices that you have signed in with"),
    ("users", "your profile (name, email address, phone number)"),
    ("visit_confirmations", COUNTED_ONCE),
    ("visit_names", COUNTED_ONCE),
    ("visit_users", COUNTED_ONCE),
    ("visits", COUNTED_ONCE),
];
const COUNTED_ONCE: &str = "to count a visitor once is deleted after three days";

/// What the privacy policy calls the columns that stay when an account is deleted.
const STAYS: [(&str, &str); 5] = [
    ("fulfillments.tracking_number", TRACKING),
    ("fulfillments.tracking_url", TRACKING),
    ("orders.age_proof", "the note about the age check"),
    ("payment_attempts.card_brand", CARD),
    ("payment_attempts.card_last_4", CARD),
];
const TRACKING: &str = "the tracking number of a package";
const CARD: &str = "the card’s brand and last four digits";

async fn the_privacy_policy_tells_what_is_stored_of_shoppers(shop: TestShop) {
    let answer = shop.get_verified("/content/legal/privacy-policy").await;
    let policy = answer.assert_status(200).envelope()["props"]["html"].as_str().unwrap().to_owned();
    for each in personal::COLUMNS.iter().filter(|each| !OF_STAFF.contains(&each.table)) {
        let told = TOLD.iter().find(|(table, _)| *table == each.table);
        let (_, words) = told.unwrap_or_else(|| panic!("say in the privacy policy what {} is for", each.table));
        assert!(policy.contains(words), "{}: {words}", each.table);
    }
    let (_, after_deletion) = policy.split_once("If you delete your account, its orders").unwrap();
    let (after_deletion, _) = after_deletion.split_once("</p>").unwrap();
    for each in personal::COLUMNS.iter().filter(|each| each.end == End::Books) {
        for column in each.columns {
            let place = format!("{}.{column}", each.table);
            let words = STAYS.iter().find(|(stays, _)| *stays == place).map(|(_, words)| *words);
            let words = words.unwrap_or_else(|| panic!("say in the privacy policy that {place} stays"));
            assert!(after_deletion.contains(words), "{place}: {after_deletion}");
        }
    }
    let kept = "Delivery records, with name and address: until the end of the fourth full calendar year";
    assert!(policy.contains(kept));
    for never_asked in ["billing address", "any note you add"] {
        assert!(!policy.contains(never_asked), "{never_asked}");
    }
}

async fn what_is_over_goes_and_the_rest_stays(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let bench = &desk.bench;
    let app = &bench.shop.app;
    desk.paid(&[(PIPE_TOOL, 1)]).await;
    bench.execute("DELETE FROM jobs").await;
    bench.execute("DELETE FROM webhook_events").await;
    let now = bench.shop.clock.now_ms();
    let rows = [
        // Name, days since it was received or died, days since it was processed.
        ("old", 91, Some(31)),
        ("never understood", 31, None),
        ("looked into", 91, Some(29)),
        ("new", 29, None),
    ];
    let mut tx = app.db.begin().await.unwrap();
    for (name, received, processed) in rows {
        shop_base::sql!(&mut tx.conn(), c => sqlx::query("INSERT INTO webhook_events (provider, event_id, kind, subject, body,
            received_at, processed_at) VALUES ('square', $1, 'k', '', '{}', $2, $3)").bind(name).bind(now - received * DAY)
            .bind(processed.map(|days: i64| now - days * DAY)).execute(c).await.map(drop)).unwrap();
        shop_base::sql!(&mut tx.conn(), c => sqlx::query("INSERT INTO jobs (id, name, payload, run_at, attempts, leased_until,
            lease, dead_at, created_at) VALUES ($1, 'x', $2, 0, 9, 0, '', $3, 0)").bind(Uuid::now_v7()).bind(name)
            .bind(now - received * DAY).execute(c).await.map(drop)).unwrap();
    }
    shop_base::sql!(&mut tx.conn(), c => sqlx::query("INSERT INTO jobs (id, name, payload, run_at, attempts, leased_until, lease,
        created_at) VALUES ($1, 'x', 'alive', 0, 9, 0, '', 0)").bind(Uuid::now_v7()).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    bench.execute("UPDATE stock_reservations SET state = 'sold', expires_at = 0").await;
    clean(app).await.unwrap();
    let mut reader = app.db.read().await.unwrap();
    let events: Vec<String> = shop_base::sql!(&mut reader.conn(), c =>
        sqlx::query_scalar("SELECT event_id FROM webhook_events ORDER BY 1").fetch_all(c).await)
    .unwrap();
    assert_eq!(events, ["looked into", "new"]);
    let jobs: Vec<String> = shop_base::sql!(&mut reader.conn(), c =>
        sqlx::query_scalar("SELECT payload FROM jobs ORDER BY 1").fetch_all(c).await)
    .unwrap();
    assert_eq!(jobs, ["alive", "never understood", "new"]);
    drop(reader);
    let reservations = "SELECT COUNT(*) FROM stock_reservations";
    assert_eq!(bench.count(reservations).await, 1, "what was sold stays with its order");
    bench.execute("UPDATE stock_reservations SET state = 'released'").await;
    clean(app).await.unwrap();
    assert_eq!(bench.count(reservations).await, 0);
}

async fn count_sessions(shop: &TestShop) -> i64 {
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT COUNT(*) FROM sessions").fetch_one(c).await).unwrap()
}

async fn what_cannot_be_deleted_holds_up_nothing_else(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    drop(shop.sign_in("leaver", &["customer"]).await);
    let mut tx = shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut tx.conn(), c => sqlx::query("ALTER TABLE activity_events RENAME TO away").execute(c).await.map(drop))
        .unwrap();
    tx.commit().await.unwrap();
    shop.clock.advance(400 * DAY);
    assert_eq!(count_sessions(&shop).await, 1);
    assert!(clean(&shop.app).await.is_err(), "so that it is tried again, and staff are told");
    assert_eq!(count_sessions(&shop).await, 0);
}

/// As after a virtual machine was resumed with a wrong date.
async fn what_a_clock_that_is_ahead_would_delete_stays(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let work = async || while run_due(&shop.app.worker()).await.unwrap() > 0 {};
    add_recurring(&shop.app.worker()).await.unwrap();
    work().await;
    drop(shop.sign_in("sleeper", &["customer"]).await);
    shop.clock.advance(400 * DAY);
    work().await;
    shop.clock.advance(-400 * DAY);
    tend(&shop.app.worker()).await.unwrap();
    work().await;
    assert_eq!(count_sessions(&shop).await, 1);
    // A shop that was stopped for so long sees the same, and its clock is still the same a day later.
    shop.clock.advance(400 * DAY);
    work().await;
    assert_eq!(count_sessions(&shop).await, 1);
    shop.clock.advance(DAY);
    work().await;
    assert_eq!(count_sessions(&shop).await, 0);
}

async fn orders_that_nobody_paid_go_and_paid_ones_stay(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let bench = &desk.bench;
    let app = &bench.shop.app;
    desk.paid(&[(PIPE_TOOL, 1)]).await;
    let given_back = desk.paid(&[(PIPE_TOOL, 1)]).await;
    desk.act(&desk.admin, &given_back, "cancellation", json!({ "restock": true, "by_shopper": true }))
        .await
        .assert_status(204);
    desk.settle().await;
    // One that cost nothing has no payment, but counts as paid.
    bench.execute("UPDATE promo_codes SET value = 10000 WHERE code = 'WELCOME10'").await;
    let mut free = bench.pickup(PIPE_TOOL, 1).await;
    (free["promo_code"], free["expected_total"]) = (json!("WELCOME10"), json!(0));
    free["payment_method"] = json!("square");
    let free = bench.pay_known(&free).await.assert_status(200).json()["number"].as_str().unwrap().to_owned();
    desk.act(&desk.admin, &free, "cancellation", json!({ "restock": true, "by_shopper": true }))
        .await
        .assert_status(204);
    let mut declined = bench.order(PIPE_TOOL, 1).await;
    declined["source_id"] = json!("cnon:card-nonce-declined");
    bench.pay(&declined).await;
    bench.execute("UPDATE orders SET status = 'canceled' WHERE number <> '' AND placed_at IS NULL").await;
    bench.execute("UPDATE stock_reservations SET state = 'released' WHERE state = 'held'").await;
    let orders = "SELECT COUNT(*) FROM orders";
    let of_nobody =
        "SELECT COUNT(*) FROM payment_attempts a WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = a.order_id)";
    assert_eq!(bench.count(orders).await, 4);
    bench.shop.clock.advance(90 * DAY - 1);
    clean(app).await.unwrap();
    assert_eq!(bench.count(orders).await, 4, "for 90 days a buyer may ask why");
    bench.execute("UPDATE orders SET attention = 'look' WHERE placed_at IS NULL").await;
    bench.shop.clock.advance(DAY);
    clean(app).await.unwrap();
    assert_eq!(bench.count(orders).await, 4, "staff have not seen to it");
    bench.execute("UPDATE orders SET attention = NULL").await;
    clean(app).await.unwrap();
    assert_eq!((bench.count(orders).await, bench.count(of_nobody).await), (3, 0), "what was paid is in the books");
    let left = "SELECT COUNT(*) FROM orders WHERE placed_at IS NULL";
    assert_eq!(bench.count(left).await, 0);
}
