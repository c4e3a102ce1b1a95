//! The stand-in's state. All changes of a request are one commit: one line of the journal file, written before the response is sent, so
//! that neither a stop nor a kill leaves it half done. Webhooks are sent only for committed changes.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::model::{Answer, Dispute, Event, Payment, Refund, Token};
use super::records::Records;

/// A single change within a commit.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    Payment(Box<Payment>),
    Refund(Refund),
    Dispute(Dispute),
    Token(Token),
    Answer(Answer),
    Event(Event),
    /// The event with this sequence was delivered, or given up.
    Told(u64),
}

#[derive(Debug, Default)]
pub struct Ledger {
    pub payments: Records<Payment>,
    pub refunds: Records<Refund>,
    pub disputes: BTreeMap<String, Dispute>,
    pub tokens: HashMap<String, Token>,
    /// By operation and idempotency key.
    pub answers: HashMap<(String, String), Answer>,
    /// Undelivered events, by sequence.
    pub events: BTreeMap<u64, Event>,
    /// Sequence of the last event.
    pub sequence: u64,
    file: Option<File>,
}

impl Ledger {
    /// Reads the journal and appends to it; without a path the ledger is in memory only.
    pub fn open(path: Option<&Path>) -> io::Result<Self> {
        let mut ledger = Self::default();
        let Some(path) = path else { return Ok(ledger) };
        let mut kept = 0;
        if path.exists() {
            let text = fs::read_to_string(path)?;
            for line in text.split_inclusive('\n') {
                // The last line is incomplete if the process was killed while writing it: that commit does not count.
                let Some(whole) = line.strip_suffix('\n') else { break };
                for change in serde_json::from_str::<Vec<Change>>(whole).map_err(io::Error::other)? {
                    ledger.apply(change);
                }
                kept += line.len();
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(u64::try_from(kept).unwrap_or(u64::MAX))?;
        ledger.file = Some(file);
        Ok(ledger)
    }

    /// Applies the changes together, or none of them if they cannot be written.
    pub fn commit(&mut self, changes: Vec<Change>) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            let mut line = serde_json::to_vec(&changes).map_err(io::Error::other)?;
            line.push(b'\n');
            file.write_all(&line)?;
        }
        for change in changes {
            self.apply(change);
        }
        Ok(())
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::Payment(payment) => self.payments.insert(*payment),
            Change::Refund(refund) => self.refunds.insert(refund),
            Change::Dispute(dispute) => {
                self.disputes.insert(dispute.id.clone(), dispute);
            }
            Change::Token(token) => {
                self.tokens.insert(token.id.clone(), token);
            }
            Change::Answer(answer) => {
                self.answers.insert((answer.operation.clone(), answer.idempotency_key.clone()), answer);
            }
            Change::Event(event) => {
                self.sequence = self.sequence.max(event.sequence);
                self.events.insert(event.sequence, event);
            }
            Change::Told(sequence) => {
                self.events.remove(&sequence);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use serde_json::json;

    use super::{Change, Ledger};
    use crate::square::model::Event;

    #[test]
    fn a_torn_commit_never_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let event = |sequence| Change::Event(Event { sequence, created_at: 0, body: json!({}) });
        let mut ledger = Ledger::open(Some(&path)).unwrap();
        ledger.commit(vec![event(1), event(2)]).unwrap();
        drop(ledger);
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"[{\"told\":1},{\"to").unwrap();
        let mut again = Ledger::open(Some(&path)).unwrap();
        assert_eq!((again.events.len(), again.sequence), (2, 2));
        again.commit(vec![Change::Told(2)]).unwrap();
        let events = Ledger::open(Some(&path)).unwrap().events;
        assert_eq!(events.into_keys().collect::<Vec<_>>(), [1]);
    }
}
