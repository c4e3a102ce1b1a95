//! Lighters, fuel, flints and matches.

use super::canvas::{Canvas, N, d};
use super::materials::{
    Cuboid, Look, ball, bar, contact, cylinder, drum, flame, glint, lit, metal, metal_bar, plate, round,
};
use super::motifs::{hoop, knurl, label, mark};
use super::palette::{BRASS, Colour, STEEL};

/// The knurled wheel that strikes the spark.
fn wheel(c: &mut Canvas, (x, y): (f32, f32), radius: f32) {
    let steel = Colour::hex(STEEL);
    let paint = plate(c, steel.shade(0.2));
    c.circle((x, y), radius, paint);
    if c.outlining() {
        return;
    }
    let mut teeth = String::new();
    for tooth in 0..18 {
        let (sin, cos) = (tooth as f32 * 0.349).sin_cos();
        teeth.push_str(&d!(
            "M{} {}L{} {}",
            x + cos * radius * 0.72,
            y + sin * radius * 0.72,
            x + cos * radius,
            y + sin * radius
        ));
    }
    c.line(teeth, steel.shade(0.75), radius * 0.1, 0.8);
    c.circle((x, y), radius * 0.26, steel.shade(0.6));
}

pub fn lighter_flip(c: &mut Canvas, look: &Look) {
    let (colour, steel) = (look.colour, Colour::hex(STEEL));
    let (w, h, depth) = (260.0, 350.0, 120.0);
    let case = Cuboid { at: (20.0, 0.0), width: w, height: h, depth };
    case.contact(c);
    let hinge = case.point(0.0, 0.3, 1.0);
    let lid = look.face(c);
    c.transformed(d!("translate({} {})rotate(-106)", hinge.0 + 2.0, hinge.1 + 8.0), |c| {
        c.rect((-4.0, -186.0), (w + 4.0, 186.0), 26.0, colour.shade(0.6));
        c.rect((0.0, -180.0), (w - 6.0, 176.0), 24.0, &lid);
        let inner = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, colour.shade(0.7), 1.0), (1.0, colour.shade(0.3), 1.0)]);
        c.rect((14.0, -166.0), (w - 34.0, 166.0), 16.0, inner);
    });
    case.solid(c, colour);
    case.top(c, |c| c.rect((8.0, 8.0), (w - 16.0, depth - 16.0), 10.0, steel.shade(0.45)));
    let chimney = Cuboid {
        at: (case.point(0.58, 0.5, 1.0).0, case.point(0.58, 0.5, 1.0).1),
        width: 150.0,
        height: 116.0,
        depth: 84.0,
    };
    flame(c, (chimney.point(0.5, 0.5, 0.8).0, chimney.point(0.5, 0.5, 0.8).1), 190.0);
    chimney.solid(c, steel);
    chimney.front(c, |c| {
        c.line("M27 38h0M59 38h0M91 38h0M123 38h0M27 74h0M59 74h0M91 74h0M123 74h0", steel.shade(0.8), 20.0, 0.95);
    });
    let at = case.point(0.18, 0.3, 1.0);
    c.rect((at.0 - 16.0, at.1 - 60.0), (40.0, 70.0), 6.0, steel.shade(0.3));
    wheel(c, (at.0 + 6.0, at.1 - 62.0), 40.0);
    case.front(c, |c| {
        let face = look.face(c);
        c.rect((0.0, 0.0), (w, h), 0.0, face);
        look.texture(c, "M0 0H260V350H0Z", (0.0, 0.0, w, h));
        let ink = colour.ink();
        mark(c, (130.0, 176.0), 136.0, ink);
        c.line("M20 22H240V328H20Z", ink, 3.0, 0.4);
        glint(c, "M6 6V340", 5.0, 0.6);
        glint(c, "M6 5H254", 4.0, 0.6);
    });
}

