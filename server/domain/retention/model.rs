//! Every table, and when its rows are deleted. `docs/OPERATIONS.md` contains the same list; a test compares both with the schema.

use shop_platform::webhooks::model::RETENTION as DISPATCHES_MS;

use crate::activity::service::RETENTION_MS as ACTIVITY_MS;
use crate::analytics::visits::service::OPEN_DAYS;
use crate::catalog::import_export::import::KEPT_MS as IMPORTS_MS;
use crate::identity::model::LONGEST_TOKEN_MS;
use crate::sales::privacy::UNPAID_KEPT_MS;
use crate::sales::records::draft_orders::service::KEPT_FOR as DRAFTS_MS;

const DAY: i64 = 24 * 60 * 60 * 1000;
/// A provider repeats an event for a few days at most, and staff look into one within weeks.
const WEBHOOKS_MS: i64 = 30 * DAY;
/// This long after a hold expired, nobody asks why goods were reserved.
const RESERVATIONS_MS: i64 = 30 * DAY;
/// Three months to handle jobs that have failed for good.
const DEAD_JOBS_MS: i64 = 90 * DAY;

/// Pages that were opened this long ago have loaded what they need, or load a newer build.
const BUILDS_MS: i64 = 30 * DAY;

/// Emails and pickup orders are counted per day.
const PICKUPS_MS: i64 = DAY;

