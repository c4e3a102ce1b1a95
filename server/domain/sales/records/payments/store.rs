//! All SQL of payments.

use shop_base::db::{Conn, DbError, Lock, PushIds};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::Records;
use super::provider::{Dispute, ProviderName};
use super::rows::{Attempt, Refund, RefundLine, Watermark, WebhookEvent};
use crate::disputes::IS_RECLAIMED;

const COLUMNS: &str =
    "id, order_id, click_id, number, provider, idempotency_key, amount, currency, status, provider_payment_id,
    provider_version, card_brand, card_last_4, card_fingerprint, decline_code, decline_message, refunded,
    provider_updated_at, network, user_id, absent_at, look_at, looks, tender, created_at, updated_at";

pub async fn insert_attempt(conn: &mut Conn<'_>, attempt: &Attempt) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO payment_attempts (id, order_id, click_id, number, provider, idempotency_key, amount, currency,
        status, provider_updated_at, refunded, network, user_id, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, $10, $11, $12, $12)";
    sql!(conn, c => sqlx::query(SQL).bind(attempt.id).bind(attempt.order_id).bind(attempt.click_id).bind(attempt.number)
        .bind(attempt.provider.text()).bind(&attempt.idempotency_key).bind(attempt.amount).bind(&attempt.currency)
        .bind(attempt.status.text()).bind(&attempt.network).bind(attempt.user_id).bind(attempt.created_at)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Stores an attempt's state as last reported by the provider.
pub async fn update_attempt(conn: &mut Conn<'_>, attempt: &Attempt, now: i64) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE payment_attempts SET status = $2, provider_payment_id = $3, provider_version = $4, card_brand = $5,
        card_last_4 = $6, decline_code = $7, decline_message = $8, refunded = $9, absent_at = $10, updated_at = $11,
        tender = $12, card_fingerprint = $13, look_at = $14, looks = $15, provider_updated_at = $16,
        captured_at = CASE WHEN $2 = 'captured' AND status <> 'captured' THEN $11 ELSE captured_at END WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(attempt.id).bind(attempt.status.text())
        .bind(attempt.provider_payment_id.as_deref()).bind(attempt.provider_version.as_deref())
        .bind(attempt.card_brand.as_deref()).bind(attempt.card_last_4.as_deref())
        .bind(attempt.decline_code.as_deref()).bind(attempt.decline_message.as_deref())
        .bind(attempt.refunded).bind(attempt.absent_at).bind(now).bind(attempt.tender.as_deref())
        .bind(attempt.card_fingerprint.as_deref()).bind(attempt.look_at).bind(attempt.looks)
        .bind(attempt.provider_updated_at)
        .execute(c).await.map(drop))?;
    Ok(())
}

pub async fn find_attempt(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Attempt>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {COLUMNS} FROM payment_attempts WHERE id = $1"));
    Ok(sql!(conn, c => sqlx::query_as::<_, Attempt>(sql).bind(id).fetch_optional(c).await)?)
}

pub async fn find_by_payment(
    conn: &mut Conn<'_>,
    provider: ProviderName,
    payment_id: &str,
) -> Result<Option<Attempt>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM payment_attempts WHERE provider = $1 AND provider_payment_id = $2"
    ));
    Ok(
        sql!(conn, c => sqlx::query_as::<_, Attempt>(sql).bind(provider.text()).bind(payment_id).fetch_optional(c).await)?,
    )
}

/// An order's attempts, the oldest first.
pub async fn list_attempts(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Attempt>, DbError> {
    let sql =
        sqlx::AssertSqlSafe(format!("SELECT {COLUMNS} FROM payment_attempts WHERE order_id = $1 ORDER BY number"));
    Ok(sql!(conn, c => sqlx::query_as::<_, Attempt>(sql).bind(order).fetch_all(c).await)?)
}

/// The attempts of these orders, the oldest of each order first.
pub async fn list_attempts_of_all(conn: &mut Conn<'_>, orders: &[Uuid]) -> Result<Vec<Attempt>, DbError> {
    Ok(sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new(format!("SELECT {COLUMNS} FROM payment_attempts WHERE order_id"));
        query.push_ids(orders).push(" ORDER BY order_id, number");
        query.build_query_as::<Attempt>().fetch_all(c).await
    })?)
}

