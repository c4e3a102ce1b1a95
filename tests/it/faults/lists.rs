//! Whether the list of each node shows what the database says.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value;
use shop_base::sql;
use tokio::time::sleep;

use super::stage::{NODES, Stage};

const LIST: &str = "/category/pipe-care";
const PAUSE: Duration = Duration::from_millis(20);

/// Price and availability by handle.
type Shown = BTreeMap<String, (i64, String)>;

/// How long it takes until the lists of all nodes are right.
pub async fn rightness(stage: &Stage, limit: Duration) -> Duration {
    let began = Instant::now();
    loop {
        let wrong = wrong(stage).await;
        if wrong.is_none() {
            return began.elapsed();
        }
        assert!(began.elapsed() < limit, "the lists are not right after {limit:?}: {}", wrong.unwrap_or_default());
        sleep(PAUSE).await;
    }
}

async fn wrong(stage: &Stage) -> Option<String> {
    let right = right(stage).await;
    for node in 0..NODES {
        let shown = match stage.envelope(node, LIST).await {
            Ok(page) => shown(&page),
            Err(error) => return Some(format!("node {node}: {error}")),
        };
        for (handle, expected) in &right {
            if shown.get(handle) != Some(expected) {
                return Some(format!("node {node}, {handle}: {:?} instead of {expected:?}", shown.get(handle)));
            }
        }
    }
    None
}

/// Of the products with one variant, whose cards show that.
async fn right(stage: &Stage) -> Shown {
    const SQL: &str = "SELECT p.handle, v.price, s.on_hand - s.reserved, s.low_stock_threshold
        FROM products p JOIN product_variants v ON v.product_id = p.id JOIN stock_levels s ON s.variant_id = v.id
        JOIN categories c ON c.id = p.category_id JOIN categories above ON above.id = c.parent_id
        WHERE above.slug = 'pipe-care' AND (SELECT COUNT(*) FROM product_variants o WHERE o.product_id = p.id) = 1";
    let mut reader = stage.db.read().await.unwrap();
    let mut conn = reader.conn();
    let rows: Vec<(String, i64, i64, i64)> = sql!(&mut conn, c => sqlx::query_as(SQL).fetch_all(c).await).unwrap();
    let of = |available, threshold| match available {
        ..=0 => "out_of_stock",
        left if left <= threshold => "low_stock",
        _ => "in_stock",
    };
    rows.into_iter()
        .map(|(handle, price, available, threshold)| (handle, (price, of(available, threshold).to_owned())))
        .collect()
}

fn shown(page: &Value) -> Shown {
    let card = |card: &Value| {
        let path = card["href"].as_str().unwrap().split('?').next().unwrap();
        let availability = card["availability"].as_str().unwrap_or("in_stock").to_owned();
        (path.trim_start_matches("/product/").to_owned(), (card["price"].as_i64().unwrap(), availability))
    };
    page["props"]["items"].as_array().unwrap().iter().map(card).collect()
}
