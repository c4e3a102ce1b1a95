//! Waiting times of staff with much data: importing a product file, then each list and each report with 100,000 orders, 20,000 products,
//! 20,000 customers and a million events: `tests/with-postgres cargo bench --bench shop -- admin`.
//!
//! Over a socket, with complete server-rendered pages, each compared with a list of few rows, so that the ratio is meaningful on any
//! machine. `BENCH_ROWS` sets the number of orders, to which the other numbers are proportional.

use std::io::{Result, Write, stdout};
use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::Client;
use shop_base::config::Secret;
use shop_base::db::Conn;
use shop_base::sql;
use sqlx::AssertSqlSafe;

use crate::support::{Desk, listen, new_database, percentiles, seeded, serve, session};

const ROUNDS: usize = 30;
const DAY: i64 = 24 * 3_600_000;
/// A list with few rows, independent of the amount of data.
const PLAIN: &str = "/admin/settings/promotions";
const PAGES: [&str; 48] = [
    PLAIN,
    "/admin/orders",
    "/admin/orders?sort=-total",
    "/admin/orders?sort=customer",
    "/admin/orders?payment=failed",
    "/admin/orders?status=canceled&delivery=shipping",
    "/admin/orders?status=placed&payment=failed",
    "/admin/orders?fulfillment=unfulfilled&sort=-total",
    "/admin/orders?attention=yes",
    "/admin/orders?delivery=pickup",
    "/admin/orders?placed_from=2026-01-01&placed_to=2026-01-31",
    "/admin/orders?q=N777",
    "/admin/orders?q=shop",
    "/admin/orders?q=rare+shop",
    "/admin/orders?q=first3",
    "/admin/orders?q=first3&status=canceled",
    "/admin/orders?q=fifth3",
    "/admin/orders?q=third1",
    "/admin/orders?q=fifth3+third1",
    "/admin/orders?q=first3+last7",
    "/admin/orders?q=first3+second3",
    "/admin/orders?q=nobody",
    "/admin/orders/drafts",
    "/admin/orders/drafts?state=expired&sort=expires",
    "/admin/orders/drafts?q=777",
    "/admin/products",
    "/admin/products?sort=title",
    "/admin/products?status=draft",
    "/admin/products?stock=out_of_stock",
    "/admin/products?stock=low_stock&sort=title",
    "/admin/products?q=number",
    "/admin/products?q=number+777",
    "/admin/users",
    "/admin/users?sort=-spent",
    "/admin/users?sort=name",
    "/admin/users?role=staff",
    "/admin/users?q=customer",
    "/admin/users?q=customer+777",
    "/admin/audit",
    "/admin/audit?action=order.note",
    "/admin/settings/webhooks/log",
    "/admin/settings/webhooks/log?status=failed",
    "/admin/overview?days=1",
    "/admin/overview?days=90",
    "/admin/analytics",
    "/admin/analytics?by=month",
    "/api/admin/search?q=shop",
    "/api/admin/search?q=number+777",
];

#[tokio::main]
pub async fn run() -> Result<()> {
    let rows = std::env::var("BENCH_ROWS").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let folder = tempfile::tempdir()?;
    measure("sqlite", folder.path(), None, rows).await?;
    match std::env::var("TEST_POSTGRES") {
        Ok(server) => {
            let folder = tempfile::tempdir()?;
            measure("postgres", folder.path(), Some(new_database(&server).await), rows).await
        }
        Err(_) => writeln!(stdout(), "postgres  not measured: TEST_POSTGRES names no server"),
    }
}

async fn measure(name: &str, folder: &Path, database: Option<String>, orders: usize) -> Result<()> {
    let (listener, shop) = listen().await;
    let mut config = shop_demo::config(shop.port().unwrap(), folder.to_owned(), false).unwrap();
    if let Some(database) = database {
        config.data.database = Secret::new(database);
    }
    let db = seeded(&config).await;
    let app = serve(config, db, listener).await;
    let desk = Desk { cookie: session(&app, "owner", &["super_admin"]).await, client: Client::new(), app, shop };
    desk.import(name, orders / 5).await?;
    desk.fill(orders).await;
    // A run counts half a million events at most.
    for _ in 0..3 {
        shop_domain::analytics::service::refresh(&desk.app).await.unwrap();
    }

    let mut taken: Vec<Vec<Duration>> = vec![Vec::new(); PAGES.len()];
    for page in PAGES {
        desk.get(page).await;
    }
    // Interleaved, so that other load on the machine affects all of them.
    for _ in 0..ROUNDS {
        for (page, taken) in PAGES.iter().zip(&mut taken) {
            let asked = Instant::now();
            desk.get(page).await;
            taken.push(asked.elapsed());
        }
    }
    let plain = percentiles(&mut taken[0]);
    for (page, taken) in PAGES.iter().zip(&mut taken) {
        let (p50, p99) = percentiles(taken);
        let ratio = p50 / plain.0;
        writeln!(stdout(), "{name:<8}  {page:<58}  p50 {p50:>7.1} ms ({ratio:>4.1}×)  p99 {p99:>7.1} ms")?;
    }
    Ok(())
}

