//! Paying: an order and an attempt are stored, then the provider is called, then its answer is settled. The process may be killed after any
//! step; the reconciliation continues from there.

use fail::fail_point;
use serde_json::json;
use shop_base::address::Address;
use shop_base::clock::Clock;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::email::mailbox;
use shop_base::error::Error;
use shop_base::money::Money;
use shop_base::{security, trace, transaction};
use shop_platform::audit;
use shop_platform::audit::model::Change;
use shop_platform::metrics::limit_hits;
use uuid::Uuid;

use super::check_rules::NOBODY_SIGNS;
use super::parts::{PaymentError, Payments};
use super::payment::{Payer, Payment, Shown, contents};
use super::payment_status::derive_payment_status;
use super::quote::{Locked, Quoted, quote, quote_locked};
use super::{authorize, limits, place};
use crate::sales::records::draft_orders;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::attempts;
use crate::sales::records::payments::provider::ProviderName;
use crate::sales::records::payments::rows::Attempt;
use crate::sales::records::pickups::rows::Link;
use crate::sales::records::pickups::service as pickups;
use crate::sales::records::pickups::service::NewPickup;
use crate::sales::status::OrderStatus;
use crate::{promotions, stock};

/// Shown when confirmation by email is required but mail is not configured.
pub const SIGN_IN_FIRST: &str = "Sign in to place this order. We can’t email you a confirmation right now.";
/// Shown when a checkout failed.
pub const STOCK_LOST: &str =
    "The items sold out while you were paying. Any charge will be refunded to your card automatically.";
pub const PAYMENT_ENDED: &str = "The payment didn’t go through, and nothing was charged. Please try again.";
const PAYMENT_OPEN: &str = "Another payment of yours is still being processed. Try again in a moment.";
pub const NOT_CONFIRMED: &str =
    "Your order wasn’t confirmed in time, and the items are no longer on hold. You can order again.";

/// Result of a payment request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Placed {
        number: String,
        /// The address of the order's page.
        href: String,
    },
    /// The outcome is not known yet: poll again.
    Pending,
    /// The order is placed once a link in an email is opened.
    ToConfirm,
}

impl Outcome {
    pub fn placed(cx: &Context, order: Order) -> Self {
        Self::Placed { href: order.href(&cx.config), number: order.number }
    }
}

/// What the first transaction stored, and what to do next.
pub enum Prepared {
    Placed(Order),
    /// An email is on its way.
    ToConfirm,
    /// An attempt is still open that another click has sent.
    Follow(Attempt),
    /// Another request of the same click has sent it. The attempt and the order's number.
    SendAgain(Attempt, String),
    /// The attempt and the order's number.
    Send(Attempt, String),
}

/// Places and pays an order. Sending the same click again, in parallel or later, makes no second payment.
pub async fn pay(payments: &Payments, payer: &Payer, payment: &Payment) -> Result<Outcome, Error> {
    fail_point!("pay::before_order");
    let prepared = match glance(payments, payer, payment).await? {
        Some(known) => known,
        None => {
            // SQLite's writer has one queue for all, in which who waits takes no connection.
            let _turn = match payment.provider {
                ProviderName::Square if payments.db.has_many_writers() => {
                    Some(payments.network_locks.wait(&payer.network).await)
                }
                _ => None,
            };
            transaction!(payments.db, conn => prepare(conn, payments, payer, payment).await)?
        }
    };
    carry_out(payments, prepared, payment.source.clone(), payment.email.clone()).await
}

