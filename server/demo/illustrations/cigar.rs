//! Cigar cutters, humidors, cases and ashtrays.

use super::canvas::{Canvas, N, d};
use super::materials::{
    Cuboid, Look, Material, bar, contact, glint, lit, metal_bar, pebbles, plate, round, speckle, stitch, thread,
};
use super::motifs::{cigar, cork, hole, label, mark};
use super::palette::{BRASS, Color, KRAFT, PAPER, STEEL};
use super::pipe_tools::split_ring;

pub fn cutter_guillotine(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let (color, steel) = (look.color, Color::hex(STEEL));
    let (face, blade, dark) = (look.face(c), plate(c, steel), color.shade(0.62));
    let pull = dice.between(0.0, 40.0);
    c.transformed("rotate(-18)scale(1.06)", |c| {
        let handle = |c: &mut Canvas, side: f32, paint: &str| {
            let shape = format!("M40 -120H250C330 -120 400 -70 400 0C400 70 330 120 250 120H40Z{}", hole((284.0, 0.0), (74.0, 74.0)));
            c.transformed(d!("translate({} 0)scale({} 1)", side * pull, side), |c| {
                c.details(|c| c.transformed("translate(4 9)", |c| c.path(&shape, dark)));
                c.path(&shape, paint);
                c.ring((284.0, 0.0), (80.0, 80.0), color.light(0.55), 4.0, 0.5);
            });
        };
        c.rect((-150.0, -96.0), (300.0, 192.0), 10.0, &blade);
        handle(c, -1.0, &face);
        handle(c, 1.0, &face);
        let body = format!("M-150 -140H150C172 -140 182 -128 182 -110V110C182 128 172 140 150 140H-150C-172 140 -182 128 -182 110V-110C-182 -128 -172 -140 -150 -140Z{}", hole((0.0, 0.0), (92.0, 92.0)));
        c.details(|c| c.transformed("translate(4 10)", |c| c.path(&body, dark)));
        c.path(&body, &face);
if c.outlining() {
 return;
 }
        look.texture(c, &body, (-182.0, -140.0, 364.0, 280.0));
        let edge = "M-92 0A92 92 0 0 1 0 -92V92A92 92 0 0 1 -92 0Z";
        let cut = d!("M{} -86C{} -40 {} 40 {} 86A92 92 0 0 1 {} -86Z", -30.0 - pull, -72.0 - pull, -72.0 - pull, -30.0 - pull, -30.0 - pull);
        c.inside(edge, |c| c.path(&cut, &blade));
        c.transformed("scale(-1 1)", |c| c.inside(edge, |c| c.path(&cut, &blade)));
        c.ring((0.0, 0.0), (95.0, 95.0), color.light(0.6), 5.0, 0.7);
        c.ring((0.0, 0.0), (104.0, 104.0), color.shade(0.6), 3.0, 0.5);
        for (x, y) in [(-148.0, -106.0), (148.0, -106.0), (-148.0, 106.0), (148.0, 106.0)] {
            c.circle((x, y), 13.0, steel.light(0.3));
            c.line(d!("M{} {}l12 12", x - 6.0, y - 6.0), steel.shade(0.7), 4.0, 0.9);
        }
        glint(c, "M-160 -126H120", 5.0, 0.6);
    });
}

