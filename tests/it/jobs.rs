//! Jobs: executed once, retried after failures, taken over by another node after a crash, and finally shown to staff.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use shop_base::config::Secret;
use shop_base::sql;
use shop_demo::square::faults::{Operation, Point};
use shop_domain::analytics::jobs::RollUp;
use shop_domain::catalog::jobs::{ImportProducts, PublishProducts};
use shop_domain::popularity::jobs::RankProducts;
use shop_domain::retention::jobs::Clean;
use shop_domain::sales::records::draft_orders::jobs::SendDraftMail;
use shop_domain::sales::records::orders::jobs::SendOrderMail;
use shop_domain::sales::records::orders::model::OrderNews;
use shop_domain::sales::records::payments::jobs::{
    BeginComparison, CapturePayment, Compare, ProcessWebhook, Reconcile, ReleaseStock, SendRefund, SettlePayment,
    VoidPayment,
};
use shop_domain::sales::records::payments::model::Records;
use shop_domain::sales::records::pickups::jobs::{RemindPickups, SendPickupMail};
use shop_platform::jobs::ends;
use shop_platform::jobs::model::{End, Job, Lane, Pace, payload};
use shop_platform::jobs::rows::{LeasedJob, Row};
use shop_platform::jobs::run::run_taken;
use shop_platform::jobs::service::{add, add_at, add_at_start, add_recurring, list, take_back, tend};
use shop_platform::jobs::store;
use shop_platform::jobs::store::{Claim, Except, find_group};
use shop_platform::jobs::worker::run_due;
use shop_platform::mail::jobs::SendAccountMail;
use shop_platform::mail::model::{Mail, WelcomeMail};
use shop_platform::staff_search::jobs::FillSearchTerms;
use shop_platform::staff_search::model::Kind;
use shop_platform::statistics::jobs::UpdateStatistics;
use shop_platform::webhooks::jobs::SendDispatch;
use sqlx::{Connection, PgConnection};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use crate::admin::orders::Desk;
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::database::behind_a_link;
use crate::support::link::State;
use crate::support::{OnPostgres, OnSqlite, QUICK, Test, TestShop, Worker, rounds, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_job_of_a_transaction_that_fails_is_none,
    the_same_job_twice_is_one,
    what_is_added_while_it_runs_runs_once_more,
    a_failing_job_is_tried_again_later_and_dies_in_the_end,
    a_dead_job_that_is_added_again_is_retried,
    what_looks_for_lost_jobs_leaves_dead_ones_to_staff,
    what_a_held_payment_needs_is_not_discarded,
    a_lost_lease_is_taken_up_by_another,
    what_may_be_done_is_not_taken_back_as_never_done,
    one_of_many_workers_gets_a_job,
    recurring_jobs_come_back,
    a_start_revives_what_it_lists,
    a_clock_that_was_ahead_stops_nothing,
    what_a_clock_put_off_is_found_behind_many_later_jobs,
    a_clock_that_is_set_back_a_little_takes_no_job_away,
    a_node_takes_no_job_that_it_runs,
    a_job_of_a_former_version_is_done,
    a_dispatch_of_a_former_version_gets_its_group,
    every_stored_job_is_understood,
    a_job_of_a_newer_version_waits_for_it,
    a_slow_job_keeps_no_other_waiting,
    tending_jobs_keeps_no_lease_from_being_renewed,
    a_lease_that_cannot_be_renewed_keeps_no_other_from_it,
    a_lease_that_has_ended_while_the_database_was_away_is_renewed,
    a_node_whose_workers_stopped_is_not_ready,
    a_lane_that_takes_its_jobs_one_by_one_is_not_silent,
    jobs_that_end_together_are_written_together,
    an_end_that_cannot_be_stored_keeps_no_other_from_it,
    short_jobs_a_second,
];

const HOUR: i64 = 60 * 60 * 1000;
const YEAR: i64 = 365 * 24 * HOUR;

/// A job that always fails: its payment does not exist.
fn impossible() -> CapturePayment {
    CapturePayment { attempt: Uuid::now_v7() }
}

/// A job that has nothing to do: its event does not exist.
fn easy() -> ProcessWebhook {
    ProcessWebhook { provider: "square".into(), event_id: Uuid::now_v7().to_string(), kind: "payment.updated".into() }
}

async fn added<J: Job>(shop: &TestShop, job: &J) {
    let mut tx = shop.app.db.begin().await.unwrap();
    add(&mut tx.conn(), shop.clock.as_ref(), job).await.unwrap();
    tx.commit().await.unwrap();
}

/// The number of recurring job kinds.
fn recurring(shop: &TestShop) -> usize {
    shop.app.worker().registry.kinds().filter(|kind| kind.interval.is_some()).count()
}

async fn own(shop: &TestShop) -> TestShop {
    TestShop::with(shop.database, |_| {}).await
}

