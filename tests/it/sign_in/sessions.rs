//! Sessions: how they are refreshed, and how they end.

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};
use shop_base::sql;
use shop_demo::identity::{CLIENT_ID, METHOD, Omission, Provider};
use shop_domain::identity::model::MOST_SESSIONS;
use shop_domain::identity::service;
use tokio::sync::oneshot;

use super::{SHOPPER, TOKEN_MS, claims_of, notice, provider_issuer, session_id, user};
use crate::support::{
    Browser, OnPostgres, Test, TestShop, shop_with_another_clock_than_its_provider, shop_with_provider,
    shop_with_provider_and, until,
};
use crate::tests;

pub const TESTS: &[Test] = tests![
    twenty_requests_refresh_once,
    a_slow_refresh_is_left_to_its_node,
    a_clock_that_is_ahead_ends_no_session_at_its_refresh,
    a_reused_refresh_token_ends_the_session,
    a_network_error_keeps_the_session,
    a_key_that_cannot_be_fetched_keeps_the_session,
    a_key_that_is_too_new_keeps_the_session,
    rotated_tokens_outlast_a_failure_of_the_database,
    roles_are_read_again_at_each_refresh,
    roles_that_could_not_be_read_are_asked_for_again,
    an_answer_that_comes_late_gives_no_role_back,
    an_email_address_is_read_again_at_each_refresh,
    an_older_session_brings_no_email_address_back,
    an_answer_that_comes_late_brings_no_email_address_back,
    a_sign_in_that_takes_long_gives_no_role_back,
    a_sign_in_that_takes_long_brings_no_email_address_back,
    without_a_refresh_token_staff_sign_in_again,
    sessions_of_staff_end_after_half_an_hour_without_use,
    nodes_whose_clocks_are_right_correct_no_session,
    open_pages_do_not_keep_sessions_of_staff,
    sessions_of_staff_end_after_half_a_day,
    customers_stay_signed_in,
    an_account_has_so_many_sessions_and_no_more,
    staff_use_the_methods_that_are_required,
    signing_out_ends_both_sessions,
    signing_out_after_the_session_has_ended_ends_that_of_the_provider,
    the_back_channel_ends_sessions,
];

async fn twenty_requests_refresh_once(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    assert_eq!(provider.refresh_count(), 0);
    for round in 1..=2 {
        shop.clock.advance(TOKEN_MS + 1000);
        let cookies = browser.cookie_line();
        let asks = (0..20).map(|_| {
            let (shop, cookies) = (shop.clone(), cookies.clone());
            tokio::spawn(async move { shop.call("GET", "/api/me", &cookies, Value::Null).await.status.as_u16() })
        });
        for ask in asks.collect::<Vec<_>>() {
            assert_eq!(ask.await.unwrap(), 200);
        }
        assert_eq!(provider.refresh_count(), round, "the rotated token works the next time");
    }
}

async fn a_slow_refresh_is_left_to_its_node(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    shop.clock.advance(TOKEN_MS + 1000);
    let cookies = browser.cookie_line();
    let (release, held) = oneshot::channel();
    provider.with_faults(|faults| faults.held_tokens = Some(held));
    tokio::join!(user(&mut browser), async {
        until("the provider is asked", async || provider.with_faults(|faults| faults.held_tokens.is_none())).await;
        // Another node gets a request 52 s later. Its clock is 59 s ahead; that of the first one is 59 s behind.
        shop.clock.advance(170_000);
        shop.call("GET", "/api/me", &cookies, Value::Null).await.assert_status(200);
        release.send(()).unwrap();
    });
    assert_eq!(provider.refresh_count(), 1);
    shop.clock.advance(TOKEN_MS + 1000);
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
    assert_eq!(provider.refresh_count(), 2, "the rotated token works the next time");
}

async fn a_clock_that_is_ahead_ends_no_session_at_its_refresh(shop: TestShop) {
    let (shop, provider) = shop_with_another_clock_than_its_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    shop.clock.advance(24 * 60 * MINUTE_MS);
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
    assert_eq!(provider.refresh_count(), 1, "with an ID token that is over by the shop's clock");
    shop.clock.advance(-24 * 60 * MINUTE_MS);
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
    shop.clock.advance(3 * MINUTE_MS + 1000);
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
    assert_eq!(provider.refresh_count(), 2, "not a day later, and the rotated token works");
}

