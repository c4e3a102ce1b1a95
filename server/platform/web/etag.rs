//! Versions that clients may have already.

use axum::http::{HeaderMap, header};

/// Whether the client already has the version with this tag (`If-None-Match`, compared weakly as RFC 9110 requires). It is asked for each
/// kept page, so it copies nothing.
pub fn is_known(request: &HeaderMap, etag: &[u8]) -> bool {
    request
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .map(<[u8]>::trim_ascii)
        .any(|given| given == b"*" || opaque(given) == opaque(etag))
}

/// The tag without its mark of weakness.
fn opaque(tag: &[u8]) -> &[u8] {
    tag.strip_prefix(b"W/").unwrap_or(tag)
}
