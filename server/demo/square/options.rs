//! How the stand-in behaves.

use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Options {
    /// Where events go; none are sent without it.
    pub webhook_url: Option<String>,
    /// The journal, so that payments outlive a restart; in memory only without it.
    pub journal: Option<PathBuf>,
    /// How long a refund is pending, in milliseconds. judgment: Square says no number.
    pub refund_ms: i64,
    /// What one minute of the webhooks' retry table lasts here, in milliseconds.
    pub retry_minute_ms: u64,
}

impl Options {
    /// At the speed of the real one, but for refunds, which take days there.
    pub fn kept_in(journal: Option<PathBuf>, webhook_url: Option<String>) -> Self {
        Self { webhook_url, journal, refund_ms: 5_000, retry_minute_ms: 60_000 }
    }

    /// For tests: in memory, refunds settled at once, the retry table a thousand times faster.
    pub fn fast(webhook_url: Option<String>) -> Self {
        Self { webhook_url, journal: None, refund_ms: 0, retry_minute_ms: 60 }
    }
}
