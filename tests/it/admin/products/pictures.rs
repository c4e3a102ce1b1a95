//! Uploaded files are untrusted.

use axum::http::StatusCode;

use super::desk::{Desk, plain_picture};
use crate::support::TestShop;

/// A PNG that declares its size and contains no data.
fn hollow_png(width: u32, height: u32) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([8, 6, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    file.extend(13_u32.to_be_bytes());
    file.extend(&header);
    file.extend(crc(&header).to_be_bytes());
    file
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

pub async fn pictures_are_made_anew_or_refused(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"100\"><script>alert(1)</script></svg>";
    let mut moving = plain_picture(1, 80);
    // The header flag for animation.
    let chunk = [b"VP8X".as_slice(), &10_u32.to_le_bytes(), &[2, 0, 0, 0, 79, 0, 0, 79, 0, 0]].concat();
    moving.splice(12..12, chunk);
    for (content_type, file, status) in [
        ("image/svg+xml", svg.as_bytes().to_vec(), 415),
        ("text/html", plain_picture(1, 80), 415),
        ("image/png", svg.as_bytes().to_vec(), 422),
        ("image/png", hollow_png(60_000, 60_000), 422),
        ("image/png", hollow_png(15_000, 15_000), 422),
        ("image/png", hollow_png(100, 100), 422),
        ("image/jpeg", b"GIF89a<script>alert(1)</script>".to_vec(), 422),
        ("image/webp", moving, 422),
        ("image/webp", plain_picture(1, 20), 422),
        ("image/jpeg", Vec::new(), 422),
        ("image/png", vec![0x89; 20 * 1024 * 1024 + 1], 413),
    ] {
        let length = file.len();
        let answer = desk.send("pictures", content_type, file).await;
        assert_eq!(answer.status.as_u16(), status, "{content_type}, {length} bytes: {}", answer.text());
        assert_eq!(answer.header("content-type"), "application/problem+json");
    }
    assert_eq!(desk.count("SELECT COUNT(*) FROM audit_entries").await, 0);

    // A polyglot file: only the picture is kept.
    let mut polyglot = plain_picture(7, 80);
    polyglot.extend(b"PK\x03\x04<script>alert('smuggled')</script>");
    let answer = desk.send("pictures", "image/webp", polyglot).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    let key = answer.json()["key"].as_str().unwrap().to_owned();
    assert_eq!(key, desk.picture(7).await, "the same pixels are the same picture");
    let kept = desk.shop.app.config.data.folder.join("pictures").join(format!("{key}.webp"));
    let kept = std::fs::read(kept).unwrap();
    assert!(!kept.windows(8).any(|part| part == b"smuggled"));
    let shown = desk.shop.get(&format!("/images/{key}-160.webp")).await;
    assert_eq!((shown.status, shown.header("content-type")), (StatusCode::OK, "image/webp"));
    assert_eq!(desk.count("SELECT COUNT(*) FROM audit_entries WHERE action = 'picture.upload'").await, 2);
}
