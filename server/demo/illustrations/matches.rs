//! Matches under glass, a sleeve for the ordinary box, and spills that carry a flame.

use super::canvas::{Canvas, N, d};
use super::materials::{Look, TILT, ball, bar, contact, drum, glint, lit, plate, round};
use super::motifs::{cork, mark};
use super::palette::{CEDAR, Color};

/// A glass dome over a cork base, with matches standing heads up and a striker on its side.
pub fn cloche(c: &mut Canvas, look: &Look) {
    let color = look.color;
    contact(c, (34.0, 4.0), (300.0, 84.0));
    cork(c, &drum(0.0, (-70.0, 0.0), 230.0));
    let top = lit(c, Color::hex("#d3ab78"));
    c.ellipse((0.0, -70.0), (230.0, 230.0 * TILT), top);
    let (stick, head) = (round(c, Color::hex("#ecd3a3")), ball(c, color.shade(0.3)));
    let mut dice = look.dice();
    for row in 0..3 {
        for index in 0..9 {
            let x = -148.0 + index as f32 * 37.0 + dice.between(-4.0, 4.0);
            let y = -100.0 + row as f32 * 22.0;
            c.stamp(d!("translate({} {})", x, y), |c| {
                c.rect((-8.0, -260.0), (16.0, 262.0), 3.0, &stick);
                c.ellipse((0.0, -266.0), (15.0, 21.0), &head);
            });
        }
    }
    let dome = "M-200 -74V-330C-200 -450 -110 -520 0 -520C110 -520 200 -450 200 -330V-74C120 -24 -120 -24 -200 -74Z";
    let glass = c.linear(
        (0.0, 0.0),
        (1.0, 0.0),
        &[
            (0.0, color.shade(0.4), 0.75),
            (0.14, color.light(0.4), 0.3),
            (0.7, color, 0.22),
            (1.0, color.shade(0.5), 0.7),
        ],
    );
    c.path(dome, glass);
    let striker = bar(c, Color::hex("#4a3630"));
    c.details(|c| c.rect((74.0, -260.0), (92.0, 150.0), 8.0, striker));
    let knob = ball(c, color.light(0.2));
    c.circle((0.0, -548.0), 36.0, knob);
    glint(c, "M-160 -340C-156 -420 -110 -468 -50 -484M-160 -290V-120", 13.0, 0.6);
    c.line("M-200 -74C-120 -24 120 -24 200 -74", color.light(0.7), 6.0, 0.8);
}

/// A bundle of thin strips of cedar.
pub fn spills(c: &mut Canvas, look: &Look) {
    let cedar = look.color;
    let mut dice = look.dice();
    c.transformed("rotate(-28)scale(1.06)", |c| {
        for index in 0..11 {
            let at = index as f32 - 5.0;
            let strip = lit(c, if index % 3 == 0 { cedar.light(0.22) } else { cedar.shade(0.05 * (index % 4) as f32) });
            let (near, far) = (at * 26.0, at * 32.0 + dice.between(-9.0, 9.0));
            let (start, end) = (-440.0 + dice.between(-20.0, 20.0), 440.0 + dice.between(-30.0, 20.0));
            let shape = d!(
                "M{} {}L{} {}L{} {}L{} {}z",
                start,
                near - 14.0,
                end,
                far - 15.0,
                end,
                far + 15.0,
                start,
                near + 16.0
            );
            c.path(&shape, strip);
            c.line(d!("M{} {}L{} {}", start + 16.0, near, end - 20.0, far), cedar.shade(0.5), 2.4, 0.4);
            c.line(d!("M{} {}L{} {}", start, near - 14.0, end, far - 15.0), Color::hex(CEDAR).light(0.6), 2.4, 0.5);
        }
        let band = bar(c, Color::hex("#efe2c6"));
        c.rect((-84.0, -186.0), (150.0, 372.0), 6.0, band);
        c.line("M-84 -168H66M-84 168H66", cedar.shade(0.3), 5.0, 0.8);
        mark(c, (-9.0, 0.0), 104.0, cedar.shade(0.4));
    });
}

/// A sleeve of sheet metal over a matchbox, with a slot along the striker.
pub fn sleeve(c: &mut Canvas, look: &Look) {
    let metal = look.color;
    let (face, edge) = (plate(c, metal), bar(c, metal.shade(0.12)));
    c.transformed("rotate(-20)scale(1.16)", |c| {
        let card = lit(c, Color::hex("#cfa877"));
        c.rect((-350.0, -168.0), (700.0, 336.0), 8.0, card);
        c.rect((-310.0, -190.0), (600.0, 300.0), 10.0, face);
        c.path("M-310 108H290V186C290 194 286 198 278 198H-298C-306 198 -310 194 -310 186Z", edge);
        if c.outlining() {
            return;
        }
        look.texture(c, "M-310 -190H290V110H-310Z", (-310.0, -190.0, 600.0, 300.0));
        c.rect((-262.0, 132.0), (504.0, 40.0), 20.0, "#4a3630");
        c.dashes("M-244 152H226", "#7b5e52", 22.0, "2 9", "round");
        c.line("M-262 132H242", metal.shade(0.7), 4.0, 0.7);
        c.line("M-310 108H290", metal.light(0.7), 4.0, 0.7);
        mark(c, (-10.0, -42.0), 150.0, metal.shade(0.6));
        glint(c, "M-302 -182H282", 5.0, 0.6);
    });
}