async fn a_reused_refresh_token_ends_the_session(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    let stolen = service::find_tokens(&shop.app, &shop.app.parts.identity, session_id(&shop, &browser).await)
        .await
        .unwrap()
        .unwrap();
    shop.clock.advance(TOKEN_MS + 1000);
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
    // The thief uses the refresh token second: the provider revokes the token family.
    let client = shop.app.parts.identity.provider.as_ref().unwrap();
    client.refresh(&stolen, SHOPPER).await.unwrap_err();
    shop.clock.advance(TOKEN_MS + 1000);
    assert_eq!(user(&mut browser).await, Value::Null);
    assert_eq!(browser.session(), None, "the cookie is taken back");
    assert_eq!(provider.refresh_count(), 3);
}

async fn a_network_error_keeps_the_session(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    provider.with_faults(|faults| faults.down = true);
    shop.clock.advance(TOKEN_MS + 1000);
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
    provider.with_faults(|faults| faults.down = false);
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
    assert_eq!(provider.refresh_count(), 0, "not at every request");
    shop.clock.advance(60_001);
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
    assert_eq!(provider.refresh_count(), 1, "a minute later");
}

async fn a_key_that_cannot_be_fetched_keeps_the_session(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    provider.rotate_keys().await.unwrap();
    shop.clock.advance(TOKEN_MS + 1000);
    let (release, held) = oneshot::channel();
    provider.with_faults(|faults| faults.held_tokens = Some(held));
    let (seen, ()) = tokio::join!(user(&mut browser), async {
        until("the provider is asked", async || provider.with_faults(|faults| faults.held_tokens.is_none())).await;
        // The tokens are still given.
        provider.with_faults(|faults| faults.down = true);
        release.send(()).unwrap();
    });
    assert_eq!(seen["sub"], SHOPPER);
    provider.with_faults(|faults| faults.down = false);
    let mut hasty = Browser::new(&shop);
    hasty.sign_in(SHOPPER).await;
    let told = notice(&mut hasty).await;
    assert!(told.as_str().unwrap().starts_with("Sign-in isn’t available"), "{told}: not asked again so soon");
    goes_on(&shop, &provider, &mut browser).await;
}

async fn a_key_that_is_too_new_keeps_the_session(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    shop.clock.advance(TOKEN_MS + 1000);
    provider.rotate_keys().await.unwrap();
    let mut other = Browser::new(&shop);
    other.sign_in(SHOPPER).await;
    assert_eq!(user(&mut other).await["sub"], SHOPPER, "the keys have been fetched");
    provider.rotate_keys().await.unwrap();
    says(&provider, "second@shop.example", true);
    assert_ne!(user(&mut browser).await["email"], "second@shop.example", "nobody has vouched for it");
    goes_on(&shop, &provider, &mut browser).await;
    assert_eq!(user(&mut browser).await["email"], "second@shop.example");
}

/// After one refresh, whose ID token could not be checked: with the refresh tokens that came meanwhile.
async fn goes_on(shop: &TestShop, provider: &Provider, browser: &mut Browser) {
    assert_eq!(provider.refresh_count(), 1);
    for (wait, refreshes) in [(60_001, 2), (1, 2), (TOKEN_MS + 1000, 3)] {
        shop.clock.advance(wait);
        assert_eq!(user(browser).await["sub"], SHOPPER);
        assert_eq!(provider.refresh_count(), refreshes);
    }
}

