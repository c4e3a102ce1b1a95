//! How many orders that are paid at pickup one person and one network may have, and how many emails they cause.

use std::sync::Arc;

use serde_json::{Value, json};
use shop_domain::identity::model::Profile;
use shop_domain::retention::service::clean;
use shop_domain::sales::records::pickups::model::{
    MOST_EMAILS, MOST_EMAILS_OF_NETWORK, MOST_OF_NETWORK, MOST_OPEN, MOST_UNITS,
};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::bench::{Bench, PAPERS, PIPE_TOOL};
use super::crowd::in_a_crowd;
use super::emails::{emails, open};
use super::pickups::{DAY, HELD, another_click, links, shipped_for_nothing};
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    nobody_has_more_than_a_few_orders_waiting,
    orders_for_nothing_are_as_few,
    orders_that_are_shipped_for_nothing_are_as_few,
    parallel_clicks_do_not_outrun_the_limit,
    emails_to_one_address_are_few,
    emails_because_of_one_network_are_limited,
    an_address_that_is_only_claimed_is_left_alone,
    who_deletes_an_account_has_as_many_orders_waiting,
    one_network_orders_so_much_a_day,
];

/// Places this many orders as a signed-in user, and one more that must be refused; returns its message.
async fn refused(bench: &Bench, orders: i64, code: &str) -> String {
    let cookies = format!("{}; {}", bench.shop.sign_in("hoarder", &["customer"]).await, bench.shop.age_cookie());
    for _ in 0..orders {
        let mut body = bench.pickup(PIPE_TOOL, 1).await;
        body["email"] = json!("hoarder@shop.example");
        bench.pay_as(&cookies, &body).await.assert_status(200);
    }
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    body["email"] = json!("hoarder@shop.example");
    let problem = bench.pay_as(&cookies, &body).await.assert_problem(409, code).json();
    problem["detail"].as_str().unwrap().to_owned()
}

async fn nobody_has_more_than_a_few_orders_waiting(shop: TestShop) {
    let (mut bench, mailbox) = open(&shop).await;
    bench.stock(PIPE_TOOL, 100).await;
    assert!(refused(&bench, MOST_OPEN, "too_many_pickups").await.starts_with("You already have 3 open orders"));
    // Nor as a guest through an email link, nor with the same address in capitals.
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    body["email"] = json!("HOARDER@shop.example");
    bench.pay(&body).await.assert_problem(409, "too_many_pickups");
    // Card payments are not limited, and paid or finished orders no longer count.
    body["payment_method"] = json!("square");
    body["source_id"] = json!("cnon:card-nonce-ok");
    bench.pay(&body).await.assert_status(200);
    bench
        .execute("UPDATE orders SET payment_status = 'paid' WHERE id = (SELECT order_id FROM open_pickups LIMIT 1)")
        .await;
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    body["email"] = json!("hoarder@shop.example");
    bench.pay(&body).await.assert_status(202);
    assert_eq!(links(&bench, &mailbox, &body).await.len(), 1);
    // The number of pieces is limited too, in however few orders.
    let mut body = bench.pickup(PIPE_TOOL, 10).await;
    let variants = [PIPE_TOOL, PAPERS, "BUT-SIN", "CPC-50", "LPM-SIN"];
    let mut items = Vec::new();
    for sku in variants {
        bench.stock(sku, 100).await;
        items.push(json!({ "id": bench.variant(sku).await, "qty": 10 }));
    }
    body["items"] = json!(items);
    body["expected_total"] = bench.quote(&body).await["total"].clone();
    assert!(i64::try_from(variants.len()).unwrap() * 10 > MOST_UNITS);
    bench.pay(&body).await.assert_problem(409, "too_many_units");
}

fn another_order(body: &mut Value) {
    body["checkout_id"] = json!(Uuid::now_v7());
    another_click(body);
}

async fn orders_for_nothing_are_as_few(shop: TestShop) {
    let (mut bench, _mailbox) = open(&shop).await;
    bench.stock(PIPE_TOOL, 100).await;
    bench.execute("UPDATE promo_codes SET value = 10000, once_per_customer = FALSE WHERE code = 'WELCOME10'").await;
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    (body["promo_code"], body["expected_total"]) = (json!("WELCOME10"), json!(0));
    body["payment_method"] = json!("square");
    for _ in 0..MOST_OPEN {
        another_order(&mut body);
        bench.pay_known(&body).await.assert_status(200);
    }
    // They count for as long as they wait.
    bench.shop.clock.advance(2 * DAY);
    clean(&bench.shop.app).await.unwrap();
    another_order(&mut body);
    bench.pay_known(&body).await.assert_problem(409, "too_many_pickups");
}

