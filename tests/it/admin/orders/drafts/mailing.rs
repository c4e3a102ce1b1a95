//! The email with the link of a draft order.

use serde_json::{Value, json};
use shop_demo::mailbox::Mailbox;

use super::terms;
use crate::admin::orders::Desk;
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{Test, TestShop, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![
    the_link_is_mailed_and_its_secret_is_kept_nowhere,
    an_email_names_all_that_was_promised_or_waits,
    a_click_mails_the_link_once_however_often_it_arrives,
    an_email_that_still_waits_is_not_sent_beside_the_next,
    without_mail_no_email_is_said_to_be_sent,
];

async fn emails_to_ada(mailbox: &Mailbox) -> Vec<Value> {
    let all = reqwest::get(format!("{}/messages.json", mailbox.origin())).await.unwrap();
    let all: Vec<Value> = all.json().await.unwrap();
    all.into_iter().filter(|email| email["to"][0] == "ada@shop.example").collect()
}

async fn the_link_is_mailed_and_its_secret_is_kept_nowhere(shop: TestShop) {
    let mailbox = Mailbox::start(&temporary_folder(), 0).await.unwrap();
    let desk = Desk::at(Bench::writing(shop.database, mailbox.settings("care@shop.example")).await).await;
    let mut mailed = terms();
    mailed["mail"] = json!(true);
    mailed["message"] = json!("As we said on the phone.\n\nThe second one is for your brother.");
    let number = desk.drafted(mailed).await;
    desk.bench.work().await;
    let link = desk.link(&number).await;
    let email = emails_to_ada(&mailbox).await.pop().unwrap();
    assert_eq!(email["subject"], format!("Your order {number} is ready for payment"));
    let (text, html) = (email["text"].as_str().unwrap(), email["html"].as_str().unwrap());
    for part in [link.as_str(), "The second one is for your brother.", "November 28, 2026", "12 High Street", "$24.79"]
    {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(html.contains(&link.replace('&', "&amp;")));
    assert!(!text.contains("boss") && !html.contains("boss"), "nobody learns who made it");
    desk.on_draft(&number, "letter").await.assert_status(204);
    desk.bench.work().await;
    assert_eq!(emails_to_ada(&mailbox).await.len(), 2);
    assert_eq!(desk.audited("draft_order.mail").await, 2);

    // No row contains the token: it is looked up by its hash, and the encrypted value differs from it.
    let token = link.split('=').nth(1).unwrap();
    assert_eq!(token.len(), 43);
    let mut reader = desk.bench.shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    let (hash, sealed): (Vec<u8>, Vec<u8>) = shop_base::sql!(&mut conn, c =>
        sqlx::query_as("SELECT token_hash, token_sealed FROM draft_orders").fetch_one(c).await)
    .unwrap();
    for bytes in [hash, sealed] {
        assert!(!bytes.windows(token.len()).any(|window| window == token.as_bytes()));
    }
    let jobs: Vec<String> =
        shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT payload FROM jobs").fetch_all(c).await).unwrap();
    assert!(!jobs.iter().any(|job| job.contains(token)));
}

async fn an_email_names_all_that_was_promised_or_waits(shop: TestShop) {
    let mailbox = Mailbox::start(&temporary_folder(), 0).await.unwrap();
    let desk = Desk::at(Bench::writing(shop.database, mailbox.settings("care@shop.example")).await).await;
    let mut mailed = terms();
    mailed["mail"] = json!(true);
    desk.drafted(mailed).await;
    // Sold to somebody else before the mail server answers.
    desk.bench.execute("UPDATE stock_levels SET on_hand = 1, reserved = 0 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    desk.bench.work().await;
    assert_eq!(emails_to_ada(&mailbox).await, Vec::<Value>::new(), "one piece and its total were not promised");
    desk.bench.execute("UPDATE stock_levels SET on_hand = 2 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    desk.bench.let_pass(5).await;
    let emails = emails_to_ada(&mailbox).await;
    assert_eq!(emails.len(), 1);
    assert!(emails[0]["text"].as_str().unwrap().contains("$24.79"), "{}", emails[0]["text"]);
}

async fn a_click_mails_the_link_once_however_often_it_arrives(shop: TestShop) {
    let mailbox = Mailbox::start(&temporary_folder(), 0).await.unwrap();
    let desk = Desk::at(Bench::writing(shop.database, mailbox.settings("care@shop.example")).await).await;
    let number = desk.drafted(terms()).await;
    let shown = async || desk.draft(&number).await["version"].clone();
    let send = async |version: &Value| {
        desk.call(&desk.admin, "POST", &format!("drafts/{number}/letter"), json!({ "version": version })).await
    };
    let assert_mailed = async |times: usize| {
        desk.bench.work().await;
        assert_eq!(emails_to_ada(&mailbox).await.len(), times);
        assert_eq!(desk.audited("draft_order.mail").await, i64::try_from(times).unwrap());
    };
    let first = shown().await;
    let (click, double_click) = tokio::join!(send(&first), send(&first));
    click.assert_status(204);
    double_click.assert_status(204);
    assert_mailed(1).await;
    // The answer was lost.
    send(&first).await.assert_status(204);
    assert_mailed(1).await;
    // Who sees that it was mailed means to mail it again; who has an old page may not.
    let second = shown().await;
    send(&second).await.assert_status(204);
    assert_mailed(2).await;
    desk.bench.shop.clock.advance(61_000);
    send(&second).await.assert_problem(409, "changed_meanwhile");
    // Somebody else changes it right after it was mailed.
    let third = shown().await;
    send(&third).await.assert_status(204);
    let fourth = shown().await;
    desk.bench.shop.clock.advance(1_000);
    let mut fewer = terms();
    fewer["lines"][0]["quantity"] = json!(1);
    desk.rewrite(&number, &fewer).await.assert_status(200);
    send(&fourth).await.assert_problem(409, "changed_meanwhile");
    assert_mailed(3).await;
    desk.assert_log_is_sound().await;
}

async fn an_email_that_still_waits_is_not_sent_beside_the_next(shop: TestShop) {
    let mailbox = Mailbox::start(&temporary_folder(), 0).await.unwrap();
    let desk = Desk::at(Bench::writing(shop.database, mailbox.settings("care@shop.example")).await).await;
    let mut mailed = terms();
    mailed["mail"] = json!(true);
    let number = desk.drafted(mailed.clone()).await;
    // The mail server is away, so staff look whether the address is right, and try again.
    desk.bench.execute("UPDATE jobs SET run_at = run_at + 60000 WHERE name = 'draft_mail'").await;
    mailed["message"] = json!("As we said on the phone.");
    desk.rewrite(&number, &mailed).await.assert_status(200);
    desk.on_draft(&number, "letter").await.assert_status(204);
    desk.bench.let_pass(120).await;
    let emails = emails_to_ada(&mailbox).await;
    assert_eq!(emails.len(), 1);
    assert!(emails[0]["text"].as_str().unwrap().contains("on the phone"), "{}", emails[0]["text"]);
}

/// It would not be sent later, either: staff would wait for somebody who was never asked.
async fn without_mail_no_email_is_said_to_be_sent(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let mut mailed = terms();
    mailed["mail"] = json!(true);
    mailed["expected_total"] = desk.drafts_total(&mailed).await;
    let problem = desk.make(&mailed).await.assert_problem(409, "mail_off").json();
    assert_eq!(problem["detail"], "Email is off. Copy the link and send it yourself.");
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM draft_orders").await, 0);
    let number = desk.drafted(terms()).await;
    desk.on_draft(&number, "letter").await.assert_problem(409, "mail_off");
    desk.rewrite(&number, &mailed).await.assert_problem(409, "mail_off");
    assert_eq!(desk.draft(&number).await["mailed"], Value::Null);
    let order = desk.paid(&[(PIPE_TOOL, 1)]).await;
    desk.act(&desk.staff, &order, "mails", json!({ "mail": "placed" })).await.assert_problem(409, "mail_off");
    let body = json!({ "act": "confirm", "numbers": [order], "preview": true });
    let plan = desk.call(&desk.staff, "POST", "bulk", body).await.assert_status(200).json();
    assert_eq!(plan["unchanged"][0]["why"], "Email is off. Tell the customer yourself.");
    let page = desk.bench.shop.call("GET", &format!("/admin/orders/{order}"), &desk.staff, Value::Null).await;
    assert_eq!(page.assert_status(200).envelope()["shared"]["staff"]["is_mail_on"], false);
    desk.assert_log_is_sound().await;
}
