//! Paths as they may be in logs and traces. Secrets are in queries, which no log has, but for the id of a checkout, which leads to its order.

const CHECKOUTS: &str = "/api/checkout/";
const CALLS: [&str; 3] = ["confirm", "pay", "quote"];

/// The path, with its pattern in place of one that has a secret.
pub fn logged_path(path: &str) -> &str {
    match path.strip_prefix(CHECKOUTS) {
        Some(rest) if !CALLS.contains(&rest) => "/api/checkout/{checkout_id}",
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::logged_path;

    #[test]
    fn the_id_of_a_checkout_is_left_out() {
        for path in ["/", "/checkout", "/api/checkout/pay", "/api/checkout/quote", "/api/me/sessions/1"] {
            assert_eq!(logged_path(path), path);
        }
        for rest in ["0193fdb0-0000-7000-8000-000000000000", "pay/0193fdb0", "0193fdb0/_payload.json"] {
            assert_eq!(logged_path(&format!("/api/checkout/{rest}")), "/api/checkout/{checkout_id}");
        }
    }
}
