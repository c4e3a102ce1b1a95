//! Where nodes leave the files of their builds, and find those of others.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;
use shop_base::context::Context;
use shop_base::db::{DbError, Purpose};
use shop_base::error::Error;
use shop_base::transaction;

use super::store;
use crate::web::site::{File, Site};

/// Invented names ask the database no more often than this, in milliseconds.
const PATHS_LAST: i64 = 1_000;
const MAX_BYTES: u64 = 8 << 20;
/// A build is deleted when no node has said for 30 days that it serves it.
const SEEN_EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// A start shortly after another writes nothing, in milliseconds.
const SEEN_FOR: i64 = 60 * 60 * 1000;

/// The files of other builds than this node's.
#[derive(Debug)]
pub struct OtherBuilds {
    paths: Cache<(), Arc<HashSet<String>>>,
    files: Cache<String, File>,
}

impl Default for OtherBuilds {
    fn default() -> Self {
        let bytes = |_: &String, File { plain, brotli, gzip }: &File| {
            let encoded = [brotli, gzip].into_iter().flatten().map(bytes::Bytes::len).sum::<usize>();
            u32::try_from(plain.len() + encoded).unwrap_or(u32::MAX)
        };
        Self {
            paths: Cache::builder().time_to_live(Duration::from_millis(PATHS_LAST.unsigned_abs())).build(),
            files: Cache::builder().max_capacity(MAX_BYTES).weigher(bytes).build(),
        }
    }
}

impl OtherBuilds {
    /// A file by its public path, without the leading slash.
    pub async fn file(&self, cx: &Context, path: &str) -> Result<Option<File>, Error> {
        if let Some(file) = self.files.get(path).await {
            return Ok(Some(file));
        }
        let paths = self.paths.try_get_with((), async {
            let paths = store::list_paths(&mut cx.db.read().await?.conn()).await?;
            Ok::<_, DbError>(Arc::new(HashSet::from_iter(paths)))
        });
        // The error is shared with all who wait for the same paths.
        let failed = |error: Arc<DbError>| Error::Unavailable { cause: error.to_string(), contention: false };
        let paths = paths.await.map_err(failed)?;
        if !paths.contains(path) {
            return Ok(None);
        }
        let found = store::find_file(&mut cx.db.read().await?.conn(), path).await?;
        if let Some(file) = &found {
            self.files.insert(path.to_owned(), file.clone()).await;
        }
        Ok(found)
    }
}

/// Leaves the files of this node's build to the others, which know them when this returns. To be called before its pages name them.
pub async fn publish(cx: &Context, site: &Site) -> Result<(), DbError> {
    let (build, now) = (site.manifest.build.as_str(), cx.clock.now_ms());
    // A start has this connection already, and each further one costs SQLite 2 ms.
    let seen_at = store::find_seen(&mut cx.db.of(Purpose::Lists).read().await?.conn(), build).await?;
    let is_new = match seen_at {
        // By another node at this moment.
        Some(at) if now - at < SEEN_FOR => now - at < PATHS_LAST,
        _ => transaction!(cx.db, conn => {
            if store::set_seen(conn, build, now).await? {
                return Ok::<_, DbError>(false);
            }
            if store::insert_build(conn, build, now).await? {
                for file in site.public_files() {
                    store::insert_file(conn, build, file).await?;
                }
            }
            Ok(true)
        })?,
    };
    if is_new && cx.db.has_many_writers() && store::has_other_builds(&mut cx.db.read().await?.conn(), build).await? {
        tokio::time::sleep(Duration::from_millis(PATHS_LAST.unsigned_abs())).await;
    }
    Ok(())
}

/// Says each day that this node serves its build.
pub async fn publish_daily(cx: Context, site: Arc<Site>) {
    loop {
        tokio::time::sleep(SEEN_EVERY).await;
        if let Err(error) = publish(&cx, &site).await {
            tracing::warn!(%error, "nodes of other builds may not find the files of this one; it is tried again in a day");
        }
    }
}
