//! Errors with the texts of the specification and the right status, for pages, envelopes and calls.

use axum::body::Body;
use axum::http::{Request, header};
use axum::routing::get;
use serde_json::{Value, json};
use shop::router::{PageRoute, router};
use shop_base::error::Error;

use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_path_without_a_route_is_a_404_page,
    a_refused_parameter_is_a_404_page,
    envelopes_carry_the_error_page,
    head_gets_the_status,
    calls_get_problems,
    a_method_that_a_page_does_not_take_is_405,
    trailing_slashes_lead_to_the_page,
    other_spellings_lead_to_the_page,
    a_retired_path_moves_or_is_gone,
    a_guard_redirects_who_may_not_pass,
    guarded_pages_lead_to_sign_in_or_say_no,
    an_unknown_middleware_stops_the_start,
    what_went_wrong_names_its_request,
];

async fn a_path_without_a_route_is_a_404_page(shop: TestShop) {
    let answer = shop.get_verified("/no/such/page?x=1").await;
    assert!(answer.assert_status(404).root().contains("Page not found: /no/such/page?x=1<"));
    assert_eq!(answer.envelope()["page"], "errors/error");
    assert!(answer.text().contains("<meta name=\"robots\" content=\"noindex\">"));
    assert_eq!(answer.header("cache-control"), "no-store");
    // Each legal text has a route of its own.
    for path in ["/content/legal/no-such-text", "/content/legal/Privacy-Policy", "/content/legal/%FF"] {
        let answer = shop.get_verified(path).await;
        assert_eq!(answer.assert_status(404).envelope()["props"]["message"], format!("Page not found: {path}"));
    }
    // User input is escaped.
    let answer = shop.get_verified("/%3Cscript%3Ealert(1)%3C/script%3E").await;
    assert!(!answer.assert_status(404).text().contains("<script>alert"));
}

async fn a_refused_parameter_is_a_404_page(shop: TestShop) {
    for path in
        ["/product/no-such-product?variant=A", "/product/Not%20A%20Handle", "/category/unknown", "/products?page=9999"]
    {
        let answer = shop.get_verified(path).await;
        let message = format!("Page Not Found: {path}");
        assert_eq!(answer.assert_status(404).envelope()["props"]["message"], message);
        assert!(answer.root().contains("Page Not Found: "));
    }
    let admin = shop.sign_in("refused", &["admin"]).await;
    for path in ["/admin/users/abc", "/admin/users/00000000-0000-0000-0000-000000000000", "/admin/orders/%FF"] {
        let answer = shop.call("GET", path, &admin, Value::Null).await;
        assert_eq!(answer.assert_status(404).envelope()["props"]["message"], format!("Page Not Found: {path}"));
    }
}

async fn envelopes_carry_the_error_page(shop: TestShop) {
    let answer = shop.get("/product/no-such-product/_payload.json").await;
    let envelope = answer.assert_status(404).json();
    assert_eq!(envelope["page"], "errors/error");
    assert_eq!(envelope["status"], 404);
    assert_eq!(envelope["props"]["message"], "Page Not Found: /product/no-such-product");
}

async fn head_gets_the_status(shop: TestShop) {
    shop.head("/").await.assert_status(200);
    shop.head("/no/such/page").await.assert_status(404);
    shop.head("/api/no-such-call").await.assert_status(404);
}

async fn calls_get_problems(shop: TestShop) {
    let answer = shop.get("/api/no-such-call").await;
    answer.assert_problem(404, "not_found");
    assert_eq!(answer.json()["detail"], "Page not found: /api/no-such-call");
    shop.get("/api/verify-age").await.assert_problem(405, "method_not_allowed");
    // What is about something that is gone says so, not that the address of the call is wrong.
    let admin = shop.sign_in("late-editor", &["admin"]).await;
    let unknown = uuid::Uuid::now_v7();
    let category =
        json!({ "version": 1, "name": "Lamps", "slug": "lamps", "description": "", "parent_id": null, "place": null });
    for (method, path, body) in [
        ("PUT", format!("/api/admin/categories/{unknown}"), category),
        ("DELETE", format!("/api/me/addresses/{unknown}"), Value::Null),
    ] {
        let answer = shop.call(method, &path, &admin, body).await;
        let detail = answer.assert_problem(404, "not_found").json()["detail"].clone();
        assert_eq!(detail, "This no longer exists. It may have been deleted.", "{path}");
    }
}

async fn a_method_that_a_page_does_not_take_is_405(shop: TestShop) {
    let request = Request::delete("/products").body(Body::empty()).unwrap();
    shop.send(request).await.assert_status(405);
}

async fn trailing_slashes_lead_to_the_page(shop: TestShop) {
    for (from, to) in
        [("/products/", "/products"), ("/products/?q=pipe", "/products?q=pipe"), ("//evil.example/", "/evil.example")]
    {
        let answer = shop.get(from).await;
        assert_eq!(answer.assert_status(301).header("location"), to, "{from}");
    }
    // Browsers read a backslash as a slash.
    for path in ["/\\evil.example/", "//\\evil.example/"] {
        assert!(!shop.get(path).await.assert_status(404).headers.contains_key(header::LOCATION), "{path}");
    }
}

