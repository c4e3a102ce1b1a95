//! What shared caches in front of the shop may keep, for whom, and which pages they are told to drop.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, Request, header};
use axum::response::Response;
use axum::routing::get;
use serde_json::{Value, json};
use shop::router::{PageRoute, router};
use shop::serve::{Stop, serve};
use shop_base::config::{Cdn, Config, Purging};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::catalog::changes::Change;
use shop_domain::catalog::service::Catalog;
use shop_http::page::serve::moved;
use shop_http::storefront::legal;
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::Page;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use uuid::Uuid;

use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{Answer, Database, Receiver, Test, TestShop, payload_of, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    anonymous_pages_are_shared_with_their_class,
    without_the_setting_no_page_is_shared,
    a_page_is_shared_with_no_other_class,
    what_is_personal_is_never_shared,
    errors_and_calls_are_never_shared,
    a_list_is_shared_however_its_query_is_written,
    a_shared_page_ends_with_its_day,
    icons_are_dropped_with_all_pages,
    what_changed_while_it_was_made_is_not_shared,
    a_sale_purges_its_product_and_a_change_of_staff_all,
    a_running_shop_purges_at_the_start_and_when_lists_change,
    a_purge_is_repeated_until_it_is_accepted,
    a_refused_purge_holds_up_no_other_change,
];

const PRIVATE: &str = "private, no-cache";
const NEVER: &str = "private, no-store";

fn share(config: &mut Config) {
    config.cdn = Some(Cdn { max_age: Duration::from_secs(600), stale: Duration::from_secs(60), purging: None });
}

/// With a cache that is purged at this receiver.
fn purge_at(receiver: &Receiver, config: &mut Config) {
    let url = receiver.url.parse().unwrap();
    let header = Some((header::AUTHORIZATION, HeaderValue::from_static("Bearer token-of-the-cache")));
    share(config);
    config.cdn.as_mut().unwrap().purging = Some(Purging { url, header });
}

async fn sharing(database: Database) -> TestShop {
    TestShop::with(database, share).await
}

/// What a cache gets that states these classes for a visitor with these cookies.
async fn ask(shop: &TestShop, path: &str, classes: &[&str], cookies: &str) -> Answer {
    let mut request = Request::get(path).header(header::COOKIE, cookies);
    for class in classes {
        request = request.header("shop-visitor", *class);
    }
    shop.send(request.body(Body::empty()).unwrap()).await
}

fn assert_shared(answer: &Answer, tags: &[&str], about: &str) {
    let header = |name| answer.header(name);
    let browsers_ask = "public, max-age=0, must-revalidate, s-maxage=600, stale-while-revalidate=60";
    assert_eq!(header("cache-control"), browsers_ask, "{about}");
    assert_eq!(header("cdn-cache-control"), "public, max-age=600, stale-while-revalidate=60", "{about}");
    assert_eq!(header("vary"), "accept-encoding, shop-visitor", "{about}");
    assert_eq!((header("surrogate-key"), header("cache-tag")), (&*tags.join(" "), &*tags.join(",")), "{about}");
    assert!(!answer.headers.contains_key("set-cookie"), "{about}");
}

fn assert_not_shared(answer: &Answer, rule: &str, about: &str) {
    assert_eq!(answer.header("cache-control"), rule, "{about}");
    for name in ["cdn-cache-control", "surrogate-key", "cache-tag"] {
        assert_eq!(answer.header(name), "", "{about}");
    }
    assert!(!answer.header("vary").contains("shop-visitor"), "{about}");
}

/// The path of the page of a product, and its tag.
async fn product(shop: &TestShop) -> (String, String) {
    let path = shop.app.parts.catalog.listing().listed().next().unwrap().path.clone();
    let tag = tag_of(shop, &path).await;
    (path, tag)
}

async fn tag_of(shop: &TestShop, path: &str) -> String {
    let page = shop.get(&payload_of(path)).await.assert_status(200).json();
    format!("product-{}", page["props"]["id"].as_str().unwrap())
}

