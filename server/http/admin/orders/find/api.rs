//! The calls that search.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use shop_base::address::Address;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::staff_search::model::terms;
use shop_platform::web::extract::Asked;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries;

#[derive(Debug, Default, Serialize, ToSchema)]
pub struct FoundGoods {
    pub variants: Vec<FoundVariant>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FoundVariant {
    pub sku: String,
    pub title: String,
    pub variant: String,
    /// Minor units.
    pub price: i64,
    /// Units free to sell.
    pub available: i64,
    /// Name of the compliance class.
    pub class: String,
}

#[derive(Debug, Default, Serialize, ToSchema)]
pub struct FoundBuyers {
    pub buyers: Vec<FoundBuyer>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FoundBuyer {
    pub user_id: Uuid,
    pub name: String,
    pub email: String,
    /// If not, the address may be somebody else’s.
    pub email_verified: bool,
    pub phone: String,
    /// Their default address.
    pub address: Option<Address>,
}

/// `GET /api/admin/orders/goods?q=`
#[utoipa::path(get, path = "/api/admin/orders/goods", params(("q" = Option<String>, Query, description = "Beginnings of words")), responses(
    (status = 200, description = "The first few variants that the shop sells", body = FoundGoods),
))]
pub async fn goods(State(cx): State<Context>, asked: Asked) -> Result<Json<FoundGoods>, Error> {
    let typed = asked.parameter("q").unwrap_or_default();
    if terms([typed.as_str()]).is_empty() {
        return Ok(Json(FoundGoods::default()));
    }
    let mut reader = cx.db.read().await?;
    let rows = queries::list_goods(&mut reader.conn(), &typed).await?;
    let variant = |row: queries::GoodsRow| FoundVariant {
        sku: row.sku,
        title: row.title,
        variant: row.variant_title,
        price: row.price,
        available: row.available.max(0),
        class: row.class,
    };
    Ok(Json(FoundGoods { variants: rows.into_iter().map(variant).collect() }))
}

/// `GET /api/admin/orders/buyers?q=`
#[utoipa::path(get, path = "/api/admin/orders/buyers", params(("q" = Option<String>, Query, description = "Beginnings of words")), responses(
    (status = 200, description = "The first few accounts", body = FoundBuyers),
))]
pub async fn buyers(State(cx): State<Context>, asked: Asked) -> Result<Json<FoundBuyers>, Error> {
    let typed = asked.parameter("q").unwrap_or_default();
    if terms([typed.as_str()]).is_empty() {
        return Ok(Json(FoundBuyers::default()));
    }
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let rows = queries::list_buyers(&mut conn, &typed).await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut addresses = queries::list_addresses(&mut conn, &ids).await?;
    let buyer = |row: queries::BuyerRow| {
        let mut address = addresses.remove(&row.id);
        // An order has one number.
        let of_address = address.as_mut().map(|address| std::mem::take(&mut address.phone)).unwrap_or_default();
        FoundBuyer {
            address,
            user_id: row.id,
            name: row.name,
            email: row.email,
            email_verified: row.email_verified,
            phone: if row.phone.is_empty() { of_address } else { row.phone },
        }
    };
    Ok(Json(FoundBuyers { buyers: rows.into_iter().map(buyer).collect() }))
}
