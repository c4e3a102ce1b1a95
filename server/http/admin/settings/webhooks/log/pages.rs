//! The page of one dispatch with all its attempts.

use axum::extract::State;
use serde::Serialize;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::jobs;
use shop_platform::web::extract::{Asked, Id};
use shop_platform::web::page::{Page, PageProps};
use shop_platform::webhooks::jobs::SendDispatch;
use shop_platform::webhooks::model::DispatchStatus;
use shop_platform::webhooks::queries::find_endpoint;
use utoipa::ToSchema;
use uuid::Uuid;

use super::list::DispatchEntry;
use crate::admin::admin_meta;
use crate::admin::settings::webhooks::queries;
use crate::admin::settings::webhooks::queries::{AttemptRow, SPEC};

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
    let zone = cx.zone();
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
