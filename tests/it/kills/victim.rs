//! The program as a process of its own that does what a test tells it: die at a point, let time pass.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;
use url::Url;

/// No test waits for longer than this for anything.
pub const LIMIT: Duration = Duration::from_secs(60);
const SIGKILL: i32 = 9;

pub struct Victim {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Victim {
    /// Starts a program with a clock that is ahead by so many milliseconds.
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

    /// The next line that it says; none when it is gone.
    async fn line(&mut self) -> Option<String> {
        timeout(LIMIT, self.output.next_line()).await.expect("it says something or ends").unwrap()
    }

    /// Gives an order; false when it died over it.
    async fn order(&mut self, order: &str) -> Option<String> {
        self.input.write_all(format!("{order}\n").as_bytes()).await.ok()?;
        self.line().await
    }

    /// Makes it kill itself at the `nth` time from now that it comes to the point.
    pub async fn arm(&mut self, point: &str, nth: u64) {
        assert_eq!(self.order(&format!("kill {point} {nth}")).await.as_deref(), Some("done"));
    }

    /// Makes it panic the next `times` times that it comes to the point.
    pub async fn panic(&mut self, point: &str, times: u64) {
        assert_eq!(self.order(&format!("panic {point} {times}")).await.as_deref(), Some("done"));
    }

    /// Lets time pass and what is due be done. Answers with what it said: `done`, or where it died.
    pub async fn pass(&mut self, ms: i64) -> Option<String> {
        self.order(&format!("pass {ms}")).await
    }

    /// Waits until it is killed at the point. `said` is its last word, when that was heard already.
    pub async fn assert_killed_at(mut self, point: &str, said: Option<String>) {
        let last = match said {
            Some(line) => Some(line),
            None => self.line().await,
        };
        assert_eq!(last, Some(format!("killed at {point}")));
        self.assert_killed().await;
    }

    /// Kills it from outside, wherever it is.
    pub async fn kill(mut self) {
        self.child.start_kill().unwrap();
        self.assert_killed().await;
    }

    async fn assert_killed(&mut self) {
        let status = timeout(LIMIT, self.child.wait()).await.expect("it ends").unwrap();
        assert_eq!(status.signal(), Some(SIGKILL));
    }
}
