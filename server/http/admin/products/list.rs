//! `/admin/products`: the list, and its CSV download.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::csv;
use shop_base::csv::Rows;
use shop_base::error::Error;
use shop_base::money::Money;
use shop_domain::catalog::editing::model::{ProductStatus, StoredProduct};
use shop_domain::catalog::editing::service;
use shop_domain::catalog::import_export::export::{HEADER, lines};
use shop_domain::catalog::listing::Listing;
use shop_domain::catalog::service::Catalog;
use shop_domain::saved_views;
use shop_domain::stock::counts::list_adjustments;
use shop_platform::audit::model::{Actor, Subject};
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries;
use super::queries::{Figures, ProductRow, SPEC};
use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::ROWS;
use crate::admin::list::view::{Choice, ListView};
use crate::admin::{admin_meta, exports};

#[derive(Debug, Serialize, ToSchema)]
pub struct ProductsPage {
    pub list: ListView,
    pub products: Vec<ProductItem>,
    /// Choices for changing the category of many products.
    pub categories: Vec<ChoiceView>,
    pub classes: Vec<ChoiceView>,
}

impl PageProps for ProductsPage {
    const NAME: &'static str = "admin/products";
}

/// An option to choose.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChoiceView {
    pub value: String,
    pub label: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ProductItem {
    pub id: Uuid,
    pub title: String,
    pub status: ProductStatus,
    /// When it is published automatically, in the shop's time zone.
    pub publish_at: Option<String>,
    pub category: String,
    pub class: String,
    /// The lowest and highest price of its variants.
    pub lowest: Option<Money>,
    pub highest: Option<Money>,
    pub on_hand: i64,
    pub skus: i64,
    /// In the shop's time zone, `2026-11-21T12:00:05`.
    pub updated_at: String,
    /// Key of its first picture.
    pub picture: Option<String>,
}

/// `GET /admin/products`
pub async fn page(
    State(cx): State<Context>,
    State(catalog): State<Arc<Catalog>>,
    actor: Actor,
    asked: Asked,
) -> Result<Page, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = queries::filter(&mut conn, &query).await?;
    let total = queries::count_products(&mut conn, &filter).await?;
    let rows = queries::list_products(&mut conn, &query, &filter.first_of(total), &query.window).await?;
    let (rows, paging) = query.paged(rows, |row| row.place(&query));
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let figures = queries::list_figures(&mut conn, &ids).await?;
    let views = saved_views::service::list(&mut conn, &actor, SPEC.path).await?;
    let classes = queries::list_classes(&mut conn).await?;
    drop(reader);
    let categories = categories(&catalog.listing());
    let classes: Vec<ChoiceView> =
        classes.into_iter().map(|row| ChoiceView { value: row.code, label: row.name }).collect();
    let choices = |list: &[ChoiceView]| {
        list.iter().map(|each| Choice { value: each.value.clone(), label: each.label.clone() }).collect::<Vec<_>>()
    };
    let figures: HashMap<Uuid, Figures> = figures.into_iter().map(|row| (row.product_id, row)).collect();
    let item = |row: ProductRow| {
        let figures = figures.get(&row.id);
        let zone = cx.zone();
        ProductItem {
            id: row.id,
            title: row.title,
            status: row.status,
            publish_at: row.publish_at.map(|at| local_time(at, zone)),
            category: row.category,
            class: row.class,
            lowest: figures.map(|figures| Money::usd(figures.lowest)),
            highest: figures.map(|figures| Money::usd(figures.highest)),
            on_hand: figures.map_or(0, |figures| figures.on_hand),
            skus: figures.map_or(0, |figures| figures.skus),
            updated_at: local_time(row.updated_at, zone),
            picture: row.picture,
        }
    };
    let props = ProductsPage {
        list: query.view(total, paging, views, &[("category", choices(&categories)), ("class", choices(&classes))]),
        products: rows.into_iter().map(item).collect(),
        categories,
        classes,
    };
    Page::new(query.url(), &props, admin_meta("Products"))
}

/// All categories with their full paths: `Pipes › Briar`.
pub fn categories(listing: &Listing) -> Vec<ChoiceView> {
    let name = |category| {
        let path: Vec<&str> = listing.path(category).into_iter().map(|each| each.name.as_str()).collect();
        path.join(" › ")
    };
    let mut all: Vec<ChoiceView> = listing
        .categories()
        .iter()
        .map(|category| ChoiceView { value: category.id.to_string(), label: name(category) })
        .collect();
    all.sort_by(|a, b| a.label.cmp(&b.label));
    all
}

/// `GET /api/admin/products.csv`
#[utoipa::path(get, path = "/api/admin/products.csv", responses(
    (status = 200, description = "The products of the list's query with Shopify's columns", content_type = "text/csv", body = String),
))]
pub async fn export(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Response, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    exports::record(&cx, &actor, "product.export_list", Subject::new("product", "all", query.recorded())).await?;
    Ok(csv::download("products.csv", HEADER, move |rows| write(cx, query, rows)))
}

async fn write(cx: Context, query: ListQuery, mut out: Rows) -> Result<Rows, Error> {
    // All at once: a product that is saved meanwhile moves to another place in the list.
    let ids = queries::list_all_ids(&mut cx.db.read().await?.conn(), &query).await?;
    let origin = cx.config.http.origin();
    for ids in ids.chunks(ROWS) {
        let mut reader = cx.db.read().await?;
        let mut conn = reader.conn();
        let around = service::find_surroundings(&mut conn).await?;
        let adjustments = list_adjustments(&mut conn, ids).await?;
        let mut products: HashMap<Uuid, StoredProduct> =
            service::list(&mut conn, ids).await?.into_iter().map(|product| (product.id, product)).collect();
        drop(reader);
        for product in ids.iter().filter_map(|id| products.remove(id)) {
            for cells in lines(&product, &around, &adjustments, origin) {
                if out.write(cells.iter().map(String::as_str)).await.is_err() {
                    return Ok(out);
                }
            }
        }
    }
    Ok(out)
}

/// All products, in the format that can be imported again.
pub async fn write_all(cx: Context, out: Rows) -> Result<Rows, Error> {
    write(cx, ListQuery::parse(&SPEC, ""), out).await
}
