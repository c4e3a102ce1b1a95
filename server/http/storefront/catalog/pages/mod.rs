//! The storefront's lists and the product page.

pub mod list;
pub mod product;

use axum::response::Response;
use serde_json::json;

use crate::page::serve::moved_path;
use shop_base::error::Error;
use shop_domain::catalog::model::RetiredPath;
use shop_domain::catalog::service::Catalog;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::Link;

/// schema.org `BreadcrumbList`; addresses become absolute when the document is rendered.
fn breadcrumb_list(crumbs: &[Link]) -> serde_json::Value {
    let items: Vec<_> = crumbs
        .iter()
        .zip(1..)
        .map(|(crumb, position)| {
            json!({ "@type": "ListItem", "position": position, "name": crumb.label, "item": crumb.href })
        })
        .collect();
    json!({ "@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items })
}

/// The response for an address that shows nothing: a redirect to the new address, 410, or 404.
async fn not_here(catalog: &Catalog, asked: &Asked) -> Result<Response, Error> {
    match catalog.find_retired_path(&asked.path).await? {
        Some(RetiredPath::Moved(target)) => Ok(moved_path(asked, &target)),
        Some(RetiredPath::Gone) => Err(Error::Gone { path: asked.path.clone() }),
        None => Err(asked.refused()),
    }
}
