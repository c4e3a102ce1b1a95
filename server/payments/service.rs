//! Taking money for an order, and what follows from news of it.

use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::sync::Arc;

use fail::fail_point;
use serde_json::json;
use uuid::Uuid;

use super::attempts::Settled;
use super::jobs::{CapturePayment, VoidPayment};
use super::limits::{self, Turns};
use super::model::{AttemptStatus, Consequence, Paid, Standing, Tender, consequence, payment_status};
use super::provider::{Card, Decline, PaymentProvider, ProviderError, ProviderName, ProviderPayment, ProviderStatus};
use super::rows::Attempt;
use super::{refunds, store};
use crate::context::Context;
use crate::db::{Conn, DbError};
use crate::jobs::model::JobError;
use crate::orders::model::{CancelReason, OrderStatus};
use crate::orders::rows::Order;
use crate::orders::service::{self as orders, Event};
use crate::{customers, jobs, transaction};

/// Why news of a payment could not be had or stored. The job that wanted it tries again.
#[derive(Debug, thiserror::Error)]
pub enum PaymentError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Provider(#[from] ProviderError),
    #[error("{0}")]
    NotYet(&'static str),
    #[error("no provider '{}' is configured", .0.text())]
    NoProvider(ProviderName),
}

impl From<PaymentError> for JobError {
    fn from(error: PaymentError) -> Self {
        match error {
            PaymentError::NotYet(_) => Self::Early(error.into()),
            _ => Self::Failed(error.into()),
        }
    }
}

/// Who takes money for this shop.
#[derive(Clone, Debug)]
pub struct Providers {
    pub square: Option<Arc<dyn PaymentProvider>>,
    pub pickup: Arc<dyn PaymentProvider>,
}

impl Providers {
    pub fn get(&self, name: ProviderName) -> Result<Arc<dyn PaymentProvider>, PaymentError> {
        match name {
            ProviderName::Square => self.square.clone().ok_or(PaymentError::NoProvider(name)),
            ProviderName::Pickup => Ok(Arc::clone(&self.pickup)),
        }
    }
}

/// What takes money: the providers, and who of this node waits for what. Cheap to clone.
#[derive(Clone)]
pub struct Payments {
    pub cx: Context,
    pub providers: Arc<Providers>,
    pub settled: Settled,
    pub turns: Arc<Turns>,
}

impl Deref for Payments {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.cx
    }
}

/// What is newly known of an attempt.
#[derive(Clone, Debug)]
pub enum News {
    /// The provider has this payment.
    Payment(Box<ProviderPayment>),
    /// It was refused for certain.
    Declined(Decline),
    /// No answer.
    Lost,
    /// The provider does not have it and has been told never to carry it out.
    Fenced,
}

/// Stores news of an attempt and does what follows from it, in one transaction. Hearing the same twice changes nothing.
pub async fn settle(payments: &Payments, attempt: Uuid, news: &News) -> Result<Attempt, DbError> {
    let attempt = transaction!(payments.db, conn => settle_in(conn, payments, attempt, news).await)?;
    fail_point!("settle::committed");
    payments.settled.tell(attempt.id);
    Ok(attempt)
}

