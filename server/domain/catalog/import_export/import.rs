//! Imports: a file is first parsed and reported; its changes are then written by jobs (`work.rs`), and can be undone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use fail::fail_point;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded, stored};
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::trace;
use shop_platform::audit::model::Actor;
use shop_platform::jobs;
use shop_platform::web::places::{Place, Places};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::sleep;
use utoipa::ToSchema;
use uuid::Uuid;

use super::report::{Counts, Outcome, Report, ReportLine, lines};
use super::store;
use super::store::{ItemState, Progress};
use super::walk::{WalkError, walk};
use crate::catalog::jobs::ImportProducts;

/// The maximum file size, in bytes.
pub const MAX_FILE: usize = 32 * 1024 * 1024;
/// Files that a node parses in parallel; others wait.
const READ_AT_ONCE: usize = 2;
/// Files that may arrive at a node at the same time, until they are stored.
const UPLOADS: usize = 2;
/// Report lines or skipped products per answer.
const LINES: usize = 200;
/// Parsing is lost if its node stops; after this long without progress, an import counts as abandoned.
const ABANDONED_MS: i64 = 10 * 60 * 1000;
/// Before what was read is stored again that could not be.
const PAUSE: Duration = Duration::from_secs(2);
/// What staff are told of a defect of the program.
const PANICKED: &str = "Something went wrong on our end while reading the file. Try again. If it happens again, the server’s log says why.";
/// Files and reports are kept for a month.
pub const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

stored! {
    /// The state of an import.
    ImportState {
        Reading = "reading",
        /// Parsed and reported; can be applied if it has no errors.
        Checked = "checked",
        Applying = "applying",
        Applied = "applied",
        /// The file could not be parsed; nothing was written.
        Failed = "failed",
        /// Its changes are being undone.
        Undoing = "undoing",
        Undone = "undone",
    }
}

impl ImportState {
    fn is_at_work(self) -> bool {
        matches!(self, Self::Reading | Self::Applying | Self::Undoing)
    }
}

/// Files that this node is parsing, with their progress.
#[derive(Debug)]
pub struct Running {
    files: Mutex<HashMap<Uuid, ReadSoFar>>,
    turns: Semaphore,
    /// For files, from before they arrive.
    pub places: Places,
}

impl Default for Running {
    fn default() -> Self {
        Self { files: Mutex::default(), turns: Semaphore::new(READ_AT_ONCE), places: Places::new(UPLOADS) }
    }
}

#[derive(Clone, Debug)]
struct ReadSoFar {
    read: Arc<AtomicU64>,
    total: u64,
}

/// A file counts as being parsed until this is dropped.
struct Reading {
    imports: Arc<Running>,
    id: Uuid,
    read: Arc<AtomicU64>,
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.imports.files.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

impl Running {
    fn begin(self: &Arc<Self>, id: Uuid, total: usize) -> Reading {
        let progress = ReadSoFar { read: Arc::default(), total: u64::try_from(total).unwrap_or(u64::MAX).max(1) };
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(id, progress.clone());
        Reading { imports: Arc::clone(self), id, read: progress.read }
    }

    fn percent(&self, id: Uuid) -> Option<u64> {
        let running = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        running.get(&id).map(|progress| progress.read.load(Ordering::Relaxed) * 100 / progress.total)
    }
}

/// An import as shown to staff.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportView {
    pub id: Uuid,
    pub file_name: String,
    pub state: ImportState,
    /// While this node parses it or any node writes it.
    pub percent: Option<u64>,
    pub counts: Counts,
    /// Numbers of products by state.
    pub products: ProductCounts,
    /// The first products that were skipped.
    pub left_out: Vec<LeftOut>,
    /// Why it failed or is stuck.
    pub problem: String,
    /// Whether it stopped while writing: repeating the same call resumes it.
    pub is_stuck: bool,
    /// Report lines with the requested outcome; none while it is working.
    pub lines: Vec<ReportLine>,
    /// Start of the next lines.
    pub next: Option<u64>,
    /// UTC milliseconds.
    pub created_at: i64,
}

/// The products of a file that need to be written, by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProductCounts {
    /// To be written.
    pub waiting: i64,
    pub applied: i64,
    /// Not written, because they have changed since the file was parsed.
    pub skipped: i64,
    /// Taken back.
    pub undone: i64,
    /// Not undone, because they have changed since the import.
    pub kept: i64,
}

/// A product that was skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LeftOut {
    /// Its first line in the file.
    pub line: i64,
    pub handle: String,
    pub why: String,
}

