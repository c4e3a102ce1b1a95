//! SQL of users and their sessions.

use shop_base::db::{Conn, DbError, Lock};
use shop_base::role::Role;
use shop_base::sql;
use sqlx::{FromRow, query, query_as, query_scalar};
use uuid::Uuid;

use super::model::Profile;
use super::provider::SaidEmail;
use super::recent::CHANGED;

/// A session with its user.
#[derive(Debug, FromRow)]
pub struct SessionRow {
    pub id: Uuid,
    pub user_id: Uuid,
    pub subject: String,
    pub name: String,
    pub email: String,
    /// JSON array.
    pub roles: String,
    pub assigned_role: Option<String>,
    pub authenticated_at: i64,
    /// JSON array.
    pub methods: String,
    pub created_at: i64,
    pub seen_at: i64,
    pub expires_at: i64,
    pub refresh_at: Option<i64>,
}

#[derive(Debug)]
pub struct NewSession<'a> {
    pub id: Uuid,
    pub user_id: Uuid,
    pub token_hash: &'a [u8],
    pub provider_session: Option<&'a str>,
    pub tokens: Option<&'a [u8]>,
    pub refresh_at: Option<i64>,
    pub authenticated_at: i64,
    pub methods: &'a [String],
    pub now: i64,
    pub expires_at: i64,
    pub device: &'a str,
    pub network: &'a str,
}

/// Creates the user or updates it with the provider's data. An existing name is kept, since the user may have changed it here; an existing
/// email address is kept, as verified as it was, if the provider sends none.
///
/// `read_at` is the time of its roles and its address. What was read later is kept, unless a clock that was ahead only made it seem so. That
/// may have been roles alone, so an account without an address gets one all the same. Times are UTC milliseconds.
pub async fn upsert_user(
    conn: &mut Conn<'_>,
    id: Uuid,
    profile: &Profile,
    read_at: i64,
    now: i64,
) -> Result<Uuid, DbError> {
    const SQL: &str =
        "INSERT INTO users (id, issuer, subject, email, email_verified, name, phone, roles, preferred_state,
            preferences, created_at, updated_at, signed_in_at, deleted_at, role, roles_read_at)
        VALUES ($1, $2, $3, $4, $5, $6, '', $7, NULL, '{}', $8, $8, $8, NULL, $9, $10)
        ON CONFLICT (issuer, subject) DO UPDATE SET
            email = CASE WHEN excluded.email = ''
                    OR (users.email <> '' AND users.roles_read_at BETWEEN excluded.roles_read_at + 1 AND $8)
                THEN users.email ELSE excluded.email END,
            email_verified = CASE WHEN excluded.email = ''
                    OR (users.email <> '' AND users.roles_read_at BETWEEN excluded.roles_read_at + 1 AND $8)
                THEN users.email_verified ELSE excluded.email_verified END,
            name = CASE users.name WHEN '' THEN excluded.name ELSE users.name END,
            roles = CASE WHEN users.roles_read_at BETWEEN excluded.roles_read_at + 1 AND $8 THEN users.roles
                ELSE excluded.roles END,
            role = CASE WHEN users.roles_read_at BETWEEN excluded.roles_read_at + 1 AND $8 THEN users.role
                ELSE COALESCE(users.assigned_role, excluded.role) END,
            roles_read_at = CASE WHEN users.roles_read_at BETWEEN excluded.roles_read_at + 1 AND $8
                THEN users.roles_read_at ELSE excluded.roles_read_at END,
            signed_in_at = excluded.signed_in_at
        RETURNING id";
    conn.after_commit(CHANGED);
    let roles = json_array(&profile.roles);
    let id: Uuid = sql!(&mut *conn, c => query_scalar(SQL)
        .bind(id)
        .bind(&profile.issuer)
        .bind(&profile.subject)
        .bind(&profile.email)
        .bind(profile.email_verified)
        .bind(&profile.name)
        .bind(roles)
        .bind(now)
        .bind(stored_role(&profile.roles))
        .bind(read_at)
        .fetch_one(c).await)?;
    conn.takes(Lock::Account(id));
    Ok(id)
}

