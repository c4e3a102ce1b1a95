//! The debug page: the running configuration without secrets, and a way to retry or discard dead jobs.

use serde_json::{Value, json};
use shop_base::config::Config;
use shop_base::sql;
use shop_domain::sales::records::draft_orders::jobs::SendDraftMail;
use shop_domain::sales::records::payments::jobs::CapturePayment;
use shop_platform::jobs::model::Job;
use shop_platform::jobs::rows::Row;
use shop_platform::jobs::service::{add, list};
use shop_platform::jobs::worker::run_due;
use uuid::Uuid;

use super::overview::props;
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    the_page_tells_all_but_secrets,
    a_job_that_gave_up_is_tried_again_or_discarded,
    all_emails_that_were_given_up_are_tried_again,
];

/// Begins every secret of [`full_settings`].
const HIDDEN: &str = "not-to-be-shown";

/// All that a shop can be told, with a secret wherever there can be one.
fn full_settings() -> Config {
    let settings = Config::read(&|name| {
        let value = match name {
            "SHOP_ORIGIN" => "https://shop.example",
            "SHOP_COMPANY_NAME" => "Cardinal & Briar",
            "SHOP_COMPANY_EMAIL" => "care@shop.example",
            "SHOP_COMPANY_PHONE" => "+1 614 555 0100",
            "SHOP_COMPANY_ADDRESS" => "1 Main Street, Columbus, OH 43215",
            "SHOP_SECRET" => "not-to-be-shown-0123456789abcdef",
            "SHOP_SECRET_FALLBACK" => "not-to-be-shown-fedcba9876543210",
            "SHOP_PICTURES" => "s3://pictures",
            "SHOP_S3_ACCESS_KEY" => "not-to-be-shown-id-of-the-key",
            "SHOP_S3_SECRET_KEY" => "not-to-be-shown-key",
            "SHOP_OIDC_ISSUER" => "https://id.example",
            "SHOP_OIDC_CLIENT_ID" => "shop",
            "SHOP_OIDC_CLIENT_SECRET" => "not-to-be-shown-client",
            "SHOP_SQUARE_APPLICATION_ID" => "sq0idp-1",
            "SHOP_SQUARE_LOCATION_ID" => "L1",
            "SHOP_SQUARE_ACCESS_TOKEN" => "not-to-be-shown-token",
            "SHOP_SQUARE_WEBHOOK_KEY" => "not-to-be-shown-webhooks",
            "SHOP_SMTP_URL" => "smtp://care:not-to-be-shown-mail@localhost:1025",
            "SHOP_MAIL_FROM" => "care@shop.example",
            "SHOP_CDN_MAX_AGE" => "60",
            "SHOP_CDN_PURGE_URL" => "https://care:not-to-be-shown-purge@cdn.example/",
            "SHOP_CDN_PURGE_HEADER" => "Authorization: Bearer not-to-be-shown-cdn",
            "SHOP_OTLP_ENDPOINT" => "https://collector.example",
            "SHOP_OTLP_HEADER" => "Authorization: Bearer not-to-be-shown-otlp",
            _ => return None,
        };
        Some(value.to_owned())
    });
    settings.unwrap()
}

async fn the_page_tells_all_but_secrets(shop: TestShop) {
    let shop = TestShop::with(shop.database, |config| {
        let full = full_settings();
        config.data.bucket = full.data.bucket;
        (config.secret, config.secret_fallback) = (full.secret, full.secret_fallback);
        (config.square, config.identity, config.mail) = (full.square, full.identity, full.mail);
        (config.cdn, config.otlp) = (full.cdn, full.otlp);
    })
    .await;
    let cookie = shop.sign_in("operator", &["admin"]).await;
    let page = props(&shop, &cookie, "/admin/debug").await;
    assert_eq!(page["build"], json!(shop.app.site().manifest.build));
    assert_eq!(page["renderer"]["isolates"].as_array().unwrap().len(), 1);
    assert!(
        page["database"].as_str().unwrap().to_lowercase().starts_with(shop.database.name()),
        "{}",
        page["database"]
    );
    assert!(page["pools"].as_array().unwrap().iter().all(|pool| pool["most"].as_i64().unwrap() > 0));
    let switch = |name: &str| {
        let switches = page["switches"].as_array().unwrap();
        switches.iter().find(|switch| switch["name"] == name).unwrap()["is_on"].clone()
    };
    assert_eq!((switch("Email"), switch("Development bundle")), (json!(true), json!(false)));
    let config = page["config"].as_str().unwrap();
    assert!(config.contains("America/New_York"), "{config}");
    // The database's address, two secrets of the shop, two of Square, two of the store of pictures, the client's and the mail server's.
    assert_eq!(config.matches("[redacted]").count(), 9, "{config}");
    // The values of two headers.
    assert_eq!(config.matches("Sensitive").count(), 2, "{config}");
    let html = shop.call("GET", "/admin/debug", &cookie, Value::Null).await;
    let html = html.assert_status(200).text();
    assert!(html.contains("Database connections"));
    for shown in [page.to_string().as_str(), html] {
        assert!(!shown.contains(HIDDEN), "a secret is shown");
        assert!(!shown.contains(shop.app.config.data.database.expose()), "the database's address is shown");
    }
}

async fn lane(shop: &TestShop, cookie: &str, name: &str) -> Value {
    let page = props(shop, cookie, "/admin/debug").await;
    let lanes = page["lanes"].as_array().unwrap();
    lanes.iter().find(|lane| lane["lane"] == name).unwrap().clone()
}

