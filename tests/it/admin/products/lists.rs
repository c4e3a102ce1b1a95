//! The list of products, bulk changes, categories and collections.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use shop::registry::fill_search_terms;
use shop_domain::catalog::editing::service::index;
use shop_platform::jobs::model::payload;
use shop_platform::staff_search::jobs::FillSearchTerms;
use shop_platform::staff_search::model::Kind;

use super::desk::Desk;
use super::imports::{boards, execute};
use crate::support::{Answer, OnPostgres, TestShop, payload_of, rounds, statements, until};

impl Desk {
    /// The props of a page in the admin area.
    pub async fn page(&self, path: &str) -> Value {
        let answer = self.shop.call("GET", &format!("{path}/_payload.json"), &self.cookie().await, Value::Null).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()["props"].clone()
    }

    async fn list(&self, query: &str) -> Value {
        let path = format!("/admin/products/_payload.json?{query}");
        let answer = self.shop.call("GET", &path, &self.cookie().await, Value::Null).await;
        answer.assert_status(200);
        answer.json()["props"].clone()
    }

    /// What shoppers see in a list once it has followed all changes.
    async fn shelf(&self, address: &str) -> Value {
        self.catalog().refresh().await.unwrap();
        self.shop.get(&payload_of(address)).await.assert_status(200).json()["props"].clone()
    }
}

fn titles(list: &Value) -> Vec<&str> {
    list["products"].as_array().unwrap().iter().map(|product| product["title"].as_str().unwrap()).collect()
}

pub async fn staff_find_sort_and_filter_products(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let everything = desk.count("SELECT COUNT(*) FROM products").await;
    desk.create(&desk.rack().await).await;
    // Products that are older than the search are indexed by a job at startup.
    let job = payload(&FillSearchTerms { kind: Kind::Product }).unwrap();
    assert!(desk.shop.app.worker().registry.list_at_start().unwrap().iter().any(|(_, added)| *added == job));
    fill_search_terms(&desk.shop.app, Kind::Product).await.unwrap();
    let all = desk.list("sort=title").await;
    assert_eq!(all["list"]["total"], everything + 1);
    let found = desk.list("q=waln+RACK-D").await;
    assert_eq!(titles(&found), ["Walnut pipe rack"]);
    let rack = &found["products"][0];
    assert_eq!((rack["lowest"]["amount"].as_i64(), rack["highest"]["amount"].as_i64()), (Some(4900), Some(5200)));
    assert_eq!(
        (rack["on_hand"].as_i64(), rack["skus"].as_i64(), rack["status"].as_str()),
        (Some(7), Some(2), Some("draft"))
    );
    assert_eq!(titles(&desk.list("status=draft").await), ["Walnut pipe rack"]);
    assert_eq!(desk.list("status=active").await["list"]["total"], everything);
    let class = desk.list("class=general_merchandise&status=draft").await;
    assert_eq!(class["list"]["total"], 1);
    let category = rack["category"].as_str().unwrap();
    let of_category =
        all["categories"].as_array().unwrap().iter().find(|each| each["label"].as_str().unwrap().ends_with(category));
    let id = of_category.unwrap()["value"].as_str().unwrap().to_owned();
    assert!(titles(&desk.list(&format!("category={id}&sort=title")).await).contains(&"Walnut pipe rack"));
    assert_eq!(desk.list("stock=out_of_stock&status=draft").await["list"]["total"], 0);
    assert_eq!(desk.list("stock=low_stock&status=draft").await["list"]["total"], 1);
    assert_eq!(desk.list("stock=in_stock&status=draft").await["list"]["total"], 1);
    // Across all pages each product appears once, in every sort order.
    for sort in ["title", "-title", "updated", "-updated"] {
        let (mut query, mut seen) = (format!("sort={sort}"), Vec::new());
        loop {
            let page = desk.list(&query).await;
            seen.extend(page["products"].as_array().unwrap().iter().map(|each| each["id"].to_string()));
            match page["list"]["next"].as_str() {
                Some(next) => query = next.split_once('?').unwrap().1.to_owned(),
                None => break,
            }
        }
        let all = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!((all as i64, seen.len()), (everything + 1, all), "{sort}");
    }
}

pub async fn the_list_reads_pictures_with_its_products(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let rack = desk.rack().await;
    desk.create(&rack).await;
    let mut bare = rack.clone();
    (bare["title"], bare["handle"], bare["pictures"]) = (json!("Bare pipe rack"), json!("bare-pipe-rack"), json!([]));
    for (at, sku) in ["BARE-D", "BARE-L"].into_iter().enumerate() {
        bare["variants"][at]["sku"] = json!(sku);
        bare["variants"][at]["picture"] = Value::Null;
    }
    desk.create(&bare).await;
    let (path, cookie) = ("/admin/products/_payload.json?status=draft&sort=title", desk.cookie().await);
    let (answer, ran) = statements::of(desk.shop.call("GET", path, &cookie, Value::Null)).await;
    let props = answer.assert_status(200).json()["props"].clone();
    assert_eq!(titles(&props), ["Bare pipe rack", "Walnut pipe rack"]);
    let pictures = [0_usize, 1].map(|at| props["products"][at]["picture"].clone());
    assert_eq!(pictures, [Value::Null, rack["pictures"][0]["key"].clone()]);
    // Of products with their pictures, of figures, and of classes to choose from.
    let own = ran.iter().filter(|place| place.contains("admin/products/queries.rs")).count();
    assert_eq!(own, 3, "{ran:#?}");
}

