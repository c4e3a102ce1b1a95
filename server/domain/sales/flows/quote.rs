//! What a cart costs at this moment, where it may be sent, and what prevents the purchase.

use serde::{Deserialize, Serialize};
use shop_base::address;
use shop_base::address::{is_zip, state};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::cart::model::{CartItem, CartLine, Change, ChangeKind, check};
use crate::catalog::model::Sellable;
use crate::catalog::service::list_sellable;
use crate::compliance::model::{Decision, Delivery, decide};
use crate::compliance::service::list_rules_of;
use crate::promotions::model::{Promo, normalized};
use crate::sales::pricing::{Goods, Price, Problem, price, problem};
use crate::sales::records::draft_orders::model::Promise;
use crate::sales::records::payments::provider::ProviderName;
use crate::sales::records::{draft_orders, orders};
use crate::sales::status::OrderStatus;
use crate::shipping::model::{PICKUP, Parcel, ShippingOption};
use crate::shipping::service::list_options;
use crate::tax::model::{Rate, TaxAmount, by_name};
use crate::{promotions, stock, tax};

/// Box and padding, in grams.
pub const PACKAGING: i64 = 150;

/// Input of a quote.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct QuoteRequest {
    /// The checkout whose held stock counts as available. If it belongs to a draft order, the promised prices apply.
    #[serde(default)]
    pub checkout_id: Option<Uuid>,
    /// Set by the server when staff change a draft order: its checkout, whose unpaid order holds goods and a promo code for it. Current
    /// prices apply.
    #[serde(skip)]
    pub held_by: Option<Uuid>,
    pub items: Vec<CartItem>,
    #[serde(default)]
    pub promo_code: Option<String>,
    /// The buyer's email address once known: some codes are limited to one use per customer.
    #[serde(default)]
    pub email: Option<String>,
    /// Two capital letters.
    #[serde(default)]
    pub state: Option<String>,
    #[serde(default)]
    pub postal_code: Option<String>,
    /// A code of the shipping options.
    #[serde(default)]
    pub shipping_method: Option<String>,
    /// Set by the server for a page that is to begin with the first way to ship, if the one above is not offered.
    #[serde(skip)]
    pub or_first: bool,
}

/// Amounts are minor units; those that depend on the destination are null until it is known.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Quote {
    pub lines: Vec<CartLine>,
    /// What has changed since the shopper saw it.
    pub changes: Vec<Change>,
    /// What must be resolved before it can be paid.
    pub problems: Vec<Problem>,
    /// The lines that cannot be sent to the destination while the others can: without them, the rest can be shipped.
    pub held_up_by: Vec<Uuid>,
    pub subtotal: i64,
    /// How many pieces can be bought, of all lines together.
    pub units: i64,
    /// On goods and shipping.
    pub discount: i64,
    pub promo: Option<PromoView>,
    pub shipping_options: Vec<ShippingOption>,
    pub shipping: Option<i64>,
    pub tax: Option<i64>,
    pub tax_name: Option<String>,
    /// Components of the tax: sales tax and excises.
    pub taxes: Vec<TaxAmount>,
    pub total: Option<i64>,
    /// An adult must sign for the parcel.
    pub adult_signature: bool,
    pub payment_methods: Vec<ProviderName>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PromoView {
    pub code: String,
    /// Such as `10% off`.
    pub label: String,
}

/// A quote with everything needed to make an order.
#[derive(Debug)]
pub struct Quoted {
    pub view: Quote,
    /// Parallel to the priced lines, in the same order.
    pub goods: Vec<(Sellable, i64)>,
    pub price: Price,
    pub promo: Option<Promo>,
    pub rate: Option<Rate>,
    pub option: Option<ShippingOption>,
    pub decision: Option<Decision>,
    /// Set if the goods belong to a draft order.
    pub promise: Option<Promise>,
}

/// What a transaction that pays a checkout knows of it: it holds the rows of its order, which is a draft, and of the draft order that has it.
#[derive(Clone, Copy, Debug)]
pub struct Locked {
    pub order: Uuid,
    /// The transaction has made the order, which holds nothing yet.
    pub is_new: bool,
    /// A draft order has this checkout.
    pub is_of_draft: bool,
}

/// Computes a quote from what `conn` reads.
pub async fn quote(cx: &Context, conn: &mut Conn<'_>, request: &QuoteRequest) -> Result<Quoted, DbError> {
    quote_known(cx, conn, request, None).await
}

