//! What the program tells those who run it: its log, and traces and logs for a collector if one is configured.

use std::collections::HashMap;
use std::error::Error;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_appender_tracing::layer::OpenTelemetryTracingBridge;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{LogExporter, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::SdkLoggerProvider;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use reqwest::redirect::Policy;
use shop_base::config::Otlp;
use shop_base::recent_errors::RecentErrors;
use shop_base::record::RECORD;
use shop_base::trace::TRACE;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::commands::Command;

/// Says why a command failed, which is told whatever is logged.
pub const FAILED: &str = "shop::failed";
/// What `object_store` tries again it says by itself, and the shop says once what came of it.
const QUIET: (&str, LevelFilter) = ("object_store", LevelFilter::WARN);
/// The text of statements, without their values.
const STATEMENTS: &str = "sqlx::query";
/// For one answer of the collector.
const PATIENCE: Duration = Duration::from_secs(10);
/// A stop waits this long for the last traces, and for the last logs.
const LAST_CALL: Duration = Duration::from_secs(2);

/// Sends in the background; what a collector that is slow or away does not take is dropped.
pub struct Telemetry(Option<Exporters>);

struct Exporters {
    traces: SdkTracerProvider,
    logs: SdkLoggerProvider,
}

impl Telemetry {
    /// Text for a terminal and for whoever tries the shop out, JSON for everything else.
    pub fn start(command: &Command) -> Result<Self, Box<dyn Error + Send + Sync>> {
        // A demonstration prints its log to the terminal, so it is short; operators want much more.
        let is_demo = matches!(command, Command::Demo(_));
        let usual = if is_demo { "warn,shop::demo_data=info" } else { "info,object_store=warn" };
        let (filter, problem) = match command.log_filter().map(EnvFilter::try_new) {
            Some(Ok(filter)) => (filter, None),
            Some(Err(problem)) => (EnvFilter::new(usual), Some(problem)),
            None => (EnvFilter::new(usual), None),
        };
        let filter = filter.add_directive(format!("{FAILED}=error").parse()?);
        // In a demonstration nobody will need them.
        let filter = if is_demo { filter } else { filter.add_directive(format!("{RECORD}=info").parse()?) };
        let text = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
        let log = if std::io::stderr().is_terminal() {
            text.boxed()
        } else if is_demo {
            text.with_ansi(false).boxed()
        } else {
            text.json().boxed()
        };
        let log = log.and_then(RecentErrors).with_filter(filter);
        let exporters = command.otlp().map(|otlp| Exporters::new(&otlp)).transpose()?;
        tracing_subscriber::registry().with(log).with(exporters.as_ref().map(Exporters::layer)).init();
        if let Some(problem) = problem {
            tracing::warn!(%problem, "RUST_LOG cannot be read: what is logged is {usual}");
        }
        Ok(Self(exporters))
    }

    /// Sends what is left.
    pub fn end(self) {
        if let Some(Exporters { traces, logs }) = self.0 {
            // The collector may be away, which was logged.
            let _ = (traces.shutdown_with_timeout(LAST_CALL), logs.shutdown_with_timeout(LAST_CALL));
        }
    }
}

impl Exporters {
    fn new(otlp: &Otlp) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let resource = Resource::builder_empty()
            .with_service_name("shop")
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let http = reqwest::blocking::Client::builder().redirect(Policy::none()).timeout(PATIENCE).build()?;
        let collector = |signal| Collector { http: http.clone(), signal, is_away: AtomicBool::new(false) };
        let mut headers = HashMap::new();
        if let Some((name, value)) = &otlp.header {
            headers.insert(name.to_string(), value.to_str()?.to_owned());
        }
        let spans = SpanExporter::builder()
            .with_http()
            .with_http_client(collector("traces"))
            .with_endpoint(otlp.address("traces"))
            .with_headers(headers.clone())
            .build()?;
        let records = LogExporter::builder()
            .with_http()
            .with_http_client(collector("logs"))
            .with_endpoint(otlp.address("logs"))
            .with_headers(headers)
            .build()?;
        Ok(Self {
            traces: SdkTracerProvider::builder()
                .with_resource(resource.clone())
                .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(otlp.ratio))))
                .with_batch_exporter(spans)
                .build(),
            logs: SdkLoggerProvider::builder().with_resource(resource).with_batch_exporter(records).build(),
        })
    }

    fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: tracing::Subscriber + for<'s> tracing_subscriber::registry::LookupSpan<'s> + Send + Sync,
    {
        let usual = Targets::new().with_default(LevelFilter::INFO).with_targets([QUIET]);
        let traced = usual.clone().with_targets([(TRACE, LevelFilter::DEBUG), (STATEMENTS, LevelFilter::DEBUG)]);
        let traces = tracing_opentelemetry::layer().with_tracer(self.traces.tracer("shop")).with_filter(traced);
        traces.and_then(OpenTelemetryTracingBridge::new(&self.logs).with_filter(usual))
    }
}

/// Where a signal is sent. Called on a thread of its own, which may wait.
#[derive(Debug)]
struct Collector {
    http: reqwest::blocking::Client,
    signal: &'static str,
    /// So that only a change is logged.
    is_away: AtomicBool,
}

impl Collector {
    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let response = self.http.execute(request.try_into()?)?;
        let mut answer = Response::builder().status(response.status());
        if let Some(headers) = answer.headers_mut() {
            headers.clone_from(response.headers());
        }
        Ok(answer.body(response.bytes()?)?)
    }
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let answered = self.send(request);
        let cause = match &answered {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(answer.status().to_string()),
            Err(error) => Some(error.to_string()),
        };
        let was_away = self.is_away.swap(cause.is_some(), Ordering::Relaxed);
        match cause {
            Some(cause) if !was_away => {
                tracing::warn!(
                    signal = self.signal,
                    cause,
                    "the collector does not take what is sent: check SHOP_OTLP_ENDPOINT"
                );
            }
            None if was_away => tracing::info!(signal = self.signal, "the collector takes what is sent again"),
            _ => {}
        }
        answered
    }
}