impl ProductCounts {
    pub(super) async fn find(conn: &mut Conn<'_>, import: Uuid) -> Result<Self, DbError> {
        let mut counts = Self::default();
        for (state, count) in store::count_items(conn, import).await? {
            let place = match decoded("state", state.parse())? {
                ItemState::Waiting => &mut counts.waiting,
                ItemState::Applied => &mut counts.applied,
                ItemState::Skipped => &mut counts.skipped,
                ItemState::Undone => &mut counts.undone,
                ItemState::Kept => &mut counts.kept,
            };
            *place = count;
        }
        Ok(counts)
    }

    /// The progress of an import in percent.
    fn percent(&self, state: ImportState) -> Option<u64> {
        let written = self.undone + self.kept;
        let (done, left) = match state {
            ImportState::Applying => (self.applied + self.skipped, self.waiting),
            ImportState::Undoing => (written, self.applied),
            _ => return None,
        };
        u64::try_from(done * 100 / (done + left).max(1)).ok()
    }
}

/// Accepts a file and starts parsing it. The place is free once the file is stored.
pub async fn start(
    cx: &Context,
    imports: &Arc<Running>,
    actor: &Actor,
    name: &str,
    place: Place,
    file: Bytes,
) -> Result<Uuid, Error> {
    let id = new_id(cx.clock.as_ref());
    let name: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
    let reading = imports.begin(id, file.len());
    let (cx, user_id) = (cx.clone(), actor.user_id);
    let (stored, is_stored) = oneshot::channel();
    // In a task of its own: whoever has sent the file may leave while it is being stored, and then nobody else would parse it.
    trace::spawn(async move {
        let outcome = insert(&cx, id, user_id, &name, &file).await;
        drop((file, place));
        let is_there = outcome.is_ok();
        // Who has left need not know.
        let _ = stored.send(outcome);
        if is_there && let Err(error) = check(&cx, &reading).await {
            tracing::error!(%error, import = %id, "a file of products could not be read");
        }
    });
    is_stored.await.map_err(Error::internal)??;
    Ok(id)
}

async fn insert(cx: &Context, id: Uuid, user_id: Uuid, name: &str, file: &[u8]) -> Result<(), DbError> {
    let mut tx = cx.db.begin().await?;
    store::insert_import(&mut tx.conn(), id, user_id, name, file, cx.clock.now_ms()).await?;
    tx.commit().await
}

async fn check(cx: &Context, reading: &Reading) -> Result<(), DbError> {
    let Ok(_turn) = reading.imports.turns.acquire().await else { return Ok(()) };
    let (of_task, import, progress) = (cx.clone(), reading.id, Arc::clone(&reading.read));
    // In a task of its own: a panic must not leave the file as one that is still being read.
    let read = trace::spawn(async move { read(&of_task, import, &progress).await }).await;
    let (state, report, problem) = match read {
        Ok(Ok(report)) if report.counts.lines == 0 => {
            (ImportState::Failed, report, "The file has no products.".to_owned())
        }
        Ok(Ok(report)) => (ImportState::Checked, report, String::new()),
        Ok(Err(WalkError::File(problem))) => (ImportState::Failed, Report::default(), problem),
        Ok(Err(WalkError::Db(error))) => {
            tracing::error!(%error, "a file of products could not be compared");
            (ImportState::Failed, Report::default(), "We couldn’t read the shop’s data. Try again.".to_owned())
        }
        Err(error) => {
            tracing::error!(%error, %import, "the reading of a file of products has panicked");
            (ImportState::Failed, Report::default(), PANICKED.to_owned())
        }
    };
    // If it were lost, staff would wait, and send the file again.
    while let Err(error) = store_read(cx, reading.id, state, &report, &problem).await {
        if !error.is_passing() {
            return Err(error);
        }
        tracing::warn!(%error, import = %reading.id, "what was read of a file could not be stored yet");
        sleep(PAUSE).await;
        cx.db.pause().await;
    }
    Ok(())
}

async fn read(cx: &Context, import: Uuid, progress: &AtomicU64) -> Result<Report, WalkError> {
    // Loaded only now, so that waiting imports do not hold their files in memory.
    let file = store::find_file(&mut cx.db.read().await?.conn(), import).await?.unwrap_or_default();
    fail_point!("import::reading");
    walk(&cx.db, import, &file, cx.clock.now_ms(), progress).await
}

async fn store_read(cx: &Context, id: Uuid, state: ImportState, report: &Report, problem: &str) -> Result<(), DbError> {
    let counts = decoded("counts", serde_json::to_string(&report.counts))?;
    let now = cx.clock.now_ms();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    store::set_read(&mut conn, id, state.text(), &report.text, problem, now).await?;
    if state == ImportState::Checked {
        store::insert_progress(&mut conn, id, state.text(), &counts, now).await?;
    }
    tx.commit().await
}

