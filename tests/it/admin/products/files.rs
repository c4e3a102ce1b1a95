//! Product files: export and import.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{HttpBody, to_bytes};
use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::csv as csv_file;
use shop_domain::catalog::import_export::export::HEADER;
use shop_http::admin::products::list::write_all;
use shop_platform::jobs::worker::run_due;
use tokio::time::{sleep, timeout};

use super::desk::Desk;
use crate::support::{TestShop, rounds};

impl Desk {
    /// Uploads a file and waits until it has been read.
    pub async fn read_file(&self, file: impl Into<String>) -> Value {
        let started = self.send("products/imports?name=products.csv", "text/csv", file.into()).await;
        started.assert_status(202);
        self.wait(started.json()["id"].as_str().unwrap(), "reading").await
    }

    /// Waits until an import has left a state.
    async fn wait(&self, id: &str, state: &str) -> Value {
        let look = async {
            loop {
                let view = self.import(id).await;
                if view["state"] != state {
                    return view;
                }
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(300), look).await.expect("an import ends")
    }

    pub async fn import(&self, id: &str) -> Value {
        self.call("GET", &format!("products/imports/{id}"), Value::Null).await.assert_status(200).json()
    }

    /// Starts applying an import (`apply`) or undoing it (`undo`).
    pub async fn begin(&self, import: &Value, what: &str) {
        let path = format!("products/imports/{}/{what}", import["id"].as_str().unwrap());
        self.call("POST", &path, Value::Null).await.assert_status(202);
    }

    /// Applies an import or undoes it.
    pub async fn finish(&self, import: &Value, what: &str) -> Value {
        self.begin(import, what).await;
        while run_due(&self.shop.app.worker()).await.unwrap() > 0 {}
        self.import(import["id"].as_str().unwrap()).await
    }

    async fn apply(&self, import: &Value) -> Value {
        self.finish(import, "apply").await
    }

    pub async fn export(&self, query: &str) -> String {
        let answer = self.call("GET", &format!("products.csv{query}"), Value::Null).await;
        answer.assert_status(200);
        answer.text().to_owned()
    }

    pub async fn product(&self, handle: &str) -> Value {
        let mut reader = self.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        let found = shop_domain::catalog::editing::service::list_ids(&mut conn, &[handle.to_owned()]).await.unwrap();
        let id = found.first().unwrap_or_else(|| panic!("no product {handle}"));
        drop(reader);
        self.call("GET", &format!("products/{id}"), Value::Null).await.json()
    }

    /// The slug of a category that has products.
    pub async fn category(&self) -> String {
        let category = "SELECT slug FROM categories WHERE parent_id IS NOT NULL ORDER BY slug LIMIT 1";
        let mut reader = self.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        shop_base::sql!(&mut conn, c => sqlx::query_scalar(category).fetch_one(c).await).unwrap()
    }
}

/// The report's entry for a line of the file.
fn line(view: &Value, number: u64) -> &Value {
    let lines = view["lines"].as_array().unwrap();
    lines.iter().find(|line| line["line"] == number).unwrap_or_else(|| panic!("no line {number} in {view}"))
}

pub async fn what_is_exported_reads_back_as_unchanged(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut rack = desk.rack().await;
    rack["title"] = json!("=cmd|' /C calc'!A0");
    rack["subtitle"] = json!("'=already quoted");
    rack["material"] = json!("@home, \"oiled\"");
    rack["description"] = json!(["+1 & <b>bold</b>", "-second; line"]);
    rack["highlights"] = json!(["@one", "two, three"]);
    rack["publish_at"] = json!(desk.shop.app.clock.now_ms() + 123_456);
    rack["variants"][0]["on_hand"] = json!(3);
    desk.create(&rack).await;
    let file = desk.export("").await;
    let mut reader = csv::ReaderBuilder::new().from_reader(file.as_bytes());
    let mut products = BTreeSet::new();
    for record in reader.records() {
        let record = record.unwrap();
        products.insert(record[0].to_owned());
        for cell in &record {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "a spreadsheet would run {cell:?}");
        }
    }
    assert!(file.contains("'=cmd|' /C calc'!A0") && file.contains("''=already quoted"));
    assert_eq!(products.len() as i64, desk.count("SELECT COUNT(*) FROM products").await);
    let view = desk.read_file(file.clone()).await;
    assert_eq!((view["state"].as_str(), view["counts"]["errors"].as_i64()), (Some("checked"), Some(0)), "{view}");
    let changed = format!("products/imports/{}?outcome=changed", view["id"].as_str().unwrap());
    let changed = desk.call("GET", &changed, Value::Null).await;
    assert_eq!(view["counts"]["changed"], 0, "{}", changed.text());
    assert_eq!(view["counts"]["new"], 0);
    assert_eq!(view["counts"]["unchanged"], view["counts"]["lines"]);
    let entries = desk.audited().await.len();
    assert_eq!(desk.apply(&view).await["state"], "applied");
    assert_eq!(desk.audited().await.len(), entries + 1, "only that a file was imported");
    // An export contains the current view.
    let drafts = desk.export("?status=draft").await;
    assert_eq!(csv::Reader::from_reader(drafts.as_bytes()).records().count(), 2);
    assert_eq!(csv::Reader::from_reader(desk.export("?q=walnut+rack-d").await.as_bytes()).records().count(), 2);
}

