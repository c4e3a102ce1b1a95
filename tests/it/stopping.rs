//! A node that is stopped under load, behind a load balancer that polls `/readyz`, loses no request and no payment; and it does end. So does one
//! that stands still.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use shop::serve::{Stop, serve};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::timeout;
use uuid::Uuid;

use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::ports::free_port;
use crate::support::program::Program;
use crate::support::{Test, TestShop, rounds, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_stop_under_load_loses_nothing,
    a_stop_waits_for_no_connection_that_stays_in_use,
    a_node_that_stands_still_ends_itself,
];

const CLIENTS: usize = 24;
/// How often the balancer polls; it notices the stop while the node is still serving.
const ASKED_EVERY: Duration = Duration::from_millis(20);
const DRAIN: Duration = Duration::from_secs(15);
const LIMIT: Duration = Duration::from_secs(60);

/// State shared by the clients.
struct Load {
    origin: String,
    cookie: String,
    order: Value,
    /// The balancer sends no more requests to the node.
    is_away: AtomicBool,
    answered: AtomicUsize,
    paid: AtomicUsize,
    stopping: AtomicUsize,
}

impl Load {
    /// Counts the responses of a node that is stopping.
    fn note(&self, answer: &Response) {
        if answer.headers().get("connection").is_some_and(|value| value == "close") {
            self.stopping.fetch_add(1, Ordering::Relaxed);
        }
    }
}

async fn a_stop_under_load_loses_nothing(shop: TestShop) {
    let mut bench = Bench::configured(shop.database, |config| config.http.drain = DRAIN).await;
    bench.stock(PIPE_TOOL, 100_000).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let load = Arc::new(Load {
        origin: format!("http://{}", listener.local_addr().unwrap()),
        cookie: bench.shop.age_cookie(),
        order: bench.order(PIPE_TOOL, 1).await,
        is_away: AtomicBool::new(false),
        answered: AtomicUsize::new(0),
        paid: AtomicUsize::new(0),
        stopping: AtomicUsize::new(0),
    });
    let (stop, told) = oneshot::channel::<()>();
    let app = bench.shop.app.clone();
    let server = tokio::spawn(serve(app, listener.into(), async move {
        let _ = told.await;
        Stop::Drained
    }));
    let mut clients = JoinSet::new();
    clients.spawn(balancer(Arc::clone(&load)));
    for number in 0..CLIENTS {
        clients.spawn(client(Arc::clone(&load), number));
    }
    let wanted = rounds(1_000, 10_000);
    timeout(LIMIT * 10, async {
        while load.answered.load(Ordering::Relaxed) < wanted {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("the load is served");
    stop.send(()).unwrap();
    timeout(LIMIT, clients.join_all()).await.expect("the balancer learns of it");
    timeout(LIMIT, server).await.expect("it ends").unwrap().unwrap();
    assert!(load.stopping.load(Ordering::Relaxed) > 0, "requests came while it was leaving");
    let db = shop_base::db::Db::open(bench.shop.app.config.data.database.expose()).await.unwrap();
    let mut reader = db.read().await.unwrap();
    let mut conn = reader.conn();
    let placed: i64 =
        shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT COUNT(*) FROM orders WHERE status = 'placed'")
        .fetch_one(c).await)
        .unwrap();
    assert_eq!(placed, i64::try_from(load.paid.load(Ordering::Relaxed)).unwrap());
    assert!(placed > 0);
}

/// Polls the node's readiness as a balancer does. As usual in practice, some clients notice the stop earlier.
async fn balancer(load: Arc<Load>) {
    let http = Client::new();
    loop {
        let answer = http.get(format!("{}/readyz", load.origin)).send().await.expect("it answers until it is left");
        match answer.status() {
            StatusCode::SERVICE_UNAVAILABLE if load.stopping.load(Ordering::Relaxed) > 0 => {
                load.is_away.store(true, Ordering::Relaxed);
                return;
            }
            StatusCode::SERVICE_UNAVAILABLE => {}
            status => assert_eq!(status, StatusCode::OK),
        }
        tokio::time::sleep(ASKED_EVERY).await;
    }
}

/// Reads and buys over keep-alive connections until the balancer stops sending requests. A lost request fails the test.
async fn client(load: Arc<Load>, number: usize) {
    let http = Client::new();
    let mut step = number;
    while !load.is_away.load(Ordering::Relaxed) {
        let path = match step % 8 {
            0 => {
                pay(&load, &http).await;
                load.answered.fetch_add(1, Ordering::Relaxed);
                step += 1;
                continue;
            }
            1..=4 => "/products".to_owned(),
            // A different page each time, which is not cached.
            5 => format!("/products?min_price={}", 1 + step % 500),
            6 => "/product/double-blade-cutter".to_owned(),
            _ => "/api/search/suggest?q=pipe".to_owned(),
        };
        let answer = http.get(format!("{}{path}", load.origin)).header("cookie", &load.cookie).send().await;
        let answer = answer.unwrap_or_else(|error| panic!("{path} is lost: {error:?}"));
        load.note(&answer);
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.bytes().await.unwrap_or_else(|error| panic!("{path} is cut: {error:?}"));
        load.answered.fetch_add(1, Ordering::Relaxed);
        step += 1;
    }
}

async fn pay(load: &Load, http: &Client) {
    let mut order = load.order.clone();
    order["checkout_id"] = json!(Uuid::now_v7());
    order["click_id"] = json!(Uuid::now_v7());
    let request = http
        .post(format!("{}/api/checkout/pay", load.origin))
        .header("cookie", &load.cookie)
        .header("sec-fetch-site", "same-origin")
        .json(&order);
    let answer = request.send().await.unwrap_or_else(|error| panic!("a payment is lost: {error:?}"));
    load.note(&answer);
    assert_eq!(answer.status(), StatusCode::OK, "{}", answer.text().await.unwrap_or_default());
    load.paid.fetch_add(1, Ordering::Relaxed);
}

/// Such as that of a download whose reader has stalled.
async fn a_stop_waits_for_no_connection_that_stays_in_use(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let in_use = shop.app.for_staff().db.read().await.unwrap();
    let stopping = serve(shop.app.clone(), listener.into(), std::future::ready(Stop::Now));
    timeout(LIMIT, stopping).await.expect("it ends").unwrap();
    drop(in_use);
}

/// One that somebody has stopped for as long goes on.
async fn a_node_that_stands_still_ends_itself() {
    // More than it may stand still, and than its last words may take.
    const LONG: Duration = Duration::from_secs(50);
    let start = async || {
        let port = free_port();
        let origin = format!("http://localhost:{port}");
        Program::node(port, "sqlite:shop.db", &[("SHOP_ORIGIN", origin.as_str()), ("SHOP_CLOCK_SHIFT", "0")]).await
    };
    let (mut still, stopped) = tokio::join!(start(), start());
    stopped.signal("STOP").await;
    still.order("hang").await;
    let status = still.end_within(LONG).await;
    assert_eq!(status.code(), Some(134), "{}", still.log());
    assert!(still.log().contains("the program stands still"), "{}", still.log());
    stopped.signal("CONT").await;
    let begun = Instant::now();
    until("it is watched again", async || begun.elapsed() > Duration::from_secs(3)).await;
    assert_eq!(stopped.get("/healthz").await.status(), 200, "{}", stopped.log());
}
