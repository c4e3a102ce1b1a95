//! Graceful shutdown without losing requests: first `/readyz` returns 503 and each connection is closed after its response, so that a load
//! balancer sends new requests elsewhere; then the connections in the listener's queue are accepted, and only then the socket closes.

use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::{HeaderValue, header};
use axum::response::Response;

/// Whether this node is shutting down. This is never reversed.
#[derive(Debug, Default)]
pub struct Drain(AtomicBool);

impl Drain {
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Closes the connection after its response once the node is shutting down.
    pub fn end_connection(&self, response: &mut Response) {
        if self.has_begun() {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }
}
