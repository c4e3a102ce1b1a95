//! A stand-in for Square, of its own origin, to try and test the shop with: payments, refunds, webhooks, and the browser
//! script with its card form. It knows Square's documented test cards and tokens only.
//!
//! It does what Square documents, as strictly as it is documented. Where Square publishes nothing, the choice is the one
//! that is harder on the shop, and a comment marks it `judgment`.

mod api;
mod browser;
mod cards;
mod dashboard;
mod disputes;
mod errors;
pub mod faults;
mod ledger;
mod lists;
mod model;
mod payments;
mod refunds;
mod webhooks;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rand::Rng;
use rand::distr::Alphanumeric;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use url::Url;

use self::errors::ApiError;
use self::faults::Faults;
use self::ledger::{Change, Ledger};
use self::model::{Event, PaymentStatus, RefundStatus, time};
use crate::clock::Clock;
use crate::config::{Secret, SquareConfig};

/// Where it keeps its payments, in the shop's folder.
pub const JOURNAL: &str = "square.jsonl";

/// The one seller of this Square.
const MERCHANT_ID: &str = "MLSTANDINDEMO";
const LOCATION_ID: &str = "LSTANDINDEMO";
const APPLICATION_ID: &str = "sandbox-sq0idb-stand-in-demo";
/// Guards nothing: the stand-in listens on this machine only and holds no money.
const ACCESS_TOKEN: &str = "stand-in-access-token";
const WEBHOOK_KEY: &str = "stand-in-webhook-key";

/// Settings with which a shop uses the stand-in at `base_url`.
pub fn settings(base_url: &Url, webhook_url: String) -> io::Result<SquareConfig> {
    Ok(SquareConfig {
        api: base_url.clone(),
        script: base_url.join("v1/square.js").map_err(io::Error::other)?,
        application_id: APPLICATION_ID.to_owned(),
        location_id: LOCATION_ID.to_owned(),
        access_token: Secret::new(ACCESS_TOKEN),
        webhook_key: Secret::new(WEBHOOK_KEY),
        webhook_url,
    })
}

#[derive(Clone, Debug)]
pub struct Options {
    /// Where events go; none are sent without it.
    pub webhook_url: Option<String>,
    /// The journal, so that payments outlive a restart; in memory only without it.
    pub journal: Option<PathBuf>,
    /// How long a refund is pending, in milliseconds. judgment: Square says no number.
    pub refund_ms: i64,
    /// What one minute of the webhooks' retry table lasts here, in milliseconds.
    pub retry_minute_ms: u64,
}

impl Options {
    /// At the speed of the real one, but for refunds, which take days there.
    pub fn kept_in(journal: Option<PathBuf>, webhook_url: Option<String>) -> Self {
        Self { webhook_url, journal, refund_ms: 5_000, retry_minute_ms: 60_000 }
    }

    /// For tests: in memory, refunds settled at once, the retry table a thousand times faster.
    pub fn fast(webhook_url: Option<String>) -> Self {
        Self { webhook_url, journal: None, refund_ms: 0, retry_minute_ms: 60 }
    }
}

/// A running stand-in; dropping it stops it.
#[derive(Debug)]
pub struct StandIn {
    pub base_url: Url,
    pub faults: Faults,
    options: Options,
    bank: Arc<Bank>,
    /// End with this.
    _tasks: JoinSet<()>,
}

