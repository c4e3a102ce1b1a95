//! Things to wear, write in, light and give.

use super::canvas::{Canvas, N, d};
use super::materials::{
    Cuboid, Look, Material, TILT, ball, bar, contact, drum, flame, glint, lit, metal, metal_bar, pebbles, plate, round,
    stitch, thread, weave,
};
use super::motifs::{hole, label, mark};
use super::palette::{BRASS, Color, EBONITE, PAPER, STEEL};

pub fn candle(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let wax = Color::hex("#f3e6c8");
    contact(c, (40.0, 2.0), (300.0, 84.0));
    let radius = 220.0;
    let glass = c.linear(
        (0.0, 0.0),
        (1.0, 0.0),
        &[
            (0.0, color.shade(0.3), 1.0),
            (0.12, color.light(0.4), 1.0),
            (0.5, color.light(0.1), 1.0),
            (0.88, color.shade(0.4), 1.0),
            (1.0, color.light(0.1), 1.0),
        ],
    );
    c.ellipse((0.0, -430.0), (radius, radius * TILT), color.shade(0.4));
    c.ellipse((0.0, -376.0), (radius - 14.0, radius * TILT - 6.0), wax);
    let pool =
        c.radial((0.5, 0.5), 0.5, &[(0.0, Color::hex("#ffdf8e"), 1.0), (0.7, wax, 1.0), (1.0, wax.shade(0.14), 1.0)]);
    c.ellipse((0.0, -376.0), (radius - 20.0, radius * TILT - 9.0), pool);
    c.line("M0 -374C2 -396 -4 -404 2 -424", "#2a1a10", 7.0, 1.0);
    let shape = d!("M-220 -430V0A220 {} 0 0 0 220 0V-430A220 {} 0 0 1 -220 -430Z", radius * TILT, radius * TILT);
    c.path(&shape, glass);
    c.inside(&shape, |c| {
        let warm = Color::hex("#ffd98a");
        let glow = c.radial((0.5, 0.1), 0.6, &[(0.0, warm, 0.6), (1.0, warm, 0.0)]);
        c.rect((-220.0, -430.0), (440.0, 420.0), 0.0, glow);
        let foot = c.linear((0.0, 0.0), (0.0, 1.0), &[(0.0, color.light(0.7), 0.0), (1.0, color.light(0.7), 0.5)]);
        c.rect((-220.0, -30.0), (440.0, 90.0), 0.0, foot);
    });
    label(c, (0.0, -180.0), (230.0, 230.0), color.shade(0.45));
    c.ring((0.0, -430.0), (radius, radius * TILT), color.light(0.75), 6.0, 0.8);
    glint(c, "M-184 -380V-20", 16.0, 0.4);
    glint(c, "M190 -370V-40", 6.0, 0.35);
    flame(c, (2.0, -410.0), 170.0);
}

/// A pillar of wax without a glass.
pub fn candle_pillar(c: &mut Canvas, look: &Look) {
    let wax = look.color;
    contact(c, (36.0, 4.0), (270.0, 76.0));
    let radius = 190.0;
    let wall = round(c, wax);
    c.path(drum(0.0, (-520.0, 0.0), radius), wall);
    let rind = drum(0.0, (-520.0, 0.0), radius);
    c.inside(&rind, |c| {
        let warm = Color::hex("#ffd98a");
        let glow = c.linear((0.0, 0.0), (0.0, 1.0), &[(0.0, warm, 0.65), (0.5, warm, 0.0), (1.0, warm, 0.0)]);
        c.rect((-radius, -570.0), (radius * 2.0, 640.0), 0.0, glow);
        c.line("M-150 -500C-140 -400 -150 -380 -146 -330M96 -480C100 -420 92 -400 98 -372", wax.light(0.6), 22.0, 0.8);
    });
    let top =
        c.radial((0.5, 0.5), 0.5, &[(0.0, Color::hex("#ffdf8e"), 1.0), (0.7, wax.light(0.3), 1.0), (1.0, wax, 1.0)]);
    c.ellipse((0.0, -520.0), (radius, radius * TILT), wax.light(0.3));
    c.ellipse((0.0, -514.0), (radius - 26.0, radius * TILT - 9.0), top);
    c.line("M0 -510C2 -530 -4 -540 2 -560", "#2a1a10", 7.0, 1.0);
    flame(c, (2.0, -546.0), 170.0);
}

