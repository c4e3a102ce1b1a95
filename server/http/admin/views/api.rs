//! Calls that save and delete views.

use axum::extract::State;
use axum::http::StatusCode;

use crate::base::context::Context;
use crate::base::error::Error;
use crate::domain::saved_views::model::NewView;
use crate::domain::saved_views::service;
use crate::platform::audit::model::Actor;
use crate::platform::web::extract::{Id, Json};

/// `POST /api/admin/views`
#[utoipa::path(post, path = "/api/admin/views", request_body = NewView, responses(
    (status = 204, description = "Saved; a view of that name has the new query"),
    (status = 401, description = "Not signed in", body = crate::base::error::Problem),
    (status = 403, description = "Not staff", body = crate::base::error::Problem),
    (status = 409, description = "There are too many", body = crate::base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = crate::base::error::Problem),
))]
pub async fn save(State(cx): State<Context>, actor: Actor, Json(new): Json<NewView>) -> Result<StatusCode, Error> {
    service::save(&cx, actor.user_id, new).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/admin/views/{id}`
#[utoipa::path(delete, path = "/api/admin/views/{id}", params(("id" = uuid::Uuid, Path)), responses(
    (status = 204, description = "Deleted"),
    (status = 401, description = "Not signed in", body = crate::base::error::Problem),
    (status = 403, description = "Not staff", body = crate::base::error::Problem),
    (status = 404, description = "No view of yours", body = crate::base::error::Problem),
))]
pub async fn delete(State(cx): State<Context>, actor: Actor, Id(id): Id) -> Result<StatusCode, Error> {
    if service::delete(&cx, actor.user_id, id).await? { Ok(StatusCode::NO_CONTENT) } else { Err(Error::NotFound) }
}
