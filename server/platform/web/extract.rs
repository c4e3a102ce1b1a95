//! What handlers extract from a request. Malformed input is answered with a clear error, never a 500.

use std::error::Error as _;
use std::str::FromStr;

use axum::body::to_bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRef, FromRequest, FromRequestParts, Path, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use http_body_util::LengthLimitError;
use serde::de::DeserializeOwned;
use shop_base::context::Context;
use shop_base::error::Error;
use uuid::Uuid;

use super::{csrf, strict};

/// The suffix with which client navigation requests a page's envelope.
pub const PAYLOAD: &str = "/_payload.json";

/// The largest body that a call accepts, in bytes.
pub const BODY_LIMIT: usize = 64 * 1024;

/// The requested address, without the envelope's suffix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub path: String,
    /// Raw, without the question mark.
    pub query: String,
    /// Whether the envelope is requested as JSON instead of a document.
    pub payload: bool,
}

impl Asked {
    pub fn of(uri: &Uri) -> Self {
        let query = uri.query().unwrap_or_default().to_owned();
        match uri.path().strip_suffix(PAYLOAD) {
            Some("") => Self { path: "/".to_owned(), query, payload: true },
            Some(path) => Self { path: path.to_owned(), query, payload: true },
            None => Self { path: uri.path().to_owned(), query, payload: false },
        }
    }

    /// Path and query as requested.
    pub fn full_path(&self) -> String {
        if self.query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, self.query) }
    }

    /// An address in the requested form: the document's own, or its envelope's.
    pub fn address(&self, href: &str) -> String {
        if !self.payload {
            return href.to_owned();
        }
        let (path, query) = href.split_once('?').unwrap_or((href, ""));
        let path = path.trim_end_matches('/');
        if query.is_empty() { format!("{path}{PAYLOAD}") } else { format!("{path}{PAYLOAD}?{query}") }
    }

    /// The path with letters, digits and hyphens as themselves if some are percent-encoded, which is the same path (RFC 3986, section 6.2.2.2).
    pub fn decoded_path(&self) -> Option<String> {
        let mut parts = self.path.split('%');
        let mut decoded = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            match decoded_start(part) {
                Some((character, rest)) => {
                    decoded.push(character);
                    decoded.push_str(rest);
                }
                None => {
                    decoded.push('%');
                    decoded.push_str(part);
                }
            }
        }
        (decoded != self.path).then_some(decoded)
    }

    /// The first value of a query parameter.
    pub fn parameter(&self, name: &str) -> Option<String> {
        form_urlencoded::parse(self.query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    /// Whether a query parameter is given more than once.
    pub fn is_repeated(&self, name: &str) -> bool {
        form_urlencoded::parse(self.query.as_bytes()).filter(|(key, _)| key == name).nth(1).is_some()
    }

    /// The first value of a call's query parameter, which must be valid if it is given.
    pub fn value<T: FromStr>(&self, name: &str) -> Result<Option<T>, Error> {
        let parse = |text: String| text.parse().map_err(|_| Error::invalid(name, "This isn’t a valid value."));
        self.parameter(name).map(parse).transpose()
    }

    /// The version that the caller of a deletion saw.
    pub fn version(&self) -> Result<i64, Error> {
        self.value("version")?.ok_or_else(|| Error::invalid("version", "Required."))
    }

    /// A route matches this path but rejects it.
    pub fn refused(&self) -> Error {
        Error::Refused { full_path: self.full_path() }
    }

    pub fn is_api(&self) -> bool {
        self.path == "/api" || self.path.starts_with("/api/") || self.path.starts_with("/webhooks/")
    }
}

/// What follows a percent sign: the letter, digit or hyphen that its first two digits stand for, and the rest.
fn decoded_start(text: &str) -> Option<(char, &str)> {
    let (code, rest) = text.split_at_checked(2)?;
    let character = char::from(u8::from_str_radix(code, 16).ok()?);
    (character.is_ascii_alphanumeric() || character == '-').then_some((character, rest))
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&parts.uri))
    }
}

/// The one parameter of a path: lower-case words joined by hyphens (a handle, a slug) or a UUID, which is the same in capital letters.
#[derive(Clone, Debug)]
pub struct Slug(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Slug {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let value: Result<Path<String>, PathRejection> = Path::from_request_parts(parts, state).await;
        let lowered = |value: String| if Uuid::try_parse(&value).is_ok() { value.to_ascii_lowercase() } else { value };
        match value.map(|Path(value)| lowered(value)) {
            Ok(value) if is_handle(&value) => Ok(Self(value)),
            _ => Err(Asked::of(&parts.uri).refused()),
        }
    }
}

fn is_handle(value: &str) -> bool {
    (1..=120).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// The parameters of a path; the route refuses values that cannot be parsed.
async fn path_of<T: DeserializeOwned + Send, S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<T, Error> {
    let value: Result<Path<T>, PathRejection> = Path::from_request_parts(parts, state).await;
    value.map(|Path(value)| value).map_err(|_| Asked::of(&parts.uri).refused())
}

/// The one parameter of a path: a UUID.
#[derive(Clone, Copy, Debug)]
pub struct Id(pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        path_of(parts, state).await.map(Self)
    }
}

