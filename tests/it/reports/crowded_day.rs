//! A day of many events.

use std::io::{Write, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::civil::date;
use shop_base::clock::Clock;
use shop_base::sql;
use shop_domain::activity::service::RETENTION_MS;
use shop_domain::analytics::service::refresh;
use shop_domain::retention::service::purge;

use super::events::rolled_visits;
use super::{DAY, midnight, own, set};
use crate::support::{Database, Test, TestShop, rounds};
use crate::tests;

pub const TESTS: &[Test] = tests![a_day_of_many_events_holds_nobody_up];

/// Inserts this many events of the day from `start` on, ten per session, with a cart in a fifth of the sessions.
async fn insert_many(shop: &TestShop, start: i64, first: i64, count: i64) {
    let last = first + count - 1;
    let (numbers, id, session) = match shop.database {
        Database::Sqlite => (
            format!(
                "(WITH RECURSIVE n(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i < {last}) SELECT i FROM n)"
            ),
            "randomblob(16)",
            "unhex(printf('%032x', i / 10))",
        ),
        Database::Postgres => (
            format!("(SELECT generate_series({first}::bigint, {last}) AS i)"),
            "gen_random_uuid()",
            "CAST(lpad(to_hex(i / 10), 32, '0') AS uuid)",
        ),
    };
    let sql = format!(
        "INSERT INTO activity_events (id, kind, page, action, session_duration, session_id, network, occurred_at, received_at)
         SELECT {id}, CASE WHEN i % 10 = 6 THEN 'session_activity' WHEN i % 50 = 7 THEN 'cart_action' ELSE 'page_view' END,
            CASE i % 10 WHEN 0 THEN '/' WHEN 8 THEN CASE WHEN i % 100 = 8 THEN '/checkout' ELSE '/products' END
                WHEN 9 THEN CASE WHEN i % 200 = 9 THEN '/order-confirmation' ELSE '/cart' END
                ELSE '/product/p' || (i * 7919 % 500) END,
            CASE WHEN i % 50 = 7 THEN 'add' END, CASE WHEN i % 10 = 6 THEN 30 END, {session}, '203.0.113.0',
            {start} + (i * 432 / 5), {start} + (i * 432 / 5) FROM {numbers} numbers"
    );
    let mut tx = shop.app.db.begin().await.unwrap();
    let sql = sqlx::AssertSqlSafe(sql);
    sql!(&mut tx.conn(), c => sqlx::query(sql).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

/// Resident memory of this process in MiB.
fn resident() -> f64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u32 = pages.split_whitespace().nth(1).unwrap().parse().unwrap();
    f64::from(pages) * 4096.0 / 1_048_576.0
}

/// A million events with `PROOFS=full`; the measurements are printed and not asserted.
async fn a_day_of_many_events_holds_nobody_up(shop: TestShop) {
    let start = midnight(date(2026, 10, 30));
    let shop = own(&shop, start).await;
    let many = i64::try_from(rounds(10_000, 1_000_000)).unwrap();
    for first in (0..many).step_by(50_000) {
        insert_many(&shop, start, first, 50_000.min(many - first)).await;
    }
    set(&shop, start + many * 432 / 5 + 1);
    let begun = Instant::now();
    loop {
        refresh(&shop.app).await.unwrap();
        let mut reader = shop.app.db.read().await.unwrap();
        let left: i64 = sql!(&mut reader.conn(), c => sqlx::query_scalar("SELECT COUNT(*) FROM uncounted_events").fetch_one(c).await)
            .unwrap();
        if left == 0 {
            break;
        }
    }
    let backlog = begun.elapsed();
    let mut longest = Duration::ZERO;
    let before = resident();
    for round in 0..10 {
        insert_many(&shop, start, many + round * 180, 180).await;
        shop.clock.advance(15_000);
        let begun = Instant::now();
        refresh(&shop.app).await.unwrap();
        longest = longest.max(begun.elapsed());
    }
    let memory = resident() - before;
    let visits: i64 = rolled_visits(&shop).await.values().map(|figures| figures[0]).sum();
    assert_eq!(visits, (many + 1_800) / 10);

    // Delete them while others write.
    shop.clock.advance(RETENTION_MS + DAY);
    let (app, stop) = (shop.app.clone(), Arc::new(AtomicBool::new(false)));
    let stopped = Arc::clone(&stop);
    let writer = tokio::spawn(async move {
        let mut longest = Duration::ZERO;
        while !stopped.load(Ordering::Relaxed) {
            let begun = Instant::now();
            let mut tx = app.db.begin().await.unwrap();
            sql!(&mut tx.conn(), c => sqlx::query("UPDATE settings SET version = version").execute(c).await.map(drop))
                .unwrap();
            tx.commit().await.unwrap();
            longest = longest.max(begun.elapsed());
            tokio::task::yield_now().await;
        }
        longest
    });
    let begun = Instant::now();
    let deleted = purge(&shop.app.db, "activity_events", shop.clock.now_ms()).await.unwrap();
    let purged = begun.elapsed();
    stop.store(true, Ordering::Relaxed);
    let waited = writer.await.unwrap();
    assert_eq!(deleted, u64::try_from(many + 1_800).unwrap());
    writeln!(
        stdout().lock(),
        "{:?}: {many} events counted in {backlog:?}; then 180 more at once in {longest:?} at most, with {memory:.1} MiB more; \
         deleted in {purged:?}, while another writer waited {waited:?} at most",
        shop.database
    )
    .unwrap();
}
