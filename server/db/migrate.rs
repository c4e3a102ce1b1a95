//! Migrations travel inside the binary; both databases get files of the same numbers and names.

use sqlx::migrate::{Migrate, Migrator};
use sqlx::{Connection, PgConnection};

use super::pools::Kind;
use super::{Db, DbError};

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

impl Db {
    /// Applies what is missing. Nodes that start together wait for one another (PostgreSQL's advisory lock), however long it takes. A
    /// migration itself gives up when it waits long for a table, since everybody else would wait behind it.
    pub(super) async fn migrate(&self) -> Result<(), DbError> {
        match &self.pools.kind {
            Kind::Sqlite { writer, .. } => SQLITE.run(writer).await?,
            Kind::Postgres { outage, .. } => {
                let mut connection = PgConnection::connect_with(&outage.options).await?;
                connection.lock().await?;
                sqlx::query("SET lock_timeout = '10s'").execute(&mut connection).await?;
                POSTGRES.run(&mut connection).await?;
                connection.close().await?;
            }
        }
        Ok(())
    }
}
