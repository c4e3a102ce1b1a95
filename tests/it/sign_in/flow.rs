//! From the button to the account and back, and all attacks and errors that must fail.

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};
use shop_base::clock::CLOCK_SKEW;
use shop_base::security;
use shop_demo::identity::{CLIENT_ID, Omission, Wrong};
use shop_domain::identity::service;

use super::{SHOPPER, TOKEN_MS, assert_refused, flows, notice, provider_issuer, session_id, user};
use crate::support::{Browser, Test, TestShop, shop_with_provider, shop_with_provider_and};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_visitor_signs_in_and_returns_to_the_plain_path,
    every_sign_in_gets_a_new_session,
    tokens_are_sealed_and_stay_on_the_server,
    an_answer_that_does_not_hold_is_refused,
    claims_in_text_are_read,
    a_sign_in_goes_on_without_a_name,
    a_name_of_the_provider_can_be_shown_and_stored,
    tokens_for_several_audiences_hold_if_all_are_trusted,
    a_scope_that_the_provider_does_not_know_is_not_asked_for,
    another_state_is_refused_unless_signed_in,
    sign_ins_in_several_tabs_all_end_well,
    a_popup_that_comes_back_to_nothing_tells_its_opener,
    a_browser_has_four_sign_ins_at_most,
    a_script_that_was_too_late_signs_nobody_out,
    a_sign_in_takes_ten_minutes_at_most,
    a_sign_in_may_end_at_a_node_whose_clock_is_behind,
    no_address_of_the_shop_leads_elsewhere_after_sign_in,
    a_code_works_once,
    a_refusal_is_told_once_and_kept_nowhere,
    codes_of_the_provider_become_a_notice,
    new_keys_are_fetched_when_they_are_needed,
    without_the_provider_the_shop_goes_on,
    without_settings_sign_in_is_off,
    signing_up_asks_for_a_new_account,
    credentials_can_be_asked_for_again,
    a_popup_gets_a_page_that_tells_its_opener,
    the_account_page_leads_to_sign_in_and_back,
];

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
        Wrong::FurtherAudience,
        Wrong::Algorithm,
        Wrong::Signature,
        Wrong::Expiry,
        Wrong::AccessTokenHash,
        Wrong::Time,
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

async fn claims_in_text_are_read(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    // Without roles in the ID token userinfo is asked, too.
    for omits in [vec![], vec![Omission::RolesInIdToken]] {
        provider.with_faults(|faults| {
            faults.text_claims = true;
            faults.omits = omits;
        });
        let mut browser = Browser::new(&shop);
        browser.sign_in("demo-staff").await;
        let me = browser.call("GET", "/api/me", Value::Null).await.assert_status(200).json();
        assert_eq!((&me["email_verified"], &me["role"]), (&json!(true), &json!("staff")));
        let before = provider.refresh_count();
        shop.clock.advance(TOKEN_MS + 1000);
        assert_eq!(user(&mut browser).await["role"], "staff");
        assert_eq!(provider.refresh_count(), before + 1);
        let id = session_id(&shop, &browser).await;
        let tokens = service::find_tokens(&shop.app, &shop.app.parts.identity, id).await.unwrap().unwrap();
        assert!(tokens.refresh_at.unwrap() > shop.app.clock.now_ms() + TOKEN_MS / 2, "the answer was read");
    }
}

async fn a_sign_in_goes_on_without_a_name(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    provider.with_faults(|faults| faults.omits = vec![Omission::NameInIdToken, Omission::Userinfo]);
    let mut browser = Browser::new(&shop);
    browser.sign_in("demo-staff").await;
    let me = browser.call("GET", "/api/me", Value::Null).await.assert_status(200).json();
    assert_eq!((&me["sub"], &me["name"], &me["role"]), (&json!("demo-staff"), &json!(""), &json!("staff")));
    // Who has no roles that can be read would be a customer until the next refresh.
    provider.with_faults(|faults| faults.omits = vec![Omission::RolesInIdToken, Omission::Userinfo]);
    let mut browser = Browser::new(&shop);
    let refused = browser.sign_in("demo-staff").await;
    assert_refused(&refused, &browser);
}

