//! Content encodings for bodies that the shop caches and sends many times. Other responses are compressed by tower-http.

use std::io::Write;

use axum::http::{HeaderMap, header};

/// Fast enough for a page that is cached for seconds; assets are compressed at the highest level when they are built.
const BROTLI_QUALITY: i32 = 5;
const BROTLI_WINDOW: i32 = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// The best encoding that the client accepts.
    pub fn accepted(headers: &HeaderMap) -> Option<Self> {
        let given = headers.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
        let takes = |name: &str| {
            given.split(',').any(|entry| {
                let mut parts = entry.split(';').map(str::trim);
                parts.next().is_some_and(|coding| coding.eq_ignore_ascii_case(name))
                    && !parts.any(|part| matches!(part.strip_prefix("q="), Some("0" | "0.0" | "0.00" | "0.000")))
            })
        };
        if takes("br") {
            Some(Self::Brotli)
        } else if takes("gzip") {
            Some(Self::Gzip)
        } else {
            None
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    pub fn compress(self, plain: &[u8]) -> std::io::Result<Vec<u8>> {
        let mut out = Vec::with_capacity(plain.len() / 4);
        match self {
            Self::Brotli => {
                let params = brotli::enc::BrotliEncoderParams {
                    quality: BROTLI_QUALITY,
                    lgwin: BROTLI_WINDOW,
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &*plain, &mut out, &params)?;
            }
            Self::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(&mut out, flate2::Compression::default());
                encoder.write_all(plain)?;
                encoder.finish()?;
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::Encoding;

    #[test]
    fn the_best_accepted_encoding_wins() {
        let accepted = |value: &'static str| {
            Encoding::accepted(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]))
        };
        assert_eq!(accepted("gzip, deflate, br"), Some(Encoding::Brotli));
        assert_eq!(accepted("gzip, br;q=0"), Some(Encoding::Gzip));
        assert_eq!(accepted("identity"), None);
        assert_eq!(accepted("brotli"), None);
    }
}
