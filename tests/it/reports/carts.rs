//! Carts that were paid.

use jiff::civil::date;
use shop_base::clock::Clock;
use shop_base::sql;
use shop_domain::activity::model::{ActivityType, CheckedEvent, Reporter, StoredEvent};
use shop_domain::activity::store::insert_event;
use shop_domain::analytics::service::refresh;
use uuid::Uuid;

use super::{HOUR, MINUTE, midnight, own, set};
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![carts_are_paid_by_their_session_or_their_user, a_cart_is_paid_after_the_shortest_day];

/// A page view, or an addition to the cart, by a session and a user.
async fn does(shop: &TestShop, what: &str, session: u128, user: Option<Uuid>) {
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
    let stored = StoredEvent {
        id: event.lasting_id().unwrap(),
        results: None,
        reporter: Reporter { user_id: user, network: "203.0.113.0".to_owned() },
        received_at: shop.clock.now_ms(),
        event,
    };
    let mut tx = shop.app.db.begin().await.unwrap();
    insert_event(&mut tx.conn(), &stored).await.unwrap();
    tx.commit().await.unwrap();
}

async fn paid_carts(shop: &TestShop) -> Vec<(i64, i64)> {
    refresh(&shop.app).await.unwrap();
    let mut reader = shop.app.db.read().await.unwrap();
    sql!(&mut reader.conn(), c => sqlx::query_as("SELECT carts, carts_paid FROM visit_days ORDER BY day").fetch_all(c).await)
        .unwrap()
}

async fn carts_are_paid_by_their_session_or_their_user(shop: TestShop) {
    let shop = own(&shop, midnight(date(2026, 11, 3)) + 20 * HOUR).await;
    shop.sign_in("cart-owner", &["customer"]).await;
    let user: Uuid = {
        let mut reader = shop.app.db.read().await.unwrap();
        sql!(&mut reader.conn(), c => sqlx::query_scalar("SELECT id FROM users WHERE subject = 'cart-owner'").fetch_one(c).await)
            .unwrap()
    };
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
