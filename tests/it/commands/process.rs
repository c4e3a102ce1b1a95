//! Output that nobody reads to its end, wrong arguments, and signals.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use shop_base::db::Db;
use sqlx::{Connection, PgConnection, PgPool};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::timeout;
use url::Url;

use super::{Said, command, run, settings, started_by};
use crate::support::link::{Link, State};
use crate::support::ports::free_port;
use crate::support::program::LIMIT;
use crate::support::{Database, OnPostgres, Test, TestShop, new_postgres_database, temporary_folder, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    whoever_has_read_enough_is_told_nothing,
    output_on_a_full_disk_is_an_error,
    a_backup_is_there_though_nobody_is_told,
    what_is_done_is_no_error_though_nobody_is_told,
    a_shop_serves_when_nobody_reads_its_output,
    a_wrong_log_filter_is_told,
    why_a_command_failed_is_told_whatever_is_logged,
    a_demonstration_needs_four_ports,
    a_start_that_waits_can_be_stopped,
    a_node_that_migrates_gets_no_requests,
    a_command_that_waits_can_be_stopped,
];

const PRINTING: [&[&str]; 4] = [&["openapi"], &["settings"], &["man"], &["completions", "bash"]];

/// A pipe whose reader has gone.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

/// Runs a command that writes there.
async fn run_into(folder: &Path, settings: &[(&str, String)], arguments: &[&str], out: Stdio) -> Said {
    let child = command(folder, settings, arguments).stdout(out).stderr(Stdio::piped()).spawn().unwrap();
    Said::from(child.wait_with_output().await.unwrap())
}

async fn whoever_has_read_enough_is_told_nothing() {
    let folder = temporary_folder();
    for arguments in PRINTING {
        let said = run_into(&folder, &[], arguments, closed()).await;
        assert_eq!((said.code, said.err.as_str()), (Some(1), ""), "{arguments:?}");
    }
}

async fn output_on_a_full_disk_is_an_error() {
    let folder = temporary_folder();
    for arguments in PRINTING {
        let said = run_into(&folder, &[], arguments, full()).await;
        assert_eq!(said.code, Some(1), "{arguments:?}");
        said.assert_refused("No space left on device");
    }
}

/// Its exit code would say that there is no file.
async fn a_backup_is_there_though_nobody_is_told(shop: TestShop) {
    let (folder, elsewhere) = (temporary_folder(), temporary_folder());
    let data = &shop.app.config.data;
    let mut here = settings(data.database.expose());
    here.push(("SHOP_DATA", data.folder.display().to_string()));
    run_into(&folder, &here, &["backup", "new.backup"], full()).await.assert_success();
    assert!(folder.join("new.backup").exists());
    let there = match shop.database {
        Database::Sqlite => format!("sqlite:{}", elsewhere.join("shop.db").display()),
        Database::Postgres => new_postgres_database().await,
    };
    run_into(&folder, &settings(&there), &["restore", "new.backup"], closed()).await.assert_success();
}

async fn what_is_done_is_no_error_though_nobody_is_told(shop: TestShop) {
    let folder = temporary_folder();
    shop.sign_in("told-to-nobody", &[]).await;
    let mut here = settings(shop.app.config.data.database.expose());
    here.push(("SHOP_SECRET_FALLBACK", "fedcba9876543210fedcba9876543210".to_owned()));
    for arguments in [&["admin", "grant", "told-to-nobody@shop.example", "staff"][..], &["reencrypt"]] {
        run_into(&folder, &here, arguments, full()).await.assert_success();
    }
}

async fn a_shop_serves_when_nobody_reads_its_output() {
    let folder = temporary_folder();
    let address = format!("127.0.0.1:{}", free_port());
    let mut settings = settings("sqlite:shop.db");
    settings.extend([("SHOP_ADDRESS", address.clone()), ("SHOP_ISOLATES", "1".to_owned())]);
    let mut child = command(&folder, &settings, &["serve"]).stdout(closed()).stderr(Stdio::null()).spawn().unwrap();
    let serves = async || {
        let mut stream = TcpStream::connect(&address).await?;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n").await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok::<_, std::io::Error>(answer.starts_with("HTTP/1.1 200"))
    };
    let answers = async {
        while !serves().await.unwrap_or_default() {
            assert!(child.try_wait().unwrap().is_none(), "it has ended");
            tokio::task::yield_now().await;
        }
    };
    timeout(LIMIT, answers).await.expect("it serves");
    let id = child.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().await.unwrap().success());
    assert!(timeout(LIMIT, child.wait()).await.expect("it ends").unwrap().success());
}

