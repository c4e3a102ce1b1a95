//! What visits did on a day.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::db::stored;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visits {
    pub visits: i64,
    pub page_views: i64,
    pub searches: i64,
    /// Searches without a result.
    pub empty_searches: i64,
    /// Visits that looked at a product, or came further.
    pub products: i64,
    /// Visits that put something into the cart, or came further.
    pub baskets: i64,
    /// Visits that went to the checkout, or came further.
    pub checkouts: i64,
    /// Visits that bought.
    pub buyers: i64,
    /// Visits that put something into the cart.
    pub carts: i64,
    /// Those that bought within 24 hours.
    pub carts_paid: i64,
    /// The length of all visits together.
    pub seconds: i64,
    pub lengths: Lengths,
}

impl Visits {
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

/// How many visits had which length. Lengths are cut to steps, so that few numbers tell the median of any number of visits: 5 seconds
/// up to 10 minutes, then a minute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths(BTreeMap<i64, i64>);

impl Lengths {
    pub fn count(&mut self, seconds: i64) {
        let step = if seconds < 600 { 5 } else { 60 };
        *self.0.entry(seconds / step * step).or_default() += 1;
    }

    fn add(&mut self, other: &Self) {
        for (seconds, visits) in &other.0 {
            *self.0.entry(*seconds).or_default() += visits;
        }
    }

    /// Half of the visits are no longer than this; none without visits.
    pub fn median(&self) -> Option<i64> {
        let half = (self.0.values().sum::<i64>() + 1) / 2;
        let mut passed = 0;
        self.0.iter().find_map(|(seconds, visits)| {
            passed += visits;
            (passed >= half).then_some(*seconds)
        })
    }

    /// As it is stored.
    pub fn json(&self) -> String {
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    pub fn of_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text).map(Self)
    }
}

stored! {
    /// What a count is of.
    CountKind {
        Page = "page",
        Feature = "feature",
        Search = "search",
        /// What was done with carts: add, remove, quantity.
        Cart = "cart",
    }
}

/// How often something was done.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count {
    pub name: String,
    pub events: i64,
    /// In how many visits.
    pub visits: i64,
    /// Of searches: how many had no result.
    pub empty: i64,
}

#[cfg(test)]
mod tests {
    use super::Lengths;

    #[test]
    fn the_median_is_that_of_all_days_together() {
        let of = |lengths: &[i64]| {
            let mut all = Lengths::default();
            lengths.iter().for_each(|seconds| all.count(*seconds));
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