/// Both parameters of a path: a UUID each.
#[derive(Clone, Copy, Debug)]
pub struct TwoIds(pub Uuid, pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for TwoIds {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        path_of(parts, state).await.map(|(first, second)| Self(first, second))
    }
}

/// The one parameter of a path: the number of an order or a draft order.
#[derive(Clone, Debug)]
pub struct Number(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Number {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        path_of(parts, state).await.map(Self)
    }
}

/// Both parameters of a path: an order's number, and the id of something that belongs to it.
#[derive(Clone, Debug)]
pub struct NumberAndId(pub String, pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for NumberAndId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        path_of(parts, state).await.map(|(number, id)| Self(number, id))
    }
}

/// The one parameter of a path: a name defined by the shop, such as a kind of mail.
#[derive(Clone, Debug)]
pub struct Key(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Key {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        path_of(parts, state).await.map(Self)
    }
}

/// A file name as the last part of a path. The route refuses anything that cannot be one.
#[derive(Clone, Debug)]
pub struct FileName(pub String);

impl<S: Send + Sync> FromRequestParts<S> for FileName {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let name: String = path_of(parts, state).await?;
        let is_plain = |name: &String| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
        if is_plain(&name) { Ok(Self(name)) } else { Err(Asked::of(&parts.uri).refused()) }
    }
}

/// A JSON body of limited size, in bytes.
#[derive(Debug)]
pub struct Json<T, const LIMIT: usize = BODY_LIMIT>(pub T);

impl<S: Send + Sync, T: DeserializeOwned, const LIMIT: usize> FromRequest<S> for Json<T, LIMIT> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Self::Rejection> {
        require(request.headers(), "application/json")?;
        let body = read_body(request, LIMIT).await?;
        let not_json =
            |error: serde_json::Error| Error::BadRequest { detail: format!("The body isn’t valid JSON: {error}") };
        strict::from_value(serde_json::from_slice(&body).map_err(not_json)?).map(Self)
    }
}

/// A form of limited size that is posted by the shop's own pages. Those of other sites are refused.
#[derive(Debug)]
pub struct OwnForm<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for OwnForm<T>
where
    Context: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        csrf::check(&Context::from_ref(state).config.http, request.headers())?;
        read_form(request).await.map(Self)
    }
}

/// A form of limited size that anybody may post, also another site: for handlers that decide themselves whom they believe.
#[derive(Debug)]
pub struct Form<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Form<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Self::Rejection> {
        read_form(request).await.map(Self)
    }
}

async fn read_form<T: DeserializeOwned>(request: Request) -> Result<T, Error> {
    require(request.headers(), "application/x-www-form-urlencoded")?;
    let body = read_body(request, BODY_LIMIT).await?;
    serde_urlencoded::from_bytes(&body)
        .map_err(|error| Error::BadRequest { detail: format!("The form is malformed: {error}") })
}

fn require(headers: &HeaderMap, expected: &'static str) -> Result<(), Error> {
    if content_type(headers) == expected { Ok(()) } else { Err(Error::UnsupportedMediaType { expected }) }
}

/// The whole body, of at most `limit` bytes.
pub async fn read_body(request: Request, limit: usize) -> Result<bytes::Bytes, Error> {
    to_bytes(request.into_body(), limit).await.map_err(|error| match error.source() {
        Some(cause) if cause.is::<LengthLimitError>() => Error::PayloadTooLarge { limit },
        _ => Error::CutOff,
    })
}

/// The body's declared content type, without parameters, in lower case.
pub fn content_type(headers: &HeaderMap) -> String {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::Asked;

    #[test]
    fn an_envelope_is_asked_for_by_its_suffix() {
        let asked = |uri: &str| Asked::of(&uri.parse().expect("a valid address"));
        assert_eq!(asked("/_payload.json").path, "/");
        assert!(asked("/product/pipe/_payload.json?variant=A").payload);
        assert_eq!(asked("/product/pipe/_payload.json?variant=A").full_path(), "/product/pipe?variant=A");
        assert_eq!(asked("/_payload.json").address("/"), "/_payload.json");
        assert_eq!(asked("/products/_payload.json").address("/products?page=2"), "/products/_payload.json?page=2");
        assert_eq!(asked("/products").address("/products?page=2"), "/products?page=2");
    }

    #[test]
    fn a_path_has_one_spelling() {
        let decoded = |uri: &str| Asked::of(&uri.parse().expect("a valid address")).decoded_path();
        assert_eq!(decoded("/product/%6fld%2Dpipe%20%37/_payload.json").as_deref(), Some("/product/old-pipe%207"));
        for plain in ["/product/old-pipe", "/product/a%20b%2Fc%2e%FF", "/product/%2", "/product/%zz%"] {
            assert_eq!(decoded(plain), None, "{plain}");
        }
    }
}
