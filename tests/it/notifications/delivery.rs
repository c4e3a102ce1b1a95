//! Each event is sent, signed and retried until it is taken or its endpoint is switched off; nothing goes where it should not.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shop_base::clock::Clock;
use shop_base::config::Secret;
use shop_platform::jobs::model::Lane;
use shop_platform::jobs::service::tend;
use shop_platform::jobs::store::{Claim, Except, claim};
use shop_platform::jobs::worker::run_due;
use sqlx::{Connection, PgConnection};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use url::Url;
use uuid::Uuid;

use super::{CALL, HOUR, MINUTE, Scene, everything, made};
use crate::support::{OnPostgres, QUICK, Receiver, Test, TestShop, Worker, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_failed_try_is_repeated_under_one_id_until_it_is_taken,
    what_was_committed_is_sent_by_another_node,
    who_is_gone_is_switched_off,
    who_takes_nothing_for_three_days_is_switched_off,
    what_a_former_address_says_concerns_no_later_one,
    a_clock_that_was_ahead_keeps_nothing_from_an_endpoint,
    a_redirect_is_not_followed,
    nothing_private_is_reached,
    a_former_secret_signs_for_a_day,
    a_secret_that_is_replaced_twice_signs_for_a_day,
    a_secret_that_cannot_be_decrypted_is_replaced,
    who_is_off_hears_nothing,
    one_who_hangs_keeps_nobody_waiting,
    one_who_answers_late_keeps_nobody_waiting,
    one_whose_jobs_are_locked_keeps_nobody_waiting,
    what_a_newer_release_tells_is_sent_and_listed,
    the_log_is_swept,
    the_log_of_a_deleted_endpoint_is_left_to_the_cleanup,
];