/// When they are to be stored, the provider accepts the former refresh token no more.
/// SQLite cannot be made to fail once.
async fn rotated_tokens_outlast_a_failure_of_the_database(OnPostgres(shop): OnPostgres) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    // As on a full disk. A sequence is not rolled back.
    let fail_once = [
        "CREATE SEQUENCE stored",
        "CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF nextval('stored') = 1 THEN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END IF;
            RETURN NEW;
        END $$",
        "CREATE TRIGGER fail_once BEFORE UPDATE OF tokens ON sessions FOR EACH ROW EXECUTE FUNCTION fail_once()",
    ];
    let mut tx = shop.app.db.begin().await.unwrap();
    for statement in fail_once {
        sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
    }
    tx.commit().await.unwrap();
    for round in 1..=2 {
        shop.clock.advance(TOKEN_MS + 1000);
        assert_eq!(user(&mut browser).await["sub"], SHOPPER);
        assert_eq!(provider.refresh_count(), round, "the rotated token works the next time");
    }
    let mut reader = shop.app.db.read().await.unwrap();
    let count = "SELECT last_value FROM stored";
    let tries: i64 = sql!(&mut reader.conn(), c => sqlx::query_scalar(count).fetch_one(c).await).unwrap();
    assert_eq!(tries, 3, "the first of them failed");
}

/// Lets the access token expire.
async fn after_a_refresh(shop: &TestShop, browser: &mut Browser) -> Value {
    shop.clock.advance(TOKEN_MS + 1000);
    user(browser).await["role"].clone()
}

async fn roles_are_read_again_at_each_refresh(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let omit = |omits: &[Omission]| provider.with_faults(|faults| faults.omits = omits.to_vec());
    let mut browser = Browser::new(&shop);
    browser.sign_in("demo-admin").await;
    assert_eq!(user(&mut browser).await["role"], "admin");
    // From the ID token, or from userinfo if the ID token has no roles or is missing.
    provider.set_roles("demo-admin", &["staff"]).await.unwrap();
    assert_eq!(after_a_refresh(&shop, &mut browser).await, "staff");
    for (omits, role) in [(Omission::RolesInIdToken, "admin"), (Omission::IdTokenAtRefresh, "staff")] {
        omit(&[omits]);
        provider.set_roles("demo-admin", &[role]).await.unwrap();
        assert_eq!(after_a_refresh(&shop, &mut browser).await, role, "{omits:?}");
    }
    // If neither contains roles, the user has none, even after having had one before.
    omit(&[Omission::RolesInIdToken, Omission::RolesInUserinfo]);
    assert_eq!(after_a_refresh(&shop, &mut browser).await, Value::Null);
    browser.get("/admin/orders").await.assert_status(403);
    assert_eq!(user(&mut browser).await["sub"], "demo-admin", "still signed in, as a customer");
    omit(&[]);
    assert_eq!(after_a_refresh(&shop, &mut browser).await, "staff");
    // A role that a super admin has set here overrides the provider's.
    let id = service::find_session(&shop.app, browser.session().unwrap()).await.unwrap().unwrap().user_id;
    let owner = shop.sign_in("owner", &["super_admin"]).await;
    let body = json!({ "role": "admin", "version": 0 });
    shop.call("PUT", &format!("/api/admin/users/{id}/role"), &owner, body).await.assert_status(204);
    omit(&[Omission::RolesInIdToken, Omission::RolesInUserinfo]);
    assert_eq!(after_a_refresh(&shop, &mut browser).await, "admin");
}

async fn roles_that_could_not_be_read_are_asked_for_again(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in("demo-staff").await;
    provider.set_roles("demo-staff", &["customer"]).await.unwrap();
    provider.with_faults(|faults| faults.omits = vec![Omission::RolesInIdToken, Omission::Userinfo]);
    assert_eq!(after_a_refresh(&shop, &mut browser).await, "staff", "nobody knows better yet");
    assert_eq!(provider.refresh_count(), 1);
    provider.with_faults(|faults| faults.omits = vec![Omission::RolesInIdToken]);
    shop.clock.advance(60_001);
    assert_eq!(user(&mut browser).await["role"], "customer", "with the refresh token that came without roles");
    assert_eq!(provider.refresh_count(), 2);
}

async fn an_answer_that_comes_late_gives_no_role_back(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let (mut slow, mut quick) = (Browser::new(&shop), Browser::new(&shop));
    slow.sign_in("demo-admin").await;
    quick.sign_in("demo-admin").await;
    shop.clock.advance(TOKEN_MS + 1000);
    take_role_during(&shop, &provider, user(&mut slow), &mut quick).await;
    assert_eq!(provider.refresh_count(), 2);
    for browser in [&mut slow, &mut quick] {
        assert_eq!(user(browser).await["role"], "customer");
    }
}

