//! Square's documented test cards and card tokens, and their outcomes.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The outcome of charging a card. Determined when the card is entered, so that its number need not be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Approved,
    Declined,
    CvvFailure,
    AddressVerificationFailure,
    InvalidExpiration,
    /// The bank required the buyer's verification, which was not done.
    VerificationRequired,
}

impl Outcome {
    /// The error code; none if the charge is approved.
    pub fn refusal(self) -> Option<&'static str> {
        match self {
            Self::Approved => None,
            Self::Declined => Some("GENERIC_DECLINE"),
            Self::CvvFailure => Some("CVV_FAILURE"),
            Self::AddressVerificationFailure => Some("ADDRESS_VERIFICATION_FAILURE"),
            Self::InvalidExpiration => Some("INVALID_EXPIRATION"),
            Self::VerificationRequired => Some("CARD_DECLINED_VERIFICATION_REQUIRED"),
        }
    }

    pub fn cvv_status(self) -> &'static str {
        if self == Self::CvvFailure { "CVV_REJECTED" } else { "CVV_ACCEPTED" }
    }

    pub fn avs_status(self) -> &'static str {
        if self == Self::AddressVerificationFailure { "AVS_REJECTED" } else { "AVS_ACCEPTED" }
    }
}

/// The card details that may be displayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardShown {
    /// Square's name for it, such as `VISA`.
    pub brand: String,
    pub last_4: String,
    pub exp_month: u8,
    pub exp_year: u16,
}

impl CardShown {
    pub fn json(&self) -> Value {
        json!({
            "card_brand": self.brand,
            "last_4": self.last_4,
            "exp_month": self.exp_month,
            "exp_year": self.exp_year,
            "fingerprint": format!("sq-1-stand-in-{}-{}", self.brand.to_lowercase(), self.last_4),
            "card_type": "CREDIT",
            "prepaid_type": "NOT_PREPAID",
        })
    }
}

/// A token that Square documents for its sandbox; it can be used any number of times.
pub enum Documented {
    Card(CardShown, Outcome),
    AlreadyUsed,
}

pub fn documented(source_id: &str) -> Option<Documented> {
    let outcome = match source_id.strip_prefix("cnon:card-nonce-")? {
        "ok" => Outcome::Approved,
        "declined" => Outcome::Declined,
        "rejected-cvv" => Outcome::CvvFailure,
        "rejected-postalcode" => Outcome::AddressVerificationFailure,
        "rejected-expiration" => Outcome::InvalidExpiration,
        // judgment: the code for this token is not published.
        "already-used" => return Some(Documented::AlreadyUsed),
        _ => return None,
    };
    // judgment: the declined token stands for another card, with the number used in the form; the tokens for mistyped data stand for the
    // valid card.
    let last_4 = if outcome == Outcome::Declined { "0002" } else { "1111" };
    let card = CardShown { brand: "VISA".to_owned(), last_4: last_4.to_owned(), exp_month: 11, exp_year: 2029 };
    Some(Documented::Card(card, outcome))
}

/// A card as sent by the form.
#[derive(Deserialize)]
pub struct Entered {
    /// Digits only.
    pub number: String,
    pub exp_month: u8,
    /// Four digits.
    pub exp_year: u16,
    pub cvv: String,
    pub postal_code: String,
    /// Whether the page requested buyer verification (by passing the details of the charge to `tokenize`).
    #[serde(default)]
    pub verify: bool,
    /// The code that the buyer entered for the bank.
    pub challenge_code: Option<String>,
}

/// The test numbers that Square documents.
const CARDS: [(&str, &str); 11] = [
    ("4111111111111111", "VISA"),
    ("5105105105105100", "MASTERCARD"),
    ("6011000000000004", "DISCOVER"),
    ("30000000000004", "DISCOVER_DINERS"),
    ("3569990010095841", "JCB"),
    ("340000000000009", "AMERICAN_EXPRESS"),
    ("6222988812340000", "CHINA_UNIONPAY"),
    (DECLINED, "VISA"),
    ("4800000000000004", "VISA"),
    ("5222220000000005", "MASTERCARD"),
    (CHALLENGED, "MASTERCARD"),
];
const DECLINED: &str = "4000000000000002";
const CHALLENGED: &str = "5248480000210034";
const CHALLENGE_CODE: &str = "123456";

/// The result of entering a card.
#[derive(Debug, PartialEq, Eq)]
pub enum Entry {
    Token(CardShown, Outcome),
    /// The bank asks the buyer for a code.
    Challenge,
    WrongCode,
    /// The field's name and what is wrong with it.
    Invalid(&'static str, &'static str),
}

