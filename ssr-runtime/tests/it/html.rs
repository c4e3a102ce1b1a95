//! The HTML of a render.

use serde_json::json;
use ssr_runtime::{Options, RenderError, Renderer};

use crate::fixture::{cards, node, props, script, snapshot, text};

#[tokio::test]
async fn a_page_has_the_html_of_reacts_node_build() {
    let props = cards(48);
    let expected = node(&["tests/fixture/golden.mjs", env!("CARGO_TARGET_TMPDIR"), &props]);
    let html = Renderer::start(snapshot()).unwrap().render(props).await.unwrap();
    assert!(html.text.len() > 20_000);
    assert_eq!(html.text, expected);
}

#[tokio::test]
async fn a_snapshot_and_its_script_give_the_same_html() {
    let html_of = async |options: Options| {
        let renderer = Renderer::start(options).unwrap();
        let pages =
            [cards(3), text("caf\u{e9} \u{1f375}"), props("lazy", json!({})), props("timed", json!({ "delay": 1 }))];
        let mut html = Vec::new();
        for page in pages {
            html.push(renderer.render(page).await.unwrap().text);
        }
        html
    };
    assert_eq!(html_of(snapshot()).await, html_of(script()).await);
}

#[tokio::test]
async fn text_outside_of_ascii_survives() {
    let renderer = Renderer::start(snapshot()).unwrap();
    for said in ["plain", "caf\u{e9}", "\u{201c}quoted\u{201d} \u{1f375}"] {
        let html = renderer.render(text(said)).await.unwrap();
        assert_eq!(html.text, format!("<p id=\"_R_0_\">{said}</p>"));
    }
}

#[tokio::test]
async fn a_page_that_waits_is_complete_when_it_comes() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let html = renderer.render(props("timed", json!({ "delay": 20 }))).await.unwrap();
    assert_eq!(html.text, "<!--$--><p>after 20 ms</p><!--/$-->");
    assert!(html.rendered.as_millis() >= 20);
}

#[tokio::test]
async fn a_thrown_error_names_the_source_and_the_components() {
    let source = include_str!("../fixture/server.tsx");
    let line = 1 + source.lines().position(|line| line.contains("the kettle is empty")).unwrap();
    let renderer = Renderer::start(snapshot()).unwrap();
    for page in ["throwing", "boundary"] {
        let error = renderer.render(props(page, json!({}))).await.unwrap_err();
        let RenderError::Thrown { message, stack } = error else { panic!("{error:?}") };
        assert_eq!(message, "TypeError: the kettle is empty");
        let (calls, components) = stack.split_once("\nin components:").unwrap();
        for part in [calls, components] {
            assert!(part.contains(&format!("tests/fixture/server.tsx:{line}:9)")), "{stack}");
        }
        assert!(!stack.contains("app.js"), "{stack}");
    }
}

#[tokio::test]
async fn whatever_is_thrown_or_returned_has_a_message() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let message = async |json: String| match renderer.render(json).await {
        Err(RenderError::Thrown { message, .. }) => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(message(props("null", json!({}))).await, "null");
    assert_eq!(message(props("raw", json!({}))).await, "TypeError: render returned no string");
    assert_eq!(message(props("nowhere", json!({}))).await, "Error: no page nowhere");
    assert!(message("{".into()).await.starts_with("SyntaxError: "));
    assert!(message(props("never", json!({}))).await.contains("can never settle"));
}
