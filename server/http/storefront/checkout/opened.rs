//! A checkout as its page is opened: what is bought, for whom, and with which values the form begins.

use axum::http::HeaderMap;
use serde::Serialize;
use shop_base::address::Address;
use shop_base::context::Context;
use shop_base::db::{Conn, LazyReader};
use shop_base::error::Error;
use shop_base::fields::FieldErrors;
use shop_base::ids::{new_id, random_id};
use shop_domain::cart::model::CartItem;
use shop_domain::customers;
use shop_domain::customers::model::CheckoutDefaults;
use shop_domain::sales::records::draft_orders::model::DraftState;
use shop_domain::sales::records::{draft_orders, orders};
use shop_domain::shipping::model::PICKUP;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::Link;
use utoipa::ToSchema;
use uuid::Uuid;

use super::form::{CheckoutForm, DeliveryWay, Goods};
use crate::identity::extract::Visitor;
use crate::storefront::cart;

/// What the checkout is for.
pub(super) struct Opened {
    pub goods: Goods,
    pub draft: Option<DraftCheckout>,
    pub over: Option<OverLink>,
    /// Empty for guests.
    pub account: CheckoutDefaults,
    /// Opened by a link, which anybody who has it may use.
    pub by_link: bool,
    /// The address of the page.
    pub url: String,
}

impl Opened {
    /// Whose form it is, a guest's or an account's, and on which page.
    pub fn owner(&self, subject: Option<&str>) -> String {
        format!("{} {}", subject.unwrap_or_default(), self.url)
    }
}

/// A draft order, which has a checkout of its own.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftCheckout {
    pub number: String,
    pub checkout_id: Uuid,
    pub items: Vec<DraftItem>,
    pub email: String,
    pub phone: String,
    pub address: Address,
    /// Code of a shipping option.
    pub shipping_method: String,
    /// The last day on which its prices are guaranteed, `YYYY-MM-DD` in the shop's time zone.
    pub good_until: String,
}

/// A quantity of a variant.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftItem {
    pub id: Uuid,
    pub qty: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OverLink {
    /// Null when the link is unknown.
    pub state: Option<DraftState>,
    /// The order placed from it.
    pub order: Option<Link>,
}

/// What has been entered so far.
pub(super) struct Entered {
    pub form: CheckoutForm,
    pub is_posted: bool,
    pub checkout_id: Uuid,
    /// Whether the id was made for this page, so that nothing is stored of the checkout.
    pub is_new: bool,
    pub click_id: Uuid,
    pub refusal: Option<Refusal>,
    pub mailed: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CheckoutRefusal)]
pub struct Refusal {
    pub message: String,
    /// Messages by field.
    pub errors: FieldErrors,
}

pub(super) async fn open(
    cookies: &SignedCookies,
    reader: &mut LazyReader<'_>,
    visitor: &Visitor,
    headers: &HeaderMap,
    asked: &Asked,
) -> Result<Opened, Error> {
    let token = asked.parameter("draft");
    let (draft, over) = match &token {
        Some(token) => follow(cookies, &mut reader.conn().await?, token).await?,
        None => (None, None),
    };
    let goods = match &draft {
        Some(draft) => Goods {
            items: draft
                .items
                .iter()
                .map(|item| CartItem { id: item.id, qty: item.qty, price: None, saved: false })
                .collect(),
            promo_code: None,
            is_draft: true,
        },
        None if token.is_some() => Goods::default(),
        None => {
            let cart = cart::edits::contents(cookies, reader, visitor, headers).await?;
            Goods { items: cart.buying(), promo_code: cart.promo_code, is_draft: false }
        }
    };
    let account = match &visitor.user {
        Some(session) => customers::service::checkout_defaults(&mut reader.conn().await?, session.user_id).await?,
        None => CheckoutDefaults::default(),
    };
    let url = if token.is_some() { asked.full_path() } else { "/checkout".to_owned() };
    Ok(Opened { goods, draft, over, account, by_link: token.is_some(), url })
}

/// Resolves a link: to a draft that can be paid, or to the reason why it cannot.
async fn follow(
    cx: &Context,
    conn: &mut Conn<'_>,
    token: &str,
) -> Result<(Option<DraftCheckout>, Option<OverLink>), Error> {
    let over = |state, order| Ok((None, Some(OverLink { state, order })));
    let Some(draft) = draft_orders::service::find_by_token(conn, token).await? else { return over(None, None) };
    let state = draft.state(cx.clock.now_ms());
    if state != DraftState::Open {
        let order = match draft.order_id {
            Some(order) => orders::service::find(conn, order).await?,
            None => None,
        };
        let order = order.map(|order| Link::new(&order.number, order.href(&cx.config)));
        return over(Some(state), order);
    }
    let lines = draft_orders::service::list_lines(conn, draft.id).await?;
    let draft = DraftCheckout {
        address: draft.address()?,
        items: lines.iter().map(|line| DraftItem { id: line.variant_id, qty: line.quantity }).collect(),
        good_until: draft.last_day(cx.zone()),
        number: draft.number,
        checkout_id: draft.checkout_id,
        email: draft.email,
        phone: draft.phone,
        shipping_method: draft.shipping_method,
    };
    Ok((Some(draft), None))
}

/// The initial values of the form: what staff have entered, or what the account contains.
fn beginning(visitor: &Visitor, opened: &Opened) -> CheckoutForm {
    let mut form = CheckoutForm::default();
    let account = &opened.account;
    if let Some(draft) = &opened.draft {
        form.email.clone_from(&draft.email);
        form.phone.clone_from(&draft.phone);
        form.set_address(draft.address.clone());
        if draft.shipping_method == PICKUP {
            form.delivery = DeliveryWay::Pickup;
        } else {
            form.method.clone_from(&draft.shipping_method);
        }
    } else if let Some(address) = account.addresses.iter().find(|each| each.is_default).or(account.addresses.first()) {
        form.set_address(address.address());
        if account.phone.is_empty() {
            form.phone.clone_from(&address.phone);
        }
    } else if let Some(state) = &account.preferred_state {
        form.state.clone_from(state);
    }
    if form.phone.is_empty() {
        form.phone.clone_from(&account.phone);
    }
    if let Some(session) = visitor.user.as_ref().filter(|_| form.email.is_empty()) {
        form.email.clone_from(&session.email);
    }
    form
}

/// The form when its page is opened, with what is `kept` of the last one. It goes on with the visitor's unfinished checkout.
pub(super) async fn first_shown(
    cookies: &SignedCookies,
    reader: &mut LazyReader<'_>,
    visitor: &Visitor,
    headers: &HeaderMap,
    opened: &Opened,
    kept: Option<CheckoutForm>,
) -> Result<Entered, Error> {
    let mut form = beginning(visitor, opened);
    let is_posted = kept.is_some();
    if let Some(mut kept) = kept {
        // Kept while nobody was signed in, it lacks an address that was chosen, not typed.
        if kept.address() == Address::default() {
            kept.set_address(form.address());
        }
        form = kept;
    }
    let unfinished = match &opened.draft {
        Some(draft) => Some(draft.checkout_id),
        None => cart::unfinished::find(cookies, reader, visitor, headers).await?,
    };
    let is_new = unfinished.is_none();
    let checkout_id = unfinished.unwrap_or_else(random_id);
    let click_id = new_id(cookies.clock.as_ref());
    Ok(Entered { form, is_posted, checkout_id, is_new, click_id, refusal: None, mailed: false })
}
