//! Thousands of rows like the first, as years leave them.

use shop_base::db::Db;
use shop_base::sql;

/// Milliseconds before today, in SQL: longer ago than any report or limit looks back.
pub const LONG_AGO: &str = "200 * 24 * 60 * 60 * 1000";

pub const PAST_ORDERS: u32 = 3_000;

pub async fn strings(db: &Db, statement: String) -> Vec<String> {
    let mut reader = db.read().await.unwrap();
    let sql = sqlx::AssertSqlSafe(statement);
    sql!(&mut reader.conn(), c => sqlx::query_scalar(sql).fetch_all(c).await).unwrap()
}

/// Copies a row of the table for each row of `of`, with other values in the columns that identify it, and long ago.
pub async fn copy(db: &Db, table: &str, of: &str, values: &[(&str, &str)]) {
    copy_from(db, LONG_AGO, table, of, values).await;
}

/// As [`copy`], from so many milliseconds ago.
pub async fn copy_from(db: &Db, ago: &str, table: &str, of: &str, values: &[(&str, &str)]) {
    let names = strings(db, format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid")).await;
    let chosen = names.iter().map(|name| match values.iter().find(|(column, _)| column == name) {
        Some((_, value)) => (*value).to_owned(),
        None if name.ends_with("_at") => format!("copied.{name} - {ago}"),
        None => format!("copied.{name}"),
    });
    let statement = format!(
        "INSERT INTO {table} ({}) SELECT {} FROM ({of}) AS n, (SELECT * FROM {table} LIMIT 1) AS copied",
        names.join(", "),
        chosen.collect::<Vec<_>>().join(", "),
    );
    let mut tx = db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query(sqlx::AssertSqlSafe(statement)).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

/// A row `i` for each of these numbers, in SQL.
pub fn numbers(from: u32, to: u32) -> String {
    format!("WITH RECURSIVE n (i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM n WHERE i < {to}) SELECT i FROM n")
}

/// Orders like the first, paid like it, and sent.
pub async fn add_past_orders(db: &Db) {
    add_orders(db, LONG_AGO, "'fulfilled'").await;
}

pub async fn add_orders(db: &Db, ago: &str, fulfillment: &str) {
    let id = ("id", "randomblob(16)");
    // One after the other, as they are listed.
    let created_at = format!("copied.created_at - {ago} - n.i");
    let order = [
        id,
        ("created_at", &*created_at),
        ("number", "'PAST-' || n.i"),
        ("token", "'past-' || n.i"),
        ("checkout_id", "randomblob(16)"),
        ("fulfillment_status", fulfillment),
    ];
    copy_from(db, ago, "orders", &numbers(1, PAST_ORDERS), &order).await;
    let payment = [
        id,
        ("order_id", "n.id"),
        ("click_id", "randomblob(16)"),
        ("idempotency_key", "'past-' || n.number"),
        ("provider_payment_id", "'past-' || n.number"),
    ];
    let orders = "SELECT id, number FROM orders WHERE number LIKE 'PAST-%'";
    copy_from(db, ago, "payment_attempts", orders, &payment).await;
    copy_from(db, ago, "order_lines", orders, &[id, ("order_id", "n.id")]).await;
}
