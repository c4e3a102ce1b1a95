//! What SQLite does, in steps of its virtual machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use shop_base::db::{Conn, Db, Purpose};
use sqlx::SqliteConnection;

/// The steps of all connections but those for lists, which are in memory, since they were last taken.
pub struct Steps(Arc<AtomicU64>);

impl Steps {
    pub async fn count(db: &Db) -> Self {
        let steps = Self::count_writer(db).await;
        for purpose in [Purpose::Shoppers, Purpose::Staff, Purpose::Jobs] {
            let name = format!("{purpose:?}");
            let most = db.pools().iter().find(|pool| pool.name == name).unwrap().most;
            // Kept until all are found, or one would be counted again and again.
            let mut readers = Vec::new();
            for _ in 0..most {
                let mut reader = db.of(purpose).read().await.unwrap();
                if let Conn::Sqlite(mut conn) = reader.conn() {
                    steps.count_of(&mut conn).await;
                }
                readers.push(reader);
            }
        }
        steps
    }

    /// Those of the writer alone, for which all others who write wait.
    pub async fn count_writer(db: &Db) -> Self {
        let steps = Self(Arc::default());
        let mut tx = db.begin().await.unwrap();
        if let Conn::Sqlite(conn) = &mut tx.conn() {
            steps.count_of(conn).await;
        }
        tx.commit().await.unwrap();
        steps
    }

    async fn count_of(&self, conn: &mut SqliteConnection) {
        let steps = Arc::clone(&self.0);
        conn.lock_handle().await.unwrap().set_progress_handler(1, move || {
            steps.fetch_add(1, Ordering::Relaxed);
            true
        });
    }

    pub fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

pub fn assert_not_grown<const N: usize>(before: [(&str, u64); N], after: [(&str, u64); N]) {
    let pairs = before.into_iter().zip(after).map(|((what, before), (_, after))| (what, before, after));
    let grown: Vec<_> = pairs.filter(|(_, before, after)| *before == 0 || *after > before + before / 2).collect();
    assert!(grown.is_empty(), "their steps before and after: {grown:?}");
}
