//! The report on a file: the effect of each line.

use serde::{Deserialize, Serialize};
use shop_base::db::stored;
use utoipa::ToSchema;

stored! {
    /// The effect of a line.
    Outcome {
        New = "new",
        Changed = "changed",
        Unchanged = "unchanged",
        Refused = "error",
    }
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReportLine {
    /// Line number as in a text editor.
    pub line: u64,
    pub handle: String,
    pub outcome: Outcome,
    /// What it creates or changes, or what is wrong with it.
    pub what: String,
    /// A hint for the person who imports it.
    pub note: String,
}

impl ReportLine {
    /// The line that names the columns.
    fn is_header(&self) -> bool {
        self.line == 1
    }
}

/// Numbers of lines by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Counts {
    pub lines: u64,
    pub products: u64,
    pub new: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub errors: u64,
    pub notes: u64,
}

/// Of a line's texts: they quote the file, whose cells may be of any length.
const MAX_CHARS: usize = 2_000;

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A report under construction, one JSON object per line.
#[derive(Debug, Default)]
pub struct Report {
    pub text: String,
    pub counts: Counts,
    /// The handle of the last line.
    last: Option<String>,
}

impl Report {
    pub fn add(&mut self, line: &ReportLine) {
        let shown = ReportLine {
            handle: shortened(&line.handle, 100),
            what: shortened(&line.what, MAX_CHARS),
            note: shortened(&line.note, MAX_CHARS),
            ..line.clone()
        };
        self.text.push_str(&serde_json::to_string(&shown).unwrap_or_default());
        self.text.push('\n');
        self.counts.add(line);
        if !line.is_header() && self.last.as_ref() != Some(&line.handle) {
            self.counts.products += 1;
            self.last = Some(line.handle.clone());
        }
    }

    /// Adds a note about the whole file to its first line.
    pub fn remark(&mut self, note: &str) {
        let outcome = Outcome::Unchanged;
        self.add(&ReportLine { line: 1, handle: String::new(), outcome, what: String::new(), note: note.to_owned() });
    }
}

impl Counts {
    fn add(&mut self, line: &ReportLine) {
        if line.is_header() {
            self.notes += 1;
            return;
        }
        self.lines += 1;
        self.notes += u64::from(!line.note.is_empty());
        *match line.outcome {
            Outcome::New => &mut self.new,
            Outcome::Changed => &mut self.changed,
            Outcome::Unchanged => &mut self.unchanged,
            Outcome::Refused => &mut self.errors,
        } += 1;
    }

    /// Recomputes the counts of a report stored by a former version without them.
    pub fn of(report: &str) -> Self {
        let mut again = Report::default();
        lines(report).for_each(|line| again.add(&line));
        again.counts
    }
}

/// The lines of a stored report.
pub fn lines(report: &str) -> impl Iterator<Item = ReportLine> {
    report.lines().filter_map(|line| serde_json::from_str(line).ok())
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Report, ReportLine, lines};

    #[test]
    fn a_report_quotes_the_beginning_of_long_cells() {
        let line = |end: &str| ReportLine {
            line: 2,
            handle: format!("{}{end}", "ä".repeat(100_000)),
            outcome: Outcome::Refused,
            what: "x".repeat(100_000),
            note: String::new(),
        };
        let mut report = Report::default();
        report.add(&line("a"));
        report.add(&line("b"));
        assert_eq!(report.counts.products, 2, "by their whole handles");
        let first = lines(&report.text).next().unwrap();
        assert_eq!((first.handle, first.what.chars().count()), (format!("{}…", "ä".repeat(100)), 2_001));
    }
}