/// The tags of the cards on the page of a product.
async fn card_tags(shop: &TestShop, path: &str) -> Vec<String> {
    let page = shop.get(&payload_of(path)).await.json();
    let listing = shop.app.parts.catalog.listing();
    let id = |card: &Value| listing.listed().find(|listed| card["href"] == listed.card.href).unwrap().card.id;
    page["props"]["related"].as_array().unwrap().iter().map(|card| format!("card-{}", id(card))).collect()
}

async fn anonymous_pages_are_shared_with_their_class(shop: TestShop) {
    let shop = sharing(shop.database).await;
    let (product, tag) = product(&shop).await;
    let cards = card_tags(&shop, &product).await;
    let of_product: Vec<&str> = ["shop", &tag].into_iter().chain(cards.iter().map(String::as_str)).collect();
    let category = shop.app.parts.catalog.listing().find_category("pipes").unwrap().id;
    let pages: [(&str, &[&str]); 5] = [
        ("/", &["shop", "cards"]),
        ("/products", &["shop", "cards"]),
        ("/category/pipes", &["shop", &format!("category-{category}")]),
        ("/content/legal/privacy-policy", &["shop"]),
        (&product, &of_product),
    ];
    for (path, tags) in pages {
        for (class, cookies) in [("unverified", String::new()), ("verified", shop.age_cookie())] {
            for path in [path.to_owned(), payload_of(path)] {
                let made = ask(&shop, &path, &[class], &cookies).await;
                let kept = ask(&shop, &path, &[class], &cookies).await;
                for answer in [&made, &kept] {
                    assert_shared(answer.assert_status(200), tags, &path);
                    assert!(answer.text().contains(&format!("\"age_verified\":{}", class == "verified")), "{path}");
                }
                assert_eq!(made.header("etag"), kept.header("etag"));
                // What a cache gets that asks whether its page is still good.
                let again = Request::get(&path).header(header::COOKIE, &cookies).header("shop-visitor", class);
                let again = again.header(header::IF_NONE_MATCH, made.header("etag")).body(Body::empty()).unwrap();
                assert_shared(shop.send(again).await.assert_status(304), tags, &path);
            }
        }
    }
    // Where an address leads changes with the catalog, too: with the product's handle or, later, with its variants.
    let uuid = tag.strip_prefix("product-").unwrap();
    for path in [format!("/product/{uuid}"), format!("{product}?variant=NONE")] {
        let moved = ask(&shop, &path, &["unverified"], "").await;
        assert_eq!(moved.assert_status(301).header("location"), product, "{path}");
        let tags = (moved.header("surrogate-key"), moved.header("cache-tag"));
        assert_eq!(tags, (&*format!("shop {tag}"), &*format!("shop,{tag}")), "{path}");
        let browsers_ask = "public, max-age=0, must-revalidate, s-maxage=600, stale-while-revalidate=60";
        assert_eq!(moved.header("cache-control"), browsers_ask);
        assert_eq!(moved.header("cdn-cache-control"), "public, max-age=600, stale-while-revalidate=60");
    }
}

async fn without_the_setting_no_page_is_shared(shop: TestShop) {
    let (product, _) = product(&shop).await;
    for path in ["/", "/products", &product] {
        for (class, cookies) in [("unverified", String::new()), ("verified", shop.age_cookie())] {
            for path in [path.to_owned(), payload_of(path)] {
                let answer = ask(&shop, &path, &[class], &cookies).await;
                assert_not_shared(answer.assert_status(200), PRIVATE, &path);
                assert_eq!(answer.header("vary"), "cookie, accept-encoding");
            }
        }
    }
    assert_not_shared(ask(&shop, "/products?page=1", &[], "").await.assert_status(301), PRIVATE, "a redirect");
}

