//! Calls of the legal texts.

use std::sync::Arc;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit::model::Actor;
use shop_platform::settings::legal::model::TextInput;
use shop_platform::settings::legal::service;
use shop_platform::settings::legal::service::{PreviewedText, Publication, Restoration};
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::{Json, Slug};
use utoipa::ToSchema;

use crate::storefront::legal::pages::TocEntry;

/// A text as its page would show it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextPreview {
    pub title: String,
    pub html: String,
    pub toc: Vec<TocEntry>,
}

/// `POST /api/admin/settings/legal/{document}/preview`
#[utoipa::path(post, path = "/api/admin/settings/legal/{document}/preview", request_body = PreviewedText,
    params(("document" = String, Path)), responses(
    (status = 200, description = "What shoppers would read", body = TextPreview),
    (status = 404, description = "No such document", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn preview(
    State(cx): State<Context>,
    State(texts): State<Arc<Texts>>,
    Slug(slug): Slug,
    Json(wanted): Json<PreviewedText>,
) -> Result<JsonBody<TextPreview>, Error> {
    let document = service::preview(&cx, &texts.company, &slug, &wanted).await?;
    let toc = document.contents.into_iter().map(|section| TocEntry { id: section.id, label: section.label });
    Ok(JsonBody(TextPreview { title: document.title, html: document.html, toc: toc.collect() }))
}

/// `PUT /api/admin/settings/legal/{document}/draft`
#[utoipa::path(put, path = "/api/admin/settings/legal/{document}/draft", request_body = TextInput,
    params(("document" = String, Path)), responses(
    (status = 204, description = "Kept; shoppers do not see it"),
    (status = 404, description = "No such document", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn save_draft(
    State(cx): State<Context>,
    actor: Actor,
    Slug(slug): Slug,
    Json(input): Json<TextInput>,
) -> Result<StatusCode, Error> {
    service::save_draft(&cx, &actor, &slug, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct DraftVersion {
    /// The version of the draft that the caller saw.
    pub version: i64,
}

/// `POST /api/admin/settings/legal/{document}/discard`
#[utoipa::path(post, path = "/api/admin/settings/legal/{document}/discard", request_body = DraftVersion,
    params(("document" = String, Path)), responses(
    (status = 204, description = "The draft is gone"),
    (status = 404, description = "No such document", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
))]
pub async fn discard(
    State(cx): State<Context>,
    actor: Actor,
    Slug(slug): Slug,
    Json(draft): Json<DraftVersion>,
) -> Result<StatusCode, Error> {
    service::discard(&cx, &actor, &slug, draft.version).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/settings/legal/{document}/publish`
#[utoipa::path(post, path = "/api/admin/settings/legal/{document}/publish", request_body = Publication,
    params(("document" = String, Path)), responses(
    (status = 204, description = "Shoppers read it from its day on"),
    (status = 404, description = "No such document", body = shop_base::error::Problem),
    (status = 409, description = "The draft no longer exists", body = shop_base::error::Problem),
    (status = 422, description = "The day has passed", body = shop_base::error::Problem),
))]
pub async fn publish(
    State(cx): State<Context>,
    actor: Actor,
    Slug(slug): Slug,
    Json(publication): Json<Publication>,
) -> Result<StatusCode, Error> {
    service::publish(&cx, &actor, &slug, &publication).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/admin/settings/legal/{document}/restore`
#[utoipa::path(post, path = "/api/admin/settings/legal/{document}/restore", request_body = Restoration,
    params(("document" = String, Path)), responses(
    (status = 204, description = "The version was copied to the draft"),
    (status = 404, description = "No such document", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "No such version", body = shop_base::error::Problem),
))]
pub async fn restore(
    State(cx): State<Context>,
    actor: Actor,
    Slug(slug): Slug,
    Json(wanted): Json<Restoration>,
) -> Result<StatusCode, Error> {
    service::restore(&cx, &actor, &slug, &wanted).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct Withdrawal {
    pub number: i64,
}

/// `POST /api/admin/settings/legal/{document}/withdraw`
#[utoipa::path(post, path = "/api/admin/settings/legal/{document}/withdraw", request_body = Withdrawal,
    params(("document" = String, Path)), responses(
    (status = 204, description = "Shoppers will not read it"),
    (status = 404, description = "No such document", body = shop_base::error::Problem),
    (status = 409, description = "It has been in effect", body = shop_base::error::Problem),
    (status = 422, description = "No such version", body = shop_base::error::Problem),
))]
pub async fn withdraw(
    State(cx): State<Context>,
    actor: Actor,
    Slug(slug): Slug,
    Json(withdrawal): Json<Withdrawal>,
) -> Result<StatusCode, Error> {
    service::withdraw(&cx, &actor, &slug, withdrawal.number).await?;
    Ok(StatusCode::NO_CONTENT)
}
