//! A table box for cigarettes.

use super::canvas::{Canvas, N, d};
use super::materials::{Cuboid, Look, ball, bar, glint, grain, lit, metal_bar, plate};
use super::palette::{CEDAR, Color};

/// A box on four balls, its lid up: two compartments of cigarettes on cedar.
pub fn cigarettes(c: &mut Canvas, look: &Look) {
    let (color, cedar) = (look.color, Color::hex(CEDAR));
    let (w, h, depth) = (640.0, 190.0, 380.0);
    let chest = Cuboid { at: (-30.0, -34.0), width: w, height: h, depth };
    chest.contact(c);
    let foot = ball(c, color);
    for (u, v) in [(0.04, 0.04), (0.96, 0.04), (0.97, 0.95)] {
        let (x, y) = chest.point(u, v, 0.0);
        c.circle((x, y + 8.0), 28.0, &foot);
    }
    let (x, y) = chest.point(0.0, 1.0, 1.0);
    c.transformed(d!("matrix(.95 .1 .09 .94 {} {})", x - 26.0, y - 296.0), |c| lid(c, look, (w, 312.0), cedar));
    chest.solid(c, color);
    let face = plate(c, color);
    chest.front(c, |c| {
        let shape = d!("M0 0H{}V{}H0Z", w, h);
        c.path(&shape, face);
        look.texture(c, &shape, (0.0, 0.0, w, h));
        c.line(d!("M26 30H{}V{}H26Z", w - 26.0, h - 26.0), color.shade(0.6), 4.0, 0.5);
        c.line(d!("M29 33H{}V{}", w - 30.0, h - 30.0), color.light(0.7), 3.0, 0.5);
        c.line(d!("M2 4H{}", w - 2.0), color.light(0.8), 5.0, 0.8);
    });
    chest.top(c, |c| compartments(c, look, (w, depth), cedar));
}

/// The lid from inside, lined with cedar, and the hinge along its foot.
fn lid(c: &mut Canvas, look: &Look, (w, h): (f32, f32), cedar: Color) {
    let color = look.color;
    let (rim, lining, hinge) = (plate(c, color), lit(c, cedar), metal_bar(c, color));
    c.rect((0.0, 0.0), (w, h), 5.0, rim);
    c.details(|c| {
        let well = d!("M24 24H{}V{}H24Z", w - 24.0, h - 20.0);
        c.path(&well, lining);
        c.inside(&well, |c| grain(c, &mut look.dice(), (24.0, 24.0, w - 48.0, h - 44.0), cedar));
        c.glaze(d!("M24 24H{}V46H46V{}H24Z", w - 24.0, h - 20.0), "#1d120d", 0.3);
        c.line(d!("M4 4H{}", w - 4.0), color.light(0.8), 5.0, 0.8);
    });
    c.rect((0.0, h - 20.0), (w, 22.0), 10.0, hinge);
}

/// Two rows of cigarettes in a well of cedar, a wall of it between them.
fn compartments(c: &mut Canvas, look: &Look, (w, depth): (f32, f32), cedar: Color) {
    let (paper, filter) = (bar(c, Color::hex("#f6efe2")), bar(c, Color::hex("#c98d4f")));
    c.rect((14.0, 14.0), (w - 28.0, depth - 28.0), 4.0, cedar.shade(0.2));
    c.inside(d!("M14 14H{}V{}H14Z", w - 14.0, depth - 14.0), |c| {
        grain(c, &mut look.dice(), (14.0, 14.0, w - 28.0, depth - 28.0), cedar);
        let cigarette = c.keep(false, |c| {
            c.rect((0.0, -15.0), (220.0, 30.0), 3.0, &paper);
            c.rect((216.0, -15.0), (86.0, 30.0), 3.0, &filter);
        });
        for left in [30.0, w / 2.0 + 10.0] {
            c.rect((left, 34.0), (w / 2.0 - 40.0, depth - 68.0), 0.0, "#2a1a10");
            for index in 0..9 {
                c.again(&cigarette, d!("translate({} {})rotate(-90)", left + 16.0 + index as f32 * 31.0, depth - 36.0));
            }
            c.glaze(d!("M{} 34h{}v24h{}v{}h-10z", left, w / 2.0 - 40.0, 50.0 - w / 2.0, depth - 92.0), "#1d120d", 0.4);
        }
    });
    glint(c, d!("M6 {}H{}", depth - 6.0, w - 6.0), 4.0, 0.7);
}
