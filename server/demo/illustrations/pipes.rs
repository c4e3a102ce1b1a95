//! Pipes, lying on their side and seen a little from above.

use super::canvas::{Canvas, N, d};
use super::materials::{Look, Material, bar, birdseye, glint, grain, metal, metal_bar, round};
use super::palette::{AMBER, BRASS, Color, Dice, EBONITE, IVORY, STEEL};

/// A pipe's rim: center and radii.
struct Rim {
    at: (f32, f32),
    size: (f32, f32),
}

impl Rim {
    /// The rim, the dark chamber and the lit inner wall.
    fn draw(&self, c: &mut Canvas, wood: Color) {
        let ((x, y), (rx, ry)) = (self.at, self.size);
        let top = c.linear((0.0, 0.0), (1.0, 0.6), &[(0.0, wood.light(0.5), 1.0), (1.0, wood.light(0.05), 1.0)]);
        c.ellipse(self.at, self.size, top);
        if c.outlining() {
            return;
        }
        let dark = Color::hex("#1b1210");
        let hole =
            c.linear((0.0, 0.0), (1.0, 0.3), &[(0.0, dark, 1.0), (0.6, dark, 1.0), (1.0, wood.shade(0.55), 1.0)]);
        c.ellipse((x, y + ry * 0.08), (rx * 0.7, ry * 0.66), hole);
        c.ring(self.at, (rx - 2.0, ry - 2.0), wood.light(0.6), 3.0, 0.5);
    }
}

/// The bowl and shank: wood with its grain or its carving, or smooth meerschaum; the bowl rounded, light at the left.
fn body(c: &mut Canvas, look: &Look, shape: &str, bowl: (f32, f32, f32, f32), area: (f32, f32, f32, f32)) {
    let color = look.color;
    let base = c.linear(
        (0.2, 0.0),
        (0.5, 1.0),
        &[(0.0, color.light(0.16), 1.0), (0.45, color, 1.0), (1.0, color.shade(0.4), 1.0)],
    );
    c.path(shape, base);
    let mut dice = look.dice();
    let (lean, finish) = (dice.between(-38.0, -8.0), dice.below(3));
    c.inside(shape, |c| {
        let (x, y, w, h) = area;
        let (bx, by, bw, bh) = bowl;
        match look.material {
            Material::Wood if finish == 0 && color.l < 0.5 => rustic(c, &mut dice, area, color),
            Material::Wood => {
                c.transformed(d!("rotate({} {} {})", lean, x + w / 2.0, y + h / 2.0), |c| {
                    grain(c, &mut dice, (x - 120.0, y - 120.0, w + 240.0, h + 240.0), color);
                });
                birdseye(c, &mut dice, (bx - bw * 0.5, by - bh * 0.4, bw, bh * 0.9), color);
            }
            _ => {
                let honey = Color::hex(AMBER);
                let patina =
                    c.linear((0.0, 0.0), (0.2, 1.0), &[(0.0, honey, 0.0), (0.45, honey, 0.04), (1.0, honey, 0.34)]);
                c.rect((x, y), (w, h), 0.0, patina);
            }
        }
        let (pale, dark) = (color.light(0.7), color.shade(0.75));
        let right = c.linear(
            (0.0, 0.4),
            (1.0, 0.55),
            &[
                (0.0, dark, 0.28),
                (0.12, dark, 0.0),
                (0.5, dark, 0.0),
                (0.84, dark, 0.5),
                (0.92, dark, 0.3),
                (1.0, dark, 0.0),
            ],
        );
        c.rect((bx - bw, by - bh), (bw * 2.16, bh * 2.2), 0.0, right);
        let shine = c.radial((0.5, 0.5), 0.5, &[(0.0, pale, 0.72), (0.5, pale, 0.2), (1.0, pale, 0.0)]);
        c.ellipse((bx - bw * 0.42, by - bh * 0.2), (bw * 0.42, bh * 0.85), shine);
        let under = c.linear((0.0, 0.0), (0.0, 1.0), &[(0.0, dark, 0.0), (1.0, dark, 0.5)]);
        c.rect((x, y + h * 0.62), (w, h * 0.4), 0.0, under);
    });
}

/// The small facets of a carved or sandblasted bowl.
fn rustic(c: &mut Canvas, dice: &mut Dice, (x, y, width, height): (f32, f32, f32, f32), color: Color) {
    let (mut dents, mut ridges) = (String::new(), String::new());
    for _ in 0..110 {
        let (x, y) = (x + dice.between(0.0, width), y + dice.between(0.0, height));
        let (reach, sag) = (dice.between(12.0, 26.0), dice.between(5.0, 11.0));
        dents.push_str(&d!("M{} {}q{} {} {} 0", x, y, reach * 0.5, sag, reach));
        ridges.push_str(&d!("M{} {}h{}", x + 2.0, y + sag + 2.0, reach * 0.7));
    }
    c.line(dents, color.shade(0.65), 5.0, 0.5);
    c.line(ridges, color.light(0.4), 2.6, 0.34);
}

