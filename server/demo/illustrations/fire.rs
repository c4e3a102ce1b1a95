//! Lighters, fuel, flints and matches.

use super::canvas::{Canvas, N, d};
use super::materials::{
    Cuboid, Look, ball, bar, contact, cylinder, drum, flame, glint, lit, metal, metal_bar, plate, round,
};
use super::motifs::{hoop, knurl, label, mark};
use super::palette::{BRASS, Color, STEEL};

/// The knurled wheel that strikes the spark.
fn wheel(c: &mut Canvas, (x, y): (f32, f32), radius: f32) {
    let steel = Color::hex(STEEL);
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
    let (color, steel) = (look.color, Color::hex(STEEL));
    let (w, h, depth) = (260.0, 350.0, 120.0);
    let case = Cuboid { at: (20.0, 0.0), width: w, height: h, depth };
    case.contact(c);
    let hinge = case.point(0.0, 0.3, 1.0);
    let lid = look.face(c);
    c.transformed(d!("translate({} {})rotate(-106)", hinge.0 + 2.0, hinge.1 + 8.0), |c| {
        c.rect((-4.0, -186.0), (w + 4.0, 186.0), 26.0, color.shade(0.6));
        c.rect((0.0, -180.0), (w - 6.0, 176.0), 24.0, &lid);
        let inner = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, color.shade(0.7), 1.0), (1.0, color.shade(0.3), 1.0)]);
        c.rect((14.0, -166.0), (w - 34.0, 166.0), 16.0, inner);
    });
    case.solid(c, color);
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
        let ink = color.ink();
        mark(c, (130.0, 176.0), 136.0, ink);
        c.line("M20 22H240V328H20Z", ink, 3.0, 0.4);
        glint(c, "M6 6V340", 5.0, 0.6);
        glint(c, "M6 5H254", 4.0, 0.6);
    });
}

/// A tube with a wheel on its side and a sleeve that slides up against the wind.
pub fn lighter_tube(c: &mut Canvas, look: &Look) {
    let color = look.color;
    contact(c, (30.0, 4.0), (200.0, 54.0));
    flame(c, (-34.0, -490.0), 180.0);
    let body = look.upright(c);
    c.path(drum(-34.0, (-410.0, 0.0), 78.0), &body);
    let wick = round(c, Color::hex("#e9dfca"));
    c.path(drum(-34.0, (-500.0, -410.0), 24.0), wick);
    c.path(drum(-34.0, (-456.0, -230.0), 92.0), &body);
    c.ellipse((-34.0, -456.0), (92.0, 24.0), color.shade(0.7));
    c.details(|c| {
        for y in [-390.0, -330.0] {
            for x in [-84.0, -34.0, 16.0] {
                c.circle((x, y + 14.0), 14.0, color.shade(0.8));
            }
        }
    });
    knurl(c, -34.0, (-180.0, -60.0), 78.0, color);
    c.path(drum(86.0, (-330.0, -120.0), 38.0), &body);
    c.ellipse((86.0, -330.0), (38.0, 10.0), color.light(0.4));
    c.path(drum(86.0, (-120.0, -96.0), 46.0), &body);
    wheel(c, (86.0, -370.0), 52.0);
    glint(c, "M-90 -210V-20", 8.0, 0.5);
}

pub fn lighter_torch(c: &mut Canvas, look: &Look) {
    torch(c, look, &[(58.0, 1.0)]);
}

pub fn lighter_torch_triple(c: &mut Canvas, look: &Look) {
    torch(c, look, &[(12.0, 0.62), (104.0, 0.62), (58.0, 0.8)]);
}

/// One slot that makes a wide, flat flame.
pub fn lighter_torch_flat(c: &mut Canvas, look: &Look) {
    torch(c, look, &[(58.0, 2.6)]);
}

