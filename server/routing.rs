//! Routes to handlers, as in [`axum::routing`], whose types are forgotten at once. Otherwise the compiler instantiates dozens of axum's
//! functions for each handler, and proves in each anew that everything in its future may be sent between threads: three quarters of the
//! time that this crate took.

use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::{self, MethodRouter};

use crate::app::App;

type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

/// Any handler of the shop.
#[derive(Clone)]
struct AnyHandler(Arc<dyn Fn(Request, App) -> Answering + Send + Sync>);

impl AnyHandler {
    fn new<T: 'static>(handler: impl Handler<T, App, Future = Answering>) -> Self {
        Self(Arc::new(move |request, app| handler.clone().call(request, app)))
    }
}

impl Handler<(), App> for AnyHandler {
    type Future = Answering;

    fn call(self, request: Request, app: App) -> Answering {
        (self.0)(request, app)
    }
}

pub fn delete<T: 'static>(handler: impl Handler<T, App, Future = Answering>) -> MethodRouter<App> {
    routing::delete(AnyHandler::new(handler))
}

pub fn get<T: 'static>(handler: impl Handler<T, App, Future = Answering>) -> MethodRouter<App> {
    routing::get(AnyHandler::new(handler))
}

pub fn patch<T: 'static>(handler: impl Handler<T, App, Future = Answering>) -> MethodRouter<App> {
    routing::patch(AnyHandler::new(handler))
}

pub fn post<T: 'static>(handler: impl Handler<T, App, Future = Answering>) -> MethodRouter<App> {
    routing::post(AnyHandler::new(handler))
}

pub fn put<T: 'static>(handler: impl Handler<T, App, Future = Answering>) -> MethodRouter<App> {
    routing::put(AnyHandler::new(handler))
}
