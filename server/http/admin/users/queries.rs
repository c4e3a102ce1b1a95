//! SQL of the list of users, of their names, and of a user's purchases.

use std::collections::{BTreeMap, HashMap};

use jiff::tz::TimeZone;
use shop_base::clock::day_starts;
use shop_base::db::list::{Filter, Key, Place, Value, Window};
use shop_base::db::{Conn, DbError, list};
use shop_base::{fetch_all, sql};
use shop_domain::sales::status::{FulfillmentStatus, PaymentStatus};
use shop_platform::staff_search::model::Kind;
use shop_platform::staff_search::service::narrow;
use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::{COUNTED, Column, FilterKind, FilterSpec, ListSpec, ROWS, RowId, Sort};

pub static SPEC: ListSpec = ListSpec {
    path: "/admin/users",
    id: RowId::Uuid("u.id"),
    columns: &[
        Column { name: "name", label: "Name", is_default: true, is_number: false, sort: Some(Sort::Text("u.name")) },
        Column { name: "email", label: "Email", is_default: true, is_number: false, sort: Some(Sort::Text("u.email")) },
        Column { name: "role", label: "Role", is_default: true, is_number: false, sort: None },
        Column {
            name: "orders",
            label: "Orders",
            is_default: true,
            is_number: true,
            sort: Some(Sort::Number("u.order_count")),
        },
        Column {
            name: "spent",
            label: "Spent",
            is_default: true,
            is_number: true,
            sort: Some(Sort::Number("u.spent")),
        },
        Column {
            name: "signed_in",
            label: "Last sign-in",
            is_default: true,
            is_number: false,
            sort: Some(Sort::Number("u.signed_in_at")),
        },
        Column {
            name: "since",
            label: "Customer since",
            is_default: false,
            is_number: false,
            sort: Some(Sort::Number("u.created_at")),
        },
        Column { name: "state", label: "Status", is_default: true, is_number: false, sort: None },
    ],
    filters: &[
        FilterSpec { name: "role", label: "Role", kind: FilterKind::Choice(ROLES) },
        FilterSpec { name: "state", label: "Status", kind: FilterKind::Choice(STATES) },
        FilterSpec { name: "since", label: "Customer since", kind: FilterKind::Days },
    ],
    sort: "signed_in",
    descending: true,
    built_in: BUILT_IN,
};

/// Customers with an account, and those without.
pub const BUILT_IN: &[(&str, &str)] = &[("Accounts", "/admin/users"), ("Guests", "/admin/users/guests")];

const ROLES: &[(&str, &str)] =
    &[("customer", "Customers"), ("staff", "Staff"), ("admin", "Admins"), ("super_admin", "Super admins")];
const STATES: &[(&str, &str)] = &[("active", "Active"), ("blocked", "Blocked"), ("deleted", "Deleted")];

#[derive(Clone, Debug, FromRow)]
pub struct UserRow {
    pub id: Uuid,
    pub name: String,
    pub email: String,
    pub role: String,
    pub order_count: i64,
    pub spent: i64,
    pub created_at: i64,
    pub signed_in_at: i64,
    pub blocked_at: Option<i64>,
    pub deleted_at: Option<i64>,
}

impl UserRow {
    pub fn place(&self, query: &ListQuery) -> Place {
        let key = match query.sort.name {
            "name" => Key::Text(self.name.clone()),
            "email" => Key::Text(self.email.clone()),
            "orders" => Key::Integer(self.order_count),
            "spent" => Key::Integer(self.spent),
            "since" => Key::Integer(self.created_at),
            _ => Key::Integer(self.signed_in_at),
        };
        Place { key, id: Value::Id(self.id) }
    }
}

