//! Networks in settings.

use std::net::IpAddr;
use std::str::FromStr;

use url::Host;

/// Networks of trusted proxies, written as `10.0.0.0/8, 2001:db8::/32, 192.0.2.1`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Networks(Vec<(IpAddr, u32)>);

impl FromStr for Networks {
    type Err = ();

    fn from_str(list: &str) -> Result<Self, ()> {
        let network = |text: &str| {
            let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
            let address: IpAddr = address.parse().map_err(|_| ())?;
            let most = if address.is_ipv4() { 32 } else { 128 };
            let bits = bits.map_or(Ok(most), |bits| bits.parse().map_err(|_| ()))?;
            if bits <= most { Ok((address, bits)) } else { Err(()) }
        };
        list.split(',').map(str::trim).filter(|text| !text.is_empty()).map(network).collect::<Result<_, _>>().map(Self)
    }
}

impl Networks {
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|&(network, bits)| match (network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                (network.to_bits() ^ address.to_bits()).checked_shr(32 - bits).unwrap_or(0) == 0
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                (network.to_bits() ^ address.to_bits()).checked_shr(128 - bits).unwrap_or(0) == 0
            }
            _ => false,
        })
    }
}

/// Ends of names that only private networks know: RFC 6762, RFC 8375, and services of Kubernetes.
const PRIVATE: [&str; 4] = [".local", ".internal", ".home.arpa", ".svc"];

/// Whether the host is this machine or one of a private network, where nobody else reads along.
pub fn is_inside<S: AsRef<str>>(host: &Host<S>) -> bool {
    let is_private = |ip: IpAddr| match ip.to_canonical() {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_private(),
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local(),
    };
    match host {
        // A name without a dot is known inside of a network only.
        Host::Domain(name) => {
            let name = name.as_ref();
            !name.contains('.') || name.ends_with(".localhost") || PRIVATE.iter().any(|end| name.ends_with(end))
        }
        Host::Ipv4(ip) => is_private((*ip).into()),
        Host::Ipv6(ip) => is_private((*ip).into()),
    }
}

#[cfg(test)]
mod tests {
    use url::Host;

    use super::{Networks, is_inside};

    #[test]
    fn networks_are_read_strictly() {
        assert_eq!("".parse(), Ok(Networks::default()));
        assert!("192.0.2.1".parse::<Networks>().is_ok());
        for wrong in ["10.0.0.0/33", "::/129", "10.0.0", "10.0.0.0/x", "all"] {
            assert_eq!(wrong.parse::<Networks>(), Err(()), "{wrong}");
        }
        assert!("0.0.0.0/0".parse::<Networks>().expect("all").contains("203.0.113.7".parse().expect("an address")));
    }

    #[test]
    fn nobody_else_reads_along_in_a_private_network() {
        let host = |text| Host::parse(text).expect("a host");
        for inside in [
            "localhost",
            "postgres",
            "127.0.0.1",
            "10.1.2.3",
            "[::1]",
            "[fd00::1]",
            "db.shop.svc",
            "db.shop.svc.cluster.local",
            "db.example.internal",
        ] {
            assert!(is_inside(&host(inside)), "{inside}");
        }
        for outside in ["db.example", "203.0.113.7", "[2001:db8::1]", "local.example", "notlocal.svc.example"] {
            assert!(!is_inside(&host(outside)), "{outside}");
        }
    }
}
