//! The webhook settings: endpoints, their secrets, the log.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use shop_base::sql;
use uuid::Uuid;

use super::{count_entries, last_entry, props};
use crate::growth::steps::Steps;
use crate::notifications::{Scene, everything, made};
use crate::support::{Database, Test, TestShop, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_secret_is_shown_once_and_kept_sealed,
    the_audit_log_has_no_secret_of_an_address,
    an_endpoint_that_makes_no_sense_is_refused_by_field,
    two_who_change_an_endpoint_do_not_overwrite_each_other,
    what_is_sent_again_is_made_once,
    what_another_has_changed_is_not_created_again,
    an_id_leads_to_no_secret,
    there_are_twenty_at_most,
    ten_replaced_secrets_sign_at_most,
    a_test_is_tried_once,
    the_same_is_sent_again_under_its_id,
    the_log_is_paged_and_filtered,
    a_long_log_is_quick,
];

const CALL: &str = "/api/admin/settings/webhooks";
const PAGE: &str = "/admin/settings/webhooks";
const HOUR_MS: i64 = 3_600_000;

async fn texts(shop: &TestShop, statement: &'static str) -> String {
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    let found: Vec<String> = sql!(&mut conn, c => sqlx::query_scalar(statement).fetch_all(c).await).unwrap();
    found.join("\n")
}

async fn a_secret_is_shown_once_and_kept_sealed(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let secret = scene.endpoint.secret.strip_prefix("whsec_").unwrap();
    let (action, _, after) = last_entry(&scene.shop).await;
    assert_eq!((action.as_str(), &after["name"]), ("webhook.create", &json!("Warehouse")));
    let seen = props(&scene.shop, &scene.cookie().await, PAGE).await;
    assert_eq!(seen["endpoints"][0]["name"], "Warehouse");
    let version = scene.endpoint().await["version"].clone();
    let rotated = scene.call("POST", "/secret", json!({ "version": version })).await.assert_status(200).json();
    assert_eq!(last_entry(&scene.shop).await.0, "webhook.rotate_secret");
    scene.change(|input| input["name"] = json!("Accounts")).await;
    let (action, before, after) = last_entry(&scene.shop).await;
    assert_eq!(
        (action.as_str(), before, after),
        ("webhook.update", json!({ "name": "Warehouse" }), json!({ "name": "Accounts" }))
    );
    let new = rotated["secret"].as_str().unwrap().strip_prefix("whsec_").unwrap();
    let log = texts(&scene.shop, "SELECT before || after FROM audit_entries").await;
    let page = props(&scene.shop, &scene.cookie().await, &format!("{PAGE}/{}", scene.endpoint.id)).await.to_string();
    for text in [seen.to_string(), page, log] {
        assert!(!text.contains(secret) && !text.contains(new));
    }
    let mut reader = scene.shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    let kept: Vec<(Vec<u8>, Vec<u8>)> =
        sql!(&mut conn, c => sqlx::query_as("SELECT secret, former_secret FROM endpoints").fetch_all(c).await).unwrap();
    drop(reader);
    use base64::Engine;
    let plain = |text: &str| base64::engine::general_purpose::STANDARD.decode(text).unwrap();
    for (now, former) in kept {
        for sealed in [now, former] {
            for plain in [plain(secret), plain(new)] {
                assert!(!sealed.windows(plain.len()).any(|window| window == plain));
            }
        }
    }
    let version = scene.endpoint().await["version"].clone();
    scene.call("DELETE", &format!("?version={version}"), Value::Null).await.assert_status(204);
    assert_eq!(last_entry(&scene.shop).await.0, "webhook.delete");
    assert!(props(&scene.shop, &scene.cookie().await, PAGE).await["endpoints"].as_array().unwrap().is_empty());
}

async fn the_audit_log_has_no_secret_of_an_address(shop: TestShop) {
    const ADDRESS: &str = "https://hooks.example/services/key-1?key=2";
    let scene = Scene::start(&shop).await;
    scene.change(|input| input["url"] = json!(ADDRESS)).await;
    let (_, _, first) = last_entry(&scene.shop).await;
    scene.change(|input| input["url"] = json!(ADDRESS.replace("key-1", "key-3"))).await;
    let (_, before, after) = last_entry(&scene.shop).await;
    assert_eq!(before, first);
    assert_ne!(before, after, "it says that the address was changed");
    for entry in [&before, &after] {
        assert!(entry["url"].as_str().unwrap().starts_with("https://hooks.example/…"), "{entry}");
    }
    assert_eq!(scene.endpoint().await["url"], ADDRESS.replace("key-1", "key-3"));
    let version = scene.endpoint().await["version"].clone();
    scene.call("DELETE", &format!("?version={version}"), Value::Null).await.assert_status(204);
    let made = scene.shop.call("POST", CALL, &scene.cookie().await, everything(ADDRESS)).await;
    made.assert_status(201);
    let log = texts(&scene.shop, "SELECT before || after FROM audit_entries").await;
    assert!(log.matches("https://hooks.example/…").count() == 5, "{log}");
    assert!(["key-1", "key=2", "key-3"].iter().all(|secret| !log.contains(secret)), "{log}");
}

