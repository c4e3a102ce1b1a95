//! `/account`

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::model::Me;
use super::service;
use crate::app::App;
use crate::error::Error;
use crate::identity;
use crate::identity::extract::Customer;
use crate::identity::model::SessionView;
use crate::orders;
use crate::orders::view::OrderView;
use crate::web::page::{Meta, Page, PageProps};

/// Props of the account page.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountPage {
    pub me: Me,
    pub sessions: Vec<SessionView>,
    /// The newest first.
    pub orders: Vec<OrderView>,
}

impl PageProps for AccountPage {
    const NAME: &'static str = "account";
}

/// `GET /account`
pub async fn account(State(app): State<App>, Customer(session): Customer) -> Result<Page, Error> {
    let props = AccountPage {
        me: service::me(&app, &session).await?,
        sessions: identity::service::list_sessions(&app, &session).await?,
        orders: orders::service::list_by_user(&app, session.user_id).await?,
    };
    let meta = Meta { title: "Your account".to_owned(), robots: Some("noindex".to_owned()), ..Meta::default() };
    Page::new("/account", &props, meta)
}
