//! One action on many orders.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, parcel};
use crate::checkout::bench::PIPE_TOOL;
use crate::checkout::emails::open;
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    many_are_changed_at_once_and_told_before,
    what_changed_after_the_preview_stays_as_it_is,
    many_that_are_sent_again_are_finished,
    one_that_fails_leaves_the_others_alone,
];

async fn many_are_changed_at_once_and_told_before(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let mut sent = Vec::new();
    for _ in 0..2 {
        let number = desk.paid(&[(PIPE_TOOL, 1)]).await;
        let line = desk.line(&number, PIPE_TOOL).await;
        desk.act(&desk.staff, &number, "shipment", parcel(&[(line, 1)])).await.assert_status(204);
        sent.push(number);
    }
    let open = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let bulk = async |body: Value| desk.call(&desk.staff, "POST", "bulk", body).await;
    let all = json!([sent[0], sent[1], open, "NONE-SUCH"]);
    let body = json!({ "act": "deliver", "numbers": all, "preview": true });
    let plan = bulk(body.clone()).await.assert_status(200).json();
    assert_eq!(plan["changed"], json!(sent));
    assert_eq!(plan["unchanged"][0], json!({ "number": open, "why": "No package is on its way." }));
    assert_eq!(plan["unchanged"][1]["why"], "This order doesn’t exist.");
    assert_eq!(desk.audited("order.deliver").await, 0, "a preview does nothing");
    let mut body = body;
    body["preview"] = json!(false);
    assert_eq!(bulk(body).await.assert_status(200).json(), plan, "what was said is done");
    assert_eq!(desk.fulfillment_status(&sent[0]).await, "delivered");
    assert_eq!(desk.audited("order.deliver").await, 2);
    // All orders that match a query, on every page of the list.
    let body = json!({ "act": "archive", "query": "fulfillment=delivered", "preview": false });
    assert_eq!(bulk(body).await.json()["changed"].as_array().unwrap().len(), 2);
    assert_eq!(desk.audited("order.archive").await, 2);
    // Who was told that an order is canceled is not thanked for it.
    let canceled = desk.paid(&[(PIPE_TOOL, 1)]).await;
    let whole = json!({ "restock": true, "by_shopper": true });
    desk.act(&desk.admin, &canceled, "cancellation", whole).await.assert_status(204);
    for preview in [true, false] {
        let body = json!({ "act": "confirm", "numbers": [open, canceled, open], "preview": preview });
        let plan = bulk(body).await.assert_status(200).json();
        assert_eq!(plan["changed"], json!([open]));
        assert_eq!(plan["unchanged"], json!([{ "number": canceled, "why": "It’s canceled." }]));
    }
    assert_eq!(desk.audited("order.write_again").await, 1, "written to once");
    for body in [
        json!({ "act": "archive", "numbers": [], "preview": true }),
        json!({ "act": "archive", "query": "q=nobody", "preview": true }),
        json!({ "act": "archive", "numbers": vec!["X"; 501], "preview": true }),
        json!({ "act": "delete", "numbers": ["X"], "preview": true }),
    ] {
        bulk(body).await.assert_problem(422, "invalid");
    }
    desk.assert_log_is_sound().await;
}

