//! Pictures: one master each, and renditions of it made on first request.
//!
//! A *master* is a picture as the shop keeps it: one of the project's own drawings (SVG), or an uploaded photograph, decoded and encoded
//! again so that nothing but pixels remains. Its *key* is the first 20 hexadecimal digits of the SHA-256 of its bytes: the same picture has
//! one master, and a key always stands for the same pixels. A *rendition* is a master at one of [`WIDTHS`] (pixels) in one [`Format`], or
//! the JPEG for social networks.
//!
//! Invariants:
//! - a rendition is made once, however many requests ask for it at the same time, and on at most as many threads as there are cores, all of low priority;
//! - the queue is bounded: beyond it, requests are rejected at once ([`MediaError::Busy`]), and none waits longer than the time limit; names
//!   of no picture take no place in it: the store is asked about unknown names within a bound of its own, a bucket not about the same one again soon;
//! - memory and disk caches stay under their bounds (bytes), and a cache file that is truncated, altered or of another name is never served;
//! - a photograph is never enlarged: a rendition wider than its master has the master's width.

pub mod api;
mod bucket;
mod disk;
mod error;
pub mod folder;
mod masters;
mod name;
mod objects;
mod store;
#[cfg(test)]
mod tests;
pub mod upload;
mod workers;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use bytes::Bytes;
use moka::future::Cache;
use object_store::path::Path as ObjectPath;
use picture_codec::{
    CodecError, Drawing, encode_avif, encode_jpeg, encode_webp, encode_webp_lossless, read_photo, read_webp,
};
use sha2::{Digest, Sha256};
use shop_base::config::Data;
use shop_base::trace;

use self::disk::DiskCache;
pub use self::error::MediaError;
use self::masters::Kind;
pub use self::masters::Masters;
use self::name::hex;
pub use self::name::{Format, OPEN_GRAPH_WIDTH, RenditionName, WIDTHS};
use self::objects::Objects;
use self::workers::Workers;
pub use self::workers::lower_priority;
use crate::web::places::Places;

/// Raised whenever the encoders would produce other bytes for the same master: cached renditions are then made anew.
const RECIPE: &str = "1";
/// Uploads whose files may be in memory: one is being decoded, the others arrive or wait.
const UPLOADS: usize = 5;

/// A picture the shop keeps. Sizes in pixels; a drawing has the size it states, but can be rendered sharply at any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Master {
    pub key: String,
    pub width: u32,
    pub height: u32,
}

/// A picture ready to send.
#[derive(Clone, Debug)]
pub struct Rendition {
    pub bytes: Bytes,
    pub content_type: &'static str,
    /// Strong, including the quotes.
    pub etag: String,
}

/// Bounds of the pipeline.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Renditions kept in memory, in bytes.
    pub memory: u64,
    /// Renditions kept on disk, in bytes.
    pub disk: u64,
    /// Renditions made at the same time.
    pub workers: usize,
    /// Renditions that may wait for a worker.
    pub queue: usize,
    /// How long a request waits for a rendition. It is finished and cached even after that.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: 64 * 1024 * 1024,
            disk: 1024 * 1024 * 1024,
            workers: available_parallelism().map_or(1, usize::from),
            queue: 512,
            patience: Duration::from_secs(20),
        }
    }
}

/// The pipeline. Clones share everything.
#[derive(Clone)]
pub struct Media {
    objects: Objects,
    masters: Masters,
    memory: Cache<RenditionName, Rendition>,
    disk: DiskCache,
    workers: Workers,
    /// For uploads, from before their files arrive.
    pub places: Places,
    /// One at a time: decoding an untrusted file can take half a gigabyte.
    readers: Workers,
    patience: Duration,
    made: Arc<AtomicU64>,
}

impl Media {
    /// Keeps masters where the settings say, and cached renditions in a folder, within the default limits.
    ///
    /// # Errors
    /// When the folders neither exist nor can be created. A bucket is not asked.
    pub fn open(data: &Data) -> Result<Self, MediaError> {
        Self::new(Objects::open(data)?, &data.folder.join("renditions"), &Limits::default())
    }

    fn new(objects: Objects, cache: &Path, limits: &Limits) -> Result<Self, MediaError> {
        let disk = DiskCache::open(cache.to_owned(), limits.disk, RECIPE)
            .map_err(|cause| MediaError::Folder { folder: cache.to_owned(), cause: Arc::new(cause) })?;
        let weight = |name: &RenditionName, rendition: &Rendition| {
            u32::try_from(rendition.bytes.len() + rendition.etag.len() + name.key().len()).unwrap_or(u32::MAX)
        };
        let workers =
            |at_a_time, waiting| Workers::new(at_a_time, waiting).map_err(|cause| MediaError::Threads(Arc::new(cause)));
        Ok(Self {
            masters: Masters::new(objects.clone()),
            objects,
            memory: Cache::builder().max_capacity(limits.memory).weigher(weight).build(),
            disk,
            workers: workers(limits.workers, limits.queue)?,
            places: Places::new(UPLOADS),
            readers: workers(1, UPLOADS - 1)?,
            patience: limits.patience,
            made: Arc::default(),
        })
    }

    /// Decodes an untrusted photograph (JPEG, PNG or still WebP) and stores it upright, in sRGB, without metadata, no side above 2,560
    /// pixels. The same file twice is one master.
    ///
    /// # Errors
    /// [`MediaError::Refused`] says what is wrong with the file, in words for whoever uploaded it.
    pub async fn put(&self, file: Bytes) -> Result<Master, MediaError> {
        let reader = self.readers.hire().await?;
        let read = reader.run(move || {
            let raster = read_photo(&file)?;
            Ok((raster.width(), raster.height(), encode_webp_lossless(&raster)?))
        });
        let (width, height, bytes) = read.await.map_err(|_| MediaError::Crashed)?.map_err(MediaError::Refused)?;
        let key = self.masters.insert(Kind::Photo, bytes.into()).await?;
        Ok(Master { key, width, height })
    }

