//! The call of the age gate, for browsers with scripts.

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use shop_base::address::state;
use shop_base::error::Error;
use shop_base::fields::Faults;
use shop_domain::age::{model, service};
use shop_domain::customers;
use shop_domain::customers::model::PreferencesChange;
use shop_domain::identity::service::unless_unwritable;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::Json;
use utoipa::ToSchema;

use super::cookie;
use crate::identity::extract::Visitor;

#[derive(Deserialize, ToSchema)]
pub struct VerifyAge {
    /// `YYYY-MM-DD`. Checked and not stored.
    #[serde(default)]
    pub birth_date: String,
    /// The signed-in visitor. Without it nothing is stored: a page may be older than the sign-in.
    #[serde(default)]
    pub user_id: Option<String>,
    /// Two-letter code of a US state.
    #[serde(default)]
    pub preferred_state: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AgeVerified {
    pub verified: bool,
}

/// `POST /api/verify-age`
#[utoipa::path(post, path = "/api/verify-age", request_body = VerifyAge, responses(
    (status = 200, description = "Old enough; a signed cookie says so for 24 hours, and of a named user a proof and the preferred state are stored", body = AgeVerified),
    (status = 415, description = "Not JSON", body = shop_base::error::Problem),
    (status = 422, description = "No date, too young, an unknown state, or a user who is not signed in here", body = shop_base::error::Problem),
))]
pub async fn verify(
    State(cookies): State<SignedCookies>,
    visitor: Visitor,
    Json(body): Json<VerifyAge>,
) -> Result<Response, Error> {
    let mut faults = Faults::default();
    let today = cookies.today();
    if let Err(message) = model::verify(&body.birth_date, today) {
        faults.say("birth_date", message);
    }
    let subject = visitor.user.as_ref().map(|user| user.subject.as_str());
    if body.user_id.is_some() && body.user_id.as_deref() != subject {
        faults.say("user_id", "This isn’t the signed-in user.");
    }
    if body.preferred_state.as_deref().is_some_and(|code| state(code).is_none()) {
        faults.say("preferred_state", "Enter the state as two capital letters, such as OH.");
    }
    faults.finish()?;
    // A page that names nobody was made for a guest, or for another account than the one that is signed in by now.
    if let Some(user) = visitor.user.as_ref().filter(|_| body.user_id.is_some()) {
        // Without it the cookie counts alone, as a guest's does.
        let proved = service::prove(&cookies, user.user_id, body.preferred_state.clone()).await;
        unless_unwritable(proved, "a proof of age")?;
        if body.preferred_state.is_some() {
            // Said at sign-up; the account page shows it and changes it.
            let change = PreferencesChange { preferred_state: body.preferred_state, user_id: None };
            let changed = customers::service::change_preferences(&cookies, user, change).await.map(drop);
            unless_unwritable(changed, "a preferred state")?;
        }
    }
    Ok(([(header::SET_COOKIE, cookie::issue(&cookies))], JsonBody(AgeVerified { verified: true })).into_response())
}
