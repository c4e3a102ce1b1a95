//! Versions of the parts, the texts that every page uses, and notifying other nodes of a change.

use std::collections::BTreeMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use shop_base::clock::{Clock, today};
use shop_base::config::Config;
use shop_base::context::Context;
use shop_base::db::{Db, DbError, Heard};
use uuid::Uuid;

use super::company::{CompanyTexts, find_company};
use super::legal;
use super::legal::model::Library;
use super::mail::{MailWords, find_mail};

/// The channel on which nodes notify each other of changes.
const CHANNEL: &str = "settings_changed";

/// The settings in use on this node, and how it learns of changes on the others.
#[derive(Debug)]
pub struct Settings {
    texts: ArcSwap<Texts>,
    /// Identifies this node to the others.
    node: Uuid,
}

impl Settings {
    #[expect(clippy::disallowed_methods, reason = "it names this node and orders nothing")]
    pub fn new(texts: Texts) -> Self {
        Self { texts: ArcSwap::from_pointee(texts), node: Uuid::now_v7() }
    }

    pub fn texts(&self) -> Arc<Texts> {
        self.texts.load_full()
    }

    /// Listens to the other nodes, if there can be any; after each of their changes it reloads the settings and calls `refreshed`.
    pub async fn follow(&self, cx: &Context, refreshed: impl Fn()) {
        while let Err(error) = self.listen(cx, &refreshed).await {
            tracing::warn!(%error, "changes of settings on other nodes are not heard; trying again");
            cx.db.pause().await;
        }
    }

    async fn listen(&self, cx: &Context, refreshed: &impl Fn()) -> Result<(), DbError> {
        let Some(mut others) = cx.db.listen(CHANNEL).await? else { return Ok(()) };
        let own = self.node.to_string();
        loop {
            // What was announced before it listened, nobody here has heard.
            self.refresh(cx).await;
            refreshed();
            while matches!(others.next().await?, Heard::Message(node) if node == own) {}
        }
    }

    /// Reloads the settings on every node.
    pub async fn changed(&self, cx: &Context) {
        self.refresh(cx).await;
        if let Err(error) = cx.db.notify(CHANNEL, &self.node.to_string()).await {
            tracing::warn!(%error, "other nodes could not be told of changed settings");
        }
    }

    /// Reloads the settings on this node.
    async fn refresh(&self, cx: &Context) {
        match Texts::load(&cx.db, &cx.config, cx.clock.as_ref()).await {
            Ok(texts) => self.texts.store(Arc::new(texts)),
            Err(error) => tracing::error!(%error, "changed settings could not be read; the old ones are shown"),
        }
    }
}

/// The texts that pages may use: loaded at the start and after each change.
#[derive(Debug)]
pub struct Texts {
    pub company: CompanyTexts,
    pub legal: Library,
    /// What staff add to emails, by kind.
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
