//! The checkout in browsers without JavaScript: forms are answered with 303, or with the page and its validation errors.

use serde_json::{Value, json};
use uuid::Uuid;

use super::account::{ADDRESS, signed_in};
use super::cart::{cart, guest, holds, seen};
use crate::checkout::bench::{BUTANE, Bench, PAPERS, PIPE_TOOL};
use crate::checkout::emails::open;
use crate::checkout::pickups::links;
use crate::support::{Answer, Browser, Test, TestShop, leads_on, statements};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_shopper_orders_without_scripts,
    a_guest_orders_without_scripts,
    who_signs_in_before_the_link_keeps_none_of_its_goods,
    an_order_that_waits_for_its_link_can_be_changed,
    a_checkout_with_too_many_cards_is_not_gone_on_with,
    a_form_is_not_answered_with_the_order_of_another_cart,
    items_for_nothing_are_counted,
    a_form_is_only_for_the_account_that_it_was_shown_to,
    what_is_missing_stands_beside_what_was_typed,
    what_is_wrong_with_a_saved_address_is_told_in_its_form,
    what_was_typed_outlasts_the_age_proof,
    a_refused_code_prevents_no_order,
    what_holds_an_order_up_is_told_first,
    a_chosen_way_outlasts_a_zip_of_another_state,
    an_address_outlasts_a_look_at_picking_up,
    an_address_is_quoted_once,
];

