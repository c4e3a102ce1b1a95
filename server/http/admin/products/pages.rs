//! A product's editor, and the page of imports.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use serde_json::value::RawValue;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::error::Error;
use shop_domain::catalog::import_export::import::ImportState;
use shop_domain::catalog::listing::Listing;
use shop_domain::catalog::service::Catalog;
use shop_domain::compliance::model::restriction;
use shop_domain::compliance::service::list_rules_of;
use shop_platform::web::extract::{Asked, Id};
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::api::ProductView;
use super::list::{ChoiceView, categories};
use super::queries;
use super::queries::{ClassRow, HistoryRow, ImportRow, MovementRow};
use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct ProductEditorPage {
    /// Null for a new product.
    pub product: Option<ProductView>,
    pub categories: Vec<ChoiceView>,
    pub classes: Vec<ClassView>,
    pub collections: Vec<ChoiceView>,
    /// The newest first.
    pub history: Vec<HistoryItem>,
    pub movements: Vec<MovementItem>,
    /// The shop's address, for the preview of a search result.
    pub origin: String,
}

impl PageProps for ProductEditorPage {
    const NAME: &'static str = "admin/product";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ClassView {
    pub value: String,
    pub label: String,
    /// The text shown to shoppers.
    pub restriction: String,
}

/// A change that staff made.
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryItem {
    /// In the shop's time zone, `2026-11-21T12:00:05`.
    pub at: String,
    pub actor: String,
    pub action: String,
    /// The fields that differ, as JSON objects.
    #[schema(value_type = serde_json::Value)]
    pub before: Box<RawValue>,
    #[schema(value_type = serde_json::Value)]
    pub after: Box<RawValue>,
}

/// A change of the stock on hand.
#[derive(Debug, Serialize, ToSchema)]
pub struct MovementItem {
    /// In the shop's time zone, `2026-11-21T12:00:05`.
    pub at: String,
    pub sku: String,
    /// The reason given by staff, or what the shop did.
    pub reason: String,
    pub note: String,
    pub quantity: i64,
    pub order: Option<String>,
    pub actor: Option<String>,
}

/// `GET /admin/products/new`
pub async fn new(State(cx): State<Context>, State(catalog): State<Arc<Catalog>>) -> Result<Page, Error> {
    editor(&cx, &catalog.listing(), None).await
}

/// `GET /admin/products/{id}`
pub async fn edit(
    State(cx): State<Context>,
    State(catalog): State<Arc<Catalog>>,
    Id(id): Id,
    asked: Asked,
) -> Result<Page, Error> {
    let product = ProductView::find(&cx, id).await?.ok_or_else(|| asked.refused())?;
    editor(&cx, &catalog.listing(), Some(product)).await
}

async fn editor(cx: &Context, listing: &Listing, product: Option<ProductView>) -> Result<Page, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let classes = classes(cx, &mut conn).await?;
    let collections = queries::list_collections(&mut conn).await?;
    let (history, movements) = match &product {
        Some(product) => {
            (queries::list_history(&mut conn, product.id).await?, queries::list_movements(&mut conn, product.id).await?)
        }
        None => Default::default(),
    };
    drop(reader);
    let zone = cx.zone();
    let history_item = |row: HistoryRow| {
        let json = |text: String| RawValue::from_string(text).map_err(Error::internal);
        let at = local_time(row.at, zone);
        Ok(HistoryItem {
            at,
            actor: row.actor_name,
            action: row.action,
            before: json(row.before)?,
            after: json(row.after)?,
        })
    };
    let movement = |row: MovementRow| MovementItem {
        at: local_time(row.at, zone),
        sku: row.sku,
        reason: row.reason.unwrap_or(row.kind),
        note: row.note,
        quantity: row.quantity,
        order: row.order_number,
        actor: row.actor_name,
    };
    let (url, title) = match &product {
        Some(product) => (format!("/admin/products/{}", product.id), product.content.title.clone()),
        None => ("/admin/products/new".to_owned(), "New product".to_owned()),
    };
    let collection = |(id, label): (Uuid, String)| ChoiceView { value: id.to_string(), label };
    let props = ProductEditorPage {
        product,
        categories: categories(listing),
        classes,
        collections: collections.into_iter().map(collection).collect(),
        history: history.into_iter().map(history_item).collect::<Result<_, Error>>()?,
        movements: movements.into_iter().map(movement).collect(),
        origin: cx.config.http.origin().to_owned(),
    };
    Page::new(url, &props, admin_meta(title))
}

async fn classes(cx: &Context, conn: &mut Conn<'_>) -> Result<Vec<ClassView>, DbError> {
    let company = &cx.config.company;
    let today = cx.today();
    let rows = queries::list_classes(conn).await?;
    let codes: Vec<&str> = rows.iter().map(|row| row.code.as_str()).collect();
    let rules = list_rules_of(conn, &codes).await?;
    let class = |row: ClassRow| {
        let restriction = restriction(&rules, &row.code, &row.restriction, &company.state, today);
        ClassView { value: row.code, label: row.name, restriction: restriction.text }
    };
    Ok(rows.into_iter().map(class).collect())
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ProductImportPage {
    /// The import in the address.
    pub id: Option<Uuid>,
    /// The latest imports, newest first.
    pub imports: Vec<ImportEntry>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ImportEntry {
    pub id: Uuid,
    pub file_name: String,
    pub state: ImportState,
    /// In the shop's time zone, `2026-11-21T12:00:05`.
    pub at: String,
    pub actor: String,
}

impl PageProps for ProductImportPage {
    const NAME: &'static str = "admin/product-import";
}

/// `GET /admin/products/import`
pub async fn import(State(cx): State<Context>, asked: Asked) -> Result<Page, Error> {
    let id: Option<Uuid> = asked.parameter("id").and_then(|id| id.parse().ok());
    let url = id.map_or_else(|| asked.path.clone(), |id| format!("{}?id={id}", asked.path));
    let mut reader = cx.db.read().await?;
    let rows = queries::list_imports(&mut reader.conn()).await?;
    drop(reader);
    let item = |row: ImportRow| {
        Ok(ImportEntry {
            id: row.id,
            file_name: row.file_name,
            state: decoded("state", row.state.parse())?,
            at: local_time(row.created_at, cx.zone()),
            actor: row.actor_name,
        })
    };
    let imports = rows.into_iter().map(item).collect::<Result<_, DbError>>()?;
    Page::new(url, &ProductImportPage { id, imports }, admin_meta("Import products"))
}
