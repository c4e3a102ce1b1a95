//! `shop doctor`, and what other commands say when they cannot work.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use url::Url;
use uuid::Uuid;

use super::backup::until_unused;
use super::{Said, command, run, settings};
use crate::reports::execute;
use crate::support::ports::free_port;
use crate::support::program::Program;
use crate::support::{
    Database, OnPostgres, OnSqlite, Test, TestShop, new_postgres_database, new_postgres_database_in, temporary_folder,
    until,
};
use crate::tests;

pub const TESTS: &[Test] = tests![
    it_says_what_works_and_what_does_not,
    it_leaves_no_folder,
    a_linked_file_is_checked_where_it_is,
    a_database_that_takes_no_writes_is_told,
    a_user_who_may_not_migrate_is_told,
    a_pooler_that_ignores_parameters_is_told,
    a_database_that_may_lose_commits_is_told,
    a_shop_is_begun_in_utf_8_only,
    a_place_without_a_rate_is_told,
    nodes_without_one_folder_of_pictures_are_told,
    commands_say_what_is_in_their_way,
    the_file_of_settings_says_what_is_logged_and_its_mistakes_are_told,
    the_settings_for_systemd_name_the_same_data_from_any_folder,
];

const SECRETS: [&str; 3] = ["hunter2", "0123456789abcdef", "token-of-square"];

async fn it_says_what_works_and_what_does_not(shop: TestShop) {
    let folder = temporary_folder();
    let database = shop.app.config.data.database.expose();
    let healthy = settings(database);
    let mut broken = settings(database);
    broken.extend([
        ("SHOP_OIDC_ISSUER", "http://127.0.0.1:1/hunter".to_owned()),
        ("SHOP_OIDC_CLIENT_ID", "shop".to_owned()),
        ("SHOP_OIDC_CLIENT_SECRET", "hunter2".to_owned()),
        ("SHOP_SMTP_URL", "smtp://care:hunter2@127.0.0.1:1".to_owned()),
        ("SHOP_MAIL_FROM", "care@shop.example".to_owned()),
        ("SHOP_SQUARE_ENVIRONMENT", "sandbox".to_owned()),
        ("SHOP_SQUARE_APPLICATION_ID", "sandbox-sq0idb-1".to_owned()),
        ("SHOP_SQUARE_LOCATION_ID", "L1".to_owned()),
        ("SHOP_SQUARE_ACCESS_TOKEN", "token-of-square".to_owned()),
        ("SHOP_SQUARE_WEBHOOK_KEY", "hunter2".to_owned()),
        // Nobody listens there, so Square itself is not asked.
        ("HTTPS_PROXY", "http://127.0.0.1:1".to_owned()),
        ("SHOP_BACKUP_KEY", "age1wrong".to_owned()),
        ("SHOP_DATA", "data".to_owned()),
    ]);
    let mut away = settings("postgres://shop:hunter2@127.0.0.1:1/shop");
    away.push(("SHOP_DATA", "none".to_owned()));
    let mut wrong = settings("mysql://shop:hunter2@db.example/shop");
    wrong.extend([("SHOP_SECRET", String::new()), ("SHOP_TIME_ZONE", "Ohio".to_owned())]);
    let doctor = ["doctor"];
    let (healthy, broken, away, wrong) = tokio::join!(
        run(&folder, &healthy, &doctor),
        run(&folder, &broken, &doctor),
        run(&folder, &away, &doctor),
        run(&folder, &wrong, &doctor),
    );
    for said in [&healthy, &broken, &away, &wrong] {
        for secret in SECRETS {
            assert!(!said.out.contains(secret) && !said.err.contains(secret), "{}\n{}", said.out, said.err);
        }
    }
    let has = |out: &str, begin: &str, text: &str| {
        assert!(
            out.lines().any(|line| line.starts_with(begin) && line.contains(text)),
            "{begin}…{text} is not in\n{out}"
        );
    };
    healthy.assert_success();
    let system = if shop.database == Database::Sqlite { "SQLite 3" } else { "PostgreSQL " };
    has(&healthy.out, "ok      Database: ", system);
    has(&healthy.out, "ok      Migrations: ", "all are applied");
    has(&healthy.out, "ok      Clock: ", "");
    if shop.database == Database::Postgres {
        has(&healthy.out, "ok      Limits of connections: ", "they apply");
        has(&healthy.out, "ok      Messages between nodes: ", "they arrive");
    }
    has(&healthy.out, "ok      Tax: ", "no rate of Franklin County is missing");
    has(&healthy.out, "ok      Data folder: ", "can be written to");
    has(&healthy.out, "ok      Data folder: ", "GiB are free");
    has(&healthy.out, "ok      Pictures: ", "");
    has(&healthy.out, "warning Settings: ", "SHOP_BACKUP_KEY");
    has(&healthy.out, "warning Mail: off. ", "SHOP_SMTP_URL");
    has(&healthy.out, "warning Card payment: off. ", "SHOP_SQUARE_");
    has(&healthy.out, "warning Sign-in: off. ", "SHOP_OIDC_ISSUER");

    assert_eq!(broken.code, Some(1));
    has(&broken.out, "error   Settings: ", "SHOP_BACKUP_KEY");
    has(&broken.out, "error   Mail: ", "check SHOP_SMTP_URL");
    has(&broken.out, "error   Card payment: ", "check the SHOP_SQUARE_");
    has(&broken.out, "error   Sign-in: ", "check SHOP_OIDC_ISSUER");
    has(&broken.out, "ok      Database: ", system);

    assert_eq!(away.code, Some(1));
    has(&away.out, "error   Database: PostgreSQL at 127.0.0.1:1/shop cannot be reached: ", "check SHOP_DATABASE");

    assert_eq!(wrong.code, Some(1));
    for setting in ["SHOP_DATABASE must begin with sqlite: or postgres:", "SHOP_SECRET is missing", "SHOP_TIME_ZONE"] {
        has(&wrong.out, "error   Settings: ", setting);
    }
}