/// A blue jet that stands on `x, y`; `wide` stretches it.
fn jet(c: &mut Canvas, (x, y): (f32, f32), wide: f32) {
    let blue = Color::hex("#4f8fd0");
    let paint =
        c.linear((0.0, 0.0), (0.0, 1.0), &[(0.0, blue, 0.0), (0.35, blue, 0.75), (1.0, Color::hex("#eaf6ff"), 1.0)]);
    c.details(|c| {
        c.transformed(d!("translate({} {})scale({} {})", x, y, wide, wide.min(1.0)), |c| {
            c.path("M-36 0C-44 -64 -18 -144 0 -180C18 -144 44 -64 36 0Z", paint);
            c.path("M-18 0C-22 -44 -10 -84 0 -114C10 -84 22 -44 18 0Z", "#eef8ff");
        });
    });
}

/// A torch with a jet for each place and width.
fn torch(c: &mut Canvas, look: &Look, jets: &[(f32, f32)]) {
    let (color, steel) = (look.color, Color::hex(STEEL));
    contact(c, (30.0, 0.0), (210.0, 56.0));
    let blue = Color::hex("#4f8fd0");
    c.details(|c| {
        let glow = c.radial((0.5, 0.6), 0.5, &[(0.0, blue.light(0.4), 0.7), (1.0, blue, 0.0)]);
        c.ellipse((58.0, -600.0), (100.0, 120.0), glow);
    });
    let nozzle = metal(c, steel);
    if jets.len() == 1 {
        cylinder(c, 58.0, (-540.0, -450.0), 58.0, &nozzle, "#33302f");
    } else {
        cylinder(c, 58.0, (-510.0, -450.0), 104.0, &nozzle, "#33302f");
    }
    for &(x, wide) in jets {
        if jets.len() > 1 {
            cylinder(c, x, (-548.0, -506.0), 32.0, &nozzle, "#1f1d1c");
        }
        jet(c, (x, if jets.len() > 1 { -546.0 } else { -536.0 }), wide);
    }
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
        &[(0.0, Color::hex("#d9e3de"), 0.9), (0.5, Color::hex("#8fa39c"), 0.95), (1.0, Color::hex("#4f5f5a"), 1.0)],
    );
    c.rect((-34.0, -260.0), (68.0, 170.0), 34.0, color.shade(0.7));
    c.rect((-26.0, -252.0), (52.0, 154.0), 26.0, window);
    c.line("M-22 -190Q0 -182 22 -190", "#f4fbf8", 4.0, 0.8);
    c.line("M-122 -330H120M-120 -316H118", color.shade(0.6), 4.0, 0.5);
    let foot = metal(c, steel);
    c.path("M-141 -34C-100 -6 100 -6 141 -34L139 -14C138 14 100 38 0 38C-100 38 -138 14 -139 -14Z", foot);
    glint(c, "M-108 -290L-98 -60", 9.0, 0.35);
}

pub fn lighter_pipe(c: &mut Canvas, look: &Look) {
    let (color, steel) = (look.color, Color::hex(STEEL));
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
        c.line(hoop(0.0, y, 108.0), color.shade(0.6), 4.0, 0.5);
    }
    let tool = metal(c, steel.light(0.1));
    c.path("M96 -380H128C140 -380 144 -372 144 -360V-60C144 -44 138 -36 126 -36H96Z", tool);
    c.line("M106 -350V-70", steel.shade(0.5), 5.0, 0.6);
    mark(c, (-6.0, -210.0), 110.0, color.ink());
}

/// A torch for the table: four jets that meet above a heavy foot.
pub fn torch_table(c: &mut Canvas, look: &Look) {
    let (color, steel) = (look.color, Color::hex(STEEL));
    contact(c, (40.0, 6.0), (330.0, 90.0));
    let (foot, body) = (metal(c, steel), look.upright(c));
    c.path(drum(0.0, (-50.0, 0.0), 250.0), &foot);
    c.ellipse((0.0, -50.0), (250.0, 65.0), steel.light(0.3));
    let shape = "M-150 -380C-190 -280 -210 -160 -200 -60C-120 -20 120 -20 200 -60C210 -160 190 -280 150 -380Z";
    c.path(shape, body);
    look.texture(c, shape, (-210.0, -380.0, 420.0, 350.0));
    c.path(drum(0.0, (-430.0, -372.0), 156.0), &foot);
    c.ellipse((0.0, -430.0), (156.0, 41.0), "#33302f");
    knurl(c, 0.0, (-426.0, -376.0), 156.0, steel);
    for (x, y) in [(-70.0, -440.0), (70.0, -440.0), (-36.0, -420.0), (36.0, -420.0)] {
        cylinder(c, x, (y - 26.0, y + 6.0), 24.0, &foot, "#1f1d1c");
        c.transformed(d!("translate({} {})rotate({})", x, y - 24.0, -x * 0.16), |c| jet(c, (0.0, 0.0), 0.6));
    }
    c.path("M150 -350C240 -356 284 -310 278 -240L240 -236C240 -290 210 -304 160 -298Z", &foot);
    glint(c, "M-140 -330C-166 -250 -176 -160 -170 -90", 12.0, 0.35);
    mark(c, (0.0, -200.0), 96.0, color.ink());
}

