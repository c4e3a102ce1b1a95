//! Desktop humidors: a chest with the lid open, a chest with a window in its lid, a cabinet of drawers.

use super::canvas::{Canvas, N, d};
use super::materials::{Cuboid, Look, glint, grain, lit, plate};
use super::motifs::cigar;
use super::palette::{BRASS, CEDAR, Color, PAPER};

const DARK: &str = "#1d120d";

/// A chest with a lock and pale splines across its corners.
pub fn desktop(c: &mut Canvas, look: &Look) {
    chest(c, look, false);
}

/// A chest whose hygrometer sits in the front.
pub fn front_dial(c: &mut Canvas, look: &Look) {
    chest(c, look, true);
}

fn chest(c: &mut Canvas, look: &Look, has_dial: bool) {
    let (wood, cedar) = (look.color, Color::hex(CEDAR));
    let (w, h, depth) = if has_dial { (560.0, 250.0, 380.0) } else { (680.0, 220.0, 400.0) };
    let chest = Cuboid { at: (-20.0, 0.0), width: w, height: h, depth };
    chest.contact(c);
    let (x, y) = chest.point(0.0, 1.0, 1.0);
    c.transformed(d!("matrix(.95 .1 -.1 .9 {} {})", x + 26.0, y - 262.0), |c| {
        let (outer, inner) = (lit(c, wood.shade(0.1)), lit(c, cedar));
        c.rect((0.0, 0.0), (w, 290.0), 6.0, outer);
        c.rect((26.0, 24.0), (w - 52.0, 250.0), 4.0, inner);
        let dice = &mut look.dice();
        let clip = d!("M26 24h{}v250h{}z", w - 52.0, 52.0 - w);
        c.inside(clip, |c| grain(c, dice, (26.0, 24.0, w - 52.0, 250.0), cedar));
        c.line(d!("M4 4H{}", w - 4.0), wood.light(0.6), 4.0, 0.6);
    });
    chest.solid(c, wood);
    chest.front(c, |c| look.texture(c, &d!("M0 0H{}V{}H0Z", w, h), (0.0, 0.0, w, h)));
    chest.top(c, |c| cigars(c, (w, depth), cedar));
    chest.front(c, |c| {
        c.line(d!("M0 34H{}", w), wood.shade(0.6), 3.0, 0.5);
        if has_dial {
            dial(c, (w / 2.0, 142.0), 74.0, wood);
            return;
        }
        let maple = Color::hex("#dcc190");
        for x in [0.0, w - 34.0] {
            for y in [70.0, 120.0, 170.0] {
                c.rect((x, y), (34.0, 12.0), 0.0, maple);
            }
        }
        lock(c, w / 2.0);
        c.line(d!("M50 60H{}V{}H50Z", w - 50.0, h - 26.0), wood.light(0.5), 3.0, 0.4);
    });
}

/// A closed chest with a window in its lid.
pub fn glass_top(c: &mut Canvas, look: &Look) {
    let (wood, cedar) = (look.color, Color::hex(CEDAR));
    let (w, h, depth) = (720.0, 330.0, 620.0);
    let chest = Cuboid { at: (-10.0, 0.0), width: w, height: h, depth };
    chest.contact(c);
    chest.solid(c, wood);
    chest.front(c, |c| {
        look.texture(c, &d!("M0 0H{}V{}H0Z", w, h), (0.0, 0.0, w, h));
        c.line(d!("M0 64H{}", w), wood.shade(0.75), 5.0, 0.8);
        c.line(d!("M0 70H{}", w), wood.light(0.4), 3.0, 0.4);
        lock(c, w / 2.0);
        dial(c, (w / 2.0, 214.0), 58.0, wood);
    });
    chest.top(c, |c| {
        c.transformed("translate(60 60)", |c| cigars(c, (w - 120.0, depth - 110.0), cedar));
        let glass = Color::hex("#dcecee");
        let sheen = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, glass, 0.55), (0.4, glass, 0.08), (1.0, glass, 0.3)]);
        c.rect((70.0, 70.0), (w - 140.0, depth - 140.0), 6.0, sheen);
        c.line(d!("M70 70H{}V{}H70Z", w - 70.0, depth - 70.0), Color::hex(BRASS), 9.0, 1.0);
        glint(c, "M110 330L330 110M150 420L420 150", 12.0, 0.5);
    });
}

