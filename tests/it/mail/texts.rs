//! The texts of each kind of email.

use shop_platform::mail::model::{
    CancelReason, CanceledMail, Mail, OrderMail, OrderToPayMail, RefundedMail, ShippedMail, WelcomeMail, WrittenMail,
};
use shop_platform::mail::samples::sample;
use shop_platform::settings::mail::KINDS;

use super::NOW;
use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    every_kind_is_worded_in_both_parts,
    amounts_and_addresses_are_in_both_parts,
    what_people_typed_stays_text,
    links_are_absolute,
    a_canceled_order_says_why_and_what_is_given_back,
    an_order_to_pay_and_pick_up_is_not_taken_for_one_that_is_ready,
];

async fn every_kind_is_worded_in_both_parts(shop: TestShop) {
    for (kind, _) in KINDS {
        let email = written(&shop, &sample(kind, NOW).unwrap()).await;
        assert!((5..=80).contains(&email.subject.len()), "{kind}: {}", email.subject);
        assert!(email.html.starts_with("<!DOCTYPE html><html"), "{kind}: {}", email.html);
        assert!(email.html.len() < 100_000, "some mail programs cut off what is longer");
        for text in
            ["Products for legal tobacco use only. Cardinal ", "48 Gay Street", "+1 614 555 0142", "This is a demo"]
        {
            assert!(email.html.contains(text) && email.text.contains(text), "{kind}: {text}");
        }
        assert!(email.html.contains("prefers-color-scheme: dark"));
        for absent in ["<script", "<link", "undefined", "[object", "NaN", "null"] {
            assert!(!email.html.contains(absent) && !email.text.contains(absent), "{kind}: {absent}\n{}", email.text);
        }
        assert!(!email.text.contains('<') && !email.text.contains("&amp;"), "{kind}: {}", email.text);
    }
}

async fn amounts_and_addresses_are_in_both_parts(shop: TestShop) {
    let email = written(&shop, &sample("order_confirmation", NOW).unwrap()).await;
    assert_eq!(email.subject, "Your order SAMPLE-7Q4M2X");
    for text in [
        "SAMPLE-7Q4M2X",
        "November 21, 2026",
        "Walnut Pipe Rack",
        "6 pipes · Quantity 2",
        "$109.00",
        "Quantity 1",
        "$49.00",
        "$158.00",
        "Promo code SAMPLE10",
        "-$15.80",
        "Shipping",
        "$9.95",
        "Sales tax, Franklin County 7.5%",
        "$10.67",
        "$162.82",
        "Visa ending in 1111",
        "1 Example Street",
        "Columbus, OH 43215",
        "show a photo ID and sign",
    ] {
        assert!(email.html.contains(text), "{text} is not in {}", email.html);
        assert!(email.text.contains(text), "{text} is not in {}", email.text);
    }
    let shipped = written(&shop, &sample("order_shipped", NOW).unwrap()).await;
    let refunded = written(&shop, &sample("order_refunded", NOW).unwrap()).await;
    for (email, text) in [
        (&shipped, "1Z999AA10123456784"),
        (&shipped, "Someone 21 or older"),
        (&refunded, "$49.00"),
        (&refunded, "Pipe Tamper"),
    ] {
        assert!(email.html.contains(text) && email.text.contains(text), "{text}");
    }
}

