//! The built app embedded in the binary, and the licenses of its parts.

use axum::body::Bytes;
use shop_platform::web::site::{Bundle, Embedded, File};

include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// The output of `build.rs` for `app/`.
pub static BUNDLE: Bundle =
    Bundle { manifest: MANIFEST, samples: SAMPLES, snapshot: SNAPSHOT, source_map: SOURCE_MAP, files: FILES };

/// Served at `/licenses.txt`.
pub static LICENSES: File = File {
    plain: Bytes::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/licenses.txt"))),
    brotli: Some(Bytes::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/licenses.txt.br")))),
    gzip: Some(Bytes::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/licenses.txt.gz")))),
};
