//! The cart in browsers without JavaScript: forms are answered with 303, or with the page and its validation errors.

use serde_json::{Value, json};
use shop_platform::web::extract::BODY_LIMIT;

use super::account::signed_in;
use crate::checkout::bench::{BUTANE, Bench, PAPERS, PIPE_TOOL};
use crate::support::{Answer, Browser, Test, TestShop, rounds, shop_with_provider, statements};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_guests_cart_is_kept_by_forms,
    only_the_servers_cookie_counts,
    a_page_that_answers_a_form_says_so,
    what_cannot_be_bought_is_told,
    an_edit_of_one_line_leaves_the_others_as_seen,
    a_full_cart_says_so,
    an_empty_cart_shows_what_others_buy,
    an_accounts_cart_is_kept_by_forms,
    browser_and_cookie_become_one_cart,
    a_sign_in_takes_the_guests_cart_along,
    a_cart_that_was_not_joined_stays,
    nobody_sees_anothers_cart,
    what_a_checkout_holds_is_read_once,
];

pub(super) fn guest(shop: &TestShop) -> Browser {
    let mut browser = Browser::new(shop);
    browser.pass_age_gate();
    browser
}

/// SKUs and quantities of the items to buy in the cart page, and the SKUs that are saved for later.
pub(super) async fn cart(browser: &mut Browser) -> (Vec<(String, i64)>, Vec<String>) {
    let page = browser.get("/cart").await;
    assert_eq!(page.assert_status(200).header("cache-control"), "private, no-store");
    let props = page.envelope()["props"].clone();
    for line in props["quote"]["lines"].as_array().into_iter().flatten() {
        assert!(page.root().contains(line["sku"].as_str().unwrap()), "it is rendered, not only told");
    }
    contents(&props)
}

fn contents(props: &Value) -> (Vec<(String, i64)>, Vec<String>) {
    let sku = |line: &Value| line["sku"].as_str().unwrap().to_owned();
    let lines = props["quote"]["lines"].as_array().into_iter().flatten();
    let buying = lines.map(|line| (sku(line), line["qty"].as_i64().unwrap())).collect();
    (buying, props["saved"].as_array().unwrap().iter().map(sku).collect())
}

pub(super) fn holds(pairs: &[(&str, i64)], saved: &[&str]) -> (Vec<(String, i64)>, Vec<String>) {
    let pairs = pairs.iter().map(|(sku, qty)| ((*sku).to_owned(), *qty)).collect();
    (pairs, saved.iter().map(|sku| (*sku).to_owned()).collect())
}

pub(super) fn seen(answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/cart"), "{}", answer.text());
}

/// The same of a promo code: what it takes off, or why it is refused, is in the summary.
fn seen_in_summary(answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/cart#summary"), "{}", answer.text());
}

async fn edit_by_forms(browser: &mut Browser, tool: &str, papers: &str) {
    seen(&browser.form("/cart", &[("do", "add"), ("id", tool), ("qty", "2")]).await);
    seen(&browser.form("/cart", &[("do", "add"), ("id", tool)]).await);
    seen(&browser.form("/cart", &[("do", "add"), ("id", papers)]).await);
    assert_eq!(cart(browser).await, holds(&[(PIPE_TOOL, 3), (PAPERS, 1)], &[]));
    seen(&browser.form("/cart", &[("id", papers), ("do", "set"), ("qty", "4")]).await);
    seen(&browser.form("/cart", &[("id", tool), ("do", "set:2"), ("qty", "3")]).await);
    seen(&browser.form("/cart", &[("id", tool), ("do", "set"), ("qty", "many")]).await);
    assert_eq!(cart(browser).await, holds(&[(PIPE_TOOL, 2), (PAPERS, 4)], &[]));
    seen(&browser.form("/cart", &[("id", papers), ("do", "save"), ("qty", "4")]).await);
    assert_eq!(cart(browser).await, holds(&[(PIPE_TOOL, 2)], &[PAPERS]));
    seen(&browser.form("/cart", &[("id", papers), ("do", "move")]).await);
    seen(&browser.form("/cart", &[("id", tool), ("do", "remove")]).await);
    assert_eq!(cart(browser).await, holds(&[(PAPERS, 4)], &[]));
    seen_in_summary(&browser.form("/cart", &[("do", "apply"), ("code", " welcome10")]).await);
    let page = browser.get("/cart").await;
    assert_eq!(page.envelope()["props"]["promo_code"], "WELCOME10");
    assert!(page.root().contains("<h2 id=\"summary\""));
    let long = browser.form("/cart", &[("do", "apply"), ("code", &"X".repeat(41))]).await;
    let props = long.assert_status(422).envelope()["props"].clone();
    assert_eq!(
        (&props["problems"], &props["promo_code"]),
        (&json!(["A code can have at most 40 characters."]), &json!("WELCOME10"))
    );
    assert_eq!(browser.get("/cart").await.envelope()["props"]["promo_code"], "WELCOME10", "the former code stays");
    seen_in_summary(&browser.form("/cart", &[("do", "drop")]).await);
    assert!(browser.get("/cart").await.envelope()["props"]["promo_code"].is_null());
    seen(&browser.form("/cart", &[("id", papers), ("do", "set:0")]).await);
    assert_eq!(cart(browser).await, holds(&[], &[]));
}

