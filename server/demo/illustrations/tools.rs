//! Tools with a shape of their own: brushes, a reamer, a fan of punches, a cutter in a block, machines with a crank.

use super::canvas::{Canvas, N, d};
use super::materials::{Cuboid, Look, ball, bar, contact, drum, glint, lit, metal, metal_bar, plate, round};
use super::motifs::{mark, tobacco};
use super::palette::{BRASS, Color, STEEL, TOBACCO};

/// Two brushes of twisted wire, one narrow and one round.
pub fn brushes(c: &mut Canvas, look: &Look) {
    let wire = Color::hex(STEEL);
    let hair = Color::hex("#5b4030");
    for (x, turn, radius, from) in [(-150.0, -16.0, 40.0, -60.0), (150.0, 12.0, 96.0, 60.0)] {
        c.transformed(d!("translate({} 0)rotate({})", x, turn), |c| {
            c.ring((0.0, 372.0), (46.0, 56.0), wire.shade(0.15), 13.0, 1.0);
            c.line("M0 316V-340", wire.shade(0.2), 17.0, 1.0);
            c.dashes("M0 316V-340", wire.light(0.5), 14.0, "9 9", "butt");
            let mut dice = look.dice();
            let (mut dark, mut pale) = (String::new(), String::new());
            for index in 0..54 {
                let y = -380.0 + index as f32 * (from + 380.0) / 54.0;
                let round =
                    if radius > 60.0 { ((index as f32 / 53.0 * 2.0 - 1.0).powi(2) * -0.8 + 1.0).sqrt() } else { 1.0 };
                let reach = radius * round + dice.between(-7.0, 7.0);
                let line = d!("M{} {}L{} {}", -reach, y - 6.0, reach, y + 8.0);
                if index % 2 == 0 { dark.push_str(&line) } else { pale.push_str(&line) }
            }
            c.line(dark, hair.shade(0.25), 7.0, 1.0);
            c.line(pale, look.color.mix(hair, 0.6), 6.0, 1.0);
        });
    }
}

/// A reamer: blades around a core that a collar opens, turned by a bar.
pub fn reamer(c: &mut Canvas, look: &Look) {
    let steel = Color::hex(STEEL);
    let (shaft, blade, grip) = (metal(c, steel), metal(c, steel.shade(0.25)), look.lying(c));
    c.transformed("rotate(28)scale(1.12)", |c| {
        c.rect((-36.0, -270.0), (72.0, 400.0), 12.0, &shaft);
        for (x, wide) in [(-74.0, 34.0), (-26.0, 22.0), (8.0, 24.0), (42.0, 34.0)] {
            c.path(d!("M{} 60h{}v240c0 60 -10 90 {} 110c-14 -20 -20 -50 -20 -110z", x, wide, -wide * 0.3), &blade);
        }
        c.rect((-96.0, 20.0), (192.0, 74.0), 16.0, &shaft);
        let mut ribs = String::new();
        for rib in 0..17 {
            ribs.push_str(&d!("M{} 26v62", -84.0 + rib as f32 * 10.6));
        }
        c.line(ribs, steel.shade(0.6), 3.4, 0.6);
        c.rect((-270.0, -356.0), (540.0, 96.0), 46.0, grip);
        look.texture(c, "M-270 -356H270V-260H-270Z", (-270.0, -356.0, 540.0, 96.0));
        for x in [-250.0, 206.0] {
            c.rect((x, -358.0), (44.0, 100.0), 20.0, &shaft);
        }
        glint(c, "M-190 -336H180", 7.0, 0.5);
    });
}

