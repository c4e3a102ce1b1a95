//! The list of guests.

use axum::extract::State;
use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::address::Address;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::error::Error;
use shop_domain::saved_views;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;

use super::queries;
use super::queries::{GuestRow, SPEC};
use crate::admin::admin_meta;
use crate::admin::list::query::ListQuery;
use crate::admin::list::view::ListView;

#[derive(Debug, Serialize, ToSchema)]
pub struct GuestsPage {
    pub list: ListView,
    pub guests: Vec<GuestItem>,
}

impl PageProps for GuestsPage {
    const NAME: &'static str = "admin/guests";
}

/// A guest with the data of their last order; guests are identified by email address only.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuestItem {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub orders: i64,
    /// What was paid less refunds and lost disputes, minor units.
    pub spent: i64,
    /// In the shop's time zone, `2026-11-21T12:00:05`.
    pub last: String,
    pub last_number: String,
}

impl GuestItem {
    fn of(row: GuestRow, figures: Option<(i64, i64)>, zone: &TimeZone) -> Result<Self, DbError> {
        let address = Address::stored(&row.address)?;
        let (orders, spent) = figures.unwrap_or_default();
        Ok(Self {
            name: address.full_name(),
            phone: if row.phone.is_empty() { address.phone } else { row.phone },
            email: row.email,
            orders,
            spent,
            last: local_time(row.placed_at, zone),
            last_number: row.number,
        })
    }
}

/// `GET /admin/users/guests`
pub async fn page(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Page, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    let zone = cx.zone();
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = queries::filter(&mut conn, &query, zone).await?;
    let total = queries::count_guests(&mut conn, &filter).await?;
    let rows = queries::list_guests(&mut conn, &query, &filter.first_of(total), &query.window).await?;
    let (rows, paging) = query.paged(rows, GuestRow::place);
    let mailboxes: Vec<&str> = rows.iter().map(|row| row.mailbox.as_str()).collect();
    let figures = queries::list_guest_figures(&mut conn, &mailboxes).await?;
    let views = saved_views::service::list(&mut conn, &actor, SPEC.path).await?;
    drop(reader);
    let guests = rows.into_iter().map(|row| {
        let known = figures.get(&row.mailbox).copied();
        GuestItem::of(row, known, zone)
    });
    let props = GuestsPage { guests: guests.collect::<Result<_, _>>()?, list: query.view(total, paging, views, &[]) };
    Page::new(query.url(), &props, admin_meta("Guests"))
}