/// A dead job: its payment does not exist.
async fn dead(shop: &TestShop) -> Uuid {
    let attempt = Uuid::now_v7();
    given_up(shop, &CapturePayment { attempt }, attempt).await
}

/// A job with this id in its content that is dead.
async fn given_up(shop: &TestShop, job: &impl Job, content: Uuid) -> Uuid {
    let mut tx = shop.app.db.begin().await.unwrap();
    add(&mut tx.conn(), shop.clock.as_ref(), job).await.unwrap();
    tx.commit().await.unwrap();
    let jobs = list(&shop.app.db).await.unwrap();
    let id = jobs.iter().find(|job| job.payload.contains(&content.to_string())).unwrap().id;
    let mut tx = shop.app.db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query(
        "UPDATE jobs SET dead_at = 1, attempts = 60, last_error = 'It did not go.' WHERE id = $1")
        .bind(id).execute(c).await.map(drop))
    .unwrap();
    tx.commit().await.unwrap();
    id
}

async fn find(shop: &TestShop, id: Uuid) -> Option<Row> {
    list(&shop.app.db).await.unwrap().into_iter().find(|job| job.id == id)
}

async fn a_job_that_gave_up_is_tried_again_or_discarded(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("operator", &["admin"]).await;
    let id = dead(&shop).await;
    let page = props(&shop, &cookie, "/admin/debug").await;
    assert_eq!((&page["jobs"][0]["state"], &page["jobs"][0]["error"]), (&json!("dead"), &json!("It did not go.")));
    shop.call("POST", &format!("/api/admin/jobs/{id}/retry"), &cookie, json!({})).await.assert_status(204);
    shop.clock.advance(90_000);
    let money = lane(&shop, &cookie, "money").await;
    assert_eq!((&money["waiting"], &money["oldest"], &money["running"]), (&json!(1), &json!(90), &json!(0)));
    assert_eq!((&money["slots"], &money["last_look"]), (&json!(16), &json!(null)), "no workers run in a test");
    while run_due(&shop.app.worker()).await.unwrap() > 0 {}
    let job = find(&shop, id).await.unwrap();
    assert_eq!((job.attempts, job.dead_at), (1, None), "it was tried at once");
    assert_eq!(lane(&shop, &cookie, "money").await["waiting"], 0);
    let again = shop.call("POST", &format!("/api/admin/jobs/{id}/retry"), &cookie, json!({})).await;
    again.assert_problem(404, "not_found");
    let alive = shop.call("DELETE", &format!("/api/admin/jobs/{id}"), &cookie, Value::Null).await;
    alive.assert_problem(404, "not_found");
    let other = dead(&shop).await;
    shop.call("DELETE", &format!("/api/admin/jobs/{other}"), &cookie, Value::Null).await.assert_status(204);
    assert!(find(&shop, other).await.is_none());
    let mut reader = shop.app.db.read().await.unwrap();
    let entries: Vec<(String, String)> = sql!(&mut reader.conn(), c =>
        sqlx::query_as("SELECT action, subject_label FROM audit_entries ORDER BY seq").fetch_all(c).await)
    .unwrap();
    let of = |action: &str| (action.to_owned(), "capture_payment".to_owned());
    assert_eq!(entries, [of("job.retry"), of("job.discard")]);
}

async fn all_emails_that_were_given_up_are_tried_again(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("operator", &["admin"]).await;
    let other = dead(&shop).await;
    let mut mails = Vec::new();
    for _ in 0..3 {
        let draft = Uuid::now_v7();
        mails.push(given_up(&shop, &SendDraftMail { draft, sending: draft }, draft).await);
    }
    let waiting = async || lane(&shop, &cookie, "mail").await["waiting"].as_u64().unwrap();
    let dead_in = async |name: &str| {
        let lane = lane(&shop, &cookie, name).await;
        (lane["dead"].clone(), lane["dead_since"].clone())
    };
    let first = json!("1969-12-31T19:00:00");
    assert_eq!(dead_in("mail").await, (json!(3), first.clone()));
    assert_eq!(dead_in("money").await, (json!(1), first.clone()));
    let before = waiting().await;
    let retry = || shop.call("POST", "/api/admin/mails/retry", &cookie, Value::Null);
    assert_eq!(retry().await.assert_status(200).json(), json!({ "count": 3 }));
    for id in mails {
        let job = find(&shop, id).await.unwrap();
        assert_eq!((job.dead_at, job.attempts, job.last_error), (None, 0, None));
    }
    assert_eq!(waiting().await, before + 3, "at once");
    assert_eq!(dead_in("mail").await, (json!(0), json!(null)));
    assert_eq!(dead_in("money").await, (json!(1), first));
    assert!(find(&shop, other).await.unwrap().dead_at.is_some(), "it is no email");
    assert_eq!(retry().await.assert_status(200).json(), json!({ "count": 0 }));
    let mut reader = shop.app.db.read().await.unwrap();
    let entries: Vec<(String, String)> = sql!(&mut reader.conn(), c =>
        sqlx::query_as("SELECT action, after FROM audit_entries ORDER BY seq").fetch_all(c).await)
    .unwrap();
    assert_eq!(entries, [("job.retry_all".to_owned(), json!({ "count": 3 }).to_string())]);
}
