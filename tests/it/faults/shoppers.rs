//! Shoppers who buy all the time, as browsers do: a click that was not answered is sent again.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use reqwest::header::{COOKIE, ORIGIN};
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::sleep;
use uuid::Uuid;

use super::stage::Stage;
use crate::support::rounds;

const SHOPPERS: usize = 64;
const FEW: usize = 16;
/// Between two purchases, and before a click is sent again.
const LOOKS_MS: std::ops::Range<u64> = 300..1_500;
const AGAIN: Duration = Duration::from_millis(300);
/// A click without an answer is given up after this time.
const PATIENCE: Duration = Duration::from_secs(60);
/// Purchases from one network, of which each may make 60 in an hour.
const FROM_ONE_ADDRESS: usize = 12;

/// Answers during one kind of fault.
#[derive(Clone, Copy, Default)]
pub struct Answers {
    pub good: usize,
    /// 5xx.
    pub failed: usize,
    /// No answer.
    pub lost: usize,
}

#[derive(Default)]
pub struct Tally {
    pub answers: BTreeMap<&'static str, Answers>,
    /// The checkouts that were answered as placed.
    pub placed: Vec<Uuid>,
    pub pending: usize,
    pub refused: usize,
    /// How each try of a click that was given up came to nothing.
    pub given_up: Vec<String>,
    /// What should not happen.
    pub strange: Vec<String>,
}

struct Shared {
    origin: String,
    age_cookie: String,
    /// What few pieces are left of, and what there is plenty of.
    goods: Mutex<[Uuid; 2]>,
    fault: Mutex<&'static str>,
    tally: Mutex<Tally>,
    /// Since when each shopper waits for the answer to a click.
    waiting: Mutex<BTreeMap<usize, Instant>>,
    is_over: AtomicBool,
}

pub struct Shoppers {
    tasks: JoinSet<()>,
    shared: Arc<Shared>,
}