async fn only(shop: &TestShop) -> Row {
    let [job] = list(&shop.app.db).await.unwrap().try_into().unwrap();
    job
}

/// Claims the due jobs of a lane, as a node does.
async fn taken(shop: &TestShop, lane: Lane) -> Vec<LeasedJob> {
    let lease = Uuid::now_v7().to_string();
    let claim = Claim {
        lane,
        group_id: Uuid::nil(),
        now: shop.app.clock.now_ms(),
        lease: &lease,
        lease_for: 60_000,
        limit: 8,
        except: &Except::default(),
    };
    let mut tx = shop.app.db.begin().await.unwrap();
    let taken = store::claim(&mut tx.conn(), &claim).await.unwrap();
    tx.commit().await.unwrap();
    taken
}

async fn figure(shop: &TestShop, statement: &'static str) -> i64 {
    let mut reader = shop.app.db.read().await.unwrap();
    sql!(&mut reader.conn(), c => sqlx::query_scalar(statement).fetch_one(c).await).unwrap()
}

async fn execute(shop: &TestShop, statement: &'static str) {
    let mut tx = shop.app.db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

async fn a_job_of_a_transaction_that_fails_is_none(shop: TestShop) {
    let shop = own(&shop).await;
    let mut tx = shop.app.db.begin().await.unwrap();
    add(&mut tx.conn(), shop.clock.as_ref(), &impossible()).await.unwrap();
    drop(tx);
    assert!(list(&shop.app.db).await.unwrap().is_empty());
}

async fn the_same_job_twice_is_one(shop: TestShop) {
    let shop = own(&shop).await;
    let job = easy();
    added(&shop, &job).await;
    added(&shop, &job).await;
    added(&shop, &easy()).await;
    assert_eq!(list(&shop.app.db).await.unwrap().len(), 2);
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 2);
    assert!(list(&shop.app.db).await.unwrap().is_empty());
}

async fn what_is_added_while_it_runs_runs_once_more(shop: TestShop) {
    let shop = own(&shop).await;
    let job = easy();
    added(&shop, &job).await;
    let running = taken(&shop, Lane::Webhooks).await.remove(0);
    added(&shop, &job).await;
    added(&shop, &job).await;
    run_taken(shop.app.worker(), Lane::Webhooks, running).await;
    let again = only(&shop).await;
    assert_eq!((again.attempts, again.is_leased, again.run_at), (0, false, shop.app.clock.now_ms()));
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 1);
    assert!(list(&shop.app.db).await.unwrap().is_empty(), "once more, not forever");
    // A job that is added again while it runs for the last time does not die.
    let job = impossible();
    added(&shop, &job).await;
    execute(&shop, "UPDATE jobs SET attempts = 59").await;
    let last = taken(&shop, Lane::Money).await.remove(0);
    added(&shop, &job).await;
    run_taken(shop.app.worker(), Lane::Money, last).await;
    let again = only(&shop).await;
    assert_eq!((again.attempts, again.dead_at), (0, None));
}

async fn a_failing_job_is_tried_again_later_and_dies_in_the_end(shop: TestShop) {
    let shop = own(&shop).await;
    added(&shop, &impossible()).await;
    let mut waits = Vec::new();
    for _ in 0..60 {
        assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 1);
        assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 0, "not at once");
        let job = only(&shop).await;
        let wait = job.run_at - shop.app.clock.now_ms();
        waits.push(wait);
        shop.clock.advance(wait.max(0));
    }
    assert!((2_000..=2_200).contains(&waits[0]) && (4_000..=4_400).contains(&waits[1]), "{waits:?}");
    assert!(waits.iter().all(|wait| *wait <= 66 * 60 * 1000), "{waits:?}");
    let job = only(&shop).await;
    assert_eq!((job.attempts, job.dead_at.is_some()), (60, true));
    assert!(job.last_error.unwrap().contains("attempt"), "it says why");
    shop.clock.advance(100 * HOUR);
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 0, "the dead stay where staff see them");
}

async fn a_dead_job_that_is_added_again_is_retried(shop: TestShop) {
    let shop = own(&shop).await;
    let job = impossible();
    added(&shop, &job).await;
    execute(&shop, "UPDATE jobs SET dead_at = 1, attempts = 60, last_error = 'It did not go.'").await;
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 0);
    shop.clock.advance(HOUR);
    added(&shop, &job).await;
    let again = only(&shop).await;
    assert_eq!((again.dead_at, again.attempts, again.last_error), (None, 0, None));
    assert_eq!(again.run_at, shop.app.clock.now_ms());
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 1);
    // One that waits keeps its tries and its time.
    let waiting = only(&shop).await;
    assert!(waiting.attempts == 1 && waiting.run_at > shop.app.clock.now_ms() && waiting.last_error.is_some());
    added(&shop, &job).await;
    let same = only(&shop).await;
    assert_eq!(
        (same.attempts, same.run_at, same.last_error, same.dead_at),
        (waiting.attempts, waiting.run_at, waiting.last_error, None)
    );
}

