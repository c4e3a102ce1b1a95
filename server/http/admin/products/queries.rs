//! SQL of the list of products, and of the editor's side panels.

use shop_base::db::list::{Filter, Key, Place, Value, Window};
use shop_base::db::{Conn, DbError, list};
use shop_base::{fetch_all, sql};
use shop_domain::catalog::editing::model::ProductStatus;
use shop_domain::stock::queries::are_few_low;
use shop_platform::staff_search::model::Kind;
use shop_platform::staff_search::service::narrow;
use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::{COUNTED, Column, FilterKind, FilterSpec, ListSpec, ROWS, RowId, Sort};

pub static SPEC: ListSpec = ListSpec {
    path: "/admin/products",
    id: RowId::Uuid("p.id"),
    columns: &[
        Column {
            name: "title",
            label: "Product",
            is_default: true,
            is_number: false,
            sort: Some(Sort::Text("p.title")),
        },
        Column { name: "status", label: "Status", is_default: true, is_number: false, sort: None },
        Column { name: "category", label: "Category", is_default: true, is_number: false, sort: None },
        Column { name: "class", label: "Compliance class", is_default: false, is_number: false, sort: None },
        Column { name: "price", label: "Price", is_default: true, is_number: true, sort: None },
        Column { name: "on_hand", label: "On hand", is_default: true, is_number: true, sort: None },
        Column { name: "skus", label: "SKUs", is_default: true, is_number: true, sort: None },
        Column {
            name: "updated",
            label: "Updated",
            is_default: true,
            is_number: true,
            sort: Some(Sort::Number("p.updated_at")),
        },
    ],
    filters: &[
        FilterSpec { name: "status", label: "Status", kind: FilterKind::Choice(STATUSES) },
        FilterSpec { name: "category", label: "Category", kind: FilterKind::Given },
        FilterSpec { name: "class", label: "Compliance class", kind: FilterKind::Given },
        FilterSpec { name: "stock", label: "Stock", kind: FilterKind::Choice(STOCK) },
    ],
    sort: "updated",
    descending: true,
    built_in: BUILT_IN,
};

const BUILT_IN: &[(&str, &str)] = &[
    ("All", "/admin/products"),
    ("For sale", "/admin/products?status=active"),
    ("Drafts", "/admin/products?status=draft"),
    ("Low stock", "/admin/products?status=active&stock=low_stock"),
    ("Sold out", "/admin/products?status=active&stock=out_of_stock"),
];

const STATUSES: &[(&str, &str)] = &[("draft", "Draft"), ("active", "Active"), ("archived", "Archived")];
const STOCK: &[(&str, &str)] =
    &[("in_stock", "In stock"), ("low_stock", "Low stock"), ("out_of_stock", "Out of stock")];

#[derive(Clone, Debug, FromRow)]
pub struct ProductRow {
    pub id: Uuid,
    pub title: String,
    #[sqlx(try_from = "String")]
    pub status: ProductStatus,
    pub publish_at: Option<i64>,
    pub category: String,
    pub class: String,
    pub updated_at: i64,
    pub version: i64,
    /// Key of its first picture.
    pub picture: Option<String>,
}

impl ProductRow {
    pub fn place(&self, query: &ListQuery) -> Place {
        let key = match query.sort.name {
            "title" => Key::Text(self.title.clone()),
            _ => Key::Integer(self.updated_at),
        };
        Place { key, id: Value::Id(self.id) }
    }
}