async fn a_guests_cart_is_kept_by_forms(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let (tool, papers) = (bench.variant(PIPE_TOOL).await.to_string(), bench.variant(PAPERS).await.to_string());
    let mut browser = guest(&bench.shop);
    edit_by_forms(&mut browser, &tool, &papers).await;
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    bench.shop.clock.advance(7 * 24 * 60 * 60 * 1000);
    assert_eq!(bench.shop.get("/healthz").await.status, 200);
    let mut later = guest(&bench.shop);
    later.cookies.insert("cart".to_owned(), browser.cookies["cart"].clone());
    assert_eq!(cart(&mut later).await, holds(&[], &[]), "it is kept for seven days");
}

async fn an_accounts_cart_is_kept_by_forms(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let (tool, papers) = (bench.variant(PIPE_TOOL).await.to_string(), bench.variant(PAPERS).await.to_string());
    let mut browser = guest(&bench.shop);
    let session = bench.shop.sign_in("forms", &["customer"]).await;
    browser.cookies.insert("session".to_owned(), session.trim_start_matches("session=").to_owned());
    edit_by_forms(&mut browser, &tool, &papers).await;
    assert!(!browser.cookies.contains_key("cart"), "an account's cart is in the database");
    assert!(browser.get("/cart").await.root().contains("Items you add stay in your account."));
}

async fn only_the_servers_cookie_counts(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let mut browser = guest(&bench.shop);
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let cookie = browser.cookies["cart"].clone();
    for forged in
        [cookie.replace('.', ".1"), cookie[..cookie.len() - 1].to_owned(), format!("{cookie}9"), "x".to_owned()]
    {
        browser.cookies.insert("cart".to_owned(), forged);
        assert_eq!(cart(&mut browser).await, holds(&[], &[]));
    }
    // All signed cookies share one key, but the signature of one must not be valid for another.
    let age = browser.cookies["age"].clone();
    browser.cookies.insert("cart".to_owned(), age.clone());
    assert_eq!(cart(&mut browser).await, holds(&[], &[]));
    browser.cookies.insert("age".to_owned(), cookie.clone());
    assert_eq!(browser.get("/cart").await.envelope()["shared"]["age_verified"], false);
    browser.cookies.insert("age".to_owned(), age);
    browser.cookies.insert("cart".to_owned(), cookie);
    assert_eq!(cart(&mut browser).await, holds(&[(PIPE_TOOL, 1)], &[]));
    let large = "x".repeat(BODY_LIMIT);
    for path in ["/cart", "/checkout", "/checkout/confirm"] {
        let fields = [("do", "add"), ("id", tool.as_str()), ("link", "x"), ("checkout_id", &tool), ("click_id", &tool)];
        let answer = bench.shop.form(path, &browser.cookie_line(), "cross-site", &fields).await;
        assert_eq!(answer.status, 403, "another site's form changes nothing: {path}");
        assert!(!answer.headers.contains_key("set-cookie"));
        // Nor is it read.
        for (site, status) in [("cross-site", 403), ("same-origin", 413)] {
            bench.shop.form(path, &browser.cookie_line(), site, &[("do", &large)]).await.assert_status(status);
        }
    }
}

