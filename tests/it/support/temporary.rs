//! Folders and databases of a test, which are deleted when it has passed: those of all tests together take more memory than many a machine
//! has.

use std::cell::RefCell;
use std::future::Future;
use std::path::PathBuf;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::postgres_server;

#[derive(Default)]
struct Made {
    folders: Vec<PathBuf>,
    databases: Vec<String>,
}

tokio::task_local! {
    static MADE: RefCell<Made>;
}

/// Runs a test. What it makes outside its own task is left to the system, as is what a test that fails has made.
pub async fn deleted_after(test: impl Future<Output = ()>) {
    let made = MADE
        .scope(RefCell::default(), async {
            test.await;
            MADE.with(RefCell::take)
        })
        .await;
    for folder in made.folders {
        // The test may have deleted or moved it.
        let _ = std::fs::remove_dir_all(folder);
    }
    if made.databases.is_empty() {
        return;
    }
    let mut admin = administrator().await;
    for name in made.databases {
        // Connections of what the test has left running end with it.
        admin.execute(AssertSqlSafe(format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))).await.unwrap();
    }
}

/// What other tests use as well is made within this.
pub async fn kept<T>(making: impl Future<Output = T>) -> T {
    MADE.scope(RefCell::default(), making).await
}

/// A folder that only this test uses.
pub fn temporary_folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("shop-test-{}", uuid::Uuid::now_v7()));
    std::fs::create_dir_all(&folder).unwrap();
    let _ = MADE.try_with(|made| made.borrow_mut().folders.push(folder.clone()));
    folder
}

/// A new, empty database on the test server.
pub async fn new_postgres_database() -> String {
    create_postgres_database("").await
}

/// The same whose texts are stored in this encoding.
pub async fn new_postgres_database_in(encoding: &str) -> String {
    create_postgres_database(&format!("ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")).await
}

/// A copy of a database of this name, to which there is no connection.
pub async fn copy_postgres_database(template: &str) -> String {
    create_postgres_database(&format!("TEMPLATE {template}")).await
}

async fn create_postgres_database(options: &str) -> String {
    let name = format!("shop_{}", uuid::Uuid::now_v7().simple());
    let statement = format!("CREATE DATABASE {name} {options}");
    administrator().await.execute(AssertSqlSafe(statement)).await.unwrap();
    let address = format!("{}/{name}", postgres_server().unwrap());
    let _ = MADE.try_with(|made| made.borrow_mut().databases.push(name));
    address
}

async fn administrator() -> PgConnection {
    PgConnection::connect(&format!("{}/postgres", postgres_server().unwrap())).await.unwrap()
}
