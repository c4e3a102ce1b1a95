//! Users and their sessions.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use shop_base::clock::{self, CLOCK_SKEW, Clock, local_day};
use shop_base::context::Context;
use shop_base::db::{Conn, Db, DbError};
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::mac::Mac;
use shop_base::role::Role;
use shop_base::seal::random;
use shop_platform::audit::model::{Actor, Change};
use shop_platform::jobs::model::is_clock_right;
use shop_platform::mail::jobs::SendAccountMail;
use shop_platform::mail::model::{Mail, NewSignInMail, WelcomeMail};
use shop_platform::staff_search::model::Kind;
use shop_platform::{audit, jobs, staff_search};
use uuid::Uuid;

use super::model::{
    LONGEST_TOKEN_MS, Lifetime, MOST_SESSIONS, Profile, Proof, Session, SessionView, SignIn, Tokens, hash_of_token,
    tidy_email, tidy_name,
};
use super::store::{Account, ErasedSubject, NewSession, SessionRow};
use super::{Identity, refresh, standing, store};

/// Shown to a blocked user.
pub const BLOCKED: &str = "This account is blocked. Contact us if you think this is a mistake.";

/// A session that was used later than this from now was used while a clock was wrong: of two that are right, one may be ahead by
/// `CLOCK_SKEW`, and the other one behind by as much.
const LATEST_SEEN: i64 = 2 * CLOCK_SKEW;

/// Origin of a sign-in, as shown on the account page.
#[derive(Debug)]
pub struct Device {
    pub name: String,
    pub network: String,
}

/// A session that has just begun.
#[derive(Debug)]
pub struct Begun {
    pub user_id: Uuid,
    /// Goes into the cookie and is stored nowhere else.
    pub token: String,
}

/// Starts a session. `asked_at` is when the provider was asked who it is, UTC milliseconds: roles that were read since are newer.
pub async fn start_session(
    cx: &Context,
    identity: &Identity,
    sign_in: &SignIn,
    asked_at: i64,
    device: &Device,
) -> Result<Begun, Error> {
    let now = cx.clock.now_ms();
    let token = URL_SAFE_NO_PAD.encode(random::<32>()?);
    let id = new_id(cx.clock.as_ref());
    let sealed = sign_in.tokens.as_ref().map(|tokens| seal_tokens(identity, id, tokens)).transpose()?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let (user_id, kept) = upsert_user(cx, &mut conn, &sign_in.profile, asked_at).await?;
    let mut account = store::find_account(&mut conn, user_id).await?;
    let is_blocked = account.as_ref().is_some_and(|account| account.blocked_at.is_some());
    if is_blocked && kept.is_empty() {
        return Err(Error::Forbidden { detail: BLOCKED.to_owned() });
    }
    if let Some(account) = &mut account {
        tidy_account(&mut conn, account, &sign_in.profile.name).await?;
        index_account(&mut conn, account).await?;
    }
    if is_blocked {
        // Blocked before it was deleted: the new account is stored, so that staff can unblock it.
        record_kept(cx, &mut conn, &kept).await?;
        tx.commit().await?;
        return Err(Error::Forbidden { detail: BLOCKED.to_owned() });
    }
    let lifetime = Lifetime::of(account.as_ref().map(|account| account.role));
    let name = account.map(|account| account.name).unwrap_or_default();
    let session = NewSession {
        id,
        user_id,
        token_hash: &hash_of_token(&token),
        provider_session: sign_in.provider_session.as_deref(),
        tokens: sealed.as_deref(),
        refresh_at: sign_in.tokens.as_ref().and_then(|tokens| tokens.refresh_at),
        authenticated_at: sign_in.authenticated_at,
        methods: &sign_in.methods,
        now,
        expires_at: lifetime.end(now, now),
        device: &device.name,
        network: &device.network,
    };
    store::delete_unused_sessions(&mut conn, user_id, MOST_SESSIONS - 1).await?;
    store::insert_session(&mut conn, &session).await?;
    greet(cx, &mut conn, sign_in, (user_id, &name), device).await?;
    record_kept(cx, &mut conn, &kept).await?;
    tx.commit().await?;
    Ok(Begun { user_id, token })
}