async fn what_looks_for_lost_jobs_leaves_dead_ones_to_staff(shop: TestShop) {
    const CAPTURED: &str = "SELECT COUNT(*) FROM payment_attempts WHERE status = 'captured'";
    let bench = Bench::start(shop.database).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    // NOON: jobs that died long ago are deleted.
    const DIE: &str = "UPDATE jobs SET dead_at = 1795280400000, attempts = 60, last_error = 'It did not go.'
        WHERE name = 'capture_payment'";
    bench.execute(DIE).await;
    bench.let_pass(5 * 60).await;
    let dead = "SELECT COUNT(*) FROM jobs WHERE name = 'capture_payment' AND dead_at IS NOT NULL AND attempts = 60";
    assert_eq!((bench.count(dead).await, bench.count(CAPTURED).await), (1, 0));
    bench.execute("DELETE FROM jobs WHERE name = 'capture_payment'").await;
    bench.let_pass(11 * 60).await;
    assert_eq!(bench.count(CAPTURED).await, 1, "a lost one is added again");
}

async fn what_a_held_payment_needs_is_not_discarded(shop: TestShop) {
    // NOON, as above.
    const DIE: &str = "UPDATE jobs SET dead_at = 1795280400000, attempts = 60, last_error = 'It did not go.'
        WHERE name IN ('capture_payment', 'void_payment')";
    let desk = Desk::open(&shop).await;
    let number = desk.placed(&[(PIPE_TOOL, 1)], |_| {}).await;
    desk.bench.execute(DIE).await;
    let capture = desk.bench.id("SELECT id FROM jobs WHERE name = 'capture_payment'").await;
    let call = async |method: &str, path: &str| desk.bench.shop.call(method, path, &desk.admin, Value::Null).await;
    call("DELETE", &format!("/api/admin/jobs/{capture}")).await.assert_problem(409, "still_held");
    // It would be added again, and the money be taken after all. Canceling lets it go.
    let whole = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &number, "cancellation", whole).await.assert_status(204);
    desk.bench.execute(DIE).await;
    let void = desk.bench.id("SELECT id FROM jobs WHERE name = 'void_payment'").await;
    call("DELETE", &format!("/api/admin/jobs/{void}")).await.assert_problem(409, "still_held");
    call("POST", &format!("/api/admin/jobs/{void}/retry")).await.assert_status(204);
    call("DELETE", &format!("/api/admin/jobs/{capture}")).await.assert_status(204);
    desk.bench.let_pass(11 * 60).await;
    assert_eq!(desk.bench.payments(), ["CANCELED"]);
    let left = "SELECT COUNT(*) FROM jobs WHERE name IN ('capture_payment', 'void_payment')";
    assert_eq!(desk.bench.count(left).await, 0);
}

async fn a_lost_lease_is_taken_up_by_another(shop: TestShop) {
    let shop = own(&shop).await;
    added(&shop, &impossible()).await;
    // A node claims it and crashes.
    let lost = taken(&shop, Lane::Money).await.remove(0);
    shop.clock.advance(YEAR);
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 0, "no clock but the database's ends a lease");
    shop.end_leases().await;
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 1);
    // If the first node returns after all, it cannot finish the job.
    let before = only(&shop).await;
    run_taken(shop.app.worker(), Lane::Money, lost).await;
    let after = only(&shop).await;
    assert_eq!((after.attempts, after.run_at), (before.attempts, before.run_at));
}

async fn what_may_be_done_is_not_taken_back_as_never_done(shop: TestShop) {
    let shop = own(&shop).await;
    for crashes in [false, true] {
        let job = impossible();
        added(&shop, &job).await;
        if crashes {
            assert_eq!(taken(&shop, Lane::Money).await.len(), 1);
            shop.end_leases().await;
        }
        // Whatever becomes of later runs.
        assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 1);
        let mut tx = shop.app.db.begin().await.unwrap();
        assert_eq!(take_back(&mut tx.conn(), &job).await.unwrap(), !crashes);
        tx.commit().await.unwrap();
        assert!(list(&shop.app.db).await.unwrap().is_empty());
    }
}

async fn one_of_many_workers_gets_a_job(shop: TestShop) {
    let shop = own(&shop).await;
    for _ in 0..40 {
        added(&shop, &impossible()).await;
    }
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let shop = shop.clone();
        workers.spawn(async move {
            let mut taken = 0;
            while let more @ 1.. = run_due(&shop.app.worker()).await.unwrap() {
                taken += more;
            }
            taken
        });
    }
    assert_eq!(workers.join_all().await.into_iter().sum::<usize>(), 40);
    assert!(list(&shop.app.db).await.unwrap().iter().all(|job| job.attempts == 1));
}

