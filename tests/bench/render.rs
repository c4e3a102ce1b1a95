//! Renders per second of one isolate, compared with the same bundle looped in Node: `cargo bench --bench shop -- render`. Both get the envelope
//! that the shop creates for the page, and both must give the same HTML.

use std::fs;
use std::hint::black_box;
use std::io::{Result, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, FromRef};
use axum::http::{Request, header};
use shop::app::App;
use shop::router::{PAGES, router};
use shop_base::clock::SystemClock;
use shop_base::config::Rendering;
use shop_base::db::Db;
use shop_http::layers::outermost::Outermost;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::site::Site;
use ssr_runtime::Renderer;
use tower::ServiceExt;

const PATHS: [&str; 2] = ["/products", "/product/double-blade-cutter"];
const ROUNDS: usize = 7;
const WARM_UP: Duration = Duration::from_secs(2);
const MEASURE: Duration = Duration::from_secs(2);

#[tokio::main(flavor = "current_thread")]
pub async fn run() -> Result<()> {
    let mut out = std::io::stdout();
    let folder = tempfile::tempdir()?;
    let app = shop(folder.path()).await;
    let service = router(app.clone(), PAGES).unwrap();
    let renderer = app.site().renderer.clone();
    for path in PATHS {
        let envelope = envelope(&app, &service, path).await;
        let file = folder.path().join("envelope.json");
        fs::write(&file, &envelope)?;
        let length = renderer.render(envelope.clone()).await.unwrap().text.len();
        in_isolate(&renderer, &envelope, WARM_UP).await;
        let (mut isolate, mut node) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            isolate.push(in_isolate(&renderer, &envelope, MEASURE).await);
            node.push(in_node(&file, length));
        }
        let (isolate, node) = (median(isolate), median(node));
        writeln!(
            out,
            "{path}: {length} bytes of HTML; isolate {isolate:.0}/s, node {node:.0}/s, ratio {:.2}",
            isolate / node
        )?;
    }
    Ok(())
}

/// A seeded shop with one isolate.
async fn shop(folder: &Path) -> App {
    let mut config = shop_demo::config(0, folder.to_owned(), false).unwrap();
    config.rendering = Rendering { isolates: 1, ..Rendering::default() };
    let clock = Arc::new(SystemClock);
    let db = Db::open(config.data.database.expose()).await.unwrap();
    shop::demo_data::seed(&db, &config, clock.as_ref()).await.unwrap();
    let site = Site::embedded(&shop::bundle::BUNDLE, &config.rendering).unwrap();
    App::build(config, clock, db, std::future::ready(Ok(site))).await.unwrap()
}

/// The envelope for a visitor who has passed the age gate.
async fn envelope(app: &App, service: &Outermost, path: &str) -> String {
    let cookie = shop_http::storefront::age::cookie::issue(&SignedCookies::from_ref(app));
    let mut request = Request::get(format!("{path}/_payload.json")).body(Body::empty()).unwrap();
    request.headers_mut().insert(header::COOKIE, cookie);
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 40_000))));
    let response = service.clone().oneshot(request).await.unwrap();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    String::from_utf8(body.to_vec()).unwrap()
}

/// Renders per second of an isolate whose queue is never empty, as under load.
async fn in_isolate(renderer: &Renderer, envelope: &str, time: Duration) -> f64 {
    let began = Instant::now();
    let visitor = async || {
        let mut renders = 0_u32;
        while began.elapsed() < time {
            black_box(renderer.render(envelope.to_owned()).await.unwrap());
            renders += 1;
        }
        renders
    };
    let (one, other) = tokio::join!(visitor(), visitor());
    f64::from(one + other) / began.elapsed().as_secs_f64()
}

/// The same in a separate Node process.
fn in_node(envelope: &Path, length: usize) -> f64 {
    let output = Command::new("node")
        .arg("tests/bench/render.mjs")
        .arg(concat!(env!("OUT_DIR"), "/bundle/server.js"))
        .arg(envelope)
        .args([WARM_UP, MEASURE].map(|time| time.as_millis().to_string()))
        .arg(length.to_string())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