pub async fn a_product_is_found_by_each_of_its_skus(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut rack = desk.rack().await;
    let values =
        |count: usize| (0..count).map(|at| json!({ "value": at.to_string(), "hex": null })).collect::<Vec<Value>>();
    rack["options"] = json!([{ "name": "Length", "values": values(25) }, { "name": "Width", "values": values(10) }]);
    let variants: Vec<Value> = (0..250)
        .map(|at| {
            let mut variant = rack["variants"][0].clone();
            variant["sku"] = json!(format!("{}", 100_001 + at));
            variant["options"] = json!([format!("{}", at / 10), format!("{}", at % 10)]);
            variant
        })
        .collect();
    rack["variants"] = json!(variants);
    desk.create(&rack).await;
    let found = async || titles(&desk.list("q=100250").await).len();
    assert_eq!(found().await, 1);

    // A former release has looked at all products, and stored no more than 200 words of each.
    execute(
        &desk,
        "DELETE FROM search_terms WHERE subject_id = (SELECT id FROM products WHERE handle = 'walnut-pipe-rack')
            AND term NOT IN (SELECT t.term FROM search_terms t JOIN products p ON p.id = t.subject_id
                WHERE p.handle = 'walnut-pipe-rack' ORDER BY t.term LIMIT 200)",
    )
    .await;
    execute(
        &desk,
        "INSERT INTO search_term_fills (kind, after_id, is_done)
            SELECT 'product', id, TRUE FROM products ORDER BY id DESC LIMIT 1",
    )
    .await;
    assert_eq!(found().await, 0);
    fill_search_terms(&desk.shop.app, Kind::Product).await.unwrap();
    assert_eq!(found().await, 1);
}

pub async fn many_products_change_as_was_told_or_not_at_all(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let made = desk.create(&desk.rack().await).await;
    let id = made["id"].clone();
    let other = desk.id("SELECT id FROM products WHERE status = 'active' ORDER BY handle LIMIT 1").await;
    let ask = async |change: Value, asked: Value| {
        let mut body = asked;
        body["change"] = change;
        desk.call("POST", "products/bulk/preview", body).await
    };
    let price = json!({ "kind": "price", "percent": 1000, "amount": -50, "rounding": "99" });
    let told = ask(price.clone(), json!({ "ids": [id, other] })).await;
    let effects = told.json();
    let of_rack = effects.as_array().unwrap().iter().find(|each| each["id"] == id).unwrap().clone();
    assert_eq!(of_rack["what"], json!(["RACK-D: price $49.00 → $52.99", "RACK-L: price $52.00 → $56.99"]));
    assert_eq!(of_rack["problem"], "");
    let items: Vec<Value> = effects
        .as_array()
        .unwrap()
        .iter()
        .map(|each| json!({ "id": each["id"], "version": each["version"] }))
        .collect();
    // After a concurrent change, none of them is changed.
    let newer = desk.save(&made, |content| content["title"] = json!("Walnut rack")).await;
    let order = json!({ "change": price, "items": items });
    let refused = desk.call("POST", "products/bulk", order).await;
    let detail = refused.assert_problem(409, "changed_meanwhile").json()["detail"].clone();
    assert!(detail.as_str().unwrap().contains("an earlier try of yours"), "who lost an answer is told: {detail}");
    assert_eq!(desk.audited().await, ["product.create", "product.update"]);
    let items = json!([{ "id": id, "version": newer["version"] }, items.iter().find(|item| item["id"] != id).unwrap()]);
    let done = desk.call("POST", "products/bulk", json!({ "change": price, "items": items })).await;
    assert_eq!(done.json(), json!({ "changed": 2 }), "{}", done.text());
    let path = format!("products/{}", id.as_str().unwrap());
    let now = desk.call("GET", &path, Value::Null).await.json();
    assert_eq!(now["content"]["variants"][0]["price"], 5299);

    // One invalid product blocks the change of all.
    let draft = desk
        .create(&{
            let mut content = desk.rack().await;
            content["handle"] = json!("bare");
            content["variants"] = json!([]);
            content["options"] = json!([]);
            content["pictures"] = json!([]);
            content
        })
        .await;
    let told = ask(json!({ "kind": "publish" }), json!({ "ids": [id, draft["id"]] })).await.json();
    let bare = told.as_array().unwrap().iter().find(|each| each["id"] == draft["id"]).unwrap();
    assert!(bare["problem"].as_str().unwrap().contains("Add an image"));
    let items = json!([{ "id": id, "version": now["version"] }, { "id": draft["id"], "version": 1 }]);
    let refused = desk.call("POST", "products/bulk", json!({ "change": { "kind": "publish" }, "items": items })).await;
    refused.assert_problem(422, "invalid");
    desk.shop.get("/product/walnut-pipe-rack").await.assert_status(404);
    // All products that match a query.
    let told = ask(json!({ "kind": "archive" }), json!({ "query": "status=draft" })).await.json();
    assert_eq!(told.as_array().unwrap().len(), 2);
    assert_eq!(told[0]["what"], json!(["status draft → archived"]));
    ask(json!({ "kind": "archive" }), json!({ "ids": [] })).await.assert_problem(422, "invalid");
}