/// The same in a transaction that pays the requested checkout.
pub async fn quote_locked(
    cx: &Context,
    conn: &mut Conn<'_>,
    request: &QuoteRequest,
    locked: Locked,
) -> Result<Quoted, DbError> {
    quote_known(cx, conn, request, Some(locked)).await
}

async fn quote_known(
    cx: &Context,
    conn: &mut Conn<'_>,
    request: &QuoteRequest,
    locked: Option<Locked>,
) -> Result<Quoted, DbError> {
    let Basket { promise, order, lines, changes, mut problems, goods } = basket(cx, conn, request, locked).await?;
    let Delivered { destination, picks_up, options, option, decision } =
        delivered(cx, conn, request, &goods, &mut problems).await?;
    let held_up_by = if picks_up || promise.is_some() { Vec::new() } else { held_up_by(&problems, &goods) };
    if request.shipping_method.is_some() && option.is_none() && !goods.is_empty() && (picks_up || destination.is_some())
    {
        problems.push(problem("shipping_method", None, "Choose another way to get your order."));
    }
    if !picks_up {
        problems.extend(misplaced(request));
    }
    let priced = priced(&goods, decision.as_ref());
    let subtotal = priced.iter().map(|line| line.unit_price * line.quantity).sum();
    let code = promise.as_ref().map_or(request.promo_code.as_deref(), |promise| promise.promo_code.as_deref());
    let buyer = Buyer { code, is_promised: promise.is_some(), email: request.email.as_deref(), order };
    let promo = promo(cx, conn, &buyer, subtotal, &mut problems).await?;
    let rate = rate(cx, conn, picks_up, destination).await?;
    // When everything is sold out, there is nothing to ship, and nothing to pay.
    let charged = option.as_ref().filter(|_| !goods.is_empty());
    let is_placed = option.is_some() || goods.is_empty();
    let price = price(&priced, promo.as_ref(), charged.map_or(0, |option| option.price), rate.as_ref());
    let payment_methods = payment_methods(cx, decision.as_ref(), option.as_ref());
    if is_placed && payment_methods.is_empty() && price.total > 0 {
        problems.push(problem("payment_method", None, unpayable(cx, &options)));
    }
    let view = Quote {
        lines,
        changes,
        problems,
        held_up_by,
        subtotal: price.subtotal,
        units: goods.iter().map(|(_, quantity)| quantity).sum(),
        discount: price.discount,
        promo: promo.as_ref().map(|promo| PromoView { code: promo.code.clone(), label: promo.label() }),
        shipping_options: options,
        shipping: is_placed.then_some(price.shipping),
        tax: is_placed.then_some(price.tax),
        tax_name: rate.as_ref().map(|rate| rate.name.clone()),
        taxes: if is_placed { taxes(&price, &priced, rate.as_ref()) } else { Vec::new() },
        total: is_placed.then_some(price.total),
        adult_signature: !picks_up && decision.as_ref().is_some_and(|decision| decision.adult_signature),
        payment_methods,
    };
    Ok(Quoted { view, goods, price, promo, rate, option, decision, promise })
}

/// The requested goods, as far as they are available.
struct Basket {
    promise: Option<Promise>,
    /// The order of the checkout, if it was not placed.
    order: Option<Uuid>,
    lines: Vec<CartLine>,
    changes: Vec<Change>,
    problems: Vec<Problem>,
    goods: Vec<(Sellable, i64)>,
}

async fn basket(
    cx: &Context,
    conn: &mut Conn<'_>,
    request: &QuoteRequest,
    locked: Option<Locked>,
) -> Result<Basket, DbError> {
    let promise = match request.checkout_id {
        Some(checkout) if locked.is_some_and(|locked| !locked.is_of_draft) => draft_orders::promise::replaced(checkout),
        Some(checkout) => draft_orders::promise::find(conn, checkout, cx.clock.now_ms()).await?,
        None => None,
    };
    let items = match &promise {
        Some(promise) => promise.items(),
        None => request.items.iter().filter(|item| !item.saved).cloned().collect(),
    };
    let order = match locked {
        Some(locked) => Some(locked.order),
        None => find_unplaced(conn, request).await?,
    };
    let held = match order.filter(|_| locked.is_none_or(|locked| !locked.is_new)) {
        Some(order) => stock::service::list_held(conn, order).await?,
        None => Vec::new(),
    };
    let ids: Vec<Uuid> = items.iter().map(|item| item.id).collect();
    let mut sellable = list_sellable(conn, &ids, &held).await?;
    if let Some(promise) = &promise {
        promise.keep(&mut sellable);
    }
    let (lines, mut changes) = check(&items, &sellable);
    let problems = match &promise {
        // For a draft order, changes become problems that prevent payment, so they are not also listed as changes.
        Some(promise) => promise.problems(&request.items, &lines, &std::mem::take(&mut changes)),
        None => stock_problems(&lines, &changes),
    };
    let goods = goods(&lines, sellable);
    Ok(Basket { promise, order, lines, changes, problems, goods })
}

