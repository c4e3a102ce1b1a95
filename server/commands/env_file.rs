//! The option with which every command finds the settings.

use std::collections::HashMap;
use std::env;
use std::path::PathBuf;

use clap::Args;
use shop_base::config::settings::unknown;
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
        let lines = self.lines()?;
        let mut variables: Vec<String> = env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
        variables.extend(lines.keys().cloned());
        let unknown = unknown(variables.into_iter());
        match Config::read(&|name| env::var(name).ok().or_else(|| lines.get(name).cloned())) {
            Ok(mut config) => {
                config.warnings.extend(unknown);
                Ok(config)
            }
            Err(mut error) => {
                // One that is missing may be there under a wrong name.
                error.0.extend(unknown);
                Err(error.into())
            }
        }
    }

    /// `RUST_LOG`, which is needed before all others. If the file cannot be read, the command says so.
    pub fn log_filter(&self) -> Option<String> {
        env::var("RUST_LOG").ok().or_else(|| self.lines().ok()?.remove("RUST_LOG"))
    }

    fn lines(&self) -> Result<HashMap<String, String>, Failure> {
        Ok(self.env_file.as_deref().map(env_file::read).transpose()?.unwrap_or_default())
    }
}
