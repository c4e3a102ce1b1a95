//! SQL of the screens of unfinished checkouts.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use shop_base::clock::day_starts;
use shop_base::db::list::{Filter, Key, Place, Value, Window, statement};
use shop_base::db::{Conn, DbError, list};
use shop_base::fetch_all;
use shop_domain::sales::records::orders::model::CancelReason;
use shop_domain::sales::status::{OrderStatus, PaymentStatus};
use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::{COUNTED, Column, FilterKind, FilterSpec, ListSpec, ROWS, RowId, Sort};
use crate::admin::orders::queries::{BUILT_IN, search};

pub static SPEC: ListSpec = ListSpec {
    path: "/admin/orders/unfinished",
    id: RowId::Uuid("o.id"),
    columns: &[
        Column { name: "number", label: "Checkout", is_default: true, is_number: false, sort: None },
        Column {
            name: "started",
            label: "Started",
            is_default: true,
            is_number: false,
            sort: Some(Sort::Number("o.created_at")),
        },
        Column { name: "customer", label: "Customer", is_default: true, is_number: false, sort: None },
        Column { name: "phone", label: "Phone", is_default: false, is_number: false, sort: None },
        Column { name: "goods", label: "Goods", is_default: true, is_number: false, sort: None },
        Column { name: "why", label: "Why it was not finished", is_default: true, is_number: false, sort: None },
        Column { name: "payment", label: "Payment", is_default: true, is_number: false, sort: None },
        Column { name: "state", label: "State", is_default: true, is_number: false, sort: None },
        Column { name: "later", label: "Bought later", is_default: true, is_number: false, sort: None },
        Column { name: "total", label: "Total", is_default: true, is_number: true, sort: None },
    ],
    filters: &[
        FilterSpec { name: "state", label: "State", kind: FilterKind::Choice(STATES) },
        FilterSpec { name: "payment", label: "Payment", kind: FilterKind::Choice(PAYMENTS) },
        FilterSpec { name: "started", label: "Started", kind: FilterKind::Days },
    ],
    sort: "started",
    descending: true,
    built_in: BUILT_IN,
};

const STATES: &[(&str, &str)] = &[("open", "Can still be finished"), ("over", "Over")];
const PAYMENTS: &[(&str, &str)] = &[
    ("failed", "Failed"),
    ("not_paid", "Not paid"),
    ("requires_action", "Unknown"),
    ("voided", "Voided"),
    ("authorized", "Authorized"),
    ("paid", "Paid"),
    ("partially_refunded", "Partially refunded"),
    ("refunded", "Refunded"),
];

/// A checkout in the list.
#[derive(Clone, Debug, FromRow)]
pub struct UnfinishedRow {
    pub id: Uuid,
    pub number: String,
    pub created_at: i64,
    pub email: String,
    pub phone: String,
    /// JSON of an `Address`.
    pub address: String,
    #[sqlx(try_from = "String")]
    pub status: OrderStatus,
    #[sqlx(try_from = "String")]
    pub payment_status: PaymentStatus,
    /// The text of a [`CancelReason`].
    pub cancel_reason: Option<String>,
    pub picked_up: bool,
    pub total: i64,
}

impl UnfinishedRow {
    pub fn place(&self) -> Place {
        Place { key: Key::Integer(self.created_at), id: Value::Id(self.id) }
    }

    pub fn is_stock_lost(&self) -> bool {
        self.cancel_reason.as_deref() == Some(CancelReason::StockLost.text())
    }
}

/// The conditions of a query. Days are those of the shop's time zone.
pub async fn filter(conn: &mut Conn<'_>, query: &ListQuery, zone: &TimeZone) -> Result<Filter, DbError> {
    let mut filter = Filter::default();
    // Matches the partial index. For counting alone, SQLite would rather read the whole index of placed orders: true of all, the second
    // condition decides for this one.
    filter.and("COALESCE(o.placed_at, 0) = 0 AND o.created_at > 0", []);
    match query.values("state")[..] {
        ["open"] => filter.and("o.status = 'draft'", []),
        ["over"] => filter.and("o.status <> 'draft'", []),
        _ => {}
    }
    filter.and_any("o.payment_status", query.texts("payment"));
    filter.and_between("o.created_at", day_starts(query.days("started"), zone));
    search(conn, &mut filter, &query.q).await?;
    Ok(filter)
}

const SELECT: &str = "SELECT o.id, o.number, o.created_at, o.email, o.phone, o.address, o.status, o.payment_status,
    o.cancel_reason, o.picked_up, o.total FROM orders o";

/// Fetches one row more than a page holds.
pub async fn list_checkouts(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    filter: &Filter,
    window: &Window,
) -> Result<Vec<UnfinishedRow>, DbError> {
    Ok(fetch_all!(conn, UnfinishedRow, list::page(SELECT, filter, &query.order(), window, ROWS))?)
}

pub async fn count_checkouts(conn: &mut Conn<'_>, filter: &Filter) -> Result<i64, DbError> {
    list::count(conn, "orders o", filter, COUNTED).await
}

/// The contents of each of these checkouts: quantity and title.
pub async fn list_goods(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, Vec<(i64, String)>>, DbError> {
    let mut goods: HashMap<Uuid, Vec<(i64, String)>> = HashMap::new();
    if ids.is_empty() {
        return Ok(goods);
    }
    let mut filter = Filter::default();
    filter.and_any("l.order_id", ids.iter().map(|id| Value::Id(*id)));
    let lines = statement(
        "SELECT l.order_id, l.quantity, l.title FROM order_lines l",
        &filter,
        " ORDER BY l.order_id, l.position",
    );
    for (order, quantity, title) in fetch_all!(conn, (Uuid, i64, String), lines)? {
        goods.entry(order).or_default().push((quantity, title));
    }
    Ok(goods)
}

/// A later order of the same goods.
#[derive(Clone, Debug, FromRow)]
pub struct Later {
    pub checkout: Uuid,
    pub number: String,
    pub placed_at: i64,
}

/// For each of these checkouts, the first later order from the same email address that contains the same goods and was not canceled.
pub async fn list_later(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, Later>, DbError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    // SQLite keeps the order of a cross join: it would start from all placed orders.
    const SELECT: &str = "SELECT o.id AS checkout, p.number, p.placed_at FROM orders o CROSS JOIN orders p";
    let mut filter = Filter::default();
    filter.and_any("o.id", ids.iter().map(|id| Value::Id(*id)));
    filter.and("o.email <> '' AND lower(p.email) = lower(o.email)", []);
    filter.and("p.placed_at >= o.created_at AND p.status IN ('placed', 'archived')", []);
    filter.and(
        "EXISTS (SELECT 1 FROM order_lines a JOIN order_lines b ON b.sku = a.sku WHERE a.order_id = o.id AND b.order_id = p.id)",
        [],
    );
    let mut later = HashMap::new();
    for found in fetch_all!(conn, Later, statement(SELECT, &filter, " ORDER BY p.placed_at, p.id"))? {
        later.entry(found.checkout).or_insert(found);
    }
    Ok(later)
}
