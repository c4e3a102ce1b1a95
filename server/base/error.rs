//! All errors of requests, and the one place where status codes are chosen. Pages get the error page, calls get `application/problem+json`
//! (RFC 9457); details for the operator go to the log, never to the visitor.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::db::{DbError, WriteError};
use super::fields::FieldErrors;

#[derive(Clone, Debug)]
pub enum Error {
    /// What the request is about does not exist, or no longer does. For a page the outermost layer adds the address, see [`Error::at`].
    NotFound,
    /// The address names nothing.
    NoRoute {
        /// With its query, as requested.
        path: String,
    },
    /// A route matches but rejects the request: a malformed or unknown id, a page past the end.
    Refused {
        full_path: String,
    },
    /// It existed and will not come back.
    Gone {
        path: String,
    },
    MethodNotAllowed,
    /// Not signed in, or the access token is invalid.
    Unauthorized,
    /// The caller is signed in but lacks permission.
    Forbidden {
        detail: String,
    },
    /// The caller has permission but must authenticate again first.
    StaleSignIn,
    /// The caller has permission but must authenticate by another method first, such as a second factor.
    WeakSignIn,
    /// The body could not be read to its end: the client is gone, or what it sends is wrongly framed.
    CutOff,
    /// The body is not what the call expects.
    BadRequest {
        detail: String,
    },
    /// The request conflicts with the current state.
    Conflict {
        /// A stable code for programs.
        code: &'static str,
        detail: String,
    },
    /// The card was declined; another one may work.
    Declined {
        detail: String,
    },
    PayloadTooLarge {
        limit: usize,
    },
    UnsupportedMediaType {
        expected: &'static str,
    },
    Invalid {
        errors: FieldErrors,
    },
    TooManyRequests,
    /// Too many of this caller's cards were declined.
    TooManyCards,
    /// This node has as many files of staff in memory as it may.
    TooManyFiles,
    Timeout,
    /// The database is down, full or too busy, which is temporary. Logged when the response is sent.
    Unavailable {
        cause: String,
        /// The cause was a conflict with another transaction.
        contention: bool,
    },
    /// The store of pictures does not answer, which is temporary and already logged.
    StoreAway,
    /// Internal server error, already logged with its cause.
    Internal,
}

