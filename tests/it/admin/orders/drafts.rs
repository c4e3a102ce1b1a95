//! Draft orders that staff create and a customer pays through a link: each becomes one order, by the rules of the checkout.

use std::slice::from_ref;
use std::sync::Arc;

use serde_json::{Value, json};
use shop_demo::mailbox::Mailbox;
use shop_demo::square::faults::{Operation, Point};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::Desk;
use crate::checkout::bench::{BUTANE, Bench, PAPERS, PIPE_TOOL};
use crate::support::{Answer, Database, Test, TestShop, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_link_is_paid_and_becomes_an_order,
    twenty_clicks_at_once_are_one_order,
    what_is_paid_needs_no_second_payment,
    the_promised_price_holds_and_the_stock_does_not,
    rules_hold_when_it_is_made_and_when_it_is_paid,
    a_link_ends_and_says_so,
    staff_change_it_at_the_version_that_they_saw,
    a_form_that_was_changed_after_a_lost_answer_is_told_of_its_draft,
    a_page_of_a_replaced_link_buys_nothing,
    staff_change_what_its_own_unpaid_try_holds,
    who_gets_the_link_instead_buys_what_the_former_try_held,
    nobody_changes_what_is_being_paid,
    a_refused_card_and_an_abandoned_try_leave_the_link_good,
    an_order_belongs_to_whom_it_was_made_for,
    the_link_is_mailed_and_its_secret_is_kept_nowhere,
    an_email_names_all_that_was_promised_or_waits,
    the_checkout_of_a_draft_is_good_for_nothing_else,
    what_nobody_picks_up_is_told_to_staff,
    what_came_to_nothing_is_deleted,
    goods_and_buyers_are_found,
    the_list_finds_and_sorts,
    every_sort_of_the_list_has_its_index,
];

const DAY_MS: i64 = 86_400_000;

/// Two pipe tools, shipped to Columbus.
fn terms() -> Value {
    json!({
        "lines": [{ "sku": PIPE_TOOL, "quantity": 2 }],
        "email": "ada@shop.example",
        "phone": "614 555 0142",
        "address": {
            "first_name": "Ada", "last_name": "Reed", "line1": "12 High Street", "city": "Columbus",
            "state": "OH", "postal_code": "43215",
        },
        "shipping_method": "ground",
    })
}

impl Desk {
    /// Requests the total, then creates the draft; returns its number.
    pub async fn drafted(&self, mut terms: Value) -> String {
        terms["expected_total"] = self.drafts_total(&terms).await;
        self.make(&terms).await.assert_status(200).json()["number"].as_str().unwrap().to_owned()
    }

    async fn drafts_total(&self, terms: &Value) -> Value {
        let mut asked = terms.clone();
        asked["expected_total"] = Value::Null;
        self.make(&asked).await.assert_status(200).json()["quote"]["total"].clone()
    }

    async fn make(&self, terms: &Value) -> Answer {
        self.call(&self.admin, "POST", "drafts", json!({ "draft_id": Uuid::now_v7(), "terms": terms })).await
    }

    /// The draft as staff see it.
    async fn draft(&self, number: &str) -> Value {
        let path = format!("/admin/orders/drafts/{number}");
        let page = self.bench.shop.call("GET", &path, &self.admin, Value::Null).await;
        page.assert_status(200).envelope()["props"]["draft"].clone()
    }

    /// The link where the buyer pays, without the shop's origin.
    pub async fn link(&self, number: &str) -> String {
        let link = self.draft(number).await["link"].as_str().unwrap().to_owned();
        link[link.find("/checkout").unwrap()..].to_owned()
    }

    /// What the link shows to a visitor who has passed the age gate.
    async fn opened(&self, link: &str) -> Value {
        self.bench.shop.get_verified(link).await.envelope()["props"].clone()
    }

    /// The body that a browser sends after opening the link and paying with a good card. Requests the total first.
    pub async fn click(&self, link: &str) -> Value {
        let draft = self.opened(link).await["draft"].clone();
        let mut body = json!({
            "checkout_id": draft["checkout_id"], "click_id": Uuid::now_v7(), "items": draft["items"],
            "email": draft["email"], "phone": draft["phone"], "address": draft["address"],
            "shipping_method": draft["shipping_method"], "payment_method": "square", "source_id": "cnon:card-nonce-ok",
        });
        body["expected_total"] = self.bench.quote(&body).await["total"].clone();
        body
    }

