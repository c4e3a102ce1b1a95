//! Components with reused HTML give the same page as without reuse.

use serde_json::json;
use ssr_runtime::{Options, RenderError, Renderer};

use crate::fixture::{cards, props, snapshot};

async fn html(renderer: &Renderer, props: String) -> String {
    renderer.render(props).await.unwrap().text
}

fn reused(cards: String) -> String {
    cards.replace(r#""page":"cards""#, r#""page":"reused""#)
}

#[tokio::test]
async fn reused_html_is_the_same_to_the_byte() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let ordinary = html(&renderer, cards(48)).await;
    for _ in 0..3 {
        assert_eq!(html(&renderer, reused(cards(48))).await, ordinary);
    }
}

#[tokio::test]
async fn a_component_is_rendered_once_for_each_key() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let bodies = async || html(&renderer, props("bodies", json!({}))).await;
    // The sample from the warm-up, whose HTML is discarded.
    assert_eq!(bodies().await, "<p>1</p>");
    for _ in 0..3 {
        html(&renderer, reused(cards(48))).await;
        assert_eq!(bodies().await, "<p>49</p>");
    }
    html(&renderer, reused(cards(50))).await;
    assert_eq!(bodies().await, "<p>51</p>");
}

#[tokio::test]
async fn what_cannot_stand_alone_is_rendered_as_usual() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let unfit = |kind: &str| props("unfit", json!({ "kind": kind }));
    let preload = html(&renderer, unfit("preload")).await;
    assert_eq!(
        preload,
        r#"<link rel="preload" as="image" href="/hero.avif"/><div><img src="/hero.avif" alt=""/></div>"#
    );
    assert_eq!(html(&renderer, unfit("suspend")).await, "<div><p>later</p></div>");
    let error = renderer.render(unfit("throw")).await.unwrap_err();
    assert!(matches!(&error, RenderError::Thrown { message, .. } if message.contains("kettle")), "{error:?}");
}

/// 30,000 titles of 1,000 characters would need more memory than this isolate has.
#[tokio::test]
async fn the_cache_is_bounded() {
    let renderer = Renderer::start(Options { heap_limit_bytes: 48 << 20, ..snapshot() }).unwrap();
    let filler = "x".repeat(1_000);
    for page in 0..300 {
        let card = |i: usize| json!({ "id": page * 100 + i, "title": filler, "price": 1, "sale": false });
        let cards = (0..100).map(card).collect::<Vec<_>>();
        html(&renderer, props("reused", json!({ "cards": cards }))).await;
    }
    assert_eq!(renderer.stats().isolates[0].restarts, 0);
}
