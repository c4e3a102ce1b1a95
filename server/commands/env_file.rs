//! The option with which every command finds the settings.

use std::collections::HashMap;
use std::env;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::Args;
use shop_base::config::settings::unknown;
use shop_base::config::{Config, ConfigError, env_file};

/// Why a command failed.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Where the settings are.
#[derive(Args)]
pub struct EnvFile {
    /// File of NAME=value lines; variables that are set already win
    #[arg(long)]
    env_file: Option<PathBuf>,
    /// Of the file, which is read once: it may be a pipe.
    #[arg(skip)]
    lines: OnceLock<Result<HashMap<String, String>, String>>,
}

impl EnvFile {
    pub fn config(&self) -> Result<Config, Failure> {
        let lines = self.lines()?;
        let mut variables: Vec<String> = env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
        variables.extend(lines.keys().cloned());
        let unknown = unknown(variables.into_iter());
        let unreadable = unreadable();
        match Config::read(&|name| env::var(name).ok().or_else(|| lines.get(name).cloned())) {
            Ok(mut config) if unreadable.is_empty() => {
                config.warnings.extend(unknown);
                Ok(config)
            }
            Ok(_) => Err(ConfigError(unreadable).into()),
            Err(mut error) => {
                error.0.extend(unreadable);
                // One that is missing may be there under a wrong name.
                error.0.extend(unknown);
                Err(error.into())
            }
        }
    }

    /// `RUST_LOG`, which is needed before all others. If the file cannot be read, the command says so.
    pub fn log_filter(&self) -> Option<String> {
        env::var("RUST_LOG").ok().or_else(|| self.lines().ok()?.get("RUST_LOG").cloned())
    }

    fn lines(&self) -> Result<&HashMap<String, String>, Failure> {
        let read = || self.env_file.as_deref().map(env_file::read).transpose().map(Option::unwrap_or_default);
        Ok(self.lines.get_or_init(read).as_ref().map_err(String::as_str)?)
    }
}

/// Variables that are set to what is no text. Without them another value would be used than the one that is set.
fn unreadable() -> Vec<String> {
    let is_setting = |name: &String| name.starts_with("SHOP_");
    let set = env::vars_os().filter(|(_, value)| value.to_str().is_none());
    let names = set.filter_map(|(name, _)| name.into_string().ok()).filter(is_setting);
    names.map(|name| format!("{name} is not written in UTF-8")).collect()
}
