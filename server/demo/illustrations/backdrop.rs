//! The paper behind a product: one of a few warm colors, lit from the top left, with a calm printed shape.

use super::canvas::{Canvas, N, d};
use super::palette::{Color, Dice};

/// Paper, oat, clay, sage, dusk and walnut, each light and deep.
const SHEETS: [(&str, &str); 6] = [
    ("#efe4d1", "#d5bf9b"),
    ("#e6d3b1", "#c4a273"),
    ("#deb397", "#b9785a"),
    ("#c3c8ac", "#8a9678"),
    ("#c6bcc0", "#857f8e"),
    ("#cdb094", "#83634d"),
];

/// How different a product and its backdrop must look.
pub const CONTRAST: f32 = 0.2;

/// The sheet for a product: the light ones first, a deep one when the product is itself pale.
pub fn choose(product: Color, dice: &mut Dice) -> Color {
    let start = dice.below(SHEETS.len());
    let turn = |index: usize| SHEETS[(start + index) % SHEETS.len()];
    let light = (0..SHEETS.len()).map(|index| Color::hex(turn(index).0));
    let deep = (0..SHEETS.len()).map(|index| Color::hex(turn(index).1));
    let fits = |sheet: &Color| sheet.distance(product) >= CONTRAST;
    let sheets: Vec<Color> = light.chain(deep).collect();
    let farthest = |one: &Color, other: &Color| one.distance(product).total_cmp(&other.distance(product));
    sheets.iter().copied().find(fits).or_else(|| sheets.into_iter().max_by(farthest)).unwrap_or(product.light(0.6))
}

/// The sheet itself, brighter where the light comes in.
fn sheet(c: &mut Canvas, color: Color) {
    c.rect((0.0, 0.0), (1200.0, 1200.0), 0.0, color);
    let glow = c.radial(
        (0.2, 0.12),
        1.05,
        &[(0.0, color.light(0.42), 0.75), (0.5, color.light(0.2), 0.35), (1.0, color.shade(0.3), 0.42)],
    );
    c.rect((0.0, 0.0), (1200.0, 1200.0), 0.0, glow);
}

/// A level surface for lying things, with one printed shape under the product.
pub fn level(c: &mut Canvas, color: Color, dice: &mut Dice) {
    sheet(c, color);
    let (pale, dark) = (color.light(0.4), color.shade(0.14));
    match dice.below(4) {
        0 => {
            let shape = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, pale, 0.9), (1.0, pale, 0.25)]);
            c.circle((dice.between(540.0, 660.0), dice.between(560.0, 640.0)), dice.between(400.0, 450.0), shape);
        }
        1 => {
            let edge = dice.between(330.0, 470.0);
            let shape = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, dark, 0.3), (1.0, dark, 0.75)]);
            c.path(d!("M1200 {}L{} 1200H1200z", edge, edge - 60.0), shape);
        }
        2 => {
            let shape = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, dark, 0.5), (1.0, dark, 0.3)]);
            c.path(d!("M{} 0L{} 1200H0V0z", dice.between(560.0, 700.0), dice.between(300.0, 400.0)), shape);
        }
        _ => window(c, color, dice),
    }
}

/// Light that falls through a window onto the sheet.
pub fn window(c: &mut Canvas, color: Color, dice: &mut Dice) {
    let shift = dice.between(-80.0, 80.0);
    let bright = color.light(0.62);
    let fade = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, bright, 0.75), (1.0, bright, 0.3)]);
    let mut panes = String::new();
    for (x, y) in [(150.0, 60.0), (500.0, 60.0), (270.0, 480.0), (620.0, 480.0)] {
        panes.push_str(&d!("M{} {}h320l110 390h-320z", x + shift, y));
    }
    c.path(panes, fade);
}

/// A seamless sweep for standing things: the wall turns into the floor at `horizon`.
pub fn sweep(c: &mut Canvas, color: Color, horizon: f32, dice: &mut Dice) {
    sheet(c, color);
    let (pale, dark) = (color.light(0.42), color.shade(0.13));
    let x = dice.between(540.0, 640.0);
    match dice.below(3) {
        0 => {
            let shape = c.linear((0.0, 0.0), (0.6, 1.0), &[(0.0, pale, 0.95), (1.0, pale, 0.2)]);
            c.circle((x, 500.0), dice.between(370.0, 420.0), shape);
        }
        1 => {
            let shape = c.linear((0.0, 0.0), (0.5, 1.0), &[(0.0, dark, 0.55), (1.0, dark, 0.25)]);
            let half = dice.between(300.0, 350.0);
            c.path(
                d!("M{} {}V{}a{} {} 0 0 1 {} 0V{}z", x - half, horizon, 480.0, half, half, half * 2.0, horizon),
                shape,
            );
        }
        _ => window(c, color, dice),
    }
    let floor = c.linear(
        (0.0, 0.0),
        (0.0, 1.0),
        &[
            (0.0, color.shade(0.1), 1.0),
            (0.12, color.light(0.06), 1.0),
            (0.5, color.light(0.25), 1.0),
            (1.0, color.shade(0.05), 1.0),
        ],
    );
    c.path(d!("M0 {}H1200V1200H0z", horizon), floor);
    let side = c.linear(
        (0.0, 0.0),
        (1.0, 0.0),
        &[(0.0, color.light(0.4), 0.4), (0.5, color, 0.0), (1.0, color.shade(0.35), 0.4)],
    );
    c.path(d!("M0 {}H1200V1200H0z", horizon), side);
}

/// The tooth of the paper over the whole print, and darker corners away from the light.
pub fn tooth(c: &mut Canvas, dice: &mut Dice) {
    let (dark, pale) = (Color::hex("#2a1a10"), Color::hex("#fff7e8"));
    let corner = c.radial((0.42, 0.4), 0.8, &[(0.0, dark, 0.0), (0.7, dark, 0.0), (1.0, dark, 0.22)]);
    c.rect((0.0, 0.0), (1200.0, 1200.0), 0.0, corner);
    let mut fleck = || {
        let at = |dice: &mut Dice| dice.below(800) as f32 - 400.0;
        (0..28).map(|_| d!("M{} {}h2v2h-2z", at(dice), at(dice))).collect::<String>()
    };
    let (first, second) = (fleck(), fleck());
    for (dots, color, opacity) in [(first, dark, 0.12), (second, pale, 0.26)] {
        let kept = c.keep(false, |c| c.glaze(dots, color, opacity));
        for (x, y, turn) in
            [(330, 320, 0), (860, 380, 90), (390, 850, 200), (880, 840, 290), (600, 600, 45), (200, 700, 140)]
        {
            c.again(&kept, format!("translate({x} {y})rotate({turn})"));
        }
    }
}

/// A plastered wall with the light of a window on it.
pub fn wall(c: &mut Canvas, color: Color, dice: &mut Dice) {
    sheet(c, color);
    window(c, color, dice);
}
