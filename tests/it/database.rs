//! The database as the shop experiences it: locks, outages, retries.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use shop_base::config::Secret;
use shop_base::db::backup::{CopyError, Target};
use shop_base::db::{Conn, Db, DbError, Effect, Purpose, Reader};
use shop_base::{sql, transaction};
use shop_domain::catalog::service::list_sellable;
use shop_platform::jobs::model::{Lane, Pace};
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool};
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use tokio::time::{interval, timeout};
use url::Url;

use crate::support::link::{Link, State};
use crate::support::ports::free_port;
use crate::support::program::Program;
use crate::support::{Database, OnPostgres, OnSqlite, Test, TestShop, new_postgres_database, temporary_folder, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    an_sqlite_file_is_one_by_all_its_names,
    a_shop_starts_beside_a_command,
    nobody_migrates_a_file_under_a_shop,
    a_full_disk_that_has_room_again_is_written_to_again,
    a_transaction_that_sqlite_has_ended_is_not_the_last,
    a_busy_database_is_no_reason_to_send_shoppers_elsewhere,
    a_database_that_takes_no_writes_is_a_503,
    nodes_are_ready_while_none_of_them_can_write,
    who_is_signed_in_gets_pages_while_the_database_takes_no_writes,
    a_database_that_is_away_is_a_503_at_once,
    that_a_database_is_away_is_logged_once,
    that_a_database_takes_no_writes_is_logged_once,
    a_server_that_falls_silent_stops_nothing_for_long,
    nobody_waits_for_the_time_of_a_silent_server,
    connections_that_work_outlast_a_time_without_new_ones,
    a_connection_that_alone_falls_silent_is_given_up_soon,
    connections_that_all_fall_silent_are_replaced_soon,
    what_is_only_slow_is_waited_for,
    an_answer_that_comes_little_by_little_is_waited_for,
    a_connection_that_was_just_used_is_not_asked_for_a_sign_of_life,
    a_lost_connection_tells_of_the_others,
    statements_stay_prepared,
    nobody_uses_up_the_connections_of_others,
    jobs_have_a_share_of_sqlites_writer,
    who_comes_after_a_dropped_transaction_waits_as_long_as_others,
    who_comes_after_a_dropped_transaction_finds_nothing_of_it,
    a_deadlock_is_tried_again,
    what_waits_too_long_is_given_up,
    an_effect_follows_a_commit_once_and_nothing_else,
    an_effect_follows_a_commit_whose_caller_is_gone,
    an_effect_follows_a_commit_that_was_not_answered,
    a_commit_that_was_lost_on_its_way_is_given_up,
];

/// A page that always needs a database lookup.
const UNKNOWN: &str = "/product/no-such-product";

/// Executes a statement as the writer and returns its result.
async fn write(shop: &TestShop, statement: &'static str) -> Result<(), DbError> {
    let mut tx = shop.app.db.begin().await?;
    let mut conn = tx.conn();
    sql!(&mut conn, c => sqlx::query(statement).execute(c).await.map(drop))?;
    tx.commit().await
}

/// A symbolic link leads to it, even before it is made.
async fn an_sqlite_file_is_one_by_all_its_names(OnSqlite(_): OnSqlite) {
    let folder = temporary_folder();
    let (link, file) = (folder.join("shop.db"), folder.join("disk/of-the-shop.db"));
    fs::create_dir(folder.join("disk")).unwrap();
    symlink("disk/of-the-shop.db", &link).unwrap();
    let [by_link, by_name] = [&link, &file].map(|path| format!("sqlite:{}", path.display()));
    let first = Db::open(&by_link).await.unwrap();
    assert!(!first.is_shared());
    let second = Db::open(&by_name).await.unwrap();
    assert!(second.is_shared(), "a second shop notices the first");
    second.close().await;
    assert!(matches!(Target::lock(&by_name).await, Err(CopyError::Db(DbError::InUse))), "nothing is restored under it");
    first.close().await;

    // A restore replaces the file, and the link still leads there.
    fs::copy(&file, file.with_extension("restoring.db")).unwrap();
    Target::lock(&by_link).await.unwrap().replace(std::future::pending()).await.unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink() && file.exists());
    assert!(!file.with_extension("restoring.db").exists());
}

/// Whichever was first.
async fn a_shop_starts_beside_a_command(OnSqlite(_): OnSqlite) {
    let address = format!("sqlite:{}", temporary_folder().join("shop.db").display());
    let command = Db::open_aside(&address).await.unwrap();
    let serving = Db::open(&address).await.unwrap();
    assert!(!serving.is_shared());
    let second = Db::open(&address).await.unwrap();
    assert!(second.is_shared(), "a second shop notices the first");
    second.close().await;
    serving.close().await;
    assert!(matches!(Target::lock(&address).await, Err(CopyError::Db(DbError::InUse))), "nothing is restored under it");
    command.close().await;
    drop(Target::lock(&address).await.unwrap());
}

