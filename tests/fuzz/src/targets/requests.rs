//! Whole requests: whatever is asked, the shop answers, and not with an error of its own.

use axum::body::Body;
use axum::http::{Method, Request, header};
use libfuzzer_sys::Corpus;

use crate::shop::shop;

/// `{who} {method} {target}`, lines of headers, an empty line, the body. Staff only reads: what they change, such as settings, would
/// decide the answers to later inputs.
pub fn run(data: &[u8]) -> Corpus {
    let end = data.windows(2).position(|pair| pair == b"\n\n").unwrap_or(data.len());
    let body = data.get(end + 2..).unwrap_or_default();
    let Ok(head) = std::str::from_utf8(&data[..end]) else { return Corpus::Reject };
    let mut lines = head.split('\n');
    let mut words = lines.next().unwrap_or_default().splitn(3, ' ');
    let (Some(who), Some(method), Some(target)) = (words.next(), words.next(), words.next()) else {
        return Corpus::Reject;
    };
    let shop = shop();
    let cookie = match who {
        "guest" => "",
        "shopper" => &shop.shopper,
        "owner" if matches!(method, "GET" | "HEAD") => &shop.owner,
        _ => return Corpus::Reject,
    };
    let Ok(method) = Method::from_bytes(method.as_bytes()) else { return Corpus::Reject };
    let mut request = Request::builder()
        .method(method)
        .uri(target)
        .header("sec-fetch-site", "same-origin")
        .header(header::COOKIE, cookie);
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        request = request.header(name, value);
    }
    match request.body(Body::from(body.to_vec())) {
        Ok(request) if target.starts_with('/') => drop(shop.send(request)),
        _ => return Corpus::Reject,
    }
    Corpus::Keep
}
