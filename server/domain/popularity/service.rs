//! Best sellers and products bought together: the order of lists, and the related products on a product's page. Run by a recurring job.

use std::collections::HashMap;

use shop_base::context::Context;
use shop_base::db::DbError;
use shop_platform::jobs::model::HOUR;
use uuid::Uuid;

use super::store;
use crate::analytics::figures::Period;
use crate::analytics::read;
use crate::catalog::service::CHANGED;
use crate::sales::records::orders;

/// The number of days whose sales count.
const DAYS: i64 = 90;
/// The maximum number of orders, newest first, that are evaluated for products bought together.
const ORDERS: i64 = 20_000;
/// With fewer common orders it may be a coincidence.
const TOGETHER: i64 = 3;
/// How many related products are stored; some may be sold out when shown.
const RELATED: usize = 8;
/// Products per transaction.
const AT_ONCE: usize = 100;

/// Updates popularity and related products. As long as nothing was sold, both stay unchanged.
pub async fn refresh(cx: &Context) -> Result<(), DbError> {
    let today = cx.today();
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let sold = read::list_products(&mut conn, Period::ending(today, DAYS), i64::MAX).await?;
    if sold.is_empty() {
        return Ok(());
    }
    let units: HashMap<Uuid, i64> =
        sold.iter().filter_map(|sold| Some((sold.product.parse().ok()?, sold.units))).collect();
    let before = store::list_popularity(&mut conn).await?;
    let changed: Vec<(Uuid, i64)> = before
        .iter()
        .map(|(product, popularity)| (*product, *popularity, units.get(product).copied().unwrap_or(0)))
        .filter(|(_, popularity, units)| popularity != units)
        .map(|(product, _, units)| (product, units))
        .collect();
    let since = cx.clock.now_ms() - DAYS * 24 * HOUR;
    let pairs = orders::service::list_bought_together(&mut conn, since, ORDERS, TOGETHER).await?;
    let known = store::list_all_related(&mut conn).await?;
    let related = related(&pairs, &known);
    drop(reader);
    for products in changed.chunks(AT_ONCE) {
        let mut tx = cx.db.begin().await?;
        store::set_popularity(&mut tx.conn(), products).await?;
        tx.conn().after_commit_about(CHANGED, products.iter().map(|(product, _)| *product));
        tx.commit().await?;
    }
    for products in related.chunks(AT_ONCE) {
        let mut tx = cx.db.begin().await?;
        store::replace_related(&mut tx.conn(), products).await?;
        tx.conn().after_commit_about(CHANGED, products.iter().map(|(product, _)| *product));
        tx.commit().await?;
    }
    Ok(())
}

/// The products whose related ones change, by ascending id: the products most often bought with them first, then the previous ones.
fn related(pairs: &[(Uuid, Uuid, i64)], known: &HashMap<Uuid, Vec<Uuid>>) -> Vec<(Uuid, Vec<Uuid>)> {
    let mut bought: HashMap<Uuid, Vec<(i64, Uuid)>> = HashMap::new();
    for (product, other, orders) in pairs {
        bought.entry(*product).or_default().push((-orders, *other));
    }
    let mut changed: Vec<(Uuid, Vec<Uuid>)> = bought
        .into_iter()
        .filter_map(|(product, mut others)| {
            others.sort_unstable();
            let before = known.get(&product).map_or(&[][..], Vec::as_slice);
            let mut now: Vec<Uuid> = others.iter().map(|(_, other)| *other).collect();
            now.extend(before.iter().filter(|known| !others.iter().any(|(_, other)| other == *known)));
            now.truncate(RELATED);
            (now != before).then_some((product, now))
        })
        .collect();
    changed.sort_unstable();
    changed
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use uuid::Uuid;

    use super::{RELATED, related};

    #[test]
    fn what_is_bought_together_stands_before_what_was_there() {
        let id = Uuid::from_u128;
        let known = HashMap::from([(id(1), vec![id(5), id(3)]), (id(2), vec![id(1)]), (id(9), vec![id(1)])]);
        let pairs = [(id(2), id(1), 4), (id(1), id(2), 4), (id(1), id(3), 7)];
        // The second keeps its related products, and there is nothing new about the ninth.
        assert_eq!(related(&pairs, &known), [(id(1), vec![id(3), id(2), id(5)])]);
        let many: Vec<_> = (2..40).map(|other| (id(1), id(other), 3)).collect();
        assert_eq!(related(&many, &HashMap::new())[0].1.len(), RELATED);
    }
}
