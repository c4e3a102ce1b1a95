//! `shop restore`: puts a backup in the place of the shop's database and adds its pictures.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;
use shop_base::clock::SystemClock;
use shop_base::config::Config;
use shop_base::context::Context;
use shop_base::db::backup::{CopyError, Target};
use shop_base::db::{Db, DbError};
use shop_base::transaction;
use shop_domain::identity::standing::{self, TakenAway};
use shop_domain::identity::store::{ErasedSubject, Standing};
use shop_domain::sales::flows::compare;
use shop_domain::{identity, privacy};
use shop_platform::audit;
use shop_platform::audit::model::{Change, Subject};
use shop_platform::media::Masters;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::archive::{Archive, ArchiveError, MANIFEST, Manifest, Part, damaged};
use super::backup::PICTURES;
use super::env_file::{EnvFile, Failure};
use super::stopping::Stopping;

/// Before it tries again where others use a table.
const RETRY: Duration = Duration::from_secs(2);
/// For the answer to what replaces the database: a server whose machine is lost at that moment never gives it, and one that has much to delete,
/// or waits for a replica, gives it late.
const LAST_ANSWER: Duration = Duration::from_mins(5);
/// For the same answer once the command is told to stop, and for that to a part of a table: mostly it is on its way.
const ANSWER_WHEN_STOPPED: Duration = Duration::from_secs(3);
/// To remove a copy: the server may be lost. A lock that others have takes three seconds of it, and one for which a statement was waiting, as many.
const REMOVAL: Duration = Duration::from_secs(10);

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

/// What the database that is replaced says of accounts.
#[derive(Default)]
struct Former {
    erased: Vec<Uuid>,
    erased_subjects: Vec<ErasedSubject>,
    /// None if it is not what the shop's database has become since the backup: then nobody can say which of the two is newer.
    standings: Option<Vec<Standing>>,
}

/// A backup that may be restored.
struct Checked {
    key: Option<age::x25519::Identity>,
    manifest: Manifest,
    /// What goes with the replaced database though it is not the shop's.
    foreign: String,
    /// Whether there is nothing to be replaced.
    is_empty: bool,
}

/// What was changed in the loaded copy.
struct Adapted {
    erased_again: usize,
    /// None if there was nothing to hold the copy against.
    taken: Option<TakenAway>,
}

pub async fn run(arguments: Arguments) -> Result<(), Failure> {
    let stopping = Stopping::listen("stopped: nothing was restored")?;
    let config = arguments.env_file.config()?;
    // Before anything else: what an interrupted restore has set aside is put back, also if there is no good backup at hand.
    let locking = async { Ok::<_, Failure>(Target::lock(config.data.database.expose()).await?) };
    let mut target = stopping.unless_told(locking).await?;
    let started = Instant::now();
    let checked = match stopping.unless_told(check(&arguments, &mut target, &stopping)).await {
        Ok(checked) => checked,
        Err(error) => {
            abandon(target).await;
            return Err(error);
        }
    };
    let takes_cards = config.square.is_some();
    let (pictures, adapted) = match put_in_place(&arguments, config, &mut target, &checked, &stopping).await {
        Ok(made) => made,
        Err(error) => {
            abandon(target).await;
            return Err(error);
        }
    };
    let Checked { manifest, foreign, is_empty, .. } = checked;
    let seconds = started.elapsed().as_secs_f64();
    let made_at = shop_base::clock::timestamp(manifest.made_at);
    // The database is replaced, whether this can be printed or not.
    let _ = writeln!(io::stdout(), "The backup of {made_at} is restored in {seconds:.1} s. Pictures: {pictures}.");
    if !foreign.is_empty() {
        let _ = writeln!(io::stdout(), "Gone with the replaced database, as this release does not know it: {foreign}.");
    }
    let _ = tell(&adapted, is_empty, takes_cards);
    target.settle().await;
    Ok(())
}

/// Removes what there is of a copy, also that of a restore that was killed: it has all that the backup knows of customers.
async fn abandon(target: Target) {
    let removal = target.removal();
    let abandoned = timeout(REMOVAL, target.abandon()).await;
    if let Err(error) = abandoned.unwrap_or_else(|_| Err(CopyError::Io(io::ErrorKind::TimedOut.into()))) {
        tracing::warn!(
            %error,
            "what there is of a copy of the database cannot be removed: the next restore does that (not beside a running \
             shop), or {removal}"
        );
    }
}

