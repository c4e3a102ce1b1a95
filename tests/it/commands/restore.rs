//! Restores that fail, are stopped or are killed, and what the replaced database has to say.

use std::cell::Cell;
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
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::timeout;
use url::Url;
use uuid::Uuid;

use super::backup::{Elsewhere, everything_of, execute, is_frozen, signal, until_unused, user_of};
use super::process::stopped;
use super::{Said, command, run, settings};
use crate::support::link::{Link, State};
use crate::support::program::LIMIT;
use crate::support::{Database, OnPostgres, OnSqlite, Test, TestShop, new_postgres_database, temporary_folder, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_restore_that_fails_leaves_nothing,
    a_restore_that_is_stopped_leaves_nothing,
    a_restore_that_was_killed_while_it_replaced_the_database_loses_none,
    a_restore_that_waits_for_others_says_so_and_can_be_stopped,
    a_restore_waits_for_those_who_use_its_copy,
    what_others_keep_for_themselves_is_read_later,
    a_restore_whose_end_is_not_known_says_so,
    a_restore_that_gets_no_answer_can_be_stopped,
    tables_of_others_delay_no_restore,
    what_an_older_database_says_of_roles_does_not_count,
    what_a_former_release_says_of_erased_accounts_counts,
];

const RESTORE: [&str; 3] = ["restore", "new.backup", "--replace"];
/// Whether a restore has said whose transaction is in its way.
const TOLD: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
    AND query LIKE 'SELECT format(''process%')";

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

    // Also if there is no backup at hand. The copy of the killed one goes: it has what its backup knew of customers.
    let copy = folder.join("shop.restoring.db");
    fs::write(&copy, "a copy").unwrap();
    run(&folder, &settings, &["restore", "missing.backup"]).await.assert_refused("No such file");
    assert!(fs::read(&file).unwrap() == database && !set_aside.exists() && !copy.exists());
    fs::rename(&file, &set_aside).unwrap();
    run(&folder, &settings, &["restore", "empty.backup"]).await.assert_refused("with --replace it is replaced");
    assert!(fs::read(&file).unwrap() == database && !set_aside.exists());
    run(&folder, &settings, &["restore", "empty.backup", "--replace"]).await.assert_success();
    assert!(!set_aside.exists());
}

/// Such as for somebody who has looked at a table in psql and left the transaction open.
async fn a_restore_that_waits_for_others_says_so_and_can_be_stopped(OnPostgres(_): OnPostgres) {
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
    // It is stopped in the second try, when it has said so.
    let was_told = Cell::new(false);
    let waits = async || {
        was_told.set(was_told.get() || is_so(&watching, TOLD).await);
        was_told.get() && is_so(&watching, WAITS).await
    };
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

async fn is_so(watching: &PgPool, query: &'static str) -> bool {
    sqlx::query_scalar(query).fetch_one(watching).await.unwrap()
}

/// Such as a `pg_dump` of the whole database that began while the copy was loaded.
async fn a_restore_waits_for_those_who_use_its_copy(OnPostgres(_): OnPostgres) {
    let (folder, database) = (temporary_folder(), new_postgres_database().await);
    let here = settings(&database);
    let mut other = PgConnection::connect(&database).await.unwrap();
    // Of a release that lacks a migration of the table `jobs`.
    sqlx::migrate!("migrations/postgres").run_to(54, &mut other).await.unwrap();
    let process: i32 = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&mut other).await.unwrap();
    fs::create_dir(folder.join("pictures")).unwrap();
    fs::write(folder.join("pictures/00000000000000000000.svg"), "<svg/>").unwrap();
    run(&folder, &here, &["backup", "new.backup"]).await.assert_success();

    // A store of pictures that gets this one once all tables are loaded, and answers when the other one is there.
    let store = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let to_store = vec![
        ("SHOP_PICTURES", "s3://pictures".to_owned()),
        ("SHOP_S3_ENDPOINT", format!("http://{}", store.local_addr().unwrap())),
        ("SHOP_S3_ACCESS_KEY", "id-of-the-key".to_owned()),
        ("SHOP_S3_SECRET_KEY", "secret-of-the-store".to_owned()),
    ];
    let with_store = [here.clone(), to_store].concat();
    let locking = async {
        let (mut stream, _) = store.accept().await.unwrap();
        assert!(stream.read(&mut [0; 1024]).await.unwrap() > 0);
        other.execute("BEGIN; LOCK TABLE shop_restore.jobs IN ACCESS SHARE MODE").await.unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 0\r\n\r\n").await.unwrap();
        stream
    };
    const WAITS: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
        AND query LIKE '%ALTER TABLE jobs ADD COLUMN group_id%' AND wait_event_type = 'Lock')";
    let watching = PgPool::connect(&database).await.unwrap();
    // In the second try, when it has said so.
    let waits = async || is_so(&watching, TOLD).await && is_so(&watching, WAITS).await;
    let (said, _stream) = tokio::join!(stopped(&folder, &with_store, &RESTORE, "TERM", waits), locking);
    said.assert_refused("stopped: nothing was restored");
    assert_eq!(said.code, Some(143));
    for told in [format!("process {process} ("), "run DROP SCHEMA shop_restore CASCADE".to_owned()] {
        assert!(said.err.contains(&told), "{told} is not in:\n{}", said.err);
    }

    // The next one waits until the other one is done, to remove what is left, but not for nodes that apply migrations to the database: of one that
    // was killed the server may not have noticed its end.
    let mut lock = watching.acquire().await.unwrap();
    sqlx::query("SELECT pg_advisory_lock(7883946363647714593)").execute(&mut *lock).await.unwrap();
    let ending = async {
        until("it has said that it waits", async || is_so(&watching, TOLD).await).await;
        other.execute("ROLLBACK").await.unwrap();
    };
    let (said, ()) = tokio::join!(timeout(2 * LIMIT, run(&folder, &here, &RESTORE)), ending);
    said.expect("it goes on").assert_success();
    drop(lock);
    watching.close().await;
    other.close().await.unwrap();
}

