//! The simulated visits and purchases: the same for every demonstration.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use rand::Rng;
use rand::rngs::StdRng;
use shop_base::clock::timestamp;
use shop_domain::activity::model::{ActivityEvent, ActivityType};
use shop_domain::analytics::days::{all, bounds, day_of};
use shop_domain::cart::model::CartItem;
use uuid::Uuid;

use super::store::Good;

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// Cities of the shop's shipping zones.
const PLACES: [(&str, &str, &str); 6] = [
    ("Columbus", "OH", "43215"),
    ("Cleveland", "OH", "44114"),
    ("Indianapolis", "IN", "46204"),
    ("Pittsburgh", "PA", "15222"),
    ("Chicago", "IL", "60601"),
    ("Denver", "CO", "80202"),
];
const SEARCHES: [&str; 12] = [
    "briar pipe",
    "pipe",
    "lighter",
    "humidor",
    "cutter",
    "ashtray",
    "pipe rack",
    "cigar case",
    "hookah",
    "snuff box",
    "vaporizer",
    "matches",
];
const CATEGORIES: [&str; 4] = ["pipes", "cigar", "lighters", "ashtrays"];
const FEATURES: [&str; 4] = ["filters", "sort", "gallery", "checkout"];

#[derive(Debug)]
pub struct Planned {
    /// UTC milliseconds.
    pub at: i64,
    pub action: Action,
}

#[derive(Debug)]
pub enum Action {
    /// A visit that ends at this time.
    Visit {
        events: Vec<ActivityEvent>,
        network: String,
    },
    Buy(Purchase),
    /// Actions of staff on a customer's order.
    Ship(u32),
    Refund(u32),
}

#[derive(Debug)]
pub struct Purchase {
    /// Number of a sample customer, each of whom buys once.
    pub customer: u32,
    pub items: Vec<CartItem>,
    pub promo_code: Option<&'static str>,
    /// City, state, ZIP code.
    pub place: (&'static str, &'static str, &'static str),
    pub network: String,
}

/// All actions between two times, in order.
pub fn plan(rng: &mut StdRng, goods: &[Good], from: i64, until: i64, zone: &TimeZone) -> Vec<Planned> {
    let mut planned = Vec::new();
    let mut customer = 0;
    let (first, last) = (day_of(from, zone), day_of(until, zone));
    for (day, passed) in all(first, last).zip(0_i64..) {
        let (start, _) = bounds(day, zone);
        let is_weekend = day.weekday().since(jiff::civil::Weekday::Monday) >= 5;
        // The shop grows, and has the most visits on weekends.
        let visits = rng.random_range(24..34) + passed / 6 + if is_weekend { 12 } else { 0 };
        for _ in 0..visits {
            let at = start + rng.random_range(8 * 60..23 * 60) * MINUTE + rng.random_range(0..MINUTE);
            if at - HOUR < from || at + HOUR > until {
                continue;
            }
            let mut visit = Visit::begin(rng, at);
            if let Some(purchase) = visit.go(rng, goods, customer + 1, passed) {
                customer += 1;
                let bought_at = visit.now - 2 * SECOND;
                planned.push(Planned { at: bought_at, action: Action::Buy(purchase) });
                let shipped_at = bought_at + rng.random_range(16..60) * HOUR;
                let refunded_at = bought_at + rng.random_range(96..240) * HOUR;
                if shipped_at < until {
                    planned.push(Planned { at: shipped_at, action: Action::Ship(customer) });
                }
                if refunded_at < until && rng.random_bool(0.07) {
                    planned.push(Planned { at: refunded_at, action: Action::Refund(customer) });
                }
            }
            planned.push(visit.end(rng));
        }
    }
    planned.sort_by_key(|planned| planned.at);
    planned
}

/// The quantity of each variant that all purchases require.
pub fn needed(planned: &[Planned]) -> HashMap<Uuid, i64> {
    let mut needed = HashMap::new();
    for Planned { action, .. } in planned {
        if let Action::Buy(purchase) = action {
            for item in &purchase.items {
                *needed.entry(item.id).or_default() += item.qty;
            }
        }
    }
    needed
}

struct Visit {
    events: Vec<ActivityEvent>,
    session: Uuid,
    network: String,
    began: i64,
    now: i64,
}

impl Visit {
    fn begin(rng: &mut StdRng, at: i64) -> Self {
        let session = uuid::Builder::from_random_bytes(rng.random()).into_uuid();
        // Addresses reserved for documentation.
        let network = format!("198.51.{}.0", rng.random_range(100..104));
        Self { events: Vec::new(), session, network, began: at, now: at }
    }

