//! What this node does after commits.

use std::collections::BTreeSet;
use std::sync::Arc;

use shop_base::clock::Clock;
use shop_base::config::Config;
use shop_base::context::Context;
use shop_base::db::Db;
use shop_domain::catalog::changes::Change;
use shop_domain::{catalog, identity, stock};
use shop_platform::settings::parts;
use shop_platform::{audit, jobs};
use uuid::Uuid;

use super::Parts;

/// Registers the handlers that run after commits.
pub(super) fn follow_commits(parts: &Arc<Parts>, config: &Arc<Config>, clock: &Arc<dyn Clock>, db: &Db) {
    // Handlers are stored in the database, which is itself a part of the shop, so they hold the parts weakly.
    let on = |effect, act: fn(&Parts, &BTreeSet<Uuid>)| {
        let parts = Arc::downgrade(parts);
        db.after_commit(effect, move |_, about| {
            if let Some(parts) = parts.upgrade() {
                act(&parts, &about);
            }
            std::future::ready(())
        });
    };
    on(identity::recent::CHANGED, |parts, _| parts.identity.recent.forget_all());
    on(jobs::service::ADDED, |parts, _| parts.jobs.ring());
    on(audit::service::RECORDED, |parts, _| parts.audit_head.ring());
    on(catalog::service::CHANGED, |parts, products| parts.catalog.changed(Change::of(products.iter().copied())));
    on(catalog::service::EDITED, |parts, _| parts.catalog.changed(Change::everything()));
    on(catalog::service::PRODUCTS_EDITED, |parts, products| {
        parts.catalog.changed(Change::edit(products.iter().copied()));
    });
    let weak = Arc::downgrade(parts);
    db.after_commit(stock::service::MOVED, move |_, variants| {
        let parts = weak.upgrade();
        async move {
            if let Some(parts) = parts {
                parts.catalog.stock_moved(&variants).await;
            }
        }
    });
    let (parts, config, clock) = (Arc::downgrade(parts), Arc::clone(config), Arc::clone(clock));
    db.after_commit(parts::CHANGED, move |db, _| {
        let parts = parts.upgrade();
        let cx = Context { clock: Arc::clone(&clock), config: Arc::clone(&config), db };
        async move {
            if let Some(parts) = parts {
                parts.settings.changed(&cx).await;
                // Also if the texts could not be read: pages read rates and rules themselves.
                parts.catalog.changes.note(&Change::everything());
            }
        }
    });
}