/// The conditions of a query.
pub async fn filter(conn: &mut Conn<'_>, query: &ListQuery) -> Result<Filter, DbError> {
    let mut filter = Filter::default();
    let stock = query.values("stock");
    let begins_low = stock == ["low_stock"] && are_few_low(conn).await?;
    // As an expression, the status has no index: most products have the same, and few are low in stock.
    let status = if begins_low { "p.status || ''" } else { "p.status" };
    filter.and_any(status, query.texts("status"));
    filter.and_any("p.compliance_class", query.texts("class"));
    let categories = query.values("category").into_iter().map(|id| Value::Id(id.parse().unwrap_or_default()));
    filter.and_any("p.category_id", categories);
    const OF_LOW: &str = "p.id IN (SELECT v.product_id FROM stock_levels s CROSS JOIN product_variants v
        WHERE s.on_hand - s.reserved <= s.low_stock_threshold AND v.id = s.variant_id AND v.archived_at IS NULL)";
    const LOW: &str = "EXISTS (SELECT 1 FROM product_variants v JOIN stock_levels s ON s.variant_id = v.id
        WHERE v.product_id = p.id AND v.archived_at IS NULL AND s.on_hand - s.reserved <= s.low_stock_threshold)";
    const AVAILABLE: &str = "EXISTS (SELECT 1 FROM product_variants v JOIN stock_levels s ON s.variant_id = v.id
        WHERE v.product_id = p.id AND v.archived_at IS NULL AND s.on_hand > s.reserved)";
    let stock: Vec<String> = stock
        .into_iter()
        .map(|state| match state {
            "out_of_stock" => format!("NOT {AVAILABLE}"),
            "low_stock" if begins_low => OF_LOW.to_owned(),
            "low_stock" => LOW.to_owned(),
            _ => AVAILABLE.to_owned(),
        })
        .collect();
    if !stock.is_empty() {
        filter.and(&stock.join(" OR "), []);
    }
    narrow(conn, &mut filter, Kind::Product, "p.id", &query.q).await?;
    Ok(filter)
}

const SELECT: &str = "SELECT p.id, p.title, p.status, p.publish_at, c.name AS category, k.name AS class,
    p.updated_at, p.version, i.media_key AS picture FROM products p JOIN categories c ON c.id = p.category_id
    JOIN compliance_classes k ON k.code = p.compliance_class
    LEFT JOIN product_images i ON i.product_id = p.id AND i.position = 0";

/// Fetches one row more than a page holds.
pub async fn list_products(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    filter: &Filter,
    window: &Window,
) -> Result<Vec<ProductRow>, DbError> {
    Ok(fetch_all!(conn, ProductRow, list::page(SELECT, filter, &query.order(), window, ROWS))?)
}

/// Ids of the products that a query finds, up to a limit.
pub async fn list_ids(conn: &mut Conn<'_>, query: &ListQuery, limit: usize) -> Result<Vec<Uuid>, DbError> {
    let filter = filter(conn, query).await?;
    let found = list::statement("SELECT p.id FROM products p", &filter, &format!(" LIMIT {limit}"));
    Ok(fetch_all!(conn, (Uuid,), found)?.into_iter().map(|(id,)| id).collect())
}

/// Ids of all products that a query finds, in its order.
pub async fn list_all_ids(conn: &mut Conn<'_>, query: &ListQuery) -> Result<Vec<Uuid>, DbError> {
    let filter = filter(conn, query).await?;
    let found = list::all("SELECT p.id FROM products p", &filter, &query.order());
    Ok(fetch_all!(conn, (Uuid,), found)?.into_iter().map(|(id,)| id).collect())
}

pub async fn count_products(conn: &mut Conn<'_>, filter: &Filter) -> Result<i64, DbError> {
    list::count(conn, "products p", filter, COUNTED).await
}

/// Figures over variants for the list, in one query for all products of a page.
#[derive(Clone, Debug, FromRow)]
pub struct Figures {
    pub product_id: Uuid,
    pub lowest: i64,
    pub highest: i64,
    pub on_hand: i64,
    pub skus: i64,
}

