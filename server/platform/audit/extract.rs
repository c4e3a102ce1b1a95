//! Who acts, as a handler takes it.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use shop_base::error::Error;

use super::model::Actor;

/// Taken by handlers behind the guard. Without the guard there is none, and nothing is done.
impl<S: Send + Sync> FromRequestParts<S> for Actor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let actor: Option<&Self> = parts.extensions.get();
        actor.cloned().ok_or_else(|| Error::internal("a handler of the admin area has no guard"))
    }
}
