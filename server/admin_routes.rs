//! All calls of the admin area, with the permission that each needs.

use axum::Router;
use axum::http::Method;
use axum::middleware::from_fn_with_state;
use axum::routing::MethodRouter;
use shop_base::context::Context;
use shop_http::admin::guard::{Needs, guard};
use shop_http::admin::rights::Permission;
use shop_http::admin::{
    analytics, audit, debug, exports, orders, overview, palette, products, settings, testing, users, views,
};

use crate::app::App;
use crate::routing::{delete, get, post, put};

#[derive(Debug)]
pub struct AdminCall {
    pub method: Method,
    pub path: &'static str,
    pub needs: Needs,
    pub handler: fn() -> MethodRouter<App>,
}

const fn call(
    method: Method,
    path: &'static str,
    permission: Permission,
    handler: fn() -> MethodRouter<App>,
) -> AdminCall {
    let changes = !matches!(method, Method::GET);
    AdminCall { method, path, needs: Needs { permission, changes }, handler }
}

/// A call that has a body but changes nothing.
const fn preview(path: &'static str, permission: Permission, handler: fn() -> MethodRouter<App>) -> AdminCall {
    AdminCall { method: Method::POST, path, needs: Needs { permission, changes: false }, handler }
}

use Permission::{
    ChangeRoles, EditCatalog, EditSettings, ExportData, FulfillOrders, ManageOrders, ManageUsers, Operate, Refund,
    SeeAudit, SeeShop,
};

