//! Puts a copy in the place of a database: the copy is made ready beside it, and takes its place in one step.

use std::io::{self, ErrorKind, Read};
use std::path::PathBuf;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::contents::{
    Contents, CopyError, FILE, System, TABLES, Tables, WITHOUT_LIMITS, beyond, by_table, lacking, quoted,
    table_and_columns, tables,
};
use super::files::{beside, put_back, remove_database, replace_file};
use crate::db::error::is_outage;
use crate::db::migrate;
use crate::db::open::{KEEP_ALIVE, check_encoding, reach};
use crate::db::presence::{Seized, file_of, release_postgres, seize, seize_postgres};
use crate::db::purpose::lift_newer_limits;
use crate::db::{Db, DbError, Purpose};
use crate::private_file;

/// The schema in which a copy is made ready.
const SCHEMA: &str = "shop_restore";
/// How long a statement of the restore waits for others before it is tried again: longer than `deadlock_timeout` (1 s), after which an autovacuum
/// makes way. The server goes on waiting for a command that was killed, and meanwhile no node may start.
const LOCK_LIMIT: &str = "3s";
/// With which statement the owner of the database lets the shop's user make it, if that may not.
pub(in crate::db) const MISSING_GRANT: &str =
    "SELECT format('GRANT CREATE ON DATABASE %I TO %I', current_database(), current_user)
    WHERE NOT has_database_privilege(current_database(), 'CREATE')";

/// The place of a database that no shop uses, and that none can open as long as this lives.
#[derive(Debug)]
pub struct Target {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Sqlite {
        file: PathBuf,
        _locks: Seized,
    },
    Postgres {
        options: Box<PgConnectOptions>,
        /// Holds the lock.
        conn: Box<PgConnection>,
        /// The tables that the migrations of the backup have made.
        made: Tables,
    },
}

impl Target {
    /// Fails when a shop uses the database. Puts back what an interrupted restore has set aside.
    pub async fn lock(address: &str) -> Result<Self, CopyError> {
        let kind = match address.split(':').next() {
            Some("sqlite") => {
                let options = SqliteConnectOptions::from_str(address)?;
                crate::db::open::create_parent(options.get_filename())?;
                let file = file_of(&options);
                let locks = seize(&file)?;
                if put_back(&file)? {
                    tracing::warn!("a restore was interrupted before it was done: the former database is back");
                }
                Kind::Sqlite { _locks: locks, file }
            }
            Some("postgres" | "postgresql") => {
                let options = postgres_options(address)?;
                let mut conn = reach(&options).await?;
                check_encoding(&mut conn).await?;
                lift_newer_limits(&mut conn).await?;
                seize_postgres(&mut conn).await?;
                Kind::Postgres { options: Box::new(options), conn: Box::new(conn), made: Tables::new() }
            }
            _ => return Err(DbError::UnknownScheme.into()),
        };
        Ok(Self { kind })
    }

    pub fn system(&self) -> System {
        match self.kind {
            Kind::Sqlite { .. } => System::Sqlite,
            Kind::Postgres { .. } => System::Postgres,
        }
    }

    /// Whether there is nothing to be replaced.
    pub async fn is_empty(&mut self) -> Result<bool, CopyError> {
        Ok(match &mut self.kind {
            Kind::Sqlite { file, .. } => !file.exists(),
            Kind::Postgres { conn, .. } => tables(conn).await?.is_empty() && foreign_routines(conn).await?.is_empty(),
        })
    }

    /// What goes with the replaced database though no migration of this program has made it: tables, columns as `table.column`, routines,
    /// and views in any schema that read from these. Fails if that database is somebody else's.
    pub async fn foreign(&mut self) -> Result<Vec<String>, CopyError> {
        let Kind::Postgres { conn, .. } = &mut self.kind else { return Ok(Vec::new()) };
        let mut foreign = beyond(&tables(conn).await?, &by_table(migrate::columns().await?));
        foreign.extend(foreign_routines(conn).await?);
        foreign.extend(views(conn).await?);
        if !foreign.is_empty() && !migrate::is_a_shops(conn).await? {
            let foreign = foreign.join(", ");
            return Err(CopyError::Refused(format!(
                "the database is not a shop's, and has {foreign}: restore into a database of its own"
            )));
        }
        Ok(foreign)
    }

