//! All SQL of orders.

use std::collections::HashMap;

use shop_base::db::{Conn, DbError, Lock, PushIds};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::CancelReason;
use super::rows::{Adjustment, Canceled, Contents, HistoryEntry, Line, Order, TaxLine};
use crate::sales::status::{FulfillmentStatus, PaymentStatus};

const COLUMNS: &str =
    "id, number, checkout_id, user_id, email, phone, status, payment_status, fulfillment_status, currency,
    subtotal, discount_total, shipping_total, tax_total, total, shipping_method, shipping_name, picked_up, address,
    adult_signature, compliance, age_proof, attempt_id, promo_code, attention, cancel_reason, version, created_at,
    placed_at";

/// Creates an empty draft for a checkout. False if the checkout already has an order, or the number is taken.
pub async fn insert_draft(
    conn: &mut Conn<'_>,
    id: Uuid,
    number: &str,
    token: &str,
    checkout: Uuid,
    now: i64,
) -> Result<bool, DbError> {
    const SQL: &str = "INSERT INTO orders (id, number, token, checkout_id, email, phone, status, payment_status,
        fulfillment_status, currency, subtotal, discount_total, shipping_total, tax_total, total, shipping_method,
        shipping_name, picked_up, address, adult_signature, compliance, age_proof, version, created_at, updated_at)
        VALUES ($1, $2, $3, $4, '', '', 'draft', 'not_paid', 'unfulfilled', 'USD', 0, 0, 0, 0, 0, '', '', FALSE, '{}', FALSE,
        '{}', '{}', 0, $5, $5) ON CONFLICT DO NOTHING";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(id).bind(number).bind(token).bind(checkout).bind(now).execute(c).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// Locks an order until the transaction ends. Writing the version unchanged locks the row on both databases.
pub async fn lock_order(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Order>, DbError> {
    conn.takes(Lock::Order(id));
    let sql = format!("UPDATE orders SET version = version WHERE id = $1 RETURNING {COLUMNS}");
    one(conn, sql, id).await
}

/// Locks the order of a checkout until the transaction ends.
pub async fn lock_checkout(conn: &mut Conn<'_>, checkout: Uuid) -> Result<Option<Order>, DbError> {
    let sql = format!("UPDATE orders SET version = version WHERE checkout_id = $1 RETURNING {COLUMNS}");
    let order = one(conn, sql, checkout).await?;
    taken(conn, order)
}

pub async fn find_order(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Order>, DbError> {
    one(conn, format!("SELECT {COLUMNS} FROM orders WHERE id = $1"), id).await
}

pub async fn find_by_checkout(conn: &mut Conn<'_>, checkout: Uuid) -> Result<Option<Order>, DbError> {
    one(conn, format!("SELECT {COLUMNS} FROM orders WHERE checkout_id = $1"), checkout).await
}

/// What a user's drafts that were made since a time hold, with their checkouts, but for those of draft orders. An expression of the status has
/// no index and SQLite keeps the order of a cross join, so it reads neither the drafts nor the holds of everybody.
pub async fn list_held(conn: &mut Conn<'_>, user: Uuid, since: i64) -> Result<Vec<(Uuid, Uuid, i64)>, DbError> {
    const SQL: &str = "SELECT o.checkout_id, r.variant_id, r.quantity
        FROM orders o CROSS JOIN stock_reservations r
        WHERE o.user_id = $1 AND o.created_at >= $2 AND o.status || '' = 'draft'
            AND r.order_id = o.id AND r.state || '' = 'held'
            AND NOT EXISTS (SELECT 1 FROM draft_orders d WHERE d.checkout_id = o.checkout_id)";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(user).bind(since).fetch_all(c).await)?)
}

/// Locks the order with this number until the transaction ends.
pub async fn lock_number(conn: &mut Conn<'_>, number: &str) -> Result<Option<Order>, DbError> {
    let sql = format!("UPDATE orders SET version = version WHERE number = $1 RETURNING {COLUMNS}");
    let order = by_text(conn, sql, number).await?;
    taken(conn, order)
}

fn taken(conn: &mut Conn<'_>, order: Option<Order>) -> Result<Option<Order>, DbError> {
    if let Some(order) = &order {
        conn.takes(Lock::Order(order.id));
    }
    Ok(order)
}

/// Increments the version for a change by staff.
pub async fn count_change(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE orders SET version = version + 1 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn find_by_number(conn: &mut Conn<'_>, number: &str) -> Result<Option<Order>, DbError> {
    by_text(conn, format!("SELECT {COLUMNS} FROM orders WHERE number = $1"), number).await
}

async fn by_text(conn: &mut Conn<'_>, sql: String, text: &str) -> Result<Option<Order>, DbError> {
    let sql = sqlx::AssertSqlSafe(sql);
    Ok(sql!(conn, c => sqlx::query_as::<_, Order>(sql).bind(text).fetch_optional(c).await)?)
}

async fn one(conn: &mut Conn<'_>, sql: String, id: Uuid) -> Result<Option<Order>, DbError> {
    let sql = sqlx::AssertSqlSafe(sql);
    Ok(sql!(conn, c => sqlx::query_as::<_, Order>(sql).bind(id).fetch_optional(c).await)?)
}

/// The ids and tokens of orders whose tokens are stored themselves instead of their hashes, by ascending id.
pub async fn list_readable_tokens(
    conn: &mut Conn<'_>,
    after: Uuid,
    limit: i64,
) -> Result<Vec<(Uuid, String)>, DbError> {
    const SQL: &str = "SELECT id, token FROM orders WHERE id > $1 AND token NOT LIKE 'sha256:%' ORDER BY id LIMIT $2";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(after).bind(limit).fetch_all(c).await)?)
}

/// The order need not be locked before: nothing else changes a token.
pub async fn set_token(conn: &mut Conn<'_>, order: Uuid, token: &str) -> Result<(), DbError> {
    conn.takes(Lock::Order(order));
    const SQL: &str = "UPDATE orders SET token = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(token).execute(c).await.map(drop))?;
    Ok(())
}

/// Finds an order by its stored token.
pub async fn find_by_token(conn: &mut Conn<'_>, stored: &str) -> Result<Option<Order>, DbError> {
    by_text(conn, format!("SELECT {COLUMNS} FROM orders WHERE token = $1"), stored).await
}

/// A user's placed orders, the newest first, from the one with this time of placing and this id on.
pub async fn list_by_user(
    conn: &mut Conn<'_>,
    user: Uuid,
    (placed_at, id): (i64, Uuid),
    limit: i64,
) -> Result<Vec<Order>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM orders WHERE user_id = $1 AND (placed_at, id) <= ($2, $3)
         ORDER BY placed_at DESC, id DESC LIMIT $4"
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, Order>(sql).bind(user).bind(placed_at).bind(id).bind(limit)
        .fetch_all(c).await)?)
}

