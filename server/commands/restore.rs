//! `shop restore`: puts a backup in the place of the shop's database and adds its pictures.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use serde_json::json;
use shop_base::clock::SystemClock;
use shop_base::config::Config;
use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::db::backup::Target;
use shop_base::transaction;
use shop_domain::sales::flows::compare;
use shop_domain::{identity, privacy, retention};
use shop_platform::audit;
use shop_platform::audit::model::{Change, Subject};
use shop_platform::media::Masters;
use uuid::Uuid;

use super::archive::{Archive, ArchiveError, MANIFEST, Manifest, Part, damaged};
use super::backup::PICTURES;
use super::env_file::{EnvFile, Failure};
use super::stopping::Stopping;

#[derive(Args)]
pub struct Arguments {
    /// A file that `shop backup` has written
    file: PathBuf,
    /// The file with the secret key, for a backup that is encrypted
    #[arg(long)]
    key_file: Option<PathBuf>,
    /// Replace the database that is there
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    pub env_file: EnvFile,
}

pub async fn run(arguments: Arguments) -> Result<(), Failure> {
    let stopping = Stopping::listen("stopped: nothing was restored")?;
    let config = arguments.env_file.config()?;
    let key = arguments.key_file.as_deref().map(read_key).transpose()?;
    let open = || {
        let named = |error: ArchiveError| format!("{}: {error}", arguments.file.display());
        Archive::open(&arguments.file, key.as_ref()).map_err(named)
    };
    let started = Instant::now();
    let manifest = verify(open()?, &stopping).map_err(|error| format!("{}: {error}", arguments.file.display()))?;
    let locking = async { Ok::<_, Failure>(Target::lock(config.data.database.expose()).await?) };
    let mut target = stopping.unless_told(locking).await?;
    if target.system() != manifest.database.system {
        let (theirs, ours) = (manifest.database.system, target.system());
        return Err(format!("the backup is of {theirs:?}, and SHOP_DATABASE of {ours:?}").into());
    }
    let known: Vec<&str> = retention::model::TABLES.iter().map(|(table, _)| *table).collect();
    let is_empty = target.is_empty(&known).await?;
    if !is_empty && !arguments.replace {
        return Err("there is a database already: with --replace it is replaced, and what it has is lost".into());
    }
    let erased = match is_empty {
        true => Vec::new(),
        false => stopping.unless_told(async { Ok::<_, Failure>(list_erased(&target).await) }).await?,
    };
    let (pictures, erased_again) = match make_ready(open, &mut target, config, &manifest, &erased, &stopping).await {
        Ok(made) => made,
        Err(error) => {
            if let Err(left) = target.abandon().await {
                tracing::warn!(error = %left, "the unfinished copy of the database cannot be removed");
            }
            return Err(error);
        }
    };
    target.replace().await?;
    let seconds = started.elapsed().as_secs_f64();
    let made_at = shop_base::clock::timestamp(manifest.made_at);
    // The database is replaced, whether this can be printed or not.
    let _ = writeln!(io::stdout(), "The backup of {made_at} is restored with {pictures} pictures, in {seconds:.1} s.");
    let _ = writeln!(io::stdout(), "All sessions are over. Accounts erased again: {erased_again}.");
    if is_empty {
        let _ = writeln!(
            io::stdout(),
            "Accounts that were erased after the backup are back: see Backup in docs/OPERATIONS.md."
        );
    }
    Ok(())
}

fn read_key(file: &Path) -> Result<age::x25519::Identity, Failure> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = fs::read_to_string(file).map_err(|error| named(&error))?;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    let is_none = |error| format!("{} has no secret key as shop backup-key writes it: {error}", file.display());
    Ok(line.unwrap_or_default().parse().map_err(is_none)?)
}

/// Reads the whole file and checks every part before anything is changed.
fn verify(mut archive: Archive, stopping: &Stopping) -> Result<Manifest, Failure> {
    let mut manifest = None;
    let mut parts = archive.parts()?;
    while let Some(mut part) = parts.next()? {
        if part.name == MANIFEST {
            manifest = Some(read_manifest(&mut part)?);
        } else if manifest.is_none() {
            break;
        }
        let read = io::copy(&mut stopping.until(&mut part), &mut io::sink());
        stopping.check()?;
        read.map_err(damaged)?;
        parts.done(part)?;
    }
    let manifest = manifest.ok_or("it is not a backup: it does not begin with a manifest")?;
    parts.verify()?;
    archive.end()?;
    Ok(manifest)
}

