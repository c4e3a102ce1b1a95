//! Color conversion: phones write Display P3; browsers get no profile and assume sRGB.

use qcms::{DataType, Intent, Profile, Transform};

use crate::Raster;

/// Position of the color space in an ICC profile.
const COLOR_SPACE: std::ops::Range<usize> = 16..20;

/// Converts the picture from the colors of an ICC profile to sRGB. A profile that is not RGB or cannot be read changes nothing.
pub fn to_srgb(raster: &mut Raster, profile: &[u8]) {
    if profile.get(COLOR_SPACE) != Some(b"RGB ") {
        return;
    }
    let Some(input) = Profile::new_from_slice(profile, false) else { return };
    if let Some(transform) = Transform::new(&input, &Profile::new_sRGB(), DataType::RGBA8, Intent::Perceptual) {
        transform.apply(raster.rgba_mut());
    }
}