/// All orders of a user, drafts included, before the one with this time of creation and this id, the newest first.
pub async fn list_all_by_user(
    conn: &mut Conn<'_>,
    user: Uuid,
    (created_at, id): (i64, Uuid),
    limit: i64,
) -> Result<Vec<Order>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM orders WHERE user_id = $1 AND (created_at, id) < ($2, $3)
         ORDER BY created_at DESC, id DESC LIMIT $4"
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, Order>(sql).bind(user).bind(created_at).bind(id).bind(limit)
        .fetch_all(c).await)?)
}

/// Drafts that have not changed since a time.
pub async fn list_abandoned(conn: &mut Conn<'_>, before: i64, limit: i64) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str = "SELECT id FROM orders WHERE status = 'draft' AND updated_at < $1 ORDER BY updated_at LIMIT $2";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Uuid>(SQL).bind(before).bind(limit).fetch_all(c).await)?)
}

pub async fn is_abandoned(conn: &mut Conn<'_>, order: Uuid, before: i64) -> Result<bool, DbError> {
    const SQL: &str = "SELECT COUNT(*) FROM orders WHERE id = $1 AND status = 'draft' AND updated_at < $2";
    let count: i64 = sql!(conn, c => sqlx::query_scalar(SQL).bind(order).bind(before).fetch_one(c).await)?;
    Ok(count > 0)
}

