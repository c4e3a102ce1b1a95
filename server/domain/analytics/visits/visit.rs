//! One visit, built from its known events. The order in which events are added does not matter, but for which time spans are joined if there
//! are more than [`MOST_LOOKS`].

use std::cmp::Reverse;

use uuid::Uuid;

const PRODUCT: &str = "/product/";
const CHECKOUT: &str = "/checkout";
const CONFIRMATION: &str = "/order-confirmation";

/// Time spans per visit: a browser may report any number of them, and each report reads and writes them all.
pub const MOST_LOOKS: usize = 100;
/// The maximum length of a search text that is counted, in characters.
const LONGEST_SEARCH: usize = 60;
/// A search with more digits than this may be a number that identifies a person.
const MOST_DIGITS: usize = 6;
/// Replaces searches that are not stored.
const WITHHELD: &str = "(not kept)";

/// An event as input for the figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub id: Uuid,
    pub kind: String,
    pub page: Option<String>,
    pub feature: Option<String>,
    pub action: Option<String>,
    pub results: Option<i64>,
    /// Seconds.
    pub session_duration: Option<i64>,
    pub session_id: Option<Uuid>,
    pub user_id: Option<Uuid>,
    pub network: String,
    /// UTC milliseconds.
    pub at: i64,
}

impl Seen {
    /// The session of an event: the tab's, or the network if the browser provides no session.
    pub fn who(&self) -> String {
        self.session_id.map_or_else(|| self.network.clone(), |session| session.to_string())
    }

    fn views(&self, page: &str) -> bool {
        self.kind == "page_view" && self.page.as_deref() == Some(page)
    }

    pub fn views_checkout(&self) -> bool {
        self.views(CHECKOUT)
    }

    pub fn views_confirmation(&self) -> bool {
        self.views(CONFIRMATION)
    }

    fn views_product(&self) -> bool {
        self.kind == "page_view" && self.page.as_deref().is_some_and(|page| page.starts_with(PRODUCT))
    }

    fn fills_cart(&self) -> bool {
        self.kind == "cart_action" && self.action.as_deref() == Some("add")
    }

    /// Whether it may affect which carts were paid.
    pub fn concerns_carts(&self) -> bool {
        self.fills_cart() || self.views_checkout() || self.views_confirmation() || self.user_id.is_some()
    }

    /// Simultaneous events are ordered by id.
    fn order(&self) -> (i64, Uuid) {
        (self.at, self.id)
    }
}

/// How far a visit got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Visit,
    Product,
    Basket,
    Checkout,
    Bought,
}

/// Times are UTC milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    pub first_at: i64,
    pub last_at: i64,
    pub saw_product: bool,
    /// The first view of the checkout.
    pub checkout: Option<(i64, Uuid)>,
    /// The last view of an order's confirmation.
    pub confirmed: Option<(i64, Uuid)>,
    /// When something was last added to the cart.
    pub filled_at: Option<i64>,
    /// The time spans in which it was viewed, in order, without overlaps. Of more than [`MOST_LOOKS`] those with the shortest times between
    /// them are joined, so it may have been viewed for less, but never for longer.
    pub looks: Vec<(i64, i64)>,
}

impl Visit {
    /// A visit with a single event at this time.
    pub fn at(at: i64) -> Self {
        Self {
            first_at: at,
            last_at: at,
            saw_product: false,
            checkout: None,
            confirmed: None,
            filled_at: None,
            looks: Vec::new(),
        }
    }

