//! A read connection that is taken only when a statement needs it.

use super::DbError;
use super::conn::{Conn, Reader};
use super::pools::Db;

/// The read connection of a request that may need none, such as that for the page of an empty cart.
#[derive(Debug)]
pub struct LazyReader<'d> {
    db: &'d Db,
    taken: Option<Reader>,
}

impl Db {
    /// A connection that only reads, taken when it is first used and kept until the result is dropped.
    pub fn read_lazily(&self) -> LazyReader<'_> {
        LazyReader { db: self, taken: None }
    }
}

impl LazyReader<'_> {
    pub async fn conn(&mut self) -> Result<Conn<'_>, DbError> {
        let reader = match self.taken.take() {
            Some(reader) => reader,
            None => self.db.read().await?,
        };
        Ok(self.taken.insert(reader).conn())
    }
}
