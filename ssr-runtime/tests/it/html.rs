//! What a render gives.

use ssr_runtime::{RenderError, Renderer};

use crate::fixture::{FIXTURE, cards, node, props, script, snapshot};

#[tokio::test]
async fn a_page_has_the_html_of_reacts_node_build() {
    let props = cards(48);
    let expected = node(&["tests/fixture/golden.mjs", env!("CARGO_TARGET_TMPDIR"), &props]);
    let html = Renderer::start(snapshot()).unwrap().render(props).await.unwrap();
    assert!(html.text.len() > 20_000);
    assert_eq!(html.text, expected);
    assert!(FIXTURE.script.is_ascii());
    let _ = (RenderError::Stopped, script);
}
