use shop_base::config::Secret;
use shop_base::money::Money;
use shop_demo::square::settings;
use shop_domain::sales::records::payments::provider::{
    Authorization, PaymentProvider, ProviderError, ProviderRefundStatus, ProviderStatus, RefundRequest, Sought,
};
use shop_integrations::square::Square;

use super::bench::{Bench, QUICK, Script, authorization, refund, with_source};
use crate::support::ports::free_port;
use crate::support::{NOON_MS, Test};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_payment_is_held_then_taken,
    what_is_held_can_be_let_go,
    a_key_can_be_canceled,
    declines_are_told_in_human_words,
    changes_are_listed_page_by_page,
    many_changes_of_one_moment_are_one_page,
    one_that_cannot_be_read_is_told_beside_the_others,
    lists_lag_and_cover_their_span_only,
    refunds_go_from_pending_to_their_end,
    too_large_and_too_early_refunds_are_rejected,
    the_token_is_never_printed,
    redirects_are_not_followed,
    another_amount_than_asked_for_is_unknown,
    a_refusal_after_a_lost_answer_is_unknown,
    repetitions_send_the_same_bytes,
    bad_credentials_are_rejected_at_once,
    when_nobody_listens_the_outcome_is_unknown,
];

async fn a_payment_is_held_then_taken() {
    let bench = Bench::start().await;
    let wanted = authorization("a", 4250);
    let held = bench.square.authorize(&wanted).await.unwrap();
    assert_eq!(held.status, ProviderStatus::Authorized);
    assert_eq!((held.amount.clone(), held.reference.as_deref()), (Money::usd(4250), Some("attempt-a")));
    assert_eq!((held.created_at, held.refunded), (NOON_MS, 0));
    let card = held.card.clone().unwrap();
    assert_eq!((card.brand.as_str(), card.last_4.as_str()), ("Visa", "1111"));
    assert_eq!(bench.square.authorize(&wanted).await.unwrap().id, held.id, "the same key, the same payment");

    let taken = bench.square.capture(&held.id, held.version.as_deref()).await.unwrap();
    assert_eq!(taken.status, ProviderStatus::Captured);
    let again = bench.square.capture(&held.id, held.version.as_deref()).await.unwrap();
    assert_eq!(again, taken, "taken once, and told so again");
    assert_eq!(bench.square.void(&held.id).await.unwrap(), taken, "too late to let go");
    assert_eq!(bench.square.find(&held.id).await.unwrap(), Some(taken));
    assert_eq!(bench.statuses(), ["COMPLETED"]);
    assert_eq!(bench.stand_in.payments()[0]["note"], "Order a");
}

async fn what_is_held_can_be_let_go() {
    let bench = Bench::start().await;
    let held = bench.square.authorize(&authorization("a", 100)).await.unwrap();
    assert_eq!(bench.square.void(&held.id).await.unwrap().status, ProviderStatus::Voided);
    assert_eq!(bench.square.void(&held.id).await.unwrap().status, ProviderStatus::Voided);
    assert_eq!(bench.square.capture(&held.id, None).await.unwrap().status, ProviderStatus::Voided, "too late to take");
    assert!(matches!(bench.square.void("nothing").await, Err(ProviderError::Rejected { .. })));
    assert_eq!(bench.square.find("nothing/../..?x=1").await.unwrap(), None);
}

async fn a_key_can_be_canceled() {
    let bench = Bench::start().await;
    bench.square.void_by_key("never seen").await.unwrap();
    let wanted = authorization("a", 100);
    bench.square.authorize(&wanted).await.unwrap();
    bench.square.void_by_key(&wanted.idempotency_key).await.unwrap();
    bench.square.void_by_key(&wanted.idempotency_key).await.unwrap();
    assert_eq!(bench.statuses(), ["CANCELED"]);
}

