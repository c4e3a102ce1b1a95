//! The history of an order, in words for staff.

use jiff::tz::TimeZone;
use serde_json::Value;
use shop_base::clock::local_time;
use shop_base::db::{Conn, DbError};
use shop_base::money::Money;
use shop_domain::sales::records::orders::history::EventKind;
use shop_domain::sales::records::orders::rows::HistoryEntry;
use uuid::Uuid;
use uuid::fmt::Hyphenated;

use super::view::TimelineItem;
use crate::admin::users::queries::list_names;

/// The entries of an order's history, newest first.
pub async fn read(
    conn: &mut Conn<'_>,
    history: &[HistoryEntry],
    zone: &TimeZone,
) -> Result<Vec<TimelineItem>, DbError> {
    let people: Vec<Uuid> = history.iter().filter_map(|entry| person(&entry.actor)).collect();
    let names = list_names(conn, &people).await?;
    let items = history.iter().rev().map(|entry| {
        let data: Value = serde_json::from_str(&entry.data).unwrap_or_default();
        let who = match person(&entry.actor) {
            Some(id) => names.get(&id).filter(|name| !name.is_empty()).cloned().unwrap_or("Staff".to_owned()),
            None if entry.actor == "shopper" => "Customer".to_owned(),
            None => "System".to_owned(),
        };
        TimelineItem {
            id: entry.id,
            at: local_time(entry.at, zone),
            who,
            // A newer release may have written a kind that this one does not know.
            text: entry.kind().map_or_else(|| entry.kind.replace('_', " "), |kind| text(kind, &data)),
            note: data["text"].as_str().filter(|text| !text.is_empty()).map(str::to_owned),
            is_public: entry.is_public,
        }
    });
    Ok(items.collect())
}

/// The id in `staff {id}`.
fn person(actor: &str) -> Option<Uuid> {
    actor.strip_prefix("staff ")?.parse().ok()
}

fn text(kind: EventKind, data: &Value) -> String {
    let word = |name: &str| data[name].as_str().unwrap_or_default().replace('_', " ");
    let dollars = || Money::usd(data["amount"].as_i64().unwrap_or_default()).dollars();
    match kind {
        EventKind::Placed => "Placed".to_owned(),
        EventKind::MadeByStaff => "Created in store, to be paid at pickup".to_owned(),
        EventKind::FromDraft => {
            format!("Created as draft {}, to be paid by link", data["draft"].as_str().unwrap_or_default())
        }
        EventKind::Payment => {
            format!("Payment {}: {} → {}", data["attempt"], payment_state(&data["from"]), payment_state(&data["to"]))
        }
        EventKind::PaidInStore => format!("{} paid in store ({}), ID checked", dollars(), word("tender")),
        EventKind::Shipped => {
            format!(
                "Shipped with {}, {}{}",
                word("carrier"),
                data["tracking_number"].as_str().unwrap_or_default(),
                goods(data)
            )
        }
        EventKind::PaymentUndone => format!("Undone: {} paid in store ({})", dollars(), word("tender")),
        EventKind::ShipmentUndone => {
            let number = data["tracking_number"].as_str().unwrap_or_default();
            format!("Undone: shipped with {}, {number}{}", word("carrier"), goods(data))
        }
        EventKind::HandoverUndone => format!("Undone: picked up in store{}", goods(data)),
        EventKind::DeliveryUndone => "Undone: package delivered".to_owned(),
        EventKind::HandedOver => format!("Picked up in store, ID checked{}", goods(data)),
        EventKind::PickupReady => "Marked as ready for pickup".to_owned(),
        EventKind::PickupReadyUndone => "Undone: ready for pickup".to_owned(),
        EventKind::PickupReminded => "Reminded of the pickup".to_owned(),
        EventKind::Delivered => "Package delivered".to_owned(),
        EventKind::Canceled => canceled(data["reason"].as_str().unwrap_or_default()).to_owned(),
        EventKind::GoodsCanceled => format!("Partially canceled{}", goods(data)),
        EventKind::RefundStarted => format!("Refund of {} started", dollars()),
        EventKind::RefundFailed => format!("Refund of {} failed", dollars()),
        EventKind::Refunded => format!("{} refunded", dollars()),
        EventKind::RefundedElsewhere => format!("{} refunded in the provider’s dashboard", dollars()),
        EventKind::Dispute => format!("The customer’s bank disputed {}: {}", dollars(), word("state").to_lowercase()),
        EventKind::ReturnRequested => format!("Return requested{}", goods(data)),
        EventKind::ReturnApproved => "Return approved".to_owned(),
        EventKind::ReturnRejected => "Return rejected".to_owned(),
        EventKind::ReturnReceived => format!("Return received{}", received(data)),
        EventKind::ReturnRefunded => "Return refunded".to_owned(),
        EventKind::ReturnClosed => "Return closed without a refund".to_owned(),
        EventKind::AddressChanged => format!("Delivery address changed ({})", list(&data["fields"]).replace('_', " ")),
        EventKind::RulesConfirmed => format!("Left by exception, against the rules. {}", sentences(&data["rules"])),
        EventKind::Attention => format!("Needs attention: {}", data["why"].as_str().unwrap_or_default()),
        EventKind::AttentionCleared => format!("Resolved: {}", data["why"].as_str().unwrap_or_default()),
        EventKind::WrittenAgain => format!("Email resent: {}", email(data)),
        EventKind::EmailDropped => format!("Email not sent: {}", email(data)),
        EventKind::Note => "Note".to_owned(),
        EventKind::Archived => "Archived".to_owned(),
    }
}