/// How long rows of a table are kept.
#[derive(Clone, Copy, Debug)]
pub enum Kept {
    /// Forever, with the reason.
    ForEver(&'static str),
    /// As long as the parent row in this table, with which they are deleted.
    With(&'static str),
    /// Until one of these rules applies.
    Until(&'static [Expiry]),
    /// Until a module's own cleanup deletes them: a duration in milliseconds, and the event it starts with.
    UntilNoun(i64, &'static str),
    /// Until an event deletes them in its own transaction.
    UntilEvent(&'static str),
}

/// A rule that deletes rows some time after an event.
#[derive(Clone, Copy, Debug)]
pub struct Expiry {
    /// The columns of the primary key.
    pub key: &'static str,
    /// SQL condition on `$1`, the time (UTC milliseconds) that is `after` milliseconds ago.
    pub condition: &'static str,
    /// Milliseconds.
    pub after: i64,
    /// The event.
    pub what: &'static str,
}

const CATALOG: Kept = Kept::ForEver("the catalog");
const RULES: Kept = Kept::ForEver("what orders were decided by");
const BOOKS: Kept = Kept::ForEver("the books");
const FIGURES: Kept = Kept::ForEver("names nobody");
const ACCOUNT: Kept = Kept::UntilEvent("the account is erased");
/// The same where rows may be left after the erasure, because a request that it overtook has stored one, or the deletion of many was
/// interrupted: the cleanup deletes them.
const OF_ERASED: Expiry = Expiry {
    key: "id",
    condition: "user_id IN (SELECT id FROM users WHERE deleted_at <= $1)",
    after: 0,
    what: "the account is erased",
};
/// There may be any number of dispatches, so the ids of their endpoints are taken from the index, one step each, instead of reading all rows.
const OF_DELETED_ENDPOINT: Expiry = Expiry {
    key: "id",
    condition: "created_at <= $1 AND endpoint_id IN (WITH RECURSIVE named(id) AS (
            SELECT (SELECT endpoint_id FROM dispatches ORDER BY endpoint_id LIMIT 1)
            UNION ALL SELECT (SELECT endpoint_id FROM dispatches WHERE endpoint_id > named.id ORDER BY endpoint_id LIMIT 1)
            FROM named WHERE named.id IS NOT NULL)
        SELECT id FROM named WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM endpoints))",
    after: 0,
    what: "its endpoint is deleted",
};
/// One that is being written or undone is kept until that is done: without its items it would count as done.
const NOT_AT_WORK: &str = "the file was read, unless it is being imported or undone";
const ORDER: Kept = Kept::With("orders");
const VISIT: Kept = Kept::UntilNoun(OPEN_DAYS * DAY, "the visit's day");

/// All tables, in alphabetical order.
pub const TABLES: &[(&str, Kept)] = &[
    (
        "activity_events",
        Kept::Until(&[
            Expiry { key: "id", condition: "received_at < $1", after: ACTIVITY_MS, what: "the event was received" },
            OF_ERASED,
        ]),
    ),
    ("addresses", ACCOUNT),
    ("age_proofs", ACCOUNT),
    ("audit_entries", Kept::ForEver("append-only; names staff by their ids")),
    ("build_files", Kept::With("builds")),
    (
        "builds",
        Kept::Until(&[Expiry { key: "id", condition: "seen_at < $1", after: BUILDS_MS, what: "a node served it" }]),
    ),
    ("cart_items", Kept::With("carts")),
    ("carts", Kept::Until(&[OF_ERASED])),
    ("categories", CATALOG),
    ("collection_products", Kept::With("collections")),
    ("collections", CATALOG),
    ("compliance_classes", RULES),
    ("compliance_rules", RULES),
    (
        "delivery_records",
        Kept::Until(&[Expiry {
            key: "id",
            condition: "keep_until <= $1",
            after: 0,
            what: "the end of the fourth full calendar year after the delivery",
        }]),
    ),
    ("dispatch_attempts", Kept::With("dispatches")),
    (
        "dispatches",
        Kept::Until(&[
            Expiry { key: "id", condition: "created_at < $1", after: DISPATCHES_MS, what: "the event was written" },
            OF_DELETED_ENDPOINT,
        ]),
    ),
    ("disputes", BOOKS),
    ("draft_order_lines", Kept::With("draft_orders")),
    ("draft_orders", Kept::UntilNoun(DRAFTS_MS, "the link of one that came to nothing was over")),
    (
        "endpoint_secrets",
        Kept::Until(&[Expiry {
            key: "id",
            condition: "signs_until <= $1",
            after: 0,
            what: "the secret no longer signs, or its endpoint is deleted",
        }]),
    ),
    ("endpoints", Kept::UntilEvent("an admin deletes the endpoint")),
    (
        "erased_subjects",
        Kept::Until(&[Expiry {
            key: "tag",
            condition: "erased_at <= $1 AND assigned_role IS NULL AND blocked_at IS NULL",
            after: LONGEST_TOKEN_MS,
            what: "the account was erased; if it was blocked or had a lesser role, not before its owner signs in again",
        }]),
    ),
    ("fulfillment_lines", Kept::With("fulfillments")),
    ("fulfillments", ORDER),
    (
        "jobs",
        Kept::Until(&[Expiry {
            key: "id",
            condition: "dead_at < $1",
            after: DEAD_JOBS_MS,
            what: "the job was given up; one that is done goes at once",
        }]),
    ),
    ("legal_drafts", Kept::ForEver("one for each legal text")),
    ("legal_versions", RULES),
    (
        "open_pickups",
        Kept::Until(&[Expiry {
            key: "order_id",
            condition: "created_at <= $1 AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = open_pickups.order_id
                AND (o.status = 'draft' OR (o.status = 'placed' AND (o.payment_status = 'not_paid' OR o.total = 0)
                    AND o.fulfillment_status IN ('unfulfilled', 'partially_fulfilled'))))",
            after: PICKUPS_MS,
            what: "it was counted, if its order is settled",
        }]),
    ),
    ("order_adjustments", ORDER),
    ("order_history", ORDER),
    ("order_lines", ORDER),
    ("order_tax_lines", ORDER),
    (
        "orders",
        Kept::UntilNoun(
            UNPAID_KEPT_MS,
            "the last change of one that was canceled and never paid; the others are the books",
        ),
    ),
    ("payment_attempts", ORDER),
    (
        "pickup_links",
        Kept::Until(&[Expiry {
            key: "id",
            condition: "created_at <= $1",
            after: PICKUPS_MS,
            what: "the email was written",
        }]),
    ),
    ("pictures", CATALOG),
    ("product_images", Kept::With("products")),
    (
        "product_import_items",
        Kept::Until(&[Expiry {
            key: "import_id, place",
            condition: "import_id IN (SELECT id FROM product_imports WHERE created_at < $1)
                AND import_id NOT IN (SELECT import_id FROM product_import_progress
                    WHERE state IN ('applying', 'undoing') AND updated_at >= $1)",
            after: IMPORTS_MS,
            what: NOT_AT_WORK,
        }]),
    ),
    ("product_import_progress", Kept::With("product_imports")),
    (
        "product_imports",
        Kept::Until(&[Expiry {
            key: "id",
            condition: "created_at < $1 AND id NOT IN (SELECT import_id FROM product_import_progress
                WHERE state IN ('applying', 'undoing') AND updated_at >= $1)",
            after: IMPORTS_MS,
            what: NOT_AT_WORK,
        }]),
    ),
    ("product_option_values", Kept::With("product_options")),
    ("product_options", Kept::With("products")),
    ("product_variants", Kept::With("products")),
    ("products", CATALOG),
    ("promo_codes", RULES),
    ("promo_redemptions", ORDER),
    ("provider_watermarks", Kept::ForEver("one for each kind of a provider's records")),
    ("refund_lines", Kept::With("refunds")),
    ("refunds", BOOKS),
    ("related_products", Kept::With("products")),
    ("retired_paths", CATALOG),
    ("return_lines", Kept::With("returns")),
    ("returns", ORDER),
    ("rollups", FIGURES),
    ("sales_days", FIGURES),
    ("sales_products", FIGURES),
    ("saved_views", Kept::Until(&[OF_ERASED])),
    ("schema_needs", Kept::ForEver("one row")),
    ("search_term_fills", Kept::ForEver("one for each kind of what staff search for")),
    ("search_terms", Kept::UntilEvent("what they find is deleted or erased")),
    (
        "sessions",
        Kept::Until(&[
            Expiry { key: "id", condition: "expires_at <= $1", after: 0, what: "the session is over" },
            OF_ERASED,
        ]),
    ),
    ("settings", Kept::ForEver("one for each part of the settings")),
    ("shipping_methods", RULES),
    ("shipping_rates", RULES),
    ("shipping_zones", RULES),
    ("stock_levels", Kept::With("product_variants")),
    ("stock_movements", BOOKS),
    (
        "stock_reservations",
        Kept::Until(&[Expiry {
            key: "order_id, variant_id",
            condition: "state = 'released' AND expires_at < $1",
            after: RESERVATIONS_MS,
            what: "the hold of one that was released was over; what was sold goes with `orders`",
        }]),
    ),
    ("tax_counties", RULES),
    ("tax_rates", RULES),
    ("uncounted_events", Kept::UntilEvent("the event is counted")),
    (
        "used_logout_tokens",
        Kept::Until(&[Expiry { key: "jti", condition: "expires_at <= $1", after: 0, what: "the token is over" }]),
    ),
    ("user_devices", ACCOUNT),
    ("users", Kept::ForEver("of an erased account the id alone, which the books name")),
    ("variant_option_values", Kept::With("product_variants")),
    ("visit_confirmations", VISIT),
    ("visit_counts", FIGURES),
    ("visit_days", FIGURES),
    ("visit_names", VISIT),
    ("visit_users", VISIT),
    ("visits", VISIT),
    (
        "webhook_events",
        Kept::Until(&[
            Expiry {
                key: "provider, event_id, kind",
                condition: "processed_at < $1",
                after: WEBHOOKS_MS,
                what: "the event was understood",
            },
            Expiry {
                key: "provider, event_id, kind",
                condition: "processed_at IS NULL AND received_at < $1",
                after: WEBHOOKS_MS,
                what: "it was received, if it never was",
            },
        ]),
    ),
    ("writer_checks", Kept::ForEver("one row")),
];

