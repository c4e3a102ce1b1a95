//! What others change or sell between the reading of a file and its import stays theirs.

use serde_json::{Value, json};
use shop_domain::catalog::changes::Topics;

use super::desk::Desk;
use super::imports::racks;
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{OnPostgres, TestShop, until};

async fn adjust(desk: &Desk, product: &Value, seen: i64, delta: i64) {
    let variant = product["content"]["variants"][0]["id"].as_str().unwrap();
    let change = json!({ "seen": seen, "delta": delta, "reason": "found" });
    desk.call("POST", &format!("stock/{variant}"), change).await.assert_status(200);
}

pub async fn what_was_changed_meanwhile_is_left_and_named(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    racks(&desk, &["one", "two", "three", "four"]).await;
    let file = format!(
        "Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty,Category,Compliance Class\n\
         one,First,ONE,11,9,,\ntwo,Second,TWO,12,9,,\nthree,Third,THREE,13,9,,\nfour,Fourth,FOUR,14,9,,\n\
         five,Fifth,FIVE,15,9,{},general_merchandise\n",
        desk.category().await
    );
    let view = desk.read_file(file).await;
    assert_eq!((view["counts"]["errors"].as_i64(), view["products"]["waiting"].as_i64()), (Some(0), Some(5)), "{view}");
    let [one, two] = [desk.product("one").await, desk.product("two").await];
    desk.save(&one, |content| content["subtitle"] = json!("Changed in the meantime")).await;
    adjust(&desk, &two, 7, 1).await;
    racks(&desk, &["five"]).await;
    let done = desk.finish(&view, "apply").await;
    assert_eq!(done["state"], "applied");
    assert_eq!(
        (done["products"]["applied"].as_i64(), done["products"]["skipped"].as_i64()),
        (Some(2), Some(3)),
        "{done}"
    );
    for (at, line, handle, why) in [
        (0, 2, "one", "Someone else has changed it."),
        (1, 3, "two", "Someone else has changed the stock of TWO."),
        (2, 6, "five", "Another product already has this handle."),
    ] {
        let left = &done["left_out"][at];
        assert_eq!((left["line"].as_i64(), left["handle"].as_str()), (Some(line), Some(handle)), "{done}");
        assert!(left["why"].as_str().unwrap().contains(why), "{left}");
    }
    let now = async |handle: &str| {
        let product = desk.product(handle).await;
        let [price, on_hand] = [&product["content"]["variants"][0]["price"], &product["stock"][0]["on_hand"]];
        (product["content"]["title"].as_str().unwrap().to_owned(), price.as_i64().unwrap(), on_hand.as_i64().unwrap())
    };
    let rack = "Walnut pipe rack".to_owned();
    assert_eq!(now("one").await, (rack.clone(), 4900, 7), "nothing of it");
    assert_eq!(now("two").await, (rack.clone(), 4900, 8), "not its texts either");
    assert_eq!(now("five").await, (rack, 4900, 7));
    assert_eq!(now("three").await, ("Third".to_owned(), 1300, 9));
    assert_eq!(now("four").await, ("Fourth".to_owned(), 1400, 9));
    desk.call("POST", &format!("products/imports/{}/apply", view["id"].as_str().unwrap()), Value::Null)
        .await
        .assert_problem(409, "not_checked");
}

pub async fn an_import_tells_nobody_of_a_change_of_nothing(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let file = format!(
        "Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty,Category,Compliance Class\n\
         one,First,ONE,11,9,{},general_merchandise\n",
        desk.category().await
    );
    let view = desk.read_file(file).await;
    racks(&desk, &["one"]).await;
    let mut changes = desk.catalog().changes.subscribe();
    let done = desk.finish(&view, "apply").await;
    assert_eq!((done["state"].as_str(), done["products"]["skipped"].as_i64()), (Some("applied"), Some(1)), "{done}");
    let told: Vec<Topics> = std::iter::from_fn(|| changes.try_recv().ok()).collect();
    assert!(told.iter().all(|topics| !topics.is_none()), "{told:?}");
}

/// Three pieces are taken out while somebody reads products and waits for a table that comes after their stock.
async fn taken_while_read<T>(
    desk: &Desk,
    (product, seen): (&Value, i64),
    (lock, waiting): (&'static str, &'static str),
    reading: impl Future<Output = T>,
) -> T {
    let mut holding = desk.shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut holding.conn(), c => sqlx::query(lock).execute(c).await.map(drop)).unwrap();
    let (read, ()) = tokio::join!(reading, async {
        until("it waits", async || desk.count(waiting).await > 0).await;
        adjust(desk, product, seen, -3).await;
        holding.commit().await.unwrap();
    });
    read
}

