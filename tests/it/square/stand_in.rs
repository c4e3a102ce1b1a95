use std::collections::HashMap;
use std::path::Path;
use std::process::Stdio;

use proptest::collection::vec;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use shop_demo::square::settings;
use shop_domain::sales::records::payments::provider::{PaymentProvider, ProviderError, ProviderStatus};
use shop_integrations::square::Square;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

use super::bench::{Bench, QUICK, authorization, with_source};
use crate::support::Test;
use crate::tests;

pub const TESTS: &[Test] = tests![
    squares_own_client_passes,
    it_runs_as_a_process_of_its_own,
    a_cards_token_works_once_and_for_a_day,
    a_challenge_must_be_passed,
    what_is_never_taken_is_canceled_in_time,
    strict_about_credentials_and_lengths,
    a_key_stands_for_one_request,
    the_dashboard_shows_what_happened,
    the_browsers_files_are_there,
];

const DAY_MS: i64 = 86_400_000;

/// The npm package `square` makes the calls in `tests/square/`.
async fn squares_own_client_passes() {
    let bench = Bench::start().await;
    let config = bench.stand_in.config().unwrap();
    let test = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/square/client.test.mjs");
    let output = Command::new("node")
        .arg("--test")
        .arg(test)
        .env("SQUARE_BASE_URL", config.api.as_str().trim_end_matches('/'))
        .env("SQUARE_TOKEN", config.access_token.expose())
        .env("SQUARE_LOCATION_ID", &config.location_id)
        .output()
        .await
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(bench.stand_in.payments().len() > 3, "it called this stand-in");
}