pub async fn a_bulk_change_is_of_few_variants(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let view = desk.read_file(boards(&desk, 11).await).await;
    assert_eq!(desk.finish(&view, "apply").await["products"]["applied"], 11);
    let change = json!({ "kind": "price", "percent": 1000, "amount": 0, "rounding": "cent" });
    let drafts = json!({ "change": change, "query": "status=draft" });
    let too_many = desk.call("POST", "products/bulk/preview", drafts).await.assert_problem(422, "invalid").json();
    assert!(too_many["errors"]["ids"].is_array(), "{too_many}");
    let list = desk.list("status=draft").await;
    let item = |product: &Value| json!({ "id": product["id"], "version": 1 });
    let mut items: Vec<Value> = list["products"].as_array().unwrap().iter().map(item).collect();
    assert_eq!(items.len(), 11);
    let all = json!({ "change": change, "items": items });
    desk.call("POST", "products/bulk", all).await.assert_problem(422, "invalid");
    const CHANGED: &str = "SELECT COUNT(*) FROM product_variants WHERE sku LIKE 'BOARD-%' AND price = 1045";
    assert_eq!(desk.count(CHANGED).await, 0);
    items.pop();
    let done = desk.call("POST", "products/bulk", json!({ "change": change, "items": items })).await;
    assert_eq!(done.assert_status(200).json()["changed"], 10);
    assert_eq!(desk.count(CHANGED).await, 2_500);
}

