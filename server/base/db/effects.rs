//! What follows a commit: the worker is woken, kept pages end. The writing code registers the effect within the transaction, and
//! the commit runs it, so that none is forgotten and none runs after a rollback.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};

use uuid::Uuid;

/// An event that handlers act on, identified by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effect(pub &'static str);

/// The effects of one transaction, each with the ids of what it is about: each runs once.
pub(super) type Effects = BTreeMap<Effect, BTreeSet<Uuid>>;

type Handler<D> = Arc<dyn Fn(D, BTreeSet<Uuid>) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// The handlers of effects on this node; `D` is the database that they are given.
pub(super) struct Handlers<D>(RwLock<Vec<(Effect, Handler<D>)>>);

impl<D> Default for Handlers<D> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<D> std::fmt::Debug for Handlers<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handlers").finish_non_exhaustive()
    }
}

impl<D> Handlers<D> {
    /// With what each is about.
    pub fn of(&self, effects: &Effects) -> Vec<(Handler<D>, BTreeSet<Uuid>)> {
        let handlers = self.0.read().unwrap_or_else(PoisonError::into_inner);
        handlers.iter().filter_map(|(effect, run)| Some((Arc::clone(run), effects.get(effect)?.clone()))).collect()
    }

    pub fn add<Task>(&self, effect: Effect, run: impl Fn(D, BTreeSet<Uuid>) -> Task + Send + Sync + 'static)
    where
        Task: Future<Output = ()> + Send + 'static,
    {
        let handler: Handler<D> = Arc::new(move |db, about| Box::pin(run(db, about)));
        self.0.write().unwrap_or_else(PoisonError::into_inner).push((effect, handler));
    }
}
