//! The age rule, in whole years.

use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

/// The minimum age, in whole years.
pub const MINIMUM_AGE: i16 = 21;
/// How long a verification is valid, in seconds.
pub const VALID_SECONDS: i64 = 86_400;

/// How long a signed-in user's declaration is valid, in milliseconds.
pub const PROOF_VALID_MS: i64 = 365 * 24 * 60 * 60 * 1000;

/// Proof that a user's declared age was accepted, without the birth date. Times are UTC milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AgeProof {
    /// Two-letter code of the state that the user entered.
    pub preferred_state: Option<String>,
    pub verified_at: i64,
    pub expires_at: i64,
}

pub const EMPTY: &str = "Please enter your date of birth.";
pub const TOO_YOUNG: &str = "Sorry, you must be at least 21 years old.";

/// Whole years from the birth date to `today`. Somebody born on February 29 has their birthday on March 1 in other years.
pub fn age(birth: Date, today: Date) -> i16 {
    let had_birthday = (today.month(), today.day()) >= (birth.month(), birth.day());
    today.year() - birth.year() - i16::from(!had_birthday)
}

/// Validates a birth date (`YYYY-MM-DD`, or `MM/DD/YYYY` of browsers without date fields), or returns the message for the visitor.
pub fn verify(birth_date: &str, today: Date) -> Result<(), &'static str> {
    let birth_date = birth_date.trim();
    if birth_date.is_empty() {
        return Err(EMPTY);
    }
    // A date that does not exist or is too long ago was mistyped.
    let birth: Date = birth_date.parse().or_else(|_| Date::strptime("%m/%d/%Y", birth_date)).map_err(|_| EMPTY)?;
    match age(birth, today) {
        ..MINIMUM_AGE => Err(TOO_YOUNG),
        MINIMUM_AGE..=130 => Ok(()),
        _ => Err(EMPTY),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};
    use proptest::prelude::*;

    use super::{EMPTY, TOO_YOUNG, age, verify};

    #[test]
    fn the_twenty_first_birthday_opens_the_gate() {
        let today = date(2026, 11, 21);
        assert_eq!(verify("2005-11-21", today), Ok(()));
        assert_eq!(verify("2005-11-22", today), Err(TOO_YOUNG));
        assert_eq!(verify("2027-01-01", today), Err(TOO_YOUNG));
        assert_eq!((verify("11/21/2005", today), verify("11/22/2005", today)), (Ok(()), Err(TOO_YOUNG)));
    }

    #[test]
    fn what_is_no_birth_date_is_asked_for_again() {
        let today = date(2026, 11, 21);
        for text in
            ["", "  ", "1990-02-30", "yesterday", "1790-01-01", "13/21/1990", "1/2/90", "1990-01-01; DROP TABLE"]
        {
            assert_eq!(verify(text, today), Err(EMPTY), "{text}");
        }
    }

    #[test]
    fn a_leap_day_birth_counts_from_the_first_of_march() {
        let birth = date(2004, 2, 29);
        assert_eq!(age(birth, date(2025, 2, 28)), 20);
        assert_eq!(age(birth, date(2025, 3, 1)), 21);
        assert_eq!(age(birth, date(2028, 2, 29)), 24);
    }

    proptest! {
        #[test]
        fn age_grows_by_one_each_birthday(days in 0i32..60_000, years in 0i16..120) {
            let birth = date(1900, 1, 1) + jiff::Span::new().days(days);
            let birthday = Date::new(birth.year() + years, birth.month(), birth.day());
            if let Ok(birthday) = birthday {
                prop_assert_eq!(age(birth, birthday), years);
                let eve = birthday.yesterday().expect("a day before");
                prop_assert_eq!(age(birth, eve), years - 1);
            }
        }
    }
}
