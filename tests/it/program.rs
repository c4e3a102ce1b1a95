//! The program itself, over real sockets: in an empty folder, with only its settings in the environment.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

use shop::serve::Listeners;
use shop_base::config::Http;
use shop_base::db::Db;
use sqlx::{Connection, PgConnection, PgPool};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::support::ports::{free_port, free_ports};
use crate::support::program::{BINARY, LIMIT, Program};
use crate::support::{OnPostgres, OnSqlite, Test, TestShop, new_postgres_database, temporary_folder, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    it_serves_an_empty_catalog,
    a_burst_of_connections_waits_to_be_accepted,
    a_node_starts_while_the_database_takes_no_writes,
    others_cannot_read_its_database,
    it_names_all_that_is_missing,
    it_warns_once_that_card_payment_is_off,
    where_the_audit_log_ends_is_logged_however_little_else_is,
    a_demonstration_says_where_everything_is_and_little_else,
    a_demonstration_under_development_begins_with_its_history,
    running_requests_finish_before_it_stops,
    activity_that_waits_is_written_before_it_stops,
    a_stop_right_after_the_start_is_orderly,
    absurd_requests_do_not_break_it,
    requests_that_never_end_lock_nobody_out,
    bodies_that_never_come_lock_nobody_out,
];

async fn it_serves_an_empty_catalog(shop: TestShop) {
    let program = Program::serve(shop.database).await;
    // Ready once its isolates have compiled what visitors need.
    let ready = async { while program.get("/readyz").await.status() != 200 {} };
    tokio::time::timeout(LIMIT, ready).await.unwrap();
    for path in ["/", "/products", "/products?q=pipe", "/cart", "/content/legal/terms-of-service", "/sitemap.xml"] {
        assert_eq!(program.get(path).await.status(), 200, "{path}");
    }
    assert_eq!(program.get("/product/double-blade-cutter").await.status(), 404);
}

/// As while a node starts: it listens before it can answer.
async fn a_burst_of_connections_waits_to_be_accepted() {
    let settings = shop_demo::config(0, temporary_folder(), false).unwrap().http;
    let http = Http { address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), ..settings };
    let listeners = Listeners::bind(&http).await.unwrap();
    let address = listeners.shop.local_addr().unwrap();
    let mut burst = Vec::new();
    let connecting = async {
        // More than the 128 of a listener without a setting.
        for _ in 0..300 {
            burst.push(TcpStream::connect(address).await.unwrap());
        }
    };
    timeout(LIMIT, connecting).await.expect("the system drops none");
}

/// As some services set it while their storage is full: otherwise all pages would go with the last node that is started anew.
async fn a_node_starts_while_the_database_takes_no_writes(OnPostgres(_): OnPostgres) {
    const SET: &str = "DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$";
    const RESET: &str = "DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database()); END $$";
    // Connections keep what they were begun with.
    const END: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    const RECURRING: &str = "SELECT COUNT(*) FROM jobs WHERE name = 'clean'";
    let database = new_postgres_database().await;
    Db::open(&database).await.unwrap().close().await;
    let mut admin = PgConnection::connect(&database).await.unwrap();
    sqlx::query(SET).execute(&mut admin).await.unwrap();
    let port = free_port();
    let node = Program::node(port, &database, &[("SHOP_ORIGIN", &format!("http://localhost:{port}"))]).await;
    assert_eq!(node.get("/products").await.status(), 200);
    let count: i64 = sqlx::query_scalar(RECURRING).fetch_one(&mut admin).await.unwrap();
    assert_eq!(count, 0);
    for statement in [RESET, END] {
        sqlx::query(statement).execute(&mut admin).await.unwrap();
    }
    let reader = PgPool::connect(&database).await.unwrap();
    let count = async || sqlx::query_scalar::<_, i64>(RECURRING).fetch_one(&reader).await.unwrap();
    until("the recurring jobs are there", async || count().await == 1).await;
    reader.close().await;
    admin.close().await.unwrap();
}

async fn others_cannot_read_its_database(OnSqlite(shop): OnSqlite) {
    let program = Program::serve(shop.database).await;
    for name in ["shop.db", "shop.db-wal", "shop.db-shm"] {
        let mode = fs::metadata(program.folder.join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}");
    }
}

async fn it_names_all_that_is_missing() {
    let output = Command::new(BINARY).arg("serve").env_clear().output().await.unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    for name in ["SHOP_ORIGIN", "SHOP_SECRET", "SHOP_COMPANY_NAME"] {
        assert!(said.contains(name), "{name} is not in {said}");
    }
}