async fn an_endpoint_that_makes_no_sense_is_refused_by_field(shop: TestShop) {
    let cookie = shop.sign_in("webhook-checker", &["admin"]).await;
    for (field, change) in [
        ("name", json!({ "name": "" })),
        ("name", json!({ "name": "a\nb" })),
        ("url", json!({ "url": "hooks.example" })),
        ("url", json!({ "url": "http://hooks.example" })),
        ("url", json!({ "url": "https://user@hooks.example" })),
        ("url", json!({ "url": "https://10.0.0.1/" })),
        ("events", json!({ "events": [] })),
        ("events", json!({ "events": ["webhook.test"] })),
        ("events[0]", json!({ "events": ["order.eaten"] })),
    ] {
        let mut body = everything("https://hooks.example/shop");
        for (name, value) in change.as_object().unwrap() {
            body[name] = value.clone();
        }
        let answer = shop.call("POST", CALL, &cookie, body).await;
        let problem = answer.assert_problem(422, "invalid").json();
        assert!(problem["errors"][field].is_array(), "{field}: {problem}");
    }
}

async fn two_who_change_an_endpoint_do_not_overwrite_each_other(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let version = scene.endpoint().await["version"].as_i64().unwrap();
    scene.change(|input| input["name"] = json!("First")).await;
    let stale = json!({ "version": version, "endpoint": everything("https://hooks.example") });
    scene.call("PUT", "", stale).await.assert_problem(409, "changed_meanwhile");
    scene.call("POST", "/secret", json!({ "version": version })).await.assert_problem(409, "changed_meanwhile");
    scene.call("DELETE", &format!("?version={version}"), Value::Null).await.assert_problem(409, "changed_meanwhile");
    assert_eq!(scene.endpoint().await["name"], "First");
}

/// Because an answer was lost.
async fn what_is_sent_again_is_made_once(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let twice = async |method: &str, path: &str, body: Value, status: u16| {
        let first = scene.call(method, path, body.clone()).await;
        let again = scene.call(method, path, body).await;
        assert_eq!(first.assert_status(status).text(), again.assert_status(status).text());
        first
    };
    let mut input = everything(&scene.receiver.url);
    input["name"] = json!(" Accounts ");
    let body = json!({ "version": scene.endpoint().await["version"], "endpoint": input });
    twice("PUT", "", body, 204).await;
    let body = json!({ "version": scene.endpoint().await["version"], "request_id": Uuid::now_v7() });
    let rotated = twice("POST", "/secret", body.clone(), 200).await.json();
    let other = json!({ "version": body["version"], "request_id": Uuid::now_v7() });
    scene.call("POST", "/secret", other).await.assert_problem(409, "changed_meanwhile");
    scene.tell("SKU-1").await;
    scene.work().await;
    let [told] = scene.receiver.told().try_into().unwrap();
    for secret in [scene.endpoint.secret.as_str(), rotated["secret"].as_str().unwrap()] {
        assert_eq!(told.signatures_by(secret), 1, "the receiver may have either");
    }
    let version = scene.endpoint().await["version"].clone();
    twice("DELETE", &format!("?version={version}"), Value::Null, 204).await;
    for action in ["webhook.update", "webhook.rotate_secret", "webhook.delete"] {
        assert_eq!(count_entries(&scene.shop, action).await, 1, "{action}");
    }

    let cookie = scene.cookie().await;
    let create =
        async |input: &Value| scene.shop.call("POST", CALL, &cookie, input.clone()).await.assert_status(201).json();
    let created = count_entries(&scene.shop, "webhook.create").await;
    let mut input = everything("https://hooks.example");
    input["request_id"] = json!(Uuid::now_v7());
    let (made, again) = tokio::join!(create(&input), create(&input));
    assert_eq!(made, again);
    // Corrected before it is sent again.
    input["name"] = json!("Accounts");
    assert_eq!(create(&input).await, made);
    assert_eq!(count_entries(&scene.shop, "webhook.create").await, created + 1);
    assert_eq!(count_entries(&scene.shop, "webhook.update").await, 2);
    assert_eq!(props(&scene.shop, &cookie, PAGE).await["endpoints"][0]["name"], "Accounts");
    input["request_id"] = json!(Uuid::now_v7());
    assert_ne!(create(&input).await["id"], made["id"]);
}

