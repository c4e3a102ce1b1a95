//! Invalid input always gets a clear error and never a 500.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    absurd_queries_normalize_or_are_not_found,
    malformed_ids_are_not_found,
    no_character_is_an_error_of_the_server,
    malformed_bodies_are_problems_that_name_the_field,
    bodies_have_the_documented_shape,
    values_in_the_query_of_a_call_are_valid_or_absent,
    other_methods_are_told_which_the_address_supports,
    nothing_in_a_query_reaches_the_page_unescaped,
];

async fn absurd_queries_normalize_or_are_not_found(shop: TestShop) {
    let long = "q=".to_owned() + &"a".repeat(60_000);
    let many = vec!["material=briar"; 3_500].join("&");
    for query in [
        "page=-1",
        "page=0",
        "page=1000000000000",
        "page=99999999999999999999999",
        "page=%00",
        "q=%00%00",
        "q=%FF%FE",
        "q=%F0%9F%9A%AC",
        "min_price=-5&max_price=99999999999999999",
        "min_price=NaN",
        "sort=%27%3BDROP",
        "category=..%2F..",
        "availability=maybe",
        "sale=%F0",
        "&&&===",
        "q=a&q=b&q=c",
        long.as_str(),
        many.as_str(),
    ] {
        for path in ["/products", "/category/pipes", "/products/_payload.json"] {
            let mut answer = shop.get(&format!("{path}?{query}")).await;
            if answer.status == 301 {
                let target = answer.header("location").to_owned();
                assert!(target.len() < 2_000, "{target}");
                answer = shop.get(&target).await;
                assert_ne!(answer.status, 301, "one redirect is enough: {target}");
            }
            let status = answer.status.as_u16();
            assert!(status == 200 || status == 404, "{status} for {path}?{}", &query[..query.len().min(60)]);
        }
    }
    let hidden = shop.get("/products?q=%E2%80%AEpi%E2%80%8Bpe").await;
    assert_eq!(hidden.assert_status(301).header("location"), "/products?q=pipe");
}

async fn malformed_ids_are_not_found(shop: TestShop) {
    for id in
        ["%00", "%FF", "..%2F..%2Fetc", "A", "0", "-", "a'b", "%F0%9F%9A%AC", "00000000-0000-0000-0000-000000000000"]
    {
        shop.get(&format!("/product/{id}")).await.assert_status(404);
        shop.get(&format!("/category/{id}")).await.assert_status(404);
        shop.get(&format!("/images/{id}")).await.assert_status(404);
        shop.get(&format!("/assets/{id}")).await.assert_status(404);
        shop.get(&format!("/content/legal/{id}")).await.assert_status(404);
    }
    shop.get(&format!("/product/{}", "a".repeat(5_000))).await.assert_status(404);
}

async fn no_character_is_an_error_of_the_server(shop: TestShop) {
    let quote = json!({ "items": [], "promo_code": "NO\u{0}CODE" });
    let quoted = shop.post_json("/api/checkout/quote", quote.to_string()).await;
    assert!(quoted.assert_status(200).text().contains("This code isn’t valid."), "{}", quoted.text());
    shop.get("/api/search/suggest?q=%00").await.assert_status(200);
    let admin = shop.sign_in("reader", &["admin"]).await;
    for (path, status) in [
        ("/admin/audit?q=%00", 200),
        ("/admin/orders?q=%00", 200),
        ("/admin/orders?email_of=%00&customer=%00", 200),
        ("/admin/users?q=%00", 200),
        ("/admin/products?q=%00", 200),
        ("/admin/settings/promotions?q=%00", 200),
        ("/admin/settings/webhooks/log?q=%00", 200),
        ("/admin/orders/%00", 404),
    ] {
        let answer = shop.call("GET", path, &admin, Value::Null).await;
        assert_eq!(answer.status, status, "{path}");
    }
}

