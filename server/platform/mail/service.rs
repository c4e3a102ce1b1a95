//! Renders and sends mail.

use std::ops::Deref;
use std::sync::Arc;

use shop_base::context::Context;
use shop_base::trace_span;
use ssr_runtime::{RenderError, Renderer};
use tracing::Instrument;

use super::mailer::{Accepted, MailError, Mailer, Message};
use super::model::{Mail, MailProps, WrittenMail};
use crate::metrics::mails;
use crate::settings::mail::MailWords;
use crate::settings::texts::Settings;

/// The outcome of a send that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendOutcome {
    Accepted(Accepted),
    /// The shop sends no mail: the settings are missing. A retry would not help.
    Off,
}

/// Renders and sends mail. Cheap to clone.
#[derive(Clone)]
pub struct MailService {
    pub cx: Context,
    /// None when the settings are missing; then no mail is sent.
    pub mailer: Option<Arc<dyn Mailer>>,
    pub settings: Arc<Settings>,
    pub renderer: Renderer,
}

impl Deref for MailService {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.cx
    }
}

impl MailService {
    /// Renders a mail and sends it to one address. Called by jobs; `id` is the same for every try of the same mail.
    pub async fn deliver(&self, to: &str, mail: &Mail, id: &str) -> Result<SendOutcome, MailError> {
        let sent = self.try_to_deliver(to, mail, id).await;
        let counter = match &sent {
            Ok(SendOutcome::Accepted(_)) => &mails::SENT,
            Ok(SendOutcome::Off) => &mails::OFF,
            Err(MailError::Temporary(_) | MailError::Unanswered(_)) => &mails::RETRIED,
            Err(MailError::Permanent(_)) => &mails::FAILED,
        };
        counter.add(1);
        sent
    }

    async fn try_to_deliver(&self, to: &str, mail: &Mail, id: &str) -> Result<SendOutcome, MailError> {
        let Some(mailer) = &self.mailer else { return Ok(SendOutcome::Off) };
        let WrittenMail { subject, html, text } = self.write(mail).await?;
        let company = &self.settings.texts().company;
        let message = Message {
            id: id.to_owned(),
            to: to.to_owned(),
            subject,
            html,
            text,
            company: company.name.clone(),
            reply_to: company.email.clone(),
            written_at: self.cx.clock.now_ms(),
        };
        mailer.send(&message).await.map(SendOutcome::Accepted)
    }

    /// Subject and both parts, rendered by an isolate.
    pub async fn write(&self, mail: &Mail) -> Result<WrittenMail, MailError> {
        let texts = self.settings.texts();
        let words = texts.mail.get(mail.kind()).cloned().unwrap_or_default();
        self.write_with(mail, &words).await
    }

    /// As [`MailService::write`], with other words than those in effect.
    pub async fn write_with(&self, mail: &Mail, words: &MailWords) -> Result<WrittenMail, MailError> {
        let config = &self.cx.config;
        let texts = self.settings.texts();
        let props = MailProps { mail, words, company: &texts.company, origin: config.http.origin(), demo: config.demo };
        let broken = |error: serde_json::Error| MailError::Permanent(format!("the mail could not be written: {error}"));
        let json = serde_json::to_string(&props).map_err(broken)?;
        let written =
            self.renderer.render(json).instrument(trace_span!("render a mail")).await.map_err(
                |failure| match failure {
                    RenderError::Thrown { message, stack } => {
                        tracing::error!(error = message, stack, "a mail threw while it was written");
                        MailError::Permanent(format!("the mail could not be written: {message}"))
                    }
                    // The isolate failed, not the mail: another isolate may succeed.
                    other => MailError::Temporary(format!("the mail could not be written: {other}")),
                },
            )?;
        serde_json::from_str(&written.text).map_err(broken)
    }
}
