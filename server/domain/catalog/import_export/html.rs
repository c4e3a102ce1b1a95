//! Descriptions: paragraphs in the shop, HTML in files. HTML is converted to plain text and never stored.

use mail_parser::decoders::html::html_to_text;

/// Elements that start a paragraph, besides `p` and `br`.
const BLOCKS: [&str; 18] = [
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
];

/// Paragraphs as HTML.
pub fn written(paragraphs: &[String]) -> String {
    let escaped = |text: &String| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    paragraphs.iter().map(|text| format!("<p>{}</p>", escaped(text))).collect()
}

/// The paragraphs of an HTML text, without scripts, styles and markup. In plain text each line is a paragraph.
pub fn paragraphs(html: &str) -> Vec<String> {
    let text =
        if html.contains('<') { html_to_text(&with_breaks(html)) } else { html_to_text(&html.replace('\n', "<br>")) };
    let tidy = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(tidy).filter(|line| !line.is_empty()).collect()
}

/// Inserts a line break before each element that starts a paragraph.
fn with_breaks(html: &str) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    let mut parts = html.split('<');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let name: String = part.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        if BLOCKS.contains(&name.to_ascii_lowercase().as_str()) {
            out.push_str("<br>");
        }
        out.push('<');
        out.push_str(part);
    }
    out
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
    }
}
