//! Pixels in memory.

use fast_image_resize::images::Image;
use fast_image_resize::{FilterType, MulDiv, PixelType, ResizeAlg, ResizeOptions, Resizer};

use crate::CodecError;

/// sRGB pixels, 8 bits per channel, red green blue alpha, alpha not premultiplied; rows from the top without padding.
#[derive(Clone, PartialEq, Eq)]
pub struct Raster {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl Raster {
    /// # Errors
    /// When `rgba` does not hold exactly `width × height` pixels, or none.
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Result<Self, CodecError> {
        let expected = u64::from(width) * u64::from(height) * 4;
        if expected == 0 || rgba.len() as u64 != expected {
            return Err(CodecError::damaged("the pixels do not fill the picture"));
        }
        Ok(Self { width, height, rgba })
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    pub(crate) fn rgba_mut(&mut self) -> &mut [u8] {
        &mut self.rgba
    }

    pub fn is_opaque(&self) -> bool {
        self.rgba.iter().skip(3).step_by(4).all(|&alpha| alpha == u8::MAX)
    }

    /// Red, green and blue, composited on white.
    pub(crate) fn rgb_over_white(&self) -> Vec<u8> {
        let over_white = |channel: u8, alpha: u8| {
            let (channel, alpha) = (u32::from(channel), u32::from(alpha));
            ((channel * alpha + 255 * (255 - alpha) + 127) / 255) as u8
        };
        self.rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]].map(|channel| over_white(channel, p[3]))).collect()
    }

    /// The picture scaled to `width` pixels, keeping its proportions. A narrower one stays as it is: enlarging adds bytes, not detail.
    pub fn shrunk_to_width(self, width: u32) -> Result<Self, CodecError> {
        if width >= self.width {
            return Ok(self);
        }
        let height = scaled(self.height, width, self.width);
        self.resized(width, height)
    }

    /// The picture scaled so that no side is longer than `side` pixels.
    pub fn shrunk_to_side(self, side: u32) -> Result<Self, CodecError> {
        let longer = self.width.max(self.height);
        if longer <= side {
            return Ok(self);
        }
        let (width, height) = (scaled(self.width, side, longer), scaled(self.height, side, longer));
        self.resized(width, height)
    }

    fn resized(mut self, width: u32, height: u32) -> Result<Self, CodecError> {
        let mut source = Image::from_slice_u8(self.width, self.height, &mut self.rgba, PixelType::U8x4)
            .map_err(CodecError::damaged)?;
        let mut target = Image::new(width, height, PixelType::U8x4);
        // A color counts as much as it is opaque. The resizer itself would multiply them in a copy of the whole picture.
        let alpha = MulDiv::new();
        alpha.multiply_alpha_inplace(&mut source).map_err(CodecError::damaged)?;
        let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).use_alpha(false);
        Resizer::new().resize(&source, &mut target, &options).map_err(CodecError::damaged)?;
        alpha.divide_alpha_inplace(&mut target).map_err(CodecError::damaged)?;
        Self::new(width, height, target.into_vec())
    }
}

/// `length × numerator ÷ denominator`, rounded, at least 1.
pub(crate) fn scaled(length: u32, numerator: u32, denominator: u32) -> u32 {
    let (length, numerator, denominator) = (u64::from(length), u64::from(numerator), u64::from(denominator).max(1));
    u32::try_from((length * numerator + denominator / 2) / denominator).unwrap_or(u32::MAX).max(1)
}
