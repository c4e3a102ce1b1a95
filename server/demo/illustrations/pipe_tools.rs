//! What a pipe smoker keeps beside the pipe: tampers, tools, stands, racks, cleaners, pouches.

use super::canvas::{Canvas, N, d};
use super::materials::{
    Look, Material, bar, contact, drum, glint, knit, lit, metal, metal_bar, pebbles, plate, round, stitch, thread,
    weave,
};
use super::motifs::{hole, mark, tobacco};
use super::palette::{BRASS, Color, STEEL, TOBACCO};
use super::pipes;

pub fn tamper(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let steel = metal_bar(c, Color::hex(if dice.below(2) == 0 { STEEL } else { BRASS }));
    let body = look.lying(c);
    let slim = dice.between(0.85, 1.1);
    c.transformed(d!("rotate(-38)scale(1.25 {})", slim * 1.3), |c| {
        c.path("M-352 -64H-312C-296 -64 -300 -24 -270 -22L-150 -20V20L-270 22C-300 24 -296 64 -312 64H-352C-362 64 -362 -64 -352 -64Z", &steel);
        let shape = "M-170 -30C-120 -40 -100 -66 -40 -72C60 -82 120 -40 180 -42C214 -44 220 -66 262 -66C316 -66 346 -36 346 0C346 36 316 66 262 66C220 66 214 44 180 42C120 40 60 82 -40 72C-100 66 -120 40 -170 30C-180 26 -180 -26 -170 -30Z";
        c.path(shape, &body);
        look.texture(c, shape, (-180.0, -80.0, 530.0, 160.0));
        c.rect((-186.0, -38.0), (30.0, 76.0), 6.0, &steel);
        c.line("M196 -42C188 -20 188 20 196 42M-60 -72C-70 -30 -70 30 -60 72", look.color.shade(0.6), 4.0, 0.45);
        glint(c, "M-90 -40C-40 -54 60 -56 120 -34M236 -40C270 -48 300 -38 316 -20", 7.0, 0.45);
    });
}

pub fn pipe_tool(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let (color, steel) = (look.color, Color::hex(STEEL));
    let (paint, blade) = (look.upright(c), metal(c, steel));
    let open = dice.between(20.0, 28.0);
    c.transformed("rotate(24)translate(0 20)scale(1.28)", |c| {
        c.transformed(d!("rotate({} 0 240)", -open), |c| {
            c.path("M-17 240L-15 -110C-14 -160 -34 -196 -34 -240C-34 -292 -16 -320 0 -320C16 -320 34 -292 34 -240C34 -196 14 -160 15 -110L17 240Z", &blade);
            c.ellipse((0.0, -248.0), (19.0, 50.0), steel.shade(0.4));
            c.glaze("M-19 -248A19 50 0 0 0 19 -248A19 38 0 0 1 -19 -248Z", steel.light(0.6), 0.8);
        });
        c.transformed(d!("rotate({} 0 240)", open), |c| c.path("M-15 240L-11 -180L0 -340L11 -180L15 240Z", &blade));
        let shape = "M-40 270C-44 100 -40 -60 -26 -190H26C40 -60 44 100 40 270C38 320 -38 320 -40 270Z";
        c.path(shape, &paint);
        look.texture(c, shape, (-44.0, -190.0, 88.0, 500.0));
        c.rect((-50.0, -236.0), (100.0, 50.0), 9.0, &blade);
        c.line("M-50 -222H50M-50 -202H50", steel.shade(0.5), 3.0, 0.6);
        let rivet = lit(c, Color::hex(BRASS).light(0.2));
        c.circle((0.0, 240.0), 20.0, rivet);
        c.ring((0.0, 240.0), (20.0, 20.0), color.shade(0.6), 3.0, 0.6);
        glint(c, "M-22 180C-26 60 -24 -60 -16 -160", 6.0, 0.4);
    });
}