/// What the provider says from now on, in ID tokens.
fn says(provider: &Provider, email: &str, is_verified: bool) {
    let said = vec![("email", json!(email)), ("email_verified", json!(is_verified))];
    provider.with_faults(|faults| faults.says = said);
}

/// Lets the access token expire; returns the account's email address, and whether it is verified.
async fn email_after_a_refresh(shop: &TestShop, browser: &mut Browser) -> Value {
    shop.clock.advance(TOKEN_MS + 1000);
    let me = browser.call("GET", "/api/me", Value::Null).await.assert_status(200).json();
    json!([me["email"], me["email_verified"]])
}

async fn an_email_address_is_read_again_at_each_refresh(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let boss = shop.sign_in("boss", &["admin"]).await;
    let found = async |typed: &str| {
        let list = shop.call("GET", &format!("/admin/users/_payload.json?q={typed}"), &boss, Value::Null).await;
        list.assert_status(200).json()["props"]["users"].as_array().unwrap().len()
    };
    let mut browser = Browser::new(&shop);
    says(&provider, "first@shop.example", false);
    browser.sign_in(SHOPPER).await;
    for (email, is_verified) in
        [("first@shop.example", true), ("second@shop.example", true), ("claimed@shop.example", false)]
    {
        says(&provider, email, is_verified);
        assert_eq!(email_after_a_refresh(&shop, &mut browser).await, json!([email, is_verified]));
        assert_eq!(found(email).await, 1, "{email}");
    }
    assert_eq!(found("first@shop.example").await, 0, "it is nobody's any more");
    says(&provider, "ada", true);
    assert_eq!(email_after_a_refresh(&shop, &mut browser).await, json!(["claimed@shop.example", false]));
    // From userinfo, if the ID token is missing.
    provider.with_faults(|faults| faults.omits = vec![Omission::IdTokenAtRefresh]);
    let known = "shopper@cardinal-and-briar.example";
    assert_eq!(email_after_a_refresh(&shop, &mut browser).await, json!([known, true]));
}

/// Each of its refreshes repeats what was said at the sign-in.
async fn an_older_session_brings_no_email_address_back(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let (mut former, mut newer) = (Browser::new(&shop), Browser::new(&shop));
    says(&provider, "first@shop.example", true);
    former.sign_in(SHOPPER).await;
    says(&provider, "second@shop.example", true);
    newer.sign_in(SHOPPER).await;
    says(&provider, "first@shop.example", true);
    assert_eq!(email_after_a_refresh(&shop, &mut former).await, json!(["second@shop.example", true]));
    // Nor from userinfo, which is asked for the roles.
    provider.with_faults(|faults| faults.omits = vec![Omission::RolesInIdToken]);
    assert_eq!(email_after_a_refresh(&shop, &mut former).await, json!(["second@shop.example", true]));
}

async fn an_answer_that_comes_late_brings_no_email_address_back(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let (mut slow, mut quick) = (Browser::new(&shop), Browser::new(&shop));
    says(&provider, "first@shop.example", true);
    slow.sign_in(SHOPPER).await;
    quick.sign_in(SHOPPER).await;
    shop.clock.advance(TOKEN_MS + 1000);
    says(&provider, "late@shop.example", true);
    change_email_during(&shop, &provider, user(&mut slow), &mut quick).await;
    assert_eq!(user(&mut slow).await["email"], "second@shop.example");
}

/// As [`take_role_during`], with the email address.
async fn change_email_during<T>(
    shop: &TestShop,
    provider: &Provider,
    slow: impl Future<Output = T>,
    quick: &mut Browser,
) {
    let (release, held) = oneshot::channel();
    provider.with_faults(|faults| faults.held_tokens = Some(held));
    tokio::join!(slow, async {
        until("the slow one is answered", async || provider.with_faults(|faults| faults.held_tokens.is_none())).await;
        says(provider, "second@shop.example", true);
        shop.clock.advance(1);
        assert_eq!(user(quick).await["email"], "second@shop.example");
        release.send(()).unwrap();
    });
}

