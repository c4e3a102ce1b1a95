//! Networks in settings.

use std::net::IpAddr;
use std::str::FromStr;

use url::{Host, Url};

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

/// Whether the address is of this machine or of a private network, where nobody else reads along.
pub fn is_inside(url: &Url) -> bool {
    let is_private = |ip: IpAddr| match ip.to_canonical() {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_private(),
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local(),
    };
    match url.host() {
        // A name without a dot is known inside of a network only.
        Some(Host::Domain(name)) => !name.contains('.'),
        Some(Host::Ipv4(ip)) => is_private(ip.into()),
        Some(Host::Ipv6(ip)) => is_private(ip.into()),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Networks;

    #[test]
    fn networks_are_read_strictly() {
        assert_eq!("".parse(), Ok(Networks::default()));
        assert!("192.0.2.1".parse::<Networks>().is_ok());
        for wrong in ["10.0.0.0/33", "::/129", "10.0.0", "10.0.0.0/x", "all"] {
            assert_eq!(wrong.parse::<Networks>(), Err(()), "{wrong}");
        }
        assert!("0.0.0.0/0".parse::<Networks>().expect("all").contains("203.0.113.7".parse().expect("an address")));
    }
}