/// Former releases have stored names and email addresses as the provider said them. `said` is the name that it says now.
async fn tidy_account(conn: &mut Conn<'_>, account: &mut Account, said: &str) -> Result<(), DbError> {
    let (mut name, email) = (tidy_name(&account.name), tidy_email(&account.email));
    if name.is_empty() {
        said.clone_into(&mut name);
    }
    if name == account.name && email == account.email {
        return Ok(());
    }
    (account.name, account.email) = (name, email);
    store::update_name_and_email(conn, account.id, &account.name, &account.email).await
}

/// Creates or updates the user of a profile whose roles were read at a time, UTC milliseconds. A new account is given what is kept of the
/// former one, which [`record_kept`] records at the end.
async fn upsert_user(
    cx: &Context,
    conn: &mut Conn<'_>,
    profile: &Profile,
    read_at: i64,
) -> Result<(Uuid, Vec<Change>), DbError> {
    let (new, now) = (new_id(cx.clock.as_ref()), cx.clock.now_ms());
    let id = store::upsert_user(conn, new, profile, read_at, now).await?;
    if id != new {
        return Ok((id, Vec::new()));
    }
    // Only now: an erasure may just have made room for the new account.
    let tags = subjects(cx).tags(&subject_of(&profile.issuer, &profile.subject));
    let listed = Role::effective(&profile.roles).unwrap_or(Role::Customer);
    Ok((id, standing::give_kept(conn, id, &tags, listed, now).await?))
}

/// Records what a new account was given, in the name of those who decided it.
async fn record_kept(cx: &Context, conn: &mut Conn<'_>, kept: &[Change]) -> Result<(), DbError> {
    if kept.is_empty() {
        return Ok(());
    }
    let actor = program(conn, cx.clock.as_ref(), "former decision", "Former decision", Role::Staff).await?;
    audit::service::record_all(conn, cx.clock.as_ref(), &actor, kept).await
}

/// Emails a new user, or one who signs in from a device that is new to the account, by the account's name: its owner may have another one
/// here than at the provider. Whoever only claims an address would have strangers written to.
async fn greet(
    cx: &Context,
    conn: &mut Conn<'_>,
    sign_in: &SignIn,
    (user_id, name): (Uuid, &str),
    device: &Device,
) -> Result<(), DbError> {
    let Profile { email, email_verified, .. } = &sign_in.profile;
    let now = cx.clock.now_ms();
    let mail = match store::list_devices(conn, user_id).await?.as_slice() {
        [] => Mail::Welcome(WelcomeMail { name: name.to_owned() }),
        known if known.contains(&device.name) => return store::insert_device(conn, user_id, &device.name, now).await,
        _ => {
            let at = clock::timestamp(now).to_zoned(cx.zone().clone());
            let signed_in_at = at.strftime("%B %-d, %Y, %H:%M %Z").to_string();
            Mail::NewSignIn(NewSignInMail { name: name.to_owned(), signed_in_at, device: device.name.clone() })
        }
    };
    store::insert_device(conn, user_id, &device.name, now).await?;
    if email.is_empty() || !email_verified {
        return Ok(());
    }
    let job = SendAccountMail { id: new_id(cx.clock.as_ref()), user_id: Some(user_id), to: email.clone(), mail };
    jobs::service::add(conn, cx.clock.as_ref(), &job).await
}

