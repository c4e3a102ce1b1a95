//! HTML that was rendered before, shared by all isolates: of whole pages with gaps for what differs between pages of one shape, and of
//! reusable components (`js/reusable.tsx`), which pages refer to.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::parts::{Item, Marker, Part, Parts, Props, Value, marked, seed, shape_of};

/// Around a reference: the component, a marker, and a key; or, between a reference and the second mark, `IS` and the HTML.
const MARK: char = '\u{1}';
const IS: char = '\u{2}';

/// HTML by what it shows, bounded in bytes. Valid for one program.
#[derive(Clone, Debug)]
pub struct Fragments(Arc<Cache<Name, Arc<Template>, Bytes>>);

/// A hash of what HTML shows, and of the component that shows it.
type Name = u128;

#[derive(Clone, Debug)]
struct Bytes;

impl Weighter<Name, Arc<Template>> for Bytes {
    fn weight(&self, _: &Name, template: &Arc<Template>) -> u64 {
        (size_of::<Name>() + size_of::<Template>() + template.html.len() + size_of_val(&*template.gaps)) as u64
    }
}

/// Of a fragment with its name, in bytes.
const EXPECTED_BYTES: usize = 1024;

/// HTML with gaps.
#[derive(Debug)]
pub struct Template {
    html: Box<str>,
    gaps: Box<[Gap]>,
}

#[derive(Debug)]
struct Gap {
    /// In bytes of the HTML.
    at: usize,
    /// The number of a value or a part.
    part: usize,
    /// What shows the part; none if it is a text.
    by: Option<Component>,
}

/// Where the HTML of a component is referred to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Component {
    number: u32,
    /// Tells apart all that differs in addition to the data.
    key: Box<str>,
}

/// Where a page shows some of its data by a component whose HTML is reused.
#[derive(Clone, Debug)]
pub struct Occurrence {
    /// In bytes of the page.
    pub range: Range<usize>,
    component: Component,
}

/// The page refers to HTML that is not known: its data must be rendered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Missing;

impl Component {
    /// The name of its HTML for the data with this id.
    fn of_data(&self, id: u64) -> Name {
        let mut name = [0; 12];
        name[..8].copy_from_slice(&id.to_le_bytes());
        name[8..].copy_from_slice(&self.number.to_le_bytes());
        // A hash of few bytes costs much less than one that is fed.
        xxh3_128_with_seed(&name, seed()) ^ xxh3_128_with_seed(self.key.as_bytes(), !seed())
    }

    /// The name of its HTML for all items of this shape.
    fn of_shape(&self, shape: u128) -> Name {
        shape ^ u128::from(self.number).rotate_left(64)
    }

    fn of_item(&self, item: &Item) -> Name {
        match item {
            Item::Data(data) => self.of_data(data.id),
            Item::Shaped { shape, .. } => self.of_shape(*shape),
        }
    }
}

impl Template {
    /// None if a component changed one of the markers.
    pub(crate) fn read(html: &str) -> Option<Self> {
        let mut text = String::with_capacity(html.len());
        let mut gaps = Vec::new();
        let mut rest = html;
        while let Some(found) = Marker::find(rest) {
            let (range, marker) = found.ok()?;
            let (before, after) = (&rest[..range.start], &rest[range.end..]);
            let reference = reference(before);
            let (before, by, after) = match reference {
                None => (before, None, after),
                Some((before, number)) => {
                    let (key, after) = after.strip_prefix(' ')?.split_once(MARK)?;
                    (before, Some(Component { number, key: key.into() }), after)
                }
            };
            if marker.item.is_some() {
                return None;
            }
            text.push_str(before);
            gaps.push(Gap { at: text.len(), part: marker.part, by });
            rest = after;
        }
        text.push_str(rest);
        Some(Self { html: text.into(), gaps: gaps.into() })
    }

    pub fn html(&self) -> &str {
        &self.html
    }

    /// Appends the HTML of an item.
    fn fill(&self, parts: &Parts, values: &[Value], out: &mut String) -> Result<(), Missing> {
        let mut copied = 0;
        for gap in &self.gaps {
            out.push_str(&self.html[copied..gap.at]);
            escape(parts.text(values.get(gap.part).ok_or(Missing)?), out);
            copied = gap.at;
        }
        out.push_str(&self.html[copied..]);
        Ok(())
    }
}

/// What stands before a marker, without the beginning of a reference, and the component that refers.
fn reference(before: &str) -> Option<(&str, u32)> {
    let (before, number) = before.rsplit_once(MARK)?;
    Some((before, number.strip_suffix(' ')?.parse().ok()?))
}

/// The components that a page rendered with the data of its parts: fragments by their names.
pub(crate) type Defined = HashMap<Name, Arc<Template>>;

impl Fragments {
    /// `limit` is in bytes.
    pub fn new(limit: u64) -> Self {
        let expected = usize::try_from(limit).unwrap_or(usize::MAX) / EXPECTED_BYTES;
        Self(Arc::new(Cache::with_weighter(expected, limit, Bytes)))
    }

