//! The open connections, and which of them are closed when there are too many or when they wait for too long.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use shop_base::config::Networks;
use shop_platform::metrics::connections_closed;
use shop_platform::web::limit::network;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::limits::Limits;

/// Without any byte for this long, a stopping server does not expect a request.
pub(super) const QUIET: Duration = Duration::from_millis(250);
/// A client that takes nothing of its response for this long does not keep a server from stopping.
const STALLED: Duration = Duration::from_secs(5);
/// A connection that has waited for less is not closed for a new one: its request may be on the way.
const LEAST_WAIT: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub(super) struct Open {
    limits: Limits,
    proxies: Networks,
    /// Times of activity are counted from here.
    since: Instant,
    places: Mutex<Places>,
}

#[derive(Debug, Default)]
struct Places {
    last_id: u64,
    by_id: HashMap<u64, Arc<Activity>>,
    of_network: HashMap<IpAddr, usize>,
}

impl Open {
    pub fn new(limits: Limits, proxies: Networks) -> Self {
        Self { limits, proxies, since: Instant::now(), places: Mutex::default() }
    }

    /// A place for a connection from this address. If there is none left, the connection that has waited longest for a request, or for the rest
    /// of one, makes room; if none waits, there is no place.
    pub fn add(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let place = self.find_place(address);
        if place.is_none() {
            connections_closed::REFUSED.add(1);
        }
        place
    }

    fn find_place(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let network = (!self.proxies.contains(address.to_canonical())).then(|| network(address));
        let mut places = self.lock();
        if let Some(network) = network
            && places.of_network.get(&network).is_some_and(|count| *count >= self.limits.of_network)
        {
            places.close_longest_waiting(|activity| activity.network == Some(network))?;
        }
        if places.by_id.len() >= self.limits.all {
            places.close_longest_waiting(|_| true)?;
        }
        places.last_id += 1;
        let id = places.last_id;
        let activity = Arc::new(Activity::new(network, self.since));
        places.by_id.insert(id, Arc::clone(&activity));
        if let Some(network) = network {
            *places.of_network.entry(network).or_default() += 1;
        }
        Some(Place { open: Arc::clone(self), id, activity })
    }

    /// So often that nobody waits for much longer than the limits say.
    pub fn check_every(&self) -> Duration {
        (self.limits.head.min(self.limits.idle) / 4).min(Duration::from_secs(1))
    }

    /// Closes connections whose request does not arrive.
    pub fn close_overdue(&self) {
        let Limits { head, idle, .. } = self.limits;
        for activity in self.lock().by_id.values() {
            if activity.running() > 0 || (activity.head_takes() <= head && activity.quiet_for() <= idle) {
                continue;
            }
            if activity.is_http2() && !activity.ending.load(Ordering::Relaxed) {
                activity.end();
            } else if activity.close() {
                connections_closed::OVERDUE.add(1);
            }
        }
    }

    /// Closes connections on which nothing happens, and lets those with a running request, or with a response that has yet to be sent, take no
    /// more. The others may be about to send a request.
    pub fn close_quiet(&self) {
        for activity in self.lock().by_id.values() {
            let quiet = activity.quiet_for();
            let is_sending = activity.sending() > 0 || activity.is_full() && quiet <= STALLED;
            if activity.running() > 0 || is_sending || activity.is_http2() && quiet <= QUIET {
                activity.end();
            } else if quiet > QUIET {
                activity.close();
            }
        }
    }

