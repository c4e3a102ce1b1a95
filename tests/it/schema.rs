//! Both databases have the same tables, columns and constraints, and give the same results for the same statements.

use std::collections::BTreeSet;
use std::time::Duration;

use shop_base::db::list::{Filter, statement};
use shop_base::db::{Conn, Db};
use shop_base::fetch_all;
use shop_domain::catalog::store;
use sqlx::{Connection, PgConnection};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::support::{Database, OnPostgres, Test, TestShop, new_postgres_database, temporary_folder, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    migrations_make_equal_tables,
    constraints_hold,
    rows_that_end_or_change_with_others_are_found_by_an_index,
    an_index_of_some_rows_serves_its_own_condition,
    a_database_is_made_with_its_folder,
    an_uncommitted_transaction_leaves_nothing,
    a_beginning_is_found_however_the_database_sorts,
    a_former_release_runs_on_newer_tables_until_they_say_otherwise,
    what_an_interrupted_migration_left_is_made_anew,
    an_index_waits_for_a_transaction_however_long_it_lasts,
    who_misses_no_migration_waits_for_nobody,
    a_migration_that_waits_for_a_table_lets_others_through,
];

/// `table.column nullable` for all tables.
async fn columns(db: &Db) -> BTreeSet<String> {
    let mut reader = db.read().await.unwrap();
    match reader.conn() {
        Conn::Sqlite(mut conn) => sqlx::query_scalar(
            "SELECT m.name || '.' || c.name || CASE c.\"notnull\" WHEN 1 THEN '' ELSE ' null' END
             FROM sqlite_master m JOIN pragma_table_info(m.name) c
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE '\\_sqlx%' ESCAPE '\\'",
        )
        .fetch_all(&mut *conn)
        .await
        .unwrap(),
        Conn::Postgres(mut conn) => sqlx::query_scalar(
            "SELECT table_name || '.' || column_name || CASE is_nullable WHEN 'NO' THEN '' ELSE ' null' END
             FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE '\\_sqlx%'",
        )
        .fetch_all(conn.unlimited())
        .await
        .unwrap(),
    }
    .into_iter()
    .collect::<BTreeSet<String>>()
}