async fn a_failed_try_is_repeated_under_one_id_until_it_is_taken(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.receiver.answer(500, "x".repeat(5_000));
    scene.receiver.answer(429, "<script>alert(1)</script>\0");
    scene.tell("SKU-1").await;
    scene.work().await;
    assert_eq!(scene.receiver.told().len(), 1, "not again at once");
    for _ in 0..2 {
        scene.shop.clock.advance(MINUTE);
        scene.work().await;
    }
    scene.shop.clock.advance(24 * HOUR);
    scene.work().await;
    let told = scene.receiver.told();
    assert_eq!(told.len(), 3);
    assert!(told.iter().all(|each| each.id() == told[0].id() && each.body == told[0].body));
    assert!(told.iter().all(|each| each.signatures_by(&scene.endpoint.secret) == 1), "each try has its time signed");
    assert_ne!(told[0].header("webhook-timestamp"), told[2].header("webhook-timestamp"));
    let [entry] = scene.log("").await.try_into().unwrap();
    assert_eq!(
        (&entry["status"], &entry["attempts"], &entry["last_code"]),
        (&json!("delivered"), &json!(3), &json!(200))
    );
    let path = format!("{}/_payload.json", entry["href"].as_str().unwrap());
    let page =
        scene.shop.call("GET", &path, &scene.cookie().await, Value::Null).await.assert_status(200).json()["props"]
            .clone();
    let answers: BTreeMap<i64, &str> = page["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|attempt| (attempt["number"].as_i64().unwrap(), attempt["answer"].as_str().unwrap()))
        .collect();
    assert_eq!(answers[&1].len(), 1024, "no more of an answer is kept");
    assert_eq!((answers[&2], answers[&3]), ("<script>alert(1)</script>", "thanks"));
    assert_eq!(page["webhook_id"], told[0].id());
    assert!(scene.endpoint().await["failing_since"].is_null());
}

/// The node that made the change is killed before it sends anything, or while it sends.
async fn what_was_committed_is_sent_by_another_node(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.tell("SKU-1").await;
    let now = scene.shop.clock.now_ms();
    let mut tx = scene.shop.app.db.begin().await.unwrap();
    let group_id = scene.endpoint.id.parse().unwrap();
    let dying = Claim {
        lane: Lane::Dispatches,
        group_id,
        now,
        lease: "a node that dies",
        lease_for: MINUTE,
        limit: 8,
        except: &Except::default(),
    };
    let taken = claim(&mut tx.conn(), &dying).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(taken.len(), 1);
    let node = scene.shop.another_node().await;
    run_due(&node.app.worker()).await.unwrap();
    assert!(scene.receiver.told().is_empty(), "somebody may be at it");
    scene.shop.end_leases().await;
    run_due(&node.app.worker()).await.unwrap();
    assert_eq!(scene.receiver.kinds(), ["stock.low"]);
}

async fn hands(scene: &Scene) -> Vec<Value> {
    let page = scene
        .shop
        .call("GET", "/api/admin/overview", &scene.cookie().await, Value::Null)
        .await
        .assert_status(200)
        .json();
    let hands = page["hands"].as_array().unwrap().iter().find(|hands| hands["kind"] == "endpoints").unwrap();
    hands["items"].as_array().unwrap().clone()
}

async fn who_is_gone_is_switched_off(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.receiver.answer(410, "");
    scene.tell("SKU-1").await;
    scene.work().await;
    let endpoint = scene.endpoint().await;
    assert_eq!((&endpoint["is_enabled"], &endpoint["off_why"]), (&json!(false), &json!("gone")));
    let hand = hands(&scene).await[0].clone();
    assert_eq!((&hand["label"], &hand["why"]), (&json!("Warehouse"), &json!("gone")));
    scene.tell("SKU-2").await;
    scene.shop.clock.advance(24 * HOUR);
    scene.work().await;
    assert_eq!((scene.receiver.told().len(), scene.log("").await.len()), (1, 1), "nothing more is written for it");
    // The endpoint is saved again.
    scene.change(|_| {}).await;
    scene.tell("SKU-3").await;
    scene.work().await;
    assert_eq!((scene.receiver.told().len(), hands(&scene).await.len()), (2, 0));
}

async fn who_takes_nothing_for_three_days_is_switched_off(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    for _ in 0..60 {
        scene.receiver.answer(503, "later");
    }
    scene.tell("SKU-1").await;
    let begun = scene.shop.clock.now_ms();
    let mut tries = Vec::new();
    while scene.endpoint().await["is_enabled"] == true {
        scene.work().await;
        tries.push(scene.shop.clock.now_ms() - begun);
        assert!(tries.len() < 60, "{tries:?}");
        let next = scene.count("SELECT COALESCE(MIN(run_at), 0) FROM jobs WHERE name = 'dispatch'").await;
        scene.shop.clock.advance((next - scene.shop.clock.now_ms()).max(0));
    }
    assert_eq!(hands(&scene).await[0]["why"], "failing");
    let last = tries.last().unwrap();
    assert!((72 * HOUR..82 * HOUR).contains(last), "{tries:?}");
    assert!((15..40).contains(&scene.receiver.told().len()), "{tries:?}");
    let [entry] = scene.log("status=failed").await.try_into().unwrap();
    assert_eq!(entry["last_error"], "Responded with 503.");
    assert_eq!(
        scene.count("SELECT COUNT(*) FROM jobs WHERE name = 'dispatch'").await,
        0,
        "no job is left, dead or alive"
    );
}

/// Staff enter another address while the former one is being asked.
async fn what_a_former_address_says_concerns_no_later_one(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let former = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}/", former.local_addr().unwrap());
    scene.change(|input| input["url"] = json!(address)).await;
    scene.tell("SKU-1").await;
    let answer = async {
        let (mut connection, _) = former.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"}") {
            assert_ne!(connection.read_buf(&mut request).await.unwrap(), 0, "the body is JSON");
        }
        scene.change(|_| {}).await;
        connection.write_all(b"HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n").await.unwrap();
    };
    let worker = scene.shop.app.worker();
    let (taken, ()) = tokio::join!(run_due(&worker), answer);
    taken.unwrap();
    let endpoint = scene.endpoint().await;
    assert_eq!((&endpoint["is_enabled"], &endpoint["off_why"]), (&json!(true), &Value::Null));
    assert!(endpoint["failing_since"].is_null());
    scene.shop.clock.advance(MINUTE);
    scene.work().await;
    assert_eq!(scene.receiver.kinds(), ["stock.low"]);
    assert_eq!(scene.log("").await[0]["status"], "delivered");
}

