//! Addresses: a list has one address, and a visitor is only sent on within the shop.

use libfuzzer_sys::Corpus;
use shop_domain::catalog::query::{FacetKey, KnownValues, ListQuery};
use shop_platform::web::own_path::own_path;
use url::Url;

/// A catalog with all values.
struct Anything;

impl KnownValues for Anything {
    fn category(&self, _: &str) -> bool {
        true
    }

    fn material(&self, _: &str) -> bool {
        true
    }

    fn color(&self, _: &str) -> bool {
        true
    }
}

pub fn run(data: &[u8]) -> Corpus {
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    let query = ListQuery::read(text, &Anything).query;
    let address = query.href("/products");
    let again = ListQuery::read(address.split_once('?').map_or("", |(_, query)| query), &Anything);
    assert_eq!(again.query, query, "{address}");
    assert!(again.is_normal, "{address}");
    for key in FacetKey::ALL {
        let value = text.get(..8).unwrap_or(text);
        assert_eq!(query.toggling("/products", key).href(value), query.toggled(key, value).href("/products"));
    }
    let shop = Url::parse("https://shop.example").unwrap();
    let target = shop.join(own_path(text)).unwrap();
    assert_eq!(target.origin(), shop.origin(), "{text:?}");
    Corpus::Keep
}
