//! Health checks for the process supervisor and the load balancer.

mod queries;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Db, DbError};
use shop_domain::catalog::service::Catalog;
use shop_platform::jobs::model::Lane;
use shop_platform::jobs::state::WorkerState;
use shop_platform::web::site::Site;
use ssr_runtime::State as IsolateState;
use tokio::time::timeout;

use super::layers::drain::Drain;

/// With what the checks of the database take, less than the 1 s of a load balancer.
const PATIENCE: Duration = Duration::from_millis(300);
/// Lanes whose jobs could not be taken look again within this time.
const LANES_RETURN: Duration = Duration::from_secs(10);

/// What the health of this node is determined from.
#[derive(Clone)]
pub struct HealthParts {
    /// With connections that shoppers do not use up.
    pub cx: Context,
    pub site: Arc<Site>,
    pub catalog: Arc<Catalog>,
    pub jobs: Arc<WorkerState>,
    pub drain: Arc<Drain>,
    pub told: Arc<Told>,
}

/// What the log has said of this node's health: load balancers ask each second, so it says only what has changed. And what was found before.
#[derive(Debug, Default)]
pub struct Told {
    is_unanswered: AtomicBool,
    is_unwritable: AtomicBool,
    /// Those that do not look for work.
    lanes: Mutex<Vec<Lane>>,
    /// When the database last took no writes from any node.
    read_only_at: Mutex<Option<Instant>>,
}

impl Told {
    fn tell(&self, database: &Result<(), DbError>, written: &Result<(), Arc<str>>, lanes: Vec<Lane>) {
        // The log says elsewhere that it is away; until it is back, no lane looks for work.
        if database.as_ref().is_err_and(DbError::is_away) {
            return;
        }
        if self.is_unanswered.swap(database.is_err(), Ordering::Relaxed) != database.is_err() {
            match database {
                Err(error) => tracing::error!(%error, "the database does not answer"),
                Ok(()) => tracing::warn!("the database answers again"),
            }
        }
        // Where it does not answer, nothing is known of writing.
        if database.is_ok() && self.is_unwritable.swap(written.is_err(), Ordering::Relaxed) != written.is_err() {
            match written {
                Err(error) => tracing::error!(%error, "the database cannot be written to"),
                Ok(()) => tracing::warn!("the database can be written to again"),
            }
        }
        let mut told = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        if *told == lanes {
            return;
        }
        if lanes.is_empty() {
            tracing::warn!("all lanes of jobs look for work again");
        } else {
            tracing::error!(?lanes, "lanes of jobs have not looked for work for too long");
        }
        *told = lanes;
    }

    /// Whether the database takes no writes from any node, or has taken none until a moment ago: no lane could take the jobs that are due.
    fn excuses_lanes(&self, is_read_only: bool) -> bool {
        let mut at = self.read_only_at.lock().unwrap_or_else(PoisonError::into_inner);
        if is_read_only {
            *at = Some(Instant::now());
        }
        at.is_some_and(|at| at.elapsed() < LANES_RETURN)
    }
}

/// `GET /healthz`: the process responds.
pub async fn alive() -> &'static str {
    "ok"
}

/// `GET /readyz`: an isolate is warm, searches are fast, the database responds and can be written, the workers are polling for jobs, and the
/// node is not draining. Where no node can write, this one is ready for the pages that it can serve.
pub async fn ready(State(parts): State<HealthParts>) -> Response {
    let isolates = parts.site.renderer.stats();
    let warm = isolates.isolates.iter().any(|isolate| isolate.state != IsolateState::Starting);
    // Both at once, as a load balancer does not wait long.
    let (database, written) = tokio::join!(parts.cx.db.check_reader(), parts.cx.db.check_writer());
    let writer = database.is_ok() && written.is_ok();
    let is_read_only = database.is_ok() && written.is_err() && is_read_only(&parts.cx.db).await;
    let silent = parts.jobs.silent();
    let (jobs, stopping) = (silent.is_empty(), parts.drain.has_begun());
    parts.told.tell(&database, &written, silent);
    let searches = !parts.catalog.is_completing();
    // Says nothing about readiness: what the others change is shown a little later, and what is in the way may be so for all nodes.
    let listening = parts.cx.db.hears_others();
    let lanes = parts.told.excuses_lanes(is_read_only) || jobs;
    let ready = warm && searches && (writer || is_read_only) && lanes && !stopping;
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let state = json!({
        "ready": ready, "isolates": warm, "searches": searches, "database": database.is_ok(), "writer": writer, "jobs": jobs,
        "listening": listening, "stopping": stopping,
    });
    (status, Json(state)).into_response()
}

/// Whether the database takes no writes from any node. One that does not tell in time is asked again by the next check.
async fn is_read_only(db: &Db) -> bool {
    matches!(timeout(PATIENCE, queries::is_read_only(db)).await, Ok(Ok(true)))
}