async fn settle_in(conn: &mut Conn<'_>, cx: &Context, attempt: Uuid, news: &News) -> Result<Attempt, DbError> {
    let clock = cx.clock.as_ref();
    let unlocked = find(conn, attempt).await?;
    // Whoever holds the order's row settles its attempts.
    let order = orders::lock(conn, unlocked.order_id).await?;
    let mut attempt = find(conn, attempt).await?;
    let before = attempt.status;
    let is_sound = apply(&mut attempt, news);
    let after = attempt.status;
    let standing = Standing {
        order: order.status,
        placed_by_this: order.attempt_id == Some(attempt.id),
        is_current: is_current(conn, &order, &attempt).await?,
    };
    let mut follows = consequence(standing, before, after);
    if follows == Consequence::Place && limits::is_guessed(conn, clock, &attempt).await? {
        // Whoever tries number after number is not told which one was right.
        decline_with(&mut attempt, &limits::guessed());
        follows = Consequence::GiveBack;
    }
    // Told once: the same news comes by several ways.
    if !is_sound && before != after {
        orders::call_attention(conn, clock, order.id, "A payment’s amount doesn’t match the order.").await?;
        if follows == Consequence::Place {
            follows = Consequence::GiveBack;
        }
    }
    if before != after {
        let data = json!({ "attempt": attempt.number, "from": before.text(), "to": after.text() });
        orders::record(conn, clock, order.id, &Event::internal("payment", data)).await?;
        (attempt.look_at, attempt.looks) = (0, 0);
    }
    match follows {
        Consequence::Nothing => {}
        Consequence::Place => place(conn, cx, &order, &mut attempt).await?,
        Consequence::GiveBack => give_back(conn, cx, &mut attempt, None).await?,
        Consequence::PaymentLost => {
            orders::cancel(conn, cx, &order, CancelReason::PaymentLost).await?;
            orders::call_attention(conn, clock, order.id, "The payment failed after the order was placed.").await?;
        }
    }
    store::update_attempt(conn, &attempt, clock.now_ms()).await?;
    derive_payment_status(conn, cx, order.id).await?;
    fail_point!("settle::before_commit");
    Ok(attempt)
}

/// Whether a draft has the contents that an attempt is for: each further attempt may have changed them.
async fn is_current(conn: &mut Conn<'_>, order: &Order, attempt: &Attempt) -> Result<bool, DbError> {
    if order.status != OrderStatus::Draft || attempt.amount != order.total {
        return Ok(false);
    }
    Ok(store::list_attempts(conn, order.id).await?.last().is_some_and(|last| last.id == attempt.id))
}

/// Writes what is known into the attempt; false when the provider's amount is not ours.
pub(super) fn apply(attempt: &mut Attempt, news: &News) -> bool {
    match news {
        News::Payment(payment) => {
            attempt.status = attempt.status.after(payment.status);
            attempt.provider_payment_id.get_or_insert_with(|| payment.id.clone());
            attempt.absent_at = None;
            if payment.version.is_some() {
                attempt.provider_version.clone_from(&payment.version);
            }
            if let Some(card) = &payment.card {
                show_card(attempt, card);
            }
            if let Some(decline) = payment.decline.as_ref().filter(|_| attempt.status == AttemptStatus::Declined) {
                decline_with(attempt, decline);
            }
            attempt.refunded = attempt.refunded.max(payment.refunded.min(attempt.amount));
            payment.amount.amount == attempt.amount && payment.amount.currency == attempt.currency
        }
        News::Declined(decline) => {
            attempt.status = attempt.status.after(ProviderStatus::Failed);
            decline_with(attempt, decline);
            true
        }
        News::Lost => {
            attempt.status = attempt.status.after(ProviderStatus::Pending);
            true
        }
        News::Fenced => {
            attempt.status = attempt.status.after(ProviderStatus::Voided);
            true
        }
    }
}

fn decline_with(attempt: &mut Attempt, decline: &Decline) {
    attempt.decline_code = Some(decline.code.clone());
    attempt.decline_message = Some(decline.message.clone());
    if let Some(card) = &decline.card {
        show_card(attempt, card);
    }
}

fn show_card(attempt: &mut Attempt, card: &Card) {
    attempt.card_brand = Some(card.brand.clone());
    attempt.card_last_4 = Some(card.last_4.clone());
    if card.fingerprint.is_some() {
        attempt.card_fingerprint.clone_from(&card.fingerprint);
    }
}

async fn find(conn: &mut Conn<'_>, attempt: Uuid) -> Result<Attempt, DbError> {
    store::find_attempt(conn, attempt).await?.ok_or(DbError::Inconsistent("an attempt is gone"))
}

