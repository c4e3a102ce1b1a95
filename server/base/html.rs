//! Escaping of text in HTML.

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

/// In bytes.
const BLOCK: usize = 32;

/// JSON escaped for a script element: these characters occur only within its strings.
pub fn escape_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 16);
    let mut copied = 0;
    for (block, bytes) in json.as_bytes().chunks(BLOCK).enumerate() {
        // Most blocks have nothing to escape, and a processor tests one at once.
        let is_special = |byte: &u8| (*byte == b'<') | (*byte == b'>') | (*byte == b'&') | (*byte == 0xE2);
        if !bytes.iter().fold(false, |found, byte| found | is_special(byte)) {
            continue;
        }
        for at in (block * BLOCK..).take(bytes.len()) {
            // The line separators U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
            let (escape, length) = match json.as_bytes()[at..] {
                [b'<', ..] => ("\\u003c", 1),
                [b'>', ..] => ("\\u003e", 1),
                [b'&', ..] => ("\\u0026", 1),
                [0xE2, 0x80, 0xA8, ..] => ("\\u2028", 3),
                [0xE2, 0x80, 0xA9, ..] => ("\\u2029", 3),
                _ => continue,
            };
            out.push_str(&json[copied..at]);
            out.push_str(escape);
            copied = at + length;
        }
    }
    out.push_str(&json[copied..]);
    out
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
    fn json_is_escaped_wherever_in_a_block_it_has_to_be() {
        for before in 0..70 {
            let json = format!("\"{}<\u{2028}>\u{2029}“&\"", "x".repeat(before));
            let expected = format!("\"{}\\u003c\\u2028\\u003e\\u2029“\\u0026\"", "x".repeat(before));
            assert_eq!(escape_json(&json), expected);
        }
    }

    #[test]
    fn text_ends_neither_its_element_nor_its_attribute() {
        assert_eq!(Escaped("a <b> & \"ü\"").to_string(), "a &lt;b&gt; &amp; &quot;ü&quot;");
        assert_eq!(Escaped("").to_string(), "");
    }
}
