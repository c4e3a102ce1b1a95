//! Where pictures are stored: in a folder, or in a bucket that all nodes share.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use object_store::limit::LimitStore;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{Error, ObjectStore, ObjectStoreExt};
use shop_base::config::{Bucket, Data};

use super::bucket;
use super::error::MediaError;
use crate::metrics::image_store_failures;

/// How many calls a bucket or folder gets from a node at a time; others wait. Each call to a folder takes a thread, for as long as that takes,
/// of those that are there for everything else that blocks.
pub const CALLS: usize = 64;

/// The folder of pictures in the data folder.
pub fn folder_of(data: &std::path::Path) -> PathBuf {
    data.join("pictures")
}

/// Clones share everything.
#[derive(Clone)]
pub struct Objects {
    store: Arc<dyn ObjectStore>,
    /// Whether all nodes use it, so that renditions in it are of use to others.
    pub is_shared: bool,
    /// Whether the last call failed: the log says it once.
    is_away: Arc<AtomicBool>,
}

impl Objects {
    pub fn open(data: &Data) -> Result<Self, MediaError> {
        match &data.bucket {
            None => Self::folder(&data.folder),
            Some(bucket) => Self::bucket(bucket),
        }
    }

    /// A folder in the data folder. What is put there is on the disk, not only in the system's memory.
    pub fn folder(data: &std::path::Path) -> Result<Self, MediaError> {
        let folder = folder_of(data);
        std::fs::create_dir_all(&folder)
            .map_err(|cause| MediaError::Folder { folder: folder.clone(), cause: Arc::new(cause) })?;
        let store = LocalFileSystem::new_with_prefix(&folder).map_err(Arc::new)?.with_fsync(true);
        Ok(Self::new(Arc::new(LimitStore::new(store, CALLS)), false))
    }

    fn bucket(bucket: &Bucket) -> Result<Self, MediaError> {
        let store = PrefixStore::new(bucket::open(bucket).map_err(Arc::new)?, bucket.prefix.as_str());
        Ok(Self::new(Arc::new(LimitStore::new(store, CALLS)), true))
    }

    pub fn new(store: Arc<dyn ObjectStore>, is_shared: bool) -> Self {
        Self { store, is_shared, is_away: Arc::default() }
    }

    pub async fn has(&self, path: &Path) -> Result<bool, MediaError> {
        Ok(self.note(found(self.store.head(path).await))?.is_some())
    }

    pub async fn get(&self, path: &Path) -> Result<Option<Bytes>, MediaError> {
        let read = async { self.store.get(path).await?.bytes().await };
        self.note(found(read.await))
    }

    pub async fn put(&self, path: &Path, bytes: Bytes) -> Result<(), MediaError> {
        self.note(self.store.put(path, bytes.into()).await).map(drop)
    }

    pub async fn delete(&self, path: &Path) -> Result<(), MediaError> {
        self.note(self.store.delete(path).await)
    }

    /// The names of all objects that are not in folders.
    pub async fn list(&self) -> Result<Vec<String>, MediaError> {
        let found = self.note(self.store.list_with_delimiter(None).await)?;
        Ok(found.objects.into_iter().map(|object| object.location.to_string()).collect())
    }

    fn note<T>(&self, result: Result<T, Error>) -> Result<T, MediaError> {
        match result {
            Ok(done) => {
                if self.is_away.swap(false, Ordering::Relaxed) {
                    tracing::info!("the store of pictures works again");
                }
                Ok(done)
            }
            Err(error) => {
                image_store_failures::ALL.add(1);
                if !self.is_away.swap(true, Ordering::Relaxed) {
                    tracing::error!(%error, "the store of pictures does not work");
                }
                Err(Arc::new(error).into())
            }
        }
    }
}

/// `None` if there is no such object. Where something is put, that is an error: there is no such bucket.
fn found<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Err(Error::NotFound { .. }) => Ok(None),
        result => result.map(Some),
    }
}