pub fn cutter_v(c: &mut Canvas, look: &Look) {
    let (color, steel) = (look.color, Color::hex(STEEL));
    let (face, blade) = (look.face(c), plate(c, steel));
    c.transformed("rotate(22)scale(1.06)", |c| {
        let shape = "M-150 -250C-150 -320 -90 -360 0 -360C90 -360 150 -320 150 -250C150 -180 120 -130 120 -60C120 30 150 100 150 190C150 290 90 350 0 350C-90 350 -150 290 -150 190C-150 100 -120 30 -120 -60C-120 -130 -150 -180 -150 -250Z";
        let body = format!("{shape}{}", hole((0.0, -222.0), (84.0, 84.0)));
        c.details(|c| c.transformed("translate(8 12)", |c| c.path(&body, color.shade(0.65))));
        c.path(&body, &face);
if c.outlining() {
 return;
 }
        look.texture(c, &body, (-150.0, -360.0, 300.0, 710.0));
        c.inside("M-84 -222A84 84 0 0 1 84 -222A84 84 0 0 1 -84 -222Z", |c| {
            c.path("M-100 -120V-176L0 -240L100 -176V-120Z", &blade);
            c.line("M-100 -176L0 -240L100 -176", steel.light(0.8), 7.0, 1.0);
        });
        c.ring((0.0, -222.0), (89.0, 89.0), color.light(0.5), 6.0, 0.65);
        c.ring((0.0, -222.0), (98.0, 98.0), color.shade(0.6), 3.0, 0.5);
        let slide = lit(c, steel);
        c.rect((-66.0, 60.0), (132.0, 190.0), 40.0, color.shade(0.5));
        c.rect((-58.0, 70.0), (116.0, 170.0), 34.0, slide);
        c.line("M-36 110H36M-36 134H36M-36 158H36M-36 182H36M-36 206H36", steel.shade(0.55), 8.0, 0.7);
        c.line("M-36 114H36M-36 138H36M-36 162H36M-36 186H36M-36 210H36", steel.light(0.7), 3.0, 0.7);
        glint(c, "M-132 -260C-128 -310 -80 -340 -20 -342M-102 -40C-104 40 -134 100 -134 190", 7.0, 0.42);
    });
}

pub fn cutter_scissors(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let color = look.color;
    let (face, blade) = (plate(c, color), plate(c, Color::hex(STEEL)));
    let open = dice.between(12.0, 19.0);
    c.transformed("rotate(28)translate(0 -10)scale(1.2)", |c| {
        for side in [-1.0, 1.0] {
            c.transformed(d!("scale({} 1)rotate({})", side, -open), |c| {
                let ring = format!("M-10 40C30 110 60 150 60 190C0 220 -6 330 62 356C140 384 204 330 196 254C190 196 140 170 100 176C84 120 60 60 34 20Z{}", hole((98.0, 266.0), (62.0, 62.0)));
                c.path(ring, &face);
                c.ring((98.0, 266.0), (70.0, 70.0), color.light(0.6), 5.0, 0.5);
                c.path("M-34 40C-60 -40 -64 -110 -40 -160C-84 -200 -80 -290 -14 -316C-4 -326 12 -320 14 -300C-30 -270 -30 -210 16 -178C40 -120 44 -40 34 40Z", &blade);
                c.line("M14 -300C-30 -270 -30 -210 16 -178", "#fffaf0", 6.0, 0.9);
                c.line("M-26 20C-46 -40 -48 -100 -30 -146", Color::hex(STEEL).light(0.7), 5.0, 0.6);
            });
        }
        let screw = lit(c, Color::hex(BRASS));
        c.circle((2.0, 6.0), 33.0, color.shade(0.7));
        c.circle((0.0, 0.0), 31.0, screw);
        c.line("M-17 -12L17 12", Color::hex(BRASS).shade(0.6), 7.0, 1.0);
    });
}

