//! Pages made of HTML that was rendered before are the same as without it.

use std::sync::Arc;

use serde_json::{Value, json};
use ssr_runtime::{Data, Fragments, Parts, Props, RenderError, Renderer};

use crate::fixture::{cards, props, snapshot};

const NOBODY: u64 = 0;

async fn html(renderer: &Renderer, props: String) -> String {
    renderer.render(props).await.unwrap().text
}

/// The page as it is made of what is known, and whether an isolate rendered anything.
async fn made(fragments: &Fragments, renderer: &Renderer, props: &Props, is_kept: bool) -> (String, bool) {
    let before = renderer.stats().renders;
    let mut out = String::from("<!doctype html>");
    let reused = fragments.render(renderer, props, NOBODY, is_kept, &mut out).await.unwrap();
    assert!(reused.shown.is_some());
    (out.split_off("<!doctype html>".len()), renderer.stats().renders > before)
}

/// A list of cards, each of which is reusable.
fn grid(count: usize) -> Props {
    let page: Value = serde_json::from_str(&cards(count)).unwrap();
    let mut parts = Parts::default();
    let cards = page["props"]["cards"].as_array().unwrap().iter();
    let cards: Vec<_> = cards.map(|card| parts.push_data(Arc::new(Data::new(card.to_string()))).to_string()).collect();
    Props { json: props("reused", json!({ "cards": cards })), parts }
}

#[tokio::test]
async fn reused_html_is_the_same_to_the_byte() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let fragments = Fragments::new(1 << 20);
    let ordinary = html(&renderer, cards(48)).await;
    let page = grid(48);
    for (is_kept, renders) in [(false, true), (false, true), (true, true), (true, false)] {
        assert_eq!(made(&fragments, &renderer, &page, is_kept).await, (ordinary.clone(), renders));
    }
    // Other cards in the same places: only these are rendered.
    let other = grid(48);
    assert_eq!(made(&fragments, &renderer, &other, true).await, (ordinary.clone(), true));
    assert_eq!(made(&fragments, &renderer, &other, true).await, (ordinary, false));
}

#[tokio::test]
async fn a_reference_renders_nothing() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let fragments = Fragments::new(1 << 20);
    let rendered = async || html(&renderer, props("rendered", json!({}))).await;
    // The sample from the warm-up.
    assert_eq!(rendered().await, "<p>1</p>");
    let page = grid(48);
    for _ in 0..2 {
        made(&fragments, &renderer, &page, false).await;
        assert_eq!(rendered().await, "<p>49</p>");
    }
}

#[tokio::test]
async fn what_cannot_stand_alone_is_rendered_as_usual() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let unfit = |kind: &str| props("unfit", json!({ "kind": kind, "$id": "1" }));
    let preload = html(&renderer, unfit("preload")).await;
    assert_eq!(
        preload,
        r#"<link rel="preload" as="image" href="/hero.avif"/><div><img src="/hero.avif" alt=""/></div>"#
    );
    assert_eq!(html(&renderer, unfit("suspend")).await, "<div><p>later</p></div>");
    let error = renderer.render(unfit("throw")).await.unwrap_err();
    assert!(matches!(&error, RenderError::Thrown { message, .. } if message.contains("kettle")), "{error:?}");
}

/// A page with a heading, a count and one option for each label, and the same as JSON without markers.
fn choice(page: &str, heading: &str, labels: &[&str]) -> (Props, String) {
    let option = |at: usize, label: &str| json!({ "value": at.to_string(), "label": label, "count": at, "selected": at.is_multiple_of(2) });
    let options: Vec<Value> = labels.iter().enumerate().map(|(at, label)| option(at, label)).collect();
    let whole = json!({ "heading": heading, "total": labels.len() + 2, "options": options });

    let mut parts = Parts::default();
    for (at, label) in labels.iter().enumerate() {
        let first = parts.count_values();
        let mut item = option(at, label);
        item["value"] = parts.add_value(|out| out.push_str(&at.to_string()), false, first).to_string().into();
        if !label.is_empty() {
            item["label"] = parts.add_value(|out| out.push_str(label), false, first).to_string().into();
        }
        if at > 1 {
            item["count"] = parts.add_value(|out| out.push_str(&at.to_string()), true, first).to_string().into();
        }
        parts.add_shaped_item(&item.to_string(), first);
    }
    let options = parts.push_list(0).to_string();
    let heading = parts.push_value(|out| out.push_str(heading), false).to_string();
    let total = parts.push_value(|out| out.push_str(&(labels.len() + 2).to_string()), true).to_string();
    let json = props(page, json!({ "heading": heading, "total": total, "options": options }));
    (Props { json, parts }, props(page, whole))
}

#[tokio::test]
async fn values_are_filled_in_as_react_would() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let fragments = Fragments::new(1 << 20);
    let labels = ["Briar", "<b> & \"quotes\" ' \u{2013} caf\u{e9}", "", "\u{1}1 2 \u{1}", "Cob", "Cherry"];
    for (count, renders) in [(labels.len(), true), (labels.len(), false), (3, false), (0, false)] {
        let (page, whole) = choice("choice", &format!("<{count} & more>"), &labels[..count]);
        let ordinary = html(&renderer, whole.clone()).await;
        assert_eq!(made(&fragments, &renderer, &page, true).await, (ordinary, renders));
        let mut json = String::new();
        page.write(&mut json);
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), serde_json::from_str::<Value>(&whole).unwrap());
    }
}

#[tokio::test]
async fn a_page_that_changes_a_value_is_rendered_as_usual() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let fragments = Fragments::new(1 << 20);
    let (page, _) = choice("loud", "a b", &[]);
    for _ in 0..2 {
        let mut out = String::new();
        let reused = fragments.render(&renderer, &page, NOBODY, true, &mut out).await.unwrap();
        assert_eq!((out.as_str(), reused.shown.is_none()), ("<h1>a%20b</h1>", true));
    }
}

#[tokio::test]
async fn what_shows_one_visitor_is_found_and_can_be_another() {
    let renderer = Renderer::start(snapshot()).unwrap();
    let fragments = Fragments::new(1 << 20);
    let page = |name: &str| {
        let data = Arc::new(Data::new(json!({ "kind": name }).to_string()));
        let mut parts = Parts::default();
        let json = props("visitor", json!({ "visitor": parts.push_data(Arc::clone(&data)).to_string() }));
        (data.id, Props { json, parts })
    };
    let ((ada, of_ada), (bo, of_bo)) = (page("Ada"), page("Bo"));
    let mut out = String::new();
    let shown = fragments.render(&renderer, &of_ada, ada, true, &mut out).await.unwrap().shown.unwrap();
    let found: Vec<_> = shown.iter().map(|each| &out[each.range.clone()]).collect();
    assert_eq!(found, ["<b>Ada</b>"]);
    assert!(fragments.at(&shown[0], bo).is_none());
    fragments.render(&renderer, &of_bo, bo, true, &mut String::new()).await.unwrap();
    assert_eq!(fragments.at(&shown[0], bo).unwrap().html(), "<b>Bo</b>");
}
