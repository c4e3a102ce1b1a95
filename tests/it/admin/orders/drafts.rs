//! Draft orders that staff create and a customer pays through a link: each becomes one order, by the rules of the checkout.

pub mod changing;
pub mod listing;
pub mod mailing;
pub mod paying;

use serde_json::{Value, json};
use uuid::Uuid;

use super::Desk;
use crate::checkout::bench::PIPE_TOOL;
use crate::support::Answer;

const DAY_MS: i64 = 86_400_000;

/// Two pipe tools, shipped to Columbus.
fn terms() -> Value {
    json!({
        "lines": [{ "sku": PIPE_TOOL, "quantity": 2 }],
        "email": "ada@shop.example",
        "phone": "614 555 0142",
        "address": {
            "first_name": "Ada", "last_name": "Reed", "line1": "12 High Street", "city": "Columbus",
            "state": "OH", "postal_code": "43215",
        },
        "shipping_method": "ground",
    })
}

impl Desk {
    /// Requests the total, then creates the draft; returns its number.
    pub async fn drafted(&self, mut terms: Value) -> String {
        terms["expected_total"] = self.drafts_total(&terms).await;
        self.make(&terms).await.assert_status(200).json()["number"].as_str().unwrap().to_owned()
    }

    async fn drafts_total(&self, terms: &Value) -> Value {
        let mut asked = terms.clone();
        asked["expected_total"] = Value::Null;
        self.make(&asked).await.assert_status(200).json()["quote"]["total"].clone()
    }

    async fn make(&self, terms: &Value) -> Answer {
        self.call(&self.admin, "POST", "drafts", json!({ "draft_id": Uuid::now_v7(), "terms": terms })).await
    }

    /// The draft as staff see it.
    async fn draft(&self, number: &str) -> Value {
        let path = format!("/admin/orders/drafts/{number}");
        let page = self.bench.shop.call("GET", &path, &self.admin, Value::Null).await;
        page.assert_status(200).envelope()["props"]["draft"].clone()
    }

    /// The link where the buyer pays, without the shop's origin.
    pub async fn link(&self, number: &str) -> String {
        let link = self.draft(number).await["link"].as_str().unwrap().to_owned();
        link[link.find("/checkout").unwrap()..].to_owned()
    }

    /// What the link shows to a visitor who has passed the age gate.
    async fn opened(&self, link: &str) -> Value {
        self.bench.shop.get_verified(link).await.envelope()["props"].clone()
    }

    /// The body that a browser sends after opening the link and paying with a good card. Requests the total first.
    pub async fn click(&self, link: &str) -> Value {
        let draft = self.opened(link).await["draft"].clone();
        let mut body = json!({
            "checkout_id": draft["checkout_id"], "click_id": Uuid::now_v7(), "items": draft["items"],
            "email": draft["email"], "phone": draft["phone"], "address": draft["address"],
            "shipping_method": draft["shipping_method"], "payment_method": "square", "source_id": "cnon:card-nonce-ok",
        });
        body["expected_total"] = self.bench.quote(&body).await["total"].clone();
        body
    }

    async fn status_of(&self, number: &str) -> String {
        self.text("SELECT status FROM draft_orders WHERE number = $1", number).await
    }

    /// Calls one of a draft's actions with its current version.
    async fn on_draft(&self, number: &str, act: &str) -> Answer {
        let body = json!({ "version": self.draft(number).await["version"] });
        self.call(&self.admin, "POST", &format!("drafts/{number}/{act}"), body).await
    }

    /// Replaces the terms of a draft, using its current version; requests the total first.
    async fn rewrite(&self, number: &str, terms: &Value) -> Answer {
        let mut terms = terms.clone();
        terms["expected_total"] = self.drafts_total(&terms).await;
        let body = json!({ "version": self.draft(number).await["version"], "terms": terms });
        self.call(&self.admin, "PUT", &format!("drafts/{number}"), body).await
    }

    /// The user id for a subject.
    async fn user(&self, subject: &str) -> Uuid {
        let mut reader = self.bench.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM users WHERE subject = $1").bind(subject).fetch_one(c).await)
            .unwrap()
    }
}
