//! What was logged lately as a warning or an error, for the report of a test that fails: an answer says that something went wrong, not why.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use tracing::Level;

/// Of all tests that run at the same time.
const KEPT: usize = 60;

static LINES: Mutex<VecDeque<String>> = Mutex::new(VecDeque::new());

pub fn keep() {
    tracing_subscriber::fmt().with_max_level(Level::WARN).with_ansi(false).with_writer(|| Lines).init();
}

pub fn print() {
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    let text: String = lines.iter().map(String::as_str).collect();
    writeln!(io::stdout().lock(), "Logged lately, by this test or by others:\n{text}").unwrap();
}

/// Each write is a line.
struct Lines;

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(String::from_utf8_lossy(line).into_owned());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
