//! Lists of ids in statements.

use sqlx::{Postgres, QueryBuilder, Sqlite};
use uuid::Uuid;

/// For a statement on the rows with certain ids.
pub trait PushIds {
    /// Appends the condition that the column before it has one of these ids. On PostgreSQL they are one parameter: the statement stays prepared,
    /// however many there are. SQLite has no arrays.
    fn push_ids(&mut self, ids: &[Uuid]) -> &mut Self;
}

impl PushIds for QueryBuilder<Sqlite> {
    fn push_ids(&mut self, ids: &[Uuid]) -> &mut Self {
        let mut list = self.push(" IN (").separated(", ");
        for id in ids {
            list.push_bind(*id);
        }
        self.push(")")
    }
}

impl PushIds for QueryBuilder<Postgres> {
    fn push_ids(&mut self, ids: &[Uuid]) -> &mut Self {
        self.push(" = ANY(").push_bind(ids.to_vec()).push(")")
    }
}
