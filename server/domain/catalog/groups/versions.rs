//! The version on which a change of a category or a collection is based.

use shop_base::error::Error;
use uuid::Uuid;

/// The row with this id, if it is still at the version that the caller saw.
pub fn find<T>(all: &[T], id: Uuid, version: i64, key: fn(&T) -> (Uuid, i64)) -> Result<&T, Error> {
    let row = all.iter().find(|row| key(row).0 == id).ok_or(Error::NotFound)?;
    if key(row).1 == version { Ok(row) } else { Err(Error::changed_meanwhile("this")) }
}
