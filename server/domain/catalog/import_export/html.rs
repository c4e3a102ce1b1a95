//! Descriptions: paragraphs in the shop, HTML in files. HTML is converted to plain text and never stored.

use std::cell::{Cell, RefCell};

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::{LocalName, local_name};

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
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    let tokenizer = Tokenizer::new(Text::default(), TokenizerOpts::default());
    // It stops only where its sink wants a script to be run.
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    let Text { text, has_markup, .. } = tokenizer.sink;
    let text = text.into_inner();
    let is_end = |c: char| c == PARAGRAPH_END || c == '\n' && !has_markup.get();
    let tidy = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.split(is_end).map(tidy).filter(|text| !text.is_empty()).collect()
}

const PARAGRAPH_END: char = '\u{2029}';

/// The text that is shown.
#[derive(Default)]
struct Text {
    text: RefCell<String>,
    has_markup: Cell<bool>,
    /// The element that is open and not shown.
    hidden: RefCell<Option<LocalName>>,
}

impl TokenSink for Text {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::CharacterTokens(text) if self.hidden.borrow().is_none() => self.text.borrow_mut().push_str(&text),
            Token::CommentToken(_) | Token::DoctypeToken(_) => self.has_markup.set(true),
            Token::TagToken(tag) => return self.tag(tag),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl Text {
    fn tag(&self, Tag { kind, name, .. }: Tag) -> TokenSinkResult<()> {
        self.has_markup.set(true);
        let is_start = kind == TagKind::StartTag;
        let mut hidden = self.hidden.borrow_mut();
        match hidden.as_ref() {
            None if is_start && HIDDEN.contains(&&*name) => *hidden = Some(name.clone()),
            None if BLOCKS.contains(&&*name) => self.text.borrow_mut().push(PARAGRAPH_END),
            None if CELLS.contains(&&*name) => self.text.borrow_mut().push(' '),
            Some(element) if !is_start && *element == name => *hidden = None,
            _ => {}
        }
        match name {
            local_name!("script") if is_start => TokenSinkResult::RawData(RawKind::ScriptData),
            local_name!("style") if is_start => TokenSinkResult::RawData(RawKind::Rawtext),
            local_name!("title") | local_name!("textarea") if is_start => TokenSinkResult::RawData(RawKind::Rcdata),
            _ => TokenSinkResult::Continue,
        }
    }
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
            ("<p>One</p>Two <b and", &["One", "Two"]),
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
