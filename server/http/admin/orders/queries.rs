//! SQL of the orders screens.

use std::collections::HashMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use shop_base::clock::day_starts;
use shop_base::db::list::{Filter, Key, Place, Value, Window, statement};
use shop_base::db::{Conn, DbError, list};
use shop_base::{fetch_all, sql};
use shop_domain::sales::records::orders::rows::Order;
use shop_domain::sales::records::payments::provider::PROVIDER_CLOCK_SKEW;
use shop_domain::sales::status::{FulfillmentStatus, OrderStatus, PaymentStatus};
use shop_platform::staff_search::model::Kind;
use shop_platform::staff_search::service::narrow;
use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::{COUNTED, Column, FilterKind, FilterSpec, ListSpec, ROWS, RowId, Sort};

/// How long before it was placed an order may have been created, in milliseconds: checkouts and links to pay end much earlier.
const LONGEST_CHECKOUT: i64 = 30 * 24 * 60 * 60 * 1000;

/// Letters and digits of an order's number.
const NUMBER_CHARS: usize = 8;
/// Tracking numbers are at least this long.
const SHORTEST_CODE: usize = 5;

pub static SPEC: ListSpec = ListSpec {
    path: "/admin/orders",
    id: RowId::Uuid("o.id"),
    columns: &[
        Column { name: "number", label: "Order", is_default: true, is_number: false, sort: None },
        Column {
            name: "placed",
            label: "Placed",
            is_default: true,
            is_number: false,
            sort: Some(Sort::Number("o.created_at")),
        },
        Column {
            name: "customer",
            label: "Customer",
            is_default: true,
            is_number: false,
            sort: Some(Sort::Text("o.email")),
        },
        Column { name: "payment", label: "Payment", is_default: true, is_number: false, sort: None },
        Column { name: "fulfillment", label: "Fulfillment", is_default: true, is_number: false, sort: None },
        Column { name: "status", label: "Status", is_default: true, is_number: false, sort: None },
        Column { name: "delivery", label: "Delivery", is_default: true, is_number: false, sort: None },
        Column { name: "attention", label: "Needs attention", is_default: true, is_number: false, sort: None },
        Column { name: "email", label: "Email", is_default: false, is_number: false, sort: None },
        Column {
            name: "total",
            label: "Total",
            is_default: true,
            is_number: true,
            sort: Some(Sort::Number("o.total")),
        },
    ],
    filters: &[
        FilterSpec { name: "status", label: "Status", kind: FilterKind::Choice(STATUSES) },
        FilterSpec { name: "payment", label: "Payment", kind: FilterKind::Choice(PAYMENTS) },
        FilterSpec { name: "fulfillment", label: "Fulfillment", kind: FilterKind::Choice(FULFILLMENTS) },
        FilterSpec { name: "placed", label: "Placed", kind: FilterKind::Days },
        FilterSpec { name: "delivery", label: "Delivery", kind: FilterKind::Choice(DELIVERIES) },
        FilterSpec {
            name: "attention",
            label: "Needs attention",
            kind: FilterKind::Choice(&[("yes", "Needs attention")]),
        },
        FilterSpec {
            name: "all_refunded",
            label: "All money refunded",
            kind: FilterKind::Choice(&[("yes", "Yes, or in progress"), ("no", "No")]),
        },
        // An account's id, and an order's number: an address of a list contains no email address.
        FilterSpec { name: "customer", label: "Customer", kind: FilterKind::Given },
        FilterSpec { name: "email_of", label: "Same email as order", kind: FilterKind::Given },
    ],
    sort: "placed",
    descending: true,
    built_in: BUILT_IN,
};

/// The lists that staff use every day, and those of things similar to orders.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("Orders", "/admin/orders"),
    ("Unfulfilled", "/admin/orders?status=placed&fulfillment=unfulfilled&fulfillment=partially_fulfilled"),
    ("Not paid", "/admin/orders?status=placed&payment=not_paid&payment=partially_paid"),
    ("Needs attention", "/admin/orders?attention=yes"),
    ("Unfinished checkouts", "/admin/orders/unfinished"),
    ("Draft orders", "/admin/orders/drafts"),
];

/// A condition of orders `o`: all of the payment is refunded, or about to be, as `refund::is_given_back` decides. Some of it may have been
/// refunded in the provider's dashboard.
pub fn given_back() -> String {
    format!(
        "EXISTS (SELECT 1 FROM payment_attempts a WHERE a.id = o.attempt_id AND a.amount > 0 AND (
            a.amount <= (SELECT SUM(r.amount) FROM refunds r WHERE r.attempt_id = a.id AND r.status <> 'failed')
            OR a.amount <= a.refunded + (SELECT COALESCE(SUM(r.amount), 0) FROM refunds r
                WHERE r.attempt_id = a.id AND r.status = 'pending' AND (r.sent_at > a.provider_updated_at + {PROVIDER_CLOCK_SKEW}
                    OR r.sent_at IS NULL AND r.provider_refund_id IS NULL))))"
    )
}

