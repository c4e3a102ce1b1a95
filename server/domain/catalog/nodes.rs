//! Tells the other nodes of a shop what was changed on this one, and hears of changes on them.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shop_base::db::{DbError, Heard, Purpose};
use uuid::Uuid;

use super::changes::Change;
use super::service::Catalog;

/// The channel on which nodes notify each other of changes.
const CHANNEL: &str = "catalog_changed";
/// More changes of one moment are announced together.
const ANNOUNCE_EVERY: Duration = Duration::from_millis(50);

/// A change as one node announces it to the others.
#[derive(Debug, Serialize, Deserialize)]
struct Announcement {
    node: Uuid,
    change: Change,
}

impl Catalog {
    /// Notifies the other nodes of changes on this one. Never returns.
    pub(super) async fn announce(&self) {
        loop {
            for change in self.unannounced.next().await.parts() {
                if let Err(error) = self.notify(&change).await {
                    tracing::warn!(%error, "other nodes could not be told of a change to the catalog; trying again");
                    self.unannounced.add(change);
                    self.db.pause().await;
                }
            }
            tokio::time::sleep(ANNOUNCE_EVERY).await;
        }
    }

    async fn notify(&self, change: &Change) -> Result<(), DbError> {
        let announcement = Announcement { node: self.node, change: change.clone() };
        match serde_json::to_string(&announcement) {
            Ok(message) => self.db.of(Purpose::Lists).notify(CHANNEL, &message).await,
            Err(_) => Err(DbError::Inconsistent("a change to the catalog cannot be written")),
        }
    }

    /// Listens for notifications of other nodes, if there can be any.
    pub(super) async fn hear(&self) {
        let hear = |change: Change| {
            self.changes.note(&change);
            self.outdated.add(change);
        };
        self.db
            .hear(CHANNEL, self.clock.as_ref(), |heard| match heard {
                Heard::Message(message) => match serde_json::from_str::<Announcement>(&message) {
                    Ok(announced) if announced.node == self.node => {}
                    Ok(announced) => hear(announced.change),
                    // Of another release.
                    Err(_) => hear(Change::everything()),
                },
                Heard::Gap => hear(Change::everything()),
                // Pages are confirmed by then.
                Heard::Nothing => self.load_again.notify_one(),
            })
            .await;
    }
}