/// Reads the whole file, and refuses what must not be restored, before anything is changed.
async fn check(arguments: &Arguments, target: &mut Target, stopping: &Stopping) -> Result<Checked, Failure> {
    let key = arguments.key_file.as_deref().map(read_key).transpose()?;
    let named = |error: Failure| format!("{}: {error}", arguments.file.display());
    let manifest = verify(open(arguments, key.as_ref())?, stopping).map_err(named)?;
    if target.system() != manifest.database.system {
        let (theirs, ours) = (manifest.database.system, target.system());
        return Err(format!("the backup is of {theirs:?}, and SHOP_DATABASE of {ours:?}").into());
    }
    let foreign = target.foreign().await?.join(", ");
    let is_empty = target.is_empty().await?;
    if !is_empty && !arguments.replace {
        let also = if foreign.is_empty() { String::new() } else { format!(", {foreign} included") };
        let refusal = "there is a database already: with --replace it is replaced, and what it has is lost";
        return Err(format!("{refusal}{also}").into());
    }
    Ok(Checked { key, manifest, foreign, is_empty })
}

fn open(arguments: &Arguments, key: Option<&age::x25519::Identity>) -> Result<Archive, String> {
    let named = |error: ArchiveError| format!("{}: {error}", arguments.file.display());
    Archive::open(&arguments.file, key).map_err(named)
}

/// Says what is different from the backup, and what is not although it may have to be.
fn tell(adapted: &Adapted, is_empty: bool, takes_cards: bool) -> io::Result<()> {
    let (mut out, Adapted { erased_again, taken }) = (io::stdout(), adapted);
    let note = match taken {
        None if !is_empty => {
            "blocks and roles are those of the backup, since those of the replaced database may be older: its audit log \
             cannot be read, or does not continue that of the backup"
        }
        _ => "that is all that the replaced database knew of",
    };
    let TakenAway { blocked, roles } = taken.unwrap_or_default();
    writeln!(
        out,
        "All sessions are over. Accounts erased again: {erased_again}, blocked again: {blocked}, with roles taken away: \
         {roles}; {note}."
    )?;
    writeln!(
        out,
        "Accounts that were erased or blocked after the backup, and roles that were taken away, are back if it did not \
         know of that: see Backup in docs/OPERATIONS.md."
    )?;
    if takes_cards {
        writeln!(
            out,
            "Disputes that began or ended since the backup are not known: look them up at the card provider."
        )?;
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

/// Makes a copy ready beside the database, and puts it in its place; returns how many pictures were added, too.
async fn put_in_place(
    arguments: &Arguments,
    config: Config,
    target: &mut Target,
    checked: &Checked,
    stopping: &Stopping,
) -> Result<(usize, Adapted), Failure> {
    let manifest = &checked.manifest;
    let preparing = async {
        let mut is_told = false;
        while !target.prepare(&manifest.database).await? {
            wait_for_others(target, &mut is_told).await?;
        }
        Ok::<_, Failure>(())
    };
    stopping.unless_told(preparing).await?;
    let archive = open(arguments, checked.key.as_ref())?;
    let pictures = load(archive, target, manifest, &Masters::open(&config.data)?, stopping).await?;
    let adapted = finish(target, config, checked, stopping).await?;
    replace(target, stopping).await?;
    Ok((pictures, adapted))
}

/// Puts the copy in its place. Until the last statement is sent, the command can be stopped.
async fn replace(target: &mut Target, stopping: &Stopping) -> Result<(), Failure> {
    let mut is_told = false;
    loop {
        let beginning = async { Ok::<_, Failure>(target.begin_replacing().await?) };
        let has_begun = stopping.unless_told(beginning).await?;
        stopping.check()?;
        if has_begun && target.replace(out_of_patience(stopping)).await? {
            return Ok(());
        }
        stopping.unless_told(wait_for_others(target, &mut is_told)).await?;
    }
}

/// Resolves when the answer to what replaces the database is not waited for any longer.
async fn out_of_patience(stopping: &Stopping) {
    drop(timeout(LAST_ANSWER, stopping.wait()).await);
    sleep(ANSWER_WHEN_STOPPED).await;
}

/// Waits a moment for those who use tables that it needs alone, such as a report, or somebody who has looked at them and not ended that. Says so
/// the first time.
async fn wait_for_others(target: &mut Target, is_told: &mut bool) -> Result<(), Failure> {
    if !*is_told {
        let oldest = target.oldest_transaction().await?;
        tracing::warn!(oldest, "the restore waits for tables that others use, such as a report: trying again");
        *is_told = true;
    }
    sleep(RETRY).await;
    Ok(())
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
            let mut bytes = stopping.until(&mut part);
            // Told to stop, it ends by itself with the bytes, and PostgreSQL takes other statements again, unless it is lost.
            tokio::select! {
                done = target.load(&manifest.database, &name, &mut bytes) => done?,
                stopped = told_before(stopping) => return Err(stopped.into()),
            }
        }
        parts.done(part)?;
    }
    // The file might have changed since it was verified.
    parts.verify()?;
    Ok(loaded)
}

/// Resolves when the command was told to stop, and an answer that was on its way would be there.
async fn told_before(stopping: &Stopping) -> io::Error {
    let stopped = stopping.wait().await;
    sleep(ANSWER_WHEN_STOPPED).await;
    stopped
}

