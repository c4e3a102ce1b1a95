//! Fault injection. Each rule counts the requests (or webhooks) it matches and fires on the specified ones: never at random, so that tests
//! are deterministic.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    CreatePayment,
    ListPayments,
    GetPayment,
    CompletePayment,
    CancelPayment,
    CancelByKey,
    CreateRefund,
    ListRefunds,
    GetRefund,
    GetDispute,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The request is carried out and the connection breaks before the response.
    LoseResponse,
    /// 500; nothing was done.
    ServerError,
    /// 429 with this `Retry-After`; nothing was done.
    RateLimit { retry_after: u64 },
    /// 401, as for an access token that has expired; nothing was done.
    Unauthorized,
    /// No response ever; nothing was done.
    Timeout,
    /// 400 with `TEMPORARY_ERROR`; nothing was done.
    TemporaryError,
    /// 200 with a body that is not JSON; the request was carried out.
    Garble,
    /// A refund that is accepted and rejected later. Matches `create_refund`.
    RejectRefund,
    /// The webhook is sent twice.
    DuplicateWebhook,
    /// The webhook waits until the next one has been sent.
    ReorderWebhook,
    /// The webhook is sent this many milliseconds late.
    DelayWebhook { ms: u64 },
    /// The shop receives the webhook but its response is lost, so it is sent again later.
    LoseAck,
}

impl Fault {
    fn concerns_webhooks(self) -> bool {
        matches!(self, Self::DuplicateWebhook | Self::ReorderWebhook | Self::DelayWebhook { .. } | Self::LoseAck)
    }
}

/// A fault and when it occurs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rule {
    pub fault: Fault,
    /// Matches only requests of this operation; any if absent. Webhooks have none.
    #[serde(default)]
    pub operation: Option<Operation>,
    /// How many matches to skip first.
    #[serde(default)]
    pub after: u64,
    /// How often to fire.
    #[serde(default = "once")]
    pub times: u64,
    /// Fires on each match of this number: on every one if 1.
    #[serde(default = "once")]
    pub every: u64,
}

fn once() -> u64 {
    1
}

impl Rule {
    /// Fires on the first match.
    pub fn once(operation: Operation, fault: Fault) -> Self {
        Self { fault, operation: Some(operation), after: 0, times: 1, every: 1 }
    }

    /// Fires on every n-th request, whatever its operation, until it is cleared.
    pub fn each(every: u64, fault: Fault) -> Self {
        Self { fault, operation: None, after: 0, times: u64::MAX, every }
    }

    /// Fires on the next webhooks.
    pub fn webhooks(fault: Fault, times: u64) -> Self {
        Self { fault, operation: None, after: 0, times, every: 1 }
    }
}

/// A rule with its counters.
#[derive(Clone, Debug, Serialize)]
pub struct Count {
    pub id: usize,
    #[serde(flatten)]
    pub rule: Rule,
    pub matched: u64,
    pub fired: u64,
}

/// Where a request can be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    BeforeCommit,
    /// After the commit, before the answer.
    BeforeAnswer,
}

/// A request that is, or will be, held.
#[derive(Debug)]
pub struct Hold {
    reached: oneshot::Receiver<()>,
    release: oneshot::Sender<()>,
}

impl Hold {
    /// Resolves when a request has arrived; false if the holds were cleared before.
    pub async fn reached(&mut self) -> bool {
        (&mut self.reached).await.is_ok()
    }

    /// Lets the request continue. Dropping the hold does, too.
    pub fn release(self) {
        // The request may have been canceled in the meantime.
        let _ = self.release.send(());
    }
}

struct Waiting {
    operation: Operation,
    point: Point,
    reached: oneshot::Sender<()>,
    release: oneshot::Receiver<()>,
}

#[derive(Default)]
struct Rules {
    counts: Vec<Count>,
    waiting: Vec<Waiting>,
    list_lag_ms: i64,
    /// Statuses that are shown for payments instead of their own.
    statuses: HashMap<String, String>,
    latency: Duration,
}

/// The faults of one stand-in; clones share them.
#[derive(Clone, Default)]
pub struct Faults(Arc<Mutex<Rules>>);

impl std::fmt::Debug for Faults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Faults").field(&self.counts()).finish()
    }
}

