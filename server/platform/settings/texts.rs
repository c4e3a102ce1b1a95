//! Versions of the parts, the texts that every page uses, and notifying other nodes of a change.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use shop_base::clock::{Clock, today};
use shop_base::config::Config;
use shop_base::context::Context;
use shop_base::db::{Db, DbError, Heard, Purpose};
use tokio::sync::{Mutex, Notify};
use tokio::time::sleep;
use uuid::Uuid;

use super::company::{CompanyTexts, find_company};
use super::legal;
use super::legal::model::Library;
use super::mail::{MailWords, find_mail};

/// The channel on which nodes notify each other of changes.
const CHANNEL: &str = "settings_changed";

/// So often they are loaded although no change is known: another node may be killed before it announces one.
const LOAD_EVERY: Duration = Duration::from_secs(15 * 60);

/// The settings in use on this node, and how it learns of changes on the others.
#[derive(Debug)]
pub struct Settings {
    texts: ArcSwap<Texts>,
    /// Held while they are loaded, so that those from before a change do not replace those from after it.
    loading: Mutex<()>,
    /// Signals that they must be loaded again.
    outdated: Notify,
    /// Signals that they may have to be loaded again.
    doubted: Notify,
    /// Signals that the other nodes have not been notified of a change on this one.
    unannounced: Notify,
    /// Identifies this node to the others.
    node: Uuid,
}

impl Settings {
    #[expect(clippy::disallowed_methods, reason = "it names this node and orders nothing")]
    pub fn new(texts: Texts) -> Self {
        Self {
            texts: ArcSwap::from_pointee(texts),
            loading: Mutex::default(),
            outdated: Notify::new(),
            doubted: Notify::new(),
            unannounced: Notify::new(),
            node: Uuid::now_v7(),
        }
    }

    pub fn texts(&self) -> Arc<Texts> {
        self.texts.load_full()
    }

    /// Reloads the settings on every node. If that fails, [`Settings::follow`] tries again.
    pub async fn changed(&self, cx: &Context) {
        let (loaded, announced) = tokio::join!(self.load(cx), self.announce(cx));
        if let Err(error) = loaded {
            tracing::error!(%error, "changed settings could not be read; trying again, the old ones are shown until then");
            self.outdated.notify_one();
        }
        if let Err(error) = announced {
            tracing::warn!(%error, "other nodes could not be told of changed settings; trying again");
            self.unannounced.notify_one();
        }
    }

    /// Reloads the settings after changes on other nodes, and what could not be loaded at once, and then calls `loaded`. Never returns.
    pub async fn follow(&self, cx: &Context, loaded: impl Fn()) {
        tokio::join!(self.keep_loading(cx, loaded), self.keep_announcing(cx), self.hear(cx));
    }

    async fn keep_loading(&self, cx: &Context, loaded: impl Fn()) {
        loop {
            let is_said = tokio::select! {
                () = self.outdated.notified() => true,
                () = self.doubted.notified() => false,
                () = sleep(LOAD_EVERY) => false,
            };
            match self.load(cx).await {
                Ok(is_other) => {
                    if is_said || is_other {
                        loaded();
                    }
                }
                Err(error) => {
                    tracing::error!(%error, "settings could not be read; trying again, the old ones are shown until then");
                    self.outdated.notify_one();
                    cx.db.pause().await;
                }
            }
        }
    }

    /// Loads the settings on this node; returns whether they are different.
    async fn load(&self, cx: &Context) -> Result<bool, DbError> {
        let _one = self.loading.lock().await;
        let texts = Texts::load(&cx.db.of(Purpose::Lists).short(), &cx.config, cx.clock.as_ref()).await?;
        let is_other = *self.texts.load_full() != texts;
        self.texts.store(Arc::new(texts));
        Ok(is_other)
    }

    async fn keep_announcing(&self, cx: &Context) {
        loop {
            self.unannounced.notified().await;
            if let Err(error) = self.announce(cx).await {
                tracing::warn!(%error, "other nodes could not be told of changed settings; trying again");
                self.unannounced.notify_one();
                cx.db.pause().await;
            }
        }
    }

    /// Notifies the other nodes of a change on this one.
    async fn announce(&self, cx: &Context) -> Result<(), DbError> {
        cx.db.of(Purpose::Lists).notify(CHANNEL, &self.node.to_string()).await
    }

    /// Listens for notifications of other nodes, if there can be any.
    async fn hear(&self, cx: &Context) {
        let own = self.node.to_string();
        let hear = |heard: Heard| match heard {
            Heard::Message(node) if node == own => {}
            Heard::Message(_) | Heard::Gap => self.outdated.notify_one(),
            Heard::Nothing => self.doubted.notify_one(),
        };
        cx.db.hear(CHANNEL, cx.clock.as_ref(), hear).await;
    }
}

/// The texts that pages may use: loaded at the start and after each change.
#[derive(Debug, PartialEq, Eq)]
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
