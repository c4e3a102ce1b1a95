//! Lets the shop's own pages call the API on another host. No other origin is ever allowed.

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shop_base::context::Context;

/// Around everything; does nothing unless `SHOP_API_BASE` is set.
pub async fn allow_shop(State(cx): State<Context>, request: Request, next: Next) -> Response {
    let http = &cx.config.http;
    let is_call = request.uri().path().starts_with("/api/");
    if http.api_base.is_none() || !is_call {
        return next.run(request).await;
    }
    let origin = http.shop_origin();
    let is_shop = request.headers().get(header::ORIGIN).is_some_and(|given| *given == *origin);
    let is_preflight =
        request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if is_preflight { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    if let (true, Ok(origin)) = (is_shop, HeaderValue::try_from(origin)) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
        if is_preflight {
            let methods = HeaderValue::from_static("GET, POST, PATCH, PUT, DELETE");
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
            let allowed = HeaderValue::from_static("content-type, authorization, idempotency-key");
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
            headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
        }
    }
    response
}