/// The mouthpiece: black ebonite or the given color, with a long highlight along `shine`.
fn stem(c: &mut Canvas, color: Color, shape: &str, shine: &str) {
    let paint = c.linear(
        (0.3, 0.0),
        (0.42, 1.0),
        &[(0.0, color.light(0.2), 1.0), (0.35, color, 1.0), (1.0, color.shade(0.5), 1.0)],
    );
    c.path(shape, paint);
    glint(c, shine, 7.0, 0.16);
    glint(c, shine, 3.0, 0.5);
}

/// A metal band between shank and stem, `tall` high, turned by `angle` degrees.
fn band(c: &mut Canvas, (x, y): (f32, f32), (wide, tall): (f32, f32), angle: f32, color: &str) {
    let paint = metal_bar(c, Color::hex(color));
    c.transformed(d!("translate({} {})rotate({})", x, y, angle), |c| {
        c.rect((-wide / 2.0, -tall / 2.0), (wide, tall), 5.0, paint)
    });
}

fn stem_color(look: &Look) -> Color {
    let mut dice = look.dice();
    Color::hex(if dice.below(4) == 0 && look.color.l < 0.5 { AMBER } else { EBONITE })
}

pub fn billiard(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let color = stem_color(look);
    let ring = if dice.below(2) == 0 { BRASS } else { STEEL };
    // The billiard itself, the flared Dublin, the low pot.
    let (rim, wide, belly) = [(-205.0, 114.0, 114.0), (-205.0, 128.0, 98.0), (-158.0, 121.0, 116.0)][dice.below(3)];
    c.transformed("rotate(-9)scale(1.1)translate(-40 20)", |c| {
        stem(
            c,
            color,
            "M118 20C220 34 320 32 424 16C440 14 448 22 449 34C450 46 444 56 430 57C330 70 220 86 118 98Z",
            "M140 40C230 48 330 44 426 30",
        );
        let shape = d!(
            "M{} {}C{} -90 {} 40 -318 108C-286 168 -210 186 -150 164C-90 142 -30 116 124 104V14C40 20 -60 22 -112 2C{} -60 {} -130 {} {}Z",
            -226.0 - wide, rim, -238.0 - belly, -238.0 - belly, -212.0 + belly, -212.0 + belly, -226.0 + wide, rim
        );
        body(c, look, &shape, (-228.0, 0.0, 120.0, 180.0), (-350.0, -210.0, 480.0, 390.0));
        band(c, (116.0, 59.0), (30.0, 96.0), 0.0, ring);
        Rim { at: (-226.0, rim), size: (wide, wide * 0.3) }.draw(c, look.color);
    });
}

pub fn bent(c: &mut Canvas, look: &Look) {
    bent_bowl(c, look, false);
}

/// A bent pipe whose bowl is covered by a net of carved arches.
pub fn bent_lattice(c: &mut Canvas, look: &Look) {
    bent_bowl(c, look, true);
}

fn bent_bowl(c: &mut Canvas, look: &Look, is_carved: bool) {
    // The bent billiard, the round apple, the squat pot.
    let (rim, wide, belly) =
        [(-160.0, 117.0, 117.0), (-140.0, 100.0, 124.0), (-112.0, 120.0, 118.0)][look.dice().below(3)];
    let color = stem_color(look);
    c.transformed("scale(1.1)translate(-20 0)", |c| {
        stem(
            c,
            color,
            "M36 -128C110 -214 220 -262 330 -240C384 -228 420 -196 448 -158C456 -144 444 -126 428 -130C398 -164 368 -184 320 -188C236 -194 160 -150 96 -78Z",
            "M62 -128C140 -206 240 -240 330 -220C370 -210 402 -186 430 -154",
        );
        let shape = d!(
            "M{} {}C{} -40 {} 70 -336 158C-300 232 -206 256 -130 212C-40 158 30 30 100 -72L30 -136C-20 -84 -70 -30 -118 -12C-104 -60 {} -100 {} {}Z",
            -233.0 - wide, rim, -255.0 - belly, -259.0 - belly, -229.0 + wide, -233.0 + wide, rim
        );
        body(c, look, &shape, (-238.0, 50.0, 124.0, 190.0), (-375.0, -160.0, 480.0, 410.0));
        let rim = Rim { at: (-233.0, rim), size: (wide, wide * 0.31) };
        if is_carved {
            c.inside(&shape, |c| lattice(c, look.color, &rim));
        }
        band(c, (64.0, -102.0), (28.0, 98.0), -46.0, BRASS);
        rim.draw(c, look.color);
    });
}