impl Kept {
    /// The wording in the handbook.
    pub fn words(&self) -> String {
        let after = |ms: i64, what: &str| match ms / DAY {
            0 => format!("until {what}"),
            1 => format!("a day after {what}"),
            days => format!("{days} days after {what}"),
        };
        match self {
            Self::ForEver(why) => format!("forever: {why}"),
            Self::With(table) => format!("as long as its row of `{table}`"),
            Self::Until(rules) => rules.iter().map(|rule| after(rule.after, rule.what)).collect::<Vec<_>>().join("; "),
            Self::UntilNoun(ms, what) => after(*ms, what),
            Self::UntilEvent(what) => format!("until {what}"),
        }
    }
}

/// Tables that an export leaves out: secrets, work in progress, figures and indexes that the shop computes, and the shop's own state.
pub const INTERNAL: &[&str] = &[
    "build_files",
    "builds",
    "dispatch_attempts",
    "dispatches",
    "endpoint_secrets",
    "endpoints",
    "erased_subjects",
    "jobs",
    "open_pickups",
    "pickup_links",
    "product_import_items",
    "product_import_progress",
    "product_imports",
    "provider_watermarks",
    "related_products",
    "rollups",
    "schema_needs",
    "search_term_fills",
    "search_terms",
    "sessions",
    "uncounted_events",
    "used_logout_tokens",
    "user_devices",
    "visit_confirmations",
    "visit_names",
    "visit_users",
    "visits",
    "webhook_events",
    "writer_checks",
];

/// The handbook's table, in Markdown.
pub fn handbook() -> String {
    let rows = TABLES.iter().map(|(table, kept)| format!("| `{table}` | {} |\n", kept.words()));
    std::iter::once("| Table | Kept |\n|---|---|\n".to_owned()).chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::{INTERNAL, TABLES};

    #[test]
    fn tables_that_are_left_out_exist() {
        for table in INTERNAL {
            assert!(TABLES.iter().any(|(name, _)| name == table), "{table}");
        }
    }
}
