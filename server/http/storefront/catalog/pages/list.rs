//! `/products` and `/category/{slug}`: the same list, of all products or of one category with its subcategories.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use shop_base::error::Error;
use shop_domain::catalog::listing::Listing;
use shop_domain::catalog::model::{Availability, Category, CategoryCard, ProductCard};
use shop_domain::catalog::query::{FacetKey, ListQuery, PAGE_SIZE, ReadQuery, Sort, Toggling};
use shop_domain::catalog::search::{SearchQuery, SearchResult};
use shop_domain::catalog::service::Catalog;
use shop_domain::catalog::{model, search};
use shop_platform::web::extract::{Asked, Slug};
use shop_platform::web::page::{Link, Meta, Page, PageProps, Preload, Topic};
use shop_platform::web::reusable::{Item, ItemValues, Items, Reusable, Value as _, Verbatim};
use utoipa::ToSchema;

use super::{breadcrumb_list, not_here};
use crate::page::serve::{about, moved};

/// The grid's `sizes` and widths, the same as in `app/ui/product-card.tsx`.
const CARD_SIZES: &str = "(min-width:64em)22vw,(min-width:40em)30vw,46vw";
const CARD_WIDTHS: [u32; 3] = [320, 480, 640];
/// Cards in the first row on a wide screen.
const FIRST_ROW: usize = 3;
/// How many pages before and after the current one have a numbered link.
const NUMBERED_PAGES: usize = 2;
/// Fills whole rows of two and of three.
const POPULAR: usize = 6;
/// How many options of a facet are shown without expanding it.
const SHOWN_OPTIONS: usize = 8;
/// How many of its values are options at all, besides selected ones. Nobody reads thousands; a search finds the others.
const MOST_OPTIONS: usize = 100;

/// Props of a list: all products, a search, or a category.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListPage<'a> {
    #[schema(value_type = String)]
    pub heading: Verbatim<String>,
    #[schema(value_type = String)]
    pub description: Verbatim<String>,
    /// The target of the filter form.
    #[schema(value_type = String)]
    pub action: Verbatim<String>,
    pub breadcrumbs: Vec<Link>,
    pub children: Vec<CategoryCard>,
    /// What is searched for.
    #[schema(value_type = String)]
    pub q: Verbatim<String>,
    #[schema(value_type = usize)]
    pub total: Verbatim<usize>,
    #[schema(value_type = Vec<ProductCard>)]
    pub items: Items<&'a Reusable<ProductCard>>,
    pub sorts: Vec<SortOption>,
    pub facets: Vec<Facet<'a>>,
    pub price: PriceRange,
    /// Active filters; following the link of one removes it.
    pub active: Vec<Link>,
    #[schema(value_type = String)]
    pub clear_href: Verbatim<String>,
    /// Empty if there is only one.
    pub pages: Vec<PageLink>,
    #[schema(value_type = Option<String>)]
    pub prev_href: Option<Verbatim<String>>,
    #[schema(value_type = Option<String>)]
    pub next_href: Option<Verbatim<String>>,
    pub did_you_mean: Option<Link>,
    /// Popular products, for an empty list.
    #[schema(value_type = Vec<ProductCard>)]
    pub popular: Vec<Reusable<ProductCard>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SortOption {
    pub value: &'static str,
    pub label: &'static str,
    #[schema(value_type = String)]
    pub href: Verbatim<String>,
    pub selected: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Facet<'a> {
    /// The query parameter.
    pub key: &'static str,
    pub label: &'static str,
    #[schema(value_type = Vec<FacetOption<'_>>)]
    pub options: Items<FacetOption<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<MoreOptions<'a>>,
}

/// The options of a facet that are shown when it is expanded.
#[derive(Debug, Serialize, ToSchema)]
pub struct MoreOptions<'a> {
    #[schema(value_type = usize)]
    pub count: Verbatim<usize>,
    /// One of them is selected.
    pub open: bool,
    #[schema(value_type = Vec<FacetOption<'_>>)]
    pub options: Items<FacetOption<'a>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FacetOption<'a> {
    #[schema(value_type = String)]
    pub label: Verbatim<&'a str>,
    #[schema(value_type = u64)]
    pub count: Verbatim<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub selected: bool,
    /// The list with this option toggled.
    #[schema(value_type = String)]
    pub href: Verbatim<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub hex: Option<Verbatim<&'a str>>,
}

