//! Pages that are kept show each visitor only their own data, and never what has changed since.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::Value;
use shop_domain::catalog::changes::Change;
use shop_http::page::turns::Turns;
use tokio::sync::{SemaphorePermit, watch};
use tokio::task::JoinSet;

use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::reports::execute;
use crate::support::{Answer, Test, TestShop, payload_of, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    mixed_requests_show_nobody_elses_data,
    a_signed_in_visitor_gets_the_kept_page,
    an_ended_session_is_noticed,
    a_list_is_kept_when_it_is_asked_for_again,
    an_answer_to_head_has_no_body,
    a_page_is_kept_under_what_it_was_made_of,
    a_page_is_rendered_once_for_all_who_wait,
    a_change_during_the_wait_costs_one_page,
    a_page_that_fails_once_stays_kept,
    a_sale_shows_at_once_and_leaves_other_pages_kept,
    sales_leave_the_pages_of_other_products_kept,
    a_flood_of_new_pages_leaves_the_others_alone,
    addresses_of_nothing_take_turns_too,
    a_redirect_takes_turns_too,
];

const VISITORS: usize = 12;
const TASKS: usize = 8;
/// On each database: ten thousand in all.
const REQUESTS: usize = 5_000;

/// One of the visitors: nobody, or a user whose subject, name and email contain `mark`.
struct Visitor {
    cookies: String,
    mark: Option<String>,
    verified: bool,
}

async fn visitors(shop: &TestShop) -> Vec<Visitor> {
    let mut all = Vec::new();
    for at in 0..VISITORS {
        let mark = (at % 4 > 0).then(|| format!("reader-{at:02}-x"));
        let verified = at % 3 > 0;
        let session = match &mark {
            Some(mark) => shop.sign_in(mark, &[["customer", "admin"][at % 2]]).await,
            None => String::new(),
        };
        let age = if verified { shop.age_cookie() } else { String::new() };
        all.push(Visitor { cookies: format!("{session}; {age}"), mark, verified });
    }
    all
}

/// HTTP/2 does not leave it out by itself.
async fn an_answer_to_head_has_no_body(shop: TestShop) {
    for _ in 0..2 {
        shop.get("/products").await.assert_status(200);
    }
    let page = shop.get("/products").await;
    let head = shop.head("/products").await;
    for answer in [&page, &head] {
        assert!(answer.header("server-timing").contains("hit"));
    }
    assert_eq!((head.header("content-length"), head.body.len()), (page.body.len().to_string().as_str(), 0));
}

async fn mixed_requests_show_nobody_elses_data(shop: TestShop) {
    // Of its own: in the shared shop other tests have pages dropped and sessions forgotten.
    let shop = TestShop::with(shop.database, |_| {}).await;
    let product = shop.app.parts.catalog.listing().listed().next().unwrap().path.clone();
    let paths = ["/", "/products", "/category/pipes", "/products?q=briar", "/content/legal/privacy-policy", &product];
    let paths: Vec<String> = paths.into_iter().flat_map(|path| [path.to_owned(), payload_of(path)]).collect();
    let visitors = visitors(&shop).await;
    let together = Arc::new((shop, visitors, paths));
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        let together = Arc::clone(&together);
        tasks.spawn(async move {
            let (shop, visitors, paths) = together.as_ref();
            let mut hits = 0;
            for request in 0..REQUESTS / TASKS {
                // Neighbors in time are different visitors of the same page.
                let visitor = &visitors[(request + task) % VISITORS];
                let path = &paths[(request / VISITORS + task / 2) % paths.len()];
                let answer = shop.call("GET", path, &visitor.cookies, Value::Null).await;
                check(visitor, path, &answer);
                hits += usize::from(answer.header("server-timing").contains("hit"));
            }
            hits
        });
    }
    let hits: usize = tasks.join_all().await.into_iter().sum();
    assert!(hits > REQUESTS * 9 / 10, "{hits}");
}

fn check(visitor: &Visitor, path: &str, answer: &Answer) {
    let text = answer.text();
    let own = visitor.mark.as_deref();
    assert_eq!(answer.status, 200, "{path}: {text}");
    for shown in text.match_indices("reader-").map(|(at, _)| &text[at..at + 11]) {
        assert_eq!(Some(shown), own, "{path}");
    }
    assert_eq!(own.is_some_and(|own| text.contains(own)), own.is_some(), "{path}");
    assert_eq!(text.contains("\"age_verified\":true"), visitor.verified, "{path}");
    let cache = answer.header("cache-control");
    assert_eq!(cache, if own.is_some() { "private, no-store" } else { "private, no-cache" }, "{path}");
}

