//! `shop export`

use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

use shop_base::csv::save;
use shop_base::sql;
use sqlx::{Connection, Executor, PgConnection};
use tokio::process::Command;

use super::{Said, command, cramped, run, settings};
use crate::support::{Database, OnPostgres, Test, TestShop, new_postgres_database, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![
    everything_of_the_owner_is_exported,
    an_export_says_which_pictures_it_lacks,
    an_export_that_is_stopped_leaves_nothing,
    a_command_that_needs_a_shop_makes_none,
    a_file_on_a_full_disk_is_an_error,
];

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
    for file in ["products.csv", "tables/users.csv"] {
        let mode = fs::metadata(out.join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "others cannot read {file}");
    }
    for table in ["orders", "order_lines", "payment_attempts", "refunds", "settings", "legal_versions", "addresses"] {
        read(table);
    }
    for secret in ["sessions", "endpoints", "pickup_links", "jobs"] {
        assert!(!out.join(format!("tables/{secret}.csv")).exists(), "{secret}");
    }
    let pictures = |folder: &Path| fs::read_dir(folder.join("pictures")).unwrap().count();
    assert_eq!(pictures(&out), pictures(&shop.app.config.data.folder));
}

async fn an_export_says_which_pictures_it_lacks(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let folder = temporary_folder();
    let data = &shop.app.config.data;
    let elsewhere = settings(data.database.expose());
    let here = [elsewhere.clone(), vec![("SHOP_DATA", data.folder.display().to_string())]].concat();
    let said = run(&folder, &elsewhere, &["export", "none"]).await;
    said.assert_refused("pictures that products show is in the folder pictures in SHOP_DATA: check");
    assert!(!folder.join("none").exists());

    const SQL: &str = "SELECT MIN(media_key) FROM product_images";
    let mut reader = shop.app.db.read().await.unwrap();
    let lost: String = sql!(&mut reader.conn(), c => sqlx::query_scalar(SQL).fetch_one(c).await).unwrap();
    drop(reader);
    let file = data.folder.join("pictures").join(format!("{lost}.svg"));
    let picture = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    let said = run(&folder, &here, &["export", "lacking"]).await;
    assert_eq!(said.code, Some(3), "{}\n{}", said.out, said.err);
    assert!(said.out.contains("It lacks 1 of ") && said.out.contains(&format!("{lost} of /product/")), "{}", said.out);
    assert!(folder.join("lacking/products.csv").exists());

    // SQLite's own files are larger than what is exported of this shop.
    if shop.database == Database::Postgres {
        let said = Said::from(cramped(&folder, &here, &["export", "cramped"]).output().await.unwrap());
        said.assert_refused("nothing was exported to cramped: File too large");
        assert!(!folder.join("cramped").exists());
    }

    fs::write(&file, picture).unwrap();
    let said = run(&folder, &here, &["export", "whole"]).await;
    assert!(!said.assert_success().out.contains("It lacks"), "{}", said.out);
    assert!(folder.join("whole/pictures").join(format!("{lost}.svg")).exists());
}

async fn an_export_that_is_stopped_leaves_nothing(OnPostgres(_): OnPostgres) {
    let (folder, database) = (temporary_folder(), new_postgres_database().await);
    let settings = settings(&database);
    run(&folder, &settings, &["migrate"]).await.assert_success();
    // Holds it up at this table.
    let mut conn = PgConnection::connect(&database).await.unwrap();
    conn.execute("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let why = "error returned from database: canceling statement due to lock timeout";
    let exported = run(&folder, &settings, &["export", "out"]).await;
    exported.assert_refused(&format!("nothing was exported to out: {why}"));
    assert!(!folder.join("out").exists());
    run(&folder, &settings, &["admin", "grant", "owner@shop.example", "admin"]).await.assert_refused(why);
    let file = folder.join("out/partial/tables/users.csv");
    for (signal, code) in [("-TERM", Some(143)), ("-KILL", None)] {
        let mut child = command(&folder, &settings, &["export", "out"]).stderr(Stdio::piped()).spawn().unwrap();
        while !file.exists() {
            assert!(child.try_wait().unwrap().is_none(), "it ends before {signal}");
            tokio::task::yield_now().await;
        }
        let id = child.id().unwrap().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().await.unwrap().success());
        let said = Said::from(child.wait_with_output().await.unwrap());
        assert_eq!(said.code, code, "{}", said.err);
        let left = fs::read_dir(folder.join("out")).into_iter().flatten();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        if signal == "-KILL" {
            assert_eq!(left, ["partial"], "nothing that looks complete");
        } else {
            said.assert_refused("nothing was exported to out: stopped");
            assert!(left.is_empty() && !folder.join("out").exists(), "{left:?}");
        }
    }
    run(&folder, &settings, &["export", "out"]).await.assert_refused("is not empty");
    conn.close().await.unwrap();
    run(&folder, &settings, &["export", "new"]).await.assert_success();
}

/// Such as one from another folder than that in which a relative path begins.
async fn a_command_that_needs_a_shop_makes_none(shop: TestShop) {
    let folder = temporary_folder();
    let database = match shop.database {
        Database::Sqlite => "sqlite:shop.db".to_owned(),
        Database::Postgres => new_postgres_database().await,
    };
    let mut settings = settings(&database);
    settings.push(("SHOP_SECRET_FALLBACK", "fedcba9876543210fedcba9876543210".to_owned()));
    for arguments in [&["export", "out"][..], &["admin", "grant", "owner@shop.example", "admin"], &["reencrypt"]] {
        let said = run(&folder, &settings, arguments).await;
        said.assert_refused("there is no shop in the database that SHOP_DATABASE names");
    }
    run(&folder, &settings, &["backup", "new.backup"]).await.assert_refused("there is nothing to back up");
    for name in ["shop.db", "shop.lock", "out", "new.backup"] {
        assert!(!folder.join(name).exists(), "{name}");
    }
    let doctor = run(&folder, &settings, &["doctor"]).await.assert_success().out.clone();
    assert!(!doctor.contains("Migrations: all are applied"), "{doctor}");
}

async fn a_file_on_a_full_disk_is_an_error() {
    // So short that it is one write, which ends after it was handed over.
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let saved = save(full.into(), &["title"], |rows| async { Ok(rows) }).await;
    assert_eq!(saved.unwrap_err().kind(), ErrorKind::StorageFull);
}
