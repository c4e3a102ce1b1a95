//! Editing whole products.

use serde_json::{Value, json};
use shop_domain::catalog::editing::model::{ProductContent, VariantContent};
use shop_domain::catalog::editing::service;
use shop_platform::jobs::worker::run_due;
use uuid::Uuid;

use super::desk::Desk;
use crate::support::{Database, TestShop};

const HOUR_MS: i64 = 3_600_000;

pub async fn a_product_is_made_published_moved_and_archived(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let made = desk.create(&desk.rack().await).await;
    assert_eq!((made["version"].as_i64(), made["was_released"].as_bool()), (Some(1), Some(false)));
    assert_eq!(made["stock"][0]["on_hand"], 7);
    desk.shop.get("/product/walnut-pipe-rack").await.assert_status(404);
    let by_id = format!("/product/{}", made["id"].as_str().unwrap());
    desk.shop.get(&by_id).await.assert_status(404);

    let live = desk.save(&made, |content| content["status"] = json!("active")).await;
    let page = desk.shop.get("/product/walnut-pipe-rack").await;
    page.assert_status(200);
    let props = page.envelope()["props"].clone();
    assert_eq!(props["story"]["description"], json!(["Turned by hand.", "Oiled twice."]));
    assert_eq!(props["variants"][1]["compare_at_price"]["amount"], 5900);
    assert_eq!(props["variants"][0]["availability"], "in_stock");
    desk.catalog().refresh().await.unwrap();
    let found = desk.shop.get("/products?q=walnut+pipe+rack").await;
    assert!(found.text().contains("/product/walnut-pipe-rack"));

    // SEO texts, and a new handle: the old one redirects to it, after any number of changes.
    let moved = desk
        .save(&live, |content| {
            content["handle"] = json!("pipe-rack-for-six");
            content["seo_title"] = json!("Pipe rack of walnut for six");
            content["seo_description"] = json!("Made to last.");
        })
        .await;
    let moved = desk.save(&moved, |content| content["handle"] = json!("rack-six")).await;
    for old in ["walnut-pipe-rack", "pipe-rack-for-six"] {
        let answer = desk.shop.get(&format!("/product/{old}")).await;
        answer.assert_status(301);
        assert_eq!(answer.header("location"), "/product/rack-six");
        let variant = desk.shop.get(&format!("/product/{old}?variant=RACK-L")).await;
        assert_eq!(variant.assert_status(301).header("location"), "/product/rack-six?variant=RACK-L");
    }
    let meta = desk.shop.meta("/product/rack-six").await;
    assert!(meta["title"].as_str().unwrap().starts_with("Pipe rack of walnut for six"), "{meta}");
    assert_eq!(meta["description"], "Made to last.");
    // No other product gets a handle that was public.
    let mut other = desk.rack().await;
    other["variants"] = json!([]);
    other["options"] = json!([]);
    let refused = desk.try_create(&other).await;
    refused.assert_problem(422, "invalid");
    assert!(refused.json()["errors"]["handle"][0].as_str().unwrap().contains("used it before"));

    let archived = desk.save(&moved, |content| content["status"] = json!("archived")).await;
    desk.shop.get("/product/rack-six").await.assert_status(410);
    assert_eq!(desk.shop.get(&by_id).await.assert_status(301).header("location"), "/product/rack-six");
    let back = desk.save(&archived, |content| content["status"] = json!("active")).await;
    desk.shop.get("/product/rack-six").await.assert_status(200);
    let moved = desk.shop.get("/product/walnut-pipe-rack").await;
    assert_eq!(moved.assert_status(301).header("location"), "/product/rack-six", "also after it was gone");
    assert_eq!(back["version"], 6);
    let expected =
        ["product.create", "product.publish", "product.update", "product.update", "product.archive", "product.publish"];
    assert_eq!(desk.audited().await, expected);
    // Saving without a change writes nothing.
    assert_eq!(desk.save(&back, |_| {}).await["version"], 6);
    let unseen = json!("\u{202e}Walnut\u{200b} pipe rack ");
    assert_eq!(desk.save(&back, |content| content["title"] = unseen).await["version"], 6);
    let unseen = json!(["Turned\u{200b} by \u{202e}hand.", "\u{feff}", "Oi\u{ad}led twice."]);
    assert_eq!(desk.save(&back, |content| content["description"] = unseen).await["version"], 6);
    assert_eq!(desk.audited().await.len(), expected.len());
    let terms = "SELECT COUNT(*) FROM search_terms WHERE kind = 'product' AND term IN ('walnut', 'd', 'six')";
    assert_eq!(desk.count(terms).await, 3);
}