/// The state of a payment, as the payment's own label has it.
fn payment_state(state: &Value) -> String {
    match state.as_str().unwrap_or_default() {
        "sending" => "processing".to_owned(),
        "due" => "due in store".to_owned(),
        other => other.replace('_', " "),
    }
}

fn canceled(reason: &str) -> &'static str {
    match reason {
        "shopper" => "Canceled: requested by the customer",
        "not_picked_up" => "Canceled: not picked up",
        "stock_lost" => "Canceled: the items sold out before the payment went through",
        "payment_lost" => "Canceled: the payment didn’t go through",
        "abandoned" => "Canceled: not paid for",
        _ => "Canceled",
    }
}

/// The name of an email, in words.
fn email(data: &Value) -> String {
    without_id(data["mail"].as_str().unwrap_or_default()).replace(['-', '_'], " ")
}

/// The name of an email, which may end with the id of what it is about.
fn without_id(mail: &str) -> &str {
    let id_at = mail.len().checked_sub(Hyphenated::LENGTH);
    let parts = id_at.and_then(|at| mail.split_at_checked(at)).filter(|(_, id)| Uuid::try_parse(id).is_ok());
    parts.and_then(|(name, _)| name.strip_suffix('-')).unwrap_or(mail)
}

fn list(values: &Value) -> String {
    texts(values).join(", ")
}

fn sentences(values: &Value) -> String {
    texts(values).join(" ")
}

fn texts(values: &Value) -> Vec<&str> {
    values.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// `: 2 × AB-1, 1 × CD-2`; empty for entries older than the recording of lines.
pub fn goods(data: &Value) -> String {
    listed(data, |line| format!("{} × {}", line["quantity"], line["sku"].as_str().unwrap_or_default()))
}

fn received(data: &Value) -> String {
    listed(data, |line| {
        let (sku, shelf, lost) = (line["sku"].as_str().unwrap_or_default(), &line["restocked"], &line["written_off"]);
        format!("{sku}, {shelf} restocked and {lost} written off")
    })
}

fn listed(data: &Value, say: impl Fn(&Value) -> String) -> String {
    let parts: Vec<String> = data["goods"].as_array().into_iter().flatten().map(say).collect();
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{EventKind, text};

    #[test]
    fn entries_read_as_sentences() {
        let parcel = json!({ "carrier": "UPS", "tracking_number": "1Z_9", "goods": [{ "sku": "A", "quantity": 2 }] });
        assert_eq!(text(EventKind::Shipped, &parcel), "Shipped with UPS, 1Z_9: 2 × A");
        assert_eq!(
            text(EventKind::Shipped, &json!({ "carrier": "UPS", "tracking_number": "1" })),
            "Shipped with UPS, 1"
        );
        let payment = json!({ "attempt": 1, "from": "sending", "to": "authorized" });
        assert_eq!(text(EventKind::Payment, &payment), "Payment 1: processing → authorized");
        for (reason, words) in [("shopper", "Canceled: requested by the customer"), ("staff", "Canceled")] {
            assert_eq!(text(EventKind::Canceled, &json!({ "reason": reason })), words);
        }
        // Its email is only queued by then, and may never be sent.
        assert_eq!(text(EventKind::PickupReady, &json!({})), "Marked as ready for pickup");
        let money = json!({ "amount": 600 });
        assert_eq!(text(EventKind::RefundFailed, &money), "Refund of $6.00 failed");
        assert_eq!(text(EventKind::RefundedElsewhere, &money), "$6.00 refunded in the provider’s dashboard");
        let rules = json!({ "rules": ["Butane: Not to Ohio.", "Papers: Not at all."] });
        assert_eq!(
            text(EventKind::RulesConfirmed, &rules),
            "Left by exception, against the rules. Butane: Not to Ohio. Papers: Not at all."
        );
        let again = json!({ "mail": "goods-canceled-01890a5d-ac96-774b-bcce-b302099a8057", "again": "" });
        assert_eq!(text(EventKind::WrittenAgain, &again), "Email resent: goods canceled");
        for (mail, name) in [("pickup-ready", "pickup ready"), ("placed", "placed")] {
            let again = json!({ "mail": mail, "again": "" });
            assert_eq!(text(EventKind::WrittenAgain, &again), format!("Email resent: {name}"));
            assert_eq!(text(EventKind::EmailDropped, &again), format!("Email not sent: {name}"));
        }
        let came = json!({ "goods": [{ "sku": "A", "restocked": 1, "written_off": 0 }] });
        assert_eq!(text(EventKind::ReturnReceived, &came), "Return received: A, 1 restocked and 0 written off");
    }
}
