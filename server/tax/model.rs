//! A rate and what it makes of an amount.

/// All rates of one place together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Such as `Ohio sales tax, Franklin County`.
    pub name: String,
    /// Parts per million: 80,000 is 8 %.
    pub ppm: i64,
    pub taxes_shipping: bool,
}

impl Rate {
    /// The tax on an amount of minor units, half a unit rounded up.
    pub fn tax_on(&self, amount: i64) -> i64 {
        let exact = i128::from(amount) * i128::from(self.ppm);
        i64::try_from((exact + 500_000).div_euclid(1_000_000)).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;

    #[test]
    fn half_a_cent_is_rounded_up() {
        let rate = |ppm| Rate { name: String::new(), ppm, taxes_shipping: true };
        assert_eq!(rate(80_000).tax_on(1_299), 104, "1.0392");
        assert_eq!(rate(57_500).tax_on(1_000), 58, "57.5 cents");
        assert_eq!(rate(57_500).tax_on(999), 57, "57.44 cents");
        assert_eq!(rate(0).tax_on(1_000_000), 0);
        assert_eq!(rate(80_000).tax_on(0), 0);
    }
}
