//! The report: periods, sections, and CSV files in which spreadsheets execute no formulas.

use serde_json::{Value, json};
use shop_domain::analytics::service::refresh;

use super::overview::{props, staff, visit};
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::reports::execute;
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    every_section_tells_what_happened,
    the_address_says_the_period,
    files_hold_the_sections,
    a_file_that_is_cut_says_so,
    invented_names_lead_nowhere,
    searches_are_counted_with_what_they_found,
    a_search_that_once_found_nothing_counts_on_all_days,
];

const DAY: i64 = 24 * 3_600_000;

async fn every_section_tells_what_happened(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    visit(shop, &["/", "/product/briar", "/cart"]).await;
    visit(shop, &["/product/briar", "/cart", "/checkout", "/order-confirmation"]).await;
    let order = bench.order(PIPE_TOOL, 2).await;
    bench.pay(&order).await.assert_status(200);
    bench.work().await;
    shop.clock.advance(2 * DAY);
    let cookie = staff(shop).await;
    let page = props(shop, &cookie, "/admin/analytics").await;
    assert_eq!((&page["from"], &page["to"], &page["by"]), (&json!("2026-10-25"), &json!("2026-11-23"), &json!("day")));
    assert_eq!(page["parts"].as_array().unwrap().len(), 30);
    let now = &page["now"];
    assert_eq!((&now["visits"], &now["page_views"]), (&json!(2), &json!(7)));
    assert_eq!((&now["carts"], &now["abandoned"], &now["abandonment"]), (&json!(2), &json!(1), &json!(5_000)));
    let row =
        |rows: &Value, name: &str| rows.as_array().unwrap().iter().find(|row| row["name"] == name).cloned().unwrap();
    assert_eq!(row(&page["pages"], "/product/briar")["events"], json!(2));
    assert_eq!(row(&page["carts"], "add")["visits"], json!(2));
    let product = &page["products"][0];
    assert_eq!((&product["units"], &product["amount"], &product["share"]), (&json!(2), &now["goods"], &json!(10_000)));
    assert!(product["href"].as_str().unwrap().starts_with("/admin/products/"));
    assert_eq!(page["categories"][0]["amount"], now["goods"]);
    // A product that is renamed stands under its new title, wherever that is in the alphabet.
    bench.execute("UPDATE products SET title = 'A pipe tool' WHERE id IN (SELECT product_id FROM product_variants WHERE sku = 'TWT-SIN')").await;
    assert_eq!(props(shop, &cookie, "/admin/analytics").await["products"][0]["name"], "A pipe tool");
    let answer = shop.call("GET", "/admin/analytics", &cookie, Value::Null).await;
    let html = answer.assert_status(200).text();
    assert!(html.contains("Show as table") && html.contains("/product/briar"), "all of it is there without scripts");
}

async fn the_address_says_the_period(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = staff(&shop).await;
    let page = props(&shop, &cookie, "/admin/analytics?from=2026-09-15&to=2026-11-21&by=month&compare=no").await;
    let parts: Vec<&str> =
        page["parts"].as_array().unwrap().iter().map(|part| part["first"].as_str().unwrap()).collect();
    assert_eq!(parts, ["2026-09-15", "2026-10-01", "2026-11-01"]);
    assert_eq!(
        (&page["compare"], &page["query"]),
        (&json!(false), &json!("from=2026-09-15&to=2026-11-21&by=month&compare=no"))
    );
    let nonsense = props(&shop, &cookie, "/admin/analytics?from=%00&to=99999-01-01&by=%F0%9F%92%A9").await;
    assert_eq!(nonsense["query"], json!("from=2026-10-23&to=2026-11-21&by=day"));
    let current = |page: &Value| -> Vec<Value> {
        let presets = page["presets"].as_array().unwrap().iter();
        presets.filter(|preset| preset["is_current"] == true).map(|preset| preset["link"]["label"].clone()).collect()
    };
    assert_eq!(current(&nonsense), ["30 days"]);
    // On November 30, this month is the same period.
    shop.clock.advance(9 * DAY);
    let cookie = staff(&shop).await;
    let month = props(&shop, &cookie, "/admin/analytics").await;
    assert_eq!((&month["from"], &month["to"]), (&json!("2026-11-01"), &json!("2026-11-30")));
    assert_eq!(current(&month), ["30 days"]);
}

async fn search(shop: &TestShop, text: &str) {
    let event = json!({ "type": "search", "action": text, "page": "/" });
    shop.post_json("/api/me/activity", event.to_string()).await.assert_status(202);
    shop.app.parts.activity.queue.flush().await;
}