/// Attempts by their ids.
pub async fn list_by_id(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<Vec<Attempt>, DbError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new(format!("SELECT {COLUMNS} FROM payment_attempts WHERE id"));
        query.push_ids(ids);
        query.build_query_as::<Attempt>().fetch_all(c).await
    })?)
}

/// Which attempts are due for a check. Times are UTC milliseconds; later ones than are possible were stored by a clock that was ahead.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    pub now: i64,
    /// Attempts that have changed since are not due.
    pub unchanged_since: i64,
    /// The latest possible time of a next check.
    pub latest_look: i64,
    /// The latest possible time of a change.
    pub latest_change: i64,
}

/// Attempts without an outcome that are due for a check, the most overdue first.
pub async fn list_interrupted(conn: &mut Conn<'_>, due: Due, limit: i64) -> Result<Vec<Attempt>, DbError> {
    list_due(conn, "status IN ('sending', 'unknown')", due, limit).await
}

/// Attempts waiting for a job to capture or void them that are due for a check, the most overdue first.
pub async fn list_forgotten(conn: &mut Conn<'_>, due: Due, limit: i64) -> Result<Vec<Attempt>, DbError> {
    list_due(conn, "status IN ('authorized', 'voiding')", due, limit).await
}

async fn list_due(conn: &mut Conn<'_>, statuses: &str, due: Due, limit: i64) -> Result<Vec<Attempt>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM payment_attempts WHERE {statuses} AND (look_at <= $1 OR look_at > $3)
        AND (updated_at <= $2 OR updated_at > $4) ORDER BY look_at, updated_at, id LIMIT $5"
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, Attempt>(sql).bind(due.now).bind(due.unchanged_since).bind(due.latest_look)
        .bind(due.latest_change).bind(limit).fetch_all(c).await)?)
}

/// Sets an attempt's next check and its number of failed checks.
pub async fn set_look(conn: &mut Conn<'_>, attempt: Uuid, look_at: i64, looks: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE payment_attempts SET look_at = $2, looks = $3 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(attempt).bind(look_at).bind(looks).execute(c).await.map(drop))?;
    Ok(())
}

const REFUND_COLUMNS: &str =
    "id, order_id, attempt_id, idempotency_key, request_id, amount, shipping, extra, tax, reason, status,
    provider_refund_id, given_as, sent_at, attention_at, created_at, updated_at";

pub async fn insert_refund(conn: &mut Conn<'_>, refund: &Refund) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO refunds (id, order_id, attempt_id, idempotency_key, request_id, amount, shipping,
        extra, tax, reason, status, given_as, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)";
    sql!(conn, c => sqlx::query(SQL).bind(refund.id).bind(refund.order_id).bind(refund.attempt_id)
        .bind(&refund.idempotency_key).bind(refund.request_id).bind(refund.amount).bind(refund.shipping)
        .bind(refund.extra).bind(refund.tax).bind(&refund.reason).bind(refund.status.text())
        .bind(refund.given_as.as_deref()).bind(refund.created_at)
        .execute(c).await.map(drop))?;
    Ok(())
}

pub async fn update_refund(conn: &mut Conn<'_>, refund: &Refund, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE refunds SET status = $2, provider_refund_id = $3, sent_at = $4, attention_at = $5,
        updated_at = $6 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(refund.id).bind(refund.status.text()).bind(refund.provider_refund_id.as_deref())
        .bind(refund.sent_at).bind(refund.attention_at).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Stores when a refund is first sent; false if it is no longer pending, or another worker has sent it meanwhile.
pub async fn set_sent(conn: &mut Conn<'_>, refund: Uuid, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE refunds SET sent_at = $2, updated_at = $2
        WHERE id = $1 AND status = 'pending' AND sent_at IS NULL";
    let rows =
        sql!(conn, c => sqlx::query(SQL).bind(refund).bind(now).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// Our refunds with these provider ids.
pub async fn list_refunds_by_provider_id(conn: &mut Conn<'_>, ids: &[String]) -> Result<Vec<Refund>, DbError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(sql!(conn, c => {
        let mut query =
            sqlx::QueryBuilder::new(format!("SELECT {REFUND_COLUMNS} FROM refunds WHERE provider_refund_id IN ("));
        let mut list = query.separated(", ");
        for id in ids {
            list.push_bind(id.clone());
        }
        query.push(")");
        query.build_query_as::<Refund>().fetch_all(c).await
    })?)
}

