//! `make dev`: watches the app's sources and starts serving each finished bundle.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use serde::Deserialize;
use shop_domain::catalog::changes::Change;
use shop_platform::web::site::Site;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::app::App;

/// What the watching bundler prints after each build.
#[derive(Debug, Deserialize)]
struct Build {
    #[serde(default)]
    css_only: bool,
    #[serde(default)]
    errors: Vec<String>,
}

/// A running bundler and what it prints.
pub type Bundler = (Child, Lines);

/// Starts the bundler and waits for its first build.
pub async fn bundler(folder: &Path) -> std::io::Result<Bundler> {
    let mut child = Command::new("node")
        .args(["app/dev.mjs", "--out"])
        .arg(folder)
        // It ends when its input does, also if this process is killed.
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let out = child.stdout.take().ok_or_else(|| std::io::Error::other("the bundler has no output"))?;
    let mut lines = BufReader::new(out).lines();
    lines.next_line().await?.ok_or_else(|| std::io::Error::other("the bundler ended before its first build"))?;
    Ok((child, lines))
}

type Lines = tokio::io::Lines<BufReader<tokio::process::ChildStdout>>;

/// Starts serving every later build until the bundler ends.
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
        app.parts.reloads.send(message);
    }
}

/// The old isolates keep running until the new ones are ready, or for good when only styles changed.
async fn take_into_service(app: &App, css_only: bool) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let Some(folder) = app.config.dev_bundle.clone() else { return Ok(()) };
    let rendering = app.config.rendering.clone();
    let running = css_only.then(|| app.site().renderer.clone());
    let site = tokio::task::spawn_blocking(move || Site::folder(&folder, &rendering, running)).await??;
    app.replace_site(Arc::new(site));
    app.parts.catalog.changes.note(&Change::everything());
    Ok(())
}