/// Executes the prepared step and returns its outcome.
pub async fn carry_out(
    payments: &Payments,
    prepared: Prepared,
    source: String,
    email: String,
) -> Result<Outcome, Error> {
    let attempt = match prepared {
        Prepared::Placed(order) => return Ok(Outcome::placed(payments, order)),
        Prepared::ToConfirm => return Ok(Outcome::ToConfirm),
        Prepared::Follow(attempt) => authorize::follow(payments, attempt).await?,
        Prepared::SendAgain(attempt, number) => {
            let authorization = authorize::authorization(&attempt, &number, source, email);
            let payments = payments.clone();
            to_the_end(async move { authorize::send_again(&payments, attempt, &authorization).await }).await?
        }
        Prepared::Send(attempt, number) => {
            fail_point!("pay::stored");
            let authorization = authorize::authorization(&attempt, &number, source, email);
            let payments = payments.clone();
            to_the_end(async move { authorize::send(&payments, &attempt, &authorization).await }).await?
        }
    };
    outcome(payments, &attempt, None).await
}

/// A payment must complete even if the shopper disconnects.
async fn to_the_end(
    payment: impl Future<Output = Result<Attempt, PaymentError>> + Send + 'static,
) -> Result<Attempt, Error> {
    trace::spawn(payment).await.map_err(Error::internal)?.map_err(unsettled)
}

fn unsettled(error: PaymentError) -> Error {
    match error {
        PaymentError::Db(error) => error.into(),
        error => Error::internal(error),
    }
}

/// The state of a checkout, for a browser that lost the answer.
pub async fn status(cx: &Context, checkout: Uuid, shown: Option<&Shown>) -> Result<Option<Outcome>, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let Some(order) = orders::find_by_checkout(&mut conn, checkout).await? else { return Ok(None) };
    // Read before the attempts, because using it adds one.
    let link = pickups::find_pending(&mut conn, order.id).await?;
    let last = attempts::list(&mut conn, order.id).await?.pop();
    if let Some(link) = link.filter(|_| order.placed_at.is_none()) {
        if link.is_good(cx.clock.now_ms()) {
            return Ok(Some(Outcome::ToConfirm));
        }
        return Err(Error::conflict("not_confirmed", NOT_CONFIRMED));
    }
    match last {
        Some(attempt) => {
            drop(reader);
            outcome(cx, &attempt, shown).await.map(Some)
        }
        None if order.placed_at.is_some() => {
            if let Some(shown) = shown {
                refuse_another_cart(cx, &mut conn, &order, &[], shown).await?;
            }
            Ok(Some(Outcome::placed(cx, order)))
        }
        None => Ok(None),
    }
}

/// Answers without a write transaction where possible: a known click, or a cart that cannot be paid for. [`prepare`] checks again.
async fn glance(cx: &Context, payer: &Payer, payment: &Payment) -> Result<Option<Prepared>, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    if let Some(prepared) = find_prepared(cx, &mut conn, payer, payment).await? {
        return Ok(Some(prepared));
    }
    let quoted = quote(cx, &mut conn, &payment.request()).await?;
    match agree_to_payment(&quoted, payment) {
        Ok(()) => Ok(None),
        // Another click may just have placed the order, and a draft that is placed cannot be paid for.
        Err(refused) => find_prepared(cx, &mut conn, payer, payment).await?.map(Some).ok_or(refused),
    }
}

/// What an earlier click of the checkout has come to, if the same is the answer to this one.
async fn find_prepared(
    cx: &Context,
    conn: &mut Conn<'_>,
    payer: &Payer,
    payment: &Payment,
) -> Result<Option<Prepared>, Error> {
    let Some(order) = orders::find_by_checkout(conn, payment.checkout_id).await? else { return Ok(None) };
    let before = attempts::list(conn, order.id).await?;
    if let Some(known) = known(cx, conn, &order, &before, payer, payment).await? {
        return Ok(Some(known));
    }
    Ok(waits_for_email(cx, conn, &order, payment).await?.then_some(Prepared::ToConfirm))
}

