//! The codec's public interface: what it accepts, produces and rejects.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use picture_codec::*;

/// A picture whose four corners identify its orientation: red, green / blue, white.
fn corners(width: u32, height: u32) -> Raster {
    let pixel = |x: u32, y: u32| match (x < width / 2, y < height / 2) {
        (true, true) => [200, 0, 0, 255],
        (false, true) => [0, 200, 0, 255],
        (true, false) => [0, 0, 200, 255],
        (false, false) => [255, 255, 255, 255],
    };
    let rgba = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y))).collect();
    Raster::new(width, height, rgba).unwrap()
}

fn rgb(raster: &Raster) -> Vec<u8> {
    raster.rgba().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect()
}

/// A JPEG, with EXIF and an ICC profile when given.
fn jpeg(raster: &Raster, progressive: bool, exif: Option<&[u8]>, profile: Option<&[u8]>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut out, 95);
    encoder.set_progressive(progressive);
    if let Some(exif) = exif {
        encoder.add_exif_metadata(exif).unwrap();
    }
    if let Some(profile) = profile {
        encoder.add_icc_profile(profile).unwrap();
    }
    let (width, height) = (raster.width() as u16, raster.height() as u16);
    encoder.encode(&rgb(raster), width, height, jpeg_encoder::ColorType::Rgb).unwrap();
    out
}

fn png(width: u32, height: u32, color: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    out
}

fn rgba_png(raster: &Raster) -> Vec<u8> {
    png(raster.width(), raster.height(), png::ColorType::Rgba, png::BitDepth::Eight, raster.rgba())
}

/// A TIFF block that holds an orientation, a camera's name and a place.
fn exif(orientation: u16) -> Vec<u8> {
    let mut out = b"MM\0\x2a\0\0\0\x08\0\x02".to_vec();
    out.extend([0x01, 0x0f, 0, 2, 0, 0, 0, 15, 0, 0, 0, 38]);
    out.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation as u8, 0, 0]);
    out.extend([0; 4]);
    out.extend(b"SECRET-CAMERA!\0");
    out
}

/// An ICC profile with sRGB's red and green swapped.
fn swapped_profile() -> Vec<u8> {
    let fixed = |value: f64| ((value * 65_536.0).round() as i32).to_be_bytes();
    let xyz = |x, y, z| [b"XYZ \0\0\0\0".as_slice(), &fixed(x), &fixed(y), &fixed(z)].concat();
    let curve = [b"curv\0\0\0\0\0\0\0\x01".as_slice(), &[2, 0x33, 0, 0]].concat();
    let tags: [(&[u8; 4], Vec<u8>); 7] = [
        (b"wtpt", xyz(0.9642, 1.0, 0.8249)),
        (b"rXYZ", xyz(0.3851, 0.7169, 0.0971)),
        (b"gXYZ", xyz(0.4361, 0.2225, 0.0139)),
        (b"bXYZ", xyz(0.1431, 0.0606, 0.7141)),
        (b"rTRC", curve.clone()),
        (b"gTRC", curve.clone()),
        (b"bTRC", curve),
    ];
    let (mut table, mut data) = ((tags.len() as u32).to_be_bytes().to_vec(), Vec::new());
    let start = 128 + 4 + tags.len() * 12;
    for (name, content) in &tags {
        table.extend(*name);
        table.extend(((start + data.len()) as u32).to_be_bytes());
        table.extend((content.len() as u32).to_be_bytes());
        data.extend(content);
    }
    let mut header = vec![0; 128];
    header[0..4].copy_from_slice(&((start + data.len()) as u32).to_be_bytes());
    header[8] = 2;
    header[12..24].copy_from_slice(b"mntrRGB XYZ ");
    header[36..40].copy_from_slice(b"acsp");
    [header, table, data].concat()
}

/// The pixel in the middle of a quadrant of the picture.
fn quarter(raster: &Raster, right: bool, lower: bool) -> [u8; 3] {
    let at = |length: u32, far: bool| (if far { length * 3 / 4 } else { length / 4 }) as usize;
    let index = (at(raster.height(), lower) * raster.width() as usize + at(raster.width(), right)) * 4;
    raster.rgba()[index..index + 3].try_into().unwrap()
}

#[track_caller]
fn assert_near(actual: [u8; 3], expected: [u8; 3]) {
    let near = actual.iter().zip(expected).all(|(&a, b)| a.abs_diff(b) <= 8);
    assert!(near, "{actual:?} is not near {expected:?}");
}

const RED: [u8; 3] = [200, 0, 0];
const GREEN: [u8; 3] = [0, 200, 0];
const BLUE: [u8; 3] = [0, 0, 200];
const WHITE: [u8; 3] = [255, 255, 255];

