//! The mailbox in a browser: received mail, newest first, and each message as a mail program would show it.

use std::fmt::Write;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Json, Response};
use axum::routing::get;
use shop_base::clock::timestamp;
use shop_base::html::Escaped;
use uuid::Uuid;

use super::store::{Message, Store};

const POLICY: &str = "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// A message runs no scripts, and its links open outside the sandbox.
const MESSAGE_POLICY: &str = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; \
                              style-src 'unsafe-inline'; img-src data: http: https:; frame-ancestors 'self'";

/// State of the pages.
#[derive(Clone)]
struct Shown {
    store: Arc<Store>,
    smtp: SocketAddr,
}

pub fn router(store: Arc<Store>, smtp: SocketAddr) -> Router {
    Router::new()
        .route("/", get(list))
        .route("/messages.json", get(json))
        .route("/messages/{id}", get(message))
        .route("/messages/{id}/html", get(html_part))
        .route("/messages/{id}/raw", get(raw))
        .route("/style.css", get(async || ([(header::CONTENT_TYPE, "text/css")], include_str!("style.css"))))
        .with_state(Shown { store, smtp })
}

enum Failure {
    NotFound,
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::NotFound => (StatusCode::NOT_FOUND, "Message not found.").into_response(),
            Self::Io(error) => {
                tracing::error!(%error, "the mailbox cannot be read");
                (StatusCode::INTERNAL_SERVER_ERROR, "The mailbox can’t be read.").into_response()
            }
        }
    }
}

async fn json(State(Shown { store, .. }): State<Shown>) -> Result<Json<Vec<Message>>, Failure> {
    Ok(Json(store.list().await?))
}

async fn list(State(Shown { store, smtp }): State<Shown>) -> Result<Response, Failure> {
    let messages = store.list().await?;
    let mut out = format!(
        "<h1>Mailbox</h1><p>Emails the demo shop has sent to <code>smtp://{smtp}</code>. <a href=\"/\">Refresh</a></p>"
    );
    if messages.is_empty() {
        out.push_str("<p class=\"empty\">No emails yet. Place an order, or send a test email from the admin area.</p>");
    } else {
        out.push_str("<table><thead><tr><th>Subject</th><th>To</th><th>Received (UTC)</th></tr></thead><tbody>");
        for each in &messages {
            let _ = write!(
                out,
                "<tr><td><a href=\"/messages/{}\">{}</a></td><td>{}</td><td>{}</td></tr>",
                each.id,
                Escaped(subject(each)),
                Escaped(&each.to.join(", ")),
                received(each)
            );
        }
        out.push_str("</tbody></table>");
    }
    Ok(document("Mailbox", &out))
}

async fn message(State(Shown { store, .. }): State<Shown>, Path(id): Path<Uuid>) -> Result<Response, Failure> {
    let message = store.find(id).await?.ok_or(Failure::NotFound)?;
    let mut out = format!(
        "<p><a href=\"/\">All messages</a> · <a href=\"/messages/{id}/raw\">Raw message</a></p><h1>{}</h1>\
         <dl><dt>From</dt><dd>{}</dd><dt>To</dt><dd>{}</dd><dt>Received (UTC)</dt><dd>{}</dd></dl>",
        Escaped(subject(&message)),
        Escaped(&message.from),
        Escaped(&message.to.join(", ")),
        received(&message)
    );
    if message.html.is_some() {
        let _ = write!(
            out,
            "<h2>HTML</h2><iframe title=\"HTML part\" sandbox=\"allow-popups allow-popups-to-escape-sandbox\" src=\"/messages/{id}/html\"></iframe>"
        );
    }
    if let Some(text) = &message.text {
        let _ = write!(out, "<h2>Text</h2><pre>{}</pre>", Escaped(text));
    }
    out.push_str("<h2>Headers</h2><table class=\"headers\"><tbody>");
    for (name, value) in &message.headers {
        let _ = write!(out, "<tr><th>{}</th><td>{}</td></tr>", Escaped(name), Escaped(value));
    }
    out.push_str("</tbody></table>");
    Ok(document(subject(&message), &out))
}

async fn html_part(State(Shown { store, .. }): State<Shown>, Path(id): Path<Uuid>) -> Result<Response, Failure> {
    let html = store.find(id).await?.and_then(|message| message.html).ok_or(Failure::NotFound)?;
    // Links open in a new tab, as in a mail program.
    let html = html.replacen("<head>", "<head><base target=\"_blank\">", 1);
    Ok(guarded(MESSAGE_POLICY, Html(html)))
}

async fn raw(State(Shown { store, .. }): State<Shown>, Path(id): Path<Uuid>) -> Result<Response, Failure> {
    let bytes = store.raw(id).await?.ok_or(Failure::NotFound)?;
    Ok(guarded(POLICY, ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], bytes)))
}

fn subject(message: &Message) -> &str {
    if message.subject.is_empty() { "(no subject)" } else { &message.subject }
}

fn received(message: &Message) -> String {
    timestamp(message.received_at).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

fn document(title: &str, body: &str) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><title>{}</title><link rel=\"stylesheet\" href=\"/style.css\"></head>\
         <body><main>{body}</main></body></html>",
        Escaped(title)
    );
    guarded(POLICY, Html(html))
}

fn guarded(policy: &'static str, body: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (HeaderName::from_static("referrer-policy"), HeaderValue::from_static("no-referrer")),
    ];
    (headers, body).into_response()
}
