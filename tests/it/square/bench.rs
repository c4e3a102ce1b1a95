//! A stand-in with a client, and servers with scripted responses.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use shop_base::clock::{Clock, ManualClock};
use shop_base::config::SquareConfig;
use shop_base::money::Money;
use shop_demo::square::faults::{Fault, Operation, Rule};
use shop_demo::square::{Options, StandIn};
use shop_domain::sales::records::payments::provider::{Authorization, RefundRequest};
use shop_integrations::square::{Patience, Square};
use tokio::net::TcpListener;
use url::Url;

use crate::support::NOON_MS;

/// Short, so that requests without a response cost a test little time, but longer than a busy machine takes for one.
pub const QUICK: Patience = Patience {
    connect: Duration::from_secs(2),
    answer: Duration::from_secs(2),
    call: Duration::from_secs(10),
    pause: Duration::from_millis(5),
};

pub struct Bench {
    pub stand_in: StandIn,
    pub square: Square,
    pub clock: Arc<ManualClock>,
}

impl Bench {
    pub async fn start() -> Self {
        Self::with(Options::fast(None)).await
    }

    pub async fn with(options: Options) -> Self {
        let clock = Arc::new(ManualClock::at(NOON_MS));
        let (listener, base_url) = listen().await;
        let stand_in = StandIn::start(listener, base_url, Arc::clone(&clock) as Arc<dyn Clock>, options).await.unwrap();
        let square = Square::new(&stand_in.config().unwrap(), QUICK).unwrap();
        Self { stand_in, square, clock }
    }

    /// Adds a rule that fires on the first request of the operation.
    pub fn fault(&self, operation: Operation, fault: Fault) -> usize {
        self.stand_in.faults.add(Rule::once(operation, fault))
    }

    pub fn assert_fired(&self, rule: usize, times: u64) {
        assert_eq!(self.stand_in.faults.fired(rule), times, "{:?}", self.stand_in.faults);
    }

    /// The status of every payment.
    pub fn statuses(&self) -> Vec<String> {
        let payments = self.stand_in.payments();
        payments.iter().map(|payment| payment["status"].as_str().unwrap().to_owned()).collect()
    }
}

pub async fn listen() -> (TcpListener, Url) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    (listener, base_url)
}

pub fn authorization(name: &str, amount: i64) -> Authorization {
    Authorization {
        idempotency_key: format!("key-{name}"),
        reference: format!("attempt-{name}"),
        source: "cnon:card-nonce-ok".to_owned(),
        amount: Money::usd(amount),
        buyer_email: "buyer@example.com".to_owned(),
        note: format!("Order {name}"),
    }
}

pub fn with_source(name: &str, source: &str) -> Authorization {
    Authorization { source: source.to_owned(), ..authorization(name, 1299) }
}

pub fn refund(name: &str, payment_id: &str, amount: i64) -> RefundRequest {
    RefundRequest {
        idempotency_key: format!("refund-{name}"),
        payment_id: payment_id.to_owned(),
        amount: Money::usd(amount),
        reason: "Returned".to_owned(),
    }
}

/// A server with these responses, one per request, and the bodies that it received.
pub struct Script {
    pub square: Square,
    pub bodies: Arc<Mutex<Vec<String>>>,
}

impl Script {
    pub async fn start(answers: &[(u16, &str)]) -> Self {
        let (listener, base_url) = listen().await;
        let answers: VecDeque<(u16, String)> =
            answers.iter().map(|(status, body)| (*status, (*body).to_owned())).collect();
        let answers = Arc::new(Mutex::new(answers));
        let bodies = Arc::new(Mutex::new(Vec::new()));
        let got = Arc::clone(&bodies);
        let router = Router::new().fallback(async move |headers: HeaderMap, body: String| {
            assert!(headers[header::AUTHORIZATION].to_str().unwrap().starts_with("Bearer "));
            assert!(headers.contains_key("square-version"));
            got.lock().unwrap().push(body);
            let (status, body) = answers.lock().unwrap().pop_front().expect("no more requests than answers");
            let location = [(header::LOCATION, "https://elsewhere.example/")];
            (StatusCode::from_u16(status).unwrap(), location, body).into_response()
        });
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let config: SquareConfig =
            shop_demo::square::settings(&base_url, "http://localhost/webhooks/square".to_owned()).unwrap();
        Self { square: Square::new(&config, QUICK).unwrap(), bodies }
    }
}
