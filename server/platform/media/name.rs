//! Names of renditions: `{key}-{width}.avif`, `{key}-{width}.webp`, `{key}-og.jpg`, and nothing else.

use std::fmt;
use std::fmt::Display;
use std::str::FromStr;

/// Widths of renditions, in pixels.
pub const WIDTHS: [u32; 6] = [160, 320, 480, 640, 960, 1280];
/// Width of the picture for social networks (Open Graph), in pixels.
pub const OPEN_GRAPH_WIDTH: u32 = 1200;
/// Hexadecimal digits of a key: 80 bits.
pub(super) const KEY_DIGITS: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Avif,
    WebP,
    /// For social networks only, whose crawlers support neither of the other formats.
    Jpeg,
}

impl Format {
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Avif => "image/avif",
            Self::WebP => "image/webp",
            Self::Jpeg => "image/jpeg",
        }
    }
}

/// Identifies a rendition of a master. Its text form is the file name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RenditionName {
    key: String,
    width: u32,
    format: Format,
}

impl RenditionName {
    pub fn key(&self) -> &str {
        &self.key
    }

    /// In pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn format(&self) -> Format {
        self.format
    }
}

/// The text is not the name of a rendition.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a picture")]
pub struct NotAName;

impl FromStr for RenditionName {
    type Err = NotAName;

    fn from_str(text: &str) -> Result<Self, NotAName> {
        let (key, rest) = text.split_at_checked(KEY_DIGITS).ok_or(NotAName)?;
        if !key.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(NotAName);
        }
        let (size, extension) = rest.strip_prefix('-').and_then(|rest| rest.split_once('.')).ok_or(NotAName)?;
        let width = || WIDTHS.into_iter().find(|width| width.to_string() == size).ok_or(NotAName);
        let (width, format) = match (size, extension) {
            ("og", "jpg") => (OPEN_GRAPH_WIDTH, Format::Jpeg),
            (_, "avif") => (width()?, Format::Avif),
            (_, "webp") => (width()?, Format::WebP),
            _ => return Err(NotAName),
        };
        Ok(Self { key: key.to_owned(), width, format })
    }
}

impl Display for RenditionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, width, format } = self;
        match format {
            Format::Avif => write!(f, "{key}-{width}.avif"),
            Format::WebP => write!(f, "{key}-{width}.webp"),
            Format::Jpeg => write!(f, "{key}-og.jpg"),
        }
    }
}

/// Bytes in lower-case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
