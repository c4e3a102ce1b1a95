//! Shared caches in front of the shop (a content delivery network).

use std::fmt;
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue};
use url::Url;

use super::reader::{Reader, is_safe};

const MAX_AGE: &str = "SHOP_CDN_MAX_AGE";
const STALE: &str = "SHOP_CDN_STALE";
const PURGE_URL: &str = "SHOP_CDN_PURGE_URL";
const PURGE_HEADER: &str = "SHOP_CDN_PURGE_HEADER";
const DEFAULT_STALE: Duration = Duration::from_secs(30);
const DAY: u64 = 24 * 60 * 60;

/// For how long shared caches may keep pages. Off unless `SHOP_CDN_MAX_AGE` is set.
#[derive(Clone, Debug)]
pub struct Cdn {
    /// For this long they answer by themselves: `SHOP_CDN_MAX_AGE`.
    pub max_age: Duration,
    /// And for this long afterward while they ask the shop: `SHOP_CDN_STALE`.
    pub stale: Duration,
    /// Without it changed pages stay in the caches until they are too old.
    pub purging: Option<Purging>,
}

/// How a cache is told which pages to drop.
#[derive(Clone)]
pub struct Purging {
    /// It may contain a secret, so it is never printed: `SHOP_CDN_PURGE_URL`.
    pub url: Url,
    /// What proves that the shop may do so; the value is marked as sensitive, so it is never printed: `SHOP_CDN_PURGE_HEADER`.
    pub header: Option<(HeaderName, HeaderValue)>,
}

impl fmt::Debug for Purging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Purging").field("header", &self.header).finish_non_exhaustive()
    }
}

impl Cdn {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let max_age = seconds(reader, MAX_AGE);
        let stale = seconds(reader, STALE).unwrap_or(DEFAULT_STALE);
        let purging = Purging::read(reader);
        for (name, needed) in [(STALE, MAX_AGE), (PURGE_URL, MAX_AGE), (PURGE_HEADER, PURGE_URL)] {
            if reader.some(name).is_some() && reader.some(needed).is_none() {
                reader.problems.push(format!("{name} is of no use without {needed}"));
            }
        }
        Some(Self { max_age: max_age?, stale, purging })
    }
}

impl Purging {
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        const EXPECTED: &str = "an https address, or an http address inside your own network";
        let url = reader.address(PURGE_URL, EXPECTED, is_safe);
        let header = reader.header(PURGE_HEADER);
        Some(Self { url: url?, header })
    }
}

fn seconds(reader: &mut Reader<'_>, name: &str) -> Option<Duration> {
    const EXPECTED: &str = "a number of seconds from 0 to 86400";
    let seconds: u64 = reader.optional(name, EXPECTED)?;
    if seconds > DAY {
        reader.problems.push(format!("{name}: '{seconds}' is not {EXPECTED}"));
    }
    Some(Duration::from_secs(seconds))
}
