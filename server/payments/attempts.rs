//! One try to take money: stored, sent, waited for.

use std::time::Duration;

use fail::fail_point;
use tokio::sync::broadcast;
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use super::model::AttemptStatus;
use super::provider::{Authorization, Decline, ProviderError, ProviderName};
use super::rows::Attempt;
use super::service::{News, PaymentError, Payments, settle};
use super::store;
use crate::context::Context;
use crate::db::{Conn, DbError};
use crate::ids::new_id;
use crate::money::Money;

/// For an attempt that another request sends.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Tells the requests of this node that wait for an attempt when it was settled.
#[derive(Clone, Debug)]
pub struct Settled(broadcast::Sender<Uuid>);

impl Default for Settled {
    fn default() -> Self {
        Self(broadcast::Sender::new(64))
    }
}

impl Settled {
    /// Call it after the transaction has been committed.
    pub fn tell(&self, attempt: Uuid) {
        // An error means that nobody waits.
        drop(self.0.send(attempt));
    }

    pub fn listen(&self) -> Settlements {
        Settlements(self.0.subscribe())
    }
}

/// What is settled from now on.
#[derive(Debug)]
pub struct Settlements(broadcast::Receiver<Uuid>);

impl Settlements {
    /// Until this attempt was settled, or perhaps was: who falls behind misses some.
    pub async fn wait_for(&mut self, attempt: Uuid) {
        while let Ok(settled) = self.0.recv().await {
            if settled == attempt {
                return;
            }
        }
    }
}

/// What a try is made of.
#[derive(Clone, Debug)]
pub struct New {
    pub order_id: Uuid,
    /// From 1.
    pub number: i64,
    pub click_id: Uuid,
    pub provider: ProviderName,
    pub amount: Money,
    /// Truncated.
    pub network: String,
}

/// Stores a try and its idempotency key. Once that is committed it may be sent.
pub async fn add(conn: &mut Conn<'_>, cx: &Context, new: New) -> Result<Attempt, DbError> {
    let now = cx.clock.now_ms();
    let attempt = Attempt {
        id: new_id(cx.clock.as_ref()),
        idempotency_key: format!("{}-{}", new.order_id.simple(), new.number),
        order_id: new.order_id,
        click_id: new.click_id,
        number: new.number,
        provider: new.provider,
        amount: new.amount.amount,
        currency: new.amount.currency,
        status: AttemptStatus::Sending,
        provider_payment_id: None,
        provider_version: None,
        card_brand: None,
        card_last_4: None,
        card_fingerprint: None,
        decline_code: None,
        decline_message: None,
        refunded: 0,
        network: new.network,
        absent_at: None,
        look_at: 0,
        looks: 0,
        tender: None,
        created_at: now,
        updated_at: now,
    };
    store::insert_attempt(conn, &attempt).await?;
    Ok(attempt)
}

/// An order's tries, the first first.
pub async fn list(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Attempt>, DbError> {
    store::list_attempts(conn, order).await
}

/// The tries of these orders, each order's first first.
pub async fn list_of_all(conn: &mut Conn<'_>, orders: &[Uuid]) -> Result<Vec<Attempt>, DbError> {
    if orders.is_empty() { Ok(Vec::new()) } else { store::list_attempts_of_all(conn, orders).await }
}

/// Calls the provider and settles what it says. `source` is the card, which is stored nowhere.
pub async fn send(
    payments: &Payments,
    attempt: &Attempt,
    source: String,
    email: String,
    note: String,
) -> Result<Attempt, PaymentError> {
    let provider = payments.providers.get(attempt.provider)?;
    let authorization = Authorization {
        idempotency_key: attempt.idempotency_key.clone(),
        reference: attempt.id.to_string(),
        source,
        amount: Money { amount: attempt.amount, currency: attempt.currency.clone() },
        buyer_email: email,
        note,
    };
    fail_point!("pay::before_call");
    let news = match provider.authorize(&authorization).await {
        Ok(payment) => News::Payment(Box::new(payment)),
        Err(ProviderError::Declined(decline)) => News::Declined(decline),
        Err(ProviderError::Rejected { code, detail } | ProviderError::NotAuthorized { code, detail }) => {
            tracing::error!(attempt = %attempt.id, code, detail, "the payment provider refuses our request");
            let message = "The payment didn’t go through, and nothing was charged. Please try again.".to_owned();
            News::Declined(Decline { code, message, card: None })
        }
        Err(error @ ProviderError::Unknown(_)) => {
            tracing::warn!(attempt = %attempt.id, %error, "the outcome of a payment is pending");
            News::Lost
        }
    };
    fail_point!("pay::answered");
    Ok(settle(payments, attempt.id, &news).await?)
}

/// Waits until a try that somebody else sends has an answer, or for `patience`.
pub async fn wait(payments: &Payments, attempt: Attempt, patience: Duration) -> Result<Attempt, DbError> {
    let deadline = Instant::now() + patience;
    let mut settled = payments.settled.listen();
    let mut attempt = attempt;
    while attempt.status == AttemptStatus::Sending && Instant::now() < deadline {
        // Another node may settle it, of which nobody tells this one.
        drop(timeout(LOOK_AGAIN, settled.wait_for(attempt.id)).await);
        let found = store::find_attempt(&mut payments.db.read().await?.conn(), attempt.id).await?;
        attempt = found.ok_or(DbError::Inconsistent("an attempt is gone"))?;
    }
    Ok(attempt)
}
