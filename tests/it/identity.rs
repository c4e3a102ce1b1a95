//! Sessions, roles and access checks, without an identity provider.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::FromRef;
use axum::http::{Request, header};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use serde_json::{Value, json};
use shop_base::config::Config;
use shop_base::context::Context;
use shop_domain::identity::model::Profile;
use shop_http::identity::extract::{Customer, identify};
use shop_http::layers::outermost::Outermost;
use shop_http::page::serve;
use shop_http::page::serve::PageLayer;

use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    every_role_gets_where_it_belongs_and_nowhere_else,
    signed_in_pages_skip_the_cache_both_ways,
    writes_from_elsewhere_are_refused,
    a_stale_cookie_is_taken_back,
    a_session_ends_when_nobody_uses_it,
    an_address_that_is_not_told_again_stays_as_verified_as_it_was,
    the_age_proof_is_the_users_own,
    calls_from_the_shops_host_are_allowed_when_the_api_is_elsewhere,
];

/// The shop's middleware around one route per extractor.
fn guarded(shop: &TestShop) -> TestShop {
    let parts = &shop.app.parts;
    let known = (Context::from_ref(&shop.app), Arc::clone(&parts.identity), Arc::clone(&parts.lines));
    let router = Router::new()
        .route("/api/t/customer", get(async |_: Customer| "in"))
        .route("/api/t/write", post(async |_: Customer| "in"))
        .layer(from_fn_with_state(known, identify))
        .layer(from_fn_with_state(Arc::new(PageLayer::from_ref(&shop.app)), serve::errors))
        .with_state(shop.app.clone());
    TestShop { router: Outermost { rest: router, ..shop.router.clone() }, ..shop.clone() }
}

async fn every_role_gets_where_it_belongs_and_nowhere_else(shop: TestShop) {
    let areas = [
        ("customer", "GET", "/api/me"),
        ("staff", "GET", "/api/admin/overview"),
        ("admin", "GET", "/api/admin/debug"),
        ("super", "PUT", "/api/admin/users/00000000-0000-0000-0000-000000000000/role"),
    ];
    for (roles, allowed) in [
        (vec![], vec!["customer"]),
        (vec!["customer"], vec!["customer"]),
        (vec!["owner"], vec!["customer"]),
        (vec!["customer", "staff"], vec!["customer", "staff"]),
        (vec!["admin"], vec!["customer", "staff", "admin"]),
        (vec!["staff", "super_admin"], vec!["customer", "staff", "admin", "super"]),
    ] {
        let cookie = shop.sign_in(&format!("role-{}", roles.join("-")), &roles).await;
        for (area, method, path) in areas {
            let answer = shop.call(method, path, &cookie, json!({ "version": 0, "role": "staff" })).await;
            match (area, allowed.contains(&area)) {
                // The user does not exist, which only this role learns.
                ("super", true) => drop(answer.assert_problem(404, "not_found")),
                (_, true) => drop(answer.assert_status(200)),
                (_, false) => drop(answer.assert_problem(403, "forbidden")),
            }
        }
    }
    for (_, method, path) in areas {
        let answer = shop.call(method, path, "", json!({ "version": 0, "role": "staff" })).await;
        answer.assert_problem(401, "unauthorized");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    }
}

async fn signed_in_pages_skip_the_cache_both_ways(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let age = shop.age_cookie();
    let session = shop.sign_in("cached", &["customer"]).await;
    let both = format!("{age}; {session}");
    let before = shop.get_verified("/products").await;
    assert!(before.envelope()["shared"]["user"].is_null());
    for path in ["/products", "/", "/no/such/page"] {
        let mine = shop.call("GET", path, &both, Value::Null).await;
        assert_eq!(mine.envelope()["shared"]["user"]["sub"], "cached", "{path}");
        assert!(mine.header("cache-control").contains("no-store"), "{path}: {}", mine.header("cache-control"));
        assert_ne!(mine.header("server-timing"), "cache;desc=hit");
        assert!(!mine.headers.contains_key(header::ETAG));
        let payload =
            shop.call("GET", &format!("{}/_payload.json", path.trim_end_matches('/')), &both, Value::Null).await;
        assert_eq!(payload.json()["shared"]["user"]["initials"], "TC", "{path}");
        assert!(payload.header("cache-control").contains("no-store"));
    }
    let after = shop.get_verified("/products").await;
    assert_eq!(after.header("server-timing"), "cache;desc=hit");
    assert_eq!(before.body, after.body, "what strangers get is the same to the byte");
    let stranger = shop.get_verified("/").await;
    assert!(!stranger.text().contains("cached@shop.example"));
}

