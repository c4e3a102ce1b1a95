//! Pictures uploaded by staff: decoded, re-encoded, stored.

use bytes::Bytes;
use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;

use super::{Master, Media, MediaError, store};
use crate::audit;
use crate::audit::model::{Actor, Change, Subject};

/// The largest file that is accepted, in bytes.
pub const MAX_UPLOAD: usize = 20 * 1024 * 1024;
/// Accepted content types; the actual format is determined from the bytes.
pub const TYPES: [&str; 3] = ["image/jpeg", "image/png", "image/webp"];

/// Stores a picture. The same file twice is one picture.
pub async fn upload(cx: &Context, media: &Media, actor: &Actor, file: Bytes) -> Result<Master, Error> {
    let master = media.put(file).await.map_err(|error| match error {
        MediaError::Refused(cause) => Error::invalid("file", &sentence(&cause.to_string())),
        MediaError::Busy => Error::TooManyFiles,
        MediaError::Timeout => Error::Timeout,
        MediaError::Store(_) => Error::StoreAway,
        error => Error::internal(error),
    })?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    store::insert_picture(&mut conn, &master, clock.now_ms()).await?;
    let size = json!({ "width": master.width, "height": master.height });
    let change = Change::new("picture.upload", Subject::new("picture", &master.key, ""), size);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(master)
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
