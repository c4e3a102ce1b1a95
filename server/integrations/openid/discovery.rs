//! The provider's published metadata: its endpoints and its keys.

use std::sync::{Arc, MutexGuard, PoisonError};

use jsonwebtoken::jwk::JwkSet;
use openidconnect::IssuerUrl;
use shop_base::clock::Clock;
use shop_base::trace;
use shop_domain::identity::provider::ProviderError;
use tokio::sync::{Mutex, OwnedMutexGuard};

use super::errors::chain;
use super::types::Metadata;

const HOUR_MS: i64 = 60 * 60 * 1000;
/// Minimum interval between fetches of the keys, or between attempts to reach a provider that was down.
const COOLDOWN_MS: i64 = 10_000;

#[derive(Debug)]
pub struct Known {
    pub metadata: Metadata,
    pub keys: JwkSet,
    fetched_at: i64,
}

#[derive(Debug, Default)]
struct Memory {
    known: Option<Arc<Known>>,
    /// When the last request was made, whatever its outcome.
    asked_at: Option<i64>,
    /// Why it failed, if it did.
    problem: Option<String>,
}

impl Memory {
    fn cools(&self, now: i64) -> bool {
        self.asked_at.is_some_and(|asked| is_within(COOLDOWN_MS, asked, now))
    }

    /// What is known and need not be fetched again yet.
    fn usable(&self, now: i64) -> Option<Arc<Known>> {
        let known = self.known.as_ref();
        known.filter(|known| is_within(HOUR_MS, known.fetched_at, now) || self.cools(now)).cloned()
    }

    /// The outcome of the last request, if the next must not be made yet.
    fn outcome(&self, now: i64) -> Option<Result<Arc<Known>, ProviderError>> {
        if !self.cools(now) {
            return None;
        }
        match &self.problem {
            Some(problem) => Some(Err(ProviderError::Unavailable(problem.clone()))),
            None => self.known.clone().map(Ok),
        }
    }
}

/// Whether less than `limit` has passed since then. If the clock has been set back, nobody knows how much has.
fn is_within(limit: i64, then: i64, now: i64) -> bool {
    (0..limit).contains(&(now - then))
}

#[derive(Debug)]
pub struct Discovery {
    issuer: String,
    http: reqwest::Client,
    clock: Arc<dyn Clock>,
    /// Never locked during a request.
    memory: std::sync::Mutex<Memory>,
    /// Held while the provider is asked.
    fetching: Arc<Mutex<()>>,
}

impl Discovery {
    pub fn new(issuer: String, http: reqwest::Client, clock: Arc<dyn Clock>) -> Self {
        Self { issuer, http, clock, memory: std::sync::Mutex::default(), fetching: Arc::default() }
    }

    /// The provider's metadata and keys; at most an hour old as long as it responds. Whoever finds them in memory does not wait for a
    /// request.
    pub async fn known(self: &Arc<Self>) -> Result<Arc<Known>, ProviderError> {
        if let Some(known) = self.usable() {
            return Ok(known);
        }
        let turn = Arc::clone(&self.fetching).lock_owned().await;
        // Meanwhile another caller may have fetched them, or failed.
        if let Some(known) = self.usable() {
            return Ok(known);
        }
        let (outcome, kept) = {
            let memory = self.memory();
            (memory.outcome(self.clock.now_ms()), memory.known.clone())
        };
        if let Some(outcome) = outcome {
            return outcome;
        }
        match (self.discover(turn).await, kept) {
            (Err(error), Some(known)) => {
                tracing::warn!(%error, "working with what the identity provider published before");
                Ok(known)
            }
            (result, _) => result,
        }
    }

