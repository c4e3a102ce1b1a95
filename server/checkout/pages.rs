//! `/checkout`.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::customers::address::{Address, STATES};
use crate::drafts::model::DraftState;
use crate::error::Error;
use crate::web::extract::Asked;
use crate::web::page::{Link, Meta, Page, PageProps};
use crate::{drafts, orders};

/// Props of the checkout. The goods come from the browser's cart, unless a link leads to those of a draft order.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckoutPage {
    pub draft: Option<DraftCheckout>,
    /// Why a link leads to nothing that could be paid.
    pub over: Option<OverLink>,
    pub states: Vec<StateView>,
    /// Null where cards are not taken.
    pub square: Option<SquareView>,
    /// Where goods are picked up.
    pub store_address: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StateView {
    pub code: &'static str,
    pub name: &'static str,
}

/// An order that staff have put together, to be paid in a checkout of its own.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftCheckout {
    pub number: String,
    pub checkout_id: Uuid,
    pub items: Vec<DraftItem>,
    pub email: String,
    pub phone: String,
    pub address: Address,
    /// A code of the shipping options.
    pub shipping_method: String,
    /// The last day on which its prices hold, `YYYY-MM-DD` in the shop's time zone.
    pub good_until: String,
}

/// So many of a variant.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftItem {
    pub id: Uuid,
    pub qty: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OverLink {
    /// Null when there is no such link.
    pub state: Option<DraftState>,
    /// What has come of it.
    pub order: Option<Link>,
}

/// What Square's script needs to draw the card form.
#[derive(Debug, Serialize, ToSchema)]
pub struct SquareView {
    pub script: String,
    pub application_id: String,
    pub location_id: String,
}

impl PageProps for CheckoutPage {
    const NAME: &'static str = "checkout";
}

/// `GET /checkout`, `GET /checkout?draft={token}`
pub async fn checkout(State(app): State<App>, asked: Asked) -> Result<Page, Error> {
    let square = app.config.square.as_ref().map(|square| SquareView {
        script: square.script.to_string(),
        application_id: square.application_id.clone(),
        location_id: square.location_id.clone(),
    });
    let token = asked.parameter("draft");
    let (draft, over) = match &token {
        Some(token) => follow(&app, token).await?,
        None => (None, None),
    };
    let status = over.as_ref().map_or(StatusCode::OK, |over| match over.state {
        None => StatusCode::NOT_FOUND,
        Some(DraftState::Expired | DraftState::Withdrawn) => StatusCode::GONE,
        Some(DraftState::Open | DraftState::Placed) => StatusCode::OK,
    });
    let props = CheckoutPage {
        draft,
        over,
        states: STATES.iter().map(|state| StateView { code: state.code, name: state.name }).collect(),
        square,
        store_address: app.texts().company.address.clone(),
    };
    let meta = Meta {
        title: "Checkout".to_owned(),
        description: "Address, delivery and payment.".to_owned(),
        canonical: Some("/checkout".to_owned()),
        robots: Some("noindex, follow".to_owned()),
        ..Meta::default()
    };
    // What a link opens is for whoever has the link.
    match token {
        Some(_) => Ok(Page::new(asked.full_path(), &props, meta)?.with_status(status).personal()),
        None => Page::new("/checkout", &props, meta),
    }
}

/// Where a link leads: to what can be paid, or to why it cannot.
async fn follow(app: &App, token: &str) -> Result<(Option<DraftCheckout>, Option<OverLink>), Error> {
    let mut reader = app.db.read().await?;
    let mut conn = reader.conn();
    let over = |state, order| Ok((None, Some(OverLink { state, order })));
    let Some(draft) = drafts::service::find_by_token(&mut conn, token).await? else { return over(None, None) };
    let state = draft.state(app.clock.now_ms());
    if state != DraftState::Open {
        let order = match draft.order_id {
            Some(order) => orders::service::find(&mut conn, order).await?,
            None => None,
        };
        let order = order.map(|order| Link::new(&order.number, orders::view::href(&order.token)));
        return over(Some(state), order);
    }
    let lines = drafts::service::list_lines(&mut conn, draft.id).await?;
    let draft = DraftCheckout {
        address: draft.address()?,
        items: lines.iter().map(|line| DraftItem { id: line.variant_id, qty: line.quantity }).collect(),
        good_until: draft.last_day(&app.config.company.time_zone),
        number: draft.number,
        checkout_id: draft.checkout_id,
        email: draft.email,
        phone: draft.phone,
        shipping_method: draft.shipping_method,
    };
    Ok((Some(draft), None))
}
