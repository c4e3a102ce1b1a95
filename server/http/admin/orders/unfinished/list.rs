//! The list of unfinished checkouts.

use std::collections::HashMap;

use axum::extract::State;
use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::address::Address;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::error::Error;
use shop_domain::sales::records::payments::attempts;
use shop_domain::sales::records::payments::rows::Attempt;
use shop_domain::sales::status::{OrderStatus, PaymentStatus};
use shop_domain::saved_views;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::{Later, SPEC, UnfinishedRow};
use super::{queries, story};
use crate::admin::admin_meta;
use crate::admin::list::query::ListQuery;
use crate::admin::list::view::ListView;

#[derive(Debug, Serialize, ToSchema)]
pub struct UnfinishedPage {
    pub list: ListView,
    pub checkouts: Vec<ListedCheckout>,
}

impl PageProps for UnfinishedPage {
    const NAME: &'static str = "admin/unfinished";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ListedCheckout {
    pub number: String,
    /// In the shop's time zone, `2026-11-21T12:00:05`.
    pub started: String,
    pub customer: String,
    pub email: String,
    pub phone: String,
    /// `2 × Briar pipe, 1 × Pipe tool`
    pub goods: String,
    pub why: String,
    pub payment: PaymentStatus,
    /// The buyer can still complete it.
    pub is_open: bool,
    /// Number of the order in which the same goods were bought later.
    pub later: Option<String>,
    /// Minor units.
    pub total: i64,
}

/// Data that belongs to the rows of a page.
struct Around {
    goods: HashMap<Uuid, Vec<(i64, String)>>,
    later: HashMap<Uuid, Later>,
    tries: HashMap<Uuid, Vec<Attempt>>,
}

impl ListedCheckout {
    fn of(row: UnfinishedRow, around: &mut Around, zone: &TimeZone) -> Result<Self, DbError> {
        let address = Address::stored(&row.address)?;
        let goods = around.goods.remove(&row.id).unwrap_or_default();
        let goods: Vec<String> = goods.into_iter().map(|(quantity, title)| format!("{quantity} × {title}")).collect();
        let tries = around.tries.remove(&row.id).unwrap_or_default();
        let why = match tries.last() {
            Some(last) => story::of_try(&tries, last, row.is_stock_lost()).reason.what,
            None if row.picked_up || row.total == 0 => story::UNCONFIRMED.to_owned(),
            None => story::UNTRIED.to_owned(),
        };
        Ok(Self {
            started: local_time(row.created_at, zone),
            customer: address.full_name(),
            phone: if row.phone.is_empty() { address.phone } else { row.phone },
            goods: goods.join(", "),
            why,
            payment: row.payment_status,
            is_open: row.status == OrderStatus::Draft,
            later: around.later.remove(&row.id).map(|later| later.number),
            number: row.number,
            email: row.email,
            total: row.total,
        })
    }
}

/// `GET /admin/orders/unfinished`
pub async fn page(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Page, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    let zone = cx.zone();
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = queries::filter(&mut conn, &query, zone).await?;
    let total = queries::count_checkouts(&mut conn, &filter).await?;
    let rows = queries::list_checkouts(&mut conn, &query, &filter.first_of(total), &query.window).await?;
    let (rows, paging) = query.paged(rows, UnfinishedRow::place);
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut tries: HashMap<Uuid, Vec<Attempt>> = HashMap::new();
    for attempt in attempts::list_of_all(&mut conn, &ids).await? {
        tries.entry(attempt.order_id).or_default().push(attempt);
    }
    let goods = queries::list_goods(&mut conn, &ids).await?;
    let later = queries::list_later(&mut conn, &ids).await?;
    let views = saved_views::service::list(&mut conn, &actor, SPEC.path).await?;
    drop(reader);
    let mut around = Around { goods, later, tries };
    let props = UnfinishedPage {
        list: query.view(total, paging, views, &[]),
        checkouts: rows.into_iter().map(|row| ListedCheckout::of(row, &mut around, zone)).collect::<Result<_, _>>()?,
    };
    Page::new(query.url(), &props, admin_meta("Unfinished checkouts"))
}