/// Whoever has created it did not get the answer.
async fn what_another_has_changed_is_not_created_again(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let cookie = scene.cookie().await;
    let mut off = everything("https://hooks.example");
    off["is_enabled"] = json!(false);
    for (method, rest, change, status) in [
        ("PUT", "", json!({ "version": 1, "endpoint": off }), 204),
        ("POST", "/secret", json!({ "version": 1, "request_id": Uuid::now_v7() }), 200),
    ] {
        let mut input = everything("https://hooks.example");
        input["request_id"] = json!(Uuid::now_v7());
        let created = made(&scene.shop, &cookie, input.clone()).await;
        let path = format!("{CALL}/{}{rest}", created.id);
        scene.shop.call(method, &path, &cookie, change).await.assert_status(status);
        let endpoints = async || props(&scene.shop, &cookie, PAGE).await["endpoints"].clone();
        let before = endpoints().await;
        scene.shop.call("POST", CALL, &cookie, input).await.assert_problem(409, "made_already");
        assert_eq!(endpoints().await, before);
    }
}

/// Everybody in the settings sees it; the request that made the endpoint gets its secret again.
async fn an_id_leads_to_no_secret(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let cookie = scene.cookie().await;
    let mut input = everything("https://hooks.example");
    input["request_id"] = json!(Uuid::now_v7());
    let created = made(&scene.shop, &cookie, input.clone()).await;
    let asked = json!({ "version": 0, "request_id": created.id });
    let path = format!("{CALL}/{}/secret", created.id);
    scene.shop.call("POST", &path, &cookie, asked).await.assert_problem(409, "changed_meanwhile");
    input["request_id"] = json!(created.id);
    assert_ne!(made(&scene.shop, &cookie, input).await.secret, created.secret);
}

async fn there_are_twenty_at_most(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    for _ in 1..20 {
        scene
            .shop
            .call("POST", CALL, &scene.cookie().await, everything("https://hooks.example"))
            .await
            .assert_status(201);
    }
    let answer = scene.shop.call("POST", CALL, &scene.cookie().await, everything("https://hooks.example")).await;
    answer.assert_problem(409, "too_many");
}

/// All of them sign.
async fn ten_replaced_secrets_sign_at_most(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    let rotate = async || {
        let version = scene.endpoint().await["version"].clone();
        scene.call("POST", "/secret", json!({ "version": version })).await
    };
    let mut secrets = vec![scene.endpoint.secret.clone()];
    for _ in 0..10 {
        let rotated = rotate().await.assert_status(200).json();
        secrets.push(rotated["secret"].as_str().unwrap().to_owned());
        scene.shop.clock.advance(HOUR_MS);
    }
    rotate().await.assert_problem(409, "too_many");
    scene.tell("SKU-1").await;
    scene.work().await;
    let told = &scene.receiver.told()[0];
    assert!(secrets.iter().all(|secret| told.signatures_by(secret) == 1));
    // Those before the last two are over, but not cleaned up.
    scene.shop.clock.advance(23 * HOUR_MS);
    rotate().await.assert_status(200);
    rotate().await.assert_status(200);
}

async fn a_test_is_tried_once(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.receiver.answer(500, "");
    let sent = scene.call("POST", "/test", Value::Null).await.assert_status(202).json();
    assert_eq!(last_entry(&scene.shop).await.0, "webhook.test");
    scene.work().await;
    scene.shop.clock.advance(24 * 3_600_000);
    scene.work().await;
    assert_eq!(scene.receiver.kinds(), ["webhook.test"]);
    let path = format!("{PAGE}/log/{}", sent["id"].as_str().unwrap());
    let page = props(&scene.shop, &scene.cookie().await, &path).await;
    assert_eq!((&page["dispatch"]["status"], &page["attempts"][0]["code"]), (&json!("failed"), &json!(500)));
    assert!(scene.endpoint().await["failing_since"].is_null(), "it says nothing of the endpoint");
    scene.call("POST", "/test", Value::Null).await.assert_status(202);
    scene.work().await;
    let told = scene.receiver.told();
    assert_eq!((told.len(), told[1].signatures_by(&scene.endpoint.secret)), (2, 1));
    assert_ne!(told[0].id(), told[1].id());
}