pub async fn a_product_that_is_saved_during_an_export_is_in_it(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let products = desk.count("SELECT COUNT(*) FROM products").await;
    assert!(products > 50, "more than are read at once");
    // So long that most of the file waits for the one who downloads it.
    let mut tx = desk.shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    const FILL: &str = "UPDATE products SET description = $1";
    let text = "x".repeat(15_000);
    shop_base::sql!(&mut conn, c => sqlx::query(FILL).bind(&text).execute(c).await.map(drop)).unwrap();
    const LAST: &str = "SELECT handle FROM products ORDER BY updated_at, id LIMIT 1";
    let last: String = shop_base::sql!(&mut conn, c => sqlx::query_scalar(LAST).fetch_one(c).await).unwrap();
    tx.commit().await.unwrap();

    let cx = Context::clone(&desk.shop.app);
    let mut download = csv_file::download("products.csv", HEADER, |rows| write_all(cx, rows)).into_body();
    let begun = poll_fn(|task| Pin::new(&mut download).poll_frame(task)).await.unwrap().unwrap();
    desk.shop.clock.advance(1_000);
    desk.save(&desk.product(&last).await, |content| content["title"] = json!("Saved meanwhile")).await;
    let rest = to_bytes(download, usize::MAX).await.unwrap();
    let file = [begun.into_data().unwrap(), rest].concat();
    let handles = csv::Reader::from_reader(file.as_slice()).into_records().map(|row| row.unwrap()[0].to_owned());
    let handles: BTreeSet<String> = handles.collect();
    assert!(handles.contains(&last), "{last} is missing");
    assert_eq!(handles.len() as i64, products);
}

const SHOPIFY: &str = "Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,\
Variant Inventory Qty,Variant Price,Variant Compare At Price,Image Src,Image Alt Text,SEO Title,Status,Compliance Class,Variant Barcode\r\n";

fn shopify_file(category: &str) -> String {
    format!(
        "{SHOPIFY}\
lamp,Brass lamp,\"<h2>Warm</h2><p>Light &amp; <i>brass</i>.</p><script>alert(1)</script>\",Acme,{category},old,TRUE,Finish,Bright,LAMP-B,900,4,89.00,99.00,https://cdn.shopify.com/s/lamp.jpg,Lamp,Brass lamp,active,general_merchandise,0123456789012\r\n\
lamp,,,,,,,,Dark,LAMP-D,900.0,2,\"1,089.50\",,,,,,,\r\n\
stool,Oak stool,Plain text,,{category},,FALSE,Title,Default Title,STOOL,4000,,120,,,,,draft,general_merchandise,\r\n"
    )
}

pub async fn a_shop_moves_in_from_shopify(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let category = "SELECT name FROM categories WHERE parent_id IS NOT NULL ORDER BY slug LIMIT 1";
    let category: String = {
        let mut reader = desk.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        shop_base::sql!(&mut conn, c => sqlx::query_scalar(category).fetch_one(c).await).unwrap()
    };
    let file = shopify_file(&category);
    let products = desk.count("SELECT COUNT(*) FROM products").await;
    let view = desk.read_file(file.clone()).await;
    assert_eq!((view["counts"]["new"].as_i64(), view["counts"]["errors"].as_i64()), (Some(3), Some(0)), "{view}");
    assert_eq!(view["counts"]["products"], 2);
    assert!(line(&view, 1)["note"].as_str().unwrap().contains("Vendor, Tags, Variant Barcode."), "{view}");
    let note = line(&view, 2)["note"].as_str().unwrap().to_owned();
    assert!(note.contains("Upload this image yourself: https://cdn.shopify.com/s/lamp.jpg"), "{note}");
    assert!(note.contains("stays a draft"), "{note}");
    assert_eq!(desk.count("SELECT COUNT(*) FROM products").await, products, "nothing is written by looking");
    assert_eq!(desk.apply(&view).await["state"], "applied");

    let lamp = desk.product("lamp").await;
    assert_eq!(lamp["content"]["description"], json!(["Warm", "Light & brass."]));
    assert_eq!(lamp["content"]["status"], "draft");
    let variants = &lamp["content"]["variants"];
    assert_eq!((variants[0]["price"].as_i64(), variants[0]["compare_at_price"].as_i64()), (Some(8900), Some(9900)));
    assert_eq!((variants[1]["price"].as_i64(), variants[1]["weight_grams"].as_i64()), (Some(108_950), Some(900)));
    assert_eq!((lamp["stock"][0]["on_hand"].as_i64(), lamp["stock"][1]["on_hand"].as_i64()), (Some(4), Some(2)));
    let stool = desk.product("stool").await;
    assert_eq!(
        (stool["content"]["options"].clone(), stool["content"]["variants"][0]["options"].clone()),
        (json!([]), json!([]))
    );
    // The same file changes nothing: what was reduced to a draft remains one and is reported again.
    let again = desk.read_file(file.clone()).await;
    assert_eq!(again["counts"]["unchanged"], 3, "{again}");

    // A file with prices leaves everything else unchanged, including variants that it does not name.
    let prices = "Handle,Variant SKU,Variant Price,Variant Inventory Qty\nlamp,LAMP-B,79.5,9\n";
    let view = desk.read_file(prices).await;
    assert_eq!(line(&view, 2)["what"], "price $89.00 → $79.50; on hand 4 → 9");
    assert_eq!(desk.apply(&view).await["state"], "applied");
    let after = desk.product("lamp").await;
    assert_eq!(after["content"]["variants"][0]["price"], 7950);
    assert_eq!(after["content"]["variants"].as_array().unwrap().len(), 2);
    assert_eq!(after["content"]["description"], lamp["content"]["description"]);
    assert_eq!(after["stock"][0]["on_hand"], 9);
    let imported = "SELECT COUNT(*) FROM stock_movements WHERE reason = 'imported' AND quantity = 5";
    assert_eq!(desk.count(imported).await, 1);
    let audited = desk.audited().await;
    assert_eq!(audited.iter().filter(|action| *action == "product.import").count(), 3);
    assert_eq!(audited.iter().filter(|action| *action == "products.import").count(), 2);
}

