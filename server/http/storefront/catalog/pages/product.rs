//! `/product/{id}`.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::money::Money;
use shop_domain::catalog::listing::Listing;
use shop_domain::catalog::model;
use shop_domain::catalog::model::{
    Availability, Product, ProductCard, ProductGallery, ProductOption, ProductStory, ProductVariant, StockLevel,
    variant_href,
};
use shop_domain::catalog::products::ShownProduct;
use shop_domain::catalog::service::Catalog;
use shop_platform::media::WIDTHS;
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::{Asked, Slug};
use shop_platform::web::page::{Link, Meta, Page, PageProps, Picture, Preload, Topic};
use shop_platform::web::reusable::Reusable;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{breadcrumb_list, not_here};
use crate::page::serve::{about, moved, moved_path};

/// The gallery's `sizes`, the same as in `app/catalog/gallery.tsx`.
const GALLERY_SIZES: &str = "(min-width: 64rem) 50vw, 100vw";
const RELATED: usize = 4;

/// Props of a product's page.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProductPage {
    pub id: Uuid,
    pub title: String,
    pub subtitle: String,
    #[schema(value_type = ProductStory)]
    pub story: Reusable<ProductStory>,
    pub breadcrumbs: Vec<Link>,
    #[schema(value_type = ProductGallery)]
    pub gallery: Reusable<ProductGallery>,
    pub options: Vec<ProductOption>,
    pub variants: Vec<VariantView>,
    /// The sku in the address, or the first that can be bought.
    pub selected: String,
    #[schema(value_type = Vec<ProductCard>)]
    pub related: Vec<Reusable<ProductCard>>,
    /// Legal requirements for buyers of this product, and where it cannot be shipped.
    pub restriction: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProductVariant)]
pub struct VariantView {
    pub id: Uuid,
    pub sku: String,
    pub title: String,
    /// One value per option, in the options' order.
    pub options: Vec<String>,
    pub price: Money,
    pub compare_at_price: Option<Money>,
    pub availability: Availability,
    /// Remaining stock, given only when it is low.
    pub left: Option<i64>,
    /// The maximum quantity in a cart.
    pub max_quantity: i64,
    /// Index into the gallery's pictures.
    pub picture: usize,
    pub href: String,
}

impl PageProps for ProductPage {
    const NAME: &'static str = "catalog/product";
}

/// `GET /product/{id}`: the id is the product's handle; its UUID redirects there.
pub async fn product(
    State(cx): State<Context>,
    State(catalog): State<Arc<Catalog>>,
    State(texts): State<Arc<Texts>>,
    Slug(handle): Slug,
    asked: Asked,
) -> Result<Response, Error> {
    // A handle may look like an id, too.
    if let Ok(id) = Uuid::parse_str(&handle)
        && let Some(current) = catalog.find_handle(id).await?
        && current != handle
    {
        return Ok(about(moved_path(&asked, &format!("/product/{current}")), Topic::Product(id)));
    }
    let Some(product) = catalog.find_product(&handle, &cx.config.company).await? else {
        return not_here(&catalog, &asked).await;
    };
    let path = format!("/product/{}", product.handle);
    let Some(default) = default_variant(&product) else { return Err(asked.refused()) };
    let wanted = asked.parameter("variant");
    let leads_to = |href: &str| about(moved(&asked.address(href)), Topic::Product(product.id));
    let selected = match &wanted {
        None => default,
        Some(sku) => match product.variants.iter().find(|variant| variant.sku == *sku) {
            // With each further one this page would be kept once more.
            Some(variant) if asked.is_repeated("variant") => return Ok(leads_to(&variant_href(&path, &variant.sku))),
            Some(variant) => variant,
            None => return Ok(leads_to(&path)),
        },
    };
    let listing = catalog.listing();
    let url = wanted.as_ref().map_or_else(|| path.clone(), |_| variant_href(&path, &selected.sku));
    let meta = product_meta(&texts, &listing, &product, selected, &path);
    let props = product_page(&listing, &product, selected.sku.clone(), &path);
    // That another product would stand beside it, a page shows when it is confirmed: at most half a minute later.
    let cards = props.related.iter().map(|card| Topic::Card(card.id));
    let topics = [Topic::Product(props.id)].into_iter().chain(cards);
    Ok(Page::new(url, &props, meta)?.about(topics).into_response())
}

