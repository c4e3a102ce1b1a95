//! Jobs beside thousands that wait.

use shop_base::db::Db;
use shop_platform::jobs;
use shop_platform::jobs::model::Lane;
use shop_platform::jobs::store::{Claim, Except};
use shop_platform::jobs::worker::run_due;
use shop_platform::webhooks::jobs::SendDispatch;
use uuid::Uuid;

use super::rows::{copy, numbers};
use super::steps::{Steps, assert_not_grown};
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{OnSqlite, Test};
use crate::tests;

pub const TESTS: &[Test] = tests![waiting_dispatches_cost_other_jobs_nothing, waiting_dispatches_cost_a_scrape_little,];

/// Jobs that wait for an endpoint.
async fn add_dispatches(db: &Db, endpoint: Uuid, from: u32, to: u32) {
    let payload = format!(r#"'{{"job":"dispatch","dispatch":"past-' || n.i || '","endpoint":"{endpoint}"}}'"#);
    let group = format!("x'{}'", endpoint.simple());
    let job = [
        ("id", "randomblob(16)"),
        ("name", "'dispatch'"),
        ("payload", payload.as_str()),
        ("lane", "'dispatches'"),
        ("group_id", group.as_str()),
        ("lease", "''"),
        ("leased_until", "0"),
        ("last_error", "NULL"),
        ("dead_at", "NULL"),
    ];
    copy(db, "jobs", &numbers(from, to), &job).await;
}

/// Their endpoint answers late, and has all the slots that it may have.
async fn waiting_dispatches_cost_other_jobs_nothing(OnSqlite(shop): OnSqlite) {
    const FEW: u32 = 20;
    const MANY: u32 = 3_000;
    let bench = Bench::start(shop.database).await;
    let app = &bench.shop.app;
    let (worker, lane) = (app.worker(), Lane::Dispatches);
    let (late, other) = (Uuid::now_v7(), Uuid::now_v7());
    let add = async |endpoint: Uuid| {
        let job = SendDispatch { dispatch: Uuid::now_v7(), endpoint: Some(endpoint) };
        let mut tx = app.db.begin().await.unwrap();
        jobs::service::add(&mut tx.conn(), bench.shop.clock.as_ref(), &job).await.unwrap();
        tx.commit().await.unwrap();
    };
    let share = lane.slots() / 2;
    for _ in 0..share {
        add(late).await;
    }
    let (now, except) = (app.clock.now_ms(), Except::default());
    let claim = Claim { lane, group_id: late, now, lease: "this node", lease_for: 60_000, limit: 100, except: &except };
    let mut tx = app.db.begin().await.unwrap();
    let taken = jobs::store::claim(&mut tx.conn(), &claim).await.unwrap();
    tx.commit().await.unwrap();
    let held: Vec<_> = taken.iter().map(|job| worker.state.hold(lane, job)).collect();
    assert_eq!(held.len(), share);
    add_dispatches(&app.db, late, 1, FEW).await;
    bench.work().await;
    let steps = Steps::count(&app.db).await;
    let costs = async || {
        add(other).await;
        steps.take();
        assert_eq!(run_due(&worker).await.unwrap(), 1, "the one for the other endpoint");
        let delivery = steps.take();
        bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
        bench.work().await;
        [("a delivery to another endpoint", delivery), ("a purchase", steps.take())]
    };
    // The first purchase makes what the later ones find.
    costs().await;
    let before = costs().await;
    add_dispatches(&app.db, late, FEW + 1, MANY).await;
    assert_not_grown(before, costs().await);
    let waiting = bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'dispatch' AND lease = ''").await;
    assert_eq!(waiting, i64::from(MANY), "they still wait");
}

/// As many as it counts are read, and no more.
async fn waiting_dispatches_cost_a_scrape_little(OnSqlite(shop): OnSqlite) {
    let counted = u32::try_from(jobs::store::COUNTED).unwrap();
    let bench = Bench::start(shop.database).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    let (app, endpoint) = (&bench.shop.app, Uuid::now_v7());
    let cx = app.worker().cx;
    add_dispatches(&app.db, endpoint, 1, counted).await;
    let steps = Steps::count(&app.db).await;
    let costs = async || {
        steps.take();
        let kinds = jobs::service::kinds(&cx).await.unwrap();
        let scrape = steps.take();
        let dispatches = kinds.iter().find(|kind| kind.name == "dispatch").unwrap();
        assert_eq!(dispatches.states[1], ("waiting", jobs::store::COUNTED));
        assert!(kinds.iter().any(|kind| kind.name == "capture_payment"), "{kinds:?}");
        assert!(jobs::service::list_dead(&app.db).await.unwrap().is_empty());
        let dead = steps.take();
        assert!(jobs::service::list(&app.db).await.unwrap().len() > 100);
        [("a scrape", scrape), ("the dead jobs", dead), ("the page of jobs", steps.take())]
    };
    let before = costs().await;
    add_dispatches(&app.db, endpoint, counted + 1, 2 * counted).await;
    assert_not_grown(before, costs().await);
}