/// Replaces the contents of a draft; one that is new has none.
pub async fn replace_contents(
    conn: &mut Conn<'_>,
    order: Uuid,
    is_new: bool,
    contents: &Contents,
    now: i64,
) -> Result<(), DbError> {
    const UPDATE: &str = "UPDATE orders SET user_id = $2, email = $3, phone = $4, subtotal = $5, discount_total = $6,
        shipping_total = $7, tax_total = $8, total = $9, shipping_method = $10, shipping_name = $11, picked_up = $12,
        address = $13, adult_signature = $14, compliance = $15, age_proof = $16, promo_id = $17, promo_code = $18,
        updated_at = $19 WHERE id = $1";
    const CLEAR: [&str; 3] = [
        "DELETE FROM order_tax_lines WHERE order_id = $1",
        "DELETE FROM order_adjustments WHERE order_id = $1",
        "DELETE FROM order_lines WHERE order_id = $1",
    ];
    const LINE: &str = "INSERT INTO order_lines (id, order_id, variant_id, sku, title, variant_title, href, picture,
        compliance_class, weight_grams, quantity, unit_price, discount, tax, total, position)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";
    const ADJUSTMENT: &str = "INSERT INTO order_adjustments (id, order_id, line_id, code, label, amount)
        VALUES ($1, $2, $3, $4, $5, $6)";
    sql!(&mut *conn, c => sqlx::query(UPDATE)
        .bind(order).bind(contents.user_id).bind(&contents.email).bind(&contents.phone).bind(contents.subtotal)
        .bind(contents.discount_total).bind(contents.shipping_total).bind(contents.tax_total).bind(contents.total)
        .bind(&contents.shipping_method).bind(&contents.shipping_name).bind(contents.picked_up).bind(&contents.address)
        .bind(contents.adult_signature).bind(&contents.compliance).bind(&contents.age_proof).bind(contents.promo_id)
        .bind(contents.promo_code.as_deref()).bind(now)
        .execute(c).await.map(drop))?;
    for sql in CLEAR.into_iter().filter(|_| !is_new) {
        sql!(&mut *conn, c => sqlx::query(sql).bind(order).execute(c).await.map(drop))?;
    }
    for (line, position) in contents.lines.iter().zip(0_i64..) {
        sql!(&mut *conn, c => sqlx::query(LINE)
            .bind(line.id).bind(order).bind(line.variant_id).bind(&line.sku).bind(&line.title).bind(&line.variant_title)
            .bind(&line.href).bind(&line.picture).bind(&line.compliance_class).bind(line.weight_grams).bind(line.quantity)
            .bind(line.unit_price).bind(line.discount).bind(line.tax).bind(line.total).bind(position)
            .execute(c).await.map(drop))?;
    }
    insert_tax_lines(conn, order, &contents.tax_lines).await?;
    for adjustment in &contents.adjustments {
        sql!(&mut *conn, c => sqlx::query(ADJUSTMENT).bind(adjustment.id).bind(order).bind(adjustment.line_id)
            .bind(&adjustment.code).bind(&adjustment.label).bind(adjustment.amount).execute(c).await.map(drop))?;
    }
    Ok(())
}