/// The order of an earlier attempt of the same checkout. What was placed holds nothing for another order.
async fn find_unplaced(conn: &mut Conn<'_>, request: &QuoteRequest) -> Result<Option<Uuid>, DbError> {
    let Some(checkout) = request.checkout_id.or(request.held_by) else { return Ok(None) };
    let order = orders::service::find_by_checkout(conn, checkout).await?;
    Ok(order.filter(|order| order.status == OrderStatus::Draft).map(|order| order.id))
}

/// The available shipping options, and the chosen one.
struct Delivered<'a> {
    /// State and ZIP code.
    destination: Option<(&'a str, &'a str)>,
    picks_up: bool,
    options: Vec<ShippingOption>,
    option: Option<ShippingOption>,
    /// The compliance decision for the chosen option; none until the destination is known.
    decision: Option<Decision>,
}

async fn delivered<'a>(
    cx: &Context,
    conn: &mut Conn<'_>,
    request: &'a QuoteRequest,
    goods: &[(Sellable, i64)],
    problems: &mut Vec<Problem>,
) -> Result<Delivered<'a>, DbError> {
    let today = cx.today();
    let classes: Vec<&str> = goods.iter().map(|(variant, _)| variant.compliance_class.as_str()).collect();
    let rules = list_rules_of(conn, &classes).await?;
    let to_store = decide(&rules, &classes, &cx.config.company.state, Delivery::Pickup, today);
    let destination = destination(request);
    let by_carrier = destination.map(|(state, _)| decide(&rules, &classes, state, Delivery::Ship, today));
    let grams = goods.iter().map(|(variant, quantity)| variant.weight_grams * quantity).sum::<i64>() + PACKAGING;
    // What must be paid for in the store is not shipped if it costs nothing either: whoever gets it shows an ID there.
    let parcel = destination.zip(by_carrier.as_ref()).filter(|(_, decision)| decision.is_shipped());
    let parcel = parcel.map(|((state, _), decision)| Parcel {
        state,
        grams,
        adult_signature: decision.adult_signature,
        ground_only: decision.ground_only,
    });
    let mut options = list_options(conn, parcel).await?;
    let unserved = match parcel.filter(|_| !goods.is_empty() && options.iter().all(|option| option.pickup)) {
        Some(parcel) => Some(why_unserved(conn, parcel).await?),
        None => None,
    };
    options.retain(|option| !option.pickup || to_store.refusals.is_empty());
    let chosen = options.iter().find(|option| Some(&option.code) == request.shipping_method.as_ref());
    let first = || options.iter().find(|option| request.or_first && !option.pickup);
    let option = chosen.or_else(first).cloned();
    let picks_up = request.shipping_method.as_deref() == Some(PICKUP);
    let decision = if picks_up { Some(to_store) } else { by_carrier };
    if let Some(decision) = &decision {
        problems.extend(refusals(decision, goods));
        if let Some((unserved, (state, _))) = unserved.zip(destination).filter(|_| !picks_up) {
            problems.extend(unserved.problems(decision, goods, address::name(state)));
        }
    }
    Ok(Delivered { destination, picks_up, options, option, decision })
}

fn priced<'a>(goods: &[(Sellable, i64)], decision: Option<&'a Decision>) -> Vec<Goods<'a>> {
    let line = |(variant, quantity): &(Sellable, i64)| Goods {
        unit_price: variant.price,
        quantity: *quantity,
        excise: decision.and_then(|decision| decision.excise(&variant.compliance_class)),
    };
    goods.iter().map(line).collect()
}

