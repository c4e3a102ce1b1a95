//! Roll-ups equal a plain count of the rows, even if events arrive late, twice or in another order.

pub mod carts;
pub mod crowded_day;
pub mod events;
pub mod sales;
pub mod visits;

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use shop_base::clock::Clock;
use shop_base::sql;

use crate::support::TestShop;

pub const MINUTE: i64 = 60_000;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

fn zone() -> TimeZone {
    TimeZone::get("America/New_York").unwrap()
}

/// Days around the end of a month, and around the daylight saving changes in autumn and spring.
pub const STARTS: [Date; 3] = [date(2026, 10, 30), date(2027, 3, 12), date(2026, 12, 30)];
pub const DAYS: i64 = 4;

pub fn midnight(day: Date) -> i64 {
    day.to_zoned(zone()).unwrap().timestamp().as_millisecond()
}

pub fn day_of(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).unwrap().to_zoned(zone()).date().to_string()
}

pub async fn own(shop: &TestShop, now: i64) -> TestShop {
    let shop = TestShop::with(shop.database, |_| {}).await;
    set(&shop, now);
    shop
}

pub fn set(shop: &TestShop, now: i64) {
    shop.clock.advance(now - shop.clock.now_ms());
}

pub async fn execute(shop: &TestShop, statement: &'static str) {
    let mut tx = shop.app.db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

pub async fn forget(shop: &TestShop) {
    for statement in [
        "DELETE FROM rollups",
        "DELETE FROM sales_days",
        "DELETE FROM sales_products",
        "DELETE FROM visit_days",
        "DELETE FROM visit_counts",
        "DELETE FROM activity_events",
        "DELETE FROM refunds",
        "DELETE FROM payment_attempts",
        "DELETE FROM orders",
    ] {
        execute(shop, statement).await;
    }
}