/// `table name` for all indexes that a migration names.
async fn indexes(db: &Db) -> BTreeSet<String> {
    let mut reader = db.read().await.unwrap();
    let names: Vec<String> = match reader.conn() {
        Conn::Sqlite(mut conn) => {
            sqlx::query_scalar("SELECT tbl_name || ' ' || name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
                .fetch_all(&mut *conn)
                .await
                .unwrap()
        }
        Conn::Postgres(mut conn) => sqlx::query_scalar(
            "SELECT tablename || ' ' || indexname FROM pg_indexes WHERE schemaname = 'public' AND indexname LIKE '%\\_idx'",
        )
        .fetch_all(conn.unlimited())
        .await
        .unwrap(),
    };
    names.into_iter().collect()
}

async fn migrations_make_equal_tables(OnPostgres(_): OnPostgres) {
    let sqlite = Db::open(&format!("sqlite:{}", temporary_folder().join("schema.db").display())).await.unwrap();
    let postgres = Db::open(&new_postgres_database().await).await.unwrap();
    let wanted = columns(&sqlite).await;
    assert!(wanted.len() > 50, "{wanted:?}");
    assert_eq!(wanted, columns(&postgres).await);
    assert_eq!(indexes(&sqlite).await, indexes(&postgres).await);
}

async fn constraints_hold(shop: TestShop) {
    for (statement, breaks) in [
        ("UPDATE stock_levels SET on_hand = -1", "stock_levels_on_hand_check"),
        ("UPDATE stock_levels SET reserved = on_hand + 1", "stock_levels_reserved_check"),
        ("UPDATE product_variants SET price = -1, compare_at_price = NULL", "product_variants_price_check"),
        ("UPDATE product_variants SET compare_at_price = price", "product_variants_compare_at_price_check"),
        ("UPDATE products SET status = 'sold'", "products_status_check"),
    ] {
        let mut tx = shop.app.db.begin().await.unwrap();
        let mut conn = tx.conn();
        let error = shop_base::sql!(&mut conn, c => sqlx::query(statement).execute(c).await.map(drop)).unwrap_err();
        let sqlx::Error::Database(error) = error else { panic!("{statement}: {error}") };
        assert!(error.to_string().contains(breaks), "{statement}: {error}");
    }
    for statement in ["UPDATE products SET compliance_class = 'unknown'", "DELETE FROM categories"] {
        let mut tx = shop.app.db.begin().await.unwrap();
        let mut conn = tx.conn();
        let error = shop_base::sql!(&mut conn, c => sqlx::query(statement).execute(c).await.map(drop)).unwrap_err();
        let sqlx::Error::Database(error) = error else { panic!("{statement}: {error}") };
        assert!(error.is_foreign_key_violation(), "{statement}: {error}");
    }
}

/// Otherwise each deletion reads the whole table. An index of all that is not null is used, too.
async fn rows_that_end_or_change_with_others_are_found_by_an_index(shop: TestShop) {
    let mut reader = shop.app.db.read().await.unwrap();
    let without: Vec<String> = match reader.conn() {
        Conn::Sqlite(mut conn) => sqlx::query_scalar(
            "SELECT m.name || '.' || f.\"from\" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
             WHERE m.type = 'table' AND f.on_delete IN ('CASCADE', 'SET NULL') AND NOT EXISTS (
                SELECT 1 FROM pragma_index_list(m.name) i JOIN pragma_index_info(i.name) c
                LEFT JOIN sqlite_master s ON s.name = i.name WHERE c.seqno = 0 AND c.name = f.\"from\"
                AND (i.partial = 0 OR s.sql LIKE '% WHERE ' || f.\"from\" || ' IS NOT NULL'))",
        )
        .fetch_all(&mut *conn)
        .await
        .unwrap(),
        Conn::Postgres(mut conn) => sqlx::query_scalar(
            "SELECT CAST(k.conrelid::regclass AS TEXT) || '.' || a.attname FROM pg_constraint k
             JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
             WHERE k.contype = 'f' AND k.confdeltype IN ('c', 'n') AND NOT EXISTS (
                SELECT 1 FROM pg_index i WHERE i.indrelid = k.conrelid AND i.indkey[0] = k.conkey[1]
                AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = '(' || a.attname || ' IS NOT NULL)'))",
        )
        .fetch_all(conn.unlimited())
        .await
        .unwrap(),
    };
    assert_eq!(without, Vec::<String>::new());
}

/// SQLite takes such an index only if it finds the condition in the statement, and it turns some comparisons around before it looks.
async fn an_index_of_some_rows_serves_its_own_condition(shop: TestShop) {
    const STATEMENTS: &str = "SELECT 'EXPLAIN SELECT 1 FROM ' || tbl_name || ' INDEXED BY ' || name
        || SUBSTR(sql, INSTR(sql, ' WHERE ')) FROM sqlite_master WHERE type = 'index' AND INSTR(sql, ' WHERE ') > 0";
    let mut reader = shop.app.db.read().await.unwrap();
    let Conn::Sqlite(mut conn) = reader.conn() else { return };
    let statements: Vec<String> = sqlx::query_scalar(STATEMENTS).fetch_all(&mut *conn).await.unwrap();
    assert!(statements.len() > 20, "{statements:?}");
    for statement in statements {
        let explained = sqlx::query(sqlx::AssertSqlSafe(statement.clone())).fetch_all(&mut *conn).await;
        assert_eq!(explained.err().map(|error| error.to_string()), None, "{statement}");
    }
}

async fn a_database_is_made_with_its_folder() {
    let file = temporary_folder().join("not/yet/there.db");
    Db::open(&format!("sqlite:{}", file.display())).await.unwrap().ping().await.unwrap();
    assert!(file.exists());
}

async fn an_uncommitted_transaction_leaves_nothing(shop: TestShop) {
    let mut tx = shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    shop_base::sql!(&mut conn, c => sqlx::query("INSERT INTO retired_paths (path, target) VALUES ('/lost', NULL)")
        .execute(c).await.map(drop))
    .unwrap();
    drop(tx);
    let mut reader = shop.app.db.read().await.unwrap();
    assert_eq!(store::find_retired_path(&mut reader.conn(), "/lost").await.unwrap(), None);
}

/// In English, `Pipe cutter` comes between `pipe` and `pipe tool`, so what is found must not depend on the order.
async fn a_beginning_is_found_however_the_database_sorts(shop: TestShop) {
    let english = match shop.database {
        Database::Sqlite => "",
        Database::Postgres => "COLLATE \"en-US-x-icu\"",
    };
    let things = ["pipe", "Pipe cutter", "pipe tool", "wooden pipe"];
    let rows = things.map(|thing| format!("SELECT '{thing}' {english} AS name")).join(" UNION ALL ");
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    let mut filter = Filter::default();
    filter.and_begins(&conn, &["t.name"], "pipe");
    let found = statement(&format!("SELECT t.name FROM ({rows}) t"), &filter, " ORDER BY t.name");
    let found: Vec<(String,)> = fetch_all!(&mut conn, (String,), found).unwrap();
    assert_eq!(found, [("pipe".to_owned(),), ("pipe tool".to_owned(),)]);
}

async fn a_former_release_runs_on_newer_tables_until_they_say_otherwise(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let address = shop.app.config.data.database.expose();
    for statement in [
        // As a later release would leave it.
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
            SELECT 9999, 'later', TRUE, checksum, 0 FROM _sqlx_migrations WHERE version = 1",
        "CREATE TABLE made_later (id BIGINT NOT NULL PRIMARY KEY)",
    ] {
        execute(&shop, statement).await;
    }
    Db::open(address).await.unwrap().close().await;
    execute(&shop, "INSERT INTO schema_needs (migration) VALUES (9999)").await;
    let refusal = Db::open(address).await.unwrap_err().to_string();
    assert!(refusal.contains("this release is too old for the database") && refusal.contains("9999"), "{refusal}");
}

async fn execute(shop: &TestShop, statement: &'static str) {
    let mut tx = shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

async fn what_an_interrupted_migration_left_is_made_anew(OnPostgres(shop): OnPostgres) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let address = shop.app.config.data.database.expose();
    execute(&shop, "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'users_deleted_at_idx'::regclass").await;
    execute(&shop, "DELETE FROM _sqlx_migrations WHERE version = 28").await;
    // Several nodes start concurrently during another write transaction.
    let mut writing = shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut writing.conn(), c => sqlx::query("UPDATE users SET name = name").execute(c).await.map(drop))
        .unwrap();
    let nodes: Vec<_> = (0..3)
        .map(|_| {
            let address = address.to_owned();
            tokio::task::spawn_blocking(move || Handle::current().block_on(Db::open(&address)))
        })
        .collect();
    writing.commit().await.unwrap();
    for node in nodes {
        node.await.unwrap().unwrap().close().await;
    }
    let mut reader = shop.app.db.read().await.unwrap();
    let Conn::Postgres(mut conn) = reader.conn() else { panic!("it is PostgreSQL") };
    let is_valid: bool =
        sqlx::query_scalar("SELECT indisvalid FROM pg_index WHERE indexrelid = 'users_deleted_at_idx'::regclass")
            .fetch_one(conn.unlimited())
            .await
            .unwrap();
    assert!(is_valid);
}

async fn an_index_waits_for_a_transaction_however_long_it_lasts(OnPostgres(shop): OnPostgres) {
    let address = new_postgres_database().await;
    let name = address.rsplit('/').next().unwrap();
    Db::open(&address).await.unwrap().close().await;
    let mut admin = PgConnection::connect(&address).await.unwrap();
    for statement in [
        // Whatever limit a migration has, it is over soon.
        "CREATE FUNCTION hurry() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
            IF current_setting('lock_timeout') <> '0' THEN PERFORM set_config('lock_timeout', '50ms', FALSE); END IF;
        END $$",
        "CREATE EVENT TRIGGER hurry ON ddl_command_start EXECUTE FUNCTION hurry()",
    ] {
        sqlx::query(statement).execute(&mut admin).await.unwrap();
    }
    for (waiting, before) in [
        ("%CREATE INDEX CONCURRENTLY%", "DROP INDEX users_deleted_at_idx"),
        (
            "DROP INDEX CONCURRENTLY%",
            "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'users_deleted_at_idx'::regclass",
        ),
    ] {
        for statement in [before, "DELETE FROM _sqlx_migrations WHERE version = 28"] {
            sqlx::query(statement).execute(&mut admin).await.unwrap();
        }
        let mut writing = admin.begin().await.unwrap();
        sqlx::query("UPDATE users SET name = name").execute(&mut *writing).await.unwrap();
        let opened = address.clone();
        let opening = tokio::task::spawn_blocking(move || Handle::current().block_on(Db::open(&opened)));
        until("it waits ten times as long as that limit, or gives up", async || {
            const SQL: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
                WHERE datname = $1 AND query LIKE $2 AND wait_event_type = 'Lock'
                AND clock_timestamp() - query_start > INTERVAL '500 milliseconds')";
            let mut reader = shop.app.db.read().await.unwrap();
            let Conn::Postgres(mut conn) = reader.conn() else { panic!("it is PostgreSQL") };
            let waits: bool =
                sqlx::query_scalar(SQL).bind(name).bind(waiting).fetch_one(conn.unlimited()).await.unwrap();
            waits || opening.is_finished()
        })
        .await;
        assert!(!opening.is_finished(), "{waiting}: it did not wait");
        writing.commit().await.unwrap();
        opening.await.unwrap().unwrap_or_else(|error| panic!("{waiting}: {error}")).close().await;
    }
}