async fn what_people_typed_stays_text(shop: TestShop) {
    let evil = "<img src=x onerror=alert(1)>\"'&\r\nBcc: all@shop.example\r\n\r\nYour order is free";
    let Some(Mail::OrderConfirmation(order)) = sample("order_confirmation", NOW) else { panic!("an order") };
    let mut line = order.lines[0].clone();
    line.title = evil.to_owned();
    line.variant = evil.to_owned();
    let order = OrderMail {
        number: evil.to_owned(),
        lines: vec![line],
        shipping_method: evil.to_owned(),
        address: vec![evil.to_owned()],
        payment: evil.to_owned(),
        ..order
    };
    for mail in [Mail::OrderConfirmation(order), Mail::Welcome(WelcomeMail { name: evil.to_owned() })] {
        let email = written(&shop, &mail).await;
        assert!(!email.html.contains("<img"), "{}", email.html);
        assert!(email.html.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#x27;&amp;"));
        assert!(
            !email.text.lines().any(|line| line.starts_with("Bcc:") || line == "Your order is free"),
            "{}",
            email.text
        );
        assert!(!email.subject.contains(['\r', '\n']), "{:?}", email.subject);
    }
}

async fn links_are_absolute(shop: TestShop) {
    for (kind, _) in KINDS {
        let email = written(&shop, &sample(kind, NOW).unwrap()).await;
        let links: Vec<&str> =
            email.html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert!(links.len() >= 3, "{kind}: {links:?}");
        for link in links {
            let is_absolute = ["http://localhost:8787/", "https://www.ups.com/", "mailto:"]
                .iter()
                .any(|start| link.starts_with(start));
            assert!(is_absolute, "{kind}: {link}");
            if !link.starts_with("mailto:") && link != "http://localhost:8787/" {
                assert!(email.text.contains(&link.replace("&amp;", "&")), "{kind}: {link} is in the text too");
            }
        }
    }
    let Some(Mail::OrderShipped(shipped)) = sample("order_shipped", NOW) else { panic!("a parcel") };
    let tracking_url = Some("javascript:alert(1)".to_owned());
    let email = written(&shop, &Mail::OrderShipped(ShippedMail { tracking_url, ..shipped })).await;
    assert!(!email.html.contains("javascript:") && !email.text.contains("javascript:"));
}

async fn a_canceled_order_says_why_and_what_is_given_back(shop: TestShop) {
    let Some(Mail::OrderCanceled(canceled)) = sample("order_canceled", NOW) else { panic!("an order") };
    let say = async |reason, refund| {
        written(&shop, &Mail::OrderCanceled(CanceledMail { reason, refund, ..canceled.clone() })).await
    };
    let refunded = say(CancelReason::OutOfStock, canceled.refund.clone()).await;
    assert!(refunded.text.contains("sold out") && refunded.text.contains("We’re refunding $162.82 in all."));
    assert!(refunded.text.contains("seven days"));
    let counter = Mail::OrderCanceled(CanceledMail { in_store: true, ..canceled.clone() });
    let counter = written(&shop, &counter).await;
    assert!(
        counter.text.contains("We’re refunding $162.82 in all, in our store.") && !counter.text.contains("seven days")
    );
    let Some(Mail::OrderRefunded(given)) = sample("order_refunded", NOW) else { panic!("a refund") };
    for in_store in [true, false] {
        let given = Mail::OrderRefunded(RefundedMail { in_store, ..given.clone() });
        assert_eq!(written(&shop, &given).await.text.contains("seven days"), !in_store, "no bank takes its time");
    }
    let expired = say(CancelReason::Expired, None).await;
    assert_eq!(expired.subject, "Your order SAMPLE-7Q4M2X was canceled");
    assert!(expired.html.contains("You weren’t charged.") && !expired.html.contains("refunded"));
    for part in ["because it wasn’t picked up.", "You can place a new order"] {
        assert!(expired.text.contains(part) && !expired.text.contains("expired"), "{}", expired.text);
    }
    // Which reason the shop had is not known.
    let by_shop = say(CancelReason::Shop, None).await;
    assert!(by_shop.text.contains("We’ve canceled your order SAMPLE-7Q4M2X.\n"), "{}", by_shop.text);
    let failed = say(CancelReason::PaymentFailed, None).await;
    assert_eq!(failed.subject, "Your order SAMPLE-7Q4M2X was canceled");
    assert!(failed.text.contains("because the payment didn’t go through."));
    let asked = say(CancelReason::Customer, None).await;
    assert!(asked.text.contains("as you asked us to"));
}

async fn an_order_to_pay_and_pick_up_is_not_taken_for_one_that_is_ready(shop: TestShop) {
    let Some(Mail::OrderToPay(shipped)) = sample("order_to_pay", NOW) else { panic!("an order") };
    let picked_up = OrderToPayMail {
        address: Vec::new(),
        shipping_method: "Pick up in our store".to_owned(),
        adult_signature: false,
        ..shipped.clone()
    };
    let email = written(&shop, &Mail::OrderToPay(picked_up)).await;
    assert!(email.text.contains("After you pay, pick up at:"), "{}", email.text);
    for absent in ["order is ready", "Shipping", "your address", "the address"] {
        assert!(!email.text.contains(absent), "{absent} is in {}", email.text);
    }
    let email = written(&shop, &Mail::OrderToPay(shipped)).await;
    assert!(email.text.contains("correct your address") && email.text.contains("Shipping: $9.95"), "{}", email.text);
}

async fn written(shop: &TestShop, mail: &Mail) -> WrittenMail {
    shop.app.mail().write(mail).await.unwrap()
}
