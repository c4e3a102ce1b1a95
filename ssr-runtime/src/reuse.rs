//! Pages from HTML that was rendered before, as far as it is known.

use std::time::Duration;

use crate::fragments::{Defined, Fragments, Occurrence, Template};
use crate::parts::Props;
use crate::{Html, RenderError, Renderer};

/// How a page was made.
#[derive(Clone, Debug, Default)]
pub struct Reused {
    /// How long the work waited for an isolate, and took; zero if none was needed.
    pub queued: Duration,
    pub rendered: Duration,
    /// Where the page shows the visitor. None if the isolate knew them: then they may be shown in other places.
    pub shown: Option<Vec<Occurrence>>,
}

impl Reused {
    async fn render(&mut self, renderer: &Renderer, json: String) -> Result<String, RenderError> {
        let Html { text, queued, rendered } = renderer.render(json).await?;
        self.queued += queued;
        self.rendered += rendered;
        Ok(text)
    }
}

impl Fragments {
    /// Appends the HTML of a page to `out`. An isolate renders only what is not known: the page's shape, which is kept for other pages if
    /// `is_kept`, or components. `user` is the id of the data that shows the visitor.
    pub async fn render(
        &self,
        renderer: &Renderer,
        props: &Props,
        user: u64,
        is_kept: bool,
        out: &mut String,
    ) -> Result<Reused, RenderError> {
        let mut reused = Reused::default();
        let start = out.len();
        let known = if is_kept { self.page(props) } else { None };
        let page = match known {
            Some(page) => Some(page),
            None => {
                let json = if is_kept { props.json.clone() } else { props.with_values() };
                let html = reused.render(renderer, json).await?;
                Template::read(&html).map(|page| self.shared(props, page, is_kept))
            }
        };
        if let Some(page) = page {
            let mut shown = self.fill(&page, &props.parts, &Defined::new(), user, out);
            if shown.is_err() {
                out.truncate(start);
                let html = reused.render(renderer, props.definitions()).await?;
                let defined = self.define(&props.parts, &html);
                shown = self.fill(&page, &props.parts, &defined, user, out);
            }
            if let Ok(shown) = shown {
                return Ok(Reused { shown: Some(shown), ..reused });
            }
            out.truncate(start);
        }
        // Something that cannot be rendered on its own.
        let mut json = String::new();
        props.write(&mut json);
        out.push_str(&reused.render(renderer, json).await?);
        Ok(reused)
    }
}
