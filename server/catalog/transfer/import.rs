//! A file is read and reported first, then carried out as reported, by a task that outlives the request.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::report::{Counts, Outcome, Report, ReportLine, lines};
use super::store::{self, ImportRow};
use super::walk::{WalkError, Writer, walk};
use crate::app::App;
use crate::audit;
use crate::audit::model::{Actor, Change, Subject};
use crate::db::{DbError, stored};
use crate::error::Error;
use crate::ids::new_id;

/// The largest file that is taken, in bytes.
pub const MAX_FILE: usize = 32 * 1024 * 1024;
/// Lines of a report that are told at once.
const LINES: usize = 200;
/// A node that dies leaves an import in the middle; nothing of it is kept, and it may be carried out again.
const ABANDONED_MS: i64 = 10 * 60 * 1000;
/// Files and reports are kept for a month.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

stored! {
    /// How far an import has come.
    ImportState {
        Reading = "reading",
        /// Reported; it may be carried out if it has no errors.
        Checked = "checked",
        Applying = "applying",
        Applied = "applied",
        /// Nothing of it was kept.
        Failed = "failed",
    }
}

/// Imports at work on this node: bytes that are read, of how many.
#[derive(Debug, Default)]
pub struct Running(Mutex<HashMap<Uuid, Progress>>);

#[derive(Clone, Debug)]
struct Progress {
    read: Arc<AtomicU64>,
    total: u64,
}

impl Running {
    fn begin(&self, id: Uuid, total: usize) -> Arc<AtomicU64> {
        let progress = Progress { read: Arc::default(), total: u64::try_from(total).unwrap_or(u64::MAX).max(1) };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, progress.clone());
        progress.read
    }

    fn end(&self, id: Uuid) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }

    fn percent(&self, id: Uuid) -> Option<u64> {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.get(&id).map(|progress| progress.read.load(Ordering::Relaxed) * 100 / progress.total)
    }
}

/// An import as staff see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportView {
    pub id: Uuid,
    pub file_name: String,
    pub state: ImportState,
    /// While this node works on it.
    pub percent: Option<u64>,
    pub counts: Counts,
    /// Why it failed, or cannot be carried out.
    pub problem: String,
    /// Some lines of the report, of the outcome that was asked for.
    pub lines: Vec<ReportLine>,
    /// The place of the next ones.
    pub next: Option<u64>,
    /// UTC milliseconds.
    pub created_at: i64,
}

/// Takes a file and begins to read it.
pub async fn start(app: &App, actor: &Actor, name: &str, file: Bytes) -> Result<Uuid, Error> {
    let clock = app.clock.as_ref();
    let id = new_id(clock);
    let name: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
    let mut tx = app.db.begin().await?;
    store::insert_import(&mut tx.conn(), id, actor.user_id, &name, &file, clock.now_ms()).await?;
    tx.commit().await?;
    let progress = app.catalog.imports.begin(id, file.len());
    let app = app.clone();
    tokio::spawn(async move {
        if let Err(error) = check(&app, id, &file, &progress).await {
            tracing::error!(%error, import = %id, "a file of products could not be read");
        }
        app.catalog.imports.end(id);
    });
    Ok(id)
}

async fn check(app: &App, id: Uuid, file: &[u8], progress: &AtomicU64) -> Result<(), DbError> {
    let mut reader = app.db.read().await?;
    let outcome = walk(&mut reader.conn(), file, progress, None).await;
    drop(reader);
    let (state, report, problem) = match outcome {
        Ok(report) if report.counts.lines == 0 => (ImportState::Failed, report, "The file has no products.".to_owned()),
        Ok(report) => (ImportState::Checked, report, String::new()),
        Err(WalkError::File(problem)) => (ImportState::Failed, Report::default(), problem),
        Err(WalkError::Db(error)) => {
            tracing::error!(%error, "a file of products could not be compared");
            (ImportState::Failed, Report::default(), "The shop could not be read. Try again.".to_owned())
        }
    };
    let mut tx = app.db.begin().await?;
    let (text, digest, now) = (&report.text, report.digest(), app.clock.now_ms());
    store::set_checked(&mut tx.conn(), id, state.text(), text, &digest, &problem, now).await?;
    tx.commit().await
}

