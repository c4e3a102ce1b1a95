//! Cart and checkout in browsers without JavaScript: forms are answered with 303, or with the page and its validation errors.

use serde_json::{Value, json};

use crate::checkout::bench::{BUTANE, Bench, PAPERS, PIPE_TOOL};
use crate::checkout::emails::{emails, open};
use crate::support::{Answer, Browser, Test, TestShop, rounds, shop_with_provider};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_guests_cart_is_kept_by_forms,
    only_the_servers_cookie_counts,
    what_cannot_be_bought_is_told,
    an_edit_of_one_line_leaves_the_others_as_seen,
    a_full_cart_says_so,
    an_empty_cart_shows_what_others_buy,
    an_accounts_cart_is_kept_by_forms,
    browser_and_cookie_become_one_cart,
    a_sign_in_takes_the_guests_cart_along,
    nobody_sees_anothers_cart,
    a_shopper_orders_without_scripts,
    a_guest_orders_without_scripts,
    what_is_missing_stands_beside_what_was_typed,
    what_was_typed_outlasts_the_age_proof,
    a_refused_code_prevents_no_order,
    what_holds_an_order_up_is_told_first,
];

fn guest(shop: &TestShop) -> Browser {
    let mut browser = Browser::new(shop);
    let (name, value) =
        shop.age_cookie().split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())).unwrap();
    browser.cookies.insert(name, value);
    browser
}

/// SKUs and quantities of the items to buy in the cart page, and the SKUs that are saved for later.
async fn cart(browser: &mut Browser) -> (Vec<(String, i64)>, Vec<String>) {
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

fn holds(pairs: &[(&str, i64)], saved: &[&str]) -> (Vec<(String, i64)>, Vec<String>) {
    let pairs = pairs.iter().map(|(sku, qty)| ((*sku).to_owned(), *qty)).collect();
    (pairs, saved.iter().map(|sku| (*sku).to_owned()).collect())
}

fn seen(answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/cart"), "{}", answer.text());
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
    seen(&browser.form("/cart", &[("do", "apply"), ("code", " welcome10")]).await);
    let props = browser.get("/cart").await.envelope()["props"].clone();
    assert_eq!(props["promo_code"], "WELCOME10");
    let long = browser.form("/cart", &[("do", "apply"), ("code", &"X".repeat(41))]).await;
    let props = long.assert_status(422).envelope()["props"].clone();
    assert_eq!(
        (&props["problems"], &props["promo_code"]),
        (&json!(["A code can have at most 40 characters."]), &json!("WELCOME10"))
    );
    assert_eq!(browser.get("/cart").await.envelope()["props"]["promo_code"], "WELCOME10", "the former code stays");
    seen(&browser.form("/cart", &[("do", "drop")]).await);
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
    for path in ["/cart", "/checkout", "/checkout/confirm"] {
        let fields = [("do", "add"), ("id", tool.as_str()), ("link", "x"), ("checkout_id", &tool), ("click_id", &tool)];
        let answer = bench.shop.form(path, &browser.cookie_line(), "cross-site", &fields).await;
        assert_eq!(answer.status, 403, "another site's form changes nothing: {path}");
        assert!(!answer.headers.contains_key("set-cookie"));
    }
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
    browser.form("/cart", &[("do", "add"), ("id", &unknown)]).await.assert_status(422);
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
        seen(&browser.form("/cart", &[("do", "apply"), ("code", "NONE")]).await);
        seen(&browser.form("/cart", &[("do", "drop")]).await);
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

/// The fields that the page's form would send, with some of them filled in.
fn filled<'a>(props: &'a Value, fields: &[(&'a str, &'a str)]) -> Vec<(String, String)> {
    let mut all = vec![
        ("checkout_id".to_owned(), props["checkout_id"].as_str().unwrap().to_owned()),
        ("click_id".to_owned(), props["click_id"].as_str().unwrap().to_owned()),
        (
            "expected_total".to_owned(),
            props["quote"]["total"].as_i64().map(|total| total.to_string()).unwrap_or_default(),
        ),
    ];
    all.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    all
}

async fn send(browser: &mut Browser, fields: &[(String, String)]) -> Answer {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.form("/checkout", &fields).await
}

/// The cookie that keeps a posted form.
const FORM: &str = "checkout-form";
const NAMES: [(&str, &str); 2] = [("address.first_name", "Ada"), ("address.last_name", "Reed")];

async fn a_shopper_orders_without_scripts(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let (tool, papers) = (bench.variant(PIPE_TOOL).await.to_string(), bench.variant(PAPERS).await.to_string());
    let mut browser = guest(&bench.shop);
    let session = bench.shop.sign_in("forms-shopper", &["customer"]).await;
    browser.cookies.insert("session".to_owned(), session.trim_start_matches("session=").to_owned());
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool), ("qty", "2")]).await);
    let page = browser.get("/checkout").await;
    let props = page.assert_status(200).envelope()["props"].clone();
    assert_eq!(props["form"]["email"], "forms-shopper@shop.example");
    assert!(props["quote"]["total"].is_null() && page.root().contains("Three-Way Pipe Tool"));
    let pickup = [("delivery", "pickup"), ("email", "forms-shopper@shop.example"), NAMES[0], NAMES[1]];
    // The total is shown before the order is placed, even if the first submission is an order.
    let order = [&pickup[..], &[("do", "order"), ("payment", "pickup")]].concat();
    let early = send(&mut browser, &filled(&props, &order)).await;
    let shown = early.assert_status(409).envelope()["props"].clone();
    assert!(shown["refusal"]["message"].as_str().unwrap().starts_with("The total is $"), "{}", shown["refusal"]);
    assert!(early.root().contains("The total is $") && early.root().contains("value=\"Reed\""));
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE status = 'placed'").await, 0);
    let fields = filled(&shown, &order);
    let placed = send(&mut browser, &fields).await;
    let confirmation = placed.assert_status(303).header("location").to_owned();
    assert!(confirmation.starts_with("/order-confirmation?order="));
    // Submitting the form twice, as in a double click, gives the same order, whether or not the browser has the first response.
    let first = browser.cookies.clone();
    seen(&browser.form("/cart", &[("do", "add"), ("id", &papers)]).await);
    for cookies in [first, browser.cookies.clone()] {
        browser.cookies = cookies;
        assert_eq!(send(&mut browser, &fields).await.assert_status(303).header("location"), confirmation);
    }
    assert_eq!(cart(&mut browser).await, holds(&[(PAPERS, 1)], &[]), "what was added since stays");
    seen(&browser.form("/cart", &[("do", "remove"), ("id", &papers)]).await);
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE status = 'placed'").await, 1);
    browser.get(&confirmation).await.assert_status(200);
    assert_eq!(cart(&mut browser).await, holds(&[], &[]));
    bench.work().await;
    bench.assert_books_balance().await;
}

