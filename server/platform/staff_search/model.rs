//! Splits texts into terms, in the same way for stored texts and for typed ones.

use std::collections::BTreeSet;

use shop_base::db::stored;
use shop_base::phone::ten_digits;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

stored! {
    /// What is searched for.
    Kind {
        Order = "order",
        Product = "product",
        Customer = "customer",
        /// A draft order.
        Draft = "draft",
    }
}

const MAX_TERM_CHARS: usize = 40;
/// Enough for a product with 250 SKUs of several words.
const MAX_TERMS: usize = 2_000;
/// What it was at first: records with so many may lack some.
pub(super) const FORMER_MAX_TERMS: i64 = 200;

/// The words of these texts. A phone number is also found by its ten digits, however it is written.
pub fn terms<'a>(texts: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    for text in texts {
        for term in ten_digits(text).into_iter().chain(words(text)) {
            if terms.len() == MAX_TERMS {
                return terms;
            }
            terms.insert(term);
        }
    }
    terms
}

/// Words in lower case, without accents; anything but letters and digits separates them.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    let plain: String = text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect();
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word.chars().take(MAX_TERM_CHARS).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::terms;

    #[test]
    fn texts_become_plain_words() {
        let found = terms(["AB12-CD34", "Zoë.Müller@shop.example", "  "]);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["ab12", "cd34", "example", "muller", "shop", "zoe"]);
    }

    #[test]
    fn a_phone_number_is_its_words_and_its_digits() {
        let found = terms(["Ann", "+1 (614) 555-0142"]);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["0142", "1", "555", "614", "6145550142", "ann"]);
    }
}
