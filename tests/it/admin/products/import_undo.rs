//! An import is taken back, also in its middle, and can be made again.

use serde_json::{Value, json};

use super::desk::Desk;
use super::imports::{assert_whole, execute, file_of, racks, work_and_die};
use crate::support::TestShop;

pub async fn an_import_is_taken_back(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    racks(&desk, &["one", "two", "three"]).await;
    let before = desk.export_texts(&["one", "two", "three"]).await;
    let (key, category) = (desk.picture(8).await, desk.category().await);
    let file = format!(
        "Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty,Option1 Name,Option1 Value,Image Src,Status,Category,Compliance Class\n\
         one,First,ONE,11,9,,,,,,\ntwo,Second,TWO,12,9,,,,,,\nthree,Third,THREE,13,9,Size,S,,,,\nthree,,THREE-B,15,2,,L,,,,\n\
         new,New,NEW,5,4,Title,Default Title,{key},active,{category},general_merchandise\n"
    );
    let view = desk.read_file(file).await;
    assert_eq!(view["counts"]["errors"], 0, "{view}");
    let path = format!("products/imports/{}/undo", view["id"].as_str().unwrap());
    desk.call("POST", &path, Value::Null).await.assert_problem(409, "not_applied");
    let done = desk.finish(&view, "apply").await;
    assert_eq!(done["products"]["applied"], 4, "{done}");
    desk.shop.get("/product/new").await.assert_status(200);
    assert_eq!(desk.product("three").await["content"]["variants"].as_array().unwrap().len(), 2);
    let two = desk.product("two").await;
    desk.save(&two, |content| content["subtitle"] = json!("Changed since")).await;

    let undone = desk.finish(&view, "undo").await;
    assert_eq!(
        (undone["state"].as_str(), undone["products"]["undone"].as_i64()),
        (Some("undone"), Some(3)),
        "{undone}"
    );
    assert_eq!(undone["left_out"], json!([{ "line": 3, "handle": "two", "why": "Someone else has changed it." }]));
    let after = desk.export_texts(&["one", "two", "three"]).await;
    assert_eq!((&after[0], &after[2]), (&before[0], &before[2]));
    assert_eq!(desk.product("two").await["content"]["title"], "Second", "what was changed since stays");
    assert_eq!(desk.product("new").await["content"]["status"], "archived");
    desk.shop.get("/product/new").await.assert_status(410);
    let audited = desk.audited().await;
    let count = |action: &str| audited.iter().filter(|known| *known == action).count();
    assert_eq!((count("product.import_undo"), count("products.import_undo")), (3, 1));
    desk.call("POST", &path, Value::Null).await.assert_problem(409, "not_applied");
}

pub async fn an_import_that_is_taken_back_leaves_collections_in_order(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    racks(&desk, &["one", "two", "three"]).await;
    let mut ordered = Vec::new();
    for handle in ["three", "one", "two"] {
        ordered.push(desk.product(handle).await["id"].clone());
    }
    let form = json!({ "version": 0, "title": "Pipe racks", "handle": "pipe-racks", "description": "", "place": 0, "products": ordered });
    let made = desk.call("POST", "collections", form).await.assert_status(201).json();
    let path = format!("collections/{}", made["id"].as_str().unwrap());
    let members = async || desk.call("GET", &path, Value::Null).await.json()["form"]["products"].clone();
    let view = desk.read_file("Handle,Collections\nthree,\none,\n").await;
    assert_eq!(desk.finish(&view, "apply").await["products"]["applied"], 2, "{view}");
    assert_eq!(members().await, json!([ordered[2]]));
    assert_eq!(desk.finish(&view, "undo").await["products"]["undone"], 2);
    assert_eq!(members().await, json!(ordered));
}

pub async fn what_an_undone_import_archived_is_sold_again_by_its_file(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let (key, category) = (desk.picture(8).await, desk.category().await);
    let file = format!(
        "Handle,Title,Published,Variant SKU,Variant Price,Variant Inventory Qty,Image Src,Category,Compliance Class\n\
         new,New,TRUE,NEW,5,4,{key},{category},general_merchandise\n"
    );
    let view = desk.read_file(file.clone()).await;
    assert_eq!(desk.finish(&view, "apply").await["products"]["applied"], 1, "{view}");
    assert_eq!(desk.finish(&view, "undo").await["products"]["undone"], 1);
    assert_eq!(desk.product("new").await["content"]["status"], "archived");
    // A file that does not say whether it is sold leaves it archived.
    let silent = desk.read_file("Handle,Title\nnew,Newer\n").await;
    assert_eq!(silent["lines"][0]["note"], "It is archived. Set Status to active to sell it again.", "{silent}");
    let again = desk.read_file(file).await;
    assert_eq!(
        (&again["counts"]["changed"], &again["lines"][0]["what"]),
        (&json!(1), &json!("status archived → active")),
        "{again}"
    );
    desk.finish(&again, "apply").await;
    assert_eq!(desk.product("new").await["content"]["status"], "active");
    desk.shop.get("/product/new").await.assert_status(200);
}

