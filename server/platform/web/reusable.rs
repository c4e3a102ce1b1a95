//! Props that the isolate does not need in order to render a page (`ssr-runtime/js/reusable.tsx`). A page's props are written with markers
//! for them; the host inserts their HTML.

use std::borrow::Cow;
use std::cell::RefCell;
use std::mem;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use shop_base::html::escape_json;
use ssr_runtime::{Data, Marker, Parts, Props};

/// Props of one component, whose HTML is the same on many pages, such as a product's card. Cheap to clone; equal props made twice are
/// different ones.
#[derive(Debug)]
pub struct Reusable<T> {
    value: Arc<T>,
    data: Arc<Data>,
}

/// A text or a number that components show as it is: they neither test nor format it. They may join it to other texts, and compare a number
/// with 0 and 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verbatim<T>(pub T);

/// What can be shown as it is.
pub trait Value: Serialize {
    const IS_NUMBER: bool;

    /// Appends the text that is shown.
    fn write(&self, out: &mut String);

    /// Whether components may treat this value in another way than others.
    fn is_special(&self) -> bool;
}

/// The items of a list that one component shows: pages may have any number of them.
#[derive(Clone, Debug, Default)]
pub struct Items<T>(pub Vec<T>);

/// One of [`Items`]. Within it only values are left out of what the isolate gets.
pub trait Item: Serialize {
    /// If it is reusable.
    fn data(&self) -> Option<&Arc<Data>> {
        None
    }

    /// Items of a list with the same number differ in nothing but their `values`, of which none is special. They need not be serialized
    /// one by one.
    fn alike(&self) -> Option<u8> {
        None
    }

    /// All that is [`Verbatim`] in it, in the order in which it is serialized.
    fn values(&self, _: &mut ItemValues<'_>) {}
}

/// The values of an item that is being recorded.
#[derive(Debug)]
pub struct ItemValues<'a> {
    parts: &'a mut Parts,
    /// How many values of items there were before.
    first: usize,
}

impl ItemValues<'_> {
    pub fn add<T: Value>(&mut self, Verbatim(value): &Verbatim<T>) {
        self.parts.add_value(|out| value.write(out), T::IS_NUMBER, self.first);
    }
}

/// Reserved for the JSON of a page with markers.
const EXPECTED_BYTES: usize = 8 << 10;

/// The parts of the JSON that is being written.
#[derive(Debug, Default)]
struct Recording {
    parts: Parts,
    /// While an item is written: how many values of items there were before.
    item: Option<usize>,
    /// For the JSON of items, one after the other.
    json: Vec<u8>,
}

thread_local! {
    static RECORDING: RefCell<Option<Recording>> = const { RefCell::new(None) };
}

/// What `record` says of the recording; `None` without one.
fn recorded<R>(record: impl FnOnce(&mut Recording) -> Option<R>) -> Option<R> {
    RECORDING.with_borrow_mut(|recording| recording.as_mut().and_then(record))
}

fn write_marker<S: Serializer>(serializer: S, marker: Marker) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&marker.text())
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
        let outer = RECORDING.take();
        let json = serde_json::to_string(&*value);
        RECORDING.set(outer);
        let json = escape_json(&json?).into_owned();
        if !json.starts_with('{') || json.len() == 2 {
            return Err(serde::ser::Error::custom("reusable props are an object with fields"));
        }
        Ok(Self { value, data: Arc::new(Data::new(json)) })
    }
}

impl<T> Reusable<T> {
    /// Unique in this process and never used again.
    pub fn id(&self) -> u64 {
        self.data.id
    }

    /// An object, escaped for a script element.
    pub fn json(&self) -> &str {
        &self.data.json
    }
}

impl<T> Clone for Reusable<T> {
    fn clone(&self) -> Self {
        Self { value: Arc::clone(&self.value), data: Arc::clone(&self.data) }
    }
}

impl<T> Deref for Reusable<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Serialize> Serialize for Reusable<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let marker = recorded(|Recording { parts, item, .. }| match item {
            None => Some(parts.push_data(Arc::clone(&self.data))),
            Some(_) => None,
        });
        match marker {
            Some(marker) => write_marker(serializer, marker),
            None => self.value.serialize(serializer),
        }
    }
}