async fn a_page_is_shared_with_no_other_class(shop: TestShop) {
    let shop = sharing(shop.database).await;
    let verified = shop.age_cookie();
    let forged = format!("age={}", "x".repeat(60));
    // The signature of another time.
    let another = format!("{verified}0");
    let cases: [(&[&str], &str, bool); 9] = [
        (&["verified"], "", false),
        (&["verified"], &forged, false),
        (&["verified"], &another, false),
        (&["unverified"], &verified, true),
        (&[], &verified, true),
        (&[], "", false),
        (&["staff"], "", false),
        // The visitor's own statement beside that of the cache, in either order.
        (&["verified", "unverified"], "", false),
        (&["unverified", "verified"], "", false),
    ];
    for path in ["/products", "/products/_payload.json"] {
        // Pages of both classes are kept by the shop itself.
        for (class, cookies) in [("unverified", ""), ("verified", &*verified)] {
            assert_shared(&ask(&shop, path, &[class], cookies).await, &["shop", "cards"], path);
        }
        for (classes, cookies, is_verified) in cases {
            let answer = ask(&shop, path, classes, cookies).await;
            let about = format!("{path} {classes:?} {cookies}");
            assert_not_shared(answer.assert_status(200), PRIVATE, &about);
            assert_eq!(answer.text().contains("\"age_verified\":true"), is_verified, "{about}");
        }
    }
}

async fn what_is_personal_is_never_shared(shop: TestShop) {
    let shop = sharing(shop.database).await;
    let session = shop.sign_in("sharer", &["customer"]).await;
    let noticing = format!("{}; notice=signed-out", shop.age_cookie());
    let (product, _) = product(&shop).await;
    for path in ["/", &product] {
        for path in [path.to_owned(), payload_of(path)] {
            for (cookies, class) in [(&*session, "unverified"), (&*noticing, "verified")] {
                for classes in [&[class][..], &[]] {
                    let answer = ask(&shop, &path, classes, cookies).await;
                    assert_not_shared(answer.assert_status(200), NEVER, &format!("{path} {cookies}"));
                }
            }
            // The cookie of a session that is over is deleted by the response.
            let over = ask(&shop, &path, &["unverified"], "session=over").await;
            assert_not_shared(over.assert_status(200), PRIVATE, &path);
            assert!(over.header("set-cookie").starts_with("session=;"), "{path}");
        }
    }
    for path in ["/cart", "/checkout", "/cart/_payload.json"] {
        let answer = ask(&shop, path, &["unverified"], "").await;
        assert_not_shared(&answer, answer.header("cache-control"), path);
        assert!([PRIVATE, NEVER].contains(&answer.header("cache-control")), "{path}");
    }
    assert_not_shared(ask(&shop, "/account", &["unverified"], &session).await.assert_status(200), NEVER, "/account");
    let account = ask(&shop, "/account", &["unverified"], "").await;
    assert_not_shared(account.assert_status(303), "no-store", "/account");
}

async fn errors_and_calls_are_never_shared(shop: TestShop) {
    let shop = sharing(shop.database).await;
    for path in ["/no/such/page", "/product/no-such-product", "/category/none", "/product/none/_payload.json"] {
        assert_not_shared(ask(&shop, path, &["unverified"], "").await.assert_status(404), "no-store", path);
    }
    let session = shop.sign_in("caller", &["customer"]).await;
    for (path, rule) in [("/api/cart", PRIVATE), ("/api/me", NEVER), ("/api/search/suggest?q=pipe", PRIVATE)] {
        assert_not_shared(ask(&shop, path, &["unverified"], &session).await.assert_status(200), rule, path);
    }
    assert_not_shared(ask(&shop, "/api/cart", &["unverified"], "").await.assert_status(401), "no-store", "/api/cart");
    let refused = shop.form("/verify-age", "", "same-origin", &[("birth_date", "2020-01-01")]).await;
    assert_not_shared(refused.assert_status(422), PRIVATE, "/verify-age");
}

