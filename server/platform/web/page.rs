//! A page as a handler returns it: the component's name, its props, and metadata for crawlers. The layer around page routes renders it to
//! HTML or to the JSON envelope, as requested.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shop_base::error::Error;
use ssr_runtime::Parts;
use utoipa::ToSchema;
use uuid::Uuid;

use super::reusable::{Verbatim, write_marking};

/// Props of one page component; `NAME` is its key in `app/pages.ts`.
pub trait PageProps: Serialize {
    const NAME: &'static str;
}

/// What a page handler returns.
#[derive(Clone, Debug)]
pub struct Page {
    pub name: &'static str,
    pub status: StatusCode,
    /// The props as JSON, with markers for its parts.
    pub props: Box<RawValue>,
    pub parts: Parts,
    pub meta: Meta,
    /// The page's canonical address: path and normalized query.
    pub url: String,
    /// It is specific to one visitor: no cache may store it.
    pub is_personal: bool,
    /// What it shows of the catalog.
    pub about: Vec<Topic>,
}

/// What a page shows of the catalog. A page ends when something changes that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// All of a product, as on its own page.
    Product(Uuid),
    /// The card of a product.
    Card(Uuid),
    /// The products of a category and those below it, as lists show them.
    Category(Uuid),
    /// The products of the whole shop, as lists show them.
    Cards,
}

/// What search engines, link previews and the first paint need.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Meta {
    pub title: String,
    pub description: String,
    /// The canonical address of this content; absolute once rendered.
    pub canonical: Option<String>,
    /// For example `noindex, follow`.
    pub robots: Option<String>,
    /// Open Graph picture, absolute once rendered.
    pub image: Option<String>,
    /// JSON-LD objects.
    #[schema(value_type = Vec<serde_json::Value>)]
    pub json_ld: Vec<serde_json::Value>,
    /// The largest picture of the first screen.
    pub preload: Option<Preload>,
}

/// A picture to preload before the browser parses its element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Preload {
    pub src: String,
    /// The `sizes` that the element will have.
    pub sizes: &'static str,
    /// The renditions that the element will have, in pixels.
    #[serde(skip)]
    pub widths: &'static [u32],
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Link {
    #[schema(value_type = String)]
    pub label: Verbatim<String>,
    #[schema(value_type = String)]
    pub href: Verbatim<String>,
}

impl Link {
    pub fn new(label: impl Into<String>, href: impl Into<String>) -> Self {
        Self { label: Verbatim(label.into()), href: Verbatim(href.into()) }
    }
}

/// A picture; the addresses of its renditions are `{src}-{width}.avif` and `.webp`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Picture {
    pub src: String,
    pub alt: String,
    /// Size of the master in pixels.
    pub width: u32,
    pub height: u32,
}

impl Picture {
    /// The rendition for link previews, whose crawlers do not support AVIF.
    pub fn open_graph(&self) -> String {
        format!("{}-og.jpg", self.src)
    }
}

impl Page {
    pub fn new<P: PageProps>(url: impl Into<String>, props: &P, meta: Meta) -> Result<Self, Error> {
        let (props, parts) = write_marking(props, Parts::default()).map_err(Error::internal)?;
        let (status, url) = (StatusCode::OK, url.into());
        Ok(Self { name: P::NAME, status, props, parts, meta, url, is_personal: false, about: vec![Topic::Cards] })
    }

    /// By default it may show any card.
    pub fn about(self, about: impl IntoIterator<Item = Topic>) -> Self {
        Self { about: about.into_iter().collect(), ..self }
    }

    pub fn personal(self) -> Self {
        Self { is_personal: true, ..self }
    }

    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }
}

/// The response's extensions carry the page to the layer that renders it.
impl IntoResponse for Page {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
