//! Puts a drawn piece on its backdrop with light and shadow, for each of the three views.

use super::canvas::{Canvas, N, d};
use super::companions::Companion;
use super::materials::{Look, Material};
use super::palette::{Color, Dice, apart};
use super::{Finish, Piece, View, backdrop, companions};

/// How a piece is drawn, which decides its shadow.
#[derive(Clone, Copy)]
pub enum Pose {
    /// Seen from above; its coordinates are centered.
    Lying,
    /// Standing on its origin with y up as negative; the number is its height.
    Standing(f32),
}

/// A kept drawing and its outline.
struct Thing {
    outline: String,
    object: String,
}

impl Thing {
    /// `draw` runs twice and must paint the same both times.
    fn keep(c: &mut Canvas, mut draw: impl FnMut(&mut Canvas)) -> Self {
        Self { outline: c.keep(true, &mut draw), object: c.keep(false, &mut draw) }
    }
}

pub fn compose(piece: &Piece, finish: &Finish<'_>, view: View, seed: u64) -> String {
    let mut c = Canvas::default();
    let mut dice = Dice::new(seed);
    let color = Color::hex(finish.primary);
    let look = Look { color, material: Material::named(finish.material), seed: seed ^ 0x9e37 };
    let sheet = backdrop::choose(color, &mut dice);
    let thing = Thing::keep(&mut c, |c| (piece.draw)(c, &look));
    let stretch = (dice.between(0.95, 1.04), dice.between(0.95, 1.04));
    match (view, piece.pose) {
        (View::Front, Pose::Lying) => {
            backdrop::level(&mut c, sheet, &mut dice);
            let place = d!("translate(600 600)rotate({})scale({} {})", dice.between(-11.0, 9.0), stretch.0, stretch.1);
            lie(&mut c, &thing, &place, sheet, 1.0);
        }
        (View::Front, Pose::Standing(height)) => {
            let ground = 610.0 + height / 2.0;
            backdrop::sweep(&mut c, sheet, ground - 120.0, &mut dice);
            stand(&mut c, &thing, (600.0, ground), stretch, (sheet, ground - 120.0));
        }
        (View::Detail, Pose::Lying) => {
            backdrop::level(&mut c, sheet.shade(0.16), &mut dice);
            let (x, y, zoom) = piece.focus;
            let turn = dice.between(8.0, 18.0);
            let place = d!("translate(600 600)rotate({})scale({})translate({} {})", turn, zoom, -x, -y);
            lie(&mut c, &thing, &place, sheet, zoom);
        }
        (View::Detail, Pose::Standing(_)) => {
            let (x, y, zoom) = piece.focus;
            let ground = 600.0 - y * zoom;
            backdrop::sweep(&mut c, sheet.shade(0.16), ground - 120.0 * zoom, &mut dice);
            stand(&mut c, &thing, (600.0 - x * zoom, ground), (zoom, zoom), (sheet, ground - 120.0 * zoom));
        }
        (View::Scene, Pose::Lying) => desk(&mut c, &thing, piece, color, &mut dice),
        (View::Scene, Pose::Standing(_)) => shelf(&mut c, &thing, piece, (color, sheet), &mut dice),
    }
    backdrop::tooth(&mut c, &mut dice);
    c.finish()
}

/// The scale of a product in a still life and of what stands or lies around it: small things stay smaller than large
/// ones, but never too small to see.
fn scales(piece: &Piece) -> (f32, f32) {
    (0.5 + 0.42 * piece.size.min(1.1), 1.0 / piece.size.max(1.0))
}