impl Faults {
    fn rules(&self) -> MutexGuard<'_, Rules> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a rule and returns its id.
    pub fn add(&self, rule: Rule) -> usize {
        let mut rules = self.rules();
        let id = rules.counts.len();
        rules.counts.push(Count { id, rule, matched: 0, fired: 0 });
        id
    }

    /// How often the rule fired.
    pub fn fired(&self, id: usize) -> u64 {
        self.rules().counts.get(id).map_or(0, |count| count.fired)
    }

    pub fn counts(&self) -> Vec<Count> {
        self.rules().counts.clone()
    }

    /// Ends all rules (their counts stay readable), holds, the lists' lag and the latency.
    pub fn clear(&self) {
        let mut rules = self.rules();
        for count in &mut rules.counts {
            count.rule.times = count.fired;
        }
        rules.waiting.clear();
        rules.list_lag_ms = 0;
        rules.statuses.clear();
        rules.latency = Duration::ZERO;
    }

    /// Delays every request by this time.
    pub fn set_latency(&self, latency: Duration) {
        self.rules().latency = latency;
    }

    pub(super) fn latency(&self) -> Duration {
        self.rules().latency
    }

    /// Shows a payment with this status from now on, for example one unknown to the shop.
    pub fn show_with_status(&self, payment: &str, status: &str) {
        self.rules().statuses.insert(payment.to_owned(), status.to_owned());
    }

    pub(super) fn status_of(&self, payment: &str) -> Option<String> {
        self.rules().statuses.get(payment).cloned()
    }

    /// Lists omit records that were created or changed less than this time ago.
    pub fn set_list_lag(&self, ms: i64) {
        self.rules().list_lag_ms = ms;
    }

    pub(super) fn list_lag_ms(&self) -> i64 {
        self.rules().list_lag_ms
    }

    /// Holds the next request of this operation at this point.
    pub fn hold(&self, operation: Operation, point: Point) -> Hold {
        let (reached_sender, reached) = oneshot::channel();
        let (release, release_receiver) = oneshot::channel();
        let waiting = Waiting { operation, point, reached: reached_sender, release: release_receiver };
        self.rules().waiting.push(waiting);
        Hold { reached, release }
    }

    /// Waits here if a request of this operation is to be held.
    pub(super) async fn pass(&self, operation: Operation, point: Point) {
        let waiting = {
            let mut rules = self.rules();
            let at = rules.waiting.iter().position(|held| held.operation == operation && held.point == point);
            at.map(|at| rules.waiting.remove(at))
        };
        if let Some(Waiting { reached, release, .. }) = waiting {
            // Errors mean that the test is no longer waiting.
            let _ = reached.send(());
            let _ = release.await;
        }
    }

    /// The fault for this request: that of the first rule that fires. Every matching rule counts it.
    pub(super) fn of_request(&self, operation: Operation) -> Option<Fault> {
        self.fire(|rule| {
            !rule.fault.concerns_webhooks()
                && match rule.fault {
                    Fault::RejectRefund => false,
                    _ => rule.operation.is_none_or(|only| only == operation),
                }
        })
    }

    pub(super) fn rejects_refund(&self) -> bool {
        self.fire(|rule| rule.fault == Fault::RejectRefund).is_some()
    }

    /// The fault for this webhook.
    pub(super) fn of_webhook(&self) -> Option<Fault> {
        self.fire(|rule| rule.fault.concerns_webhooks())
    }

    fn fire(&self, matches: impl Fn(&Rule) -> bool) -> Option<Fault> {
        let mut fault = None;
        for count in self.rules().counts.iter_mut().filter(|count| matches(&count.rule)) {
            count.matched += 1;
            let is_its_turn =
                (count.matched - 1).saturating_sub(count.rule.after).is_multiple_of(count.rule.every.max(1));
            if fault.is_none() && count.matched > count.rule.after && is_its_turn && count.fired < count.rule.times {
                count.fired += 1;
                fault = Some(count.rule.fault);
            }
        }
        fault
    }
}

impl Fault {
    pub(super) fn delay(self) -> Duration {
        match self {
            Self::DelayWebhook { ms } => Duration::from_millis(ms),
            _ => Duration::ZERO,
        }
    }
}