/// Three punches of three widths, folded out of a flat frame.
pub fn punches(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let (face, tube) = (look.face(c), metal(c, Color::hex(STEEL).shade(0.1)));
    c.transformed("translate(0 60)rotate(10)scale(1.14)", |c| {
        for (turn, radius, long) in [(-52.0, 30.0, 290.0), (0.0, 42.0, 310.0), (52.0, 56.0, 300.0)] {
            c.transformed(d!("rotate({} 0 120)", turn), |c| {
                c.rect((-radius * 0.7, -80.0), (radius * 1.4, 220.0), 8.0, &face);
                c.path(d!("M{} {}V-60H{}V{}z", -radius, -long, radius, -long), &tube);
                c.ellipse((0.0, -long), (radius, radius * 0.34), Color::hex(STEEL).light(0.5));
                c.ellipse((0.0, -long + 2.0), (radius * 0.8, radius * 0.24), "#1f1b1a");
                c.line(d!("M{} -80H{}", -radius, radius), Color::hex(STEEL).shade(0.6), 5.0, 0.7);
            });
        }
        let frame = "M-110 40C-120 -10 -60 -30 0 -30C60 -30 120 -10 110 40L74 330C70 370 -70 370 -74 330Z";
        c.path(frame, &face);
        look.texture(c, frame, (-120.0, -40.0, 240.0, 410.0));
        c.line(frame, color.shade(0.6), 5.0, 0.6);
        let rivet = ball(c, Color::hex(BRASS));
        c.circle((0.0, 120.0), 34.0, rivet);
        c.ring((0.0, 310.0), (22.0, 22.0), color.shade(0.7), 8.0, 0.8);
        glint(c, "M-70 50L-48 280", 8.0, 0.5);
    });
}

/// A block with a stepped hole and a blade that is pushed down by the hand.
pub fn block_cutter(c: &mut Canvas, look: &Look) {
    let wood = look.color;
    let (w, h, depth) = (500.0, 250.0, 360.0);
    let block = Cuboid { at: (0.0, 0.0), width: w, height: h, depth };
    block.contact(c);
    block.solid(c, wood);
    block.front(c, |c| {
        look.texture(c, &d!("M0 0H{}V{}H0Z", w, h), (0.0, 0.0, w, h));
        let ring = plate(c, Color::hex(STEEL));
        c.circle((150.0, 106.0), 74.0, ring);
        c.circle((150.0, 106.0), 56.0, "#1b1413");
        c.glaze("M96 120A56 56 0 0 0 204 120Z", Color::hex(STEEL).light(0.3), 0.85);
        c.rect((270.0, 126.0), (200.0, 94.0), 5.0, wood.shade(0.7));
        c.rect((276.0, 132.0), (188.0, 82.0), 5.0, wood.light(0.14));
        let knob = ball(c, Color::hex(BRASS));
        c.circle((370.0, 172.0), 18.0, knob);
    });
    let (x, y) = block.point(0.42, 0.5, 1.0);
    let post = metal(c, Color::hex(STEEL));
    c.rect((x - 22.0, y - 120.0), (44.0, 130.0), 8.0, post);
    let pad = lit(c, wood.light(0.14));
    c.path(d!("M{} {}c0 -64 300 -64 300 0c0 50 -300 50 -300 0z", x - 150.0, y - 130.0), pad);
    glint(c, d!("M{} {}q60 -30 150 -32", x - 110.0, y - 150.0), 8.0, 0.4);
}

