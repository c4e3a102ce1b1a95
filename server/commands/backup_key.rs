//! `shop backup-key`: a pair of keys for backups. A server that makes backups needs only the public one.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use age::secrecy::ExposeSecret;
use clap::Args;

use super::env_file::Failure;
use shop_base::private_file;

#[derive(Args)]
pub struct Arguments {
    /// The file for the secret key; it must not exist yet
    file: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let file = &arguments.file;
    let key = age::x25519::Identity::generate();
    let named = |error| format!("{}: {error}", file.display());
    let mut out = private_file::create(file).map_err(named)?;
    let written = writeln!(out, "# public key: {}\n{}", key.to_public(), key.to_string().expose_secret());
    // A key that is lost would be missed years later.
    written.and_then(|()| out.sync_all()).map_err(|error| {
        drop(fs::remove_file(file));
        named(error)
    })?;
    writeln!(io::stdout(), "SHOP_BACKUP_KEY={}", key.to_public())?;
    writeln!(io::stdout(), "Keep {} away from the server: without it no backup can be read.", file.display())?;
    Ok(())
}
