//! Copies of a whole database: [`Source`] reads one while the shop goes on, [`Target`] puts it in the place of another at once or not at all.
//!
//! The copy of SQLite is one part, a database file. That of PostgreSQL consists of the rows of all the shop's tables as `COPY` writes them; the
//! tables themselves are made by the migrations. `_sqlx_migrations` is not copied but made anew.

mod contents;
mod files;
mod source;
mod target;

pub use self::contents::{Contents, CopyError, System};
pub(super) use self::files::{check_in_place, remove_database};
pub use self::source::{Source, remove_scratch};
pub(super) use self::target::MISSING_GRANT;
pub use self::target::Target;