async fn declines_are_told_in_human_words() {
    let bench = Bench::start().await;
    for (token, code, words) in [
        ("declined", "GENERIC_DECLINE", "Your bank declined"),
        ("rejected-cvv", "CVV_FAILURE", "security code"),
        ("rejected-postalcode", "ADDRESS_VERIFICATION_FAILURE", "ZIP code"),
        ("rejected-expiration", "INVALID_EXPIRATION", "expiration date"),
        ("already-used", "CARD_TOKEN_USED", "enter your card details again"),
    ] {
        let wanted = with_source(token, &format!("cnon:card-nonce-{token}"));
        let Err(ProviderError::Declined(decline)) = bench.square.authorize(&wanted).await else { panic!("{token}") };
        assert_eq!(decline.code, code);
        assert!(decline.message.contains(words), "{}", decline.message);
        let fingerprint = decline.card.and_then(|card| card.fingerprint);
        assert_eq!(fingerprint.is_some(), token != "already-used", "the card of a refusal is known");
    }
    let unknown = bench.square.authorize(&with_source("unknown", "cnon:nobody-made-this")).await;
    assert!(matches!(unknown, Err(ProviderError::Declined(_))), "{unknown:?}");
    assert_eq!(bench.statuses(), ["FAILED"; 4]);
    let failed = bench.stand_in.payments()[0]["id"].as_str().unwrap().to_owned();
    let found = bench.square.find(&failed).await.unwrap().unwrap();
    assert_eq!(found.status, ProviderStatus::Failed);
    assert!(found.decline.is_some());
}

/// References of everything that has changed since then, page by page, and the number of pages.
async fn changed(bench: &Bench, mut from: i64) -> (Vec<String>, usize) {
    let mut references = Vec::new();
    for pages in 1.. {
        let page = bench.square.list_changed(from).await.unwrap();
        references.extend(page.records.into_iter().filter_map(|payment| payment.reference));
        if page.is_last {
            references.dedup();
            return (references, pages);
        }
        assert!(page.newest.unwrap() > from, "it goes on");
        from = page.newest.unwrap();
    }
    unreachable!()
}

async fn changes_are_listed_page_by_page() {
    let bench = Bench::start().await;
    let mut made = Vec::new();
    for number in 0..203 {
        let wanted = authorization(&number.to_string(), 100 + number);
        made.push(bench.square.authorize(&wanted).await.unwrap());
        bench.clock.advance(1_000);
    }
    let references: Vec<String> = made.iter().filter_map(|payment| payment.reference.clone()).collect();
    // Each page starts with the last entry of the previous one.
    assert_eq!(changed(&bench, NOON_MS).await, (references.clone(), 3));
    let since = NOON_MS + 200_000;
    assert_eq!(changed(&bench, since).await, (references[200..].to_vec(), 1));
    bench.square.capture(&made[7].id, None).await.unwrap();
    let late = changed(&bench, since).await.0;
    assert_eq!(late.last(), Some(&references[7]), "an old payment has changed");
    let refunded = bench.square.refund(&refund("1", &made[7].id, 50)).await.unwrap();
    let refunds = bench.square.list_changed_refunds(since).await.unwrap();
    assert_eq!(refunds.records.iter().map(|refund| &refund.id).collect::<Vec<_>>(), [&refunded.id]);
    assert!(refunds.is_last && refunds.newest.is_some());
    let of_payment = bench.square.list_refunds_of(&made[7].id).await.unwrap();
    assert_eq!(of_payment.iter().map(|refund| &refund.id).collect::<Vec<_>>(), [&refunded.id]);
}

async fn many_changes_of_one_moment_are_one_page() {
    let bench = Bench::start().await;
    for number in 0..203 {
        bench.square.authorize(&authorization(&number.to_string(), 100)).await.unwrap();
    }
    bench.clock.advance(1);
    bench.square.authorize(&authorization("next", 100)).await.unwrap();
    let page = bench.square.list_changed(NOON_MS).await.unwrap();
    assert_eq!((page.records.len(), page.newest, page.is_last), (204, Some(NOON_MS + 1), true));
}

async fn one_that_cannot_be_read_is_told_beside_the_others() {
    let bench = Bench::start().await;
    let mut made = Vec::new();
    for name in ["a", "b", "c"] {
        made.push(bench.square.authorize(&authorization(name, 100)).await.unwrap());
        bench.clock.advance(1_000);
    }
    bench.stand_in.faults.show_with_status(&made[2].id, "UNDER_REVIEW");
    let page = bench.square.list_changed(NOON_MS).await.unwrap();
    assert_eq!(page.records, made[..2]);
    let [strange] = page.unreadable.as_slice() else { panic!("{page:?}") };
    assert_eq!((&strange.id, strange.reference.as_deref()), (&made[2].id, Some("attempt-c")));
    assert_eq!(page.newest, Some(made[2].updated_at), "it is not asked about again");
    // An unreadable payment with this reference is not reported as absent.
    let sought = |reference: &str| Sought {
        reference: reference.to_owned(),
        amount: Money::usd(100),
        from: NOON_MS,
        to: NOON_MS + 60_000,
    };
    assert_eq!(bench.square.find_by_reference(&sought("attempt-a")).await.unwrap(), Some(made[0].clone()));
    assert_eq!(bench.square.find_by_reference(&sought("attempt-z")).await.unwrap(), None);
    let other = Sought { amount: Money::usd(99), ..sought("attempt-a") };
    assert_eq!(bench.square.find_by_reference(&other).await.unwrap(), None, "another amount is another payment");
    let unclear = bench.square.find_by_reference(&sought("attempt-c")).await;
    assert!(matches!(unclear, Err(ProviderError::Unknown(_))), "{unclear:?}");
}

