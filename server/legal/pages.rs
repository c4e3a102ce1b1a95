//! The legal pages.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::Error;
use crate::web::extract::{Asked, Param};
use crate::web::page::{Link, Meta, Page, PageProps};

#[derive(Debug, Serialize, ToSchema)]
pub struct LegalPage {
    pub title: String,
    /// `YYYY-MM-DD`
    pub updated: String,
    /// From our own Markdown.
    pub html: String,
    pub toc: Vec<TocEntry>,
    /// All legal documents.
    pub documents: Vec<Link>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TocEntry {
    pub id: String,
    pub label: String,
}

impl PageProps for LegalPage {
    const NAME: &'static str = "legal/document";
}

/// `GET /content/legal/{document}`
pub async fn document(State(app): State<App>, Param(slug): Param, asked: Asked) -> Result<Page, Error> {
    let Some(document) = app.legal.iter().find(|document| document.slug == slug) else {
        return Err(Error::NoRoute { path: asked.path });
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
        documents: app.legal.iter().map(|document| document.link()).collect(),
    };
    let meta = Meta {
        title: document.title.clone(),
        description: format!("{} of {}.", document.title, app.config.company.name),
        canonical: Some(document.href()),
        ..Meta::default()
    };
    Page::new(document.href(), &props, meta)
}
