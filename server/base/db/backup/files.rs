//! The files of an SQLite database, and how a copy takes their place. At every moment the former database is whole under one of two names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::db::error::DbError;

/// Where the copy of an SQLite file is made ready: on the same disk.
pub(super) fn beside(file: &Path) -> PathBuf {
    file.with_extension("restoring.db")
}

/// Where the former database is while the copy takes its place.
fn former(file: &Path) -> PathBuf {
    file.with_extension("replaced.db")
}

/// Where a restore that was interrupted has left the former database, if there is none at its own path.
fn set_aside(file: &Path) -> Option<PathBuf> {
    Some(former(file)).filter(|former| !file.exists() && former.exists())
}

/// Fails when the former database is set aside: an empty one must not take its place.
pub fn check_in_place(file: &Path) -> Result<(), DbError> {
    set_aside(file).map_or(Ok(()), |former| Err(DbError::Interrupted(former)))
}

/// An SQLite database consists of up to three files, and a copy with the log of another database would be damaged.
fn files_of(database: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|ending| {
        let mut name = database.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    })
}

pub fn remove_database(database: &Path) -> io::Result<()> {
    for file in files_of(database) {
        if file.exists() {
            fs::remove_file(file)?;
        }
    }
    Ok(())
}

/// Never are the database and the log of different ones side by side. If the copy cannot take its name, the former database is back and the
/// copy gone. What an interrupted restore has set aside must have been put back.
pub(super) fn replace_file(file: &Path) -> io::Result<()> {
    let (copy, former) = (beside(file), former(file));
    let [_, log, _] = files_of(&copy);
    if log.exists() {
        return Err(io::Error::other(format!("{} should be empty and gone", log.display())));
    }
    remove_database(&former)?;
    if let Err(error) = swap(file, &former, &copy) {
        put_back(file)?;
        remove_database(&copy)?;
        return Err(error);
    }
    // The copy has its place: whoever restores must not take what fails from here on for a restore that has failed.
    if let Err(error) = flush_folder(file).and_then(|()| remove_database(&former)) {
        let left = former.display();
        tracing::warn!(%error, %left, "the backup is restored, and the replaced database is still there: remove it");
    }
    Ok(())
}

fn swap(file: &Path, former: &Path, copy: &Path) -> io::Result<()> {
    // The database first: nobody opens a log without it.
    for (from, to) in files_of(file).iter().zip(files_of(former)) {
        if from.exists() {
            fs::rename(from, to)?;
        }
    }
    flush_folder(file)?;
    fs::rename(copy, file)
}

/// Gives the database that was set aside its own name again, if there is one; says whether there was.
pub(super) fn put_back(file: &Path) -> io::Result<bool> {
    let Some(former) = set_aside(file) else { return Ok(false) };
    // The database last: until then it counts as set aside.
    for (from, to) in files_of(&former).iter().zip(files_of(file)).rev() {
        if from.exists() {
            fs::rename(from, to)?;
        }
    }
    flush_folder(file)?;
    Ok(true)
}

/// Waits until the new names are on the disk.
fn flush_folder(file: &Path) -> io::Result<()> {
    let Some(folder) = file.parent() else { return Ok(()) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{put_back, replace_file, set_aside};

    /// A folder with these files, each of which contains its name.
    fn folder(test: &str, names: &[&str]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("shop-files-{}-{test}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        for name in names {
            fs::write(folder.join(name), name).expect("a file");
        }
        folder
    }

    /// Names and contents, sorted; removes the folder.
    fn left(folder: PathBuf) -> Vec<(String, String)> {
        let entries = fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("an entry"));
        let mut files: Vec<(String, String)> = entries
            .map(|entry| {
                (entry.file_name().into_string().expect("a name"), fs::read_to_string(entry.path()).expect("a file"))
            })
            .collect();
        files.sort();
        fs::remove_dir_all(folder).expect("it is removed");
        files
    }

    fn pairs(files: &[(&str, &str)]) -> Vec<(String, String)> {
        files.iter().map(|(name, content)| ((*name).to_owned(), (*content).to_owned())).collect()
    }

    #[test]
    fn a_copy_takes_the_place_of_all_files() {
        let folder =
            folder("swap", &["shop.db", "shop.db-wal", "shop.db-shm", "shop.restoring.db", "shop.replaced.db"]);
        replace_file(&folder.join("shop.db")).expect("it is replaced");
        assert_eq!(left(folder), pairs(&[("shop.db", "shop.restoring.db")]));
    }

    #[test]
    fn what_cannot_be_replaced_is_back_with_its_log() {
        // There is no copy to take its place.
        let folder = folder("back", &["shop.db", "shop.db-wal", "shop.db-shm"]);
        replace_file(&folder.join("shop.db")).expect_err("there is no copy");
        let names = ["shop.db", "shop.db-shm", "shop.db-wal"];
        assert_eq!(left(folder), pairs(&names.map(|name| (name, name))));
    }

    #[test]
    fn what_an_interrupted_restore_has_set_aside_is_put_back_whole() {
        for (test, names) in [
            ("before-the-log", ["shop.replaced.db", "shop.db-wal", "shop.db-shm"]),
            ("between", ["shop.replaced.db", "shop.replaced.db-wal", "shop.db-shm"]),
            ("after-the-log", ["shop.replaced.db", "shop.replaced.db-wal", "shop.replaced.db-shm"]),
        ] {
            let folder = folder(test, &names);
            let file = folder.join("shop.db");
            assert_eq!(set_aside(&file), Some(folder.join("shop.replaced.db")));
            assert!(put_back(&file).expect("it is put back"));
            assert!(!put_back(&file).expect("there is nothing to do"));
            let [database, log, index] = names;
            let expected = [("shop.db", database), ("shop.db-shm", index), ("shop.db-wal", log)];
            assert_eq!(left(folder), pairs(&expected), "{test}");
        }
    }
}