/// Where the code does not load, browsers load the page again, which would send the form again.
async fn a_page_that_answers_a_form_says_so(shop: TestShop) {
    let says_so = |answer: &Answer| answer.text().contains("<html lang=\"en\" data-once=\"1\"><head>");
    let mut browser = guest(&shop);
    let long = browser.form("/cart", &[("do", "apply"), ("code", &"X".repeat(41))]).await;
    assert!(says_so(long.assert_status(422)));
    let malformed = browser.form("/cart", &[("do", "fly")]).await;
    assert!(says_so(malformed.assert_status(400)), "an error page, too");
    assert!(!says_so(browser.get("/cart").await.assert_status(200)));
}

async fn what_cannot_be_bought_is_told(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 3).await;
    bench.stock(PAPERS, 0).await;
    let (tool, papers) = (bench.variant(PIPE_TOOL).await.to_string(), bench.variant(PAPERS).await.to_string());
    let mut browser = guest(&bench.shop);
    let few = browser.form("/cart", &[("do", "add"), ("id", &tool), ("qty", "5")]).await;
    assert_eq!(
        few.assert_status(422).envelope()["props"]["problems"],
        json!(["Only 3 of “Three-Way Pipe Tool” left."])
    );
    assert!(few.root().contains("Only 3 of"));
    let none = browser.form("/cart", &[("do", "add"), ("id", &papers)]).await;
    assert!(none.assert_status(422).envelope()["props"]["problems"][0].as_str().unwrap().contains("sold out"));
    let unknown = uuid::Uuid::now_v7().to_string();
    let gone = browser.form("/cart", &[("do", "add"), ("id", &unknown)]).await;
    assert_eq!(
        gone.assert_status(422).envelope()["props"]["problems"],
        json!(["This item is no longer available."]),
        "it was not in the cart"
    );
    assert_eq!(cart(&mut browser).await, holds(&[(PIPE_TOOL, 3)], &[]));
    // What is sold out for a while, or saved for later, keeps its quantity.
    bench.stock(PIPE_TOOL, 0).await;
    browser.form("/cart", &[("do", "add"), ("id", &tool)]).await.assert_status(422);
    seen(&browser.form("/cart", &[("do", "save"), ("id", &tool)]).await);
    bench.stock(PIPE_TOOL, 3).await;
    seen(&browser.form("/cart", &[("do", "move"), ("id", &tool)]).await);
    assert_eq!(cart(&mut browser).await, holds(&[(PIPE_TOOL, 3)], &[]));
    for malformed in [&[("do", "add")][..], &[("do", "dance"), ("id", &tool)], &[("do", "add"), ("id", "1")], &[]] {
        browser.form("/cart", malformed).await.assert_status(400);
    }
}

/// What the cart's page says about changed stock and prices.
async fn told(browser: &mut Browser) -> Vec<String> {
    let props = browser.get("/cart").await.envelope()["props"].clone();
    let changes = props["quote"]["changes"].as_array().unwrap();
    changes.iter().map(|change| change["message"].as_str().unwrap().to_owned()).collect()
}

async fn an_edit_of_one_line_leaves_the_others_as_seen(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    let variants = [bench.variant(PIPE_TOOL).await, bench.variant(BUTANE).await, bench.variant(PAPERS).await];
    let ids = variants.map(|id| id.to_string());
    let session = bench.shop.sign_in("forms", &["customer"]).await;
    let mut browsers = [guest(&bench.shop), guest(&bench.shop)];
    browsers[1].cookies.insert("session".to_owned(), session.trim_start_matches("session=").to_owned());
    for browser in &mut browsers {
        for (id, qty) in ids.iter().zip(["5", "1", "1"]) {
            seen(&browser.form("/cart", &[("do", "add"), ("id", id), ("qty", qty)]).await);
        }
    }
    bench.stock(PIPE_TOOL, 3).await;
    bench.execute("UPDATE product_variants SET price = price + 1000 WHERE sku = 'TWT-SIN'").await;
    for browser in &mut browsers {
        let before = told(browser).await;
        assert!(before[0].starts_with("Only 3 of") && before[1].starts_with("The price of"), "{before:?}");
        seen(&browser.form("/cart", &[("do", "add"), ("id", &ids[1])]).await);
        seen_in_summary(&browser.form("/cart", &[("do", "apply"), ("code", "NONE")]).await);
        seen_in_summary(&browser.form("/cart", &[("do", "drop")]).await);
        assert_eq!(told(browser).await, before);
    }
    bench.stock(PIPE_TOOL, 9).await;
    bench.execute("UPDATE product_variants SET archived_at = 1 WHERE sku = 'UPK-ONBO'").await;
    for browser in &mut browsers {
        let removed = browser.form("/cart", &[("do", "add"), ("id", &ids[1])]).await;
        let problems = removed.assert_status(422).envelope()["props"]["problems"].clone();
        assert_eq!(problems, json!(["An item in your cart is no longer available and was removed."]));
        assert_eq!(cart(browser).await, holds(&[(PIPE_TOOL, 5), (BUTANE, 3)], &[]));
        seen(&browser.form("/cart", &[("do", "set:4"), ("id", &ids[0])]).await);
        assert_eq!(told(browser).await, [""; 0], "who changes a line sees its price");
    }
}

