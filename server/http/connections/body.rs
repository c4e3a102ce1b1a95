//! A request's body, and for how long the server has waited for it; a response's body, and whether there is more to come.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};

use super::open::Activity;

/// Bytes per second of the slowest line: whoever sends less makes the server wait.
const SLOWEST: u64 = 4 * 1024;

#[derive(Debug)]
pub(super) struct Arriving {
    body: Incoming,
    activity: Arc<Activity>,
    /// From when the server has waited, if it does. Bytes that came meanwhile move it forward.
    waits_from: Option<u64>,
    /// Milliseconds for which the server waited before, beyond what the slowest line would have taken.
    waited: u64,
}

impl Arriving {
    pub fn new(body: Incoming, activity: Arc<Activity>) -> Self {
        Self { body, activity, waits_from: None, waited: 0 }
    }

    fn wait(&mut self) {
        if self.waits_from.is_none() {
            self.waits_from = Some(self.activity.wait_for_body(self.waited));
        }
    }

    fn came(&mut self, bytes: usize) {
        if let Some(from) = self.waits_from.take() {
            self.waited = self.activity.body_came(from);
        }
        self.waited = self.waited.saturating_sub(bytes as u64 * 1_000 / SLOWEST);
    }
}

impl Body for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        match &polled {
            Poll::Pending => self.wait(),
            Poll::Ready(Some(Ok(frame))) => self.came(frame.data_ref().map_or(0, Bytes::len)),
            Poll::Ready(_) => self.came(0),
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.came(0);
    }
}

/// The body of a response that is made while it is sent.
#[derive(Debug)]
pub(super) struct Leaving {
    body: axum::body::Body,
    activity: Arc<Activity>,
}

impl Leaving {
    pub fn new(body: axum::body::Body, activity: Arc<Activity>) -> Self {
        activity.begin_sending();
        Self { body, activity }
    }
}

impl Body for Leaving {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.activity.sent();
    }
}
