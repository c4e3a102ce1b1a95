//! The shop's icon: its initials on a plate. Browsers take the drawing; Safari's tabs and the home screens of phones show only pixels.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use picture_codec::{CodecError, Drawing, encode_png};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::settings::texts::Texts;
use tokio::sync::Mutex;
use ttf_parser::{Face, OutlineBuilder, Rect};

use crate::page::shared;

/// Capital letters and digits (`app/fonts/subset.mjs`). An icon may load no font.
const FONT: &[u8] = include_bytes!("../../../app/fonts/initials.ttf");

/// Of the plate, in the drawing's units, as are all below.
const SIDE: f32 = 64.0;
const MOST_WIDTH: f32 = 42.0;
const MOST_HEIGHT: f32 = 28.0;

/// Side of a picture in pixels, and how round its corners are. Phones round them by themselves.
const SMALL: (u32, u8) = (96, 14);
const LARGE: (u32, u8) = (180, 0);

/// The icons of one name of the company. Making them takes as long as making a page, and anybody may ask for them.
#[derive(Debug, Default)]
pub struct Icons(Mutex<Option<Arc<Made>>>);

#[derive(Debug)]
struct Made {
    name: String,
    drawing: Bytes,
    small: Bytes,
    large: Bytes,
}

impl Icons {
    /// Those of another name than the kept ones are made on another thread; other requests wait for them.
    async fn of(&self, name: &str) -> Result<Arc<Made>, Error> {
        let mut kept = self.0.lock().await;
        if let Some(made) = kept.as_ref().filter(|made| made.name == name) {
            return Ok(Arc::clone(made));
        }
        let name = name.to_owned();
        let made = tokio::task::spawn_blocking(|| Made::of(name)).await.map_err(Error::internal)?;
        let made = Arc::new(made.map_err(Error::internal)?);
        *kept = Some(Arc::clone(&made));
        Ok(made)
    }
}

impl Made {
    fn of(name: String) -> Result<Self, CodecError> {
        let (_, corner) = SMALL;
        let drawing = draw(&name, corner).into();
        Ok(Self { drawing, small: picture(&name, SMALL)?, large: picture(&name, LARGE)?, name })
    }
}

fn picture(name: &str, (side, corner): (u32, u8)) -> Result<Bytes, CodecError> {
    let raster = Drawing::parse(&draw(name, corner))?.raster(side)?;
    Ok(encode_png(&raster)?.into())
}

/// `GET /icon.svg`
pub async fn drawing(
    State(cx): State<Context>,
    State(icons): State<Arc<Icons>>,
    State(texts): State<Arc<Texts>>,
) -> Result<Response, Error> {
    Ok(answer(&cx, "image/svg+xml", &icons.of(&texts.company.name).await?.drawing))
}

/// `GET /favicon.ico`, which browsers request by themselves.
pub async fn small(
    State(cx): State<Context>,
    State(icons): State<Arc<Icons>>,
    State(texts): State<Arc<Texts>>,
) -> Result<Response, Error> {
    Ok(answer(&cx, "image/png", &icons.of(&texts.company.name).await?.small))
}

/// `GET /apple-touch-icon.png` and `/apple-touch-icon-precomposed.png`, which phones request by themselves.
pub async fn large(
    State(cx): State<Context>,
    State(icons): State<Arc<Icons>>,
    State(texts): State<Arc<Texts>>,
) -> Result<Response, Error> {
    Ok(answer(&cx, "image/png", &icons.of(&texts.company.name).await?.large))
}

fn answer(cx: &Context, content_type: &'static str, contents: &Bytes) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400")),
    ];
    let mut response = (headers, contents.clone()).into_response();
    shared::drop_with_pages(cx, &mut response);
    response
}

fn draw(name: &str, corner: u8) -> String {
    let initials = initials_of(name);
    let initials = outlined(&initials).unwrap_or_else(|| written(&initials));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{SIDE}\" height=\"{SIDE}\" viewBox=\"0 0 {SIDE} {SIDE}\">\
         <rect width=\"{SIDE}\" height=\"{SIDE}\" rx=\"{corner}\" fill=\"#3b2619\"/>{initials}</svg>"
    )
}

fn initials_of(name: &str) -> String {
    let firsts = name.split_whitespace().filter_map(|word| word.chars().next().filter(|first| first.is_alphanumeric()));
    firsts.flat_map(char::to_uppercase).take(2).collect()
}

