//! `shop backup`: database and pictures in one file, while the shop goes on.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use shop_base::clock::{Clock, SystemClock};
use shop_base::config::Config;
use shop_base::db::backup::{Source, remove_scratch};
use shop_base::private_file;
use shop_domain::catalog::store::SHOWN_PICTURES;
use shop_platform::media::{Masters, MediaError};

use super::archive::{MANIFEST, Manifest, Writer};
use super::env_file::{EnvFile, Failure};
use super::missing_pictures::MissingPictures;
use super::stopping::Stopping;

/// The folder of the pictures in a backup and in an export.
pub const PICTURES: &str = "pictures";

#[derive(Args)]
pub struct Arguments {
    /// The file to write; it must not exist yet
    file: PathBuf,
    #[command(flatten)]
    pub env_file: EnvFile,
}

/// A complete file.
struct Written {
    /// In bytes.
    size: u64,
    missing: MissingPictures,
    /// Tables and columns that are not the shop's, and not in it.
    foreign: Vec<String>,
}

pub async fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let config = arguments.env_file.config()?;
    let key = config.backup_key.as_deref().map(public_key).transpose()?;
    let (file, started) = (arguments.file, Instant::now());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    remove_left(folder);
    // Under its own name only when it is complete.
    let partial = beside(&file, "partial");
    let scratch = beside(&partial, "database");
    let stopping = Stopping::listen("stopped")?;
    let begun = begin(&partial)?;
    // Until it has its own name, which no other backup can take meanwhile.
    let _lock = begun.try_clone()?;
    if file.exists() {
        drop(fs::remove_file(&partial));
        return Err(format!("{} exists already: name another file", file.display()).into());
    }
    let written = stopping.unless_told(write(&config, begun, &scratch, key.as_ref(), &stopping)).await;
    let written = written.and_then(|written| Ok(fs::rename(&partial, &file).map(|()| written)?));
    let Written { size, missing, foreign } = written.map_err(|error| {
        drop(fs::remove_file(&partial));
        format!("{} was not written: {error}", file.display())
    })?;
    let (seconds, megabytes) = (started.elapsed().as_secs_f64(), size as f64 / 1e6);
    // The file is there, whether this can be printed or not.
    let _ = writeln!(io::stdout(), "{}: {megabytes:.1} MB in {seconds:.1} s", file.display());
    if key.is_none() {
        let _ = writeln!(
            io::stdout(),
            "It contains personal data and is not encrypted: set SHOP_BACKUP_KEY, see shop backup-key"
        );
    }
    if !foreign.is_empty() {
        let foreign = foreign.join(", ");
        let _ = writeln!(io::stdout(), "What is not the shop's is not in the file: {foreign}.");
    }
    Ok(missing.report(&config))
}

/// Reads `SHOP_BACKUP_KEY`.
pub fn public_key(text: &str) -> Result<age::x25519::Recipient, Failure> {
    let named = |error| format!("SHOP_BACKUP_KEY is not a public key as shop backup-key prints it: {error}");
    Ok(text.trim().parse().map_err(named)?)
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Removes what backups to any name have left in a folder when they were killed.
fn remove_left(folder: &Path) {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for partial in files.filter(|file| file.extension().is_some_and(|ending| ending == "partial")) {
        let scratch = beside(&partial, "database");
        // Without such a copy beside it, it may be another program's.
        if scratch.exists()
            && let Err(error) = remove_unless_written(&partial, &scratch)
            && scratch.exists()
        {
            let file = scratch.display();
            tracing::warn!(%file, %error, "a killed backup has left a copy of the database that is not encrypted: remove it");
        }
    }
}

fn remove_unless_written(partial: &Path, scratch: &Path) -> io::Result<()> {
    let left = OpenOptions::new().write(true).open(partial)?;
    if left.try_lock().is_ok() && is_at(&left, partial) {
        remove_scratch(scratch)?;
        fs::remove_file(partial)?;
    }
    Ok(())
}

/// Makes the file and locks it. The lock ends with the process, so it tells a backup that is being written from one that was killed.
fn begin(partial: &Path) -> Result<File, Failure> {
    let busy = || format!("another backup writes {}: wait for its end, or name another file", partial.display());
    let named = |error: io::Error| format!("{}: {error}", partial.display());
    match OpenOptions::new().write(true).open(partial) {
        Ok(left) if !lock(&left) || !is_at(&left, partial) => return Err(busy().into()),
        Ok(_) => fs::remove_file(partial).map_err(named)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(named(error).into()),
    }
    let file = private_file::create(partial).map_err(named)?;
    if !lock(&file) || !is_at(&file, partial) {
        return Err(busy().into());
    }
    Ok(file)
}

/// False when another process has locked the file. Where files cannot be locked, none has.
fn lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Whether a file that was opened still has its name: another backup may have renamed or removed it before this one locked it.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |found: io::Result<fs::Metadata>| found.ok().map(|found| (found.dev(), found.ino()));
    place(file.metadata()) == place(fs::metadata(path))
}

/// Elsewhere an open file keeps its name.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

async fn write(
    config: &Config,
    file: File,
    scratch: &Path,
    key: Option<&age::x25519::Recipient>,
    stopping: &Stopping,
) -> Result<Written, Failure> {
    let mut archive = Writer::new(file, key)?;
    let made_at = SystemClock.now_ms();
    let mut source = Source::open(config.data.database.expose(), scratch, SHOWN_PICTURES).await?;
    let (shown, foreign) = (mem::take(&mut source.rows), mem::take(&mut source.foreign));
    let manifest = Manifest {
        format: Manifest::FORMAT,
        made_at,
        release: env!("CARGO_PKG_VERSION").to_owned(),
        database: source.contents.clone(),
    };
    let manifest = serde_json::to_vec_pretty(&manifest)?;
    archive.write(MANIFEST, manifest.len() as u64, &mut manifest.as_slice())?;
    source.read(|name, size, bytes| archive.write(name, size, &mut stopping.until(bytes))).await?;
    // After the database, so that no row lacks its picture; the shop only adds pictures.
    let masters = Masters::open(&config.data)?;
    let mut copied = Vec::new();
    for name in masters.list().await? {
        let picture = match masters.read(&name).await {
            Ok(picture) => picture,
            // Somebody has just removed it.
            Err(MediaError::NotFound) => continue,
            Err(error) => return Err(error.into()),
        };
        archive.write(&format!("{PICTURES}/{name}"), picture.len() as u64, &mut picture.as_ref())?;
        copied.push(name);
    }
    let missing = MissingPictures::find(config, shown, &copied)?;
    Ok(Written { size: archive.finish()?, missing, foreign })
}
