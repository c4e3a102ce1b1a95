//! `shop migrate`: brings the tables up to date.

use shop_base::db::Db;
use shop_base::db::diagnosis::diagnose;

use super::env_file::{EnvFile, Failure};

pub async fn run(env_file: &EnvFile) -> Result<(), Failure> {
    let config = env_file.config()?;
    let address = config.data.database.expose();
    // Nodes that are running lose nothing that they keep when there is nothing to do.
    let is_current = matches!(diagnose(address).await, Ok(Some(found)) if found.pending == 0);
    let db = if is_current { Db::open_aside(address).await? } else { Db::open(address).await? };
    db.close().await;
    Ok(())
}
