//! What keeps a product company in a still life: books, a cup, a branch, linen, a print on the wall.

use super::canvas::{Canvas, N, d};
use super::materials::{Cuboid, TILT, contact, glint, grain, lit, round, weave};
use super::motifs::{leaf, mark};
use super::palette::{BRASS, Color, Dice, LEAF, PAPER, apart};

/// A companion in its own color.
pub type Companion = fn(&mut Canvas, &mut Dice, Color);

/// Seen from above, about 600 units large, centered.
pub const LYING: [Companion; 4] = [book, cup, spray, linen];
/// Standing on the origin.
pub const STANDING: [Companion; 4] = [vase, books, teacup, print];

/// Cloth, spine and cover colors that sit well together.
const CLOTHS: [&str; 6] = ["#7c3a2b", "#33504a", "#3d4a5e", "#b98a48", "#6d5a70", "#84795a"];

/// A cloth color that stands apart from what is behind it.
pub fn cloth(dice: &mut Dice, behind: Color) -> Color {
    apart(&CLOTHS, behind, 0.25, dice)
}

/// Two different companions.
pub fn pair<const COUNT: usize>(of: [Companion; COUNT], dice: &mut Dice) -> [Companion; 2] {
    let first = dice.below(COUNT);
    [of[first], of[(first + 1 + dice.below(COUNT - 1)) % COUNT]]
}

fn book(c: &mut Canvas, _: &mut Dice, color: Color) {
    let (cover, spine) = (lit(c, color), round(c, color));
    c.rect((-204.0, -268.0), (420.0, 560.0), 6.0, Color::hex(PAPER).shade(0.16));
    c.line("M-190 286H204M-190 280H204", Color::hex(PAPER).shade(0.5), 2.0, 0.5);
    c.rect((-212.0, -280.0), (420.0, 556.0), 8.0, cover);
    c.details(|c| {
        let tile = weave(c, color);
        c.rect((-212.0, -280.0), (64.0, 556.0), 8.0, spine);
        c.glaze("M-212 -280H208V276H-212Z", tile, 0.5);
        let gold = Color::hex(BRASS).light(0.25);
        c.line("M-120 -244H178V240H-120Z", gold, 4.0, 0.7);
        mark(c, (28.0, -60.0), 150.0, gold);
        c.line("M-40 110H96M-14 140H70", gold, 8.0, 0.7);
    });
}

fn cup(c: &mut Canvas, _: &mut Dice, color: Color) {
    let china = Color::hex("#efe4d2");
    let (saucer, bowl) = (lit(c, china), lit(c, china.light(0.3)));
    c.circle((0.0, 0.0), 230.0, saucer);
    c.details(|c| {
        c.ring((0.0, 0.0), (216.0, 216.0), color, 7.0, 0.8);
        c.circle((14.0, 20.0), 146.0, china.shade(0.45));
    });
    c.path("M96 -120L172 -176C196 -192 222 -164 204 -142L140 -72Z", &bowl);
    c.circle((0.0, 0.0), 142.0, bowl);
    c.details(|c| {
        let coffee = Color::hex("#4a2a1a");
        let dark = c.radial(
            (0.6, 0.65),
            0.6,
            &[(0.0, Color::hex("#8a5a36"), 1.0), (0.8, coffee, 1.0), (1.0, coffee.shade(0.4), 1.0)],
        );
        c.circle((0.0, 0.0), 126.0, china.shade(0.3));
        c.circle((5.0, 7.0), 118.0, dark);
        glint(c, "M-86 -34C-74 -70 -44 -92 -8 -96", 8.0, 0.5);
    });
}

fn spray(c: &mut Canvas, dice: &mut Dice, _: Color) {
    let green = Color::hex(LEAF);
    c.line("M-260 230C-140 120 60 -20 210 -250", green.shade(0.4), 9.0, 1.0);
    for (x, y, side) in
        [(-150.0, 132.0, -1.0), (-70.0, 66.0, 1.0), (20.0, -20.0, -1.0), (90.0, -96.0, 1.0), (150.0, -166.0, -1.0)]
    {
        let size = dice.between(150.0, 190.0);
        leaf(c, (x, y), size, 38.0 + side * dice.between(40.0, 56.0), green.light(0.1 * dice.below(2) as f32));
    }
    leaf(c, (208.0, -240.0), 160.0, 34.0, green.light(0.1));
}