/// The session whose cookie holds this token. Finding it is no use of it: see [`note_use`].
pub async fn find_session(cx: &Context, token: &str) -> Result<Option<SessionRow>, Error> {
    let now = cx.clock.now_ms();
    let mut reader = cx.db.read().await?;
    let row = store::find_session(&mut reader.conn(), &hash_of_token(token), now).await?;
    drop(reader);
    let Some(mut row) = row else { return Ok(None) };
    if row.seen_at > now + LATEST_SEEN && is_clock_right(cx.db.clock_ahead().await?) {
        unless_unwritable(correct_times(cx, &mut row, now).await, "the use of a session")?;
    }
    if lifetime_of(&row).end(row.created_at, row.seen_at) <= now {
        unless_unwritable(end_session(cx, row.user_id, row.id).await.map(drop), "the end of a session")?;
        return Ok(None);
    }
    Ok(Some(row))
}

/// A session that was used while a clock was ahead counts as used now: otherwise it would not end without use, nor would its roles be read,
/// before that time comes.
async fn correct_times(cx: &Context, row: &mut SessionRow, now: i64) -> Result<(), Error> {
    (row.created_at, row.seen_at) = (row.created_at.min(now), now);
    row.expires_at = lifetime_of(row).end(row.created_at, now);
    // Another node may be refreshing it.
    row.refresh_at = row.refresh_at.map(|at| at.min(now + refresh::LEASE_MS));
    let mut tx = cx.db.begin().await?;
    store::correct_times(&mut tx.conn(), row, now + LATEST_SEEN).await?;
    tx.commit().await?;
    Ok(())
}

/// While the database takes no writes, those who are signed in go on, until the end of the session that is stored. `what` is lost.
pub fn unless_unwritable(outcome: Result<(), Error>, what: &str) -> Result<(), Error> {
    match outcome {
        Err(Error::Unavailable { cause, .. }) => {
            tracing::warn!(cause, "{what} could not be stored");
            Ok(())
        }
        outcome => outcome,
    }
}

/// Puts off the end of a session that is in use.
pub async fn note_use(cx: &Context, row: &SessionRow) -> Result<(), Error> {
    let now = cx.clock.now_ms();
    let lifetime = lifetime_of(row);
    if now - row.seen_at > lifetime.noted_every {
        let end = lifetime.end(row.created_at, now);
        unless_unwritable(put_off_end(cx, row.id, now, end).await, "the use of a session")?;
    }
    Ok(())
}

async fn put_off_end(cx: &Context, id: Uuid, seen_at: i64, expires_at: i64) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    store::touch_session(&mut tx.conn(), id, seen_at, expires_at).await?;
    tx.commit().await?;
    Ok(())
}

/// By the role of now: it may have become another since the end was stored.
fn lifetime_of(row: &SessionRow) -> Lifetime {
    Lifetime::of(Role::effective(&counted_roles(row.assigned_role.clone(), &row.roles)))
}

impl From<SessionRow> for Session {
    fn from(row: SessionRow) -> Self {
        Self {
            user_id: row.user_id,
            subject: row.subject,
            name: row.name,
            email: row.email,
            roles: counted_roles(row.assigned_role, &row.roles),
            proof: Proof::Cookie(row.id),
            authenticated_at: row.authenticated_at,
            methods: strings(&row.methods),
        }
    }
}

/// A role assigned by a super admin takes precedence over those of the provider.
fn counted_roles(assigned: Option<String>, listed: &str) -> Vec<String> {
    match assigned {
        Some(role) => vec![role],
        None => strings(listed),
    }
}

/// Of a JSON array that we wrote.
fn strings(array: &str) -> Vec<String> {
    serde_json::from_str(array).unwrap_or_default()
}

