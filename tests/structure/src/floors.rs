//! Where a file stands: on which floor, and in which noun of it. Files use what stands below them.

/// The folders of `server/`, from the ground up; the files of `server/` itself put the shop together.
const FLOORS: [&str; 7] = ["base", "platform", "domain", "integrations", "http", "", "demo"];

/// Only `main.rs` uses it.
pub const DEMO: usize = 6;

/// The nouns of a floor, each of which uses earlier ones alone.
const PLATFORM: [&str; 8] = ["web", "audit", "jobs", "staff_search", "webhooks", "media", "settings", "mail"];
const DOMAIN: [&str; 17] = [
    "identity",
    "age",
    "customers",
    "tax",
    "compliance",
    "shipping",
    "stock",
    "promotions",
    "catalog",
    "cart",
    "activity",
    "analytics",
    "sales",
    "popularity",
    "saved_views",
    "retention",
    "privacy",
];

/// The parts of `domain/sales`, likewise.
const SALES: [&str; 8] = ["status", "pricing", "records", "tax_lines", "flows", "view", "mail", "privacy"];

/// Where a file stands.
pub struct Place<'a> {
    path: &'a str,
    pub floor: usize,
    /// The second folder, or the file itself.
    pub noun: &'a str,
    /// Below the noun.
    part: &'a str,
    /// A record of `domain/sales/records`.
    record: &'a str,
}

impl<'a> Place<'a> {
    pub fn of(path: &'a str) -> Self {
        let mut names = path.split('/').skip(1).map(|name| name.trim_end_matches(".rs"));
        let is_assembly = path.matches('/').count() == 1;
        let folder = if is_assembly { "" } else { names.next().unwrap_or_default() };
        let floor = FLOORS.iter().position(|floor| *floor == folder).unwrap_or(usize::MAX);
        let mut name = || names.next().unwrap_or_default();
        Self { path, floor, noun: name(), part: name(), record: name() }
    }

    /// What is wrong with the place itself: whoever adds a noun decides what it stands on.
    pub fn unknown(&self) -> Option<String> {
        let is_known = self.floor < FLOORS.len()
            && self.noun_order().is_none_or(|order| order.is_some())
            && (!self.is_sales() || self.part == "mod" || SALES.contains(&self.part));
        (!is_known).then(|| format!("{} stands in no place of tests/structure/src/floors.rs", self.path))
    }

    pub fn shares_noun(&self, other: &Self) -> bool {
        (self.floor, self.noun) == (other.floor, other.noun)
    }

    fn is_sales(&self) -> bool {
        FLOORS[self.floor] == "domain" && self.noun == "sales"
    }

    /// The place in the list of its floor, if that has one; a floor's own `mod.rs` only lists.
    fn noun_order(&self) -> Option<Option<usize>> {
        let nouns: &[&str] = match FLOORS.get(self.floor).copied() {
            Some("platform") => &PLATFORM,
            Some("domain") => &DOMAIN,
            _ => return None,
        };
        if self.noun == "mod" { None } else { Some(nouns.iter().position(|noun| *noun == self.noun)) }
    }
}

/// Why a file may not use another, for where they stand.
pub fn refused(from: &Place<'_>, to: &Place<'_>) -> Option<&'static str> {
    let order = |part: &str| SALES.iter().position(|each| *each == part);
    if to.floor > from.floor {
        return Some("uses what stands on a floor above");
    }
    if to.floor < from.floor {
        return None;
    }
    if from.noun != to.noun {
        let is_above = from.noun_order().zip(to.noun_order()).is_some_and(|(from, to)| to > from);
        return is_above.then_some("uses a noun that stands above its own");
    }
    if !from.is_sales() {
        return None;
    }
    if order(to.part) > order(from.part) {
        return Some("uses a part of sales that stands above its own");
    }
    let are_records = from.part == "records" && to.part == "records";
    (are_records && from.record != to.record).then_some("is a record that knows another")
}