/// A table from above: the product in the middle, two companions reaching in from the corners.
fn desk(c: &mut Canvas, thing: &Thing, piece: &Piece, color: Color, dice: &mut Dice) {
    let wood = apart(&["#b98f63", "#d8b98c", "#8c6446", "#e2d0ae"], color, 0.22, dice);
    companions::boards(c, dice, wood);
    let (scale, around) = scales(piece);
    let mirror = if dice.below(2) == 0 { 1.0 } else { -1.0 };
    let corners = [(400.0, -390.0, 16.0), (-410.0, 400.0, -22.0)];
    for (companion, (x, y, turn)) in companions::pair(companions::LYING, dice).into_iter().zip(corners) {
        let companion = keep_companion(c, companion, wood, dice);
        let (x, y, turn) = (600.0 + mirror * x, 600.0 + y, mirror * (turn + dice.between(-8.0, 8.0)));
        lie(c, &companion, &d!("translate({} {})rotate({})scale({})", x, y, turn, around * 1.12), wood, around);
    }
    let place = d!("translate(600 610)rotate({})scale({})", dice.between(-16.0, 2.0), scale);
    lie(c, thing, &place, wood, scale);
}

/// A shelf before a wall: the product in front, companions behind it, a book under a small product.
fn shelf(c: &mut Canvas, thing: &Thing, piece: &Piece, (color, sheet): (Color, Color), dice: &mut Dice) {
    let wood = apart(&["#8a6244", "#b58a5e", "#5f4333", "#caa678"], color, 0.2, dice);
    let floor = (wood, 850.0);
    backdrop::wall(c, sheet, dice);
    companions::shelf(c, dice, wood, floor.1);
    let side = if dice.below(2) == 0 { 1.0 } else { -1.0 };
    let places = [(340.0, 915.0), (-390.0, 945.0)];
    for (companion, (x, y)) in companions::pair(companions::STANDING, dice).into_iter().zip(places) {
        let companion = keep_companion(c, companion, sheet, dice);
        stand(c, &companion, (600.0 + side * x, y), (1.0, 1.0), floor);
    }
    let (scale, _) = scales(piece);
    let (x, mut ground) = (600.0 - side * 30.0, 1050.0);
    if piece.size < 0.6 {
        let tone = companions::cloth(dice, wood);
        let plinth = Thing::keep(c, |c| companions::tome(c, (0.0, 0.0), (520.0, 110.0), tone));
        stand(c, &plinth, (x, ground), (1.0, 1.0), floor);
        ground -= 112.0;
    }
    stand(c, thing, (x, ground), (scale, scale), floor);
}

/// A companion in a color that stands apart from what is behind it.
fn keep_companion(c: &mut Canvas, companion: Companion, behind: Color, dice: &mut Dice) -> Thing {
    let (tone, seed) = (companions::cloth(dice, behind), dice.clone());
    Thing::keep(c, |c| companion(c, &mut seed.clone(), tone))
}

/// Lays a thing down at a place given as a transform: a tight shadow where it touches, a wide one to the bottom right.
/// The soft edge is a stack of grown outlines, which renders many times faster than a blur.
fn lie(c: &mut Canvas, thing: &Thing, place: &str, sheet: Color, scale: f32) {
    let steps = [0.0, 0.5, 1.2, 2.0, 3.0, 4.0, 5.0, 6.2, 7.4, 8.6, 10.0];
    let layers = steps.into_iter().map(|step| {
        let offset = (4.0 + step * 3.2) * scale;
        (offset, offset * 1.2, step * 5.4)
    });
    c.haze(&thing.outline, place, (sheet.shade(0.8), 0.042), layers);
    c.again(&thing.object, place);
}

/// Stands a thing on `x, y`: its outline thrown on the floor (which begins at a height) to the right, then the thing.
fn stand(c: &mut Canvas, thing: &Thing, (x, y): (f32, f32), (sx, sy): (f32, f32), (floor, horizon): (Color, f32)) {
    let layers = (0..5u8).rev().map(f32::from).map(|step| {
        (d!("matrix({} 0 {} {} {} {})", sx, (-0.6 - 0.012 * step) * sy, 0.2 * sy, x, y - 4.0), step * 10.0)
    });
    c.inside(d!("M0 {}H1200V1200H0z", horizon.min(1200.0)), |c| {
        c.cast(&thing.outline, (floor.shade(0.8), 0.095), layers)
    });
    c.again(&thing.object, d!("translate({} {})scale({} {})", x, y, sx, sy));
}
