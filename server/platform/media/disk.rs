//! Disk cache of renditions: a folder of bounded size; the oldest files are evicted first.
//!
//! A file is a SHA-256 of the recipe, its name and the payload, then the payload. A file whose hash does not match (truncated by a crash,
//! altered, of another recipe or rendition) counts as absent. Files are written atomically, by renaming. Several nodes may have one folder:
//! each counts what it writes, and all delete the oldest.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;
use std::{fs, io};

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;

const CHECKSUM_BYTES: usize = 32;

#[derive(Clone)]
pub struct DiskCache {
    inner: Arc<Inner>,
}

struct Inner {
    folder: PathBuf,
    /// In bytes.
    bound: u64,
    recipe: &'static str,
    /// Bytes in the folder, at least. Locked while the folder changes.
    total: Mutex<u64>,
}

impl DiskCache {
    /// Counts the existing files in the background, so that a large folder does not delay the start.
    pub fn open(folder: PathBuf, bound: u64, recipe: &'static str) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let inner = Arc::new(Inner { folder, bound, recipe, total: Mutex::new(0) });
        let counter = Arc::clone(&inner);
        std::thread::Builder::new().name("renditions".to_owned()).spawn(move || {
            let mut total = counter.lock();
            counter.sweep(&mut total);
        })?;
        Ok(Self { inner })
    }

    pub async fn get(&self, name: String) -> Option<Bytes> {
        let inner = Arc::clone(&self.inner);
        spawn_blocking(move || inner.read(&name)).await.ok().flatten()
    }

    /// A cache that cannot be written makes the shop slower but does not stop it: the failure is only logged.
    pub async fn put(&self, name: String, payload: Bytes) {
        let inner = Arc::clone(&self.inner);
        let written = spawn_blocking(move || inner.write(&name, &payload)).await;
        if let Err(cause) = written.unwrap_or_else(|crash| Err(io::Error::other(crash))) {
            tracing::warn!(%cause, folder = %self.inner.folder.display(), "a rendition could not be kept on disk");
        }
    }
}

impl Inner {
    fn read(&self, name: &str) -> Option<Bytes> {
        let mut file = match fs::read(self.folder.join(name)) {
            Ok(file) => Bytes::from(file),
            Err(cause) => {
                if cause.kind() != ErrorKind::NotFound {
                    tracing::warn!(%cause, name, "a rendition on disk cannot be read");
                }
                return None;
            }
        };
        let payload = file.split_off(CHECKSUM_BYTES.min(file.len()));
        (file == self.checksum(name, &payload)[..]).then_some(payload)
    }

    fn write(&self, name: &str, payload: &[u8]) -> io::Result<()> {
        let content = [&self.checksum(name, payload)[..], payload].concat();
        // Another node may write into the same folder.
        let unfinished = self.folder.join(format!("unfinished-{:016x}", rand::random::<u64>()));
        let mut total = self.lock();
        let written = write_new(&unfinished, &content).and_then(|()| fs::rename(&unfinished, self.folder.join(name)));
        if written.is_err() {
            drop(fs::remove_file(&unfinished));
            return written;
        }
        *total += content.len() as u64;
        if *total > self.bound {
            self.sweep(&mut total);
        }
        Ok(())
    }

    /// Measures the folder; when it is too full, deletes the oldest files until a tenth is free, so that the next sweep is far off.
    fn sweep(&self, total: &mut u64) {
        let mut files = match self.kept() {
            Ok(files) => files,
            Err(cause) => {
                tracing::warn!(%cause, folder = %self.folder.display(), "the renditions on disk cannot be listed");
                return;
            }
        };
        *total = files.iter().map(|file| file.size).sum();
        if *total <= self.bound {
            return;
        }
        files.sort_by(|a, b| (a.written, &a.path).cmp(&(b.written, &b.path)));
        for file in files {
            if *total <= self.bound / 10 * 9 {
                break;
            }
            match fs::remove_file(&file.path) {
                Err(cause) if cause.kind() != ErrorKind::NotFound => {
                    tracing::warn!(%cause, path = %file.path.display(), "a rendition cannot be deleted");
                }
                _ => *total -= file.size,
            }
        }
    }

    fn kept(&self) -> io::Result<Vec<Kept>> {
        let mut kept = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            match entry.metadata() {
                Ok(file) => kept.push(Kept { path: entry.path(), written: file.modified()?, size: file.len() }),
                // Deleted in the meantime, by hand or by another node.
                Err(cause) if cause.kind() == ErrorKind::NotFound => {}
                Err(cause) => return Err(cause),
            }
        }
        Ok(kept)
    }

    fn checksum(&self, name: &str, payload: &[u8]) -> [u8; CHECKSUM_BYTES] {
        Sha256::new().chain_update(self.recipe).chain_update(name).chain_update(payload).finalize().into()
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.total.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[expect(clippy::disallowed_methods, reason = "beside the times that the file system writes")]
fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(content)?;
    // The system's own timestamps have a resolution of a few milliseconds, too coarse to tell which file is oldest.
    file.set_modified(SystemTime::now())
}

struct Kept {
    path: PathBuf,
    written: SystemTime,
    size: u64,
}