/// With SQLite nothing that is read can be held up.
pub async fn a_count_while_the_stock_is_read_is_not_overwritten(OnPostgres(shop): OnPostgres) {
    const OF_LISTS: (&str, &str) = (
        "LOCK TABLE variant_option_values",
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND query LIKE 'SELECT vv.variant_id, v.value FROM product_options %'",
    );
    const OF_SAVES: (&str, &str) = (
        "LOCK TABLE retired_paths",
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND query LIKE 'SELECT path, target FROM retired_paths %'",
    );
    let desk = Desk::start(&shop).await;
    racks(&desk, &["one", "two"]).await;
    let [one, two] = [desk.product("one").await, desk.product("two").await];
    let on_hand = async |handle: &str| desk.product(handle).await["stock"][0]["on_hand"].clone();
    let file = "Handle,Variant SKU,Variant Inventory Qty\none,ONE,12\n";
    let view = taken_while_read(&desk, (&one, 7), OF_LISTS, desk.read_file(file)).await;
    assert_eq!(view["products"]["waiting"], 1, "{view}");
    let done = desk.finish(&view, "apply").await;
    assert_eq!(done["left_out"][0]["why"], "Someone else has changed the stock of ONE.", "{done}");
    assert_eq!(on_hand("one").await, 4);

    let exported = taken_while_read(&desk, (&one, 4), OF_LISTS, desk.export("?q=one")).await;
    let view = desk.read_file(edited(&exported, "one", "ONE", Some(12))).await;
    assert_eq!(view["products"]["waiting"], 0, "{view}");
    assert!(
        view["lines"].as_array().unwrap().iter().any(|line| line["note"].as_str().unwrap().contains("Its stock stays")),
        "{view}"
    );

    // One that is added again has the stock that was typed.
    let mut again = two["content"]["variants"][0].clone();
    (again["id"], again["on_hand"]) = (Value::Null, json!(12));
    let without = desk.save(&two, |content| content["variants"] = json!([])).await;
    let add = |content: &mut Value| content["variants"] = json!([again]);
    let saved = taken_while_read(&desk, (&two, 7), OF_SAVES, desk.try_save(&without, add)).await;
    assert_eq!(saved.assert_status(200).json()["content"]["variants"][0]["id"], two["content"]["variants"][0]["id"]);
    assert_eq!(on_hand("two").await, 12);
}

pub async fn a_sale_meanwhile_does_not_make_an_import_stale(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 50).await;
    let desk = Desk { shop: bench.shop.clone() };
    let on_hand =
        "SELECT on_hand FROM stock_levels WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')";
    let handle =
        "SELECT p.handle FROM products p JOIN product_variants v ON v.product_id = p.id WHERE v.sku = 'TWT-SIN'";
    let handle: String = {
        let mut reader = bench.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        shop_base::sql!(&mut conn, c => sqlx::query_scalar(handle).fetch_one(c).await).unwrap()
    };
    let seen = bench.count(on_hand).await;
    let file =
        |count: i64| format!("Handle,Subtitle,Variant SKU,Variant Inventory Qty\n{handle},New,TWT-SIN,{count}\n");
    let more = desk.read_file(file(seen + 10)).await;
    bench.pay(&bench.order(PIPE_TOOL, 2).await).await.assert_status(200);
    bench.work().await;
    assert_eq!(bench.count(on_hand).await, seen - 2);
    let done = desk.finish(&more, "apply").await;
    assert_eq!(done["products"]["applied"], 1, "{done}");
    assert_eq!(bench.count(on_hand).await, seen + 8, "what was sold stays sold");
    // After a sale, the counted stock is no longer possible: on hand does not become negative.
    let none = desk.read_file(file(1).replace("New", "Newer")).await;
    bench.pay(&bench.order(PIPE_TOOL, 2).await).await.assert_status(200);
    bench.work().await;
    let done = desk.finish(&none, "apply").await;
    assert_eq!(done["products"]["skipped"], 1, "{done}");
    assert!(done["left_out"][0]["why"].as_str().unwrap().contains("less than what’s sold"), "{done}");
    assert_eq!(bench.count(on_hand).await, seen + 6);
    // Undoing the first file removes its ten pieces and no sale.
    assert_eq!(desk.finish(&more, "undo").await["products"]["undone"], 1);
    assert_eq!(bench.count(on_hand).await, seen - 4);
}