impl Item for FacetOption<'_> {
    fn alike(&self) -> Option<u8> {
        let Self { label, count, selected, href, hex } = self;
        let is_special = label.is_special()
            || count.is_special()
            || href.is_special()
            || hex.as_ref().is_some_and(|hex| hex.is_special());
        (!is_special).then(|| u8::from(*selected) | u8::from(hex.is_some()) << 1)
    }

    fn values(&self, values: &mut ItemValues<'_>) {
        values.add(&self.label);
        values.add(&self.count);
        values.add(&self.href);
        if let Some(hex) = &self.hex {
            values.add(hex);
        }
    }
}

/// In dollars.
#[derive(Debug, Serialize, ToSchema)]
pub struct PriceRange {
    #[schema(value_type = i64)]
    pub min: Verbatim<i64>,
    #[schema(value_type = i64)]
    pub max: Verbatim<i64>,
    #[schema(value_type = Option<i64>)]
    pub selected_min: Option<Verbatim<i64>>,
    #[schema(value_type = Option<i64>)]
    pub selected_max: Option<Verbatim<i64>>,
    /// What else the list is narrowed and sorted by: the form with the price repeats it.
    pub filters: Vec<Filter>,
}

/// A query parameter.
#[derive(Debug, Serialize, ToSchema)]
pub struct Filter {
    pub name: String,
    #[schema(value_type = String)]
    pub value: Verbatim<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PageLink {
    #[schema(value_type = String)]
    pub label: Verbatim<String>,
    #[schema(value_type = String)]
    pub href: Verbatim<String>,
    pub current: bool,
    /// Pages before it have no link.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub after_gap: bool,
}

impl PageProps for ListPage<'_> {
    const NAME: &'static str = "catalog/list";
}

/// `GET /products`
pub async fn products(State(catalog): State<Arc<Catalog>>, asked: Asked) -> Result<Response, Error> {
    let listing = catalog.listing();
    list(&listing, &asked, None).await
}

/// `GET /category/{slug}`
pub async fn category(State(catalog): State<Arc<Catalog>>, Slug(slug): Slug, asked: Asked) -> Result<Response, Error> {
    let listing = catalog.listing();
    if let Some(category) = listing.find_category(&slug) {
        return list(&listing, &asked, Some(category)).await;
    }
    if catalog.has_unlisted_category(&slug).await? {
        // Menus of a node that was faster lead here, and so do its redirects.
        return Err(Error::Unavailable { cause: format!("no list has the category {slug} yet"), contention: false });
    }
    not_here(&catalog, &asked).await
}

async fn list(listing: &Listing, asked: &Asked, category: Option<&Category>) -> Result<Response, Error> {
    let path = category.map_or_else(|| "/products".to_owned(), Category::href);
    let topic = category.map_or(Topic::Cards, |category| Topic::Category(category.id));
    let ReadQuery { query, is_normal } = ListQuery::read(&asked.query, listing);
    if !is_normal {
        return Ok(about(moved(&asked.address(&query.href(&path))), topic));
    }
    if !query.text.is_empty() {
        listing.index.completed().await.map_err(Error::internal)?;
    }
    let result = listing.index.search(&search_query(&query, category)).map_err(Error::internal)?;
    let page_count = result.total.div_ceil(PAGE_SIZE).max(1);
    if query.page > page_count {
        return Err(asked.refused());
    }
    // An empty list may show products of the whole shop.
    let topic = if result.total == 0 { Topic::Cards } else { topic };
    let props = list_page(listing, &query, category, path.clone(), &result, page_count);
    let meta = list_meta(&query, category, &props);
    Ok(Page::new(query.href(&path), &props, meta)?.about([topic]).into_response())
}

