//! SQL of the list of audit entries.

use jiff::tz::TimeZone;
use shop_base::clock::day_starts;
use shop_base::db::list::{Condition, Filter, Found, Key, Place, Value, Window};
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

/// How many entries are searched, the newest of the chosen days, of the one chosen kind or of all, unless an item is chosen: the log is kept
/// forever, and no index finds words in it.
pub const SEARCHED: i64 = 50_000;

/// The entries that a search reads, by their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Searched {
    first: i64,
    last: i64,
    /// Whether there are older ones.
    pub is_part: bool,
}

/// What a search reads; none if it reads all. With days it is those of the days, kinds and roles: by their numbers both databases find them,
/// whatever they expect of a list that is sorted by number. Without, it is those of one chosen kind, which have an index by number.
pub async fn find_searched(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    zone: &TimeZone,
) -> Result<Option<Searched>, DbError> {
    if query.q.is_empty() || !query.values("subject").is_empty() {
        return Ok(None);
    }
    let has_days = !query.values("at").is_empty();
    if !has_days && query.values("kind").len() != 1 {
        const SQL: &str = "SELECT MAX(seq) FROM audit_entries";
        let last = sql!(conn, c => sqlx::query_scalar::<_, Option<i64>>(SQL).fetch_one(c).await)?;
        let searched = last.map(|last| Searched { first: last - SEARCHED + 1, last, is_part: true });
        return Ok(searched.filter(|searched| searched.first > 1));
    }
    const SELECT: &str =
        "SELECT COALESCE(MIN(seq), 0), COALESCE(MAX(seq), 0), COUNT(*) FROM (SELECT seq FROM audit_entries";
    let mut chosen = Filter::default();
    let order = if has_days {
        chosen.and_between("at", day_starts(query.days("at"), zone));
        // As expressions, so that the index of the days is used.
        chosen.and_any("subject_kind || ''", query.texts("kind"));
        chosen.and_any("role || ''", query.texts("role"));
        "at DESC, seq DESC"
    } else {
        chosen.and_any("subject_kind", query.texts("kind"));
        "seq DESC"
    };
    // One more, to know whether there is one.
    let newest = format!(" ORDER BY {order} LIMIT {}) newest", SEARCHED + 1);
    let found = fetch_all!(conn, (i64, i64, i64), list::statement(SELECT, &chosen, &newest))?;
    Ok(found.first().map(|(first, last, count)| Searched { first: *first, last: *last, is_part: *count > SEARCHED }))
}

/// The conditions of a query. Days are those of the shop's time zone. `searched` is what [`find_searched`] has found.
pub fn filter(conn: &Conn<'_>, query: &ListQuery, zone: &TimeZone, searched: Option<Searched>) -> Filter {
    let mut filter = Filter::default();
    if let Some(Searched { first, last, .. }) = searched {
        filter.and("a.seq >= ? AND a.seq <= ?", [Value::Integer(first), Value::Integer(last)]);
    }
    and_kinds(&mut filter, query.texts("kind"));
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

/// Entries of one kind are found by their numbers. Those of several would be sorted by them: of many, the first are found sooner by reading
/// the log in its order.
fn and_kinds(filter: &mut Filter, kinds: Vec<Value>) {
    if kinds.len() < 2 {
        filter.and_any("a.subject_kind", kinds);
        return;
    }
    let marks = vec!["?"; kinds.len()].join(", ");
    let any = |column: &str| -> Condition { (format!("{column} IN ({marks})"), kinds.clone()) };
    filter.and_found(Found {
        to_count: any("a.subject_kind"),
        of_few: any("a.subject_kind"),
        // As an expression, the kind has no index.
        of_many: any("a.subject_kind || ''"),
    });
}

/// `order.cancel` from the words that rows show for it, `Order: cancel`.
fn action_of(words: &str) -> String {
    words.replace(": ", ".").replace(' ', "_")
}

const FROM: &str = "audit_entries a";
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
    list::count(conn, FROM, filter, COUNTED).await
}

/// For a list that is not counted.
pub async fn first(conn: &mut Conn<'_>, filter: Filter) -> Result<Filter, DbError> {
    list::first(conn, FROM, filter).await
}

/// The name of a user that a filter selects.
pub async fn find_name(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<String>, DbError> {
    const SQL: &str = "SELECT name FROM users WHERE id = $1";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?)
}
