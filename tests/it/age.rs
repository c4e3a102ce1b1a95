//! The age gate on the server.

use axum::body::Body;
use axum::http::{HeaderValue, Request, header};
use serde_json::{Value, json};
use shop_base::clock::CLOCK_SKEW;

use crate::support::{NOON_MS, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_stranger_sees_the_gate_over_the_page,
    a_verified_visitor_sees_the_page_alone,
    the_admin_area_lies_under_the_gate,
    the_call_sets_a_signed_cookie,
    refusals_use_the_exact_words,
    fields_are_checked_each,
    the_form_works_without_scripts,
    an_account_notes_the_proof_with_and_without_scripts,
    a_refused_form_says_why,
    the_address_of_a_refused_form_leads_into_the_shop,
    a_form_from_another_site_is_refused,
    a_forged_or_old_cookie_counts_for_nothing,
    a_cookie_counts_at_a_node_whose_clock_is_behind,
    cookies_of_other_programs_hide_none_of_the_shop,
];

const DAY_MS: i64 = 86_400_000;

async fn a_stranger_sees_the_gate_over_the_page(shop: TestShop) {
    let answer = shop.get("/").await;
    let html = answer.assert_status(200).root().to_owned();
    for text in [
        "Are you at least 21 years old?",
        "You must be 21+ to enter this site. We use this information solely for age verification and do not store it.",
        "Products for legal tobacco use only. Cardinal &amp; Briar, OH, License # pending.",
        // The form cannot tell that the browser keeps no cookie; with scripts, they say it.
        "<p class=\"needs-no-scripts\">If this question comes back, allow cookies for this site.</p>",
    ] {
        assert!(html.contains(text), "{text}");
    }
    assert!(html.contains("type=\"date\"") && html.contains(">Enter<"));
    assert!(html.contains(" inert"), "the page beneath cannot be reached");
    // Crawlers can still read the content.
    let card = &answer.envelope()["props"]["new_arrivals"][0]["title"];
    assert!(html.contains(&card.as_str().unwrap().replace('&', "&amp;").replace('\'', "&#x27;")));
    assert_eq!(answer.envelope()["shared"]["age_verified"], false);
}

async fn a_verified_visitor_sees_the_page_alone(shop: TestShop) {
    let answer = shop.get_verified("/").await;
    assert!(!answer.assert_status(200).root().contains("Are you at least 21 years old?"));
    assert_eq!(answer.envelope()["shared"]["age_verified"], true);
}

async fn the_admin_area_lies_under_the_gate(shop: TestShop) {
    let staff = shop.sign_in("gated-staff", &["staff"]).await;
    for path in ["/admin/overview", "/admin/orders", "/test-email"] {
        let gated = shop.call("GET", path, &staff, Value::Null).await;
        let html = gated.assert_status(200).root().to_owned();
        assert!(html.contains("Are you at least 21 years old?") && html.contains(" inert"), "{path}");
        let passed = shop.call("GET", path, &format!("{staff}; {}", shop.age_cookie()), Value::Null).await;
        let html = passed.assert_status(200).root().to_owned();
        assert!(!html.contains("Are you at least 21 years old?") && !html.contains(" inert"), "{path}");
    }
    // API calls require only the role.
    shop.call("GET", "/api/admin/overview", &staff, Value::Null).await.assert_status(200);
}

async fn the_call_sets_a_signed_cookie(shop: TestShop) {
    // Turns 21 today in Ohio.
    let body = json!({ "birth_date": "2005-11-21", "user_id": null, "preferred_state": "OH" });
    let answer = shop.post_json("/api/verify-age", body.to_string()).await;
    assert_eq!(answer.assert_status(200).json(), json!({ "verified": true }));
    let cookie = answer.header("set-cookie");
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=86400"] {
        assert!(cookie.contains(attribute), "{attribute} in {cookie}");
    }
    assert!(!cookie.contains("2005"), "the birth date is kept nowhere: {cookie}");
}

async fn refusals_use_the_exact_words(shop: TestShop) {
    for (birth_date, message) in [
        ("", "Please enter your date of birth."),
        ("2005-11-22", "Sorry, you must be at least 21 years old."),
        ("2020-01-01", "Sorry, you must be at least 21 years old."),
    ] {
        let answer = shop.post_json("/api/verify-age", json!({ "birth_date": birth_date }).to_string()).await;
        answer.assert_problem(422, "invalid");
        assert_eq!(answer.json()["errors"]["birth_date"], json!([message]));
        assert!(!answer.headers.contains_key(header::SET_COOKIE));
    }
}