#[test]
fn reads_every_kind_of_photograph() {
    let picture = corners(128, 96);
    let gray: Vec<u8> = vec![90; 128 * 96];
    let files = [
        jpeg(&picture, false, None, None),
        jpeg(&picture, true, None, None),
        rgba_png(&picture),
        png(128, 96, png::ColorType::Rgb, png::BitDepth::Eight, &rgb(&picture)),
        encode_webp(&picture).unwrap(),
        encode_webp_lossless(&picture).unwrap(),
    ];
    for file in files {
        let read = read_photo(&file).unwrap();
        assert_eq!((read.width(), read.height()), (128, 96));
        let found = [(false, false), (true, false), (false, true), (true, true)].map(|(x, y)| quarter(&read, x, y));
        for (found, expected) in found.into_iter().zip([RED, GREEN, BLUE, WHITE]) {
            assert_near(found, expected);
        }
    }
    let mut gray_jpeg = Vec::new();
    jpeg_encoder::Encoder::new(&mut gray_jpeg, 95).encode(&gray, 128, 96, jpeg_encoder::ColorType::Luma).unwrap();
    let gray_png = png(128, 96, png::ColorType::Grayscale, png::BitDepth::Eight, &gray);
    let deep_png = png(128, 96, png::ColorType::Grayscale, png::BitDepth::Sixteen, &[90; 128 * 96 * 2]);
    for file in [gray_jpeg, gray_png, deep_png] {
        assert_near(quarter(&read_photo(&file).unwrap(), false, false), [90, 90, 90]);
    }
}

#[test]
fn reads_a_jpeg_in_printers_colors() {
    let mut file = Vec::new();
    let ink: Vec<u8> = [0, 0, 0, 255].repeat(128 * 96);
    jpeg_encoder::Encoder::new(&mut file, 95).encode(&ink, 128, 96, jpeg_encoder::ColorType::Cmyk).unwrap();
    let read = read_photo(&file).unwrap();
    assert!(read.is_opaque());
    assert_eq!((read.width(), read.height()), (128, 96));
    assert_near(quarter(&read, false, false), [0, 0, 0]);
}

#[test]
fn stands_a_photograph_upright() {
    // Where the stored red, green, blue and white corners are displayed: [upper left, upper right, lower left, lower right].
    let seen = [
        (1, [RED, GREEN, BLUE, WHITE]),
        (2, [GREEN, RED, WHITE, BLUE]),
        (3, [WHITE, BLUE, GREEN, RED]),
        (4, [BLUE, WHITE, RED, GREEN]),
        (5, [RED, BLUE, GREEN, WHITE]),
        (6, [BLUE, RED, WHITE, GREEN]),
        (7, [WHITE, GREEN, BLUE, RED]),
        (8, [GREEN, WHITE, RED, BLUE]),
    ];
    for (orientation, expected) in seen {
        let read = read_photo(&jpeg(&corners(128, 96), false, Some(&exif(orientation)), None)).unwrap();
        let size = if orientation < 5 { (128, 96) } else { (96, 128) };
        assert_eq!((read.width(), read.height()), size, "orientation {orientation}");
        let found = [(false, false), (true, false), (false, true), (true, true)].map(|(x, y)| quarter(&read, x, y));
        for (found, expected) in found.into_iter().zip(expected) {
            assert_near(found, expected);
        }
    }
}

#[test]
fn takes_colors_to_srgb() {
    let read = read_photo(&jpeg(&corners(128, 96), false, None, Some(&swapped_profile()))).unwrap();
    let (was_red, was_green) = (quarter(&read, false, false), quarter(&read, true, false));
    assert!(was_red[1] > 180 && was_red[0] < 40, "{was_red:?}");
    assert!(was_green[0] > 180 && was_green[1] < 40, "{was_green:?}");
    let garbage = read_photo(&jpeg(&corners(128, 96), false, None, Some(&[7; 200]))).unwrap();
    assert_near(quarter(&garbage, false, false), RED);
}

#[test]
fn keeps_transparency() {
    let half: Vec<u8> =
        (0..96 * 128).flat_map(|i| if i % 128 < 64 { [200, 0, 0, 255] } else { [0, 0, 0, 0] }).collect();
    let picture = Raster::new(128, 96, half).unwrap();
    let read = read_photo(&rgba_png(&picture)).unwrap();
    assert!(!read.is_opaque());
    let stored = read_webp(&encode_webp_lossless(&read).unwrap()).unwrap();
    assert!(!stored.is_opaque());
    assert_near(read_photo(&encode_jpeg(&stored).unwrap()).map(|seen| quarter(&seen, true, false)).unwrap(), WHITE);
    // AVIF keeps it as a second picture.
    let with_alpha = encode_avif(&stored).unwrap();
    assert!(with_alpha.windows(4).any(|window| window == b"auxl"));
    assert!(!encode_avif(&corners(128, 96)).unwrap().windows(4).any(|window| window == b"auxl"));
}

