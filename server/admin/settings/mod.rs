//! `/admin/settings`: prices, rules, codes and texts. Each part has a page of its own.

pub mod company;
pub mod compliance;
pub mod legal;
pub mod mail;
pub mod promotions;
pub mod reports;
pub mod roles;
pub mod shipping;
pub mod tax;
pub mod webhooks;

use axum::response::Redirect;

use crate::web::extract::Asked;

/// `GET /admin/settings`: the first part.
pub async fn first(asked: Asked) -> Redirect {
    Redirect::to(&asked.address("/admin/settings/promotions"))
}
