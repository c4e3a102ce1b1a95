//! SQL of the list of audit entries.

use shop_base::clock::day_starts;
use shop_base::db::list::{Filter, Key, Place, Value, Window};
use shop_base::db::{Conn, DbError, list};
use shop_base::{fetch_all, sql};
use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::{COUNTED, Column, FilterKind, FilterSpec, ListSpec, ROWS, RowId, Sort};

pub static SPEC: ListSpec = ListSpec {
    path: "/admin/audit",
    id: RowId::Number("a.seq"),
    columns: &[
        Column { name: "at", label: "When", is_default: true, is_number: false, sort: Some(Sort::Number("a.seq")) },
        Column { name: "actor", label: "User", is_default: true, is_number: false, sort: None },
        Column { name: "action", label: "Action", is_default: true, is_number: false, sort: None },
        Column { name: "subject", label: "Subject", is_default: true, is_number: false, sort: None },
        Column { name: "changes", label: "Changes", is_default: true, is_number: false, sort: None },
        Column { name: "from", label: "Network", is_default: false, is_number: false, sort: None },
    ],
    filters: &[
        FilterSpec { name: "kind", label: "Kind", kind: FilterKind::Choice(KINDS) },
        FilterSpec { name: "role", label: "Role", kind: FilterKind::Choice(ROLES) },
        FilterSpec { name: "at", label: "When", kind: FilterKind::Days },
        FilterSpec { name: "subject", label: "Item", kind: FilterKind::Given },
        FilterSpec { name: "actor", label: "Person", kind: FilterKind::Given },
    ],
    sort: "at",
    descending: true,
    built_in: &[],
};

/// The kinds of changed things, as named in [`shop_platform::audit::model::Subject`].
const KINDS: &[(&str, &str)] = &[
    ("order", "Orders"),
    ("draft_order", "Draft orders"),
    ("product", "Products"),
    ("variant", "Stock"),
    ("picture", "Pictures"),
    ("import", "Imports"),
    ("category", "Categories"),
    ("collection", "Collections"),
    ("user", "Users"),
    ("setting", "Settings"),
    ("saved_view", "Saved views"),
    ("job", "Jobs"),
    ("webhook", "Webhooks received"),
    ("testing", "Tests of services"),
    ("analytics", "Exports of analytics"),
    ("delivery", "Exports of deliveries"),
    ("audit_entry", "Exports of the audit log"),
];
const ROLES: &[(&str, &str)] = &[("staff", "Staff"), ("admin", "Admins"), ("super_admin", "Super admins")];

#[derive(Clone, Debug, FromRow)]
pub struct EntryRow {
    pub seq: i64,
    pub at: i64,
    pub actor_id: Uuid,
    pub actor_name: String,
    pub role: String,
    pub action: String,
    pub subject_kind: String,
    pub subject_id: String,
    pub subject_label: String,
    pub before: String,
    pub after: String,
    pub network: String,
    pub device: String,
}

impl EntryRow {
    pub fn place(&self) -> Place {
        Place { key: Key::Integer(self.seq), id: Value::Integer(self.seq) }
    }
}

/// How many of the newest entries are searched unless days or an item are chosen: the log is kept forever, and no index finds words in it.
pub const SEARCHED: i64 = 50_000;

/// The last entry that is too old to be searched; none if all are searched.
pub async fn find_too_old(conn: &mut Conn<'_>, query: &ListQuery) -> Result<Option<i64>, DbError> {
    if query.q.is_empty() || !query.values("at").is_empty() || !query.values("subject").is_empty() {
        return Ok(None);
    }
    const SQL: &str = "SELECT MAX(seq) FROM audit_entries";
    let last = sql!(conn, c => sqlx::query_scalar::<_, Option<i64>>(SQL).fetch_one(c).await)?;
    Ok(last.map(|last| last - SEARCHED).filter(|seq| *seq > 0))
}

/// The conditions of a query. Days are those of the shop's time zone. `too_old` is what [`find_too_old`] has found.
pub fn filter(conn: &Conn<'_>, query: &ListQuery, zone: &jiff::tz::TimeZone, too_old: Option<i64>) -> Filter {
    let mut filter = Filter::default();
    if let Some(seq) = too_old {
        filter.and("a.seq > ?", [Value::Integer(seq)]);
    }
    filter.and_any("a.subject_kind", query.texts("kind"));
    filter.and_any("a.role", query.texts("role"));
    filter.and_between("a.at", day_starts(query.days("at"), zone));
    for subject in query.values("subject") {
        let (kind, id) = subject.split_once(':').unwrap_or((subject, ""));
        filter.and("a.subject_kind = ? AND a.subject_id = ?", [Value::from(kind), Value::from(id)]);
    }
    let actors = query.values("actor").into_iter().map(|id| Value::Id(id.parse().unwrap_or_default()));
    filter.and_any("a.actor_id", actors);
    if !query.q.is_empty() {
        let action = action_of(&query.q);
        filter.and_contains(conn, &[("a.action", action.as_str()), ("a.subject_label", query.q.as_str())]);
    }
    filter
}

/// `order.cancel` from the words that rows show for it, `Order: cancel`.
fn action_of(words: &str) -> String {
    words.replace(": ", ".").replace(' ', "_")
}

const SELECT: &str =
    "SELECT a.seq, a.at, a.actor_id, u.name AS actor_name, a.role, a.action, a.subject_kind, a.subject_id,
    a.subject_label, a.before, a.after, a.network, a.device FROM audit_entries a JOIN users u ON u.id = a.actor_id";

/// Fetches one row more than a page holds.
pub async fn list_entries(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    filter: &Filter,
    window: &Window,
) -> Result<Vec<EntryRow>, DbError> {
    Ok(fetch_all!(conn, EntryRow, list::page(SELECT, filter, &query.order(), window, ROWS))?)
}

pub async fn count_entries(conn: &mut Conn<'_>, filter: &Filter) -> Result<i64, DbError> {
    list::count(conn, "audit_entries a", filter, COUNTED).await
}

/// The name of a user that a filter selects.
pub async fn find_name(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<String>, DbError> {
    const SQL: &str = "SELECT name FROM users WHERE id = $1";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?)
}
