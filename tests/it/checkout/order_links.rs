//! The link to an order's page opens to its token alone, for as long as it should, across releases and new secrets.

use serde_json::{Value, json};
use shop_base::config::Secret;
use shop_domain::retention::service::clean;
use shop_domain::sales::order_links;
use uuid::Uuid;

use super::bench::{Bench, PIPE_TOOL};
use super::emails::open;
use crate::admin::orders::{Desk, chosen, parcel};
use crate::support::{Test, TestShop, statements};
use crate::tests;

pub const TESTS: &[Test] = tests![
    the_confirmation_opens_to_its_token_alone,
    an_old_link_shows_the_order_to_its_buyer_alone,
    an_email_has_a_link_that_works_however_old_the_order,
    a_link_survives_releases_and_new_secrets,
];

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

async fn the_confirmation_opens_to_its_token_alone(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let placed = bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200).json();
    let href = placed["href"].as_str().unwrap().replace("?", "/_payload.json?");
    let page = bench.shop.get_verified(&href).await;
    assert_eq!(page.assert_status(200).header("cache-control"), "private, no-store");
    let (_, ran) = statements::of(bench.shop.get_verified(&href)).await;
    assert!(ran.len() <= 6, "order, history, lines, taxes, parcels and payments: {ran:#?}");
    assert_eq!(bench.confirmation(&placed).await["email"], "", "email is off, so the page announces none");
    let number = placed["number"].as_str().unwrap();
    for path in
        ["/order-confirmation?order=".to_owned(), format!("/order-confirmation?order={number}"), format!("{href}x")]
    {
        let refused = bench.shop.get_verified(&path).await;
        refused.assert_status(404);
        assert!(!refused.text().contains("Reed"), "{path}");
    }
    // Without a token it redirects to the account's orders.
    for (path, account) in
        [("/order-confirmation", "/account"), ("/order-confirmation/_payload.json", "/account/_payload.json")]
    {
        assert_eq!(bench.shop.get(path).await.assert_status(303).header("location"), account);
    }
    // An unpaid draft has no confirmation page.
    let mut body = bench.order(PIPE_TOOL, 1).await;
    body["source_id"] = json!("cnon:card-nonce-declined");
    bench.pay(&body).await.assert_status(402);
    let status = format!("/api/checkout/{}", body["checkout_id"].as_str().unwrap());
    bench.shop.get(&status).await.assert_problem(402, "declined");
    bench.shop.get(&format!("/api/checkout/{}", Uuid::now_v7())).await.assert_problem(404, "not_found");
}

async fn an_old_link_shows_the_order_to_its_buyer_alone(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let sign_in = async || format!("{}; {}", bench.shop.sign_in("buyer", &["customer"]).await, bench.shop.age_cookie());
    let body = bench.order(PIPE_TOOL, 1).await;
    let placed = bench.pay_as(&sign_in().await, &body).await.assert_status(200).json();
    bench.shop.clock.advance(89 * DAY_MS);
    assert_eq!(bench.confirmation(&placed).await["number"], placed["number"]);
    bench.shop.clock.advance(2 * DAY_MS);
    let href = placed["href"].as_str().unwrap();
    let page = bench.shop.get_verified(href).await;
    assert!(page.assert_status(200).root().contains("This link has expired"));
    for personal in ["Reed", body["email"].as_str().unwrap(), "Three-Way Pipe Tool"] {
        assert!(!page.text().contains(personal), "{personal}");
    }
    let buyer = bench.shop.call("GET", href, &sign_in().await, Value::Null).await;
    assert!(buyer.assert_status(200).root().contains("Three-Way Pipe Tool"));
    let other = format!("{}; {}", bench.shop.sign_in("other", &["customer"]).await, bench.shop.age_cookie());
    assert!(!bench.shop.call("GET", href, &other, Value::Null).await.assert_status(200).text().contains("Reed"));
}