/// A table mill: a box with a drawer, a dome and a crank.
pub fn crank_mill(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let (w, h, depth) = (360.0, 260.0, 320.0);
    let case = Cuboid { at: (0.0, 0.0), width: w, height: h, depth };
    case.contact(c);
    case.solid(c, color);
    case.front(c, |c| {
        look.texture(c, &d!("M0 0H{}V{}H0Z", w, h), (0.0, 0.0, w, h));
        let face = plate(c, color.light(0.1));
        c.rect((40.0, 110.0), (280.0, 120.0), 6.0, color.shade(0.7));
        c.rect((46.0, 116.0), (268.0, 108.0), 6.0, face);
        let knob = ball(c, color);
        c.ellipse((186.0, 178.0), (24.0, 22.0), color.shade(0.7));
        c.circle((180.0, 170.0), 24.0, knob);
    });
    let (x, y) = case.point(0.5, 0.5, 1.0);
    let dome = metal(c, color);
    c.path(d!("M{} {}c10 -150 80 -190 150 -190c70 0 140 40 150 190c-60 46 -240 46 -300 0z", x - 150.0, y), &dome);
    c.rect((x - 20.0, y - 240.0), (40.0, 70.0), 8.0, &dome);
    let arm = metal_bar(c, Color::hex(STEEL));
    c.transformed(d!("translate({} {})rotate(-12)", x, y - 236.0), |c| {
        c.rect((-30.0, -16.0), (300.0, 32.0), 16.0, arm);
        let grip = bar(c, Color::hex("#5a3b28"));
        c.rect((226.0, -112.0), (52.0, 110.0), 24.0, grip);
    });
    let cap = ball(c, color.light(0.1));
    c.circle((x, y - 240.0), 28.0, cap);
    contact(c, (x - 10.0, y + 2.0), (150.0, 36.0));
    glint(c, d!("M{} {}c8 -70 30 -110 66 -130", x - 116.0, y - 20.0), 10.0, 0.5);
}

/// A round tin from above with a slot, from which a strip of paper comes.
pub fn paper_roll(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let steel = Color::hex(STEEL);
    let sheet = c.linear(
        (0.0, 0.0),
        (1.0, 1.0),
        &[(0.0, color.light(0.5), 1.0), (0.6, color.light(0.2), 1.0), (1.0, color, 1.0)],
    );
    c.transformed("translate(-120 -60)rotate(-12)", |c| {
        c.path("M150 -78L520 -40C560 60 470 150 560 250L430 300C380 170 470 100 420 30L150 78Z", sheet);
        c.line("M160 62L414 18C462 96 372 168 424 290", color.shade(0.4), 4.0, 0.5);
        let rim = plate(c, steel);
        c.circle((0.0, 0.0), 290.0, rim);
        if c.outlining() {
            return;
        }
        let lid = plate(c, steel.light(0.1));
        c.ring((0.0, 0.0), (288.0, 288.0), steel.shade(0.6), 6.0, 0.7);
        c.circle((-4.0, -6.0), 256.0, lid);
        c.ring((-4.0, -6.0), (256.0, 256.0), steel.shade(0.5), 4.0, 0.6);
        c.rect((256.0, -86.0), (30.0, 172.0), 8.0, "#2a2320");
        c.circle((0.0, 0.0), 120.0, color.light(0.4));
        mark(c, (0.0, 0.0), 190.0, color.shade(0.5));
        let mut marks = String::new();
        for tick in 0..9 {
            marks.push_str(&d!("M{} 170v{}", -160.0 + tick as f32 * 40.0, if tick % 4 == 0 { 34.0 } else { 20.0 }));
        }
        c.line(marks, steel.shade(0.6), 5.0, 0.8);
        glint(c, "M-240 -90C-210 -180 -130 -236 -50 -248", 10.0, 0.6);
    });
}

