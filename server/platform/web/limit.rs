//! Rate limits of networks and accounts, in this process.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};

use governor::{DefaultKeyedRateLimiter, Quota};
use shop_base::error::Error;
use shop_base::metrics::Counter;

/// When the number of keys has grown by this many, those that have been quiet are dropped.
const MANY_KEYS: usize = 10_000;

/// Counts the calls of each key, or the items in them.
#[derive(Debug)]
pub struct Limiter<K: Hash + Eq + Clone> {
    calls: DefaultKeyedRateLimiter<K>,
    /// The number of keys at which the next ones are dropped.
    full_at: AtomicUsize,
    rejected: &'static Counter,
}

/// By [`network`].
pub type NetworkLimiter = Limiter<IpAddr>;

impl<K: Hash + Eq + Clone> Limiter<K> {
    /// Allows this many calls at once, and as many again per minute. `rejected` counts the others.
    pub fn per_minute(calls: u32, rejected: &'static Counter) -> Self {
        let quota = Quota::per_minute(NonZeroU32::new(calls).unwrap_or(NonZeroU32::MIN));
        Self { calls: DefaultKeyedRateLimiter::keyed(quota), full_at: AtomicUsize::new(MANY_KEYS), rejected }
    }

    /// Counts a call that counts as several: either all are allowed or none.
    pub fn check_key(&self, key: &K, count: NonZeroU32) -> Result<(), Error> {
        // All keys are looked at, so this happens once for many new ones.
        let full_at = self.full_at.load(Ordering::Relaxed);
        if self.calls.len() > full_at
            && self.full_at.compare_exchange(full_at, usize::MAX, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        {
            self.calls.retain_recent();
            self.full_at.store(self.calls.len() + MANY_KEYS, Ordering::Relaxed);
        }
        match self.calls.check_key_n(key, count) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => {
                self.rejected.add(1);
                Err(Error::TooManyRequests)
            }
        }
    }
}

impl NetworkLimiter {
    /// Counts one call of this address, or rejects it.
    pub fn check(&self, address: IpAddr) -> Result<(), Error> {
        self.check_many(address, NonZeroU32::MIN)
    }

    /// The same for a call that counts as several.
    pub fn check_many(&self, address: IpAddr, count: NonZeroU32) -> Result<(), Error> {
        self.check_key(&network(address), count)
    }
}

/// The unit that is counted: an IPv4 address, or the 64 leading bits of an IPv6 address, since one client usually has the whole /64.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv6Addr};

    use super::{Counter, MANY_KEYS, NetworkLimiter, network};

    static REJECTED: Counter = Counter::new();

    #[test]
    fn an_ipv6_network_is_counted_as_one() {
        let network = |text: &str| network(text.parse().expect("an address")).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("203.0.113.7"), "203.0.113.7");
        assert_eq!(network("::ffff:203.0.113.7"), "203.0.113.7");
    }

    #[test]
    fn many_networks_do_not_make_each_call_look_at_all() {
        let limiter = NetworkLimiter::per_minute(1, &REJECTED);
        let address = |number: usize| IpAddr::V6(Ipv6Addr::from_bits((number as u128) << 64));
        for number in 0..=MANY_KEYS + 1 {
            assert!(limiter.check(address(number)).is_ok());
        }
        let full_at = limiter.full_at.load(std::sync::atomic::Ordering::Relaxed);
        assert!(full_at > MANY_KEYS && full_at < 3 * MANY_KEYS, "{full_at}");
        assert!(limiter.check(address(MANY_KEYS)).is_err(), "nobody is forgotten who just called");
        assert_eq!(REJECTED.get(), 1);
    }
}
