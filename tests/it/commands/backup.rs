//! Backup, and the whole way to a shop elsewhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use shop_base::clock::{CLOCK_SKEW, Clock, SystemClock};
use shop_base::config::smtp::SmtpSettings;
use shop_base::context::Context;
use shop_base::db::backup::Target;
use shop_base::db::{Conn, Db, DbError};
use shop_base::error::Error;
use shop_base::sql;
use shop_domain::identity;
use shop_domain::identity::model::{Profile, Session};
use shop_domain::sales::flows::compare;
use shop_domain::sales::records::payments::model::Records;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};
use tokio::process::{Child, Command};

use super::{Said, command, cramped, run, settings, started_by};
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::checkout::refunding::give_back;
use crate::support::{
    Database, NOON_MS, OnPostgres, OnSqlite, Test, TestShop, new_postgres_database, temporary_folder, until,
};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_shop_is_backed_up_while_it_works_and_restored_elsewhere,
    a_backup_says_which_pictures_it_lacks,
    a_backup_that_is_stopped_leaves_nothing,
    a_second_backup_to_the_same_name_is_refused,
    what_a_killed_backup_has_left_is_removed_by_the_next,
    limits_of_the_server_stop_no_backup_and_no_restore,
    a_key_that_cannot_be_written_leaves_no_file,
];

/// So much that a backup is stopped in the middle.
const FILL: &str =
    "CREATE TABLE filler AS WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20)
    SELECT randomblob(1000000) AS bytes FROM n";

/// A second place for a shop.
pub(super) struct Elsewhere {
    pub(super) folder: PathBuf,
    pub(super) database: String,
    pub(super) settings: Vec<(&'static str, String)>,
}

impl Elsewhere {
    pub(super) async fn new(database: Database) -> Self {
        let folder = temporary_folder();
        let database = match database {
            Database::Sqlite => format!("sqlite:{}", folder.join("elsewhere/shop.db").display()),
            Database::Postgres => new_postgres_database().await,
        };
        let mut settings = settings(&database);
        settings.extend([
            ("SHOP_SQUARE_ENVIRONMENT", "sandbox".to_owned()),
            ("SHOP_SQUARE_APPLICATION_ID", "sandbox-sq0idb-1".to_owned()),
            ("SHOP_SQUARE_LOCATION_ID", "L1".to_owned()),
            ("SHOP_SQUARE_ACCESS_TOKEN", "token".to_owned()),
            ("SHOP_SQUARE_WEBHOOK_KEY", "key".to_owned()),
        ]);
        Self { folder, database, settings }
    }

    pub(super) async fn restore(&self, file: &Path, options: &[&str]) -> Said {
        let mut arguments = vec!["restore", file.to_str().unwrap()];
        arguments.extend(options);
        run(&self.folder, &self.settings, &arguments).await
    }

