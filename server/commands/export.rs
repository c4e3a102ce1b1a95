//! `shop export`: everything that belongs to the shop's owner, in formats that other programs read: `products.csv`, which this and other
//! shops can import, a CSV file for each table with all of its columns, and the pictures.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use shop_base::clock::SystemClock;
use shop_base::context::Context;
use shop_base::csv;
use shop_base::db::Purpose;
use shop_base::private_file;
use shop_domain::catalog::import_export::export::HEADER;
use shop_domain::catalog::store::list_shown_pictures;
use shop_domain::retention::model::{INTERNAL, TABLES};
use shop_http::admin::products;
use shop_platform::media::Masters;

use super::backup::PICTURES;
use super::env_file::{EnvFile, Failure};
use super::existing;
use super::missing_pictures::MissingPictures;

const TABLES_FOLDER: &str = "tables";

#[derive(Args)]
pub struct Arguments {
    /// The folder to write to; it must be empty or missing
    folder: PathBuf,
    #[command(flatten)]
    pub env_file: EnvFile,
}

pub async fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let (config, folder) = (arguments.env_file.config()?, arguments.folder);
    if fs::read_dir(&folder).is_ok_and(|mut files| files.next().is_some()) {
        return Err(format!("{} is not empty: name another folder", folder.display()).into());
    }
    let db = existing::open(&config).await?.of(Purpose::Jobs);
    let cx = Context { clock: Arc::new(SystemClock), config: Arc::new(config), db };
    // First, so that nothing is written when the pictures are elsewhere.
    let masters = Masters::open(&cx.config.data)?;
    let shown = list_shown_pictures(&mut cx.db.read().await?.conn()).await?;
    let missing = MissingPictures::find(&cx.config, shown, &masters.list().await?)?;
    let tables = folder.join(TABLES_FOLDER);
    fs::create_dir_all(&tables).map_err(|error| format!("{} cannot be made: {error}", tables.display()))?;
    let written = write(&cx, &masters, &folder).await;
    cx.db.close().await;
    let (exported, pictures) =
        written.map_err(|error| format!("the export in {} is not complete: {error}", folder.display()))?;
    // The files are there, whether this can be printed or not.
    let _ = writeln!(io::stdout(), "{}: products, {exported} tables, {pictures} pictures", folder.display());
    let _ = writeln!(io::stdout(), "They contain personal data and are not encrypted.");
    Ok(missing.report(&cx.config))
}

/// Returns the number of tables and of pictures.
async fn write(cx: &Context, masters: &Masters, folder: &Path) -> Result<(usize, usize), Failure> {
    csv::save(private_file::create(&folder.join("products.csv"))?.into(), HEADER, {
        let cx = cx.clone();
        move |rows| products::list::write_all(cx, rows)
    })
    .await?;
    let mut exported = 0;
    for (table, _) in TABLES.iter().filter(|(table, _)| !INTERNAL.contains(table)) {
        let columns = cx.db.columns(table).await?;
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        let (db, copied) = (cx.db.clone(), columns.clone());
        let file = private_file::create(&folder.join(TABLES_FOLDER).join(format!("{table}.csv")))?;
        csv::save(file.into(), &names, move |rows| async move { Ok(db.write_table(table, &copied, rows).await?) })
            .await?;
        exported += 1;
    }
    Ok((exported, copy_pictures(masters, &folder.join(PICTURES)).await?))
}

async fn copy_pictures(masters: &Masters, to: &Path) -> Result<usize, Failure> {
    fs::create_dir_all(to)?;
    let names = masters.list().await?;
    for name in &names {
        fs::write(to.join(name), masters.read(name).await?)?;
    }
    Ok(names.len())
}
