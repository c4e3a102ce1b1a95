//! Weights: stored and calculated in whole grams, displayed in ounces and pounds.

/// Weights of the units in nanograms: an avoirdupois ounce is exactly 28.349523125 grams.
const GRAM: i128 = 1_000_000_000;
const OUNCE: i128 = 28_349_523_125;

/// A sanity bound: a metric ton.
pub const MAX_GRAMS: i64 = 1_000_000;

/// `2.4 oz` or `1 lb 8 oz`: the shortest text, with at most two decimal places, that parses to the same number of grams.
pub fn pounds_and_ounces(grams: i64) -> String {
    let is_exact = |hundredths: &i128| rounded(hundredths * OUNCE, 100 * GRAM) == i128::from(grams);
    let shortest = [100, 10, 1].map(|step| rounded(i128::from(grams) * GRAM * 100, OUNCE * step) * step);
    let hundredths = shortest.into_iter().find(is_exact).unwrap_or_default();
    let (pounds, ounces) = (hundredths / 1_600, decimal(hundredths % 1_600));
    match (pounds, ounces.trim_end_matches('0').trim_end_matches('.')) {
        (0, ounces) => format!("{ounces} oz"),
        (pounds, "0") => format!("{pounds} lb"),
        (pounds, ounces) => format!("{pounds} lb {ounces} oz"),
    }
}

/// The weight in ounces as a decimal with two places, for tables: `17.64`.
pub fn ounces(grams: i64) -> String {
    decimal(rounded(i128::from(grams) * GRAM * 100, OUNCE))
}

/// Whole grams of a number and its unit, as in import files: `2.4` and `oz`.
pub fn grams(number: &str, unit: &str) -> Option<i64> {
    let unit = match unit.to_ascii_lowercase().as_str() {
        "g" => GRAM,
        "kg" => 1_000 * GRAM,
        "oz" => OUNCE,
        "lb" => 16 * OUNCE,
        _ => return None,
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let is_number = !whole.is_empty() && format!("{whole}{part}").bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || whole.len() > 9 || part.len() > 9 {
        return None;
    }
    let billionths: i128 = format!("{whole}{part:0<9}").parse().ok()?;
    let grams = i64::try_from(rounded(billionths * unit, 1_000_000_000 * GRAM)).ok()?;
    (grams <= MAX_GRAMS).then_some(grams)
}

fn rounded(dividend: i128, divisor: i128) -> i128 {
    (dividend + divisor / 2) / divisor
}

fn decimal(hundredths: i128) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::{MAX_GRAMS, grams, ounces, pounds_and_ounces};

    #[test]
    fn weights_read_in_ounces_and_pounds() {
        let cases = [
            (0, "0 oz"),
            (1, "0.04 oz"),
            (68, "2.4 oz"),
            (340, "12 oz"),
            (454, "1 lb"),
            (680, "1 lb 8 oz"),
            (500, "1 lb 1.64 oz"),
            (MAX_GRAMS, "2204 lb 9.96 oz"),
        ];
        for (weight, text) in cases {
            assert_eq!(pounds_and_ounces(weight), text);
        }
    }

    #[test]
    fn each_gram_comes_back_from_its_ounces() {
        for weight in (0..=50_000).chain((50_000..=MAX_GRAMS).step_by(97)) {
            assert_eq!(grams(&ounces(weight), "oz"), Some(weight));
        }
    }

    #[test]
    fn numbers_are_read_with_their_units() {
        let read = [("12", "oz", 340), ("1", "lb", 454), ("2.5", "LB", 1_134), ("68", "g", 68), ("1.2", "kg", 1_200)];
        for (number, unit, weight) in read {
            assert_eq!(grams(number, unit), Some(weight), "{number} {unit}");
        }
        for (number, unit) in
            [("", "oz"), (".5", "oz"), ("-1", "oz"), ("1e3", "g"), ("1", "st"), ("1", ""), ("1001", "kg")]
        {
            assert_eq!(grams(number, unit), None, "{number} {unit}");
        }
    }
}
