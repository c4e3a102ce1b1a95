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
    text.len() <= 254
        && text.split_once('@').is_some_and(|(local, domain)| {
            local.len() <= 64 && is_plain(local, ".!#$%&'*+/=?^_`{|}~-") && is_plain(domain, ".-")
        })
}

/// Whether the address can appear in text and links without escaping.
pub fn is_plain_email(text: &str) -> bool {
    let is_plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte))
    };
    text.len() <= 120
        && text.split_once('@').is_some_and(|(local, domain)| {
            is_plain(local)
                && is_plain(domain)
                && domain.contains('.')
                && !domain.starts_with('.')
                && !domain.ends_with('.')
        })
}

#[cfg(test)]
mod tests {
    use super::is_email;

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
        ] {
            assert!(!is_email(bad), "{bad}");
        }
        assert!(!is_email(&format!("{}@shop.example", "a".repeat(65))));
    }
}