pub fn room_spray(c: &mut Canvas, look: &Look) {
    let color = look.color;
    contact(c, (34.0, 2.0), (230.0, 64.0));
    let black = round(c, Color::hex(EBONITE));
    let collar = metal(c, Color::hex(BRASS));
    c.path("M-64 -650C-64 -664 -54 -670 -40 -670H84C100 -670 110 -660 110 -644V-616H64V-566H-64Z", &black);
    c.rect((108.0, -652.0), (20.0, 22.0), 4.0, Color::hex(STEEL));
    c.path(drum(0.0, (-570.0, -520.0), 72.0), &collar);
    let shape = "M-58 -528C-64 -490 -150 -480 -162 -420V-20C-160 14 -130 42 0 48C130 42 160 14 162 -20V-420C150 -480 64 -490 58 -528Z";
    let glass = c.linear(
        (0.0, 0.0),
        (1.0, 0.0),
        &[
            (0.0, color.shade(0.5), 1.0),
            (0.1, color.shade(0.1), 1.0),
            (0.26, color.light(0.3), 1.0),
            (0.5, color, 1.0),
            (0.86, color.shade(0.5), 1.0),
            (1.0, color.shade(0.2), 1.0),
        ],
    );
    c.path(shape, glass);
    c.inside(shape, |c| {
        c.glaze("M-170 -380Q0 -350 170 -380V60H-170Z", color.shade(0.7), 0.35);
        c.line("M-160 -380Q0 -350 160 -380", color.light(0.7), 4.0, 0.5);
        c.line("M4 -540C0 -300 6 -120 -30 10", color.shade(0.8), 8.0, 0.5);
        let foot = c.linear((0.0, 0.0), (0.0, 1.0), &[(0.0, color.light(0.6), 0.0), (1.0, color.light(0.6), 0.45)]);
        c.rect((-170.0, -50.0), (340.0, 110.0), 0.0, foot);
    });
    label(c, (0.0, -200.0), (220.0, 270.0), color.shade(0.4));
    glint(c, "M-132 -410V-30", 12.0, 0.45);
    glint(c, "M-60 -648H60", 6.0, 0.4);
}

pub fn journal(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let cover = lit(c, color);
    c.transformed("rotate(-13)scale(1.03)", |c| {
        let paper = Color::hex(PAPER);
        let pen = metal_bar(c, Color::hex(BRASS));
        let barrel = bar(c, Color::hex(EBONITE));
        c.transformed("translate(330 120)rotate(98)", |c| {
            c.path("M-250 -19H150L196 -8V8L150 19H-250C-264 19 -264 -19 -250 -19Z", barrel);
            c.path("M190 -10L258 0L190 10Z", &pen);
            c.rect((-40.0, -22.0), (28.0, 44.0), 4.0, &pen);
            c.rect((-220.0, -26.0), (150.0, 12.0), 6.0, &pen);
        });
        c.path("M140 380L150 470L172 446L190 472L186 380Z", Color::hex("#9c3a2a"));
        c.rect((-272.0, -362.0), (568.0, 764.0), 24.0, color.shade(0.6));
        c.rect((-260.0, -366.0), (546.0, 758.0), 10.0, paper.shade(0.1));
        c.line("M-250 382H276M-250 375H276M-250 368H276", paper.shade(0.45), 2.0, 0.5);
        c.line("M270 -350V380M277 -350V384", paper.shade(0.45), 2.0, 0.5);
        let shape = "M-270 -380H236C258 -380 270 -368 270 -346V332C270 354 258 366 236 366H-270C-284 366 -292 358 -292 344V-358C-292 -372 -284 -380 -270 -380Z";
        c.path(shape, cover);
if c.outlining() {
 return;
 }
        look.texture(c, shape, (-292.0, -380.0, 562.0, 746.0));
        let spine = c.linear((0.0, 0.0), (1.0, 0.0), &[(0.0, color.shade(0.35), 0.7), (0.35, color.light(0.4), 0.5), (0.7, color.shade(0.6), 0.6), (1.0, color, 0.0)]);
        c.rect((-292.0, -380.0), (86.0, 746.0), 14.0, spine);
        stitch(c, "M-190 -352H226C238 -352 244 -346 244 -334V320C244 332 238 340 226 340H-190Z", color, thread(color));
        mark(c, (6.0, -60.0), 190.0, color.shade(0.5));
        c.transformed("translate(-1.5 -2.5)", |c| c.ring((6.0, -60.0), (100.0, 100.0), color.light(0.5), 2.0, 0.4));
        let elastic = c.linear((0.0, 0.0), (1.0, 0.0), &[(0.0, color.shade(0.8), 1.0), (0.4, color.shade(0.45), 1.0), (1.0, color.shade(0.85), 1.0)]);
        c.glaze("M196 -380H230V366H196Z", "#1d120d", 0.25);
        c.rect((184.0, -384.0), (34.0, 754.0), 3.0, elastic);
        glint(c, "M-280 -372H240", 5.0, 0.3);
    });
}

