//! Promo codes and their arithmetic, in minor units.

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use shop_base::clock::day_starts;
use shop_base::db::stored;
use shop_base::error::Error;
use shop_base::fields::{Faults, visible};
use utoipa::ToSchema;
use uuid::Uuid;

stored! {
    /// The kind of discount.
    PromoKind {
        Percent = "percent",
        Amount = "amount",
        FreeShipping = "free_shipping",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Benefit {
    /// Hundredths of a percent off the goods.
    Percent(i64),
    /// Minor units off the goods.
    Amount(i64),
    FreeShipping,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promo {
    pub id: Uuid,
    /// Capital letters and digits.
    pub code: String,
    pub benefit: Benefit,
    /// Minimum subtotal of the goods, in minor units.
    pub min_subtotal: i64,
    /// UTC milliseconds.
    pub starts_at: Option<i64>,
    pub ends_at: Option<i64>,
    pub max_uses: Option<i64>,
    pub used: i64,
    pub once_per_customer: bool,
    pub active: bool,
}

/// Why a code cannot be used, as shown to the shopper.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromoProblem {
    #[error("This code isn’t valid.")]
    Unknown,
    #[error("A code can have at most 40 characters.")]
    TooLong,
    #[error("This code isn’t active yet.")]
    Early,
    #[error("This code has expired.")]
    Expired,
    #[error("This code has been used up.")]
    UsedUp,
    #[error("You’ve already used this code.")]
    UsedByCustomer,
    /// An order that was not placed gives it back when its goods are released, after two hours at most.
    #[error("An order you haven’t finished is using this code. Finish it, or try again in two hours.")]
    HeldByCustomer,
    #[error("This code requires a purchase of at least {}.", shop_base::money::Money::usd(*.0).dollars())]
    TooLittle(i64),
}

impl Promo {
    /// The label shown with the discount.
    pub fn label(&self) -> String {
        match self.benefit {
            Benefit::Percent(hundredths) if hundredths % 100 == 0 => format!("{}% off", hundredths / 100),
            Benefit::Percent(hundredths) => format!("{}.{:02}% off", hundredths / 100, hundredths % 100),
            Benefit::Amount(amount) => format!("{} off", shop_base::money::Money::usd(amount).dollars()),
            Benefit::FreeShipping => "Free shipping".to_owned(),
        }
    }

    /// Checks whether it may be used now for this subtotal.
    pub fn check(&self, subtotal: i64, now: i64) -> Result<(), PromoProblem> {
        if !self.active {
            return Err(PromoProblem::Unknown);
        }
        if self.starts_at.is_some_and(|start| now < start) {
            return Err(PromoProblem::Early);
        }
        if self.ends_at.is_some_and(|end| now >= end) {
            return Err(PromoProblem::Expired);
        }
        if self.max_uses.is_some_and(|most| self.used >= most) {
            return Err(PromoProblem::UsedUp);
        }
        if subtotal < self.min_subtotal {
            return Err(PromoProblem::TooLittle(self.min_subtotal));
        }
        Ok(())
    }

    /// The discount on goods with this subtotal, rounded half up.
    pub fn off_goods(&self, subtotal: i64) -> i64 {
        match self.benefit {
            Benefit::Percent(hundredths) => {
                let exact = i128::from(subtotal) * i128::from(hundredths);
                i64::try_from((exact + 5_000).div_euclid(10_000)).unwrap_or(subtotal).min(subtotal)
            }
            Benefit::Amount(amount) => amount.min(subtotal),
            Benefit::FreeShipping => 0,
        }
    }

    /// The discount on this shipping price.
    pub fn off_shipping(&self, shipping: i64) -> i64 {
        if self.benefit == Benefit::FreeShipping { shipping } else { 0 }
    }
}

/// A code as entered by staff.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PromoInput {
    /// For a new code only: an existing code keeps its name.
    #[serde(default)]
    pub code: String,
    pub kind: PromoKind,
    /// Hundredths of a percent, or minor units; 0 for free shipping.
    #[serde(default)]
    pub value: i64,
    /// Minor units.
    #[serde(default)]
    pub min_subtotal: i64,
    /// First and last day in the shop's time zone, `YYYY-MM-DD`.
    #[serde(default)]
    pub starts_on: Option<String>,
    #[serde(default)]
    pub ends_on: Option<String>,
    #[serde(default)]
    pub max_uses: Option<i64>,
    #[serde(default)]
    pub once_per_customer: bool,
    pub active: bool,
    /// The version that the caller saw; none for a new code.
    #[serde(default)]
    pub version: Option<i64>,
}

/// The terms of a code, as stored and audited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Grant {
    pub kind: PromoKind,
    pub value: i64,
    pub min_subtotal: i64,
    /// UTC milliseconds.
    pub starts_at: Option<i64>,
    pub ends_at: Option<i64>,
    pub max_uses: Option<i64>,
    pub once_per_customer: bool,
    pub active: bool,
}

