//! `shop square-stand-in`: the card provider of the demonstration alone, for tests.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use shop::serve::stop_signal;
use shop_base::clock::SystemClock;
use shop_demo::square::{Options, StandIn};
use tokio::net::TcpListener;
use url::Url;

use super::env_file::Failure;

#[derive(Args)]
pub struct Arguments {
    #[arg(long)]
    port: u16,
    /// Where its events go
    #[arg(long)]
    webhook_url: Option<String>,
    /// What one minute of the webhooks' retry table lasts
    #[arg(long, default_value_t = 60)]
    retry_minute_ms: u64,
}

pub async fn run(arguments: Arguments) -> Result<(), Failure> {
    let listener = TcpListener::bind(("127.0.0.1", arguments.port)).await?;
    let base_url: Url = format!("http://{}", listener.local_addr()?).parse()?;
    let options = Options { retry_minute_ms: arguments.retry_minute_ms, ..Options::fast(arguments.webhook_url) };
    let stand_in = StandIn::start(listener, base_url, Arc::new(SystemClock), options).await?;
    let stop = stop_signal()?;
    writeln!(std::io::stdout(), "The Square stand-in is running at {}", stand_in.base_url)?;
    stop.await;
    Ok(())
}
