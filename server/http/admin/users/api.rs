//! Calls on accounts.

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use shop_base::clock::timestamp;
use shop_base::context::Context;
use shop_base::csv;
use shop_base::csv::Rows;
use shop_base::error::Error;
use shop_base::money::Money;
use shop_base::role::Role;
use shop_domain::identity::accounts;
use shop_domain::identity::service::on_behalf;
use shop_domain::privacy;
use shop_platform::audit::model::{Actor, Subject};
use shop_platform::web::extract::{Asked, Id, Json, TwoIds};
use utoipa::ToSchema;

use super::list::{SPEC, filter};
use super::queries;
use super::queries::UserRow;
use crate::admin::exports;
use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::ROWS;

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
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin, or the account is one", body = shop_base::error::Problem),
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
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin, or the account is one", body = shop_base::error::Problem),
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
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin, or the account is one", body = shop_base::error::Problem),
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
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin, or the account is one", body = shop_base::error::Problem),
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
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not a super admin, or signed in too long ago", body = shop_base::error::Problem),
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
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
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
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin, or the account is one", body = shop_base::error::Problem),
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

const HEADER: [&str; 9] =
    ["Id", "Name", "Email", "Role", "Orders", "Spent (USD)", "Since (UTC)", "Last sign-in (UTC)", "Status"];

/// `GET /api/admin/users.csv`
#[utoipa::path(get, path = "/api/admin/users.csv", responses(
    (status = 200, description = "The users of the list's query as CSV", content_type = "text/csv", body = String),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
))]
pub async fn export(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Response, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    exports::record(&cx, &actor, "user.export_list", Subject::new("user", "all", query.recorded())).await?;
    Ok(csv::download("users.csv", &HEADER, move |rows| write(cx, query, rows)))
}

async fn write(cx: Context, query: ListQuery, mut out: Rows) -> Result<Rows, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = filter(&mut conn, &query, &cx.config.company.time_zone).await?;
    // All at once: somebody who signs in meanwhile moves to another place in the list.
    let ids = queries::list_all_ids(&mut conn, &query, &filter).await?;
    drop(reader);
    for ids in ids.chunks(ROWS) {
        let mut users = queries::find_users(&mut cx.db.read().await?.conn(), ids).await?;
        for row in ids.iter().filter_map(|id| users.remove(id)) {
            if out.write(cells(&row).iter().map(String::as_str)).await.is_err() {
                return Ok(out);
            }
        }
    }
    Ok(out)
}

fn cells(row: &UserRow) -> Vec<String> {
    let state = match (row.deleted_at, row.blocked_at) {
        (Some(_), _) => "deleted",
        (None, Some(_)) => "blocked",
        (None, None) => "active",
    };
    vec![
        row.id.to_string(),
        row.name.clone(),
        row.email.clone(),
        row.role.clone(),
        row.order_count.to_string(),
        Money::usd(row.spent).decimal(),
        timestamp(row.created_at).to_string(),
        timestamp(row.signed_in_at).to_string(),
        state.to_owned(),
    ]
}
