//! Masters in an object store, each under its key: `{key}.svg` for a drawing, `{key}.webp` for a photograph.

use std::sync::Arc;

use bytes::Bytes;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt};
use sha2::{Digest, Sha256};

use super::error::MediaError;
use super::name::{KEY_DIGITS, hex};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Drawing,
    Photo,
}

impl Kind {
    fn path(self, key: &str) -> Path {
        Path::from(match self {
            Self::Drawing => format!("{key}.svg"),
            Self::Photo => format!("{key}.webp"),
        })
    }
}

/// An existing master.
pub struct Found {
    pub kind: Kind,
    path: Path,
}

#[derive(Clone)]
pub struct Masters {
    store: Arc<dyn ObjectStore>,
}

impl Masters {
    pub fn new(store: Arc<dyn ObjectStore>) -> Self {
        Self { store }
    }

    /// Stores the bytes and returns their key.
    pub async fn insert(&self, kind: Kind, bytes: Bytes) -> Result<String, MediaError> {
        let mut key = hex(&Sha256::digest(&bytes));
        key.truncate(KEY_DIGITS);
        let path = kind.path(&key);
        if !self.exists(&path).await? {
            self.store.put(&path, bytes.into()).await.map_err(Arc::new)?;
        }
        Ok(key)
    }

    pub async fn find(&self, key: &str) -> Result<Option<Found>, MediaError> {
        for kind in [Kind::Photo, Kind::Drawing] {
            let path = kind.path(key);
            if self.exists(&path).await? {
                return Ok(Some(Found { kind, path }));
            }
        }
        Ok(None)
    }

    pub async fn load(&self, master: &Found) -> Result<Bytes, MediaError> {
        let object = self.store.get(&master.path).await.map_err(Arc::new)?;
        Ok(object.bytes().await.map_err(Arc::new)?)
    }

    /// Writes an object to the store, reads it back and deletes it.
    pub async fn check(&self) -> Result<(), MediaError> {
        let path = Path::from("checks/write");
        let bytes = Bytes::from_static(b"is the store there?");
        self.store.put(&path, bytes.clone().into()).await.map_err(Arc::new)?;
        let kept = self.store.get(&path).await.map_err(Arc::new)?.bytes().await.map_err(Arc::new)?;
        self.store.delete(&path).await.map_err(Arc::new)?;
        if kept == bytes { Ok(()) } else { Err(MediaError::Damaged) }
    }

    async fn exists(&self, path: &Path) -> Result<bool, MediaError> {
        match self.store.head(path).await {
            Ok(_) => Ok(true),
            Err(Error::NotFound { .. }) => Ok(false),
            Err(cause) => Err(Arc::new(cause).into()),
        }
    }
}
