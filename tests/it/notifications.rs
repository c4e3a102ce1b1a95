//! Webhooks to other systems: an endpoint, and a shop that tells it.

pub mod delivery;
pub mod events;

use serde_json::{Value, json};
use shop_base::sql;
use shop_platform::jobs::worker::run_due;
use shop_platform::webhooks::model::NotificationKind;
use shop_platform::webhooks::service::listeners;

use crate::support::{Answer, Receiver, TestShop};

const CALL: &str = "/api/admin/settings/webhooks";
const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

/// An endpoint with its secret, as known to whoever created it.
pub struct Endpoint {
    pub id: String,
    pub secret: String,
}

/// The form for an endpoint that subscribes to all events.
pub fn everything(url: &str) -> Value {
    let events: Vec<&str> = NotificationKind::choices().map(NotificationKind::text).collect();
    json!({ "name": "Warehouse", "url": url, "events": events, "is_enabled": true })
}

pub async fn made(shop: &TestShop, cookie: &str, input: Value) -> Endpoint {
    let answer = shop.call("POST", CALL, cookie, input).await.assert_status(201).json();
    let text = |name: &str| answer[name].as_str().unwrap().to_owned();
    Endpoint { id: text("id"), secret: text("secret") }
}

pub async fn endpoint(shop: &TestShop, cookie: &str, id: &str) -> Value {
    let answer = shop.call("GET", &format!("/admin/settings/webhooks/{id}/_payload.json"), cookie, Value::Null).await;
    answer.assert_status(200).json()["props"]["endpoint"].clone()
}

const INTEGRATOR: &str = "integrator";

/// A separate shop with an admin and a receiver.
pub struct Scene {
    pub shop: TestShop,
    pub receiver: Receiver,
    pub endpoint: Endpoint,
}

impl Scene {
    pub async fn start(shop: &TestShop) -> Self {
        let shop = TestShop::with(shop.database, |_| {}).await;
        let cookie = shop.sign_in(INTEGRATOR, &["admin"]).await;
        let receiver = Receiver::open().await;
        let endpoint = made(&shop, &cookie, everything(&receiver.url)).await;
        Self { shop, receiver, endpoint }
    }

    /// Of a new session: the former may have ended, since the clock jumps.
    pub async fn cookie(&self) -> String {
        self.shop.sign_in(INTEGRATOR, &["admin"]).await
    }

    /// Adds an event.
    pub async fn tell(&self, subject: &str) {
        let mut tx = self.shop.app.db.begin().await.unwrap();
        let mut conn = tx.conn();
        let listeners = listeners(&mut conn, NotificationKind::StockLow).await.unwrap();
        listeners.announce(&mut conn, self.shop.clock.as_ref(), subject, &json!({ "on_hand": 1 })).await.unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn work(&self) {
        while run_due(&self.shop.app.worker()).await.unwrap() > 0 {}
    }

    pub async fn endpoint(&self) -> Value {
        endpoint(&self.shop, &self.cookie().await, &self.endpoint.id).await
    }

    pub async fn call(&self, method: &str, rest: &str, body: Value) -> Answer {
        self.shop.call(method, &format!("{CALL}/{}{rest}", self.endpoint.id), &self.cookie().await, body).await
    }

    /// Updates the endpoint at its current version.
    pub async fn change(&self, change: impl FnOnce(&mut Value)) {
        let mut input = everything(&self.receiver.url);
        change(&mut input);
        let body = json!({ "version": self.endpoint().await["version"], "endpoint": input });
        self.call("PUT", "", body).await.assert_status(204);
    }

    /// The log, the newest first.
    pub async fn log(&self, query: &str) -> Vec<Value> {
        let path = format!("/admin/settings/webhooks/log/_payload.json?{query}");
        let answer = self.shop.call("GET", &path, &self.cookie().await, Value::Null).await.assert_status(200).json();
        answer["props"]["dispatches"].as_array().unwrap().clone()
    }

    async fn execute(&self, statement: &'static str) {
        let mut tx = self.shop.app.db.begin().await.unwrap();
        sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn count(&self, statement: &'static str) -> i64 {
        let mut reader = self.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        sql!(&mut conn, c => sqlx::query_scalar(statement).fetch_one(c).await).unwrap()
    }
}
