//! The power fails while the shop takes orders on SQLite: no order whose buyer was told of it is lost, its payment is not older than what
//! the buyer was told, and the file is not damaged.
//!
//! `power_loss/record.c` records what the program writes to the database's files and when it flushes them. From that, disks are made as they
//! may be after a power loss at any of these moments, and opened with SQLite. 200 by default; `PROOFS=full` makes four for each moment.

mod disk;

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use disk::{Disk, Step, Survives, steps};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::Value;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use tokio::process::Command;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use crate::kills::scene::{Scene, THIS_RELEASE, damage};
use crate::kills::seeded;
use crate::support::program::LIMIT;
use crate::support::{Database, OnSqlite, Test, rounds, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![no_order_that_was_answered_is_lost];

const RECORDER: &str = include_str!("power_loss/record.c");
const ORDERS: usize = 24;
/// How many disks are checked at a time.
const CHECKS: usize = 4;

/// What a buyer was told.
struct Told {
    /// How much was recorded by then.
    at: usize,
    checkout: Uuid,
    payment: String,
}

/// A program whose writes are recorded.
struct Recorded {
    database: PathBuf,
    record: PathBuf,
    /// While it exists, the disk is full.
    full: PathBuf,
    program: PathBuf,
}

impl Recorded {
    async fn of(database: &Path) -> Self {
        let folder = temporary_folder();
        let (source, library) = (folder.join("record.c"), folder.join("record.so"));
        let (record, full, program) = (folder.join("record"), folder.join("full"), folder.join("shop"));
        fs::write(&source, RECORDER).unwrap();
        let mut compile = Command::new("cc");
        compile.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]).arg(&library).arg(&source);
        assert!(compile.status().await.expect("a C compiler is installed").success());
        let script = format!(
            "#!/bin/sh\nLD_PRELOAD={} POWER_DATABASE={} POWER_LOG={} POWER_FULL={} exec {THIS_RELEASE} \"$@\"\n",
            library.display(),
            database.display(),
            record.display(),
            full.display()
        );
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        Self { database: database.to_owned(), record, full, program }
    }

    fn so_far(&self) -> usize {
        usize::try_from(fs::metadata(&self.record).unwrap().len()).unwrap()
    }

    /// Waits until nothing was written for a second: a kill between a write and its record would leave the latter incomplete.
    async fn rests(&self) {
        let mut before = None;
        while before != Some(self.so_far()) {
            before = Some(self.so_far());
            sleep(Duration::from_secs(1)).await;
        }
    }
}

async fn no_order_that_was_answered_is_lost(OnSqlite(_): OnSqlite) {
    let folder = temporary_folder();
    let address = seeded::copy(Database::Sqlite, &folder).await;
    let recorded = Recorded::of(&folder.join("shop.db")).await;
    let before = fs::read(&recorded.database).unwrap();
    let mut scene = Scene::start_in(folder, address, false, recorded.program.as_os_str()).await;
    let told = take_orders(&scene, &recorded).await;
    timeout(LIMIT, recorded.rests()).await.expect("it has nothing more to write");
    scene.kill().await;

    let record = fs::read(&recorded.record).unwrap();
    let steps = steps(&record);
    let mut disk = Disk::new(before.clone());
    for step in &steps {
        disk.take(step);
    }
    assert!(disk.after(Survives::Everything, 0).is_at(&recorded.database), "something is not recorded");
    let resets =
        steps.iter().filter(|step| step.is_write_of(1) && matches!(step.kind, disk::Kind::Write { offset: 0, .. }));
    assert!(resets.count() >= 2 && steps.iter().any(|step| step.is_write_of(0)), "the log began anew");

    let told = Arc::new(told);
    let proof = Proof { before: &before, told: &told };
    let count = rounds(200, steps.len() * Survives::ALL.len());
    assert_eq!(proof.losses(steps.iter(), count).await, Vec::<String>::new());
    // A disk that does not flush when it is told to, as with `synchronous = NORMAL` and `OFF`, shows that this finds losses.
    assert!(!proof.losses(steps.iter().filter(|step| !step.is_flush_of_log()), 20).await.is_empty());
    let unflushed = steps.iter().filter(|step| !matches!(step.kind, disk::Kind::Flush));
    assert!(!proof.losses(unflushed, 20).await.is_empty());
}

