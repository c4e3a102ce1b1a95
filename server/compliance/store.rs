//! All SQL of compliance.

use jiff::civil::Date;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::Rule;
use crate::db::{Conn, DbError, decoded};
use crate::sql;

pub async fn list_rules(conn: &mut Conn<'_>) -> Result<Vec<Rule>, DbError> {
    #[derive(FromRow)]
    struct Row {
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
    }
    const SQL: &str = "SELECT id, class, state, valid_from, valid_until, may_ship, may_pick_up, may_pay_online,
        adult_signature, ground_only, reason, source FROM compliance_rules";
    let rows = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).fetch_all(c).await)?;
    rows.into_iter()
        .map(|row| {
            Ok(Rule {
                id: row.id,
                class: row.class,
                state: row.state,
                valid_from: decoded("valid_from", row.valid_from.parse::<Date>())?,
                valid_until: decoded("valid_until", row.valid_until.map(|date| date.parse::<Date>()).transpose())?,
                may_ship: row.may_ship,
                may_pick_up: row.may_pick_up,
                may_pay_online: row.may_pay_online,
                adult_signature: row.adult_signature,
                ground_only: row.ground_only,
                reason: row.reason,
                source: row.source,
            })
        })
        .collect()
}