pub async fn a_line_of_an_export_leaves_the_rest_of_its_product_alone(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut rack = desk.rack().await;
    let side = desk.picture(40).await;
    rack["pictures"].as_array_mut().unwrap().push(json!({ "key": side, "alt": "From the side" }));
    desk.create(&rack).await;
    let mut expected = desk.product("walnut-pipe-rack").await["content"].clone();
    // Somebody has taken out all lines but the one of the second variant and the second picture.
    let exported = desk.export("?q=walnut+rack-d").await;
    let lines: Vec<&str> = exported.lines().collect();
    let [header, _, second] = lines[..] else { panic!("{exported}") };
    let cheaper = desk.read_file(format!("{header}\n{}\n", second.replace("52.00", "50.00"))).await;
    assert_eq!(line(&cheaper, 2)["what"], "price $52.00 → $50.00", "{cheaper}");
    desk.apply(&cheaper).await;
    expected["variants"][1]["price"] = json!(5000);
    assert_eq!(desk.product("walnut-pipe-rack").await["content"], expected);
    // Neither does a count say which variant comes first.
    let counted = desk.read_file("Handle,Variant SKU,Variant Inventory Qty\nwalnut-pipe-rack,RACK-L,3\n").await;
    assert_eq!(line(&counted, 2)["what"], "on hand 0 → 3", "{counted}");
    desk.apply(&counted).await;
    let after = desk.product("walnut-pipe-rack").await;
    assert_eq!((&after["content"], &after["stock"][1]["on_hand"]), (&expected, &json!(3)));
}

pub async fn the_line_with_the_title_may_be_any_of_its_product(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    desk.create(&desk.rack().await).await;
    let exported = desk.export("?q=walnut+rack-d").await;
    let lines: Vec<&str> = exported.lines().collect();
    let [header, first, second] = lines[..] else { panic!("{exported}") };
    let first = first.replace("Walnut pipe rack", "Oak pipe rack").replace(",draft,", ",archived,");
    // As after the spreadsheet was sorted.
    let sorted = desk.read_file(format!("{header}\n{second}\n{first}\n")).await;
    assert_eq!(line(&sorted, 2)["outcome"], "unchanged", "{sorted}");
    let what = "title “Walnut pipe rack” → “Oak pipe rack”; status draft → archived; variant order";
    assert_eq!(line(&sorted, 3)["what"], what, "{sorted}");
    desk.apply(&sorted).await;
    let content = desk.product("walnut-pipe-rack").await["content"].clone();
    assert_eq!((&content["title"], &content["status"]), (&json!("Oak pipe rack"), &json!("archived")));
}

