//! Picture codecs: bytes in, pixels, bytes out; no files, no network, no threads.
//!
//! [`read_photo`] is the only entry point for an untrusted JPEG, PNG or WebP: its limits are checked before memory is allocated.
//! [`Drawing`] takes the project's own SVG. Both become a [`Raster`], which the encoders take.

mod avif;
mod decode;
mod drawing;
mod encode;
mod orientation;
mod profile;
mod raster;

pub use avif::encode_avif;
pub use decode::{MASTER_SIDE, MAX_BYTES, MAX_PIXELS, MAX_SIDE, MIN_SIDE, read_photo, read_webp};
pub use drawing::Drawing;
pub use encode::{encode_jpeg, encode_png, encode_webp, encode_webp_lossless};
pub use raster::Raster;

/// Why a picture was rejected or not encoded. All but `Encoder` are errors of the input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    #[error("the picture must be a JPEG, a PNG or a still WebP")]
    UnknownFormat,
    #[error("the file is larger than {} MB", MAX_BYTES / 1_000_000)]
    TooManyBytes,
    #[error("a picture of {width} × {height} pixels is too large")]
    TooManyPixels { width: u32, height: u32 },
    #[error("a picture of {width} × {height} pixels is too small")]
    TooFewPixels { width: u32, height: u32 },
    #[error("a picture of {width} × {height} pixels is too narrow")]
    TooNarrow { width: u32, height: u32 },
    #[error("the file is damaged: {0}")]
    Damaged(String),
    #[error("the drawing is not usable: {0}")]
    Drawing(String),
    #[error("the {encoder} encoder failed: {cause}")]
    Encoder { encoder: &'static str, cause: String },
}

impl CodecError {
    fn damaged(cause: impl std::fmt::Display) -> Self {
        Self::Damaged(cause.to_string())
    }

    fn encoder(encoder: &'static str, cause: impl std::fmt::Debug) -> Self {
        Self::Encoder { encoder, cause: format!("{cause:?}") }
    }
}
