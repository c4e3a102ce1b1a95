//! What operators and browsers need besides pages: health checks, builds, headers, caches, files.

use std::fs;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Instant;

use axum::body::Body;
use axum::http::{Request, header};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD as BASE64, URL_SAFE_NO_PAD};
use serde_json::json;
use sha2::{Digest, Sha256};
use shop_base::db::{Db, Purpose, Reader};
use shop_base::record::RECORD;
use shop_domain::catalog::changes::Change;
use shop_platform::builds;
use tracing::Level;
use tracing::instrument::WithSubscriber;
use tracing_subscriber::fmt::format::FmtSpan;
use uuid::Uuid;

use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::reports::execute;
use crate::support::{Answer, OnSqlite, Test, TestShop, temporary_folder, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    health_and_readiness,
    what_is_wrong_with_a_node_is_logged_once,
    what_is_needed_later_is_logged_however_little_else_is,
    a_node_that_starts_is_ready_when_searches_do_not_wait,
    builds_are_announced,
    every_file_of_a_page_answers,
    files_of_other_builds_are_sent,
    pictures_may_be_shown_in_emails,
    it_says_where_vulnerabilities_are_reported,
    passwords_are_changed_where_the_account_is,
    answers_carry_security_headers,
    pages_are_compressed_and_revalidated,
    answers_to_calls_are_compressed_at_once,
    no_request_is_refused_for_its_encodings,
    kept_pages_know_only_their_own_parameters,
    browser_errors_are_taken_in_bounds,
    the_beacon_is_named_only_when_configured,
    secrets_are_stored_nowhere,
    no_log_has_the_id_of_a_checkout,
    a_network_and_an_account_may_ask_for_so_much,
    an_account_may_look_so_often,
    shoppers_leave_staff_their_connections,
    made_up_tokens_leave_staff_their_connections,
    suggestions_ask_nothing_of_the_database,
    what_attacks_consist_of_is_counted,
    what_strangers_write_is_logged_in_bounds,
    what_strangers_write_moves_no_cursor,
    a_flood_of_refusals_is_logged_in_bounds,
    only_the_checkout_may_load_the_card_form,
    the_api_is_described,
    the_kinds_of_jobs_are_documented,
];

async fn health_and_readiness(shop: TestShop) {
    assert_eq!(shop.get("/healthz").await.assert_status(200).text(), "ok");
    let ready = shop.get("/readyz").await.assert_status(200).json();
    let state = json!({
        "ready": true, "isolates": true, "searches": true, "database": true, "writer": true, "jobs": true,
        "listening": true, "stopping": false,
    });
    assert_eq!(ready, state);
}

/// What is logged in the meantime, of these acts only.
async fn logged(acts: impl Future<Output = ()>) -> String {
    logged_as("info", acts).await
}

/// The same as a shop in operation writes it, where fewer characters are escaped.
async fn logged_as_json(acts: impl Future<Output = ()>) -> String {
    let log = temporary_folder().join("log");
    let file = fs::File::create(&log).unwrap();
    let listening = tracing_subscriber::fmt().json().with_env_filter("info").with_writer(file).finish();
    acts.with_subscriber(listening).await;
    fs::read_to_string(log).unwrap()
}

/// The same with a value of `RUST_LOG`.
async fn logged_as(filter: &str, acts: impl Future<Output = ()>) -> String {
    let log = temporary_folder().join("log");
    let listening = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_env_filter(filter)
        .with_writer(fs::File::create(&log).unwrap())
        .finish();
    acts.with_subscriber(listening).await;
    fs::read_to_string(log).unwrap()
}

async fn what_is_wrong_with_a_node_is_logged_once(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let probing = async {
        let is = async |status: u16| shop.get("/readyz").await.status == status;
        execute(&shop, "ALTER TABLE writer_checks RENAME TO hidden_checks").await;
        until("it cannot write", async || is(503).await).await;
        for _ in 0..10 {
            assert!(is(503).await);
        }
        execute(&shop, "ALTER TABLE hidden_checks RENAME TO writer_checks").await;
        until("it can write", async || is(200).await).await;
        assert!(is(200).await);
    };
    let log = logged(probing).await;
    for said in ["the database cannot be written to", "the database can be written to again"] {
        assert_eq!(log.matches(said).count(), 1, "{said}: {log}");
    }
}

