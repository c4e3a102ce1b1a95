//! WebP for browsers without AVIF and for masters, JPEG for the crawlers of social networks, PNG for icons.

use jpeg_encoder::{ColorType, SamplingFactor};
use webp::{Encoder, WebPConfig};

use crate::{CodecError, Raster};

/// Of 100.
const WEBP_QUALITY: f32 = 78.0;
/// Of 6: 4 comes within a few percent of 6, in two thirds of the time.
const WEBP_METHOD: i32 = 4;
/// Effort out of 100.
const LOSSLESS_EFFORT: f32 = 30.0;
const LOSSLESS_METHOD: i32 = 2;
/// Of 100.
const JPEG_QUALITY: u8 = 82;

/// A lossy WebP.
pub fn encode_webp(raster: &Raster) -> Result<Vec<u8>, CodecError> {
    webp(raster, |config| {
        config.quality = WEBP_QUALITY;
        config.method = WEBP_METHOD;
    })
}

/// A WebP with exactly the pixels of the raster, except where they are fully transparent.
pub fn encode_webp_lossless(raster: &Raster) -> Result<Vec<u8>, CodecError> {
    webp(raster, |config| {
        config.lossless = 1;
        config.quality = LOSSLESS_EFFORT;
        config.method = LOSSLESS_METHOD;
    })
}

fn webp(raster: &Raster, set: impl FnOnce(&mut WebPConfig)) -> Result<Vec<u8>, CodecError> {
    let mut config = WebPConfig::new().map_err(|()| CodecError::encoder("WebP", "no configuration"))?;
    set(&mut config);
    let encoded = Encoder::from_rgba(raster.rgba(), raster.width(), raster.height()).encode_advanced(&config);
    Ok(encoded.map_err(|cause| CodecError::encoder("WebP", cause))?.to_vec())
}

/// A progressive JPEG, on white where the raster is transparent.
pub fn encode_jpeg(raster: &Raster) -> Result<Vec<u8>, CodecError> {
    let side = |length: u32| u16::try_from(length).map_err(|cause| CodecError::encoder("JPEG", cause));
    let mut out = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut out, JPEG_QUALITY);
    encoder.set_progressive(true);
    encoder.set_optimized_huffman_tables(true);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder
        .encode(&raster.rgb_over_white(), side(raster.width())?, side(raster.height())?, ColorType::Rgb)
        .map_err(|cause| CodecError::encoder("JPEG", cause))?;
    Ok(out)
}

/// A PNG with exactly the pixels of the raster.
pub fn encode_png(raster: &Raster) -> Result<Vec<u8>, CodecError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, raster.width(), raster.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(raster.rgba()))
        .map_err(|cause| CodecError::encoder("PNG", cause))?;
    Ok(out)
}
