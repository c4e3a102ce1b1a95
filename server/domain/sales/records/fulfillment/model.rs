//! What has left of an order, and the resulting status.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shop_base::db::stored;
use shop_base::fields::one_line;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::sales::status::FulfillmentStatus;

stored! {
    FulfillmentKind {
        /// A carrier has it.
        Parcel = "parcel",
        /// Given to the buyer in the store.
        Handover = "handover",
    }
}

/// A quantity of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LineQuantity {
    pub line_id: Uuid,
    pub quantity: i64,
}

/// Fulfillment progress of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineProgress {
    pub line_id: Uuid,
    pub ordered: i64,
    pub canceled: i64,
    /// Shipped in parcels or handed over.
    pub shipped: i64,
}

impl LineProgress {
    /// The quantity that has not left yet.
    pub fn open(&self) -> i64 {
        self.ordered - self.canceled - self.shipped
    }
}

/// Why a selection of lines is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceProblem {
    #[error("Choose at least one item.")]
    Nothing,
    #[error("This order has no such item.")]
    Unknown,
    #[error("That’s more than the order has.")]
    TooMany,
}

/// A selection of lines as one quantity per line, each from 1 to what `most` allows.
pub fn checked(
    choice: &[LineQuantity],
    most: impl Fn(Uuid) -> Option<i64>,
) -> Result<BTreeMap<Uuid, i64>, ChoiceProblem> {
    let mut chosen: BTreeMap<Uuid, i64> = BTreeMap::new();
    for LineQuantity { line_id, quantity } in choice.iter().filter(|line| line.quantity != 0) {
        let sum = chosen.entry(*line_id).or_default();
        *sum = sum.checked_add(*quantity).ok_or(ChoiceProblem::TooMany)?;
        let most = most(*line_id).ok_or(ChoiceProblem::Unknown)?;
        if *quantity < 0 || *sum > most {
            return Err(ChoiceProblem::TooMany);
        }
    }
    if chosen.is_empty() { Err(ChoiceProblem::Nothing) } else { Ok(chosen) }
}

/// A tracking number as it is in its bar code: in capitals, without the blanks and hyphens between its letters and digits. Of what has other
/// characters, the visible text.
pub fn tidy_tracking_number(text: &str) -> String {
    let text = one_line(text);
    let number: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    let is_plain = !number.is_empty() && number.chars().all(|c| c.is_ascii_alphanumeric());
    if is_plain { number.to_ascii_uppercase() } else { text }
}

/// The carrier's tracking page of a parcel; `None` for unknown carriers.
pub fn carrier_page(carrier: &str, number: &str) -> Option<String> {
    let name = carrier.split(|c: char| !c.is_ascii_alphanumeric()).next()?.to_ascii_lowercase();
    let page = match name.as_str() {
        "ups" => "https://www.ups.com/track?tracknum=",
        "usps" => "https://tools.usps.com/go/TrackConfirmAction?tLabels=",
        "fedex" => "https://www.fedex.com/fedextrack/?trknbr=",
        "dhl" => "https://www.dhl.com/us-en/home/tracking.html?tracking-id=",
        _ => return None,
    };
    let number: String = number.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    number.chars().all(|c| c.is_ascii_alphanumeric()).then(|| format!("{page}{number}"))
}

/// The fulfillment status of an order that is not canceled.
pub fn fulfillment_status(lines: &[LineProgress], all_delivered: bool) -> FulfillmentStatus {
    let shipped: i64 = lines.iter().map(|line| line.shipped).sum();
    let open: i64 = lines.iter().map(LineProgress::open).sum();
    match (shipped, open) {
        (0, _) => FulfillmentStatus::Unfulfilled,
        (_, 1..) => FulfillmentStatus::PartiallyFulfilled,
        _ if all_delivered => FulfillmentStatus::Delivered,
        _ => FulfillmentStatus::Fulfilled,
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{
        ChoiceProblem, FulfillmentStatus as F, LineProgress, LineQuantity, carrier_page, checked, fulfillment_status,
        tidy_tracking_number,
    };

    fn line(ordered: i64, canceled: i64, shipped: i64) -> LineProgress {
        LineProgress { line_id: Uuid::nil(), ordered, canceled, shipped }
    }

    #[test]
    fn the_status_follows_from_what_has_left() {
        assert_eq!(fulfillment_status(&[line(2, 0, 0), line(1, 0, 0)], true), F::Unfulfilled);
        assert_eq!(fulfillment_status(&[line(2, 0, 1), line(1, 0, 0)], true), F::PartiallyFulfilled);
        assert_eq!(fulfillment_status(&[line(2, 0, 2), line(1, 0, 1)], false), F::Fulfilled);
        assert_eq!(fulfillment_status(&[line(2, 0, 2), line(1, 0, 1)], true), F::Delivered);
        assert_eq!(fulfillment_status(&[line(2, 1, 1), line(1, 1, 0)], false), F::Fulfilled, "the rest is canceled");
        assert_eq!(fulfillment_status(&[line(2, 1, 0)], false), F::Unfulfilled);
    }

    #[test]
    fn a_tracking_number_is_that_of_the_bar_code() {
        for (pasted, kept) in [
            ("1z999aa1\u{200b}", "1Z999AA1"),
            ("9400 1118\u{a0}99\u{202c}", "9400111899"),
            ("PRO-123-4", "PRO1234"),
            (" A_1  b ", "A_1 b"),
            ("-\u{200b}", "-"),
            ("\u{200b}", ""),
        ] {
            assert_eq!(tidy_tracking_number(pasted), kept, "{pasted:?}");
        }
    }

    #[test]
    fn the_carriers_of_the_country_have_pages() {
        let page = |carrier, number| carrier_page(carrier, number).unwrap_or_default();
        assert_eq!(page("UPS Ground", "1Z 999"), "https://www.ups.com/track?tracknum=1Z999");
        assert_eq!(page("usps", "9400-11"), "https://tools.usps.com/go/TrackConfirmAction?tLabels=940011");
        assert!(page("FedEx Home Delivery", "7").starts_with("https://www.fedex.com/"));
        assert_eq!(carrier_page("Pony express", "1"), None);
        assert_eq!(carrier_page("UPS", "1?x=<b>"), None, "no number of theirs");
    }

    #[test]
    fn a_choice_stays_within_what_there_is() {
        let (a, b) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let most = |id| (id == a).then_some(2);
        let choose = |choice: &[(Uuid, i64)]| {
            let lines: Vec<_> = choice
                .iter()
                .map(|(line_id, quantity)| LineQuantity { line_id: *line_id, quantity: *quantity })
                .collect();
            checked(&lines, most)
        };
        assert_eq!(choose(&[(a, 1), (a, 1)]).map(|chosen| chosen[&a]), Ok(2), "one line twice is one choice");
        assert_eq!(choose(&[(a, 2), (a, 1)]), Err(ChoiceProblem::TooMany));
        assert_eq!(choose(&[(a, i64::MAX), (a, i64::MAX)]), Err(ChoiceProblem::TooMany));
        assert_eq!(choose(&[(a, 3), (a, -1)]), Err(ChoiceProblem::TooMany));
        assert_eq!(choose(&[(a, -1)]), Err(ChoiceProblem::TooMany));
        assert_eq!(choose(&[(b, 1)]), Err(ChoiceProblem::Unknown));
        assert_eq!(choose(&[(b, 0)]), Err(ChoiceProblem::Nothing));
        assert_eq!(choose(&[]), Err(ChoiceProblem::Nothing));
    }
}