/// Letters that the font lacks, in a font of the browser. Pictures show the plate alone.
fn written(letters: &str) -> String {
    format!(
        "<text x=\"32\" y=\"33\" fill=\"#f0bd7a\" font-family=\"Georgia, 'Times New Roman', serif\" font-size=\"32\" \
         text-anchor=\"middle\" dominant-baseline=\"central\">{letters}</text>"
    )
}

/// The letters as a path in the middle of the plate; none if the font lacks one of them.
fn outlined(letters: &str) -> Option<String> {
    let face = Face::parse(FONT, 0).ok()?;
    let mut pen = Pen { path: String::new(), x: 0.0 };
    let mut bounds: Option<[f32; 4]> = None;
    for letter in letters.chars() {
        let glyph = face.glyph_index(letter)?;
        let Rect { x_min, y_min, x_max, y_max } = face.outline_glyph(glyph, &mut pen)?;
        let own = [pen.x + f32::from(x_min), f32::from(y_min), pen.x + f32::from(x_max), f32::from(y_max)];
        let [left, bottom, right, top] = bounds.unwrap_or(own);
        bounds = Some([left.min(own[0]), bottom.min(own[1]), right.max(own[2]), top.max(own[3])]);
        pen.x += f32::from(face.glyph_hor_advance(glyph).unwrap_or_default());
    }
    let [left, bottom, right, top] = bounds?;
    let scale = (MOST_WIDTH / (right - left)).min(MOST_HEIGHT / (top - bottom));
    let x = SIDE / 2.0 - scale * (left + right) / 2.0;
    // Fonts count upward.
    let y = SIDE / 2.0 + scale * (bottom + top) / 2.0;
    Some(format!("<path transform=\"matrix({scale} 0 0 -{scale} {x} {y})\" fill=\"#f0bd7a\" d=\"{}\"/>", pen.path))
}

/// Writes outlines as the data of an SVG path, each glyph at its place in the line.
struct Pen {
    path: String,
    x: f32,
}

impl Pen {
    fn write(&mut self, command: char, points: &[(f32, f32)]) {
        self.path.push(command);
        for (x, y) in points {
            // Writing to a text does not fail.
            let _ = write!(self.path, " {} {y}", x + self.x);
        }
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.write('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.write('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.write('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.write('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.write('Z', &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Icons, LARGE, draw, initials_of, outlined};
    use picture_codec::{Drawing, Raster};

    #[tokio::test]
    async fn the_icons_of_a_name_are_made_once() {
        let icons = Icons::default();
        let (first, again) = tokio::join!(icons.of("Cardinal & Briar"), icons.of("Cardinal & Briar"));
        let first = first.unwrap();
        assert_eq!(first.large.as_ptr(), again.unwrap().large.as_ptr());
        assert_ne!(first.large, icons.of("Reed & Sons").await.unwrap().large, "of a company with another name");
    }

    #[test]
    fn the_icon_has_the_shops_initials() {
        for (name, initials) in
            [("Cardinal & Briar", "CB"), ("Humidor", "H"), ("the old pipe shop", "TO"), ("<b> Élan", "É"), ("&", "")]
        {
            assert_eq!(initials_of(name), initials, "{name}");
            assert_eq!(outlined(initials).is_some(), !initials.is_empty(), "{name}");
        }
        assert!(draw("Żółty Smok", 0).contains(">ŻS</text>"), "the font lacks the first");
    }

    /// Whatever the name: within the plate, and in its middle.
    #[test]
    fn the_initials_are_in_the_middle() {
        let (side, corner) = LARGE;
        for name in ["Cardinal & Briar", "W W", "I", "Qualm Quelle", "7 Pipes"] {
            let raster = Drawing::parse(&draw(name, corner)).unwrap().raster(side).unwrap();
            let [left, right, top, bottom] = margins(&raster);
            assert!(left.abs_diff(right) <= 2 && top.abs_diff(bottom) <= 2, "{name}: {left} {right} {top} {bottom}");
            assert!(left >= 28 && top >= 48, "{name}: {left} {top}");
        }
    }

    /// Left, right, top and bottom: how many rows or columns have only the color of the plate.
    fn margins(raster: &Raster) -> [usize; 4] {
        let side = raster.width() as usize;
        let plate = |at: usize| raster.rgba()[at * 4] < 0x60;
        let column = |x: &usize| (0..side).all(|y| plate(y * side + x));
        let row = |y: &usize| (0..side).all(|x| plate(y * side + x));
        [
            (0..side).take_while(column).count(),
            (0..side).rev().take_while(column).count(),
            (0..side).take_while(row).count(),
            (0..side).rev().take_while(row).count(),
        ]
    }
}
