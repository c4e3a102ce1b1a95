//! The program is killed with SIGKILL at every point of the payment path, over real sockets. After a restart and at most two minutes of its
//! clock, each payment has its order, each order its payment, and the stock is exact; a buyer who returns gets exactly one order. SQLite's
//! file is not damaged.
//!
//! Three rounds each by default; `PROOFS=full` runs fifty, and 250 under load.

pub mod scene;
pub mod seeded;
mod victim;

use scene::Scene;
use serde_json::json;
use shop_demo::square::faults::{Fault, Operation, Point, Rule};

use crate::support::{Database, Receiver, Test, TestShop, rounds, until};
use crate::tests;

/// The point at which the program is killed, and the scenario that leads there.
#[derive(Clone, Copy)]
struct Kill {
    point: &'static str,
    /// On which visit to the point.
    nth: u64,
    way: Way,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// A buyer pays.
    Pay,
    /// A buyer pays, and the provider sends webhooks.
    Told,
    /// The provider makes the payment, but its response is lost.
    Unheard,
    /// The provider never received the payment.
    Unmade,
    /// The provider executes the payment after the shop gave it up.
    Late,
    /// A second card paid the order, and then the first one is charged after all.
    Twice,
}

macro_rules! kills {
    ($($name:ident: $point:literal, $nth:literal, $way:ident;)*) => {
        pub const TESTS: &[Test] = tests![
            $($name,)*
            an_order_to_be_paid_in_the_store_is_placed_all_the_same,
            at_any_moment_under_load,
            a_panic_is_a_failed_try,
            a_panic_loses_one_batch_of_activity,
            a_panic_ends_an_import,
            others_are_told_after_it,
        ];

        $(async fn $name(shop: TestShop) {
            survives(shop.database, Kill { point: $point, nth: $nth, way: Way::$way }).await;
        })*
    };
}

kills! {
    before_the_order: "pay::before_order", 1, Pay;
    before_the_attempt_is_stored: "pay::before_stored", 1, Pay;
    after_the_attempt_is_stored: "pay::stored", 1, Pay;
    before_the_call: "pay::before_call", 1, Pay;
    after_the_answer: "pay::answered", 1, Pay;
    before_the_order_is_placed: "settle::before_commit", 1, Pay;
    after_the_order_is_placed: "settle::committed", 1, Pay;
    before_the_capture: "capture::before_call", 1, Pay;
    after_the_capture: "capture::answered", 1, Pay;
    before_the_capture_is_stored: "settle::before_commit", 2, Pay;
    after_the_capture_is_stored: "capture::settled", 1, Pay;
    before_the_job_is_removed: "jobs::performed", 1, Pay;
    after_the_job_is_removed: "jobs::deleted", 1, Pay;
    before_a_webhook_is_stored: "webhook::before_commit", 1, Told;
    after_a_webhook_is_stored: "webhook::committed", 1, Told;
    when_the_payment_is_found: "reconcile::listed", 1, Unheard;
    after_the_payment_is_forbidden: "reconcile::fenced", 1, Unmade;
    before_it_is_let_go: "void::before_call", 1, Late;
    after_it_is_let_go: "void::answered", 1, Late;
    before_the_refund: "refund::before_call", 1, Twice;
    after_the_refund: "refund::answered", 1, Twice;
    before_the_refund_is_stored: "refund::before_commit", 1, Twice;
}

async fn survives(database: Database, kill: Kill) {
    let mut scene = Scene::start(database, matches!(kill.way, Way::Told | Way::Twice)).await;
    if kill.point.starts_with("jobs::") {
        scene.until_idle().await;
    }
    for _ in 0..rounds(3, 50) {
        let order = scene.order().await;
        let said = match kill.way {
            Way::Pay | Way::Told => {
                scene.victim().arm(kill.point, kill.nth).await;
                scene.pay_unheard(&order);
                None
            }
            Way::Unheard => {
                let mut held = scene.hold_payment(Point::BeforeAnswer);
                scene.pay_unheard(&order);
                assert!(held[0].reached().await);
                scene.victim().arm(kill.point, kill.nth).await;
                Some(scene.pass_until_it_dies().await)
            }
            Way::Unmade => {
                let mut held = scene.hold_payment(Point::BeforeCommit);
                scene.pay_unheard(&order);
                assert!(held[0].reached().await);
                scene.victim().arm(kill.point, kill.nth).await;
                Some(scene.pass_until_it_dies().await)
            }
            Way::Late => {
                let mut held = scene.hold_payment(Point::BeforeCommit);
                scene.pay_unheard(&order);
                assert!(held[0].reached().await);
                scene.pass_until_settled().await;
                scene.victim().arm(kill.point, kill.nth).await;
                drop(held);
                None
            }
            Way::Twice => {
                let faults = &scene.stand_in.faults;
                let lost = faults.add(Rule { times: 3, ..Rule::once(Operation::CreatePayment, Fault::ServerError) });
                assert_eq!(scene.pay(&order).await, 202);
                assert_eq!(scene.stand_in.faults.fired(lost), 3);
                scene.pass_until_settled().await;
                let again = Scene::another_click(&order);
                assert_eq!(scene.pay(&again).await, 200);
                scene.pass_until_settled().await;
                scene.victim().arm(kill.point, kill.nth).await;
                scene.charge_first_attempt(&order).await;
                None
            }
        };
        scene.bury(kill.point, said).await;
        scene.restart().await;
        scene.pass_until_settled().await;
        scene.assert_books_balance().await;
        scene.come_back(&order).await;
        scene.pass_until_settled().await;
        scene.assert_books_balance().await;
    }
}