/// The ids of requests, and what a restore asks for.
async fn what_is_needed_later_is_logged_however_little_else_is(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("leaves", &["customer"]).await;
    let report = json!({ "message": "x is undefined", "url": "/cart" });
    let mut id = String::new();
    let acts = async {
        let answer = shop.post_json("/api/client-errors", report.to_string()).await;
        id = answer.assert_status(204).header("x-request-id").to_owned();
        let confirm = json!({ "confirm": "leaves@shop.example" });
        shop.call("DELETE", "/api/me", &cookie, confirm).await.assert_status(204);
    };
    let log = logged_as(&format!("warn,{RECORD}=info"), acts).await;
    let says = |what: &str, id: &str| log.lines().any(|line| line.contains(what) && line.contains(id));
    assert!(!id.is_empty() && says("an error in a browser", &format!("id=\"{id}\"")), "{id}: {log}");
    assert!(says("an account was deleted", "user="), "{log}");
}

async fn a_node_that_starts_is_ready_when_searches_do_not_wait(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let app = shop.app.clone();
    let mut following = pin!(app.parts.catalog.follow());
    // Once, so that its time does not pass.
    assert!(poll_fn(|cx| Poll::Ready(following.as_mut().poll(cx).is_pending())).await);
    let state = shop.get("/readyz").await.assert_status(503).json();
    assert_eq!((&state["searches"], &state["database"]), (&json!(false), &json!(true)));
    tokio::select! {
        () = following => panic!("it ended"),
        () = until("it is ready", async || shop.get("/readyz").await.status == 200) => {}
    }
}

async fn builds_are_announced(shop: TestShop) {
    let latest = shop.get("/builds/latest.json").await.assert_status(200).json();
    let id = latest["id"].as_str().unwrap();
    assert_eq!(id, shop.get("/").await.envelope()["shared"]["build"]);
    let meta = shop.get(&format!("/builds/meta/{id}.json")).await.assert_status(200).json();
    assert!(meta["pages"]["catalog/product"]["js"].as_array().unwrap().iter().all(|js| js.is_string()));
    shop.get("/builds/meta/no-such-build.json").await.assert_status(404);
}

/// Addresses of the files that the home page names.
async fn files(shop: &TestShop) -> Vec<String> {
    let answer = shop.get("/").await;
    let html = answer.text();
    assert!(!html.contains(".map"), "source maps are kept apart");
    let found = html.match_indices("/assets/").map(|(at, _)| html[at..].split(['"', ' ']).next().unwrap().to_owned());
    let files: Vec<String> = found.collect();
    assert!(files.len() >= 7, "{files:?}");
    files
}

/// In a rolling deployment, where a page may ask any node.
async fn files_of_other_builds_are_sent(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    for _ in 0..2 {
        builds::service::publish(&shop.app, &shop.app.site()).await.unwrap();
    }
    // As another build's.
    execute(&shop, "UPDATE build_files SET path = 'assets/other-' || substr(path, 8)").await;
    for path in files(&shop).await {
        for encoding in ["br", "gzip", "identity"] {
            let get = async |path: &str| {
                let request = Request::get(path).header(header::ACCEPT_ENCODING, encoding);
                shop.send(request.body(Body::empty()).unwrap()).await
            };
            let (own, other) = (get(&path).await, get(&path.replace("/assets/", "/assets/other-")).await);
            assert_eq!(other.assert_status(200).body, own.body, "{path}");
            for name in ["content-type", "content-encoding", "cache-control", "vary"] {
                assert_eq!(other.header(name), own.header(name), "{path}");
            }
        }
    }
    shop.get("/assets/other-no-such-file.js").await.assert_status(404);
}

async fn every_file_of_a_page_answers(shop: TestShop) {
    for path in &files(&shop).await {
        let file = shop.get(path).await;
        assert_eq!(file.assert_status(200).header("cache-control"), "public, max-age=31536000, immutable");
        assert_ne!(file.header("content-type"), "application/octet-stream", "{path}");
        for encoding in ["br", "zstd"] {
            let request = Request::get(path).header(header::ACCEPT_ENCODING, encoding).body(Body::empty()).unwrap();
            let compressed = shop.send(request).await;
            if path.ends_with(".woff2") {
                assert_eq!(compressed.header("content-encoding"), "", "{path} is compressed already");
                assert_eq!(compressed.header("content-length"), file.body.len().to_string());
            } else if encoding == "zstd" && file.body.len() < 1024 {
                assert_eq!(compressed.body, file.body, "{path} fits into one packet as it is");
            } else {
                assert_eq!(compressed.header("content-encoding"), encoding, "{path}");
                assert!(compressed.body.len() < file.body.len());
            }
        }
    }
    shop.get("/assets/no-such-file.js").await.assert_status(404);
}