/// Under systemd root runs it, and the shop is somebody else.
async fn it_leaves_no_folder(OnSqlite(_): OnSqlite) {
    let folder = temporary_folder();
    let mut settings = settings("sqlite:new/data/shop.db");
    settings.push(("SHOP_DATA", "new/data".to_owned()));
    let said = run(&folder, &settings, &["doctor"]).await;
    for told in ["ok      Data folder: new/data can be written to", "ok      Pictures: A test file was written"] {
        assert!(said.assert_success().out.contains(told), "{told} is not in\n{}", said.out);
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

async fn a_linked_file_is_checked_where_it_is(OnSqlite(_): OnSqlite) {
    let (folder, disk) = (temporary_folder(), temporary_folder());
    symlink(disk.join("shop.db"), folder.join("shop.db")).unwrap();
    let said = run(&folder, &settings("sqlite:shop.db"), &["doctor"]).await;
    let told = format!("ok      Database folder: {} can be written to", disk.canonicalize().unwrap().display());
    assert!(said.assert_success().out.contains(&told), "{told} is not in\n{}", said.out);
}

/// A replica, as after a failover. Of SQLite see [`super::damage`].
async fn a_database_that_takes_no_writes_is_told(OnPostgres(shop): OnPostgres) {
    let mut replica = Url::parse(shop.app.config.data.database.expose()).unwrap();
    replica.query_pairs_mut().append_pair("options[default_transaction_read_only]", "on");
    let said = run(&temporary_folder(), &settings(replica.as_str()), &["doctor"]).await;
    assert_eq!(said.code, Some(1), "{}\n{}", said.out, said.err);
    let line = said.out.lines().find(|line| line.starts_with("error   Database: ")).unwrap();
    assert!(line.contains("read-only transaction") && line.contains("check SHOP_DATABASE"), "{line}");
}

async fn a_user_who_may_not_migrate_is_told(OnPostgres(_): OnPostgres) {
    let (folder, owner) = (temporary_folder(), new_postgres_database().await);
    let role = format!("shop_{}", Uuid::now_v7().simple());
    let mut conn = PgConnection::connect(&owner).await.unwrap();
    let mut execute = async |sql: String| {
        conn.execute(AssertSqlSafe(sql)).await.unwrap();
    };
    execute(format!("CREATE ROLE {role}; REVOKE CREATE ON SCHEMA public FROM PUBLIC")).await;
    let mut limited = Url::parse(&owner).unwrap();
    limited.query_pairs_mut().append_pair("options[role]", &role);
    let migrations = async || {
        let said = run(&folder, &settings(limited.as_str()), &["doctor"]).await;
        let found = said.out.lines().find(|line| line.contains(" Migrations: "));
        found.unwrap_or_else(|| panic!("no line on migrations is in\n{}\n{}", said.out, said.err)).to_owned()
    };
    let grant = format!("GRANT USAGE, CREATE ON SCHEMA public TO {role}");
    let told = migrations().await;
    assert!(told.starts_with("error   ") && told.contains(&grant), "{told}");
    execute(grant).await;
    let told = migrations().await;
    assert!(told.starts_with("warning ") && !told.contains("GRANT"), "{told}");

    run(&folder, &settings(&owner), &["migrate"]).await.assert_success();
    let revoke = format!("REVOKE CREATE ON SCHEMA public FROM {role}");
    execute(format!("{revoke}; GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}")).await;
    assert_eq!(migrations().await, "ok      Migrations: all are applied");

    // A restore makes a schema.
    run(&folder, &settings(&owner), &["backup", "new.backup"]).await.assert_success();
    let grant = format!("run GRANT CREATE ON DATABASE {} TO {role}", owner.rsplit('/').next().unwrap());
    let said = run(&folder, &settings(limited.as_str()), &["doctor"]).await;
    let told = said.out.lines().find(|line| line.starts_with("warning Restore: ") && line.contains(&grant));
    assert!(told.is_some(), "{}", said.out);
    until_unused(&owner).await;
    let said = run(&folder, &settings(limited.as_str()), &["restore", "new.backup", "--replace"]).await;
    said.assert_refused(&grant);
    execute(format!("DROP OWNED BY {role}; DROP ROLE {role}")).await;
}

/// As PgBouncer with `ignore_startup_parameters = options`.
async fn a_pooler_that_ignores_parameters_is_told(OnPostgres(_): OnPostgres) {
    let (folder, direct) = (temporary_folder(), new_postgres_database().await);
    run(&folder, &settings(&direct), &["migrate"]).await.assert_success();
    run(&folder, &settings(&direct), &["backup", "new.backup"]).await.assert_success();
    let mut pooled = Url::parse(&new_postgres_database().await).unwrap();
    let pooler = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let server = pooled.port().unwrap();
    pooled.set_port(Some(pooler.local_addr().unwrap().port())).unwrap();
    pooled.query_pairs_mut().append_pair("sslmode", "disable");
    tokio::spawn(async move {
        while let Ok((client, _)) = pooler.accept().await {
            tokio::spawn(forget_options(client, server));
        }
    });
    let said = run(&folder, &settings(pooled.as_str()), &["doctor"]).await;
    assert_eq!(said.code, Some(1), "{}\n{}", said.out, said.err);
    let told = "error   Limits of connections: they do not apply: SHOP_DATABASE must lead to PostgreSQL itself";
    assert!(said.out.contains(told), "{}", said.out);
    // The copy would be made in the place of the database.
    let said = run(&folder, &settings(pooled.as_str()), &["restore", "new.backup"]).await;
    said.assert_refused("the parameter search_path does not arrive at the database");
}

/// Carries a connection to PostgreSQL, and leaves out the parameter `options` of its start.
async fn forget_options(mut client: TcpStream, server: u16) {
    const LENGTH_AND_PROTOCOL: usize = 8;
    let mut server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
    let length = client.read_u32().await.unwrap();
    let mut rest = vec![0; length as usize - 4];
    client.read_exact(&mut rest).await.unwrap();
    let (protocol, parameters) = rest.split_at(4);
    let texts: Vec<&[u8]> = parameters.split_inclusive(|byte| *byte == 0).collect();
    // At the end is a lone zero.
    let kept: Vec<&[u8]> = texts.chunks(2).filter(|pair| pair[0] != b"options\0").flatten().copied().collect();
    let kept = kept.concat();
    server.write_u32((LENGTH_AND_PROTOCOL + kept.len()) as u32).await.unwrap();
    server.write_all(&[protocol, &kept].concat()).await.unwrap();
    // Either end may just close it.
    let _ = copy_bidirectional(&mut client, &mut server).await;
}

/// As one that somebody has set so to make it faster.
async fn a_database_that_may_lose_commits_is_told(OnPostgres(shop): OnPostgres) {
    let is_told = async |level: &str| {
        let mut address = Url::parse(shop.app.config.data.database.expose()).unwrap();
        address.query_pairs_mut().append_pair("options[synchronous_commit]", level);
        let said = run(&temporary_folder(), &settings(address.as_str()), &["doctor"]).await;
        said.assert_success().out.contains("warning Commits: synchronous_commit is off")
    };
    assert!(is_told("off").await);
    assert!(!is_told("on").await);
}

/// As on a server whose locale is `en_US`.
async fn a_shop_is_begun_in_utf_8_only(OnPostgres(_): OnPostgres) {
    const TOLD: &str = "the database is in LATIN1 and not in UTF-8, so it cannot store every character";
    const ADVICE: &str = "; shop backup and shop restore bring the shop there";
    let (folder, utf_8, latin) =
        (temporary_folder(), new_postgres_database().await, new_postgres_database_in("LATIN1").await);
    let (there, mut here) = (settings(&utf_8), settings(&latin));
    here.push(("SHOP_ADDRESS", "127.0.0.1:0".to_owned()));
    let doctor = async || {
        let said = run(&folder, &here, &["doctor"]).await;
        assert_eq!(said.code, Some(1), "{}\n{}", said.out, said.err);
        let line = said.out.lines().find(|line| line.starts_with(&format!("error   Encoding: {TOLD}")));
        line.unwrap_or_else(|| panic!("no line on the encoding is in\n{}", said.out)).to_owned()
    };
    assert!(!doctor().await.contains(ADVICE));
    run(&folder, &there, &["migrate"]).await.assert_success();
    run(&folder, &there, &["backup", "new.backup"]).await.assert_success();
    for arguments in [&["serve"][..], &["migrate"], &["restore", "new.backup"]] {
        run(&folder, &here, arguments).await.assert_refused(TOLD);
    }
    let mut conn = PgConnection::connect(&latin).await.unwrap();
    let tables: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'")
        .fetch_one(&mut conn)
        .await
        .unwrap();
    assert_eq!(tables, 0);

    // One that a former release has begun goes on, until it is brought elsewhere.
    sqlx::migrate!("migrations/postgres").run_to(54, &mut conn).await.unwrap();
    conn.close().await.unwrap();
    run(&folder, &here, &["migrate"]).await.assert_success();
    assert!(doctor().await.contains(ADVICE));
    run(&folder, &here, &["backup", "old.backup"]).await.assert_success();
    until_unused(&utf_8).await;
    run(&folder, &there, &["restore", "old.backup", "--replace"]).await.assert_success();
}

async fn a_place_without_a_rate_is_told(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let folder = temporary_folder();
    let franklin = settings(shop.app.config.data.database.expose());
    let delaware = [franklin.clone(), vec![("SHOP_COMPANY_COUNTY", "delaware county".to_owned())]].concat();
    let tax = async |settings: &[(&str, String)]| {
        let said = run(&folder, settings, &["doctor"]).await;
        let found = said.assert_success().out.lines().find(|line| line.contains(" Tax: "));
        found.unwrap_or_else(|| panic!("no line on taxes is in\n{}", said.out)).to_owned()
    };
    let warning = tax(&delaware).await;
    assert!(warning.starts_with("warning Tax: SHOP_COMPANY_COUNTY is Delaware, and no rate"), "{warning}");
    assert!(warning.contains("sales in OH are taxed without the county's part; add its rate"), "{warning}");
    let set = |statement: &'static str| execute(&shop, statement);
    // As a former release stored it.
    set("UPDATE tax_rates SET county = 'Delaware County' WHERE county = 'Franklin'").await;
    assert!(tax(&delaware).await.starts_with("ok      Tax: "));
    assert!(tax(&franklin).await.starts_with("warning Tax: "));
    set("UPDATE tax_rates SET valid_until = '2025-05-01' WHERE county <> ''").await;
    assert!(tax(&delaware).await.starts_with("warning Tax: "), "it has ended");
    set("DELETE FROM tax_rates WHERE county <> ''").await;
    assert!(tax(&delaware).await.starts_with("ok      Tax: "), "the state has one rate for all counties");
    // As after a tax holiday, when the former rate does not resume.
    set("UPDATE tax_rates SET valid_until = '2025-05-01'").await;
    let warning = tax(&franklin).await;
    assert!(warning.starts_with("warning Tax: no rate of OH itself is in force today: sales in OH"), "{warning}");
    set("DELETE FROM tax_rates").await;
    assert!(tax(&franklin).await.starts_with("ok      Tax: "), "nothing is taxed there");
}

async fn nodes_without_one_folder_of_pictures_are_told(OnPostgres(_): OnPostgres) {
    const TOLD: &str = "another node has its pictures in another folder";
    let database = new_postgres_database().await;
    let node = async |data: &str| {
        let port = free_port();
        let origin = format!("http://localhost:{port}");
        Program::node(port, &database, &[("SHOP_ORIGIN", origin.as_str()), ("SHOP_DATA", data)]).await
    };
    let first = node("data").await;
    let shared = first.folder.join("data").display().to_string();
    let second = node(&shared).await;
    for node in [&first, &second] {
        assert!(!node.log().contains(TOLD), "{}", node.log());
    }
    let here = temporary_folder();
    let told = async |data: &str| {
        let settings = [settings(&database), vec![("SHOP_DATA", data.to_owned())]].concat();
        let said = run(&here, &settings, &["doctor"]).await;
        said.assert_success().out.contains(&format!("warning Pictures: {TOLD}"))
    };
    assert!(!told(&shared).await);
    assert!(told(".").await);
    assert!(!here.join("pictures").exists(), "the doctor gives a folder no id");
    let third = node("data").await;
    assert!(third.log().contains(TOLD), "{}", third.log());
    assert!(told(&shared).await);
    drop(third);
    until("it is gone", async || !told(&shared).await).await;
}

async fn commands_say_what_is_in_their_way(shop: TestShop) {
    let folder = temporary_folder();
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut blocked = settings("sqlite:shop.db");
    blocked.push(("SHOP_ADDRESS", address.clone()));
    run(&folder, &blocked, &["serve"]).await.assert_refused(&format!("cannot listen at {address}"));

    fs::write(folder.join("file"), "no folder").unwrap();
    let no_folder = settings("sqlite:file/shop.db");
    run(&folder, &no_folder, &["migrate"]).await.assert_refused("file cannot be written to");

    fs::write(folder.join("shop.env"), "SHOP_ORIGIN=https://shop.example\n\nSHOP_SECRET hunter2\n").unwrap();
    let said = run(&folder, &[], &["serve", "--env-file", "shop.env"]).await;
    assert!(!said.assert_refused("shop.env, line 3: this is not NAME=value").err.contains("hunter2"));
    run(&folder, &[], &["serve", "--env-file", "none.env"]).await.assert_refused("none.env: ");

    if shop.database == Database::Sqlite {
        let mut second = settings(shop.app.config.data.database.expose());
        second.push(("SHOP_ADDRESS", "127.0.0.1:0".to_owned()));
        run(&folder, &second, &["serve"]).await.assert_refused("another process works on");
    }

    for shell in ["bash", "zsh", "fish"] {
        let script = run(&folder, &[], &["completions", shell]).await.assert_success().out.clone();
        assert!(script.contains("restore") && !script.contains("square-stand-in"), "{shell}");
    }
    for command in ["man", "settings"] {
        let said = run(&folder, &[], &[command]).await;
        for setting in shop_base::config::settings::SETTINGS {
            assert!(said.assert_success().out.contains(setting.name), "{} is not in shop {command}", setting.name);
        }
    }
    // Without this mark its lines would be one paragraph with those of others. A minus is escaped.
    let page = run(&folder, &[], &["man"]).await.out.replace("\\-", "-");
    for setting in shop_base::config::settings::SETTINGS {
        assert!(page.contains(&format!("\n.TP\n\\fB{}\\fR (default: ", setting.name)), "{}", setting.name);
    }
    for text in [".SS \"shop restore [OPTIONS] <FILE>\"", "--key-file <KEY_FILE>", "--replace", "shop admin grant "] {
        assert!(page.contains(text), "{text} is not in\n{page}");
    }
    assert!(!page.contains("shop-backup(1)") && !page.contains("square-stand-in"), "{page}");
}

async fn the_file_of_settings_says_what_is_logged_and_its_mistakes_are_told(shop: TestShop) {
    let folder = temporary_folder();
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut settings = settings(shop.app.config.data.database.expose());
    settings.extend([("SHOP_ADDRESS", address), ("SHOP_TRUSTED_PROXY", "10.0.0.0/8".to_owned())]);
    let file: String = settings.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
    fs::write(folder.join("shop.env"), &file).unwrap();
    fs::write(folder.join("quiet.env"), format!("{file}RUST_LOG=error\n")).unwrap();

    const TOLD: &str = "SHOP_TRUSTED_PROXY is not a setting and does nothing: is SHOP_TRUSTED_PROXIES meant?";
    let doctor = run(&folder, &[], &["doctor", "--env-file", "shop.env"]).await;
    assert!(doctor.assert_success().out.contains(&format!("warning Settings: {TOLD}")), "{}", doctor.out);
    assert!(!folder.join("pictures").exists(), "it tries out a folder, and removes it");
    let serve = async |variables: &[(&str, String)], file: &str| {
        let said = run(&folder, variables, &["serve", "--env-file", file]).await;
        said.assert_refused("cannot listen at").err.contains(TOLD)
    };
    assert!(serve(&[], "shop.env").await);
    assert!(!serve(&[], "quiet.env").await, "it is a warning, and the file wants errors only");
    assert!(serve(&[("RUST_LOG", "warn".to_owned())], "quiet.env").await, "what is set already wins");

    // What is set is not replaced by what the file has.
    let mut latin = command(&folder, &[], &["doctor", "--env-file", "shop.env"]);
    let doctor =
        Said::from(latin.env("SHOP_DATABASE", OsStr::from_bytes(b"sqlite:caf\xe9.db")).output().await.unwrap());
    assert_eq!(doctor.code, Some(1), "{}", doctor.out);
    assert!(doctor.out.contains("error   Settings: SHOP_DATABASE is not written in UTF-8"), "{}", doctor.out);

    // A pipe is empty when it is read again.
    let mut piped = command(&folder, &[], &["doctor", "--env-file", "/dev/stdin"]);
    piped.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(file.as_bytes()).await.unwrap();
    let doctor = Said::from(child.wait_with_output().await.unwrap());
    assert!(doctor.assert_success().out.contains(TOLD), "{}", doctor.out);
}

async fn the_settings_for_systemd_name_the_same_data_from_any_folder(OnSqlite(_): OnSqlite) {
    let (folder, elsewhere) = (temporary_folder(), temporary_folder());
    let state = folder.join("state");
    let mut settings =
        include_str!("../../../deploy/shop.env.example").replace("/var/lib/shop", state.to_str().unwrap());
    for name in ["SHOP_ADDRESS", "SHOP_TRUSTED_PROXIES", "SHOP_DATABASE", "SHOP_DATA"] {
        let comment = format!("\n# {name}=");
        assert!(settings.contains(&comment), "{name}");
        settings = settings.replace(&comment, &format!("\n{name}="));
    }
    for name in ["SHOP_SECRET", "SHOP_OIDC_CLIENT_SECRET"] {
        settings = settings.replace(&format!("\n{name}=\n"), &format!("\n{name}=0123456789abcdef0123456789abcdef\n"));
    }
    let file = folder.join("shop.env");
    fs::write(&file, settings).unwrap();
    run(&elsewhere, &[], &["migrate", "--env-file", file.to_str().unwrap()]).await.assert_success();
    assert!(state.join("data/shop.db").exists());
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}
