//! Phone numbers.

const MAX_CHARS: usize = 40;

/// Empty, or a US number of ten digits, optionally with a leading 1, in any usual notation.
pub fn is_phone(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_written_so = text.len() <= MAX_CHARS && text.chars().all(|c| c.is_ascii_digit() || " +-().".contains(c));
    text.is_empty() || is_written_so && (digits.len() == 10 || digits.len() == 11 && digits.starts_with('1'))
}

#[cfg(test)]
mod tests {
    use super::is_phone;

    #[test]
    fn a_number_has_ten_digits_however_it_is_written() {
        assert!(is_phone("") && is_phone("(614) 555-0142") && is_phone("+1 614 555 0142"));
        assert!(!is_phone("555 0142") && !is_phone("614 555 0142 x3") && !is_phone("26145550142"));
        assert!(!is_phone(&format!("614 555 0142{}", " ".repeat(29))));
    }
}
