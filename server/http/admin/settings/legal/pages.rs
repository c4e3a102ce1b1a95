//! The page of the legal texts.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::settings::legal::model::{Edition, in_force};
use shop_platform::settings::legal::service;
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Link, Page, PageProps};
use utoipa::ToSchema;

use super::queries;
use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct LegalSettingsPage {
    /// Links to edit each document.
    pub documents: Vec<Link>,
    pub slug: String,
    /// Its public address.
    pub href: String,
    /// In the shop's time zone, `YYYY-MM-DD`.
    pub today: String,
    /// The draft, or the text in force.
    pub title: String,
    pub body: String,
    /// Version of the draft; 0 when there is none.
    pub draft_version: i64,
    /// The newest first.
    pub editions: Vec<EditionView>,
}

impl PageProps for LegalSettingsPage {
    const NAME: &'static str = "admin/settings/legal";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct EditionView {
    /// 0 is the built-in one.
    pub number: i64,
    /// The day from which it is in force, or would have been if it was withdrawn.
    pub effective_from: String,
    pub is_in_force: bool,
    /// Not in force yet: it can be withdrawn.
    pub is_coming: bool,
    /// In the shop's time zone; none for the built-in one.
    pub published_at: Option<String>,
    pub published_by: Option<String>,
    /// In the shop's time zone; none unless it was withdrawn.
    pub withdrawn_at: Option<String>,
    pub withdrawn_by: Option<String>,
}

const PATH: &str = "/admin/settings/legal";

/// `GET /admin/settings/legal`
pub async fn page(State(cx): State<Context>, State(texts): State<Arc<Texts>>, asked: Asked) -> Result<Page, Error> {
    let zone = cx.zone();
    let today = cx.today();
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
    let withdrawn = queries::list_withdrawn(&mut conn, document.slug).await?;
    drop(reader);
    let now = in_force(&editions, today).or(editions.first());
    let published = now.map(|edition| (edition.title.clone(), edition.body.clone(), 0));
    let (title, body, draft_version) = draft.or(published).unwrap_or_default();
    let number = now.map(|edition| edition.number);
    let view = |edition: &Edition| {
        let withdrawn = withdrawn.iter().find(|each| each.number == edition.number);
        let by = publishers.iter().find(|(number, ..)| *number == edition.number);
        EditionView {
            number: edition.number,
            effective_from: withdrawn
                .map_or_else(|| edition.effective_from.to_string(), |each| each.effective_from.clone()),
            is_in_force: Some(edition.number) == number,
            // The built-in text is in force where its day has not come, too.
            is_coming: Some(edition.number) != number && edition.is_coming(today),
            published_at: by.map(|(_, at, _)| local_time(*at, zone)),
            published_by: by.map(|(_, _, name)| name.clone()),
            withdrawn_at: withdrawn.map(|each| local_time(each.withdrawn_at, zone)),
            withdrawn_by: withdrawn.map(|each| each.withdrawn_by.clone()),
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
