//! Escaping of text in HTML.

use std::borrow::Cow;

use memchr::memchr_iter;

/// Text escaped for an element or a quoted attribute.
pub struct Escaped<'a>(pub &'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(['&', '<', '>', '"']) {
            let (before, after) = rest.split_at(at);
            f.write_str(before)?;
            f.write_str(match after.as_bytes()[0] {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                _ => "&quot;",
            })?;
            rest = &after[1..];
        }
        f.write_str(rest)
    }
}

/// JSON escaped for a script element that browsers do not run: it ends, or becomes a comment, only at a `<`, which occurs only within strings.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let mut marks = memchr_iter(b'<', json.as_bytes());
    let Some(first) = marks.next() else { return Cow::Borrowed(json) };
    let mut out = String::with_capacity(json.len() + json.len() / 16);
    let mut copied = 0;
    for at in std::iter::once(first).chain(marks) {
        out.push_str(&json[copied..at]);
        out.push_str("\\u003c");
        copied = at + 1;
    }
    out.push_str(&json[copied..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::{Escaped, escape_json};

    #[test]
    fn nothing_in_json_ends_its_script_element() {
        let json = serde_json::json!({ "title": "</script><!-- & \u{2028} “ü”<" }).to_string();
        let escaped = escape_json(&json);
        assert_eq!(escaped, "{\"title\":\"\\u003c/script>\\u003c!-- & \u{2028} “ü”\\u003c\"}");
        let back: serde_json::Value = serde_json::from_str(&escaped).unwrap();
        assert_eq!(back.to_string(), json);
        assert_eq!(escape_json("{}"), "{}");
    }

    #[test]
    fn text_ends_neither_its_element_nor_its_attribute() {
        assert_eq!(Escaped("a <b> & \"ü\"").to_string(), "a &lt;b&gt; &amp; &quot;ü&quot;");
        assert_eq!(Escaped("").to_string(), "");
    }
}
