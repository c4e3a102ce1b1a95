//! Rate limits by network.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::{DefaultKeyedRateLimiter, Quota};
use shop_base::error::Error;
use shop_base::metrics::Counter;

/// Beyond this many, networks that have been quiet are dropped.
const MANY_NETWORKS: usize = 10_000;

/// Counts the calls of each network, or the items in them, in this process.
#[derive(Debug)]
pub struct NetworkLimiter {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    rejected: &'static Counter,
}

impl NetworkLimiter {
    /// Allows this many calls at once, and as many again per minute. `rejected` counts the others.
    pub fn per_minute(calls: u32, rejected: &'static Counter) -> Self {
        let quota = Quota::per_minute(NonZeroU32::new(calls).unwrap_or(NonZeroU32::MIN));
        Self { limiter: DefaultKeyedRateLimiter::keyed(quota), rejected }
    }

    /// Counts one call of this address, or rejects it.
    pub fn check(&self, address: IpAddr) -> Result<(), Error> {
        self.check_many(address, NonZeroU32::MIN)
    }

    /// The same for a call that counts as several: either all are allowed or none.
    pub fn check_many(&self, address: IpAddr, count: NonZeroU32) -> Result<(), Error> {
        if self.limiter.len() > MANY_NETWORKS {
            self.limiter.retain_recent();
        }
        match self.limiter.check_key_n(&network(address), count) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => {
                self.rejected.add(1);
                Err(Error::TooManyRequests)
            }
        }
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
    use super::network;

    #[test]
    fn an_ipv6_network_is_counted_as_one() {
        let network = |text: &str| network(text.parse().expect("an address")).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("203.0.113.7"), "203.0.113.7");
        assert_eq!(network("::ffff:203.0.113.7"), "203.0.113.7");
    }
}
