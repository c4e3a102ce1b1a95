//! Email addresses.

use url::Host;

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
                && ascii_domain(domain).is_some_and(|domain| domain.split('.').all(is_label))
        })
}

/// The domain in the form that every mail server knows, such as `xn--exmple-cua.example` (IDNA). None if it has no such form.
pub fn ascii_domain(domain: &str) -> Option<String> {
    if domain.is_ascii() {
        return Some(domain.to_owned());
    }
    match Host::parse(domain) {
        Ok(Host::Domain(ascii)) => Some(ascii),
        _ => None,
    }
}

/// The same for all ways to write the address of a mailbox: in lower case, its domain as mail servers know it. For limits of a person.
pub fn mailbox(email: &str) -> String {
    let lower = email.to_lowercase();
    let parts = lower.split_once('@');
    let ascii = parts.and_then(|(local, domain)| Some(format!("{local}@{}", ascii_domain(domain)?)));
    ascii.unwrap_or(lower)
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
    use super::{ascii_domain, is_email, is_plain_email, mailbox};

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

    #[test]
    fn a_domain_is_sent_in_ascii() {
        for (domain, ascii) in [
            ("Shop.example", Some("Shop.example")),
            ("exämple.example", Some("xn--exmple-cua.example")),
            ("EXÄMPLE.example", Some("xn--exmple-cua.example")),
            // Full-width digits, which are those of an address of the network.
            ("１２７.0.0.1", None),
            ("xn--ä.example", None),
        ] {
            assert_eq!(ascii_domain(domain).as_deref(), ascii, "{domain}");
        }
        // What counts is the length of the form that is sent.
        assert!(is_email(&format!("ann@{}.example", "ä".repeat(40))));
        assert!(!is_email(&format!("ann@{}.example", "äö".repeat(40))));
        assert!(!is_email("ann@xn--ä.example"));
    }

    #[test]
    fn a_mailbox_has_one_name() {
        for domain in ["exämple.example", "EXÄMPLE.example", "\u{ff45}xämple.example", "XN--exmple-cua.example"] {
            assert_eq!(mailbox(&format!("Ann@{domain}")), "ann@xn--exmple-cua.example", "{domain}");
        }
        for unclear in ["ann", "ann@xn--ä.example"] {
            assert_eq!(mailbox(unclear), unclear);
        }
    }
}
