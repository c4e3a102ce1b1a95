//! Which of the pictures that products show are not in the store, for commands that copy all pictures.

use std::collections::HashSet;
use std::io::{self, Write};
use std::process::ExitCode;

use shop_base::config::Config;

use super::env_file::Failure;

/// The exit code of a command that lacks some of the pictures that products show.
const SOME_MISSING: u8 = 3;
/// How many of them are named.
const NAMED: usize = 10;

pub struct MissingPictures {
    /// How many pictures products show.
    shown: usize,
    /// Of those the ones that are not in the store, each as its key with the handle of a product.
    missing: Vec<(String, String)>,
}

impl MissingPictures {
    /// Compares what products show, each picture as its key with the handle of a product, with the names of files in the store.
    ///
    /// # Errors
    /// None of them is there: the settings name another store.
    pub fn find(config: &Config, mut shown: Vec<(String, String)>, names: &[String]) -> Result<Self, Failure> {
        let keys: HashSet<&str> = names.iter().filter_map(|name| name.split('.').next()).collect();
        let count = shown.len();
        shown.retain(|(key, _)| !keys.contains(key.as_str()));
        if count > 0 && shown.len() == count {
            let place = place(config);
            return Err(format!(
                "none of the {count} pictures that products show is in {place}: check that it is the right one and \
                 there; nothing was written"
            )
            .into());
        }
        Ok(Self { shown: count, missing: shown })
    }

    /// Prints those that are missing, if any; answers with the command's exit code, which is right also when nothing can be printed.
    pub fn report(&self, config: &Config) -> ExitCode {
        let Self { shown, missing } = self;
        if missing.is_empty() {
            return ExitCode::SUCCESS;
        }
        let named: Vec<String> =
            missing.iter().take(NAMED).map(|(key, product)| format!("{key} of /product/{product}")).collect();
        let _ = writeln!(
            io::stdout(),
            "It lacks {} of {shown} pictures that products show, since they are not in {}: {}{}. \
             Upload them again, or take them off their products.",
            missing.len(),
            place(config),
            named.join(", "),
            if missing.len() > NAMED { ", …" } else { "" },
        );
        ExitCode::from(SOME_MISSING)
    }
}

/// Where the pictures are, by the setting that says so.
fn place(config: &Config) -> &'static str {
    if config.data.bucket.is_some() { "the bucket of SHOP_PICTURES" } else { "the folder pictures in SHOP_DATA" }
}
