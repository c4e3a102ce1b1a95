//! From the events of a day to its figures.

use std::collections::{BTreeMap, HashMap, HashSet};

use uuid::Uuid;

use super::model::{Count, CountKind, Visits};

/// After so long without a payment a cart counts as abandoned, in milliseconds.
pub const CART_MS: i64 = 24 * 60 * 60 * 1000;

const PRODUCT: &str = "/product/";
const CHECKOUT: &str = "/checkout";
pub const BOUGHT: &str = "/order-confirmation";

/// Letters of a search that are counted apart.
const LONGEST_SEARCH: usize = 60;
/// A search with so many digits may be a number by which somebody is known.
const MOST_DIGITS: usize = 6;
/// What stands for searches that are not kept.
const WITHHELD: &str = "(not kept)";

/// An event as the figures see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
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

/// Whose events belong together: a tab's, or where the browser makes no session, a network's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Who<'a> {
    Session(Uuid),
    Network(&'a str),
}

fn who(event: &Seen) -> Who<'_> {
    event.session_id.map_or(Who::Network(&event.network), Who::Session)
}

/// How far a visit came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    #[default]
    Visit,
    Product,
    Basket,
    Checkout,
    Bought,
}

/// One visit while it is counted.
#[derive(Debug, Default)]
struct Visit {
    first: i64,
    last: i64,
    step: Step,
    has_seen_checkout: bool,
    /// From when to when it was looked at.
    looks: Vec<(i64, i64)>,
    /// When something was last put into the cart.
    filled: Option<i64>,
    users: HashSet<Uuid>,
}

impl Visit {
    fn seconds(&mut self) -> i64 {
        if self.looks.is_empty() {
            return (self.last - self.first) / 1000;
        }
        // Reports of one look have the same beginning, give or take their rounding.
        self.looks.sort_unstable();
        let (mut total, mut reached) = (0, i64::MIN);
        for (from, until) in &self.looks {
            total += (until - from.max(&reached)).max(0);
            reached = reached.max(*until);
        }
        total / 1000
    }
}

/// A confirmation: who saw it, and when.
struct Bought<'a> {
    who: Who<'a>,
    user: Option<Uuid>,
    at: i64,
}

/// Counts what the events of a day tell, ordered by time, which begins at `start` (UTC milliseconds). `later` are the page views of the 24
/// hours that follow it.
pub fn count(events: &[Seen], later: &[Seen], start: i64) -> (Visits, Vec<(CountKind, Count)>) {
    let mut figures = Visits::default();
    let mut visits: HashMap<Who<'_>, Visit> = HashMap::new();
    let mut counts = Counts::default();
    for event in events {
        let visit = visits.entry(who(event)).or_insert_with(|| Visit { first: event.at, ..Visit::default() });
        visit.last = event.at;
        visit.users.extend(event.user_id);
        note(visit, event, start);
        if event.kind == "page_view" {
            figures.page_views += 1;
        }
        if event.kind == "search" {
            figures.searches += 1;
            figures.empty_searches += i64::from(event.results == Some(0));
        }
        counts.add(event);
    }
    let bought = purchases(events.iter().chain(later));
    for (who, visit) in &mut visits {
        figures.visits += 1;
        figures.products += i64::from(visit.step >= Step::Product);
        figures.baskets += i64::from(visit.step >= Step::Basket);
        figures.checkouts += i64::from(visit.step >= Step::Checkout);
        figures.buyers += i64::from(visit.step >= Step::Bought);
        if let Some(filled) = visit.filled {
            let is_theirs =
                |bought: &Bought<'_>| bought.who == *who || bought.user.is_some_and(|user| visit.users.contains(&user));
            let in_time = |bought: &Bought<'_>| (filled..=filled + CART_MS).contains(&bought.at);
            figures.carts += 1;
            figures.carts_paid += i64::from(bought.iter().any(|bought| is_theirs(bought) && in_time(bought)));
        }
        let seconds = visit.seconds();
        figures.seconds += seconds;
        figures.lengths.count(seconds);
    }
    (figures, counts.finish())
}

fn note(visit: &mut Visit, event: &Seen, start: i64) {
    let step = match (event.kind.as_str(), event.page.as_deref()) {
        ("page_view", Some(CHECKOUT)) => {
            visit.has_seen_checkout = true;
            Step::Checkout
        }
        // Who comes back to an order has not bought again.
        ("page_view", Some(BOUGHT)) if visit.has_seen_checkout => Step::Bought,
        ("page_view", Some(page)) if page.starts_with(PRODUCT) => Step::Product,
        ("cart_action", _) if event.action.as_deref() == Some("add") => {
            visit.filled = Some(event.at);
            Step::Basket
        }
        _ => Step::Visit,
    };
    visit.step = visit.step.max(step);
    if let ("session_activity", Some(seconds)) = (event.kind.as_str(), event.session_duration) {
        // What was before midnight belongs to the visit of that day.
        visit.looks.push((start.max(event.at - seconds * 1000), event.at));
    }
}

