//! Serves the requests of one connection.

use std::convert::Infallible;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::{StatusCode, Version, header};
use axum::response::{IntoResponse, Response};
use hyper::body::{Body as _, Incoming};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};
use tower::Service;

use super::body::{Arriving, Leaving};
use super::open::{Activity, Place, Told};

/// Requests at once on one connection of HTTP/2.
const MOST_STREAMS: u32 = 100;
/// Requests on one connection that were canceled before the shop has looked at them.
const MOST_CANCELED: usize = 4096;
/// Bytes of a head, with all cookies.
const MOST_OF_HEAD: u16 = u16::MAX;
/// Clients that were told to come back later, and ask again at once, take no more time from others than this allows.
pub(super) const BEFORE_REFUSING_AGAIN: Duration = Duration::from_millis(100);

/// HTTP/1.1, or HTTP/2 when a trusted proxy begins with it.
pub(super) async fn run<S>(stream: TcpStream, peer: SocketAddr, place: Place, service: S)
where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send + Unpin> + Clone + Send + 'static,
{
    let activity = &place.activity;
    let io = TokioIo::new(Watched { stream, activity: Arc::clone(activity) });
    let service = Requests { service, peer, activity: Arc::clone(activity) };
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().max_buf_size(MOST_OF_HEAD.into());
    // A proxy's connection is that of many visitors: h2's limits of what one client may do wrong would end the requests of all. The second
    // one counts for as long as the connection lasts, so no number is right for it.
    builder
        .http2()
        .max_concurrent_streams(MOST_STREAMS)
        .max_header_list_size(MOST_OF_HEAD.into())
        .max_pending_accept_reset_streams(MOST_CANCELED)
        .max_local_error_reset_streams(None);
    if !activity.is_of_proxy() {
        // A response that is never read is kept in memory: of one client that may be one for each connection, and not for each stream.
        builder = builder.http1_only();
    }
    let mut connection = pin!(builder.serve_connection(io, service));
    tokio::select! {
        // An error means that the client is gone or sends what is no request.
        _ = connection.as_mut() => return,
        told = activity.told() => if told == Told::Close { return },
    }
    connection.as_mut().graceful_shutdown();
    tokio::select! {
        _ = connection => {}
        () = activity.closed() => {}
    }
}

/// Hands requests to the service and notes when they begin and end.
#[derive(Clone)]
struct Requests<S> {
    service: S,
    peer: SocketAddr,
    activity: Arc<Activity>,
}

impl<S> hyper::service::Service<Request<Incoming>> for Requests<S>
where
    S: Service<Request, Response = Response, Error = Infallible, Future: Unpin> + Clone,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Answering<S::Future>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let http2 = request.version() == Version::HTTP_2;
        let is_valid = names_one_host(&request);
        self.activity.begin(http2);
        let running = Running(Arc::clone(&self.activity));
        let mut request = request.map(|body| match body.is_end_stream() {
            true => Body::empty(),
            false => Body::new(Arriving::new(body, Arc::clone(&self.activity))),
        });
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let response = is_valid.then(|| self.service.clone().call(request));
        Answering { response, waiting: None, http2, running }
    }
}

/// RFC 9112, section 3.2. Others before the shop could take another host for the one that is meant.
fn names_one_host(request: &Request<Incoming>) -> bool {
    match request.headers().get_all(header::HOST).iter().count() {
        0 => request.version() != Version::HTTP_11,
        named => named == 1,
    }
}

struct Answering<F> {
    /// None for what is no valid request.
    response: Option<F>,
    /// A response that is sent later.
    waiting: Option<(Response, Pin<Box<Sleep>>)>,
    http2: bool,
    running: Running,
}

impl<F: Future<Output = Result<Response, Infallible>> + Unpin> Future for Answering<F> {
    type Output = Result<Response, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let (mut response, wait) = match self.waiting.take() {
            Some((response, wait)) => (response, Some(wait)),
            None => {
                let Ok(response) = match &mut self.response {
                    Some(response) => ready!(Pin::new(response).poll(cx)),
                    None => Ok(StatusCode::BAD_REQUEST.into_response()),
                };
                let is_early = told_to_wait(&response).is_some_and(|later| self.running.0.refused(later));
                (response, is_early.then(|| Box::pin(sleep(BEFORE_REFUSING_AGAIN))))
            }
        };
        if let Some(mut wait) = wait
            && wait.as_mut().poll(cx).is_pending()
        {
            self.waiting = Some((response, wait));
            return Poll::Pending;
        }
        if self.http2 {
            // HTTP/2 ends connections in a frame of its own.
            response.headers_mut().remove(header::CONNECTION);
        }
        // Most responses are made already.
        if response.body().size_hint().exact().is_none() {
            let activity = Arc::clone(&self.running.0);
            response = response.map(|body| Body::new(Leaving::new(body, activity)));
        }
        Poll::Ready(Ok(response))
    }
}

/// How long the client is to wait before it comes back.
fn told_to_wait(response: &Response) -> Option<Duration> {
    if !matches!(response.status(), StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
        return None;
    }
    let seconds = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Dropped when the response begins, or with the request.
struct Running(Arc<Activity>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.answered();
    }
}

/// Notes when bytes come and go.
struct Watched {
    stream: TcpStream,
    activity: Arc<Activity>,
}

impl Watched {
    fn wrote(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(1..)) => self.activity.wrote(),
            Poll::Pending => self.activity.filled(),
            Poll::Ready(_) => {}
        }
        written
    }
}

impl AsyncRead for Watched {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.activity.read();
        }
        result
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wrote(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.wrote(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
