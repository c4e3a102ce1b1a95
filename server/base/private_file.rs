//! Files that only their owner can read.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates an empty file; fails if there is one.
pub fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