impl<T: Serialize> Item for Reusable<T> {
    fn data(&self) -> Option<&Arc<Data>> {
        Some(&self.data)
    }
}

impl<T: Item> Item for &T {
    fn data(&self) -> Option<&Arc<Data>> {
        T::data(self)
    }

    fn alike(&self) -> Option<u8> {
        T::alike(self)
    }

    fn values(&self, values: &mut ItemValues<'_>) {
        T::values(self, values);
    }
}

impl Value for String {
    const IS_NUMBER: bool = false;

    fn write(&self, out: &mut String) {
        out.push_str(self);
    }

    fn is_special(&self) -> bool {
        self.is_empty()
    }
}

impl Value for &str {
    const IS_NUMBER: bool = false;

    fn write(&self, out: &mut String) {
        out.push_str(self);
    }

    fn is_special(&self) -> bool {
        self.is_empty()
    }
}

macro_rules! number {
    ($($number:ty)*) => {$(
        impl Value for $number {
            const IS_NUMBER: bool = true;

            fn write(&self, out: &mut String) {
                out.push_str(itoa::Buffer::new().format(*self));
            }

            fn is_special(&self) -> bool {
                matches!(self, 0 | 1)
            }
        }
    )*};
}
number!(u64 i64 usize);

impl<T> Deref for Verbatim<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Into<String>> From<T> for Verbatim<String> {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl<T: Value> Serialize for Verbatim<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value) = self;
        let marker = recorded(|Recording { parts, item, .. }| match item {
            _ if value.is_special() => None,
            None => Some(parts.push_value(|out| value.write(out), T::IS_NUMBER)),
            Some(first) => Some(parts.add_value(|out| value.write(out), T::IS_NUMBER, *first)),
        });
        match marker {
            Some(marker) => write_marker(serializer, marker),
            None => value.serialize(serializer),
        }
    }
}

impl<T> Deref for Items<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> FromIterator<T> for Items<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<T: Item> Serialize for Items<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let begin = |Recording { parts, item, .. }: &mut Recording| {
            item.is_none().then(|| {
                parts.reserve_items(self.0.len());
                parts.count_items()
            })
        };
        let Some(first) = recorded(begin) else { return self.0.serialize(serializer) };
        let mut last = None;
        for item in &self.0 {
            let alike = item.alike();
            if alike.is_some() && alike == last {
                record_like_last(item);
            } else {
                record_item(item).map_err(serde::ser::Error::custom)?;
            }
            last = alike;
        }
        match recorded(|recording| Some(recording.parts.push_list(first))) {
            Some(marker) => write_marker(serializer, marker),
            None => self.0.serialize(serializer),
        }
    }
}

fn record_like_last<T: Item>(item: &T) {
    recorded(|Recording { parts, .. }| {
        let first = parts.count_values();
        item.values(&mut ItemValues { parts, first });
        parts.add_item_like_last(first);
        Some(())
    });
}

fn record_item<T: Item>(item: &T) -> Result<(), serde_json::Error> {
    if let Some(data) = item.data() {
        recorded(|recording| {
            recording.parts.add_item(Arc::clone(data));
            Some(())
        });
        return Ok(());
    }
    let begin = |recording: &mut Recording| {
        let first = recording.parts.count_values();
        recording.item = Some(first);
        Some((first, mem::take(&mut recording.json)))
    };
    let Some((first, mut json)) = recorded(begin) else { return Ok(()) };
    json.clear();
    let written = serde_json::to_writer(&mut json, item);
    let added = recorded(|recording| {
        recording.item = None;
        let text = written.and_then(|()| str::from_utf8(&json).map_err(serde::ser::Error::custom));
        let added = text.map(|text| recording.parts.add_shaped_item(&escape_json(text), first));
        recording.json = json;
        Some(added)
    });
    added.unwrap_or(Ok(()))
}

/// Writes with markers for the parts of what is written. `parts` are those of JSON that it contains.
fn marking<R>(parts: Parts, write: impl FnOnce() -> R) -> (R, Parts) {
    let outer = RECORDING.replace(Some(Recording { parts, ..Recording::default() }));
    let written = write();
    let recording = RECORDING.replace(outer).unwrap_or_default();
    (written, recording.parts)
}