impl Error {
    /// Logs the cause for the operator; the visitor learns only that an error occurred.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(error = %cause, "a request failed");
        Self::Internal
    }

    pub fn invalid(field: &str, message: &str) -> Self {
        Self::Invalid { errors: FieldErrors::from([(field.to_owned(), vec![message.to_owned()])]) }
    }

    pub fn conflict(code: &'static str, detail: &str) -> Self {
        Self::Conflict { code, detail: detail.to_owned() }
    }

    /// The caller has not seen the latest change of `what`, such as `this order`.
    pub fn changed_meanwhile(what: &str) -> Self {
        let detail = format!("Someone else has changed {what}. Review the current version, then try again.");
        Self::conflict("changed_meanwhile", &detail)
    }

    /// The caller's role lacks permission.
    pub fn forbidden_role() -> Self {
        Self::Forbidden { detail: "Your account doesn’t have permission to do this.".to_owned() }
    }

    /// Adds the path of a page, with its query.
    #[must_use]
    pub fn at(self, path: String) -> Self {
        if let Self::NotFound = self { Self::NoRoute { path } } else { self }
    }

    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotFound | Self::NoRoute { .. } | Self::Refused { .. } => StatusCode::NOT_FOUND,
            Self::Gone { .. } => StatusCode::GONE,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Forbidden { .. } | Self::StaleSignIn | Self::WeakSignIn => StatusCode::FORBIDDEN,
            Self::CutOff | Self::BadRequest { .. } => StatusCode::BAD_REQUEST,
            Self::Conflict { .. } => StatusCode::CONFLICT,
            Self::Declined { .. } => StatusCode::PAYMENT_REQUIRED,
            Self::PayloadTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType { .. } => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Invalid { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooManyRequests | Self::TooManyCards => StatusCode::TOO_MANY_REQUESTS,
            Self::TooManyFiles | Self::Timeout | Self::Unavailable { .. } | Self::StoreAway => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The message on the error page.
    pub fn message(&self) -> String {
        match self {
            Self::NotFound => "This no longer exists. It may have been deleted.".to_owned(),
            Self::NoRoute { path } => format!("Page not found: {path}"),
            Self::Refused { full_path } => format!("Page Not Found: {full_path}"),
            Self::Gone { path } => format!("This page no longer exists: {path}"),
            Self::MethodNotAllowed => "This address doesn’t support that method.".to_owned(),
            Self::Unauthorized => "Sign in first.".to_owned(),
            Self::StaleSignIn => "Confirm it’s you: this requires a sign-in within the last 15 minutes.".to_owned(),
            Self::WeakSignIn => "Confirm it’s you: this requires a sign-in with a second factor.".to_owned(),
            Self::CutOff => "The request ended before its body was complete. Please try again.".to_owned(),
            Self::BadRequest { detail }
            | Self::Forbidden { detail }
            | Self::Conflict { detail, .. }
            | Self::Declined { detail } => detail.clone(),
            Self::PayloadTooLarge { limit } => format!("This is too large (limit: {}).", size(*limit)),
            Self::UnsupportedMediaType { expected } => format!("Send the request as {expected}."),
            Self::Invalid { .. } => "Some fields need to be corrected.".to_owned(),
            Self::TooManyRequests => "Too many requests. Try again in a minute.".to_owned(),
            Self::TooManyCards => "Too many cards were tried. Try again in an hour, or contact us.".to_owned(),
            Self::TooManyFiles => "Too many files are being uploaded. Please try again in a minute.".to_owned(),
            Self::Timeout => "The shop took too long to respond. Please try again.".to_owned(),
            Self::Unavailable { .. } => {
                "The shop isn’t available right now. Please try again in a few seconds.".to_owned()
            }
            Self::StoreAway => {
                "The image couldn’t be saved: image storage isn’t available. Please try again in a minute.".to_owned()
            }
            Self::Internal => "Internal Server Error".to_owned(),
        }
    }

    /// The message for whoever runs a command: also the cause, which visitors are not told.
    pub fn told(&self) -> String {
        match self {
            Self::Unavailable { cause, .. } => cause.clone(),
            error => error.message(),
        }
    }

    /// A stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound | Self::NoRoute { .. } | Self::Refused { .. } => "not_found",
            Self::Gone { .. } => "gone",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden { .. } => "forbidden",
            Self::StaleSignIn => "stale_sign_in",
            Self::WeakSignIn => "weak_sign_in",
            Self::CutOff | Self::BadRequest { .. } => "bad_request",
            Self::Conflict { code, .. } => code,
            Self::Declined { .. } => "declined",
            Self::PayloadTooLarge { .. } => "payload_too_large",
            Self::UnsupportedMediaType { .. } => "unsupported_media_type",
            Self::Invalid { .. } => "invalid",
            Self::TooManyRequests | Self::TooManyCards => "too_many_requests",
            Self::Timeout => "timeout",
            Self::TooManyFiles | Self::Unavailable { .. } | Self::StoreAway => "unavailable",
            Self::Internal => "internal",
        }
    }

    /// The response body of a failed call.
    pub fn problem(&self) -> Problem {
        let status = self.status();
        Problem {
            kind: "about:blank".to_owned(),
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            status: status.as_u16(),
            detail: self.message(),
            code: self.code().to_owned(),
            errors: match self {
                Self::Invalid { errors } => errors.clone(),
                _ => FieldErrors::new(),
            },
            request_id: None,
        }
    }

    /// The response to a call, with the id of its request if it has one.
    pub fn into_problem_response(self, request_id: Option<&str>) -> Response {
        let problem = Problem { request_id: request_id.map(str::to_owned), ..self.problem() };
        let body = serde_json::to_vec(&problem).unwrap_or_default();
        let content_type = HeaderValue::from_static("application/problem+json");
        let mut response = (self.status(), [(header::CONTENT_TYPE, content_type)], body).into_response();
        self.add_headers(&mut response);
        response
    }

    /// Headers that depend on the error, for problems and error pages alike.
    pub fn add_headers(&self, response: &mut Response) {
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let retry_after = match self {
            Self::TooManyRequests | Self::TooManyFiles | Self::Timeout | Self::StoreAway => Some("60"),
            Self::TooManyCards => Some("3600"),
            Self::Unavailable { .. } => Some("5"),
            _ => None,
        };
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(seconds));
        }
        if matches!(self, Self::Unauthorized) {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
    }
}

/// Problem details (RFC 9457) with a stable code and messages by field.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub status: u16,
    pub detail: String,
    /// A stable code for programs, such as `invalid`.
    pub code: String,
    /// Messages by field name, for invalid fields.
    #[schema(inline)]
    pub errors: FieldErrors,
    /// As in the header `x-request-id` and in the shop's log.
    pub request_id: Option<String>,
}

/// `64 KB`, `20 MB`
fn size(bytes: usize) -> String {
    const KB: usize = 1024;
    if bytes < KB * KB { format!("{} KB", bytes / KB) } else { format!("{} MB", bytes / (KB * KB)) }
}

impl From<DbError> for Error {
    fn from(error: DbError) -> Self {
        if error.is_passing() {
            Self::Unavailable { cause: error.to_string(), contention: error.is_contention() }
        } else if error.is_unstorable_text() {
            Self::BadRequest { detail: "The request contains a character that can’t be stored.".to_owned() }
        } else {
            Self::internal(error)
        }
    }
}

impl WriteError for Error {
    fn is_contention(&self) -> bool {
        matches!(self, Self::Unavailable { contention: true, .. })
    }
}

/// The response's extensions carry the error to the outermost layer, which knows whether the request was for a page or a call.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}
