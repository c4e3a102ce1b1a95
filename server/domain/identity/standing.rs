//! Blocks and roles that last: what staff have taken away stays away from whoever deletes their account and comes back, and from the accounts
//! of a backup that is restored, which are held against those of the database that it replaces.

use serde_json::json;
use shop_base::clock::Clock;
use shop_base::db::{Conn, Db, DbError};
use shop_base::role::Role;
use shop_platform::audit::model::{Change, Subject};
use uuid::Uuid;

use super::store;
use super::store::{Account, Standing};

/// Why the next account is blocked. The reason of before was erased.
const REASON: &str = "Blocked before the account was deleted";

/// The role that outlives an account, if a super admin has assigned less than the provider lists, or only that of a customer. One that gives
/// more does not.
pub fn lasting_role(account: &Account) -> Option<Role> {
    let assigned = Role::try_from(account.assigned_role.clone()?).ok()?;
    let listed: Vec<String> = serde_json::from_str(&account.roles).unwrap_or_default();
    let listed = Role::effective(&listed).unwrap_or(Role::Customer);
    (assigned > listed || assigned == Role::Customer).then_some(assigned)
}

/// Gives a new account what is kept under these tags of its subject. Of its role and the one that the provider lists now it gets the lesser.
/// The changes are for the audit log.
pub async fn give_kept(
    conn: &mut Conn<'_>,
    id: Uuid,
    tags: &[Vec<u8>],
    listed: Role,
    now: i64,
) -> Result<Vec<Change>, DbError> {
    let (mut assigned, mut blocked_at): (Option<Role>, Option<i64>) = (None, None);
    for tag in tags {
        let Some(kept) = store::take_kept(conn, tag).await? else { continue };
        assigned = assigned.max(kept.assigned_role.map(|role| Role::try_from(role).unwrap_or(Role::Customer)));
        blocked_at = blocked_at.or(kept.blocked_at);
    }
    let (subject, mut changes) = (Subject::new("user", id, ""), Vec::new());
    if let Some(assigned) = assigned {
        let role = assigned.max(listed);
        store::update_assigned_role(conn, id, Some(role), role, now).await?;
        let (before, after) = (json!({ "role": listed, "assigned": null }), json!({ "role": role, "assigned": role }));
        changes.push(Change::of("user.assign_role", subject.clone(), &before, &after));
    }
    if blocked_at.is_some() {
        store::update_block(conn, id, blocked_at, REASON, now).await?;
        let (before, after) = (json!({ "blocked": false }), json!({ "blocked": true }));
        changes.push(Change::of("user.block", subject, &before, &after));
    }
    Ok(changes)
}

/// How many accounts were changed.
#[derive(Clone, Copy, Debug, Default)]
pub struct TakenAway {
    pub blocked: usize,
    pub roles: usize,
}

/// The accounts of a restored copy that may do more than a customer, or that have a role which was assigned here.
pub async fn list_with_roles(copy: &Db) -> Result<Vec<Uuid>, DbError> {
    let mut reader = copy.read().await?;
    store::list_with_roles(&mut reader.conn()).await
}

/// What the former database says of these accounts, and of all that are blocked or have a role which was assigned there.
pub async fn list_former(former: &Db, with_roles: &[Uuid]) -> Result<Vec<Standing>, DbError> {
    let mut reader = former.read().await?;
    let mut conn = reader.conn();
    let mut found = store::list_limited(&mut conn).await?;
    for &id in with_roles {
        found.extend(store::find_standing(&mut conn, id).await?);
    }
    Ok(found)
}

/// Blocks in the copy who is blocked in the former database, and takes away the roles that are gone there. Nobody gets more than the backup
/// gives, and accounts that were made after it stay away.
pub async fn take_away(conn: &mut Conn<'_>, clock: &dyn Clock, former: &[Standing]) -> Result<TakenAway, DbError> {
    let (mut taken, now) = (TakenAway::default(), clock.now_ms());
    for former in former {
        let Some(restored) = store::find_standing(conn, former.id).await? else { continue };
        if former.blocked_at.is_some() && restored.blocked_at.is_none() {
            store::update_block(conn, former.id, former.blocked_at, &former.block_reason, now).await?;
            taken.blocked += 1;
        }
        if is_less(former, &restored) {
            store::update_standing(conn, former, now).await?;
            taken.roles += 1;
        }
    }
    Ok(taken)
}

/// Whether the former database gives less. Without an assigned role the provider's count at the next sign-in, which may be more than that of
/// a customer.
fn is_less(former: &Standing, restored: &Standing) -> bool {
    let is_more = former.role < restored.role
        || (former.assigned_role.is_none() && restored.assigned_role.as_deref() == Some(Role::Customer.name()));
    let differs = (former.role, &former.assigned_role) != (restored.role, &restored.assigned_role);
    differs && !is_more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(role: Role, assigned: Option<Role>) -> Standing {
        Standing {
            id: Uuid::nil(),
            roles: "[]".to_owned(),
            role,
            assigned_role: assigned.map(|role| role.name().to_owned()),
            blocked_at: None,
            block_reason: String::new(),
        }
    }

    #[test]
    fn a_role_that_takes_away_outlives_its_account() {
        use Role::{Admin, Customer, Staff};
        for (listed, assigned, lasting) in [
            (Some(Admin), Some(Customer), Some(Customer)),
            (Some(Admin), Some(Staff), Some(Staff)),
            // The provider may list more later.
            (None, Some(Customer), Some(Customer)),
            (None, Some(Staff), None),
            (Some(Staff), Some(Staff), None),
            (Some(Staff), Some(Admin), None),
            (Some(Admin), None, None),
        ] {
            let account = Account {
                id: Uuid::nil(),
                subject: String::new(),
                name: String::new(),
                email: String::new(),
                email_verified: false,
                phone: String::new(),
                roles: json!(listed.as_slice()).to_string(),
                roles_read_at: 0,
                role: Customer,
                assigned_role: assigned.map(|role| role.name().to_owned()),
                blocked_at: None,
                block_reason: String::new(),
                version: 0,
                created_at: 0,
                signed_in_at: 0,
                deleted_at: None,
            };
            assert_eq!(lasting_role(&account), lasting, "{listed:?} {assigned:?}");
        }
    }

    #[test]
    fn roles_are_taken_away_and_never_given() {
        use Role::{Admin, Customer, Staff};
        for (former, restored, less) in [
            ((Customer, None), (Admin, Some(Admin)), true),
            ((Customer, None), (Staff, None), true),
            ((Staff, None), (Staff, Some(Staff)), true),
            ((Staff, Some(Staff)), (Admin, None), true),
            ((Customer, Some(Customer)), (Customer, None), true),
            ((Customer, None), (Customer, None), false),
            ((Customer, None), (Customer, Some(Customer)), false),
            ((Admin, Some(Admin)), (Staff, Some(Staff)), false),
            ((Admin, None), (Customer, None), false),
        ] {
            let (former, restored) = (standing(former.0, former.1), standing(restored.0, restored.1));
            assert_eq!(is_less(&former, &restored), less, "{former:?} {restored:?}");
        }
    }
}
