//! The security log: lines at the target `security`, one for each event that an attack consists of or leads to, and their number since the
//! start. They name accounts by id and networks without their last part, and no secret.

use uuid::Uuid;

use crate::db::stored;
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
    let Cause { user, network } = cause;
    let detail = detail.char_indices().nth(LONGEST_DETAIL).map_or(detail, |(end, _)| &detail[..end]);
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