pub async fn a_product_without_a_description_is_described_by_its_subtitle(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut rack = desk.rack().await;
    rack["description"] = json!([]);
    rack["status"] = json!("active");
    desk.create(&rack).await;
    let meta = desk.shop.meta("/product/walnut-pipe-rack").await;
    assert_eq!(meta["description"], "For six pipes");
    let described = meta["json_ld"][0].as_object().unwrap();
    assert_eq!((&described["@type"], &described["material"]), (&json!("Product"), &json!("Walnut")));
    assert!(!described.contains_key("description"), "{meta}");
    let page = desk.shop.get("/product/walnut-pipe-rack").await;
    assert_eq!(page.assert_status(200).envelope()["props"]["story"]["description"], json!([]), "no blank paragraph");
    rack["description"] = json!(["Turned by hand."]);
    rack["material"] = json!("");
    rack["handle"] = json!("pipe-rack");
    for variant in rack["variants"].as_array_mut().unwrap() {
        variant["sku"] = json!(format!("{}-2", variant["sku"].as_str().unwrap()));
    }
    desk.create(&rack).await;
    let meta = desk.shop.meta("/product/pipe-rack").await;
    assert_eq!(meta["json_ld"][0]["description"], "Turned by hand.");
    assert!(!meta["json_ld"][0].as_object().unwrap().contains_key("material"), "{meta}");
}

pub async fn a_handle_may_look_like_an_id(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut rack = desk.rack().await;
    rack["handle"] = json!("3f2b8c1d9e4a4f6bb7c05d1e2f3a4b5c");
    rack["status"] = json!("active");
    let made = desk.create(&rack).await;
    desk.shop.get("/product/3f2b8c1d9e4a4f6bb7c05d1e2f3a4b5c").await.assert_status(200);
    // Even like its own.
    let own = made["id"].as_str().unwrap();
    desk.save(&made, |content| content["handle"] = json!(own)).await;
    desk.shop.get(&format!("/product/{own}")).await.assert_status(200);
}

