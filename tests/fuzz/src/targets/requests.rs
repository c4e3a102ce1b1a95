//! Whole requests: whatever is asked, the shop answers, and not with an error of its own.

use std::fs;
use std::path::Path;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use libfuzzer_sys::Corpus;

use crate::shop::shop;

/// The seeds that are refused: a picture that is not there, a link and a logout token that do not hold.
const REFUSED: [(&str, u16); 3] = [("10", 404), ("confirm", 409), ("logout-of-provider", 400)];

/// Sends the seeds, in the order of their names. If one were refused, since its route or its form is not what it was, all that is made
/// of it would get no further either.
pub fn check_seeds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/requests");
    let mut seeds: Vec<_> = fs::read_dir(folder).unwrap().map(|seed| seed.unwrap().path()).collect();
    seeds.sort();
    for seed in seeds {
        let name = seed.file_name().unwrap().to_str().unwrap();
        let status = send(&fs::read(&seed).unwrap()).unwrap().as_u16();
        match REFUSED.into_iter().find(|(refused, _)| *refused == name) {
            Some((_, wanted)) => assert_eq!(status, wanted, "the seed {name}"),
            None => assert!(status < 400, "the seed {name} is answered with {status}"),
        }
    }
}

/// `{who} {method} {target}`, lines of headers, an empty line, the body. Staff only reads: what they change, such as settings, would
/// decide the answers to later inputs.
pub fn run(data: &[u8]) -> Corpus {
    send(data).map_or(Corpus::Reject, |_| Corpus::Keep)
}

/// The answer's status; none if the input is no request.
fn send(data: &[u8]) -> Option<StatusCode> {
    let end = data.windows(2).position(|pair| pair == b"\n\n").unwrap_or(data.len());
    let body = data.get(end + 2..).unwrap_or_default();
    let head = std::str::from_utf8(&data[..end]).ok()?;
    let mut lines = head.split('\n');
    let mut words = lines.next()?.splitn(3, ' ');
    let (who, method, target) = (words.next()?, words.next()?, words.next()?);
    let shop = shop();
    let cookie = match who {
        "guest" => String::new(),
        "shopper" => shop.shopper(),
        "owner" if matches!(method, "GET" | "HEAD") => shop.owner.clone(),
        _ => return None,
    };
    let mut request = Request::builder()
        .method(Method::from_bytes(method.as_bytes()).ok()?)
        .uri(target)
        .header("sec-fetch-site", "same-origin")
        .header(header::COOKIE, cookie);
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        request = request.header(name, value);
    }
    let request = request.body(Body::from(body.to_vec())).ok().filter(|_| target.starts_with('/'))?;
    let answer = shop.send(request);
    if who == "shopper" && answer.ends_session {
        shop.sign_in_again();
    }
    Some(answer.status)
}
