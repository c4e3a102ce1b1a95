//! Staff notes on an order, including the note that resolves a flag for review.

use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};

use crate::sales::records::orders::claim::{claim, lock};
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::model::typed_text;
use crate::sales::records::orders::{service as orders, store};

/// How soon the same note is taken for one that is sent again because its answer was lost, in milliseconds.
const SENT_AGAIN_MS: i64 = 60 * 1000;

/// Adds a note that only staff can read. One that is sent again at once is the one that is there.
pub async fn note(cx: &Context, number: &str, actor: &Actor, text: &str) -> Result<(), Error> {
    let text = typed_text("text", text)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = lock(&mut conn, number).await?;
    let (by, data) = (actor.label(), json!({ "text": text }));
    let is_there = orders::list_history(&mut conn, order.id).await?.last().is_some_and(|last| {
        last.kind() == Some(EventKind::Note)
            && last.actor == by
            && clock.now_ms() - last.at < SENT_AGAIN_MS
            && serde_json::from_str::<Value>(&last.data).is_ok_and(|stored| stored == data)
    });
    if is_there {
        return Ok(());
    }
    let event = Event::new(EventKind::Note, data).by(&by);
    orders::record(&mut conn, clock, order.id, &event).await?;
    // The text may contain personal data: the log only stores its length.
    let change = Change::new("order.note", order.subject(), json!({ "characters": text.chars().count() }));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Clears an order's flag for review, with a note on what was done.
pub async fn clear_attention(cx: &Context, number: &str, actor: &Actor, version: i64, text: &str) -> Result<(), Error> {
    let text = typed_text("note", text)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    let Some(why) = &order.attention else {
        return Err(Error::conflict("no_attention", "This order doesn’t need attention."));
    };
    store::set_attention(&mut conn, order.id, None, clock.now_ms()).await?;
    let event = Event::new(EventKind::AttentionCleared, json!({ "why": why, "text": text })).by(&actor.label());
    orders::record(&mut conn, clock, order.id, &event).await?;
    let change = Change::new("order.clear_attention", order.subject(), json!({ "why": why }));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}
