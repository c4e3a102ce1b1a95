//! The list of draft orders.

use axum::extract::State;
use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::address::Address;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::error::Error;
use shop_domain::sales::records::draft_orders::model::DraftState;
use shop_domain::sales::status::PaymentStatus;
use shop_domain::saved_views;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;

use super::queries;
use super::queries::{DraftRow, SPEC};
use crate::admin::admin_meta;
use crate::admin::list::query::ListQuery;
use crate::admin::list::view::ListView;

#[derive(Debug, Serialize, ToSchema)]
pub struct DraftsPage {
    pub list: ListView,
    pub drafts: Vec<ListedDraft>,
}

impl PageProps for DraftsPage {
    const NAME: &'static str = "admin/drafts";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ListedDraft {
    pub number: String,
    /// In the shop's time zone, `2026-11-21T12:00:05`.
    pub made: String,
    /// The last second in which it can be paid, in the shop's time zone, `2026-11-21T12:00:05`.
    pub expires: String,
    pub customer: String,
    pub email: String,
    pub state: DraftState,
    pub delivery: String,
    /// Number of the order placed from it.
    pub order: Option<String>,
    pub payment: Option<PaymentStatus>,
    /// Minor units.
    pub total: i64,
}

impl ListedDraft {
    fn of(row: DraftRow, zone: &TimeZone, now: i64) -> Result<Self, DbError> {
        let address = Address::stored(&row.address)?;
        Ok(Self {
            made: local_time(row.created_at, zone),
            expires: local_time(row.expires_at - 1, zone),
            customer: address.full_name(),
            state: row.status.at(now, row.expires_at),
            payment: row.payment(),
            number: row.number,
            email: row.email,
            delivery: row.delivery,
            order: row.order_number,
            total: row.total,
        })
    }
}

/// `GET /admin/orders/drafts`
pub async fn page(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Page, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    let (zone, now) = (cx.zone(), cx.clock.now_ms());
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = queries::filter(&mut conn, &query, now).await?;
    let total = queries::count_drafts(&mut conn, &filter).await?;
    let rows = queries::list_drafts(&mut conn, &query, &filter.first_of(total), &query.window).await?;
    let views = saved_views::service::list(&mut conn, &actor, SPEC.path).await?;
    drop(reader);
    let (rows, paging) = query.paged(rows, |row| row.place(query.sort.name));
    let props = DraftsPage {
        list: query.view(total, paging, views, &[]),
        drafts: rows.into_iter().map(|row| ListedDraft::of(row, zone, now)).collect::<Result<_, _>>()?,
    };
    Page::new(query.url(), &props, admin_meta("Draft orders"))
}
