//! Validation of a body's fields: collects the errors, and holds rules that many fields share.

use std::collections::BTreeMap;

use jiff::civil::Date;
use unicode_normalization::UnicodeNormalization;

use super::email::is_email;
use super::error::Error;
use super::phone::is_phone;

/// Messages by field name.
pub type FieldErrors = BTreeMap<String, Vec<String>>;

/// Collects the errors in the fields of one body.
#[derive(Debug, Default)]
pub struct Faults(FieldErrors);

impl Faults {
    pub fn say(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.0.entry(field.into()).or_default().push(message.into());
    }

    /// Adds an error unless the condition holds.
    pub fn unless(&mut self, holds: bool, field: &str, message: &str) {
        if !holds {
            self.say(field, message);
        }
    }

    /// A line of text of limited length; it may be empty when `least` is 0.
    pub fn line(&mut self, field: &str, text: &str, least: usize, most: usize) {
        let length = text.trim().chars().count();
        if length < least || length > most || text.chars().any(char::is_control) {
            self.say(field, format!("Enter {least} to {most} characters on one line."));
        }
    }

    /// A text of any number of lines, without other control characters.
    pub fn lines(&mut self, field: &str, text: &str) {
        let has_controls = text.chars().any(|c| c.is_control() && !c.is_whitespace());
        self.unless(!has_controls, field, "Remove control characters.");
    }

    /// A date as `YYYY-MM-DD`; an empty text is no date.
    pub fn day(&mut self, field: &str, text: &str) -> Option<Date> {
        let day = text.trim().parse().ok();
        self.unless(text.trim().is_empty() || day.is_some(), field, "Enter a date as YYYY-MM-DD.");
        day
    }

    /// A valid email address.
    pub fn email(&mut self, field: &str, text: &str) {
        self.unless(is_email(text), field, "Enter an email address such as name@example.com.");
    }

    /// A phone number; it may be empty.
    pub fn phone(&mut self, field: &str, text: &str) {
        self.unless(is_phone(text), field, "Enter a phone number with area code, such as 614-555-0142.");
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All collected errors.
    pub fn into_errors(self) -> FieldErrors {
        self.0
    }

    /// Fails if there are any errors.
    pub fn finish(self) -> Result<(), Error> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::Invalid { errors: self.0 }) }
    }
}

impl From<FieldErrors> for Faults {
    fn from(errors: FieldErrors) -> Self {
        Self(errors)
    }
}

/// The text without characters that show nothing, such as marks of the direction of writing: they come along with what is pasted, and can
/// reorder what is shown beside them. Joiners stay, since some scripts need them. A letter and its accent become one character (NFC), so
/// that what looks the same is the same.
pub fn visible(text: &str) -> String {
    text.chars().filter(|c| !shows_nothing(*c)).nfc().collect()
}

pub(super) fn shows_nothing(c: char) -> bool {
    // Fillers of Hangul, which Unicode takes for letters.
    let is_filler = matches!(c, '\u{115f}'..='\u{1160}' | '\u{3164}' | '\u{ffa0}');
    // The soft hyphen, which shows at the end of a line only and divides a word for a search, and marks within words or around notes.
    let is_mark = matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{fff9}'..='\u{fffb}');
    is_filler
        || is_mark
        || matches!(c, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// What can be seen of the text, on one line, with one blank for each run of whitespace.
pub fn one_line(text: &str) -> String {
    visible(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A phone number as it was typed, filled in or pasted, with the blanks and hyphens of a keyboard: address books and web pages have others.
pub fn tidy_phone(text: &str) -> String {
    one_line(text).replace(|c: char| matches!(c, '\u{2010}'..='\u{2015}'), "-")
}

#[cfg(test)]
mod tests {
    use super::{is_phone, one_line, tidy_phone, visible};

    #[test]
    fn what_looks_the_same_is_the_same() {
        assert_eq!(visible("Cafe\u{301}"), "Caf\u{e9}");
        assert_eq!(visible("Cafe\u{200b}\u{301}"), "Caf\u{e9}");
        assert_eq!(visible("\u{202e}Ada\u{3164}\u{feff}"), "Ada");
        assert_eq!(visible("Meer\u{ad}schaum\u{61c}\u{34f}\u{180e}\u{fff9}"), "Meerschaum");
        assert_eq!(one_line("\u{a0}Ada \u{200b} Reed\n"), "Ada Reed");
    }

    #[test]
    fn a_pasted_phone_number_is_one() {
        for pasted in [
            "\u{202d}614-555-0142\u{202c}",
            "(614)\u{a0}555-0142",
            "614\u{2011}555\u{2013}0142",
            "+1\u{2009}614 \u{202f}555 0142",
        ] {
            assert!(!is_phone(pasted) && is_phone(&tidy_phone(pasted)), "{pasted:?}");
        }
        assert_eq!(tidy_phone(" (614)\u{a0} 555\u{2013}0142"), "(614) 555-0142");
    }
}
