//! The command line: one command per file.

mod admin;
mod archive;
mod backup;
mod backup_key;
mod copy_pictures;
mod demo;
mod doctor;
pub mod env_file;
mod existing;
mod export;
mod man;
mod migrate;
mod missing_pictures;
mod reencrypt;
mod restore;
mod serve;
mod settings;
mod square_stand_in;
pub mod stopping;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use shop::openapi;
use shop_base::config::Otlp;

use self::env_file::{EnvFile, Failure};
use self::stopping::until_told;

/// Says a command that does only what is not done yet.
const GO_ON: &str = "stopped: run it again for the rest";

/// An online shop in one binary.
#[derive(Parser)]
#[command(name = "shop", version, after_help = "The settings are variables of the environment: see shop settings.")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Serve a demonstration shop with a seeded catalog, on this machine only
    Demo(demo::Arguments),
    /// Serve the shop as configured by SHOP_* variables
    Serve(EnvFile),
    /// Bring the configured database's tables up to date, then end
    Migrate(EnvFile),
    /// Write database and pictures into one file while the shop goes on
    Backup(backup::Arguments),
    /// Make a pair of keys for encrypted backups
    BackupKey(backup_key::Arguments),
    /// Put a backup in the place of the database of a shop that is stopped
    Restore(restore::Arguments),
    /// Copy the pictures in the folder SHOP_DATA into the store that SHOP_PICTURES names
    CopyPictures(EnvFile),
    /// Check settings, database, folders, mail, payment and sign-in, and say what to do
    Doctor(EnvFile),
    /// Encrypt with SHOP_SECRET what is stored encrypted with SHOP_SECRET_FALLBACK, while the shop goes on
    Reencrypt(EnvFile),
    /// Change what cannot be changed in the admin area
    #[command(subcommand)]
    Admin(admin::Admin),
    /// Write everything that belongs to the shop's owner as CSV files and pictures into a folder
    Export(export::Arguments),
    /// List all SHOP_* variables
    Settings,
    /// Print a script that completes commands
    Completions { shell: Shell },
    /// Print the manual page
    Man,
    /// Print the OpenAPI document of the JSON API and the page props
    Openapi,
    /// Run only the Square stand-in, in memory
    #[command(hide = true)]
    SquareStandIn(square_stand_in::Arguments),
}

impl Command {
    /// What is logged (`RUST_LOG`), if the environment or the file of settings says so.
    pub fn log_filter(&self) -> Option<String> {
        let filter = match self {
            Self::Serve(env_file)
            | Self::Migrate(env_file)
            | Self::CopyPictures(env_file)
            | Self::Doctor(env_file)
            | Self::Reencrypt(env_file)
            | Self::Backup(backup::Arguments { env_file, .. })
            | Self::Restore(restore::Arguments { env_file, .. })
            | Self::Export(export::Arguments { env_file, .. })
            | Self::Admin(admin::Admin::Grant { env_file, .. }) => env_file.log_filter(),
            _ => std::env::var("RUST_LOG").ok(),
        };
        filter.filter(|filter| !filter.trim().is_empty())
    }

    /// Where a shop sends traces and logs. If its settings have problems, running the command says so.
    pub fn otlp(&self) -> Option<Otlp> {
        match self {
            Self::Serve(env_file) => env_file.config().ok()?.otlp,
            _ => None,
        }
    }
}

#[tokio::main]
pub async fn run(command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Demo(arguments) => demo::run(arguments).await?,
        Command::Serve(env_file) => serve::run(&env_file).await?,
        Command::Migrate(env_file) => {
            until_told("stopped: the next start applies what is missing", migrate::run(&env_file)).await?;
        }
        Command::Backup(arguments) => return backup::run(arguments).await,
        Command::BackupKey(arguments) => backup_key::run(&arguments)?,
        Command::Restore(arguments) => restore::run(arguments).await?,
        Command::CopyPictures(env_file) => until_told(GO_ON, copy_pictures::run(&env_file)).await?,
        Command::Doctor(env_file) => return until_told("stopped", doctor::run(&env_file)).await,
        Command::Reencrypt(env_file) => until_told(GO_ON, reencrypt::run(&env_file)).await?,
        Command::Admin(command) => until_told("stopped", admin::run(command)).await?,
        Command::Export(arguments) => return export::run(arguments).await,
        Command::Settings => settings::run()?,
        Command::Completions { shell } => {
            let all = Arguments::command();
            // It would offer what is hidden, too.
            let shown = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
            let mut offered = clap::Command::new("shop").version(env!("CARGO_PKG_VERSION")).subcommands(shown);
            // It panics where it cannot write.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut offered, "shop", &mut script);
            std::io::stdout().write_all(&script)?;
        }
        Command::Man => man::run(Arguments::command())?,
        Command::Openapi => writeln!(std::io::stdout(), "{}", openapi::document()?)?,
        Command::SquareStandIn(arguments) => square_stand_in::run(arguments).await?,
    }
    Ok(ExitCode::SUCCESS)
}
