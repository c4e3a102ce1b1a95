//! Masters, each under its key: `{key}.svg` for a drawing, `{key}.webp` for a photograph.

use std::time::Duration;

use bytes::Bytes;
use moka::sync::Cache;
use object_store::path::Path;
use sha2::{Digest, Sha256};
use shop_base::config::Data;

use super::error::MediaError;
use super::name::{KEY_DIGITS, hex};
use super::objects::Objects;

/// How long a bucket is not asked again for a master that it does not have: longer than a question takes.
const REMEMBERED: Duration = Duration::from_secs(40);
const MOST_REMEMBERED: u64 = 10_000;

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

/// What this process has learned of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Learned {
    Missing,
    /// A question that was asked before may still be answered with no.
    Written,
}

/// Clones share everything.
#[derive(Clone)]
pub struct Masters {
    objects: Objects,
    learned: Cache<String, Learned>,
}

impl Masters {
    /// Those of a shop with these settings.
    ///
    /// # Errors
    /// When the folder neither exists nor can be created. A bucket is not asked.
    pub fn open(data: &Data) -> Result<Self, MediaError> {
        Ok(Self::new(Objects::open(data)?))
    }

    /// Those in the folder, wherever the shop keeps its pictures.
    ///
    /// # Errors
    /// When the folder neither exists nor can be created.
    pub fn in_folder(data: &Data) -> Result<Self, MediaError> {
        Ok(Self::new(Objects::folder(&data.folder)?))
    }

    pub(super) fn new(objects: Objects) -> Self {
        let learned = Cache::builder().max_capacity(MOST_REMEMBERED).time_to_live(REMEMBERED).build();
        Self { objects, learned }
    }

    /// Stores the bytes and returns their key.
    pub(super) async fn insert(&self, kind: Kind, bytes: Bytes) -> Result<String, MediaError> {
        let mut key = hex(&Sha256::digest(&bytes));
        key.truncate(KEY_DIGITS);
        let path = kind.path(&key);
        if !self.objects.has(&path).await? {
            self.objects.put(&path, bytes).await?;
        }
        self.learned.insert(key.clone(), Learned::Written);
        Ok(key)
    }

    pub(super) async fn find(&self, key: &str) -> Result<Option<Found>, MediaError> {
        for kind in [Kind::Photo, Kind::Drawing] {
            let path = kind.path(key);
            if self.objects.has(&path).await? {
                return Ok(Some(Found { kind, path }));
            }
        }
        // A folder is asked without cost.
        if self.objects.is_shared {
            // Unless it has been written meanwhile.
            self.learned.get_with_by_ref(key, || Learned::Missing);
        }
        Ok(None)
    }

    /// Whether a bucket had no such master a moment ago, and this process has not written it since.
    pub(super) fn is_missing(&self, key: &str) -> bool {
        self.learned.get(key) == Some(Learned::Missing)
    }

    pub(super) async fn load(&self, master: &Found) -> Result<Bytes, MediaError> {
        self.objects.get(&master.path).await?.ok_or(MediaError::NotFound)
    }

    /// The names of all masters, sorted.
    pub async fn list(&self) -> Result<Vec<String>, MediaError> {
        let mut names = self.objects.list().await?;
        names.retain(|name| Self::is_name(name));
        names.sort();
        Ok(names)
    }

    /// Whether a master may have this name.
    pub fn is_name(name: &str) -> bool {
        !name.contains(['/', '\\']) && (name.ends_with(".svg") || name.ends_with(".webp"))
    }

    /// # Errors
    /// [`MediaError::NotFound`] when there is none of this name.
    pub async fn read(&self, name: &str) -> Result<Bytes, MediaError> {
        self.objects.get(&Path::from(name)).await?.ok_or(MediaError::NotFound)
    }

    pub async fn has(&self, name: &str) -> Result<bool, MediaError> {
        self.objects.has(&Path::from(name)).await
    }

    /// Stores a master under the name that it has elsewhere.
    pub async fn add(&self, name: &str, bytes: Bytes) -> Result<(), MediaError> {
        self.objects.put(&Path::from(name), bytes).await
    }
}
