//! A small SVG writer: shapes, shared gradients, clips and groups. The order of calls is the order of painting.

use std::fmt;
use std::fmt::Display;

use super::palette::Color;

/// A number written short: hundredths below 10 (scales, slopes), tenths below 100, then whole units.
pub struct N(pub f32);

impl Display for N {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.0.abs() {
            size if size < 10.0 => format!("{:.2}", self.0),
            size if size < 100.0 => format!("{:.1}", self.0),
            _ => return write!(f, "{:.0}", self.0),
        };
        let text = text.trim_end_matches('0').trim_end_matches('.');
        let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
        match digits.strip_prefix('0') {
            Some("") => f.write_str("0"),
            Some(fraction) => write!(f, "{sign}{fraction}"),
            None => f.write_str(text),
        }
    }
}

/// `format!` for path data and transforms: every argument is written as a short coordinate.
macro_rules! d {
    ($text:literal $(, $value:expr)* $(,)?) => {
        format!($text $(, N($value))*)
    };
}
pub(super) use d;

/// A gradient stop: offset from 0 to 1, color, opacity.
pub type Stop = (f32, Color, f32);

/// The picture while it is painted. An `outline` canvas keeps only solid shapes, without their colors:
/// what a thing's shadow is made of.
#[derive(Default)]
pub struct Canvas {
    defs: Vec<String>,
    body: String,
    outline: bool,
}

impl Canvas {
    /// Adds a definition (its text without `<` and with `#` where the id goes) and gives the id.
    /// Equal definitions share one.
    fn define(&mut self, definition: String) -> String {
        let index = self.defs.iter().position(|other| *other == definition).unwrap_or_else(|| {
            self.defs.push(definition);
            self.defs.len() - 1
        });
        format!("d{index}")
    }

    fn stops(stops: &[Stop]) -> String {
        let stop = |&(offset, color, opacity): &Stop| {
            let offset = if offset > 0.0 { format!(" offset=\"{}\"", N(offset)) } else { String::new() };
            let opacity = if opacity < 1.0 { format!(" stop-opacity=\"{}\"", N(opacity)) } else { String::new() };
            format!("<stop{offset} stop-color=\"{color}\"{opacity}/>")
        };
        stops.iter().map(stop).collect()
    }

    /// A linear gradient over the shape's own box (0..1 in both directions).
    pub fn linear(&mut self, from: (f32, f32), to: (f32, f32), stops: &[Stop]) -> String {
        let (stops, ((x1, y1), (x2, y2))) = (Self::stops(stops), (from, to));
        let text =
            format!("linearGradient id=\"#\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\">{stops}</linearGradient>");
        format!("url(#{})", self.define(text))
    }

    /// A radial gradient over the shape's own box.
    pub fn radial(&mut self, (x, y): (f32, f32), radius: f32, stops: &[Stop]) -> String {
        let stops = Self::stops(stops);
        let text = format!("radialGradient id=\"#\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\">{stops}</radialGradient>");
        format!("url(#{})", self.define(text))
    }

    /// A repeated tile of `size` units; `content` is SVG.
    pub fn pattern(&mut self, size: (f32, f32), transform: &str, content: &str) -> String {
        let (width, height) = size;
        let text = format!(
            "pattern id=\"#\" width=\"{width}\" height=\"{height}\" patternUnits=\"userSpaceOnUse\" patternTransform=\"{transform}\">{content}</pattern>"
        );
        format!("url(#{})", self.define(text))
    }

    /// The `fill` attribute, which an outline leaves to its group.
    fn fill(&self, fill: impl Display) -> String {
        if self.outline { String::new() } else { format!(" fill=\"{fill}\"") }
    }

    pub fn path(&mut self, shape: impl Display, fill: impl Display) {
        let fill = self.fill(fill);
        self.body.push_str(&format!("<path d=\"{shape}\"{fill}/>"));
    }

    /// A filled path with an opacity, which throws no shadow.
    pub fn glaze(&mut self, shape: impl Display, fill: impl Display, opacity: f32) {
        if self.outline {
            return;
        }
        self.body.push_str(&format!("<path d=\"{shape}\" fill=\"{fill}\" fill-opacity=\"{}\"/>", N(opacity)));
    }

    pub fn line(&mut self, shape: impl Display, color: impl Display, width: f32, opacity: f32) {
        if self.outline {
            if opacity >= 1.0 && width >= 6.0 {
                self.body.push_str(&format!("<path d=\"{shape}\" fill=\"none\" stroke-width=\"{}\"/>", N(width)));
            }
            return;
        }
        let opacity = if opacity < 1.0 { format!(" stroke-opacity=\"{}\"", N(opacity)) } else { String::new() };
        self.body.push_str(&format!(
            "<path d=\"{shape}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{}\"{opacity}/>",
            N(width)
        ));
    }

    /// A dashed line; `dashes` is an SVG dash array.
    pub fn dashes(&mut self, shape: impl Display, color: impl Display, width: f32, dashes: &str, cap: &str) {
        if self.outline {
            return;
        }
        self.body.push_str(&format!(
            "<path d=\"{shape}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{}\" stroke-dasharray=\"{dashes}\" stroke-linecap=\"{cap}\"/>",
            N(width)
        ));
    }