/// A bench machine: a cast body with a chamber of tobacco, a crank, and an empty tube on its nozzle.
pub fn tube_filler(c: &mut Canvas, look: &Look) {
    let (color, steel) = (look.color, Color::hex(STEEL));
    let (w, h, depth) = (520.0, 190.0, 330.0);
    let case = Cuboid { at: (-120.0, -22.0), width: w, height: h, depth };
    case.contact(c);
    for (u, v) in [(0.08, 0.04), (0.92, 0.04), (0.96, 0.9)] {
        let (x, y) = case.point(u, v, 0.0);
        c.rect((x - 34.0, y - 10.0), (68.0, 38.0), 12.0, "#2b2524");
    }
    case.solid(c, color);
    case.front(c, |c| {
        let face = plate(c, color);
        let edge = d!("M0 0H{}V{}H0Z", w, h);
        c.path(&edge, face);
        look.texture(c, &edge, (0.0, 0.0, w, h));
        c.rect((36.0, 44.0), (w - 72.0, 104.0), 14.0, color.shade(0.55));
        c.rect((40.0, 49.0), (w - 78.0, 100.0), 12.0, color.shade(0.16));
        mark(c, (w / 2.0, 98.0), 78.0, color.ink());
        c.line(d!("M80 98H{}M{} 98H{}", w / 2.0 - 70.0, w / 2.0 + 70.0, w - 80.0), color.ink(), 6.0, 0.6);
    });
    case.top(c, |c| {
        c.rect((34.0, 96.0), (270.0, 176.0), 16.0, color.shade(0.6));
        c.rect((44.0, 108.0), (250.0, 158.0), 10.0, color.shade(0.9));
        c.inside("M44 108H294V266H44Z", |c| {
            tobacco(c, &mut look.dice(), (169.0, 192.0), (140.0, 84.0), Color::hex(TOBACCO));
        });
        c.glaze("M44 108H294V130H66V266H44Z", "#1d120d", 0.45);
    });
    nozzle(c, case.point(1.0, 0.42, 0.52), steel);
    crank(c, case.point(0.76, 0.56, 1.0), steel);
}

/// A nozzle that points to the right, with a filter tube on it.
fn nozzle(c: &mut Canvas, (x, y): (f32, f32), steel: Color) {
    let (collar, spout) = (metal_bar(c, steel.shade(0.2)), metal_bar(c, steel.light(0.2)));
    let (paper, filter) = (bar(c, Color::hex("#f6efe2")), bar(c, Color::hex("#c98d4f")));
    c.transformed(d!("translate({} {})rotate(6)", x, y), |c| {
        c.ellipse((2.0, 0.0), (30.0, 56.0), steel.shade(0.6));
        c.ellipse((8.0, -1.0), (28.0, 52.0), &collar);
        c.path("M8 -34H52V34H8Z", &collar);
        c.ellipse((52.0, 0.0), (13.0, 34.0), steel.light(0.1));
        c.rect((52.0, -17.0), (70.0, 34.0), 4.0, spout);
        c.rect((104.0, -23.0), (182.0, 46.0), 4.0, paper);
        c.rect((284.0, -23.0), (84.0, 46.0), 5.0, filter);
        c.ellipse((106.0, 0.0), (8.0, 23.0), Color::hex("#d8cbb4"));
        c.line("M284 -22C290 -8 290 8 284 22", "#8a5a2c", 3.0, 0.6);
        glint(c, "M118 -12H276", 4.0, 0.7);
    });
}

/// An arm on a hub that stands on `x, y`, and its wooden grip.
fn crank(c: &mut Canvas, (x, y): (f32, f32), steel: Color) {
    let (post, arm, grip) = (metal(c, steel), metal_bar(c, steel), round(c, Color::hex("#5a3b28")));
    contact(c, (x + 6.0, y + 2.0), (96.0, 30.0));
    c.transformed(d!("translate({} {})", x, y), |c| {
        c.path(drum(0.0, (-26.0, 0.0), 62.0), &post);
        c.ellipse((0.0, -26.0), (62.0, 16.0), steel.light(0.4));
        c.rect((-24.0, -100.0), (48.0, 80.0), 8.0, &post);
        c.path("M-26 -128L246 -176C272 -178 276 -138 250 -134L-20 -80C-52 -78 -56 -124 -26 -128Z", arm);
        c.ellipse((-20.0, -104.0), (34.0, 24.0), steel.light(0.5));
        c.ellipse((-20.0, -104.0), (16.0, 11.0), steel.shade(0.5));
        c.rect((228.0, -196.0), (34.0, 44.0), 4.0, &post);
        c.path("M216 -196C198 -250 206 -318 226 -330C238 -338 254 -338 266 -330C286 -318 294 -250 276 -196C262 -188 230 -188 216 -196Z", grip);
        glint(c, "M222 -300C216 -270 216 -240 222 -214", 7.0, 0.4);
        glint(c, "M-4 -122L230 -164", 4.0, 0.7);
    });
}
