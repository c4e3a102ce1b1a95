//! SQL of the log of webhooks.

use jiff::tz::TimeZone;
use shop_base::clock::day_starts;
use shop_base::db::list::{Filter, Key, Place, Value, Window, statement};
use shop_base::db::{Conn, DbError, list};
use shop_base::{fetch_all, sql};
use shop_platform::webhooks::model::DispatchStatus;
use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::{COUNTED, Column, FilterKind, FilterSpec, ListSpec, ROWS, RowId, Sort};

pub static SPEC: ListSpec = ListSpec {
    path: "/admin/settings/webhooks/log",
    id: RowId::Uuid("d.id"),
    columns: &[
        Column {
            name: "at",
            label: "When",
            is_default: true,
            is_number: false,
            sort: Some(Sort::Number("d.created_at")),
        },
        Column { name: "event", label: "Event", is_default: true, is_number: false, sort: None },
        Column { name: "subject", label: "About", is_default: true, is_number: false, sort: None },
        Column { name: "endpoint", label: "Endpoint", is_default: true, is_number: false, sort: None },
        Column { name: "status", label: "Status", is_default: true, is_number: false, sort: None },
        Column { name: "answer", label: "Last response", is_default: true, is_number: false, sort: None },
        Column { name: "attempts", label: "Attempts", is_default: true, is_number: true, sort: None },
        Column { name: "last_at", label: "Last attempt", is_default: false, is_number: false, sort: None },
    ],
    filters: &[
        FilterSpec { name: "status", label: "Status", kind: FilterKind::Choice(STATES) },
        FilterSpec { name: "event", label: "Event", kind: FilterKind::Given },
        FilterSpec { name: "endpoint", label: "Endpoint", kind: FilterKind::Given },
        FilterSpec { name: "at", label: "When", kind: FilterKind::Days },
    ],
    sort: "at",
    descending: true,
    built_in: &[],
};

const STATES: &[(&str, &str)] =
    &[("waiting", "Waiting"), ("delivered", "Delivered"), ("failed", "Failed"), ("replaced", "Resent")];

#[derive(Clone, Debug, FromRow)]
pub struct DispatchRow {
    pub id: Uuid,
    pub endpoint_id: Uuid,
    /// The text of a kind, perhaps of one that only a newer release knows.
    pub kind: String,
    pub subject: String,
    #[sqlx(try_from = "String")]
    pub status: DispatchStatus,
    pub by_hand: bool,
    pub attempts: i64,
    pub last_code: Option<i64>,
    pub last_error: Option<String>,
    pub last_at: Option<i64>,
    pub created_at: i64,
}

impl DispatchRow {
    pub fn place(&self) -> Place {
        Place { key: Key::Integer(self.created_at), id: Value::Id(self.id) }
    }
}

/// The conditions of a query. Days are those of the shop's time zone.
pub fn filter(conn: &Conn<'_>, query: &ListQuery, zone: &TimeZone) -> Filter {
    let mut filter = Filter::default();
    filter.and_any("d.status", query.texts("status"));
    filter.and_any("d.kind", query.texts("event"));
    let endpoints = query.values("endpoint").into_iter().map(|id| Value::Id(id.parse().unwrap_or_default()));
    filter.and_any("d.endpoint_id", endpoints);
    filter.and_between("d.created_at", day_starts(query.days("at"), zone));
    if !query.q.is_empty() {
        filter.and_begins(conn, &["d.subject"], &query.q);
    }
    filter
}

const SELECT: &str = "SELECT d.id, d.endpoint_id, d.kind, d.subject, d.status, d.by_hand, d.attempts, d.last_code,
    d.last_error, d.last_at, d.created_at FROM dispatches d";

/// Fetches one row more than a page holds.
pub async fn list_dispatches(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    filter: &Filter,
    window: &Window,
) -> Result<Vec<DispatchRow>, DbError> {
    Ok(fetch_all!(conn, DispatchRow, list::page(SELECT, filter, &query.order(), window, ROWS))?)
}

pub async fn count_dispatches(conn: &mut Conn<'_>, filter: &Filter) -> Result<i64, DbError> {
    list::count(conn, "dispatches d", filter, COUNTED).await
}

/// The newest dispatches of an endpoint.
pub async fn list_newest(conn: &mut Conn<'_>, endpoint: Uuid, limit: usize) -> Result<Vec<DispatchRow>, DbError> {
    let mut filter = Filter::default();
    filter.and("d.endpoint_id = ?", [Value::Id(endpoint)]);
    let tail = format!(" ORDER BY d.created_at DESC, d.id DESC LIMIT {limit}");
    Ok(fetch_all!(conn, DispatchRow, statement(SELECT, &filter, &tail))?)
}

/// A dispatch with its notification's id and body.
pub async fn find_dispatch(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<(DispatchRow, Uuid, String)>, DbError> {
    const PAYLOAD: &str = "SELECT notification_id, payload FROM dispatches WHERE id = $1";
    let mut filter = Filter::default();
    filter.and("d.id = ?", [Value::Id(id)]);
    let rows = fetch_all!(&mut *conn, DispatchRow, statement(SELECT, &filter, ""))?;
    let sent: Option<(Uuid, String)> = sql!(conn, c => sqlx::query_as(PAYLOAD).bind(id).fetch_optional(c).await)?;
    Ok(rows.into_iter().next().zip(sent).map(|(row, (notification, payload))| (row, notification, payload)))
}

#[derive(Clone, Debug, FromRow)]
pub struct AttemptRow {
    pub number: i64,
    pub at: i64,
    pub duration: i64,
    pub code: Option<i64>,
    pub error: Option<String>,
    pub answer: String,
}

/// The attempts of a dispatch, newest first.
pub async fn list_attempts(conn: &mut Conn<'_>, dispatch: Uuid) -> Result<Vec<AttemptRow>, DbError> {
    const SQL: &str = "SELECT number, at, duration, code, error, answer FROM dispatch_attempts WHERE dispatch_id = $1
        ORDER BY number DESC";
    Ok(sql!(conn, c => sqlx::query_as::<_, AttemptRow>(SQL).bind(dispatch).fetch_all(c).await)?)
}
