//! What the shop signs and has browsers keep.

use std::ops::Deref;

use cookie::Key;

use crate::context::Context;

/// Reads and writes signed cookies, with the context in which they count.
#[derive(Clone)]
pub struct SignedCookies {
    pub cx: Context,
    pub key: Key,
}

impl Deref for SignedCookies {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.cx
    }
}
