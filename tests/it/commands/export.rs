//! `shop export`

use std::fs;

use super::{run, settings};
use crate::support::{Test, TestShop, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![everything_of_the_owner_is_exported];

async fn everything_of_the_owner_is_exported(shop: TestShop) {
    let folder = temporary_folder();
    shop.sign_in("exported-customer", &[]).await;
    let mut settings = settings(shop.app.config.data.database.expose());
    settings.retain(|(name, _)| *name != "SHOP_DATA");
    settings.push(("SHOP_DATA", shop.app.config.data.folder.display().to_string()));
    run(&folder, &settings, &["export", "out"]).await.assert_success();
    run(&folder, &settings, &["export", "out"]).await.assert_refused("is not empty");
    let out = folder.join("out");
    let mut products = csv::Reader::from_path(out.join("products.csv")).unwrap();
    assert!(products.headers().unwrap().iter().any(|title| title == "Variant SKU"));
    assert!(products.records().map(Result::unwrap).count() > 100);
    let read = |table: &str| {
        let mut reader = csv::Reader::from_path(out.join(format!("tables/{table}.csv"))).unwrap();
        let titles = reader.headers().unwrap().clone();
        (titles, reader.records().map(Result::unwrap).collect::<Vec<_>>())
    };
    let (titles, users) = read("users");
    let place = |title: &str| titles.iter().position(|each| each.trim_start_matches('\u{feff}') == title).unwrap();
    let user = users.iter().find(|user| &user[place("subject")] == "exported-customer").unwrap();
    assert_eq!(&user[place("email")], "exported-customer@shop.example");
    assert!(user[place("id")].parse::<uuid::Uuid>().is_ok(), "{}", &user[place("id")]);
    for table in ["orders", "order_lines", "payment_attempts", "refunds", "settings", "legal_versions", "addresses"] {
        read(table);
    }
    for secret in ["sessions", "endpoints", "pickup_links", "jobs"] {
        assert!(!out.join(format!("tables/{secret}.csv")).exists(), "{secret}");
    }
    let pictures = |folder: &std::path::Path| fs::read_dir(folder.join("pictures")).unwrap().count();
    assert_eq!(pictures(&out), pictures(&shop.app.config.data.folder));
}
