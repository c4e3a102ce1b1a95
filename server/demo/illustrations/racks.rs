//! Stands, racks and a rest, with as many pipes as they hold.

use super::canvas::{Canvas, N, d};
use super::materials::{Cuboid, Look, Material, TILT, contact, drum, glint, grain, lit, metal, plate, round};
use super::palette::{BRASS, Color};
use super::pipes;

const WOODS: [&str; 2] = ["#7b3d21", "#3a2723"];

fn pipe(c: &mut Canvas, look: &Look, (x, y): (f32, f32), scale: f32, index: usize) {
    let color = Color::hex(WOODS[index % WOODS.len()]);
    c.stamp(d!("translate({} {})scale({})", x, y, scale), |c| pipes::upright(c, look, color));
}

/// Six pipes on a desk, open on both sides.
pub fn six(c: &mut Canvas, look: &Look) {
    let wood = look.color;
    let base = Cuboid { at: (0.0, 0.0), width: 820.0, height: 54.0, depth: 240.0 };
    base.contact(c);
    base.solid(c, wood);
    base.front(c, |c| look.texture(c, "M0 0H820V54H0Z", (0.0, 0.0, 820.0, 54.0)));
    let post = round(c, wood);
    for x in [-356.0, 390.0] {
        let y = x * 0.1;
        c.path(d!("M{} {}c6 -50 22 -60 16 -110c-10 -50 -14 -120 0 -170c4 -30 -22 -36 -16 -70c4 -22 36 -22 40 0c6 34 -20 40 -16 70c14 50 10 120 0 170c-6 50 10 60 16 110z", x - 20.0, y - 78.0), &post);
    }
    let rail = lit(c, wood.light(0.08));
    let shape = "M-386 -360L430 -278V-228L-386 -310Z";
    c.path(shape, rail);
    look.texture(c, shape, (-386.0, -360.0, 816.0, 140.0));
    c.line("M-386 -360L430 -278", wood.light(0.6), 4.0, 0.6);
    for index in 0..6 {
        let x = -270.0 + index as f32 * 114.0;
        let y = x * 0.1 - 58.0;
        contact(c, (x + 8.0, y + 2.0), (66.0, 18.0));
        pipe(c, look, (x, y), 0.82, index);
    }
}

/// Two rows of six on a board for the wall.
pub fn twelve(c: &mut Canvas, look: &Look) {
    let wood = look.color;
    let board = lit(c, wood.shade(0.12));
    c.rect((-440.0, -760.0), (880.0, 800.0), 16.0, board);
    c.details(|c| {
        let dice = &mut look.dice();
        c.inside("M-440 -760H440V40H-440Z", |c| grain(c, dice, (-440.0, -760.0, 880.0, 800.0), wood));
        c.line("M-436 -756H436", wood.light(0.6), 5.0, 0.6);
    });
    let shelf = lit(c, wood.light(0.14));
    for (row, y) in [(0, -410.0), (1, -30.0)] {
        for index in 0..6 {
            let x = -345.0 + index as f32 * 134.0;
            c.details(|c| {
                c.glaze(d!("M{} {}h110l26 -250h-40z", x - 40.0, y + 6.0), "#1d120d", 0.18);
            });
            pipe(c, look, (x, y), 0.84, index + row);
        }
        c.path(d!("M-452 {}H452V{}H-452Z", y - 6.0, y + 40.0), &shelf);
        c.line(d!("M-452 {}H452", y - 6.0), wood.light(0.6), 4.0, 0.7);
        c.line(d!("M-452 {}H452", y + 38.0), wood.shade(0.7), 4.0, 0.7);
    }
}

/// Six pipes in a ring around a glass jar.
pub fn ring(c: &mut Canvas, look: &Look) {
    let wood = look.color;
    contact(c, (30.0, 14.0), (440.0, 110.0));
    let wall = round(c, wood);
    c.path(drum(0.0, (-50.0, 6.0), 380.0), wall);
    let top = lit(c, wood.light(0.12));
    c.ellipse((0.0, -50.0), (380.0, 380.0 * TILT), top);
    for (index, x) in [-200.0, 0.0, 200.0].into_iter().enumerate() {
        pipe(c, look, (x, -98.0 - (1.0 - (x / 200.0_f32).powi(2)) * 22.0), 0.78, index);
    }
    let glass = Color::hex("#c9dadd");
    let fill = round(c, Color::hex("#70452a"));
    c.path(drum(0.0, (-230.0, -62.0), 118.0), fill);
    let clear = c.linear(
        (0.0, 0.0),
        (1.0, 0.0),
        &[(0.0, glass.shade(0.4), 0.8), (0.2, glass, 0.35), (0.8, glass, 0.25), (1.0, glass.shade(0.4), 0.8)],
    );
    c.path(drum(0.0, (-330.0, -56.0), 128.0), clear);
    let lid = lit(c, glass.light(0.4));
    c.ellipse((0.0, -330.0), (134.0, 34.0), &lid);
    c.circle((0.0, -366.0), 30.0, lid);
    glint(c, "M-96 -300V-90", 10.0, 0.6);
    for (index, x) in [-270.0, 0.0, 270.0].into_iter().enumerate() {
        let y = -34.0 + (1.0 - (x / 270.0_f32).powi(2)) * 48.0;
        contact(c, (x + 8.0, y + 2.0), (66.0, 18.0));
        pipe(c, look, (x, y), 0.82, index + 1);
    }
}

