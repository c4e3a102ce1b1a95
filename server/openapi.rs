//! The OpenAPI document: every call, and the props of every page. `app/generated/api.ts` is made from it.

use utoipa::openapi::schema::Schema;
use utoipa::openapi::{OpenApi as Document, RefOr};
use utoipa::{Modify, OpenApi};

use crate::{activity, age, cart, catalog, checkout, customers, error, home, legal, mail, money, orders, web};

#[derive(OpenApi)]
#[openapi(
    modifiers(&AlwaysPresent),
    info(title = "Shop", description = "The JSON API of the shop and the props of its pages."),
    paths(
        activity::api::record,
        age::api::verify,
        cart::api::get,
        cart::api::sync,
        catalog::api::suggest,
        checkout::api::pay,
        checkout::api::quote,
        checkout::api::status,
        customers::api::add_address,
        customers::api::change,
        customers::api::change_preferences,
        customers::api::delete,
        customers::api::end_other_sessions,
        customers::api::end_session,
        customers::api::export,
        customers::api::me,
        customers::api::remove_address,
        customers::api::sessions,
        orders::api::attention,
        orders::api::ship,
        web::client_errors::report,
    ),
    components(schemas(
        age::pages::AgeRefusedPage,
        cart::pages::CartPage,
        catalog::model::ProductCard,
        customers::pages::AccountPage,
        catalog::pages::list::ListPage,
        catalog::pages::product::ProductPage,
        checkout::pages::CheckoutPage,
        error::Problem,
        home::pages::HomePage,
        legal::pages::LegalPage,
        mail::model::Letter<'_>,
        mail::model::WrittenLetter,
        mail::pages::TestEmailPage,
        money::Money,
        orders::pages::ConfirmationPage,
        web::builds::BuildMeta,
        web::builds::LatestBuild,
        web::render::Envelope<'_>,
        web::render::ErrorPage,
    ))
)]
struct Api;

/// Bodies that callers send, whose optional fields may be left out.
const SENT: &[&str] = &[
    "ActivityEvent",
    "CartItem",
    "CartSync",
    "ClientError",
    "NewAddress",
    "PayRequest",
    "PreferencesChange",
    "ProfileChange",
    "QuoteRequest",
    "Shipment",
    "VerifyAge",
];

/// What the server sends has every field, null where there is no value.
struct AlwaysPresent;

impl Modify for AlwaysPresent {
    fn modify(&self, document: &mut Document) {
        let Some(components) = &mut document.components else { return };
        for (name, schema) in &mut components.schemas {
            if let RefOr::T(Schema::Object(object)) = schema
                && !SENT.contains(&name.as_str())
            {
                object.required = object.properties.keys().cloned().collect();
            }
        }
    }
}

/// The document as pretty JSON.
pub fn document() -> Result<String, serde_json::Error> {
    Api::openapi().to_pretty_json()
}
