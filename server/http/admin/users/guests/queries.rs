//! SQL of the list of guests.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use shop_base::db::list::{Filter, Key, Place, Value, Window};
use shop_base::db::{Conn, DbError, list};
use shop_base::fetch_all;
use shop_domain::disputes::kept;
use shop_platform::staff_search::model::Kind;
use shop_platform::staff_search::service::{Search, narrow_by};
use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::{COUNTED, Column, FilterKind, FilterSpec, ListSpec, ROWS, RowId, Sort};
use crate::admin::orders::queries::and_placed;
use crate::admin::users::queries::BUILT_IN;

pub static SPEC: ListSpec = ListSpec {
    path: "/admin/users/guests",
    id: RowId::Uuid("o.id"),
    columns: &[
        Column { name: "name", label: "Name", is_default: true, is_number: false, sort: None },
        Column { name: "email", label: "Email", is_default: true, is_number: false, sort: None },
        Column { name: "phone", label: "Phone", is_default: true, is_number: false, sort: None },
        Column { name: "orders", label: "Orders", is_default: true, is_number: true, sort: None },
        Column { name: "spent", label: "Spent", is_default: true, is_number: true, sort: None },
        Column {
            name: "last",
            label: "Last order",
            is_default: true,
            is_number: false,
            sort: Some(Sort::Number("o.created_at")),
        },
    ],
    filters: &[FilterSpec { name: "last", label: "Last order", kind: FilterKind::Days }],
    sort: "last",
    descending: true,
    built_in: BUILT_IN,
};

/// The last order of a guest.
#[derive(Clone, Debug, FromRow)]
pub struct GuestRow {
    pub id: Uuid,
    pub number: String,
    pub created_at: i64,
    pub placed_at: i64,
    pub email: String,
    /// The same in lower case.
    pub mailbox: String,
    pub phone: String,
    /// JSON of an `Address`.
    pub address: String,
}

impl GuestRow {
    pub fn place(&self) -> Place {
        Place { key: Key::Integer(self.created_at), id: Value::Id(self.id) }
    }
}

/// The word may be of an earlier order: another phone number, or what was bought then.
const SEARCH: Search<'static> = Search {
    column: "lower(o.email)",
    set: "SELECT lower(g.email) FROM search_terms t JOIN orders g ON g.id = t.subject_id
        WHERE t.kind = ? AND t.term >= ? AND t.term < ? AND g.user_id IS NULL AND g.placed_at IS NOT NULL",
    // Starts from the few orders of the guest, not from all that have the word.
    question: "EXISTS (SELECT 1 FROM orders g CROSS JOIN search_terms t
        WHERE lower(g.email) = lower(o.email) AND g.user_id IS NULL AND g.placed_at IS NOT NULL
        AND t.subject_id = g.id AND t.kind = ? AND t.term >= ? AND t.term < ?)",
};

/// The conditions of a query. Each guest is represented by their last order. An address in other capitals is the same guest's.
pub async fn filter(conn: &mut Conn<'_>, query: &ListQuery, zone: &TimeZone) -> Result<Filter, DbError> {
    let mut filter = Filter::default();
    // Matches the partial index of all orders.
    filter.and("o.placed_at IS NOT NULL OR o.attention IS NOT NULL", []);
    filter.and("o.placed_at IS NOT NULL AND o.email <> ''", []);
    // As an expression, the user has no index: a search finds guests by the addresses of their orders.
    filter.and(if query.q.is_empty() { "o.user_id IS NULL" } else { "(o.user_id IS NULL) = TRUE" }, []);
    filter.and(
        "NOT EXISTS (SELECT 1 FROM orders n WHERE lower(n.email) = lower(o.email) AND n.id > o.id AND n.placed_at IS NOT NULL
            AND n.user_id IS NULL)",
        [],
    );
    and_placed(&mut filter, query.days("last"), zone);
    narrow_by(conn, &mut filter, Kind::Order, SEARCH, &query.q).await?;
    Ok(filter)
}

/// Fetches one row more than a page holds.
pub async fn list_guests(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    filter: &Filter,
    window: &Window,
) -> Result<Vec<GuestRow>, DbError> {
    const SELECT: &str =
        "SELECT o.id, o.number, o.created_at, o.placed_at, o.email, lower(o.email) AS mailbox, o.phone, o.address
        FROM orders o";
    Ok(fetch_all!(conn, GuestRow, list::page(SELECT, filter, &query.order(), window, ROWS))?)
}

pub async fn count_guests(conn: &mut Conn<'_>, filter: &Filter) -> Result<i64, DbError> {
    list::count(conn, "orders o", filter, COUNTED).await
}

/// By email address in lower case: how many orders guests have placed with it that were not canceled, and what was paid for all of them less
/// refunds and lost disputes.
pub async fn list_guest_figures(
    conn: &mut Conn<'_>,
    mailboxes: &[&str],
) -> Result<HashMap<String, (i64, i64)>, DbError> {
    if mailboxes.is_empty() {
        return Ok(HashMap::new());
    }
    let select = format!(
        "SELECT lower(o.email), COUNT(DISTINCT CASE WHEN o.status IN ('placed', 'archived') THEN o.id END),
        CAST(SUM(CASE WHEN a.status = 'captured' THEN {} ELSE 0 END) AS BIGINT)
        FROM orders o LEFT JOIN payment_attempts a ON a.order_id = o.id",
        kept()
    );
    let mut filter = Filter::default();
    // As an expression, the user has no index: SQLite would choose it, and read the orders of all guests.
    filter.and("(o.user_id IS NULL) = TRUE AND o.placed_at IS NOT NULL", []);
    filter.and_any("lower(o.email)", mailboxes.iter().map(|mailbox| Value::from(*mailbox)));
    let figures = list::statement(&select, &filter, " GROUP BY lower(o.email)");
    let rows = fetch_all!(conn, (String, i64, i64), figures)?;
    Ok(rows.into_iter().map(|(mailbox, orders, spent)| (mailbox, (orders, spent))).collect())
}
