//! Activity events as browsers report them and as they are stored.

use std::net::SocketAddr;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, header};
use serde_json::{Value, json};
use shop::router::KNOWN_PAGES;
use shop_base::db::{Conn, Db};
use shop_base::ids::new_id;
use shop_domain::activity::model::{
    ActivityReport, ActivityType, CheckedEvent, DAY_MS, MOST_OF_ACCOUNT, Reporter, StoredEvent,
};
use shop_domain::activity::queue::{ActivityQueue, Most};
use shop_domain::activity::service::{Intake, MOST_SEARCHES, RETENTION_MS, record};
use shop_domain::retention::service::purge;
use tower::ServiceExt;
use uuid::Uuid;

use crate::database::behind_a_link;
use crate::support::{Answer, Database, NOON_MS, OnPostgres, Test, TestShop, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    an_event_is_kept_with_its_fields,
    a_batch_is_kept_in_one_go,
    a_beacon_may_come_as_plain_text,
    every_type_names_the_field_that_it_lacks,
    malformed_fields_are_named_and_nothing_is_kept,
    an_event_of_days_ago_is_left_out_and_no_other,
    absurd_bodies_are_problems,
    who_objects_leaves_no_trace,
    staff_at_work_are_no_visitors,
    addresses_are_cut,
    a_flood_is_refused_and_others_go_on,
    another_site_cannot_report,
    what_is_older_than_90_days_is_deleted,
    a_full_queue_drops_without_waiting,
    a_flush_writes_all_that_waits,
    events_that_come_twice_are_kept_once,
    a_batch_is_one_statement,
    an_account_has_so_many_events_and_no_more,
    guests_have_so_many_events_a_day_and_no_more,
    searches_of_a_report_let_others_go_on,
    what_finds_no_room_is_not_searched,
];

const PATH: &str = "/api/me/activity";
const SESSION: &str = "5f8f7c0e-3d4f-4a53-9a61-0d9a8b7c6d5e";

async fn an_event_is_kept_with_its_fields(shop: TestShop) {
    let shop = own(&shop).await;
    let event = json!({
        "type": "cart_action", "page": "/product/double-blade-cutter", "feature": "DBC-SIL", "action": "add",
        "timestamp": "2026-11-21T16:59:30.500Z", "session_id": SESSION, "color": "red", "user_id": Uuid::nil(),
    });
    let answer = shop.post_json(PATH, event.to_string()).await;
    assert_eq!(answer.assert_status(202).json(), json!({ "accepted": 1 }));
    let [row] = &rows(&shop).await[..] else { panic!("one row") };
    assert_eq!(row.kind, "cart_action");
    assert_eq!(row.page.as_deref(), Some("/product/double-blade-cutter"));
    assert_eq!((row.feature.as_deref(), row.action.as_deref()), (Some("DBC-SIL"), Some("add")));
    assert_eq!(row.session_id, Some(SESSION.parse().unwrap()));
    assert_eq!(row.user_id, None, "the server alone says who somebody is");
    assert_eq!((row.occurred_at, row.received_at), (NOON_MS - 29_500, NOON_MS));
    assert_eq!((row.network.as_str(), row.session_duration), ("127.0.0.0", None));
}

async fn a_batch_is_kept_in_one_go(shop: TestShop) {
    let shop = own(&shop).await;
    let events = json!({ "events": [
        { "type": "page_view", "page": "/" },
        { "type": "page_view", "page": "/category/pipes" },
        { "type": "page_view", "page": "/content/legal/privacy-policy" },
        { "type": "feature_usage", "feature": "filters" },
        { "type": "session_activity", "session_duration": 301 },
        { "type": "search", "action": "  pip " },
        { "type": "profile_view" },
    ] });
    assert_eq!(shop.post_json(PATH, events.to_string()).await.assert_status(202).json()["accepted"], 7);
    let rows = rows(&shop).await;
    let kinds: Vec<&str> = rows.iter().map(|row| row.kind.as_str()).collect();
    assert_eq!(
        kinds,
        ["page_view", "page_view", "page_view", "feature_usage", "session_activity", "search", "profile_view"]
    );
    assert_eq!((rows[4].session_duration, rows[5].action.as_deref()), (Some(301), Some("pip")));
    let many = |count| json!({ "events": vec![json!({ "type": "page_view", "page": "/" }); count] }).to_string();
    assert_eq!(shop.post_json(PATH, many(50)).await.assert_status(202).json()["accepted"], 50);
    let answer = shop.post_json(PATH, many(51)).await;
    assert!(answer.assert_problem(422, "invalid").json()["errors"]["events"].is_array());
    assert_eq!(shop.post_json(PATH, many(0)).await.assert_status(202).json()["accepted"], 0);
}