async fn other_spellings_lead_to_the_page(shop: TestShop) {
    for (spelled, path) in [
        ("/content/legal/privacy%2Dpolicy", "/content/legal/privacy-policy"),
        ("/product/old%2dname?variant=A", "/product/old-name?variant=A"),
        ("/product/double-blade-cutter?variant=DBC-SIL&variant=A", "/product/double-blade-cutter?variant=DBC-SIL"),
        ("/category/%70ipes/_payload.json", "/category/pipes/_payload.json"),
        ("/order%2Dconfirmation?order=x", "/order-confirmation?order=x"),
        ("/%70roducts/_payload.json", "/products/_payload.json"),
    ] {
        let answer = shop.get(spelled).await;
        assert_eq!(answer.assert_status(301).header("location"), path);
    }
    for unknown in ["/no%2Dsuch-page", "/%70roducts%2F", "//%70roducts"] {
        shop.get(unknown).await.assert_status(404);
    }
}

async fn a_retired_path_moves_or_is_gone(shop: TestShop) {
    let mut tx = shop.app.db.begin().await.unwrap();
    for (path, target) in [("/product/old-name", Some("/products")), ("/category/old-shelf", None)] {
        let mut conn = tx.conn();
        shop_base::sql!(&mut conn, c => sqlx::query("INSERT INTO retired_paths (path, target) VALUES ($1, $2)")
            .bind(path).bind(target).execute(c).await.map(drop))
        .unwrap();
    }
    tx.commit().await.unwrap();
    let moved = shop.get("/product/old-name").await;
    assert_eq!(moved.assert_status(301).header("location"), "/products");
    assert_eq!(moved.header("cache-control"), "private, no-cache", "a cache would loop if it is renamed back");
    let moved = shop.get("/product/old-name/_payload.json?sale=1").await;
    assert_eq!(moved.assert_status(301).header("location"), "/products/_payload.json?sale=1");
    shop.get("/category/old-shelf").await.assert_status(410);
}

async fn a_guard_redirects_who_may_not_pass(shop: TestShop) {
    static GUARDED: &[PageRoute] = &[PageRoute {
        path: "/cart",
        handler: || get(shop_http::storefront::cart::pages::cart),
        middleware: &["age"],
        query: &[],
        is_kept: false,
        needs: None,
    }];
    let shop = TestShop { router: router(shop.app.clone(), GUARDED).unwrap(), ..shop };
    for path in ["/cart", "/cart/_payload.json"] {
        let answer = shop.get(path).await;
        assert_eq!(answer.assert_status(303).header("location"), "/");
        shop.get_verified(path).await.assert_status(200);
    }
}

async fn guarded_pages_lead_to_sign_in_or_say_no(shop: TestShop) {
    static GUARDED: &[PageRoute] = &[PageRoute {
        path: "/cart",
        handler: || get(shop_http::storefront::cart::pages::cart),
        middleware: &["admin-rbac"],
        query: &[],
        is_kept: false,
        needs: None,
    }];
    let shop = TestShop { router: router(shop.app.clone(), GUARDED).unwrap(), ..shop };
    assert_eq!(shop.get("/cart").await.assert_status(303).header("location"), "/auth/login?return_to=%2Fcart");
    shop.get("/cart/_payload.json").await.assert_problem(401, "unauthorized");
    for (roles, status) in [(vec!["customer"], 403), (vec![], 403), (vec!["staff"], 200), (vec!["super_admin"], 200)] {
        let cookie = shop.sign_in(&format!("guard-{}", roles.join("-")), &roles).await;
        for path in ["/cart", "/cart/_payload.json"] {
            let answer = shop.call("GET", path, &cookie, Value::Null).await;
            answer.assert_status(status);
            assert!(answer.header("cache-control").contains("no-store"), "{path}");
        }
        if status == 403 {
            assert!(shop.call("GET", "/cart", &cookie, Value::Null).await.root().contains("Not allowed"));
        }
    }
}

async fn an_unknown_middleware_stops_the_start(shop: TestShop) {
    static UNKNOWN: &[PageRoute] = &[PageRoute {
        path: "/cart",
        handler: || get(shop_http::storefront::cart::pages::cart),
        middleware: &["no-such"],
        query: &[],
        is_kept: false,
        needs: None,
    }];
    let error = router(shop.app, UNKNOWN).err().unwrap();
    assert_eq!(error.to_string(), "Unknown route middleware: no-such");
}

async fn what_went_wrong_names_its_request(shop: TestShop) {
    static BROKEN: &[PageRoute] = &[PageRoute {
        path: "/cart",
        handler: || get(async || Error::internal("on purpose")),
        middleware: &[],
        query: &[],
        is_kept: false,
        needs: None,
    }];
    let shop = TestShop { router: router(shop.app.clone(), BROKEN).unwrap(), ..shop };
    let ask = async |path: &str, id: &str| {
        let request = Request::get(path).header("x-request-id", id);
        shop.send(request.body(Body::empty()).unwrap()).await
    };
    let page = ask("/cart", "proxy-17").await;
    assert_eq!(page.assert_status(500).header("x-request-id"), "proxy-17");
    assert!(page.root().contains("proxy-17"), "{}", page.root());
    assert_eq!(page.envelope()["props"]["request_id"], "proxy-17");
    let call = ask("/api/no-such-call", "proxy-18").await;
    assert_eq!(call.assert_status(404).json()["request_id"], "proxy-18");
    // Whoever asks for a page that does not exist has nothing to report.
    assert!(ask("/no/such/page", "proxy-19").await.envelope()["props"]["request_id"].is_null());
    // What cannot be an id is replaced, and what has none gets one.
    for id in ["<b>", "", &"a".repeat(65)] {
        let page = ask("/cart", id).await;
        let made = page.header("x-request-id");
        assert!(uuid::Uuid::parse_str(made).is_ok() && page.root().contains(made), "{made}");
    }
}
