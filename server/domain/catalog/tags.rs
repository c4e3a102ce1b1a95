//! The tags ("surrogate keys") by which shared caches find the pages to drop. Browsers see them, too: they contain nothing secret.

use uuid::Uuid;

use super::changes::Change;

/// Of all pages.
const ALL: &str = "shop";
/// A change of more products drops all pages, since caches limit the tags of one request.
const MOST: usize = 30;

fn of_product(product: Uuid) -> String {
    format!("product-{product}")
}

/// Those of a page, which may be a product's own.
pub fn of_page(product: Option<Uuid>) -> Vec<String> {
    [ALL.to_owned()].into_iter().chain(product.map(of_product)).collect()
}

/// Those of the pages that a change concerns.
pub fn of_change(change: &Change) -> Vec<String> {
    if change.everything || change.products.len() > MOST {
        vec![ALL.to_owned()]
    } else {
        change.products.iter().copied().map(of_product).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use uuid::Uuid;

    use super::{Change, MOST, of_change, of_page};

    #[test]
    fn a_change_names_pages_as_they_name_themselves() {
        let pipe = Uuid::from_u128(7);
        let of = |products: usize| {
            let products = (1..=products).map(|at| Uuid::from_u128(at as u128)).collect();
            of_change(&Change { everything: false, products })
        };
        let sold = Change { everything: false, products: BTreeSet::from([pipe]) };
        assert_eq!(of_change(&sold), of_page(Some(pipe))[1..]);
        assert_eq!(of_change(&Change::everything()), of_page(None));
        assert_eq!((of(0).len(), of(MOST).len()), (0, MOST));
        assert_eq!(of(MOST + 1), of_page(None));
    }
}