    async fn status_of(&self, number: &str) -> String {
        self.text("SELECT status FROM draft_orders WHERE number = $1", number).await
    }

    /// Calls one of a draft's actions with its current version.
    async fn on_draft(&self, number: &str, act: &str) -> Answer {
        let body = json!({ "version": self.draft(number).await["version"] });
        self.call(&self.admin, "POST", &format!("drafts/{number}/{act}"), body).await
    }

    /// Replaces the terms of a draft, using its current version; requests the total first.
    async fn rewrite(&self, number: &str, terms: &Value) -> Answer {
        let mut terms = terms.clone();
        terms["expected_total"] = self.drafts_total(&terms).await;
        let body = json!({ "version": self.draft(number).await["version"], "terms": terms });
        self.call(&self.admin, "PUT", &format!("drafts/{number}"), body).await
    }
}

async fn a_link_is_paid_and_becomes_an_order(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    let (shown, link) = (desk.draft(&number).await, desk.link(&number).await);
    assert_eq!((&shown["state"], &shown["may_change"]), (&json!("open"), &json!(true)));
    assert_eq!(shown["quote"]["problems"], json!([]));
    let packer = desk.bench.shop.call("GET", &format!("/admin/orders/drafts/{number}"), &desk.staff, Value::Null).await;
    assert_eq!(packer.assert_status(200).envelope()["props"]["draft"]["link"], Value::Null, "who may not, has no link");

    let page = desk.bench.shop.get_verified(&link).await;
    assert_eq!(page.assert_status(200).header("cache-control"), "private, no-store");
    assert!(!page.text().contains("Test boss"), "nobody learns who made it");
    let opened = page.envelope()["props"]["draft"].clone();
    assert_eq!((&opened["number"], &opened["good_until"]), (&json!(number), &json!("2026-11-28")));
    assert_eq!(opened["address"]["line1"], "12 High Street");
    // The age gate applies as on every page; nobody can pay without passing it.
    assert_eq!(desk.bench.shop.get(&link).await.envelope()["shared"]["age_verified"], false);
    let body = desk.click(&link).await;
    desk.bench.pay_as("", &body).await.assert_problem(403, "forbidden");

    let placed = desk.bench.pay(&body).await.assert_status(200).json();
    desk.bench.work().await;
    let order = placed["number"].as_str().unwrap();
    assert_eq!((desk.status_of(&number).await.as_str(), desk.payment_status(order).await.as_str()), ("placed", "paid"));
    let shown = desk.draft(&number).await;
    assert_eq!(shown["order"], json!({ "number": order, "payment_status": "paid" }));
    assert_eq!((&shown["link"], &shown["may_change"]), (&Value::Null, &json!(false)));
    let page = desk.bench.shop.call("GET", &format!("/admin/orders/{order}"), &desk.admin, Value::Null).await;
    let timeline = page.envelope()["props"]["order"]["timeline"].clone();
    let entry = timeline.as_array().unwrap().iter().find(|item| item["text"].as_str().unwrap().contains(&number));
    let entry = entry.unwrap_or_else(|| panic!("{timeline}"));
    assert_eq!((&entry["who"], &entry["is_public"]), (&json!("Test boss"), &json!(false)));
    assert_eq!(desk.audited("draft_order.create").await, 1);
    desk.assert_log_is_sound().await;
    desk.bench.assert_books_balance().await;
    desk.bench.assert_stock_is_exact().await;
}

async fn twenty_clicks_at_once_are_one_order(shop: TestShop) {
    let desk = Arc::new(Desk::open(&shop).await);
    let number = desk.drafted(terms()).await;
    let link = desk.link(&number).await;
    let mut clicks = JoinSet::new();
    for _ in 0..20 {
        let (desk, link) = (Arc::clone(&desk), link.clone());
        clicks.spawn(async move { desk.bench.pay(&desk.click(&link).await).await });
    }
    let answers = clicks.join_all().await;
    let numbers: Vec<Value> = answers.iter().map(|answer| answer.assert_status(200).json()["number"].clone()).collect();
    assert!(numbers.iter().all(|each| each.is_string() && *each == numbers[0]), "{numbers:?}");
    desk.bench.work().await;
    assert_eq!(desk.bench.payments(), ["COMPLETED"]);
    assert_eq!(desk.status_of(&number).await, "placed");
    desk.bench.assert_books_balance().await;
    desk.bench.assert_stock_is_exact().await;
}