async fn insert_tax_lines(conn: &mut Conn<'_>, order: Uuid, taxes: &[TaxLine]) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO order_tax_lines (id, order_id, line_id, name, rate, taxable, amount)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    for tax in taxes {
        sql!(&mut *conn, c => sqlx::query(SQL).bind(tax.id).bind(order).bind(tax.line_id).bind(&tax.name).bind(tax.rate)
            .bind(tax.taxable).bind(tax.amount).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Replaces the taxes of shipping and of lines that are not fully canceled; fully canceled lines keep theirs.
pub async fn replace_tax_lines(conn: &mut Conn<'_>, order: Uuid, taxes: &[TaxLine]) -> Result<(), DbError> {
    const CLEAR: &str = "DELETE FROM order_tax_lines WHERE order_id = $1 AND (line_id IS NULL
        OR line_id IN (SELECT id FROM order_lines WHERE order_id = $1 AND canceled < quantity))";
    sql!(&mut *conn, c => sqlx::query(CLEAR).bind(order).execute(c).await.map(drop))?;
    insert_tax_lines(conn, order, taxes).await
}

pub async fn list_lines(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Line>, DbError> {
    const SQL: &str =
        "SELECT id, variant_id, sku, title, variant_title, href, picture, compliance_class, weight_grams, quantity,
        unit_price, discount, tax, total, canceled FROM order_lines WHERE order_id = $1 ORDER BY position";
    Ok(sql!(conn, c => sqlx::query_as::<_, Line>(SQL).bind(order).fetch_all(c).await)?)
}

/// A row with the order that it belongs to.
#[derive(FromRow)]
struct Of<T> {
    order_id: Uuid,
    #[sqlx(flatten)]
    row: T,
}

/// Groups rows by order and keeps their order.
fn by_order<T>(rows: Vec<Of<T>>) -> HashMap<Uuid, Vec<T>> {
    let mut orders: HashMap<Uuid, Vec<T>> = HashMap::new();
    for Of { order_id, row } in rows {
        orders.entry(order_id).or_default().push(row);
    }
    orders
}

/// Rows of these orders, each with its order.
macro_rules! of_orders {
    ($conn:expr, $row:ty, $select:expr, $orders:expr, $tail:expr) => {
        sql!($conn, c => {
            let mut query = sqlx::QueryBuilder::new($select);
            query.push(" WHERE order_id").push_ids($orders).push($tail);
            query.build_query_as::<Of<$row>>().fetch_all(c).await
        })
    };
}

/// The lines of these orders, by position.
pub async fn list_lines_of_all(conn: &mut Conn<'_>, orders: &[Uuid]) -> Result<HashMap<Uuid, Vec<Line>>, DbError> {
    const SQL: &str = "SELECT order_id, id, variant_id, sku, title, variant_title, href, picture, compliance_class,
        weight_grams, quantity, unit_price, discount, tax, total, canceled FROM order_lines";
    Ok(by_order(of_orders!(conn, Line, SQL, orders, " ORDER BY order_id, position")?))
}

/// The taxes of these orders.
pub async fn list_tax_lines_of_all(
    conn: &mut Conn<'_>,
    orders: &[Uuid],
) -> Result<HashMap<Uuid, Vec<TaxLine>>, DbError> {
    const SQL: &str = "SELECT order_id, id, line_id, name, rate, taxable, amount FROM order_tax_lines";
    Ok(by_order(of_orders!(conn, TaxLine, SQL, orders, " ORDER BY order_id, id")?))
}

/// What their buyers may read of the history of these orders, each in chronological order.
pub async fn list_public_history_of_all(
    conn: &mut Conn<'_>,
    orders: &[Uuid],
) -> Result<HashMap<Uuid, Vec<HistoryEntry>>, DbError> {
    const SQL: &str = "SELECT order_id, id, at, actor, kind, data, is_public FROM order_history";
    Ok(by_order(of_orders!(conn, HistoryEntry, SQL, orders, " AND is_public ORDER BY order_id, at, id")?))
}

pub async fn list_bought_together(
    conn: &mut Conn<'_>,
    since: i64,
    orders: i64,
    least: i64,
) -> Result<Vec<(Uuid, Uuid, i64)>, DbError> {
    const SQL: &str = "WITH newest AS (
            SELECT id FROM orders WHERE placed_at >= $1 AND status <> 'canceled' ORDER BY placed_at DESC LIMIT $2
        ), bought AS (
            SELECT DISTINCT n.id AS order_id, v.product_id AS product_id FROM newest n
            JOIN order_lines l ON l.order_id = n.id JOIN product_variants v ON v.id = l.variant_id
        )
        SELECT a.product_id, b.product_id, COUNT(*) FROM bought a
        JOIN bought b ON b.order_id = a.order_id AND b.product_id <> a.product_id
        GROUP BY a.product_id, b.product_id HAVING COUNT(*) >= $3";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(since).bind(orders).bind(least).fetch_all(c).await)?)
}

pub async fn list_tax_lines(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<TaxLine>, DbError> {
    const SQL: &str =
        "SELECT id, line_id, name, rate, taxable, amount FROM order_tax_lines WHERE order_id = $1 ORDER BY id";
    Ok(sql!(conn, c => sqlx::query_as::<_, TaxLine>(SQL).bind(order).fetch_all(c).await)?)
}

pub async fn list_adjustments(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Adjustment>, DbError> {
    const SQL: &str = "SELECT id, line_id, code, label, amount FROM order_adjustments WHERE order_id = $1 ORDER BY id";
    Ok(sql!(conn, c => sqlx::query_as::<_, Adjustment>(SQL).bind(order).fetch_all(c).await)?)
}

pub async fn set_payment_status(
    conn: &mut Conn<'_>,
    order: Uuid,
    status: PaymentStatus,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE orders SET payment_status = $2, updated_at = $3 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(status.text()).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn set_placed(conn: &mut Conn<'_>, order: Uuid, attempt: Option<Uuid>, now: i64) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE orders SET status = 'placed', attempt_id = $2, placed_at = $3, updated_at = $3 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(attempt).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Replaces the attempt with which a placed order is paid.
pub async fn set_attempt(conn: &mut Conn<'_>, order: Uuid, attempt: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE orders SET attempt_id = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(attempt).execute(c).await.map(drop))?;
    Ok(())
}

/// The shop does not read `canceled_at`: it is for whoever reads the database.
pub async fn set_canceled(conn: &mut Conn<'_>, order: Uuid, reason: CancelReason, now: i64) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE orders SET status = 'canceled', fulfillment_status = 'canceled', cancel_reason = $2, canceled_at = $3,
        updated_at = $3 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(reason.text()).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Sets or clears an order's flag for review.
pub async fn set_attention(conn: &mut Conn<'_>, order: Uuid, attention: Option<&str>, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE orders SET attention = $2, updated_at = $3 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(attention).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn insert_history(conn: &mut Conn<'_>, order: Uuid, entry: &HistoryEntry) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO order_history (id, order_id, at, actor, kind, data, is_public)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    sql!(conn, c => sqlx::query(SQL).bind(entry.id).bind(order).bind(entry.at).bind(&entry.actor).bind(&entry.kind)
        .bind(&entry.data).bind(entry.is_public).execute(c).await.map(drop))?;
    Ok(())
}

/// The history of an order, in chronological order.
pub async fn list_history(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<HistoryEntry>, DbError> {
    const SQL: &str =
        "SELECT id, at, actor, kind, data, is_public FROM order_history WHERE order_id = $1 ORDER BY at, id";
    Ok(sql!(conn, c => sqlx::query_as::<_, HistoryEntry>(SQL).bind(order).fetch_all(c).await)?)
}

/// Orders flagged for review: number and reason, the newest first.
pub async fn list_attention(conn: &mut Conn<'_>) -> Result<Vec<(String, String)>, DbError> {
    const SQL: &str =
        "SELECT number, attention FROM orders WHERE attention IS NOT NULL ORDER BY updated_at DESC LIMIT 500";
    Ok(sql!(conn, c => sqlx::query_as(SQL).fetch_all(c).await)?)
}

pub async fn set_fulfillment_status(
    conn: &mut Conn<'_>,
    order: Uuid,
    status: FulfillmentStatus,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE orders SET fulfillment_status = $2, updated_at = $3 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(status.text()).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Adds to the canceled quantity of a line.
pub async fn cancel_line(conn: &mut Conn<'_>, line: Uuid, quantity: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE order_lines SET canceled = canceled + $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(line).bind(quantity).execute(c).await.map(drop))?;
    Ok(())
}

/// Stores a new delivery address with its compliance decision.
pub async fn set_address(
    conn: &mut Conn<'_>,
    order: Uuid,
    address: &str,
    adult_signature: bool,
    compliance: &str,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE orders SET address = $2, adult_signature = $3, compliance = $4 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(address).bind(adult_signature).bind(compliance)
        .execute(c).await.map(drop))?;
    Ok(())
}

pub async fn set_archived(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE orders SET status = 'archived' WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).execute(c).await.map(drop))?;
    Ok(())
}

/// Never paid, unchanged since `$1`, not flagged for review, and without refunds, fulfillments or held stock. One that was placed for nothing
/// counts as paid, whatever its status says: former releases stored another when it was canceled.
const UNPAID: &str = "o.attention IS NULL AND o.updated_at < $1 AND NOT (o.total = 0 AND o.placed_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE a.order_id = o.id AND a.status NOT IN ('declined', 'voided'))
    AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.id)
    AND NOT EXISTS (SELECT 1 FROM fulfillments f WHERE f.order_id = o.id)
    AND NOT EXISTS (SELECT 1 FROM stock_reservations s WHERE s.order_id = o.id AND s.state = 'held')";

/// The next canceled orders before a time, by time of creation.
pub async fn list_canceled(
    conn: &mut Conn<'_>,
    before: i64,
    (created_at, id): (i64, Uuid),
    limit: i64,
) -> Result<Vec<Canceled>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT o.id, o.created_at, CASE WHEN {UNPAID} THEN 1 ELSE 0 END = 1 AS is_unpaid FROM orders o
         WHERE o.status = 'canceled' AND o.created_at < $1 AND (o.created_at, o.id) > ($2, $3)
         ORDER BY o.created_at, o.id LIMIT $4"
    ));
    Ok(sql!(conn, c => sqlx::query_as(sql).bind(before).bind(created_at).bind(id).bind(limit).fetch_all(c).await)?)
}

