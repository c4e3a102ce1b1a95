//! `shop copy-pictures`: copies the pictures of the folder into the bucket, for a shop that moves from one to the other.

use std::io::{self, Write};

use shop_platform::media::Masters;

use super::backup::PICTURES;
use super::env_file::{EnvFile, Failure};

pub async fn run(env_file: &EnvFile) -> Result<(), Failure> {
    let config = env_file.config()?;
    if config.data.bucket.is_none() {
        return Err("SHOP_PICTURES is not set: the shop uses the folder itself".into());
    }
    let (from, to) = (Masters::in_folder(&config.data)?, Masters::open(&config.data)?);
    let names = from.list().await?;
    if names.is_empty() {
        let folder = config.data.folder.join(PICTURES);
        return Err(format!("there are no pictures in {}: check SHOP_DATA", folder.display()).into());
    }
    let mut copied = 0;
    for name in &names {
        if !to.has(name).await? {
            to.add(name, from.read(name).await?).await?;
            copied += 1;
        }
    }
    // They are there, whether this can be printed or not.
    let _ = writeln!(io::stdout(), "Pictures copied: {copied}, there already: {}.", names.len() - copied);
    Ok(())
}
