//! Calls that save and delete views.

use axum::extract::State;
use axum::http::StatusCode;

use super::model::NewView;
use super::service;
use crate::audit::model::Actor;
use crate::context::Context;
use crate::error::Error;
use crate::web::extract::{Id, Json};

/// `POST /api/admin/views`
#[utoipa::path(post, path = "/api/admin/views", request_body = NewView, responses(
    (status = 204, description = "Saved; a view of that name has the new query"),
    (status = 401, description = "Not signed in", body = crate::error::Problem),
    (status = 403, description = "Not staff", body = crate::error::Problem),
    (status = 409, description = "There are too many", body = crate::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = crate::error::Problem),
))]
pub async fn save(State(cx): State<Context>, actor: Actor, Json(new): Json<NewView>) -> Result<StatusCode, Error> {
    service::save(&cx, actor.user_id, new).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/admin/views/{id}`
#[utoipa::path(delete, path = "/api/admin/views/{id}", params(("id" = uuid::Uuid, Path)), responses(
    (status = 204, description = "Deleted"),
    (status = 401, description = "Not signed in", body = crate::error::Problem),
    (status = 403, description = "Not staff", body = crate::error::Problem),
    (status = 404, description = "No view of yours", body = crate::error::Problem),
))]
pub async fn delete(State(cx): State<Context>, actor: Actor, Id(id): Id) -> Result<StatusCode, Error> {
    if service::delete(&cx, actor.user_id, id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Error::NoRoute { path: format!("/api/admin/views/{id}") })
    }
}
