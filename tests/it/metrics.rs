//! `/metrics` of a running shop, and the files in `deploy/observability` that read it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use shop::serve::{Listeners, Stop, serve};
use shop_base::config::Http;
use shop_http::connections::Connections;
use shop_http::connections::limits::Limits;
use shop_http::metrics::endpoint;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tower::ServiceExt;

use crate::admin::orders::version;
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::checkout::pickups::waiting;
use crate::support::{Answer, Test, TestShop, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    figures_follow_what_happens,
    a_payment_without_an_outcome_and_a_database_that_is_away_are_seen,
    every_metric_is_documented_and_every_file_names_metrics_that_exist,
];

/// A shop that serves on sockets.
struct Running {
    bench: Bench,
    shop: SocketAddr,
    metrics: SocketAddr,
    stop: oneshot::Sender<()>,
    server: JoinHandle<std::io::Result<()>>,
}

impl Running {
    async fn start(shop: &TestShop) -> Self {
        let bench = Bench::configured(shop.database, |config| {
            config.http.address = SocketAddr::from(([127, 0, 0, 1], 0));
            config.http.metrics = Some(config.http.address);
        })
        .await;
        let listeners = Listeners::bind(&bench.shop.app.config.http).await.unwrap();
        let (shop, metrics) =
            (listeners.shop.local_addr().unwrap(), listeners.metrics.as_ref().unwrap().local_addr().unwrap());
        let (stop, told) = oneshot::channel::<()>();
        let server = tokio::spawn(serve(bench.shop.app.clone(), listeners, async move {
            let _ = told.await;
            Stop::Now
        }));
        Self { bench, shop, metrics, stop, server }
    }

    async fn status(&self, address: SocketAddr, path: &str) -> u16 {
        reqwest::get(format!("http://{address}{path}")).await.unwrap().status().as_u16()
    }

    async fn scrape(&self) -> Scrape {
        let answer = reqwest::get(format!("http://{}/metrics", self.metrics)).await.unwrap();
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()["content-type"], "text/plain; version=0.0.4; charset=utf-8");
        Scrape::read(&answer.text().await.unwrap())
    }

    async fn end(self) {
        self.stop.send(()).unwrap();
        self.server.await.unwrap().unwrap();
    }
}

/// What a scrape has: samples by name and labels, as written, and the types of metrics.
struct Scrape {
    samples: BTreeMap<String, f64>,
    types: BTreeMap<String, String>,
}

impl Scrape {
    fn read(text: &str) -> Self {
        let (mut samples, mut types) = (BTreeMap::new(), BTreeMap::new());
        for line in text.lines() {
            if let Some(declared) = line.strip_prefix("# TYPE ") {
                let (name, kind) = declared.split_once(' ').unwrap();
                assert_eq!(types.insert(name.to_owned(), kind.to_owned()), None, "{name} is there twice");
            } else if !line.starts_with('#') {
                let (sample, value) = line.rsplit_once(' ').unwrap();
                let value = value.parse().unwrap_or_else(|_| panic!("{line}"));
                assert_eq!(samples.insert(sample.to_owned(), value), None, "{sample} is there twice");
            }
        }
        Self { samples, types }
    }

    /// Zero if there is no such sample.
    fn get(&self, sample: &str) -> f64 {
        self.samples.get(sample).copied().unwrap_or(0.0)
    }

    /// The names of all samples.
    fn names(&self) -> BTreeSet<&str> {
        self.samples.keys().map(|sample| sample.split('{').next().unwrap()).collect()
    }

    /// The labels of a metric's samples, without the bounds of buckets.
    fn labels(&self, metric: &str) -> BTreeSet<&str> {
        let rest = self.samples.keys().filter_map(|sample| {
            let rest = sample.strip_prefix(metric)?;
            ["_bucket", "_sum", "_count"].iter().find_map(|suffix| rest.strip_prefix(suffix)).or(Some(rest))
        });
        let labels = rest.filter_map(|rest| rest.strip_prefix('{')?.strip_suffix('}'));
        let named = labels.flat_map(|labels| labels.split("\",")).filter_map(|label| Some(label.split_once('=')?.0));
        named.filter(|label| *label != "le").collect()
    }

    /// The values of a label in a metric's samples.
    fn values(&self, metric: &str, label: &str) -> BTreeSet<&str> {
        let begin = format!("{metric}{{{label}=\"");
        let rest = self.samples.keys().filter_map(|sample| sample.strip_prefix(&begin));
        rest.filter_map(|rest| rest.split('"').next()).collect()
    }
}