/// Two pipes on one bent rod above an oval foot.
pub fn two(c: &mut Canvas, look: &Look) {
    let wood = look.color;
    contact(c, (30.0, 12.0), (440.0, 96.0));
    let wall = round(c, wood);
    c.path(drum(0.0, (-46.0, 0.0), 360.0), wall);
    let top = lit(c, wood.light(0.18));
    c.ellipse((0.0, -46.0), (360.0, 360.0 * TILT), top);
    c.details(|c| c.ellipse((20.0, -26.0), (120.0, 30.0), wood.shade(0.5)));
    let brass = metal(c, Color::hex(BRASS));
    c.rect((-10.0, -300.0), (22.0, 250.0), 8.0, brass);
    c.line("M-230 -300C-230 -240 -150 -240 0 -290C150 -240 230 -240 230 -300", Color::hex(BRASS).shade(0.1), 20.0, 1.0);
    let color = Color::hex(if wood.l < 0.42 { "#a9622f" } else { "#5f3020" });
    let pipe = Look { color, ..look.clone() };
    for (x, y) in [(-150.0, -330.0), (190.0, -250.0)] {
        c.stamp(d!("translate({} {})rotate(-4)scale(.58)", x, y), |c| pipes::billiard(c, &pipe));
    }
}

/// Two wings of leather on a snap, stood up as a saddle that carries one pipe.
pub fn leather(c: &mut Canvas, look: &Look) {
    let leather = look.color;
    let brass = plate(c, Color::hex(BRASS));
    // A figure of eight on its side; its middle hangs lower than its lobes and does not reach the ground.
    let wing = "M0 -164C-50 -172 -76 -252 -150 -252C-226 -252 -276 -196 -276 -122C-276 -48 -224 0 -150 0C-86 0 -50 -34 0 -34C50 -34 86 0 150 0C224 0 276 -48 276 -122C276 -196 226 -252 150 -252C76 -252 50 -172 0 -164Z";
    contact(c, (-40.0, -6.0), (370.0, 74.0));
    let (back, front, edge) = (lit(c, leather.shade(0.42)), lit(c, leather), leather.shade(0.6));
    c.transformed("translate(-40 -82)scale(.96 .9)", |c| {
        c.path(wing, edge);
        c.transformed("translate(4 9)", |c| c.path(wing, &back));
    });
    let color = Color::hex(if leather.l < 0.42 { "#a9622f" } else { "#5f3020" });
    let pipe = Look { color, material: Material::Wood, ..look.clone() };
    c.transformed("translate(112 -286)rotate(-8)scale(.76)", |c| pipes::billiard(c, &pipe));
    c.transformed("translate(-70 0)scale(1 .9)", |c| {
        c.transformed("translate(7 -9)", |c| c.path(wing, edge));
        c.path(wing, front);
        look.texture(c, wing, (-276.0, -252.0, 552.0, 252.0));
        c.details(|c| {
            c.line(wing, leather.shade(0.5), 6.0, 0.7);
            glint(c, "M-258 -150C-248 -206 -206 -234 -150 -236C-110 -236 -84 -206 -62 -180M66 -184C88 -212 116 -236 150 -236C196 -236 228 -216 246 -184", 5.0, 0.35);
            c.glaze("M-276 -122C-276 -48 -224 0 -150 0C-86 0 -50 -34 0 -34C50 -34 86 0 150 0C224 0 276 -48 276 -122C262 -70 220 -34 150 -34C90 -34 50 -66 0 -66C-50 -66 -90 -34 -150 -34C-220 -34 -262 -70 -276 -122Z", leather.shade(0.9), 0.26);
        });
        c.circle((3.0, -97.0), 31.0, leather.shade(0.7));
        c.circle((0.0, -101.0), 29.0, brass);
        c.ring((0.0, -101.0), (18.0, 18.0), Color::hex(BRASS).shade(0.5), 3.0, 0.6);
        glint(c, "M-16 -113Q-8 -122 4 -122", 5.0, 0.8);
    });
}