async fn a_name_of_the_provider_can_be_shown_and_stored(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    let long = "\u{ac00}".repeat(100_000);
    for (account, name, email, kept) in [
        (SHOPPER, "\u{200b}\u{3164}", "ada@shop.example", json!(["", "ada@shop.example", true])),
        ("demo-staff", long.as_str(), long.as_str(), json!(["\u{ac00}".repeat(80), "", false])),
        ("demo-admin", "\u{202e}Ada\n Reed\0", "ada\0@shop.example", json!(["Ada Reed", "", false])),
    ] {
        provider.with_faults(|faults| faults.says = vec![("name", json!(name)), ("email", json!(email))]);
        let mut browser = Browser::new(&shop);
        browser.sign_in(account).await;
        let me = browser.call("GET", "/api/me", Value::Null).await.assert_status(200).json();
        assert_eq!(json!([me["name"], me["email"], me["email_verified"]]), kept, "{account}");
    }
    // An access token makes an account, too.
    let now = shop.app.clock.now_ms() / 1000;
    let claims = json!({
        "iss": provider_issuer(&shop), "aud": "shop-api", "sub": "program", "iat": now, "exp": now + 300,
        "name": "\u{202e}Ada\0", "email": "ada",
    });
    let token = provider.sign("at+jwt", &claims).await.unwrap();
    let request = Request::get("/api/me").header(header::AUTHORIZATION, format!("Bearer {token}"));
    let me = shop.send(request.body(Body::empty()).unwrap()).await.assert_status(200).json();
    assert_eq!((&me["name"], &me["email"]), (&json!("Ada"), &json!("")));

    // What a former release has stored is corrected at the next sign-in.
    let mut tx = shop.app.db.begin().await.unwrap();
    const FORMER: &str = "UPDATE users SET name = $1, email = $2 WHERE subject = $3";
    for (name, email, account) in [("\u{202e}Ada", "ada", SHOPPER), ("\u{200b}", "x@shop.example", "demo-admin")] {
        shop_base::sql!(&mut tx.conn(), c =>
            sqlx::query(FORMER).bind(name).bind(email).bind(account).execute(c).await.map(drop))
        .unwrap();
    }
    tx.commit().await.unwrap();
    provider.with_faults(|faults| faults.says = vec![("email", json!("ada"))]);
    for (account, name, email) in [(SHOPPER, "Ada", ""), ("demo-admin", "Sample Admin", "x@shop.example")] {
        let mut browser = Browser::new(&shop);
        browser.sign_in(account).await;
        let me = browser.call("GET", "/api/me", Value::Null).await.assert_status(200).json();
        assert_eq!((&me["name"], &me["email"]), (&json!(name), &json!(email)), "{account}");
    }
}

async fn tokens_for_several_audiences_hold_if_all_are_trusted(shop: TestShop) {
    let (shop, provider) = shop_with_provider_and(shop.database, |identity| {
        identity.trusted_audiences = vec!["another".to_owned()];
    })
    .await;
    let next_is = |wrong: Wrong| provider.with_faults(|faults| faults.wrong = Some(wrong));
    for wrong in [Wrong::Audience, Wrong::AuthorizedParty, Wrong::NoAuthorizedParty] {
        let mut browser = Browser::new(&shop);
        next_is(wrong);
        assert_refused(&browser.sign_in(SHOPPER).await, &browser);
    }
    let mut browser = Browser::new(&shop);
    next_is(Wrong::FurtherAudience);
    browser.sign_in(SHOPPER).await;
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
    for (wrong, holds) in [(Wrong::FurtherAudience, true), (Wrong::AuthorizedParty, false)] {
        next_is(wrong);
        shop.clock.advance(TOKEN_MS + 1000);
        assert_eq!(user(&mut browser).await["sub"] == SHOPPER, holds, "at a refresh: {wrong:?}");
    }
    // A token that ends sessions does not say to whom it was issued.
    browser.sign_in(SHOPPER).await;
    let now = shop.app.clock.now_ms() / 1000;
    let logout = json!({
        "iss": provider_issuer(&shop), "aud": [CLIENT_ID, "another"], "sub": SHOPPER, "iat": now, "exp": now + 120,
        "jti": "1", "events": { "http://schemas.openid.net/event/backchannel-logout": {} },
    });
    let body = format!("logout_token={}", provider.sign("logout+jwt", &logout).await.unwrap());
    let answer = shop.post("/auth/backchannel-logout", "application/x-www-form-urlencoded", body).await;
    answer.assert_status(200);
    assert_eq!(user(&mut browser).await, Value::Null);
}

