//! `/checkout`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::customers::address::STATES;
use crate::error::Error;
use crate::web::page::{Meta, Page, PageProps};

/// Props of the checkout. The goods come from the browser's cart.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckoutPage {
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

/// `GET /checkout`
pub async fn checkout(State(app): State<App>) -> Result<Page, Error> {
    let square = app.config.square.as_ref().map(|square| SquareView {
        script: square.script.to_string(),
        application_id: square.application_id.clone(),
        location_id: square.location_id.clone(),
    });
    let props = CheckoutPage {
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
    Page::new("/checkout", &props, meta)
}