/// Rows of hollows below a rim, each row shifted by half an arch, that leave a net of arches between them.
fn lattice(c: &mut Canvas, color: Color, rim: &Rim) {
    let (x, top) = rim.at;
    let mut hollows = String::new();
    for row in 0..9 {
        let down = 36.0 + row as f32 * 41.0;
        let low = (top + down - 70.0).max(0.0) / 200.0;
        let radius = 138.0 * (1.0 - low * low).max(0.3).sqrt();
        for column in -4..=4 {
            let turn = (column as f32 + (row % 2) as f32 * 0.5) * 0.34;
            if turn > 1.28 - low * 0.5 {
                continue;
            }
            let (sin, cos) = turn.sin_cos();
            let (x, y, half) = (x + sin * radius, top + down + cos * rim.size.1 * 1.2, 17.0 * cos * radius / 136.0);
            hollows.push_str(&d!(
                "M{} {}q0 -26 {} -36q{} 10 {} 36q{} 14 {} 0z",
                x - half,
                y,
                half,
                half,
                half,
                -half,
                -half * 2.0
            ));
        }
    }
    let hollows = c.keep(true, |c| c.path(hollows, ""));
    let place = |x, y| d!("translate({} {})", x, y);
    c.cast(&hollows, (color.light(0.9), 0.8), std::iter::once((place(2.0, 4.0), 2.0)));
    c.cast(&hollows, (color.mix(Color::hex(AMBER), 0.45).shade(0.56), 0.78), std::iter::once((place(0.0, 0.0), 1.0)));
}

pub fn churchwarden(c: &mut Canvas, look: &Look) {
    let color = stem_color(look);
    c.transformed("rotate(-21)scale(1.08)translate(0 20)", |c| {
        stem(
            c,
            color,
            "M-196 64C0 20 200 -36 458 -46C470 -46 474 -22 460 -18C210 -6 10 48 -190 108Z",
            "M-180 78C10 34 210 -22 456 -36",
        );
        let shape = "M-458 -120C-468 -40 -466 60 -434 108C-406 150 -344 154 -304 136C-268 122 -230 112 -176 108L-184 56C-230 62 -268 52 -288 26C-282 -20 -280 -70 -288 -120Z";
        body(c, look, shape, (-374.0, 10.0, 90.0, 130.0), (-465.0, -125.0, 300.0, 275.0));
        band(c, (-184.0, 83.0), (20.0, 58.0), -8.0, BRASS);
        Rim { at: (-373.0, -120.0), size: (85.0, 25.0) }.draw(c, look.color);
    });
}

pub fn cob(c: &mut Canvas, look: &Look) {
    corn_cob(
        c,
        look,
        "M150 38C240 44 340 40 428 28C442 28 448 36 448 46C447 56 440 62 428 62C340 72 240 82 150 88Z",
        "M164 52C250 56 340 50 426 40",
    );
}

/// A cob whose stem turns down.
pub fn cob_bent(c: &mut Canvas, look: &Look) {
    corn_cob(
        c,
        look,
        "M150 34C250 16 352 40 408 128C434 168 446 208 440 222C430 238 412 232 404 214C372 132 306 84 150 94Z",
        "M170 50C260 36 344 66 404 168",
    );
}

fn corn_cob(c: &mut Canvas, look: &Look, mouthpiece: &str, shine: &str) {
    let mut dice = look.dice();
    let color = look.color;
    c.transformed("rotate(-10)scale(1.1)translate(-40 10)", |c| {
        stem(
            c,
            Color::hex(AMBER),
            mouthpiece,
            shine,
        );
        let shank = bar(c, Color::hex("#c79a5e"));
        c.path("M-130 26L156 30V96L-120 110Z", shank);
        band(c, (146.0, 62.0), (40.0, 76.0), 1.0, STEEL);
        let shape = "M-352 -190C-362 -80 -362 40 -350 130C-340 176 -290 192 -232 190C-170 190 -126 170 -118 128C-106 40 -106 -80 -116 -190Z";
        let body = round(c, color);
        c.path(shape, body);
        c.inside(shape, |c| {
            let (dark, pale) = (color.shade(0.5), color.light(0.45));
            let (mut seams, mut tops) = (String::new(), String::new());
            for row in 0..12 {
                let y = -180.0 + row as f32 * 31.0;
                let shift = if row % 2 == 0 { 0.0 } else { 17.0 };
                for column in 0..8 {
                    let x = -356.0 + shift + column as f32 * 34.0 + dice.between(-3.0, 3.0);
                    seams.push_str(&d!("M{} {}q15 13 30 0", x, y + 14.0));
                    tops.push_str(&d!("M{} {}h8", x + 8.0, y + 1.0));
                }
            }
            c.line(seams, dark, 4.0, 0.42);
            c.line(tops, pale, 6.0, 0.4);
            let side = c.linear((0.0, 0.0), (1.0, 0.0), &[(0.0, dark, 0.2), (0.3, pale, 0.25), (0.6, dark, 0.1), (1.0, dark, 0.6)]);
            c.rect((-362.0, -200.0), (256.0, 400.0), 0.0, side);
        });
        c.line("M-354 -150C-300 -118 -170 -118 -112 -150M-354 -138C-300 -106 -170 -106 -112 -138", color.shade(0.45), 4.0, 0.5);
        Rim { at: (-234.0, -190.0), size: (118.0, 36.0) }.draw(c, color.light(0.1));
    });
}

