//! The documents, their editions, and how they are rendered to HTML.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Parser, Tag, TagEnd, html};
use serde::Deserialize;
use shop_base::email::is_plain_email;
use shop_base::error::Error;
use shop_base::fields::Faults;
use shop_base::slug::slug;
use utoipa::ToSchema;

use crate::settings::company::CompanyTexts;

/// A legal text ready to display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub slug: &'static str,
    pub title: String,
    /// `YYYY-MM-DD`
    pub updated: String,
    pub html: String,
    pub contents: Vec<Section>,
}

/// A section that the table of contents links to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub id: String,
    pub label: String,
}

const SOURCES: [(&str, &str); 4] = [
    ("privacy-policy", include_str!("documents/privacy-policy.md")),
    ("shipping-policy", include_str!("documents/shipping-policy.md")),
    ("terms-of-service", include_str!("documents/terms-of-service.md")),
    ("refund-return-policy", include_str!("documents/refund-return-policy.md")),
];

impl Document {
    pub fn href(&self) -> String {
        format!("/content/legal/{}", self.slug)
    }
}

/// The slugs of all documents, in their order.
pub fn slugs() -> impl Iterator<Item = &'static str> {
    SOURCES.into_iter().map(|(slug, _)| slug)
}

/// A text with the day from which it is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edition {
    /// 0 is the built-in one.
    pub number: i64,
    pub title: String,
    /// Markdown with the placeholders of [`fill`].
    pub body: String,
    /// [`Edition::NEVER`] if it was withdrawn.
    pub effective_from: Date,
}

impl Edition {
    /// The day of editions that were withdrawn. Nothing is published for it, so they are never in force, also on nodes of an earlier release.
    pub const NEVER: Date = Date::MAX;

    /// Whether it will be in force from a later day on. Until then it can be withdrawn.
    pub fn is_coming(&self, today: Date) -> bool {
        self.effective_from > today && self.effective_from < Self::NEVER
    }
}

/// The built-in edition of a document.
pub fn built_in(slug: &str) -> Option<(&'static str, Edition)> {
    let (slug, source) = SOURCES.into_iter().find(|(name, _)| *name == slug)?;
    let (front, body) = source.trim_start_matches("---\n").split_once("\n---\n").unwrap_or(("", source));
    let field = |name: &str| {
        let line = front.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.unwrap_or_default().trim().trim_matches('"').to_owned()
    };
    let effective_from = field("updated").parse().unwrap_or(Date::ZERO);
    Some((slug, Edition { number: 0, title: field("title"), body: body.trim_start().to_owned(), effective_from }))
}

/// The built-in edition and those that staff have published. A newer release's built-in text never replaces one of theirs.
pub fn all_editions(built_in: Option<Edition>, published: Vec<Edition>) -> Vec<Edition> {
    let before_theirs = published.iter().filter_map(|edition| edition.effective_from.yesterday().ok()).min();
    let built_in = built_in.map(|edition| {
        let effective_from = edition.effective_from.min(before_theirs.unwrap_or(Date::MAX));
        Edition { effective_from, ..edition }
    });
    built_in.into_iter().chain(published).collect()
}

/// The edition in force on a day: the latest whose day has come.
pub fn in_force(editions: &[Edition], day: Date) -> Option<&Edition> {
    let begun = editions.iter().filter(|edition| edition.effective_from <= day);
    begun.max_by_key(|edition| (edition.effective_from, edition.number))
}

/// Every document that is or will be in force, ready to display.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Library(Vec<Vec<(Date, Document)>>);

