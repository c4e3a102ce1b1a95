//! Calls of the mail settings.

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shop_base::clock::timestamp;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit::model::Actor;
use shop_platform::mail::model::WrittenMail;
use shop_platform::mail::samples::sample;
use shop_platform::mail::service::MailService;
use shop_platform::settings::mail;
use shop_platform::settings::mail::MailWords;
use shop_platform::web::extract::{Json, Key};
use utoipa::ToSchema;

#[derive(Debug, Deserialize, ToSchema)]
pub struct MailChange {
    /// The version that the caller saw.
    pub version: i64,
    pub words: MailWords,
}

/// `PUT /api/admin/settings/mail/{kind}`
#[utoipa::path(put, path = "/api/admin/settings/mail/{kind}", request_body = MailChange,
    params(("kind" = String, Path)), responses(
    (status = 204, description = "Saved"),
    (status = 404, description = "No such kind of email", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn change(
    State(cx): State<Context>,
    actor: Actor,
    Key(kind): Key,
    Json(change): Json<MailChange>,
) -> Result<StatusCode, Error> {
    mail::change_mail(&cx, &actor, &kind, change.version, &change.words).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A preview of an email.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailPreview {
    pub subject: String,
    /// The plain-text part.
    pub text: String,
}

/// `POST /api/admin/settings/mail/{kind}/preview`
#[utoipa::path(post, path = "/api/admin/settings/mail/{kind}/preview", request_body = MailWords,
    params(("kind" = String, Path)), responses(
    (status = 200, description = "The email with sample contents and these words", body = MailPreview),
    (status = 404, description = "No such kind of email", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
))]
pub async fn preview(
    State(mails): State<MailService>,
    Key(kind): Key,
    Json(words): Json<MailWords>,
) -> Result<JsonBody<MailPreview>, Error> {
    let now = timestamp(mails.clock.now_ms()).to_zoned(mails.zone().clone());
    let Some(mail) = sample(&kind, &now.strftime("%B %-d, %Y, %H:%M %Z").to_string()) else {
        return Err(Error::NotFound);
    };
    let words = words.checked(&kind)?;
    let WrittenMail { subject, text, .. } = mails.write_with(&mail, &words).await.map_err(Error::internal)?;
    Ok(JsonBody(MailPreview { subject, text }))
}
