//! Versions of the parts, the texts that every page says, and the news of a change.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use uuid::Uuid;

use super::model::{CHANGED, CompanyOverrides, CompanyTexts};
use super::store;
use crate::audit::model::{Actor, Change, Subject};
use crate::clock::{Clock, today};
use crate::config::Config;
use crate::context::Context;
use crate::db::{Conn, Db, DbError, decoded};
use crate::error::Error;
use crate::legal::model::Library;
use crate::mail::model::MailWords;
use crate::mail::samples::KINDS;
use crate::{audit, legal};

/// On which nodes tell each other of changes.
const CHANNEL: &str = "settings_changed";

/// Between two tries to hear the other nodes.
const TRY_AGAIN: Duration = Duration::from_secs(5);

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

/// Takes a part for a change within this transaction, if it is still as the caller saw it.
pub async fn claim(conn: &mut Conn<'_>, clock: &dyn Clock, part: Part, version: i64) -> Result<(), Error> {
    if store::raise_version(conn, part.name(), version, clock.now_ms()).await? {
        conn.after_commit(CHANGED);
        Ok(())
    } else {
        Err(Error::conflict("changed_meanwhile", "Someone else has changed these settings."))
    }
}

/// What this node shows of the settings, and how it hears of changes on the others.
#[derive(Debug)]
pub struct Settings {
    texts: ArcSwap<Texts>,
    /// How the others know this node by.
    node: Uuid,
}

impl Settings {
    pub fn new(texts: Texts) -> Self {
        Self { texts: ArcSwap::from_pointee(texts), node: Uuid::now_v7() }
    }

    pub fn texts(&self) -> Arc<Texts> {
        self.texts.load_full()
    }

    /// Listens to the other nodes, if there can be any; after each change of theirs this one shows it, and calls `refreshed`.
    pub async fn follow(&self, cx: &Context, refreshed: impl Fn()) {
        while let Err(error) = self.listen(cx, &refreshed).await {
            tracing::warn!(%error, "changes of settings on other nodes are not heard; trying again");
            tokio::time::sleep(TRY_AGAIN).await;
            // What was said meanwhile is lost.
            self.refresh(cx).await;
            refreshed();
        }
    }

    async fn listen(&self, cx: &Context, refreshed: &impl Fn()) -> Result<(), DbError> {
        let Some(mut others) = cx.db.listen(CHANNEL).await? else { return Ok(()) };
        loop {
            if others.next().await?.as_deref() != Some(self.node.to_string().as_str()) {
                self.refresh(cx).await;
                refreshed();
            }
        }
    }

    /// Has every node show what was changed.
    pub async fn changed(&self, cx: &Context) {
        self.refresh(cx).await;
        if let Err(error) = cx.db.notify(CHANNEL, &self.node.to_string()).await {
            tracing::warn!(%error, "other nodes could not be told of changed settings");
        }
    }

    /// Makes this node show the settings as they are now.
    async fn refresh(&self, cx: &Context) {
        match Texts::load(&cx.db, &cx.config, cx.clock.as_ref()).await {
            Ok(texts) => self.texts.store(Arc::new(texts)),
            Err(error) => tracing::error!(%error, "changed settings could not be read; the old ones are shown"),
        }
    }
}

/// What every page may say: read at the start and after each change.
#[derive(Debug)]
pub struct Texts {
    pub company: CompanyTexts,
    pub legal: Library,
    /// What staff add to letters, by kind.
    pub mail: BTreeMap<String, MailWords>,
}

impl Texts {
    pub async fn load(db: &Db, config: &Config, clock: &dyn Clock) -> Result<Self, DbError> {
        let mut reader = db.read().await?;
        let mut conn = reader.conn();
        let (overrides, _) = find_company(&mut conn).await?;
        let company = CompanyTexts::new(&config.company, &overrides);
        let today = today(clock, &config.company.time_zone);
        let legal = legal::service::library(&mut conn, config, &company, today).await?;
        let (mail, _) = find_mail(&mut conn).await?;
        Ok(Self { company, legal, mail })
    }
}

/// What staff say of the company, with its version.
pub async fn find_company(conn: &mut Conn<'_>) -> Result<(CompanyOverrides, i64), DbError> {
    let (value, version) = store::find_value(conn, Part::Company.name()).await?;
    Ok((decoded("value", serde_json::from_str(&value))?, version))
}

/// Says something else of the company on every page from now on.
pub async fn change_company(
    cx: &Context,
    actor: &Actor,
    version: i64,
    overrides: &CompanyOverrides,
) -> Result<(), Error> {
    let overrides = overrides.checked()?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    claim(&mut conn, clock, Part::Company, version).await?;
    let (before, _) = find_company(&mut conn).await?;
    let value = serde_json::to_string(&overrides).map_err(Error::internal)?;
    store::set_value(&mut conn, Part::Company.name(), &value).await?;
    let subject = Subject::new("setting", Part::Company.name(), "Company");
    let change = Change::of("company.update", subject, &before, &overrides);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// What staff add to letters by kind, with its version.
pub async fn find_mail(conn: &mut Conn<'_>) -> Result<(BTreeMap<String, MailWords>, i64), DbError> {
    let (value, version) = store::find_value(conn, Part::Mail.name()).await?;
    Ok((decoded("value", serde_json::from_str(&value))?, version))
}

/// Adds other words to a kind of letter from now on; empty ones are the built-in letter.
pub async fn change_mail(
    cx: &Context,
    actor: &Actor,
    kind: &str,
    version: i64,
    words: &MailWords,
) -> Result<(), Error> {
    let Some((kind, label)) = KINDS.into_iter().find(|(name, _)| *name == kind) else {
        return Err(Error::NoRoute { path: format!("/api/admin/settings/mail/{kind}") });
    };
    let words = words.checked(kind)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    claim(&mut conn, clock, Part::Mail, version).await?;
    let (mut all, _) = find_mail(&mut conn).await?;
    let before = all.remove(kind).unwrap_or_default();
    if words != MailWords::default() {
        all.insert(kind.to_owned(), words.clone());
    }
    let value = serde_json::to_string(&all).map_err(Error::internal)?;
    store::set_value(&mut conn, Part::Mail.name(), &value).await?;
    let change = Change::of("mail.update", Subject::new("setting", kind, label), &before, &words);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}
