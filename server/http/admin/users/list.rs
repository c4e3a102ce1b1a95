//! The definition of the list of users.

use jiff::tz::TimeZone;
use shop_base::clock::day_starts;
use shop_base::db::list::{Filter, Key, Place, Value};
use shop_base::db::{Conn, DbError};
use shop_platform::staff_search::model::Kind;
use shop_platform::staff_search::service::narrow;

use super::queries::UserRow;
use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::{Column, FilterKind, FilterSpec, ListSpec, RowId, Sort};

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
    let (from, to) = day_starts(query.days("since"), zone);
    if let Some(from) = from {
        filter.and("u.created_at >= ?", [Value::Integer(from)]);
    }
    if let Some(to) = to {
        filter.and("u.created_at < ?", [Value::Integer(to)]);
    }
    narrow(conn, &mut filter, Kind::Customer, "u.id", &query.q).await?;
    Ok(filter)
}

/// A row's place in the query's order.
pub fn place(query: &ListQuery, row: &UserRow) -> Place {
    let key = match query.sort.name {
        "name" => Key::Text(row.name.clone()),
        "email" => Key::Text(row.email.clone()),
        "orders" => Key::Integer(row.order_count),
        "spent" => Key::Integer(row.spent),
        "since" => Key::Integer(row.created_at),
        _ => Key::Integer(row.signed_in_at),
    };
    Place { key, id: Value::Id(row.id) }
}
