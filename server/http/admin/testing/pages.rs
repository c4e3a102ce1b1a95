//! The testing page.

use axum::extract::State;
use serde::Serialize;
use shop_base::clock::local_time;
use shop_base::error::Error;
use shop_platform::settings::mail;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;

use super::checks::Services;
use super::queries;
use crate::admin::admin_meta;
use crate::admin::test_email::pages::MailKind;
use crate::identity::extract::Visitor;

#[derive(Debug, Serialize, ToSchema)]
pub struct TestingPage {
    pub payment: PaymentSwitch,
    pub is_mail_on: bool,
    /// The email address of the signed-in user.
    pub mail_to: String,
    pub mail_kinds: Vec<MailKind>,
    /// The latest events received from providers.
    pub events: Vec<EventItem>,
}

impl PageProps for TestingPage {
    const NAME: &'static str = "admin/testing";
}

/// Whether a test payment can be made.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentSwitch {
    Off,
    Sandbox,
    /// Real money would be charged, so no test is possible.
    Production,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct EventItem {
    pub provider: String,
    pub event_id: String,
    pub kind: String,
    /// In the shop's time zone.
    pub received: String,
    pub is_understood: bool,
    pub outcome: String,
}

const EVENTS: i64 = 20;

/// `GET /admin/testing`
pub async fn testing(State(services): State<Services>, visitor: Visitor) -> Result<Page, Error> {
    let zone = services.cx.zone();
    let mut reader = services.cx.db.read().await?;
    let events = queries::list_events(&mut reader.conn(), EVENTS).await?;
    drop(reader);
    let props = TestingPage {
        payment: match &services.cx.config.square {
            None => PaymentSwitch::Off,
            Some(square) if square.is_sandbox() => PaymentSwitch::Sandbox,
            Some(_) => PaymentSwitch::Production,
        },
        is_mail_on: services.mailer.is_some(),
        mail_to: visitor.user.map(|session| session.email).unwrap_or_default(),
        mail_kinds: mail::KINDS
            .map(|(value, label)| MailKind { value: value.to_owned(), label: label.to_owned() })
            .to_vec(),
        events: events
            .into_iter()
            .map(|row| EventItem {
                provider: row.provider,
                event_id: row.event_id,
                kind: row.kind,
                received: local_time(row.received_at, zone),
                is_understood: row.processed_at.is_some(),
                outcome: row.outcome.unwrap_or_default(),
            })
            .collect(),
    };
    Page::new("/admin/testing", &props, admin_meta("Testing"))
}
