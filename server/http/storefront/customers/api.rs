//! The account's calls.

use std::sync::Arc;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use shop_base::context::Context;
use shop_base::error::{Error, Problem};
use shop_domain::customers::model::{AddressView, Me, NewAddress, Preferences, PreferencesChange, ProfileChange};
use shop_domain::customers::service;
use shop_domain::identity::Identity;
use shop_domain::identity::model::SessionView;
use shop_domain::{identity, privacy};
use shop_platform::web::extract::{Asked, Id, Json};
use url::Url;
use utoipa::ToSchema;

use crate::identity::extract::{Customer, Visitor};
use crate::identity::logout::{sign_out_url, without_session};
use crate::identity::notice::Notice;

/// Responses with personal data must not be cached.
const NO_STORE: [(header::HeaderName, HeaderValue); 1] =
    [(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"))];

/// `GET /api/me`
#[utoipa::path(get, path = "/api/me", responses(
    (status = 200, description = "Who asks", body = Me),
    (status = 401, description = "Not signed in", body = Problem),
))]
pub async fn me(State(cx): State<Context>, Customer(session): Customer) -> Result<Response, Error> {
    let me = service::me(&cx, &mut cx.db.read().await?.conn(), &session).await?;
    Ok((NO_STORE, JsonBody(me)).into_response())
}

/// `PATCH /api/me`
#[utoipa::path(patch, path = "/api/me", request_body = ProfileChange, responses(
    (status = 200, description = "Changed", body = Me),
    (status = 401, description = "Not signed in", body = Problem),
    (status = 409, description = "Another account is signed in by now", body = Problem),
    (status = 422, description = "Messages by field", body = Problem),
))]
pub async fn change(
    State(cx): State<Context>,
    Customer(session): Customer,
    Json(change): Json<ProfileChange>,
) -> Result<Response, Error> {
    Ok((NO_STORE, JsonBody(service::change_profile(&cx, &session, change).await?)).into_response())
}

/// `PATCH /api/me/preferences`
#[utoipa::path(patch, path = "/api/me/preferences", request_body = PreferencesChange, responses(
    (status = 200, description = "Changed", body = Preferences),
    (status = 401, description = "Not signed in", body = Problem),
    (status = 409, description = "Another account is signed in by now", body = Problem),
    (status = 422, description = "Messages by field", body = Problem),
))]
pub async fn change_preferences(
    State(cx): State<Context>,
    Customer(session): Customer,
    Json(change): Json<PreferencesChange>,
) -> Result<Response, Error> {
    Ok((NO_STORE, JsonBody(service::change_preferences(&cx, &session, change).await?)).into_response())
}

/// `POST /api/me/addresses`
#[utoipa::path(post, path = "/api/me/addresses", request_body = NewAddress, responses(
    (status = 201, description = "Added", body = AddressView),
    (status = 401, description = "Not signed in", body = Problem),
    (status = 409, description = "Another account is signed in by now", body = Problem),
    (status = 422, description = "Messages by field", body = Problem),
))]
pub async fn add_address(
    State(cx): State<Context>,
    Customer(session): Customer,
    Json(new): Json<NewAddress>,
) -> Result<Response, Error> {
    let added = service::add_address(&cx, &session, &new).await?;
    Ok((StatusCode::CREATED, NO_STORE, JsonBody(added)).into_response())
}

/// `DELETE /api/me/addresses/{id}`
#[utoipa::path(delete, path = "/api/me/addresses/{id}", params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Removed"),
    (status = 401, description = "Not signed in", body = Problem),
    (status = 404, description = "No address of this user", body = Problem),
))]
pub async fn remove_address(
    State(cx): State<Context>,
    Customer(session): Customer,
    Id(id): Id,
) -> Result<StatusCode, Error> {
    match service::remove_address(&cx, session.user_id, id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Error::NotFound),
    }
}

/// `GET /api/me/sessions`
#[utoipa::path(get, path = "/api/me/sessions", responses(
    (status = 200, description = "Where the user is signed in", body = Vec<SessionView>),
    (status = 401, description = "Not signed in", body = Problem),
))]
pub async fn sessions(State(cx): State<Context>, Customer(session): Customer) -> Result<Response, Error> {
    let sessions = identity::service::list_sessions(&cx, &mut cx.db.read().await?.conn(), &session).await?;
    Ok((NO_STORE, JsonBody(sessions)).into_response())
}

