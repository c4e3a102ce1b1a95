//! `shop reencrypt`, and what a new `SHOP_SECRET` does.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use axum::extract::FromRef;
use axum::http::{HeaderMap, header};
use serde_json::json;
use shop_base::config::Secret;
use shop_base::db::Conn;
use shop_domain::encrypted::service::reencrypt;
use shop_domain::identity::model::{Profile, SignIn, Tokens};
use shop_domain::identity::service::{Device, find_tokens, start_session};
use shop_http::storefront::age::cookie;
use shop_platform::web::cookies::SignedCookies;
use uuid::Uuid;

use super::{run, settings};
use crate::notifications::{everything, made};
use crate::pages::{link_of, order_to_pay};
use crate::support::{Database, OnSqlite, Test, TestShop, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![
    nothing_is_lost_when_the_secret_is_replaced,
    a_shop_gets_its_turns_while_values_are_encrypted_anew,
    every_encrypted_column_is_known,
];

const OLD: &str = "an-old-secret-of-32-characters-or-more";
const NEW: &str = "a-new-secret-of-32-characters-or-more";

/// What was encrypted and signed with a secret.
struct Stored {
    admin: String,
    draft: String,
    link: String,
    session: Uuid,
    endpoint: Uuid,
    age_cookie: String,
}

/// What of it a node reads, by name.
async fn read(shop: &TestShop, stored: &Stored) -> Vec<&'static str> {
    let link = link_of(shop, &stored.admin, &stored.draft).await;
    let tokens = find_tokens(&shop.app, &shop.app.parts.identity, stored.session).await.unwrap();
    let statement = "SELECT secret FROM endpoints WHERE id = $1";
    let mut reader = shop.app.db.read().await.unwrap();
    let secret: Vec<u8> = shop_base::sql!(
        &mut reader.conn(),
        c => sqlx::query_scalar(statement).bind(stored.endpoint).fetch_one(c).await
    )
    .unwrap();
    let statement = "SELECT id, secret FROM endpoint_secrets";
    let (older, sealed): (Uuid, Vec<u8>) =
        shop_base::sql!(&mut reader.conn(), c => sqlx::query_as(statement).fetch_one(c).await).unwrap();
    let mut headers = HeaderMap::new();
    headers.insert(header::COOKIE, stored.age_cookie.parse().unwrap());
    let found = [
        ("link", link.as_ref() == Some(&stored.link)),
        ("tokens", tokens.is_some_and(|tokens| tokens.refresh_token.as_deref() == Some("refresh-token"))),
        ("endpoint", shop.app.parts.webhooks.open(stored.endpoint, &secret).is_some()),
        ("older secret", shop.app.parts.webhooks.open(older, &sealed).is_some()),
        ("age", cookie::is_verified(&SignedCookies::from_ref(&shop.app), &headers)),
    ];
    found.into_iter().filter(|(_, is_read)| *is_read).map(|(name, _)| name).collect()
}

async fn only_session_with_tokens(shop: &TestShop) -> Uuid {
    let statement = "SELECT id FROM sessions WHERE tokens IS NOT NULL";
    let mut reader = shop.app.db.read().await.unwrap();
    shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(statement).fetch_one(c).await).unwrap()
}

async fn begin_session_with_tokens(shop: &TestShop, subject: &str) {
    let profile = Profile {
        issuer: "https://id.example".to_owned(),
        subject: subject.to_owned(),
        email: format!("{subject}@shop.example"),
        email_verified: true,
        name: "Customer".to_owned(),
        roles: Vec::new(),
    };
    let tokens =
        Tokens { refresh_token: Some("refresh-token".to_owned()), id_token: "id-token".to_owned(), refresh_at: None };
    let sign_in =
        SignIn { profile, authenticated_at: 0, methods: Vec::new(), provider_session: None, tokens: Some(tokens) };
    let device = Device { name: "Firefox on Linux".to_owned(), network: "127.0.0.0".to_owned() };
    start_session(&shop.app, &shop.app.parts.identity, &sign_in, 0, &device).await.unwrap();
}

