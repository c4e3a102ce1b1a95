//! `/admin/settings`: prices, rules, codes and texts. Each part has a page of its own.

pub mod company;
pub mod compliance;
pub mod legal;
pub mod mail;
pub mod promotions;
pub mod regulatory_reports;
pub mod roles;
pub mod shipping;
pub mod tax;
pub mod webhooks;

use serde::Serialize;
use utoipa::ToSchema;

use super::admin_meta;
use shop_base::error::Error;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};

/// The parts, each with what it is for.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettingsPage {}

impl PageProps for SettingsPage {
    const NAME: &'static str = "admin/settings";
}

/// `GET /admin/settings`
pub async fn page(asked: Asked) -> Result<Page, Error> {
    Page::new(asked.path, &SettingsPage {}, admin_meta("Settings"))
}