async fn recurring_jobs_come_back(shop: TestShop) {
    let shop = own(&shop).await;
    add_recurring(&shop.app.worker()).await.unwrap();
    add_recurring(&shop.app.worker()).await.unwrap();
    let before = list(&shop.app.db).await.unwrap().len();
    assert_eq!(before, recurring(&shop));
    while run_due(&shop.app.worker()).await.unwrap() > 0 {}
    let mut jobs = list(&shop.app.db).await.unwrap();
    // The reconciliation with the provider, which does not respond here, continues in other jobs.
    jobs.retain(|job| job.name != "compare");
    assert_eq!(jobs.len(), before);
    assert!(jobs.iter().all(|job| job.run_at > shop.app.clock.now_ms()), "{jobs:?}");
}

/// A former release that does not know their kinds gave them up.
async fn a_start_revives_what_it_lists(shop: TestShop) {
    let shop = own(&shop).await;
    let start = async || {
        add_recurring(&shop.app.worker()).await.unwrap();
        add_at_start(&shop.app.worker()).await.unwrap();
    };
    start().await;
    let listed = list(&shop.app.db).await.unwrap().len();
    assert!(listed > recurring(&shop), "some are done once");
    execute(&shop, "UPDATE jobs SET dead_at = 1, attempts = 36, last_error = 'unknown'").await;
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 0);
    start().await;
    let jobs = list(&shop.app.db).await.unwrap();
    assert_eq!(jobs.len(), listed);
    let now = shop.app.clock.now_ms();
    assert!(jobs.iter().all(|job| job.dead_at.is_none() && job.attempts == 0 && job.run_at <= now), "{jobs:?}");
}

/// A year ahead, both in the shop and in the database; then both are right again.
async fn a_clock_that_was_ahead_stops_nothing(shop: TestShop) {
    let shop = own(&shop).await;
    shop.clock.advance(YEAR);
    add_recurring(&shop.app.worker()).await.unwrap();
    added(&shop, &impossible()).await;
    while run_due(&shop.app.worker()).await.unwrap() > 0 {}
    added(&shop, &easy()).await;
    let at = shop.app.clock.now_ms() + YEAR;
    let mut tx = shop.app.db.begin().await.unwrap();
    add_at(&mut tx.conn(), shop.clock.as_ref(), &PublishProducts { at }, at).await.unwrap();
    tx.commit().await.unwrap();
    added(&shop, &easy()).await;
    // Nodes that died while they ran these, the first by a database's clock that was ahead, too.
    execute(&shop, "UPDATE jobs SET lease = 'a node', leased_until = 99999999999999 WHERE name = 'reconcile'").await;
    execute(&shop, "UPDATE jobs SET lease = 'another', leased_until = 1 WHERE name = 'release_stock'").await;

    shop.clock.advance(-YEAR);
    // What a starting node does first.
    add_recurring(&shop.app.worker()).await.unwrap();
    tend(&shop.app.worker()).await.unwrap();
    let all = recurring(&shop) + Records::ALL.len() + 3;
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), all, "all but what has a time of its own");
    let jobs = list(&shop.app.db).await.unwrap();
    let latest = shop.app.clock.now_ms() + 24 * HOUR;
    for job in jobs {
        assert!(if job.name == "publish_products" { job.run_at == at } else { job.run_at <= latest }, "{job:?}");
    }
    // Jobs with a plausible time stay unchanged.
    tend(&shop.app.worker()).await.unwrap();
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 0);
}

async fn what_a_clock_put_off_is_found_behind_many_later_jobs(shop: TestShop) {
    let shop = own(&shop).await;
    let later = shop.app.clock.now_ms() + YEAR;
    let mut tx = shop.app.db.begin().await.unwrap();
    for place in 0..501 {
        let job = PublishProducts { at: later + place };
        add_at(&mut tx.conn(), shop.clock.as_ref(), &job, later).await.unwrap();
    }
    tx.commit().await.unwrap();
    shop.clock.advance(HOUR);
    added(&shop, &easy()).await;
    shop.clock.advance(-HOUR);
    tend(&shop.app.worker()).await.unwrap();
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 1, "the others have a time of their own");
}

/// The database's clock jumps ahead, so that all leases are over before they can be renewed.
async fn a_node_takes_no_job_that_it_runs(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    let mut hold = bench.stand_in.faults.hold(Operation::CompletePayment, Point::BeforeAnswer);
    let app = bench.shop.app.clone();
    let running = tokio::spawn(async move { run_due(&app.worker()).await });
    assert!(hold.reached().await, "in the middle of the capture");
    bench.shop.end_leases().await;
    timeout(Duration::from_secs(30), run_due(&bench.shop.app.worker())).await.expect("nothing waits").unwrap();
    assert_eq!(bench.count("SELECT attempts FROM jobs WHERE name = 'capture_payment'").await, 1);
    drop(hold);
    running.await.unwrap().unwrap();
    assert_eq!(bench.count("SELECT COUNT(*) FROM jobs WHERE name = 'capture_payment'").await, 0);
}