async fn a_sign_in_that_takes_long_gives_no_role_back(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let (mut slow, mut quick) = (Browser::new(&shop), Browser::new(&shop));
    quick.sign_in("demo-admin").await;
    shop.clock.advance(TOKEN_MS + 1000);
    take_role_during(&shop, &provider, slow.sign_in("demo-admin"), &mut quick).await;
    assert_eq!(provider.refresh_count(), 1);
    for browser in [&mut slow, &mut quick] {
        assert_eq!(user(browser).await["role"], "customer");
    }
}

async fn a_sign_in_that_takes_long_brings_no_email_address_back(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let (mut slow, mut quick) = (Browser::new(&shop), Browser::new(&shop));
    says(&provider, "first@shop.example", false);
    quick.sign_in(SHOPPER).await;
    shop.clock.advance(TOKEN_MS + 1000);
    change_email_during(&shop, &provider, slow.sign_in(SHOPPER), &mut quick).await;
    let me = slow.call("GET", "/api/me", Value::Null).await.assert_status(200).json();
    assert_eq!((&me["email"], &me["email_verified"]), (&json!("second@shop.example"), &json!(true)));
}

/// The provider takes the role away after it has answered the slow one, and before the shop stores that answer. The quick one is refreshed
/// meanwhile.
async fn take_role_during<T>(shop: &TestShop, provider: &Provider, slow: impl Future<Output = T>, quick: &mut Browser) {
    let (release, held) = oneshot::channel();
    provider.with_faults(|faults| faults.held_tokens = Some(held));
    tokio::join!(slow, async {
        until("the slow one is answered", async || provider.with_faults(|faults| faults.held_tokens.is_none())).await;
        provider.set_roles("demo-admin", &["customer"]).await.unwrap();
        shop.clock.advance(1);
        assert_eq!(user(quick).await["role"], "customer");
        release.send(()).unwrap();
    });
}

async fn without_a_refresh_token_staff_sign_in_again(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    provider.with_faults(|faults| faults.omits = vec![Omission::RefreshToken]);
    let (mut staff, mut shopper) = (Browser::new(&shop), Browser::new(&shop));
    staff.sign_in("demo-staff").await;
    shopper.sign_in(SHOPPER).await;
    shop.clock.advance(TOKEN_MS - 1000);
    assert_eq!(user(&mut staff).await["role"], "staff");
    shop.clock.advance(2000);
    assert_eq!(user(&mut staff).await, Value::Null);
    assert_eq!(staff.session(), None, "the cookie is taken back");
    assert_eq!(user(&mut shopper).await["sub"], SHOPPER);
    // A user who becomes staff during such a session must sign in again as well.
    let id = service::find_session(&shop.app, shopper.session().unwrap()).await.unwrap().unwrap().user_id;
    let owner = shop.sign_in("owner", &["super_admin"]).await;
    let body = json!({ "role": "staff", "version": 0 });
    shop.call("PUT", &format!("/api/admin/users/{id}/role"), &owner, body).await.assert_status(204);
    shop.clock.advance(TOKEN_MS + 1000);
    assert_eq!(user(&mut shopper).await, Value::Null);
    assert_eq!(provider.refresh_count(), 0);
}

const MINUTE_MS: i64 = 60_000;

/// Whether the session behind the cookie goes on.
async fn is_signed_in(shop: &TestShop, cookie: &str) -> bool {
    shop.call("GET", "/api/me", cookie, Value::Null).await.status == 200
}