pub async fn categories_and_collections_are_kept(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let form = |name: &str, slug: &str, version: i64, parent: Value| json!({ "version": version, "name": name, "slug": slug, "description": "", "parent_id": parent, "place": 0 });
    let top = desk.call("POST", "categories", form("Lamps", "lamps", 0, Value::Null)).await;
    top.assert_status(201);
    let top = top.json()["id"].clone();
    let mut unreadable = form("Wicks", "wicks", 0, Value::Null);
    unreadable["description"] = json!("Cotton\n\0");
    let refused = desk.call("POST", "categories", unreadable).await;
    assert_eq!(refused.json()["errors"]["description"][0], "Remove control characters.");
    // Sent again, because the answer was lost. What shows nothing makes no difference.
    let again = desk.call("POST", "categories", form(" Lamps\u{200b}", "lamps", 0, Value::Null)).await;
    assert_eq!(again.assert_status(201).json()["id"], top);
    let other = desk.call("POST", "categories", form("Other lamps", "lamps", 0, Value::Null)).await;
    assert_eq!(other.json()["errors"]["slug"][0], "Another category already has this address.");
    let child =
        desk.call("POST", "categories", form("Oil lamps", "oil-lamps", 0, top.clone())).await.json()["id"].clone();
    let (top_path, child_path) =
        (format!("categories/{}", top.as_str().unwrap()), format!("categories/{}", child.as_str().unwrap()));
    desk.catalog().refresh().await.unwrap();
    desk.shop.get("/category/lamps").await.assert_status(200);
    // Nothing is in it yet, so it shows what others buy.
    assert_eq!(desk.shelf("/category/lamps").await["popular"].as_array().unwrap().len(), 6);
    let sitemap = desk.shop.get("/sitemap.xml").await;
    assert!(sitemap.text().contains("/category/pipes<") && !sitemap.text().contains("/category/lamps<"));
    // A new slug with a redirect from the old one; no cycles; no slug that is taken.
    desk.call("PUT", &top_path, form("Lamps", "light", 1, Value::Null)).await.assert_status(200);
    desk.call("PUT", &top_path, form("Lamps", "lights", 1, Value::Null)).await.assert_problem(409, "changed_meanwhile");
    for (form, field) in [
        (form("Lamps", "light", 2, child.clone()), "parent_id"),
        (form("Lamps", "oil-lamps", 2, Value::Null), "slug"),
        (form("", "light", 2, Value::Null), "name"),
        (form("\u{200b} \u{2060}", "light", 2, Value::Null), "name"),
    ] {
        let refused = desk.call("PUT", &top_path, form).await;
        assert!(refused.json()["errors"][field].is_array(), "{field}: {}", refused.text());
    }
    let taken = desk.call("POST", "categories", form("Other", "lamps", 0, Value::Null)).await;
    assert!(taken.json()["errors"]["slug"][0].as_str().unwrap().contains("lead to another category"));
    desk.catalog().refresh().await.unwrap();
    let moved = desk.shop.get("/category/lamps?sort=price").await;
    moved.assert_status(301);
    assert_eq!(moved.header("location"), "/category/light?sort=price");
    // A category with products cannot be deleted; links to a deleted empty one redirect to its parent.
    desk.call("DELETE", &format!("{top_path}?version=2"), Value::Null).await.assert_problem(409, "not_empty");
    // Twice, as if the answer was lost.
    for _ in 0..2 {
        desk.call("DELETE", &format!("{child_path}?version=1"), Value::Null).await.assert_status(204);
    }
    desk.catalog().refresh().await.unwrap();
    assert_eq!(desk.shop.get("/category/oil-lamps").await.header("location"), "/category/light");
    let page = desk.page("/admin/products/groups").await;
    let categories = page["categories"].as_array().unwrap();
    let at = categories.iter().position(|each| each["form"]["slug"] == "pipes").unwrap();
    let below = categories[at + 1..].iter().take_while(|each| each["depth"].as_i64() > Some(0));
    let goods: i64 =
        below.filter(|each| each["depth"] == json!(1)).map(|each| each["products"].as_i64().unwrap()).sum();
    assert!(goods > 0 && categories[at]["products"] == json!(goods), "a department has what is below it");
    let first = &page["categories"][0];
    assert_eq!((first["form"]["slug"].as_str(), first["place"].as_i64()), (Some("light"), Some(0)), "it was put first");

    let rack = desk.create(&desk.rack().await).await;
    let other = desk.id("SELECT id FROM products WHERE status = 'active' ORDER BY handle LIMIT 1").await;
    let collection = |version: i64, products: Value| json!({ "version": version, "title": "Gifts for him", "handle": "gifts-for-him", "description": "", "place": 0, "products": products });
    let made = desk.call("POST", "collections", collection(0, json!([other, rack["id"], other]))).await;
    made.assert_status(201);
    let titled = |title: &str| {
        let mut form = collection(0, json!([other, rack["id"]]));
        form["title"] = json!(title);
        form
    };
    let again = desk.call("POST", "collections", titled("Gifts\u{ad} for him\u{200b}")).await;
    assert_eq!(again.assert_status(201).json()["id"], made.json()["id"], "it was sent again");
    let unseen = desk.call("POST", "collections", titled("\u{200b} \u{2060}")).await.assert_status(422).json();
    assert!(unseen["errors"]["title"].is_array(), "{unseen}");
    let fewer = desk.call("POST", "collections", collection(0, json!([other]))).await;
    assert_eq!(fewer.json()["errors"]["handle"][0], "Another collection already has this handle.");
    let path = format!("collections/{}", made.json()["id"].as_str().unwrap());
    desk.call("PUT", &path, collection(1, json!([rack["id"], other]))).await.assert_status(200);
    desk.call("PUT", &path, collection(1, json!([]))).await.assert_problem(409, "changed_meanwhile");
    let stored = desk.call("GET", &path, Value::Null).await.assert_status(200).json();
    assert_eq!(stored["form"]["products"], json!([rack["id"], other]));
    assert_eq!(stored["titles"][0], "Walnut pipe rack");
    // The editor was opened before the collection was changed; it must not undo that.
    desk.try_save(&rack, |content| content["title"] = json!("Rack")).await.assert_problem(409, "changed_meanwhile");
    let rack_path = format!("products/{}", rack["id"].as_str().unwrap());
    let member = desk.call("GET", &rack_path, Value::Null).await.json();
    for _ in 0..2 {
        desk.call("DELETE", &format!("{path}?version=2"), Value::Null).await.assert_status(204);
    }
    // An editor that was opened before still has the collection; it is to merge with what is stored.
    assert_eq!(member["content"]["collections"], json!([made.json()["id"]]));
    desk.try_save(&member, |content| content["title"] = json!("Rack")).await.assert_problem(409, "changed_meanwhile");
    let rack = desk.call("GET", &rack_path, Value::Null).await.json();
    assert_eq!(rack["content"]["collections"], json!([]));
    let expected = [
        "category.create",
        "category.create",
        "category.update",
        "category.delete",
        "product.create",
        "collection.create",
        "collection.update",
        "collection.delete",
    ];
    assert_eq!(desk.audited().await, expected);
}