async fn writes_from_elsewhere_are_refused(shop: TestShop) {
    let shop = guarded(&shop);
    let cookie = shop.sign_in("writer", &["customer"]).await;
    let origin = shop.app.config.http.shop_origin();
    for (site, from, allowed) in [
        (Some("same-origin"), Some(origin.as_str()), true),
        (Some("same-origin"), None, true),
        (Some("same-site"), Some(origin.as_str()), false),
        (Some("cross-site"), Some(origin.as_str()), false),
        (Some("none"), None, false),
        (None, Some(origin.as_str()), true),
        (None, Some("https://evil.example"), false),
        (None, Some("null"), false),
        (None, None, false),
    ] {
        let mut request = Request::post("/api/t/write").header(header::COOKIE, &cookie);
        if let Some(site) = site {
            request = request.header("sec-fetch-site", site);
        }
        if let Some(from) = from {
            request = request.header(header::ORIGIN, from);
        }
        let answer = shop.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status == 200, allowed, "{site:?} {from:?}: {}", answer.status);
        if !allowed {
            answer.assert_problem(403, "forbidden");
        }
    }
    // Text browsers send only the address of the page.
    for (page, from, allowed) in [
        (format!("{origin}/account"), None, true),
        // A private page says no more of its address.
        (format!("{origin}/"), None, true),
        (format!("{origin}/account"), Some("null"), false),
        (format!("{origin}.evil.example/"), None, false),
        ("https://evil.example/".to_owned(), None, false),
    ] {
        let mut request = Request::post("/api/t/write").header(header::COOKIE, &cookie).header(header::REFERER, &page);
        if let Some(from) = from {
            request = request.header(header::ORIGIN, from);
        }
        let answer = shop.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status == 200, allowed, "{page} {from:?}: {}", answer.status);
    }
    // Reads are allowed from other sites: their links lead to pages.
    let request =
        Request::get("/api/t/customer").header(header::COOKIE, &cookie).header("sec-fetch-site", "cross-site");
    shop.send(request.body(Body::empty()).unwrap()).await.assert_status(200);
}

async fn a_stale_cookie_is_taken_back(shop: TestShop) {
    let answer = shop.call("GET", "/products", "session=nobody", Value::Null).await;
    assert!(answer.assert_status(200).envelope()["shared"]["user"].is_null());
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("session=;") && cookie.contains("Max-Age=0"), "{cookie}");
}

async fn a_session_ends_when_nobody_uses_it(shop: TestShop) {
    const DAY_MS: i64 = 86_400_000;
    let shop = guarded(&TestShop::with(shop.database, |_| {}).await);
    let cookie = shop.sign_in("idle", &["customer"]).await;
    let ask = async || shop.call("GET", "/api/t/customer", &cookie, Value::Null).await.status.as_u16();
    for _ in 0..2 {
        shop.clock.advance(13 * DAY_MS);
        assert_eq!(ask().await, 200, "use keeps it alive");
    }
    shop.clock.advance(5 * DAY_MS);
    assert_eq!(ask().await, 401, "but not beyond 30 days");
    let cookie = shop.sign_in("idle", &["customer"]).await;
    shop.clock.advance(15 * DAY_MS);
    shop.call("GET", "/api/t/customer", &cookie, Value::Null).await.assert_status(401);
}

async fn an_address_that_is_not_told_again_stays_as_verified_as_it_was(shop: TestShop) {
    let profile = |email: &str, email_verified: bool| Profile {
        issuer: "https://id.example".to_owned(),
        subject: "reticent".to_owned(),
        email: email.to_owned(),
        email_verified,
        name: String::new(),
        roles: Vec::new(),
    };
    for (email, says, is_verified) in
        [("own@shop.example", true, true), ("", false, true), ("claimed@shop.example", false, false), ("", true, false)]
    {
        let session = shop.begin_session(profile(email, says)).await.unwrap();
        let me = shop.call("GET", "/api/me", &session, Value::Null).await.assert_status(200).json();
        assert_eq!(me["email_verified"], is_verified, "{email:?}, {says}");
    }
}

