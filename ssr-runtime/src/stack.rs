//! Maps positions in the bundle, as V8 writes them into a stack, to positions in the sources.

use std::borrow::Cow;
use std::sync::OnceLock;

use deno_core::sourcemap::SourceMap;

use crate::RenderError;
use crate::isolate::Thrown;

/// The file name under which V8 knows the bundle.
pub(crate) const BUNDLE: &str = "app.js";

/// A source map, decoded when the first error needs it.
pub(crate) struct Sources {
    json: Option<Cow<'static, [u8]>>,
    map: OnceLock<Option<SourceMap>>,
}

impl Sources {
    pub fn new(json: Option<Cow<'static, [u8]>>) -> Self {
        Self { json, map: OnceLock::new() }
    }

    /// The error that a caller sees, with its stack mapped to the sources.
    pub fn explain(&self, thrown: Thrown) -> RenderError {
        let Thrown { message, stack, components } = thrown;
        let stack = match components.trim_end() {
            "" => stack,
            components => format!("{stack}\nin components:{components}"),
        };
        RenderError::Thrown { message, stack: self.map(&stack) }
    }

    /// Rewrites every `app.js:line:column` that is in the source map.
    fn map(&self, stack: &str) -> String {
        let Some(map) = self.decoded() else { return stack.to_owned() };
        let mut mapped = String::with_capacity(stack.len());
        let mut rest = stack;
        while let Some(start) = rest.find(BUNDLE) {
            let (before, place) = rest.split_at(start);
            mapped.push_str(before);
            let (length, source) = original(map, place).unwrap_or((BUNDLE.len(), BUNDLE.to_owned()));
            mapped.push_str(&source);
            rest = &place[length..];
        }
        mapped.push_str(rest);
        mapped
    }

    fn decoded(&self) -> Option<&SourceMap> {
        let decode = || match SourceMap::from_slice(self.json.as_deref()?) {
            Ok(map) => Some(map),
            Err(error) => {
                tracing::warn!(%error, "the source map of the server bundle cannot be read");
                None
            }
        };
        self.map.get_or_init(decode).as_ref()
    }
}

/// The original position of `app.js:line:column…`, and how many bytes of text that was.
fn original(map: &SourceMap, text: &str) -> Option<(usize, String)> {
    let (line, line_end) = number(text, BUNDLE.len())?;
    let (column, end) = number(text, line_end)?;
    let token = map.lookup_token(line.checked_sub(1)?, column.checked_sub(1)?)?;
    let source = token.get_source()?.trim_start_matches("../");
    Some((end, format!("{source}:{}:{}", token.get_src_line() + 1, token.get_src_col() + 1)))
}

/// The number after the colon at `start`, and where it ends.
fn number(text: &str, start: usize) -> Option<(u32, usize)> {
    let digits = text.get(start..)?.strip_prefix(':')?;
    let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    Some((digits[..length].parse().ok()?, start + 1 + length))
}