async fn sessions_of_staff_end_after_half_an_hour_without_use(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("packer", &["staff"]).await;
    for _ in 0..3 {
        shop.clock.advance(29 * MINUTE_MS);
        assert!(is_signed_in(&shop, &cookie).await);
    }
    shop.clock.advance(30 * MINUTE_MS);
    assert!(!is_signed_in(&shop, &cookie).await);
    // A customer who becomes staff is held to it at once.
    let cookie = shop.sign_in("promoted", &["customer"]).await;
    let id = service::find_session(&shop.app, &cookie["session=".len()..]).await.unwrap().unwrap().user_id;
    let owner = shop.sign_in("owner", &["super_admin"]).await;
    let body = json!({ "role": "admin", "version": 0 });
    shop.call("PUT", &format!("/api/admin/users/{id}/role"), &owner, body).await.assert_status(204);
    assert!(is_signed_in(&shop, &cookie).await);
    let other = shop.sign_in("promoted", &["customer"]).await;
    shop.clock.advance(20 * MINUTE_MS);
    assert!(is_signed_in(&shop, &other).await);
    shop.clock.advance(11 * MINUTE_MS);
    // The unused one is over, although no request has found that out.
    let owner = shop.sign_in("owner", &["super_admin"]).await;
    let listed = shop.call("GET", "/api/me/sessions", &other, Value::Null).await.assert_status(200).json();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    let seen = shop.call("GET", &format!("/admin/users/{id}"), &owner, Value::Null).await.envelope();
    assert_eq!(seen["props"]["sessions"].as_array().unwrap().len(), 1);
    assert!(!is_signed_in(&shop, &cookie).await);
    // Whoever signed in while the clock was ahead is held to it from the first request after that.
    shop.clock.advance(5 * 60 * MINUTE_MS);
    let cookie = shop.sign_in("early", &["staff"]).await;
    shop.clock.advance(-5 * 60 * MINUTE_MS);
    assert!(is_signed_in(&shop, &cookie).await);
    shop.clock.advance(31 * MINUTE_MS);
    assert!(!is_signed_in(&shop, &cookie).await);
}

/// One clock is almost a minute ahead, and the other one as much behind.
async fn nodes_whose_clocks_are_right_correct_no_session(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("between-nodes", &["staff"]).await;
    let token = &cookie["session=".len()..];
    let seen_at = async || service::find_session(&shop.app, token).await.unwrap().unwrap().seen_at;
    let before = seen_at().await;
    shop.clock.advance(-110_000);
    assert_eq!(seen_at().await, before);
}

async fn open_pages_do_not_keep_sessions_of_staff(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("away", &["staff"]).await;
    for minute in 0..=30 {
        if minute % 5 == 0 {
            let event = json!({ "type": "session_activity", "session_duration": 300 });
            shop.call("POST", "/api/me/activity", &cookie, event).await.assert_status(202);
        }
        let overview = shop.call("GET", "/api/admin/overview", &cookie, Value::Null).await;
        let status = if minute < 30 { 200 } else { 401 };
        overview.assert_status(status);
        // The network is back, or a link in an email is waited for.
        shop.call("GET", "/api/cart", &cookie, Value::Null).await.assert_status(status);
        let cart = json!({ "items": [], "base": [], "promo_code": null });
        shop.call("POST", "/api/cart/sync", &cookie, cart).await.assert_status(status);
        let checkout = format!("/api/checkout/{}", uuid::Uuid::now_v7());
        shop.call("GET", &checkout, &cookie, Value::Null).await.assert_status(404);
        shop.clock.advance(MINUTE_MS);
    }
    assert!(!is_signed_in(&shop, &cookie).await);
}

async fn sessions_of_staff_end_after_half_a_day(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("worker", &["super_admin"]).await;
    for _ in 0..35 {
        shop.clock.advance(20 * MINUTE_MS);
        assert!(is_signed_in(&shop, &cookie).await);
    }
    shop.clock.advance(20 * MINUTE_MS);
    assert!(!is_signed_in(&shop, &cookie).await);
}

async fn customers_stay_signed_in(shop: TestShop) {
    const DAY_MS: i64 = 24 * 60 * MINUTE_MS;
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("regular", &["customer"]).await;
    for _ in 0..2 {
        shop.clock.advance(13 * DAY_MS);
        assert!(is_signed_in(&shop, &cookie).await);
    }
    shop.clock.advance(5 * DAY_MS);
    assert!(!is_signed_in(&shop, &cookie).await, "no session lasts longer than 30 days");
    let cookie = shop.sign_in("regular", &["customer"]).await;
    shop.clock.advance(14 * DAY_MS);
    assert!(!is_signed_in(&shop, &cookie).await);
}