impl Library {
    /// Built from the editions of each document that are in force on a day or later.
    pub fn new(documents: Vec<(&'static str, Vec<Edition>)>, site: &str, company: &CompanyTexts, today: Date) -> Self {
        let shown = |(slug, editions): (&'static str, Vec<Edition>)| {
            let now = in_force(&editions, today).map(|edition| edition.number);
            let mut shown: Vec<&Edition> =
                editions.iter().filter(|edition| Some(edition.number) == now || edition.is_coming(today)).collect();
            shown.sort_by_key(|edition| (edition.effective_from, edition.number));
            let written =
                shown.into_iter().map(|edition| (edition.effective_from, document(slug, edition, site, company)));
            written.collect()
        };
        Self(documents.into_iter().map(shown).collect())
    }

    /// The documents in force on a day, in their order.
    pub fn on(&self, day: Date) -> impl Iterator<Item = &Document> {
        self.0.iter().filter_map(move |editions| {
            let mut begun = editions.iter().filter(|(from, _)| *from <= day);
            begun.next_back().or(editions.first()).map(|(_, document)| document)
        })
    }
}

/// An edition as its page shows it.
pub fn document(slug: &'static str, edition: &Edition, site: &str, company: &CompanyTexts) -> Document {
    let (html, contents) = render(&fill(&edition.body, site, company));
    Document { slug, title: edition.title.clone(), updated: edition.effective_from.to_string(), html, contents }
}

/// Fills in the placeholders `{{company}}`, `{{email}}`, `{{phone}}`, `{{address}}` and `{{site}}`.
fn fill(body: &str, site: &str, company: &CompanyTexts) -> String {
    body.replace("{{company}}", &escape_markdown(&company.name))
        .replace("{{email}}", &company.email)
        .replace("{{phone}}", &company.phone)
        .replace("{{address}}", &escape_markdown(&company.address))
        .replace("{{site}}", site)
}

const PLACEHOLDERS: [&str; 5] = ["company", "email", "phone", "address", "site"];
const MAX_BODY: usize = 50_000;

/// A legal text as staff enter it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub struct TextInput {
    pub title: String,
    /// Markdown; `{{company}}`, `{{email}}`, `{{phone}}`, `{{address}}` and `{{site}}` are filled in.
    pub body: String,
    /// The version of the draft that the caller saw, 0 when there was none.
    #[serde(default)]
    pub version: i64,
    /// The number of the newest edition that the caller saw: a first draft is refused if there is a newer one by then. None is not compared.
    #[serde(default)]
    pub edition: Option<i64>,
}

impl TextInput {
    pub fn check(&self) -> Result<(), Error> {
        let mut faults = Faults::default();
        faults.line("title", &self.title, 3, 80);
        faults.unless(self.body.trim().len() >= 20, "body", "Enter the text.");
        faults.unless(self.body.len() <= MAX_BODY, "body", "The text is longer than 50,000 bytes.");
        faults.lines("body", &self.body);
        for opened in self.body.split("{{").skip(1) {
            let name = opened.split_once("}}").map(|(name, _)| name);
            if !name.is_some_and(|name| PLACEHOLDERS.contains(&name)) {
                let placeholder = opened.split_inclusive("}}").next().unwrap_or_default();
                let shown: String = placeholder.chars().take(20).collect();
                faults.say("body", format!("Unknown placeholder: {{{{{shown}"));
            }
        }
        faults.finish()
    }
}

/// Renders Markdown to HTML, each `##` heading with an id. Raw HTML is shown as text, and links with schemes such as `javascript:` are
/// disabled: staff may make mistakes, and their accounts may be stolen.
fn render(body: &str) -> (String, Vec<Section>) {
    let mut events: Vec<Event<'_>> = Parser::new(body).map(harmless).collect();
    let mut contents = Vec::new();
    let mut ids = Ids::default();
    for at in 0..events.len() {
        let is_section = matches!(events.get(at), Some(Event::Start(Tag::Heading { level: HeadingLevel::H2, .. })));
        if !is_section {
            continue;
        }
        let label: String = events[at..]
            .iter()
            .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        let section = Section { id: ids.unused(slug(&label)), label };
        if let Some(Event::Start(Tag::Heading { id, .. })) = events.get_mut(at) {
            *id = Some(CowStr::from(section.id.clone()));
        }
        contents.push(section);
    }
    let mut out = String::new();
    html::push_html(&mut out, events.into_iter());
    (out, contents)
}

/// Ids of elements that the app looks for in its documents.
const APP_IDS: [&str; 4] = ["main", "page", "root", "start"];

/// The ids of a document's sections.
#[derive(Default)]
struct Ids {
    used: HashSet<String>,
    /// The last number that was tried for an id: a text may have thousands of the same headings.
    numbers: HashMap<String, usize>,
}

