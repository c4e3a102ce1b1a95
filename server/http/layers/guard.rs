//! Named middleware of the route table. An unregistered name is an error at startup.

use std::str::FromStr;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shop_base::error::Error;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::csrf;
use shop_platform::web::extract::Asked;
use shop_platform::web::see_other::see_other;

use crate::admin::guard::{Needs, admit};
use crate::admin::rights::Permission;
use crate::identity::address::{confirm_address, sign_in_address, sign_in_after_form};
use crate::identity::extract::Visitor;
use crate::layers::request_id::request_id;
use crate::storefront::age;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Middleware {
    /// A visitor who has not passed the age gate gets none of the page's content, not even behind the gate.
    Age,
    /// Signed-in visitors only, but for the shop's own forms: one may be posted after the session has ended.
    Auth,
    /// Staff only.
    AdminRbac,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("Unknown route middleware: {0}")]
pub struct UnknownMiddleware(pub String);

impl Middleware {
    /// The name of [`Middleware::Auth`].
    pub const AUTH: &str = "auth";
    /// The name of [`Middleware::AdminRbac`].
    pub const ADMIN: &str = "admin-rbac";
}

impl FromStr for Middleware {
    type Err = UnknownMiddleware;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "age" => Ok(Self::Age),
            Self::AUTH => Ok(Self::Auth),
            Self::ADMIN => Ok(Self::AdminRbac),
            unknown => Err(UnknownMiddleware(unknown.to_owned())),
        }
    }
}

/// A guard in front of a page.
#[derive(Clone)]
pub struct Guard {
    pub cookies: SignedCookies,
    /// Whether an identity provider is configured.
    pub can_sign_in: bool,
    pub middleware: Middleware,
    /// The required permission for staff pages; to see the shop, if none is given.
    pub needs: Option<Permission>,
}

/// Passes a request on, or redirects the visitor: to the age gate on the front page, or to sign-in. Signed-in visitors without permission
/// get an error.
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
            let permission = needs.unwrap_or(Permission::SeeShop);
            let needs = Needs { permission, changes: !request.method().is_safe() };
            return match admit(&cookies, session, needs, &mut request) {
                Ok(()) => next.run(request).await,
                // Only after an old one: a recent sign-in may be such a try, and it would go in circles. Then the error page has the link.
                Err(Error::WeakSignIn)
                    if can_sign_in && !needs.changes && !session.is_fresh(cookies.clock.now_ms()) =>
                {
                    let asked = Asked::of(request.uri());
                    if asked.payload {
                        return Error::WeakSignIn.into_problem_response(request_id(request.headers()));
                    }
                    see_other(&confirm_address(&asked.full_path()))
                }
                Err(error) => error.into_response(),
            };
        }
        _ => {}
    }
    let asked = Asked::of(request.uri());
    if asked.payload && middleware != Middleware::Age {
        // This is not an envelope, so the app reloads the page, and the document request leads to sign-in.
        return Error::Unauthorized.into_problem_response(request_id(request.headers()));
    }
    if !can_sign_in || middleware == Middleware::Age {
        return see_other("/");
    }
    if !request.method().is_safe() && csrf::is_own(&cookies.config.http, request.headers()) {
        return match middleware {
            // Its page knows what the form was for.
            Middleware::Auth => next.run(request).await,
            _ => sign_in_after_form(&cookies, &asked.full_path()),
        };
    }
    see_other(&sign_in_address(&asked.full_path()))
}
