//! Numbers in the cells of a file.

/// `1299.5` or `1,299.5` as 129950.
pub(super) fn minor_units(text: &str) -> Option<i64> {
    let text = text.trim_start_matches('$');
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let whole = without_commas(whole)?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (kept, rest) = part.split_at_checked(2).unwrap_or((part, ""));
    if whole.is_empty() || whole.len() > 9 || !digits(&whole) || !digits(kept) || !rest.bytes().all(|b| b == b'0') {
        return None;
    }
    format!("{whole}{kept:0<2}").parse().ok()
}

/// Removes commas between groups of three digits. Elsewhere a comma may be meant as a decimal point, as in `49,90`.
fn without_commas(whole: &str) -> Option<String> {
    let (first, rest) = whole.split_once(',').map_or((whole, None), |(first, rest)| (first, Some(rest)));
    let is_grouped = |rest: &str| (1..=3).contains(&first.len()) && rest.split(',').all(|digits| digits.len() == 3);
    rest.is_none_or(is_grouped).then(|| whole.replace(',', ""))
}

/// `12` or `12.0`.
pub(super) fn whole(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let number: i64 = whole.parse().ok()?;
    (part.bytes().all(|byte| byte == b'0') && (0..=1_000_000).contains(&number)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::{minor_units, whole};

    #[test]
    fn numbers_are_read_without_floats() {
        let read: Vec<Option<i64>> =
            ["49", "49.9", "49.90", "$1,299.50", "49.900", "1,234,567"].map(minor_units).to_vec();
        let amounts = [4_900, 4_990, 4_990, 129_950, 4_990, 123_456_700];
        assert_eq!(read, amounts.map(Some));
        for wrong in [
            "",
            ".5",
            "49.999",
            "-1",
            "1e3",
            "49,9x",
            "99999999999",
            "49,90",
            "1.299,50",
            "49.90,0",
            "1299,500",
            ",500",
            "1,,500",
            "1,500,",
            "1,50,000",
        ] {
            assert_eq!(minor_units(wrong), None, "{wrong}");
        }
        assert_eq!((whole("800"), whole("800.0"), whole("0.5"), whole("-1")), (Some(800), Some(800), None, None));
    }
}
