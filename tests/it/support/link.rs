//! A network between two programs that a test can cut.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// After this time a server's keep-alive finds that the other end of a silent connection is gone.
const KEPT_BY_SERVER: Duration = Duration::from_secs(12);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Open,
    /// Connections are reset, and new ones, too.
    Cut,
    /// Nothing arrives any more, and nobody is told. Connections of this time stay silent forever.
    Silent,
}

/// Forwards connections to a port of this machine; ends when it is dropped.
pub struct Link {
    pub port: u16,
    state: watch::Sender<State>,
    /// Connections that were cut or became silent, and those that were attempted meanwhile.
    disturbed: Arc<AtomicUsize>,
    _task: JoinSet<()>,
}

impl Link {
    pub async fn to(target: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (state, states) = watch::channel(State::Open);
        let disturbed = Arc::new(AtomicUsize::new(0));
        let mut task = JoinSet::new();
        let counted = Arc::clone(&disturbed);
        task.spawn(async move {
            let mut carried = JoinSet::new();
            loop {
                let (client, _) = listener.accept().await.unwrap();
                carried.spawn(carry(client, target, states.clone(), Arc::clone(&counted)));
                while carried.try_join_next().is_some() {}
            }
        });
        Self { port, state, disturbed, _task: task }
    }

    pub fn set(&self, state: State) {
        self.state.send_replace(state);
    }

    pub fn disturbed(&self) -> usize {
        self.disturbed.load(Ordering::Relaxed)
    }
}

async fn carry(mut client: TcpStream, target: u16, mut states: watch::Receiver<State>, disturbed: Arc<AtomicUsize>) {
    let mut server = None;
    if *states.borrow_and_update() == State::Open {
        let Ok(mut connected) = TcpStream::connect(("127.0.0.1", target)).await else { return };
        let ended = tokio::select! {
            // Nothing passes that is sent after the change.
            biased;
            changed = states.wait_for(|state| *state != State::Open) => changed.is_err(),
            _ = copy_bidirectional(&mut client, &mut connected) => true,
        };
        if ended {
            return;
        }
        server = Some(connected);
    }
    disturbed.fetch_add(1, Ordering::Relaxed);
    let state = *states.borrow();
    if state == State::Cut {
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
