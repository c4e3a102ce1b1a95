//! The state of a list, encoded in its address. Parsing never fails: invalid parts are dropped, and only the normalized address answers
//! with the list (others redirect to it).

use std::collections::BTreeSet;
use std::ops::Bound;

use form_urlencoded::Serializer;
use shop_base::fields::visible;

use super::model::Availability;
use super::search::words;

/// Query parameters that a list uses.
pub const LIST_PARAMETERS: &[&str] =
    &["q", "category", "material", "color", "colour", "availability", "sale", "min_price", "max_price", "sort", "page"];

/// Products per page of a list.
pub const PAGE_SIZE: usize = 48;

const MAX_PAIRS: usize = 100;
const MAX_TEXT: usize = 100;
const MAX_DOLLARS: i64 = 1_000_000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// By search rank, or by popularity if there is no search.
    #[default]
    Best,
    Newest,
    PriceAscending,
    PriceDescending,
    Name,
}

impl Sort {
    pub const ALL: [Self; 5] = [Self::Best, Self::Newest, Self::PriceAscending, Self::PriceDescending, Self::Name];

    pub fn value(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Newest => "newest",
            Self::PriceAscending => "price",
            Self::PriceDescending => "price-desc",
            Self::Name => "name",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Best => "Best match",
            Self::Newest => "Newest",
            Self::PriceAscending => "Price: low to high",
            Self::PriceDescending => "Price: high to low",
            Self::Name => "Name",
        }
    }
}

/// A facet whose options are selected in the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FacetKey {
    Category,
    Material,
    Color,
    Availability,
    Sale,
}

impl FacetKey {
    /// In the order of an address.
    pub const ALL: [Self; 5] = [Self::Category, Self::Material, Self::Color, Self::Availability, Self::Sale];
}

/// The state of a list. Several values of one facet are combined with OR, different facets with AND.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery {
    pub text: String,
    /// Category slugs.
    pub categories: BTreeSet<String>,
    /// Slugs of material names.
    pub materials: BTreeSet<String>,
    /// Slugs of color names.
    pub colors: BTreeSet<String>,
    pub availability: BTreeSet<Availability>,
    pub on_sale: bool,
    /// Whole dollars.
    pub min_price: Option<i64>,
    /// Whole dollars.
    pub max_price: Option<i64>,
    pub sort: Sort,
    /// From 1.
    pub page: usize,
}

/// The values that exist in the catalog; unknown ones are dropped from an address.
pub trait KnownValues {
    fn category(&self, slug: &str) -> bool;
    fn material(&self, slug: &str) -> bool;
    fn color(&self, slug: &str) -> bool;
}

/// A parsed query string: the list, and whether the address was already normalized.
#[derive(Debug, PartialEq, Eq)]
pub struct ReadQuery {
    pub query: ListQuery,
    pub is_normal: bool,
}

impl ListQuery {
    /// Parses a raw query string. Unrelated parameters (such as campaigns) are ignored and do not require a redirect.
    pub fn read(raw: &str, known: &dyn KnownValues) -> ReadQuery {
        let mut query = Self { page: 1, ..Self::default() };
        let mut given = Serializer::new(String::new());
        // Unrelated pairs do not count: what is read must depend on the parameters under which the page is kept, and on nothing else.
        let related =
            form_urlencoded::parse(raw.as_bytes()).filter(|(name, _)| LIST_PARAMETERS.contains(&name.as_ref()));
        for (name, value) in related.take(MAX_PAIRS) {
            query.take(&name, &value, known);
            given.append_pair(&name, &value);
        }
        if query.min_price.zip(query.max_price).is_some_and(|(min, max)| min > max) {
            // A minimum of 0 is none.
            (query.min_price, query.max_price) = (query.max_price.filter(|amount| *amount > 0), query.min_price);
        }
        let is_normal = given.finish() == query.to_string();
        ReadQuery { query, is_normal }
    }

    fn take(&mut self, name: &str, value: &str, known: &dyn KnownValues) {
        let value = value.trim();
        match name {
            // Without a word the search finds everything.
            "q" => self.text = Some(clean(value)).filter(|text| !words::of_query(text).is_empty()).unwrap_or_default(),
            "category" if known.category(value) => drop(self.categories.insert(value.to_owned())),
            "material" if known.material(value) => drop(self.materials.insert(value.to_owned())),
            // The second is the former name; old links redirect to the address with the new one.
            "color" | "colour" if known.color(value) => drop(self.colors.insert(value.to_owned())),
            "availability" => self.availability.extend(Availability::parse(value)),
            "sale" => self.on_sale = value == "1",
            "min_price" => self.min_price = dollars(value).filter(|amount| *amount > 0),
            "max_price" => self.max_price = dollars(value),
            "sort" => self.sort = Sort::ALL.into_iter().find(|sort| sort.value() == value).unwrap_or_default(),
            "page" => self.page = value.parse().ok().filter(|page| *page > 0).unwrap_or(1),
            _ => {}
        }
    }