pub fn lighter_torch(c: &mut Canvas, look: &Look) {
    let (colour, steel) = (look.colour, Colour::hex(STEEL));
    contact(c, (30.0, 0.0), (210.0, 56.0));
    let blue = Colour::hex("#4f8fd0");
    c.details(|c| {
        let glow = c.radial((0.5, 0.6), 0.5, &[(0.0, blue.light(0.4), 0.7), (1.0, blue, 0.0)]);
        c.ellipse((58.0, -600.0), (100.0, 120.0), glow);
        let jet = c.linear(
            (0.0, 0.0),
            (0.0, 1.0),
            &[(0.0, blue, 0.0), (0.35, blue, 0.75), (1.0, Colour::hex("#eaf6ff"), 1.0)],
        );
        c.path("M22 -536C14 -600 40 -680 58 -716C76 -680 102 -600 94 -536Z", &jet);
        c.path("M40 -536C36 -580 48 -620 58 -650C68 -620 80 -580 76 -536Z", "#eef8ff");
    });
    let nozzle = metal(c, steel);
    cylinder(c, 58.0, (-540.0, -450.0), 58.0, &nozzle, "#33302f");
    let paint = look.upright(c);
    let shape = "M-150 -400C-150 -450 -110 -470 -60 -470H110C150 -470 164 -440 160 -400L140 -20C138 10 100 34 0 34C-100 34 -138 10 -140 -20Z";
    c.path(shape, paint);
    look.texture(c, shape, (-150.0, -470.0, 310.0, 500.0));
    let trigger = metal(c, steel.shade(0.1));
    c.path(
        "M-176 -468C-176 -500 -120 -512 -40 -500L-20 -430C-70 -440 -130 -420 -150 -372C-172 -380 -176 -440 -176 -468Z",
        &trigger,
    );
    c.line("M-158 -470L-60 -474M-160 -456L-66 -460M-161 -442L-84 -446", steel.shade(0.6), 5.0, 0.7);
    let window = c.linear(
        (0.0, 0.0),
        (1.0, 1.0),
        &[(0.0, Colour::hex("#d9e3de"), 0.9), (0.5, Colour::hex("#8fa39c"), 0.95), (1.0, Colour::hex("#4f5f5a"), 1.0)],
    );
    c.rect((-34.0, -260.0), (68.0, 170.0), 34.0, colour.shade(0.7));
    c.rect((-26.0, -252.0), (52.0, 154.0), 26.0, window);
    c.line("M-22 -190Q0 -182 22 -190", "#f4fbf8", 4.0, 0.8);
    c.line("M-122 -330H120M-120 -316H118", colour.shade(0.6), 4.0, 0.5);
    let foot = metal(c, steel);
    c.path("M-141 -34C-100 -6 100 -6 141 -34L139 -14C138 14 100 38 0 38C-100 38 -138 14 -139 -14Z", foot);
    glint(c, "M-108 -290L-98 -60", 9.0, 0.35);
}

pub fn lighter_pipe(c: &mut Canvas, look: &Look) {
    let (colour, steel) = (look.colour, Colour::hex(STEEL));
    contact(c, (22.0, 2.0), (150.0, 44.0));
    c.transformed("translate(104 -470)rotate(64)", |c| flame(c, (0.0, 0.0), 190.0));
    let silver = metal(c, steel);
    c.transformed("translate(-86 -520)rotate(-34)", |c| {
        c.rect((-20.0, -96.0), (190.0, 96.0), 18.0, &silver);
        c.line("M-8 -22H160", steel.shade(0.6), 4.0, 0.5);
    });
    c.rect((-70.0, -560.0), (140.0, 130.0), 14.0, &silver);
    c.line("M40 -500h0M40 -472h0M10 -500h0M10 -472h0", steel.shade(0.8), 18.0, 0.95);
    wheel(c, (-36.0, -560.0), 38.0);
    let paint = look.upright(c);
    c.path(drum(0.0, (-440.0, 0.0), 108.0), &paint);
    look.texture(c, &drum(0.0, (-440.0, 0.0), 108.0), (-108.0, -440.0, 216.0, 470.0));
    c.ellipse((0.0, -440.0), (108.0, 28.0), steel.light(0.35));
    c.path(drum(0.0, (-452.0, -424.0), 112.0), &silver);
    c.path(drum(0.0, (-26.0, 0.0), 112.0), &silver);
    for y in [-392.0, -378.0, -66.0, -52.0] {
        c.line(hoop(0.0, y, 108.0), colour.shade(0.6), 4.0, 0.5);
    }
    let tool = metal(c, steel.light(0.1));
    c.path("M96 -380H128C140 -380 144 -372 144 -360V-60C144 -44 138 -36 126 -36H96Z", tool);
    c.line("M106 -350V-70", steel.shade(0.5), 5.0, 0.6);
    mark(c, (-6.0, -210.0), 110.0, colour.ink());
}

