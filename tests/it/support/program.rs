//! The program itself, over real sockets: in an empty folder, with only its settings in the environment.

use std::fs;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::{Database, new_postgres_database, temporary_folder};

pub const BINARY: &str = env!("CARGO_BIN_EXE_shop");
pub const LIMIT: Duration = Duration::from_secs(30);

/// A running `shop serve`, killed when it is dropped.
pub struct Program {
    child: Child,
    port: u16,
    folder: PathBuf,
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
        Self::start_at(port, database.to_owned(), temporary_folder(), Command::new(BINARY), settings).await
    }

    async fn start_at(
        port: u16,
        database: String,
        folder: PathBuf,
        mut program: Command,
        settings: &[(&str, &str)],
    ) -> Self {
        let mut child = program
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
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = timeout(LIMIT, lines.next_line()).await.expect("it starts").unwrap();
        let origin = settings.iter().find(|(name, _)| *name == "SHOP_ORIGIN").unwrap().1;
        assert_eq!(first, Some(format!("The shop is running at {origin}")));
        Self { child, port, folder, database }
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
        let id = self.child.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
    }

    pub async fn refuses_connections(&self) {
        let refused = async { while TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {} };
        timeout(LIMIT, refused).await.expect("it takes no new connections");
    }

    pub async fn end(&mut self) -> ExitStatus {
        timeout(LIMIT, self.child.wait()).await.expect("it ends").unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // If this fails, the system cleans up its temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

pub fn free_port() -> u16 {
    std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}