/// The hash of a document's only inline script that is not a mere data block.
async fn hash_of_rules(shop: &TestShop) -> String {
    let html = shop.get("/").await.assert_status(200).text().to_owned();
    let (_, rest) = html.split_once("<script type=\"speculationrules\">").unwrap();
    BASE64.encode(Sha256::digest(rest.split_once("</script>").unwrap().0))
}

async fn answers_carry_security_headers(shop: TestShop) {
    let rules = hash_of_rules(&shop).await;
    for path in ["/", "/no/such/page", "/api/no-such-call", "/robots.txt"] {
        let answer = shop.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains(&format!("script-src 'self' 'sha256-{rules}';")), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'"));
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
        // A kept page is not logged.
        assert_eq!(answer.header("x-request-id").is_empty(), path == "/");
    }
}

async fn pictures_may_be_shown_in_emails(shop: TestShop) {
    let icon = shop.get("/icon.svg").await;
    assert_eq!(icon.assert_status(200).header("cross-origin-resource-policy"), "cross-origin");
    let picture = shop.get("/images/none-320.avif").await;
    assert_eq!(picture.header("cross-origin-resource-policy"), "cross-origin");
}

async fn it_says_where_vulnerabilities_are_reported(shop: TestShop) {
    let answer = shop.get("/.well-known/security.txt").await;
    assert_eq!(answer.assert_status(200).header("content-type"), "text/plain; charset=utf-8");
    let field = |name: &str| {
        let start = format!("{name}: ");
        answer
            .text()
            .lines()
            .find_map(|line| line.strip_prefix(&start))
            .unwrap_or_else(|| panic!("no {name}"))
            .to_owned()
    };
    assert!(field("Contact").starts_with("mailto:"));
    assert_eq!(field("Canonical"), "http://localhost:8787/.well-known/security.txt");
    let expires: jiff::Timestamp = field("Expires").parse().unwrap();
    let days = (expires.as_millisecond() - shop.app.clock.now_ms()) / 86_400_000;
    assert!((100..365).contains(&days), "{days} days");
}

async fn passwords_are_changed_where_the_account_is(shop: TestShop) {
    let answer = shop.get("/.well-known/change-password").await;
    let place = answer.assert_status(303).header("location").to_owned();
    assert!(place.ends_with("/account"), "{place}");
}

async fn pages_are_compressed_and_revalidated(shop: TestShop) {
    let ask = async |name: header::HeaderName, value: &str| {
        shop.send(Request::get("/products").header(name, value).body(Body::empty()).unwrap()).await
    };
    let plain = shop.get("/products").await;
    for encoding in ["br", "gzip"] {
        let compressed = ask(header::ACCEPT_ENCODING, encoding).await;
        assert_eq!(compressed.header("content-encoding"), encoding);
        assert!(compressed.body.len() * 3 < plain.body.len());
    }
    let etag = plain.header("etag").to_owned();
    let unchanged = ask(header::IF_NONE_MATCH, &etag).await;
    assert!(unchanged.assert_status(304).body.is_empty());
    assert!(plain.header("vary").contains("cookie"));
}

/// An encoder that was made for one of them would allocate more than the rest of the call, and would not know how long it is.
async fn answers_to_calls_are_compressed_at_once(shop: TestShop) {
    let ask = async |path: &str, encoding: &str| {
        shop.send(Request::get(path).header(header::ACCEPT_ENCODING, encoding).body(Body::empty()).unwrap()).await
    };
    let path = "/api/search/suggest?q=pipe";
    let plain = shop.get(path).await;
    assert!(plain.body.len() >= 1024, "{}", plain.body.len());
    assert_eq!(plain.header("content-encoding"), "");
    for encoding in ["br", "gzip", "zstd"] {
        let compressed = ask(path, encoding).await;
        assert_eq!(compressed.assert_status(200).header("content-encoding"), encoding);
        assert_eq!(compressed.header("content-type"), plain.header("content-type"));
        assert_eq!(compressed.header("vary"), plain.header("vary"), "{encoding}");
        assert!(compressed.body.len() * 3 < plain.body.len() * 2, "{encoding}: {}", compressed.body.len());
    }
    let compressed = ask(path, "gzip, deflate, br, zstd").await;
    let size = zstd::zstd_safe::get_frame_content_size(&compressed.body).unwrap();
    assert_eq!(size, Some(plain.body.len() as u64), "the length is known before it is compressed");
    assert_eq!(zstd::bulk::decompress(&compressed.body, plain.body.len()).unwrap(), plain.body);
    let short = ask("/api/no-such-call", "zstd").await;
    assert_eq!(short.assert_status(404).header("content-encoding"), "", "it fits into one packet as it is");
}

