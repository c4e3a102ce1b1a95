//! Paths as they may be in logs and traces. Secrets are in queries, which no log has, but for the id of a checkout, which leads to its order.

use std::borrow::Cow;

use shop_base::loggable::loggable;

const CHECKOUTS: &str = "/api/checkout/";
const CALLS: [&str; 3] = ["confirm", "pay", "quote"];

/// The shop has no longer ones, in bytes. Who asks for one that does not exist chooses how much is logged.
const LONGEST: usize = 200;

/// The beginning of the path, of what may be in the log, with its pattern in place of one that has a secret.
pub fn logged_path(path: &str) -> Cow<'_, str> {
    match path.strip_prefix(CHECKOUTS) {
        Some(rest) if !CALLS.contains(&rest) => Cow::Borrowed("/api/checkout/{checkout_id}"),
        _ => loggable(&path[..path.floor_char_boundary(LONGEST)]),
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, logged_path};

    #[test]
    fn the_id_of_a_checkout_is_left_out() {
        for path in ["/", "/checkout", "/api/checkout/pay", "/api/checkout/quote", "/api/me/sessions/1"] {
            assert_eq!(logged_path(path), path);
        }
        assert_eq!(logged_path("/account/\u{9b}2J"), "/account/2J");
        for rest in ["0193fdb0-0000-7000-8000-000000000000", "pay/0193fdb0", "0193fdb0/_payload.json"] {
            assert_eq!(logged_path(&format!("/api/checkout/{rest}")), "/api/checkout/{checkout_id}");
        }
    }

    #[test]
    fn of_a_long_path_the_beginning_is_logged() {
        let path = format!("/{}", "é".repeat(LONGEST));
        assert_eq!(logged_path(&path), &path[..LONGEST - 1]);
    }
}
