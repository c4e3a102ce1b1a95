//! `/admin/products/groups`: categories and collections.

use std::collections::HashMap;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::catalog::groups::categories::CategoryForm;
use shop_domain::catalog::groups::collections::CollectionForm;
use shop_domain::catalog::groups::rows::CategoryRow;
use shop_domain::catalog::groups::{categories, collections, queries};
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::{Asked, Id, Json};
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct ProductGroupsPage {
    /// Each after the one above it, siblings in order.
    pub categories: Vec<CategoryItem>,
    pub collections: Vec<CollectionItem>,
}

impl PageProps for ProductGroupsPage {
    const NAME: &'static str = "admin/product-groups";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CategoryItem {
    pub id: Uuid,
    pub form: CategoryForm,
    /// How far from the top: 0 for the first.
    pub depth: usize,
    /// How many products it has, with those of all categories below it.
    pub products: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CollectionItem {
    pub id: Uuid,
    pub form: CollectionForm,
    /// Titles of its products, in order.
    pub titles: Vec<String>,
}

/// Something that was made or changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupId {
    pub id: Uuid,
}

/// `GET /admin/products/groups`
pub async fn show(State(cx): State<Context>, asked: Asked) -> Result<Page, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let rows = queries::list_categories(&mut conn).await?;
    let counts: HashMap<Uuid, i64> = queries::count_products(&mut conn).await?.into_iter().collect();
    let shown = queries::list_collections(&mut conn).await?;
    let members = queries::list_members(&mut conn).await?;
    drop(reader);
    let mut categories = Vec::with_capacity(rows.len());
    descend(&rows, None, 0, &counts, &mut categories);
    let collections = shown.into_iter().zip(0..).map(|(row, place)| {
        let own = members.iter().filter(|(collection, _, _)| *collection == row.id);
        let (products, titles) = own.map(|(_, product, title)| (*product, title.clone())).unzip();
        let form = CollectionForm {
            version: row.version,
            title: row.title,
            handle: row.handle,
            description: row.description,
            place,
            products,
        };
        CollectionItem { id: row.id, form, titles }
    });
    let props = ProductGroupsPage { categories, collections: collections.collect() };
    Page::new(asked.path, &props, admin_meta("Categories and collections"))
}

/// Adds the categories below one, and answers how many products they have in all.
fn descend(
    rows: &[CategoryRow],
    parent: Option<Uuid>,
    depth: usize,
    counts: &HashMap<Uuid, i64>,
    out: &mut Vec<CategoryItem>,
) -> i64 {
    let mut all = 0;
    for (row, place) in rows.iter().filter(|row| row.parent_id == parent).zip(0..) {
        let form = CategoryForm {
            version: row.version,
            name: row.name.clone(),
            slug: row.slug.clone(),
            description: row.description.clone(),
            parent_id: row.parent_id,
            place,
        };
        let at = out.len();
        out.push(CategoryItem { id: row.id, form, depth, products: counts.get(&row.id).copied().unwrap_or(0) });
        let below = descend(rows, Some(row.id), depth + 1, counts, out);
        if let Some(item) = out.get_mut(at) {
            item.products += below;
            all += item.products;
        }
    }
    all
}

/// The version that a deletion names.
fn version(asked: &Asked) -> i64 {
    asked.parameter("version").and_then(|version| version.parse().ok()).unwrap_or(0)
}

/// `POST /api/admin/categories`
#[utoipa::path(post, path = "/api/admin/categories", request_body = CategoryForm, responses(
    (status = 201, description = "Made", body = GroupId),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not allowed to edit the catalog", body = shop_base::error::Problem),
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
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not allowed to edit the catalog", body = shop_base::error::Problem),
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
    (status = 204, description = "Deleted; its address leads to the category above it"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not allowed to edit the catalog", body = shop_base::error::Problem),
    (status = 404, description = "No such category", body = shop_base::error::Problem),
    (status = 409, description = "Something is in it (`not_empty`), or it was changed in the meantime", body = shop_base::error::Problem),
))]
pub async fn delete_category(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    asked: Asked,
) -> Result<StatusCode, Error> {
    categories::delete(&cx, &actor, id, version(&asked)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/collections`
#[utoipa::path(post, path = "/api/admin/collections", request_body = CollectionForm, responses(
    (status = 201, description = "Made", body = GroupId),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not allowed to edit the catalog", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn create_collection(
    State(cx): State<Context>,
    actor: Actor,
    Json(form): Json<CollectionForm>,
) -> Result<(StatusCode, JsonBody<GroupId>), Error> {
    let id = collections::put(&cx, &actor, None, &form).await?;
    Ok((StatusCode::CREATED, JsonBody(GroupId { id })))
}

/// `PUT /api/admin/collections/{id}`
#[utoipa::path(put, path = "/api/admin/collections/{id}", request_body = CollectionForm,
    params(("id" = Uuid, Path, description = "The collection's id")), responses(
    (status = 200, description = "Changed", body = GroupId),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not allowed to edit the catalog", body = shop_base::error::Problem),
    (status = 404, description = "No such collection", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime (`changed_meanwhile`)", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn update_collection(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(form): Json<CollectionForm>,
) -> Result<JsonBody<GroupId>, Error> {
    let id = collections::put(&cx, &actor, Some(id), &form).await?;
    Ok(JsonBody(GroupId { id }))
}

/// `DELETE /api/admin/collections/{id}?version=`
#[utoipa::path(delete, path = "/api/admin/collections/{id}", params(
    ("id" = Uuid, Path, description = "The collection's id"), ("version" = i64, Query, description = "The version that the caller saw")),
    responses(
    (status = 204, description = "Deleted; its products stay"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not allowed to edit the catalog", body = shop_base::error::Problem),
    (status = 404, description = "No such collection", body = shop_base::error::Problem),
    (status = 409, description = "Changed in the meantime (`changed_meanwhile`)", body = shop_base::error::Problem),
))]
pub async fn delete_collection(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    asked: Asked,
) -> Result<StatusCode, Error> {
    collections::delete(&cx, &actor, id, version(&asked)).await?;
    Ok(StatusCode::NO_CONTENT)
}