async fn what_is_paid_needs_no_second_payment(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    let link = desk.link(&number).await;
    let body = desk.click(&link).await;
    let placed = desk.bench.pay(&body).await.assert_status(200).json();
    desk.bench.work().await;
    let again = desk.bench.shop.get_verified(&link).await;
    let over = again.assert_status(200).envelope()["props"]["over"].clone();
    assert_eq!(over["state"], "placed");
    assert_eq!(over["order"], json!({ "label": placed["number"], "href": placed["href"] }));
    assert!(again.root().contains("This order has been placed"));
    // A page that stayed open, whose button is clicked again.
    let mut late = body.clone();
    late["click_id"] = json!(Uuid::now_v7());
    assert_eq!(desk.bench.pay(&late).await.assert_status(200).json(), placed);
    assert_eq!(desk.bench.payments(), ["COMPLETED"]);
    desk.on_draft(&number, "withdrawal").await.assert_problem(409, "placed");
    desk.on_draft(&number, "letter").await.assert_problem(409, "placed");
}

async fn the_promised_price_holds_and_the_stock_does_not(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    let link = desk.link(&number).await;
    let promised = desk.click(&link).await;
    desk.bench.execute("UPDATE product_variants SET price = price + 1000 WHERE sku = 'TWT-SIN'").await;
    let body = desk.click(&link).await;
    assert_eq!(body["expected_total"], promised["expected_total"], "what was promised holds");
    assert_ne!(desk.bench.order(PIPE_TOOL, 2).await["expected_total"], body["expected_total"], "for this order only");
    let quote = desk.bench.quote(&body).await;
    assert_eq!((&quote["changes"], &quote["problems"]), (&json!([]), &json!([])));

    desk.bench.execute("UPDATE stock_levels SET on_hand = 1, reserved = 0 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    let quote = desk.bench.quote(&body).await;
    assert_eq!(quote["problems"][0]["code"], "sold_out", "{quote}");
    let refused = desk.bench.pay(&body).await;
    refused.assert_problem(409, "cart_changed");
    assert!(refused.json()["detail"].as_str().unwrap().contains("Only 1"), "{}", refused.text());
    assert_eq!(desk.draft(&number).await["quote"]["problems"][0]["code"], "sold_out", "staff see it, too");
    desk.on_draft(&number, "letter").await.assert_problem(409, "not_payable");
    assert!(desk.bench.payments().is_empty());

    // Staff revise it at current prices.
    let mut fewer = terms();
    fewer["lines"][0]["quantity"] = json!(1);
    desk.rewrite(&number, &fewer).await.assert_status(200);
    desk.bench.pay(&body).await.assert_problem(409, "cart_changed");
    let body = desk.click(&link).await;
    assert_eq!(desk.bench.quote(&body).await["lines"][0]["price"], 1_600);
    desk.bench.pay(&body).await.assert_status(200);
}

async fn rules_hold_when_it_is_made_and_when_it_is_paid(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let mut alaska = terms();
    alaska["lines"] = json!([{ "sku": BUTANE, "quantity": 1 }]);
    alaska["address"]["state"] = json!("AK");
    alaska["address"]["city"] = json!("Anchorage");
    alaska["address"]["postal_code"] = json!("99501");
    let shown = desk.make(&alaska).await.assert_status(200).json();
    assert_eq!(shown["quote"]["problems"][0]["code"], "restricted", "it is told before anything is stored");
    alaska["expected_total"] = json!(2_000);
    desk.make(&alaska).await.assert_problem(409, "cart_changed");
    // Goods that require an ID check at pickup cannot be paid through a link.
    let mut papers = terms();
    papers["lines"] = json!([{ "sku": PAPERS, "quantity": 1 }]);
    papers["shipping_method"] = json!("pickup");
    papers["expected_total"] = desk.drafts_total(&papers).await;
    desk.make(&papers).await.assert_problem(409, "not_online");
    // Nobody can sign for a delivery at a PO box.
    let mut boxed = terms();
    boxed["address"]["line1"] = json!("PO Box 7");
    boxed["expected_total"] = desk.drafts_total(&boxed).await;
    assert!(desk.make(&boxed).await.assert_problem(422, "invalid").text().contains("address.line1"));
    let missing = desk.make(&json!({ "lines": [{ "sku": PIPE_TOOL, "quantity": 1 }], "expected_total": 1 })).await;
    for field in ["email", "address.line1", "address.state", "shipping_method"] {
        assert!(missing.assert_problem(422, "invalid").json()["errors"][field].is_array(), "{field}");
    }
    let mut dearer = terms();
    dearer["expected_total"] = json!(1);
    let changed = desk.make(&dearer).await.assert_problem(409, "total_changed").json();
    assert_eq!(changed["detail"], "The total has changed. Review it, then try again.", "staff do not pay");
    desk.make(&json!({ "lines": [{ "sku": "NONE", "quantity": 1 }] })).await.assert_problem(422, "invalid");
    assert_eq!(desk.bench.count("SELECT COUNT(*) FROM draft_orders").await, 0);

    let mut fuel = terms();
    fuel["lines"] = json!([{ "sku": BUTANE, "quantity": 1 }]);
    let number = desk.drafted(fuel).await;
    let link = desk.link(&number).await;
    // The buyer enters an address to which these goods may not be shipped.
    let mut body = desk.click(&link).await;
    let total = body["expected_total"].clone();
    body["address"] = alaska["address"].clone();
    assert_eq!(desk.bench.quote(&body).await["problems"][0]["code"], "restricted");
    desk.bench.pay(&body).await.assert_problem(409, "cart_changed");
    // The rules change after the link was sent and before it is paid.
    desk.bench
        .execute(
            "UPDATE compliance_rules SET may_ship = FALSE, reason = 'No more.' WHERE class = 'lighter_fluid_hazmat'",
        )
        .await;
    let mut body = desk.click(&link).await;
    body["expected_total"] = total;
    desk.bench.pay(&body).await.assert_problem(409, "cart_changed");
    assert!(desk.bench.payments().is_empty());
}

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
    desk.bench.execute("UPDATE stock_levels SET on_hand = 2, reserved = 0 WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    desk.bench.execute("UPDATE promo_codes SET max_uses = used + 1 WHERE code = 'WELCOME10'").await;
    let mut wanted = terms();
    wanted["promo_code"] = json!("WELCOME10");
    let number = desk.drafted(wanted.clone()).await;
    let mut refused = desk.click(&desk.link(&number).await).await;
    refused["source_id"] = json!("cnon:card-nonce-declined");
    desk.bench.pay(&refused).await.assert_problem(402, "declined");
    wanted["email"] = json!("grace@shop.example");
    wanted["expected_total"] = refused["expected_total"].clone();
    let body = json!({ "version": desk.draft(&number).await["version"], "terms": wanted });
    desk.call(&desk.admin, "PUT", &format!("drafts/{number}"), body).await.assert_status(200);
    let body = desk.click(&desk.link(&number).await).await;
    assert_eq!(desk.bench.quote(&body).await["problems"], json!([]));
    let placed = desk.bench.pay(&body).await.assert_status(200).json();
    assert_eq!(desk.bench.confirmation(&placed).await["promo_code"], "WELCOME10");
    desk.bench.work().await;
    // The former try is abandoned: it gives nothing back a second time.
    desk.bench.shop.clock.advance(DAY_MS + 60_000);
    desk.bench.work().await;
    let left = "SELECT on_hand + reserved FROM stock_levels WHERE variant_id = (SELECT id FROM product_variants WHERE sku = $1)";
    assert_eq!(desk.figure(left, PIPE_TOOL).await, 0);
    let uses = "SELECT max_uses - used FROM promo_codes WHERE code = $1";
    assert_eq!(desk.figure(uses, "WELCOME10").await, 0);
}

async fn nobody_changes_what_is_being_paid(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    let body = desk.click(&desk.link(&number).await).await;
    let mut hold = desk.bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeAnswer);
    let (answer, ()) = tokio::join!(desk.bench.pay(&body), async {
        assert!(hold.reached().await);
        desk.on_draft(&number, "withdrawal").await.assert_problem(409, "being_paid");
        desk.rewrite(&number, &terms()).await.assert_problem(409, "being_paid");
        hold.release();
    });
    answer.assert_status(200);
    assert_eq!(desk.status_of(&number).await, "placed");

    // It expires before the response arrives: the paid order is placed nevertheless.
    let number = desk.drafted(terms()).await;
    let body = desk.click(&desk.link(&number).await).await;
    let mut hold = desk.bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeAnswer);
    let (answer, ()) = tokio::join!(desk.bench.pay(&body), async {
        assert!(hold.reached().await);
        desk.bench.execute("UPDATE draft_orders SET expires_at = 0 WHERE status = 'open'").await;
        hold.release();
    });
    answer.assert_status(200);
    assert_eq!(desk.status_of(&number).await, "placed");
    desk.bench.work().await;
    desk.bench.assert_books_balance().await;
}