async fn a_guest_orders_without_scripts(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let (papers, tool) = (bench.variant(PAPERS).await.to_string(), bench.variant(PIPE_TOOL).await.to_string());
    let mut browser = guest(&bench.shop);
    for id in [&papers, &tool] {
        seen(&browser.form("/cart", &[("do", "add"), ("id", id)]).await);
    }
    seen(&browser.form("/cart", &[("id", &tool), ("do", "save")]).await);
    let props = browser.get("/checkout").await.envelope()["props"].clone();
    let pickup = [("delivery", "pickup"), ("email", "ada@shop.example"), NAMES[0], NAMES[1]];
    let asked = send(&mut browser, &filled(&props, &[&pickup[..], &[("do", "quote")]].concat())).await;
    let shown = asked.assert_status(200).envelope()["props"].clone();
    let order = filled(&shown, &[&pickup[..], &[("do", "order"), ("payment", "pickup")]].concat());
    let mailed = send(&mut browser, &order).await;
    assert_eq!(mailed.assert_status(200).envelope()["props"]["mailed"], true);
    assert!(mailed.root().contains("Check your email"));
    let kept = browser.cookies[FORM].clone();
    let form = browser.get("/checkout").await.envelope()["props"]["form"].clone();
    assert_eq!(
        (&form["email"], &form["last_name"]),
        (&json!("ada@shop.example"), &json!("Reed")),
        "its link leads to what was typed"
    );
    browser.cookies.insert(FORM.to_owned(), kept);
    bench.work().await;
    let got = emails(&mailbox, "ada@shop.example").await;
    let from = got[0].1.find("link=").unwrap() + 5;
    let link = got[0].1[from..].split_whitespace().next().unwrap().to_owned();
    let page = browser.get(&format!("/checkout/confirm?link={link}")).await;
    assert!(page.root().contains("action=\"/checkout/confirm\""));
    let placed = browser.form("/checkout/confirm", &[("link", &link)]).await;
    let confirmation = placed.assert_status(303).header("location").to_owned();
    assert!(confirmation.starts_with("/order-confirmation?order="));
    assert!(!browser.cookies.contains_key(FORM));
    assert_eq!(browser.form("/checkout/confirm", &[("link", &link)]).await.header("location"), confirmation);
    let over = browser.form("/checkout/confirm", &[("link", "none")]).await;
    assert_eq!((over.status.as_u16(), over.header("location")), (303, "/checkout/confirm?link=none"));
    assert_eq!(cart(&mut browser).await, holds(&[], &[PIPE_TOOL]), "what was bought has left, what was saved has not");
    bench.assert_stock_is_exact().await;
}

