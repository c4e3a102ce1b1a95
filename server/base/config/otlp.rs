//! The collector of traces and logs.

use axum::http::{HeaderName, HeaderValue};
use url::Url;

use super::reader::Reader;

const ENDPOINT: &str = "SHOP_OTLP_ENDPOINT";
const HEADER: &str = "SHOP_OTLP_HEADER";
const RATIO: &str = "SHOP_OTLP_RATIO";

/// A collector that speaks the OpenTelemetry protocol over HTTP.
#[derive(Clone, Debug)]
pub struct Otlp {
    /// Without the paths of traces and logs: `SHOP_OTLP_ENDPOINT`.
    pub endpoint: Url,
    /// `SHOP_OTLP_HEADER`
    pub header: Option<(HeaderName, HeaderValue)>,
    /// The share of requests and jobs that are traced, from 0 to 1: `SHOP_OTLP_RATIO`.
    pub ratio: f64,
}

impl Otlp {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let endpoint = reader.endpoint(ENDPOINT);
        let header = reader.header(HEADER);
        let ratio = reader.optional(RATIO, "a number from 0 to 1").unwrap_or(1.0);
        if !(0.0..=1.0).contains(&ratio) {
            reader.problems.push(format!("{RATIO}: '{ratio}' is not a number from 0 to 1"));
        }
        if reader.some(ENDPOINT).is_none() {
            for name in [HEADER, RATIO] {
                if reader.some(name).is_some() {
                    reader.problems.push(format!("{name} is of no use without {ENDPOINT}"));
                }
            }
        }
        Some(Self { endpoint: endpoint?, header, ratio })
    }

    /// Where a signal, such as `traces`, is sent.
    pub fn address(&self, signal: &str) -> String {
        format!("{}/v1/{signal}", self.endpoint.as_str().trim_end_matches('/'))
    }
}