async fn a_refused_card_and_an_abandoned_try_leave_the_link_good(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    let link = desk.link(&number).await;
    let mut refused = desk.click(&link).await;
    refused["source_id"] = json!("cnon:card-nonce-declined");
    for _ in 0..5 {
        refused["click_id"] = json!(Uuid::now_v7());
        desk.bench.pay(&refused).await.assert_problem(402, "declined");
    }
    refused["click_id"] = json!(Uuid::now_v7());
    let many = desk.bench.pay(&refused).await;
    assert!(many.assert_problem(409, "too_many_attempts").text().contains("tomorrow"));
    assert_eq!(desk.status_of(&number).await, "open");
    let first = desk.opened(&link).await["draft"]["checkout_id"].clone();
    // The unpaid order is abandoned after a day, and the link then opens a new checkout.
    desk.bench.shop.clock.advance(DAY_MS + 60_000);
    desk.bench.work().await;
    assert_ne!(desk.opened(&link).await["draft"]["checkout_id"], first);
    desk.bench.pay(&refused).await.assert_problem(409, "checkout_over");
    desk.bench.pay(&desk.click(&link).await).await.assert_status(200);
    desk.bench.work().await;
    assert_eq!(desk.bench.payments().iter().filter(|status| *status == "COMPLETED").count(), 1);
    desk.bench.assert_books_balance().await;
    desk.bench.assert_stock_is_exact().await;
}

