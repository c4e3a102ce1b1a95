//! `shop settings`: all variables.

use std::io::{self, Write};

use shop_base::config::settings::SETTINGS;

use super::env_file::Failure;

pub fn run() -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for setting in SETTINGS {
        // Both are written for the table of the README.
        let plain = |text: &str| text.replace('`', "");
        writeln!(out, "{} (default: {})\n    {}", setting.name, plain(setting.default), plain(setting.meaning))?;
    }
    Ok(())
}