async fn a_wrong_log_filter_is_told() {
    let folder = temporary_folder();
    for (filter, is_wrong) in [("shop=loud", true), ("shop=warn", false)] {
        let said =
            Said::from(command(&folder, &[("RUST_LOG", filter.to_owned())], &["settings"]).output().await.unwrap());
        assert_eq!(said.assert_success().err.contains("RUST_LOG cannot be read"), is_wrong, "{filter}: {}", said.err);
    }
}

async fn why_a_command_failed_is_told_whatever_is_logged() {
    let folder = temporary_folder();
    for filter in ["off", "sqlx=warn"] {
        let quiet = [("RUST_LOG", filter.to_owned())];
        let said = Said::from(command(&folder, &quiet, &["migrate"]).output().await.unwrap());
        said.assert_refused("SHOP_ORIGIN is missing");
    }
}

async fn a_demonstration_needs_four_ports() {
    let folder = temporary_folder();
    for port in ["0", "65533"] {
        let demo = async { command(&folder, &[], &["demo", "--port", port]).output().await.unwrap() };
        let said = Said::from(timeout(LIMIT, demo).await.expect("it ends"));
        said.assert_refused("is not in 1..=65532");
    }
}

/// A shop that starts while another node applies migrations: those of a new shop, or one that a shop lacks.
struct Waiting {
    child: Child,
    address: String,
    folder: PathBuf,
    /// Has the lock of whoever migrates, until it is closed.
    other: PgConnection,
}

impl Waiting {
    async fn start(is_new: bool) -> Self {
        let folder = temporary_folder();
        let (database, address) = (new_postgres_database().await, format!("127.0.0.1:{}", free_port()));
        if !is_new {
            Db::open(&database).await.unwrap().close().await;
        }
        let mut other = PgConnection::connect(&database).await.unwrap();
        let lacking = ["DROP INDEX users_deleted_at_idx", "DELETE FROM _sqlx_migrations WHERE version = 28"];
        let locking = "SELECT pg_advisory_lock(7883946363647714593)";
        for statement in lacking.into_iter().filter(|_| !is_new).chain([locking]) {
            sqlx::query(statement).execute(&mut other).await.unwrap();
        }
        let mut settings = settings(&database);
        settings.extend([("SHOP_ADDRESS", address.clone()), ("SHOP_ISOLATES", "1".to_owned())]);
        let mut serve = command(&folder, &settings, &["serve"]);
        let log = File::create(folder.join("log")).unwrap();
        let child = serve.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let waiting = Self { child, address, folder, other };
        until("it waits", async || waiting.log().contains("another process applies migrations")).await;
        waiting
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap()
    }

    /// Why it takes no connection, if so.
    async fn refusal(&self) -> Option<ErrorKind> {
        TcpStream::connect(&self.address).await.err().map(|error| error.kind())
    }

    /// Sends SIGTERM; returns what it has said.
    async fn stop(mut self) -> (String, String) {
        let id = self.child.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
        let mut out = String::new();
        let ending = async {
            self.child.stdout.take().unwrap().read_to_string(&mut out).await.unwrap();
            self.child.wait().await.unwrap()
        };
        let status = timeout(LIMIT, ending).await.expect("it ends");
        assert!(status.success(), "{}", self.log());
        (out, self.log())
    }
}

/// The first process of a container hears only those signals that it waits for.
async fn a_start_that_waits_can_be_stopped(OnPostgres(_): OnPostgres) {
    for is_new in [true, false] {
        let waiting = Waiting::start(is_new).await;
        // That of a new shop listens from the beginning on.
        assert_eq!(waiting.refusal().await.is_none(), is_new);
        let (out, log) = waiting.stop().await;
        assert!(log.contains("stopping: it was not serving yet"), "{log}");
        assert_eq!(out, "");
    }
}