pub async fn is_unpaid(conn: &mut Conn<'_>, order: Uuid, before: i64) -> Result<bool, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT COUNT(*) FROM orders o WHERE {UNPAID} AND o.id = $2 AND o.status = 'canceled'"
    ));
    let count: i64 = sql!(conn, c => sqlx::query_scalar(sql).bind(before).bind(order).fetch_one(c).await)?;
    Ok(count == 1)
}

pub async fn delete_order(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM orders WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).execute(c).await.map(drop))?;
    Ok(())
}

/// Nothing is left to do: the goods have arrived or never will, and no payment is pending. Packages that left before `$1` count as arrived,
/// since nobody has to record a delivery.
const CLOSED: &str = "o.attention IS NULL AND (o.status IN ('canceled', 'archived')
        OR (o.status = 'placed' AND o.fulfillment_status IN ('fulfilled', 'delivered', 'canceled')))
    AND NOT EXISTS (SELECT 1 FROM fulfillments f WHERE f.order_id = o.id
        AND f.kind = 'parcel' AND f.delivered_at IS NULL AND f.shipped_at >= $1)
    AND NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE a.order_id = o.id
        AND a.status IN ('sending', 'unknown', 'due', 'authorized', 'voiding'))
    AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.id AND r.status = 'pending')
    AND NOT EXISTS (SELECT 1 FROM returns t WHERE t.order_id = o.id AND t.status IN ('requested', 'approved', 'received'))";