/// The existing result of a click, or another attempt of the same checkout that is still open.
async fn known(
    cx: &Context,
    conn: &mut Conn<'_>,
    order: &Order,
    before: &[Attempt],
    payer: &Payer,
    payment: &Payment,
) -> Result<Option<Prepared>, Error> {
    if payer.staff.is_none() {
        refuse_another_cart(cx, conn, order, before, &payment.shown()).await?;
    }
    if order.placed_at.is_some() {
        // What became of it since is told by its page.
        return Ok(Some(Prepared::Placed(order.clone())));
    }
    if order.status != OrderStatus::Draft {
        return Err(Error::conflict("checkout_over", "This checkout has ended. Start again from your cart."));
    }
    if let Some(own) = before.iter().find(|attempt| attempt.click_id == payment.click_id) {
        return Ok(Some(Prepared::SendAgain(own.clone(), order.number.clone())));
    }
    let open = before.iter().find(|attempt| attempt.status.is_open());
    Ok(open.map(|open| Prepared::Follow(open.clone())))
}

/// Two pages of one visitor may have the same checkout, and the second one another cart by now. Neither is answered with the order of the
/// other, nor with its open payment. Nor is a form that after "Back" shows another total: it has the click that placed the order.
async fn refuse_another_cart(
    cx: &Context,
    conn: &mut Conn<'_>,
    order: &Order,
    attempts: &[Attempt],
    shown: &Shown,
) -> Result<(), Error> {
    let is_placed = order.placed_at.is_some();
    let paying = attempts.iter().find(|attempt| match is_placed {
        true => order.attempt_id == Some(attempt.id),
        false => order.status == OrderStatus::Draft && attempt.status.is_open(),
    });
    let is_own =
        paying.is_some_and(|attempt| shown.click_id == Some(attempt.click_id) && shown.total == attempt.amount);
    if is_own || (paying.is_none() && !is_placed) {
        return Ok(());
    }
    if draft_orders::promise::find(conn, order.checkout_id, cx.clock.now_ms()).await?.is_some() {
        return Ok(());
    }
    if is_as_shown(conn, order, shown).await? {
        return Ok(());
    }
    if !is_placed {
        return Err(Error::conflict("payment_open", PAYMENT_OPEN));
    }
    let number = &order.number;
    let message = format!(
        "You’ve already placed order {number} on another page. To place this one, too, press the button again."
    );
    Err(Error::conflict("checkout_over", &message))
}

/// Whether an order has the total and the goods that a page shows.
async fn is_as_shown(conn: &mut Conn<'_>, order: &Order, shown: &Shown) -> Result<bool, DbError> {
    if shown.total != order.total {
        return Ok(false);
    }
    let Some(goods) = &shown.goods else { return Ok(true) };
    let lines = orders::list_lines(conn, order.id).await?;
    let mut ordered = lines.iter().filter_map(|line| Some((line.variant_id?, line.quantity)));
    // An order lacks what was not to be had, or not so often.
    Ok(ordered.all(|(variant, quantity)| goods.get(&variant).is_some_and(|shown| quantity <= *shown)))
}

/// Whether an email with a link that is still valid was sent for this click, to its address, and the link places what the click orders: a
/// form that is posted again after "Back" has the same click, and perhaps other input.
async fn waits_for_email(cx: &Context, conn: &mut Conn<'_>, order: &Order, payment: &Payment) -> Result<bool, DbError> {
    let link = pickups::find_pending(conn, order.id).await?;
    let is_own = |link: &Link| link.click_id == payment.click_id && link.email == mailbox(&payment.email);
    if !link.is_some_and(|link| is_own(&link) && link.is_good(cx.clock.now_ms())) {
        return Ok(false);
    }
    let is_same = order.phone == payment.phone
        && order.address()? == payment.address
        && order.shipping_method == payment.shipping_method
        && payment.expected_subtotal.is_none_or(|shown| shown == order.subtotal);
    if !is_same || !is_as_shown(conn, order, &payment.shown()).await? {
        return Ok(false);
    }
    let Some(shown) = payment.expected_units else { return Ok(true) };
    let lines = orders::list_lines(conn, order.id).await?;
    Ok(lines.iter().map(|line| line.quantity).sum::<i64>() == shown)
}