/// Pending refunds that are due for a check, with their orders before them.
pub async fn list_due_refunds(conn: &mut Conn<'_>, now: i64, limit: i64) -> Result<Vec<(Uuid, Uuid)>, DbError> {
    const SQL: &str = "SELECT order_id, id FROM refunds WHERE status = 'pending' AND look_at <= $1
        ORDER BY look_at, id LIMIT $2";
    Ok(sql!(conn, c => sqlx::query_as::<_, (Uuid, Uuid)>(SQL).bind(now).bind(limit).fetch_all(c).await)?)
}

/// Sets a refund's next check.
pub async fn set_refund_look(conn: &mut Conn<'_>, refund: Uuid, look_at: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE refunds SET look_at = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(refund).bind(look_at).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn find_refund(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Refund>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {REFUND_COLUMNS} FROM refunds WHERE id = $1"));
    Ok(sql!(conn, c => sqlx::query_as::<_, Refund>(sql).bind(id).fetch_optional(c).await)?)
}

/// The refund made by a click.
pub async fn find_refund_by_request(conn: &mut Conn<'_>, request: Uuid) -> Result<Option<Refund>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {REFUND_COLUMNS} FROM refunds WHERE request_id = $1"));
    Ok(sql!(conn, c => sqlx::query_as::<_, Refund>(sql).bind(request).fetch_optional(c).await)?)
}

pub async fn list_refunds(conn: &mut Conn<'_>, attempt: Uuid) -> Result<Vec<Refund>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {REFUND_COLUMNS} FROM refunds WHERE attempt_id = $1 ORDER BY created_at, id"
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, Refund>(sql).bind(attempt).fetch_all(c).await)?)
}

/// The refunds of all attempts of an order.
pub async fn list_refunds_of_order(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Refund>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {REFUND_COLUMNS} FROM refunds WHERE order_id = $1 ORDER BY created_at, id"
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, Refund>(sql).bind(order).fetch_all(c).await)?)
}

pub async fn insert_refund_line(conn: &mut Conn<'_>, line: &RefundLine) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO refund_lines (refund_id, line_id, quantity, amount, tax, of_shipped)
        VALUES ($1, $2, $3, $4, $5, $6)";
    sql!(conn, c => sqlx::query(SQL).bind(line.refund_id).bind(line.line_id).bind(line.quantity).bind(line.amount)
        .bind(line.tax).bind(line.of_shipped).execute(c).await.map(drop))?;
    Ok(())
}