    /// The list's address below `path`.
    pub fn href(&self, path: &str) -> String {
        let (mut out, start) = address(path);
        self.write(&mut out, self.page);
        finished(out.finish(), start)
    }

    /// The addresses of this list with one option of a facet toggled.
    pub fn toggling(&self, path: &str, facet: FacetKey) -> Toggling<'_> {
        let (mut out, start) = address(path);
        self.write_text(&mut out);
        FacetKey::ALL.into_iter().filter(|each| *each < facet).for_each(|each| self.write_facet(&mut out, each, None));
        let mut rest = Serializer::new(String::new());
        FacetKey::ALL.into_iter().filter(|each| *each > facet).for_each(|each| self.write_facet(&mut rest, each, None));
        self.write_rest(&mut rest, 1);
        Toggling { query: self, facet, before: out.finish(), start, after: rest.finish() }
    }

    /// Writes the normalized query string.
    fn write(&self, out: &mut Serializer<'_, String>, page: usize) {
        self.write_text(out);
        FacetKey::ALL.into_iter().for_each(|facet| self.write_facet(out, facet, None));
        self.write_rest(out, page);
    }

    fn write_text(&self, out: &mut Serializer<'_, String>) {
        if !self.text.is_empty() {
            out.append_pair("q", &self.text);
        }
    }

    /// Writes the selected options of a facet, with one toggled.
    fn write_facet(&self, out: &mut Serializer<'_, String>, facet: FacetKey, toggled: Option<&str>) {
        let (name, values) = match facet {
            FacetKey::Category => ("category", &self.categories),
            FacetKey::Material => ("material", &self.materials),
            FacetKey::Color => ("color", &self.colors),
            FacetKey::Availability => {
                let toggled = toggled.and_then(Availability::parse);
                for each in Availability::ALL {
                    if self.availability.contains(&each) != (toggled == Some(each)) {
                        out.append_pair("availability", each.value());
                    }
                }
                return;
            }
            FacetKey::Sale => {
                if self.on_sale != toggled.is_some() {
                    out.append_pair("sale", "1");
                }
                return;
            }
        };
        let Some(toggled) = toggled else {
            out.extend_pairs(values.iter().map(|value| (name, value)));
            return;
        };
        let before = (Bound::Unbounded, Bound::Excluded(toggled));
        out.extend_pairs(values.range::<str, _>(before).map(|value| (name, value)));
        if !values.contains(toggled) {
            out.append_pair(name, toggled);
        }
        let after = (Bound::Excluded(toggled), Bound::Unbounded);
        out.extend_pairs(values.range::<str, _>(after).map(|value| (name, value)));
    }

    /// Writes the prices, the order, and the page.
    fn write_rest(&self, out: &mut Serializer<'_, String>, page: usize) {
        for (name, amount) in [("min_price", self.min_price), ("max_price", self.max_price)] {
            if let Some(amount) = amount {
                out.append_pair(name, &amount.to_string());
            }
        }
        if self.sort != Sort::default() {
            out.append_pair("sort", self.sort.value());
        }
        if page > 1 {
            out.append_pair("page", &page.to_string());
        }
    }

    pub fn with_page(&self, page: usize) -> Self {
        Self { page, ..self.clone() }
    }

    pub fn with_sort(&self, sort: Sort) -> Self {
        Self { sort, page: 1, ..self.clone() }
    }

    /// The list with one facet option toggled.
    pub fn toggled(&self, key: FacetKey, value: &str) -> Self {
        let mut next = self.with_page(1);
        match key {
            FacetKey::Category => toggle(&mut next.categories, value.to_owned()),
            FacetKey::Material => toggle(&mut next.materials, value.to_owned()),
            FacetKey::Color => toggle(&mut next.colors, value.to_owned()),
            FacetKey::Availability => {
                if let Some(availability) = Availability::parse(value) {
                    toggle(&mut next.availability, availability);
                }
            }
            FacetKey::Sale => next.on_sale = !next.on_sale,
        }
        next
    }

    pub fn without_price(&self) -> Self {
        Self { min_price: None, max_price: None, page: 1, ..self.clone() }
    }

    /// The same search text without any filter.
    pub fn cleared(&self) -> Self {
        Self { text: self.text.clone(), sort: self.sort, page: 1, ..Self::default() }
    }
}

/// An address that is being written, and where its query begins.
fn address(path: &str) -> (Serializer<'static, String>, usize) {
    let mut address = String::with_capacity(path.len() + 64);
    address.push_str(path);
    address.push('?');
    let start = address.len();
    (Serializer::for_suffix(address, start), start)
}

/// Without the question mark if there is no query.
fn finished(mut address: String, start: usize) -> String {
    if address.len() == start {
        address.pop();
    }
    address
}

/// The addresses of a list with one option of a facet toggled. A list has dozens of them, so what they share is written once.
#[derive(Debug)]
pub struct Toggling<'a> {
    query: &'a ListQuery,
    facet: FacetKey,
    /// The address up to the values of the facet.
    before: String,
    /// Where its query begins.
    start: usize,
    /// The query after these values.
    after: String,
}