pub async fn nothing_is_overwritten(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let made = desk.create(&desk.rack().await).await;
    let mine = desk.try_save(&made, |content| content["title"] = json!("Mine"));
    let theirs = desk.try_save(&made, |content| content["title"] = json!("Theirs"));
    let (mine, theirs) = tokio::join!(mine, theirs);
    let mut statuses = [mine.status.as_u16(), theirs.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let (winner, loser) = if mine.status == 200 { (mine, theirs) } else { (theirs, mine) };
    loser.assert_problem(409, "changed_meanwhile");
    let now = desk.call("GET", &format!("products/{}", made["id"].as_str().unwrap()), Value::Null).await.json();
    assert_eq!(now["content"]["title"], winner.json()["content"]["title"]);
    assert_eq!(desk.audited().await, ["product.create", "product.update"]);
}

pub async fn a_product_that_is_sent_again_is_created_once(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let (id, rack) = (Uuid::now_v7(), desk.rack().await);
    let path = &format!("products?id={id}");
    let send = |content: &Value| desk.call("POST", path, content.clone());
    let (one, other) = tokio::join!(send(&rack), send(&rack));
    for answer in [&one, &other] {
        assert_eq!(answer.assert_status(201).json()["id"], json!(id));
    }
    // What has become of it in the meantime is not undone, whatever is sent.
    desk.save(&one.json(), |content| content["title"] = json!("Rack")).await;
    let mut bare = rack.clone();
    bare["handle"] = json!("bare");
    bare["variants"] = json!([]);
    bare["options"] = json!([]);
    for content in [&rack, &bare] {
        let again = send(content).await.assert_status(201).json();
        assert_eq!((&again["id"], &again["content"]["title"]), (&json!(id), &json!("Rack")));
    }
    assert_eq!(desk.audited().await, ["product.create", "product.update"]);
    assert_eq!(desk.count("SELECT COUNT(*) FROM products WHERE status = 'draft'").await, 1);
}

pub async fn more_is_looked_up_than_a_statement_takes(shop: TestShop) {
    /// PostgreSQL takes 65,535 parameters, SQLite half of that.
    const MANY: usize = 66_000;
    let desk = Desk::start(&shop).await;
    let made = desk.create(&desk.rack().await).await;
    let mut content: ProductContent = serde_json::from_value(made["content"].clone()).unwrap();
    let variant = content.variants[0].clone();
    let unknown = (0..MANY).map(|at| VariantContent { sku: format!("UNKNOWN-{at}"), ..variant.clone() });
    content.variants.extend(unknown);
    let mut tx = desk.shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let around = service::surroundings(&mut conn, &[&content]).await.unwrap();
    assert_eq!(around.skus.keys().collect::<Vec<_>>(), ["RACK-D", "RACK-L"]);
    let id: Uuid = made["id"].as_str().unwrap().parse().unwrap();
    let ids: Vec<Uuid> = [id].into_iter().chain((0..MANY as u128).map(Uuid::from_u128)).collect();
    let locked = service::lock_all(&mut conn, &ids).await.unwrap();
    assert_eq!(locked.iter().map(|product| product.id).collect::<Vec<_>>(), [id]);
}

pub async fn fields_at_fault_are_named(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let taken = desk.count("SELECT COUNT(*) FROM product_variants WHERE sku = 'TWT-SIN'").await;
    assert_eq!(taken, 1);
    type Spoil = fn(&mut Value);
    let cases: [(&str, Spoil); 17] = [
        ("title", |c| c["title"] = json!("  ")),
        ("handle", |c| c["handle"] = json!("Not A Handle")),
        ("category_id", |c| c["category_id"] = json!("01234567-89ab-7def-8123-456789abcdef")),
        ("compliance_class", |c| c["compliance_class"] = json!("anything_goes")),
        ("variants[1].sku", |c| c["variants"][1]["sku"] = json!("rack-d")),
        ("variants[0].sku", |c| c["variants"][0]["sku"] = json!("TWT-SIN")),
        ("variants[1].options", |c| c["variants"][1]["options"] = json!(["Dark"])),
        ("variants[0].options", |c| c["variants"][0]["options"] = json!(["Purple"])),
        ("variants[0].price", |c| c["variants"][0]["price"] = json!(-1)),
        ("variants[0].compare_at_price", |c| c["variants"][0]["compare_at_price"] = json!(4900)),
        ("variants[0].picture", |c| c["variants"][0]["picture"] = json!("00000000000000000000")),
        ("pictures[0].key", |c| c["pictures"][0]["key"] = json!("00000000000000000000")),
        ("options[0].values[1]", |c| c["options"][0]["values"][1]["value"] = json!("dark")),
        ("publish_at", |c| c["publish_at"] = json!(1)),
        ("publish_at", |c| c["publish_at"] = json!(i64::MAX)),
        ("seo_title", |c| c["seo_title"] = json!("two\nlines")),
        ("details[0].value", |c| c["details"][0]["value"] = json!("")),
    ];
    let rack = desk.rack().await;
    for (field, spoil) in cases {
        let mut content = rack.clone();
        spoil(&mut content);
        let answer = desk.try_create(&content).await;
        answer.assert_problem(422, "invalid");
        let errors = answer.json()["errors"].clone();
        assert!(errors[field][0].as_str().is_some_and(|message| !message.is_empty()), "{field}: {errors}");
    }
    // A draft may lack these, a published product may not.
    for (field, spoil) in [
        ("pictures[0].alt", (|c| c["pictures"][0]["alt"] = json!("")) as Spoil),
        ("pictures", |c| {
            c["pictures"] = json!([]);
            c["variants"][0]["picture"] = json!(null);
        }),
        ("variants", |c| c["variants"] = json!([])),
    ] {
        let mut content = rack.clone();
        spoil(&mut content);
        content["status"] = json!("active");
        let answer = desk.try_create(&content).await;
        assert!(answer.json()["errors"][field].is_array(), "{field}: {}", answer.text());
    }
    let mut taken = rack.clone();
    taken["variants"][0]["sku"] = json!("TWT-SIN");
    let message = desk.try_create(&taken).await.json()["errors"]["variants[0].sku"][0].clone();
    assert!(message.as_str().unwrap().contains("belongs to “"), "{message}");
    assert_eq!(desk.audited().await, [""; 0]);
}

pub async fn variants_come_and_go(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut content = desk.rack().await;
    content["status"] = json!("active");
    let made = desk.create(&content).await;
    let light = made["content"]["variants"][1]["id"].as_str().unwrap().to_owned();
    let dark = made["content"]["variants"][0]["id"].as_str().unwrap().to_owned();

    // One option is renamed and another one added; variants keep their ids, swap their SKUs, and a new one is added.
    let wide = desk
        .save(&made, |content| {
            content["options"][0]["name"] = json!("Shade");
            content["options"].as_array_mut().unwrap().push(json!({
                "name": "Size", "values": [{ "value": "Six", "hex": null }, { "value": "Ten", "hex": null }],
            }));
            let variants = content["variants"].as_array_mut().unwrap();
            variants[0]["options"] = json!(["Dark", "Six"]);
            variants[1]["options"] = json!(["Light", "Six"]);
            variants[0]["sku"] = json!("RACK-L");
            variants[1]["sku"] = json!("RACK-D");
            variants.push(json!({ "id": null, "sku": "RACK-D10", "options": ["Dark", "Ten"], "price": 6900,
                "compare_at_price": null, "weight_grams": 1200, "picture": null, "on_hand": 3 }));
        })
        .await;
    let variants = wide["content"]["variants"].clone();
    assert_eq!((variants[0]["id"].as_str(), variants[0]["sku"].as_str()), (Some(dark.as_str()), Some("RACK-L")));
    assert_eq!(variants[2]["options"], json!(["Dark", "Ten"]));
    let page = desk.shop.get("/product/walnut-pipe-rack").await.envelope()["props"].clone();
    assert_eq!(page["options"][0]["name"], "Shade");
    assert_eq!(page["variants"][1]["options"], json!(["Light", "Six"]));

    // A shopper has one in the cart; the other one was never sold and is in no cart, and its stock was only counted as zero.
    let shopper = desk.shop.sign_in("shopper", &[]).await;
    let item = json!({ "items": [{ "id": dark, "qty": 1, "price": 4900 }] });
    desk.shop.call("POST", "/api/cart/sync", &shopper, item).await.assert_status(200);
    let less = desk.save(&wide, |content| content["variants"].as_array_mut().unwrap().drain(0..2).for_each(drop)).await;
    assert_eq!(less["content"]["variants"].as_array().unwrap().len(), 1);
    let archived = "SELECT COUNT(*) FROM product_variants WHERE archived_at IS NOT NULL";
    assert_eq!(desk.count(archived).await, 1, "the one in the cart is kept");
    let cart = desk.shop.call("GET", "/api/cart", &shopper, Value::Null).await.json();
    assert_eq!(
        (cart["items"].as_array().unwrap().len(), cart["changes"][0]["kind"].as_str()),
        (0, Some("unavailable"))
    );
    let page = desk.shop.get("/product/walnut-pipe-rack").await.envelope()["props"].clone();
    assert_eq!(page["variants"].as_array().unwrap().len(), 1);
    assert_eq!(desk.count("SELECT COUNT(*) FROM product_variants WHERE sku = 'RACK-D'").await, 0, "{light} is gone");

    // A variant that is created again with its SKU is the same one, with its stock.
    let again = desk
        .save(&less, |content| {
            content["variants"].as_array_mut().unwrap().push(json!({ "id": null, "sku": "RACK-L",
                "options": ["Dark", "Six"], "price": 4800, "compare_at_price": null, "weight_grams": 800,
                "picture": null, "on_hand": null }));
        })
        .await;
    assert_eq!(again["content"]["variants"][1]["id"], dark.as_str());
    assert_eq!(again["stock"][1]["on_hand"], 7);
    let cart = desk.shop.call("GET", "/api/cart", &shopper, Value::Null).await.json();
    assert_eq!(cart["items"].as_array().unwrap().len(), 1);

    // Unless it is added again with another one, which is not below what orders have reserved.
    let without = desk.save(&again, |content| drop(content["variants"].as_array_mut().unwrap().pop())).await;
    let mut tx = desk.shop.app.db.begin().await.unwrap();
    const RESERVE: &str = "UPDATE stock_levels SET reserved = 2 WHERE on_hand = 7
        AND variant_id = (SELECT id FROM product_variants WHERE sku = 'RACK-L')";
    shop_base::sql!(&mut tx.conn(), c => sqlx::query(RESERVE).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    let add = |on_hand: i64| {
        let mut variant = again["content"]["variants"][1].clone();
        variant["id"] = json!(null);
        variant["on_hand"] = json!(on_hand);
        move |content: &mut Value| content["variants"].as_array_mut().unwrap().push(variant)
    };
    let refused = desk.try_save(&without, add(1)).await;
    refused.assert_problem(422, "invalid");
    let why = refused.json()["errors"]["variants[1].on_hand"][0].clone();
    assert!(why.as_str().is_some_and(|why| why.contains("less than what’s sold and reserved")), "{why}");
    let counted = desk.save(&without, add(3)).await;
    assert_eq!((&counted["content"]["variants"][1]["id"], &counted["stock"][1]["on_hand"]), (&json!(dark), &json!(3)));
    let moved = "SELECT CAST(SUM(quantity) AS BIGINT) FROM stock_movements
        WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'RACK-L')";
    assert_eq!(desk.count(moved).await, 3);
    assert_eq!(desk.audited().await.last().map(String::as_str), Some("stock.adjust"));
}

pub async fn a_draft_publishes_itself_on_every_node(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut content = desk.rack().await;
    content["publish_at"] = json!(desk.shop.app.clock.now_ms() + HOUR_MS);
    let made = desk.create(&content).await;
    assert_eq!(made["content"]["publish_at"], content["publish_at"]);
    let other = match desk.shop.database {
        Database::Postgres => Some(desk.shop.another_node().await),
        Database::Sqlite => None,
    };
    desk.shop.clock.advance(HOUR_MS - 1);
    while run_due(&desk.shop.app.worker()).await.unwrap() > 0 {}
    desk.shop.get("/product/walnut-pipe-rack").await.assert_status(404);
    let heard = other.as_ref().map(|node| {
        let app = node.app.clone();
        tokio::spawn(async move { app.parts.catalog.follow().await })
    });
    let telling = desk.shop.app.clone();
    let telling = tokio::spawn(async move { telling.parts.catalog.follow().await });
    desk.shop.clock.advance(1);
    // Another node could take the job; here this one does.
    while run_due(&desk.shop.app.worker()).await.unwrap() > 0 {}
    desk.shop.get("/product/walnut-pipe-rack").await.assert_status(200);
    if let Some(node) = other {
        let listed =
            || node.app.parts.catalog.listing().listed().any(|each| each.card.href == "/product/walnut-pipe-rack");
        let wait = async {
            while !listed() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(20), wait).await.expect("the other node lists it");
    }
    telling.abort();
    heard.into_iter().for_each(|task| task.abort());
    let view = desk.call("GET", &format!("products/{}", made["id"].as_str().unwrap()), Value::Null).await.json();
    assert_eq!((view["content"]["status"].as_str(), view["version"].as_i64()), (Some("active"), Some(2)));
    assert_eq!(desk.audited().await, ["product.create", "product.publish"]);
    desk.try_save(&made, |content| content["title"] = json!("Late")).await.assert_problem(409, "changed_meanwhile");
}

pub async fn a_copy_is_a_draft_of_its_own(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let made = desk.create(&desk.rack().await).await;
    let path = format!("products/{}/duplicate", made["id"].as_str().unwrap());
    let mut copies = Vec::new();
    for (handle, sku) in [("walnut-pipe-rack-copy", "RACK-D-COPY"), ("walnut-pipe-rack-copy-2", "RACK-D-COPY2")] {
        let copy = desk.call("POST", &path, Value::Null).await;
        copy.assert_status(201);
        let copy = copy.json();
        assert_eq!(
            (copy["content"]["handle"].as_str(), copy["content"]["status"].as_str()),
            (Some(handle), Some("draft"))
        );
        assert_eq!(copy["content"]["variants"][0]["sku"], sku);
        assert_eq!(
            (copy["stock"][0]["on_hand"].as_i64(), copy["content"]["pictures"].clone()),
            (Some(0), made["content"]["pictures"].clone())
        );
        copies.push(copy);
    }
    // A number is free only if both the handle and the skus are.
    desk.save(&copies[0], |content| content["handle"] = json!("another-rack")).await;
    let copy = desk.call("POST", &path, Value::Null).await.assert_status(201).json();
    assert_eq!(copy["content"]["handle"], "walnut-pipe-rack-copy-3");

    let start = "A".repeat(45);
    let long = desk
        .save(&copies[1], |content| {
            content["handle"] = json!(format!("{}-rack", "r".repeat(79)));
            content["variants"][0]["sku"] = json!(format!("{start}-D"));
            content["variants"][1]["sku"] = json!(format!("{start}-L"));
        })
        .await;
    let path = format!("products/{}/duplicate", long["id"].as_str().unwrap());
    let copy = desk.call("POST", &path, Value::Null).await.assert_status(201).json();
    assert_eq!(copy["content"]["handle"], format!("{}-copy", "r".repeat(79)));
    let skus = [0, 1].map(|at| copy["content"]["variants"][at]["sku"].as_str().unwrap().to_owned());
    assert_eq!(skus, [1, 2].map(|position| format!("{}-{position}-COPY", &start[..40])));
}

pub async fn a_copy_that_is_asked_for_again_is_created_once(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let made = desk.create(&desk.rack().await).await;
    let path = format!("products/{}/duplicate?id=", made["id"].as_str().unwrap());
    let (id, other_id) = (Uuid::now_v7(), Uuid::now_v7());
    let ask = async |id: Uuid| desk.call("POST", &format!("{path}{id}"), Value::Null).await.assert_status(201).json();
    let (one, same) = tokio::join!(ask(id), ask(id));
    let renamed = desk.save(&one, |content| content["title"] = json!("Rack of oak")).await;
    let again = ask(id).await;
    assert_eq!((&one["id"], &same["id"], &again["id"]), (&json!(id), &json!(id), &json!(id)));
    assert_eq!(again["content"], renamed["content"], "what has become of it is not undone");
    assert_eq!(ask(other_id).await["content"]["handle"], "walnut-pipe-rack-copy-2");
    assert_eq!(desk.count("SELECT COUNT(*) FROM products WHERE handle LIKE 'walnut-pipe-rack-copy%'").await, 2);
    desk.call("POST", &format!("{path}none"), Value::Null).await.assert_problem(422, "invalid");
}