/// The fields that the page's form would send, with some of them filled in.
fn filled<'a>(props: &'a Value, fields: &[(&'a str, &'a str)]) -> Vec<(String, String)> {
    let shown = |name: &str| props["quote"][name].as_i64().map(|amount| amount.to_string()).unwrap_or_default();
    let mut all = vec![
        ("checkout_id".to_owned(), props["checkout_id"].as_str().unwrap().to_owned()),
        ("click_id".to_owned(), props["click_id"].as_str().unwrap().to_owned()),
        ("expected_total".to_owned(), shown("total")),
        ("expected_subtotal".to_owned(), shown("subtotal")),
        ("expected_units".to_owned(), shown("units")),
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

/// A guest asks what the cart costs, then orders it to pay in the store. Returns the props of the page that showed the total, and the page
/// that says to check the email.
async fn order_for_pickup(browser: &mut Browser, email: &str) -> (Value, Answer) {
    let props = browser.get("/checkout").await.assert_status(200).envelope()["props"].clone();
    let pickup = [("delivery", "pickup"), ("email", email), NAMES[0], NAMES[1]];
    let asked = send(browser, &filled(&props, &[&pickup[..], &[("do", "quote")]].concat())).await;
    let shown = asked.assert_status(200).envelope()["props"].clone();
    let order = [&pickup[..], &[("do", "order"), ("payment", "pickup")]].concat();
    let mailed = send(browser, &filled(&shown, &order)).await;
    assert_eq!(mailed.assert_status(200).envelope()["props"]["mailed"], true);
    (shown, mailed)
}

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
    // After "Back" the form shows what is in the cart now, for another order.
    let quote = filled(&shown, &[&pickup[..], &[("do", "quote")]].concat());
    let other = send(&mut browser, &quote).await.assert_status(200).envelope()["props"].clone();
    for id in ["checkout_id", "click_id"] {
        assert_ne!(other[id], shown[id]);
    }
    // A page that showed it before the order was placed has the click of that order.
    let mut stale = other.clone();
    for id in ["checkout_id", "click_id"] {
        stale[id] = shown[id].clone();
    }
    let refused = send(&mut browser, &filled(&stale, &order)).await.assert_status(409).envelope()["props"].clone();
    assert!(refused["refusal"]["message"].as_str().unwrap().starts_with("You’ve already placed order"), "{refused}");
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE status = 'placed'").await, 1);
    // Nor does a cart with the same total lead to that order.
    seen(&browser.form("/cart", &[("do", "set"), ("id", &papers), ("qty", "6")]).await);
    let other = send(&mut browser, &quote).await.assert_status(200).envelope()["props"].clone();
    assert_eq!(other["quote"]["total"], shown["quote"]["total"]);
    let fields = filled(&other, &order);
    let second = send(&mut browser, &fields).await.assert_status(303).header("location").to_owned();
    assert_ne!(second, confirmation);
    assert_eq!(send(&mut browser, &fields).await.assert_status(303).header("location"), second);
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE status = 'placed'").await, 2);
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
    let (_, mailed) = order_for_pickup(&mut browser, "ada@shop.example").await;
    assert!(mailed.root().contains("Check your email"));
    let kept = browser.cookies[FORM].clone();
    let form = browser.get("/checkout").await.envelope()["props"]["form"].clone();
    assert_eq!(
        (&form["email"], &form["last_name"]),
        (&json!("ada@shop.example"), &json!("Reed")),
        "its link leads to what was typed"
    );
    browser.cookies.insert(FORM.to_owned(), kept);
    let link = links(&bench, &mailbox, &json!({ "email": "ada@shop.example" })).await.remove(0);
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

/// The sign-in has joined the guest's cart to the account's.
async fn who_signs_in_before_the_link_keeps_none_of_its_goods(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let (papers, tool) = (bench.variant(PAPERS).await.to_string(), bench.variant(PIPE_TOOL).await.to_string());
    let mut browser = guest(&bench.shop);
    seen(&browser.form("/cart", &[("do", "add"), ("id", &papers)]).await);
    order_for_pickup(&mut browser, "ada@shop.example").await;
    let session = bench.shop.sign_in("forms-late", &["customer"]).await;
    browser.cookies.insert("session".to_owned(), session.trim_start_matches("session=").to_owned());
    browser.cookies.remove("cart");
    for id in [&papers, &tool] {
        seen(&browser.form("/cart", &[("do", "add"), ("id", id), ("qty", "2")]).await);
    }
    let link = links(&bench, &mailbox, &json!({ "email": "ada@shop.example" })).await.remove(0);
    let mut elsewhere = guest(&bench.shop);
    elsewhere.cookies.insert("session".to_owned(), session.trim_start_matches("session=").to_owned());
    for (browser, is_of_cart) in [(&mut browser, true), (&mut elsewhere, false)] {
        let page = browser.get(&format!("/checkout/confirm?link={link}")).await.assert_status(200).envelope();
        assert_eq!(page["props"]["pickup"]["is_of_cart"], is_of_cart);
    }
    for _ in 0..2 {
        browser.form("/checkout/confirm", &[("link", &link)]).await.assert_status(303);
        assert_eq!(cart(&mut browser).await, holds(&[(PAPERS, 1), (PIPE_TOOL, 2)], &[]), "what was bought, once");
    }
}

/// It does not compete with itself for the last piece, and only its newest link places it.
async fn an_order_that_waits_for_its_link_can_be_changed(shop: TestShop) {
    let (mut bench, mailbox) = open(&shop).await;
    bench.stock(PIPE_TOOL, 1).await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let mut browser = guest(&bench.shop);
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let mut checkouts = Vec::new();
    for email in ["ada@shop.exmaple", "ada@shop.example"] {
        let (shown, _) = order_for_pickup(&mut browser, email).await;
        assert_eq!(shown["quote"]["problems"], json!([]), "{email}");
        checkouts.push(shown);
    }
    assert_eq!(checkouts[0]["checkout_id"], checkouts[1]["checkout_id"]);
    // After "Back" the address is corrected in the same form.
    let email = "reed@shop.example";
    let order = [("delivery", "pickup"), ("email", email), NAMES[0], NAMES[1], ("do", "order"), ("payment", "pickup")];
    let corrected = send(&mut browser, &filled(&checkouts[1], &order)).await;
    assert_eq!(corrected.assert_status(200).envelope()["props"]["mailed"], true);
    let to = json!({ "email": email });
    assert_eq!(links(&bench, &mailbox, &to).await.len(), 1);
    // Then the name, and at last the total, by a code.
    let mut married = order;
    married[3] = ("address.last_name", "Lovelace");
    send(&mut browser, &filled(&checkouts[1], &married)).await.assert_status(200);
    assert_eq!(links(&bench, &mailbox, &to).await.len(), 2);
    let apply = [&married[..4], &[("do", "apply"), ("code", "WELCOME10")]].concat();
    let cheaper =
        send(&mut browser, &filled(&checkouts[1], &apply)).await.assert_status(200).envelope()["props"].clone();
    assert_eq!(cheaper["click_id"], checkouts[1]["click_id"]);
    assert!(cheaper["quote"]["total"].as_i64() < checkouts[1]["quote"]["total"].as_i64());
    let changed = filled(&cheaper, &married);
    for _ in 0..2 {
        send(&mut browser, &changed).await.assert_status(200);
    }
    let sent = links(&bench, &mailbox, &to).await;
    assert_eq!(sent.len(), 3, "one for each change, and none for the same form");
    let [old @ .., newest] = sent.as_slice() else { panic!("{sent:?}") };
    for link in old {
        bench.confirm(link).await.assert_problem(409, "link_over");
    }
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders").await, 1);
    assert_eq!(bench.count("SELECT COUNT(*) FROM pickup_links WHERE replaced_at IS NULL").await, 1);
    let page = bench.shop.get_verified(&format!("/checkout/confirm?link={newest}")).await;
    assert_eq!(page.assert_status(200).envelope()["props"]["pickup"]["total"], cheaper["quote"]["total"]);
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE address LIKE '%Lovelace%'").await, 1);
    // What an account has begun is not for whoever uses the browser after it.
    bench.shop.sign_in("forms-owner", &["customer"]).await;
    bench.execute("UPDATE orders SET user_id = (SELECT id FROM users ORDER BY id LIMIT 1)").await;
    let props = browser.get("/checkout").await.assert_status(200).envelope()["props"].clone();
    assert_ne!(props["checkout_id"], checkouts[0]["checkout_id"]);
}

/// Nor does it keep its goods and its code from the next one.
async fn a_checkout_with_too_many_cards_is_not_gone_on_with(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 1).await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let mut browser = guest(&bench.shop);
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let mut body = bench.order(PIPE_TOOL, 1).await;
    body["promo_code"] = json!("WELCOME10");
    body["expected_total"] = bench.quote(&body).await["total"].clone();
    body["source_id"] = json!("cnon:card-nonce-declined");
    for attempt in 1..=5 {
        body["click_id"] = json!(Uuid::now_v7());
        browser.call("POST", "/api/checkout/pay", body.clone()).await.assert_problem(402, "declined");
        let shown = browser.get("/checkout").await.assert_status(200).envelope()["props"]["checkout_id"].clone();
        assert_eq!(shown == body["checkout_id"], attempt < 5, "after {attempt}");
    }
    body["checkout_id"] = json!(Uuid::now_v7());
    body["click_id"] = json!(Uuid::now_v7());
    body["source_id"] = json!("cnon:card-nonce-ok");
    browser.call("POST", "/api/checkout/pay", body).await.assert_status(200);
    bench.work().await;
    bench.assert_books_balance().await;
    bench.assert_stock_is_exact().await;
}

/// Two tabs go on with one checkout, and what they show costs the same.
async fn a_form_is_not_answered_with_the_order_of_another_cart(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let (tool, papers) = (bench.variant(PIPE_TOOL).await.to_string(), bench.variant(PAPERS).await.to_string());
    let mut browser = guest(&bench.shop);
    let email = "ada@shop.example";
    let pickup = [("delivery", "pickup"), ("email", email), NAMES[0], NAMES[1]];
    let quote = [&pickup[..], &[("do", "quote")]].concat();
    let order = [&pickup[..], &[("do", "order"), ("payment", "pickup")]].concat();
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let (first, _) = order_for_pickup(&mut browser, email).await;
    seen(&browser.form("/cart", &[("do", "remove"), ("id", &tool)]).await);
    seen(&browser.form("/cart", &[("do", "add"), ("id", &papers), ("qty", "3")]).await);
    let props = browser.get("/checkout").await.envelope()["props"].clone();
    let second = send(&mut browser, &filled(&props, &quote)).await.assert_status(200).envelope()["props"].clone();
    assert_eq!((&second["checkout_id"], &second["quote"]["total"]), (&first["checkout_id"], &first["quote"]["total"]));
    let link = links(&bench, &mailbox, &json!({ "email": email })).await.remove(0);
    let placed = bench.confirm(&link).await.assert_status(200).json();
    let other = send(&mut browser, &filled(&second, &order)).await;
    let refused = other.assert_status(409).envelope()["props"].clone();
    let message = refused["refusal"]["message"].as_str().unwrap();
    assert!(message.contains(placed["number"].as_str().unwrap()), "{message}");
    let mailed = send(&mut browser, &filled(&refused, &order)).await;
    assert_eq!(mailed.assert_status(200).envelope()["props"]["mailed"], true, "it is another checkout");
    // With an empty cart there is no other order to place.
    seen(&browser.form("/cart", &[("do", "remove"), ("id", &papers)]).await);
    let again = send(&mut browser, &filled(&first, &order)).await;
    assert_eq!(again.assert_status(303).header("location"), placed["href"]);
    bench.assert_stock_is_exact().await;
}

/// Neither the total nor the subtotal shows how many they are.
async fn items_for_nothing_are_counted(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    bench.execute("UPDATE product_variants SET price = 0 WHERE sku = 'TWT-SIN'").await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let mut browser = guest(&bench.shop);
    let email = "ada@shop.example";
    let pickup = [("delivery", "pickup"), ("email", email), NAMES[0], NAMES[1]];
    let quote = [&pickup[..], &[("do", "quote")]].concat();
    let order = [&pickup[..], &[("do", "order"), ("payment", "pickup")]].concat();
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool), ("qty", "2")]).await);
    let props = browser.get("/checkout").await.envelope()["props"].clone();
    let page = send(&mut browser, &filled(&props, &quote)).await;
    assert!(page.assert_status(200).root().contains("name=\"expected_units\" value=\"2\""));
    let shown = page.envelope()["props"].clone();
    bench.execute("UPDATE stock_levels SET on_hand = reserved + 1 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    let refused = send(&mut browser, &filled(&shown, &order)).await;
    assert!(refused.assert_status(409).root().contains("Your items have changed."));
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders").await, 0);
    bench.execute("UPDATE stock_levels SET on_hand = reserved + 5 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    let (shown, _) = order_for_pickup(&mut browser, email).await;
    // After "Back" there is one more of them, which the link of the first email would not place.
    seen(&browser.form("/cart", &[("do", "set"), ("id", &tool), ("qty", "3")]).await);
    let more = send(&mut browser, &filled(&shown, &quote)).await.assert_status(200).envelope()["props"].clone();
    assert_eq!(more["click_id"], shown["click_id"]);
    let mailed = send(&mut browser, &filled(&more, &order)).await;
    assert_eq!(mailed.assert_status(200).envelope()["props"]["mailed"], true);
    assert_eq!(bench.count("SELECT quantity FROM order_lines").await, 3);
}

/// Its sign-in has ended elsewhere, or another tab has signed in to another account.
async fn a_form_is_only_for_the_account_that_it_was_shown_to(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let session = async |subject: &str| {
        bench.shop.sign_in(subject, &["customer"]).await.trim_start_matches("session=").to_owned()
    };
    let (ann, bob) = (session("forms-ann").await, session("forms-bob").await);
    let mut browser = guest(&bench.shop);
    browser.cookies.insert("session".to_owned(), ann.clone());
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let page = browser.get("/checkout").await;
    assert!(page.root().contains("name=\"user_id\" value=\"forms-ann\""));
    let typed = [
        ("user_id", "forms-ann"),
        ("delivery", "pickup"),
        ("payment", "pickup"),
        ("email", "forms-ann@shop.example"),
        NAMES[0],
        NAMES[1],
    ];
    let quote = filled(&page.envelope()["props"], &[&typed[..], &[("do", "quote")]].concat());
    let shown = send(&mut browser, &quote).await.assert_status(200).envelope()["props"].clone();
    let order = filled(&shown, &[&typed[..], &[("do", "order")]].concat());
    for form in [&quote, &order] {
        browser.cookies.insert("session".to_owned(), "ended".to_owned());
        let late = send(&mut browser, form).await;
        assert_eq!(leads_on(&late), "/auth/login?return_to=%2Fcheckout");
        browser.cookies.insert("session".to_owned(), ann.clone());
        let again = browser.get("/checkout").await;
        assert!(again.assert_status(200).root().contains("You weren’t signed in, so nothing was saved."));
        assert_eq!(again.envelope()["props"]["form"]["last_name"], "Reed", "what was typed is not lost");
        browser.cookies.insert("session".to_owned(), bob.clone());
        let refused = send(&mut browser, form).await;
        assert!(refused.assert_status(403).root().contains("Your sign-in has ended, and no order was placed."));
        let props = refused.envelope()["props"].clone();
        assert_ne!(props["checkout_id"], shown["checkout_id"]);
        assert_eq!(
            (&props["form"]["email"], &props["form"]["last_name"]),
            (&json!("forms-bob@shop.example"), &json!("")),
            "nobody sees what another account has entered"
        );
        assert_eq!(props["is_posted"], false);
        // From now on with something to buy.
        seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    }
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders").await, 0);
    // A saved address is chosen, not typed.
    let saved = json!({
        "first_name": "Ada", "last_name": "Reed", "line1": "48 Gay Street", "city": "Columbus", "state": "OH",
        "postal_code": "43215",
    });
    let saved = bench.shop.call("POST", "/api/me/addresses", &format!("session={ann}"), saved).await;
    let id = saved.assert_status(201).json()["id"].as_str().unwrap().to_owned();
    let chosen = [("user_id", "forms-ann"), ("do", "quote"), ("delivery", "ship"), ("saved_address", &id)];
    browser.cookies.insert("session".to_owned(), "ended".to_owned());
    leads_on(&send(&mut browser, &filled(&shown, &chosen)).await);
    browser.cookies.insert("session".to_owned(), ann);
    let again = browser.get("/checkout").await;
    assert_eq!(again.envelope()["props"]["form"]["line1"], "48 Gay Street");
    send(&mut browser, &order).await.assert_status(303);
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE status = 'placed'").await, 1);
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

async fn what_is_wrong_with_a_saved_address_is_told_in_its_form(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    // Without scripts, only what costs nothing can be shipped.
    for free in [
        "UPDATE promo_codes SET value = 10000 WHERE code = 'WELCOME10'",
        "UPDATE shipping_rates SET price = 0",
        "UPDATE shipping_methods SET signature_fee = 0",
    ] {
        bench.execute(free).await;
    }
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let mut browser = signed_in(&bench.shop, "forms-box").await;
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let address = [&ADDRESS[..], &[("line1", "PO Box 12")]].concat();
    browser.form("/account", &address).await.assert_status(303);
    let props = browser.get("/checkout").await.envelope()["props"].clone();
    let id = props["addresses"][0]["id"].as_str().unwrap();
    let ship = [("delivery", "ship"), ("shipping_method", "ground"), ("email", "forms-box@shop.example")];
    let apply = [&ship[..], &[("do", "apply"), ("code", "welcome10"), ("saved_address", id)]].concat();
    let shown = send(&mut browser, &filled(&props, &apply)).await.assert_status(200).envelope()["props"].clone();
    assert_eq!(shown["quote"]["total"], 0);
    let order = [&ship[..], &[("do", "order"), ("saved_address", id)]].concat();
    let refused = send(&mut browser, &filled(&shown, &order)).await;
    let root = refused.assert_status(422).root();
    assert!(root.contains("An adult must sign for this package, so it can’t go to a PO box or a package locker."));
    assert!(root.contains("value=\"PO Box 12\""), "it is filled in");
    let props = refused.envelope()["props"].clone();
    let mended = [
        ("do", "order"),
        ("saved_address", "new"),
        ("address.line1", "12 High Street"),
        ("address.city", "Columbus"),
        ("address.state", "OH"),
        ("address.postal_code", "43215"),
    ];
    let order = [&ship[..], &NAMES[..], &mended].concat();
    send(&mut browser, &filled(&props, &order)).await.assert_status(303);
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE status = 'placed'").await, 1);
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
    assert_eq!((&props["is_posted"], &shown["is_posted"]), (&json!(false), &json!(true)));
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
        let kept_page = browser.get("/checkout").await.envelope()["props"].clone();
        let form = &kept_page["form"];
        assert_eq!(
            (&form["email"], &form["last_name"], &form["delivery"]),
            (&json!("ada@shop.example"), &json!("Reed"), &json!("pickup"))
        );
        let later = browser.get("/checkout").await.envelope()["props"].clone();
        assert_eq!(later["form"]["email"], "", "it is kept no longer");
        assert_eq!((&kept_page["is_posted"], &later["is_posted"]), (&json!(true), &json!(false)));
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
    for more in [&NAMES[..], &[], &[("shipping_method", "ground")]] {
        let held = send(&mut browser, &filled(&props, &[&place[..], more].concat())).await;
        let shown = held.assert_status(409).envelope()["props"].clone();
        assert_eq!(shown["form"]["method"], "");
        let refusal = &shown["refusal"];
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

/// Meanwhile the page has no fields for it, so browsers do not post it.
async fn an_address_outlasts_a_look_at_picking_up(shop: TestShop) {
    const PLACED: &str = "SELECT COUNT(*) FROM orders WHERE status = 'placed'";
    let bench = Bench::start(shop.database).await;
    // Without scripts, only what costs nothing can be shipped.
    for free in [
        "UPDATE promo_codes SET value = 10000 WHERE code = 'WELCOME10'",
        "UPDATE shipping_rates SET price = 0",
        "UPDATE shipping_methods SET signature_fee = 0",
    ] {
        bench.execute(free).await;
    }
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let mut browser = signed_in(&bench.shop, "forms-both").await;
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let buyer = [("user_id", "forms-both"), ("email", "forms-both@shop.example"), NAMES[0], NAMES[1]];
    let place = [
        ("address.line1", "12 High Street"),
        ("address.city", "Columbus"),
        ("address.state", "OH"),
        ("address.postal_code", "43215"),
    ];
    let apply = [("do", "apply"), ("code", "welcome10"), ("delivery", "ship")];
    let props = browser.get("/checkout").await.envelope()["props"].clone();
    let page = send(&mut browser, &filled(&props, &[&buyer[..], &place, &apply].concat())).await;
    let mut props = page.assert_status(200).envelope()["props"].clone();
    // An order is not sent to an address that its page did not show.
    for (act, status) in [("quote", 200), ("order", 409)] {
        let look = [&buyer[..], &place, &[("do", "quote"), ("delivery", "pickup")]].concat();
        let page = send(&mut browser, &filled(&props, &look)).await;
        assert!(!page.assert_status(200).root().contains("address.line1"));
        let shown = page.envelope()["props"].clone();
        assert_eq!(shown["quote"]["total"], 0);
        let back = [&buyer[..], &[("do", act), ("delivery", "ship")]].concat();
        let page = send(&mut browser, &filled(&shown, &back)).await;
        assert!(page.assert_status(status).root().contains("value=\"12 High Street\""), "{act}");
        props = page.envelope()["props"].clone();
        assert_eq!((&props["form"]["postal_code"], &props["form"]["method"]), (&json!("43215"), &json!("ground")));
        assert_eq!(bench.count(PLACED).await, 0);
    }
    assert!(browser.cookies.contains_key(FORM));
    let order = [("do", "order"), ("delivery", "ship"), ("shipping_method", "ground")];
    send(&mut browser, &filled(&props, &[&buyer[..], &place, &order].concat())).await.assert_status(303);
    assert_eq!(bench.count(PLACED).await, 1);
    assert!(!browser.cookies.contains_key(FORM), "it is kept no longer");
}

/// Without a destination no way is offered, which takes back none that was chosen.
async fn a_chosen_way_outlasts_a_zip_of_another_state(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let mut browser = guest(&bench.shop);
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool)]).await);
    let mut props = browser.get("/checkout").await.envelope()["props"].clone();
    let chosen = [("do", "quote"), ("delivery", "ship"), ("shipping_method", "expedited"), ("address.state", "PA")];
    let hidden = "type=\"hidden\" name=\"shipping_method\" value=\"expedited\"";
    for (zip, is_offered) in [("15222", true), ("43215", false), ("15222", true)] {
        let fields = filled(&props, &[&chosen[..], &[("address.postal_code", zip)]].concat());
        let page = send(&mut browser, &fields).await;
        props = page.assert_status(200).envelope()["props"].clone();
        assert_eq!(props["form"]["method"], "expedited", "{zip}");
        assert_eq!(props["quote"]["shipping"].is_i64(), is_offered, "{zip}");
        assert_eq!(page.root().contains(hidden), !is_offered, "the page of {zip} posts it again");
    }
}