/// The lines of an order's refunds.
pub async fn list_refund_lines(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<RefundLine>, DbError> {
    const SQL: &str = "SELECT l.refund_id, l.line_id, l.quantity, l.amount, l.tax, l.of_shipped FROM refund_lines l
        JOIN refunds r ON r.id = l.refund_id JOIN order_lines o ON o.id = l.line_id
        WHERE r.order_id = $1 ORDER BY o.position";
    Ok(sql!(conn, c => sqlx::query_as::<_, RefundLine>(SQL).bind(order).fetch_all(c).await)?)
}

/// Stores an event; false if it is already stored.
pub async fn insert_webhook(conn: &mut Conn<'_>, event: &WebhookEvent) -> Result<bool, DbError> {
    const SQL: &str = "INSERT INTO webhook_events (provider, event_id, kind, subject, body, received_at)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(&event.provider).bind(&event.event_id).bind(&event.kind)
        .bind(&event.subject).bind(&event.body).bind(event.received_at).execute(c).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// An event that has not been processed yet.
pub async fn find_webhook(
    conn: &mut Conn<'_>,
    provider: &str,
    event_id: &str,
    kind: &str,
) -> Result<Option<WebhookEvent>, DbError> {
    const SQL: &str = "SELECT provider, event_id, kind, subject, body, received_at FROM webhook_events
        WHERE provider = $1 AND event_id = $2 AND kind = $3 AND processed_at IS NULL";
    Ok(sql!(conn, c => sqlx::query_as::<_, WebhookEvent>(SQL).bind(provider).bind(event_id).bind(kind)
        .fetch_optional(c).await)?)
}

pub async fn set_processed(conn: &mut Conn<'_>, event: &WebhookEvent, outcome: &str, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE webhook_events SET processed_at = $4, outcome = $5
        WHERE provider = $1 AND event_id = $2 AND kind = $3";
    sql!(conn, c => sqlx::query(SQL).bind(&event.provider).bind(&event.event_id).bind(&event.kind).bind(now).bind(outcome)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Marks an event as unprocessed again; false if there is none.
pub async fn reopen_webhook(conn: &mut Conn<'_>, provider: &str, event_id: &str, kind: &str) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE webhook_events SET processed_at = NULL, outcome = NULL
        WHERE provider = $1 AND event_id = $2 AND kind = $3";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(provider).bind(event_id).bind(kind).execute(c).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

pub async fn find_watermark(
    conn: &mut Conn<'_>,
    provider: ProviderName,
    records: Records,
) -> Result<Option<Watermark>, DbError> {
    const SQL: &str =
        "SELECT position, newest, checked_at FROM provider_watermarks WHERE provider = $1 AND records = $2";
    Ok(sql!(conn, c => sqlx::query_as::<_, Watermark>(SQL).bind(provider.text()).bind(records.text())
        .fetch_optional(c).await)?)
}

/// Inserts the first watermark, unless there is one.
pub async fn insert_watermark(
    conn: &mut Conn<'_>,
    provider: ProviderName,
    records: Records,
    position: i64,
) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO provider_watermarks (provider, records, position, newest, checked_at)
        VALUES ($1, $2, $3, $3, 0) ON CONFLICT DO NOTHING";
    sql!(conn, c => sqlx::query(SQL).bind(provider.text()).bind(records.text()).bind(position).execute(c).await.map(drop))?;
    Ok(())
}

/// Moves a watermark if it is still at `from`; false if another worker has moved it.
pub async fn move_watermark(
    conn: &mut Conn<'_>,
    provider: ProviderName,
    records: Records,
    from: i64,
    to: &Watermark,
) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE provider_watermarks SET position = $4, newest = $5, checked_at = $6
        WHERE provider = $1 AND records = $2 AND position = $3";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(provider.text()).bind(records.text()).bind(from).bind(to.position)
        .bind(to.newest).bind(to.checked_at).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// When the oldest unfinished attempt was created, UTC milliseconds.
pub async fn oldest_unfinished(conn: &mut Conn<'_>) -> Result<Option<i64>, DbError> {
    const SQL: &str = "SELECT MIN(created_at) FROM payment_attempts
        WHERE status IN ('sending', 'unknown', 'authorized', 'voiding')";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Option<i64>>(SQL).fetch_one(c).await)?)
}

/// Stores the state of a dispute; false if it is unchanged, or a later one is stored: two workers may have asked for it at the same time.
pub async fn put_dispute(conn: &mut Conn<'_>, attempt: &Attempt, dispute: &Dispute, now: i64) -> Result<bool, DbError> {
    const SQL: &str =
        "INSERT INTO disputes (provider, provider_dispute_id, order_id, attempt_id, state, reason, amount,
        due_at, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (provider, provider_dispute_id) DO UPDATE SET state = excluded.state, reason = excluded.reason,
        amount = excluded.amount, due_at = excluded.due_at, updated_at = excluded.updated_at
        WHERE disputes.state <> excluded.state AND disputes.updated_at <= excluded.updated_at";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(attempt.provider.text()).bind(&dispute.id).bind(attempt.order_id)
        .bind(attempt.id).bind(&dispute.state).bind(&dispute.reason).bind(dispute.amount.amount).bind(dispute.due_at)
        .bind(now).bind(dispute.updated_at).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// The sum of an attempt's disputes that the shop has not won, minor units.
pub async fn sum_reclaimed(conn: &mut Conn<'_>, attempt: Uuid) -> Result<i64, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM disputes WHERE attempt_id = $1 AND {IS_RECLAIMED}"
    ));
    Ok(sql!(conn, c => sqlx::query_scalar(sql).bind(attempt).fetch_one(c).await)?)
}

/// The same of all attempts of these orders, by order; an order without a dispute is left out.
pub async fn sum_reclaimed_of_all(conn: &mut Conn<'_>, orders: &[Uuid]) -> Result<Vec<(Uuid, i64)>, DbError> {
    const SUMS: &str = "SELECT order_id, CAST(SUM(amount) AS BIGINT) FROM disputes WHERE order_id";
    Ok(sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new(SUMS);
        query.push_ids(orders).push(format!(" AND {IS_RECLAIMED} GROUP BY order_id"));
        query.build_query_as::<(Uuid, i64)>().fetch_all(c).await
    })?)
}

/// Whether a user has an order placed before a time (UTC milliseconds) and not canceled, for which the shop has taken and kept money. SQLite
/// reads tables in a cross join in its order, and an expression has no index: the user's few orders first, then the payments of each.
pub async fn has_paid(conn: &mut Conn<'_>, user: Uuid, before: i64) -> Result<bool, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT EXISTS (SELECT 1 FROM orders o CROSS JOIN payment_attempts a
        WHERE o.user_id = $1 AND o.created_at < $2 AND o.placed_at < $2 AND o.status IN ('placed', 'archived')
            AND a.order_id = o.id AND a.status || '' = 'captured' AND a.amount > a.refunded
            AND NOT EXISTS (SELECT 1 FROM disputes WHERE attempt_id = a.id AND {IS_RECLAIMED}))"
    ));
    Ok(sql!(conn, c => sqlx::query_scalar::<_, bool>(sql).bind(user).bind(before).fetch_one(c).await)?)
}