/// Begins to carry out what was reported.
pub async fn apply(app: &App, actor: &Actor, id: Uuid) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    let Some(row) = store::find_import(&mut conn, id).await? else { return Err(missing(id)) };
    if Counts::of(&row.report).errors > 0 {
        return Err(Error::conflict("has_errors", "Some lines have errors: nothing is imported until none has."));
    }
    let now = app.clock.now_ms();
    if !store::claim(&mut conn, id, now, now - ABANDONED_MS).await? {
        return Err(Error::conflict(
            "not_checked",
            "This file is not waiting to be imported: it is being read, or was imported.",
        ));
    }
    let file = store::find_file(&mut conn, id).await?.unwrap_or_default();
    tx.commit().await?;
    let progress = app.catalog.imports.begin(id, file.len());
    let (app, actor) = (app.clone(), actor.clone());
    tokio::spawn(async move {
        let problem = match carry_out(&app, &actor, &row, &file, &progress).await {
            Ok(problem) => problem,
            Err(error) => {
                tracing::error!(%error, import = %id, "a file of products could not be imported");
                Some("The shop could not be written. Nothing was changed. Try again.".to_owned())
            }
        };
        if let Some(problem) = problem
            && let Err(error) = fail(&app, id, &problem).await
        {
            tracing::error!(%error, import = %id, "the end of an import could not be stored");
        }
        app.catalog.imports.end(id);
    });
    Ok(())
}

/// Writes all of a file in one transaction. Answers with why nothing was written.
async fn carry_out(
    app: &App,
    actor: &Actor,
    row: &ImportRow,
    file: &[u8],
    progress: &AtomicU64,
) -> Result<Option<String>, WalkError> {
    let clock = app.clock.as_ref();
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    let report = match walk(&mut conn, file, progress, Some(&Writer { clock, actor })).await {
        Ok(report) => report,
        // Somebody made the same thing at this moment.
        Err(WalkError::Db(error)) if error.is_unique_violation() => return Ok(Some(STALE.to_owned())),
        Err(error) => return Err(error),
    };
    if report.digest() != row.digest {
        return Ok(Some(STALE.to_owned()));
    }
    let counts = json!({ "file": row.file_name, "new": report.counts.new, "changed": report.counts.changed });
    let change = Change::new("products.import", Subject::new("import", row.id, &row.file_name), counts);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    store::finish(&mut conn, row.id, ImportState::Applied.text(), "", clock.now_ms()).await?;
    tx.commit().await?;
    app.jobs.ring();
    app.catalog.announce(app);
    Ok(None)
}

const STALE: &str = "The shop has changed since the file was read. Nothing was imported: read the file again.";

async fn fail(app: &App, id: Uuid, problem: &str) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::finish(&mut tx.conn(), id, ImportState::Failed.text(), problem, app.clock.now_ms()).await?;
    tx.commit().await
}

/// An import with some lines of its report, from a place on, all or those of one outcome.
pub async fn find(app: &App, id: Uuid, outcome: Option<Outcome>, from: usize) -> Result<ImportView, Error> {
    let row = store::find_import(&mut app.db.read().await?.conn(), id).await?.ok_or_else(|| missing(id))?;
    let state = row.state.parse().map_err(Error::internal)?;
    let is_wanted = |line: &ReportLine| outcome.is_none_or(|outcome| line.outcome == outcome);
    let mut found: Vec<ReportLine> = lines(&row.report).filter(is_wanted).skip(from).take(LINES + 1).collect();
    let more = found.len() > LINES;
    found.truncate(LINES);
    let problem = match state {
        ImportState::Reading | ImportState::Applying if app.clock.now_ms() - row.updated_at > ABANDONED_MS => {
            "The server stopped in the middle. Nothing was imported: try again.".to_owned()
        }
        _ => row.problem,
    };
    Ok(ImportView {
        id,
        file_name: row.file_name,
        state,
        percent: app.catalog.imports.percent(id),
        counts: Counts::of(&row.report),
        problem,
        lines: found,
        next: more.then(|| u64::try_from(from + LINES).unwrap_or(0)),
        created_at: row.created_at,
    })
}

fn missing(id: Uuid) -> Error {
    Error::NoRoute { path: format!("/admin/products/import/{id}") }
}

/// Forgets old files and reports.
pub async fn purge(app: &App) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    store::purge(&mut tx.conn(), app.clock.now_ms() - KEPT_MS).await?;
    tx.commit().await
}