/// The orders that may meet this condition. Few have refunds, ours or those of the dashboard.
const WITH_REFUNDS: &str = "SELECT order_id FROM refunds UNION SELECT id FROM orders
    WHERE payment_status = 'refunded' AND (placed_at IS NOT NULL OR attention IS NOT NULL)";

const STATUSES: &[(&str, &str)] = &[("placed", "Placed"), ("canceled", "Canceled"), ("archived", "Archived")];
const PAYMENTS: &[(&str, &str)] = &[
    ("not_paid", "Not paid"),
    ("authorized", "Authorized"),
    ("partially_paid", "Partially paid"),
    ("paid", "Paid"),
    ("partially_refunded", "Partially refunded"),
    ("refunded", "Refunded"),
    ("voided", "Voided"),
    ("requires_action", "Unknown"),
];
const FULFILLMENTS: &[(&str, &str)] = &[
    ("unfulfilled", "Unfulfilled"),
    ("partially_fulfilled", "Partially fulfilled"),
    ("fulfilled", "Fulfilled"),
    ("delivered", "Delivered"),
    ("canceled", "Nothing to fulfill"),
];
const DELIVERIES: &[(&str, &str)] = &[("shipping", "Shipping"), ("pickup", "Pickup")];

/// An order in the list.
#[derive(Clone, Debug, FromRow)]
pub struct OrderRow {
    pub id: Uuid,
    pub number: String,
    pub created_at: i64,
    pub placed_at: Option<i64>,
    pub email: String,
    /// JSON of an `Address`.
    pub address: String,
    #[sqlx(try_from = "String")]
    pub status: OrderStatus,
    #[sqlx(try_from = "String")]
    pub payment_status: PaymentStatus,
    #[sqlx(try_from = "String")]
    pub fulfillment_status: FulfillmentStatus,
    pub shipping_name: String,
    pub picked_up: bool,
    pub attention: Option<String>,
    pub total: i64,
}

impl OrderRow {
    pub fn place(&self, sort: &str) -> Place {
        let key = match sort {
            "customer" => Key::Text(self.email.clone()),
            "total" => Key::Integer(self.total),
            _ => Key::Integer(self.created_at),
        };
        Place { key, id: Value::Id(self.id) }
    }
}

/// The conditions of a query. Days are those of the shop's time zone.
pub async fn filter(conn: &mut Conn<'_>, query: &ListQuery, zone: &TimeZone) -> Result<Filter, DbError> {
    let mut filter = Filter::default();
    // Matches the partial indexes: carts that were never paid for are not in the list.
    filter.and("o.placed_at IS NOT NULL OR o.attention IS NOT NULL", []);
    let texts = (
        OrderStatus::ALL.iter().map(|status| status.text()),
        PaymentStatus::ALL.iter().map(|status| status.text()),
        FulfillmentStatus::ALL.iter().map(|status| status.text()),
    );
    and_state(&mut filter, "o.status", &query.values("status"), texts.0, "placed");
    and_state(&mut filter, "o.payment_status", &query.values("payment"), texts.1, "paid");
    and_state(&mut filter, "o.fulfillment_status", &query.values("fulfillment"), texts.2, "delivered");
    match query.values("delivery")[..] {
        // Matches the partial index.
        ["pickup"] => filter.and("o.picked_up", []),
        ["shipping"] => filter.and("NOT o.picked_up", []),
        _ => {}
    }
    match query.values("all_refunded")[..] {
        ["yes"] => filter.and(&format!("o.id IN ({WITH_REFUNDS}) AND {}", given_back()), []),
        ["no"] => filter.and(&format!("NOT {}", given_back()), []),
        _ => {}
    }
    if !query.values("attention").is_empty() {
        filter.and("o.attention IS NOT NULL", []);
    }
    let customers = query.values("customer").into_iter().map(|id| Value::Id(id.parse().unwrap_or_default()));
    filter.and_any("o.user_id", customers);
    for number in query.texts("email_of") {
        let email = [number.clone()];
        let is_same = "o.email <> '' AND lower(o.email) = (SELECT lower(e.email) FROM orders e WHERE e.number = ?)";
        filter.and(is_same, email);
        // A guest is not the account that has the same address.
        filter.and("o.user_id IS NULL OR (SELECT e.user_id FROM orders e WHERE e.number = ?) IS NOT NULL", [number]);
    }
    and_placed(&mut filter, query.days("placed"), zone);
    search(conn, &mut filter, &query.q).await?;
    Ok(filter)
}

/// Narrows a list of orders `o` to those placed from one day to another. The list is read by time of creation; an order may be placed long
/// after that.
pub fn and_placed(filter: &mut Filter, days: (Option<Date>, Option<Date>), zone: &TimeZone) {
    let (from, to) = day_starts(days, zone);
    filter.and_between("o.created_at", (from.map(|from| from - LONGEST_CHECKOUT), to));
    filter.and_between("COALESCE(o.placed_at, o.created_at)", (from, to));
}

