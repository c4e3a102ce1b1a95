//! `shop export`: everything that belongs to the shop's owner, in formats that other programs read: `products.csv`, which this and other
//! shops can import, a CSV file for each table with all of its columns, and the pictures.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use shop_base::clock::SystemClock;
use shop_base::config::Config;
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
use super::stopping::Stopping;

const TABLES_FOLDER: &str = "tables";
/// The folder inside of the other in which everything is until it is complete.
const PARTIAL: &str = "partial";

#[derive(Args)]
pub struct Arguments {
    /// The folder to write to; it must be empty or missing
    folder: PathBuf,
    #[command(flatten)]
    pub env_file: EnvFile,
}

pub async fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let stopping = Stopping::listen("stopped")?;
    let (config, folder) = (Arc::new(arguments.env_file.config()?), arguments.folder);
    if fs::read_dir(&folder).is_ok_and(|mut files| files.next().is_some()) {
        return Err(format!("{} is not empty: name another folder", folder.display()).into());
    }
    let was_there = folder.exists();
    let named = |error| format!("{} cannot be made: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(named)?;
    let partial = folder.join(PARTIAL);
    // Fails if another export has just begun there.
    fs::create_dir(&partial).map_err(named)?;
    let exported = stopping.unless_told(export(&config, &partial)).await;
    let exported = exported.and_then(|exported| Ok(move_up(&partial, &folder).map(|()| exported)?));
    let Exported { tables, pictures, missing } = exported.map_err(|error| {
        drop(fs::remove_dir_all(&partial));
        if !was_there {
            drop(fs::remove_dir(&folder));
        }
        format!("nothing was exported to {}: {error}", folder.display())
    })?;
    // The files are there, whether this can be printed or not.
    let _ = writeln!(io::stdout(), "{}: products, {tables} tables, {pictures} pictures", folder.display());
    let _ = writeln!(io::stdout(), "They contain personal data and are not encrypted.");
    Ok(missing.report(&config))
}

/// How much was exported.
struct Exported {
    tables: usize,
    pictures: usize,
    missing: MissingPictures,
}

async fn export(config: &Arc<Config>, folder: &Path) -> Result<Exported, Failure> {
    let db = existing::open(config).await?.of(Purpose::Jobs);
    let cx = Context { clock: Arc::new(SystemClock), config: Arc::clone(config), db };
    let exported = write(&cx, folder).await;
    cx.db.close().await;
    exported
}

async fn write(cx: &Context, folder: &Path) -> Result<Exported, Failure> {
    let masters = Masters::open(&cx.config.data)?;
    let shown = list_shown_pictures(&mut cx.db.read().await?.conn()).await?;
    let missing = MissingPictures::find(&cx.config, shown, &masters.list().await?)?;
    csv::save(private_file::create(&folder.join("products.csv"))?.into(), HEADER, {
        let cx = cx.clone();
        move |rows| products::list::write_all(cx, rows)
    })
    .await?;
    fs::create_dir(folder.join(TABLES_FOLDER))?;
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
    Ok(Exported { tables: exported, pictures: copy_pictures(&masters, &folder.join(PICTURES)).await?, missing })
}

async fn copy_pictures(masters: &Masters, to: &Path) -> Result<usize, Failure> {
    fs::create_dir(to)?;
    let names = masters.list().await?;
    for name in &names {
        fs::write(to.join(name), masters.read(name).await?)?;
    }
    Ok(names.len())
}

/// Gives everything in one folder its place in the other, which contains it.
fn move_up(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::rename(entry.path(), to.join(entry.file_name()))?;
    }
    fs::remove_dir(from)
}