async fn lists_lag_and_cover_their_span_only() {
    let bench = Bench::start().await;
    for name in ["early", "right", "late"] {
        bench.square.authorize(&authorization(name, 100)).await.unwrap();
        bench.clock.advance(60_000);
    }
    let sought = |name: &str, from: i64, to: i64| Sought {
        reference: format!("attempt-{name}"),
        amount: Money::usd(100),
        from: NOON_MS + from,
        to: NOON_MS + to,
    };
    for (name, is_there) in [("early", false), ("right", true), ("late", false)] {
        let found = bench.square.find_by_reference(&sought(name, 1, 119_999)).await.unwrap();
        assert_eq!(found.is_some(), is_there, "{name}");
    }
    bench.stand_in.faults.set_list_lag(10_000);
    bench.square.authorize(&authorization("new", 100)).await.unwrap();
    assert_eq!(bench.square.find_by_reference(&sought("new", 0, 999_999)).await.unwrap(), None);
    assert_eq!(changed(&bench, NOON_MS).await.0.len(), 3);
    bench.clock.advance(10_000);
    assert!(bench.square.find_by_reference(&sought("new", 0, 999_999)).await.unwrap().is_some());
    assert_eq!(changed(&bench, NOON_MS).await.0.len(), 4);
}

async fn refunds_go_from_pending_to_their_end() {
    let bench = Bench::start().await;
    let held = bench.square.authorize(&authorization("a", 1000)).await.unwrap();
    bench.square.capture(&held.id, None).await.unwrap();
    let made = bench.square.refund(&refund("1", &held.id, 400)).await.unwrap();
    assert_eq!((made.status, made.amount.clone()), (ProviderRefundStatus::Pending, Money::usd(400)));
    assert_eq!(bench.square.refund(&refund("1", &held.id, 400)).await.unwrap().id, made.id);
    let ended = bench.square.find_refund(&made.id).await.unwrap().unwrap();
    assert_eq!((ended.status, ended.payment_id), (ProviderRefundStatus::Completed, Some(held.id.clone())));
    assert_eq!(bench.square.find(&held.id).await.unwrap().unwrap().refunded, 400);
    assert_eq!(bench.square.find_refund("nothing").await.unwrap(), None);
}

async fn too_large_and_too_early_refunds_are_rejected() {
    let bench = Bench::start().await;
    let held = bench.square.authorize(&authorization("a", 1000)).await.unwrap();
    let rejected = |result| match result {
        Err(ProviderError::Rejected { code, .. }) => code,
        other => panic!("{other:?}"),
    };
    let early = bench.square.refund(&refund("early", &held.id, 1)).await;
    assert_eq!(rejected(early), "REFUND_ERROR_PAYMENT_NEEDS_COMPLETION");
    bench.square.capture(&held.id, None).await.unwrap();
    assert_eq!(rejected(bench.square.refund(&refund("large", &held.id, 1001)).await), "REFUND_AMOUNT_INVALID");
    bench.square.refund(&refund("part", &held.id, 999)).await.unwrap();
    assert_eq!(rejected(bench.square.refund(&refund("rest", &held.id, 2)).await), "REFUND_AMOUNT_INVALID");
    let long = RefundRequest { reason: "x".repeat(193), ..refund("long", &held.id, 1) };
    assert_eq!(rejected(bench.square.refund(&long).await), "VALUE_TOO_LONG");
}

async fn the_token_is_never_printed() {
    let bench = Bench::start().await;
    let config = bench.stand_in.config().unwrap();
    let printed = format!("{config:?} {:?}", bench.square);
    assert!(!printed.contains(config.access_token.expose()), "{printed}");
    assert!(!printed.contains(config.webhook_key.expose()), "{printed}");
}

async fn redirects_are_not_followed() {
    let script = Script::start(&[(302, "")]).await;
    let outcome = script.square.authorize(&authorization("a", 100)).await;
    assert!(matches!(outcome, Err(ProviderError::Unknown(_))), "{outcome:?}");
}

