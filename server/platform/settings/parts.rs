//! The parts of the settings that are changed as a whole, each with a version.

use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError, Effect};
use shop_base::error::Error;

use super::store;

/// A part that is changed as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Company,
    Mail,
    Shipping,
    Tax,
    Compliance,
}

impl Part {
    pub fn name(self) -> &'static str {
        match self {
            Self::Company => "company",
            Self::Mail => "mail",
            Self::Shipping => "shipping",
            Self::Tax => "tax",
            Self::Compliance => "compliance",
        }
    }
}

pub async fn version(conn: &mut Conn<'_>, part: Part) -> Result<i64, DbError> {
    store::find_version(conn, part.name()).await
}

/// Claims a part for a change in this transaction; false if it no longer has the version that the caller saw. What is stored must be read
/// after this, which waits for a change that another transaction makes: that may be the same one.
pub async fn try_claim(conn: &mut Conn<'_>, clock: &dyn Clock, part: Part, version: i64) -> Result<bool, DbError> {
    let is_claimed = store::raise_version(conn, part.name(), version, clock.now_ms()).await?;
    if is_claimed {
        conn.after_commit(CHANGED);
    }
    Ok(is_claimed)
}

/// How a change ends that could not claim its part, or is stored already: then it was sent again because an answer was lost, or nothing was
/// changed before it was saved, and nothing is left to do. The transaction ends with it, so the version stays, and so do other forms and kept
/// pages.
pub fn unclaimed(is_stored: bool) -> Result<(), Error> {
    if is_stored { Ok(()) } else { Err(Error::changed_meanwhile("these settings")) }
}

/// Makes every node reload the settings.
pub const CHANGED: Effect = Effect("settings changed");
