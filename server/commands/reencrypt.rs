//! `shop reencrypt`: the step of a new `SHOP_SECRET` after which nobody needs the former one.

use std::io::{self, Write};
use std::sync::Arc;

use shop_base::clock::SystemClock;
use shop_base::context::Context;
use shop_domain::encrypted::service::{Values, reencrypt};

use super::env_file::{EnvFile, Failure};
use super::existing;

pub async fn run(env_file: &EnvFile) -> Result<(), Failure> {
    let config = env_file.config()?;
    if config.secret_fallback.is_none() {
        return Err("SHOP_SECRET_FALLBACK is missing: it is the former secret, with which values were encrypted".into());
    }
    let db = existing::open(&config).await?;
    let cx = Context { clock: Arc::new(SystemClock), config: Arc::new(config), db };
    let done = reencrypt(&cx).await;
    cx.db.close().await;
    for Values { table, column, current, renewed, unreadable } in done.map_err(|error| error.told())? {
        let neither = if unreadable > 0 { format!(", {unreadable} with neither secret") } else { String::new() };
        // It is done, whether this can be printed or not.
        let _ = writeln!(
            io::stdout(),
            "{table}.{column}: {renewed} encrypted with SHOP_SECRET now, {current} before{neither}"
        );
    }
    Ok(())
}