pub async fn is_closed(conn: &mut Conn<'_>, order: Uuid, arrived_before: i64) -> Result<bool, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM orders o WHERE o.id = $2 AND {CLOSED}"));
    let count: i64 = sql!(conn, c => sqlx::query_scalar(sql).bind(arrived_before).bind(order).fetch_one(c).await)?;
    Ok(count == 1)
}

pub async fn list_closed_of(conn: &mut Conn<'_>, user: Uuid, arrived_before: i64) -> Result<Vec<Uuid>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT o.id FROM orders o WHERE o.user_id = $2 AND {CLOSED} ORDER BY o.id"));
    Ok(sql!(conn, c => sqlx::query_scalar(sql).bind(arrived_before).bind(user).fetch_all(c).await)?)
}

/// What tells of the buyer of an order: its own columns, or what was written, paid or reported after these were erased.
const TELLING: &str = "(o.email <> ''
    OR EXISTS (SELECT 1 FROM order_history h WHERE h.order_id = o.id AND h.data LIKE '%\"text\":%')
    OR EXISTS (SELECT 1 FROM returns t WHERE t.order_id = o.id AND (t.reason <> '' OR t.message <> ''))
    OR EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.id AND r.reason <> '')
    OR EXISTS (SELECT 1 FROM payment_attempts a WHERE a.order_id = o.id
        AND (a.network <> '' OR a.card_fingerprint IS NOT NULL))
    OR EXISTS (SELECT 1 FROM draft_orders d WHERE d.order_id = o.id AND d.user_id IS NULL))";

/// The next closed orders of erased accounts that still contain their buyer's data, by id. SQLite reads tables in a cross join in its
/// order: the few accounts first, not all closed orders.
pub async fn list_erasable(
    conn: &mut Conn<'_>,
    arrived_before: i64,
    after: Uuid,
    limit: i64,
) -> Result<Vec<Uuid>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT o.id FROM users u CROSS JOIN orders o WHERE u.deleted_at IS NOT NULL AND o.user_id = u.id
         AND o.id > $2 AND {TELLING} AND {CLOSED} ORDER BY o.id LIMIT $3"
    ));
    Ok(sql!(conn, c => sqlx::query_scalar(sql).bind(arrived_before).bind(after).bind(limit).fetch_all(c).await)?)
}

/// Replaces the buyer's data with the tax-relevant place. The checkout id is random and stays.
pub async fn erase_buyer(conn: &mut Conn<'_>, order: Uuid, place: &str) -> Result<(), DbError> {
    const SQL: &str = "UPDATE orders SET email = '', phone = '', address = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(place).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn set_history_data(conn: &mut Conn<'_>, entry: Uuid, data: &str) -> Result<(), DbError> {
    const SQL: &str = "UPDATE order_history SET data = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(entry).bind(data).execute(c).await.map(drop))?;
    Ok(())
}