pub fn lighter_table(c: &mut Canvas, look: &Look) {
    let colour = look.colour;
    contact(c, (40.0, 6.0), (300.0, 84.0));
    flame(c, (0.0, -476.0), 190.0);
    let brass = metal(c, Colour::hex(BRASS));
    c.path(drum(0.0, (-42.0, 0.0), 190.0), &brass);
    c.ellipse((0.0, -42.0), (190.0, 49.0), Colour::hex(BRASS).light(0.4));
    let shape = "M-90 -330C-230 -300 -270 -200 -236 -110C-216 -60 -180 -40 -150 -34C-60 -16 60 -16 150 -34C180 -40 216 -60 236 -110C270 -200 230 -300 90 -330C40 -338 -40 -338 -90 -330Z";
    let paint = ball(c, colour);
    c.path(shape, paint);
    look.texture(c, shape, (-270.0, -340.0, 540.0, 320.0));
    c.inside(shape, |c| {
        let dark = c.linear(
            (0.0, 0.0),
            (1.0, 0.4),
            &[(0.0, colour.light(0.7), 0.0), (0.6, colour.shade(0.8), 0.0), (1.0, colour.shade(0.9), 0.5)],
        );
        c.rect((-270.0, -340.0), (540.0, 320.0), 0.0, dark);
    });
    c.path(drum(0.0, (-372.0, -322.0), 104.0), &brass);
    c.ellipse((0.0, -372.0), (104.0, 27.0), Colour::hex(BRASS).light(0.3));
    c.path(drum(0.0, (-440.0, -372.0), 62.0), &brass);
    knurl(c, 0.0, (-440.0, -376.0), 62.0, Colour::hex(BRASS));
    c.ellipse((0.0, -440.0), (62.0, 16.0), Colour::hex(BRASS).light(0.45));
    c.path("M-13 -486H13V-438H-13Z", "#e9dfca");
    c.path("M-13 -486H13V-470H-13Z", "#3a2a20");
    wheel(c, (64.0, -452.0), 34.0);
    glint(c, "M-196 -250C-180 -280 -150 -296 -120 -304", 12.0, 0.6);
}

pub fn butane_can(c: &mut Canvas, look: &Look) {
    let (colour, steel) = (look.colour, Colour::hex(STEEL));
    contact(c, (30.0, 2.0), (210.0, 56.0));
    let (tin, body) = (metal(c, steel), round(c, colour));
    let plastic = round(c, Colour::hex("#efe6d4"));
    c.path(drum(0.0, (-606.0, -520.0), 40.0), &plastic);
    c.ellipse((0.0, -606.0), (40.0, 10.0), "#fbf5e8");
    c.path(drum(0.0, (-650.0, -604.0), 15.0), &tin);
    c.path("M-62 -522C-120 -506 -146 -480 -150 -440H150C146 -480 120 -506 62 -522C40 -512 -40 -512 -62 -522Z", &tin);
    c.path(drum(0.0, (-446.0, 0.0), 150.0), &body);
    c.path(drum(0.0, (-452.0, -430.0), 154.0), &tin);
    c.path(drum(0.0, (-18.0, 2.0), 154.0), &tin);
    c.inside(drum(0.0, (-360.0, -90.0), 150.0), |c| {
        let paper = round(c, Colour::hex("#f2e7d2"));
        c.path("M-150 -360A150 39 0 0 0 150 -360V-90A150 39 0 0 1 -150 -90Z", paper);
    });
    for y in [-346.0, -104.0] {
        c.line(hoop(0.0, y, 150.0), colour.shade(0.2), 8.0, 0.9);
    }
    let ink = colour.shade(0.3);
    c.path("M-4 -272C40 -230 62 -190 44 -148C32 -118 -40 -116 -50 -150C-58 -178 -40 -196 -28 -216C-20 -200 -14 -196 -8 -194C-2 -220 -8 -246 -4 -272Z", ink);
    c.path("M2 -196C24 -172 26 -152 18 -140C8 -128 -18 -130 -20 -148C-20 -164 -4 -174 2 -196Z", "#f2e7d2");
    c.line("M-60 -96Q0 -84 60 -96", ink, 9.0, 0.9);
    glint(c, "M-96 -420V10", 12.0, 0.25);
    let cap = metal(c, colour.shade(0.15));
    c.transformed("translate(270 30)", |c| {
        contact(c, (10.0, 0.0), (110.0, 32.0));
        c.path(drum(0.0, (-120.0, 0.0), 84.0), &cap);
        c.ellipse((0.0, -120.0), (84.0, 22.0), colour.light(0.3));
    });
}