/// Such as while a statement changes the table of accounts.
async fn what_others_keep_for_themselves_is_read_later(OnPostgres(_): OnPostgres) {
    let (folder, database) = (temporary_folder(), new_postgres_database().await);
    let here = settings(&database);
    run(&folder, &here, &["migrate"]).await.assert_success();
    let mut other = PgConnection::connect(&database).await.unwrap();
    const ACCOUNT: &str = "INSERT INTO users (id, issuer, subject, email, email_verified, name, phone, roles,
            preferences, created_at, updated_at, signed_in_at)
        VALUES ('00000000-0000-4000-8000-000000000001', 'https://id.example', 'leaver', '', FALSE, '', '', '[]',
            '{}', 1, 1, 1)";
    other.execute(ACCOUNT).await.unwrap();
    run(&folder, &here, &["backup", "new.backup"]).await.assert_success();
    other.execute("UPDATE users SET deleted_at = 1 WHERE subject = 'leaver'").await.unwrap();
    until_unused(&database).await;
    other.execute("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let watching = PgPool::connect(&database).await.unwrap();
    let ending = async {
        until("it has said that it waits", async || is_so(&watching, TOLD).await).await;
        other.execute("ROLLBACK").await.unwrap();
    };
    let (said, ()) = tokio::join!(timeout(2 * LIMIT, run(&folder, &here, &RESTORE)), ending);
    let said = said.expect("it goes on");
    assert!(said.assert_success().out.contains("Accounts erased again: 1,"), "{}\n{}", said.out, said.err);
    watching.close().await;
    other.close().await.unwrap();
}

/// Such as when the server fails over at that moment: it may have done what it was asked, or not.
async fn a_restore_whose_end_is_not_known_says_so(OnPostgres(_): OnPostgres) {
    let (folder, database) = (temporary_folder(), new_postgres_database().await);
    let mut address = Url::parse(&database).unwrap();
    let link = Link::to(address.port().unwrap()).await;
    address.set_port(Some(link.port)).unwrap();
    let (here, away) = (settings(&database), settings(address.as_str()));
    run(&folder, &here, &["migrate"]).await.assert_success();
    run(&folder, &here, &["backup", "new.backup"]).await.assert_success();
    until_unused(&database).await;
    link.lose_at("shop_restore; COMMIT");
    let cutting = async {
        until("its last words are on the way", async || link.disturbed() > 0).await;
        link.set(State::Cut);
    };
    let (said, ()) = tokio::join!(timeout(2 * LIMIT, run(&folder, &away, &RESTORE)), cutting);
    said.expect("it ends").assert_refused("it is not known whether the backup is restored");
    until_unused(&database).await;

    // Nobody tells it that the other end is gone: it waits until it is told to stop.
    link.set(State::Open);
    let before = link.disturbed();
    let said = stopped(&folder, &away, &RESTORE, "TERM", async || link.disturbed() > before).await;
    said.assert_refused("it is not known whether the backup is restored");
    assert_eq!(said.code, Some(143));
    assert!(said.err.contains("run DROP SCHEMA shop_restore CASCADE"), "{}", said.err);
    link.set(State::Cut);
    until_unused(&database).await;
    run(&folder, &here, &RESTORE).await.assert_success();
}

/// As with a server that is lost without a word.
async fn a_restore_that_gets_no_answer_can_be_stopped(OnPostgres(_): OnPostgres) {
    let lose = async |words: &'static str| {
        let (folder, database) = (temporary_folder(), new_postgres_database().await);
        let here = settings(&database);
        run(&folder, &here, &["migrate"]).await.assert_success();
        run(&folder, &here, &["backup", "new.backup"]).await.assert_success();
        until_unused(&database).await;
        let mut address = Url::parse(&database).unwrap();
        let link = Link::to(address.port().unwrap()).await;
        address.set_port(Some(link.port)).unwrap();
        link.lose_at(words);
        let away = settings(address.as_str());
        let said = stopped(&folder, &away, &RESTORE, "TERM", async || link.disturbed() > 0).await;
        said.assert_refused("stopped: nothing was restored");
        assert_eq!(said.code, Some(143), "{words}");
        assert!(said.err.contains("run DROP SCHEMA shop_restore CASCADE"), "{}", said.err);
        link.set(State::Cut);
        until_unused(&database).await;
        run(&folder, &here, &RESTORE).await.assert_success();
    };
    // Before the tables are loaded, after that, and when the copy takes its place.
    tokio::join!(
        lose("CREATE TEMPORARY TABLE restore_steps"),
        lose("SELECT sql FROM restore_steps"),
        lose("DROP TABLE IF EXISTS orders CASCADE"),
    );
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
