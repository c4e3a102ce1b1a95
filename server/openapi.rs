//! The OpenAPI document: every call, and the props of every page. `app/generated/api.ts` is generated from it.

use shop_base::{error, money};
use shop_domain::catalog::model::ProductCard;
use shop_http::admin::settings;
use shop_http::storefront::{activity, age, cart, catalog, checkout, customers, home, legal, orders};
use shop_http::{admin, files, page};
use shop_platform::mail;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{OpenApi as Document, RefOr};
use utoipa::{Modify, OpenApi};

use crate::call_errors::{CallErrors, operations};

#[derive(OpenApi)]
#[openapi(
    modifiers(&AlwaysPresent, &CallErrors, &OperationIds),
    info(title = "Shop", description = "The JSON API of the shop and the props of its pages."),
    paths(
        activity::api::record,
        admin::analytics::api::export,
        admin::audit::api::chain,
        admin::audit::list::export,
        admin::debug::api::debug,
        admin::debug::api::discard,
        admin::debug::api::retry,
        admin::debug::api::retry_mails,
        admin::overview::api::overview,
        admin::palette::api::search,
        admin::testing::api::check_settings,
        admin::testing::api::pay,
        admin::testing::api::replay,
        admin::testing::api::send_mail,
        admin::testing::api::try_compliance,
        admin::users::api::assign_role,
        admin::users::api::block,
        admin::users::api::delete,
        admin::users::api::end_session,
        admin::users::api::end_sessions,
        admin::exports::api::may_export,
        shop_http::policy_reports::report,
        admin::users::list::export,
        admin::users::api::export_user,
        admin::users::api::unblock,
        admin::settings::company::api::change,
        admin::settings::compliance::api::add_rule,
        admin::settings::compliance::api::end_rule,
        admin::settings::compliance::api::withdraw_rule,
        admin::settings::legal::api::discard,
        admin::settings::legal::api::preview,
        admin::settings::legal::api::publish,
        admin::settings::legal::api::restore,
        admin::settings::legal::api::save_draft,
        admin::settings::legal::api::withdraw,
        admin::settings::mail::api::change,
        admin::settings::mail::api::preview,
        admin::settings::promotions::api::change,
        admin::settings::promotions::api::create,
        settings::regulatory_reports::api::export,
        settings::regulatory_reports::api::set_reported,
        admin::settings::shipping::api::replace,
        admin::settings::tax::api::add_rate,
        admin::settings::tax::api::end_rate,
        admin::settings::tax::api::import_counties,
        admin::settings::tax::api::withdraw_rate,
        admin::settings::webhooks::api::again,
        admin::settings::webhooks::api::change,
        admin::settings::webhooks::api::create,
        admin::settings::webhooks::api::delete,
        admin::settings::webhooks::api::rotate,
        admin::settings::webhooks::api::test,
        admin::views::api::delete,
        admin::views::api::save,
        admin::orders::list::export,
        admin::orders::api::bulk::bulk,
        admin::orders::api::attention,
        admin::orders::api::make,
        admin::orders::find::api::goods,
        admin::orders::find::api::buyers,
        admin::orders::drafts::api::make,
        admin::orders::drafts::api::change,
        admin::orders::drafts::api::send,
        admin::orders::drafts::api::withdraw,
        admin::orders::api::goods::ship,
        admin::orders::api::goods::make_ready,
        admin::orders::api::goods::undo_ready,
        admin::orders::api::goods::hand_over,
        admin::orders::api::money::take,
        admin::orders::api::money::undo,
        admin::orders::api::goods::deliver,
        admin::orders::api::goods::undo,
        admin::orders::api::money::refund,
        admin::orders::api::cancel,
        admin::orders::api::change_address,
        admin::orders::api::note,
        admin::orders::api::clear_attention,
        admin::orders::api::resend,
        admin::orders::api::archive,
        admin::orders::api::goods::request_return,
        admin::orders::api::goods::approve_return,
        admin::orders::api::goods::reject_return,
        admin::orders::api::goods::receive_return,
        admin::orders::api::goods::close_return,
        admin::orders::api::money::refund_return,
        admin::products::api::apply_bulk,
        admin::products::api::change_stock,
        admin::products::api::create,
        admin::products::api::duplicate,
        admin::products::api::get,
        admin::products::api::preview_bulk,
        admin::products::api::update,
        admin::products::groups::api::create_category,
        admin::products::groups::api::create_collection,
        admin::products::groups::api::delete_category,
        admin::products::groups::api::delete_collection,
        admin::products::groups::api::get_collection,
        admin::products::groups::api::update_category,
        admin::products::groups::api::update_collection,
        admin::products::imports::api::apply,
        admin::products::imports::api::get,
        admin::products::imports::api::start,
        admin::products::imports::api::undo,
        admin::products::list::export,
        admin::products::api::upload_picture,
        age::api::verify,
        cart::api::get,
        cart::api::sync,
        cart::api::sync_guest,
        catalog::api::suggest,
        checkout::api::confirm,
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
        shop_http::client_errors::report,
    ),
    components(schemas(
        admin::orders::list::OrdersPage,
        admin::orders::drafts::list::DraftsPage,
        admin::orders::unfinished::list::UnfinishedPage,
        admin::users::guests::list::GuestsPage,
        admin::settings::pages::SettingsPage,
        admin::orders::drafts::pages::DraftPage,
        admin::orders::pages::AdminOrderPage,
        admin::orders::pages::InvoicePage,
        admin::orders::pages::NewOrderPage,
        admin::orders::pages::PackingSlipPage,
        admin::audit::list::AuditPage,
        admin::testing::pages::TestingPage,
        admin::users::pages::UserPage,
        admin::users::list::UsersPage,
        admin::products::groups::pages::ProductGroupsPage,
        admin::products::list::ProductsPage,
        admin::products::pages::ProductEditorPage,
        admin::products::pages::ProductImportPage,
        admin::analytics::pages::AnalyticsPage,
        admin::debug::pages::DebugPage,
        admin::overview::pages::OverviewPage,
        admin::settings::company::pages::CompanySettingsPage,
        admin::settings::compliance::pages::ComplianceSettingsPage,
        admin::settings::legal::pages::LegalSettingsPage,
        admin::settings::mail::pages::MailSettingsPage,
        admin::settings::roles::pages::RolesPage,
        admin::settings::promotions::list::PromotionsPage,
        settings::regulatory_reports::pages::ReportsPage,
        admin::settings::shipping::pages::ShippingSettingsPage,
        admin::settings::tax::pages::TaxSettingsPage,
        admin::settings::webhooks::log::pages::WebhookDispatchPage,
        admin::settings::webhooks::log::list::WebhookLogPage,
        admin::settings::webhooks::pages::WebhookPage,
        admin::settings::webhooks::pages::WebhooksPage,
        age::pages::AgeRefusedPage,
        cart::pages::CartPage,
        ProductCard,
        customers::pages::AccountPage,
        catalog::pages::list::ListPage<'_>,
        catalog::pages::product::ProductPage,
        checkout::confirm::pages::ConfirmPickupPage,
        checkout::pages::CheckoutPage,
        error::Problem,
        home::pages::HomePage,
        legal::pages::LegalPage,
        mail::model::MailProps<'_>,
        mail::model::WrittenMail,
        admin::test_email::pages::TestEmailPage,
        money::Money,
        orders::pages::ConfirmationPage,
        files::builds::BuildMeta,
        files::builds::LatestBuild,
        page::envelope::Envelope<'_>,
        page::render::ErrorPage,
    ))
)]
struct Api;

