//! The list of orders, as a page and as a file.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::address::Address;
use shop_base::clock::{local_time, timestamp};
use shop_base::context::Context;
use shop_base::csv;
use shop_base::csv::Rows;
use shop_base::db::DbError;
use shop_base::error::Error;
use shop_base::money::Money;
use shop_domain::sales::status::{FulfillmentStatus, OrderStatus, PaymentStatus};
use shop_domain::saved_views;
use shop_platform::audit::model::{Actor, Subject};
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries;
use super::queries::{OrderRow, SPEC};
use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::ROWS;
use crate::admin::list::view::{Choice, ListView};
use crate::admin::users::queries::list_names;
use crate::admin::{admin_meta, exports};

#[derive(Debug, Serialize, ToSchema)]
pub struct OrdersPage {
    pub list: ListView,
    pub orders: Vec<ListedOrder>,
}

impl PageProps for OrdersPage {
    const NAME: &'static str = "admin/orders";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ListedOrder {
    pub number: String,
    /// In the shop's time zone, `2026-11-21T12:00:05`.
    pub placed: String,
    pub customer: String,
    pub email: String,
    pub status: OrderStatus,
    pub payment: PaymentStatus,
    pub fulfillment: FulfillmentStatus,
    pub delivery: String,
    pub attention: Option<String>,
    /// Minor units.
    pub total: i64,
}

impl ListedOrder {
    fn of(row: OrderRow, zone: &TimeZone) -> Result<Self, DbError> {
        Ok(Self {
            placed: local_time(row.placed_at.unwrap_or(row.created_at), zone),
            customer: Address::stored(&row.address)?.full_name(),
            number: row.number,
            email: row.email,
            status: row.status,
            payment: row.payment_status,
            fulfillment: row.fulfillment_status,
            delivery: row.shipping_name,
            attention: row.attention,
            total: row.total,
        })
    }
}

/// `GET /admin/orders`
pub async fn page(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Response, Error> {
    // Saved views from the time when unfinished checkouts were states of orders.
    for (filter, state, view) in [("status", "draft", "state=open"), ("payment", "failed", "payment=failed")] {
        if asked.parameter(filter).as_deref() == Some(state) {
            return Ok(Redirect::to(&asked.address(&format!("/admin/orders/unfinished?{view}"))).into_response());
        }
    }
    let query = ListQuery::of(&SPEC, &asked);
    let zone = cx.zone();
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = queries::filter(&mut conn, &query, zone).await?;
    let total = queries::count_orders(&mut conn, &filter).await?;
    let rows = queries::list_orders(&mut conn, &query, &filter.first_of(total), &query.window).await?;
    let views = saved_views::service::list(&mut conn, &actor, SPEC.path).await?;
    let customers: Vec<Uuid> = query.values("customer").into_iter().filter_map(|id| id.parse().ok()).collect();
    let names = list_names(&mut conn, &customers).await?;
    drop(reader);
    let customers = names.into_iter().filter(|(_, name)| !name.is_empty());
    let customers = customers.map(|(id, label)| Choice { value: id.to_string(), label }).collect();
    let (rows, paging) = query.paged(rows, |row| row.place(query.sort.name));
    let props = OrdersPage {
        list: query.view(total, paging, views, &[("customer", customers)]),
        orders: rows.into_iter().map(|row| ListedOrder::of(row, zone)).collect::<Result<_, _>>()?,
    };
    Ok(Page::new(query.url(), &props, admin_meta("Orders"))?.into_response())
}

const HEADER: [&str; 11] = [
    "Number",
    "Placed (UTC)",
    "Status",
    "Payment",
    "Fulfillment",
    "Customer",
    "Email",
    "Delivery",
    "Total",
    "Currency",
    "Needs attention",
];

/// `GET /api/admin/orders.csv`
#[utoipa::path(get, path = "/api/admin/orders.csv", responses(
    (status = 200, description = "The orders of the list's query as CSV", content_type = "text/csv", body = String),
))]
pub async fn export(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Response, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    exports::record(&cx, &actor, "order.export_list", Subject::new("order", "all", query.recorded())).await?;
    Ok(csv::download("orders.csv", &HEADER, move |rows| write(cx, query, rows)))
}

async fn write(cx: Context, query: ListQuery, mut out: Rows) -> Result<Rows, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = queries::filter(&mut conn, &query, cx.zone()).await?;
    // All at once: an order that is changed meanwhile moves to another place in the list.
    let ids = queries::list_all_ids(&mut conn, &query, &filter).await?;
    drop(reader);
    for ids in ids.chunks(ROWS) {
        let mut orders = queries::find_orders(&mut cx.db.read().await?.conn(), ids).await?;
        for row in ids.iter().filter_map(|id| orders.remove(id)) {
            if out.write(cells(&row)?.iter().map(String::as_str)).await.is_err() {
                return Ok(out);
            }
        }
    }
    Ok(out)
}

fn cells(row: &OrderRow) -> Result<Vec<String>, DbError> {
    Ok(vec![
        row.number.clone(),
        timestamp(row.placed_at.unwrap_or(row.created_at)).to_string(),
        row.status.text().to_owned(),
        row.payment_status.text().to_owned(),
        row.fulfillment_status.text().to_owned(),
        Address::stored(&row.address)?.full_name(),
        row.email.clone(),
        row.shipping_name.clone(),
        Money::usd(row.total).decimal(),
        "USD".to_owned(),
        row.attention.clone().unwrap_or_default(),
    ])
}