pub async fn a_category_that_no_list_has_yet_is_asked_for_again(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let form = |slug: &str, version: i64| json!({ "version": version, "name": "Lamps", "slug": slug, "description": "", "parent_id": null, "place": null });
    let made = desk.call("POST", "categories", form("lamps", 0)).await.assert_status(201).json();
    let path = format!("categories/{}", made["id"].as_str().unwrap());
    // Until the lists are loaded again, a node has no page to show.
    let is_awaited = async |slug: &str| {
        for end in ["", "/_payload.json"] {
            let answer = desk.shop.get(&format!("/category/{slug}{end}")).await;
            assert_eq!(answer.assert_status(503).header("retry-after"), "5", "{slug}{end}");
        }
        desk.catalog().refresh().await.unwrap();
        desk.shop.get(&format!("/category/{slug}")).await.assert_status(200);
    };
    is_awaited("lamps").await;
    desk.call("PUT", &path, form("lanterns", 1)).await.assert_status(200);
    is_awaited("lanterns").await;
    assert_eq!(desk.shop.get("/category/lamps").await.assert_status(301).header("location"), "/category/lanterns");
}

pub async fn a_category_takes_the_address_of_a_deleted_one(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let form = |slug: &str, version: i64| json!({ "version": version, "name": "Lamps", "slug": slug, "description": "", "parent_id": null, "place": null });
    let make = async |slug: &str| {
        let made = desk.call("POST", "categories", form(slug, 0)).await.assert_status(201).json();
        format!("categories/{}", made["id"].as_str().unwrap())
    };
    let deleted = make("lamps").await;
    desk.call("DELETE", &format!("{deleted}?version=1"), Value::Null).await.assert_status(204);
    desk.catalog().refresh().await.unwrap();
    desk.shop.get("/category/lamps").await.assert_status(410);
    let other = make("lanterns").await;
    desk.call("PUT", &other, form("lamps", 1)).await.assert_status(200);
    desk.catalog().refresh().await.unwrap();
    desk.shop.get("/category/lamps").await.assert_status(200);
    assert_eq!(desk.shop.get("/category/lanterns").await.assert_status(301).header("location"), "/category/lamps");

    // A subcategory's address leads to its parent, below which it can be used again.
    let parent = other.split('/').next_back().unwrap();
    let below = |parent: Value| {
        let mut form = form("oil-lamps", 0);
        form["parent_id"] = parent;
        form
    };
    for _ in 0..2 {
        let made = desk.call("POST", "categories", below(json!(parent))).await.assert_status(201).json();
        desk.catalog().refresh().await.unwrap();
        desk.shop.get("/category/oil-lamps").await.assert_status(200);
        let path = format!("categories/{}?version=1", made["id"].as_str().unwrap());
        desk.call("DELETE", &path, Value::Null).await.assert_status(204);
        desk.catalog().refresh().await.unwrap();
        let moved = desk.shop.get("/category/oil-lamps").await;
        assert_eq!(moved.assert_status(301).header("location"), "/category/lamps");
    }
    // The parent's own former address is no subcategory's.
    let mut own = below(json!(parent));
    own["slug"] = json!("lanterns");
    for form in [below(Value::Null), own] {
        let refused = desk.call("POST", "categories", form).await.assert_status(422).json();
        assert_eq!(refused["errors"]["slug"], json!(["Links to this address lead to another category."]));
    }

    // When that is deleted, too, its addresses are free; of a former release some still lead to it.
    desk.call("DELETE", &format!("{other}?version=2"), Value::Null).await.assert_status(204);
    execute(&desk, "INSERT INTO retired_paths (path, target) VALUES ('/category/gas-lamps', '/category/lamps')").await;
    desk.catalog().refresh().await.unwrap();
    for gone in ["lamps", "lanterns", "oil-lamps"] {
        desk.shop.get(&format!("/category/{gone}")).await.assert_status(410);
    }
    for slug in ["oil-lamps", "gas-lamps"] {
        make(slug).await;
        desk.catalog().refresh().await.unwrap();
        desk.shop.get(&format!("/category/{slug}")).await.assert_status(200);
    }
}

pub async fn what_is_saved_stays_where_others_have_put_it(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let shown = async |kind: &str| {
        let page = desk.page("/admin/products/groups").await;
        let items = page[kind].as_array().unwrap().iter();
        items.filter(|item| item["depth"].as_i64().unwrap_or(0) == 0).cloned().collect::<Vec<Value>>()
    };
    let ids = |items: &[Value]| items.iter().map(|item| item["id"].clone()).collect::<Vec<Value>>();
    for kind in ["categories", "collections"] {
        let opened = shown(kind).await;
        assert!(opened.len() > 2, "{opened:?}");
        let path = |at: usize| format!("{kind}/{}", opened[at]["id"].as_str().unwrap());
        // What is saved without a change is none.
        let audited = desk.audited().await;
        let mut unchanged = vec![opened[1]["form"].clone()];
        if kind == "collections" {
            let whole = desk.call("GET", &path(1), Value::Null).await.assert_status(200).json();
            unchanged.push(whole["form"].clone());
        }
        for mut form in unchanged {
            desk.call("PUT", &path(1), form.clone()).await.assert_status(200);
            form["place"] = json!(1);
            desk.call("PUT", &path(1), form).await.assert_status(200);
        }
        assert_eq!((shown(kind).await, desk.audited().await), (opened.clone(), audited));
        let save = async |at: usize, place: Value| {
            let mut form = opened[at]["form"].clone();
            form["place"] = place;
            form["description"] = json!("Saved");
            desk.call("PUT", &path(at), form).await.assert_status(200);
        };
        save(opened.len() - 1, json!(0)).await;
        // It was opened before the other one was moved.
        save(1, Value::Null).await;
        let mut moved = ids(&opened);
        moved.rotate_right(1);
        assert_eq!(ids(&shown(kind).await), moved, "{kind}");
        // Sent again because its answer was lost, it is what is stored.
        let audited = desk.audited().await;
        save(1, Value::Null).await;
        assert_eq!(desk.audited().await, audited, "{kind}");
    }
}