pub static CALLS: &[AdminCall] = &[
    call(Method::GET, "/api/admin/search", SeeShop, || get(palette::api::search)),
    call(Method::POST, "/api/admin/views", SeeShop, || post(views::api::save)),
    call(Method::DELETE, "/api/admin/views/{id}", SeeShop, || delete(views::api::delete)),
    call(Method::GET, "/api/admin/overview", SeeShop, || get(overview::api::overview)),
    call(Method::GET, "/api/admin/analytics/{section}", SeeShop, || get(analytics::api::export)),
    call(Method::GET, "/api/admin/debug", Operate, || get(debug::api::debug)),
    call(Method::POST, "/api/admin/jobs/{id}/retry", Operate, || post(debug::api::retry)),
    call(Method::DELETE, "/api/admin/jobs/{id}", Operate, || delete(debug::api::discard)),
    call(Method::POST, "/api/admin/mails/retry", Operate, || post(debug::api::retry_mails)),
    call(Method::GET, "/api/admin/exports", ExportData, || get(exports::api::may_export)),
    call(Method::GET, "/api/admin/audit/chain", SeeAudit, || get(audit::api::chain)),
    call(Method::GET, "/api/admin/audit.csv", ExportData, || get(audit::list::export)),
    call(Method::GET, "/api/admin/users.csv", ExportData, || get(users::list::export)),
    call(Method::GET, "/api/admin/users/{id}/export", ExportData, || get(users::api::export_user)),
    call(Method::POST, "/api/admin/users/{id}/block", ManageUsers, || post(users::api::block)),
    call(Method::POST, "/api/admin/users/{id}/unblock", ManageUsers, || post(users::api::unblock)),
    call(Method::DELETE, "/api/admin/users/{id}/sessions", ManageUsers, || delete(users::api::end_sessions)),
    call(Method::DELETE, "/api/admin/users/{id}/sessions/{session_id}", ManageUsers, || {
        delete(users::api::end_session)
    }),
    call(Method::DELETE, "/api/admin/users/{id}", ManageUsers, || delete(users::api::delete)),
    call(Method::PUT, "/api/admin/users/{id}/role", ChangeRoles, || put(users::api::assign_role)),
    call(Method::POST, "/api/admin/testing/settings", Operate, || post(testing::api::check_settings)),
    call(Method::POST, "/api/admin/testing/payment", Operate, || post(testing::api::pay)),
    call(Method::POST, "/api/admin/testing/mail", Operate, || post(testing::api::send_mail)),
    call(Method::POST, "/api/admin/testing/webhooks", Operate, || post(testing::api::replay)),
    call(Method::POST, "/api/admin/testing/compliance", Operate, || post(testing::api::try_compliance)),
    call(Method::GET, "/api/admin/attention", SeeShop, || get(orders::api::attention)),
    call(Method::GET, "/api/admin/orders.csv", ExportData, || get(orders::list::export)),
    call(Method::POST, "/api/admin/orders", ManageOrders, || post(orders::api::make)),
    call(Method::GET, "/api/admin/orders/goods", ManageOrders, || get(orders::find::api::goods)),
    call(Method::GET, "/api/admin/orders/buyers", ManageOrders, || get(orders::find::api::buyers)),
    call(Method::POST, "/api/admin/orders/drafts", ManageOrders, || post(orders::drafts::api::make)),
    call(Method::PUT, "/api/admin/orders/drafts/{number}", ManageOrders, || put(orders::drafts::api::change)),
    call(Method::POST, "/api/admin/orders/drafts/{number}/letter", ManageOrders, || post(orders::drafts::api::send)),
    call(Method::POST, "/api/admin/orders/drafts/{number}/withdrawal", ManageOrders, || {
        post(orders::drafts::api::withdraw)
    }),
    call(Method::POST, "/api/admin/orders/bulk", FulfillOrders, || post(orders::api::bulk::bulk)),
    call(Method::POST, "/api/admin/orders/{number}/shipment", FulfillOrders, || post(orders::api::goods::ship)),
    call(Method::POST, "/api/admin/orders/{number}/ready", FulfillOrders, || post(orders::api::goods::make_ready)),
    call(Method::POST, "/api/admin/orders/{number}/ready/undo", FulfillOrders, || post(orders::api::goods::undo_ready)),
    call(Method::POST, "/api/admin/orders/{number}/handover", FulfillOrders, || post(orders::api::goods::hand_over)),
    call(Method::POST, "/api/admin/orders/{number}/payment", FulfillOrders, || post(orders::api::money::take)),
    call(Method::POST, "/api/admin/orders/{number}/fulfillments/{fulfillment_id}/delivery", FulfillOrders, || {
        post(orders::api::goods::deliver)
    }),
    call(Method::POST, "/api/admin/orders/{number}/fulfillments/{fulfillment_id}/undo", FulfillOrders, || {
        post(orders::api::goods::undo)
    }),
    call(Method::POST, "/api/admin/orders/{number}/payment/undo", Refund, || post(orders::api::money::undo)),
    call(Method::POST, "/api/admin/orders/{number}/refunds", Refund, || post(orders::api::money::refund)),
    call(Method::POST, "/api/admin/orders/{number}/cancellation", Refund, || post(orders::api::cancel)),
    call(Method::PUT, "/api/admin/orders/{number}/address", FulfillOrders, || put(orders::api::change_address)),
    call(Method::POST, "/api/admin/orders/{number}/notes", FulfillOrders, || post(orders::api::note)),
    call(Method::POST, "/api/admin/orders/{number}/attention", FulfillOrders, || post(orders::api::clear_attention)),
    call(Method::POST, "/api/admin/orders/{number}/mails", FulfillOrders, || post(orders::api::resend)),
    call(Method::POST, "/api/admin/orders/{number}/archive", FulfillOrders, || post(orders::api::archive)),
    call(Method::POST, "/api/admin/orders/{number}/returns", FulfillOrders, || {
        post(orders::api::goods::request_return)
    }),
    call(Method::POST, "/api/admin/orders/{number}/returns/{return_id}/approval", FulfillOrders, || {
        post(orders::api::goods::approve_return)
    }),
    call(Method::POST, "/api/admin/orders/{number}/returns/{return_id}/rejection", FulfillOrders, || {
        post(orders::api::goods::reject_return)
    }),
    call(Method::POST, "/api/admin/orders/{number}/returns/{return_id}/receipt", FulfillOrders, || {
        post(orders::api::goods::receive_return)
    }),
    call(Method::POST, "/api/admin/orders/{number}/returns/{return_id}/closure", FulfillOrders, || {
        post(orders::api::goods::close_return)
    }),
    call(Method::POST, "/api/admin/orders/{number}/returns/{return_id}/refund", Refund, || {
        post(orders::api::money::refund_return)
    }),
    call(Method::POST, "/api/admin/pictures", EditCatalog, || post(products::api::upload_picture)),
    call(Method::POST, "/api/admin/products", EditCatalog, || post(products::api::create)),
    call(Method::POST, "/api/admin/products/imports", EditCatalog, || post(products::imports::api::start)),
    call(Method::GET, "/api/admin/products/imports/{id}", EditCatalog, || get(products::imports::api::get)),
    call(Method::POST, "/api/admin/products/imports/{id}/apply", EditCatalog, || post(products::imports::api::apply)),
    call(Method::POST, "/api/admin/products/imports/{id}/undo", EditCatalog, || post(products::imports::api::undo)),
    preview("/api/admin/products/bulk/preview", EditCatalog, || post(products::api::preview_bulk)),
    call(Method::POST, "/api/admin/products/bulk", EditCatalog, || post(products::api::apply_bulk)),
    call(Method::GET, "/api/admin/products.csv", SeeShop, || get(products::list::export)),
    call(Method::GET, "/api/admin/products/{id}", SeeShop, || get(products::api::get)),
    call(Method::PUT, "/api/admin/products/{id}", EditCatalog, || put(products::api::update)),
    call(Method::POST, "/api/admin/products/{id}/duplicate", EditCatalog, || post(products::api::duplicate)),
    call(Method::POST, "/api/admin/categories", EditCatalog, || post(products::groups::api::create_category)),
    call(Method::PUT, "/api/admin/categories/{id}", EditCatalog, || put(products::groups::api::update_category)),
    call(Method::DELETE, "/api/admin/categories/{id}", EditCatalog, || delete(products::groups::api::delete_category)),
    call(Method::POST, "/api/admin/collections", EditCatalog, || post(products::groups::api::create_collection)),
    call(Method::GET, "/api/admin/collections/{id}", EditCatalog, || get(products::groups::api::get_collection)),
    call(Method::PUT, "/api/admin/collections/{id}", EditCatalog, || put(products::groups::api::update_collection)),
    call(Method::DELETE, "/api/admin/collections/{id}", EditCatalog, || {
        delete(products::groups::api::delete_collection)
    }),
    call(Method::POST, "/api/admin/stock/{variant_id}", EditCatalog, || post(products::api::change_stock)),
    call(Method::POST, "/api/admin/settings/promotions", EditSettings, || post(settings::promotions::api::create)),
    call(Method::PUT, "/api/admin/settings/promotions/{id}", EditSettings, || put(settings::promotions::api::change)),
    call(Method::PUT, "/api/admin/settings/shipping", EditSettings, || put(settings::shipping::api::replace)),
    call(Method::GET, "/api/admin/reports/deliveries.csv", ExportData, || {
        get(settings::regulatory_reports::api::export)
    }),
    call(Method::PUT, "/api/admin/settings/compliance/classes/{class}", EditSettings, || {
        put(settings::regulatory_reports::api::set_reported)
    }),
    call(Method::PUT, "/api/admin/settings/mail/{kind}", EditSettings, || put(settings::mail::api::change)),
    preview("/api/admin/settings/mail/{kind}/preview", EditSettings, || post(settings::mail::api::preview)),
    call(Method::POST, "/api/admin/settings/webhooks", EditSettings, || post(settings::webhooks::api::create)),
    call(Method::PUT, "/api/admin/settings/webhooks/{id}", EditSettings, || put(settings::webhooks::api::change)),
    call(Method::DELETE, "/api/admin/settings/webhooks/{id}", EditSettings, || delete(settings::webhooks::api::delete)),
    call(Method::POST, "/api/admin/settings/webhooks/{id}/secret", EditSettings, || {
        post(settings::webhooks::api::rotate)
    }),
    call(Method::POST, "/api/admin/settings/webhooks/{id}/test", EditSettings, || post(settings::webhooks::api::test)),
    call(Method::POST, "/api/admin/settings/webhooks/log/{id}/again", EditSettings, || {
        post(settings::webhooks::api::again)
    }),
    call(Method::PUT, "/api/admin/settings/company", EditSettings, || put(settings::company::api::change)),
    preview("/api/admin/settings/legal/{document}/preview", EditSettings, || post(settings::legal::api::preview)),
    call(Method::PUT, "/api/admin/settings/legal/{document}/draft", EditSettings, || {
        put(settings::legal::api::save_draft)
    }),
    call(Method::POST, "/api/admin/settings/legal/{document}/discard", EditSettings, || {
        post(settings::legal::api::discard)
    }),
    call(Method::POST, "/api/admin/settings/legal/{document}/publish", EditSettings, || {
        post(settings::legal::api::publish)
    }),
    call(Method::POST, "/api/admin/settings/legal/{document}/restore", EditSettings, || {
        post(settings::legal::api::restore)
    }),
    call(Method::POST, "/api/admin/settings/legal/{document}/withdraw", EditSettings, || {
        post(settings::legal::api::withdraw)
    }),
    call(Method::POST, "/api/admin/settings/tax/rates", EditSettings, || post(settings::tax::api::add_rate)),
    call(Method::POST, "/api/admin/settings/tax/rates/{id}/end", EditSettings, || post(settings::tax::api::end_rate)),
    call(Method::POST, "/api/admin/settings/tax/rates/{id}/withdraw", EditSettings, || {
        post(settings::tax::api::withdraw_rate)
    }),
    call(Method::POST, "/api/admin/settings/tax/counties", EditSettings, || post(settings::tax::api::import_counties)),
    call(Method::POST, "/api/admin/settings/compliance/rules", EditSettings, || {
        post(settings::compliance::api::add_rule)
    }),
    call(Method::POST, "/api/admin/settings/compliance/rules/{id}/end", EditSettings, || {
        post(settings::compliance::api::end_rule)
    }),
    call(Method::POST, "/api/admin/settings/compliance/rules/{id}/withdraw", EditSettings, || {
        post(settings::compliance::api::withdraw_rule)
    }),
];

/// The calls, each behind its guard, using the database connections for staff.
pub fn calls(app: &App) -> Router<App> {
    let cx: Context = (**app).clone();
    CALLS.iter().fold(Router::new(), |router, call| {
        let handler = (call.handler)().with_state(app.for_staff());
        router.route(call.path, handler.route_layer(from_fn_with_state((cx.clone(), call.needs), guard)))
    })
}
