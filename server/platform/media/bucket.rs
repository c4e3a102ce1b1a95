//! Calls to a store that speaks S3. `object_store` signs and repeats them; they are sent by the HTTP client that everything here uses.

use std::time::Duration;

use async_trait::async_trait;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
};
use object_store::{BackoffConfig, ClientOptions, Error, RetryConfig};
use reqwest::redirect::Policy;
use shop_base::config::Bucket;

const CONNECTION_LIMIT: Duration = Duration::from_secs(3);
/// Of one try, with all bytes of a request and its response.
const ANSWER_LIMIT: Duration = Duration::from_secs(12);
const RETRIES: usize = 2;
/// No try begins later than this after the first one.
const LAST_RETRY: Duration = Duration::from_secs(6);

pub fn open(bucket: &Bucket) -> Result<AmazonS3, Error> {
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(&bucket.name)
        .with_region(&bucket.region)
        .with_access_key_id(bucket.access_key.expose())
        .with_secret_access_key(bucket.secret_key.expose())
        // Not every store can delete several objects in one call.
        .with_disable_bulk_delete(true)
        .with_retry(RetryConfig {
            backoff: BackoffConfig {
                init_backoff: Duration::from_millis(100),
                max_backoff: Duration::from_secs(1),
                base: 2.,
            },
            max_retries: RETRIES,
            retry_timeout: LAST_RETRY,
        })
        .with_http_connector(Connector);
    if let Some(endpoint) = &bucket.endpoint {
        // The settings admit http only inside of the own network.
        builder = builder.with_endpoint(endpoint.as_str().trim_end_matches('/')).with_allow_http(true);
    }
    builder.build()
}

#[derive(Debug)]
struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> Result<HttpClient, Error> {
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .connect_timeout(CONNECTION_LIMIT)
            .timeout(ANSWER_LIMIT)
            .build()
            .map_err(|error| Error::Generic { store: "S3", source: Box::new(error) })?;
        Ok(HttpClient::new(Client(client)))
    }
}

#[derive(Debug)]
struct Client(reqwest::Client);

#[async_trait]
impl HttpService for Client {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let request = reqwest::Request::try_from(request.map(reqwest::Body::wrap)).map_err(failed)?;
        let mut response = self.0.execute(request).await.map_err(failed)?;
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        let mut answer = HttpResponse::new(HttpResponseBody::from(response.bytes().await.map_err(failed)?));
        *answer.status_mut() = status;
        *answer.headers_mut() = headers;
        Ok(answer)
    }
}

fn failed(error: reqwest::Error) -> HttpError {
    let kind = if error.is_connect() {
        HttpErrorKind::Connect
    } else if error.is_timeout() {
        HttpErrorKind::Timeout
    } else if error.is_builder() {
        HttpErrorKind::Unknown
    } else {
        HttpErrorKind::Interrupted
    };
    HttpError::new(kind, error.without_url())
}
