//! Amounts of money: whole minor units and a currency, never a float.

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

    /// The amount as a decimal with two places, as structured data wants it: `12.99`.
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
}
