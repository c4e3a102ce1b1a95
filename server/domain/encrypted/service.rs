//! Encrypts stored values anew.

use std::time::Duration;

use shop_base::context::Context;
use shop_base::db::{Db, DbError};
use shop_base::error::Error;
use shop_base::seal::{Renewal, Seal};
use shop_platform::webhooks::sender;
use uuid::Uuid;

use super::store::{self, Column, Renewed};
use crate::identity;
use crate::sales::links::{DRAFTS, PICKUPS};

/// Values that one transaction on SQLite renews.
const AT_ONCE: usize = 50;
/// Between two of these. Another process that waits for the writer of the file looks for it every 100 ms, so it finds it free.
const PAUSE: Duration = Duration::from_millis(150);

/// With the purpose for which their values are encrypted.
const COLUMNS: [(Column, &str); 6] = [
    (Column { table: "sessions", name: "tokens" }, identity::TOKENS_SEALED_FOR),
    (Column { table: "endpoints", name: "secret" }, sender::SEALED_FOR),
    (Column { table: "endpoints", name: "former_secret" }, sender::SEALED_FOR),
    (Column { table: "endpoint_secrets", name: "secret" }, sender::SEALED_FOR),
    (Column { table: "draft_orders", name: "token_sealed" }, DRAFTS.sealed_for),
    (Column { table: "pickup_links", name: "token_sealed" }, PICKUPS.sealed_for),
];

/// The values of one column.
#[derive(Debug)]
pub struct Values {
    pub table: &'static str,
    pub column: &'static str,
    /// Encrypted with `SHOP_SECRET` before.
    pub current: u64,
    /// Encrypted with it now.
    pub renewed: u64,
    /// Encrypted with neither it nor its fallback.
    pub unreadable: u64,
}

/// Encrypts with `SHOP_SECRET` what was encrypted with `SHOP_SECRET_FALLBACK`, little by little, so that nobody waits for it.
pub async fn reencrypt(cx: &Context) -> Result<Vec<Values>, Error> {
    let mut all = Vec::new();
    for (column, purpose) in &COLUMNS {
        let seal = Seal::new(&cx.config, purpose).map_err(Error::internal)?;
        let mut values = Values { table: column.table, column: column.name, current: 0, renewed: 0, unreadable: 0 };
        let mut after = Uuid::nil();
        loop {
            let rows = store::list(&cx.db, column, after).await?;
            let Some((last, _)) = rows.last() else { break };
            after = *last;
            let mut renewed = Vec::new();
            for (id, sealed) in &rows {
                match seal.renew(sealed, id.as_bytes())? {
                    Renewal::Current => values.current += 1,
                    Renewal::Unreadable => values.unreadable += 1,
                    Renewal::New(new) => renewed.push(Renewed { id: *id, from: sealed, to: new }),
                }
            }
            replace(&cx.db, column, &renewed).await?;
            values.renewed += renewed.len() as u64;
        }
        all.push(values);
    }
    Ok(all)
}

/// PostgreSQL locks rows, one at a time. SQLite has one writer, and no order among processes that wait for it.
async fn replace(db: &Db, column: &Column, renewed: &[Renewed<'_>]) -> Result<(), DbError> {
    for some in renewed.chunks(if db.has_many_writers() { 1 } else { AT_ONCE }) {
        store::replace(db, column, some).await?;
        if !db.has_many_writers() {
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(())
}
