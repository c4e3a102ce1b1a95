//! The storefront's lists and the product page.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::listing::Listing;
use super::model::{
    self, Availability, Category, CategoryCard, Detail, Product, ProductCard, ProductOption, ProductVariant,
};
use super::query::{FacetKey, ListQuery, PAGE_SIZE, ReadQuery, Sort, slug};
use super::search::{self, SearchQuery, SearchResult};
use super::store::RetiredPath;
use crate::app::App;
use crate::error::Error;
use crate::money::Money;
use crate::web::extract::{Asked, Param};
use crate::web::page::{Link, Meta, Page, PageProps, Picture, Preload};
use crate::web::serve::moved;

/// The grid's `sizes`, as `app/ui/product-card.tsx` has them.
const CARD_SIZES: &str = "(min-width: 64rem) 22vw, (min-width: 40rem) 30vw, 46vw";
/// The gallery's `sizes`, as `app/catalog/gallery.tsx` has them.
const GALLERY_SIZES: &str = "(min-width: 64rem) 50vw, 100vw";

const RELATED: usize = 4;
const NUMBERED_PAGES: usize = 2;

/// Props of a list: all products, a search, or a category.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListPage {
    pub heading: String,
    pub description: String,
    /// Where the filter form sends its values.
    pub action: String,
    pub breadcrumbs: Vec<Link>,
    pub children: Vec<CategoryCard>,
    pub query: ListState,
    pub total: usize,
    pub page_count: usize,
    pub items: Vec<ProductCard>,
    pub sorts: Vec<SortOption>,
    pub facets: Vec<Facet>,
    pub price: PriceRange,
    /// Filters in force; following one's address removes it.
    pub active: Vec<Link>,
    pub clear_href: String,
    pub pages: Vec<PageLink>,
    pub prev_href: Option<String>,
    pub next_href: Option<String>,
    pub did_you_mean: Option<Link>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ListState {
    pub q: String,
    pub sort: String,
    /// From 1.
    pub page: usize,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SortOption {
    pub value: String,
    pub label: String,
    pub href: String,
    pub selected: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Facet {
    /// The query parameter.
    pub key: String,
    pub label: String,
    pub options: Vec<FacetOption>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FacetOption {
    pub value: String,
    pub label: String,
    pub count: u64,
    pub selected: bool,
    /// The list with this option switched.
    pub href: String,
    pub hex: Option<String>,
}

/// Minor units.
#[derive(Debug, Serialize, ToSchema)]
pub struct PriceRange {
    pub min: i64,
    pub max: i64,
    pub selected_min: Option<i64>,
    pub selected_max: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PageLink {
    pub label: String,
    pub href: String,
    pub current: bool,
}

impl PageProps for ListPage {
    const NAME: &'static str = "catalog/list";
}

/// `GET /products`
pub async fn products(State(app): State<App>, asked: Asked) -> Result<Response, Error> {
    let listing = app.catalog.listing();
    list(&listing, &asked, None)
}

/// `GET /category/{slug}`
pub async fn category(State(app): State<App>, Param(slug): Param, asked: Asked) -> Result<Response, Error> {
    let listing = app.catalog.listing();
    match listing.find_category(&slug) {
        Some(category) => list(&listing, &asked, Some(category)),
        None => not_here(&app, &asked).await,
    }
}

fn list(listing: &Listing, asked: &Asked, category: Option<&Category>) -> Result<Response, Error> {
    let path = category.map_or_else(|| "/products".to_owned(), Category::href);
    let ReadQuery { query, is_normal } = ListQuery::read(&asked.query, listing);
    if !is_normal {
        return Ok(moved(&asked.address(&query.href(&path))));
    }
    let result = listing.index.search(&search_query(listing, &query, category)).map_err(Error::internal)?;
    let page_count = result.total.div_ceil(PAGE_SIZE).max(1);
    if query.page > page_count {
        return Err(asked.refused());
    }
    let meta = list_meta(listing, &query, category, &result);
    let props = list_page(listing, &query, category, path.clone(), &result, page_count);
    Ok(Page::new(query.href(&path), &props, meta)?.into_response())
}

fn search_query(listing: &Listing, query: &ListQuery, category: Option<&Category>) -> SearchQuery {
    let minor = |dollars: i64| dollars * 100;
    SearchQuery {
        text: Some(query.text.clone()).filter(|text| !text.is_empty()),
        within: category.map(|category| category.slug.clone()),
        categories: query.categories.iter().cloned().collect(),
        materials: query.materials.iter().filter_map(|slug| listing.material(slug)).map(str::to_owned).collect(),
        colours: query.colours.iter().filter_map(|slug| listing.colour(slug)).map(|c| c.label.clone()).collect(),
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

fn list_page(
    listing: &Listing,
    query: &ListQuery,
    category: Option<&Category>,
    path: String,
    result: &SearchResult,
    page_count: usize,
) -> ListPage {
    let (min, max) = result.price_range.unwrap_or((0, 0));
    let page_href = |page: usize| query.with_page(page).href(&path);
    ListPage {
        heading: heading(query, category),
        description: category.map(|category| category.description.clone()).unwrap_or_default(),
        breadcrumbs: category.map(|c| model::breadcrumbs(&listing.path(c))).unwrap_or_default(),
        children: category
            .map(|parent| listing.children(Some(parent.id)).map(|child| listing.category_card(child)).collect())
            .unwrap_or_default(),
        query: ListState { q: query.text.clone(), sort: query.sort.value().to_owned(), page: query.page },
        total: result.total,
        page_count,
        items: listing.cards(&result.ids).cloned().collect(),
        sorts: Sort::ALL
            .into_iter()
            .map(|sort| SortOption {
                value: sort.value().to_owned(),
                label: sort.label().to_owned(),
                href: query.with_sort(sort).href(&path),
                selected: sort == query.sort,
            })
            .collect(),
        facets: facets(listing, query, category, &path, result),
        price: PriceRange {
            min,
            max,
            selected_min: query.min_price.map(|dollars| dollars * 100),
            selected_max: query.max_price.map(|dollars| dollars * 100),
        },
        active: active_filters(listing, query, &path),
        clear_href: query.cleared().href(&path),
        pages: numbered_pages(query.page, page_count)
            .map(|page| PageLink { label: page.to_string(), href: page_href(page), current: page == query.page })
            .collect(),
        prev_href: (query.page > 1).then(|| page_href(query.page - 1)),
        next_href: (query.page < page_count).then(|| page_href(query.page + 1)),
        did_you_mean: result.did_you_mean.as_ref().map(|text| {
            let query = ListQuery { text: text.clone(), page: 1, ..ListQuery::default() };
            Link::new(text, query.href(&path))
        }),
        action: path,
    }
}

fn heading(query: &ListQuery, category: Option<&Category>) -> String {
    match (category, query.text.as_str()) {
        (Some(category), _) => category.name.clone(),
        (None, "") if query.on_sale => "On sale".to_owned(),
        (None, "") => "All products".to_owned(),
        (None, text) => format!("Results for “{text}”"),
    }
}

/// The first, the last, and those around the current one.
fn numbered_pages(current: usize, count: usize) -> impl Iterator<Item = usize> {
    (1..=count).filter(move |page| *page == 1 || *page == count || page.abs_diff(current) <= NUMBERED_PAGES)
}

fn facets(
    listing: &Listing,
    query: &ListQuery,
    category: Option<&Category>,
    path: &str,
    result: &SearchResult,
) -> Vec<Facet> {
    let option = |key: FacetKey, value: &str, label: &str, count: u64, selected: bool| FacetOption {
        value: value.to_owned(),
        label: label.to_owned(),
        count,
        selected,
        href: query.toggled(key, value).href(path),
        hex: None,
    };
    let count_of = |counts: &[(String, u64)], value: &str| {
        counts.iter().find(|(counted, _)| counted == value).map_or(0, |(_, count)| *count)
    };
    let categories = listing
        .children(category.map(|category| category.id))
        .map(|child| {
            let count = count_of(&result.facets.categories, &child.slug);
            option(FacetKey::Category, &child.slug, &child.name, count, query.categories.contains(&child.slug))
        })
        .collect();
    let materials = by_count(&result.facets.materials)
        .map(|(label, count)| {
            let value = slug(label);
            option(FacetKey::Material, &value, label, count, query.materials.contains(&value))
        })
        .collect();
    let colours = by_count(&result.facets.colours)
        .map(|(label, count)| {
            let value = slug(label);
            let hex = listing.colour(&value).map(|colour| colour.hex.clone());
            FacetOption { hex, ..option(FacetKey::Colour, &value, label, count, query.colours.contains(&value)) }
        })
        .collect();
    let availability = Availability::ALL
        .into_iter()
        .map(|value| {
            let count = result.facets.availability.iter().find(|(counted, _)| *counted == value).map_or(0, |(_, n)| *n);
            let selected = query.availability.contains(&value);
            option(FacetKey::Availability, value.value(), value.label(), count, selected)
        })
        .collect();
    let sale = vec![option(FacetKey::Sale, "1", "On sale", result.facets.on_sale, query.on_sale)];
    [
        ("category", "Category", categories),
        ("material", "Material", materials),
        ("colour", "Colour", colours),
        ("availability", "Availability", availability),
        ("sale", "Offers", sale),
    ]
    .into_iter()
    .map(|(key, label, options): (_, _, Vec<FacetOption>)| Facet {
        key: key.to_owned(),
        label: label.to_owned(),
        // An option that would show nothing is no choice, unless it is the one to undo.
        options: options.into_iter().filter(|option| option.count > 0 || option.selected).collect(),
    })
    .filter(|facet| !facet.options.is_empty())
    .collect()
}

fn by_count(counts: &[(String, u64)]) -> impl Iterator<Item = (&str, u64)> {
    let mut sorted: Vec<(&str, u64)> = counts.iter().map(|(label, count)| (label.as_str(), *count)).collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    sorted.into_iter()
}

fn active_filters(listing: &Listing, query: &ListQuery, path: &str) -> Vec<Link> {
    let without = |key, value: &str| query.toggled(key, value).href(path);
    let mut active = Vec::new();
    for value in &query.categories {
        let label = listing.find_category(value).map_or(value.as_str(), |category| &category.name);
        active.push(Link::new(label, without(FacetKey::Category, value)));
    }
    for value in &query.materials {
        active.push(Link::new(listing.material(value).unwrap_or(value), without(FacetKey::Material, value)));
    }
    for value in &query.colours {
        let label = listing.colour(value).map_or(value.as_str(), |colour| &colour.label);
        active.push(Link::new(label, without(FacetKey::Colour, value)));
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

fn list_meta(listing: &Listing, query: &ListQuery, category: Option<&Category>, result: &SearchResult) -> Meta {
    let path = category.map_or_else(|| "/products".to_owned(), Category::href);
    let first = listing.cards(&result.ids).next();
    let page = if query.page > 1 { format!(", page {}", query.page) } else { String::new() };
    // One address per list for crawlers: an order of the same products is not another list.
    let canonical = query.with_sort(Sort::default()).with_page(query.page).href(&path);
    let crumbs = category.map(|c| breadcrumb_list(&model::breadcrumbs(&listing.path(c))));
    Meta {
        title: format!("{}{page}", heading(query, category)),
        description: category.map_or_else(
            || "Pipes, humidors, cutters, lighters and the small tools around them, chosen with care.".to_owned(),
            |category| category.description.clone(),
        ),
        canonical: Some(canonical),
        robots: (!query.text.is_empty() || query.filter_count() > 1).then(|| "noindex, follow".to_owned()),
        image: first.map(|card| card.picture.open_graph()),
        json_ld: crumbs.into_iter().collect(),
        preload: first.map(|card| Preload { src: card.picture.src.clone(), sizes: CARD_SIZES.to_owned() }),
    }
}

/// schema.org `BreadcrumbList`; addresses become absolute when the document is written.
fn breadcrumb_list(crumbs: &[Link]) -> serde_json::Value {
    let items: Vec<_> = crumbs
        .iter()
        .zip(1..)
        .map(|(crumb, position)| {
            json!({ "@type": "ListItem", "position": position, "name": crumb.label, "item": crumb.href })
        })
        .collect();
    json!({ "@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items })
}

/// Props of a product's page.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProductPage {
    pub id: Uuid,
    pub title: String,
    pub subtitle: String,
    /// Paragraphs.
    pub description: Vec<String>,
    pub highlights: Vec<String>,
    pub details: Vec<Detail>,
    pub breadcrumbs: Vec<Link>,
    pub pictures: Vec<Picture>,
    pub options: Vec<ProductOption>,
    pub variants: Vec<VariantView>,
    /// The sku that the address names, or the first that can be bought.
    pub selected: String,
    pub related: Vec<ProductCard>,
    /// What the law asks of a buyer of this product.
    pub restriction: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProductVariant)]
pub struct VariantView {
    pub id: Uuid,
    pub sku: String,
    pub title: String,
    /// One value per option, in the options' order.
    pub options: Vec<String>,
    pub price: Money,
    pub compare_at_price: Option<Money>,
    pub availability: Availability,
    /// What is left, told only when it is little.
    pub left: Option<i64>,
    /// How many a cart may hold.
    pub max_quantity: i64,
    /// Index into the pictures.
    pub picture: usize,
    pub href: String,
}

impl PageProps for ProductPage {
    const NAME: &'static str = "catalog/product";
}

/// `GET /product/{id}`: the id is the product's handle; its UUID leads there too.
pub async fn product(State(app): State<App>, Param(handle): Param, asked: Asked) -> Result<Response, Error> {
    if let Ok(id) = Uuid::parse_str(&handle) {
        return match app.catalog.find_handle(id).await? {
            Some(handle) => Ok(moved(&asked.address(&format!("/product/{handle}")))),
            None => Err(asked.refused()),
        };
    }
    let Some(product) = app.catalog.find_product(&handle).await? else {
        return not_here(&app, &asked).await;
    };
    let path = format!("/product/{}", product.handle);
    let Some(default) = default_variant(&product) else { return Err(asked.refused()) };
    let wanted = asked.parameter("variant");
    let selected = match &wanted {
        None => default,
        Some(sku) => match product.variants.iter().find(|variant| variant.sku == *sku) {
            Some(variant) => variant,
            None => return Ok(moved(&asked.address(&path))),
        },
    };
    let listing = app.catalog.listing();
    let url = wanted.as_ref().map_or_else(|| path.clone(), |_| variant_href(&path, &selected.sku));
    let meta = product_meta(&app, &listing, &product, selected, &path);
    let selected = selected.sku.clone();
    let props = product_page(&listing, product, selected, &path);
    Ok(Page::new(url, &props, meta)?.into_response())
}

/// The first that can be bought, else the first.
fn default_variant(product: &Product) -> Option<&ProductVariant> {
    product
        .variants
        .iter()
        .find(|variant| variant.stock.availability() != Availability::OutOfStock)
        .or_else(|| product.variants.first())
}

fn variant_href(path: &str, sku: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("variant", sku).finish();
    format!("{path}?{query}")
}

fn product_page(listing: &Listing, product: Product, selected: String, path: &str) -> ProductPage {
    let category = listing.get_category(product.category_id);
    let picture_of = |variant: &ProductVariant| {
        product.images.iter().position(|image| Some(image.id) == variant.image_id).unwrap_or(0)
    };
    let variants = product
        .variants
        .iter()
        .map(|variant| VariantView {
            id: variant.id,
            sku: variant.sku.clone(),
            title: variant.title.clone(),
            options: variant.options.clone(),
            price: variant.price.clone(),
            compare_at_price: variant.compare_at_price.clone(),
            availability: variant.stock.availability(),
            left: variant.stock.left(),
            max_quantity: variant.stock.max_quantity(),
            picture: picture_of(variant),
            href: variant_href(path, &variant.sku),
        })
        .collect();
    ProductPage {
        variants,
        breadcrumbs: category.map(|category| model::breadcrumbs(&listing.path(category))).unwrap_or_default(),
        related: listing.cards(&product.related).take(RELATED).cloned().collect(),
        pictures: product.images.into_iter().map(|image| image.picture).collect(),
        id: product.id,
        title: product.title,
        subtitle: product.subtitle,
        description: product.description,
        highlights: product.highlights,
        details: product.details,
        options: product.options,
        selected,
        restriction: product.restriction,
    }
}

fn product_meta(app: &App, listing: &Listing, product: &Product, selected: &ProductVariant, path: &str) -> Meta {
    let cover = product
        .images
        .iter()
        .find(|image| Some(image.id) == selected.image_id)
        .or_else(|| product.images.first())
        .map(|image| &image.picture);
    let offers: Vec<_> = product
        .variants
        .iter()
        .map(|variant| {
            let availability = match variant.stock.availability() {
                Availability::InStock => "https://schema.org/InStock",
                Availability::LowStock => "https://schema.org/LimitedAvailability",
                Availability::OutOfStock => "https://schema.org/OutOfStock",
            };
            json!({
                "@type": "Offer", "sku": variant.sku, "price": variant.price.decimal(),
                "priceCurrency": variant.price.currency, "availability": availability,
                "itemCondition": "https://schema.org/NewCondition", "url": variant_href(path, &variant.sku),
                "seller": { "@type": "Organization", "name": app.config.company.name },
            })
        })
        .collect();
    let pictures: Vec<_> = product.images.iter().map(|image| image.picture.open_graph()).collect();
    let json_ld = json!({
        "@context": "https://schema.org", "@type": "Product", "name": product.title, "url": path,
        "description": product.description.join(" "), "sku": selected.sku, "image": pictures,
        "material": product.material, "offers": offers,
    });
    let crumbs = listing.get_category(product.category_id).map(|category| {
        let mut crumbs = model::breadcrumbs(&listing.path(category));
        crumbs.push(Link::new(&product.title, path));
        breadcrumb_list(&crumbs)
    });
    Meta {
        title: product.title.clone(),
        description: product.description.first().cloned().unwrap_or_else(|| product.subtitle.clone()),
        canonical: Some(path.to_owned()),
        robots: None,
        image: cover.map(Picture::open_graph),
        json_ld: [Some(json_ld), crumbs].into_iter().flatten().collect(),
        preload: cover.map(|picture| Preload { src: picture.src.clone(), sizes: GALLERY_SIZES.to_owned() }),
    }
}

/// What answers where nothing is: the new address, 'gone', or 'not found'.
async fn not_here(app: &App, asked: &Asked) -> Result<Response, Error> {
    match app.catalog.find_retired_path(&asked.path).await? {
        Some(RetiredPath::Moved(target)) => Ok(moved(&asked.address(&target))),
        Some(RetiredPath::Gone) => Err(Error::Gone { path: asked.path.clone() }),
        None => Err(asked.refused()),
    }
}