    /// Adds an event of the visit's day, which begins at `start` (UTC milliseconds).
    pub fn add(&mut self, event: &Seen, start: i64) {
        self.first_at = self.first_at.min(event.at);
        self.last_at = self.last_at.max(event.at);
        self.saw_product |= event.views_product();
        if event.views_checkout() {
            self.checkout = Some(self.checkout.map_or(event.order(), |known| known.min(event.order())));
        }
        if event.views_confirmation() {
            self.confirmed = self.confirmed.max(Some(event.order()));
        }
        if event.fills_cart() {
            self.filled_at = self.filled_at.max(Some(event.at));
        }
        if let ("session_activity", Some(seconds)) = (event.kind.as_str(), event.session_duration) {
            // Time before midnight belongs to the previous day's visit.
            self.look(start.max(event.at - seconds * 1000), event.at);
        }
        // Also those that a former release has stored.
        if self.looks.len() > MOST_LOOKS {
            self.looks = joined(&self.looks);
        }
    }

    /// Reports of the same view start at the same time, apart from rounding.
    fn look(&mut self, from: i64, until: i64) {
        self.looks.push((from, until));
        self.looks.sort_unstable();
        let mut apart: Vec<(i64, i64)> = Vec::with_capacity(self.looks.len());
        for (from, until) in self.looks.drain(..) {
            match apart.last_mut() {
                Some((_, reached)) if from <= *reached => *reached = until.max(*reached),
                _ => apart.push((from, until)),
            }
        }
        self.looks = apart;
    }

    pub fn step(&self) -> Step {
        match (self.checkout, self.confirmed) {
            // A visitor who returns to an old confirmation has not bought again.
            (Some(checkout), Some(confirmed)) if checkout < confirmed => Step::Bought,
            (Some(_), _) => Step::Checkout,
            _ if self.filled_at.is_some() => Step::Basket,
            _ if self.saw_product => Step::Product,
            _ => Step::Visit,
        }
    }

    /// The time for which it was viewed; without a report, from its first event to its last.
    pub fn seconds(&self) -> i64 {
        match self.looks.is_empty() {
            true => (self.last_at - self.first_at) / 1000,
            false => self.looks.iter().map(|(from, until)| until - from).sum::<i64>() / 1000,
        }
    }
}

/// The spans that are left when only the longest times between them are kept.
fn joined(looks: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut begins: Vec<usize> = (1..looks.len()).collect();
    begins.sort_by_key(|&at| Reverse(looks[at].0 - looks[at - 1].1));
    begins.truncate(MOST_LOOKS - 1);
    begins.push(0);
    begins.sort_unstable();
    let ends = begins.iter().skip(1).copied().chain([looks.len()]);
    begins.iter().zip(ends).map(|(&from, end)| (looks[from].0, looks[end - 1].1)).collect()
}