    /// The files beside an SQLite database.
    pub(super) fn files(&self) -> Vec<String> {
        let files = fs::read_dir(self.folder.join("elsewhere")).into_iter().flatten();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }
}

async fn a_shop_is_backed_up_while_it_works_and_restored_elsewhere(shop: TestShop) {
    // Nothing listens there, so emails wait.
    let mail = SmtpSettings::read("smtp://127.0.0.1:1", "care@shop.example").unwrap();
    let bench = Bench::writing(shop.database, mail).await;
    let shop = &bench.shop;
    sell(&bench).await;
    let cookie = shop.sign_in("backup-reader", &[]).await;
    shop.sign_in("backup-leaver", &[]).await;
    shop.sign_in("backup-manager", &[]).await;
    bench
        .execute(
            "UPDATE users SET role = 'admin', assigned_role = 'admin', roles_read_at = 0
            WHERE subject = 'backup-manager'",
        )
        .await;
    let elsewhere = Elsewhere::new(shop.database).await;
    let (folder, here) = (&elsewhere.folder, shop.app.config.data.database.expose());
    let mut here_settings = settings(here);
    here_settings.retain(|(name, _)| *name != "SHOP_DATA");
    here_settings.push(("SHOP_DATA", shop.app.config.data.folder.display().to_string()));
    // Everything was compared long after the backup.
    compare::begin(&shop.app.payments()).await.unwrap();
    bench.execute("UPDATE provider_watermarks SET position = 9000000000000, newest = 9000000000000").await;

    // While others write: of each transaction all or nothing is in the backup, and all before the last one.
    let written = Arc::new(AtomicI64::new(0));
    let stop = Arc::new(AtomicBool::new(false));
    let writing = tokio::spawn(write_pairs(shop.app.db.clone(), Arc::clone(&written), Arc::clone(&stop)));
    while written.load(Ordering::Relaxed) < 10 {
        tokio::task::yield_now().await;
    }
    let (before, busy) = (written.load(Ordering::Relaxed), folder.join("new/busy.backup"));
    run(folder, &here_settings, &["backup", busy.to_str().unwrap()]).await.assert_success();
    let after = written.load(Ordering::Relaxed);
    stop.store(true, Ordering::Relaxed);
    writing.await.unwrap();
    assert!(after > before, "it was not backed up beside writers: {before}, {after}");
    let said = elsewhere.restore(&busy, &[]).await;
    for told in ["are back if it did not know of that", "Disputes that began or ended since the backup are not known"] {
        assert!(said.assert_success().out.contains(told), "{}", said.out);
    }
    let db = Db::open(&elsewhere.database).await.unwrap();
    let pairs = (count(&db, "a%").await, count(&db, "b%").await, last_pair(&db).await);
    db.close().await;
    assert_eq!((pairs.0, pairs.1), (pairs.2, pairs.2));
    assert!((before..=after + 1).contains(&pairs.2), "{before}, {pairs:?}, {after}");

    // Encrypted, of a shop at rest: everything is the same.
    let keys = folder.join("keys");
    let said = run(folder, &[], &["backup-key", keys.to_str().unwrap()]).await;
    let public = said.assert_success().out.lines().next().unwrap().strip_prefix("SHOP_BACKUP_KEY=").unwrap();
    here_settings.push(("SHOP_BACKUP_KEY", public.to_owned()));
    let quiet = folder.join("quiet.backup");
    run(folder, &here_settings, &["backup", quiet.to_str().unwrap()]).await.assert_success();
    run(folder, &here_settings, &["backup", quiet.to_str().unwrap()]).await.assert_refused("exists already");
    assert!(!fs::read(&quiet).unwrap().windows(13).any(|bytes| bytes == b"manifest.json"));

    // What must not be restored changes nothing.
    let untouched = everything_of(&elsewhere.database).await;
    until_unused(&elsewhere.database).await;
    let with_key = ["--key-file", keys.to_str().unwrap(), "--replace"];
    elsewhere.restore(&quiet, &["--replace"]).await.assert_refused("--key-file");
    let only_public = folder.join("public");
    fs::write(&only_public, public).unwrap();
    let said = elsewhere.restore(&quiet, &["--key-file", only_public.to_str().unwrap(), "--replace"]).await;
    said.assert_refused("public has no secret key as shop backup-key writes it");
    elsewhere.restore(&quiet, &with_key[..2]).await.assert_refused("--replace");
    for file in [&busy, &quiet] {
        let bytes = fs::read(file).unwrap();
        let damaged = folder.join("damaged.backup");
        for at in [bytes.len() / 3, bytes.len() - 20] {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            fs::write(&damaged, bytes).unwrap();
            elsewhere.restore(&damaged, &with_key).await.assert_refused("damaged.backup");
        }
        fs::write(&damaged, &bytes[..bytes.len() * 3 / 4]).unwrap();
        elsewhere.restore(&damaged, &with_key).await.assert_refused("damaged.backup");
    }
    assert!(untouched == everything_of(&elsewhere.database).await);

    // A shop that runs on the database is refused; the one here does.
    let mut onto_here = here_settings.clone();
    onto_here.retain(|(name, _)| *name != "SHOP_DATA");
    onto_here.push(("SHOP_DATA", ".".to_owned()));
    let mut arguments = vec!["restore", quiet.to_str().unwrap()];
    arguments.extend(with_key);
    run(folder, &onto_here, &arguments).await.assert_refused("a shop is running on this database");

    // Nothing differs but what a restore changes.
    until_unused(&elsewhere.database).await;
    elsewhere.restore(&quiet, &with_key).await.assert_success();
    let here_tables = everything_of(here).await;
    let mut restored = everything_of(&elsewhere.database).await;
    assert!(here_tables["sessions"].len() >= 2 && restored["sessions"].is_empty());
    assert_eq!(restored["audit_entries"].len(), here_tables["audit_entries"].len() + 1);
    // Comparing begins somewhat before the backup, so that no payment since then is missed.
    let minutes = |count: i64| SystemClock.now_ms() - count * 60 * 1000;
    for column in ["position", "newest"] {
        let (from, to) = watermarks(&elsewhere.database, column).await;
        assert!(from > minutes(30) && to <= minutes(15), "{column}: {from} {to} {}", minutes(0));
    }
    assert!(here_tables["jobs"].iter().any(|row| row.contains("_mail")), "no email waits");
    // Under this name the restore is in the audit log.
    restored.get_mut("users").unwrap().retain(|row| !row.contains("command line"));
    assert_same(&restored, &here_tables, &["sessions", "audit_entries", "provider_watermarks"]);
    let pictures = |folder: &Path| {
        let files = fs::read_dir(folder.join("pictures")).unwrap().map(|entry| entry.unwrap().path());
        files.map(|file| (file.file_name().unwrap().to_owned(), fs::read(file).unwrap())).collect::<BTreeMap<_, _>>()
    };
    assert!(pictures(folder) == pictures(&shop.app.config.data.folder));
    assert!(!pictures(folder).is_empty());
    assert_agrees_with_the_provider(&bench, &elsewhere.database).await;

    // Who was erased after the backup stays erased; blocks and revoked roles stay, too, and no role is given.
    let erased = user_of(shop, "backup-leaver").await;
    let (there, tokens_from) = (context_on(shop, &elsewhere.database).await, SystemClock.now_ms());
    // One came after the backup, was blocked, and went.
    let (newcomer, manager) = (profile("backup-newcomer", &[]), profile("backup-manager", &["admin"]));
    let (newcomer_id, _) = identity::service::user_of_bearer(&there, &newcomer, tokens_from).await.unwrap();
    const BLOCK: &str = "UPDATE users SET blocked_at = 1 WHERE subject = 'backup-newcomer'";
    for user in [erased.user_id, newcomer_id] {
        let mut tx = there.db.begin().await.unwrap();
        sql!(&mut tx.conn(), c => sqlx::query(BLOCK).execute(c).await.map(drop)).unwrap();
        identity::service::erase_user(&there, &mut tx.conn(), user).await.unwrap();
        tx.commit().await.unwrap();
    }
    let mut tx = there.db.begin().await.unwrap();
    for statement in [
        "UPDATE users SET blocked_at = 1, block_reason = 'fraud', role = 'admin', assigned_role = 'admin'
            WHERE subject = 'backup-reader'",
        "UPDATE users SET role = 'customer', assigned_role = NULL WHERE subject = 'backup-manager'",
    ] {
        sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
    }
    tx.commit().await.unwrap();
    there.db.close().await;
    until_unused(&elsewhere.database).await;
    let said = elsewhere.restore(&quiet, &with_key).await;
    let told = "erased again: 1, blocked again: 1, with roles taken away: 1;";
    assert!(said.assert_success().out.contains(told), "{}", said.out);
    assert!(said.out.contains("are back if it did not know of that"), "{}", said.out);

    // Access tokens from before give neither a role nor an account back.
    let there = context_on(shop, &elsewhere.database).await;
    identity::service::user_of_bearer(&there, &manager, tokens_from).await.unwrap();
    // One from long after makes the account anew, but does not lift the block.
    for issued_at in [tokens_from, tokens_from + 10 * CLOCK_SKEW] {
        let refused = identity::service::user_of_bearer(&there, &newcomer, issued_at).await;
        assert!(matches!(refused, Err(Error::Unauthorized)), "{refused:?}");
    }
    there.db.close().await;

    let restored = everything_of(&elsewhere.database).await;
    let user = |subject: &str| restored["users"].iter().find(|row| row.contains(subject)).unwrap();
    assert!(user("backup-reader").contains("fraud") && !user("backup-reader").contains("admin"));
    assert!(!user("backup-manager").contains("admin"));
    assert!(user("backup-newcomer").contains("Blocked before the account was deleted"));
    let id = erased.user_id.simple().to_string();
    let of_erased = |row: &&String| row.to_lowercase().replace('-', "").contains(&id);
    assert!(!restored["users"].iter().find(of_erased).unwrap().contains("backup-leaver"));
    let differing = [
        "sessions",
        "audit_entries",
        "provider_watermarks",
        "users",
        "search_terms",
        "user_devices",
        "jobs",
        "erased_subjects",
    ];
    assert_same(&restored, &here_tables, &differing);
    let left = elsewhere.files();
    assert!(left.iter().all(|name| ["shop.db", "shop.in-use", "shop.lock"].contains(&name.as_str())), "{left:?}");

    // While one is restored, no shop starts.
    until_unused(&elsewhere.database).await;
    let place = Target::lock(&elsewhere.database).await.unwrap();
    assert!(matches!(Db::open(&elsewhere.database).await, Err(DbError::Restoring)));
    drop(place);

    // The shop here went on.
    shop.call("GET", "/api/me", &cookie, serde_json::Value::Null).await.assert_status(200);
}

/// All tables but these have the same rows.
fn assert_same(restored: &BTreeMap<String, Vec<String>>, here: &BTreeMap<String, Vec<String>>, but: &[&str]) {
    for (table, rows) in restored.iter().filter(|(table, _)| !but.contains(&table.as_str())) {
        assert!(*rows == here[table], "{table} differs");
    }
}

/// Two orders, of which one is refunded.
async fn sell(bench: &Bench) {
    let mut orders = Vec::new();
    for _ in 0..2 {
        let order = bench.order(PIPE_TOOL, 1).await;
        bench.pay(&order).await.assert_status(200);
        orders.push(order);
    }
    bench.work().await;
    give_back(bench, &orders[0]).await;
    bench.let_pass(30).await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM refunds WHERE status = 'settled'").await, 1);
}

/// The books of a restored shop are those of the provider, and comparing all of the provider's records with it changes nothing.
async fn assert_agrees_with_the_provider(bench: &Bench, database: &str) {
    let mut payments = bench.shop.app.payments();
    payments.cx.db = Db::open(database).await.unwrap();
    bench.assert_books_balance_in(&payments.db).await;
    compare::go_back(&payments, NOON_MS).await.unwrap();
    let (from, _) = watermarks(database, "position").await;
    let mut before = everything_of(database).await;
    for &records in Records::ALL {
        compare::step(&payments, records, from).await.unwrap();
    }
    let mut after = everything_of(database).await;
    let (payments_to, refunds_to) = watermarks(database, "position").await;
    assert!(payments_to > from && refunds_to > from, "payments and refunds were compared");
    for tables in [&mut before, &mut after] {
        tables.remove("provider_watermarks");
    }
    assert!(before == after, "they differ");
    payments.db.close().await;
}

async fn a_backup_says_which_pictures_it_lacks(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let folder = temporary_folder();
    let data = &shop.app.config.data;
    let pictures = data.folder.join("pictures");
    // Of another folder, which has no pictures or foreign ones.
    let elsewhere = settings(data.database.expose());
    let here = [elsewhere.clone(), vec![("SHOP_DATA", data.folder.display().to_string())]].concat();
    for what in ["none", "foreign"] {
        let said = run(&folder, &elsewhere, &["backup", "to/new"]).await;
        said.assert_refused("pictures that products show is in the folder pictures in SHOP_DATA: check");
        assert_eq!(fs::read_dir(folder.join("to")).unwrap().count(), 0, "{what}");
        fs::write(folder.join("pictures/00000000000000000000.svg"), "<svg/>").unwrap();
    }

    // One that a product shows is lost; one that none shows is there.
    const SQL: &str = "SELECT MIN(media_key) FROM product_images";
    let mut reader = shop.app.db.read().await.unwrap();
    let lost: String = sql!(&mut reader.conn(), c => sqlx::query_scalar(SQL).fetch_one(c).await).unwrap();
    drop(reader);
    let file = pictures.join(format!("{lost}.svg"));
    let picture = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    fs::write(pictures.join("00000000000000000000.svg"), "<svg/>").unwrap();
    let said = run(&folder, &here, &["backup", "to/lacking"]).await;
    assert_eq!(said.code, Some(3), "{}\n{}", said.out, said.err);
    assert!(said.out.contains("It lacks 1 of ") && said.out.contains(&format!("{lost} of /product/")), "{}", said.out);
    let there = Elsewhere::new(shop.database).await;
    there.restore(&folder.join("to/lacking"), &[]).await.assert_success();

    fs::write(&file, picture).unwrap();
    let said = run(&folder, &here, &["backup", "to/whole"]).await;
    assert!(!said.assert_success().out.contains("It lacks"), "{}", said.out);
}

async fn a_backup_that_is_stopped_leaves_nothing(OnSqlite(_): OnSqlite) {
    let folder = temporary_folder();
    let mut settings = settings("sqlite:shop.db");
    run(&folder, &settings, &["migrate"]).await.assert_success();
    execute(&folder, FILL).await;
    let said = run(&folder, &[], &["backup-key", "keys"]).await;
    let public = said.assert_success().out.lines().next().unwrap().strip_prefix("SHOP_BACKUP_KEY=").unwrap();
    settings.push(("SHOP_BACKUP_KEY", public.to_owned()));

    let to = folder.join("to");
    let names = || names(&to);
    let size = |name: &str| fs::metadata(to.join(name)).map_or(0, |file| file.len());
    let copying = || size("new.partial.database") > 0;
    let sealing = || size("new.partial") > 1_000_000;
    for (is_under_way, signal) in [(&copying as &dyn Fn() -> bool, "-TERM"), (&sealing, "-INT"), (&sealing, "-KILL")] {
        let mut command = command(&folder, &settings, &["backup", "to/new"]);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        while !is_under_way() {
            assert!(child.try_wait().unwrap().is_none(), "it ends before {signal}");
            tokio::task::yield_now().await;
        }
        let id = child.id().unwrap().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().await.unwrap().success());
        let said = Said::from(child.wait_with_output().await.unwrap());
        if signal == "-KILL" {
            assert_eq!(names(), ["new.partial"], "what is readable has no name");
        } else {
            said.assert_refused("to/new was not written: stopped");
            assert!(names().is_empty(), "{:?}", names());
        }
    }
    // When the terminal is closed, unless it was to survive that.
    for (starter, survives) in [("--default-signal=HUP", false), ("--ignore-signal=HUP", true)] {
        let mut backup = started_by(&["/usr/bin/env", starter], &folder, &settings, &["backup", "to/new"]);
        let mut child = backup.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // That of the killed one, which is replaced, has no copy of the database beside it.
        while !copying() {
            assert!(child.try_wait().unwrap().is_none(), "it ends before SIGHUP");
            tokio::task::yield_now().await;
        }
        let id = child.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-HUP", &id]).status().await.unwrap().success());
        let said = Said::from(child.wait_with_output().await.unwrap());
        if survives {
            said.assert_success();
            fs::remove_file(to.join("new")).unwrap();
        } else {
            said.assert_refused("to/new was not written: stopped");
        }
        assert!(names().is_empty(), "{:?}", names());
    }
    let said = Said::from(cramped(&folder, &settings, &["backup", "to/new"]).output().await.unwrap());
    said.assert_refused("to/new was not written: ");
    assert!(names().is_empty(), "{:?}", names());
    // Not encrypted.
    settings.pop();
    run(&folder, &settings, &["backup", "to/large"]).await.assert_success();
    let said = cramped(&folder, &settings, &["restore", "to/large", "--replace"]).output().await.unwrap();
    Said::from(said).assert_refused("shop.restoring.db: File too large");
    fs::remove_file(to.join("large")).unwrap();
    execute(&folder, "DROP TABLE filler").await;
    run(&folder, &settings, &["backup", "to/new"]).await.assert_success();
    assert_eq!(names(), ["new"]);
}