/// Deletes a category while somebody else writes into it, who waits.
async fn delete_meanwhile(desk: &Desk, slug: &str, writing: impl Future<Output = Answer>) -> Answer {
    const DELETE: &str = "DELETE FROM categories WHERE slug = $1";
    let mut deleting = desk.shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut deleting.conn(), c => sqlx::query(DELETE).bind(slug).execute(c).await.map(drop)).unwrap();
    let (answer, ()) = tokio::join!(writing, async {
        until("the other one waits", async || desk.count(WAITING).await > 0).await;
        deleting.commit().await.unwrap();
    });
    answer
}

const WAITING: &str =
    "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/// SQLite has only one writer.
pub async fn a_category_is_not_deleted_under_a_product(OnPostgres(shop): OnPostgres) {
    let desk = Desk::start(&shop).await;
    let category = async |slug: &str| {
        let form =
            json!({ "version": 0, "name": slug, "slug": slug, "description": "", "parent_id": null, "place": null });
        desk.call("POST", "categories", form).await.assert_status(201).json()["id"].clone()
    };
    let rack = desk.rack().await;
    let mut lamp = rack.clone();
    lamp["category_id"] = category("lamps").await;
    let refused = delete_meanwhile(&desk, "lamps", desk.try_create(&lamp)).await;
    refused.assert_problem(422, "invalid");
    assert!(refused.json()["errors"]["category_id"].is_array(), "{}", refused.text());

    let made = desk.create(&rack).await;
    let change = json!({ "kind": "category", "category_id": category("lanterns").await });
    let many = json!({ "change": change, "items": [{ "id": made["id"], "version": 1 }] });
    let refused = delete_meanwhile(&desk, "lanterns", desk.call("POST", "products/bulk", many)).await;
    refused.assert_problem(422, "invalid");
    assert!(refused.json()["errors"]["items"].is_array(), "{}", refused.text());

    // Here the product is first.
    let candles = category("candles").await;
    let mut saving = desk.shop.app.db.begin().await.unwrap();
    const SAVE: &str = "UPDATE products SET category_id = (SELECT id FROM categories WHERE slug = 'candles')
        WHERE handle = 'walnut-pipe-rack'";
    shop_base::sql!(&mut saving.conn(), c => sqlx::query(SAVE).execute(c).await.map(drop)).unwrap();
    let path = format!("categories/{}?version=1", candles.as_str().unwrap());
    let (kept, ()) = tokio::join!(desk.call("DELETE", &path, Value::Null), async {
        until("the deletion waits", async || desk.count(WAITING).await > 0).await;
        saving.commit().await.unwrap();
    });
    kept.assert_problem(409, "not_empty");
}

/// As the job does it that fills in what a former release lacked. SQLite has only one writer.
pub async fn a_product_is_not_indexed_under_a_change(OnPostgres(shop): OnPostgres) {
    const RENAME: &str =
        "UPDATE products SET title = 'Oak pipe rack', handle = 'oak-pipe-rack' WHERE handle = 'walnut-pipe-rack'";
    let desk = Desk::start(&shop).await;
    desk.create(&desk.rack().await).await;
    let id = desk.id("SELECT id FROM products WHERE handle = 'walnut-pipe-rack'").await;
    let db = &desk.shop.app.db;
    let (mut saving, mut filling) = (db.begin().await.unwrap(), db.begin().await.unwrap());
    shop_base::sql!(&mut saving.conn(), c => sqlx::query(RENAME).execute(c).await.map(drop)).unwrap();
    index(&mut saving.conn(), id).await.unwrap();
    let mut conn = filling.conn();
    let (filled, ()) = tokio::join!(index(&mut conn, id), async {
        until("the job waits", async || desk.count(WAITING).await > 0).await;
        saving.commit().await.unwrap();
    });
    filled.unwrap();
    filling.commit().await.unwrap();
    assert_eq!(titles(&desk.list("q=oak+rack").await), ["Oak pipe rack"]);
    assert!(titles(&desk.list("q=walnut+pipe+rack").await).is_empty());
}

