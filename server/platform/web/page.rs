//! A page as a handler answers with it: the component's name, its props, what crawlers read. The layer around page routes turns it
//! into HTML or into the JSON envelope, as the request asks.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shop_base::error::Error;
use utoipa::ToSchema;

/// Props of one page component; `NAME` is its key in `app/pages.ts`.
pub trait PageProps: Serialize {
    const NAME: &'static str;
}

/// What a page handler answers with.
#[derive(Clone, Debug)]
pub struct Page {
    pub name: &'static str,
    pub status: StatusCode,
    /// The props as JSON.
    pub props: Box<RawValue>,
    pub meta: Meta,
    /// The page's one address: path and normalized query.
    pub url: String,
    /// It shows what is one visitor's alone: no cache may keep it.
    pub is_personal: bool,
}

/// What search engines, link previews and the first paint need.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Meta {
    pub title: String,
    pub description: String,
    /// The one address of this content, absolute once rendered.
    pub canonical: Option<String>,
    /// For example `noindex, follow`.
    pub robots: Option<String>,
    /// Open Graph picture, absolute once rendered.
    pub image: Option<String>,
    /// JSON-LD objects.
    #[schema(value_type = Vec<serde_json::Value>)]
    pub json_ld: Vec<serde_json::Value>,
    /// The picture that the first screen shows.
    pub preload: Option<Preload>,
}

/// A picture to fetch before the browser has seen its element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Preload {
    pub src: String,
    /// The `sizes` that the element will have.
    pub sizes: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Link {
    pub label: String,
    pub href: String,
}

impl Link {
    pub fn new(label: impl Into<String>, href: impl Into<String>) -> Self {
        Self { label: label.into(), href: href.into() }
    }
}

/// A picture; its renditions are at `{src}-{width}.avif` and `.webp`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Picture {
    pub src: String,
    pub alt: String,
    /// Pixels of the master.
    pub width: u32,
    pub height: u32,
}

impl Picture {
    /// The rendition for link previews, whose readers know no AVIF.
    pub fn open_graph(&self) -> String {
        format!("{}-og.jpg", self.src)
    }
}

impl Page {
    pub fn new<P: PageProps>(url: impl Into<String>, props: &P, meta: Meta) -> Result<Self, Error> {
        let props = serde_json::value::to_raw_value(props).map_err(Error::internal)?;
        Ok(Self { name: P::NAME, status: StatusCode::OK, props, meta, url: url.into(), is_personal: false })
    }

    pub fn personal(self) -> Self {
        Self { is_personal: true, ..self }
    }

    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }
}

/// The page rides in the response's extensions to the layer that renders it.
impl IntoResponse for Page {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
