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
    let mut out = io::stdout().lock();
    for Values { table, column, current, renewed, unreadable } in done.map_err(|error| error.message())? {
        write!(out, "{table}.{column}: {renewed} encrypted with SHOP_SECRET now, {current} before")?;
        if unreadable > 0 {
            write!(out, ", {unreadable} with neither secret")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
