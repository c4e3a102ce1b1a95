//! How surfaces take the light (from the top left) and what they are made of: wood, metal, leather, glass, cloth.

use super::canvas::{Canvas, N, Stop, d};
use super::palette::{Color, Dice};

/// What a product is mostly made of, read from the words of the catalog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Material {
    Wood,
    Metal,
    Leather,
    Glass,
    Ceramic,
    Cloth,
    Paper,
    Plastic,
}

const WORDS: [(Material, &[&str]); 7] = [
    (Material::Leather, &["leather", "suede", "hide", "saddle"]),
    (Material::Glass, &["glass", "crystal"]),
    (
        Material::Ceramic,
        &["ceramic", "porcelain", "stone", "marble", "enamel", "meerschaum", "clay", "bone", "horn", "wax"],
    ),
    (
        Material::Cloth,
        &["cotton", "canvas", "wool", "linen", "velvet", "corduroy", "cloth", "felt", "tweed", "denim", "twill"],
    ),
    (
        Material::Metal,
        &[
            "brass", "steel", "metal", "alumin", "chrome", "silver", "gold", "copper", "tin", "pewter", "nickel",
            "zinc", "titanium", "iron",
        ],
    ),
    (Material::Paper, &["paper", "card", "kraft", "hemp", "rice", "flax", "pulp"]),
    (
        Material::Plastic,
        &[
            "acrylic", "plastic", "resin", "polymer", "polycarb", "abs", "silicone", "rubber", "nylon", "ebonite",
            "bakelite",
        ],
    ),
];

impl Material {
    /// Unknown words count as wood: the shop's most common material.
    pub fn named(words: &str) -> Self {
        let words = words.to_lowercase();
        let known = WORDS.iter().find(|(_, names)| names.iter().any(|name| words.contains(name)));
        known.map_or(Self::Wood, |&(material, _)| material)
    }
}

/// The color, the material and the small variations of one product.
#[derive(Clone)]
pub struct Look {
    pub color: Color,
    pub material: Material,
    pub seed: u64,
}

fn opaque<const COUNT: usize>(stops: [(f32, Color); COUNT]) -> [Stop; COUNT] {
    stops.map(|(offset, color)| (offset, color, 1.0))
}

const DOWN: ((f32, f32), (f32, f32)) = ((0.0, 0.0), (0.0, 1.0));
const ACROSS: ((f32, f32), (f32, f32)) = ((0.0, 0.0), (1.0, 0.0));

/// A flat or gently curved face: light at the top left, shade at the bottom right.
pub fn lit(c: &mut Canvas, color: Color) -> String {
    c.linear((0.1, 0.0), (0.9, 1.0), &opaque([(0.0, color.light(0.22)), (0.5, color), (1.0, color.shade(0.34))]))
}

/// A ball seen from the front.
pub fn ball(c: &mut Canvas, color: Color) -> String {
    let stops = opaque([
        (0.0, color.light(0.62)),
        (0.22, color.light(0.2)),
        (0.55, color),
        (0.88, color.shade(0.5)),
        (1.0, color.shade(0.4)),
    ]);
    c.radial((0.34, 0.28), 0.75, &stops)
}

fn rounded(color: Color) -> [Stop; 7] {
    opaque([
        (0.0, color.shade(0.22)),
        (0.1, color),
        (0.27, color.light(0.34)),
        (0.45, color),
        (0.72, color.shade(0.3)),
        (0.93, color.shade(0.55)),
        (1.0, color.shade(0.42)),
    ])
}

fn polished(color: Color) -> [Stop; 9] {
    opaque([
        (0.0, color.shade(0.4)),
        (0.07, color.shade(0.1)),
        (0.16, color.light(0.45)),
        (0.26, color.light(0.78)),
        (0.36, color.light(0.1)),
        (0.58, color.shade(0.36)),
        (0.78, color.shade(0.1)),
        (0.9, color.light(0.38)),
        (1.0, color.shade(0.45)),
    ])
}

/// An upright round body of a dull material.
pub fn round(c: &mut Canvas, color: Color) -> String {
    c.linear(ACROSS.0, ACROSS.1, &rounded(color))
}

/// A lying round body of a dull material.
pub fn bar(c: &mut Canvas, color: Color) -> String {
    c.linear(DOWN.0, DOWN.1, &rounded(color))
}