/// The user of an access token that was issued at a time (UTC milliseconds), created if unknown, and the effective roles. Those that the
/// token lists are stored, unless they were read later.
pub async fn user_of_bearer(cx: &Context, profile: &Profile, issued_at: i64) -> Result<(Uuid, Vec<String>), Error> {
    let now = cx.clock.now_ms();
    if issued_at < now - LONGEST_TOKEN_MS {
        return Err(Error::Unauthorized);
    }
    // A provider's clock that is ahead must not make its later answers seem older.
    let read_at = issued_at.min(now);
    let mut reader = cx.db.read().await?;
    refuse_erased(&mut reader.conn(), cx, profile, issued_at).await?;
    let known = store::find_subject_account(&mut reader.conn(), &profile.issuer, &profile.subject).await?;
    drop(reader);
    if let Some(account) = known {
        if account.blocked_at.is_some() {
            return Err(Error::Unauthorized);
        }
        // A provider may list none in access tokens, which says nothing about the account.
        let is_old = (read_at + 1..=now).contains(&account.roles_read_at);
        if !profile.roles.is_empty() && !is_old && profile.roles != strings(&account.roles) {
            let mut tx = cx.db.begin().await?;
            store::update_roles(&mut tx.conn(), account.id, &profile.roles, read_at, now).await?;
            tx.commit().await?;
        }
        let roles = account.assigned_role.map_or_else(|| profile.roles.clone(), |role| vec![role]);
        return Ok((account.id, roles));
    }
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let (id, kept) = upsert_user(cx, &mut conn, profile, read_at).await?;
    // An erasure may just have made room for the new account.
    refuse_erased(&mut conn, cx, profile, issued_at).await?;
    let account = store::find_account(&mut conn, id).await?;
    if let Some(account) = &account {
        index_account(&mut conn, account).await?;
    }
    let account = account.filter(|account| account.blocked_at.is_none());
    record_kept(cx, &mut conn, &kept).await?;
    tx.commit().await?;
    let account = account.ok_or(Error::Unauthorized)?;
    Ok((id, account.assigned_role.map_or_else(|| profile.roles.clone(), |role| vec![role])))
}

/// Refuses an access token from before its user's account was erased. The provider's clock, by which it was issued, may be ahead of that of
/// the node that erased the account.
async fn refuse_erased(conn: &mut Conn<'_>, cx: &Context, profile: &Profile, issued_at: i64) -> Result<(), Error> {
    for tag in subjects(cx).tags(&subject_of(&profile.issuer, &profile.subject)) {
        if store::find_erased_at(conn, &tag).await?.is_some_and(|erased_at| issued_at <= erased_at + CLOCK_SKEW) {
            return Err(Error::Unauthorized);
        }
    }
    Ok(())
}

