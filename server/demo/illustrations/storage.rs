//! Tins, jars, cigarette cases and holders, snuff boxes.

use super::canvas::{Canvas, N, d};
use super::materials::{Look, Material, TILT, ball, bar, contact, drum, glint, lit, metal, metal_bar, plate, round};
use super::motifs::{cork, hole, hoop, label, mark, tobacco};
use super::palette::{AMBER, BRASS, Colour, EBONITE, PAPER, STEEL, TOBACCO};

pub fn tin(c: &mut Canvas, look: &Look) {
    let (colour, steel) = (look.colour, Colour::hex(BRASS));
    contact(c, (40.0, 0.0), (390.0, 106.0));
    let (wall, lid, edge) = (round(c, colour.shade(0.12)), round(c, colour), metal(c, steel));
    let radius = 320.0;
    c.path(drum(0.0, (-190.0, 0.0), radius - 8.0), wall);
    let band = Colour::hex(PAPER);
    c.inside(drum(0.0, (-110.0, -30.0), radius - 8.0), |c| {
        let strip = round(c, band);
        c.path(d!("M-312 -110A312 {} 0 0 0 312 -110V-30A312 {} 0 0 1 -312 -30Z", 312.0 * TILT, 312.0 * TILT), strip);
    });
    let mut words = String::new();
    for word in 0..9 {
        let turn = (word as f32 - 4.0) * 0.25;
        let (x, sag) = (turn.sin() * 312.0, turn.cos() * 312.0 * TILT);
        words.push_str(&d!("M{} {}h{}", x - 20.0 * turn.cos(), sag - 70.0, 40.0 * turn.cos()));
    }
    c.line(words, colour.shade(0.35), 14.0, 0.85);
    c.path(drum(0.0, (-8.0, 0.0), radius - 4.0), &edge);
    c.ellipse((0.0, -180.0), (radius, radius * TILT), colour.shade(0.8));
    c.path(drum(0.0, (-260.0, -186.0), radius), lid);
    c.line(hoop(0.0, -190.0, radius), steel, 7.0, 1.0);
    c.line(hoop(0.0, -248.0, radius), colour.light(0.6), 4.0, 0.5);
    let top = lit(c, colour.light(0.08));
    c.ellipse((0.0, -260.0), (radius, radius * TILT), top);
    c.ring((0.0, -260.0), (radius - 4.0, radius * TILT - 3.0), colour.light(0.7), 5.0, 0.7);
    c.transformed(d!("translate(0 -260)scale(1 {})", TILT), |c| {
        let ink = colour.ink();
        c.ring((0.0, 0.0), (278.0, 278.0), ink, 6.0, 0.8);
        c.ring((0.0, 0.0), (262.0, 262.0), ink, 12.0, 0.5);
        c.circle((0.0, 0.0), 206.0, PAPER);
        mark(c, (0.0, 0.0), 372.0, colour.shade(0.3));
    });
    glint(c, "M-268 -292C-180 -326 -60 -338 40 -338", 8.0, 0.4);
}

pub fn jar(c: &mut Canvas, look: &Look) {
    let colour = look.colour;
    let clear = look.material == Material::Glass || look.material == Material::Plastic;
    contact(c, (40.0, 2.0), (300.0, 84.0));
    let shape = "M-170 -450C-200 -440 -236 -410 -240 -350V-60C-238 -10 -210 34 0 62C210 34 238 -10 240 -60V-350C236 -410 200 -440 170 -450Z";
    if clear {
        let back = c.linear(
            (0.0, 0.0),
            (1.0, 0.0),
            &[(0.0, colour.light(0.2), 1.0), (0.5, colour.light(0.45), 1.0), (1.0, colour.shade(0.2), 1.0)],
        );
        c.path(shape, back);
        let dice = &mut look.dice();
        c.inside(shape, |c| {
            let fill = round(c, Colour::hex(TOBACCO));
            c.path("M-216 -300H216V-60C214 -14 190 16 0 40C-190 16 -214 -14 -216 -60Z", fill);
            let clump = c.keep(false, |c| tobacco(c, dice, (0.0, 0.0), (122.0, 80.0), Colour::hex(TOBACCO)));
            for place in [
                "translate(-110 -200)",
                "translate(90 -180)scale(-1 1)",
                "translate(-90 -70)rotate(180)",
                "translate(110 -60)scale(1 -1)",
                "translate(0 -296)scale(1.75 .65)",
            ] {
                c.again(&clump, place);
            }
            let tint = c.linear(
                (0.0, 0.0),
                (1.0, 0.0),
                &[
                    (0.0, colour.shade(0.5), 0.75),
                    (0.14, colour, 0.25),
                    (0.6, colour, 0.2),
                    (0.9, colour.shade(0.6), 0.6),
                    (1.0, colour.light(0.2), 0.6),
                ],
            );
            c.rect((-240.0, -460.0), (480.0, 530.0), 0.0, tint);
        });
    } else {
        let paint = look.upright(c);
        c.path(shape, paint);
        look.texture(c, shape, (-240.0, -450.0, 480.0, 510.0));
    }
    label(c, (0.0, -170.0), (250.0, 220.0), if colour.l > 0.62 { colour.shade(0.6) } else { colour.shade(0.2) });
    if clear {
        glint(c, "M-206 -350V-70", 16.0, 0.4);
        glint(c, "M-176 -370V-110", 5.0, 0.4);
        glint(c, "M214 -330V-80", 6.0, 0.35);
    }
    let collar = drum(0.0, (-478.0, -440.0), 178.0);
    let rim = if clear { metal(c, colour.light(0.2)) } else { round(c, colour.light(0.1)) };
    c.path(collar, rim);
    let lid = drum(0.0, (-540.0, -486.0), 190.0);
    cork(c, &lid);
    let top = lit(c, Colour::hex("#d3ab78"));
    c.ellipse((0.0, -540.0), (190.0, 190.0 * TILT), top);
    let knob = ball(c, Colour::hex(BRASS));
    c.ellipse((0.0, -552.0), (34.0, 12.0), Colour::hex(BRASS).shade(0.5));
    c.circle((0.0, -580.0), 36.0, knob);
}