/// nginx asks no node whether it is ready, and takes one that listens for one that answers.
async fn a_node_that_migrates_gets_no_requests(OnPostgres(_): OnPostgres) {
    let mut waiting = Waiting::start(false).await;
    assert_eq!(waiting.refusal().await, Some(ErrorKind::ConnectionRefused));
    sqlx::query("SELECT pg_advisory_unlock(7883946363647714593)").execute(&mut waiting.other).await.unwrap();
    until("it listens", async || waiting.refusal().await.is_none()).await;
    const APPLIED: &str = "SELECT COUNT(*) FROM _sqlx_migrations WHERE version = 28";
    let applied: i64 = sqlx::query_scalar(APPLIED).fetch_one(&mut waiting.other).await.unwrap();
    assert_eq!(applied, 1);
    waiting.stop().await;
}

/// A command that waits for something, told to stop. Like the first process of a container, it does not end by a signal that it does not wait for.
pub(super) async fn stopped(
    folder: &Path,
    settings: &[(&str, String)],
    arguments: &[&str],
    signal: &str,
    waits: impl AsyncFn() -> bool,
) -> Said {
    let ignoring = format!("--ignore-signal={signal}");
    let mut waiting = started_by(&["/usr/bin/env", &ignoring], folder, settings, arguments);
    let mut child = waiting.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until("it waits", waits).await;
    assert!(child.try_wait().unwrap().is_none(), "it has ended");
    let id = child.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-s", signal, &id]).status().await.unwrap().success());
    Said::from(timeout(LIMIT, child.wait_with_output()).await.expect("it ends").unwrap())
}

async fn a_command_that_waits_can_be_stopped(OnPostgres(_): OnPostgres) {
    let (folder, database) = (temporary_folder(), new_postgres_database().await);
    let mut here = settings(&database);
    here.push(("SHOP_SECRET_FALLBACK", "fedcba9876543210fedcba9876543210".to_owned()));
    run(&folder, &here, &["migrate"]).await.assert_success();
    run(&folder, &here, &["backup", "new.backup"]).await.assert_success();

    // For another node that applies migrations, of which one is missing.
    let other = PgPool::connect(&database).await.unwrap();
    sqlx::query("DELETE FROM _sqlx_migrations WHERE version = 43").execute(&other).await.unwrap();
    let mut lock = other.acquire().await.unwrap();
    sqlx::query("SELECT pg_advisory_lock(7883946363647714593)").execute(&mut *lock).await.unwrap();
    const WAITING: &str = "SELECT COUNT(*) FROM pg_stat_activity
        WHERE datname = current_database() AND query = 'SELECT pg_try_advisory_lock($1)'";
    let waiting = async || sqlx::query_scalar::<_, i64>(WAITING).fetch_one(&other).await.unwrap();
    for (arguments, says) in [
        (&["migrate"][..], "stopped: the next start applies what is missing"),
        (&["reencrypt"], "stopped: run it again for the rest"),
        (&["export", "out"], "nothing was exported to out: stopped"),
        (&["admin", "grant", "owner@shop.example", "admin"], "stopped"),
    ] {
        for (signal, code) in [("TERM", 143), ("INT", 130)] {
            until("the former one is gone", async || waiting().await == 0).await;
            let said = stopped(&folder, &here, arguments, signal, async || waiting().await > 0).await;
            said.assert_refused(says);
            assert_eq!(said.code, Some(code), "{arguments:?}");
        }
    }
    drop(lock);
    other.close().await;

    // For a server that does not answer.
    let mut address = Url::parse(&database).unwrap();
    let link = Link::to(address.port().unwrap()).await;
    link.set(State::Silent);
    address.set_port(Some(link.port)).unwrap();
    let away = settings(address.as_str());
    for (arguments, says) in
        [(&["restore", "new.backup", "--replace"][..], "stopped: nothing was restored"), (&["doctor"], "stopped")]
    {
        let before = link.disturbed();
        let said = stopped(&folder, &away, arguments, "TERM", async || link.disturbed() > before).await;
        said.assert_refused(says);
        assert_eq!(said.code, Some(143), "{arguments:?}");
    }
}
