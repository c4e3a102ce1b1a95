//! Records in the security log what the shop refuses wherever that happens: attempts to guess, to flood it, and to send what it does not take.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::role::Role;
use shop_base::security;
use shop_base::security::{Cause, Event, Lines};
use shop_domain::identity::model::Session;
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::logged_path::logged_path;

use crate::identity::extract::Visitor;

/// Where somebody's own things are: by an id that must be theirs, or by the secret in a link.
const PRIVATE: [&str; 5] = ["/api/me/", "/api/checkout/", "/account", "/checkout", "/order-confirmation"];

pub async fn record(State((cx, lines)): State<(Context, Arc<Lines>)>, request: Request, next: Next) -> Response {
    let address = ClientAddress::of(&cx, request.headers(), request.extensions());
    let session = request.extensions().get::<Visitor>().and_then(|visitor| visitor.user.as_ref());
    let (user, role) = (session.map(|session| session.user_id), session.and_then(Session::role));
    let path = logged_path(request.uri().path()).into_owned();
    let response = next.run(request).await;
    if let Some(event) = event(&path, &response) {
        let cause = Cause { user, network: &address.network() };
        // What staff have done must be found, however much is refused to others at the same time.
        match role.is_some_and(Role::is_staff) {
            true => security::record(event, cause, &path),
            false => lines.record(event, cause, &path),
        }
    }
    response
}

fn event(path: &str, response: &Response) -> Option<Event> {
    match response.extensions().get::<Error>() {
        Some(Error::TooManyRequests) => Some(Event::LimitReached),
        Some(
            Error::BadRequest { .. }
            | Error::Invalid { .. }
            | Error::PayloadTooLarge { .. }
            | Error::UnsupportedMediaType { .. },
        ) => Some(Event::InputRefused),
        Some(Error::NoRoute { .. }) => None,
        _ if response.status() != StatusCode::NOT_FOUND => None,
        _ => PRIVATE.iter().any(|place| path.starts_with(place)).then_some(Event::NothingFound),
    }
}
