//! The page that links to each part of the settings.

use serde::Serialize;
use utoipa::ToSchema;

use crate::admin::admin_meta;
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
