//! SQL of the list of draft orders.

use shop_base::db::list::{Filter, Key, Place, Value, Window};
use shop_base::db::{Conn, DbError, list};
use shop_base::{fetch_all, sql};
use shop_domain::sales::records::draft_orders::model::DraftStatus;
use shop_domain::sales::status::PaymentStatus;
use shop_platform::staff_search::model::Kind;
use shop_platform::staff_search::service::narrow;
use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::{COUNTED, Column, FilterKind, FilterSpec, ListSpec, ROWS, RowId, Sort};
use crate::admin::orders::queries::BUILT_IN;

pub static SPEC: ListSpec = ListSpec {
    path: "/admin/orders/drafts",
    id: RowId::Uuid("d.id"),
    columns: &[
        Column { name: "number", label: "Draft", is_default: true, is_number: false, sort: None },
        Column { name: "state", label: "Status", is_default: true, is_number: false, sort: None },
        Column {
            name: "made",
            label: "Created",
            is_default: true,
            is_number: false,
            sort: Some(Sort::Number("d.created_at")),
        },
        Column {
            name: "customer",
            label: "Customer",
            is_default: true,
            is_number: false,
            sort: Some(Sort::Text("d.email")),
        },
        Column { name: "order", label: "Order", is_default: true, is_number: false, sort: None },
        Column { name: "delivery", label: "Delivery", is_default: true, is_number: false, sort: None },
        Column {
            name: "expires",
            label: "Expires",
            is_default: true,
            is_number: false,
            sort: Some(Sort::Number("d.expires_at")),
        },
        Column { name: "email", label: "Email", is_default: false, is_number: false, sort: None },
        Column {
            name: "total",
            label: "Total",
            is_default: true,
            is_number: true,
            sort: Some(Sort::Number("d.total")),
        },
    ],
    filters: &[FilterSpec { name: "state", label: "Status", kind: FilterKind::Choice(STATES) }],
    sort: "made",
    descending: true,
    built_in: BUILT_IN,
};

const STATES: &[(&str, &str)] =
    &[("open", "Open"), ("placed", "Ordered"), ("expired", "Expired"), ("withdrawn", "Withdrawn")];

#[derive(Clone, Debug, FromRow)]
pub struct DraftRow {
    pub id: Uuid,
    pub number: String,
    #[sqlx(try_from = "String")]
    pub status: DraftStatus,
    pub email: String,
    /// JSON of an `Address`.
    pub address: String,
    pub delivery: String,
    pub total: i64,
    pub created_at: i64,
    pub expires_at: i64,
    pub order_number: Option<String>,
    pub payment_status: Option<String>,
}

impl DraftRow {
    pub fn payment(&self) -> Option<PaymentStatus> {
        self.payment_status.as_deref()?.parse().ok()
    }

    pub fn place(&self, sort: &str) -> Place {
        let key = match sort {
            "customer" => Key::Text(self.email.clone()),
            "expires" => Key::Integer(self.expires_at),
            "total" => Key::Integer(self.total),
            _ => Key::Integer(self.created_at),
        };
        Place { key, id: Value::Id(self.id) }
    }
}

/// The conditions of a query at a given time, UTC milliseconds.
pub async fn filter(conn: &mut Conn<'_>, query: &ListQuery, now: i64) -> Result<Filter, DbError> {
    let mut filter = Filter::default();
    let states = query.values("state");
    if !states.is_empty() {
        let mut conditions = Vec::new();
        let mut values = Vec::new();
        for state in states {
            match state {
                "open" | "expired" => {
                    let comparison = if state == "open" { ">" } else { "<=" };
                    conditions.push(format!("(d.status = 'open' AND d.expires_at {comparison} ?)"));
                    values.push(Value::Integer(now));
                }
                ended => {
                    conditions.push("d.status = ?".to_owned());
                    values.push(Value::from(ended));
                }
            }
        }
        filter.and(&conditions.join(" OR "), values);
    }
    narrow(conn, &mut filter, Kind::Draft, "d.id", &query.q).await?;
    Ok(filter)
}

const SELECT: &str = "SELECT d.id, d.number, d.status, d.email, d.address, COALESCE(m.name, d.shipping_method) AS delivery,
    d.total, d.created_at, d.expires_at, o.number AS order_number, o.payment_status
    FROM draft_orders d LEFT JOIN orders o ON o.id = d.order_id LEFT JOIN shipping_methods m ON m.code = d.shipping_method";

/// Fetches one row more than a page holds.
pub async fn list_drafts(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    filter: &Filter,
    window: &Window,
) -> Result<Vec<DraftRow>, DbError> {
    Ok(fetch_all!(conn, DraftRow, list::page(SELECT, filter, &query.order(), window, ROWS))?)
}

pub async fn count_drafts(conn: &mut Conn<'_>, filter: &Filter) -> Result<i64, DbError> {
    list::count(conn, "draft_orders d", filter, COUNTED).await
}

/// The name of a shipping method, if one with this code still exists.
pub async fn find_delivery(conn: &mut Conn<'_>, code: &str) -> Result<Option<String>, DbError> {
    const SQL: &str = "SELECT name FROM shipping_methods WHERE code = $1";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, String>(SQL).bind(code).fetch_optional(c).await)?)
}

/// Sku, titles and quantity as they were when the draft was created.
#[derive(Clone, Debug, FromRow)]
pub struct DraftGoods {
    pub sku: String,
    pub title: String,
    pub variant_title: String,
    pub price: i64,
    pub quantity: i64,
    pub unit_price: i64,
}

pub async fn list_goods(conn: &mut Conn<'_>, draft: Uuid) -> Result<Vec<DraftGoods>, DbError> {
    const SQL: &str = "SELECT v.sku, p.title, v.title AS variant_title, v.price, l.quantity, l.unit_price
        FROM draft_order_lines l JOIN product_variants v ON v.id = l.variant_id JOIN products p ON p.id = v.product_id
        WHERE l.draft_id = $1 ORDER BY l.position";
    Ok(sql!(conn, c => sqlx::query_as::<_, DraftGoods>(SQL).bind(draft).fetch_all(c).await)?)
}
