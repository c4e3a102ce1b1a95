//! Restores that fail, are stopped or are killed, and what the replaced database has to say.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use shop_base::db::Db;
use shop_base::role::Role;
use shop_base::sql;
use shop_domain::identity;
use shop_domain::identity::accounts;
use shop_platform::audit::model::Actor;
use sqlx::{Connection, Executor, PgConnection, PgPool};
use tokio::time::timeout;
use uuid::Uuid;

use super::backup::{Elsewhere, everything_of, execute, is_frozen, signal, until_unused, user_of};
use super::process::stopped;
use super::{Said, command, run, settings};
use crate::support::program::LIMIT;
use crate::support::{Database, OnPostgres, OnSqlite, Test, TestShop, new_postgres_database, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_restore_that_fails_leaves_nothing,
    a_restore_that_is_stopped_leaves_nothing,
    a_restore_that_was_killed_while_it_replaced_the_database_loses_none,
    a_restore_that_waits_for_others_says_so_and_can_be_stopped,
    tables_of_others_delay_no_restore,
    what_an_older_database_says_of_roles_does_not_count,
    what_a_former_release_says_of_erased_accounts_counts,
];

async fn a_restore_that_fails_leaves_nothing(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let elsewhere = Elsewhere::new(shop.database).await;
    let (folder, data) = (&elsewhere.folder, &shop.app.config.data);
    let mut here = settings(data.database.expose());
    here.retain(|(name, _)| *name != "SHOP_DATA");
    here.push(("SHOP_DATA", data.folder.display().to_string()));
    let file = folder.join("new.backup");
    run(folder, &here, &["backup", file.to_str().unwrap()]).await.assert_success();
    // A folder has the name of a picture.
    let picture = fs::read_dir(data.folder.join("pictures")).unwrap().next().unwrap().unwrap().file_name();
    let picture = folder.join("pictures").join(picture);
    fs::create_dir_all(picture.join("taken")).unwrap();
    let said = elsewhere.restore(&file, &[]).await;
    assert!(!said.is_success, "{}", said.out);
    match shop.database {
        Database::Sqlite => {
            let left = elsewhere.files();
            assert!(left.iter().all(|name| ["shop.in-use", "shop.lock"].contains(&name.as_str())), "{left:?}");
        }
        Database::Postgres => {
            let mut conn = PgConnection::connect(&elsewhere.database).await.unwrap();
            const LEFT: &str = "SELECT COUNT(*) FROM pg_namespace WHERE nspname = 'shop_restore'";
            let left: i64 = sqlx::query_scalar(LEFT).fetch_one(&mut conn).await.unwrap();
            assert_eq!(left, 0, "{}", said.err);
            conn.close().await.unwrap();
        }
    }
    fs::remove_dir_all(&picture).unwrap();
    elsewhere.restore(&file, &[]).await.assert_success();
}

async fn a_restore_that_is_stopped_leaves_nothing(OnSqlite(shop): OnSqlite) {
    let elsewhere = Elsewhere::new(shop.database).await;
    let folder = &elsewhere.folder;
    let here = settings("sqlite:shop.db");
    run(folder, &here, &["migrate"]).await.assert_success();
    // So much that it is stopped in the middle.
    const FILL: &str =
        "CREATE TABLE filler AS WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 60)
        SELECT randomblob(1000000) AS bytes FROM n";
    execute(folder, FILL).await;
    run(folder, &here, &["backup", "new.backup"]).await.assert_success();
    let mut command = command(folder, &elsewhere.settings, &["restore", "new.backup"]);
    command.stderr(Stdio::piped());
    let copy = folder.join("elsewhere/shop.restoring.db");
    let mut tries = 0..20;
    let said = loop {
        tries.next().expect("it is never stopped while it restores");
        let mut child = command.spawn().unwrap();
        if is_frozen(&mut child, &copy).await {
            assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o077, 0, "others cannot read it");
            signal(&child, "-TERM").await;
            signal(&child, "-CONT").await;
        }
        let said = Said::from(child.wait_with_output().await.unwrap());
        if !said.is_success {
            break said;
        }
        // It was quicker than this test.
        fs::remove_dir_all(folder.join("elsewhere")).unwrap();
    };
    said.assert_refused("stopped: nothing was restored");
    let left = elsewhere.files();
    assert!(left.iter().all(|name| ["shop.in-use", "shop.lock"].contains(&name.as_str())), "{left:?}");
}

