//! The parts of a page's props that the isolate does not get. In their places its JSON has markers.

use std::fmt;
use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use arrayvec::ArrayString;
use memchr::memmem::Finder;
use xxhash_rust::xxh3::{Xxh3, xxh3_128_with_seed};

/// Begins each marker. Random, so that no text from outside can pass for one.
static MARKER: LazyLock<String> = LazyLock::new(|| format!("x{:016x}", RandomState::new().hash_one("marker")));
static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(MARKER.as_bytes()));
/// Of the hashes of what is reused, so that nobody can prepare two things with the same one.
static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one("seed"));

/// The length of [`MARKER`] with two numbers and the characters around them, in bytes.
const LONGEST: usize = 17 + 2 * 20 + 2;

/// Of an item, to make room for it: values, and bytes of these and of its JSON.
const EXPECTED_VALUES: usize = 4;
const EXPECTED_BYTES: usize = 96;

/// Where a part stands: `{MARKER}{part};`, or `{MARKER}{list}.{item};` for one item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    pub part: usize,
    pub item: Option<usize>,
}

impl Marker {
    fn of(part: usize) -> Self {
        Self { part, item: None }
    }

    /// A list has hundreds of them, so they are written without the formatter.
    pub fn text(&self) -> ArrayString<LONGEST> {
        let Self { part, item } = self;
        let mut text = ArrayString::new();
        let mut digits = itoa::Buffer::new();
        text.push_str(&MARKER);
        text.push_str(digits.format(*part));
        if let Some(item) = item {
            text.push('.');
            text.push_str(digits.format(*item));
        }
        text.push(';');
        text
    }

    /// Where the next marker in `text` begins and ends, and what it marks. An error if something made a marker unreadable.
    pub(crate) fn find(text: &str) -> Option<Result<(Range<usize>, Self), Unreadable>> {
        let start = FINDER.find(text.as_bytes())?;
        Some(Self::read(text, start).ok_or(Unreadable))
    }

    fn read(text: &str, start: usize) -> Option<(Range<usize>, Self)> {
        let mut at = start + MARKER.len();
        let mut number = || {
            let digits = text.as_bytes()[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number = text[at..at + digits].parse().ok()?;
            at += digits + 1;
            Some((number, text.as_bytes().get(at - 1)?))
        };
        let marker = match number()? {
            (part, b';') => Self { part, item: None },
            (list, b'.') => match number()? {
                (item, b';') => Self { part: list, item: Some(item) },
                _ => return None,
            },
            _ => return None,
        };
        Some((start..at, marker))
    }
}

/// A component changed a text that it was to show as it is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unreadable;

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// Data of a reusable component, as JSON.
#[derive(Debug)]
pub struct Data {
    /// Unique in this process and never used again: it stands for the JSON.
    pub id: u64,
    /// An object with fields, escaped for a script element.
    pub json: String,
}

impl Data {
    pub fn new(json: String) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), json }
    }
}

/// A text or a number that components show as it is.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    /// In [`Parts::text`].
    range: Range<usize>,
    is_number: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Part {
    Data(Arc<Data>),
    Value(Value),
    /// In [`Parts::items`].
    List(Range<usize>),
}

/// One item of a list, whose component is reusable.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Data(Arc<Data>),
    Shaped {
        /// Of its JSON, in which markers stand for its values.
        shape: u128,
        /// In [`Parts::text`].
        json: Range<usize>,
        /// In [`Parts::values`].
        values: Range<usize>,
    },
}

/// Parts in the order of their markers.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    pub(crate) parts: Vec<Part>,
    pub(crate) items: Vec<Item>,
    /// Of the items.
    pub(crate) values: Vec<Value>,
    text: String,
}

impl Parts {
    pub fn push_data(&mut self, data: Arc<Data>) -> Marker {
        self.push(Part::Data(data))
    }

    /// A value of the page itself.
    pub fn push_value(&mut self, write: impl FnOnce(&mut String), is_number: bool) -> Marker {
        let value = self.value(write, is_number);
        self.push(Part::Value(value))
    }

