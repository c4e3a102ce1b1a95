//! Requests to Square: timeouts and retries.

use std::fmt;
use std::time::Duration;

use rand::Rng;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, InvalidHeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use shop_base::config::SquareConfig;
use shop_base::trace_span;
use shop_domain::sales::records::payments::provider::{Decline, ProviderError};
use tokio::time::{Instant, sleep, timeout};
use tracing::Instrument;

use super::errors::{ErrorAnswer, Verdict, is_about_the_token, is_passing, verdict};
use super::wire::FailedPayment;

const TRIES: u32 = 3;

/// Timeouts and pauses of the client.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    pub connect: Duration,
    /// For one response.
    pub answer: Duration,
    /// For all attempts of a call together.
    pub call: Duration,
    /// Before the second attempt; doubled before the third.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(3),
            answer: Duration::from_secs(8),
            call: Duration::from_secs(20),
            pause: Duration::from_millis(500),
        }
    }
}

/// Why the client could not be created.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error("the access token has characters that no header takes")]
    Token(#[from] InvalidHeaderValue),
    #[error("the HTTP client: {0}")]
    Http(#[from] reqwest::Error),
}

pub struct Client {
    http: reqwest::Client,
    base: String,
    patience: Patience,
}

/// A failed attempt that may be retried.
struct Setback {
    reason: String,
    /// Whether Square may have carried out the request nevertheless.
    may_have_worked: bool,
    retry_after: Option<Duration>,
}

enum Try<A> {
    Answered(A),
    Refused(ProviderError),
    Again(Setback),
}

impl Client {
    pub fn new(config: &SquareConfig, patience: Patience) -> Result<Self, ClientError> {
        let mut token = HeaderValue::try_from(format!("Bearer {}", config.access_token.expose()))?;
        token.set_sensitive(true);
        let headers = HeaderMap::from_iter([
            (AUTHORIZATION, token),
            (ACCEPT, HeaderValue::from_static("application/json")),
            (reqwest::header::HeaderName::from_static("square-version"), HeaderValue::from_static(VERSION)),
        ]);
        let http = reqwest::Client::builder()
            .default_headers(headers)
            .redirect(Policy::none())
            .connect_timeout(patience.connect)
            .timeout(patience.answer)
            .build()?;
        Ok(Self { http, base: config.api.as_str().trim_end_matches('/').to_owned(), patience })
    }

    pub async fn get<A: DeserializeOwned>(&self, path: &str, query: &[(&str, String)]) -> Result<A, ProviderError> {
        self.call(self.http.get(self.address(path)).query(query), path, false).await
    }

    /// Changes something that exists. After an error, its current state can be requested.
    pub async fn post<A: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<A, ProviderError> {
        self.call(self.with_body(path, body)?, path, false).await
    }

    /// Creates something, with an idempotency key in the body. Its id is unknown until the response arrives, so an error after a lost
    /// response leaves the outcome unknown.
    pub async fn create<A: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<A, ProviderError> {
        self.call(self.with_body(path, body)?, path, true).await
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn with_body(&self, path: &str, body: &impl Serialize) -> Result<RequestBuilder, ProviderError> {
        let rejected = |error: serde_json::Error| ProviderError::Rejected {
            code: "UNWRITABLE".to_owned(),
            detail: error.to_string(),
        };
        let body = serde_json::to_vec(body).map_err(rejected)?;
        Ok(self.http.post(self.address(path)).header(CONTENT_TYPE, "application/json").body(body))
    }

    /// Sends a request until it is answered, with the same bytes each time.
    async fn call<A: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        path: &str,
        makes: bool,
    ) -> Result<A, ProviderError> {
        let deadline = Instant::now() + self.patience.call;
        let mut in_doubt = false;
        let mut attempt = 1;
        loop {
            let Some(request) = request.try_clone() else {
                return Err(ProviderError::Unknown("the request cannot be repeated".to_owned()));
            };
            let left = deadline.saturating_duration_since(Instant::now());
            let span = trace_span!("call", otel.kind = "client", server.address = self.base, url.path = path, attempt);
            let tried = timeout(left, send(request)).instrument(span).await.unwrap_or_else(|_| {
                Try::Again(Setback { reason: "no answer in time".to_owned(), may_have_worked: true, retry_after: None })
            });
            let setback = match tried {
                Try::Answered(answer) => return Ok(answer),
                Try::Refused(error) if in_doubt && !speaks_of_the_first_try(&error) => {
                    return Err(ProviderError::Unknown(format!("after a lost answer: {error}")));
                }
                Try::Refused(error) => return Err(error),
                Try::Again(setback) => setback,
            };
            in_doubt |= makes && setback.may_have_worked;
            let pause = self.pause(attempt).max(setback.retry_after.unwrap_or_default());
            let left = deadline.saturating_duration_since(Instant::now());
            tracing::warn!(path, attempt, reason = setback.reason, "Square did not answer as it should");
            if attempt == TRIES || pause >= left {
                return Err(ProviderError::Unknown(setback.reason));
            }
            sleep(pause).await;
            attempt += 1;
        }
    }

    /// Doubles with each attempt; up to a quarter is added, so that many clients do not retry at the same moment.
    fn pause(&self, attempt: u32) -> Duration {
        let pause = self.patience.pause * 2_u32.saturating_pow(attempt - 1);
        pause + pause.mul_f64(rand::rng().random_range(0.0..0.25))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("base", &self.base).finish_non_exhaustive()
    }
}

/// After a lost response, only a decline of the card also applies to the first attempt. A spent token may have been spent by the first
/// attempt itself.
fn speaks_of_the_first_try(error: &ProviderError) -> bool {
    matches!(error, ProviderError::Declined(decline) if !is_about_the_token(&decline.code))
}

async fn send<A: DeserializeOwned>(request: RequestBuilder) -> Try<A> {
    let response = match request.send().await {
        Ok(response) => response,
        Err(error) => {
            let may_have_worked = !error.is_connect();
            return Try::Again(Setback { reason: in_words(error), may_have_worked, retry_after: None });
        }
    };
    let status = response.status();
    let retry_after = retry_after(&response);
    let body = match response.bytes().await {
        Ok(body) => body,
        Err(error) => {
            return Try::Again(Setback { reason: in_words(error), may_have_worked: true, retry_after });
        }
    };
    // A request rejected by the rate limit was not carried out.
    let may_have_worked = status.as_u16() != 429;
    let again = |reason: String| Try::Again(Setback { reason, may_have_worked, retry_after });
    if status.is_success() {
        return match serde_json::from_slice(&body) {
            Ok(answer) => Try::Answered(answer),
            Err(error) => again(format!("an answer that cannot be read: {error}")),
        };
    }
    let (errors, failed) = match serde_json::from_slice::<ErrorAnswer>(&body) {
        Ok(answer) => (answer.errors, answer.payment),
        Err(_) => (Vec::new(), None),
    };
    let said = errors.first().map_or("no error code", |error| error.code.as_str());
    match verdict(&errors, status.as_u16()) {
        Verdict::Final(ProviderError::Declined(decline)) => {
            let failed = failed.and_then(|payment| serde_json::from_value::<FailedPayment>(payment).ok());
            Try::Refused(ProviderError::Declined(Decline { card: failed.and_then(FailedPayment::card), ..decline }))
        }
        Verdict::Final(error) => Try::Refused(error),
        Verdict::Repeat => again(format!("HTTP {status}, {said}")),
        Verdict::Unclear => Try::Refused(ProviderError::Unknown(format!("HTTP {status}, {said}"))),
    }
}

/// Seconds to wait, from `Retry-After`; dates, which Square does not send, are ignored.
fn retry_after(response: &Response) -> Option<Duration> {
    if !is_passing(response.status().as_u16()) {
        return None;
    }
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// The error with its causes, without the address, which may contain a payment's id.
fn in_words(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        words.push_str(": ");
        words.push_str(&error.to_string());
        cause = error.source();
    }
    words
}

/// The API version that this code was written for.
pub const VERSION: &str = "2026-05-20";
