//! Masters, each under its key: `{key}.svg` for a drawing, `{key}.webp` for a photograph.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use moka::sync::Cache;
use object_store::path::Path;
use sha2::{Digest, Sha256};
use shop_base::config::Data;
use tokio::sync::Semaphore;

use super::error::MediaError;
use super::name::{KEY_DIGITS, hex};
use super::objects::{CALLS, Objects};

/// How long a bucket is not asked again for a master that it does not have: longer than a question takes.
const REMEMBERED: Duration = Duration::from_secs(40);
const MOST_REMEMBERED: u64 = 10_000;
/// Masters that a bucket has, of which it is not asked again.
const MOST_KNOWN: u64 = 50_000;
/// Unknown keys of which a bucket or folder is asked at a time: half of its calls, so that pictures are loaded meanwhile.
const ASKED_AT_A_TIME: usize = CALLS / 2;
/// Unknown keys of a bucket that are asked about or wait for that.
const MOST_ASKED: u16 = 512;
/// The same of a folder, which answers at once: only while it does not answer at all, so many come together.
const MOST_ASKED_OF_FOLDER: u16 = 4_096;

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

/// Bounds the questions about unknown keys, which anybody can invent. To a folder they hold threads while its file server is away.
struct Questions {
    places: Semaphore,
    turns: Semaphore,
}

/// Clones share everything.
#[derive(Clone)]
pub struct Masters {
    objects: Objects,
    /// Those that a bucket has.
    known: Cache<String, Kind>,
    /// Keys of which a bucket had none a moment ago.
    missing: Cache<String, ()>,
    questions: Arc<Questions>,
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
        let most_asked = if objects.is_shared { MOST_ASKED } else { MOST_ASKED_OF_FOLDER };
        Self {
            objects,
            known: Cache::new(MOST_KNOWN),
            missing: Cache::builder().max_capacity(MOST_REMEMBERED).time_to_live(REMEMBERED).build(),
            questions: Arc::new(Questions {
                places: Semaphore::new(usize::from(most_asked)),
                turns: Semaphore::new(ASKED_AT_A_TIME),
            }),
        }
    }

    /// Stores the bytes and returns their key.
    pub(super) async fn insert(&self, kind: Kind, bytes: Bytes) -> Result<String, MediaError> {
        let mut key = hex(&Sha256::digest(&bytes));
        key.truncate(KEY_DIGITS);
        let path = kind.path(&key);
        if !self.objects.has(&path).await? {
            self.objects.put(&path, bytes).await?;
        }
        // In this order: a question that was asked before may still be answered with no.
        self.known.insert(key.clone(), kind);
        self.missing.invalidate(&key);
        Ok(key)
    }

    /// # Errors
    /// [`MediaError::Busy`] when it is asked about too many unknown keys already.
    pub(super) async fn find(&self, key: &str) -> Result<Option<Found>, MediaError> {
        if let Some(learned) = self.learned(key) {
            return Ok(learned);
        }
        let _place = self.questions.places.try_acquire().map_err(|_| MediaError::Busy)?;
        let _turn = self.questions.turns.acquire().await.map_err(|_| MediaError::Busy)?;
        // Another rendition of it may have asked in the meantime.
        if let Some(learned) = self.learned(key) {
            return Ok(learned);
        }
        let found = self.ask(key).await?;
        match &found {
            // A folder is asked each time: that costs little, and files come and go there by hand.
            _ if !self.objects.is_shared => {}
            Some(found) => self.known.insert(key.to_owned(), found.kind),
            None => self.missing.insert(key.to_owned(), ()),
        }
        Ok(found)
    }

    /// The last answer of a bucket.
    fn learned(&self, key: &str) -> Option<Option<Found>> {
        match self.known.get(key).filter(|_| self.objects.is_shared) {
            Some(kind) => Some(Some(Found { kind, path: kind.path(key) })),
            None => self.missing.contains_key(key).then_some(None),
        }
    }

    async fn ask(&self, key: &str) -> Result<Option<Found>, MediaError> {
        for kind in [Kind::Photo, Kind::Drawing] {
            let path = kind.path(key);
            if self.objects.has(&path).await? {
                return Ok(Some(Found { kind, path }));
            }
        }
        Ok(None)
    }

    /// Takes all places of questions until it is dropped.
    #[cfg(test)]
    pub(super) fn ask_no_more(&self) -> Option<tokio::sync::SemaphorePermit<'_>> {
        self.questions.places.try_acquire_many(u32::from(MOST_ASKED)).ok()
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
