//! A listener that can be closed without losing a connection.

use std::net::SocketAddr;

use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A listener that closes once its queue is empty: closing it earlier would reset connections that the system has accepted already,
/// together with the requests sent on them.
#[derive(Debug)]
pub struct ClosingListener {
    socket: Socket,
    /// True once it is to close.
    close: watch::Receiver<bool>,
}

#[derive(Debug)]
enum Socket {
    Open(TcpListener),
    /// The connections in its queue are accepted without waiting for more.
    Emptying(std::net::TcpListener),
    Closed,
}

impl ClosingListener {
    /// Closes after `close` has become true.
    pub fn new(listener: TcpListener, close: watch::Receiver<bool>) -> Self {
        Self { socket: Socket::Open(listener), close }
    }

    /// The next connection; `None` when the socket is closed. Loses none if it is canceled.
    pub async fn accept(&mut self) -> Option<(TcpStream, SocketAddr)> {
        if let Socket::Open(listener) = &mut self.socket {
            tokio::select! {
                accepted = Listener::accept(listener) => return Some(accepted),
                // An error means that the sender is gone; the listener closes then, too.
                _ = self.close.wait_for(|close| *close) => {}
            }
            if let Socket::Open(listener) = std::mem::replace(&mut self.socket, Socket::Closed) {
                self.socket = listener.into_std().map_or(Socket::Closed, Socket::Emptying);
            }
        }
        if let Socket::Emptying(listener) = &self.socket
            && let Ok((stream, address)) = listener.accept()
            && stream.set_nonblocking(true).is_ok()
            && let Ok(stream) = TcpStream::from_std(stream)
        {
            return Some((stream, address));
        }
        self.socket = Socket::Closed;
        None
    }
}
