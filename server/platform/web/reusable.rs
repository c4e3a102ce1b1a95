//! Props of components whose HTML is reused on many pages, such as a product's card (`ssr-runtime/js/reusable.tsx`). They are written as
//! JSON once, get an id, and a page's props only refer to them.

use std::cell::RefCell;
use std::ops::{Deref, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use shop_base::html::escape_json;

/// Precedes the id where JSON refers to reusable props. No text can contain it: there, quotes are escaped.
const REFERENCE: &str = "{\"$id\":";

/// How JSON refers to the props with this id.
pub fn reference_to(id: u64) -> String {
    format!("{REFERENCE}{id}}}")
}

/// Props of a reusable component. Cheap to clone; equal props made twice are different ones.
#[derive(Debug)]
pub struct Reusable<T> {
    value: Arc<T>,
    written: Arc<Written>,
}

/// The JSON of reusable props.
#[derive(Debug)]
pub struct Written {
    /// Unique in this process and never used again.
    id: u64,
    /// An object, escaped for a script element.
    json: Box<RawValue>,
}

thread_local! {
    /// What the JSON that is being written refers to.
    static REFERRED: RefCell<Option<Vec<Arc<Written>>>> = const { RefCell::new(None) };
}

impl<T: Serialize> Reusable<T> {
    /// # Errors
    /// When the value is not an object in JSON, or cannot be written.
    pub fn new(value: T) -> Result<Self, serde_json::Error> {
        Self::of(Arc::new(value))
    }

    /// # Errors
    /// As above.
    pub fn of(value: Arc<T>) -> Result<Self, serde_json::Error> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let json = escape_json(&serde_json::to_string(&*value)?);
        if !json.starts_with('{') || json.len() == 2 {
            return Err(serde::ser::Error::custom("reusable props are an object with fields"));
        }
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Self { value, written: Arc::new(Written { id, json: RawValue::from_string(json)? }) })
    }
}

impl<T> Reusable<T> {
    /// Unique in this process and never used again.
    pub fn id(&self) -> u64 {
        self.written.id
    }

    /// An object, escaped for a script element.
    pub fn json(&self) -> &str {
        self.written.json.get()
    }
}

impl<T> Clone for Reusable<T> {
    fn clone(&self) -> Self {
        Self { value: Arc::clone(&self.value), written: Arc::clone(&self.written) }
    }
}

impl<T> Deref for Reusable<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// In a page's props a reference, elsewhere the props themselves.
impl<T> Serialize for Reusable<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Reference {
            #[serde(rename = "$id")]
            id: u64,
        }
        let refers = REFERRED.with_borrow_mut(|referred| {
            referred.as_mut().map(|referred| referred.push(Arc::clone(&self.written))).is_some()
        });
        if refers {
            Reference { id: self.written.id }.serialize(serializer)
        } else {
            self.written.json.serialize(serializer)
        }
    }
}

/// JSON with references to reusable props, and these.
#[derive(Clone, Debug, Default)]
pub struct Referring {
    /// Escaped for a script element.
    pub json: String,
    pub referred: Vec<Arc<Written>>,
}

/// Writes `value` with references to the reusable props in it, and lists these.
///
/// # Errors
/// When the value cannot be written.
pub fn write_referring<T: Serialize>(value: &T) -> Result<(Box<RawValue>, Vec<Arc<Written>>), serde_json::Error> {
    let outer = REFERRED.replace(Some(Vec::new()));
    let json = serde_json::value::to_raw_value(value);
    let referred = REFERRED.replace(outer).unwrap_or_default();
    Ok((json?, referred))
}

impl Referring {
    /// `referred` are the reusable props to which JSON that is a part of `value` refers.
    ///
    /// # Errors
    /// When the value cannot be written.
    pub fn new<T: Serialize>(value: &T, mut referred: Vec<Arc<Written>>) -> Result<Self, serde_json::Error> {
        let (json, more) = write_referring(value)?;
        referred.extend(more);
        Ok(Self { json: escape_json(json.get()), referred })
    }

    /// Appends the JSON with the props in place of the references.
    pub fn write(&self, out: &mut String) {
        self.resolve(out, |written, out| out.push_str(written.json.get()));
    }

    /// The same, and says where in `out` the props with this id are.
    pub fn write_finding(&self, out: &mut String, id: u64) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        self.resolve(out, |written, out| {
            let start = out.len();
            out.push_str(written.json.get());
            if written.id == id {
                found.push(start..out.len());
            }
        });
        found
    }

    /// The JSON with the props beside their ids.
    pub fn with_ids(&self) -> String {
        let mut out = String::with_capacity(self.json.len() * 4);
        self.resolve(&mut out, |written, out| {
            out.push_str(REFERENCE);
            out.push_str(&written.id.to_string());
            out.push(',');
            out.push_str(&written.json.get()[1..]);
        });
        out
    }

    fn resolve(&self, out: &mut String, mut replace: impl FnMut(&Written, &mut String)) {
        // They mostly occur in the order in which they were written.
        let mut expected = self.referred.iter();
        let mut rest = self.json.as_str();
        while let Some((before, after)) = rest.split_once(REFERENCE) {
            out.push_str(before);
            let (id, after) = after.split_once('}').unwrap_or((after, ""));
            let id: Option<u64> = id.parse().ok();
            let is_it = |written: &&Arc<Written>| Some(written.id) == id;
            match expected.next().filter(is_it).or_else(|| self.referred.iter().find(is_it)) {
                Some(written) => replace(written, out),
                None => out.push_str("null"),
            }
            rest = after;
        }
        out.push_str(rest);
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::json;

    use super::{Referring, Reusable};

    #[derive(Serialize)]
    struct Card {
        title: &'static str,
    }

    #[derive(Serialize)]
    struct List {
        q: &'static str,
        items: Vec<Reusable<Card>>,
        again: Reusable<Card>,
    }

    fn list() -> List {
        let items: Vec<_> = ["Briar <b>", "Cob"].map(|title| Reusable::new(Card { title }).unwrap()).into();
        List { q: "{\"$id\":1}", again: items[0].clone(), items }
    }

    #[test]
    fn a_page_refers_to_props_and_a_browser_gets_them() {
        let list = list();
        let written = Referring::new(&list, Vec::new()).unwrap();
        assert!(!written.json.contains("Briar") && written.json.contains("{\"$id\":"));
        let mut out = String::new();
        written.write(&mut out);
        let whole = json!({ "q": "{\"$id\":1}", "items": [{ "title": "Briar <b>" }, { "title": "Cob" }], "again": { "title": "Briar <b>" } });
        assert_eq!(serde_json::from_str::<serde_json::Value>(&out).unwrap(), whole);
        assert!(!out.contains('<'), "{out}");
        assert_eq!(serde_json::to_value(&list).unwrap()["items"][1], json!({ "title": "Cob" }));
    }

    #[test]
    fn props_come_with_their_ids_when_a_component_is_to_render_them() {
        let list = list();
        let whole: serde_json::Value =
            serde_json::from_str(&Referring::new(&list, Vec::new()).unwrap().with_ids()).unwrap();
        assert_eq!(whole["items"][0]["title"], "Briar <b>");
        assert_eq!(whole["items"][0]["$id"], whole["again"]["$id"]);
        assert_ne!(whole["items"][0]["$id"], whole["items"][1]["$id"]);
    }

    #[test]
    fn only_objects_with_fields_can_be_reused() {
        assert!(Reusable::new(json!([1])).is_err());
        assert!(Reusable::new(json!({})).is_err());
    }
}
