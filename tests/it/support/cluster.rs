//! A PostgreSQL server of a test's own, which it can restart.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::ports::free_port;
use super::temporary_folder;

/// A running server, stopped when it is dropped.
pub struct Cluster {
    folder: PathBuf,
    pub port: u16,
}

impl Cluster {
    pub fn start() -> Self {
        let cluster = Self { folder: temporary_folder(), port: free_port() };
        if is_root() {
            assert!(Command::new("chown").arg("nobody").arg(&cluster.folder).status().unwrap().success());
        }
        let made = ["--username", "shop", "--auth", "trust", "--encoding", "UTF8", "--no-sync"];
        cluster.run("initdb", &made);
        cluster.run("pg_ctl", &cluster.start_arguments());
        cluster
    }

    /// The address of its database at a port that leads to it.
    pub fn database_at(port: u16) -> String {
        format!("postgres://shop@127.0.0.1:{port}/postgres")
    }

    /// As after a crash: sessions are cut off, and the new start recovers what was committed.
    pub fn restart_at_once(&self) {
        self.run("pg_ctl", &["--mode", "immediate", "--wait", "stop"]);
        self.run("pg_ctl", &self.start_arguments());
    }

    fn start_arguments(&self) -> [String; 6] {
        // What was committed survives without `fsync`, too, as long as the operating system does.
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=200",
            self.port
        );
        let log = self.folder.join("log").display().to_string();
        ["--wait", "--log", &log, "--options", &options, "start"].map(str::to_owned)
    }

    fn run(&self, program: &str, arguments: &[impl AsRef<std::ffi::OsStr>]) {
        let program = find(program);
        // The server refuses to run as root.
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]).arg(&program);
            command
        } else {
            Command::new(&program)
        };
        command.current_dir(&self.folder).env("HOME", &self.folder);
        command.arg("--pgdata").arg(self.folder.join("data")).args(arguments);
        // A pipe would be inherited by the server, and reading it would never end.
        let output = std::fs::File::create(self.folder.join("output")).unwrap();
        let ended = command.stdout(output.try_clone().unwrap()).stderr(output).status().unwrap();
        let said = || std::fs::read_to_string(self.folder.join("output")).unwrap_or_default();
        assert!(ended.success(), "{}: {}", program.display(), said());
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.run("pg_ctl", &["--mode", "immediate", "stop"]);
            // If this fails, the system cleans up its temporary files.
            let _ = std::fs::remove_dir_all(&self.folder);
            return;
        }
        let server = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap_or_default();
        if let Some(id) = server.lines().next() {
            let _ = Command::new("kill").args(["-QUIT", id]).status();
        }
    }
}

pub fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// A program of the server, which may not be in the path.
fn find(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = std::env::split_paths(&path).chain(versions.map(|version| version.path().join("bin")));
    folders.map(|folder| folder.join(program)).find(|file| Path::exists(file)).unwrap_or_else(|| {
        panic!("{program} is not installed: tests/with-postgres installs it when TEST_POSTGRES is not set")
    })
}