/// An upright round body of polished metal.
pub fn metal(c: &mut Canvas, color: Color) -> String {
    c.linear(ACROSS.0, ACROSS.1, &polished(color))
}

/// A lying round body of polished metal.
pub fn metal_bar(c: &mut Canvas, color: Color) -> String {
    c.linear(DOWN.0, DOWN.1, &polished(color))
}

/// A flat sheet of metal: broad diagonal reflections.
pub fn plate(c: &mut Canvas, color: Color) -> String {
    let stops = opaque([
        (0.0, color.light(0.3)),
        (0.24, color.light(0.05)),
        (0.36, color.light(0.6)),
        (0.48, color.light(0.12)),
        (0.72, color.shade(0.2)),
        (0.84, color.light(0.22)),
        (1.0, color.shade(0.34)),
    ]);
    c.linear((0.0, 0.0), (1.0, 0.9), &stops)
}

impl Look {
    /// The same fresh dice every time: an outline skips details and must still agree with the drawing.
    pub fn dice(&self) -> Dice {
        Dice::new(self.seed)
    }

    /// The paint of an upright round body in the product's own color and material.
    pub fn upright(&self, c: &mut Canvas) -> String {
        if self.material == Material::Metal { metal(c, self.color) } else { round(c, self.color) }
    }

    /// The paint of a lying round body in the product's own color and material.
    pub fn lying(&self, c: &mut Canvas) -> String {
        if self.material == Material::Metal { metal_bar(c, self.color) } else { bar(c, self.color) }
    }

    /// The paint of a flat face in the product's own color and material.
    pub fn face(&self, c: &mut Canvas) -> String {
        if self.material == Material::Metal { plate(c, self.color) } else { lit(c, self.color) }
    }

    /// Lays the material's texture over a shape whose box is `x, y, width, height`.
    pub fn texture(&self, c: &mut Canvas, shape: &str, area: (f32, f32, f32, f32)) {
        match self.material {
            Material::Wood => {
                let color = self.color;
                let dice = &mut self.dice();
                c.inside(shape, |c| grain(c, dice, area, color));
            }
            Material::Metal => {
                let tile = brushed(c);
                c.glaze(shape, tile, 0.5);
            }
            Material::Leather => {
                let tile = pebbles(c, self.color);
                c.glaze(shape, tile, 0.6);
            }
            Material::Cloth => {
                let tile = weave(c, self.color);
                c.glaze(shape, tile, 0.6);
            }
            Material::Ceramic | Material::Paper => {
                let tile = speckle(c, self.color);
                c.glaze(shape, tile, 0.5);
            }
            Material::Glass | Material::Plastic => {}
        }
    }
}

/// Long wavering lines of wood along the x axis, darker and lighter than the wood.
pub fn grain(c: &mut Canvas, dice: &mut Dice, (x, y, width, height): (f32, f32, f32, f32), color: Color) {
    let count = (height / 24.0).clamp(4.0, 15.0) as usize;
    let mut fine = String::new();
    let mut broad = String::new();
    let mut pale = String::new();
    for index in 0..count {
        let at = y + height * (index as f32 + dice.between(0.1, 0.9)) / count as f32;
        let (rise, fall) = (dice.between(-14.0, 14.0), dice.between(-8.0, 8.0));
        let line =
            d!("M{} {}q{} {} {} {}t{} {}", x - 4.0, at, width * 0.25, rise, width * 0.5, fall, width * 0.55, -fall);
        match index % 3 {
            0 => broad.push_str(&line),
            1 => fine.push_str(&line),
            _ => pale.push_str(&line),
        }
    }
    c.line(broad, color.shade(0.5), (height * 0.02).clamp(2.5, 6.0), 0.3);
    c.line(fine, color.shade(0.7), 1.6, 0.38);
    c.line(pale, color.light(0.5), 2.2, 0.28);
}

/// The eyes that briar and other burr woods show across the grain.
pub fn birdseye(c: &mut Canvas, dice: &mut Dice, (x, y, width, height): (f32, f32, f32, f32), color: Color) {
    let (mut rings, mut dots) = (String::new(), String::new());
    for _ in 0..7 {
        let (x, y) = (x + dice.between(0.0, width), y + dice.between(0.0, height));
        let size = dice.between(3.0, 8.0);
        rings.push_str(&d!("M{} {}q{} {} {} 0t{} 0", x - size, y, size, -size * 1.6, size * 2.0, -size * 2.0));
        dots.push_str(&d!("M{} {}h0", x, y));
    }
    c.line(rings, color.shade(0.62), 1.6, 0.34);
    c.line(dots, color.shade(0.7), 4.0, 0.4);
}