pub fn cigarette_case(c: &mut Canvas, look: &Look) {
    let colour = look.colour;
    let face = look.face(c);
    let stick = bar(c, Colour::hex("#f6efe2"));
    let filter = bar(c, Colour::hex("#c98d4f"));
    c.transformed("rotate(-12)scale(1.08)", |c| {
        c.details(|c| {
            c.rect((-396.0, -236.0), (392.0, 480.0), 30.0, colour.shade(0.6));
            c.rect((12.0, -236.0), (392.0, 480.0), 30.0, colour.shade(0.6));
        });
        c.rect((-400.0, -244.0), (392.0, 480.0), 30.0, &face);
        c.rect((8.0, -244.0), (392.0, 480.0), 30.0, &face);
        if c.outlining() {
            return;
        }
        look.texture(c, "M38 -244H370C390 -244 400 -234 400 -214V206C400 226 390 236 370 236H38C18 236 8 226 8 206V-214C8 -234 18 -244 38 -244Z", (8.0, -244.0, 392.0, 480.0));
        let mut rays = String::new();
        for ray in 0..13 {
            rays.push_str(&d!("M204 236L{} -240", 20.0 + ray as f32 * 30.6));
        }
        c.line(rays, colour.shade(0.6), 3.0, 0.35);
        let plaque = plate(c, colour.light(0.15));
        c.circle((204.0, 20.0), 74.0, plaque);
        c.ring((204.0, 20.0), (74.0, 74.0), colour.shade(0.6), 4.0, 0.6);
        mark(c, (204.0, 20.0), 104.0, colour.shade(0.62));
        c.rect((-376.0, -222.0), (346.0, 436.0), 16.0, colour.shade(0.7));
        for index in 0..8 {
            let x = -370.0 + index as f32 * 42.6;
            c.stamp(d!("translate({} 0)rotate(90)", x + 19.0), |c| {
                c.rect((-204.0, -19.0), (290.0, 38.0), 3.0, &stick);
                c.rect((84.0, -19.0), (112.0, 38.0), 3.0, &filter);
            });
        }
        c.inside("M-376 -222H-30V214H-376Z", |c| {
            let strap = c.linear((0.0, 0.0), (0.0, 1.0), &[(0.0, Colour::hex("#5a3626"), 1.0), (1.0, Colour::hex("#2f1d16"), 1.0)]);
            c.rect((-380.0, -40.0), (356.0, 44.0), 0.0, strap);
            c.glaze("M-376 -222H-30V-204H-358V214H-376Z", "#1d120d", 0.3);
        });
        let hinge = metal(c, colour);
        for y in [-190.0, -30.0, 130.0] {
            c.rect((-14.0, y), (28.0, 64.0), 8.0, &hinge);
        }
        let clasp = metal(c, Colour::hex(BRASS));
        c.rect((392.0, -30.0), (24.0, 60.0), 8.0, clasp);
        glint(c, "M40 -236H370M-370 -236H-40", 5.0, 0.7);
    });
}