pub fn lighter_table(c: &mut Canvas, look: &Look) {
    let color = look.color;
    contact(c, (40.0, 6.0), (300.0, 84.0));
    flame(c, (0.0, -476.0), 190.0);
    let brass = metal(c, Color::hex(BRASS));
    c.path(drum(0.0, (-42.0, 0.0), 190.0), &brass);
    c.ellipse((0.0, -42.0), (190.0, 49.0), Color::hex(BRASS).light(0.4));
    let shape = "M-90 -330C-230 -300 -270 -200 -236 -110C-216 -60 -180 -40 -150 -34C-60 -16 60 -16 150 -34C180 -40 216 -60 236 -110C270 -200 230 -300 90 -330C40 -338 -40 -338 -90 -330Z";
    let paint = ball(c, color);
    c.path(shape, paint);
    look.texture(c, shape, (-270.0, -340.0, 540.0, 320.0));
    c.inside(shape, |c| {
        let dark = c.linear(
            (0.0, 0.0),
            (1.0, 0.4),
            &[(0.0, color.light(0.7), 0.0), (0.6, color.shade(0.8), 0.0), (1.0, color.shade(0.9), 0.5)],
        );
        c.rect((-270.0, -340.0), (540.0, 320.0), 0.0, dark);
    });
    c.path(drum(0.0, (-372.0, -322.0), 104.0), &brass);
    c.ellipse((0.0, -372.0), (104.0, 27.0), Color::hex(BRASS).light(0.3));
    c.path(drum(0.0, (-440.0, -372.0), 62.0), &brass);
    knurl(c, 0.0, (-440.0, -376.0), 62.0, Color::hex(BRASS));
    c.ellipse((0.0, -440.0), (62.0, 16.0), Color::hex(BRASS).light(0.45));
    c.path("M-13 -486H13V-438H-13Z", "#e9dfca");
    c.path("M-13 -486H13V-470H-13Z", "#3a2a20");
    wheel(c, (64.0, -452.0), 34.0);
    glint(c, "M-196 -250C-180 -280 -150 -296 -120 -304", 12.0, 0.6);
}

