//! What staff do with orders; afterward the money and the stock are checked.

pub mod bulk;
pub mod cancellations;
pub mod desk;
pub mod drafts;
pub mod goods;
pub mod list;
pub mod money;
pub mod returns;
pub mod undoing;
pub mod unfinished;

use serde_json::{Value, json};
use shop_platform::audit::service::Chain;
use uuid::Uuid;

use super::audit::verify;
use crate::checkout::bench::Bench;
use crate::support::{Answer, TestShop};

/// A shop with a payment provider, a staff member who packs, and an admin.
pub struct Desk {
    pub bench: Bench,
    pub staff: String,
    pub admin: String,
}

impl Desk {
    pub async fn open(shop: &TestShop) -> Self {
        Self::at(Bench::start(shop.database).await).await
    }

    pub async fn at(bench: Bench) -> Self {
        let mut desk = Self { bench, staff: String::new(), admin: String::new() };
        desk.sign_in().await;
        desk
    }

    /// Also again: sessions end when the clock jumps.
    pub async fn sign_in(&mut self) {
        self.staff = self.bench.shop.sign_in("packer", &["staff"]).await;
        self.admin = self.bench.shop.sign_in("boss", &["admin"]).await;
    }

    /// Places and captures an order of these SKUs; returns its number.
    pub async fn paid(&self, goods: &[(&str, i64)]) -> String {
        let number = self.placed(goods, |_| {}).await;
        self.bench.work().await;
        number
    }

    /// An order with the body that `change` adapts; its payment is only authorized.
    pub async fn placed(&self, goods: &[(&str, i64)], change: impl FnOnce(&mut Value)) -> String {
        let mut body = self.bench.order(goods[0].0, goods[0].1).await;
        for (sku, quantity) in &goods[1..] {
            let item = json!({ "id": self.bench.variant(sku).await, "qty": quantity });
            body["items"].as_array_mut().unwrap().push(item);
        }
        change(&mut body);
        body["expected_total"] = self.bench.quote(&body).await["total"].clone();
        // A guest would first have to follow the link in an email.
        let answer = match body["payment_method"].as_str() {
            Some("pickup") => self.bench.pay_known(&body).await,
            _ => self.bench.pay(&body).await,
        };
        let placed = answer.assert_status(200).json();
        placed["number"].as_str().unwrap().to_owned()
    }

    /// An order to be paid for at pickup.
    pub async fn to_pick_up(&self, sku: &str) -> String {
        self.placed(&[(sku, 1)], |body| {
            body["shipping_method"] = json!("pickup");
            body["payment_method"] = json!("pickup");
            body["source_id"] = json!("");
        })
        .await
    }

    pub async fn call(&self, who: &str, method: &str, path: &str, body: Value) -> Answer {
        self.bench.shop.call(method, &format!("/api/admin/orders/{path}"), who, body).await
    }

    /// Sends the request with the order's current version.
    pub async fn act(&self, who: &str, number: &str, act: &str, mut body: Value) -> Answer {
        body["version"] = json!(self.version(number).await);
        let method = if act == "address" { "PUT" } else { "POST" };
        self.call(who, method, &format!("{number}/{act}"), body).await
    }

    /// Runs jobs until the provider has finished its refunds, which takes some seconds.
    pub async fn settle(&self) {
        self.bench.work().await;
        self.bench.let_pass(15).await;
    }

    pub async fn version(&self, number: &str) -> i64 {
        version(&self.bench.shop, number).await
    }

    pub async fn text(&self, statement: &'static str, number: &str) -> String {
        let mut reader = self.bench.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        shop_base::sql!(&mut conn, c => sqlx::query_scalar(statement).bind(number).fetch_one(c).await).unwrap()
    }

    pub async fn figure(&self, statement: &'static str, number: &str) -> i64 {
        let mut reader = self.bench.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        shop_base::sql!(&mut conn, c => sqlx::query_scalar(statement).bind(number).fetch_one(c).await).unwrap()
    }

    pub async fn payment_status(&self, number: &str) -> String {
        self.text("SELECT payment_status FROM orders WHERE number = $1", number).await
    }

    pub async fn fulfillment_status(&self, number: &str) -> String {
        self.text("SELECT fulfillment_status FROM orders WHERE number = $1", number).await
    }

    /// The id of the order line with this SKU.
    pub async fn line(&self, number: &str, sku: &'static str) -> Uuid {
        let mut reader = self.bench.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        shop_base::sql!(&mut conn, c => sqlx::query_scalar(
            "SELECT l.id FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE o.number = $1 AND l.sku = $2")
            .bind(number).bind(sku).fetch_one(c).await)
        .unwrap()
    }

    pub async fn on_hand(&self, sku: &str) -> i64 {
        self.figure(
            "SELECT on_hand FROM stock_levels WHERE variant_id = (SELECT id FROM product_variants WHERE sku = $1)",
            sku,
        )
        .await
    }

    /// The cents that the provider has refunded.
    pub fn given_back(&self) -> i64 {
        let of = |payment: &Value| payment["refunded_money"]["amount"].as_i64().unwrap_or(0);
        self.bench.stand_in.payments().iter().map(of).sum()
    }

    /// Records that the newest package of an order was delivered.
    pub async fn deliver(&self, number: &str) {
        let act = format!("fulfillments/{}/delivery", self.fulfillment(number).await);
        self.act(&self.staff, number, &act, json!({})).await.assert_status(204);
    }

    pub async fn audited(&self, action: &str) -> i64 {
        self.figure("SELECT COUNT(*) FROM audit_entries WHERE action = $1", action).await
    }

    pub async fn assert_log_is_sound(&self) {
        assert!(matches!(verify(&self.bench.shop.app.db).await, Chain::Sound { .. }));
    }
}

/// The current version of an order.
pub async fn version(shop: &TestShop, number: &str) -> i64 {
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT version FROM orders WHERE number = $1").bind(number)
        .fetch_one(c).await)
    .unwrap()
}

/// A package with all confirmations checked.
pub fn parcel(lines: &[(Uuid, i64)]) -> Value {
    let lines: Vec<_> = lines.iter().map(|(id, quantity)| json!({ "line_id": id, "quantity": quantity })).collect();
    json!({
        "lines": lines, "carrier": "UPS Ground", "tracking_number": "1Z999", "adult_signature": true, "label": true,
    })
}

pub fn chosen(lines: &[(Uuid, i64)]) -> Value {
    lines.iter().map(|(id, quantity)| json!({ "line_id": id, "quantity": quantity })).collect()
}
