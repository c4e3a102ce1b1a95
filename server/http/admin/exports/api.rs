//! Whether a download would be allowed: a browser cannot tell why one failed.

use axum::http::StatusCode;

/// `GET /api/admin/exports`
#[utoipa::path(get, path = "/api/admin/exports", responses(
    (status = 204, description = "The user may download lists that name people"),
))]
pub async fn may_export() -> StatusCode {
    StatusCode::NO_CONTENT
}