/// The form of a search text under which equal searches are counted. Roll-ups are kept forever, so text that may identify a person is
/// replaced.
pub fn searched(text: &str) -> String {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if text.contains('@') || digits > MOST_DIGITS {
        return WITHHELD.to_owned();
    }
    let words = text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ");
    words.chars().take(LONGEST_SEARCH).collect()
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::seq::SliceRandom;
    use rand::{Rng, SeedableRng};
    use uuid::Uuid;

    use super::{MOST_LOOKS, Seen, Step, Visit, searched};

    fn event(kind: &str, at: i64) -> Seen {
        Seen {
            id: Uuid::from_u128(u128::try_from(at).expect("times of tests are positive")),
            kind: kind.to_owned(),
            page: None,
            feature: None,
            action: None,
            results: None,
            session_duration: None,
            session_id: Some(Uuid::from_u128(1)),
            user_id: None,
            network: "203.0.113.0".to_owned(),
            at,
        }
    }

    fn view(page: &str, at: i64) -> Seen {
        Seen { page: Some(page.to_owned()), ..event("page_view", at) }
    }

    fn add(at: i64) -> Seen {
        Seen { action: Some("add".to_owned()), ..event("cart_action", at) }
    }

    fn look(seconds: i64, at: i64) -> Seen {
        Seen { session_duration: Some(seconds), ..event("session_activity", at) }
    }

    fn visit(events: &[Seen], start: i64) -> Visit {
        let mut visit = Visit::at(events[0].at);
        events.iter().for_each(|event| visit.add(event, start));
        visit
    }

    #[test]
    fn a_visit_comes_as_far_as_its_furthest_step() {
        for (events, step) in [
            (vec![view("/", 0)], Step::Visit),
            (vec![view("/product/pipe", 1), view("/", 2)], Step::Product),
            (vec![add(2)], Step::Basket),
            (vec![view("/checkout", 3), add(4)], Step::Checkout),
            (vec![view("/checkout", 3), view("/order-confirmation", 4)], Step::Bought),
            // Returns to an old order, and continues.
            (vec![view("/order-confirmation", 5)], Step::Visit),
            (vec![view("/order-confirmation", 5), view("/checkout", 6)], Step::Checkout),
        ] {
            assert_eq!(visit(&events, 0).step(), step, "{events:?}");
        }
    }

    #[test]
    fn a_visit_is_as_long_as_it_was_looked_at() {
        assert_eq!(visit(&[view("/", 0), view("/cart", 20_000)], 0).seconds(), 20);
        // Reports after five and ten minutes and at the end of the same view; an hour away; then another view, reported with overlap by two
        // tabs.
        let looks = [
            view("/", 0),
            look(301, 301_000),
            look(601, 601_000),
            look(650, 650_000),
            look(100, 4_250_000),
            look(60, 4_260_000),
        ];
        assert_eq!(visit(&looks, 0).seconds(), 650 + 110);
        // The day began during the first view.
        assert_eq!(visit(&looks[2..], 400_000).seconds(), 250 + 110);
    }

    #[test]
    fn a_visit_keeps_so_many_spans_and_none_is_forgotten() {
        const HOUR: i64 = 3_600_000;
        // A second every three, and one more an hour later.
        let mut looks: Vec<Seen> = (1..=20_000).map(|number| look(1, number * 3_000)).collect();
        let (last, end) = (20_000 * 3_000, 20_000 * 3_000 + HOUR);
        looks.push(look(1, end));
        let mut reported = Visit::at(0);
        for event in &looks {
            reported.add(event, 0);
            assert!(reported.looks.len() <= MOST_LOOKS);
        }
        // As a former release has stored them.
        let stored = looks.iter().map(|event| (event.at - 1_000, event.at)).collect();
        let mut stored = Visit { looks: stored, ..Visit::at(0) };
        stored.add(&view("/", end), 0);
        for visit in [reported, stored] {
            assert_eq!(visit.looks.len(), MOST_LOOKS);
            assert!(looks.iter().all(|seen| visit.looks.iter().any(|(from, to)| (*from..=*to).contains(&seen.at))));
            assert!((20_001..=last / 1_000 + 1).contains(&visit.seconds()), "{}", visit.seconds());
            assert_eq!(visit.looks.last(), Some(&(end - 1_000, end)), "the hour is the longest time between them");
        }
    }

    #[test]
    fn the_order_of_events_does_not_matter() {
        let mut rng = StdRng::seed_from_u64(3);
        for _ in 0..200 {
            let some = |rng: &mut StdRng| {
                let at = rng.random_range(0..40) * 1_000;
                match rng.random_range(0..5) {
                    0 => view("/product/pipe", at),
                    1 => view("/checkout", at),
                    2 => view("/order-confirmation", at),
                    3 => add(at),
                    _ => look(rng.random_range(1..20), at),
                }
            };
            let mut events: Vec<Seen> = (0..12).map(|_| some(&mut rng)).collect();
            let right = visit(&events, 0);
            events.shuffle(&mut rng);
            assert_eq!(visit(&events, 0), right, "{events:?}");
        }
    }

    #[test]
    fn what_may_name_somebody_is_not_kept() {
        assert_eq!(searched("  Briar   PIPE "), "briar pipe");
        assert_eq!(searched("ada@shop.example"), "(not kept)");
        assert_eq!(searched("614 555 0142"), "(not kept)");
        assert_eq!(searched("9mm filter 100"), "9mm filter 100");
        assert_eq!(searched(&"x".repeat(200)).len(), 60);
    }
}
