//! Product files: any file is read; what can be written is written, its export reads as unchanged, and the sitemap stays well-formed.

use axum::body::Body;
use axum::http::{Request, header};
use libfuzzer_sys::Corpus;
use serde_json::Value;
use shop_domain::catalog::import_export::work;

use crate::shop::{Shop, shop};

const IMPORTS: &str = "/api/admin/products/imports";

pub fn run(data: &[u8]) -> Corpus {
    let shop = shop();
    let read = read(shop, data.to_vec());
    if read["state"] != "checked" || read["counts"]["errors"] != 0 {
        return Corpus::Keep;
    }
    let id = read["id"].as_str().unwrap();
    let applied = shop.send(staff("POST", &format!("{IMPORTS}/{id}/apply"), Vec::new()));
    assert!(applied.status.is_success(), "{}", String::from_utf8_lossy(&applied.body));
    shop.block_on(work::run(&shop.app, id.parse().unwrap())).unwrap();
    let export = shop.send(staff("GET", "/api/admin/products.csv", Vec::new()));
    assert!(export.status.is_success());
    let again = self::read(shop, export.body);
    assert_eq!(again["state"], "checked", "{again}");
    assert_eq!(again["counts"]["lines"], again["counts"]["unchanged"], "{again}");
    let sitemap = shop.send(Request::get("/sitemap.xml").body(Body::empty()).unwrap()).body;
    roxmltree::Document::parse(std::str::from_utf8(&sitemap).unwrap()).unwrap();
    Corpus::Keep
}

/// Uploads a file and waits for its report.
fn read(shop: &Shop, file: Vec<u8>) -> Value {
    let begun = shop.send(staff("POST", IMPORTS, file));
    let begun: Value = serde_json::from_slice(&begun.body).unwrap_or_default();
    let Some(id) = begun["id"].as_str() else { return Value::Null };
    loop {
        let view = shop.send(staff("GET", &format!("{IMPORTS}/{id}"), Vec::new()));
        let view: Value = serde_json::from_slice(&view.body).unwrap();
        if view["state"] != "reading" {
            return view;
        }
        std::thread::yield_now();
    }
}

fn staff(method: &str, path: &str, body: Vec<u8>) -> Request<Body> {
    Request::builder()
        .method(method)
        .uri(path)
        .header("sec-fetch-site", "same-origin")
        .header(header::COOKIE, &shop().owner)
        .header(header::CONTENT_TYPE, "text/csv")
        .body(Body::from(body))
        .unwrap()
}
