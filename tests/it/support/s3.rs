//! A store that speaks S3: the server of `moto`, with a network in front of it that can fail.

use std::process::Stdio;

use shop_base::config::{Bucket, Secret};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::ports::free_port;
use super::program::LIMIT;

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/s3-test/bin/moto_server");
const BUCKET: &str = "pictures";
pub const SECRET_KEY: &str = "secret-of-the-store";

/// A running server, killed when it is dropped. It keeps its objects in memory.
pub struct S3 {
    _server: Child,
    server: u16,
    /// Where the shop finds it.
    port: u16,
    network: Option<JoinSet<()>>,
}

impl S3 {
    pub async fn start() -> Self {
        let server = free_port();
        let child = Command::new(SERVER)
            .args(["-H", "127.0.0.1", "-p", &server.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("moto is installed: make s3-test");
        let listens = async { while TcpStream::connect(("127.0.0.1", server)).await.is_err() {} };
        timeout(LIMIT, listens).await.expect("it listens");
        let mut store = Self { _server: child, server, port: free_port(), network: None };
        let made = reqwest::Client::new().put(store.address()).send().await.unwrap();
        assert_eq!(made.status(), 200);
        store.come_back().await;
        store
    }

    /// Of its bucket, whatever the network does.
    fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{BUCKET}", self.server)
    }

    fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The setting of a shop.
    pub fn bucket(&self, prefix: &str) -> Option<Bucket> {
        Some(Bucket {
            name: BUCKET.to_owned(),
            prefix: prefix.to_owned(),
            endpoint: Some(self.endpoint().parse().unwrap()),
            region: "us-east-1".to_owned(),
            access_key: Secret::new("id-of-the-key"),
            secret_key: Secret::new(SECRET_KEY),
        })
    }

    /// The same for a program.
    pub fn settings(&self, prefix: &str) -> Vec<(&'static str, String)> {
        vec![
            ("SHOP_PICTURES", format!("s3://{BUCKET}/{prefix}")),
            ("SHOP_S3_ENDPOINT", self.endpoint()),
            ("SHOP_S3_ACCESS_KEY", "id-of-the-key".to_owned()),
            ("SHOP_S3_SECRET_KEY", SECRET_KEY.to_owned()),
        ]
    }

    /// The names of all objects below a prefix.
    pub async fn list(&self, prefix: &str) -> Vec<String> {
        let address = format!("{}?list-type=2&prefix={prefix}/", self.address());
        let listed = reqwest::get(address).await.unwrap().text().await.unwrap();
        let listed = roxmltree::Document::parse(&listed).unwrap();
        let keys = listed.descendants().filter(|node| node.tag_name().name() == "Key");
        keys.map(|key| key.text().unwrap()[prefix.len() + 1..].to_owned()).collect()
    }

    /// Ends all connections and refuses new ones.
    pub async fn go_away(&mut self) {
        self.network.take().unwrap().shutdown().await;
    }

    pub async fn come_back(&mut self) {
        let listener = TcpListener::bind(("127.0.0.1", self.port)).await.unwrap();
        let server = self.server;
        let mut network = JoinSet::new();
        network.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (mut shop, _) = listener.accept().await.unwrap();
                connections.spawn(async move {
                    let mut store = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
                    // Either end may leave.
                    let _ = copy_bidirectional(&mut shop, &mut store).await;
                });
            }
        });
        self.network = Some(network);
    }
}
