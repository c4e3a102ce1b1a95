//! Settings of the stand-in.

use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Options {
    /// Where events are sent; none are sent without it.
    pub webhook_url: Option<String>,
    /// The journal, so that payments survive a restart; without it they are in memory only.
    pub journal: Option<PathBuf>,
    /// How long a refund is pending, in milliseconds. judgment: Square publishes no duration.
    pub refund_ms: i64,
    /// The length of one minute of the webhooks' retry table, in milliseconds.
    pub retry_minute_ms: u64,
}

impl Options {
    /// Real-time speed, except for refunds, which take days at Square.
    pub fn kept_in(journal: Option<PathBuf>, webhook_url: Option<String>) -> Self {
        Self { webhook_url, journal, refund_ms: 5_000, retry_minute_ms: 60_000 }
    }

    /// For tests: in memory, refunds settle at once, the retry table runs a thousand times faster.
    pub fn fast(webhook_url: Option<String>) -> Self {
        Self { webhook_url, journal: None, refund_ms: 0, retry_minute_ms: 60 }
    }
}