pub fn flints(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let (colour, steel) = (look.colour, Colour::hex(STEEL));
    let (rim, flint) = (plate(c, colour), metal_bar(c, steel.shade(0.45)));
    let brass = metal_bar(c, Colour::hex(BRASS));
    c.transformed("translate(-90 -50)scale(1.1)", |c| {
        c.circle((0.0, 0.0), 260.0, rim);
        if c.outlining() {
            return;
        }
        c.ring((2.0, 3.0), (259.0, 259.0), colour.shade(0.6), 6.0, 0.8);
        let dice = &mut look.dice();
        let mut teeth = String::new();
        for tooth in 0..48 {
            let (sin, cos) = (tooth as f32 * std::f32::consts::TAU / 48.0).sin_cos();
            teeth.push_str(&d!("M{} {}L{} {}", cos * 238.0, sin * 238.0, cos * 258.0, sin * 258.0));
        }
        c.line(teeth, colour.shade(0.6), 6.0, 0.5);
        let well = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, colour.shade(0.6), 1.0), (1.0, colour.shade(0.1), 1.0)]);
        c.circle((0.0, 0.0), 222.0, well);
        for index in 0..9 {
            let angle = index as f32 * 40.0 + dice.between(-4.0, 4.0);
            c.stamp(d!("rotate({})translate(142 0)", angle), |c| {
                c.ellipse((6.0, 8.0), (58.0, 26.0), colour.shade(0.8));
                c.rect((-52.0, -21.0), (104.0, 42.0), 20.0, &flint);
                c.ellipse((50.0, 0.0), (8.0, 20.0), steel.light(0.2));
            });
        }
        let hub = lit(c, colour.light(0.1));
        c.circle((0.0, 0.0), 72.0, hub);
        mark(c, (0.0, 0.0), 96.0, colour.ink());
        let glass = c.linear(
            (0.0, 0.0),
            (1.0, 1.0),
            &[
                (0.0, Colour::hex("#ffffff"), 0.55),
                (0.45, Colour::hex("#ffffff"), 0.05),
                (1.0, Colour::hex("#ffffff"), 0.12),
            ],
        );
        c.details(|c| c.circle((0.0, 0.0), 222.0, glass));
        glint(c, "M-196 -80C-170 -150 -110 -196 -40 -208", 9.0, 0.6);
    });
    for (x, y, turn) in [(270.0, 190.0, 24.0), (330.0, 90.0, -38.0), (180.0, 300.0, -8.0), (340.0, 290.0, 62.0)] {
        c.transformed(d!("translate({} {})rotate({})", x, y, turn + dice.between(-9.0, 9.0)), |c| {
            c.rect((-62.0, -25.0), (124.0, 50.0), 22.0, if x > 335.0 { &brass } else { &flint });
            c.ellipse((58.0, 0.0), (10.0, 24.0), steel.light(0.3));
        });
    }
}

pub fn matches(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let colour = look.colour;
    let card = Colour::hex("#cfa877");
    let (stick, sleeve) = (bar(c, Colour::hex("#ecd3a3")), lit(c, colour));
    let head = ball(c, Colour::hex(if dice.below(2) == 0 { "#a63b25" } else { "#3a2623" }));
    let single = |c: &mut Canvas, length: f32| {
        c.rect((-length, -9.0), (length, 18.0), 3.0, &stick);
        c.ellipse((2.0, 0.0), (25.0, 17.0), &head);
    };
    c.transformed("rotate(-24)scale(1.1)", |c| {
        let tray = lit(c, card);
        c.transformed("translate(120 -40)", |c| {
            c.rect((-300.0, -170.0), (600.0, 340.0), 8.0, &tray);
            if c.outlining() {
                return;
            }
            c.rect((-286.0, -154.0), (572.0, 308.0), 4.0, card.shade(0.6));
            let dice = &mut look.dice();
            for index in 0..11 {
                let y = -138.0 + index as f32 * 27.4 + dice.between(-2.0, 2.0);
                c.stamp(d!("translate({} {})", 250.0 + dice.between(-12.0, 8.0), y), |c| single(c, 420.0));
            }
        });
        c.glaze("M86 -214L120 -190V190L86 214Z", "#000000", 0.3);
        c.rect((-350.0, -210.0), (450.0, 340.0), 8.0, sleeve);
        c.path("M-350 130H100V206C100 212 96 214 92 214H-342C-348 214 -350 210 -350 204Z", "#4a3630");
        let mut grit = String::new();
        for _ in 0..40 {
            grit.push_str(&d!("M{} {}h1", dice.between(-340.0, 90.0), dice.between(138.0, 206.0)));
        }
        c.line(grit, "#7b5e52", 4.0, 0.8);
        c.line("M-350 130H100", colour.light(0.4), 4.0, 0.5);
        label(c, (-125.0, -40.0), (360.0, 270.0), colour.shade(0.35));
        glint(c, "M-344 -204H94", 5.0, 0.4);
    });
    for (x, y, turn) in [(250.0, 300.0, -10.0), (360.0, 330.0, -30.0)] {
        c.stamp(d!("translate({} {})rotate({})", x, y, turn), |c| single(c, 420.0));
    }
}
