//! Pictures that staff upload.

use libfuzzer_sys::Corpus;
use picture_codec::{Drawing, read_photo, read_webp};

pub fn run(data: &[u8]) -> Corpus {
    let is_photo = read_photo(data).is_ok();
    let is_webp = read_webp(data).is_ok();
    let drawing = std::str::from_utf8(data).ok().and_then(|svg| Drawing::parse(svg).ok());
    if let Some(drawing) = &drawing {
        assert!(drawing.width() > 0 && drawing.height() > 0);
        let _ = drawing.raster(64);
    }
    if is_photo || is_webp || drawing.is_some() || data.len() < 4_096 { Corpus::Keep } else { Corpus::Reject }
}