async fn figures_follow_what_happens(shop: TestShop) {
    let running = Running::start(&shop).await;
    let bench = &running.bench;
    // The first one is rendered, the others are kept.
    for _ in 0..3 {
        assert_eq!(running.status(running.shop, "/product/no-such-product/_payload.json").await, 404);
        assert_eq!(running.status(running.shop, "/products").await, 200);
    }
    assert_eq!(running.status(running.shop, "/no/such/page").await, 404);
    let before = running.scrape().await;
    let kept = r#"shop_http_requests_total{route="/products",status="2xx"}"#;
    assert_eq!(before.get(kept), 3.0, "those with a kept page, too");
    assert_eq!(before.get(r#"shop_http_request_duration_seconds_count{route="/products"}"#), 3.0);
    assert_eq!(before.get(r#"shop_http_request_duration_seconds_bucket{route="/products",le="+Inf"}"#), 3.0);
    assert_eq!(before.get(r#"shop_http_requests_total{route="/product/{id}/_payload.json",status="4xx"}"#), 3.0);
    assert_eq!(before.get(r#"shop_http_requests_total{route="none",status="4xx"}"#), 1.0);
    assert_eq!(before.get("shop_http_requests_in_flight"), 0.0);
    let _open = TcpStream::connect(running.shop).await.unwrap();
    until("the connection is counted", async || running.scrape().await.get("shop_http_connections") == 1.0).await;
    // On PostgreSQL all pages end when the node begins to listen to the others.
    until("pages are kept", async || {
        assert_eq!(running.status(running.shop, "/products").await, 200);
        running.scrape().await.get(r#"shop_page_cache_requests_total{answer="kept"}"#) >= 2.0
    })
    .await;
    assert!(before.get(r#"shop_page_cache_requests_total{answer="rendered"}"#) >= 1.0);
    assert!(before.get(r#"shop_renders_total{result="ok"}"#) >= 1.0);
    assert!(before.get("shop_render_duration_seconds_sum") > 0.0);
    assert!(before.get("shop_render_wait_seconds_count") >= 1.0);
    assert_eq!(before.get(r#"shop_isolates{state="ready"}"#), 1.0);
    assert!(before.get("shop_db_wait_seconds_count{pool=\"shoppers\"}") > 0.0);
    assert!(before.get("process_resident_memory_bytes") > 1e6 && before.get("process_cpu_seconds_total") > 0.0);
    assert!(before.get("process_open_fds") > 5.0 && before.get("shop_disk_free_bytes") > 0.0);

    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    let (number, _) = waiting(bench).await;
    let staff = bench.shop.sign_in("packer", &["staff"]).await;
    let taking = format!("/api/admin/orders/{number}/payment");
    until("staff take the money for an order", async || {
        let version = version(&bench.shop, &number).await;
        let takings = json!({ "version": version, "tender": "cash", "id_checked": true });
        bench.shop.call("POST", &taking, &staff, takings).await.status == 204
    })
    .await;
    bench.shop.post("/webhooks/square", "application/json", "{}").await.assert_status(401);
    bench.shop.get("/api/me").await.assert_problem(401, "unauthorized");
    let report = json!({ "message": "x is undefined", "stack": "at y", "url": "/cart", "build": "b", "kind": "mount" });
    while bench.shop.post_json("/api/client-errors", report.to_string()).await.status != 429 {}
    until("the payment is captured by a job", async || {
        running.scrape().await.get(r#"shop_job_runs_total{kind="capture_payment",result="done"}"#) >= 1.0
    })
    .await;
    let after = running.scrape().await;
    // Other shops of this process are counted, too.
    let grew = |sample: &str, by: f64| assert!(after.get(sample) - before.get(sample) >= by, "{sample}");
    grew(r#"shop_orders_placed_total{delivery="shipping"}"#, 1.0);
    grew(r#"shop_order_value_cents_total{currency="USD"}"#, 100.0);
    grew(r#"shop_payments_total{status="authorized"}"#, 1.0);
    grew(r#"shop_payments_total{status="due"}"#, 1.0);
    grew(r#"shop_payments_total{status="captured"}"#, 2.0);
    grew(r#"shop_webhooks_received_total{result="bad_signature"}"#, 1.0);
    grew(r#"shop_security_events_total{event="webhook_signature"}"#, 1.0);
    grew(r#"shop_limit_hits_total{limit="client_errors"}"#, 1.0);
    grew(r#"shop_db_transaction_seconds_count{pool="shoppers"}"#, 1.0);
    assert_eq!(after.get("shop_db_up"), 1.0);
    assert_eq!(after.get("shop_unknown_payment_age_seconds"), 0.0);
    assert!(after.samples.contains_key(r#"shop_jobs{kind="reconcile",state="dead"}"#));

    assert_eq!(running.status(running.shop, "/metrics").await, 404, "not where the shop is");
    assert_eq!(running.status(running.metrics, "/").await, 404, "and nothing else where it is");
    let taken = Http { metrics: Some(running.metrics), ..bench.shop.app.config.http.clone() };
    let refused = Listeners::bind(&taken).await.unwrap_err().to_string();
    assert!(refused.starts_with(&format!("SHOP_METRICS_ADDRESS {}: ", running.metrics)), "{refused}");
    running.end().await;
}

/// Scrapes a shop without workers, which would find out what became of the payment.
async fn scrape_at_rest(shop: &TestShop) -> Scrape {
    let connections = Connections::new(Limits::of_process(), shop.app.config.http.trusted_proxies.clone());
    let router = endpoint::router(shop.app.metrics(connections));
    let answer =
        Answer::read(router.oneshot(Request::get("/metrics").body(Body::empty()).unwrap()).await.unwrap()).await;
    Scrape::read(answer.assert_status(200).text())
}

async fn a_payment_without_an_outcome_and_a_database_that_is_away_are_seen(shop: TestShop) {
    const ANSWERED: &str =
        "INSERT INTO refunds (id, order_id, attempt_id, idempotency_key, amount, reason, status, provider_refund_id,
        created_at, updated_at)
        SELECT id, order_id, id, 'K1', 100, '', 'pending', 'R1', created_at, created_at FROM payment_attempts";
    const UNANSWERED: &str =
        "INSERT INTO refunds (id, order_id, attempt_id, idempotency_key, amount, reason, status, created_at, updated_at)
        SELECT order_id, order_id, id, 'K2', 100, '', 'pending', created_at + 600000, created_at + 600000
        FROM payment_attempts";
    let bench = Bench::start(shop.database).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.execute("UPDATE payment_attempts SET status = 'unknown'").await;
    bench.execute("UPDATE jobs SET dead_at = 1 WHERE name = 'capture_payment'").await;
    bench.execute(ANSWERED).await;
    bench.execute(UNANSWERED).await;
    bench.shop.clock.advance(20 * 60 * 1000);
    let scrape = scrape_at_rest(&bench.shop).await;
    assert_eq!(scrape.get("shop_unknown_payment_age_seconds"), 1_200.0);
    assert_eq!(scrape.get(r#"shop_open_payments{status="unknown"}"#), 1.0);
    assert_eq!(scrape.get("shop_pending_refunds"), 2.0);
    assert_eq!(scrape.get("shop_pending_refund_age_seconds"), 1_200.0);
    assert_eq!(scrape.get("shop_unanswered_refund_age_seconds"), 600.0, "the other one has an answer");
    assert_eq!(scrape.get(r#"shop_jobs{kind="capture_payment",state="dead"}"#), 1.0);
    assert_eq!(scrape.get(r#"shop_job_overdue_seconds{kind="reconcile"}"#), 1_200.0);
    bench.shop.app.db.close().await;
    let scrape = scrape_at_rest(&bench.shop).await;
    assert_eq!(scrape.get("shop_db_up"), 0.0);
    assert!(!scrape.names().contains("shop_jobs") && scrape.names().contains("shop_http_requests_total"));
}

async fn every_metric_is_documented_and_every_file_names_metrics_that_exist(shop: TestShop) {
    let running = Running::start(&shop).await;
    assert_eq!(running.status(running.shop, "/").await, 200);
    until("some jobs ran", async || running.scrape().await.names().contains("shop_job_runs_total")).await;
    let scrape = running.scrape().await;
    running.end().await;

    let documented = documented();
    let metrics: BTreeSet<&str> = scrape.types.keys().map(String::as_str).collect();
    let in_the_table: BTreeSet<&str> = documented.keys().copied().collect();
    assert_eq!(metrics, in_the_table, "the table in docs/OPERATIONS.md has the metrics of a scrape");
    for (metric, Documented { kind, labels, values }) in &documented {
        assert_eq!(scrape.types[*metric], *kind, "{metric}");
        assert_eq!(scrape.labels(metric), *labels, "labels of {metric}");
        if labels.len() == 1 && !values.is_empty() {
            let unknown: Vec<&str> =
                scrape.values(metric, labels.first().unwrap()).difference(values).copied().collect();
            assert!(unknown.is_empty(), "the row of {metric} lacks {unknown:?}");
        }
        let is_convention = match *kind {
            "counter" => metric.ends_with("_total"),
            _ => !metric.ends_with("_total"),
        };
        assert!(is_convention, "{metric} is a {kind}");
    }

    let names = scrape.names();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/observability");
    for file in ["alerts.yml", "alerts.test.yml", "dashboard.json"] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let named: BTreeSet<&str> =
            words.filter(|word| word.starts_with("shop_") || word.starts_with("process_")).collect();
        assert!(named.len() > 10, "{file} names {named:?}");
        let unknown: Vec<_> = named.difference(&names).collect();
        assert!(unknown.is_empty(), "{file} names what no scrape has: {unknown:?}");
    }
    let dashboard = fs::read_to_string(folder.join("dashboard.json")).unwrap();
    assert!(!dashboard.contains("[1m]"), "Prometheus scrapes once a minute, unless it is told to do so more often");
    let dashboard: Value = serde_json::from_str(&dashboard).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let ids: BTreeSet<_> = panels.iter().map(|panel| panel["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len(), "each panel has an id of its own");
}

/// What the table of docs/OPERATIONS.md says of a metric.
struct Documented {
    kind: &'static str,
    labels: BTreeSet<&'static str>,
    /// Of its only label, if its meaning names them.
    values: BTreeSet<&'static str>,
}

fn documented() -> BTreeMap<&'static str, Documented> {
    let text = include_str!("../../docs/OPERATIONS.md");
    let table = text.split("\n## Metrics\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let quoted = |cell: &'static str| cell.split('`').skip(1).step_by(2).collect();
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let documented = Documented { kind: cells[2], labels: quoted(cells[3]), values: quoted(cells[4]) };
        (cells[1].trim_matches('`'), documented)
    })
    .collect()
}