async fn it_runs_as_a_process_of_its_own() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shop"))
        .args(["square-stand-in", "--port", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().unwrap();
    let base_url = line.strip_prefix("The Square stand-in is running at ").unwrap().parse().unwrap();
    let square = Square::new(&settings(&base_url, String::new()).unwrap(), QUICK).unwrap();
    let held = square.authorize(&authorization("a", 100)).await.unwrap();
    assert_eq!(held.status, ProviderStatus::Authorized);
}

/// Sends what the card form in the iframe sends.
async fn enter(bench: &Bench, card: Value) -> Value {
    let address = bench.stand_in.base_url.join("v1/tokens").unwrap();
    let request = reqwest::Client::new().post(address).header("content-type", "application/json");
    let response = request.body(card.to_string()).send().await.unwrap();
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

fn card(number: &str) -> Value {
    json!({ "number": number, "exp_month": 12, "exp_year": 2030, "cvv": "111", "postal_code": "43215", "verify": true })
}

async fn a_cards_token_works_once_and_for_a_day() {
    let bench = Bench::start().await;
    let result = enter(&bench, card("5105105105105100")).await;
    assert_eq!((&result["status"], &result["details"]["card"]["last4"]), (&json!("OK"), &json!("5100")));
    let token = result["token"].as_str().unwrap();
    let held = bench.square.authorize(&with_source("a", token)).await.unwrap();
    assert_eq!(held.card.unwrap().brand, "Mastercard");
    let code = |outcome| match outcome {
        Err(ProviderError::Declined(decline)) => decline.code,
        other => panic!("{other:?}"),
    };
    assert_eq!(code(bench.square.authorize(&with_source("b", token)).await), "CARD_TOKEN_USED");

    let old = enter(&bench, card("4111111111111111")).await;
    bench.clock.advance(DAY_MS);
    let late = bench.square.authorize(&with_source("c", old["token"].as_str().unwrap())).await;
    assert_eq!(code(late), "CARD_TOKEN_EXPIRED");
    assert_eq!(bench.statuses(), ["APPROVED"]);
    assert_eq!(enter(&bench, card("4242424242424242")).await["status"], "Invalid", "not one of Square's");
}

async fn a_challenge_must_be_passed() {
    let bench = Bench::start().await;
    let with = |name: &str, value: Value| {
        let mut card = card("5248480000210034");
        card[name] = value;
        card
    };
    assert_eq!(enter(&bench, card("5248480000210034")).await["status"], "Challenge");
    assert_eq!(enter(&bench, with("challenge_code", json!("1"))).await["status"], "Error");
    let passed = enter(&bench, with("challenge_code", json!("123456"))).await;
    bench.square.authorize(&with_source("a", passed["token"].as_str().unwrap())).await.unwrap();
    let unasked = enter(&bench, with("verify", json!(false))).await;
    let outcome = bench.square.authorize(&with_source("b", unasked["token"].as_str().unwrap())).await;
    assert!(
        matches!(&outcome, Err(ProviderError::Declined(d)) if d.code == "CARD_DECLINED_VERIFICATION_REQUIRED"),
        "{outcome:?}"
    );
}

async fn what_is_never_taken_is_canceled_in_time() {
    let bench = Bench::start().await;
    let held = bench.square.authorize(&authorization("a", 100)).await.unwrap();
    bench.clock.advance(7 * DAY_MS - 1);
    assert_eq!(bench.square.find(&held.id).await.unwrap().unwrap().status, ProviderStatus::Authorized);
    bench.clock.advance(1);
    assert_eq!(bench.square.find(&held.id).await.unwrap().unwrap().status, ProviderStatus::Voided);
}

/// Sends this body as a payment request; returns status and body of the response.
async fn create(bench: &Bench, token: Option<&str>, body: &Value) -> (u16, Value) {
    let address = bench.stand_in.base_url.join("v2/payments").unwrap();
    let mut request = reqwest::Client::new().post(address).body(body.to_string());
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let response = request.send().await.unwrap();
    (response.status().as_u16(), serde_json::from_str(&response.text().await.unwrap()).unwrap())
}

async fn strict_about_credentials_and_lengths() {
    let bench = Bench::start().await;
    let config = bench.stand_in.config().unwrap();
    let token = config.access_token.expose();
    let right = json!({
        "source_id": "cnon:card-nonce-ok", "idempotency_key": "k", "amount_money": { "amount": 100, "currency": "USD" },
    });
    for wrong in [None, Some("another")] {
        let (status, answer) = create(&bench, wrong, &right).await;
        assert_eq!((status, &answer["errors"][0]["code"]), (401, &json!("UNAUTHORIZED")));
    }
    for (field, value, code) in [
        ("idempotency_key", json!("k".repeat(46)), "VALUE_TOO_LONG"),
        ("idempotency_key", json!(""), "VALUE_EMPTY"),
        ("reference_id", json!("r".repeat(41)), "VALUE_TOO_LONG"),
        ("note", json!("n".repeat(501)), "VALUE_TOO_LONG"),
        ("buyer_email_address", json!(format!("{}@example.com", "b".repeat(250))), "VALUE_TOO_LONG"),
        ("buyer_email_address", json!("nobody"), "INVALID_EMAIL_ADDRESS"),
        ("location_id", json!("elsewhere"), "INVALID_LOCATION"),
        ("source_id", Value::Null, "MISSING_REQUIRED_PARAMETER"),
        ("amount_money", json!({ "amount": 0, "currency": "USD" }), "VALUE_TOO_LOW"),
        ("amount_money", json!({ "amount": 1, "currency": "EUR" }), "UNSUPPORTED_CURRENCY"),
        ("delay_duration", json!("PT1H"), "BAD_REQUEST"),
    ] {
        let mut body = right.clone();
        body[field] = value;
        let (status, answer) = create(&bench, Some(token), &body).await;
        assert_eq!((status, &answer["errors"][0]["code"]), (400, &json!(code)), "{field}: {answer}");
    }
    assert!(bench.statuses().is_empty());
    let (status, answer) = create(&bench, Some(token), &right).await;
    assert_eq!((status, &answer["payment"]["status"]), (200, &json!("COMPLETED")), "completed unless told otherwise");
}

/// Any sequence of requests: one payment per key, always with its first response, and a different request with the same key is rejected.
async fn a_key_stands_for_one_request() {
    let bench = Bench::start().await;
    let config = bench.stand_in.config().unwrap();
    let sources = ["cnon:card-nonce-ok", "cnon:card-nonce-declined"];
    let mut runner = TestRunner::deterministic();
    let strategy = vec((0_u8..4, 0_usize..2, 1_i64..3), 1..12);
    for case in 0..24 {
        let mut first: HashMap<String, (Value, (u16, Value))> = HashMap::new();
        let before = bench.statuses().len();
        for (key, source, amount) in strategy.new_tree(&mut runner).unwrap().current() {
            let key = format!("{case}-{key}");
            let body = json!({
                "source_id": sources[source],
                "idempotency_key": key,
                "amount_money": { "amount": amount, "currency": "USD" },
            });
            let answer = create(&bench, Some(config.access_token.expose()), &body).await;
            match first.get(&key) {
                None => {
                    first.insert(key, (body, answer));
                }
                Some((same, kept)) if *same == body => assert_eq!(answer, *kept),
                Some(_) => assert_eq!(answer.1["errors"][0]["code"], "IDEMPOTENCY_KEY_REUSED"),
            }
        }
        assert_eq!(bench.statuses().len() - before, first.len());
    }
    // The client treats this rejection as an unknown outcome: a payment with the key may exist.
    bench.square.authorize(&authorization("a", 100)).await.unwrap();
    let other = bench.square.authorize(&authorization("a", 200)).await;
    assert!(matches!(other, Err(ProviderError::Unknown(_))), "{other:?}");
}

async fn get(bench: &Bench, path: &str) -> (reqwest::header::HeaderMap, String) {
    let response = reqwest::get(bench.stand_in.base_url.join(path).unwrap()).await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    (response.headers().clone(), response.text().await.unwrap())
}

async fn the_dashboard_shows_what_happened() {
    let bench = Bench::start().await;
    assert!(get(&bench, "").await.1.contains("No payments yet"));
    let mut wanted = authorization("a", 4250);
    wanted.note = "<b>Order</b>".to_owned();
    let held = bench.square.authorize(&wanted).await.unwrap();
    let (_, page) = get(&bench, "").await;
    for shown in [held.id.as_str(), "$42.50", "APPROVED", "&lt;b&gt;Order", "4111 1111 1111 1111"] {
        assert!(page.contains(shown), "{shown}");
    }
}

async fn the_browsers_files_are_there() {
    let bench = Bench::start().await;
    for (path, kind) in [
        ("v1/square.js", "text/javascript"),
        ("v1/card", "text/html"),
        ("v1/card.js", "text/javascript"),
        ("v1/card.css", "text/css"),
    ] {
        let (headers, body) = get(&bench, path).await;
        assert!(headers["content-type"].to_str().unwrap().starts_with(kind), "{path}");
        assert!(!body.is_empty());
    }
}