pub async fn a_file_without_titles_takes_nothing_away_from_a_product(shop: TestShop) {
    const COLUMNS: &str = "Handle,Variant SKU,Variant Price,Subtitle,Collections";
    const FURTHER: &str = "walnut-pipe-rack,RACK-L,50.00,,";
    let desk = Desk::start(&shop).await;
    let rack = desk.create(&desk.rack().await).await;
    let form = json!({ "version": 0, "title": "Pipe racks", "handle": "pipe-racks", "description": "", "place": 0, "products": [rack["id"]] });
    desk.call("POST", "collections", form).await.assert_status(201);
    let mut expected = desk.product("walnut-pipe-rack").await["content"].clone();
    // Columns of an export were taken out, and its lines were sorted.
    let first = "walnut-pipe-rack,RACK-D,49.00,For six pipes,pipe-racks";
    let sorted = desk.read_file(format!("{COLUMNS}\n{FURTHER}\n{first}\n")).await;
    assert_eq!(line(&sorted, 2)["what"], "price $52.00 → $50.00", "{sorted}");
    assert_eq!(line(&sorted, 3)["what"], "variant order", "{sorted}");
    // Only the further line was left.
    let further = desk.read_file(format!("{COLUMNS}\n{FURTHER}\n")).await;
    assert_eq!(line(&further, 2)["what"], "price $52.00 → $50.00", "{further}");
    let note = line(&further, 2)["note"].as_str().unwrap();
    assert!(note.starts_with("Blank cells are ignored") && note.contains(": Subtitle, Collections."), "{further}");
    assert_eq!(line(&sorted, 3)["note"], "", "nothing is blank in all lines: {sorted}");
    desk.apply(&further).await;
    expected["variants"][1]["price"] = json!(5000);
    assert_eq!(desk.product("walnut-pipe-rack").await["content"], expected);
    // Neither does a blank cell beside one that says something count.
    let named = desk.read_file(format!("{COLUMNS}\nwalnut-pipe-rack,RACK-L,50.00,For two pipes,\n")).await;
    assert_eq!(line(&named, 2)["what"], "subtitle", "{named}");
    assert!(line(&named, 2)["note"].as_str().unwrap().contains(": Collections."), "{named}");
    // A file that has nothing but products can only mean them.
    let emptied = desk.read_file("Handle,Subtitle\nwalnut-pipe-rack,\n").await;
    assert_eq!((&line(&emptied, 2)["what"], &line(&emptied, 2)["note"]), (&json!("subtitle"), &json!("")), "{emptied}");
    let left = desk.read_file("Handle,Collections\nwalnut-pipe-rack,\n").await;
    assert_eq!(line(&left, 2)["what"], "collections", "{left}");
    // What the lines say is read wherever it stands.
    desk.apply(&left).await;
    const NAMED: &str = "Handle,Option1 Name,Option1 Value,Variant SKU,Variant Price,Subtitle,Collections";
    let first = "walnut-pipe-rack,Color,Dark,RACK-D,49.00,For six pipes,";
    let further = "walnut-pipe-rack,,Light,RACK-L,51.00,,pipe-racks";
    for file in [format!("{NAMED}\n{first}\n{further}\n"), format!("{NAMED}\n{further}\n{first}\n")] {
        let read = desk.read_file(file).await;
        assert_eq!(read["counts"]["errors"], 0, "{read}");
        let told: Vec<&str> =
            read["lines"].as_array().unwrap().iter().filter_map(|line| line["what"].as_str()).collect();
        let told = told.join("; ");
        assert!(told.contains("price $50.00 → $51.00") && told.contains("collections"), "{read}");
        assert!(!told.contains("subtitle") && !told.contains("options"), "{read}");
    }
    let alone = desk.read_file(format!("{NAMED}\n{further}\n")).await;
    assert_eq!(alone["counts"]["errors"], 0, "{alone}");
}

pub async fn blank_cells_beside_variants_or_pictures_are_ignored(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let side = desk.picture(40).await;
    // One variant and one picture.
    let mut rack = desk.rack().await;
    rack["variants"] = json!([rack["variants"][0]]);
    let rack = desk.create(&rack).await;
    let form = json!({ "version": 0, "title": "Pipe racks", "handle": "pipe-racks", "description": "", "place": 0, "products": [rack["id"]] });
    desk.call("POST", "collections", form).await.assert_status(201);
    for file in [
        "Handle,Variant SKU,Collections\nwalnut-pipe-rack,RACK-D,\n".to_owned(),
        "Handle,Option1 Name,Variant SKU,Collections\nwalnut-pipe-rack,,RACK-D,\n".to_owned(),
        "Handle,Option1 Value,Variant SKU,Variant Price,Collections\nwalnut-pipe-rack,Light,RACK-L,52,\n".to_owned(),
        format!("Handle,Image Src,Collections\nwalnut-pipe-rack,{side},\n"),
        format!("Handle,Variant SKU,Image Src,Collections\nwalnut-pipe-rack,RACK-D,,\nwalnut-pipe-rack,,{side},\n"),
        format!("Handle,Variant SKU,Image Src,Collections\nwalnut-pipe-rack,,{side},\nwalnut-pipe-rack,RACK-D,,\n"),
        "Handle,Image Src,Collections\nwalnut-pipe-rack,,\n".to_owned(),
        // A column that is ignored.
        "Handle,Variant Barcode,Collections\nwalnut-pipe-rack,4006381333931,\n".to_owned(),
    ] {
        let view = desk.read_file(file).await;
        assert_eq!(view["counts"]["errors"], 0, "{view}");
        for told in view["lines"].as_array().unwrap().iter().filter_map(|line| line["what"].as_str()) {
            assert!(!told.contains("collections") && !told.contains("options"), "{view}");
        }
        assert!(line(&view, 2)["note"].as_str().unwrap().contains(": Collections."), "{view}");
    }
}

pub async fn a_file_says_that_it_changes_the_order_of_variants(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    desk.create(&desk.rack().await).await;
    let file = "Handle,Variant SKU,Variant Price\nwalnut-pipe-rack,RACK-L,52.00\nwalnut-pipe-rack,RACK-D,49.00\n";
    let view = desk.read_file(file).await;
    assert_eq!((&view["counts"]["changed"], &view["products"]["waiting"]), (&json!(1), &json!(1)), "{view}");
    assert_eq!(line(&view, 2)["what"], "variant order", "{view}");
    desk.apply(&view).await;
    assert_eq!(desk.product("walnut-pipe-rack").await["content"]["variants"][0]["sku"], "RACK-L");
    let again = desk.read_file(file).await;
    assert_eq!((&again["counts"]["changed"], &again["products"]["waiting"]), (&json!(0), &json!(0)), "{again}");
}