async fn an_account_has_so_many_sessions_and_no_more(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let other = shop.sign_in("other", &["customer"]).await;
    let mut cookies = Vec::new();
    for _ in 0..=MOST_SESSIONS {
        shop.clock.advance(1);
        cookies.push(shop.sign_in("busy", &["customer"]).await);
    }
    assert!(!is_signed_in(&shop, &cookies[0]).await, "the oldest one is over");
    let listed = shop.call("GET", "/api/me/sessions", &cookies[1], Value::Null).await.assert_status(200).json();
    assert_eq!(listed.as_array().unwrap().len(), usize::try_from(MOST_SESSIONS).unwrap());
    // What is used stays.
    shop.clock.advance(6 * MINUTE_MS);
    assert!(is_signed_in(&shop, &cookies[1]).await);
    shop.sign_in("busy", &["customer"]).await;
    assert!(is_signed_in(&shop, &cookies[1]).await && !is_signed_in(&shop, &cookies[2]).await);
    assert!(is_signed_in(&shop, &other).await);
}

async fn staff_use_the_methods_that_are_required(shop: TestShop) {
    let words = |text: &str| vec![text.to_owned()];
    let (shop, _provider) = shop_with_provider_and(shop.database, |identity| {
        identity.staff_methods = words(METHOD);
        identity.confirm_methods = words("hardware");
    })
    .await;
    let mut browser = Browser::new(&shop);
    browser.sign_in("demo-admin").await;
    browser.get("/admin/settings/company").await.assert_status(200);
    browser.get("/api/admin/users.csv").await.assert_problem(403, "weak_sign_in");
    let confirm = browser.begin("/auth/login?confirm=1").await;
    let asked: std::collections::HashMap<_, _> = confirm.query_pairs().collect();
    assert_eq!(asked["acr_values"], format!("hardware {METHOD}"));
    // Who is on the way to the admin area is asked at once.
    let mut guest = Browser::new(&shop);
    for (path, methods) in [("/admin/overview", Some(METHOD)), ("/account", None)] {
        let to = guest.get(path).await.assert_status(303).header("location").to_owned();
        let authorize = guest.begin(&to).await;
        let asked: std::collections::HashMap<_, _> = authorize.query_pairs().collect();
        assert_eq!(asked.get("acr_values").map(|value| &**value), methods, "{path}");
        assert!(!asked.contains_key("prompt"), "{path}");
    }
    // A session that came about without the provider's word for how.
    let cookie = shop.sign_in("somehow", &["super_admin"]).await;
    shop.call("GET", "/api/admin/overview", &cookie, Value::Null).await.assert_problem(403, "weak_sign_in");
    let page = shop.call("GET", "/admin/overview", &cookie, Value::Null).await;
    assert!(page.assert_status(403).text().contains("second factor"));
    let again = "href=\"/auth/login?confirm=1&amp;return_to=%2Fadmin%2Foverview\"";
    assert!(page.root().contains(again) && !page.root().contains("another account"), "{}", page.root());
    shop.clock.advance(16 * MINUTE_MS);
    let page = shop.call("GET", "/admin/overview?days=7", &cookie, Value::Null).await;
    let location = page.assert_status(303).header("location");
    assert_eq!(location, "/auth/login?confirm=1&return_to=%2Fadmin%2Foverview%3Fdays%3D7");
}

async fn signing_out_ends_both_sessions(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    let token = browser.session().unwrap().to_owned();
    let forged = Request::post("/auth/logout")
        .header(header::COOKIE, browser.cookie_line())
        .header("sec-fetch-site", "cross-site")
        .body(Body::empty())
        .unwrap();
    shop.send(forged).await.assert_status(403);
    // Browsers leave out the cookie then, and would still delete it if they were told to.
    let forged = shop.form("/auth/logout", "", "cross-site", &[]).await;
    assert!(!forged.assert_status(403).headers.contains_key(header::SET_COOKIE));
    let location = browser.sign_out().await;
    assert!(location.starts_with(&format!("{}/end-session?", provider_issuer(&shop))), "{location}");
    assert!(location.contains("id_token_hint=") && location.contains("post_logout_redirect_uri="));
    assert_eq!(browser.session(), None);
    assert!(service::find_session(&shop.app, &token).await.unwrap().is_none());
    assert_eq!(browser.authorize(&location.parse().unwrap()).await.as_deref(), Some("/?"));
    let again = browser.begin("/auth/login").await;
    assert_eq!(browser.authorize(&again).await, None, "the provider asks who it is");
}

