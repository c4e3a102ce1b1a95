//! The orientation a camera stored with the picture (EXIF tag 0x0112).

use exif::{In, Reader, Tag};

use crate::{CodecError, Raster};

/// The EXIF value, 1 to 8: where the first row and the first column of the stored picture are displayed.
#[derive(Clone, Copy)]
pub struct Orientation(u32);

impl Orientation {
    /// Upright when there is no EXIF, or it cannot be read.
    pub fn from_exif(exif: Option<Vec<u8>>) -> Self {
        let value = exif
            .and_then(|exif| Reader::new().read_raw(without_prefix(exif)).ok())
            .and_then(|exif| exif.get_field(Tag::Orientation, In::PRIMARY)?.value.get_uint(0));
        Self(value.filter(|value| (1..=8).contains(value)).unwrap_or(1))
    }

    /// Rotates and mirrors the picture so that it is upright.
    pub fn upright(self, raster: Raster) -> Result<Raster, CodecError> {
        let Self(value) = self;
        if value == 1 {
            return Ok(raster);
        }
        let (stored_width, stored_height) = (raster.width() as usize, raster.height() as usize);
        let sideways = value >= 5;
        let (width, height) = if sideways { (stored_height, stored_width) } else { (stored_width, stored_height) };
        let (last_x, last_y) = (stored_width - 1, stored_height - 1);
        let (stored, mut rgba) = (raster.rgba(), Vec::with_capacity(raster.rgba().len()));
        for y in 0..height {
            for x in 0..width {
                let (from_x, from_y) = match value {
                    2 => (last_x - x, y),
                    3 => (last_x - x, last_y - y),
                    4 => (x, last_y - y),
                    5 => (y, x),
                    6 => (y, last_y - x),
                    7 => (last_x - y, last_y - x),
                    _ => (last_x - y, x),
                };
                let at = (from_y * stored_width + from_x) * 4;
                rgba.extend_from_slice(&stored[at..at + 4]);
            }
        }
        let (width, height) =
            if sideways { (raster.height(), raster.width()) } else { (raster.width(), raster.height()) };
        Raster::new(width, height, rgba)
    }
}

/// WebP files often have the prefix that only JPEG needs.
fn without_prefix(exif: Vec<u8>) -> Vec<u8> {
    exif.strip_prefix(b"Exif\0\0").map(<[u8]>::to_vec).unwrap_or(exif)
}