async fn it_warns_once_that_card_payment_is_off() {
    let folder = temporary_folder();
    // So that it ends.
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = Command::new(BINARY)
        .arg("serve")
        .current_dir(&folder)
        .env_clear()
        .envs([
            ("SHOP_ADDRESS", address.as_str()),
            ("SHOP_ORIGIN", "http://localhost:8787"),
            ("SHOP_SECRET", "0123456789abcdef0123456789abcdef"),
            ("SHOP_COMPANY_NAME", "Cardinal & Briar"),
            ("SHOP_COMPANY_EMAIL", "care@shop.example"),
            ("SHOP_COMPANY_PHONE", "+1 614 555 0100"),
            ("SHOP_COMPANY_ADDRESS", "1 Main Street, Columbus, OH 43215"),
            ("SHOP_DATABASE", "sqlite:shop.db"),
            ("SHOP_SQUARE_ACCESS_TOKEN", "token-of-square"),
            ("SHOP_SQUARE_WEBHOOK_KEY", "key-of-webhooks"),
        ])
        .output()
        .await
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains(&address), "{said}");
    let warnings: Vec<&str> = said.lines().filter(|line| line.contains("card payment is off")).collect();
    assert_eq!(warnings.len(), 1, "{said}");
    assert!(warnings[0].contains("SHOP_SQUARE_APPLICATION_ID, SHOP_SQUARE_LOCATION_ID missing"), "{said}");
    assert!(!said.contains("token-of-square") && !said.contains("key-of-webhooks"), "{said}");
    fs::remove_dir_all(&folder).unwrap();
}

async fn where_the_audit_log_ends_is_logged_however_little_else_is() {
    let port = free_ports(1);
    let origin = format!("http://localhost:{port}");
    let program =
        Program::node(port, "sqlite:shop.db", &[("SHOP_ORIGIN", origin.as_str()), ("RUST_LOG", "warn")]).await;
    let log = program.log();
    let mut lines = log.lines().filter(|line| line.contains("\"level\":\"INFO\""));
    assert!(lines.next().is_some_and(|line| line.contains("\"message\":\"audit log\"")), "{log}");
    assert!(lines.all(|line| line.contains("\"message\":\"audit\"")), "and nothing else that is no warning: {log}");
}

/// Starts a demonstration with a new history in this folder, and waits until it serves; returns it with its port and what it has said.
async fn demonstration(data: &Path, is_developed: bool) -> (Child, u16, String) {
    // For the shop and its stand-ins.
    let port = free_ports(4);
    let mut command = Command::new(BINARY);
    command.arg("demo").env_clear().current_dir(data);
    if is_developed {
        // Its bundle is made of the sources, by Node.
        command.arg("--dev").current_dir(env!("CARGO_MANIFEST_DIR")).env("PATH", std::env::var("PATH").unwrap());
    }
    let mut child = command
        .args(["--isolates", "1", "--port", &port.to_string(), "--data"])
        .arg(data)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said = String::new();
    while !said.contains("Ctrl+C") {
        let line = timeout(LIMIT * 4, lines.next_line()).await.expect("it starts").unwrap();
        said.push_str(&format!("{}\n", line.expect("it says how to stop")));
    }
    (child, port, said)
}

/// Stops it; returns its log.
async fn stopped(child: Child) -> String {
    let id = child.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
    let log = timeout(LIMIT, child.wait_with_output()).await.expect("it ends").unwrap().stderr;
    String::from_utf8(log).unwrap()
}

async fn a_demonstration_says_where_everything_is_and_little_else() {
    let folder = temporary_folder();
    let (child, port, said) = demonstration(&folder, false).await;
    let log = stopped(child).await;
    for text in [
        format!("The shop is running at http://localhost:{port}\n"),
        format!("http://localhost:{port}/admin/overview"),
        format!("Sample Staff, Sample Admin, Sample Owner: choose one at http://localhost:{}", port + 1),
        format!("Test cards   http://localhost:{}", port + 2),
        format!("Mail         http://localhost:{}", port + 3),
    ] {
        assert!(said.contains(&text), "{text} is not in {said}");
    }
    assert!(log.lines().count() <= 10 && !log.contains('{'), "{log}");
    fs::remove_dir_all(&folder).unwrap();
}

/// Its history is made with another bundle, and isolates of two bundles cannot exist at the same time.
async fn a_demonstration_under_development_begins_with_its_history() {
    let folder = temporary_folder();
    let (child, port, _) = demonstration(&folder, true).await;
    let page = reqwest::get(format!("http://localhost:{port}/")).await.unwrap();
    assert!(page.status().is_success() && page.text().await.unwrap().contains("Cardinal &amp; Briar"));
    let log = stopped(child).await;
    assert!(log.contains("of the demonstration happen"), "{log}");
    fs::remove_dir_all(&folder).unwrap();
}

async fn running_requests_finish_before_it_stops(shop: TestShop) {
    let mut program = Program::serve(shop.database).await;
    let body = r#"{"birth_date":"1980-05-17"}"#;
    let mut request = program.connect().await;
    let head = format!(
        "POST /api/verify-age HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    request.write_all(head.as_bytes()).await.unwrap();
    // The handler reads the body, so the request is running.
    let mut go_on = [0; 12];
    request.read_exact(&mut go_on).await.unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100");
    program.terminate().await;
    program.refuses_connections().await;
    request.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    request.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("HTTP/1.1 200"), "{answer}");
    assert!(program.end().await.success());
}

