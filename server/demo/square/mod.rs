//! A stand-in for Square on its own origin, for trying out and testing the shop: payments, refunds, webhooks, and the browser script with
//! its card form. It accepts only Square's documented test cards and tokens.
//!
//! It behaves as Square documents, as strictly as documented. Where Square publishes nothing, it chooses what is harder for the shop, and a
//! comment marks this with `judgment`.

mod api;
mod bank;
mod browser;
mod cards;
mod dashboard;
mod disputes;
mod errors;
pub mod faults;
mod ledger;
mod lists;
mod model;
mod options;
mod payments;
mod records;
mod refunds;
mod request;
mod webhooks;

use std::io;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use url::Url;

use self::bank::{ACCESS_TOKEN, APPLICATION_ID, Bank, LOCATION_ID, WEBHOOK_KEY};
use self::faults::Faults;
use self::ledger::Ledger;
use self::model::PaymentStatus;
pub use self::options::Options;
use shop_base::clock::Clock;
use shop_base::config::{Secret, SquareConfig};

/// The journal file in the shop's data folder.
pub const JOURNAL: &str = "square.jsonl";

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

/// A running stand-in; it stops when dropped.
#[derive(Debug)]
pub struct StandIn {
    pub base_url: Url,
    pub faults: Faults,
    options: Options,
    bank: Arc<Bank>,
    /// Aborted when dropped.
    _tasks: JoinSet<()>,
}

impl StandIn {
    /// Serves on a bound listener. `base_url` is the address that the shop and browsers use.
    pub async fn start(
        listener: TcpListener,
        base_url: Url,
        clock: Arc<dyn Clock>,
        options: Options,
    ) -> io::Result<Self> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let ledger = Ledger::open(options.journal.as_deref())?;
        for event in ledger.events.values() {
            // Events that an earlier run could not deliver. The receiver lives longer than this loop.
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

    /// Settings with which the shop uses this stand-in.
    pub fn config(&self) -> io::Result<SquareConfig> {
        settings(&self.base_url, self.options.webhook_url.clone().unwrap_or_default())
    }

    /// All payments as the API shows them, oldest first, without lag or faults: the reference to compare a shop with.
    pub fn payments(&self) -> Vec<Value> {
        let ledger = self.bank.ledger();
        ledger.payments.sorted().map(model::Payment::json).collect()
    }

    /// Forgets the used idempotency keys, as Square does after an unpublished time.
    pub fn forget_keys(&self) {
        self.bank.ledger().answers.clear();
    }

    /// Adds this many canceled copies of the first payment, created one after another in the last 47 hours.
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
            ledger.payments.insert(payment);
        }
    }

    /// All refunds as the API shows them.
    pub fn refunds(&self) -> Vec<Value> {
        self.bank.ledger().refunds.values().map(model::Refund::json).collect()
    }
}

/// Applies changes that are due by time, even without requests.
async fn settle(bank: Arc<Bank>) {
    let mut ticks = tokio::time::interval(std::time::Duration::from_millis(100));
    loop {
        ticks.tick().await;
        // Failures are logged and retried.
        let _ = bank.settle(&mut bank.ledger());
    }
}
