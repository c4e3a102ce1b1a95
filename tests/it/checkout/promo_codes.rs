//! What promo codes take off, how often each can be used, and who holds its last use.

use serde_json::json;
use shop_demo::square::faults::{Operation, Point};
use uuid::Uuid;

use super::bench::{Bench, PIPE_TOOL, problems};
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    codes_take_off_what_they_say_and_are_used_once,
    a_code_that_takes_nothing_off_is_not_used_up,
    a_limit_that_is_switched_on_later_knows_former_uses,
    an_unfinished_order_holds_its_code_for_a_while,
    the_last_use_of_a_code_survives_a_declined_card,
    a_code_is_held_as_long_as_the_stock,
    a_late_payment_uses_its_code_again,
];

async fn codes_take_off_what_they_say_and_are_used_once(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let mut body = bench.order(PIPE_TOOL, 3).await;
    body["promo_code"] = json!(" welcome10 ");
    let quote = bench.quote(&body).await;
    assert_eq!((&quote["discount"], &quote["promo"]["label"]), (&json!(180), &json!("10% off")));
    bench.pay(&body).await.assert_problem(409, "total_changed");
    body["expected_total"] = quote["total"].clone();
    bench.pay(&body).await.assert_status(200);
    bench.work().await;
    // The same buyer with the email address in other spellings.
    let mut again = bench.order(PIPE_TOOL, 1).await;
    again["email"] = json!(body["email"].as_str().unwrap().to_uppercase());
    again["promo_code"] = json!("WELCOME10");
    assert_eq!(problems(&bench.quote(&again).await)[0], ("promo_code".into(), "You’ve already used this code.".into()));
    bench.pay(&again).await.assert_problem(409, "cart_changed");
    for (code, says) in
        [("NOSUCH", "This code isn’t valid."), ("BRIAR5", "This code requires a purchase of at least $50.00.")]
    {
        again["promo_code"] = json!(code);
        assert_eq!(problems(&bench.quote(&again).await)[0].1, says);
    }
    // Two buyers compete for the last use of a code.
    bench
        .execute("UPDATE promo_codes SET max_uses = used + 1, once_per_customer = FALSE WHERE code = 'WELCOME10'")
        .await;
    let mut rivals = Vec::new();
    for _ in 0..2 {
        let mut body = bench.order(PIPE_TOOL, 1).await;
        body["promo_code"] = json!("WELCOME10");
        body["expected_total"] = bench.quote(&body).await["total"].clone();
        rivals.push(body);
    }
    let (first, second) = tokio::join!(bench.pay(&rivals[0]), bench.pay(&rivals[1]));
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    bench.work().await;
    bench.assert_books_balance().await;
}

async fn a_code_that_takes_nothing_off_is_not_used_up(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    bench.execute("UPDATE promo_codes SET min_subtotal = 0, once_per_customer = TRUE WHERE code = 'SHIPFREE'").await;
    let mut body = bench.order(PIPE_TOOL, 1).await;
    (body["promo_code"], body["shipping_method"]) = (json!("SHIPFREE"), json!("pickup"));
    let quote = bench.quote(&body).await;
    assert_eq!((&quote["promo"]["label"], &quote["discount"]), (&json!("Free shipping"), &json!(0)));
    body["expected_total"] = quote["total"].clone();
    bench.pay(&body).await.assert_status(200);
    assert_eq!(bench.count("SELECT COUNT(*) FROM promo_redemptions").await, 0);

    let mut shipped = bench.order(PIPE_TOOL, 1).await;
    (shipped["email"], shipped["promo_code"]) = (body["email"].clone(), json!("SHIPFREE"));
    let quote = bench.quote(&shipped).await;
    assert_eq!((problems(&quote).len(), &quote["discount"]), (0, &quote["shipping"]), "{quote}");
    shipped["expected_total"] = quote["total"].clone();
    bench.pay(&shipped).await.assert_status(200);
    assert_eq!(bench.count("SELECT COUNT(*) FROM promo_redemptions").await, 1);
    bench.work().await;
    bench.assert_books_balance().await;
}

async fn a_limit_that_is_switched_on_later_knows_former_uses(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    bench.execute("UPDATE promo_codes SET once_per_customer = FALSE WHERE code = 'WELCOME10'").await;
    let mut body = bench.order(PIPE_TOOL, 1).await;
    let address = body["email"].as_str().unwrap().to_owned();
    (body["promo_code"], body["email"]) = (json!("WELCOME10"), json!(address.to_uppercase()));
    body["expected_total"] = bench.quote(&body).await["total"].clone();
    bench.pay(&body).await.assert_status(200);
    bench.work().await;
    bench.execute("UPDATE promo_codes SET once_per_customer = TRUE WHERE code = 'WELCOME10'").await;
    let mut again = bench.order(PIPE_TOOL, 1).await;
    again["promo_code"] = json!("WELCOME10");
    assert!(problems(&bench.quote(&again).await).is_empty(), "somebody else");
    // As it was typed then, with some other capitals, and with none.
    for typed in [address.to_uppercase(), address.replace("buyer", "Buyer"), address] {
        again["email"] = json!(typed);
        let told = problems(&bench.quote(&again).await);
        assert!(told.iter().any(|(_, says)| says == "You’ve already used this code."), "{typed}: {told:?}");
    }
    bench.pay(&again).await.assert_problem(409, "cart_changed");
}

