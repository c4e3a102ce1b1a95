//! `shop migrate`: brings the tables up to date.

use shop_base::db::Db;

use super::env_file::{EnvFile, Failure};

pub async fn run(env_file: &EnvFile) -> Result<(), Failure> {
    let config = env_file.config()?;
    Db::open(config.data.database.expose()).await?.close().await;
    Ok(())
}