async fn an_order_belongs_to_whom_it_was_made_for(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let cookie = desk.bench.shop.sign_in("reader", &["customer"]).await;
    let reader = desk.user("reader").await;
    let mut theirs = terms();
    theirs["user_id"] = json!(reader);
    // Their cart has the same item and keeps it.
    let cart = json!({ "items": [{ "id": desk.bench.variant(PIPE_TOOL).await, "qty": 2 }] });
    desk.bench.shop.call("POST", "/api/cart/sync", &cookie, cart).await.assert_status(200);
    let number = desk.drafted(theirs.clone()).await;
    desk.bench.pay(&desk.click(&desk.link(&number).await).await).await.assert_status(200);
    let placed = "SELECT COUNT(*) FROM orders o JOIN users u ON u.id = o.user_id WHERE u.subject = $1";
    assert_eq!(desk.figure(placed, "reader").await, 1, "a guest has paid for the account's owner");
    let cart = desk.bench.shop.call("GET", "/api/cart", &cookie, Value::Null).await.json();
    assert_eq!(cart["items"][0]["qty"], 2);

    // If somebody else is signed in, the order belongs to that account.
    let payer = format!("{}; {}", desk.bench.shop.sign_in("payer", &["customer"]).await, desk.bench.shop.age_cookie());
    let number = desk.drafted(theirs.clone()).await;
    desk.bench.pay_as(&payer, &desk.click(&desk.link(&number).await).await).await.assert_status(200);
    assert_eq!((desk.figure(placed, "payer").await, desk.figure(placed, "reader").await), (1, 1));

    theirs["user_id"] = json!(Uuid::now_v7());
    theirs["expected_total"] = desk.drafts_total(&theirs).await;
    assert!(desk.make(&theirs).await.assert_problem(422, "invalid").text().contains("user_id"));
    // Deleting an account deletes its drafts.
    theirs["user_id"] = json!(reader);
    desk.drafted(theirs).await;
    let export = desk.bench.shop.call("GET", "/api/me/export", &cookie, Value::Null).await.assert_status(200).json();
    assert_eq!(export["draft_orders"].as_array().unwrap().len(), 3, "{export}");
    let gone = desk.bench.shop.call("DELETE", "/api/me", &cookie, json!({ "confirm": "reader@shop.example" })).await;
    assert!(gone.status.is_success(), "{}", gone.text());
    let left = "SELECT COUNT(*) FROM draft_orders d JOIN users u ON u.id = d.user_id WHERE u.subject = $1";
    assert_eq!(desk.figure(left, "reader").await, 0);
}

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

