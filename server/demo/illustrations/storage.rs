//! Tins, jars, cigarette cases and holders, snuff boxes.

use super::canvas::{Canvas, N, d};
use super::materials::{Look, Material, TILT, ball, bar, contact, drum, glint, lit, metal, metal_bar, plate, round};
use super::motifs::{cork, hole, hoop, label, mark, tobacco};
use super::palette::{AMBER, BRASS, Color, EBONITE, PAPER, STEEL, TOBACCO};

pub fn tin(c: &mut Canvas, look: &Look) {
    let (color, steel) = (look.color, Color::hex(BRASS));
    contact(c, (40.0, 0.0), (390.0, 106.0));
    let (wall, lid, edge) = (round(c, color.shade(0.12)), round(c, color), metal(c, steel));
    let radius = 320.0;
    c.path(drum(0.0, (-190.0, 0.0), radius - 8.0), wall);
    let band = Color::hex(PAPER);
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
    c.line(words, color.shade(0.35), 14.0, 0.85);
    c.path(drum(0.0, (-8.0, 0.0), radius - 4.0), &edge);
    c.ellipse((0.0, -180.0), (radius, radius * TILT), color.shade(0.8));
    c.path(drum(0.0, (-260.0, -186.0), radius), lid);
    c.line(hoop(0.0, -190.0, radius), steel, 7.0, 1.0);
    c.line(hoop(0.0, -248.0, radius), color.light(0.6), 4.0, 0.5);
    let top = lit(c, color.light(0.08));
    c.ellipse((0.0, -260.0), (radius, radius * TILT), top);
    c.ring((0.0, -260.0), (radius - 4.0, radius * TILT - 3.0), color.light(0.7), 5.0, 0.7);
    c.transformed(d!("translate(0 -260)scale(1 {})", TILT), |c| {
        let ink = color.ink();
        c.ring((0.0, 0.0), (278.0, 278.0), ink, 6.0, 0.8);
        c.ring((0.0, 0.0), (262.0, 262.0), ink, 12.0, 0.5);
        c.circle((0.0, 0.0), 206.0, PAPER);
        mark(c, (0.0, 0.0), 372.0, color.shade(0.3));
    });
    glint(c, "M-268 -292C-180 -326 -60 -338 40 -338", 8.0, 0.4);
}

pub fn jar(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let clear = look.material == Material::Glass || look.material == Material::Plastic;
    contact(c, (40.0, 2.0), (300.0, 84.0));
    let shape = "M-170 -450C-200 -440 -236 -410 -240 -350V-60C-238 -10 -210 34 0 62C210 34 238 -10 240 -60V-350C236 -410 200 -440 170 -450Z";
    if clear {
        let back = c.linear(
            (0.0, 0.0),
            (1.0, 0.0),
            &[(0.0, color.light(0.2), 1.0), (0.5, color.light(0.45), 1.0), (1.0, color.shade(0.2), 1.0)],
        );
        c.path(shape, back);
        let dice = &mut look.dice();
        c.inside(shape, |c| {
            let fill = round(c, Color::hex(TOBACCO));
            c.path("M-216 -300H216V-60C214 -14 190 16 0 40C-190 16 -214 -14 -216 -60Z", fill);
            let clump = c.keep(false, |c| tobacco(c, dice, (0.0, 0.0), (122.0, 80.0), Color::hex(TOBACCO)));
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
                    (0.0, color.shade(0.5), 0.75),
                    (0.14, color, 0.25),
                    (0.6, color, 0.2),
                    (0.9, color.shade(0.6), 0.6),
                    (1.0, color.light(0.2), 0.6),
                ],
            );
            c.rect((-240.0, -460.0), (480.0, 530.0), 0.0, tint);
        });
    } else {
        let paint = look.upright(c);
        c.path(shape, paint);
        look.texture(c, shape, (-240.0, -450.0, 480.0, 510.0));
    }
    label(c, (0.0, -170.0), (250.0, 220.0), if color.l > 0.62 { color.shade(0.6) } else { color.shade(0.2) });
    if clear {
        glint(c, "M-206 -350V-70", 16.0, 0.4);
        glint(c, "M-176 -370V-110", 5.0, 0.4);
        glint(c, "M214 -330V-80", 6.0, 0.35);
    }
    let collar = drum(0.0, (-478.0, -440.0), 178.0);
    let rim = if clear { metal(c, color.light(0.2)) } else { round(c, color.light(0.1)) };
    c.path(collar, rim);
    let lid = drum(0.0, (-540.0, -486.0), 190.0);
    cork(c, &lid);
    let top = lit(c, Color::hex("#d3ab78"));
    c.ellipse((0.0, -540.0), (190.0, 190.0 * TILT), top);
    let knob = ball(c, Color::hex(BRASS));
    c.ellipse((0.0, -552.0), (34.0, 12.0), Color::hex(BRASS).shade(0.5));
    c.circle((0.0, -580.0), 36.0, knob);
}

