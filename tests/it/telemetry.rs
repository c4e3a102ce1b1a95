//! Traces and logs of a running program, as a collector receives them.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use prost::Message;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::support::ports::free_port;
use crate::support::program::Program;
use crate::support::{Database, OnSqlite, Test, TestShop, new_postgres_database, until};
use crate::tests;

pub const TESTS: &[Test] =
    tests![a_collector_gets_traces_and_logs_of_requests, a_collector_that_is_away_stops_nothing,];

const AWAY: &str = "the collector does not take what is sent: check SHOP_OTLP_ENDPOINT";

#[derive(Default)]
struct Received {
    spans: Vec<Span>,
    logs: Vec<LogRecord>,
}

#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Received>>);

impl Collector {
    async fn listen(&self, port: u16) -> JoinHandle<()> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let router = Router::new().fallback(Self::take).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() })
    }

    async fn take(State(Self(received)): State<Self>, headers: HeaderMap, uri: Uri, body: Bytes) {
        assert_eq!(headers["authorization"], "Bearer of-the-collector");
        let mut received = received.lock().unwrap();
        match uri.path() {
            "/v1/traces" => {
                let sent = ExportTraceServiceRequest::decode(body).unwrap();
                let scopes = sent.resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
                received.spans.extend(scopes.flat_map(|scope| scope.spans));
            }
            "/v1/logs" => {
                let sent = ExportLogsServiceRequest::decode(body).unwrap();
                let scopes = sent.resource_logs.into_iter().flat_map(|resource| resource.scope_logs);
                received.logs.extend(scopes.flat_map(|scope| scope.log_records));
            }
            path => panic!("nothing is sent to {path}"),
        }
    }

    fn spans(&self) -> Vec<Span> {
        self.0.lock().unwrap().spans.clone()
    }

    fn logs(&self) -> Vec<LogRecord> {
        self.0.lock().unwrap().logs.clone()
    }
}

async fn serve(database: Database, collector: u16) -> Program {
    let port = free_port();
    let database = match database {
        Database::Sqlite => "sqlite:shop.db".to_owned(),
        Database::Postgres => new_postgres_database().await,
    };
    let settings = [
        ("SHOP_ORIGIN", format!("http://localhost:{port}")),
        ("SHOP_OTLP_ENDPOINT", format!("http://127.0.0.1:{collector}/")),
        ("SHOP_OTLP_HEADER", "Authorization: Bearer of-the-collector".to_owned()),
    ];
    Program::node(port, &database, &settings.each_ref().map(|(name, value)| (*name, value.as_str()))).await
}

fn text(attributes: &[KeyValue], key: &str) -> String {
    let attribute = attributes.iter().find(|attribute| attribute.key == key);
    match attribute.and_then(|attribute| attribute.value.clone()?.value) {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        other => panic!("{key} is {other:?}"),
    }
}

/// The spans of a name inside another, at any depth.
fn inside<'a>(spans: &'a [Span], outer: &Span, name: &str) -> Vec<&'a Span> {
    let is_inside = |span: &&Span| {
        let mut at = *span;
        while let Some(parent) = spans.iter().find(|parent| parent.span_id == at.parent_span_id) {
            if parent.span_id == outer.span_id {
                return true;
            }
            at = parent;
        }
        false
    };
    spans.iter().filter(|span| span.name == name).filter(is_inside).collect()
}

async fn a_collector_gets_traces_and_logs_of_requests(shop: TestShop) {
    let (collector, port) = (Collector::default(), free_port());
    let listening = collector.listen(port).await;
    let mut program = serve(shop.database, port).await;
    assert_eq!(program.get("/products?q=what-somebody-searches").await.status(), 200);
    let checkout = "0193fdb0-0000-7000-8000-000000000000";
    assert_eq!(program.get(&format!("/api/checkout/{checkout}")).await.status(), 404);
    let report = r#"{"kind":"error","build":"of-today","message":"it broke","stack":"at here","url":"/"}"#;
    let reported = program
        .exchange(&format!(
            "POST /api/client-errors HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: of-the-report\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{report}",
            report.len()
        ))
        .await;
    assert_eq!(reported.status(), 204);
    // What was not sent yet is sent before it ends.
    program.terminate().await;
    assert!(program.end().await.success());

    let (spans, logs) = (collector.spans(), collector.logs());
    let handler = |name: &str| spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("no {name}"));
    let request = |name: &str| {
        let inner = handler(name);
        let span = spans.iter().find(|span| span.span_id == inner.parent_span_id).unwrap();
        assert_eq!((span.kind(), span.parent_span_id.len()), (SpanKind::Server, 0), "{name}");
        span
    };
    let page = request("GET /products");
    assert_eq!(page.name, "GET");
    assert_eq!(text(&page.attributes, "http.route"), "/products");
    assert_eq!(text(&page.attributes, "http.response.status_code"), "200");
    let render = inside(&spans, page, "render");
    assert_eq!(text(&render[0].attributes, "page"), "catalog/list");

    let missing = request("GET /api/checkout/{checkout_id}");
    let statements = inside(&spans, handler("GET /api/checkout/{checkout_id}"), "statement");
    assert!(text(&statements[0].attributes, "code.file.path").starts_with("server/"));
    let run = statements[0].events.iter().find(|event| event.attributes.iter().any(|a| a.key == "db.statement"));
    assert!(text(&run.unwrap().attributes, "db.statement").contains("SELECT"));
    // What a visitor gets is not an error of the shop.
    assert_ne!(missing.status.clone().unwrap_or_default().code(), StatusCode::Error);

    let report = request("POST /api/client-errors");
    assert_eq!(text(&report.attributes, "id"), "of-the-report");
    let logged = logs.iter().find(|log| log.trace_id == report.trace_id).expect("the log of the report");
    assert_eq!(logged.severity_text, "WARN");
    // What a browser says does not take the place of the shop's own words.
    let words = logged.body.clone().and_then(|body| body.value);
    assert_eq!(words, Some(Value::StringValue("an error in a browser".to_owned())));
    assert_eq!(text(&logged.attributes, "error"), "it broke");
    let log = program.log();
    let line = log.lines().find(|line| line.contains("it broke")).expect("the line of the report");
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["fields"]["message"], "an error in a browser");

    let everything = format!("{spans:?} {logs:?}");
    assert!(!everything.contains("what-somebody-searches"), "the query of a request was sent");
    assert!(log.contains("nothing_found"));
    assert!(!log.contains(checkout) && !everything.contains(checkout), "who knows it gets the link of its order");
    listening.abort();
}

async fn a_collector_that_is_away_stops_nothing(OnSqlite(shop): OnSqlite) {
    let (collector, port) = (Collector::default(), free_port());
    let mut program = serve(shop.database, port).await;
    until("the program says that the collector is away", async || {
        assert_eq!(program.get("/healthz").await.status(), 200);
        // Once for traces, once for logs.
        program.log().matches(AWAY).count() == 2
    })
    .await;
    let listening = collector.listen(port).await;
    until("what comes later is sent", async || {
        assert_eq!(program.get("/healthz").await.status(), 200);
        !collector.spans().is_empty()
    })
    .await;
    assert_eq!(program.log().matches(AWAY).count(), 2);
    program.terminate().await;
    assert!(program.end().await.success());
    listening.abort();
}