    pub fn count(&self) -> usize {
        self.lock().by_id.len()
    }

    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Places {
    /// It no longer counts, although its descriptor is closed a moment later.
    fn close_longest_waiting(&mut self, among: impl Fn(&Activity) -> bool) -> Option<()> {
        let waiting = self.by_id.iter().filter(|(_, activity)| !activity.is_at_work() && among(activity));
        let (&id, activity) = waiting.max_by_key(|(_, activity)| activity.waits_for())?;
        if activity.waits_for() < LEAST_WAIT {
            return None;
        }
        let activity = self.remove(id)?;
        activity.close();
        connections_closed::EVICTED.add(1);
        Some(())
    }

    fn remove(&mut self, id: u64) -> Option<Arc<Activity>> {
        let activity = self.by_id.remove(&id)?;
        if let Some(network) = activity.network
            && let Some(count) = self.of_network.get_mut(&network)
        {
            *count -= 1;
            if *count == 0 {
                self.of_network.remove(&network);
            }
        }
        Some(activity)
    }
}

/// A connection's place among the open ones. Free again when dropped.
#[derive(Debug)]
pub(super) struct Place {
    open: Arc<Open>,
    id: u64,
    pub activity: Arc<Activity>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.lock().remove(self.id);
    }
}

/// What happens on a connection. Times are milliseconds since `since`.
#[derive(Debug)]
pub(super) struct Activity {
    /// `None` for proxies.
    network: Option<IpAddr>,
    since: Instant,
    /// Requests whose response has not begun.
    running: AtomicU32,
    /// Those of them whose body has not come completely while the server waits for it.
    waiting: AtomicU32,
    /// Since when the server has waited for these bodies.
    body_from: AtomicU64,
    /// Responses that have begun and whose end the server has yet to make.
    sending: AtomicU32,
    /// Whether the last bytes did not go because the client has not taken those before.
    full: AtomicBool,
    /// Known with the first request. Then bytes may also come without one.
    http2: AtomicBool,
    /// When the first byte of a head came that is not complete; 0 if there is none.
    head_from: AtomicU64,
    /// When the last request was answered; first, when the connection was made.
    answered: AtomicU64,
    /// When the last byte came or went.
    moved: AtomicU64,
    /// Before then the client was told not to come back.
    refused_until: AtomicU64,
    ending: AtomicBool,
    closing: AtomicBool,
    changed: Notify,
}

/// What a connection is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// To take no new requests.
    End,
    /// To close at once.
    Close,
}

impl Activity {
    fn new(network: Option<IpAddr>, since: Instant) -> Self {
        let activity = Self {
            network,
            since,
            running: AtomicU32::new(0),
            waiting: AtomicU32::new(0),
            body_from: AtomicU64::new(0),
            sending: AtomicU32::new(0),
            full: AtomicBool::new(false),
            http2: AtomicBool::new(false),
            head_from: AtomicU64::new(0),
            answered: AtomicU64::new(0),
            moved: AtomicU64::new(0),
            refused_until: AtomicU64::new(0),
            ending: AtomicBool::new(false),
            closing: AtomicBool::new(false),
            changed: Notify::new(),
        };
        let now = activity.now();
        activity.answered.store(now, Ordering::Relaxed);
        activity.moved.store(now, Ordering::Relaxed);
        activity
    }

    pub fn is_of_proxy(&self) -> bool {
        self.network.is_none()
    }

    /// Bytes came.
    pub fn read(&self) {
        let now = self.now();
        self.moved.store(now, Ordering::Relaxed);
        if self.running() == 0 && !self.is_http2() && self.head_from.load(Ordering::Relaxed) == 0 {
            self.head_from.store(now, Ordering::Relaxed);
        }
    }

    /// Bytes went.
    pub fn wrote(&self) {
        self.moved.store(self.now(), Ordering::Relaxed);
        self.full.store(false, Ordering::Relaxed);
    }

    /// Bytes have to wait until the client has taken those before.
    pub fn filled(&self) {
        self.full.store(true, Ordering::Relaxed);
    }

    /// A response begins that is made in pieces.
    pub fn begin_sending(&self) {
        self.sending.fetch_add(1, Ordering::Relaxed);
    }

    /// Its last piece was made, or nobody waits for it any more.
    pub fn sent(&self) {
        self.moved.store(self.now(), Ordering::Relaxed);
        self.sending.fetch_sub(1, Ordering::Release);
    }