async fn who_misses_no_migration_waits_for_nobody(OnPostgres(_): OnPostgres) {
    let address = new_postgres_database().await;
    Db::open(&address).await.unwrap().close().await;
    let mut other = PgConnection::connect(&address).await.unwrap();
    for statement in [
        "SELECT pg_advisory_lock(7883946363647714593)",
        // As one that is being built by hand.
        "CREATE TABLE foreign_one AS SELECT 1 AS id",
        "CREATE INDEX foreign_idx ON foreign_one (id)",
        "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'foreign_idx'::regclass",
    ] {
        sqlx::query(statement).execute(&mut other).await.unwrap();
    }
    let open = async || {
        let opening = timeout(Duration::from_secs(30), Db::open(&address)).await;
        opening.expect("it waits for nobody").unwrap().close().await;
    };
    open().await;
    for statement in
        ["SELECT pg_advisory_unlock(7883946363647714593)", "DELETE FROM _sqlx_migrations WHERE version = 28"]
    {
        sqlx::query(statement).execute(&mut other).await.unwrap();
    }
    open().await;
    const THERE: &str = "SELECT to_regclass('foreign_idx') IS NOT NULL";
    let is_there: bool = sqlx::query_scalar(THERE).fetch_one(&mut other).await.unwrap();
    assert!(is_there, "it is not the shop's");
    other.close().await.unwrap();
}