/// Narrows a list of orders `o` to the one whose number was typed, with or without its hyphen, or to those with a parcel of this tracking
/// number; if there are none, to those in which each typed word begins a search term.
pub async fn search(conn: &mut Conn<'_>, filter: &mut Filter, typed: &str) -> Result<(), DbError> {
    let named = list_named(conn, typed).await?;
    if named.is_empty() {
        return narrow(conn, filter, Kind::Order, "o.id", typed).await;
    }
    filter.and_any("o.id", named.into_iter().map(Value::from));
    Ok(())
}

async fn list_named(conn: &mut Conn<'_>, typed: &str) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str = "SELECT id FROM orders WHERE number = $1
        UNION SELECT order_id FROM fulfillments WHERE tracking_number IN ($2, $3) LIMIT 50";
    let compact: String = typed.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>().to_uppercase();
    // Words of a name are not looked up; only the number of an order may have no digit.
    let has_digits = compact.contains(|c: char| c.is_ascii_digit());
    if compact.len() < SHORTEST_CODE || !(has_digits || compact.len() == NUMBER_CHARS) {
        return Ok(Vec::new());
    }
    let (first, rest) = compact.split_at(NUMBER_CHARS / 2);
    let number = format!("{first}-{rest}");
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(&number).bind(typed.trim()).bind(&compact).fetch_all(c).await)?)
}

/// The state of most orders is expressed by excluding the other states: SQLite does not know how common each value is, and this keeps it
/// from using an index that matches most orders when there is a better one.
fn and_state(
    filter: &mut Filter,
    column: &str,
    chosen: &[&str],
    states: impl Iterator<Item = &'static str>,
    usual: &str,
) {
    if chosen.contains(&usual) {
        let others = states.filter(|state| !chosen.contains(state));
        filter.and_none(column, others.map(Value::from));
    } else {
        filter.and_any(column, chosen.iter().map(|state| Value::from(*state)));
    }
}

const SELECT: &str = "SELECT o.id, o.number, o.created_at, o.placed_at, o.email, o.address, o.status, o.payment_status,
    o.fulfillment_status, o.shipping_name, o.picked_up, o.attention, o.total FROM orders o";

/// Fetches one row more than a page holds.
pub async fn list_orders(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    filter: &Filter,
    window: &Window,
) -> Result<Vec<OrderRow>, DbError> {
    Ok(fetch_all!(conn, OrderRow, list::page(SELECT, filter, &query.order(), window, ROWS))?)
}

/// Ids of all orders that a query finds, in its order.
pub async fn list_all_ids(conn: &mut Conn<'_>, query: &ListQuery, filter: &Filter) -> Result<Vec<Uuid>, DbError> {
    let found = list::all("SELECT o.id FROM orders o", filter, &query.order());
    Ok(fetch_all!(conn, (Uuid,), found)?.into_iter().map(|(id,)| id).collect())
}

/// Some orders, by id.
pub async fn find_orders(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, OrderRow>, DbError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut filter = Filter::default();
    filter.and_any("o.id", ids.iter().map(|id| Value::Id(*id)));
    let rows = fetch_all!(conn, OrderRow, statement(SELECT, &filter, ""))?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

pub async fn count_orders(conn: &mut Conn<'_>, filter: &Filter) -> Result<i64, DbError> {
    list::count(conn, "orders o", filter, COUNTED).await
}

/// Numbers of the orders of a query, up to a limit.
pub async fn list_numbers(conn: &mut Conn<'_>, filter: &Filter, limit: usize) -> Result<Vec<String>, DbError> {
    let tail = format!(" ORDER BY o.created_at DESC, o.id DESC LIMIT {limit}");
    let rows = fetch_all!(conn, (String,), statement("SELECT o.number FROM orders o", filter, &tail))?;
    Ok(rows.into_iter().map(|(number,)| number).collect())
}

/// How many orders the buyer of this one has placed, identified by account or email address.
pub async fn count_orders_of(conn: &mut Conn<'_>, order: &Order) -> Result<i64, DbError> {
    const BY_USER: &str = "SELECT COUNT(*) FROM orders WHERE user_id = $1 AND status IN ('placed', 'archived')";
    const BY_EMAIL: &str = "SELECT COUNT(*) FROM orders
        WHERE lower(email) = lower($1) AND user_id IS NULL AND status IN ('placed', 'archived')";
    Ok(match order.user_id {
        Some(user) => sql!(conn, c => sqlx::query_scalar::<_, i64>(BY_USER).bind(user).fetch_one(c).await)?,
        None => sql!(conn, c => sqlx::query_scalar::<_, i64>(BY_EMAIL).bind(&order.email).fetch_one(c).await)?,
    })
}
