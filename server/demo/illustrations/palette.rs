//! Color arithmetic in OKLab, so that shades keep their hue, and the colors every picture shares.

use std::fmt;

/// A color in OKLab: `l` is lightness from 0 to 1, `a` and `b` the two hue axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color {
    pub l: f32,
    pub a: f32,
    pub b: f32,
}

/// Light and shadow are never neutral: light is warm, shadow is umber.
const SUN: Color = Color { l: 0.985, a: 0.003, b: 0.028 };
const UMBER: Color = Color { l: 0.17, a: 0.018, b: 0.016 };

pub const EBONITE: &str = "#2b2524";
pub const BRASS: &str = "#c79c4c";
pub const STEEL: &str = "#b4b6b8";
pub const IVORY: &str = "#efe3cc";
pub const AMBER: &str = "#c8751f";
pub const PAPER: &str = "#f5ecdc";
pub const KRAFT: &str = "#c6a074";
pub const TOBACCO: &str = "#70452a";
pub const CEDAR: &str = "#c88f5f";
pub const LEAF: &str = "#6f7d54";

impl Color {
    /// Reads `#rrggbb`; anything else becomes a middle brown, so a bad catalog value still draws.
    pub fn hex(value: &str) -> Self {
        let digits = value.strip_prefix('#').filter(|rest| rest.len() == 6);
        let number = digits.and_then(|rest| u32::from_str_radix(rest, 16).ok()).unwrap_or(0x8a_5a_3c);
        let channel = |shift: u32| {
            let c = ((number >> shift) & 0xff) as f32 / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        let (r, g, b) = (channel(16), channel(8), channel(0));
        let l = (0.412_221_47 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
        let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
        let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
        Self {
            l: 0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
            a: 1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
            b: 0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
        }
    }

    pub fn mix(self, other: Self, share: f32) -> Self {
        let at = |from: f32, to: f32| from + (to - from) * share;
        Self { l: at(self.l, other.l), a: at(self.a, other.a), b: at(self.b, other.b) }
    }

    /// Toward sunlight; `share` from 0 to 1.
    pub fn light(self, share: f32) -> Self {
        self.mix(SUN, share)
    }

    /// Toward warm shadow; `share` from 0 to 1. Keeps more of the hue than of the lightness.
    pub fn shade(self, share: f32) -> Self {
        let dark = self.mix(UMBER, share);
        Self { l: dark.l, a: self.a + (dark.a - self.a) * share * 0.7, b: self.b + (dark.b - self.b) * share * 0.7 }
    }

    /// An ink that reads on this color.
    pub fn ink(self) -> Self {
        if self.l > 0.6 { self.shade(0.6) } else { self.light(0.7) }
    }

    /// How far apart two colors look; 0.1 is plainly different, 1.0 is black against white.
    pub fn distance(self, other: Self) -> f32 {
        ((self.l - other.l).powi(2) + (self.a - other.a).powi(2) + (self.b - other.b).powi(2)).sqrt()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let l = (self.l + 0.396_337_78 * self.a + 0.215_803_76 * self.b).powi(3);
        let m = (self.l - 0.105_561_346 * self.a - 0.063_854_17 * self.b).powi(3);
        let s = (self.l - 0.089_484_18 * self.a - 1.291_485_5 * self.b).powi(3);
        let channel = |linear: f32| {
            let c = if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
            (c.clamp(0.0, 1.0) * 255.0).round() as u8
        };
        let r = channel(4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s);
        let g = channel(-1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s);
        let b = channel(-0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s);
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

/// Splitmix64: the small, stable source of every variation between two products of one kind.
#[derive(Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` up to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        let share = (self.next() >> 40) as f32 / (1u64 << 24) as f32;
        low + (high - low) * share
    }

    /// A whole number below `count` (which must not be 0).
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }
}

/// One of the colors that stands at least `distance` apart from another color; if none does, the farthest.
pub fn apart(hexes: &[&str], from: Color, distance: f32, dice: &mut Dice) -> Color {
    let start = dice.below(hexes.len());
    let turned = hexes.iter().cycle().skip(start).take(hexes.len()).map(|hex| Color::hex(hex));
    let farthest = |one: &Color, other: &Color| one.distance(from).total_cmp(&other.distance(from));
    let found = turned.clone().find(|color| color.distance(from) >= distance);
    found.or_else(|| turned.max_by(farthest)).unwrap_or(from)
}