/// A flat cap: soft panels pulled forward over a short stiff brim.
/// A board with three hollows: a long one for a pipe, a round one for coins, a square one; and a groove.
pub fn tray_board(c: &mut Canvas, look: &Look) {
    let color = look.color;
    c.transformed("rotate(-8)", |c| {
        let (board, shape) = (look.face(c), "M-450 -280H450V280H-450Z");
        c.rect((-450.0, -280.0), (900.0, 560.0), 40.0, board);
        look.texture(c, shape, (-450.0, -280.0, 900.0, 560.0));
        let well = c.linear(
            (0.0, 0.0),
            (1.0, 1.0),
            &[(0.0, color.shade(0.65), 1.0), (0.4, color.shade(0.3), 1.0), (1.0, color.light(0.12), 1.0)],
        );
        c.details(|c| {
            c.rect((-400.0, -230.0), (800.0, 180.0), 90.0, &well);
            c.rect((-400.0, 20.0), (330.0, 210.0), 24.0, &well);
            c.circle((250.0, 120.0), 125.0, &well);
            c.rect((-400.0, -24.0), (800.0, 20.0), 10.0, color.shade(0.7));
            let brass = plate(c, Color::hex(BRASS));
            for (x, y) in [(220.0, 130.0), (276.0, 100.0), (256.0, 166.0)] {
                c.circle((x + 3.0, y + 5.0), 36.0, color.shade(0.8));
                c.circle((x, y), 36.0, &brass);
            }
            c.ring((-290.0, 120.0), (46.0, 46.0), Color::hex(BRASS), 16.0, 1.0);
            c.line("M-246 126L-120 150M-150 146L-156 178M-126 150L-132 180", Color::hex(BRASS).shade(0.1), 16.0, 1.0);
            c.transformed("translate(0 -132)rotate(5)scale(.62)", |c| {
                super::pipes::billiard(
                    c,
                    &Look { color: Color::hex("#8a4a26"), material: Material::Wood, seed: look.seed },
                );
            });
        });
    });
}

