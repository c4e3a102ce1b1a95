//! SMTP over TCP. Lines, messages, time and connections are limited.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::session::{Envelope, SIZE_LIMIT, Session, Step, TOO_LARGE};
use super::store::Store;

const CONNECTIONS: usize = 32;
const SILENCE: Duration = Duration::from_secs(60);
/// RFC 5321 allows 1,000 bytes; some clients send longer lines.
const LINE_LIMIT: usize = 64 * 1024;

/// Accepts connections until its task is aborted.
pub async fn serve(listener: TcpListener, store: Arc<Store>) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        // The semaphore is never closed.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "the mailbox could not take a connection");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            if let Err(error) = converse(stream, &store).await {
                tracing::debug!(%error, "a mail client hung up");
            }
            drop(place);
        });
    }
}

async fn converse(mut stream: TcpStream, store: &Store) -> io::Result<()> {
    let (read, mut write) = stream.split();
    let mut read = BufReader::new(read);
    let mut session = Session::default();
    write.write_all(b"220 localhost the demonstration's mailbox\r\n").await?;
    loop {
        let line = match read_line(&mut read).await? {
            Line::Whole(line) => line,
            Line::TooLong => {
                write.write_all(b"500 5.5.6 the line is too long\r\n").await?;
                return Ok(());
            }
            Line::End => return Ok(()),
        };
        let reply = match session.command(&String::from_utf8_lossy(&line)) {
            Step::Reply(reply) => reply.to_owned(),
            Step::Quit => {
                write.write_all(b"221 2.0.0 goodbye\r\n").await?;
                return Ok(());
            }
            Step::Data(envelope) => {
                write.write_all(b"354 end with a line that holds one dot\r\n").await?;
                let Some(message) = read_message(&mut read).await? else { return Ok(()) };
                keep(store, &envelope, message).await
            }
        };
        write.write_all(format!("{reply}\r\n").as_bytes()).await?;
    }
}

async fn keep(store: &Store, envelope: &Envelope, message: Message) -> String {
    let Message::Whole(bytes) = message else { return TOO_LARGE.to_owned() };
    match store.save(envelope, &bytes).await {
        Ok(id) => format!("250 2.0.0 kept as {id}"),
        Err(error) => {
            tracing::error!(%error, "a message could not be kept");
            "451 4.3.0 it could not be kept".to_owned()
        }
    }
}

enum Line {
    /// Without its line ending.
    Whole(Vec<u8>),
    TooLong,
    End,
}

async fn read_line(read: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut limited = read.take(LINE_LIMIT as u64);
    timeout(SILENCE, limited.read_until(b'\n', &mut line)).await.map_err(|_| io::ErrorKind::TimedOut)??;
    if line.pop_if(|last| *last == b'\n').is_none() {
        return Ok(if line.len() < LINE_LIMIT { Line::End } else { Line::TooLong });
    }
    line.pop_if(|last| *last == b'\r');
    Ok(Line::Whole(line))
}

enum Message {
    Whole(Vec<u8>),
    TooLarge,
}

/// Reads up to the line with a single dot; None when the client disconnects before it. A message that is too large is read and discarded,
/// up to a limit, so that the client gets the error response.
async fn read_message(read: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Message>> {
    let mut bytes = Vec::new();
    let mut size = 0;
    while let Line::Whole(line) = read_line(read).await? {
        if line == b"." {
            return Ok(Some(if size > SIZE_LIMIT { Message::TooLarge } else { Message::Whole(bytes) }));
        }
        // The client escapes a leading dot by doubling it.
        let line = line.strip_prefix(b".").unwrap_or(&line);
        size += line.len() + 2;
        if size > 4 * SIZE_LIMIT {
            break;
        }
        if size <= SIZE_LIMIT {
            bytes.extend_from_slice(line);
            bytes.extend_from_slice(b"\r\n");
        }
    }
    Ok(None)
}
