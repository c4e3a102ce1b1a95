//! Three nodes behind nginx, 64 shoppers (16 by default) who buy goods of which there are few, and faults in a seeded order: each node is ready again by
//! itself, its lists are right again soon, and at the end no money is without an order, no order without money, and nothing is oversold.
//!
//! A few faults by default; `PROOFS=full` (`make faults`) kills 20 nodes, restarts the database five times and repeats the others.

mod lists;
mod shoppers;
mod stage;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use serde_json::json;
use shop_base::sql;
use shop_demo::square::faults::{Fault as ProviderFault, Rule};
use tokio::time::sleep;
use uuid::Uuid;

use self::shoppers::{Answers, Shoppers};
use self::stage::{NODES, Stage};
use crate::checkout::bench::PIPE_TOOL;
use crate::support::cluster::is_root;
use crate::support::link::State;
use crate::support::{OnPostgres, Test, is_full, rounds};
use crate::tests;

pub const TESTS: &[Test] = tests![three_nodes_survive_faults];

/// How long the nodes may take until they are ready after a fault, and then until their lists are right. Beside other tests all takes longer.
fn ready_within() -> Duration {
    Duration::from_secs(if is_full() { 10 } else { 30 })
}

fn right_within() -> Duration {
    Duration::from_secs(if is_full() { 2 } else { 10 })
}

/// Goods with one variant in the list that is compared.
const SCARCE: [&str; 11] = ["BCT", "REA", "WTA", "SBB", "SRK", "PCK", "SPR", "WSR", "TPS", "TWR", "RWJ"];
const PIECES: i64 = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Kill,
    Restart,
    /// The network between a node and the database resets connections.
    Cut,
    /// The network between a node and the database loses everything.
    Silence,
    /// The same for all nodes.
    SilenceOfAll,
    DiskFull,
    StoreAway,
    MailAway,
    MailSilent,
    Provider,
}

impl Fault {
    fn name(self) -> &'static str {
        match self {
            Self::Kill => "node killed",
            Self::Restart => "PostgreSQL restarted",
            Self::Cut => "network cut",
            Self::Silence => "network silent",
            Self::SilenceOfAll => "network silent for all",
            Self::DiskFull => "disk full",
            Self::StoreAway => "pictures away",
            Self::MailAway => "mail refused",
            Self::MailSilent => "mail silent",
            Self::Provider => "30% provider faults",
        }
    }

    /// How often, by default and in full.
    const PLAN: [(Self, usize, usize); 10] = [
        (Self::Kill, 1, 20),
        (Self::Restart, 1, 5),
        (Self::Cut, 1, 5),
        (Self::Silence, 1, 5),
        (Self::SilenceOfAll, 0, 3),
        (Self::DiskFull, 1, 3),
        (Self::StoreAway, 1, 3),
        (Self::MailAway, 1, 3),
        (Self::MailSilent, 0, 3),
        (Self::Provider, 1, 5),
    ];
}

/// The worst of all faults of a kind.
#[derive(Clone, Copy, Default)]
struct Worst {
    times: usize,
    ready: Duration,
    right: Duration,
    /// Until the clicks of its time were answered.
    answered: Duration,
}