pub fn tray_valet(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let skin = pebbles(c, color);
    let leather = look.material == Material::Leather;
    c.transformed("rotate(9)scale(1.04)", |c| {
        let shape = "M-330 -400H330L400 -330V330L330 400H-330L-400 330V-330Z";
        let outer = lit(c, color.light(0.06));
        c.path(shape, outer);
        if c.outlining() {
            return;
        }
        let wall = |c: &mut Canvas, d: &str, tone: Color| c.path(d, tone);
        wall(c, "M-330 -400H330L280 -290H-280Z", color.shade(0.34));
        wall(c, "M-400 -330V330L-290 280V-280Z", color.shade(0.24));
        wall(c, "M400 -330V330L290 280V-280Z", color.light(0.16));
        wall(c, "M-330 400H330L280 290H-280Z", color.light(0.24));
        let lining = c.linear(
            (0.0, 0.0),
            (1.0, 1.0),
            &[(0.0, color.shade(0.44), 1.0), (0.3, color.shade(0.12), 1.0), (1.0, color.light(0.1), 1.0)],
        );
        c.rect((-290.0, -290.0), (580.0, 580.0), 12.0, lining);
        if leather {
            c.glaze(shape, &skin, 0.5);
        } else {
            look.texture(c, shape, (-400.0, -400.0, 800.0, 800.0));
        }
        stitch(c, "M-316 -378H316M-316 378H316M-378 -316V316M378 -316V316", color, thread(color));
        c.line("M-290 -290H290V290H-290Z", color.shade(0.6), 4.0, 0.5);
        let snap = plate(c, Color::hex(BRASS));
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            c.glaze(
                d!("M{} {}L{} {}L{} {}Z", x * 330.0, y * 400.0, x * 284.0, y * 284.0, x * 400.0, y * 330.0),
                color.shade(0.8),
                0.4,
            );
            c.circle((x * 330.0 + 3.0, y * 330.0 + 4.0), 27.0, color.shade(0.7));
            c.circle((x * 330.0, y * 330.0), 25.0, &snap);
            c.ring((x * 330.0, y * 330.0), (14.0, 14.0), Color::hex(BRASS).shade(0.5), 3.0, 0.7);
        }
        let steel = plate(c, Color::hex(STEEL));
        c.transformed("translate(-110 60)rotate(-38)", |c| {
            c.glaze("M-94 14H196V36H-94Z", "#1d120d", 0.3);
            let bow = format!("M-70 -70a70 70 0 1 1 0 140a70 70 0 1 1 0 -140z{}", hole((-84.0, 0.0), (34.0, 34.0)));
            c.path(bow, &snap);
            c.path("M-6 -14H190V14H168V40H146V14H124V34H102V14H-6Z", &snap);
        });
        c.glaze("M110 -130a74 74 0 1 0 148 0a74 74 0 1 0 -148 0z", "#1d120d", 0.3);
        c.circle((176.0, -142.0), 72.0, &steel);
        c.circle((176.0, -142.0), 56.0, PAPER);
        c.line("M176 -142V-182M176 -142L204 -126", "#2a1a10", 6.0, 1.0);
        c.ring((176.0, -142.0), (64.0, 64.0), Color::hex(STEEL).shade(0.5), 3.0, 0.6);
    });
}

pub fn cleaning_kit(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let cloth = weave(c, color);
    let (base, steel) = (lit(c, color), metal(c, Color::hex(STEEL)));
    c.transformed("rotate(-8)scale(1.04)", |c| {
        let shape = "M-400 -290C-280 -300 -100 -286 60 -296C200 -302 320 -288 400 -292C396 -100 404 100 398 290C200 300 -200 284 -398 294C-404 100 -396 -100 -400 -290Z";
        c.path(shape, base);
if c.outlining() {
 return;
 }
        c.glaze(shape, &cloth, 0.8);
        stitch(c, "M-376 -266H376V268H-376Z", color, thread(color));
        let pocket = lit(c, color.shade(0.2));
        let amber = Color::hex("#8a4a1c");
        let glass = c.linear((0.0, 0.0), (1.0, 0.0), &[(0.0, amber.shade(0.5), 1.0), (0.25, amber.light(0.35), 1.0), (0.6, amber, 1.0), (1.0, amber.shade(0.6), 1.0)]);
        c.transformed("translate(-260 0)", |c| {
            c.rect((-38.0, -236.0), (76.0, 84.0), 10.0, EBONITE);
            c.path("M-34 -150C-40 -130 -84 -120 -84 -80V150H84V-80C84 -120 40 -130 34 -150Z", glass);
            label(c, (0.0, 10.0), (130.0, 140.0), color.shade(0.4));
            glint(c, "M-66 -80V100", 8.0, 0.45);
        });
        let handle = round(c, Color::hex("#a9713f"));
        c.transformed("translate(-90 0)", |c| {
            c.dashes("M0 -250V-60", Color::hex("#e9dfca"), 74.0, "5 4", "butt");
            c.dashes("M0 -246V-60", Color::hex("#b9a888"), 40.0, "4 5", "butt");
            c.line("M0 -256V-40", Color::hex(STEEL).shade(0.3), 7.0, 1.0);
            c.rect((-15.0, -64.0), (30.0, 60.0), 4.0, &steel);
            c.path("M-20 -8H20C32 60 26 160 20 220H-20C-26 160 -32 60 -20 -8Z", &handle);
        });
        c.transformed("translate(40 0)", |c| {
            c.path("M-8 -240C4 -262 20 -240 14 -200L10 -40H-10L-14 -190C-18 -214 -14 -228 -8 -240Z", &steel);
            c.rect((-18.0, -48.0), (36.0, 30.0), 4.0, &steel);
            c.path("M-20 -18H20C28 50 26 150 20 220H-20C-26 150 -28 50 -20 -18Z", &handle);
        });
        for (x, tone) in [(150.0, "#f3ebdc"), (196.0, "#c0563a"), (242.0, "#f3ebdc"), (288.0, "#c0563a"), (334.0, "#f3ebdc")] {
            let tone = Color::hex(tone);
            let line = d!("M{} -236C{} -100 {} 0 {} 200", x, x + 8.0, x - 8.0, x);
            c.line(&line, tone.shade(0.2), 10.0, 1.0);
            c.dashes(&line, tone, 24.0, "3 4", "butt");
        }
        let edge = "M-376 70H376V268H-376Z";
        c.glaze("M-376 52H376V72H-376Z", "#1d120d", 0.25);
        c.path(edge, pocket);
        c.glaze(edge, &cloth, 0.8);
        stitch(c, "M-368 90H368M-160 90V260M-24 90V260M104 90V260", color, thread(color));
        mark(c, (240.0, 178.0), 100.0, thread(color));
    });
}