async fn malformed_bodies_are_problems_that_name_the_field(shop: TestShop) {
    shop.post_json("/api/verify-age", "{").await.assert_problem(400, "bad_request");
    shop.post_json("/api/verify-age", "").await.assert_problem(400, "bad_request");
    let trailing = r#"{"birth_date": "1980-05-17"} and more"#;
    shop.post_json("/api/verify-age", trailing).await.assert_problem(400, "bad_request");
    shop.post_json("/api/verify-age", [0xff_u8, 0xfe].to_vec()).await.assert_problem(400, "bad_request");
    let wrong_type = shop.post_json("/api/verify-age", r#"{"birth_date": 19800517}"#).await;
    wrong_type.assert_problem(422, "invalid");
    assert!(wrong_type.json()["errors"]["birth_date"][0].is_string(), "{}", wrong_type.text());
    shop.post("/api/verify-age", "text/plain", "{}").await.assert_problem(415, "unsupported_media_type");
    let large = shop.post_json("/api/verify-age", " ".repeat(200_000)).await;
    large.assert_problem(413, "payload_too_large");
    assert_eq!(large.json()["detail"], "This is too large (limit: 64 KB).");
    for path in ["/webhooks/square", "/api/policy-reports"] {
        shop.post_json(path, " ".repeat(200_000)).await.assert_status(413);
    }
    let request = Request::post("/api/verify-age").body(Body::from("{}")).unwrap();
    shop.send(request).await.assert_problem(415, "unsupported_media_type");
    shop.post("/verify-age", "application/json", "{}").await.assert_status(415);
}

async fn bodies_have_the_documented_shape(shop: TestShop) {
    let shopper = shop.sign_in("shapes", &["customer"]).await;
    for path in ["/api/me", "/api/me/preferences"] {
        let answer = shop.call("PATCH", path, &shopper, json!([null, null])).await;
        answer.assert_problem(422, "invalid");
    }
    let id = Uuid::now_v7();
    for (field, value) in [
        ("payment_method", json!({})),
        ("payment_method", json!({ "square": null })),
        ("payment_method", json!([])),
        ("payment_method", json!(null)),
        ("payment_method", json!("coins")),
        ("address", json!(["Ada", "Lovelace"])),
        ("address", json!([])),
    ] {
        let mut order = json!({ "checkout_id": id, "click_id": id, "items": [], "expected_total": 0 });
        order["payment_method"] = json!("square");
        order[field] = value;
        let answer = shop.post_json("/api/checkout/pay", order.to_string()).await;
        answer.assert_problem(422, "invalid");
        assert!(answer.json()["errors"][field][0].is_string(), "{}", answer.text());
    }
    let admin = shop.sign_in("shapes-of-staff", &["admin"]).await;
    let change = json!({ "change": { "kind": 0 }, "ids": [], "query": "" });
    let answer = shop.call("POST", "/api/admin/products/bulk/preview", &admin, change).await;
    let errors = answer.assert_problem(422, "invalid").json()["errors"].clone();
    assert!(errors.as_object().unwrap().keys().all(|field| field.starts_with("change")), "{errors}");
    shop.get("/api/checkout/null").await.assert_problem(404, "not_found");
}

async fn values_in_the_query_of_a_call_are_valid_or_absent(shop: TestShop) {
    let admin = shop.sign_in("query-values", &["super_admin"]).await;
    let id = Uuid::now_v7();
    for (method, path, field) in [
        ("GET", "/api/admin/overview?days=8".to_owned(), "days"),
        ("GET", "/api/admin/overview?days=9223372036854775808".to_owned(), "days"),
        ("GET", "/api/admin/overview?days=".to_owned(), "days"),
        ("GET", "/api/admin/analytics/visits.csv?from=2026-02-30".to_owned(), "from"),
        ("GET", "/api/admin/analytics/visits.csv?to=today".to_owned(), "to"),
        ("GET", "/api/admin/analytics/visits.csv?by=hour".to_owned(), "by"),
        ("GET", format!("/api/admin/products/imports/{id}?from=-1"), "from"),
        ("GET", format!("/api/admin/products/imports/{id}?from=9223372036854775808"), "from"),
        ("GET", format!("/api/admin/products/imports/{id}?outcome=good"), "outcome"),
        ("DELETE", format!("/api/admin/categories/{id}"), "version"),
        ("DELETE", format!("/api/admin/collections/{id}?version=x"), "version"),
        ("DELETE", format!("/api/admin/settings/webhooks/{id}?version=1.5"), "version"),
    ] {
        let answer = shop.call(method, &path, &admin, Value::Null).await;
        answer.assert_problem(422, "invalid");
        assert!(answer.json()["errors"][field][0].is_string(), "{path}: {}", answer.text());
    }
    for path in ["/api/admin/overview", "/api/admin/search", "/api/admin/orders/goods", "/api/admin/orders/buyers"] {
        shop.call("GET", path, &admin, Value::Null).await.assert_status(200);
    }
    shop.get("/api/search/suggest").await.assert_status(200);
}

async fn other_methods_are_told_which_the_address_supports(shop: TestShop) {
    for (method, path, supported) in [
        ("TRACE", "/api/me", ["DELETE", "GET", "HEAD", "PATCH"].as_slice()),
        ("PUT", "/api/admin/orders/bulk", &["POST"]),
        ("DELETE", "/cart", &["GET", "HEAD", "POST"]),
    ] {
        let answer = shop.call(method, path, "", Value::Null).await;
        answer.assert_status(405);
        let mut allowed: Vec<&str> = answer.header("allow").split(',').collect();
        allowed.sort_unstable();
        assert_eq!(allowed, supported, "{path}");
    }
    assert!(!shop.get("/api/checkout/null").await.headers.contains_key("allow"));
}

async fn nothing_in_a_query_reaches_the_page_unescaped(shop: TestShop) {
    let answer = shop.get("/products?q=%3C%2Fscript%3E%3Cscript%3Ealert%281%29%3C%2Fscript%3E").await;
    let answer = if answer.status == 301 { shop.get(answer.header("location")).await } else { answer };
    assert!(!answer.assert_status(200).text().contains("<script>alert"));
    assert_eq!(answer.envelope()["props"]["q"], "</script><script>alert(1)</script>");
}