pub async fn a_collection_beyond_its_limit_does_not_grow(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let form = json!({ "version": 0, "title": "New arrivals", "handle": "new-arrivals", "description": "", "place": 0, "products": [] });
    let made = desk.call("POST", "collections", form).await;
    let path = format!("collections/{}", made.assert_status(201).json()["id"].as_str().unwrap());
    let category = desk.category().await;
    let mut file = String::from("Handle,Title,Category,Compliance Class,Collections\n");
    for at in 0..501 {
        file.push_str(&format!("box-{at},Box {at},{category},general_merchandise,new-arrivals\n"));
    }
    let view = desk.read_file(file).await;
    assert_eq!(desk.finish(&view, "apply").await["products"]["applied"], 501);

    let other = desk.id("SELECT id FROM products WHERE status = 'active' ORDER BY handle LIMIT 1").await;
    // The page names some of them, and its form leaves them as they are.
    let mut shown = desk.page("/admin/products/groups").await["collections"][0].clone();
    assert_eq!((&shown["products"], shown["titles"].as_array().unwrap().len()), (&json!(501), 5));
    assert!(shown["form"]["products"].is_null(), "{shown}");
    shown["form"]["title"] = json!("Latest");
    desk.call("PUT", &path, shown["form"].clone()).await.assert_status(200);
    let stored = desk.call("GET", &path, Value::Null).await.assert_status(200).json();
    let mut form = stored["form"].clone();
    assert_eq!((&form["title"], form["products"].as_array().unwrap().len()), (&json!("Latest"), 501));
    assert_eq!(stored["titles"].as_array().unwrap()[..5], shown["titles"].as_array().unwrap()[..]);
    let mut longer = form.clone();
    longer["products"].as_array_mut().unwrap().push(json!(other));
    let refused = desk.call("PUT", &path, longer).await.assert_problem(422, "invalid").json();
    assert!(refused["errors"]["products"].is_array(), "{refused}");
    // However many have joined, a request with them is read, up to its documented limit.
    for (count, status, code) in [(25_000, 422, "invalid"), (27_000, 413, "payload_too_large")] {
        let mut many = form.clone();
        many["products"] = json!(vec![other; count]);
        desk.call("PUT", &path, many).await.assert_problem(status, code);
    }
    form["products"].as_array_mut().unwrap().pop();
    desk.call("PUT", &path, form).await.assert_status(200);
}

