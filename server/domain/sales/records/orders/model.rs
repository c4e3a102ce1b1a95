//! Reasons for cancellation, kinds of emails, and order numbers.

use rand::Rng;
use serde::{Deserialize, Serialize};
use shop_base::db::stored;
use shop_base::error::Error;
use uuid::Uuid;

stored! {
    /// Why an order was canceled.
    CancelReason {
        /// Nobody paid for it.
        Abandoned = "abandoned",
        /// The goods were sold to somebody else before the payment was certain.
        StockLost = "stock_lost",
        /// The payment failed after the order had been placed.
        PaymentLost = "payment_lost",
        Staff = "staff",
        Shopper = "shopper",
        /// The buyer did not pick it up.
        NotPickedUp = "not_picked_up",
    }
}

/// The occasions for an email to the buyer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderNews {
    Placed,
    Canceled,
    /// Shipped in a single parcel; stored before parcels had ids.
    Shipped,
    /// A parcel was shipped: its id.
    Parcel(Uuid),
    /// A parcel was recorded by mistake: its former id.
    ShipmentUndone(Uuid),
    /// The refund's id.
    Refunded(Uuid),
    /// Part of the goods was canceled: the id of this cancellation.
    GoodsCanceled(Uuid),
    /// A return was approved: its id.
    ReturnApproved(Uuid),
    /// A return was rejected: its id.
    ReturnRejected(Uuid),
    /// The goods are still waiting to be picked up.
    PickupReminder,
    /// The goods are ready for pickup.
    PickupReady,
    /// They were marked as ready by mistake: an id of this undoing.
    PickupReadyUndone(Uuid),
}

impl OrderNews {
    /// A name that is unique among the news of an order.
    pub fn name(&self) -> String {
        match self {
            Self::Placed => "placed".to_owned(),
            Self::Canceled => "canceled".to_owned(),
            Self::Shipped => "shipped".to_owned(),
            Self::Parcel(fulfillment) => format!("parcel-{fulfillment}"),
            Self::ShipmentUndone(fulfillment) => format!("undone-{fulfillment}"),
            Self::Refunded(refund) => format!("refunded-{refund}"),
            Self::GoodsCanceled(cancellation) => format!("goods-canceled-{cancellation}"),
            Self::ReturnApproved(found) => format!("return-{found}"),
            Self::ReturnRejected(found) => format!("rejection-{found}"),
            Self::PickupReminder => "pickup-reminder".to_owned(),
            Self::PickupReady => "pickup-ready".to_owned(),
            Self::PickupReadyUndone(undoing) => format!("ready-undone-{undoing}"),
        }
    }
}

/// Letters and digits that are not easily confused.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A number that can be read out on the phone: short and not guessable from another. `7KQ2-M9XD`.
pub fn new_number(rng: &mut impl Rng) -> String {
    let mut letters = || -> String {
        (0..4).map(|_| char::from(ALPHABET.get(rng.random_range(0..ALPHABET.len())).copied().unwrap_or(b'0'))).collect()
    };
    format!("{}-{}", letters(), letters())
}

/// Text entered by staff, trimmed.
pub fn typed_text(field: &str, text: &str) -> Result<String, Error> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::invalid(field, "Required."));
    }
    if text.chars().count() > 2_000 {
        return Err(Error::invalid(field, "Use at most 2000 characters."));
    }
    if text.chars().any(|c| c.is_control() && c != '\n') {
        return Err(Error::invalid(field, "Remove control characters."));
    }
    Ok(text.to_owned())
}

/// The same, which may be left empty.
pub fn optional_text(field: &str, text: &str) -> Result<String, Error> {
    if text.trim().is_empty() { Ok(String::new()) } else { typed_text(field, text) }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::{CancelReason, new_number};
    use crate::sales::status::{FulfillmentStatus, OrderStatus, PaymentStatus};

    #[test]
    fn stored_texts_are_read_back() {
        for status in OrderStatus::ALL {
            assert_eq!(status.text().parse(), Ok(*status));
        }
        for status in PaymentStatus::ALL {
            assert_eq!(status.text().parse(), Ok(*status));
        }
        for status in FulfillmentStatus::ALL {
            assert_eq!(status.text().parse(), Ok(*status));
        }
        for reason in CancelReason::ALL {
            assert_eq!(reason.text().parse(), Ok(*reason));
        }
        assert!("sold".parse::<OrderStatus>().is_err());
    }

    #[test]
    fn numbers_are_short() {
        let mut rng = StdRng::seed_from_u64(1);
        let number = new_number(&mut rng);
        assert_eq!((number.len(), number.find('-')), (9, Some(4)));
        assert_ne!(new_number(&mut rng), number);
    }
}