/// A small cabinet of three drawers, the middle one pulled out.
pub fn drawers(c: &mut Canvas, look: &Look) {
    let wood = look.color;
    let (w, h, depth) = (620.0, 520.0, 380.0);
    let cabinet = Cuboid { at: (0.0, 0.0), width: w, height: h, depth };
    cabinet.contact(c);
    cabinet.solid(c, wood);
    cabinet.front(c, |c| look.texture(c, &d!("M0 0H{}V{}H0Z", w, h), (0.0, 0.0, w, h)));
    cabinet.front(c, |c| {
        let (face, brass) = (lit(c, wood.light(0.12)), plate(c, Color::hex(BRASS)));
        for row in 0..3 {
            let y = 36.0 + row as f32 * 156.0;
            c.rect((34.0, y), (w - 68.0, 140.0), 5.0, wood.shade(0.75));
            c.rect((40.0, y + 5.0), (w - 80.0, 130.0), 5.0, &face);
            let board = d!("M40 {}h{}v130h{}z", y + 5.0, w - 80.0, 80.0 - w);
            c.glaze(&board, wood.shade(0.5), 0.06);
            for x in [w * 0.3, w * 0.7] {
                c.ellipse((x + 5.0, y + 78.0), (26.0, 24.0), wood.shade(0.8));
                c.circle((x, y + 70.0), 23.0, &brass);
            }
        }
        lock(c, w / 2.0);
    });
}

/// Rows of cigars in a well of cedar.
fn cigars(c: &mut Canvas, (w, depth): (f32, f32), cedar: Color) {
    c.rect((22.0, 20.0), (w - 44.0, depth - 44.0), 4.0, cedar.shade(0.75));
    c.inside(d!("M22 20H{}V{}H22Z", w - 22.0, depth - 24.0), |c| {
        let wall = c.linear((0.0, 0.0), (0.0, 1.0), &[(0.0, cedar.shade(0.2), 1.0), (1.0, cedar.shade(0.7), 1.0)]);
        c.rect((22.0, 20.0), (w - 44.0, 70.0), 0.0, wall);
        for row in 0..8 {
            let at = (w / 2.0 - 8.0 + (row % 2) as f32 * 9.0, 96.0 + row as f32 * 66.0);
            cigar(c, at, (w - 90.0, 32.0), 0.0);
        }
        let dark = Color::hex(DARK);
        let shade = c.linear((0.0, 0.0), (1.0, 0.0), &[(0.0, dark, 0.5), (0.12, dark, 0.0), (1.0, dark, 0.0)]);
        c.rect((22.0, 20.0), (w - 44.0, depth), 0.0, shade);
    });
}

fn dial(c: &mut Canvas, (x, y): (f32, f32), radius: f32, wood: Color) {
    let brass = plate(c, Color::hex(BRASS));
    c.circle((x, y), radius, brass);
    c.circle((x, y), radius * 0.78, PAPER);
    c.line(d!("M{} {}l{} {}", x, y, -radius * 0.34, -radius * 0.42), "#5a2a1c", 5.0, 1.0);
    c.ring((x, y), (radius * 0.62, radius * 0.62), wood.shade(0.4), 4.0, 0.4);
}

fn lock(c: &mut Canvas, x: f32) {
    let brass = plate(c, Color::hex(BRASS));
    c.rect((x - 34.0, 16.0), (68.0, 74.0), 10.0, brass);
    c.circle((x, 48.0), 11.0, "#2a1a10");
    c.path(d!("M{} 52l-5 26h18l-5 -26z", x - 4.0), "#2a1a10");
}