/// Such as a command of a newer release, or a second shop.
async fn nobody_migrates_a_file_under_a_shop(OnSqlite(_): OnSqlite) {
    let address = format!("sqlite:{}", temporary_folder().join("shop.db").display());
    let serving = Db::open(&address).await.unwrap();
    let mut tx = serving.begin().await.unwrap();
    for statement in ["DROP INDEX users_deleted_at_idx", "DELETE FROM _sqlx_migrations WHERE version = 28"] {
        sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
    }
    tx.commit().await.unwrap();
    const APPLIED: &str = "SELECT COUNT(*) FROM _sqlx_migrations WHERE version = 28";
    let applied = async |db: &Db| -> i64 {
        let mut reader = db.read().await.unwrap();
        sql!(&mut reader.conn(), c => sqlx::query_scalar(APPLIED).fetch_one(c).await).unwrap()
    };
    assert!(matches!(Db::open(&address).await, Err(DbError::InUse)));
    assert_eq!(applied(&serving).await, 0);
    serving.close().await;
    let alone = Db::open(&address).await.unwrap();
    assert_eq!(applied(&alone).await, 1);
}

async fn a_full_disk_that_has_room_again_is_written_to_again(OnSqlite(shop): OnSqlite) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    write(&shop, "PRAGMA max_page_count = 1").await.unwrap();
    let is_writable = async || shop.get("/readyz").await.json()["writer"].clone();
    until("it is known to be full", async || is_writable().await == false).await;
    shop.get("/readyz").await.assert_status(503);
    write(&shop, "PRAGMA max_page_count = 1000000").await.unwrap();
    until("it is known to have room", async || is_writable().await == true).await;
    shop.get("/readyz").await.assert_status(200);
}

async fn a_transaction_that_sqlite_has_ended_is_not_the_last(OnSqlite(shop): OnSqlite) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    // Like an I/O error, this ends the transaction without a ROLLBACK from the shop.
    write(&shop, "INSERT OR ROLLBACK INTO writer_checks (id) VALUES (1)").await.unwrap_err();
    shop.get("/readyz").await.assert_status(200);
    let cookie = shop.sign_in("after-the-error", &[]).await;
    let cart = json!({ "items": [], "base": [], "promo_code": null });
    shop.call("POST", "/api/cart/sync", &cookie, cart).await.assert_status(200);
}

/// All that shoppers write with is taken, for longer than a load balancer waits for an answer.
async fn a_busy_database_is_no_reason_to_send_shoppers_elsewhere(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let db = &shop.app.db;
    let name = if shop.database == Database::Sqlite { "Writer" } else { "Shoppers" };
    let most = db.pools().iter().find(|pool| pool.name == name).unwrap().most;
    let mut taken = Vec::new();
    for _ in 0..most {
        taken.push(db.begin().await.unwrap());
    }
    for _ in 0..2 {
        let begun = Instant::now();
        let ready = shop.get("/readyz").await.assert_status(200).json();
        assert_eq!((&ready["database"], &ready["writer"]), (&json!(true), &json!(true)));
        // Whoever waits for one of those that are taken does so for 5 s at least.
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    }
    drop(taken);
    shop.get("/readyz").await.assert_status(200);
}

/// A node whose database takes no writes: as some services set it while the storage is full, or as a full disk has it.
async fn node_that_only_reads(shop: &TestShop) -> TestShop {
    if shop.database == Database::Sqlite {
        write(shop, "PRAGMA query_only = 1").await.unwrap();
        return shop.clone();
    }
    let mut address = Url::parse(shop.app.config.data.database.expose()).unwrap();
    address.query_pairs_mut().append_pair("options[default_transaction_read_only]", "on");
    shop.another_node_with(|config| config.data.database = Secret::new(address.to_string())).await
}

async fn assert_takes_no_writes(node: &TestShop, cookie: &str) {
    let cart = json!({ "items": [], "base": [], "promo_code": null });
    let refused = node.call("POST", "/api/cart/sync", cookie, cart).await;
    assert_eq!(refused.assert_problem(503, "unavailable").header("retry-after"), "5");
}

async fn a_database_that_takes_no_writes_is_a_503(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("who-only-reads", &[]).await;
    let node = node_that_only_reads(&shop).await;
    node.get_verified(UNKNOWN).await.assert_status(404);
    assert_takes_no_writes(&node, &cookie).await;
    let is_writable = async || node.get("/readyz").await.json()["writer"].clone();
    until("it is known to take no writes", async || is_writable().await == false).await;
    // Others can write, as far as this node knows.
    node.get("/readyz").await.assert_status(503);
}

/// If none were ready, nobody would see a page.
async fn nodes_are_ready_while_none_of_them_can_write(OnPostgres(shop): OnPostgres) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    write(
        &shop,
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$",
    )
    .await
    .unwrap();
    let node = shop.another_node_with(|_| {}).await;
    let is_writable = async || node.get("/readyz").await.json()["writer"].clone();
    until("it is known to take no writes", async || is_writable().await == false).await;
    node.get("/readyz").await.assert_status(200);
}

