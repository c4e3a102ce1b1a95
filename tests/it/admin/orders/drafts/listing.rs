//! Draft orders are found, listed and deleted.

use std::slice::from_ref;

use serde_json::{Value, json};

use super::{DAY_MS, terms};
use crate::admin::orders::Desk;
use crate::admin::products::desk::Desk as ProductDesk;
use crate::checkout::bench::PIPE_TOOL;
use crate::support::{OnSqlite, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    what_came_to_nothing_is_deleted,
    goods_and_buyers_are_found,
    the_list_finds_and_sorts,
    every_sort_of_the_list_has_its_index,
];

async fn what_came_to_nothing_is_deleted(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let (old, kept) = (desk.drafted(terms()).await, desk.drafted(terms()).await);
    desk.bench.pay(&desk.click(&desk.link(&kept).await).await).await.assert_status(200);
    desk.bench.shop.clock.advance(99 * DAY_MS);
    shop_domain::sales::records::draft_orders::service::purge(&desk.bench.shop.app).await.unwrap();
    assert_eq!(desk.figure("SELECT COUNT(*) FROM draft_orders WHERE number = $1", &old).await, 0);
    assert_eq!(desk.figure("SELECT COUNT(*) FROM draft_orders WHERE number = $1", &kept).await, 1);
    let terms = desk.bench.count("SELECT COUNT(*) FROM search_terms t WHERE t.kind = 'draft' AND NOT EXISTS (SELECT 1 FROM draft_orders d WHERE d.id = t.subject_id)").await;
    assert_eq!(terms, 0);
}

async fn goods_and_buyers_are_found(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    shop::registry::fill_search_terms(&desk.bench.shop.app, shop_platform::staff_search::model::Kind::Product)
        .await
        .unwrap();
    let found = async |path: &str| desk.call(&desk.admin, "GET", path, Value::Null).await.assert_status(200).json();
    let goods = found("goods?q=twt-s").await;
    assert_eq!(goods["variants"][0]["sku"], PIPE_TOOL);
    assert_eq!(goods["variants"][0]["price"], 600);
    assert!(goods["variants"][0]["available"].as_i64().unwrap() > 0);
    assert_eq!(found("goods?q=").await, json!({ "variants": [] }));
    let skus = async |typed: &str| -> Vec<String> {
        let goods = found(&format!("goods?q={typed}")).await;
        let variants = goods["variants"].as_array().unwrap().iter();
        variants.map(|variant| variant["sku"].as_str().unwrap().to_owned()).collect()
    };
    for typed in ["TWT-THR", "twt-thr", "+TWT-THR+"] {
        assert_eq!(skus(typed).await, ["TWT-THR"], "{typed}");
    }
    assert_eq!(skus("TWT-T").await, ["TWT-THR", PIPE_TOOL], "an SKU that begins so is first");
    assert_eq!(skus("three-way").await, [PIPE_TOOL, "TWT-THR"], "words of the title rank no variant");
    assert_eq!(skus("TWT-THR%00").await, [PIPE_TOOL, "TWT-THR"]);
    let products = ProductDesk { shop: desk.bench.shop.clone() };
    let mut rack = products.rack().await;
    rack["status"] = json!("active");
    let sizes = 1..=20;
    rack["options"] = json!([{
        "name": "Size",
        "values": sizes.clone().map(|size| json!({ "value": format!("Size {size}"), "hex": null })).collect::<Vec<_>>(),
    }]);
    let sized = |size: i32| {
        let mut variant = rack["variants"][0].clone();
        variant["sku"] = json!(format!("Rack-{size}"));
        variant["options"] = json!([format!("Size {size}")]);
        variant
    };
    let variants: Vec<Value> = sizes.map(sized).collect();
    rack["variants"] = json!(variants);
    products.create(&rack).await;
    assert_eq!(skus("Rack-20").await, ["Rack-20"]);
    for typed in ["rack-20", "walnut+20"] {
        let all = skus(typed).await;
        assert_eq!((all[0].as_str(), all.len()), ("Rack-20", 12), "{typed}");
    }
    // The last of 250 variants is found, also if many other products have the typed words.
    let value = |value: String| json!({ "value": value, "hex": null });
    let mut shelf = rack.clone();
    (shelf["title"], shelf["handle"]) = (json!("Zebrano shelf"), json!("zebrano-shelf"));
    shelf["options"] = json!([
        { "name": "Row", "values": (0..5).map(|row| value(format!("R{row}"))).collect::<Vec<_>>() },
        { "name": "Column", "values": (0..50).map(|column| value(format!("C{column}"))).collect::<Vec<_>>() },
    ]);
    let placed = |at: i32| {
        let mut variant = rack["variants"][0].clone();
        variant["sku"] = json!(format!("SHELF-{}-Z", at + 1));
        variant["options"] = json!([format!("R{}", at / 50), format!("C{}", at % 50)]);
        variant
    };
    shelf["variants"] = json!((0..250).map(placed).collect::<Vec<_>>());
    products.create(&shelf).await;
    for at in 0..12 {
        let mut other = rack.clone();
        (other["title"], other["handle"]) = (json!(format!("Ash shelf 250 {at}")), json!(format!("ash-shelf-{at}")));
        other["options"] = json!([]);
        other["variants"] = json!([rack["variants"][0]]);
        other["variants"][0]["options"] = json!([]);
        other["variants"][0]["sku"] = json!(format!("ASH-{at}"));
        products.create(&other).await;
    }
    for typed in ["shelf-250", "zebrano+250"] {
        let all = skus(typed).await;
        assert_eq!((all[0].as_str(), all.len()), ("SHELF-250-Z", 12), "{typed}");
    }
    let cookie = desk.bench.shop.sign_in("known", &["customer"]).await;
    for (city, is_default, phone) in [("Columbus", true, "614 555 0143"), ("Dayton", false, "937 555 0144")] {
        let mut address = terms()["address"].clone();
        (address["city"], address["is_default"]) = (json!(city), json!(is_default));
        address["phone"] = json!(phone);
        let kept = desk.bench.shop.call("POST", "/api/me/addresses", &cookie, address).await;
        assert!(kept.status.is_success(), "{}", kept.text());
    }
    let buyers = found("buyers?q=known").await;
    let buyer = &buyers["buyers"][0];
    assert_eq!((&buyer["email"], &buyer["address"]["city"]), (&json!("known@shop.example"), &json!("Columbus")));
    // The number of the address, which may be its recipient's, counts only if the account has none.
    assert_eq!((&buyer["phone"], &buyer["address"]["phone"]), (&json!("614 555 0143"), &json!("")));
    let profile = json!({ "phone": "614 555 0142" });
    desk.bench.shop.call("PATCH", "/api/me", &cookie, profile).await.assert_status(200);
    assert_eq!(found("buyers?q=known").await["buyers"][0]["phone"], "614 555 0142");
    desk.call(&desk.staff, "GET", "buyers?q=known", Value::Null).await.assert_problem(403, "forbidden");
}

