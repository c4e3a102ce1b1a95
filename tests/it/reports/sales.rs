//! Sales.

use std::collections::BTreeMap;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use shop_base::clock::Clock;
use shop_base::db::Conn;
use shop_base::sql;
use shop_domain::analytics::service::refresh;
use uuid::Uuid;

use super::{DAY, DAYS, HOUR, STARTS, day_of, execute, forget, midnight, own, set};
use crate::support::{Test, TestShop, rounds};
use crate::tests;

pub const TESTS: &[Test] = tests![sales_equal_a_plain_count, a_recount_that_was_interrupted_goes_on];

/// The current state of one of the test's orders.
struct Order {
    id: Uuid,
    placed_at: i64,
    attempt: Uuid,
    paid: bool,
    captured: bool,
    /// None for those that the former release captured.
    captured_at: Option<i64>,
    former: bool,
    refunded_elsewhere: i64,
    quantity: i64,
    variant: usize,
}

const PRICE: i64 = 1_000;
const DISCOUNT: i64 = 150;
const TAX: i64 = 70;
const SHIPPING: i64 = 695;

impl Order {
    fn total(&self) -> i64 {
        self.quantity * PRICE - DISCOUNT + TAX + SHIPPING
    }

    async fn insert(&self, conn: &mut Conn<'_>, variants: &[Uuid], now: i64) {
        let goods = self.quantity * PRICE;
        sql!(&mut *conn, c => sqlx::query("INSERT INTO orders (id, number, token, checkout_id, email, phone, status,
            payment_status, fulfillment_status, currency, subtotal, discount_total, shipping_total, tax_total, total,
            shipping_method, shipping_name, picked_up, address, adult_signature, compliance, age_proof, version, created_at,
            updated_at, placed_at) VALUES ($1, $2, $2, $1, '', '', 'placed', 'authorized', 'unfulfilled', 'USD', $3, $4, $5, $6,
            $7, 'ground', 'Ground', FALSE, '{}', FALSE, '{}', '{}', 0, $8, $8, $9)")
            .bind(self.id).bind(self.id.to_string()).bind(goods).bind(DISCOUNT).bind(SHIPPING).bind(TAX).bind(self.total())
            .bind(now).bind(self.placed_at).execute(c).await.map(drop)).unwrap();
        sql!(&mut *conn, c => sqlx::query("INSERT INTO order_lines (id, order_id, variant_id, sku, title, variant_title, href,
            picture, compliance_class, weight_grams, quantity, unit_price, discount, tax, total, position)
            VALUES ($1, $1, $2, '', 'A thing', '', '', '{}', '', 0, $3, $4, $5, $6, $7, 0)")
            .bind(self.id).bind(variants.get(self.variant)).bind(self.quantity).bind(PRICE).bind(DISCOUNT).bind(TAX)
            .bind(goods - DISCOUNT + TAX).execute(c).await.map(drop)).unwrap();
        sql!(&mut *conn, c => sqlx::query("INSERT INTO payment_attempts (id, order_id, click_id, number, provider,
            idempotency_key, amount, currency, status, provider_updated_at, refunded, network, created_at, updated_at)
            VALUES ($1, $2, $1, 1, 'square', $3, $4, 'USD', 'authorized', 0, 0, '', $5, $6)")
            .bind(self.attempt).bind(self.id).bind(self.attempt.to_string()).bind(self.total()).bind(self.placed_at - 1_000)
            .bind(now).execute(c).await.map(drop)).unwrap();
    }

    /// Writes its state with the current time.
    async fn update(&self, conn: &mut Conn<'_>, refunded: i64, now: i64) {
        let status = if self.paid { "paid" } else { "voided" };
        let attempt = if self.captured { "captured" } else { "voided" };
        sql!(&mut *conn, c => sqlx::query("UPDATE orders SET payment_status = $2, updated_at = $3 WHERE id = $1")
            .bind(self.id).bind(status).bind(now).execute(c).await.map(drop))
        .unwrap();
        sql!(&mut *conn, c => sqlx::query(
            "UPDATE payment_attempts SET status = $2, refunded = $3, updated_at = $4, captured_at = $5 WHERE id = $1")
            .bind(self.attempt).bind(attempt).bind(refunded + self.refunded_elsewhere).bind(now).bind(self.captured_at)
            .execute(c).await.map(drop))
        .unwrap();
    }
}

