//! Restricts webhooks to public addresses, so that nobody can make the shop send requests into its own network (SSRF).
//!
//! Names are resolved here, and the connection goes to the addresses that were checked, so changing the DNS record afterward (DNS
//! rebinding) has no effect.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;
use url::{Host, Url};

const MOST_CHARS: usize = 500;

/// A name or an address that does not lead to a public address.
#[derive(Debug, thiserror::Error)]
#[error("The address isn’t public, so nothing is sent there.")]
pub struct NotPublic;

#[derive(Clone, Copy, Debug)]
pub struct Egress {
    /// Whether http to this machine is allowed, too: for a shop that runs on http itself.
    pub loopback: bool,
}

impl Egress {
    /// Parses an entered address, or says what is wrong with it.
    pub fn read(self, text: &str) -> Result<Url, &'static str> {
        const WRONG: &str = "Enter a URL that starts with https://.";
        let url = Url::parse(text.trim()).map_err(|_| WRONG)?;
        let is_here = match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            None => return Err(WRONG),
        };
        if url.scheme() != "https" && !(self.loopback && is_here && url.scheme() == "http") {
            return Err(WRONG);
        }
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err("Remove the user name, password, and anything after #. The signature identifies the sender.");
        }
        if url.as_str().len() > MOST_CHARS {
            return Err("Use at most 500 characters.");
        }
        let literal = match url.host() {
            Some(Host::Ipv4(ip)) => Some(IpAddr::V4(ip)),
            Some(Host::Ipv6(ip)) => Some(IpAddr::V6(ip)),
            _ => None,
        };
        if literal.is_some_and(|ip| !self.allows(ip)) {
            return Err("This address isn’t public, so nothing would be sent there.");
        }
        Ok(url)
    }

    pub fn allows(self, ip: IpAddr) -> bool {
        is_public(ip) || (self.loopback && ip.to_canonical().is_loopback())
    }

    /// Resolves a name, keeping only allowed addresses; fails when none is left.
    pub async fn look_up(self, name: &str) -> io::Result<Vec<SocketAddr>> {
        let found: Vec<_> = lookup_host((name, 0)).await?.filter(|address| self.allows(address.ip())).collect();
        if found.is_empty() { Err(io::Error::other(NotPublic)) } else { Ok(found) }
    }
}

impl Resolve for Egress {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = *self;
        Box::pin(async move {
            let found = reach.look_up(name.as_str()).await?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Whether an address is globally reachable, according to IANA's registries of special-purpose addresses.
pub fn is_public(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let special = match ip.octets() {
        [0 | 10 | 127, ..] | [240..=255, ..] => true,
        [100, b, ..] => (64..128).contains(&b),
        [169, 254, ..] | [192, 168, ..] | [198, 18 | 19, ..] => true,
        [172, b, ..] => (16..32).contains(&b),
        [192, 0, 0 | 2, _] | [192, 88, 99, _] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        _ => false,
    };
    !special && !ip.is_multicast()
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    match ip.segments() {
        // NAT64 addresses are judged by the IPv4 address they embed.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => is_public_v4(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low))),
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // Global unicast, which excludes private, link-local and multicast addresses.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::{Egress, is_public};

    const PRIVATE: [&str; 32] = [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "127.8.8.8",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "3fff::1",
        "fd00:ec2::254",
        "fe80::1",
        "ff02::1",
    ];

    #[test]
    fn only_addresses_of_the_internet_are_public() {
        for address in PRIVATE {
            assert!(!is_public(address.parse().expect(address)), "{address}");
        }
        for address in
            ["1.1.1.1", "172.32.0.1", "100.128.0.1", "::ffff:8.8.8.8", "2606:4700::1111", "2a00::1", "64:ff9b::808:808"]
        {
            assert!(is_public(address.parse().expect(address)), "{address}");
        }
    }

    #[test]
    fn typed_addresses_are_https_and_public() {
        let shop = Egress { loopback: false };
        assert_eq!(
            shop.read(" https://hooks.example/shop?key=1 ").map(String::from).as_deref(),
            Ok("https://hooks.example/shop?key=1")
        );
        for refused in [
            "",
            "hooks.example",
            "http://hooks.example",
            "ftp://hooks.example",
            "https://user:word@hooks.example",
            "https://hooks.example/#part",
            "https://127.1/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://[::1]/",
            "https://[::ffff:169.254.169.254]/",
            "http://localhost:8000/",
        ] {
            assert!(shop.read(refused).is_err(), "{refused}");
        }
        let demonstration = Egress { loopback: true };
        for taken in ["http://localhost:8000/", "http://127.0.0.1:8000/", "https://[::1]/", "https://hooks.example/"] {
            assert!(demonstration.read(taken).is_ok(), "{taken}");
        }
        for refused in ["http://hooks.example/", "http://192.168.0.1/", "https://10.0.0.1/"] {
            assert!(demonstration.read(refused).is_err(), "{refused}");
        }
    }

    #[tokio::test]
    async fn a_name_of_this_machine_leads_nowhere() {
        assert!(Egress { loopback: false }.look_up("localhost").await.is_err());
        let found = Egress { loopback: true }.look_up("localhost").await.expect("a name");
        assert!(found.iter().all(|address| address.ip().is_loopback()));
    }
}
