//! Writes, publishes and reads legal texts.

use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Value, json};
use shop_base::config::Config;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::fields::Faults;
use utoipa::ToSchema;
use uuid::Uuid;

use super::model::{Document, Edition, Library, TextInput, all_editions, built_in, document, slugs};
use super::store;
use crate::audit;
use crate::audit::model::{Actor, Change, Subject};
use crate::settings::company::CompanyTexts;
use crate::settings::parts::CHANGED;

/// All documents, ready to display.
pub async fn library(
    conn: &mut Conn<'_>,
    config: &Config,
    company: &CompanyTexts,
    today: Date,
) -> Result<Library, DbError> {
    let mut documents = Vec::new();
    for slug in slugs() {
        documents.push((slug, editions(conn, slug).await?));
    }
    Ok(Library::new(documents, config.http.origin(), company, today))
}

/// Every edition of a document, the built-in one first.
pub async fn editions(conn: &mut Conn<'_>, slug: &str) -> Result<Vec<Edition>, DbError> {
    let published = store::list_editions(conn, slug).await?;
    Ok(all_editions(built_in(slug).map(|(_, edition)| edition), published))
}

/// Who published each edition and when: number, UTC milliseconds, name.
pub async fn publishers(conn: &mut Conn<'_>, slug: &str) -> Result<Vec<(i64, i64, String)>, DbError> {
    store::list_publishers(conn, slug).await
}

/// Title, text and version of the draft.
pub async fn draft(conn: &mut Conn<'_>, slug: &str) -> Result<Option<(String, String, i64)>, DbError> {
    store::find_draft(conn, slug).await
}

/// What to preview: a text as staff enter it, or an edition.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PreviewedText {
    pub title: String,
    /// Markdown, as in a draft.
    pub body: String,
    /// The number of an edition, which is shown instead of title and body.
    #[serde(default)]
    pub number: Option<i64>,
}

/// How the page of a text would look.
pub async fn preview(
    cx: &Context,
    company: &CompanyTexts,
    slug: &str,
    wanted: &PreviewedText,
) -> Result<Document, Error> {
    let (slug, _) = known(slug)?;
    let edition = match wanted.number {
        Some(number) => find_edition(cx, slug, number).await?,
        None => {
            let PreviewedText { title, body, .. } = wanted.clone();
            let input = TextInput { title, body, version: 0, edition: None };
            input.check()?;
            Edition { number: 0, title: input.title.trim().to_owned(), body: input.body, effective_from: cx.today() }
        }
    };
    Ok(document(slug, &edition, cx.config.http.origin(), company))
}

async fn find_edition(cx: &Context, slug: &str, number: i64) -> Result<Edition, Error> {
    let editions = editions(&mut cx.db.read().await?.conn(), slug).await?;
    let found = editions.into_iter().find(|each| each.number == number);
    found.ok_or_else(|| Error::invalid("number", "This version doesn’t exist."))
}

/// Saves a draft, which shoppers do not see.
pub async fn save_draft(cx: &Context, actor: &Actor, slug: &str, input: &TextInput) -> Result<(), Error> {
    let (slug, _) = known(slug)?;
    input.check()?;
    keep(cx, actor, slug, input, "legal.draft", Value::Null).await
}

/// Which edition becomes the draft.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct Restoration {
    pub number: i64,
    /// The version of the draft that the caller saw, 0 when there was none.
    pub version: i64,
    /// The number of the newest edition that the caller saw: a first draft is refused if there is a newer one by then. None is not compared.
    #[serde(default)]
    pub edition: Option<i64>,
}

/// Copies an edition into the draft, from which it can be published again. The draft that it replaces is in the audit log only.
pub async fn restore(cx: &Context, actor: &Actor, slug: &str, restoration: &Restoration) -> Result<(), Error> {
    let &Restoration { number, version, edition } = restoration;
    let (slug, _) = known(slug)?;
    let wanted = find_edition(cx, slug, number).await?;
    let input = TextInput { title: wanted.title, body: wanted.body, version, edition };
    // If the draft is another one by the time that it is replaced, that is refused.
    let former = store::find_draft(&mut cx.db.read().await?.conn(), slug).await?;
    let before = former.map_or(Value::Null, |(title, body, _)| whole_draft(&title, &body));
    keep(cx, actor, slug, &input, "legal.restore", before).await
}

