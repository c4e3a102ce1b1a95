//! Every two kinds of writers run concurrently on the same products, customers and orders: no server errors, no deadlocks, and the books are
//! exact.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use shop_base::sql;
use shop_platform::jobs::worker::run_due;
use sqlx::{Connection, PgConnection};
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::bench::{BUTANE, Bench, PIPE_TOOL};
use crate::admin::orders::Desk;
use crate::support::{Answer, Database, Test, TestShop, is_full, rounds, until};
use crate::tests;

pub const TESTS: &[Test] = tests![every_two_writers_get_along];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writer {
    Pay,
    Settle,
    CartSync,
    StockChange,
    StaffOrder,
    PromotionChange,
    Import,
    Refund,
    Cancel,
    Erase,
}

const WRITERS: [Writer; 10] = [
    Writer::Pay,
    Writer::Settle,
    Writer::CartSync,
    Writer::StockChange,
    Writer::StaffOrder,
    Writer::PromotionChange,
    Writer::Import,
    Writer::Refund,
    Writer::Cancel,
    Writer::Erase,
];

impl Writer {
    /// Counts what it alone has written.
    fn written(self) -> &'static str {
        match self {
            Self::Pay => "SELECT COUNT(*) FROM orders WHERE email LIKE 'buyer-%' AND placed_at IS NOT NULL",
            Self::Settle => "SELECT COUNT(*) FROM payment_attempts WHERE status = 'captured'",
            Self::CartSync => "SELECT COUNT(*) FROM cart_items",
            Self::StockChange => "SELECT COUNT(*) FROM stock_movements WHERE reason = 'received'",
            Self::StaffOrder => "SELECT COUNT(*) FROM audit_entries WHERE action = 'order.create'",
            Self::PromotionChange => "SELECT COUNT(*) FROM audit_entries WHERE action = 'promo.update'",
            Self::Import => "SELECT COUNT(*) FROM product_import_items WHERE state = 'applied'",
            Self::Refund => "SELECT COUNT(*) FROM refunds WHERE reason = 'A dent'",
            Self::Cancel => "SELECT COUNT(*) FROM audit_entries WHERE action = 'order.cancel'",
            Self::Erase => "SELECT COUNT(*) FROM users WHERE deleted_at IS NOT NULL",
        }
    }
}

struct Scene {
    desk: Desk,
    shoppers: Vec<String>,
    goods: [Uuid; 2],
    promo: Uuid,
}

const CODE: &str = "PAIRS10";

/// Reads and write transactions that `PROOFS=full` takes, in as many passes as it needs.
const OPERATIONS: u64 = 100_000;

/// How often two writers meet at most until each has written: it may be refused because the other one was faster.
const MEETINGS: usize = 10;

fn terms(version: Option<i64>) -> Value {
    json!({ "code": CODE, "kind": "percent", "value": 1_000, "active": true, "version": version })
}

impl Scene {
    async fn start(shop: &TestShop) -> Self {
        let mut bench = Bench::start(shop.database).await;
        for sku in [PIPE_TOOL, BUTANE] {
            bench.stock(sku, 100_000).await;
        }
        let desk = Desk::at(bench).await;
        let shop = &desk.bench.shop;
        let made = shop.call("POST", "/api/admin/settings/promotions", &desk.admin, terms(None)).await;
        assert!(made.status.is_success(), "{}", made.text());
        let promo = desk.bench.id("SELECT id FROM promo_codes WHERE code = 'PAIRS10'").await;
        let mut shoppers = Vec::new();
        for name in ["pairs-ada", "pairs-bo"] {
            shoppers.push(format!("{}; {}", shop.sign_in(name, &["customer"]).await, shop.age_cookie()));
        }
        let goods = [desk.bench.variant(PIPE_TOOL).await, desk.bench.variant(BUTANE).await];
        let scene = Self { desk, shoppers, goods, promo };
        for at in 0..8 {
            scene.act(Writer::Pay, at).await;
        }
        scene.desk.bench.work().await;
        scene
    }

