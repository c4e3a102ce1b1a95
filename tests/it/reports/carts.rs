//! Carts that were paid.

use std::ops::RangeInclusive;

use jiff::civil::date;
use shop_base::clock::Clock;
use shop_base::sql;
use shop_domain::activity::model::{ActivityType, CheckedEvent, Reporter, StoredEvent};
use shop_domain::activity::store::insert_events;
use shop_domain::analytics::service::refresh;
use uuid::Uuid;

use super::{HOUR, MINUTE, execute, midnight, own, set};
use crate::growth::steps::Steps;
use crate::support::{Database, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    carts_are_paid_by_their_session_or_their_user,
    a_cart_is_paid_after_the_shortest_day,
    an_account_of_many_sessions_costs_no_more_than_one_of_some,
    an_account_of_more_sessions_than_a_statement_takes_is_counted,
];

/// A page view, or an addition to the cart, by a session and a user.
async fn does(shop: &TestShop, what: &str, session: u128, user: Option<Uuid>) {
    all_do(shop, what, session..=session, user).await;
}

/// The same by each of these sessions.
async fn all_do(shop: &TestShop, what: &str, sessions: RangeInclusive<u128>, user: Option<Uuid>) {
    let events: Vec<StoredEvent> = sessions.map(|session| event(shop, what, session, user)).collect();
    let mut tx = shop.app.db.begin().await.unwrap();
    for some in events.chunks(1_000) {
        insert_events(&mut tx.conn(), some).await.unwrap();
    }
    tx.commit().await.unwrap();
}

fn event(shop: &TestShop, what: &str, session: u128, user: Option<Uuid>) -> StoredEvent {
    let kind = if what == "add" { ActivityType::CartAction } else { ActivityType::PageView };
    let event = CheckedEvent {
        kind,
        page: Some(if what == "add" { "/cart" } else { what }.to_owned()),
        feature: None,
        action: (what == "add").then(|| what.to_owned()),
        session_duration: None,
        session_id: Some(Uuid::from_u128(session)),
        occurred_at: shop.clock.now_ms(),
        reported_at: Some(shop.clock.now_ms()),
    };
    StoredEvent {
        id: event.lasting_id().unwrap(),
        results: None,
        reporter: Reporter { user_id: user, network: "203.0.113.0".to_owned() },
        received_at: shop.clock.now_ms(),
        event,
    }
}

/// Signs in the owner of carts.
async fn owner(shop: &TestShop) -> Uuid {
    shop.sign_in("cart-owner", &["customer"]).await;
    let mut reader = shop.app.db.read().await.unwrap();
    sql!(&mut reader.conn(), c => sqlx::query_scalar("SELECT id FROM users WHERE subject = 'cart-owner'").fetch_one(c).await)
        .unwrap()
}

async fn paid_carts(shop: &TestShop) -> Vec<(i64, i64)> {
    refresh(&shop.app).await.unwrap();
    let mut reader = shop.app.db.read().await.unwrap();
    sql!(&mut reader.conn(), c => sqlx::query_as("SELECT carts, carts_paid FROM visit_days ORDER BY day").fetch_all(c).await)
        .unwrap()
}

async fn carts_are_paid_by_their_session_or_their_user(shop: TestShop) {
    let shop = own(&shop, midnight(date(2026, 11, 3)) + 20 * HOUR).await;
    let user = owner(&shop).await;
    for (session, who) in [(1, None), (2, None), (3, Some(user)), (4, None)] {
        does(&shop, "add", session, who).await;
    }
    assert_eq!(paid_carts(&shop).await, [(4, 0)]);
    // The next day: the same session, the same user in another session, and a return to an old order's page.
    shop.clock.advance(10 * HOUR);
    for (session, who) in [(1, None), (20, Some(user))] {
        does(&shop, "/checkout", session, who).await;
        shop.clock.advance(1_000);
        does(&shop, "/order-confirmation", session, who).await;
    }
    does(&shop, "/order-confirmation", 4, None).await;
    assert_eq!(paid_carts(&shop).await, [(4, 2), (0, 0)]);
    // A checkout may be reported after its confirmation; and the limit is exactly 24 hours.
    shop.clock.advance(14 * HOUR - 3_000);
    does(&shop, "/checkout", 2, None).await;
    shop.clock.advance(1_001);
    does(&shop, "/order-confirmation", 2, None).await;
    assert_eq!(paid_carts(&shop).await[0], (4, 2), "a moment too late");
    let late = shop.clock.now_ms();
    set(&shop, late - 16 * HOUR);
    does(&shop, "/checkout", 4, None).await;
    set(&shop, late);
    assert_eq!(paid_carts(&shop).await[0], (4, 3));
}