/// The sales tax rate at the store for a pickup, otherwise at the destination.
async fn rate(
    cx: &Context,
    conn: &mut Conn<'_>,
    picks_up: bool,
    destination: Option<(&str, &str)>,
) -> Result<Option<Rate>, DbError> {
    let company = &cx.config.company;
    let today = cx.today();
    match (picks_up, destination) {
        (true, _) => tax::service::find_rate(conn, company, &company.state, "", today).await,
        (false, Some((state, postal_code))) => {
            let five = postal_code.get(..5).unwrap_or_default();
            tax::service::find_rate(conn, company, state, five, today).await
        }
        (false, None) => Ok(None),
    }
}

fn taxes(price: &Price, goods: &[Goods<'_>], rate: Option<&Rate>) -> Vec<TaxAmount> {
    let excises: i64 = price.lines.iter().map(|line| line.excise).sum();
    let sales = rate.map(|rate| (rate.name.as_str(), price.tax - excises));
    let lines = goods.iter().zip(&price.lines);
    let excises = lines.filter_map(|(goods, line)| goods.excise.map(|excise| (excise.name.as_str(), line.excise)));
    by_name(sales.into_iter().chain(excises))
}

/// Variants and quantities that the checkout of a cart holds while it is not paid for. Draft orders are not of a cart.
pub async fn list_held(cx: &Context, conn: &mut Conn<'_>, checkout: Uuid) -> Result<Vec<(Uuid, i64)>, DbError> {
    if draft_orders::promise::find(conn, checkout, cx.clock.now_ms()).await?.is_some() {
        return Ok(Vec::new());
    }
    match orders::service::find_by_checkout(conn, checkout).await? {
        Some(order) => stock::service::list_held(conn, order.id).await,
        None => Ok(Vec::new()),
    }
}

/// The same of all checkouts of an account that began at or after a time, UTC milliseconds, but for one. It is one question: there may be
/// hundreds, most of which hold nothing any more.
pub async fn list_held_by_account(
    conn: &mut Conn<'_>,
    user: Uuid,
    since: i64,
    except: Option<Uuid>,
) -> Result<Vec<(Uuid, i64)>, DbError> {
    let held = orders::service::list_held(conn, user, since).await?;
    let is_counted = |checkout: Uuid| Some(checkout) != except && !draft_orders::promise::is_of_draft(checkout);
    let held = held.into_iter().filter(|(checkout, ..)| is_counted(*checkout));
    Ok(held.map(|(_, variant, quantity)| (variant, quantity)).collect())
}

/// The lines that can be bought, with their quantities.
fn goods(lines: &[CartLine], mut sellable: Vec<Sellable>) -> Vec<(Sellable, i64)> {
    let mut take = |id: Uuid| {
        let at = sellable.iter().position(|variant| variant.id == id)?;
        Some(sellable.swap_remove(at))
    };
    lines.iter().filter(|line| line.max_quantity > 0).filter_map(|line| Some((take(line.id)?, line.qty))).collect()
}

fn stock_problems(lines: &[CartLine], changes: &[Change]) -> Vec<Problem> {
    let mut problems: Vec<Problem> = changes
        .iter()
        .filter(|change| change.kind == ChangeKind::SoldOut)
        .map(|change| problem("sold_out", Some(change.id), &format!("{} Remove it to continue.", change.message)))
        .collect();
    if lines.is_empty() {
        problems.push(problem("empty", None, "Your cart is empty."));
    }
    problems
}

fn refusals(decision: &Decision, goods: &[(Sellable, i64)]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for refusal in decision.refusals.iter().chain(&decision.store_only) {
        for (variant, _) in goods.iter().filter(|(variant, _)| variant.compliance_class == refusal.class) {
            let message = format!("“{}”: {}", variant.title, refusal.message);
            problems.push(problem("restricted", Some(variant.id), &message));
        }
    }
    problems
}

/// Why no carrier takes a parcel that the rules allow.
#[derive(Clone, Copy)]
enum Unserved {
    /// Some of its goods may travel by ground only.
    ByGround,
    TooHeavy,
    Nowhere,
}

async fn why_unserved(conn: &mut Conn<'_>, parcel: Parcel<'_>) -> Result<Unserved, DbError> {
    let mut goes = async |parcel| {
        let options = list_options(conn, Some(parcel)).await?;
        Ok::<bool, DbError>(options.iter().any(|option| !option.pickup))
    };
    if parcel.ground_only && goes(Parcel { ground_only: false, ..parcel }).await? {
        return Ok(Unserved::ByGround);
    }
    Ok(if goes(Parcel { grams: 0, ..parcel }).await? { Unserved::TooHeavy } else { Unserved::Nowhere })
}

impl Unserved {
    fn problems(self, decision: &Decision, goods: &[(Sellable, i64)], state: &str) -> Vec<Problem> {
        let not_shipped = |message: String| vec![problem("not_shipped", None, &message)];
        match self {
            Self::ByGround => goods
                .iter()
                .filter(|(variant, _)| decision.ground_classes.contains(&variant.compliance_class))
                .map(|(variant, _)| {
                    let message = format!(
                        "“{}”: this travels by ground only, and no ground service reaches {state}.",
                        variant.title
                    );
                    problem("restricted", Some(variant.id), &message)
                })
                .collect(),
            Self::TooHeavy => {
                not_shipped(format!("These items are too heavy for one package to {state}. Remove some of them."))
            }
            Self::Nowhere => not_shipped(format!("We don’t ship to {state}.")),
        }
    }
}

/// The restricted lines, if at least one other line remains.
fn held_up_by(problems: &[Problem], goods: &[(Sellable, i64)]) -> Vec<Uuid> {
    let restricted = problems.iter().filter(|problem| problem.code == "restricted").filter_map(|problem| problem.id);
    let held: Vec<Uuid> = restricted.collect();
    if held.len() < goods.len() { held } else { Vec::new() }
}

/// State and ZIP code, if they match.
fn destination(request: &QuoteRequest) -> Option<(&str, &str)> {
    let (code, postal_code) = (request.state.as_deref()?, request.postal_code.as_deref()?);
    let has_zip = state(code).is_some_and(|state| state.has_zip(postal_code));
    (has_zip && is_zip(postal_code)).then_some((code, postal_code))
}

/// Says that the entered ZIP code is of another state.
fn misplaced(request: &QuoteRequest) -> Option<Problem> {
    let (state, postal_code) = (state(request.state.as_deref()?)?, request.postal_code.as_deref()?);
    let is_elsewhere = is_zip(postal_code) && !state.has_zip(postal_code);
    is_elsewhere.then(|| problem("address.postal_code", None, &address::not_in(state)))
}

/// The input of a promo code check.
struct Buyer<'a> {
    code: Option<&'a str>,
    /// Staff have entered it. The buyer, whose page has no field for it, may not know of it.
    is_promised: bool,
    email: Option<&'a str>,
    order: Option<Uuid>,
}