async fn the_checkout_of_a_draft_is_good_for_nothing_else(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.drafted(terms()).await;
    let body = desk.click(&desk.link(&number).await).await;
    // Other goods under the same checkout id, with either total.
    let mut other = desk.bench.order(BUTANE, 1).await;
    other["checkout_id"] = body["checkout_id"].clone();
    for total in [other["expected_total"].clone(), body["expected_total"].clone()] {
        other["expected_total"] = total;
        desk.bench.pay(&other).await.assert_problem(409, "cart_changed");
    }
    // The same goods at another price.
    let mut cheaper = body.clone();
    cheaper["items"][0]["price"] = json!(1);
    cheaper["expected_total"] = json!(2);
    desk.bench.pay(&cheaper).await.assert_problem(409, "total_changed");
    assert_eq!(desk.status_of(&number).await, "open");
    assert!(desk.bench.payments().is_empty());
    desk.bench.pay(&body).await.assert_status(200);
}

async fn what_nobody_picks_up_is_told_to_staff(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let link = desk.link(&desk.drafted(terms()).await).await;
    let mut body = desk.click(&link).await;
    (body["shipping_method"], body["payment_method"], body["source_id"]) =
        (json!("pickup"), json!("pickup"), json!(""));
    body["expected_total"] = desk.bench.quote(&body).await["total"].clone();
    let number = desk.bench.pay(&body).await.assert_status(200).json()["number"].as_str().unwrap().to_owned();
    for days in [3, 4, 1] {
        desk.bench.shop.clock.advance(days * DAY_MS + 600_000);
        desk.bench.work().await;
    }
    assert_eq!(desk.text("SELECT status FROM orders WHERE number = $1", &number).await, "placed", "staff decide");
    let why = desk.text("SELECT COALESCE(attention, '') FROM orders WHERE number = $1", &number).await;
    assert!(why.starts_with("This order hasn’t been picked up"), "{why}");
}

async fn what_came_to_nothing_is_deleted(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let (old, kept) = (desk.drafted(terms()).await, desk.drafted(terms()).await);
    desk.bench.pay(&desk.click(&desk.link(&kept).await).await).await.assert_status(200);
    desk.bench.shop.clock.advance(99 * DAY_MS);
    shop_domain::sales::records::draft_orders::service::purge(&desk.bench.shop.app).await.unwrap();
    assert_eq!(desk.figure("SELECT COUNT(*) FROM draft_orders WHERE number = $1", &old).await, 0);
    assert_eq!(desk.figure("SELECT COUNT(*) FROM draft_orders WHERE number = $1", &kept).await, 1);
    let terms = desk.bench.count("SELECT COUNT(*) FROM search_terms t WHERE t.kind = 'draft' AND NOT EXISTS (SELECT 1 FROM draft_orders d WHERE d.id = t.subject_id)").await;
    assert_eq!(terms, 0);
}

