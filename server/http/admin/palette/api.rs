//! The search of the command palette.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::money::Money;
use shop_platform::staff_search::model::terms;
use shop_platform::web::extract::Asked;
use utoipa::ToSchema;

use super::queries;

#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Found {
    pub orders: Vec<FoundItem>,
    pub checkouts: Vec<FoundItem>,
    pub drafts: Vec<FoundItem>,
    pub products: Vec<FoundItem>,
    pub customers: Vec<FoundItem>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FoundItem {
    pub label: String,
    pub detail: String,
    pub href: String,
}

/// `GET /api/admin/search?q=`
#[utoipa::path(get, path = "/api/admin/search", params(("q" = Option<String>, Query, description = "Beginnings of words")), responses(
    (status = 200, description = "The first few of each kind", body = Found),
))]
pub async fn search(State(cx): State<Context>, asked: Asked) -> Result<Json<Found>, Error> {
    let typed = asked.parameter("q").unwrap_or_default();
    if terms([typed.as_str()]).is_empty() {
        return Ok(Json(Found::default()));
    }
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let orders = queries::list_orders(&mut conn, &typed).await?;
    let checkouts = queries::list_checkouts(&mut conn, &typed).await?;
    let drafts = queries::list_drafts(&mut conn, &typed).await?;
    let products = queries::list_products(&mut conn, &typed).await?;
    let customers = queries::list_customers(&mut conn, &typed).await?;
    drop(reader);
    let order = |order: queries::FoundOrder| FoundItem {
        detail: format!("{} · {}", order.email, Money::usd(order.total).dollars()),
        href: format!("/admin/orders/{}", order.number),
        label: order.number,
    };
    Ok(Json(Found {
        orders: orders.into_iter().map(order).collect(),
        checkouts: checkouts.into_iter().map(order).collect(),
        drafts: drafts
            .into_iter()
            .map(|draft| FoundItem {
                detail: format!("{} · {}", draft.email, Money::usd(draft.total).dollars()),
                href: format!("/admin/orders/drafts/{}", draft.number),
                label: draft.number,
            })
            .collect(),
        products: products
            .into_iter()
            .map(|product| FoundItem {
                label: product.title,
                // The same labels as on all screens.
                detail: match product.status.as_str() {
                    "active" => "Active",
                    "draft" => "Draft",
                    _ => "Archived",
                }
                .to_owned(),
                href: format!("/admin/products/{}", product.id),
            })
            .collect(),
        customers: customers
            .into_iter()
            .map(|customer| FoundItem {
                href: format!("/admin/users/{}", customer.id),
                label: if customer.name.is_empty() { customer.email.clone() } else { customer.name },
                detail: customer.email,
            })
            .collect(),
    }))
}