async fn a_clock_that_was_ahead_keeps_nothing_from_an_endpoint(shop: TestShop) {
    const AHEAD: i64 = 7 * 24 * HOUR;
    let scene = Scene::start(&shop).await;
    for _ in 0..3 {
        scene.receiver.answer(500, "");
    }
    scene.tell("SKU-1").await;
    scene.shop.clock.advance(AHEAD);
    scene.work().await;
    scene.shop.clock.advance(MINUTE);
    scene.work().await;
    assert_eq!(scene.receiver.told().len(), 2);

    scene.shop.clock.advance(-AHEAD);
    tend(&scene.shop.app.worker()).await.unwrap();
    scene.work().await;
    assert_eq!(scene.receiver.told().len(), 3, "it does not rest for a week");
    let now = scene.shop.clock.now_ms();
    assert_eq!(scene.count("SELECT MAX(first_at) FROM dispatches").await, now, "its three days begin now");
    assert_eq!(scene.count("SELECT MAX(failing_since) FROM endpoints").await, now);
    scene.shop.clock.advance(MINUTE);
    scene.work().await;
    assert_eq!(scene.log("").await[0]["status"], "delivered");
}

async fn a_redirect_is_not_followed(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let elsewhere = Receiver::open().await;
    scene.receiver.redirect(&elsewhere.url);
    scene.tell("SKU-1").await;
    scene.work().await;
    assert_eq!((scene.receiver.told().len(), elsewhere.told().len()), (1, 0));
    let [entry] = scene.log("").await.try_into().unwrap();
    assert_eq!((&entry["last_code"], &entry["status"]), (&json!(307), &json!("waiting")));
}

async fn nothing_private_is_reached(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    // Entered while the shop ran on http; the name resolves to this machine.
    scene.change(|input| input["url"] = json!(format!("https://localhost:{port}/"))).await;
    let public = TestShop::with(shop.database, |config| {
        config.data = scene.shop.app.config.data.clone();
        config.secret = scene.shop.app.config.secret.clone();
        config.http.origin = Url::parse("https://shop.example").unwrap();
    })
    .await;
    scene.tell("SKU-1").await;
    while run_due(&public.app.worker()).await.unwrap() > 0 {}
    let [entry] = scene.log("").await.try_into().unwrap();
    assert_eq!(entry["last_error"], "The address isn’t public, so nothing is sent there.");
    let came = tokio::time::timeout(std::time::Duration::ZERO, listener.accept()).await;
    assert!(came.is_err(), "nobody has come");

    let cookie = format!("__Host-{}", public.sign_in("integrator", &["admin"]).await);
    for url in [
        format!("https://localhost:{port}/"),
        "https://127.0.0.1/".to_owned(),
        "https://169.254.169.254/latest/meta-data".to_owned(),
        "https://[::ffff:10.0.0.1]/".to_owned(),
        "https://0x7f.1/".to_owned(),
        "http://hooks.example/".to_owned(),
        scene.receiver.url.clone(),
    ] {
        let answer = public.call("POST", CALL, &cookie, everything(&url)).await;
        let problem = answer.assert_problem(422, "invalid").json();
        assert!(problem["errors"]["url"].is_array(), "{url}: {problem}");
    }
    // The one that is there can still be turned off.
    let path = format!("{CALL}/{}", scene.endpoint.id);
    for (is_enabled, status) in [(true, 422), (false, 204)] {
        let mut input = everything(&format!("https://localhost:{port}/"));
        input["is_enabled"] = json!(is_enabled);
        let body = json!({ "version": scene.endpoint().await["version"], "endpoint": input });
        public.call("PUT", &path, &cookie, body).await.assert_status(status);
    }
}