async fn no_request_is_refused_for_its_encodings(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let (shop, tool) = (&bench.shop, bench.variant(PIPE_TOOL).await);
    for accepted in ["identity;q=0", "deflate, *;q=0", "gzip;q=0.5000, *;q=0"] {
        for path in ["/products", "/cart", "/api/search/suggest?q=pipe"] {
            let request = Request::get(path).header(header::ACCEPT_ENCODING, accepted);
            shop.send(request.body(Body::empty()).unwrap()).await.assert_status(200);
        }
        let form = Request::post("/cart")
            .header(header::ACCEPT_ENCODING, accepted)
            .header(header::COOKIE, shop.age_cookie())
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        shop.send(form.body(Body::from(format!("do=add&id={tool}"))).unwrap()).await.assert_status(303);
    }
}

async fn kept_pages_know_only_their_own_parameters(shop: TestShop) {
    // A separate shop, so that no other test fills its cache.
    let shop = TestShop::with(shop.database, |_| {}).await;
    let timing = async |path: &str| shop.get(path).await.header("server-timing").to_owned();
    assert!(timing("/products").await.contains("render;dur="));
    assert_eq!(timing("/products?utm_source=mail").await, "cache;desc=hit");
    assert!(timing("/products?page=2").await.contains("render;dur="));
    // With and without the age gate are two cache entries.
    assert!(shop.get_verified("/products").await.header("server-timing").contains("render;dur="));
    shop.app.parts.catalog.changes.note(&Change::everything());
    assert_eq!(timing("/products").await, "cache;desc=confirmed");
    assert_eq!(timing("/products").await, "cache;desc=hit");
}

async fn browser_errors_are_taken_in_bounds(shop: TestShop) {
    const STACK: usize = 2_000;
    let database = shop.database;
    let shop = TestShop::with(database, |_| {}).await;
    let mut report =
        json!({ "message": "x is undefined", "stack": "y".repeat(STACK + 1), "build": "b", "kind": "mount" });
    for address in ["/cart?secret=1", "/cart#secret"] {
        report["url"] = json!(address);
        let reporting = async {
            shop.post_json("/api/client-errors", report.to_string()).await.assert_status(204);
        };
        let log = logged(reporting).await;
        assert!(log.contains("path=\"/cart\"") && !log.contains("secret"), "{log}");
        assert!(log.contains(&format!("stack=\"{}\"", "y".repeat(STACK))), "{log}");
    }
    shop.post_json("/api/client-errors", "{}").await.assert_problem(422, "invalid");
    let mut refused = false;
    for _ in 0..60 {
        refused |= shop.post_json("/api/client-errors", report.to_string()).await.status == 429;
    }
    assert!(refused, "a flood is refused");

    // Also one from many networks.
    let shop = TestShop::with(database, |config| config.http.trusted_proxies = "127.0.0.1".parse().unwrap()).await;
    let (begun, mut taken) = (Instant::now(), 0);
    for network in 0..10 {
        for _ in 0..30 {
            let request = Request::post("/api/client-errors")
                .header(header::CONTENT_TYPE, "application/json")
                .header("x-forwarded-for", format!("203.0.113.{network}"))
                .body(Body::from(report.to_string()));
            taken += u32::from(shop.send(request.unwrap()).await.status == 204);
        }
    }
    let most = 120.0 * (1.0 + begun.elapsed().as_secs_f64() / 60.0);
    assert!(taken >= 120 && f64::from(taken) <= most + 1.0, "{taken} of {most}");
}

