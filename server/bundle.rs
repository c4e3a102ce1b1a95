//! The built app embedded in the binary.

use shop_platform::web::site::{Bundle, Embedded};

include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// The output of `build.rs` for `app/`.
pub static BUNDLE: Bundle =
    Bundle { manifest: MANIFEST, samples: SAMPLES, snapshot: SNAPSHOT, source_map: SOURCE_MAP, files: FILES };