async fn a_former_secret_signs_for_a_day(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let old = &scene.endpoint.secret;
    let version = scene.endpoint().await["version"].clone();
    let rotated = scene.call("POST", "/secret", json!({ "version": version })).await.assert_status(200).json();
    let new = rotated["secret"].as_str().unwrap();
    assert_ne!(new, old);
    scene.tell("SKU-1").await;
    scene.work().await;
    scene.shop.clock.advance(24 * HOUR - 1);
    scene.tell("SKU-2").await;
    scene.work().await;
    scene.shop.clock.advance(1);
    scene.tell("SKU-3").await;
    scene.work().await;
    let by: Vec<_> =
        scene.receiver.told().iter().map(|told| (told.signatures_by(old), told.signatures_by(new))).collect();
    assert_eq!(by, [(1, 1), (1, 1), (0, 1)]);
    assert!(scene.endpoint().await["former_until"].is_null());
}

/// Whoever has lost a new one makes another; the receiver has the first until it is told.
async fn a_secret_that_is_replaced_twice_signs_for_a_day(shop: TestShop) {
    const OLDER: &str = "SELECT COUNT(*) FROM endpoint_secrets";
    let scene = Scene::start(&shop).await;
    let rotate = async || {
        let version = scene.endpoint().await["version"].clone();
        let rotated = scene.call("POST", "/secret", json!({ "version": version })).await.assert_status(200).json();
        rotated["secret"].as_str().unwrap().to_owned()
    };
    let mut secrets = vec![scene.endpoint.secret.clone(), rotate().await];
    scene.shop.clock.advance(HOUR);
    secrets.push(rotate().await);
    for (subject, pause) in [("SKU-1", 23 * HOUR - 1), ("SKU-2", 1), ("SKU-3", HOUR), ("SKU-4", 0)] {
        scene.tell(subject).await;
        scene.work().await;
        scene.shop.clock.advance(pause);
    }
    let told = scene.receiver.told();
    let by: Vec<Vec<usize>> =
        told.iter().map(|told| secrets.iter().map(|secret| told.signatures_by(secret)).collect()).collect();
    assert_eq!(by, [[1, 1, 1], [1, 1, 1], [1, 1, 1], [0, 0, 1]]);
    assert_eq!(scene.count(OLDER).await, 1);
    shop_domain::retention::service::clean(&scene.shop.app).await.unwrap();
    assert_eq!(scene.count(OLDER).await, 0, "its time is over");
    for _ in 0..2 {
        rotate().await;
    }
    assert_eq!(scene.count(OLDER).await, 1);
    let version = scene.endpoint().await["version"].clone();
    scene.call("DELETE", &format!("?version={version}"), Value::Null).await.assert_status(204);
    assert_eq!(scene.count(OLDER).await, 0, "it goes with its endpoint");
}

async fn a_secret_that_cannot_be_decrypted_is_replaced(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let shop =
        scene.shop.another_node_with(|config| config.secret = Secret::new("another-secret-without-a-fallback-")).await;
    let scene = Scene { shop, ..scene };
    scene.tell("SKU-1").await;
    scene.work().await;
    assert!(scene.receiver.told().is_empty(), "nothing is sent unsigned");
    let version = scene.endpoint().await["version"].clone();
    let rotated = scene.call("POST", "/secret", json!({ "version": version })).await.assert_status(200).json();
    scene.shop.clock.advance(MINUTE);
    scene.work().await;
    let [told] = scene.receiver.told().try_into().unwrap();
    assert_eq!(told.signatures_by(rotated["secret"].as_str().unwrap()), 1);
    assert_eq!(told.header("webhook-signature").split(' ').count(), 1);
}