fn search_query(query: &ListQuery, category: Option<&Category>) -> SearchQuery {
    let minor = |dollars: i64| dollars * 100;
    SearchQuery {
        text: Some(query.text.clone()).filter(|text| !text.is_empty()),
        within: category.map(|category| category.slug.clone()),
        categories: query.categories.iter().cloned().collect(),
        materials: query.materials.iter().cloned().collect(),
        colors: query.colors.iter().cloned().collect(),
        availability: query.availability.iter().copied().collect(),
        on_sale: query.on_sale,
        min_price: query.min_price.map(minor),
        max_price: query.max_price.map(minor),
        sort: match query.sort {
            Sort::Best if query.text.is_empty() => search::Sort::Featured,
            Sort::Best => search::Sort::Relevance,
            Sort::Newest => search::Sort::Newest,
            Sort::PriceAscending => search::Sort::PriceAsc,
            Sort::PriceDescending => search::Sort::PriceDesc,
            Sort::Name => search::Sort::Name,
        },
        offset: (query.page - 1).saturating_mul(PAGE_SIZE),
        limit: PAGE_SIZE,
    }
}

fn list_page<'a>(
    listing: &'a Listing,
    query: &ListQuery,
    category: Option<&Category>,
    path: String,
    result: &'a SearchResult,
    page_count: usize,
) -> ListPage<'a> {
    let page_href = |page: usize| Verbatim(query.with_page(page).href(&path));
    ListPage {
        heading: heading(query, category).into(),
        description: category.map(|category| category.description.clone()).unwrap_or_default().into(),
        breadcrumbs: category.map(|c| model::breadcrumbs(&listing.path(c))).unwrap_or_default(),
        children: category
            .map(|parent| listing.children(Some(parent.id)).map(|child| listing.category_card(child)).collect())
            .unwrap_or_default(),
        q: query.text.clone().into(),
        total: Verbatim(result.total),
        items: listing.screen(&result.ids, FIRST_ROW).collect(),
        popular: if result.total == 0 { popular(listing, category) } else { Vec::new() },
        sorts: Sort::ALL
            .into_iter()
            .map(|sort| SortOption {
                value: sort.value(),
                label: sort.label(),
                href: query.with_sort(sort).href(&path).into(),
                selected: sort == query.sort,
            })
            .collect(),
        facets: facets(listing, query, category, &path, result),
        price: price(query, result),
        active: active_filters(listing, query, &path),
        clear_href: query.cleared().href(&path).into(),
        pages: numbered_pages(query, &path, page_count),
        prev_href: (query.page > 1).then(|| page_href(query.page - 1)),
        next_href: (query.page < page_count).then(|| page_href(query.page + 1)),
        did_you_mean: result.did_you_mean.as_ref().map(|text| {
            let meant = ListQuery { text: text.clone(), ..query.with_page(1) };
            Link::new(text, meant.href(&path))
        }),
        action: path.into(),
    }
}

/// Of the category, or of the whole shop if nothing of the category can be bought.
fn popular(listing: &Listing, category: Option<&Category>) -> Vec<Reusable<ProductCard>> {
    let of = |category| -> Vec<_> { listing.popular(category).take(POPULAR).cloned().collect() };
    let own = of(category);
    if own.is_empty() { of(None) } else { own }
}

fn heading(query: &ListQuery, category: Option<&Category>) -> String {
    match (category, query.text.as_str()) {
        (Some(category), "") => category.name.clone(),
        (Some(category), text) => format!("Results for “{text}” in {}", category.name),
        (None, "") if query.on_sale => "On sale".to_owned(),
        (None, "") => "All products".to_owned(),
        (None, text) => format!("Results for “{text}”"),
    }
}

/// The first page, the last, and those around the current one.
fn numbered_pages(query: &ListQuery, path: &str, count: usize) -> Vec<PageLink> {
    if count < 2 {
        return Vec::new();
    }
    let current = query.page;
    let is_near = |page: usize| page == 1 || page == count || page.abs_diff(current) <= NUMBERED_PAGES;
    let link = |page: usize| PageLink {
        label: page.to_string().into(),
        href: query.with_page(page).href(path).into(),
        current: page == current,
        after_gap: page > 1 && !is_near(page - 1),
    };
    (1..=count).filter(|page| is_near(*page)).map(link).collect()
}

