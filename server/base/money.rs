//! Amounts of money: integer minor units and a currency, never a float.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An amount in the currency's minor unit (US cents).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Money {
    /// Minor units: 1299 is $12.99.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: String,
}

impl Money {
    pub fn usd(amount: i64) -> Self {
        Self { amount, currency: "USD".to_owned() }
    }

    /// The amount formatted for display: `$1,299.00`.
    pub fn dollars(&self) -> String {
        let decimal = self.decimal();
        let (sign, digits) = decimal.strip_prefix('-').map_or(("", decimal.as_str()), |rest| ("-", rest));
        let (whole, cents) = digits.split_once('.').unwrap_or((digits, "00"));
        let mut grouped = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at) % 3 == 0 {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        format!("{sign}${grouped}.{cents}")
    }

    /// The amount as a decimal with two places, as structured data requires: `12.99`.
    pub fn decimal(&self) -> String {
        let sign = if self.amount < 0 { "-" } else { "" };
        let minor = self.amount.unsigned_abs();
        format!("{sign}{}.{:02}", minor / 100, minor % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::Money;

    #[test]
    fn decimal_keeps_the_sign_and_both_places() {
        let cases = [(0, "0.00"), (5, "0.05"), (1299, "12.99"), (-5, "-0.05"), (i64::MIN, "-92233720368547758.08")];
        for (amount, expected) in cases {
            assert_eq!(Money::usd(amount).decimal(), expected);
        }
    }

    #[test]
    fn dollars_are_grouped_by_thousands() {
        let cases = [(5, "$0.05"), (129_900, "$1,299.00"), (-123_456_789, "-$1,234,567.89"), (99_999, "$999.99")];
        for (amount, expected) in cases {
            assert_eq!(Money::usd(amount).dollars(), expected);
        }
    }
}
