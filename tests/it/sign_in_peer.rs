//! The main flows with the certified npm package `oidc-provider` in a child process: it signs with RS256, rotates refresh tokens, and
//! shares no code with the shop or its demo.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::Value;
use shop_base::config::{Identity, Secret};
use shop_domain::identity::service;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use url::Url;

use crate::support::{Answer, Browser, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    the_peer_signs_a_visitor_in_refreshes_and_signs_out,
    a_refresh_token_of_the_peer_that_is_used_twice_ends_the_session,
    an_access_token_of_the_peer_is_taken_and_its_id_token_is_not,
];

const TOKEN_MS: i64 = 300_000;

/// The process ends when this is dropped.
struct Peer {
    shop: TestShop,
    _process: Child,
}

async fn start(shop: TestShop) -> Peer {
    let origin = shop.app.config.http.shop_origin();
    let mut process = Command::new("node")
        .args(["tests/oidc-peer.mjs", &origin])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let issuer = loop {
        let line = lines.next_line().await.unwrap().expect("the peer says where it listens");
        if let Some(issuer) = line.strip_prefix("ISSUER ") {
            break issuer.to_owned();
        }
    };
    let shop = TestShop::with(shop.database, |config| {
        config.identity = Some(Identity {
            issuer,
            client_id: "shop".to_owned(),
            client_secret: Some(Secret::new("demonstration")),
            audience: Some("shop-api".to_owned()),
            trusted_audiences: Vec::new(),
            roles_claim: "roles".to_owned(),
            account_url: None,
            staff_methods: Vec::new(),
            confirm_methods: Vec::new(),
        });
    })
    .await;
    // The peer uses the system clock.
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap();
    shop.clock.advance(now - shop.app.clock.now_ms());
    Peer { shop, _process: process }
}

/// A browser at the peer, with cookies by name and manual redirects.
struct AtPeer {
    http: reqwest::Client,
    cookies: BTreeMap<String, String>,
}

impl AtPeer {
    fn new() -> Self {
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { http, cookies: BTreeMap::new() }
    }