    /// The HTML of pages with this shape, if one was rendered.
    pub(crate) fn page(&self, props: &Props) -> Option<Arc<Template>> {
        self.0.get(&shape_of(&props.json))
    }

    /// The HTML of a page, which others with its shape get if it is kept.
    pub(crate) fn shared(&self, props: &Props, page: Template, is_kept: bool) -> Arc<Template> {
        let page = Arc::new(page);
        if is_kept {
            self.0.insert(shape_of(&props.json), Arc::clone(&page));
        }
        page
    }

    /// Keeps the components that an isolate rendered with the data of a page.
    pub(crate) fn define(&self, parts: &Parts, html: &str) -> Defined {
        let mut defined = Defined::new();
        let mut rest = html;
        while let Some(Ok((range, marker))) = Marker::find(rest) {
            let (before, after) = (&rest[..range.start], &rest[range.end..]);
            rest = after;
            let Some((_, number)) = reference(before) else { continue };
            let Some((definition, after)) = after.split_once(MARK) else { break };
            rest = after;
            let Some((key, html)) = definition.split_once(IS) else { continue };
            // As `Template::read` reads it.
            let component = Component { number, key: key.strip_prefix(' ').unwrap_or(key).into() };
            let Some((name, gaps)) = named(&component, parts, marker) else { continue };
            if let Some(template) = Template::read(html).filter(|template| template.gaps.len() <= gaps) {
                let template = Arc::new(template);
                self.0.insert(name, Arc::clone(&template));
                defined.insert(name, template);
            }
        }
        defined
    }

    /// Appends the HTML of a page to `out`, and says where the data with the id `user` is shown.
    ///
    /// # Errors
    /// When a fragment is not known. `out` then has a part of the page.
    pub(crate) fn fill(
        &self,
        page: &Template,
        parts: &Parts,
        defined: &Defined,
        user: u64,
        out: &mut String,
    ) -> Result<Vec<Occurrence>, Missing> {
        let get = |name: Name| defined.get(&name).cloned().or_else(|| self.0.get(&name)).ok_or(Missing);
        let mut found = Vec::new();
        let mut copied = 0;
        for Gap { at, part, by } in &page.gaps {
            out.push_str(&page.html[copied..*at]);
            copied = *at;
            match (parts.parts.get(*part).ok_or(Missing)?, by) {
                (Part::Value(value), None) => escape(parts.text(value), out),
                (Part::Data(data), Some(component)) => {
                    let start = out.len();
                    out.push_str(&get(component.of_data(data.id))?.html);
                    if data.id == user {
                        found.push(Occurrence { range: start..out.len(), component: component.clone() });
                    }
                }
                (Part::List(items), Some(component)) => {
                    let mut last: Option<(Name, Arc<Template>)> = None;
                    for item in &parts.items[items.clone()] {
                        let name = component.of_item(item);
                        let template = match last.take() {
                            Some((known, template)) if known == name => template,
                            _ => get(name)?,
                        };
                        let values = match item {
                            Item::Data(_) => &[],
                            Item::Shaped { values, .. } => &parts.values[values.clone()],
                        };
                        template.fill(parts, values, out)?;
                        last = Some((name, template));
                    }
                }
                _ => return Err(Missing),
            }
        }
        out.push_str(&page.html[copied..]);
        Ok(found)
    }

    /// What the data with this id looks like in the same place.
    pub fn at(&self, occurrence: &Occurrence, id: u64) -> Option<Arc<Template>> {
        self.0.get(&occurrence.component.of_data(id))
    }

    /// How many there are, and their bytes.
    pub fn figures(&self) -> (u64, u64) {
        (self.0.len() as u64, self.0.weight())
    }
}

/// The name of what a component defines, and how many gaps it may have.
fn named(component: &Component, parts: &Parts, marker: Marker) -> Option<(Name, usize)> {
    match (parts.parts.get(marker.part)?, marker.item) {
        (Part::Data(data), None) => Some((component.of_data(data.id), 0)),
        (Part::List(items), Some(at)) => {
            let item = parts.items[items.clone()].get(at)?;
            Some((component.of_item(item), if matches!(item, Item::Data(_)) { 0 } else { usize::MAX }))
        }
        _ => None,
    }
}

/// What React escapes.
const SPECIAL: [bool; 256] = marked(b"\"&'<>");

/// Appends a text as React escapes it.
fn escape(text: &str, out: &mut String) {
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| SPECIAL[usize::from(*byte)]) {
        let escaped = match byte {
            b'"' => "&quot;",
            b'&' => "&amp;",
            b'\'' => "&#x27;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => continue,
        };
        out.push_str(&text[copied..at]);
        out.push_str(escaped);
        copied = at + 1;
    }
    out.push_str(&text[copied..]);
}