pub fn gift_box(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let ribbon = Color::hex(if color.l > 0.55 { "#7c2f26" } else { "#d6a553" });
    let (w, h, depth) = (540.0, 300.0, 460.0);
    let base = Cuboid { at: (-10.0, 0.0), width: w, height: h, depth };
    base.contact(c);
    base.solid(c, color.shade(0.1));
    base.front(c, |c| look.texture(c, "M0 0H540V300H0Z", (0.0, 0.0, w, h)));
    let band = |c: &mut Canvas, tone: Color| {
        c.linear(
            (0.0, 0.0),
            (1.0, 0.0),
            &[
                (0.0, tone.shade(0.25), 1.0),
                (0.25, tone.light(0.3), 1.0),
                (0.6, tone, 1.0),
                (1.0, tone.shade(0.3), 1.0),
            ],
        )
    };
    let (front, dark) = (band(c, ribbon), band(c, ribbon.shade(0.3)));
    base.front(c, |c| c.rect((226.0, 0.0), (88.0, h), 0.0, &front));
    base.side(c, |c| c.rect((186.0, 0.0), (88.0, h), 0.0, &dark));
    let lid = Cuboid { at: (-10.0, -230.0), width: w + 36.0, height: 110.0, depth: depth + 36.0 };
    lid.front(c, |c| c.glaze("M18 108H558V132H18Z", "#1d120d", 0.35));
    lid.solid(c, color);
    lid.top(c, |c| {
        look.texture(c, "M0 0H576V496H0Z", (0.0, 0.0, w + 36.0, depth + 36.0));
        c.rect((244.0, 0.0), (88.0, depth + 36.0), 0.0, &front);
        let across = c.linear((0.0, 0.0), (0.0, 1.0), &[(0.0, ribbon.light(0.4), 1.0), (1.0, ribbon, 1.0)]);
        c.rect((0.0, 204.0), (w + 36.0, 88.0), 0.0, across);
    });
    lid.front(c, |c| c.rect((244.0, 0.0), (88.0, 110.0), 0.0, &front));
    lid.side(c, |c| c.rect((204.0, 0.0), (88.0, 110.0), 0.0, &dark));
    let (x, y) = lid.point(0.5, 0.5, 1.0);
    c.transformed(d!("translate({} {})", x, y), |c| {
        let loop_paint = c.linear(
            (0.0, 0.0),
            (0.8, 1.0),
            &[(0.0, ribbon.light(0.45), 1.0), (0.5, ribbon, 1.0), (1.0, ribbon.shade(0.5), 1.0)],
        );
        c.glaze("M-190 30C-80 -20 80 -20 210 40C120 60 -100 60 -190 30Z", "#1d120d", 0.28);
        c.path("M-10 6C-60 60 -110 96 -180 110L-150 64L-196 50C-130 40 -80 14 -20 -14Z", &loop_paint);
        c.path("M12 6C50 60 100 100 160 118L146 70L196 66C130 44 80 14 24 -14Z", &loop_paint);
        for side in [1.0, -1.0] {
            c.transformed(d!("scale({} 1)", side), |c| {
                c.path("M0 -10C-60 -120 -190 -170 -220 -110C-244 -50 -120 10 0 6Z", &loop_paint);
                c.path("M-30 -26C-80 -90 -160 -120 -178 -92C-190 -60 -110 -24 -30 -26Z", ribbon.shade(0.55));
                c.line("M-10 -24C-70 -116 -180 -152 -206 -108", ribbon.light(0.7), 4.0, 0.5);
            });
        }
        let knot = ball(c, ribbon);
        c.rect((-40.0, -44.0), (80.0, 66.0), 26.0, knot);
    });
}

