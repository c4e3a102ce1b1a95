//! Colors: phones write Display P3; browsers are told nothing and expect sRGB.

use qcms::{DataType, Intent, Profile, Transform};

use crate::Raster;

/// Where an ICC profile names its color space.
const COLOR_SPACE: std::ops::Range<usize> = 16..20;

/// Takes the picture from the colors of an ICC profile to sRGB. A profile that is not for red, green and blue, or that
/// cannot be read, changes nothing.
pub fn to_srgb(raster: &mut Raster, profile: &[u8]) {
    if profile.get(COLOR_SPACE) != Some(b"RGB ") {
        return;
    }
    let Some(input) = Profile::new_from_slice(profile, false) else { return };
    if let Some(transform) = Transform::new(&input, &Profile::new_sRGB(), DataType::RGBA8, Intent::Perceptual) {
        transform.apply(raster.rgba_mut());
    }
}