async fn who_is_signed_in_gets_pages_while_the_database_takes_no_writes(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let customer = shop.sign_in("who-looks", &["customer"]).await;
    let promoted = shop.sign_in("who-was-promoted", &["customer"]).await;
    write(&shop, "UPDATE users SET assigned_role = 'staff' WHERE subject = 'who-was-promoted'").await.unwrap();
    // Longer than staff may be away, and than until use is noted again.
    shop.clock.advance(31 * 60_000);
    let staff = shop.sign_in("who-works", &["super_admin"]).await;
    shop.clock.advance(2 * 60_000);
    let node = node_that_only_reads(&shop).await;
    assert_takes_no_writes(&node, &customer).await;
    for (cookie, path, status) in [
        (&customer, "/products", 200),
        (&customer, "/account", 200),
        (&staff, "/admin/overview", 200),
        (&staff, "/admin/analytics", 200),
        (&promoted, "/products", 200),
        (&promoted, "/account", 303),
    ] {
        node.call("GET", path, cookie, serde_json::Value::Null).await.assert_status(status);
    }
    // They also get through the age gate, as guests do.
    let proof = json!({ "birth_date": "1980-05-17", "user_id": "who-looks", "preferred_state": "OH" });
    let called = node.call("POST", "/api/verify-age", &customer, proof).await;
    assert!(called.assert_status(200).header("set-cookie").contains("age="));
    let fields = [("birth_date", "1980-05-17"), ("return_to", "/")];
    let posted = node.form("/verify-age", &customer, "same-origin", &fields).await;
    assert!(posted.assert_status(303).header("set-cookie").contains("age="));
    assert_takes_no_writes(&node, &customer).await;
}

/// A new database, with a network in between.
pub async fn behind_a_link() -> (Link, Url) {
    let mut address = Url::parse(&new_postgres_database().await).unwrap();
    let link = Link::to(address.port().unwrap()).await;
    address.set_port(Some(link.port)).unwrap();
    (link, address)
}

/// How long many calls take together that need the database, and of which nothing is rendered.
async fn wave(shop: &TestShop) -> Duration {
    let begun = Instant::now();
    let mut callers = JoinSet::new();
    for _ in 0..40 {
        let (shop, cart) = (shop.clone(), json!({ "items": [{ "id": uuid::Uuid::nil(), "qty": 1 }] }));
        callers.spawn(async move { shop.call("POST", "/api/checkout/quote", &shop.age_cookie(), cart).await });
    }
    for call in callers.join_all().await {
        assert_eq!(call.assert_problem(503, "unavailable").header("retry-after"), "5");
    }
    begun.elapsed()
}

async fn a_database_that_is_away_is_a_503_at_once(OnPostgres(shop): OnPostgres) {
    /// On a busy machine not each time.
    const TRIES: usize = 5;
    let (link, address) = behind_a_link().await;
    let shop = TestShop::with(shop.database, |config| config.data.database = Secret::new(address.to_string())).await;
    let is_back = async || {
        let back = async {
            while shop.get_verified(UNKNOWN).await.status != 404 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(20), back).await.expect("the shop does not come back");
    };
    is_back().await;
    // The first calls run into the timeout together.
    let mut first = Vec::new();
    loop {
        link.set(State::Cut);
        first.push(wave(&shop).await);
        if first.iter().min() < Some(&Duration::from_secs(4)) {
            break;
        }
        assert!(first.len() < TRIES, "{first:?}");
        link.set(State::Open);
        is_back().await;
    }
    // All later ones fail at once.
    let mut later = Vec::new();
    while later.iter().min().is_none_or(|least| *least >= Duration::from_secs(1)) {
        assert!(later.len() < TRIES, "{later:?}");
        later.push(wave(&shop).await);
    }
    let page = shop.get_verified(UNKNOWN).await;
    assert_eq!(page.assert_status(503).header("retry-after"), "5");
    assert!(page.text().contains("The shop isn’t available right now."));
    let ready = shop.get("/readyz").await;
    assert_eq!(ready.assert_status(503).json()["database"], false);
    link.set(State::Open);
    is_back().await;
    until("it is ready", async || shop.get("/readyz").await.status == 200).await;
}

/// As a guest's browser does, without a look at the database; returns the status.
async fn report_activity(node: &Program) -> u16 {
    const REPORT: &str = r#"{"events":[{"type":"page_view","page":"/"}]}"#;
    let head =
        "POST /api/me/activity HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close";
    node.exchange(&format!("{head}\r\nContent-Length: {}\r\n\r\n{REPORT}", REPORT.len())).await.status()
}

