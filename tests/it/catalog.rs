//! The catalog through its pages and calls: seeded products, search, filters, sold-out products.

use std::collections::BTreeSet;

use serde_json::Value;
use shop_base::sql;
use shop_domain::catalog::changes::Change;

use crate::checkout::bench::{BUTANE, Bench, PAPERS, PIPE_TOOL};
use crate::support::{Answer, Test, TestShop};
use crate::tests;

/// General merchandise.
const JAR: &str = "AGJ-1L";
/// A set of smoking accessories and rolling papers.
const BOX_WITH_PAPERS: &str = "RLB";

pub const TESTS: &[Test] = tests![
    the_demonstration_is_a_whole_shop,
    a_list_shows_48_cards_and_pages_reach_every_product_once,
    search_forgives_typos,
    a_search_in_a_category_names_both,
    facets_count_what_choosing_them_shows,
    of_many_values_the_most_frequent_are_offered,
    prices_sort_and_bound,
    an_address_that_is_not_normal_leads_to_the_normal_one,
    a_product_shows_its_variants,
    values_that_no_variant_has_are_not_offered,
    a_variant_is_in_the_address,
    sold_out_products_say_so,
    a_product_is_found_by_its_uuid,
    a_category_shows_its_branch,
    suggestions_follow_what_is_typed,
    pictures_come_in_every_width,
    a_card_promises_what_its_page_shows,
    a_card_shows_the_picture_of_what_can_be_bought,
    every_product_has_others_beside_it,
    what_is_sold_out_is_beside_no_product,
    shelves_show_first_what_can_be_bought,
    a_product_says_where_it_does_not_go,
    what_a_product_says_follows_from_the_rules,
    lists_follow_what_sells,
];

async fn props(shop: &TestShop, path: &str) -> Value {
    let separator = path.find('?').unwrap_or(path.len());
    let (path, query) = path.split_at(separator);
    let answer = shop.get(&format!("{path}/_payload.json{query}")).await;
    answer.assert_status(200).json()["props"].clone()
}

fn handles(list: &Value) -> Vec<String> {
    list["items"].as_array().unwrap().iter().map(|item| item["href"].as_str().unwrap().to_owned()).collect()
}

async fn the_demonstration_is_a_whole_shop(shop: TestShop) {
    let listing = shop.app.parts.catalog.listing();
    let cards: Vec<_> = listing.listed().map(|listed| &listed.card).collect();
    assert!(cards.len() >= 120, "{} products", cards.len());
    let leaves: BTreeSet<_> = cards.iter().map(|card| &card.category).collect();
    assert!(leaves.len() >= 8, "{leaves:?}");
    assert!(cards.iter().any(|card| card.compare_at_price.is_some()), "some are on sale");
    let availability: BTreeSet<_> = cards.iter().map(|card| card.availability).collect();
    assert_eq!(availability.len(), 3, "{availability:?}");
    let pictures: BTreeSet<_> = cards.iter().map(|card| &card.picture.src).collect();
    assert!(pictures.len() > cards.len() * 9 / 10, "covers differ: {} of {}", pictures.len(), cards.len());
}

async fn a_list_shows_48_cards_and_pages_reach_every_product_once(shop: TestShop) {
    let first = props(&shop, "/products").await;
    assert_eq!(first["items"].as_array().unwrap().len(), 48);
    let total = first["total"].as_u64().unwrap() as usize;
    let mut seen = BTreeSet::from_iter(handles(&first));
    let mut page = first;
    while let Some(next) = page["next_href"].as_str() {
        page = props(&shop, next).await;
        seen.extend(handles(&page));
    }
    assert_eq!(seen.len(), total);
}

async fn search_forgives_typos(shop: TestShop) {
    for (typed, meant) in
        [("humidro", "humidor"), ("churchwarden", "churchwarden"), ("ligter", "lighter"), ("ashtrey", "ashtray")]
    {
        let list = props(&shop, &format!("/products?q={typed}")).await;
        let first = list["items"][0]["title"].as_str().unwrap_or_default().to_lowercase();
        assert!(first.contains(meant), "{typed} finds '{first}' first");
    }
    for other in ["hats", "sale", "shoes"] {
        assert_eq!(props(&shop, &format!("/products?q={other}")).await["did_you_mean"], Value::Null, "{other}");
    }
    let nothing = props(&shop, "/products?q=xylophonist").await;
    assert_eq!(nothing["total"], 0);
    // The corrected search is narrowed and sorted as the typed one is.
    let narrowed = props(&shop, "/products?q=humidro&availability=in_stock&max_price=500&sort=price").await;
    let meant = narrowed["did_you_mean"]["href"].as_str().unwrap();
    assert_eq!(meant, "/products?q=humidor&availability=in_stock&max_price=500&sort=price");
    assert_eq!(handles(&props(&shop, meant).await), handles(&narrowed));
}

