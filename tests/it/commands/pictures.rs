//! Commands of a shop whose pictures are in a store that speaks S3.

use std::fs;

use super::backup::until_unused;
use super::{run, settings};
use crate::support::ports::free_port;
use crate::support::s3::{S3, SECRET_KEY};
use crate::support::{Database, Test, TestShop, new_postgres_database, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![commands_work_with_pictures_in_a_store];

async fn commands_work_with_pictures_in_a_store(shop: TestShop) {
    let store = S3::start().await;
    let folder = temporary_folder();
    // Without products, which would need other pictures.
    let database = match shop.database {
        Database::Sqlite => format!("sqlite:{}", folder.join("shop.db").display()),
        Database::Postgres => new_postgres_database().await,
    };
    let pictures = folder.join("pictures");
    fs::create_dir(&pictures).unwrap();
    let name = |number: usize| format!("{number:020x}.{}", ["webp", "svg"][number % 2]);
    for number in 0..10 {
        fs::write(pictures.join(name(number)), vec![number as u8; 100_000 * number]).unwrap();
    }
    let expected: Vec<String> = (0..10).map(name).collect();
    let in_folder = settings(&database);
    let in_store = [settings(&database), store.settings("first")].concat();
    run(&folder, &in_folder, &["migrate"]).await.assert_success();

    // A shop moves from its folder into the store.
    run(&folder, &in_folder, &["copy-pictures"]).await.assert_refused("SHOP_PICTURES is not set");
    let none = run(&temporary_folder(), &in_store, &["copy-pictures"]).await;
    none.assert_refused("there are no pictures in ./pictures: check SHOP_DATA");
    let said = run(&folder, &in_store, &["copy-pictures"]).await;
    assert!(said.assert_success().out.contains("Pictures copied: 10, there already: 0."), "{}", said.out);
    let said = run(&folder, &in_store, &["copy-pictures"]).await;
    assert!(said.assert_success().out.contains("Pictures copied: 0, there already: 10."), "{}", said.out);
    let mut stored = store.list("first").await;
    stored.sort();
    assert_eq!(stored, expected);
    let same = |there: &std::path::Path| {
        let mut names: Vec<_> =
            fs::read_dir(there).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, expected);
        for name in &expected {
            assert!(fs::read(there.join(name)).unwrap() == fs::read(pictures.join(name)).unwrap(), "{name}");
        }
    };

    // Backup, restore and export take them from there.
    let elsewhere = temporary_folder();
    let second = match shop.database {
        Database::Sqlite => format!("sqlite:{}", elsewhere.join("shop.db").display()),
        Database::Postgres => new_postgres_database().await,
    };
    let (file, out) = (elsewhere.join("backup"), elsewhere.join("out"));
    run(&elsewhere, &in_store, &["backup", file.to_str().unwrap()]).await.assert_success();
    let restore = ["restore", file.to_str().unwrap(), "--replace"];
    let said = run(&elsewhere, &[settings(&second), store.settings("second")].concat(), &restore).await;
    assert!(said.assert_success().out.contains("Pictures: 10."), "{}", said.out);
    let mut stored = store.list("second").await;
    stored.sort();
    assert_eq!(stored, expected);
    assert!(fs::read_dir(elsewhere.join("pictures")).is_err(), "the folder is not used");
    run(&elsewhere, &[settings(&second), store.settings("second")].concat(), &["export", out.to_str().unwrap()])
        .await
        .assert_success();
    same(&out.join("pictures"));
    until_unused(&second).await;
    run(&elsewhere, &settings(&second), &restore).await.assert_success();
    same(&elsewhere.join("pictures"));

    // The doctor tries the store, and no output has the secret.
    let mut away = in_store.clone();
    away.push(("SHOP_S3_ENDPOINT", format!("http://127.0.0.1:{}", free_port())));
    let mut nowhere = in_store.clone();
    nowhere.push(("SHOP_PICTURES", "s3://another/first".to_owned()));
    for (settings, line) in [
        (&in_store, "ok      Pictures: A test file was written, read back, and deleted."),
        (&away, "error   Pictures: the store of pictures: "),
        (&nowhere, "error   Pictures: the store of pictures: "),
    ] {
        let said = run(&elsewhere, settings, &["doctor"]).await;
        assert!(said.out.lines().any(|found| found.starts_with(line)), "{line} is not in\n{}", said.out);
        assert!(!said.out.contains(SECRET_KEY) && !said.err.contains(SECRET_KEY), "{}\n{}", said.out, said.err);
        if settings != &in_store {
            assert!(said.out.contains("; check SHOP_PICTURES and the SHOP_S3_… settings"), "{}", said.out);
        }
    }
    assert!(store.list("first").await.iter().all(|name| !name.starts_with("check")));
    let said = run(&elsewhere, &away, &["backup", elsewhere.join("none").to_str().unwrap()]).await;
    assert!(
        !said.assert_refused("none was not written: the store of pictures: ").err.contains(SECRET_KEY),
        "{}",
        said.err
    );
    assert!(!elsewhere.join("none").exists());
}