pub async fn what_a_product_joins_or_leaves_is_not_undone_by_a_collection(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let rack = desk.create(&desk.rack().await).await;
    let form = |version: i64, products: Value| json!({ "version": version, "title": "Gifts for him", "handle": "gifts-for-him", "description": "", "place": 0, "products": products });
    let made = desk.call("POST", "collections", form(0, json!([]))).await;
    made.assert_status(201);
    let id = made.json()["id"].clone();
    let path = format!("collections/{}", id.as_str().unwrap());
    // The form was opened before the product joined, and again before it left.
    let joined = desk.save(&rack, |content| content["collections"] = json!([id])).await;
    desk.call("PUT", &path, form(1, json!([]))).await.assert_problem(409, "changed_meanwhile");
    desk.call("PUT", &path, form(2, json!([rack["id"]]))).await.assert_status(200);
    desk.save(&joined, |content| content["collections"] = json!([])).await;
    desk.call("PUT", &path, form(2, json!([rack["id"]]))).await.assert_problem(409, "changed_meanwhile");
    desk.call("PUT", &path, form(3, json!([]))).await.assert_status(200);

    // Both at once, in and out: one of them wins, and neither waits for the other forever.
    let rack_path = format!("products/{}", rack["id"].as_str().unwrap());
    for round in 0..rounds(20, 200) {
        let rack = desk.call("GET", &rack_path, Value::Null).await.json();
        let version = desk.count("SELECT version FROM collections WHERE handle = 'gifts-for-him'").await;
        let is_in = rack["content"]["collections"] == json!([id]);
        let (of_product, of_collection) =
            if is_in { (json!([]), json!([])) } else { (json!([id]), json!([rack["id"]])) };
        let product = desk.try_save(&rack, |content| content["collections"] = of_product);
        // Otherwise it would be stored already.
        let mut form = form(version, of_collection);
        form["description"] = json!(format!("Round {round}"));
        let (product, collection) = tokio::join!(product, desk.call("PUT", &path, form));
        let mut statuses = [product.status.as_u16(), collection.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{} {}", product.text(), collection.text());
        let members = "SELECT COUNT(*) FROM collection_products m JOIN collections c ON c.id = m.collection_id
            WHERE c.handle = 'gifts-for-him'";
        assert_eq!(desk.count(members).await, i64::from(!is_in));
    }

    // The same while the collection is deleted.
    let mut form = form(0, json!([rack["id"]]));
    form["handle"] = json!("gifts-for-her");
    for _ in 0..rounds(20, 200) {
        let made = desk.call("POST", "collections", form.clone()).await.assert_status(201).json();
        let path = format!("collections/{}", made["id"].as_str().unwrap());
        let (first, second) = (format!("{path}?version=1"), format!("{path}?version=2"));
        let rack = desk.call("GET", &rack_path, Value::Null).await.json();
        let product = desk.try_save(&rack, |content| content["collections"] = json!([]));
        let (product, deleted) = tokio::join!(product, desk.call("DELETE", &first, Value::Null));
        match (product.status.as_u16(), deleted.status.as_u16()) {
            (200, 409) => {
                desk.call("DELETE", &second, Value::Null).await.assert_status(204);
            }
            statuses => assert_eq!(statuses, (409, 204), "{} {}", product.text(), deleted.text()),
        }
    }
}

pub async fn a_card_has_the_colors_of_its_variants(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut rack = desk.rack().await;
    rack["status"] = json!("active");
    rack["options"][0]["values"] = json!([
        { "value": "Dark", "hex": "#3a2a20" }, { "value": "Light", "hex": "#c8a070" }, { "value": "Puce", "hex": "#722f37" },
    ]);
    let made = desk.create(&rack).await;
    let colors = async || {
        let list = desk.shelf("/products?q=walnut+pipe+rack").await;
        let card = list["items"].as_array().unwrap().iter().find(|card| card["title"] == "Walnut pipe rack");
        let colors = card.unwrap()["colors"].as_array().unwrap();
        colors.iter().map(|color| color["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(colors().await, ["Dark", "Light"]);
    desk.shop.get("/products?color=puce").await.assert_status(301);
    // Its stock has a history, so it is archived.
    desk.save(&made, |content| drop(content["variants"].as_array_mut().unwrap().remove(0))).await;
    assert_eq!(desk.count("SELECT COUNT(*) FROM product_variants WHERE archived_at IS NOT NULL").await, 1);
    assert_eq!(colors().await, ["Light"]);
}

pub async fn a_color_of_two_options_is_on_a_card_once(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut rack = desk.rack().await;
    let [dark, light] =
        [("Dark", "#3a2a20"), ("Light", "#c8a070")].map(|(value, hex)| json!({ "value": value, "hex": hex }));
    rack["status"] = json!("active");
    rack["options"] =
        json!([{ "name": "Color", "values": [dark, light] }, { "name": "Feet", "values": [light, dark] }]);
    rack["variants"][0]["options"] = json!(["Dark", "Light"]);
    rack["variants"][1]["options"] = json!(["Light", "Dark"]);
    // Of the light ones only that with light feet can be bought at a reduced price.
    rack["variants"][0]["compare_at_price"] = json!(5900);
    desk.create(&rack).await;
    let list = desk.shelf("/products?q=walnut+pipe+rack").await;
    let card = list["items"].as_array().unwrap().iter().find(|card| card["title"] == "Walnut pipe rack").unwrap();
    let color = |label: &str, hex: &str| json!({ "label": label, "hex": hex, "reduced": true });
    assert_eq!(card["colors"], json!([color("Dark", "#3a2a20"), color("Light", "#c8a070")]));
}

pub async fn each_option_of_a_facet_is_a_filter_of_its_own(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    for (number, material, color) in [(1, "", "black"), (2, "briar", "BLACK"), (3, "&", "Black")] {
        let mut rack = desk.rack().await;
        rack["status"] = json!("active");
        rack["handle"] = json!(format!("rack-{number}"));
        rack["material"] = json!(material);
        rack["options"][0]["values"] =
            json!([{ "value": color, "hex": "#000000" }, { "value": "&", "hex": "#ffffff" }]);
        for (at, value) in [color, "&"].into_iter().enumerate() {
            rack["variants"][at]["sku"] = json!(format!("RACK-{number}-{at}"));
            rack["variants"][at]["options"] = json!([value]);
        }
        desk.create(&rack).await;
    }
    let list = desk.shelf("/products").await;
    for key in ["material", "color"] {
        let facet = list["facets"].as_array().unwrap().iter().find(|facet| facet["key"] == key).unwrap();
        let options = [&facet["options"], &facet["more"]["options"]].into_iter().filter_map(Value::as_array).flatten();
        let mut hrefs = BTreeSet::new();
        for option in options {
            let (label, href) = (option["label"].as_str().unwrap(), option["href"].as_str().unwrap());
            assert!(label.contains(char::is_alphanumeric), "{key} {option}");
            assert!(hrefs.insert(href.to_owned()), "{href} is two options");
            let chosen = desk.shop.get(&payload_of(href)).await.assert_status(200).json();
            assert_eq!(chosen["props"]["total"], option["count"], "{href}");
        }
        let shared = if key == "material" { "/products?material=briar" } else { "/products?color=black" };
        assert!(hrefs.contains(shared), "{hrefs:?}");
    }
    desk.shop.get("/products?material=").await.assert_status(301);
}