async fn a_signed_in_visitor_gets_the_kept_page(shop: TestShop) {
    // Of its own: in the shared shop other tests have pages kept and dropped.
    let shop = TestShop::with(shop.database, |_| {}).await;
    let of =
        async |subject: &str, roles: &[&str]| format!("{}; {}", shop.sign_in(subject, roles).await, shop.age_cookie());
    let (ada, bo) = (of("ada", &["customer"]).await, of("bo", &["admin"]).await);
    let get = async |cookies: &str| shop.call("GET", "/products", cookies, Value::Null).await;
    // About the second visitor there is no HTML yet, but the page itself is rendered without any visitor's data.
    let first = get(&ada).await;
    assert!(!first.header("server-timing").contains("hit"));
    assert!(!get(&bo).await.header("server-timing").contains("hit"));
    for (cookies, subject) in [(&ada, "ada"), (&bo, "bo"), (&ada, "ada")] {
        let answer = get(cookies).await;
        assert!(answer.header("server-timing").contains("hit"), "{subject}");
        assert_eq!(answer.envelope()["shared"]["user"]["sub"], subject);
        assert_eq!(answer.text().contains("href=\"/admin/overview\""), subject == "bo");
        assert!(!answer.header("etag").contains("W/"));
    }
    assert_eq!(get(&ada).await.text(), first.text());
}

fn timing(answer: &Answer) -> String {
    answer.header("server-timing").to_owned()
}

async fn an_ended_session_is_noticed(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let other_node = shop.another_node().await;
    let kept = shop.sign_in("ada", &["customer"]).await;
    let user = async |cookies: &str| {
        let answer = shop.call("GET", "/products", cookies, Value::Null).await;
        (timing(&answer) == "cache;desc=hit", answer.envelope()["shared"]["user"].clone())
    };
    for (node, ms) in [(&shop, 0), (&other_node, 5_000)] {
        let ended = shop.sign_in("ada", &["customer"]).await;
        let (_, shown) = user(&ended).await;
        assert_eq!(user(&ended).await, (true, shown.clone()));
        assert_eq!(shown["sub"], "ada");
        node.call("DELETE", "/api/me/sessions", &kept, Value::Null).await.assert_status(204);
        shop.clock.advance(ms);
        assert_eq!(user(&ended).await.1, Value::Null);
        assert_eq!(user(&kept).await.1, shown);
    }
}

async fn a_list_is_kept_when_it_is_asked_for_again(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    for cookies in [shop.age_cookie(), shop.sign_in("ada", &["customer"]).await] {
        for (request, is_kept) in [false, false, true, true].into_iter().enumerate() {
            let answer = shop.call("GET", "/products?sort=name", &cookies, Value::Null).await;
            assert_eq!(timing(&answer) == "cache;desc=hit", is_kept, "{request}");
        }
    }
}

async fn a_page_is_kept_under_what_it_was_made_of(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let unrelated = "a&".repeat(200);
    for _ in 0..3 {
        shop.get_verified(&format!("/products?{unrelated}page=2")).await.assert_status(200);
    }
    let page = shop.get_verified("/products?page=2").await.assert_status(200).envelope();
    let first = shop.get_verified("/products").await.assert_status(200).envelope();
    assert_eq!(page["url"], "/products?page=2");
    assert_ne!(page["props"]["items"], first["props"]["items"]);
    assert!(page["props"]["items"].is_array());
}

async fn a_page_is_rendered_once_for_all_who_wait(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let turns = Arc::clone(&shop.app.parts.turns);
    let list = "/products?sort=newest";
    // A list like this is kept if somebody has asked for it before.
    shop.get_verified(list).await.assert_status(200);
    let taken = take_all(&turns.new).await;
    let mut visits = JoinSet::new();
    for _ in 0..32 {
        let shop = shop.clone();
        visits.spawn(async move { timing(shop.get_verified(list).await.assert_status(200)) });
    }
    until("one waits for its turn, and the others for its page", async || turns.new.waiting() == 1).await;
    drop(taken);
    let timings = visits.join_all().await;
    let rendered = timings.iter().filter(|timing| timing.contains("render;dur=")).count();
    let kept = timings.iter().filter(|timing| *timing == "cache;desc=hit").count();
    assert_eq!((rendered, kept), (1, 31), "{timings:?}");
}

