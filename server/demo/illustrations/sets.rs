//! Goods of several parts: three pipes, three jars, six coasters, loose tips.

use super::canvas::{Canvas, N, d};
use super::materials::{
    Look, Material, TILT, bar, contact, drum, glint, lit, metal, metal_bar, pebbles, round, stitch, thread,
};
use super::palette::{BRASS, Color, STEEL, TOBACCO};
use super::pipes;

/// Three cobs of different sizes before their sack.
pub fn three_cobs(c: &mut Canvas, look: &Look) {
    let cloth = Color::hex("#d9cbb0");
    let sack = lit(c, cloth);
    c.transformed("translate(-60 -40)rotate(-6)", |c| {
        c.path("M-250 -180C-290 0 -300 200 -250 330C-120 380 120 380 250 330C300 200 290 0 250 -180C150 -210 -150 -210 -250 -180Z", &sack);
        c.path("M-250 -180C-280 -260 -230 -330 -250 -380C-150 -350 150 -350 250 -380C230 -330 280 -260 250 -180C150 -150 -150 -150 -250 -180Z", &sack);
        c.line("M-262 -186C-150 -152 150 -152 262 -186", Color::hex("#8a6a44"), 14.0, 1.0);
        c.line("M-180 -150C-190 0 -196 160 -170 300M60 -140C80 0 70 160 90 320", cloth.shade(0.5), 5.0, 0.3);
    });
    for (x, y, turn, scale) in [(-40.0, -230.0, -8.0, 0.62), (60.0, 30.0, 4.0, 0.74), (-30.0, 320.0, -4.0, 0.54)] {
        c.stamp(d!("translate({} {})rotate({})scale({})", x, y, turn, scale), |c| pipes::cob(c, look));
    }
}

/// Three straight-sided jars of one diameter and three heights.
pub fn three_jars(c: &mut Canvas, look: &Look) {
    let color = look.color;
    for (x, y, height) in [(-300.0, -30.0, 470.0), (290.0, -24.0, 250.0), (10.0, 40.0, 350.0)] {
        contact(c, (x + 24.0, y), (210.0, 58.0));
        let fill = round(c, Color::hex(TOBACCO));
        c.path(drum(x, (y - height * 0.7, y - 12.0), 148.0), fill);
        let clear = c.linear(
            (0.0, 0.0),
            (1.0, 0.0),
            &[
                (0.0, color.shade(0.35), 0.85),
                (0.16, color.light(0.3), 0.35),
                (0.8, color, 0.3),
                (1.0, color.shade(0.4), 0.8),
            ],
        );
        c.path(drum(x, (y - height, y), 160.0), clear);
        let lid = lit(c, color.light(0.35));
        let wall = metal(c, Color::hex(STEEL));
        c.path(drum(x, (y - height - 34.0, y - height), 164.0), wall);
        c.ellipse((x, y - height - 34.0), (164.0, 164.0 * TILT), &lid);
        c.ring((x, y - height - 32.0), (120.0, 120.0 * TILT), color.shade(0.5), 5.0, 0.6);
        glint(c, d!("M{} {}V{}", x - 128.0, y - height + 40.0, y - 40.0), 12.0, 0.55);
        c.rect((x - 62.0, y - height * 0.42), (124.0, 62.0), 6.0, "#f5ecdc");
        c.line(d!("M{} {}h84", x - 42.0, y - height * 0.42 + 32.0), "#8a7a66", 5.0, 0.6);
    }
}

/// Six rounds of leather, five of them fanned behind the first, and the strip that holds them.
pub fn coasters(c: &mut Canvas, look: &Look) {
    let leather = look.color;
    let (face, skin, thread) = (lit(c, leather), pebbles(c, leather), thread(leather));
    for (x, y) in [(-240.0, -190.0), (-60.0, -260.0), (130.0, -230.0), (260.0, -110.0), (-220.0, 40.0), (40.0, 70.0)] {
        c.stamp(d!("translate({} {})", x, y), |c| {
            c.details(|c| c.circle((8.0, 12.0), 218.0, leather.shade(0.75)));
            c.circle((0.0, 0.0), 215.0, &face);
            let round = "M-215 0A215 215 0 0 1 215 0A215 215 0 0 1 -215 0Z";
            c.glaze(round, &skin, 0.55);
            c.ring((0.0, 0.0), (211.0, 211.0), leather.shade(0.6), 8.0, 0.7);
            c.ring((0.0, 0.0), (178.0, 178.0), leather.shade(0.5), 4.0, 0.5);
        });
    }
    let strip = bar(c, leather.shade(0.12));
    c.transformed("translate(40 330)rotate(-4)", |c| {
        c.rect((-300.0, -70.0), (600.0, 140.0), 60.0, strip);
        stitch(c, "M-270 -44H270M-270 44H270", leather, thread);
    });
}

