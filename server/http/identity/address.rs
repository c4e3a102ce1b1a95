//! Where signing in begins.

/// Leads back to `return_to`, an address in this shop.
pub fn sign_in_address(return_to: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("return_to", return_to).finish();
    format!("/auth/login?{query}")
}
