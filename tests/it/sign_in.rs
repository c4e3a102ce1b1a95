//! Sign-in with a real provider over real sockets, and all attacks and errors that must fail.

use axum::body::Body;
use axum::http::{Request, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use shop_base::security;
use shop_demo::identity::{CLIENT_ID, METHOD, Omission, Wrong};
use shop_domain::identity::service;
use uuid::Uuid;

use crate::support::{Answer, Browser, Test, TestShop, shop_with_provider, shop_with_provider_and};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_visitor_signs_in_and_returns_to_the_plain_path,
    every_sign_in_gets_a_new_session,
    tokens_are_sealed_and_stay_on_the_server,
    an_answer_that_does_not_hold_is_refused,
    another_state_is_refused_unless_signed_in,
    sign_ins_in_several_tabs_all_end_well,
    a_popup_that_comes_back_to_nothing_tells_its_opener,
    a_browser_has_four_sign_ins_at_most,
    a_script_that_was_too_late_signs_nobody_out,
    a_sign_in_takes_ten_minutes_at_most,
    no_address_of_the_shop_leads_elsewhere_after_sign_in,
    a_code_works_once,
    a_refusal_is_told_once_and_kept_nowhere,
    new_keys_are_fetched_when_they_are_needed,
    without_the_provider_the_shop_goes_on,
    without_settings_sign_in_is_off,
    signing_up_asks_for_a_new_account,
    credentials_can_be_asked_for_again,
    a_popup_gets_a_page_that_tells_its_opener,
    twenty_requests_refresh_once,
    a_reused_refresh_token_ends_the_session,
    a_network_error_keeps_the_session,
    roles_are_read_again_at_each_refresh,
    roles_that_could_not_be_read_are_asked_for_again,
    without_a_refresh_token_staff_sign_in_again,
    sessions_of_staff_end_after_half_an_hour_without_use,
    sessions_of_staff_end_after_half_a_day,
    customers_stay_signed_in,
    staff_use_the_methods_that_are_required,
    signing_out_ends_both_sessions,
    the_back_channel_ends_sessions,
    access_tokens_are_taken_and_id_tokens_are_not,
    the_account_page_leads_to_sign_in_and_back,
];

const SHOPPER: &str = "demo-shopper";
const TOKEN_MS: i64 = 300_000;

async fn user(browser: &mut Browser) -> Value {
    let answer = browser.get("/cart/_payload.json").await;
    answer.assert_status(200).json()["shared"]["user"].clone()
}

/// The notice that the next page shows.
async fn notice(browser: &mut Browser) -> Value {
    browser.get("/cart/_payload.json").await.json()["shared"]["notice"]["summary"].clone()
}

async fn session_id(shop: &TestShop, browser: &Browser) -> Uuid {
    service::find_session(&shop.app, browser.session().unwrap()).await.unwrap().unwrap().id
}

/// The number of sign-ins that the browser has started.
fn flows(browser: &Browser) -> usize {
    browser.cookies.keys().filter(|name| name.starts_with("sign-in-")).count()
}

fn assert_refused(answer: &Answer, browser: &Browser) {
    assert_eq!(answer.assert_status(303).header("location"), "/products?q=pipe");
    assert_eq!(browser.session(), None);
}