async fn a_beacon_may_come_as_plain_text(shop: TestShop) {
    let shop = own(&shop).await;
    let body = json!({ "events": [{ "type": "session_activity", "session_duration": 31 }] }).to_string();
    shop.post(PATH, "text/plain;charset=UTF-8", body.clone()).await.assert_status(202);
    assert_eq!(rows(&shop).await.len(), 1);
    for other in ["application/x-www-form-urlencoded", "multipart/form-data", ""] {
        shop.post(PATH, other, body.clone()).await.assert_problem(415, "unsupported_media_type");
    }
}

async fn every_type_names_the_field_that_it_lacks(shop: TestShop) {
    let shop = own(&shop).await;
    for (event, field) in [
        (json!({ "type": "page_view" }), "page"),
        (json!({ "type": "page_view", "page": "  " }), "page"),
        (json!({ "type": "feature_usage" }), "feature"),
        (json!({ "type": "session_activity" }), "session_duration"),
        (json!({ "type": "cart_action" }), "action"),
        (json!({ "type": "cart_action", "action": "steal" }), "action"),
        (json!({ "type": "search" }), "action"),
        (json!({ "type": "search", "action": " ab " }), "action"),
        (json!({ "page": "/" }), "."),
    ] {
        let answer = shop.post_json(PATH, event.to_string()).await;
        let errors = answer.assert_problem(422, "invalid").json()["errors"].clone();
        assert_eq!(errors.as_object().unwrap().keys().collect::<Vec<_>>(), [field], "{event}");
    }
    assert!(rows(&shop).await.is_empty());
}

async fn malformed_fields_are_named_and_nothing_is_kept(shop: TestShop) {
    let shop = own(&shop).await;
    let ok = json!({ "type": "page_view", "page": "/" });
    for (field, value) in [
        ("type", json!("purchase")),
        ("type", json!(3)),
        ("page", json!("/no/such/page")),
        ("page", json!("/products?q=secret")),
        ("page", json!("/cart#top")),
        ("page", json!("https://shop.example/")),
        ("page", json!(format!("/product/{}", "a".repeat(200)))),
        ("page", json!(["/"])),
        ("feature", json!("f".repeat(61))),
        ("feature", json!("a\u{0}b")),
        ("action", json!("a".repeat(201))),
        ("action", json!("a\u{7}b")),
        ("session_duration", json!(0)),
        ("session_duration", json!(-5)),
        ("session_duration", json!(86_401)),
        ("session_duration", json!(1.5)),
        ("timestamp", json!("yesterday")),
        ("timestamp", json!("2026-02-30T12:00:00Z")),
        ("timestamp", json!(NOON_MS)),
        ("session_id", json!("me")),
    ] {
        let mut bad = ok.clone();
        bad[field] = value.clone();
        let answer = shop.post_json(PATH, json!({ "events": [ok, bad] }).to_string()).await;
        let errors = answer.assert_problem(422, "invalid").json()["errors"].clone();
        let named = format!("events[1].{field}");
        assert!(errors.as_object().unwrap().contains_key(&named), "{field} = {value}: {errors}");
    }
    assert!(rows(&shop).await.is_empty(), "a report is kept whole or not at all");
    for timestamp in ["2026-11-20T17:00:00Z", "2026-11-22T17:00:00Z", "2026-11-21T12:00:00-05:00"] {
        let event = json!({ "type": "profile_view", "timestamp": timestamp });
        shop.post_json(PATH, event.to_string()).await.assert_status(202);
    }
    assert_eq!(rows(&shop).await.len(), 3);
}