async fn three_nodes_survive_faults(OnPostgres(_): OnPostgres) {
    let seed = std::env::var("FAULTS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut rng = StdRng::seed_from_u64(seed);
    let mut plan: Vec<Fault> =
        Fault::PLAN.iter().flat_map(|&(fault, few, many)| std::iter::repeat_n(fault, rounds(few, many))).collect();
    plan.shuffle(&mut rng);

    let began = Instant::now();
    let mut stage = Stage::set().await;
    println(&format!("set after {:.1?}", began.elapsed()));
    let mut scarce = Vec::new();
    for sku in SCARCE {
        scarce.push(stage.variant(sku).await);
    }
    let shoppers = Shoppers::enter(&stage, seed, scarce[0], stage.variant(PIPE_TOOL).await);
    let mut worst: BTreeMap<Fault, Worst> = BTreeMap::new();
    for (round, fault) in plan.into_iter().enumerate() {
        let goods = scarce[round % scarce.len()];
        restock(&mut stage, goods).await;
        lists::rightness(&stage, right_within()).await;
        shoppers.want(goods);
        shoppers.during(fault.name());
        let node = rng.random_range(0..NODES);
        println(&format!("{round}: {}, node {node}", fault.name()));
        let ready = bring_about(&mut stage, fault, node).await;
        let right = lists::rightness(&stage, right_within()).await;
        let over = Instant::now();
        shoppers.until_answered().await;
        let answered = ready + right + over.elapsed();
        println(&format!(
            "   ready after {ready:.1?}, lists right after {right:.1?}, clicks answered after {answered:.1?}"
        ));
        let worst = worst.entry(fault).or_default();
        *worst = Worst {
            times: worst.times + 1,
            ready: worst.ready.max(ready),
            right: worst.right.max(right),
            answered: worst.answered.max(answered),
        };
        let placed = shoppers.placed();
        until_sold(&shoppers, placed).await;
        shoppers.during("none");
    }
    until_scarce(&stage).await;
    let tally = shoppers.leave().await;
    println(&format!("all are answered after {:.1?}", began.elapsed()));
    stage.settle().await;
    println(&format!("all is settled after {:.1?}", began.elapsed()));
    report(&worst, &tally.answers);
    println(&format!(
        "{} orders placed, {} pending, {} refused, {} clicks given up",
        tally.placed.len(),
        tally.pending,
        tally.refused,
        tally.given_up.len()
    ));

    assert_eq!(tally.strange, Vec::<String>::new());
    assert_books(&stage, &tally.placed).await;
    assert_eq!(tally.given_up, Vec::<String>::new());
}

/// Sells on before the next fault.
async fn until_sold(shoppers: &Shoppers, before: usize) {
    let began = Instant::now();
    while shoppers.placed() < before + rounds(1, 10) {
        assert!(began.elapsed() < Duration::from_secs(30), "nothing is sold");
        sleep(Duration::from_millis(20)).await;
    }
}

/// Sells on until some goods are sold out, however slow the machine is: otherwise nothing could have been oversold.
async fn until_scarce(stage: &Stage) {
    let began = Instant::now();
    while stage.count("SELECT COUNT(*) FROM stock_levels WHERE on_hand = 0").await == 0 {
        assert!(began.elapsed() < Duration::from_secs(120), "goods are not scarce");
        sleep(Duration::from_millis(100)).await;
    }
}

/// An admin counts the goods and finds some pieces.
async fn restock(stage: &mut Stage, goods: Uuid) {
    let client = stage.nginx.client(Ipv4Addr::new(127, 0, 6, 2));
    let path = format!("/api/admin/stock/{goods}");
    for _ in 0..100 {
        let seen = on_hand(stage, goods).await;
        let reserved = stage.count("SELECT CAST(SUM(reserved) AS BIGINT) FROM stock_levels").await;
        let change = json!({ "seen": seen, "delta": PIECES + reserved - seen, "reason": "counted" });
        match stage.administer(&client, &path, &change).await {
            Ok(_) => return stage.books.add(goods, PIECES + reserved - seen),
            // It was sold meanwhile.
            Err(error) if error.starts_with("409") => {}
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the goods could not be counted");
}

async fn on_hand(stage: &Stage, goods: Uuid) -> i64 {
    let mut reader = stage.db.read().await.unwrap();
    let mut conn = reader.conn();
    sql!(&mut conn, c => sqlx::query_scalar("SELECT on_hand FROM stock_levels WHERE variant_id = $1").bind(goods).fetch_one(c).await)
        .unwrap()
}

/// Makes a fault and ends it; returns how long the nodes then need until they are ready.
async fn bring_about(stage: &mut Stage, fault: Fault, node: usize) -> Duration {
    let lasts = Duration::from_secs(match fault {
        Fault::Provider => rounds(3, 10),
        Fault::Silence | Fault::SilenceOfAll => 4,
        _ => rounds(2, 4),
    } as u64);
    match fault {
        Fault::Kill => {
            let began = Instant::now();
            stage.kill(node).await;
            stage.readiness(ready_within().saturating_sub(began.elapsed())).await;
            began.elapsed()
        }
        Fault::Restart => {
            stage.cluster.restart_at_once();
            // The test's own connections were used a moment ago: the first that is lost fails, and tells of the others.
            let _ = stage.db.ping().await;
            stage.readiness(ready_within()).await
        }
        Fault::Cut => disturb(stage, &[node], State::Cut, lasts).await,
        Fault::Silence => disturb(stage, &[node], State::Silent, lasts).await,
        Fault::SilenceOfAll => disturb(stage, &[0, 1, 2], State::Silent, lasts).await,
        Fault::DiskFull => fill_disk(stage).await,
        Fault::StoreAway => hide_pictures(stage, node).await,
        Fault::MailAway => cut_mail(stage, State::Cut, lasts).await,
        Fault::MailSilent => cut_mail(stage, State::Silent, lasts).await,
        Fault::Provider => {
            let faults = &stage.stand_in.faults;
            // Four of 13 answers.
            let rules = [
                (0, ProviderFault::ServerError),
                (3, ProviderFault::LoseResponse),
                (6, ProviderFault::Timeout),
                (9, ProviderFault::RateLimit { retry_after: 1 }),
            ]
            .map(|(after, kind)| faults.add(Rule { after, ..Rule::each(13, kind) }));
            let began = Instant::now();
            let fired = || rules.map(|rule| faults.fired(rule));
            while began.elapsed() < lasts || fired().contains(&0) {
                assert!(began.elapsed() < Duration::from_secs(60), "{:?}", fired());
                sleep(Duration::from_millis(50)).await;
            }
            faults.clear();
            stage.readiness(right_within()).await
        }
    }
}

async fn disturb(stage: &Stage, nodes: &[usize], state: State, lasts: Duration) -> Duration {
    let before: usize = nodes.iter().map(|node| stage.links[*node].disturbed()).sum();
    for node in nodes {
        stage.links[*node].set(state);
    }
    sleep(lasts).await;
    for node in nodes {
        stage.links[*node].set(State::Open);
    }
    let disturbed = nodes.iter().map(|node| stage.links[*node].disturbed()).sum::<usize>() - before;
    assert!(disturbed > 0, "no connection was disturbed");
    stage.readiness(ready_within()).await
}

async fn cut_mail(stage: &Stage, state: State, lasts: Duration) -> Duration {
    let before = stage.mail.disturbed();
    stage.mail.set(state);
    let began = Instant::now();
    while began.elapsed() < lasts || stage.mail.disturbed() == before {
        assert!(began.elapsed() < Duration::from_secs(60), "nobody sends mail");
        sleep(Duration::from_millis(50)).await;
    }
    // Pages and orders do without it.
    let ready = stage.readiness(right_within()).await;
    stage.mail.set(State::Open);
    ready
}

/// Renditions are made nevertheless, and kept on disk again when there is room.
async fn fill_disk(stage: &Stage) -> Duration {
    const SAID: &str = "a rendition could not be kept on disk";
    let (renditions, ballast) = (stage.small_disk.join("renditions"), stage.small_disk.join("ballast"));
    let kept = || fs::read_dir(&renditions).unwrap().count();
    let (before, said) = (kept(), stage.nodes[0].log().matches(SAID).count());
    let away = renditions.with_extension("away");
    if is_root() {
        fs::write(&ballast, vec![0; 2 << 20]).expect_err("the disk is small");
    } else {
        // Without a disk of its own the folder is made unusable.
        fs::rename(&renditions, &away).unwrap();
        fs::write(&renditions, "").unwrap();
    }
    assert_eq!(stage.picture(0).await, (200, true));
    assert!(stage.nodes[0].log().matches(SAID).count() > said);
    let ready = stage.readiness(right_within()).await;
    if is_root() {
        fs::remove_file(&ballast).unwrap();
    } else {
        fs::remove_file(&renditions).unwrap();
        fs::rename(&away, &renditions).unwrap();
    }
    assert_eq!(stage.picture(0).await, (200, true));
    assert_eq!(kept(), before + 1);
    ready
}

/// While the store of pictures is away, all others are served.
async fn hide_pictures(stage: &Stage, node: usize) -> Duration {
    let away = stage.pictures.with_extension("away");
    fs::rename(&stage.pictures, &away).unwrap();
    fs::write(&stage.pictures, "").unwrap();
    let hidden = stage.pictures.clone();
    let (status, is_kept) = stage.picture(node).await;
    assert!(status >= 400 && !is_kept, "{status}");
    let ready = stage.readiness(right_within()).await;
    fs::remove_file(&hidden).unwrap();
    fs::rename(&away, &hidden).unwrap();
    assert_eq!(stage.picture(node).await, (200, true));
    ready
}

async fn assert_books(stage: &Stage, placed: &[Uuid]) {
    stage.books.assert_balance(&stage.db, &stage.stand_in.payments()).await;
    let mut reader = stage.db.read().await.unwrap();
    let mut conn = reader.conn();
    let stored: Vec<Uuid> = sql!(&mut conn, c => sqlx::query_scalar(
        "SELECT checkout_id FROM orders WHERE status = 'placed'").fetch_all(c).await)
    .unwrap();
    let stored: BTreeSet<Uuid> = stored.into_iter().collect();
    let forgotten = placed.iter().filter(|checkout| !stored.contains(checkout)).count();
    assert_eq!(forgotten, 0, "orders that buyers were told of");
    assert_eq!(stage.count("SELECT COUNT(*) FROM jobs WHERE dead_at IS NOT NULL").await, 0, "dead jobs");
}

fn report(worst: &BTreeMap<Fault, Worst>, answers: &BTreeMap<&'static str, Answers>) {
    println(
        "| Fault | Times | Ready after | Lists right after | Clicks answered after | Answers | 5xx | Lost |\n|---|---|---|---|---|---|---|---|",
    );
    for (fault, worst) in worst {
        let Answers { good, failed, lost } = answers.get(fault.name()).copied().unwrap_or_default();
        let Worst { times, ready, right, answered } = worst;
        println(&format!(
            "| {} | {times} | {ready:.1?} | {right:.1?} | {answered:.1?} | {good} | {failed} | {lost} |",
            fault.name()
        ));
    }
    let Answers { good, failed, lost } = answers.get("none").copied().unwrap_or_default();
    println(&format!("| none | | | | | {good} | {failed} | {lost} |"));
}

fn println(line: &str) {
    writeln!(std::io::stdout().lock(), "{line}").unwrap();
}
