//! Whether a download would be allowed: a browser cannot tell why one failed.

use axum::http::StatusCode;

/// `GET /api/admin/exports`
#[utoipa::path(get, path = "/api/admin/exports", responses(
    (status = 204, description = "The user may download lists that name people"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin, or not signed in recently", body = shop_base::error::Problem),
))]
pub async fn may_export() -> StatusCode {
    StatusCode::NO_CONTENT
}