pub fn cigarette_holder(c: &mut Canvas, look: &Look) {
    let colour = look.colour;
    let (body, gold) = (bar(c, colour), metal_bar(c, Colour::hex(BRASS)));
    let stick = bar(c, Colour::hex("#f6efe2"));
    let pale = if colour.l > 0.5 { Colour::hex(EBONITE) } else { Colour::hex(AMBER) };
    let second = bar(c, pale);
    let holder = |c: &mut Canvas, paint: &str, cigarette: bool| {
        if cigarette {
            c.rect((250.0, -25.0), (210.0, 50.0), 4.0, &stick);
            c.ellipse((460.0, 0.0), (8.0, 25.0), Colour::hex(TOBACCO));
        }
        c.path("M-440 -17C-446 -20 -452 -8 -452 0C-452 8 -446 20 -440 17C-420 13 -400 13 -380 14L120 32V-32L-380 -14C-400 -13 -420 -13 -440 -17Z", paint);
        c.path("M110 -32L262 -40C272 -40 276 -30 276 0C276 30 272 40 262 40L110 32Z", paint);
        c.rect((92.0, -36.0), (54.0, 72.0), 8.0, &gold);
        c.rect((246.0, -43.0), (28.0, 86.0), 8.0, &gold);
        c.line("M106 -34V34M132 -34V34", Colour::hex(BRASS).shade(0.5), 3.0, 0.6);
        glint(c, "M-420 -7L90 -17M152 -20H240", 5.0, 0.55);
    };
    c.transformed("rotate(-34)translate(0 -70)", |c| holder(c, &body, true));
    c.transformed("rotate(-20)translate(-10 130)scale(.86)", |c| holder(c, &second, false));
}

pub fn snuff_box(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let colour = look.colour;
    contact(c, (40.0, 4.0), (400.0, 110.0));
    let (wall, gold) = (look.upright(c), metal(c, Colour::hex(BRASS)));
    let (rx, ry) = (330.0, 116.0);
    let lid = "M-316 -214C-330 -330 -290 -470 -10 -478C270 -470 330 -340 316 -214Z";
    let paint = look.face(c);
    c.path("M-324 -210C-340 -340 -300 -484 -10 -492C280 -484 342 -340 326 -210Z", &gold);
    c.path(lid, paint);
    look.texture(c, lid, (-320.0, -480.0, 640.0, 270.0));
    c.line("M-270 -230C-276 -330 -230 -434 -8 -440C214 -434 276 -340 270 -230", colour.light(0.6), 4.0, 0.5);
    mark(c, (0.0, -338.0), 120.0, colour.ink());
    let body = d!(
        "M{} -180C{} -60 {} 20 -220 50C-90 76 90 76 220 50C{} 20 {} -60 {} -180Z",
        -rx,
        -rx,
        -rx + 40.0,
        rx - 40.0,
        rx,
        rx
    );
    c.path(&body, wall);
    look.texture(c, &body, (-rx, -180.0, rx * 2.0, 250.0));
    c.ellipse((0.0, -180.0), (rx + 6.0, ry), &gold);
    c.ellipse((0.0, -180.0), (rx - 16.0, ry - 12.0), colour.shade(0.7));
    c.inside(format!("M-320 -180{}", &hole((0.0, -180.0), (rx - 18.0, ry - 13.0))), |c| {
        let powder = Colour::hex("#8a5a34");
        let heap = c.radial((0.4, 0.3), 0.7, &[(0.0, powder.light(0.3), 1.0), (1.0, powder.shade(0.3), 1.0)]);
        c.ellipse((0.0, -140.0), (310.0, 100.0), heap);
        let mut dust = String::new();
        for _ in 0..50 {
            dust.push_str(&d!("M{} {}h1", dice.between(-280.0, 280.0), dice.between(-220.0, -90.0)));
        }
        c.line(dust, powder.shade(0.6), 4.0, 0.5);
        c.glaze("M-340 -300H340V-200C200 -260 -200 -260 -340 -190Z", "#1d120d", 0.35);
    });
    let hinge = metal(c, Colour::hex(BRASS));
    c.rect((-70.0, -300.0), (140.0, 22.0), 10.0, hinge);
    c.line("M-318 -90C-250 -20 250 -20 318 -90", Colour::hex(BRASS), 7.0, 1.0);
    let spoon = plate(c, Colour::hex(STEEL));
    c.transformed("translate(80 -190)rotate(-28)", |c| {
        c.path("M-70 0C-70 -26 -20 -30 0 -10L260 -8V8L0 10C-20 30 -70 26 -70 0Z", spoon);
    });
    glint(c, "M-290 -100C-270 -30 -230 10 -180 26", 9.0, 0.4);
}
