use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use hyper::client::conn::http2::SendRequest;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_stream::StreamExt;

use super::Connections;
use super::connection::BEFORE_REFUSING_AGAIN;
use super::limits::Limits;
use super::listener::ClosingListener;
use super::open::{Open, QUIET};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(100);
/// So that connections wait for different times.
const A_MOMENT: Duration = Duration::from_millis(2);
/// Nothing here takes this long.
const MOST: Duration = Duration::from_secs(20);

const PATIENT: Limits = Limits { all: 100, of_network: 100, head: LONG, idle: LONG };

/// More than the system keeps for a client that does not read.
const LARGE: usize = 64 * 1024 * 1024;

const REQUEST: &str = "GET / HTTP/1.1\r\nhost: shop\r\n\r\n";
const HALF: &str = "GET / HTTP/1.1\r\nhost: sh";

/// Answers `hello`, `/wait` only when it is let go, `/pieces` a piece of it only then, `/large` with much before it, and tells whoever asks
/// for `/refused` to come back later.
struct Server {
    address: SocketAddr,
    connections: Arc<Connections>,
    /// Of a request that waits.
    arrived: Arc<Notify>,
    let_go: Arc<Notify>,
    close: watch::Sender<bool>,
    accepting: JoinHandle<()>,
}

impl Server {
    async fn start(limits: Limits, proxies: &str) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (close, must_close) = watch::channel(false);
        let connections = Arc::new(Connections::new(limits, proxies.parse().expect("networks")));
        let (arrived, let_go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let service = tower::service_fn({
            let (arrived, let_go) = (Arc::clone(&arrived), Arc::clone(&let_go));
            move |request: Request| {
                let (arrived, let_go) = (Arc::clone(&arrived), Arc::clone(&let_go));
                let answering = async move {
                    if request.uri().path() == "/wait" {
                        arrived.notify_one();
                        let_go.notified().await;
                    }
                    let body = match request.uri().path() {
                        "/large" => Body::from(" ".repeat(LARGE) + "hello"),
                        "/pieces" => {
                            let pieces = tokio_stream::iter(["a piece, ", "hello"]).then(move |piece| {
                                let (arrived, let_go) = (Arc::clone(&arrived), Arc::clone(&let_go));
                                async move {
                                    if piece == "hello" {
                                        arrived.notify_one();
                                        let_go.notified().await;
                                    }
                                    Ok::<_, Infallible>(piece)
                                }
                            });
                            Body::from_stream(pieces)
                        }
                        _ => Body::from("hello"),
                    };
                    let mut response = Response::new(body);
                    if request.uri().path() == "/refused" {
                        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
                        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
                    }
                    Ok::<_, Infallible>(response)
                };
                Box::pin(answering) as Pin<Box<dyn Future<Output = _> + Send>>
            }
        });
        let accepting = tokio::spawn({
            let connections = Arc::clone(&connections);
            async move { connections.accept(ClosingListener::new(listener, must_close), service).await }
        });
        let address = (Ipv4Addr::LOCALHOST, port).into();
        Self { address, connections, arrived, let_go, close, accepting }
    }

    async fn connect(&self) -> Client {
        self.connect_from(1).await
    }

    /// From an address of its own: 127.0.0.`host`.
    async fn connect_from(&self, host: u8) -> Client {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind((Ipv4Addr::new(127, 0, 0, host), 0).into()).expect("a local address");
        Client(socket.connect(self.address).await.expect("a connection"))
    }

    /// Until the server knows of that many connections.
    async fn counts(&self, connections: usize) {
        let counted = async {
            while self.connections.count() != connections {
                tokio::task::yield_now().await;
            }
        };
        timeout(MOST, counted).await.expect("the connections are counted");
    }

    /// Stops as the shop does.
    async fn stop(self) {
        self.close.send_replace(true);
        self.accepting.await.expect("it accepts no more");
        timeout(MOST, self.connections.finish()).await.expect("all connections end");
    }
}

struct Client(TcpStream);

impl Client {
    async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.expect("a connection that takes bytes");
    }

    /// One whole response, or what came until the connection was closed.
    async fn answer(&mut self) -> String {
        let mut bytes = Vec::new();
        let reading = async {
            while !bytes.ends_with(b"hello") {
                match self.0.read_buf(&mut bytes).await {
                    Ok(1..) => {}
                    Ok(0) | Err(_) => break,
                }
            }
        };
        timeout(MOST, reading).await.expect("an answer or an end");
        String::from_utf8(bytes).expect("text")
    }

    /// Sends a request; whether it is answered.
    async fn asks(&mut self) -> bool {
        // An error means that the connection is closed; then there is no answer either.
        let _ = self.0.write_all(REQUEST.as_bytes()).await;
        self.answer().await.starts_with("HTTP/1.1 200")
    }

    async fn is_closed(&mut self) {
        assert_eq!(self.answer().await, "");
    }
}

