//! Text of strangers as it may be in the log.

use std::borrow::Cow;

use super::fields::shows_nothing;

/// The text without control characters, except line ends, and without characters that show nothing. JSON escapes control characters of ASCII
/// only: others move the cursor of a terminal, and journald shows no line that has one; marks of the direction of writing turn a line round.
pub fn loggable(text: &str) -> Cow<'_, str> {
    // Tags are part of some flags only.
    let is_tag = |c: char| matches!(c, '\u{e0000}'..='\u{e007f}');
    let is_left_out = |c: char| (c.is_control() && c != '\n') || shows_nothing(c) || is_tag(c);
    if text.contains(is_left_out) { Cow::Owned(text.replace(is_left_out, "")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::loggable;

    #[test]
    fn a_line_of_the_log_stays_as_it_is_read() {
        assert_eq!(loggable("a\0b\u{1b}\u{9b}2J\u{7f}\n\u{202e}\u{e0041}\u{e9}"), "ab2J\n\u{e9}");
        assert!(matches!(loggable("/caf\u{e9}"), Cow::Borrowed(_)));
    }
}
