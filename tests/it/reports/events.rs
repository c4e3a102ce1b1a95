//! Events at random, what they were rolled up to, and the same counted the slow way.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::civil::Date;
use rand::Rng;
use rand::rngs::StdRng;
use shop_base::clock::Clock;
use shop_base::sql;
use shop_domain::activity::model::{ActivityType, CheckedEvent, Reporter, StoredEvent};
use shop_domain::activity::store::insert_events;
use sqlx::FromRow;
use uuid::Uuid;

use super::{DAY, day_of};
use crate::support::TestShop;

pub fn random_event(rng: &mut StdRng, occurred_at: i64) -> CheckedEvent {
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
        reported_at: Some(occurred_at),
    }
}

/// Stores an event at the current time.
pub async fn arrives(shop: &TestShop, rng: &mut StdRng, event: &CheckedEvent) {
    let stored = StoredEvent {
        id: event.lasting_id().unwrap_or_else(Uuid::now_v7),
        results: (event.kind == ActivityType::Search).then(|| i64::from(event.action.as_deref() != Some("zzzz"))),
        reporter: Reporter { user_id: None, network: format!("203.0.113.{}", rng.random_range(0..2)) },
        received_at: shop.clock.now_ms(),
        event: event.clone(),
    };
    let mut tx = shop.app.db.begin().await.unwrap();
    insert_events(&mut tx.conn(), &[stored]).await.unwrap();
    tx.commit().await.unwrap();
}

#[derive(Clone, Debug, FromRow)]
pub struct EventRow {
    kind: String,
    page: Option<String>,
    feature: Option<String>,
    action: Option<String>,
    results: Option<i64>,
    session_duration: Option<i64>,
    pub session_id: Option<Uuid>,
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

pub async fn events(shop: &TestShop) -> Vec<EventRow> {
    let mut reader = shop.app.db.read().await.unwrap();
    sql!(&mut reader.conn(), c => sqlx::query_as(
        "SELECT kind, page, feature, action, results, session_duration, session_id, network, occurred_at FROM activity_events
         ORDER BY occurred_at, id").fetch_all(c).await)
    .unwrap()
}

/// visits, page views, searches, empty searches, products, baskets, checkouts, buyers, carts, paid carts, seconds.
pub type VisitFigures = [i64; 11];

pub async fn rolled_visits(shop: &TestShop) -> BTreeMap<String, VisitFigures> {
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
pub fn plain_visits(rows: &[EventRow]) -> BTreeMap<String, VisitFigures> {
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
        let (start, end) = (super::midnight(midnight), super::midnight(midnight.tomorrow().unwrap()));
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
pub type Counts = BTreeMap<(String, String, String), (i64, i64, i64)>;

pub async fn rolled_counts(shop: &TestShop) -> Counts {
    let mut reader = shop.app.db.read().await.unwrap();
    let rows: Vec<(String, String, String, i64, i64, i64)> = sql!(&mut reader.conn(), c =>
        sqlx::query_as("SELECT kind, day, name, events, visits, empty FROM visit_counts").fetch_all(c).await)
    .unwrap();
    rows.into_iter()
        .map(|(kind, day, name, events, visits, empty)| ((kind, day, name), (events, visits, empty)))
        .collect()
}

pub fn plain_counts(rows: &[EventRow]) -> Counts {
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