async fn a_clock_that_is_set_back_a_little_takes_no_job_away(shop: TestShop) {
    let shop = own(&shop).await;
    added(&shop, &impossible()).await;
    assert_eq!(taken(&shop, Lane::Money).await.len(), 1);
    // Seen from a clock that is five seconds behind.
    execute(&shop, "UPDATE jobs SET leased_until = leased_until + 5000").await;
    assert!(taken(&shop, Lane::Money).await.is_empty());
}

async fn a_job_of_a_former_version_is_done(shop: TestShop) {
    let shop = own(&shop).await;
    let (id, payload) = (Uuid::now_v7(), payload(&easy()).unwrap());
    let mut tx = shop.app.db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query(
        "INSERT INTO jobs (id, name, payload, run_at, attempts, leased_until, lease, created_at)
        VALUES ($1, 'webhook', $2, 0, 0, 0, '', 0) ON CONFLICT (name, payload) DO NOTHING")
        .bind(id).bind(payload).execute(c).await.map(drop))
    .unwrap();
    tx.commit().await.unwrap();
    tend(&shop.app.worker()).await.unwrap();
    assert!(taken(&shop, Lane::Maintenance).await.is_empty(), "it has its own lane");
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 1);
    assert!(list(&shop.app.db).await.unwrap().is_empty());
}

async fn a_dispatch_of_a_former_version_gets_its_group(shop: TestShop) {
    let shop = own(&shop).await;
    let endpoint = Uuid::now_v7();
    added(&shop, &SendDispatch { dispatch: Uuid::now_v7(), endpoint: Some(endpoint) }).await;
    let group = async || {
        let (now, except) = (shop.app.clock.now_ms(), Except::default());
        let mut reader = shop.app.db.read().await.unwrap();
        find_group(&mut reader.conn(), Lane::Dispatches, now, 60_000, &except).await.unwrap()
    };
    assert_eq!(group().await, Some(endpoint));
    let mut tx = shop.app.db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query("UPDATE jobs SET group_id = $1").bind(Uuid::nil()).execute(c).await.map(drop))
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(group().await, Some(Uuid::nil()), "it is found without one, too");
    tend(&shop.app.worker()).await.unwrap();
    assert_eq!(group().await, Some(endpoint));
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 1);
}