async fn the_beacon_is_named_only_when_configured(shop: TestShop) {
    assert!(shop.get("/").await.envelope()["shared"]["beacon"].is_null());
    let shop = TestShop::with(shop.database, |config| {
        config.analytics =
            Some(shop_base::config::Analytics { token: "public-token".to_owned(), site: "shop.example".to_owned() });
    })
    .await;
    let answer = shop.get("/").await;
    assert_eq!(answer.envelope()["shared"]["beacon"], json!({ "token": "public-token", "site": "shop.example" }));
    assert!(answer.header("content-security-policy").contains("https://static.cloudflareinsights.com"));
    assert_eq!(answer.header("referrer-policy"), "strict-origin-when-cross-origin");
    let user = shop.sign_in("owner", &["super_admin"]).await;
    for path in ["/account", "/admin/overview", "/test-email", "/order-confirmation?order=none", "/checkout"] {
        let answer = shop.call("GET", path, &user, serde_json::Value::Null).await;
        assert!(answer.envelope()["shared"]["beacon"].is_null(), "{path}");
        assert!(!answer.header("content-security-policy").contains("cloudflare"), "{path}");
        // The beacon of the next page reads the address of this one.
        assert_eq!(answer.header("referrer-policy"), "strict-origin", "{path}");
    }
}

async fn secrets_are_stored_nowhere(shop: TestShop) {
    let user = shop.sign_in("owner", &["super_admin"]).await;
    for path in
        ["/api/me", "/api/admin/overview", "/api/admin/exports", "/api/checkout/01234567-89ab-7def-8123-456789abcdef"]
    {
        let answer = shop.call("GET", path, &user, serde_json::Value::Null).await;
        assert!(answer.header("cache-control").contains("no-store"), "{path}: {}", answer.header("cache-control"));
    }
    let answer = shop.call("GET", "/api/cart", &user, serde_json::Value::Null).await;
    assert_eq!(answer.header("cache-control"), "private, no-cache", "the browser may keep the page that asks");
}

/// Whoever knows it gets the link of its order.
async fn no_log_has_the_id_of_a_checkout(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    let log = temporary_folder().join("log");
    let listening = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(Level::DEBUG)
        .with_span_events(FmtSpan::NEW)
        .with_writer(fs::File::create(&log).unwrap())
        .finish();
    let paying = async {
        bench.ask(&order).await.assert_status(404);
        bench.pay(&order).await.assert_status(200);
        // The answer was lost.
        bench.ask(&order).await.assert_status(200);
        bench.pay(&order).await.assert_status(200);
    };
    paying.with_subscriber(listening).await;
    let log = fs::read_to_string(log).unwrap();
    for said in ["path=\"/api/checkout/{checkout_id}\"", "url.path=", "nothing_found"] {
        assert!(log.contains(said), "{said}: {log}");
    }
    assert!(!log.contains(order["checkout_id"].as_str().unwrap()), "{log}");
    let page = bench.shop.get("/checkout/_payload.json").await.assert_status(200).json();
    let of_form: Uuid = page["props"]["checkout_id"].as_str().unwrap().parse().unwrap();
    assert_eq!(of_form.get_version_num(), 4, "it cannot be guessed");
}

/// The refusal that follows so many answers, and what of the allowance of a minute grows back in the meantime.
async fn refusal_after(allowed: u32, status: u16, ask: impl AsyncFn() -> Answer) -> Answer {
    let begun = Instant::now();
    let mut taken = 0;
    loop {
        let answer = ask().await;
        if answer.status == 429 {
            assert!(taken >= allowed, "{taken} of {allowed}");
            return answer;
        }
        answer.assert_status(status);
        taken += 1;
        let most = f64::from(allowed) * (1.0 + begun.elapsed().as_secs_f64() / 60.0);
        assert!(f64::from(taken) <= most + 1.0, "{taken} of {allowed}");
    }
}

async fn a_network_and_an_account_may_ask_for_so_much(shop: TestShop) {
    let shop = TestShop::with(shop.database, |config| config.http.has_limits = true).await;
    let refused = refusal_after(60, 303, async || shop.get("/auth/login").await).await;
    assert_eq!(refused.header("retry-after"), "60");
    shop.get("/products").await.assert_status(200);
    // Each is a quote, which takes no turn.
    refusal_after(600, 200, async || shop.get("/cart/_payload.json").await).await;
    // An account is counted in all networks, which here is one with a larger allowance.
    let user = shop.sign_in("greedy", &["customer"]).await;
    let ask = async |site: &str| {
        let request = Request::get("/api/me/export").header(header::COOKIE, &user).header("sec-fetch-site", site);
        shop.send(request.body(Body::empty()).unwrap()).await
    };
    // Other sites do not use it up.
    for site in ["cross-site", "same-site"].repeat(10) {
        ask(site).await.assert_problem(403, "forbidden");
    }
    refusal_after(10, 200, async || ask("none").await).await.assert_problem(429, "too_many_requests");
}

