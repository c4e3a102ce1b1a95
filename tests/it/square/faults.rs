use std::time::{Duration, Instant};

use shop_demo::square::faults::{Fault, Operation, Point, Rule};
use shop_domain::sales::records::payments::provider::{
    PaymentProvider, ProviderError, ProviderRefundStatus, ProviderStatus,
};

use super::bench::{Bench, authorization, refund};
use crate::support::Test;
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_lost_response_charges_once,
    nothing_done_is_done_again,
    a_rate_limit_is_waited_for_and_no_longer_than_the_call_may_take,
    three_silent_tries_leave_the_outcome_unknown,
    a_request_can_be_held_before_and_after_its_commit,
    a_canceled_key_is_no_fence_against_a_late_request,
    a_refund_may_be_rejected_after_it_was_taken,
    faults_can_be_set_from_another_process,
];

async fn a_lost_response_charges_once() {
    let bench = Bench::start().await;
    for fault in [Fault::LoseResponse, Fault::Garble] {
        let name = format!("{fault:?}");
        let create = bench.fault(Operation::CreatePayment, fault);
        let complete = bench.fault(Operation::CompletePayment, fault);
        let back = bench.fault(Operation::CreateRefund, fault);
        let held = bench.square.authorize(&authorization(&name, 1000)).await.unwrap();
        let taken = bench.square.capture(&held.id, held.version.as_deref()).await.unwrap();
        assert_eq!(taken.status, ProviderStatus::Captured);
        bench.square.refund(&refund(&name, &held.id, 300)).await.unwrap();
        assert_eq!(bench.square.find(&held.id).await.unwrap().unwrap().refunded, 300);
        for rule in [create, complete, back] {
            bench.assert_fired(rule, 1);
        }
    }
    for number in 0..100 {
        let rule = bench.fault(Operation::CreatePayment, Fault::LoseResponse);
        bench.square.authorize(&authorization(&number.to_string(), 100)).await.unwrap();
        bench.assert_fired(rule, 1);
    }
    assert_eq!(bench.statuses().len(), 102);
    assert_eq!(bench.stand_in.refunds().len(), 2);
}

async fn nothing_done_is_done_again() {
    let bench = Bench::start().await;
    for fault in [Fault::ServerError, Fault::TemporaryError, Fault::Timeout, Fault::RateLimit { retry_after: 0 }] {
        let rule = bench.fault(Operation::CreatePayment, fault);
        let held = bench.square.authorize(&authorization(&format!("{fault:?}"), 100)).await.unwrap();
        assert_eq!(held.status, ProviderStatus::Authorized);
        bench.assert_fired(rule, 1);
    }
    assert_eq!(bench.statuses(), ["APPROVED"; 4]);
}

async fn a_rate_limit_is_waited_for_and_no_longer_than_the_call_may_take() {
    let bench = Bench::start().await;
    let rule = bench.fault(Operation::CreatePayment, Fault::RateLimit { retry_after: 1 });
    let begin = Instant::now();
    bench.square.authorize(&authorization("a", 100)).await.unwrap();
    assert!(begin.elapsed() >= Duration::from_secs(1));
    bench.assert_fired(rule, 1);

    let rule = bench.fault(Operation::CreatePayment, Fault::RateLimit { retry_after: 3600 });
    let begin = Instant::now();
    let outcome = bench.square.authorize(&authorization("b", 100)).await;
    assert!(matches!(outcome, Err(ProviderError::Unknown(_))), "{outcome:?}");
    assert!(begin.elapsed() < Duration::from_secs(5));
    bench.assert_fired(rule, 1);
}

async fn three_silent_tries_leave_the_outcome_unknown() {
    let bench = Bench::start().await;
    let faults = &bench.stand_in.faults;
    let rule = faults.add(Rule { times: 3, ..Rule::once(Operation::CreatePayment, Fault::LoseResponse) });
    let outcome = bench.square.authorize(&authorization("a", 100)).await;
    assert!(matches!(outcome, Err(ProviderError::Unknown(_))), "{outcome:?}");
    bench.assert_fired(rule, 3);
    // The payment was made once nevertheless; canceling by its key voids it.
    assert_eq!(bench.statuses(), ["APPROVED"]);
    bench.square.void_by_key("key-a").await.unwrap();
    assert_eq!(bench.statuses(), ["CANCELED"]);
}

async fn a_request_can_be_held_before_and_after_its_commit() {
    let bench = Bench::start().await;
    for (point, made) in [(Point::BeforeCommit, 0), (Point::BeforeAnswer, 2)] {
        let mut hold = bench.stand_in.faults.hold(Operation::CreatePayment, point);
        let wanted = authorization(&format!("{point:?}"), 100);
        let test = async {
            assert!(hold.reached().await);
            assert_eq!(bench.statuses().len(), made);
            hold.release();
        };
        let (held, ()) = tokio::join!(bench.square.authorize(&wanted), test);
        assert_eq!(held.unwrap().status, ProviderStatus::Authorized);
    }
}

async fn a_canceled_key_is_no_fence_against_a_late_request() {
    let bench = Bench::start().await;
    let mut hold = bench.stand_in.faults.hold(Operation::CreatePayment, Point::BeforeCommit);
    let wanted = authorization("a", 100);
    let test = async {
        assert!(hold.reached().await);
        bench.square.void_by_key(&wanted.idempotency_key).await.unwrap();
        hold.release();
    };
    let (held, ()) = tokio::join!(bench.square.authorize(&wanted), test);
    assert_eq!(held.unwrap().status, ProviderStatus::Authorized);
}

async fn a_refund_may_be_rejected_after_it_was_taken() {
    let bench = Bench::start().await;
    let held = bench.square.authorize(&authorization("a", 1000)).await.unwrap();
    bench.square.capture(&held.id, None).await.unwrap();
    let rule = bench.fault(Operation::CreateRefund, Fault::RejectRefund);
    let made = bench.square.refund(&refund("1", &held.id, 400)).await.unwrap();
    bench.assert_fired(rule, 1);
    assert_eq!(made.status, ProviderRefundStatus::Pending);
    let ended = bench.square.find_refund(&made.id).await.unwrap().unwrap();
    assert_eq!(ended.status, ProviderRefundStatus::Failed);
    assert_eq!(bench.square.find(&held.id).await.unwrap().unwrap().refunded, 0);
}

async fn faults_can_be_set_from_another_process() {
    let bench = Bench::start().await;
    let address = bench.stand_in.base_url.join("emu/faults").unwrap();
    let http = reqwest::Client::new();
    let rule = r#"{"fault":{"rate_limit":{"retry_after":0}},"operation":"create_payment","after":1,"times":2}"#;
    let json =
        |text: &'static str| http.post(address.clone()).header("content-type", "application/json").body(text).send();
    assert_eq!(json(rule).await.unwrap().text().await.unwrap(), r#"{"id":0}"#);
    assert!(json(r#"{"list_lag_ms":5000}"#).await.unwrap().status().is_success());
    assert!(json(r#"{"fault":"no such fault"}"#).await.unwrap().status().is_client_error());
    bench.square.authorize(&authorization("a", 100)).await.unwrap();
    bench.assert_fired(0, 0);
    bench.square.authorize(&authorization("b", 100)).await.unwrap();
    bench.assert_fired(0, 2);
    let counts: serde_json::Value =
        serde_json::from_str(&http.get(address.clone()).send().await.unwrap().text().await.unwrap()).unwrap();
    assert_eq!((&counts[0]["fired"], &counts[0]["matched"]), (&2.into(), &4.into()));
    assert!(http.delete(address.clone()).send().await.unwrap().status().is_success());
}