    /// Stores one of the project's own drawings. Never pass it an untrusted file.
    ///
    /// # Errors
    /// [`MediaError::Refused`] when it is not a usable SVG.
    pub async fn put_drawing(&self, svg: &str) -> Result<Master, MediaError> {
        let drawing = Drawing::parse(svg).map_err(MediaError::Refused)?;
        let key = self.masters.insert(Kind::Drawing, Bytes::copy_from_slice(svg.as_bytes())).await?;
        Ok(Master { key, width: drawing.width(), height: drawing.height() })
    }

    /// The rendition of that name: from memory, from disk, from the bucket where another node has put it, or made now.
    ///
    /// # Errors
    /// [`MediaError::NotFound`] without such a master; [`MediaError::Busy`], [`MediaError::Timeout`] and [`MediaError::Store`] are temporary.
    pub async fn rendition(&self, name: &RenditionName) -> Result<Rendition, MediaError> {
        if let Some(rendition) = self.memory.get(name).await {
            return Ok(rendition);
        }
        // In a task of its own: a visitor who disconnects does not cancel what others wait for.
        let (media, wanted) = (self.clone(), name.clone());
        let task =
            trace::spawn(async move { media.memory.try_get_with(wanted.clone(), media.find_or_make(&wanted)).await });
        match tokio::time::timeout(self.patience, task).await {
            Err(_) => Err(MediaError::Timeout),
            Ok(Err(_)) => Err(MediaError::Crashed),
            Ok(Ok(made)) => made.map_err(Arc::unwrap_or_clone),
        }
    }

    /// Writes an object to the store, reads it back and deletes it.
    pub async fn check(&self) -> Result<(), MediaError> {
        // Beside the masters, as another folder may be writable when theirs is not; of its own name, as others may check at the same time.
        let path = ObjectPath::from(format!("check-{:016x}", rand::random::<u64>()));
        let bytes = Bytes::from_static(b"is the store there?");
        self.objects.put(&path, bytes.clone()).await?;
        let kept = self.objects.get(&path).await?;
        self.objects.delete(&path).await?;
        // Asked with a key that may not list, S3 forbids to know what is not there.
        let is_gone = !self.objects.has(&path).await?;
        if kept == Some(bytes) && is_gone { Ok(()) } else { Err(MediaError::Damaged) }
    }

    /// How many renditions are in memory, and their bytes; both are updated with a delay.
    pub fn figures(&self) -> (u64, u64) {
        (self.memory.entry_count(), self.memory.weighted_size())
    }

    /// Renditions made since the start, for operators.
    pub fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    async fn find_or_make(&self, name: &RenditionName) -> Result<Rendition, MediaError> {
        if let Some(bytes) = self.disk.get(name.to_string()).await {
            return Ok(ready(name, bytes));
        }
        // Anybody can invent names: only those of pictures take a place in the queue.
        let master = self.masters.find(name.key()).await?.ok_or(MediaError::NotFound)?;
        let place = self.workers.place()?;
        if let Some(bytes) = self.shared(name).await? {
            self.disk.put(name.to_string(), bytes.clone()).await;
            return Ok(ready(name, bytes));
        }
        let worker = self.workers.hire_for(place).await?;
        let source = self.masters.load(&master).await?;
        let wanted = name.clone();
        let made = worker.run(move || make(master.kind, &source, &wanted)).await.map_err(|_| MediaError::Crashed)?;
        let bytes = Bytes::from(made.map_err(|cause| MediaError::Broken { key: name.key().to_owned(), cause })?);
        self.made.fetch_add(1, Ordering::Relaxed);
        self.disk.put(name.to_string(), bytes.clone()).await;
        self.share(name, bytes.clone());
        Ok(ready(name, bytes))
    }

    /// What another node has made.
    async fn shared(&self, name: &RenditionName) -> Result<Option<Bytes>, MediaError> {
        if self.objects.is_shared { self.objects.get(&shared_path(name)).await } else { Ok(None) }
    }

    /// Lets other nodes have a rendition, while this one goes on. If it fails, they make their own.
    fn share(&self, name: &RenditionName, bytes: Bytes) {
        if self.objects.is_shared {
            let (objects, path) = (self.objects.clone(), shared_path(name));
            tokio::spawn(async move { objects.put(&path, bytes).await });
        }
    }
}

fn shared_path(name: &RenditionName) -> ObjectPath {
    ObjectPath::from(format!("renditions/{RECIPE}/{name}"))
}

fn ready(name: &RenditionName, bytes: Bytes) -> Rendition {
    let etag = format!("\"{:.16}\"", hex(&Sha256::digest(&bytes)));
    Rendition { bytes, content_type: name.format().content_type(), etag }
}

fn make(kind: Kind, master: &[u8], name: &RenditionName) -> Result<Vec<u8>, CodecError> {
    let raster = match kind {
        Kind::Photo => read_webp(master)?.shrunk_to_width(name.width())?,
        Kind::Drawing => {
            let svg = std::str::from_utf8(master).map_err(|cause| CodecError::Drawing(cause.to_string()))?;
            Drawing::parse(svg)?.raster(name.width())?
        }
    };
    match name.format() {
        Format::Avif => encode_avif(&raster),
        Format::WebP => encode_webp(&raster),
        Format::Jpeg => encode_jpeg(&raster),
    }
}