async fn a_full_cart_says_so(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let tool = bench.variant(PIPE_TOOL).await;
    let others: Vec<uuid::Uuid> = {
        let mut reader = bench.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        const SQL: &str = "SELECT id FROM product_variants WHERE id <> $1 ORDER BY id LIMIT 100";
        shop_base::sql!(&mut conn, c => sqlx::query_scalar(SQL).bind(tool).fetch_all(c).await).unwrap()
    };
    let mut browser = guest(&bench.shop);
    let items: Vec<Value> = others.iter().map(|id| json!({ "id": id, "qty": 1 })).collect();
    let full = browser.call("POST", "/api/cart/guest", json!({ "items": items })).await.assert_status(200).json();
    assert_eq!(full["items"].as_array().unwrap().len(), 100);
    assert!(browser.cookies["cart"].len() < 4_000, "browsers keep 4,096 bytes, attributes included");
    let refused = browser.form("/cart", &[("do", "add"), ("id", &tool.to_string())]).await;
    let problems = refused.assert_status(422).envelope()["props"]["problems"].clone();
    assert_eq!(problems, json!(["Your cart is full. Remove an item to add “Three-Way Pipe Tool”."]));
    let lines = browser.get("/cart").await.envelope()["props"]["quote"]["lines"].as_array().unwrap().clone();
    assert_eq!(lines.len(), 100);
    assert!(lines.iter().all(|line| line["sku"] != PIPE_TOOL));
}

async fn an_empty_cart_shows_what_others_buy(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let mut browser = guest(&bench.shop);
    let empty = browser.get("/cart").await;
    assert!(empty.root().contains("Items you add stay here for seven days."));
    let popular = empty.assert_status(200).envelope()["props"]["popular"].as_array().unwrap().clone();
    assert_eq!(popular.len(), 6);
    for card in &popular {
        let link = format!("<a href=\"{}\">", card["href"].as_str().unwrap());
        assert!(empty.root().contains(&link), "{link} is rendered, not only told");
    }
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    assert_eq!(browser.get("/cart").await.envelope()["props"]["popular"], json!([]));
    seen(&browser.form("/cart", &[("do", "save"), ("id", &tool)]).await);
    assert_eq!(browser.get("/cart").await.envelope()["props"]["popular"].as_array().unwrap().len(), 6);
    // What is no longer sold does not go without a word.
    seen(&browser.form("/cart", &[("do", "move"), ("id", &tool)]).await);
    bench.execute("UPDATE product_variants SET archived_at = 1 WHERE sku = 'TWT-SIN'").await;
    let gone = browser.get("/cart").await;
    assert!(gone.assert_status(200).root().contains("An item in your cart is no longer available and was removed."));
    assert_eq!(gone.envelope()["props"]["popular"].as_array().unwrap().len(), 6);
}