async fn signing_out_after_the_session_has_ended_ends_that_of_the_provider(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    let session = service::find_session(&shop.app, browser.session().unwrap()).await.unwrap().unwrap();
    assert!(service::end_session(&shop.app, session.user_id, session.id).await.unwrap());
    let location = browser.sign_out().await;
    assert!(location.starts_with(&format!("{}/end-session?", provider_issuer(&shop))), "{location}");
    assert_eq!(browser.session(), None);
    assert_eq!(browser.authorize(&location.parse().unwrap()).await.as_deref(), Some("/?"));
    let again = browser.begin("/auth/login").await;
    assert_eq!(browser.authorize(&again).await, None, "the provider asks who it is");
    let guest = browser.call("POST", "/auth/logout", Value::Null).await;
    assert_eq!(guest.assert_status(303).header("location"), "/");
}

async fn the_back_channel_ends_sessions(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let post = async |token: &str| {
        let body = format!("logout_token={token}");
        shop.post("/auth/backchannel-logout", "application/x-www-form-urlencoded", body).await
    };
    let now = shop.app.clock.now_ms() / 1000;
    let good = json!({
        "iss": provider_issuer(&shop), "aud": CLIENT_ID, "sub": SHOPPER, "iat": now, "exp": now + 120, "jti": "1",
        "events": { "http://schemas.openid.net/event/backchannel-logout": {} },
    });
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    for (field, value) in [
        ("iss", json!("https://evil.example")),
        ("aud", json!("another")),
        ("exp", json!(now - 100)),
        ("iat", json!(now - 3600)),
        ("nonce", json!("n")),
        ("events", json!({})),
        ("sub", Value::Null),
        ("jti", Value::Null),
    ] {
        let mut claims = good.clone();
        claims[field] = value;
        let token = provider.sign("logout+jwt", &claims).await.unwrap();
        post(&token).await.assert_status(400);
    }
    let id_token = service::find_tokens(&shop.app, &shop.app.parts.identity, session_id(&shop, &browser).await)
        .await
        .unwrap()
        .unwrap()
        .id_token;
    post(&id_token).await.assert_status(400);
    post("no-token").await.assert_status(400);
    assert_eq!(user(&mut browser).await["sub"], SHOPPER, "nothing of that counted");
    // First one session at the provider, then all of the user's sessions.
    let mut other = Browser::new(&shop);
    other.sign_in(SHOPPER).await;
    let sid = claims_of(&id_token)["sid"].as_str().unwrap().to_owned();
    let token = provider.logout_token(SHOPPER, Some(&sid)).await.unwrap();
    post(&token).await.assert_status(200);
    assert_eq!(user(&mut browser).await, Value::Null);
    assert_eq!(user(&mut other).await["sub"], SHOPPER);
    browser.sign_in(SHOPPER).await;
    post(&token).await.assert_status(400);
    assert_eq!(user(&mut browser).await["sub"], SHOPPER, "a token counts once");
    post(&provider.logout_token(SHOPPER, None).await.unwrap()).await.assert_status(200);
    assert_eq!(user(&mut browser).await, Value::Null);
    assert_eq!(user(&mut other).await, Value::Null);
    // It is sent once, also by a provider whose clock is ahead by less than a minute.
    browser.sign_in(SHOPPER).await;
    let mut early = good;
    early["iat"] = json!(now + 55);
    post(&provider.sign("logout+jwt", &early).await.unwrap()).await.assert_status(200);
    assert_eq!(user(&mut browser).await, Value::Null);
}