async fn what_is_missing_stands_beside_what_was_typed(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let mut browser = guest(&bench.shop);
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let props = browser.get("/checkout").await.envelope()["props"].clone();
    let place = [
        ("address.line1", "12 High Street"),
        ("address.city", "Columbus"),
        ("address.state", "OH"),
        ("address.postal_code", "43215"),
    ];
    let asked =
        send(&mut browser, &filled(&props, &[&place[..], &[("do", "quote"), ("delivery", "ship")]].concat())).await;
    let shown = asked.assert_status(200).envelope()["props"].clone();
    assert_eq!(shown["form"]["method"], "ground", "the first way is chosen");
    assert!(shown["quote"]["total"].as_i64().unwrap() > 600);
    let elsewhere = [&place[..3], &[("address.postal_code", "90210"), ("do", "quote"), ("delivery", "ship")]].concat();
    let asked = send(&mut browser, &filled(&props, &elsewhere)).await;
    assert!(asked.assert_status(200).root().contains("That ZIP code isn’t in Ohio."));
    // Card payments need JavaScript.
    let fields = [
        &place[..],
        &NAMES[..],
        &[("do", "order"), ("delivery", "ship"), ("shipping_method", "ground"), ("email", "ada@shop.example")],
    ]
    .concat();
    let card = send(&mut browser, &filled(&shown, &fields)).await;
    let refused = card.assert_status(409).envelope()["props"].clone();
    assert!(refused["refusal"]["message"].as_str().unwrap().contains("JavaScript"));
    assert_ne!(refused["click_id"], shown["click_id"], "the next click is another payment");
    // Missing values are reported per field, and all input is kept.
    let fields = [
        ("do", "order"),
        ("delivery", "pickup"),
        ("payment", "pickup"),
        ("email", "ada"),
        ("address.first_name", "Ada \"& Co\""),
    ];
    let quote =
        send(&mut browser, &filled(&shown, &[("do", "quote"), ("delivery", "pickup")])).await.envelope()["props"]
            .clone();
    let missing = send(&mut browser, &filled(&quote, &fields)).await;
    let props = missing.assert_status(422).envelope()["props"].clone();
    let named: Vec<&str> = props["refusal"]["errors"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(named, ["address.last_name", "email"]);
    assert!(missing.root().contains("value=\"Ada &quot;&amp; Co&quot;\""));
    assert!(missing.text().contains("<title>Your order isn’t placed yet"));
    // A promo code is stored with the cart, and the form keeps its input.
    let code =
        send(&mut browser, &filled(&props, &[("do", "apply"), ("code", "welcome10"), ("email", "ada@shop.example")]))
            .await;
    let props = code.assert_status(200).envelope()["props"].clone();
    assert_eq!((&props["promo_code"], &props["form"]["email"]), (&json!("WELCOME10"), &json!("ada@shop.example")));
    assert_eq!(browser.get("/cart").await.envelope()["props"]["promo_code"], "WELCOME10");
    // Enter in the code's field asks for a quote.
    send(&mut browser, &filled(&props, &[("do", "drop")])).await.assert_status(200);
    let entered = send(&mut browser, &filled(&props, &[("do", "quote"), ("code", "welcome10")])).await;
    assert_eq!(entered.assert_status(200).envelope()["props"]["promo_code"], "WELCOME10");
    let code = "X".repeat(41);
    let apply = [("do", "apply"), ("code", code.as_str()), ("email", "ada@shop.example")];
    let long = send(&mut browser, &filled(&props, &apply)).await;
    let props = long.assert_status(422).envelope()["props"].clone();
    assert_eq!(props["refusal"]["message"], "A code can have at most 40 characters.");
    assert!(long.root().contains("A code can have at most 40 characters."));
    assert_eq!((&props["promo_code"], &props["form"]["email"]), (&json!("WELCOME10"), &json!("ada@shop.example")));
    assert_eq!(browser.get("/cart").await.envelope()["props"]["promo_code"], "WELCOME10", "the former code stays");
}

async fn what_was_typed_outlasts_the_age_proof(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let mut browser = guest(&bench.shop);
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let props = browser.get("/checkout").await.envelope()["props"].clone();
    let typed = [("delivery", "pickup"), ("payment", "pickup"), ("email", "ada@shop.example"), NAMES[0], NAMES[1]];
    let asked = send(&mut browser, &filled(&props, &[&typed[..], &[("do", "quote")]].concat())).await;
    let shown = asked.assert_status(200).envelope()["props"].clone();
    assert!(!browser.cookies.contains_key(FORM), "nothing leads away from this page");
    for (act, status) in [("quote", 200), ("order", 403)] {
        browser.cookies.remove("age");
        let gated = send(&mut browser, &filled(&shown, &[&typed[..], &[("do", act)]].concat())).await;
        assert_eq!(gated.assert_status(status).envelope()["shared"]["age_verified"], false);
        let line = gated.header("set-cookie");
        assert!(
            line.starts_with("checkout-form=") && line.contains("HttpOnly") && line.contains("Max-Age=600"),
            "{line}"
        );
        let kept = browser.cookies[FORM].clone();
        for (birth_date, status) in [("2020-01-01", 422), ("1980-05-17", 303)] {
            let fields = [("birth_date", birth_date), ("return_to", "/checkout")];
            browser.form("/verify-age", &fields).await.assert_status(status);
        }
        let form = browser.get("/checkout").await.envelope()["props"]["form"].clone();
        assert_eq!(
            (&form["email"], &form["last_name"], &form["delivery"]),
            (&json!("ada@shop.example"), &json!("Reed"), &json!("pickup"))
        );
        assert_eq!(browser.get("/checkout").await.envelope()["props"]["form"]["email"], "", "it is kept no longer");
        // It is nobody else's, and belongs to no other page.
        let mut other = guest(&bench.shop);
        let session = bench.shop.sign_in("forms-other", &["customer"]).await;
        other.cookies.insert("session".to_owned(), session.trim_start_matches("session=").to_owned());
        other.cookies.insert(FORM.to_owned(), kept.clone());
        let form = other.get("/checkout").await.envelope()["props"]["form"].clone();
        assert_eq!((&form["email"], &form["last_name"]), (&json!("forms-other@shop.example"), &json!("")));
        browser.cookies.insert(FORM.to_owned(), kept);
        assert_eq!(browser.get("/checkout?draft=none").await.envelope()["props"]["form"]["last_name"], "");
        browser.cookies.remove(FORM);
    }
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders").await, 0);
}

async fn a_refused_code_prevents_no_order(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let mut browser = guest(&bench.shop);
    let session = bench.shop.sign_in("forms-code", &["customer"]).await;
    browser.cookies.insert("session".to_owned(), session.trim_start_matches("session=").to_owned());
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let props = browser.get("/checkout").await.envelope()["props"].clone();
    let pickup = [("delivery", "pickup"), ("email", "forms-code@shop.example"), NAMES[0], NAMES[1]];
    let apply = [&pickup[..], &[("do", "apply"), ("code", "nosuch")]].concat();
    let shown = send(&mut browser, &filled(&props, &apply)).await.assert_status(200).envelope()["props"].clone();
    assert_eq!(shown["quote"]["problems"][0]["message"], "This code isn’t valid.");
    let order = [&pickup[..], &[("do", "order"), ("payment", "pickup")]].concat();
    send(&mut browser, &filled(&shown, &order)).await.assert_status(303);
    let paid_in_full = "SELECT COUNT(*) FROM orders WHERE status = 'placed' AND discount_total = 0";
    assert_eq!(bench.count(paid_in_full).await, 1);
}

/// If an item cannot be shipped to the address, there is no shipping method to choose: the buyer is told to remove the item.
async fn what_holds_an_order_up_is_told_first(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let (tool, butane) = (bench.variant(PIPE_TOOL).await.to_string(), bench.variant(BUTANE).await.to_string());
    let mut browser = guest(&bench.shop);
    for id in [&tool, &butane] {
        seen(&browser.form("/cart", &[("do", "add"), ("id", id)]).await);
    }
    let props = browser.get("/checkout").await.envelope()["props"].clone();
    let place = [
        ("do", "order"),
        ("delivery", "ship"),
        ("email", "ada@shop.example"),
        ("address.line1", "12 High Street"),
        ("address.city", "Anchorage"),
        ("address.state", "AK"),
        ("address.postal_code", "99501"),
    ];
    for names in [&NAMES[..], &[]] {
        let held = send(&mut browser, &filled(&props, &[&place[..], names].concat())).await;
        let refusal = held.assert_status(409).envelope()["props"]["refusal"].clone();
        let message = refusal["message"].as_str().unwrap();
        assert!(message.contains("no ground service reaches Alaska"), "{refusal}");
        assert_eq!(refusal["errors"], json!({}), "nothing else is asked for before that");
        assert!(held.root().contains("no ground service reaches Alaska"));
    }
    seen(&browser.form("/cart", &[("do", "remove"), ("id", &butane)]).await);
    let asked = [&[("do", "quote")], &place[1..]].concat();
    let rest = send(&mut browser, &filled(&props, &asked)).await.assert_status(200).envelope()["props"].clone();
    assert_eq!((&rest["form"]["method"], &rest["quote"]["problems"]), (&json!("ground"), &json!([])));
}
