//! Maps Square's errors: to categories for the shop, to messages for the shopper.

use serde::Deserialize;
use serde_json::Value;
use shop_base::db::storable;
use shop_domain::sales::records::payments::provider::{Card, Decline, ProviderError};

/// Codes and categories are open-ended: Square adds new ones, and returns some that are not documented.
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
    /// The failed payment included in a decline.
    pub payment: Option<Value>,
}

/// How to react to an error.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The outcome is certain.
    Final(ProviderError),
    /// The same request with the same key may still succeed.
    Repeat,
    /// The outcome is unknown, and a retry would not tell now.
    Unclear,
}

/// Classifies an error by its category. The HTTP status only determines what may be retried.
pub fn verdict(errors: &[ApiError], status: u16) -> Verdict {
    let Some(first) = errors.first() else {
        return if is_passing(status) { Verdict::Repeat } else { Verdict::Unclear };
    };
    if errors.iter().any(|error| error.code == "TEMPORARY_ERROR") {
        return Verdict::Repeat;
    }
    if let Some(refusal) = errors.iter().find(|error| concerns_the_card(error)) {
        return Verdict::Final(ProviderError::Declined(decline(std::slice::from_ref(refusal), None)));
    }
    if is_passing(status) {
        return Verdict::Repeat;
    }
    if concerns_credentials(first, status) {
        return Verdict::Final(ProviderError::NotAuthorized { code: first.code.clone(), detail: detail(first) });
    }
    match first.category.as_str() {
        // Another request used this key, so it may have created a payment.
        _ if first.code == "IDEMPOTENCY_KEY_REUSED" => Verdict::Unclear,
        // Of this payment: it takes days, and then the refund may succeed.
        _ if first.code == "REFUND_ALREADY_PENDING" => Verdict::Unclear,
        "API_ERROR" | "RATE_LIMIT_ERROR" | "EXTERNAL_VENDOR_ERROR" => Verdict::Repeat,
        "INVALID_REQUEST_ERROR" | "REFUND_ERROR" => {
            Verdict::Final(ProviderError::Rejected { code: first.code.clone(), detail: detail(first) })
        }
        _ => Verdict::Unclear,
    }
}

/// Statuses after which a retry may succeed.
pub fn is_passing(status: u16) -> bool {
    status == 408 || status == 429 || status >= 500
}

/// Whether the error is about the caller and not about the request: an expired token, a missing permission or subscription.
fn concerns_credentials(error: &ApiError, status: u16) -> bool {
    status == 401
        || status == 403
        || matches!(error.category.as_str(), "AUTHENTICATION_ERROR" | "MERCHANT_SUBSCRIPTION_ERROR")
        || error.code.starts_with("INSUFFICIENT_PERMISSIONS")
}

/// A used or expired card token is reported as a bad request, yet entering the card again helps.
fn concerns_the_card(error: &ApiError) -> bool {
    error.category == "PAYMENT_METHOD_ERROR" || is_about_the_token(&error.code)
}

/// Whether the code is about the card's single-use token and not about the card.
pub fn is_about_the_token(code: &str) -> bool {
    matches!(code, "CARD_TOKEN_USED" | "CARD_TOKEN_EXPIRED" | "SOURCE_USED" | "SOURCE_EXPIRED")
}

/// What a refused request says of a new payment. What the buyer's browser has sent is the buyer's to correct, and no failure of the shop:
/// anybody can make it up.
pub fn of_payment(error: ProviderError) -> ProviderError {
    match error {
        ProviderError::Rejected { code, detail } if concerns_the_buyer(&code, &detail) => {
            // Without the detail, which may repeat it.
            tracing::warn!(code, "Square does not take what a buyer's browser has sent");
            ProviderError::Declined(Decline { message: words(&code).to_owned(), code, card: None })
        }
        error => error,
    }
}

/// A token that Square does not know is reported as something that is not found, in words that are not documented. It may also have been made
/// with an application of the other environment, which the settings do not allow.
fn concerns_the_buyer(code: &str, detail: &str) -> bool {
    match code {
        "NOT_FOUND" => ["nonce", "source_id"].iter().any(|word| detail.contains(word)),
        code => matches!(code, "INVALID_EMAIL_ADDRESS" | "INVALID_PHONE_NUMBER"),
    }
}

fn detail(error: &ApiError) -> String {
    match error.field.as_str() {
        "" => error.detail.clone(),
        field => format!("{} ({field})", error.detail),
    }
}

/// A decline from the first of a failed payment's errors.
pub fn decline(errors: &[ApiError], card: Option<Card>) -> Decline {
    let code = errors.first().map_or("GENERIC_DECLINE", |error| error.code.as_str());
    Decline { code: storable(code), message: words(code).to_owned(), card }
}

