//! Calls that save and delete views.

use axum::extract::State;
use axum::http::StatusCode;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::saved_views::model::NewView;
use shop_domain::saved_views::service;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::{Id, Json};

use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::ListSpec;
use crate::admin::settings::{promotions, webhooks};
use crate::admin::{audit, orders, products, users};

/// All lists.
static LISTS: [&ListSpec; 9] = [
    &audit::queries::SPEC,
    &orders::drafts::queries::SPEC,
    &orders::queries::SPEC,
    &orders::unfinished::queries::SPEC,
    &products::queries::SPEC,
    &promotions::queries::SPEC,
    &users::guests::queries::SPEC,
    &users::queries::SPEC,
    &webhooks::queries::SPEC,
];

/// A list's query as in the audit log.
fn recorded(list: &str, query: &str) -> String {
    let spec = LISTS.iter().copied().find(|spec| spec.path == list);
    spec.map(|spec| ListQuery::parse(spec, query).recorded()).unwrap_or_default()
}

/// `POST /api/admin/views`
#[utoipa::path(post, path = "/api/admin/views", request_body = NewView, responses(
    (status = 204, description = "Saved"),
    (status = 409, description = "There are too many, or one of that name that is not to be replaced", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn save(State(cx): State<Context>, actor: Actor, Json(new): Json<NewView>) -> Result<StatusCode, Error> {
    if LISTS.iter().all(|list| list.path != new.list) {
        return Err(Error::invalid("list", "Name a list in the admin area."));
    }
    service::save(&cx, &actor, new, recorded).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/admin/views/{id}`
#[utoipa::path(delete, path = "/api/admin/views/{id}", params(("id" = uuid::Uuid, Path)), responses(
    (status = 204, description = "Deleted, perhaps before"),
    (status = 404, description = "Not a view that the caller may delete", body = shop_base::error::Problem),
))]
pub async fn delete(State(cx): State<Context>, actor: Actor, Id(id): Id) -> Result<StatusCode, Error> {
    let is_gone = service::delete(&cx, &actor, id, recorded).await?;
    if is_gone { Ok(StatusCode::NO_CONTENT) } else { Err(Error::NotFound) }
}
