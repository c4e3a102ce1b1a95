//! Where signing in begins.

use shop_platform::web::own_path::own_path;

/// Leads back to `return_to`, an address in this shop.
pub fn sign_in_address(return_to: &str) -> String {
    address(return_to, "")
}

/// The same, asking the user to authenticate again.
pub fn confirm_address(return_to: &str) -> String {
    address(return_to, "confirm=1&")
}

fn address(return_to: &str, more: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("return_to", own_path(return_to)).finish();
    format!("/auth/login?{more}{query}")
}
