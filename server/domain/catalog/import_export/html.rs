//! Descriptions: paragraphs in the shop, HTML in files. HTML is converted to plain text and never stored.

use mail_parser::decoders::html::html_to_text;

/// Elements that start a paragraph.
const BLOCKS: [&str; 21] = [
    "p",
    "br",
    "div",
    "li",
    "ul",
    "ol",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "tr",
    "table",
    "blockquote",
    "section",
    "article",
    "hr",
    "pre",
    "dt",
    "dd",
];
/// Elements that stand beside others in the same paragraph.
const CELLS: [&str; 2] = ["td", "th"];
/// Elements whose content is not shown.
const HIDDEN: [&str; 4] = ["head", "style", "script", "template"];

/// Paragraphs as HTML.
pub fn written(paragraphs: &[String]) -> String {
    let escaped = |text: &String| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    paragraphs.iter().map(|text| format!("<p>{}</p>", escaped(text))).collect()
}

/// The paragraphs of an HTML text, without scripts, styles and markup. In plain text each line is a paragraph.
pub fn paragraphs(html: &str) -> Vec<String> {
    let has_markup = html.split('<').skip(1).any(is_markup);
    let text = if has_markup { without_markup(html) } else { html.to_owned() };
    // The parser only decodes entities: it misses line breaks, scripts and styles with attributes, and spaces after elements.
    let decoded = |line: &str| html_to_text(&line.replace('<', "&lt;"));
    let tidy = |line: &str| decoded(line).split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(tidy).filter(|line| !line.is_empty()).collect()
}

/// Whether what follows a `<` makes it markup, unlike in `< 40 mm` and `<20 mm`.
fn is_markup(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c))
}

/// The text with a line for each paragraph; its entities stay.
fn without_markup(html: &str) -> String {
    let html = html.replace(['\n', '\r'], " ");
    let mut text = String::with_capacity(html.len());
    let mut rest = html.as_str();
    while let Some((before, markup)) = rest.split_once('<') {
        text.push_str(before);
        rest = markup;
        if !is_markup(markup) {
            text.push('<');
            continue;
        }
        if let Some(comment) = markup.strip_prefix('!').filter(|comment| comment.starts_with("--")) {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        let Some((tag, after)) = split_tag(markup) else {
            // Without an end it is no tag.
            text.push('<');
            break;
        };
        let name = name(tag.trim_start_matches('/'));
        let is_in = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        rest = if is_in(&HIDDEN) && !tag.starts_with('/') { from_end_of(name, after) } else { after };
        if is_in(&BLOCKS) {
            text.push('\n');
        } else if is_in(&CELLS) {
            text.push(' ');
        }
    }
    text.push_str(rest);
    text
}

/// Splits at the `>` that ends a tag; quoted values of attributes may contain others.
fn split_tag(markup: &str) -> Option<(&str, &str)> {
    let (mut quote, mut before) = (None, ' ');
    markup.split_once(|c: char| {
        match quote {
            None if before == '=' && matches!(c, '"' | '\'') => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
        quote.is_none() && c == '>'
    })
}

fn name(tag: &str) -> &str {
    tag.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()
}

/// What follows the content of an element, from its end tag.
fn from_end_of<'a>(element: &str, content: &'a str) -> &'a str {
    let mut ends = content.match_indices("</").map(|(at, _)| &content[at..]);
    ends.find(|end| name(end.trim_start_matches("</")).eq_ignore_ascii_case(element)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{paragraphs, written};

    #[test]
    fn what_is_written_reads_back() {
        for text in [
            "Plain.",
            "AT&T; fish &chips;",
            "5 < 6 & 7 > 3",
            "&lt;b&gt; stays",
            "a <script> in words",
            "“Zoë’s” 50 % – 3 cm",
        ] {
            let texts = vec![text.to_owned(), "Another one.".to_owned()];
            assert_eq!(paragraphs(&written(&texts)), texts);
        }
    }

    #[test]
    fn html_becomes_text() {
        let html = "<h2>Made&nbsp;well</h2>\n<p class=\"x\">Of <b>briar</b> &amp; cork.<br/>Oiled.</p><ul><li>One</li><li>Two</li></ul>\
            <script>alert(1)</script><style>p{}</style><!-- no --><p><img src=x onerror=alert(1)></p>";
        assert_eq!(paragraphs(html), ["Made well", "Of briar & cork.", "Oiled.", "One", "Two"]);
        assert_eq!(paragraphs("First line\n\nSecond & last"), ["First line", "Second & last"]);
        let cases: [(&str, &[&str]); 18] = [
            ("Line one<br data-mce-fragment=\"1\">Line two", &["Line one", "Line two"]),
            ("<p title='a > b' data-x=\"</p>\">One</P\n>Two", &["One", "Two"]),
            ("<p title=Bob's>One</p><p don't>Two", &["One", "Two"]),
            ("<style type=\"text/css\">p > b {}</style>One<SCRIPT src=x>if (a<b) '</p>'</Script >Two", &["OneTwo"]),
            ("One<script>never closed<p>Two", &["One"]),
            ("<table><tr><th>Length</th><td class=x>14 cm</td></tr><tr><td>Bowl</td></tr>", &["Length 14 cm", "Bowl"]),
            ("<dl><dt>Length</dt><dd>14 cm</dd><dd>5½ in</dd></dl>", &["Length", "14 cm", "5½ in"]),
            ("Intro.<p>More.</p>", &["Intro.", "More."]),
            ("<p><b>Material:</b> Briar wood,\n<i>oiled</i> &amp; dry.</p>", &["Material: Briar wood, oiled & dry."]),
            ("Chamber depth < 40 mm.\nMade in Italy.", &["Chamber depth < 40 mm.", "Made in Italy."]),
            ("Bowls <20 mm\n&lt;b>", &["Bowls <20 mm", "<b>"]),
            ("<p>Fits bowls <20 mm. Also others.</p><p>Second</p>", &["Fits bowls <20 mm. Also others.", "Second"]),
            ("<p>One</p>Two <b and", &["One", "Two <b and"]),
            ("One<!-- <p>no</p> -- > --->Two<!---->Three", &["OneTwoThree"]),
            ("One<!-- never closed", &["One"]),
            ("<!DOCTYPE html><?xml version='1.0'?><head><title>No</title></head><body>Yes", &["Yes"]),
            ("1 < 2 <em>and</em> 3 <", &["1 < 2 and 3 <"]),
            ("<", &["<"]),
        ];
        for (html, texts) in cases {
            assert_eq!(paragraphs(html), texts, "{html}");
        }
    }
}