pub async fn update_name_and_email(conn: &mut Conn<'_>, id: Uuid, name: &str, email: &str) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE users SET name = $2, email = $3, email_verified = email_verified AND $3 <> '' WHERE id = $1";
    conn.after_commit(CHANGED);
    conn.takes(Lock::Account(id));
    sql!(conn, c => query(SQL).bind(id).bind(name).bind(email).execute(c).await.map(drop))?;
    Ok(())
}

/// Stores the roles that the provider listed at a time, unless they were read later; see [`upsert_user`].
pub async fn update_roles(
    conn: &mut Conn<'_>,
    user_id: Uuid,
    roles: &[String],
    read_at: i64,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE users SET roles = $2, role = COALESCE(assigned_role, $3), roles_read_at = $4
        WHERE id = $1 AND roles_read_at NOT BETWEEN $4 + 1 AND $5 AND deleted_at IS NULL";
    conn.after_commit(CHANGED);
    conn.takes(Lock::Account(user_id));
    let role = stored_role(roles);
    sql!(conn, c => query(SQL).bind(user_id).bind(json_array(roles)).bind(role).bind(read_at).bind(now)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Stores the email address that the provider said at a time, unless it was asked later; see [`update_roles`]. False if that changes nothing.
pub async fn update_email(
    conn: &mut Conn<'_>,
    user_id: Uuid,
    said: &SaidEmail,
    read_at: i64,
    now: i64,
) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE users SET email = $2, email_verified = $3
        WHERE id = $1 AND (email <> $2 OR email_verified <> $3) AND (roles_read_at <= $4 OR roles_read_at > $5)
            AND deleted_at IS NULL";
    conn.after_commit(CHANGED);
    conn.takes(Lock::Account(user_id));
    let rows = sql!(conn, c => query(SQL)
        .bind(user_id)
        .bind(said.address.as_str())
        .bind(said.is_verified)
        .bind(read_at)
        .bind(now)
        .execute(c).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// A user without any of the roles counts as a customer.
fn stored_role(roles: &[String]) -> &'static str {
    Role::effective(roles).unwrap_or(Role::Customer).name()
}

fn json_array(strings: &[String]) -> String {
    serde_json::Value::from(strings).to_string()
}

pub async fn insert_session(conn: &mut Conn<'_>, new: &NewSession<'_>) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO sessions (id, user_id, token_hash, provider_session, tokens, refresh_at,
            authenticated_at, created_at, seen_at, expires_at, device, network, methods)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11, $12)";
    conn.takes(Lock::Session);
    sql!(conn, c => query(SQL)
        .bind(new.id)
        .bind(new.user_id)
        .bind(new.token_hash)
        .bind(new.provider_session)
        .bind(new.tokens)
        .bind(new.refresh_at)
        .bind(new.authenticated_at)
        .bind(new.now)
        .bind(new.expires_at)
        .bind(new.device)
        .bind(new.network)
        .bind(json_array(new.methods))
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes all sessions of a user but those that were used last.
pub async fn delete_unused_sessions(conn: &mut Conn<'_>, user_id: Uuid, kept: i64) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM sessions WHERE user_id = $1 AND id NOT IN
        (SELECT id FROM sessions WHERE user_id = $1 ORDER BY seen_at DESC, id DESC LIMIT $2)";
    conn.after_commit(CHANGED);
    conn.takes(Lock::Session);
    sql!(conn, c => query(SQL).bind(user_id).bind(kept).execute(c).await.map(drop))?;
    Ok(())
}

/// The session with this token, unless it has expired.
pub async fn find_session(conn: &mut Conn<'_>, token_hash: &[u8], now: i64) -> Result<Option<SessionRow>, DbError> {
    const SQL: &str =
        "SELECT s.id, s.user_id, u.subject, u.name, u.email, u.roles, u.assigned_role, s.authenticated_at, s.methods,
            s.created_at, s.seen_at, s.expires_at, s.refresh_at
        FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE s.token_hash = $1 AND s.expires_at > $2 AND u.deleted_at IS NULL AND u.blocked_at IS NULL";
    Ok(sql!(conn, c => query_as(SQL).bind(token_hash).bind(now).fetch_optional(c).await)?)
}

pub async fn touch_session(conn: &mut Conn<'_>, id: Uuid, seen_at: i64, expires_at: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE sessions SET seen_at = $2, expires_at = $3 WHERE id = $1";
    conn.takes(Lock::Session);
    sql!(conn, c => query(SQL).bind(id).bind(seen_at).bind(expires_at).execute(c).await.map(drop))?;
    Ok(())
}

/// Stores the times of a session that was used later than `latest`, unless another request has corrected them.
pub async fn correct_times(conn: &mut Conn<'_>, row: &SessionRow, latest: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE sessions SET created_at = $2, seen_at = $3, expires_at = $4, refresh_at = $5
        WHERE id = $1 AND seen_at > $6";
    conn.takes(Lock::Session);
    sql!(conn, c => query(SQL)
        .bind(row.id)
        .bind(row.created_at)
        .bind(row.seen_at)
        .bind(row.expires_at)
        .bind(row.refresh_at)
        .bind(latest)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Acquires the refresh lease until `until`, if it is free.
pub async fn lease_refresh(conn: &mut Conn<'_>, id: Uuid, now: i64, until: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE sessions SET refresh_at = $3 WHERE id = $1 AND refresh_at <= $2";
    conn.takes(Lock::Session);
    let rows =
        sql!(conn, c => query(SQL).bind(id).bind(now).bind(until).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

pub async fn update_tokens(
    conn: &mut Conn<'_>,
    id: Uuid,
    tokens: &[u8],
    refresh_at: Option<i64>,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE sessions SET tokens = $2, refresh_at = $3 WHERE id = $1";
    conn.takes(Lock::Session);
    sql!(conn, c => query(SQL).bind(id).bind(tokens).bind(refresh_at).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn find_tokens(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Vec<u8>>, DbError> {
    const SQL: &str = "SELECT tokens FROM sessions WHERE id = $1";
    let row: Option<Option<Vec<u8>>> = sql!(conn, c => query_scalar(SQL).bind(id).fetch_optional(c).await)?;
    Ok(row.flatten())
}

/// A session as listed for its user: id, device, network, created, seen.
pub type ListedSession = (Uuid, String, String, i64, i64);

pub async fn list_sessions(conn: &mut Conn<'_>, user_id: Uuid, now: i64) -> Result<Vec<ListedSession>, DbError> {
    const SQL: &str = "SELECT id, device, network, created_at, seen_at FROM sessions
        WHERE user_id = $1 AND expires_at > $2 ORDER BY seen_at DESC, id";
    Ok(sql!(conn, c => query_as(SQL).bind(user_id).bind(now).fetch_all(c).await)?)
}

/// False if the user has no such session.
pub async fn delete_session(conn: &mut Conn<'_>, user_id: Uuid, id: Uuid) -> Result<bool, DbError> {
    const SQL: &str = "DELETE FROM sessions WHERE id = $1 AND user_id = $2";
    conn.after_commit(CHANGED);
    conn.takes(Lock::Session);
    let rows = sql!(conn, c => query(SQL).bind(id).bind(user_id).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

pub async fn delete_other_sessions(conn: &mut Conn<'_>, user_id: Uuid, kept: Option<Uuid>) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2";
    conn.after_commit(CHANGED);
    conn.takes(Lock::Session);
    let kept = kept.unwrap_or_default();
    sql!(conn, c => query(SQL).bind(user_id).bind(kept).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes the sessions that the provider has ended: a single one, or all of a subject.
pub async fn delete_provider_sessions(
    conn: &mut Conn<'_>,
    issuer: &str,
    provider_session: Option<&str>,
    subject: Option<&str>,
) -> Result<(), DbError> {
    const SINGLE: &str = "DELETE FROM sessions WHERE provider_session = $1 AND EXISTS
            (SELECT 1 FROM users u WHERE u.id = sessions.user_id AND u.issuer = $2 AND u.subject = COALESCE($3, u.subject))";
    const ALL: &str = "DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE issuer = $1 AND subject = $2)";
    conn.takes(Lock::Session);
    conn.after_commit(CHANGED);
    match provider_session {
        Some(session) => {
            sql!(conn, c => query(SINGLE).bind(session).bind(issuer).bind(subject).execute(c).await.map(drop))?;
        }
        None => sql!(conn, c => query(ALL).bind(issuer).bind(subject).execute(c).await.map(drop))?,
    }
    Ok(())
}

/// False if it was used before.
pub async fn insert_used_logout_token(conn: &mut Conn<'_>, jti: &str, expires_at: i64) -> Result<bool, DbError> {
    const SQL: &str = "INSERT INTO used_logout_tokens (jti, expires_at) VALUES ($1, $2) ON CONFLICT (jti) DO NOTHING";
    let rows =
        sql!(conn, c => query(SQL).bind(jti).bind(expires_at).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// Erases everything of a user except the id, which sale records may refer to. The same person may sign in again as a new user.
pub async fn erase_user(conn: &mut Conn<'_>, id: Uuid, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE users SET subject = $3, email = '', email_verified = FALSE, name = '', phone = '',
            roles = '[]', role = 'customer', assigned_role = NULL, block_reason = '', preferred_state = NULL, preferences = '{}', updated_at = $2, deleted_at = $2
        WHERE id = $1";
    const DEVICES: &str = "DELETE FROM user_devices WHERE user_id = $1";
    conn.after_commit(CHANGED);
    conn.takes(Lock::Account(id));
    let subject = format!("deleted {id}");
    // This waits for a sign-in that is about to store a session and a device.
    sql!(&mut *conn, c => query(SQL).bind(id).bind(now).bind(subject).execute(c).await.map(drop))?;
    sql!(conn, c => query(DEVICES).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// A user's issuer and subject.
pub async fn find_subject(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<(String, String)>, DbError> {
    const SQL: &str = "SELECT issuer, subject FROM users WHERE id = $1";
    Ok(sql!(conn, c => query_as(SQL).bind(id).fetch_optional(c).await)?)
}

/// A subject whose account was erased, and what the next one is given.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ErasedSubject {
    pub tag: Vec<u8>,
    /// UTC milliseconds.
    pub erased_at: i64,
    // Tables of former releases lack these columns.
    #[sqlx(default)]
    pub assigned_role: Option<String>,
    /// UTC milliseconds.
    #[sqlx(default)]
    pub blocked_at: Option<i64>,
}

/// Remembers a subject whose account was erased; if several times, when it was the last time. What was kept for the next account stays.
pub async fn put_erased_subject(conn: &mut Conn<'_>, erased: &ErasedSubject) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO erased_subjects (tag, erased_at, assigned_role, blocked_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (tag) DO UPDATE SET
            erased_at = CASE WHEN excluded.erased_at > erased_subjects.erased_at THEN excluded.erased_at
                ELSE erased_subjects.erased_at END,
            assigned_role = COALESCE(excluded.assigned_role, erased_subjects.assigned_role),
            blocked_at = COALESCE(excluded.blocked_at, erased_subjects.blocked_at)";
    sql!(conn, c => query(SQL)
        .bind(erased.tag.as_slice())
        .bind(erased.erased_at)
        .bind(erased.assigned_role.as_deref())
        .bind(erased.blocked_at)
        .execute(c).await
        .map(drop))?;
    Ok(())
}

/// All of them, with the columns that are there: the tables may be those of a former release.
pub async fn list_erased_subjects(conn: &mut Conn<'_>) -> Result<Vec<ErasedSubject>, DbError> {
    const SQL: &str = "SELECT * FROM erased_subjects";
    Ok(sql!(conn, c => query_as(SQL).fetch_all(c).await)?)
}

/// Takes what is kept for the next account of a subject: the account has it from now on.
pub async fn take_kept(conn: &mut Conn<'_>, tag: &[u8]) -> Result<Option<ErasedSubject>, DbError> {
    const FIND: &str = "SELECT tag, erased_at, assigned_role, blocked_at FROM erased_subjects
        WHERE tag = $1 AND (assigned_role IS NOT NULL OR blocked_at IS NOT NULL)";
    const TAKE: &str = "UPDATE erased_subjects SET assigned_role = NULL, blocked_at = NULL WHERE tag = $1";
    let kept: Option<ErasedSubject> = sql!(&mut *conn, c => query_as(FIND).bind(tag).fetch_optional(c).await)?;
    if kept.is_some() {
        sql!(conn, c => query(TAKE).bind(tag).execute(c).await.map(drop))?;
    }
    Ok(kept)
}

/// When a subject's account was last erased, UTC milliseconds.
pub async fn find_erased_at(conn: &mut Conn<'_>, tag: &[u8]) -> Result<Option<i64>, DbError> {
    const SQL: &str = "SELECT erased_at FROM erased_subjects WHERE tag = $1";
    Ok(sql!(conn, c => query_scalar(SQL).bind(tag).fetch_optional(c).await)?)
}

/// Ends every session of every user.
pub async fn delete_all_sessions(conn: &mut Conn<'_>) -> Result<(), DbError> {
    conn.after_commit(CHANGED);
    sql!(conn, c => query("DELETE FROM sessions").execute(c).await.map(drop))?;
    Ok(())
}

/// The ids of erased users.
pub async fn list_erased(conn: &mut Conn<'_>) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str = "SELECT id FROM users WHERE deleted_at IS NOT NULL";
    Ok(sql!(conn, c => query_scalar(SQL).fetch_all(c).await)?)
}

/// A row to which the log of changes refers when nobody who has signed in makes them. It counts as deleted, so no list shows it.
pub async fn upsert_program(
    conn: &mut Conn<'_>,
    id: Uuid,
    subject: &str,
    name: &str,
    now: i64,
) -> Result<Uuid, DbError> {
    const SQL: &str =
        "INSERT INTO users (id, issuer, subject, email, email_verified, name, phone, roles, preferred_state,
            preferences, created_at, updated_at, signed_in_at, deleted_at, role)
        VALUES ($1, '', $2, '', FALSE, $3, '', '[]', NULL, '{}', $4, $4, $4, $4, 'customer')
        ON CONFLICT (issuer, subject) DO UPDATE SET updated_at = excluded.updated_at RETURNING id";
    Ok(sql!(conn, c => query_scalar(SQL).bind(id).bind(subject).bind(name).bind(now).fetch_one(c).await)?)
}

/// Blocks and roles of an account, in columns that former releases have, too.
#[derive(Clone, Debug, FromRow)]
pub struct Standing {
    pub id: Uuid,
    /// JSON array.
    pub roles: String,
    #[sqlx(try_from = "String")]
    pub role: Role,
    pub assigned_role: Option<String>,
    pub blocked_at: Option<i64>,
    pub block_reason: String,
}

/// Those of an account that is not erased.
pub async fn find_standing(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Standing>, DbError> {
    const SQL: &str = "SELECT id, roles, role, assigned_role, blocked_at, block_reason FROM users
        WHERE id = $1 AND deleted_at IS NULL";
    Ok(sql!(conn, c => query_as(SQL).bind(id).fetch_optional(c).await)?)
}

/// Those of all accounts that are blocked or have an assigned role.
pub async fn list_limited(conn: &mut Conn<'_>) -> Result<Vec<Standing>, DbError> {
    const SQL: &str = "SELECT id, roles, role, assigned_role, blocked_at, block_reason FROM users
        WHERE (blocked_at IS NOT NULL OR assigned_role IS NOT NULL) AND deleted_at IS NULL";
    Ok(sql!(conn, c => query_as(SQL).fetch_all(c).await)?)
}

/// The accounts that have an assigned role, or one of staff.
pub async fn list_with_roles(conn: &mut Conn<'_>) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str =
        "SELECT id FROM users WHERE (role <> 'customer' OR assigned_role IS NOT NULL) AND deleted_at IS NULL";
    Ok(sql!(conn, c => query_scalar(SQL).fetch_all(c).await)?)
}

/// Stores an account's roles as another database has them. Access tokens from before do not change them.
pub async fn update_standing(conn: &mut Conn<'_>, standing: &Standing, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE users SET roles = $2, role = $3, assigned_role = $4, roles_read_at = $5,
        version = version + 1, updated_at = $5 WHERE id = $1";
    conn.after_commit(CHANGED);
    let Standing { id, roles, role, assigned_role, .. } = standing;
    let assigned = assigned_role.as_deref();
    sql!(conn, c => query(SQL)
        .bind(*id)
        .bind(roles.as_str())
        .bind(role.name())
        .bind(assigned)
        .bind(now)
        .execute(c).await
        .map(drop))?;
    Ok(())
}

/// A user as staff see and edit it.
#[derive(Clone, Debug, FromRow)]
pub struct Account {
    pub id: Uuid,
    pub subject: String,
    pub name: String,
    pub email: String,
    pub email_verified: bool,
    pub phone: String,
    /// JSON array.
    pub roles: String,
    /// When these were last read from the provider, UTC milliseconds.
    pub roles_read_at: i64,
    #[sqlx(try_from = "String")]
    pub role: Role,
    pub assigned_role: Option<String>,
    pub blocked_at: Option<i64>,
    pub block_reason: String,
    pub version: i64,
    pub created_at: i64,
    pub signed_in_at: i64,
    pub deleted_at: Option<i64>,
}

const ACCOUNT: &str =
    "id, subject, name, email, email_verified, phone, roles, roles_read_at, role, assigned_role, blocked_at,
    block_reason, version, created_at, signed_in_at, deleted_at";

pub async fn find_account(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Account>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {ACCOUNT} FROM users WHERE id = $1"));
    Ok(sql!(conn, c => query_as(sql).bind(id).fetch_optional(c).await)?)
}

/// The user with this subject at the provider.
pub async fn find_subject_account(
    conn: &mut Conn<'_>,
    issuer: &str,
    subject: &str,
) -> Result<Option<Account>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {ACCOUNT} FROM users WHERE issuer = $1 AND subject = $2"));
    Ok(sql!(conn, c => query_as(sql).bind(issuer).bind(subject).fetch_optional(c).await)?)
}

/// The accounts with this email address in any case, and whether the provider has verified it.
pub async fn list_by_email(conn: &mut Conn<'_>, email: &str) -> Result<Vec<(Uuid, bool)>, DbError> {
    const SQL: &str =
        "SELECT id, email_verified FROM users WHERE LOWER(email) = LOWER($1) AND deleted_at IS NULL ORDER BY id";
    Ok(sql!(conn, c => query_as(SQL).bind(email).fetch_all(c).await)?)
}

/// Locks an account until the transaction ends.
pub async fn lock_account(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Account>, DbError> {
    conn.takes(Lock::Account(id));
    let sql = sqlx::AssertSqlSafe(format!("UPDATE users SET version = version WHERE id = $1 RETURNING {ACCOUNT}"));
    Ok(sql!(conn, c => query_as(sql).bind(id).fetch_optional(c).await)?)
}

/// Sets or clears the role assigned by a super admin.
pub async fn update_assigned_role(
    conn: &mut Conn<'_>,
    id: Uuid,
    assigned: Option<Role>,
    effective: Role,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE users SET assigned_role = $2, role = $3, version = version + 1, updated_at = $4 WHERE id = $1";
    conn.after_commit(CHANGED);
    let assigned = assigned.map(Role::name);
    sql!(conn, c => query(SQL).bind(id).bind(assigned).bind(effective.name()).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Blocks an account, or unblocks it if no time is given.
pub async fn update_block(
    conn: &mut Conn<'_>,
    id: Uuid,
    blocked_at: Option<i64>,
    reason: &str,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE users SET blocked_at = $2, block_reason = $3, version = version + 1, updated_at = $4 WHERE id = $1";
    conn.after_commit(CHANGED);
    sql!(conn, c => query(SQL).bind(id).bind(blocked_at).bind(reason).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn postpone_refresh(conn: &mut Conn<'_>, id: Uuid, until: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE sessions SET refresh_at = $2 WHERE id = $1";
    conn.takes(Lock::Session);
    sql!(conn, c => query(SQL).bind(id).bind(until).execute(c).await.map(drop))?;
    Ok(())
}

/// The devices from which a user has signed in.
pub async fn list_devices(conn: &mut Conn<'_>, user_id: Uuid) -> Result<Vec<String>, DbError> {
    const SQL: &str = "SELECT name FROM user_devices WHERE user_id = $1";
    Ok(sql!(conn, c => query_scalar::<_, String>(SQL).bind(user_id).fetch_all(c).await)?)
}

/// Stores a device from which the user has signed in.
pub async fn insert_device(conn: &mut Conn<'_>, user_id: Uuid, name: &str, now: i64) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO user_devices (user_id, name, seen_at) VALUES ($1, $2, $3)
        ON CONFLICT (user_id, name) DO UPDATE SET seen_at = $3";
    sql!(conn, c => query(SQL).bind(user_id).bind(name).bind(now).execute(c).await.map(drop))?;
    Ok(())
}
