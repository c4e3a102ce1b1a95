//! Runs before every handler of the admin area: checks the visitor's permission and identifies them as the actor.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::USER_AGENT;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::role::Role;
use shop_domain::identity::model::{Session, device};
use shop_platform::audit::head::Head;
use shop_platform::audit::model::Actor;
use shop_platform::web::client_address::ClientAddress;

use super::rights::{Permission, Refusal};
use crate::identity::extract::Visitor;

/// Passes a permitted call on, together with the [`Actor`] that its handler extracts.
pub async fn guard(
    State((cx, audit_head, needs)): State<(Context, Arc<Head>, Permission)>,
    visitor: Visitor,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(session) = &visitor.user else { return Error::Unauthorized.into_response() };
    match admit(&cx, session, needs, &mut request) {
        Ok(()) => {
            let changes = !request.method().is_safe();
            let response = next.run(request).await;
            if changes && let Err(error) = audit_head.log(&cx.db).await {
                tracing::error!(%error, "the head of the audit log could not be read");
            }
            response
        }
        Err(error) => error.into_response(),
    }
}

/// Adds the visitor as the actor to the request, if they have the permission that it needs.
pub fn admit(cx: &Context, session: &Session, needs: Permission, request: &mut Request) -> Result<(), Error> {
    needs.check(session, cx.clock.now_ms()).map_err(|refusal| match refusal {
        Refusal::Role => Error::forbidden_role(),
        Refusal::Stale => Error::StaleSignIn,
    })?;
    let headers = request.headers();
    let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let actor = Actor {
        user_id: session.user_id,
        role: session.role().unwrap_or(Role::Customer),
        network: ClientAddress::of(cx, headers, request.extensions()).network(),
        device: device(agent),
    };
    request.extensions_mut().insert(actor);
    Ok(())
}