#[tokio::test]
async fn a_head_that_never_ends_is_closed() {
    let server = Server::start(Limits { head: SHORT, ..PATIENT }, "").await;
    let (mut half, mut whole) = (server.connect().await, server.connect().await);
    half.send(HALF).await;
    assert!(whole.asks().await);
    half.is_closed().await;
    // Between requests a connection may wait for longer.
    assert!(whole.asks().await);
}

#[tokio::test]
async fn a_head_that_comes_byte_by_byte_is_closed() {
    let server = Server::start(Limits { head: SHORT, ..PATIENT }, "").await;
    let mut slow = server.connect().await;
    let dripping = async {
        slow.send("GET / HTTP/1.1\r\nx: ").await;
        while slow.0.write_all(b"x").await.is_ok() {
            tokio::time::sleep(SHORT / 10).await;
        }
    };
    timeout(MOST, dripping).await.expect("the connection is closed");
}

#[tokio::test]
async fn a_head_that_is_too_long_is_refused() {
    let server = Server::start(PATIENT, "").await;
    let mut client = server.connect().await;
    client.send("GET / HTTP/1.1\r\nhost: shop\r\nx-long: ").await;
    // An error means that the connection was closed before all of it was sent.
    let _ = client.0.write_all("x".repeat(70_000).as_bytes()).await;
    assert!(client.answer().await.starts_with("HTTP/1.1 431"));
    server.stop().await;
}

#[tokio::test]
async fn a_request_names_one_host() {
    let server = Server::start(PATIENT, "").await;
    for (head, status) in [
        ("GET / HTTP/1.1\r\n", 400),
        ("GET / HTTP/1.1\r\nhost: shop\r\nhost: other\r\n", 400),
        ("GET / HTTP/1.0\r\nhost: shop\r\nhost: other\r\n", 400),
        ("GET / HTTP/1.1\r\nhost: shop\r\n", 200),
        ("GET / HTTP/1.0\r\n", 200),
    ] {
        let mut client = server.connect().await;
        client.send(&format!("{head}connection: close\r\n\r\n")).await;
        let mut answer = String::new();
        client.0.read_to_string(&mut answer).await.expect("an answer");
        assert_eq!(answer.split(' ').nth(1), Some(status.to_string().as_str()), "{head:?}: {answer}");
    }
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let server = Server::start(Limits { idle: SHORT, ..PATIENT }, "").await;
    let (mut silent, mut used) = (server.connect().await, server.connect().await);
    assert!(used.asks().await);
    used.is_closed().await;
    silent.is_closed().await;
    server.counts(0).await;
}