/// Fields of these without a value are left out: of most of them, a page has many.
const SPARSE: [&str; 6] = ["Color", "Envelope", "Facet", "FacetOption", "PageLink", "ProductCard"];

/// Request bodies with optional fields, which may be omitted.
const SENT: &[&str] = &[
    "ActivityEvent",
    "BulkQuestion",
    "CartItem",
    "CartSync",
    "ClientError",
    "NewAddress",
    "NewView",
    "PayRequest",
    "PreferencesChange",
    "ProfileChange",
    "PromoInput",
    "QuoteRequest",
    "RoleChange",
    "RateInput",
    "RuleInput",
    "Shipment",
    "BulkOrders",
    "Cancellation",
    "DraftTerms",
    "Handover",
    "NewRefund",
    "ReturnApproval",
    "ReturnRejection",
    "StaffOrder",
    "Takings",
    "StockChange",
    "VerifyAge",
];

/// In responses every field is present, null if it has no value.
struct AlwaysPresent;

impl Modify for AlwaysPresent {
    fn modify(&self, document: &mut Document) {
        let Some(components) = &mut document.components else { return };
        for (name, schema) in &mut components.schemas {
            if let RefOr::T(Schema::Object(object)) = schema
                && !SENT.contains(&name.as_str())
                && !SPARSE.contains(&name.as_str())
            {
                object.required = object.properties.keys().cloned().collect();
            }
        }
    }
}

/// Operations are named by method and path, since function names are unique only within their module.
struct OperationIds;

impl Modify for OperationIds {
    fn modify(&self, document: &mut Document) {
        for (path, item) in &mut document.paths.paths {
            let words: Vec<&str> =
                path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
            let name = words.join("_");
            for (method, operation) in operations(item) {
                operation.operation_id = Some(format!("{method}_{name}"));
            }
        }
    }
}

/// The document as formatted JSON.
pub fn document() -> Result<String, serde_json::Error> {
    Api::openapi().to_pretty_json()
}