pub fn pipe_stand(c: &mut Canvas, look: &Look) {
    let paint = look.upright(c);
    contact(c, (30.0, 10.0), (370.0, 84.0));
    c.path(drum(0.0, (-46.0, 0.0), 290.0), &paint);
    let top = lit(c, look.color.light(0.18));
    c.ellipse((0.0, -46.0), (290.0, 75.0), top);
    c.ring((0.0, -48.0), (262.0, 64.0), look.color.shade(0.5), 4.0, 0.4);
    let brass = metal(c, Color::hex(BRASS));
    c.details(|c| c.ellipse((-124.0, -50.0), (92.0, 26.0), look.color.shade(0.55)));
    c.path("M136 -60C138 -66 202 -66 204 -60L196 -44C190 -36 150 -36 144 -44Z", &brass);
    c.rect((158.0, -196.0), (24.0, 148.0), 8.0, &brass);
    c.line("M118 -262C114 -200 130 -178 170 -178", Color::hex(BRASS).shade(0.35), 20.0, 1.0);
    let pipe = Look { color: Color::hex(if look.color.l < 0.42 { "#a9622f" } else { "#5f3020" }), ..look.clone() };
    c.transformed("translate(24 -236)rotate(-2)scale(.8)", |c| pipes::billiard(c, &pipe));
    c.line("M170 -178C210 -178 226 -204 224 -270", Color::hex(BRASS).shade(0.1), 20.0, 1.0);
    glint(c, "M176 -184C204 -186 216 -210 216 -262", 5.0, 0.7);
}

pub fn pipe_cleaners(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let white = Color::hex(if look.color.l > 0.8 { "#b8643a" } else { "#f3ebdc" });
    c.transformed("rotate(34)scale(1.08)", |c| {
        for index in 0..11 {
            let at = (index as f32 - 5.0) * 1.0;
            let color = if (index + dice.below(2)).is_multiple_of(2) { look.color } else { white };
            let (head, foot) = (at * 30.0 + dice.between(-8.0, 8.0), at * 34.0);
            let long = 345.0 + dice.between(-30.0, 22.0);
            let shape = d!(
                "M{} {}C{} -160 {} -60 {} 0C{} 60 {} 170 {} {}",
                head,
                -long,
                head * 0.8,
                at * 14.0,
                at * 13.0,
                at * 12.0,
                foot * 0.8,
                foot,
                long * 0.97
            );
            c.line(&shape, color.shade(0.22), 15.0, 1.0);
            c.dashes(&shape, color.shade(0.08), 27.0, "3 4", "butt");
            c.dashes(&shape, color.light(0.45), 13.0, "3 5", "butt");
        }
        let band = round(c, Color::hex("#e6d3b1"));
        c.rect((-92.0, -62.0), (184.0, 124.0), 8.0, band);
        c.line("M-92 -48H92M-92 48H92", look.color.shade(0.2), 5.0, 0.8);
        mark(c, (0.0, 0.0), 66.0, look.color.shade(0.3));
    });
}

pub fn pipe_pouch(c: &mut Canvas, look: &Look) {
    pouch(c, look, &Closing::Snap);
}

/// A pouch that is rolled up, with nothing to close it.
pub fn pouch_roll(c: &mut Canvas, look: &Look) {
    pouch(c, look, &Closing::Roll);
}

/// A flat pouch with a zipper and a pocket in front.
pub fn pouch_zip(c: &mut Canvas, look: &Look) {
    pouch(c, look, &Closing::Zip);
}

enum Closing {
    Snap,
    Roll,
    Zip,
}