fn read_manifest(part: &mut Part<'_>) -> Result<Manifest, Failure> {
    let manifest: Manifest = serde_json::from_reader(part).map_err(|error| format!("the manifest: {error}"))?;
    if manifest.format > Manifest::FORMAT {
        return Err(format!("it was made by the newer release {}: use that one", manifest.release).into());
    }
    Ok(manifest)
}

/// Makes a copy ready beside the database; returns how many pictures were added and how many accounts were erased again.
async fn make_ready(
    open: impl Fn() -> Result<Archive, String>,
    target: &mut Target,
    config: Config,
    manifest: &Manifest,
    erased: &[Uuid],
    stopping: &Stopping,
) -> Result<(usize, usize), Failure> {
    target.prepare(&manifest.database).await?;
    let pictures = load(open()?, target, manifest, &Masters::open(&config.data)?, stopping).await?;
    let erased_again = finish(target, config, manifest, erased).await?;
    stopping.check()?;
    Ok((pictures, erased_again))
}

/// Loads all parts beside the database; returns the number of pictures.
async fn load(
    mut archive: Archive,
    target: &mut Target,
    manifest: &Manifest,
    masters: &Masters,
    stopping: &Stopping,
) -> Result<usize, Failure> {
    let mut loaded = 0;
    let mut parts = archive.parts()?;
    while let Some(mut part) = parts.next()? {
        if let Some(name) = part.name.strip_prefix(PICTURES).and_then(|name| name.strip_prefix('/')) {
            let name = name.to_owned();
            stopping.unless_told(add_picture(&mut part, masters, &name)).await?;
            loaded += 1;
        } else if part.name != MANIFEST {
            let name = part.name.clone();
            target.load(&manifest.database, &name, &mut stopping.until(&mut part)).await?;
        }
        parts.done(part)?;
    }
    // The file might have changed since it was verified.
    parts.verify()?;
    Ok(loaded)
}

async fn add_picture(part: &mut Part<'_>, masters: &Masters, name: &str) -> Result<(), Failure> {
    if !Masters::is_name(name) {
        return Err(format!("the backup has a picture with a strange name: {name}").into());
    }
    let mut picture = Vec::new();
    part.read_to_end(&mut picture)?;
    Ok(masters.add(name, picture.into()).await?)
}

/// Users erased in the database that is about to be replaced. One that cannot be read must not prevent its own repair.
async fn list_erased(target: &Target) -> Vec<Uuid> {
    let list = async {
        let db = target.former().await?;
        let erased = identity::service::list_erased(&db).await?;
        db.close().await;
        Ok::<_, Failure>(erased)
    };
    list.await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the former database cannot be read: accounts that were erased in it are back");
        Vec::new()
    })
}

/// Brings the loaded copy up to date and adapts it; returns the number of accounts that were erased again.
async fn finish(target: &mut Target, config: Config, manifest: &Manifest, erased: &[Uuid]) -> Result<usize, Failure> {
    let cx = Context { clock: Arc::new(SystemClock), config: Arc::new(config), db: target.loaded().await? };
    let adapted = adapt(&cx, manifest, erased).await;
    // Also after a failure: what is open cannot be removed.
    cx.db.close().await;
    adapted
}

/// Adapts the loaded copy to the present: ends sessions, erases accounts again, and has the provider's records compared from the time of
/// the backup on.
async fn adapt(cx: &Context, manifest: &Manifest, erased: &[Uuid]) -> Result<usize, Failure> {
    let mut erased_again = 0;
    for &user in erased {
        if let Some(session) = identity::service::on_behalf(cx, user).await.map_err(|error| error.message())? {
            privacy::erase_again(cx, &session).await.map_err(|error| error.message())?;
            erased_again += 1;
        }
    }
    if cx.config.square.is_some() {
        compare::go_back(cx, manifest.made_at).await?;
    }
    let ended: Result<(), DbError> = transaction!(cx.db, conn => {
        identity::service::end_all_sessions(conn).await?;
        let actor = identity::service::command_line(conn, cx.clock.as_ref()).await?;
        let after = json!({ "made_at": manifest.made_at, "erased_again": erased_again });
        let change = Change::new("database.restore", Subject::new("setting", "database", "Database"), after);
        audit::service::record(conn, cx.clock.as_ref(), &actor, &change).await
    });
    ended?;
    Ok(erased_again)
}