async fn that_a_database_is_away_is_logged_once(OnPostgres(_): OnPostgres) {
    // Longer than until each lane of jobs looks again.
    let lasts = Pace::default().look_again + Duration::from_secs(4);
    const REPEATED: [&str; 3] =
        ["jobs could not be taken", "the database does not answer", "activity could not be written"];
    let (link, address) = behind_a_link().await;
    let port = free_port();
    let node = Program::node(port, address.as_str(), &[("SHOP_ORIGIN", &format!("http://localhost:{port}"))]).await;
    let is = async |status: u16| node.get("/readyz").await.status() == status;
    until("it is ready", async || is(200).await).await;
    let said = |what: &str| node.log().matches(what).count();
    for (outage, state) in (1..).zip([State::Silent, State::Cut]) {
        link.set(state);
        // Whoever asks finds out.
        until("it says that the database is away", async || is(503).await && said("PostgreSQL is away") == outage)
            .await;
        let mut before = REPEATED.map(said);
        // As a load balancer does.
        let mut ticks = interval(Duration::from_millis(200));
        let begun = Instant::now();
        while begun.elapsed() < lasts {
            ticks.tick().await;
            assert!(is(503).await);
            assert_eq!(report_activity(&node).await, 202);
            // Statements that had begun end with errors of their own.
            if begun.elapsed() < Duration::from_secs(3) {
                before = REPEATED.map(said);
            }
        }
        assert_eq!(REPEATED.map(said), before, "{state:?}: {}", node.log());
        assert_eq!(said("PostgreSQL is away"), outage);
        link.set(State::Open);
        until("it is ready again", async || is(200).await).await;
    }
}

/// Whether others may write from now on: those that are connected connect again.
async fn let_others_write(other: &mut PgConnection, may: bool) {
    let change = if may {
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database()); END $$"
    } else {
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$"
    };
    const DISCONNECT: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    for statement in [change, DISCONNECT] {
        sqlx::query(statement).execute(&mut *other).await.unwrap();
    }
}

/// A node that runs when it happens, as when a managed server's storage is full.
async fn that_a_database_takes_no_writes_is_logged_once(OnPostgres(_): OnPostgres) {
    // Longer than until a lane looks again.
    let lasts = Pace::default().look_again + Duration::from_secs(3);
    let (database, port) = (new_postgres_database().await, free_port());
    let node = Program::node(port, &database, &[("SHOP_ORIGIN", &format!("http://localhost:{port}"))]).await;
    until("it is ready", async || node.get("/readyz").await.status() == 200).await;
    // Lanes find out by jobs that they cannot take. A start adds some a moment after it listens.
    let reader = PgPool::connect(&database).await.unwrap();
    let jobs = async || sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM jobs").fetch_one(&reader).await.unwrap();
    until("there are jobs", async || jobs().await > 0).await;
    reader.close().await;
    let mut other = PgConnection::connect(&database).await.unwrap();
    let_others_write(&mut other, false).await;
    let log = || node.log();
    // Connections that were lost end with errors of their own.
    let told_of = |lane: &Lane| {
        let of_lane = format!("\"lane\":\"{}\"", lane.text());
        let words = ["jobs could not be taken", "read-only", of_lane.as_str()];
        log().lines().filter(|line| words.iter().all(|word| line.contains(*word))).count()
    };
    until("a lane finds out", async || Lane::ALL.iter().any(|lane| told_of(lane) > 0)).await;
    let mut ticks = interval(Duration::from_millis(200));
    let begun = Instant::now();
    while begun.elapsed() < lasts {
        ticks.tick().await;
        assert_eq!(report_activity(&node).await, 202);
    }
    assert!(Lane::ALL.iter().all(|lane| told_of(lane) <= 1), "{}", log());
    assert_eq!(log().matches("activity could not be written").count(), 1, "{}", log());
    let_others_write(&mut other, true).await;
    until("it says that activity is written again", async || {
        report_activity(&node).await;
        log().contains("activity is written again")
    })
    .await;
}

/// Everything that the network loses is gone, also what was on its way: statements end, and no connection from before is used again.
async fn a_server_that_falls_silent_stops_nothing_for_long(OnPostgres(_): OnPostgres) {
    const SOON: Duration = Duration::from_secs(10);
    let (link, address) = behind_a_link().await;
    let db = Db::open(address.as_str()).await.unwrap();
    // All connections are open when it happens.
    let mut open = Vec::new();
    for _ in 0..10 {
        open.push(db.read().await.unwrap());
    }
    let mut tx = db.of(Purpose::Jobs).begin().await.unwrap();
    drop(open);
    let running = tokio::spawn(async move {
        let mut conn = tx.conn();
        let slept = sql!(&mut conn, c => sqlx::query("SELECT pg_sleep(100)").execute(c).await.map(drop));
        slept.map_err(DbError::from)
    });
    let runs =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(100)' AND datname = current_database()";
    let mut reader = db.read().await.unwrap();
    loop {
        let count: i64 = sql!(&mut reader.conn(), c => sqlx::query_scalar(runs).fetch_one(c).await).unwrap();
        if count == 1 {
            break;
        }
    }
    drop(reader);
    link.set(State::Silent);
    let ended = timeout(SOON, running).await.expect("a statement waits for nothing").unwrap();
    assert!(ended.is_err_and(|error| error.is_passing()));
    let asked = timeout(SOON, db.ping()).await.expect("a caller waits for nothing");
    assert!(asked.is_err_and(|error| error.is_passing()));
    link.set(State::Open);
    let back = async { while db.ping().await.is_err() {} };
    timeout(SOON, back).await.expect("it is used again");
    // None of the dead connections is in the way.
    let all = async {
        let mut open = Vec::new();
        for _ in 0..10 {
            open.push(db.read().await.unwrap());
        }
    };
    timeout(SOON, all).await.expect("all connections are new");
}