async fn goods_and_buyers_are_found(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    shop::registry::fill_search_terms(&desk.bench.shop.app, shop_platform::staff_search::model::Kind::Product)
        .await
        .unwrap();
    let found = async |path: &str| desk.call(&desk.admin, "GET", path, Value::Null).await.assert_status(200).json();
    let goods = found("goods?q=twt-s").await;
    assert_eq!(goods["variants"][0]["sku"], PIPE_TOOL);
    assert_eq!(goods["variants"][0]["price"], 600);
    assert!(goods["variants"][0]["available"].as_i64().unwrap() > 0);
    assert_eq!(found("goods?q=").await, json!({ "variants": [] }));
    let cookie = desk.bench.shop.sign_in("known", &["customer"]).await;
    let mut address = terms()["address"].clone();
    address["is_default"] = json!(true);
    let kept = desk.bench.shop.call("POST", "/api/me/addresses", &cookie, address).await;
    assert!(kept.status.is_success(), "{}", kept.text());
    let buyers = found("buyers?q=known").await;
    let buyer = &buyers["buyers"][0];
    assert_eq!((&buyer["email"], &buyer["address"]["city"]), (&json!("known@shop.example"), &json!("Columbus")));
    desk.call(&desk.staff, "GET", "buyers?q=known", Value::Null).await.assert_problem(403, "forbidden");
}

async fn the_list_finds_and_sorts(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let (first, second, third) =
        (desk.drafted(terms()).await, desk.drafted(terms()).await, desk.drafted(terms()).await);
    desk.on_draft(&second, "withdrawal").await.assert_status(204);
    desk.bench.pay(&desk.click(&desk.link(&third).await).await).await.assert_status(200);
    let listed = async |query: &str| -> Vec<String> {
        let path = format!("/admin/orders/drafts{query}");
        let page = desk.bench.shop.call("GET", &path, &desk.staff, Value::Null).await;
        let drafts = page.assert_status(200).envelope()["props"]["drafts"].clone();
        drafts.as_array().unwrap().iter().map(|draft| draft["number"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(listed("").await, [third.clone(), second.clone(), first.clone()]);
    assert_eq!(listed("?sort=made").await, [first.clone(), second.clone(), third.clone()]);
    assert_eq!(listed("?state=open").await, from_ref(&first));
    assert_eq!(listed("?state=withdrawn&state=placed").await, [third.clone(), second.clone()]);
    assert_eq!(listed(&format!("?q={}", first.to_lowercase())).await, from_ref(&first));
    assert_eq!(listed("?q=reed&sort=-total&state=placed").await, [third]);
    desk.bench.execute("UPDATE draft_orders SET expires_at = 0 WHERE status = 'open'").await;
    assert_eq!(listed("?state=expired").await, [first]);
}

impl Desk {
    /// The user id for a subject.
    async fn user(&self, subject: &str) -> Uuid {
        let mut reader = self.bench.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM users WHERE subject = $1").bind(subject).fetch_one(c).await)
            .unwrap()
    }
}

/// The query plan of each view of the list: an index gives the order, nothing is sorted.
async fn every_sort_of_the_list_has_its_index(shop: TestShop) {
    if shop.database != Database::Sqlite {
        return;
    }
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    for (condition, order, index) in [
        ("1 = 1", "d.created_at DESC, d.id DESC", "draft_orders_created_at_idx"),
        ("1 = 1", "d.expires_at, d.id", "draft_orders_expires_at_idx"),
        ("1 = 1", "d.total DESC, d.id DESC", "draft_orders_total_idx"),
        ("1 = 1", "d.email, d.id", "draft_orders_email_idx"),
        ("d.status = 'withdrawn'", "d.created_at DESC, d.id DESC", "draft_orders_status_idx"),
    ] {
        let sql = sqlx::AssertSqlSafe(format!(
            "EXPLAIN QUERY PLAN SELECT d.number, o.number FROM draft_orders d LEFT JOIN orders o ON o.id = d.order_id
             WHERE {condition} ORDER BY {order} LIMIT 51"
        ));
        let plan: Vec<(i64, i64, i64, String)> =
            shop_base::sql!(&mut conn, c => sqlx::query_as(sql).fetch_all(c).await).unwrap();
        let plan: Vec<String> = plan.into_iter().map(|step| step.3).collect();
        assert!(plan.iter().any(|step| step.contains(index)), "{condition}, {order}: {plan:?}");
        assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{condition}, {order}: {plan:?}");
    }
}
