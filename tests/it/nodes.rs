//! Two nodes with one PostgreSQL and one Square stand-in. With SQLite there is only one node.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use shop_base::db::Db;
use shop_demo::square::faults::{Fault, Operation, Point, Rule};
use shop_platform::jobs::worker::run_due;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::checkout::crowd::pay_in_a_crowd;
use crate::support::{OnPostgres, QUICK, Test, TestShop, Worker, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    two_hundred_buyers_at_two_nodes,
    the_job_of_a_node_that_dies_is_taken_up,
    jobs_longer_than_a_lease_are_done_once,
    a_session_is_good_and_ends_everywhere,
    a_sale_shows_at_the_other_node,
    a_node_that_cannot_listen_says_so_and_looks_for_changes,
    a_command_that_changes_nothing_is_no_node,
];

/// Counts the provider's captures without failing any.
fn count_captures(bench: &Bench) -> usize {
    let never = Rule { times: 0, ..Rule::once(Operation::CompletePayment, Fault::ServerError) };
    bench.stand_in.faults.add(never)
}

fn matched(bench: &Bench, rule: usize) -> u64 {
    bench.stand_in.faults.counts()[rule].matched
}

async fn two_hundred_buyers_at_two_nodes(OnPostgres(shop): OnPostgres) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 50).await;
    let captures = count_captures(&bench);
    let other = bench.shop.another_node().await;
    let nodes = [bench.shop.clone(), other];
    let cookie = bench.shop.age_cookie();
    let mut buyers = JoinSet::new();
    for at in 0..200 {
        let (node, cookie, order) = (nodes[at % 2].clone(), cookie.clone(), bench.order(PIPE_TOOL, 1).await);
        buyers.spawn(async move { pay_in_a_crowd(&node, &cookie, &order).await });
    }
    let statuses = buyers.join_all().await;
    let count = |wanted: u16| statuses.iter().filter(|status| **status == wanted).count();
    assert_eq!((count(200), count(409)), (50, 150), "{statuses:?}");
    // The workers of both nodes run concurrently: each job is executed by one of them.
    let work = async |node: &TestShop| {
        let mut done = 0;
        loop {
            match run_due(&node.app.worker()).await.unwrap() {
                0 => return done,
                some => done += some,
            }
        }
    };
    let (one, two) = tokio::join!(work(&nodes[0]), work(&nodes[1]));
    assert!(one > 0 && two > 0, "{one} and {two}");
    assert_eq!(matched(&bench, captures), 50, "captures");
    assert_eq!(bench.payments(), vec!["COMPLETED"; 50]);
    bench.assert_books_balance().await;
}

async fn the_job_of_a_node_that_dies_is_taken_up(OnPostgres(shop): OnPostgres) {
    let bench = Bench::start(shop.database).await;
    let other = bench.shop.another_node().await;
    let captures = count_captures(&bench);
    let order = bench.order(PIPE_TOOL, 1).await;
    bench.pay(&order).await.assert_status(200);
    let mut hold = bench.stand_in.faults.hold(Operation::CompletePayment, Point::BeforeAnswer);
    let app = bench.shop.app.clone();
    let dying = tokio::spawn(async move { run_due(&app.worker()).await });
    assert!(hold.reached().await, "in the middle of the capture");
    dying.abort();
    assert!(dying.await.unwrap_err().is_cancelled());
    drop(hold);
    let wait = "SELECT COUNT(*) FROM jobs WHERE name = 'capture_payment'";
    while run_due(&other.app.worker()).await.unwrap() > 0 {}
    assert_eq!((matched(&bench, captures), bench.count(wait).await), (1, 1), "the lease is not over");
    bench.shop.end_leases().await;
    while run_due(&other.app.worker()).await.unwrap() > 0 {}
    assert_eq!(bench.count(wait).await, 0);
    assert_eq!(bench.count("SELECT COUNT(*) FROM payment_attempts WHERE status = 'captured'").await, 1);
    assert_eq!(bench.payments(), ["COMPLETED"]);
    bench.assert_books_balance().await;
}