fn linen(c: &mut Canvas, _: &mut Dice, color: Color) {
    let cloth = Color::hex(PAPER).mix(color, 0.12);
    let (paint, tile) = (lit(c, cloth), weave(c, cloth));
    let shape = "M-300 -260C-100 -280 120 -246 300 -270C286 -90 310 90 290 270C100 250 -110 286 -296 262C-284 90 -312 -90 -300 -260Z";
    c.path(shape, paint);
    c.glaze(shape, tile, 0.6);
    c.details(|c| {
        c.line("M-256 -228C-90 -246 110 -214 258 -236C244 -80 266 80 250 238C90 218 -100 250 -254 230C-244 80 -268 -80 -256 -228Z", color, 14.0, 0.75);
        c.line("M-236 -206C-84 -222 104 -194 236 -214C224 -74 244 74 230 216C84 198 -94 228 -234 208C-224 74 -246 -74 -236 -206Z", color, 4.0, 0.6);
        c.line("M-296 30C-160 70 -60 -10 60 30C160 60 230 20 298 40M-120 268C-90 160 -150 60 -110 -60", cloth.shade(0.4), 12.0, 0.16);
        c.line("M-296 42C-160 82 -60 2 60 42C160 72 230 32 298 52M-108 268C-78 160 -138 60 -98 -60", cloth.light(0.8), 7.0, 0.5);
    });
}

fn vase(c: &mut Canvas, dice: &mut Dice, color: Color) {
    let green = Color::hex(LEAF);
    contact(c, (26.0, 0.0), (150.0, 40.0));
    c.line("M0 -300C-10 -420 30 -560 90 -700M-4 -300C-30 -420 -90 -500 -140 -560", green.shade(0.4), 7.0, 1.0);
    for (x, y, turn) in [
        (10.0, -430.0, -48.0),
        (26.0, -480.0, 66.0),
        (46.0, -580.0, -34.0),
        (66.0, -630.0, 70.0),
        (90.0, -690.0, 18.0),
        (-60.0, -450.0, 20.0),
        (-84.0, -500.0, -88.0),
        (-136.0, -556.0, -30.0),
    ] {
        leaf(c, (x, y), dice.between(130.0, 165.0), turn, green.light(0.1 * dice.below(2) as f32));
    }
    let paint = round(c, color.light(0.35));
    c.path(
        "M-44 -300C-44 -250 -130 -220 -134 -120C-136 -40 -90 10 0 26C90 10 136 -40 134 -120C130 -220 44 -250 44 -300Z",
        paint,
    );
    c.ellipse((0.0, -300.0), (44.0, 44.0 * TILT), color.shade(0.6));
    glint(c, "M-96 -150C-96 -180 -80 -200 -66 -212", 10.0, 0.4);
}

fn books(c: &mut Canvas, dice: &mut Dice, color: Color) {
    let mut y = 0.0;
    for (index, height) in [78.0, 60.0, 70.0].into_iter().enumerate() {
        let tone = if index == 0 { color } else { cloth(dice, color) };
        let shift = dice.between(-22.0, 22.0);
        tome(c, (shift, y), (430.0 - index as f32 * 30.0, height), tone);
        y -= height * 0.96;
    }
}

/// A closed book lying on `x, y`, its spine to the front.
pub fn tome(c: &mut Canvas, at: (f32, f32), (width, height): (f32, f32), tone: Color) {
    let block = Cuboid { at, width, height, depth: 270.0 };
    block.contact(c);
    block.solid(c, tone);
    c.details(|c| {
        block.side(c, |c| {
            c.rect((0.0, 9.0), (258.0, height - 18.0), 0.0, Color::hex(PAPER).shade(0.22));
            c.line(d!("M0 {}H256M0 {}H256", height * 0.36, height * 0.64), Color::hex(PAPER).shade(0.45), 2.0, 0.6);
        });
        let gold = Color::hex(BRASS).light(0.25);
        block.front(c, |c| {
            c.line(d!("M{} 0V{}M{} 0V{}", width * 0.1, height, width * 0.9, height), gold, 5.0, 0.8);
            c.line(d!("M{} {}H{}", width * 0.3, height * 0.5, width * 0.7), gold, height * 0.13, 0.8);
        });
    });
}

