//! Papers, rollers, trays, tips and grinders.

use super::canvas::{Canvas, N, d};
use super::materials::{Look, Material, TILT, bar, contact, drum, glint, grain, lit, metal, metal_bar, plate, round};
use super::motifs::{hoop, knurl, leaf, mark, tobacco};
use super::palette::{Color, PAPER, STEEL, TOBACCO};

pub fn papers(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let (color, paper) = (look.color, Color::hex(PAPER));
    let turn = dice.between(-4.0, 4.0);
    c.transformed(d!("rotate({})scale(1.06)", turn - 14.0), |c| {
        c.details(|c| {
            let sheet =
                c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, paper.light(0.7), 0.94), (1.0, paper.shade(0.06), 0.86)]);
            c.transformed("translate(14 18)", |c| {
                c.glaze(
                    "M-300 -320C-100 -336 140 -300 330 -316L336 -130C140 -112 -100 -150 -296 -132Z",
                    "#3a2a20",
                    0.14,
                )
            });
            c.path("M-300 -320C-100 -336 140 -300 330 -316L336 -130C140 -112 -100 -150 -296 -132Z", sheet);
            c.line("M-296 -152C-100 -170 140 -132 335 -150", "#ffffff", 9.0, 0.7);
            c.line("M-298 -226C-100 -243 140 -208 333 -224", paper.shade(0.4), 2.0, 0.4);
        });
        let (cover, flap) = (lit(c, color), lit(c, color.shade(0.12)));
        c.rect((-372.0, -112.0), (744.0, 318.0), 8.0, color.shade(0.5));
        c.rect((-366.0, -120.0), (732.0, 34.0), 4.0, paper.light(0.4));
        c.line("M-362 -112H362M-362 -104H362M-362 -96H362", paper.shade(0.4), 2.0, 0.5);
        c.rect((-376.0, -92.0), (752.0, 292.0), 8.0, cover);
        c.path("M-376 92H376V192C376 198 372 200 368 200H-368C-372 200 -376 198 -376 192Z", flap);
        if c.outlining() {
            return;
        }
        c.line("M-376 92H376", color.light(0.5), 4.0, 0.6);
        let ink = color.ink();
        c.line("M-350 -68H350V68H-350Z", ink, 3.0, 0.7);
        mark(c, (0.0, 0.0), 116.0, ink);
        c.line("M-320 0H-100M100 0H320", ink, 10.0, 0.8);
        c.line("M-280 26H-130M130 26H280M-280 -26H-130M130 -26H280", ink, 4.0, 0.6);
        c.line("M-300 146H300", ink, 5.0, 0.5);
        glint(c, "M-370 -87H370", 4.0, 0.5);
    });
}

pub fn rolling_machine(c: &mut Canvas, look: &Look) {
    let (color, steel) = (look.color, Color::hex(STEEL));
    let (frame, roller) = (look.face(c), bar(c, Color::hex("#3b3432")));
    let apron = bar(c, Color::hex("#c7b48d"));
    c.transformed("rotate(-12)scale(1.08)", |c| {
        let shape = "M-380 -210C-380 -236 -364 -250 -340 -250H340C364 -250 380 -236 380 -210V210C380 236 364 250 340 250H-340C-364 250 -380 236 -380 210Z";
        c.details(|c| c.transformed("translate(5 9)", |c| c.path(shape, color.shade(0.6))));
        c.path(shape, &frame);
if c.outlining() {
 return;
 }
        look.texture(c, shape, (-380.0, -250.0, 760.0, 500.0));
        c.rect((-318.0, -196.0), (636.0, 392.0), 14.0, color.shade(0.78));
        c.rect((-300.0, -172.0), (600.0, 116.0), 50.0, &roller);
        c.rect((-300.0, 56.0), (600.0, 116.0), 50.0, &roller);
        c.path("M-270 -160C-100 -164 100 -164 270 -160V-30C120 30 -120 30 -270 -30Z", &apron);
        c.path("M-270 -30C-120 10 120 10 270 -30V162H-270Z", &apron);
        c.glaze("M-270 -40C-120 16 120 16 270 -40V6C120 60 -120 60 -270 6Z", "#2a1a10", 0.4);
        let dice = &mut look.dice();
        c.transformed("translate(0 -6)", |c| tobacco(c, dice, (0.0, 0.0), (236.0, 26.0), Color::hex(TOBACCO)));
        let nut = plate(c, steel);
        for (x, y) in [(-348.0, -114.0), (348.0, -114.0), (-348.0, 114.0), (348.0, 114.0)] {
            c.circle((x, y), 25.0, color.shade(0.6));
            c.circle((x - 2.0, y - 3.0), 23.0, &nut);
            c.line(d!("M{} {}l20 16", x - 12.0, y - 11.0), steel.shade(0.6), 6.0, 0.8);
        }
        mark(c, (0.0, 222.0), 44.0, color.ink());
        glint(c, "M-356 -236H340", 5.0, 0.5);
    });
}

