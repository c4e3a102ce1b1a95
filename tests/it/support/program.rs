//! The program itself, over real sockets: in an empty folder, with only its settings in the environment.

use std::fs;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use super::ports::free_port;
use super::{Database, new_postgres_database, temporary_folder};

pub const BINARY: &str = env!("CARGO_BIN_EXE_shop");
pub const LIMIT: Duration = Duration::from_secs(30);

/// A running `shop serve`, killed when it is dropped.
pub struct Program {
    command: Command,
    child: Child,
    output: Lines<BufReader<ChildStdout>>,
    pub port: u16,
    pub folder: PathBuf,
    /// The URL with which the program and others open it.
    pub database: String,
}

/// The bytes of a response.
pub struct Raw(pub Vec<u8>);

impl Raw {
    pub fn status(&self) -> u16 {
        let line = String::from_utf8_lossy(self.0.split(|byte| *byte == b'\r').next().unwrap_or_default());
        line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("no status in {line:?}"))
    }
}

impl Program {
    pub async fn serve(database: Database) -> Self {
        Self::start(database, Command::new(BINARY)).await
    }

    /// With no more than this many files and connections open.
    pub async fn serve_with_descriptors(database: Database, descriptors: u16) -> Self {
        let mut limited = Command::new("/bin/sh");
        limited.args(["-c", &format!("ulimit -n {descriptors}; exec \"$0\" \"$@\""), BINARY]);
        Self::start(database, limited).await
    }

    async fn start(database: Database, program: Command) -> Self {
        let folder = temporary_folder();
        let database = match database {
            Database::Sqlite => format!("sqlite:{}", folder.join("shop.db").display()),
            Database::Postgres => new_postgres_database().await,
        };
        let port = free_port();
        Self::start_at(port, database, folder, program, &[("SHOP_ORIGIN", &format!("http://localhost:{port}"))]).await
    }

    /// One of several nodes.
    pub async fn node(port: u16, database: &str, settings: &[(&str, &str)]) -> Self {
        Self::node_in(temporary_folder(), port, database, settings).await
    }

    /// The same with its own data and log in this folder.
    pub async fn node_in(folder: PathBuf, port: u16, database: &str, settings: &[(&str, &str)]) -> Self {
        Self::start_at(port, database.to_owned(), folder, Command::new(BINARY), settings).await
    }

    async fn start_at(
        port: u16,
        database: String,
        folder: PathBuf,
        mut program: Command,
        settings: &[(&str, &str)],
    ) -> Self {
        let log = fs::OpenOptions::new().create(true).append(true).open(folder.join("log")).unwrap();
        program
            .arg("serve")
            .current_dir(&folder)
            .env_clear()
            .envs([
                ("SHOP_ADDRESS", format!("127.0.0.1:{port}")),
                ("SHOP_SECRET", "0123456789abcdef0123456789abcdef".to_owned()),
                ("SHOP_COMPANY_NAME", "Cardinal & Briar".to_owned()),
                ("SHOP_COMPANY_EMAIL", "care@shop.example".to_owned()),
                ("SHOP_COMPANY_PHONE", "+1 614 555 0100".to_owned()),
                ("SHOP_COMPANY_ADDRESS", "1 Main Street, Columbus, OH 43215".to_owned()),
                ("SHOP_DATABASE", database.clone()),
                ("SHOP_ISOLATES", "1".to_owned()),
                ("SHOP_DRAIN", "0".to_owned()),
            ])
            .envs(settings.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true);
        let (child, output) = Self::spawn(&mut program).await;
        Self { command: program, child, output, port, folder, database }
    }

    /// Returns once it is running, which it says in its first line.
    async fn spawn(command: &mut Command) -> (Child, Lines<BufReader<ChildStdout>>) {
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = timeout(LIMIT, output.next_line()).await.expect("it starts").unwrap();
        let settings = command.as_std().get_envs();
        let origin =
            settings.into_iter().find(|(name, _)| *name == "SHOP_ORIGIN").unwrap().1.unwrap().to_str().unwrap();
        assert_eq!(first, Some(format!("The shop is running at {origin}")));
        (child, output)
    }

    /// Kills it at once and starts it again, with another setting.
    pub async fn kill_and_start(&mut self, name: &str, value: &str) {
        self.child.kill().await.unwrap();
        self.command.env(name, value);
        (self.child, self.output) = Self::spawn(&mut self.command).await;
    }

    /// Sends a command to a program with failpoints, and waits until it is done.
    pub async fn order(&mut self, order: &str) {
        self.child.stdin.as_mut().unwrap().write_all(format!("{order}\n").as_bytes()).await.unwrap();
        let said = timeout(LIMIT, self.output.next_line()).await.expect("it says something").unwrap();
        assert_eq!(said.as_deref(), Some("done"));
    }

    /// What it has logged.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap()
    }

    pub async fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).await.unwrap()
    }

    pub async fn connect_from(&self, address: Ipv4Addr) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((address, 0).into()).unwrap();
        socket.connect((Ipv4Addr::LOCALHOST, self.port).into()).await.unwrap()
    }

    pub async fn get(&self, target: &str) -> Raw {
        self.exchange(&format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")).await
    }

    pub async fn exchange(&self, request: &str) -> Raw {
        let mut stream = self.connect().await;
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = timeout(LIMIT, stream.read_to_end(&mut answer)).await.expect("it answers");
        Raw(answer)
    }

    /// Sends SIGTERM.
    pub async fn terminate(&self) {
        self.signal("TERM").await;
    }

    pub async fn signal(&self, name: &str) {
        let id = self.child.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().await.unwrap().success());
    }

    pub async fn refuses_connections(&self) {
        let refused = async { while TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {} };
        timeout(LIMIT, refused).await.expect("it takes no new connections");
    }

    pub async fn end(&mut self) -> ExitStatus {
        self.end_within(LIMIT).await
    }

    pub async fn end_within(&mut self, limit: Duration) -> ExitStatus {
        timeout(limit, self.child.wait()).await.expect("it ends").unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // If this fails, the system cleans up its temporary files.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