async fn a_second_backup_to_the_same_name_is_refused(OnSqlite(shop): OnSqlite) {
    let folder = temporary_folder();
    let settings = settings("sqlite:shop.db");
    let first = frozen(&folder, &settings).await;
    run(&folder, &settings, &["backup", "to/new"]).await.assert_refused("another backup writes to/new.partial");
    signal(&first, "-CONT").await;
    Said::from(first.wait_with_output().await.unwrap()).assert_success();
    assert_eq!(names(&folder.join("to")), ["new"]);
    let elsewhere = Elsewhere::new(shop.database).await;
    elsewhere.restore(&folder.join("to/new"), &[]).await.assert_success();
}

/// The copy of the database is not encrypted, and the next backup may have another name.
async fn what_a_killed_backup_has_left_is_removed_by_the_next(OnSqlite(_): OnSqlite) {
    let folder = temporary_folder();
    let settings = settings("sqlite:shop.db");
    let mut killed = frozen(&folder, &settings).await;
    let to = folder.join("to");
    fs::write(to.join("film.partial"), "another program's").unwrap();
    let left = ["film.partial", "new.partial", "new.partial.database"];
    assert!(left.iter().all(|name| names(&to).iter().any(|found| found == name)), "{:?}", names(&to));
    run(&folder, &settings, &["backup", "to/second"]).await.assert_success();
    assert!(to.join("new.partial.database").exists(), "it is being written");
    signal(&killed, "-KILL").await;
    killed.wait().await.unwrap();
    assert!(to.join("new.partial.database").exists());
    run(&folder, &settings, &["backup", "to/third"]).await.assert_success();
    assert_eq!(names(&to), ["film.partial", "second", "third"]);
}

