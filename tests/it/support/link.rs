//! A network between two programs that a test can cut.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// After this time a server's keep-alive finds that the other end of a silent connection is gone.
const KEPT_BY_SERVER: Duration = Duration::from_secs(12);

/// What arrives at a time of an answer that comes little by little, and how often.
const LITTLE: usize = 64;
const LITTLE_EVERY: Duration = Duration::from_millis(100);

/// PostgreSQL's message `Sync`.
const SYNC: &[u8] = b"S\0\0\0\x04";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Open,
    /// Connections are reset, and new ones, too.
    Cut,
    /// Nothing arrives any more, and nobody is told. Connections of this time stay silent forever.
    Silent,
    /// Connections that are open stay so; new ones are reset.
    NewCut,
    /// The same, and nothing arrives on new ones.
    NewSilent,
    /// Connections that are open become silent forever; new ones work.
    OpenSilent,
}

impl State {
    fn disturbs_open(self) -> bool {
        matches!(self, Self::Cut | Self::Silent | Self::OpenSilent)
    }

    fn lets_new_pass(self) -> bool {
        matches!(self, Self::Open | Self::OpenSilent)
    }
}

/// Forwards connections to a port of this machine; ends when it is dropped.
pub struct Link {
    pub port: u16,
    way: Way,
    _task: JoinSet<()>,
}

/// What its connections share.
#[derive(Clone)]
struct Way {
    state: watch::Sender<State>,
    /// Connections that were cut or became silent, and those that were attempted meanwhile.
    disturbed: Arc<AtomicUsize>,
    /// See [`Link::fall_silent_at`].
    last_words: Arc<OnceLock<&'static str>>,
    /// See [`Link::lose_at`].
    lost_words: Arc<OnceLock<&'static str>>,
    /// See [`Link::answer_slowly_to`].
    slow_words: Arc<OnceLock<&'static str>>,
    /// See [`Link::round_trips`].
    round_trips: Arc<AtomicUsize>,
}

impl Link {
    pub async fn to(target: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let way = Way {
            state: watch::Sender::new(State::Open),
            disturbed: Arc::default(),
            last_words: Arc::default(),
            lost_words: Arc::default(),
            slow_words: Arc::default(),
            round_trips: Arc::default(),
        };
        let mut task = JoinSet::new();
        let shared = way.clone();
        task.spawn(async move {
            let mut carried = JoinSet::new();
            loop {
                let (client, _) = listener.accept().await.unwrap();
                carried.spawn(carry(client, target, shared.clone()));
                while carried.try_join_next().is_some() {}
            }
        });
        Self { port, way, _task: task }
    }

    pub fn set(&self, state: State) {
        self.way.state.send_replace(state);
    }

    /// Becomes silent when a client sends these words, which do not arrive.
    pub fn fall_silent_at(&self, words: &'static str) {
        self.way.last_words.set(words).unwrap();
    }

    /// A connection on which a client sends these words, which do not arrive, is silent from then on; the others are not.
    pub fn lose_at(&self, words: &'static str) {
        self.way.lost_words.set(words).unwrap();
    }

    /// On a connection on which a client sends these words, answers arrive little by little from then on.
    pub fn answer_slowly_to(&self, words: &'static str) {
        self.way.slow_words.set(words).unwrap();
    }

    pub fn disturbed(&self) -> usize {
        self.way.disturbed.load(Ordering::Relaxed)
    }

    /// How often clients have asked PostgreSQL for something and waited, other than to begin and end transactions: to prepare a statement, for
    /// its result, or for a sign of life.
    pub fn round_trips(&self) -> usize {
        self.way.round_trips.load(Ordering::Relaxed)
    }
}

impl Way {
    /// Forwards what a client sends.
    async fn forward(
        &self,
        mut client: ReadHalf<'_>,
        mut server: WriteHalf<'_>,
        is_slow: &AtomicBool,
    ) -> std::io::Result<()> {
        let mut bytes = vec![0; 64 * 1024];
        loop {
            let read = client.read(&mut bytes).await?;
            let sent = &bytes[..read];
            if sent.is_empty() {
                return server.shutdown().await;
            }
            let says = |words: &&str| sent.windows(words.len()).any(|part| part == words.as_bytes());
            if self.last_words.get().is_some_and(says) {
                self.state.send_replace(State::Silent);
                return std::future::pending().await;
            }
            if self.lost_words.get().is_some_and(says) {
                self.disturbed.fetch_add(1, Ordering::Relaxed);
                return std::future::pending().await;
            }
            if self.slow_words.get().is_some_and(says) {
                is_slow.store(true, Ordering::Relaxed);
            }
            let round_trips = sent.windows(SYNC.len()).filter(|part| *part == SYNC).count();
            self.round_trips.fetch_add(round_trips, Ordering::Relaxed);
            server.write_all(sent).await?;
        }
    }
}

/// Forwards what a server answers.
async fn answer(mut server: ReadHalf<'_>, mut client: WriteHalf<'_>, is_slow: &AtomicBool) -> std::io::Result<()> {
    let mut bytes = vec![0; 64 * 1024];
    loop {
        let read = server.read(&mut bytes).await?;
        let answered = &bytes[..read];
        if answered.is_empty() {
            return client.shutdown().await;
        }
        if !is_slow.load(Ordering::Relaxed) {
            client.write_all(answered).await?;
            continue;
        }
        for part in answered.chunks(LITTLE) {
            sleep(LITTLE_EVERY).await;
            client.write_all(part).await?;
        }
    }
}

async fn carry(mut client: TcpStream, target: u16, way: Way) {
    let mut states = way.state.subscribe();
    let mut server = None;
    if states.borrow_and_update().lets_new_pass() {
        let Ok(mut connected) = TcpStream::connect(("127.0.0.1", target)).await else { return };
        let (from_client, to_client) = client.split();
        let (from_server, to_server) = connected.split();
        let is_slow = AtomicBool::new(false);
        let disturbed = async {
            // Not by the state in which it was made.
            while states.changed().await.is_ok() {
                if states.borrow().disturbs_open() {
                    return true;
                }
            }
            false
        };
        let passing = async {
            tokio::try_join!(way.forward(from_client, to_server, &is_slow), answer(from_server, to_client, &is_slow))
        };
        let ended = tokio::select! {
            // Nothing passes that is sent after the change.
            biased;
            is_disturbed = disturbed => !is_disturbed,
            _ = passing => true,
        };
        if ended {
            return;
        }
        server = Some(connected);
    }
    way.disturbed.fetch_add(1, Ordering::Relaxed);
    let state = *states.borrow();
    if matches!(state, State::Cut | State::NewCut) {
        // Both ends get a reset instead of an orderly end.
        for stream in [Some(client), server].into_iter().flatten() {
            let _ = stream.set_zero_linger();
        }
        return;
    }
    sleep(KEPT_BY_SERVER).await;
    drop(server);
    std::future::pending::<()>().await;
}