/// Stored payloads never change: nodes of two releases share the queue, and equal jobs are recognized by their text.
async fn every_stored_job_is_understood(shop: TestShop) {
    let id = Uuid::nil();
    let mail = Mail::Welcome(WelcomeMail { name: "Ann".to_owned() });
    let email = SendAccountMail { id, user_id: Some(id), to: "ann@shop.example".to_owned(), mail };
    let event = ProcessWebhook { provider: "square".into(), event_id: "e1".into(), kind: "payment.updated".into() };
    let again = SendOrderMail { order: id, news: OrderNews::Placed, again: Some(id) };
    let nil = "\"00000000-0000-0000-0000-000000000000\"";
    let stored = [
        (payload(&CapturePayment { attempt: id }), format!(r#"{{"job":"capture_payment","attempt":{nil}}}"#)),
        (payload(&VoidPayment { attempt: id }), format!(r#"{{"job":"void_payment","attempt":{nil}}}"#)),
        (payload(&SendRefund { refund: id }), format!(r#"{{"job":"refund","refund":{nil}}}"#)),
        (
            payload(&event),
            r#"{"job":"webhook","provider":"square","event_id":"e1","kind":"payment.updated"}"#.to_owned(),
        ),
        (
            payload(&SendOrderMail { again: None, ..again.clone() }),
            format!(r#"{{"job":"order_mail","order":{nil},"news":"placed"}}"#),
        ),
        (payload(&again), format!(r#"{{"job":"order_mail","order":{nil},"news":"placed","again":{nil}}}"#)),
        (
            payload(&SendDraftMail { draft: id, sending: id }),
            format!(r#"{{"job":"draft_mail","draft":{nil},"sending":{nil}}}"#),
        ),
        (
            payload(&email),
            format!(
                r#"{{"job":"account_mail","id":{nil},"user_id":{nil},"to":"ann@shop.example","mail":{{"kind":"welcome","name":"Ann"}}}}"#
            ),
        ),
        (
            payload(&SendAccountMail { user_id: None, ..email }),
            format!(
                r#"{{"job":"account_mail","id":{nil},"to":"ann@shop.example","mail":{{"kind":"welcome","name":"Ann"}}}}"#
            ),
        ),
        (
            payload(&FillSearchTerms { kind: Kind::Order }),
            r#"{"job":"fill_search_terms","searched":"order"}"#.to_owned(),
        ),
        (payload(&SendDispatch { dispatch: id, endpoint: None }), format!(r#"{{"job":"dispatch","dispatch":{nil}}}"#)),
        (
            payload(&SendDispatch { dispatch: id, endpoint: Some(id) }),
            format!(r#"{{"job":"dispatch","dispatch":{nil},"endpoint":{nil}}}"#),
        ),
        (payload(&PublishProducts { at: 7 }), r#"{"job":"publish_products","at":7}"#.to_owned()),
        (payload(&Clean {}), r#"{"job":"clean"}"#.to_owned()),
        (payload(&Reconcile {}), r#"{"job":"reconcile"}"#.to_owned()),
        (payload(&ReleaseStock {}), r#"{"job":"release_stock"}"#.to_owned()),
        (payload(&BeginComparison {}), r#"{"job":"audit"}"#.to_owned()),
        (payload(&RollUp {}), r#"{"job":"roll_up"}"#.to_owned()),
        (payload(&SendPickupMail { link: id }), format!(r#"{{"job":"pickup_mail","link":{nil}}}"#)),
        (payload(&RemindPickups {}), r#"{"job":"remind_pickups"}"#.to_owned()),
        (payload(&RankProducts {}), r#"{"job":"rank_products"}"#.to_owned()),
        (payload(&UpdateStatistics {}), r#"{"job":"update_statistics"}"#.to_owned()),
        (
            payload(&ImportProducts { import: id, step: id }),
            format!(r#"{{"job":"import_products","import":{nil},"step":{nil}}}"#),
        ),
        (
            payload(&Compare { records: Records::Payments, from: 7 }),
            r#"{"job":"compare","records":"payments","from":7}"#.to_owned(),
        ),
        (payload(&SettlePayment { payment: "p1".to_owned() }), r#"{"job":"settle_payment","payment":"p1"}"#.to_owned()),
    ];
    let registry = shop.app.worker().registry;
    let mut names = BTreeSet::new();
    for (written, stored) in stored {
        assert_eq!(written.unwrap(), stored);
        let name = serde_json::from_str::<Value>(&stored).unwrap()["job"].as_str().unwrap().to_owned();
        let handler = registry.find(&name).unwrap_or_else(|| panic!("{name} has no handler"));
        // The future does nothing until it is awaited.
        assert!(handler.begin(&stored).is_some(), "{stored}");
        names.insert(name);
    }
    // As a former release has stored it.
    let former = r#"{"job":"fill_search_terms","kind":"order"}"#;
    assert!(registry.find("fill_search_terms").unwrap().begin(former).is_some());
    for (kind, _) in registry.list_at_start().unwrap() {
        assert!(registry.find(kind.name).is_some(), "each start adds {}, which has no handler", kind.name);
    }
    let registered: BTreeSet<String> = registry.kinds().map(|kind| kind.name.to_owned()).collect();
    assert_eq!(names, registered, "each kind has its stored form above");
}

async fn a_job_of_a_newer_version_waits_for_it(shop: TestShop) {
    let shop = own(&shop).await;
    added(&shop, &easy()).await;
    execute(&shop, "UPDATE jobs SET name = 'paint', payload = '{\"job\":\"paint\",\"to\":\"ann@shop.example\"}'").await;
    assert_eq!(run_due(&shop.app.worker()).await.unwrap(), 1);
    let job = only(&shop).await;
    assert_eq!((job.attempts, job.dead_at), (1, None));
    assert!(!job.last_error.unwrap().contains("ann@"), "nobody is named");
}

async fn a_slow_job_keeps_no_other_waiting(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    // The reconciliation's call, including its retries.
    let mut holds = [0; 3].map(|_| bench.stand_in.faults.hold(Operation::ListPayments, Point::BeforeAnswer));
    let _worker = Worker::start(&bench.shop.app, QUICK);
    assert!(holds[0].reached().await);
    for _ in 0..3 {
        bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    }
    let captured = "SELECT COUNT(*) FROM payment_attempts WHERE status = 'captured'";
    until("three orders are captured", async || bench.count(captured).await == 3).await;
    // Its lease is renewed all the time, on a busy machine late.
    let is_at_it = async || {
        let jobs = list(&bench.shop.app.db).await.unwrap();
        jobs.iter().any(|job| job.name == "compare" && job.is_leased)
    };
    until("the slow one of their lane is still at it", is_at_it).await;
}

/// Somebody has locked a job that a clock had put off.
async fn tending_jobs_keeps_no_lease_from_being_renewed(OnPostgres(shop): OnPostgres) {
    /// When the statement began that waits, or 0.
    const WAITS_SINCE: &str = "SELECT CAST(COALESCE(MAX(EXTRACT(EPOCH FROM query_start)), 0) * 1000000 AS BIGINT)
        FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock' AND query LIKE 'UPDATE jobs SET run_at%'";
    const LEASED_UNTIL: &str = "SELECT leased_until FROM jobs WHERE name = 'capture_payment'";
    const NOW: &str = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
    let shop = own(&shop).await;
    added(&shop, &impossible()).await;
    let running = taken(&shop, Lane::Money).await.remove(0);
    let _hold = shop.app.worker().state.hold(Lane::Money, &running);
    added(&shop, &easy()).await;
    execute(&shop, "UPDATE jobs SET run_at = 99999999999999 WHERE name = 'webhook'").await;
    let mut other = PgConnection::connect(shop.app.config.data.database.expose()).await.unwrap();
    let mut locking = other.begin().await.unwrap();
    sqlx::query("SELECT 1 FROM jobs WHERE name = 'webhook' FOR UPDATE").execute(&mut *locking).await.unwrap();

    let lease = i64::try_from(QUICK.lease.as_millis()).unwrap();
    let left = async || figure(&shop, LEASED_UNTIL).await - figure(&shop, NOW).await;
    let _worker = Worker::start(&shop.app.for_jobs(), QUICK);
    until("it is tended, and renewed", async || figure(&shop, WAITS_SINCE).await > 0 && left().await <= lease).await;
    let renewed_meanwhile = async || {
        let (since, before) = (figure(&shop, WAITS_SINCE).await, figure(&shop, LEASED_UNTIL).await);
        until("it is renewed again", async || figure(&shop, LEASED_UNTIL).await > before).await;
        since > 0 && figure(&shop, WAITS_SINCE).await == since
    };
    until("it is renewed while tending waits", renewed_meanwhile).await;
    locking.rollback().await.unwrap();
}

/// Somebody has locked the rows of all jobs but one, for longer than a lease lasts.
async fn a_lease_that_cannot_be_renewed_keeps_no_other_from_it(OnPostgres(shop): OnPostgres) {
    const NOW: &str = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
    const LEASED: &str = "SELECT COUNT(*) FROM jobs
        WHERE leased_until > CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
    // Longer than a statement waits for a lock.
    let pace = Pace { lease: Duration::from_secs(10), ..QUICK };
    let shop = own(&shop).await;
    for _ in 0..8 {
        added(&shop, &impossible()).await;
    }
    let state = shop.app.worker().state;
    let running = taken(&shop, Lane::Money).await;
    let _holds: Vec<_> = running.iter().map(|job| state.hold(Lane::Money, job)).collect();
    // As if they had been taken at this pace.
    execute(&shop, "UPDATE jobs SET leased_until = leased_until - 50000").await;
    let end = figure(&shop, "SELECT MAX(leased_until) FROM jobs").await;
    let mut other = PgConnection::connect(shop.app.config.data.database.expose()).await.unwrap();
    let mut locking = other.begin().await.unwrap();
    // All but the one that is renewed last.
    for locked in &state.held()[..7] {
        let locks = sqlx::query("SELECT 1 FROM jobs WHERE id = $1 FOR UPDATE").bind(locked.id);
        locks.execute(&mut *locking).await.unwrap();
    }

    let _worker = Worker::start(&shop.app.for_jobs(), pace);
    until("the first leases are over", async || figure(&shop, NOW).await > end).await;
    assert_eq!(figure(&shop, LEASED).await, 1, "the one that is not locked");
    locking.rollback().await.unwrap();
}

/// No node could renew it. When the database is back, its own does so at once, for which the others wait.
async fn a_lease_that_has_ended_while_the_database_was_away_is_renewed(OnPostgres(shop): OnPostgres) {
    const LEFT: &str = "SELECT leased_until - CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) FROM jobs";
    // One renewal is due while the database is away; after that, others look long before the next one.
    let pace = Pace { lease: Duration::from_secs(4), beat: Duration::from_secs(10), ..QUICK };
    let lease = i64::try_from(pace.lease.as_millis()).unwrap();
    let (link, address) = behind_a_link().await;
    let shop = TestShop::with(shop.database, |config| config.data.database = Secret::new(address.to_string())).await;
    let other = shop.another_node().await;
    added(&shop, &impossible()).await;
    let running = taken(&shop, Lane::Money).await.remove(0);
    let _hold = shop.app.worker().state.hold(Lane::Money, &running);
    let _worker = Worker::start(&shop.app.for_jobs(), pace);
    until("it is renewed at the first time", async || figure(&shop, LEFT).await <= lease).await;

    link.set(State::Cut);
    let begun = Instant::now();
    let _other = Worker::start(&other.app.for_jobs(), pace);
    until("another renewal has failed", async || begun.elapsed() > pace.beat + pace.lease).await;
    link.set(State::Open);
    until("it is renewed again", async || {
        if shop.app.db.ping().await.is_err() {
            return false;
        }
        assert_eq!(figure(&shop, "SELECT attempts FROM jobs").await, 1, "the other node has taken it");
        figure(&shop, LEFT).await > 0
    })
    .await;
}

async fn a_node_whose_workers_stopped_is_not_ready(shop: TestShop) {
    let shop = own(&shop).await;
    let ready = async || shop.get("/readyz").await;
    ready().await.assert_status(200);
    let worker = Worker::looking(&shop.app, QUICK).await;
    // On a busy machine its lanes may be late.
    until("it is ready, with its jobs", async || {
        let answer = ready().await;
        answer.status == 200 && answer.json()["jobs"] == true
    })
    .await;
    drop(worker);
    until("it is not ready", async || ready().await.status == 503).await;
    let answer = ready().await.json();
    assert_eq!((&answer["ready"], &answer["database"], &answer["jobs"]), (&json!(false), &json!(true), &json!(false)));
}

/// In a rush, while the disk is slow: each of them waits for its turn, all of them for longer than a lane may be silent.
async fn a_lane_that_takes_its_jobs_one_by_one_is_not_silent(OnSqlite(shop): OnSqlite) {
    const TURN: Duration = Duration::from_millis(800);
    let pace = Pace { silent_after: Duration::from_secs(10), ..QUICK };
    let shop = own(&shop).await;
    let endpoint = Some(Uuid::now_v7());
    for _ in 0..Lane::Dispatches.slots() {
        added(&shop, &SendDispatch { dispatch: Uuid::now_v7(), endpoint }).await;
    }
    let app = shop.app.for_jobs();
    let rush = async {
        while let Ok(turn) = app.db.begin().await {
            sleep(TURN).await;
            turn.commit().await.unwrap();
        }
    };
    let _worker = Worker::start(&app, pace);
    let done = until("all are done", async || {
        assert_eq!(shop.get("/readyz").await.assert_status(200).json()["jobs"], true);
        list(&shop.app.db).await.unwrap().is_empty()
    });
    tokio::select! {
        () = rush => panic!("the rush ended before the jobs"),
        () = done => {}
    }
}

/// On SQLite, where each would wait for the writer.
async fn jobs_that_end_together_are_written_together(OnSqlite(shop): OnSqlite) {
    let shop = own(&shop).await;
    let db = &shop.app.db;
    let writer = || db.uses().into_iter().find(|pool| pool.name == "Writer").unwrap();
    for _ in 0..8 {
        added(&shop, &easy()).await;
    }
    let worker = shop.app.worker();
    let taken = taken(&shop, Lane::Webhooks).await;
    assert_eq!(taken.len(), 8);
    let before = db.begin().await.unwrap();
    let turns = writer().waits.count();
    let mut running = tokio::task::JoinSet::new();
    for job in taken {
        running.spawn(run_taken(worker.clone(), Lane::Webhooks, job));
    }
    let ended = || worker.state.runs().values().map(|runs| runs.done).sum::<u64>();
    until("all have ended", async || ended() == 8 && writer().waiting > 0).await;
    before.commit().await.unwrap();
    running.join_all().await;
    assert!(list(db).await.unwrap().is_empty());
    // The last may have ended while the first was stored.
    let turns = writer().waits.count() - turns;
    assert!(turns <= 2, "{turns} turns for eight jobs");
}

/// Such as by a damaged index.
async fn an_end_that_cannot_be_stored_keeps_no_other_from_it(OnSqlite(shop): OnSqlite) {
    const STUCK: &str = "CREATE TRIGGER stuck BEFORE DELETE ON jobs WHEN OLD.name = 'webhook'
        BEGIN SELECT RAISE(ABORT, 'stuck'); END";
    let shop = own(&shop).await;
    execute(&shop, STUCK).await;
    added(&shop, &impossible()).await;
    added(&shop, &easy()).await;
    let first = Arc::new((taken(&shop, Lane::Money).await.remove(0), End::Done));
    let stuck = Arc::new((taken(&shop, Lane::Webhooks).await.remove(0), End::Done));
    let (cx, waiting) = (shop.app.worker().cx, ends::Ends::default());
    let before = shop.app.db.begin().await.unwrap();
    // The first has both to store once the writer is free.
    let (stored, refused, free) =
        tokio::join!(ends::store(&cx, &waiting, &first), ends::store(&cx, &waiting, &stuck), before.commit());
    free.unwrap();
    stored.unwrap();
    assert!(refused.is_err());
    assert_eq!(only(&shop).await.name, "webhook");
}

/// A measurement; it only asserts that all of them are executed.
async fn short_jobs_a_second(shop: TestShop) {
    let shop = own(&shop).await;
    let many = rounds(300, 5_000);
    let mut tx = shop.app.db.begin().await.unwrap();
    for _ in 0..many {
        add(&mut tx.conn(), shop.clock.as_ref(), &easy()).await.unwrap();
    }
    tx.commit().await.unwrap();
    let begun = Instant::now();
    let _worker = Worker::start(&shop.app, QUICK);
    until("all are done", async || list(&shop.app.db).await.unwrap().is_empty()).await;
    let taken: Duration = begun.elapsed();
    writeln!(std::io::stdout().lock(), "{}: {many} short jobs in {taken:.1?}", shop.database.name()).unwrap();
}
