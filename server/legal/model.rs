//! The documents and how they become HTML.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Parser, Tag, TagEnd, html};

use crate::catalog::query::slug;
use crate::config::Config;
use crate::web::page::Link;

/// A legal text ready to show.
#[derive(Clone, Debug)]
pub struct Document {
    pub slug: &'static str,
    pub title: String,
    /// `YYYY-MM-DD`
    pub updated: String,
    pub html: String,
    pub contents: Vec<Section>,
}

/// A section that the table of contents leads to.
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

    pub fn link(&self) -> Link {
        Link::new(&self.title, self.href())
    }
}

/// All documents with this shop's company in them.
pub fn documents(config: &Config) -> Vec<Document> {
    SOURCES.into_iter().map(|(slug, source)| document(slug, source, config)).collect()
}

fn document(slug: &'static str, source: &str, config: &Config) -> Document {
    let (front, body) = source.trim_start_matches("---\n").split_once("\n---\n").unwrap_or(("", source));
    let field = |name: &str| {
        let line = front.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.unwrap_or_default().trim().trim_matches('"').to_owned()
    };
    let company = &config.company;
    let body = body
        .replace("{{company}}", &escape_markdown(&company.name))
        .replace("{{email}}", &company.email)
        .replace("{{phone}}", &company.phone)
        .replace("{{address}}", &escape_markdown(&company.address))
        .replace("{{site}}", config.http.origin());
    let (html, contents) = render(&body);
    Document { slug, title: field("title"), updated: field("updated"), html, contents }
}

/// Markdown to HTML, each `##` heading with an id.
fn render(body: &str) -> (String, Vec<Section>) {
    let mut events: Vec<Event<'_>> = Parser::new(body).collect();
    let mut contents = Vec::new();
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
        let section = Section { id: slug(&label), label };
        if let Some(Event::Start(Tag::Heading { id, .. })) = events.get_mut(at) {
            *id = Some(CowStr::from(section.id.clone()));
        }
        contents.push(section);
    }
    let mut out = String::new();
    html::push_html(&mut out, events.into_iter());
    (out, contents)
}

/// A configured value stays text, whatever characters it has.
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
    use super::render;

    #[test]
    fn sections_get_ids_and_a_table_of_contents() {
        let (html, contents) = render("Intro.\n\n## What we *keep*\n\nNothing.\n\n### Detail\n");
        assert!(html.contains("<h2 id=\"what-we-keep\">"), "{html}");
        assert_eq!(contents.len(), 1);
        assert_eq!(contents[0].label, "What we keep");
    }
}