async fn who_is_off_hears_nothing(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.tell("SKU-1").await;
    scene.change(|input| input["is_enabled"] = json!(false)).await;
    scene.tell("SKU-2").await;
    scene.work().await;
    assert!(scene.receiver.told().is_empty());
    let [entry] = scene.log("").await.try_into().unwrap();
    assert_eq!((&entry["subject"], &entry["status"]), (&json!("SKU-1"), &json!("failed")));
    scene.call("POST", "/test", Value::Null).await.assert_problem(409, "off");
    // Not subscribing to the event has the same effect.
    scene.change(|input| input["events"] = json!(["order.placed"])).await;
    scene.tell("SKU-3").await;
    scene.work().await;
    assert!(scene.receiver.told().is_empty());
}

async fn one_who_hangs_keeps_nobody_waiting(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    for _ in 0..40 {
        scene.receiver.answer(500, "");
    }
    scene.tell("SKU-1").await;
    for _ in 0..6 {
        scene.work().await;
        scene.shop.clock.advance(20 * MINUTE);
    }
    scene.work().await;
    let before = scene.receiver.told().len();
    let healthy = Receiver::open().await;
    made(&scene.shop, &scene.cookie().await, everything(&healthy.url)).await;
    for sku in 0..20 {
        scene.tell(&format!("SKU-{sku}")).await;
    }
    scene.work().await;
    assert_eq!((healthy.told().len(), scene.receiver.told().len()), (20, before), "it is left alone for a while");
    scene.call("POST", "/test", Value::Null).await.assert_status(202);
    scene.work().await;
    assert_eq!(scene.receiver.told().len(), before + 1, "staff may try it nevertheless");
}

/// Much waits for it, such as after an import.
async fn one_who_answers_late_keeps_nobody_waiting(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let late = scene.receiver.hold().await;
    for sku in 0..100 {
        scene.tell(&format!("SKU-{sku}")).await;
    }
    let worker = Worker::start(&scene.shop.app, QUICK);
    let share = Lane::Dispatches.slots() / 2;
    until("it has its share of the slots", async || scene.receiver.told().len() >= share).await;
    let other = Receiver::open().await;
    made(&scene.shop, &scene.cookie().await, everything(&other.url)).await;
    scene.tell("SKU-100").await;
    until("the other hears of it", async || other.told().len() == 1).await;
    let told = scene.receiver.told().len();
    // On a busy machine a call may have been given up, which makes room for another one.
    let given_up = scene.count("SELECT COUNT(*) FROM dispatch_attempts WHERE code IS NULL").await;
    assert!(
        told <= share + usize::try_from(given_up).unwrap(),
        "the others still wait: {told} told, {given_up} given up"
    );
    drop(late);
    until("everything is told", async || scene.receiver.told().len() >= 101).await;
    worker.stop().await;
}

/// Somebody has locked the jobs of the endpoint that has waited longest.
async fn one_whose_jobs_are_locked_keeps_nobody_waiting(OnPostgres(shop): OnPostgres) {
    let scene = Scene::start(&shop).await;
    scene.tell("SKU-0").await;
    scene.shop.clock.advance(MINUTE);
    let other = Receiver::open().await;
    made(&scene.shop, &scene.cookie().await, everything(&other.url)).await;
    for sku in 1..=10 {
        scene.tell(&format!("SKU-{sku}")).await;
    }
    let locked: Uuid = scene.endpoint.id.parse().unwrap();
    let mut connection = PgConnection::connect(scene.shop.app.config.data.database.expose()).await.unwrap();
    let mut locking = connection.begin().await.unwrap();
    let lock = "SELECT 1 FROM jobs WHERE group_id = $1 FOR UPDATE";
    sqlx::query(lock).bind(locked).execute(&mut *locking).await.unwrap();
    let worker = Worker::start(&scene.shop.app, QUICK);
    until("the other hears of everything", async || other.told().len() == 10).await;
    assert!(scene.receiver.told().is_empty());
    locking.rollback().await.unwrap();
    until("so does the first", async || scene.receiver.told().len() == 11).await;
    worker.stop().await;
}

