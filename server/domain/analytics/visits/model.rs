//! The visits of a day.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use shop_base::db::stored;

use super::visit::{Step, Visit};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visits {
    pub visits: i64,
    pub page_views: i64,
    pub searches: i64,
    /// Searches without a result.
    pub empty_searches: i64,
    /// Visits that viewed a product, or got further.
    pub products: i64,
    /// Visits that put something into the cart, or got further.
    pub baskets: i64,
    /// Visits that reached the checkout, or got further.
    pub checkouts: i64,
    /// Visits that bought.
    pub buyers: i64,
    /// Visits that put something into the cart.
    pub carts: i64,
    /// Those that bought within 24 hours.
    pub carts_paid: i64,
    /// The total length of all visits, in seconds.
    pub seconds: i64,
    pub lengths: Lengths,
}

impl Visits {
    /// Adds a visit, or subtracts it with -1. Paid carts are counted separately.
    pub fn count(&mut self, visit: &Visit, times: i64) {
        let reached = |step: Step| times * i64::from(visit.step() >= step);
        let seconds = visit.seconds();
        self.visits += times;
        self.products += reached(Step::Product);
        self.baskets += reached(Step::Basket);
        self.checkouts += reached(Step::Checkout);
        self.buyers += reached(Step::Bought);
        self.carts += times * i64::from(visit.filled_at.is_some());
        self.seconds += times * seconds;
        self.lengths.count(seconds, times);
    }

    /// Seconds; none without visits.
    pub fn mean_length(&self) -> Option<i64> {
        (self.visits > 0).then(|| (self.seconds + self.visits / 2) / self.visits)
    }
}

impl AddAssign<&Self> for Visits {
    fn add_assign(&mut self, other: &Self) {
        self.visits += other.visits;
        self.page_views += other.page_views;
        self.searches += other.searches;
        self.empty_searches += other.empty_searches;
        self.products += other.products;
        self.baskets += other.baskets;
        self.checkouts += other.checkouts;
        self.buyers += other.buyers;
        self.carts += other.carts;
        self.carts_paid += other.carts_paid;
        self.seconds += other.seconds;
        self.lengths.add(&other.lengths);
    }
}

/// A histogram of visit lengths. Lengths are rounded down to steps (5 seconds up to 10 minutes, then one minute), so that a small map gives
/// the median of any number of visits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths(BTreeMap<i64, i64>);

impl Lengths {
    /// Adds a number of visits with a length; a negative number subtracts.
    pub fn count(&mut self, seconds: i64, visits: i64) {
        let step = if seconds < 600 { 5 } else { 60 };
        self.put(seconds / step * step, visits);
    }

    fn put(&mut self, length: i64, visits: i64) {
        let known = self.0.entry(length).or_default();
        *known += visits;
        if *known == 0 {
            self.0.remove(&length);
        }
    }

    fn add(&mut self, other: &Self) {
        for (length, visits) in &other.0 {
            self.put(*length, *visits);
        }
    }

    /// The median length; none without visits.
    pub fn median(&self) -> Option<i64> {
        let half = (self.0.values().sum::<i64>() + 1) / 2;
        let mut passed = 0;
        self.0.iter().find_map(|(seconds, visits)| {
            passed += visits;
            (passed >= half).then_some(*seconds)
        })
    }

    /// The stored form.
    pub fn json(&self) -> String {
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    pub fn of_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text).map(Self)
    }
}

stored! {
    /// The kind of a count.
    CountKind {
        Page = "page",
        Feature = "feature",
        Search = "search",
        /// Cart actions: add, remove, quantity.
        Cart = "cart",
    }
}

/// Names per day and kind. Visitors may invent any number of them, and counts are kept forever.
pub const MOST_NAMES: i64 = 2_000;

/// The name under which all further ones are counted.
pub const OTHER: &str = "(other)";

/// How often something occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count {
    pub name: String,
    pub events: i64,
    /// The number of visits in which it occurred.
    pub visits: i64,
    /// For searches: how many had no result.
    pub empty: i64,
}

#[cfg(test)]
mod tests {
    use super::{Lengths, Visit, Visits};

    #[test]
    fn what_is_taken_away_again_leaves_nothing() {
        let mut figures = Visits::default();
        let visit = Visit { last_at: 90_000, saw_product: true, filled_at: Some(7), ..Visit::at(0) };
        figures.count(&visit, 1);
        assert_eq!((figures.visits, figures.baskets, figures.carts, figures.seconds), (1, 1, 1, 90));
        figures.count(&visit, -1);
        assert_eq!(figures, Visits::default());
    }

    #[test]
    fn the_median_is_that_of_all_days_together() {
        let of = |lengths: &[i64]| {
            let mut all = Lengths::default();
            lengths.iter().for_each(|seconds| all.count(*seconds, 1));
            all
        };
        assert_eq!(of(&[]).median(), None);
        assert_eq!(of(&[7]).median(), Some(5));
        let mut days = of(&[0, 0, 100]);
        days.add(&of(&[200, 700, 3_599]));
        assert_eq!(days.median(), Some(100));
        days.add(&of(&[3_599]));
        assert_eq!(days.median(), Some(200));
        assert_eq!(Lengths::of_json(&days.json()).expect("it is JSON"), days);
        assert_eq!(of(&[3_599]).median(), Some(3_540));
    }
}