async fn a_visitor_signs_in_and_returns_to_the_plain_path(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    let authorize = browser.begin("/auth/login?return_to=%2Fproducts%3Fq%3Dpipe").await;
    let asked: std::collections::HashMap<_, _> = authorize.query_pairs().collect();
    assert_eq!(asked["scope"], "openid profile email offline_access");
    assert_eq!((asked["response_type"].as_ref(), asked["code_challenge_method"].as_ref()), ("code", "S256"));
    assert!(asked["state"].len() >= 16 && asked["nonce"].len() >= 16);
    assert!(!browser.cookie_line().contains(asked["state"].as_ref()), "the flow is sealed");
    let callback = browser.choose(&authorize, &[("account", SHOPPER)]).await;
    let answer = browser.get(&callback).await;
    assert_eq!(answer.assert_status(303).header("location"), "/products?q=pipe");
    let lines: Vec<_> = answer.headers.get_all(header::SET_COOKIE).iter().map(|line| line.to_str().unwrap()).collect();
    let session = lines.iter().find(|line| line.starts_with("session=")).unwrap();
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(session.contains(attribute), "{attribute} in {session}");
    }
    let expected = json!({
        "name": "Sample Shopper", "email": "shopper@cardinal-and-briar.example", "sub": SHOPPER, "role": "customer",
        "initials": "SS",
    });
    assert_eq!(user(&mut browser).await, expected);
    assert_eq!(flows(&browser), 0, "the flow is over");
}

async fn every_sign_in_gets_a_new_session(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    let first = browser.session().unwrap().to_owned();
    browser.sign_in("demo-admin").await;
    assert_ne!(browser.session().unwrap(), first);
    assert_eq!(user(&mut browser).await["role"], "admin");
    assert!(service::find_session(&shop.app, &first).await.unwrap().is_none(), "the old token is worth nothing");
}

async fn tokens_are_sealed_and_stay_on_the_server(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    let id = session_id(&shop, &browser).await;
    let tokens = service::find_tokens(&shop.app, &shop.app.parts.identity, id).await.unwrap().unwrap();
    let refresh_token = tokens.refresh_token.unwrap();
    let mut reader = shop.app.db.read().await.unwrap();
    let kept: Vec<u8> =
        shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar("SELECT tokens FROM sessions WHERE id = $1")
        .bind(id).fetch_one(c).await)
        .unwrap();
    assert!(!kept.windows(8).any(|window| refresh_token.as_bytes().starts_with(window)));
    assert!(!browser.cookie_line().contains(&refresh_token));
    let page = browser.get("/products").await;
    for secret in [&refresh_token, &tokens.id_token, browser.session().unwrap()] {
        assert!(!page.text().contains(secret));
    }
}

async fn an_answer_that_does_not_hold_is_refused(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    for wrong in [
        Wrong::Nonce,
        Wrong::Issuer,
        Wrong::Audience,
        Wrong::Algorithm,
        Wrong::Signature,
        Wrong::Expiry,
        Wrong::AccessTokenHash,
    ] {
        let mut browser = Browser::new(&shop);
        provider.with_faults(|faults| faults.wrong = Some(wrong));
        let answer = browser.sign_in(SHOPPER).await;
        assert!(provider.with_faults(|faults| faults.wrong.is_none()), "{wrong:?} happened");
        assert_refused(&answer, &browser);
        assert_eq!(notice(&mut browser).await, "Sign-in didn’t work. Please try again.", "{wrong:?}");
        assert_eq!(user(&mut browser).await, Value::Null);
    }
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    assert_eq!(user(&mut browser).await["sub"], SHOPPER, "the same without a fault");
}

async fn another_state_is_refused_unless_signed_in(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    let authorize = browser.begin("/auth/login?return_to=%2Fcart").await;
    let callback = browser.choose(&authorize, &[("account", SHOPPER)]).await;
    let (before, _) = callback.split_once("state=").unwrap();
    let forged = format!("{before}state=another");
    assert_eq!(browser.get(&forged).await.assert_status(303).header("location"), "/");
    assert_eq!(browser.session(), None);
    assert_eq!(notice(&mut browser).await, "Sign-in didn’t work. Please try again.");
    // An attacker's code and state: this browser did not start that flow.
    let mut attacker = Browser::new(&shop);
    let authorize = attacker.begin("/auth/login").await;
    let stolen = attacker.choose(&authorize, &[("account", "demo-admin")]).await;
    browser.begin("/auth/login").await;
    browser.get(&stolen).await.assert_status(303);
    assert_eq!(browser.session(), None);
    // A response of another provider with the right state.
    let mixed = callback_with(&mut Browser::new(&shop), |callback| {
        callback.replace(
            &*form_urlencoded::byte_serialize(provider_issuer(&shop).as_bytes()).collect::<String>(),
            "https%3A%2F%2Fevil.example",
        )
    })
    .await;
    assert!(mixed, "an answer in another issuer's name is refused");
    assert_eq!(provider.refresh_count(), 0);
    // A signed-in user stays signed in.
    browser.cookies.clear();
    browser.sign_in(SHOPPER).await;
    let answer = browser.get("/auth/callback?code=x&state=another").await;
    assert_eq!(answer.assert_status(303).header("location"), "/");
    assert_eq!(notice(&mut browser).await, Value::Null);
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
}

