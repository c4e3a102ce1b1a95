//! Numbers in the cells of a file.

use shop_base::weight;

/// `1299.5` or `1,299.5` as 129950.
pub(super) fn minor_units(text: &str) -> Option<i64> {
    let (whole, part) = parts(text.trim_start_matches('$'))?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (kept, rest) = part.split_at_checked(2).unwrap_or((part, ""));
    if whole.is_empty() || whole.len() > 9 || !digits(&whole) || !digits(kept) || !rest.bytes().all(|b| b == b'0') {
        return None;
    }
    format!("{whole}{kept:0<2}").parse().ok()
}

/// `12`, `12.0` or `1,200`.
pub(super) fn whole(text: &str) -> Option<i64> {
    let (whole, part) = parts(text)?;
    let number: i64 = whole.parse().ok()?;
    (part.bytes().all(|byte| byte == b'0') && (0..=1_000_000).contains(&number)).then_some(number)
}

/// `2.4` or `1,200` in a unit as grams.
pub(super) fn grams(text: &str, unit: &str) -> Option<i64> {
    let (whole, part) = parts(text)?;
    weight::grams(&format!("{whole}.{part}"), unit)
}

/// What is before and after the decimal point, without commas between groups of three digits. Elsewhere a comma may be meant as a decimal
/// point, as in `49,90`.
fn parts(text: &str) -> Option<(String, &str)> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let (first, rest) = whole.split_once(',').map_or((whole, None), |(first, rest)| (first, Some(rest)));
    let is_grouped = |rest: &str| (1..=3).contains(&first.len()) && rest.split(',').all(|digits| digits.len() == 3);
    rest.is_none_or(is_grouped).then(|| (whole.replace(',', ""), part))
}

#[cfg(test)]
mod tests {
    use super::{grams, minor_units, whole};

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
        assert_eq!(
            (whole("1,200"), whole("1,200.0"), whole("1,20"), whole("1200,5")),
            (Some(1_200), Some(1_200), None, None)
        );
        assert_eq!(
            (grams("1,200", "g"), grams("1,200.4", "g"), grams("2.4", "oz")),
            (Some(1_200), Some(1_200), Some(68))
        );
        assert_eq!((grams("2,4", "oz"), grams("1.200,5", "g"), grams("1,2000", "g")), (None, None, None));
    }
}
