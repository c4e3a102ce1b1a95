//! What a file would do, line by line.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::db::stored;

stored! {
    /// What becomes of a line.
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
    /// As a text editor counts.
    pub line: u64,
    pub handle: String,
    pub outcome: Outcome,
    /// What it makes or changes, or what is wrong with it.
    pub what: String,
    /// What whoever imports it should know.
    pub note: String,
}

impl ReportLine {
    /// It names the columns.
    fn is_header(&self) -> bool {
        self.line == 1
    }
}

/// Lines by what becomes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Counts {
    pub lines: u64,
    pub products: u64,
    pub new: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub errors: u64,
    pub notes: u64,
}

/// A report as it grows, each line a line of JSON, with a digest of all that it depends on.
#[derive(Debug, Default)]
pub struct Report {
    pub text: String,
    pub counts: Counts,
    digest: Sha256,
}

impl Report {
    pub fn add(&mut self, line: &ReportLine) {
        let json = serde_json::to_string(line).unwrap_or_default();
        self.digest.update(json.as_bytes());
        self.text.push_str(&json);
        self.text.push('\n');
        self.counts.add(line);
    }

    /// Says something about the file as a whole, at its first line.
    pub fn remark(&mut self, note: &str) {
        let outcome = Outcome::Unchanged;
        self.add(&ReportLine { line: 1, handle: String::new(), outcome, what: String::new(), note: note.to_owned() });
    }

    /// The state of the shop that a product was compared with.
    pub fn depends_on(&mut self, product: Uuid, version: i64, stock: impl Iterator<Item = i64>) {
        self.digest.update(product.as_bytes());
        self.digest.update(version.to_be_bytes());
        stock.for_each(|on_hand| self.digest.update(on_hand.to_be_bytes()));
    }

    pub fn digest(&self) -> String {
        self.digest.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
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

    /// Of a stored report.
    pub fn of(report: &str) -> Self {
        let mut counts = Self::default();
        let mut last = None;
        for line in lines(report) {
            counts.add(&line);
            if !line.is_header() && last.as_ref() != Some(&line.handle) {
                counts.products += 1;
                last = Some(line.handle);
            }
        }
        counts
    }
}

/// The lines of a stored report.
pub fn lines(report: &str) -> impl Iterator<Item = ReportLine> {
    report.lines().filter_map(|line| serde_json::from_str(line).ok())
}
