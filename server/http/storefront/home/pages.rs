//! The front page.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use serde_json::json;
use shop_base::error::Error;
use shop_domain::catalog::model::{CategoryCard, ProductCard};
use shop_domain::catalog::service::Catalog;
use shop_platform::media::WIDTHS;
use shop_platform::settings::texts::Texts;
use shop_platform::web::page::{Link, Meta, Page, PageProps, Picture, Preload};
use shop_platform::web::reusable::Reusable;
use utoipa::ToSchema;

/// The hero's `sizes`, the same as in `app/home/hero.tsx`.
const HERO_SIZES: &str = "(min-width: 64rem) 50vw, 100vw";
const ROW: usize = 8;

#[derive(Debug, Serialize, ToSchema)]
pub struct HomePage {
    pub hero: Hero,
    pub categories: Vec<CategoryCard>,
    #[schema(value_type = Vec<ProductCard>)]
    pub new_arrivals: Vec<Reusable<ProductCard>>,
    #[schema(value_type = Vec<ProductCard>)]
    pub on_sale: Vec<Reusable<ProductCard>>,
    pub featured: Option<FeaturedCollection>,
}

/// The first product of the first collection, displayed large.
#[derive(Debug, Serialize, ToSchema)]
pub struct Hero {
    pub picture: Option<Picture>,
    pub product: Option<Link>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FeaturedCollection {
    pub title: String,
    pub description: String,
    #[schema(value_type = Vec<ProductCard>)]
    pub items: Vec<Reusable<ProductCard>>,
}

impl PageProps for HomePage {
    const NAME: &'static str = "home";
}

/// `GET /`
pub async fn home(State(catalog): State<Arc<Catalog>>, State(texts): State<Arc<Texts>>) -> Result<Page, Error> {
    let listing = catalog.listing();
    let featured = listing.collections.first();
    let lead = featured.and_then(|collection| listing.shelf(collection.products.iter()).next());
    let props = HomePage {
        hero: Hero {
            picture: lead.map(|card| card.picture.clone()),
            product: lead.map(|card| Link::new(&card.title, &card.href)),
        },
        categories: listing.children(None).map(|category| listing.category_card(category)).collect(),
        new_arrivals: listing.shelf(listing.newest()).take(ROW).cloned().collect(),
        on_sale: listing.shelf(listing.on_sale()).take(ROW).cloned().collect(),
        featured: featured.map(|collection| FeaturedCollection {
            title: collection.title.clone(),
            description: collection.description.clone(),
            items: listing.shelf(collection.products.iter()).take(ROW).cloned().collect(),
        }),
    };
    let company = &texts.company;
    let organization = json!({
        "@context": "https://schema.org", "@type": "Organization", "name": company.name, "url": "/",
        "email": company.email, "telephone": company.phone, "address": company.address,
    });
    let website = json!({
        "@context": "https://schema.org", "@type": "WebSite", "name": company.name, "url": "/",
        "potentialAction": {
            "@type": "SearchAction",
            "target": { "@type": "EntryPoint", "urlTemplate": "/products?q={search_term_string}" },
            "query-input": "required name=search_term_string",
        },
    });
    let meta = Meta {
        title: "Pipes, humidors, and fine smoking accessories".to_owned(),
        description: format!(
            "{} is an Ohio tobacconist for adults: pipes, humidors, cutters, lighters, and the small tools that go with them.",
            company.name
        ),
        canonical: Some("/".to_owned()),
        robots: None,
        image: lead.map(|card| card.picture.open_graph()),
        json_ld: vec![organization, website],
        preload: lead.map(|card| Preload { src: card.picture.src.clone(), sizes: HERO_SIZES, widths: &WIDTHS }),
    };
    Page::new("/", &props, meta)
}
