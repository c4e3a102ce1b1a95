//! `shop admin`: what nobody can do in the admin area as long as nobody may enter it.

use std::io::{self, Write};
use std::sync::Arc;

use clap::Subcommand;
use shop_base::clock::SystemClock;
use shop_base::context::Context;
use shop_base::role::Role;
use shop_domain::identity::accounts;

use super::env_file::{EnvFile, Failure};
use super::existing;

#[derive(Subcommand)]
pub enum Admin {
    /// Assign a role to an account, which overrides those of the identity provider
    Grant {
        /// The email address of an account that has signed in once, or its id
        account: String,
        /// super_admin, admin, staff or customer
        #[arg(value_parser = |name: &str| Role::try_from(name.to_owned()))]
        role: Role,
        #[command(flatten)]
        env_file: EnvFile,
    },
}

pub async fn run(command: Admin) -> Result<(), Failure> {
    let Admin::Grant { account, role, env_file } = command;
    let config = env_file.config()?;
    let db = existing::open(&config).await?;
    let cx = Context { clock: Arc::new(SystemClock), config: Arc::new(config), db };
    let granted = accounts::grant(&cx, &account, role).await;
    cx.db.close().await;
    let id = granted.map_err(|error| error.told())?;
    // It is done, whether this can be printed or not.
    let _ = writeln!(io::stdout(), "The account {id} has the role {} from its next request on.", role.name());
    Ok(())
}
