//! All SQL of compliance.

use std::collections::BTreeSet;

use jiff::civil::Date;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::sql;
use shop_base::validity::Span;
use sqlx::FromRow;
use uuid::Uuid;

use super::deliveries::{MonthCount, Record, Recorded};
use super::model::{Class, Excise, Rule};

#[derive(FromRow)]
struct RuleRow {
    id: Uuid,
    class: String,
    state: String,
    valid_from: String,
    valid_until: Option<String>,
    may_ship: bool,
    may_pick_up: bool,
    may_pay_online: bool,
    adult_signature: bool,
    ground_only: bool,
    reason: String,
    source: String,
    excise_name: String,
    excise_ppm: i64,
    excise_per_unit: i64,
}

impl RuleRow {
    fn rule(self) -> Result<Rule, DbError> {
        let from = decoded("valid_from", self.valid_from.parse::<Date>())?;
        let until = decoded("valid_until", self.valid_until.map(|day| day.parse::<Date>()).transpose())?;
        Ok(Rule {
            id: self.id,
            class: self.class,
            state: self.state,
            span: Span { from, until },
            may_ship: self.may_ship,
            may_pick_up: self.may_pick_up,
            may_pay_online: self.may_pay_online,
            adult_signature: self.adult_signature,
            ground_only: self.ground_only,
            reason: self.reason,
            source: self.source,
            excise: Excise { name: self.excise_name, ppm: self.excise_ppm, per_unit: self.excise_per_unit },
        })
    }
}

const RULES: &str = "SELECT id, class, state, valid_from, valid_until, may_ship, may_pick_up, may_pay_online,
    adult_signature, ground_only, reason, source, excise_name, excise_ppm, excise_per_unit FROM compliance_rules";

pub async fn list_rules(conn: &mut Conn<'_>) -> Result<Vec<Rule>, DbError> {
    let rows = sql!(conn, c => sqlx::query_as::<_, RuleRow>(RULES).fetch_all(c).await)?;
    rows.into_iter().map(RuleRow::rule).collect()
}

/// Those of these classes.
pub async fn list_rules_of(conn: &mut Conn<'_>, classes: &[&str]) -> Result<Vec<Rule>, DbError> {
    let classes: BTreeSet<&str> = classes.iter().copied().collect();
    if classes.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new(RULES);
        let mut list = query.push(" WHERE class IN (").separated(", ");
        for class in &classes {
            list.push_bind(*class);
        }
        query.push(")").build_query_as::<RuleRow>().fetch_all(c).await
    })?;
    rows.into_iter().map(RuleRow::rule).collect()
}

pub async fn insert_rule(conn: &mut Conn<'_>, rule: &Rule) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO compliance_rules (id, class, state, valid_from, valid_until, may_ship, may_pick_up,
        may_pay_online, adult_signature, ground_only, reason, source, excise_name, excise_ppm, excise_per_unit)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";
    sql!(conn, c => sqlx::query(SQL).bind(rule.id).bind(&rule.class).bind(&rule.state).bind(rule.span.from.to_string())
        .bind(rule.span.until.map(|day| day.to_string())).bind(rule.may_ship).bind(rule.may_pick_up)
        .bind(rule.may_pay_online).bind(rule.adult_signature).bind(rule.ground_only).bind(&rule.reason)
        .bind(&rule.source).bind(&rule.excise.name).bind(rule.excise.ppm).bind(rule.excise.per_unit)
        .execute(c).await.map(drop))?;
    Ok(())
}

pub async fn set_end(conn: &mut Conn<'_>, id: Uuid, until: Option<Date>) -> Result<(), DbError> {
    const SQL: &str = "UPDATE compliance_rules SET valid_until = $2 WHERE id = $1";
    let until = until.map(|day| day.to_string());
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(until).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn delete_rule(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM compliance_rules WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Every class with its number of active products.
pub async fn list_classes(conn: &mut Conn<'_>) -> Result<Vec<Class>, DbError> {
    const SQL: &str = "SELECT c.code, c.name, c.is_reported, COUNT(p.id) FROM compliance_classes c
        LEFT JOIN products p ON p.compliance_class = c.code AND p.status = 'active'
        GROUP BY c.code, c.name, c.is_reported ORDER BY c.name";
    let rows = sql!(conn, c => sqlx::query_as::<_, (String, String, bool, i64)>(SQL).fetch_all(c).await)?;
    Ok(rows
        .into_iter()
        .map(|(code, name, is_reported, products)| Class { code, name, is_reported, products })
        .collect())
}

pub async fn list_reported_classes(conn: &mut Conn<'_>) -> Result<Vec<String>, DbError> {
    const SQL: &str = "SELECT code FROM compliance_classes WHERE is_reported";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).fetch_all(c).await)?)
}

pub async fn set_reported(conn: &mut Conn<'_>, class: &str, is_reported: bool) -> Result<(), DbError> {
    const SQL: &str = "UPDATE compliance_classes SET is_reported = $2 WHERE code = $1";
    sql!(conn, c => sqlx::query(SQL).bind(class).bind(is_reported).execute(c).await.map(drop))?;
    Ok(())
}

/// The month of a parcel's records; none if it has none.
pub async fn find_month(
    conn: &mut Conn<'_>,
    order_number: &str,
    tracking_number: &str,
    shipped_at: i64,
) -> Result<Option<String>, DbError> {
    const SQL: &str = "SELECT month FROM delivery_records
        WHERE order_number = $1 AND tracking_number = $2 AND shipped_at = $3 LIMIT 1";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(order_number).bind(tracking_number).bind(shipped_at)
        .fetch_optional(c).await)?)
}

