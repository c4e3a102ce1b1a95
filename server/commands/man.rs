//! `shop man`: the manual page, with all commands and settings.

use std::io::{self, Write};

use clap::Command;
use clap_mangen::Man;
use shop_base::config::settings::SETTINGS;

use super::env_file::Failure;

pub fn run(command: Command) -> Result<(), Failure> {
    let mut settings = String::from("Settings are variables of the environment:\n");
    for setting in SETTINGS {
        let plain = |text: &str| text.replace('`', "");
        settings += &format!("\n{} (default: {}): {}\n", setting.name, plain(setting.default), plain(setting.meaning));
    }
    let mut page = Vec::new();
    Man::new(command.after_long_help(settings)).render(&mut page)?;
    io::stdout().write_all(&page)?;
    Ok(())
}
