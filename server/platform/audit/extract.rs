//! Extracts the actor of a request for handlers.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use shop_base::error::Error;

use super::model::Actor;

/// For handlers behind the guard, which inserts the actor. Without the guard the request fails as an internal error.
impl<S: Send + Sync> FromRequestParts<S> for Actor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let actor: Option<&Self> = parts.extensions.get();
        actor.cloned().ok_or_else(|| Error::internal("a handler of the admin area has no guard"))
    }
}
