//! What Square refuses and what that means: for the shop by category, for the shopper in words.

use serde::Deserialize;

use crate::payments::provider::{Decline, ProviderError};

/// Codes and categories are open: Square adds to them, and returns some that its list lacks.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ApiError {
    #[serde(default)]
    pub category: String,
    #[serde(default)]
    pub code: String,
    #[serde(default)]
    pub detail: String,
    #[serde(default)]
    pub field: String,
}

#[derive(Debug, Deserialize)]
pub struct ErrorAnswer {
    pub errors: Vec<ApiError>,
}

/// What to do about a refusal.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It says for certain what happened.
    Final(ProviderError),
    /// The same request with the same key may yet succeed.
    Repeat,
    /// It leaves open what happened, and asking again would not tell.
    Unclear,
}

/// Reads a refusal by its category. The HTTP status only says what may be repeated.
pub fn verdict(errors: &[ApiError], status: u16) -> Verdict {
    let Some(first) = errors.first() else {
        return if is_passing(status) { Verdict::Repeat } else { Verdict::Unclear };
    };
    if errors.iter().any(|error| error.code == "TEMPORARY_ERROR") {
        return Verdict::Repeat;
    }
    if let Some(refusal) = errors.iter().find(|error| concerns_the_card(error)) {
        return Verdict::Final(ProviderError::Declined(decline(std::slice::from_ref(refusal))));
    }
    if is_passing(status) {
        return Verdict::Repeat;
    }
    match first.category.as_str() {
        // Another request had this key, so a payment of it may exist.
        _ if first.code == "IDEMPOTENCY_KEY_REUSED" => Verdict::Unclear,
        "API_ERROR" | "RATE_LIMIT_ERROR" | "EXTERNAL_VENDOR_ERROR" => Verdict::Repeat,
        "AUTHENTICATION_ERROR" | "INVALID_REQUEST_ERROR" | "MERCHANT_SUBSCRIPTION_ERROR" | "REFUND_ERROR" => {
            Verdict::Final(ProviderError::Rejected { code: first.code.clone(), detail: detail(first) })
        }
        _ => Verdict::Unclear,
    }
}

/// Statuses after which the same request may succeed.
pub fn is_passing(status: u16) -> bool {
    status == 408 || status == 429 || status >= 500
}

/// A card's token that was used or is too old is refused as a bad request, yet entering the card again helps.
fn concerns_the_card(error: &ApiError) -> bool {
    error.category == "PAYMENT_METHOD_ERROR" || is_about_the_token(&error.code)
}

/// Whether the code speaks of the card's single-use token and not of the card.
pub fn is_about_the_token(code: &str) -> bool {
    matches!(code, "CARD_TOKEN_USED" | "CARD_TOKEN_EXPIRED" | "SOURCE_USED" | "SOURCE_EXPIRED")
}

fn detail(error: &ApiError) -> String {
    match error.field.as_str() {
        "" => error.detail.clone(),
        field => format!("{} ({field})", error.detail),
    }
}

/// The first of a failed payment's errors as a decline.
pub fn decline(errors: &[ApiError]) -> Decline {
    let code = errors.first().map_or("GENERIC_DECLINE", |error| error.code.as_str());
    Decline { code: code.to_owned(), message: words(code).to_owned() }
}

/// What the shopper reads. It says what to do next and nothing of how the card or the shopper was judged.
fn words(code: &str) -> &'static str {
    match code {
        "ADDRESS_VERIFICATION_FAILURE" | "INVALID_POSTAL_CODE" => {
            "The ZIP code does not match the one your bank has for this card. Check it, or try another card."
        }
        "BAD_EXPIRATION" | "INVALID_EXPIRATION" | "EXPIRATION_FAILURE" => {
            "The expiration date is not the card's. Check it and try again."
        }
        "CARD_EXPIRED" => "This card has expired. Try another card.",
        "CVV_FAILURE" => "The security code does not match this card. Check it and try again.",
        "PAN_FAILURE" | "INVALID_CARD" | "INVALID_CARD_DATA" | "INVALID_ACCOUNT" => {
            "The card number does not belong to an active card. Check it, or try another card."
        }
        "INSUFFICIENT_FUNDS" | "GIFT_CARD_AVAILABLE_AMOUNT" => {
            "The card does not have enough money for this order. Try another card."
        }
        "TRANSACTION_LIMIT" | "PAYMENT_LIMIT_EXCEEDED" => {
            "The amount is above what this card may pay at once. Try another card, or call your bank."
        }
        "CARD_NOT_SUPPORTED" | "MANUALLY_ENTERED_PAYMENT_NOT_SUPPORTED" | "CHIP_INSERTION_REQUIRED" => {
            "This card cannot be used online here. Try another card."
        }
        "CARD_DECLINED_VERIFICATION_REQUIRED" => {
            "Your bank wants you to confirm this payment. Pay again and follow its steps, or try another card."
        }
        "CARD_TOKEN_EXPIRED" | "CARD_TOKEN_USED" | "SOURCE_EXPIRED" | "SOURCE_USED" => {
            "What you entered for the card can be used only once. Enter the card again."
        }
        "ALLOWABLE_PIN_TRIES_EXCEEDED" | "INVALID_PIN" => {
            "The card's PIN was refused. Try another card, or call your bank."
        }
        "VOICE_FAILURE" => "Your bank wants to be called about this payment. Call it, or try another card.",
        "ISSUER_INSTALLMENT_ERROR" => "Your bank does not take this payment in installments. Try another card.",
        "INVALID_EMAIL_ADDRESS" => "The card payment needs a valid email address. Check yours and try again.",
        "INVALID_PHONE_NUMBER" => "The card payment needs a valid phone number. Check yours and try again.",
        "CARDHOLDER_INSUFFICIENT_PERMISSIONS" => {
            "This card may not be used for this purchase. Try another card, or ask who issued it."
        }
        "CARD_PROCESSING_NOT_ENABLED"
        | "INSUFFICIENT_PERMISSIONS"
        | "INVALID_FEES"
        | "INVALID_LOCATION"
        | "PAYMENT_AMOUNT_MISMATCH" => "The shop cannot take cards right now. Nothing was charged. Try again later.",
        "CARD_DECLINED" | "GENERIC_DECLINE" => {
            "Your bank declined this card. Nothing was charged. Try another card, or call your bank."
        }
        _ => "The card was declined. Nothing was charged. Try another card.",
    }
}

