//! Caps and jackets.

use super::canvas::{Canvas, N, d};
use super::materials::{Look, TILT, ball, contact, drum, glint, lit, round, thread, weave};
use super::palette::{Color, PAPER};

pub fn cap(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let cloth = weave(c, color);
    contact(c, (10.0, 26.0), (470.0, 74.0));
    c.path("M-30 8C120 20 250 8 346 -20C362 14 352 42 326 50C220 76 90 78 -20 58Z", color.shade(0.6));
    c.line("M-10 40C110 56 240 52 342 20", color.shade(0.75), 4.0, 0.6);
    let crown = "M-336 -84C-306 -196 -160 -304 60 -314C280 -320 412 -226 404 -104C400 -50 380 -24 342 -14C240 12 110 24 -10 16C-130 8 -250 -28 -336 -84Z";
    let paint =
        c.radial((0.34, 0.12), 0.95, &[(0.0, color.light(0.36), 1.0), (0.4, color, 1.0), (1.0, color.shade(0.5), 1.0)]);
    c.path(crown, paint);
    c.inside(crown, |c| {
        c.glaze("M60 -314C-20 -220 -40 -90 -10 20H-360V-320Z", color.light(0.5), 0.12);
        c.glaze("M60 -314C190 -240 260 -120 260 30H420V-320Z", color.shade(0.8), 0.24);
        c.rect((-340.0, -320.0), (760.0, 350.0), 0.0, &cloth);
        c.line(
            "M-250 -60C-160 -96 -90 -60 -20 -30M120 -30C200 -60 270 -50 340 -70M-120 -200C-80 -180 -60 -150 -50 -120",
            color.shade(0.7),
            14.0,
            0.2,
        );
        c.line("M-250 -72C-160 -108 -90 -72 -20 -42M120 -42C200 -72 270 -62 340 -82", color.light(0.6), 8.0, 0.2);
        c.glaze("M-340 -96C-240 -30 -120 0 0 6V30H-340Z", "#1d120d", 0.22);
    });
    c.line(
        "M60 -314C-20 -220 -40 -90 -10 14M60 -314C190 -240 256 -120 262 6M60 -314C200 -316 350 -250 396 -140",
        color.shade(0.6),
        4.0,
        0.7,
    );
    c.dashes("M78 -308C2 -216 -20 -90 8 14M82 -304C206 -236 274 -120 280 2", thread(color), 2.5, "9 7", "round");
    let (button, brim) = (
        lit(c, color.light(0.1)),
        "M-338 -92C-414 -60 -474 -8 -464 28C-452 60 -300 54 -180 58C-90 62 -10 62 30 52C20 30 0 20 -14 15C-134 6 -250 -34 -338 -92Z",
    );
    c.ellipse((60.0, -316.0), (34.0, 15.0), button);
    let visor = c.linear(
        (0.1, 0.0),
        (0.6, 1.0),
        &[(0.0, color.light(0.3), 1.0), (0.5, color, 1.0), (1.0, color.shade(0.5), 1.0)],
    );
    c.path(brim, visor);
    c.glaze(brim, &cloth, 0.8);
    c.dashes(
        "M-350 -70C-420 -36 -452 4 -440 22C-420 40 -300 36 -190 40C-110 44 -50 44 -6 40",
        thread(color),
        2.5,
        "9 7",
        "round",
    );
    c.line("M-464 30C-452 62 -300 56 -180 60C-90 64 -10 64 30 54", color.shade(0.7), 6.0, 0.7);
    glint(c, "M-372 -66C-420 -36 -446 -10 -446 8", 6.0, 0.2);
}