fn pouch(c: &mut Canvas, look: &Look, closing: &Closing) {
    let mut dice = look.dice();
    let leather = look.color;
    let thread = thread(leather);
    let (body, flap) = (lit(c, leather.shade(0.12)), lit(c, leather));
    // The flap: pointed, rounded or almost straight.
    let (bend, tip) = [(-70.0, 136.0), (90.0, 112.0), (10.0, 40.0)][dice.below(3)];
    let hem = |inset: f32| {
        d!(
            "{} {}C{} {} {} {} 0 {}C{} {} {} {} {} {}",
            364.0 - inset,
            -130.0 - inset * 0.4,
            200.0 - inset * 0.6,
            bend - inset * 0.5,
            130.0 - inset * 0.4,
            tip - 6.0 - inset,
            tip - inset,
            inset * 0.4 - 130.0,
            tip - 6.0 - inset,
            inset * 0.6 - 200.0,
            bend - inset * 0.5,
            inset - 364.0,
            -130.0 - inset * 0.4
        )
    };
    c.transformed("rotate(-5)scale(1.1)", |c| {
        if !matches!(closing, Closing::Zip) {
            c.transformed("translate(-190 -268)", |c| tobacco(c, &mut dice, (190.0, 70.0), (240.0, 66.0), Color::hex(TOBACCO)));
        }
        let shape = "M-360 -190C-362 -216 -344 -226 -320 -222C-120 -204 120 -204 320 -222C344 -226 362 -216 360 -190L372 200C374 236 352 258 318 258H-318C-352 258 -374 236 -372 200Z";
        c.path(shape, body);
        if c.outlining() {
            return;
        }
        let skin = if look.material == Material::Leather { pebbles(c, leather) } else { weave(c, leather) };
        c.glaze(shape, &skin, 0.5);
        stitch(c, "M-336 -150L-346 196C-346 224 -334 232 -312 232H312C334 232 346 224 346 196L336 -150", leather, thread);
        match closing {
            Closing::Zip => return zipper(c, leather, thread),
            Closing::Roll => {
                let roll = bar(c, leather);
                c.glaze("M-360 -70H360V-20H-360Z", leather.shade(0.9), 0.34);
                c.rect((-372.0, -236.0), (744.0, 180.0), 86.0, roll);
                c.glaze("M-372 -236H372V-56H-372Z", &skin, 0.4);
                stitch(c, "M-330 -84C-120 -74 120 -74 330 -84", leather, thread);
                return glint(c, "M-320 -190H320", 9.0, 0.25);
            }
            Closing::Snap => {}
        }
        let top = "M-364 -196C-362 -222 -344 -230 -320 -226C-120 -204 120 -204 320 -226C344 -230 362 -222 360 -196L";
        c.transformed("translate(8 18)", |c| c.glaze(format!("{top}{}Z", hem(0.0)), leather.shade(0.9), 0.32));
        c.path(format!("{top}{}Z", hem(0.0)), flap);
        c.glaze(format!("{top}{}Z", hem(0.0)), &skin, 0.5);
        stitch(c, &format!("M{}", hem(26.0)), leather, thread);
        glint(c, "M-330 -208C-120 -188 120 -188 330 -208", 8.0, 0.22);
        let (snap, y) = (plate(c, Color::hex(BRASS)), tip - 74.0);
        c.circle((2.0, y + 4.0), 30.0, leather.shade(0.6));
        c.circle((0.0, y), 28.0, snap);
        c.ring((0.0, y), (17.0, 17.0), Color::hex(BRASS).shade(0.5), 3.0, 0.6);
        glint(c, d!("M-16 {}Q-8 {} 4 {}", y - 12.0, y - 22.0, y - 22.0), 5.0, 0.8);
    });
}

/// A zipper across the top and the seam of a pocket below it.
fn zipper(c: &mut Canvas, leather: Color, thread: Color) {
    let steel = Color::hex(STEEL);
    c.line("M-330 -150H330", leather.shade(0.75), 40.0, 1.0);
    c.dashes("M-326 -150H326", steel, 22.0, "7 7", "butt");
    c.line("M-326 -150H326", steel.shade(0.5), 3.0, 0.8);
    let tab = plate(c, steel);
    c.rect((214.0, -176.0), (54.0, 52.0), 10.0, &tab);
    c.rect((226.0, -134.0), (30.0, 120.0), 13.0, &tab);
    c.line("M-300 20H300", leather.shade(0.6), 6.0, 0.8);
    stitch(c, "M-300 36H300", leather, thread);
    mark(c, (-220.0, 150.0), 90.0, leather.shade(0.6));
}