pub async fn list_figures(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<Vec<Figures>, DbError> {
    const SQL: &str = "SELECT v.product_id, MIN(v.price) AS lowest, MAX(v.price) AS highest,
        CAST(SUM(s.on_hand) AS BIGINT) AS on_hand, COUNT(*) AS skus
        FROM product_variants v JOIN stock_levels s ON s.variant_id = v.id";
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut filter = Filter::default();
    filter.and("v.archived_at IS NULL", []);
    filter.and_any("v.product_id", ids.iter().map(|id| Value::Id(*id)));
    Ok(fetch_all!(conn, Figures, list::statement(SQL, &filter, " GROUP BY v.product_id"))?)
}

#[derive(Clone, Debug, FromRow)]
pub struct ClassRow {
    pub code: String,
    pub name: String,
    pub restriction: String,
}

#[derive(Clone, Debug, FromRow)]
pub struct ImportRow {
    pub id: Uuid,
    pub file_name: String,
    pub state: String,
    pub created_at: i64,
    pub actor_name: String,
}

/// The latest imports, newest first.
pub async fn list_imports(conn: &mut Conn<'_>) -> Result<Vec<ImportRow>, DbError> {
    const SQL: &str =
        "SELECT i.id, i.file_name, COALESCE(p.state, i.state) AS state, i.created_at, u.name AS actor_name
        FROM product_imports i JOIN users u ON u.id = i.actor_id
        LEFT JOIN product_import_progress p ON p.import_id = i.id
        ORDER BY i.created_at DESC, i.id DESC LIMIT 20";
    Ok(sql!(conn, c => sqlx::query_as::<_, ImportRow>(SQL).fetch_all(c).await)?)
}

pub async fn list_classes(conn: &mut Conn<'_>) -> Result<Vec<ClassRow>, DbError> {
    const SQL: &str = "SELECT code, name, restriction FROM compliance_classes ORDER BY name";
    Ok(sql!(conn, c => sqlx::query_as::<_, ClassRow>(SQL).fetch_all(c).await)?)
}

/// Ids and titles of collections, in order.
pub async fn list_collections(conn: &mut Conn<'_>) -> Result<Vec<(Uuid, String)>, DbError> {
    const SQL: &str = "SELECT id, title FROM collections ORDER BY position, handle";
    Ok(sql!(conn, c => sqlx::query_as::<_, (Uuid, String)>(SQL).fetch_all(c).await)?)
}

#[derive(Clone, Debug, FromRow)]
pub struct HistoryRow {
    pub at: i64,
    pub actor_name: String,
    pub action: String,
    pub before: String,
    pub after: String,
}

/// The latest changes of a product and of its variants' stock, newest first.
pub async fn list_history(conn: &mut Conn<'_>, product: Uuid) -> Result<Vec<HistoryRow>, DbError> {
    const SQL: &str =
        "SELECT a.at, u.name AS actor_name, a.action, a.before, a.after FROM audit_entries a JOIN users u ON u.id = a.actor_id
        WHERE a.subject_kind = 'product' AND a.subject_id = $1 ORDER BY a.seq DESC LIMIT 30";
    let id = product.to_string();
    Ok(sql!(conn, c => sqlx::query_as::<_, HistoryRow>(SQL).bind(id).fetch_all(c).await)?)
}

#[derive(Clone, Debug, FromRow)]
pub struct MovementRow {
    pub at: i64,
    pub sku: String,
    pub kind: String,
    pub reason: Option<String>,
    pub note: String,
    pub quantity: i64,
    pub order_number: Option<String>,
    pub actor_name: Option<String>,
}

/// The latest movements of a product's stock, newest first.
pub async fn list_movements(conn: &mut Conn<'_>, product: Uuid) -> Result<Vec<MovementRow>, DbError> {
    // Of each variant no more than could be shown: it may have been sold for years.
    const OF_VARIANT: &str = "FROM stock_movements x WHERE x.variant_id = v.id ORDER BY x.at DESC, x.id DESC LIMIT 50";
    let newest = match conn {
        Conn::Sqlite(_) => format!("stock_movements m ON m.id IN (SELECT x.id {OF_VARIANT})"),
        // Asked the same, PostgreSQL would look at the movements of all products.
        Conn::Postgres(_) => format!("LATERAL (SELECT x.* {OF_VARIANT}) m ON TRUE"),
    };
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT m.at, m.sku, m.kind, m.reason, m.note, m.quantity, o.number AS order_number, u.name AS actor_name
        FROM (SELECT m.*, v.sku FROM product_variants v JOIN {newest}
            WHERE v.product_id = $1 ORDER BY m.at DESC, m.id DESC LIMIT 50) m
        LEFT JOIN orders o ON o.id = m.order_id LEFT JOIN users u ON u.id = m.actor_id
        ORDER BY m.at DESC, m.id DESC"
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, MovementRow>(sql).bind(product).fetch_all(c).await)?)
}
