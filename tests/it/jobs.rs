//! Work that must happen: once, again after failures, by another node when one dies, and before the eyes of staff in the end.

use shop::jobs::model::{Job, RECURRING};
use shop::jobs::service::{add, add_recurring, list};
use shop::jobs::store::{self, Lane};
use shop::jobs::worker::run_due;
use uuid::Uuid;

use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_job_of_a_transaction_that_fails_is_none,
    the_same_job_twice_is_one,
    a_failing_job_is_tried_again_later_and_dies_in_the_end,
    a_lost_lease_is_taken_up_by_another,
    one_of_many_workers_gets_a_job,
    recurring_jobs_come_back,
];

/// A job that cannot succeed: there is no such payment.
fn impossible() -> Job {
    Job::CapturePayment { attempt: Uuid::now_v7() }
}

async fn added(shop: &TestShop, job: &Job) {
    let mut tx = shop.app.db.begin().await.unwrap();
    add(&mut tx.conn(), shop.clock.as_ref(), job).await.unwrap();
    tx.commit().await.unwrap();
}

async fn own(shop: &TestShop) -> TestShop {
    TestShop::with(shop.database, |_| {}).await
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
    let job = impossible();
    added(&shop, &job).await;
    added(&shop, &job).await;
    added(&shop, &impossible()).await;
    assert_eq!(list(&shop.app.db).await.unwrap().len(), 2);
}

async fn a_failing_job_is_tried_again_later_and_dies_in_the_end(shop: TestShop) {
    let shop = own(&shop).await;
    added(&shop, &impossible()).await;
    let mut waits = Vec::new();
    for _ in 0..60 {
        assert_eq!(run_due(&shop.app).await.unwrap(), 1);
        assert_eq!(run_due(&shop.app).await.unwrap(), 0, "not at once");
        let job = list(&shop.app.db).await.unwrap().remove(0);
        let wait = job.run_at - shop.app.clock.now_ms();
        waits.push(wait);
        shop.clock.advance(wait.max(0));
    }
    assert!((2_000..=2_200).contains(&waits[0]) && (4_000..=4_400).contains(&waits[1]), "{waits:?}");
    assert!(waits.iter().all(|wait| *wait <= 66 * 60 * 1000), "{waits:?}");
    let job = list(&shop.app.db).await.unwrap().remove(0);
    assert_eq!((job.attempts, job.dead_at.is_some()), (60, true));
    assert!(job.last_error.unwrap().contains("attempt"), "it says why");
    shop.clock.advance(100 * 60 * 60 * 1000);
    assert_eq!(run_due(&shop.app).await.unwrap(), 0, "the dead stay where staff see them");
}

async fn a_lost_lease_is_taken_up_by_another(shop: TestShop) {
    let shop = own(&shop).await;
    added(&shop, &impossible()).await;
    // A node takes it and is never heard of again.
    let now = shop.app.clock.now_ms();
    let mut tx = shop.app.db.begin().await.unwrap();
    let taken = store::claim(&mut tx.conn(), Lane::Own, now, "a node that dies", now + 60_000, 8).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(taken.len(), 1);
    assert_eq!(run_due(&shop.app).await.unwrap(), 0);
    shop.clock.advance(60_000);
    assert_eq!(run_due(&shop.app).await.unwrap(), 1);
    // Should the first one come back after all, it can finish nothing.
    let mut tx = shop.app.db.begin().await.unwrap();
    store::delete(&mut tx.conn(), taken[0].id, "a node that dies").await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(list(&shop.app.db).await.unwrap().len(), 1);
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
            while let more @ 1.. = run_due(&shop.app).await.unwrap() {
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
    add_recurring(&shop.app.db, shop.clock.as_ref()).await.unwrap();
    add_recurring(&shop.app.db, shop.clock.as_ref()).await.unwrap();
    let before = list(&shop.app.db).await.unwrap().len();
    assert_eq!(before, RECURRING.len());
    while run_due(&shop.app).await.unwrap() > 0 {}
    let jobs = list(&shop.app.db).await.unwrap();
    assert_eq!(jobs.len(), before);
    assert!(jobs.iter().all(|job| job.run_at > shop.app.clock.now_ms()), "{jobs:?}");
}
