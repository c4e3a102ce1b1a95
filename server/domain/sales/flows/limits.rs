//! Against those who try stolen cards, or guess at what belongs to one: how many may be tried, and what they are told.

use std::hash::{BuildHasher, RandomState};

use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError};
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::declines::TRIED_TOO_OFTEN;
use crate::sales::records::payments::model::AttemptStatus;
use crate::sales::records::payments::provider::{Decline, ProviderName};
use crate::sales::records::payments::rows::Attempt;
use crate::sales::records::payments::store;
use crate::sales::records::payments::store::Tries;

const HOUR: i64 = 60 * 60 * 1000;
const DAY: i64 = 24 * HOUR;

/// What one payer may do within an hour.
struct Limits {
    refused: i64,
    /// Refused and unanswered together, so that tries at the same time do not outrun the limit.
    refused_and_open: i64,
    /// Different cards, however they fare.
    cards: i64,
}

/// A network is up to 256 addresses. Of honest tries one in ten is refused, so twenty are two hundred buyers; and seldom sixty buy.
const OF_NETWORK: Limits = Limits { refused: 20, refused_and_open: 40, cards: 60 };
/// An account is one person with a few cards.
const OF_ACCOUNT: Limits = Limits { refused: 10, refused_and_open: 10, cards: 10 };

impl Limits {
    fn allow(&self, tries: Tries) -> bool {
        tries.refused < self.refused && tries.refused + tries.open < self.refused_and_open && tries.cards < self.cards
    }
}

/// Refused tries of one card within an hour. A security code has a thousand values; who mistypes ten times asks the bank.
const MOST_REFUSED_OF_CARD: i64 = 10;
/// Refused tries of the whole shop within an hour, when at least four of five are refused: thieves who use many networks. Of honest
/// shoppers about one in ten is.
const MOST_REFUSED_IN_ALL: i64 = 500;

/// Tries of one network wait for each other here, without a connection. In the database they would, with one each, and a thief's forty
/// at the same time would leave other shoppers none.
pub struct NetworkLocks {
    places: [Mutex<()>; 64],
    hasher: RandomState,
}

impl Default for NetworkLocks {
    fn default() -> Self {
        Self { places: std::array::from_fn(|_| Mutex::default()), hasher: RandomState::new() }
    }
}

impl NetworkLocks {
    /// Held until the try is stored. Two networks may have the same place: they wait for each other, and nothing else.
    pub async fn wait(&self, network: &str) -> MutexGuard<'_, ()> {
        let place = self.hasher.hash_one(network) % self.places.len() as u64;
        self.places[place as usize].lock().await
    }
}

/// Who tries, as far as limits are concerned.
#[derive(Clone, Copy, Debug)]
enum Payer<'a> {
    Network(&'a str),
    /// An account that has bought before. Whoever shares its network does not count: others' tries lock no customer out. A new account
    /// costs a thief nothing, so it counts as its network.
    Customer(Uuid),
}

/// Whether one more card may be tried. The caller inserts the attempt in the same transaction; until that ends, nobody else's try of
/// this payer is counted, so tries at the same time count each other.
pub async fn may_try(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    user: Option<Uuid>,
    network: &str,
) -> Result<bool, DbError> {
    let (now, mut payer) = (clock.now_ms(), Payer::Network(network));
    if let Some(user) = user
        && orders::has_bought_before(conn, user, now - DAY).await?
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

/// Whether so many tries of the whole shop were refused, and so few taken, that thieves must be at work.
async fn is_under_attack(conn: &mut Conn<'_>, since: i64) -> Result<bool, DbError> {
    if store::count_refusals(conn, since, MOST_REFUSED_IN_ALL).await? < MOST_REFUSED_IN_ALL {
        return Ok(false);
    }
    // Counting on to the end would take longer the larger the attack is.
    const ENOUGH: i64 = 20 * MOST_REFUSED_IN_ALL;
    let refused = store::count_refusals(conn, since, ENOUGH).await?;
    Ok(store::count_approvals(conn, since, refused / 4).await? < refused / 4)
}

/// Whether a card that is held now was refused so often that its number, date or code must have been guessed.
pub async fn is_guessed(conn: &mut Conn<'_>, clock: &dyn Clock, attempt: &Attempt) -> Result<bool, DbError> {
    let Some(card) = attempt.card_fingerprint.as_deref() else { return Ok(false) };
    if attempt.provider != ProviderName::Square || attempt.status != AttemptStatus::Authorized {
        return Ok(false);
    }
    Ok(store::count_refusals_of_card(conn, card, clock.now_ms() - HOUR).await? >= MOST_REFUSED_OF_CARD)
}

/// What such a card's attempt says: the same as of any other that is refused.
pub fn guessed() -> Decline {
    Decline { code: TRIED_TOO_OFTEN.to_owned(), message: REFUSED_AGAIN.to_owned(), card: None }
}

/// What a shopper reads of a card: of a checkout's first what to do, of further ones nothing that tells one refusal from another.
pub fn words(attempts: &[Attempt], attempt: &Attempt) -> String {
    let first = attempts.iter().find(|each| each.decline_code.is_some());
    match &attempt.decline_message {
        Some(message) if first.is_some_and(|first| first.id == attempt.id) => message.clone(),
        _ => REFUSED_AGAIN.to_owned(),
    }
}

const REFUSED_AGAIN: &str = "This card was declined. Nothing was charged. Pay another way, or contact us.";