    /// The database that will be replaced, as it is: without new migrations. What is read there may take as long as in a job: no request waits
    /// for it.
    pub async fn former(&self) -> Result<Db, DbError> {
        let db = match &self.kind {
            Kind::Sqlite { file, .. } => Db::of_restore_sqlite(file).await?,
            Kind::Postgres { options, .. } => Db::of_restore_postgres(PgConnectOptions::clone(options)),
        };
        Ok(db.of(Purpose::Jobs))
    }

    /// Whether the former database cannot be read only for now, such as while others use its tables: it may be tried again.
    pub fn is_in_use(error: &DbError) -> bool {
        error.is_busy() || error.is_away()
    }

    /// Prepares the place in which the copy is made ready. False if others use what is there, such as the copy of an interrupted restore: it
    /// may be tried again.
    pub async fn prepare(&mut self, contents: &Contents) -> Result<bool, CopyError> {
        match &mut self.kind {
            Kind::Sqlite { file, .. } => remove_database(&beside(file))?,
            Kind::Postgres { conn, options, made } => {
                let prepared = prepare_schema(conn, options, contents).await;
                let Some(prepared) = unless_in_use(conn, prepared).await? else { return Ok(false) };
                *made = prepared;
            }
        }
        Ok(true)
    }

    /// Writes one part.
    pub async fn load(&mut self, contents: &Contents, part: &str, bytes: &mut impl Read) -> Result<(), CopyError> {
        match &mut self.kind {
            Kind::Sqlite { file, .. } if part == FILE => {
                let place = beside(file);
                let named = |error: io::Error| match error.kind() {
                    // Others are the backup's.
                    ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                        io::Error::new(error.kind(), format!("{}: {error}", place.display()))
                    }
                    _ => error,
                };
                let mut copy = private_file::create(&place).map_err(named)?;
                io::copy(bytes, &mut copy).map_err(named)?;
                Ok(copy.sync_all().map_err(named)?)
            }
            Kind::Postgres { conn, made, .. } => {
                let table = part.strip_prefix(TABLES).and_then(|rest| rest.split('/').next()).unwrap_or_default();
                let Some(columns) = contents.tables.get(table) else { return Err(unknown(part)) };
                if !made.contains_key(table) {
                    return Ok(());
                }
                let statement = format!("COPY {SCHEMA}.{} FROM STDIN", table_and_columns(table, columns));
                let mut copy = conn.copy_in_raw(&statement).await?;
                let mut chunk = vec![0; 256 * 1024];
                loop {
                    match bytes.read(&mut chunk) {
                        Ok(0) => break,
                        Ok(read) => drop(copy.send(&chunk[..read]).await?),
                        Err(error) => {
                            copy.abort("the backup cannot be read").await?;
                            return Err(error.into());
                        }
                    }
                }
                copy.finish().await?;
                Ok(())
            }
            Kind::Sqlite { .. } => Err(unknown(part)),
        }
    }

    /// The loaded copy, before it is brought up to date and takes its place.
    pub async fn loaded(&mut self) -> Result<Db, CopyError> {
        Ok(match &mut self.kind {
            Kind::Sqlite { file, .. } => Db::of_restore_sqlite(&beside(file)).await?,
            Kind::Postgres { conn, options, .. } => {
                end_loading(conn).await?;
                Db::of_restore_postgres(inside(options))
            }
        })
    }

    /// Removes what there is of a copy, which nobody of this process has open and which will not take its place, also that of an interrupted
    /// restore. Others may use the database then, whatever comes of this.
    pub async fn abandon(self) -> Result<(), CopyError> {
        match self.kind {
            Kind::Sqlite { file, _locks } => remove_database(&beside(&file))?,
            Kind::Postgres { mut conn, .. } => {
                // The answer to a statement that nobody waits for any longer comes first, and may be an error.
                if execute(&mut conn, "ROLLBACK").await.is_err() {
                    execute(&mut conn, "ROLLBACK").await?;
                }
                let dropped = drop_copy(&mut conn).await;
                release_postgres(&mut conn).await?;
                conn.close().await?;
                dropped?;
            }
        }
        Ok(())
    }

    /// What to do by hand where a copy could not be removed.
    pub fn removal(&self) -> String {
        match &self.kind {
            Kind::Sqlite { file, .. } => format!("remove {} with its -wal and -shm", beside(file).display()),
            Kind::Postgres { .. } => format!("run DROP SCHEMA {SCHEMA} CASCADE"),
        }
    }

    /// Begins to put the copy, which nobody has open any more, in its place. False if others use what is to be replaced: it may be tried again.
    pub async fn begin_replacing(&mut self) -> Result<bool, CopyError> {
        match &mut self.kind {
            Kind::Sqlite { .. } => Ok(true),
            Kind::Postgres { conn, .. } => {
                let begun = begin_replacing(conn).await;
                Ok(unless_in_use(conn, begun).await?.is_some())
            }
        }
    }

    /// Ends what [`Self::begin_replacing`] has begun; only now the database is replaced. False if nothing has changed, since others use what is
    /// left to do: it may be tried again from there. If its answer is given up before it comes, nobody knows what has come of it, which is an error.
    pub async fn replace(&mut self, given_up: impl Future<Output = ()>) -> Result<bool, CopyError> {
        match &mut self.kind {
            Kind::Sqlite { file, .. } => {
                replace_file(file)?;
                Ok(true)
            }
            Kind::Postgres { conn, .. } => {
                let replaced = end_replacing(conn, given_up).await;
                Ok(unless_in_use(conn, replaced).await?.is_some())
            }
        }
    }

    /// Of the others' transactions, the one that is probably in the way.
    pub async fn oldest_transaction(&mut self) -> Result<Option<String>, CopyError> {
        match &mut self.kind {
            Kind::Sqlite { .. } => Ok(None),
            Kind::Postgres { conn, .. } => Ok(migrate::oldest_transaction(conn).await?),
        }
    }

    /// Ends the work of a copy that has taken its place. Whatever comes of this, the database is replaced.
    pub async fn settle(self) {
        let Kind::Postgres { mut conn, .. } = self.kind else { return };
        if let Err(error) = settle(&mut conn).await {
            tracing::warn!(%error, "the backup is restored, but without statistics PostgreSQL is slow: run ANALYZE");
        }
        // What has failed is said, and the connection ends with the process.
        drop(conn.close().await);
    }
}

