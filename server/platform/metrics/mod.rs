//! Events that are counted, for monitoring. To count another one, add a line to the table below and call its counter:
//! `metrics::mails::SENT.add(1)`, or `conn.count_after_commit(&metrics::audit_entries::ALL, 1)` within a transaction.

use shop_base::metrics::Counter;

/// A metric with a counter for each value of its label.
#[derive(Debug)]
pub struct Family {
    pub name: &'static str,
    pub help: &'static str,
    /// Empty if there is one counter only.
    pub label: &'static str,
    pub counters: &'static [(&'static str, &'static Counter)],
}

/// Each line `name by "label" { COUNTER = "value" }` is exported as `shop_name_total{label="value"}`.
macro_rules! families {
    ($(#[doc = $help:literal] $name:ident by $label:literal { $($counter:ident = $value:literal),* $(,)? })*) => {
        $(
            #[doc = $help]
            pub mod $name {
                use shop_base::metrics::Counter;

                $(pub static $counter: Counter = Counter::new();)*
            }
        )*

        /// All of them.
        pub static FAMILIES: &[Family] = &[$(Family {
            name: concat!("shop_", stringify!($name)),
            help: $help,
            label: $label,
            counters: &[$(($value, &$name::$counter)),*],
        }),*];
    };
}

families! {
    /// Orders placed, by how the goods reach the buyer
    orders_placed by "delivery" { SHIPPING = "shipping", PICKUP = "pickup" }

    /// Totals of the orders placed, in minor units
    order_value_cents by "currency" { USD = "USD" }

    /// Payments that have reached a status; unknown means that the provider has not said what became of it
    payments by "status" {
        UNKNOWN = "unknown",
        DUE = "due",
        AUTHORIZED = "authorized",
        CAPTURED = "captured",
        DECLINED = "declined",
        VOIDING = "voiding",
        VOIDED = "voided",
    }

    /// Refunds whose outcome the provider has told
    refunds by "status" { SETTLED = "settled", FAILED = "failed" }

    /// Units that were reserved for an order and not sold
    stock_released_units by "" { ALL = "" }

    /// Emails handed to the mail server; failed ones were refused for good
    mails by "result" { SENT = "sent", RETRIED = "retried", FAILED = "failed", OFF = "off" }

    /// Webhooks received from the payment provider
    webhooks_received by "result" { ACCEPTED = "accepted", BAD_SIGNATURE = "bad_signature", MALFORMED = "malformed" }

    /// Webhooks sent to endpoints, tests excepted; failed ones are not tried again
    webhooks_sent by "result" { DELIVERED = "delivered", RETRIED = "retried", FAILED = "failed" }

    /// Requests beyond a limit
    limit_hits by "limit" {
        ACTIVITY = "activity",
        CLIENT_ERRORS = "client_errors",
        CARDS = "cards",
        GUESSED_CARDS = "guessed_cards",
        HELD_GOODS = "held_goods",
        PICKUPS = "pickups",
        REQUESTS = "requests",
    }

    /// Connections that were closed by the shop: for lack of room, to make room, or because no request arrived in time
    connections_closed by "reason" { REFUSED = "refused", EVICTED = "evicted", OVERDUE = "overdue" }

    /// Calls to the store of pictures that failed
    image_store_failures by "" { ALL = "" }

    /// Entries written to the audit log
    audit_entries by "" { ALL = "" }
}
