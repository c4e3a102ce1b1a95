//! `make dev`: watches the app's sources, takes each finished bundle into service and tells open browsers.

use std::convert::Infallible;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::broadcast;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::BroadcastStream;

use super::extract::Asked;
use super::site::Site;
use crate::app::App;
use crate::error::Error;

/// What the watching bundler prints after each build.
#[derive(Debug, Deserialize)]
struct Build {
    #[serde(default)]
    css_only: bool,
    #[serde(default)]
    errors: Vec<String>,
}

/// Tells open browsers to reload.
#[derive(Clone, Debug)]
pub struct Reloads(broadcast::Sender<&'static str>);

impl Default for Reloads {
    fn default() -> Self {
        Self(broadcast::Sender::new(8))
    }
}

/// `GET /dev/reload`
pub async fn reload(State(app): State<App>, asked: Asked) -> Response {
    if app.config.dev_bundle.is_none() {
        return Error::NoRoute { path: asked.full_path() }.into_response();
    }
    let messages = BroadcastStream::new(app.parts.reloads.0.subscribe())
        .filter_map(Result::ok)
        .map(|message| Ok::<_, Infallible>(Event::default().data(message)));
    Sse::new(messages).keep_alive(KeepAlive::default()).into_response()
}

/// Starts the bundler and waits for its first build.
pub async fn bundler(folder: &Path) -> std::io::Result<(Child, Lines)> {
    let mut child = Command::new("node")
        .args(["app/dev.mjs", "--out"])
        .arg(folder)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let out = child.stdout.take().ok_or_else(|| std::io::Error::other("the bundler has no output"))?;
    let mut lines = BufReader::new(out).lines();
    lines.next_line().await?.ok_or_else(|| std::io::Error::other("the bundler ended before its first build"))?;
    Ok((child, lines))
}

type Lines = tokio::io::Lines<BufReader<tokio::process::ChildStdout>>;

/// Takes every later build into service until the bundler ends.
pub async fn follow(app: App, mut lines: Lines) {
    while let Ok(Some(line)) = lines.next_line().await {
        let build: Build = match serde_json::from_str(&line) {
            Ok(build) => build,
            Err(error) => {
                tracing::warn!(%error, line, "the bundler said something else");
                continue;
            }
        };
        for error in &build.errors {
            tracing::error!(error, "the app does not build");
        }
        if !build.errors.is_empty() {
            continue;
        }
        if let Err(error) = take_into_service(&app, build.css_only).await {
            tracing::error!(%error, "the new bundle does not start; the old one stays");
            continue;
        }
        let message = if build.css_only { "css" } else { "reload" };
        // Nobody may be listening.
        let _ = app.parts.reloads.0.send(message);
    }
}

/// The old isolates go on until the new ones are there, or for good when only styles changed.
async fn take_into_service(app: &App, css_only: bool) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let Some(folder) = app.config.dev_bundle.clone() else { return Ok(()) };
    let rendering = app.config.rendering.clone();
    let running = css_only.then(|| app.site().renderer.clone());
    let site = tokio::task::spawn_blocking(move || Site::folder(&folder, &rendering, running)).await??;
    app.replace_site(Arc::new(site));
    app.parts.pages.clear();
    Ok(())
}
