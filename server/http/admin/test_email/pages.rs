//! `/test-email`: staff send themselves a test mail and see the mail server's response.

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use shop_base::clock::timestamp;
use shop_base::email::is_email;
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::mail::mailer::MailError;
use shop_platform::mail::samples;
use shop_platform::mail::service::{MailService, SendOutcome};
use shop_platform::settings::mail;
use shop_platform::web::extract::OwnForm;
use shop_platform::web::page::{Meta, Page, PageProps};
use utoipa::ToSchema;

use crate::identity::extract::Visitor;

const PATH: &str = "/test-email";

#[derive(Debug, Serialize, ToSchema)]
pub struct TestEmailPage {
    /// False when the settings are missing.
    pub enabled: bool,
    pub to: String,
    /// The chosen kind.
    pub kind: String,
    pub kinds: Vec<MailKind>,
    pub outcome: Option<MailOutcome>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MailKind {
    pub value: String,
    pub label: String,
}

/// The outcome of a test mail.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailOutcome {
    pub accepted: bool,
    pub message: String,
    /// The server's response, or the message's id.
    pub detail: String,
}

impl PageProps for TestEmailPage {
    const NAME: &'static str = "mail/test-email";
}

#[derive(Debug, Deserialize)]
pub struct TestEmail {
    #[serde(default)]
    to: String,
    #[serde(default)]
    kind: String,
}

/// `GET /test-email`
pub async fn show(State(mails): State<MailService>, visitor: Visitor) -> Result<Page, Error> {
    let own = visitor.user.map(|session| session.email).filter(|email| !email.is_empty());
    let to = own.unwrap_or_else(|| mails.settings.texts().company.email.clone());
    page(&mails, to, mail::KINDS[0].0.to_owned(), None)
}

/// `POST /test-email`
pub async fn send(
    State(mails): State<MailService>,
    actor: Actor,
    OwnForm(TestEmail { to, kind }): OwnForm<TestEmail>,
) -> Result<Page, Error> {
    let to = to.trim().to_owned();
    let (status, outcome) = try_out(&mails, &actor, &to, &kind).await?;
    Ok(page(&mails, to, kind, Some(outcome))?.with_status(status))
}

/// Sends a sample of a kind to one address, which is recorded first, and returns the outcome.
pub async fn try_out(
    mails: &MailService,
    actor: &Actor,
    to: &str,
    kind: &str,
) -> Result<(StatusCode, MailOutcome), Error> {
    let now = timestamp(mails.clock.now_ms()).to_zoned(mails.zone().clone());
    let Some(mail) = samples::sample(kind, &now.strftime("%B %-d, %Y, %H:%M %Z").to_string()) else {
        return Ok(refused("Choose an email type."));
    };
    if !is_email(to) {
        return Ok(refused("Enter one email address, such as ann@shop.example."));
    }
    // Of the address only where it is, since entries outlive people's wish to be forgotten.
    let domain = to.rsplit('@').next().unwrap_or_default();
    let change = Change::new("testing.mail", Subject::new("testing", "mail", kind), json!({ "domain": domain }));
    audit::service::record_now(mails, actor, &change).await?;
    let id = format!("test-{}", new_id(mails.clock.as_ref()));
    let outcome = |accepted, message: &str, detail| MailOutcome { accepted, message: message.to_owned(), detail };
    Ok(match mails.deliver(to, &mail, &id).await {
        Ok(SendOutcome::Accepted(accepted)) => {
            let detail = format!("Message-ID {}. Server response: {}", accepted.message_id, accepted.answer);
            (StatusCode::OK, outcome(true, "The mail server accepted the message.", detail))
        }
        Ok(SendOutcome::Off) => {
            let detail = "Set SHOP_SMTP_URL and SHOP_MAIL_FROM, then restart the shop.".to_owned();
            (StatusCode::SERVICE_UNAVAILABLE, outcome(false, "Email is off.", detail))
        }
        Err(MailError::Temporary(detail)) => {
            let message = "The message was not accepted. If the mail server’s answer names the sender or the login, check \
                           SHOP_MAIL_FROM and SHOP_SMTP_URL. The shop’s own emails would be retried.";
            (StatusCode::BAD_GATEWAY, outcome(false, message, detail))
        }
        Err(MailError::Unanswered(detail)) => {
            let message = "The mail server got the message but didn’t answer. The shop’s own emails would be retried.";
            (StatusCode::BAD_GATEWAY, outcome(false, message, detail))
        }
        Err(MailError::Permanent(detail)) => {
            let message = "The mail server rejected the message. Check the address and the sender.";
            (StatusCode::BAD_GATEWAY, outcome(false, message, detail))
        }
    })
}

fn refused(message: &str) -> (StatusCode, MailOutcome) {
    let outcome = MailOutcome { accepted: false, message: message.to_owned(), detail: String::new() };
    (StatusCode::UNPROCESSABLE_ENTITY, outcome)
}

fn page(mails: &MailService, to: String, kind: String, outcome: Option<MailOutcome>) -> Result<Page, Error> {
    let kinds =
        mail::KINDS.map(|(value, label)| MailKind { value: value.to_owned(), label: label.to_owned() }).to_vec();
    let props = TestEmailPage { enabled: mails.mailer.is_some(), to, kind, kinds, outcome };
    let meta = Meta { title: "Test email".to_owned(), robots: Some("noindex".to_owned()), ..Meta::default() };
    Page::new(PATH, &props, meta)
}
