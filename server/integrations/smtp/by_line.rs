//! A connection that hands out one line at a time.
//!
//! Whoever is between the shop and a mail server can add lines to its answer to STARTTLS. A client that has read them with it takes them for
//! answers to the commands that it sends encrypted. Here they are still to be read when the encryption begins, which fails because of them.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncBufRead, AsyncRead, AsyncWrite, BufReader, ReadBuf};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

#[derive(Debug)]
pub struct ByLine<S>(BufReader<S>);

impl ByLine<TcpStream> {
    /// Connects to the first address that answers within the limit.
    pub async fn connect(host: &str, port: u16, limit: Duration) -> io::Result<Self> {
        let mut failed = io::Error::other("the name has no address");
        for address in lookup_host((host, port)).await? {
            match timeout(limit, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(Self(BufReader::new(stream))),
                Ok(Err(error)) => failed = error,
                Err(_) => failed = io::Error::new(io::ErrorKind::TimedOut, "connection timed out"),
            }
        }
        Err(failed)
    }
}

impl AsyncTokioStream for ByLine<TcpStream> {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.0.get_ref().peer_addr()
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ByLine<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let mut reader = Pin::new(&mut self.get_mut().0);
        let there = ready!(reader.as_mut().poll_fill_buf(cx))?;
        let line = there.iter().position(|byte| *byte == b'\n').map_or(there.len(), |end| end + 1);
        let count = line.min(buf.remaining());
        buf.put_slice(&there[..count]);
        reader.consume(count);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ByLine<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().0).poll_write(cx, buf)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, BufReader};

    use super::ByLine;

    #[tokio::test]
    async fn one_line_is_read_at_a_time() {
        let mut connection = ByLine(BufReader::new(&b"220 go\r\n250 hello\r\n25"[..]));
        let mut buffer = [0; 64];
        for line in ["220 go\r\n", "250 hello\r\n", "25", ""] {
            let count = connection.read(&mut buffer).await.unwrap();
            assert_eq!(&buffer[..count], line.as_bytes());
        }
    }
}