/// Serializes the counting of this payer's attempts until the transaction ends. SQLite has only one writer anyway.
pub async fn lock_payer(conn: &mut Conn<'_>, payer: &str) -> Result<(), DbError> {
    conn.takes(Lock::Payer);
    if let Conn::Postgres(conn) = conn {
        const SQL: &str = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
        conn.run(sqlx::query(SQL).bind(format!("payer {payer}"))).await?;
    }
    Ok(())
}

/// Attempts of one payer: how many were refused, how many are unanswered, and the number of different cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRow)]
pub struct Tries {
    pub refused: i64,
    pub open: i64,
    pub cards: i64,
}

const TRIES: &str = "COUNT(CASE WHEN a.status = 'declined' THEN 1 END) AS refused,
    COUNT(CASE WHEN a.status IN ('sending', 'unknown') THEN 1 END) AS open,
    COUNT(DISTINCT a.card_fingerprint) AS cards";

pub async fn count_tries_of_network(conn: &mut Conn<'_>, network: &str, since: i64) -> Result<Tries, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {TRIES} FROM payment_attempts a WHERE a.network = $1 AND a.created_at >= $2 AND a.provider = 'square'"
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, Tries>(sql).bind(network).bind(since).fetch_one(c).await)?)
}

pub async fn count_tries_of_user(conn: &mut Conn<'_>, user: Uuid, since: i64) -> Result<Tries, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {TRIES} FROM payment_attempts a WHERE a.user_id = $1 AND a.created_at >= $2 AND a.provider = 'square'"
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, Tries>(sql).bind(user).bind(since).fetch_one(c).await)?)
}

/// Refused attempts of a card.
pub async fn count_refusals_of_card(conn: &mut Conn<'_>, fingerprint: &str, since: i64) -> Result<i64, DbError> {
    const SQL: &str = "SELECT COUNT(*) FROM payment_attempts
        WHERE card_fingerprint = $1 AND created_at >= $2 AND status = 'declined'";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, i64>(SQL).bind(fingerprint).bind(since).fetch_one(c).await)?)
}

/// Pieces held by an order, and by others of its network in which a payment has failed since a time, UTC milliseconds.
pub async fn count_held_of_network(
    conn: &mut Conn<'_>,
    order: Uuid,
    network: &str,
    since: i64,
) -> Result<i64, DbError> {
    const SQL: &str = "SELECT CAST(COALESCE(SUM(quantity), 0) AS BIGINT) FROM stock_reservations
        WHERE state = 'held' AND (order_id = $1 OR order_id IN (SELECT order_id FROM payment_attempts
            WHERE network = $2 AND created_at >= $3 AND provider = 'square' AND status IN ('declined', 'voided')))";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(order).bind(network).bind(since).fetch_one(c).await)?)
}

/// Attempts of the whole shop that were refused or are open, counted up to a limit.
pub async fn count_refusals(conn: &mut Conn<'_>, since: i64, limit: i64) -> Result<i64, DbError> {
    count_up_to(conn, "'declined', 'sending', 'unknown'", since, limit).await
}