/// A backup to `to/new` that is frozen while it writes its copy of the database.
async fn frozen(folder: &Path, settings: &[(&str, String)]) -> Child {
    run(folder, settings, &["migrate"]).await.assert_success();
    execute(folder, FILL).await;
    for _ in 0..20 {
        let mut backup = command(folder, settings, &["backup", "to/new"]).stderr(Stdio::piped()).spawn().unwrap();
        if is_frozen(&mut backup, &folder.join("to/new.partial.database")).await {
            return backup;
        }
        // It was quicker than this test.
        Said::from(backup.wait_with_output().await.unwrap()).assert_success();
        fs::remove_file(folder.join("to/new")).unwrap();
    }
    panic!("it is never stopped while it writes its copy");
}

/// The names of a folder's files, in the order of the alphabet.
fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// As some providers of PostgreSQL set them.
async fn limits_of_the_server_stop_no_backup_and_no_restore(OnPostgres(shop): OnPostgres) {
    let (database, elsewhere) = (new_postgres_database().await, Elsewhere::new(shop.database).await);
    let (folder, here) = (&elsewhere.folder, settings(&database));
    run(folder, &here, &["migrate"]).await.assert_success();
    run(folder, &here, &["backup", "small.backup"]).await.assert_success();
    let mut conn = PgConnection::connect(&database).await.unwrap();
    const FILL: &str = "INSERT INTO used_logout_tokens (jti, expires_at)
        SELECT repeat('x', 1000) || n, n FROM generate_series(1, 20000) n";
    conn.execute(FILL).await.unwrap();
    // Not every version has the other two.
    const LIMITS: &str = "SELECT name || ' = ' || CASE name WHEN 'statement_timeout' THEN 1 ELSE 200 END
        FROM pg_settings WHERE name IN ('statement_timeout', 'transaction_timeout', 'idle_session_timeout')";
    let limits: Vec<String> = sqlx::query_scalar(LIMITS).fetch_all(&mut conn).await.unwrap();
    for address in [&database, &elsewhere.database] {
        let name = address.rsplit('/').next().unwrap();
        for limit in &limits {
            conn.execute(AssertSqlSafe(format!("ALTER DATABASE {name} SET {limit}"))).await.unwrap();
        }
    }
    conn.close().await.unwrap();
    run(folder, &here, &["backup", "large.backup"]).await.assert_success();
    elsewhere.restore(&folder.join("small.backup"), &[]).await.assert_success();
}

