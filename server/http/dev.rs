//! `make dev`: notifies open browsers of each new bundle.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use shop_base::context::Context;
use shop_base::error::Error;
use tokio::sync::broadcast;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::BroadcastStream;

/// Notifies open browsers to reload.
#[derive(Debug)]
pub struct Reloads(broadcast::Sender<&'static str>);

impl Default for Reloads {
    fn default() -> Self {
        Self(broadcast::Sender::new(8))
    }
}

impl Reloads {
    /// `css` when only styles have changed, else `reload`.
    pub fn send(&self, message: &'static str) {
        // There may be no listeners.
        let _ = self.0.send(message);
    }
}

/// `GET /dev/reload`
pub async fn reload(State(cx): State<Context>, State(reloads): State<Arc<Reloads>>) -> Response {
    if cx.config.dev_bundle.is_none() {
        return Error::NotFound.into_response();
    }
    let messages = BroadcastStream::new(reloads.0.subscribe())
        .filter_map(Result::ok)
        .map(|message| Ok::<_, Infallible>(Event::default().data(message)));
    Sse::new(messages).keep_alive(KeepAlive::default()).into_response()
}
