//! The legal pages.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Meta, Page, PageProps};
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct LegalPage {
    pub title: String,
    /// `YYYY-MM-DD`
    pub updated: String,
    /// Rendered from our own Markdown.
    pub html: String,
    pub toc: Vec<TocEntry>,
    /// All legal documents.
    pub documents: Vec<DocumentLink>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentLink {
    pub label: String,
    pub href: String,
    pub current: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TocEntry {
    pub id: String,
    pub label: String,
}

impl PageProps for LegalPage {
    const NAME: &'static str = "legal/document";
}

/// `GET /content/legal/{document}`: the specification has a route for each document, and none for anything else.
pub async fn document(State(cx): State<Context>, State(texts): State<Arc<Texts>>, asked: Asked) -> Result<Page, Error> {
    let today = cx.today();
    let Some(document) = texts.legal.on(today).find(|document| document.href() == asked.path) else {
        return Err(Error::NotFound);
    };
    let props = LegalPage {
        title: document.title.clone(),
        updated: document.updated.clone(),
        html: document.html.clone(),
        toc: document
            .contents
            .iter()
            .map(|section| TocEntry { id: section.id.clone(), label: section.label.clone() })
            .collect(),
        documents: texts
            .legal
            .on(today)
            .map(|each| DocumentLink {
                label: each.title.clone(),
                href: each.href(),
                current: each.slug == document.slug,
            })
            .collect(),
    };
    let meta = Meta {
        title: document.title.clone(),
        description: format!("{} of {}.", document.title, texts.company.name),
        canonical: Some(document.href()),
        ..Meta::default()
    };
    Ok(Page::new(document.href(), &props, meta)?.about([]))
}