async fn a_key_that_cannot_be_written_leaves_no_file() {
    let folder = temporary_folder();
    const FULL: &str = r#"trap "" XFSZ; ulimit -f 0; exec "$0" "$@""#;
    let mut cramped = started_by(&["/bin/sh", "-c", FULL], &folder, &[], &["backup-key", "keys"]);
    Said::from(cramped.output().await.unwrap()).assert_refused("keys: File too large");
    assert!(!folder.join("keys").exists());
    run(&folder, &[], &["backup-key", "keys"]).await.assert_success();
}

/// Freezes a command while it writes this file; false if it was too quick.
pub(super) async fn is_frozen(child: &mut Child, file: &Path) -> bool {
    let is_written = || fs::metadata(file).is_ok_and(|file| file.len() > 0);
    while !is_written() {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        tokio::task::yield_now().await;
    }
    signal(child, "-STOP").await;
    // Its threads go on until they notice the signal, and may end before.
    let tasks = format!("/proc/{}/task", child.id().unwrap());
    let rests = || {
        let states = fs::read_dir(&tasks).unwrap().map(|task| fs::read_to_string(task.unwrap().path().join("stat")));
        // One that has ended since it was listed has no state.
        states.flatten().all(|state| state.contains(") T ") || state.contains(") Z "))
    };
    while !rests() {
        tokio::task::yield_now().await;
    }
    let is_frozen = is_written();
    if !is_frozen {
        signal(child, "-CONT").await;
    }
    is_frozen
}