/// Fine horizontal scratches of brushed metal.
pub fn brushed(c: &mut Canvas) -> String {
    let (pale, dark) = (Color::hex("#ffffff"), Color::hex("#000000"));
    let tile = format!(
        "<g fill=\"none\" stroke-width=\"1.4\"><path d=\"M0 3h90M30 11h90M-20 11h30M60 19h50M10 27h70\" stroke=\"{pale}\" stroke-opacity=\".34\"/><path d=\"M40 7h80M-10 7h20M0 15h50M20 23h90M70 31h50M-10 31h40\" stroke=\"{dark}\" stroke-opacity=\".2\"/></g>"
    );
    c.pattern((110.0, 32.0), "", &tile)
}

/// The fine pebbled skin of leather.
pub fn pebbles(c: &mut Canvas, color: Color) -> String {
    let (dark, pale) = (color.shade(0.55), color.light(0.4));
    let tile = format!(
        "<g fill=\"none\" stroke-linecap=\"round\" stroke-width=\"2\"><path d=\"M4 6q4-4 7 1M20 4q5 0 5 5M34 10q3-5 8-2M10 20q-3 5 3 7M27 19q6-1 6 5M41 24q-1 6 5 5M5 37q5-3 8 1M20 34q1 6 7 4M36 39q5-4 9 0\" stroke=\"{dark}\" stroke-opacity=\".5\"/><path d=\"M5 10q4-3 6 1M21 8q4 0 4 4M35 14q3-5 7-2M28 23q5-1 5 5M21 39q1 4 6 3\" stroke=\"{pale}\" stroke-opacity=\".34\"/></g>"
    );
    c.pattern((48.0, 44.0), "rotate(12)", &tile)
}

/// A plain weave.
pub fn weave(c: &mut Canvas, color: Color) -> String {
    let (dark, pale) = (color.shade(0.5), color.light(0.4));
    let tile = format!(
        "<g stroke-width=\"2.6\" fill=\"none\"><path d=\"M0 2h6M8 8h6\" stroke=\"{dark}\" stroke-opacity=\".45\"/><path d=\"M2 5v7M9 -1v6\" stroke=\"{pale}\" stroke-opacity=\".4\"/></g>"
    );
    c.pattern((14.0, 12.0), "rotate(-8)", &tile)
}

/// Knitted wool: columns of small Vs.
pub fn knit(c: &mut Canvas, color: Color) -> String {
    let (dark, pale) = (color.shade(0.55), color.light(0.35));
    let tile = format!(
        "<g fill=\"none\" stroke-linecap=\"round\"><path d=\"M1 3L11 14L21 3\" stroke=\"{pale}\" stroke-width=\"6\" stroke-opacity=\".5\"/><path d=\"M0 10L11 22L22 10\" stroke=\"{dark}\" stroke-width=\"2.6\" stroke-opacity=\".5\"/></g>"
    );
    c.pattern((22.0, 19.0), "rotate(2)", &tile)
}

/// The small dark and pale flecks of stoneware, paper pulp and cork.
pub fn speckle(c: &mut Canvas, color: Color) -> String {
    let (dark, pale) = (color.shade(0.55), color.light(0.55));
    let tile = format!(
        "<g fill=\"none\" stroke-linecap=\"round\" stroke-width=\"3\"><path d=\"M9 12h0M52 7h1M31 33h0M77 29h1M14 58h1M60 52h0M42 76h0M88 71h0M24 90h1M70 94h0\" stroke=\"{dark}\" stroke-opacity=\".5\"/><path d=\"M24 18h0M66 18h1M44 48h0M6 38h0M86 46h1M28 70h0M58 84h0M92 12h0\" stroke=\"{pale}\" stroke-opacity=\".6\"/></g>"
    );
    c.pattern((97.0, 101.0), "rotate(9)", &tile)
}

/// A thread that shows on leather or cloth of the given color.
pub fn thread(color: Color) -> Color {
    if color.l > 0.55 { color.shade(0.5) } else { color.light(0.6) }
}

