//! SQL of the searches for goods and buyers.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use shop_base::address::Address;
use shop_base::db::list::{Filter, Statement, Value, statement};
use shop_base::db::{Conn, DbError, list};
use shop_base::fetch_all;
use shop_platform::staff_search::model::{Kind, terms};
use shop_platform::staff_search::service::narrow;
use sqlx::FromRow;
use uuid::Uuid;

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

/// An account for which an order can be created.
#[derive(Clone, Debug, FromRow)]
pub struct BuyerRow {
    pub id: Uuid,
    pub name: String,
    pub email: String,
    pub email_verified: bool,
    pub phone: String,
}

pub async fn list_buyers(conn: &mut Conn<'_>, typed: &str) -> Result<Vec<BuyerRow>, DbError> {
    const SELECT: &str = "SELECT u.id, u.name, u.email, u.email_verified, u.phone FROM users u";
    let mut filter = Filter::default();
    filter.and("u.deleted_at IS NULL AND u.blocked_at IS NULL", []);
    narrow(conn, &mut filter, Kind::Customer, "u.id", typed).await?;
    let filter = list::first(conn, "users u", filter).await?;
    Ok(fetch_all!(conn, BuyerRow, statement(SELECT, &filter, " ORDER BY u.name, u.id LIMIT 8"))?)
}

#[derive(FromRow)]
struct AddressRow {
    user_id: Uuid,
    first_name: String,
    last_name: String,
    company: String,
    line1: String,
    line2: String,
    city: String,
    state: String,
    postal_code: String,
    phone: String,
}

/// The default address of each user, or else the newest.
pub async fn list_addresses(conn: &mut Conn<'_>, users: &[Uuid]) -> Result<HashMap<Uuid, Address>, DbError> {
    const SELECT: &str = "SELECT user_id, first_name, last_name, company, line1, line2, city, state, postal_code, phone
        FROM addresses";
    if users.is_empty() {
        return Ok(HashMap::new());
    }
    let mut filter = Filter::default();
    filter.and_any("user_id", users.iter().map(|id| Value::Id(*id)));
    // Of each user the last row stays.
    let rows = fetch_all!(conn, AddressRow, statement(SELECT, &filter, " ORDER BY is_default, created_at, id"))?;
    let address = |row: AddressRow| Address {
        first_name: row.first_name,
        last_name: row.last_name,
        company: row.company,
        line1: row.line1,
        line2: row.line2,
        city: row.city,
        state: row.state,
        postal_code: row.postal_code,
        phone: row.phone,
    };
    Ok(rows.into_iter().map(|row| (row.user_id, address(row))).collect())
}