async fn sales_equal_a_plain_count(shop: TestShop) {
    let shop = own(&shop, midnight(STARTS[0])).await;
    let variants: Vec<Uuid> = {
        let mut reader = shop.app.db.read().await.unwrap();
        sql!(&mut reader.conn(), c => sqlx::query_scalar("SELECT id FROM product_variants ORDER BY sku LIMIT 9")
            .fetch_all(c).await)
        .unwrap()
    };
    for round in 0..rounds(3, 40) {
        let seed = u64::try_from(round).unwrap();
        let mut rng = StdRng::seed_from_u64(seed);
        let start = midnight(STARTS[round % STARTS.len()]);
        forget(&shop).await;
        set(&shop, start);
        let mut orders: Vec<Order> = Vec::new();
        // Index of the order, amount, time of the settlement.
        let mut refunds: Vec<(usize, i64, i64)> = Vec::new();
        for _ in 0..120 {
            shop.clock.advance(rng.random_range(0..DAYS * DAY / 120));
            let now = shop.clock.now_ms();
            let mut tx = shop.app.db.begin().await.unwrap();
            let mut conn = tx.conn();
            if orders.is_empty() || rng.random_bool(0.5) {
                // Its transaction may end minutes after it began.
                let placed_at = now - rng.random_range(0..5 * 60_000);
                let order = Order {
                    id: Uuid::now_v7(),
                    placed_at,
                    attempt: Uuid::now_v7(),
                    paid: false,
                    captured: false,
                    captured_at: None,
                    former: rng.random_bool(0.2),
                    refunded_elsewhere: 0,
                    quantity: rng.random_range(1..5),
                    // The last index stands for a variant that no longer exists.
                    variant: rng.random_range(0..=variants.len()),
                };
                order.insert(&mut conn, &variants, now).await;
                orders.push(order);
            } else {
                let at = rng.random_range(0..orders.len());
                let ours =
                    |refunds: &[(usize, i64, i64)]| refunds.iter().filter(|r| r.0 == at).map(|r| r.1).sum::<i64>();
                match rng.random_range(0..6) {
                    0..=2 => (orders[at].paid, orders[at].captured) = (true, true),
                    3 => (orders[at].paid, orders[at].captured) = (false, rng.random()),
                    4 if orders[at].captured => {
                        let left = orders[at].total() - ours(&refunds) - orders[at].refunded_elsewhere;
                        if left > 1 {
                            let amount = rng.random_range(1..left);
                            let id = Uuid::now_v7();
                            sql!(&mut conn, c => sqlx::query("INSERT INTO refunds (id, order_id, attempt_id, idempotency_key,
                                amount, reason, status, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, '', 'settled', $6, $6)")
                                .bind(id).bind(orders[at].id).bind(orders[at].attempt).bind(id.to_string()).bind(amount)
                                .bind(now).execute(c).await.map(drop)).unwrap();
                            refunds.push((at, amount, now));
                        }
                    }
                    5 if orders[at].captured => {
                        let left = orders[at].total() - ours(&refunds) - orders[at].refunded_elsewhere;
                        orders[at].refunded_elsewhere += left / 4;
                    }
                    _ => {}
                }
                if orders[at].captured && !orders[at].former {
                    orders[at].captured_at.get_or_insert(now);
                }
                orders[at].update(&mut conn, ours(&refunds), now).await;
            }
            tx.commit().await.unwrap();
            if rng.random_bool(0.1) {
                // By a node whose clock is ahead, too.
                let ahead = if rng.random_bool(0.2) { 400 * DAY } else { 0 };
                shop.clock.advance(ahead);
                refresh(&shop.app).await.unwrap();
                shop.clock.advance(-ahead);
            }
        }
        refresh(&shop.app).await.unwrap();
        assert_eq!(rolled_sales(&shop).await, plain_sales(&orders, &refunds), "seed {seed} on {:?}", shop.database);
        assert_products(&shop, &orders, seed).await;
    }
}