async fn nothing_is_lost_when_the_secret_is_replaced(shop: TestShop) {
    let old = TestShop::with(shop.database, |config| config.secret = Secret::new(OLD)).await;
    let admin = old.sign_in("rotator", &["super_admin"]).await;
    let draft = order_to_pay(&old, &admin).await;
    begin_session_with_tokens(&old, "customer").await;
    let endpoint = made(&old, &admin, everything("http://127.0.0.1:9/")).await;
    let path = format!("/api/admin/settings/webhooks/{}/secret", endpoint.id);
    for version in 1..=2 {
        old.call("POST", &path, &admin, json!({ "version": version })).await.assert_status(200);
    }
    let stored = Stored {
        link: link_of(&old, &admin, &draft).await.unwrap(),
        admin,
        draft,
        session: only_session_with_tokens(&old).await,
        endpoint: endpoint.id.parse().unwrap(),
        age_cookie: old.age_cookie(),
    };
    let all = ["link", "tokens", "endpoint", "older secret", "age"];
    assert_eq!(read(&old, &stored).await, all);

    let with = async |secret: &str, fallback: Option<&str>| {
        old.another_node_with(|config| {
            config.secret = Secret::new(secret);
            config.secret_fallback = fallback.map(Secret::new);
        })
        .await
    };
    let (both, new) = (with(NEW, Some(OLD)).await, with(NEW, None).await);
    assert_eq!(read(&both, &stored).await, all);
    assert_eq!(read(&new, &stored).await, [""; 0]);
    // A node that is not restarted yet reads what the others write.
    let not_yet = with(OLD, Some(NEW)).await;
    let written = Stored { age_cookie: both.age_cookie(), ..stored };
    assert_eq!(read(&not_yet, &written).await, all);

    let folder = temporary_folder();
    let mut settings = settings(old.app.config.data.database.expose());
    settings.retain(|(name, _)| *name != "SHOP_SECRET");
    settings.push(("SHOP_SECRET", NEW.to_owned()));
    let said = run(&folder, &settings, &["reencrypt"]).await;
    said.assert_refused("SHOP_SECRET_FALLBACK is missing");
    settings.push(("SHOP_SECRET_FALLBACK", OLD.to_owned()));
    let said = run(&folder, &settings, &["reencrypt"]).await;
    let said = &said.assert_success().out;
    let columns = ["endpoints.secret", "endpoints.former_secret", "endpoint_secrets.secret"];
    for column in columns.into_iter().chain(["draft_orders.token_sealed", "sessions.tokens"]) {
        assert!(said.contains(&format!("{column}: 1 encrypted with SHOP_SECRET now, 0 before\n")), "{said}");
    }
    assert_eq!(read(&new, &written).await, all);
    let said = run(&folder, &settings, &["reencrypt"]).await;
    let said = &said.assert_success().out;
    assert!(said.contains("sessions.tokens: 0 encrypted with SHOP_SECRET now, 1 before\n"), "{said}");
}

/// Between processes SQLite has no queue: one that writes again and again would keep the shop from it.
async fn a_shop_gets_its_turns_while_values_are_encrypted_anew(OnSqlite(shop): OnSqlite) {
    // As many as are encrypted in three turns.
    const SESSIONS: usize = 120;
    let old = TestShop::with(shop.database, |config| config.secret = Secret::new(OLD)).await;
    for number in 0..SESSIONS {
        begin_session_with_tokens(&old, &format!("customer-{number}")).await;
    }
    let new = old
        .another_node_with(|config| {
            config.secret = Secret::new(NEW);
            config.secret_fallback = Some(Secret::new(OLD));
        })
        .await;
    let tokens = async || {
        let statement = "SELECT tokens FROM sessions WHERE tokens IS NOT NULL";
        let mut reader = old.app.db.read().await.unwrap();
        let tokens: Vec<Vec<u8>> =
            shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(statement).fetch_all(c).await).unwrap();
        BTreeSet::from_iter(tokens)
    };
    let (before, begun) = (tokens().await, Instant::now());
    let mut seen = BTreeSet::new();
    let mut renewing = Box::pin(reencrypt(&new.app));
    let done = loop {
        tokio::select! {
            done = &mut renewing => break done.unwrap(),
            now = tokens() => {
                seen.insert(now.difference(&before).count());
            }
        }
    };
    assert_eq!(done.iter().find(|values| values.table == "sessions").unwrap().renewed, SESSIONS as u64);
    assert!(seen.iter().all(|count| [0, 50, 100, SESSIONS].contains(count)), "{seen:?}");
    // SQLite looks every 100 ms whether it is its turn.
    assert!(begun.elapsed() > 3 * Duration::from_millis(100), "{:?}", begun.elapsed());
}

/// Bytes that are no hash, no file and no filler are encrypted. SQLite's types do not tell them from ids.
async fn every_encrypted_column_is_known(shop: TestShop) {
    let known: BTreeSet<String> = reencrypt(&shop.app)
        .await
        .unwrap()
        .into_iter()
        .map(|values| format!("{}.{}", values.table, values.column))
        .collect();
    assert_eq!(known.len(), 6);
    if shop.database == Database::Sqlite {
        return;
    }
    let mut reader = shop.app.db.read().await.unwrap();
    let Conn::Postgres(mut conn) = reader.conn() else { panic!("it is PostgreSQL") };
    let there: Vec<String> = sqlx::query_scalar(
        "SELECT table_name || '.' || column_name FROM information_schema.columns
         WHERE table_schema = 'public' AND data_type = 'bytea' AND table_name NOT LIKE '\\_sqlx%'
           AND column_name NOT LIKE '%hash' AND column_name NOT IN ('file', 'filler', 'tag')
           AND table_name <> 'build_files'",
    )
    .fetch_all(conn.unlimited())
    .await
    .unwrap();
    assert_eq!(known, BTreeSet::from_iter(there));
}