/// A soft round cap of ribbed cloth without a peak.
pub fn cap_round(c: &mut Canvas, look: &Look) {
    let color = look.color;
    contact(c, (24.0, 14.0), (420.0, 104.0));
    let crown = "M-338 -140C-346 -262 -200 -336 0 -340C200 -336 346 -262 338 -140A338 88 0 0 1 -338 -140Z";
    let dome =
        c.radial((0.36, 0.2), 0.9, &[(0.0, color.light(0.34), 1.0), (0.45, color, 1.0), (1.0, color.shade(0.5), 1.0)]);
    c.path(crown, dome);
    let wall = round(c, color.shade(0.1));
    let band = drum(0.0, (-140.0, 0.0), 340.0);
    c.path(&band, wall);
    let (mut dents, mut ridges, mut rays) = (String::new(), String::new(), String::new());
    for wale in -14..=14 {
        let turn = wale as f32 * 0.107;
        let (x, sag) = (turn.sin() * 338.0, turn.cos() * 338.0 * TILT);
        dents.push_str(&d!("M{} {}v140", x, sag - 140.0));
        ridges.push_str(&d!("M{} {}v140", x + 9.0 * turn.cos(), sag - 140.0));
        rays.push_str(&d!("M0 -330Q{} -300 {} {}", x * 0.8, x * 0.98, -140.0 + sag * 0.6));
    }
    c.inside(crown, |c| c.line(rays, color.shade(0.55), 6.0, 0.4));
    c.details(|c| {
        c.line(dents, color.shade(0.6), 7.0, 0.5);
        c.line(ridges, color.light(0.4), 6.0, 0.3);
        c.line(d!("M-340 -140A340 {} 0 0 0 340 -140", 340.0 * TILT), color.shade(0.6), 7.0, 0.7);
        c.line(d!("M-340 -6A340 {} 0 0 0 340 -6", 340.0 * TILT), color.shade(0.6), 5.0, 0.7);
    });
    let button = lit(c, color.light(0.1));
    c.ellipse((0.0, -334.0), (36.0, 17.0), button);
}

pub fn jacket(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let velvet = color.shade(0.42);
    let cloth = weave(c, color);
    c.transformed("translate(0 10)scale(1.06)", |c| {
        let sleeve = lit(c, color.shade(0.1));
        for side in [1.0, -1.0] {
            c.transformed(d!("scale({} 1)", side), |c| {
                let arm = "M-196 -300C-270 -280 -310 -200 -336 -60C-352 40 -370 140 -372 232L-268 250C-250 150 -226 40 -190 -60Z";
                c.path(arm, &sleeve);
                c.glaze(arm, &cloth, 0.6);
                c.path("M-374 196L-264 212L-268 256C-300 260 -350 254 -376 244Z", velvet);
                c.line("M-374 194L-263 210", color.light(0.4), 4.0, 0.5);
                c.line("M-300 -120C-290 -60 -296 0 -310 60M-250 -160C-236 -100 -240 -30 -254 40", color.shade(0.7), 6.0, 0.35);
            });
        }
        let body = "M-110 -372C-180 -350 -216 -320 -214 -260C-210 -100 -230 180 -236 372C-150 396 150 396 236 372C230 180 210 -100 214 -260C216 -320 180 -350 110 -372Z";
        let paint = c.linear((0.1, 0.0), (0.9, 1.0), &[(0.0, color.light(0.24), 1.0), (0.45, color, 1.0), (1.0, color.shade(0.36), 1.0)]);
        c.path(body, paint);
if c.outlining() {
 return;
 }
        c.glaze(body, &cloth, 0.6);
        c.path("M-92 -376C-40 -356 40 -356 92 -376L20 -120L-20 -120Z", color.shade(0.75));
        c.path("M-60 -366C-20 -350 20 -350 60 -366L0 -180Z", Color::hex(PAPER));
        c.line("M0 -180V-330", Color::hex(PAPER).shade(0.3), 4.0, 0.5);
        c.line("M14 -20C10 120 16 260 10 386", color.shade(0.7), 5.0, 0.7);
        let lapel = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, velvet.light(0.34), 1.0), (0.5, velvet, 1.0), (1.0, velvet.shade(0.5), 1.0)]);
        c.path("M92 -380C130 -376 150 -350 146 -300C140 -180 80 -60 16 20C6 -40 -6 -60 -10 -70C50 -160 86 -270 92 -380Z", &lapel);
        c.path("M-92 -380C-130 -376 -150 -350 -146 -300C-140 -180 -70 -40 14 30C20 0 20 -30 12 -50C-46 -140 -86 -270 -92 -380Z", &lapel);
        c.path("M-96 -382C-40 -400 40 -400 96 -382C60 -362 -60 -362 -96 -382Z", velvet.shade(0.4));
        c.line("M-120 -340C-124 -220 -70 -90 4 4", velvet.light(0.5), 4.0, 0.4);
        for (x, y, turn) in [(-128.0, 190.0, -4.0), (128.0, 190.0, 4.0), (126.0, -110.0, 8.0)] {
            c.transformed(d!("translate({} {})rotate({})", x, y, turn), |c| {
                let wide = if y < 0.0 { 44.0 } else { 72.0 };
                c.rect((-wide + 3.0, -13.0), (wide * 2.0, 34.0), 6.0, color.shade(0.75));
                c.rect((-wide, -18.0), (wide * 2.0, 34.0), 6.0, velvet);
                c.line(d!("M{} -14H{}", -wide + 6.0, wide - 6.0), velvet.light(0.5), 3.0, 0.5);
            });
        }
        c.path("M96 -128L110 -172L130 -150L146 -178L158 -124Z", Color::hex(PAPER).shade(0.05));
        // Two frogs of silk cord: a knot in a loop, and three loops at either side.
        let cord = velvet.light(0.45);
        for y in [60.0, 170.0] {
            let loops = d!("M-24 {}c-40 -34 -78 -28 -78 0c0 28 38 34 78 0M-24 {}c-24 -46 -60 -62 -66 -40M-24 {}c-24 46 -60 62 -66 40M48 {}c40 -34 78 -28 78 0c0 28 -38 34 -78 0M48 {}c24 -46 60 -62 66 -40M48 {}c24 46 60 62 66 40M-30 {}H54", y, y, y, y, y, y, y);
            c.line(&loops, velvet.shade(0.6), 13.0, 0.6);
            c.line(&loops, cord, 8.0, 1.0);
            c.circle((12.0, y), 15.0, cord.shade(0.12));
        }
        c.line("M-190 -200C-180 -60 -196 120 -206 300M190 -200C180 -60 196 120 206 300", color.shade(0.7), 6.0, 0.25);
    });
}

