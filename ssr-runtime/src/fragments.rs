//! HTML of reusable components (`js/reusable.tsx`), shared by all isolates: a page's HTML refers to it by name, and the host inserts it.

use std::ops::Range;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// Around the name of a piece of HTML; a name is followed by `IS` and the HTML, or by nothing.
const MARK: char = '\u{1}';
const IS: char = '\u{2}';

/// The HTML of reusable components by name, bounded in bytes. Valid for one program: a name says which data a component showed.
#[derive(Clone, Debug)]
pub struct Fragments(Arc<Cache<Box<str>, Arc<str>, Bytes>>);

#[derive(Clone, Debug)]
struct Bytes;

impl Weighter<Box<str>, Arc<str>> for Bytes {
    fn weight(&self, name: &Box<str>, html: &Arc<str>) -> u64 {
        (name.len() + html.len()) as u64
    }
}

/// Of a fragment with its name, in bytes.
const EXPECTED_BYTES: usize = 1024;

/// Where a page shows some of its data by a component whose HTML is reused.
#[derive(Clone, Debug)]
pub struct Occurrence {
    /// In bytes of the page.
    pub range: Range<usize>,
    component: Box<str>,
    key: Box<str>,
}

impl Occurrence {
    /// If the HTML with this name shows the data with this id.
    fn of(name: &str, id: &str, range: Range<usize>) -> Option<Self> {
        let (component, rest) = name.split_once(' ')?;
        let (_, key) = rest.split_once(' ').filter(|(shown, _)| *shown == id)?;
        Some(Self { range, component: component.into(), key: key.into() })
    }
}

/// The HTML refers to a fragment that is not known: the page must be rendered with the data of all of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Missing;

impl Fragments {
    /// `limit` is in bytes.
    pub fn new(limit: u64) -> Self {
        let expected = usize::try_from(limit).unwrap_or(usize::MAX) / EXPECTED_BYTES;
        Self(Arc::new(Cache::with_weighter(expected, limit, Bytes)))
    }

    /// Whether JSON contains the characters that mark references: rendered as a text, they would be mistaken for one.
    pub fn are_faked_in(json: &str) -> bool {
        json.contains("\\u0001") || json.contains("\\u0002")
    }

    /// Appends the HTML of a page to `out`: with what it refers to inserted, and what it defines kept for other pages.
    ///
    /// # Errors
    /// When a fragment is not known. `out` then has a part of the page.
    pub fn insert(&self, html: &str, out: &mut String) -> Result<(), Missing> {
        self.insert_with(html, out, |_, _| {})
    }

    /// The same, and says where the data with this id is shown.
    ///
    /// # Errors
    /// When a fragment is not known. `out` then has a part of the page.
    pub fn insert_finding(&self, html: &str, out: &mut String, id: u64) -> Result<Vec<Occurrence>, Missing> {
        let id = id.to_string();
        let mut found = Vec::new();
        self.insert_with(html, out, |name, range| found.extend(Occurrence::of(name, &id, range)))?;
        Ok(found)
    }

    /// What the data with this id looks like in the same place.
    pub fn at(&self, occurrence: &Occurrence, id: u64) -> Option<Arc<str>> {
        let Occurrence { component, key, .. } = occurrence;
        self.0.get(format!("{component} {id} {key}").as_str())
    }

    fn insert_with(
        &self,
        html: &str,
        out: &mut String,
        mut inserted: impl FnMut(&str, Range<usize>),
    ) -> Result<(), Missing> {
        let mut rest = html;
        while let Some((before, after)) = rest.split_once(MARK) {
            out.push_str(before);
            let end = after.find([MARK, IS]).ok_or(Missing)?;
            let (name, after) = after.split_at(end);
            let start = out.len();
            if let Some(defined) = after.strip_prefix(IS) {
                let (fragment, after) = defined.split_once(MARK).ok_or(Missing)?;
                self.0.insert(name.into(), fragment.into());
                out.push_str(fragment);
                rest = after;
            } else {
                out.push_str(&self.0.get(name).ok_or(Missing)?);
                rest = after.strip_prefix(MARK).unwrap_or(after);
            }
            inserted(name, start..out.len());
        }
        out.push_str(rest);
        Ok(())
    }

    /// How many there are, and their bytes.
    pub fn figures(&self) -> (u64, u64) {
        (self.0.len() as u64, self.0.weight())
    }
}

#[cfg(test)]
mod tests {
    use super::{Fragments, Missing};

    fn insert(fragments: &Fragments, html: &str) -> Result<String, Missing> {
        let mut out = String::new();
        fragments.insert(html, &mut out).map(|()| out)
    }

    #[test]
    fn a_definition_serves_later_references() {
        let fragments = Fragments::new(1 << 20);
        let first = "<ul>\u{1}1 7 \u{2}<li>briar</li>\u{1}\u{1}1 8 \u{2}<li>cob</li>\u{1}</ul>";
        assert_eq!(insert(&fragments, first).unwrap(), "<ul><li>briar</li><li>cob</li></ul>");
        let second = "<ol>\u{1}1 8 \u{1}\u{1}1 7 \u{1}</ol>";
        assert_eq!(insert(&fragments, second).unwrap(), "<ol><li>cob</li><li>briar</li></ol>");
    }

    #[test]
    fn an_unknown_name_is_missing_and_nothing_is_invented() {
        let fragments = Fragments::new(1 << 20);
        assert_eq!(insert(&fragments, "<p>\u{1}1 7 \u{1}</p>"), Err(Missing));
        assert_eq!(insert(&fragments, "<p>\u{1}1 7"), Err(Missing));
        assert_eq!(insert(&fragments, "<p>\u{1}1 7\u{2}<b>"), Err(Missing));
        assert_eq!(insert(&fragments, "plain").unwrap(), "plain");
    }

    #[test]
    fn what_shows_one_visitor_is_found_and_can_be_another() {
        let fragments = Fragments::new(1 << 20);
        insert(&fragments, "\u{1}4 8 small\u{2}<b>Bo</b>\u{1}").unwrap();
        let mut page = String::from("<html>");
        let html = "\u{1}1 7 \u{2}<i>card</i>\u{1}\u{1}4 7 small\u{2}<b>Ada</b>\u{1}";
        let found = fragments.insert_finding(html, &mut page, 7).unwrap();
        let shown: Vec<_> = found.iter().map(|each| &page[each.range.clone()]).collect();
        assert_eq!(shown, ["<i>card</i>", "<b>Ada</b>"]);
        assert_eq!(fragments.at(&found[1], 8).as_deref(), Some("<b>Bo</b>"));
        assert_eq!(fragments.at(&found[0], 8), None);
    }

    #[test]
    fn marks_in_texts_are_found_in_json() {
        let json = serde_json::to_string("a \u{1}1 7 \u{1}").unwrap();
        assert!(Fragments::are_faked_in(&json));
        assert!(!Fragments::are_faked_in(&serde_json::to_string("a \u{3} b").unwrap()));
    }
}
