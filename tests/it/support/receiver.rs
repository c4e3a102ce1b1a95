//! Another system that receives the shop's webhooks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::sync::{OwnedRwLockWriteGuard, RwLock};

/// A request as it was received.
#[derive(Clone, Debug)]
pub struct Told {
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Told {
    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub fn id(&self) -> String {
        self.header("webhook-id").to_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }

    /// How many of its signatures are valid for a secret, computed here independently of the shop: HMAC as in RFC 2104.
    pub fn signatures_by(&self, secret: &str) -> usize {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        assert_eq!(key.len(), 32);
        let mut block = [0_u8; 64];
        block[..32].copy_from_slice(&key);
        let pad = |byte: u8| block.map(|each| each ^ byte);
        let signed = [self.header("webhook-id"), ".", self.header("webhook-timestamp"), "."].concat();
        let inner = Sha256::new().chain_update(pad(0x36)).chain_update(signed).chain_update(&self.body).finalize();
        let outer = Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize();
        let expected = format!("v1,{}", STANDARD.encode(outer));
        self.header("webhook-signature").split(' ').filter(|signature| *signature == expected).count()
    }
}

#[derive(Debug, Default)]
struct Desk {
    told: Mutex<Vec<Told>>,
    answers: Mutex<VecDeque<Response>>,
    gate: Arc<RwLock<()>>,
}

/// Responds with 200 unless told otherwise.
#[derive(Clone, Debug)]
pub struct Receiver {
    pub url: String,
    desk: Arc<Desk>,
}

async fn hear(State(desk): State<Arc<Desk>>, headers: HeaderMap, body: Bytes) -> Response {
    desk.told.lock().unwrap().push(Told { headers, body });
    drop(desk.gate.read().await);
    let answer = desk.answers.lock().unwrap().pop_front();
    answer.unwrap_or_else(|| "thanks".into_response())
}

impl Receiver {
    pub async fn open() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/hooks", listener.local_addr().unwrap());
        let desk = Arc::new(Desk::default());
        let router = Router::new().fallback(hear).with_state(Arc::clone(&desk));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, desk }
    }

    /// Queues its next response.
    pub fn answer(&self, status: u16, body: impl Into<String>) {
        let answer = (StatusCode::from_u16(status).unwrap(), body.into()).into_response();
        self.desk.answers.lock().unwrap().push_back(answer);
    }

    /// Lets it answer nothing until the guard is dropped.
    pub async fn hold(&self) -> OwnedRwLockWriteGuard<()> {
        Arc::clone(&self.desk.gate).write_owned().await
    }

    /// Makes its next response a redirect.
    pub fn redirect(&self, to: &str) {
        let answer = (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, to)]).into_response();
        self.desk.answers.lock().unwrap().push_back(answer);
    }

    pub fn told(&self) -> Vec<Told> {
        self.desk.told.lock().unwrap().clone()
    }

    /// Kinds of the received events, in order.
    pub fn kinds(&self) -> Vec<String> {
        self.told().iter().map(Told::kind).collect()
    }

    pub fn of_kind(&self, kind: &str) -> Vec<Told> {
        self.told().into_iter().filter(|told| told.kind() == kind).collect()
    }
}
