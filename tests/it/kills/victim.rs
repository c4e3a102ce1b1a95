//! The program as a child process that follows the test's commands: die at a point, advance the clock.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;
use url::Url;

/// The timeout of all waits.
pub const LIMIT: Duration = Duration::from_secs(60);
const SIGKILL: i32 = 9;

pub struct Victim {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Victim {
    /// Starts a program with a clock that is ahead by this many milliseconds.
    pub async fn start(program: &OsStr, port: u16, folder: &Path, database: &str, square: &Url, ahead: i64) -> Self {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(folder.join("log")).unwrap();
        let mut child = Command::new(program)
            .args(["demo", "--empty", "--isolates", "1", "--data", ".", "--port", &port.to_string()])
            .args(["--database", database, "--square", square.as_str()])
            .current_dir(folder)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("SHOP_CLOCK_SHIFT", ahead.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut victim = Self { child, input, output };
        while !victim.line().await.expect("it starts").starts_with("Stop it with") {}
        victim
    }

    /// The next line of its output; `None` if it has ended.
    async fn line(&mut self) -> Option<String> {
        timeout(LIMIT, self.output.next_line()).await.expect("it says something or ends").unwrap()
    }

    /// Sends a command and returns the output; `None` if it died.
    async fn order(&mut self, order: &str) -> Option<String> {
        self.input.write_all(format!("{order}\n").as_bytes()).await.ok()?;
        self.line().await
    }

    /// Makes it kill itself on the `nth` visit to the point from now on.
    pub async fn arm(&mut self, point: &str, nth: u64) {
        assert_eq!(self.order(&format!("kill {point} {nth}")).await.as_deref(), Some("done"));
    }

    /// Makes it panic on the next `times` visits to the point.
    pub async fn panic(&mut self, point: &str, times: u64) {
        assert_eq!(self.order(&format!("panic {point} {times}")).await.as_deref(), Some("done"));
    }

    /// Advances its clock and runs what is due. Returns its output: `done`, or the point where it died.
    pub async fn pass(&mut self, ms: i64) -> Option<String> {
        self.order(&format!("pass {ms}")).await
    }

    /// Waits until it is killed at the point. `said` is its last output if that was already read.
    pub async fn assert_killed_at(mut self, point: &str, said: Option<String>) {
        let last = match said {
            Some(line) => Some(line),
            None => self.line().await,
        };
        assert_eq!(last, Some(format!("killed at {point}")));
        self.assert_killed().await;
    }

    /// Kills it from outside, at any point.
    pub async fn kill(mut self) {
        self.child.start_kill().unwrap();
        self.assert_killed().await;
    }

    async fn assert_killed(&mut self) {
        let status = timeout(LIMIT, self.child.wait()).await.expect("it ends").unwrap();
        assert_eq!(status.signal(), Some(SIGKILL));
    }
}
