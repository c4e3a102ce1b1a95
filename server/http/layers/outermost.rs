//! The shop as the network meets it. Kept pages are answered here, before anything else happens: most requests need no more. Written as a
//! service, since a middleware function would allocate and clone for each of them.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::response::Response;
use tower::Service;

use super::compression::Accepted;
use super::drain::Drain;
use super::headers::SecurityHeaders;
use crate::metrics::requests::Running;
use crate::page::serve::{KeptRoutes, PageLayer, kept};

#[derive(Clone)]
pub struct Outermost {
    pub pages: Arc<PageLayer>,
    pub kept_routes: KeptRoutes,
    pub headers: Arc<SecurityHeaders>,
    pub drain: Arc<Drain>,
    /// Everything else.
    pub rest: Router,
}

/// The response to one request.
pub enum Answering {
    Kept(Ready<Response>),
    Other(Pin<Box<dyn Future<Output = Response> + Send>>),
}

impl Service<Request> for Outermost {
    type Response = Response;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request) -> Answering {
        let Self { pages, kept_routes, headers, drain, rest } = self;
        let began = Instant::now();
        if let Some((mut response, route)) = kept(pages, kept_routes, &mut request) {
            if request.method() == Method::HEAD {
                without_body(&mut response);
            }
            headers.add(request.uri().path(), &mut response);
            drain.end_connection(&mut response);
            route.count(response.status(), began.elapsed());
            return Answering::Kept(ready(response));
        }
        let path = request.uri().path().to_owned();
        let running = Running::begin(&pages.requests, began, &mut request);
        Accepted::replace(request.headers_mut());
        let response = rest.call(request);
        let (headers, drain) = (Arc::clone(headers), Arc::clone(drain));
        Answering::Other(Box::pin(async move {
            let Ok(mut response) = response.await;
            headers.add(&path, &mut response);
            drain.end_connection(&mut response);
            running.answered(&response);
            response
        }))
    }
}

/// A router does this, and for HTTP/1 hyper, but not for HTTP/2.
fn without_body(response: &mut Response) {
    let length = response.body().size_hint().exact();
    if let Some(length) = length.filter(|_| response.status() != StatusCode::NOT_MODIFIED) {
        response.headers_mut().entry(header::CONTENT_LENGTH).or_insert(length.into());
    }
    *response.body_mut() = Body::empty();
}

impl Future for Answering {
    type Output = Result<Response, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            Self::Kept(response) => Pin::new(response).poll(cx),
            Self::Other(response) => response.as_mut().poll(cx),
        }
        .map(Ok)
    }
}
