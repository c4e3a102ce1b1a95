//! The signed cookie that stores a guest's cart for the server: variants, quantities and the promo code. Scripts may read it, to detect
//! changes; only the server can write it.

use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use shop_domain::cart::model::{CartItem, Contents, MAX_LINES};
use shop_platform::web::cookies::SignedCookies;
use uuid::Uuid;

const NAME: &str = "cart";
/// A guest's cart is kept for 7 days after its last change.
const LIFETIME_SECONDS: i64 = 7 * 24 * 60 * 60;
/// The length of a variant's id in base64.
const ID_LENGTH: usize = 22;

/// The cart in the request; none if it is missing, not signed by us or expired.
pub fn read(cookies: &SignedCookies, headers: &HeaderMap) -> Option<Contents> {
    decode(&cookies.read(NAME, headers)?, cookies.clock.now_ms())
}

/// The `Set-Cookie` that stores this cart. An empty one is stored, too: a browser with older local storage must not restore what was
/// removed.
pub fn write(cookies: &SignedCookies, contents: &Contents) -> HeaderValue {
    cookies.write(NAME, encode(contents, cookies.clock.now_ms()), LIFETIME_SECONDS)
}

/// The `Set-Cookie` that deletes it.
pub fn clear(cookies: &SignedCookies) -> HeaderValue {
    cookies.write(NAME, String::new(), 0)
}

/// `{UTC milliseconds}.{code}` and, for each line, `.{id}{quantity}p{price}s`, of which the last two may be missing. A full cart is shorter
/// than the 4,096 bytes that browsers allow.
fn encode(contents: &Contents, now: i64) -> String {
    let code = URL_SAFE_NO_PAD.encode(contents.promo_code.as_deref().unwrap_or_default());
    let mut text = format!("{now}.{code}");
    for item in &contents.items {
        text.push('.');
        text.push_str(&URL_SAFE_NO_PAD.encode(item.id.as_bytes()));
        text.push_str(&item.qty.to_string());
        if let Some(price) = item.price {
            text.push_str(&format!("p{price}"));
        }
        if item.saved {
            text.push('s');
        }
    }
    text
}

fn decode(text: &str, now: i64) -> Option<Contents> {
    let mut parts = text.split('.');
    let at: i64 = parts.next()?.parse().ok()?;
    let code = String::from_utf8(URL_SAFE_NO_PAD.decode(parts.next()?).ok()?).ok()?;
    if now - at >= LIFETIME_SECONDS * 1000 {
        return None;
    }
    let items: Option<Vec<CartItem>> = parts.take(MAX_LINES).map(decode_item).collect();
    Some(Contents { items: items?, promo_code: Some(code).filter(|code| !code.is_empty()) })
}

fn decode_item(text: &str) -> Option<CartItem> {
    let (id, rest) = text.split_at_checked(ID_LENGTH)?;
    let id = Uuid::from_slice(&URL_SAFE_NO_PAD.decode(id).ok()?).ok()?;
    let (rest, saved) = rest.strip_suffix('s').map_or((rest, false), |rest| (rest, true));
    let (qty, price) = rest.split_once('p').map_or((rest, None), |(qty, price)| (qty, Some(price)));
    let price = price.map(str::parse).transpose().ok()?;
    Some(CartItem { id, qty: qty.parse().ok()?, price, saved })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::{LIFETIME_SECONDS, decode, encode};
    use shop_domain::cart::model::{CartItem, Contents, MAX_LINES};

    fn any_item() -> impl Strategy<Value = CartItem> {
        (any::<u128>(), 1i64..=9_999, prop::option::of(0i64..100_000_000), any::<bool>())
            .prop_map(|(id, qty, price, saved)| CartItem { id: Uuid::from_u128(id), qty, price, saved })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(items in prop::collection::vec(any_item(), 0..20), code in prop::option::of("[^\\x00]{1,40}")) {
            let contents = Contents { items, promo_code: code };
            let text = encode(&contents, 5);
            prop_assert_eq!(decode(&text, 5 + LIFETIME_SECONDS * 1000 - 1), Some(contents));
            prop_assert_eq!(decode(&text, 5 + LIFETIME_SECONDS * 1000), None);
        }

        #[test]
        fn nonsense_is_no_cart(text in ".{0,60}") {
            let _ = decode(&text, 0);
        }
    }

    #[test]
    fn a_full_cart_fits() {
        let item = |id| CartItem { id: Uuid::from_u128(id), qty: 10, price: Some(1_000_000), saved: true };
        let items = (0..MAX_LINES as u128).map(item).collect();
        // Each character takes four bytes.
        let contents = Contents { items, promo_code: Some("\u{10400}".repeat(40)) };
        // The signature takes 44 bytes, the attributes about 60.
        assert!(encode(&contents, 1_800_000_000_000).len() < 3_900);
    }
}