    fn note(&mut self, kind: ActivityType, change: impl FnOnce(&mut ActivityEvent)) {
        let mut event = ActivityEvent {
            kind,
            page: None,
            feature: None,
            action: None,
            session_duration: None,
            timestamp: Some(timestamp(self.now).to_string()),
            session_id: Some(self.session),
        };
        change(&mut event);
        self.events.push(event);
    }

    fn view(&mut self, rng: &mut StdRng, page: String) {
        self.now += rng.random_range(4 * SECOND..50 * SECOND);
        self.note(ActivityType::PageView, |event| event.page = Some(page));
    }

    /// Browses, and perhaps buys: more likely the more days have passed.
    fn go(&mut self, rng: &mut StdRng, goods: &[Good], customer: u32, passed: i64) -> Option<Purchase> {
        self.view(rng, "/".to_owned());
        if rng.random_bool(0.3) {
            return None;
        }
        if rng.random_bool(0.3) {
            let text = SEARCHES[rng.random_range(0..SEARCHES.len())].to_owned();
            self.note(ActivityType::Search, |event| event.action = Some(text));
        }
        let category = CATEGORIES[rng.random_range(0..CATEGORIES.len())];
        let list = if rng.random_bool(0.5) { "/products".to_owned() } else { format!("/category/{category}") };
        self.view(rng, list);
        if rng.random_bool(0.4) {
            let feature = FEATURES[rng.random_range(0..FEATURES.len() - 1)].to_owned();
            self.note(ActivityType::FeatureUsage, |event| event.feature = Some(feature));
        }
        let mut items: Vec<CartItem> = Vec::new();
        for _ in 0..rng.random_range(1..5) {
            // More popular products are viewed more often.
            let place = rng.random::<f64>().powi(2);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "a place in a list"
            )]
            let good = &goods[(place * goods.len() as f64) as usize % goods.len()];
            self.view(rng, format!("/product/{}", good.handle));
            let is_new = items.iter().all(|item| item.id != good.id);
            if is_new && rng.random_bool(0.13) {
                let sku = good.sku.clone();
                self.note(ActivityType::CartAction, |event| {
                    event.action = Some("add".to_owned());
                    event.feature = Some(sku);
                });
                let qty = if rng.random_bool(0.85) { 1 } else { 2 };
                items.push(CartItem { id: good.id, qty, price: None, saved: false });
            }
        }
        let hesitates = if passed < 30 {
            0.5
        } else if passed < 60 {
            0.4
        } else {
            0.25
        };
        if items.is_empty() || rng.random_bool(hesitates) {
            return None;
        }
        self.view(rng, "/cart".to_owned());
        self.note(ActivityType::FeatureUsage, |event| event.feature = Some("checkout".to_owned()));
        self.view(rng, "/checkout".to_owned());
        if rng.random_bool(0.4) {
            return None;
        }
        self.now += 2 * MINUTE;
        self.view(rng, "/order-confirmation".to_owned());
        Some(Purchase {
            customer,
            items,
            promo_code: rng.random_bool(0.15).then_some("WELCOME10"),
            place: PLACES[rng.random_range(0..PLACES.len())],
            network: self.network.clone(),
        })
    }

    fn end(mut self, rng: &mut StdRng) -> Planned {
        self.now += rng.random_range(2 * SECOND..40 * SECOND);
        let seconds = (self.now - self.began) / SECOND;
        if seconds > 30 {
            self.note(ActivityType::SessionActivity, |event| event.session_duration = Some(seconds));
        }
        Planned { at: self.now, action: Action::Visit { events: self.events, network: self.network } }
    }
}
