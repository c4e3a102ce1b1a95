//! One mail of each kind with sample data, for `/test-email` and for tests.

use shop_base::money::Money;

use super::model::{
    AccountDeletedMail, CancelReason, CanceledMail, GoodsCanceledMail, Mail, MailAmount, MailLine, MailTotals,
    NewSignInMail, OrderMail, OrderToPayMail, PickupReadyMail, PickupReadyUndoneMail, PickupReminderMail,
    PickupToConfirmMail, RefundedMail, ReturnApprovedMail, ReturnRejectedMail, ShipmentUndoneMail, ShippedMail,
    TestMail, WelcomeMail,
};

/// The sample of a kind; `now` is a time formatted for reading.
pub fn sample(kind: &str, now: &str) -> Option<Mail> {
    Some(match kind {
        "test" => Mail::Test(TestMail { sent_at: now.to_owned() }),
        "order_confirmation" => Mail::OrderConfirmation(OrderMail {
            number: NUMBER.to_owned(),
            placed_on: "2026-11-21".to_owned(),
            lines: lines(),
            totals: MailTotals {
                subtotal: Money::usd(15_800),
                discounts: vec![MailAmount { label: "Promo code SAMPLE10".to_owned(), amount: Money::usd(-1_580) }],
                shipping: Money::usd(995),
                taxes: vec![MailAmount {
                    label: "Sales tax, Franklin County 7.5%".to_owned(),
                    amount: Money::usd(1_067),
                }],
                total: Money::usd(16_282),
            },
            shipping_method: "Ground".to_owned(),
            address: address(),
            payment: "Visa ending in 1111".to_owned(),
            is_open: true,
            is_canceled: false,
            adult_signature: true,
            order_path: PATH.to_owned(),
        }),
        "order_shipped" => Mail::OrderShipped(ShippedMail {
            number: NUMBER.to_owned(),
            lines: lines(),
            carrier: "UPS".to_owned(),
            tracking_number: "1Z999AA10123456784".to_owned(),
            tracking_url: Some("https://www.ups.com/track?tracknum=1Z999AA10123456784".to_owned()),
            address: address(),
            adult_signature: true,
            order_path: PATH.to_owned(),
        }),
        "order_refunded" => Mail::OrderRefunded(RefundedMail {
            number: NUMBER.to_owned(),
            amount: Money::usd(4_900),
            lines: lines().split_off(1),
            payment: "Visa ending in 1111".to_owned(),
            in_store: false,
            reason: "Returned within 30 days".to_owned(),
            order_path: Some(PATH.to_owned()),
        }),
        "order_canceled" => Mail::OrderCanceled(CanceledMail {
            number: NUMBER.to_owned(),
            reason: CancelReason::OutOfStock,
            lines: lines(),
            refund: Some(Money::usd(16_282)),
            reclaimed: None,
            in_store: false,
            order_path: Some(PATH.to_owned()),
        }),
        "order_goods_canceled" => Mail::OrderGoodsCanceled(GoodsCanceledMail {
            number: NUMBER.to_owned(),
            lines: lines().split_off(1),
            refund: None,
            refunded_before: true,
            order_path: PATH.to_owned(),
        }),
        "order_return_approved" => Mail::OrderReturnApproved(ReturnApprovedMail {
            number: NUMBER.to_owned(),
            lines: lines().split_off(1),
            stays: vec![MailLine {
                title: "Refined Butane".to_owned(),
                variant: "300 ml".to_owned(),
                quantity: 1,
                amount: Money::usd(1_200),
            }],
            refund: Some(Money::usd(5_268)),
            in_store: false,
            order_path: PATH.to_owned(),
        }),
        "order_return_rejected" => Mail::OrderReturnRejected(ReturnRejectedMail {
            number: NUMBER.to_owned(),
            lines: lines().split_off(1),
            message: "The tamper shows signs of use, and we can only accept items in new condition.".to_owned(),
            order_path: PATH.to_owned(),
        }),
        "order_to_pay" => Mail::OrderToPay(OrderToPayMail {
            number: "D-SAMPLE".to_owned(),
            message: "As discussed on the phone, here’s the rack and the tamper that goes with it.".to_owned(),
            good_until: "2026-11-28".to_owned(),
            lines: lines(),
            totals: Some(MailTotals {
                subtotal: Money::usd(15_800),
                discounts: Vec::new(),
                shipping: Money::usd(995),
                taxes: vec![MailAmount {
                    label: "Sales tax, Franklin County 7.5%".to_owned(),
                    amount: Money::usd(1_260),
                }],
                total: Money::usd(18_055),
            }),
            shipping_method: "Ground".to_owned(),
            address: address(),
            adult_signature: true,
            pay_path: "/checkout?draft=sample".to_owned(),
        }),
        "pickup_to_confirm" => Mail::PickupToConfirm(PickupToConfirmMail {
            lines: lines(),
            total: Money::usd(17_064),
            picked_up: true,
            good_until: now.to_owned(),
            confirm_path: "/checkout/confirm?link=sample".to_owned(),
        }),
        "order_pickup_ready" => Mail::OrderPickupReady(PickupReadyMail {
            number: NUMBER.to_owned(),
            lines: lines(),
            to_pay: Some(Money::usd(17_064)),
            last_day: Some("2026-11-28".to_owned()),
            order_path: PATH.to_owned(),
        }),
        "order_pickup_ready_undone" => Mail::OrderPickupReadyUndone(PickupReadyUndoneMail {
            number: NUMBER.to_owned(),
            lines: lines(),
            order_path: PATH.to_owned(),
        }),
        "order_pickup_reminder" => Mail::OrderPickupReminder(PickupReminderMail {
            number: NUMBER.to_owned(),
            lines: lines(),
            total: Money::usd(17_064),
            last_day: "2026-11-28".to_owned(),
            order_path: PATH.to_owned(),
        }),
        "order_shipment_undone" => Mail::OrderShipmentUndone(ShipmentUndoneMail {
            number: NUMBER.to_owned(),
            lines: lines(),
            carrier: "UPS Ground".to_owned(),
            tracking_number: "1Z999AA10123456784".to_owned(),
            order_path: PATH.to_owned(),
        }),
        "welcome" => Mail::Welcome(WelcomeMail { name: "Sample Shopper".to_owned() }),
        "new_sign_in" => Mail::NewSignIn(NewSignInMail {
            name: "Sample Shopper".to_owned(),
            signed_in_at: now.to_owned(),
            device: "Firefox on Windows".to_owned(),
        }),
        "account_deleted" => Mail::AccountDeleted(AccountDeletedMail { name: "Sample Shopper".to_owned() }),
        _ => return None,
    })
}

const NUMBER: &str = "SAMPLE-7Q4M2X";
const PATH: &str = "/order-confirmation?token=sample";

fn lines() -> Vec<MailLine> {
    vec![
        MailLine {
            title: "Walnut Pipe Rack".to_owned(),
            variant: "6 pipes".to_owned(),
            quantity: 2,
            amount: Money::usd(10_900),
        },
        MailLine { title: "Pipe Tamper".to_owned(), variant: String::new(), quantity: 1, amount: Money::usd(4_900) },
    ]
}

fn address() -> Vec<String> {
    ["Sample Shopper", "1 Example Street", "Columbus, OH 43215"].map(str::to_owned).to_vec()
}
