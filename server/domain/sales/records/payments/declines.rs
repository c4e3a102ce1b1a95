//! Decline reasons for staff. The cardholder is deliberately told less, so as not to help someone testing stolen cards.

/// The provider's reason in plain language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub what: String,
    /// What it means, and how to answer a customer who asks.
    pub means: &'static str,
}

impl Reason {
    pub fn new(what: &str, means: &'static str) -> Self {
        Self { what: what.to_owned(), means }
    }
}

const BY_THE_BANK: &str = "Banks tell no shop why: a limit, a block or their own fraud check. \
    The customer can call the number on the back of the card, or pay with another one.";
const BY_THE_SHOP: &str =
    "No card will go through until this is fixed: check the account at the card provider, and the tests under Testing.";

/// The explanation of a decline code.
pub fn reason(code: &str) -> Reason {
    let (what, means) = match code {
        "CVV_FAILURE" => (
            "The security code was wrong",
            "The three or four digits do not belong to the card number. Usually a typing mistake; \
             one number after another with wrong codes is somebody who tries stolen cards.",
        ),
        "ADDRESS_VERIFICATION_FAILURE" | "INVALID_POSTAL_CODE" => (
            "The billing ZIP code was wrong",
            "The bank knows the card by another ZIP code. The customer needs the one on the card’s statement.",
        ),
        "BAD_EXPIRATION" | "INVALID_EXPIRATION" | "EXPIRATION_FAILURE" => (
            "The expiration date was wrong",
            "The date does not belong to the card number. The customer can check it and try again.",
        ),
        "CARD_EXPIRED" => ("The card has expired", "The customer needs another card, or the new one from their bank."),
        "PAN_FAILURE" | "INVALID_CARD" | "INVALID_CARD_DATA" => (
            "The card number was wrong",
            "No bank knows a card with these details. The customer can check the number and try again.",
        ),
        "INVALID_ACCOUNT" => (
            "The bank found no account for the card",
            "The account behind the card is closed or unknown. The customer needs another card.",
        ),
        "INSUFFICIENT_FUNDS" | "GIFT_CARD_AVAILABLE_AMOUNT" => (
            "Not enough money on the card",
            "The card is valid, but its balance or credit is too low for this total. Another card or a smaller order goes through.",
        ),
        "PAYMENT_LIMIT_EXCEEDED" | "TRANSACTION_LIMIT" => (
            "The total is above the card’s limit",
            "The bank allows less for one payment. The customer can have the limit raised, or pay with another card.",
        ),
        "ALLOWABLE_PIN_TRIES_EXCEEDED" | "INVALID_PIN" => (
            "The bank refused the PIN",
            "The card asks for a PIN, which is not asked for online. The customer needs another card.",
        ),
        "CARDHOLDER_INSUFFICIENT_PERMISSIONS" => (
            "The card may not be used for this",
            "Whoever gave out the card, such as an employer, does not allow this kind of purchase.",
        ),
        "CARD_NOT_SUPPORTED" | "MANUALLY_ENTERED_PAYMENT_NOT_SUPPORTED" | "CHIP_INSERTION_REQUIRED" => (
            "This kind of card cannot be used online",
            "Some prepaid, foreign, and PIN-only cards cannot. The customer needs another card.",
        ),
        "CARD_DECLINED_VERIFICATION_REQUIRED" => (
            "The bank wanted its customer to confirm",
            "The bank’s confirmation (3-D Secure) was not completed. The customer can pay again and follow its steps.",
        ),
        "VOICE_FAILURE" => ("The bank wants its customer to call", BY_THE_BANK),
        "ISSUER_INSTALLMENT_ERROR" => ("The bank refused the installments", BY_THE_BANK),
        "CARD_TOKEN_EXPIRED" | "CARD_TOKEN_USED" | "SOURCE_EXPIRED" | "SOURCE_USED" => (
            "The card form’s token had expired",
            "What the card form hands over can be used once and for a day. Entering the card again is enough.",
        ),
        "NOT_FOUND" => (
            "The card provider did not know the card’s details",
            "They were made up, or come from a card form of another account: if no card goes through, check SHOP_SQUARE_APPLICATION_ID.",
        ),
        "INVALID_EMAIL_ADDRESS" => (
            "The card provider refused the email address",
            "It is mistyped, or no mailbox. Nothing is wrong with the card.",
        ),
        "INVALID_PHONE_NUMBER" => (
            "The card provider refused the phone number",
            "It is mistyped, or not a US number. Nothing is wrong with the card.",
        ),
        "CARD_PROCESSING_NOT_ENABLED"
        | "INSUFFICIENT_PERMISSIONS"
        | "INVALID_FEES"
        | "INVALID_LOCATION"
        | "PAYMENT_AMOUNT_MISMATCH"
        | "UNAUTHORIZED"
        | "FORBIDDEN"
        | "ACCESS_TOKEN_EXPIRED"
        | "ACCESS_TOKEN_REVOKED" => ("The card provider refused the shop, not the card", BY_THE_SHOP),
        TRIED_TOO_OFTEN => (
            "The shop refused the card",
            "It was declined again and again within an hour before it went through, as when somebody guesses its details. \
             What was held is let go.",
        ),
        "GENERIC_DECLINE" | "CARD_DECLINED" => ("The bank declined the card and gave no reason", BY_THE_BANK),
        other => {
            let what = format!("The card provider answered “{}”", other.to_lowercase().replace('_', " "));
            return Reason { what, means: "The shop knows no more about this answer. Nothing was charged." };
        }
    };
    Reason::new(what, means)
}

/// Whether the provider refused the shop: no card was tried.
pub fn is_of_shop(code: &str) -> bool {
    reason(code).means == BY_THE_SHOP
}

/// The code used when the shop itself refuses a card.
pub const TRIED_TOO_OFTEN: &str = "TRIED_TOO_OFTEN";

#[cfg(test)]
mod tests {
    use super::{is_of_shop, reason};

    #[test]
    fn what_no_document_names_is_told_as_it_came() {
        assert_eq!(reason("A_NEW_CODE").what, "The card provider answered “a new code”");
        assert!(reason("CVV_FAILURE").what.contains("security code"));
    }

    #[test]
    fn a_refusal_of_the_shop_is_told_from_one_of_a_card() {
        assert!(is_of_shop("INVALID_LOCATION"));
        assert!(!is_of_shop("CARD_DECLINED") && !is_of_shop("A_NEW_CODE"));
    }
}