#[test]
fn what_is_transparent_has_no_color() {
    let edge = (0..96 * 128).flat_map(|i| if i % 128 < 65 { [200, 0, 0, 255] } else { [0, 0, 0, 0] }).collect();
    let small = Raster::new(128, 96, edge).unwrap().shrunk_to_width(64).unwrap();
    let seen: Vec<&[u8]> = small.rgba().chunks_exact(4).filter(|pixel| pixel[3] > 32).collect();
    assert!(seen.iter().any(|pixel| pixel[3] < 224), "there is an edge");
    assert!(seen.iter().all(|pixel| pixel[0] > 180), "it is not darker");
}

#[test]
fn keeps_nothing_but_pixels() {
    let file = jpeg(&corners(128, 96), false, Some(&exif(1)), None);
    let hidden = b"SECRET-CAMERA!";
    assert!(file.windows(hidden.len()).any(|window| window == hidden));
    let stored = encode_webp_lossless(&read_photo(&file).unwrap()).unwrap();
    assert!(!stored.windows(hidden.len()).any(|window| window == hidden));
    // Data appended to the picture is dropped, too.
    let polyglot = [rgba_png(&corners(128, 96)), b"<script>alert(1)</script>".to_vec()].concat();
    let stored = encode_webp_lossless(&read_photo(&polyglot).unwrap()).unwrap();
    assert!(!stored.windows(7).any(|window| window == b"<script"));
}

#[test]
fn a_lossless_picture_comes_back_as_it_was() {
    let noise = (0..128_u32 * 96).flat_map(|i| [(i * 7) as u8, (i * 13 / 5) as u8, (i / 3) as u8, 255]).collect();
    let picture = Raster::new(128, 96, noise).unwrap();
    assert!(read_webp(&encode_webp_lossless(&picture).unwrap()).unwrap() == picture);
}

#[test]
fn keeps_no_more_than_is_needed() {
    let large = Raster::new(3_000, 1_000, vec![180; 3_000 * 1_000 * 4]).unwrap();
    let read = read_photo(&rgba_png(&large)).unwrap();
    assert_eq!((read.width(), read.height()), (MASTER_SIDE, 853));
}

#[test]
fn refuses_what_is_not_a_photograph() {
    let gif = b"GIF89a\x01\0\x01\0\0\0\0;".as_slice();
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"100\"/>".as_slice();
    let html = b"<!doctype html><script>alert(1)</script>".as_slice();
    let avif = &encode_avif(&corners(64, 64)).unwrap();
    // A picture inside another kind of file.
    let wrapped = &[gif, &rgba_png(&corners(64, 64))].concat();
    for file in [gif, svg, html, avif, wrapped, b"", b"\xff\xd8"] {
        assert_eq!(read_photo(file).err(), Some(CodecError::UnknownFormat));
    }
}

#[test]
fn refuses_sizes_out_of_bounds() {
    let bomb = with_size(rgba_png(&corners(64, 64)), 60_000, 60_000);
    assert_eq!(read_photo(&bomb).err(), Some(CodecError::TooManyPixels { width: 60_000, height: 60_000 }));
    let large = with_size(rgba_png(&corners(64, 64)), 10_000, 10_000);
    assert_eq!(read_photo(&large).err(), Some(CodecError::TooManyPixels { width: 10_000, height: 10_000 }));
    let small = rgba_png(&corners(63, 64));
    assert_eq!(read_photo(&small).err(), Some(CodecError::TooFewPixels { width: 63, height: 64 }));
    let narrow = rgba_png(&corners(64, 257));
    assert_eq!(read_photo(&narrow).err(), Some(CodecError::TooNarrow { width: 64, height: 257 }));
    let mut jpeg_bomb = jpeg(&corners(64, 64), false, None, None);
    let header = jpeg_bomb.windows(2).position(|window| window == [0xff, 0xc0]).unwrap();
    for side in [10_000_u16, 20_000, u16::MAX] {
        jpeg_bomb[header + 5..header + 9].copy_from_slice(&[side.to_be_bytes(), side.to_be_bytes()].concat());
        let (width, height) = (u32::from(side), u32::from(side));
        assert_eq!(read_photo(&jpeg_bomb).err(), Some(CodecError::TooManyPixels { width, height }));
    }
    assert_eq!(read_photo(&vec![0xff; MAX_BYTES + 1]).err(), Some(CodecError::TooManyBytes));
}

