//! Shared by the stand-in's requests and tasks: the ledger, and the dispatch of events.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rand::Rng;
use rand::distr::Alphanumeric;
use serde_json::{Value, json};
use shop_base::clock::Clock;
use tokio::sync::mpsc;

use super::errors::ApiError;
use super::faults::Faults;
use super::ledger::{Change, Ledger};
use super::model::{Event, PaymentStatus, RefundStatus, time};

/// State shared by requests and tasks.
#[derive(Debug)]
pub struct Bank {
    pub ledger: Mutex<Ledger>,
    pub clock: Arc<dyn Clock>,
    pub faults: Faults,
    pub refund_ms: i64,
    /// The channel to the dispatcher; `None` if no webhooks are configured.
    pub events: Option<mpsc::UnboundedSender<Event>>,
}

impl Bank {
    /// The guard must never be held across an await.
    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies the changes, and notifies the shop of the payments, refunds and disputes among them.
    pub fn commit(&self, ledger: &mut Ledger, mut changes: Vec<Change>) -> Result<(), ApiError> {
        let mut events: Vec<Event> = Vec::new();
        if self.events.is_some() {
            let mut sequence = ledger.sequence;
            for change in &changes {
                if let Some(body) = announce(ledger, change) {
                    sequence += 1;
                    events.push(Event { sequence, created_at: self.clock.now_ms(), body });
                }
            }
        }
        changes.extend(events.iter().cloned().map(Change::Event));
        ledger.commit(changes).map_err(|error| {
            tracing::error!(%error, "the Square stand-in cannot write its journal");
            ApiError::server()
        })?;
        if let Some(sender) = &self.events {
            for event in events {
                // An error means that the stand-in is stopping; the journal has the event.
                let _ = sender.send(event);
            }
        }
        Ok(())
    }

    /// Applies changes that are due by time alone: delayed payments and pending refunds.
    pub fn settle(&self, ledger: &mut Ledger) -> Result<(), ApiError> {
        let now = self.clock.now_ms();
        let mut changes: Vec<Change> = ledger
            .payments
            .due(now)
            .map(|payment| {
                let mut payment = payment.clone();
                let end =
                    if payment.complete_when_delayed { PaymentStatus::Completed } else { PaymentStatus::Canceled };
                payment.end(end, now);
                Change::Payment(Box::new(payment))
            })
            .collect();
        for mut refund in ledger.refunds.due(now).cloned() {
            refund.status = refund.settles_as;
            refund.updated_at = now;
            let payment = refund.payment_id.as_ref().and_then(|id| ledger.payments.get(id).cloned());
            if let Some(mut payment) = payment
                && refund.status == RefundStatus::Rejected
            {
                payment.refunded -= refund.amount.amount;
                payment.touch(now);
                changes.push(Change::Payment(Box::new(payment)));
            }
            changes.push(Change::Refund(refund));
        }
        if changes.is_empty() { Ok(()) } else { self.commit(ledger, changes) }
    }
}

/// The envelope of the event that a change causes.
pub fn announce(ledger: &Ledger, change: &Change) -> Option<Value> {
    let (noun, id, object, at, is_new) = match change {
        Change::Dispute(dispute) => {
            let is_new = !ledger.disputes.contains_key(&dispute.id);
            ("dispute", &dispute.id, dispute.json(), dispute.updated_at, is_new)
        }
        Change::Payment(payment) => {
            let is_new = !ledger.payments.contains_key(&payment.id);
            ("payment", &payment.id, payment.json(), payment.updated_at, is_new)
        }
        Change::Refund(refund) => {
            let is_new = !ledger.refunds.contains_key(&refund.id);
            ("refund", &refund.id, refund.json(), refund.updated_at, is_new)
        }
        _ => return None,
    };
    // judgment: Square's own examples show one event id on a refund's two events.
    let event_id = match change {
        Change::Refund(refund) => format!("refund-{}", refund.id),
        _ => random(32),
    };
    Some(json!({
        "merchant_id": MERCHANT_ID,
        "type": match (noun, is_new) {
            (_, true) => format!("{noun}.created"),
            ("dispute", false) => "dispute.state.updated".to_owned(),
            (_, false) => format!("{noun}.updated"),
        },
        "event_id": event_id,
        "created_at": time(at),
        "data": { "type": noun, "id": id, "object": { noun: object } },
    }))
}

/// An id in Square's format.
pub fn random(length: usize) -> String {
    rand::rng().sample_iter(Alphanumeric).take(length).map(char::from).collect()
}

/// The only merchant of this stand-in.
pub const MERCHANT_ID: &str = "MLSTANDINDEMO";

pub const LOCATION_ID: &str = "LSTANDINDEMO";

pub const APPLICATION_ID: &str = "sandbox-sq0idb-stand-in-demo";

/// Not secret: the stand-in listens on this machine only and handles no real money.
pub const ACCESS_TOKEN: &str = "stand-in-access-token";

pub const WEBHOOK_KEY: &str = "stand-in-webhook-key";
