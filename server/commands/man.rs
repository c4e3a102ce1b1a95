//! `shop man`: the manual page, with all commands and settings.

use std::io::{self, Write};

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use shop_base::config::settings::SETTINGS;

use super::env_file::Failure;

pub fn run(mut command: Command) -> Result<(), Failure> {
    // Names commands after those that they belong to.
    command.build();
    let mut parts = Roff::new();
    parts.control("SH", ["COMMANDS"]);
    add_commands(&mut parts, &command);
    parts.control("SH", ["SETTINGS"]);
    parts.text([roman("Settings are variables of the environment.")]);
    for setting in SETTINGS {
        let plain = |text: &str| text.replace('`', "");
        parts.control("TP", []);
        parts.text([bold(setting.name), roman(format!(" (default: {})", plain(setting.default)))]);
        parts.text([roman(plain(setting.meaning))]);
    }
    // Its own part about commands names a page for each.
    let man = Man::new(command);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    parts.to_writer(&mut page)?;
    man.render_version_section(&mut page)?;
    io::stdout().write_all(&page)?;
    Ok(())
}

/// Each with what it takes, and with those that belong to it.
fn add_commands(page: &mut Roff, parent: &Command) {
    for command in parent.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help") {
        let usage = command.clone().render_usage().to_string();
        page.control("SS", [usage.trim_start_matches("Usage: ")]);
        if let Some(about) = command.get_about() {
            page.text([roman(about.to_string())]);
        }
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            // Each command has `--help`.
            if let Some(help) = argument.get_help().filter(|_| argument.get_id() != "help") {
                page.control("TP", []);
                page.text([bold(argument.to_string())]);
                page.text([roman(help.to_string())]);
            }
        }
        add_commands(page, command);
    }
}
