//! SQL of the orders screens.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use shop_base::address::Address;
use shop_base::clock::day_starts;
use shop_base::db::list::{Filter, Key, Place, Statement, Value, Window, statement};
use shop_base::db::{Conn, DbError, list};
use shop_base::{fetch_all, sql};
use shop_domain::sales::records::orders::rows::Order;
use shop_domain::sales::status::{FulfillmentStatus, OrderStatus, PaymentStatus};
use shop_platform::staff_search::model::{Kind, terms};
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

/// A condition of orders `o`: all of the payment is refunded, or about to be.
pub const GIVEN_BACK: &str = "EXISTS (SELECT 1 FROM payment_attempts a WHERE a.id = o.attempt_id AND a.amount > 0
    AND a.amount <= (SELECT SUM(r.amount) FROM refunds r WHERE r.attempt_id = a.id AND r.status <> 'failed'))";

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
    ("canceled", "Nothing to ship"),
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
        // Candidates first: few orders have refunds.
        ["yes"] => filter.and(&format!("o.id IN (SELECT order_id FROM refunds) AND {GIVEN_BACK}"), []),
        ["no"] => filter.and(&format!("NOT {GIVEN_BACK}"), []),
        _ => {}
    }
    if !query.values("attention").is_empty() {
        filter.and("o.attention IS NOT NULL", []);
    }
    let customers = query.values("customer").into_iter().map(|id| Value::Id(id.parse().unwrap_or_default()));
    filter.and_any("o.user_id", customers);
    for number in query.texts("email_of") {
        let email = [number.clone()];
        filter.and("o.email <> '' AND o.email = (SELECT e.email FROM orders e WHERE e.number = ?)", email);
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
    if let Some(from) = from {
        filter.and("o.created_at >= ?", [Value::Integer(from - LONGEST_CHECKOUT)]);
        filter.and("COALESCE(o.placed_at, o.created_at) >= ?", [Value::Integer(from)]);
    }
    if let Some(to) = to {
        filter.and("o.created_at < ?", [Value::Integer(to)]);
        filter.and("COALESCE(o.placed_at, o.created_at) < ?", [Value::Integer(to)]);
    }
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
    // Parcels are read one by one, so words of a name are not looked up.
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
    const BY_EMAIL: &str =
        "SELECT COUNT(*) FROM orders WHERE email = $1 AND user_id IS NULL AND status IN ('placed', 'archived')";
    Ok(match order.user_id {
        Some(user) => sql!(conn, c => sqlx::query_scalar::<_, i64>(BY_USER).bind(user).fetch_one(c).await)?,
        None => sql!(conn, c => sqlx::query_scalar::<_, i64>(BY_EMAIL).bind(&order.email).fetch_one(c).await)?,
    })
}

/// Names of users; empty for a user without one.
pub async fn list_names(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<BTreeMap<Uuid, String>, DbError> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut filter = Filter::default();
    filter.and_any("id", ids.iter().map(|id| Value::Id(*id)));
    let rows = fetch_all!(conn, (Uuid, String), statement("SELECT id, name FROM users", &filter, ""))?;
    Ok(rows.into_iter().collect())
}

/// A variant that can be added to an order.
#[derive(Clone, Debug, FromRow)]
pub struct GoodsRow {
    pub sku: String,
    pub title: String,
    pub variant_title: String,
    pub price: i64,
    pub available: i64,
    pub class: String,
}

const GOODS: &str =
    "SELECT v.sku, p.title, v.title AS variant_title, v.price, s.on_hand - s.reserved AS available, c.name AS class
    FROM products p JOIN product_variants v ON v.product_id = p.id JOIN stock_levels s ON s.variant_id = v.id
    JOIN compliance_classes c ON c.code = p.compliance_class";

/// Shown of what is found.
const SHOWN: usize = 12;

/// The variant with the typed SKU alone, or else the first few of products that match the typed words, the best first.
pub async fn list_goods(conn: &mut Conn<'_>, typed: &str) -> Result<Vec<GoodsRow>, DbError> {
    let typed = typed.trim();
    let mut goods = list_goods_of_sku(conn, typed).await?;
    if goods.is_empty() {
        goods = list_goods_of_words(conn, typed).await?;
        let known: BTreeSet<String> = goods.iter().map(|row| row.sku.clone()).collect();
        let begun = list_goods_of_begun_sku(conn, typed).await?;
        goods.extend(begun.into_iter().filter(|row| !known.contains(&row.sku)));
        let words = terms([typed]);
        goods.sort_by_cached_key(|row| Reverse(fit(row, typed, &words)));
        goods.truncate(SHOWN);
    }
    Ok(goods)
}