/// With two and with three nodes, whose workers poll for the jobs all the time.
async fn jobs_longer_than_a_lease_are_done_once(OnPostgres(shop): OnPostgres) {
    let bench = Bench::start(shop.database).await;
    let mut nodes = vec![bench.shop.clone()];
    let mut workers = vec![Worker::start(&nodes[0].app, QUICK)];
    let lease = i64::try_from(QUICK.lease.as_millis()).unwrap();
    for _ in 0..2 {
        let node = bench.shop.another_node().await;
        workers.push(Worker::start(&node.app, QUICK));
        nodes.push(node);
        // With two repetitions of each, which the provider's client begins after 8 s.
        let mut holds = [0; 9].map(|_| bench.stand_in.faults.hold(Operation::CompletePayment, Point::BeforeAnswer));
        for at in 0..3 {
            let order = bench.order(PIPE_TOOL, 1).await;
            let paid = nodes[at % nodes.len()].call("POST", "/api/checkout/pay", &bench.shop.age_cookie(), order).await;
            paid.assert_status(200);
        }
        for hold in &mut holds[..3] {
            assert!(hold.reached().await);
        }
        let renewed = "SELECT COALESCE(MIN(leased_until), 0) FROM jobs WHERE name = 'capture_payment'";
        let first = bench.count(renewed).await;
        until("leases are renewed", async || bench.count(renewed).await > first + lease).await;
        // The number of attempts of the job, not of the provider's client.
        let taken = "SELECT COALESCE(MAX(attempts), 1) FROM jobs WHERE name = 'capture_payment'";
        assert_eq!(bench.count(taken).await, 1);
        bench.stand_in.faults.clear();
        drop(holds);
        let left = "SELECT COUNT(*) FROM jobs WHERE name = 'capture_payment'";
        until("they are done", async || bench.count(left).await == 0).await;
    }
    bench.assert_books_balance().await;
}

async fn a_session_is_good_and_ends_everywhere(OnPostgres(shop): OnPostgres) {
    let one = TestShop::with(shop.database, |_| {}).await;
    let two = one.another_node().await;
    let cookie = one.sign_in("traveler", &[]).await;
    for node in [&one, &two] {
        let me = node.call("GET", "/api/me", &cookie, Value::Null).await.assert_status(200).json();
        assert_eq!(me["email"], "traveler@shop.example");
    }
    let sessions = two.call("GET", "/api/me/sessions", &cookie, Value::Null).await.assert_status(200).json();
    let id = sessions[0]["id"].as_str().unwrap();
    two.call("DELETE", &format!("/api/me/sessions/{id}"), &cookie, Value::Null).await.assert_status(204);
    for node in [&one, &two] {
        node.call("GET", "/api/me", &cookie, Value::Null).await.assert_status(401);
    }
}