impl Toggling<'_> {
    /// The address with the option of this value toggled.
    pub fn href(&self, value: &str) -> String {
        let Self { query, facet, before, start, after } = self;
        let mut address = String::with_capacity(before.len() + after.len() + value.len() + 32);
        address.push_str(before);
        let mut out = Serializer::for_suffix(address, *start);
        query.write_facet(&mut out, *facet, Some(value));
        let mut address = out.finish();
        if address.len() > *start && !after.is_empty() {
            address.push('&');
        }
        address.push_str(after);
        finished(address, *start)
    }
}

/// The query string in its normalized form.
impl std::fmt::Display for ListQuery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = Serializer::new(String::new());
        self.write(&mut out, self.page);
        f.write_str(&out.finish())
    }
}

fn toggle<T: Ord>(set: &mut BTreeSet<T>, value: T) {
    if !set.remove(&value) {
        set.insert(value);
    }
}

/// One line of visible text of bounded length.
fn clean(text: &str) -> String {
    let printable: String =
        visible(text).chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_TEXT * 4).collect();
    let line = printable.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_TEXT).collect::<String>().trim_end().to_owned()
}

fn dollars(value: &str) -> Option<i64> {
    value.strip_prefix('$').unwrap_or(value).parse().ok().filter(|amount| (0..=MAX_DOLLARS).contains(amount))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Everything;

    impl KnownValues for Everything {
        fn category(&self, slug: &str) -> bool {
            ["pipes", "lighters"].contains(&slug)
        }
        fn material(&self, slug: &str) -> bool {
            ["briar", "olive-wood"].contains(&slug)
        }
        fn color(&self, slug: &str) -> bool {
            ["walnut"].contains(&slug)
        }
    }

    fn read(raw: &str) -> ReadQuery {
        ListQuery::read(raw, &Everything)
    }

    #[test]
    fn a_normal_address_is_kept_as_it_is() {
        let raw =
            "q=briar+pipe&category=pipes&material=briar&material=olive-wood&sale=1&min_price=10&sort=price&page=2";
        let ReadQuery { query, is_normal } = read(raw);
        assert!(is_normal);
        assert_eq!(query.to_string(), raw);
    }

    #[test]
    fn absurd_values_are_dropped() {
        for raw in [
            "page=-1",
            "page=0",
            "page=x",
            "sort=&q=++",
            "q=%3F%3F",
            "q=%E2%80%AE%E2%80%8B",
            "material=gold",
            "sale=yes",
            "min_price=abc",
            "min_price=0",
        ] {
            let ReadQuery { query, is_normal } = read(raw);
            assert_eq!(query.to_string(), "", "{raw}");
            assert!(!is_normal, "{raw}");
        }
    }

    #[test]
    fn characters_that_show_nothing_are_dropped_but_joiners_stay() {
        for raw in ["q=pi%E2%80%8Bpe", "q=%E2%80%AEpipe", "q=%EF%BB%BF+pipe"] {
            let ReadQuery { query, is_normal } = read(raw);
            assert_eq!(query.to_string(), "q=pipe", "{raw}");
            assert!(!is_normal, "{raw}");
        }
        assert!(read("q=pi%E2%80%8Dpe").is_normal);
    }

    #[test]
    fn campaign_parameters_do_not_make_an_address_abnormal() {
        assert!(read("utm_source=mail&page=2").is_normal);
    }

    #[test]
    fn a_price_range_the_wrong_way_round_is_turned() {
        assert_eq!(read("min_price=50&max_price=20").query.to_string(), "min_price=20&max_price=50");
        assert_eq!(read("min_price=50&max_price=0").query.to_string(), "max_price=50");
    }

    proptest! {
        #[test]
        fn reading_is_total_and_its_normal_form_is_stable(raw in "\\PC{0,300}") {
            let once = read(&raw).query;
            let again = read(&once.to_string());
            prop_assert!(again.is_normal);
            prop_assert_eq!(again.query, once);
        }

        #[test]
        fn the_address_of_a_toggled_list_is_that_of_the_option(
            raw in "(q=pipe&)?(category=pipes&)?(material=briar&)?(material=olive-wood&)?(availability=low_stock&)?(sale=1&)?(page=3)?",
        ) {
            let query = read(&raw).query;
            for (key, value) in [
                (FacetKey::Category, "pipes"), (FacetKey::Category, "lighters"), (FacetKey::Material, "briar"),
                (FacetKey::Material, "olive-wood"), (FacetKey::Material, "corncob"), (FacetKey::Color, "walnut"),
                (FacetKey::Availability, "in_stock"), (FacetKey::Availability, "low_stock"), (FacetKey::Sale, "1"),
            ] {
                prop_assert_eq!(query.toggling("/products", key).href(value), query.toggled(key, value).href("/products"));
            }
        }

        #[test]
        fn toggling_twice_changes_nothing_but_the_page(page in 1usize..50) {
            let query = ListQuery { page, ..ListQuery::default() };
            let twice = query.toggled(FacetKey::Material, "briar").toggled(FacetKey::Material, "briar");
            prop_assert_eq!(twice, query.with_page(1));
        }
    }
}