/// No provider can report it later.
async fn an_order_to_be_paid_in_the_store_is_placed_all_the_same(shop: TestShop) {
    const PLACED: &str = "SELECT COUNT(*) FROM orders WHERE status = 'placed'";
    let mut scene = Scene::start(shop.database, false).await;
    let before = scene.count(PLACED).await;
    assert_eq!(scene.pay(&scene.pickup().await).await, 202);
    let confirmation = json!({ "link": scene.emailed_link().await });
    scene.victim().arm("pay::stored", 1).await;
    scene.post_unheard("/api/checkout/confirm", &confirmation);
    scene.bury("pay::stored", None).await;
    scene.restart().await;
    scene.pass_until_settled().await;
    assert_eq!(scene.count(PLACED).await, before + 1);
    assert_eq!(scene.post("/api/checkout/confirm", &confirmation).await.status(), 200);
    scene.assert_books_balance().await;
}

/// Twelve concurrent buyers, and a kill when the provider has received some of their payments.
async fn at_any_moment_under_load(shop: TestShop) {
    let mut scene = Scene::start(shop.database, true).await;
    for round in 0..rounds(3, 250) {
        let mut orders = Vec::new();
        for _ in 0..12 {
            orders.push(scene.order().await);
        }
        let before = scene.stand_in.payments().len();
        for order in &orders {
            scene.pay_unheard(order);
        }
        // More of them in each round.
        while scene.stand_in.payments().len() < before + 1 + round % 12 {
            tokio::task::yield_now().await;
        }
        scene.kill().await;
        scene.restart().await;
        scene.pass_until_settled().await;
        scene.assert_books_balance().await;
        for order in &orders {
            scene.come_back(order).await;
        }
        scene.pass_until_settled().await;
        scene.assert_books_balance().await;
    }
}

/// A panic in a job or in a worker task ends nothing else.
async fn a_panic_is_a_failed_try(shop: TestShop) {
    let mut scene = Scene::start(shop.database, false).await;
    let order = scene.order().await;
    scene.victim().panic("capture::before_call", 1).await;
    assert_eq!(scene.pay(&order).await, 200);
    const FAILED: &str =
        "SELECT COUNT(*) FROM jobs WHERE name = 'capture_payment' AND attempts = 1 AND leased_until = 0
        AND last_error = 'the program panicked; its standard error says where'";
    const CAPTURED: &str = "SELECT COUNT(*) FROM payment_attempts WHERE status = 'captured'";
    until("the try has failed", async || {
        // Two seconds later it is tried again, which may be before this looks.
        scene.count(FAILED).await == 1 || (scene.count(CAPTURED).await == 1 && scene.logged("panicked at") == 1)
    })
    .await;
    scene.pass_until_settled().await;
    scene.assert_books_balance().await;

    // One panic per lane, or several in the same lane.
    scene.victim().panic("jobs::looking", 5).await;
    until("tasks of the worker have ended", async || scene.logged("a task has panicked") == 5).await;
    let order = scene.order().await;
    assert_eq!(scene.pay(&order).await, 200);
    until("the worker goes on by itself", async || scene.count(CAPTURED).await == 2).await;
    scene.assert_books_balance().await;
}

/// The task that writes activity goes on.
async fn a_panic_loses_one_batch_of_activity(shop: TestShop) {
    const COUNT: &str = "SELECT COUNT(*) FROM activity_events";
    let mut scene = Scene::start(shop.database, false).await;
    let before = scene.count(COUNT).await;
    let view = json!({ "type": "page_view", "page": "/" });
    scene.victim().panic("activity::writing", 1).await;
    assert_eq!(scene.post("/api/me/activity", &view).await.status(), 202);
    until("a batch is lost", async || scene.logged("activity could not be written") == 1).await;
    assert_eq!(scene.post("/api/me/activity", &view).await.status(), 202);
    until("the next one is written", async || scene.count(COUNT).await == before + 1).await;
}

/// Nobody else reads the file, so staff need not wait for that.
async fn a_panic_ends_an_import(shop: TestShop) {
    const FAILED: &str = "SELECT COUNT(*) FROM product_imports
        WHERE state = 'failed' AND problem LIKE 'Something went wrong on our end while reading the file.%'";
    const READ: &str = "SELECT COUNT(*) FROM product_imports
        WHERE state IN ('checked', 'failed') AND problem NOT LIKE 'Something went wrong%'";
    let mut scene = Scene::start(shop.database, false).await;
    let cookie = scene.sign_in("admin").await;
    scene.victim().panic("import::reading", 1).await;
    assert_eq!(scene.import(&cookie, "Handle\n").await, 202);
    until("it has failed", async || scene.count(FAILED).await == 1).await;
    assert_eq!(scene.import(&cookie, "Handle\n").await, 202);
    until("the next one is read", async || scene.count(READ).await == 1).await;
}

/// Between the commit and the sending, and between the sending and recording its result.
async fn others_are_told_after_it(shop: TestShop) {
    let mut scene = Scene::start(shop.database, false).await;
    let receiver = Receiver::open().await;
    scene.add_endpoint(&receiver.url).await;
    for (round, (point, times)) in [("settle::committed", 1), ("dispatch::answered", 2)].into_iter().enumerate() {
        let order = scene.order().await;
        scene.victim().arm(point, 1).await;
        scene.pay_unheard(&order);
        scene.bury(point, None).await;
        let before = receiver.told().len();
        assert_eq!(before, round * 2, "what was committed is not sent, what was sent is not noted");
        scene.restart().await;
        scene.pass_until_settled().await;
        scene.pass_until_told().await;
        let placed = receiver.of_kind("order.placed");
        let last = placed.last().unwrap().id();
        assert_eq!(placed.iter().filter(|told| told.id() == last).count(), times);
        assert_eq!(placed.iter().filter(|told| told.id() != last).count(), round);
    }
}
