//! What happened to an order, in words for staff.

use jiff::tz::TimeZone;
use serde_json::Value;
use shop_base::clock::local_time;
use shop_base::db::{Conn, DbError};
use shop_base::money::Money;
use uuid::Uuid;

use super::queries;
use super::view::TimelineItem;

/// The newest first.
pub async fn read(conn: &mut Conn<'_>, order: Uuid, zone: &TimeZone) -> Result<Vec<TimelineItem>, DbError> {
    let history = shop_domain::sales::records::orders::service::list_history(conn, order).await?;
    let people: Vec<Uuid> = history.iter().filter_map(|entry| person(&entry.actor)).collect();
    let names = queries::list_names(conn, &people).await?;
    let items = history.into_iter().rev().map(|entry| {
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
            text: text(&entry.kind, &data),
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

fn text(kind: &str, data: &Value) -> String {
    let word = |name: &str| data[name].as_str().unwrap_or_default().replace('_', " ");
    let dollars = || Money::usd(data["amount"].as_i64().unwrap_or_default()).dollars();
    match kind {
        "placed" => "Placed".to_owned(),
        "made_by_staff" => "Created in store, to be paid at pickup".to_owned(),
        "from_draft" => {
            format!("Created as draft {}, to be paid by link", data["draft"].as_str().unwrap_or_default())
        }
        "payment" => format!("Payment {}: {} → {}", data["attempt"], word("from"), word("to")),
        "paid_in_store" => format!("{} paid in store ({}), ID checked", dollars(), word("tender")),
        "shipped" => {
            format!(
                "Shipped with {}, {}{}",
                word("carrier"),
                data["tracking_number"].as_str().unwrap_or_default(),
                goods(data)
            )
        }
        "handed_over" => format!("Picked up in store, ID checked{}", goods(data)),
        "pickup_ready" => "Ready for pickup, customer notified".to_owned(),
        "pickup_reminded" => "Pickup reminder sent".to_owned(),
        "delivered" => "Package delivered".to_owned(),
        "canceled" => format!("Canceled ({})", word("reason")),
        "goods_canceled" => format!("Partially canceled{}", goods(data)),
        "refund_started" => format!("Refund of {} started", dollars()),
        "refunded" => format!("{} refunded", dollars()),
        "dispute" => format!("The customer’s bank disputed {}: {}", dollars(), word("state").to_lowercase()),
        "return_requested" => format!("Return requested{}", goods(data)),
        "return_approved" => "Return approved".to_owned(),
        "return_rejected" => "Return rejected".to_owned(),
        "return_received" => format!("Return received{}", received(data)),
        "return_refunded" => "Return refunded".to_owned(),
        "address_changed" => format!("Delivery address changed ({})", list(&data["fields"]).replace('_', " ")),
        "attention" => format!("Needs attention: {}", data["why"].as_str().unwrap_or_default()),
        "attention_cleared" => format!("Resolved: {}", data["why"].as_str().unwrap_or_default()),
        "written_again" => format!("Email resent: {}", word("mail").split('-').next().unwrap_or_default()),
        "note" => "Note".to_owned(),
        "archived" => "Archived".to_owned(),
        other => other.replace('_', " "),
    }
}

fn list(values: &Value) -> String {
    let texts: Vec<&str> = values.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    texts.join(", ")
}

/// `: 2 × AB-1, 1 × CD-2`; empty for histories of before lines were kept.
fn goods(data: &Value) -> String {
    told(data, |line| format!("{} × {}", line["quantity"], line["sku"].as_str().unwrap_or_default()))
}

fn received(data: &Value) -> String {
    told(data, |line| {
        let (sku, shelf, lost) = (line["sku"].as_str().unwrap_or_default(), &line["restocked"], &line["written_off"]);
        format!("{sku}, {shelf} restocked and {lost} written off")
    })
}

fn told(data: &Value, say: impl Fn(&Value) -> String) -> String {
    let parts: Vec<String> = data["goods"].as_array().into_iter().flatten().map(say).collect();
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::text;

    #[test]
    fn entries_read_as_sentences() {
        let parcel = json!({ "carrier": "UPS", "tracking_number": "1Z_9", "goods": [{ "sku": "A", "quantity": 2 }] });
        assert_eq!(text("shipped", &parcel), "Shipped with UPS, 1Z_9: 2 × A");
        assert_eq!(text("shipped", &json!({ "carrier": "UPS", "tracking_number": "1" })), "Shipped with UPS, 1");
        let payment = json!({ "attempt": 1, "from": "sending", "to": "authorized" });
        assert_eq!(text("payment", &payment), "Payment 1: sending → authorized");
        let came = json!({ "goods": [{ "sku": "A", "restocked": 1, "written_off": 0 }] });
        assert_eq!(text("return_received", &came), "Return received: A, 1 restocked and 0 written off");
        assert_eq!(text("something_new", &json!({})), "something new");
    }
}
