//! Calls that import files of products.

use std::sync::Arc;

use axum::Json as JsonBody;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::catalog::import_export::import;
use shop_domain::catalog::import_export::import::{ImportView, MAX_FILE, Running};
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::{Asked, Id, content_type, read_body};
use utoipa::ToSchema;
use uuid::Uuid;

/// The content types that browsers send for a CSV file.
const TYPES: [&str; 3] = ["text/csv", "application/csv", "application/vnd.ms-excel"];

/// An import that was started.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportStarted {
    pub id: Uuid,
}

/// `POST /api/admin/products/imports`: the file itself is the body.
#[utoipa::path(post, path = "/api/admin/products/imports", params(("name" = Option<String>, Query, description = "The file's name")),
    request_body(content = String, content_type = "text/csv", description = "CSV with Shopify's columns, UTF-8, at most 32 MB"), responses(
    (status = 202, description = "It is being read and compared; nothing is changed", body = ImportStarted),
    (status = 413, description = "Larger than 32 MB", body = shop_base::error::Problem),
    (status = 415, description = "Not CSV", body = shop_base::error::Problem),
))]
pub async fn start(
    State(cx): State<Context>,
    State(imports): State<Arc<Running>>,
    actor: Actor,
    asked: Asked,
    request: Request,
) -> Result<(StatusCode, JsonBody<ImportStarted>), Error> {
    if !TYPES.contains(&content_type(request.headers()).as_str()) {
        return Err(Error::UnsupportedMediaType { expected: "text/csv" });
    }
    let place = imports.places.take().await?;
    let file = place.wait_for(read_body(request, MAX_FILE)).await?;
    let name = asked.parameter("name").unwrap_or_default();
    let id = import::start(&cx, &imports, &actor, &name, place, file).await?;
    Ok((StatusCode::ACCEPTED, JsonBody(ImportStarted { id })))
}

/// `GET /api/admin/products/imports/{id}`
#[utoipa::path(get, path = "/api/admin/products/imports/{id}", params(
    ("id" = Uuid, Path, description = "The import's id"),
    ("outcome" = Option<String>, Query, description = "Only lines of which this becomes: new, changed, unchanged or error"),
    ("from" = Option<u64>, Query, description = "How many lines to pass over")), responses(
    (status = 200, description = "How far it is, and lines of its report", body = ImportView),
    (status = 404, description = "No such import", body = shop_base::error::Problem),
    (status = 422, description = "No such outcome, or no number", body = shop_base::error::Problem),
))]
pub async fn get(
    State(cx): State<Context>,
    State(imports): State<Arc<Running>>,
    Id(id): Id,
    asked: Asked,
) -> Result<JsonBody<ImportView>, Error> {
    let from: i64 = asked.value("from")?.unwrap_or(0);
    let from = usize::try_from(from).map_err(|_| Error::invalid("from", "Enter a number of lines."))?;
    Ok(JsonBody(import::find(&cx, &imports, id, asked.value("outcome")?, from).await?))
}

/// `POST /api/admin/products/imports/{id}/apply`
#[utoipa::path(post, path = "/api/admin/products/imports/{id}/apply", params(("id" = Uuid, Path, description = "The import's id")), responses(
    (status = 202, description = "It is being carried out, each product as a whole; one that has stopped goes on", body = ImportStarted),
    (status = 404, description = "No such import", body = shop_base::error::Problem),
    (status = 409, description = "Some lines have errors (`has_errors`), or it is not waiting (`not_checked`)", body = shop_base::error::Problem),
))]
pub async fn apply(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
) -> Result<(StatusCode, JsonBody<ImportStarted>), Error> {
    import::apply(&cx, &actor, id).await?;
    Ok((StatusCode::ACCEPTED, JsonBody(ImportStarted { id })))
}

/// `POST /api/admin/products/imports/{id}/undo`
#[utoipa::path(post, path = "/api/admin/products/imports/{id}/undo", params(("id" = Uuid, Path, description = "The import's id")), responses(
    (status = 202, description = "What it has written is being taken back; what was changed since is left alone", body = ImportStarted),
    (status = 404, description = "No such import", body = shop_base::error::Problem),
    (status = 409, description = "Nothing of it was imported (`not_applied`)", body = shop_base::error::Problem),
))]
pub async fn undo(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
) -> Result<(StatusCode, JsonBody<ImportStarted>), Error> {
    import::undo(&cx, &actor, id).await?;
    Ok((StatusCode::ACCEPTED, JsonBody(ImportStarted { id })))
}
