//! Uploaded files are untrusted.

use std::net::SocketAddr;

use axum::http::StatusCode;
use shop::serve::{Stop, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::desk::{Desk, plain_picture};
use crate::support::TestShop;
use crate::support::program::LIMIT;

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

/// Begins to send a file, with what the shop says first: to go on, or why not.
async fn begin(shop: SocketAddr, head: &str) -> (TcpStream, String) {
    let mut sender = TcpStream::connect(shop).await.unwrap();
    sender.write_all(head.as_bytes()).await.unwrap();
    let mut said = [0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
    timeout(LIMIT, sender.read_exact(&mut said)).await.expect("it says something").unwrap();
    (sender, String::from_utf8_lossy(&said).into_owned())
}

/// A node has few files in memory, however many are sent at the same time and however slowly.
pub async fn a_file_takes_its_place_before_it_is_sent(shop: TestShop) {
    let desk = Desk::start(&shop).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, told) = oneshot::channel::<()>();
    let server = tokio::spawn(serve(desk.shop.app.clone(), listener.into(), async move {
        let _ = told.await;
        Stop::Now
    }));
    let cookie = desk.cookie().await;
    let sheet = b"Handle,Title\nno-such-rack,A rack\n".to_vec();
    for (path, content_type, file, places, done) in
        [("pictures", "image/webp", plain_picture(8, 80), 5, 201), ("products/imports", "text/csv", sheet, 2, 202)]
    {
        let head = format!(
            "POST /api/admin/{path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\nSec-Fetch-Site: same-origin\r\n\
             Content-Type: {content_type}\r\nContent-Length: {}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
            file.len()
        );
        let mut senders = Vec::new();
        for _ in 0..places {
            let (sender, said) = begin(address, &head).await;
            assert!(said.starts_with("HTTP/1.1 100 "), "{path}: {said}");
            senders.push(sender);
        }
        let (_, said) = begin(address, &head).await;
        assert!(said.starts_with("HTTP/1.1 503 "), "{path}: {said}");
        desk.send(path, content_type, file.clone()).await.assert_problem(503, "unavailable");
        for mut sender in senders {
            sender.write_all(&file).await.unwrap();
            let mut answer = String::new();
            timeout(LIMIT, sender.read_to_string(&mut answer)).await.expect("it is answered").unwrap();
            assert!(answer.starts_with(&format!("HTTP/1.1 {done} ")), "{path}: {answer}");
        }
        desk.send(path, content_type, file).await.assert_status(done);
    }
    stop.send(()).unwrap();
    timeout(LIMIT, server).await.expect("it ends").unwrap().unwrap();
}
