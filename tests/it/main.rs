//! Tests of the whole shop without a socket: requests go through the router into real isolates and a real database. Each test runs on
//! SQLite and, if `TEST_POSTGRES` names a server, on PostgreSQL as a second trial, unless it is of one of them or of none.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop at once")]

mod activity;
mod admin;
mod age;
mod bad_input;
mod cart;
mod catalog;
mod checkout;
mod commands;
mod crawlers;
mod customers;
mod database;
mod deployment;
mod errors;
#[cfg(feature = "failpoints")]
mod faults;
mod forms;
mod growth;
mod identity;
mod jobs;
mod kept_pages;
#[cfg(feature = "failpoints")]
mod kills;
mod lists;
mod mail;
mod metrics;
mod nodes;
mod notifications;
mod operations;
mod pages;
mod picture_store;
#[cfg(feature = "failpoints")]
mod power_loss;
mod program;
#[cfg(feature = "failpoints")]
mod releases;
mod reports;
mod retention;
mod schema;
mod shared_caches;
mod sign_in;
mod sign_in_peer;
mod specification;
mod square;
mod stopping;
mod support;
mod telemetry;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use support::{Database, Runtime, Test};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // Beside this subscriber, what one test listens to is not switched off because another test, which does not listen, comes to it first.
    support::log::keep();
    let runtime: &'static Runtime = Box::leak(Box::new(Runtime::new()));
    let suites: &[(&str, &[Test])] = &[
        ("activity", activity::TESTS),
        ("admin::analytics", admin::analytics::TESTS),
        ("admin::audit", admin::audit::TESTS),
        ("admin::lists", admin::lists::TESTS),
        ("admin::orders::bulk", admin::orders::bulk::TESTS),
        ("admin::orders::cancellations", admin::orders::cancellations::TESTS),
        ("admin::orders::desk", admin::orders::desk::TESTS),
        ("admin::orders::drafts::changing", admin::orders::drafts::changing::TESTS),
        ("admin::orders::drafts::listing", admin::orders::drafts::listing::TESTS),
        ("admin::orders::drafts::mailing", admin::orders::drafts::mailing::TESTS),
        ("admin::orders::drafts::paying", admin::orders::drafts::paying::TESTS),
        ("admin::orders::goods", admin::orders::goods::TESTS),
        ("admin::orders::list", admin::orders::list::TESTS),
        ("admin::orders::money", admin::orders::money::TESTS),
        ("admin::orders::returns", admin::orders::returns::TESTS),
        ("admin::orders::undoing", admin::orders::undoing::TESTS),
        ("admin::orders::unfinished", admin::orders::unfinished::TESTS),
        ("admin::products", admin::products::TESTS),
        ("admin::debug", admin::debug::TESTS),
        ("admin::overview", admin::overview::TESTS),
        ("admin::rights", admin::rights::TESTS),
        ("admin::testing", admin::testing::TESTS),
        ("admin::users", admin::users::TESTS),
        ("admin::settings::compliance", admin::settings::compliance::TESTS),
        ("admin::settings::promotions", admin::settings::promotions::TESTS),
        ("admin::settings::reports", admin::settings::reports::TESTS),
        ("admin::settings::shipping", admin::settings::shipping::TESTS),
        ("admin::settings::tax", admin::settings::tax::TESTS),
        ("admin::settings::texts", admin::settings::texts::TESTS),
        ("admin::settings::webhooks", admin::settings::webhooks::TESTS),
        ("age", age::TESTS),
        ("bad_input", bad_input::TESTS),
        ("cart", cart::TESTS),
        ("catalog", catalog::TESTS),
        ("checkout::buying", checkout::buying::TESTS),
        ("checkout::comparing", checkout::comparing::TESTS),
        ("checkout::crowd", checkout::crowd::TESTS),
        ("checkout::disputes", checkout::disputes::TESTS),
        ("checkout::faults", checkout::faults::TESTS),
        ("checkout::emails", checkout::emails::TESTS),
        ("checkout::limits", checkout::limits::TESTS),
        ("checkout::order_links", checkout::order_links::TESTS),
        ("checkout::pairs", checkout::pairs::TESTS),
        ("checkout::pickup_limits", checkout::pickup_limits::TESTS),
        ("checkout::pickups", checkout::pickups::TESTS),
        ("checkout::promo_codes", checkout::promo_codes::TESTS),
        ("checkout::races", checkout::races::TESTS),
        ("checkout::refunding", checkout::refunding::TESTS),
        ("checkout::slow", checkout::slow::TESTS),
        ("checkout::webhook_load", checkout::webhook_load::TESTS),
        ("checkout::webhooks", checkout::webhooks::TESTS),
        ("commands::admin", commands::admin::TESTS),
        ("commands::backup", commands::backup::TESTS),
        ("commands::damage", commands::damage::TESTS),
        ("commands::doctor", commands::doctor::TESTS),
        ("commands::export", commands::export::TESTS),
        ("commands::foreign", commands::foreign::TESTS),
        ("commands::pictures", commands::pictures::TESTS),
        ("commands::process", commands::process::TESTS),
        ("commands::reencrypt", commands::reencrypt::TESTS),
        ("commands::restore", commands::restore::TESTS),
        ("crawlers", crawlers::TESTS),
        ("customers", customers::TESTS),
        ("database", database::TESTS),
        ("deployment", deployment::TESTS),
        ("errors", errors::TESTS),
        #[cfg(feature = "failpoints")]
        ("faults", faults::TESTS),
        ("identity", identity::TESTS),
        ("jobs", jobs::TESTS),
        #[cfg(feature = "failpoints")]
        ("kills", kills::TESTS),
        ("lists", lists::TESTS),
        ("mail", mail::TESTS),
        ("mail::texts", mail::texts::TESTS),
        ("metrics", metrics::TESTS),
        ("nodes", nodes::TESTS),
        ("notifications::delivery", notifications::delivery::TESTS),
        ("notifications::events", notifications::events::TESTS),
        ("operations", operations::TESTS),
        ("kept_pages", kept_pages::TESTS),
        ("pages", pages::TESTS),
        ("picture_store", picture_store::TESTS),
        #[cfg(feature = "failpoints")]
        ("power_loss", power_loss::TESTS),
        ("program", program::TESTS),
        #[cfg(feature = "failpoints")]
        ("releases", releases::list()),
        ("reports::carts", reports::carts::TESTS),
        ("reports::crowded_day", reports::crowded_day::TESTS),
        ("reports::sales", reports::sales::TESTS),
        ("reports::visits", reports::visits::TESTS),
        ("retention", retention::TESTS),
        ("retention::erasure", retention::erasure::TESTS),
        ("schema", schema::TESTS),
        ("shared_caches", shared_caches::TESTS),
        ("sign_in::access_tokens", sign_in::access_tokens::TESTS),
        ("sign_in::flow", sign_in::flow::TESTS),
        ("sign_in::sessions", sign_in::sessions::TESTS),
        ("sign_in_peer", sign_in_peer::TESTS),
        ("specification", specification::TESTS),
        ("square::client", square::client::TESTS),
        ("square::faults", square::faults::TESTS),
        ("square::stand_in", square::stand_in::TESTS),
        ("square::webhooks", square::webhooks::TESTS),
        ("telemetry", telemetry::TESTS),
        ("forms::account", forms::account::TESTS),
        ("forms::account_orders", forms::account_orders::TESTS),
        ("forms::cart", forms::cart::TESTS),
        ("forms::checkout", forms::checkout::TESTS),
        ("growth::accounts", growth::accounts::TESTS),
        ("growth::catalog", growth::catalog::TESTS),
        ("growth::jobs", growth::jobs::TESTS),
        ("growth::sales", growth::sales::TESTS),
        ("growth::staff", growth::staff::TESTS),
        ("stopping", stopping::TESTS),
    ];
    let mut trials = Vec::new();
    for database in Database::available() {
        for (suite, tests) in suites {
            for test in tests.iter().filter(|test| test.only.is_none_or(|only| only == database)) {
                let name = format!("{suite}::{}::{}", test.name, database.name());
                let run = test.run;
                trials.push(Trial::test(name, move || {
                    runtime.run(database, run);
                    Ok(())
                }));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
