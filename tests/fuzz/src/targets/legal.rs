//! Legal texts in Markdown, which staff write and every visitor sees: nothing of a text runs.

use jiff::civil::date;
use libfuzzer_sys::Corpus;
use shop_platform::settings::company::CompanyTexts;
use shop_platform::settings::legal::model::{Edition, document};

const ELEMENTS: [&str; 22] = [
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "a",
    "em",
    "strong",
    "del",
    "ul",
    "ol",
    "li",
    "code",
    "pre",
    "blockquote",
    "br",
    "hr",
    "table",
    "tr",
    "td",
];
const ATTRIBUTES: [&str; 5] = ["href", "title", "id", "start", "class"];

pub fn run(data: &[u8]) -> Corpus {
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    let edition =
        Edition { number: 1, title: "Terms".to_owned(), body: text.to_owned(), effective_from: date(2026, 1, 1) };
    let company = CompanyTexts {
        name: text.get(..10).unwrap_or(text).to_owned(),
        email: String::new(),
        phone: String::new(),
        address: String::new(),
        legal_line: String::new(),
    };
    let html = document("terms-of-service", &edition, "https://shop.example", &company).html;
    // Control characters are harmless in HTML, but no XML.
    let is_xml = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    let whole = format!("<body>{}</body>", html.replace(|c| !is_xml(c), " "));
    let document = roxmltree::Document::parse(&whole).unwrap_or_else(|error| panic!("{error} in {whole:?}"));
    for element in document.root_element().descendants().skip(1).filter(|node| node.is_element()) {
        assert!(ELEMENTS.contains(&element.tag_name().name()), "{whole:?}");
        for attribute in element.attributes() {
            assert!(ATTRIBUTES.contains(&attribute.name()), "{whole:?}");
            if attribute.name() == "href" {
                let scheme = attribute.value().split_once(':').map_or("", |(scheme, _)| scheme);
                let is_path = attribute.value().starts_with(['#', '/']);
                assert!(is_path || ["https", "http", "mailto", "tel"].contains(&scheme), "{whole:?}");
            }
        }
    }
    Corpus::Keep
}