pub async fn an_option_that_a_file_renames_keeps_its_colors(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let rack = desk.rack().await;
    desk.create(&rack).await;
    let view = desk.read_file(desk.export("?q=walnut+rack-d").await.replace(",Color,", ",Finish,")).await;
    assert_eq!(line(&view, 2)["what"], "options", "{view}");
    desk.apply(&view).await;
    let renamed = json!([{ "name": "Finish", "values": rack["options"][0]["values"] }]);
    assert_eq!(desk.product("walnut-pipe-rack").await["content"]["options"], renamed);
}

pub async fn a_value_that_a_file_renames_keeps_its_place_and_color(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut rack = desk.rack().await;
    // Entered for a variant that is to come.
    rack["options"][0]["values"].as_array_mut().unwrap().push(json!({ "value": "Oak", "hex": null }));
    desk.create(&rack).await;
    for (from, to) in [("Dark", "dark"), ("dark", "Dark walnut")] {
        let file = desk.export("?q=walnut+rack-d").await.replace(&format!(",{from},"), &format!(",{to},"));
        let view = desk.read_file(file).await;
        assert_eq!(view["counts"]["errors"], 0, "{view}");
        desk.apply(&view).await;
        rack["options"][0]["values"][0]["value"] = json!(to);
        assert_eq!(desk.product("walnut-pipe-rack").await["content"]["options"], rack["options"]);
    }
    // Also together with its option.
    let file = desk.export("?q=walnut+rack-d").await.replace(",Color,Dark walnut,", ",Finish,Walnut,");
    let view = desk.read_file(file).await;
    assert_eq!(view["counts"]["errors"], 0, "{view}");
    desk.apply(&view).await;
    rack["options"][0]["name"] = json!("Finish");
    rack["options"][0]["values"][0]["value"] = json!("Walnut");
    assert_eq!(desk.product("walnut-pipe-rack").await["content"]["options"], rack["options"]);
}

pub async fn an_option_that_a_file_adds_gets_no_colors_of_another(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let rack = desk.rack().await;
    desk.create(&rack).await;
    let options_after = async |dark: &str, light: &str| {
        const COLUMNS: &str = "Handle,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU";
        let file = format!("{COLUMNS}\nwalnut-pipe-rack,{dark},RACK-D\nwalnut-pipe-rack,{light},RACK-L\n");
        let view = desk.read_file(file).await;
        assert_eq!(view["counts"]["errors"], 0, "{view}");
        desk.apply(&view).await;
        desk.product("walnut-pipe-rack").await["content"]["options"].clone()
    };
    let colors = rack["options"][0]["values"].clone();
    let plain = |first: &str, second: &str| json!([{ "value": first, "hex": null }, { "value": second, "hex": null }]);
    let added = json!([{ "name": "Size", "values": plain("S", "L") }, { "name": "Finish", "values": colors }]);
    assert_eq!(options_after("Size,S,Finish,Dark", ",L,,Light").await, added);
    // Neither do options that change places and capitals, nor one that replaces another.
    let exchanged = json!([{ "name": "finish", "values": colors }, { "name": "size", "values": plain("S", "L") }]);
    assert_eq!(options_after("finish,Dark,size,S", ",Light,,L").await, exchanged);
    let width = plain("40 cm", "60 cm");
    let replaced = json!([{ "name": "Width", "values": width }, { "name": "size", "values": plain("S", "L") }]);
    assert_eq!(options_after("Width,40 cm,size,S", ",60 cm,,L").await, replaced);
}

pub async fn a_value_that_no_variant_has_gives_way_to_other_capitals(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut rack = desk.rack().await;
    // Entered for variants that are to come.
    let values = json!([
        { "value": "Oak", "hex": "#c8a878" }, { "value": "Dark", "hex": "#3a2a20" }, { "value": "Light", "hex": null },
        { "value": "Pine", "hex": null }, { "value": "Ash", "hex": "#d8d0c0" },
    ]);
    rack["options"][0]["values"] = values;
    desk.create(&rack).await;
    let values_after = async |file: String| {
        let view = desk.read_file(file).await;
        assert_eq!(view["counts"]["errors"], 0, "{view}");
        desk.apply(&view).await;
        desk.product("walnut-pipe-rack").await["content"]["options"][0]["values"].clone()
    };
    // The first variant with one of them is added.
    let added = "Handle,Option1 Value,Variant SKU,Variant Price\nwalnut-pipe-rack,oak,RACK-O,50\n";
    let mut expected = json!([
        { "value": "oak", "hex": "#c8a878" }, { "value": "Dark", "hex": "#3a2a20" }, { "value": "Light", "hex": null },
        { "value": "Pine", "hex": null }, { "value": "Ash", "hex": "#d8d0c0" },
    ]);
    assert_eq!(values_after(added.to_owned()).await, expected);
    // A value is renamed to another, whose color counts if it has one.
    let renamed = desk.export("?q=walnut+rack-d").await.replace(",Dark,", ",pine,");
    expected[1]["value"] = json!("pine");
    expected.as_array_mut().unwrap().remove(3);
    assert_eq!(values_after(renamed).await, expected);
    let renamed = desk.export("?q=walnut+rack-d").await.replace(",pine,", ",ash,");
    expected[1] = json!({ "value": "ash", "hex": "#d8d0c0" });
    expected.as_array_mut().unwrap().pop();
    assert_eq!(values_after(renamed).await, expected);
}