async fn a_search_in_a_category_names_both(shop: TestShop) {
    let path = "/category/pipes?q=briar";
    assert_eq!(props(&shop, path).await["heading"], "Results for “briar” in Pipes");
    assert!(shop.meta(path).await["title"].as_str().unwrap().starts_with("Results for “briar” in Pipes | "));
}

async fn facets_count_what_choosing_them_shows(shop: TestShop) {
    let list = props(&shop, "/products").await;
    let mut checked = 0;
    for facet in list["facets"].as_array().unwrap() {
        for option in facet["options"].as_array().unwrap().iter().take(3) {
            let chosen = props(&shop, option["href"].as_str().unwrap()).await;
            assert_eq!(chosen["total"], option["count"], "{} {}", facet["key"], option["label"]);
            let own = chosen["facets"].as_array().unwrap().iter().find(|own| own["key"] == facet["key"]).unwrap();
            let own = own["options"].as_array().unwrap().iter().find(|own| own["label"] == option["label"]).unwrap();
            assert_eq!(own["selected"], true);
            assert_eq!(own["href"], "/products", "choosing again undoes it");
            checked += 1;
        }
    }
    assert!(checked >= 10, "only {checked} options");
}

async fn of_many_values_the_most_frequent_are_offered(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    bench.execute("UPDATE products SET material = 'Wood ' || handle").await;
    bench.shop.app.parts.catalog.changes.note(&Change::everything());
    bench.shop.app.parts.catalog.refresh().await.unwrap();
    let materials = async |path: &str| {
        let list = props(&bench.shop, path).await;
        let facet = list["facets"].as_array().unwrap().iter().find(|facet| facet["key"] == "material").unwrap();
        [&facet["options"], &facet["more"]["options"]].map(|options| options.as_array().unwrap().clone()).concat()
    };
    assert_eq!(materials("/products").await.len(), 100);
    // One that is selected can be deselected.
    let listing = bench.shop.app.parts.catalog.listing();
    let last = listing.listed().map(|listed| listed.path.as_str()).max().unwrap().replace("/product/", "wood-");
    let options = materials(&format!("/products?material={last}")).await;
    assert_eq!(options.len(), 101);
    assert_eq!(options[100]["selected"], true);
    assert_eq!(options[100]["href"], "/products");
}

async fn prices_sort_and_bound(shop: TestShop) {
    let list = props(&shop, "/products?min_price=20&max_price=60&sort=price").await;
    let amounts: Vec<i64> =
        list["items"].as_array().unwrap().iter().map(|item| item["price"].as_i64().unwrap()).collect();
    assert!(amounts.len() > 10, "{amounts:?}");
    assert!(amounts.is_sorted(), "{amounts:?}");
    assert!(amounts.iter().all(|amount| (2_000..=6_000).contains(amount)), "{amounts:?}");
    let downward = props(&shop, "/products?sort=price-desc").await;
    let dearest = downward["items"][0]["price"].as_i64().unwrap();
    assert_eq!(downward["price"]["max"].as_i64().unwrap(), (dearest + 99) / 100, "in whole dollars");
}

async fn an_address_that_is_not_normal_leads_to_the_normal_one(shop: TestShop) {
    for (given, normal) in [
        ("/products?page=1", "/products"),
        ("/products?q=&min_price=&max_price=&sort=best", "/products"),
        ("/products?sort=price&q=pipe", "/products?q=pipe&sort=price"),
        ("/products?q=++pipe++", "/products?q=pipe"),
        ("/products?q=%3F%3F%3F&sort=price", "/products?sort=price"),
        ("/products?material=unobtainium&utm_source=mail", "/products"),
    ] {
        let answer = shop.get(given).await;
        assert_eq!(answer.assert_status(301).header("location"), normal, "{given}");
    }
    assert_eq!(shop.meta("/products?utm_source=mail").await["canonical"], "http://localhost:8787/products");
}

