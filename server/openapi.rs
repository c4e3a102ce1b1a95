//! The OpenAPI document: every call, and the props of every page. `app/generated/api.ts` is made from it.

use utoipa::OpenApi;

use crate::{age, cart, catalog, error, home, legal, money, web};

#[derive(OpenApi)]
#[openapi(
    info(title = "Shop", description = "The JSON API of the shop and the props of its pages."),
    paths(age::api::verify, catalog::api::suggest, web::client_errors::report),
    components(schemas(
        age::pages::AgeRefusedPage,
        cart::pages::CartPage,
        catalog::model::ProductCard,
        catalog::pages::ListPage,
        catalog::pages::ProductPage,
        error::Problem,
        home::pages::HomePage,
        legal::pages::LegalPage,
        money::Money,
        web::builds::BuildMeta,
        web::builds::LatestBuild,
        web::render::Envelope<'_>,
        web::render::ErrorPage,
    ))
)]
struct Api;

/// The document as pretty JSON.
pub fn document() -> Result<String, serde_json::Error> {
    Api::openapi().to_pretty_json()
}
