//! The provider's published metadata: its endpoints and its keys.

use std::sync::Arc;

use jsonwebtoken::jwk::JwkSet;
use openidconnect::IssuerUrl;
use shop_base::clock::Clock;
use shop_domain::identity::provider::ProviderError;
use tokio::sync::Mutex;

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
    asked_at: i64,
    problem: String,
}

#[derive(Debug)]
pub struct Discovery {
    issuer: String,
    http: reqwest::Client,
    clock: Arc<dyn Clock>,
    memory: Mutex<Memory>,
}

impl Discovery {
    pub fn new(issuer: String, http: reqwest::Client, clock: Arc<dyn Clock>) -> Self {
        Self { issuer, http, clock, memory: Mutex::default() }
    }

    /// The provider's metadata and keys; at most an hour old as long as it responds.
    pub async fn known(&self) -> Result<Arc<Known>, ProviderError> {
        let mut memory = self.memory.lock().await;
        let now = self.clock.now_ms();
        let kept = memory.known.clone();
        let cools = now - memory.asked_at < COOLDOWN_MS && memory.asked_at != 0;
        match kept {
            Some(known) if now - known.fetched_at < HOUR_MS || cools => Ok(known),
            None if cools => Err(ProviderError::Unavailable(memory.problem.clone())),
            kept => match (self.discover(&mut memory, now).await, kept) {
                (Err(error), Some(known)) => {
                    tracing::warn!(%error, "working with what the identity provider published before");
                    Ok(known)
                }
                (result, _) => result,
            },
        }
    }

    /// For a token with an unknown key: the provider may have rotated its keys.
    pub async fn known_with_new_keys(&self) -> Result<Arc<Known>, ProviderError> {
        let mut memory = self.memory.lock().await;
        let now = self.clock.now_ms();
        match &memory.known {
            Some(known) if now - memory.asked_at < COOLDOWN_MS => Ok(Arc::clone(known)),
            _ => self.discover(&mut memory, now).await,
        }
    }

    async fn discover(&self, memory: &mut Memory, now: i64) -> Result<Arc<Known>, ProviderError> {
        memory.asked_at = now;
        let result = self.fetch(now).await;
        match &result {
            Ok(known) => memory.known = Some(Arc::clone(known)),
            Err(error) => memory.problem = error.to_string(),
        }
        result
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