async fn first_with(shop: &TestShop, wanted: impl Fn(&Value) -> bool) -> (String, Value) {
    let hrefs: Vec<String> = shop.app.parts.catalog.listing().listed().map(|listed| listed.path.clone()).collect();
    for href in hrefs {
        let product = props(shop, &href).await;
        if wanted(&product) {
            return (href, product);
        }
    }
    panic!("no product is such");
}

async fn a_product_shows_its_variants(shop: TestShop) {
    let (href, product) = first_with(&shop, |product| {
        product["options"].as_array().unwrap().len() == 2 && product["variants"].as_array().unwrap().len() >= 4
    })
    .await;
    let values: BTreeSet<String> =
        product["variants"].as_array().unwrap().iter().map(|v| v["options"].to_string()).collect();
    assert_eq!(values.len(), product["variants"].as_array().unwrap().len(), "each variant is its own combination");
    let answer = shop.get_verified(&href).await;
    let html = answer.assert_status(200).root();
    for option in product["options"].as_array().unwrap() {
        assert!(html.contains(option["name"].as_str().unwrap()));
    }
    assert!(product["related"].as_array().unwrap().len() >= 2);
    assert!(product["gallery"]["pictures"].as_array().unwrap().len() >= 3);
    assert!(!product["restriction"].as_str().unwrap().is_empty());
}

