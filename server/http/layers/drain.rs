//! Graceful shutdown without losing requests: first `/readyz` returns 503 and each connection is closed after its response, so that a load
//! balancer sends new requests elsewhere; then the connections in the listener's queue are accepted, and only then the socket closes.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::{HeaderValue, header};
use axum::response::Response;
use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{oneshot, watch};

/// Whether this node is shutting down. This is never reversed.
#[derive(Debug, Default)]
pub struct Drain(AtomicBool);

impl Drain {
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Closes the connection after its response once the node is shutting down.
    pub fn end_connection(&self, response: &mut Response) {
        if self.has_begun() {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }
}

/// A listener that closes once its queue is empty: closing it earlier would reset connections that the system has accepted already,
/// together with the requests sent on them.
#[derive(Debug)]
pub struct ClosingListener {
    socket: Socket,
    address: SocketAddr,
    /// True once it is to close.
    close: watch::Receiver<bool>,
    /// Notified when it is closed.
    closed: Option<oneshot::Sender<()>>,
}

#[derive(Debug)]
enum Socket {
    Open(TcpListener),
    /// The connections in its queue are accepted without waiting for more.
    Emptying(std::net::TcpListener),
    Closed,
}

impl ClosingListener {
    /// Closes after `close` has become true; the returned receiver then resolves.
    ///
    /// # Errors
    /// When the socket has no address.
    pub fn new(listener: TcpListener, close: watch::Receiver<bool>) -> io::Result<(Self, oneshot::Receiver<()>)> {
        let address = listener.local_addr()?;
        let (closed, is_closed) = oneshot::channel();
        Ok((Self { socket: Socket::Open(listener), address, close, closed: Some(closed) }, is_closed))
    }

    /// The next connection; `None` when the state of the socket has changed.
    async fn step(&mut self) -> Option<(TcpStream, SocketAddr)> {
        match std::mem::replace(&mut self.socket, Socket::Closed) {
            Socket::Open(mut listener) => tokio::select! {
                accepted = Listener::accept(&mut listener) => {
                    self.socket = Socket::Open(listener);
                    Some(accepted)
                }
                // An error means that the sender is gone; the listener closes then, too.
                _ = self.close.wait_for(|close| *close) => {
                    self.socket = listener.into_std().map_or(Socket::Closed, Socket::Emptying);
                    None
                }
            },
            Socket::Emptying(listener) => {
                let (stream, address) = listener.accept().ok()?;
                self.socket = Socket::Emptying(listener);
                stream.set_nonblocking(true).ok()?;
                Some((TcpStream::from_std(stream).ok()?, address))
            }
            Socket::Closed => {
                if let Some(closed) = self.closed.take() {
                    // The receiver is gone when the server has ended by itself.
                    let _ = closed.send(());
                }
                std::future::pending().await
            }
        }
    }
}

impl Listener for ClosingListener {
    type Io = TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        loop {
            if let Some(accepted) = self.step().await {
                return accepted;
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}
