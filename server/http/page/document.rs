//! The HTML document around a rendered page. It has no inline script that runs, so the content security policy needs no nonce and a cached
//! document stays valid.

use std::fmt::Write;
use std::ops::Range;

use bytes::Bytes;
use shop_base::html::{Escaped, escape_json};
use shop_platform::settings::texts::Texts;
use shop_platform::web::page::{Meta, Preload};
use shop_platform::web::site::{Links, Site};
use ssr_runtime::Props;

/// Reserved for a document: a full list.
const EXPECTED_BYTES: usize = 96 << 10;

/// Lets browsers that can fetch the checkout when its link is pressed: it is a document of its own (`layers/headers.rs`), so the app
/// cannot. The content security policy allows exactly this text.
const SPECULATION_RULES: &str = r#"{"prefetch":[{"where":{"href_matches":"/checkout"},"eagerness":"conservative"}]}"#;

/// A document that is being written: its head, then the contents of the page, then the envelope.
pub struct Document(String);

impl Document {
    pub fn begin(texts: &Texts, site: &Site, page: &str, meta: &Meta, is_once: bool) -> Self {
        let mut out = String::with_capacity(EXPECTED_BYTES);
        out.push_str("<!doctype html><html lang=\"en\"");
        // A reload would send a form again, or lose a notice, so `app/start.ts` makes none.
        if is_once {
            out.push_str(" data-once=\"1\"");
        }
        // Phones that make links of what looks like a phone number change what React is about to hydrate.
        out.push_str(
            "><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <meta name=\"format-detection\" content=\"telephone=no,date=no,address=no,email=no\">",
        );
        head(&mut out, texts, meta);
        links(&mut out, site.links(page), meta);
        let _ = write!(out, "<script type=\"speculationrules\">{SPECULATION_RULES}</script>");
        out.push_str("</head><body><div id=\"root\">");
        Self(out)
    }

    /// Where the contents of the page are appended.
    pub fn text(&mut self) -> &mut String {
        &mut self.0
    }

    /// The document, with the HTML `last` at its end, and where its envelope has the data with the id `user`.
    pub fn end(self, envelope: &Props, user: u64, last: &str) -> (Bytes, Vec<Range<usize>>) {
        let Self(mut out) = self;
        out.push_str("</div><script type=\"application/json\" id=\"page\">");
        let shown = envelope.write_finding(&mut out, user);
        out.push_str("</script>");
        out.push_str(last);
        out.push_str("</body></html>");
        // What is kept takes no more space than it needs.
        out.shrink_to_fit();
        (Bytes::from(out), shown)
    }
}

fn head(out: &mut String, texts: &Texts, meta: &Meta) {
    let title = Escaped(&meta.title);
    let description = Escaped(&meta.description);
    let kind = if meta.json_ld.iter().any(|value| value["@type"] == "Product") { "product" } else { "website" };
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "<title>{title}</title><meta name=\"description\" content=\"{description}\">\
         <meta property=\"og:title\" content=\"{title}\"><meta property=\"og:description\" content=\"{description}\">\
         <meta property=\"og:type\" content=\"{kind}\"><meta property=\"og:site_name\" content=\"{}\">\
         <meta name=\"theme-color\" content=\"#f6efe3\" media=\"(prefers-color-scheme: light)\">\
         <meta name=\"theme-color\" content=\"#1b1410\" media=\"(prefers-color-scheme: dark)\">\
         <link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">",
        Escaped(&texts.company.name)
    );
    if let Some(robots) = &meta.robots {
        let _ = write!(out, "<meta name=\"robots\" content=\"{}\">", Escaped(robots));
    }
    if let Some(canonical) = &meta.canonical {
        let canonical = Escaped(canonical);
        let _ = write!(
            out,
            "<link rel=\"canonical\" href=\"{canonical}\"><meta property=\"og:url\" content=\"{canonical}\">"
        );
    }
    if let Some(image) = &meta.image {
        let _ = write!(
            out,
            "<meta property=\"og:image\" content=\"{}\"><meta name=\"twitter:card\" content=\"summary_large_image\">",
            Escaped(image)
        );
    }
    for value in &meta.json_ld {
        let _ = write!(out, "<script type=\"application/ld+json\">{}</script>", escape_json(&value.to_string()));
    }
}

fn links(out: &mut String, links: &Links, meta: &Meta) {
    out.push_str(&links.styles);
    if let Some(preload) = &meta.preload {
        let _ = write!(
            out,
            "<link rel=\"preload\" as=\"image\" type=\"image/avif\" fetchpriority=\"high\" imagesrcset=\"{}\" imagesizes=\"{}\">",
            srcset(preload),
            Escaped(preload.sizes)
        );
    }
    out.push_str(&links.fonts_and_code);
}

fn srcset(Preload { src, widths, .. }: &Preload) -> String {
    let candidates: Vec<String> =
        widths.iter().map(|width| format!("{}-{width}.avif {width}w", Escaped(src))).collect();
    candidates.join(",")
}