pub async fn a_variants_picture_becomes_one_of_its_product(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    desk.create(&desk.rack().await).await;
    let side = desk.picture(40).await;
    let file = |picture: &str| format!("Handle,Variant SKU,Variant Image\nwalnut-pipe-rack,RACK-L,{picture}\n");
    let view = desk.read_file(file(&format!("https://shop.example/images/{side}-1280.webp"))).await;
    let [what, note] = ["what", "note"].map(|part| line(&view, 2)[part].as_str().unwrap());
    assert!(what.contains("adds an image") && note.is_empty(), "{view}");
    desk.apply(&view).await;
    let content = desk.product("walnut-pipe-rack").await["content"].clone();
    assert_eq!(content["pictures"][1], json!({ "key": side, "alt": "Walnut pipe rack" }));
    assert_eq!(content["variants"][1]["picture"], side);
    assert_eq!(desk.read_file(file(&side)).await["products"]["waiting"], 0, "it is there once");
    // One that the shop lacks does not take the place of what staff have chosen.
    let unknown = desk.read_file(file("https://cdn.example/side.jpg")).await;
    let note = line(&unknown, 2)["note"].as_str().unwrap();
    assert_eq!(note, "Upload this image yourself: https://cdn.example/side.jpg");
    assert_eq!(unknown["products"]["waiting"], 0, "{unknown}");
}

pub async fn pictures_without_a_position_stay_where_they_are(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut rack = desk.rack().await;
    for color in [40, 50] {
        let key = desk.picture(color).await;
        rack["pictures"].as_array_mut().unwrap().push(json!({ "key": key, "alt": "Another side" }));
    }
    desk.create(&rack).await;
    let mut expected = rack["pictures"].as_array().unwrap().clone();
    let key = |picture: &Value| picture["key"].as_str().unwrap().to_owned();
    let pictures = async || desk.product("walnut-pipe-rack").await["content"]["pictures"].clone();

    let side = key(&expected[1]);
    let described = format!("Handle,Image Src,Image Alt Text\nwalnut-pipe-rack,{side},Six pipes in it\n");
    let view = desk.read_file(described).await;
    assert_eq!(line(&view, 2)["what"], "alt text", "{view}");
    desk.apply(&view).await;
    expected[1]["alt"] = json!("Six pipes in it");
    assert_eq!(pictures().await, json!(expected));

    // Neither does a blank cell say which comes first.
    let new = json!({ "key": desk.picture(60).await, "alt": "From below" });
    let added = format!(
        "Handle,Image Src,Image Position,Image Alt Text\nwalnut-pipe-rack,{},,From below\nwalnut-pipe-rack,{side},,\n",
        key(&new)
    );
    let view = desk.read_file(added).await;
    assert!(line(&view, 2)["what"].as_str().unwrap().contains("adds an image"), "{view}");
    assert_eq!(line(&view, 3)["outcome"], "unchanged", "{view}");
    desk.apply(&view).await;
    expected.push(new);
    assert_eq!(pictures().await, json!(expected));

    // Positions do, and so do the lines of all.
    let first = format!("Handle,Image Src,Image Position\nwalnut-pipe-rack,{side},1\n");
    desk.apply(&desk.read_file(first).await).await;
    expected.swap(0, 1);
    assert_eq!(pictures().await, json!(expected));
    expected.reverse();
    let lines: String = expected.iter().map(|picture| format!("walnut-pipe-rack,{}\n", key(picture))).collect();
    desk.apply(&desk.read_file(format!("Handle,Image Src\n{lines}")).await).await;
    assert_eq!(pictures().await, json!(expected));
}

pub async fn a_name_of_two_categories_is_none(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    for slug in ["spares", "more-spares"] {
        let form = json!({ "version": 0, "name": "Spares", "slug": slug, "description": "", "parent_id": null,
            "place": null });
        desk.call("POST", "categories", form).await.assert_status(201);
    }
    let file = |column: &str, category: &str| {
        format!(
            "Handle,Title,Variant SKU,Variant Price,Compliance Class,{column}\n\
             filter,Filter,FILTER-1,9,general_merchandise,{category}\n"
        )
    };
    let unclear = desk.read_file(file("Type", "Spares")).await;
    assert!(line(&unclear, 2)["what"].as_str().unwrap().starts_with("Category: use the last part"), "{unclear}");
    let clear = desk.read_file(file("Category", "more-spares")).await;
    assert_eq!((&clear["counts"]["errors"], &clear["counts"]["new"]), (&json!(0), &json!(1)), "{clear}");
}

pub async fn a_file_may_have_its_weights_in_any_unit(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    desk.create(&desk.rack().await).await;
    let file = "Handle,Variant SKU,Variant Weight,Variant Weight Unit\n\
        walnut-pipe-rack,RACK-D,1.5,lb\nwalnut-pipe-rack,RACK-L,12,\n";
    let view = desk.read_file(file).await;
    assert_eq!(line(&view, 2)["what"], "weight 1 lb 12.22 oz → 1 lb 8 oz", "{view}");
    desk.apply(&view).await;
    let weights = desk.product("walnut-pipe-rack").await["content"]["variants"].clone();
    assert_eq!((&weights[0]["weight_grams"], &weights[1]["weight_grams"]), (&json!(680), &json!(340)));
    // As Shopify writes the grams of a pound.
    let grams = desk.read_file("Handle,Variant SKU,Variant Grams\nwalnut-pipe-rack,RACK-D,453.59237\n").await;
    assert_eq!(line(&grams, 2)["what"], "weight 1 lb 8 oz → 1 lb", "{grams}");
    let wrong = desk.read_file(file.replace("1.5,lb", "1.5,stone")).await;
    let what = line(&wrong, 2)["what"].as_str().unwrap().to_owned();
    assert_eq!(what, "Variant Weight: “1.5 stone” isn’t a valid weight.", "{wrong}");
}