/// It is there whenever a customer comes back, and the way to ship is the first that its quote offers.
async fn an_address_is_quoted_once(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    let mut browser = signed_in(&bench.shop, "forms-known").await;
    seen(&browser.form("/cart", &[("do", "add"), ("id", &tool), ("qty", "2")]).await);
    browser.form("/account", &ADDRESS).await.assert_status(303);
    browser.get("/checkout").await.assert_status(200);
    let (page, ran) = statements::of(browser.get("/checkout")).await;
    let props = page.assert_status(200).envelope()["props"].clone();
    assert!(ran.len() <= 9, "session, cart, account, goods, rules, ways to ship and taxes: {ran:#?}");
    let (_, taken) = statements::takings(browser.get("/checkout")).await;
    assert_eq!(taken, 2, "one for the session, one for the page");
    let mut ways = props["quote"]["shipping_options"].as_array().unwrap().iter();
    let first = ways.find(|way| way["pickup"] == false).unwrap()["code"].clone();
    assert_eq!(props["form"]["method"], first);
    let asked = json!({
        "items": [{ "id": tool, "qty": 2 }],
        "shipping_method": first,
        "address": { "state": "OH", "postal_code": "43215" },
    });
    assert_eq!(props["quote"], bench.quote(&asked).await);
    assert!(props["quote"]["total"].is_i64() && props["quote"]["problems"] == json!([]), "{}", props["quote"]);
}
