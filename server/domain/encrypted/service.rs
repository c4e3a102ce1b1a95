//! Encrypts stored values anew.

use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::seal::{Renewal, Seal};
use shop_platform::webhooks::sender;
use uuid::Uuid;

use super::store::{self, Column};
use crate::identity;
use crate::sales::links::{DRAFTS, PICKUPS};

/// With the purpose for which their values are encrypted.
const COLUMNS: [(Column, &str); 5] = [
    (Column { table: "sessions", name: "tokens" }, identity::TOKENS_SEALED_FOR),
    (Column { table: "endpoints", name: "secret" }, sender::SEALED_FOR),
    (Column { table: "endpoints", name: "former_secret" }, sender::SEALED_FOR),
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

/// Encrypts with `SHOP_SECRET` what was encrypted with `SHOP_SECRET_FALLBACK`, value by value, so that nobody waits for it.
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
            for (id, sealed) in &rows {
                match seal.renew(sealed, id.as_bytes())? {
                    Renewal::Current => values.current += 1,
                    Renewal::Unreadable => values.unreadable += 1,
                    Renewal::New(new) => {
                        store::replace(&cx.db, column, *id, sealed, &new).await?;
                        values.renewed += 1;
                    }
                }
            }
        }
        all.push(values);
    }
    Ok(all)
}