pub fn cigar_punch(c: &mut Canvas, look: &Look) {
    let (color, steel) = (look.color, Color::hex(STEEL));
    let (body, blade) = (metal_bar(c, color), metal_bar(c, steel));
    c.transformed("rotate(-32)translate(10 -10)scale(1.1)", |c| {
        split_ring(c, (-338.0, 0.0), 66.0);
        c.transformed("translate(0 0)", |c| {
            c.path("M-286 -26H-240V26H-286C-306 26 -306 -26 -286 -26Z", &blade);
            let shape = "M-256 -76C-256 -88 -248 -92 -236 -92H60V92H-236C-248 92 -256 88 -256 76Z";
            c.path(shape, &body);
            let mut ribs = String::new();
            for rib in 0..9 {
                ribs.push_str(&d!("M{} -92V92", -190.0 + rib as f32 * 22.0));
            }
            c.line(&ribs, color.shade(0.6), 8.0, 0.5);
            c.transformed("translate(7 0)", |c| c.line(&ribs, color.light(0.7), 3.0, 0.4));
            c.path("M72 -80H240C252 -80 258 -70 258 -60V60C258 70 252 80 240 80H72Z", &blade);
            c.rect((58.0, -96.0), (26.0, 192.0), 6.0, &body);
            c.path("M254 -54H340V54H254Z", &blade);
            c.ellipse((340.0, 0.0), (15.0, 54.0), steel.light(0.5));
            c.ellipse((341.0, 0.0), (11.0, 46.0), steel.shade(0.8));
        });
        glint(c, "M-240 -52H50M84 -46H240M262 -30H330", 5.0, 0.5);
    });
}

pub fn humidor_travel(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let (w, h) = (600.0, 380.0);
    let grip = lit(c, color.shade(0.45));
    c.path("M-124 -390C-124 -470 -90 -486 -40 -484L60 -474C110 -470 140 -446 140 -366L100 -368C100 -420 84 -432 50 -436L-40 -444C-70 -446 -84 -436 -84 -390Z", grip);
    let case = Cuboid { at: (0.0, 0.0), width: w, height: h, depth: 230.0 };
    case.contact(c);
    case.solid(c, color);
    case.front(c, |c| {
        for column in 0..3 {
            let x = 44.0 + column as f32 * 176.0;
            let dent = c.linear(
                (0.0, 0.0),
                (1.0, 1.0),
                &[(0.0, color.shade(0.4), 1.0), (0.15, color.shade(0.12), 1.0), (1.0, color.light(0.1), 1.0)],
            );
            c.rect((x, 36.0), (160.0, 116.0), 18.0, &dent);
            c.rect((x, 218.0), (160.0, 128.0), 18.0, &dent);
        }
        look.texture(c, "M0 0H600V380H0Z", (0.0, 0.0, w, h));
        c.rect((0.0, 178.0), (w, 14.0), 0.0, color.shade(0.7));
        c.rect((0.0, 192.0), (w, 4.0), 0.0, color.light(0.3));
        let latch = plate(c, Color::hex(STEEL));
        for x in [110.0, 410.0] {
            c.rect((x + 4.0, 144.0), (80.0, 96.0), 12.0, color.shade(0.75));
            c.rect((x, 138.0), (80.0, 96.0), 12.0, &latch);
            c.rect((x + 16.0, 150.0), (48.0, 12.0), 6.0, Color::hex(STEEL).shade(0.5));
        }
        mark(c, (300.0, 282.0), 84.0, color.light(0.62));
    });
    case.side(c, |c| c.rect((0.0, 178.0), (230.0, 14.0), 0.0, color.shade(0.85)));
}