pub(super) async fn signal(child: &Child, name: &str) {
    let id = child.id().unwrap().to_string();
    assert!(Command::new("kill").args([name, &id]).status().await.unwrap().success());
}

/// PostgreSQL may notice only later that a connection has ended, and keeps its locks until then.
pub(super) async fn until_unused(database: &str) {
    if database.starts_with("sqlite:") {
        return;
    }
    const SQL: &str = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    until("nobody has the database open", async || {
        let mut conn = PgConnection::connect(database).await.unwrap();
        let locks: i64 = sqlx::query_scalar(SQL).fetch_one(&mut conn).await.unwrap();
        conn.close().await.unwrap();
        locks == 0
    })
    .await;
}

pub(super) async fn execute(folder: &Path, statement: &'static str) {
    let mut conn = SqliteConnection::connect(&format!("sqlite:{}", folder.join("shop.db").display())).await.unwrap();
    sqlx::query(statement).execute(&mut conn).await.unwrap();
    conn.close().await.unwrap();
}

pub(super) async fn user_of(shop: &TestShop, subject: &str) -> Session {
    let mut reader = shop.app.db.read().await.unwrap();
    const SQL: &str = "SELECT id FROM users WHERE subject = $1";
    let id = sql!(&mut reader.conn(), c => sqlx::query_scalar(SQL).bind(subject).fetch_one(c).await).unwrap();
    drop(reader);
    identity::service::on_behalf(&shop.app, id).await.unwrap().unwrap()
}