async fn a_sale_shows_at_the_other_node(OnPostgres(shop): OnPostgres) {
    /// Less than the minute after which a kept page is confirmed, so only a notification can explain the change.
    const SOON: Duration = Duration::from_secs(15);
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 1).await;
    let other = bench.shop.another_node().await;
    let mut followers = JoinSet::new();
    for app in [bench.shop.app.clone(), other.app.clone()] {
        app.parts.catalog.refresh().await.unwrap();
        followers.spawn(async move { app.parts.catalog.follow().await });
    }
    // Both nodes listen before the first change.
    let listening =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND query LIKE '%FROM pg_stat_activity%'";
    while bench.count(listening).await < 2 {
        sleep(Duration::from_millis(10)).await;
    }
    let quote = bench.quote(&bench.order(PIPE_TOOL, 1).await).await;
    let path = format!("{}/_payload.json", quote["lines"][0]["href"].as_str().unwrap().split('?').next().unwrap());
    let before = other.get(&path).await.assert_status(200).json();
    let listing = other.app.parts.catalog.listing();
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    let shown = async {
        while other.get(&path).await.json()["props"] == before["props"] {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(SOON, shown).await.expect("the page shows that it is sold out");
    until("lists show it, too", async || !Arc::ptr_eq(&other.app.parts.catalog.listing(), &listing)).await;
    assert_ne!(json!(null), before["props"]);
    // So does what staff change, in the sitemap.
    let cookie = bench.shop.sign_in("editor", &["admin"]).await;
    let groups = bench.shop.call("GET", "/admin/products/groups/_payload.json", &cookie, Value::Null).await.json();
    let categories = groups["props"]["categories"].as_array().unwrap();
    let category = categories.iter().find(|each| each["form"]["slug"] == "pipes").unwrap();
    let addresses = async || {
        let sitemap = other.get("/sitemap.xml").await;
        ["pipes", "briars"].map(|slug| sitemap.text().contains(&format!("/category/{slug}<")))
    };
    assert_eq!(addresses().await, [true, false]);
    let mut form = category["form"].clone();
    form["slug"] = json!("briars");
    let call = format!("/api/admin/categories/{}", category["id"].as_str().unwrap());
    bench.shop.call("PUT", &call, &cookie, form).await.assert_status(200);
    let moved = async || other.app.parts.catalog.listing().find_category("briars").is_some();
    until("the other node knows the new address", moved).await;
    assert_eq!(addresses().await, [false, true]);
}

async fn a_node_that_cannot_listen_says_so_and_looks_for_changes(OnPostgres(shop): OnPostgres) {
    const LISTENERS: &str = "FROM pg_stat_activity WHERE datname = current_database()
        AND query LIKE 'SELECT DISTINCT application_name FROM pg_stat_activity%'";
    let shop = TestShop::with(shop.database, |_| {}).await;
    let (server, name) = shop.app.config.data.database.expose().rsplit_once('/').unwrap();
    let mut here = PgConnection::connect(&format!("{server}/{name}")).await.unwrap();
    let mut elsewhere = PgConnection::connect(&format!("{server}/postgres")).await.unwrap();
    let mut followers = JoinSet::new();
    let app = shop.app.clone();
    followers.spawn(async move {
        tokio::join!(app.parts.catalog.follow(), app.parts.settings.follow(&app, || {}));
    });
    let listeners = format!("SELECT COUNT(*) {LISTENERS}");
    while sqlx::query_scalar::<_, i64>(AssertSqlSafe(listeners.as_str())).fetch_one(&mut here).await.unwrap() < 2 {
        sleep(Duration::from_millis(10)).await;
    }
    let listens = async || shop.get("/readyz").await.json()["listening"] == true;
    assert!(listens().await);
    // Those that are open go on working.
    let refuse = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false");
    elsewhere.execute(AssertSqlSafe(refuse)).await.unwrap();
    here.execute(AssertSqlSafe(format!("SELECT pg_terminate_backend(pid) {LISTENERS}"))).await.unwrap();
    until("it says so", async || !listens().await).await;

    // As another node does, whose message is not heard.
    here.execute("UPDATE product_variants SET price = 77, compare_at_price = NULL").await.unwrap();
    const RENAME: &str = r#"UPDATE settings SET value = '{"name":"Renamed","email":"","phone":"","address":"","legal_line":""}'
        WHERE name = 'company'"#;
    here.execute(RENAME).await.unwrap();
    until("lists and texts show it after half a minute", async || {
        shop.clock.advance(30_000);
        let listing = shop.app.parts.catalog.listing();
        listing.listed().all(|each| each.card.price.amount == 77) && shop.app.texts().company.name == "Renamed"
    })
    .await;

    let allow = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true");
    elsewhere.execute(AssertSqlSafe(allow)).await.unwrap();
    until("it listens again", listens).await;
}

/// When a node is gone, the others drop all kept pages, also from a shared cache.
async fn a_command_that_changes_nothing_is_no_node(OnPostgres(shop): OnPostgres) {
    let bench = Bench::start(shop.database).await;
    const COMMANDS: &str = "SELECT COUNT(DISTINCT application_name) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'shop-command %'";
    let address = bench.shop.app.config.data.database.expose();
    let node = Db::open(address).await.unwrap();
    assert_eq!(bench.count(COMMANDS).await, 0);
    let aside = Db::open_aside(address).await.unwrap();
    assert_eq!(bench.count(COMMANDS).await, 1);
    aside.close().await;
    node.close().await;
}