#[cfg(test)]
mod tests {
    use super::{ApiError, Verdict, decline, verdict};
    use crate::payments::provider::ProviderError;

    /// The codes that Square documents for creating a payment, and older ones still seen.
    const DOCUMENTED: &str = "ADDRESS_VERIFICATION_FAILURE ALLOWABLE_PIN_TRIES_EXCEEDED BAD_EXPIRATION \
        CARDHOLDER_INSUFFICIENT_PERMISSIONS CARD_DECLINED_VERIFICATION_REQUIRED CARD_EXPIRED CARD_NOT_SUPPORTED \
        CARD_PROCESSING_NOT_ENABLED CARD_TOKEN_EXPIRED CARD_TOKEN_USED CHIP_INSERTION_REQUIRED CVV_FAILURE \
        EXPIRATION_FAILURE GENERIC_DECLINE GIFT_CARD_AVAILABLE_AMOUNT INSUFFICIENT_FUNDS INSUFFICIENT_PERMISSIONS \
        INVALID_ACCOUNT INVALID_CARD INVALID_CARD_DATA INVALID_EMAIL_ADDRESS INVALID_EXPIRATION INVALID_FEES \
        INVALID_LOCATION INVALID_PHONE_NUMBER INVALID_PIN INVALID_POSTAL_CODE ISSUER_INSTALLMENT_ERROR \
        MANUALLY_ENTERED_PAYMENT_NOT_SUPPORTED PAN_FAILURE PAYMENT_AMOUNT_MISMATCH PAYMENT_LIMIT_EXCEEDED \
        TRANSACTION_LIMIT VOICE_FAILURE CARD_DECLINED SOURCE_USED SOURCE_EXPIRED";

    fn error(category: &str, code: &str) -> ApiError {
        ApiError { category: category.to_owned(), code: code.to_owned(), ..ApiError::default() }
    }

    #[test]
    fn every_documented_decline_has_words_of_its_own_and_an_unknown_one_a_sentence() {
        let general = decline(&[error("PAYMENT_METHOD_ERROR", "SOMETHING_NEW")]).message;
        assert!(general.contains("Nothing was charged"));
        for code in DOCUMENTED.split_whitespace() {
            let said = decline(&[error("PAYMENT_METHOD_ERROR", code)]).message;
            assert_ne!(said, general, "{code}");
            assert!(said.ends_with('.') && !said.contains('_'), "{code}: {said}");
        }
    }

    #[test]
    fn the_category_decides_whatever_the_status() {
        for status in [400, 402, 422] {
            let declined = verdict(&[error("PAYMENT_METHOD_ERROR", "CVV_FAILURE")], status);
            assert!(matches!(declined, Verdict::Final(ProviderError::Declined(_))), "{declined:?}");
            assert_eq!(verdict(&[error("API_ERROR", "INTERNAL_SERVER_ERROR")], status), Verdict::Repeat);
            assert_eq!(verdict(&[error("RATE_LIMIT_ERROR", "RATE_LIMITED")], status), Verdict::Repeat);
            assert_eq!(verdict(&[error("PAYMENT_METHOD_ERROR", "TEMPORARY_ERROR")], status), Verdict::Repeat);
        }
    }

    #[test]
    fn what_may_hide_a_payment_is_unclear() {
        assert_eq!(verdict(&[error("INVALID_REQUEST_ERROR", "IDEMPOTENCY_KEY_REUSED")], 400), Verdict::Unclear);
        assert_eq!(verdict(&[error("A_NEW_CATEGORY", "WHATEVER")], 400), Verdict::Unclear);
        assert_eq!(verdict(&[], 302), Verdict::Unclear);
        assert_eq!(verdict(&[], 503), Verdict::Repeat);
    }

    #[test]
    fn a_spent_token_asks_for_the_card_again() {
        let Verdict::Final(ProviderError::Declined(spent)) =
            verdict(&[error("INVALID_REQUEST_ERROR", "CARD_TOKEN_USED")], 400)
        else {
            panic!("not a decline");
        };
        assert!(spent.message.contains("Enter the card again"));
    }
}
