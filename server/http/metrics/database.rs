//! What only the database knows. It is the same on each node, so alerts take one node's value.

use std::sync::Arc;
use std::time::{Duration, Instant};

use shop_base::context::Context;
use shop_base::db::DbError;
use shop_platform::jobs;
use shop_platform::jobs::service::KindFigures;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::exposition::{Metric, Values, by, by_two, gauge};
use super::queries;
use super::queries::{OpenPayments, PendingRefunds};

/// How long a scrape waits for the database.
const LIMIT: Duration = Duration::from_secs(2);
/// Several that scrape, or one that does so often, cost no more than one that scrapes this often.
const FRESH_FOR: Duration = Duration::from_secs(5);

/// The figures that were read last.
#[derive(Debug, Default)]
pub struct DatabaseFigures(Mutex<Option<(Instant, Option<Arc<Read>>)>>);

#[derive(Debug)]
struct Read {
    jobs: Vec<KindFigures>,
    payments: Vec<OpenPayments>,
    refunds: PendingRefunds,
    attention: i64,
}

impl DatabaseFigures {
    pub async fn metrics(&self, cx: &Context) -> Vec<Metric> {
        let read = self.read(cx).await;
        let is_up = if read.is_some() { 1.0 } else { 0.0 };
        let mut metrics =
            vec![gauge("shop_db_up", "Whether the database answered the questions of this scrape", is_up)];
        metrics.extend(read.iter().flat_map(|read| of(read, cx.clock.now_ms())));
        metrics
    }

    /// None if the database does not answer in time.
    async fn read(&self, cx: &Context) -> Option<Arc<Read>> {
        let mut last = self.0.lock().await;
        if let Some((at, read)) = last.as_ref()
            && at.elapsed() < FRESH_FOR
        {
            return read.clone();
        }
        let read = match timeout(LIMIT, ask(cx)).await {
            Ok(Ok(read)) => Some(Arc::new(read)),
            Ok(Err(error)) if error.is_away() => None,
            Ok(Err(error)) => {
                tracing::warn!(%error, "the database has no figures for monitoring");
                None
            }
            Err(_) => {
                tracing::warn!("the database took too long with the figures for monitoring");
                None
            }
        };
        *last = Some((Instant::now(), read.clone()));
        read
    }
}

async fn ask(cx: &Context) -> Result<Read, DbError> {
    let jobs = jobs::service::kinds(cx).await?;
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    Ok(Read {
        jobs,
        payments: queries::list_open_payments(&mut conn).await?,
        refunds: queries::get_pending_refunds(&mut conn).await?,
        attention: queries::count_attention(&mut conn).await?,
    })
}

fn of(read: &Read, now: i64) -> Vec<Metric> {
    let age = |since: Option<i64>| since.map_or(0.0, |since| (now - since).max(0) as f64 / 1e3);
    let jobs =
        read.jobs.iter().flat_map(|kind| kind.states.map(|(state, count)| (kind.name.as_str(), state, count as f64)));
    let unknown =
        read.payments.iter().filter(|payments| payments.status.is_open()).filter_map(|payments| payments.since).min();
    vec![
        Metric {
            name: "shop_jobs",
            help: "Stored jobs of the whole shop",
            values: Values::Gauge(by_two(("kind", "state"), jobs)),
        },
        Metric {
            name: "shop_job_overdue_seconds",
            help: "How long the oldest job of a kind has been due",
            values: Values::Gauge(by(
                "kind",
                read.jobs.iter().map(|kind| (kind.name.as_str(), kind.overdue.as_secs_f64())),
            )),
        },
        Metric {
            name: "shop_open_payments",
            help: "Payments whose status is not final",
            values: Values::Gauge(by(
                "status",
                read.payments.iter().map(|open| (open.status.text(), open.count as f64)),
            )),
        },
        gauge("shop_unknown_payment_age_seconds", "Age of the oldest payment whose outcome is unknown", age(unknown)),
        gauge("shop_pending_refunds", "Refunds without an outcome", read.refunds.count as f64),
        gauge(
            "shop_pending_refund_age_seconds",
            "Age of the oldest refund without an outcome",
            age(read.refunds.since),
        ),
        gauge(
            "shop_unanswered_refund_age_seconds",
            "Age of the oldest refund that the provider has not answered",
            age(read.refunds.unanswered_since),
        ),
        gauge("shop_orders_needing_attention", "Orders that staff have to look at", read.attention as f64),
    ]
}