/// `before` is what the audit log keeps of the draft that ends.
async fn keep(
    cx: &Context,
    actor: &Actor,
    slug: &'static str,
    input: &TextInput,
    action: &'static str,
    before: Value,
) -> Result<(), Error> {
    let (title, body) = (input.title.trim(), input.body.as_str());
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    if !store::put_draft(&mut conn, slug, title, body, input.version, clock.now_ms()).await? {
        // The same, sent again because an answer was lost, is what is stored.
        let draft = store::find_draft(&mut conn, slug).await?;
        let is_stored = draft.is_some_and(|(known_title, known_body, _)| known_title == title && known_body == body);
        return if is_stored { Ok(()) } else { Err(Error::changed_meanwhile("this text")) };
    }
    // There is no draft before one is written and after it was published. Editions are read after the insertion, which waits for a publication
    // that another transaction makes.
    if input.version == 0
        && let Some(seen) = input.edition
    {
        let editions = store::list_editions(&mut conn, slug).await?;
        if editions.last().map_or(0, |last| last.number) != seen {
            return Err(Error::changed_meanwhile("this text"));
        }
    }
    let after = json!({ "title": title, "characters": body.chars().count() });
    let change = Change::of(action, subject(slug, title), &before, &after);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Discards a draft. From then on it is in the audit log only.
pub async fn discard(cx: &Context, actor: &Actor, slug: &str, version: i64) -> Result<(), Error> {
    let (slug, edition) = known(slug)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let Some((title, body)) = store::delete_draft(&mut conn, slug, version).await? else {
        // Without a draft, there is nothing left to discard: it was sent again because an answer was lost. But it may have been published.
        let is_discarded = store::find_draft(&mut conn, slug).await?.is_none()
            && !store::is_published_since(&mut conn, slug, version).await?;
        return if is_discarded { Ok(()) } else { Err(Error::changed_meanwhile("this text")) };
    };
    let before = whole_draft(&title, &body);
    let change = Change::new("legal.discard", subject(slug, &edition.title), json!({}));
    audit::service::record(&mut conn, clock, actor, &Change { before, ..change }).await?;
    tx.commit().await?;
    Ok(())
}

/// When the draft takes effect.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct Publication {
    /// The version of the draft that the caller saw.
    pub version: i64,
    /// Today or later, `YYYY-MM-DD`.
    pub effective_from: String,
}

/// Publishes the draft: it is in force from its day on. The same, sent again because an answer was lost, is what was published, also when its
/// day has passed since.
pub async fn publish(cx: &Context, actor: &Actor, slug: &str, publication: &Publication) -> Result<(), Error> {
    let (slug, _) = known(slug)?;
    let clock = cx.clock.as_ref();
    let today = cx.today();
    let mut faults = Faults::default();
    let from = faults.day("effective_from", &publication.effective_from).filter(|day| *day < Edition::NEVER);
    faults.unless(from.is_some_and(|day| day >= today), "effective_from", "Choose today or a later date.");
    // A draft of this version becomes this edition only.
    let id = Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("{slug} {}", publication.version).as_bytes());
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    // The draft's row is what two concurrent publishers contend for.
    let draft = store::delete_draft(&mut conn, slug, publication.version).await?;
    if draft.is_none()
        && let Some(day) = from
        && store::is_published(&mut conn, id, day).await?
    {
        return Ok(());
    }
    faults.finish()?;
    let (Some((title, body)), Some(effective_from)) = (draft, from) else {
        return Err(Error::changed_meanwhile("this text"));
    };
    let editions = store::list_editions(&mut conn, slug).await?;
    let number = editions.last().map_or(1, |last| last.number + 1);
    let edition = Edition { number, title, body, effective_from };
    store::insert_edition(&mut conn, id, slug, &edition, actor.user_id, clock.now_ms()).await?;
    let after = json!({
        "number": number, "effective_from": edition.effective_from.to_string(),
        "characters": edition.body.chars().count(),
    });
    let change = Change::new("legal.publish", subject(slug, &edition.title), after);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    conn.after_commit(CHANGED);
    tx.commit().await?;
    Ok(())
}

/// Withdraws an edition that is not in force yet. One that was withdrawn before stays so: it was sent again because an answer was lost.
pub async fn withdraw(cx: &Context, actor: &Actor, slug: &str, number: i64) -> Result<(), Error> {
    let (slug, _) = known(slug)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let editions = store::list_editions(&mut conn, slug).await?;
    let Some(edition) = editions.iter().find(|edition| edition.number == number) else {
        return Err(Error::invalid("number", "This version doesn’t exist."));
    };
    let is_withdrawn = edition.effective_from == Edition::NEVER;
    if !is_withdrawn && !edition.is_coming(cx.today()) {
        let detail = "This version has already been in effect. To replace it, publish another one.";
        return Err(Error::conflict("in_force", detail));
    }
    // Of two who withdraw it at once, the second finds it without its day.
    if is_withdrawn || !store::withdraw_edition(&mut conn, slug, edition).await? {
        return Ok(());
    }
    let before = json!({ "number": number, "effective_from": edition.effective_from.to_string() });
    let change = Change::new("legal.withdraw", subject(slug, &edition.title), json!({}));
    audit::service::record(&mut conn, clock, actor, &Change { before, ..change }).await?;
    conn.after_commit(CHANGED);
    tx.commit().await?;
    Ok(())
}

fn known(slug: &str) -> Result<(&'static str, Edition), Error> {
    built_in(slug).ok_or(Error::NotFound)
}

fn subject(slug: &str, title: &str) -> Subject {
    Subject::new("setting", slug, title)
}

/// A draft for the audit log.
fn whole_draft(title: &str, body: &str) -> Value {
    json!({ "title": title, "body": body })
}
