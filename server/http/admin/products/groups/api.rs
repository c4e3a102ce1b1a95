//! Calls on categories and collections.

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::catalog::groups::categories::CategoryForm;
use shop_domain::catalog::groups::collections::CollectionForm;
use shop_domain::catalog::groups::{categories, collections, queries};
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::{Asked, Id, Json};
use utoipa::ToSchema;
use uuid::Uuid;

/// Body limit of a collection in bytes: enough for 25,000 products. Beyond the 500 that can be chosen, more join in their editors and by
/// imports.
const COLLECTION_LIMIT: usize = 1024 * 1024;

/// Something that was created or changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupId {
    pub id: Uuid,
}

/// `POST /api/admin/categories`
#[utoipa::path(post, path = "/api/admin/categories", request_body = CategoryForm, responses(
    (status = 201, description = "Made", body = GroupId),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn create_category(
    State(cx): State<Context>,
    actor: Actor,
    Json(form): Json<CategoryForm>,
) -> Result<(StatusCode, JsonBody<GroupId>), Error> {
    let id = categories::put(&cx, &actor, None, &form).await?;
    Ok((StatusCode::CREATED, JsonBody(GroupId { id })))
}

/// `PUT /api/admin/categories/{id}`
#[utoipa::path(put, path = "/api/admin/categories/{id}", request_body = CategoryForm,
    params(("id" = Uuid, Path, description = "The category's id")), responses(
    (status = 200, description = "Changed; an old address leads to the new one", body = GroupId),
    (status = 404, description = "No such category", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime (`changed_meanwhile`)", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn update_category(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(form): Json<CategoryForm>,
) -> Result<JsonBody<GroupId>, Error> {
    let id = categories::put(&cx, &actor, Some(id), &form).await?;
    Ok(JsonBody(GroupId { id }))
}

/// `DELETE /api/admin/categories/{id}?version=`
#[utoipa::path(delete, path = "/api/admin/categories/{id}", params(
    ("id" = Uuid, Path, description = "The category's id"), ("version" = i64, Query, description = "The version that the caller saw")),
    responses(
    (status = 204, description = "Deleted, perhaps before; its address leads to the category above it"),
    (status = 409, description = "Something is in it (`not_empty`), or it was changed in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Without a version", body = shop_base::error::Problem),
))]
pub async fn delete_category(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    asked: Asked,
) -> Result<StatusCode, Error> {
    categories::delete(&cx, &actor, id, asked.version()?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A collection as its form shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct CollectionView {
    pub form: CollectionForm,
    /// Titles of its products, in order.
    pub titles: Vec<String>,
}

/// `GET /api/admin/collections/{id}`
#[utoipa::path(get, path = "/api/admin/collections/{id}",
    params(("id" = Uuid, Path, description = "The collection's id")), responses(
    (status = 200, description = "The collection as it is now", body = CollectionView),
    (status = 404, description = "No such collection", body = shop_base::error::Problem),
))]
pub async fn get_collection(State(cx): State<Context>, Id(id): Id) -> Result<JsonBody<CollectionView>, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    // Its version first: whoever has seen former products is told when they save.
    let row = queries::find_collection(&mut conn, id).await?.ok_or(Error::NotFound)?;
    let (products, titles) = queries::list_members(&mut conn, id).await?.into_iter().unzip();
    Ok(JsonBody(CollectionView { form: CollectionForm::of(row, Some(products)), titles }))
}

/// `POST /api/admin/collections`
#[utoipa::path(post, path = "/api/admin/collections", request_body = CollectionForm, responses(
    (status = 201, description = "Made", body = GroupId),
    (status = 413, description = "Larger than 1 MiB, about 25,000 products", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn create_collection(
    State(cx): State<Context>,
    actor: Actor,
    Json(form): Json<CollectionForm, COLLECTION_LIMIT>,
) -> Result<(StatusCode, JsonBody<GroupId>), Error> {
    let id = collections::put(&cx, &actor, None, &form).await?;
    Ok((StatusCode::CREATED, JsonBody(GroupId { id })))
}

/// `PUT /api/admin/collections/{id}`
#[utoipa::path(put, path = "/api/admin/collections/{id}", request_body = CollectionForm,
    params(("id" = Uuid, Path, description = "The collection's id")), responses(
    (status = 200, description = "Changed", body = GroupId),
    (status = 404, description = "No such collection", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime (`changed_meanwhile`)", body = shop_base::error::Problem),
    (status = 413, description = "Larger than 1 MiB, about 25,000 products", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn update_collection(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(form): Json<CollectionForm, COLLECTION_LIMIT>,
) -> Result<JsonBody<GroupId>, Error> {
    let id = collections::put(&cx, &actor, Some(id), &form).await?;
    Ok(JsonBody(GroupId { id }))
}

/// `DELETE /api/admin/collections/{id}?version=`
#[utoipa::path(delete, path = "/api/admin/collections/{id}", params(
    ("id" = Uuid, Path, description = "The collection's id"), ("version" = i64, Query, description = "The version that the caller saw")),
    responses(
    (status = 204, description = "Deleted, perhaps before; its products stay"),
    (status = 409, description = "Changed in the meantime (`changed_meanwhile`)", body = shop_base::error::Problem),
    (status = 422, description = "Without a version", body = shop_base::error::Problem),
))]
pub async fn delete_collection(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    asked: Asked,
) -> Result<StatusCode, Error> {
    collections::delete(&cx, &actor, id, asked.version()?).await?;
    Ok(StatusCode::NO_CONTENT)
}