async fn the_list_finds_and_sorts(shop: TestShop) {
    let desk = Desk::open(&shop).await;
    let (first, second, third) =
        (desk.drafted(terms()).await, desk.drafted(terms()).await, desk.drafted(terms()).await);
    desk.on_draft(&second, "withdrawal").await.assert_status(204);
    desk.bench.pay(&desk.click(&desk.link(&third).await).await).await.assert_status(200);
    let listed = async |query: &str| -> Vec<String> {
        let path = format!("/admin/orders/drafts{query}");
        let page = desk.bench.shop.call("GET", &path, &desk.staff, Value::Null).await;
        let drafts = page.assert_status(200).envelope()["props"]["drafts"].clone();
        drafts.as_array().unwrap().iter().map(|draft| draft["number"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(listed("").await, [third.clone(), second.clone(), first.clone()]);
    assert_eq!(listed("?sort=made").await, [first.clone(), second.clone(), third.clone()]);
    assert_eq!(listed("?state=open").await, from_ref(&first));
    assert_eq!(listed("?state=withdrawn&state=placed").await, [third.clone(), second.clone()]);
    assert_eq!(listed(&format!("?q={}", first.to_lowercase())).await, from_ref(&first));
    assert_eq!(listed("?q=reed&sort=-total&state=placed").await, [third]);
    desk.bench.execute("UPDATE draft_orders SET expires_at = 0 WHERE status = 'open'").await;
    assert_eq!(listed("?state=expired").await, [first]);
}

/// The query plan of each view of the list: an index gives the order, nothing is sorted.
async fn every_sort_of_the_list_has_its_index(OnSqlite(shop): OnSqlite) {
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    for (condition, order, index) in [
        ("1 = 1", "d.created_at DESC, d.id DESC", "draft_orders_created_at_idx"),
        ("1 = 1", "d.expires_at, d.id", "draft_orders_expires_at_idx"),
        ("1 = 1", "d.total DESC, d.id DESC", "draft_orders_total_idx"),
        ("1 = 1", "d.email, d.id", "draft_orders_email_idx"),
        ("d.status = 'withdrawn'", "d.created_at DESC, d.id DESC", "draft_orders_status_idx"),
    ] {
        let sql = sqlx::AssertSqlSafe(format!(
            "EXPLAIN QUERY PLAN SELECT d.number, o.number FROM draft_orders d LEFT JOIN orders o ON o.id = d.order_id
             WHERE {condition} ORDER BY {order} LIMIT 51"
        ));
        let plan: Vec<(i64, i64, i64, String)> =
            shop_base::sql!(&mut conn, c => sqlx::query_as(sql).fetch_all(c).await).unwrap();
        let plan: Vec<String> = plan.into_iter().map(|step| step.3).collect();
        assert!(plan.iter().any(|step| step.contains(index)), "{condition}, {order}: {plan:?}");
        assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{condition}, {order}: {plan:?}");
    }
}