async fn sign_ins_in_several_tabs_all_end_well(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    for order in [[0, 1], [1, 0]] {
        let mut browser = Browser::new(&shop);
        let paths = ["/cart", "/products"];
        let mut callbacks = Vec::new();
        for path in paths {
            let authorize = browser.begin(&format!("/auth/login?return_to={path}")).await;
            callbacks.push(browser.choose(&authorize, &[("account", SHOPPER)]).await);
        }
        for tab in order {
            // A callback with an unknown state does not disturb the others.
            browser.get("/auth/callback?code=x&state=another").await.assert_status(303);
            let answer = browser.get(&callbacks[tab]).await;
            assert_eq!(answer.assert_status(303).header("location"), paths[tab]);
            let shared = browser.get("/cart/_payload.json").await.json()["shared"].clone();
            assert_eq!((&shared["user"]["sub"], &shared["notice"]), (&json!(SHOPPER), &Value::Null));
        }
        assert_eq!(flows(&browser), 0);
    }
    // A popup and a redirect, one of which is canceled.
    let mut browser = Browser::new(&shop);
    let popup = browser.begin("/auth/login?popup=0123-abcd").await;
    let redirect = browser.begin("/auth/login?return_to=/cart").await;
    let canceled = browser.choose(&redirect, &[("cancel", "1")]).await;
    browser.get(&canceled).await.assert_status(303);
    let callback = browser.choose(&popup, &[("account", SHOPPER)]).await;
    assert!(browser.get(&callback).await.text().contains("data-id=\"0123-abcd\" data-ok=\"true\""));
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
}

async fn a_popup_that_comes_back_to_nothing_tells_its_opener(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    let authorize = browser.begin("/auth/login?popup=0123-abcd").await;
    let callback = browser.choose(&authorize, &[("account", SHOPPER)]).await;
    shop.clock.advance(10 * 60 * 1000);
    let page = browser.get(&callback).await;
    // The opener then falls back to the redirect.
    assert!(page.assert_status(200).text().contains("data-id=\"0123-abcd\" data-ok=\"false\" data-reason=\"failed\""));
    assert_eq!(browser.session(), None);
    browser.sign_in(SHOPPER).await;
    let page = browser.get(&callback).await;
    assert!(page.text().contains("data-id=\"0123-abcd\" data-ok=\"true\""), "signed in in another tab");
    browser.get("/auth/callback?state=x.%22%3E%3Cscript%3E").await.assert_status(303);
}

async fn a_browser_has_four_sign_ins_at_most(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    let mut begun = Vec::new();
    for _ in 0..6 {
        begun.push(browser.begin("/auth/login").await);
        shop.clock.advance(1000);
    }
    assert_eq!(flows(&browser), 4);
    for (authorize, works) in begun.iter().zip([false, false, true, true, true, true]) {
        let mut tab = Browser::new(&shop);
        tab.cookies = browser.cookies.clone();
        let callback = tab.choose(authorize, &[("account", SHOPPER)]).await;
        tab.get(&callback).await.assert_status(303);
        assert_eq!(tab.session().is_some(), works);
    }
}

