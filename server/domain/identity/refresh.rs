//! Renews the provider's tokens of a session, and with them the roles and the email address. Only one request on one node does it; the row
//! serves as its lease. Meanwhile the others continue with what is stored. A session without a refresh token continues without renewal,
//! except for staff: otherwise the removal of their role would go unnoticed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use shop_base::clock::CLOCK_SKEW;
use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::error::Error;
use shop_base::trace;
use tokio::time::sleep;
use uuid::Uuid;

use super::provider::{IdentityProvider, ProviderError, SaidEmail};
use super::{Identity, service, store};

/// Longer than a refresh takes, also by the clock of another node: if that used the same refresh token, the provider would end the session.
/// One of the two may be behind by `CLOCK_SKEW`, and the other one ahead by as much.
pub const LEASE_MS: i64 = 60_000 + 2 * CLOCK_SKEW;
/// The pause before an unreachable provider is asked again.
const RETRY_MS: i64 = 60_000;
/// How long a customer's session without a refresh token continues before the shop checks again whether the user is staff.
const WITHOUT_TOKEN_MS: i64 = 5 * 60_000;
/// Seconds between tries to store rotated tokens.
const PAUSES: [u64; 4] = [1, 2, 4, 8];
/// After this, no further try to store them begins: one takes up to 15 s, and all of them must end within a minute.
const TRY_FOR: Duration = Duration::from_secs(40);

/// Refreshes the session unless another request is doing it. Afterward it has new tokens, or has ended if the provider refused.
pub async fn refresh(cx: &Context, identity: &Arc<Identity>, session_id: Uuid, user_id: Uuid) {
    let (cx, identity) = (cx.clone(), Arc::clone(identity));
    // Runs to completion even if the client disconnects: otherwise the rotated refresh token would be lost.
    let task = trace::spawn(async move { attempt(&cx, &identity, session_id, user_id).await });
    match task.await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(?error, "a session could not be refreshed"),
        Err(error) => tracing::error!(%error, "a refresh was stopped"),
    }
}

async fn attempt(cx: &Context, identity: &Identity, session_id: Uuid, user_id: Uuid) -> Result<(), Error> {
    let Some(provider) = &identity.provider else { return Ok(()) };
    let (now, began) = (cx.clock.now_ms(), Instant::now());
    let mut tx = cx.db.begin().await?;
    let leased = store::lease_refresh(&mut tx.conn(), session_id, now, now + LEASE_MS).await?;
    tx.commit().await?;
    if !leased {
        return Ok(());
    }
    match renew(cx, identity, provider.as_ref(), session_id, user_id, began).await {
        Ok(()) => Ok(()),
        Err(Failure::Provider(ProviderError::Refused(reason))) => {
            tracing::info!(reason, "the identity provider ended a session");
            service::end_session(cx, user_id, session_id).await.map(drop)
        }
        Err(Failure::Provider(error)) => {
            tracing::warn!(%error, "a session is refreshed later");
            let mut tx = cx.db.begin().await?;
            store::postpone_refresh(&mut tx.conn(), session_id, cx.clock.now_ms() + RETRY_MS).await?;
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

async fn renew(
    cx: &Context,
    identity: &Identity,
    provider: &dyn IdentityProvider,
    session_id: Uuid,
    user_id: Uuid,
    began: Instant,
) -> Result<(), Failure> {
    let tokens = service::find_tokens(cx, identity, session_id).await?;
    let tokens = tokens.ok_or_else(|| {
        // The shop's secret has changed.
        Failure::Provider(ProviderError::Refused("its tokens cannot be read".to_owned()))
    })?;
    let mut reader = cx.db.read().await?;
    let account = store::find_account(&mut reader.conn(), user_id).await?;
    let account = account.ok_or(DbError::Inconsistent("a session's user is gone"))?;
    drop(reader);
    if tokens.refresh_token.is_none() {
        if account.role.is_staff() {
            return Err(Failure::Provider(ProviderError::Refused("there is no refresh token".to_owned())));
        }
        let mut tx = cx.db.begin().await?;
        store::postpone_refresh(&mut tx.conn(), session_id, cx.clock.now_ms() + WITHOUT_TOKEN_MS).await?;
        tx.commit().await?;
        return Ok(());
    }
    let asked_at = cx.clock.now_ms();
    let refreshed = provider.refresh(&tokens, &account.subject).await.map_err(Failure::Provider)?;
    let sealed = service::seal_tokens(identity, session_id, &refreshed.tokens)?;
    // If the roles could not be read, the next refresh comes soon.
    let retry_at = refreshed.roles.is_none().then(|| cx.clock.now_ms() + RETRY_MS);
    let renewed = Renewed {
        session_id,
        user_id,
        tokens: &sealed,
        refresh_at: retry_at.or(refreshed.tokens.refresh_at),
        roles: refreshed.roles.as_deref(),
        email: refreshed.email.as_ref(),
        asked_at,
    };
    // The provider accepts the former refresh token no more: if this one were lost, the session would end.
    for pause in PAUSES {
        match renewed.store(cx).await {
            Err(error) if error.is_passing() && began.elapsed() + Duration::from_secs(pause) < TRY_FOR => {
                tracing::warn!(%error, "rotated tokens could not be stored yet");
                sleep(Duration::from_secs(pause)).await;
            }
            outcome => return Ok(outcome?),
        }
    }
    Ok(renewed.store(cx).await?)
}

/// What the provider has answered, to be stored.
struct Renewed<'r> {
    session_id: Uuid,
    user_id: Uuid,
    /// Sealed.
    tokens: &'r [u8],
    refresh_at: Option<i64>,
    /// None if they could not be read.
    roles: Option<&'r [String]>,
    /// None if it says none.
    email: Option<&'r SaidEmail>,
    /// UTC milliseconds. Another session of the account may have read newer ones meanwhile.
    asked_at: i64,
}

impl Renewed<'_> {
    async fn store(&self, cx: &Context) -> Result<(), DbError> {
        let (mut tx, now) = (cx.db.begin().await?, cx.clock.now_ms());
        let mut conn = tx.conn();
        if let Some(roles) = self.roles {
            store::update_roles(&mut conn, self.user_id, roles, self.asked_at, now).await?;
        }
        if let Some(email) = self.email
            && store::update_email(&mut conn, self.user_id, email, self.asked_at, now).await?
        {
            // Staff find the account by it.
            service::index(&mut conn, self.user_id).await?;
        }
        store::update_tokens(&mut conn, self.session_id, self.tokens, self.refresh_at).await?;
        tx.commit().await
    }
}
