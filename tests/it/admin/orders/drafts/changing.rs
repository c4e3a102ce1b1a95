//! Staff change, renew and withdraw draft orders.

use serde_json::{Value, json};
use shop_domain::identity::model::Profile;
use shop_domain::sales::records::draft_orders::promise::new_checkout;
use uuid::Uuid;

use super::{DAY_MS, terms};
use crate::admin::orders::Desk;
use crate::checkout::bench::{BUTANE, PIPE_TOOL, problems};
use crate::checkout::emails::{emails, open};
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_link_ends_and_says_so,
    staff_change_it_at_the_version_that_they_saw,
    a_form_that_was_changed_after_a_lost_answer_is_told_of_its_draft,
    a_page_of_a_replaced_link_buys_nothing,
    a_made_up_checkout_places_no_order_without_goods,
    staff_change_what_its_own_unpaid_try_holds,
    who_gets_the_link_instead_buys_what_the_former_try_held,
    what_a_withdrawn_draft_held_is_for_the_next,
    an_account_whose_address_is_only_claimed_is_told,
];

async fn a_link_ends_and_says_so(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let unknown = desk.bench.shop.get_verified("/checkout?draft=none").await;
    assert!(unknown.assert_status(404).root().contains("This link doesn’t work"));
    let number = desk.drafted(terms()).await;
    let link = desk.link(&number).await;
    let body = desk.click(&link).await;
    desk.bench.shop.clock.advance(8 * DAY_MS);
    let desk = Desk::at(desk.bench).await;
    let expired = desk.bench.shop.get_verified(&link).await;
    assert!(expired.assert_status(410).root().contains("This link has expired"));
    assert!(!expired.text().contains("High Street"), "what it was is nobody's business any more");
    assert_eq!(desk.bench.quote(&body).await["problems"][0]["code"], "link_over");
    desk.bench.pay(&body).await.assert_problem(409, "cart_changed");
    assert_eq!(desk.draft(&number).await["state"], "expired");
    desk.on_draft(&number, "letter").await.assert_problem(409, "expired");
    // Staff renew it: the same link is valid again.
    desk.rewrite(&number, &terms()).await.assert_status(200);
    assert_eq!(desk.opened(&link).await["draft"]["number"], json!(number));
    desk.on_draft(&number, "withdrawal").await.assert_status(204);
    let withdrawn = desk.bench.shop.get_verified(&link).await;
    assert!(withdrawn.assert_status(410).root().contains("no longer valid"));
    desk.bench.pay(&body).await.assert_problem(409, "cart_changed");
    desk.rewrite(&number, &terms()).await.assert_problem(409, "withdrawn");
    let edit = format!("/admin/orders/drafts/{number}/edit");
    desk.bench.shop.call("GET", &edit, &desk.admin, Value::Null).await.assert_status(404);
    assert_eq!(desk.audited("draft_order.withdraw").await, 1);
    assert!(desk.bench.payments().is_empty());
    desk.assert_log_is_sound().await;
}

async fn staff_change_it_at_the_version_that_they_saw(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let mut first = terms();
    first["expected_total"] = desk.drafts_total(&first).await;
    // Sending the same click twice creates one draft.
    let body = json!({ "draft_id": Uuid::now_v7(), "terms": first });
    let made = desk.call(&desk.admin, "POST", "drafts", body.clone()).await.assert_status(200).json();
    let again = desk.call(&desk.admin, "POST", "drafts", body.clone()).await.assert_status(200).json();
    assert_eq!(made["number"], again["number"]);
    let other = desk.bench.shop.sign_in("second-boss", &["admin"]).await;
    desk.call(&other, "POST", "drafts", body).await.assert_problem(409, "not_yours");
    let number = made["number"].as_str().unwrap();
    let (seen, link) = (desk.draft(number).await["version"].clone(), desk.link(number).await);

    let mut changed = terms();
    changed["lines"] = json!([{ "sku": PIPE_TOOL, "quantity": 1 }, { "sku": BUTANE, "quantity": 1 }]);
    changed["promo_code"] = json!("welcome10");
    desk.rewrite(number, &changed).await.assert_status(200);
    let shown = desk.draft(number).await;
    assert_eq!((&shown["promo_code"], &shown["lines"][1]["sku"]), (&json!("WELCOME10"), &json!(BUTANE)));
    assert_eq!(desk.link(number).await, link, "the email is as good as before");
    // A staff member who still sees the first version.
    changed["expected_total"] = shown["total"].clone();
    let stale = json!({ "version": seen, "terms": changed });
    desk.call(&desk.admin, "PUT", &format!("drafts/{number}"), stale.clone())
        .await
        .assert_problem(409, "changed_meanwhile");
    for act in ["letter", "withdrawal"] {
        let answer =
            desk.call(&desk.admin, "POST", &format!("drafts/{number}/{act}"), json!({ "version": seen })).await;
        answer.assert_problem(409, "changed_meanwhile");
    }
    // Another email address gets another link and checkout, and the previous ones stop working.
    let checkout = desk.opened(&link).await["draft"]["checkout_id"].clone();
    changed["email"] = json!("grace@shop.example");
    desk.rewrite(number, &changed).await.assert_status(200);
    assert_ne!(desk.link(number).await, link);
    desk.bench.shop.get_verified(&link).await.assert_status(404);
    let logged = desk
        .text("SELECT after FROM audit_entries WHERE action = $1 ORDER BY seq DESC LIMIT 1", "draft_order.update")
        .await;
    assert!(logged.contains("\"changed\":[\"email\"]"), "{logged}");
    let all = desk
        .figure("SELECT COUNT(*) FROM audit_entries WHERE before || after || subject_label LIKE $1", "%shop.example%")
        .await;
    assert_eq!(all, 0, "people's data stays out of the log");
    assert_eq!(desk.audited("draft_order.update").await, 2);
    // The promo code counts as used once the order is paid.
    let body = desk.click(&desk.link(number).await).await;
    let placed = desk.bench.pay(&body).await.assert_status(200).json();
    assert_eq!(desk.bench.confirmation(&placed).await["promo_code"], "WELCOME10");
    let outcome =
        async |checkout: &Value| desk.bench.shop.get(&format!("/api/checkout/{}", checkout.as_str().unwrap())).await;
    assert_eq!(outcome(&body["checkout_id"]).await.assert_status(200).json()["href"], placed["href"]);
    outcome(&checkout).await.assert_problem(404, "not_found");
    desk.assert_log_is_sound().await;
}

