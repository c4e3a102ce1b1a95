//! Every page in a real isolate.

use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    the_document_holds_what_client_navigation_gets,
    every_legal_text_is_whole,
    the_cart_page_is_the_same_for_everyone,
    an_overloaded_or_broken_render_still_answers,
];

const LEGAL: [&str; 4] = ["privacy-policy", "shipping-policy", "terms-of-service", "refund-return-policy"];

async fn the_document_holds_what_client_navigation_gets(shop: TestShop) {
    let product = shop.app.catalog.listing().listed().next().unwrap().card.href.clone();
    for path in ["/", "/products?q=pipe", "/cart", "/content/legal/privacy-policy", &product] {
        let document = shop.get(path).await.assert_status(200).envelope();
        let (route, query) =
            path.split_once('?').map_or((path, String::new()), |(path, query)| (path, format!("?{query}")));
        let payload = shop.get(&format!("{}/_payload.json{query}", route.trim_end_matches('/'))).await;
        assert_eq!(payload.header("content-type"), "application/json");
        assert_eq!(payload.assert_status(200).json(), document, "{path}");
        assert_eq!(document["url"], path);
    }
}

async fn every_legal_text_is_whole(shop: TestShop) {
    for slug in LEGAL {
        let answer = shop.get_verified(&format!("/content/legal/{slug}")).await;
        let props = answer.assert_status(200).envelope()["props"].clone();
        let html = props["html"].as_str().unwrap();
        assert!(html.len() > 5_000, "{slug} has {} characters", html.len());
        assert!(html.contains("Cardinal &amp; Briar"), "{slug} names the company");
        assert!(!html.contains("{{"), "{slug} has a placeholder left");
        assert!(props["toc"].as_array().unwrap().len() >= 5);
        for entry in props["toc"].as_array().unwrap() {
            assert!(html.contains(&format!("id=\"{}\"", entry["id"].as_str().unwrap())));
        }
        assert!(answer.root().contains(html));
    }
    shop.get("/content/legal/no-such-text").await.assert_status(404);
}

async fn the_cart_page_is_the_same_for_everyone(shop: TestShop) {
    let answer = shop.get_verified("/cart").await;
    assert_eq!(answer.assert_status(200).envelope()["props"], serde_json::json!({}));
}

async fn an_overloaded_or_broken_render_still_answers(shop: TestShop) {
    // No time at all: every render is stopped, the error page's too, and the browser gets the envelope to render itself.
    let shop = TestShop::with(shop.database, |config| config.rendering.deadline = std::time::Duration::ZERO).await;
    let answer = shop.get("/products").await;
    answer.assert_status(500);
    assert_eq!(answer.root(), "");
    assert_eq!(answer.envelope()["props"]["message"], "Internal Server Error");
}