async fn activity_that_waits_is_written_before_it_stops(shop: TestShop) {
    let mut program = Program::serve(shop.database).await;
    let body = r#"{"events":[{"type":"page_view","page":"/"},{"type":"profile_view"}]}"#;
    let request = format!(
        "POST /api/me/activity HTTP/1.1\r\nHost: shop\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    assert_eq!(program.exchange(&request).await.status(), 202);
    program.terminate().await;
    let database = program.database.clone();
    assert!(program.end().await.success());
    let db = Db::open(&database).await.unwrap();
    assert_eq!(shop_domain::retention::service::purge(&db, "activity_events", i64::MAX).await.unwrap(), 2);
}

async fn a_stop_right_after_the_start_is_orderly(shop: TestShop) {
    let mut program = Program::serve(shop.database).await;
    program.terminate().await;
    assert!(program.end().await.success());
    assert!(program.log().contains("running requests finish"));
}

async fn absurd_requests_do_not_break_it(shop: TestShop) {
    let program = Program::serve(shop.database).await;
    let long = "a".repeat(64 * 1024);
    for target in [
        format!("/products?q={long}"),
        format!("/products?{long}={long}"),
        format!("/{long}"),
        "/products?q=%ff%fe".to_owned(),
        "/products?page=-1&page=%00".to_owned(),
        "/../../etc/passwd".to_owned(),
        "//elsewhere.example/".to_owned(),
        "*".to_owned(),
    ] {
        let status = program.get(&target).await.status();
        assert!((300..500).contains(&status) || status == 200, "{status} for {}", &target[..target.len().min(60)]);
    }
    const CHUNKED: &str = "POST /api/verify-age HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n\
        Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nno size\r\n";
    for raw in ["GET\r\n\r\n", "\0\0\0\0\r\n\r\n", "GET / HTTP/1.1\r\nHost shop\r\n\r\n", CHUNKED] {
        assert_eq!(program.exchange(raw).await.status(), 400, "{raw:?}");
    }
    let ready = async { while program.get("/readyz").await.status() != 200 {} };
    timeout(LIMIT, ready).await.expect("it becomes ready");
}

async fn requests_that_never_end_lock_nobody_out(shop: TestShop) {
    // Leaves 144 for connections.
    let mut program = Program::serve_with_descriptors(shop.database, 400).await;
    let mut halves = Vec::new();
    for number in 0..500_u16 {
        let mut half = program.connect_from(Ipv4Addr::new(127, 0, 1, (number % 20) as u8 + 1)).await;
        // Some are closed at once.
        let _ = half.write_all(b"GET / HTTP/1.1\r\nHost: sh").await;
        halves.push(half);
    }
    // The youngest of them may be about to send the rest.
    while program.get("/readyz").await.0.is_empty() {}
    for _ in 0..50 {
        assert_eq!(program.get("/products").await.status(), 200);
    }
    let still_open = program.connect_from(Ipv4Addr::new(127, 0, 2, 1)).await;
    program.terminate().await;
    assert!(program.end().await.success());
    drop((halves, still_open));
}

async fn bodies_that_never_come_lock_nobody_out(shop: TestShop) {
    // Leaves 144 for connections.
    let program = Program::serve_with_descriptors(shop.database, 400).await;
    let mut attackers = Vec::new();
    let attack = async |number: u16| {
        let mut one = program.connect_from(Ipv4Addr::new(127, 0, 1, (number % 20) as u8 + 1)).await;
        let head = b"POST /api/policy-reports HTTP/1.1\r\nHost: shop\r\nContent-Length: 10\r\n\r\n";
        // Some are closed at once.
        let _ = one.write_all(head).await;
        one
    };
    for number in 0..500 {
        attackers.push(attack(number).await);
    }
    // The youngest of them may be about to send the rest.
    while program.get("/readyz").await.0.is_empty() {}
    let is_answered = |attacker: &TcpStream| attacker.try_read(&mut [0]).is_ok_and(|bytes| bytes > 0);
    assert!(!attackers.iter().any(is_answered), "others are answered before the time of these is over");
    // Who goes on sending keeps the connection, however many come meanwhile.
    let body = r#"{"birth_date":"1980-05-17"}"#;
    let mut slow = program.connect().await;
    let head = format!(
        "POST /api/verify-age HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    slow.write_all(head.as_bytes()).await.unwrap();
    for (number, byte) in (0..).zip(body.bytes()) {
        attackers.push(attack(number).await);
        assert_eq!(program.get("/products").await.status(), 200);
        slow.write_all(&[byte]).await.unwrap();
    }
    let mut answer = String::new();
    slow.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("HTTP/1.1 200"), "{answer}");
}