/// Writes `value` with markers for its parts. `parts` are those of JSON that it contains.
///
/// # Errors
/// When the value cannot be written.
pub fn write_marking<T: Serialize>(value: &T, parts: Parts) -> Result<(Box<RawValue>, Parts), serde_json::Error> {
    let (json, parts) = marking(parts, || serde_json::value::to_raw_value(value));
    Ok((json?, parts))
}

/// The same, escaped for a script element.
///
/// # Errors
/// When the value cannot be written.
pub fn write_props<T: Serialize>(value: &T, parts: Parts) -> Result<Props, serde_json::Error> {
    let mut json = Vec::with_capacity(EXPECTED_BYTES);
    let (written, parts) = marking(parts, || serde_json::to_writer(&mut json, value));
    written?;
    let json = String::from_utf8(json).map_err(serde::ser::Error::custom)?;
    let escaped = match escape_json(&json) {
        Cow::Owned(escaped) => escaped,
        Cow::Borrowed(_) => json,
    };
    Ok(Props { json: escaped, parts })
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::json;
    use ssr_runtime::Parts;

    use super::{Item, ItemValues, Items, Reusable, Value as _, Verbatim, write_props};

    #[derive(Serialize)]
    struct Card {
        title: &'static str,
    }

    #[derive(Serialize)]
    struct Choice {
        label: Verbatim<&'static str>,
        count: Verbatim<u64>,
        selected: bool,
    }

    impl Item for Choice {
        fn alike(&self) -> Option<u8> {
            (!self.label.is_special() && !self.count.is_special()).then(|| u8::from(self.selected))
        }

        fn values(&self, values: &mut ItemValues<'_>) {
            values.add(&self.label);
            values.add(&self.count);
        }
    }

    #[derive(Serialize)]
    struct List {
        q: Verbatim<&'static str>,
        items: Items<Reusable<Card>>,
        choices: Items<Choice>,
        again: Reusable<Card>,
        empty: Verbatim<&'static str>,
        total: Verbatim<usize>,
    }

    fn list() -> List {
        let items: Items<_> = ["Briar <b>", "Cob"].iter().map(|title| Reusable::new(Card { title }).unwrap()).collect();
        let choice = |(at, label)| Choice { label: Verbatim(label), count: Verbatim(at), selected: at == 2 };
        let special = [(0, "</script>\u{2028}"), (1, "\"quoted\" \\ \n"), (2, "")];
        // The last is selected and so not like the two before it.
        let choices = special.into_iter().chain([(5, "Cob"), (6, "<Clay>"), (2, "Meerschaum")]).map(choice);
        let again = items[0].clone();
        let q = Verbatim("<x0123456789abcdef0;>");
        List { q, items, choices: choices.collect(), again, empty: Verbatim(""), total: Verbatim(4_815_162_342) }
    }

    #[test]
    fn a_page_has_markers_and_a_browser_gets_what_they_stand_for() {
        let list = list();
        let props = write_props(&list, Parts::default()).unwrap();
        for hidden in ["Briar", "script", "quoted", "0123", "4815162342"] {
            assert!(!props.json.contains(hidden), "{}", props.json);
        }
        let mut out = String::new();
        props.write(&mut out);
        let whole = serde_json::to_value(&list).unwrap();
        assert_eq!(whole["choices"][4], json!({ "label": "<Clay>", "count": 6, "selected": false }));
        assert_eq!(whole["choices"][1], json!({ "label": "\"quoted\" \\ \n", "count": 1, "selected": false }));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&out).unwrap(), whole);
        assert!(!out.contains('<'), "{out}");
    }

    #[test]
    fn pages_with_any_number_of_items_have_one_shape() {
        let shape = |count: usize| {
            let list = list();
            let items = Items(vec![list.again.clone(); count]);
            write_props(&List { items, total: Verbatim(count + 10), ..list }, Parts::default()).unwrap().json
        };
        assert_eq!(shape(0), shape(3));
        let special = List { q: Verbatim(""), ..list() };
        assert_ne!(write_props(&special, Parts::default()).unwrap().json, shape(0));
    }

    #[test]
    fn only_objects_with_fields_can_be_reused() {
        assert!(Reusable::new(json!([1])).is_err());
        assert!(Reusable::new(json!({})).is_err());
    }
}