async fn files_hold_the_sections(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = staff(&shop).await;
    search(&shop, "=cmd|' /C calc'!A0").await;
    search(&shop, "pipe, \"briar\"").await;
    refresh(&shop.app).await.unwrap();
    let sections = [
        "visits.csv",
        "sales.csv",
        "carts.csv",
        "pages.csv",
        "features.csv",
        "searches.csv",
        "empty-searches.csv",
        "products.csv",
        "categories.csv",
    ];
    for section in sections {
        let path = format!("/api/admin/analytics/{section}?from=2026-11-20&to=2026-11-21&by=day");
        let answer = shop.call("GET", &path, &cookie, Value::Null).await;
        assert_eq!(answer.assert_status(200).header("content-type"), "text/csv; charset=utf-8", "{section}");
        assert!(answer.header("content-disposition").contains(&format!("2026-11-20-2026-11-21-{section}")));
        let text = answer.text();
        let rows: Vec<&str> = text.lines().collect();
        let width = rows[0].split(',').count();
        match section {
            "visits.csv" | "sales.csv" | "carts.csv" => {
                assert_eq!(rows.len(), 3, "{section}: a row for each day");
                assert_eq!(rows[0].contains("Tax (before refunds)"), section == "sales.csv");
                // An order that is paid in the store counts as well.
                assert_eq!(rows[0].contains(",Reached checkout,Ordered,"), section == "visits.csv");
                assert!(rows[1..].iter().all(|row| row.split(',').count() == width), "{section}: {text}");
            }
            "searches.csv" => {
                assert!(text.contains("'=cmd|"), "no formula: {text}");
                assert!(text.contains("\"pipe, \"\"briar\"\"\""), "{text}");
            }
            _ => {}
        }
    }
    shop.call("GET", "/api/admin/analytics/users.csv", &cookie, Value::Null).await.assert_problem(404, "not_found");
}

async fn a_file_that_is_cut_says_so(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = staff(&shop).await;
    let file = async || {
        let path = "/api/admin/analytics/features.csv?from=2026-11-20&to=2026-11-21";
        let answer = shop.call("GET", path, &cookie, Value::Null).await;
        let text = answer.assert_status(200).text();
        (text.lines().next().unwrap().trim_start_matches('\u{feff}').to_owned(), text.lines().count())
    };
    // The first time deletes what is there.
    refresh(&shop.app).await.unwrap();
    execute(
        &shop,
        "INSERT INTO visit_counts (kind, day, name, events, visits, empty)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
         SELECT 'feature', '2026-11-20', 'feature ' || i, 1, 1, 0 FROM n",
    )
    .await;
    assert_eq!(file().await, ("Feature,Uses,Visits".to_owned(), 100_001));
    execute(
        &shop,
        "INSERT INTO visit_counts (kind, day, name, events, visits, empty)
         VALUES ('feature', '2026-11-20', 'one more', 1, 1, 0)",
    )
    .await;
    assert_eq!(file().await, ("Feature (only the first 100000),Uses,Visits".to_owned(), 100_001));
}

async fn invented_names_lead_nowhere(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = staff(&shop).await;
    let feature = json!({ "type": "feature_usage", "feature": "//evil.example/feature" });
    shop.post_json("/api/me/activity", feature.to_string()).await.assert_status(202);
    search(&shop, "//evil.example/search").await;
    visit(&shop, &["/product/briar"]).await;
    let page = props(&shop, &cookie, "/admin/analytics").await;
    assert_eq!(page["features"][0]["name"], "//evil.example/feature");
    assert_eq!(page["searches"][0]["name"], "//evil.example/search");
    let answer = shop.call("GET", "/admin/analytics", &cookie, Value::Null).await;
    let html = answer.assert_status(200).text();
    for name in ["//evil.example/feature", "//evil.example/search"] {
        assert!(html.contains(&format!("<th scope=\"row\">{name}</th>")), "{name} is shown as text");
    }
    assert!(html.contains("<a href=\"/product/briar\">/product/briar</a>"), "a page of the shop is a link");
}

async fn searches_are_counted_with_what_they_found(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = staff(&shop).await;
    for text in ["briar pipe", "Briar  PIPE", "vaporizer", "ada@shop.example"] {
        search(&shop, text).await;
    }
    let page = props(&shop, &cookie, "/admin/analytics").await;
    let names = |rows: &Value| -> Vec<(String, i64, i64)> {
        let row = |row: &Value| {
            (row["name"].as_str().unwrap().to_owned(), row["events"].as_i64().unwrap(), row["empty"].as_i64().unwrap())
        };
        rows.as_array().unwrap().iter().map(row).collect()
    };
    let searches = names(&page["searches"]);
    assert_eq!(searches[0], ("briar pipe".to_owned(), 2, 0));
    assert!(!searches.iter().any(|(name, ..)| name.contains('@')), "nobody's address is kept: {searches:?}");
    let empty = names(&page["empty_searches"]);
    assert!(empty.contains(&("vaporizer".to_owned(), 1, 1)), "{empty:?}");
    assert_eq!(page["now"]["searches"], json!(4));
}

async fn a_search_that_once_found_nothing_counts_on_all_days(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = staff(&shop).await;
    // The first time deletes what is there.
    refresh(&shop.app).await.unwrap();
    execute(
        &shop,
        "INSERT INTO visit_counts (kind, day, name, events, visits, empty)
         VALUES ('search', '2026-11-19', 'briar', 9, 8, 0), ('search', '2026-11-20', 'briar', 2, 2, 1),
            ('search', '2026-11-20', 'pipe', 3, 3, 0)",
    )
    .await;
    let page = props(&shop, &cookie, "/admin/analytics").await;
    let briar = json!({ "name": "briar", "events": 11, "visits": 10, "empty": 1 });
    assert_eq!(page["searches"][0], briar);
    assert_eq!(page["empty_searches"], json!([briar]));
}
