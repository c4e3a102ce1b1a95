//! An order's three states.

use shop_base::db::stored;

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
        /// Not known yet whether money was taken.
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