async fn a_script_that_was_too_late_signs_nobody_out(shop: TestShop) {
    for (dest, keeps) in [("empty", true), ("document", false)] {
        let request = Request::get("/cart")
            .header(header::COOKIE, "session=over")
            .header("sec-fetch-dest", dest)
            .body(Body::empty())
            .unwrap();
        let answer = shop.send(request).await;
        assert_eq!(answer.assert_status(200).headers.contains_key(header::SET_COOKIE), !keeps, "{dest}");
    }
}

fn provider_issuer(shop: &TestShop) -> String {
    shop.app.config.identity.as_ref().unwrap().issuer.clone()
}

/// Whether the modified callback is rejected.
async fn callback_with(browser: &mut Browser, change: impl Fn(String) -> String) -> bool {
    let authorize = browser.begin("/auth/login").await;
    let callback = browser.choose(&authorize, &[("account", SHOPPER)]).await;
    let changed = change(callback.clone());
    assert_ne!(changed, callback);
    browser.get(&changed).await.assert_status(303);
    browser.session().is_none()
}

async fn a_sign_in_takes_ten_minutes_at_most(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    let authorize = browser.begin("/auth/login").await;
    shop.clock.advance(10 * 60 * 1000);
    let callback = browser.choose(&authorize, &[("account", SHOPPER)]).await;
    browser.get(&callback).await.assert_status(303);
    assert_eq!(browser.session(), None);
}

async fn no_address_of_the_shop_leads_elsewhere_after_sign_in(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let page = shop.get_verified("//evil.example/x").await;
    assert_eq!(page.assert_status(404).envelope()["shared"]["sign_in_href"], "/auth/login?return_to=%2F");
}

async fn a_code_works_once(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    let authorize = browser.begin("/auth/login").await;
    let flow = browser.cookies.clone();
    let callback = browser.choose(&authorize, &[("account", SHOPPER)]).await;
    browser.get(&callback).await.assert_status(303);
    let mut thief = Browser::new(&shop);
    thief.cookies = flow;
    thief.get(&callback).await.assert_status(303);
    assert_eq!(thief.session(), None);
    assert_eq!(notice(&mut thief).await, "Sign-in didn’t work. Please try again.");
    // The provider has revoked the tokens issued for that code, so the session ends at its next refresh.
    shop.clock.advance(TOKEN_MS + 1000);
    assert_eq!(user(&mut browser).await, Value::Null);
}

async fn a_refusal_is_told_once_and_kept_nowhere(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    let authorize = browser.begin("/auth/login?return_to=%2Fproducts").await;
    let callback = browser.choose(&authorize, &[("cancel", "1")]).await;
    assert!(callback.contains("error=access_denied"));
    assert_eq!(browser.get(&callback).await.assert_status(303).header("location"), "/products");
    let told = browser.get("/products").await;
    assert_eq!(told.envelope()["shared"]["notice"], json!({ "severity": "info", "summary": "Sign-in was canceled." }));
    assert!(told.header("cache-control").contains("no-store"));
    let after = browser.get("/products").await;
    assert_eq!(after.envelope()["shared"]["notice"], Value::Null);
    assert_eq!(shop.get("/products").await.envelope()["shared"]["notice"], Value::Null);
}

async fn new_keys_are_fetched_when_they_are_needed(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    Browser::new(&shop).sign_in(SHOPPER).await;
    provider.rotate_keys().await.unwrap();
    let mut hasty = Browser::new(&shop);
    hasty.sign_in(SHOPPER).await;
    assert_eq!(hasty.session(), None, "keys are fetched at most every 10 s");
    shop.clock.advance(10_001);
    let mut browser = Browser::new(&shop);
    browser.sign_in(SHOPPER).await;
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
}