const MOST: i64 = 100_000_000;
/// In characters.
const MAX_CODE_LENGTH: usize = 40;

impl PromoInput {
    /// The validated terms, given how often the code was already used.
    pub fn grant(&self, used: i64, zone: &TimeZone) -> Result<Grant, Error> {
        let mut faults = Faults::default();
        match self.kind {
            PromoKind::Percent => {
                faults.unless((1..=10_000).contains(&self.value), "value", "Enter a percentage above 0 and up to 100.");
            }
            PromoKind::Amount => {
                faults.unless((1..=MOST).contains(&self.value), "value", "Enter an amount above zero.");
            }
            PromoKind::FreeShipping => faults.unless(self.value == 0, "value", "Free shipping doesn’t take a value."),
        }
        faults.unless((0..=MOST).contains(&self.min_subtotal), "min_subtotal", "Enter an amount, or leave it blank.");
        if let Some(most) = self.max_uses {
            faults.unless(most >= 1, "max_uses", "Enter at least one use, or leave it blank for no limit.");
            if most >= 1 && most < used {
                faults.say("max_uses", format!("Used so far: {used}. Enter at least that number."));
            }
        }
        let starts_on = faults.day("starts_on", self.starts_on.as_deref().unwrap_or_default());
        let ends_on = faults.day("ends_on", self.ends_on.as_deref().unwrap_or_default());
        if let (Some(first), Some(last)) = (starts_on, ends_on) {
            faults.unless(first <= last, "ends_on", "The end date is before the start date.");
        }
        // Without a time at which it starts, it would hold at once.
        let has_start = starts_on.is_none_or(|first| first.tomorrow().is_ok());
        faults.unless(has_start, "starts_on", "Enter an earlier date.");
        faults.finish()?;
        let (starts_at, ends_at) = day_starts((starts_on, ends_on), zone);
        Ok(Grant {
            kind: self.kind,
            value: self.value,
            min_subtotal: self.min_subtotal,
            starts_at,
            ends_at,
            max_uses: self.max_uses,
            once_per_customer: self.once_per_customer,
            active: self.active,
        })
    }

    /// The normalized name of a new code.
    pub fn new_code(&self) -> Result<String, Error> {
        let code = normalized(&self.code);
        let is_plain = code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
        if (3..=MAX_CODE_LENGTH).contains(&code.len()) && is_plain {
            Ok(code)
        } else {
            Err(Error::invalid("code", "Enter 3 to 40 letters, digits, or hyphens."))
        }
    }
}

/// Normalizes a code: trimmed, in capital letters, and without the characters that show nothing, which may be copied along with it.
pub fn normalized(code: &str) -> String {
    visible(code).replace(char::is_control, "").trim().to_uppercase()
}

/// The normalized code that a shopper has entered, of at most 40 characters; none if the field is empty.
pub fn entered(code: &str) -> Result<Option<String>, PromoProblem> {
    let code = normalized(code);
    if code.chars().count() > MAX_CODE_LENGTH {
        Err(PromoProblem::TooLong)
    } else {
        Ok(Some(code).filter(|code| !code.is_empty()))
    }
}

