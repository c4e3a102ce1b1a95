//! The contents of each mail. Texts are plain; the isolate that renders them escapes them. Addresses in this shop are paths, which become
//! absolute when the mail is rendered.

use serde::{Deserialize, Serialize};
use shop_base::money::Money;
use utoipa::ToSchema;

use crate::settings::company::CompanyTexts;
use crate::settings::mail::MailWords;

/// A mail by its kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Mail {
    OrderConfirmation(OrderMail),
    OrderShipped(ShippedMail),
    OrderRefunded(RefundedMail),
    OrderCanceled(CanceledMail),
    OrderGoodsCanceled(GoodsCanceledMail),
    OrderReturnApproved(ReturnApprovedMail),
    OrderReturnRejected(ReturnRejectedMail),
    OrderToPay(OrderToPayMail),
    OrderPickupReady(PickupReadyMail),
    OrderPickupReadyUndone(PickupReadyUndoneMail),
    OrderPickupReminder(PickupReminderMail),
    OrderShipmentUndone(ShipmentUndoneMail),
    PickupToConfirm(PickupToConfirmMail),
    Welcome(WelcomeMail),
    NewSignIn(NewSignInMail),
    AccountDeleted(AccountDeletedMail),
    Test(TestMail),
}

/// An order has been placed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrderMail {
    pub number: String,
    /// `YYYY-MM-DD` in the shop's time zone.
    pub placed_on: String,
    pub lines: Vec<MailLine>,
    pub totals: MailTotals,
    /// The shipping method, such as `UPS Ground` or `Pick up in the store`.
    pub shipping_method: String,
    /// Lines of the delivery address, the name first; empty when it is picked up.
    pub address: Vec<String>,
    /// Such as `Visa ending in 1111` or `In the store`.
    pub payment: String,
    /// Whether goods are still to be shipped or picked up: the email may be sent again, or late.
    #[serde(default)]
    pub is_open: bool,
    #[serde(default)]
    pub is_canceled: bool,
    /// The parcel needs the signature of somebody aged 21 or older.
    pub adult_signature: bool,
    /// Path of the confirmation page, token included.
    pub order_path: String,
}

/// A parcel has left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShippedMail {
    pub number: String,
    /// What is in this parcel.
    pub lines: Vec<MailLine>,
    pub carrier: String,
    pub tracking_number: String,
    /// The carrier's page, absolute; only `https` addresses become links.
    pub tracking_url: Option<String>,
    pub address: Vec<String>,
    pub adult_signature: bool,
    pub order_path: String,
}

/// Money has been refunded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RefundedMail {
    pub number: String,
    pub amount: Money,
    /// The lines refunded; empty when the refund is for no line.
    pub lines: Vec<MailLine>,
    /// Where the refund goes, such as `Visa ending in 1111`.
    pub payment: String,
    /// Whether it was given in the store: no bank takes its time then.
    #[serde(default)]
    pub in_store: bool,
    /// Free text, may be empty.
    pub reason: String,
    /// None if it was never placed.
    pub order_path: Option<String>,
}

/// An order was canceled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CanceledMail {
    pub number: String,
    pub reason: CancelReason,
    pub lines: Vec<MailLine>,
    /// What is refunded in all, with what was before; none when nothing is.
    pub refund: Option<Money>,
    /// What was paid but is not refunded, because the customer's bank has taken it back.
    pub reclaimed: Option<Money>,
    /// Whether that is given in the store.
    #[serde(default)]
    pub in_store: bool,
    /// None if it was never placed.
    pub order_path: Option<String>,
}

/// Part of an order was canceled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GoodsCanceledMail {
    pub number: String,
    /// What was canceled, at the price at which it was sold.
    pub lines: Vec<MailLine>,
    /// What is refunded for it; none when nothing is.
    pub refund: Option<Money>,
    /// Whether that is not all that was paid for it, because some was refunded before.
    pub refunded_before: bool,
    pub order_path: String,
}

/// Staff have put an order together; it is paid for through a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrderToPayMail {
    pub number: String,
    /// A message from staff; paragraphs, may be empty.
    pub message: String,
    /// The last day on which the link is valid, `YYYY-MM-DD` in the shop's time zone.
    pub good_until: String,
    pub lines: Vec<MailLine>,
    pub totals: Option<MailTotals>,
    pub shipping_method: String,
    /// Lines of the delivery address, the name first; empty when it is picked up.
    pub address: Vec<String>,
    pub adult_signature: bool,
    /// Path of the checkout, token included.
    pub pay_path: String,
}

/// The goods are ready for pickup in the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PickupReadyMail {
    pub number: String,
    pub lines: Vec<MailLine>,
    /// What is still to be paid in the store.
    pub to_pay: Option<Money>,
    /// The last day on which they are held if they are not paid for yet or cost nothing, `YYYY-MM-DD` in the shop's time zone.
    pub last_day: Option<String>,
    pub order_path: String,
}

/// The buyer was told that the goods are ready for pickup, and they are not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PickupReadyUndoneMail {
    pub number: String,
    pub lines: Vec<MailLine>,
    pub order_path: String,
}

/// The goods are waiting in the store and are not paid for yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PickupReminderMail {
    pub number: String,
    pub lines: Vec<MailLine>,
    pub total: Money,
    /// The last day on which they are held, `YYYY-MM-DD` in the shop's time zone.
    pub last_day: String,
    pub order_path: String,
}