async fn a_restore_that_was_killed_while_it_replaced_the_database_loses_none(OnSqlite(_): OnSqlite) {
    let folder = temporary_folder();
    let mut settings = settings("sqlite:shop.db");
    settings.push(("SHOP_ADDRESS", "127.0.0.1:0".to_owned()));
    run(&folder, &settings, &["migrate"]).await.assert_success();
    run(&folder, &settings, &["backup", "empty.backup"]).await.assert_success();
    execute(&folder, "CREATE TABLE since_the_backup (id INTEGER)").await;
    // As it is between the two renames.
    let (file, set_aside) = (folder.join("shop.db"), folder.join("shop.replaced.db"));
    let database = fs::read(&file).unwrap();
    fs::rename(&file, &set_aside).unwrap();
    for arguments in [&["migrate"][..], &["serve"], &["backup", "new.backup"]] {
        run(&folder, &settings, arguments).await.assert_refused("a restore was interrupted");
    }
    let doctor = run(&folder, &settings, &["doctor"]).await;
    assert!(doctor.out.contains("error   Database: a restore was interrupted"), "{}", doctor.out);
    assert!(!file.exists(), "no empty one took its place");

    // Also if there is no backup at hand.
    run(&folder, &settings, &["restore", "missing.backup"]).await.assert_refused("No such file");
    assert!(fs::read(&file).unwrap() == database && !set_aside.exists());
    fs::rename(&file, &set_aside).unwrap();
    run(&folder, &settings, &["restore", "empty.backup"]).await.assert_refused("with --replace it is replaced");
    assert!(fs::read(&file).unwrap() == database && !set_aside.exists());
    run(&folder, &settings, &["restore", "empty.backup", "--replace"]).await.assert_success();
    assert!(!set_aside.exists());
}

/// Such as for somebody who has looked at a table in psql and left the transaction open.
async fn a_restore_that_waits_for_others_says_so_and_can_be_stopped(OnPostgres(_): OnPostgres) {
    const RESTORE: [&str; 3] = ["restore", "new.backup", "--replace"];
    let (folder, database) = (temporary_folder(), new_postgres_database().await);
    let here = settings(&database);
    run(&folder, &here, &["migrate"]).await.assert_success();
    run(&folder, &here, &["backup", "new.backup"]).await.assert_success();
    until_unused(&database).await;
    let mut other = PgConnection::connect(&database).await.unwrap();
    let process: i32 = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&mut other).await.unwrap();
    other.execute("BEGIN; SELECT COUNT(*) FROM orders").await.unwrap();
    const WAITS: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
        AND query LIKE 'DROP TABLE%' AND wait_event_type = 'Lock')";
    let watching = PgPool::connect(&database).await.unwrap();
    let waits = async || sqlx::query_scalar::<_, bool>(WAITS).fetch_one(&watching).await.unwrap();
    let said = stopped(&folder, &here, &RESTORE, "TERM", waits).await;
    said.assert_refused("stopped: nothing was restored");
    assert_eq!(said.code, Some(143));
    assert!(said.err.contains(&format!("process {process} (")), "{}", said.err);
    const LEFT: &str = "SELECT COUNT(*) FROM pg_namespace WHERE nspname = 'shop_restore'";
    let left: i64 = sqlx::query_scalar(LEFT).fetch_one(&watching).await.unwrap();
    assert_eq!(left, 0, "{}", said.err);
    Db::open(&database).await.unwrap().close().await;
    until_unused(&database).await;

    // One that uses none of the tables is not in the way.
    for statement in ["ROLLBACK", "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1"] {
        other.execute(statement).await.unwrap();
    }
    timeout(2 * LIMIT, run(&folder, &here, &RESTORE)).await.expect("it waits for nobody").assert_success();
    watching.close().await;
    other.close().await.unwrap();
}