/// `DELETE /api/me/sessions`
#[utoipa::path(delete, path = "/api/me/sessions", params(
    ("user_id" = Option<String>, Query, description = "The `sub` of the account that the page showed; refused if another one is signed in by now"),
), responses(
    (status = 204, description = "All sessions but the one that asks are over"),
    (status = 401, description = "Not signed in", body = Problem),
    (status = 409, description = "Another account is signed in by now", body = Problem),
))]
pub async fn end_other_sessions(
    State(cx): State<Context>,
    Customer(session): Customer,
    asked: Asked,
) -> Result<StatusCode, Error> {
    identity::service::check_shown(&session, asked.parameter("user_id").as_deref())?;
    identity::service::end_other_sessions(&cx, &session).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/me/sessions/{id}`
#[utoipa::path(delete, path = "/api/me/sessions/{id}", params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Over"),
    (status = 401, description = "Not signed in", body = Problem),
    (status = 404, description = "No session of this user", body = Problem),
))]
pub async fn end_session(
    State(cx): State<Context>,
    Customer(session): Customer,
    Id(id): Id,
) -> Result<StatusCode, Error> {
    match identity::service::end_session(&cx, session.user_id, id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Error::NotFound),
    }
}

/// `GET /api/me/export`
#[utoipa::path(get, path = "/api/me/export", responses(
    (status = 200, description = "All that the shop keeps of the user, as a file", body = serde_json::Value),
    (status = 401, description = "Not signed in", body = Problem),
))]
pub async fn export(State(cx): State<Context>, Customer(session): Customer) -> Result<Response, Error> {
    let file = HeaderValue::from_static("attachment; filename=\"my-data.json\"");
    let data = privacy::export(&cx, &session).await?;
    Ok((NO_STORE, [(header::CONTENT_DISPOSITION, file)], JsonBody(data)).into_response())
}

#[derive(Deserialize, ToSchema)]
pub struct DeleteAccount {
    /// The account's email address, or `delete` if it has none, typed as confirmation.
    pub confirm: String,
    /// The `sub` of the account that the page showed; refused if another one is signed in by now.
    pub user_id: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeletedAccount {
    /// The provider's page that ends its session, too, and leads home.
    pub sign_out_url: String,
}

/// `DELETE /api/me`
#[utoipa::path(delete, path = "/api/me", request_body = DeleteAccount, responses(
    (status = 200, description = "The account is deleted and its sessions are over, but for the provider's", body = DeletedAccount),
    (status = 204, description = "The account is deleted and its sessions are over"),
    (status = 401, description = "Not signed in", body = Problem),
    (status = 409, description = "Another account is signed in by now", body = Problem),
    (status = 422, description = "Not confirmed", body = Problem),
))]
pub async fn delete(
    State(cx): State<Context>,
    State(identity): State<Arc<Identity>>,
    visitor: Visitor,
    body: Result<Json<DeleteAccount>, Error>,
) -> Result<Response, Error> {
    let Some(session) = visitor.user else {
        let shown = body.ok().and_then(|Json(body)| body.user_id);
        return delete_again(&cx, &identity, shown.as_deref()).await;
    };
    let Json(body) = body?;
    identity::service::check_shown(&session, body.user_id.as_deref())?;
    // A program that has an access token has no session.
    let tokens = match session.session_id() {
        Some(id) => Some(identity::service::find_tokens(&cx, &identity, id).await?),
        None => None,
    };
    let erase = async {
        match privacy::erase_confirmed(&cx, &session, &body.confirm).await {
            // Another click may have erased it.
            Err(Error::Unauthorized) => Ok(()),
            outcome => outcome,
        }
    };
    let ask = async {
        let url = match &tokens {
            Some(tokens) => sign_out_url(&cx, &identity, tokens.as_ref()).await,
            None => None,
        };
        Ok::<_, Error>(url)
    };
    // At once: an answer that waited for both in turn would come when the browser has given up.
    let ((), url) = tokio::try_join!(erase, ask)?;
    Ok(deleted(&cx, url))
}

/// The answer to a browser that is not signed in any more. It may not have heard that its account is deleted; signing in would make a new one.
async fn delete_again(cx: &Context, identity: &Identity, shown: Option<&str>) -> Result<Response, Error> {
    if let Some(subject) = shown
        && identity::service::is_erased(cx, identity, subject).await?
    {
        return Ok(deleted(cx, sign_out_url(cx, identity, None).await));
    }
    Err(Error::Unauthorized)
}

fn deleted(cx: &Context, sign_out_url: Option<Url>) -> Response {
    let response = match sign_out_url {
        Some(url) => (NO_STORE, JsonBody(DeletedAccount { sign_out_url: url.into() })).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    };
    without_session(cx, response, Notice::Deleted)
}