async fn add_picture(part: &mut Part<'_>, masters: &Masters, name: &str) -> Result<(), Failure> {
    if !Masters::is_name(name) {
        return Err(format!("the backup has a picture with a strange name: {name}").into());
    }
    let mut picture = Vec::new();
    part.read_to_end(&mut picture)?;
    Ok(masters.add(name, picture.into()).await?)
}

/// What the database that is about to be replaced says of accounts. One that cannot be read must not prevent its own repair; none if that is
/// only for now.
async fn read_former(target: &Target, copy: &Db) -> Option<Former> {
    let db = match target.former().await {
        Ok(db) => db,
        Err(error) => return read_or_default(Err(error), "what it says of accounts is lost"),
    };
    let former = read_accounts(&db, copy).await;
    // What is open cannot be replaced.
    db.close().await;
    former
}

async fn read_accounts(db: &Db, copy: &Db) -> Option<Former> {
    let mut former = Former {
        erased: read_or_default(identity::service::list_erased(db).await, "accounts that were erased in it are back")?,
        // A former release has no such table.
        erased_subjects: read_or_default(
            identity::service::list_erased_subjects(db).await,
            "access tokens from before their accounts were erased may be valid again, and blocks of these are lost",
        )?,
        standings: read_or_default(
            standings_of(db, copy).await,
            "accounts that were blocked in it, and roles that were taken away, are back",
        )?,
    };
    if former.standings.is_none() {
        for subject in &mut former.erased_subjects {
            (subject.assigned_role, subject.blocked_at) = (None, None);
        }
    }
    Some(former)
}

/// None if it may be tried again.
fn read_or_default<T: Default>(read: Result<T, DbError>, consequence: &str) -> Option<T> {
    match read {
        Err(error) if Target::is_in_use(&error) => None,
        Err(error) => {
            tracing::warn!(%error, "the former database cannot be read: {consequence}");
            Some(T::default())
        }
        Ok(read) => Some(read),
    }
}

async fn standings_of(db: &Db, copy: &Db) -> Result<Option<Vec<Standing>>, DbError> {
    if !audit::service::continues(db, copy).await? {
        return Ok(None);
    }
    let with_roles = standing::list_with_roles(copy).await?;
    Ok(Some(standing::list_former(db, &with_roles).await?))
}

/// Brings the loaded copy up to date and adapts it.
async fn finish(
    target: &mut Target,
    config: Config,
    checked: &Checked,
    stopping: &Stopping,
) -> Result<Adapted, Failure> {
    let db = stopping.unless_told(async { Ok::<_, Failure>(target.loaded().await?) }).await?;
    let cx = Context { clock: Arc::new(SystemClock), config: Arc::new(config), db };
    let finishing = async {
        let mut is_told = false;
        while !cx.db.migrate_copy().await? {
            wait_for_others(target, &mut is_told).await?;
        }
        let former = loop {
            let read = if checked.is_empty { Some(Former::default()) } else { read_former(target, &cx.db).await };
            match read {
                Some(former) => break former,
                None => wait_for_others(target, &mut is_told).await?,
            }
        };
        adapt(&cx, &checked.manifest, &former).await
    };
    let adapted = stopping.unless_told(finishing).await;
    // Also after a failure: what is open cannot be removed.
    cx.db.close().await;
    adapted
}

/// Adapts the loaded copy to the present: ends sessions, erases accounts again, takes away what the former database does not give, and has
/// the provider's records compared from the time of the backup on.
async fn adapt(cx: &Context, manifest: &Manifest, former: &Former) -> Result<Adapted, Failure> {
    let mut erased_again = 0;
    for &user in &former.erased {
        if let Some(session) = identity::service::on_behalf(cx, user).await.map_err(|error| error.told())? {
            privacy::erase_again(cx, &session).await.map_err(|error| error.told())?;
            erased_again += 1;
        }
    }
    if cx.config.square.is_some() {
        compare::go_back(cx, manifest.made_at).await?;
    }
    let taken: Result<Option<TakenAway>, DbError> = transaction!(cx.db, conn => {
        identity::service::end_all_sessions(conn).await?;
        identity::service::add_erased_subjects(conn, &former.erased_subjects).await?;
        let taken = match &former.standings {
            Some(standings) => Some(standing::take_away(conn, cx.clock.as_ref(), standings).await?),
            None => None,
        };
        let TakenAway { blocked, roles } = taken.unwrap_or_default();
        let actor = identity::service::command_line(conn, cx.clock.as_ref()).await?;
        let after = json!({
            "made_at": manifest.made_at,
            "erased_again": erased_again,
            "blocked_again": blocked,
            "roles_taken_away": roles,
        });
        let change = Change::new("database.restore", Subject::new("setting", "database", "Database"), after);
        audit::service::record(conn, cx.clock.as_ref(), &actor, &change).await?;
        Ok(taken)
    });
    Ok(Adapted { erased_again, taken: taken? })
}
