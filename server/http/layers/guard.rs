//! Named middleware of the route table. A name that is not registered stops the start.

use std::str::FromStr;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shop_base::error::Error;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::csrf;
use shop_platform::web::extract::Asked;

use crate::admin::guard::admit;
use crate::admin::rights::Permission;
use crate::identity::cookie;
use crate::identity::cookie::Name;
use crate::identity::extract::Visitor;
use crate::identity::notice::Notice;
use crate::storefront::age;

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

impl Middleware {
    /// The name of [`Middleware::AdminRbac`].
    pub const ADMIN: &str = "admin-rbac";
}

impl FromStr for Middleware {
    type Err = UnknownMiddleware;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "age" => Ok(Self::Age),
            "auth" => Ok(Self::Auth),
            Self::ADMIN => Ok(Self::AdminRbac),
            unknown => Err(UnknownMiddleware(unknown.to_owned())),
        }
    }
}

/// A guard before a page.
#[derive(Clone)]
pub struct Guard {
    pub cookies: SignedCookies,
    /// Whether there is a place to sign in at.
    pub can_sign_in: bool,
    pub middleware: Middleware,
    /// What staff must be allowed; to see the shop, when it is not said.
    pub needs: Option<Permission>,
}

/// Lets a request pass, or sends the visitor where it could: to the age gate on the front page, or to sign-in. Signed-in
/// visitors who may not see the page are told so.
pub async fn guard(
    State(Guard { cookies, can_sign_in, middleware, needs }): State<Guard>,
    mut request: Request,
    next: Next,
) -> Response {
    let visitor = request.extensions().get::<Visitor>().cloned().unwrap_or_default();
    match (middleware, &visitor.user) {
        (Middleware::Age, _) if age::cookie::is_verified(&cookies, request.headers()) => {
            return next.run(request).await;
        }
        (Middleware::Auth, Some(_)) => return next.run(request).await,
        (Middleware::AdminRbac, Some(session)) => {
            return match admit(&cookies, session, needs.unwrap_or(Permission::SeeShop), &mut request) {
                Ok(()) => next.run(request).await,
                Err(error) => error.into_response(),
            };
        }
        _ => {}
    }
    let asked = Asked::of(request.uri());
    if asked.payload && middleware != Middleware::Age {
        // Not an envelope, so the app loads the page afresh and its document leads to sign-in.
        return Error::Unauthorized.into_problem_response();
    }
    let can_sign_in = can_sign_in && middleware != Middleware::Age;
    let location = if can_sign_in { sign_in_address(&asked) } else { "/".to_owned() };
    let location = HeaderValue::try_from(location).unwrap_or(HeaderValue::from_static("/"));
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response();
    if can_sign_in && !request.method().is_safe() && csrf::is_own(&cookies.config.http, request.headers()) {
        // The way back is a GET, so what was sent is lost.
        response.headers_mut().append(header::SET_COOKIE, cookie::set(&cookies, Name::Notice, Notice::Unsaved.code()));
    }
    response
}

/// Sign-in that leads back to what was asked for.
fn sign_in_address(asked: &Asked) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("return_to", &asked.full_path()).finish();
    format!("/auth/login?{query}")
}
