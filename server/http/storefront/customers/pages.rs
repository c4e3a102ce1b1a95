//! `/account`

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::fields::FieldErrors;
use shop_domain::customers::model::Me;
use shop_domain::customers::service;
use shop_domain::identity::Identity;
use shop_domain::identity::model::{Session, SessionView};
use shop_domain::sales::view::AccountOrder;
use shop_domain::{identity, sales};
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::{Asked, OwnForm};
use shop_platform::web::page::{Meta, Page, PageProps};
use utoipa::ToSchema;

use super::form;
use super::form::{Act, Posted};
use crate::identity::address::sign_in_after_form;
use crate::identity::cookie;
use crate::identity::cookie::Name;
use crate::identity::extract::{Customer, Visitor};
use crate::identity::logout::leave;
use crate::identity::notice::Notice;
use crate::storefront::age;

/// Props of the account page.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountPage {
    pub me: Me,
    pub sessions: Vec<SessionView>,
    /// Some of them, the newest first.
    pub orders: Vec<AccountOrder>,
    /// The page with the orders before these.
    pub older_href: Option<String>,
    /// The page with the newest orders, unless this is it.
    pub newest_href: Option<String>,
    /// The identity provider's page for address, password and connected accounts.
    pub account_url: Option<String>,
    /// The action whose form is open initially.
    pub open: Option<Act>,
    pub refused: Option<Refused>,
}

/// A posted form that was rejected.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RefusedForm)]
pub struct Refused {
    pub act: Act,
    /// Messages by field.
    pub errors: FieldErrors,
    /// The fields' values by name.
    pub typed: BTreeMap<String, String>,
}

impl PageProps for AccountPage {
    const NAME: &'static str = "account";
}

/// `GET /account`; `?open={act}` opens a form, as the buttons do, and `?from={number}` is the page of orders that begins with this one.
pub async fn account(State(cx): State<Context>, Customer(session): Customer, asked: Asked) -> Result<Page, Error> {
    let open = asked.parameter("open").and_then(|name| Act::to_open(&name));
    page(&cx, &session, asked.parameter("from"), open, None).await
}

/// `POST /account`: sent by browsers without scripts.
pub async fn edit(
    State(cookies): State<SignedCookies>,
    State(identity): State<Arc<Identity>>,
    visitor: Visitor,
    headers: HeaderMap,
    OwnForm(posted): OwnForm<Posted>,
) -> Result<Response, Error> {
    let cx: &Context = &cookies;
    let Some(session) = visitor.user else { return late(cx, &identity, &posted).await };
    let act = posted.act;
    let tokens = match session.session_id() {
        Some(id) if act == Act::DeleteAccount => identity::service::find_tokens(cx, &identity, id).await?,
        _ => None,
    };
    match form::carry_out(&cookies, &session, &headers, &posted).await {
        // The provider's session goes, too: with it, going back one page would sign in to a new account. Another click may have erased it.
        Ok(()) | Err(Error::Unauthorized) if act == Act::DeleteAccount => {
            Ok(leave(cx, &identity, tokens.as_ref(), Notice::Deleted).await)
        }
        Ok(()) => Ok(done(cx, act)),
        Err(Error::Invalid { errors }) => {
            // The order is on the page that says why it cannot be ordered again.
            let from = posted.typed.get("number").filter(|_| act == Act::OrderAgain).cloned();
            let refused = Refused { act, errors, typed: posted.typed };
            let page = page(cx, &session, from, Some(act), Some(refused)).await?;
            let mut response = page.with_status(StatusCode::UNPROCESSABLE_ENTITY).into_response();
            // The age gate over the page leads to it anew, without the form. An order may have been put into the cart in part.
            if act != Act::OrderAgain && !age::cookie::is_verified(&cookies, &headers) {
                response.headers_mut().append(header::SET_COOKIE, noticing(cx, Notice::Unchanged));
            }
            Ok(response)
        }
        Err(error) => Err(error),
    }
}

/// The answer to a form of a browser that is not signed in any more. When "Delete account" is pressed twice, the account is gone already.
async fn late(cx: &Context, identity: &Identity, posted: &Posted) -> Result<Response, Error> {
    let shown = posted.typed.get("user_id").filter(|_| posted.act == Act::DeleteAccount);
    if let Some(subject) = shown
        && identity::service::is_erased(cx, identity, subject).await?
    {
        return Ok(leave(cx, identity, None, Notice::Deleted).await);
    }
    Ok(sign_in_after_form(cx, PATH))
}

fn done(cx: &Context, act: Act) -> Response {
    let mut response =
        (StatusCode::SEE_OTHER, [(header::LOCATION, HeaderValue::from_static(act.leads_to()))]).into_response();
    if act != Act::OrderAgain {
        response.headers_mut().append(header::SET_COOKIE, noticing(cx, Notice::Updated));
    }
    response
}

/// The cookie of a notice for the next page.
fn noticing(cx: &Context, notice: Notice) -> HeaderValue {
    cookie::set(cx, Name::Notice, notice.code())
}

const PATH: &str = "/account";

async fn page(
    cx: &Context,
    session: &Session,
    from: Option<String>,
    open: Option<Act>,
    refused: Option<Refused>,
) -> Result<Page, Error> {
    let provider = cx.config.identity.as_ref();
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let orders = sales::view::list_by_user(cx, &mut conn, session.user_id, from.as_deref()).await?;
    let url = match &orders.from {
        Some(from) if refused.is_none() => format!("{PATH}?from={from}"),
        _ => PATH.to_owned(),
    };
    let props = AccountPage {
        me: service::me(cx, &mut conn, session).await?,
        sessions: identity::service::list_sessions(cx, &mut conn, session).await?,
        orders: orders.orders,
        older_href: orders.next.map(|next| format!("{PATH}?from={next}#orders")),
        // With the question mark also the page of a refused form, which has the same path, is left.
        newest_href: orders.from.map(|_| format!("{PATH}?#orders")),
        account_url: provider.and_then(|provider| provider.account_url.as_ref()).map(ToString::to_string),
        open,
        refused,
    };
    let meta = Meta { title: "Your account".to_owned(), robots: Some("noindex".to_owned()), ..Meta::default() };
    Page::new(url, &props, meta)
}
