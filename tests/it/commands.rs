//! The commands of the program for those who run a shop.

pub mod admin;
pub mod backup;
pub mod damage;
pub mod doctor;
pub mod export;
pub mod foreign;
pub mod pictures;
pub mod process;
pub mod reencrypt;
pub mod restore;

use std::path::Path;
use std::process::{Output, Stdio};

use tokio::process::Command;

const BINARY: &str = env!("CARGO_BIN_EXE_shop");

/// How a command ended, and what it said.
struct Said {
    is_success: bool,
    code: Option<i32>,
    out: String,
    err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            is_success: output.status.success(),
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Said {
    #[track_caller]
    fn assert_success(&self) -> &Self {
        assert!(self.is_success, "{}\n{}", self.out, self.err);
        self
    }

    /// It failed and said why.
    #[track_caller]
    fn assert_refused(&self, why: &str) -> &Self {
        assert!(!self.is_success && self.err.contains(why), "{why} is not in:\n{}\n{}", self.out, self.err);
        self
    }
}

/// Complete settings of a shop with this database.
fn settings(database: &str) -> Vec<(&'static str, String)> {
    let pairs = [
        ("SHOP_ORIGIN", "http://localhost:8787"),
        ("SHOP_SECRET", "0123456789abcdef0123456789abcdef"),
        ("SHOP_COMPANY_NAME", "Cardinal & Briar"),
        ("SHOP_COMPANY_EMAIL", "care@shop.example"),
        ("SHOP_COMPANY_PHONE", "+1 614 555 0100"),
        ("SHOP_COMPANY_ADDRESS", "1 Main Street, Columbus, OH 43215"),
        ("SHOP_DATABASE", database),
        ("SHOP_DATA", "."),
    ];
    pairs.map(|(name, value)| (name, value.to_owned())).into()
}

/// A command in a folder, with these settings only.
fn command(folder: &Path, settings: &[(&str, String)], arguments: &[&str]) -> Command {
    started_by(&[], folder, settings, arguments)
}

/// The same where no file may grow beyond some kilobytes, as on a disk that is nearly full.
fn cramped(folder: &Path, settings: &[(&str, String)], arguments: &[&str]) -> Command {
    const SCRIPT: &str = r#"trap "" XFSZ; ulimit -f 100; exec "$0" "$@""#;
    started_by(&["/bin/sh", "-c", SCRIPT], folder, settings, arguments)
}

/// The same, started by another program.
fn started_by(starter: &[&str], folder: &Path, settings: &[(&str, String)], arguments: &[&str]) -> Command {
    let line = [starter, &[BINARY], arguments].concat();
    let mut command = Command::new(line[0]);
    command.args(&line[1..]).current_dir(folder).env_clear().stdin(Stdio::null()).kill_on_drop(true);
    command.envs(settings.iter().map(|(name, value)| (name, value)));
    command
}

async fn run(folder: &Path, settings: &[(&str, String)], arguments: &[&str]) -> Said {
    Said::from(command(folder, settings, arguments).output().await.unwrap())
}