#[tokio::test]
async fn a_running_request_is_waited_for() {
    let server = Server::start(Limits { head: SHORT, idle: SHORT, ..PATIENT }, "").await;
    let mut waiting = server.connect().await;
    waiting.send("GET /wait HTTP/1.1\r\nhost: shop\r\n\r\n").await;
    server.arrived.notified().await;
    // Another one is closed meanwhile, so it would have been, too.
    server.connect().await.is_closed().await;
    server.let_go.notify_one();
    assert!(waiting.answer().await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn who_was_refused_and_asks_again_too_early_waits_for_being_refused_again() {
    let server = Server::start(PATIENT, "").await;
    let mut impatient = server.connect().await;
    for is_repeated in [false, true] {
        let began = Instant::now();
        impatient.send("GET /refused HTTP/1.1\r\nhost: shop\r\n\r\n").await;
        assert!(impatient.answer().await.starts_with("HTTP/1.1 503"));
        assert!(!is_repeated || began.elapsed() >= BEFORE_REFUSING_AGAIN);
    }
    assert!(impatient.asks().await);
}

#[test]
fn only_clients_of_their_own_connection_are_known_to_ask_too_early() {
    let proxies = "10.0.0.1".parse().expect("networks");
    let open = Arc::new(Open::new(PATIENT, proxies));
    let client = open.add([192, 0, 2, 1].into()).expect("a place");
    assert!(!client.activity.refused(Duration::ZERO));
    assert!(!client.activity.refused(LONG));
    assert!(client.activity.refused(LONG));
    let proxy = open.add([10, 0, 0, 1].into()).expect("a place");
    assert!(!proxy.activity.refused(LONG));
    assert!(!proxy.activity.refused(LONG));
}

#[tokio::test]
async fn the_one_that_has_waited_longest_makes_room() {
    let server = Server::start(Limits { all: 3, ..PATIENT }, "").await;
    let mut halves = Vec::new();
    for count in 1..=3 {
        let mut half = server.connect().await;
        half.send(HALF).await;
        server.counts(count).await;
        tokio::time::sleep(A_MOMENT).await;
        halves.push(half);
    }
    let mut answered = false;
    while !answered {
        // At first no place is free, because the others may be about to send the rest.
        answered = server.connect().await.asks().await;
    }
    halves[0].is_closed().await;
    halves[2].send("op\r\n\r\n").await;
    assert!(halves[2].answer().await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_network_takes_no_places_of_others() {
    let server = Server::start(Limits { of_network: 2, ..PATIENT }, "").await;
    let mut other = server.connect_from(2).await;
    server.counts(1).await;
    let mut first = server.connect_from(3).await;
    server.counts(2).await;
    tokio::time::sleep(A_MOMENT).await;
    let _second = server.connect_from(3).await;
    server.counts(3).await;
    while !server.connect_from(3).await.asks().await {}
    first.is_closed().await;
    assert!(other.asks().await);
}

#[tokio::test]
async fn the_clients_of_a_proxy_are_many() {
    let server = Server::start(Limits { of_network: 2, ..PATIENT }, "127.0.0.4/32").await;
    let mut clients = Vec::new();
    for count in 1..=5 {
        clients.push(server.connect_from(4).await);
        server.counts(count).await;
    }
    for client in &mut clients {
        assert!(client.asks().await);
    }
}

#[tokio::test]
async fn half_a_head_delays_no_stop_but_a_running_request_does() {
    let server = Server::start(PATIENT, "").await;
    let (mut half, mut idle, mut waiting) = (server.connect().await, server.connect().await, server.connect().await);
    half.send(HALF).await;
    assert!(idle.asks().await);
    waiting.send("GET /wait HTTP/1.1\r\nhost: shop\r\n\r\n").await;
    server.arrived.notified().await;
    let let_go = Arc::clone(&server.let_go);
    let stopping = tokio::spawn(server.stop());
    half.is_closed().await;
    idle.is_closed().await;
    assert!(!stopping.is_finished());
    let_go.notify_one();
    assert!(waiting.answer().await.starts_with("HTTP/1.1 200"));
    stopping.await.expect("it stops");
}

#[tokio::test]
async fn a_stopping_server_ends_what_it_sends_in_pieces() {
    let server = Server::start(PATIENT, "").await;
    let (mut client, mut idle) = (server.connect().await, server.connect().await);
    assert!(idle.asks().await);
    client.send("GET /pieces HTTP/1.1\r\nhost: shop\r\n\r\n").await;
    server.arrived.notified().await;
    let let_go = Arc::clone(&server.let_go);
    let stopping = tokio::spawn(server.stop());
    idle.is_closed().await;
    let_go.notify_one();
    let answer = client.answer().await;
    assert!(answer.contains("a piece, ") && answer.contains("hello"), "{answer}");
    stopping.await.expect("it stops");
}

#[tokio::test]
async fn a_stopping_server_waits_for_whoever_reads_slowly() {
    let server = Server::start(PATIENT, "").await;
    let (mut client, mut idle) = (server.connect().await, server.connect().await);
    client.send("GET /large HTTP/1.1\r\nhost: shop\r\n\r\n").await;
    // Its response has begun.
    client.0.readable().await.expect("a response");
    assert!(idle.asks().await);
    let stopping = tokio::spawn(server.stop());
    idle.is_closed().await;
    let answer = client.answer().await;
    assert!(answer.ends_with("hello"), "{} bytes", answer.len());
    stopping.await.expect("it stops");
}

#[tokio::test]
async fn a_stopping_server_lets_a_request_arrive() {
    let open = Arc::new(Open::new(PATIENT, "".parse().expect("no networks")));
    let place = open.add(Ipv4Addr::LOCALHOST.into()).expect("a place");
    place.activity.read();
    open.close_quiet();
    assert!(timeout(Duration::ZERO, place.activity.told()).await.is_err(), "it may go on");
}

#[tokio::test]
async fn a_stopping_server_lets_a_response_be_written() {
    let open = Arc::new(Open::new(PATIENT, "".parse().expect("no networks")));
    let place = open.add(Ipv4Addr::LOCALHOST.into()).expect("a place");
    place.activity.read();
    place.activity.begin(false);
    while place.activity.quiet_for() <= QUIET {
        tokio::time::sleep(A_MOMENT).await;
    }
    place.activity.answered();
    open.close_quiet();
    assert!(timeout(Duration::ZERO, place.activity.told()).await.is_err(), "it may go on");
}

#[tokio::test]
async fn a_request_in_the_queue_is_answered_when_the_server_stops() {
    let server = Server::start(PATIENT, "").await;
    let mut early = server.connect().await;
    server.counts(1).await;
    early.send(REQUEST).await;
    server.stop().await;
    assert!(early.answer().await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn all_connections_in_the_queue_are_accepted_when_the_server_stops() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (close, must_close) = watch::channel(false);
    let mut listener = ClosingListener::new(listener, must_close);
    let mut waiting = Vec::new();
    for _ in 0..20 {
        waiting.push(TcpStream::connect(address).await.expect("a connection"));
    }
    close.send_replace(true);
    for number in 0..20 {
        assert!(listener.accept().await.is_some(), "{number}");
    }
    assert!(listener.accept().await.is_none());
}

type Http2 = (SendRequest<Body>, JoinHandle<hyper::Result<()>>);

async fn http2(address: SocketAddr) -> Http2 {
    let stream = TcpStream::connect(address).await.expect("a connection");
    let handshake = hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream));
    let (sender, connection) = handshake.await.expect("a handshake");
    (sender, tokio::spawn(connection))
}

#[tokio::test]
async fn others_may_not_speak_http2() {
    let server = Server::start(PATIENT, "").await;
    let (mut sender, connection) = http2(server.address).await;
    let request = Request::get("http://shop/").body(Body::empty()).expect("a request");
    assert!(sender.send_request(request).await.is_err());
    assert!(connection.await.expect("no panic").is_err());
    server.stop().await;
}

#[tokio::test]
async fn proxies_may_speak_http2() {
    let server = Server::start(PATIENT, "127.0.0.0/8").await;
    let (mut sender, connection) = http2(server.address).await;
    let request = Request::get("http://shop/").body(Body::empty()).expect("a request");
    let response = sender.send_request(request).await.expect("a response");
    assert_eq!((response.status().as_u16(), response.version()), (200, axum::http::Version::HTTP_2));
    let waiting = sender.send_request(Request::get("http://shop/wait").body(Body::empty()).expect("a request"));
    let waiting = tokio::spawn(waiting);
    server.arrived.notified().await;
    let let_go = Arc::clone(&server.let_go);
    let stopping = tokio::spawn(server.stop());
    // Until the server says that it takes no more.
    while sender.send_request(Request::get("http://shop/").body(Body::empty()).expect("a request")).await.is_ok() {}
    let_go.notify_one();
    assert_eq!(waiting.await.expect("no panic").expect("a response").status().as_u16(), 200);
    stopping.await.expect("it stops");
    // It ends without an error or with the end of the stream.
    let _ = connection.await;
}

/// A frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).expect("a short frame");
    let mut bytes = vec![0, 0, length, kind, flags];
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

/// HEADERS of a whole request.
fn get(stream: u32, path: &str) -> Vec<u8> {
    // `:method: GET` and `:scheme: http` from HPACK's table, then `:authority` and `:path` with their values.
    let mut head = vec![0x82, 0x86];
    for (name, value) in [(0x01, "shop"), (0x04, path)] {
        head.extend([name, u8::try_from(value.len()).expect("a short value")]);
        head.extend(value.as_bytes());
    }
    frame(0x1, 0x5, stream, &head)
}

#[tokio::test]
async fn requests_that_are_canceled_end_no_others_of_a_proxy() {
    /// CANCEL
    const CODE: [u8; 4] = [0, 0, 0, 8];
    let server = Server::start(PATIENT, "127.0.0.0/8").await;
    let mut proxy = server.connect().await.0;
    let opening = [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(), frame(0x4, 0, 0, &[]), get(1, "/wait")].concat();
    proxy.write_all(&opening).await.expect("a connection that takes bytes");
    server.arrived.notified().await;
    // In one write, so that the server reads them all before it accepts one.
    let canceled = (1..=100).map(|number| 2 * number + 1).flat_map(|id| [get(id, "/"), frame(0x3, 0, id, &CODE)]);
    proxy.write_all(&canceled.collect::<Vec<_>>().concat()).await.expect("a connection that takes bytes");
    let ping = *b"all read";
    proxy.write_all(&frame(0x6, 0, 0, &ping)).await.expect("a connection that takes bytes");
    read_until(&mut proxy, &ping).await;
    server.let_go.notify_one();
    read_until(&mut proxy, b"hello").await;
}

/// Until this comes.
async fn read_until(stream: &mut TcpStream, end: &[u8]) {
    let mut bytes = Vec::new();
    let reading = async {
        while !bytes.windows(end.len()).any(|window| window == end) {
            let count = stream.read_buf(&mut bytes).await.expect("bytes");
            assert_ne!(count, 0, "{}", bytes.escape_ascii());
        }
    };
    timeout(MOST, reading).await.expect("it comes");
}
