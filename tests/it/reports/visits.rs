//! Visits, whenever and by whomever they are counted.

use std::collections::BTreeSet;

use jiff::civil::date;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use shop_base::clock::Clock;
use shop_base::sql;
use shop_domain::activity::model::{ActivityType, CheckedEvent, Reporter, StoredEvent};
use shop_domain::activity::service::RETENTION_MS;
use shop_domain::activity::store::insert_events;
use shop_domain::analytics::service::refresh;
use shop_domain::analytics::visits::model::{MOST_NAMES, OTHER};
use shop_domain::retention::service::{clean, purge};
use uuid::Uuid;

use super::events::{arrives, events, plain_counts, plain_visits, random_event, rolled_counts, rolled_visits};
use super::{DAY, DAYS, HOUR, STARTS, execute, forget, midnight, own, set};
use crate::support::{Database, Test, TestShop, rounds};
use crate::tests;

pub const TESTS: &[Test] = tests![
    visits_equal_a_plain_count,
    figures_outlive_the_events,
    two_nodes_roll_up_at_once,
    another_time_zone_makes_other_days,
    counting_anew_counts_the_same,
    a_former_release_may_count_in_between,
    visits_are_forgotten_when_nothing_can_come_of_them,
    a_clock_that_was_ahead_stops_no_counting,
    a_day_counts_so_many_names_and_the_rest_as_one,
];

async fn visits_equal_a_plain_count(shop: TestShop) {
    let shop = own(&shop, midnight(STARTS[0])).await;
    for round in 0..rounds(3, 60) {
        let seed = u64::try_from(round).unwrap();
        let mut rng = StdRng::seed_from_u64(seed);
        let start = midnight(STARTS[round % STARTS.len()]);
        forget(&shop).await;
        // (received, event): up to a day late, some of them twice.
        let mut arriving = Vec::new();
        for _ in 0..400 {
            // Whole minutes make equal times likely.
            let occurred_at = start + rng.random_range(0..DAYS * 24 * 60) * 60_000;
            let event = random_event(&mut rng, occurred_at);
            let late = if rng.random_bool(0.3) { rng.random_range(0..DAY) } else { rng.random_range(0..2_000) };
            arriving.push((occurred_at + late, event.clone()));
            if event.session_id.is_some() && rng.random_bool(0.2) {
                arriving.push((occurred_at + late + rng.random_range(0..HOUR), event));
            }
        }
        arriving.sort_by_key(|(received, _)| *received);
        set(&shop, start);
        for (received, event) in &arriving {
            set(&shop, *received);
            arrives(&shop, &mut rng, event).await;
            if rng.random_bool(0.05) {
                refresh(&shop.app).await.unwrap();
            }
        }
        refresh(&shop.app).await.unwrap();
        let twice: BTreeSet<_> = arriving.iter().filter_map(|(_, event)| event.lasting_id()).collect();
        let rows = events(&shop).await;
        let of_sessions = rows.iter().filter(|row| row.session_id.is_some()).count();
        assert_eq!(of_sessions, twice.len(), "an event that comes twice is one (seed {seed})");
        assert_eq!(rolled_visits(&shop).await, plain_visits(&rows), "seed {seed} on {:?}", shop.database);
        assert_eq!(rolled_counts(&shop).await, plain_counts(&rows), "seed {seed} on {:?}", shop.database);
    }
}

async fn figures_outlive_the_events(shop: TestShop) {
    let start = midnight(date(2026, 10, 30));
    let shop = own(&shop, start).await;
    let mut rng = StdRng::seed_from_u64(7);
    for day in 0..4 {
        for hour in 0..20 {
            set(&shop, start + day * DAY + hour * HOUR);
            let event = random_event(&mut rng, shop.clock.now_ms());
            arrives(&shop, &mut rng, &event).await;
        }
    }
    refresh(&shop.app).await.unwrap();
    let kept = rolled_visits(&shop).await;
    assert_eq!(kept.len(), 4);
    set(&shop, start + RETENTION_MS + 3 * DAY / 2);
    assert!(purge(&shop.app.db, "activity_events", shop.clock.now_ms()).await.unwrap() > 0);
    assert!(!events(&shop).await.is_empty(), "some are younger");
    execute(&shop, "DELETE FROM rollups").await;
    refresh(&shop.app).await.unwrap();
    assert_eq!(rolled_visits(&shop).await, kept, "a day that has lost some of its events is not counted anew");
}