pub fn cigarette_case(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let face = look.face(c);
    let stick = bar(c, Color::hex("#f6efe2"));
    let filter = bar(c, Color::hex("#c98d4f"));
    c.transformed("rotate(-12)scale(1.08)", |c| {
        c.details(|c| {
            c.rect((-396.0, -236.0), (392.0, 480.0), 30.0, color.shade(0.6));
            c.rect((12.0, -236.0), (392.0, 480.0), 30.0, color.shade(0.6));
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
        c.line(rays, color.shade(0.6), 3.0, 0.35);
        let plaque = plate(c, color.light(0.15));
        c.circle((204.0, 20.0), 74.0, plaque);
        c.ring((204.0, 20.0), (74.0, 74.0), color.shade(0.6), 4.0, 0.6);
        mark(c, (204.0, 20.0), 104.0, color.shade(0.62));
        c.rect((-376.0, -222.0), (346.0, 436.0), 16.0, color.shade(0.7));
        for index in 0..8 {
            let x = -370.0 + index as f32 * 42.6;
            c.stamp(d!("translate({} 0)rotate(90)", x + 19.0), |c| {
                c.rect((-204.0, -19.0), (290.0, 38.0), 3.0, &stick);
                c.rect((84.0, -19.0), (112.0, 38.0), 3.0, &filter);
            });
        }
        c.inside("M-376 -222H-30V214H-376Z", |c| {
            let strap = c.linear((0.0, 0.0), (0.0, 1.0), &[(0.0, Color::hex("#5a3626"), 1.0), (1.0, Color::hex("#2f1d16"), 1.0)]);
            c.rect((-380.0, -40.0), (356.0, 44.0), 0.0, strap);
            c.glaze("M-376 -222H-30V-204H-358V214H-376Z", "#1d120d", 0.3);
        });
        let hinge = metal(c, color);
        for y in [-190.0, -30.0, 130.0] {
            c.rect((-14.0, y), (28.0, 64.0), 8.0, &hinge);
        }
        let clasp = metal(c, Color::hex(BRASS));
        c.rect((392.0, -30.0), (24.0, 60.0), 8.0, clasp);
        glint(c, "M40 -236H370M-370 -236H-40", 5.0, 0.7);
    });
}

pub fn cigarette_holder(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let (body, gold) = (bar(c, color), metal_bar(c, Color::hex(BRASS)));
    let stick = bar(c, Color::hex("#f6efe2"));
    let pale = if color.l > 0.5 { Color::hex(EBONITE) } else { Color::hex(AMBER) };
    let second = bar(c, pale);
    let holder = |c: &mut Canvas, paint: &str, cigarette: bool| {
        if cigarette {
            c.rect((250.0, -25.0), (210.0, 50.0), 4.0, &stick);
            c.ellipse((460.0, 0.0), (8.0, 25.0), Color::hex(TOBACCO));
        }
        c.path("M-440 -17C-446 -20 -452 -8 -452 0C-452 8 -446 20 -440 17C-420 13 -400 13 -380 14L120 32V-32L-380 -14C-400 -13 -420 -13 -440 -17Z", paint);
        c.path("M110 -32L262 -40C272 -40 276 -30 276 0C276 30 272 40 262 40L110 32Z", paint);
        c.rect((92.0, -36.0), (54.0, 72.0), 8.0, &gold);
        c.rect((246.0, -43.0), (28.0, 86.0), 8.0, &gold);
        c.line("M106 -34V34M132 -34V34", Color::hex(BRASS).shade(0.5), 3.0, 0.6);
        glint(c, "M-420 -7L90 -17M152 -20H240", 5.0, 0.55);
    };
    c.transformed("rotate(-34)translate(0 -70)", |c| holder(c, &body, true));
    c.transformed("rotate(-20)translate(-10 130)scale(.86)", |c| holder(c, &second, false));
}

pub fn snuff_box(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let color = look.color;
    contact(c, (40.0, 4.0), (400.0, 110.0));
    let (wall, gold) = (look.upright(c), metal(c, Color::hex(BRASS)));
    let (rx, ry) = (330.0, 116.0);
    let lid = "M-316 -214C-330 -330 -290 -470 -10 -478C270 -470 330 -340 316 -214Z";
    let paint = look.face(c);
    c.path("M-324 -210C-340 -340 -300 -484 -10 -492C280 -484 342 -340 326 -210Z", &gold);
    c.path(lid, paint);
    look.texture(c, lid, (-320.0, -480.0, 640.0, 270.0));
    c.line("M-270 -230C-276 -330 -230 -434 -8 -440C214 -434 276 -340 270 -230", color.light(0.6), 4.0, 0.5);
    mark(c, (0.0, -338.0), 120.0, color.ink());
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
    c.ellipse((0.0, -180.0), (rx - 16.0, ry - 12.0), color.shade(0.7));
    c.inside(format!("M-320 -180{}", &hole((0.0, -180.0), (rx - 18.0, ry - 13.0))), |c| {
        let powder = Color::hex("#8a5a34");
        let heap = c.radial((0.4, 0.3), 0.7, &[(0.0, powder.light(0.3), 1.0), (1.0, powder.shade(0.3), 1.0)]);
        c.ellipse((0.0, -140.0), (310.0, 100.0), heap);
        let mut dust = String::new();
        for _ in 0..50 {
            dust.push_str(&d!("M{} {}h1", dice.between(-280.0, 280.0), dice.between(-220.0, -90.0)));
        }
        c.line(dust, powder.shade(0.6), 4.0, 0.5);
        c.glaze("M-340 -300H340V-200C200 -260 -200 -260 -340 -190Z", "#1d120d", 0.35);
    });
    let hinge = metal(c, Color::hex(BRASS));
    c.rect((-70.0, -300.0), (140.0, 22.0), 10.0, hinge);
    c.line("M-318 -90C-250 -20 250 -20 318 -90", Color::hex(BRASS), 7.0, 1.0);
    let spoon = plate(c, Color::hex(STEEL));
    c.transformed("translate(80 -190)rotate(-28)", |c| {
        c.path("M-70 0C-70 -26 -20 -30 0 -10L260 -8V8L0 10C-20 30 -70 26 -70 0Z", spoon);
    });
    glint(c, "M-290 -100C-270 -30 -230 10 -180 26", 9.0, 0.4);
}

/// A flat tin with round corners, hinged along its back.
pub fn tin_hinged(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let (face, edge) = (look.face(c), bar(c, color.shade(0.2)));
    c.transformed("rotate(-12)scale(1.1)", |c| {
        c.rect((-360.0, -196.0), (720.0, 440.0), 84.0, edge);
        c.rect((-360.0, -236.0), (720.0, 440.0), 84.0, face);
        if c.outlining() {
            return;
        }
        let shape = "M-276 -236H276C322 -236 360 -198 360 -152V120C360 166 322 204 276 204H-276C-322 204 -360 166 -360 120V-152C-360 -198 -322 -236 -276 -236Z";
        look.texture(c, shape, (-360.0, -236.0, 720.0, 440.0));
        c.line(shape, color.light(0.6), 4.0, 0.6);
        c.line("M-262 -196H262C300 -196 322 -174 322 -136V104C322 142 300 164 262 164H-262C-300 164 -322 142 -322 104V-136C-322 -174 -300 -196 -262 -196Z", color.shade(0.6), 4.0, 0.5);
        mark(c, (0.0, -16.0), 190.0, color.ink());
        let hinge = metal_bar(c, color.shade(0.1));
        for x in [-200.0, 120.0] {
            c.rect((x, -256.0), (84.0, 34.0), 14.0, &hinge);
        }
        c.rect((-44.0, 196.0), (88.0, 34.0), 12.0, &hinge);
        glint(c, "M-300 -180C-240 -214 -120 -216 0 -216", 8.0, 0.5);
    });
}

/// A hard case of wood for cigars, two halves on brass hinges.
pub fn case_hard(c: &mut Canvas, look: &Look) {
    let wood = look.color;
    c.transformed("rotate(10)scale(1.05)translate(-40 0)", |c| {
        super::motifs::cigar(c, (310.0, 10.0), (600.0, 50.0), -92.0);
        let (lid, shape) = (look.face(c), "M-240 -330H190V360H-240Z");
        c.rect((-250.0, -330.0), (460.0, 700.0), 46.0, lid);
        look.texture(c, shape, (-250.0, -330.0, 460.0, 700.0));
        if c.outlining() {
            return;
        }
        let tube = round(c, wood);
        for x in [-236.0, -88.0, 60.0] {
            c.rect((x, -316.0), (136.0, 672.0), 62.0, &tube);
        }
        look.texture(c, shape, (-250.0, -330.0, 460.0, 700.0));
        c.line("M-250 20H210", wood.shade(0.75), 7.0, 0.9);
        c.line("M-250 26H210", wood.light(0.5), 3.0, 0.5);
        let brass = plate(c, Color::hex(BRASS));
        for y in [-180.0, 210.0] {
            c.rect((-262.0, y), (30.0, 96.0), 8.0, &brass);
        }
        c.rect((176.0, -16.0), (46.0, 72.0), 10.0, &brass);
        mark(c, (-20.0, 190.0), 110.0, wood.shade(0.65));
    });
}

/// A jar of amber glass with a lid under a wire bale.
pub fn jar_bale(c: &mut Canvas, look: &Look) {
    let amber = Color::hex("#a85c14").mix(look.color, 0.12);
    let steel = Color::hex(STEEL);
    contact(c, (40.0, 2.0), (290.0, 80.0));
    let shape = "M-200 -430C-226 -410 -236 -380 -236 -350V-40C-230 10 -120 60 0 60C120 60 230 10 236 -40V-350C236 -380 226 -410 200 -430Z";
    let glass = c.linear(
        (0.0, 0.0),
        (1.0, 0.0),
        &[
            (0.0, amber.shade(0.55), 1.0),
            (0.16, amber.light(0.25), 1.0),
            (0.5, amber, 1.0),
            (0.86, amber.shade(0.5), 1.0),
            (1.0, amber.light(0.05), 1.0),
        ],
    );
    c.path(shape, glass);
    c.inside(shape, |c| {
        let leaf = c.linear(
            (0.0, 0.0),
            (0.0, 1.0),
            &[(0.0, amber.shade(0.7), 0.0), (0.2, amber.shade(0.75), 0.6), (1.0, amber.shade(0.85), 0.75)],
        );
        c.rect((-214.0, -300.0), (428.0, 350.0), 0.0, leaf);
    });
    label(c, (0.0, -150.0), (240.0, 200.0), amber.shade(0.6));
    let (rubber, lid) = (round(c, Color::hex("#c9b28a")), round(c, amber.shade(0.1)));
    c.path(drum(0.0, (-446.0, -424.0), 206.0), rubber);
    c.path(drum(0.0, (-500.0, -450.0), 200.0), lid);
    let top = lit(c, amber.light(0.2));
    c.ellipse((0.0, -500.0), (200.0, 200.0 * TILT), top);
    c.line("M-214 -420C-216 -480 -150 -520 0 -560C150 -520 216 -480 214 -420", steel.shade(0.15), 13.0, 1.0);
    c.line("M-226 -396C-120 -340 120 -340 226 -396", steel.shade(0.15), 13.0, 1.0);
    c.line("M-30 -366C-60 -300 -40 -270 0 -268C40 -270 60 -300 30 -366", steel.shade(0.15), 13.0, 1.0);
    glint(c, "M-218 -414C-214 -476 -150 -514 0 -554", 4.0, 0.6);
    glint(c, "M-200 -340V-80", 15.0, 0.4);
    glint(c, "M208 -330V-80", 6.0, 0.35);
}