/// A payment in the format of a response.
fn payment(amount: i64, currency: &str, reference: &str) -> String {
    format!(
        r#"{{"payment":{{"id":"P","status":"APPROVED","amount_money":{{"amount":{amount},"currency":"{currency}"}},
        "reference_id":"{reference}","created_at":"2026-11-21T17:00:00Z","updated_at":"2026-11-21T17:00:00.25Z"}}}}"#
    )
}

async fn another_amount_than_asked_for_is_unknown() {
    let right = Script::start(&[(200, &payment(100, "USD", "attempt-a"))]).await;
    let held = right.square.authorize(&authorization("a", 100)).await.unwrap();
    assert_eq!(held.updated_at - held.created_at, 250);
    for other in [payment(101, "USD", "attempt-a"), payment(100, "CAD", "attempt-a"), payment(100, "USD", "attempt-b")]
    {
        let script = Script::start(&[(200, &other)]).await;
        let outcome = script.square.authorize(&authorization("a", 100)).await;
        assert!(matches!(outcome, Err(ProviderError::Unknown(_))), "{outcome:?} for {other}");
    }
}

async fn a_refusal_after_a_lost_answer_is_unknown() {
    const UNAUTHORIZED: &str = r#"{"errors":[{"category":"AUTHENTICATION_ERROR","code":"UNAUTHORIZED"}]}"#;
    const SPENT: &str = r#"{"errors":[{"category":"INVALID_REQUEST_ERROR","code":"CARD_TOKEN_USED"}]}"#;
    const DECLINED: &str = r#"{"errors":[{"category":"PAYMENT_METHOD_ERROR","code":"CVV_FAILURE"}]}"#;
    for refusal in [UNAUTHORIZED, SPENT] {
        let script = Script::start(&[(502, "<html>"), (400, refusal)]).await;
        let outcome = script.square.authorize(&authorization("a", 100)).await;
        assert!(matches!(outcome, Err(ProviderError::Unknown(_))), "{outcome:?} for {refusal}");
    }
    let script = Script::start(&[(502, "<html>"), (402, DECLINED)]).await;
    let outcome = script.square.authorize(&authorization("a", 100)).await;
    assert!(matches!(outcome, Err(ProviderError::Declined(_))), "{outcome:?}");
    // A rate-limited request did nothing, so the next response is conclusive.
    let full = r#"{"errors":[{"category":"RATE_LIMIT_ERROR","code":"RATE_LIMITED"}]}"#;
    let script = Script::start(&[(429, full), (401, UNAUTHORIZED)]).await;
    let outcome = script.square.authorize(&authorization("a", 100)).await;
    assert!(matches!(outcome, Err(ProviderError::NotAuthorized { .. })), "{outcome:?}");
}

async fn repetitions_send_the_same_bytes() {
    let script = Script::start(&[(500, ""), (200, "no JSON"), (503, "")]).await;
    let outcome = script.square.authorize(&authorization("a", 100)).await;
    assert!(matches!(outcome, Err(ProviderError::Unknown(_))), "{outcome:?}");
    let bodies = script.bodies.lock().unwrap().clone();
    assert_eq!(bodies.len(), 3);
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
    let sent: serde_json::Value = serde_json::from_str(&bodies[0]).unwrap();
    assert_eq!((&sent["autocomplete"], &sent["delay_action"]), (&false.into(), &"CANCEL".into()));
    assert_eq!(sent["idempotency_key"], "key-a");
}

async fn bad_credentials_are_rejected_at_once() {
    let bench = Bench::start().await;
    let mut config = bench.stand_in.config().unwrap();
    config.access_token = Secret::new("another");
    let stranger = Square::new(&config, QUICK).unwrap();
    let wanted = Authorization { note: String::new(), ..authorization("a", 100) };
    let outcome = stranger.authorize(&wanted).await;
    assert!(
        matches!(&outcome, Err(ProviderError::NotAuthorized { code, .. }) if code == "UNAUTHORIZED"),
        "{outcome:?}"
    );
    assert!(bench.statuses().is_empty());
}

async fn when_nobody_listens_the_outcome_is_unknown() {
    let nobody = format!("http://127.0.0.1:{}", free_port()).parse().unwrap();
    let config = settings(&nobody, String::new()).unwrap();
    let square = Square::new(&config, QUICK).unwrap();
    for outcome in [square.authorize(&authorization("a", 100)).await.err(), square.find("P").await.err()] {
        let Some(ProviderError::Unknown(reason)) = outcome else { panic!("{outcome:?}") };
        assert!(!reason.contains("v2/payments"), "no addresses in {reason}");
    }
}