async fn fields_are_checked_each(shop: TestShop) {
    let body = json!({ "birth_date": "", "user_id": "x".repeat(200), "preferred_state": "Ohio" });
    let answer = shop.post_json("/api/verify-age", body.to_string()).await;
    let problem = answer.assert_problem(422, "invalid").json();
    let fields: Vec<_> = problem["errors"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(fields, ["birth_date", "preferred_state", "user_id"]);
}

async fn the_form_works_without_scripts(shop: TestShop) {
    let form = "birth_date=1980-05-17&return_to=%2Fproducts%3Fq%3Dpipe";
    let answer = shop.post("/verify-age", "application/x-www-form-urlencoded", form).await;
    answer.assert_status(303);
    assert_eq!(answer.header("location"), "/products?q=pipe");
    let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
    let entered = shop.send(Request::get("/").header(header::COOKIE, cookie).body(Body::empty()).unwrap()).await;
    assert_eq!(entered.envelope()["shared"]["age_verified"], true);
}

async fn an_account_notes_the_proof_with_and_without_scripts(shop: TestShop) {
    // Providers may give each user an id of as many characters.
    let long = "x".repeat(255);
    for (subject, has_scripts) in [("proof-call", true), (&*long, true), ("proof-form", false)] {
        let session = shop.sign_in(subject, &["customer"]).await;
        let age = async || shop.call("GET", "/api/me", &session, Value::Null).await.json()["age"].clone();
        assert!(age().await.is_null());
        if has_scripts {
            let body = json!({ "birth_date": "1980-05-17", "user_id": subject, "preferred_state": null });
            shop.call("POST", "/api/verify-age", &session, body).await.assert_status(200);
        } else {
            let fields = [("birth_date", "1980-05-17"), ("return_to", "/")];
            shop.form("/verify-age", &session, "same-origin", &fields).await.assert_status(303);
        }
        assert!(age().await["verified_at"].is_i64());
    }
}

async fn a_refused_form_says_why(shop: TestShop) {
    let form = "birth_date=2010-01-01&return_to=%2F%2Fevil.example";
    let answer = shop.post("/verify-age", "application/x-www-form-urlencoded", form).await;
    assert!(answer.assert_status(422).root().contains("Sorry, you must be at least 21 years old."));
    assert_eq!(answer.envelope()["props"]["return_to"], "/");
}

async fn the_address_of_a_refused_form_leads_into_the_shop(shop: TestShop) {
    // Typed, bookmarked or restored by the browser: it was a dead end also for who then entered a right date.
    let answer = shop.get("/verify-age").await;
    assert_eq!(answer.assert_status(303).header("location"), "/");
}

async fn a_form_from_another_site_is_refused(shop: TestShop) {
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        // Browsers tell the site only over https, or not at all if they are old.
        ("origin", "https://evil.example"),
        ("origin", "null"),
    ] {
        let request = Request::post("/verify-age")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(name, value)
            .body(Body::from("birth_date=1980-05-17"))
            .unwrap();
        let answer = shop.send(request).await;
        answer.assert_status(400);
        assert!(!answer.headers.contains_key(header::SET_COOKIE), "{name}: {value}");
    }
}

async fn a_forged_or_old_cookie_counts_for_nothing(shop: TestShop) {
    // A separate shop, since this test moves the clock.
    let shop = TestShop::with(shop.database, |_| {}).await;
    let good = shop.age_cookie();
    let sees_gate = async |cookie: String| {
        let request = Request::get("/cart").header(header::COOKIE, cookie).body(Body::empty()).unwrap();
        !shop.send(request).await.envelope()["shared"]["age_verified"].as_bool().unwrap()
    };
    assert!(!sees_gate(good.clone()).await);
    assert!(sees_gate(format!("age={}", NOON_MS + DAY_MS)).await, "unsigned");
    assert!(sees_gate(good.replace(&(NOON_MS + DAY_MS).to_string(), &(NOON_MS + 2 * DAY_MS).to_string())).await);
    shop.clock.advance(DAY_MS - 1);
    assert!(!sees_gate(good.clone()).await, "valid to the last millisecond");
    shop.clock.advance(1);
    assert!(sees_gate(good).await, "expired");
}

async fn a_cookie_counts_at_a_node_whose_clock_is_behind(shop: TestShop) {
    // A separate shop, since this test moves the clock.
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.age_cookie();
    let is_verified = async || {
        let request = Request::get("/cart").header(header::COOKIE, &cookie).body(Body::empty()).unwrap();
        shop.send(request).await.envelope()["shared"]["age_verified"].as_bool().unwrap()
    };
    shop.clock.advance(-CLOCK_SKEW);
    assert!(is_verified().await);
    shop.clock.advance(-1);
    assert!(!is_verified().await, "no node's clock is so far ahead");
}

async fn cookies_of_other_programs_hide_none_of_the_shop(shop: TestShop) {
    let session = shop.sign_in("among-others", &["customer"]).await;
    for other in [&b"theme=caf\xc3\xa9"[..], b"theme=caf\xe9"] {
        let cookies = [other, format!("; {session}; {}", shop.age_cookie()).as_bytes()].concat();
        let request = Request::get("/cart").header(header::COOKIE, HeaderValue::from_bytes(&cookies).unwrap());
        let answer = shop.send(request.body(Body::empty()).unwrap()).await;
        let shared = answer.assert_status(200).envelope()["shared"].clone();
        assert_eq!((&shared["age_verified"], &shared["user"]["sub"]), (&json!(true), &json!("among-others")));
    }
}