async fn an_email_has_a_link_that_works_however_old_the_order(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let mut desk = Desk::at(bench).await;
    let body = desk.bench.order(PIPE_TOOL, 2).await;
    let placed = desk.bench.pay(&body).await.assert_status(200).json();
    desk.bench.work().await;
    let (number, href) = (placed["number"].as_str().unwrap(), placed["href"].as_str().unwrap());
    let tool = desk.line(number, PIPE_TOOL).await;
    desk.act(&desk.staff, number, "shipment", parcel(&[(tool, 2)])).await.assert_status(204);
    let mut returns = Vec::new();
    for _ in 0..2 {
        let wanted = json!({ "lines": chosen(&[(tool, 1)]), "reason": "They do not fit" });
        returns.push(desk.act(&desk.staff, number, "returns", wanted).await.assert_status(200).json()["id"].clone());
    }
    let is_shown = async |bench: &Bench| {
        let page = bench.shop.get_verified(href).await;
        !page.assert_status(200).root().contains("This link has expired")
    };
    desk.bench.shop.clock.advance(91 * DAY_MS);
    desk.sign_in().await;
    assert!(!is_shown(&desk.bench).await);
    desk.act(&desk.staff, number, "mails", json!({ "mail": "placed" })).await.assert_status(204);
    assert!(is_shown(&desk.bench).await, "sent again");
    desk.bench.shop.clock.advance(91 * DAY_MS);
    desk.sign_in().await;
    for (id, message) in returns.iter().zip(["", "It shows marks of use."]) {
        assert!(!is_shown(&desk.bench).await, "nobody was emailed for 91 days");
        let step = format!("returns/{}/rejection", id.as_str().unwrap());
        let rejection = json!({ "note": "Used", "message": message });
        desk.act(&desk.staff, number, &step, rejection).await.assert_status(204);
    }
    assert!(is_shown(&desk.bench).await, "the email about the return");
}

/// Former releases gave orders random tokens, and the next one stores only hashes.
async fn a_link_survives_releases_and_new_secrets(shop: TestShop) {
    const NEW: &str = "a-new-secret-of-32-characters-or-more";
    let bench = Bench::start(shop.database).await;
    let body = bench.order(PIPE_TOOL, 1).await;
    let href = async || bench.pay(&body).await.assert_status(200).json()["href"].as_str().unwrap().to_owned();
    let signed = href().await;
    let status = async |shop: &TestShop, href: &str| shop.get_verified(href).await.status;
    let node = async |fallback: Option<Secret>| {
        let secret = Secret::new(NEW);
        bench.shop.another_node_with(|config| (config.secret, config.secret_fallback) = (secret, fallback)).await
    };
    let (both, new) = (node(Some(bench.shop.app.config.secret.clone())).await, node(None).await);

    let forged = format!("{}{}", &signed[..signed.len() - 1], if signed.ends_with('A') { 'B' } else { 'A' });
    assert_eq!(status(&bench.shop, &forged).await, 404);
    let hash = bench.token().await;
    assert_eq!(hash, order_links::hashed(signed.split_once('=').unwrap().1));
    for shop in [&bench.shop, &both, &new] {
        assert_eq!(status(shop, &signed).await, 200);
        assert_eq!(status(shop, &format!("/order-confirmation?order={hash}")).await, 404);
    }

    let random = "7KQ2M9XD7KQ2M9XD7KQ2M9XD7KQ2M9XD";
    bench.store_token(random).await;
    let old = format!("/order-confirmation?order={random}");
    // Before and after the cleanup.
    for stored in [random.to_owned(), order_links::hashed(random)] {
        assert_eq!(bench.token().await, stored);
        assert_eq!(href().await, signed);
        for (shop, expected) in [(&bench.shop, 200), (&both, 200), (&new, 404)] {
            assert_eq!(status(shop, &signed).await, expected);
            assert_eq!(status(shop, &old).await, 200);
        }
        clean(&bench.shop.app).await.unwrap();
    }
}