    pub fn rect(&mut self, (x, y): (f32, f32), (width, height): (f32, f32), radius: f32, fill: impl Display) {
        let (x, y, width, height, fill) = (N(x), N(y), N(width), N(height), self.fill(fill));
        let radius = if radius > 0.0 { format!(" rx=\"{}\"", N(radius)) } else { String::new() };
        self.body.push_str(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{radius}{fill}/>"));
    }

    pub fn ellipse(&mut self, (x, y): (f32, f32), (rx, ry): (f32, f32), fill: impl Display) {
        let (x, y, rx, ry, fill) = (N(x), N(y), N(rx), N(ry), self.fill(fill));
        self.body.push_str(&format!("<ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{rx}\" ry=\"{ry}\"{fill}/>"));
    }

    pub fn circle(&mut self, center: (f32, f32), radius: f32, fill: impl Display) {
        self.ellipse(center, (radius, radius), fill);
    }

    /// A circle drawn as a line only.
    pub fn ring(&mut self, (x, y): (f32, f32), (rx, ry): (f32, f32), color: impl Display, width: f32, opacity: f32) {
        let shape = d!("M{} {}a{} {} 0 1 0 {} 0a{} {} 0 1 0 {} 0z", x - rx, y, rx, ry, 2.0 * rx, rx, ry, -2.0 * rx);
        self.line(shape, color, width, opacity);
    }

    /// Everything `draw` paints, moved, turned or scaled.
    pub fn transformed(&mut self, transform: impl Display, draw: impl FnOnce(&mut Self)) {
        self.body.push_str(&format!("<g transform=\"{transform}\">"));
        draw(self);
        self.body.push_str("</g>");
    }

    /// Everything `draw` paints, cut to the shape: the modeling of something that is already painted.
    pub fn inside(&mut self, shape: impl Display, draw: impl FnOnce(&mut Self)) {
        if self.outline {
            return;
        }
        let clip = self.define(format!("clipPath id=\"#\"><path d=\"{shape}\" clip-rule=\"evenodd\"/></clipPath>"));
        self.body.push_str(&format!("<g clip-path=\"url(#{clip})\">"));
        draw(self);
        self.body.push_str("</g>");
    }

    /// Whether only the outline is wanted: the place to leave a drawing before the details that lie within it.
    pub fn outlining(&self) -> bool {
        self.outline
    }

    /// What lies within the outline or has no body, such as light: it throws no shadow.
    pub fn details(&mut self, draw: impl FnOnce(&mut Self)) {
        if !self.outline {
            draw(self);
        }
    }

    /// Keeps what `draw` paints for `again`, as it is or as its outline only.
    pub fn keep(&mut self, outline: bool, draw: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.body);
        let mode = std::mem::replace(&mut self.outline, outline);
        draw(self);
        self.outline = mode;
        let content = std::mem::replace(&mut self.body, before);
        self.define(format!("g id=\"#\">{content}</g>"))
    }

    /// Paints once more what was kept.
    pub fn again(&mut self, kept: &str, transform: impl Display) {
        self.body.push_str(&format!("<use href=\"#{kept}\" transform=\"{transform}\"/>"));
    }

    /// Paints something that the picture repeats: equal drawings are written once.
    pub fn stamp(&mut self, transform: impl Display, draw: impl FnOnce(&mut Self)) {
        let kept = self.keep(self.outline, draw);
        self.again(&kept, transform);
    }

    /// Paints a kept outline as thin translucent layers of one color; each layer is an offset and how far it grows.
    pub fn haze(
        &mut self,
        kept: &str,
        place: &str,
        (color, opacity): (Color, f32),
        layers: impl Iterator<Item = (f32, f32, f32)>,
    ) {
        let placed = self.define(format!("g id=\"#\"><use href=\"#{kept}\" transform=\"{place}\"/></g>"));
        let opacity = N(opacity);
        self.body.push_str(&format!(
            "<g fill=\"{color}\" stroke=\"{color}\" fill-opacity=\"{opacity}\" stroke-opacity=\"{opacity}\">"
        ));
        for (x, y, width) in layers {
            let (x, y, width) = (N(x), N(y), N(width));
            self.body.push_str(&format!("<use href=\"#{placed}\" x=\"{x}\" y=\"{y}\" stroke-width=\"{width}\"/>"));
        }
        self.body.push_str("</g>");
    }

    /// Paints a kept outline as a few flat layers, each of one tone where its shapes overlap; each layer is a
    /// transform and how far it grows.
    pub fn cast(&mut self, kept: &str, (color, opacity): (Color, f32), layers: impl Iterator<Item = (String, f32)>) {
        self.body.push_str(&format!("<g fill=\"{color}\" stroke=\"{color}\">"));
        for (transform, width) in layers {
            let (width, opacity) = (N(width), N(opacity));
            self.body.push_str(&format!(
                "<use href=\"#{kept}\" transform=\"{transform}\" stroke-width=\"{width}\" opacity=\"{opacity}\"/>"
            ));
        }
        self.body.push_str("</g>");
    }

    /// The whole document: 1200 by 1200 units.
    pub fn finish(self) -> String {
        let mut svg = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 1200\"><defs>");
        for (index, definition) in self.defs.iter().enumerate() {
            svg.push('<');
            svg.push_str(&definition.replacen("id=\"#\"", &format!("id=\"d{index}\""), 1));
        }
        svg.push_str("</defs><g stroke-linejoin=\"round\" stroke-linecap=\"round\" fill-rule=\"evenodd\">");
        svg.push_str(&self.body);
        svg.push_str("</g></svg>");
        svg
    }
}