async fn nobody_waits_for_the_time_of_a_silent_server(OnPostgres(_): OnPostgres) {
    let (link, address) = behind_a_link().await;
    let db = Db::open(address.as_str()).await.unwrap();
    link.fall_silent_at("clock_timestamp");
    let asked = timeout(Duration::from_secs(10), db.clock_ahead()).await.expect("a caller waits for nothing");
    assert!(asked.is_err_and(|error| error.is_passing()));
    assert!(link.disturbed() > 0, "it was asked");
}

/// While the server's name is not found, for example, or its new certificate is not trusted.
async fn connections_that_work_outlast_a_time_without_new_ones(OnPostgres(_): OnPostgres) {
    for state in [State::NewCut, State::NewSilent] {
        let (link, address) = behind_a_link().await;
        let db = Db::open(address.as_str()).await.unwrap();
        // All connections are open when it happens.
        let mut open = Vec::new();
        for _ in 0..10 {
            open.push(db.read().await.unwrap());
        }
        let mut slow = open.pop().unwrap();
        drop(open);
        link.set(state);
        // Longer than until a look begins, and until it ends without an answer.
        let running = tokio::spawn(async move {
            let mut conn = slow.conn();
            sql!(&mut conn, c => sqlx::query("SELECT pg_sleep(4)").execute(c).await.map(drop))
        });
        while !running.is_finished() {
            db.ping().await.unwrap();
        }
        running.await.unwrap().unwrap();
        assert!(link.disturbed() > 0, "{state:?}: a new one was tried");
    }
}

/// Where the purpose allows minutes, and what takes milliseconds 12 s.
async fn a_connection_that_alone_falls_silent_is_given_up_soon(OnPostgres(_): OnPostgres) {
    let (link, address) = behind_a_link().await;
    let db = Db::open(address.as_str()).await.unwrap().of(Purpose::Jobs);
    link.lose_at("pg_notify");
    let told = timeout(Duration::from_secs(10), db.notify("test", "")).await.expect("a caller waits for no limit");
    assert!(told.is_err_and(|error| error.is_passing() && !error.is_away()));
    assert_eq!(link.disturbed(), 1);
    db.ping().await.unwrap();
}

/// As after the restart of a firewall that forgets, on a node under load: each was used a moment ago, so that none is asked for a sign of life.
async fn connections_that_all_fall_silent_are_replaced_soon(OnPostgres(_): OnPostgres) {
    const SOON: Duration = Duration::from_secs(10);
    let (link, address) = behind_a_link().await;
    let db = Db::open(address.as_str()).await.unwrap();
    let mut open = Vec::new();
    for _ in 0..10 {
        open.push(db.read().await.unwrap());
    }
    let mut tx = db.of(Purpose::Jobs).begin().await.unwrap();
    drop(open);
    let idle = || db.pools().iter().find(|pool| pool.name == "Shoppers").unwrap().idle;
    until("they are back", async || idle() >= 10).await;
    link.set(State::OpenSilent);
    let mut asking = JoinSet::new();
    for _ in 0..10 {
        let db = db.clone();
        asking.spawn(async move { db.ping().await });
    }
    // Its limit is five minutes.
    asking.spawn(async move {
        let mut conn = tx.conn();
        let asked = sql!(&mut conn, c => sqlx::query("SELECT 1").execute(c).await.map(drop));
        asked.map_err(DbError::from)
    });
    let answering = async {
        let asked = asking.join_all().await;
        while db.ping().await.is_err() {
            db.pause().await;
        }
        asked
    };
    let asked = timeout(SOON, answering).await.expect("nobody waits for the limit of a statement");
    for error in asked.into_iter().filter_map(Result::err) {
        assert!(error.is_passing(), "{error}");
    }
}

/// New connections can be made meanwhile, too, but PostgreSQL says that it works on it.
async fn what_is_only_slow_is_waited_for(OnPostgres(_): OnPostgres) {
    const LOCK_NOT_AVAILABLE: &str = "55P03";
    let address = new_postgres_database().await;
    // What a node asks later would hide what waits.
    let (db, other_node) = (Db::open(&address).await.unwrap(), Db::open(&address).await.unwrap());
    let mut other = PgConnection::connect(&address).await.unwrap();
    let mut holding = other.begin().await.unwrap();
    sqlx::query("LOCK TABLE writer_checks").execute(&mut *holding).await.unwrap();
    let (staff, jobs) = (db.of(Purpose::Staff), other_node.of(Purpose::Jobs));
    let locked = async {
        let mut tx = staff.begin().await.unwrap();
        let mut conn = tx.conn();
        let change = "UPDATE writer_checks SET checks = checks";
        sql!(&mut conn, c => sqlx::query(change).execute(c).await.map(drop))
    };
    let working = async {
        let mut reader = jobs.read().await.unwrap();
        let mut conn = reader.conn();
        sql!(&mut conn, c => sqlx::query("SELECT pg_sleep(6)").execute(c).await.map(drop))
    };
    let (locked, worked) = tokio::join!(locked, working);
    worked.unwrap();
    // PostgreSQL ends it itself, after 5 s.
    let refused = locked.unwrap_err();
    let code = refused.as_database_error().and_then(|error| error.code());
    assert_eq!(code.as_deref(), Some(LOCK_NOT_AVAILABLE), "{refused}");
}

