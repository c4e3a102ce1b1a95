//! How many connections there may be, and how long they may wait.

use std::time::Duration;

/// Descriptors that are left for the database, files, mail and calls of other servers.
const RESERVED: u64 = 256;
/// A connection takes about 20 KiB.
const MOST: u64 = 8_192;
/// Even with few descriptors.
const LEAST: u64 = 64;

/// Once there are too many connections, the one that has waited longest for a request, or for its body, is closed for a new one.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections in all.
    pub all: usize,
    /// Connections of one network: an IPv4 address, or a /64 of IPv6.
    pub of_network: usize,
    /// From the first byte of a request to the end of its head.
    pub head: Duration,
    /// Without any byte while no request is running. Longer than proxies keep connections, so that they do not send requests on a connection
    /// that is being closed.
    pub idle: Duration,
}

impl Limits {
    /// As many as this process has descriptors for; raises their number to what the system allows.
    pub fn of_process() -> Self {
        let all = descriptors().saturating_sub(RESERVED).clamp(LEAST, MOST) as usize;
        Self { all, of_network: all / 4, head: Duration::from_secs(10), idle: Duration::from_secs(75) }
    }
}

#[cfg(unix)]
fn descriptors() -> u64 {
    use rustix::process::{Resource, getrlimit, setrlimit};

    let mut limit = getrlimit(Resource::Nofile);
    let allowed = limit.maximum.unwrap_or(MOST + RESERVED).min(MOST + RESERVED);
    let current = limit.current.unwrap_or(allowed);
    if current >= allowed {
        return current;
    }
    limit.current = Some(allowed);
    match setrlimit(Resource::Nofile, limit) {
        Ok(()) => allowed,
        Err(error) => {
            tracing::debug!(%error, "the number of descriptors stays as it is");
            current
        }
    }
}

#[cfg(not(unix))]
fn descriptors() -> u64 {
    MOST + RESERVED
}