async fn a_list_is_shared_however_its_query_is_written(shop: TestShop) {
    let shop = sharing(shop.database).await;
    for path in ["/products", "/products/_payload.json"] {
        let list = format!("{path}?q=pipe&sort=newest");
        for query in ["", "&utm_source=letter"] {
            let answer = ask(&shop, &format!("{list}{query}"), &["unverified"], "").await;
            assert_shared(answer.assert_status(200), &["shop", "cards"], &list);
        }
        // In another order it leads to the list's one address.
        let moved = ask(&shop, &format!("{path}?sort=newest&q=pipe"), &["unverified"], "").await;
        let tags = moved.header("surrogate-key");
        assert_eq!((moved.assert_status(301).header("location"), tags), (&*list, "shop cards"));
    }
}

async fn a_shared_page_ends_with_its_day(shop: TestShop) {
    let shop = sharing(shop.database).await;
    // From noon to 40 s before midnight.
    shop.clock.advance((12 * 3600 - 40) * 1000);
    let answer = ask(&shop, "/products", &["unverified"], "").await;
    let cache = answer.header("cache-control");
    assert!(cache.ends_with("s-maxage=40, stale-while-revalidate=0"), "{cache}");
}

/// They show the company's initials.
async fn icons_are_dropped_with_all_pages(shop: TestShop) {
    let sharing = sharing(shop.database).await;
    for path in ["/icon.svg", "/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"] {
        let icon = sharing.get(path).await;
        assert_eq!(icon.assert_status(200).header("cache-control"), "public, max-age=86400", "{path}");
        assert_eq!((icon.header("surrogate-key"), icon.header("cache-tag")), ("shop", "shop"), "{path}");
        let without = shop.get(path).await;
        assert_eq!((without.header("surrogate-key"), without.header("cache-tag")), ("", ""), "{path}");
    }
}

/// Meanwhile a product is sold, or staff edit something that it may show.
async fn text(
    cx: State<Context>,
    catalog: State<Arc<Catalog>>,
    texts: State<Arc<Texts>>,
    asked: Asked,
) -> Result<Page, Error> {
    catalog.changes.note(&match asked.path.ends_with("/privacy-policy") {
        true => Change::of([Uuid::from_u128(1)]),
        false => Change::everything(),
    });
    legal::pages::document(cx, texts, asked).await
}

async fn former_category(State(catalog): State<Arc<Catalog>>) -> Response {
    catalog.changes.note(&Change::everything());
    moved("/products")
}

async fn what_changed_while_it_was_made_is_not_shared(shop: TestShop) {
    static CHANGING: &[PageRoute] = &[
        PageRoute {
            path: "/content/legal/{document}",
            handler: || get(text),
            middleware: &[],
            query: &[],
            is_kept: true,
            needs: None,
        },
        PageRoute {
            path: "/category/{slug}",
            handler: || get(former_category),
            middleware: &[],
            query: &[],
            is_kept: true,
            needs: None,
        },
    ];
    let shop = sharing(shop.database).await;
    let shop = TestShop { router: router(shop.app.clone(), CHANGING).unwrap(), ..shop };
    for path in ["/content/legal/privacy-policy", "/content/legal/privacy-policy/_payload.json"] {
        assert_shared(ask(&shop, path, &["unverified"], "").await.assert_status(200), &["shop"], path);
    }
    for path in ["/content/legal/terms-of-service", "/content/legal/terms-of-service/_payload.json"] {
        assert_not_shared(ask(&shop, path, &["unverified"], "").await.assert_status(200), PRIVATE, path);
    }
    let redirect = ask(&shop, "/category/pipes", &["unverified"], "").await;
    assert_not_shared(redirect.assert_status(301), PRIVATE, "a redirect");
}

/// The tags of all purges until now.
fn purged(receiver: &Receiver) -> Vec<String> {
    receiver.told().iter().map(|told| told.header("surrogate-key").to_owned()).collect()
}

