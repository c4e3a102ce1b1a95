//! The previous release and this one work on the same tables: side by side, and one after the other in both directions.
//!
//! When there is a migration that the previous release does not know, `tests/with-former` builds that release and sets `FORMER_SHOP` to its
//! path. Otherwise no test runs two releases: decision 013 says what proves the rest of what they share.

use std::env;
use std::ffi::OsString;

use serde_json::Value;

use crate::kills::scene::{Scene, THIS_RELEASE};
use crate::support::{Database, Test, TestShop};
use crate::tests;

const WITH_FORMER: &[Test] = tests![both_releases_sell_on_the_same_tables];

pub fn list() -> &'static [Test] {
    if former().is_some() { WITH_FORMER } else { &[] }
}

fn former() -> Option<OsString> {
    env::var_os("FORMER_SHOP")
}

/// Buys and pays twice.
async fn buy(scene: &Scene, orders: &mut Vec<Value>) {
    for _ in 0..2 {
        let order = scene.order().await;
        assert_eq!(scene.pay(&order).await, 200);
        orders.push(order);
    }
}

async fn settle(scene: &mut Scene, orders: &[Value]) {
    scene.pass_until_settled().await;
    scene.assert_books_balance().await;
    for order in orders {
        scene.come_back(order).await;
    }
    scene.assert_books_balance().await;
}

async fn both_releases_sell_on_the_same_tables(shop: TestShop) {
    let (former, present) = (former().unwrap(), OsString::from(THIS_RELEASE));
    let mut orders = Vec::new();
    let mut scene = Scene::start_anew(shop.database, &former).await;
    buy(&scene, &mut orders).await;
    // Migrates the tables while the previous release is running.
    scene.migrate().await;
    buy(&scene, &mut orders).await;
    settle(&mut scene, &orders).await;

    if shop.database == Database::Postgres {
        let beside = scene.join(&present).await;
        for _ in 0..4 {
            let order = scene.order().await;
            scene.pay_unheard(&order);
            let other = scene.order().await;
            assert_eq!(scene.pay_beside(&beside, &other).await, 200);
            orders.extend([order, other]);
        }
        settle(&mut scene, &orders).await;
        beside.kill().await;
    }

    for program in [&present, &former, &present] {
        // Leaves unfinished jobs of these orders to the next program.
        buy(&scene, &mut orders).await;
        scene.kill().await;
        scene.replace_program(program);
        scene.restart().await;
        buy(&scene, &mut orders).await;
        settle(&mut scene, &orders).await;
    }
}