    async fn send(&self, who: &str, method: &str, path: &str, body: Value) -> Answer {
        let answer = self.desk.bench.shop.call(method, path, who, body).await;
        assert!(!answer.status.is_server_error(), "{method} {path}: {} {}", answer.status, answer.text());
        answer
    }

    fn shopper(&self, at: usize) -> &str {
        &self.shoppers[at % self.shoppers.len()]
    }

    /// Both products, in either order.
    fn items(&self, at: usize) -> Value {
        let quantity = at % 3 + 1;
        let mut items = self.goods.map(|id| json!({ "id": id, "qty": quantity }));
        if at % 2 == 1 {
            items.reverse();
        }
        json!(items)
    }

    /// Any placed order whose payment was captured.
    async fn paid_order(&self, at: usize) -> Option<String> {
        let mut reader = self.desk.bench.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        let numbers: Vec<String> =
            sql!(&mut conn, c => sqlx::query_scalar("SELECT number FROM orders WHERE status = 'placed'
            AND payment_status IN ('paid', 'partially_refunded') AND picked_up = FALSE ORDER BY id DESC LIMIT 3")
            .fetch_all(c).await)
            .unwrap();
        (!numbers.is_empty()).then(|| numbers[at % numbers.len()].clone())
    }

    /// An action by staff on the current version of an order.
    async fn decide(&self, at: usize, act: &str, mut body: Value) -> bool {
        let Some(number) = self.paid_order(at).await else { return false };
        body["version"] = json!(self.desk.version(&number).await);
        let path = format!("/api/admin/orders/{number}/{act}");
        self.send(&self.desk.admin, "POST", &path, body).await.status.is_success()
    }

    /// False if it was refused, or there was nothing to do.
    async fn act(&self, writer: Writer, at: usize) -> bool {
        let desk = &self.desk;
        match writer {
            Writer::Pay => {
                let mut order = json!({
                    "checkout_id": Uuid::now_v7(), "click_id": Uuid::now_v7(), "items": self.items(at), "promo_code": CODE,
                    "email": format!("buyer-{}@shop.example", Uuid::now_v7().simple()),
                    "address": {
                        "first_name": "Ada", "last_name": "Reed", "line1": "12 High Street", "city": "Columbus",
                        "state": "OH", "postal_code": "43215",
                    },
                    "shipping_method": "ground", "payment_method": "square", "source_id": "cnon:card-nonce-ok",
                });
                order["expected_total"] = desk.bench.quote(&order).await["total"].clone();
                let paid = self.send(self.shopper(at), "POST", "/api/checkout/pay", order).await;
                assert!([200, 202, 409].contains(&paid.status.as_u16()), "{} {}", paid.status, paid.text());
                paid.status == 200
            }
            Writer::Settle => run_due(&desk.bench.shop.app.for_jobs().worker()).await.unwrap() > 0,
            Writer::CartSync => {
                let cart = json!({ "items": self.items(at), "base": [], "promo_code": null });
                self.send(self.shopper(at), "POST", "/api/cart/sync", cart).await.assert_status(200);
                true
            }
            Writer::StockChange => {
                let (variant, sku) = (self.goods[at % 2], [PIPE_TOOL, BUTANE][at % 2]);
                let change = json!({ "seen": desk.on_hand(sku).await, "delta": 2, "reason": "received" });
                let path = format!("/api/admin/stock/{variant}");
                self.send(&desk.admin, "POST", &path, change).await.status.is_success()
            }
            Writer::StaffOrder => {
                let skus = [PIPE_TOOL, BUTANE];
                let mut order = json!({
                    "checkout_id": Uuid::now_v7(), "click_id": Uuid::now_v7(), "promo_code": CODE,
                    "lines": [{ "sku": skus[at % 2], "quantity": 1 },
                        { "sku": skus[(at + 1) % 2], "quantity": 1 }],
                    "email": "walk-in@shop.example", "first_name": "Bo", "last_name": "Lind",
                });
                let path = "/api/admin/orders";
                let told = self.send(&desk.admin, "POST", path, order.clone()).await.assert_status(200).json();
                order["expected_total"] = told["quote"]["total"].clone();
                self.send(&desk.admin, "POST", path, order).await.status.is_success()
            }
            Writer::PromotionChange => {
                let version = desk.figure("SELECT version FROM promo_codes WHERE code = $1", CODE).await;
                let path = format!("/api/admin/settings/promotions/{}", self.promo);
                self.send(&desk.admin, "PUT", &path, terms(Some(version))).await.status.is_success()
            }
            Writer::Import => self.import(at).await,
            Writer::Refund => {
                let refund = json!({
                    "request_id": Uuid::now_v7(), "extra": 100, "reason": "A dent", "expected_amount": 100,
                });
                self.decide(at, "refunds", refund).await
            }
            Writer::Cancel => self.decide(at, "cancellation", json!({ "restock": true, "by_shopper": true })).await,
            Writer::Erase => {
                let name = format!("pairs-{}", Uuid::now_v7().simple());
                let leaver = desk.bench.shop.sign_in(&name, &["customer"]).await;
                let cart = json!({ "items": self.items(at), "base": [], "promo_code": null });
                let confirm = json!({ "confirm": format!("{name}@shop.example") });
                let (_, erased) = tokio::join!(
                    self.send(&leaver, "POST", "/api/cart/sync", cart),
                    self.send(&leaver, "DELETE", "/api/me", confirm)
                );
                erased.status.is_success()
            }
        }
    }

    /// Imports stock counts for both products. A sale in between invalidates the file, which is no error.
    async fn import(&self, at: usize) -> bool {
        let mut file = "Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty\n".to_owned();
        for sku in [PIPE_TOOL, BUTANE] {
            const SQL: &str = "SELECT p.handle, p.title, v.price, s.on_hand FROM product_variants v
                JOIN products p ON p.id = v.product_id JOIN stock_levels s ON s.variant_id = v.id WHERE v.sku = $1";
            let mut reader = self.desk.bench.shop.app.db.read().await.unwrap();
            let mut conn = reader.conn();
            let (handle, title, price, on_hand): (String, String, i64, i64) =
                sql!(&mut conn, c => sqlx::query_as(SQL).bind(sku).fetch_one(c).await).unwrap();
            let counted = on_hand + i64::try_from(at % 5).unwrap() + 1;
            file += &format!("{handle},\"{title}\",{sku},{}.{:02},{counted}\n", price / 100, price % 100);
        }
        let path = "/api/admin/products/imports";
        let shop = &self.desk.bench.shop;
        let request = axum::http::Request::post(format!("{path}?name=stock.csv"))
            .header("cookie", &self.desk.admin)
            .header("sec-fetch-site", "same-origin")
            .header("origin", shop.app.config.http.shop_origin())
            .header("content-type", "text/csv");
        let started = shop.send(request.body(axum::body::Body::from(file)).unwrap()).await;
        assert!(!started.status.is_server_error(), "{}", started.text());
        let Some(id) = started.json()["id"].as_str().map(str::to_owned) else { return false };
        if self.wait(&id, "reading").await["state"] != "checked" {
            return false;
        }
        let applied = self.send(&self.desk.admin, "POST", &format!("{path}/{id}/apply"), Value::Null).await;
        applied.status == 202 && self.wait(&id, "applying").await["products"]["applied"] != 0
    }

    /// An import after it has left this state.
    async fn wait(&self, id: &str, state: &str) -> Value {
        let path = format!("/api/admin/products/imports/{id}");
        let look = async {
            loop {
                let view = self.send(&self.desk.admin, "GET", &path, Value::Null).await.json();
                if view["state"] != state {
                    return view;
                }
                // A file is read by the node that receives it, and applied by jobs.
                run_due(&self.desk.bench.shop.app.worker()).await.unwrap();
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(Duration::from_secs(60), look).await.expect("an import ends")
    }

    /// Reads and write transactions so far.
    fn operations(&self) -> u64 {
        self.desk.bench.shop.app.db.uses().iter().map(|pool| pool.waits.count()).sum()
    }

    /// Orders for those who do something with them.
    async fn prepare(&self, writers: [Writer; 2]) {
        if writers.iter().any(|writer| matches!(writer, Writer::Refund | Writer::Cancel)) {
            self.buy().await;
            self.desk.bench.work().await;
        }
        if writers.contains(&Writer::Settle) {
            self.buy().await;
        }
    }

    async fn buy(&self) {
        for at in 0..2 {
            self.act(Writer::Pay, at).await;
        }
    }

    /// Two of each at the same time, so that each kind also competes with itself. Returns those that have written.
    async fn meet(self: &Arc<Self>, one: Writer, other: Writer, times: usize) -> Vec<Writer> {
        self.prepare([one, other]).await;
        let mut writers = JoinSet::new();
        for (number, writer) in [one, other, one, other].into_iter().enumerate() {
            let scene = Arc::clone(self);
            writers.spawn(async move {
                let mut has_written = false;
                for time in 0..times {
                    has_written |= scene.act(writer, number + time).await;
                }
                has_written.then_some(writer)
            });
        }
        let mut have_written = Vec::new();
        while let Some(ended) = writers.join_next().await {
            match ended {
                Ok(writer) => have_written.extend(writer),
                Err(error) => panic!("{one:?} beside {other:?}: {error:?}"),
            }
        }
        have_written
    }

    async fn meet_until_both_have_written(self: &Arc<Self>, one: Writer, other: Writer, times: usize) {
        let mut have_written = Vec::new();
        for _ in 0..MEETINGS {
            have_written.extend(self.meet(one, other, times).await);
            if have_written.contains(&one) && have_written.contains(&other) {
                return;
            }
        }
        panic!("{one:?} beside {other:?}: only {have_written:?} have written");
    }

    /// The rows of this statement, by variant.
    async fn by_variant(&self, statement: &'static str) -> BTreeMap<Uuid, i64> {
        let mut reader = self.desk.bench.shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        let rows: Vec<(Uuid, i64)> = sql!(&mut conn, c => sqlx::query_as(statement).fetch_all(c).await).unwrap();
        rows.into_iter().filter(|(_, quantity)| *quantity != 0).collect()
    }

    /// On hand is the initial stock plus all movements; reserved is what orders hold; sales are what orders have bought.
    async fn assert_books_are_exact(&self, before: &BTreeMap<Uuid, i64>) {
        const HELD: &str = "SELECT variant_id, CAST(SUM(quantity) AS BIGINT) FROM stock_reservations WHERE state = 'held' GROUP BY variant_id";
        const SOLD: &str = "SELECT variant_id, CAST(SUM(quantity) AS BIGINT) FROM stock_reservations WHERE state = 'sold' GROUP BY variant_id";
        const LEFT: &str = "SELECT variant_id, CAST(-SUM(quantity) AS BIGINT) FROM stock_movements
            WHERE order_id IS NOT NULL GROUP BY variant_id";
        assert_eq!(&self.by_variant(UNEXPLAINED).await, before, "on hand without movements");
        assert_eq!(self.by_variant("SELECT variant_id, reserved FROM stock_levels").await, self.by_variant(HELD).await);
        assert_eq!(self.by_variant(SOLD).await, self.by_variant(LEFT).await, "sold");
        let bench = &self.desk.bench;
        let miscounted = "SELECT COUNT(*) FROM promo_codes p
            WHERE used <> (SELECT COUNT(*) FROM promo_redemptions r WHERE r.promo_id = p.id)";
        assert_eq!(bench.count(miscounted).await, 0, "uses of codes");
        let miscounted = "SELECT COUNT(*) FROM users u WHERE order_count <> (SELECT COUNT(*) FROM orders o
            WHERE o.user_id = u.id AND o.status IN ('placed', 'archived'))";
        assert_eq!(bench.count(miscounted).await, 0, "orders of customers");
        self.desk.assert_log_is_sound().await;
        for payment in bench.stand_in.payments() {
            let reference: Uuid = payment["reference_id"].as_str().unwrap().parse().unwrap();
            let mut reader = bench.shop.app.db.read().await.unwrap();
            let mut conn = reader.conn();
            const SQL: &str = "SELECT a.status, a.amount, a.refunded, o.status FROM payment_attempts a
                JOIN orders o ON o.id = a.order_id WHERE a.id = $1";
            let (attempt, amount, refunded, order): (String, i64, i64, String) =
                sql!(&mut conn, c => sqlx::query_as(SQL).bind(reference).fetch_one(c).await).unwrap();
            assert_eq!(payment["amount_money"]["amount"], amount);
            assert_eq!(payment["refunded_money"]["amount"].as_i64().unwrap_or(0), refunded, "{payment}");
            match payment["status"].as_str().unwrap() {
                "COMPLETED" => assert_eq!(attempt, "captured"),
                "CANCELED" => assert_eq!(attempt, "voided"),
                status => panic!("{status}: {payment}"),
            }
            match order.as_str() {
                "placed" => assert_eq!(attempt, "captured"),
                "canceled" => assert!(attempt == "voided" || refunded == amount, "{attempt}, {refunded} of {amount}"),
                status => panic!("{status}: {payment}"),
            }
        }
    }
}

/// The stock that no movement explains.
const UNEXPLAINED: &str =
    "SELECT s.variant_id, s.on_hand - CAST(COALESCE((SELECT SUM(m.quantity) FROM stock_movements m
    WHERE m.variant_id = s.variant_id), 0) AS BIGINT) FROM stock_levels s";

