//! Small things that many pictures share: the house mark, labels, cigars, tobacco, holes, knurls.

use super::canvas::{Canvas, N, d};
use super::materials::{TILT, bar, speckle};
use super::palette::{BRASS, Color, Dice, PAPER, TOBACCO};

/// A leaf of `size` with its midrib, its stalk at `x, y`, growing up before it is turned by `angle` degrees.
pub fn leaf(c: &mut Canvas, (x, y): (f32, f32), size: f32, angle: f32, color: Color) {
    let paint = c.linear(
        (0.0, 0.0),
        (1.0, 0.6),
        &[
            (0.0, color.light(0.3), 1.0),
            (0.5, color, 1.0),
            (0.52, color.shade(0.2), 1.0),
            (1.0, color.shade(0.32), 1.0),
        ],
    );
    c.stamp(d!("translate({} {})rotate({})scale({})", x, y, angle, size / 100.0), |c| {
        c.path("M0 0C-34 -20 -36 -66 0 -100C36 -66 34 -20 0 0Z", paint);
        c.line("M0 12C-2 -20 2 -60 0 -92", color.shade(0.45), 3.0, 0.8);
        c.line(
            "M0 -24L-16 -42M0 -24L17 -40M0 -46L-17 -64M0 -46L17 -62M0 -66L-10 -80M0 -66L10 -79",
            color.shade(0.4),
            2.0,
            0.5,
        );
    });
}

/// The house mark: a leaf in two rings, in one flat ink.
pub fn mark(c: &mut Canvas, (x, y): (f32, f32), size: f32, ink: Color) {
    if c.outlining() {
        return;
    }
    c.stamp(d!("translate({} {})scale({})", x, y, size / 100.0), |c| {
        c.ring((0.0, 0.0), (50.0, 50.0), ink, 5.0, 0.95);
        c.ring((0.0, 0.0), (41.0, 41.0), ink, 2.0, 0.9);
        c.glaze("M0 30C-26 14 -26 -14 0 -32C26 -14 26 14 0 30ZM-1.5 36V-18H1.5V12L12 2V6L1.5 16V36ZM-1.5 4L-12 -6V-2L-1.5 8Z", ink, 0.95);
    });
}

/// A printed paper label: frame, mark and lines that stand for words. Its middle is `x, y`.
pub fn label(c: &mut Canvas, (x, y): (f32, f32), (width, height): (f32, f32), ink: Color) {
    c.details(|c| {
        let paper = Color::hex(PAPER);
        let sheet = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, paper.light(0.4), 1.0), (1.0, paper.shade(0.1), 1.0)]);
        c.rect((x - width / 2.0, y - height / 2.0), (width, height), 5.0, sheet);
        let inset = width.min(height) * 0.07;
        let frame = d!(
            "M{} {}h{}v{}h{}z",
            x - width / 2.0 + inset,
            y - height / 2.0 + inset,
            width - 2.0 * inset,
            height - 2.0 * inset,
            2.0 * inset - width
        );
        c.line(frame, ink, 3.0, 0.85);
        let size = width.min(height) * 0.4;
        let top = y - height * 0.13;
        mark(c, (x, top), size, ink);
        let (half, line) = (width * 0.26, height * 0.075);
        let below = top + size * 0.72;
        c.line(d!("M{} {}h{}", x - half, below, half * 2.0), ink, line.min(11.0), 0.9);
        c.line(d!("M{} {}h{}", x - half * 0.62, below + line * 1.7, half * 1.24), ink, line.min(11.0) * 0.5, 0.7);
    });
}