/// A row of stitches along a line: each thread sits in a dent and catches the light.
pub fn stitch(c: &mut Canvas, line: &str, leather: Color, thread: Color) {
    c.line(line, leather.shade(0.5), 7.0, 0.45);
    c.dashes(line, thread.shade(0.35), 5.0, "15 11", "round");
    c.dashes(line, thread, 3.2, "15 11", "round");
}

/// A specular highlight.
pub fn glint(c: &mut Canvas, line: impl std::fmt::Display, width: f32, opacity: f32) {
    c.line(line, "#fffaf0", width, opacity);
}

/// A soft dark pool where a thing touches what carries it.
pub fn contact(c: &mut Canvas, center: (f32, f32), radius: (f32, f32)) {
    let dark = Color::hex("#1d120d");
    let pool = c.radial((0.5, 0.5), 0.5, &[(0.0, dark, 0.62), (0.62, dark, 0.34), (1.0, dark, 0.0)]);
    c.details(|c| c.ellipse(center, radius, pool));
}

/// A candle's or lighter's flame standing on `x, y`.
pub fn flame(c: &mut Canvas, (x, y): (f32, f32), height: f32) {
    let (hot, warm, red) = (Color::hex("#fff6cf"), Color::hex("#f9b233"), Color::hex("#e2601c"));
    let glow = c.radial((0.5, 0.55), 0.5, &[(0.0, warm, 0.5), (0.5, warm, 0.16), (1.0, warm, 0.0)]);
    c.details(|c| {
        c.circle((x, y - height * 0.5), height * 1.05, glow);
        let (wide, h) = (height * 0.26, height);
        let outer = d!(
            "M{} {}c{} {} {} {} {} {}c{} {} {} {} {} {}c{} {} {} {} {} {}z",
            x,
            y,
            -wide * 1.3,
            -h * 0.04,
            -wide * 1.25,
            -h * 0.42,
            -wide * 0.35,
            -h * 0.68,
            wide * 0.25,
            -h * 0.12,
            wide * 0.3,
            -h * 0.2,
            wide * 0.3,
            -h * 0.34,
            wide * 0.75,
            h * 0.3,
            wide * 2.1,
            h * 0.96,
            wide * 0.05,
            h * 1.02
        );
        let body = c.linear(
            (0.5, 0.0),
            (0.5, 1.0),
            &[(0.0, red, 0.85), (0.35, warm, 0.95), (0.8, hot, 1.0), (1.0, Color::hex("#8fb4d8"), 0.8)],
        );
        c.path(outer, body);
        let core = d!(
            "M{} {}c{} {} {} {} {} {}c{} {} {} {} {} {}z",
            x,
            y - h * 0.08,
            -wide * 0.8,
            -h * 0.06,
            -wide * 0.35,
            -h * 0.34,
            wide * 0.05,
            -h * 0.5,
            wide * 0.3,
            h * 0.2,
            wide * 0.7,
            h * 0.44,
            -wide * 0.05,
            h * 0.5
        );
        c.glaze(core, hot, 0.85);
    });
}

/// A box seen a little from above and turned, so that its front, right side and top show.
/// The middle of its bottom stands on `x, y`.
pub struct Cuboid {
    pub at: (f32, f32),
    pub width: f32,
    pub height: f32,
    pub depth: f32,
}

/// Directions of the box's width, depth and height on the picture.
const ALONG: (f32, f32) = (0.95, 0.1);
const BACK: (f32, f32) = (0.34, -0.25);
const UP: f32 = -0.96;

impl Cuboid {
    /// Where a corner lies: `u` along the width, `v` toward the back, `w` up; each from 0 to 1.
    pub fn point(&self, u: f32, v: f32, w: f32) -> (f32, f32) {
        let (u, v) = ((u - 0.5) * self.width, (v - 0.5) * self.depth);
        let x = self.at.0 + u * ALONG.0 + v * BACK.0;
        (x, self.at.1 + u * ALONG.1 + v * BACK.1 + w * self.height * UP)
    }

    fn matrix(x: (f32, f32), y: (f32, f32), origin: (f32, f32)) -> String {
        d!("matrix({} {} {} {} {} {})", x.0, x.1, y.0, y.1, origin.0, origin.1)
    }

    /// Paints on the front: x to the right, y down, from its top left corner.
    pub fn front(&self, c: &mut Canvas, draw: impl FnOnce(&mut Canvas)) {
        let place = Self::matrix(ALONG, (0.0, -UP), self.point(0.0, 0.0, 1.0));
        c.details(|c| c.transformed(place, draw));
    }

