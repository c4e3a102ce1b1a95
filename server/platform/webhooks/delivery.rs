//! Sends one dispatch, stores the outcome, and decides what follows for the dispatch and its endpoint.

use std::time::Instant;

use fail::fail_point;
use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::metrics::Counter;
use uuid::Uuid;

use super::model::{DispatchStatus, OffReason, Outcome, TRIED_FOR, is_resting, rest};
use super::rows::{Dispatch, Endpoint, OlderSecret};
use super::sender::{Key, Sender, SignedMessage};
use super::store::Attempt;
use super::{queries, store};
use crate::jobs::model::JobError;
use crate::metrics::webhooks_sent;

/// Why a dispatch was not delivered. Its job retries.
#[derive(Debug, thiserror::Error)]
pub enum DeliveryError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("{0}")]
    Failed(String),
    #[error("The endpoint has been failing. Waiting before trying again.")]
    Resting,
}

impl From<DeliveryError> for JobError {
    fn from(error: DeliveryError) -> Self {
        match error {
            DeliveryError::Resting => Self::Early(error.into()),
            _ => Self::Failed(error.into()),
        }
    }
}

/// What follows from an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Delivered,
    Again,
    GiveUp,
    /// No other dispatch will get through either.
    SwitchOff(OffReason),
}

/// Attempts a dispatch. Succeeds when it is delivered, or when it is not to be retried.
pub async fn deliver(cx: &Context, sender: &Sender, dispatch: Uuid) -> Result<(), DeliveryError> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let found = store::find_dispatch(&mut conn, dispatch).await?;
    let Some(dispatch) = found.filter(|found| found.status == DispatchStatus::Waiting) else { return Ok(()) };
    let endpoint = queries::find_endpoint(&mut conn, dispatch.endpoint_id).await?;
    // After the endpoint: what a new secret moves here in between is found twice rather than not at all.
    let older = store::list_older_secrets(&mut conn, dispatch.endpoint_id).await?;
    drop(reader);
    let Some(endpoint) = endpoint else { return fail(cx, &dispatch, "The endpoint was deleted.").await };
    if !endpoint.is_enabled {
        return fail(cx, &dispatch, "The endpoint is off.").await;
    }
    let at = cx.clock.now_ms();
    let is_asked_for = dispatch.by_hand && dispatch.attempts == 0;
    if is_resting(endpoint.resting_until, at) && !is_asked_for {
        return Err(DeliveryError::Resting);
    }
    let begun = Instant::now();
    let outcome = attempt(sender, &endpoint, &older, &dispatch, at).await;
    fail_point!("dispatch::answered");
    let duration = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
    let number = dispatch.attempts + 1;
    let attempt = Attempt { dispatch: dispatch.id, number, at, duration, outcome: &outcome };
    let verdict = keep(cx, &endpoint, &dispatch, &attempt).await?;
    if let Some(counter) = counter(verdict, dispatch.is_test()) {
        counter.add(1);
    }
    match verdict {
        Verdict::Again => Err(DeliveryError::Failed(outcome.error.unwrap_or_default())),
        Verdict::Delivered | Verdict::GiveUp | Verdict::SwitchOff(_) => Ok(()),
    }
}

/// Counts an attempt. Operators are alerted to what was given up, but a failed test is only reported to whoever sent it.
fn counter(verdict: Verdict, is_test: bool) -> Option<&'static Counter> {
    let counter = match verdict {
        Verdict::Delivered => &webhooks_sent::DELIVERED,
        Verdict::Again => &webhooks_sent::RETRIED,
        Verdict::GiveUp | Verdict::SwitchOff(_) => &webhooks_sent::FAILED,
    };
    (!is_test).then_some(counter)
}

/// Fails a dispatch without an attempt.
async fn fail(cx: &Context, dispatch: &Dispatch, why: &str) -> Result<(), DeliveryError> {
    let mut tx = cx.db.begin().await?;
    store::end_waiting(&mut tx.conn(), dispatch.id, DispatchStatus::Failed, Some(why)).await?;
    Ok(tx.commit().await?)
}

async fn attempt(sender: &Sender, endpoint: &Endpoint, older: &[OlderSecret], dispatch: &Dispatch, at: i64) -> Outcome {
    let Some(key) = sender.open(endpoint.id, &endpoint.secret) else {
        // Happens after `SHOP_SECRET` was changed. Sending unsigned messages would teach receivers to accept them.
        let error =
            "The secret was encrypted with a different SHOP_SECRET. Create a new one and give it to the receiver.";
        return Outcome { code: None, error: Some(error.to_owned()), answer: String::new() };
    };
    // If a former one cannot be decrypted, that is why it was replaced.
    let former = endpoint.former(at).and_then(|(secret, _)| sender.open(endpoint.id, secret));
    let older = older.iter().filter(|older| at < older.signs_until);
    let older = older.filter_map(|older| sender.open(older.id, &older.secret));
    let keys: Vec<Key> = std::iter::once(key).chain(former).chain(older).collect();
    let message = SignedMessage { id: &dispatch.notification_id.to_string(), body: &dispatch.payload, at };
    sender.send(&endpoint.url, &message, &keys).await
}

