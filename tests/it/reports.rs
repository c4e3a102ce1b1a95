//! Roll-ups equal a plain count of the rows, even if events arrive late, twice or in another order.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{Write, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use shop_base::clock::Clock;
use shop_base::db::Conn;
use shop_base::sql;
use shop_domain::activity::model::{ActivityType, CheckedEvent, Reporter, StoredEvent};
use shop_domain::activity::service::RETENTION_MS;
use shop_domain::activity::store::insert_event;
use shop_domain::analytics::service::refresh;
use shop_domain::retention::service::{clean, purge};
use sqlx::FromRow;
use uuid::Uuid;

use crate::support::{Database, Test, TestShop, rounds};
use crate::tests;

pub const TESTS: &[Test] = tests![
    visits_equal_a_plain_count,
    sales_equal_a_plain_count,
    figures_outlive_the_events,
    two_nodes_roll_up_at_once,
    another_time_zone_makes_other_days,
    carts_are_paid_by_their_session_or_their_user,
    counting_anew_counts_the_same,
    a_former_release_may_count_in_between,
    visits_are_forgotten_when_nothing_can_come_of_them,
    a_day_of_many_events_holds_nobody_up,
];

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

fn zone() -> TimeZone {
    TimeZone::get("America/New_York").unwrap()
}

/// Days around the end of a month, and around the daylight saving changes in autumn and spring.
const STARTS: [Date; 3] = [date(2026, 10, 30), date(2027, 3, 12), date(2026, 12, 30)];
const DAYS: i64 = 4;

fn midnight(day: Date) -> i64 {
    day.to_zoned(zone()).unwrap().timestamp().as_millisecond()
}

fn day_of(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).unwrap().to_zoned(zone()).date().to_string()
}

async fn own(shop: &TestShop, now: i64) -> TestShop {
    let shop = TestShop::with(shop.database, |_| {}).await;
    set(&shop, now);
    shop
}

fn set(shop: &TestShop, now: i64) {
    shop.clock.advance(now - shop.clock.now_ms());
}

