//! CSV files, streamed row by row, safe against formula injection in spreadsheets.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::error::Error;
use super::trace;

/// Spreadsheets treat a cell that begins with one of these as a formula, some of them also the wide forms.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Prefixes the cell with an apostrophe if a spreadsheet would run it as a formula. [`plain_cell`] reverses this.
pub fn safe_cell(cell: &str) -> Cow<'_, str> {
    if is_neutralized(cell) { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

/// The original text of a [`safe_cell`].
pub fn plain_cell(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_neutralized(rest)).unwrap_or(cell)
}

/// Cells that begin like a formula, and those that look as if they had been escaped already.
fn is_neutralized(cell: &str) -> bool {
    let begins = cell.trim_start_matches('\'');
    begins.starts_with(FORMULA) && !is_negative_number(begins)
}

/// A negative amount is a number to a spreadsheet, and must stay one for calculations.
fn is_negative_number(cell: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    cell.strip_prefix('-').is_some_and(|number| match number.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(number),
    })
}

/// One line, ended by CR LF.
fn line<'a>(cells: impl IntoIterator<Item = &'a str>) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    writer.write_record(cells.into_iter().map(|cell| safe_cell(cell).into_owned()))?;
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// The rows of a file that is being written.
#[derive(Debug)]
pub struct Rows {
    out: mpsc::Sender<Result<Bytes, std::io::Error>>,
    waiting: Vec<u8>,
}

/// The browser has disconnected, so the rest is not needed.
#[derive(Debug)]
pub struct Gone;

impl Rows {
    const CHUNK: usize = 32 * 1024;

    pub async fn write<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) -> Result<(), Gone> {
        let bytes = line(cells).map_err(|_| Gone)?;
        self.waiting.extend(bytes);
        if self.waiting.len() >= Self::CHUNK { self.flush().await } else { Ok(()) }
    }

    async fn flush(&mut self) -> Result<(), Gone> {
        let bytes = Bytes::from(std::mem::take(&mut self.waiting));
        self.out.send(Ok(bytes)).await.map_err(|_| Gone)
    }
}

/// Responds with a file whose rows `write` produces. A failure aborts the download, so that a partial file is not mistaken for a complete
/// one.
pub fn download<F>(name: &str, header: &[&str], write: impl FnOnce(Rows) -> F) -> Response
where
    F: Future<Output = Result<Rows, Error>> + Send + 'static,
{
    let rows = match start(header, write) {
        Ok(rows) => rows,
        Err(error) => return Error::internal(error).into_response(),
    };
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    let mut response = Response::new(Body::from_stream(ReceiverStream::new(rows)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::CONTENT_DISPOSITION, disposition.unwrap_or(HeaderValue::from_static("attachment")));
    response
}

/// Writes rows that `write` produces into an empty file.
pub async fn save<F>(mut file: File, header: &[&str], write: impl FnOnce(Rows) -> F) -> std::io::Result<()>
where
    F: Future<Output = Result<Rows, Error>> + Send + 'static,
{
    let mut rows = start(header, write).map_err(std::io::Error::other)?;
    while let Some(chunk) = rows.recv().await {
        file.write_all(&chunk?).await?;
    }
    // The last chunk may still be on its way to the file, and only this says whether it arrived.
    file.flush().await?;
    file.sync_all().await
}

/// The bytes of a file, in chunks; the last one is an error if `write` fails.
type Chunks = mpsc::Receiver<Result<Bytes, std::io::Error>>;

fn start<F>(header: &[&str], write: impl FnOnce(Rows) -> F) -> Result<Chunks, csv::Error>
where
    F: Future<Output = Result<Rows, Error>> + Send + 'static,
{
    let (out, rows) = mpsc::channel(4);
    let failed = out.clone();
    // The byte order mark by which spreadsheets recognize UTF-8.
    let mut waiting = "\u{feff}".as_bytes().to_vec();
    waiting.extend(line(header.iter().copied())?);
    let writing = write(Rows { out, waiting });
    trace::spawn(async move {
        // In a task of its own, so that a panic aborts the download, too.
        match trace::spawn(writing).await {
            Ok(Ok(mut rows)) => drop(rows.flush().await),
            Ok(Err(error)) => {
                // The head of the response is sent by now, so nobody else logs it.
                if let Error::Unavailable { cause, .. } = &error {
                    tracing::warn!(cause, "a file could not be written to its end");
                }
                drop(failed.send(Err(std::io::Error::other(error.told()))).await);
            }
            Err(crash) => {
                tracing::error!(%crash, "a file could not be written to its end");
                drop(failed.send(Err(std::io::Error::other(crash))).await);
            }
        }
    });
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use super::{FORMULA, Rows, line, plain_cell, safe_cell, start};
    use crate::error::Error;

    /// What is logged.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no writer panics").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn why_a_file_is_not_complete_is_logged_with_its_request() {
        let log = Log::default();
        let writer = log.clone();
        let listening = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
        let _listening = tracing::subscriber::set_default(listening);
        let request = tracing::error_span!("request", id = "of-the-download");
        let write = |_: Rows| async { Err(Error::Unavailable { cause: "it is full".to_owned(), contention: false }) };
        let mut chunks = request.in_scope(|| start(&["Number"], write)).expect("a header");
        let told = chunks.recv().await.expect("its end").expect_err("it is not complete").to_string();
        assert_eq!(told, "it is full", "whoever saves it is told, too");
        let logged = String::from_utf8(log.0.lock().expect("no writer panics").clone()).expect("text");
        assert!(logged.contains("it is full") && logged.contains("of-the-download"), "{logged}");
    }

    #[tokio::test]
    async fn a_file_that_is_not_complete_ends_in_an_error() {
        for panics in [false, true] {
            let write = move |mut rows: Rows| async move {
                for _ in 0..10_000 {
                    rows.write(["12345"]).await.expect("somebody reads");
                }
                assert!(!panics, "it panics");
                Err(Error::NotFound)
            };
            let mut chunks = start(&["Number"], write).expect("a header");
            let mut last = None;
            while let Some(chunk) = chunks.recv().await {
                last = Some(chunk);
            }
            assert!(last.expect("some chunks").is_err(), "panics: {panics}");
        }
    }

    #[test]
    fn no_cell_is_a_formula_and_each_is_read_back() {
        for cell in [
            "=1+1", "+1", "-1+1", "-A1", "-1.", "-", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠A1",
            "'=1", "''-x", "plain", "'quoted'", "", "o'clock",
        ] {
            let safe = safe_cell(cell);
            assert!(!safe.starts_with(FORMULA), "{cell:?}");
            assert_eq!(plain_cell(&safe), cell);
        }
    }

    #[test]
    fn amounts_below_zero_stay_numbers() {
        for cell in ["-1", "-12.50", "'-1"] {
            assert_eq!(safe_cell(cell), cell);
            assert_eq!(plain_cell(cell), cell);
        }
    }

    #[test]
    fn commas_quotes_and_line_ends_stay_within_their_cell() {
        let written = line(["a,b", "say \"hi\"", "two\nlines", "=x"]).expect("a line");
        assert_eq!(written, b"\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",'=x\r\n");
    }
}