async fn an_account_may_look_so_often(shop: TestShop) {
    let shop = TestShop::with(shop.database, |config| config.http.has_limits = true).await;
    for (role, path, allowed) in [("customer", "/api/me", 600), ("staff", "/admin/users/guests/_payload.json", 240)] {
        let user = shop.sign_in(&format!("a-looking-{role}"), &[role]).await;
        refusal_after(allowed, 200, async || shop.call("GET", path, &user, serde_json::Value::Null).await).await;
    }
    refusal_after(240, 401, async || shop.get("/admin/users/_payload.json").await).await;
    // Who works at the same address goes on.
    let colleague = shop.sign_in("a-colleague", &["staff"]).await;
    shop.call("GET", "/admin/users", &colleague, serde_json::Value::Null).await.assert_status(200);
}

async fn shoppers_leave_staff_their_connections(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let staff = shop.sign_in("found-in-a-rush", &["staff"]).await;
    let overview = async || shop.call("GET", "/api/admin/overview", &staff, serde_json::Value::Null).await;
    // From now on, their token is known.
    overview().await.assert_status(200);
    let readers = all_readers(&shop.app.db, "Shoppers").await;
    overview().await.assert_status(200);
    drop(readers);
}

async fn made_up_tokens_leave_staff_their_connections(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let readers = all_readers(&shop.app.db.of(Purpose::Staff), "Staff").await;
    for (path, status) in [("/admin/overview", 303), ("/api/admin/overview", 401)] {
        let answer = shop.call("GET", path, "session=made-up", serde_json::Value::Null).await;
        answer.assert_status(status);
    }
    drop(readers);
}

/// Not even who types.
async fn suggestions_ask_nothing_of_the_database(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let shopper = shop.sign_in("who-types", &["customer"]).await;
    let readers = all_readers(&shop.app.db, "Shoppers").await;
    shop.call("GET", "/api/search/suggest?q=pipe", &shopper, serde_json::Value::Null).await.assert_status(200);
    drop(readers);
}

/// Takes all connections of a pool for reading.
async fn all_readers(db: &Db, pool: &str) -> Vec<Reader> {
    let most = db.pools().iter().find(|known| known.name == pool).unwrap().most;
    let mut readers = Vec::new();
    for _ in 0..most {
        readers.push(db.read().await.unwrap());
    }
    readers
}

async fn what_attacks_consist_of_is_counted(shop: TestShop) {
    let shop = TestShop::with(shop.database, |config| {
        config.square = shop_demo::square_config(&config.http.origin, &config.http.origin).ok();
    })
    .await;
    let count = || shop_base::security::counts().find(|(event, _)| *event == "role_refused").unwrap().1;
    let before = count();
    let attacking = async {
        let customer = shop.sign_in("curious", &["customer"]).await;
        shop.call("GET", "/api/admin/overview", &customer, serde_json::Value::Null).await.assert_status(403);
        let admin = shop.sign_in("late", &["admin"]).await;
        shop.clock.advance(16 * 60_000);
        shop.call("GET", "/api/admin/users.csv", &admin, serde_json::Value::Null).await.assert_status(403);
        shop.form("/account", &customer, "cross-site", &[("name", "Mallory")]).await.assert_status(403);
        shop.post_json("/webhooks/square", "{}").await.assert_status(401);
        let theirs = format!("/api/me/addresses/{}", uuid::Uuid::now_v7());
        shop.call("DELETE", &theirs, &customer, serde_json::Value::Null).await.assert_status(404);
        shop.get("/order-confirmation?order=a-guess").await.assert_status(404);
        refusal_after(30, 422, async || shop.post_json("/api/client-errors", "{}").await).await;
    };
    let log = logged(attacking).await;
    let times = |event: &str| log.matches(&format!("security: event=\"{event}\"")).count();
    for (event, acts) in [
        ("role_refused", 1),
        ("sign_in_too_old", 1),
        ("cross_site", 1),
        ("webhook_signature", 1),
        ("nothing_found", 2),
        ("limit_reached", 1),
    ] {
        assert_eq!(times(event), acts, "{event}: {log}");
    }
    assert!(times("input_refused") >= 30, "{log}");
    assert!(count() > before);
}

