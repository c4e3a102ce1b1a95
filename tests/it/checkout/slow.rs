//! A slow provider with a long list does not delay new orders.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::Value;
use shop_demo::mailbox::Mailbox;
use shop_demo::square::faults::{Fault, Operation, Rule};

use super::bench::{Bench, PIPE_TOOL};
use crate::notifications::{everything, made};
use crate::support::{QUICK, Receiver, Test, TestShop, Worker, rounds, temporary_folder, until};
use crate::tests;

pub const TESTS: &[Test] = tests![a_long_list_keeps_no_order_waiting];

const CALL_MS: u64 = 300;

/// Reading the list takes longer than any timeout here. With `PROOFS=full`, new orders must also finish within two seconds.
async fn a_long_list_keeps_no_order_waiting(shop: TestShop) {
    let mailbox = Mailbox::start(&temporary_folder(), 0).await.unwrap();
    let bench = Bench::writing(shop.database, mailbox.settings("care@shop.example")).await;
    let admin = bench.shop.sign_in("integrator", &["admin"]).await;
    bench.work().await;
    let receiver = Receiver::open().await;
    made(&bench.shop, &admin, everything(&receiver.url)).await;
    // Its records contain two days of failed payments.
    bench.pay(&bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
    bench.work().await;
    bench.stand_in.add_canceled(rounds(30_000, 100_000));
    bench.stand_in.faults.set_latency(Duration::from_millis(CALL_MS));
    let never = Rule { times: 0, ..Rule::once(Operation::ListPayments, Fault::ServerError) };
    let listed = bench.stand_in.faults.add(never);
    bench.execute("UPDATE jobs SET run_at = 0 WHERE name = 'audit'").await;
    let _worker = Worker::start(&bench.shop.app, QUICK);
    until("the list is being read", async || bench.stand_in.faults.counts()[listed].matched > 0).await;

    let mut longest = Duration::ZERO;
    for _ in 0..rounds(2, 10) {
        let order = bench.order(PIPE_TOOL, 1).await;
        let told = receiver.of_kind("order.paid").len();
        bench.pay(&order).await.assert_status(200);
        let begun = Instant::now();
        let email = order["email"].as_str().unwrap();
        until("the order is captured, told and written of", async || {
            receiver.of_kind("order.paid").len() > told && has_email(&mailbox, email).await
        })
        .await;
        longest = longest.max(begun.elapsed());
    }
    let open = "SELECT COUNT(*) FROM payment_attempts WHERE status <> 'captured'";
    assert_eq!(bench.count(open).await, 0);
    writeln!(std::io::stdout().lock(), "{}: captured, told and written within {longest:.1?}", shop.database.name())
        .unwrap();
    assert!(longest.as_secs() < rounds(60, 2) as u64, "{longest:?}");
}

async fn has_email(mailbox: &Mailbox, to: &str) -> bool {
    let all: Value = reqwest::get(format!("{}/messages.json", mailbox.origin())).await.unwrap().json().await.unwrap();
    all.to_string().contains(to)
}