/// Places the order, and takes the held money; or gives it back when the stock was sold to somebody else.
async fn place(conn: &mut Conn<'_>, cx: &Context, order: &Order, attempt: &mut Attempt) -> Result<(), DbError> {
    let clock = cx.clock.as_ref();
    if orders::place(conn, cx, order, Some(attempt.id)).await? {
        if attempt.status == AttemptStatus::Authorized {
            jobs::service::add(conn, clock, &CapturePayment { attempt: attempt.id }).await?;
        }
        return Ok(());
    }
    orders::cancel(conn, cx, order, CancelReason::StockLost).await?;
    orders::call_attention(
        conn,
        clock,
        order.id,
        "Stock ran out before the payment went through. The payment is being refunded.",
    )
    .await?;
    give_back(conn, cx, attempt, None).await
}

/// Lets go of held money, or gives taken money back.
async fn give_back(
    conn: &mut Conn<'_>,
    cx: &Context,
    attempt: &mut Attempt,
    given_as: Option<Tender>,
) -> Result<(), DbError> {
    let clock = cx.clock.as_ref();
    match attempt.status {
        AttemptStatus::Captured => {
            refunds::add_rest(conn, cx, attempt, "The order could not be fulfilled", given_as).await
        }
        AttemptStatus::Due => {
            attempt.status = AttemptStatus::Voided;
            Ok(())
        }
        _ => {
            attempt.status = AttemptStatus::Voiding;
            jobs::service::add(conn, clock, &VoidPayment { attempt: attempt.id }).await
        }
    }
}

/// Lets go of all that was held or taken for an order, which its caller has canceled. Money of the store is given back by hand.
pub async fn give_all_back(
    conn: &mut Conn<'_>,
    cx: &Context,
    order: Uuid,
    given_as: Option<Tender>,
) -> Result<(), DbError> {
    use AttemptStatus::{Authorized, Captured, Due};
    for mut attempt in store::list_attempts(conn, order).await? {
        if matches!(attempt.status, Due | Authorized | Captured) {
            give_back(conn, cx, &mut attempt, given_as).await?;
            store::update_attempt(conn, &attempt, cx.clock.now_ms()).await?;
        }
    }
    derive_payment_status(conn, cx, order).await
}

/// Writes the order's payment status as it follows from its attempts.
pub async fn derive_payment_status(conn: &mut Conn<'_>, cx: &Context, order: Uuid) -> Result<(), DbError> {
    let order = orders::find(conn, order).await?.ok_or(DbError::Inconsistent("an attempt's order is gone"))?;
    let attempts: Vec<Paid> = store::list_attempts(conn, order.id)
        .await?
        .iter()
        .map(|attempt| Paid { status: attempt.status, amount: attempt.amount, refunded: attempt.refunded })
        .collect();
    let status =
        payment_status(&attempts, order.total, matches!(order.status, OrderStatus::Placed | OrderStatus::Archived));
    if status != order.payment_status {
        orders::set_payment_status(conn, cx.clock.as_ref(), order.id, status).await?;
    }
    match order.user_id {
        Some(user) => customers::service::recount(conn, user).await,
        None => Ok(()),
    }
}

/// What a buyer may know of an order's payment.
#[derive(Debug, Default)]
pub struct Summary {
    /// Minor units taken.
    pub taken: i64,
    /// Minor units given back.
    pub refunded: i64,
    /// Such as `Visa ending in 1111`.
    pub with: Option<String>,
}