/// All turns at making pages.
async fn take_all(turns: &Turns) -> Vec<Option<SemaphorePermit<'_>>> {
    let mut taken = Vec::new();
    loop {
        tokio::select! {
            turn = turns.take() => taken.push(turn),
            () = until("no turn is left", async || turns.waiting() == 1) => return taken,
        }
    }
}

async fn a_change_during_the_wait_costs_one_page(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let turns = Arc::clone(&shop.app.parts.turns);
    let taken = take_all(&turns.new).await;
    let mut visits = JoinSet::new();
    for _ in 0..8 {
        let shop = shop.clone();
        visits.spawn(async move { timing(shop.get_verified("/products").await.assert_status(200)) });
    }
    until("one waits for its turn, and the others for its page", async || turns.new.waiting() == 1).await;
    shop.app.parts.catalog.changes.note(&Change::everything());
    shop.clock.advance(1_000);
    drop(taken);
    let timings = visits.join_all().await;
    let rendered = timings.iter().filter(|timing| timing.contains("render;dur=")).count();
    let kept = timings.iter().filter(|timing| *timing == "cache;desc=hit").count();
    assert_eq!((rendered, kept), (1, 7), "{timings:?}");
    assert_eq!(timing(&shop.get_verified("/products").await), "cache;desc=hit");
}

async fn a_page_that_fails_once_stays_kept(shop: TestShop) {
    // Of its own: nobody else needs the table.
    let shop = TestShop::with(shop.database, |_| {}).await;
    let path = shop.app.parts.catalog.listing().listed().next().unwrap().path.clone();
    shop.get(&path).await.assert_status(200);
    execute(&shop, "ALTER TABLE related_products RENAME TO away").await;
    shop.app.parts.catalog.changes.note(&Change::everything());
    shop.get(&path).await.assert_status(500);
    execute(&shop, "ALTER TABLE away RENAME TO related_products").await;
    assert_eq!(timing(shop.get(&path).await.assert_status(200)), "cache;desc=confirmed");
}

/// The path of the page of a product, and those of all others.
async fn product_paths(bench: &Bench, sku: &str) -> (String, Vec<String>) {
    let quote = bench.quote(&bench.order(sku, 1).await).await;
    let own = quote["lines"][0]["href"].as_str().unwrap().split('?').next().unwrap().to_owned();
    let listing = bench.shop.app.parts.catalog.listing();
    let others = listing.listed().map(|listed| listed.path.clone()).filter(|path| *path != own).collect();
    (own, others)
}

async fn a_sale_shows_at_once_and_leaves_other_pages_kept(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 2).await;
    let (own, others) = product_paths(&bench, PIPE_TOOL).await;
    let get = async |path: &str| bench.shop.get_verified(path).await;
    let legal = "/content/legal/privacy-policy";
    for path in [own.as_str(), &others[0], "/products", legal] {
        assert!(timing(get(path).await.assert_status(200)).contains("render;dur="), "{path}");
    }
    let former = get(legal).await;
    bench.pay(&bench.order(PIPE_TOOL, 2).await).await.assert_status(200);
    let sold_out = get(&own).await;
    assert!(timing(&sold_out).contains("render;dur="), "it shows something else");
    assert!(sold_out.text().contains("Sold out"));
    for path in [others[0].as_str(), "/products", legal] {
        assert_eq!(timing(&get(path).await), "cache;desc=hit", "{path}");
    }
    // What follows the sale: lists show it, too.
    assert!(bench.shop.app.parts.catalog.refresh().await.unwrap());
    bench.shop.app.parts.catalog.changes.note(&Change::everything());
    assert!(timing(&get("/products").await).contains("render;dur="));
    let confirmed = get(legal).await;
    assert_eq!(timing(&confirmed), "cache;desc=confirmed");
    assert_eq!(confirmed.header("etag"), former.header("etag"));
    assert!(!bench.shop.app.parts.catalog.refresh().await.unwrap(), "nothing changed since");
}

async fn sales_leave_the_pages_of_other_products_kept(shop: TestShop) {
    /// For each sale; at 50 sales a second, a thousand requests a second.
    const REQUESTS: usize = 20;
    const SALES: usize = 50;
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 1_000).await;
    let (own, mut paths) = product_paths(&bench, PIPE_TOOL).await;
    paths.truncate(60);
    paths.extend(
        ["/", "/products", "/products?page=2", "/category/pipes", "/content/legal/privacy-policy"].map(String::from),
    );
    let app = bench.shop.app.clone();
    let follower = tokio::spawn(async move { app.parts.catalog.follow().await });
    for path in &paths {
        bench.shop.get_verified(path).await.assert_status(200);
    }
    let (mut kept, mut own_kept) = (0, 0);
    for sale in 0..SALES {
        bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
        for request in 0..REQUESTS {
            let path = &paths[(sale * REQUESTS + request) % paths.len()];
            kept += usize::from(timing(&bench.shop.get_verified(path).await) == "cache;desc=hit");
        }
        own_kept += usize::from(timing(&bench.shop.get_verified(&own).await) == "cache;desc=hit");
    }
    follower.abort();
    assert!(kept * 100 > SALES * REQUESTS * 95, "{kept} of {}", SALES * REQUESTS);
    assert_eq!(own_kept, 0, "the product's own page is read again after each sale");
}