impl StandIn {
    /// Serves on a bound listener. `base_url` is how the shop and browsers reach it.
    pub async fn start(
        listener: TcpListener,
        base_url: Url,
        clock: Arc<dyn Clock>,
        options: Options,
    ) -> io::Result<Self> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let ledger = Ledger::open(options.journal.as_deref())?;
        for event in ledger.events.values() {
            // What an earlier run could not tell. The receiver lives on.
            let _ = sender.send(event.clone());
        }
        let faults = Faults::default();
        let bank = Arc::new(Bank {
            ledger: Mutex::new(ledger),
            clock,
            faults: faults.clone(),
            refund_ms: options.refund_ms,
            events: options.webhook_url.is_some().then_some(sender),
        });
        let mut tasks = JoinSet::new();
        let router = api::router(Arc::clone(&bank));
        tasks.spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "the Square stand-in ended");
            }
        });
        tasks.spawn(webhooks::dispatch(Arc::clone(&bank), options.clone(), receiver));
        tasks.spawn(settle(Arc::clone(&bank)));
        Ok(Self { base_url, faults, options, bank, _tasks: tasks })
    }

    /// Settings with which the shop reaches this stand-in.
    pub fn config(&self) -> io::Result<SquareConfig> {
        settings(&self.base_url, self.options.webhook_url.clone().unwrap_or_default())
    }

    /// All payments as the API shows them, oldest first: the truth to compare a shop with, without lag or faults.
    pub fn payments(&self) -> Vec<Value> {
        let ledger = self.bank.ledger();
        payments::sorted(&ledger).into_iter().map(model::Payment::json).collect()
    }

    /// Forgets which keys were used, as Square does after a time that it does not publish.
    pub fn forget_keys(&self) {
        self.bank.ledger().answers.clear();
    }

    /// Adds so many payments like the first one, canceled, made one after another in the 47 hours before this moment.
    pub fn add_canceled(&self, count: usize) {
        let mut ledger = self.bank.ledger();
        let Some(like) = ledger.payments.values().next().cloned() else { return };
        let (now, step) = (self.bank.clock.now_ms(), 47 * 3_600_000 / i64::try_from(count.max(1)).unwrap_or(i64::MAX));
        for (number, ago) in (0..count).zip((0..).step_by(usize::try_from(step.max(1)).unwrap_or(1))) {
            let created_at = now - ago;
            let payment = model::Payment {
                id: format!("canceled-{number}"),
                status: PaymentStatus::Canceled,
                reference_id: None,
                created_at,
                updated_at: created_at,
                ..like.clone()
            };
            ledger.payments.insert(payment.id.clone(), payment);
        }
    }

    /// All refunds as the API shows them.
    pub fn refunds(&self) -> Vec<Value> {
        self.bank.ledger().refunds.values().map(model::Refund::json).collect()
    }
}

/// What requests and tasks share.
#[derive(Debug)]
struct Bank {
    ledger: Mutex<Ledger>,
    clock: Arc<dyn Clock>,
    faults: Faults,
    refund_ms: i64,
    /// To the dispatcher; `None` when nobody listens.
    events: Option<mpsc::UnboundedSender<Event>>,
}

impl Bank {
    /// Never held across an await.
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the changes, and tells the shop of the payments, refunds and disputes among them.
    fn commit(&self, ledger: &mut Ledger, mut changes: Vec<Change>) -> Result<(), ApiError> {
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

    /// Does what has become due by the clock alone: delayed payments and pending refunds.
    fn settle(&self, ledger: &mut Ledger) -> Result<(), ApiError> {
        let now = self.clock.now_ms();
        let delayed = ledger.payments.values().filter(|payment| {
            payment.status == PaymentStatus::Approved && payment.delayed_until.is_some_and(|at| at <= now)
        });
        let mut changes: Vec<Change> = delayed
            .map(|payment| {
                let mut payment = payment.clone();
                let end =
                    if payment.complete_when_delayed { PaymentStatus::Completed } else { PaymentStatus::Canceled };
                payment.end(end, now);
                Change::Payment(Box::new(payment))
            })
            .collect();
        let pending = ledger
            .refunds
            .values()
            .filter(|refund| refund.status == RefundStatus::Pending && refund.settles_at <= now)
            .cloned();
        for mut refund in pending {
            refund.status = refund.settles_as;
            refund.updated_at = now;
            if let Some(payment) = ledger.payments.get(&refund.payment_id).cloned() {
                let mut payment = payment;
                if refund.status == RefundStatus::Rejected {
                    payment.refunded -= refund.amount.amount;
                    payment.touch(now);
                    changes.push(Change::Payment(Box::new(payment)));
                }
            }
            changes.push(Change::Refund(refund));
        }
        if changes.is_empty() { Ok(()) } else { self.commit(ledger, changes) }
    }
}

/// The envelope of the event that a change makes.
fn announce(ledger: &Ledger, change: &Change) -> Option<Value> {
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

/// Keeps what is due by time going while nobody asks.
async fn settle(bank: Arc<Bank>) {
    let mut ticks = tokio::time::interval(std::time::Duration::from_millis(100));
    loop {
        ticks.tick().await;
        // What fails is logged and tried again.
        let _ = bank.settle(&mut bank.ledger());
    }
}

/// An id as Square makes them.
fn random(length: usize) -> String {
    rand::rng().sample_iter(Alphanumeric).take(length).map(char::from).collect()
}