async fn the_same_is_sent_again_under_its_id(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    scene.receiver.answer(500, "");
    scene.tell("SKU-1").await;
    scene.work().await;
    let first = scene.log("").await[0].clone();
    let again = async |entry: &Value| {
        let path = format!("{CALL}/log/{}/again", entry["id"].as_str().unwrap());
        let answer = scene.shop.call("POST", &path, &scene.cookie().await, Value::Null).await;
        scene.work().await;
        answer.assert_status(202).json()["id"].clone()
    };
    let second = again(&first).await;
    let (action, _, after) = last_entry(&scene.shop).await;
    assert_eq!((action.as_str(), &after["about"]), ("webhook.send_again", &json!("SKU-1")));
    scene.shop.clock.advance(24 * 3_600_000);
    scene.work().await;
    let told = scene.receiver.told();
    assert_eq!(told.len(), 2, "what was replaced is not tried again");
    assert_eq!((told[0].id(), &told[0].body), (told[1].id(), &told[1].body));
    let log = scene.log("").await;
    assert_eq!((&log[0]["id"], &log[0]["status"], &log[0]["by_hand"]), (&second, &json!("delivered"), &json!(true)));
    assert_eq!(log[1]["status"], "replaced");
    // A delivered notification can be sent again, too.
    again(&log[0]).await;
    assert_eq!(scene.receiver.told().len(), 3);
    let log = scene.log("status=delivered").await;
    assert_eq!(log.len(), 2);
}

async fn the_log_is_paged_and_filtered(shop: TestShop) {
    let scene = Scene::start(&shop).await;
    for at in 0..60 {
        scene.tell(&format!("SKU-{at:02}")).await;
        scene.shop.clock.advance(60_000);
    }
    scene.receiver.answer(410, "");
    scene.call("POST", "/test", Value::Null).await.assert_status(202);
    let first = props(&scene.shop, &scene.cookie().await, &format!("{PAGE}/log")).await;
    assert_eq!(first["list"]["total"], 61);
    let next = first["list"]["next"].as_str().unwrap();
    let second = props(&scene.shop, &scene.cookie().await, next).await;
    let entries = |page: &Value| page["dispatches"].as_array().unwrap().len();
    assert_eq!((entries(&first), entries(&second)), (50, 11));
    assert_eq!(scene.log("q=SKU-0").await.len(), 10);
    assert_eq!(scene.log("event=webhook.test").await.len(), 1);
    assert_eq!(scene.log(&format!("endpoint={}&event=stock.low&q=SKU-59", scene.endpoint.id)).await.len(), 1);
    assert_eq!(scene.log("endpoint=01234567-89ab-7def-8123-456789abcdef").await.len(), 0);
    assert_eq!(scene.log("status=waiting&at_from=2026-11-21&at_to=2026-11-21").await.len(), 50);
    assert_eq!(scene.log("at_to=2026-11-20").await.len(), 0);
}

async fn a_long_log_is_quick(shop: TestShop) {
    const ENTRIES: u64 = 100_000;
    let scene = Scene::start(&shop).await;
    let mut tx = scene.shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let id = match &conn {
        shop_base::db::Conn::Sqlite(_) => "randomblob(16)",
        shop_base::db::Conn::Postgres(_) => "gen_random_uuid()",
    };
    let fill = sqlx::AssertSqlSafe(format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ENTRIES})
        INSERT INTO dispatches (id, notification_id, endpoint_id, kind, subject, payload, status, by_hand, attempts, created_at)
        SELECT {id}, {id}, (SELECT id FROM endpoints), CASE WHEN i % 1000 = 0 THEN 'order.refunded' ELSE 'order.placed' END,
            'SUBJECT-' || i, '{{}}', CASE WHEN i % 5000 = 0 THEN 'failed' ELSE 'delivered' END, FALSE, 1, i FROM n"
    ));
    sql!(&mut conn, c => sqlx::query(fill).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    if let shop_base::db::Conn::Postgres(mut conn) = scene.shop.app.db.read().await.unwrap().conn() {
        sqlx::query("ANALYZE dispatches").execute(conn.unlimited()).await.unwrap();
    }
    let endpoint = format!("endpoint={}", scene.endpoint.id);
    let steps = Steps::count(&scene.shop.app.db).await;
    for query in ["", "status=failed", "event=order.refunded", "q=SUBJECT-9999", "sort=at", endpoint.as_str()] {
        // One of many, as other work may slow some down.
        let is_quick = async || {
            let begun = Instant::now();
            steps.take();
            assert!(!scene.log(query).await.is_empty(), "{query}");
            begun.elapsed() < Duration::from_millis(400)
        };
        until(&format!("the log is shown within 400 ms: {query}"), is_quick).await;
        if shop.database == Database::Sqlite {
            // To look at an entry takes several.
            assert!((1..2 * ENTRIES).contains(&steps.take()), "{query}: it looks at all entries");
        }
    }
}