/// Deleted accounts are listed only if the filter asks for them.
pub async fn filter(conn: &mut Conn<'_>, query: &ListQuery, zone: &TimeZone) -> Result<Filter, DbError> {
    let mut filter = Filter::default();
    filter.and_any("u.role", query.texts("role"));
    let states: Vec<&str> = query
        .values("state")
        .into_iter()
        .map(|state| match state {
            "blocked" => "u.deleted_at IS NULL AND u.blocked_at IS NOT NULL",
            // The rows of programs, which have no issuer, are nobody's accounts.
            "deleted" => "u.deleted_at IS NOT NULL AND u.issuer <> ''",
            _ => "u.deleted_at IS NULL AND u.blocked_at IS NULL",
        })
        .collect();
    if states.is_empty() {
        filter.and("u.deleted_at IS NULL", []);
    } else {
        filter.and(&states.join(" OR "), []);
    }
    filter.and_between("u.created_at", day_starts(query.days("since"), zone));
    narrow(conn, &mut filter, Kind::Customer, "u.id", &query.q).await?;
    Ok(filter)
}

const SELECT: &str =
    "SELECT u.id, u.name, u.email, u.role, u.order_count, u.spent, u.created_at, u.signed_in_at, u.blocked_at,
    u.deleted_at FROM users u";

/// Fetches one row more than a page holds.
pub async fn list_users(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    filter: &Filter,
    window: &Window,
) -> Result<Vec<UserRow>, DbError> {
    Ok(fetch_all!(conn, UserRow, list::page(SELECT, filter, &query.order(), window, ROWS))?)
}

/// Ids of all users that a query finds, in its order.
pub async fn list_all_ids(conn: &mut Conn<'_>, query: &ListQuery, filter: &Filter) -> Result<Vec<Uuid>, DbError> {
    let found = list::all("SELECT u.id FROM users u", filter, &query.order());
    Ok(fetch_all!(conn, (Uuid,), found)?.into_iter().map(|(id,)| id).collect())
}

/// Some users, by id.
pub async fn find_users(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, UserRow>, DbError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut filter = Filter::default();
    filter.and_any("u.id", ids.iter().map(|id| Value::Id(*id)));
    let rows = fetch_all!(conn, UserRow, list::statement(SELECT, &filter, ""))?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// Names of users; empty for a user without one.
pub async fn list_names(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<BTreeMap<Uuid, String>, DbError> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut filter = Filter::default();
    filter.and_any("id", ids.iter().map(|id| Value::Id(*id)));
    let rows = fetch_all!(conn, (Uuid, String), list::statement("SELECT id, name FROM users", &filter, ""))?;
    Ok(rows.into_iter().collect())
}

pub async fn count_users(conn: &mut Conn<'_>, filter: &Filter) -> Result<i64, DbError> {
    list::count(conn, "users u", filter, COUNTED).await
}

/// The number of placed orders, and what was paid for them less refunds and lost disputes.
pub async fn find_totals(conn: &mut Conn<'_>, id: Uuid) -> Result<(i64, i64), DbError> {
    const SQL: &str = "SELECT order_count, spent FROM users WHERE id = $1";
    let found = sql!(conn, c => sqlx::query_as(SQL).bind(id).fetch_optional(c).await)?;
    Ok(found.unwrap_or_default())
}

#[derive(Clone, Debug, FromRow)]
pub struct BoughtRow {
    pub number: String,
    pub placed_at: i64,
    pub total: i64,
    pub status: String,
    #[sqlx(try_from = "String")]
    pub payment_status: PaymentStatus,
    #[sqlx(try_from = "String")]
    pub fulfillment_status: FulfillmentStatus,
}

/// A user's newest placed orders.
pub async fn list_bought(conn: &mut Conn<'_>, id: Uuid, limit: i64) -> Result<Vec<BoughtRow>, DbError> {
    const SQL: &str = "SELECT number, placed_at, total, status, payment_status, fulfillment_status FROM orders
        WHERE user_id = $1 AND placed_at IS NOT NULL ORDER BY created_at DESC LIMIT $2";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(id).bind(limit).fetch_all(c).await)?)
}