pub async fn a_variant_that_is_added_again_has_the_stock_of_its_file(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    racks(&desk, &["three"]).await;
    let file = |count: &str| {
        format!(
            "Handle,Variant SKU,Variant Price,Variant Inventory Qty,Option1 Name,Option1 Value\n\
             three,THREE,13,,Size,S\nthree,THREE-B,15,{count},,L\n"
        )
    };
    let stock = async || desk.product("three").await["stock"][1]["on_hand"].as_i64();
    let wrong = desk.read_file(file("20")).await;
    desk.finish(&wrong, "apply").await;
    assert_eq!(stock().await, Some(20));
    assert_eq!(desk.finish(&wrong, "undo").await["products"]["undone"], 1);
    assert_eq!(stock().await, None);

    for (count, wanted) in [("2", 2), ("0", 0), ("", 20)] {
        let view = desk.read_file(file(count)).await;
        let done = desk.finish(&view, "apply").await;
        assert_eq!(done["products"]["applied"], 1, "{done}");
        assert_eq!(stock().await, Some(wanted), "{count}");
        // What was counted before is back when it is undone.
        assert_eq!(desk.finish(&view, "undo").await["products"]["undone"], 1);
    }
    // Of an exported file only the change counts.
    let exported = desk
        .read_file(
            "Handle,Variant SKU,Variant Price,Variant Inventory Qty,Variant Inventory Qty At Export,Option1 Name,Option1 Value\n\
             three,THREE,13,,,Size,S\nthree,THREE-B,15,22,25,,L\n",
        )
        .await;
    assert_eq!(desk.finish(&exported, "apply").await["products"]["applied"], 1, "{exported}");
    assert_eq!(stock().await, Some(17));
    assert_eq!(desk.finish(&exported, "undo").await["products"]["undone"], 1);
    let right = desk.read_file(file("2")).await;
    let lines = right["lines"].as_array().unwrap();
    assert!(lines.iter().any(|line| line["what"] == "adds THREE-B at $15.00; on hand 20 → 2"), "{right}");
    execute(&desk, "UPDATE stock_levels SET reserved = 3 WHERE on_hand = 20").await;
    let done = desk.finish(&right, "apply").await;
    assert!(done["left_out"][0]["why"].as_str().unwrap().contains("less than what’s sold"), "{done}");
    let refused = desk.read_file(file("2")).await;
    let lines = refused["lines"].as_array().unwrap();
    assert!(lines.iter().any(|line| line["what"].as_str().unwrap().contains("Reserved for orders: 3.")), "{refused}");
}

impl Desk {
    /// Contents and stock of products, without their version numbers.
    async fn export_texts(&self, handles: &[&str]) -> Vec<Value> {
        let mut found = Vec::new();
        for handle in handles {
            let product = self.product(handle).await;
            found.push(json!([product["content"], product["stock"]]));
        }
        found
    }
}

pub async fn an_import_is_taken_back_in_the_middle(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let file = file_of(&desk, 600).await;
    let view = desk.read_file(file.clone()).await;
    desk.begin(&view, "apply").await;
    work_and_die(&desk).await;
    let written = assert_whole(&desk).await;
    assert!(0 < written && written < 600, "{written}");
    let undone = desk.finish(&view, "undo").await;
    assert_eq!(undone["state"], "undone", "{undone}");
    assert_eq!(
        (undone["products"]["undone"].as_i64(), undone["products"]["waiting"].as_i64()),
        (Some(written), Some(600 - written))
    );
    assert_eq!(
        desk.count("SELECT COUNT(*) FROM products WHERE handle LIKE 'box-%' AND status = 'archived'").await,
        written
    );
    assert_eq!(desk.count("SELECT COUNT(*) FROM products WHERE handle LIKE 'box-%'").await, written);
    // The same file creates all of them again.
    let again = desk.read_file(file).await;
    let done = desk.finish(&again, "apply").await;
    assert_eq!(done["products"]["applied"], 600, "{done}");
    assert_eq!(desk.count("SELECT COUNT(*) FROM products WHERE handle LIKE 'box-%' AND status = 'active'").await, 600);
}