async fn an_event_of_days_ago_is_left_out_and_no_other(shop: TestShop) {
    let shop = own(&shop).await;
    let at = |timestamp: &str| json!({ "type": "profile_view", "timestamp": timestamp, "session_id": SESSION });
    let events = [at("2026-11-19T17:00:00Z"), at("2026-11-21T16:59:00Z"), at("2028-11-21T17:00:00Z")];
    let answer = shop.post_json(PATH, json!({ "events": events }).to_string()).await;
    assert_eq!(answer.assert_status(202).json()["accepted"], 2);
    let times: Vec<i64> = rows(&shop).await.into_iter().map(|row| row.occurred_at).collect();
    assert_eq!(times, [NOON_MS - 60_000, NOON_MS], "by a clock that is ahead it is now");
    let answer = shop.post_json(PATH, at("2026-11-20T16:59:59Z").to_string()).await;
    assert_eq!(answer.assert_status(202).json()["accepted"], 0);
    assert_eq!(rows(&shop).await.len(), 2);
}

async fn absurd_bodies_are_problems(shop: TestShop) {
    let shop = own(&shop).await;
    for body in ["", "{", "\u{0}", "{} {}"] {
        shop.post_json(PATH, body).await.assert_status(400);
    }
    for body in
        ["[]", "3", "null", "{}", r#"{"events":3}"#, r#"{"events":[3]}"#, r#"{"events":[[]]}"#, r#"{"events":null}"#]
    {
        let answer = shop.post_json(PATH, body).await;
        assert!(matches!(answer.status.as_u16(), 400 | 422), "{body}: {}", answer.status);
    }
    let huge = json!({ "type": "search", "action": "a".repeat(100_000) });
    shop.post_json(PATH, huge.to_string()).await.assert_problem(413, "payload_too_large");
    assert!(rows(&shop).await.is_empty());
}

async fn who_objects_leaves_no_trace(shop: TestShop) {
    let shop = own(&shop).await;
    let event = json!({ "type": "page_view", "page": "/" }).to_string();
    for (name, value) in [("dnt", "1"), ("sec-gpc", "1")] {
        let request = Request::post(PATH)
            .header(header::CONTENT_TYPE, "application/json")
            .header(name, value)
            .body(Body::from(event.clone()))
            .unwrap();
        assert_eq!(shop.send(request).await.assert_status(202).json()["accepted"], 0, "{name}");
    }
    assert!(rows(&shop).await.is_empty());
    let request = Request::post(PATH)
        .header(header::CONTENT_TYPE, "application/json")
        .header("dnt", "0")
        .body(Body::from(event))
        .unwrap();
    assert_eq!(shop.send(request).await.json()["accepted"], 1);
}

async fn staff_at_work_are_no_visitors(shop: TestShop) {
    let shop = own(&shop).await;
    let events = json!([
        { "type": "page_view", "page": "/admin/orders", "session_id": SESSION },
        { "type": "session_activity", "page": "/admin/orders", "session_duration": 400, "session_id": SESSION },
        { "type": "page_view", "page": "/products", "session_id": SESSION },
    ]);
    let answer = shop.post_json(PATH, json!({ "events": events }).to_string()).await;
    assert_eq!(answer.assert_status(202).json()["accepted"], 1);
    shop.app.parts.activity.queue.flush().await;
    assert_eq!(rows(&shop).await.len(), 1);
}

async fn addresses_are_cut(shop: TestShop) {
    let shop = own(&shop).await;
    for address in ["203.0.113.77:1", "[2001:db8:abcd:12::7]:1", "[::ffff:198.51.100.9]:1"] {
        report_from(&shop, address.parse().unwrap()).await.assert_status(202);
    }
    let networks: Vec<String> = rows(&shop).await.into_iter().map(|row| row.network).collect();
    assert_eq!(networks, ["203.0.113.0", "2001:db8:abcd::", "198.51.100.0"]);
}

async fn a_flood_is_refused_and_others_go_on(shop: TestShop) {
    let shop = own(&shop).await;
    let flood = SocketAddr::from(([203, 0, 113, 7], 1));
    let batch = json!({ "events": vec![json!({ "type": "profile_view" }); 50] }).to_string();
    let mut taken = 0;
    while send_from(&shop, flood, batch.clone()).await.status == 202 {
        taken += 50;
        assert!(taken < 1_000, "a flood is refused");
    }
    assert!(taken >= 600, "{taken} events: what a network may send in a minute");
    // The allowance grows back: after a refusal, another one need not follow.
    let refused = loop {
        let answer = report_from(&shop, flood).await;
        if answer.status != 202 {
            break answer;
        }
        taken += 1;
        assert!(taken < 1_000, "event by event, too");
    };
    assert_eq!(refused.assert_problem(429, "too_many_requests").header("retry-after"), "60");
    report_from(&shop, SocketAddr::from(([203, 0, 113, 8], 1))).await.assert_status(202);
}

async fn another_site_cannot_report(shop: TestShop) {
    let shop = own(&shop).await;
    for (site, status) in [("cross-site", 400), ("same-site", 202), ("same-origin", 202)] {
        let request = Request::post(PATH)
            .header(header::CONTENT_TYPE, "text/plain")
            .header("sec-fetch-site", site)
            .body(Body::from(r#"{"type":"profile_view"}"#))
            .unwrap();
        shop.send(request).await.assert_status(status);
    }
}

async fn what_is_older_than_90_days_is_deleted(shop: TestShop) {
    let shop = own(&shop).await;
    assert_eq!(RETENTION_MS, 7_776_000_000);
    let event = json!({ "type": "profile_view" }).to_string();
    shop.post_json(PATH, event.clone()).await.assert_status(202);
    shop.clock.advance(1);
    shop.post_json(PATH, event).await.assert_status(202);
    assert_eq!(rows(&shop).await.len(), 2);
    let db = &shop.app.db;
    assert_eq!(purge(db, "activity_events", NOON_MS + RETENTION_MS).await.unwrap(), 0);
    assert_eq!(purge(db, "activity_events", NOON_MS + RETENTION_MS + 1).await.unwrap(), 1);
    let left = rows(&shop).await;
    assert_eq!((left.len(), left[0].received_at), (1, NOON_MS + 1));
}

async fn a_full_queue_drops_without_waiting(shop: TestShop) {
    let shop = own(&shop).await;
    // Block all writes.
    let mut tx = shop.app.db.begin().await.unwrap();
    if let Conn::Postgres(mut conn) = tx.conn() {
        sqlx::query("LOCK TABLE activity_events IN EXCLUSIVE MODE").execute(conn.unlimited()).await.unwrap();
    }
    let queue = ActivityQueue::taking(shop.app.db.clone(), Most { waiting: 4, ..Most::default() });
    let taken = (0..2_000).filter(|_| queue.push(stored(&shop))).count();
    assert!(taken >= 4, "{taken}");
    assert!(taken < 2_000, "what finds no room is dropped, and nobody waits");
    drop(tx);
    queue.flush().await;
    assert_eq!(rows(&shop).await.len(), taken, "what found room is kept");
    assert!(queue.push(stored(&shop)), "there is room again");
}

async fn a_flush_writes_all_that_waits(shop: TestShop) {
    let shop = own(&shop).await;
    let queue = ActivityQueue::taking(shop.app.db.clone(), Most { waiting: 100, ..Most::default() });
    for _ in 0..100 {
        assert!(queue.push(stored(&shop)));
    }
    queue.flush().await;
    assert_eq!(rows(&shop).await.len(), 100);
}

/// As when a report is sent again because its answer was lost.
async fn events_that_come_twice_are_kept_once(shop: TestShop) {
    let shop = own(&shop).await;
    let queue = &shop.app.parts.activity.queue;
    let (first, second) = (stored(&shop), stored(&shop));
    assert!(queue.push(first.clone()));
    queue.flush().await;
    for event in [first, second.clone(), second] {
        assert!(queue.push(event));
    }
    assert_eq!(rows(&shop).await.len(), 2);
}

async fn a_batch_is_one_statement(OnPostgres(shop): OnPostgres) {
    const EVENTS: i64 = 200;
    let (link, address) = behind_a_link().await;
    let db = Db::open(address.as_str()).await.unwrap();
    let queue = ActivityQueue::start(db.clone());
    let before = link.round_trips();
    for _ in 0..EVENTS {
        assert!(queue.push(stored(&shop)));
    }
    queue.flush().await;
    // Some may have been taken before the others were there. A statement is prepared, and its connection goes back with a sign of life.
    let round_trips = link.round_trips() - before;
    assert!(round_trips < 50, "{round_trips}");
    let mut reader = db.read().await.unwrap();
    const COUNT: &str = "SELECT COUNT(*) FROM activity_events";
    let count: i64 = shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(COUNT).fetch_one(c).await).unwrap();
    assert_eq!(count, EVENTS);
}

async fn an_account_has_so_many_events_and_no_more(shop: TestShop) {
    let shop = own(&shop).await;
    let [eager, other] = [shop.sign_in("eager", &["customer"]).await, shop.sign_in("other", &["customer"]).await];
    insert_many(&shop, "eager", MOST_OF_ACCOUNT - 1).await;
    let events = json!({ "events": vec![json!({ "type": "profile_view" }); 2] });
    for cookie in [&eager, &other, &eager] {
        shop.call("POST", PATH, cookie, events.clone()).await.assert_status(202);
        shop.app.parts.activity.queue.flush().await;
    }
    for (cookie, count) in [(&eager, MOST_OF_ACCOUNT), (&other, 2)] {
        let export = shop.call("GET", "/api/me/export", cookie, Value::Null).await.assert_status(200).json();
        let activity = export["activity"].as_array().unwrap();
        assert_eq!(activity.len(), usize::try_from(count).unwrap());
        assert!(activity.iter().all(|event| event["kind"] == "profile_view" && event.get("id").is_none()));
    }
}

async fn guests_have_so_many_events_a_day_and_no_more(shop: TestShop) {
    let shop = own(&shop).await;
    let most = Most { of_network: 3, of_guests: 5, ..Most::default() };
    let queue = ActivityQueue::taking(shop.app.db.clone(), most);
    let stored_of = async |network: &str, more: usize, received_at: i64| {
        for _ in 0..more {
            let reporter = Reporter { user_id: None, network: network.to_owned() };
            assert!(queue.push(StoredEvent { reporter, received_at, ..stored(&shop) }));
        }
        queue.flush().await;
        rows(&shop).await.into_iter().filter(|row| row.network == network).count()
    };
    assert_eq!(stored_of("203.0.113.0", 4, NOON_MS).await, 3);
    assert_eq!(stored_of("198.51.100.0", 1, NOON_MS).await, 1, "another network has its own");
    assert_eq!(stored_of("192.0.2.0", 2, NOON_MS).await, 1, "together they have no more than all may have");
    assert_eq!(stored_of("203.0.113.0", 4, NOON_MS + DAY_MS).await, 6, "a day later there is room again");
}

async fn searches_of_a_report_let_others_go_on(shop: TestShop) {
    let shop = own(&shop).await;
    let (listing, reporter) = (shop.app.parts.catalog.listing(), stored(&shop).reporter);
    listing.index.completed().await.unwrap();
    let intake = shop.app.intake(&listing, KNOWN_PAGES);
    let mut recording = pin!(record(&intake, &reporter, searches()));
    let mut turns_of_others = 0;
    let taken = loop {
        match recording.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(taken) => break taken.unwrap(),
            Poll::Pending => turns_of_others += 1,
        }
    };
    assert_eq!((taken, turns_of_others), (50, MOST_SEARCHES));
    let searched = rows(&shop).await.iter().filter(|row| row.results.is_some()).count();
    assert_eq!(searched, MOST_SEARCHES, "the others are stored without what they find");
}

async fn what_finds_no_room_is_not_searched(shop: TestShop) {
    let shop = own(&shop).await;
    // Block all writes.
    let mut tx = shop.app.db.begin().await.unwrap();
    if let Conn::Postgres(mut conn) = tx.conn() {
        sqlx::query("LOCK TABLE activity_events IN EXCLUSIVE MODE").execute(conn.unlimited()).await.unwrap();
    }
    let queue = ActivityQueue::taking(shop.app.db.clone(), Most { waiting: 4, ..Most::default() });
    let (listing, reporter) = (shop.app.parts.catalog.listing(), stored(&shop).reporter);
    let intake = Intake { queue: &queue, ..shop.app.intake(&listing, KNOWN_PAGES) };
    // The writer takes some out of the queue before it waits.
    until("the report finds no room and is through at once", async || {
        while queue.push(stored(&shop)) {}
        let mut recording = pin!(record(&intake, &reporter, searches()));
        let polled = recording.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        matches!(polled, Poll::Ready(Ok(0)))
    })
    .await;
    drop(tx);
}

/// A report of as many searches as it may have.
fn searches() -> ActivityReport {
    let events = vec![json!({ "type": "search", "action": "pipe" }); 50];
    serde_json::from_value(json!({ "events": events })).unwrap()
}

/// Stores this many events of a user.
pub async fn insert_many(shop: &TestShop, subject: &str, count: i64) {
    let (numbers, id) = match shop.database {
        Database::Sqlite => (
            format!(
                "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) SELECT i FROM n)"
            ),
            "randomblob(16)",
        ),
        Database::Postgres => (format!("(SELECT generate_series(1, {count}) AS i)"), "gen_random_uuid()"),
    };
    let sql = sqlx::AssertSqlSafe(format!(
        "INSERT INTO activity_events (id, kind, user_id, network, occurred_at, received_at)
         SELECT {id}, 'profile_view', u.id, '203.0.113.0', {NOON_MS}, {NOON_MS} FROM users u CROSS JOIN {numbers} numbers
         WHERE u.subject = $1"
    ));
    let mut tx = shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut tx.conn(), c => sqlx::query(sql).bind(subject).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

fn stored(shop: &TestShop) -> StoredEvent {
    StoredEvent {
        id: new_id(shop.clock.as_ref()),
        event: CheckedEvent {
            kind: ActivityType::ProfileView,
            page: None,
            feature: None,
            action: None,
            session_duration: None,
            session_id: None,
            occurred_at: NOON_MS,
            reported_at: None,
        },
        reporter: Reporter { user_id: None, network: "203.0.113.0".to_owned() },
        results: None,
        received_at: NOON_MS,
    }
}

/// A separate shop, so that no other test writes to its table.
async fn own(shop: &TestShop) -> TestShop {
    TestShop::with(shop.database, |_| {}).await
}

async fn report_from(shop: &TestShop, address: SocketAddr) -> Answer {
    send_from(shop, address, r#"{"type":"profile_view"}"#.to_owned()).await
}

async fn send_from(shop: &TestShop, address: SocketAddr, body: String) -> Answer {
    let mut request =
        Request::post(PATH).header(header::CONTENT_TYPE, "application/json").body(Body::from(body)).unwrap();
    request.extensions_mut().insert(ConnectInfo(address));
    Answer::read(shop.router.clone().oneshot(request).await.unwrap()).await
}

#[derive(sqlx::FromRow)]
struct Row {
    kind: String,
    page: Option<String>,
    feature: Option<String>,
    action: Option<String>,
    session_duration: Option<i64>,
    session_id: Option<Uuid>,
    user_id: Option<Uuid>,
    network: String,
    results: Option<i64>,
    occurred_at: i64,
    received_at: i64,
}

/// All stored events in the order of arrival.
async fn rows(shop: &TestShop) -> Vec<Row> {
    shop.app.parts.activity.queue.flush().await;
    let mut reader = shop.app.db.read().await.unwrap();
    // Ids of the same millisecond are not ordered.
    match reader.conn() {
        Conn::Sqlite(mut conn) => {
            sqlx::query_as("SELECT * FROM activity_events ORDER BY rowid").fetch_all(&mut *conn).await.unwrap()
        }
        Conn::Postgres(mut conn) => {
            sqlx::query_as("SELECT * FROM activity_events ORDER BY ctid").fetch_all(conn.unlimited()).await.unwrap()
        }
    }
}
