//! Pages that no third party's script may see: where people pay, what is about one person, and the admin area. Their own content security
//! policy holds because a link between them and the other pages loads a document (`app/lib/links.ts`).

const PRIVATE: [&str; 6] = ["/account", "/admin", "/auth", "/checkout", "/order-confirmation", "/test-email"];

/// Whether this is the path of such a page.
pub fn is_private(path: &str) -> bool {
    PRIVATE.iter().any(|one| path.strip_prefix(one).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

#[cfg(test)]
mod tests {
    use super::is_private;

    #[test]
    fn whole_segments_count() {
        for path in ["/account", "/admin/orders", "/checkout/confirm", "/order-confirmation"] {
            assert!(is_private(path), "{path}");
        }
        for path in ["/", "/products", "/accounts", "/category/admin", "/cart"] {
            assert!(!is_private(path), "{path}");
        }
    }
}
