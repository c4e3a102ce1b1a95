//! The form of the age gate, for browsers without scripts.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::{Deserialize, Serialize};
use shop_base::error::Error;
use shop_domain::age::{model, service};
use shop_domain::identity::service::unless_unwritable;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::csrf;
use shop_platform::web::extract::Form;
use shop_platform::web::own_path::own_path;
use shop_platform::web::page::{Meta, Page, PageProps};
use utoipa::ToSchema;

use super::cookie;
use crate::identity::extract::Visitor;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

#[derive(Deserialize)]
pub struct Entry {
    #[serde(default)]
    birth_date: String,
    #[serde(default)]
    return_to: String,
}

/// Props of the page shown after a rejected form.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgeRefusedPage {
    pub error: String,
    pub return_to: String,
}

impl PageProps for AgeRefusedPage {
    const NAME: &'static str = "age/refused";
}

/// `GET /verify-age`: the page of a rejected form, when a browser asks for its address anew. There is nothing to return to any more.
pub async fn leave() -> Redirect {
    Redirect::to("/")
}

/// `POST /verify-age`
pub async fn enter(
    State(cookies): State<SignedCookies>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(entry): Form<Entry>,
) -> Result<Response, Error> {
    // Some browsers, and those without https, tell only one of the two, and some programs none.
    let tells = headers.contains_key(FETCH_SITE) || headers.contains_key(header::ORIGIN);
    if tells && !csrf::is_own(&cookies.config.http, &headers) {
        return Err(Error::BadRequest { detail: "Enter your date of birth on the shop’s own page.".to_owned() });
    }
    let return_to = own_path(&entry.return_to);
    let today = cookies.today();
    match model::verify(&entry.birth_date, today) {
        Ok(()) => {
            // Unlike the call of scripts, the form cannot say whom its page was shown to: pages that are kept have it, too.
            if let Some(user) = &visitor.user {
                // Without it the cookie counts alone, as a guest's does.
                unless_unwritable(service::prove(&cookies, user.user_id, None).await, "a proof of age")?;
            }
            let location = HeaderValue::try_from(return_to).unwrap_or(HeaderValue::from_static("/"));
            let headers = [(header::LOCATION, location), (header::SET_COOKIE, cookie::issue(&cookies))];
            Ok((StatusCode::SEE_OTHER, headers).into_response())
        }
        Err(message) => {
            let props = AgeRefusedPage { error: message.to_owned(), return_to: return_to.to_owned() };
            let meta =
                Meta { title: "Age verification".to_owned(), robots: Some("noindex".to_owned()), ..Meta::default() };
            Ok(Page::new("/verify-age", &props, meta)?.with_status(StatusCode::UNPROCESSABLE_ENTITY).into_response())
        }
    }
}