async fn a_cart_is_paid_after_the_shortest_day(shop: TestShop) {
    // On March 14 the clocks are set forward: 24 hours before the payment it is March 13.
    let shop = own(&shop, midnight(date(2027, 3, 15)) - 10 * MINUTE).await;
    does(&shop, "add", 1, None).await;
    shop.clock.advance(8 * MINUTE);
    does(&shop, "/checkout", 1, None).await;
    assert_eq!(paid_carts(&shop).await, [(1, 0)]);
    shop.clock.advance(7 * MINUTE);
    does(&shop, "/order-confirmation", 1, None).await;
    assert_eq!(paid_carts(&shop).await, [(1, 1), (0, 0)]);
}

/// A browser names its session, so an account may send events of any number. None of them has a checkout, so that none of the
/// confirmations pays for a cart, and all are looked at.
async fn an_account_of_many_sessions_costs_no_more_than_one_of_some(shop: TestShop) {
    let shop = own(&shop, midnight(date(2026, 11, 3)) + 12 * HOUR).await;
    let user = owner(&shop).await;
    let fill = async |sessions: RangeInclusive<u128>| {
        shop.clock.advance(1_000);
        all_do(&shop, "add", sessions.clone(), Some(user)).await;
        all_do(&shop, "/order-confirmation", sessions, Some(user)).await;
        paid_carts(&shop).await
    };
    let steps = match shop.database {
        Database::Sqlite => Some(Steps::count(&shop.app.db).await),
        Database::Postgres => None,
    };
    let take = || steps.as_ref().map_or(0, Steps::take);
    let cost = async || {
        shop.clock.advance(1_000);
        does(&shop, "add", 1, Some(user)).await;
        take();
        refresh(&shop.app).await.unwrap();
        take()
    };
    assert_eq!(fill(1..=100).await, [(100, 0)]);
    let some = cost().await;
    assert_eq!(fill(101..=1_000).await, [(1_000, 0)], "all are counted");
    let many = cost().await;
    assert_eq!(some > 0, steps.is_some());
    assert!(many <= some + some / 2, "{some} steps for an event of an account with 100 sessions, {many} with 1,000");
    let count = async |sql: &'static str| -> i64 {
        let mut reader = shop.app.db.read().await.unwrap();
        sql!(&mut reader.conn(), c => sqlx::query_scalar(sql).fetch_one(c).await).unwrap()
    };
    assert_eq!(count("SELECT COUNT(*) FROM visit_users").await, 100);
    assert_eq!(count("SELECT COUNT(*) FROM visit_confirmations").await, 100);

    // A cart of a further session is paid in that session.
    shop.clock.advance(1_000);
    does(&shop, "/checkout", 1_000, None).await;
    shop.clock.advance(1_000);
    does(&shop, "/order-confirmation", 1_000, None).await;
    assert_eq!(paid_carts(&shop).await, [(1_000, 1)]);
    // So many views are known of a session, too.
    for _ in 0..110 {
        shop.clock.advance(1_000);
        does(&shop, "/order-confirmation", 1_000, None).await;
    }
    refresh(&shop.app).await.unwrap();
    assert_eq!(count("SELECT COUNT(*) FROM visit_confirmations").await, 200);
}

/// Such as a former release has stored. PostgreSQL takes up to 65,535 parameters.
async fn an_account_of_more_sessions_than_a_statement_takes_is_counted(shop: TestShop) {
    let shop = own(&shop, midnight(date(2026, 11, 3)) + 12 * HOUR).await;
    let user = owner(&shop).await;
    does(&shop, "add", 1, Some(user)).await;
    assert_eq!(paid_carts(&shop).await, [(1, 0)]);
    execute(
        &shop,
        "INSERT INTO visit_users (day, who, user_id)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)
         SELECT '2026-11-03', 'made-up-' || n.i, u.id FROM n, users u WHERE u.subject = 'cart-owner'",
    )
    .await;
    shop.clock.advance(1_000);
    does(&shop, "/checkout", 1, Some(user)).await;
    shop.clock.advance(1_000);
    does(&shop, "/order-confirmation", 1, Some(user)).await;
    assert_eq!(paid_carts(&shop).await, [(1, 1)]);
}
