//! Search suggestions while a shopper types.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use shop_base::error::Error;
use shop_base::money::Money;
use shop_base::slug::slug;
use shop_domain::catalog::search::sort_key;
use shop_domain::catalog::service::Catalog;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Link, Picture};
use utoipa::ToSchema;

const PRODUCTS: usize = 5;
const CATEGORIES: usize = 3;

#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Suggestions {
    pub products: Vec<SuggestedProduct>,
    pub categories: Vec<Link>,
    pub terms: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SuggestedProduct {
    pub title: String,
    pub href: String,
    pub price: Money,
    pub picture: Picture,
}

/// `GET /api/search/suggest?q=`
#[utoipa::path(get, path = "/api/search/suggest", params(("q" = Option<String>, Query, description = "What has been typed so far")),
    responses((status = 200, description = "Products, categories and words that begin so", body = Suggestions)))]
pub async fn suggest(State(catalog): State<Arc<Catalog>>, asked: Asked) -> Result<Json<Suggestions>, Error> {
    let typed = asked.parameter("q").unwrap_or_default();
    // As the search does, without accents.
    let plain = |text: &str| slug(&sort_key(text));
    let wanted = plain(&typed);
    if wanted.is_empty() {
        return Ok(Json(Suggestions::default()));
    }
    // At the beginning of a word.
    let wanted = format!("-{wanted}");
    let listing = catalog.listing();
    listing.index.completed().await.map_err(Error::internal)?;
    let found = listing.index.suggest(&typed, PRODUCTS).map_err(Error::internal)?;
    let products = listing
        .cards(&found.products)
        .map(|card| SuggestedProduct {
            title: card.title.clone(),
            href: card.href.clone(),
            price: card.price.clone(),
            picture: card.picture.clone(),
        })
        .collect();
    let categories = listing
        .categories()
        .iter()
        .filter(|category| {
            [&plain(&category.name), &category.slug].iter().any(|name| format!("-{name}").contains(&wanted))
        })
        .take(CATEGORIES)
        .map(|category| Link::new(&category.name, category.href()))
        .collect();
    Ok(Json(Suggestions { products, categories, terms: found.terms }))
}
