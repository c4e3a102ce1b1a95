//! Pictures in a store that speaks S3 and that several nodes share.

use std::fs;

use serde_json::Value;
use shop_platform::metrics::image_store_failures;

use crate::admin::products::desk::{Desk, plain_picture};
use crate::support::s3::S3;
use crate::support::{Test, TestShop, until};
use crate::tests;

pub const TESTS: &[Test] = tests![a_node_shows_what_another_one_was_given, a_store_that_is_away_stops_nothing_else];

async fn node(shop: &TestShop, store: &S3) -> Desk {
    Desk { shop: TestShop::with(shop.database, |config| config.data.bucket = store.bucket("of/the-shop")).await }
}

fn made(node: &Desk) -> u64 {
    node.shop.app.parts.media.made()
}

async fn a_node_shows_what_another_one_was_given(shop: TestShop) {
    let store = S3::start().await;
    let (here, there) = tokio::join!(node(&shop, &store), node(&shop, &store));
    let key = here.picture(120).await;
    assert_eq!(here.picture(120).await, key);
    assert_eq!(store.list("of/the-shop").await, [format!("{key}.webp")]);
    assert!(fs::read_dir(here.shop.app.config.data.folder.join("pictures")).unwrap().count() > 1, "of the seed");
    assert!(!here.shop.app.config.data.folder.join(format!("pictures/{key}.webp")).exists());

    let small = format!("/images/{key}-160.webp");
    let first = here.shop.get(&small).await;
    first.assert_status(200);
    let shared = format!("renditions/1/{key}-160.webp");
    until("it is shared", async || store.list("of/the-shop").await.contains(&shared)).await;
    let second = there.shop.get(&small).await;
    assert_eq!((&second.body, second.header("etag")), (&first.body, first.header("etag")));
    assert_eq!((made(&here), made(&there)), (1, 0), "it is made once");
    assert!(there.shop.app.config.data.folder.join(format!("renditions/{key}-160.webp")).exists());

    there.shop.get(&format!("/images/{key}-320.avif")).await.assert_status(200);
    assert_eq!(made(&there), 1, "of the shared master");
    there.shop.get(&format!("/images/{}-320.avif", "0".repeat(20))).await.assert_status(404);
}

async fn a_store_that_is_away_stops_nothing_else(shop: TestShop) {
    let mut store = S3::start().await;
    let desk = node(&shop, &store).await;
    let key = desk.picture(30).await;
    let (kept, new) = (format!("/images/{key}-160.webp"), format!("/images/{key}-320.webp"));
    desk.shop.get(&kept).await.assert_status(200);
    let is_ready = desk.shop.get("/readyz").await.json();
    let failures = image_store_failures::ALL.get();

    store.go_away().await;
    desk.shop.get(&kept).await.assert_status(200);
    let missing = desk.shop.get(&new).await;
    assert_eq!((missing.status.as_u16(), missing.header("retry-after")), (503, "2"));
    assert_eq!((&missing.json()["code"], missing.header("cache-control")), (&"unavailable".into(), "no-store"));
    assert!(!missing.text().contains("127.0.0.1"), "{}", missing.text());
    let refused = desk.send("pictures", "image/webp", plain_picture(31, 80)).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, "60"));
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with("The image couldn’t be saved"), "{detail}");
    assert_eq!(desk.count("SELECT COUNT(*) FROM audit_entries WHERE action = 'picture.upload'").await, 1);
    for page in ["/", "/products"] {
        desk.shop.get(page).await.assert_status(200);
    }
    assert_eq!(desk.shop.get("/readyz").await.json(), is_ready);
    assert!(image_store_failures::ALL.get() >= failures + 2);
    let checks = desk.call("POST", "testing/settings", Value::Object(Default::default())).await.json();
    let images = checks.as_array().unwrap().iter().find(|check| check["name"] == "Images").unwrap().clone();
    assert_eq!(images["state"], "fails", "{images}");

    store.come_back().await;
    desk.shop.get(&new).await.assert_status(200);
    let key = desk.picture(31).await;
    desk.shop.get(&format!("/images/{key}-160.webp")).await.assert_status(200);
}
