//! Pages and files for search engines.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{HeaderName, Request, header};
use serde_json::{Value, json};
use shop_domain::catalog::changes::Change;

use crate::admin::products::desk::Desk;
use crate::checkout::bench::Bench;
use crate::support::{Test, TestShop, payload_of};
use crate::tests;

pub const TESTS: &[Test] = tests![
    every_page_names_itself,
    a_product_has_structured_data,
    what_is_not_shipped_is_offered_in_the_store_only,
    home_names_the_organization_and_the_search,
    the_sitemap_lists_pages_that_answer,
    the_sitemap_is_sent_compressed_and_only_if_it_has_changed,
    robots_may_read_the_shop,
    the_licenses_of_all_parts_are_named,
    searches_and_narrow_lists_are_not_indexed,
    the_sitemap_names_the_lists_that_are_indexed,
    every_list_has_a_description_of_its_own,
    a_category_is_indexed_once_something_is_in_it,
    the_icon_is_a_picture_where_browsers_show_no_drawing,
];

fn json_ld(html: &str) -> Vec<Value> {
    html.split("<script type=\"application/ld+json\">")
        .skip(1)
        .map(|rest| serde_json::from_str(&rest[..rest.find("</script>").unwrap()]).unwrap())
        .collect()
}

async fn every_page_names_itself(shop: TestShop) {
    let product = shop.app.parts.catalog.listing().listed().next().unwrap().card.href.clone();
    let category = shop.app.parts.catalog.listing().categories()[0].href();
    let mut titles = BTreeSet::new();
    for path in ["/", "/products", "/cart", "/content/legal/privacy-policy", &product, &category] {
        let answer = shop.get(path).await;
        let html = answer.assert_status(200).text().to_owned();
        let title = html.split("<title>").nth(1).unwrap().split("</title>").next().unwrap().to_owned();
        assert!(title.ends_with(" | Cardinal &amp; Briar"), "{title}");
        assert!(titles.insert(title), "two pages have one title");
        assert!(html.contains("<meta name=\"description\" content=\""));
        assert!(html.contains(&format!("<link rel=\"canonical\" href=\"http://localhost:8787{path}\">")), "{path}");
        assert!(html.contains("<meta property=\"og:title\""));
        assert!(html.contains("<html lang=\"en\">"));
        assert_eq!(html.matches("<h1").count(), 1, "one main heading on {path}");
    }
}

async fn a_product_has_structured_data(shop: TestShop) {
    let product = shop.app.parts.catalog.listing().listed().next().unwrap().card.clone();
    let answer = shop.get(&product.href).await;
    let data = json_ld(answer.text());
    let described = data.iter().find(|value| value["@type"] == "Product").unwrap();
    assert_eq!(described["name"], product.title);
    let offer = &described["offers"][0];
    assert_eq!(offer["priceCurrency"], "USD");
    assert!(offer["price"].as_str().unwrap().contains('.'));
    assert!(offer["availability"].as_str().unwrap().starts_with("https://schema.org/"));
    assert!(offer["url"].as_str().unwrap().starts_with("http://localhost:8787/product/"));
    let crumbs = data.iter().find(|value| value["@type"] == "BreadcrumbList").unwrap();
    assert!(crumbs["itemListElement"].as_array().unwrap().len() >= 3);
    let picture = described["image"][0].as_str().unwrap().strip_prefix("http://localhost:8787").unwrap().to_owned();
    assert_eq!(shop.get(&picture).await.assert_status(200).header("content-type"), "image/jpeg");
}

async fn what_is_not_shipped_is_offered_in_the_store_only(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let catalog = &shop.app.parts.catalog;
    let product = catalog.listing().listed().next().unwrap().card.clone();
    let availability = async || {
        let data = json_ld(shop.get(&product.href).await.text());
        let offers = data.iter().find(|value| value["@type"] == "Product").unwrap()["offers"].clone();
        let kinds = offers.as_array().unwrap().iter().map(|offer| offer["availability"].as_str().unwrap().to_owned());
        kinds.collect::<BTreeSet<_>>()
    };
    let shown = async || {
        let page = shop.get(&payload_of(&product.href)).await.assert_status(200).json();
        let variants = page["props"]["variants"].as_array().unwrap().iter();
        let shown = variants.map(|variant| {
            let availability = variant["availability"].as_str().unwrap().to_owned();
            (availability, variant["max_quantity"].as_i64().unwrap() > 0)
        });
        shown.collect::<BTreeSet<_>>()
    };
    bench.execute("UPDATE stock_levels SET on_hand = 1000").await;
    catalog.changes.note(&Change::everything());
    assert_eq!(availability().await, ["https://schema.org/InStock".to_owned()].into());
    bench.execute("UPDATE compliance_rules SET may_ship = FALSE").await;
    catalog.changes.note(&Change::everything());
    assert_eq!(availability().await, ["https://schema.org/InStoreOnly".to_owned()].into());
    assert_eq!(shown().await, [("in_stock".to_owned(), true)].into());
    bench.execute("UPDATE compliance_rules SET may_pick_up = FALSE").await;
    catalog.changes.note(&Change::everything());
    assert_eq!(availability().await, ["https://schema.org/OutOfStock".to_owned()].into(), "no rule lets it be sold");
    assert_eq!(shown().await, [("out_of_stock".to_owned(), false)].into(), "the page says the same");
    assert!(shop.get(&product.href).await.text().contains("We don’t sell this at the moment."));
    bench.execute("UPDATE compliance_rules SET may_pick_up = TRUE").await;
    bench.execute("UPDATE stock_levels SET on_hand = reserved").await;
    catalog.changes.note(&Change::everything());
    assert_eq!(availability().await, ["https://schema.org/OutOfStock".to_owned()].into(), "nor in the store");
}

