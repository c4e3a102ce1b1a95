//! Runs before every handler of the admin area: checks the visitor's permission and identifies them as the actor.

use axum::extract::{Request, State};
use axum::http::Method;
use axum::http::header::{ALLOW, USER_AGENT};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::role::Role;
use shop_base::security;
use shop_base::security::{Cause, Event};
use shop_domain::identity::model::{Session, device};
use shop_platform::audit::model::Actor;
use shop_platform::web::client_address::ClientAddress;

use super::rights::{Permission, Refusal};
use crate::identity::extract::Visitor;

/// What a call needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    pub permission: Permission,
    /// Whether it changes something; a preview does not.
    pub changes: bool,
}

/// Passes a permitted call on, together with the [`Actor`] that its handler extracts.
pub async fn guard(
    State((cx, needs)): State<(Context, Needs)>,
    visitor: Visitor,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(session) = &visitor.user else { return Error::Unauthorized.into_response() };
    match admit(&cx, session, needs, &mut request) {
        // It would run the handler of GET, and be recorded as a download that nobody has.
        Ok(()) if *request.method() == Method::HEAD => ([(ALLOW, "GET")], Error::MethodNotAllowed).into_response(),
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// Adds the visitor as the actor to the request, if they have the permission that it needs.
pub fn admit(cx: &Context, session: &Session, needs: Needs, request: &mut Request) -> Result<(), Error> {
    let headers = request.headers();
    let network = ClientAddress::of(cx, headers, request.extensions()).network();
    require(cx, session, needs, &network)?;
    let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let actor = Actor {
        user_id: session.user_id,
        role: session.role().unwrap_or(Role::Customer),
        network,
        device: device(agent),
    };
    request.extensions_mut().insert(actor);
    Ok(())
}

/// Refuses a visitor who lacks a permission. Handlers call it for a part of a call that needs more than the call itself.
pub fn require(cx: &Context, session: &Session, needs: Needs, network: &str) -> Result<(), Error> {
    let provider = cx.config.identity.as_ref();
    needs.permission.check(session, provider, needs.changes, cx.clock.now_ms()).map_err(|refusal| {
        let (event, error) = match refusal {
            Refusal::Role => (Event::RoleRefused, Error::forbidden_role()),
            Refusal::Stale => (Event::SignInTooOld, Error::StaleSignIn),
            Refusal::Weak => (Event::SignInTooOld, Error::WeakSignIn),
        };
        let cause = Cause { user: Some(session.user_id), network };
        security::record(event, cause, needs.permission.text());
        error
    })
}