async fn an_unfinished_order_holds_its_code_for_a_while(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let mut refused = bench.order(PIPE_TOOL, 1).await;
    refused["promo_code"] = json!("WELCOME10");
    refused["expected_total"] = bench.quote(&refused).await["total"].clone();
    refused["source_id"] = json!("cnon:card-nonce-declined");
    bench.pay(&refused).await.assert_problem(402, "declined");
    let mut again = bench.order(PIPE_TOOL, 1).await;
    (again["email"], again["promo_code"]) = (refused["email"].clone(), json!("WELCOME10"));
    let says = "An order you haven’t finished is using this code. Finish it, or try again in two hours.";
    assert_eq!(problems(&bench.quote(&again).await)[0], ("promo_code".into(), says.into()));
    bench.shop.clock.advance(2 * 3_600_000);
    bench.work().await;
    let left = problems(&bench.quote(&again).await);
    assert!(left.is_empty(), "{left:?}");
}

async fn the_last_use_of_a_code_survives_a_declined_card(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    bench.execute("UPDATE promo_codes SET max_uses = used + 1 WHERE code = 'WELCOME10'").await;
    let mut body = bench.order(PIPE_TOOL, 1).await;
    body["promo_code"] = json!("WELCOME10");
    body["expected_total"] = bench.quote(&body).await["total"].clone();
    body["source_id"] = json!("cnon:card-nonce-declined");
    let declined = bench.pay(&body).await;
    let cookie = declined.assert_status(402).header("set-cookie").split(';').next().unwrap();
    let mut other = bench.order(PIPE_TOOL, 1).await;
    other["promo_code"] = json!("WELCOME10");
    assert_eq!(problems(&bench.quote(&other).await)[0].1, "This code has been used up.");
    assert_eq!(problems(&bench.quote(&body).await), [], "it is there for the buyer who has begun to use it");
    body["source_id"] = json!("cnon:card-nonce-ok");
    body["click_id"] = json!(Uuid::now_v7());
    bench.pay(&body).await.assert_status(200);
    bench.work().await;
    assert_eq!(bench.count("SELECT max_uses - used FROM promo_codes WHERE code = 'WELCOME10'").await, 0);
    // The cart's page names no checkout, and the cookie still names the one that is over.
    let cart = json!({ "items": body["items"], "promo_code": "WELCOME10" });
    let quote = bench.shop.call("POST", "/api/checkout/quote", cookie, cart).await.assert_status(200).json();
    assert_eq!(problems(&quote)[0].1, "This code has been used up.");
    bench.assert_books_balance().await;
}

async fn a_code_is_held_as_long_as_the_stock(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    bench.execute("UPDATE promo_codes SET max_uses = used + 1 WHERE code = 'WELCOME10'").await;
    let left = "SELECT max_uses - used FROM promo_codes WHERE code = 'WELCOME10'";
    let mut body = bench.order(PIPE_TOOL, 1).await;
    body["promo_code"] = json!("WELCOME10");
    body["expected_total"] = bench.quote(&body).await["total"].clone();
    body["source_id"] = json!("cnon:card-nonce-declined");
    bench.pay(&body).await.assert_status(402);
    assert_eq!(bench.count(left).await, 0);
    bench.shop.clock.advance(16 * 60 * 1000);
    bench.work().await;
    assert_eq!(bench.count(left).await, 1, "somebody else may use it");
    // A buyer who returns in time can still use it.
    body["source_id"] = json!("cnon:card-nonce-ok");
    body["click_id"] = json!(Uuid::now_v7());
    bench.pay(&body).await.assert_status(200);
    assert_eq!(bench.count(left).await, 0);
    bench.work().await;
    bench.assert_books_balance().await;
}

async fn a_late_payment_uses_its_code_again(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let mut body = bench.order(PIPE_TOOL, 1).await;
    (body["promo_code"], body["email"]) = (json!("WELCOME10"), json!("ada@exämple.example"));
    body["expected_total"] = bench.quote(&body).await["total"].clone();
    let mut hold = bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeAnswer);
    let (placed, ()) = tokio::join!(bench.pay(&body), async {
        assert!(hold.reached().await);
        // As when the time to pay has ended.
        bench.execute("DELETE FROM promo_redemptions").await;
        bench.execute("UPDATE promo_codes SET used = used - 1 WHERE code = 'WELCOME10'").await;
        hold.release();
    });
    placed.assert_status(200);
    // The same mailbox.
    let mut again = bench.order(PIPE_TOOL, 1).await;
    (again["promo_code"], again["email"]) = (json!("WELCOME10"), json!("ada@xn--exmple-cua.example"));
    assert_eq!(problems(&bench.quote(&again).await)[0].1, "You’ve already used this code.");
    bench.work().await;
    bench.assert_books_balance().await;
}
