//! What follows a commit: the worker is woken, pages are made anew. Whoever writes names it within the transaction, and the commit does it, so that
//! nothing is forgotten and nothing follows what was rolled back.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};

use super::{Conn, Db};

/// Something that others act on, by a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effect(pub &'static str);

/// The effects of one transaction: each happens once.
pub(super) type Effects = BTreeSet<Effect>;

type Handler = Arc<dyn Fn(Db) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// Who acts on what, on this node.
#[derive(Default)]
pub(super) struct Handlers(RwLock<Vec<(Effect, Handler)>>);

impl std::fmt::Debug for Handlers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handlers").finish_non_exhaustive()
    }
}

impl Handlers {
    fn of(&self, effects: &Effects) -> Vec<Handler> {
        let handlers = self.0.read().unwrap_or_else(PoisonError::into_inner);
        handlers.iter().filter(|(effect, _)| effects.contains(effect)).map(|(_, run)| Arc::clone(run)).collect()
    }
}

impl Db {
    /// Has this done after each commit of this node that has the effect. Whoever commits waits for it: it is short, or wakes somebody. It gets
    /// the database, which must not be kept alive by what it calls.
    pub fn after_commit<Task>(&self, effect: Effect, run: impl Fn(Self) -> Task + Send + Sync + 'static)
    where
        Task: Future<Output = ()> + Send + 'static,
    {
        let handler: Handler = Arc::new(move |db| Box::pin(run(db)));
        self.pools.handlers.0.write().unwrap_or_else(PoisonError::into_inner).push((effect, handler));
    }

    pub(super) async fn bring_about(&self, effects: &Effects) {
        for run in self.pools.handlers.of(effects) {
            run(self.clone()).await;
        }
    }
}

impl Conn<'_> {
    /// Names what the commit of this transaction brings about.
    pub fn after_commit(&mut self, effect: Effect) {
        if let Some(state) = self.state() {
            state.effects.insert(effect);
        }
    }
}