impl Ids {
    /// The id, or with a number if the document has it already.
    fn unused(&mut self, wanted: String) -> String {
        let mut id = wanted.clone();
        let number = self.numbers.entry(wanted.clone()).or_insert(1);
        while APP_IDS.contains(&id.as_str()) || !self.used.insert(id.clone()) {
            *number += 1;
            id = format!("{wanted}-{number}");
        }
        id
    }
}

fn harmless(event: Event<'_>) -> Event<'_> {
    let plain = |link_type: LinkType, href: &CowStr<'_>| {
        if link_type == LinkType::Email {
            // Written as `mailto:` and the address, which could add fields of the email.
            return is_plain_email(href);
        }
        let is_ours = href.starts_with('#') || href.starts_with('/') && !href.starts_with("//");
        is_ours || ["https://", "http://", "mailto:", "tel:"].iter().any(|scheme| href.starts_with(scheme))
    };
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) if !plain(link_type, &dest_url) => {
            Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url: CowStr::Borrowed("#"), title, id })
        }
        // The content security policy would block a picture from another host; its alternative text remains, emphasized.
        Event::Start(Tag::Image { .. }) => Event::Start(Tag::Emphasis),
        Event::End(TagEnd::Image) => Event::End(TagEnd::Emphasis),
        other => other,
    }
}

