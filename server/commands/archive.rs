//! The file of a backup: a tar archive, compressed with zstd and encrypted with age if wanted. It begins with `manifest.json` and ends
//! with `SHA256SUMS`, so that it can be unpacked and checked without the shop:
//! `age --decrypt --identity KEYS FILE | tar --extract --zstd && sha256sum --check SHA256SUMS`.
//!
//! It is written and read as a stream, part by part.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shop_base::db::backup::Contents;

pub const MANIFEST: &str = "manifest.json";
const SUMS: &str = "SHA256SUMS";
/// The first bytes of a file that age has encrypted.
const SEALED: &[u8] = b"age-encryption.org/";
/// zstd's own default.
const LEVEL: i32 = 3;

/// What a backup contains.
#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Raised when a former release could not read the file.
    pub format: u32,
    /// UTC milliseconds; everything committed before is contained.
    pub made_at: i64,
    /// The version of the program.
    pub release: String,
    pub database: Contents,
}

impl Manifest {
    pub const FORMAT: u32 = 1;
}

/// Why a file is no backup.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    #[error("the backup is encrypted: name the file with the secret key with --key-file")]
    Sealed,
    #[error("the backup cannot be decrypted with this key: {0}")]
    WrongKey(age::DecryptError),
    #[error("the backup cannot be encrypted: {0}")]
    Key(age::EncryptError),
}

/// Where the compressed bytes go.
enum Sink {
    Plain(BufWriter<File>),
    Sealed(Box<age::stream::StreamWriter<BufWriter<File>>>),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            Self::Sealed(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Sealed(stream) => stream.flush(),
        }
    }
}

/// A backup that is being written.
pub struct Writer {
    tar: tar::Builder<zstd::Encoder<'static, Sink>>,
    sums: String,
}

impl Writer {
    /// Begins in an empty file.
    pub fn new(file: File, key: Option<&age::x25519::Recipient>) -> Result<Self, ArchiveError> {
        let file = BufWriter::new(file);
        let sink = match key {
            None => Sink::Plain(file),
            Some(key) => {
                let keys = std::iter::once(key as &dyn age::Recipient);
                let encryptor = age::Encryptor::with_recipients(keys).map_err(ArchiveError::Key)?;
                Sink::Sealed(Box::new(encryptor.wrap_output(file)?))
            }
        };
        let mut compressed = zstd::Encoder::new(sink, LEVEL)?;
        compressed.include_checksum(true)?;
        let tar = tar::Builder::new(compressed);
        Ok(Self { tar, sums: String::new() })
    }

    pub fn write(&mut self, name: &str, size: u64, bytes: &mut dyn Read) -> io::Result<()> {
        let mut hashing = Hashing { bytes: bytes.take(size), hash: Sha256::new() };
        let mut header = tar::Header::new_ustar();
        header.set_size(size);
        header.set_mode(0o600);
        self.tar.append_data(&mut header, name, &mut hashing)?;
        if hashing.bytes.limit() > 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, format!("{name} has become shorter")));
        }
        self.sums.push_str(&sum_line(name, hashing.hash));
        Ok(())
    }

    /// Writes the checksums and waits until everything is on the disk. Returns the size in bytes.
    pub fn finish(mut self) -> io::Result<u64> {
        let sums = std::mem::take(&mut self.sums);
        self.write(SUMS, sums.len() as u64, &mut sums.as_bytes())?;
        let file = match self.tar.into_inner()?.finish()? {
            Sink::Plain(file) => file,
            Sink::Sealed(stream) => stream.finish()?,
        };
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        file.stream_position()
    }
}

/// As `sha256sum` writes it.
fn sum_line(name: &str, hash: Sha256) -> String {
    let digits: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{digits}  {name}\n")
}

/// Hashes what is read.
struct Hashing<R> {
    bytes: R,
    hash: Sha256,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(into)?;
        self.hash.update(&into[..read]);
        Ok(read)
    }
}

/// A backup that is being read.
pub struct Archive(tar::Archive<Box<dyn Read>>);

impl Archive {
    pub fn open(path: &Path, key: Option<&age::x25519::Identity>) -> Result<Self, ArchiveError> {
        let mut file = File::open(path)?;
        let mut begins = Vec::new();
        (&file).take(SEALED.len() as u64).read_to_end(&mut begins)?;
        file.rewind()?;
        let file = BufReader::new(file);
        let plain: Box<dyn Read> = if begins == SEALED {
            let key = key.ok_or(ArchiveError::Sealed)?;
            let decryptor = age::Decryptor::new_buffered(file).map_err(ArchiveError::WrongKey)?;
            Box::new(decryptor.decrypt(std::iter::once(key as &dyn age::Identity)).map_err(ArchiveError::WrongKey)?)
        } else {
            Box::new(file)
        };
        let plain = zstd::Decoder::new(plain).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
        Ok(Self(tar::Archive::new(Box::new(plain))))
    }

    /// The parts in their order; each must be read before the next.
    pub fn parts(&mut self) -> Result<Parts<'_>, ArchiveError> {
        Ok(Parts { entries: self.0.entries()?, sums: String::new(), expected: None })
    }

    /// Reads the rest, which has nothing but checksums of other layers.
    pub fn end(self) -> Result<(), ArchiveError> {
        io::copy(&mut self.0.into_inner(), &mut io::sink()).map_err(damaged)?;
        Ok(())
    }
}

pub struct Parts<'a> {
    entries: tar::Entries<'a, Box<dyn Read>>,
    sums: String,
    /// The checksums in the file, once they are reached.
    expected: Option<String>,
}

/// A part of which the bytes can be read.
pub struct Part<'a> {
    pub name: String,
    bytes: Hashing<tar::Entry<'a, Box<dyn Read>>>,
}

impl Read for Part<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(into)
    }
}

impl<'a> Parts<'a> {
    /// The next part, which must be given back to [`Self::done`].
    pub fn next(&mut self) -> Result<Option<Part<'a>>, ArchiveError> {
        let Some(entry) = self.entries.next() else { return Ok(None) };
        let mut entry = entry.map_err(damaged)?;
        let name = entry.path().map_err(damaged)?.to_string_lossy().into_owned();
        if self.expected.is_some() {
            return Err(ArchiveError::Damaged(format!("{name} follows the end")));
        }
        if name == SUMS {
            let mut expected = String::new();
            entry.read_to_string(&mut expected).map_err(damaged)?;
            self.expected = Some(expected);
            return self.next();
        }
        Ok(Some(Part { name, bytes: Hashing { bytes: entry, hash: Sha256::new() } }))
    }

    /// Notes the checksum of a part, whose rest is skipped.
    pub fn done(&mut self, mut part: Part<'_>) -> Result<(), ArchiveError> {
        io::copy(&mut part, &mut io::sink()).map_err(damaged)?;
        self.sums.push_str(&sum_line(&part.name, part.bytes.hash));
        Ok(())
    }

    /// To be called after the last part: whether all parts are there, and as they were written.
    pub fn verify(self) -> Result<(), ArchiveError> {
        let Some(expected) = self.expected else {
            return Err(ArchiveError::Damaged("its end is missing".to_owned()));
        };
        if expected == self.sums {
            return Ok(());
        }
        let differs = expected.lines().find(|line| !self.sums.lines().any(|sum| sum == *line)).unwrap_or_default();
        let name = differs.split_once("  ").map_or(SUMS, |(_, name)| name);
        Err(ArchiveError::Damaged(format!("the checksum of {name} is wrong")))
    }
}

pub fn damaged(error: io::Error) -> ArchiveError {
    ArchiveError::Damaged(error.to_string())
}
