//! Checks that payments, orders and stock are consistent, in the provider's records and in the database.

use std::collections::BTreeMap;

use serde_json::Value;
use shop_base::db::Db;
use shop_base::sql;
use uuid::Uuid;

/// The stock on hand before anything was sold.
pub struct Books(BTreeMap<Uuid, i64>);

impl Books {
    pub async fn open(db: &Db) -> Self {
        let mut reader = db.read().await.unwrap();
        let mut conn = reader.conn();
        const SQL: &str =
            "SELECT l.variant_id, l.on_hand + CAST(COALESCE((SELECT SUM(r.quantity) FROM stock_reservations r
            WHERE r.variant_id = l.variant_id AND r.state = 'sold'), 0) AS BIGINT) FROM stock_levels l";
        let rows: Vec<(Uuid, i64)> = sql!(&mut conn, c => sqlx::query_as(SQL).fetch_all(c).await).unwrap();
        Self(rows.into_iter().collect())
    }

    /// Staff have found some pieces, or miss them.
    pub fn add(&mut self, variant: Uuid, pieces: i64) {
        *self.0.entry(variant).or_default() += pieces;
    }

    /// Each captured payment that was not refunded belongs to one placed order of its amount, each placed card order has one, no authorized
    /// payment is left without an order, each placed order has its goods, and staff find it, and the stock is exact.
    pub async fn assert_balance(&self, db: &Db, payments: &[Value]) {
        let mut kept: BTreeMap<String, i64> = BTreeMap::new();
        for payment in payments {
            let amount = payment["amount_money"]["amount"].as_i64().unwrap();
            let refunded = payment["refunded_money"]["amount"].as_i64().unwrap_or(0);
            match payment["status"].as_str().unwrap() {
                "COMPLETED" if refunded == amount => {}
                "COMPLETED" => {
                    assert_eq!(refunded, 0, "given back in part: {payment}");
                    let reference = payment["reference_id"].as_str().unwrap().to_owned();
                    assert!(kept.insert(reference, amount).is_none(), "captured twice: {payment}");
                }
                "APPROVED" => panic!("held for nobody: {payment}"),
                _ => {}
            }
        }
        assert_eq!(kept, placed(db).await, "captured payments and placed orders");
        let lacking = without_goods(db).await;
        assert!(lacking.is_empty(), "placed orders that have not taken their goods from the stock: {lacking:?}");
        let unknown = without_words(db).await;
        assert!(unknown.is_empty(), "placed orders that no search of staff finds: {unknown:?}");
        self.assert_stock_is_exact(db).await;
    }

    /// On hand is the initial stock minus the placed orders; reserved is what is held.
    pub async fn assert_stock_is_exact(&self, db: &Db) {
        let mut reader = db.read().await.unwrap();
        let mut conn = reader.conn();
        let taken: Vec<(Uuid, String, i64)> = sql!(&mut conn, c => sqlx::query_as(
            "SELECT variant_id, state, CAST(SUM(quantity) AS BIGINT) FROM stock_reservations GROUP BY variant_id, state")
            .fetch_all(c).await)
        .unwrap();
        let levels: Vec<(Uuid, i64, i64)> = sql!(&mut conn, c => sqlx::query_as(
            "SELECT variant_id, on_hand, reserved FROM stock_levels").fetch_all(c).await)
        .unwrap();
        let of = |variant: Uuid, state: &str| {
            taken.iter().find(|row| row.0 == variant && row.1 == state).map_or(0, |row| row.2)
        };
        for (variant, on_hand, reserved) in levels {
            assert_eq!(on_hand, self.0[&variant] - of(variant, "sold"), "on hand of {variant}");
            assert_eq!(reserved, of(variant, "held"), "reserved of {variant}");
        }
    }
}

/// The payment attempts of placed card orders, with their amounts.
async fn placed(db: &Db) -> BTreeMap<String, i64> {
    let mut reader = db.read().await.unwrap();
    let mut conn = reader.conn();
    let rows: Vec<(Uuid, i64)> = sql!(&mut conn, c => sqlx::query_as(
        "SELECT a.id, o.total FROM orders o JOIN payment_attempts a ON a.id = o.attempt_id
         WHERE o.status = 'placed' AND a.provider = 'square' AND o.payment_status <> 'refunded'")
        .fetch_all(c).await)
    .unwrap();
    rows.into_iter().map(|(id, total)| (id.to_string(), total)).collect()
}

/// The numbers of placed orders, with SKUs, that sold other quantities than they have. Movements are never deleted, and what comes back adds
/// some of another kind.
async fn without_goods(db: &Db) -> Vec<(String, String)> {
    let mut reader = db.read().await.unwrap();
    let mut conn = reader.conn();
    sql!(&mut conn, c => sqlx::query_as(
        "SELECT o.number, MIN(l.sku) FROM orders o JOIN order_lines l ON l.order_id = o.id
         WHERE o.status IN ('placed', 'archived') AND l.variant_id IS NOT NULL GROUP BY o.id, o.number, l.variant_id
         HAVING SUM(l.quantity) <> (SELECT -COALESCE(SUM(m.quantity), 0) FROM stock_movements m
             WHERE m.order_id = o.id AND m.variant_id = l.variant_id AND m.kind = 'sale')")
        .fetch_all(c).await)
    .unwrap()
}

/// The numbers of placed orders without the words by which staff find them.
async fn without_words(db: &Db) -> Vec<String> {
    let mut reader = db.read().await.unwrap();
    let mut conn = reader.conn();
    sql!(&mut conn, c => sqlx::query_scalar(
        "SELECT o.number FROM orders o WHERE o.placed_at IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM search_terms t WHERE t.subject_id = o.id AND t.kind = 'order')")
        .fetch_all(c).await)
    .unwrap()
}
