//! Email addresses.

/// Whether this is a valid email address: one address of plain characters, without a display name.
pub fn is_email(text: &str) -> bool {
    let is_plain = |part: &str, extra: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_alphanumeric() || extra.contains(c))
            && !part.starts_with('.')
            && !part.ends_with('.')
            && !part.contains("..")
    };
    let is_label = |label: &str| label.len() <= 63 && !label.starts_with('-') && !label.ends_with('-');
    text.len() <= 254
        && text.split_once('@').is_some_and(|(local, domain)| {
            local.len() <= 64
                && is_plain(local, ".!#$%&'*+/=?^_`{|}~-")
                && is_plain(domain, ".-")
                && domain.split('.').all(is_label)
        })
}

/// Whether the address can appear in text and links without escaping.
pub fn is_plain_email(text: &str) -> bool {
    text.len() <= 120
        && is_email(text)
        && text.split_once('@').is_some_and(|(local, domain)| {
            local.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte))
                && domain.contains('.')
                && domain.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
        })
}

#[cfg(test)]
mod tests {
    use super::{is_email, is_plain_email};

    #[test]
    fn a_plain_address_can_be_mailed_to() {
        for good in ["care@shop.example", "care.team+web@mail.my-shop.example"] {
            assert!(is_plain_email(good), "{good}");
        }
        for bad in [
            "care@shop",
            "care@shop..example",
            "care..team@shop.example",
            "care.@shop.example",
            "care@my_shop.example",
            "care@-shop.example",
            "o'neil@shop.example",
        ] {
            assert!(!is_plain_email(bad), "{bad}");
        }
    }

    #[test]
    fn an_address_is_plain_and_alone() {
        for good in ["ann@shop.example", "ann.lee+shop@mail.shop.example", "o'neil@localhost", "zoë@exämple.example"]
        {
            assert!(is_email(good), "{good}");
        }
        for bad in [
            "",
            "ann",
            "@shop.example",
            "ann@",
            "ann lee@shop.example",
            "Ann <ann@shop.example>",
            "ann@shop.example\r\nBcc: x@y",
            "a@b@c",
            "ann@.example",
            "ann@shop..example",
            ".ann@shop.example",
            "ann@shop.example, bob@shop.example",
            "ann@-shop.example",
            "ann@shop-.example",
        ] {
            assert!(!is_email(bad), "{bad}");
        }
        assert!(!is_email(&format!("{}@shop.example", "a".repeat(65))));
        // The mail server's client refuses longer labels.
        assert!(is_email(&format!("ann@{}.example", "a".repeat(63))));
        assert!(!is_email(&format!("ann@{}.example", "a".repeat(64))));
    }
}
