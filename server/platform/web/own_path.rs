//! Safe redirect targets within the shop.

/// The path if it leads to this shop and to no other host; otherwise the front page.
pub fn own_path(path: &str) -> &str {
    let is_own = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && !path.contains(|c: char| c.is_ascii_control());
    if is_own { path } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::own_path;

    #[test]
    fn a_visitor_is_sent_back_to_this_shop_only() {
        assert_eq!(own_path("/products?q=pipe"), "/products?q=pipe");
        for path in
            ["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", "javascript:alert(1)", ""]
        {
            assert_eq!(own_path(path), "/", "{path}");
        }
    }
}