pub fn hygrometer(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let color = look.color;
    let rim = plate(c, color);
    let turn = dice.between(-46.0, 30.0);
    c.circle((6.0, 9.0), 352.0, color.shade(0.6));
    c.circle((0.0, 0.0), 350.0, rim);
    if c.outlining() {
        return;
    }
    let back = c.linear(
        (0.0, 0.0),
        (1.0, 1.0),
        &[(0.0, color.shade(0.55), 1.0), (0.5, color, 1.0), (1.0, color.light(0.7), 1.0)],
    );
    c.circle((0.0, 0.0), 300.0, back);
    let paper = Color::hex(PAPER);
    let dial = c.radial((0.4, 0.35), 0.8, &[(0.0, paper.light(0.5), 1.0), (1.0, paper.shade(0.16), 1.0)]);
    c.circle((0.0, 0.0), 278.0, dial);
    let ink = Color::hex("#3a2a20");
    let (mut short, mut long) = (String::new(), String::new());
    for step in 0..=40 {
        let angle = (-225.0 + step as f32 * 6.75f32).to_radians();
        let (x, y) = (angle.cos(), angle.sin());
        let (line, from) = if step % 5 == 0 { (&mut long, 208.0) } else { (&mut short, 228.0) };
        line.push_str(&d!("M{} {}L{} {}", x * from, y * from, x * 250.0, y * 250.0));
    }
    c.line("M-82 -176A194 194 0 0 1 116 -155", Color::hex("#7d8f55"), 22.0, 0.9);
    c.line("M-148 -126A194 194 0 0 1 -88 -173", Color::hex("#d9a441"), 22.0, 0.9);
    c.line("M122 -151A194 194 0 0 1 170 -93", Color::hex("#b6512f"), 22.0, 0.9);
    c.line(short, ink, 4.0, 0.8);
    c.line(long, ink, 8.0, 0.9);
    mark(c, (0.0, 128.0), 92.0, ink);
    c.transformed(d!("rotate({})", turn), |c| {
        c.glaze("M-2 74L6 -206L16 74Z", "#000", 0.16);
        c.path("M-11 74L0 -212L11 74Z", "#7d2a1c");
        c.circle((0.0, 66.0), 17.0, "#7d2a1c");
    });
    let hub = plate(c, color);
    c.circle((0.0, 0.0), 28.0, hub);
    c.ring((0.0, 0.0), (278.0, 278.0), color.shade(0.7), 5.0, 0.4);
    let glare = c.linear(
        (0.0, 0.0),
        (1.0, 0.8),
        &[(0.0, paper.light(1.0), 0.55), (0.6, paper.light(1.0), 0.06), (1.0, paper, 0.0)],
    );
    c.glaze("M-262 -60C-240 -190 -130 -272 10 -270C120 -266 170 -230 190 -206C40 -170 -140 -90 -226 110C-262 40 -266 0 -262 -60Z", glare, 0.8);
    glint(c, "M-322 -70C-300 -220 -180 -316 -40 -328", 9.0, 0.75);
}

pub fn hygrometer_digital(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let color = look.color;
    let (body, edge) = (lit(c, color), color.shade(0.45));
    c.transformed(d!("rotate({})", dice.between(-7.0, 5.0)), |c| {
        c.rect((-352.0, -246.0), (720.0, 528.0), 74.0, edge);
        c.rect((-360.0, -264.0), (720.0, 528.0), 74.0, body);
        if c.outlining() {
            return;
        }
        glint(c, "M-300 -246H290", 6.0, 0.25);
        let glass =
            c.linear((0.0, 0.0), (0.7, 1.0), &[(0.0, Color::hex("#c9cfb6"), 1.0), (1.0, Color::hex("#a3ac8f"), 1.0)]);
        c.rect((-300.0, -212.0), (600.0, 340.0), 30.0, color.shade(0.6));
        c.rect((-292.0, -204.0), (584.0, 324.0), 24.0, glass);
        let ink = "#262b22";
        // 65 to 69 percent, as in a humidor.
        for (x, digit) in [(-262.0, 6), (-116.0, 5 + dice.below(5))] {
            c.transformed(d!("translate({} -166)skewX(-5)", x), |c| c.path(digit_path(digit), ink));
        }
        // The percent sign, then the temperature, smaller.
        c.ring((46.0, -142.0), (12.0, 12.0), ink, 8.0, 1.0);
        c.ring((88.0, -82.0), (12.0, 12.0), ink, 8.0, 1.0);
        c.line("M94 -154L40 -70", ink, 8.0, 1.0);
        for (x, digit) in [(34.0, 6), (108.0, 6 + dice.below(4))] {
            c.transformed(d!("translate({} -22)scale(.48)skewX(-5)", x), |c| c.path(digit_path(digit), ink));
        }
        c.ring((196.0, -12.0), (9.0, 9.0), ink, 7.0, 1.0);
        c.line("M222 94V-6H258M222 44H250", ink, 10.0, 1.0);
        c.glaze("M-292 -180C-292 -196 -284 -204 -268 -204H60L-180 120H-268C-284 120 -292 112 -292 96Z", "#fff", 0.16);
        let button = plate(c, color.light(0.12));
        for x in [-120.0, 120.0] {
            c.rect((x - 66.0, 162.0), (136.0, 56.0), 28.0, color.shade(0.55));
            c.rect((x - 68.0, 158.0), (136.0, 56.0), 28.0, &button);
        }
    });
}

