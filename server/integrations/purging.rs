//! Tells a shared cache (a content delivery network) which pages to drop after a change.
//!
//! Each node does so for its own changes and for those that it hears of: until then, it may have given the cache a former page. A change
//! is purged until the cache confirms it. What a node that is killed has not purged, the others do, or its successor at the start.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use serde_json::json;
use shop_base::config::Purging;
use shop_domain::catalog::changes::Topics;
use shop_domain::catalog::tags;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

/// Pages that were made before the change are under way for less than this: the cache would keep one that arrives after the purge. More
/// changes of this time are purged together.
const SETTLED: Duration = Duration::from_secs(1);
const ANSWER_LIMIT: Duration = Duration::from_secs(10);
/// Pauses between tries are doubled up to this.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Purges the pages of one cache.
#[derive(Debug)]
pub struct Purger {
    http: Client,
    to: Purging,
}

/// Why purging could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client: {0}")]
pub struct PurgerStartError(#[from] reqwest::Error);

#[derive(Debug, thiserror::Error)]
enum PurgeError {
    #[error("there is no answer")]
    Unreachable(#[from] reqwest::Error),
    #[error("it answered {0}")]
    Refused(StatusCode),
}

impl Purger {
    pub fn new(to: Purging) -> Result<Self, PurgerStartError> {
        // A redirect would lead away with the secret header.
        let http = Client::builder().redirect(Policy::none()).timeout(ANSWER_LIMIT).build()?;
        Ok(Self { http, to })
    }

    /// Purges all pages once, since those of another build name other files, and then those that a change concerns. Never returns.
    pub async fn run(&self, mut changes: Receiver<Topics>) {
        let mut change = Topics::everything();
        loop {
            tokio::time::sleep(SETTLED).await;
            let mut pause = SETTLED;
            while let Err(error) = self.purge(&change).await {
                tracing::warn!(?error, "a shared cache was not purged and may show former pages; trying again");
                tokio::time::sleep(pause.saturating_sub(SETTLED)).await;
                // What comes meanwhile does not wait for a request that the cache may never accept: the next try is about both.
                add_waiting(&mut change, &mut changes);
                tokio::time::sleep(SETTLED).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            change = next(&mut changes).await;
        }
    }

    async fn purge(&self, change: &Topics) -> Result<(), PurgeError> {
        let tags = tags::of_change(change);
        let body = json!({ "tags": tags });
        let mut request = self.http.post(self.to.url.clone()).header("surrogate-key", tags.join(" ")).json(&body);
        if let Some((name, value)) = &self.to.header {
            request = request.header(name, value);
        }
        // The address may contain a secret.
        let status = request.send().await.map_err(reqwest::Error::without_url)?.status();
        if status.is_success() { Ok(()) } else { Err(PurgeError::Refused(status)) }
    }
}

/// The changes since the former call, as one.
async fn next(changes: &mut Receiver<Topics>) -> Topics {
    let mut all = match changes.recv().await {
        Ok(change) => change,
        Err(RecvError::Lagged(_)) => Topics::everything(),
        Err(RecvError::Closed) => std::future::pending().await,
    };
    add_waiting(&mut all, changes);
    all
}

/// Adds the changes that have come since.
fn add_waiting(all: &mut Topics, changes: &mut Receiver<Topics>) {
    loop {
        match changes.try_recv() {
            Ok(change) => all.merge(change),
            Err(TryRecvError::Lagged(_)) => *all = Topics::everything(),
            Err(TryRecvError::Empty | TryRecvError::Closed) => return,
        }
    }
}