async fn a_form_that_was_changed_after_a_lost_answer_is_told_of_its_draft(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let mut first = terms();
    first["expected_total"] = desk.drafts_total(&first).await;
    let id = Uuid::now_v7();
    let send =
        async |terms: &Value| desk.call(&desk.admin, "POST", "drafts", json!({ "draft_id": id, "terms": terms })).await;
    let number = send(&first).await.assert_status(200).json()["number"].as_str().unwrap().to_owned();
    let mut fewer = terms();
    fewer["lines"][0]["quantity"] = json!(1);
    fewer["expected_total"] = desk.drafts_total(&fewer).await;
    let mut to_another = first.clone();
    to_another["email"] = json!("grace@shop.example");
    for changed in [fewer, to_another] {
        let problem = send(&changed).await.assert_problem(409, "made_already").json();
        assert!(problem["detail"].as_str().unwrap().contains(&number), "{problem}");
    }
    assert_eq!(send(&first).await.assert_status(200).json()["number"], json!(number), "what was sent is there");
    assert_eq!(desk.draft(&number).await["lines"][0]["quantity"], 2);
    assert_eq!(
        (desk.bench.count("SELECT COUNT(*) FROM draft_orders").await, desk.audited("draft_order.create").await),
        (1, 1)
    );
}

async fn a_page_of_a_replaced_link_buys_nothing(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    // At the prices of the shop, so an ordinary cart would cost the same.
    let body = desk.click(&desk.link(&number).await).await;
    let mut changed = terms();
    changed["email"] = json!("grace@shop.example");
    desk.rewrite(&number, &changed).await.assert_status(200);
    assert_eq!(desk.bench.quote(&body).await["problems"][0]["code"], "changed");
    let problem = desk.bench.pay(&body).await.assert_problem(409, "cart_changed").json();
    assert_eq!(problem["detail"], "We’ve updated this order. Reload the page to see it.");
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM orders").await, 0);
    assert!(desk.bench.payments().is_empty());
    desk.bench.pay(&desk.click(&desk.link(&number).await).await).await.assert_status(200);
    assert_eq!(desk.status_of(&number).await, "placed");
}

/// It would be emailed to anybody, with an address that a stranger has typed.
async fn a_made_up_checkout_places_no_order_without_goods(shop: TestShop) {
    let (bench, mailbox) = open(&shop).await;
    let mut body = bench.order(PIPE_TOOL, 1).await;
    (body["checkout_id"], body["items"]) = (json!(new_checkout()), json!([]));
    (body["payment_method"], body["source_id"], body["expected_total"]) = (json!("pickup"), json!(""), json!(0));
    for method in ["ground", "pickup"] {
        body["shipping_method"] = json!(method);
        bench.pay(&body).await.assert_problem(409, "cart_changed");
        assert_eq!(problems(&bench.quote(&body).await)[0].0, "changed", "{method}");
    }
    bench.work().await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM orders").await, 0);
    assert!(emails(&mailbox, body["email"].as_str().unwrap()).await.is_empty());
}

