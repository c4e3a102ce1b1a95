//! What the shop writes to people. A [`model::Mail`] says what happened; an isolate words it, once for the HTML part and the
//! text part (`app/mail/`); a [`mailer::Mailer`] hands it to a mail server.
//!
//! Mail is sent by jobs, never while a visitor waits, and never twice on purpose: the id that a caller gives names the
//! message, so a retry carries the same `Message-ID`.

pub mod jobs;
pub mod mailer;
pub mod model;
pub mod samples;
pub mod service;