pub async fn a_count_needs_neither_sku_nor_price(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut tray = desk.rack().await;
    tray["handle"] = json!("walnut-tray");
    tray["options"] = json!([]);
    tray["variants"] = json!([tray["variants"][0]]);
    tray["variants"][0]["options"] = json!([]);
    desk.create(&tray).await;
    let view = desk.read_file("Handle,Variant Inventory Qty\nwalnut-tray,12\n").await;
    assert_eq!(line(&view, 2)["what"], "on hand 7 → 12", "{view}");
    desk.apply(&view).await;
    assert_eq!(desk.product("walnut-tray").await["stock"][0]["on_hand"], 12);
}

pub async fn a_file_with_errors_changes_nothing(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    desk.create(&desk.rack().await).await;
    let header = "Handle,Title,Variant SKU,Variant Price,Category,Compliance Class,Status\n";
    let file = format!(
        "{header}walnut-pipe-rack,New title,RACK-D,10.00,,,\n\
         ,Nameless,X-1,1.00,,,\nBad Handle,Bad,X-2,1.00,nowhere,general_merchandise,\n\
         good,Good,TWT-SIN,1.00,,no_such_class,live\nwalnut-pipe-rack,,RACK-L,1e3,,,\nlast,Last,RACK-D,1.00,,,\n\
         euro,Euro,X-3,\"49,90\",,,\n"
    );
    let view = desk.read_file(file).await;
    assert_eq!((view["counts"]["errors"].as_i64(), view["counts"]["changed"].as_i64()), (Some(6), Some(1)), "{view}");
    for (number, said) in [
        (3, "Handle: required on every line"),
        (4, "handle: Use up to 100"),
        (4, "Category: use the last part"),
        (5, "belongs to “"),
        (5, "Status: use active"),
        (5, "compliance class: Choose"),
        (6, "lines must be together"),
        (6, "“1e3” isn’t a valid number"),
        (7, "RACK-D is also on line 2"),
        (8, "“49,90” isn’t a valid number"),
    ] {
        let what = line(&view, number)["what"].as_str().unwrap();
        assert!(what.contains(said), "line {number}: {what}");
    }
    let path = format!("products/imports/{}/apply", view["id"].as_str().unwrap());
    desk.call("POST", &path, Value::Null).await.assert_problem(409, "has_errors");
    assert_eq!(desk.product("walnut-pipe-rack").await["content"]["title"], "Walnut pipe rack");

    // A comma without quotation marks makes two cells of a price, of which the first would be one, too.
    let split = desk.read_file("Handle,Variant SKU,Variant Price\nwalnut-pipe-rack,RACK-D,1,299.50\n").await;
    let what = line(&split, 2)["what"].as_str().unwrap();
    assert_eq!(what, "More cells than columns. Put text that contains a comma in quotation marks.", "{split}");
    assert_eq!(split["counts"]["errors"], 1, "{split}");
    let padded = desk.read_file("Handle,Variant SKU,Variant Price\nwalnut-pipe-rack,RACK-D,50,,\n").await;
    assert_eq!(padded["counts"]["errors"], 0, "blank cells harm nobody: {padded}");

    // Neither is a draft published at once.
    let late = desk.read_file("Handle,Publish At\nwalnut-pipe-rack,2020-12-01T09:00:00Z\n").await;
    assert_eq!(line(&late, 2)["what"], "Publish At: Choose a time in the future.", "{late}");

    for (file, said) in [
        ("a,b\n1,2\n", "Handle is missing"),
        ("", "Handle is missing"),
        ("Handle\n", "no products"),
        ("Handle;Title\nwalnut-pipe-rack;Rack\n", "separated by semicolons or tabs"),
        ("\"Title\"\t\"Handle\"\nRack\twalnut-pipe-rack\n", "separated by semicolons or tabs"),
        ("Handle,Title\nwalnut\0rack,Rack\n", "Line 2 has a NUL character"),
    ] {
        let view = desk.read_file(file).await;
        assert_eq!(view["state"], "failed");
        assert!(view["problem"].as_str().unwrap().contains(said), "{view}");
    }
    let latin = desk.send("products/imports", "text/csv", b"Handle,Title\nx,\xe9t\xe9\n".to_vec()).await;
    let view = desk.wait(latin.json()["id"].as_str().unwrap(), "reading").await;
    assert!(view["problem"].as_str().unwrap().contains("isn’t UTF-8 in line 2"), "{view}");
    desk.send("products/imports", "application/zip", Vec::new()).await.assert_problem(415, "unsupported_media_type");
}