pub fn calabash(c: &mut Canvas, look: &Look) {
    c.transformed("scale(1.1)translate(-20 0)", |c| {
        stem(
            c,
            Color::hex(EBONITE),
            "M196 -118C260 -190 330 -214 400 -204C432 -200 458 -184 468 -168C474 -154 462 -144 448 -148C400 -168 330 -160 250 -66Z",
            "M222 -116C280 -176 340 -196 400 -186C424 -182 444 -172 456 -160",
        );
        let shape = "M-404 -128C-400 10 -340 190 -170 230C-10 262 140 130 258 -66L190 -126C110 -20 20 40 -44 20C-96 0 -112 -60 -110 -128Z";
        body(c, look, shape, (-256.0, 60.0, 150.0, 210.0), (-405.0, -130.0, 665.0, 380.0));
        band(c, (224.0, -96.0), (30.0, 96.0), -50.0, STEEL);
        let ivory = Color::hex(IVORY);
        let cup = round(c, ivory);
        c.path("M-424 -150C-430 -118 -416 -96 -396 -92C-320 -62 -190 -62 -118 -92C-98 -98 -86 -120 -92 -150Z", cup);
        c.line("M-404 -98C-320 -68 -190 -68 -110 -98", ivory.shade(0.5), 5.0, 0.5);
        Rim { at: (-258.0, -152.0), size: (166.0, 50.0) }.draw(c, ivory);
    });
}

pub fn poker(c: &mut Canvas, look: &Look) {
    let color = stem_color(look);
    c.transformed("rotate(-7)scale(1.1)translate(-40 10)", |c| {
        stem(
            c,
            color,
            "M140 26C230 26 330 10 424 -14C440 -16 448 -8 448 4C446 16 440 22 428 24C330 50 230 76 140 86Z",
            "M156 42C240 40 330 24 426 0",
        );
        let shape = "M-336 -176L-344 158C-340 178 -290 190 -226 190C-160 190 -112 178 -110 158L-112 118C-60 100 20 92 146 92V22C40 24 -60 36 -114 40L-116 -176Z";
        body(c, look, shape, (-228.0, 10.0, 116.0, 190.0), (-345.0, -180.0, 495.0, 375.0));
        band(c, (138.0, 57.0), (26.0, 76.0), 0.0, BRASS);
        c.line("M-342 128C-300 152 -160 152 -110 128", look.color.shade(0.6), 4.0, 0.5);
        c.line("M-341 138C-300 162 -160 162 -110 138", look.color.light(0.4), 3.0, 0.35);
        Rim { at: (-226.0, -176.0), size: (110.0, 33.0) }.draw(c, look.color);
    });
}

/// A standing pipe for racks and stands: bowl down, stem up, about 100 wide and 360 high.
pub fn upright(c: &mut Canvas, look: &Look, color: Color) {
    let (stem, silver) = (round(c, Color::hex(EBONITE)), metal(c, Color::hex(STEEL)));
    c.path("M30 -150C32 -230 34 -300 22 -366C20 -378 50 -380 50 -366C58 -300 66 -230 68 -150Z", stem);
    c.rect((27.0, -164.0), (44.0, 22.0), 4.0, silver);
    let bowl = "M-66 -150C-74 -100 -72 -30 -44 -8C-14 12 44 6 66 -34C74 -60 72 -100 70 -146H28C26 -120 24 -96 22 -80C18 -100 18 -130 14 -150Z";
    let paint = round(c, color);
    c.path(bowl, paint);
    let dice = &mut look.dice();
    c.inside(bowl, |c| c.transformed("rotate(-70)", |c| grain(c, dice, (-20.0, -90.0, 190.0, 180.0), color)));
    Rim { at: (-26.0, -150.0), size: (40.0, 13.0) }.draw(c, color);
    glint(c, "M-52 -120C-56 -90 -54 -50 -40 -28", 6.0, 0.3);
}