async fn a_migration_that_waits_for_a_table_lets_others_through(OnPostgres(_): OnPostgres) {
    let address = new_postgres_database().await;
    Db::open(&address).await.unwrap().close().await;
    let mut backup = PgConnection::connect(&address).await.unwrap();
    for statement in [
        "ALTER TABLE endpoints DROP COLUMN secret_request_id",
        "DELETE FROM _sqlx_migrations WHERE version = 40",
        "BEGIN",
        "SELECT COUNT(*) FROM endpoints",
    ] {
        sqlx::query(statement).execute(&mut backup).await.unwrap();
    }
    let opened = address.clone();
    let opening = tokio::task::spawn_blocking(move || Handle::current().block_on(Db::open(&opened)));
    let mut shopper = PgConnection::connect(&address).await.unwrap();
    // As long as a shopper waits.
    sqlx::query("SET lock_timeout = '3s'").execute(&mut shopper).await.unwrap();
    // Since when it waits.
    const WAITS: &str = "SELECT CAST(MAX(query_start) AS TEXT) FROM pg_stat_activity WHERE datname = current_database()
        AND query LIKE '%ALTER TABLE endpoints ADD COLUMN%' AND wait_event_type = 'Lock'";
    let looks = Mutex::new((shopper, BTreeSet::new()));
    until("it has waited twice", async || {
        let (shopper, tries) = &mut *looks.lock().await;
        let since: Option<String> = sqlx::query_scalar(WAITS).fetch_one(&mut *shopper).await.unwrap();
        if since.is_some_and(|since| tries.insert(since)) {
            sqlx::query("SELECT COUNT(*) FROM endpoints").execute(&mut *shopper).await.expect("its turn comes");
        }
        tries.len() == 2 || opening.is_finished()
    })
    .await;
    assert!(!opening.is_finished(), "it gave up");
    sqlx::query("COMMIT").execute(&mut backup).await.unwrap();
    opening.await.unwrap().unwrap().close().await;
}
