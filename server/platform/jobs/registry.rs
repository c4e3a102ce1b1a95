//! Maps kinds of jobs to their handlers. The queue knows neither; both are registered where the shop is put together.

use std::collections::BTreeMap;
use std::pin::Pin;

use shop_base::db::DbError;
use uuid::Uuid;

use super::model::{Job, JobError, Kind, payload};

/// Produces a payload.
type Payload = Box<dyn Fn() -> Result<String, DbError> + Send + Sync>;
/// A job's future; it does nothing until it is polled.
type Running = Pin<Box<dyn Future<Output = Result<(), JobError>> + Send>>;

/// Starts the job of a payload; none if the payload is not of this kind.
type Begin = Box<dyn Fn(&str) -> Option<Running> + Send + Sync>;

/// All kinds of jobs that this version of the program handles, by name.
#[derive(Default)]
pub struct Registry {
    handlers: BTreeMap<&'static str, Handler>,
    at_start: Vec<(Kind, Payload)>,
}

/// How jobs of a kind are handled.
pub struct Handler {
    pub kind: Kind,
    begin: Begin,
    due: fn(&str) -> Option<i64>,
    group: fn(&str) -> Option<Uuid>,
}

impl Handler {
    /// Starts the job of a payload; none if the payload is not of this kind.
    pub fn begin(&self, payload: &str) -> Option<Running> {
        (self.begin)(payload)
    }

    /// See [`Job::due`].
    pub fn due(&self, payload: &str) -> Option<i64> {
        (self.due)(payload)
    }

    /// See [`Job::group`].
    pub fn group(&self, payload: &str) -> Option<Uuid> {
        (self.group)(payload)
    }
}

fn read<J: Job>(payload: &str) -> Option<J> {
    serde_json::from_str(payload).ok()
}

impl Registry {
    /// Registers `handle` for the jobs of a kind; it is called with `uses`.
    ///
    /// # Panics
    ///
    /// When the kind already has a handler, which is a programming error.
    pub fn on<J, U, Task>(&mut self, uses: U, handle: fn(U, J) -> Task)
    where
        J: Job,
        U: Clone + Send + Sync + 'static,
        Task: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        let begin = move |payload: &str| {
            let job = read::<J>(payload)?;
            Some(Box::pin(handle(uses.clone(), job)) as Running)
        };
        let due = |payload: &str| read::<J>(payload)?.due();
        let group = |payload: &str| read::<J>(payload)?.group();
        let handler = Handler { kind: J::KIND, begin: Box::new(begin), due, group };
        let former = self.handlers.insert(J::KIND.name, handler);
        assert!(former.is_none(), "two handlers of {}", J::KIND.name);
    }

    /// Registers a job that is added at each start.
    pub fn at_start<J: Job>(&mut self, job: J) {
        self.at_start.push((J::KIND, Box::new(move || payload(&job))));
    }

    pub fn find(&self, name: &str) -> Option<&Handler> {
        self.handlers.get(name)
    }

    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.handlers.values().map(|handler| handler.kind)
    }

    /// Kinds and payloads of the jobs that each start adds.
    pub fn list_at_start(&self) -> Result<Vec<(Kind, String)>, DbError> {
        self.at_start.iter().map(|(kind, payload)| Ok((*kind, payload()?))).collect()
    }
}