/// A digit of seven bars, 120 by 250 units.
fn digit_path(digit: usize) -> String {
    const BARS: [&str; 7] = [
        "M14 0H106L88 22H32Z",
        "M112 6V118L101 125L90 112V28Z",
        "M112 244V132L101 125L90 138V222Z",
        "M14 250H106L88 228H32Z",
        "M8 244V132L19 125L30 138V222Z",
        "M8 6V118L19 125L30 112V28Z",
        "M22 125L34 114H86L98 125L86 136H34Z",
    ];
    const LIT: [u8; 10] = [0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f];
    (0..BARS.len()).filter(|bar| LIT[digit] >> bar & 1 == 1).map(|bar| BARS[bar]).collect()
}

pub fn humidity_packs(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let (color, kraft) = (look.color, Color::hex(KRAFT));
    let lean = dice.between(-3.0, 3.0);
    for (x, y, turn, front) in [(-150.0, -60.0, -17.0, false), (30.0, -20.0, -3.0, false), (170.0, 50.0, 13.0, true)] {
        c.transformed(d!("translate({} {})rotate({})", x, y, turn + lean), |c| {
            let base = if front { color } else { kraft.mix(color, 0.18) };
            let paint = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, base.light(0.4), 1.0), (0.3, base.light(0.08), 1.0), (0.7, base, 1.0), (1.0, base.shade(0.25), 1.0)]);
            let shape = "M-160 -270H160C156 -250 164 -236 168 -200C174 -60 174 60 168 200C164 236 156 250 160 270H-160C-156 250 -164 236 -168 200C-174 60 -174 -60 -168 -200C-164 -236 -156 -250 -160 -270Z";
            c.transformed("translate(5 7)", |c| c.glaze(shape, base.shade(0.8), 0.4));
            c.path(shape, paint);
if c.outlining() {
 return;
 }
            let flecks = speckle(c, base);
            c.glaze(shape, flecks, 0.5);
            let mut crimps = String::new();
            for line in 0..5 {
                let y = 238.0 + line as f32 * 7.0;
                crimps.push_str(&d!("M-156 {}H156M-156 {}H156", y, -y));
            }
            c.line(crimps, base.shade(0.5), 2.0, 0.5);
            label(c, (0.0, -10.0), (236.0, 300.0), color.shade(0.35));
            c.path("M0 176C-26 206 -22 226 0 226C22 226 26 206 0 176Z", Color::hex("#5d7f92"));
            glint(c, "M-140 -210C-148 -60 -148 60 -140 190", 9.0, 0.35);
        });
    }
}

pub fn cigar_case(c: &mut Canvas, look: &Look) {
    case(c, look, 3);
}

pub fn cigar_case_two(c: &mut Canvas, look: &Look) {
    case(c, look, 2);
}