pub fn pipe_sock(c: &mut Canvas, look: &Look) {
    let mut dice = look.dice();
    let wool = look.color;
    let cord = Color::hex("#e4d9c0");
    let (body, knit) = (lit(c, wool), knit(c, wool));
    let lean = dice.between(-16.0, 12.0);
    c.transformed(d!("rotate({})scale(1.15)", lean), |c| {
        // The frill above the cord, the throat that the cord gathers, and the bag.
        let shape = "M-128 -392C-96 -376 -66 -398 -30 -384C0 -398 36 -376 66 -390C92 -398 116 -382 134 -392C146 -356 108 -316 92 -284C150 -228 172 -120 178 20C184 190 190 300 148 352C104 400 -98 400 -146 352C-190 300 -184 190 -178 20C-172 -120 -150 -228 -92 -284C-108 -316 -142 -356 -128 -392Z";
        c.path(shape, body);
        if c.outlining() {
            return;
        }
        c.glaze(shape, &knit, 0.8);
        let folds = "M-70 -284C-84 -200 -118 -140 -128 -40M-34 -284C-38 -214 -58 -150 -60 -70M4 -284C6 -220 2 -160 8 -90M40 -284C46 -214 66 -150 70 -60M74 -284C90 -206 118 -140 126 -30";
        c.line(folds, wool.shade(0.6), 11.0, 0.35);
        c.transformed("translate(-9 0)", |c| c.line(folds, wool.light(0.4), 6.0, 0.3));
        c.line("M-96 -380L-66 -296M-40 -380L-30 -296M30 -380L22 -296M92 -384L62 -296", wool.shade(0.6), 9.0, 0.4);
        c.glaze("M178 20C184 190 190 300 148 352C104 400 -98 400 -146 352C-60 376 60 372 104 330C146 286 150 120 120 -120C160 -90 174 -60 178 20Z", wool.shade(0.8), 0.3);
        c.line("M-98 -288Q0 -262 98 -288", wool.shade(0.75), 24.0, 0.6);
        c.line("M-98 -292Q0 -266 98 -292", cord, 16.0, 1.0);
        c.dashes("M-98 -292Q0 -266 98 -292", cord.shade(0.45), 16.0, "3 11", "butt");
        let ends = "M26 -278C70 -226 44 -150 104 -96M18 -276C4 -210 44 -150 16 -70";
        c.transformed("translate(7 10)", |c| c.line(ends, wool.shade(0.85), 13.0, 0.35));
        c.line(ends, cord, 12.0, 1.0);
        c.dashes(ends, cord.shade(0.4), 12.0, "3 9", "butt");
        c.circle((22.0, -276.0), 19.0, cord);
        c.ring((22.0, -276.0), (12.0, 10.0), cord.shade(0.4), 4.0, 0.6);
        for (x, y) in [(106.0, -92.0), (16.0, -64.0)] {
            c.circle((x, y), 14.0, cord);
            c.line(d!("M{} {}l-9 44M{} {}l2 48M{} {}l12 42", x - 5.0, y, x, y, x + 5.0, y), cord, 7.0, 1.0);
        }
    });
}

/// A flat steel ring with a hole, for the keys and cutters of other families.
pub fn split_ring(c: &mut Canvas, at: (f32, f32), radius: f32) {
    let steel = plate(c, Color::hex(STEEL));
    let shape = d!(
        "M{} {}a{} {} 0 1 1 {} 0a{} {} 0 1 1 {} 0z",
        at.0 - radius,
        at.1,
        radius,
        radius,
        radius * 2.0,
        radius,
        radius,
        -radius * 2.0
    );
    c.path(format!("{shape}{}", hole(at, (radius * 0.8, radius * 0.8))), steel);
    c.ring(at, (radius * 0.9, radius * 0.9), Color::hex(STEEL).shade(0.5), 2.0, 0.7);
}