/// Nodes may start while the statistics are made. Only the shop's tables have new ones; others may be locked.
async fn settle(conn: &mut PgConnection) -> Result<(), CopyError> {
    release_postgres(conn).await?;
    let names: Vec<String> = tables(conn).await?.keys().map(|table| quoted(table)).collect();
    Ok(execute(conn, &format!("ANALYZE {}", names.join(", "))).await?)
}

fn unknown(part: &str) -> CopyError {
    CopyError::Refused(format!("the backup has a part that this release does not know: {part}"))
}

/// How a restore connects to PostgreSQL. While it holds the lock no node starts, so the server must notice when its machine is lost.
fn postgres_options(address: &str) -> Result<PgConnectOptions, sqlx::Error> {
    // Without notices of what is dropped, or a warning where there is nothing to roll back.
    let options = PgConnectOptions::from_str(address)?.options([("client_min_messages", "error")]);
    Ok(options.options(KEEP_ALIVE).options(WITHOUT_LIMITS).options([("lock_timeout", LOCK_LIMIT)]))
}

fn inside(options: &PgConnectOptions) -> PgConnectOptions {
    options.clone().options([("search_path", SCHEMA)])
}

async fn execute(conn: &mut PgConnection, sql: &str) -> Result<(), DbError> {
    sqlx::query(AssertSqlSafe(sql.to_owned())).execute(conn).await?;
    Ok(())
}

/// What has come of a try; none if others were in the way, and everything is as before it.
async fn unless_in_use<T>(conn: &mut PgConnection, tried: Result<T, CopyError>) -> Result<Option<T>, CopyError> {
    match tried {
        Err(CopyError::Db(error)) if error.is_lock_taken() => {
            execute(conn, "ROLLBACK").await?;
            Ok(None)
        }
        tried => tried.map(Some),
    }
}

/// Where there is none, nothing is sent that a replica would refuse.
async fn drop_copy(conn: &mut PgConnection) -> Result<(), DbError> {
    const SQL: &str = "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)";
    let is_there: bool = sqlx::query_scalar(SQL).bind(SCHEMA).fetch_one(&mut *conn).await?;
    if is_there {
        execute(conn, &format!("DROP SCHEMA {SCHEMA} CASCADE")).await?;
    }
    Ok(())
}