/// The message to the shopper: what to do next. It does not reveal whether the number, date, security code or ZIP code was wrong, nor
/// whether the card is short of funds: that would help people who test stolen card numbers.
fn words(code: &str) -> &'static str {
    match code {
        "ADDRESS_VERIFICATION_FAILURE"
        | "INVALID_POSTAL_CODE"
        | "BAD_EXPIRATION"
        | "INVALID_EXPIRATION"
        | "EXPIRATION_FAILURE"
        | "CARD_EXPIRED"
        | "CVV_FAILURE"
        | "PAN_FAILURE"
        | "INVALID_CARD"
        | "INVALID_CARD_DATA"
        | "INVALID_ACCOUNT" => {
            "This card was declined. Nothing was charged. Check the number, expiration date, security code, and ZIP code, or try another card."
        }
        "CARD_NOT_SUPPORTED" | "MANUALLY_ENTERED_PAYMENT_NOT_SUPPORTED" | "CHIP_INSERTION_REQUIRED" => {
            "This card can’t be used here. Try another card."
        }
        "CARD_DECLINED_VERIFICATION_REQUIRED" => {
            "Your bank needs you to verify this payment. Pay again and follow its steps, or try another card."
        }
        "CARD_TOKEN_EXPIRED" | "CARD_TOKEN_USED" | "SOURCE_EXPIRED" | "SOURCE_USED" | "NOT_FOUND" => {
            "Please enter your card details again."
        }
        "INVALID_EMAIL_ADDRESS" => "Card payments need a valid email address. Check yours and try again.",
        "INVALID_PHONE_NUMBER" => "Card payments need a valid phone number. Check yours and try again.",
        "CARD_PROCESSING_NOT_ENABLED"
        | "INSUFFICIENT_PERMISSIONS"
        | "INVALID_FEES"
        | "INVALID_LOCATION"
        | "PAYMENT_AMOUNT_MISMATCH" => "We can’t accept cards right now. Nothing was charged. Please try again later.",
        _ => "Your bank declined this card. Nothing was charged. Try another card, or call your bank.",
    }
}

#[cfg(test)]
mod tests {
    use super::{ApiError, Verdict, decline, of_payment, verdict};
    use shop_domain::sales::records::payments::declines::reason;
    use shop_domain::sales::records::payments::provider::ProviderError;

    /// The codes that Square documents for creating a payment, and older ones that still occur.
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
    fn every_documented_decline_is_told_in_a_sentence() {
        for code in DOCUMENTED.split_whitespace().chain(["SOMETHING_NEW"]) {
            let said = decline(&[error("PAYMENT_METHOD_ERROR", code)], None).message;
            assert!(said.ends_with('.') && !said.contains('_'), "{code}: {said}");
        }
        for code in DOCUMENTED.split_whitespace() {
            assert!(!reason(code).what.contains('“'), "staff have no words for {code}");
        }
        assert_eq!(decline(&[error("PAYMENT_METHOD_ERROR", "NEW\0")], None).code, "NEW", "PostgreSQL stores no NUL");
    }

    #[test]
    fn what_was_wrong_with_a_card_is_not_told() {
        let words = |code: &str| decline(&[error("PAYMENT_METHOD_ERROR", code)], None).message;
        let entered =
            ["CVV_FAILURE", "ADDRESS_VERIFICATION_FAILURE", "INVALID_EXPIRATION", "PAN_FAILURE", "CARD_EXPIRED"];
        assert!(entered.iter().all(|code| words(code) == words("INVALID_CARD")));
        let refused = ["INSUFFICIENT_FUNDS", "TRANSACTION_LIMIT", "ALLOWABLE_PIN_TRIES_EXCEEDED", "VOICE_FAILURE"];
        assert!(refused.iter().all(|code| words(code) == words("GENERIC_DECLINE")));
    }

    #[test]
    fn credentials_are_told_from_requests() {
        for (category, code, status) in [
            ("AUTHENTICATION_ERROR", "UNAUTHORIZED", 401),
            ("AUTHENTICATION_ERROR", "ACCESS_TOKEN_EXPIRED", 400),
            ("INVALID_REQUEST_ERROR", "FORBIDDEN", 403),
            ("REFUND_ERROR", "INSUFFICIENT_PERMISSIONS_FOR_REFUND", 400),
            ("MERCHANT_SUBSCRIPTION_ERROR", "MERCHANT_SUBSCRIPTION_NOT_FOUND", 400),
        ] {
            let verdict = verdict(&[error(category, code)], status);
            assert!(matches!(verdict, Verdict::Final(ProviderError::NotAuthorized { .. })), "{code}: {verdict:?}");
        }
        let refused = verdict(&[error("REFUND_ERROR", "REFUND_AMOUNT_INVALID")], 400);
        assert!(matches!(refused, Verdict::Final(ProviderError::Rejected { .. })), "{refused:?}");
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
    fn what_may_hide_a_payment_or_have_to_wait_is_unclear() {
        assert_eq!(verdict(&[error("INVALID_REQUEST_ERROR", "IDEMPOTENCY_KEY_REUSED")], 400), Verdict::Unclear);
        assert_eq!(verdict(&[error("A_NEW_CATEGORY", "WHATEVER")], 400), Verdict::Unclear);
        assert_eq!(verdict(&[error("REFUND_ERROR", "REFUND_ALREADY_PENDING")], 400), Verdict::Unclear);
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
        assert!(spent.message.contains("enter your card details again"));
    }

    #[test]
    fn what_a_buyer_made_up_is_no_failure_of_the_shop() {
        let of = |code: &str, detail: &str| {
            of_payment(ProviderError::Rejected { code: code.to_owned(), detail: detail.to_owned() })
        };
        for (code, detail, said) in [
            (
                "NOT_FOUND",
                "Card nonce not found in this production application environment.",
                "enter your card details",
            ),
            ("NOT_FOUND", "Invalid source (source_id)", "enter your card details"),
            ("INVALID_EMAIL_ADDRESS", "Invalid email address (buyer_email_address)", "valid email address"),
        ] {
            let ProviderError::Declined(decline) = of(code, detail) else { panic!("{detail}") };
            assert!(decline.message.contains(said), "{detail}: {}", decline.message);
        }
        for (code, detail) in [("NOT_FOUND", "Resource not found. (location_id)"), ("INVALID_VALUE", "(amount_money)")]
        {
            assert!(matches!(of(code, detail), ProviderError::Rejected { .. }), "{code}: {detail}");
        }
    }
}