/// The first transaction: order, stock, promo code and attempt are stored before any provider is called. Locks are taken in the global
/// order: order, draft, payer, buyer who picks up, code, stock, cart, audit log.
async fn prepare(
    conn: &mut Conn<'_>,
    payments: &Payments,
    payer: &Payer,
    payment: &Payment,
) -> Result<Prepared, Error> {
    let clock = payments.clock.as_ref();
    // Of an order that is made here there are no attempts, links, contents, redeemed code or reservations yet, and nobody else can add some.
    let (order, is_new) = orders::open(conn, payments, payment.checkout_id).await?;
    // Locked before anything of it is read: staff may not change what is being paid.
    let is_draft = draft_orders::promise::hold(conn, payment.checkout_id).await?;
    let before = if is_new { Vec::new() } else { attempts::list(conn, order.id).await? };
    if let Some(known) = known(payments, conn, &order, &before, payer, payment).await? {
        return Ok(known);
    }
    if !is_new && waits_for_email(payments, conn, &order, payment).await? {
        return Ok(Prepared::ToConfirm);
    }
    within_limits(conn, clock, payer, payment, before.len(), is_draft).await?;
    let locked = Locked { order: order.id, is_new, is_of_draft: is_draft };
    let mut quoted = quote_locked(payments, conn, &payment.request(), locked).await?;
    if payer.staff.is_some() {
        as_asked(&quoted)?;
    }
    agree_to_payment(&quoted, payment)?;
    // A code that takes nothing off, such as free shipping for a pickup, stays good for another order.
    quoted.promo = quoted.promo.filter(|_| quoted.price.discount > 0);
    let contents = contents(payments, payer, payment, &quoted).map_err(Error::internal)?;
    orders::fill(conn, clock, &order, is_new, &contents).await?;
    let made = json!({ "total": quoted.price.total });
    if let Some(actor) = &payer.staff {
        let event = Event::new(EventKind::MadeByStaff, made.clone()).by(&actor.label());
        orders::record(conn, clock, order.id, &event).await?;
    }
    // Draft orders and counter sales are confirmed by staff and need no email confirmation.
    let unpaid = unpaid(payer, payment, &quoted, order.id);
    let is_of_staff = is_draft || payer.staff.is_some();
    let pickup = unpaid.as_ref().filter(|_| !is_of_staff);
    if let Some(new) = pickup {
        pickups::lock_buyer(conn, new).await?;
    }
    redeem(conn, &quoted, order.id, is_new, &payment.email).await?;
    let (held_until, by_email) = match pickup {
        Some(new) => {
            let by_email = pickups::needs_email(conn, new.user_id, &new.email).await?;
            if by_email && payments.config.mail.is_none() {
                return Err(Error::conflict("sign_in_first", SIGN_IN_FIRST));
            }
            (pickups::add(conn, clock, new, by_email).await?, by_email)
        }
        None => {
            if !is_new {
                pickups::give_up(conn, clock, order.id).await?;
            }
            if let Some(new) = unpaid.as_ref().filter(|_| contents.picked_up) {
                pickups::watch(conn, clock, new.order_id, new.units).await?;
            }
            (clock.now_ms() + stock::service::HELD_FOR, false)
        }
    };
    hold_goods(conn, clock, &quoted, order.id, is_new, held_until).await?;
    let prepared = if let Some(new) = pickup.filter(|_| by_email) {
        pickups::write(conn, payments, new, held_until).await?;
        Prepared::ToConfirm
    } else if quoted.price.total == 0 {
        Prepared::Placed(place(conn, payments, order.id).await?)
    } else {
        let new = attempts::New {
            order_id: order.id,
            number: i64::try_from(before.len()).unwrap_or(i64::MAX).saturating_add(1),
            click_id: payment.click_id,
            provider: payment.provider,
            amount: Money { amount: quoted.price.total, currency: order.currency.clone() },
            network: payer.network.clone(),
            user_id: payer.user_id,
        };
        Prepared::Send(attempts::add(conn, payments, new).await.map_err(of_another_checkout)?, order.number.clone())
    };
    if let Some(actor) = &payer.staff {
        let change = Change::new("order.create", order.subject(), made);
        audit::service::record(conn, clock, actor, &change).await?;
    }
    fail_point!("pay::before_stored");
    Ok(prepared)
}