/// Distributes an amount in proportion to weights, in whole units: the parts add up to the amount, and no part exceeds its weight if the
/// amount does not exceed their sum. The rounding remainder goes to the largest fractions, earlier ones first.
pub fn spread(amount: i64, weights: &[i64]) -> Vec<i64> {
    let total: i128 = weights.iter().copied().map(i128::from).sum();
    if total <= 0 {
        return vec![0; weights.len()];
    }
    let exact: Vec<i128> = weights.iter().map(|weight| i128::from(amount) * i128::from(*weight)).collect();
    let mut parts: Vec<i64> = exact.iter().map(|share| i64::try_from(share.div_euclid(total)).unwrap_or(0)).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(exact.get(*index).map_or(0, |share| share.rem_euclid(total))));
    let left = usize::try_from(amount - parts.iter().sum::<i64>()).unwrap_or(0);
    for index in order.into_iter().take(left) {
        if let Some(part) = parts.get_mut(index) {
            *part += 1;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::{Benefit, Promo, PromoProblem, entered, normalized, spread};

    fn promo(benefit: Benefit) -> Promo {
        Promo {
            id: Uuid::nil(),
            code: "PIPE10".into(),
            benefit,
            min_subtotal: 0,
            starts_at: None,
            ends_at: None,
            max_uses: None,
            used: 0,
            once_per_customer: false,
            active: true,
        }
    }

    #[test]
    fn a_percentage_is_rounded_half_up_once() {
        assert_eq!(promo(Benefit::Percent(1000)).off_goods(1_995), 200, "199.5");
        assert_eq!(promo(Benefit::Percent(1250)).off_goods(999), 125, "124.875");
        assert_eq!(promo(Benefit::Percent(10_000)).off_goods(999), 999);
    }

    #[test]
    fn an_amount_takes_no_more_than_there_is() {
        assert_eq!(promo(Benefit::Amount(500)).off_goods(1_200), 500);
        assert_eq!(promo(Benefit::Amount(500)).off_goods(300), 300);
        assert_eq!(promo(Benefit::FreeShipping).off_goods(300), 0);
        assert_eq!(promo(Benefit::FreeShipping).off_shipping(895), 895);
        assert_eq!(promo(Benefit::Amount(500)).off_shipping(895), 0);
    }

    #[test]
    fn a_code_holds_within_its_dates_uses_and_least_worth() {
        let promo = Promo {
            starts_at: Some(100),
            ends_at: Some(200),
            max_uses: Some(2),
            min_subtotal: 5_000,
            ..promo(Benefit::Percent(1000))
        };
        assert_eq!(promo.check(5_000, 99), Err(PromoProblem::Early));
        assert_eq!(promo.check(5_000, 100), Ok(()));
        assert_eq!(promo.check(5_000, 200), Err(PromoProblem::Expired));
        assert_eq!(promo.check(4_999, 100), Err(PromoProblem::TooLittle(5_000)));
        assert_eq!(PromoProblem::TooLittle(5_000).to_string(), "This code requires a purchase of at least $50.00.");
        assert_eq!(Promo { used: 2, ..promo.clone() }.check(5_000, 100), Err(PromoProblem::UsedUp));
        assert_eq!(Promo { active: false, ..promo }.check(5_000, 100), Err(PromoProblem::Unknown));
    }

    #[test]
    fn codes_are_compared_without_case_or_blanks() {
        assert_eq!(normalized("  welcome10 "), "WELCOME10");
        assert_eq!(normalized("\u{200b}welcome10\u{feff}\0"), "WELCOME10");
    }

    #[test]
    fn a_code_is_as_long_as_browsers_count_it() {
        assert_eq!(entered(&"é".repeat(40)), Ok(Some("É".repeat(40))));
        assert_eq!(entered(&"é".repeat(41)), Err(PromoProblem::TooLong));
        assert_eq!(entered("\0 "), Ok(None));
    }

    #[test]
    fn what_rounding_leaves_goes_to_the_largest_remainders() {
        assert_eq!(spread(100, &[1, 1, 1]), [34, 33, 33]);
        assert_eq!(spread(10, &[999, 1]), [10, 0]);
        assert_eq!(spread(0, &[5, 5]), [0, 0]);
        assert_eq!(spread(7, &[]), Vec::<i64>::new());
    }

    proptest! {
        #[test]
        fn a_spread_amount_adds_up(weights in prop::collection::vec(0i64..2_000_000, 1..50), percent in 0i64..=10_000) {
            let subtotal: i64 = weights.iter().sum();
            let amount = promo(Benefit::Percent(percent)).off_goods(subtotal);
            let parts = spread(amount, &weights);
            prop_assert_eq!(parts.iter().sum::<i64>(), if subtotal == 0 { 0 } else { amount });
            for (part, weight) in parts.iter().zip(&weights) {
                prop_assert!(*part >= 0 && part <= weight, "{part} of {weight}");
            }
        }
    }
}