/// Whether the account of a subject of the provider was erased and not made anew.
pub async fn is_erased(cx: &Context, identity: &Identity, subject: &str) -> Result<bool, DbError> {
    let Some(provider) = &identity.provider else { return Ok(false) };
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    if store::find_subject_account(&mut conn, provider.issuer(), subject).await?.is_some() {
        return Ok(false);
    }
    for tag in subjects(cx).tags(&subject_of(provider.issuer(), subject)) {
        if store::find_erased_at(&mut conn, &tag).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Names subjects whose accounts were erased, without telling who they are.
fn subjects(cx: &Context) -> Mac {
    Mac::new(&cx.config, "erased subjects")
}

fn subject_of(issuer: &str, subject: &str) -> Vec<u8> {
    format!("{issuer}\n{subject}").into_bytes()
}

/// Updates the search index entry of a user: name, email address and phone number.
pub async fn index(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    // Otherwise a sign-in that just does the same would add the same terms.
    let Some(account) = store::lock_account(conn, id).await? else { return Ok(()) };
    index_account(conn, &account).await
}

async fn index_account(conn: &mut Conn<'_>, account: &Account) -> Result<(), DbError> {
    let texts = [account.name.as_str(), &account.email, &account.phone];
    staff_search::service::put(conn, Kind::Customer, account.id, &texts).await
}

/// A session for a user on whose behalf staff act.
pub async fn on_behalf(cx: &Context, id: Uuid) -> Result<Option<Session>, Error> {
    let mut reader = cx.db.read().await?;
    let account = store::find_account(&mut reader.conn(), id).await?.filter(|account| account.deleted_at.is_none());
    Ok(account.map(|account| Session {
        user_id: account.id,
        subject: account.subject,
        name: account.name,
        email: account.email,
        roles: counted_roles(account.assigned_role, &account.roles),
        proof: Proof::OnBehalf,
        authenticated_at: 0,
        methods: Vec::new(),
    }))
}

/// Checks that a page showed the account that is signed in now: another tab may have signed in to another one since, which must not get what
/// was meant for the first.
pub fn check_shown(session: &Session, shown: Option<&str>) -> Result<(), Error> {
    match shown {
        Some(subject) if subject != session.subject => Err(Error::conflict(
            "other_account",
            "Nothing was saved, because you’re signed in to another account now. Open your account page again.",
        )),
        _ => Ok(()),
    }
}

pub async fn list_sessions(cx: &Context, conn: &mut Conn<'_>, session: &Session) -> Result<Vec<SessionView>, DbError> {
    list_sessions_of(cx, conn, session.user_id, session.role(), session.session_id()).await
}

/// The active sessions of an account with this role. `current` is the one that asks.
pub async fn list_sessions_of(
    cx: &Context,
    conn: &mut Conn<'_>,
    id: Uuid,
    role: Option<Role>,
    current: Option<Uuid>,
) -> Result<Vec<SessionView>, DbError> {
    let now = cx.clock.now_ms();
    let mut rows = store::list_sessions(conn, id, now).await?;
    // The role may have become another since the end was stored.
    rows.retain(|(_, _, _, created_at, seen_at)| Lifetime::of(role).end(*created_at, *seen_at) > now);
    let view = |(id, device, network, created_at, seen_at)| SessionView {
        id,
        device,
        network,
        created_at,
        seen_at,
        seen_on: local_day(seen_at, cx.zone()),
        is_current: current == Some(id),
    };
    Ok(rows.into_iter().map(view).collect())
}

/// The devices from which a user has signed in, for the export of their data.
pub async fn list_devices(cx: &Context, user_id: Uuid) -> Result<Vec<String>, Error> {
    let mut reader = cx.db.read().await?;
    Ok(store::list_devices(&mut reader.conn(), user_id).await?)
}

/// Ends one of the user's sessions; false when it is not one of theirs.
pub async fn end_session(cx: &Context, user_id: Uuid, id: Uuid) -> Result<bool, Error> {
    let mut tx = cx.db.begin().await?;
    let ended = store::delete_session(&mut tx.conn(), user_id, id).await?;
    tx.commit().await?;
    Ok(ended)
}

/// Ends all sessions of the user except the current one.
pub async fn end_other_sessions(cx: &Context, session: &Session) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    store::delete_other_sessions(&mut tx.conn(), session.user_id, session.session_id()).await?;
    tx.commit().await?;
    Ok(())
}

/// Ends every session of the user and erases everything except the id, which sale records refer to. Access tokens from before do not make the
/// account anew. A block, and a role that takes something away, are kept for the next account of the subject.
pub async fn erase_user(cx: &Context, conn: &mut Conn<'_>, user_id: Uuid) -> Result<(), Error> {
    let now = cx.clock.now_ms();
    let known = store::find_subject(conn, user_id).await?;
    // Locked, so that no role is taken away and no account blocked unseen.
    let account = store::lock_account(conn, user_id).await?.filter(|account| account.deleted_at.is_none());
    store::erase_user(conn, user_id, now).await?;
    // Also that of a sign-in for which the erasure has waited.
    store::delete_other_sessions(conn, user_id, None).await?;
    if let Some((issuer, subject)) = known {
        let assigned = account.as_ref().and_then(standing::lasting_role);
        let erased = ErasedSubject {
            tag: subjects(cx).tag(&subject_of(&issuer, &subject)),
            erased_at: now,
            assigned_role: assigned.map(|role| role.name().to_owned()),
            blocked_at: account.and_then(|account| account.blocked_at),
        };
        store::put_erased_subject(conn, &erased).await?;
    }
    staff_search::service::remove(conn, Kind::Customer, user_id).await?;
    Ok(())
}

/// Ends every session of every user.
pub async fn end_all_sessions(conn: &mut Conn<'_>) -> Result<(), DbError> {
    store::delete_all_sessions(conn).await
}

/// The ids of all users who were erased.
pub async fn list_erased(db: &Db) -> Result<Vec<Uuid>, DbError> {
    let mut reader = db.read().await?;
    store::list_erased(&mut reader.conn()).await
}

/// All subjects whose accounts were erased.
pub async fn list_erased_subjects(db: &Db) -> Result<Vec<ErasedSubject>, DbError> {
    let mut reader = db.read().await?;
    store::list_erased_subjects(&mut reader.conn()).await
}

/// Remembers what another database knows of subjects whose accounts were erased.
pub async fn add_erased_subjects(conn: &mut Conn<'_>, erased: &[ErasedSubject]) -> Result<(), DbError> {
    for erased in erased {
        store::put_erased_subject(conn, erased).await?;
    }
    Ok(())
}

/// Who makes a change with the program instead of in the admin area: somebody who has access to the server.
pub async fn command_line(conn: &mut Conn<'_>, clock: &dyn Clock) -> Result<Actor, DbError> {
    program(conn, clock, "command line", "Command line", Role::SuperAdmin).await
}

/// Who makes a change at a time that staff have set.
pub async fn schedule(conn: &mut Conn<'_>, clock: &dyn Clock) -> Result<Actor, DbError> {
    program(conn, clock, "schedule", "Schedule", Role::Staff).await
}

async fn program(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    subject: &str,
    name: &str,
    role: Role,
) -> Result<Actor, DbError> {
    let user_id = store::upsert_program(conn, new_id(clock), subject, name, clock.now_ms()).await?;
    Ok(Actor { user_id, role, network: String::new(), device: subject.to_owned() })
}

/// A logout reported by the provider.
#[derive(Clone, Copy, Debug)]
pub struct ProviderLogout<'a> {
    pub issuer: &'a str,
    /// Id of the message: each is processed once.
    pub jti: &'a str,
    /// A single session.
    pub session: Option<&'a str>,
    /// Or all sessions of a subject.
    pub subject: Option<&'a str>,
}

