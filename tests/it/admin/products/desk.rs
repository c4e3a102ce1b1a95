//! A separate shop and a staff member who edits its catalog.

use axum::body::Body;
use axum::http::{Request, header};
use picture_codec::{Raster, encode_webp_lossless};
use serde_json::{Value, json};
use shop_domain::catalog::service::Catalog;
use uuid::Uuid;

use crate::support::{Answer, TestShop};

pub struct Desk {
    pub shop: TestShop,
}

impl Desk {
    pub async fn start(shop: &TestShop) -> Self {
        let shop = TestShop::with(shop.database, |_| {}).await;
        Self { shop }
    }

    /// Of a new session: the former may have ended, since the clock jumps.
    pub async fn cookie(&self) -> String {
        self.shop.sign_in("editor", &["admin"]).await
    }

    pub fn catalog(&self) -> &Catalog {
        &self.shop.app.parts.catalog
    }

    pub async fn call(&self, method: &str, path: &str, body: Value) -> Answer {
        self.shop.call(method, &format!("/api/admin/{path}"), &self.cookie().await, body).await
    }

    pub async fn send(&self, path: &str, content_type: &str, body: impl Into<Body>) -> Answer {
        let request = Request::post(format!("/api/admin/{path}"))
            .header(header::COOKIE, self.cookie().await)
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, content_type)
            .body(body.into());
        self.shop.send(request.unwrap()).await
    }

    /// Uploads a picture in one color; returns its key.
    pub async fn picture(&self, color: u8) -> String {
        let answer = self.send("pictures", "image/webp", plain_picture(color, 80)).await;
        answer.assert_status(201);
        answer.json()["key"].as_str().unwrap().to_owned()
    }

    /// A draft product: a rack in two colors with one picture.
    pub async fn rack(&self) -> Value {
        let key = self.picture(90).await;
        let category = self.id("SELECT id FROM categories WHERE parent_id IS NOT NULL ORDER BY slug LIMIT 1").await;
        json!({
            "title": "Walnut pipe rack", "subtitle": "For six pipes", "handle": "walnut-pipe-rack",
            "description": ["Turned by hand.", "Oiled twice."], "highlights": ["Holds six"],
            "details": [{ "label": "Height", "value": "12 cm" }], "category_id": category, "material": "Walnut",
            "compliance_class": "general_merchandise", "seo_title": "", "seo_description": "", "status": "draft",
            "publish_at": null,
            "options": [{ "name": "Color", "values": [
                { "value": "Dark", "hex": "#3a2a20" }, { "value": "Light", "hex": null },
            ] }],
            "variants": [
                { "id": null, "sku": "RACK-D", "options": ["Dark"], "price": 4900, "compare_at_price": null,
                  "weight_grams": 800, "picture": key, "on_hand": 7 },
                { "id": null, "sku": "RACK-L", "options": ["Light"], "price": 5200, "compare_at_price": 5900,
                  "weight_grams": 800, "picture": null, "on_hand": 0 },
            ],
            "pictures": [{ "key": key, "alt": "A rack of dark walnut" }],
            "collections": [],
        })
    }

    pub async fn try_create(&self, content: &Value) -> Answer {
        self.call("POST", "products", content.clone()).await
    }

    pub async fn create(&self, content: &Value) -> Value {
        let answer = self.try_create(content).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()
    }

    /// Saves a product at the version that was read, with changes to its contents.
    pub async fn try_save(&self, product: &Value, change: impl FnOnce(&mut Value)) -> Answer {
        let mut content = product["content"].clone();
        change(&mut content);
        let body = json!({ "version": product["version"], "content": content });
        self.call("PUT", &format!("products/{}", product["id"].as_str().unwrap()), body).await
    }

    pub async fn save(&self, product: &Value, change: impl FnOnce(&mut Value)) -> Value {
        let answer = self.try_save(product, change).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    pub async fn id(&self, sql: &'static str) -> Uuid {
        let mut reader = self.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        shop_base::sql!(&mut conn, c => sqlx::query_scalar(sql).fetch_one(c).await).unwrap()
    }

    pub async fn count(&self, sql: &'static str) -> i64 {
        let mut reader = self.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        shop_base::sql!(&mut conn, c => sqlx::query_scalar(sql).fetch_one(c).await).unwrap()
    }

    /// Actions in the audit log, the oldest first.
    pub async fn audited(&self) -> Vec<String> {
        const SQL: &str = "SELECT action FROM audit_entries WHERE action NOT LIKE 'picture%' ORDER BY seq";
        let mut reader = self.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        shop_base::sql!(&mut conn, c => sqlx::query_scalar(SQL).fetch_all(c).await).unwrap()
    }
}

pub fn plain_picture(color: u8, side: u32) -> Vec<u8> {
    let pixels = [color, 60, 40, 255].repeat((side * side) as usize);
    encode_webp_lossless(&Raster::new(side, side, pixels).unwrap()).unwrap()
}