/// Asserts that PostgreSQL has ended no deadlock in the shop's database, which it closes: a connection may count its own as late as at its
/// end. No pair is known for one in a transaction that nobody tried again and whose error was only logged.
async fn assert_no_deadlock_was_ended(shop: &TestShop) {
    const OTHERS: &str = "SELECT COUNT(*) FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
    const DEADLOCKS: &str = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    shop.app.db.close().await;
    let conn = Mutex::new(PgConnection::connect(shop.app.config.data.database.expose()).await.unwrap());
    let count = async |statement: &'static str| {
        let mut conn = conn.lock().await;
        sqlx::query_scalar::<_, i64>(statement).fetch_one(&mut *conn).await.unwrap()
    };
    until("all connections of the shop have ended", async || count(OTHERS).await == 0).await;
    assert_eq!(count(DEADLOCKS).await, 0, "the server's log has the statements");
}

async fn every_two_writers_get_along(shop: TestShop) {
    let scene = Arc::new(Scene::start(&shop).await);
    let before = scene.by_variant(UNEXPLAINED).await;
    let bench = &scene.desk.bench;
    let retries = || bench.shop.app.db.retries();
    let times = rounds(2, 40);
    // Transactions that ended in a deadlock, and ran again. Two that insert the same key may (decision 014), but none of these is known to.
    let mut deadlocks: BTreeMap<String, u64> = BTreeMap::new();
    loop {
        for (at, one) in WRITERS.into_iter().enumerate() {
            for other in WRITERS.into_iter().skip(at) {
                let so_far = retries();
                scene.meet_until_both_have_written(one, other, times).await;
                let more = retries() - so_far;
                if more > 0 {
                    *deadlocks.entry(format!("{one:?} beside {other:?}")).or_default() += more;
                }
            }
        }
        if !is_full() || scene.operations() >= OPERATIONS {
            break;
        }
    }
    assert!(deadlocks.is_empty(), "transactions that met in a deadlock, by pair: {deadlocks:?}");
    // The clock has stood still, so a job that failed has not been tried again.
    const MET: &str = "SELECT COUNT(*) FROM jobs WHERE last_error LIKE '%deadlock%' OR last_error LIKE '%serialize%'
        OR last_error LIKE '%is locked%'";
    assert_eq!(bench.count(MET).await, 0, "jobs that met others");
    bench.let_pass(60).await;
    scene.assert_books_are_exact(&before).await;
    for writer in WRITERS {
        assert!(bench.count(writer.written()).await > 0, "{writer:?} was always refused");
    }
    if shop.database == Database::Postgres {
        assert_no_deadlock_was_ended(&bench.shop).await;
    }
}
