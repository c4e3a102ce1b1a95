//! Limits against card testing and the guessing of card data: how many cards may be tried, and what the shopper is told.

use std::hash::{BuildHasher, RandomState};

use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError};
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use crate::sales::records::payments::declines::TRIED_TOO_OFTEN;
use crate::sales::records::payments::model::AttemptStatus;
use crate::sales::records::payments::provider::{Decline, ProviderName};
use crate::sales::records::payments::rows::Attempt;
use crate::sales::records::payments::store;
use crate::sales::records::payments::store::Tries;
use crate::stock::service::HELD_FOR;

const HOUR: i64 = 60 * 60 * 1000;
const DAY: i64 = 24 * HOUR;

/// Maximum number of cards per order.
pub const MOST_ATTEMPTS: usize = 5;

/// Limits for one payer per hour.
struct Limits {
    refused: i64,
    /// Refused and unanswered attempts together, so that parallel attempts cannot exceed the limit.
    refused_and_open: i64,
    /// Different cards, whatever their outcome.
    cards: i64,
}

/// A network is up to 256 addresses. About one in ten honest attempts is refused, so 20 refusals are about 200 buyers; 60 buyers per hour
/// are rare.
const OF_NETWORK: Limits = Limits { refused: 20, refused_and_open: 40, cards: 60 };
/// An account is one person with a few cards.
const OF_ACCOUNT: Limits = Limits { refused: 10, refused_and_open: 10, cards: 10 };

impl Limits {
    fn allow(&self, tries: Tries) -> bool {
        tries.refused < self.refused && tries.refused + tries.open < self.refused_and_open && tries.cards < self.cards
    }
}

/// Refused attempts of one card per hour. A security code has a thousand values; after ten typing errors the holder should ask the bank.
const MOST_REFUSED_OF_CARD: i64 = 10;
/// Refused attempts of the whole shop per hour, if at least four of five are refused: an attack from many networks. Of honest attempts
/// about one in ten is refused.
const MOST_REFUSED_IN_ALL: i64 = 500;

/// Pieces that all unpaid checkouts of a network keep after a payment has failed: as many as a person may reserve for payment in the store.
/// Made-up cards cost nothing, and a cart can hold a thousand pieces. Of honest attempts from 256 addresses, one or two are declined
/// within the time that goods are held.
const MOST_HELD: i64 = 40;

/// Attempts of one network queue here, in memory, without a connection to PostgreSQL. If they queued in the database, 40 parallel attempts
/// of an attacker would use up the connections of other shoppers.
pub struct NetworkLocks {
    places: [Mutex<()>; 1024],
    hasher: RandomState,
}

impl Default for NetworkLocks {
    fn default() -> Self {
        Self { places: std::array::from_fn(|_| Mutex::default()), hasher: RandomState::new() }
    }
}

impl NetworkLocks {
    /// Held until the attempt is stored. Two networks may share a slot; then they only wait for each other.
    pub async fn wait(&self, network: &str) -> MutexGuard<'_, ()> {
        let place = self.hasher.hash_one(network) % self.places.len() as u64;
        self.places[place as usize].lock().await
    }
}

/// The payer to whom limits apply.
#[derive(Clone, Copy, Debug)]
enum Payer<'a> {
    Network(&'a str),
    /// An account that has paid before. Its limit ignores other users of the same network, so they cannot lock it out. Creating an account
    /// is free for an attacker, and so is an order to be paid for in the store, so an account that has paid nothing counts toward its network.
    Customer(Uuid),
}

/// Whether one more card may be tried. The caller inserts the attempt in the same transaction, whose lock makes parallel attempts of this
/// payer wait, so that all of them are counted.
pub async fn may_try(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    user: Option<Uuid>,
    network: &str,
) -> Result<bool, DbError> {
    let (now, mut payer) = (clock.now_ms(), Payer::Network(network));
    if let Some(user) = user
        && store::has_paid(conn, user, now - DAY).await?
    {
        payer = Payer::Customer(user);
    }
    let since = now - HOUR;
    match payer {
        Payer::Customer(user) => {
            store::lock_payer(conn, &user.to_string()).await?;
            let tries = store::count_tries_of_user(conn, user, since).await?;
            Ok(OF_ACCOUNT.allow(tries))
        }
        Payer::Network(network) => {
            store::lock_payer(conn, network).await?;
            let tries = store::count_tries_of_network(conn, network, since).await?;
            Ok(OF_NETWORK.allow(tries) && !is_under_attack(conn, since).await?)
        }
    }
}

/// Whether refusals of the whole shop are so many, and approvals so few, that an attack must be running.
async fn is_under_attack(conn: &mut Conn<'_>, since: i64) -> Result<bool, DbError> {
    if store::count_refusals(conn, since, MOST_REFUSED_IN_ALL).await? < MOST_REFUSED_IN_ALL {
        return Ok(false);
    }
    // Bounded, because counting all rows would take longer the larger the attack is.
    const ENOUGH: i64 = 20 * MOST_REFUSED_IN_ALL;
    let refused = store::count_refusals(conn, since, ENOUGH).await?;
    Ok(store::count_approvals(conn, since, refused / 4).await? < refused / 4)
}

/// Whether the goods of an order whose payment has just failed stay held for another try: not if unpaid checkouts of its network would then
/// hold too many. The caller holds the order's row and has stored the failure.
pub async fn may_hold(conn: &mut Conn<'_>, clock: &dyn Clock, attempt: &Attempt) -> Result<bool, DbError> {
    // Failures at the same time count each other.
    store::lock_payer(conn, &attempt.network).await?;
    let since = clock.now_ms() - HELD_FOR;
    let held = store::count_held_of_network(conn, attempt.order_id, &attempt.network, since).await?;
    Ok(held <= MOST_HELD)
}

/// Whether a card that was just authorized had so many refusals that its number, date or code must have been guessed.
pub async fn is_guessed(conn: &mut Conn<'_>, clock: &dyn Clock, attempt: &Attempt) -> Result<bool, DbError> {
    let Some(card) = attempt.card_fingerprint.as_deref() else { return Ok(false) };
    if attempt.provider != ProviderName::Square || attempt.status != AttemptStatus::Authorized {
        return Ok(false);
    }
    Ok(store::count_refusals_of_card(conn, card, clock.now_ms() - HOUR).await? >= MOST_REFUSED_OF_CARD)
}

/// The decline for such a card: its message is the same as for any other refusal.
pub fn guessed() -> Decline {
    Decline { code: TRIED_TOO_OFTEN.to_owned(), message: REFUSED_AGAIN.to_owned(), card: None }
}

/// The message for the shopper. The first refusal of a card in a checkout says what to do; later ones do not reveal why it was refused.
pub fn words(attempts: &[Attempt], attempt: &Attempt) -> String {
    let first = attempts.iter().find(|each| is_of_card(each));
    let is_further = is_of_card(attempt) && first.is_some_and(|first| first.id != attempt.id);
    match &attempt.decline_message {
        Some(message) if !is_further => message.clone(),
        _ => REFUSED_AGAIN.to_owned(),
    }
}

/// Whether a card was refused: where the provider refused the shop, none was tried.
fn is_of_card(attempt: &Attempt) -> bool {
    match attempt.decline_code.as_deref() {
        Some(code) => attempt.status == AttemptStatus::Declined || code == TRIED_TOO_OFTEN,
        None => false,
    }
}

const REFUSED_AGAIN: &str = "This card was declined. Nothing was charged. Pay another way, or contact us.";