async fn execute(shop: &TestShop, statement: &'static str) {
    let mut tx = shop.app.db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

async fn forget(shop: &TestShop) {
    for statement in [
        "DELETE FROM rollups",
        "DELETE FROM sales_days",
        "DELETE FROM sales_products",
        "DELETE FROM visit_days",
        "DELETE FROM visit_counts",
        "DELETE FROM activity_events",
        "DELETE FROM refunds",
        "DELETE FROM payment_attempts",
        "DELETE FROM orders",
    ] {
        execute(shop, statement).await;
    }
}

fn random_event(rng: &mut StdRng, occurred_at: i64) -> CheckedEvent {
    const PAGES: [&str; 6] =
        ["/", "/products", "/product/briar", "/product/cutter", "/checkout", "/order-confirmation"];
    const SEARCHES: [&str; 4] = ["pipe", "PIPE ", "zzzz", "ada@shop.example"];
    let kind = match rng.random_range(0..10) {
        0..=4 => ActivityType::PageView,
        5 => ActivityType::FeatureUsage,
        6 => ActivityType::SessionActivity,
        7 | 8 => ActivityType::CartAction,
        _ => ActivityType::Search,
    };
    CheckedEvent {
        kind,
        page: Some(PAGES[rng.random_range(0..PAGES.len())].to_owned()),
        feature: (kind == ActivityType::FeatureUsage).then(|| "filters".to_owned()),
        action: match kind {
            ActivityType::CartAction => Some(["add", "remove"][rng.random_range(0..2)].to_owned()),
            ActivityType::Search => Some(SEARCHES[rng.random_range(0..SEARCHES.len())].to_owned()),
            _ => None,
        },
        session_duration: (kind == ActivityType::SessionActivity).then(|| rng.random_range(1..4_000)),
        session_id: rng.random_bool(0.9).then(|| Uuid::from_u128(rng.random_range(1..8))),
        occurred_at,
        is_timed: true,
    }
}

/// Stores an event at the current time.
async fn arrives(shop: &TestShop, rng: &mut StdRng, event: &CheckedEvent) {
    let stored = StoredEvent {
        id: event.lasting_id().unwrap_or_else(Uuid::now_v7),
        results: (event.kind == ActivityType::Search).then(|| i64::from(event.action.as_deref() != Some("zzzz"))),
        reporter: Reporter { user_id: None, network: format!("203.0.113.{}", rng.random_range(0..2)) },
        received_at: shop.clock.now_ms(),
        event: event.clone(),
    };
    let mut tx = shop.app.db.begin().await.unwrap();
    insert_event(&mut tx.conn(), &stored).await.unwrap();
    tx.commit().await.unwrap();
}

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

#[derive(Clone, Debug, FromRow)]
struct EventRow {
    kind: String,
    page: Option<String>,
    feature: Option<String>,
    action: Option<String>,
    results: Option<i64>,
    session_duration: Option<i64>,
    session_id: Option<Uuid>,
    network: String,
    occurred_at: i64,
}

impl EventRow {
    fn who(&self) -> String {
        self.session_id.map_or_else(|| self.network.clone(), |id| id.to_string())
    }

    fn views(&self, page: &str) -> bool {
        self.kind == "page_view" && self.page.as_deref() == Some(page)
    }

    fn adds(&self) -> bool {
        self.kind == "cart_action" && self.action.as_deref() == Some("add")
    }
}

async fn events(shop: &TestShop) -> Vec<EventRow> {
    let mut reader = shop.app.db.read().await.unwrap();
    sql!(&mut reader.conn(), c => sqlx::query_as(
        "SELECT kind, page, feature, action, results, session_duration, session_id, network, occurred_at FROM activity_events
         ORDER BY occurred_at, id").fetch_all(c).await)
    .unwrap()
}

/// visits, page views, searches, empty searches, products, baskets, checkouts, buyers, carts, paid carts, seconds.
type VisitFigures = [i64; 11];

async fn rolled_visits(shop: &TestShop) -> BTreeMap<String, VisitFigures> {
    #[derive(FromRow)]
    struct Row {
        day: String,
        visits: i64,
        page_views: i64,
        searches: i64,
        empty_searches: i64,
        products: i64,
        baskets: i64,
        checkouts: i64,
        buyers: i64,
        carts: i64,
        carts_paid: i64,
        seconds: i64,
    }
    let mut reader = shop.app.db.read().await.unwrap();
    let rows: Vec<Row> =
        sql!(&mut reader.conn(), c => sqlx::query_as("SELECT * FROM visit_days").fetch_all(c).await).unwrap();
    let figures = |row: &Row| {
        [
            row.visits,
            row.page_views,
            row.searches,
            row.empty_searches,
            row.products,
            row.baskets,
            row.checkouts,
            row.buyers,
            row.carts,
            row.carts_paid,
            row.seconds,
        ]
    };
    rows.iter().map(|row| (row.day.clone(), figures(row))).filter(|(_, figures)| figures[0] > 0).collect()
}

/// The same, computed the slow way: each visit and each second separately.
fn plain_visits(rows: &[EventRow]) -> BTreeMap<String, VisitFigures> {
    let mut visits: BTreeMap<(String, String), Vec<&EventRow>> = BTreeMap::new();
    for row in rows {
        visits.entry((day_of(row.occurred_at), row.who())).or_default().push(row);
    }
    let mut days: BTreeMap<String, VisitFigures> = BTreeMap::new();
    for ((day, who), events) in &visits {
        let figures = days.entry(day.clone()).or_default();
        let has = |test: &dyn Fn(&EventRow) -> bool| events.iter().any(|row| test(row));
        let checkout = events.iter().position(|row| row.views("/checkout"));
        let bought = checkout.is_some_and(|at| events[at..].iter().any(|row| row.views("/order-confirmation")));
        let basket = has(&EventRow::adds) || checkout.is_some();
        let product = has(&|row| row.kind == "page_view" && row.page.as_deref().unwrap().starts_with("/product/"));
        let count =
            |test: &dyn Fn(&EventRow) -> bool| i64::try_from(events.iter().filter(|row| test(row)).count()).unwrap();
        let last_add = events.iter().rev().find(|row| row.adds()).map(|row| row.occurred_at);
        let midnight: Date = day.parse().unwrap();
        let (start, end) = (self::midnight(midnight), self::midnight(midnight.tomorrow().unwrap()));
        let paid = last_add.is_some_and(|added| {
            rows.iter().enumerate().any(|(at, row)| {
                let before = &rows[..at];
                row.who() == *who
                    && row.views("/order-confirmation")
                    && (added..=added + DAY).contains(&row.occurred_at)
                    && row.occurred_at < end + DAY
                    && before.iter().any(|row| row.who() == *who && row.views("/checkout") && row.occurred_at >= start)
            })
        });
        let looked: BTreeSet<i64> = events
            .iter()
            .filter_map(|row| {
                Some((row.occurred_at / 1000, row.session_duration.filter(|_| row.kind == "session_activity")?))
            })
            .flat_map(|(at, seconds)| (at - seconds).max(start / 1000)..at)
            .collect();
        let seconds = if has(&|row| row.kind == "session_activity") {
            i64::try_from(looked.len()).unwrap()
        } else {
            (events.last().unwrap().occurred_at - events[0].occurred_at) / 1000
        };
        let more = [
            1,
            count(&|row| row.kind == "page_view"),
            count(&|row| row.kind == "search"),
            count(&|row| row.results == Some(0)),
            i64::from(product || basket),
            i64::from(basket),
            i64::from(checkout.is_some()),
            i64::from(bought),
            i64::from(last_add.is_some()),
            i64::from(paid),
            seconds,
        ];
        figures.iter_mut().zip(more).for_each(|(figure, more)| *figure += more);
    }
    days
}

/// (kind, day, name) to events, visits, empty.
type Counts = BTreeMap<(String, String, String), (i64, i64, i64)>;

async fn rolled_counts(shop: &TestShop) -> Counts {
    let mut reader = shop.app.db.read().await.unwrap();
    let rows: Vec<(String, String, String, i64, i64, i64)> = sql!(&mut reader.conn(), c =>
        sqlx::query_as("SELECT kind, day, name, events, visits, empty FROM visit_counts").fetch_all(c).await)
    .unwrap();
    rows.into_iter()
        .map(|(kind, day, name, events, visits, empty)| ((kind, day, name), (events, visits, empty)))
        .collect()
}

fn plain_counts(rows: &[EventRow]) -> Counts {
    let mut who: HashMap<(String, String, String), BTreeSet<String>> = HashMap::new();
    let mut counts = Counts::new();
    for row in rows {
        let (kind, name) = match row.kind.as_str() {
            "page_view" => ("page", row.page.clone().unwrap()),
            "feature_usage" => ("feature", row.feature.clone().unwrap()),
            "cart_action" => ("cart", row.action.clone().unwrap()),
            "search" if row.action.as_ref().unwrap().contains('@') => ("search", "(not kept)".to_owned()),
            "search" => ("search", row.action.as_ref().unwrap().trim().to_lowercase()),
            _ => continue,
        };
        let key = (kind.to_owned(), day_of(row.occurred_at), name);
        who.entry(key.clone()).or_default().insert(row.who());
        let count = counts.entry(key).or_default();
        count.0 += 1;
        count.2 += i64::from(row.results == Some(0));
    }
    for (key, who) in who {
        counts.get_mut(&key).unwrap().1 = i64::try_from(who.len()).unwrap();
    }
    counts
}

/// The current state of one of the test's orders.
struct Order {
    id: Uuid,
    placed_at: i64,
    attempt: Uuid,
    paid: bool,
    captured: bool,
    refunded_elsewhere: i64,
    quantity: i64,
    variant: usize,
}

const PRICE: i64 = 1_000;
const DISCOUNT: i64 = 150;
const TAX: i64 = 70;
const SHIPPING: i64 = 695;

impl Order {
    fn total(&self) -> i64 {
        self.quantity * PRICE - DISCOUNT + TAX + SHIPPING
    }

    async fn insert(&self, conn: &mut Conn<'_>, variants: &[Uuid], now: i64) {
        let goods = self.quantity * PRICE;
        sql!(&mut *conn, c => sqlx::query("INSERT INTO orders (id, number, token, checkout_id, email, phone, status,
            payment_status, fulfillment_status, currency, subtotal, discount_total, shipping_total, tax_total, total,
            shipping_method, shipping_name, picked_up, address, adult_signature, compliance, age_proof, version, created_at,
            updated_at, placed_at) VALUES ($1, $2, $2, $1, '', '', 'placed', 'authorized', 'unfulfilled', 'USD', $3, $4, $5, $6,
            $7, 'ground', 'Ground', FALSE, '{}', FALSE, '{}', '{}', 0, $8, $8, $9)")
            .bind(self.id).bind(self.id.to_string()).bind(goods).bind(DISCOUNT).bind(SHIPPING).bind(TAX).bind(self.total())
            .bind(now).bind(self.placed_at).execute(c).await.map(drop)).unwrap();
        sql!(&mut *conn, c => sqlx::query("INSERT INTO order_lines (id, order_id, variant_id, sku, title, variant_title, href,
            picture, compliance_class, weight_grams, quantity, unit_price, discount, tax, total, position)
            VALUES ($1, $1, $2, '', 'A thing', '', '', '{}', '', 0, $3, $4, $5, $6, $7, 0)")
            .bind(self.id).bind(variants.get(self.variant)).bind(self.quantity).bind(PRICE).bind(DISCOUNT).bind(TAX)
            .bind(goods - DISCOUNT + TAX).execute(c).await.map(drop)).unwrap();
        sql!(&mut *conn, c => sqlx::query("INSERT INTO payment_attempts (id, order_id, click_id, number, provider,
            idempotency_key, amount, currency, status, provider_updated_at, refunded, network, created_at, updated_at)
            VALUES ($1, $2, $1, 1, 'square', $3, $4, 'USD', 'authorized', 0, 0, '', $5, $6)")
            .bind(self.attempt).bind(self.id).bind(self.attempt.to_string()).bind(self.total()).bind(self.placed_at - 1_000)
            .bind(now).execute(c).await.map(drop)).unwrap();
    }

    /// Writes its state with the current time.
    async fn update(&self, conn: &mut Conn<'_>, refunded: i64, now: i64) {
        let status = if self.paid { "paid" } else { "voided" };
        let attempt = if self.captured { "captured" } else { "voided" };
        sql!(&mut *conn, c => sqlx::query("UPDATE orders SET payment_status = $2, updated_at = $3 WHERE id = $1")
            .bind(self.id).bind(status).bind(now).execute(c).await.map(drop))
        .unwrap();
        sql!(&mut *conn, c => sqlx::query(
            "UPDATE payment_attempts SET status = $2, refunded = $3, updated_at = $4 WHERE id = $1")
            .bind(self.attempt).bind(attempt).bind(refunded + self.refunded_elsewhere).bind(now)
            .execute(c).await.map(drop))
        .unwrap();
    }
}

async fn sales_equal_a_plain_count(shop: TestShop) {
    let shop = own(&shop, midnight(STARTS[0])).await;
    let variants: Vec<Uuid> = {
        let mut reader = shop.app.db.read().await.unwrap();
        sql!(&mut reader.conn(), c => sqlx::query_scalar("SELECT id FROM product_variants ORDER BY sku LIMIT 9")
            .fetch_all(c).await)
        .unwrap()
    };
    for round in 0..rounds(3, 40) {
        let seed = u64::try_from(round).unwrap();
        let mut rng = StdRng::seed_from_u64(seed);
        let start = midnight(STARTS[round % STARTS.len()]);
        forget(&shop).await;
        set(&shop, start);
        let mut orders: Vec<Order> = Vec::new();
        // Index of the order, amount, time of the settlement.
        let mut refunds: Vec<(usize, i64, i64)> = Vec::new();
        for _ in 0..120 {
            shop.clock.advance(rng.random_range(0..DAYS * DAY / 120));
            let now = shop.clock.now_ms();
            let mut tx = shop.app.db.begin().await.unwrap();
            let mut conn = tx.conn();
            if orders.is_empty() || rng.random_bool(0.5) {
                // Its transaction may end minutes after it began.
                let placed_at = now - rng.random_range(0..5 * 60_000);
                let order = Order {
                    id: Uuid::now_v7(),
                    placed_at,
                    attempt: Uuid::now_v7(),
                    paid: false,
                    captured: false,
                    refunded_elsewhere: 0,
                    quantity: rng.random_range(1..5),
                    // The last index stands for a variant that no longer exists.
                    variant: rng.random_range(0..=variants.len()),
                };
                order.insert(&mut conn, &variants, now).await;
                orders.push(order);
            } else {
                let at = rng.random_range(0..orders.len());
                let ours =
                    |refunds: &[(usize, i64, i64)]| refunds.iter().filter(|r| r.0 == at).map(|r| r.1).sum::<i64>();
                match rng.random_range(0..6) {
                    0..=2 => (orders[at].paid, orders[at].captured) = (true, true),
                    3 => (orders[at].paid, orders[at].captured) = (false, rng.random()),
                    4 if orders[at].captured => {
                        let left = orders[at].total() - ours(&refunds) - orders[at].refunded_elsewhere;
                        if left > 1 {
                            let amount = rng.random_range(1..left);
                            let id = Uuid::now_v7();
                            sql!(&mut conn, c => sqlx::query("INSERT INTO refunds (id, order_id, attempt_id, idempotency_key,
                                amount, reason, status, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, '', 'settled', $6, $6)")
                                .bind(id).bind(orders[at].id).bind(orders[at].attempt).bind(id.to_string()).bind(amount)
                                .bind(now).execute(c).await.map(drop)).unwrap();
                            refunds.push((at, amount, now));
                        }
                    }
                    5 if orders[at].captured => {
                        let left = orders[at].total() - ours(&refunds) - orders[at].refunded_elsewhere;
                        orders[at].refunded_elsewhere += left / 4;
                    }
                    _ => {}
                }
                orders[at].update(&mut conn, ours(&refunds), now).await;
            }
            tx.commit().await.unwrap();
            if rng.random_bool(0.1) {
                refresh(&shop.app).await.unwrap();
            }
        }
        refresh(&shop.app).await.unwrap();
        assert_eq!(rolled_sales(&shop).await, plain_sales(&orders, &refunds), "seed {seed} on {:?}", shop.database);
        assert_products(&shop, &orders, seed).await;
    }
}

/// orders, units, goods, discounts, shipping, tax, total, taken, refunds, refunded
type SalesFigures = [i64; 10];

async fn rolled_sales(shop: &TestShop) -> BTreeMap<String, SalesFigures> {
    type Row = (String, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64);
    let mut reader = shop.app.db.read().await.unwrap();
    let rows: Vec<Row> =
        sql!(&mut reader.conn(), c => sqlx::query_as("SELECT day, orders, units, goods, discounts, shipping, tax,
        total, taken, refunds, refunded FROM sales_days").fetch_all(c).await)
        .unwrap();
    rows.into_iter()
        .map(|(day, a, b, c, d, e, f, g, h, i, j)| (day, [a, b, c, d, e, f, g, h, i, j]))
        .filter(|(_, figures)| figures.iter().any(|figure| *figure != 0))
        .collect()
}

fn plain_sales(orders: &[Order], refunds: &[(usize, i64, i64)]) -> BTreeMap<String, SalesFigures> {
    let mut days: BTreeMap<String, SalesFigures> = BTreeMap::new();
    let mut add = |day: String, more: SalesFigures| {
        days.entry(day).or_default().iter_mut().zip(more).for_each(|(figure, more)| *figure += more);
    };
    for order in orders {
        if order.paid {
            let goods = order.quantity * PRICE;
            let figures = [1, order.quantity, goods, DISCOUNT, SHIPPING, TAX, order.total(), 0, 0, 0];
            add(day_of(order.placed_at), figures);
        }
        if order.captured {
            add(day_of(order.placed_at - 1_000), [0, 0, 0, 0, 0, 0, 0, order.total() - order.refunded_elsewhere, 0, 0]);
        }
    }
    for (_, amount, at) in refunds {
        add(day_of(*at), [0, 0, 0, 0, 0, 0, 0, 0, 1, *amount]);
    }
    days.retain(|_, figures| figures.iter().any(|figure| *figure != 0));
    days
}

async fn assert_products(shop: &TestShop, orders: &[Order], seed: u64) {
    let mut reader = shop.app.db.read().await.unwrap();
    let rows: Vec<(String, i64, i64, i64)> = sql!(&mut reader.conn(), c => sqlx::query_as(
        "SELECT day, CAST(SUM(orders) AS BIGINT), CAST(SUM(units) AS BIGINT), CAST(SUM(amount) AS BIGINT)
         FROM sales_products GROUP BY day").fetch_all(c).await)
    .unwrap();
    let rolled: BTreeMap<String, (i64, i64, i64)> = rows.into_iter().map(|(day, a, b, c)| (day, (a, b, c))).collect();
    let mut plain: BTreeMap<String, (i64, i64, i64)> = BTreeMap::new();
    for order in orders.iter().filter(|order| order.paid) {
        let day = plain.entry(day_of(order.placed_at)).or_default();
        *day = (day.0 + 1, day.1 + order.quantity, day.2 + order.quantity * PRICE - DISCOUNT);
    }
    assert_eq!(rolled, plain, "seed {seed} on {:?}", shop.database);
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

/// A page view, or an addition to the cart, by a session and a user.
async fn does(shop: &TestShop, what: &str, session: u128, user: Option<Uuid>) {
    let kind = if what == "add" { ActivityType::CartAction } else { ActivityType::PageView };
    let event = CheckedEvent {
        kind,
        page: Some(if what == "add" { "/cart" } else { what }.to_owned()),
        feature: None,
        action: (what == "add").then(|| what.to_owned()),
        session_duration: None,
        session_id: Some(Uuid::from_u128(session)),
        occurred_at: shop.clock.now_ms(),
        is_timed: true,
    };
    let stored = StoredEvent {
        id: event.lasting_id().unwrap(),
        results: None,
        reporter: Reporter { user_id: user, network: "203.0.113.0".to_owned() },
        received_at: shop.clock.now_ms(),
        event,
    };
    let mut tx = shop.app.db.begin().await.unwrap();
    insert_event(&mut tx.conn(), &stored).await.unwrap();
    tx.commit().await.unwrap();
}

async fn paid_carts(shop: &TestShop) -> Vec<(i64, i64)> {
    refresh(&shop.app).await.unwrap();
    let mut reader = shop.app.db.read().await.unwrap();
    sql!(&mut reader.conn(), c => sqlx::query_as("SELECT carts, carts_paid FROM visit_days ORDER BY day").fetch_all(c).await)
        .unwrap()
}

async fn carts_are_paid_by_their_session_or_their_user(shop: TestShop) {
    let shop = own(&shop, midnight(date(2026, 11, 3)) + 20 * HOUR).await;
    shop.sign_in("cart-owner", &["customer"]).await;
    let user: Uuid = {
        let mut reader = shop.app.db.read().await.unwrap();
        sql!(&mut reader.conn(), c => sqlx::query_scalar("SELECT id FROM users WHERE subject = 'cart-owner'").fetch_one(c).await)
            .unwrap()
    };
    for (session, who) in [(1, None), (2, None), (3, Some(user)), (4, None)] {
        does(&shop, "add", session, who).await;
    }
    assert_eq!(paid_carts(&shop).await, [(4, 0)]);
    // The next day: the same session, the same user in another session, and a return to an old order's page.
    shop.clock.advance(10 * HOUR);
    for (session, who) in [(1, None), (20, Some(user))] {
        does(&shop, "/checkout", session, who).await;
        shop.clock.advance(1_000);
        does(&shop, "/order-confirmation", session, who).await;
    }
    does(&shop, "/order-confirmation", 4, None).await;
    assert_eq!(paid_carts(&shop).await, [(4, 2), (0, 0)]);
    // A checkout may be reported after its confirmation; and the limit is exactly 24 hours.
    shop.clock.advance(14 * HOUR - 3_000);
    does(&shop, "/checkout", 2, None).await;
    shop.clock.advance(1_001);
    does(&shop, "/order-confirmation", 2, None).await;
    assert_eq!(paid_carts(&shop).await[0], (4, 2), "a moment too late");
    let late = shop.clock.now_ms();
    set(&shop, late - 16 * HOUR);
    does(&shop, "/checkout", 4, None).await;
    set(&shop, late);
    assert_eq!(paid_carts(&shop).await[0], (4, 3));
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
