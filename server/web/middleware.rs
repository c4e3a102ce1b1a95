//! Named middleware of the route table. A name that is not registered stops the start.

use std::str::FromStr;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::age;
use crate::app::App;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Middleware {
    /// Nothing of the page for a visitor who has not passed the age gate, not even under it.
    Age,
    /// Signed-in visitors only.
    Auth,
    /// Staff only.
    AdminRbac,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("Unknown route middleware: {0}")]
pub struct UnknownMiddleware(pub String);

impl FromStr for Middleware {
    type Err = UnknownMiddleware;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "age" => Ok(Self::Age),
            "auth" => Ok(Self::Auth),
            "admin-rbac" => Ok(Self::AdminRbac),
            unknown => Err(UnknownMiddleware(unknown.to_owned())),
        }
    }
}

/// Lets a request pass or sends the visitor to the front page, where the age gate and sign-in are.
pub async fn guard(State((app, middleware)): State<(App, Middleware)>, request: Request, next: Next) -> Response {
    let passes = match middleware {
        Middleware::Age => age::cookie::is_verified(&app, request.headers()),
        // There are no sessions, so nobody is signed in.
        Middleware::Auth | Middleware::AdminRbac => false,
    };
    if passes {
        next.run(request).await
    } else {
        (StatusCode::SEE_OTHER, [(header::LOCATION, HeaderValue::from_static("/"))]).into_response()
    }
}
