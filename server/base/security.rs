//! The security log: lines at the target `security`, one for each event that an attack consists of or leads to, and their number since the
//! start. They name accounts by id and networks without their last part, and no secret. Of what anybody can cause as often as they like, so
//! many lines a minute are written: else somebody could push all others out of the log.

use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::sleep;
use uuid::Uuid;

use crate::clock::Clock;
use crate::db::stored;
use crate::loggable::loggable;
use crate::metrics::Counter;

stored! {
    /// What happened.
    Event {
        SignIn = "sign_in",
        SignInCanceled = "sign_in_canceled",
        /// The provider gives no answer.
        SignInUnavailable = "sign_in_unavailable",
        /// The provider refused, or its answer does not hold.
        SignInFailed = "sign_in_failed",
        /// The account is blocked.
        SignInBlocked = "sign_in_blocked",
        SignOut = "sign_out",
        /// A signed-in user asked for what their role has no permission for.
        RoleRefused = "role_refused",
        /// A signed-in user must sign in again, or by another method.
        SignInTooOld = "sign_in_too_old",
        /// A signed-in browser was sent here by another site.
        CrossSite = "cross_site",
        /// An access token does not hold.
        TokenRefused = "token_refused",
        /// A logout token of the provider does not hold.
        LogoutTokenRefused = "logout_token_refused",
        /// An event of the payment provider has another signature.
        WebhookSignature = "webhook_signature",
        /// A network or an account asked for more than it may.
        LimitReached = "limit_reached",
        /// What was sent is not valid, be it by mistake or to find a gap.
        InputRefused = "input_refused",
        /// Somebody asked for an order, a draft or an address that does not exist or is not theirs.
        NothingFound = "nothing_found",
        /// A browser refused what a page's content security policy forbids.
        PolicyViolation = "policy_violation",
        /// A network or an account has tried too many cards.
        TooManyCards = "too_many_cards",
    }
}

/// So many letters of a detail are logged: some of it was chosen by who is refused.
const LONGEST_DETAIL: usize = 200;

/// So many lines a minute a node writes about what anybody can cause.
const MOST_LINES: u64 = 300;
/// Beyond them, the first of each kind, so that none keeps the others out.
const MOST_OF_EACH: u64 = 30;
const MINUTE: Duration = Duration::from_secs(60);
const MINUTE_MS: i64 = 60_000;

static COUNTS: [Counter; Event::ALL.len()] = [const { Counter::new() }; Event::ALL.len()];

/// Who caused an event, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct Cause<'a> {
    pub user: Option<Uuid>,
    /// Without its last part.
    pub network: &'a str,
}

/// Counts and logs an event. `detail` must come from the shop or be harmless: no token, no address of a page with a secret in it.
pub fn record(event: Event, cause: Cause<'_>, detail: &str) {
    COUNTS[event as usize].add(1);
    write(event, cause, detail);
}

fn write(event: Event, cause: Cause<'_>, detail: &str) {
    let Cause { user, network } = cause;
    let detail = loggable(detail.char_indices().nth(LONGEST_DETAIL).map_or(detail, |(end, _)| &detail[..end]));
    let detail: &str = &detail;
    let user = user.map(tracing::field::display);
    match event {
        Event::SignIn | Event::SignInCanceled | Event::SignOut | Event::InputRefused | Event::NothingFound => {
            tracing::info!(target: "security", event = event.text(), user, network, detail);
        }
        _ => tracing::warn!(target: "security", event = event.text(), user, network, detail),
    }
}

/// How often each event has happened since the start.
pub fn counts() -> impl Iterator<Item = (&'static str, u64)> {
    Event::ALL.iter().map(|event| (event.text(), COUNTS[*event as usize].get()))
}

/// The lines of a node about what anybody can cause as often as they like: so many a minute, then one with the numbers of the others.
#[derive(Debug)]
pub struct Lines {
    clock: Arc<dyn Clock>,
    minute: Mutex<Minute>,
}

#[derive(Debug, Default)]
struct Minute {
    /// UTC milliseconds.
    begun_at: i64,
    written: u64,
    /// By what they are about, how many were written and how many not.
    kinds: BTreeMap<&'static str, (u64, u64)>,
}

impl Lines {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, minute: Mutex::default() }
    }

    /// Like [`record`], of an event that anybody can cause: it is always counted, and logged unless the minute has all its lines.
    pub fn record(&self, event: Event, cause: Cause<'_>, detail: &str) {
        COUNTS[event as usize].add(1);
        if self.may_write(event.text()) {
            write(event, cause, detail);
        }
    }

    /// Whether a line about this is to be written. If not, it is counted for the line that follows the minute.
    pub fn may_write(&self, about: &'static str) -> bool {
        let mut minute = self.minute();
        let is_full = minute.written >= MOST_LINES;
        let (written, left_out) = minute.kinds.entry(about).or_default();
        if is_full && *written >= MOST_OF_EACH {
            *left_out += 1;
            return false;
        }
        *written += 1;
        minute.written += 1;
        true
    }

    /// Tells what was left out soon after each minute, also if nothing more happens. Never returns.
    pub async fn follow(&self) {
        loop {
            sleep(MINUTE).await;
            drop(self.minute());
        }
    }

    /// The minute that it is. Tells what was left out of the one before.
    fn minute(&self) -> MutexGuard<'_, Minute> {
        let now = self.clock.now_ms();
        let mut minute = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        // The clock may also have been set back.
        if !(0..MINUTE_MS).contains(&(now - minute.begun_at)) {
            mem::replace(&mut *minute, Minute { begun_at: now, ..Minute::default() }).tell();
        }
        minute
    }
}

impl Minute {
    fn tell(&self) {
        let left_out = self.kinds.iter().filter(|(_, (_, left_out))| *left_out > 0);
        let counts: Vec<String> = left_out.map(|(about, (_, left_out))| format!("{about} {left_out}")).collect();
        if counts.is_empty() {
            return;
        }
        tracing::warn!(target: "security", left_out = counts.join(", "), "more happened in a minute than is logged");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Lines, MINUTE_MS, MOST_LINES, MOST_OF_EACH};
    use crate::clock::{Clock, ManualClock};

    #[test]
    fn a_minute_has_so_many_lines_whatever_the_clock_does() {
        let clock = Arc::new(ManualClock::at(1_795_280_400_000));
        let lines = Lines::new(Arc::clone(&clock) as Arc<dyn Clock>);
        let written = || (0..1_000).filter(|_| lines.may_write("flood")).count();
        let most = usize::try_from(MOST_LINES).unwrap();
        assert_eq!(written(), most);
        clock.advance(MINUTE_MS - 1);
        assert_eq!(written(), 0);
        let others = (0..1_000).filter(|_| lines.may_write("another")).count();
        assert_eq!(others, usize::try_from(MOST_OF_EACH).unwrap(), "a flood keeps no others out");
        clock.advance(1);
        assert_eq!(written(), most);
        clock.advance(-MINUTE_MS);
        assert_eq!(written(), most);
    }
}