/// PostgreSQL has done with it long before.
async fn an_answer_that_comes_little_by_little_is_waited_for(OnPostgres(_): OnPostgres) {
    const LENGTH: usize = 4_000;
    let (link, address) = behind_a_link().await;
    let db = Db::open(address.as_str()).await.unwrap();
    link.answer_slowly_to("repeat");
    let begun = Instant::now();
    let mut reader = db.read().await.unwrap();
    let long = "SELECT repeat('x', 4000)";
    let answer: String = sql!(&mut reader.conn(), c => sqlx::query_scalar(long).fetch_one(c).await).unwrap();
    assert_eq!(answer.len(), LENGTH);
    // Longer than until a silent one is given up.
    assert!(begun.elapsed() > Duration::from_secs(6), "{:?}", begun.elapsed());
}

/// That with which it has gone back is enough.
async fn a_connection_that_was_just_used_is_not_asked_for_a_sign_of_life(OnPostgres(_): OnPostgres) {
    let (link, address) = behind_a_link().await;
    let db = Db::open(address.as_str()).await.unwrap();
    is_back(&db).await;
    assert_asked_once(&db, &link).await;
    // Another one is lost, so it is asked once more.
    let mut lost = db.read().await.unwrap();
    ping(&db).await;
    let end = "SELECT pg_terminate_backend(pg_backend_pid())";
    sql!(&mut lost.conn(), c => sqlx::query(end).execute(c).await.map(drop)).unwrap_err();
    drop(lost);
    assert_asked_once(&db, &link).await;
}

/// A statement; returns when its connection is back.
async fn ping(db: &Db) {
    db.ping().await.unwrap();
    is_back(db).await;
}

async fn is_back(db: &Db) {
    let idle = || db.pools().iter().find(|pool| pool.name == "Shoppers").unwrap().idle;
    until("the connection is back", async || idle() == 1).await;
}

async fn assert_asked_once(db: &Db, link: &Link) {
    const TIMES: usize = 5;
    loop {
        let begun = Instant::now();
        ping(db).await;
        let before = link.round_trips();
        for _ in 0..TIMES {
            ping(db).await;
        }
        let round_trips = link.round_trips() - before;
        // On a busy machine not the first time.
        if begun.elapsed() < Duration::from_secs(1) {
            assert_eq!(round_trips, TIMES * 2, "a statement, and a sign of life as it goes back");
            return;
        }
    }
}

/// As after a restart that nobody has noticed: all were used a moment ago, so that the first of them is used again.
async fn a_lost_connection_tells_of_the_others(OnPostgres(_): OnPostgres) {
    const END: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'shop %'";
    const COUNT: &str = "SELECT COUNT(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'shop %'";
    let address = new_postgres_database().await;
    let db = Db::open(&address).await.unwrap();
    let mut other = PgConnection::connect(&address).await.unwrap();
    let mut open = Vec::new();
    for _ in 0..5 {
        open.push(db.read().await.unwrap());
    }
    drop(open);
    let idle = || db.pools().iter().find(|pool| pool.name == "Shoppers").unwrap().idle;
    until("they are back", async || idle() >= 5).await;
    sqlx::query(END).execute(&mut other).await.unwrap();
    while sqlx::query_scalar::<_, i64>(COUNT).fetch_one(&mut other).await.unwrap() > 0 {}
    if let Err(error) = db.ping().await {
        assert!(error.is_passing() && !error.is_away(), "{error}");
    }
    for _ in 0..10 {
        db.ping().await.unwrap();
    }
}

fn prepared(reader: &mut Reader) -> usize {
    match reader.conn() {
        Conn::Sqlite(conn) => conn.cached_statements_size(),
        Conn::Postgres(mut conn) => conn.unlimited().cached_statements_size(),
    }
}

/// A purchase and the pages before it have more than a hundred.
async fn statements_stay_prepared(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let mut reader = shop.app.db.read().await.unwrap();
    let before = prepared(&mut reader);
    for count in 1..=5 {
        list_sellable(&mut reader.conn(), &vec![uuid::Uuid::nil(); count], &[]).await.unwrap();
    }
    if shop.database == Database::Postgres {
        assert_eq!(prepared(&mut reader) - before, 1, "for any number of ids");
    }
    for number in 0..200 {
        let sql = AssertSqlSafe(format!("SELECT {number}"));
        sql!(&mut reader.conn(), c => sqlx::query(sql).execute(c).await.map(drop)).unwrap();
    }
    assert!(prepared(&mut reader) > 150, "{}", prepared(&mut reader));
}