fn profile(subject: &str, roles: &[&str]) -> Profile {
    Profile {
        issuer: "https://id.example".to_owned(),
        subject: subject.to_owned(),
        email: format!("{subject}@shop.example"),
        email_verified: true,
        name: String::new(),
        roles: roles.iter().map(|&role| role.to_owned()).collect(),
    }
}

/// The shop on another database, by the clock that commands have.
async fn context_on(shop: &TestShop, database: &str) -> Context {
    Context { clock: Arc::new(SystemClock), db: Db::open(database).await.unwrap(), ..Context::clone(&shop.app) }
}

/// Writes two rows per transaction.
async fn write_pairs(db: Db, written: Arc<AtomicI64>, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        let number = written.load(Ordering::Relaxed) + 1;
        let mut tx = db.begin().await.unwrap();
        for half in ["a", "b"] {
            const SQL: &str = "INSERT INTO used_logout_tokens (jti, expires_at) VALUES ($1, $2)";
            let name = format!("{half}{number}");
            sql!(&mut tx.conn(), c => sqlx::query(SQL).bind(&name).bind(number).execute(c).await.map(drop)).unwrap();
        }
        tx.commit().await.unwrap();
        written.store(number, Ordering::Relaxed);
    }
}

async fn count(db: &Db, like: &str) -> i64 {
    const SQL: &str = "SELECT COUNT(*) FROM used_logout_tokens WHERE jti LIKE $1";
    let mut reader = db.read().await.unwrap();
    sql!(&mut reader.conn(), c => sqlx::query_scalar(SQL).bind(like).fetch_one(c).await).unwrap()
}