fn price(query: &ListQuery, result: &SearchResult) -> PriceRange {
    const MINOR: i64 = 100;
    let (min, max) = result.price_range.unwrap_or((0, 0));
    let filters = query.without_price().to_string();
    let filter = |(name, value): (Cow<'_, str>, Cow<'_, str>)| Filter { name: name.into_owned(), value: value.into() };
    PriceRange {
        min: Verbatim(min / MINOR),
        max: Verbatim((max + MINOR - 1) / MINOR),
        selected_min: query.min_price.map(Verbatim),
        selected_max: query.max_price.map(Verbatim),
        filters: form_urlencoded::parse(filters.as_bytes()).map(filter).collect(),
    }
}

fn facets<'a>(
    listing: &'a Listing,
    query: &ListQuery,
    category: Option<&Category>,
    path: &str,
    result: &'a SearchResult,
) -> Vec<Facet<'a>> {
    // An option without results is left out, unless it is selected and can be deselected.
    let option = |toggling: &Toggling<'_>, value: &str, label: &'a str, count: u64, selected: bool| {
        (count > 0 || selected).then(|| FacetOption {
            label: Verbatim(label),
            count: Verbatim(count),
            selected,
            href: toggling.href(value).into(),
            hex: None,
        })
    };
    let toggling = query.toggling(path, FacetKey::Category);
    let categories = listing
        .children(category.map(|category| category.id))
        .filter_map(|child| {
            let counted = result.facets.categories.iter().find(|(slug, _)| **slug == *child.slug);
            let count = counted.map_or(0, |(_, count)| *count);
            option(&toggling, &child.slug, &child.name, count, query.categories.contains(&child.slug))
        })
        .collect();
    let toggling = query.toggling(path, FacetKey::Material);
    let materials = offered(&result.facets.materials, &query.materials)
        .filter_map(|(slug, count)| {
            let label = listing.material(slug)?;
            option(&toggling, slug, label, *count, query.materials.contains(&**slug))
        })
        .collect();
    let toggling = query.toggling(path, FacetKey::Color);
    let colors = offered(&result.facets.colors, &query.colors)
        .filter_map(|(slug, count)| {
            let (label, hex) = listing.color(slug)?;
            let option = option(&toggling, slug, label, *count, query.colors.contains(&**slug))?;
            Some(FacetOption { hex: Some(Verbatim(hex)), ..option })
        })
        .collect();
    let toggling = query.toggling(path, FacetKey::Availability);
    let availability = Availability::ALL
        .into_iter()
        .filter_map(|value| {
            let count = result.facets.availability.iter().find(|(counted, _)| *counted == value).map_or(0, |(_, n)| *n);
            let selected = query.availability.contains(&value);
            option(&toggling, value.value(), value.label(), count, selected)
        })
        .collect();
    let toggling = query.toggling(path, FacetKey::Sale);
    let sale = Vec::from_iter(option(&toggling, "1", "On sale", result.facets.on_sale, query.on_sale));
    [
        ("category", "Category", categories),
        ("material", "Material", materials),
        ("color", "Color", colors),
        ("availability", "Availability", availability),
        ("sale", "Deals", sale),
    ]
    .into_iter()
    .map(|(key, label, mut options): (_, _, Vec<FacetOption<'a>>)| {
        // A single one takes no more space than what expands it.
        let more =
            (options.len() > SHOWN_OPTIONS + 1).then(|| options.split_off(SHOWN_OPTIONS)).map(|options| MoreOptions {
                count: Verbatim(options.len()),
                open: options.iter().any(|option| option.selected),
                options: Items(options),
            });
        Facet { key, label, options: Items(options), more }
    })
    .filter(|facet| !facet.options.is_empty())
    .collect()
}