async fn nobody_uses_up_the_connections_of_others(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let mut taken = Vec::new();
    for (purpose, name) in [(Purpose::Staff, "Staff"), (Purpose::Jobs, "Jobs")] {
        let db = shop.app.db.of(purpose);
        let most = db.pools().iter().find(|pool| pool.name == name).unwrap().most;
        for _ in 0..most {
            taken.push(db.read().await.unwrap());
        }
    }
    shop.get_verified(UNKNOWN).await.assert_status(404);
    let admin = shop.sign_in("pools-admin", &["super_admin"]).await;
    // A request that finds no free connection waits for a while and then gets a temporary error.
    let busy = shop.call("GET", "/api/admin/overview", &admin, serde_json::Value::Null).await;
    busy.assert_problem(503, "unavailable");
    drop(taken);
    shop.call("GET", "/api/admin/overview", &admin, serde_json::Value::Null).await.assert_status(200);
}

async fn jobs_have_a_share_of_sqlites_writer(OnSqlite(shop): OnSqlite) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let db = &shop.app.db;
    let waiting = || db.uses().iter().find(|pool| pool.name == "Writer").unwrap().waiting;
    let before = db.begin().await.unwrap();
    let turns = Arc::new(Mutex::new(Vec::new()));
    let mut tasks = JoinSet::new();
    for (place, purpose) in std::iter::repeat_n(Purpose::Shoppers, 50).chain([Purpose::Jobs]).enumerate() {
        let (db, turns) = (db.of(purpose), Arc::clone(&turns));
        tasks.spawn(async move {
            let tx = db.begin().await.unwrap();
            turns.lock().unwrap().push(purpose);
            tx.commit().await.unwrap();
        });
        until("it waits", async || waiting() as usize > place).await;
    }
    before.commit().await.unwrap();
    tasks.join_all().await;
    let place = turns.lock().unwrap().iter().position(|purpose| *purpose == Purpose::Jobs).unwrap();
    assert!(place < 3, "the job had to wait for {place} shoppers");
}

/// SQLite is still busy with it, here with waiting for another process, else for a disk that stands still.
async fn who_comes_after_a_dropped_transaction_waits_as_long_as_others(OnSqlite(shop): OnSqlite) {
    // Longer than anybody waits for a connection that reads.
    const BUSY: Duration = Duration::from_secs(6);
    let shop = TestShop::with(shop.database, |_| {}).await;
    let db = &shop.app.db;
    let in_use = || db.pools().iter().find(|pool| pool.name == "Writer").unwrap().in_use;
    write(&shop, "PRAGMA busy_timeout = 60000").await.unwrap();
    until("the writer is idle", async || in_use() == 0).await;
    let command = Db::open_aside(shop.app.config.data.database.expose()).await.unwrap();
    let locking = command.begin().await.unwrap();
    let begin = || {
        let db = db.clone();
        tokio::spawn(async move { db.begin().await.map(drop) })
    };
    let dropped = begin();
    until("it has the connection", async || in_use() == 1).await;
    dropped.abort();
    let begun = Instant::now();
    let next = begin();
    until("it has waited for long", async || begun.elapsed() > BUSY).await;
    locking.commit().await.unwrap();
    next.await.unwrap().unwrap();
    command.close().await;
}

/// Also when nobody waits any more for a statement that is running.
async fn who_comes_after_a_dropped_transaction_finds_nothing_of_it(shop: TestShop) {
    const CHANGE: &str = "UPDATE writer_checks SET checks = -1";
    const COUNT: &str = "SELECT COUNT(*) FROM writer_checks WHERE checks = -1";
    let db = TestShop::with(shop.database, |_| {}).await.app.db.clone();
    for is_waited_for in [true, false] {
        let mut tx = db.begin().await.unwrap();
        let mut conn = tx.conn();
        let changing = async { sql!(&mut conn, c => sqlx::query(CHANGE).execute(c).await.map(drop)) };
        tokio::select! {
            biased;
            changed = changing => changed.unwrap(),
            // It has begun.
            () = std::future::ready(()), if !is_waited_for => {}
        }
        drop(tx);
        let mut next = db.begin().await.unwrap();
        let count: i64 = sql!(&mut next.conn(), c => sqlx::query_scalar(COUNT).fetch_one(c).await).unwrap();
        assert_eq!(count, 0);
        next.commit().await.unwrap();
    }
}

async fn touch(conn: &mut Conn<'_>, sku: &str) -> Result<(), DbError> {
    const SQL: &str = "UPDATE stock_levels SET updated_at = updated_at + 1
        WHERE variant_id = (SELECT id FROM product_variants WHERE sku = $1)";
    Ok(sql!(conn, c => sqlx::query(SQL).bind(sku.to_owned()).execute(c).await.map(drop))?)
}

async fn a_deadlock_is_tried_again(OnPostgres(shop): OnPostgres) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let skus = {
        let mut reader = shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        let skus: Vec<String> =
            sql!(&mut conn, c => sqlx::query_scalar("SELECT sku FROM product_variants ORDER BY sku LIMIT 2")
            .fetch_all(c).await)
            .unwrap();
        skus
    };
    let both_hold_one = Barrier::new(2);
    let write = async |first: &str, second: &str| {
        let mut tries = 0;
        transaction!(shop.app.db, conn => {
            tries += 1;
            touch(conn, first).await?;
            if tries == 1 {
                both_hold_one.wait().await;
            }
            touch(conn, second).await
        })
    };
    let (one, other): (Result<(), DbError>, Result<(), DbError>) =
        tokio::join!(write(&skus[0], &skus[1]), write(&skus[1], &skus[0]));
    one.unwrap();
    other.unwrap();
    assert_eq!(shop.app.db.retries(), 1);
}

