//! The interface to whatever sends the shop's mail.

use async_trait::async_trait;

use crate::jobs::model::JobError;

/// A finished mail to one recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Identifies this mail permanently. Its `Message-ID` is derived from it, so that duplicates can be recognized.
    pub id: String,
    /// One address without a display name.
    pub to: String,
    pub subject: String,
    pub html: String,
    pub text: String,
    /// The shop's name, and where replies go.
    pub company: String,
    pub reply_to: String,
    /// UTC milliseconds.
    pub written_at: i64,
}

/// The mail server has taken the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// With its angle brackets.
    pub message_id: String,
    /// What the server answered.
    pub answer: String,
}

/// Why a mail was not sent, or perhaps not. The texts contain no recipient.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// A retry may succeed.
    #[error("not sent yet: {0}")]
    Temporary(String),
    /// The mail server has the message, and did not answer: it may have taken it. It is sent again.
    #[error("sent without an answer: {0}")]
    Unanswered(String),
    /// This message will never be accepted.
    #[error("refused: {0}")]
    Permanent(String),
}

impl From<MailError> for JobError {
    fn from(error: MailError) -> Self {
        match error {
            MailError::Temporary(_) => Self::Failed(error.into()),
            MailError::Unanswered(_) => Self::Unanswered(error.into()),
            MailError::Permanent(_) => Self::Final(error.into()),
        }
    }
}

/// Hands mail to a mail server. Implementations set timeouts and do not retry by themselves.
#[async_trait]
pub trait Mailer: Send + Sync + std::fmt::Debug {
    async fn send(&self, message: &Message) -> Result<Accepted, MailError>;

    /// Checks that the mail server answers and accepts the credentials. Sends nothing.
    async fn check(&self) -> Result<(), MailError>;
}