async fn browser_and_cookie_become_one_cart(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let (tool, papers) = (bench.variant(PIPE_TOOL).await.to_string(), bench.variant(PAPERS).await.to_string());
    let mut browser = guest(&bench.shop);
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let body = json!({ "items": [{ "id": papers, "qty": 2 }], "promo_code": "welcome10" });
    let merged = browser.call("POST", "/api/cart/guest", body).await.assert_status(200).json();
    assert_eq!(merged["items"].as_array().unwrap().len(), 2, "neither knew of the other's");
    assert_eq!(cart(&mut browser).await, holds(&[(PIPE_TOOL, 1), (PAPERS, 2)], &[]));
    // The browser removes an item that both carts contain.
    let body = json!({ "items": [{ "id": tool, "qty": 1 }], "base": merged["items"] });
    browser.call("POST", "/api/cart/guest", body.clone()).await.assert_status(200);
    assert_eq!(cart(&mut browser).await, holds(&[(PIPE_TOOL, 1)], &[]));
    // A form's code, of which the browser does not know, stays when it only looks.
    seen_in_summary(&browser.form("/cart", &[("do", "apply"), ("code", "welcome10")]).await);
    let mut look = json!({ "items": body["items"], "base": body["items"], "keeps_code": true });
    let looked = browser.call("POST", "/api/cart/guest", look.clone()).await.assert_status(200).json();
    assert_eq!(looked["promo_code"], "WELCOME10");
    assert_eq!(browser.get("/cart").await.envelope()["props"]["promo_code"], "WELCOME10");
    look["keeps_code"] = json!(false);
    let removed = browser.call("POST", "/api/cart/guest", look).await.assert_status(200).json();
    assert_eq!(removed["promo_code"], Value::Null);
    // A missing cookie, or one signed with a previous key, removes nothing.
    browser.cookies.remove("cart");
    browser.call("POST", "/api/cart/guest", body).await.assert_status(200);
    assert_eq!(cart(&mut browser).await, holds(&[(PIPE_TOOL, 1)], &[]));
    let session = bench.shop.sign_in("forms-guest", &["customer"]).await;
    bench.shop.call("POST", "/api/cart/guest", &session, json!({ "items": [] })).await.assert_problem(409, "signed_in");
}

async fn a_sign_in_takes_the_guests_cart_along(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let id = {
        let mut reader = shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        let found: uuid::Uuid = shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM product_variants WHERE sku = $1").bind(PIPE_TOOL).fetch_one(c).await).unwrap();
        found.to_string()
    };
    let mut browser = guest(&shop);
    seen(&browser.form("/cart", &[("do", "add"), ("id", &id), ("qty", "2")]).await);
    let stock = async |there: i64| {
        let mut tx = shop.app.db.begin().await.unwrap();
        let mut conn = tx.conn();
        shop_base::sql!(&mut conn, c => sqlx::query("UPDATE stock_levels SET on_hand = $1").bind(there).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
    };
    stock(1).await;
    browser.sign_in("demo-shopper").await;
    assert!(!browser.cookies.contains_key("cart"));
    assert_eq!(told(&mut browser).await, ["Only 1 of “Three-Way Pipe Tool” left."]);
    stock(9).await;
    assert_eq!(cart(&mut browser).await, holds(&[(PIPE_TOOL, 2)], &[]));
}

async fn a_cart_that_was_not_joined_stays(shop: TestShop) {
    // Of its own: nobody else needs the table.
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let execute = async |statement: &'static str| {
        let mut tx = shop.app.db.begin().await.unwrap();
        shop_base::sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
    };
    let id = {
        let mut reader = shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        const SQL: &str = "SELECT id FROM product_variants WHERE sku = $1";
        let found: uuid::Uuid =
            shop_base::sql!(&mut conn, c => sqlx::query_scalar(SQL).bind(PIPE_TOOL).fetch_one(c).await).unwrap();
        found.to_string()
    };
    let mut browser = guest(&shop);
    seen(&browser.form("/cart", &[("do", "add"), ("id", &id), ("qty", "2")]).await);
    execute("ALTER TABLE cart_items RENAME TO away").await;
    browser.sign_in("demo-shopper").await;
    execute("ALTER TABLE away RENAME TO cart_items").await;
    assert!(browser.cookies.contains_key("session"), "the sign-in succeeds");
    let kept = browser.cookies["cart"].clone();
    browser.sign_in("demo-shopper").await;
    assert!(!browser.cookies.contains_key("cart"));
    assert_eq!(cart(&mut browser).await, holds(&[(PIPE_TOOL, 2)], &[]));
    // With scripts the first sync joins it, also if the browser holds nothing of it, and what is removed since does not come back.
    seen(&browser.form("/cart", &[("do", "remove"), ("id", &id)]).await);
    browser.cookies.insert("cart".to_owned(), kept);
    let body = json!({ "items": [] });
    let synced = browser.call("POST", "/api/cart/sync", body).await.assert_status(200).json();
    assert_eq!((&synced["items"][0]["id"], &synced["items"][0]["qty"]), (&json!(id), &json!(2)));
    assert!(!browser.cookies.contains_key("cart"));
    seen(&browser.form("/cart", &[("do", "remove"), ("id", &id)]).await);
    browser.sign_in("demo-shopper").await;
    assert_eq!(cart(&mut browser).await, holds(&[], &[]));
}