async fn take_orders(scene: &Scene, recorded: &Recorded) -> Vec<Told> {
    let mut told = Vec::new();
    for number in 0..ORDERS {
        let order = scene.order().await;
        if number == ORDERS / 2 {
            fs::write(&recorded.full, "").unwrap();
            let answer = scene.pay_and_read(&order).await;
            assert_eq!((answer.status().as_u16(), answer.headers()["retry-after"].to_str().unwrap()), (503, "5"));
            fs::remove_file(&recorded.full).unwrap();
        }
        let answer = scene.pay_and_read(&order).await;
        assert_eq!(answer.status(), 200);
        let answer: Value = answer.json().await.unwrap();
        let checkout = order["checkout_id"].as_str().unwrap().parse().unwrap();
        told.push(Told { at: recorded.so_far(), checkout, payment: "authorized".to_owned() });
        let payment = scene.shown_payment(answer["href"].as_str().unwrap()).await;
        told.push(Told { at: recorded.so_far(), checkout, payment });
    }
    told
}

struct Proof<'a> {
    before: &'a [u8],
    told: &'a Arc<Vec<Told>>,
}

impl Proof<'_> {
    /// What is wrong with so many disks after a power loss at any of these steps.
    async fn losses<'a>(&self, steps: impl Iterator<Item = &'a Step<'a>>, count: usize) -> Vec<String> {
        let steps: Vec<_> = steps.collect();
        let mut chance = StdRng::seed_from_u64(7);
        let mut disk = Disk::new(self.before.to_vec());
        let (mut losses, mut checks) = (Vec::new(), JoinSet::new());
        let all = steps.len() * Survives::ALL.len();
        for (number, step) in steps.iter().enumerate() {
            disk.take(step);
            for survives in Survives::ALL {
                if !chance.random_bool((count as f64 / all as f64).min(1.)) {
                    continue;
                }
                let (folder, told, recorded) = (temporary_folder(), Arc::clone(self.told), step.end);
                disk.after(survives, number as u64).write(&folder.join("shop.db"));
                checks.spawn(async move {
                    let found = check(&folder, &told, recorded).await;
                    fs::remove_dir_all(&folder).unwrap();
                    found.map_err(|error| format!("step {number}, {survives:?} survives: {error}"))
                });
                if checks.len() == CHECKS {
                    losses.extend(checks.join_next().await.unwrap().unwrap().err());
                }
            }
        }
        losses.extend(checks.join_all().await.into_iter().filter_map(Result::err));
        losses
    }
}

/// Opens the database and looks for what was told before the power failed.
async fn check(folder: &Path, told: &[Told], recorded: usize) -> Result<(), String> {
    let said = |error: sqlx::Error| error.to_string();
    let options = SqliteConnectOptions::new().filename(folder.join("shop.db"));
    let mut conn = SqliteConnection::connect_with(&options).await.map_err(said)?;
    if let Some(damage) = damage(&mut conn).await.map_err(said)? {
        return Err(damage);
    }
    const SQL: &str = "SELECT checkout_id, payment_status FROM orders WHERE placed_at IS NOT NULL";
    let orders: HashMap<Uuid, String> =
        sqlx::query_as(SQL).fetch_all(&mut conn).await.map_err(said)?.into_iter().collect();
    conn.close().await.map_err(said)?;
    for Told { checkout, payment, .. } in told.iter().filter(|told| told.at <= recorded) {
        let found = orders.get(checkout).map(String::as_str);
        if found.is_none_or(|found| progress(found) < progress(payment)) {
            return Err(format!("the payment of {checkout} is {found:?} and was {payment}"));
        }
    }
    Ok(())
}

fn progress(payment: &str) -> usize {
    let order = ["authorized", "paid"];
    order.iter().position(|status| *status == payment).unwrap_or_else(|| panic!("{payment}"))
}
