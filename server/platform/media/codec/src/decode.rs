//! Decodes untrusted photographs: recognized by their first bytes, sized by their header, and only then decoded.

use std::io::Cursor;

use image_webp::WebPDecoder;
use png::Transformations;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use crate::orientation::Orientation;
use crate::profile::to_srgb;
use crate::{CodecError, Raster};

/// The largest file accepted, in bytes.
pub const MAX_BYTES: usize = 25_000_000;
/// The largest picture accepted, in pixels. A JPEG takes seven bytes for each, a progressive one up to nine, in
/// printers' colors eleven.
pub const MAX_PIXELS: u64 = 50_000_000;
/// The longest side accepted, in pixels.
pub const MAX_SIDE: u32 = 16_000;
/// The shortest side accepted, in pixels.
pub const MIN_SIDE: u32 = 64;
/// Maximum ratio of the longer to the shorter side. It keeps every rendition above the 16 pixels that AV1 needs.
const MAX_RATIO: u32 = 4;
/// The longest side kept, in pixels: twice the widest rendition.
pub const MASTER_SIDE: u32 = 2_560;

/// Real progressive photographs have about ten; each costs a pass over the whole picture.
const MAX_JPEG_SCANS: usize = 32;
/// How much memory a PNG decoder may use for its tables and one row, in bytes.
const PNG_WORKING_BYTES: usize = 64_000_000;

/// The contents of a file as stored.
struct Decoded {
    raster: Raster,
    orientation: Orientation,
    /// The ICC profile of its colors; none means sRGB.
    profile: Option<Vec<u8>>,
}

/// Decodes an untrusted JPEG, PNG or still WebP: upright, in sRGB, no side above [`MASTER_SIDE`]. Only pixels are kept.
///
/// # Errors
/// Says what is wrong with the file, in words for whoever uploaded it.
pub fn read_photo(bytes: &[u8]) -> Result<Raster, CodecError> {
    if bytes.len() > MAX_BYTES {
        return Err(CodecError::TooManyBytes);
    }
    let decoded = match bytes {
        [0xff, 0xd8, 0xff, ..] => decode_jpeg(bytes),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => decode_png(bytes),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => decode_webp(bytes),
        _ => Err(CodecError::UnknownFormat),
    }?;
    // Shrink first: color conversion and rotation then cost less.
    let mut raster = decoded.raster.shrunk_to_side(MASTER_SIDE)?;
    if let Some(profile) = decoded.profile {
        to_srgb(&mut raster, &profile);
    }
    decoded.orientation.upright(raster)
}

/// Decodes a WebP that this crate wrote.
pub fn read_webp(bytes: &[u8]) -> Result<Raster, CodecError> {
    Ok(decode_webp(bytes)?.raster)
}

/// Rejects pictures that are too large, too small or too narrow.
pub(crate) fn check_size(width: u32, height: u32) -> Result<(), CodecError> {
    let (shorter, longer) = (width.min(height), width.max(height));
    if longer > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_PIXELS {
        Err(CodecError::TooManyPixels { width, height })
    } else if shorter < MIN_SIDE {
        Err(CodecError::TooFewPixels { width, height })
    } else if longer > shorter * MAX_RATIO {
        Err(CodecError::TooNarrow { width, height })
    } else {
        Ok(())
    }
}

fn decode_jpeg(bytes: &[u8]) -> Result<Decoded, CodecError> {
    // Strict: a truncated file is an error, not a picture that ends in gray. Sides of any length that the format can have: `check_size`
    // refuses them with their size, before anything is decoded.
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_max_scans(MAX_JPEG_SCANS)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    decoder.decode_headers().map_err(CodecError::damaged)?;
    let info = decoder.info().ok_or_else(|| CodecError::damaged("no header"))?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    check_size(width, height)?;
    let rgb = decoder.decode().map_err(CodecError::damaged)?;
    Ok(Decoded {
        raster: Raster::new(width, height, opaque(&rgb))?,
        orientation: Orientation::from_exif(decoder.exif().cloned()),
        profile: decoder.icc_profile(),
    })
}

fn decode_png(bytes: &[u8]) -> Result<Decoded, CodecError> {
    let limits = png::Limits { bytes: PNG_WORKING_BYTES };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    decoder.set_ignore_text_chunk(true);
    let (width, height) = decoder.read_header_info().map_err(CodecError::damaged)?.size();
    check_size(width, height)?;
    let mut reader = decoder.read_info().map_err(CodecError::damaged)?;
    let size = reader.output_buffer_size().ok_or_else(|| CodecError::damaged("no size"))?;
    let mut pixels = vec![0; size];
    reader.next_frame(&mut pixels).map_err(CodecError::damaged)?;
    let rgba = match reader.output_color_type().0 {
        png::ColorType::Rgba => pixels,
        png::ColorType::GrayscaleAlpha => pixels.chunks_exact(2).flat_map(|p| [p[0], p[0], p[0], p[1]]).collect(),
        other => return Err(CodecError::damaged(format!("unexpected pixels: {other:?}"))),
    };
    let info = reader.info();
    Ok(Decoded {
        raster: Raster::new(width, height, rgba)?,
        orientation: Orientation::from_exif(info.exif_metadata.as_ref().map(|exif| exif.to_vec())),
        profile: info.icc_profile.as_ref().map(|profile| profile.to_vec()),
    })
}

fn decode_webp(bytes: &[u8]) -> Result<Decoded, CodecError> {
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(CodecError::damaged)?;
    decoder.set_memory_limit(MAX_BYTES);
    if decoder.is_animated() {
        return Err(CodecError::UnknownFormat);
    }
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let size = decoder.output_buffer_size().ok_or_else(|| CodecError::damaged("no size"))?;
    let mut pixels = vec![0; size];
    decoder.read_image(&mut pixels).map_err(CodecError::damaged)?;
    let rgba = if decoder.has_alpha() { pixels } else { opaque(&pixels) };
    Ok(Decoded {
        raster: Raster::new(width, height, rgba)?,
        orientation: Orientation::from_exif(decoder.exif_metadata().map_err(CodecError::damaged)?),
        profile: decoder.icc_profile().map_err(CodecError::damaged)?,
    })
}

/// Red, green and blue with full alpha.
fn opaque(rgb: &[u8]) -> Vec<u8> {
    rgb.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], u8::MAX]).collect()
}