/// The lines of a product in an exported file, with a quantity that somebody has typed for a SKU.
fn edited(file: &str, handle: &str, sku: &str, quantity: Option<i64>) -> String {
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    let header = reader.headers().unwrap().clone();
    let place = |column: &str| header.iter().position(|title| title == column).unwrap();
    let (of_sku, of_quantity) = (place("Variant SKU"), place("Variant Inventory Qty"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).unwrap();
    for row in reader.records().map(Result::unwrap).filter(|row| &row[place("Handle")] == handle) {
        let cells = row.iter().enumerate().map(|(at, cell)| match quantity {
            Some(quantity) if at == of_quantity && &row[of_sku] == sku => quantity.to_string(),
            _ => cell.to_owned(),
        });
        writer.write_record(cells).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

pub async fn a_former_export_brings_back_nothing_that_was_sold(shop: TestShop) {
    let mut bench = Bench::start(shop.database).await;
    bench.stock(PIPE_TOOL, 50).await;
    let desk = Desk { shop: bench.shop.clone() };
    const ON_HAND: &str =
        "SELECT on_hand FROM stock_levels WHERE variant_id = (SELECT id FROM product_variants WHERE sku = 'TWT-SIN')";
    const HANDLE: &str =
        "SELECT p.handle FROM products p JOIN product_variants v ON v.product_id = p.id WHERE v.sku = 'TWT-SIN'";
    let handle: String = {
        let mut reader = bench.shop.app.db.read().await.unwrap();
        shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(HANDLE).fetch_one(c).await).unwrap()
    };
    let sell = async || {
        bench.pay(&bench.order(PIPE_TOOL, 2).await).await.assert_status(200);
        bench.work().await;
    };
    let says = |view: &Value, part: &str, text: &str| {
        let lines = view["lines"].as_array().unwrap();
        assert!(lines.iter().any(|line| line[part].as_str().unwrap().contains(text)), "{text}: {view}");
    };
    let exported = desk.export("").await;
    sell().await;
    let same = desk.read_file(edited(&exported, &handle, PIPE_TOOL, None)).await;
    assert_eq!((&same["counts"]["errors"], &same["products"]["waiting"]), (&json!(0), &json!(0)), "{same}");
    assert_eq!(same["counts"]["unchanged"], same["counts"]["lines"], "{same}");
    desk.finish(&same, "apply").await;
    assert_eq!(bench.count(ON_HAND).await, 48);
    // Five more than were exported are five more than there are, whatever is sold until they are written.
    let file = edited(&exported, &handle, PIPE_TOOL, Some(55));
    let more = desk.read_file(file.clone()).await;
    says(&more, "what", "on hand 48 → 53 (+5 in the file)");
    sell().await;
    assert_eq!(desk.finish(&more, "apply").await["products"]["applied"], 1);
    assert_eq!(bench.count(ON_HAND).await, 51);
    // They come once, however often the file is imported.
    let again = desk.read_file(file).await;
    assert_eq!(again["products"]["waiting"], 0, "{again}");
    says(&again, "note", "Its stock stays");
    desk.finish(&again, "apply").await;
    assert_eq!(bench.count(ON_HAND).await, 51);
    // No more can be taken away than there is.
    let exported = desk.export("").await;
    sell().await;
    let none = desk.read_file(edited(&exported, &handle, PIPE_TOOL, Some(0))).await;
    says(&none, "what", "51 fewer than when it was exported, but only 49 are on hand now.");
    let path = format!("products/imports/{}/apply", none["id"].as_str().unwrap());
    desk.call("POST", &path, Value::Null).await.assert_problem(409, "has_errors");
    assert_eq!(bench.count(ON_HAND).await, 49);
}

pub async fn what_differs_by_nothing_visible_is_the_same(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    racks(&desk, &["one"]).await;
    let category = desk.category().await;
    let file = format!(
        "Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty,Category,Compliance Class\n\
         five,Fifth,FIVE,15,9,{category},general_merchandise\n\
         one\u{200b},First,\u{202a}ONE,11,9,,\n\
         five\u{200b},Fifth,ANOTHER,15,9,{category},general_merchandise\n"
    );
    let view = desk.read_file(file).await;
    let count = |outcome: &str| view["counts"][outcome].as_i64();
    assert_eq!([count("new"), count("changed"), count("errors")], [Some(1); 3], "{view}");
    let lines = view["lines"].as_array().unwrap();
    let refused = lines.iter().find(|line| line["line"] == 4).unwrap();
    assert!(refused["what"].as_str().unwrap().contains("This handle appeared earlier."), "{refused}");
}