/// Loose tips: clear glass, white cotton, or charcoal between pale caps.
pub fn tubes(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let mut dice = look.dice();
    let is_glass = look.material == Material::Glass;
    let is_cotton = look.material == Material::Cloth;
    let paint = if is_glass {
        c.linear(
            (0.0, 0.0),
            (0.0, 1.0),
            &[
                (0.0, color.shade(0.35), 0.9),
                (0.25, color.light(0.7), 0.75),
                (0.6, color, 0.55),
                (1.0, color.shade(0.45), 0.9),
            ],
        )
    } else {
        bar(c, if is_cotton { Color::hex("#faf5ea") } else { Color::hex("#d9c9a8") })
    };
    let steel = metal_bar(c, Color::hex(STEEL));
    if is_glass {
        c.transformed("translate(-40 -300)rotate(-14)", |c| {
            c.rect((-330.0, -64.0), (600.0, 128.0), 40.0, &steel);
            c.line("M150 -62V62", Color::hex(STEEL).shade(0.6), 5.0, 0.7);
            glint(c, "M-290 -30H130", 7.0, 0.6);
        });
    }
    let cap = bar(c, color.light(0.3));
    let places: &[(f32, f32, f32)] = if is_glass {
        &[(-170.0, -60.0, -18.0), (130.0, 70.0, 10.0), (-150.0, 240.0, -6.0)]
    } else {
        &[
            (-230.0, -230.0, -22.0),
            (110.0, -270.0, 16.0),
            (-160.0, -30.0, 8.0),
            (220.0, -20.0, -34.0),
            (-240.0, 190.0, 30.0),
            (60.0, 230.0, -10.0),
        ]
    };
    for &(x, y, turn) in places {
        c.transformed(d!("translate({} {})rotate({})scale(1.25)", x, y, turn + dice.between(-6.0, 6.0)), |c| {
            let (long, tall) = if is_glass { (190.0, 46.0) } else { (130.0, 44.0) };
            c.rect((-long, -tall), (long * 2.0, tall * 2.0), 12.0, &paint);
            if is_glass {
                c.ellipse((long - 6.0, 0.0), (16.0, tall - 4.0), color.light(0.5));
                c.ellipse((long - 4.0, 0.0), (9.0, tall * 0.5), color.shade(0.5));
                glint(c, d!("M{} {}H{}", -long + 20.0, -tall * 0.5, long - 30.0), 9.0, 0.8);
            } else if is_cotton {
                c.ellipse((long - 2.0, 0.0), (18.0, tall), "#fffdf6");
                c.line(d!("M{} -20q8 20 0 40", long - 2.0), "#d9d0bd", 4.0, 0.7);
            } else {
                for end in [-long, long - 44.0] {
                    c.rect((end, -tall), (44.0, tall * 2.0), 8.0, &cap);
                }
                c.ellipse((long - 2.0, 0.0), (16.0, tall), color.light(0.5));
                let mut dots = String::new();
                for hole in [-22.0, 0.0, 22.0] {
                    dots.push_str(&d!("M{} {}h1", long - 3.0, hole));
                }
                c.line(dots, "#2a2320", 12.0, 0.9);
            }
        });
    }
}

/// Two woven wicks with a copper thread in them, cotton and a felt.
pub fn wicks(c: &mut Canvas, look: &Look) {
    let (cotton, copper) = (look.color.light(0.4), Color::hex("#b06a42"));
    for (x, y, turn) in [(-120.0, -210.0, -8.0), (-60.0, 40.0, 10.0)] {
        c.stamp(d!("translate({} {})rotate({})", x, y, turn), |c| {
            let wick = "M-320 40C-200 -120 -40 -120 0 0C40 110 200 110 330 -60";
            c.line(wick, cotton.shade(0.25), 46.0, 1.0);
            c.line(wick, cotton, 36.0, 1.0);
            c.dashes(wick, cotton.shade(0.35), 32.0, "4 12", "butt");
            c.dashes(wick, copper, 6.0, "22 16", "round");
        });
    }
    let puff = c.radial((0.4, 0.3), 0.8, &[(0.0, Color::hex("#ffffff"), 1.0), (1.0, cotton.shade(0.2), 1.0)]);
    for (x, y, size) in [(-240.0, 280.0, 90.0), (-110.0, 320.0, 100.0), (10.0, 290.0, 84.0)] {
        c.circle((x, y), size, &puff);
    }
    let felt = lit(c, Color::hex("#b9b3a6"));
    c.rect((170.0, 190.0), (230.0, 160.0), 40.0, felt);
    c.circle((285.0, 270.0), 22.0, Color::hex(BRASS).shade(0.7));
}
