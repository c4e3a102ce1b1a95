//! An SQLite file that is damaged, or that the shop may not write.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use sqlx::{Connection, SqliteConnection};
use tokio::process::Command;

use super::{BINARY, Said, cramped, run, settings};
use crate::support::{OnSqlite, Test, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_damaged_file_is_refused,
    a_folder_that_is_read_only_is_refused,
    a_first_start_that_fails_leaves_no_database,
];

async fn a_damaged_file_is_refused(OnSqlite(_): OnSqlite) {
    let folder = temporary_folder();
    let file = folder.join("shop.db");
    let mut settings = settings("sqlite:shop.db");
    settings.push(("SHOP_ADDRESS", "127.0.0.1:0".to_owned()));
    run(&folder, &settings, &["migrate"]).await.assert_success();
    let whole = fs::read(&file).unwrap();
    let doctor = run(&folder, &settings, &["doctor"]).await;
    assert!(doctor.assert_success().out.contains("ok      Database file: all pages are sound"), "{}", doctor.out);

    let all_but = |kept: usize| [&whole[..kept], &vec![0xa5; whole.len() - kept]].concat();
    for (what, damaged) in [
        ("no database", b"SHOP_ORIGIN=https://shop.example, written to the wrong file\n".repeat(100)),
        ("a head without pages", all_but(100)),
        ("a file that was cut off", whole[..whole.len() / 2].to_vec()),
        ("overwritten tables", all_but(whole.len() / 8)),
    ] {
        fs::write(&file, &damaged).unwrap();
        for command in ["serve", "migrate"] {
            let said = run(&folder, &settings, &[command]).await;
            assert!(said.err.contains("restore a backup with shop restore"), "{what}, {command}: {}", said.err);
            assert!(!said.is_success, "{what}, {command}");
        }
        let doctor = run(&folder, &settings, &["doctor"]).await;
        assert_eq!(doctor.code, Some(1), "{what}");
        assert!(doctor.out.contains("restore a backup with shop restore"), "{what}: {}", doctor.out);
        assert!(fs::read(&file).unwrap() == damaged, "{what}: it is kept as it is");
    }

    // One page of a table that a start does not read: the doctor sees it.
    fs::write(&file, &whole).unwrap();
    let mut conn = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    let page: i64 = sqlx::query_scalar("SELECT rootpage FROM sqlite_master WHERE name = 'refunds'")
        .fetch_one(&mut conn)
        .await
        .unwrap();
    conn.close().await.unwrap();
    let (mut damaged, at) = (whole.clone(), usize::try_from(page - 1).unwrap() * 4096);
    damaged[at..at + 4096].fill(0xa5);
    fs::write(&file, damaged).unwrap();
    let doctor = run(&folder, &settings, &["doctor"]).await;
    assert_eq!(doctor.code, Some(1));
    assert!(doctor.out.contains("error   Database file: it is damaged ("), "{}", doctor.out);
}

/// Runs a command as a user who may not write what others own; root may do so by a capability.
async fn run_without_rights(folder: &Path, settings: &[(&str, String)], argument: &str) -> Said {
    let output = Command::new("setpriv")
        .args(["--bounding-set=-dac_override,-dac_read_search", BINARY, argument])
        .current_dir(folder)
        .env_clear()
        .envs(settings.iter().map(|(name, value)| (name, value)))
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .output()
        .await
        .unwrap();
    Said::from(output)
}

async fn a_folder_that_is_read_only_is_refused(OnSqlite(_): OnSqlite) {
    let folder = temporary_folder();
    let inside = folder.join("inside");
    fs::create_dir(&inside).unwrap();
    let mut settings = settings("sqlite:inside/shop.db");
    settings.push(("SHOP_ADDRESS", "127.0.0.1:0".to_owned()));
    let allow = |mode| fs::set_permissions(&inside, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    let refused = async |what: &str| {
        for command in ["serve", "migrate"] {
            let said = run_without_rights(&folder, &settings, command).await;
            let why = "give it, the files beside it and their folder to the user of the shop";
            assert!(!said.is_success && said.err.contains("shop.db cannot be written to: "), "{what}: {}", said.err);
            assert!(said.err.contains(why), "{what}: {}", said.err);
        }
        let doctor = run_without_rights(&folder, &settings, "doctor").await;
        assert_eq!(doctor.code, Some(1), "{what}: {}", doctor.out);
        assert!(doctor.out.contains("cannot be written to"), "{what}: {}", doctor.out);
    };
    refused("no database yet").await;
    allow(0o755);
    run(&folder, &settings, &["migrate"]).await.assert_success();
    allow(0o555);
    refused("a database in a folder that is read-only").await;
    allow(0o755);
    fs::set_permissions(inside.join("shop.db"), fs::Permissions::from_mode(0o444)).unwrap();
    refused("a database that is read-only").await;
    // SQLite makes the files beside it with the same permissions.
    for file in fs::read_dir(&inside).unwrap() {
        fs::set_permissions(file.unwrap().path(), fs::Permissions::from_mode(0o644)).unwrap();
    }
    assert!(run_without_rights(&folder, &settings, "migrate").await.is_success);
}

/// An empty one would pass for a shop's.
async fn a_first_start_that_fails_leaves_no_database(OnSqlite(_): OnSqlite) {
    let folder = temporary_folder();
    let files = || {
        let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        files.filter(|name| name.starts_with("shop.db")).collect::<Vec<_>>()
    };
    fs::write(folder.join("file"), "no folder").unwrap();
    let mut wrong = settings("sqlite:shop.db");
    wrong.extend([("SHOP_ADDRESS", "127.0.0.1:0".to_owned()), ("SHOP_DATA", "file/data".to_owned())]);
    run(&folder, &wrong, &["serve"]).await.assert_refused("file/data");
    assert_eq!(files(), [""; 0], "it comes to nothing before it is opened");

    let right = settings("sqlite:shop.db");
    let said = Said::from(cramped(&folder, &right, &["migrate"]).output().await.unwrap());
    assert_eq!((said.code, files()), (Some(1), Vec::new()), "there is no room: {}", said.err);
    run(&folder, &right, &["migrate"]).await.assert_success();
    assert_eq!(files(), ["shop.db"]);
}
