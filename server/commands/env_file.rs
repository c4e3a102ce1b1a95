//! The option with which every command finds the settings.

use std::path::PathBuf;

use clap::Args;
use shop_base::config::{Config, env_file};

/// Why a command failed.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Where the settings are.
#[derive(Args)]
pub struct EnvFile {
    /// File of NAME=value lines; variables that are set already win
    #[arg(long)]
    env_file: Option<PathBuf>,
}

impl EnvFile {
    pub fn config(&self) -> Result<Config, Failure> {
        let lines = self.env_file.as_deref().map(env_file::read).transpose()?.unwrap_or_default();
        Ok(Config::read(&|name| std::env::var(name).ok().or_else(|| lines.get(name).cloned()))?)
    }
}
