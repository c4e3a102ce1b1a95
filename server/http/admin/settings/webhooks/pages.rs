//! The list of endpoints, and the page of one.

use axum::extract::State;
use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::web::extract::{Asked, Id};
use shop_platform::web::page::{Page, PageProps};
use shop_platform::webhooks::model::{NotificationKind, OffReason};
use shop_platform::webhooks::queries::{find_endpoint, list_endpoints};
use shop_platform::webhooks::rows::Endpoint;
use utoipa::ToSchema;
use uuid::Uuid;

use super::log::list::DispatchEntry;
use super::queries;
use super::queries::SPEC;
use crate::admin::admin_meta;

/// Times are in the shop's time zone, `2026-11-21T12:00:05`.
#[derive(Debug, Serialize, ToSchema)]
pub struct EndpointView {
    pub id: Uuid,
    pub href: String,
    pub name: String,
    pub url: String,
    pub events: Vec<NotificationKind>,
    pub is_enabled: bool,
    /// Why the shop disabled it automatically.
    pub off_why: Option<OffReason>,
    /// Since when every attempt has failed.
    pub failing_since: Option<String>,
    /// Until when the former secret still signs, too.
    pub former_until: Option<String>,
    pub version: i64,
    pub made_at: String,
}

const PATH: &str = "/admin/settings/webhooks";

impl EndpointView {
    fn of(endpoint: Endpoint, now: i64, zone: &TimeZone) -> Result<Self, Error> {
        let local = |at: i64| local_time(at, zone);
        Ok(Self {
            id: endpoint.id,
            href: format!("{PATH}/{}", endpoint.id),
            events: endpoint.events()?,
            is_enabled: endpoint.is_enabled,
            off_why: endpoint.off_why()?,
            failing_since: endpoint.failing_since.map(local),
            former_until: endpoint.former_until.filter(|until| now < *until).map(local),
            version: endpoint.version,
            made_at: local(endpoint.created_at),
            name: endpoint.name,
            url: endpoint.url,
        })
    }
}

/// A kind of event that an endpoint can subscribe to.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventChoice {
    pub kind: NotificationKind,
    pub label: &'static str,
}

pub fn event_choices() -> Vec<EventChoice> {
    NotificationKind::choices().map(|kind| EventChoice { kind, label: kind.label() }).collect()
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhooksPage {
    /// The oldest first.
    pub endpoints: Vec<EndpointView>,
    pub events: Vec<EventChoice>,
}

impl PageProps for WebhooksPage {
    const NAME: &'static str = "admin/settings/webhooks";
}

/// `GET /admin/settings/webhooks`
pub async fn webhooks(State(cx): State<Context>) -> Result<Page, Error> {
    let (now, zone) = (cx.clock.now_ms(), cx.zone());
    let mut reader = cx.db.read().await?;
    let endpoints = list_endpoints(&mut reader.conn()).await?;
    drop(reader);
    let views = endpoints.into_iter().map(|endpoint| EndpointView::of(endpoint, now, zone));
    let props = WebhooksPage { endpoints: views.collect::<Result<_, _>>()?, events: event_choices() };
    Page::new(PATH, &props, admin_meta("Webhooks"))
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookPage {
    pub endpoint: EndpointView,
    pub events: Vec<EventChoice>,
    /// The newest dispatches to it, sent or waiting.
    pub newest: Vec<DispatchEntry>,
    /// The log of all its dispatches.
    pub log_href: String,
}

impl PageProps for WebhookPage {
    const NAME: &'static str = "admin/settings/webhook";
}

const NEWEST: usize = 10;

/// `GET /admin/settings/webhooks/{id}`
pub async fn webhook(State(cx): State<Context>, Id(id): Id, asked: Asked) -> Result<Page, Error> {
    let (now, zone) = (cx.clock.now_ms(), cx.zone());
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let endpoint = find_endpoint(&mut conn, id).await?.ok_or_else(|| asked.refused())?;
    let newest = queries::list_newest(&mut conn, id, NEWEST).await?;
    drop(reader);
    let name = endpoint.name.clone();
    let entry = |row| DispatchEntry::of(row, Some(&name), zone);
    let newest = newest.into_iter().map(entry).collect();
    let endpoint = EndpointView::of(endpoint, now, zone)?;
    let log_href = format!("{}?endpoint={id}", SPEC.path);
    let props = WebhookPage { endpoint, events: event_choices(), newest, log_href };
    Page::new(format!("{PATH}/{id}"), &props, admin_meta(&name))
}