async fn without_the_provider_the_shop_goes_on(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let mut signed_in = Browser::new(&shop);
    signed_in.sign_in(SHOPPER).await;
    provider.with_faults(|faults| faults.down = true);
    // The provider's metadata is cached for an hour.
    shop.clock.advance(3_600_001);
    assert_eq!(user(&mut signed_in).await["sub"], SHOPPER);
    let fresh = TestShop::with(shop.database, |config| config.identity = shop.app.config.identity.clone()).await;
    let mut browser = Browser::new(&fresh);
    let answer = browser.get("/auth/login?return_to=%2Fproducts").await;
    assert_eq!(answer.assert_status(303).header("location"), "/products");
    assert!(notice(&mut browser).await.as_str().unwrap().starts_with("Sign-in isn’t available"));
    browser.get("/products").await.assert_status(200);
    provider.with_faults(|faults| faults.down = false);
    fresh.clock.advance(10_001);
    assert!(browser.begin("/auth/login").await.as_str().starts_with(&provider_issuer(&fresh)));
}

async fn without_settings_sign_in_is_off(shop: TestShop) {
    let shop = TestShop::with(shop.database, |config| config.identity = None).await;
    assert_eq!(shop.get("/").await.envelope()["shared"]["sign_in_href"], Value::Null);
    assert!(!shop.get_verified("/").await.text().contains("/auth/login"));
    let mut browser = Browser::new(&shop);
    assert_eq!(browser.get("/auth/login?return_to=%2Fcart").await.assert_status(303).header("location"), "/cart");
    assert!(notice(&mut browser).await.as_str().unwrap().starts_with("Sign-in isn’t available"));
    assert_eq!(shop.get("/account").await.assert_status(303).header("location"), "/");
}

async fn signing_up_asks_for_a_new_account(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    let authorize = browser.begin("/auth/signup?return_to=%2F%2Fevil.example").await;
    assert!(authorize.query_pairs().any(|pair| pair == ("prompt".into(), "create".into())));
    let callback = browser.choose(&authorize, &[("name", "Nova Quill"), ("email", "nova@shop.example")]).await;
    assert_eq!(browser.get(&callback).await.assert_status(303).header("location"), "/", "never to another host");
    assert_eq!(user(&mut browser).await["name"], "Nova Quill");
}

async fn credentials_can_be_asked_for_again(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.sign_in("demo-admin").await;
    let fresh = async |browser: &Browser| {
        let row = service::find_session(&shop.app, browser.session().unwrap()).await.unwrap().unwrap();
        shop_domain::identity::model::Session::from(row).is_fresh(shop.app.clock.now_ms())
    };
    assert!(fresh(&browser).await);
    shop.clock.advance(15 * 60 * 1000 + 1000);
    assert!(!fresh(&browser).await);
    let again = browser.begin("/auth/login").await;
    let callback = browser.authorize(&again).await.expect("the provider still knows this browser");
    browser.get(&callback).await.assert_status(303);
    assert!(!fresh(&browser).await, "a new session is no proof that somebody is there");
    let confirm = browser.begin("/auth/login?confirm=1").await;
    assert_eq!(browser.authorize(&confirm).await, None, "the provider asks");
    let callback = browser.choose(&confirm, &[("account", "demo-admin")]).await;
    browser.get(&callback).await.assert_status(303);
    assert!(fresh(&browser).await);
}

