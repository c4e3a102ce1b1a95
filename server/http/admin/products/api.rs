//! Calls by which staff manage products, pictures and stock.

use std::sync::Arc;

use axum::Json as JsonBody;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::error::Error;
use shop_domain::catalog::editing::bulk::{BulkChange, BulkEffect, BulkItem};
use shop_domain::catalog::editing::model::{ProductContent, VariantContent};
use shop_domain::catalog::editing::service::Written;
use shop_domain::catalog::editing::{bulk, service};
use shop_domain::catalog::model::StockLevel;
use shop_domain::stock::adjust;
use shop_domain::stock::adjust::{StockChange, StockState};
use shop_domain::stock::queries::list_to_hand_over;
use shop_platform::audit::model::Actor;
use shop_platform::media::Media;
use shop_platform::media::upload::{MAX_UPLOAD, TYPES, upload};
use shop_platform::web::extract::{Asked, Id, Json, content_type, read_body};
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::{SPEC, list_ids};
use crate::admin::list::query::ListQuery;

/// Body limit in bytes: enough for a product with 250 variants and long texts.
const PRODUCT_LIMIT: usize = 1024 * 1024;

/// A product as its editor needs it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProductView {
    pub id: Uuid,
    /// Must be sent with a change.
    pub version: i64,
    /// Whether shoppers have ever seen it.
    pub was_released: bool,
    /// UTC milliseconds.
    pub updated_at: i64,
    pub content: ProductContent,
    /// Stock of each variant, in the same order.
    pub stock: Vec<StockState>,
}

impl ProductView {
    /// The product as it is now, if there is one with this id.
    pub async fn find(cx: &Context, id: Uuid) -> Result<Option<Self>, DbError> {
        let Some(product) = service::find(cx, id).await? else { return Ok(None) };
        let variants: Vec<Uuid> = product.content.variants.iter().filter_map(|variant| variant.id).collect();
        let to_hand_over = list_to_hand_over(&mut cx.db.read().await?.conn(), &variants).await?;
        let state = |(level, variant): (&StockLevel, &VariantContent)| StockState {
            on_hand: level.on_hand,
            reserved: level.reserved,
            to_hand_over: variant.id.and_then(|id| to_hand_over.get(&id)).copied().unwrap_or(0),
            low_stock_threshold: level.low_stock_threshold,
        };
        Ok(Some(Self {
            id: product.id,
            version: product.version,
            was_released: product.was_released(),
            updated_at: product.updated_at,
            stock: product.stock.iter().zip(&product.content.variants).map(state).collect(),
            content: product.content,
        }))
    }
}

/// The new content of a product.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ProductChange {
    /// The version that the caller saw.
    pub version: i64,
    pub content: ProductContent,
}

/// A stored picture.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadedPicture {
    /// Its address is `/images/{key}-{width}.webp`.
    pub key: String,
    pub width: u32,
    pub height: u32,
}

async fn view(cx: &Context, id: Uuid) -> Result<JsonBody<ProductView>, Error> {
    ProductView::find(cx, id).await?.map(JsonBody).ok_or(Error::NotFound)
}

/// `GET /api/admin/products/{id}`
#[utoipa::path(get, path = "/api/admin/products/{id}", params(("id" = Uuid, Path, description = "The product's id")), responses(
    (status = 200, description = "The product as it is now", body = ProductView),
    (status = 404, description = "No such product", body = shop_base::error::Problem),
))]
pub async fn get(State(cx): State<Context>, Id(id): Id) -> Result<JsonBody<ProductView>, Error> {
    view(&cx, id).await
}