async fn what_strangers_write_is_logged_in_bounds(shop: TestShop) {
    // Its lines are not used up by other tests.
    let shop = TestShop::with(shop.database, |_| {}).await;
    let long = "x".repeat(10_000);
    let token = |header: serde_json::Value| format!("{}.e30.x", URL_SAFE_NO_PAD.encode(header.to_string()));
    let session = shop.sign_in("wordy", &["customer"]).await;
    let of_nothing = Request::delete(format!("/api/me/addresses/{long}"))
        .header(header::COOKIE, session)
        .header("sec-fetch-site", "same-origin")
        .body(Body::empty());
    let logout = Request::post("/auth/backchannel-logout")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(format!("logout_token={}", token(json!({ "alg": "RS256", "typ": long })))));
    let bearer = Request::builder()
        .method(long.as_str())
        .uri("/api/me")
        .header(header::AUTHORIZATION, format!("Bearer {}", token(json!({ "alg": long }))))
        .body(Body::empty());
    for (event, request) in [("nothing_found", of_nothing), ("logout_token_refused", logout), ("token_refused", bearer)]
    {
        let log = logged(async { drop(shop.send(request.unwrap()).await) }).await;
        assert!(log.contains(&format!("security: event=\"{event}\"")), "{event}: {log}");
        assert!(log.len() < 2_000, "{event}: {} bytes", log.len());
    }
    let wide = "가".repeat(4_000);
    let report = json!({ "kind": wide, "build": wide, "url": wide, "message": wide, "stack": wide });
    let reporting = async {
        shop.post_json("/api/client-errors", report.to_string()).await.assert_status(204);
    };
    let log = logged(reporting).await;
    assert!(log.contains("an error in a browser"), "{log}");
    assert!(log.len() < 3_000, "{} bytes", log.len());
}

/// Nor does it turn a line round where the log is read, or keep journald from showing it.
async fn what_strangers_write_moves_no_cursor(shop: TestShop) {
    const CONTROLS: &str = "\u{9b}2J\u{202e}";
    let shop = TestShop::with(shop.database, |_| {}).await;
    let session = shop.sign_in("controlling", &["customer"]).await;
    let violated = format!("directive{CONTROLS}");
    let violation = json!({ "csp-report": { "violated-directive": violated, "blocked-uri": "x" } });
    let report = Request::post("/api/policy-reports")
        .header(header::CONTENT_TYPE, "application/csp-report")
        .body(Body::from(violation.to_string()));
    let of_nothing = Request::delete(format!("/api/me/addresses/nothing{CONTROLS}"))
        .header(header::COOKIE, session)
        .header("sec-fetch-site", "same-origin")
        .body(Body::empty());
    let token = URL_SAFE_NO_PAD.encode(json!({ "alg": format!("algorithm{CONTROLS}") }).to_string());
    let bearer = Request::get("/api/me").header(header::AUTHORIZATION, format!("Bearer {token}.e30.x"));
    let bearer = bearer.body(Body::empty());
    let error = json!({ "message": format!("message{CONTROLS}"), "url": format!("/cart{CONTROLS}") });
    let error = Request::post("/api/client-errors")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(error.to_string()));
    for (said, request) in [("directive", report), ("nothing", of_nothing), ("algorithm", bearer), ("message", error)] {
        let log = logged_as_json(async { drop(shop.send(request.unwrap()).await) }).await;
        assert!(log.contains(&format!("{said}2J")), "{said}: {log:?}");
        let is_shown = |c: char| c == '\n' || !(c.is_control() || c == '\u{202e}');
        assert!(log.chars().all(is_shown), "{said}: {log:?}");
    }
}