/// A molded case of two or three fingers and its sleeve.
fn case(c: &mut Canvas, look: &Look, fingers: u8) {
    let (wide, xs) = if fingers == 3 { (1.0, &[-242.0, -82.0, 78.0][..]) } else { (0.68, &[-242.0, -2.0][..]) };
    let leather = look.color;
    let thread = thread(leather);
    let skin = pebbles(c, leather);
    c.transformed("rotate(11)scale(1.06)translate(-40 0)", |c| {
        cigar(c, (300.0 * (wide + 0.04), 20.0), (560.0, 46.0), -92.0);
        let three = "M-240 320V-250C-240 -340 -90 -340 -82 -270C-76 -346 70 -346 78 -270C84 -340 238 -340 238 -250V320C238 348 226 356 200 356H-202C-228 356 -240 348 -240 320Z";
        let two = "M-240 320V-250C-240 -350 -8 -350 -2 -270C4 -350 238 -350 238 -250V320C238 348 226 356 200 356H-202C-228 356 -240 348 -240 320Z";
        let shape = if fingers == 3 { three } else { two };
        c.transformed(d!("scale({} 1)", wide), |c| {
        c.path(shape, leather);
        c.inside(shape, |c| {
            let tube = round(c, leather);
            for &x in xs {
                c.rect((x, -330.0), (484.0 / f32::from(fingers) + 1.0, 690.0), 0.0, &tube);
            }
        });
        c.glaze(shape, &skin, 0.55);
        let sleeve = "M-252 350V-30C-180 6 180 6 250 -30V350C250 366 238 374 220 374H-222C-240 374 -252 366 -252 350Z";
        c.glaze("M-240 -66C-180 -30 180 -30 238 -66V-20H-240Z", leather.shade(0.9), 0.34);
        let tube = c.linear((0.0, 0.0), (1.0, 0.0), &[(0.0, leather.shade(0.2), 1.0), (0.16, leather.light(0.3), 1.0), (0.33, leather.shade(0.28), 1.0), (0.5, leather.light(0.2), 1.0), (0.67, leather.shade(0.36), 1.0), (0.83, leather.light(0.1), 1.0), (1.0, leather.shade(0.55), 1.0)]);
        c.path(sleeve, tube);
        c.glaze(sleeve, &skin, 0.55);
        stitch(c, "M-250 -4C-180 30 180 30 248 -4", leather, thread);
        stitch(c, "M-228 20V330C-228 346 -222 350 -206 350H204C222 350 226 346 226 330V20", leather, thread);
        mark(c, (0.0, 190.0), 110.0, leather.shade(0.6));
        glint(c, "M-190 -260C-176 -292 -150 -300 -130 -292M-28 -268C-14 -298 10 -306 30 -298", 7.0, 0.3);
        });
    });
}

pub fn cigar_tube(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let paint = if look.material == Material::Leather { bar(c, color) } else { metal_bar(c, color) };
    let brass = metal_bar(c, Color::hex(BRASS));
    c.transformed("rotate(-34)scale(1.05)", |c| {
        let shape = "M-420 -86H330C396 -86 424 -50 424 0C424 50 396 86 330 86H-420C-436 86 -436 -86 -420 -86Z";
        c.transformed("translate(0 -70)", |c| {
            c.path(shape, paint);
            look.texture(c, shape, (-430.0, -86.0, 860.0, 172.0));
            c.rect((-176.0, -91.0), (42.0, 182.0), 8.0, &brass);
            c.line("M-420 -80C-404 -50 -404 50 -420 80", color.light(0.5), 5.0, 0.5);
            c.line("M-128 -86V86", color.shade(0.7), 4.0, 0.6);
            glint(c, "M-400 -48H-190M-120 -48H330", 7.0, 0.5);
            mark(c, (110.0, 0.0), 96.0, color.ink());
        });
        cigar(c, (30.0, 130.0), (740.0, 56.0), 4.0);
    });
}

pub fn ashtray_round(c: &mut Canvas, look: &Look) {
    tray(c, look);
    cigar(c, (214.0, -176.0), (400.0, 32.0), 152.0);
    glint(c, "M-336 -100C-320 -40 -270 0 -200 22", 8.0, 0.35);
}

/// An ashtray for pipes: a knob of cork in the middle to knock the bowl against.
pub fn ashtray_knocker(c: &mut Canvas, look: &Look) {
    tray(c, look);
    let knob = "M-96 -96C-104 -170 -84 -236 0 -240C84 -236 104 -170 96 -96C60 -70 -60 -70 -96 -96Z";
    cork(c, knob);
    glint(c, "M-60 -190C-50 -212 -30 -222 -8 -224", 8.0, 0.5);
    glint(c, "M-336 -100C-320 -40 -270 0 -200 22", 8.0, 0.35);
}

