//! The cart's page.

use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Error;
use crate::web::page::{Meta, Page, PageProps};

/// Nothing: the contents come from the browser's storage.
#[derive(Debug, Serialize, ToSchema)]
pub struct CartPage {}

impl PageProps for CartPage {
    const NAME: &'static str = "cart";
}

/// `GET /cart`
pub async fn cart() -> Result<Page, Error> {
    let meta = Meta {
        title: "Your cart".to_owned(),
        description: "What you have chosen so far.".to_owned(),
        canonical: Some("/cart".to_owned()),
        robots: Some("noindex, follow".to_owned()),
        ..Meta::default()
    };
    Page::new("/cart", &CartPage {}, meta)
}
