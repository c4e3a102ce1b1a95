//! Calls on accounts.

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::role::Role;
use shop_domain::identity::accounts;
use shop_domain::identity::service::on_behalf;
use shop_domain::privacy;
use shop_platform::audit::model::{Actor, Subject};
use shop_platform::web::extract::{Id, Json, TwoIds};
use utoipa::ToSchema;

use crate::admin::exports;

#[derive(Debug, Deserialize, ToSchema)]
pub struct BlockUser {
    /// The version that the page showed.
    pub version: i64,
    /// For staff only, 1 to 200 characters.
    pub reason: String,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct UserVersion {
    /// The version that the page showed.
    pub version: i64,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct RoleChange {
    /// The version that the page showed.
    pub version: i64,
    /// Null removes the assignment: the roles from the identity provider apply again.
    pub role: Option<Role>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct DeleteUser {
    /// The account's email address, or `delete` if it has none, typed as confirmation.
    pub confirm: String,
}

/// `POST /api/admin/users/{id}/block`
#[utoipa::path(post, path = "/api/admin/users/{id}/block", params(("id" = Uuid, Path)), request_body = BlockUser, responses(
    (status = 204, description = "Blocked; its sessions are over"),
    (status = 403, description = "For accounts of admins, super admins only", body = shop_base::error::Problem),
    (status = 404, description = "No such account", body = shop_base::error::Problem),
    (status = 409, description = "Changed in the meantime, or one's own", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn block(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(body): Json<BlockUser>,
) -> Result<StatusCode, Error> {
    accounts::block(&cx, &actor, id, body.version, &body.reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/users/{id}/unblock`
#[utoipa::path(post, path = "/api/admin/users/{id}/unblock", params(("id" = Uuid, Path)), request_body = UserVersion,
    responses(
    (status = 204, description = "May sign in again"),
    (status = 403, description = "For accounts of admins, super admins only", body = shop_base::error::Problem),
    (status = 404, description = "No such account", body = shop_base::error::Problem),
    (status = 409, description = "Changed in the meantime, or one's own", body = shop_base::error::Problem),
))]
pub async fn unblock(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(body): Json<UserVersion>,
) -> Result<StatusCode, Error> {
    accounts::unblock(&cx, &actor, id, body.version).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/admin/users/{id}/sessions`
#[utoipa::path(delete, path = "/api/admin/users/{id}/sessions", params(("id" = Uuid, Path)), responses(
    (status = 204, description = "All sessions are over"),
    (status = 403, description = "For accounts of admins, super admins only", body = shop_base::error::Problem),
    (status = 404, description = "No such account", body = shop_base::error::Problem),
    (status = 409, description = "One's own account", body = shop_base::error::Problem),
))]
pub async fn end_sessions(State(cx): State<Context>, actor: Actor, Id(id): Id) -> Result<StatusCode, Error> {
    accounts::end_sessions(&cx, &actor, id, None).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/admin/users/{id}/sessions/{session_id}`
#[utoipa::path(delete, path = "/api/admin/users/{id}/sessions/{session_id}",
    params(("id" = Uuid, Path), ("session_id" = Uuid, Path)), responses(
    (status = 204, description = "Over"),
    (status = 403, description = "For accounts of admins, super admins only", body = shop_base::error::Problem),
    (status = 404, description = "No such account or session", body = shop_base::error::Problem),
    (status = 409, description = "One's own account", body = shop_base::error::Problem),
))]
pub async fn end_session(
    State(cx): State<Context>,
    actor: Actor,
    TwoIds(id, session): TwoIds,
) -> Result<StatusCode, Error> {
    accounts::end_sessions(&cx, &actor, id, Some(session)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `PUT /api/admin/users/{id}/role`
#[utoipa::path(put, path = "/api/admin/users/{id}/role", params(("id" = Uuid, Path)), request_body = RoleChange, responses(
    (status = 204, description = "Counts from the next request on"),
    (status = 404, description = "No such account", body = shop_base::error::Problem),
    (status = 409, description = "Changed in the meantime, or one's own", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn assign_role(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(body): Json<RoleChange>,
) -> Result<StatusCode, Error> {
    accounts::assign_role(&cx, &actor, id, body.version, body.role).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/admin/users/{id}/export`
#[utoipa::path(get, path = "/api/admin/users/{id}/export", params(("id" = Uuid, Path)), responses(
    (status = 200, description = "All that the shop keeps of the user, as a file", body = serde_json::Value),
    (status = 404, description = "No such account", body = shop_base::error::Problem),
))]
pub async fn export_user(State(cx): State<Context>, actor: Actor, Id(id): Id) -> Result<Response, Error> {
    let session = on_behalf(&cx, id).await?.ok_or(Error::NotFound)?;
    let data = privacy::export(&cx, &session).await?;
    exports::record(&cx, &actor, "user.export", Subject::new("user", id, "")).await?;
    let file = HeaderValue::from_static("attachment; filename=\"user-data.json\"");
    let no_store = HeaderValue::from_static("private, no-store");
    Ok(([(header::CONTENT_DISPOSITION, file), (header::CACHE_CONTROL, no_store)], JsonBody(data)).into_response())
}

/// `DELETE /api/admin/users/{id}`
#[utoipa::path(delete, path = "/api/admin/users/{id}", params(("id" = Uuid, Path)), request_body = DeleteUser, responses(
    (status = 204, description = "Erased, but for what the law keeps"),
    (status = 403, description = "For accounts of admins, super admins only", body = shop_base::error::Problem),
    (status = 404, description = "No such account", body = shop_base::error::Problem),
    (status = 409, description = "One's own account", body = shop_base::error::Problem),
    (status = 422, description = "Not confirmed", body = shop_base::error::Problem),
))]
pub async fn delete(
    State(cx): State<Context>,
    actor: Actor,
    Id(id): Id,
    Json(body): Json<DeleteUser>,
) -> Result<StatusCode, Error> {
    let session = on_behalf(&cx, id).await?.ok_or(Error::NotFound)?;
    privacy::check_typed(&session, &body.confirm, "the account’s email address")?;
    privacy::erase(&cx, &session, Some(&actor)).await?;
    Ok(StatusCode::NO_CONTENT)
}