async fn a_flood_of_refusals_is_logged_in_bounds(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let customer = shop.sign_in("curious-in-a-flood", &["customer"]).await;
    let count = || shop_base::security::counts().find(|(event, _)| *event == "token_refused").unwrap().1;
    let refuse = async || {
        let request = Request::get("/api/me").header(header::AUTHORIZATION, "Bearer x").body(Body::empty());
        shop.send(request.unwrap()).await.assert_status(401);
    };
    let before = count();
    let flood = async {
        for _ in 0..1_000 {
            refuse().await;
        }
        shop.call("GET", "/api/admin/overview", &customer, serde_json::Value::Null).await.assert_status(403);
    };
    let log = logged(flood).await;
    let times = |event: &str| log.matches(&format!("security: event=\"{event}\"")).count();
    assert_eq!(times("token_refused"), 300);
    assert_eq!(times("role_refused"), 1, "what nobody can cause without end is always written");
    assert!(count() >= before + 1_000, "all are counted");
    shop.clock.advance(60_000);
    let log = logged(refuse()).await;
    assert!(log.contains("left_out=\"token_refused 700\"") && log.contains("event=\"token_refused\""), "{log}");
}

async fn only_the_checkout_may_load_the_card_form(shop: TestShop) {
    let shop = TestShop::with(shop.database, |config| {
        config.analytics =
            Some(shop_base::config::Analytics { token: "public-token".to_owned(), site: "shop.example".to_owned() });
        let mut square = shop_demo::square_config(&config.http.origin, &config.http.origin).unwrap();
        square.script = "https://sandbox.web.squarecdn.com/v1/square.js".parse().unwrap();
        config.square = Some(square);
    })
    .await;
    let policy = async |path: &str| shop.get(path).await.header("content-security-policy").to_owned();
    let checkout = policy("/checkout").await;
    let scripts =
        format!("script-src 'self' 'sha256-{}' https://sandbox.web.squarecdn.com;", hash_of_rules(&shop).await);
    for allowed in [
        scripts.as_str(),
        "frame-src 'self' https://sandbox.web.squarecdn.com https:;",
        "connect-src 'self' https://sandbox.web.squarecdn.com https://pci-connect.squareupsandbox.com;",
        "style-src 'self' 'unsafe-inline' https://sandbox.web.squarecdn.com;",
        " https:; frame-ancestors 'none';",
    ] {
        assert!(checkout.contains(allowed), "{allowed} in {checkout}");
    }
    for path in ["/", "/cart", "/checkout/_payload.json", "/checkout/else"] {
        let policy = policy(path).await;
        assert!(!policy.contains("square") && !policy.contains(" https:;"), "{path}: {policy}");
    }
    // Nor do third-party scripts run there.
    assert!(!checkout.contains("cloudflare"), "{checkout}");
    assert!(shop.get("/checkout").await.envelope()["shared"]["beacon"].is_null());
    assert!(shop.get("/checkout/confirm?link=none").await.envelope()["shared"]["beacon"].is_null());
}

async fn the_api_is_described() {
    let document: serde_json::Value = serde_json::from_str(&shop::openapi::document().unwrap()).unwrap();
    // Those of the admin area are compared with its permission table (admin::rights).
    let paths = document["paths"].as_object().unwrap().keys();
    let paths: Vec<_> = paths.filter(|path| !path.starts_with("/api/admin/")).collect();
    assert_eq!(
        paths,
        [
            "/api/cart",
            "/api/cart/guest",
            "/api/cart/sync",
            "/api/checkout/confirm",
            "/api/checkout/pay",
            "/api/checkout/quote",
            "/api/checkout/{checkout_id}",
            "/api/client-errors",
            "/api/me",
            "/api/me/activity",
            "/api/me/addresses",
            "/api/me/addresses/{id}",
            "/api/me/export",
            "/api/me/preferences",
            "/api/me/sessions",
            "/api/me/sessions/{id}",
            "/api/policy-reports",
            "/api/search/suggest",
            "/api/verify-age"
        ]
    );
    assert!(document["components"]["schemas"]["ProductPage"].is_object());
}

/// Whoever is told that a job fails finds what it does.
async fn the_kinds_of_jobs_are_documented(OnSqlite(shop): OnSqlite) {
    let text = include_str!("../../docs/OPERATIONS.md");
    let (_, table) = text.split_once("| Lane | Jobs | Slots |").unwrap();
    let registry = shop.app.worker().registry;
    for kind in registry.kinds() {
        let lane = format!("| `{}` |", kind.lane.text());
        let row = table.lines().find(|line| line.starts_with(&lane)).unwrap();
        assert!(row.contains(&format!("`{}`", kind.name)), "{} is missing in {row}", kind.name);
    }
}