/// Within a checkout, a click that has an attempt is a known one.
fn of_another_checkout(error: DbError) -> Error {
    if error.is_unique_violation() {
        return Error::conflict(
            "click_used",
            "This payment belongs to another checkout. Reload the page, then try again.",
        );
    }
    error.into()
}

/// Enforces the limits on payment attempts. An order that costs nothing has none; whether it does is checked right after.
async fn within_limits(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    payer: &Payer,
    payment: &Payment,
    attempts: usize,
    is_draft: bool,
) -> Result<(), Error> {
    if payment.expected_total == 0 {
        return Ok(());
    }
    if attempts >= limits::MOST_ATTEMPTS {
        let message = match is_draft {
            true => "Too many cards were tried for this order. Try again tomorrow, or contact us.",
            false => "Too many cards were tried. Start again from your cart, or contact us.",
        };
        return Err(Error::conflict("too_many_attempts", message));
    }
    if payment.provider == ProviderName::Square && !limits::may_try(conn, clock, payer.user_id, &payer.network).await? {
        let cause = security::Cause { user: payer.user_id, network: &payer.network };
        security::record(security::Event::TooManyCards, cause, "");
        limit_hits::CARDS.add(1);
        return Err(Error::TooManyCards);
    }
    Ok(())
}

/// Redeems the promo code, and gives back that of an earlier attempt.
async fn redeem(conn: &mut Conn<'_>, quoted: &Quoted, order: Uuid, is_new: bool, email: &str) -> Result<(), Error> {
    if is_new && quoted.promo.is_none() {
        return Ok(());
    }
    promotions::service::hold(conn, order, quoted.promo.as_ref()).await?;
    promotions::service::give_back(conn, order).await?;
    if let Some(promo) = &quoted.promo {
        let used = promotions::service::redeem(conn, promo, order, email).await?;
        used.map_err(|why| Error::conflict("promo_code", &why.to_string()))?;
    }
    Ok(())
}

/// Reserves the goods until a time, UTC milliseconds.
async fn hold_goods(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    quoted: &Quoted,
    order: Uuid,
    is_new: bool,
    until: i64,
) -> Result<(), Error> {
    let wanted: Vec<(Uuid, i64)> = quoted.goods.iter().map(|(variant, quantity)| (variant.id, *quantity)).collect();
    let Err(short) = stock::service::hold(conn, clock, order, is_new, &wanted, until).await? else { return Ok(()) };
    let gone = quoted.goods.iter().find(|(variant, _)| short.0.contains(&variant.id));
    let title = gone.map_or("Something in your cart", |(variant, _)| variant.title.as_str());
    Err(Error::conflict("out_of_stock", &format!("“{title}” just sold out.")))
}

/// The order if it needs no online payment, since it is paid for at pickup or costs nothing; none if a card pays for it. One that is shipped
/// for nothing is as easy to place for somebody else as a pickup order, so it is confirmed and counted like one.
fn unpaid(payer: &Payer, payment: &Payment, quoted: &Quoted, order_id: Uuid) -> Option<NewPickup> {
    let picks_up = quoted.option.as_ref().is_some_and(|option| option.pickup);
    let is_paid_at_pickup = picks_up && payment.provider == ProviderName::Pickup;
    (is_paid_at_pickup || quoted.price.total == 0).then(|| NewPickup {
        order_id,
        click_id: payment.click_id,
        email: payment.email.clone(),
        user_id: payer.user_id,
        network: payer.network.clone(),
        units: quoted.goods.iter().map(|(_, quantity)| quantity).sum(),
    })
}