/// The variant with this SKU, or those with the same in other case.
async fn list_goods_of_sku(conn: &mut Conn<'_>, sku: &str) -> Result<Vec<GoodsRow>, DbError> {
    if !sku.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(Vec::new());
    }
    let mut filter = Filter::default();
    filter.and("p.status = 'active' AND v.archived_at IS NULL", []);
    // An index finds these; SKUs in mixed case that are typed otherwise are found by their words.
    filter.and_any("v.sku", [sku.to_owned(), sku.to_uppercase(), sku.to_lowercase()].map(Value::from));
    let mut goods = fetch_all!(conn, GoodsRow, statement(GOODS, &filter, ""))?;
    if goods.iter().any(|row| row.sku == sku) {
        goods.retain(|row| row.sku == sku);
    }
    Ok(goods)
}

/// The first variants whose SKU begins so, as typed or in upper case: their products need not be the first that match the words.
async fn list_goods_of_begun_sku(conn: &mut Conn<'_>, typed: &str) -> Result<Vec<GoodsRow>, DbError> {
    let mut goods = Vec::new();
    if !typed.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(goods);
    }
    let tail = format!(" ORDER BY v.sku LIMIT {SHOWN}");
    for begin in BTreeSet::from([typed.to_owned(), typed.to_uppercase()]) {
        let mut filter = Filter::default();
        // As an expression, the status has no index: SQLite would choose it, and read all products.
        filter.and("p.status || '' = 'active' AND v.archived_at IS NULL", []);
        filter.and_begins(conn, &["v.sku"], &begin);
        goods.extend(fetch_all!(&mut *conn, GoodsRow, statement(GOODS, &filter, &tail))?);
    }
    Ok(goods)
}

/// All variants of the first products that match these words.
async fn list_goods_of_words(conn: &mut Conn<'_>, typed: &str) -> Result<Vec<GoodsRow>, DbError> {
    let mut filter = Filter::default();
    filter.and("p.status = 'active'", []);
    narrow(conn, &mut filter, Kind::Product, "p.id", typed).await?;
    let filter = list::first(conn, "products p", filter).await?;
    // Each has all the words, so no more are needed; a product may have hundreds of variants.
    let first = format!(" ORDER BY p.title, p.id LIMIT {SHOWN}");
    let products = statement("SELECT p.id FROM products p", &filter, &first);
    let sql = format!(
        "{GOODS} WHERE v.archived_at IS NULL AND p.id IN ({}) ORDER BY p.title, p.id, v.position",
        products.sql
    );
    Ok(fetch_all!(conn, GoodsRow, Statement { sql, values: products.values })?)
}

/// How well a variant fits what was typed: whether its SKU is that or begins so, and how many words begin one of its SKU or its option
/// values, but none of the title, which it shares with the product's other variants.
fn fit(row: &GoodsRow, typed: &str, words: &BTreeSet<String>) -> (bool, bool, usize) {
    let (sku, typed_sku) = (row.sku.to_lowercase(), typed.to_lowercase());
    let own = terms([row.sku.as_str(), row.variant_title.as_str()]);
    let shared = terms([row.title.as_str()]);
    let begins = |words: &BTreeSet<String>, start: &str| words.iter().any(|word| word.starts_with(start));
    let words = words.iter().filter(|word| begins(&own, word) && !begins(&shared, word)).count();
    (sku == typed_sku, sku.starts_with(&typed_sku), words)
}

/// An account for which an order can be created, with its default address.
#[derive(Clone, Debug, FromRow)]
pub struct BuyerRow {
    pub id: Uuid,
    pub name: String,
    pub email: String,
    pub phone: String,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub company: Option<String>,
    pub line1: Option<String>,
    pub line2: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub postal_code: Option<String>,
}

impl BuyerRow {
    pub fn address(&self) -> Option<Address> {
        Some(Address {
            first_name: self.first_name.clone()?,
            last_name: self.last_name.clone()?,
            company: self.company.clone()?,
            line1: self.line1.clone()?,
            line2: self.line2.clone()?,
            city: self.city.clone()?,
            state: self.state.clone()?,
            postal_code: self.postal_code.clone()?,
            phone: String::new(),
        })
    }
}

pub async fn list_buyers(conn: &mut Conn<'_>, typed: &str) -> Result<Vec<BuyerRow>, DbError> {
    const SELECT: &str =
        "SELECT u.id, u.name, u.email, u.phone, a.first_name, a.last_name, a.company, a.line1, a.line2,
        a.city, a.state, a.postal_code FROM users u LEFT JOIN addresses a ON a.id = (SELECT x.id FROM addresses x
            WHERE x.user_id = u.id ORDER BY x.is_default DESC, x.created_at DESC, x.id DESC LIMIT 1)";
    let mut filter = Filter::default();
    filter.and("u.deleted_at IS NULL AND u.blocked_at IS NULL", []);
    narrow(conn, &mut filter, Kind::Customer, "u.id", typed).await?;
    let filter = list::first(conn, "users u", filter).await?;
    Ok(fetch_all!(conn, BuyerRow, statement(SELECT, &filter, " ORDER BY u.name, u.id LIMIT 8"))?)
}
