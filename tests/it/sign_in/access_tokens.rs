//! Access tokens in place of a session.

use axum::body::Body;
use axum::http::{Request, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use shop_base::security;
use shop_demo::identity::CLIENT_ID;
use shop_domain::identity::model::Profile;
use shop_domain::identity::service;
use shop_domain::identity::store::upsert_user;
use uuid::Uuid;

use super::{SHOPPER, TOKEN_MS, provider_issuer, session_id, user};
use crate::reports::execute;
use crate::support::{Browser, Test, TestShop, shop_with_provider};
use crate::tests;

pub const TESTS: &[Test] = tests![
    access_tokens_are_taken_and_id_tokens_are_not,
    an_account_gets_the_roles_of_its_tokens,
    a_token_from_before_gives_no_role_back,
    an_account_is_erased_by_the_address_that_it_has,
];

async fn access_tokens_are_taken_and_id_tokens_are_not(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let send = async |credentials: String| {
        let request = Request::patch("/api/me")
            .header(header::AUTHORIZATION, credentials)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(r#"{"name":"By Token"}"#))
            .unwrap();
        shop.send(request).await
    };
    let call = async |token: &str| send(format!("Bearer {token}")).await;
    let now = shop.app.clock.now_ms() / 1000;
    let good = json!({
        "iss": provider_issuer(&shop), "aud": "shop-api", "sub": "caller", "iat": now, "exp": now + 300,
        "roles": ["staff"],
    });
    let signed = async |claims: &Value| provider.sign("at+jwt", claims).await.unwrap();
    let token = signed(&good).await;
    let answer = call(&token).await;
    assert_eq!(answer.assert_status(200).json()["role"], "staff", "no cookie, so no check of the origin");
    send(format!("bearer {token}")).await.assert_status(200);
    for (field, value) in [
        ("iss", json!("https://evil.example")),
        ("aud", json!("another")),
        ("aud", json!(CLIENT_ID)),
        ("aud", json!(["shop-api", CLIENT_ID])),
        ("exp", json!(now - 100)),
        ("exp", Value::Null),
        ("nbf", json!(now + 3600)),
        ("iat", json!(now - 31 * 24 * 3600)),
        ("iat", Value::Null),
        ("nonce", json!("n")),
        ("at_hash", json!("h")),
        ("sub", Value::Null),
    ] {
        let mut claims = good.clone();
        claims[field] = value.clone();
        call(&signed(&claims).await).await.assert_problem(401, "unauthorized");
    }
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    let id_token = service::find_tokens(&shop.app, &shop.app.parts.identity, session_id(&shop, &browser).await)
        .await
        .unwrap()
        .unwrap()
        .id_token;
    call(&id_token).await.assert_status(401);
    call(&provider.sign("logout+jwt", &good).await.unwrap()).await.assert_status(401);
    // Without a signature, with another algorithm, and with other claims.
    let mut parts: Vec<String> = token.split('.').map(str::to_owned).collect();
    for header in [json!({ "alg": "none" }), json!({ "alg": "HS256", "typ": "at+jwt" })] {
        let header = URL_SAFE_NO_PAD.encode(header.to_string());
        call(&format!("{header}.{}.{}", parts[1], parts[2])).await.assert_status(401);
        call(&format!("{header}.{}.", parts[1])).await.assert_status(401);
    }
    let mut claims = good.clone();
    claims["roles"] = json!(["super_admin"]);
    parts[1] = URL_SAFE_NO_PAD.encode(claims.to_string());
    call(&parts.join(".")).await.assert_status(401);
    let refusals = || security::counts().find(|(event, _)| *event == "token_refused").unwrap().1;
    let before = refusals();
    for broken in ["", "x", "x.y.z"] {
        call(broken).await.assert_status(401);
    }
    assert!(refusals() >= before + 3);
}

/// Calls that users make with a program go by the roles that the provider lists now, as far as they concern other accounts, too.
async fn an_account_gets_the_roles_of_its_tokens(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    shop.sign_in("colleague", &["admin"]).await;
    shop.sign_in("rude", &["customer"]).await;
    let stored = async |subject: &str| -> (Uuid, String) {
        let statement = "SELECT id, role FROM users WHERE subject = $1";
        let mut reader = shop.app.db.read().await.unwrap();
        shop_base::sql!(&mut reader.conn(), c => sqlx::query_as(statement).bind(subject).fetch_one(c).await).unwrap()
    };
    let now = shop.app.clock.now_ms() / 1000;
    // The one ends all sessions of the other.
    let act = async |subject: &str, roles: Value, other: &str| {
        let claims = json!({
            "iss": provider_issuer(&shop), "aud": "shop-api", "sub": subject, "iat": now, "exp": now + 300,
            "auth_time": now, "roles": roles,
        });
        let token = provider.sign("at+jwt", &claims).await.unwrap();
        let request = Request::delete(format!("/api/admin/users/{}/sessions", stored(other).await.0))
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .body(Body::empty())
            .unwrap();
        shop.send(request).await
    };
    act("promoted", json!(["customer"]), "rude").await.assert_problem(403, "forbidden");
    act("promoted", json!(["admin"]), "rude").await.assert_status(204);
    act("demoted", json!(["super_admin"]), "colleague").await.assert_status(204);
    act("demoted", json!(["admin"]), "colleague").await.assert_problem(403, "forbidden");
    assert_eq!(stored("demoted").await.1, "admin");
    act("demoted", Value::Null, "rude").await.assert_problem(403, "forbidden");
    assert_eq!(stored("demoted").await.1, "admin", "its provider may list roles elsewhere");
}

async fn a_token_from_before_gives_no_role_back(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let token = async || {
        let now = shop.app.clock.now_ms() / 1000;
        let claims = json!({
            "iss": provider_issuer(&shop), "aud": "shop-api", "sub": "demo-admin", "iat": now, "exp": now + 3600,
            "roles": ["admin"],
        });
        provider.sign("at+jwt", &claims).await.unwrap()
    };
    let call = async |token: &str| {
        let request = Request::get("/api/me").header(header::AUTHORIZATION, format!("Bearer {token}"));
        shop.send(request.body(Body::empty()).unwrap()).await.assert_status(200).json()["role"].clone()
    };
    let mut browser = Browser::new(&shop);
    browser.sign_in("demo-admin").await;
    let former = token().await;
    provider.set_roles("demo-admin", &["staff"]).await.unwrap();
    shop.clock.advance(TOKEN_MS + 1000);
    assert_eq!(user(&mut browser).await["role"], "staff");
    assert_eq!(call(&former).await, "admin", "the call itself goes by its token");
    assert_eq!(user(&mut browser).await["role"], "staff");
    shop.clock.advance(1000);
    call(&token().await).await;
    assert_eq!(user(&mut browser).await["role"], "admin", "a newer token knows better");
    // As if its user had signed in for the first time after the account was looked for.
    let profile = Profile {
        issuer: provider_issuer(&shop),
        subject: "demo-admin".to_owned(),
        email: String::new(),
        email_verified: false,
        name: String::new(),
        roles: vec!["staff".to_owned()],
    };
    let now = shop.app.clock.now_ms();
    let read_before = async || {
        let mut tx = shop.app.db.begin().await.unwrap();
        upsert_user(&mut tx.conn(), Uuid::now_v7(), &profile, now - 1000, now).await.unwrap();
        tx.commit().await.unwrap();
    };
    read_before().await;
    assert_eq!(user(&mut browser).await["role"], "admin", "the sign-in knows better");
    execute(&shop, "UPDATE users SET roles_read_at = roles_read_at + 86400000").await;
    read_before().await;
    assert_eq!(user(&mut browser).await["role"], "staff", "a clock that was ahead knew nothing");
}

async fn an_account_is_erased_by_the_address_that_it_has(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    let email = user(&mut browser).await["email"].as_str().unwrap().to_owned();
    let token = async |ahead: i64| {
        let now = shop.app.clock.now_ms() / 1000 + ahead;
        let claims = json!({
            "iss": provider_issuer(&shop), "aud": "shop-api", "sub": SHOPPER, "iat": now, "exp": now + 300,
        });
        provider.sign("at+jwt", &claims).await.unwrap()
    };
    let erase = async |token: &str, typed: &str| {
        let request = Request::delete("/api/me")
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(json!({ "confirm": typed }).to_string()))
            .unwrap();
        shop.send(request).await
    };
    // The token names no address. The provider's clock is ahead of the shop's.
    let former = token(20).await;
    erase(&former, "").await.assert_problem(422, "invalid");
    erase(&former, &email).await.assert_status(204);
    assert_eq!(user(&mut browser).await, Value::Null);
    let emails = "SELECT payload FROM jobs WHERE name = 'account_mail'";
    let mut reader = shop.app.db.read().await.unwrap();
    let queued: Vec<String> =
        shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(emails).fetch_all(c).await).unwrap();
    let [farewell] = &queued[..] else { panic!("{queued:?}") };
    assert!(farewell.contains("account_deleted") && farewell.contains(&email), "{farewell}");
    drop(reader);
    // The token does not make the account anew; a sign-in does.
    let accounts = async || -> i64 {
        let count = "SELECT COUNT(*) FROM users WHERE subject = $1";
        let mut reader = shop.app.db.read().await.unwrap();
        shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(count).bind(SHOPPER).fetch_one(c).await).unwrap()
    };
    erase(&former, &email).await.assert_problem(401, "unauthorized");
    assert_eq!(accounts().await, 0);
    browser.sign_in(SHOPPER).await;
    assert_eq!((user(&mut browser).await["sub"].as_str(), accounts().await), (Some(SHOPPER), 1));
    erase(&former, &email).await.assert_problem(401, "unauthorized");
    shop.clock.advance(61_000);
    erase(&token(0).await, "").await.assert_problem(422, "invalid");
}
