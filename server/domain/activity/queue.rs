//! From requests to the database: a bounded queue, and one task that writes batches of events.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fail::fail_point;
use shop_base::db::{Conn, Db, DbError};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use super::model::{DAY_MS, MOST_OF_ACCOUNT, MOST_OF_GUESTS, MOST_OF_NETWORK, Reporter, StoredEvent};
use super::store;

/// Maximum number of waiting events.
const CAPACITY: usize = 4_096;
/// Maximum waiting time.
const GATHER: Duration = Duration::from_millis(500);
/// Events per transaction, so that other writers can run in between. They are one statement, and SQLite takes 32,766 parameters.
const BATCH: usize = 256;

/// How many events are taken.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// So many may wait.
    pub waiting: usize,
    /// Of guests in a day, from one network.
    pub of_network: u32,
    /// The same from all networks.
    pub of_guests: u32,
}

impl Default for Most {
    fn default() -> Self {
        Self { waiting: CAPACITY, of_network: MOST_OF_NETWORK, of_guests: MOST_OF_GUESTS }
    }
}

/// Accepts events without ever waiting.
#[derive(Debug)]
pub struct ActivityQueue {
    events: mpsc::Sender<StoredEvent>,
    flushes: mpsc::Sender<oneshot::Sender<()>>,
    dropped: Arc<AtomicU64>,
}

impl ActivityQueue {
    /// Starts the writer task; it ends when the queue is dropped, after writing all remaining events.
    pub fn start(db: Db) -> Self {
        Self::taking(db, Most::default())
    }

    /// The same with other bounds.
    pub fn taking(db: Db, most: Most) -> Self {
        let (events, waiting) = mpsc::channel(most.waiting);
        let (flushes, asked) = mpsc::channel(1);
        let dropped = Arc::new(AtomicU64::new(0));
        tokio::spawn(write_all(db, waiting, asked, Arc::clone(&dropped), Guests::new(most)));
        Self { events, flushes, dropped }
    }

    /// Whether the next event would be dropped.
    pub fn is_full(&self) -> bool {
        self.events.capacity() == 0
    }

    /// True if there was room. Otherwise the event is dropped and counted.
    pub fn push(&self, event: StoredEvent) -> bool {
        let taken = self.events.try_send(event).is_ok();
        if !taken {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        taken
    }

    /// Returns when all events pushed so far are written.
    pub async fn flush(&self) {
        let (done, written) = oneshot::channel();
        // If the task is gone, there is nothing to wait for.
        if self.flushes.send(done).await.is_ok() {
            let _ = written.await;
        }
    }
}

async fn write_all(
    db: Db,
    mut waiting: mpsc::Receiver<StoredEvent>,
    mut asked: mpsc::Receiver<oneshot::Sender<()>>,
    dropped: Arc<AtomicU64>,
    mut guests: Guests,
) {
    let mut rhythm = interval(GATHER);
    rhythm.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // Events that were lost since the last batch that the database took.
    let mut refused = 0;
    loop {
        let flush = tokio::select! {
            _ = rhythm.tick() => None,
            flush = asked.recv() => Some(flush),
        };
        let mut batch = Vec::new();
        while let Ok(event) = waiting.try_recv() {
            if guests.have_room(&event) {
                batch.push(event);
            }
            if batch.len() == BATCH {
                write(&db, &mut batch, &mut refused).await;
            }
        }
        write(&db, &mut batch, &mut refused).await;
        let lost = dropped.swap(0, Ordering::Relaxed);
        if lost > 0 {
            tracing::warn!(lost, "activity was dropped: too much waited to be written");
        }
        let Some(flush) = flush else { continue };
        // The node is being stopped: no batch after this tells it.
        let lost = std::mem::take(&mut refused);
        if lost > 0 {
            tracing::warn!(lost, "activity could not be written before the end");
        }
        let Some(done) = flush else { return };
        let _ = done.send(());
    }
}

/// The events of guests that were taken today, by this node.
struct Guests {
    most: Most,
    /// The day that is counted, since 1970.
    day: i64,
    count: u32,
    of_networks: HashMap<String, u32>,
}

impl Guests {
    fn new(most: Most) -> Self {
        Self { most, day: 0, count: 0, of_networks: HashMap::new() }
    }

    /// Counts an event; false if it is to be dropped. Those of accounts are counted where they are stored.
    fn have_room(&mut self, event: &StoredEvent) -> bool {
        let Reporter { user_id: None, network } = &event.reporter else { return true };
        let day = event.received_at.div_euclid(DAY_MS);
        if day != self.day {
            *self = Self { day, ..Self::new(self.most) };
        }
        if self.count == self.most.of_guests {
            return false;
        }
        let of_network = self.of_networks.entry(network.clone()).or_default();
        if *of_network == self.most.of_network {
            return false;
        }
        *of_network += 1;
        self.count += 1;
        // Said once a day for each.
        if *of_network == self.most.of_network {
            tracing::warn!(network, "activity of a network’s guests is dropped until midnight UTC: it was too much");
        }
        if self.count == self.most.of_guests {
            tracing::warn!("activity of all guests is dropped until midnight UTC: it was too much");
        }
        true
    }
}

/// Empties the batch even if it cannot be written: later events matter just as much. It is written in a task of its own, so that a panic ends
/// only that task. A database that is away or full stays so for a while, so that is said once, and once more when it is over.
async fn write(db: &Db, batch: &mut Vec<StoredEvent>, refused: &mut usize) {
    if batch.is_empty() {
        return;
    }
    let (db, batch) = (db.clone(), std::mem::take(batch));
    let lost = batch.len();
    match tokio::spawn(async move { insert(&db, batch).await }).await {
        Ok(Ok(())) => {
            let lost = std::mem::take(refused);
            if lost > 0 {
                tracing::warn!(lost, "activity is written again: what came meanwhile is lost");
            }
        }
        Ok(Err(error)) if error.is_passing() => {
            // That it is away is said already.
            if *refused == 0 && !error.is_away() {
                tracing::warn!(%error, "activity could not be written");
            }
            *refused += lost;
        }
        Ok(Err(error)) => tracing::error!(%error, lost, "activity could not be written"),
        Err(error) => tracing::error!(%error, lost, "activity could not be written"),
    }
}

async fn insert(db: &Db, batch: Vec<StoredEvent>) -> Result<(), DbError> {
    fail_point!("activity::writing");
    let mut tx = db.begin().await?;
    let mut conn = tx.conn();
    let (mut left, mut taken) = (HashMap::new(), Vec::with_capacity(batch.len()));
    for event in batch {
        if has_room(&mut conn, &mut left, &event.reporter).await? {
            taken.push(event);
        }
    }
    store::insert_events(&mut conn, &taken).await?;
    tx.commit().await
}

/// Whether the reporter's account may have another event. `left` is how many more each account may have.
async fn has_room(conn: &mut Conn<'_>, left: &mut HashMap<Uuid, i64>, reporter: &Reporter) -> Result<bool, DbError> {
    let Some(user) = reporter.user_id else { return Ok(true) };
    let left = match left.entry(user) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => new.insert(MOST_OF_ACCOUNT - store::count_by_user(conn, user, MOST_OF_ACCOUNT).await?),
    };
    *left -= 1;
    Ok(*left >= 0)
}