/// While two releases run side by side, and after going back to the former one.
async fn what_a_newer_release_tells_is_sent_and_listed(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.tell("SKU-1").await;
    scene.execute("UPDATE dispatches SET kind = 'stock.counted'").await;
    scene.execute("UPDATE endpoints SET events = '[\"stock.low\",\"stock.counted\"]'").await;
    scene.work().await;
    let [entry] = scene.log("").await.try_into().unwrap();
    assert_eq!((&entry["kind"], &entry["status"]), (&json!("stock.counted"), &json!("delivered")));
    let path = format!("{}/_payload.json", entry["href"].as_str().unwrap());
    scene.shop.call("GET", &path, &scene.cookie().await, Value::Null).await.assert_status(200);
    let again = format!("{CALL}/log/{}/again", entry["id"].as_str().unwrap());
    scene.shop.call("POST", &again, &scene.cookie().await, Value::Null).await.assert_status(202);
    scene.work().await;
    assert_eq!((scene.receiver.told().len(), scene.log("event=stock.low").await.len()), (2, 0));
    assert_eq!(scene.endpoint().await["events"], json!(["stock.low"]), "those that this release knows");
    scene.tell("SKU-2").await;
    scene.work().await;
    assert_eq!(scene.receiver.told().len(), 3);
}

async fn the_log_is_swept(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.tell("SKU-1").await;
    scene.work().await;
    scene.shop.clock.advance(29 * 24 * HOUR);
    scene.tell("SKU-2").await;
    scene.work().await;
    let sweep = async || {
        shop_domain::retention::service::clean(&scene.shop.app).await.unwrap();
        scene.count("SELECT COUNT(*) FROM dispatches").await
    };
    assert_eq!(sweep().await, 2);
    scene.shop.clock.advance(24 * HOUR + 1);
    assert_eq!(sweep().await, 1);
    assert_eq!(scene.count("SELECT COUNT(*) FROM dispatch_attempts").await, 1);
}

/// However long the log is, who deletes the endpoint does not wait for it.
async fn the_log_of_a_deleted_endpoint_is_left_to_the_cleanup(shop: TestShop) {
    const LOG: &str = "SELECT (SELECT COUNT(*) FROM dispatches) + (SELECT COUNT(*) FROM dispatch_attempts)";
    let scene = Scene::start(&shop).await;
    scene.tell("SKU-1").await;
    scene.work().await;
    scene.tell("SKU-2").await;
    made(&scene.shop, &scene.cookie().await, everything(&scene.receiver.url)).await;
    scene.tell("SKU-3").await;
    let version = scene.endpoint().await["version"].clone();
    assert_eq!(scene.count(LOG).await, 5);
    scene.call("DELETE", &format!("?version={version}"), Value::Null).await.assert_status(204);
    assert_eq!(scene.count(LOG).await, 5);
    // The event of the other one is sent, those that waited for this one are not.
    scene.work().await;
    assert_eq!((scene.receiver.told().len(), scene.count(LOG).await), (2, 6));
    let log = scene.log("").await;
    let of_deleted = log.iter().filter(|entry| entry["endpoint"].is_null());
    let ended: Vec<_> = of_deleted.map(|entry| (&entry["subject"], &entry["status"])).collect();
    for (subject, status) in [("SKU-1", "delivered"), ("SKU-2", "failed"), ("SKU-3", "failed")] {
        assert!(ended.contains(&(&json!(subject), &json!(status))), "{ended:?}");
    }
    shop_domain::retention::service::clean(&scene.shop.app).await.unwrap();
    assert_eq!(scene.count(LOG).await, 2, "what the other one was sent");
}