/// Validates a card. Only documented test numbers are accepted, since nobody should enter a real card here.
pub fn enter(entered: &Entered, year: u16, month: u8) -> Entry {
    let Some((_, brand)) = CARDS.iter().find(|(number, _)| *number == entered.number) else {
        return Entry::Invalid("cardNumber", "Only test cards work here. Try 4111 1111 1111 1111.");
    };
    if !(1..=12).contains(&entered.exp_month) || (entered.exp_year, entered.exp_month) < (year, month) {
        return Entry::Invalid("expirationDate", "Enter a date in the future.");
    }
    let length = if *brand == "AMERICAN_EXPRESS" { 4 } else { 3 };
    if entered.cvv.len() != length || !entered.cvv.bytes().all(|byte| byte.is_ascii_digit()) {
        return Entry::Invalid("cvv", "Enter the security code from the card.");
    }
    if entered.postal_code.len() != 5 || !entered.postal_code.bytes().all(|byte| byte.is_ascii_digit()) {
        return Entry::Invalid("postalCode", "Enter a ZIP code of five digits.");
    }
    let asks = entered.number == CHALLENGED;
    if asks && entered.verify {
        match entered.challenge_code.as_deref() {
            None => return Entry::Challenge,
            Some(CHALLENGE_CODE) => {}
            Some(_) => return Entry::WrongCode,
        }
    }
    let outcome = match entered {
        Entered { number, .. } if number == DECLINED => Outcome::Declined,
        Entered { cvv, .. } if cvv.starts_with("911") => Outcome::CvvFailure,
        Entered { postal_code, .. } if postal_code == "99999" => Outcome::AddressVerificationFailure,
        Entered { exp_month: 1, exp_year: 2040, .. } => Outcome::InvalidExpiration,
        _ if asks && !entered.verify => Outcome::VerificationRequired,
        _ => Outcome::Approved,
    };
    let card = CardShown {
        brand: (*brand).to_owned(),
        last_4: entered.number.chars().skip(entered.number.len() - 4).collect(),
        exp_month: entered.exp_month,
        exp_year: entered.exp_year,
    };
    Entry::Token(card, outcome)
}

#[cfg(test)]
mod tests {
    use super::{Entered, Entry, Outcome, enter};

    fn entered(number: &str) -> Entered {
        Entered {
            number: number.to_owned(),
            exp_month: 12,
            exp_year: 2030,
            cvv: if number.starts_with("34") { "1111" } else { "111" }.to_owned(),
            postal_code: "43215".to_owned(),
            verify: true,
            challenge_code: None,
        }
    }

    fn outcome(entered: &Entered) -> Outcome {
        match enter(entered, 2026, 11) {
            Entry::Token(_, outcome) => outcome,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_documented_failure_fails_its_way() {
        assert_eq!(outcome(&entered("4111111111111111")), Outcome::Approved);
        assert_eq!(outcome(&entered("340000000000009")), Outcome::Approved);
        assert_eq!(outcome(&entered("4000000000000002")), Outcome::Declined);
        let visa = || entered("4111111111111111");
        assert_eq!(outcome(&Entered { cvv: "911".to_owned(), ..visa() }), Outcome::CvvFailure);
        let far = Entered { postal_code: "99999".to_owned(), ..visa() };
        assert_eq!(outcome(&far), Outcome::AddressVerificationFailure);
        assert_eq!(outcome(&Entered { exp_month: 1, exp_year: 2040, ..visa() }), Outcome::InvalidExpiration);
        assert!(matches!(enter(&entered("4111111111111112"), 2026, 11), Entry::Invalid("cardNumber", _)));
        let past = Entered { exp_month: 10, exp_year: 2026, ..visa() };
        assert!(matches!(enter(&past, 2026, 11), Entry::Invalid("expirationDate", _)));
    }

    #[test]
    fn a_challenge_is_passed_with_its_code_only() {
        let card = || entered("5248480000210034");
        assert_eq!(enter(&card(), 2026, 11), Entry::Challenge);
        let wrong = Entered { challenge_code: Some("000000".to_owned()), ..card() };
        assert_eq!(enter(&wrong, 2026, 11), Entry::WrongCode);
        assert_eq!(outcome(&Entered { challenge_code: Some("123456".to_owned()), ..card() }), Outcome::Approved);
        assert_eq!(outcome(&Entered { verify: false, ..card() }), Outcome::VerificationRequired);
        assert_eq!(outcome(&entered("4800000000000004")), Outcome::Approved, "asks nothing");
    }
}