    async fn send(&mut self, request: reqwest::RequestBuilder) -> Option<String> {
        let line: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let response = request.header("cookie", line.join("; ")).send().await.unwrap();
        for line in response.headers().get_all("set-cookie") {
            let (name, value) = line.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        assert!(response.status().is_redirection() || response.status() == 200, "{}", response.status());
        response.headers().get("location").map(|location| location.to_str().unwrap().to_owned())
    }

    /// From the authorization request to the shop's callback, signing in when asked.
    async fn pass(&mut self, authorize: &Url, name: &str) -> Url {
        let mut at = authorize.clone();
        for _ in 0..10 {
            let request = self.http.get(at.clone());
            let location = match self.send(request).await {
                Some(location) => location,
                None => {
                    let form = [("prompt", "login"), ("login", name), ("password", "any")];
                    let request = self.http.post(at.clone()).form(&form);
                    self.send(request).await.expect("a redirect after signing in")
                }
            };
            at = at.join(&location).unwrap();
            if at.path() == "/auth/callback" {
                return at;
            }
        }
        panic!("the peer never came back: {at}");
    }
}

async fn sign_in(browser: &mut Browser, peer: &mut AtPeer, name: &str) -> Answer {
    let authorize = browser.begin("/auth/login?return_to=%2Fcart").await;
    let callback = peer.pass(&authorize, name).await;
    browser.get(&format!("/auth/callback?{}", callback.query().unwrap())).await
}

async fn user(browser: &mut Browser) -> Value {
    browser.get("/cart/_payload.json").await.assert_status(200).json()["shared"]["user"].clone()
}

async fn the_peer_signs_a_visitor_in_refreshes_and_signs_out(shop: TestShop) {
    let peer = start(shop).await;
    let mut browser = Browser::new(&peer.shop);
    let mut at_peer = AtPeer::new();
    let answer = sign_in(&mut browser, &mut at_peer, "nova-staff").await;
    assert_eq!(answer.assert_status(303).header("location"), "/cart");
    let signed_in = user(&mut browser).await;
    assert_eq!((&signed_in["sub"], &signed_in["role"]), (&"nova-staff".into(), &"staff".into()));
    assert_eq!(signed_in["email"], "nova-staff@peer.example");
    let token = browser.session().unwrap().to_owned();
    let id = service::find_session(&peer.shop.app, &token).await.unwrap().unwrap().id;
    let before = service::find_tokens(&peer.shop.app, &peer.shop.app.parts.identity, id).await.unwrap().unwrap();
    peer.shop.clock.advance(TOKEN_MS + 1000);
    assert_eq!(user(&mut browser).await["sub"], "nova-staff");
    let after = service::find_tokens(&peer.shop.app, &peer.shop.app.parts.identity, id).await.unwrap().unwrap();
    assert_ne!(before.refresh_token, after.refresh_token, "the peer rotates");
    let location = browser.sign_out().await;
    assert!(location.contains("/session/end?") && location.contains("id_token_hint="), "{location}");
    let asked = at_peer.http.get(&location).send().await.unwrap();
    assert_eq!(asked.status(), 200, "the peer takes the hint and the address: {location}");
    assert_eq!(user(&mut browser).await, Value::Null);
}

async fn a_refresh_token_of_the_peer_that_is_used_twice_ends_the_session(shop: TestShop) {
    let peer = start(shop).await;
    let mut browser = Browser::new(&peer.shop);
    sign_in(&mut browser, &mut AtPeer::new(), "nova").await.assert_status(303);
    let token = browser.session().unwrap().to_owned();
    let id = service::find_session(&peer.shop.app, &token).await.unwrap().unwrap().id;
    let stolen = service::find_tokens(&peer.shop.app, &peer.shop.app.parts.identity, id).await.unwrap().unwrap();
    peer.shop.clock.advance(TOKEN_MS + 1000);
    assert_eq!(user(&mut browser).await["sub"], "nova");
    let client = peer.shop.app.parts.identity.provider.as_ref().unwrap();
    client.refresh(&stolen, "nova").await.unwrap_err();
    peer.shop.clock.advance(TOKEN_MS + 1000);
    assert_eq!(user(&mut browser).await, Value::Null);
}

async fn an_access_token_of_the_peer_is_taken_and_its_id_token_is_not(shop: TestShop) {
    let peer = start(shop).await;
    let issuer = peer.shop.app.config.identity.as_ref().unwrap().issuer.clone();
    // The flow of a native client, step by step: the shop's own flow never exposes the access token.
    let verifier = "a-verifier-of-at-least-forty-three-characters-0";
    let challenge = {
        use base64::Engine;
        use sha2::{Digest, Sha256};
        base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
    };
    let redirect = format!("{}/auth/callback", peer.shop.app.config.http.shop_origin());
    let mut authorize = Url::parse(&format!("{issuer}/auth")).unwrap();
    authorize.query_pairs_mut().extend_pairs([
        ("client_id", "shop"),
        ("response_type", "code"),
        ("scope", "openid profile email"),
        ("redirect_uri", &redirect),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
        ("state", "a-state"),
        ("nonce", "a-nonce"),
    ]);
    let callback = AtPeer::new().pass(&authorize, "caller-staff").await;
    let code = callback.query_pairs().find(|(name, _)| name == "code").expect("a code").1.into_owned();
    let form = [
        ("grant_type", "authorization_code"),
        ("code", &code),
        ("redirect_uri", &redirect),
        ("code_verifier", verifier),
    ];
    let request = reqwest::Client::new().post(format!("{issuer}/token")).basic_auth("shop", Some("demonstration"));
    let tokens: Value = request.form(&form).send().await.unwrap().json().await.unwrap();
    let call = async |token: &str| {
        let request = Request::get("/api/me").header(header::AUTHORIZATION, format!("Bearer {token}"));
        peer.shop.send(request.body(Body::empty()).unwrap()).await
    };
    let me = call(tokens["access_token"].as_str().expect("an access token")).await.assert_status(200).json();
    assert_eq!((&me["sub"], &me["role"]), (&"caller-staff".into(), &"staff".into()));
    call(tokens["id_token"].as_str().expect("an ID token")).await.assert_problem(401, "unauthorized");
}