/// Anybody could send the shop's emails, with an address that says what they like, to whomever they like.
async fn orders_that_are_shipped_for_nothing_are_as_few(shop: TestShop) {
    let (mut bench, mailbox) = open(&shop).await;
    bench.stock(PIPE_TOOL, 100).await;
    bench.execute("UPDATE promo_codes SET once_per_customer = FALSE WHERE code = 'WELCOME10'").await;
    let mut body = shipped_for_nothing(&bench).await;
    body["address"]["first_name"] = json!("Your parcel is held:");
    body["address"]["line1"] = json!("Pay customs at evil.example");
    let email = body["email"].as_str().unwrap().to_owned();
    for _ in 0..MOST_EMAILS {
        another_click(&mut body);
        bench.pay(&body).await.assert_status(202);
    }
    let links = links(&bench, &mailbox, &body).await;
    another_click(&mut body);
    bench.pay(&body).await.assert_problem(409, "too_many_letters");
    for (subject, text) in emails(&mailbox, &email).await {
        assert_eq!(subject, "Confirm your order");
        assert!(!text.contains("evil.example") && !text.contains("parcel is held"), "{text}");
        assert!(text.contains("asked to have these items shipped by") && !text.contains("at pickup"), "{text}");
    }
    let link = links.last().unwrap();
    let page = bench.shop.get_verified(&format!("/checkout/confirm?link={link}")).await;
    assert!(page.root().contains("We’ll ship these items") && !page.root().contains("Pick up these items"));
    assert!(!page.text().contains("evil.example"), "the page says only what is ordered");
    bench.confirm(link).await.assert_status(200);
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders WHERE status = 'placed' AND NOT picked_up").await, 1);
    // Nor can one person order all of it, with an address of their own.
    let mut body = shipped_for_nothing(&bench).await;
    for _ in 0..MOST_OPEN {
        another_order(&mut body);
        bench.pay_known(&body).await.assert_status(200);
    }
    bench.shop.clock.advance(2 * DAY);
    clean(&bench.shop.app).await.unwrap();
    another_order(&mut body);
    bench.pay_known(&body).await.assert_problem(409, "too_many_pickups");
    bench.execute("UPDATE orders SET fulfillment_status = 'fulfilled'").await;
    bench.pay_known(&body).await.assert_status(200);
}

async fn parallel_clicks_do_not_outrun_the_limit(shop: TestShop) {
    let (mut bench, _mailbox) = open(&shop).await;
    bench.stock(PIPE_TOOL, 100).await;
    let cookies = format!("{}; {}", bench.shop.sign_in("hasty", &["customer"]).await, bench.shop.age_cookie());
    let mut bodies = Vec::new();
    for _ in 0..12 {
        let mut body = bench.pickup(PIPE_TOOL, 1).await;
        body["email"] = json!("hasty@shop.example");
        bodies.push(body);
    }
    let bench = Arc::new(bench);
    let mut clicks = JoinSet::new();
    for body in bodies {
        let (bench, cookies) = (Arc::clone(&bench), cookies.clone());
        clicks.spawn(async move { in_a_crowd(|| bench.pay_as(&cookies, &body)).await.status.as_u16() });
    }
    let statuses = clicks.join_all().await;
    let placed = statuses.iter().filter(|status| **status == 200).count();
    assert_eq!(i64::try_from(placed).unwrap(), MOST_OPEN, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 409].contains(status)), "{statuses:?}");
    bench.assert_stock_is_exact().await;
}

async fn emails_to_one_address_are_few(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    let own = body["email"].clone();
    for _ in 0..MOST_EMAILS {
        another_click(&mut body);
        bench.pay(&body).await.assert_status(202);
        // Emails to one address still count after another address was entered in between.
        let mut other = body.clone();
        other["email"] = json!(format!("other-{}@shop.example", Uuid::now_v7().simple()));
        another_click(&mut other);
        bench.pay(&other).await.assert_status(202);
    }
    another_click(&mut body);
    bench.pay(&body).await.assert_problem(409, "too_many_letters");
    // Nor does another spelling of the domain make another mailbox.
    let mut spelled = body.clone();
    spelled["email"] = json!(own.as_str().unwrap().replace("@shop", "@\u{ff53}hop"));
    another_click(&mut spelled);
    bench.pay(&spelled).await.assert_problem(409, "too_many_letters");
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    body["email"] = own;
    let problem = bench.pay(&body).await.assert_problem(409, "too_many_letters").json();
    assert!(problem["detail"].as_str().unwrap().contains("sign in"), "{problem}");
    assert!(links(&bench, &mailbox, &body).await.len() <= usize::try_from(MOST_EMAILS).unwrap());
    // The limit is per day.
    bench.shop.clock.advance(DAY);
    bench.work().await;
    bench.pay(&body).await.assert_status(202);
    bench.assert_stock_is_exact().await;
}