fn tray(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let wall = look.upright(c);
    contact(c, (40.0, 0.0), (430.0, 116.0));
    let body = "M-370 -140C-370 -60 -330 10 -220 46C-90 84 90 84 220 46C330 10 370 -60 370 -140Z";
    c.path(body, wall);
    look.texture(c, body, (-370.0, -140.0, 740.0, 220.0));
    let top = look.face(c);
    c.ellipse((0.0, -140.0), (370.0, 112.0), top);
    c.ring((0.0, -140.0), (368.0, 110.0), color.light(0.7), 5.0, 0.6);
    let well = c.linear(
        (0.0, 0.0),
        (1.0, 0.9),
        &[(0.0, color.shade(0.62), 1.0), (0.55, color.shade(0.28), 1.0), (1.0, color.light(0.22), 1.0)],
    );
    c.ellipse((0.0, -132.0), (286.0, 80.0), well);
    c.inside("M-286 -132A286 80 0 0 1 286 -132A286 80 0 0 1 -286 -132Z", |c| {
        let floor = lit(c, color.shade(0.2));
        c.ellipse((0.0, -92.0), (230.0, 54.0), floor);
        c.glaze("M-300 -220H300V-150C160 -190 -160 -190 -300 -130Z", color.shade(0.9), 0.3);
    });
    c.ring((0.0, -132.0), (286.0, 80.0), color.light(0.55), 4.0, 0.5);
    let groove = c.linear(
        (0.0, 0.0),
        (0.0, 1.0),
        &[(0.0, color.shade(0.75), 1.0), (0.5, color.shade(0.3), 1.0), (1.0, color.light(0.45), 1.0)],
    );
    c.inside("M-366 -140A366 109 0 0 1 366 -140A366 109 0 0 1 -366 -140Z", |c| {
        for (x, y, turn) in
            [(-232.0, -70.0, -18.0), (232.0, -70.0, 18.0), (-236.0, -208.0, 18.0), (236.0, -208.0, -18.0)]
        {
            c.transformed(d!("translate({} {})rotate({})", x, y, turn), |c| {
                c.rect((-70.0, -13.0), (140.0, 26.0), 13.0, &groove)
            });
        }
    });
}

pub fn ashtray_square(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let (w, h, depth) = (580.0, 130.0, 560.0);
    let block = Cuboid { at: (0.0, 0.0), width: w, height: h, depth };
    block.contact(c);
    block.solid(c, color);
    block.front(c, |c| look.texture(c, "M0 0H580V130H0Z", (0.0, 0.0, w, h)));
    block.top(c, |c| {
        look.texture(c, "M0 0H580V560H0Z", (0.0, 0.0, w, depth));
        let groove = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, color.shade(0.66), 1.0), (1.0, color.light(0.1), 1.0)]);
        c.transformed("translate(290 280)", |c| {
            for turn in [45.0, 135.0, 225.0, 315.0] {
                c.transformed(d!("rotate({})", turn), |c| c.rect((190.0, -34.0), (180.0, 68.0), 34.0, &groove));
            }
            let well = c.linear(
                (0.0, 0.0),
                (0.9, 1.0),
                &[(0.0, color.shade(0.7), 1.0), (0.5, color.shade(0.36), 1.0), (1.0, color.light(0.16), 1.0)],
            );
            c.circle((0.0, 0.0), 222.0, well);
            let floor = lit(c, color.shade(0.16));
            c.circle((12.0, 26.0), 168.0, floor);
            c.ring((0.0, 0.0), (222.0, 222.0), color.light(0.7), 6.0, 0.6);
        });
    });
    let (x, y) = block.point(0.82, 0.18, 1.0);
    cigar(c, (x - 70.0, y - 50.0), (380.0, 31.0), -159.0);
}
