//! Writing and sending.

use ssr_runtime::RenderError;

use super::mailer::{Accepted, MailError, Message};
use super::model::{Letter, Mail, MailWords, WrittenLetter};
use crate::app::App;
use crate::web::render::CompanyView;

/// What became of a mail that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    Accepted(Accepted),
    /// The shop sends no mail: the settings are missing. There is nothing to repeat.
    Off,
}

/// Writes a mail and sends it to one address. Jobs call this; `id` is the same at every try of the same mail.
pub async fn deliver(app: &App, to: &str, mail: &Mail, id: &str) -> Result<Delivery, MailError> {
    let Some(mailer) = &app.mailer else { return Ok(Delivery::Off) };
    let WrittenLetter { subject, html, text } = write(app, mail).await?;
    let message = Message { id: id.to_owned(), to: to.to_owned(), subject, html, text, written_at: app.clock.now_ms() };
    mailer.send(&message).await.map(Delivery::Accepted)
}

/// Subject and both parts, worded by an isolate.
pub async fn write(app: &App, mail: &Mail) -> Result<WrittenLetter, MailError> {
    let texts = app.texts();
    let words = texts.mail.get(mail.kind()).cloned().unwrap_or_default();
    write_with(app, mail, &words).await
}

/// As [`write()`], with other words than those in use.
pub async fn write_with(app: &App, mail: &Mail, words: &MailWords) -> Result<WrittenLetter, MailError> {
    let config = &app.config;
    let company = &app.texts().company;
    let letter = Letter {
        mail,
        words,
        company: CompanyView {
            name: &company.name,
            legal_line: company.legal_line.clone(),
            email: &company.email,
            phone: &company.phone,
            address: &company.address,
        },
        origin: config.http.origin(),
        demo: config.demo,
    };
    let broken = |error: serde_json::Error| MailError::Permanent(format!("the mail could not be written: {error}"));
    let json = serde_json::to_string(&letter).map_err(broken)?;
    let written = app.site().renderer.render(json).await.map_err(|failure| match failure {
        RenderError::Thrown { message, stack } => {
            tracing::error!(message, stack, "a mail threw while it was written");
            MailError::Permanent(format!("the mail could not be written: {message}"))
        }
        // The isolate, not the mail, is at fault: another one may do.
        other => MailError::Temporary(format!("the mail could not be written: {other}")),
    })?;
    serde_json::from_str(&written.text).map_err(broken)
}