/// `POST /api/admin/products?id=`
#[utoipa::path(post, path = "/api/admin/products", request_body = ProductContent,
    params(("id" = Option<Uuid>, Query, description = "Chosen by the browser: however often it is sent, only one product is created")),
    responses(
    (status = 201, description = "The new product, or the one that was created with this id before", body = ProductView),
    (status = 409, description = "Handle or SKU were taken just now", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn create(
    State(cx): State<Context>,
    actor: Actor,
    asked: Asked,
    Json(content): Json<ProductContent, PRODUCT_LIMIT>,
) -> Result<(StatusCode, JsonBody<ProductView>), Error> {
    let Written { id, .. } = service::create(&cx, &actor, asked.value("id")?, content).await?;
    Ok((StatusCode::CREATED, view(&cx, id).await?))
}

/// `PUT /api/admin/products/{id}`
#[utoipa::path(put, path = "/api/admin/products/{id}", request_body = ProductChange,
    params(("id" = Uuid, Path, description = "The product's id")), responses(
    (status = 200, description = "The changed product", body = ProductView),
    (status = 404, description = "No such product", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime (`changed_meanwhile`)", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn update(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(change): Json<ProductChange, PRODUCT_LIMIT>,
) -> Result<JsonBody<ProductView>, Error> {
    service::update(&cx, &actor, id, change.version, change.content).await?;
    view(&cx, id).await
}

/// `POST /api/admin/products/{id}/duplicate?id=`
#[utoipa::path(post, path = "/api/admin/products/{id}/duplicate",
    params(("id" = Uuid, Path, description = "The product's id"),
        ("id" = Option<Uuid>, Query, description = "The copy's, chosen by the browser: however often it is sent, only one copy is created")),
    responses(
    (status = 201, description = "A draft like it, with a handle and skus of its own and no stock, or the one that was created with this id before", body = ProductView),
    (status = 404, description = "No such product", body = shop_base::error::Problem),
    (status = 409, description = "Handle or SKU were taken just now", body = shop_base::error::Problem),
    (status = 422, description = "The id of the copy, or a field of it, cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn duplicate(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    asked: Asked,
) -> Result<(StatusCode, JsonBody<ProductView>), Error> {
    let Written { id, .. } = service::duplicate(&cx, &actor, id, asked.value("id")?).await?;
    Ok((StatusCode::CREATED, view(&cx, id).await?))
}

/// `POST /api/admin/pictures`: the file itself is the body.
#[utoipa::path(post, path = "/api/admin/pictures",
    request_body(content = Vec<u8>, content_type = "image/jpeg", description = "A JPEG, PNG or still WebP of at most 20 MB"), responses(
    (status = 201, description = "Kept without metadata, no side above 2,560 pixels", body = UploadedPicture),
    (status = 413, description = "Larger than 20 MB", body = shop_base::error::Problem),
    (status = 415, description = "Not a JPEG, PNG or WebP", body = shop_base::error::Problem),
    (status = 422, description = "Damaged, moving, too small, too large or no picture at all", body = shop_base::error::Problem),
))]
pub async fn upload_picture(
    State(cx): State<Context>,
    State(media): State<Arc<Media>>,
    actor: Actor,
    request: Request,
) -> Result<(StatusCode, JsonBody<UploadedPicture>), Error> {
    if !TYPES.contains(&content_type(request.headers()).as_str()) {
        return Err(Error::UnsupportedMediaType { expected: "image/jpeg, image/png or image/webp" });
    }
    let place = media.places.take().await?;
    let file = place.wait_for(read_body(request, MAX_UPLOAD)).await?;
    let master = upload(&cx, &media, &actor, file).await?;
    let picture = UploadedPicture { key: master.key, width: master.width, height: master.height };
    Ok((StatusCode::CREATED, JsonBody(picture)))
}

/// `POST /api/admin/stock/{variant_id}`
#[utoipa::path(post, path = "/api/admin/stock/{variant_id}", request_body = StockChange,
    params(("variant_id" = Uuid, Path, description = "The variant's id")), responses(
    (status = 200, description = "The stock now", body = StockState),
    (status = 404, description = "No such variant", body = shop_base::error::Problem),
    (status = 409, description = "Sold, counted, shipped or handed over in the meantime (`changed_meanwhile`)", body = shop_base::error::Problem),
    (status = 422, description = "Below what is promised, or another field cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn change_stock(
    State(cx): State<Context>,
    actor: Actor,
    Id(variant_id): Id,
    Json(change): Json<StockChange>,
) -> Result<JsonBody<StockState>, Error> {
    Ok(JsonBody(adjust::change(&cx, &actor, variant_id, &change).await?))
}

/// A bulk change to preview, with the products it applies to.
#[derive(Debug, Deserialize, ToSchema)]
pub struct BulkQuestion {
    pub change: BulkChange,
    #[serde(default)]
    pub ids: Vec<Uuid>,
    /// Instead of ids: all products that a list's query finds.
    #[serde(default)]
    pub query: Option<String>,
}

/// A bulk change to carry out, on the products as the caller saw them in the preview.
#[derive(Debug, Deserialize, ToSchema)]
pub struct BulkOrder {
    pub change: BulkChange,
    pub items: Vec<BulkItem>,
}

/// The result of a bulk change.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkDone {
    pub changed: usize,
}

/// `POST /api/admin/products/bulk/preview`
#[utoipa::path(post, path = "/api/admin/products/bulk/preview", request_body = BulkQuestion, responses(
    (status = 200, description = "What would happen to each product; nothing is changed", body = [BulkEffect]),
    (status = 422, description = "None or more than 500 products, or more than 2,500 variants", body = shop_base::error::Problem),
))]
pub async fn preview_bulk(
    State(cx): State<Context>,
    Json(question): Json<BulkQuestion, PRODUCT_LIMIT>,
) -> Result<JsonBody<Vec<BulkEffect>>, Error> {
    let ids = match &question.query {
        Some(query) => {
            let query = ListQuery::parse(&SPEC, query);
            let mut reader = cx.db.read().await?;
            list_ids(&mut reader.conn(), &query, bulk::MOST + 1).await?
        }
        None => question.ids,
    };
    Ok(JsonBody(bulk::preview(&cx, &question.change, &ids).await?))
}

/// `POST /api/admin/products/bulk`
#[utoipa::path(post, path = "/api/admin/products/bulk", request_body = BulkOrder, responses(
    (status = 200, description = "All of it is done", body = BulkDone),
    (status = 409, description = "One of them was changed in the meantime (`changed_meanwhile`); nothing is done", body = shop_base::error::Problem),
    (status = 422, description = "One of them cannot become that; nothing is done", body = shop_base::error::Problem),
))]
pub async fn apply_bulk(
    State(cx): State<Context>,
    actor: Actor,
    Json(order): Json<BulkOrder, PRODUCT_LIMIT>,
) -> Result<JsonBody<BulkDone>, Error> {
    let changed = bulk::apply(&cx, &actor, &order.change, &order.items).await?;
    Ok(JsonBody(BulkDone { changed }))
}
