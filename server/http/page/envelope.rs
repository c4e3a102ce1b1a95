//! The envelope: all data of a page as JSON. The isolate, the document and client navigation get the same one.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use shop_base::config::Config;
use shop_domain::catalog::model::Menu;
use shop_domain::identity::model::UserView;
use shop_platform::settings::company::CompanyTexts;
use shop_platform::settings::texts::Texts;
use shop_platform::web::page::{Meta, Page};
use shop_platform::web::private_pages::is_private;
use shop_platform::web::reusable::{Reusable, Verbatim, write_props};
use ssr_runtime::{Parts, Props};
use utoipa::ToSchema;

use super::render::{Form, PageRenderer};
use super::visit::{User, Visit};
use crate::admin::rights::{NavItem, Permission, navigation};
use crate::identity::address::sign_in_address;
use crate::identity::notice::{Notice, NoticeView};

/// A page with everything the browser needs to show it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Envelope<'a> {
    /// Key of `app/pages.ts`.
    pub page: &'a str,
    /// Path and normalized query.
    #[schema(value_type = String)]
    pub url: Address<'a>,
    pub status: u16,
    #[schema(value_type = Value)]
    pub props: &'a RawValue,
    pub shared: Shared<'a>,
    /// Only for navigation in the browser: a document has it in its head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<&'a Meta>,
}

/// The address of a page.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Address<'a> {
    /// Layouts may depend on it.
    Plain(&'a str),
    /// On pages that are kept, whose layout does not.
    Verbatim(Verbatim<&'a str>),
}

/// What the layout needs on every page.
#[derive(Debug, Serialize, ToSchema)]
pub struct Shared<'a> {
    /// The build that rendered this page.
    pub build: &'a str,
    pub company: &'a CompanyTexts,
    pub currency: &'static str,
    pub demo: bool,
    pub age_verified: bool,
    /// Who is signed in.
    #[schema(value_type = Option<UserView>)]
    pub user: Option<&'a User>,
    /// Where signing in begins that leads back here; null without an identity provider.
    #[schema(value_type = Option<String>)]
    pub sign_in_href: Option<Verbatim<String>>,
    /// A message to show to the visitor once.
    pub notice: Option<NoticeView>,
    /// Today in the shop's time zone, `YYYY-MM-DD`.
    pub max_birth_date: String,
    #[schema(value_type = Menu)]
    pub menu: Reusable<Menu>,
    pub beacon: Option<Beacon<'a>>,
    pub api_base: Option<&'a str>,
    /// True under `make dev`: the page listens for reloads.
    pub dev: bool,
    /// On pages of the admin area: where the signed-in user may go, and what they may do.
    pub staff: Option<StaffView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StaffView {
    pub navigation: Vec<NavItem>,
    pub may: Vec<Permission>,
    /// Whether customers get emails.
    pub is_mail_on: bool,
}

impl StaffView {
    fn of(config: &Config, page: &str, visit: &Visit) -> Option<Self> {
        let role = visit.user.as_ref().filter(|_| page.starts_with("admin/"))?.role;
        Some(Self { navigation: navigation(role), may: Permission::of(role), is_mail_on: config.mail.is_some() })
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Beacon<'a> {
    pub token: &'a str,
    pub site: &'a str,
}

/// The envelope of a page for a visitor. `parts` are those of its props.
pub fn write(
    pages: &PageRenderer,
    texts: &Texts,
    page: &Page,
    parts: Parts,
    build: &str,
    visit: &Visit,
    form: Form,
) -> Result<Props, serde_json::Error> {
    let Page { name, status, props, url, meta, .. } = page;
    let config = &pages.cx.config;
    let envelope = Envelope {
        page: name,
        url: if form.is_kept { Address::Verbatim(Verbatim(url)) } else { Address::Plain(url) },
        status: status.as_u16(),
        props,
        shared: Shared {
            build,
            company: &texts.company,
            currency: "USD",
            demo: config.demo,
            age_verified: visit.age_verified,
            user: visit.user.as_ref(),
            sign_in_href: pages.can_sign_in.then(|| Verbatim(sign_in_address(url))),
            notice: visit.notice.map(Notice::view),
            max_birth_date: pages.cx.today().to_string(),
            menu: pages.catalog.listing().menu.clone(),
            beacon: beacon(config, url),
            api_base: config.http.api_base.as_ref().map(|base| base.as_str().trim_end_matches('/')),
            dev: config.dev_bundle.is_some(),
            staff: StaffView::of(config, name, visit),
        },
        meta: form.is_payload.then_some(meta),
    };
    write_props(&envelope, parts)
}

fn beacon<'a>(config: &'a Config, url: &str) -> Option<Beacon<'a>> {
    let path = url.split('?').next().unwrap_or_default();
    let analytics = config.analytics.as_ref().filter(|_| !is_private(path))?;
    Some(Beacon { token: &analytics.token, site: &analytics.site })
}

/// Adds the company's name to the title and makes addresses absolute, as link previews and crawlers require.
pub fn finish_meta(pages: &PageRenderer, texts: &Texts, meta: &mut Meta) {
    let origin = pages.cx.config.http.origin();
    meta.title = format!("{} | {}", meta.title, texts.company.name);
    for address in [&mut meta.canonical, &mut meta.image].into_iter().flatten() {
        if address.starts_with('/') {
            address.insert_str(0, origin);
        }
    }
    meta.json_ld.iter_mut().for_each(|value| make_absolute(value, false, origin));
}

/// Where structured data has addresses. Other texts may begin with a slash, too: a title, a sku.
const ADDRESSES: [&str; 4] = ["image", "item", "url", "urlTemplate"];

fn make_absolute(value: &mut Value, is_address: bool, origin: &str) {
    match value {
        Value::String(text) if is_address && text.starts_with('/') => text.insert_str(0, origin),
        Value::Array(items) => items.iter_mut().for_each(|item| make_absolute(item, is_address, origin)),
        Value::Object(fields) => {
            for (name, field) in fields {
                make_absolute(field, ADDRESSES.contains(&name.as_str()), origin);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::make_absolute;

    #[test]
    fn only_addresses_of_structured_data_become_absolute() {
        let mut data = json!({
            "name": "/dev/lamp", "url": "/product/lamp", "image": ["/images/a-og.jpg"],
            "offers": [{ "sku": "/A", "url": "/product/lamp?variant=%2FA" }],
        });
        make_absolute(&mut data, false, "https://shop.example");
        let absolute = json!({
            "name": "/dev/lamp", "url": "https://shop.example/product/lamp",
            "image": ["https://shop.example/images/a-og.jpg"],
            "offers": [{ "sku": "/A", "url": "https://shop.example/product/lamp?variant=%2FA" }],
        });
        assert_eq!(data, absolute);
    }
}