async fn promo(
    cx: &Context,
    conn: &mut Conn<'_>,
    buyer: &Buyer<'_>,
    subtotal: i64,
    problems: &mut Vec<Problem>,
) -> Result<Option<Promo>, DbError> {
    let Some(code) = buyer.code.map(normalized).filter(|code| !code.is_empty()) else {
        return Ok(None);
    };
    let email = buyer.email.filter(|email| !email.is_empty());
    let found = promotions::service::check(conn, &code, subtotal, email, buyer.order, cx.clock.now_ms()).await?;
    let found = found.map_err(|why| {
        let message = match buyer.is_promised {
            true => format!("Promo code {code}: {why} Please contact us."),
            false => why.to_string(),
        };
        problems.push(problem("promo_code", None, &message));
    });
    Ok(found.ok())
}

/// Why the chosen option can be paid for in no way.
fn unpayable(cx: &Context, options: &[ShippingOption]) -> &'static str {
    match (cx.config.square.is_some(), options.iter().any(|option| option.pickup)) {
        (true, _) => "These items must be paid for in our store. Choose pickup.",
        (false, true) => "We can’t take cards right now. Choose pickup to pay in our store.",
        (false, false) => "We can’t take cards right now. Please try again later.",
    }
}

/// The payment methods allowed under this decision for the chosen option.
fn payment_methods(cx: &Context, decision: Option<&Decision>, option: Option<&ShippingOption>) -> Vec<ProviderName> {
    let online = decision.is_some_and(|decision| decision.may_pay_online) && cx.config.square.is_some();
    let in_person = option.is_some_and(|option| option.pickup);
    [(ProviderName::Square, online), (ProviderName::Pickup, in_person)]
        .into_iter()
        .filter_map(|(name, may)| may.then_some(name))
        .collect()
}