/// They have no part in it.
async fn tables_of_others_delay_no_restore(OnPostgres(_): OnPostgres) {
    let (folder, database) = (temporary_folder(), new_postgres_database().await);
    let here = settings(&database);
    run(&folder, &here, &["migrate"]).await.assert_success();
    run(&folder, &here, &["backup", "new.backup"]).await.assert_success();
    until_unused(&database).await;
    let mut other = PgConnection::connect(&database).await.unwrap();
    for statement in [
        "CREATE SCHEMA reports",
        "CREATE TABLE reports.sums (id INTEGER)",
        "BEGIN; LOCK TABLE reports.sums IN ACCESS EXCLUSIVE MODE",
    ] {
        other.execute(statement).await.unwrap();
    }
    let restoring = timeout(2 * LIMIT, run(&folder, &here, &["restore", "new.backup", "--replace"]));
    let said = restoring.await.expect("it waits for nobody");
    assert!(said.assert_success().out.contains("Accounts erased again: 0, blocked again: 0"), "{}", said.out);
    assert!(!said.err.contains("run ANALYZE"), "{}", said.err);
    other.close().await.unwrap();
}

/// Such as after the restore of a wrong backup.
async fn what_an_older_database_says_of_roles_does_not_count(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let elsewhere = Elsewhere::new(shop.database).await;
    let (folder, data) = (&elsewhere.folder, &shop.app.config.data);
    let mut here = settings(data.database.expose());
    here.retain(|(name, _)| *name != "SHOP_DATA");
    here.push(("SHOP_DATA", data.folder.display().to_string()));
    let back_up = async |name: &str| {
        run(folder, &here, &["backup", name]).await.assert_success();
    };
    for (subject, role) in [("owner", "super_admin"), ("helper", "customer"), ("buyer", "customer")] {
        shop.sign_in(subject, &[role]).await;
    }
    let [owner, helper, buyer] =
        [user_of(&shop, "owner").await, user_of(&shop, "helper").await, user_of(&shop, "buyer").await]
            .map(|session| session.user_id);
    let owner = Actor { user_id: owner, role: Role::SuperAdmin, network: String::new(), device: String::new() };
    let version = async |id: Uuid| accounts::find(&shop.app, id).await.unwrap().unwrap().version;
    accounts::block(&shop.app, &owner, buyer, version(buyer).await, "a mistake").await.unwrap();
    let write = async |statement: &'static str| {
        let mut tx = shop.app.db.begin().await.unwrap();
        sql!(&mut tx.conn(), c => sqlx::query(statement).bind(b"gone".as_slice()).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
    };
    write("INSERT INTO erased_subjects (tag, erased_at, assigned_role, blocked_at) VALUES ($1, 1, 'customer', 1)")
        .await;
    back_up("older.backup").await;
    write("UPDATE erased_subjects SET assigned_role = NULL, blocked_at = NULL WHERE tag = $1").await;
    accounts::unblock(&shop.app, &owner, buyer, version(buyer).await).await.unwrap();
    accounts::assign_role(&shop.app, &owner, helper, version(helper).await, Some(Role::Admin)).await.unwrap();
    back_up("newer.backup").await;

    elsewhere.restore(&folder.join("older.backup"), &[]).await.assert_success();
    until_unused(&elsewhere.database).await;
    let said = elsewhere.restore(&folder.join("newer.backup"), &["--replace"]).await;
    let told = "blocked again: 0, with roles taken away: 0; blocks and roles are those of the backup";
    assert!(said.assert_success().out.contains(told), "{}", said.out);
    let mut restored = everything_of(&elsewhere.database).await;
    restored.get_mut("users").unwrap().retain(|row| !row.contains("command line"));
    let newer = everything_of(data.database.expose()).await;
    assert!(restored["users"] == newer["users"] && restored["erased_subjects"] == newer["erased_subjects"]);
}

/// Its tables lack columns of this one.
async fn what_a_former_release_says_of_erased_accounts_counts(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let gone = shop.sign_in("gone", &["customer"]).await;
    let confirm = serde_json::json!({ "confirm": "gone@shop.example" });
    shop.call("DELETE", "/api/me", &gone, confirm).await.assert_status(204);
    for statement in
        ["ALTER TABLE erased_subjects DROP COLUMN assigned_role", "ALTER TABLE erased_subjects DROP COLUMN blocked_at"]
    {
        let mut tx = shop.app.db.begin().await.unwrap();
        sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
    }
    let former = Db::open_aside(shop.app.config.data.database.expose()).await.unwrap();
    assert_eq!(identity::service::list_erased_subjects(&former).await.unwrap().len(), 1);
    former.close().await;
}