async fn two_nodes_roll_up_at_once(shop: TestShop) {
    let start = midnight(date(2026, 10, 30));
    let shop = own(&shop, start).await;
    let nodes = match shop.database {
        Database::Postgres => vec![shop.clone(), shop.another_node().await, shop.another_node().await],
        Database::Sqlite => vec![shop.clone(), shop.clone(), shop.clone()],
    };
    let mut rng = StdRng::seed_from_u64(11);
    for _ in 0..10 {
        for _ in 0..20 {
            shop.clock.advance(rng.random_range(0..HOUR));
            let event = random_event(&mut rng, shop.clock.now_ms());
            arrives(&shop, &mut rng, &event).await;
        }
        let mut running = tokio::task::JoinSet::new();
        for node in &nodes {
            let app = node.app.clone();
            running.spawn(async move { refresh(&app).await });
        }
        for outcome in running.join_all().await {
            outcome.unwrap();
        }
    }
    refresh(&shop.app).await.unwrap();
    assert_eq!(rolled_visits(&shop).await, plain_visits(&events(&shop).await));
}

async fn another_time_zone_makes_other_days(shop: TestShop) {
    let start = midnight(date(2026, 10, 30));
    let shop = own(&shop, start).await;
    let mut rng = StdRng::seed_from_u64(5);
    for hour in 0..48 {
        set(&shop, start + hour * HOUR);
        let event = random_event(&mut rng, shop.clock.now_ms());
        arrives(&shop, &mut rng, &event).await;
    }
    refresh(&shop.app).await.unwrap();
    let right = rolled_visits(&shop).await;
    execute(&shop, "UPDATE rollups SET zone = 'Pacific/Auckland'").await;
    execute(&shop, "UPDATE visit_days SET visits = 99").await;
    execute(&shop, "INSERT INTO visit_days SELECT '2026-11-03', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, '{}' FROM rollups WHERE name = 'visits'").await;
    refresh(&shop.app).await.unwrap();
    assert_eq!(rolled_visits(&shop).await, right);
}

async fn counting_anew_counts_the_same(shop: TestShop) {
    let start = midnight(date(2026, 10, 30));
    let shop = own(&shop, start).await;
    let mut rng = StdRng::seed_from_u64(21);
    for round in 0..rounds(2, 20) {
        for _ in 0..150 {
            shop.clock.advance(rng.random_range(0..HOUR / 2));
            let occurred_at = shop.clock.now_ms() - if rng.random_bool(0.3) { rng.random_range(0..DAY) } else { 0 };
            let event = random_event(&mut rng, occurred_at);
            arrives(&shop, &mut rng, &event).await;
            if rng.random_bool(0.1) {
                refresh(&shop.app).await.unwrap();
            }
        }
        refresh(&shop.app).await.unwrap();
        let counted = (rolled_visits(&shop).await, rolled_counts(&shop).await, lengths(&shop).await);
        execute(&shop, "DELETE FROM rollups").await;
        refresh(&shop.app).await.unwrap();
        let anew = (rolled_visits(&shop).await, rolled_counts(&shop).await, lengths(&shop).await);
        assert_eq!(counted, anew, "round {round} on {:?}", shop.database);
    }
}

async fn lengths(shop: &TestShop) -> Vec<(String, String)> {
    let mut reader = shop.app.db.read().await.unwrap();
    sql!(&mut reader.conn(), c => sqlx::query_as("SELECT day, lengths FROM visit_days WHERE visits > 0 ORDER BY day").fetch_all(c).await)
        .unwrap()
}

async fn a_former_release_may_count_in_between(shop: TestShop) {
    let start = midnight(date(2026, 10, 30));
    let shop = own(&shop, start).await;
    let mut rng = StdRng::seed_from_u64(13);
    for hour in 0..30 {
        set(&shop, start + hour * HOUR);
        let event = random_event(&mut rng, shop.clock.now_ms());
        arrives(&shop, &mut rng, &event).await;
        if hour == 10 {
            refresh(&shop.app).await.unwrap();
        }
        if hour == 20 {
            // The previous release counts whole days, writes its version, and does not know the other columns.
            execute(&shop, "UPDATE visit_days SET visits = 77, seconds = 5").await;
            execute(
                &shop,
                "UPDATE rollups SET version = version + 1, seen_until = seen_until + 1 WHERE name = 'visits'",
            )
            .await;
        }
    }
    refresh(&shop.app).await.unwrap();
    assert_eq!(rolled_visits(&shop).await, plain_visits(&events(&shop).await));
}

