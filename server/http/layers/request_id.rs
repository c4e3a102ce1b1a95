//! The id of a request: in the log, in the response's `x-request-id`, in problems, and on the page of a server error, so that what a visitor
//! reports can be found in the log.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName};

const NAME: HeaderName = HeaderName::from_static("x-request-id");
/// A UUID has 36.
const LONGEST: usize = 64;

/// The id, which is there once the request is in the log.
pub fn request_id(headers: &HeaderMap) -> Option<&str> {
    headers.get(NAME)?.to_str().ok()
}

/// Drops an id that cannot be a proxy's, so that it gets a new one: it is written to the log and to pages.
pub async fn accept_request_id(mut request: Request) -> Request {
    let is_sound = |id: &str| {
        (1..=LONGEST).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    if !request_id(request.headers()).is_some_and(is_sound) {
        request.headers_mut().remove(NAME);
    }
    request
}