    /// A request's head is complete.
    pub fn begin(&self, http2: bool) {
        if http2 {
            self.http2.store(true, Ordering::Relaxed);
        }
        self.running.fetch_add(1, Ordering::Relaxed);
        self.head_from.store(0, Ordering::Relaxed);
    }

    /// The server waits for more of a request's body, and has waited for so many milliseconds before. Returns since when that is in all.
    pub fn wait_for_body(&self, before: u64) -> u64 {
        let from = self.now().saturating_sub(before);
        if self.waiting() == 0 {
            self.body_from.store(from, Ordering::Relaxed);
        } else {
            self.body_from.fetch_min(from, Ordering::Relaxed);
        }
        // Whoever sees that it waits sees since when, too.
        self.waiting.fetch_add(1, Ordering::Release);
        from
    }

    /// More of it came, or nobody waits for it any more. Returns the milliseconds since then.
    pub fn body_came(&self, from: u64) -> u64 {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        self.now().saturating_sub(from)
    }

    /// Its response begins, or nobody waits for it any more. It has yet to be written, so the connection is not quiet, however long the
    /// request ran.
    pub fn answered(&self) {
        let now = self.now();
        self.answered.store(now, Ordering::Relaxed);
        self.moved.store(now, Ordering::Relaxed);
        // Whoever sees that nothing runs sees the time too.
        self.running.fetch_sub(1, Ordering::Release);
    }

    /// The client is told to come back so much later. True if it has not waited for as long as it was told before. A proxy is told this for
    /// different clients.
    pub fn refused(&self, later: Duration) -> bool {
        let now = self.now();
        let until = self.refused_until.swap(now + later.as_millis() as u64, Ordering::Relaxed);
        now < until && self.network.is_some()
    }

    /// What to do, once there is something.
    pub async fn told(&self) -> Told {
        loop {
            if self.closing.load(Ordering::Relaxed) {
                return Told::Close;
            }
            if self.ending.load(Ordering::Relaxed) {
                return Told::End;
            }
            self.changed.notified().await;
        }
    }

    /// Resolves when the connection is to be closed at once.
    pub async fn closed(&self) {
        while !self.closing.load(Ordering::Relaxed) {
            self.changed.notified().await;
        }
    }

    /// False if it was told before.
    fn close(&self) -> bool {
        let is_first = !self.closing.swap(true, Ordering::Relaxed);
        self.changed.notify_one();
        is_first
    }

    fn end(&self) {
        if !self.ending.swap(true, Ordering::Relaxed) {
            self.changed.notify_one();
        }
    }

    fn running(&self) -> u32 {
        self.running.load(Ordering::Acquire)
    }

    fn sending(&self) -> u32 {
        self.sending.load(Ordering::Acquire)
    }

    fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    fn waiting(&self) -> u32 {
        self.waiting.load(Ordering::Acquire)
    }

    /// Whether a request is being answered: one that has not come completely is not.
    fn is_at_work(&self) -> bool {
        self.running() > self.waiting()
    }

    fn head_takes(&self) -> Duration {
        match self.head_from.load(Ordering::Relaxed) {
            0 => Duration::ZERO,
            from => self.time_from(from),
        }
    }

    /// How long it has been of no use. A response that is being sent is of use.
    fn waits_for(&self) -> Duration {
        if self.waiting() > 0 {
            return self.time_from(self.body_from.load(Ordering::Relaxed));
        }
        if self.is_http2() {
            return self.time_from(self.answered.load(Ordering::Relaxed));
        }
        self.head_takes().max(self.quiet_for())
    }

    fn is_http2(&self) -> bool {
        self.http2.load(Ordering::Relaxed)
    }

    /// Since the last byte or answer.
    pub fn quiet_for(&self) -> Duration {
        self.time_from(self.moved.load(Ordering::Relaxed))
    }

    fn time_from(&self, milliseconds: u64) -> Duration {
        Duration::from_millis(self.now().saturating_sub(milliseconds))
    }

    /// Never 0.
    fn now(&self) -> u64 {
        self.since.elapsed().as_millis() as u64 + 1
    }
}