/// Deletes a parcel's records.
pub async fn delete_records(
    conn: &mut Conn<'_>,
    order_number: &str,
    tracking_number: &str,
    shipped_at: i64,
) -> Result<(), DbError> {
    const SQL: &str =
        "DELETE FROM delivery_records WHERE order_number = $1 AND tracking_number = $2 AND shipped_at = $3";
    sql!(conn, c => sqlx::query(SQL).bind(order_number).bind(tracking_number).bind(shipped_at).execute(c).await
        .map(drop))?;
    Ok(())
}

/// `month`: the first to look at.
pub async fn sum_records(conn: &mut Conn<'_>, month: &str, order_number: &str, sku: &str) -> Result<Recorded, DbError> {
    const SQL: &str = "SELECT CAST(COALESCE(SUM(quantity), 0) AS BIGINT), CAST(COALESCE(SUM(value), 0) AS BIGINT)
        FROM delivery_records WHERE month >= $1 AND order_number = $2 AND sku = $3";
    let (quantity, value): (i64, i64) =
        sql!(conn, c => sqlx::query_as(SQL).bind(month).bind(order_number).bind(sku).fetch_one(c).await)?;
    Ok(Recorded { quantity, value })
}

pub async fn insert_record(conn: &mut Conn<'_>, record: &Record) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO delivery_records (id, order_number, shipped_at, month, state, consignee, street, city,
        postal_code, class, sku, title, quantity, weight_grams, value, carrier, tracking_number, adult_signature, keep_until)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)";
    sql!(conn, c => sqlx::query(SQL).bind(record.id).bind(&record.order_number).bind(record.shipped_at)
        .bind(&record.month).bind(&record.state).bind(&record.consignee).bind(&record.street).bind(&record.city)
        .bind(&record.postal_code).bind(&record.class).bind(&record.sku).bind(&record.title).bind(record.quantity)
        .bind(record.weight_grams).bind(record.value).bind(&record.carrier).bind(&record.tracking_number)
        .bind(record.adult_signature).bind(record.keep_until).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn list_months(conn: &mut Conn<'_>, first: &str, last: &str) -> Result<Vec<MonthCount>, DbError> {
    const SQL: &str = "SELECT month, state, COUNT(*), CAST(SUM(quantity) AS BIGINT), CAST(SUM(value) AS BIGINT)
        FROM delivery_records WHERE month >= $1 AND month <= $2 GROUP BY month, state ORDER BY month DESC, state";
    type Row = (String, String, i64, i64, i64);
    let rows = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).bind(first).bind(last).fetch_all(c).await)?;
    let count = |(month, state, records, quantity, value): Row| MonthCount { month, state, records, quantity, value };
    Ok(rows.into_iter().map(count).collect())
}

/// The first and the last month that have records.
pub async fn find_ends(conn: &mut Conn<'_>) -> Result<Option<(String, String)>, DbError> {
    const SQL: &str = "SELECT MIN(month), MAX(month) FROM delivery_records";
    type Row = (Option<String>, Option<String>);
    let (first, last) = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).fetch_one(c).await)?;
    Ok(first.zip(last))
}

#[derive(FromRow)]
struct RecordRow {
    id: Uuid,
    order_number: String,
    shipped_at: i64,
    month: String,
    state: String,
    consignee: String,
    street: String,
    city: String,
    postal_code: String,
    class: String,
    sku: String,
    title: String,
    quantity: i64,
    weight_grams: i64,
    value: i64,
    carrier: String,
    tracking_number: String,
    adult_signature: bool,
    keep_until: i64,
}

impl From<RecordRow> for Record {
    fn from(row: RecordRow) -> Self {
        Self {
            id: row.id,
            order_number: row.order_number,
            shipped_at: row.shipped_at,
            month: row.month,
            state: row.state,
            consignee: row.consignee,
            street: row.street,
            city: row.city,
            postal_code: row.postal_code,
            class: row.class,
            sku: row.sku,
            title: row.title,
            quantity: row.quantity,
            weight_grams: row.weight_grams,
            value: row.value,
            carrier: row.carrier,
            tracking_number: row.tracking_number,
            adult_signature: row.adult_signature,
            keep_until: row.keep_until,
        }
    }
}

const RECORDS: &str = "SELECT id, order_number, shipped_at, month, state, consignee, street, city, postal_code, class,
    sku, title, quantity, weight_grams, value, carrier, tracking_number, adult_signature, keep_until FROM delivery_records";

pub async fn list_records(conn: &mut Conn<'_>, month: &str, state: &str) -> Result<Vec<Record>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "{RECORDS} WHERE month = $1 AND state = $2 ORDER BY consignee, city, postal_code, shipped_at, id"
    ));
    let rows = sql!(conn, c => sqlx::query_as::<_, RecordRow>(sql).bind(month).bind(state).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Record::from).collect())
}

/// An order's records from one month to another.
pub async fn list_records_of_order(
    conn: &mut Conn<'_>,
    [first, last]: &[String; 2],
    order_number: &str,
) -> Result<Vec<Record>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "{RECORDS} WHERE month >= $1 AND month <= $2 AND order_number = $3 ORDER BY shipped_at, id"
    ));
    let rows = sql!(conn, c => sqlx::query_as::<_, RecordRow>(sql).bind(first).bind(last).bind(order_number)
        .fetch_all(c).await)?;
    Ok(rows.into_iter().map(Record::from).collect())
}