impl Shoppers {
    pub fn enter(stage: &Stage, seed: u64, scarce: Uuid, plenty: Uuid) -> Self {
        let shared = Arc::new(Shared {
            origin: stage.origin.clone(),
            age_cookie: stage.age_cookie.clone(),
            goods: Mutex::new([scarce, plenty]),
            fault: Mutex::new("none"),
            tally: Mutex::default(),
            waiting: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let mut tasks = JoinSet::new();
        for number in 0..rounds(FEW, SHOPPERS) {
            let shopper = Shopper {
                number,
                shared: Arc::clone(&shared),
                rng: StdRng::seed_from_u64(seed.wrapping_add(number as u64)),
                client: Client::new(),
                tries: Vec::new(),
            };
            let clients: Vec<Client> = (0..20)
                .map(|address| stage.nginx.client(Ipv4Addr::new(127, 10 + address, u8::try_from(number).unwrap(), 1)))
                .collect();
            tasks.spawn(shopper.buy_on(clients));
        }
        Self { tasks, shared }
    }

    /// What happens from now on is counted under this fault.
    pub fn during(&self, fault: &'static str) {
        *self.shared.fault.lock().unwrap() = fault;
    }

    /// All want this from now on.
    pub fn want(&self, scarce: Uuid) {
        self.shared.goods.lock().unwrap()[0] = scarce;
    }

    pub fn placed(&self) -> usize {
        self.shared.tally.lock().unwrap().placed.len()
    }

    /// Waits until all clicks from before this call are answered or given up.
    pub async fn until_answered(&self) {
        let now = Instant::now();
        while self.shared.waiting.lock().unwrap().values().any(|since| *since < now) {
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until each has the answer to the last click.
    pub async fn leave(mut self) -> Tally {
        self.shared.is_over.store(true, Ordering::Relaxed);
        while let Some(left) = self.tasks.join_next().await {
            left.unwrap();
        }
        std::mem::take(&mut *self.shared.tally.lock().unwrap())
    }
}

struct Shopper {
    number: usize,
    shared: Arc<Shared>,
    rng: StdRng,
    client: Client,
    /// The answers to the present click so far.
    tries: Vec<String>,
}

impl Shopper {
    async fn buy_on(mut self, clients: Vec<Client>) {
        for client in clients.into_iter().cycle() {
            self.client = client;
            for _ in 0..FROM_ONE_ADDRESS {
                sleep(Duration::from_millis(self.rng.random_range(LOOKS_MS))).await;
                if self.shared.is_over.load(Ordering::Relaxed) {
                    return;
                }
                self.buy().await;
                self.shared.waiting.lock().unwrap().remove(&self.number);
            }
        }
    }

    async fn buy(&mut self) {
        let item = self.shared.goods.lock().unwrap()[usize::from(self.rng.random_ratio(1, 3))];
        let page = self.client.get(format!("{}/category/pipe-care", self.shared.origin));
        if self.send(page).await.is_none() {
            return;
        }
        let mut order = json!({
            "checkout_id": Uuid::now_v7(), "click_id": Uuid::now_v7(), "items": [{ "id": item, "qty": 1 }],
            "email": format!("buyer-{}@shop.example", Uuid::now_v7().simple()), "state": "OH", "postal_code": "43215",
            "address": {
                "first_name": "Ada", "last_name": "Reed", "line1": "12 High Street", "city": "Columbus",
                "state": "OH", "postal_code": "43215",
            },
            "shipping_method": "ground", "payment_method": "square", "source_id": "cnon:card-nonce-ok",
        });
        let Some((200, quote)) = self.send(self.post("/api/checkout/quote", &order)).await else { return };
        if quote["total"].is_null() || quote["problems"].as_array().is_none_or(|problems| !problems.is_empty()) {
            self.tally(|tally| tally.refused += 1);
            return;
        }
        order["expected_total"] = quote["total"].clone();
        self.tries.clear();
        let began = Instant::now();
        self.shared.waiting.lock().unwrap().insert(self.number, began);
        while began.elapsed() < PATIENCE {
            match self.send(self.post("/api/checkout/pay", &order)).await {
                None => sleep(AGAIN).await,
                Some((status, body)) => {
                    return self.tally(|tally| match status {
                        200 => tally.placed.push(serde_json::from_value(order["checkout_id"].clone()).unwrap()),
                        202 => tally.pending += 1,
                        409 => tally.refused += 1,
                        _ => tally.strange.push(format!("{status}: {body}")),
                    });
                }
            }
        }
        let tries = self.tries.join("; ");
        self.tally(|tally| tally.given_up.push(tries));
    }

    fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        let request = self.client.post(format!("{}{path}", self.shared.origin)).header(ORIGIN, &self.shared.origin);
        request.header(COOKIE, &self.shared.age_cookie).json(body)
    }

    /// An answer other than 5xx; null if it is not JSON.
    async fn send(&mut self, request: RequestBuilder) -> Option<(u16, Value)> {
        let began = Instant::now();
        let answer = match request.timeout(Duration::from_secs(40)).send().await {
            Ok(answer) => {
                let status = answer.status().as_u16();
                answer.text().await.map(|body| (status, body))
            }
            Err(error) => Err(error),
        };
        let fault = *self.shared.fault.lock().unwrap();
        let mut tried = |what: &str| self.tries.push(format!("{what} after {:.1?} ({fault})", began.elapsed()));
        let mut tally = self.shared.tally.lock().unwrap();
        let answers = tally.answers.entry(fault).or_default();
        match answer {
            Ok((status, body)) if status < 500 => {
                answers.good += 1;
                Some((status, serde_json::from_str(&body).unwrap_or_default()))
            }
            Ok((status, body)) => {
                answers.failed += 1;
                tried(&format!(
                    "{status} {}",
                    serde_json::from_str(&body).map_or(Value::Null, |body: Value| body["code"].clone())
                ));
                if status == 500 {
                    tally.strange.push(body);
                }
                None
            }
            Err(error) => {
                answers.lost += 1;
                tried(if error.is_timeout() { "no answer" } else { "disconnected" });
                None
            }
        }
    }

    fn tally(&self, count: impl FnOnce(&mut Tally)) {
        count(&mut self.shared.tally.lock().unwrap());
    }
}