async fn what_waits_too_long_is_given_up(OnPostgres(shop): OnPostgres) {
    const SKU: &str = "SELECT sku FROM product_variants LIMIT 1";
    let shop = TestShop::with(shop.database, |_| {}).await;
    // Not a connection of the shop, whose transaction PostgreSQL would end after 5 s.
    let mut other = PgConnection::connect(shop.app.config.data.database.expose()).await.unwrap();
    let mut holding = other.begin().await.unwrap();
    let sku: String = sqlx::query_scalar(SKU).fetch_one(&mut *holding).await.unwrap();
    sqlx::query("UPDATE stock_levels SET updated_at = updated_at + 1").execute(&mut *holding).await.unwrap();
    let waiting: Result<(), DbError> = transaction!(shop.app.db, conn => touch(conn, &sku).await);
    assert!(waiting.unwrap_err().is_passing());
    holding.rollback().await.unwrap();
}

const CHANGED: Effect = Effect("a test's own");

/// Counts how often the effect follows a commit.
fn counted(db: &Db) -> impl Fn() -> usize + use<> {
    let seen = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&seen);
    db.after_commit(CHANGED, move |_, _| {
        counter.fetch_add(1, Ordering::Relaxed);
        std::future::ready(())
    });
    move || seen.load(Ordering::Relaxed)
}

async fn an_effect_follows_a_commit_once_and_nothing_else(shop: TestShop) {
    let db = TestShop::with(shop.database, |_| {}).await.app.db.clone();
    let times = counted(&db);
    let mut given_up = db.begin().await.unwrap();
    given_up.conn().after_commit(CHANGED);
    drop(given_up);
    let refused: Result<(), DbError> = transaction!(db, conn => {
        conn.after_commit(CHANGED);
        Err(DbError::Inconsistent("refused"))
    });
    assert!(refused.is_err());
    db.begin().await.unwrap().commit().await.unwrap();
    assert_eq!(times(), 0, "nothing was committed that has it");
    let mut tx = db.begin().await.unwrap();
    for _ in 0..3 {
        tx.conn().after_commit(CHANGED);
    }
    assert_eq!(times(), 0, "not before the commit");
    tx.commit().await.unwrap();
    assert_eq!(times(), 1);
    db.of(Purpose::Jobs).begin().await.unwrap().commit().await.unwrap();
    assert_eq!(times(), 1);
}

/// The database commits although nobody waits for its answer.
async fn an_effect_follows_a_commit_whose_caller_is_gone(shop: TestShop) {
    let db = TestShop::with(shop.database, |_| {}).await.app.db.clone();
    let times = counted(&db);
    let mut tx = db.begin().await.unwrap();
    let change = "UPDATE writer_checks SET checks = -1";
    sql!(&mut tx.conn(), c => sqlx::query(change).execute(c).await.map(drop)).unwrap();
    tx.conn().after_commit(CHANGED);
    tokio::select! {
        biased;
        _ = tx.commit() => {}
        // It has begun to commit.
        () = std::future::ready(()) => {}
    }
    let changed = async || {
        let mut reader = db.read().await.unwrap();
        let count = "SELECT COUNT(*) FROM writer_checks WHERE checks = -1";
        let count: i64 = sql!(&mut reader.conn(), c => sqlx::query_scalar(count).fetch_one(c).await).unwrap();
        count == 1
    };
    until("it is committed", changed).await;
    until("what follows from it is done", async || times() == 1).await;
}

/// Nobody knows whether the database has committed, nor when it will have.
async fn an_effect_follows_a_commit_that_was_not_answered(OnPostgres(_): OnPostgres) {
    let (link, address) = behind_a_link().await;
    let db = Db::open(address.as_str()).await.unwrap();
    let times = counted(&db);
    let mut tx = db.begin().await.unwrap();
    tx.conn().after_commit(CHANGED);
    link.set(State::Cut);
    assert!(tx.commit().await.is_err_and(|error| error.is_passing()));
    assert_eq!(times(), 1);
    until("it is looked at again", async || times() == 2).await;
}

/// What it did is not known, whatever PostgreSQL works on.
async fn a_commit_that_was_lost_on_its_way_is_given_up(OnPostgres(_): OnPostgres) {
    let (link, address) = behind_a_link().await;
    let db = Db::open(address.as_str()).await.unwrap();
    let times = counted(&db);
    let mut tx = db.begin().await.unwrap();
    tx.conn().after_commit(CHANGED);
    link.lose_at("COMMIT");
    let told = timeout(Duration::from_secs(10), tx.commit()).await.expect("a caller waits for no limit");
    assert!(told.is_err_and(|error| error.is_passing()));
    assert_eq!(times(), 1);
}
