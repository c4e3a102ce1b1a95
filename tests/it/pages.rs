//! Every page, rendered in a real isolate.

use std::collections::BTreeSet;
use std::fs;
use std::process::Stdio;

use axum::extract::FromRef;
use axum::http::HeaderMap;
use serde_json::{Value, json};
use shop::router::PAGES;
use shop_base::config::Config;
use shop_base::recent_errors;
use shop_base::recent_errors::{LoggedError, RecentErrors};
use shop_demo::mailbox::Mailbox;
use shop_http::page::render;
use shop_http::page::render::{Form, PageRenderer};
use shop_platform::web::page::{Meta, Page, PageProps};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::task::JoinSet;
use tracing::instrument::WithSubscriber;
use tracing_subscriber::layer::SubscriberExt;
use uuid::Uuid;

use crate::notifications::made;
use crate::support::{Answer, Test, TestShop, payload_of, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![
    every_page_equals_reacts_own_rendering,
    the_document_holds_what_client_navigation_gets,
    a_full_list_is_small,
    every_legal_text_is_whole,
    the_privacy_policy_tells_what_browsers_keep,
    an_unknown_visitors_cart_is_empty,
    a_page_that_throws_becomes_the_error_page,
    an_overloaded_shop_lets_the_browser_render,
];

const LEGAL: [&str; 4] = ["privacy-policy", "shipping-policy", "terms-of-service", "refund-return-policy"];

/// The golden test: for the same envelope, an isolate's HTML is byte for byte that of React's build for Node.
async fn every_page_equals_reacts_own_rendering(shop: TestShop) {
    let listing = shop.app.parts.catalog.listing();
    let mut paths: Vec<String> = listing.listed().take(12).map(|listed| listed.card.href.clone()).collect();
    paths.push(listing.categories()[0].href());
    paths.extend(
        ["/", "/products", "/products?q=pipe", "/products?q=xylophonist", "/cart", "/checkout", "/no/such/page"]
            .map(str::to_owned),
    );
    paths.extend(LEGAL.map(|slug| format!("/content/legal/{slug}")));
    let mut answers = Vec::new();
    for path in &paths {
        answers.push(shop.get(path).await);
        answers.push(shop.get_verified(path).await);
    }
    let staff = shop.sign_in("page-staff", &["staff"]).await;
    answers.push(shop.call("GET", "/test-email", &staff, Value::Null).await);
    let session = format!("{}; {}", shop.sign_in("reader", &["customer"]).await, shop.age_cookie());
    let order = order_to_pick_up(&shop, &session).await;
    for path in ["/account", &order] {
        answers.push(shop.call("GET", path, &session, Value::Null).await);
    }
    let form = "birth_date=2010-01-01&return_to=%2F";
    answers.push(shop.post("/verify-age", "application/x-www-form-urlencoded", form).await);

    let session = shop.sign_in("golden", &["customer"]).await;
    for path in ["/account", "/"] {
        answers.push(shop.call("GET", path, &session, Value::Null).await);
    }

    let admin = shop.sign_in("golden-admin", &["admin"]).await;
    let draft = order_to_pay(&shop, &admin).await;
    for link in
        [link_of(&shop, &admin, &draft).await.unwrap().as_str(), "/checkout?draft=none", "/checkout/confirm?link=none"]
    {
        answers.push(shop.get_verified(link).await);
    }
    answers.push(page_to_confirm(&shop).await);
    for path in admin_paths(&shop, &draft).await {
        answers.push(shop.call("GET", &path, &admin, Value::Null).await);
    }

    let envelopes: Vec<Value> = answers.iter().map(Answer::envelope).collect();
    let pages: BTreeSet<&str> = envelopes.iter().map(|envelope| envelope["page"].as_str().unwrap()).collect();
    let errors: Vec<_> = envelopes.iter().filter(|envelope| envelope["page"] == "errors/error").collect();
    assert_eq!(
        pages.len(),
        shop.app.site().manifest.pages.len(),
        "every page is compared, these are errors: {errors:?}"
    );
    let expected = reacts_own(&envelopes).await;
    assert_eq!(expected.len(), answers.len());
    for (answer, expected) in answers.iter().zip(expected) {
        assert!(expected.len() > 1_000);
        assert_eq!(answer.root(), expected, "{}", answer.envelope()["url"]);
    }
}

/// One page of each kind in the admin area.
async fn admin_paths(shop: &TestShop, draft: &str) -> Vec<String> {
    let cookie = shop.sign_in("golden-admin", &["admin"]).await;
    let input = json!({
        "name": "Golden", "url": "https://hooks.example", "events": ["return.rejected"], "is_enabled": true,
    });
    let endpoint = made(shop, &cookie, input).await.id;
    let test = format!("/api/admin/settings/webhooks/{endpoint}/test");
    let sent = shop.call("POST", &test, &cookie, Value::Null).await.assert_status(202).json();
    let dispatch = sent["id"].as_str().unwrap();
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    let number: String = shop_base::sql!(&mut conn, c => sqlx::query_scalar(
        "SELECT number FROM orders WHERE placed_at IS NOT NULL LIMIT 1").fetch_one(c).await)
    .unwrap();
    let user: Uuid =
        shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM users LIMIT 1").fetch_one(c).await).unwrap();
    let product: Uuid =
        shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM products LIMIT 1").fetch_one(c).await)
            .unwrap();
    let pages = PAGES.iter().map(|page| page.path).filter(|path| path.starts_with("/admin/"));
    let filled = |path: &str| {
        let id = match path {
            "/admin/settings/webhooks/{id}" => endpoint.clone(),
            "/admin/settings/webhooks/log/{id}" => dispatch.to_owned(),
            path if path.starts_with("/admin/users") => user.to_string(),
            _ => product.to_string(),
        };
        let number = if path.starts_with("/admin/orders/drafts") { draft } else { &number };
        path.replace("{number}", number).replace("{id}", &id)
    };
    pages.map(filled).collect()
}

/// Places an order; returns the path of its confirmation page.
async fn order_to_pick_up(shop: &TestShop, session: &str) -> String {
    let placed = order_in_store(shop, session, Uuid::now_v7()).await.assert_status(200).json();
    placed["href"].as_str().unwrap().to_owned()
}

/// Orders as a guest in a shop that sends email; returns the page behind the link in the email.
async fn page_to_confirm(shop: &TestShop) -> Answer {
    let mailbox = Mailbox::start(&temporary_folder(), 0).await.unwrap();
    let settings = mailbox.settings("care@shop.example");
    let shop = TestShop::with(shop.database, |config| config.mail = Some(settings)).await;
    let checkout = Uuid::now_v7();
    order_in_store(&shop, &shop.age_cookie(), checkout).await.assert_status(202);
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    let order =
        shop_domain::sales::records::orders::service::find_by_checkout(&mut conn, checkout).await.unwrap().unwrap();
    let link = shop_domain::sales::records::pickups::service::find_pending(&mut conn, order.id).await.unwrap().unwrap();
    let path = shop_domain::sales::links::PICKUPS.path(&shop.app, link.id, &link.token_sealed).unwrap();
    drop(reader);
    shop.get_verified(&path).await
}

async fn order_in_store(shop: &TestShop, session: &str, checkout: Uuid) -> Answer {
    let product = shop.get("/product/three-way-pipe-tool").await.envelope();
    let items = json!([{ "id": product["props"]["variants"][0]["id"], "qty": 1 }]);
    let asked = json!({ "items": items, "shipping_method": "pickup" });
    let quote = shop.call("POST", "/api/checkout/quote", session, asked).await.assert_status(200).json();
    let body = json!({
        "checkout_id": checkout,
        "click_id": Uuid::now_v7(),
        "items": items,
        "email": "reader@shop.example",
        "address": { "first_name": "Iris", "last_name": "Vane" },
        "shipping_method": "pickup",
        "payment_method": "pickup",
        "expected_total": quote["total"],
    });
    shop.call("POST", "/api/checkout/pay", session, body).await
}

/// A draft order by staff; returns its number.
pub async fn order_to_pay(shop: &TestShop, admin: &str) -> String {
    let mut terms = json!({
        "lines": [{ "sku": "TWT-SIN", "quantity": 2 }],
        "email": "reader@shop.example",
        "address": { "first_name": "Iris", "last_name": "Vane" },
        "shipping_method": "pickup",
    });
    for _ in 0..2 {
        let body = json!({ "draft_id": Uuid::now_v7(), "terms": terms });
        let outcome = shop.call("POST", "/api/admin/orders/drafts", admin, body).await.assert_status(200).json();
        if let Some(number) = outcome["number"].as_str() {
            return number.to_owned();
        }
        terms["expected_total"] = outcome["quote"]["total"].clone();
    }
    panic!("no order was made")
}

/// None when it cannot be read.
pub async fn link_of(shop: &TestShop, admin: &str, draft: &str) -> Option<String> {
    let page = shop.call("GET", &format!("/admin/orders/drafts/{draft}"), admin, Value::Null).await.envelope();
    let link = page["props"]["draft"]["link"].as_str()?;
    Some(link[link.find("/checkout").unwrap()..].to_owned())
}

async fn reacts_own(envelopes: &[Value]) -> Vec<String> {
    let mut node = Command::new("node")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = node.stdin.take().unwrap();
    stdin.write_all(&serde_json::to_vec(envelopes).unwrap()).await.unwrap();
    drop(stdin);
    let output = node.wait_with_output().await.unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

async fn the_document_holds_what_client_navigation_gets(shop: TestShop) {
    let product = shop.app.parts.catalog.listing().listed().next().unwrap().card.href.clone();
    for path in ["/", "/products?q=pipe", "/cart", "/content/legal/privacy-policy", &product] {
        let document = shop.get(path).await.assert_status(200).envelope();
        let payload = shop.get(&payload_of(path)).await;
        assert_eq!(payload.header("content-type"), "application/json");
        let mut payload = payload.assert_status(200).json();
        assert!(payload.as_object_mut().unwrap().remove("meta").is_some_and(|meta| meta["title"].is_string()));
        assert_eq!(payload, document, "{path}");
        assert_eq!(document["url"], path);
    }
}

async fn a_full_list_is_small(shop: TestShop) {
    for path in ["/products", "/products?page=2", "/products?sort=name&page=2"] {
        // With the age gate, which the first page of a visit has.
        let list = shop.get(path).await;
        assert_eq!(list.assert_status(200).envelope()["props"]["items"].as_array().unwrap().len(), 48);
        assert!(list.body.len() <= 75_000, "{path}: {} bytes", list.body.len());
    }
}

async fn every_legal_text_is_whole(shop: TestShop) {
    for slug in LEGAL {
        let answer = shop.get_verified(&format!("/content/legal/{slug}")).await;
        let props = answer.assert_status(200).envelope()["props"].clone();
        let html = props["html"].as_str().unwrap();
        assert!(html.len() > 5_000, "{slug} has {} characters", html.len());
        assert!(html.contains("Cardinal &amp; Briar"), "{slug} names the company");
        assert!(!html.contains("{{"), "{slug} has a placeholder left");
        assert!(props["toc"].as_array().unwrap().len() >= 5);
        for entry in props["toc"].as_array().unwrap() {
            assert!(html.contains(&format!("id=\"{}\"", entry["id"].as_str().unwrap())));
        }
        assert!(answer.root().contains(html));
    }
    shop.get("/content/legal/no-such-text").await.assert_status(404);
    // They name the store where it is.
    let moved = TestShop::with(shop.database, |config| {
        config.company.address = "1 Lake Road, Cleveland, OH 44113".to_owned();
    })
    .await;
    for slug in LEGAL {
        let answer = moved.get_verified(&format!("/content/legal/{slug}")).await;
        let html = answer.assert_status(200).envelope()["props"]["html"].as_str().unwrap().to_owned();
        assert!(html.contains("1 Lake Road") && !html.contains("Columbus"), "{slug}");
    }
}

async fn the_privacy_policy_tells_what_browsers_keep(shop: TestShop) {
    let answer = shop.get_verified("/content/legal/privacy-policy").await;
    let html = answer.assert_status(200).envelope()["props"]["html"].as_str().unwrap().to_owned();
    for kept in ["copy of your account’s cart", "promo code", "mark of the last order", "how far you have scrolled"] {
        assert!(html.contains(kept), "{kept}");
    }
}

async fn an_unknown_visitors_cart_is_empty(shop: TestShop) {
    let answer = shop.get_verified("/cart").await;
    let mut props = answer.assert_status(200).envelope()["props"].clone();
    // The popular products are the same for everybody.
    props["popular"].take();
    assert_eq!(
        props,
        serde_json::json!({ "quote": null, "saved": [], "promo_code": null, "problems": [], "popular": null })
    );
}

/// The isolate has no component with this name and throws.
#[derive(serde::Serialize)]
struct Broken {}

impl PageProps for Broken {
    const NAME: &'static str = "no/such-component";
}

async fn a_page_that_throws_becomes_the_error_page(shop: TestShop) {
    let page = Page::new("/broken", &Broken {}, Meta::default()).unwrap();
    let visit = shop_http::page::visit::Visit { age_verified: true, user: None, notice: None };
    let rendered = render::page(
        &PageRenderer::from_ref(&shop.app),
        page,
        &visit,
        Form { is_payload: false, is_kept: false, is_answer: false },
        None,
        Some("request-17"),
    )
    .with_subscriber(tracing_subscriber::registry().with(RecentErrors))
    .await;
    assert!(rendered.lasting.is_none(), "it is not kept");
    let is_of_page = |error: &LoggedError| error.fields.iter().any(|(_, value)| value == Broken::NAME);
    let logged = recent_errors::list().into_iter().find(is_of_page).expect("the log names the page");
    assert_eq!(logged.message, "a page threw while it was rendered");
    assert!(logged.fields.iter().any(|(name, value)| name == "error" && !value.is_empty()), "{logged:?}");
    let answer = Answer::read(rendered.entry.respond(&HeaderMap::new())).await;
    assert!(answer.assert_status(500).root().contains("Internal Server Error"));
    assert_eq!(answer.envelope()["page"], "errors/error");
    assert_eq!(answer.envelope()["props"]["request_id"], "request-17");
    shop.get("/products").await.assert_status(200);
}

async fn an_overloaded_shop_lets_the_browser_render(shop: TestShop) {
    let change = |config: &mut Config| config.rendering.queue = 1;
    let shop = TestShop::with(shop.database, change).await;
    let log = temporary_folder().join("log");
    let listening = tracing_subscriber::fmt().with_ansi(false).with_writer(fs::File::create(&log).unwrap()).finish();
    too_many_at_once(&shop).with_subscriber(listening).await;
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("more pages wait for an isolate than may") && !text.contains("ERROR"), "{text}");
    shop.get("/products?max_price=50").await.assert_status(200);
}

async fn too_many_at_once(shop: &TestShop) {
    // Sends requests in batches of a hundred until some are rejected by the full queue; how many it takes depends on the machine.
    let (mut rendered, mut refused) = (0, Vec::new());
    for hundred in 0..50 {
        let mut visits = JoinSet::new();
        for price in 1..=100 {
            let shop = shop.clone();
            let visit = async move { shop.get(&format!("/products?min_price={}", hundred * 100 + price)).await };
            visits.spawn(visit.with_current_subscriber());
        }
        for answer in visits.join_all().await {
            if answer.status == 200 { rendered += 1 } else { refused.push(answer) }
        }
        if rendered > 0 && !refused.is_empty() {
            break;
        }
    }
    assert!(rendered > 0 && !refused.is_empty(), "{rendered} rendered, {} refused", refused.len());
    for answer in refused {
        assert_eq!(answer.assert_status(503).header("retry-after"), "5");
        assert_eq!(answer.root(), "", "nothing is half rendered");
        assert_eq!(answer.envelope()["page"], "catalog/list", "the browser has all that it needs");
        assert!(answer.text().contains("<noscript><p>The shop is very busy."), "without scripts, too");
    }
}