/// A PNG whose header states another size.
fn with_size(mut png: Vec<u8>, width: u32, height: u32) -> Vec<u8> {
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    let checksum = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&checksum.to_be_bytes());
    png
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

#[test]
fn refuses_torn_files() {
    let picture = corners(256, 256);
    let files = [
        jpeg(&picture, false, None, None),
        jpeg(&picture, true, None, None),
        rgba_png(&picture),
        encode_webp(&picture).unwrap(),
        encode_webp_lossless(&picture).unwrap(),
    ];
    for (number, file) in files.iter().enumerate() {
        for part in [12, file.len() / 4, file.len() / 2, file.len() * 9 / 10] {
            let read = read_photo(&file[..part]);
            assert!(matches!(read, Err(CodecError::Damaged(_))), "file {number} cut after {part} bytes");
        }
    }
}

#[test]
fn survives_damage() {
    let picture = corners(96, 96);
    let files = [
        jpeg(&picture, false, Some(&exif(6)), Some(&swapped_profile())),
        jpeg(&picture, true, None, None),
        rgba_png(&picture),
        encode_webp(&picture).unwrap(),
        encode_webp_lossless(&picture).unwrap(),
    ];
    for file in files {
        for at in (0..file.len()).step_by(file.len().div_ceil(97)) {
            for value in [0, 0x7f, 0xff] {
                let mut damaged = file.clone();
                damaged[at] = value;
                // Both outcomes are fine, as long as it neither crashes nor exhausts the memory.
                let _ = read_photo(&damaged);
            }
        }
    }
}

#[test]
fn never_enlarges() {
    let picture = corners(200, 150);
    assert_eq!(picture.clone().shrunk_to_width(960).unwrap().width(), 200);
    let small = picture.shrunk_to_width(160).unwrap();
    assert_eq!((small.width(), small.height()), (160, 120));
}

const SQUARE: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" width="400" height="400">
<rect width="400" height="400" fill="#00c800"/><rect width="200" height="200" fill="#c80000"/></svg>"##;

#[test]
fn draws_at_any_width() {
    let drawing = Drawing::parse(SQUARE).unwrap();
    assert_eq!((drawing.width(), drawing.height()), (400, 400));
    for width in [160, 1280] {
        let raster = drawing.raster(width).unwrap();
        assert_eq!((raster.width(), raster.height()), (width, width));
        assert_near(quarter(&raster, false, false), RED);
        assert_near(quarter(&raster, true, true), GREEN);
    }
}

#[test]
fn a_drawing_reads_no_files() {
    let folder = std::env::temp_dir();
    let file = folder.join(format!("picture-codec-{}.svg", std::process::id()));
    std::fs::write(&file, SQUARE).unwrap();
    let outside = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" fill="#ffffff"/>
        <image href="{}" width="400" height="400"/></svg>"##,
        file.display()
    );
    let raster = Drawing::parse(&outside).unwrap().raster(160).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(quarter(&raster, false, false), WHITE);
}

#[test]
fn refuses_what_is_not_a_drawing() {
    for text in ["", "<html/>", "<svg", "<svg xmlns='http://www.w3.org/2000/svg' width='0' height='1'/>"] {
        assert!(matches!(Drawing::parse(text), Err(CodecError::Drawing(_))), "{text}");
    }
    let huge = SQUARE.replace("width=\"400\" height=\"400\">\n", "width=\"99999\" height=\"99999\">\n");
    assert!(matches!(Drawing::parse(&huge), Err(CodecError::TooManyPixels { .. })));
}

#[test]
fn encodes_the_same_bytes_every_time() {
    let picture = Drawing::parse(SQUARE).unwrap().raster(160).unwrap();
    for encode in [encode_avif, encode_webp, encode_webp_lossless, encode_jpeg] {
        assert_eq!(encode(&picture).unwrap(), encode(&picture).unwrap());
    }
}

#[test]
fn png_keeps_every_pixel() {
    let picture = corners(97, 64);
    assert!(read_photo(&encode_png(&picture).unwrap()).unwrap() == picture);
}

#[test]
fn avif_files_state_their_size() {
    // Odd sides too: colors are stored at half size, rounded up.
    for (width, height) in [(160, 160), (161, 97), (16, 16)] {
        let file = encode_avif(&corners(width, height)).unwrap();
        assert_eq!(&file[4..12], b"ftypavif");
        let property = file.windows(4).position(|window| window == b"ispe").unwrap() + 8;
        assert_eq!(file[property..property + 4], width.to_be_bytes());
        assert_eq!(file[property + 4..property + 8], height.to_be_bytes());
    }
}