async fn what_changed_after_the_preview_stays_as_it_is(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let number = desk.paid(&[(PIPE_TOOL, 2)]).await;
    let line = desk.line(&number, PIPE_TOOL).await;
    let ship = async || desk.act(&desk.staff, &number, "shipment", parcel(&[(line, 1)])).await;
    let bulk = async |body: Value| desk.call(&desk.staff, "POST", "bulk", body).await.assert_status(200).json();
    let preview = json!({ "act": "deliver", "numbers": [number], "preview": true });
    let deliver = |plan: &Value| {
        let versions = &plan["versions"];
        json!({ "act": "deliver", "numbers": [number], "versions": versions, "preview": false })
    };
    let delivered = "SELECT COUNT(*) FROM fulfillments WHERE delivered_at IS NOT NULL";

    ship().await.assert_status(204);
    let plan = bulk(preview.clone()).await;
    assert_eq!(plan["changed"], json!([number]));
    // The other package leaves while the preview is being read.
    ship().await.assert_status(204);
    let done = bulk(deliver(&plan)).await;
    assert_eq!(done["changed"], json!([]));
    let why = done["unchanged"][0]["why"].as_str().unwrap();
    assert!(why.starts_with("Someone else has changed this order."), "{why}");
    assert_eq!(desk.bench.count(delivered).await, 0);

    let plan = bulk(preview).await;
    assert_eq!(bulk(deliver(&plan)).await, plan, "what was said is done");
    assert_eq!((desk.bench.count(delivered).await, desk.audited("order.deliver").await), (2, 2));
    // Sent again because the answer was lost.
    let again = bulk(deliver(&plan)).await;
    assert_eq!(again["unchanged"], json!([{ "number": number, "why": "No package is on its way." }]));
    desk.assert_log_is_sound().await;
}

async fn many_that_are_sent_again_are_finished(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let numbers =
        [desk.paid(&[(PIPE_TOOL, 1)]).await, desk.paid(&[(PIPE_TOOL, 1)]).await, desk.paid(&[(PIPE_TOOL, 1)]).await];
    let bulk = async |body: Value| desk.call(&desk.staff, "POST", "bulk", body).await.assert_status(200).json();
    let confirm = |numbers: &[String], request: Uuid| {
        let mut body = json!({ "act": "confirm", "numbers": numbers, "preview": false });
        body["request_id"] = json!(request);
        body
    };
    // Two were done when the answer was lost.
    let request = Uuid::now_v7();
    bulk(confirm(&numbers[..2], request)).await;
    let done = bulk(confirm(&numbers, request)).await;
    assert_eq!((&done["changed"], &done["unchanged"]), (&json!(numbers), &json!([])));
    assert_eq!(desk.audited("order.write_again").await, 3, "each buyer gets one email");
    bulk(confirm(&numbers, Uuid::now_v7())).await;
    assert_eq!(desk.audited("order.write_again").await, 6, "another time they get another");

    for number in &numbers[..2] {
        let all = parcel(&[(desk.line(number, PIPE_TOOL).await, 1)]);
        desk.act(&desk.staff, number, "shipment", all).await.assert_status(204);
    }
    let archive = |numbers: &[String]| json!({ "act": "archive", "numbers": numbers, "preview": false });
    bulk(archive(&numbers[..1])).await;
    let done = bulk(archive(&numbers)).await;
    assert_eq!(done["changed"], json!([numbers[1]]));
    assert_eq!(done["unchanged"][0], json!({ "number": numbers[0], "why": "It’s archived already." }));
    let why = done["unchanged"][1]["why"].as_str().unwrap();
    assert!(why.starts_with("It hasn’t shipped"), "{why}");
    desk.assert_log_is_sound().await;
}

async fn one_that_fails_leaves_the_others_alone(shop: TestShop) {
    let (bench, _mailbox) = open(&shop).await;
    let desk = Desk::at(bench).await;
    let numbers =
        [desk.paid(&[(PIPE_TOOL, 1)]).await, desk.paid(&[(PIPE_TOOL, 1)]).await, desk.paid(&[(PIPE_TOOL, 1)]).await];
    // What cannot be read, whoever wrote it.
    const BREAK: &str = "UPDATE order_history SET kind = 'written_again', data = 'x'
        WHERE kind = 'placed' AND order_id = (SELECT id FROM orders WHERE number = $1)";
    let mut tx = desk.bench.shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut tx.conn(), c => sqlx::query(BREAK).bind(&numbers[1]).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    let body = json!({ "act": "confirm", "numbers": numbers, "preview": false });
    let done = desk.call(&desk.staff, "POST", "bulk", body).await.assert_status(200).json();
    assert_eq!(done["changed"], json!([numbers[0], numbers[2]]));
    assert_eq!(done["unchanged"], json!([{ "number": numbers[1], "why": "Something went wrong. Try again." }]));
    assert_eq!(desk.audited("order.write_again").await, 2);
    desk.assert_log_is_sound().await;
}