async fn home_names_the_organization_and_the_search(shop: TestShop) {
    let data = json_ld(shop.get("/").await.text());
    let kinds: Vec<_> = data.iter().map(|value| value["@type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["Organization", "WebSite"]);
    let template = &data[1]["potentialAction"]["target"]["urlTemplate"];
    assert_eq!(template, "http://localhost:8787/products?q={search_term_string}");
}

async fn the_sitemap_lists_pages_that_answer(shop: TestShop) {
    let answer = shop.get("/sitemap.xml").await;
    assert!(answer.assert_status(200).header("content-type").starts_with("application/xml"));
    let addresses: Vec<&str> =
        answer.text().split("<loc>").skip(1).map(|rest| rest.split("</loc>").next().unwrap()).collect();
    let unique: BTreeSet<_> = addresses.iter().collect();
    assert_eq!(unique.len(), addresses.len());
    assert!(addresses.len() > 130, "{}", addresses.len());
    assert_eq!(answer.text().matches("<lastmod>20").count(), addresses.len());
    for address in addresses {
        let path = address.strip_prefix("http://localhost:8787").unwrap();
        assert_eq!(shop.meta(path).await["robots"], Value::Null, "{path}");
    }
}

async fn the_sitemap_is_sent_compressed_and_only_if_it_has_changed(shop: TestShop) {
    let ask = async |name: HeaderName, value: &str| {
        let request = Request::get("/sitemap.xml").header(name, value).body(Body::empty());
        shop.send(request.unwrap()).await
    };
    let plain = shop.get("/sitemap.xml").await;
    for encoding in ["br", "gzip", "zstd"] {
        let compressed = ask(header::ACCEPT_ENCODING, encoding).await;
        assert_eq!(compressed.assert_status(200).header("content-encoding"), encoding);
        assert!(compressed.header("content-type").starts_with("application/xml"));
        assert!(compressed.body.len() * 3 < plain.body.len(), "{encoding}: {}", compressed.body.len());
    }
    ask(header::IF_NONE_MATCH, plain.header("etag")).await.assert_status(304);
    for part in ["0", "2", "x", "1x"] {
        shop.get(&format!("/sitemap.xml?part={part}")).await.assert_status(404);
    }
    assert_eq!(shop.get("/sitemap.xml?part=1").await.assert_status(200).body, plain.body);
}

async fn robots_may_read_the_shop(shop: TestShop) {
    let answer = shop.get("/robots.txt").await;
    assert!(answer.assert_status(200).text().contains("Sitemap: http://localhost:8787/sitemap.xml"));
    assert!(!answer.text().lines().any(|line| line == "Disallow: /"));
    assert!(answer.text().lines().any(|line| line == "Disallow: /auth/"));
    // Who may not read a page does not see that it is not to be indexed.
    assert_eq!(shop.meta("/cart").await["robots"], "noindex, follow");
    assert!(!answer.text().contains("Disallow: /cart"));
}

async fn searches_and_narrow_lists_are_not_indexed(shop: TestShop) {
    for (path, robots) in [
        ("/products", Value::Null),
        ("/products?page=2", Value::Null),
        ("/products?q=pipe", "noindex, follow".into()),
        ("/products?sale=1", Value::Null),
        ("/products?availability=in_stock", "noindex, follow".into()),
        ("/products?availability=in_stock&sale=1", "noindex, follow".into()),
        ("/category/pipes?category=pipes", "noindex, follow".into()),
        ("/products?sort=price", Value::Null),
        ("/products?sort=price&page=2", "noindex, follow".into()),
    ] {
        assert_eq!(shop.meta(path).await["robots"], robots, "{path}");
    }
    let narrow = shop.meta("/products?availability=in_stock&sale=1").await;
    assert!(narrow["title"].as_str().unwrap().starts_with("On sale: In stock | "));
    let sorted = shop.meta("/products?sort=price").await;
    assert_eq!(sorted["canonical"], "http://localhost:8787/products", "an order is not another list");
    let further = shop.meta("/products?sort=price&page=2").await;
    assert_eq!(further["canonical"], Value::Null, "it has other products than page 2 of the usual order");
}

async fn the_sitemap_names_the_lists_that_are_indexed(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let catalog = &shop.app.parts.catalog;
    for is_sale in [true, false] {
        if !is_sale {
            bench.execute("UPDATE product_variants SET compare_at_price = NULL").await;
            catalog.changes.note(&Change::everything());
            catalog.refresh().await.unwrap();
        }
        let sitemap = shop.get("/sitemap.xml").await;
        let mut lists = vec!["/products".to_owned(), "/products?sale=1".to_owned()];
        lists.extend(catalog.listing().categories().iter().map(|category| category.href()));
        for list in lists {
            let is_indexed = shop.meta(&list).await["robots"].is_null();
            let is_named = sitemap.text().contains(&format!("<loc>http://localhost:8787{list}</loc>"));
            assert_eq!(is_indexed, is_named, "{list}");
            assert!(is_indexed == is_sale || list != "/products?sale=1");
        }
    }
}

async fn every_list_has_a_description_of_its_own(shop: TestShop) {
    let paths = ["/products", "/products?page=2", "/products?sale=1", "/category/pipes"];
    let mut descriptions = BTreeSet::new();
    for path in paths {
        descriptions.insert(shop.meta(path).await["description"].as_str().unwrap().to_owned());
    }
    assert_eq!(descriptions.len(), paths.len(), "{descriptions:?}");
}

async fn a_category_is_indexed_once_something_is_in_it(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let form = json!({ "version": 0, "name": "Lamps", "slug": "lamps", "description": "", "parent_id": null,
        "place": null });
    let category = desk.call("POST", "categories", form).await.assert_status(201).json()["id"].clone();
    desk.catalog().refresh().await.unwrap();
    assert_eq!(desk.shop.meta("/category/lamps").await["robots"], "noindex, follow");
    assert!(!desk.shop.get("/sitemap.xml").await.text().contains("/category/lamps<"));

    desk.shop.clock.advance(3 * 24 * 60 * 60 * 1_000);
    let mut rack = desk.rack().await;
    rack["status"] = json!("active");
    rack["category_id"] = category;
    desk.create(&rack).await;
    desk.catalog().refresh().await.unwrap();
    let filled = desk.shop.meta("/category/lamps").await;
    assert_eq!((&filled["robots"], &filled["description"]), (&Value::Null, &json!("Lamps, chosen with care.")));
    let sitemap = desk.shop.get("/sitemap.xml").await;
    let day_of = |path: &str| {
        let address = format!("<loc>http://localhost:8787{path}</loc><lastmod>");
        sitemap.text().split(address.as_str()).nth(1).map(|rest| rest[..10].to_owned())
    };
    assert!(day_of("/").is_some());
    assert_eq!(day_of("/category/lamps"), day_of("/"), "it changed with its product");
}

async fn the_icon_is_a_picture_where_browsers_show_no_drawing(shop: TestShop) {
    for path in ["/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"] {
        let answer = shop.get(path).await;
        assert_eq!(answer.assert_status(200).header("content-type"), "image/png", "{path}");
        assert_eq!(answer.header("cache-control"), "public, max-age=86400", "{path}");
        assert!(answer.body.starts_with(b"\x89PNG"), "{path}");
    }
    let drawing = shop.get("/icon.svg").await;
    assert_eq!(drawing.assert_status(200).header("content-type"), "image/svg+xml");
    assert!(drawing.text().contains("<path") && !drawing.text().contains("<text"), "it needs no font");
}

async fn the_licenses_of_all_parts_are_named(shop: TestShop) {
    let answer = shop.get("/licenses.txt").await;
    let text = answer.assert_status(200).text();
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    for part in [
        "\ntokio 1.",
        "\nreact 19.",
        "\n@fontsource-variable/fraunces 5.",
        "\nSQLite 3.",
        "\nV8 ",
        "\nRust's standard library ",
    ] {
        assert!(text.contains(part), "{part:?}");
    }
    for encoding in ["br", "gzip"] {
        let request = Request::get("/licenses.txt").header(header::ACCEPT_ENCODING, encoding);
        let compressed = shop.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(compressed.assert_status(200).header("content-encoding"), encoding);
        assert_eq!(compressed.header("vary"), "accept-encoding");
        let size = compressed.body.len();
        assert!(size * 3 < text.len(), "{encoding}: {size}");
        // Its length is not known of what is compressed while it is sent.
        assert_eq!(compressed.header("content-length"), size.to_string());
    }
    assert!(text.contains("This license applies to all parts of V8 that are not externally\nmaintained libraries."));
    assert!(!text.contains("\nshop"), "our own crates are not third parties");
}
