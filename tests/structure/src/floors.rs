//! The position of a file: its floor (layer), and its noun (module) there. Files may use only what is below them.

/// The crates in folders of `server/`, from the lowest layer up. The compiler enforces their direction.
pub const CRATES: [&str; 6] = ["base", "platform", "demo", "domain", "integrations", "http"];

/// The assembly of the shop is above all of them: the files of `server/` itself, and the demo data.
const ASSEMBLY: usize = CRATES.len();

/// The nouns of a floor, each of which may use only earlier ones.
const PLATFORM: [&str; 11] = [
    "metrics",
    "web",
    "builds",
    "audit",
    "jobs",
    "statistics",
    "staff_search",
    "webhooks",
    "media",
    "settings",
    "mail",
];
const DOMAIN: [&str; 19] = [
    "disputes",
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
    "encrypted",
];

/// The parts of `domain/sales`, each of which may use only earlier ones.
const SALES: [&str; 10] =
    ["status", "pricing", "links", "order_links", "records", "tax_lines", "flows", "view", "mail", "privacy"];

/// The position of a file.
pub struct Place<'a> {
    path: &'a str,
    pub floor: usize,
    /// The second folder, or the file itself.
    pub noun: &'a str,
    /// The next folder or file below the noun.
    part: &'a str,
    /// A record of `domain/sales/records`.
    record: &'a str,
}

impl<'a> Place<'a> {
    pub fn of(path: &'a str) -> Self {
        let mut names = path.split('/').skip(1).map(|name| name.trim_end_matches(".rs")).peekable();
        let floor = CRATES.iter().position(|name| Some(name) == names.peek());
        let mut name = || names.next().unwrap_or_default();
        if floor.is_some() {
            name();
        }
        Self { path, floor: floor.unwrap_or(ASSEMBLY), noun: name(), part: name(), record: name() }
    }

    /// Belongs to the demo: stand-ins, drawings, data.
    pub fn is_demo(&self) -> bool {
        self.path.starts_with("server/demo")
    }

    /// The error if the place is unknown: a new noun must be added to the lists above.
    pub fn unknown(&self) -> Option<String> {
        let is_known = self.noun_order().is_none_or(|order| order.is_some())
            && (!self.is_sales() || self.part == "mod" || SALES.contains(&self.part));
        (!is_known).then(|| format!("{} stands in no place of tests/structure/src/floors.rs", self.path))
    }

    pub fn shares_noun(&self, other: &Self) -> bool {
        (self.floor, self.noun) == (other.floor, other.noun)
    }

    fn is_sales(&self) -> bool {
        CRATES.get(self.floor) == Some(&"domain") && self.noun == "sales"
    }

    /// The index in the list of its floor, if the floor has one; a crate's root file only lists modules.
    fn noun_order(&self) -> Option<Option<usize>> {
        let nouns: &[&str] = match CRATES.get(self.floor).copied() {
            Some("platform") => &PLATFORM,
            Some("domain") => &DOMAIN,
            _ => return None,
        };
        if self.noun == "lib" || self.noun == "build" {
            None
        } else {
            Some(nouns.iter().position(|noun| *noun == self.noun))
        }
    }
}

/// Why a file may not use another, given their positions.
pub fn refused(from: &Place<'_>, to: &Place<'_>) -> Option<&'static str> {
    let order = |part: &str| SALES.iter().position(|each| *each == part);
    if to.is_demo() && !from.is_demo() {
        return Some("reaches into the demonstration from the shop");
    }
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