/// Starts or resumes applying what was reported.
pub async fn apply(cx: &Context, actor: &Actor, id: Uuid) -> Result<(), Error> {
    set_to_work(cx, actor, id, ImportState::Applying, |state, counts| match state {
        Some(ImportState::Checked) if counts.errors > 0 => {
            Err(Error::conflict("has_errors", "Some lines have errors. Fix them all before importing."))
        }
        Some(ImportState::Checked | ImportState::Applying) => Ok(()),
        _ => Err(Error::conflict(
            "not_checked",
            "This file can’t be imported now: it’s still being read, was already imported, or was read by an earlier version.",
        )),
    })
    .await
}

/// Starts or resumes undoing what an import has written so far.
pub async fn undo(cx: &Context, actor: &Actor, id: Uuid) -> Result<(), Error> {
    set_to_work(cx, actor, id, ImportState::Undoing, |state, _| match state {
        Some(ImportState::Applying | ImportState::Applied | ImportState::Undoing) => Ok(()),
        _ => Err(Error::conflict(
            "not_applied",
            "Nothing from this file was imported, or the import was already undone.",
        )),
    })
    .await
}

async fn set_to_work(
    cx: &Context,
    actor: &Actor,
    id: Uuid,
    wanted: ImportState,
    allow: impl FnOnce(Option<ImportState>, Counts) -> Result<(), Error>,
) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    store::find_file_name(&mut conn, id).await?.ok_or(Error::NotFound)?;
    match store::lock_progress(&mut conn, id).await? {
        Some(Progress { state, counts, .. }) => {
            let counts = decoded("counts", serde_json::from_str(&counts))?;
            allow(Some(decoded("state", state.parse())?), counts)?;
        }
        None => allow(None, Counts::default())?,
    }
    let applied_by = decoded("applied_by", serde_json::to_string(actor))?;
    store::set_progress(&mut conn, id, wanted.text(), &applied_by, clock.now_ms()).await?;
    jobs::service::add(&mut conn, clock, &ImportProducts { import: id, step: new_id(clock) }).await?;
    tx.commit().await?;
    Ok(())
}

/// An import with report lines from an offset, all or those with one outcome.
pub async fn find(
    cx: &Context,
    imports: &Running,
    id: Uuid,
    outcome: Option<Outcome>,
    from: usize,
) -> Result<ImportView, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let row = store::find_import(&mut conn, id).await?.ok_or(Error::NotFound)?;
    let state: ImportState = decoded("state", row.state.parse())?;
    let products = ProductCounts::find(&mut conn, id).await?;
    let is_taken_back = matches!(state, ImportState::Undoing | ImportState::Undone);
    let left_as = if is_taken_back { ItemState::Kept } else { ItemState::Skipped };
    let left_out = store::list_items(&mut conn, id, left_as, i64::try_from(LINES).unwrap_or(0)).await?;
    // It may be long, and clients that poll the progress do not need it.
    let report = if state.is_at_work() { String::new() } else { store::find_report(&mut conn, id).await? };
    drop(reader);
    let counts = match row.counts.as_str() {
        "" => Counts::of(&report),
        counts => decoded("counts", serde_json::from_str(counts))?,
    };
    let is_wanted = |line: &ReportLine| outcome.is_none_or(|outcome| line.outcome == outcome);
    let mut found: Vec<ReportLine> = lines(&report).filter(is_wanted).skip(from).take(LINES + 1).collect();
    let more = found.len() > LINES;
    found.truncate(LINES);
    let is_abandoned = state.is_at_work() && cx.clock.now_ms() - row.updated_at > ABANDONED_MS;
    let problem = match state {
        ImportState::Reading if is_abandoned => "The server stopped while reading the file. Try again.".to_owned(),
        _ if is_abandoned => "It stopped partway through. Products imported so far are complete.".to_owned(),
        _ => row.problem.clone(),
    };
    Ok(ImportView {
        id,
        state,
        percent: products.percent(state).or_else(|| imports.percent(id)),
        counts,
        products,
        left_out: left_out
            .into_iter()
            .map(|item| LeftOut { line: item.line, handle: item.handle, why: item.why })
            .collect(),
        problem,
        is_stuck: is_abandoned && state != ImportState::Reading,
        lines: found,
        next: more.then(|| u64::try_from(from + LINES).unwrap_or(0)),
        created_at: row.created_at,
        file_name: row.file_name,
    })
}
