//! Components with reused HTML give the same page as without reuse.

use serde_json::{Value, json};
use ssr_runtime::{Fragments, Missing, RenderError, Renderer};

use crate::fixture::{cards, props, snapshot};

async fn html(renderer: &Renderer, props: String) -> String {
    renderer.render(props).await.unwrap().text
}

/// A list whose cards have ids, with the data beside them or without.
fn reused(count: usize, with_data: bool) -> String {
    let mut page: Value = serde_json::from_str(&cards(count)).unwrap();
    for (id, card) in page["props"]["cards"].as_array_mut().unwrap().iter_mut().enumerate() {
        if !with_data {
            *card = json!({});
        }
        card["$id"] = id.into();
    }
    props("reused", page["props"].clone())
}

fn inserted(fragments: &Fragments, html: &str) -> Result<String, Missing> {
    let mut out = String::new();
    fragments.insert(html, &mut out).map(|()| out)
}

#[tokio::test]
async fn reused_html_is_the_same_to_the_byte() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let ordinary = html(&renderer, cards(48)).await;
    let fragments = Fragments::new(1 << 20);
    let references = html(&renderer, reused(48, false)).await;
    assert_eq!(inserted(&fragments, &references), Err(Missing));
    let defined = html(&renderer, reused(48, true)).await;
    assert_eq!(inserted(&fragments, &defined), Ok(ordinary.clone()));
    assert_eq!(inserted(&fragments, &references), Ok(ordinary));
    assert!(references.len() < 1_000, "{references}");
}

#[tokio::test]
async fn a_reference_renders_nothing() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let rendered = async || html(&renderer, props("rendered", json!({}))).await;
    // The sample from the warm-up.
    assert_eq!(rendered().await, "<p>1</p>");
    html(&renderer, reused(48, true)).await;
    assert_eq!(rendered().await, "<p>49</p>");
    html(&renderer, reused(48, false)).await;
    assert_eq!(rendered().await, "<p>49</p>");
}

#[tokio::test]
async fn what_cannot_stand_alone_is_rendered_as_usual() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let unfit = |kind: &str| props("unfit", json!({ "kind": kind, "$id": 1 }));
    let preload = html(&renderer, unfit("preload")).await;
    assert_eq!(
        preload,
        r#"<link rel="preload" as="image" href="/hero.avif"/><div><img src="/hero.avif" alt=""/></div>"#
    );
    assert_eq!(html(&renderer, unfit("suspend")).await, "<div><p>later</p></div>");
    let error = renderer.render(unfit("throw")).await.unwrap_err();
    assert!(matches!(&error, RenderError::Thrown { message, .. } if message.contains("kettle")), "{error:?}");
}

#[tokio::test]
async fn templates_are_filled_as_react_would() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let labels = ["Briar", "<b> & \"quotes\" ' \u{2013} caf\u{e9}", "", "\u{3}label\u{3}"];
    let option = |(at, label): (usize, &&str)| json!({ "value": at.to_string(), "label": label, "count": at, "selected": at % 2 == 0 });
    let items: Vec<_> = labels.iter().enumerate().map(option).collect();
    let page = |name: &str| props(name, json!({ "items": items }));
    let ordinary = html(&renderer, page("options")).await;
    for _ in 0..2 {
        assert_eq!(html(&renderer, page("templates")).await, ordinary);
    }
}
