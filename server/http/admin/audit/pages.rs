//! The list of audit entries.

use axum::extract::State;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::value::RawValue;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::saved_views;
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries;
use super::queries::{EntryRow, SPEC};
use crate::admin::admin_meta;
use crate::admin::list::query::ListQuery;
use crate::admin::list::view::{Choice, ListView};

#[derive(Debug, Serialize, ToSchema)]
pub struct AuditPage {
    pub list: ListView,
    pub entries: Vec<AuditEntry>,
}

impl PageProps for AuditPage {
    const NAME: &'static str = "admin/audit";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AuditEntry {
    pub seq: i64,
    /// In the shop's time zone, `2026-11-21T12:00:05`.
    pub at: String,
    /// Empty when the account is deleted.
    pub actor: String,
    pub role: String,
    pub action: String,
    pub kind: String,
    pub label: String,
    /// The address of the changed thing, if it has a page.
    pub href: Option<String>,
    /// The fields that differ, as JSON objects.
    #[schema(value_type = serde_json::Value)]
    pub before: Box<RawValue>,
    #[schema(value_type = serde_json::Value)]
    pub after: Box<RawValue>,
    /// Network and device.
    pub from: String,
}

impl AuditEntry {
    fn of(row: EntryRow, zone: &TimeZone) -> Result<Self, Error> {
        let json = |text: String| RawValue::from_string(text).map_err(Error::internal);
        Ok(Self {
            seq: row.seq,
            at: local_time(row.at, zone),
            actor: row.actor_name,
            role: row.role,
            action: row.action,
            href: href(&row.subject_kind, &row.subject_id, &row.subject_label),
            kind: row.subject_kind,
            label: row.subject_label,
            before: json(row.before)?,
            after: json(row.after)?,
            from: format!("{}, {}", row.network, row.device),
        })
    }
}

/// Changes of many things at once, such as an exported list, have no page.
fn href(kind: &str, id: &str, label: &str) -> Option<String> {
    id.parse::<Uuid>().ok()?;
    match kind {
        "order" => Some(format!("/admin/orders/{label}")),
        "draft_order" => Some(format!("/admin/orders/drafts/{label}")),
        "product" => Some(format!("/admin/products/{id}")),
        "import" => Some(format!("/admin/products/import?id={id}")),
        "user" => Some(format!("/admin/users/{id}")),
        _ => None,
    }
}

/// `GET /admin/audit`
pub async fn audit(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Page, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    let zone = &cx.config.company.time_zone;
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = queries::filter(&conn, &query, zone);
    let rows = queries::list_entries(&mut conn, &query, &filter, &query.window).await?;
    let total = queries::count_entries(&mut conn, &filter).await?;
    let views = saved_views::service::list(&mut conn, &actor, SPEC.path).await?;
    let mut people = Vec::new();
    for id in query.values("actor") {
        let Ok(user) = id.parse() else { continue };
        if let Some(label) = queries::find_name(&mut conn, user).await? {
            people.push(Choice { value: id.to_owned(), label });
        }
    }
    drop(reader);
    let (rows, paging) = query.paged(rows, EntryRow::place);
    let props = AuditPage {
        list: query.view(total, paging, views, &[("actor", people)]),
        entries: rows.into_iter().map(|row| AuditEntry::of(row, zone)).collect::<Result<_, _>>()?,
    };
    Page::new(query.url(), &props, admin_meta("Audit log"))
}