/// Makes the tables of the backup, as its migrations have made them, and begins to load them.
async fn prepare_schema(
    conn: &mut PgConnection,
    options: &PgConnectOptions,
    contents: &Contents,
) -> Result<Tables, CopyError> {
    drop_copy(conn).await?;
    let grant: Option<String> = sqlx::query_scalar(MISSING_GRANT).fetch_optional(&mut *conn).await?;
    if let Some(grant) = grant {
        return Err(CopyError::Refused(format!(
            "the user in SHOP_DATABASE may not create schemas: run {grant} as the owner of the database"
        )));
    }
    execute(conn, &format!("CREATE SCHEMA {SCHEMA}")).await?;
    let mut inside = PgConnection::connect_with(&inside(options)).await?;
    lift_newer_limits(&mut inside).await?;
    // A pooler may ignore its parameters: the tables would be made in the place of the former ones.
    let schema: Option<String> =
        sqlx::query_scalar("SELECT CAST(current_schema() AS TEXT)").fetch_one(&mut inside).await?;
    if schema.as_deref() != Some(SCHEMA) {
        return Err(CopyError::Refused(
            "the parameter search_path does not arrive at the database: SHOP_DATABASE must lead to PostgreSQL itself \
             for a restore"
                .to_owned(),
        ));
    }
    Db::migrate_up_to(&mut inside, contents.migration).await?;
    let made = tables(&mut inside).await?;
    inside.close().await?;
    let missing = beyond(&made, &contents.tables);
    if !missing.is_empty() {
        return Err(CopyError::Refused(format!(
            "the backup lacks what its migrations have made, {}: it was made by another program",
            missing.join(", ")
        )));
    }
    let foreign = beyond(&contents.tables, &made);
    if !foreign.is_empty() {
        let foreign = foreign.join(", ");
        tracing::warn!(foreign, "what is not the shop's in the backup is left out");
    }
    begin_loading(conn, contents, &made).await?;
    Ok(made)
}

/// Texts that a query of the catalog composes, such as statements.
async fn composed(conn: &mut PgConnection, query: &str) -> Result<Vec<String>, DbError> {
    Ok(sqlx::query_scalar(AssertSqlSafe(query.to_owned())).fetch_all(conn).await?)
}

/// Begins a transaction with empty tables that have neither triggers nor references to one another, so that their order does not matter.
async fn begin_loading(conn: &mut PgConnection, contents: &Contents, made: &Tables) -> Result<(), CopyError> {
    execute(conn, "BEGIN").await?;
    // What has to be done to the tables at the end.
    execute(conn, "CREATE TEMPORARY TABLE restore_steps (sql TEXT NOT NULL) ON COMMIT DROP").await?;
    let restore_references = format!(
        "INSERT INTO restore_steps SELECT 'ALTER TABLE ' || CAST(conrelid AS regclass) || ' ADD CONSTRAINT '
            || quote_ident(conname) || ' ' || pg_get_constraintdef(oid)
        FROM pg_constraint WHERE contype = 'f' AND connamespace = CAST('{SCHEMA}' AS regnamespace)"
    );
    execute(conn, &restore_references).await?;
    let references = composed(
        conn,
        &format!(
            "SELECT 'ALTER TABLE ' || CAST(conrelid AS regclass) || ' DROP CONSTRAINT ' || quote_ident(conname)
            FROM pg_constraint WHERE contype = 'f' AND connamespace = CAST('{SCHEMA}' AS regnamespace)"
        ),
    )
    .await?;
    for statement in references {
        execute(conn, &statement).await?;
    }
    for (table, known) in made {
        // What is copied into them is dropped with them.
        let foreign: Vec<String> = lacking(&contents.tables[table], known).map(|column| quoted(column)).collect();
        let table = quoted(table);
        execute(conn, &format!("ALTER TABLE {SCHEMA}.{table} DISABLE TRIGGER USER")).await?;
        // What the migrations have written is in the copy, too.
        execute(conn, &format!("DELETE FROM {SCHEMA}.{table}")).await?;
        add_step(conn, &format!("ALTER TABLE {SCHEMA}.{table} ENABLE TRIGGER USER")).await?;
        for column in foreign {
            execute(conn, &format!("ALTER TABLE {SCHEMA}.{table} ADD COLUMN {column} TEXT")).await?;
            add_step(conn, &format!("ALTER TABLE {SCHEMA}.{table} DROP COLUMN {column}")).await?;
        }
    }
    Ok(())
}