async fn staff_change_what_its_own_unpaid_try_holds(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    desk.bench.execute("UPDATE stock_levels SET on_hand = 2, reserved = 0 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    let mut wanted = terms();
    wanted["promo_code"] = json!("WELCOME10");
    let number = desk.drafted(wanted.clone()).await;
    let link = desk.link(&number).await;
    let mut refused = desk.click(&link).await;
    refused["source_id"] = json!("cnon:card-nonce-declined");
    desk.bench.pay(&refused).await.assert_problem(402, "declined");
    let elsewhere = desk.make(&terms()).await.assert_status(200).json();
    assert_eq!(elsewhere["quote"]["problems"][0]["code"], "sold_out", "it holds the last ones");

    let change = async |terms: &Value| {
        let body = json!({ "version": desk.draft(&number).await["version"], "terms": terms });
        desk.call(&desk.admin, "PUT", &format!("drafts/{number}"), body).await.assert_status(200).json()
    };
    wanted["address"]["line1"] = json!("14 High Street");
    let quote = change(&wanted).await["quote"].clone();
    assert_eq!(quote["problems"], json!([]));
    wanted["expected_total"] = quote["total"].clone();
    change(&wanted).await;
    assert_eq!(desk.opened(&link).await["draft"]["address"]["line1"], "14 High Street");
    desk.bench.pay(&desk.click(&link).await).await.assert_status(200);
}

async fn who_gets_the_link_instead_buys_what_the_former_try_held(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let mut wanted = with_code();
    let (number, refused) = hold_the_last(&desk, &wanted).await;
    wanted["email"] = json!("grace@shop.example");
    wanted["expected_total"] = refused["expected_total"].clone();
    let body = json!({ "version": desk.draft(&number).await["version"], "terms": wanted });
    desk.call(&desk.admin, "PUT", &format!("drafts/{number}"), body).await.assert_status(200);
    let body = desk.click(&desk.link(&number).await).await;
    assert_eq!(desk.bench.quote(&body).await["problems"], json!([]));
    let placed = desk.bench.pay(&body).await.assert_status(200).json();
    nothing_is_left_after(&desk, &placed).await;
}

async fn what_a_withdrawn_draft_held_is_for_the_next(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let (number, _) = hold_the_last(&desk, &with_code()).await;
    desk.on_draft(&number, "withdrawal").await.assert_status(204);
    let next = desk.drafted(with_code()).await;
    let placed = desk.bench.pay(&desk.click(&desk.link(&next).await).await).await.assert_status(200).json();
    nothing_is_left_after(&desk, &placed).await;
}

fn with_code() -> Value {
    let mut terms = terms();
    terms["promo_code"] = json!("WELCOME10");
    terms
}

/// A draft whose refused try holds the last pieces and the last use of its code; returns its number and the body of the try.
async fn hold_the_last(desk: &Desk, terms: &Value) -> (String, Value) {
    desk.bench.execute("UPDATE stock_levels SET on_hand = 2, reserved = 0 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    desk.bench.execute("UPDATE promo_codes SET max_uses = used + 1 WHERE code = 'WELCOME10'").await;
    let number = desk.drafted(terms.clone()).await;
    let mut refused = desk.click(&desk.link(&number).await).await;
    refused["source_id"] = json!("cnon:card-nonce-declined");
    desk.bench.pay(&refused).await.assert_problem(402, "declined");
    (number, refused)
}

/// The order has the code and the pieces, and the former try, which is abandoned later, gives nothing back a second time.
async fn nothing_is_left_after(desk: &Desk, placed: &Value) {
    assert_eq!(desk.bench.confirmation(placed).await["promo_code"], "WELCOME10");
    desk.bench.work().await;
    desk.bench.shop.clock.advance(DAY_MS + 60_000);
    desk.bench.work().await;
    let left = "SELECT on_hand + reserved FROM stock_levels WHERE variant_id = (SELECT id FROM product_variants WHERE sku = $1)";
    assert_eq!(desk.figure(left, PIPE_TOOL).await, 0);
    let uses = "SELECT max_uses - used FROM promo_codes WHERE code = $1";
    assert_eq!(desk.figure(uses, "WELCOME10").await, 0);
}

async fn an_account_whose_address_is_only_claimed_is_told(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    for (subject, email_verified) in [("claimer", false), ("owner", true)] {
        let profile = Profile {
            issuer: "https://id.example".to_owned(),
            subject: subject.to_owned(),
            email: "victim@mail.example".to_owned(),
            email_verified,
            name: format!("Victim {subject}"),
            roles: Vec::new(),
        };
        desk.bench.shop.begin_session(profile).await.unwrap();
    }
    let found = desk.call(&desk.admin, "GET", "buyers?q=victim%40mail.example", Value::Null).await;
    let found = found.assert_status(200).json()["buyers"].clone();
    let told = |at: usize| (&found[at]["name"], &found[at]["email_verified"]);
    assert_eq!(told(0), (&json!("Victim claimer"), &json!(false)));
    assert_eq!(told(1), (&json!("Victim owner"), &json!(true)));

    let mut terms = terms();
    terms["user_id"] = json!(desk.user("claimer").await);
    let path = format!("/admin/orders/drafts/{}/edit", desk.drafted(terms).await);
    let page = desk.bench.shop.call("GET", &path, &desk.admin, Value::Null).await;
    let account = page.assert_status(200).envelope()["props"]["draft"]["account"].clone();
    let claimed = json!({ "name": "Victim claimer", "email": "victim@mail.example", "email_verified": false });
    assert_eq!(account, claimed);
}
