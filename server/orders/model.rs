//! An order's three states, and what moves them.

use rand::Rng;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::db::stored;
use crate::payments::model::AttemptStatus;

stored! {
    OrderStatus {
        /// Not paid; its contents may still change.
        Draft = "draft",
        Placed = "placed",
        Canceled = "canceled",
        Archived = "archived",
    }
}

stored! {
    PaymentStatus {
        NotPaid = "not_paid",
        Authorized = "authorized",
        PartiallyPaid = "partially_paid",
        Paid = "paid",
        PartiallyRefunded = "partially_refunded",
        Refunded = "refunded",
        Voided = "voided",
        /// Nobody knows yet whether money was taken.
        RequiresAction = "requires_action",
        Failed = "failed",
    }
}

stored! {
    FulfillmentStatus {
        Unfulfilled = "unfulfilled",
        PartiallyFulfilled = "partially_fulfilled",
        Fulfilled = "fulfilled",
        Delivered = "delivered",
        Canceled = "canceled",
    }
}

stored! {
    /// Why an order was canceled.
    CancelReason {
        /// Nobody paid for it.
        Abandoned = "abandoned",
        /// The goods were sold to somebody else before the payment was certain.
        StockLost = "stock_lost",
        /// The payment ended after the order had been placed.
        PaymentLost = "payment_lost",
        Staff = "staff",
        Shopper = "shopper",
        /// Nobody came to the store for it.
        NotPickedUp = "not_picked_up",
    }
}

/// What a buyer is written about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderNews {
    Placed,
    Canceled,
    /// The order has left, in one parcel: as it was written before parcels had ids.
    Shipped,
    /// A parcel has left: its id.
    Parcel(Uuid),
    /// The refund's id.
    Refunded(Uuid),
    /// The buyer may send something back: the return's id.
    ReturnApproved(Uuid),
    /// A return is not taken: its id.
    ReturnRejected(Uuid),
    /// The goods wait in the store, and nobody came for them yet.
    PickupReminder,
    /// The goods lie ready in the store.
    PickupReady,
}

impl OrderNews {
    /// A name that no other news of the same order has.
    pub fn name(&self) -> String {
        match self {
            Self::Placed => "placed".to_owned(),
            Self::Canceled => "canceled".to_owned(),
            Self::Shipped => "shipped".to_owned(),
            Self::Parcel(fulfillment) => format!("parcel-{fulfillment}"),
            Self::Refunded(refund) => format!("refunded-{refund}"),
            Self::ReturnApproved(found) => format!("return-{found}"),
            Self::ReturnRejected(found) => format!("rejection-{found}"),
            Self::PickupReminder => "pickup-reminder".to_owned(),
            Self::PickupReady => "pickup-ready".to_owned(),
        }
    }
}

/// An attempt as the payment status sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paid {
    pub status: AttemptStatus,
    /// Minor units.
    pub amount: i64,
    pub refunded: i64,
}

/// The payment status that follows from the attempts.
pub fn payment_status(attempts: &[Paid], total: i64, is_placed: bool) -> PaymentStatus {
    let any = |status: AttemptStatus| attempts.iter().any(|attempt| attempt.status == status);
    let captured = attempts.iter().filter(|attempt| attempt.status == AttemptStatus::Captured);
    let (taken, refunded) =
        captured.fold((0, 0), |(taken, refunded), attempt| (taken + attempt.amount, refunded + attempt.refunded));
    if taken > 0 {
        return match (refunded, taken) {
            (1.., _) if refunded >= taken => PaymentStatus::Refunded,
            (1.., _) => PaymentStatus::PartiallyRefunded,
            _ if taken >= total => PaymentStatus::Paid,
            _ => PaymentStatus::PartiallyPaid,
        };
    }
    if is_placed && total == 0 {
        return PaymentStatus::Paid;
    }
    if any(AttemptStatus::Authorized) {
        PaymentStatus::Authorized
    } else if any(AttemptStatus::Unknown) {
        PaymentStatus::RequiresAction
    } else if any(AttemptStatus::Sending) || any(AttemptStatus::Due) || attempts.is_empty() {
        PaymentStatus::NotPaid
    } else if any(AttemptStatus::Voided) || any(AttemptStatus::Voiding) {
        PaymentStatus::Voided
    } else {
        PaymentStatus::Failed
    }
}

/// Letters and digits that are not mistaken for each other.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A number to say on the phone: short, and not to be guessed from another. `7KQ2-M9XD`.
pub fn new_number(rng: &mut impl Rng) -> String {
    let mut letters = || -> String {
        (0..4).map(|_| char::from(ALPHABET.get(rng.random_range(0..ALPHABET.len())).copied().unwrap_or(b'0'))).collect()
    };
    format!("{}-{}", letters(), letters())
}

/// A secret that opens an order's page to whoever has it: 160 random bits.
pub fn new_token(rng: &mut impl Rng) -> String {
    (0..32).map(|_| char::from(ALPHABET.get(rng.random_range(0..ALPHABET.len())).copied().unwrap_or(b'0'))).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::{
        CancelReason, FulfillmentStatus, OrderStatus, Paid, PaymentStatus, new_number, new_token, payment_status,
    };
    use crate::payments::model::AttemptStatus as A;

    fn status(attempts: &[(A, i64, i64)]) -> PaymentStatus {
        let attempts: Vec<Paid> = attempts
            .iter()
            .map(|(status, amount, refunded)| Paid { status: *status, amount: *amount, refunded: *refunded })
            .collect();
        payment_status(&attempts, 100, true)
    }

    #[test]
    fn the_payment_status_follows_from_the_attempts() {
        assert_eq!(status(&[]), PaymentStatus::NotPaid);
        assert_eq!(status(&[(A::Sending, 100, 0)]), PaymentStatus::NotPaid);
        assert_eq!(status(&[(A::Due, 100, 0)]), PaymentStatus::NotPaid);
        assert_eq!(status(&[(A::Unknown, 100, 0)]), PaymentStatus::RequiresAction);
        assert_eq!(status(&[(A::Declined, 100, 0)]), PaymentStatus::Failed);
        assert_eq!(status(&[(A::Declined, 100, 0), (A::Authorized, 100, 0)]), PaymentStatus::Authorized);
        assert_eq!(status(&[(A::Voiding, 100, 0)]), PaymentStatus::Voided);
        assert_eq!(status(&[(A::Declined, 100, 0), (A::Voided, 100, 0)]), PaymentStatus::Voided);
        assert_eq!(status(&[(A::Captured, 100, 0)]), PaymentStatus::Paid);
        assert_eq!(status(&[(A::Captured, 60, 0)]), PaymentStatus::PartiallyPaid);
        assert_eq!(status(&[(A::Captured, 100, 30)]), PaymentStatus::PartiallyRefunded);
        assert_eq!(status(&[(A::Captured, 100, 100)]), PaymentStatus::Refunded);
    }

    #[test]
    fn an_order_for_nothing_is_paid_once_it_is_placed() {
        assert_eq!(payment_status(&[], 0, true), PaymentStatus::Paid);
        assert_eq!(payment_status(&[], 0, false), PaymentStatus::NotPaid);
    }

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
    fn numbers_are_short_and_tokens_long() {
        let mut rng = StdRng::seed_from_u64(1);
        let number = new_number(&mut rng);
        assert_eq!((number.len(), number.find('-')), (9, Some(4)));
        assert_eq!(new_token(&mut rng).len(), 32);
        assert_ne!(new_number(&mut rng), number);
    }
}
