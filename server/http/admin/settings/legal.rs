//! `/admin/settings/legal`: the legal texts, written, previewed, published.

use std::sync::Arc;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shop_base::clock::{local_time, today};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit::model::Actor;
use shop_platform::settings::legal::model::{TextInput, in_force};
use shop_platform::settings::legal::service;
use shop_platform::settings::legal::service::Publication;
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::{Asked, Json, Slug};
use shop_platform::web::page::{Link, Page, PageProps};
use utoipa::ToSchema;

use crate::admin::admin_meta;
use crate::storefront::legal::pages::TocEntry;

#[derive(Debug, Serialize, ToSchema)]
pub struct LegalSettingsPage {
    /// Every document, by its place here.
    pub documents: Vec<Link>,
    pub slug: String,
    /// Where shoppers read it.
    pub href: String,
    /// In the shop's time zone, `YYYY-MM-DD`.
    pub today: String,
    /// What is being written, or the text in force.
    pub title: String,
    pub body: String,
    /// Of the draft; 0 when there is none.
    pub draft_version: i64,
    /// The newest first.
    pub editions: Vec<EditionView>,
}

impl PageProps for LegalSettingsPage {
    const NAME: &'static str = "admin/settings/legal";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct EditionView {
    /// 0 is the one that the program brings along.
    pub number: i64,
    pub title: String,
    pub effective_from: String,
    pub is_in_force: bool,
    /// In the shop's time zone; none for the built-in one.
    pub published_at: Option<String>,
    pub published_by: Option<String>,
}

const PATH: &str = "/admin/settings/legal";

/// `GET /admin/settings/legal`
pub async fn page(State(cx): State<Context>, State(texts): State<Arc<Texts>>, asked: Asked) -> Result<Page, Error> {
    let zone = &cx.config.company.time_zone;
    let today = today(cx.clock.as_ref(), zone);
    let wanted = asked.parameter("document");
    let chosen = texts.legal.on(today).find(|document| Some(document.slug) == wanted.as_deref());
    let Some(document) = chosen.or_else(|| texts.legal.on(today).next()) else {
        return Err(Error::internal("there are no legal texts"));
    };
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let draft = service::draft(&mut conn, document.slug).await?;
    let editions = service::editions(&mut conn, document.slug).await?;
    let publishers = service::publishers(&mut conn, document.slug).await?;
    drop(reader);
    let now = in_force(&editions, today).or(editions.first());
    let body = now.map(|edition| edition.body.clone()).unwrap_or_default();
    let (title, body, draft_version) = draft.unwrap_or((document.title.clone(), body, 0));
    let number = now.map(|edition| edition.number);
    let view = |edition: &shop_platform::settings::legal::model::Edition| {
        let by = publishers.iter().find(|(number, ..)| *number == edition.number);
        EditionView {
            number: edition.number,
            title: edition.title.clone(),
            effective_from: edition.effective_from.to_string(),
            is_in_force: Some(edition.number) == number,
            published_at: by.map(|(_, at, _)| local_time(*at, zone)),
            published_by: by.map(|(_, _, name)| name.clone()),
        }
    };
    let href = |slug: &str| format!("{PATH}?document={slug}");
    let props = LegalSettingsPage {
        documents: texts.legal.on(today).map(|document| Link::new(&document.title, href(document.slug))).collect(),
        slug: document.slug.to_owned(),
        href: document.href(),
        today: today.to_string(),
        title,
        body,
        draft_version,
        editions: editions.iter().rev().map(view).collect(),
    };
    Page::new(href(document.slug), &props, admin_meta("Legal texts"))
}

/// A text as its page shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextPreview {
    pub html: String,
    pub toc: Vec<TocEntry>,
}

/// `POST /api/admin/settings/legal/{document}/preview`
#[utoipa::path(post, path = "/api/admin/settings/legal/{document}/preview", request_body = TextInput,
    params(("document" = String, Path)), responses(
    (status = 200, description = "What shoppers would read", body = TextPreview),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 404, description = "No such document", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn preview(
    State(cx): State<Context>,
    State(texts): State<Arc<Texts>>,
    Slug(slug): Slug,
    Json(input): Json<TextInput>,
) -> Result<JsonBody<TextPreview>, Error> {
    let document = service::preview(&cx, &texts.company, &slug, &input)?;
    let toc = document.contents.into_iter().map(|section| TocEntry { id: section.id, label: section.label });
    Ok(JsonBody(TextPreview { html: document.html, toc: toc.collect() }))
}

/// `PUT /api/admin/settings/legal/{document}/draft`
#[utoipa::path(put, path = "/api/admin/settings/legal/{document}/draft", request_body = TextInput,
    params(("document" = String, Path)), responses(
    (status = 204, description = "Kept; shoppers do not see it"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
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
    /// Of the draft that the caller saw.
    pub version: i64,
}

/// `POST /api/admin/settings/legal/{document}/discard`
#[utoipa::path(post, path = "/api/admin/settings/legal/{document}/discard", request_body = DraftVersion,
    params(("document" = String, Path)), responses(
    (status = 204, description = "The draft is gone"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
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
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
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

#[derive(Debug, Deserialize, ToSchema)]
pub struct Restoration {
    pub number: i64,
    /// Of the draft that the caller saw, 0 when there was none.
    pub version: i64,
}

/// `POST /api/admin/settings/legal/{document}/restore`
#[utoipa::path(post, path = "/api/admin/settings/legal/{document}/restore", request_body = Restoration,
    params(("document" = String, Path)), responses(
    (status = 204, description = "The version was copied to the draft"),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
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
    service::restore(&cx, &actor, &slug, wanted.number, wanted.version).await?;
    Ok(StatusCode::NO_CONTENT)
}
