//! Escaping of text in HTML.

use std::borrow::Cow;

use memchr::{memchr3, memchr3_iter, memmem};

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

/// JSON escaped for a script element: these characters occur only within its strings.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let bytes = json.as_bytes();
    let is_ascii = json.is_ascii();
    if is_ascii && memchr3(b'<', b'>', b'&', bytes).is_none() {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + json.len() / 16);
    let mut copied = 0;
    let mut replace = |at: usize, length: usize, escape: &str| {
        out.push_str(&json[copied..at]);
        out.push_str(escape);
        copied = at + length;
    };
    if is_ascii || memmem::find(bytes, &LINE_SEPARATOR[..2]).is_none() {
        for at in memchr3_iter(b'<', b'>', b'&', bytes) {
            replace(at, 1, escape_of(&bytes[at..]).unwrap_or_default());
        }
    } else {
        for at in 0..bytes.len() {
            if let Some(escape) = escape_of(&bytes[at..]) {
                replace(at, if bytes[at].is_ascii() { 1 } else { LINE_SEPARATOR.len() }, escape);
            }
        }
    }
    out.push_str(&json[copied..]);
    Cow::Owned(out)
}

/// U+2028; U+2029 differs in the last byte. Both share the others with quotation marks and dashes.
const LINE_SEPARATOR: [u8; 3] = [0xE2, 0x80, 0xA8];

/// Of the first character.
fn escape_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'<', ..] => Some("\\u003c"),
        [b'>', ..] => Some("\\u003e"),
        [b'&', ..] => Some("\\u0026"),
        [0xE2, 0x80, 0xA8, ..] => Some("\\u2028"),
        [0xE2, 0x80, 0xA9, ..] => Some("\\u2029"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Escaped, escape_json};

    #[test]
    fn nothing_in_json_ends_its_script_element() {
        let json = serde_json::json!({ "title": "</script><!-- & \u{2028}\u{2029} “ü”" }).to_string();
        let escaped = escape_json(&json);
        assert!(!escaped.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{escaped}");
        let back: serde_json::Value = serde_json::from_str(&escaped).unwrap();
        assert_eq!(back.to_string(), json);
    }

    #[test]
    fn json_is_escaped_with_and_without_characters_of_several_bytes() {
        assert_eq!(escape_json("\"a<b>&\""), "\"a\\u003cb\\u003e\\u0026\"");
        assert_eq!(escape_json("\"<“ü”>&\""), "\"\\u003c“ü”\\u003e\\u0026\"");
        assert_eq!(escape_json("\"<\u{2028}>\u{2029}“&\""), "\"\\u003c\\u2028\\u003e\\u2029“\\u0026\"");
        assert_eq!(escape_json("{}"), "{}");
    }

    #[test]
    fn text_ends_neither_its_element_nor_its_attribute() {
        assert_eq!(Escaped("a <b> & \"ü\"").to_string(), "a &lt;b&gt; &amp; &quot;ü&quot;");
        assert_eq!(Escaped("").to_string(), "");
    }
}
