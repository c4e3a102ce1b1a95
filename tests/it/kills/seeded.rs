//! Databases that are copied from a seeded one, which is much faster than seeding each.

use std::fs;
use std::path::Path;

use shop_base::clock::SystemClock;
use shop_base::config::Secret;
use shop_base::db::Db;
use shop_base::sql;
use tokio::sync::{Mutex, OnceCell};

use crate::support::{Database, copy_postgres_database, kept, new_postgres_database, temporary_folder};

/// URLs of the two originals.
static SQLITE: OnceCell<String> = OnceCell::const_new();
static POSTGRES: OnceCell<String> = OnceCell::const_new();
/// PostgreSQL copies a database only while it has no connections.
static COPYING: Mutex<()> = Mutex::const_new(());

/// A copy of the seeded database, in this folder or on the test server, with plenty of stock.
pub async fn copy(database: Database, folder: &Path) -> String {
    match database {
        Database::Sqlite => {
            let original = SQLITE.get_or_init(|| kept(seeded(database))).await;
            let file = folder.join("shop.db");
            fs::copy(original.trim_start_matches("sqlite:"), &file).unwrap();
            format!("sqlite:{}", file.display())
        }
        Database::Postgres => {
            let original = POSTGRES.get_or_init(|| kept(seeded(database))).await;
            let _turn = COPYING.lock().await;
            copy_postgres_database(original.rsplit('/').next().unwrap()).await
        }
    }
}

async fn seeded(database: Database) -> String {
    let folder = temporary_folder();
    let mut config = shop_demo::config(0, folder, false).unwrap();
    if database == Database::Postgres {
        config.data.database = Secret::new(new_postgres_database().await);
    }
    let db = Db::open(config.data.database.expose()).await.unwrap();
    shop::demo_data::seed(&db, &config, &SystemClock).await.unwrap();
    let mut tx = db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query("UPDATE stock_levels SET on_hand = 10000").execute(c).await.map(drop))
        .unwrap();
    tx.commit().await.unwrap();
    // SQLite checkpoints its WAL into the file.
    db.close().await;
    config.data.database.expose().to_owned()
}