pub async fn a_file_with_an_open_quotation_mark_is_refused(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    desk.create(&desk.rack().await).await;
    // Everything up to the end of the file would be the description.
    let rest = "walnut-pipe-rack,\"Turned by hand.\nother,Oiled.\n";
    for (file, line) in [
        (format!("Handle,Body (HTML)\n{rest}"), 2),
        (format!("Handle,Body (HTML)\r\nfirst,Text\r\n{rest}"), 3),
        ("Handle,\"Body (HTML)\nwalnut-pipe-rack,Text\n".to_owned(), 1),
        ("Handle,Body (HTML)\nwalnut-pipe-rack,\"Text\"\"".to_owned(), 2),
    ] {
        let view = desk.read_file(file).await;
        let said = format!("A quotation mark isn’t closed, in line {line} or above. Is the file complete?");
        assert_eq!((view["state"].as_str(), view["problem"].as_str()), (Some("failed"), Some(said.as_str())), "{view}");
    }
    for end in ["", "\n", "\r\n", "\r", "\n\n\n", "\n,\n", "\n\"\""] {
        let view = desk.read_file(format!("Handle,Body (HTML)\nwalnut-pipe-rack,\"A \"\"rack\"\"\"{end}")).await;
        assert_eq!((&view["state"], &view["counts"]["lines"]), (&json!("checked"), &json!(1)), "{end:?}: {view}");
    }
}

pub async fn the_lines_of_a_file_are_those_of_an_editor(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    for end in ["\n", "\r\n", "\r"] {
        let file = "Handle,Title\none,\"In\ntwo\"\n\n\n \n,\ntwo,Two\nthree,Three".replace('\n', end);
        let view = desk.read_file(file).await;
        let lines: Vec<_> = view["lines"].as_array().unwrap().iter().map(|line| line["line"].clone()).collect();
        assert_eq!(lines, [2, 8, 9], "{end:?}: {view}");
    }
}

pub async fn an_option_may_be_called_as_shopify_calls_none(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let mut rack = desk.rack().await;
    rack["options"] = json!([{ "name": "Title", "values": [{ "value": "Default Title", "hex": null }] }]);
    rack["variants"] = json!([rack["variants"][0]]);
    rack["variants"][0]["options"] = json!(["Default Title"]);
    desk.create(&rack).await;
    let view = desk.read_file(desk.export("?q=walnut+rack-d").await).await;
    assert_eq!((&view["counts"]["unchanged"], &view["products"]["waiting"]), (&json!(1), &json!(0)), "{view}");
}

pub async fn a_file_with_too_many_lines_is_refused(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let header = "Handle,Variant SKU,Variant Price\n";
    let file =
        |lines: usize, line: fn(usize) -> String| (0..lines).map(line).fold(header.to_owned(), |all, one| all + &one);
    let refused = async |file: String, said: &str| {
        let view = desk.read_file(file).await;
        assert_eq!((view["state"].as_str(), view["problem"].as_str()), (Some("failed"), Some(said)), "{view}");
    };
    let of_one = |lines| file(lines, |at| format!("rack,R-{at},1.00\n"));
    assert_eq!(desk.read_file(of_one(300)).await["state"], "checked");
    refused(of_one(400), "Line 302: a product can have at most 300 lines.").await;
    let many = file(200_001, |at| format!("rack-{}\n", at / 300));
    refused(many, "A file can have at most 200,000 lines. Split it into several files.").await;
    // Lines of no product are told one by one.
    let nameless = desk.read_file(file(3_000, |at| format!(",SKU-{at},1.00\n"))).await;
    assert_eq!((&nameless["state"], &nameless["counts"]["errors"]), (&json!("checked"), &json!(3_000)), "{nameless}");
    for number in [2, 3, 200] {
        let what = line(&nameless, number)["what"].as_str().unwrap();
        assert!(what.contains("Handle: required on every line."), "line {number}: {what}");
    }
}

pub async fn a_long_file_is_read_and_written(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let lines = rounds(2_000, 20_000);
    let key = desk.picture(9).await;
    let category = desk.category().await;
    let mut file = String::from(
        "Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Image Src,Status,Category,Compliance Class\n",
    );
    for at in 0..lines {
        let (product, variant) = (at / 4, at % 4);
        let first = format!("Product {product},<p>Number {product} of many.</p>,Size");
        let (texts, picture, last) = match variant {
            0 => (first.as_str(), key.as_str(), format!("active,{category},general_merchandise")),
            _ => (",,", "", ",,".to_owned()),
        };
        file.push_str(&format!(
            "many-{product},{texts},S{variant},M-{product}-{variant},{},{},{}.50,{picture},{last}\n",
            100 + at % 50,
            at % 9,
            5 + at % 90
        ));
    }
    let view = desk.read_file(file.clone()).await;
    assert_eq!(
        (view["counts"]["new"].as_u64(), view["counts"]["errors"].as_u64()),
        (Some(lines as u64), Some(0)),
        "{view}"
    );
    let applied = desk.apply(&view).await;
    assert_eq!(applied["state"], "applied", "{applied}");
    let again = desk.read_file(file).await;
    assert_eq!(again["counts"]["unchanged"].as_u64(), Some(lines as u64), "{again}");
    desk.shop.get("/product/many-0").await.assert_status(200);
}
