//! The network address of a visitor, resolved through the trusted proxies.

use std::net::{IpAddr, SocketAddr};
use std::sync::Once;

use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue};
use shop_base::config::Networks;
use shop_base::context::Context;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Logged once: all visitors behind a proxy that is not named count as one.
static UNTRUSTED: Once = Once::new();
const UNTRUSTED_PROXY: &str = "a request has X-Forwarded-For, but its sender is not in SHOP_TRUSTED_PROXIES: \
     if it is your proxy, add it, or else all visitors share one address and its limits";

/// The address from which the request comes, as far as the network shows it.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    pub fn of(cx: &Context, headers: &HeaderMap, extensions: &Extensions) -> Self {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
        let peer = peer.unwrap_or(IpAddr::from([0, 0, 0, 0]));
        let trusted = &cx.config.http.trusted_proxies;
        if headers.contains_key(FORWARDED_FOR) && !trusted.contains(peer.to_canonical()) {
            UNTRUSTED.call_once(|| tracing::warn!(%peer, "{UNTRUSTED_PROXY}"));
        }
        Self(client(trusted, peer, headers))
    }

    /// The address without the part that names one household: 3 bytes of IPv4, 6 of IPv6.
    pub fn network(self) -> String {
        match self.0 {
            IpAddr::V4(address) => {
                let [a, b, c, _] = address.octets();
                format!("{a}.{b}.{c}.0")
            }
            IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 80 << 80).into()).to_string(),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress
where
    Context: FromRef<S>,
{
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&Context::from_ref(state), &parts.headers, &parts.extensions))
    }
}

/// The rightmost address that is not a trusted proxy; anything to its left can be forged.
fn client(trusted: &Networks, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    // A proxy adds its hop to whatever the client wrote, also if that is no text.
    let text = |line: &HeaderValue| String::from_utf8_lossy(line.as_bytes()).into_owned();
    let lines: Vec<String> = headers.get_all(FORWARDED_FOR).iter().map(text).collect();
    let mut client = peer.to_canonical();
    for hop in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
        if !trusted.contains(client) {
            break;
        }
        match address(hop.trim()) {
            Some(address) => client = address.to_canonical(),
            None => break,
        }
    }
    client
}

/// The address of a hop; some proxies write the port, too, or brackets around IPv6.
fn address(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|hop| hop.strip_suffix(']')).unwrap_or(hop);
    bare.parse().ok().or_else(|| hop.parse::<SocketAddr>().ok().map(|hop| hop.ip()))
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use axum::http::{HeaderMap, HeaderValue};

    use super::{ClientAddress, FORWARDED_FOR, Networks, client};

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn only_trusted_proxies_say_who_the_client_is() {
        let networks: Networks = "10.0.0.0/8, 2001:db8::/32".parse().expect("networks");
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "198.51.100.9, 203.0.113.7".parse().expect("a value"));
        headers.append("x-forwarded-for", "10.1.1.1".parse().expect("a value"));
        let client = |networks: &Networks, peer: &str| client(networks, address(peer), &headers).to_string();
        assert_eq!(client(&networks, "10.2.3.4"), "203.0.113.7", "what the client wrote itself is not believed");
        assert_eq!(client(&networks, "2001:db8::1"), "203.0.113.7");
        assert_eq!(client(&networks, "192.0.2.1"), "192.0.2.1", "an unknown peer is the client");
        assert_eq!(client(&Networks::default(), "10.2.3.4"), "10.2.3.4");
    }

    #[test]
    fn a_proxy_may_write_the_port() {
        let networks: Networks = "10.0.0.0/8".parse().expect("networks");
        for (hop, ip) in [
            ("203.0.113.7:1234", "203.0.113.7"),
            ("[2001:db8::7]:1234", "2001:db8::7"),
            ("[2001:db8::7]", "2001:db8::7"),
            ("[203.0.113.7", "10.2.3.4"),
        ] {
            let headers = HeaderMap::from_iter([(FORWARDED_FOR, HeaderValue::from_static(hop))]);
            assert_eq!(client(&networks, address("10.2.3.4"), &headers), address(ip), "{hop}");
        }
    }

    #[test]
    fn a_client_hides_behind_no_text_that_it_wrote_itself() {
        let networks: Networks = "10.0.0.0/8".parse().expect("networks");
        for own in [&b"\xff"[..], "caf\u{e9}".as_bytes(), b"nobody"] {
            let line = HeaderValue::from_bytes(&[own, b", 203.0.113.7"].concat()).expect("a value");
            let headers = HeaderMap::from_iter([(FORWARDED_FOR, line)]);
            assert_eq!(client(&networks, address("10.2.3.4"), &headers), address("203.0.113.7"), "{own:?}");
        }
    }

    #[test]
    fn a_network_names_no_household() {
        assert_eq!(ClientAddress(address("203.0.113.77")).network(), "203.0.113.0");
        assert_eq!(ClientAddress(address("2001:db8:1:2:3:4:5:6")).network(), "2001:db8:1::");
    }
}