    /// A list of all items that were added since there were `first` items.
    pub fn push_list(&mut self, first: usize) -> Marker {
        self.push(Part::List(first..self.items.len()))
    }

    pub fn count_items(&self) -> usize {
        self.items.len()
    }

    pub fn count_values(&self) -> usize {
        self.values.len()
    }

    pub fn add_item(&mut self, data: Arc<Data>) {
        self.items.push(Item::Data(data));
    }

    /// Makes room for so many items with some values each.
    pub fn reserve_items(&mut self, count: usize) {
        self.items.reserve(count);
        self.values.reserve(count * EXPECTED_VALUES);
        self.text.reserve(count * EXPECTED_BYTES);
    }

    /// An item whose JSON has markers for all values that were added since there were `first_value` values.
    pub fn add_shaped_item(&mut self, json: &str, first_value: usize) {
        let start = self.text.len();
        self.text.push_str(json);
        self.items.push(Item::Shaped {
            shape: shape_of(json),
            json: start..self.text.len(),
            values: first_value..self.values.len(),
        });
    }

    /// The same with the JSON of the last item.
    pub fn add_item_like_last(&mut self, first_value: usize) {
        if let Some(Item::Shaped { shape, json, .. }) = self.items.last() {
            let (shape, json) = (*shape, json.clone());
            self.items.push(Item::Shaped { shape, json, values: first_value..self.values.len() });
        }
    }

    /// A value of the item that is being written, which began when there were `first_value` values.
    pub fn add_value(&mut self, write: impl FnOnce(&mut String), is_number: bool, first_value: usize) -> Marker {
        let value = self.value(write, is_number);
        self.values.push(value);
        Marker::of(self.values.len() - 1 - first_value)
    }

    fn push(&mut self, part: Part) -> Marker {
        self.parts.push(part);
        Marker::of(self.parts.len() - 1)
    }

    fn value(&mut self, write: impl FnOnce(&mut String), is_number: bool) -> Value {
        let start = self.text.len();
        write(&mut self.text);
        let range = start..self.text.len();
        // So that the same characters in other values have another hash.
        self.text.push('\0');
        Value { range, is_number }
    }

    pub(crate) fn text(&self, value: &Value) -> &str {
        &self.text[value.range.clone()]
    }
}

/// Of JSON with markers.
pub(crate) fn shape_of(json: &str) -> u128 {
    xxh3_128_with_seed(json.as_bytes(), seed())
}

pub(crate) fn seed() -> u64 {
    *SEED
}

/// Props of a page: JSON with markers, and the parts that these stand for.
#[derive(Clone, Debug, Default)]
pub struct Props {
    /// Escaped for a script element.
    pub json: String,
    pub parts: Parts,
}

impl Props {
    /// Adds all that the props show to a hash, but for the data with the id `except`.
    pub fn hash(&self, hash: &mut Xxh3, except: u64) {
        let Parts { parts, items, text, .. } = &self.parts;
        let id = |data: &Data| if data.id == except { 0 } else { data.id };
        for part in parts {
            hash.update(
                &match part {
                    Part::Data(data) => id(data),
                    Part::Value(value) => value.range.end as u64,
                    Part::List(items) => items.end as u64,
                }
                .to_le_bytes(),
            );
        }
        for item in items {
            hash.update(
                &match item {
                    Item::Data(data) => id(data),
                    Item::Shaped { json, .. } => json.end as u64,
                }
                .to_le_bytes(),
            );
        }
        hash.update(text.as_bytes());
        hash.update(self.json.as_bytes());
    }

    /// Appends the JSON with the parts in place of the markers.
    pub fn write(&self, out: &mut String) {
        self.resolve(out, |_, data, out| out.push_str(&data.json));
    }

