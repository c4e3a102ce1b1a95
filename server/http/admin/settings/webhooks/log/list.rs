//! The log of webhooks.

use axum::extract::State;
use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::saved_views;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use shop_platform::webhooks::model::{DispatchStatus, NotificationKind};
use shop_platform::webhooks::queries::list_endpoints;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::admin::admin_meta;
use crate::admin::list::query::ListQuery;
use crate::admin::list::view::{Choice, ListView};
use crate::admin::settings::webhooks::queries;
use crate::admin::settings::webhooks::queries::{DispatchRow, SPEC};

/// Times are in the shop's time zone, `2026-11-21T12:00:05`.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchEntry {
    pub id: Uuid,
    pub href: String,
    pub at: String,
    /// A kind of event, perhaps one that only a newer release knows.
    pub kind: String,
    /// An order's number, a product's handle, a sku.
    pub subject: String,
    /// None if the endpoint was deleted.
    pub endpoint: Option<String>,
    pub status: DispatchStatus,
    /// Requested by staff.
    pub by_hand: bool,
    pub attempts: i64,
    pub last_code: Option<i64>,
    pub last_error: Option<String>,
    pub last_at: Option<String>,
}

impl DispatchEntry {
    pub fn of(row: DispatchRow, endpoint: Option<&str>, zone: &TimeZone) -> Self {
        Self {
            id: row.id,
            href: format!("{}/{}", SPEC.path, row.id),
            at: local_time(row.created_at, zone),
            kind: row.kind,
            subject: row.subject,
            endpoint: endpoint.map(str::to_owned),
            status: row.status,
            by_hand: row.by_hand,
            attempts: row.attempts,
            last_code: row.last_code,
            last_error: row.last_error,
            last_at: row.last_at.map(|at| local_time(at, zone)),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookLogPage {
    pub list: ListView,
    pub dispatches: Vec<DispatchEntry>,
}

impl PageProps for WebhookLogPage {
    const NAME: &'static str = "admin/settings/webhook-log";
}

/// `GET /admin/settings/webhooks/log`
pub async fn page(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Page, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    let zone = cx.zone();
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = queries::filter(&conn, &query, zone);
    let rows = queries::list_dispatches(&mut conn, &query, &filter, &query.window).await?;
    let total = queries::count_dispatches(&mut conn, &filter).await?;
    let endpoints = list_endpoints(&mut conn).await?;
    let views = saved_views::service::list(&mut conn, &actor, SPEC.path).await?;
    drop(reader);
    let name = |id: Uuid| endpoints.iter().find(|endpoint| endpoint.id == id).map(|endpoint| endpoint.name.as_str());
    let (rows, paging) = query.paged(rows, DispatchRow::place);
    let events =
        NotificationKind::ALL.iter().map(|kind| Choice { value: kind.text().into(), label: kind.text().into() });
    let choices = [
        ("event", events.collect()),
        (
            "endpoint",
            endpoints.iter().map(|each| Choice { value: each.id.to_string(), label: each.name.clone() }).collect(),
        ),
    ];
    let entry = |row: DispatchRow| {
        let endpoint = name(row.endpoint_id);
        DispatchEntry::of(row, endpoint, zone)
    };
    let dispatches = rows.into_iter().map(entry).collect();
    let props = WebhookLogPage { list: query.view(total, paging, views, &choices), dispatches };
    Page::new(query.url(), &props, admin_meta("Webhook log"))
}
