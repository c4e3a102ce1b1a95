//! The built app embedded in the binary, and the licenses of its parts.

use shop_platform::web::site::{Bundle, Embedded};

include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// The output of `build.rs` for `app/`.
pub static BUNDLE: Bundle =
    Bundle { manifest: MANIFEST, samples: SAMPLES, snapshot: SNAPSHOT, source_map: SOURCE_MAP, files: FILES };

/// Served at `/licenses.txt`.
pub static LICENSES: &str = include_str!(concat!(env!("OUT_DIR"), "/licenses.txt"));
