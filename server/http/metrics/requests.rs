//! Counts requests by route and status, and how long their responses took to begin.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::{MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use shop_base::metrics::{Durations, Histogram};
use shop_base::trace_span;
use tracing::{Instrument, Span};

/// Classes of status codes; the last is for requests whose sender left before the response.
const CLASSES: [&str; 6] = ["1xx", "2xx", "3xx", "4xx", "5xx", "none"];
/// The route of requests that match no pattern, or are refused before they come to the router, such as those over a limit.
const NO_ROUTE: &str = "none";

/// The requests of a node.
#[derive(Debug, Default)]
pub struct RequestFigures {
    routes: RwLock<BTreeMap<Box<str>, Arc<RouteFigures>>>,
    /// Without those that are answered with a kept page, which takes no wait.
    running: AtomicI64,
}

/// The requests of a route, by the class of their status.
#[derive(Debug, Default)]
pub struct RouteFigures([Histogram; CLASSES.len()]);

impl RouteFigures {
    /// Takes no lock: most requests are for kept pages, and are counted here.
    pub fn count(&self, status: StatusCode, took: Duration) {
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        self.0[class].observe(took);
    }

    /// The classes that occurred, and their durations.
    pub fn read(&self) -> impl Iterator<Item = (&'static str, Durations)> {
        let read = CLASSES.into_iter().zip(&self.0).map(|(class, durations)| (class, durations.read()));
        read.filter(|(_, durations)| durations.count() > 0)
    }
}

impl RequestFigures {
    /// Of the route with this pattern.
    pub fn of(&self, pattern: &str) -> Arc<RouteFigures> {
        let known = self.routes.read().unwrap_or_else(PoisonError::into_inner).get(pattern).map(Arc::clone);
        known.unwrap_or_else(|| {
            let mut routes = self.routes.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(routes.entry(pattern.into()).or_default())
        })
    }

    pub fn routes(&self) -> Vec<(Box<str>, Arc<RouteFigures>)> {
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        routes.iter().map(|(pattern, figures)| (pattern.clone(), Arc::clone(figures))).collect()
    }

    pub fn running(&self) -> i64 {
        self.running.load(Ordering::Relaxed)
    }
}

/// The route of a request, once it is known.
#[derive(Clone, Debug, Default)]
pub struct Matched(Arc<OnceLock<Arc<RouteFigures>>>);

/// A request that is being answered. Counted when dropped.
pub struct Running {
    figures: Arc<RequestFigures>,
    matched: Matched,
    began: Instant,
    status: Option<StatusCode>,
}

impl Running {
    /// Adds to the request what [`note_route`] needs.
    pub fn begin(figures: &Arc<RequestFigures>, began: Instant, request: &mut Request) -> Self {
        figures.running.fetch_add(1, Ordering::Relaxed);
        let matched = Matched::default();
        request.extensions_mut().insert(matched.clone());
        Self { figures: Arc::clone(figures), matched, began, status: None }
    }

    pub fn answered(mut self, response: &Response) {
        self.status = Some(response.status());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let took = self.began.elapsed();
        self.figures.running.fetch_sub(1, Ordering::Relaxed);
        let route = self.matched.0.get().map_or_else(|| self.figures.of(NO_ROUTE), Arc::clone);
        match self.status {
            Some(status) => route.count(status, took),
            None => route.0[CLASSES.len() - 1].observe(took),
        }
    }
}

/// Around every route: notes which one it is.
pub async fn note_route(
    State(figures): State<Arc<RequestFigures>>,
    pattern: MatchedPath,
    matched: Option<Extension<Matched>>,
    request: Request,
    next: Next,
) -> Response {
    if let Some(Extension(Matched(route))) = matched {
        // A request matches one route.
        let _ = route.set(figures.of(pattern.as_str()));
    }
    let route = pattern.as_str();
    let span = trace_span!("handler", otel.name = format!("{} {route}", request.method()), http.route = route);
    if !span.is_none() {
        Span::current().record("http.route", route);
    }
    next.run(request).instrument(span).await
}