async fn a_flood_of_new_pages_leaves_the_others_alone(shop: TestShop) {
    // Of its own: nobody else is to wait.
    let shop = TestShop::with(shop.database, |_| {}).await;
    shop.get("/products").await.assert_status(200);
    let (end, ended) = watch::channel(());
    let mut flood = JoinSet::new();
    for _ in 0..2_000 {
        let (turns, mut ended) = (Arc::clone(&shop.app.parts.turns), ended.clone());
        flood.spawn(async move {
            match turns.new.take().await {
                Some(_turn) => ended.changed().await.is_ok(),
                None => false,
            }
        });
    }
    assert!(!flood.join_next().await.unwrap().unwrap(), "some are turned away");
    let refused = shop.get("/products?max_price=77").await;
    assert_eq!(refused.assert_status(503).header("retry-after"), "5");
    assert!(refused.text().contains("very busy"));
    let refused = shop.get(&payload_of("/products?max_price=77")).await;
    assert_eq!(refused.assert_status(503).json()["code"], "unavailable");
    assert!(timing(&shop.get("/products").await).contains("hit"));
    shop.get("/cart").await.assert_status(200);
    // Whether a kept page is still true is found out in between.
    shop.clock.advance(30_000);
    assert_eq!(timing(shop.get("/products").await.assert_status(200)), "cache;desc=confirmed");
    shop.app.parts.catalog.changes.note(&Change::everything());
    shop.get("/products").await.assert_status(200);
    shop.get("/products?max_price=77").await.assert_status(503);
    end.send(()).unwrap();
    while flood.join_next().await.is_some() {}
    shop.get("/products?max_price=77").await.assert_status(200);
}

async fn addresses_of_nothing_take_turns_too(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let turns = Arc::clone(&shop.app.parts.turns);
    let taken = take_all(&turns.new).await;
    let mut visits = JoinSet::new();
    for number in 0..300 {
        let shop = shop.clone();
        visits.spawn(async move { shop.get(&format!("/no/such/page/{number}")).await });
    }
    let refused = visits.join_next().await.unwrap().unwrap();
    assert_eq!(refused.assert_status(503).header("retry-after"), "5");
    let invented = Request::get("/cart").header(header::AUTHORIZATION, "Bearer of-nobody").body(Body::empty()).unwrap();
    shop.send(invented).await.assert_status(503);
    let customer = shop.sign_in("a-curious-customer", &["customer"]).await;
    let forbidden = async || shop.call("GET", "/admin/overview", &customer, Value::Null).await;
    forbidden().await.assert_status(503);
    shop.get("/cart").await.assert_status(200);
    shop.get("/api/no-such-call").await.assert_status(404);
    drop(taken);
    let statuses: Vec<u16> = visits.join_all().await.iter().map(|answer| answer.status.as_u16()).collect();
    forbidden().await.assert_status(403);
    assert!(statuses.contains(&404) && statuses.iter().all(|status| [404, 503].contains(status)), "{statuses:?}");
}

/// Each request for it asks the database, since it is not kept.
async fn a_redirect_takes_turns_too(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let turns = Arc::clone(&shop.app.parts.turns);
    let id = shop.app.parts.catalog.listing().listed().next().unwrap().card.id;
    shop.get(&format!("/product/{id}")).await.assert_status(301);
    let taken = take_all(&turns.new).await;
    let mut visits = JoinSet::new();
    for _ in 0..300 {
        let shop = shop.clone();
        visits.spawn(async move { shop.get(&format!("/product/{id}")).await });
    }
    let refused = visits.join_next().await.unwrap().unwrap();
    assert_eq!(refused.assert_status(503).header("retry-after"), "5");
    drop(taken);
    let statuses: Vec<u16> = visits.join_all().await.iter().map(|answer| answer.status.as_u16()).collect();
    assert!(statuses.contains(&301) && statuses.iter().all(|status| [301, 503].contains(status)), "{statuses:?}");
}
