//! Migrations travel inside the binary; both databases get files of the same numbers and names.

use sqlx::migrate::Migrator;

use super::{Db, DbError};

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

impl Db {
    /// Applies what is missing. Nodes that start together wait for one another (PostgreSQL's advisory lock).
    pub async fn migrate(&self) -> Result<(), DbError> {
        match self {
            Self::Sqlite { writer, .. } => SQLITE.run(writer).await?,
            Self::Postgres(pool) => POSTGRES.run(pool).await?,
        }
        Ok(())
    }
}