async fn a_recount_that_was_interrupted_goes_on(shop: TestShop) {
    // So many that the first is seen long before all are counted.
    const PLACED: i64 = 300;
    const MARKED: &str = "SELECT CAST(COALESCE(SUM(refunds), 0) AS BIGINT) FROM sales_days";
    let start = midnight(STARTS[0]);
    let shop = own(&shop, start).await;
    forget(&shop).await;
    let mut tx = shop.app.db.begin().await.unwrap();
    for days in 1..=PLACED {
        let order = Order {
            id: Uuid::now_v7(),
            placed_at: start - days * DAY + HOUR,
            attempt: Uuid::now_v7(),
            paid: true,
            captured: false,
            captured_at: None,
            former: false,
            refunded_elsewhere: 0,
            quantity: 1,
            variant: 0,
        };
        order.insert(&mut tx.conn(), &[], start).await;
        order.update(&mut tx.conn(), 0, start).await;
    }
    tx.commit().await.unwrap();
    // Then no day has changed a moment ago.
    set(&shop, start + HOUR);
    let sum = async |query: &'static str| -> i64 {
        let mut reader = shop.app.db.read().await.unwrap();
        sql!(&mut reader.conn(), c => sqlx::query_scalar(query).fetch_one(c).await).unwrap()
    };
    tokio::select! {
        biased;
        () = async { while sum("SELECT COUNT(*) FROM sales_days").await == 0 {} } => {}
        outcome = refresh(&shop.app) => panic!("all was counted at once: {outcome:?}"),
    }
    execute(&shop, "UPDATE sales_days SET refunds = 1").await;
    let counted = sum(MARKED).await;
    assert!((1..PLACED).contains(&counted), "{counted}");
    refresh(&shop.app).await.unwrap();
    assert_eq!(sum("SELECT COUNT(*) FROM sales_days WHERE orders = 1").await, PLACED);
    assert_eq!(sum(MARKED).await, counted, "no day is counted again");
    refresh(&shop.app).await.unwrap();
    assert_eq!(sum(MARKED).await, counted);
}

/// orders, units, goods, discounts, shipping, tax, total, taken, refunds, refunded
type SalesFigures = [i64; 10];

async fn rolled_sales(shop: &TestShop) -> BTreeMap<String, SalesFigures> {
    type Row = (String, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64);
    let mut reader = shop.app.db.read().await.unwrap();
    let rows: Vec<Row> =
        sql!(&mut reader.conn(), c => sqlx::query_as("SELECT day, orders, units, goods, discounts, shipping, tax,
        total, taken, refunds, refunded FROM sales_days").fetch_all(c).await)
        .unwrap();
    rows.into_iter()
        .map(|(day, a, b, c, d, e, f, g, h, i, j)| (day, [a, b, c, d, e, f, g, h, i, j]))
        .filter(|(_, figures)| figures.iter().any(|figure| *figure != 0))
        .collect()
}

fn plain_sales(orders: &[Order], refunds: &[(usize, i64, i64)]) -> BTreeMap<String, SalesFigures> {
    let mut days: BTreeMap<String, SalesFigures> = BTreeMap::new();
    let mut add = |day: String, more: SalesFigures| {
        days.entry(day).or_default().iter_mut().zip(more).for_each(|(figure, more)| *figure += more);
    };
    for order in orders {
        if order.paid {
            let goods = order.quantity * PRICE;
            let figures = [1, order.quantity, goods, DISCOUNT, SHIPPING, TAX, order.total(), 0, 0, 0];
            add(day_of(order.placed_at), figures);
        }
        if order.captured {
            let taken_at = order.captured_at.unwrap_or(order.placed_at - 1_000);
            add(day_of(taken_at), [0, 0, 0, 0, 0, 0, 0, order.total() - order.refunded_elsewhere, 0, 0]);
        }
    }
    for (_, amount, at) in refunds {
        add(day_of(*at), [0, 0, 0, 0, 0, 0, 0, 0, 1, *amount]);
    }
    days.retain(|_, figures| figures.iter().any(|figure| *figure != 0));
    days
}

async fn assert_products(shop: &TestShop, orders: &[Order], seed: u64) {
    let mut reader = shop.app.db.read().await.unwrap();
    let rows: Vec<(String, i64, i64, i64)> = sql!(&mut reader.conn(), c => sqlx::query_as(
        "SELECT day, CAST(SUM(orders) AS BIGINT), CAST(SUM(units) AS BIGINT), CAST(SUM(amount) AS BIGINT)
         FROM sales_products GROUP BY day").fetch_all(c).await)
    .unwrap();
    let rolled: BTreeMap<String, (i64, i64, i64)> = rows.into_iter().map(|(day, a, b, c)| (day, (a, b, c))).collect();
    let mut plain: BTreeMap<String, (i64, i64, i64)> = BTreeMap::new();
    for order in orders.iter().filter(|order| order.paid) {
        let day = plain.entry(day_of(order.placed_at)).or_default();
        *day = (day.0 + 1, day.1 + order.quantity, day.2 + order.quantity * PRICE - DISCOUNT);
    }
    assert_eq!(rolled, plain, "seed {seed} on {:?}", shop.database);
}