async fn a_sale_purges_its_product_and_a_change_of_staff_all(shop: TestShop) {
    let receiver = Receiver::open().await;
    let mut bench = Bench::configured(shop.database, |config| purge_at(&receiver, config)).await;
    bench.stock(PIPE_TOOL, 10).await;
    let app = bench.shop.app.clone();
    let purger =
        tokio::spawn(
            async move { app.parts.purger.as_ref().unwrap().run(app.parts.catalog.changes.subscribe()).await },
        );
    until("all pages are purged at the start", async || purged(&receiver) == ["shop"]).await;
    let order = bench.order(PIPE_TOOL, 1).await;
    let page = bench.quote(&order).await["lines"][0]["href"].as_str().unwrap().to_owned();
    let tag = tag_of(&bench.shop, page.split('?').next().unwrap()).await;
    bench.pay(&order).await.assert_status(200);
    until("the product is purged", async || purged(&receiver).last() == Some(&tag)).await;
    assert!(purged(&receiver)[1..].iter().all(|tags| *tags == tag), "{:?}", purged(&receiver));
    let admin = bench.shop.sign_in("purger", &["admin"]).await;
    let settings = bench.shop.call("GET", "/admin/settings/company/_payload.json", &admin, Value::Null).await.json();
    let texts = json!({ "name": "Reed & Sons", "email": "", "phone": "", "address": "", "legal_line": "" });
    let body = json!({ "version": settings["props"]["version"], "texts": texts });
    bench.shop.call("PUT", "/api/admin/settings/company", &admin, body).await.assert_status(204);
    until("all pages are purged", async || purged(&receiver).last().is_some_and(|tags| tags == "shop")).await;
    for told in receiver.told() {
        assert_eq!(told.header("authorization"), "Bearer token-of-the-cache");
        assert_eq!(told.json(), json!({ "tags": [told.header("surrogate-key")] }));
    }
    purger.abort();
}

async fn a_running_shop_purges_at_the_start_and_when_lists_change(shop: TestShop) {
    let receiver = Receiver::open().await;
    let mut bench = Bench::configured(shop.database, |config| purge_at(&receiver, config)).await;
    bench.stock(PIPE_TOOL, 1).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let (stop, told) = oneshot::channel::<()>();
    let server = tokio::spawn(serve(bench.shop.app.clone(), listener.into(), async move {
        let _ = told.await;
        Stop::Now
    }));
    until("all pages are purged at the start", async || purged(&receiver).iter().any(|tags| tags == "shop")).await;
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    let are_lists = |tags: &String| tags.split(' ').any(|tag| tag == "cards");
    until("lists show that it is sold out", async || purged(&receiver).iter().any(are_lists)).await;
    stop.send(()).unwrap();
    server.await.unwrap().unwrap();
}

async fn a_purge_is_repeated_until_it_is_accepted(shop: TestShop) {
    let receiver = Receiver::open().await;
    let shop = TestShop::with(shop.database, |config| purge_at(&receiver, config)).await;
    receiver.answer(503, "");
    receiver.redirect("/elsewhere");
    let app = shop.app.clone();
    let purger =
        tokio::spawn(
            async move { app.parts.purger.as_ref().unwrap().run(app.parts.catalog.changes.subscribe()).await },
        );
    until("the third try is accepted", async || receiver.told().len() == 3).await;
    assert_eq!(purged(&receiver), ["shop"; 3]);
    purger.abort();
}

async fn a_refused_purge_holds_up_no_other_change(shop: TestShop) {
    let receiver = Receiver::open().await;
    let shop = TestShop::with(shop.database, |config| purge_at(&receiver, config)).await;
    receiver.answer(200, "");
    // For longer than the test waits.
    (0..20).for_each(|_| receiver.answer(400, ""));
    let app = shop.app.clone();
    let purger =
        tokio::spawn(
            async move { app.parts.purger.as_ref().unwrap().run(app.parts.catalog.changes.subscribe()).await },
        );
    until("all pages are purged at the start", async || purged(&receiver) == ["shop"]).await;
    let changes = &shop.app.parts.catalog.changes;
    changes.note(&Change::of([Uuid::from_u128(1)]));
    until("a purge is refused", async || purged(&receiver).len() > 1).await;
    assert_eq!(purged(&receiver)[1], format!("product-{}", Uuid::from_u128(1)));
    changes.note(&Change::everything());
    until("the next change is purged", async || purged(&receiver).last().is_some_and(|tags| tags == "shop")).await;
    purger.abort();
}