/// The most frequent values of a facet, and the selected ones.
fn offered<'a>(
    counted: &'a [(Arc<str>, u64)],
    selected: &BTreeSet<String>,
) -> impl Iterator<Item = &'a (Arc<str>, u64)> {
    let values = counted.iter().enumerate();
    values.filter(move |(at, (slug, _))| *at < MOST_OPTIONS || selected.contains(&**slug)).map(|(_, value)| value)
}

fn active_filters(listing: &Listing, query: &ListQuery, path: &str) -> Vec<Link> {
    let without = |facet, value: &str| query.toggling(path, facet).href(value);
    let mut active = Vec::new();
    for value in &query.categories {
        let label = listing.find_category(value).map_or(value.as_str(), |category| &category.name);
        active.push(Link::new(label, without(FacetKey::Category, value)));
    }
    for value in &query.materials {
        active.push(Link::new(listing.material(value).unwrap_or(value), without(FacetKey::Material, value)));
    }
    for value in &query.colors {
        let label = listing.color(value).map_or(value.as_str(), |(label, _)| label);
        active.push(Link::new(label, without(FacetKey::Color, value)));
    }
    for value in &query.availability {
        active.push(Link::new(value.label(), without(FacetKey::Availability, value.value())));
    }
    if query.on_sale {
        active.push(Link::new("On sale", without(FacetKey::Sale, "1")));
    }
    let price = match (query.min_price, query.max_price) {
        (Some(min), Some(max)) => Some(format!("${min} to ${max}")),
        (Some(min), None) => Some(format!("From ${min}")),
        (None, Some(max)) => Some(format!("Up to ${max}")),
        (None, None) => None,
    };
    active.extend(price.map(|label| Link::new(label, query.without_price().href(path))));
    active
}

fn list_meta(query: &ListQuery, category: Option<&Category>, list: &ListPage<'_>) -> Meta {
    let first = list.items.first();
    let (page, page_before) = match query.page {
        1 => (String::new(), String::new()),
        number => (format!(", page {number}"), format!("Page {number}. ")),
    };
    // One canonical address per list for crawlers: the same products in another order are not another list. A further page of that order has
    // other products than the page with this number has in the usual one: it has no other address, and is not indexed.
    let is_other_order = query.page > 1 && query.sort != Sort::default();
    let canonical = query.with_sort(Sort::default()).with_page(query.page).href(&list.action);
    // The chosen filters distinguish narrowed lists from one another, for readers and in the browser's history.
    let heading = list.heading.as_str();
    let is_sale = category.is_none() && query.text.is_empty() && query.on_sale;
    let labels = list.active.iter().map(|each| each.label.0.as_str());
    let chosen: Vec<&str> = labels.filter(|label| Some(*label) != is_sale.then_some(heading)).collect();
    let is_whole = query.text.is_empty() && list.active.len() == usize::from(is_sale);
    let chosen = if chosen.is_empty() { String::new() } else { format!(": {}", chosen.join(", ")) };
    let crumbs = category.map(|_| breadcrumb_list(&list.breadcrumbs));
    let description = match category {
        Some(category) if category.description.is_empty() => format!("{}, chosen with care.", category.name),
        Some(category) => category.description.clone(),
        None if is_sale => "Pipes, humidors, cutters, lighters, and smoking accessories at reduced prices.".to_owned(),
        None => {
            "Pipes, humidors, cutters, lighters, and the small tools that go with them, chosen with care.".to_owned()
        }
    };
    // Of an empty list there is nothing to find until something is in it.
    let is_indexed = is_whole && !is_other_order && list.total.0 > 0;
    Meta {
        title: format!("{heading}{chosen}{page}"),
        description: format!("{page_before}{description}"),
        canonical: (!is_other_order).then_some(canonical),
        robots: (!is_indexed).then(|| "noindex, follow".to_owned()),
        image: first.map(|card| card.picture.open_graph()),
        json_ld: crumbs.into_iter().collect(),
        preload: first.map(|card| Preload { src: card.picture.src.clone(), sizes: CARD_SIZES, widths: &CARD_WIDTHS }),
    }
}