async fn add_step(conn: &mut PgConnection, sql: &str) -> Result<(), DbError> {
    sqlx::query("INSERT INTO restore_steps VALUES ($1)").bind(sql).execute(conn).await?;
    Ok(())
}

async fn end_loading(conn: &mut PgConnection) -> Result<(), DbError> {
    for statement in composed(conn, "SELECT sql FROM restore_steps").await? {
        execute(conn, &statement).await?;
    }
    execute(conn, "COMMIT").await
}

/// Everything that a schema consists of, except what extensions have put there.
fn objects(schema: &str) -> String {
    format!(
        "SELECT * FROM (
            SELECT 'TABLE' AS kind, CAST(CAST(oid AS regclass) AS TEXT) AS name, oid FROM pg_class
                WHERE relkind IN ('r', 'p') AND relnamespace = CAST({schema} AS regnamespace)
            UNION ALL SELECT 'ROUTINE', CAST(CAST(oid AS regprocedure) AS TEXT), oid FROM pg_proc
                WHERE pronamespace = CAST({schema} AS regnamespace)) a
        WHERE NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = a.oid AND d.deptype = 'e')"
    )
}

/// The routines of the current schema that no migration makes.
async fn foreign_routines(conn: &mut PgConnection) -> Result<Vec<String>, DbError> {
    let query = format!("SELECT name FROM ({}) o WHERE kind = 'ROUTINE' ORDER BY name", objects("current_schema()"));
    let mut routines = composed(conn, &query).await?;
    routines.retain(|routine| !migrate::makes_routine(routine));
    Ok(routines)
}

/// The views, in any schema, that use something of the current schema, also through other views. The shop has none.
async fn views(conn: &mut PgConnection) -> Result<Vec<String>, DbError> {
    let query = format!(
        "WITH RECURSIVE used AS (
            SELECT oid FROM ({}) o
            UNION SELECT r.ev_class FROM used JOIN pg_depend d ON d.refobjid = used.oid
                JOIN pg_rewrite r ON r.oid = d.objid AND d.classid = CAST('pg_rewrite' AS regclass))
        SELECT CAST(CAST(oid AS regclass) AS TEXT) FROM used JOIN pg_class USING (oid)
        WHERE relkind IN ('v', 'm') ORDER BY 1",
        objects("current_schema()")
    );
    composed(conn, &query).await
}

/// Begins a transaction in which the copy takes the place of the database.
async fn begin_replacing(conn: &mut PgConnection) -> Result<(), CopyError> {
    let schema: String = sqlx::query_scalar("SELECT CAST(current_schema() AS TEXT)").fetch_one(&mut *conn).await?;
    let (former, copy) = (objects("current_schema()"), objects(&format!("'{SCHEMA}'")));
    // Some go with others, such as partitions with their table.
    let drop = format!("SELECT 'DROP ' || kind || ' IF EXISTS ' || name || ' CASCADE' FROM ({former}) o");
    let schema = quoted(&schema).replace('\'', "''");
    let shift = format!("SELECT 'ALTER ' || kind || ' ' || name || ' SET SCHEMA {schema}' FROM ({copy}) o");
    execute(conn, "BEGIN").await?;
    for query in [drop, shift] {
        for statement in composed(conn, &query).await? {
            execute(conn, &statement).await?;
        }
    }
    Ok(())
}

async fn end_replacing(conn: &mut PgConnection, given_up: impl Future<Output = ()>) -> Result<(), CopyError> {
    let last = sqlx::raw_sql(AssertSqlSafe(format!("DROP SCHEMA {SCHEMA}; COMMIT")));
    let ended = tokio::select! {
        biased;
        ended = last.execute(conn) => ended,
        () = given_up => Err(sqlx::Error::Io(ErrorKind::TimedOut.into())),
    };
    match ended {
        Ok(_) => Ok(()),
        // It may have been committed.
        Err(error) if is_outage(&error) => Err(CopyError::Refused(format!(
            "it is not known whether the backup is restored, since the database has not answered ({error}): restore it \
             again"
        ))),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::postgres_options;

    #[test]
    fn the_server_notices_that_the_machine_of_a_restore_is_lost() {
        let options = postgres_options("postgres://shop@db.example/shop").unwrap();
        let sent = options.get_options().unwrap();
        assert!(sent.contains("-c tcp_keepalives_idle=5 ") && sent.contains("-c tcp_user_timeout=10000 "), "{sent}");
    }
}