/// The payments of orders, each with the attempt that placed it.
pub async fn summaries(
    conn: &mut Conn<'_>,
    orders: &[(Uuid, Option<Uuid>)],
) -> Result<HashMap<Uuid, Summary>, DbError> {
    let ids: Vec<Uuid> = orders.iter().map(|(order, _)| *order).collect();
    let placed_by: HashSet<Uuid> = orders.iter().filter_map(|(_, attempt)| *attempt).collect();
    let mut summaries: HashMap<Uuid, Summary> = HashMap::new();
    for attempt in store::list_attempts_of_all(conn, &ids).await? {
        let summary = summaries.entry(attempt.order_id).or_default();
        if attempt.status == AttemptStatus::Captured {
            summary.taken += attempt.amount;
        }
        summary.refunded += attempt.refunded;
        if placed_by.contains(&attempt.id) {
            summary.with = paid_with(&attempt);
        }
    }
    Ok(summaries)
}

fn paid_with(attempt: &Attempt) -> Option<String> {
    match attempt.provider {
        ProviderName::Pickup => Some(match attempt.tender.as_deref().and_then(|text| text.parse::<Tender>().ok()) {
            Some(tender) => format!("In our store, {}", tender.words()),
            None => "In our store, when you pick it up".to_owned(),
        }),
        ProviderName::Square => {
            let (brand, last_4) = attempt.card_brand.as_ref().zip(attempt.card_last_4.as_ref())?;
            Some(format!("{brand} ending in {last_4}"))
        }
    }
}

/// Forgets the attempts of an order that was never paid, before it is deleted itself.
pub async fn forget(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    store::delete_attempts(conn, order).await
}

/// Takes what an authorized attempt holds.
pub async fn capture(payments: &Payments, attempt: Uuid) -> Result<(), PaymentError> {
    let attempt = find(&mut payments.db.read().await?.conn(), attempt).await?;
    let Some(payment_id) =
        attempt.provider_payment_id.as_deref().filter(|_| attempt.status == AttemptStatus::Authorized)
    else {
        return Ok(());
    };
    let provider = payments.providers.get(attempt.provider)?;
    fail_point!("capture::before_call");
    let seen = match provider.capture(payment_id, attempt.provider_version.as_deref()).await {
        Ok(payment) => payment,
        // It is not as we thought: what is it?
        Err(ProviderError::Rejected { .. } | ProviderError::Declined(_)) => look(provider.as_ref(), payment_id).await?,
        Err(error) => return Err(error.into()),
    };
    fail_point!("capture::answered");
    let attempt = settle(payments, attempt.id, &News::Payment(Box::new(seen))).await?;
    if attempt.status == AttemptStatus::Authorized {
        return Err(PaymentError::NotYet("the payment is still held"));
    }
    fail_point!("capture::settled");
    Ok(())
}

async fn look(provider: &dyn PaymentProvider, payment_id: &str) -> Result<ProviderPayment, PaymentError> {
    provider.find(payment_id).await?.ok_or(PaymentError::NotYet("the provider does not know the payment"))
}

/// Lets go of what an attempt holds, or makes sure that it never comes to be.
pub async fn void(payments: &Payments, attempt: Uuid) -> Result<(), PaymentError> {
    let attempt = find(&mut payments.db.read().await?.conn(), attempt).await?;
    if attempt.status != AttemptStatus::Voiding {
        return Ok(());
    }
    let provider = payments.providers.get(attempt.provider)?;
    fail_point!("void::before_call");
    let news = match &attempt.provider_payment_id {
        None => {
            provider.void_by_key(&attempt.idempotency_key).await?;
            News::Fenced
        }
        Some(payment_id) => match provider.void(payment_id).await {
            Ok(payment) => News::Payment(Box::new(payment)),
            Err(ProviderError::Rejected { .. } | ProviderError::Declined(_)) => {
                News::Payment(Box::new(look(provider.as_ref(), payment_id).await?))
            }
            Err(error) => return Err(error.into()),
        },
    };
    fail_point!("void::answered");
    let attempt = settle(payments, attempt.id, &news).await?;
    if attempt.status == AttemptStatus::Voiding {
        return Err(PaymentError::NotYet("the payment is still held"));
    }
    Ok(())
}
