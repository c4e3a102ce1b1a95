//! Receiving and erasing events.

use shop_base::clock::Clock;
use shop_base::db::{Db, DbError};
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_platform::web::known_pages::KnownPages;
use tokio::task::yield_now;
use uuid::Uuid;

use super::model::{ActivityReport, ActivityType, CheckedEvent, Reporter, StoredEvent};
use super::queue::ActivityQueue;
use super::store;
use super::store::UserEvent;
use crate::catalog::listing::Listing;
use crate::catalog::search::SearchQuery;

/// How long events are kept, in milliseconds: 90 days.
pub const RETENTION_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// Of so many searches of a report it is found out what they find. A browser tells what is typed a second after the last letter, and sends a
/// report every two seconds.
pub const MOST_SEARCHES: usize = 5;

/// The dependencies for receiving events.
#[derive(Clone, Copy)]
pub struct Intake<'a> {
    pub clock: &'a dyn Clock,
    pub queue: &'a ActivityQueue,
    pub listing: &'a Listing,
    pub pages: KnownPages,
}

/// Validates a report and queues its events. Returns how many were accepted; the rest is dropped. Activity of staff in the admin area is
/// not stored.
pub async fn record(intake: &Intake<'_>, reporter: &Reporter, report: ActivityReport) -> Result<usize, Error> {
    let now = intake.clock.now_ms();
    let events = report.check(now, &intake.pages.has).map_err(|errors| Error::Invalid { errors })?;
    let (mut taken, mut searched) = (0, 0);
    for event in events {
        if event.is_of_staff() {
            continue;
        }
        let mut results = None;
        if event.kind == ActivityType::Search && searched < MOST_SEARCHES && !intake.queue.is_full() {
            searched += 1;
            // Searches for many words that do not exist take long. Between them, others go on.
            yield_now().await;
            if intake.listing.index.completed().await.is_ok() {
                results = found(intake.listing, &event);
            }
        }
        let id = event.lasting_id().unwrap_or_else(|| new_id(intake.clock));
        let event = StoredEvent { id, event, reporter: reporter.clone(), results, received_at: now };
        taken += usize::from(intake.queue.push(event));
    }
    Ok(taken)
}

/// The number of products that a search currently finds.
fn found(listing: &Listing, event: &CheckedEvent) -> Option<i64> {
    let text = event.action.as_ref()?;
    let query = SearchQuery { text: Some(text.clone()), ..SearchQuery::default() };
    let found = listing.index.search(&query).ok()?;
    i64::try_from(found.total).ok()
}

/// All of a user's activity for the export of their data, the newest first.
pub async fn list_by_user(db: &Db, user: Uuid) -> Result<Vec<UserEvent>, DbError> {
    /// Events per page.
    const LIMIT: i64 = 1_000;
    let (mut events, mut before) = (Vec::new(), Uuid::max());
    loop {
        let page = store::list_by_user(&mut db.read().await?.conn(), user, before, LIMIT).await?;
        let Some(last) = page.last() else { return Ok(events) };
        before = last.id;
        events.extend(page);
    }
}

/// Follows the deletion of an account, in batches, so that other writers can run in between. What an interruption leaves, the daily cleanup
/// deletes.
pub async fn erase(db: &Db, user: Uuid) -> Result<(), DbError> {
    store::delete_by_user(db, user).await
}
