//! The values of a facet that products have. A value goes with its last product.

use imbl::OrdMap;

/// Values by slug, each with the number of products that have it. Of several with the same slug the first in their order is shown, so that
/// all nodes show the same one. One without a slug is none: no address leads to it.
#[derive(Clone, Debug)]
pub struct Values<T: Ord + Clone>(OrdMap<String, OrdMap<T, usize>>);

impl<T: Ord + Clone> Default for Values<T> {
    fn default() -> Self {
        Self(OrdMap::new())
    }
}

impl<T: Ord + Clone> Values<T> {
    pub fn find(&self, slug: &str) -> Option<&T> {
        self.0.get(slug).and_then(OrdMap::get_min).map(|(value, _)| value)
    }

    pub fn add(&mut self, slug: String, value: T) {
        if !slug.is_empty() {
            *self.0.entry(slug).or_default().entry(value).or_default() += 1;
        }
    }

    pub fn remove(&mut self, slug: &str, value: &T) {
        let Some(values) = self.0.get_mut(slug) else { return };
        if let Some(products) = values.get_mut(value) {
            *products -= 1;
            if *products == 0 {
                values.remove(value);
            }
        }
        if values.is_empty() {
            self.0.remove(slug);
        }
    }
}