async fn the_age_proof_is_the_users_own(shop: TestShop) {
    let cookie = shop.sign_in("aged", &["customer"]).await;
    let session = shop.sign_in("aged", &["customer"]).await;
    let user = shop_domain::identity::service::find_session(&shop.app, session.trim_start_matches("session="))
        .await
        .unwrap()
        .unwrap()
        .user_id;
    let proof = async || {
        let mut reader = shop.app.db.read().await.unwrap();
        let now = shop.app.clock.now_ms();
        shop_domain::age::service::find_age_proof(&mut reader.conn(), user, now).await.unwrap()
    };
    let verify = async |cookie: &str, user: Value, birth: &str| {
        let body = json!({ "birth_date": birth, "user_id": user, "preferred_state": "OH" });
        shop.call("POST", "/api/verify-age", cookie, body).await
    };
    let answer = verify(&cookie, json!("somebody-else"), "1980-05-17").await;
    assert_eq!(
        answer.assert_problem(422, "invalid").json()["errors"]["user_id"],
        json!(["This isn’t the signed-in user."])
    );
    verify("", json!("aged"), "1980-05-17").await.assert_problem(422, "invalid");
    verify(&cookie, json!("aged"), "2020-05-17").await.assert_problem(422, "invalid");
    // The page of a guest, or of an account that was signed in before.
    verify(&cookie, Value::Null, "1980-05-17").await.assert_status(200);
    assert_eq!(proof().await, None);
    verify(&cookie, json!("aged"), "1980-05-17").await.assert_status(200);
    let proof = proof().await.unwrap();
    assert_eq!(proof.preferred_state.as_deref(), Some("OH"));
    assert!(proof.expires_at > proof.verified_at);
}

async fn calls_from_the_shops_host_are_allowed_when_the_api_is_elsewhere(shop: TestShop) {
    let split = |config: &mut Config| {
        config.http.origin = "https://www.shop.example".parse().unwrap();
        config.http.api_base = Some("https://api.shop.example".parse().unwrap());
        config.http.cookie_domain = Some("shop.example".to_owned());
    };
    let shop = TestShop::with(shop.database, split).await;
    let envelope = shop.call("GET", "/cart/_payload.json", "", Value::Null).await.assert_status(200).json();
    assert_eq!(envelope["shared"]["api_base"], "https://api.shop.example", "paths are appended");
    let preflight = async |origin: &str| {
        let request = Request::options("/api/me")
            .header(header::ORIGIN, origin)
            .header("access-control-request-method", "PATCH")
            .body(Body::empty())
            .unwrap();
        shop.send(request).await
    };
    let allowed = preflight("https://www.shop.example").await;
    assert_eq!(allowed.assert_status(204).header("access-control-allow-origin"), "https://www.shop.example");
    assert_eq!(allowed.header("access-control-allow-credentials"), "true");
    assert!(allowed.header("access-control-allow-methods").contains("PATCH"));
    let refused = preflight("https://evil.example").await;
    assert!(!refused.headers.contains_key("access-control-allow-origin"));
    let line = shop_http::identity::cookie::set(&shop.app, shop_http::identity::cookie::Name::Session, "x");
    let line = line.to_str().unwrap();
    assert!(line.starts_with("__Secure-session=x;") && line.contains("Domain=shop.example"), "{line}");
    assert!(line.contains("Secure") && line.contains("HttpOnly") && line.contains("SameSite=Lax"), "{line}");
    let session = shop.sign_in("split", &[]).await.replace("session=", "__Secure-session=");
    let call = async |origin: &str| {
        let request = Request::patch("/api/me/preferences")
            .header(header::COOKIE, &session)
            .header(header::ORIGIN, origin)
            .header("sec-fetch-site", "same-site")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from("{}"))
            .unwrap();
        shop.send(request).await
    };
    call("https://www.shop.example").await.assert_status(200);
    call("https://blog.shop.example").await.assert_problem(403, "forbidden");
    let export = async |origin: &str| {
        let request = Request::get("/api/me/export")
            .header(header::COOKIE, &session)
            .header(header::ORIGIN, origin)
            .header("sec-fetch-site", "same-site");
        shop.send(request.body(Body::empty()).unwrap()).await
    };
    export("https://www.shop.example").await.assert_status(200);
    export("https://blog.shop.example").await.assert_problem(403, "forbidden");
}
