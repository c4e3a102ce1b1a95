//! The list of promo codes.

use axum::extract::State;
use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::clock::{local_time, timestamp};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::saved_views;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries;
use super::queries::{PromoRow, SPEC};
use crate::admin::admin_meta;
use crate::admin::list::query::ListQuery;
use crate::admin::list::view::ListView;

#[derive(Debug, Serialize, ToSchema)]
pub struct PromotionsPage {
    pub list: ListView,
    pub codes: Vec<PromoEntry>,
}

impl PageProps for PromotionsPage {
    const NAME: &'static str = "admin/settings/promotions";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PromoEntry {
    pub id: Uuid,
    pub code: String,
    /// `percent`, `amount` or `free_shipping`.
    pub kind: String,
    /// Hundredths of a percent, or minor units.
    pub value: i64,
    pub min_subtotal: i64,
    /// First and last day in the shop's time zone.
    pub starts_on: Option<String>,
    pub ends_on: Option<String>,
    pub max_uses: Option<i64>,
    pub used: i64,
    pub once_per_customer: bool,
    pub active: bool,
    pub version: i64,
    /// `active`, `off`, `early`, `expired` or `used_up`.
    pub state: &'static str,
    /// In the shop's time zone.
    pub made_at: String,
}

impl PromoEntry {
    fn of(row: PromoRow, now: i64, zone: &TimeZone) -> Self {
        let day = |at: i64| timestamp(at).to_zoned(zone.clone()).date().to_string();
        let state = match &row {
            row if !row.active => "off",
            row if row.ends_at.is_some_and(|end| now >= end) => "expired",
            row if row.max_uses.is_some_and(|most| row.used >= most) => "used_up",
            row if row.starts_at.is_some_and(|start| now < start) => "early",
            _ => "active",
        };
        Self {
            id: row.id,
            code: row.code,
            kind: row.kind,
            value: row.value,
            min_subtotal: row.min_subtotal,
            starts_on: row.starts_at.map(day),
            ends_on: row.ends_at.map(|end| day(end - 1)),
            max_uses: row.max_uses,
            used: row.used,
            once_per_customer: row.once_per_customer,
            active: row.active,
            version: row.version,
            state,
            made_at: local_time(row.created_at, zone),
        }
    }
}

/// `GET /admin/settings/promotions`
pub async fn page(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Page, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    let zone = cx.zone();
    let now = cx.clock.now_ms();
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = queries::filter(&conn, &query, zone, now);
    let rows = queries::list_promos(&mut conn, &query, &filter, &query.window).await?;
    let total = queries::count_promos(&mut conn, &filter).await?;
    let views = saved_views::service::list(&mut conn, &actor, SPEC.path).await?;
    drop(reader);
    let (rows, paging) = query.paged(rows, |row| row.place(&query));
    let props = PromotionsPage {
        list: query.view(total, paging, views, &[]),
        codes: rows.into_iter().map(|row| PromoEntry::of(row, now, zone)).collect(),
    };
    Page::new(query.url(), &props, admin_meta("Promo codes"))
}