/// Confirmations that followed a checkout of the same session.
fn purchases<'a>(events: impl Iterator<Item = &'a Seen>) -> Vec<Bought<'a>> {
    let mut at_checkout = HashSet::new();
    let mut bought = Vec::new();
    for event in events.filter(|event| event.kind == "page_view") {
        match event.page.as_deref() {
            Some(CHECKOUT) => drop(at_checkout.insert(who(event))),
            Some(BOUGHT) if at_checkout.contains(&who(event)) => {
                bought.push(Bought { who: who(event), user: event.user_id, at: event.at });
            }
            _ => {}
        }
    }
    bought
}

#[derive(Default)]
struct Counts<'a>(BTreeMap<(&'static str, String), Tally<'a>>);

#[derive(Default)]
struct Tally<'a> {
    events: i64,
    empty: i64,
    visits: HashSet<Who<'a>>,
}

impl<'a> Counts<'a> {
    fn add(&mut self, event: &'a Seen) {
        let (kind, name) = match event.kind.as_str() {
            "page_view" => (CountKind::Page, event.page.clone()),
            "feature_usage" => (CountKind::Feature, event.feature.clone()),
            "search" => (CountKind::Search, event.action.as_deref().map(searched)),
            "cart_action" => (CountKind::Cart, event.action.clone()),
            _ => return,
        };
        let Some(name) = name else { return };
        let tally = self.0.entry((kind.text(), name)).or_default();
        tally.events += 1;
        tally.empty += i64::from(event.results == Some(0));
        tally.visits.insert(who(event));
    }

    fn finish(self) -> Vec<(CountKind, Count)> {
        let counts = self.0.into_iter().filter_map(|((kind, name), tally)| {
            let visits = i64::try_from(tally.visits.len()).unwrap_or(i64::MAX);
            Some((kind.parse().ok()?, Count { name, events: tally.events, visits, empty: tally.empty }))
        });
        counts.collect()
    }
}

/// A search in the form in which like ones are counted together. Roll-ups are kept for ever, so what may name a person is not in them.
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
    use uuid::Uuid;

    use super::{CART_MS, Seen, count, searched};

    const MINUTE: i64 = 60_000;

    fn event(session: u128, kind: &str, at: i64) -> Seen {
        Seen {
            kind: kind.to_owned(),
            page: None,
            feature: None,
            action: None,
            results: None,
            session_duration: None,
            session_id: Some(Uuid::from_u128(session)),
            user_id: None,
            network: "203.0.113.0".to_owned(),
            at,
        }
    }

    fn view(session: u128, page: &str, at: i64) -> Seen {
        Seen { page: Some(page.to_owned()), ..event(session, "page_view", at) }
    }

    fn add(session: u128, at: i64) -> Seen {
        Seen { action: Some("add".to_owned()), ..event(session, "cart_action", at) }
    }

    fn look(session: u128, seconds: i64, at: i64) -> Seen {
        Seen { session_duration: Some(seconds), ..event(session, "session_activity", at) }
    }

    #[test]
    fn the_funnel_only_narrows() {
        let events = [
            view(1, "/", 0),
            view(2, "/product/pipe", 1),
            add(3, 2),
            view(4, "/checkout", 3),
            view(4, "/order-confirmation", 4),
            // Comes back to an order of long ago.
            view(5, "/order-confirmation", 5),
        ];
        let (visits, _) = count(&events, &[], 0);
        assert_eq!((visits.visits, visits.products, visits.baskets, visits.checkouts, visits.buyers), (5, 3, 2, 1, 1));
    }

    #[test]
    fn a_cart_is_paid_by_its_session_or_its_user_within_a_day() {
        let user = Some(Uuid::from_u128(9));
        let mut other_device = [view(20, "/checkout", MINUTE), view(20, "/order-confirmation", 2 * MINUTE)];
        other_device.iter_mut().for_each(|event| event.user_id = user);
        let events = [add(1, 0), add(2, 0), Seen { user_id: user, ..add(3, 0) }, add(4, 0)];
        let mut later = other_device.to_vec();
        later.extend([
            view(1, "/checkout", 3 * MINUTE),
            view(1, "/order-confirmation", 4 * MINUTE),
            view(2, "/checkout", CART_MS),
            view(2, "/order-confirmation", CART_MS + 1),
        ]);
        let (visits, _) = count(&events, &later, 0);
        assert_eq!((visits.carts, visits.carts_paid), (4, 2), "the second was a millisecond late");
        assert_eq!(visits.visits, 4, "what is later is of another day");
    }

    #[test]
    fn a_visit_is_as_long_as_it_was_looked_at() {
        let from_first_to_last = [view(1, "/", 0), view(1, "/cart", 20_000)];
        assert_eq!(count(&from_first_to_last, &[], 0).0.seconds, 20);
        // Five minutes, ten, and the end of the same look; an hour away; another look, reported by two tabs' worth of overlap.
        let looks = [
            view(1, "/", 0),
            look(1, 301, 301_000),
            look(1, 601, 601_000),
            look(1, 650, 650_000),
            look(1, 100, 4_250_000),
            look(1, 60, 4_260_000),
        ];
        assert_eq!(count(&looks, &[], 0).0.seconds, 650 + 110);
        assert_eq!(count(&looks, &[], 400_000).0.seconds, 250 + 110, "the day began in the middle of the first look");
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