async fn a_scope_that_the_provider_does_not_know_is_not_asked_for(shop: TestShop) {
    let (shop, provider) = shop_with_provider(shop.database).await;
    provider.with_faults(|faults| faults.omits = vec![Omission::OfflineAccess]);
    let mut browser = Browser::new(&shop);
    let authorize = browser.begin("/auth/login").await;
    assert!(authorize.query_pairs().any(|pair| pair == ("scope".into(), "openid profile email".into())), "{authorize}");
    let callback = browser.choose(&authorize, &[("account", SHOPPER)]).await;
    browser.get(&callback).await.assert_status(303);
    assert_eq!(user(&mut browser).await["sub"], SHOPPER);
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
        browser.pass_age_gate();
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

async fn a_sign_in_may_end_at_a_node_whose_clock_is_behind(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    for (behind, is_signed_in) in [(CLOCK_SKEW, true), (CLOCK_SKEW + 1, false)] {
        let mut browser = Browser::new(&shop);
        let authorize = browser.begin("/auth/login").await;
        shop.clock.advance(-behind);
        let callback = browser.choose(&authorize, &[("account", SHOPPER)]).await;
        browser.get(&callback).await.assert_status(303);
        assert_eq!(browser.session().is_some(), is_signed_in, "{behind} ms");
    }
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
    browser.pass_age_gate();
    let authorize = browser.begin("/auth/login?return_to=%2Fproducts").await;
    let callback = browser.choose(&authorize, &[("cancel", "1")]).await;
    assert!(callback.contains("error=access_denied"));
    assert_eq!(browser.get(&callback).await.assert_status(303).header("location"), "/products");
    let told = browser.get("/products").await;
    assert_eq!(told.envelope()["shared"]["notice"], json!({ "severity": "info", "summary": "Sign-in was canceled." }));
    assert!(told.header("cache-control").contains("no-store"));
    let after = browser.get("/products").await;
    assert_eq!(after.envelope()["shared"]["notice"], Value::Null);
    assert_eq!(shop.get_verified("/products").await.envelope()["shared"]["notice"], Value::Null);
}

async fn codes_of_the_provider_become_a_notice(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let failed = || security::counts().find(|(event, _)| *event == "sign_in_failed").unwrap().1;
    for code in ["mfa_required", "missing_refresh_token", "login_required", "state_mismatch", "timeout"] {
        let mut browser = Browser::new(&shop);
        let authorize = browser.begin("/auth/login?return_to=%2Fproducts%3Fq%3Dpipe").await;
        let (_, state) = authorize.query_pairs().find(|(name, _)| name == "state").unwrap();
        let before = failed();
        assert_refused(&browser.get(&format!("/auth/callback?error={code}&state={state}")).await, &browser);
        assert!(failed() > before, "{code}");
        assert_eq!(flows(&browser), 0, "{code}");
        assert_eq!(notice(&mut browser).await, "Sign-in didn’t work. Please try again.", "{code}");
    }
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

async fn the_account_page_leads_to_sign_in_and_back(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    let answer = browser.get("/account").await;
    assert_eq!(answer.assert_status(303).header("location"), "/auth/login?return_to=%2Faccount");
    // Otherwise a browser that goes back takes the redirect from its cache, also once it is signed in: endlessly.
    for path in ["/account", "/admin/overview"] {
        assert_eq!(browser.get(path).await.assert_status(303).header("cache-control"), "no-store", "{path}");
    }
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
