//! The program.

mod allocator;
mod commands;
#[cfg(feature = "failpoints")]
mod failpoints;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;
use commands::{Arguments, Command};
use shop_base::recent_errors::RecentErrors;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

fn main() -> ExitCode {
    allocator::set_up();
    let command = Arguments::parse().command;
    log(&command);
    match commands::run(command) {
        Ok(code) => code,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Text for a terminal and for whoever tries the shop out, JSON for everything else.
fn log(command: &Command) {
    // A demonstration prints its log to the terminal, so it is short; operators want much more.
    let is_demo = matches!(command, Command::Demo(_));
    // What `object_store` tries again it says by itself, and the shop says once what came of it.
    let usual = if is_demo { "warn,shop::demo_data=info" } else { "info,object_store=warn" };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if std::io::stderr().is_terminal() {
        log.finish().with(RecentErrors).init();
    } else if is_demo {
        let log = log.with_ansi(false);
        log.finish().with(RecentErrors).init();
    } else {
        log.json().finish().with(RecentErrors).init();
    }
}