/// Ensures that the amount charged is the one that the shopper saw.
pub fn agree(quoted: &Quoted, address: &Address, provider: ProviderName, expected_total: i64) -> Result<(), Error> {
    if let Some(problem) = quoted.view.problems.first() {
        return Err(Error::conflict("cart_changed", &problem.message));
    }
    // Whatever led here: nothing may be placed, paid, or told by email without goods.
    if quoted.goods.is_empty() {
        return Err(Error::conflict("cart_changed", "Your cart is empty."));
    }
    if quoted.option.is_none() {
        return Err(Error::invalid("shipping_method", "Choose how to get your order."));
    }
    if quoted.view.adult_signature && address.is_po_box() {
        return Err(Error::invalid("address.line1", NOBODY_SIGNS));
    }
    if quoted.price.total != expected_total {
        return Err(Error::conflict("total_changed", "The total has changed. Please review it before you pay."));
    }
    if quoted.price.total > 0 && !quoted.view.payment_methods.contains(&provider) {
        return Err(Error::invalid("payment_method", "Choose another way to pay for these items."));
    }
    Ok(())
}

fn agree_to_payment(quoted: &Quoted, payment: &Payment) -> Result<(), Error> {
    agree(quoted, &payment.address, payment.provider, payment.expected_total)?;
    // Fewer goods cost the same if a code takes off all of them, and have the same subtotal if they are for nothing.
    let differs = |shown: Option<i64>, now: i64| shown.is_some_and(|shown| shown != now);
    if differs(payment.expected_subtotal, quoted.price.subtotal) || differs(payment.expected_units, quoted.view.units) {
        return Err(Error::conflict("cart_changed", "Your items have changed. Please review them before you order."));
    }
    Ok(())
}

/// Ensures that staff get all that they asked for. A shopper's browser shows the quantities that are left; the form of staff keeps theirs.
pub fn as_asked(quoted: &Quoted) -> Result<(), Error> {
    match quoted.view.changes.first() {
        Some(change) => Err(Error::conflict("cart_changed", &change.message)),
        None => Ok(()),
    }
}

/// An error of [`agree`] as staff read it, who do not pay.
pub fn to_staff(error: Error) -> Error {
    match error {
        Error::Conflict { code: "total_changed", .. } => {
            Error::conflict("total_changed", "The total has changed. Review it, then try again.")
        }
        error => error,
    }
}

/// Places an order with a total of zero.
pub async fn place(conn: &mut Conn<'_>, cx: &Context, order: Uuid) -> Result<Order, Error> {
    let order = orders::lock(conn, order).await?;
    if !place::place(conn, cx, &order, None).await? {
        return Err(Error::internal("stock that was just held is gone"));
    }
    derive_payment_status(conn, cx, order.id).await?;
    Ok(order)
}

async fn outcome(cx: &Context, attempt: &Attempt, shown: Option<&Shown>) -> Result<Outcome, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let order = orders::find(&mut conn, attempt.order_id).await?;
    let order = order.ok_or(DbError::Inconsistent("an attempt's order is gone"))?;
    if let Some(shown) = shown {
        let all = attempts::list(&mut conn, order.id).await?;
        refuse_another_cart(cx, &mut conn, &order, &all, shown).await?;
    }
    if order.placed_at.is_some() {
        return Ok(Outcome::placed(cx, order));
    }
    match attempt.status {
        status if status.is_open() => Ok(Outcome::Pending),
        // A voided attempt may also have been refused by the shop itself.
        _ if attempt.decline_code.is_some() => {
            let all = attempts::list(&mut conn, order.id).await?;
            Err(Error::Declined { detail: limits::words(&all, attempt) })
        }
        _ if order.status == OrderStatus::Canceled => Err(Error::conflict("stock_lost", STOCK_LOST)),
        _ => Err(Error::conflict("payment_ended", PAYMENT_ENDED)),
    }
}
