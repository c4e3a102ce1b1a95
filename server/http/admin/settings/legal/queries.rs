//! SQL of the page of the legal texts.

use serde::Deserialize;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::sql;

/// An edition that was withdrawn.
#[derive(Clone, Debug)]
pub struct WithdrawnEdition {
    pub number: i64,
    /// The day from which it would have been in force, `YYYY-MM-DD`.
    pub effective_from: String,
    /// UTC milliseconds.
    pub withdrawn_at: i64,
    pub withdrawn_by: String,
}

/// The withdrawn editions of a document, from the audit log: their rows no longer have their days.
pub async fn list_withdrawn(conn: &mut Conn<'_>, document: &str) -> Result<Vec<WithdrawnEdition>, DbError> {
    #[derive(Deserialize)]
    struct Before {
        number: i64,
        effective_from: String,
    }
    const SQL: &str = "SELECT a.before, a.at, u.name FROM audit_entries a JOIN users u ON u.id = a.actor_id
        WHERE a.subject_kind = 'setting' AND a.subject_id = $1 AND a.action = 'legal.withdraw'";
    type Row = (String, i64, String);
    let rows = sql!(conn, c => sqlx::query_as::<_, Row>(SQL).bind(document).fetch_all(c).await)?;
    rows.into_iter()
        .map(|(before, withdrawn_at, withdrawn_by)| {
            let Before { number, effective_from } = decoded("before", serde_json::from_str(&before))?;
            Ok(WithdrawnEdition { number, effective_from, withdrawn_at, withdrawn_by })
        })
        .collect()
}