async fn visits_are_forgotten_when_nothing_can_come_of_them(shop: TestShop) {
    let start = midnight(date(2026, 10, 30));
    let shop = own(&shop, start).await;
    let mut rng = StdRng::seed_from_u64(17);
    for hour in 0..24 * 7 {
        set(&shop, start + hour * HOUR);
        let event = random_event(&mut rng, shop.clock.now_ms());
        arrives(&shop, &mut rng, &event).await;
    }
    let first_day = async || -> Option<String> {
        let mut reader = shop.app.db.read().await.unwrap();
        sql!(&mut reader.conn(), c => sqlx::query_scalar("SELECT MIN(day) FROM visits").fetch_one(c).await).unwrap()
    };
    clean(&shop.app).await.unwrap();
    refresh(&shop.app).await.unwrap();
    assert_eq!(first_day().await.as_deref(), Some("2026-10-30"), "what is queued is counted first");
    let right = plain_visits(&events(&shop).await);
    clean(&shop.app).await.unwrap();
    assert_eq!(first_day().await.as_deref(), Some("2026-11-02"));
    // A day late, the latest that the shop accepts.
    let event = random_event(&mut rng, shop.clock.now_ms() - DAY);
    arrives(&shop, &mut rng, &event).await;
    refresh(&shop.app).await.unwrap();
    assert_ne!(rolled_visits(&shop).await, right);
    assert_eq!(rolled_visits(&shop).await, plain_visits(&events(&shop).await));
}

async fn a_clock_that_was_ahead_stops_no_counting(shop: TestShop) {
    let start = midnight(date(2026, 10, 30));
    let shop = own(&shop, start).await;
    let mut rng = StdRng::seed_from_u64(23);
    for hour in 0..48 {
        set(&shop, start + hour * HOUR);
        let event = random_event(&mut rng, shop.clock.now_ms());
        arrives(&shop, &mut rng, &event).await;
        if hour == 24 {
            refresh(&shop.app).await.unwrap();
            set(&shop, start + 30 * DAY);
            clean(&shop.app).await.unwrap();
            refresh(&shop.app).await.unwrap();
        }
    }
    refresh(&shop.app).await.unwrap();
    assert_eq!(rolled_visits(&shop).await, plain_visits(&events(&shop).await));
    assert_eq!(rolled_counts(&shop).await, plain_counts(&events(&shop).await));
}

/// Visitors may search for any words, and what is counted is kept forever.
async fn a_day_counts_so_many_names_and_the_rest_as_one(shop: TestShop) {
    const DAY_NAME: &str = "2026-10-30";
    let start = midnight(date(2026, 10, 30));
    let shop = own(&shop, start + 12 * HOUR).await;
    search(&shop, start, 0..MOST_NAMES - 10).await;
    refresh(&shop.app).await.unwrap();
    // The last ones that have a place, others, and two that are known.
    search(&shop, start + HOUR, MOST_NAMES - 10..MOST_NAMES + 290).await;
    search(&shop, start + 2 * HOUR, 0..2).await;
    refresh(&shop.app).await.unwrap();
    let counts = rolled_counts(&shop).await;
    let of = |day: &str, name: &str| counts.get(&("search".to_owned(), day.to_owned(), name.to_owned())).copied();
    let of_day = || counts.iter().filter(|((kind, day, _), _)| kind == "search" && day == DAY_NAME);
    assert_eq!(of_day().count(), usize::try_from(MOST_NAMES + 1).unwrap());
    assert_eq!(of_day().map(|(_, (events, ..))| events).sum::<i64>(), MOST_NAMES + 292, "each is counted");
    assert_eq!(of(DAY_NAME, OTHER), Some((290, 3, 290)), "in three visits, all without a result");
    assert_eq!(of(DAY_NAME, "word 0"), Some((2, 1, 2)));
    assert_eq!(rolled_visits(&shop).await[DAY_NAME][2], MOST_NAMES + 292);
    // Another day has room of its own.
    set(&shop, start + DAY + HOUR);
    search(&shop, start + DAY, MOST_NAMES + 100..MOST_NAMES + 101).await;
    refresh(&shop.app).await.unwrap();
    let counts = rolled_counts(&shop).await;
    assert!(counts.contains_key(&("search".to_owned(), "2026-10-31".to_owned(), format!("word {}", MOST_NAMES + 100))));
}

/// Stores searches for different words, a millisecond apart, by three visits.
async fn search(shop: &TestShop, from: i64, numbers: std::ops::Range<i64>) {
    let mut tx = shop.app.db.begin().await.unwrap();
    for (later, number) in (0..).zip(numbers) {
        let event = CheckedEvent {
            kind: ActivityType::Search,
            page: Some("/products".to_owned()),
            feature: None,
            action: Some(format!("word {number}")),
            session_duration: None,
            session_id: Some(Uuid::from_u128(u128::try_from(number % 3).unwrap() + 1)),
            occurred_at: from + later,
            reported_at: Some(from + later),
        };
        let stored = StoredEvent {
            id: Uuid::now_v7(),
            event,
            reporter: Reporter { user_id: None, network: "203.0.113.0".to_owned() },
            results: Some(0),
            received_at: shop.clock.now_ms(),
        };
        insert_events(&mut tx.conn(), &[stored]).await.unwrap();
    }
    tx.commit().await.unwrap();
}
