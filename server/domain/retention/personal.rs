//! Every column with personal data: whose they are, what for, and how they end. `docs/OPERATIONS.md` contains the same list; a test compares
//! both with the schema, and with where the data of a buyer are found.

use super::model::TABLES;

/// How personal data in a column end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With the row, by the rule of its table in [`TABLES`].
    Row,
    /// Blanked when the account is erased and the order is closed; with the row at the latest.
    Erasure,
    /// Never: an id that names nobody once the account is erased.
    Id,
    /// Never: the books, which the law wants whole.
    Books,
}

/// Columns of one table that serve one purpose.
#[derive(Clone, Copy, Debug)]
pub struct Personal {
    pub table: &'static str,
    pub columns: &'static [&'static str],
    /// The noun that reads and writes them.
    pub owner: &'static str,
    pub purpose: &'static str,
    pub end: End,
}

const fn personal(
    table: &'static str,
    columns: &'static [&'static str],
    owner: &'static str,
    purpose: &'static str,
    end: End,
) -> Personal {
    Personal { table, columns, owner, purpose, end }
}

/// All of them, by table in alphabetical order.
pub const COLUMNS: &[Personal] = &[
    personal(
        "activity_events",
        &["action", "network", "page", "user_id"],
        "activity",
        "what visitors look for",
        End::Row,
    ),
    personal(
        "addresses",
        &["city", "company", "first_name", "last_name", "line1", "line2", "phone", "postal_code", "state", "user_id"],
        "customers",
        "to fill in the checkout",
        End::Row,
    ),
    personal("age_proofs", &["preferred_state", "user_id"], "age", "not to ask an adult again", End::Row),
    personal(
        "audit_entries",
        &["actor_id", "after", "before", "device", "network", "subject_label"],
        "audit",
        "who of the staff changed what; buyers are named by ids",
        End::Id,
    ),
    personal("carts", &["promo_code", "user_id"], "cart", "the cart on every device", End::Row),
    personal(
        "delivery_records",
        &["city", "consignee", "postal_code", "state", "street", "tracking_number"],
        "compliance",
        "the report of deliveries that the law demands",
        End::Row,
    ),
    personal("dispatches", &["payload"], "webhooks", "what other programs of the shop are told", End::Row),
    personal(
        "draft_orders",
        &["address", "email", "made_by", "message", "phone", "user_id"],
        "sales",
        "an order that staff prepare for a buyer",
        End::Erasure,
    ),
    personal(
        "erased_subjects",
        &["assigned_role", "blocked_at", "tag"],
        "identity",
        "to accept no access token from before, and that a block or a lesser role lasts",
        End::Row,
    ),
    personal("fulfillments", &["tracking_number", "tracking_url"], "sales", "where the package is", End::Books),
    personal("jobs", &["payload"], "jobs", "emails that are still to be sent", End::Row),
    personal("legal_versions", &["published_by"], "settings", "who of the staff published the text", End::Id),
    personal("open_pickups", &["email", "network", "user_id"], "sales", "the limit of unpaid orders", End::Row),
    personal("order_history", &["actor", "data"], "sales", "what happened to the order", End::Erasure),
    personal(
        "orders",
        &["address", "email", "phone"],
        "sales",
        "delivery, news of the order, and the tax of its place",
        End::Erasure,
    ),
    personal("orders", &["age_proof"], "sales", "the proof that it was sold to an adult", End::Books),
    personal("orders", &["user_id"], "sales", "whose account it belongs to", End::Id),
    personal("payment_attempts", &["card_brand", "card_last_4"], "sales", "which card was charged", End::Books),
    personal(
        "payment_attempts",
        &["card_fingerprint", "network", "user_id"],
        "sales",
        "the limit of cards that are tried",
        End::Erasure,
    ),
    personal("pickup_links", &["email", "network"], "sales", "the confirmation of an unpaid order", End::Row),
    personal("product_import_progress", &["applied_by"], "catalog", "who of the staff imports", End::Row),
    personal("product_imports", &["actor_id"], "catalog", "who of the staff imports", End::Row),
    personal("promo_redemptions", &["customer"], "promotions", "one use for each customer", End::Erasure),
    personal("refunds", &["reason"], "sales", "why money was given back", End::Erasure),
    personal("returns", &["message", "reason"], "sales", "what the buyer sends back, and why", End::Erasure),
    personal("saved_views", &["name", "query", "user_id"], "saved_views", "lists that staff come back to", End::Row),
    personal("search_terms", &["term"], "staff_search", "what staff find orders and customers by", End::Row),
    personal(
        "sessions",
        &["device", "network", "provider_session", "tokens", "user_id"],
        "identity",
        "to stay signed in, and to see where",
        End::Row,
    ),
    personal("stock_movements", &["actor_id", "note"], "stock", "who of the staff changed the stock", End::Id),
    personal("user_devices", &["name", "user_id"], "identity", "to warn of sign-ins with another device", End::Row),
    personal(
        "users",
        &["block_reason", "email", "name", "phone", "preferences", "preferred_state", "subject"],
        "identity",
        "the account",
        End::Erasure,
    ),
    personal("visit_confirmations", &["user_id", "who"], "analytics", "to count visitors once", End::Row),
    personal("visit_names", &["name", "who"], "analytics", "to count visitors once", End::Row),
    personal("visit_users", &["user_id", "who"], "analytics", "to count visitors once", End::Row),
    personal("visits", &["who"], "analytics", "to count visitors once", End::Row),
];

impl Personal {
    /// How they end, in the handbook's words.
    fn ending(&self) -> String {
        let row = || {
            let kept = TABLES.iter().find(|(table, _)| *table == self.table);
            kept.map_or_else(String::new, |(_, kept)| kept.words())
        };
        match self.end {
            End::Row => row(),
            End::Erasure => format!("until the account is erased and its orders are closed; the row: {}", row()),
            End::Books => "forever: the books".to_owned(),
            End::Id => "forever: names nobody whose account is erased".to_owned(),
        }
    }
}

/// The handbook's table, in Markdown.
pub fn handbook() -> String {
    let rows = COLUMNS.iter().map(|each| {
        let columns: Vec<String> = each.columns.iter().map(|column| format!("`{column}`")).collect();
        format!(
            "| `{}` | {} | {} | {} | {} |\n",
            each.table,
            columns.join(", "),
            each.owner,
            each.purpose,
            each.ending()
        )
    });
    std::iter::once("| Table | Columns | Owner | Purpose | Kept |\n|---|---|---|---|---|\n".to_owned())
        .chain(rows)
        .collect()
}