    /// For a token with an unknown key: the provider may have rotated its keys.
    pub async fn known_with_new_keys(self: &Arc<Self>) -> Result<Arc<Known>, ProviderError> {
        let turn = Arc::clone(&self.fetching).lock_owned().await;
        let outcome = self.memory().outcome(self.clock.now_ms());
        match outcome {
            Some(outcome) => outcome,
            None => self.discover(turn).await,
        }
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn usable(&self) -> Option<Arc<Known>> {
        let memory = self.memory();
        memory.usable(self.clock.now_ms())
    }

    /// In a task of its own, which keeps the turn: if whoever asks leaves meanwhile, the others have the answer all the same. They may not ask
    /// again so soon.
    async fn discover(self: &Arc<Self>, turn: OwnedMutexGuard<()>) -> Result<Arc<Known>, ProviderError> {
        let discovery = Arc::clone(self);
        let task = trace::spawn(async move {
            let _turn = turn;
            let now = discovery.clock.now_ms();
            discovery.memory().asked_at = Some(now);
            let result = discovery.fetch(now).await;
            let mut memory = discovery.memory();
            memory.problem = result.as_ref().err().map(ToString::to_string);
            if let Ok(known) = &result {
                memory.known = Some(Arc::clone(known));
            }
            drop(memory);
            result
        });
        task.await.unwrap_or_else(|error| Err(ProviderError::Unavailable(error.to_string())))
    }

    async fn fetch(&self, now: i64) -> Result<Arc<Known>, ProviderError> {
        let unavailable = |error: String| ProviderError::Unavailable(error);
        let issuer = IssuerUrl::new(self.issuer.clone()).map_err(|error| unavailable(error.to_string()))?;
        let metadata =
            Metadata::discover_async(issuer, &self.http).await.map_err(|error| unavailable(chain(&error)))?;
        let keys = serde_json::to_value(metadata.jwks()).map_err(|error| unavailable(error.to_string()))?;
        // A key of an unsupported type must not make the others unusable.
        let keys = keys["keys"].as_array().into_iter().flatten();
        let keys = keys.filter_map(|key| serde_json::from_value(key.clone()).ok()).collect();
        Ok(Arc::new(Known { metadata, keys: JwkSet { keys }, fetched_at: now }))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use serde_json::json;
    use shop_base::clock::{Clock, ManualClock};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio::sync::Semaphore;

    use super::{COOLDOWN_MS, Discovery, HOUR_MS};

    /// A provider that publishes no keys, counts how often its metadata are read, and answers so many requests as it may.
    struct Provider {
        discovery: Arc<Discovery>,
        clock: Arc<ManualClock>,
        asked: Arc<AtomicUsize>,
        may_answer: Arc<Semaphore>,
    }

    impl Provider {
        async fn start() -> Self {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let issuer = format!("http://{}", listener.local_addr().unwrap());
            let clock = Arc::new(ManualClock::at(1_795_280_400_000));
            let http = reqwest::Client::builder().no_proxy().build().unwrap();
            let discovery = Arc::new(Discovery::new(issuer.clone(), http, Arc::clone(&clock) as Arc<dyn Clock>));
            let (asked, may_answer) = (Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)));
            let (count, may) = (Arc::clone(&asked), Arc::clone(&may_answer));
            tokio::spawn(async move {
                while let Ok((mut connection, _)) = listener.accept().await {
                    let mut head = Vec::new();
                    while !head.ends_with(b"\r\n\r\n") {
                        head.push(connection.read_u8().await.unwrap());
                    }
                    let body = if head.starts_with(b"GET /keys") {
                        json!({ "keys": [] })
                    } else {
                        count.fetch_add(1, Ordering::SeqCst);
                        json!({
                            "issuer": issuer,
                            "authorization_endpoint": format!("{issuer}/authorize"),
                            "jwks_uri": format!("{issuer}/keys"),
                            "response_types_supported": ["code"],
                            "subject_types_supported": ["public"],
                            "id_token_signing_alg_values_supported": ["ES256"],
                        })
                    }
                    .to_string();
                    may.acquire().await.unwrap().forget();
                    let fields = "content-type: application/json\r\nconnection: close\r\ncontent-length: ";
                    let answer = format!("HTTP/1.1 200 OK\r\n{fields}{}\r\n\r\n{body}", body.len());
                    connection.write_all(answer.as_bytes()).await.unwrap();
                }
            });
            Self { discovery, clock, asked, may_answer }
        }

        fn asked(&self) -> usize {
            self.asked.load(Ordering::SeqCst)
        }

        /// Whoever asks leaves before the answer, which comes then.
        async fn answer_too_late(&self, asking: impl Future<Output: Send + 'static> + Send + 'static) {
            let before = self.asked();
            let asking = tokio::spawn(asking);
            while self.asked() == before {
                tokio::task::yield_now().await;
            }
            asking.abort();
            assert!(asking.await.is_err());
            // For the metadata and the keys.
            self.may_answer.add_permits(2);
        }
    }

    #[tokio::test]
    async fn a_clock_that_was_set_back_does_not_stop_fetching() {
        let provider = Provider::start().await;
        provider.may_answer.add_permits(100);
        provider.discovery.known().await.unwrap();
        provider.discovery.known_with_new_keys().await.unwrap();
        provider.clock.advance(COOLDOWN_MS);
        provider.discovery.known().await.unwrap();
        assert_eq!(provider.asked(), 1, "the keys are fresh");
        provider.discovery.known_with_new_keys().await.unwrap();
        assert_eq!(provider.asked(), 2);
        provider.clock.advance(-HOUR_MS);
        provider.discovery.known_with_new_keys().await.unwrap();
        assert_eq!(provider.asked(), 3);
        provider.clock.advance(-HOUR_MS);
        provider.discovery.known().await.unwrap();
        provider.discovery.known().await.unwrap();
        assert_eq!(provider.asked(), 4);
    }

    #[tokio::test]
    async fn whoever_leaves_takes_the_answer_from_nobody() {
        let provider = Provider::start().await;
        let discovery = Arc::clone(&provider.discovery);
        provider.answer_too_late(async move { discovery.known().await.is_ok() }).await;
        provider.discovery.known().await.unwrap();
        assert_eq!(provider.asked(), 1);
        provider.clock.advance(COOLDOWN_MS);
        let discovery = Arc::clone(&provider.discovery);
        provider.answer_too_late(async move { discovery.known_with_new_keys().await.is_ok() }).await;
        let known = provider.discovery.known_with_new_keys().await.unwrap();
        assert_eq!((known.fetched_at, provider.asked()), (provider.clock.now_ms(), 2));
    }

    #[tokio::test]
    async fn whoever_needs_no_new_keys_does_not_wait_for_them() {
        let provider = Provider::start().await;
        // For the metadata and the keys.
        provider.may_answer.add_permits(2);
        provider.discovery.known().await.unwrap();
        provider.clock.advance(COOLDOWN_MS);
        let discovery = Arc::clone(&provider.discovery);
        let fetching = tokio::spawn(async move { discovery.known_with_new_keys().await.is_ok() });
        while provider.asked() < 2 {
            tokio::task::yield_now().await;
        }
        provider.discovery.known().await.unwrap();
        assert!(!fetching.is_finished());
        provider.may_answer.add_permits(2);
        assert!(fetching.await.unwrap());
    }
}