fn judge(dispatch: &Dispatch, failing_since: Option<i64>, outcome: &Outcome, at: i64) -> Verdict {
    let first_at = dispatch.first_at.unwrap_or(at);
    if outcome.is_delivered() {
        Verdict::Delivered
    } else if outcome.is_gone() {
        Verdict::SwitchOff(OffReason::Gone)
    } else if dispatch.is_test() {
        Verdict::GiveUp
    } else if at - first_at < TRIED_FOR {
        Verdict::Again
    } else if failing_since.is_some_and(|since| since <= first_at) {
        // Nothing else has got through either since its first attempt.
        Verdict::SwitchOff(OffReason::Failing)
    } else {
        Verdict::GiveUp
    }
}

/// Stores an attempt and what follows from it. `asked` is the endpoint as it was before the attempt.
async fn keep(cx: &Context, asked: &Endpoint, dispatch: &Dispatch, attempt: &Attempt<'_>) -> Result<Verdict, DbError> {
    let (id, now) = (asked.id, cx.clock.now_ms());
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    // Read again: another dispatch may have got through meanwhile. None if staff have changed it: what was asked says nothing of what they
    // have entered.
    let endpoint = match attempt.outcome.is_delivered() {
        true => None,
        false => store::lock_endpoint(&mut conn, id).await?.filter(|found| found.version == asked.version),
    };
    let failing_since = endpoint.as_ref().and_then(|endpoint| endpoint.failing_since);
    let verdict = match judge(dispatch, failing_since, attempt.outcome, attempt.at) {
        Verdict::SwitchOff(_) if endpoint.is_none() => Verdict::Again,
        verdict => verdict,
    };
    let status = match verdict {
        Verdict::Delivered => DispatchStatus::Delivered,
        Verdict::Again => DispatchStatus::Waiting,
        Verdict::GiveUp | Verdict::SwitchOff(_) => DispatchStatus::Failed,
    };
    store::insert_attempt(&mut conn, attempt, status).await?;
    match verdict {
        Verdict::Delivered => store::set_reached(&mut conn, id).await?,
        Verdict::SwitchOff(why) => {
            if store::switch_off(&mut conn, id, why, now).await? {
                tracing::error!(endpoint = %id, why = why.text(), "an endpoint was switched off: staff have to look");
            }
        }
        // A failed test is only reported to whoever sent it.
        _ if dispatch.is_test() => {}
        Verdict::Again | Verdict::GiveUp if endpoint.is_some() => {
            // A clock that ran ahead may have stored a later time.
            let since = failing_since.map_or(attempt.at, |since| since.min(attempt.at));
            store::set_failing(&mut conn, id, since, now + rest(attempt.at - since)).await?;
        }
        Verdict::Again | Verdict::GiveUp => {}
    }
    tx.commit().await?;
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{Verdict, counter, judge};
    use crate::webhooks::model::{DispatchStatus, NotificationKind, OffReason, Outcome, TRIED_FOR};
    use crate::webhooks::rows::Dispatch;

    fn dispatch(kind: NotificationKind, first_at: Option<i64>) -> Dispatch {
        Dispatch {
            id: Uuid::nil(),
            notification_id: Uuid::nil(),
            endpoint_id: Uuid::nil(),
            kind: kind.text().to_owned(),
            subject: String::new(),
            payload: String::new(),
            status: DispatchStatus::Waiting,
            by_hand: false,
            attempts: 1,
            first_at,
        }
    }

    #[test]
    fn a_dispatch_is_tried_for_three_days() {
        let answer =
            |code: u16| Outcome { code: Some(code), error: (code != 200).then(String::new), answer: String::new() };
        let order = dispatch(NotificationKind::OrderPlaced, Some(1_000));
        let late = 1_000 + TRIED_FOR;
        assert_eq!(judge(&order, None, &answer(200), late), Verdict::Delivered);
        assert_eq!(judge(&order, Some(1_000), &answer(500), late - 1), Verdict::Again);
        assert_eq!(judge(&order, Some(1_000), &answer(500), late), Verdict::SwitchOff(OffReason::Failing));
        assert_eq!(judge(&order, Some(1_001), &answer(500), late), Verdict::GiveUp, "something else got through");
        assert_eq!(judge(&order, None, &answer(410), 1_001), Verdict::SwitchOff(OffReason::Gone));
        let test = dispatch(NotificationKind::Test, None);
        assert_eq!(judge(&test, Some(0), &answer(500), 1_000), Verdict::GiveUp, "a test is tried once");
    }

    #[test]
    fn tests_are_not_counted() {
        for verdict in [Verdict::Delivered, Verdict::Again, Verdict::GiveUp, Verdict::SwitchOff(OffReason::Gone)] {
            assert!(counter(verdict, false).is_some() && counter(verdict, true).is_none(), "{verdict:?}");
        }
    }
}
