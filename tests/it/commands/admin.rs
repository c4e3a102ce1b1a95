//! `shop admin`

use super::{run, settings};
use crate::support::{Test, TestShop, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![the_first_owner_gets_a_role];

async fn the_first_owner_gets_a_role(shop: TestShop) {
    let folder = temporary_folder();
    let settings = settings(shop.app.config.data.database.expose());
    let grant = |account: &'static str, role: &'static str| {
        let (folder, settings) = (folder.clone(), settings.clone());
        async move { run(&folder, &settings, &["admin", "grant", account, role]).await }
    };
    let cookie = shop.sign_in("first-owner", &[]).await;
    let overview = || shop.call("GET", "/admin/overview", &cookie, serde_json::Value::Null);
    overview().await.assert_status(403);
    grant("nobody@shop.example", "super_admin").await.assert_refused("sign in to the shop once");
    grant("first-owner@shop.example", "owner")
        .await
        .assert_refused("'owner' is no role: name one of super_admin, admin");
    grant("First-Owner@shop.example", "super_admin").await.assert_success();
    overview().await.assert_status(200);
    let audit = "/api/admin/audit.csv?q=user.assign_role";
    let entries = shop.call("GET", audit, &cookie, serde_json::Value::Null).await;
    let entries = entries.assert_status(200).text().to_owned();
    assert!(entries.contains("Command line"), "{entries}");
    // It overrides the roles of the provider.
    shop.sign_in("first-owner", &["customer"]).await;
    overview().await.assert_status(200);
    // An address that the provider has not verified may be anybody's.
    let statement = "UPDATE users SET email_verified = FALSE WHERE subject = 'first-owner'";
    let mut tx = shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    grant("first-owner@shop.example", "admin").await.assert_refused("by its id");
}