pub fn butane_can(c: &mut Canvas, look: &Look) {
    let (color, steel) = (look.color, Color::hex(STEEL));
    contact(c, (30.0, 2.0), (210.0, 56.0));
    let (tin, body) = (metal(c, steel), round(c, color));
    let plastic = round(c, Color::hex("#efe6d4"));
    c.path(drum(0.0, (-606.0, -520.0), 40.0), &plastic);
    c.ellipse((0.0, -606.0), (40.0, 10.0), "#fbf5e8");
    c.path(drum(0.0, (-650.0, -604.0), 15.0), &tin);
    c.path("M-62 -522C-120 -506 -146 -480 -150 -440H150C146 -480 120 -506 62 -522C40 -512 -40 -512 -62 -522Z", &tin);
    c.path(drum(0.0, (-446.0, 0.0), 150.0), &body);
    c.path(drum(0.0, (-452.0, -430.0), 154.0), &tin);
    c.path(drum(0.0, (-18.0, 2.0), 154.0), &tin);
    c.inside(drum(0.0, (-360.0, -90.0), 150.0), |c| {
        let paper = round(c, Color::hex("#f2e7d2"));
        c.path("M-150 -360A150 39 0 0 0 150 -360V-90A150 39 0 0 1 -150 -90Z", paper);
    });
    for y in [-346.0, -104.0] {
        c.line(hoop(0.0, y, 150.0), color.shade(0.2), 8.0, 0.9);
    }
    let ink = color.shade(0.3);
    c.path("M-4 -272C40 -230 62 -190 44 -148C32 -118 -40 -116 -50 -150C-58 -178 -40 -196 -28 -216C-20 -200 -14 -196 -8 -194C-2 -220 -8 -246 -4 -272Z", ink);
    c.path("M2 -196C24 -172 26 -152 18 -140C8 -128 -18 -130 -20 -148C-20 -164 -4 -174 2 -196Z", "#f2e7d2");
    c.line("M-60 -96Q0 -84 60 -96", ink, 9.0, 0.9);
    glint(c, "M-96 -420V10", 12.0, 0.25);
    let cap = metal(c, color.shade(0.15));
    c.transformed("translate(270 30)", |c| {
        contact(c, (10.0, 0.0), (110.0, 32.0));
        c.path(drum(0.0, (-120.0, 0.0), 84.0), &cap);
        c.ellipse((0.0, -120.0), (84.0, 22.0), color.light(0.3));
    });
}

pub fn flints(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let (color, steel) = (look.color, Color::hex(STEEL));
    let (rim, flint) = (plate(c, color), metal_bar(c, steel.shade(0.45)));
    let brass = metal_bar(c, Color::hex(BRASS));
    c.transformed("translate(-90 -50)scale(1.1)", |c| {
        c.circle((0.0, 0.0), 260.0, rim);
        if c.outlining() {
            return;
        }
        c.ring((2.0, 3.0), (259.0, 259.0), color.shade(0.6), 6.0, 0.8);
        let dice = &mut look.dice();
        let mut teeth = String::new();
        for tooth in 0..48 {
            let (sin, cos) = (tooth as f32 * std::f32::consts::TAU / 48.0).sin_cos();
            teeth.push_str(&d!("M{} {}L{} {}", cos * 238.0, sin * 238.0, cos * 258.0, sin * 258.0));
        }
        c.line(teeth, color.shade(0.6), 6.0, 0.5);
        let well = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, color.shade(0.6), 1.0), (1.0, color.shade(0.1), 1.0)]);
        c.circle((0.0, 0.0), 222.0, well);
        for index in 0..9 {
            let angle = index as f32 * 40.0 + dice.between(-4.0, 4.0);
            c.stamp(d!("rotate({})translate(142 0)", angle), |c| {
                c.ellipse((6.0, 8.0), (58.0, 26.0), color.shade(0.8));
                c.rect((-52.0, -21.0), (104.0, 42.0), 20.0, &flint);
                c.ellipse((50.0, 0.0), (8.0, 20.0), steel.light(0.2));
            });
        }
        let hub = lit(c, color.light(0.1));
        c.circle((0.0, 0.0), 72.0, hub);
        mark(c, (0.0, 0.0), 96.0, color.ink());
        let glass = c.linear(
            (0.0, 0.0),
            (1.0, 1.0),
            &[
                (0.0, Color::hex("#ffffff"), 0.55),
                (0.45, Color::hex("#ffffff"), 0.05),
                (1.0, Color::hex("#ffffff"), 0.12),
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
    let color = look.color;
    let card = Color::hex("#cfa877");
    let (stick, sleeve) = (bar(c, Color::hex("#ecd3a3")), lit(c, color));
    let head = ball(c, Color::hex(if dice.below(2) == 0 { "#a63b25" } else { "#3a2623" }));
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
        c.line("M-350 130H100", color.light(0.4), 4.0, 0.5);
        label(c, (-125.0, -40.0), (360.0, 270.0), color.shade(0.35));
        glint(c, "M-344 -204H94", 5.0, 0.4);
    });
    for (x, y, turn) in [(250.0, 300.0, -10.0), (360.0, 330.0, -30.0)] {
        c.stamp(d!("translate({} {})rotate({})", x, y, turn), |c| single(c, 420.0));
    }
}