/// A cigar lying along the x axis from its foot at the left; `x, y` is its middle.
pub fn cigar(c: &mut Canvas, (x, y): (f32, f32), (length, radius): (f32, f32), angle: f32) {
    let wrapper = Color::hex("#7d4b2a");
    c.stamp(d!("translate({} {})rotate({})", x, y, angle), |c| {
        let paint = bar(c, wrapper);
        let (l, r) = (length / 2.0, radius);
        c.path(
            d!(
                "M{} {}H{}C{} {} {} {} {} 0C{} {} {} {} {} {}H{}z",
                -l,
                -r,
                l - r * 1.6,
                l - r * 0.5,
                -r,
                l,
                -r * 0.6,
                l,
                l,
                r * 0.6,
                l - r * 0.5,
                r,
                l - r * 1.6,
                r,
                -l
            ),
            paint,
        );
        if c.outlining() {
            return;
        }
        let foot = Color::hex(TOBACCO);
        c.ellipse((-l, 0.0), (r * 0.34, r), foot.shade(0.2));
        c.ring((-l, 0.0), (r * 0.2, r * 0.6), foot.light(0.4), 2.5, 0.6);
        c.line(
            d!(
                "M{} {}q{} {} {} {}M{} {}q{} {} {} {}",
                -l * 0.6,
                -r,
                r * 0.5,
                r,
                r * 0.2,
                r * 2.0,
                l * 0.05,
                -r,
                r * 0.5,
                r,
                r * 0.2,
                r * 2.0
            ),
            wrapper.shade(0.5),
            2.0,
            0.5,
        );
        let (red, gold) = (bar(c, Color::hex("#8d2f24")), bar(c, Color::hex(BRASS)));
        c.rect((l * 0.42, -r - 1.0), (r * 1.3, r * 2.0 + 2.0), 1.0, gold);
        c.rect((l * 0.42 + r * 0.16, -r - 1.0), (r * 0.98, r * 2.0 + 2.0), 0.0, red);
        c.circle((l * 0.42 + r * 0.65, -r * 0.15), r * 0.34, Color::hex(BRASS).light(0.4));
    });
}

/// Loose cut tobacco inside an ellipse around `x, y`.
pub fn tobacco(c: &mut Canvas, dice: &mut Dice, (x, y): (f32, f32), (rx, ry): (f32, f32), color: Color) {
    let (mut dark, mut pale, mut mid) = (String::new(), String::new(), String::new());
    for index in 0..48 {
        let (turn, far) = (dice.between(0.0, std::f32::consts::TAU), dice.between(0.0, 1.0).sqrt());
        let (px, py) = (x + rx * far * turn.cos(), y + ry * far * turn.sin());
        let shred = d!(
            "M{} {}q{} {} {} {}",
            px,
            py,
            dice.between(-16.0, 16.0),
            dice.between(-14.0, 4.0),
            dice.between(-30.0, 30.0),
            dice.between(-10.0, 10.0)
        );
        match index % 3 {
            0 => dark.push_str(&shred),
            1 => mid.push_str(&shred),
            _ => pale.push_str(&shred),
        }
    }
    c.ellipse((x, y), (rx, ry), color.shade(0.35));
    c.details(|c| {
        c.line(dark, color.shade(0.6), 7.0, 1.0);
        c.line(mid, color, 6.0, 1.0);
        c.line(pale, color.light(0.25), 5.0, 1.0);
    });
}

/// A round hole to append to a path that runs clockwise.
pub fn hole((x, y): (f32, f32), (rx, ry): (f32, f32)) -> String {
    d!("M{} {}a{} {} 0 1 0 {} 0a{} {} 0 1 0 {} 0z", x - rx, y, rx, ry, 2.0 * rx, rx, ry, -2.0 * rx)
}

/// The fine upright ribs around a cylinder's wall.
pub fn knurl(c: &mut Canvas, x: f32, (top, bottom): (f32, f32), radius: f32, color: Color) {
    if c.outlining() {
        return;
    }
    let (mut dark, mut pale) = (String::new(), String::new());
    for index in -15..=15 {
        let turn = index as f32 * 0.098;
        let (across, sag) = (turn.sin() * radius, turn.cos() * radius * TILT);
        dark.push_str(&d!("M{} {}v{}", across, sag, bottom - top));
        pale.push_str(&d!("M{} {}v{}", across + turn.cos() * radius * 0.03, sag, bottom - top));
    }
    c.stamp(d!("translate({} {})", x, top), |c| {
        c.line(dark, color.shade(0.7), radius * 0.022, 0.5);
        c.line(pale, color.light(0.6), radius * 0.014, 0.4);
    });
}

/// A stopper or block of cork: its paint and its flecks over `shape`.
pub fn cork(c: &mut Canvas, shape: &str) {
    let color = Color::hex("#c59a68");
    let (paint, flecks) = (super::materials::round(c, color), speckle(c, color));
    c.path(shape, paint);
    c.glaze(shape, flecks, 0.9);
}

/// The lower front half of an ellipse band at height `y`: for stripes around a round body.
pub fn hoop(x: f32, y: f32, radius: f32) -> String {
    d!("M{} {}A{} {} 0 0 0 {} {}", x - radius, y, radius, radius * TILT, x + radius, y)
}
