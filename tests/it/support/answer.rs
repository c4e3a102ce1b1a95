//! A response with its body, and helpers for assertions.

use axum::body::to_bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde_json::Value;

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub async fn read(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Self { status: parts.status, headers: parts.headers, body }
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {}", self.text()))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The HTML that React rendered.
    pub fn root(&self) -> &str {
        let text = self.text();
        let start = text.find("<div id=\"root\">").expect("a document") + "<div id=\"root\">".len();
        let end = text.rfind("</div><script type=\"application/json\" id=\"page\">").expect("an envelope");
        &text[start..end]
    }

    /// The envelope inside the document.
    pub fn envelope(&self) -> Value {
        let text = self.text();
        let mark = "<script type=\"application/json\" id=\"page\">";
        let start = text.find(mark).expect("an envelope") + mark.len();
        let end = start + text[start..].find("</script>").unwrap();
        serde_json::from_str(&text[start..end]).unwrap()
    }

    pub fn assert_status(&self, status: u16) -> &Self {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.body));
        self
    }

    pub fn assert_problem(&self, status: u16, code: &str) -> &Self {
        self.assert_status(status);
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(self.json()["code"], code);
        assert_eq!(self.json()["status"], status);
        self
    }
}
