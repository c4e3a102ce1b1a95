//! The list of audit entries, as a page and as a file.

use axum::extract::State;
use axum::response::Response;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::value::RawValue;
use shop_base::clock::{local_time, timestamp};
use shop_base::context::Context;
use shop_base::csv;
use shop_base::csv::Rows;
use shop_base::db::list::Window;
use shop_base::error::Error;
use shop_domain::saved_views;
use shop_platform::audit::model::{Actor, Subject};
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries;
use super::queries::{EntryRow, SEARCHED, SPEC};
use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::ROWS;
use crate::admin::list::view::{Choice, ListView};
use crate::admin::{admin_meta, exports};

#[derive(Debug, Serialize, ToSchema)]
pub struct AuditPage {
    pub list: ListView,
    /// How many entries were searched, the newest of the chosen days or kind or of all, if there are older ones that were not.
    pub searched: Option<i64>,
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
pub async fn page(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Page, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    let zone = cx.zone();
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let searched = queries::find_searched(&mut conn, &query, zone).await?;
    let filter = queries::filter(&conn, &query, zone, searched);
    let total = queries::count_entries(&mut conn, &filter).await?;
    let rows = queries::list_entries(&mut conn, &query, &filter.first_of(total), &query.window).await?;
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
        searched: searched.filter(|searched| searched.is_part).map(|_| SEARCHED),
        entries: rows.into_iter().map(|row| AuditEntry::of(row, zone)).collect::<Result<_, _>>()?,
    };
    Page::new(query.url(), &props, admin_meta("Audit log"))
}

const HEADER: [&str; 12] =
    ["Number", "Time (UTC)", "Who", "User id", "Role", "Action", "Kind", "Id", "Name", "Before", "After", "From"];

/// `GET /api/admin/audit.csv`
#[utoipa::path(get, path = "/api/admin/audit.csv", responses(
    (status = 200, description = "The entries of the list's query as CSV", content_type = "text/csv", body = String),
))]
pub async fn export(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Response, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    exports::record(&cx, &actor, "audit_entry.export_list", Subject::new("audit_entry", "all", query.recorded()))
        .await?;
    Ok(csv::download("audit.csv", &HEADER, move |rows| write(cx, query, rows)))
}

/// Page by page: neither an entry nor its place in the list ever changes. A search is of all entries, which are read once.
async fn write(cx: Context, query: ListQuery, mut out: Rows) -> Result<Rows, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = queries::filter(&conn, &query, cx.zone(), None);
    let filter = queries::first(&mut conn, filter).await?;
    drop(reader);
    let mut window = Window::Start;
    loop {
        let mut rows = queries::list_entries(&mut cx.db.read().await?.conn(), &query, &filter, &window).await?;
        let more = rows.len() > ROWS;
        rows.truncate(ROWS);
        for row in &rows {
            if out.write(cells(row).iter().map(String::as_str)).await.is_err() {
                return Ok(out);
            }
        }
        match rows.last().filter(|_| more) {
            Some(last) => window = Window::After(last.place()),
            None => return Ok(out),
        }
    }
}

fn cells(row: &EntryRow) -> Vec<String> {
    vec![
        row.seq.to_string(),
        timestamp(row.at).to_string(),
        row.actor_name.clone(),
        row.actor_id.to_string(),
        row.role.clone(),
        row.action.clone(),
        row.subject_kind.clone(),
        row.subject_id.clone(),
        row.subject_label.clone(),
        row.before.clone(),
        row.after.clone(),
        format!("{}, {}", row.network, row.device),
    ]
}