/// Escapes a configured value so that it is plain text whatever characters it has.
fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() && c != ',' && c != '.' {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use shop_base::error::Error;

    use sha2::{Digest, Sha256};

    use super::{Edition, MAX_BODY, SOURCES, TextInput, all_editions, built_in, in_force, render};

    /// Every built-in text by its date, with its SHA-256. An order is governed by the text of its day, so each change has a date of its own:
    /// it is a new line, and no line ever changes.
    const DATED: &[(&str, &str, &str)] = &[
        ("privacy-policy", "2026-11-29", "87f8a29c06ee627e72cb26f5b64908b5fdc15a356a143fce5afeeaf17955ffb9"),
        ("privacy-policy", "2026-11-30", "e96b9935043942f334eb64d3bdafb2e5d2cc40121b88de3da9660a65f14133a5"),
        ("privacy-policy", "2026-12-01", "44aeb4e12559321d89d0dcd11e7f4216e8ab55db4c10d17e940fa383c61914dd"),
        ("privacy-policy", "2026-12-02", "64ea1bada0c114d0457bc7fb14d3e05882b75383b03fec67c1659db6856a0441"),
        ("privacy-policy", "2026-12-03", "de57fd021d6256e61d9b89b7fbf084b3f32486eeb54e8ffa3b2d1ffd9c044d4a"),
        ("shipping-policy", "2026-11-29", "e5fde3378e169f5973e481dfb5a95c52f759bbc678b895760411521aa685766b"),
        ("terms-of-service", "2026-11-01", "634c24f72b43c5276a53fecebe3f89dd2a5d47d5a10f0b31ba2232756adddc51"),
        ("refund-return-policy", "2026-11-01", "a3d90dcd897c66974a42e0fd0e355f4ab1329a3844a071fd69be293c14ae4564"),
    ];

    #[test]
    fn a_built_in_text_that_changes_has_another_date() {
        for (slug, source) in SOURCES {
            let lines: Vec<_> = DATED.iter().filter(|(name, ..)| *name == slug).collect();
            assert!(lines.is_sorted_by(|(_, one, _), (_, other, _)| one < other), "{slug}: a date is there twice");
            let hash: String = Sha256::digest(source).iter().map(|byte| format!("{byte:02x}")).collect();
            let date = built_in(slug).map(|(_, edition)| edition.effective_from.to_string());
            let found = lines.last().map(|(_, date, hash)| ((*date).to_owned(), (*hash).to_owned()));
            let date = date.expect("the text is built in");
            assert_eq!(found, Some((date, hash)), "{slug} has changed: raise its `updated`, and add a line above");
        }
    }

    fn edition(number: i64, month: i8) -> Edition {
        Edition { number, title: String::new(), body: String::new(), effective_from: date(2026, month, 1) }
    }

    #[test]
    fn a_newer_built_in_text_replaces_none_that_staff_have_published() {
        let editions = all_editions(Some(edition(0, 8)), vec![edition(1, 3), edition(2, 6)]);
        let number = |month| in_force(&editions, date(2026, month, 15)).map(|edition| edition.number);
        assert_eq!([number(3), number(6), number(9)], [Some(1), Some(2), Some(2)]);
        assert_eq!(all_editions(Some(edition(0, 8)), Vec::new()), [edition(0, 8)]);
    }

    #[test]
    fn of_the_editions_whose_day_has_come_the_last_is_in_force() {
        let editions = [edition(0, 1), edition(1, 12), edition(2, 6), edition(3, 6)];
        let number = |month| in_force(&editions, date(2026, month, 15)).map(|edition| edition.number);
        assert_eq!([number(1), number(6), number(12)], [Some(0), Some(3), Some(1)]);
        assert!(in_force(&editions, date(2025, 12, 31)).is_none());
    }

    #[test]
    fn what_was_withdrawn_is_in_force_on_no_day() {
        let withdrawn = Edition { effective_from: Edition::NEVER, ..edition(1, 6) };
        assert!(!withdrawn.is_coming(date(2026, 1, 1)));
        let editions = all_editions(Some(edition(0, 1)), vec![withdrawn]);
        let number = in_force(&editions, date(9999, 12, 30)).map(|edition| edition.number);
        assert_eq!((number, editions[0].effective_from), (Some(0), date(2026, 1, 1)));
    }

    #[test]
    fn nothing_of_a_text_runs() {
        let (html, _) = render(
            "A <script>alert(1)</script> [b](javascript:alert) ![c](https://x/y.png \"t\")\n\n<img src=x onerror=y>\n",
        );
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("javascript:"), "{html}");
        assert!(render("[a](https://shop.example)").0.contains("href=\"https://shop.example\""));
    }

    #[test]
    fn an_email_address_is_linked_and_nothing_else_with_it() {
        assert!(render("<help@shop.example>").0.contains("<a href=\"mailto:help@shop.example\">help@"));
        for more in ["help?body=a@shop.example", "help&bcc=a@shop.example", "a%0ab@shop.example"] {
            let (html, _) = render(&format!("<{more}>"));
            assert!(html.contains("<a href=\"#\">"), "{html}");
        }
    }

    #[test]
    fn no_heading_takes_an_id_that_is_taken() {
        let (html, sections) = render("## Page\n\n## Returns\n\n## Returns\n");
        let ids: Vec<&str> = sections.iter().map(|section| section.id.as_str()).collect();
        assert_eq!(ids, ["page-2", "returns", "returns-2"]);
        assert!(ids.iter().all(|id| html.contains(&format!("id=\"{id}\""))), "{html}");
    }

    #[test]
    fn thousands_of_the_same_headings_are_told_apart_in_no_time() {
        let (_, sections) = render(&"## a\n".repeat(MAX_BODY / 5));
        assert_eq!(sections.last().map(|section| section.id.as_str()), Some("a-10000"));
    }

    #[test]
    fn placeholders_are_known() {
        let text = |body: &str| TextInput {
            title: "Terms".into(),
            body: format!("{body} and some more text"),
            version: 0,
            edition: None,
        };
        assert!(text("{{company}} at {{site}}").check().is_ok());
        let Err(Error::Invalid { errors }) = text("{{compny}} <i>").check() else { panic!("it is unknown") };
        assert_eq!(errors["body"], ["Unknown placeholder: {{compny}}"]);
        assert!(text("{{company").check().is_err());
    }

    #[test]
    fn a_text_has_no_control_characters() {
        let text = |body: &str| TextInput { title: "Terms".into(), body: body.into(), version: 0, edition: None };
        assert!(text("Lines\r\n\tand tabs are fine.").check().is_ok());
        assert!(text("But a bell \u{7} is not.").check().is_err());
    }

    #[test]
    fn sections_get_ids_and_a_table_of_contents() {
        let (html, contents) = render("Intro.\n\n## What we *keep*\n\nNothing.\n\n### Detail\n");
        assert!(html.contains("<h2 id=\"what-we-keep\">"), "{html}");
        assert_eq!(contents.len(), 1);
        assert_eq!(contents[0].label, "What we keep");
    }
}