impl Desk {
    /// Reads a file with this many lines, one product each, applies it, and reads it again, now without any changes.
    async fn import(&self, name: &str, lines: usize) -> Result<()> {
        let file = self.file(lines).await;
        let before = resident("VmRSS");
        std::fs::write("/proc/self/clear_refs", "5")?;
        for (what, outcome) in [("new", "new"), ("known", "unchanged")] {
            let begun = Instant::now();
            let (path, read) = self.read_file(file.clone()).await;
            let reading = begun.elapsed().as_secs_f64();
            assert_eq!(read["counts"][outcome], lines, "{read:.300}");
            write!(
                stdout(),
                "{name:<8}  a file of {lines} {what} products, {} MB: read in {reading:.1} s",
                file.len() >> 20
            )?;
            if outcome == "new" {
                let begun = Instant::now();
                self.write_file(&path).await;
                write!(stdout(), ", written in {:.1} s", begun.elapsed().as_secs_f64())?;
            }
            writeln!(stdout(), "; memory {before} MB before, {} MB at most", resident("VmHWM"))?;
        }
        Ok(())
    }

    /// Customers, orders, and actions of staff and visitors, spread evenly over a year, as the shop would have written them.
    async fn fill(&self, orders: usize) {
        let now = self.app.clock.now_ms();
        let (customers, events) = (orders / 5, orders * 10);
        let step = 365 * DAY / i64::try_from(orders).unwrap();
        let event_step = 365 * DAY / i64::try_from(events).unwrap();
        let is_sqlite = matches!(self.app.db.read().await.unwrap().conn(), Conn::Sqlite(_));
        let pick = |sqlite: &'static str, postgres: &'static str| if is_sqlite { sqlite } else { postgres };
        let series = |many: usize| match is_sqlite {
            true => format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {many})"),
            false => format!("WITH n(i) AS (SELECT * FROM generate_series(1, {many}::BIGINT))"),
        };
        let id = pick("randomblob(16)", "gen_random_uuid()");
        let hash = pick("randomblob(32)", "decode(md5(CAST(n.i AS TEXT)), 'hex')");
        let bytes = pick("zeroblob(32)", "decode(repeat('00', 32), 'hex')");
        // A dozen events per visit.
        let visit = pick("CAST(printf('%016d', n.i / 12) AS BLOB)", "CAST(md5(CAST(n.i / 12 AS TEXT)) AS UUID)");
        let words = |kind: &str, from: &str, words: &[&str]| {
            let words = words.iter().map(|word| format!("SELECT '{kind}', {word}, id FROM {from}"));
            let words: Vec<String> = words.collect();
            format!("INSERT INTO search_terms (kind, term, subject_id) {}", words.join(" UNION ALL "))
        };
        let statements = [
            format!(
                "{} INSERT INTO users (id, issuer, subject, email, email_verified, name, phone, roles, preferences, created_at,
                    updated_at, signed_in_at, order_count, spent)
                 SELECT {id}, 'https://id.example', 'c' || n.i, 'customer' || n.i || '@shop.example', TRUE, 'Customer ' || n.i, '', '[]',
                    '{{}}', {now} - n.i * {step} * 5, {now}, {now} - n.i * {step}, 5, n.i * 100 FROM n",
                series(customers)
            ),
            words("customer", "users WHERE subject LIKE 'c%'", &["'customer'", "'shop'", "'example'", "subject", "substr(subject, 2)"]),
            format!(
                "{} INSERT INTO orders (id, number, token, checkout_id, user_id, email, phone, status, payment_status,
                    fulfillment_status, currency, subtotal, discount_total, shipping_total, tax_total, total, shipping_method,
                    shipping_name, picked_up, address, adult_signature, compliance, age_proof, version, created_at, updated_at,
                    placed_at)
                 SELECT {id}, 'N' || n.i, 'T' || n.i, {id}, u.id, u.email, '',
                    CASE WHEN n.i % 50 = 0 THEN 'canceled' ELSE 'placed' END,
                    CASE WHEN n.i % 1000 = 0 THEN 'failed' ELSE 'paid' END,
                    CASE WHEN n.i % 10 = 0 THEN 'unfulfilled' ELSE 'delivered' END, 'USD', 2000 + n.i % 500, 0, 695, 0,
                    2695 + n.i % 500, 'ground', 'Ground', n.i % 2000 = 9, '{{\"first_name\":\"Ada\",\"last_name\":\"Reed\"}}', FALSE, '{{}}', '{{}}',
                    0, {now} - n.i * {step}, {now} - n.i * {step}, {now} - n.i * {step}
                 FROM n JOIN users u ON u.issuer = 'https://id.example' AND u.subject = 'c' || (1 + n.i % {customers})",
                series(orders)
            ),
            format!(
                "{} INSERT INTO order_lines (id, order_id, variant_id, sku, title, variant_title, href, picture, compliance_class,
                    weight_grams, quantity, unit_price, discount, tax, total, position)
                 SELECT {id}, o.id, v.id, v.sku, 'A thing', '', '', '{{}}', '', 0, 1, 2000, 0, 0, 2000, 0
                 FROM n JOIN orders o ON o.number = 'N' || n.i JOIN product_variants v ON v.sku = 'M-' || (n.i % {customers})",
                series(orders)
            ),
            format!(
                "INSERT INTO payment_attempts (id, order_id, click_id, number, provider, idempotency_key, amount, currency, status,
                    provider_updated_at, refunded, network, created_at, updated_at)
                 SELECT {id}, id, {id}, 1, 'square', number, total, 'USD', 'captured', 0, 0, '', placed_at, placed_at FROM orders
                 WHERE number LIKE 'N%'"
            ),
            // Some words occur in all rows, some in a third, a fifth or a tenth, and one is rare. first3 and second3 never occur together.
            words(
                "order",
                "(SELECT id, number, CAST(substr(number, 2) AS BIGINT) AS i FROM orders WHERE number LIKE 'N%') o",
                &["'shop'", "'example'", "'ada'", "lower(number)", "'first' || (i % 10)", "'last' || (i % 90)",
                    "'second' || ((i + 1) % 10)", "'fifth' || (i % 5)", "'third' || (i % 3)", "CASE WHEN i % 20000 = 7 THEN 'rare' ELSE 'often' END"],
            ),
            format!(
                "{} INSERT INTO draft_orders (id, number, status, token_hash, token_sealed, checkout_id, user_id, email, phone, address,
                    shipping_method, message, total, made_by, version, created_at, updated_at, expires_at)
                 SELECT {id}, 'D' || n.i, CASE WHEN n.i % 4 = 0 THEN 'open' ELSE 'placed' END, {hash}, {bytes}, {id}, u.id, u.email, '',
                    '{{\"first_name\":\"Ada\",\"last_name\":\"Reed\"}}', 'ground', '', n.i, o.id, 0, {now} - n.i * {step} * 5, {now},
                    {now} - n.i * {step} * 5 + {DAY}
                 FROM n JOIN users u ON u.issuer = 'https://id.example' AND u.subject = 'c' || n.i
                    JOIN users o ON o.subject = 'owner'",
                series(customers)
            ),
            words("draft", "draft_orders WHERE number LIKE 'D%'", &["lower(number)", "substr(number, 2)", "'ada'"]),
            format!(
                "{} INSERT INTO dispatches (id, notification_id, endpoint_id, kind, subject, payload, status, by_hand, attempts, last_code,
                    last_at, created_at)
                 SELECT {id}, {id}, {id}, 'order.placed', 'N' || n.i, '{{}}',
                    CASE WHEN n.i % 1000 = 0 THEN 'failed' ELSE 'delivered' END, FALSE, 1, 200, {now}, {now} - n.i * {step} FROM n",
                series(orders)
            ),
            format!(
                "{} INSERT INTO audit_entries (seq, at, actor_id, role, action, subject_kind, subject_id, subject_label, before, after,
                    network, device, hash)
                 SELECT n.i + (SELECT MAX(seq) FROM audit_entries), {now}, (SELECT id FROM users WHERE subject = 'owner'), 'staff',
                    CASE WHEN n.i % 5 = 0 THEN 'order.note' ELSE 'order.ship' END, 'order', 'N' || n.i, 'N' || n.i, '{{}}', '{{}}', '', '',
                    {bytes} FROM n",
                series(orders)
            ),
            format!(
                "{} INSERT INTO activity_events (id, kind, page, feature, action, session_duration, session_id, user_id, network,
                    results, occurred_at, received_at)
                 SELECT {id}, CASE n.i % 12 WHEN 5 THEN 'search' WHEN 7 THEN 'feature_usage' WHEN 11 THEN 'session_activity'
                    ELSE 'page_view' END, '/product/many-' || (n.i % 200), 'filters', 'search ' || (n.i % 50), 90, {visit}, NULL,
                    '203.0.113.0', 1, {now} - n.i * {event_step}, {now} - n.i * {event_step} FROM n",
                series(events)
            ),
        ];
        for statement in statements {
            self.execute(statement).await;
        }
        // Both databases would do this by themselves after a while.
        let mut reader = self.app.db.read().await.unwrap();
        match reader.conn() {
            Conn::Sqlite(mut c) => {
                sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut *c).await.map(drop).unwrap();
            }
            Conn::Postgres(mut c) => sqlx::query("VACUUM ANALYZE").execute(c.unlimited()).await.map(drop).unwrap(),
        }
    }

    async fn execute(&self, statement: String) {
        let mut tx = self.app.db.begin().await.unwrap();
        let statement = AssertSqlSafe(statement);
        sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
    }
}

/// Megabytes that this process has in memory, or had at most.
fn resident(what: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(what)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or_default() >> 10
}
