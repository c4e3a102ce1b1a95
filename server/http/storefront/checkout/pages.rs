//! `/checkout`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use shop_base::address::{Address, STATES};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::fields::FieldErrors;
use shop_base::ids::{new_id, random_id};
use shop_base::money::Money;
use shop_domain::cart::model::CartItem;
use shop_domain::customers;
use shop_domain::customers::model::{AddressView, CheckoutDefaults};
use shop_domain::sales::flows::parts::Payments;
use shop_domain::sales::flows::pay::Outcome;
use shop_domain::sales::flows::payment::Shown;
use shop_domain::sales::flows::quote::Quote;
use shop_domain::sales::flows::{pay, quote};
use shop_domain::sales::records::draft_orders::model::DraftState;
use shop_domain::sales::records::payments::provider::ProviderName;
use shop_domain::sales::records::{draft_orders, orders};
use shop_domain::shipping::model::PICKUP;
use shop_platform::settings::texts::Texts;
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::csrf;
use shop_platform::web::extract::{Asked, Form};
use shop_platform::web::page::{Link, Meta, Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::confirm::pages::without_bought;
use super::cookie;
use super::form::{CheckoutForm, DeliveryWay, Goods, PostedForm, pay_request};
use crate::identity::address::sign_in_after_form;
use crate::identity::extract::Visitor;
use crate::storefront::{age, cart};

/// Props of the checkout: of the cart as the server knows it, or of a draft order opened by its link.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckoutPage {
    pub draft: Option<DraftCheckout>,
    /// Why the link of a draft order cannot be paid.
    pub over: Option<OverLink>,
    pub states: Vec<StateView>,
    /// Null where cards are not accepted.
    pub square: Option<SquareView>,
    /// The pickup address.
    pub store_address: String,
    /// The address of this page.
    pub url: String,
    /// What is bought and its cost; null when there is nothing to buy.
    pub quote: Option<Quote>,
    pub promo_code: Option<String>,
    /// The account's addresses.
    pub addresses: Vec<AddressView>,
    pub form: CheckoutForm,
    /// Ids of this checkout and of the click on its button, unless the browser has its own.
    pub checkout_id: Uuid,
    pub click_id: Uuid,
    /// Why a posted form did not place an order.
    pub refusal: Option<Refusal>,
    /// An email was sent whose link places the order.
    pub mailed: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CheckoutRefusal)]