/// The buyer was told that a package had shipped, and it had not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShipmentUndoneMail {
    pub number: String,
    pub lines: Vec<MailLine>,
    pub carrier: String,
    pub tracking_number: String,
    pub order_path: String,
}

/// A pickup order, or one for nothing, is placed only once its link has been followed. It has no number yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PickupToConfirmMail {
    pub lines: Vec<MailLine>,
    pub total: Money,
    /// If not, it costs nothing and is shipped.
    pub picked_up: bool,
    /// Formatted for reading, such as `November 21, 2:00 PM EST`.
    pub good_until: String,
    /// Path of the page that confirms it, token included.
    pub confirm_path: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CancelReason {
    /// The shopper asked for it.
    Customer,
    /// The shop canceled it.
    Shop,
    /// Something was out of stock when the payment had gone through.
    OutOfStock,
    /// It was not picked up.
    Expired,
    /// The payment failed after the order had been placed.
    PaymentFailed,
}

/// A return was approved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReturnApprovedMail {
    pub number: String,
    /// What may be returned, at the price at which it was sold, less the discount.
    pub lines: Vec<MailLine>,
    /// What stays with the buyer, since it is hazardous in transport.
    #[serde(default)]
    pub stays: Vec<MailLine>,
    /// The most that is refunded for what is returned; none when nothing is.
    pub refund: Option<Money>,
    /// Whether that is given in the store.
    #[serde(default)]
    pub in_store: bool,
    pub order_path: String,
}

/// A return was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReturnRejectedMail {
    pub number: String,
    /// What was to be returned, at the price at which it was sold, less the discount.
    pub lines: Vec<MailLine>,
    /// The reason, written by staff for the buyer.
    pub message: String,
    pub order_path: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WelcomeMail {
    /// May be empty.
    pub name: String,
}

/// A sign-in on a device that is new to the account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewSignInMail {
    pub name: String,
    /// Formatted for reading, such as `November 21, 2026, 12:00 EST`.
    pub signed_in_at: String,
    /// Such as `Firefox on Windows`.
    pub device: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AccountDeletedMail {
    pub name: String,
}

/// A test mail by which staff check that mail arrives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TestMail {
    pub sent_at: String,
}

/// An order line in a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MailLine {
    pub title: String,
    /// The variant's title; empty when the product has one variant only.
    pub variant: String,
    pub quantity: i64,
    /// Of the whole line.
    pub amount: Money,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MailTotals {
    pub subtotal: Money,
    /// Negative amounts.
    pub discounts: Vec<MailAmount>,
    pub shipping: Money,
    pub taxes: Vec<MailAmount>,
    pub total: Money,
}

/// An amount with its name, such as a promo code or a county's tax.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MailAmount {
    pub label: String,
    pub amount: Money,
}

impl Mail {
    /// The kind's name in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::OrderConfirmation(_) => "order_confirmation",
            Self::OrderShipped(_) => "order_shipped",
            Self::OrderRefunded(_) => "order_refunded",
            Self::OrderCanceled(_) => "order_canceled",
            Self::OrderGoodsCanceled(_) => "order_goods_canceled",
            Self::OrderReturnApproved(_) => "order_return_approved",
            Self::OrderReturnRejected(_) => "order_return_rejected",
            Self::OrderToPay(_) => "order_to_pay",
            Self::OrderPickupReady(_) => "order_pickup_ready",
            Self::OrderPickupReadyUndone(_) => "order_pickup_ready_undone",
            Self::OrderPickupReminder(_) => "order_pickup_reminder",
            Self::OrderShipmentUndone(_) => "order_shipment_undone",
            Self::PickupToConfirm(_) => "pickup_to_confirm",
            Self::Welcome(_) => "welcome",
            Self::NewSignIn(_) => "new_sign_in",
            Self::AccountDeleted(_) => "account_deleted",
            Self::Test(_) => "test",
        }
    }
}

/// What an isolate needs to render a mail.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailProps<'a> {
    pub mail: &'a Mail,
    pub words: &'a MailWords,
    pub company: &'a CompanyTexts,
    /// Without a trailing slash.
    pub origin: &'a str,
    pub demo: bool,
}

/// What the isolate returns.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub struct WrittenMail {
    pub subject: String,
    pub html: String,
    pub text: String,
}

#[cfg(test)]
mod tests {
    use crate::mail::samples::sample;
    use crate::settings::mail::{KINDS, MailWords};

    #[test]
    fn a_kind_is_named_as_its_sample_is() {
        for (kind, _) in KINDS {
            assert_eq!(sample(kind, "now").map(|mail| mail.kind()), Some(kind));
        }
    }

    #[test]
    fn words_have_only_the_placeholders_of_their_kind() {
        let words = |text: &str| MailWords { opening: text.into(), ..MailWords::default() };
        assert!(words("Order {{number}} at {{company}}").checked("order_shipped").is_ok());
        assert!(words("Order {{number}}").checked("welcome").is_err());
        assert!(words("{{company").checked("welcome").is_err());
        assert!(MailWords { subject: "Two\nlines".into(), ..MailWords::default() }.checked("welcome").is_err());
    }
}