    /// The same, and says where in `out` the data with this id is.
    pub fn write_finding(&self, out: &mut String, id: u64) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        self.resolve(out, |_, data, out| {
            let start = out.len();
            out.push_str(&data.json);
            if data.id == id {
                found.push(start..out.len());
            }
        });
        found
    }

    /// The JSON with markers only for the data of single components: nobody else will ask for a page of this shape.
    pub(crate) fn with_values(&self) -> String {
        let mut out = String::with_capacity(self.json.len() * 2);
        self.resolve(&mut out, |marker, data, out| match marker {
            Some(marker) => {
                let _ = write!(out, "\"{marker}\"");
            }
            None => out.push_str(&data.json),
        });
        out
    }

    /// The JSON from which a component is rendered that nobody has rendered before: data beside its marker, lists with their items.
    pub(crate) fn definitions(&self) -> String {
        let mut out = String::with_capacity(self.json.len() * 4);
        let with_marker = |marker: Marker, object: &str, out: &mut String| {
            let _ = write!(out, "{{\"$id\":\"{marker}\",{}", &object[1..]);
        };
        replace(&self.json, &mut out, |part, out| match &self.parts.parts[part] {
            Part::Data(data) => with_marker(Marker::of(part), &data.json, out),
            Part::Value(_) => {
                let _ = write!(out, "\"{}\"", Marker::of(part));
            }
            Part::List(items) => list(out, &self.parts.items[items.clone()], |at, item, out| {
                let marker = Marker { part, item: Some(at) };
                match item {
                    Item::Data(data) => with_marker(marker, &data.json, out),
                    Item::Shaped { json, .. } => with_marker(marker, &self.parts.text[json.clone()], out),
                }
            }),
        });
        out
    }

    /// `write_data` gets the marker, unless the data is that of an item.
    fn resolve(&self, out: &mut String, mut write_data: impl FnMut(Option<Marker>, &Data, &mut String)) {
        let Parts { parts, items, values, text } = &self.parts;
        let value = |value: &Value, out: &mut String| match value.is_number {
            true => out.push_str(&text[value.range.clone()]),
            false => write_json(&text[value.range.clone()], out),
        };
        replace(&self.json, out, |part, out| match &parts[part] {
            Part::Data(data) => write_data(Some(Marker::of(part)), data, out),
            Part::Value(each) => value(each, out),
            Part::List(range) => list(out, &items[range.clone()], |_, item, out| match item {
                Item::Data(data) => write_data(None, data, out),
                Item::Shaped { json, values: range, .. } => {
                    let values = &values[range.clone()];
                    replace(&text[json.clone()], out, |at, out| value(&values[at], out));
                }
            }),
        });
    }
}

/// Appends JSON with something else in place of each marker: these are strings.
fn replace(json: &str, out: &mut String, mut replace: impl FnMut(usize, &mut String)) {
    let mut rest = json;
    while let Some(Ok((range, marker))) = Marker::find(rest) {
        out.push_str(&rest[..range.start - 1]);
        replace(marker.part, out);
        rest = &rest[range.end + 1..];
    }
    out.push_str(rest);
}

fn list(out: &mut String, items: &[Item], mut write: impl FnMut(usize, &Item, &mut String)) {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(at, item, out);
    }
    out.push(']');
}

/// Marks bytes, for tests that take one step each.
pub(crate) const fn marked(bytes: &[u8]) -> [bool; 256] {
    let mut marked = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        marked[bytes[at] as usize] = true;
        at += 1;
    }
    marked
}

/// What has another form in JSON in a script element.
const SPECIAL: [bool; 256] = {
    let mut special = marked(b"\"\\<");
    let mut control = 0;
    while control < 0x20 {
        special[control] = true;
        control += 1;
    }
    special
};

/// Appends a text as JSON, escaped for a script element.
fn write_json(text: &str, out: &mut String) {
    out.push('"');
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| SPECIAL[usize::from(*byte)]) {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'<' => "\\u003c",
            _ => "",
        };
        out.push_str(&text[copied..at]);
        if escape.is_empty() {
            let _ = write!(out, "\\u{byte:04x}");
        }
        out.push_str(escape);
        copied = at + 1;
    }
    out.push_str(&text[copied..]);
    out.push('"');
}