async fn emails_because_of_one_network_are_limited(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let pay = async |from: &str, body: &Value| Bench::pay_from(&bench.shop, from, &bench.shop.age_cookie(), body).await;
    // One checkout, so that it is not the number of orders that is limited.
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    for at in 0..=MOST_EMAILS_OF_NETWORK {
        another_click(&mut body);
        body["email"] = json!(format!("buyer-{at}@shop.example"));
        let answer = pay("10.20.30.40", &body).await;
        if at < MOST_EMAILS_OF_NETWORK {
            answer.assert_status(202);
        } else {
            answer.assert_problem(409, "too_many_letters");
        }
    }
    pay("10.20.31.40", &body).await.assert_status(202);
}

async fn an_address_that_is_only_claimed_is_left_alone(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let mut body = bench.pickup(PIPE_TOOL, 1).await;
    let email = body["email"].as_str().unwrap().to_owned();
    for _ in 0..MOST_EMAILS {
        another_click(&mut body);
        bench.pay(&body).await.assert_status(202);
    }
    let links = links(&bench, &mailbox, &body).await;
    let profile = Profile {
        issuer: "https://id.example".to_owned(),
        subject: "claimer".to_owned(),
        email: email.clone(),
        email_verified: false,
        name: "Buy at evil.example".to_owned(),
        roles: Vec::new(),
    };
    for _ in 0..2 {
        let claimer = bench.shop.begin_session(profile.clone()).await.unwrap();
        let confirm = json!({ "confirm": email });
        bench.shop.call("DELETE", "/api/me", &claimer, confirm).await.assert_status(204);
    }
    another_click(&mut body);
    bench.pay(&body).await.assert_problem(409, "too_many_letters");
    bench.work().await;
    let got = emails(&mailbox, &email).await;
    assert!(got.iter().all(|(subject, _)| subject == "Confirm your pickup order"), "{got:?}");
    bench.confirm(links.last().unwrap()).await.assert_status(200);
}

async fn who_deletes_an_account_has_as_many_orders_waiting(shop: TestShop) {
    let (mut bench, _mailbox) = open(&shop).await;
    bench.stock(PIPE_TOOL, 100).await;
    refused(&bench, MOST_OPEN, "too_many_pickups").await;
    let cookie = bench.shop.sign_in("hoarder", &["customer"]).await;
    let confirm = json!({ "confirm": "hoarder@shop.example" });
    bench.shop.call("DELETE", "/api/me", &cookie, confirm).await.assert_status(204);
    refused(&bench, 0, "too_many_pickups").await;
    // Once these orders are closed, nothing of the account is left.
    bench
        .execute("UPDATE orders SET status = 'canceled', payment_status = 'voided' WHERE id IN (SELECT order_id FROM open_pickups)")
        .await;
    bench
        .execute("UPDATE payment_attempts SET status = 'voided' WHERE order_id IN (SELECT order_id FROM open_pickups)")
        .await;
    clean(&bench.shop.app).await.unwrap();
    assert_eq!(bench.count("SELECT COUNT(*) FROM open_pickups").await, MOST_OPEN);
    let named = "SELECT COUNT(*) FROM open_pickups WHERE email <> '' OR user_id IS NOT NULL";
    assert_eq!(bench.count(named).await, 0);
}

async fn one_network_orders_so_much_a_day(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let pay = async |body: &Value| Bench::pay_from(&bench.shop, "10.20.30.40", &bench.shop.age_cookie(), body).await;
    for _ in 0..MOST_OF_NETWORK {
        pay(&bench.pickup(PIPE_TOOL, 1).await).await.assert_status(202);
    }
    let body = bench.pickup(PIPE_TOOL, 1).await;
    let problem = pay(&body).await.assert_problem(409, "too_many_pickups").json();
    assert!(problem["detail"].as_str().unwrap().contains("network"), "{problem}");
    assert_eq!(bench.count("SELECT COUNT(*) FROM open_pickups").await, MOST_OF_NETWORK);
    bench.shop.clock.advance(DAY);
    bench.let_pass(35).await;
    assert_eq!(bench.count(HELD).await, 0, "nobody has confirmed any");
    pay(&body).await.assert_status(202);
    bench.assert_stock_is_exact().await;
}