pub fn leather_roll(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let skin = pebbles(c, color);
    let face = lit(c, color);
    c.transformed("rotate(-10)scale(1.04)", |c| {
        let sheet = "M-240 -300H380C400 -300 412 -288 412 -268V268C412 288 400 300 380 300H-240Z";
        c.path(sheet, face);
        c.glaze(sheet, &skin, 0.5);
        stitch(c, "M-200 -272H370C380 -272 386 -266 386 -256V256C386 266 380 272 370 272H-200", color, thread(color));
        let steel = metal(c, Color::hex(STEEL));
        let (wood, horn) = (round(c, Color::hex("#a9713f")), round(c, Color::hex("#3a2b26")));
        c.details(|c| {
        for (index, x) in [-120.0, 10.0, 140.0, 270.0].into_iter().enumerate() {
            c.transformed(d!("translate({} 0)", x), |c| match index {
                0 => {
                    c.path("M-24 -230C-8 -250 8 -250 24 -230L16 -60H-16Z", &steel);
                    c.path("M-22 -90H22C30 -20 30 80 22 200H-22C-30 80 -30 -20 -22 -90Z", &wood);
                }
                1 => {
                    c.path("M0 -246L10 -90H-10Z", &steel);
                    c.path("M-20 -110H20C28 -20 28 80 20 200H-20C-28 80 -28 -20 -20 -110Z", &horn);
                }
                2 => {
                    c.ellipse((0.0, -200.0), (30.0, 44.0), &steel);
                    c.rect((-9.0, -170.0), (18.0, 120.0), 4.0, &steel);
                    c.path("M-20 -80H20C28 0 28 80 20 200H-20C-28 80 -28 0 -20 -80Z", &wood);
                }
                _ => {
                    c.dashes("M0 -240V-90", Color::hex("#e9dfca"), 56.0, "5 4", "butt");
                    c.line("M0 -246V-80", Color::hex(STEEL).shade(0.3), 6.0, 1.0);
                    c.path("M-20 -92H20C28 0 28 80 20 200H-20C-28 80 -28 0 -20 -92Z", &horn);
                }
            });
        }
        let pocket = lit(c, color.shade(0.2));
        let edge = "M-200 20H386V272H-200Z";
        c.glaze("M-200 0H386V22H-200Z", "#1d120d", 0.25);
        c.path(edge, pocket);
        c.glaze(edge, &skin, 0.5);
        stitch(c, "M-190 40H376M-54 40V262M76 40V262M206 40V262", color, thread(color));
        c.glaze("M-240 -300H-170C-190 -100 -190 100 -170 300H-240Z", "#1d120d", 0.35);
        });
        let upright = round(c, color);
        c.rect((-400.0, -312.0), (190.0, 624.0), 30.0, upright);
        c.glaze("M-370 -312H-240C-222 -312 -210 -300 -210 -282V282C-210 300 -222 312 -240 312H-370C-388 312 -400 300 -400 282V-282C-400 -300 -388 -312 -370 -312Z", &skin, 0.55);
        c.ellipse((-305.0, -306.0), (92.0, 22.0), color.shade(0.6));
        c.line("M-372 -306C-350 -320 -260 -320 -240 -304C-260 -294 -330 -294 -344 -304C-330 -312 -290 -310 -280 -304", color.light(0.4), 5.0, 0.7);
        for y in [-130.0, 130.0] {
            let strap = c.linear((0.0, 0.0), (1.0, 0.0), &[(0.0, color.shade(0.6), 1.0), (0.3, color.shade(0.3), 1.0), (1.0, color.shade(0.75), 1.0)]);
            c.rect((-406.0, y - 24.0), (202.0, 48.0), 6.0, strap);
            c.rect((-330.0, y - 36.0), (64.0, 72.0), 8.0, BRASS);
            c.rect((-318.0, y - 24.0), (40.0, 48.0), 4.0, color.shade(0.5));
            c.line(d!("M-318 {}H-266", y), Color::hex(BRASS).light(0.5), 7.0, 1.0);
        }
    });
}