/// Every visitor has a different cart, and no response contains anything of another's, in whatever order they visit.
async fn nobody_sees_anothers_cart(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let goods: Vec<(&str, String)> = {
        let mut goods = Vec::new();
        for sku in [PIPE_TOOL, PAPERS, "SBB", "CF9-40"] {
            goods.push((sku, bench.variant(sku).await.to_string()));
        }
        goods
    };
    let mut visitors = vec![(guest(&bench.shop), None)];
    for (at, (sku, id)) in goods.iter().enumerate() {
        let mut browser = guest(&bench.shop);
        if at % 2 == 1 {
            let session = bench.shop.sign_in(&format!("forms-{at}"), &["customer"]).await;
            browser.cookies.insert("session".to_owned(), session.trim_start_matches("session=").to_owned());
        }
        seen(&browser.form("/cart", &[("do", "add"), ("id", id)]).await);
        visitors.push((browser, Some(*sku)));
    }
    let paths = ["/cart", "/cart/_payload.json", "/checkout", "/checkout/_payload.json", "/", "/products"];
    for round in 0..rounds(300, 10_000) {
        // Visits every pair of visitor and path, in an order that does not repeat quickly.
        let path = paths[round * 7 % paths.len()];
        let count = visitors.len();
        let (browser, own) = &mut visitors[(round * 3 + round / 5) % count];
        let answer = browser.get(path).await;
        let text = answer.assert_status(200).text();
        let is_cart = path.starts_with("/c");
        for (sku, id) in goods.iter().filter(|_| is_cart) {
            assert_eq!(text.contains(id.as_str()), *own == Some(*sku), "{path} of who has {own:?} tells of {sku}");
        }
        assert_eq!(
            answer.header("cache-control") == "private, no-store",
            is_cart || browser.session().is_some(),
            "{path}"
        );
    }
}

async fn what_a_checkout_holds_is_read_once(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 1).await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let mut browser = signed_in(&bench.shop, "forms-held").await;
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let mut body = bench.order(PIPE_TOOL, 1).await;
    body["source_id"] = json!("cnon:card-nonce-declined");
    browser.call("POST", "/api/checkout/pay", body).await.assert_problem(402, "declined");
    let shown = browser.get("/cart").await.assert_status(200).envelope()["props"].clone();
    assert_eq!(shown["quote"]["problems"], json!([]), "the last piece is held for this cart");
    let (page, ran) = statements::of(browser.get("/cart")).await;
    page.assert_status(200);
    assert!(ran.len() <= 9, "session, cart, checkout, goods, rules and ways to ship: {ran:#?}");
    let (_, taken) = statements::takings(browser.get("/cart")).await;
    assert_eq!(taken, 2, "one for the session, one for the page");
    let (answer, taken) = statements::takings(browser.call("GET", "/api/cart", Value::Null)).await;
    answer.assert_status(200);
    assert_eq!(taken, 2, "one for the session, one for the call");
    // It also counts for what is saved for later.
    seen(&browser.form("/cart", &[("do", "save"), ("id", &tool)]).await);
    let shown = browser.get("/cart").await.assert_status(200).envelope()["props"].clone();
    assert_eq!((&shown["saved"][0]["sku"], &shown["saved"][0]["max_quantity"]), (&json!(PIPE_TOOL), &json!(1)));
    // The page of an empty cart reads nothing.
    let (page, taken) = statements::takings(guest(&bench.shop).get("/cart")).await;
    page.assert_status(200);
    assert_eq!(taken, 0);
}