pub struct Refusal {
    pub message: String,
    /// Messages by field.
    pub errors: FieldErrors,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StateView {
    pub code: &'static str,
    pub name: &'static str,
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

/// What Square's script needs to display the card form.
#[derive(Debug, Serialize, ToSchema)]
pub struct SquareView {
    pub script: String,
    pub application_id: String,
    pub location_id: String,
}

impl PageProps for CheckoutPage {
    const NAME: &'static str = "checkout";
}

/// What the handlers of the checkout's form need.
#[derive(Clone)]
pub struct CheckoutParts {
    pub cookies: SignedCookies,
    pub payments: Payments,
    pub texts: Arc<Texts>,
}

/// `GET /checkout`, `GET /checkout?draft={token}`
pub async fn checkout(
    State(CheckoutParts { cookies, texts, .. }): State<CheckoutParts>,
    visitor: Visitor,
    headers: HeaderMap,
    asked: Asked,
) -> Result<Response, Error> {
    let opened = open(&cookies, &visitor, &headers, &asked).await?;
    let kept = cookie::read(&cookies, &headers, &opened.owner(visitor.subject()));
    // Behind the age gate the page is not reached yet.
    let spent = (kept.is_some() && age::cookie::is_verified(&cookies, &headers)).then(|| cookie::clear(&cookies));
    let entered = first_shown(&cookies, &visitor, &headers, &opened, kept).await?;
    Ok(with_cookies(page(&cookies, &texts, &visitor, opened, entered).await?, spent))
}

fn with_cookies(answer: impl IntoResponse, lines: impl IntoIterator<Item = HeaderValue>) -> Response {
    let mut response = answer.into_response();
    for line in lines {
        response.headers_mut().append(header::SET_COOKIE, line);
    }
    response
}

/// `POST /checkout`: sent by browsers without scripts.
pub async fn order(
    State(parts): State<CheckoutParts>,
    visitor: Visitor,
    address: ClientAddress,
    headers: HeaderMap,
    asked: Asked,
    Form(posted): Form<PostedForm>,
) -> Result<Response, Error> {
    let CheckoutParts { cookies, texts, .. } = &parts;
    if !csrf::is_own(&cookies.config.http, &headers) {
        return Err(Error::Forbidden { detail: "Send this from the shop’s own pages.".to_owned() });
    }
    let mut opened = open(cookies, &visitor, &headers, &asked).await?;
    if let Err(error) = super::api::check_shown(&visitor, posted.user_id.as_deref()) {
        return not_theirs(&parts, &visitor, &headers, opened, &posted, &error).await;
    }
    let edit = if opened.draft.is_none() { posted.promo_edit() } else { Ok(None) };
    let mut lines = Vec::new();
    if let Ok(Some(edit)) = &edit {
        let edited = cart::pages::carry_out(cookies, &visitor, &headers, edit).await?;
        opened.goods.promo_code = edited.contents.promo_code;
        lines.extend(edited.cookie);
    }
    let form = posted.entered(&opened.account.addresses);
    let owner = opened.owner(visitor.subject());
    if !age::cookie::is_verified(cookies, &headers) {
        // The age gate over the page leads to it anew.
        lines.extend(cookie::write(cookies, &form, &owner)?);
    }
    let (checkout_id, click_id) = (posted.checkout_id, posted.click_id);
    let mut entered = Entered { form, checkout_id, click_id, refusal: None, mailed: false };
    if let Err(problem) = edit {
        // As a message of the whole form: beside the code's own field the page shows what the quote says about the cart's code.
        entered.refusal = Some(Refusal { message: problem.to_string(), errors: FieldErrors::new() });
        let page = page(cookies, texts, &visitor, opened, entered).await?;
        return Ok(with_cookies(page.with_status(StatusCode::UNPROCESSABLE_ENTITY), lines));
    }
    let placed = find_placed(cookies, &posted, &opened.goods).await?;
    if placed.is_none() && (opened.over.is_some() || opened.goods.items.is_empty() || !posted.places_order()) {
        return Ok(with_cookies(page(cookies, texts, &visitor, opened, entered).await?, lines));
    }
    let outcome = match placed {
        Some(placed) => Ok(placed),
        None => pay_in_store(&parts, &visitor, address, &headers, &opened, &posted, &mut entered).await,
    };
    match outcome {
        Ok(Outcome::Placed { number, href }) => {
            let to = HeaderValue::try_from(href).map_err(Error::internal)?;
            let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response();
            if visitor.user.is_none() && !opened.by_link {
                let cart = without_bought(cookies, &headers, &number).await?;
                response.headers_mut().append(header::SET_COOKIE, cart::cookie::write(cookies, &cart));
            }
            Ok(response)
        }
        Ok(Outcome::ToConfirm) => {
            entered.mailed = true;
            // The link of the note leads to the page anew.
            lines.extend(cookie::write(cookies, &entered.form, &owner)?);
            lines.extend(cart::unfinished::write(cookies, checkout_id).await.unwrap_or_default());
            Ok(with_cookies(page(cookies, texts, &visitor, opened, entered).await?, lines))
        }
        Ok(Outcome::Pending) => {
            let message = "Your order is being placed. Press the button again in a moment. You’ll only order once.";
            entered.refusal = Some(Refusal { message: message.to_owned(), errors: FieldErrors::new() });
            Ok(with_cookies(page(cookies, texts, &visitor, opened, entered).await?, lines))
        }
        Err(error) => {
            let problem = error.problem();
            // 403 is for want of an age proof, which the gate asks for.
            if !matches!(problem.status, 402 | 403 | 409 | 422 | 429) {
                return Err(error);
            }
            // Another try is a new payment, and after some refusals a new order.
            entered.click_id = new_id(cookies.clock.as_ref());
            if ["checkout_over", "stock_lost", "too_many_attempts"].contains(&problem.code.as_str())
                && !opened.goods.is_draft
            {
                entered.checkout_id = random_id();
            }
            entered.refusal = Some(Refusal { message: problem.detail, errors: problem.errors });
            let page = page(cookies, texts, &visitor, opened, entered).await?;
            Ok(with_cookies(page.with_status(error.status()), lines))
        }
    }
}

/// The answer to a form that was shown to an account which is not signed in now. Another account sees nothing of what was typed.
async fn not_theirs(
    CheckoutParts { cookies, texts, .. }: &CheckoutParts,
    visitor: &Visitor,
    headers: &HeaderMap,
    opened: Opened,
    posted: &PostedForm,
    error: &Error,
) -> Result<Response, Error> {
    if visitor.user.is_none() {
        // Signing in leads to the page anew.
        let typed = cookie::write(cookies, &posted.entered(&[]), &opened.owner(posted.user_id.as_deref()))?;
        return Ok(with_cookies(sign_in_after_form(cookies, &opened.url), typed));
    }
    let mut entered = first_shown(cookies, visitor, headers, &opened, None).await?;
    let problem = error.problem();
    entered.refusal = Some(Refusal { message: problem.detail, errors: problem.errors });
    let page = page(cookies, texts, visitor, opened, entered).await?;
    Ok(page.with_status(error.status()).into_response())
}

/// The order that was placed by this checkout, unless it is of another tab's cart: the form may be posted again, for example by a double
/// click, when the cart is already empty.
async fn find_placed(cx: &Context, posted: &PostedForm, goods: &Goods) -> Result<Option<Outcome>, Error> {
    let Some(total) = posted.expected_total().filter(|_| posted.places_order()) else { return Ok(None) };
    let goods = (!goods.items.is_empty()).then(|| goods.items.iter().map(|item| (item.id, item.qty)).collect());
    let shown = Shown { click_id: Some(posted.click_id), total, goods };
    match pay::status(cx, posted.checkout_id, Some(&shown)).await {
        Ok(Some(placed @ Outcome::Placed { .. })) => Ok(Some(placed)),
        // Placing the order tells what else became of the checkout.
        Ok(_) | Err(Error::Conflict { .. } | Error::Declined { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Places an order that is paid for in the store or costs nothing. Cards cannot be paid with here, since the card form requires scripts.
async fn pay_in_store(
    CheckoutParts { cookies, payments, .. }: &CheckoutParts,
    visitor: &Visitor,
    address: ClientAddress,
    headers: &HeaderMap,
    opened: &Opened,
    posted: &PostedForm,
    entered: &mut Entered,
) -> Result<Outcome, Error> {
    let quoted = price(cookies, visitor, &opened.goods, entered).await?;
    // The fields are checked with all others, and a refused code takes nothing off the total that was shown.
    let prevents = |code: &str| !code.starts_with("address.") && (code != "promo_code" || opened.goods.is_draft);
    if let Some(problem) = quoted.problems.iter().find(|problem| prevents(&problem.code)) {
        return Err(Error::conflict("cart_changed", &problem.message));
    }
    let methods = &quoted.payment_methods;
    let chosen = entered.form.payment.filter(|name| methods.contains(name)).or_else(|| methods.first().copied());
    let payment = chosen.unwrap_or(ProviderName::Pickup);
    let mut request = pay_request(posted, &entered.form, &opened.goods, payment);
    if quoted.promo.is_none() {
        request.promo_code = None;
    }
    if payment == ProviderName::Square && quoted.total.is_some_and(|total| total > 0) {
        return Err(Error::conflict(
            "needs_scripts",
            "Nothing was charged: the card form wasn’t ready. Enter your card and try again. The form needs JavaScript. You can also pick up your order and pay in our store.",
        ));
    }
    if let Some(total) = quoted.total.filter(|total| posted.expected_total() != Some(*total)) {
        // Missing fields are reported in the same response.
        super::api::checked(request)?;
        let total = Money::usd(total).dollars();
        return Err(Error::conflict("total_shown", &format!("The total is {total}. Check it, then place your order.")));
    }
    super::api::place(cookies, payments, visitor, address, headers, request).await
}

/// What the checkout is for.
struct Opened {
    goods: Goods,
    draft: Option<DraftCheckout>,
    over: Option<OverLink>,
    /// Empty for guests.
    account: CheckoutDefaults,
    /// Opened by a link, which anybody who has it may use.
    by_link: bool,
    /// The address of the page.
    url: String,
}

impl Opened {
    /// Whose form it is, a guest's or an account's, and on which page.
    fn owner(&self, subject: Option<&str>) -> String {
        format!("{} {}", subject.unwrap_or_default(), self.url)
    }
}

async fn open(cookies: &SignedCookies, visitor: &Visitor, headers: &HeaderMap, asked: &Asked) -> Result<Opened, Error> {
    let token = asked.parameter("draft");
    let (draft, over) = match &token {
        Some(token) => follow(cookies, token).await?,
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
            let cart = cart::pages::contents(cookies, visitor, headers).await?;
            Goods { items: cart.buying(), promo_code: cart.promo_code, is_draft: false }
        }
    };
    let account = match &visitor.user {
        Some(session) => customers::service::checkout_defaults(cookies, session.user_id).await?,
        None => CheckoutDefaults::default(),
    };
    let url = if token.is_some() { asked.full_path() } else { "/checkout".to_owned() };
    Ok(Opened { goods, draft, over, account, by_link: token.is_some(), url })
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

/// What has been entered so far.
struct Entered {
    form: CheckoutForm,
    checkout_id: Uuid,
    click_id: Uuid,
    refusal: Option<Refusal>,
    mailed: bool,
}

/// The form when its page is opened, with what is `kept` of the last one. It goes on with the visitor's unfinished checkout.
async fn first_shown(
    cookies: &SignedCookies,
    visitor: &Visitor,
    headers: &HeaderMap,
    opened: &Opened,
    kept: Option<CheckoutForm>,
) -> Result<Entered, Error> {
    let mut form = beginning(visitor, opened);
    if let Some(mut kept) = kept {
        // Kept while nobody was signed in, it lacks an address that was chosen, not typed.
        if kept.address() == Address::default() {
            kept.set_address(form.address());
        }
        form = kept;
    }
    let unfinished = match &opened.draft {
        Some(draft) => Some(draft.checkout_id),
        None => cart::unfinished::find(cookies, visitor, headers).await?,
    };
    let checkout_id = unfinished.unwrap_or_else(random_id);
    let click_id = new_id(cookies.clock.as_ref());
    Ok(Entered { form, checkout_id, click_id, refusal: None, mailed: false })
}

/// The quote of the goods with the chosen shipping option, or else the first available one.
async fn price(cx: &Context, visitor: &Visitor, goods: &Goods, entered: &mut Entered) -> Result<Quote, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let request = entered.form.quote_request(goods, entered.checkout_id);
    let mut quoted = quote::quote(cx, &mut conn, &request).await?;
    let form = &mut entered.form;
    let mut ways = quoted.view.shipping_options.iter().filter(|option| !option.pickup);
    if form.delivery == DeliveryWay::Ship && !ways.clone().any(|option| option.code == form.method) {
        let first = ways.next().map(|option| option.code.clone()).unwrap_or_default();
        if first != form.method {
            form.method = first;
            quoted = quote::quote(cx, &mut conn, &form.quote_request(goods, entered.checkout_id)).await?;
        }
    }
    Ok(super::api::offered(cx, visitor, quoted))
}

async fn page(
    cx: &Context,
    texts: &Texts,
    visitor: &Visitor,
    opened: Opened,
    mut entered: Entered,
) -> Result<Page, Error> {
    let quote = match opened.goods.items.is_empty() {
        true => None,
        false => Some(price(cx, visitor, &opened.goods, &mut entered).await?),
    };
    let square = cx.config.square.as_ref().map(|square| SquareView {
        script: square.script.to_string(),
        application_id: square.application_id.clone(),
        location_id: square.location_id.clone(),
    });
    let status = opened.over.as_ref().map_or(StatusCode::OK, |over| match over.state {
        None => StatusCode::NOT_FOUND,
        Some(DraftState::Expired | DraftState::Withdrawn) => StatusCode::GONE,
        Some(DraftState::Open | DraftState::Placed) => StatusCode::OK,
    });
    // What a screen reader says first of a page that is loaded.
    let title = match (&entered.refusal, entered.mailed) {
        (Some(_), _) => "Your order isn’t placed yet",
        (None, true) => "Check your email",
        (None, false) => "Checkout",
    };
    let props = CheckoutPage {
        draft: opened.draft,
        over: opened.over,
        states: STATES.iter().map(|state| StateView { code: state.code, name: state.name }).collect(),
        square,
        store_address: texts.company.address.clone(),
        url: opened.url.clone(),
        quote,
        promo_code: opened.goods.promo_code,
        addresses: opened.account.addresses,
        form: entered.form,
        checkout_id: entered.checkout_id,
        click_id: entered.click_id,
        refusal: entered.refusal,
        mailed: entered.mailed,
    };
    let meta = Meta {
        title: title.to_owned(),
        description: "Address, delivery, and payment.".to_owned(),
        canonical: Some("/checkout".to_owned()),
        robots: Some("noindex, follow".to_owned()),
        ..Meta::default()
    };
    Ok(Page::new(opened.url, &props, meta)?.with_status(status).personal())
}

/// Resolves a link: to a draft that can be paid, or to the reason why it cannot.
async fn follow(cx: &Context, token: &str) -> Result<(Option<DraftCheckout>, Option<OverLink>), Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let over = |state, order| Ok((None, Some(OverLink { state, order })));
    let Some(draft) = draft_orders::service::find_by_token(&mut conn, token).await? else { return over(None, None) };
    let state = draft.state(cx.clock.now_ms());
    if state != DraftState::Open {
        let order = match draft.order_id {
            Some(order) => orders::service::find(&mut conn, order).await?,
            None => None,
        };
        let order = order.map(|order| Link::new(&order.number, order.href(&cx.config)));
        return over(Some(state), order);
    }
    let lines = draft_orders::service::list_lines(&mut conn, draft.id).await?;
    let draft = DraftCheckout {
        address: draft.address()?,
        items: lines.iter().map(|line| DraftItem { id: line.variant_id, qty: line.quantity }).collect(),
        good_until: draft.last_day(&cx.config.company.time_zone),
        number: draft.number,
        checkout_id: draft.checkout_id,
        email: draft.email,
        phone: draft.phone,
        shipping_method: draft.shipping_method,
    };
    Ok((Some(draft), None))
}