async fn values_that_no_variant_has_are_not_offered(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let (path, before) = first_with(&bench.shop, |product| {
        let values = |option: &Value| option["values"].as_array().unwrap().len();
        product["options"].as_array().unwrap().iter().map(values).eq([3])
    })
    .await;
    let values = |product: &Value| {
        let values = product["options"][0]["values"].as_array().unwrap().iter();
        values.map(|value| value["value"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let gone = before["variants"][0]["options"][0].as_str().unwrap().to_owned();
    let sku = before["variants"][0]["sku"].as_str().unwrap().to_owned();
    let of_it =
        before["variants"].as_array().unwrap().iter().filter(|each| each["options"][0] == gone.as_str()).count();
    assert_eq!(of_it, 1, "{path}: {before}");
    // The others come in another order than their values.
    const UPDATE: &str = "UPDATE product_variants SET position = -position,
        archived_at = CASE WHEN sku = $1 THEN 1 ELSE archived_at END";
    let mut tx = bench.shop.app.db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query(UPDATE).bind(&sku).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    bench.shop.app.parts.catalog.changes.note(&Change::everything());
    bench.shop.app.parts.catalog.refresh().await.unwrap();
    let after = props(&bench.shop, &path).await;
    let left: Vec<String> = values(&before).into_iter().filter(|value| *value != gone).collect();
    assert_eq!(left.len(), values(&before).len() - 1, "{before}");
    assert_eq!(values(&after), left, "{after}");
    let skus = |product: &Value| {
        let variants = product["variants"].as_array().unwrap().iter();
        variants.map(|variant| variant["sku"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(skus(&after).iter().eq(skus(&before).iter().skip(1).rev()), "{after}");
}

async fn a_variant_is_in_the_address(shop: TestShop) {
    let (href, product) = first_with(&shop, |product| {
        let variants = product["variants"].as_array().unwrap();
        variants.len() > 1 && variants[0]["price"] != variants[variants.len() - 1]["price"]
    })
    .await;
    let last = product["variants"].as_array().unwrap().last().unwrap().clone();
    let chosen = shop.get_verified(last["href"].as_str().unwrap()).await;
    assert_eq!(chosen.assert_status(200).envelope()["props"]["selected"], last["sku"]);
    let canonical = shop.meta(last["href"].as_str().unwrap()).await["canonical"].clone();
    assert_eq!(canonical, format!("http://localhost:8787{href}"));
    let unknown = shop.get(&format!("{href}?variant=NO-SUCH-SKU")).await;
    assert_eq!(unknown.assert_status(301).header("location"), href);
}

async fn sold_out_products_say_so(shop: TestShop) {
    let listing = shop.app.parts.catalog.listing();
    let sold_out = listing
        .listed()
        .find(|l| l.card.availability == shop_domain::catalog::model::Availability::OutOfStock)
        .unwrap();
    let answer = shop.get_verified(&sold_out.card.href).await;
    let props = answer.assert_status(200).envelope()["props"].clone();
    for variant in props["variants"].as_array().unwrap() {
        assert_eq!(variant["max_quantity"], 0);
        assert_eq!(variant["availability"], "out_of_stock");
    }
    assert!(answer.root().contains("Sold out"));
}

async fn a_product_is_found_by_its_uuid(shop: TestShop) {
    let card = shop.app.parts.catalog.listing().listed().next().unwrap().card.clone();
    for id in [card.id.to_string(), card.id.to_string().to_uppercase()] {
        let answer: Answer = shop.get(&format!("/product/{id}")).await;
        assert_eq!(answer.assert_status(301).header("location"), card.href);
    }
    let answer = shop.get(&format!("/product/{}?variant=A", card.id)).await;
    let path = card.href.split('?').next().unwrap();
    assert_eq!(answer.assert_status(301).header("location"), format!("{path}?variant=A"));
}

async fn a_category_shows_its_branch(shop: TestShop) {
    let listing = shop.app.parts.catalog.listing();
    let top = listing.children(None).find(|top| listing.children(Some(top.id)).count() > 1).unwrap().clone();
    let branch = props(&shop, &top.href()).await;
    assert_eq!(branch["heading"], top.name);
    let mut below = 0;
    for child in branch["children"].as_array().unwrap() {
        let leaf = props(&shop, child["href"].as_str().unwrap()).await;
        assert_eq!(leaf["breadcrumbs"].as_array().unwrap().len(), 3);
        assert_eq!(leaf["total"], child["count"]);
        below += child["count"].as_u64().unwrap();
    }
    assert_eq!(branch["total"].as_u64().unwrap(), below, "products live in leaves");
}

async fn suggestions_follow_what_is_typed(shop: TestShop) {
    let found = shop.get("/api/search/suggest?q=humid").await.assert_status(200).json();
    let titles = found["products"].to_string().to_lowercase();
    assert!(titles.contains("humid"), "{titles}");
    assert!(!found["categories"].as_array().unwrap().is_empty());
    // Whoever types the whole name of a category is led there.
    for category in shop.app.parts.catalog.listing().categories() {
        let name: String = form_urlencoded::byte_serialize(category.name.as_bytes()).collect();
        let found = shop.get(&format!("/api/search/suggest?q={name}")).await.assert_status(200).json();
        assert!(found["categories"].to_string().contains(&format!("{:?}", category.href())), "{name}: {found}");
    }
    let accented = shop.get("/api/search/suggest?q=p%C3%ADpe").await.assert_status(200).json();
    assert_eq!(accented["categories"][0]["href"], "/category/pipes", "{accented}");
    let nothing = shop.get("/api/search/suggest?q=%20").await.assert_status(200).json();
    assert_eq!(nothing["products"].as_array().unwrap().len(), 0);
    shop.get("/api/search/suggest").await.assert_status(200);
}

async fn pictures_come_in_every_width(shop: TestShop) {
    let card = shop.app.parts.catalog.listing().listed().next().unwrap().card.clone();
    for (format, magic) in [("webp", &b"RIFF"[..]), ("avif", &b"\0\0\0"[..])] {
        let small = shop.get(&format!("{}-160.{format}", card.picture.src)).await;
        assert_eq!(small.assert_status(200).header("content-type"), format!("image/{format}"));
        assert_eq!(small.header("cache-control"), "public, max-age=31536000, immutable");
        assert!(small.body.starts_with(magic));
    }
    shop.get(&format!("{}-161.webp", card.picture.src)).await.assert_status(404);
    shop.get("/images/00000000000000000000-160.webp").await.assert_status(404);
}

async fn a_card_promises_what_its_page_shows(shop: TestShop) {
    let listing = shop.app.parts.catalog.listing();
    let mut leads_to_a_variant = 0;
    for listed in listing.listed() {
        let card = serde_json::to_value(&**listed.card).unwrap();
        let href = card["href"].as_str().unwrap();
        let product = props(&shop, href).await;
        let variants = product["variants"].as_array().unwrap();
        let shown = variants.iter().find(|each| each["sku"] == product["selected"]).unwrap();
        assert_eq!(
            (&shown["price"]["amount"], &shown["compare_at_price"]["amount"]),
            (&card["price"], &card["compare_at_price"]),
            "{href}"
        );
        assert_eq!(card["badge"] == "sale", !card["compare_at_price"].is_null(), "{href}");
        let is_reduced = |each: &Value| !each["compare_at_price"].is_null() && each["max_quantity"] != 0;
        assert_eq!(card["badge"] == "sale", variants.iter().any(is_reduced), "{href}");
        if card["price_varies"] == true {
            let least =
                variants.iter().filter(|each| each["max_quantity"] != 0).map(|each| each["price"]["amount"].as_i64());
            assert_eq!(least.min().flatten(), card["price"].as_i64(), "{href}: from");
        }
        // The picture and the highlighted colors are those of the reduced variant.
        if href.contains("?variant=") {
            leads_to_a_variant += 1;
            let own = &product["gallery"]["pictures"][shown["picture"].as_u64().unwrap() as usize];
            assert_eq!(own["src"], card["picture"]["src"], "{href}");
        }
        for color in card["colors"].as_array().into_iter().flatten() {
            let of_color = |each: &&Value| each["options"].as_array().unwrap().contains(&color["label"]);
            assert!(variants.iter().any(|each| of_color(&each)), "{href}: {color}");
            let reduced = variants.iter().filter(of_color).any(is_reduced);
            assert_eq!(color["reduced"] == true, reduced, "{href}: {color}");
        }
    }
    assert!(leads_to_a_variant >= 10, "{leads_to_a_variant}");
    // The sitemap lists products, not variants.
    let sitemap = shop.get("/sitemap.xml").await;
    assert!(!sitemap.assert_status(200).text().contains("?variant="));
}

async fn a_card_shows_the_picture_of_what_can_be_bought(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let last = |product: &Value| product["variants"].as_array().unwrap().last().unwrap().clone();
    let (path, product) = first_with(&bench.shop, |product| {
        let last = last(product);
        last["picture"] != 0 && last["max_quantity"] != 0
    })
    .await;
    let only = last(&product);
    const SELL_OTHERS: &str = "UPDATE stock_levels SET on_hand = reserved WHERE variant_id IN (SELECT v.id
        FROM product_variants v JOIN product_variants kept ON kept.product_id = v.product_id AND kept.id <> v.id
        WHERE kept.sku = $1)";
    let mut tx = bench.shop.app.db.begin().await.unwrap();
    let sku = only["sku"].as_str().unwrap();
    sql!(&mut tx.conn(), c => sqlx::query(SELL_OTHERS).bind(sku).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    bench.shop.app.parts.catalog.changes.note(&Change::everything());
    bench.shop.app.parts.catalog.refresh().await.unwrap();

    let listing = bench.shop.app.parts.catalog.listing();
    let card = &listing.listed().find(|listed| listed.path == path).unwrap().card;
    assert_eq!(card.href, path, "the page shows it without being asked for it");
    assert_eq!(props(&bench.shop, &path).await["selected"], only["sku"]);
    let own = &product["gallery"]["pictures"][only["picture"].as_u64().unwrap() as usize];
    assert_eq!(own["src"], card.picture.src);
    assert_ne!(own["src"], product["gallery"]["pictures"][0]["src"]);
}

async fn every_product_has_others_beside_it(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let mut tx = shop.app.db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query("DELETE FROM related_products").execute(c).await.map(drop)).unwrap();
    // One is alone in its category, which is inside no other.
    const ALONE: &str = "INSERT INTO categories (id, slug, name, description, position, updated_at) VALUES ($1, 'alone', 'Alone', '', 99, 0)";
    const MOVE: &str = "UPDATE products SET category_id = $1 WHERE handle = 'two-pipe-stand'";
    for statement in [ALONE, MOVE] {
        let category = uuid::Uuid::from_u128(99);
        let rows = sql!(&mut tx.conn(), c => sqlx::query(statement).bind(category).execute(c).await.map(|done| done.rows_affected()));
        assert_eq!(rows.unwrap(), 1, "{statement}");
    }
    tx.commit().await.unwrap();
    shop.app.parts.catalog.changes.note(&Change::everything());
    shop.app.parts.catalog.refresh().await.unwrap();
    for listed in shop.app.parts.catalog.listing().listed() {
        let product = props(&shop, &listed.path).await;
        let others: BTreeSet<_> =
            product["related"].as_array().unwrap().iter().map(|card| card["href"].to_string()).collect();
        assert_eq!(others.len(), 4, "{}", listed.path);
        let is_itself = |href: &String| href.trim_matches('"').split('?').next() == Some(listed.path.as_str());
        assert!(!others.iter().any(is_itself), "{}", listed.path);
    }
    // An empty list shows popular products.
    let nothing = props(&shop, "/products?q=zzzzqqq").await;
    assert_eq!((nothing["total"].as_u64(), nothing["popular"].as_array().unwrap().len()), (Some(0), 6));
    assert_eq!(props(&shop, "/products").await["popular"], serde_json::json!([]));
}

async fn what_is_sold_out_is_beside_no_product(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    bench
        .execute(
            "UPDATE stock_levels SET on_hand = 0 WHERE variant_id IN (SELECT id FROM product_variants
            WHERE product_id = (SELECT related_id FROM related_products ORDER BY position, product_id LIMIT 1))",
        )
        .await;
    bench.shop.app.parts.catalog.changes.note(&Change::everything());
    bench.shop.app.parts.catalog.refresh().await.unwrap();
    for listed in bench.shop.app.parts.catalog.listing().listed() {
        let related = props(&bench.shop, &listed.path).await["related"].as_array().unwrap().clone();
        assert_eq!(related.len(), 4, "{}", listed.path);
        assert!(!related.iter().any(|card| card["availability"] == "out_of_stock"), "{}: {related:?}", listed.path);
    }
}

async fn shelves_show_first_what_can_be_bought(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shelves = async || {
        let home = bench.shop.get_verified("/").await.assert_status(200).envelope()["props"].clone();
        let shelf = |items: &Value| -> Vec<bool> {
            items.as_array().unwrap().iter().map(|card| card["availability"] != "out_of_stock").collect()
        };
        let all = [&home["new_arrivals"], &home["on_sale"], &home["featured"]["items"]].map(shelf);
        let lead = home["hero"]["product"]["href"].as_str().unwrap().to_owned();
        (all, lead)
    };
    let (_, lead) = shelves().await;
    let first: Vec<uuid::Uuid> = {
        let listing = bench.shop.app.parts.catalog.listing();
        let featured = listing.collections.first().unwrap().products.iter();
        listing.on_sale().take(1).chain(listing.newest().take(1)).chain(featured.take(1)).copied().collect()
    };
    for product in first {
        const EMPTY: &str = "UPDATE stock_levels SET on_hand = 0 WHERE variant_id IN (SELECT id FROM product_variants WHERE product_id = $1)";
        let mut tx = bench.shop.app.db.begin().await.unwrap();
        sql!(&mut tx.conn(), c => sqlx::query(EMPTY).bind(product).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
    }
    bench.shop.app.parts.catalog.changes.note(&Change::everything());
    bench.shop.app.parts.catalog.refresh().await.unwrap();
    let (all, other) = shelves().await;
    assert!(all.iter().flatten().all(|is_available| *is_available), "{all:?}");
    assert_ne!(other, lead);
}

/// What the page of the product with this sku says about buying it.
async fn restriction(shop: &TestShop, sku: &str) -> String {
    let mut reader = shop.app.db.read().await.unwrap();
    let find = "SELECT p.handle FROM products p JOIN product_variants v ON v.product_id = p.id WHERE v.sku = $1";
    let handle: String = sql!(&mut reader.conn(), c => sqlx::query_scalar(find).bind(sku).fetch_one(c).await).unwrap();
    props(shop, &format!("/product/{handle}")).await["restriction"].as_str().unwrap().to_owned()
}

async fn a_product_says_where_it_does_not_go(shop: TestShop) {
    let said = async |sku: &str| restriction(&shop, sku).await;
    assert!(said(BUTANE).await.ends_with("We don’t ship this to Alaska or Hawaii."), "{}", said(BUTANE).await);
    let in_store = "We don’t ship this: pick it up in our store, show your ID, and pay there.";
    for sku in [PAPERS, BOX_WITH_PAPERS] {
        assert_eq!(said(sku).await, format!("Sold to adults aged 21 or older. {in_store}"));
    }
    assert!(!said(PIPE_TOOL).await.contains("ship"));
}

async fn what_a_product_says_follows_from_the_rules(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let said = async |sku: &str| restriction(shop, sku).await;
    let signed = "An adult must sign for the package.";
    assert!(said(BUTANE).await.contains(&format!("It ships by ground only. {signed}")), "{}", said(BUTANE).await);
    let accessory = "Sold to adults aged 21 or older, for legal tobacco use only.";
    assert_eq!(said(PIPE_TOOL).await, format!("{accessory} {signed}"));
    // General merchandise: no signature, and it may travel by air.
    let order = bench.order(JAR, 1).await;
    let options = bench.quote(&order).await["shipping_options"].clone();
    assert!(options.as_array().unwrap().iter().any(|option| option["code"] == "expedited"), "{options}");
    assert_eq!(said(JAR).await, "Sold to adults aged 21 or older.");

    let admin = shop.sign_in("ruler", &["admin"]).await;
    let version = async || {
        let page = "/admin/settings/compliance/_payload.json";
        shop.call("GET", page, &admin, Value::Null).await.json()["props"]["version"].clone()
    };
    let mut rule = serde_json::json!({
        "version": version().await, "class": "general_merchandise", "state": "*", "valid_from": "2026-11-21",
        "may_ship": true, "may_pick_up": true, "may_pay_online": true, "adult_signature": false, "ground_only": true,
        "source": "A test's own law",
    });
    let call = "/api/admin/settings/compliance/rules";
    shop.call("POST", call, &admin, rule.clone()).await.assert_status(204);
    assert_eq!(said(JAR).await, "Sold to adults aged 21 or older. It ships by ground only.");
    let quote = bench.quote(&order).await;
    assert!(!quote["shipping_options"].to_string().contains("expedited"), "{quote}");
    // Staff who choose a class read the same.
    let editor = shop.call("GET", "/admin/products/new/_payload.json", &admin, Value::Null).await.json();
    let classes = editor["props"]["classes"].as_array().unwrap();
    let class = classes.iter().find(|class| class["value"] == "general_merchandise").unwrap();
    assert_eq!(class["restriction"], "Sold to adults aged 21 or older. It ships by ground only.");
    (rule["version"], rule["ground_only"]) = (version().await, false.into());
    shop.call("POST", call, &admin, rule).await.assert_status(204);
    assert_eq!(said(JAR).await, "Sold to adults aged 21 or older.");
}

async fn lists_follow_what_sells(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    bench.work().await;
    let first = async || props(&bench.shop, "/products").await["items"][0]["title"].as_str().unwrap().to_owned();
    let before = first().await;
    assert_eq!(bench.count("SELECT COUNT(*) FROM products WHERE popularity = 0").await, 0, "nothing was sold yet");
    let tool = bench.variant(PIPE_TOOL).await;
    let butane = bench.variant(BUTANE).await;
    for _ in 0..3 {
        let mut order = bench.order(PIPE_TOOL, 2).await;
        order["items"] = serde_json::json!([{ "id": tool, "qty": 2 }, { "id": butane, "qty": 1 }]);
        order["expected_total"] = bench.quote(&order).await["total"].clone();
        bench.pay(&order).await.assert_status(200);
    }
    // Sales are counted every 15 seconds, rankings once a day.
    for pause in [20_000, 24 * 60 * 60 * 1000] {
        bench.work().await;
        bench.shop.clock.advance(pause);
    }
    bench.work().await;
    bench.shop.app.parts.catalog.refresh().await.unwrap();
    bench.shop.app.parts.catalog.changes.note(&Change::everything());
    let sold =
        "SELECT popularity FROM products WHERE id = (SELECT product_id FROM product_variants WHERE sku = 'TWT-SIN')";
    assert_eq!(bench.count(sold).await, 6);
    let now = first().await;
    assert!(now != before && now.contains("Pipe Tool"), "{now} stands first, as {before} did");
    let product = props(&bench.shop, props(&bench.shop, "/products").await["items"][0]["href"].as_str().unwrap()).await;
    assert!(product["related"][0]["title"].as_str().unwrap().contains("Butane"), "{}", product["related"][0]);
    // A second run changes nothing.
    bench.shop.clock.advance(24 * 60 * 60 * 1000 + 1000);
    bench.work().await;
    assert_eq!(bench.count(sold).await, 6);
}
