//! The page of the mail settings.

use axum::extract::State;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::settings::mail;
use shop_platform::settings::mail::{KINDS, MailWords, placeholders};
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;

use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct MailSettingsPage {
    pub version: i64,
    pub kinds: Vec<MailKindView>,
}

impl PageProps for MailSettingsPage {
    const NAME: &'static str = "admin/settings/mail";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct MailKindView {
    pub kind: String,
    pub label: String,
    /// The placeholders that can be used in double braces.
    pub placeholders: Vec<String>,
    pub words: MailWords,
}

/// `GET /admin/settings/mail`
pub async fn page(State(cx): State<Context>) -> Result<Page, Error> {
    let mut reader = cx.db.read().await?;
    let (words, version) = mail::find_mail(&mut reader.conn()).await?;
    drop(reader);
    let kinds = KINDS.map(|(kind, label)| MailKindView {
        kind: kind.to_owned(),
        label: label.to_owned(),
        placeholders: placeholders(kind).iter().map(|&name| name.to_owned()).collect(),
        words: words.get(kind).cloned().unwrap_or_default(),
    });
    let props = MailSettingsPage { version, kinds: kinds.into() };
    Page::new("/admin/settings/mail", &props, admin_meta("Emails"))
}
