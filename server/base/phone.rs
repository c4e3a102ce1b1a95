//! Phone numbers.

const MAX_CHARS: usize = 40;
/// Without a leading 1.
const DIGITS: usize = 10;

/// Empty, or a US number of ten digits, optionally with a leading 1, in any usual notation.
pub fn is_phone(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_written_so = text.len() <= MAX_CHARS && text.chars().all(|c| c.is_ascii_digit() || " +-().".contains(c));
    let has_ten = digits.len() == DIGITS || digits.len() == DIGITS + 1 && digits.starts_with('1');
    text.is_empty() || is_written_so && has_ten
}

/// The ten digits of a number in any notation; none if the text is not one.
pub fn ten_digits(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let rest = digits.get(digits.len().checked_sub(DIGITS)?..)?;
    is_phone(text).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{is_phone, ten_digits};

    #[test]
    fn a_number_has_ten_digits_however_it_is_written() {
        assert!(is_phone("") && is_phone("(614) 555-0142") && is_phone("+1 614 555 0142"));
        assert!(!is_phone("555 0142") && !is_phone("614 555 0142 x3") && !is_phone("26145550142"));
        assert!(!is_phone(&format!("614 555 0142{}", " ".repeat(29))));
    }

    #[test]
    fn every_notation_has_the_same_digits() {
        for written in ["6145550142", "+16145550142", "(614) 555-0142", "614.555.0142", "1 614 555 0142"] {
            assert_eq!(ten_digits(written).as_deref(), Some("6145550142"), "{written}");
        }
        for other in ["", "555 0142", "26145550142", "614 555 0142 x3", "9400111899560000"] {
            assert_eq!(ten_digits(other), None, "{other}");
        }
    }
}