pub fn rolling_tray(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let rim = look.face(c);
    c.transformed("rotate(-9)scale(1.03)", |c| {
        let shape = "M-420 -230C-420 -280 -390 -300 -340 -300H340C390 -300 420 -280 420 -230V230C420 280 390 300 340 300H-340C-390 300 -420 280 -420 230Z";
        c.path(shape, rim);
if c.outlining() {
 return;
 }
        let floor = "M-372 -210C-372 -240 -356 -254 -326 -254H326C356 -254 372 -240 372 -210V210C372 240 356 254 326 254H-326C-356 254 -372 240 -372 210Z";
        let well = c.linear((0.0, 0.0), (0.9, 1.0), &[(0.0, color.shade(0.5), 1.0), (0.14, color.shade(0.16), 1.0), (0.8, color.light(0.04), 1.0), (1.0, color.light(0.3), 1.0)]);
        c.path(floor, well);
        c.inside(floor, |c| {
            let ink = if color.l > 0.6 { color.shade(0.3) } else { color.light(0.32) };
            let mut rays = String::new();
            for ray in 0..24 {
                let (sin, cos) = (ray as f32 * 0.2618).sin_cos();
                let (sin2, cos2) = (ray as f32 * 0.2618 + 0.11).sin_cos();
                rays.push_str(&d!("M{} {}L{} {}L{} {}Z", cos * 150.0, sin * 150.0, cos * 470.0, sin * 470.0, cos2 * 470.0, sin2 * 470.0));
            }
            c.glaze(rays, ink, 0.4);
            c.circle((0.0, 0.0), 128.0, ink.mix(color, 0.4));
            c.ring((0.0, 0.0), (138.0, 138.0), ink, 5.0, 0.8);
            mark(c, (0.0, 0.0), 190.0, color.ink());
        });
        look.texture(c, shape, (-420.0, -300.0, 840.0, 600.0));
        c.line(floor, color.shade(0.7), 5.0, 0.4);
        glint(c, "M-404 -220C-404 -264 -380 -284 -336 -284H330", 7.0, 0.55);
        glint(c, "M-300 246H320C350 246 364 236 364 206V-180", 4.0, 0.35);
        let dice = &mut look.dice();
        tobacco(c, dice, (230.0, 130.0), (92.0, 62.0), Color::hex(TOBACCO));
        let roll = bar(c, Color::hex(PAPER));
        c.transformed("translate(-236 -176)rotate(-9)", |c| {
            c.path("M-120 -15L124 -22V22L-120 15Z", &roll);
            c.ellipse((124.0, 0.0), (8.0, 22.0), Color::hex(TOBACCO));
            c.rect((-124.0, -16.0), (54.0, 32.0), 4.0, color.light(0.4));
        });
    });
}

