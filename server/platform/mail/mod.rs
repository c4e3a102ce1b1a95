//! The shop's email. A [`model::Mail`] says what happened; an isolate renders it, once as HTML and once as text (`app/mail/`); a
//! [`mailer::Mailer`] hands it to a mail server.
//!
//! Mail is sent by jobs, never while a visitor waits, and never twice on purpose: the caller's id identifies the message, so a retry has
//! the same `Message-ID`.

pub mod jobs;
pub mod mailer;
pub mod model;
pub mod samples;
pub mod service;