async fn last_pair(db: &Db) -> i64 {
    const SQL: &str = "SELECT MAX(expires_at) FROM used_logout_tokens";
    let mut reader = db.read().await.unwrap();
    sql!(&mut reader.conn(), c => sqlx::query_scalar(SQL).fetch_one(c).await).unwrap()
}

/// The lowest and the highest value of a column.
async fn watermarks(database: &str, column: &str) -> (i64, i64) {
    let db = Db::open(database).await.unwrap();
    let mut reader = db.read().await.unwrap();
    let statement = AssertSqlSafe(format!("SELECT MIN({column}), MAX({column}) FROM provider_watermarks"));
    let found = sql!(&mut reader.conn(), c => sqlx::query_as(statement).fetch_one(c).await).unwrap();
    drop(reader);
    db.close().await;
    found
}

/// All rows of all tables, as sorted text; on PostgreSQL also its schema.
pub(super) async fn everything_of(database: &str) -> BTreeMap<String, Vec<String>> {
    let db = Db::open(database).await.unwrap();
    let mut reader = db.read().await.unwrap();
    let mut all = BTreeMap::new();
    match reader.conn() {
        Conn::Sqlite(mut c) => {
            let names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                AND name <> '_sqlx_migrations'";
            let names: Vec<String> = sqlx::query_scalar(names).fetch_all(&mut *c).await.unwrap();
            for name in names {
                let columns =
                    "SELECT group_concat('quote(\"' || name || '\")', ' || '', '' || ') FROM pragma_table_info($1)";
                let columns: String = sqlx::query_scalar(columns).bind(&name).fetch_one(&mut *c).await.unwrap();
                let rows = AssertSqlSafe(format!("SELECT {columns} FROM \"{name}\" ORDER BY 1"));
                all.insert(name, sqlx::query_scalar(rows).fetch_all(&mut *c).await.unwrap());
            }
            let schema = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1";
            all.insert("its schema".to_owned(), sqlx::query_scalar(schema).fetch_all(&mut *c).await.unwrap());
        }
        Conn::Postgres(mut c) => {
            let names = "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema()
                AND tablename <> '_sqlx_migrations'";
            let names: Vec<String> = sqlx::query_scalar(names).fetch_all(c.unlimited()).await.unwrap();
            for name in names {
                let rows = AssertSqlSafe(format!("SELECT CAST(to_jsonb(t) AS TEXT) FROM {name} t ORDER BY 1"));
                all.insert(name, sqlx::query_scalar(rows).fetch_all(c.unlimited()).await.unwrap());
            }
            let schema = "SELECT pg_get_constraintdef(oid) FROM pg_constraint
                    WHERE connamespace = CAST(current_schema() AS regnamespace)
                UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
                UNION ALL SELECT pg_get_triggerdef(oid) || CAST(tgenabled AS TEXT) FROM pg_trigger WHERE NOT tgisinternal
                UNION ALL SELECT CAST(nspname AS TEXT) FROM pg_namespace WHERE nspname NOT LIKE 'pg_%'
                ORDER BY 1";
            all.insert("its schema".to_owned(), sqlx::query_scalar(schema).fetch_all(c.unlimited()).await.unwrap());
        }
    }
    drop(reader);
    db.close().await;
    all
}
