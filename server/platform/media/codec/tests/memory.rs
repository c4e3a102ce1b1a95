//! How much memory a photograph takes. A program of its own: all that its threads allocate is counted.

#![expect(unsafe_code, reason = "an allocator is unsafe; this one passes everything on to the system's")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use picture_codec::{Raster, encode_png, read_photo};

/// In bytes.
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static COUNTING: Counting = Counting;

struct Counting;

// The trait's other functions use these two.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(in_use, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(start, layout) }
    }
}

/// The bytes that are in use at most during the work, beside those before it.
fn most_in_use<T>(work: impl FnOnce() -> T) -> usize {
    let before = IN_USE.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    drop(work());
    MOST.load(Ordering::Relaxed) - before
}

#[test]
fn a_photograph_takes_less_than_eight_bytes_for_each_pixel() {
    const WIDTH: u16 = 5_000;
    const HEIGHT: u16 = 1_250;
    let pixels = usize::from(WIDTH) * usize::from(HEIGHT);
    let mut jpeg = Vec::new();
    jpeg_encoder::Encoder::new(&mut jpeg, 90)
        .encode(&vec![180; pixels * 3], WIDTH, HEIGHT, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    let translucent = Raster::new(WIDTH.into(), HEIGHT.into(), vec![180; pixels * 4]).unwrap();
    let png = encode_png(&translucent).unwrap();
    drop(translucent);
    for file in [jpeg, png] {
        let bytes = most_in_use(|| read_photo(&file).unwrap());
        assert!(bytes < pixels * 8, "{bytes} bytes for {pixels} pixels");
    }
}