fn teacup(c: &mut Canvas, _: &mut Dice, color: Color) {
    let china = Color::hex("#efe4d2");
    contact(c, (20.0, 0.0), (190.0, 48.0));
    let (rim, body) = (lit(c, china), round(c, china));
    c.path("M-170 -22C-150 30 150 30 170 -22Z", &body);
    c.ellipse((0.0, -24.0), (172.0, 40.0), rim);
    c.line("M92 -140C150 -158 168 -80 78 -66", &body, 18.0, 1.0);
    c.line("M92 -140C150 -158 168 -80 78 -66", china.shade(0.25), 18.0, 1.0);
    c.path("M-104 -170C-104 -80 -70 -26 0 -20C70 -26 104 -80 104 -170Z", body);
    c.ellipse((0.0, -170.0), (104.0, 27.0), china.shade(0.25));
    c.ellipse((0.0, -166.0), (94.0, 21.0), "#4a2a1a");
    c.line("M-98 -130C-50 -112 50 -112 98 -130", color, 7.0, 0.8);
    c.ring((0.0, -170.0), (103.0, 26.0), china.light(0.8), 4.0, 0.9);
}

fn print(c: &mut Canvas, _: &mut Dice, color: Color) {
    contact(c, (30.0, 0.0), (210.0, 24.0));
    let (frame, paper) = (lit(c, Color::hex("#5f3f2b")), lit(c, Color::hex(PAPER)));
    c.transformed("skewX(-3)", |c| {
        c.rect((-190.0, -500.0), (380.0, 500.0), 4.0, frame);
        c.details(|c| {
            c.rect((-164.0, -474.0), (328.0, 448.0), 0.0, paper);
            c.path("M-104 -110V-270a104 104 0 0 1 208 0V-110Z", color.light(0.3));
            for turn in [-44.0, 44.0, 0.0] {
                leaf(c, (0.0, -130.0), 190.0, turn, color.shade(0.12));
            }
            c.line("M-60 -74H60", color, 7.0, 0.8);
            c.line("M-188 -498H188", "#fff6e4", 4.0, 0.4);
        });
    });
}

/// A table of wide boards seen from above.
pub fn boards(c: &mut Canvas, dice: &mut Dice, wood: Color) {
    let lines = c.keep(false, |c| c.inside("M0 0H1200V300H0z", |c| grain(c, dice, (0.0, 0.0, 1200.0, 300.0), wood)));
    for (y, deep, flip) in [
        (0.0, 0.19, ""),
        (300.0, 0.14, "matrix(-1 0 0 1 1200 0)"),
        (600.0, 0.22, ""),
        (900.0, 0.16, "rotate(180 600 150)"),
    ] {
        let paint = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, wood.light(0.16), 1.0), (1.0, wood.shade(deep), 1.0)]);
        c.rect((0.0, y), (1200.0, 300.0), 0.0, paint);
        c.again(&lines, d!("translate(0 {})", y) + flip);
    }
    c.line("M0 300H1200M0 600H1200M0 900H1200", wood.shade(0.6), 5.0, 0.55);
    c.line("M0 304H1200M0 604H1200M0 904H1200", wood.light(0.5), 2.5, 0.4);
    let glow =
        c.radial((0.2, 0.12), 1.1, &[(0.0, wood.light(0.7), 0.5), (0.5, wood, 0.0), (1.0, wood.shade(0.6), 0.5)]);
    c.rect((0.0, 0.0), (1200.0, 1200.0), 0.0, glow);
}

/// A wall and a shelf with a front edge; the shelf begins at `horizon`.
pub fn shelf(c: &mut Canvas, dice: &mut Dice, wood: Color, horizon: f32) {
    let top = c.linear(
        (0.0, 0.0),
        (0.8, 1.0),
        &[(0.0, wood.light(0.26), 1.0), (0.5, wood.light(0.06), 1.0), (1.0, wood.shade(0.2), 1.0)],
    );
    c.rect((0.0, horizon), (1200.0, 1200.0 - horizon), 0.0, top);
    c.inside(d!("M0 {}H1200V1130H0z", horizon), |c| grain(c, dice, (0.0, horizon, 1200.0, 1130.0 - horizon), wood));
    let back = c.linear((0.0, 0.0), (0.0, 1.0), &[(0.0, wood.shade(0.8), 0.45), (1.0, wood, 0.0)]);
    c.rect((0.0, horizon), (1200.0, 70.0), 0.0, back);
    let edge = c.linear((0.0, 0.0), (0.0, 1.0), &[(0.0, wood.shade(0.2), 1.0), (1.0, wood.shade(0.5), 1.0)]);
    c.rect((0.0, 1130.0), (1200.0, 70.0), 0.0, edge);
    c.line("M0 1130H1200", wood.light(0.6), 5.0, 0.7);
}
