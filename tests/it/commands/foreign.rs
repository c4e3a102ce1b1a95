//! Tables, columns, routines and views of others in the shop's database.

use std::path::Path;

use shop_base::db::backup::{Source, Target};
use sqlx::{Connection, Executor, PgConnection};

use super::backup::{Elsewhere, everything_of, until_unused};
use super::{run, settings};
use crate::support::{OnPostgres, Test, new_postgres_database};
use crate::tests;

pub const TESTS: &[Test] =
    tests![what_is_not_the_shops_is_left_out, what_is_not_the_shops_in_an_older_file_is_left_out];

/// Such as what an extension, a report or the database's owner has added.
async fn what_is_not_the_shops_is_left_out(OnPostgres(shop): OnPostgres) {
    let (database, elsewhere) = (new_postgres_database().await, Elsewhere::new(shop.database).await);
    let (folder, here) = (&elsewhere.folder, settings(&database));
    run(folder, &here, &["migrate"]).await.assert_success();
    run(folder, &here, &["backup", "own.backup"]).await.assert_success();
    let statements = [
        "CREATE TABLE foreign_one AS SELECT 1 AS id",
        // `COPY` reads neither this one nor the column y.
        "CREATE TABLE foreign_two (id INTEGER) PARTITION BY RANGE (id)",
        "CREATE TABLE foreign_two_rest PARTITION OF foreign_two DEFAULT",
        "ALTER TABLE retired_paths ADD COLUMN x INTEGER[] NOT NULL DEFAULT '{1,2}'",
        "ALTER TABLE retired_paths ADD COLUMN y TEXT GENERATED ALWAYS AS (path) STORED",
        "CREATE PROCEDURE foreign_procedure() LANGUAGE SQL AS 'SELECT 1'",
        "CREATE SCHEMA reports",
        "CREATE VIEW reports.paths AS SELECT path FROM retired_paths",
        "CREATE VIEW reports.lengths AS SELECT length(path) FROM reports.paths",
        "INSERT INTO retired_paths (path, target) VALUES ('/kept', NULL)",
    ];
    execute(&database, &statements).await;
    const FOREIGN: &str = "foreign_one, foreign_two, foreign_two_rest, retired_paths.x, retired_paths.y";
    let said = run(folder, &here, &["backup", "new.backup"]).await;
    let told = format!("What is not the shop's is not in the file: {FOREIGN}.");
    assert!(said.assert_success().out.contains(&told), "{}", said.out);
    // What extensions have put into a new database leaves it empty.
    let statements = ["CREATE TABLE of_extension (id INTEGER)", "ALTER EXTENSION plpgsql ADD TABLE of_extension"];
    execute(&elsewhere.database, &statements).await;
    elsewhere.restore(&folder.join("own.backup"), &[]).await.assert_success();
    let mut own = everything_of(&elsewhere.database).await;
    assert!(own.remove("of_extension").is_some());

    // It can replace both its own database and another one.
    let on = |database: &str| {
        let mut there = here.clone();
        there.retain(|(name, _)| *name != "SHOP_DATABASE");
        there.push(("SHOP_DATABASE", database.to_owned()));
        there
    };
    for database in [&elsewhere.database, &database] {
        until_unused(database).await;
        run(folder, &on(database), &["restore", "new.backup"]).await.assert_refused("with --replace it is replaced");
        until_unused(database).await;
        let said = run(folder, &on(database), &["restore", "new.backup", "--replace"]).await;
        assert!(!said.assert_success().err.contains("is left out"), "{}", said.err);
        let gone = format!(
            "Gone with the replaced database, as this release does not know it: {FOREIGN}, foreign_procedure(), \
             reports.lengths, reports.paths."
        );
        assert_eq!(said.out.contains(&gone), *database != elsewhere.database, "{}", said.out);
        assert_eq!(said.out.contains("Gone with"), *database != elsewhere.database, "{}", said.out);
        // It is empty by now.
        execute(database, &["DROP SCHEMA IF EXISTS reports"]).await;
        let mut restored = everything_of(database).await;
        assert_eq!(restored.remove("of_extension").is_some(), *database == elsewhere.database);
        assert!(restored["its schema"] == own["its schema"] && restored.keys().eq(own.keys()));
        let [kept] = &restored["retired_paths"][..] else { panic!("{:?}", restored["retired_paths"]) };
        assert!(kept.contains("/kept") && !kept.contains("\"x\""), "{kept}");
    }

    // Somebody else's database is not replaced.
    for (statement, named) in [
        ("CREATE TABLE users AS SELECT 1 AS number", "users.number"),
        ("CREATE FUNCTION helper() RETURNS INTEGER LANGUAGE SQL AS 'SELECT 1'", "helper()"),
    ] {
        let others = new_postgres_database().await;
        execute(&others, &[statement]).await;
        let said = run(folder, &on(&others), &["restore", "new.backup", "--replace"]).await;
        said.assert_refused(&format!("the database is not a shop's, and has {named}"));
    }
}

async fn execute(database: &str, statements: &[&'static str]) {
    let mut conn = PgConnection::connect(database).await.unwrap();
    for &statement in statements {
        conn.execute(statement).await.unwrap();
    }
    conn.close().await.unwrap();
}

/// Former releases have written all tables and columns.
async fn what_is_not_the_shops_in_an_older_file_is_left_out(OnPostgres(shop): OnPostgres) {
    let (database, elsewhere) = (new_postgres_database().await, Elsewhere::new(shop.database).await);
    run(&elsewhere.folder, &settings(&database), &["migrate"]).await.assert_success();
    let source = Source::open(&database, Path::new(""), "SELECT path, path FROM retired_paths").await.unwrap();
    let mut contents = source.contents;
    contents.tables.insert("foreign_one".to_owned(), vec!["id".to_owned()]);
    contents.tables.get_mut("retired_paths").unwrap().push("x".to_owned());
    let mut target = Target::lock(&elsewhere.database).await.unwrap();
    assert!(target.prepare(&contents).await.unwrap());
    for (table, rows) in [("foreign_one", "1\n"), ("retired_paths", "/kept\t\\N\t{1,2}\n")] {
        target.load(&contents, &format!("tables/{table}/00001"), &mut rows.as_bytes()).await.unwrap();
    }
    target.loaded().await.unwrap().close().await;
    assert!(target.begin_replacing().await.unwrap());
    assert!(target.replace(std::future::pending()).await.unwrap());
    target.settle().await;
    let (restored, own) = (everything_of(&elsewhere.database).await, everything_of(&database).await);
    assert!(restored["its schema"] == own["its schema"] && restored.keys().eq(own.keys()));
    let [kept] = &restored["retired_paths"][..] else { panic!("{:?}", restored["retired_paths"]) };
    assert!(kept.contains("/kept") && !kept.contains("\"x\""), "{kept}");
}
