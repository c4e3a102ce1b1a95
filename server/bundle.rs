//! The built app inside the binary.

use shop_platform::web::site::{Bundle, Embedded};

include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// What `build.rs` has made of `app/`.
pub static BUNDLE: Bundle =
    Bundle { manifest: MANIFEST, samples: SAMPLES, snapshot: SNAPSHOT, source_map: SOURCE_MAP, files: FILES };
