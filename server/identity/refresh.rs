//! Renewing the provider's tokens of a session. One request does it, on whichever node: the row is its lease. The others
//! go on meanwhile with what is known.

use uuid::Uuid;

use super::provider::{Provider, ProviderError};
use super::{service, store};
use crate::app::App;
use crate::error::Error;

/// Longer than the provider may take to answer.
const LEASE_MS: i64 = 60_000;
/// A provider that cannot be reached is asked again after this.
const RETRY_MS: i64 = 60_000;

/// Refreshes the session if nobody else does. Afterwards it has new tokens, or is over when the provider says so.
pub async fn refresh(app: &App, session_id: Uuid, user_id: Uuid) {
    let app = app.clone();
    // A visitor who leaves must not lose the token that the provider has just rotated.
    let task = tokio::spawn(async move { attempt(&app, session_id, user_id).await });
    match task.await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(?error, "a session could not be refreshed"),
        Err(error) => tracing::error!(%error, "a refresh was stopped"),
    }
}

async fn attempt(app: &App, session_id: Uuid, user_id: Uuid) -> Result<(), Error> {
    let Some(provider) = &app.identity.provider else { return Ok(()) };
    let now = app.clock.now_ms();
    let mut tx = app.db.begin().await?;
    let leased = store::lease_refresh(&mut tx.conn(), session_id, now, now + LEASE_MS).await?;
    tx.commit().await?;
    if !leased {
        return Ok(());
    }
    match renew(app, provider, session_id, user_id).await {
        Ok(()) => Ok(()),
        Err(Failure::Provider(ProviderError::Refused(reason))) => {
            tracing::info!(reason, "the identity provider ended a session");
            service::end_session(app, user_id, session_id).await.map(drop)
        }
        Err(Failure::Provider(error)) => {
            tracing::warn!(%error, "a session is refreshed later");
            let mut tx = app.db.begin().await?;
            store::postpone_refresh(&mut tx.conn(), session_id, app.clock.now_ms() + RETRY_MS).await?;
            tx.commit().await?;
            Ok(())
        }
        Err(Failure::Ours(error)) => Err(error),
    }
}

enum Failure {
    Provider(ProviderError),
    Ours(Error),
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Ours(error.into())
    }
}

async fn renew(app: &App, provider: &Provider, session_id: Uuid, user_id: Uuid) -> Result<(), Failure> {
    let tokens = service::find_tokens(app, session_id).await?;
    let tokens = tokens.ok_or_else(|| {
        // The shop's secret has changed.
        Failure::Provider(ProviderError::Refused("its tokens cannot be read".to_owned()))
    })?;
    let mut reader = app.db.read().await?;
    let subject = store::find_subject(&mut reader.conn(), user_id).await?.unwrap_or_default();
    drop(reader);
    let refreshed = provider.refresh(&tokens, &subject).await.map_err(Failure::Provider)?;
    let sealed = service::seal_tokens(app, session_id, &refreshed.tokens)?;
    let mut tx = app.db.begin().await?;
    store::update_tokens(&mut tx.conn(), session_id, &sealed, refreshed.tokens.refresh_at).await?;
    if let Some(roles) = &refreshed.roles {
        store::update_roles(&mut tx.conn(), user_id, roles).await?;
    }
    tx.commit().await?;
    Ok(())
}
