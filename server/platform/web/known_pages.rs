//! Lets code that the table of pages depends on ask that table.

/// Queries on the table of all pages.
#[derive(Clone, Copy, Debug)]
pub struct KnownPages {
    /// Whether there is a page at a path.
    pub has: fn(&str) -> bool,
    /// Whether the page at an address may require a sign-in.
    pub may_ask_for_sign_in: fn(&str) -> bool,
}
