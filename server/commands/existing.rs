//! Opens the database for commands that need the data of a shop.

use shop_base::config::Config;
use shop_base::db::Db;
use shop_base::db::diagnosis::diagnose;

use super::env_file::Failure;

/// Fails where a shop has no tables: opening makes them, and what is named by mistake would be an empty shop.
pub async fn open(config: &Config) -> Result<Db, Failure> {
    let address = config.data.database.expose();
    match diagnose(address).await? {
        // Without migrations to apply, these commands change nothing that pages show.
        Some(found) if found.pending == 0 => Ok(Db::open_aside(address).await?),
        Some(found) if !found.is_new => Ok(Db::open(address).await?),
        _ => Err("there is no shop in the database that SHOP_DATABASE names: check it; a relative path begins at \
                  the folder in which the command is run"
            .into()),
    }
}
