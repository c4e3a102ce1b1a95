//! What the shop's table of pages says to those whom the table itself names.

/// Answers from the table of all pages.
#[derive(Clone, Copy, Debug)]
pub struct KnownPages {
    /// Whether there is a page at a path.
    pub has: fn(&str) -> bool,
    /// Whether a page at an address may ask for a sign-in.
    pub may_ask_for_sign_in: fn(&str) -> bool,
}