/// A jacket quilted in lines, with a stand collar and five buttons.
pub fn jacket_quilted(c: &mut Canvas, look: &Look) {
    let color = look.color;
    let cloth = weave(c, color);
    c.transformed("translate(0 10)scale(1.06)", |c| {
        let sleeve = lit(c, color.shade(0.1));
        for side in [1.0, -1.0] {
            c.transformed(d!("scale({} 1)", side), |c| {
                let arm = "M-196 -300C-270 -280 -310 -200 -336 -60C-352 40 -370 140 -372 232L-268 250C-250 150 -226 40 -190 -60Z";
                c.path(arm, &sleeve);
                c.glaze(arm, &cloth, 0.6);
                let mut seams = String::new();
                for seam in 0..9 {
                    seams.push_str(&d!("M{} {}q60 14 130 6", -300.0 - seam as f32 * 10.0, -190.0 + seam as f32 * 48.0));
                }
                c.inside(arm, |c| c.line(seams, color.shade(0.6), 4.0, 0.5));
            });
        }
        let body = "M-110 -372C-180 -350 -216 -320 -214 -260C-210 -100 -230 180 -236 372C-150 396 150 396 236 372C230 180 210 -100 214 -260C216 -320 180 -350 110 -372Z";
        let paint = c.linear((0.1, 0.0), (0.9, 1.0), &[(0.0, color.light(0.24), 1.0), (0.45, color, 1.0), (1.0, color.shade(0.36), 1.0)]);
        c.path(body, paint);
        let collar = lit(c, color.shade(0.2));
        c.path("M-116 -378C-110 -430 -60 -446 0 -446C60 -446 110 -430 116 -378C60 -346 -60 -346 -116 -378Z", collar);
        if c.outlining() {
            return;
        }
        c.path("M-84 -402C-50 -424 50 -424 84 -402C50 -384 -50 -384 -84 -402Z", color.shade(0.75));
        c.glaze(body, &cloth, 0.6);
        let (mut dents, mut ridges) = (String::new(), String::new());
        for seam in 0..14 {
            let y = -320.0 + seam as f32 * 50.0;
            dents.push_str(&d!("M-250 {}q250 18 500 0", y));
            ridges.push_str(&d!("M-250 {}q250 18 500 0", y + 8.0));
        }
        c.inside(body, |c| {
            c.line(dents, color.shade(0.65), 5.0, 0.6);
            c.line(ridges, color.light(0.4), 4.0, 0.35);
        });
        c.line("M14 -366C10 -120 16 200 10 386", color.shade(0.75), 6.0, 0.8);
        let flap = lit(c, color.light(0.06));
        for (x, turn) in [(-128.0, -3.0), (128.0, 3.0)] {
            c.transformed(d!("translate({} 210)rotate({})", x, turn), |c| {
                c.rect((-77.0, -6.0), (158.0, 120.0), 12.0, color.shade(0.6));
                c.rect((-80.0, -12.0), (158.0, 120.0), 12.0, &flap);
                c.line("M-76 16H74", color.shade(0.6), 5.0, 0.7);
            });
        }
        let horn = ball(c, Color::hex("#5a4028"));
        for button in 0..5 {
            c.circle((-14.0, -300.0 + button as f32 * 140.0), 17.0, &horn);
        }
    });
}