/// Attempts of the whole shop that were approved, counted up to a limit.
pub async fn count_approvals(conn: &mut Conn<'_>, since: i64, limit: i64) -> Result<i64, DbError> {
    count_up_to(conn, "'authorized', 'captured'", since, limit).await
}

async fn count_up_to(conn: &mut Conn<'_>, statuses: &str, since: i64, limit: i64) -> Result<i64, DbError> {
    // As an expression, the provider has no index: without statistics SQLite would choose that one, and read all its attempts ever.
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT COUNT(*) FROM (SELECT 1 FROM payment_attempts
        WHERE status IN ({statuses}) AND updated_at >= $1 AND provider || '' = 'square' LIMIT $2) counted"
    ));
    Ok(sql!(conn, c => sqlx::query_scalar::<_, i64>(sql).bind(since).bind(limit).fetch_one(c).await)?)
}

/// Holds that have ended at a time, and those that a clock that was ahead has stored: they end later than is possible.
#[derive(Clone, Copy, Debug)]
pub struct Expired {
    pub now: i64,
    pub latest: i64,
}

/// Orders with expired stock holds that nobody is paying at the moment, the longest expired first.
pub async fn list_expired_holds(conn: &mut Conn<'_>, expired: Expired, limit: i64) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str = "SELECT r.order_id FROM stock_reservations r
        WHERE r.state = 'held' AND (r.expires_at <= $1 OR r.expires_at > $2)
        AND NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE a.order_id = r.order_id AND a.status IN ('sending', 'unknown'))
        GROUP BY r.order_id ORDER BY MIN(r.expires_at), r.order_id LIMIT $3";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Uuid>(SQL).bind(expired.now).bind(expired.latest).bind(limit)
        .fetch_all(c).await)?)
}

/// Whether an order has a stock hold that has expired.
pub async fn has_expired_hold(conn: &mut Conn<'_>, order: Uuid, expired: Expired) -> Result<bool, DbError> {
    const SQL: &str = "SELECT COUNT(*) FROM stock_reservations
        WHERE order_id = $1 AND state = 'held' AND (expires_at <= $2 OR expires_at > $3)";
    let count: i64 = sql!(conn, c => sqlx::query_scalar(SQL).bind(order).bind(expired.now).bind(expired.latest)
        .fetch_one(c).await)?;
    Ok(count > 0)
}

/// The provider has decided about the attempt, its checkout has ended, and it was made before the time `$2`: until then limits count it.
const IS_OVER: &str = "a.status NOT IN ('sending', 'unknown', 'authorized', 'voiding') AND a.created_at < $2
    AND EXISTS (SELECT 1 FROM orders o WHERE o.id = a.order_id AND o.status <> 'draft')";

/// Orders with attempts of erased accounts that are over. SQLite reads tables in a cross join in its order: the few accounts first.
pub async fn list_orders_of_erased(conn: &mut Conn<'_>, before: i64, limit: i64) -> Result<Vec<Uuid>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT DISTINCT a.order_id FROM users u CROSS JOIN payment_attempts a
        WHERE u.deleted_at IS NOT NULL AND a.user_id = u.id AND {IS_OVER} ORDER BY a.order_id LIMIT $1"
    ));
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Uuid>(sql).bind(limit).bind(before).fetch_all(c).await)?)
}

/// The order may be somebody else's, whose erasure would not reach them.
pub async fn forget_erased(conn: &mut Conn<'_>, order: Uuid, before: i64) -> Result<(), DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "UPDATE payment_attempts AS a SET user_id = NULL, network = '', card_fingerprint = NULL
        WHERE a.order_id = $1 AND a.user_id IN (SELECT id FROM users WHERE deleted_at IS NOT NULL) AND {IS_OVER}"
    ));
    sql!(conn, c => sqlx::query(sql).bind(order).bind(before).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn erase_payer(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE payment_attempts SET network = '', card_fingerprint = NULL WHERE order_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn erase_reasons(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE refunds SET reason = '' WHERE order_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes the attempts of an order that was never paid.
pub async fn delete_attempts(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM payment_attempts WHERE order_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).execute(c).await.map(drop))?;
    Ok(())
}