    /// Paints on the right side: x to the back, y down.
    pub fn side(&self, c: &mut Canvas, draw: impl FnOnce(&mut Canvas)) {
        let place = Self::matrix(BACK, (0.0, -UP), self.point(1.0, 0.0, 1.0));
        c.details(|c| c.transformed(place, draw));
    }

    /// Paints on the top: x to the right, y to the front.
    pub fn top(&self, c: &mut Canvas, draw: impl FnOnce(&mut Canvas)) {
        let place = Self::matrix(ALONG, (-BACK.0, -BACK.1), self.point(0.0, 1.0, 1.0));
        c.details(|c| c.transformed(place, draw));
    }

    /// The dark line and the soft pool where the box meets what carries it.
    pub fn contact(&self, c: &mut Canvas) {
        let corner = |(u, v)| self.point(u, v, 0.0);
        let foot: String =
            [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)].into_iter().map(corner).map(|(x, y)| d!("{} {} ", x, y)).collect();
        c.transformed("translate(12 8)", |c| {
            for (width, opacity) in [(46.0, 0.08), (30.0, 0.11), (14.0, 0.18)] {
                c.line(format!("M{foot}"), "#1d120d", width, opacity);
            }
        });
    }

    /// The three faces in one color, the edges toward the light beveled.
    pub fn solid(&self, c: &mut Canvas, color: Color) {
        let corners =
            [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (0.0, 1.0, 1.0), (0.0, 0.0, 1.0)];
        let corner = |(u, v, w)| self.point(u, v, w);
        let outline: String = corners.into_iter().map(corner).map(|(x, y)| d!("{} {} ", x, y)).collect();
        c.path(format!("M{outline}z"), color.shade(0.3));
        let front = c.linear(
            (0.0, 0.0),
            (0.8, 1.0),
            &[(0.0, color.light(0.1), 1.0), (0.5, color, 1.0), (1.0, color.shade(0.2), 1.0)],
        );
        let side = c.linear((0.0, 0.0), (0.6, 1.0), &[(0.0, color.shade(0.32), 1.0), (1.0, color.shade(0.5), 1.0)]);
        let top = c.linear((0.0, 0.0), (1.0, 1.0), &[(0.0, color.light(0.42), 1.0), (1.0, color.light(0.18), 1.0)]);
        let face = |corners: [(f32, f32, f32); 4]| {
            let [a, b, c, d] = corners.map(|(u, v, w)| self.point(u, v, w));
            d!("M{} {}L{} {}L{} {}L{} {}z", a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1)
        };
        c.details(|c| {
            c.path(face([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 1.0), (0.0, 0.0, 1.0)]), front);
            c.path(face([(1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (1.0, 0.0, 1.0)]), side);
            c.path(face([(0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 1.0), (0.0, 1.0, 1.0)]), top);
        });
        let ((x1, y1), (x2, y2), (x3, y3)) =
            (self.point(0.0, 0.0, 1.0), self.point(1.0, 0.0, 1.0), self.point(1.0, 1.0, 1.0));
        c.line(d!("M{} {}L{} {}L{} {}", x1, y1, x2, y2, x3, y3), color.light(0.6), 3.0, 0.6);
        let (x, y) = self.point(1.0, 0.0, 0.0);
        c.line(d!("M{} {}L{} {}", x2, y2, x, y), color.light(0.3), 3.0, 0.4);
    }
}

/// An upright round body from `top` to `bottom` with its round top face.
/// `flat` is how round the end looks from above (its height over its width).
pub fn cylinder(c: &mut Canvas, x: f32, (top, bottom): (f32, f32), radius: f32, paint: &str, lid: &str) {
    let ry = radius * TILT;
    c.path(drum(x, (top, bottom), radius), paint);
    c.ellipse((x, top), (radius, ry), lid);
}

/// How flat a level circle looks.
pub const TILT: f32 = 0.26;

/// The outline of a cylinder's wall with its round lower edge.
pub fn drum(x: f32, (top, bottom): (f32, f32), radius: f32) -> String {
    let ry = radius * TILT;
    d!(
        "M{} {}V{}A{} {} 0 0 0 {} {}V{}A{} {} 0 0 1 {} {}z",
        x - radius,
        top,
        bottom,
        radius,
        ry,
        x + radius,
        bottom,
        top,
        radius,
        ry,
        x - radius,
        top
    )
}