pub fn filter_tips(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let (color, card) = (look.color, Color::hex("#ead9b8"));
    c.transformed("rotate(-16)translate(0 -40)scale(1.08)", |c| {
        let (cover, sheet) = (lit(c, color), lit(c, card));
        c.rect((-306.0, -184.0), (640.0, 300.0), 6.0, color.shade(0.6));
        for layer in [10.0, 5.0, 0.0] {
            c.rect(
                (-300.0 + layer, -190.0 + layer),
                (630.0, 296.0),
                4.0,
                if layer > 0.0 { card.shade(0.3).to_string() } else { sheet.clone() },
            );
        }
        for column in 0..4 {
            let x = 40.0 + column as f32 * 74.0;
            c.dashes(d!("M{} -190V106", x), card.shade(0.45), 4.0, "10 9", "butt");
        }
        c.path(
            "M-330 -210H-20C-8 -120 -8 40 -20 126H-330C-340 126 -344 120 -344 110V-194C-344 -204 -340 -210 -330 -210Z",
            cover,
        );
        if c.outlining() {
            return;
        }
        let ink = color.ink();
        mark(c, (-184.0, -70.0), 150.0, ink);
        c.line("M-280 40H-90", ink, 12.0, 0.85);
        c.line("M-250 70H-120", ink, 6.0, 0.7);
        c.glaze("M-20 -210C-8 -120 -8 40 -20 126H4C18 40 18 -120 4 -204Z", "#2a1a10", 0.2);
        glint(c, "M-336 -204H-24", 4.0, 0.5);
    });
    let tip = metal_bar(c, card.light(0.3));
    for (x, y, turn) in [(-180.0, 230.0, 12.0), (60.0, 260.0, -22.0), (290.0, 200.0, 34.0)] {
        c.transformed(d!("translate({} {})rotate({})scale(1.2)", x, y, turn + dice.between(-8.0, 8.0)), |c| {
            c.rect((-90.0, -36.0), (166.0, 72.0), 8.0, &tip);
            c.ellipse((76.0, 0.0), (18.0, 36.0), card.light(0.3));
            c.line("M76 -28C88 -20 90 18 76 26C66 18 66 -10 76 -14C82 -8 82 8 77 12", card.shade(0.6), 4.0, 0.9);
            c.line("M-82 -16H60", "#ffffff", 5.0, 0.5);
        });
    }
}

pub fn grinder(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let wood = look.material == Material::Wood;
    contact(c, (40.0, 0.0), (320.0, 90.0));
    let paint = if wood { round(c, color) } else { metal(c, color) };
    let radius = 250.0;
    for (top, bottom) in [(-120.0, 0.0), (-222.0, -128.0), (-350.0, -230.0)] {
        c.ellipse((0.0, bottom), (radius, radius * TILT), color.shade(0.75));
        let shape = drum(0.0, (top, bottom), radius);
        c.path(&shape, &paint);
        if wood {
            look.texture(c, &shape, (-radius, top, radius * 2.0, bottom - top + 60.0));
        } else if top != -222.0 {
            knurl(c, 0.0, (top + 16.0, top + 104.0), radius, color);
        }
        c.line(hoop(0.0, top + 4.0, radius), color.light(0.7), 5.0, 0.5);
        c.line(hoop(0.0, bottom - 3.0, radius), color.shade(0.7), 5.0, 0.5);
    }
    let top = look.face(c);
    c.ellipse((0.0, -350.0), (radius, radius * TILT), top);
    if wood {
        c.inside("M-250 -350A250 65 0 0 1 250 -350A250 65 0 0 1 -250 -350Z", |c| {
            grain(c, &mut look.dice(), (-250.0, -420.0, 500.0, 140.0), color)
        });
    }
    c.ring((0.0, -350.0), (radius - 3.0, radius * TILT - 3.0), color.light(0.8), 4.0, 0.7);
    let dish = c.linear(
        (0.0, 0.0),
        (1.0, 1.0),
        &[(0.0, color.shade(0.4), 1.0), (0.6, color, 1.0), (1.0, color.light(0.5), 1.0)],
    );
    c.ellipse((0.0, -349.0), (184.0, 46.0), dish);
    c.transformed(d!("translate(0 -349)scale(1 {})", TILT), |c| {
        mark(c, (0.0, 0.0), 240.0, color.ink());
    });
    c.transformed("translate(-250 60)", |c| {
        tobacco(c, &mut look.dice(), (0.0, 0.0), (120.0, 30.0), Color::hex("#7d7a3f"))
    });
    leaf(c, (330.0, 70.0), 120.0, 62.0, Color::hex("#7f8a4a"));
}
