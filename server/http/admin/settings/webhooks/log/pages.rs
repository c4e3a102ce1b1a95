//! The log of webhooks, and the page of one dispatch with all its attempts.

use axum::extract::State;
use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::saved_views;
use shop_platform::audit::model::Actor;
use shop_platform::jobs;
use shop_platform::web::extract::{Asked, Id};
use shop_platform::web::page::{Page, PageProps};
use shop_platform::webhooks::jobs::SendDispatch;
use shop_platform::webhooks::model::{DispatchStatus, NotificationKind};
use shop_platform::webhooks::queries::{find_endpoint, list_endpoints};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::admin::admin_meta;
use crate::admin::list::query::ListQuery;
use crate::admin::list::view::{Choice, ListView};
use crate::admin::settings::webhooks::queries;
use crate::admin::settings::webhooks::queries::{AttemptRow, DispatchRow, SPEC};

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
pub async fn log(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Page, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    let zone = &cx.config.company.time_zone;
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

#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchAttempt {
    pub number: i64,
    pub at: String,
    /// Milliseconds.
    pub duration: i64,
    pub code: Option<i64>,
    pub error: Option<String>,
    /// The beginning of the response body.
    pub answer: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookDispatchPage {
    pub dispatch: DispatchEntry,
    /// None if the endpoint was deleted.
    pub endpoint_href: Option<String>,
    pub endpoint_is_enabled: bool,
    /// The address of its subject, if it has a page.
    pub subject_href: Option<String>,
    /// The header `webhook-id`.
    pub webhook_id: Uuid,
    /// The body, formatted for reading.
    pub body: String,
    /// The newest first.
    pub attempts: Vec<DispatchAttempt>,
    /// The time of the next attempt.
    pub next_at: Option<String>,
}

impl PageProps for WebhookDispatchPage {
    const NAME: &'static str = "admin/settings/webhook-dispatch";
}

/// `GET /admin/settings/webhooks/log/{id}`
pub async fn dispatch(State(cx): State<Context>, Id(id): Id, asked: Asked) -> Result<Page, Error> {
    let zone = &cx.config.company.time_zone;
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let found = queries::find_dispatch(&mut conn, id).await?;
    let (row, webhook_id, payload) = found.ok_or_else(|| asked.refused())?;
    let attempts = queries::list_attempts(&mut conn, id).await?;
    let next = match row.status {
        DispatchStatus::Waiting => {
            let job = SendDispatch { dispatch: id, endpoint: Some(row.endpoint_id) };
            jobs::service::find_next_run(&mut conn, &job).await?
        }
        _ => None,
    };
    let endpoint = find_endpoint(&mut conn, row.endpoint_id).await?;
    drop(reader);
    let payload: serde_json::Value = serde_json::from_str(&payload).map_err(Error::internal)?;
    let view = |attempt: AttemptRow| DispatchAttempt {
        number: attempt.number,
        at: local_time(attempt.at, zone),
        duration: attempt.duration,
        code: attempt.code,
        error: attempt.error,
        answer: attempt.answer,
    };
    let subject_href = match row.kind.split_once('.') {
        Some(("order" | "return", _)) => Some(format!("/admin/orders/{}", row.subject)),
        Some(("product", _)) => {
            payload["data"]["product"]["id"].as_str().map(|product| format!("/admin/products/{product}"))
        }
        Some(("stock", _)) => {
            payload["data"]["variant"]["product_id"].as_str().map(|product| format!("/admin/products/{product}"))
        }
        _ => None,
    };
    let title = format!("{} {}", row.kind, row.subject);
    let props = WebhookDispatchPage {
        endpoint_href: endpoint.as_ref().map(|endpoint| format!("/admin/settings/webhooks/{}", endpoint.id)),
        endpoint_is_enabled: endpoint.as_ref().is_some_and(|endpoint| endpoint.is_enabled),
        dispatch: DispatchEntry::of(row, endpoint.as_ref().map(|endpoint| endpoint.name.as_str()), zone),
        subject_href,
        webhook_id,
        body: serde_json::to_string_pretty(&payload).map_err(Error::internal)?,
        attempts: attempts.into_iter().map(view).collect(),
        next_at: next.map(|at| local_time(at, zone)),
    };
    Page::new(format!("{}/{id}", SPEC.path), &props, admin_meta(&title))
}