/// The first variant that can be bought, else the first.
fn default_variant(product: &Product) -> Option<&ProductVariant> {
    product
        .variants
        .iter()
        .find(|variant| variant.stock.availability() != Availability::OutOfStock)
        .or_else(|| product.variants.first())
}

/// What can be bought of a variant: nothing while no rule lets the product be sold.
fn stock(product: &ShownProduct, variant: &ProductVariant) -> StockLevel {
    if product.restriction.is_sold { variant.stock } else { StockLevel { on_hand: 0, reserved: 0, ..variant.stock } }
}

fn product_page(listing: &Listing, product: &ShownProduct, selected: String, path: &str) -> ProductPage {
    let category = listing.get_category(product.category_id);
    let picture_of = |variant: &ProductVariant| {
        product.images.iter().position(|image| Some(image.id) == variant.image_id).unwrap_or(0)
    };
    let variants = product
        .variants
        .iter()
        .map(|variant| VariantView {
            id: variant.id,
            sku: variant.sku.clone(),
            title: variant.title.clone(),
            options: variant.options.clone(),
            price: variant.price.clone(),
            compare_at_price: variant.compare_at_price.clone(),
            availability: stock(product, variant).availability(),
            left: stock(product, variant).left(),
            max_quantity: stock(product, variant).max_quantity(),
            picture: picture_of(variant),
            href: variant_href(path, &variant.sku),
        })
        .collect();
    ProductPage {
        variants,
        breadcrumbs: category.map(|category| model::breadcrumbs(&listing.path(category))).unwrap_or_default(),
        related: listing.related(product).take(RELATED).cloned().collect(),
        gallery: product.gallery.clone(),
        id: product.id,
        title: product.title.clone(),
        subtitle: product.subtitle.clone(),
        story: product.story.clone(),
        options: product.options.clone(),
        selected,
        restriction: product.restriction.text.clone(),
    }
}

fn product_meta(
    texts: &Texts,
    listing: &Listing,
    product: &ShownProduct,
    selected: &ProductVariant,
    path: &str,
) -> Meta {
    let cover = product
        .images
        .iter()
        .find(|image| Some(image.id) == selected.image_id)
        .or_else(|| product.images.first())
        .map(|image| &image.picture);
    let offers: Vec<_> = product
        .variants
        .iter()
        .map(|variant| {
            let availability = match stock(product, variant).availability() {
                Availability::OutOfStock => "https://schema.org/OutOfStock",
                _ if !product.restriction.is_shipped => "https://schema.org/InStoreOnly",
                Availability::InStock => "https://schema.org/InStock",
                Availability::LowStock => "https://schema.org/LimitedAvailability",
            };
            json!({
                "@type": "Offer", "sku": variant.sku, "price": variant.price.decimal(),
                "priceCurrency": variant.price.currency, "availability": availability,
                "itemCondition": "https://schema.org/NewCondition", "url": variant_href(path, &variant.sku),
                "seller": { "@type": "Organization", "name": texts.company.name },
            })
        })
        .collect();
    let pictures: Vec<_> = product.images.iter().map(|image| image.picture.open_graph()).collect();
    let mut json_ld = json!({
        "@context": "https://schema.org", "@type": "Product", "name": product.title, "url": path,
        "sku": selected.sku, "image": pictures, "offers": offers,
    });
    for (name, text) in [("description", product.story.description.join(" ")), ("material", product.material.clone())] {
        if !text.is_empty() {
            json_ld[name] = json!(text);
        }
    }
    let crumbs = listing.get_category(product.category_id).map(|category| {
        let mut crumbs = model::breadcrumbs(&listing.path(category));
        crumbs.push(Link::new(&product.title, path));
        breadcrumb_list(&crumbs)
    });
    let or = |text: &String, fallback: &String| if text.is_empty() { fallback.clone() } else { text.clone() };
    Meta {
        title: or(&product.seo_title, &product.title),
        description: or(&product.seo_description, product.story.description.first().unwrap_or(&product.subtitle)),
        canonical: Some(path.to_owned()),
        robots: None,
        image: cover.map(Picture::open_graph),
        json_ld: [Some(json_ld), crumbs].into_iter().flatten().collect(),
        preload: cover.map(|picture| Preload { src: picture.src.clone(), sizes: GALLERY_SIZES, widths: &WIDTHS }),
    }
}