async fn a_popup_gets_a_page_that_tells_its_opener(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    let authorize = browser.begin("/auth/login?popup=0123-abcd&return_to=%2F").await;
    let callback = browser.choose(&authorize, &[("account", SHOPPER)]).await;
    let page = browser.get(&callback).await;
    assert!(page.assert_status(200).text().contains("data-id=\"0123-abcd\" data-ok=\"true\""));
    assert!(page.text().contains("src=\"/auth/popup.js\"") && !page.text().contains("code="));
    assert!(browser.session().is_some());
    assert!(shop.get("/auth/popup.js").await.assert_status(200).text().contains("location.origin"));
    let mut browser = Browser::new(&shop);
    let authorize = browser.begin("/auth/login?popup=0123-abcd").await;
    let callback = browser.choose(&authorize, &[("cancel", "1")]).await;
    assert!(browser.get(&callback).await.text().contains("data-ok=\"false\" data-reason=\"canceled\""));
    // An invalid id starts an ordinary sign-in and is not inserted into HTML.
    let authorize = browser.begin("/auth/login?popup=%22%3E%3Cscript%3E").await;
    let callback = browser.choose(&authorize, &[("account", SHOPPER)]).await;
    browser.get(&callback).await.assert_status(303);
    provider.with_faults(|faults| faults.down = true);
}

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
    shop.clock.advance(31 * MINUTE_MS);
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
    // A session that came about without the provider's word for how.
    let cookie = shop.sign_in("somehow", &["super_admin"]).await;
    shop.call("GET", "/api/admin/overview", &cookie, Value::Null).await.assert_problem(403, "weak_sign_in");
    let page = shop.call("GET", "/admin/overview", &cookie, Value::Null).await;
    assert!(page.assert_status(403).text().contains("second factor"));
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
    let answer = browser.call("POST", "/auth/logout", Value::Null).await;
    let location = answer.assert_status(303).header("location").to_owned();
    assert!(location.starts_with(&format!("{}/end-session?", provider_issuer(&shop))), "{location}");
    assert!(location.contains("id_token_hint=") && location.contains("post_logout_redirect_uri="));
    assert_eq!(browser.session(), None);
    assert!(service::find_session(&shop.app, &token).await.unwrap().is_none());
    assert_eq!(browser.authorize(&location.parse().unwrap()).await.as_deref(), Some("/?"));
    let again = browser.begin("/auth/login").await;
    assert_eq!(browser.authorize(&again).await, None, "the provider asks who it is");
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
}

fn claims_of(token: &str) -> Value {
    let payload = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap()
}

async fn access_tokens_are_taken_and_id_tokens_are_not(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let call = async |token: &str| {
        let request = Request::patch("/api/me")
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(r#"{"name":"By Token"}"#))
            .unwrap();
        shop.send(request).await
    };
    let now = shop.app.clock.now_ms() / 1000;
    let good = json!({
        "iss": provider_issuer(&shop), "aud": "shop-api", "sub": "caller", "iat": now, "exp": now + 300,
        "roles": ["staff"],
    });
    let signed = async |claims: &Value| provider.sign("at+jwt", claims).await.unwrap();
    let token = signed(&good).await;
    let answer = call(&token).await;
    assert_eq!(answer.assert_status(200).json()["role"], "staff", "no cookie, so no check of the origin");
    for (field, value) in [
        ("iss", json!("https://evil.example")),
        ("aud", json!("another")),
        ("aud", json!(CLIENT_ID)),
        ("aud", json!(["shop-api", CLIENT_ID])),
        ("exp", json!(now - 100)),
        ("exp", Value::Null),
        ("nbf", json!(now + 3600)),
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

async fn the_account_page_leads_to_sign_in_and_back(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    let answer = browser.get("/account").await;
    assert_eq!(answer.assert_status(303).header("location"), "/auth/login?return_to=%2Faccount");
    browser.get("/account/_payload.json").await.assert_status(401);
    let authorize = browser.begin("/auth/login?return_to=%2Faccount").await;
    let callback = browser.choose(&authorize, &[("account", SHOPPER)]).await;
    assert_eq!(browser.get(&callback).await.assert_status(303).header("location"), "/account");
    let page = browser.get("/account").await;
    assert_eq!(page.assert_status(200).envelope()["props"]["me"]["email"], "shopper@cardinal-and-briar.example");
    assert!(page.root().contains("Sample Shopper"));
    // Email address, password and connected accounts are managed at the provider.
    let account = format!("{}/account", provider_issuer(&shop));
    assert!(page.root().contains(&format!("href=\"{account}\"")));
    let answer = reqwest::get(account).await.unwrap();
    assert!(answer.text().await.unwrap().contains("You are not signed in here."));
}