/// Ends the sessions that the provider has ended, and remembers the message until a time, UTC milliseconds. False if the message was used
/// before.
pub async fn end_provider_sessions(cx: &Context, logout: &ProviderLogout<'_>, until: i64) -> Result<bool, DbError> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    if !store::insert_used_logout_token(&mut conn, logout.jti, until).await? {
        return Ok(false);
    }
    store::delete_provider_sessions(&mut conn, logout.issuer, logout.session, logout.subject).await?;
    tx.commit().await?;
    Ok(true)
}

/// The provider's tokens of a session.
pub async fn find_tokens(cx: &Context, identity: &Identity, id: Uuid) -> Result<Option<Tokens>, Error> {
    let mut reader = cx.db.read().await?;
    let sealed = store::find_tokens(&mut reader.conn(), id).await?;
    let plain = sealed.and_then(|sealed| identity.tokens.open(&sealed, id.as_bytes()));
    Ok(plain.and_then(|plain| serde_json::from_slice(&plain).ok()))
}

/// Bound to the session id, so that a row's tokens cannot be moved to another session.
pub fn seal_tokens(identity: &Identity, id: Uuid, tokens: &Tokens) -> Result<Vec<u8>, Error> {
    let plain = serde_json::to_vec(tokens).map_err(Error::internal)?;
    identity.tokens.seal(&plain, id.as_bytes())
}
